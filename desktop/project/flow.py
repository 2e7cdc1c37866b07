"""The order of the pages, how far each has got, and what it still lacks. The window draws what this says.

The order is a help, not a gate: any page may be visited at any time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from desktop.project.document import Project
from desktop.quote import Message, Quote
from desktop.request import Problem

StepName = Literal["model", "workload", "site", "result", "costs", "spec"]
StepState = Literal["done", "warn", "bad", "waits"]

STEP_NAMES: tuple[StepName, ...] = get_args(StepName)
SITE_ECONOMICS = ("region", "electricity_per_kwh", "pue")  # asked on the site page; the others on the costs page

ABOUT_MONEY = ("no_cloud_offer", "lines_without_price", "memory_price_spot")  # they carry no field


@dataclass(frozen=True, slots=True)
class Step:
    """One page: `problem` and `reasons` say by code why it is not simply done, the gravest first."""

    name: StepName
    state: StepState
    reasons: tuple[Message, ...] = ()
    problem: Problem | None = None


def flow(project: Project, quote: Quote | None = None, problem: Problem | None = None) -> tuple[Step, ...]:
    """State of every page, in order.

    `quote` is the answer to the project's request and `problem` what keeps it from being answered; both are None while
    nothing was computed. A page is `bad` where the problem or an error lies in its own fields, `warn` where a warning
    does, and `waits` where what it shows cannot be known yet.
    """
    quote = None if problem else quote
    found = _of_quote(quote)
    own = {name: tuple(message for page, message in found if page == name) for name in STEP_NAMES}
    broken = {page_of(problem.field): problem} if problem else {}
    missing_model = tuple(
        _reason("model_missing", f"needs.{index}.model")
        for index, need in enumerate(project.request.needs)
        if need.model is None
    )
    model = _step("model", own["model"], broken, waits=missing_model)
    workload, site = _step("workload", own["workload"], broken), _step("site", own["site"], broken)
    result = _result((model, workload, site), own["result"], broken, quote)
    costs = _costs(result, own["costs"], broken, quote)
    return (model, workload, site, result, costs, _spec(project, result, costs, own["spec"], broken))


def next_step(name: StepName) -> StepName | None:
    """
    >>> next_step("site"), next_step("spec")
    ('result', None)
    """
    position = STEP_NAMES.index(name) + 1
    return STEP_NAMES[position] if position < len(STEP_NAMES) else None


def previous_step(name: StepName) -> StepName | None:
    position = STEP_NAMES.index(name) - 1
    return STEP_NAMES[position] if position >= 0 else None


def page_of(field: str) -> StepName:
    """The page on which a field of the request or project is asked.

    >>> page_of("needs.0.model.hf_config.num_hidden_layers"), page_of("needs.1.tokens"), page_of("economics.pue")
    ('model', 'workload', 'site')
    >>> page_of("economics.discount_rate"), page_of("customer.name"), page_of("")
    ('costs', 'spec', 'result')
    """
    parts = field.removeprefix("request.").split(".")
    match parts:
        case ["needs", _, "model", *_] | ["model", *_]:
            return "model"
        case ["needs", *_]:
            return "workload"
        case ["policy", *_]:
            return "site"
        case ["economics", name, *_]:
            return "site" if name in SITE_ECONOMICS else "costs"
        case ["name" | "number" | "revision" | "issued_on" | "valid_days" | "language" | "supplier" | "customer", *_]:
            return "spec"
    return "result"


Broken = Mapping[StepName, Problem]


def _of_quote(quote: Quote | None) -> list[tuple[StepName, Message]]:
    """Warnings and errors of the quote, its proposals and its schemes, each with its page. Remarks mark no page.

    What is said of a proposal belongs to the result, even where it names the target that the proposal misses.
    """
    if quote is None:
        return []
    found = [(page_of(message.field), message) for message in quote.warnings]
    for answer in quote.answers:
        best = answer.configurations[:1]
        found += [("result", message) for plan in best for message in plan.warnings]
    found += [("costs", message) for message in (quote.schemes.warnings if quote.schemes else ())]
    return [
        ("costs" if message.code in ABOUT_MONEY else page, message)
        for page, message in found
        if message.severity != "info"
    ]


def _result(earlier: Sequence[Step], own: tuple[Message, ...], broken: Broken, quote: Quote | None) -> Step:
    bad = next((step for step in earlier if step.state == "bad"), None)
    if bad:
        return Step("result", "waits", (_reason("step_bad", step=bad.name),))
    lacking = next((step for step in earlier if step.state == "waits"), None)
    if lacking:
        return Step("result", "waits", lacking.reasons)
    if quote is None:
        return _step("result", own, broken, waits=() if broken else (_reason("not_computed"),))
    verdicts = []
    for index, answer in enumerate(quote.answers):
        field = f"needs.{index}"
        if not answer.configurations:
            verdicts.append(_reason("nothing_proposed", field, "error"))
            continue
        best = answer.configurations[0]
        if best.memory.verdict == "does_not_fit":
            verdicts.append(_reason("nothing_proposed", field, "error"))
        if best.meets == "misses":
            verdicts.append(_reason("best_misses", field, "error"))
        if best.memory.verdict == "tight":
            verdicts.append(_reason("best_is_tight", field))
        if best.meets == "crosses":
            verdicts.append(_reason("best_crosses", field))
        if any(rule.state == "broken" for rule in best.rules):
            verdicts.append(_reason("best_breaks_rule", field))
    already = {message.severity for message in own}  # the advisor has said it in its own words
    return _step("result", (*own, *(verdict for verdict in verdicts if verdict.severity not in already)), broken)


def _costs(result: Step, own: tuple[Message, ...], broken: Broken, quote: Quote | None) -> Step:
    if quote is None or quote.best() is None:
        return _step("costs", own, broken, waits=result.reasons or (_reason("not_computed"),))
    return _step("costs", own, broken)


def _spec(project: Project, result: Step, costs: Step, own: tuple[Message, ...], broken: Broken) -> Step:
    """A sheet without a plan cannot be drawn; one without all prices can, but stays a draft."""
    for step in (result, costs):
        if step.state == "waits" or (step is result and step.state == "bad"):
            return _step("spec", own, broken, waits=step.reasons or (_reason("step_bad", step=step.name),))
    if costs.state == "bad":
        own = (*own, _reason("costs_incomplete"))
    given = {
        "number": project.number,
        "issued_on": project.issued_on,
        "supplier.name": project.supplier.name,
        "customer.name": project.customer.name,
    }
    return _step("spec", (*own, *(_reason("not_filled", field) for field, value in given.items() if not value)), broken)


def _step(name: StepName, messages: tuple[Message, ...], broken: Broken, waits: tuple[Message, ...] = ()) -> Step:
    errors = tuple(message for message in messages if message.severity == "error")
    others = tuple(message for message in messages if message.severity != "error")
    problem = broken.get(name)
    state: StepState = "bad" if errors or problem else "waits" if waits else "warn" if others else "done"
    return Step(name, state, (*errors, *waits, *others), problem)


def _reason(code: str, field: str = "", severity: Literal["warning", "error"] = "warning", **values: object) -> Message:
    return Message(code=code, severity=severity, field=field, values=values)
