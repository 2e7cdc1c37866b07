"""Page one: the answer in a headline, five figures, parts, reasons, schemes, risks and what to confirm."""

from desktop.quote import Configuration, Message, NeedAnswer
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.names import plan_name
from desktop.report.sections.alternatives import grouped_reasons
from desktop.report.sections.bill import is_shared, part_title, servers_of
from desktop.report.sections.confirm import confirm_rows
from desktop.report.sections.costs import scheme_table
from desktop.report.sections.memory import verdict_sentence
from desktop.report.sections.tiles import tiles_of
from desktop.report.wording import Wording
from desktop.words import engine_name, format_name

MOST_REASONS, MOST_RISKS = 4, 4
MAIN_PARTS = ("gpu", "system", "cpu", "memory", "storage", "boot", "network")
MAIN_PARTS_OF_SEVERAL = ("gpu", "system", "cpu", "memory")  # two orders must leave room for the rest of the page


def summary(draft: Draft, proposals: list[Proposal]) -> Block:
    """The fields of page one; empty lists disappear in the template."""
    main, costs = proposals[0], draft.quote.schemes
    proposed = main.plan if main.proposed else None
    block: Block = {
        "headline": headline(draft.wording, main),
        "stack": [
            _stack(draft.wording, proposal.answer, proposal.plan, proposal.proposed)
            for proposal in proposals
            if proposal.plan is not None
        ],
        "proposed": main.proposed,
        "tiles": tiles_of(draft, proposals),
        "verdict": "" if main.proposed else verdict_sentence(draft.wording, main),
        "configuration": _configurations(draft, proposals) if main.proposed else [],
        "schemes": None,
        "risks": _risks(draft, proposals),
        "confirm": confirm_rows(draft, proposals),
    }
    if proposed is None:
        reasons = grouped_reasons(draft.wording, main.answer.rejected)
        block["why"] = [f"{gpus}: {reason}" for gpus, reason in reasons[:MOST_REASONS]]
        return block
    block["why"] = [draft.wording.say(reason) for reason in proposed.why[:MOST_REASONS]]
    if costs is not None and len(costs.totals) > 1:
        incomplete = any(server.unpriced() for server in servers_of(proposals))
        rows = ("capex", "total", "probability")
        block["schemes"] = scheme_table(draft.wording, costs, rows, incomplete)
    return block


def headline(wording: Wording, proposal: Proposal) -> str:
    """Servers and GPUs of the proposal; where there is none, what is wrong."""
    plan = proposal.plan
    if plan is None:
        return wording.label("summary.nothing_sized")
    if not proposal.proposed:
        return wording.label("summary.misses" if proposal.fits() else "summary.does_not_fit")
    return f"{wording.count('servers', plan.nodes)}, {plan.gpus}\u00a0× {plan.gpu_short}"


def _stack(wording: Wording, answer: NeedAnswer, plan: Configuration, proposed: bool) -> str:
    """Model, engine, format and cut of a plan in one line."""
    words = [answer.model_name, engine_name(plan.engine, wording.language), format_name(plan.weights, wording.language)]
    if not proposed:
        words.append(wording.label("summary.nearest", plan=f"{plan.gpus}\u00a0× {plan.gpu_short}"))
    elif plan.replicas + plan.spare_replicas > 1:
        replicas = wording.count("replicas", plan.replicas)
        if plan.spare_replicas:
            replicas = wording.label("performance.spare", replicas=replicas, spare=plan.spare_replicas)
        words.append(f"{replicas} ({plan_name(wording, plan)})")
    else:
        words.append(plan_name(wording, plan))
    return ", ".join(words)


def _configurations(draft: Draft, proposals: list[Proposal]) -> list[Block]:
    """The main parts of every proposed server, per server and in all."""
    say, numerals = draft.wording.label, draft.wording.numerals
    groups = MAIN_PARTS if len(servers_of(proposals)) == 1 else MAIN_PARTS_OF_SEVERAL
    tables: list[Block] = []
    for proposal in proposals:
        for server in servers_of([proposal]):
            rows = [
                [
                    f"{draft.wording.term(f'bom.{line.group}')}: {part_title(draft, line)}",
                    "–" if is_shared(server, line) else numerals.number(line.per_server),
                    numerals.number(line.total),
                ]
                for line in server.lines
                if line.group in groups
            ]
            head = [say("column.component"), say("column.per_server"), say("column.total")]
            tables.append({"title": draft.title_of("configuration", proposal), "rows": rows, "head": head})
    return tables


def _risks(draft: Draft, proposals: list[Proposal]) -> list[dict[str, str]]:
    """Warnings of the plans and of the quote, the gravest first, each once."""
    messages: list[Message] = [
        message for proposal in proposals if proposal.plan is not None for message in proposal.plan.warnings
    ]
    messages += draft.quote.warnings
    if draft.quote.schemes is not None and proposals[0].proposed:
        messages += draft.quote.schemes.warnings
    grave = sorted((m for m in messages if m.severity != "info"), key=lambda m: m.severity != "error")
    seen: dict[str, str] = {}
    for message in grave:
        seen.setdefault(draft.wording.say(message), "fail" if message.severity == "error" else "warn")
    told = [{"text": text, "tone": tone} for text, tone in seen.items()]
    if len(told) <= MOST_RISKS:
        return told
    rest = " ".join(risk["text"] for risk in told[MOST_RISKS:])
    return [*told[:MOST_RISKS], {"text": draft.wording.label("summary.more_risks", risks=rest), "tone": "warn"}]
