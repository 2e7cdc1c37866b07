"""The questions and notices of the window, each one call, so that tests can answer them."""

from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop.project.files import SUFFIX
from desktop.ui.look import Look

Answer = Literal["save", "discard", "cancel"]
Button = QMessageBox.StandardButton


def ask_about_changes(parent: QWidget, look: Look, name: str) -> Answer:
    """Whether to save what would be lost. Closing the question is Cancel."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(look.say("ask.title"))
    box.setText(look.say("ask.save", name=name or look.say("top.unnamed")))
    box.setInformativeText(look.say("ask.lost"))
    for button, code in ((Button.Save, "save"), (Button.Discard, "discard"), (Button.Cancel, "cancel")):
        box.addButton(button).setText(look.say(f"ask.{code}_button"))
    box.setDefaultButton(Button.Save)
    box.setEscapeButton(Button.Cancel)
    chosen = box.exec()
    box.deleteLater()
    return {Button.Save: "save", Button.Discard: "discard"}.get(Button(chosen), "cancel")  # type: ignore[return-value]


def tell(parent: QWidget, look: Look, text: str, details: str = "") -> None:
    """One message with one button."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(look.say("app.name"))
    box.setText(text)
    box.setInformativeText(details)
    box.addButton(Button.Ok).setText(look.say("ask.ok_button"))
    box.exec()
    box.deleteLater()


def inform(parent: QWidget, look: Look, text: str) -> None:
    """What was done, with one button."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Information)
    box.setWindowTitle(look.say("app.name"))
    box.setText(text)
    box.addButton(Button.Ok).setText(look.say("ask.ok_button"))
    box.exec()
    box.deleteLater()


def tell_exported(parent: QWidget, look: Look, text: str, files: str) -> bool:
    """What was written and where; True where the reader wants to see the folder."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Information)
    box.setWindowTitle(look.say("app.name"))
    box.setText(text)
    box.setInformativeText(files)
    box.addButton(Button.Open).setText(look.say("export.open_folder"))
    box.addButton(Button.Ok).setText(look.say("ask.ok_button"))
    box.setDefaultButton(Button.Ok)
    chosen = box.exec()
    box.deleteLater()
    return Button(chosen) == Button.Open


def ask_file_to_open(parent: QWidget, look: Look) -> Path | None:
    file, _ = QFileDialog.getOpenFileName(
        parent, look.say("ask.open"), "", f"{look.say('ask.projects')} (*{SUFFIX});;*.json"
    )
    return Path(file) if file else None


def ask_file_to_save(parent: QWidget, look: Look, suggested: str) -> Path | None:
    """The chosen file. The dialog adds the project's suffix where it was left out, and asks before it overwrites."""
    dialog = QFileDialog(parent, look.say("ask.save_as"), "", f"{look.say('ask.projects')} (*{SUFFIX})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
    dialog.selectFile(suggested)
    chosen = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return Path(chosen[0]) if chosen else None


def ask_folder(parent: QWidget, look: Look) -> Path | None:
    folder = QFileDialog.getExistingDirectory(parent, look.say("ask.folder"))
    return Path(folder) if folder else None


def ask_update_to_open(parent: QWidget, look: Look) -> Path | None:
    file, _ = QFileDialog.getOpenFileName(parent, look.say("update.open"), "", f"{look.say('update.files')} (*.rwcat)")
    return Path(file) if file else None


def ask_price_list_to_open(parent: QWidget, look: Look) -> Path | None:
    kinds = f"{look.say('prices.files')} (*.csv *.xlsx *.xlsm *.txt *.tsv)"
    file, _ = QFileDialog.getOpenFileName(parent, look.say("prices.open"), "", kinds)
    return Path(file) if file else None


def ask_price_list_to_save(parent: QWidget, look: Look) -> Path | None:
    file, _ = QFileDialog.getSaveFileName(parent, look.say("prices.save"), "prices.xlsx", "XLSX (*.xlsx);;CSV (*.csv)")
    return Path(file) if file else None
