"""Speed under the required load: what is asked, what is expected, its range and the verdict, one row a measure."""

from dataclasses import dataclass

from desktop.quote import Configuration, Range, ServingSpeed, TrainingSpeed
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.wording import Wording
from desktop.request import InferenceNeed, TrainingNeed

PERCENT = 100


@dataclass(frozen=True)
class Measure:
    """One row. `bound` says on which side the target lies, `digits` of None writes three significant digits."""

    name: str
    figure: Range
    remark: str = ""
    target: float | None = None
    bound: str = "≤"
    digits: int | None = None
    exact: bool = False
    percent: bool = False

    def tone(self) -> str:
        """Passed only when the whole range keeps the target; a range that crosses it is a warning."""
        if self.target is None:
            return "info"
        sign = 1 if self.bound == "≤" else -1
        worst = self.figure.high if self.bound == "≤" else self.figure.low
        if sign * worst <= sign * self.target:
            return "pass"
        return "warn" if sign * self.figure.value <= sign * self.target else "fail"


def performance_blocks(draft: Draft, proposal: Proposal) -> list[Block]:
    """The table of measures; empty where no speed may be given."""
    wording, say = draft.wording, draft.wording.label
    rows = [_row(wording, measure) for measure in measures_of(wording, proposal)]
    if not rows:
        return []
    head = [say(f"column.{code}") for code in ("measure", "required", "expected", "range", "verdict")]
    return [
        {"kind": "performance", "rows": rows, "head": head},
        {"kind": "note", "text": say(f"performance.note_{proposal.answer.need.mode}")},
    ]


def measures_of(wording: Wording, proposal: Proposal) -> list[Measure]:
    """Empty unless a plan is proposed, fits and has a speed: no figure for a plan that does not fit."""
    plan, need = proposal.plan, proposal.answer.need
    if plan is None or not proposal.proposed or not proposal.fits():
        return []
    if isinstance(need, InferenceNeed) and isinstance(plan.speed, ServingSpeed):
        return _serving(wording, plan, plan.speed, need, proposal.answer.peak_requests_per_s)
    if isinstance(need, TrainingNeed) and isinstance(plan.speed, TrainingSpeed):
        return _training(wording, plan, plan.speed, need)
    return []


def _serving(
    wording: Wording, plan: Configuration, speed: ServingSpeed, need: InferenceNeed, peak: float | None
) -> list[Measure]:
    say = wording.label
    measures: list[Measure] = []
    if plan.capacity_requests_per_s is not None:
        remark = wording.count("replicas", plan.replicas)
        if plan.spare_replicas:
            remark = say("performance.spare", replicas=remark, spare=plan.spare_replicas)
        measures.append(
            Measure(say("measure.requests_per_s"), plan.capacity_requests_per_s, remark, target=peak, bound="≥")
        )
    measures += [
        Measure(say("measure.ttft"), speed.ttft_s, say("performance.at_peak"), target=need.ttft_s, digits=2),
        Measure(
            say("measure.tpot"),
            _scaled(speed.tpot_s, 1000),
            say(f"bound.{speed.bound_by}"),
            target=round(need.tpot_s * 1000, 3),
            digits=1,
        ),
    ]
    if plan.concurrency_per_replica:
        held = plan.memory.kv_capacity_tokens // max(plan.replicas, 1) // (need.input_tokens + need.output_tokens)
        measures.append(
            Measure(
                say("measure.concurrency"),
                _exact(held),
                say("performance.kv_holds"),
                target=plan.concurrency_per_replica,
                bound="≥",
                digits=0,
                exact=True,
            )
        )
    return [
        *measures,
        Measure(say("measure.output_tokens_per_s"), speed.output_tokens_per_s, say("performance.all_replicas")),
        Measure(say("measure.decode_single"), speed.decode_tokens_per_s_single, say("performance.alone")),
        Measure(say("measure.prompt_single"), speed.prompt_tokens_per_s_single, say("performance.alone")),
    ]


def _training(wording: Wording, plan: Configuration, speed: TrainingSpeed, need: TrainingNeed) -> list[Measure]:
    say = wording.label
    measures: list[Measure] = []
    hours = plan.hours_total or speed.hours_total
    if hours is not None:
        measures.append(
            Measure(say("measure.hours"), hours, say(f"bound.{speed.bound_by}"), target=need.deadline_hours)
        )
    batch = say("performance.batch", batch=wording.numerals.number(need.global_batch))
    measures += [
        Measure(say("measure.tokens_per_s_per_gpu"), speed.tokens_per_s_per_gpu, wording.count("gpus", plan.gpus)),
        Measure(say("measure.step"), speed.step_s, batch),
        Measure(say("measure.mfu"), _scaled(speed.mfu, PERCENT), say("performance.mfu"), digits=0, percent=True),
        Measure(say("measure.tflops"), speed.tflops_per_gpu),
    ]
    for code, share in (("communication", speed.exposed_communication_share), ("bubble", speed.pipeline_bubble_share)):
        if share:
            measures.append(
                Measure(
                    say(f"measure.{code}"),
                    _exact(share * PERCENT),
                    say("performance.of_step"),
                    digits=1,
                    exact=True,
                    percent=True,
                )
            )
    return measures


def _row(wording: Wording, measure: Measure) -> dict[str, str]:
    def written(value: float) -> str:
        if measure.percent:
            return wording.numerals.percent(value / PERCENT, measure.digits or 0)
        return (
            wording.numerals.short(value) if measure.digits is None else wording.numerals.number(value, measure.digits)
        )

    target = "–"
    if measure.target is not None:
        given = measure.target == round(measure.target, 2)
        limit = wording.numerals.given(measure.target) if given else wording.numerals.short(measure.target)
        target = f"{measure.bound}\u00a0{limit}"
    figure = measure.figure
    span = "–" if measure.exact else wording.numerals.span(written(figure.low), written(figure.high))
    return {
        "measure": measure.name,
        "required": target,
        "expected": written(figure.value),
        "range": span,
        "tone": measure.tone(),
        "remark": measure.remark,
    }


def _scaled(figure: Range, factor: float) -> Range:
    return Range(low=figure.low * factor, value=figure.value * factor, high=figure.high * factor)


def _exact(value: float) -> Range:
    return Range(low=value, value=value, high=value)
