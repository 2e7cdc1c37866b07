"""The cheapest way to serve a need over all GPUs of the catalog, the runners-up, and why each of the others lost."""

from dataclasses import dataclass

from desktop.advisor.card import Card
from desktop.advisor.eligibility import eligible_cards, lost
from desktop.advisor.engine_defaults import context_beyond_model, era_of
from desktop.advisor.load import peak_requests_per_s
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.order_rank import behind, rank
from desktop.advisor.server_offer import order_terms
from desktop.advisor.serving_configuration import ServingBuilder
from desktop.advisor.serving_formats import weight_format
from desktop.advisor.serving_losses import engine_refuses, shortfall
from desktop.advisor.serving_offer import Offer, serving_offer
from desktop.advisor.serving_search import TENSOR, Outcome, candidates_of, outcomes_of
from desktop.advisor.unused_fields import unused_in_engine
from desktop.architectures import DenseDecoder
from desktop.catalog import Catalog
from desktop.quote import NeedAnswer, Rejection
from desktop.request import Economics, InferenceNeed, Policy, Problem


@dataclass(frozen=True, slots=True)
class ServingChoice:
    """The answer for a serving need, and what would carry the same load on every GPU, for renting it."""

    answer: NeedAnswer
    carrying: tuple[Outcome, ...]


def choose_serving(
    need: InferenceNeed,
    architecture: DenseDecoder,
    catalog: Catalog,
    policy: Policy,
    economics: Economics,
    terms: MoneyTerms,
    top: int,
    index: int,
) -> ServingChoice:
    """Configurations best first, and a rejection with its first reason for every other GPU of the catalog.

    A plan is sized for the peak with the spare replicas down; ranked by what it costs over the horizon, plans that
    break a rule of the house after those that do not. Raises Problem for an engine or format that cannot be sized.
    """
    field = f"needs.{index}"
    era, remarks = era_of(need.engine, catalog.calibration.serving_memory, f"{field}.engine")
    formats = tuple(weight_format(name, architecture, catalog.calibration, f"{field}.weights") for name in need.weights)
    _check_context(need, field)
    asked = need.engine.max_context or need.context or need.input_tokens + need.output_tokens
    remarks += context_beyond_model(asked, architecture, f"{field}.context")
    remarks += unused_in_engine(need.engine, f"{field}.engine")
    load = peak_requests_per_s(need, policy)
    cards, rejected = eligible_cards(catalog, policy, lambda gpu: engine_refuses(gpu, era))
    found = {
        card.gpu.id: candidates_of(card, architecture, need, formats, era, catalog.calibration, _widest(card, catalog))
        for card in cards
    }
    flat = tuple(candidate for group in found.values() for candidate in group)
    by_gpu: dict[str, list[Outcome]] = {card.gpu.id: [] for card in cards}
    for outcome in outcomes_of(flat, need, load, catalog.calibration):
        by_gpu[outcome.candidate.card.gpu.id].append(outcome)

    order = order_terms(catalog, policy, terms, training=False)
    offers: list[Offer] = []
    closest: list[tuple[float, Outcome, Rejection]] = []
    for card in cards:
        outcomes = by_gpu[card.gpu.id]
        carrying = [one for one in outcomes if one.replicas]
        if carrying:
            offer = serving_offer(carrying, architecture, economics, order)
            if isinstance(offer, Offer):
                offers.append(offer)
            else:
                rejected.append(lost(card.gpu, offer))
            continue
        distance, nearest, reason = shortfall(outcomes, need)
        rejection = lost(card.gpu, reason)
        rejected.append(rejection)
        if nearest is not None:
            closest.append((distance, nearest, rejection))

    offers.sort(key=lambda offer: (*rank(offer), offer.outcome.candidate.card.gpu.id))
    model_id = _model_id(need, architecture, catalog)
    build = ServingBuilder(need, architecture, catalog, policy, economics, terms, era, remarks, load, model_id, field)
    configurations = tuple(build.configuration(offer, offers) for offer in offers[:top])
    for offer in offers[top:]:
        rejected.append(lost(offer.outcome.candidate.card.gpu, behind(offer, offers[0], offer.gpus, terms)))
    if not configurations and closest:
        _, outcome, nearest_lost = min(closest, key=lambda entry: entry[0])
        rejected = [
            nearest_lost.model_copy(update={"nearest": build.unfit(outcome)}),
            *(other for other in rejected if other is not nearest_lost),
        ]
    answer = NeedAnswer(
        need=need,
        model_name=architecture.name,
        parameters=architecture.parameters(),
        active_parameters=architecture.parameters(),
        peak_requests_per_s=load,
        configurations=configurations,
        rejected=tuple(rejected),
    )
    return ServingChoice(
        answer=answer, carrying=tuple(one for group in by_gpu.values() for one in group if one.replicas)
    )


def _widest(card: Card, catalog: Catalog) -> int:
    """Most GPUs that may share one replica: those of the largest server that takes this card, or of any where none
    does."""
    return max((platform.max_gpus for platform in catalog.platforms_for(card.gpu.id)), default=max(TENSOR))


def _check_context(need: InferenceNeed, field: str) -> None:
    """An engine refuses a request that is longer than the context it was started with."""
    needed = need.input_tokens + need.output_tokens
    for name, context in (("context", need.context), ("engine.max_context", need.engine.max_context)):
        if context is not None and context < needed:
            raise Problem("context_too_short", field=f"{field}.{name}", context=context, needed=needed)


def _model_id(need: InferenceNeed, architecture: DenseDecoder, catalog: Catalog) -> str:
    """What the engine is told to load: the Hub id of a catalog model, the folder or name of the customer's own."""
    if isinstance(need.model, str):
        record = catalog.model(need.model)
        return record.hf_id or record.name
    return architecture.name
