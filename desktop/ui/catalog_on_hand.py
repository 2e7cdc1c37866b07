"""The catalog the window works with: the shipped one, with the user's own data laid over it."""

from collections.abc import Callable

from desktop.catalog import Catalog
from desktop.catalog.overlay import with_user_data
from desktop.catalog.user_data import UserData
from desktop.request import Problem


class CatalogOnHand:
    """Read when it is first asked for, and again after `renew`; `trouble` is what kept the user's data away."""

    def __init__(self, load: Callable[[], Catalog], user: UserData) -> None:
        self._load, self.user = load, user
        self._shipped: Catalog | None = None
        self._present: Catalog | None = None
        self.trouble: Problem | None = None

    def __call__(self) -> Catalog:
        if self._present is None:
            self._present = self._with_user_data()
        return self._present

    def shipped(self) -> Catalog:
        """The catalog without a word of the user's."""
        if self._shipped is None:
            self._shipped = self._load()
        return self._shipped

    def renew(self) -> None:
        """Forget what the user's data was; the next call reads it again."""
        self._present = None

    def reload(self) -> None:
        """Forget the shipped catalog too: another one was installed."""
        self._shipped = self._present = None

    def _with_user_data(self) -> Catalog:
        try:
            catalog, self.trouble = with_user_data(self.shipped(), self.user), None
        except Problem as problem:
            if problem.code == "catalog_unreadable":
                raise
            catalog, self.trouble = self.shipped(), problem
        return catalog
