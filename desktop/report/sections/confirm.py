"""What the answer rests on and only people can confirm before an order."""

from desktop.quote import BomLine
from desktop.report.draft import Draft, Proposal
from desktop.report.sections.bill import servers_of
from desktop.report.sections.recalled import recalled_words

MOST_ROWS = 6


def confirm_rows(draft: Draft, proposals: list[Proposal]) -> list[str]:
    """At most six sentences, the costliest doubt first; none where nothing is proposed."""
    main = proposals[0]
    if not main.proposed or main.plan is None:
        return []
    say, count = draft.wording.label, draft.wording.count
    servers = servers_of(proposals)
    lines = [line for server in servers for line in server.lines if line.unit_price is not None]
    rows: list[str] = []
    if missing := sum(len(server.unpriced()) for server in servers):
        rows.append(say("confirm.unpriced", lines=count("lines", missing)))
    if facts := recalled_words(draft.wording, [name for server in servers for name in server.recalled]):
        rows.append(say("confirm.facts", facts=facts))
    if main.plan.meets == "crosses":
        rows.append(say("confirm.crosses"))
    if bought := servers_of(proposals if draft.quote.buys_training() else proposals[:1]):
        power_w = sum(server.peak_power_w * server.servers for server in bought)
        power = draft.wording.numerals.number(power_w / 1000, 1)
        rows.append(say("confirm.power", power=power, racks=count("racks", sum(server.racks for server in bought))))
    if draft.quote.schemes is not None and draft.quote.cloud is not None:
        share = draft.wording.numerals.percent(draft.quote.economics.utilization)
        rows.append(say("confirm.utilization", utilization=share))
    rows += _doubtful_prices(draft, lines)
    return rows[:MOST_ROWS]


def _doubtful_prices(draft: Draft, lines: list[BomLine]) -> list[str]:
    """Prices that are estimates, or stale at the date of the document."""
    say, count = draft.wording.label, draft.wording.count
    estimates = sum(1 for line in lines if line.price.kind == "estimate")
    stale = sum(1 for line in lines if line.price.stale(draft.day))
    rows = []
    if estimates:
        rows.append(say("confirm.estimates", lines=count("lines", estimates)))
    if stale:
        rows.append(say("confirm.stale", lines=count("lines", stale)))
    if draft.quote.cloud is not None and draft.quote.cloud.stale(draft.day):
        rows.append(say("confirm.stale_cloud", note=draft.stale_note(draft.quote.cloud)))
    return rows
