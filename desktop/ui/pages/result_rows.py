"""The rows of the tables of the result page."""

from datetime import date

from desktop.catalog import Catalog
from desktop.quote import Configuration, Price, Rejection, Server, ServingSpeed, TrainingSpeed
from desktop.ui.look import Look
from desktop.ui.widgets.table import Cell
from desktop.ui.wording import decomposition, format_name, headline, rate_range, short_decomposition

TONE_OF_MEETS = {"meets": "ok", "crosses": "warn", "misses": "bad", "not_asked": "text2"}
# what the reader may want to argue with comes first, what no choice of theirs can change comes last
ORDER_OF_REASONS = ("lost_dearer", "lost_breaks_rule", "lost_tpot", "lost_ttft", "lost_does_not_fit", "lost_no_price")
LAST_REASONS = ("lost_no_data", "lost_engine")


def plan_row(look: Look, plan: Configuration, horizon_months: int) -> list[Cell]:
    """Configuration, targets, two speeds with their ranges, power, purchase, cost of a month."""
    figures = look.numerals
    if any(rule.state == "broken" for rule in plan.rules):
        target = Cell(look.say("meets.breaks_rule"), pill="warn")
    else:
        target = Cell(look.known(f"meets.{plan.meets}", "—"), pill=TONE_OF_MEETS[plan.meets])
    under = f"{short_decomposition(look, plan)} · {format_name(look, plan.weights).partition(' ')[0]}"
    month = "—" if plan.total_cost is None else figures.money(plan.total_cost / horizon_months, plan.currency)
    lower_bound = look.say("price.at_least") if plan.server is not None and plan.server.unpriced() else ""
    return [
        Cell(headline(plan), under, weight="bold", size="body", tip=decomposition(look, plan)),
        target,
        *_speeds(look, plan),
        Cell(look.figure(plan.power_w / 1000) if plan.power_w else "—"),
        Cell("—" if plan.capex is None else figures.money(plan.capex, plan.currency), lower_bound),
        Cell(month, lower_bound, weight="bold"),
    ]


def _speeds(look: Look, plan: Configuration) -> tuple[Cell, Cell]:
    """First token [s] and time per token [ms]; for training hours of a run and tokens/s of a GPU."""
    figures = look.numerals
    if isinstance(plan.speed, ServingSpeed):
        ttft, tpot = plan.speed.ttft_s, plan.speed.tpot_s
        span = figures.span(figures.number(ttft.low, 2), figures.number(ttft.high, 2))
        return Cell(figures.number(ttft.value, 2), span), Cell(
            look.figure(tpot.value * 1000), rate_range(look, tpot, 1000)
        )
    if isinstance(plan.speed, TrainingSpeed):
        hours, tokens = plan.hours_total or plan.speed.hours_total, plan.speed.tokens_per_s_per_gpu
        time = Cell("—") if hours is None else Cell(look.figure(hours.value), rate_range(look, hours))
        return time, Cell(look.figure(tokens.value), rate_range(look, tokens))
    return Cell("—"), Cell("—")


def bill_rows(look: Look, server: Server) -> list[list[Cell]]:
    """Group, part with the rule that sized it, quantities, unit price, sum, kind and date of the price."""
    figures, rows = look.numerals, []
    for line in server.lines:
        group = look.term(f"bom.{line.group}")
        missing = line.price.kind == "none"
        sized = look.sentence(line.rule) if line.rule is not None else line.description
        part, under = (line.part, sized) if line.part else (sized, "")
        unit = "—" if missing or line.unit_price is None else figures.money(line.unit_price, server.currency)
        tip = "\n".join(text for text in (line.part, line.description, sized) if text)
        rows.append(
            [
                Cell(group, tone="text3", tip=group),
                Cell(part, under, weight="medium", size="body", tip=tip),
                Cell(figures.number(line.per_server)),
                Cell(figures.number(line.total)),
                Cell(unit),
                Cell("—" if missing else figures.money(line.amount, server.currency), weight="bold"),
                _price_cell(look, line.price),
            ]
        )
    return rows


def _price_cell(look: Look, price: Price) -> Cell:
    """Kind of a price over its date; a missing and a stale one say so."""
    kind = look.term(f"price_kind.{price.kind}")
    if price.kind == "none":
        return Cell(kind, icon="bad", tone="bad")
    when, stale = look.numerals.as_of(price.as_of), price.stale(date.today())
    if not stale:
        return Cell(kind, when, tip=price.source)
    limit = look.say("price.stale_tip", limit=price.stale_after_days)
    under = look.say("price.stale", when=when or look.say("price.undated"))
    return Cell(kind, under, icon="warn", tip=f"{limit}\n{price.source}")


def rejected_rows(look: Look, rejected: tuple[Rejection, ...], catalog: Catalog) -> list[list[Cell]]:
    """GPU and the first reason why it lost."""
    names = {gpu.id: gpu.name for gpu in catalog.gpus}

    def rank(lost: Rejection) -> int:
        code = lost.reason.code
        if code in ORDER_OF_REASONS:
            return ORDER_OF_REASONS.index(code)
        return len(ORDER_OF_REASONS) + (1 if code in LAST_REASONS else 0)

    rows = []
    for lost in sorted(rejected, key=rank):
        reason = look.sentence(lost.reason)
        rows.append([Cell(names.get(lost.gpu, lost.gpu), tone="text2"), Cell(reason, tone="text2", tip=reason)])
    return rows
