"""What stands around every page: menu bar, top bar, step list, footer."""
