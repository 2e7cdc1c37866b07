"""The figures of page one: total, break-even, speed, memory and power of what is bought, or what is missing."""

from desktop.quote import Configuration, ServingSpeed
from desktop.report.draft import Draft, Proposal
from desktop.report.sections.bill import order_amounts, servers_of
from desktop.report.sections.break_even import at_earliest, break_even_words, range_words
from desktop.report.sections.memory import share_of_usable
from desktop.report.sections.recalled import is_recalled
from desktop.report.wording import Wording
from desktop.request import InferenceNeed, TrainingNeed

Tile = dict[str, str]


def tiles_of(draft: Draft, proposals: list[Proposal]) -> list[Tile]:
    """Five tiles for a proposal; for a plan that does not fit only its memory, without price or speed."""
    main = proposals[0]
    if main.plan is None:
        return []
    if not main.proposed:
        return [_memory(draft.wording, main.plan)] if main.fits() else _shortfall(draft.wording, main.plan)
    tiles = [
        _total(draft, proposals),
        _break_even(draft, proposals),
        _speed(draft.wording, main, main.plan),
        _memory(draft.wording, main.plan),
        _power(draft, proposals),
    ]
    return [tile for tile in tiles if tile]


def _total(draft: Draft, proposals: list[Proposal]) -> Tile:
    """What the plan costs to buy; servers of a training need beside it are named apart, they may be rented instead."""
    say, numerals = draft.wording.label, draft.wording.numerals
    bought = servers_of(proposals[:1])
    if not bought:
        return {}
    server, amounts = bought[0], order_amounts(bought[0])
    taxed = draft.quote.vat is not None
    label = say("tile.total" if taxed else "tile.total_net")
    value = numerals.money(amounts.gross, server.currency)
    if missing := server.unpriced():
        lines = draft.wording.count("lines", len(missing))
        return _tile(label, say("bill.from", amount=value), say("tile.incomplete", lines=lines))
    apart = servers_of(proposals[1:])
    if apart and draft.quote.buys_training():
        both = amounts.gross + order_amounts(apart[0]).gross
        return _tile(label, numerals.money(both, server.currency), say("tile.with_training"))
    if apart:
        other = numerals.money(order_amounts(apart[0]).gross, apart[0].currency)
        return _tile(label, value, say("tile.training_apart", total=other))
    net = say("tile.net", net=numerals.money(amounts.net, server.currency))
    return _tile(label, value, net if taxed else say("vat.tile_not_stated"))


def _break_even(draft: Draft, proposals: list[Proposal]) -> Tile:
    costs, say, label = draft.quote.schemes, draft.wording.label, draft.wording.label("tile.break_even")
    if costs is None:
        return _tile(label, say("tile.not_compared"), say("tile.no_cloud_price"))
    result = costs.break_even
    if result.state == "not_comparable":
        barred = any(not total.allowed for total in costs.totals.values())
        return _tile(label, say("tile.not_compared"), say("tile.barred" if barred else "tile.no_cloud_price"))
    span = range_words(draft.wording, result)
    note = say("break_even.with_range", range=span) if span else ""
    words = break_even_words(draft.wording, result, costs.horizon_months)
    if result.state == "at" and result.months is not None:
        words = draft.wording.numerals.months(result.months)
    return _tile(label, at_earliest(words, result, proposals), note)


def _speed(wording: Wording, main: Proposal, plan: Configuration) -> Tile:
    say, need = wording.label, main.answer.need
    if isinstance(need, InferenceNeed) and isinstance(plan.speed, ServingSpeed):
        limit = say("tile.limit", limit=wording.given_seconds(need.ttft_s))
        return _tile(say("tile.ttft"), wording.numerals.seconds(plan.speed.ttft_s.value), limit)
    if isinstance(need, TrainingNeed) and plan.hours_total is not None:
        unit = wording.term("unit.hours")
        limit = say("tile.limit", limit=f"{wording.numerals.given(need.deadline_hours)}\u00a0{unit}")
        return _tile(say("tile.hours"), f"{wording.numerals.short(plan.hours_total.value)}\u00a0{unit}", limit)
    return {}


def _memory(wording: Wording, plan: Configuration) -> Tile:
    memory, numerals = plan.memory, wording.numerals
    usable = numerals.memory(memory.usable_bytes)
    note = wording.label("tile.memory_share", share=share_of_usable(wording, memory), usable=usable)
    return _tile(wording.label("tile.memory"), numerals.memory(memory.required_bytes.value), note)


def _power(draft: Draft, proposals: list[Proposal]) -> Tile:
    """Of what is bought: the machine for training counts where nothing may be rented."""
    wording, numerals = draft.wording, draft.wording.numerals
    bought = proposals if draft.quote.buys_training() else proposals[:1]
    plans = [proposal.plan for proposal in bought if proposal.plan is not None and proposal.proposed]
    power_w = sum(plan.power_w or 0 for plan in plans)
    if not power_w:
        return {}
    value = f"{numerals.number(power_w / 1000, 1)}\u00a0{wording.term('unit.kw')}"
    heat = f"{numerals.number(sum(plan.heat_btu_h or 0 for plan in plans))}\u00a0{wording.label('unit.btu_h')}"
    if any(is_recalled(plan.server, "platform.rack_units") for plan in plans):
        return _tile(wording.label("tile.power"), value, heat)
    return _tile(wording.label("tile.power"), value, f"{sum(plan.rack_units or 0 for plan in plans)}U, {heat}")


def _shortfall(wording: Wording, plan: Configuration) -> list[Tile]:
    memory, numerals, say = plan.memory, wording.numerals, wording.label
    short = max(memory.required_bytes.value - memory.usable_bytes, 0)
    share = f"{share_of_usable(wording, memory)} {say('tile.of_usable')}"
    card = say("tile.of_card", card=numerals.memory(memory.card_bytes))
    return [
        _tile(say("tile.short"), numerals.memory(short), share),
        _tile(say("tile.needed"), numerals.memory(memory.required_bytes.value), say("tile.per_gpu")),
        _tile(say("tile.usable"), numerals.memory(memory.usable_bytes), card),
    ]


def _tile(label: str, value: str, note: str) -> Tile:
    return {"label": label, "value": value, "note": note}
