"""Charts. `plot` and what builds on it import pyqtgraph; nothing imports them before the shell is on screen."""
