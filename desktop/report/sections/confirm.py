"""What the answer rests on and only people can confirm before an order."""

from desktop.quote import BomLine
from desktop.report.draft import Draft, Proposal
from desktop.report.sections.bill import UNCONFIRMED, servers_of, unconfirmed, unpriced
from desktop.report.sections.recalled import recalled_words
from desktop.words import region_name

OLD_PRICE_DAYS = 60  # memory prices moved by more than half in a quarter of 2026
MOST_ROWS = 6
MOST_FACTS = 3  # of one part on page one; the bill names them all


def confirm_rows(draft: Draft, proposals: list[Proposal]) -> list[str]:
    """At most six sentences, the costliest doubt first; none where nothing is proposed."""
    main = proposals[0]
    if not main.proposed or main.plan is None:
        return []
    say, count = draft.wording.label, draft.wording.count
    servers = servers_of(proposals)
    lines = [line for server in servers for line in server.lines if line.unit_price is not None]
    rows: list[str] = []
    if missing := sum(unpriced(server) for server in servers):
        rows.append(say("confirm.unpriced", lines=count("lines", missing)))
    if recalled := [*dict.fromkeys(part for server in servers for part in unconfirmed(server)), *_tariffs(draft)]:
        rows.append(say("confirm.recalled", parts=", ".join(recalled)))
    if facts := recalled_words(draft.wording, [name for server in servers for name in server.recalled], MOST_FACTS):
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


def _tariffs(draft: Draft) -> list[str]:
    """Prices and rates of the region that were only recalled."""
    tariffs = (("electricity", draft.quote.electricity), ("vat", draft.quote.vat))
    return [
        draft.wording.label(f"source.{code}", region=region_name(tariff.region, draft.wording.language))
        for code, tariff in tariffs
        if tariff is not None and not tariff.own and tariff.verification == UNCONFIRMED
    ]


def _doubtful_prices(draft: Draft, lines: list[BomLine]) -> list[str]:
    """Prices that are estimates, or older than two months at the date of the document."""
    say, count = draft.wording.label, draft.wording.count
    estimates = sum(1 for line in lines if line.price.kind == "estimate")
    old = sum(1 for line in lines if (draft.age_days(line.price.as_of) or 0) > OLD_PRICE_DAYS)
    rows = []
    if estimates:
        rows.append(say("confirm.estimates", lines=count("lines", estimates)))
    if old:
        rows.append(say("confirm.old_prices", lines=count("lines", old), days=OLD_PRICE_DAYS))
    return rows
