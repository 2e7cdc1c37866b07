"""The headless commands: no window, no network, no display, and the same figures as in the window."""

from desktop.cli.arguments import names_a_project, run

__all__ = ["names_a_project", "run"]
