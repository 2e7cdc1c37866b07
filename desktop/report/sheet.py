"""The quote as a dictionary of finished strings: Typst lays it out, it never computes, formats or parses anything."""

from datetime import UTC, date, datetime, time
from typing import Any

from desktop import __version__
from desktop.project.document import Party, Project
from desktop.quote import Quote
from desktop.report.attachment import FILE_NAME, attachment, checksum
from desktop.report.draft import Block, Draft, SourceRegister
from desktop.report.font import printable
from desktop.report.sections.alternatives import alternatives_blocks
from desktop.report.sections.bill import bill_blocks, servers_of
from desktop.report.sections.checks import checks_blocks
from desktop.report.sections.conditions import conditions_blocks, integrity_blocks
from desktop.report.sections.costs import cost_blocks
from desktop.report.sections.engineering import engineering_blocks
from desktop.report.sections.memory import annex_blocks, memory_blocks
from desktop.report.sections.performance import performance_blocks
from desktop.report.sections.requirement import requirement_block
from desktop.report.sections.sources import source_blocks
from desktop.report.sections.summary import summary
from desktop.report.wording import Wording
from desktop.words import Language

VERBATIM = ("svg", "json")
SHORT_HASH = 12


def spec_sheet(project: Project, quote: Quote, language: Language, today: date | None = None) -> dict[str, Any]:
    """Everything the spec sheet prints, in order; a section without content is absent.

    `replaced` lists the characters that the bundled font lacks and the sheet prints as "?".
    """
    draft = Draft(project, quote, Wording(language), SourceRegister(), today)
    proposals = draft.proposals()
    say, numerals = draft.wording.label, draft.wording.numerals
    data = attachment(project)
    digest = checksum(data)
    valid = project.valid_until()
    catalog = say("foot.catalog", date=numerals.date_short(quote.catalog.built))
    sheet: dict[str, Any] = {
        "language": language,
        "title": title_of(draft),
        "document": say("head.document"),
        "status": say("head.preliminary"),
        "number": project.number,
        "revision": str(project.revision),
        "date": "" if project.issued_on is None else numerals.date(project.issued_on),
        "valid_until": "" if valid is None else numerals.date(valid),
        "valid_until_short": "" if valid is None else numerals.date_short(valid),
        "currency": quote.economics.currency,
        "supplier": _party(project.supplier),
        "customer": _party(project.customer),
        "summary": summary(draft, proposals),
        "sections": sections_of(draft),
        "foot": f"Rackwright {__version__} · {catalog} · SHA-256 {digest[:SHORT_HASH]}",
        "stamp": stamp_of(project, quote).isoformat(),
        "attachment": {"file": FILE_NAME, "json": data.decode(), "sha256": digest},
        "labels": draft.wording.labels("sheet"),
    }
    replaced: set[str] = set()
    printed: dict[str, Any] = _printable(sheet, replaced)
    printed["replaced"] = sorted(replaced)
    return printed


def sections_of(draft: Draft) -> list[Block]:
    """All sections with content, in order; the draft's register then holds every source, numbered as first cited."""
    proposals, say = draft.proposals(), draft.wording.label
    sections = [
        _section("requirement", draft.title_of("requirement", proposal), [requirement_block(draft, proposal)])
        for proposal in proposals
    ]
    for code, blocks_of in (
        ("memory", memory_blocks),
        ("performance", performance_blocks),
        ("bill", bill_blocks),
        ("engineering", engineering_blocks),
    ):
        sections += [
            _section(code, draft.title_of(code, proposal), blocks_of(draft, proposal)) for proposal in proposals
        ]
    costs = (
        cost_blocks(draft, any(server.unpriced() for server in servers_of(proposals))) if proposals[0].proposed else []
    )
    sections += [
        _section("costs", say("section.costs"), costs),
        _section("checks", say("section.checks"), checks_blocks(draft, proposals)),
        _section("alternatives", say("section.alternatives"), alternatives_blocks(draft, proposals)),
        _section("conditions", say("section.conditions"), conditions_blocks(draft)),
        _section("sources", say("section.sources"), source_blocks(draft)),
        _section("integrity", say("section.integrity"), integrity_blocks(draft)),
        _section("annex", say("section.annex"), annex_blocks(draft, proposals), numbered=False),
    ]
    return [section for section in sections if section["blocks"]]


def stamp_of(project: Project, quote: Quote) -> datetime:
    """The moment written into the files: the day of issue or of the catalog, never the clock."""
    return datetime.combine(project.issued_on or quote.catalog.built, time(), UTC)


def title_of(draft: Draft) -> str:
    answer = draft.quote.main()
    return draft.project.name or draft.wording.label(f"head.title_{answer.need.mode}", model=answer.model_name)


def _section(code: str, title: str, blocks: list[Block], numbered: bool = True) -> Block:
    return {"code": code, "title": title, "blocks": blocks, "numbered": numbered}


def _party(party: Party) -> dict[str, object] | None:
    return {"name": party.name, "lines": list(party.details)} if party.name or party.details else None


def _printable(value: Any, replaced: set[str], key: str = "") -> Any:
    if isinstance(value, str):
        return value if key in VERBATIM else printable(value, replaced)
    if isinstance(value, dict):
        return {name: _printable(item, replaced, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_printable(item, replaced) for item in value]
    return value
