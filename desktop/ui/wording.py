"""What several places of the window say the same way: a plan, a model, a break-even, the origin of a figure."""

import re
from decimal import Decimal

from desktop.quote import BreakEven, Configuration, Range, Server
from desktop.request import InlineModel, ServingParallel
from desktop.ui.look import Look
from desktop.words.numerals import NBSP

FIGURE = re.compile(r"(\d[\d,.\u00a0]*\d|\d)(\u00a0\D+)$")


def headline(plan: Configuration) -> str:
    """8 × H100 SXM."""
    return f"{plan.gpus}{NBSP}×{NBSP}{plan.gpu_short}"


def decomposition(look: Look, plan: Configuration) -> str:
    """7 replicas × 1 GPU + 1 spare GPU, in one 4U server: never a bare number of GPUs."""
    each = gpus_of_replica(plan)
    if not isinstance(plan.parallel, ServingParallel):
        return f"{look.say('plan.together', gpus=look.count('gpu', plan.gpus))}, {servers(look, plan)}"
    text = f"{look.count('replica', plan.replicas)} × {look.count('gpu', each)}"
    if plan.spare_replicas:
        spare = "spare_gpu" if each == 1 else "spare_replica"
        text += f" + {look.count(spare, plan.spare_replicas)}"
    idle = plan.gpus - (plan.replicas + plan.spare_replicas) * each
    if idle > 0:
        text += f" + {look.count('idle_gpu', idle)}"
    return f"{text}, {servers(look, plan)}"


def short_decomposition(look: Look, plan: Configuration) -> str:
    """3 × 1 + 1 spare, for a table's second line."""
    if not isinstance(plan.parallel, ServingParallel):
        return look.say("plan.together", gpus=look.count("gpu", plan.gpus))
    text = f"{look.numerals.number(plan.replicas)} × {look.count('gpu', gpus_of_replica(plan))}"
    return f"{text} + {look.say('plan.spare', spare=plan.spare_replicas)}" if plan.spare_replicas else text


def servers(look: Look, plan: Configuration) -> str:
    """in one 4U server; in 3 servers of 8U."""
    if plan.server is None:
        return look.say("plan.somewhere", servers=look.count("in_server", plan.nodes))
    units = look.numerals.number(plan.server.rack_units)
    if plan.nodes == 1:
        return look.say("plan.one_server", units=units)
    return look.say("plan.servers", servers=look.count("in_server", plan.nodes), units=units)


def rack_units(look: Look, server: Server) -> str:
    """4U; 4U, unverified where nobody has read the height in a document."""
    height = f"{look.numerals.number(server.rack_units)}U"
    unread = "platform.rack_units" in server.recalled
    return f"{height}, {look.say('verification.recalled')}" if unread else height


def at_least(look: Look, server: Server, amount: Decimal) -> str:
    """An amount of an order, "from" where some part of it has no price."""
    written = look.numerals.money(amount, server.currency)
    return look.say("price.from", amount=written) if server.unpriced() else written


def gpus_of_replica(plan: Configuration) -> int:
    parallel = plan.parallel
    return (
        parallel.tensor * parallel.pipeline
        if isinstance(parallel, ServingParallel)
        else plan.gpus // max(1, plan.replicas)
    )


def model_name(model: object) -> str:
    """The model as the user gave it."""
    if isinstance(model, InlineModel):
        return (
            model.name
            or (model.file.parent.name if model.file and model.file.name == "config.json" else "")
            or (model.file.name if model.file else "config.json")
        )
    return str(model or "")


def format_name(look: Look, code: str) -> str:
    """`awq-int4` as INT4 AWQ."""
    return look.known(f"format.{code}.name", code.upper())


def break_even(look: Look, answer: BreakEven, horizon_months: int) -> str:
    """The state word, with months where there is a month; never a number above twice the horizon."""
    months = answer.months
    if answer.state == "at" and months is not None:
        return look.numerals.months(months)
    if answer.state == "not_within_horizon":
        near = months is not None and months <= 2 * horizon_months
        code = "break_even.not_within_near" if near else "break_even.not_within_horizon"
        return look.say(
            code, horizon=look.numerals.number(horizon_months), months=look.numerals.number(round(months or 0))
        )
    if answer.state == "reverses":
        return look.say("break_even.reverses", month=look.numerals.number(round(answer.reverses_at or months or 0)))
    return look.say(f"break_even.{answer.state}")


def break_even_span(look: Look, answer: BreakEven) -> str:
    """12–25 in 8 of 10 cases; an open end where the pessimistic case never pays back."""
    if answer.low_months is None:
        return ""
    low = look.numerals.number(round(answer.low_months))
    if answer.high_months is None:
        return look.say("break_even.span_open", low=low)
    return look.say("break_even.span", span=look.numerals.span(low, look.numerals.number(round(answer.high_months))))


def money_span(look: Look, low: Decimal, high: Decimal, currency: str) -> str:
    """A range of money in short, with a unit that stands behind the figure written once: 348–460 тыс. $."""
    first, last = look.numerals.money_short(low, currency), look.numerals.money_short(high, currency)
    begin, end = FIGURE.match(first), FIGURE.match(last)
    if begin and end and begin[2] == end[2]:
        first = begin[1]
    return look.numerals.span(first, last)


def region_name(look: Look, region: str) -> str:
    """A region of the catalog as the reader calls it."""
    return look.known(f"region.{region}", region)


def origin(look: Look, region: str, date: str) -> str:
    """Catalog: Germany, 2025: where a figure of the catalog comes from."""
    return look.say("site.origin", region=region_name(look, region), as_of=look.numerals.as_of(date))


def rate_range(look: Look, figure: Range, factor: float = 1.0) -> str:
    """A range in three significant digits."""
    return look.span(figure.low * factor, figure.high * factor)
