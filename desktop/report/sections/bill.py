"""The bill of materials: every line with its amount, tax and the kind, date and source of its price."""

from dataclasses import dataclass
from decimal import Decimal

from desktop.catalog.facts import CONFIRMED
from desktop.quote import BomLine, Server
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.sections.recalled import recalled_words
from desktop.units import money


@dataclass(frozen=True)
class Amounts:
    """Net, tax and gross of a line or an order. Tax is rounded line by line, a total is the sum of its lines."""

    net: Decimal
    vat: Decimal
    gross: Decimal


def line_amounts(line: BomLine, vat_rate: Decimal) -> Amounts | None:
    """What a line costs; None where nobody gave a price, or where another line's price includes it."""
    if line.unit_price is None:
        return None
    net = money(line.amount)
    vat = money(net * vat_rate)
    return Amounts(net, vat, net + vat)


def order_amounts(server: Server) -> Amounts:
    amounts = [amount for line in server.lines if (amount := line_amounts(line, server.vat_rate)) is not None]
    return Amounts(
        sum((a.net for a in amounts), Decimal(0)),
        sum((a.vat for a in amounts), Decimal(0)),
        sum((a.gross for a in amounts), Decimal(0)),
    )


def servers_of(proposals: list[Proposal]) -> list[Server]:
    """The servers of what is proposed."""
    return [
        proposal.plan.server
        for proposal in proposals
        if proposal.proposed and proposal.plan is not None and proposal.plan.server is not None
    ]


def groups_of(server: Server) -> list[tuple[str, list[BomLine]]]:
    """Lines of every server first, then those bought once for the order; an empty group disappears."""
    groups = [
        ("server", [line for line in server.lines if not is_shared(server, line)]),
        ("order", [line for line in server.lines if is_shared(server, line)]),
    ]
    return [(code, lines) for code, lines in groups if lines]


def is_shared(server: Server, line: BomLine) -> bool:
    """Bought once for the whole order, not with every server."""
    return line.group == "contingency" or line.per_server * server.servers != line.total


def bill_blocks(draft: Draft, proposal: Proposal) -> list[Block]:
    """Nothing unless a plan is proposed and a server was found for it."""
    server = proposal.plan.server if proposal.plan is not None and proposal.proposed else None
    if server is None:
        return []
    say, numerals = draft.wording.label, draft.wording.numerals
    rate = numerals.given_percent(server.vat_rate)
    groups, number = [], 1
    for code, lines in groups_of(server):
        rows = []
        for line in lines:
            rows.append(_row(draft, server, line, number))
            number += 1
        title = (
            say("bill.per_server", servers=draft.wording.count("servers", server.servers))
            if code == "server"
            else say("bill.order")
        )
        groups.append({"title": title, "rows": rows})
    missing, total = len(server.unpriced()), order_amounts(server)
    head = [
        "№" if draft.wording.language == "ru" else "#",
        say("column.part"),
        say("column.per_server"),
        say("column.total"),
        say("column.unit_net"),
        say("column.net"),
    ]
    sums = [(say("bill.net"), total.net)]
    if draft.quote.vat is not None:
        head += [say("bill.vat", rate=rate), say("column.gross")]
        sums += [(say("bill.vat", rate=rate), total.vat), (say("bill.gross"), total.gross)]
    written = [(name, numerals.money(amount, server.currency, cents=True)) for name, amount in sums]
    totals = [[name, say("bill.from", amount=amount) if missing else amount] for name, amount in written]
    blocks: list[Block] = [
        {"kind": "note", "text": say("bill.note"), "sticky": True},
        {"kind": "bill", "groups": groups, "totals": totals, "head": head},
    ]
    if missing:
        blocks.append(
            {
                "kind": "text",
                "tone": "warn",
                "text": say("bill.incomplete", lines=draft.wording.count("lines", missing)),
            }
        )
    if facts := recalled_words(draft.wording, list(server.recalled)):
        blocks.append({"kind": "note", "text": say("bill.recalled", facts=facts)})
    if server.net_low != server.net_high:
        low, high = (numerals.money(value, server.currency) for value in (server.net_low, server.net_high))
        blocks.append({"kind": "note", "text": say("bill.range", range=numerals.span(low, high))})
    return blocks


def part_title(draft: Draft, line: BomLine) -> str:
    """The part by its name; one without a name by the name of its group."""
    return line.part or line.description or draft.wording.term(f"bom.{line.group}")


def price_note(draft: Draft, line: BomLine) -> str:
    """Kind, date and source of a price: "list 2026-04-17 [S2]"."""
    wording, price = draft.wording, line.price
    if line.unit_price is None:
        return wording.term(f"price_kind.{price.kind}")
    words = [
        wording.term(f"price_kind.{price.kind}"),
        wording.numerals.as_of(price.as_of),
        draft.cite_price(part_title(draft, line), price),
    ]
    return " ".join(word for word in words if word)


def _row(draft: Draft, server: Server, line: BomLine, number: int) -> dict[str, object]:
    numerals, wording = draft.wording.numerals, draft.wording
    amounts = line_amounts(line, server.vat_rate)
    note = [price_note(draft, line)]
    if line.rule is not None:
        note.append(wording.say(line.rule))
    if stale := draft.stale_note(line.price):
        note.append(stale)
    if line.verification == CONFIRMED:
        note.append(wording.label("bill.confirmed"))
    if amounts is None or line.unit_price is None:
        included = line.price.kind == "included"
        word = wording.term("price_kind.included") if included else wording.label("bill.no_price")
        figures = [word, "–", "–", "–"]
    else:
        figures = [numerals.number(value, 2) for value in (line.unit_price, amounts.net, amounts.vat, amounts.gross)]
    title = part_title(draft, line)
    name = line.description or wording.term(f"bom.{line.group}")
    return {
        "n": str(number),
        "part": title,
        "name": "" if name == title else name,
        "note": " · ".join(note),
        "per_server": "–" if is_shared(server, line) else numerals.number(line.per_server),
        "total": numerals.number(line.total),
        "figures": figures if draft.quote.vat is not None else figures[:2],
        "stale": bool(stale),
    }
