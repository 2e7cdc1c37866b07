"""What was weighed beside the proposal: the other plans that work, and the GPUs that lost, with their first reason."""

from desktop.quote import Configuration, Rejection, ServingSpeed
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.names import plan_name
from desktop.report.sections.memory import share_of_usable
from desktop.report.wording import Wording
from desktop.words import format_name

MOST_NAMED = 8


def alternatives_blocks(draft: Draft, proposals: list[Proposal]) -> list[Block]:
    blocks: list[Block] = []
    for proposal in proposals:
        others = proposal.answer.configurations
        if len(others) > 1:
            blocks += [_title(draft, "alternatives.others", proposal), _others(draft, others)]
        if proposal.answer.rejected:
            blocks += [_title(draft, "alternatives.rejected", proposal), _rejected(draft, proposal)]
    return blocks


def _title(draft: Draft, code: str, proposal: Proposal) -> Block:
    text = draft.wording.label(code)
    if len(draft.quote.answers) > 1:
        text += f": {draft.wording.label(f'need.{proposal.answer.need.mode}')}"
    return {"kind": "subheading", "text": text}


def _others(draft: Draft, configurations: tuple[Configuration, ...]) -> Block:
    wording, numerals, say = draft.wording, draft.wording.numerals, draft.wording.label
    serving = all(isinstance(plan.speed, ServingSpeed) for plan in configurations)
    rows = []
    for plan in configurations:
        seconds, hours = "–", "–"
        if isinstance(plan.speed, ServingSpeed):
            seconds = numerals.number(plan.speed.ttft_s.value, 2)
        elif plan.hours_total is not None:
            hours = numerals.short(plan.hours_total.value)
        rows.append(
            [
                f"{plan.gpus}\u00a0× {plan.gpu_short}",
                f"{format_name(plan.weights, wording.language)}, {plan_name(wording, plan)}",
                str(plan.nodes),
                share_of_usable(wording, plan.memory),
                seconds if serving else hours,
                "–" if plan.capex is None else numerals.money(plan.capex, plan.currency),
                "–" if plan.total_cost is None else numerals.money(plan.total_cost, plan.currency),
            ]
        )
    measure = say("column.ttft" if serving else "column.hours")
    return {
        "kind": "others",
        "rows": rows,
        "head": [
            say("column.gpus"),
            say("column.plan"),
            say("column.servers"),
            say("column.memory_used"),
            measure,
            say("column.capex"),
            say("column.total_cost", months=draft.quote.economics.horizon_months),
        ],
    }


def grouped_reasons(wording: Wording, rejected: tuple[Rejection, ...]) -> list[tuple[str, str]]:
    """GPUs and why they lost: those with the same reason together, those with a reason of their own first."""
    groups: dict[str, list[str]] = {}
    for lost in rejected:
        groups.setdefault(wording.say(lost.reason), []).append(lost.gpu_short or lost.gpu)
    return [
        (_listed(wording, gpus), reason) for reason, gpus in sorted(groups.items(), key=lambda group: len(group[1]))
    ]


def _listed(wording: Wording, gpus: list[str]) -> str:
    names = ", ".join(gpus[:MOST_NAMED])
    return names if len(gpus) <= MOST_NAMED else names + wording.label("source.more", more=len(gpus) - MOST_NAMED)


def _rejected(draft: Draft, proposal: Proposal) -> Block:
    rows = [list(pair) for pair in grouped_reasons(draft.wording, proposal.answer.rejected)]
    return {"kind": "rejected", "rows": rows, "head": ["GPU", draft.wording.label("column.first_reason")]}
