"""Before the document leaves: what is still open, and the button that writes the files."""

from desktop.project.flow import Step
from desktop.ui.desk import Desk
from desktop.ui.pane.blocks import Block
from desktop.ui.pane.warnings_block import GRAVITY
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.text import TONE_OF_SEVERITY, label

SHORT_HASH = 8


class ExportBlock(Block):
    """Stands in the pane of the spec sheet page, in place of speed and warnings."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.look)
        self._desk = desk

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        say, session = self.look.say, self._desk.session
        self.restart(say("export.title"))
        reasons = {
            reason.code + reason.field: reason
            for step in steps
            if step.name in ("result", "costs", "spec")
            for reason in step.reasons
        }
        for reason in sorted(reasons.values(), key=lambda reason: GRAVITY.index(reason.severity)):
            text = (
                self.look.known(f"open.{reason.code}.{reason.field}", "")
                or self.look.known(f"open.{reason.code}", "")
                or self.look.sentence(reason)
            )
            act = (lambda field=reason.field: self._desk.go(field)) if reason.field else None
            self.body.addWidget(
                MessageLine(self.look, TONE_OF_SEVERITY[reason.severity], text, act, say("warnings.open"))
            )
        if not reasons:
            self.body.addWidget(MessageLine(self.look, "ok", say("export.nothing_open")))
        self.body.addSpacing(8)
        self.body.addWidget(label(say("export.what"), "caption", wrap=True))
        self.body.addSpacing(4)
        self.button = button(self.look, say("export.to_folder"), self._desk.export, "primary", "export")
        self.button.setEnabled(session.quote is not None and session.is_current())
        self.body.addWidget(self.button)
        if session.quote is not None:
            stamp = session.quote.catalog
            self.body.addWidget(
                label(
                    say(
                        "export.stamp", date=self.look.numerals.date_short(stamp.built), hash=stamp.sha256[:SHORT_HASH]
                    ),
                    "caption",
                )
            )
