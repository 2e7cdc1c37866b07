"""Why a serving plan was chosen, which rules it was held against, and what to check before quoting it."""

from decimal import Decimal
from typing import Literal

from desktop.advisor.card import Card
from desktop.advisor.serving_formats import arithmetic_on
from desktop.advisor.serving_search import Candidate, Outcome
from desktop.catalog import Catalog
from desktop.catalog.calibration import Calibration
from desktop.quote import Memory, Message, RuleCheck, Server, ServingSpeed
from desktop.request import InferenceNeed, Policy
from desktop.servers.rack import racks_needed

Meets = Literal["meets", "crosses", "misses", "not_asked"]


def meets(speed: ServingSpeed, need: InferenceNeed) -> Meets:
    """Whether the figures, and their whole ranges, keep both limits."""
    if speed.ttft_s.value > need.ttft_s or speed.tpot_s.value > need.tpot_s:
        return "misses"
    return "meets" if speed.ttft_s.high <= need.ttft_s and speed.tpot_s.high <= need.tpot_s else "crosses"


def checks_of(server: Server, policy: Policy, card: Card, catalog: Catalog) -> tuple[RuleCheck, ...]:
    """The server against the rules of the house and of the room, both sides of each."""
    rules = catalog.calibration.servers
    gpu_bytes = card.card_bytes * server.gpus_per_server
    cores_needed = rules.cpu.cores_per_gpu * server.gpus_per_server
    limit_w = policy.max_rack_kw * 1000
    fits = racks_needed(server.servers, server.rack_units, server.peak_power_w, policy.max_rack_units, limit_w)
    checks = [
        RuleCheck(
            rule="rack_power",
            state="passed" if server.peak_power_w <= limit_w else "broken",
            values={"peak_w": server.peak_power_w, "limit_w": limit_w},
            source="",
        ),
        RuleCheck(
            rule="rack_units",
            state="passed" if server.rack_units <= policy.max_rack_units else "broken",
            values={"units": server.rack_units, "limit": policy.max_rack_units},
            source="",
        ),
        RuleCheck(
            rule="racks",
            state="note" if fits else "broken",
            values={"racks": fits or server.racks},
            source="",
        ),
        RuleCheck(
            rule="cpu_cores",
            state="passed" if server.cpu_cores >= cores_needed else "warning",
            values={"cores": server.cpu_cores, "needed": cores_needed},
            source=rules.cpu.source,
        ),
    ]
    if server.psu_w is not None:
        enough = server.peak_power_w <= server.psu_w
        values = {"peak_w": server.peak_power_w, "psu_w": server.psu_w}
        checks.append(RuleCheck(rule="psu_capacity", state="passed" if enough else "broken", values=values))
    if server.ram_bytes:
        least, minimum = (
            rules.memory.ram_per_gpu_memory * gpu_bytes,
            rules.memory.minimum_ram_per_gpu_memory * gpu_bytes,
        )
        state: Literal["passed", "warning", "broken"] = (
            "passed" if server.ram_bytes >= least else "warning" if server.ram_bytes >= minimum else "broken"
        )
        checks.append(
            RuleCheck(
                rule="ram_twice_gpu_memory",
                state=state,
                values={"ram_bytes": server.ram_bytes, "needed_bytes": least},
                source=rules.memory.source,
            )
        )
    else:
        checks.append(
            RuleCheck(
                rule="ram_not_stated",
                state="warning",
                values={"needed_bytes": rules.memory.ram_per_gpu_memory * gpu_bytes},
                source=rules.memory.source,
            )
        )
    if server.cooling != policy.cooling:
        checks.append(
            RuleCheck(
                rule="cooling",
                state="warning",
                values={"server": server.cooling, "room": policy.cooling},
                source="",
            )
        )
    return tuple(checks)


def why(
    outcome: Outcome,
    cheaper_by: Decimal | None,
    runner_up: str,
    gpus: int,
    load: float,
    need: InferenceNeed,
    currency: str,
) -> tuple[Message, ...]:
    """What decides the plan, most important first."""
    candidate = outcome.candidate
    reasons: list[Message] = []
    if cheaper_by is not None and cheaper_by > 0:
        reasons.append(
            Message(
                code="why_cheapest",
                severity="info",
                values={"less_money": cheaper_by, "currency": currency, "other": runner_up},
            )
        )
    reasons.append(
        Message(
            code="why_replicas",
            severity="info",
            values={
                "replicas": outcome.replicas,
                "load": load,
                "busy_share": need.busy_share,
                "capacity": outcome.capacity_requests_per_s,
            },
        )
    )
    if candidate.tensor > 1:
        reasons.append(Message(code="why_tensor", severity="info", values={"gpus": candidate.tensor}))
    spare = gpus // candidate.tensor - outcome.replicas
    if spare:
        reasons.append(Message(code="why_spare", severity="info", values={"spare": spare}))
    reasons.append(
        Message(
            code="why_format",
            severity="info",
            values={"format": candidate.storage.name, "reason": candidate.storage.quality},
        )
    )
    return tuple(reasons)


def order_warnings(server: Server, checks: tuple[RuleCheck, ...]) -> tuple[Message, ...]:
    """What is wrong with any order: a rule of the site that it breaks, and lines nobody priced, which make its total
    incomplete."""
    missing = sum(line.price.kind == "none" for line in server.lines)
    unpriced = (Message(code="lines_without_price", severity="error", values={"count": missing}),) if missing else ()
    broken = sum(check.state == "broken" for check in checks)
    if not broken:
        return unpriced
    return (Message(code="breaks_site_rule", severity="error", values={"count": broken}), *unpriced)


def not_measured(card: Card, calibration: Calibration) -> tuple[Message, ...]:
    """Said where no published run of the engine on this GPU stands behind the speed."""
    if card.rates.measured and card.gpu.id in calibration.serving_speed.vllm.range.measured_gpus:
        return ()
    return (Message(code="speed_not_measured", severity="info", values={"gpu": card.gpu.short}),)


def warnings_of(
    candidate: Candidate,
    server: Server,
    checks: tuple[RuleCheck, ...],
    memory: Memory,
    speed: ServingSpeed,
    need: InferenceNeed,
    catalog: Catalog,
) -> tuple[Message, ...]:
    """What to check before quoting, most costly first. Fields of the need are told by their bare names."""
    card, found = candidate.card, list(order_warnings(server, checks))
    if "GeForce" in card.gpu.name:
        found.append(Message(code="geforce_licence", rule="article_11", values={"gpu": card.gpu.name}))
    if server.servers == 1:
        found.append(Message(code="one_server", severity="warning", field="policy.redundancy"))
    if memory.verdict == "tight":
        found.append(
            Message(code="memory_tight", values={"free_bytes": memory.usable_bytes - memory.required_bytes.value})
        )
    if speed.ttft_s.high > need.ttft_s:
        found.append(
            Message(
                code="ttft_range_crosses",
                field="ttft_s",
                values={"high_s": speed.ttft_s.high, "limit_s": need.ttft_s},
            )
        )
    if speed.tpot_s.high > need.tpot_s:
        found.append(
            Message(
                code="tpot_range_crosses",
                field="tpot_s",
                values={"high_s": speed.tpot_s.high, "limit_s": need.tpot_s},
            )
        )
    found.append(
        Message(code="latency_is_mean", severity="info", field="percentile", values={"percentile": need.percentile})
    )
    if memory.part_bytes("kv_cache") > memory.part_bytes("weights"):
        found.append(
            Message(
                code="kv_exceeds_weights",
                severity="info",
                rule="article_15",
                values={"kv_bytes": memory.part_bytes("kv_cache"), "weight_bytes": memory.part_bytes("weights")},
            )
        )
    found += not_measured(card, catalog.calibration)
    found += arithmetic_on(candidate.storage, card.gpu)[1]
    return tuple(found)
