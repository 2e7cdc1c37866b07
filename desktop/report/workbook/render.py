"""All sheets of the workbook in order."""

from datetime import date

from desktop.project.document import Project
from desktop.quote import Quote
from desktop.report.draft import Draft, SourceRegister
from desktop.report.sections.summary import headline
from desktop.report.sheet import sections_of, stamp_of, title_of
from desktop.report.wording import Wording
from desktop.report.workbook.bill import bill_sheet
from desktop.report.workbook.book import Book, Footer
from desktop.report.workbook.costs import cost_sheet
from desktop.report.workbook.memory import memory_sheet
from desktop.report.workbook.performance import performance_sheet
from desktop.report.workbook.sources import data_sheet, source_sheet
from desktop.report.workbook.summary import fill_summary, summary_sheet
from desktop.words import Language


def render_workbook(project: Project, quote: Quote, language: Language, today: date | None = None) -> bytes:
    """XLSX file of a quote; the same input gives the same bytes. Sources carry the numbers of the spec sheet.

    A plan that is not proposed has no bill and no costs; a sheet without content is absent.
    """
    draft = Draft(project, quote, Wording(language), SourceRegister(), today)
    sections_of(draft)
    proposals = draft.proposals()
    words = draft.wording.labels("sheet")
    left = ", ".join(
        part
        for part in (
            project.number,
            f"{words['revision']} {project.revision}" if project.number else "",
            draft.wording.label("head.preliminary"),
        )
        if part
    )
    book = Book(
        title_of(draft),
        project.supplier.name or "Rackwright",
        headline(draft.wording, proposals[0]),
        stamp_of(project, quote),
        Footer(left, words["page"], words["of"]),
    )
    first = summary_sheet(book, draft)
    for proposal in proposals:
        bill_sheet(book, draft, proposal)
    for proposal in proposals:
        memory_sheet(book, draft, proposal)
    for proposal in proposals:
        performance_sheet(book, draft, proposal)
    if proposals[0].proposed:
        cost_sheet(book, draft)
    source_sheet(book, draft)
    data_sheet(book, draft)
    fill_summary(first, draft, proposals)
    return book.finish()
