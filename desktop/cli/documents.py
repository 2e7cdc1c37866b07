"""`quote`: a project file becomes its spec sheet, workbook and the other files of an export."""

import sys
from datetime import date
from pathlib import Path

from desktop.advisor import recommend
from desktop.catalog.overlay import catalog_on_hand
from desktop.cli.headline import headline
from desktop.project.files import open_project
from desktop.report import export_quote
from desktop.request import Problem
from desktop.words import Language, phrase, problem_sentence


def write_documents(project_file: Path, folder: Path, language: Language | None) -> int:
    """Writes the documents into `folder`, in the project's language unless told otherwise. Exit status 1: a Problem."""
    spoken: Language = language or "en"
    try:
        project = open_project(project_file)
        spoken = language or project.language
        quote = recommend(project.request, catalog_on_hand())
        files = export_quote(project, quote, folder, spoken, date.today())
    except Problem as problem:
        print(problem_sentence(problem, spoken), file=sys.stderr)
        return 1
    for line in headline(quote, spoken, project.issued_on or date.today()):
        print(line)
    print(phrase("cli", "quote.written", spoken))
    for file in files:
        print(f"  {file}")
    return 0
