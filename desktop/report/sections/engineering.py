"""What the room must offer: power, heat, rack space and weight, each with how it was computed."""

from desktop.report.draft import Block, Draft, Proposal
from desktop.report.sections.recalled import is_recalled
from desktop.units import BTU_PER_HOUR_PER_WATT

Row = list[str]


def engineering_blocks(draft: Draft, proposal: Proposal) -> list[Block]:
    """Nothing unless a plan is proposed and a server was found for it."""
    plan = proposal.plan
    if plan is None or not proposal.proposed or plan.server is None:
        return []
    server, numerals, say = plan.server, draft.wording.numerals, draft.wording.label
    count = server.servers
    watt = say("unit.watt")

    def times(value: str, unit: str) -> str:
        return say("engineering.times", servers=count, value=f"{value}\u00a0{unit}".strip())

    unread = is_recalled(server, "platform.rack_units")
    load_w = count * server.load_power_w
    rows: list[Row] = [
        [
            say("engineering.peak"),
            f"{numerals.number(plan.power_w)}\u00a0{watt}",
            times(numerals.number(server.peak_power_w), watt),
        ],
        [
            say("engineering.load"),
            f"{numerals.number(load_w)}\u00a0{watt}",
            times(numerals.number(server.load_power_w), watt),
        ],
        [
            say("engineering.idle"),
            f"{numerals.number(count * server.idle_power_w)}\u00a0{watt}",
            times(numerals.number(server.idle_power_w), watt),
        ],
        [
            say("engineering.heat"),
            f"{numerals.number(plan.heat_btu_h)}\u00a0{say('unit.btu_h')}",
            say("engineering.heat_how", factor=numerals.number(BTU_PER_HOUR_PER_WATT, 3)),
        ],
        [
            say("engineering.units"),
            *([say("recalled.unread"), ""] if unread else [f"{plan.rack_units}U", times(f"{server.rack_units}U", "")]),
        ],
    ]
    if plan.weight_kg is not None:
        each = numerals.number(server.weight_kg) if server.weight_kg is not None else "–"
        rows.append(
            [
                say("engineering.weight"),
                f"{numerals.number(plan.weight_kg)}\u00a0{say('unit.kg')}",
                times(each, say("unit.kg")),
            ]
        )
    limit = say(
        "engineering.rack_limit",
        kw=draft.wording.numerals.given(draft.quote.policy.max_rack_kw),
        units=draft.quote.policy.max_rack_units,
    )
    rows += [
        [say("engineering.racks"), say("recalled.unread") if unread else numerals.number(server.racks), limit],
        [
            say("engineering.cooling"),
            say(f"cooling.{server.cooling}"),
            draft.register.cite(server.platform, server.source),
        ],
    ]
    return [{"kind": "figures", "rows": rows, "head": [say("column.quantity"), say("column.value"), say("column.how")]}]
