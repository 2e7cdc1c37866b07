"""The way through the house: a request and the catalog go in, a quote comes out."""

from desktop.advisor.cloud_choice import own_price, rent_serving
from desktop.advisor.economics import cost
from desktop.advisor.money_terms import MoneyTerms, money_terms
from desktop.advisor.quote_costs import quote_costs
from desktop.advisor.quote_warnings import quote_warnings
from desktop.advisor.serving_choice import ServingChoice, choose_serving
from desktop.advisor.serving_offer import SPARE
from desktop.advisor.serving_plan import estimate_serving
from desktop.advisor.training_choice import TrainingChoice, choose_training
from desktop.advisor.training_plan import estimate_training
from desktop.advisor.unverified import doubts_of_model
from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import Catalog
from desktop.quote import CatalogStamp, CloudOffer, EstimateResult, Quote
from desktop.request import (
    InferenceNeed,
    InferencePlan,
    Need,
    Policy,
    Problem,
    RecommendRequest,
    TrainingNeed,
    TrainingPlan,
    TrainingRuns,
)

__all__ = ["cost", "estimate", "recommend"]


def estimate(plan: InferencePlan | TrainingPlan, catalog: Catalog) -> EstimateResult:
    """Memory and speed of a fixed plan. Raises Problem where the plan cannot exist or names what is not known."""
    doubts = doubts_of_model(plan.model, catalog, "model")
    result = estimate_serving(plan, catalog) if isinstance(plan, InferencePlan) else estimate_training(plan, catalog)
    return result.model_copy(update={"warnings": result.warnings + doubts}) if doubts else result


def recommend(request: RecommendRequest, catalog: Catalog) -> Quote:
    """Quote for one serving need, one training need, or both.

    With both, the serving plan is what is bought; training is rented in the hybrid scheme and done on machines of its
    own in the on-premise one. Raises Problem: model_missing, same_mode_twice, unknown_model, exchange_rate_missing, …
    """
    needs = sorted(enumerate(request.needs), key=lambda entry: entry[1].mode != "inference")
    if len({need.mode for need in request.needs}) < len(request.needs):
        raise Problem("same_mode_twice", field="needs.1.mode")
    models = {index: _architecture(need, index, catalog) for index, need in needs}
    _check_names(request.policy, catalog)
    terms = money_terms(request.economics, catalog)
    serving: ServingChoice | None = None
    training: TrainingChoice | None = None
    for index, need in needs:
        if isinstance(need, InferenceNeed):
            serving = choose_serving(
                need, models[index], catalog, request.policy, request.economics, terms, request.top, index
            )
        else:
            training = choose_training(
                need, models[index], catalog, request.policy, request.economics, terms, request.top
            )
    answers = tuple(choice.answer for choice in (serving, training) if choice is not None)
    best = answers[0].configurations[0] if answers[0].configurations else None
    cloud = _cloud(serving, training, request, catalog, terms)
    schemes = None
    if best is not None:
        need = answers[0].need
        serves = isinstance(need, InferenceNeed)
        schemes = quote_costs(
            best,
            cloud if serves else None,
            _runs(training, beside_serving=serves) if training is not None else None,
            need if isinstance(need, InferenceNeed) else None,
            request.policy,
            request.economics,
            terms,
            catalog.calibration.servers.cloud_staff.share,
        )
    stamp = CatalogStamp(version=catalog.stamp.version, built=catalog.stamp.built, sha256=catalog.stamp.sha256)
    return Quote(
        id=request.id,
        answers=answers,
        policy=request.policy,
        economics=request.economics,
        schemes=schemes,
        cloud=cloud,
        training_cloud=training.cloud if training is not None and serving is not None else None,
        electricity=terms.electricity,
        vat=terms.vat,
        warnings=quote_warnings(answers, cloud, request, terms, catalog),
        catalog=stamp,
    )


def _architecture(need: Need, index: int, catalog: Catalog) -> DenseDecoder:
    field = f"needs.{index}.model"
    if need.model is None:
        raise Problem("model_missing", field=field)
    for doubt in doubts_of_model(need.model, catalog, field):
        if doubt.code == "model_unverified":  # nothing of it was read: no document may rest on it
            raise Problem(doubt.code, field=field, **doubt.values)
    try:
        return read_architecture(need.model, catalog, field)
    except Problem as problem:
        if problem.field == "model":
            raise Problem(problem.code, field=field, **problem.values) from None
        raise


def _check_names(policy: Policy, catalog: Catalog) -> None:
    for name, listed in (("gpus_allowed", policy.gpus_allowed), ("gpus_banned", policy.gpus_banned)):
        for position, gpu in enumerate(listed):
            catalog.gpu(gpu, field=f"policy.{name}.{position}")


def _cloud(
    serving: ServingChoice | None,
    training: TrainingChoice | None,
    request: RecommendRequest,
    catalog: Catalog,
    terms: MoneyTerms,
) -> CloudOffer | None:
    """What the same service costs to rent."""
    if serving is None:
        return training.cloud if training else None
    configurations = serving.answer.configurations
    own = request.economics.cloud_per_gpu_hour
    offered = rent_serving(serving.carrying, SPARE[request.policy.redundancy], catalog, terms)
    if own is not None and configurations:
        return own_price(configurations[0], offered, own, terms)
    return offered


def _runs(training: TrainingChoice, beside_serving: bool) -> TrainingRuns | None:
    """Training as the schemes price it: rented by the hour, or on a machine of its own beside the serving one."""
    need = training.answer.need
    if training.cloud is None or training.cloud_hours is None or not isinstance(need, TrainingNeed):
        return None
    best = training.answer.configurations[0] if training.answer.configurations else None
    server = best.server if best and beside_serving else None
    return TrainingRuns(
        runs_per_year=need.runs_per_year,
        hours_per_run=training.cloud_hours,
        own_hours_per_run=best.hours_total.value if best and best.hours_total else None,
        cloud_per_hour=training.cloud.price_per_hour,
        capex=best.capex if best and beside_serving else None,
        power_kw_load=server.load_power_w * server.servers / 1000 if server else 0,
        power_kw_idle=server.idle_power_w * server.servers / 1000 if server else 0,
    )
