"""What the answer rests on and only people can confirm before an order."""

from desktop.quote import Server
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
    rows: list[str] = []
    if missing := sum(len(server.unpriced()) for server in servers):
        rows.append(say("confirm.unpriced", lines=count("lines", missing)))
    if facts := recalled_words(draft.wording, [name for server in servers for name in server.recalled]):
        rows.append(say("confirm.facts", facts=facts))
    rows += _stale_prices(draft, servers)
    if main.plan.meets == "crosses":
        rows.append(say("confirm.crosses"))
    if bought := servers_of(proposals if draft.quote.buys_training() else proposals[:1]):
        power_w = sum(server.peak_power_w * server.servers for server in bought)
        power = draft.wording.numerals.number(power_w / 1000, 1)
        rows.append(say("confirm.power", power=power, racks=count("racks", sum(server.racks for server in bought))))
    if draft.quote.schemes is not None and draft.quote.cloud is not None:
        share = draft.wording.numerals.percent(draft.quote.economics.utilization)
        rows.append(say("confirm.utilization", utilization=share))
    lines = [line for server in servers for line in server.lines if line.unit_price is not None]
    if estimates := sum(1 for line in lines if line.price.kind == "estimate"):
        rows.append(say("confirm.estimates", lines=count("lines", estimates)))
    return rows[:MOST_ROWS]


def _stale_prices(draft: Draft, servers: list[Server]) -> list[str]:
    """Prices of the bills and of the cloud that are stale at the date of the document."""
    say, cloud = draft.wording.label, draft.quote.cloud
    rows = []
    if stale := sum(len(server.stale(draft.day)) for server in servers):
        rows.append(say("confirm.stale", lines=draft.wording.count("lines", stale)))
    if cloud is not None and cloud.stale(draft.day):
        rows.append(say("confirm.stale_cloud", note=draft.stale_note(cloud)))
    return rows
