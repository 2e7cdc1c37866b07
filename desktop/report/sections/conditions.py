"""What kind of paper this is, how long it holds, in which money and tax; and how its data can be checked."""

from desktop.report.attachment import FILE_NAME, attachment, checksum
from desktop.report.draft import Block, Draft
from desktop.report.sections.requirement import vat_is_recovered


def conditions_blocks(draft: Draft) -> list[Block]:
    say, numerals, economics = draft.wording.label, draft.wording.numerals, draft.quote.economics
    rows = [[say("conditions.nature"), say("conditions.nature_text")]]
    valid = draft.project.valid_until()
    if valid is not None:
        rows.append([say("conditions.validity"), say("conditions.validity_text", date=numerals.date(valid))])
    if economics.exchange_rate is not None and economics.currency != "USD":
        rate = economics.exchange_rate
        rows.append(
            [
                say("conditions.currency"),
                say(
                    "conditions.currency_text",
                    currency=economics.currency,
                    rate=numerals.number(rate.per_usd, 2),
                    date=numerals.date(rate.date),
                ),
            ]
        )
    if draft.quote.vat is None:
        rows.append([say("conditions.vat"), say("conditions.vat_none")])
    else:
        code = "conditions.vat_recoverable" if vat_is_recovered(draft) else "conditions.vat_cost"
        rows.append([say("conditions.vat"), say(code, rate=numerals.given_percent(draft.quote.vat.value))])
    rows.append([say("conditions.ranges"), say("conditions.ranges_text")])
    return [{"kind": "pairs", "title": say("head.preliminary"), "rows": rows}]


def integrity_blocks(draft: Draft) -> list[Block]:
    """The attached project file, its checksum, and what a checksum does not prove."""
    say, data = draft.wording.label, attachment(draft.project)
    return [
        {
            "kind": "text",
            "text": say("integrity.attached", file=FILE_NAME, size=draft.wording.numerals.number(len(data))),
        },
        {"kind": "hash", "name": "SHA-256", "value": checksum(data)},
        {"kind": "note", "text": say("integrity.limit")},
    ]
