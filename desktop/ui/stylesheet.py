"""The one style sheet. Labels and buttons say their `role`, `kind` and `tone`;
no widget carries a style of its own."""

from desktop.ui.icons import themed_file
from desktop.ui.theme import POINTS, TONES, Theme

FIELDS = "QLineEdit, QAbstractSpinBox, QComboBox, QDateEdit"


def stylesheet(theme: Theme) -> str:
    return "\n".join((_surfaces(theme), _labels(theme), _fields(theme), _buttons(theme), _tables(theme), _menus(theme)))


def _each(suffix: str) -> str:
    return ", ".join(f"{name}{suffix}" for name in FIELDS.split(", "))


def _surfaces(t: Theme) -> str:
    return f"""
* {{ outline: none; }}
QMainWindow, QWidget[role="ground"], QScrollArea, QDialog {{ background: {t.bg}; border: none; }}
QWidget[role="bar"] {{ background: {t.surface}; border: none; border-bottom: 1px solid {t.line}; }}
QWidget[role="rail"] {{ background: {t.bg}; border: none; border-right: 1px solid {t.line}; }}
QWidget[role="pane"] {{ background: {t.surface}; border: none; border-left: 1px solid {t.line}; }}
QScrollArea[role="pane"], QWidget[role="pane-content"] {{ background: {t.surface}; }}
QWidget[role="footer"] {{ background: {t.bg}; border: none; border-top: 1px solid {t.line}; }}
QFrame[role="card"] {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame[role="option"] {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: 6px; }}
QFrame[role="rule"] {{ background: {t.line}; border: none; max-height: 1px; min-height: 1px; }}
QFrame[role="sheet"] {{ background: {t.paper}; border: 1px solid {t.line}; }}
QToolTip {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.line}; padding: 6px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
QScrollBar::handle:vertical {{ background: {t.scroll}; border-radius: 3px; min-height: 32px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; }}
QScrollBar::handle:horizontal {{ background: {t.scroll}; border-radius: 3px; min-width: 32px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
""" + "\n".join(
        f'QFrame[role="box"][tone="{tone}"] {{ background: {t.soft(tone)}; border: none; border-radius: 6px; }}'
        for tone in ("ok", "warn", "bad", "accent")
    )


def _labels(t: Theme) -> str:
    pt = POINTS
    return f"""
QLabel {{ background: transparent; color: {t.text}; border: none; }}
QLabel[role="display"] {{ font-size: {pt["display"]}pt; font-weight: 600; }}
QLabel[role="title"] {{ font-size: {pt["title"]}pt; font-weight: 600; }}
QLabel[role="verdict"] {{ font-size: {pt["verdict"]}pt; font-weight: 600; }}
QLabel[role="section"] {{ font-size: {pt["section"]}pt; font-weight: 600; }}
QLabel[role="strong"] {{ font-weight: 600; }}
QLabel[role="medium"] {{ font-weight: 500; }}
QLabel[role="muted"] {{ color: {t.text2}; }}
QLabel[role="small"] {{ color: {t.text2}; font-size: {pt["small"]}pt; }}
QLabel[role="head"] {{ font-size: {pt["small"]}pt; font-weight: 600; }}
QLabel[role="label"] {{ color: {t.text2}; font-size: {pt["small"]}pt; font-weight: 500; }}
QLabel[role="unit"] {{ color: {t.text3}; font-size: {pt["small"]}pt; }}
QLabel[role="message"] {{ font-size: {pt["small"]}pt; }}
QLabel[role="caption"] {{ color: {t.text3}; font-size: {pt["caption"]}pt; }}
QLabel[role="pill"] {{ border-radius: 9px; padding: 2px 8px; font-size: {pt["caption"]}pt; font-weight: 600; }}
""" + "\n".join(
        [f'QLabel[tone="{tone}"] {{ color: {getattr(t, tone)}; }}' for tone in TONES]
        + [
            f'QLabel[role="pill"][tone="{tone}"] {{ background: {t.soft(tone)}; }}'
            for tone in ("ok", "warn", "bad", "accent", "text2")
        ]
    )


def _fields(t: Theme) -> str:
    down, up, tick = (themed_file(name, t.name) for name in ("chevron-down", "chevron-up", "check"))
    return f"""
{FIELDS} {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control}; border-radius: 6px;
   min-height: 30px;
   max-height: 30px; padding: 0 10px; selection-background-color: {t.accent_fill};
   selection-color: {t.on_accent}; }}
{_each(":hover")} {{ border-color: {t.text2}; }}
{_each(":focus")} {{ border: 2px solid {t.accent}; padding: 0 9px; min-height: 28px; max-height: 28px; }}
{_each('[state="bad"]')} {{ border: 2px solid {t.bad}; padding: 0 9px; min-height: 28px; max-height: 28px; }}
{_each(":disabled")} {{ background: {t.hover}; color: {t.text3}; border-color: {t.line}; }}
QAbstractSpinBox::up-button {{ subcontrol-origin: border; subcontrol-position: top right; width: 22px; height: 16px;
   border: none; margin-right: 2px; margin-top: 1px; }}
QAbstractSpinBox::down-button {{ subcontrol-origin: border; subcontrol-position: bottom right; width: 22px;
   height: 16px;
   border: none; margin-right: 2px; margin-bottom: 1px; }}
QAbstractSpinBox::up-arrow {{ image: url({up}); width: 12px; height: 12px; }}
QAbstractSpinBox::down-arrow {{ image: url({down}); width: 12px; height: 12px; }}
QAbstractSpinBox QLineEdit {{ border: none; background: transparent; padding: 0; min-height: 0;
   max-height: 9999px; }}
QComboBox::drop-down {{ border: none; width: 26px; }}
QComboBox::down-arrow {{ image: url({down}); width: 14px; height: 14px; }}
QComboBox QAbstractItemView, QListView[role="choices"] {{ background: {t.surface}; color: {t.text};
   border: 1px solid {t.line};
   selection-background-color: {t.accent_soft}; selection-color: {t.text}; padding: 4px; }}
QLineEdit[role="name"] {{ border-color: transparent; background: transparent; font-weight: 600; padding: 0 6px; }}
QLineEdit[role="name"]:hover {{ border-color: {t.control}; }}
QLineEdit[role="name"]:focus {{ border: 2px solid {t.accent}; background: {t.surface}; padding: 0 5px; }}
QPlainTextEdit {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control}; border-radius: 6px;
   padding: 6px; }}
QCheckBox {{ spacing: 8px; color: {t.text}; min-height: 30px; border: 2px solid transparent; border-radius: 6px;
   padding-right: 6px; }}
QCheckBox:focus {{ border-color: {t.accent}; }}
QCheckBox:disabled {{ color: {t.text3}; }}
QCheckBox::indicator {{ width: 16px; height: 16px; border: 1px solid {t.control}; border-radius: 4px;
   background: {t.surface}; }}
QCheckBox::indicator:checked {{ background: {t.accent_fill}; border-color: {t.accent_fill}; image: url({tick}); }}
QCheckBox::indicator:disabled {{ background: {t.hover}; border-color: {t.line}; }}
"""


def _buttons(t: Theme) -> str:
    small = POINTS["small"]
    return f"""
QPushButton {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control}; border-radius: 6px;
   min-height: 30px;
   padding: 0 14px; font-weight: 500; }}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:focus {{ border: 2px solid {t.accent}; padding: 0 13px; min-height: 28px; }}
QPushButton:disabled {{ color: {t.text3}; border-color: {t.line}; background: {t.hover}; }}
QPushButton[kind="primary"] {{ background: {t.accent_fill}; border-color: {t.accent_fill}; color: {t.on_accent};
   font-weight: 600; }}
QPushButton[kind="primary"]:hover {{ background: {t.accent_hover}; }}
QPushButton[kind="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[kind="primary"]:disabled {{ background: {t.hover}; border-color: {t.line}; color: {t.text3}; }}
QPushButton[kind="quiet"] {{ background: transparent; border-color: transparent; color: {t.accent};
   padding: 0 8px; }}
QPushButton[kind="quiet"]:hover {{ background: {t.accent_soft}; }}
QPushButton[kind="quiet"]:focus {{ border: 2px solid {t.accent}; padding: 0 7px; }}
QPushButton[kind="link"] {{ background: transparent; border: 2px solid transparent; color: {t.accent};
   font-size: {small}pt;
   padding: 0 2px; min-height: 16px; text-align: left; }}
QPushButton[kind="link"]:hover {{ text-decoration: underline; }}
QPushButton[kind="link"]:focus {{ border: 2px solid {t.accent}; border-radius: 4px; }}
QPushButton[kind="icon"] {{ background: transparent; border: 2px solid transparent; padding: 0; min-width: 28px;
   max-width: 28px;
   min-height: 28px; max-height: 28px; }}
QPushButton[kind="icon"]:hover {{ background: {t.hover}; }}
QPushButton[kind="icon"]:focus {{ border: 2px solid {t.accent}; }}
QPushButton[kind="step"] {{ background: transparent; border: 2px solid transparent; border-radius: 8px;
   padding: 0; min-height: 44px; }}
QPushButton[kind="step"]:hover {{ background: {t.hover}; }}
QPushButton[kind="step"]:checked {{ background: {t.surface}; border: 1px solid {t.line}; }}
QPushButton[kind="step"]:focus {{ border: 2px solid {t.accent}; }}
QFrame[role="segmented"] {{ background: {t.hover}; border: none; border-radius: 7px; }}
QPushButton[kind="segment"] {{ background: transparent; border: 1px solid transparent; border-radius: 5px;
   min-height: 24px;
   max-height: 24px; padding: 0 9px; color: {t.text2}; font-weight: 500; }}
QPushButton[kind="segment"]:checked {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.line};
   font-weight: 600; }}
QPushButton[kind="segment"]:focus {{ border: 2px solid {t.accent}; min-height: 22px; max-height: 22px;
   padding: 0 8px; }}
QPushButton[kind="segment"]:disabled {{ color: {t.text3}; }}
"""


def _tables(t: Theme) -> str:
    return f"""
QTableView {{ background: {t.surface}; border: 2px solid transparent; gridline-color: transparent;
   selection-background-color: {t.accent_soft}; selection-color: {t.text}; }}
QTableView:focus {{ border: 2px solid {t.accent}; border-radius: 6px; }}
QHeaderView, QHeaderView::section {{ background: {t.surface}; color: {t.text3}; }}
QHeaderView::section {{ border: none; border-bottom: 1px solid {t.line}; padding: 0 8px;
   font-size: {POINTS["caption"]}pt;
   font-weight: 500; min-height: 28px; }}
"""


def _menus(t: Theme) -> str:
    return f"""
QMenuBar {{ background: {t.surface}; color: {t.text2}; border: none; padding: 2px 8px;
   font-size: {POINTS["small"]}pt; }}
QMenuBar::item {{ background: transparent; padding: 4px 8px; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {t.hover}; color: {t.text}; }}
QMenu {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.line}; padding: 4px; }}
QMenu::item {{ padding: 6px 28px 6px 28px; border-radius: 4px; }}
QMenu::item:selected {{ background: {t.accent_soft}; color: {t.text}; }}
QMenu::item:disabled {{ color: {t.text3}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
"""
