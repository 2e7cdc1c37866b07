"""Memory of the worst GPU: the verdict in a sentence, the bar, the parts in bytes, and their formulas in the annex."""

from desktop.quote import Component, Configuration, Memory, RankMemory
from desktop.report.charts import BarWords, CardRoom, GpuBar, memory_bar
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.wording import Wording
from desktop.request import InferenceNeed
from desktop.units import GIB
from desktop.words import format_name


def memory_blocks(draft: Draft, proposal: Proposal) -> list[Block]:
    """Verdict, chart and table of the plan; nothing where no plan could be sized."""
    if proposal.plan is None:
        return []
    memory = proposal.plan.memory
    return [
        {"kind": "text", "tone": _tone(memory), "text": verdict_sentence(draft.wording, proposal)},
        _chart(draft.wording, proposal.plan),
        _table(draft, memory),
    ]


def verdict_sentence(wording: Wording, proposal: Proposal) -> str:
    """Fits, fits tightly or does not fit, with need, usable and reserved memory told apart."""
    if proposal.plan is None:
        return wording.label("memory.not_sized")
    memory, numerals = proposal.plan.memory, wording.numerals
    required = memory.required_bytes.value
    values = {
        "verdict": wording.term(f"verdict.{memory.verdict}"),
        "required": numerals.memory(required),
        "usable": numerals.memory(memory.usable_bytes),
        "share": share_of_usable(wording, memory),
    }
    if memory.verdict == "does_not_fit":
        short = numerals.memory(max(required - memory.usable_bytes, 0))
        return wording.label("memory.does_not_fit", short=short, **values)
    sentence = wording.label("memory.fits", **values)
    if required > memory.usable_bytes:
        sentence = f"{values['verdict']}. " + wording.label("memory.queues", **values)
    if not isinstance(proposal.answer.need, InferenceNeed):
        return sentence
    if memory.reserved_bytes > required:
        sentence += " " + wording.label("memory.reserves", reserved=numerals.memory(memory.reserved_bytes))
    if memory.kv_capacity_tokens:
        sentence += " " + wording.label(
            "memory.capacity",
            tokens=numerals.number(memory.kv_capacity_tokens),
            requests=numerals.number(int(memory.max_concurrency)),
        )
    return sentence


def share_of_usable(wording: Wording, memory: Memory) -> str:
    return wording.numerals.percent(memory.required_bytes.value / memory.usable_bytes) if memory.usable_bytes else "–"


def part_name(wording: Wording, component: str) -> str:
    return wording.term(f"part.{component}")


def annex_blocks(draft: Draft, proposals: list[Proposal]) -> list[Block]:
    """Formula, inputs, source and result of every part of the worst GPU."""
    head = [draft.wording.label(f"column.{code}") for code in ("name", "formula", "inputs", "result")]
    blocks: list[Block] = []
    for proposal in proposals:
        parts = proposal.plan.memory.worst().components if proposal.plan is not None else ()
        rows = [_formula_row(draft, part) for part in parts if part.bytes and formula_words(draft.wording, part)]
        if rows and len(proposals) > 1:
            blocks.append({"kind": "subheading", "text": draft.title_of("memory", proposal)})
        if rows:
            blocks.append({"kind": "formulas", "rows": rows, "head": head})
    return blocks


def _formula_row(draft: Draft, part: Component) -> dict[str, str]:
    wording, numerals = draft.wording, draft.wording.numerals
    inputs = "; ".join(
        f"{wording.known(f'symbol.{name}', name)} = {_input(wording, name, value)}"
        for name, value in part.inputs.items()
    )
    return {
        "name": part_name(wording, part.component),
        "formula": formula_words(wording, part),
        "inputs": inputs,
        "source": draft.register.cite(part_name(wording, part.component), part.source),
        "result": wording.label(
            "memory.bytes_and_gib", bytes=numerals.number(part.bytes), memory=numerals.memory(part.bytes, 2)
        ),
    }


def formula_words(wording: Wording, part: Component) -> str:
    """The formula, or where there is none the way to the bytes in words."""
    return part.formula or wording.known(f"formula.{part.component}", "")


def _input(wording: Wording, name: str, value: float | int | str) -> str:
    """A number as it was given; a code by its name."""
    if not isinstance(value, str):
        return wording.numerals.given(value)
    if name == "format":
        return format_name(value, wording.language)
    if name == "recompute":
        return wording.known(f"recompute.{value}", value)
    return wording.known(f"optimizer.{value.removesuffix('+in-backward')}", value)


def _tone(memory: Memory) -> str:
    return {"fits": "pass", "tight": "warn", "does_not_fit": "fail"}[memory.verdict]


def _chart(wording: Wording, plan: Configuration) -> Block:
    memory, numerals = plan.memory, wording.numerals
    several = len(memory.per_gpu) > 1
    bars = [
        GpuBar(_bar_label(wording, rank, several), {part.component: part.bytes for part in rank.components})
        for rank in memory.per_gpu
    ]
    parts = {part.component: part_name(wording, part.component) for rank in memory.per_gpu for part in rank.components}
    words = BarWords(
        unit=numerals.gib_unit(),
        required=wording.label("memory.required"),
        usable=wording.label("memory.usable"),
        card=wording.label("memory.card"),
        reserve=wording.label("memory.reserve"),
        parts=parts,
    )
    room = CardRoom(
        memory.card_bytes,
        memory.usable_bytes,
        memory.reserved_bytes,
        memory.required_bytes.low,
        memory.required_bytes.high,
    )
    svg = memory_bar(bars, room, GIB, words, numerals.gib, numerals.given)
    worst = ", ".join(
        f"{parts[part.component]} {numerals.memory(part.bytes)}" for part in memory.worst().components if part.bytes
    )
    alt = wording.label(
        "memory.alt",
        required=numerals.memory(memory.required_bytes.value),
        usable=numerals.memory(memory.usable_bytes),
        card=numerals.memory(memory.card_bytes),
        parts=worst,
    )
    return {"kind": "chart", "svg": svg, "alt": alt, "caption": wording.label("memory.caption", gpu=plan.gpu_short)}


def _bar_label(wording: Wording, rank: RankMemory, several: bool) -> str:
    if not several:
        return wording.label("memory.each_gpu") if rank.ranks > 1 else "GPU"
    return f"GPU\u00a0{rank.rank}" + (f" (×{rank.ranks})" if rank.ranks > 1 else "")


def _table(draft: Draft, memory: Memory) -> Block:
    wording, numerals, say = draft.wording, draft.wording.numerals, draft.wording.label
    rows = [
        [
            part_name(wording, part.component),
            numerals.gib(part.bytes, 2),
            numerals.number(part.bytes),
            " ".join(
                words
                for words in (
                    formula_words(wording, part),
                    draft.register.cite(part_name(wording, part.component), part.source),
                )
                if words
            ),
        ]
        for part in memory.worst().components
        if part.bytes
    ]
    required = memory.required_bytes
    span = numerals.span(numerals.gib(required.low, 1), numerals.gib(required.high, 1))
    totals = [
        _total(
            numerals.gib(required.value, 2),
            numerals.number(required.value),
            say("memory.required_total"),
            say("memory.required_how", span=span, unit=numerals.gib_unit()),
        )
    ]
    if memory.reserved_bytes:
        totals.append(
            _total(
                numerals.gib(memory.reserved_bytes, 2),
                numerals.number(memory.reserved_bytes),
                say("memory.reserved_total"),
                say("memory.reserved_how"),
            )
        )
    totals.append(
        _total(
            numerals.gib(memory.usable_bytes, 2),
            numerals.number(memory.usable_bytes),
            say("memory.usable_total"),
            say("memory.usable_how"),
        )
    )
    totals.append(
        _total(
            numerals.gib(memory.card_bytes, 2),
            numerals.number(memory.card_bytes),
            say("memory.card_total"),
            say("memory.card_how"),
        )
    )
    if memory.checkpoint_bytes:
        for kind, size in memory.checkpoint_bytes.items():
            totals.append(_total(numerals.gib(size, 2), numerals.number(size), say(f"memory.checkpoint_{kind}"), ""))
    return {
        "kind": "memory",
        "rows": rows,
        "totals": totals,
        "head": [
            say("column.component"),
            say("column.worst_gpu", unit=numerals.gib_unit()),
            say("column.bytes"),
            say("column.how"),
        ],
    }


def _total(gib: str, size: str, name: str, how: str) -> list[str]:
    return [name, gib, size, how]
