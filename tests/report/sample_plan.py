"""The plan of the made-up quote: memory from the model's dimensions, an order from a fictional price list."""

from decimal import Decimal
from typing import Any

from desktop.catalog.ageing import limit_days
from desktop.quote import (
    BomLine,
    ByteRange,
    Component,
    Configuration,
    Memory,
    Message,
    NeedAnswer,
    Price,
    Range,
    RankMemory,
    Rejection,
    RuleCheck,
    Server,
    ServingSpeed,
    TrainingSpeed,
)
from desktop.request import (
    Economics,
    InferenceNeed,
    Policy,
    ServingParallel,
    TrainingNeed,
    TrainingParallel,
    Vat,
)
from desktop.units import GIB, money

PARAMETERS = 70_553_706_496
EMBEDDINGS = 2 * 128_256 * 8_192
WEIGHT_BYTES = (PARAMETERS - EMBEDDINGS + 2 * EMBEDDINGS) // 2
KV_BYTES_PER_TOKEN = 2 * 80 * 8 * 128 * 2
CONCURRENCY, TOKENS = 32, 4_500
CARD = 150_121_488_384
USABLE = CARD * 9 // 10
SERVERS = 2
VAT_RATE = Decimal("0.20")

SERVING = InferenceNeed(
    model="Llama-3.1-70B",
    users=800,
    requests_per_user_hour=6,
    peak_factor=3,
    input_tokens=4000,
    output_tokens=500,
    context=32768,
    ttft_s=1.5,
    tpot_s=0.05,
    weights=("fp8", "bf16"),
)
TRAINING = TrainingNeed(mode="training", model="Llama-3.1-8B", method="full", tokens=2_000_000_000, deadline_hours=96)
ECONOMICS = Economics(
    utilization=0.6,
    discount_rate=0.12,
    pue=1.4,
    electricity_per_kwh=Decimal("0.09"),
    staff_fte=0.2,
    fte_cost_year=Decimal("60000"),
    vat=Vat(rate=VAT_RATE),
)
POLICY = Policy(data_must_stay_on_site=True, stage="production", growth=1.1)

PRICE_LIST = [
    (
        "chassis",
        "Northgate NG-4208, 4U",
        "2 × SP5, 8 × PCIe 5.0 ×16, 4 × 2700 W (2+2)",
        1,
        "9850",
        "quote",
        "2026-11-24",
        "Northgate Systems, quote Q-88213",
    ),
    (
        "gpu",
        "NVIDIA H200 NVL 141GB",
        "PCIe 5.0, 600 W, passive",
        4,
        "30900",
        "quote",
        "2026-11-24",
        "Northgate Systems, quote Q-88213",
    ),
    ("cpu", "AMD EPYC 9354", "32 cores, 280 W", 2, "2480", "quote", "2026-11-24", "Northgate Systems, quote Q-88213"),
    ("memory", "64 GB DDR5-5600 RDIMM", "", 24, "1140", "street", "2026-11-27", "three distributors, median"),
    ("storage", "NVMe 7.68 TB U.2", "PCIe 5.0, 1 DWPD", 4, "1365", "street", "2026-11", "three distributors, median"),
    ("boot", "M.2 960 GB", "", 2, "195", "list", "2026-Q3", "vendor price list"),
    ("network", "ConnectX-6 Lx 2 × 25 GbE", "", 1, "415", "quote", "2026-11-24", "Northgate Systems, quote Q-88213"),
    ("companions", "", "rails, cables, power cords", 1, "675", "list", "2026-Q3", "vendor price list"),
]


def memory(verdict: str = "fits", gpus: int = 2, tokens: int = TOKENS) -> Memory:
    kv_bytes = CONCURRENCY * tokens * KV_BYTES_PER_TOKEN // gpus
    parts = (
        Component(
            component="weights",
            bytes=WEIGHT_BYTES * 2 // gpus,
            formula="(linear · 1 B + embeddings · 2 B) / tensor",
            inputs={"linear": PARAMETERS - EMBEDDINGS, "embeddings": EMBEDDINGS, "tensor": gpus},
            source="config.json",
        ),
        Component(
            component="kv_cache",
            bytes=kv_bytes,
            formula="sequences · tokens · 2 · layers · kv_heads · head_dim · 2 B / tensor",
            inputs={
                "sequences": CONCURRENCY,
                "tokens": tokens,
                "layers": 80,
                "kv_heads": 8,
                "head_dim": 128,
                "tensor": gpus,
            },
            source="arXiv:2309.06180",
        ),
        Component(
            component="activations",
            bytes=2_061_584_302,
            formula="profiled peak at 8,192 tokens",
            inputs={"max_batched_tokens": 8192},
            source="start-up logs of vLLM 0.19",
        ),
        Component(
            component="cuda_graphs",
            bytes=923_417_968,
            formula="layers · 0.011 GiB",
            inputs={"layers": 80},
            source="start-up logs of vLLM 0.19",
        ),
        Component(component="runtime", bytes=654_982_512, formula="measured"),
        Component(component="communication", bytes=365_072_220, formula="measured"),
    )
    required = sum(part.bytes for part in parts)
    pool = USABLE - (required - kv_bytes)
    held = pool // (KV_BYTES_PER_TOKEN // gpus)
    return Memory(
        verdict=verdict,
        card_bytes=CARD,
        usable_bytes=USABLE,
        reserved_bytes=max(USABLE, 0) if verdict != "does_not_fit" else 0,
        required_bytes=ByteRange(low=required * 97 // 100, value=required, high=required * 104 // 100),
        worst_rank=0,
        per_gpu=(RankMemory(rank=0, ranks=3 * gpus, components=parts),),
        kv_bytes_per_token=KV_BYTES_PER_TOKEN // gpus,
        kv_pool_bytes=max(pool, 0),
        kv_capacity_tokens=3 * max(held, 0),
        max_concurrency=3 * max(held, 0) / 32_768,
    )


def server(**changes: Any) -> Server:
    lines = tuple(
        BomLine(
            group=group,
            part=part,
            description=description,
            per_server=count,
            total=count * SERVERS,
            unit_price=Decimal(unit),
            amount=money(Decimal(unit) * count * SERVERS),
            verification="read",
            price=Price(
                unit=Decimal(unit),
                low=Decimal(unit),
                high=Decimal(unit),
                kind=kind,
                as_of=as_of,
                source=source,
                stale_after_days=limit_days(group),
            ),
        )
        for group, part, description, count, unit, kind, as_of, source in PRICE_LIST
    )
    return order(lines, **changes)


def order(lines: tuple[BomLine, ...], **changes: Any) -> Server:
    net = sum((line.amount for line in lines), Decimal(0))
    vat = sum((money(line.amount * VAT_RATE) for line in lines), Decimal(0))
    values: dict[str, Any] = {
        "platform": "NG-4208",
        "vendor": "Northgate",
        "servers": SERVERS,
        "gpus_per_server": 4,
        "rack_units": 4,
        "weight_kg": 46.0,
        "cooling": "air",
        "cpu": "AMD EPYC 9354",
        "cpu_cores": 64,
        "ram_bytes": 24 * 64 * GIB,
        "nvme_bytes": 4 * 7_680 * 10**9,
        "lines": lines,
        "peak_power_w": 4054.0,
        "load_power_w": 2900.0,
        "idle_power_w": 820.0,
        "racks": 1,
        "net": net,
        "net_low": money(net * Decimal("0.92")),
        "net_high": money(net * Decimal("1.15")),
        "vat_rate": VAT_RATE,
        "vat": vat,
        "gross": net + vat,
        "currency": "USD",
        "source": "Northgate NG-4208 data sheet, 2026",
    }
    return Server(**(values | changes))


def speed() -> ServingSpeed:
    return ServingSpeed(
        ttft_s=Range(low=0.62, value=0.84, high=1.12),
        tpot_s=Range(low=0.026, value=0.031, high=0.038),
        output_tokens_per_s=Range(low=800, value=1000, high=1250),
        total_tokens_per_s=Range(low=7200, value=9000, high=11250),
        requests_per_s=Range(low=1.6, value=2.0, high=2.5),
        prompt_tokens_per_s_single=Range(low=6800, value=8200, high=9900),
        decode_tokens_per_s_single=Range(low=44, value=52, high=61),
        bound_by="memory",
    )


def plan(**changes: Any) -> Configuration:
    built = server()
    values: dict[str, Any] = {
        "gpu": "nvidia-h200-nvl-141gb",
        "gpu_short": "H200 NVL 141GB",
        "gpus": 8,
        "replicas": 3,
        "spare_replicas": 1,
        "nodes": SERVERS,
        "parallel": ServingParallel(tensor=2),
        "weights": "fp8",
        "engine": "vllm 0.19.0",
        "memory": memory(),
        "speed": speed(),
        "concurrency_per_replica": CONCURRENCY,
        "capacity_requests_per_s": Range(low=4.8, value=6.0, high=7.5),
        "meets": "meets",
        "tier": "inference_2",
        "server": built,
        "power_w": 8108.0,
        "heat_btu_h": 27664.5,
        "rack_units": 8,
        "weight_kg": 92.0,
        "capex": built.net,
        "opex_month": Decimal("5400"),
        "total_cost": built.net + 36 * Decimal("5400"),
        "cost_per_million_tokens": Decimal("0.86"),
        "why": (
            Message(
                code="why_cheapest", values={"less_money": Decimal("12400"), "currency": "USD", "other": "H100 SXM"}
            ),
            Message(code="why_tensor", values={"gpus": 2}),
            Message(code="why_spare", values={"spare": 1}),
            Message(code="why_format", values={"format": "fp8", "reason": "nearly_lossless"}),
        ),
        "rules": (
            RuleCheck(rule="rack_power", state="passed", values={"peak_w": 4054.0, "limit_w": 10_000.0}),
            RuleCheck(rule="cpu_cores", state="passed", values={"cores": 64, "needed": 24}, source="house rule"),
            RuleCheck(rule="cooling", state="warning", values={"server": "liquid", "room": "air"}),
        ),
        "warnings": (
            Message(
                code="kv_exceeds_weights", severity="warning", values={"kv_bytes": 40 * GIB, "weight_bytes": 34 * GIB}
            ),
        ),
    }
    return Configuration(**(values | changes))


def rejected() -> tuple[Rejection, ...]:
    too_long = Message(code="context_beyond_model", values={"asked": 262_144, "model": 131_072})
    unverified = Message(code="gpu_unverified", values={"gpu": "Ascend 910B"})
    no_server = Message(code="lost_no_platform")
    return (
        Rejection(gpu="nvidia-l40s", gpu_short="L40S", reason=too_long),
        Rejection(gpu="huawei-ascend-910b", gpu_short="Ascend 910B", reason=unverified),
        Rejection(gpu="nvidia-a2", gpu_short="A2", reason=no_server),
        Rejection(gpu="nvidia-t4", gpu_short="T4", reason=no_server),
    )


def answer(**changes: Any) -> NeedAnswer:
    other = plan(
        gpu="NVIDIA H100 SXM5 80GB",
        gpu_short="H100 SXM",
        gpus=16,
        capex=Decimal("612000"),
        total_cost=Decimal("840000"),
    )
    values: dict[str, Any] = {
        "need": SERVING,
        "model_name": "Llama-3.1-70B-Instruct",
        "parameters": PARAMETERS,
        "active_parameters": PARAMETERS,
        "peak_requests_per_s": 4.4,
        "configurations": (plan(), other),
        "rejected": rejected(),
    }
    return NeedAnswer(**(values | changes))


def training_answer() -> NeedAnswer:
    states = tuple(
        Component(
            component=name,
            bytes=size * GIB,
            formula="parameters · bytes / GPUs",
            inputs={"parameters": 8_030_261_248, "gpus": 8},
            source="arXiv:1910.02054",
        )
        for name, size in (
            ("weights", 4),
            ("gradients", 4),
            ("optimizer", 11),
            ("activations", 21),
            ("logits", 4),
            ("runtime", 2),
        )
    )
    required = sum(part.bytes for part in states)
    needed = Memory(
        verdict="fits",
        card_bytes=CARD,
        usable_bytes=CARD,
        reserved_bytes=0,
        worst_rank=0,
        required_bytes=ByteRange(low=required - GIB, value=required, high=required + 2 * GIB),
        per_gpu=(RankMemory(rank=0, ranks=8, components=states),),
        checkpoint_bytes={"resumable": 112_423_657_472, "weights_only": 16_060_522_496},
    )
    pace = TrainingSpeed(
        tokens_per_s_per_gpu=Range(low=6100, value=7400, high=8600),
        step_s=Range(low=3.8, value=4.43, high=5.4),
        mfu=Range(low=0.33, value=0.40, high=0.46),
        tflops_per_gpu=Range(low=330, value=396, high=455),
        hours_total=Range(low=8.1, value=9.4, high=11.4),
        exposed_communication_share=0.06,
    )
    found = plan(
        gpus=8,
        replicas=1,
        spare_replicas=0,
        nodes=SERVERS,
        parallel=TrainingParallel(sharding="fsdp"),
        weights="bf16",
        engine="pytorch-fsdp",
        memory=needed,
        speed=pace,
        hours_total=Range(low=8.1, value=9.4, high=11.4),
        capacity_requests_per_s=None,
        concurrency_per_replica=0,
        warnings=(),
    )
    return NeedAnswer(
        need=TRAINING,
        model_name="Llama-3.1-8B",
        parameters=8_030_261_248,
        active_parameters=8_030_261_248,
        configurations=(found,),
    )
