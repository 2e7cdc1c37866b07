"""An order becomes the record the quote shows: memory that explains itself, speed with ranges, money, reasons."""

from dataclasses import dataclass

from desktop.advisor.load import mean_requests_per_s
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.order_rank import comparable
from desktop.advisor.serving_answer import memory_answer, ranges_of, speed_answer, spread
from desktop.advisor.serving_formats import BF16_FROM, kv_bytes
from desktop.advisor.serving_offer import Offer
from desktop.advisor.serving_reasons import checks_of, meets, warnings_of, why
from desktop.advisor.serving_search import Candidate, Outcome
from desktop.advisor.site_limits import PricedServer, rack_power_cost
from desktop.advisor.tiers import inference_tier
from desktop.architectures import DenseDecoder
from desktop.catalog import Catalog
from desktop.catalog.calibration import EngineEra
from desktop.catalog.stack_facts import load_stack
from desktop.quote import Configuration, Message, ServingSpeed
from desktop.request import Economics, InferenceNeed, Policy, ServingParallel
from desktop.servers.power import heat_btu_per_hour
from desktop.sizing.serving_memory import serving_memory
from desktop.sizing.serving_speed import closed_loop
from desktop.sizing.weights import disk_bytes
from desktop.stacks.launch import LaunchPlan, launch_command
from desktop.units import HOURS_PER_MONTH, money

MILLION = 10**6


@dataclass(frozen=True, slots=True)
class ServingBuilder:
    """Turns offers into the records of the quote."""

    need: InferenceNeed
    architecture: DenseDecoder
    catalog: Catalog
    policy: Policy
    economics: Economics
    terms: MoneyTerms
    era: EngineEra
    remarks: tuple[Message, ...]
    load: float
    model_id: str
    field: str

    def configuration(self, offer: Offer, offers: list[Offer]) -> Configuration:
        outcome, server, candidate = offer.outcome, offer.server, offer.outcome.candidate
        replicas = outcome.replicas
        bare = self._bare(candidate, outcome.batch, replicas)
        speed = self._speed(candidate, outcome.batch, replicas)
        served = mean_requests_per_s(self.need, self.policy) * 3600 * HOURS_PER_MONTH * self.economics.utilization
        tokens = served * self.economics.horizon_months * (self.need.input_tokens + self.need.output_tokens)
        factors = ranges_of(self.catalog.calibration, candidate.card.gpu, self.era)["throughput"]
        checks = checks_of(server, self.policy, candidate.card, self.catalog)
        power = server.peak_power_w * server.servers
        later = offers[1] if offer is offers[0] and len(offers) > 1 else None
        runner_up = later if later is not None and comparable(later, offer) else None
        return bare.model_copy(
            update={
                "gpus": offer.gpus,
                "replicas": replicas,
                "spare_replicas": offer.gpus // candidate.tensor - replicas,
                "nodes": server.servers,
                "speed": speed,
                "concurrency_per_replica": outcome.batch,
                "capacity_requests_per_s": spread(outcome.capacity_requests_per_s * replicas, factors),
                "meets": meets(speed, self.need),
                "server": server,
                "power_w": power,
                "heat_btu_h": float(heat_btu_per_hour(power)),
                "rack_units": server.rack_units * server.servers,
                "weight_kg": None if server.weight_kg is None else server.weight_kg * server.servers,
                "currency": self.terms.currency,
                "capex": server.net,
                "opex_month": offer.opex_month,
                "total_cost": offer.total_cost,
                "cost_per_million_tokens": money(float(offer.total_cost) / tokens * MILLION, "0.0001")
                if tokens
                else None,
                "why": why(
                    offer.outcome,
                    runner_up.total_cost - offer.total_cost if runner_up is not None else None,
                    runner_up.outcome.candidate.card.gpu.short if runner_up is not None else "",
                    offer.gpus,
                    self.load,
                    self.need,
                    self.terms.currency,
                ),
                "rules": checks,
                "warnings": self.remarks
                + rack_power_cost(_priced(offer), map(_priced, offers), self.policy, self.terms.currency)
                + self._placed(warnings_of(candidate, server, checks, bare.memory, speed, self.need, self.catalog)),
            }
        )

    def unfit(self, outcome: Outcome) -> Configuration:
        """The nearest plan where nothing is proposed: its memory, its speed if it fits, and no money."""
        candidate = outcome.candidate
        bare = self._bare(candidate, 1, 1)
        if bare.memory.verdict == "does_not_fit" or not candidate.sequences:
            return bare
        speed = self._speed(candidate, 1, 1)
        return bare.model_copy(update={"speed": speed, "meets": meets(speed, self.need), "concurrency_per_replica": 1})

    def _bare(self, candidate: Candidate, sequences: int, replicas: int) -> Configuration:
        card, need = candidate.card, self.need
        calibration = self.catalog.calibration
        # a plan whose pool does not hold one longest request is shown with that request
        longest = candidate.engine.max_context
        tokens = min(longest, need.input_tokens + need.output_tokens) if candidate.sequences else longest
        key, value = kv_bytes(need.kv_cache, candidate.storage, calibration)
        plan = serving_memory(
            self.architecture,
            candidate.storage,
            key,
            value,
            candidate.tensor,
            1,
            card.visible_bytes,
            card.is_amd,
            candidate.engine,
            self.era,
            calibration.serving_memory,
            sequences,
            tokens,
        )
        memory = memory_answer(
            plan,
            self.architecture,
            candidate.storage,
            candidate.engine,
            self.era,
            calibration,
            card.card_bytes,
            candidate.tensor,
            sequences,
            tokens,
            replicas,
            disk_bytes(self.architecture, candidate.storage),
        )
        if not candidate.sequences:
            memory = memory.model_copy(update={"verdict": "does_not_fit"})
        return Configuration(
            gpu=card.gpu.id,
            gpu_short=card.gpu.short,
            gpus=candidate.tensor,
            replicas=1,
            nodes=1,
            parallel=ServingParallel(tensor=candidate.tensor),
            weights=candidate.storage.name,
            engine=f"{need.engine.name} {need.engine.version or self.era.calibrated}",
            memory=memory,
            launch_command=self._launch(candidate),
            tier=inference_tier(self.architecture.parameters(), sequences * replicas),
        )

    def _speed(self, candidate: Candidate, batch: int, replicas: int) -> ServingSpeed:
        calibration = self.catalog.calibration
        loop = closed_loop(candidate.speed, calibration.serving_speed.vllm, batch, batch)
        ranges = ranges_of(calibration, candidate.card.gpu, self.era)
        return speed_answer(candidate.speed, loop, calibration, ranges, replicas, batch, batch, has_room=True)

    def _placed(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Messages about fields of the need, seen from the whole request."""
        own = type(self.need).model_fields
        return tuple(
            one.model_copy(update={"field": f"{self.field}.{one.field}"}) if one.field in own else one
            for one in messages
        )

    def _launch(self, candidate: Candidate) -> tuple[str, ...]:
        engine, gpu = candidate.engine, candidate.card.gpu
        no_bf16 = gpu.vendor == "NVIDIA" and (gpu.cuda_compute_capability or 0) < BF16_FROM
        plan = LaunchPlan(
            model=self.model_id,
            checkpoint=self.architecture.checkpoint_format,
            weights=candidate.storage.name,
            kv_cache=self.need.kv_cache,
            tensor=candidate.tensor,
            pipeline=1,
            memory_fraction=engine.fraction,
            max_context=engine.max_context,
            max_sequences=engine.max_sequences,
            max_batched_tokens=engine.max_batched_tokens,
            cuda_graphs=engine.cuda_graphs,
            fp16_instead=no_bf16,
        )
        return launch_command(plan, load_stack(self.need.engine.name))


def _priced(offer: Offer) -> PricedServer:
    return PricedServer(offer.outcome.candidate.card.gpu.short, offer.server, offer.total_cost)
