"""The menu bar. Everything the window can do is reachable here, with its key beside it."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from desktop.ui.look import Look
from desktop.ui.shell.actions import Actions
from desktop.ui.shell.shortcuts import KEYS

THEMES = ("system", "light", "dark")


def fill_menus(
    window: QMainWindow, actions: Actions, look: Look, steps: Sequence[str], theme_choice: str
) -> dict[str, QAction]:
    """Builds the menu bar anew and returns its actions by code."""
    made: dict[str, QAction] = {}
    bar = window.menuBar()
    bar.clear()

    def add(menu: QMenu, code: str, act: Callable[[], object]) -> None:
        action = menu.addAction(look.say(f"action.{code}"))
        action.setShortcuts([QKeySequence(key) for key in KEYS.get(code, ())])
        action.triggered.connect(lambda: act())
        made[code] = action

    def choose(menu: QMenu, title: str, options: Sequence[tuple[str, str, Callable[[], object], bool]]) -> None:
        inner = menu.addMenu(title)
        group = QActionGroup(inner)
        for code, text, act, on in options:
            action = inner.addAction(text)
            action.setCheckable(True)
            action.setChecked(on)
            action.triggered.connect(lambda _=False, act=act: act())
            group.addAction(action)
            made[code] = action

    file = bar.addMenu(look.say("menu.file"))
    add(file, "new", actions.new)
    add(file, "open", actions.open)
    file.addSeparator()
    add(file, "save", actions.save)
    add(file, "save_as", actions.save_as)
    file.addSeparator()
    add(file, "export", actions.export)
    file.addSeparator()
    add(file, "catalog", actions.show_catalog)
    add(file, "install_catalog", actions.install_catalog)
    add(file, "roll_back_catalog", actions.roll_back_catalog)
    file.addSeparator()
    add(file, "import_prices", actions.import_prices)
    add(file, "export_prices", actions.export_prices)
    add(file, "own_terms", actions.show_own_terms)
    file.addSeparator()
    add(file, "quit", actions.close)

    edit = bar.addMenu(look.say("menu.edit"))
    add(edit, "undo", actions.undo)
    add(edit, "redo", actions.redo)

    view = bar.addMenu(look.say("menu.view"))
    for number, name in enumerate(steps, 1):
        action = view.addAction(f"{number}. {look.say(f'step.{name}')}")
        action.setShortcut(QKeySequence(f"Alt+{number}"))
        action.triggered.connect(lambda _=False, name=name: actions.go(name))
        made[f"step.{name}"] = action
    view.addSeparator()
    add(view, "back", actions.go_back)
    add(view, "next", actions.go_next)
    add(view, "next_region", actions.next_region)
    add(view, "previous_region", actions.previous_region)
    view.addSeparator()
    choose(
        view,
        look.say("menu.language"),
        [
            ("language.en", "English", lambda: actions.set_language("en"), look.language == "en"),
            ("language.ru", "Русский", lambda: actions.set_language("ru"), look.language == "ru"),
        ],
    )
    choose(
        view,
        look.say("menu.theme"),
        [
            (
                f"theme.{name}",
                look.say(f"theme.{name}"),
                lambda name=name: actions.set_theme(name),
                name == theme_choice,
            )
            for name in THEMES
        ],
    )
    choose(
        view,
        look.say("menu.units"),
        [
            ("units.gib", look.term("unit.gib"), lambda: actions.set_units(False), not look.decimal_memory),
            ("units.gb", look.term("unit.gb"), lambda: actions.set_units(True), look.decimal_memory),
        ],
    )

    help_menu = bar.addMenu(look.say("menu.help"))
    add(help_menu, "keys", actions.show_keys)
    add(help_menu, "about", actions.show_about)
    return made
