"""What is required, as the user said it, beside what is assumed."""

from desktop.quote import CloudOffer, Configuration, UsedTariff
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.names import plan_name
from desktop.request import InferenceNeed, TrainingNeed
from desktop.units import HOURS_PER_MONTH
from desktop.words import engine_name, format_name, region_name

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
    peak = say("requirement.peak", factor=draft.wording.numerals.given(need.peak_factor))
    if proposal.answer.peak_requests_per_s is not None:
        rate = numerals.short(proposal.answer.peak_requests_per_s)
        peak = say("requirement.peak_rate", factor=draft.wording.numerals.given(need.peak_factor), rate=rate)
    formats = say("requirement.or").join(format_name(name, draft.wording.language) for name in need.weights)
    return [
        *model_rows(draft, proposal),
        [say("field.weights_allowed"), formats],
        [
            say("field.users"),
            say(
                "requirement.users",
                users=numerals.number(need.users),
                requests=draft.wording.numerals.given(need.requests_per_user_hour),
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
            say("field.latency", percentile=draft.wording.numerals.given(need.percentile)),
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
        [say("field.precision"), format_name(need.precision, draft.wording.language)],
        [say("field.optimizer"), say(f"optimizer.{need.optimizer.removesuffix('+in-backward')}")],
        [say("field.tokens_per_run"), numerals.number(need.tokens)],
        [say("field.sequence_length"), numerals.number(need.sequence_length)],
        [say("field.global_batch"), numerals.number(need.global_batch)],
        [
            say("field.deadline"),
            f"{draft.wording.numerals.given(need.deadline_hours)} {draft.wording.term('unit.hours')}",
        ],
        [say("field.runs"), draft.wording.numerals.given(need.runs_per_year)],
    ]


def _policy(draft: Draft) -> list[Row]:
    say, policy = draft.wording.label, draft.quote.policy
    site = [say("requirement.stays")] if policy.data_must_stay_on_site else []
    site += [
        say("requirement.rack", kw=draft.wording.numerals.given(policy.max_rack_kw), units=policy.max_rack_units),
        say(f"cooling.{policy.cooling}"),
    ]
    rows = [
        [say("field.stage"), say(f"stage.{policy.stage}")],
        [say("field.redundancy"), say(f"redundancy.{policy.redundancy}")],
        [say("field.site"), "; ".join(site)],
    ]
    if policy.growth > 1:
        rows.append([say("field.growth"), f"×{draft.wording.numerals.given(policy.growth)}"])
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
        [say("field.discount_rate"), numerals.given_percent(economics.discount_rate)],
    ]
    if economics.residual_rate:
        rows.append([say("field.residual"), numerals.given_percent(economics.residual_rate)])
    rows += _price_rows(draft, proposal)
    rows += [
        [say("field.pue"), draft.wording.numerals.given(economics.pue)],
        [say("field.support"), say("requirement.support", rate=numerals.given_percent(economics.support_rate_year))],
        [
            say("field.staff"),
            say(
                "requirement.staff",
                fte=draft.wording.numerals.given(economics.staff_fte),
                cost=numerals.money(economics.fte_cost_year, "USD"),
            ),
        ],
        [say("field.month"), say("requirement.month", hours=HOURS_PER_MONTH)],
    ]
    return rows


def _plan_rows(draft: Draft, plan: Configuration) -> list[Row]:
    say = draft.wording.label
    return [
        [say("field.engine"), engine_name(plan.engine, draft.wording.language)],
        [say("field.weights"), format_name(plan.weights, draft.wording.language)],
        [say("field.parallel"), plan_name(draft.wording, plan)],
    ]


def _price_rows(draft: Draft, proposal: Proposal) -> list[Row]:
    say, numerals, economics = draft.wording.label, draft.wording.numerals, draft.quote.economics
    rows: list[Row] = []
    offer = draft.quote.cloud if proposal.answer is draft.quote.main() else draft.quote.training_cloud
    if offer is not None:
        rows.append([say("field.cloud_price"), _cloud_price(draft, offer)])
    if (power := draft.quote.electricity) is not None:
        price = say("requirement.electricity", price=numerals.rate(power.value, power.unit.partition("/")[0]))
        rows.append([say("field.electricity"), _with_origin(draft, price, "electricity", power)])
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
    if draft.quote.vat is None:
        return [*rows, [say("field.vat"), say("vat.not_stated")]]
    recoverable = say("vat.recoverable" if vat_is_recovered(draft) else "vat.not_recoverable")
    tax = f"{numerals.given_percent(draft.quote.vat.value)}, {recoverable}"
    return [*rows, [say("field.vat"), _with_origin(draft, tax, "vat", draft.quote.vat)]]


def vat_is_recovered(draft: Draft) -> bool:
    """What the comparison of schemes assumes: VAT is recovered unless the request says otherwise."""
    vat = draft.quote.economics.vat
    return vat is None or vat.recoverable


def _with_origin(draft: Draft, figure: str, code: str, tariff: UsedTariff) -> str:
    """A tariff with its region, date and source; the user's own says so."""
    say = draft.wording.label
    if tariff.own:
        return f"{figure}, {say('requirement.own')}"
    region = region_name(tariff.region, draft.wording.language)
    subject = say(f"source.{code}", region=region)
    reference = draft.register.cite(subject, tariff.source, as_of=tariff.as_of)
    words = (figure, region, draft.wording.numerals.as_of(tariff.as_of))
    return f"{', '.join(word for word in words if word)} {reference}".strip()


def _cloud_price(draft: Draft, cloud: CloudOffer) -> str:
    """The price of all rented instances together, with their source."""
    wording, say = draft.wording, draft.wording.label
    price, gpus = wording.numerals.rate(cloud.price_per_hour, cloud.currency), wording.count("gpus", cloud.gpus)
    if cloud.own:
        return say("requirement.own_cloud", price=price, gpus=gpus, own=say("requirement.own_price"))
    subject = say("source.cloud", provider=cloud.provider, instance=cloud.instance)
    citation = draft.register.cite(subject, cloud.source, wording.known(f"term.{cloud.term}", cloud.term), cloud.as_of)
    stale = draft.stale_note(cloud)
    told = say(
        "requirement.cloud",
        price=price,
        provider=cloud.provider,
        instances=cloud.instances,
        instance=cloud.instance,
        gpus=gpus,
        citation=citation,
    ).strip()
    return f"{told}; {stale}" if stale else told
