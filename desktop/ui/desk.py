"""What pages and pane are given to work with."""

from collections.abc import Callable
from dataclasses import dataclass

from desktop.catalog import Catalog
from desktop.ui.look import Look
from desktop.ui.session import Session


@dataclass(frozen=True)
class Desk:
    """`changed` is called after every change of the session, `go` shows a field (by address) or a page (by name)."""

    look: Look
    session: Session
    catalog: Callable[[], Catalog]
    changed: Callable[[], None]
    go: Callable[[str], None]
    export: Callable[[], None]
