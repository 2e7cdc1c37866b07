"""Sheet titles and defined names, kept apart where a quote answers two needs."""

from desktop.report.draft import Draft, Proposal


def sheet_title(draft: Draft, code: str, proposal: Proposal) -> str:
    """Title of a sheet, with the need where there are several; Excel allows 31 characters."""
    title = draft.wording.label(f"workbook.{code}")
    if len(draft.quote.answers) == 1:
        return title
    return f"{title}, {draft.wording.label(f'need.{proposal.answer.need.mode}')}"


def defined_name(draft: Draft, name: str, proposal: Proposal) -> str:
    """`TotalNet`, and `TotalNetTraining` for the training need beside a serving one."""
    second = len(draft.quote.answers) > 1 and proposal.answer.need.mode == "training"
    return f"{name}Training" if second else name
