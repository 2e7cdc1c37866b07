"""One line for each step: the step list is the summary of the request."""

from collections.abc import Callable

from desktop.project.flow import Step
from desktop.quote import Quote
from desktop.request import InferenceNeed, RecommendRequest, TrainingNeed
from desktop.ui.look import Look
from desktop.ui.session import Session
from desktop.ui.wording import break_even, format_name, headline, model_name
from desktop.words.numerals import NBSP


def summaries(look: Look, session: Session, steps: tuple[Step, ...]) -> dict[str, str]:
    """By step name; a step that waits says what for."""
    say: dict[str, Callable[[], str]] = {
        "model": lambda: _model(look, session),
        "workload": lambda: _workload(look, session),
        "site": lambda: _site(look, session.request),
        "result": lambda: _result(look, session.quote),
        "costs": lambda: _costs(look, session.quote),
        "spec": lambda: _spec(look, session),
    }
    waits = look.say("summary.waits")
    known = {"model", "workload", "site"} | ({"result", "costs", "spec"} if session.quote is not None else set())
    return {step.name: say[step.name]() if step.name in known else waits for step in steps}


def _model(look: Look, session: Session) -> str:
    if session.model() is None:
        return look.say("summary.no_model")
    need = session.need("inference")
    formats = (
        "/".join(format_name(look, code).split()[0] for code in need.weights) if isinstance(need, InferenceNeed) else ""
    )
    return " · ".join(text for text in (model_name(session.model()), formats) if text)


def _workload(look: Look, session: Session) -> str:
    texts = []
    for need in session.request.needs:
        if isinstance(need, InferenceNeed):
            rate = f"{look.figure(session.peak_requests_per_s(need))}{NBSP}{look.term('unit.requests_per_s')}"
            texts.append(look.say("summary.serving", users=look.numerals.number(need.users), rate=rate))
        elif isinstance(need, TrainingNeed):
            texts.append(look.say(f"method.{need.method}"))
    return " · ".join(texts)


def _site(look: Look, request: RecommendRequest) -> str:
    policy = request.policy
    place = look.say("summary.on_site" if policy.data_must_stay_on_site else "summary.anywhere")
    power = f"{look.figure(policy.max_rack_kw)}{NBSP}{look.term('unit.kw')}"
    return " · ".join((place, look.say(f"redundancy.{policy.redundancy}"), power))


def _result(look: Look, quote: Quote | None) -> str:
    best = quote.best() if quote is not None else None
    return headline(best) if best is not None else look.say("summary.no_plan")


def _costs(look: Look, quote: Quote | None) -> str:
    if quote is None or quote.schemes is None:
        return look.say("summary.no_schemes")
    return look.say(
        "summary.break_even", answer=break_even(look, quote.schemes.break_even, quote.schemes.horizon_months)
    )


def _spec(look: Look, session: Session) -> str:
    return look.say("summary.revision", revision=session.project.revision)
