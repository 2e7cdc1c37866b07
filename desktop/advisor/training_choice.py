"""The cheapest way to train within the deadline over all GPUs of the catalog, owned and rented."""

from dataclasses import dataclass
from decimal import Decimal

from desktop.advisor.cloud_choice import rent_gpus
from desktop.advisor.eligibility import eligible_cards, lost
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.order_rank import behind, rank
from desktop.advisor.running_cost import training_month
from desktop.advisor.server_offer import OrderTerms, Wanted, no_offer, offer_server, order_terms
from desktop.advisor.serving_reasons import checks_of, order_warnings
from desktop.advisor.site_limits import PricedServer, fabric_missing, rack_power_cost
from desktop.advisor.tiers import training_tier
from desktop.advisor.training_rates import assumed_fabric_gbps, has_precision
from desktop.advisor.training_runs import TrainingRun, run_result, training_runs
from desktop.architectures import DenseDecoder
from desktop.catalog import Catalog
from desktop.catalog.records import Gpu
from desktop.catalog.training_calibration import load_training_calibration
from desktop.quote import CloudOffer, Configuration, Message, NeedAnswer, Rejection, Server, TrainingSpeed
from desktop.request import Economics, Policy, TrainingNeed
from desktop.servers.power import heat_btu_per_hour
from desktop.sizing.weights import disk_bytes
from desktop.units import money

TRAINING_VENDORS = ("NVIDIA", "AMD")


@dataclass(frozen=True, slots=True)
class TrainingChoice:
    """The answer for a training need; `cloud` and `cloud_hours` are the cheapest way to rent one run."""

    answer: NeedAnswer
    cloud: CloudOffer | None
    cloud_hours: float | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan that meets the deadline, as an order."""

    run: TrainingRun
    server: Server
    opex_month: Decimal
    total_cost: Decimal
    broken: bool


def choose_training(
    need: TrainingNeed,
    architecture: DenseDecoder,
    catalog: Catalog,
    policy: Policy,
    economics: Economics,
    terms: MoneyTerms,
    top: int,
) -> TrainingChoice:
    """Machines to buy, best first, the cheapest one to rent, and a rejection for every other GPU.

    Of each GPU the smallest number that fits and meets the deadline is taken.
    Raises Problem: invalid_plan, unsupported.
    """
    cards, rejected = eligible_cards(catalog, policy, lambda gpu: _framework_refuses(gpu, need.precision))
    runs = training_runs(cards, need, architecture, catalog)
    in_time = [run for run in runs if run.in_time(need.deadline_hours)]
    late = [run for run in runs if not run.in_time(need.deadline_hours)]
    order = order_terms(catalog, policy, terms, training=True)
    stored = _stored_bytes(in_time, architecture, catalog)
    offers: list[Offer] = []
    for run in in_time:
        offer = _offer(run, stored, need, economics, order)
        if offer is None:
            rejected.append(lost(run.card.gpu, no_offer(run.card.gpu, catalog)))
        else:
            offers.append(offer)
    offers.sort(key=lambda offer: (*rank(offer), offer.run.card.gpu.id))
    configurations = tuple(
        _configuration(offer, offers, need, architecture, catalog, policy, terms) for offer in offers[:top]
    )
    rejected += [lost(o.run.card.gpu, behind(o, offers[0], o.run.gpus, terms)) for o in offers[top:]]
    rejected += [lost(run.card.gpu, _late(run, need)) for run in late]
    if not configurations and runs:
        rejected = _with_nearest(rejected, runs, need, architecture, catalog)
    answer = NeedAnswer(
        need=need,
        model_name=architecture.name,
        parameters=architecture.parameters(),
        active_parameters=architecture.parameters(),
        configurations=configurations,
        rejected=tuple(rejected),
    )
    cloud, hours = _rented(in_time, catalog, terms)
    return TrainingChoice(answer=answer, cloud=cloud, cloud_hours=hours)


def _framework_refuses(gpu: Gpu, precision: str) -> Message | None:
    if not has_precision(precision, gpu):
        return Message(code="lost_precision", severity="info", values={"precision": precision})
    if gpu.vendor not in TRAINING_VENDORS:
        return Message(code="lost_framework", severity="info", values={"vendor": gpu.vendor})
    return None


def _stored_bytes(runs: list[TrainingRun], architecture: DenseDecoder, catalog: Catalog) -> int:
    """The model that is trained, and a resumable checkpoint of it, the same whatever it is trained on [B]."""
    memory = run_result(runs[0], architecture, catalog).memory if runs else None
    saved = memory.checkpoint_bytes["resumable"] if memory and memory.checkpoint_bytes else 0
    return saved + disk_bytes(architecture, catalog.calibration.weight_formats["bf16"])


def _offer(
    run: TrainingRun, stored_bytes: int, need: TrainingNeed, economics: Economics, terms: OrderTerms
) -> Offer | None:
    server = offer_server(Wanted(run.card, run.gpus, tensor=1, stored_bytes=stored_bytes), terms)
    if server is None:
        return None
    opex = training_month(server, need.runs_per_year, run.hours, economics, terms.money)
    left = money(server.net * Decimal(str(economics.residual_rate)))
    broken = any(check.state == "broken" for check in checks_of(server, terms.policy, run.card, terms.catalog))
    return Offer(run, server, opex, server.net + opex * economics.horizon_months - left, broken)


def _configuration(
    offer: Offer,
    offers: list[Offer],
    need: TrainingNeed,
    architecture: DenseDecoder,
    catalog: Catalog,
    policy: Policy,
    terms: MoneyTerms,
) -> Configuration:
    run, server = offer.run, offer.server
    fabric_gbps = assumed_fabric_gbps(run.card, load_training_calibration().speed)
    power = server.peak_power_w * server.servers
    bare = _bare(run, need, architecture, catalog)
    checks = checks_of(server, policy, run.card, catalog)
    return bare.model_copy(
        update={
            "gpus": server.servers * server.gpus_per_server,
            "nodes": server.servers,
            "server": server,
            "power_w": power,
            "heat_btu_h": float(heat_btu_per_hour(power)),
            "rack_units": server.rack_units * server.servers,
            "weight_kg": None if server.weight_kg is None else server.weight_kg * server.servers,
            "currency": terms.currency,
            "capex": server.net,
            "opex_month": offer.opex_month,
            "total_cost": offer.total_cost,
            "rules": checks,
            "warnings": order_warnings(server, checks)
            + rack_power_cost(_priced(offer), map(_priced, offers), policy, terms.currency)
            + fabric_missing(server.servers, fabric_gbps)
            + bare.warnings,
        }
    )


def _bare(run: TrainingRun, need: TrainingNeed, architecture: DenseDecoder, catalog: Catalog) -> Configuration:
    """The plan without money: what is shown of a plan that is late or does not fit."""
    result = run_result(run, architecture, catalog)
    speed = result.speed if isinstance(result.speed, TrainingSpeed) else None
    hours = speed.hours_total if speed else None
    limit = need.deadline_hours
    reason = Message(
        code="why_deadline",
        severity="info",
        values={"value_hours": hours.value if hours else None, "limit_hours": limit},
    )
    return Configuration(
        gpu=run.card.gpu.id,
        gpu_short=run.card.gpu.short,
        gpus=run.gpus,
        replicas=1,
        nodes=1,
        parallel=run.plan.parallel,
        weights=run.plan.base_weights or "bf16",
        engine=f"{need.framework.name} {need.framework.version}".strip(),
        memory=result.memory,
        training_plan=run.plan,
        speed=speed,
        meets="misses" if hours is None or hours.value > limit else "crosses" if hours.high > limit else "meets",
        tier=training_tier(architecture.parameters()),
        hours_total=hours,
        why=(reason,) if hours else (),
        warnings=result.warnings,
    )


def _late(run: TrainingRun, need: TrainingNeed) -> Message:
    if run.hours == float("inf"):
        values = {
            "required_bytes": run.required_bytes,
            "usable_bytes": run.card.visible_bytes,
            "gpus": run.gpus,
            "format": run.plan.base_weights or "bf16",
        }
        return Message(code="lost_does_not_fit", severity="info", values=values)
    values = {"value_hours": run.hours, "limit_hours": need.deadline_hours, "gpus": run.gpus}
    return Message(code="lost_deadline", severity="info", values=values)


def _with_nearest(
    rejected: list[Rejection],
    runs: tuple[TrainingRun, ...],
    need: TrainingNeed,
    architecture: DenseDecoder,
    catalog: Catalog,
) -> list[Rejection]:
    """The rejections with the plan first that comes closest."""
    nearest = min(runs, key=lambda run: (run.hours, run.required_bytes / run.card.visible_bytes))
    first = next(one for one in rejected if one.gpu == nearest.card.gpu.id)
    shown = first.model_copy(update={"nearest": _bare(nearest, need, architecture, catalog)})
    return [shown, *(one for one in rejected if one is not first)]


def _rented(runs: list[TrainingRun], catalog: Catalog, terms: MoneyTerms) -> tuple[CloudOffer | None, float | None]:
    """The run that costs least to rent."""
    rented = [
        (offer.price_per_hour * Decimal(str(run.hours)), run.hours, offer)
        for run in runs
        if (offer := rent_gpus(run.card.gpu.id, run.gpus, catalog, terms)) is not None
    ]
    if not rented:
        return None, None
    _, hours, offer = min(rented, key=lambda entry: entry[0])
    return offer, hours


def _priced(offer: Offer) -> PricedServer:
    return PricedServer(offer.run.card.gpu.short, offer.server, offer.total_cost)
