"""What is required, as the user said it, beside what is assumed."""

from desktop.quote import CloudOffer, Configuration
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.names import engine_name, format_name, plan_name
from desktop.request import InferenceNeed, TrainingNeed
from desktop.units import HOURS_PER_MONTH

Row = list[str]


def requirement_block(draft: Draft, proposal: Proposal) -> Block:
    """Two lists side by side: the need and the policy left, the assumptions right."""
    need = proposal.answer.need
    required = _serving(draft, proposal, need) if isinstance(need, InferenceNeed) else _training(draft, proposal, need)
    return {
        "kind": "beside",
        "left": {"title": draft.wording.label("requirement.required"), "rows": required + _policy(draft)},
        "right": {"title": draft.wording.label("requirement.assumed"), "rows": _assumed(draft, proposal)},
    }


def model_rows(draft: Draft, proposal: Proposal) -> list[Row]:
    say, numerals, answer = draft.wording.label, draft.wording.numerals, proposal.answer
    parameters = numerals.number(answer.parameters)
    if answer.active_parameters not in (0, answer.parameters):
        parameters = say("requirement.active", total=parameters, active=numerals.number(answer.active_parameters))
    return [[say("field.model"), answer.model_name], [say("field.parameters"), parameters]]


def _serving(draft: Draft, proposal: Proposal, need: InferenceNeed) -> list[Row]:
    say, numerals = draft.wording.label, draft.wording.numerals
    peak = say("requirement.peak", factor=draft.wording.figure(need.peak_factor))
    if proposal.answer.peak_requests_per_s is not None:
        rate = numerals.short(proposal.answer.peak_requests_per_s)
        peak = say("requirement.peak_rate", factor=draft.wording.figure(need.peak_factor), rate=rate)
    formats = say("requirement.or").join(format_name(draft.wording, name) for name in need.weights)
    return [
        *model_rows(draft, proposal),
        [say("field.weights_allowed"), formats],
        [
            say("field.users"),
            say(
                "requirement.users",
                users=numerals.number(need.users),
                requests=draft.wording.figure(need.requests_per_user_hour),
            ),
        ],
        [say("field.peak"), peak],
        [
            say("field.tokens_per_request"),
            say(
                "requirement.tokens",
                input=numerals.number(need.input_tokens),
                output=numerals.number(need.output_tokens),
            ),
        ],
        [say("field.context"), numerals.number(need.context or need.input_tokens + need.output_tokens)],
        [
            say("field.latency", percentile=draft.wording.figure(need.percentile)),
            say(
                "requirement.latency",
                ttft=draft.wording.given_seconds(need.ttft_s),
                tpot=numerals.seconds(need.tpot_s, milliseconds=True),
            ),
        ],
    ]


def _training(draft: Draft, proposal: Proposal, need: TrainingNeed) -> list[Row]:
    say, numerals = draft.wording.label, draft.wording.numerals
    method = say(f"method.{need.method}")
    if need.lora is not None and need.method in ("lora", "qlora"):
        method = say("requirement.rank", method=method, rank=need.lora.rank)
    return [
        *model_rows(draft, proposal),
        [say("field.method"), method],
        [say("field.precision"), format_name(draft.wording, need.precision)],
        [say("field.optimizer"), say(f"optimizer.{need.optimizer.removesuffix('+in-backward')}")],
        [say("field.tokens_per_run"), numerals.number(need.tokens)],
        [say("field.sequence_length"), numerals.number(need.sequence_length)],
        [say("field.global_batch"), numerals.number(need.global_batch)],
        [say("field.deadline"), f"{draft.wording.figure(need.deadline_hours)} {draft.wording.term('unit.hours')}"],
        [say("field.runs"), draft.wording.figure(need.runs_per_year)],
    ]


def _policy(draft: Draft) -> list[Row]:
    say, policy = draft.wording.label, draft.quote.policy
    site = [say("requirement.stays")] if policy.data_must_stay_on_site else []
    site += [
        say("requirement.rack", kw=draft.wording.figure(policy.max_rack_kw), units=policy.max_rack_units),
        say(f"cooling.{policy.cooling}"),
    ]
    rows = [
        [say("field.stage"), say(f"stage.{policy.stage}")],
        [say("field.redundancy"), say(f"redundancy.{policy.redundancy}")],
        [say("field.site"), "; ".join(site)],
    ]
    if policy.growth > 1:
        rows.append([say("field.growth"), f"×{draft.wording.figure(policy.growth)}"])
    for code, names in (("gpus_allowed", policy.gpus_allowed), ("gpus_banned", policy.gpus_banned)):
        if names:
            rows.append([say(f"field.{code}"), ", ".join(names)])
    return rows


def _assumed(draft: Draft, proposal: Proposal) -> list[Row]:
    say, numerals, economics = draft.wording.label, draft.wording.numerals, draft.quote.economics
    need = proposal.answer.need
    rows = _plan_rows(draft, proposal.plan) if proposal.plan is not None else []
    if isinstance(need, InferenceNeed):
        rows.append([say("field.busy_share"), numerals.percent(need.busy_share)])
    rows += [
        [say("field.utilization"), numerals.percent(economics.utilization)],
        [say("field.horizon"), numerals.months(economics.horizon_months)],
        [say("field.discount_rate"), numerals.percent(economics.discount_rate)],
    ]
    if economics.residual_rate:
        rows.append([say("field.residual"), numerals.percent(economics.residual_rate)])
    rows += _price_rows(draft)
    rows += [
        [say("field.pue"), draft.wording.figure(economics.pue)],
        [say("field.support"), say("requirement.support", rate=numerals.percent(economics.support_rate_year))],
        [
            say("field.staff"),
            say(
                "requirement.staff",
                fte=draft.wording.figure(economics.staff_fte),
                cost=numerals.money(economics.fte_cost_year, "USD"),
            ),
        ],
        [say("field.month"), say("requirement.month", hours=HOURS_PER_MONTH)],
    ]
    return rows


def _plan_rows(draft: Draft, plan: Configuration) -> list[Row]:
    say = draft.wording.label
    return [
        [say("field.engine"), engine_name(draft.wording, plan.engine)],
        [say("field.weights"), format_name(draft.wording, plan.weights)],
        [say("field.parallel"), plan_name(draft.wording, plan)],
    ]


def _price_rows(draft: Draft) -> list[Row]:
    say, numerals, economics = draft.wording.label, draft.wording.numerals, draft.quote.economics
    rows: list[Row] = []
    if draft.quote.cloud is not None:
        rows.append([say("field.cloud_price"), _cloud_price(draft, draft.quote.cloud)])
    if economics.electricity_per_kwh is not None:
        rows.append(
            [
                say("field.electricity"),
                say(
                    "requirement.electricity",
                    price=draft.wording.rate(economics.electricity_per_kwh, economics.currency),
                ),
            ]
        )
    if economics.exchange_rate is not None:
        rate = economics.exchange_rate
        rows.append(
            [
                say("field.exchange_rate"),
                say(
                    "requirement.exchange",
                    rate=numerals.number(rate.per_usd, 2),
                    currency=economics.currency,
                    date=numerals.date_short(rate.date),
                ),
            ]
        )
    if economics.vat is not None:
        recoverable = say("vat.recoverable" if economics.vat.recoverable else "vat.not_recoverable")
        rows.append([say("field.vat"), f"{numerals.percent(economics.vat.rate)}, {recoverable}"])
    return rows


def _cloud_price(draft: Draft, cloud: CloudOffer) -> str:
    """The price of all rented instances together, with their source."""
    wording, say = draft.wording, draft.wording.label
    price, gpus = wording.rate(cloud.price_per_hour, cloud.currency), wording.count("gpus", cloud.gpus)
    if not cloud.instance:
        return say("requirement.own_cloud", price=price, gpus=gpus)
    subject = say("source.cloud", provider=cloud.provider, instance=cloud.instance)
    citation = draft.register.cite(subject, cloud.source, wording.known(f"term.{cloud.term}", cloud.term), cloud.as_of)
    return say(
        "requirement.cloud",
        price=price,
        provider=cloud.provider,
        instances=cloud.instances,
        instance=cloud.instance,
        gpus=gpus,
        citation=citation,
    ).strip()
