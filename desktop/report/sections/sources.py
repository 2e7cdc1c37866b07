"""Where every price and figure comes from, numbered as cited, and the versions that produced the document."""

from desktop import __version__
from desktop.report.draft import Block, Draft, Source


def source_blocks(draft: Draft) -> list[Block]:
    """Built last: the register holds what the other sections cited."""
    say = draft.wording.label
    rows = source_rows(draft)
    blocks: list[Block] = []
    if rows:
        blocks.append(
            {
                "kind": "sources",
                "rows": rows,
                "head": [
                    say("column.reference"),
                    say("column.what"),
                    say("column.kind"),
                    say("column.date"),
                    say("column.vat"),
                    say("column.where"),
                ],
            }
        )
    blocks.append({"kind": "versions", "title": say("versions.title"), "rows": versions(draft)})
    return blocks


def source_rows(draft: Draft) -> list[list[str]]:
    return [_row(draft, source) for source in draft.register.sources.values()]


def versions(draft: Draft) -> list[list[str]]:
    catalog = draft.quote.catalog
    return [
        ["Rackwright", __version__],
        [
            draft.wording.label("versions.catalog"),
            f"{catalog.version}, {draft.wording.numerals.date_short(catalog.built)}",
        ],
        [draft.wording.label("versions.catalog_hash"), catalog.sha256],
    ]


def _row(draft: Draft, source: Source) -> list[str]:
    date = draft.wording.numerals.as_of(source.as_of) or "–"
    age = draft.age_days(source.as_of)
    if age is not None:
        date += f" ({draft.wording.count('days', age)})"
    what = "; ".join(source.subjects[:MOST_SUBJECTS])
    if len(source.subjects) > MOST_SUBJECTS:
        what += draft.wording.label("source.more", more=len(source.subjects) - MOST_SUBJECTS)
    return [source.reference, what, source.kind or "–", date, source.vat or "–", source.where]


MOST_SUBJECTS = 4
