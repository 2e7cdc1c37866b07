"""Rows of train.csv as plans, and the figure of an answer that each row measured."""

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from desktop.advisor.card import card_of
from desktop.advisor.training_plan import training_result
from desktop.architectures import DenseDecoder, read_catalog_model
from desktop.catalog import Catalog
from desktop.catalog.training_calibration import TrainingCalibration
from desktop.quote import EstimateResult, TrainingSpeed
from desktop.request import TrainingPlan

HERE = Path(__file__).parent
OUTSIDE_TORCH = ("runtime",)


@dataclass(frozen=True)
class TrainingRow:
    """One measurement in bytes, tokens/s/GPU, seconds or TFLOP/s/GPU; `value` is None for a run out of memory."""

    id: str
    what: str
    value: float | None
    read_as: str
    model: str
    plan: TrainingPlan
    fitted: bool

    @property
    def source(self) -> str:
        return self.id.rsplit("-", 1)[0]

    def answer(self, catalog: Catalog, calibration: TrainingCalibration) -> EstimateResult:
        architecture = architecture_of(self.model, self.plan.sequence_length, catalog)
        link = catalog.calibration.serving_speed.link
        return training_result(self.plan, architecture, card_of(self.plan.gpu, catalog), link, calibration)

    def figure(self, answer: EstimateResult) -> float | None:
        """What the source measured, out of the answer: the driver's view, torch's counters, or a rate."""
        memory = answer.memory
        if self.what == "peak_memory":
            if self.read_as == "driver":
                return float(memory.required_bytes.value)
            rank = memory.per_gpu[-1] if self.read_as == "torch_last" else memory.worst()
            return float(sum(part.bytes for part in rank.components if part.component not in OUTSIDE_TORCH))
        if not isinstance(answer.speed, TrainingSpeed):
            return None
        return {
            "tokens_per_s_per_gpu": answer.speed.tokens_per_s_per_gpu,
            "step": answer.speed.step_s,
            "tflops": answer.speed.tflops_per_gpu,
        }[self.what].value


@cache
def training_rows() -> tuple[TrainingRow, ...]:
    """Every row of train.csv."""
    with (HERE / "train.csv").open(encoding="utf-8") as file:
        return tuple(_row(row) for row in csv.DictReader(file))


def architecture_of(model: str, sequence: int, catalog: Catalog) -> DenseDecoder:
    """The model of a row: from train_models.toml, else from the catalog."""
    facts = _own_models(sequence).get(model)
    return facts if facts is not None else read_catalog_model(catalog.model(model))


def _row(row: dict[str, str]) -> TrainingRow:
    given = {key: value for key, value in row.items() if value != ""}
    whole = ("tensor", "pipeline", "pipeline_chunks", "context")
    parallel: dict[str, Any] = {key: int(given[key]) for key in whole if key in given}
    parallel["sharding"] = given["sharding"]
    if "sequence_parallel" in given:
        parallel["sequence_parallel"] = given["sequence_parallel"] == "yes"
    plan: dict[str, Any] = {
        "id": given["id"],
        "mode": "training",
        "model": given["model"],
        "parallel": parallel,
        "framework": {"name": given["framework"], "version": given.get("version", "")},
    }
    plan |= {
        key: given[key]
        for key in ("method", "gpu", "precision", "optimizer", "recompute", "offload", "base_weights")
        if key in given
    }
    plan |= {key: int(given[key]) for key in ("gpus", "nodes", "sequence_length", "micro_batch", "global_batch")}
    plan |= {key: given[key] == "yes" for key in ("flash_attention", "compiled", "chunked_loss") if key in given}
    if "interconnect_gbps" in given:
        plan["interconnect_gbps"] = float(given["interconnect_gbps"])
    if "lora_rank" in given:
        targets = given["lora_targets"]
        names = targets if targets in ("attention", "all-linear") else tuple(targets.split())
        saved = tuple(given.get("modules_to_save", "").split())
        plan["lora"] = {"rank": int(given["lora_rank"]), "targets": names, "modules_to_save": saved}
    return TrainingRow(
        id=given["id"],
        what=given["what"],
        value=float(given["value"]) if "value" in given else None,
        read_as=given.get("read_as", ""),
        model=given["model"],
        plan=TrainingPlan.model_validate(plan),
        fitted=given["fitted"] == "yes",
    )


@cache
def _own_models(sequence: int) -> dict[str, DenseDecoder]:
    table = tomllib.loads((HERE / "train_models.toml").read_text(encoding="utf-8"))
    found = {
        name: _architecture(name, {**table["defaults"], **facts}, sequence) for name, facts in table["model"].items()
    }
    for series in ("mpt", "gpt"):
        habits = {key: value for key, value in table[series].items() if key != "sizes"}
        for name, (hidden, layers, heads) in table[series]["sizes"].items():
            facts = {"hidden": hidden, "layers": layers, "heads": heads, "kv_heads": heads, "intermediate": 4 * hidden}
            found[name] = _architecture(name, {**table["defaults"], **habits, **facts}, sequence)
    return found


def _architecture(name: str, facts: dict[str, Any], sequence: int) -> DenseDecoder:
    hidden, positions = facts["hidden"], facts["positions"]
    keys = (
        "layers",
        "hidden",
        "intermediate",
        "heads",
        "kv_heads",
        "vocab",
        "gated_mlp",
        "tied_embeddings",
        "qkv_bias",
        "output_bias",
        "mlp_bias",
        "norms_per_layer",
    )
    return DenseDecoder(
        name=name,
        model_type="llama" if facts["gated_mlp"] else "gpt2",
        head_dim=hidden // facts["heads"],
        max_context=sequence,
        norm_width=2 * hidden if facts["layer_norm"] else hidden,
        qk_norm_width=0,
        position_width=(sequence if positions < 0 else positions) * hidden,
        **{key: facts[key] for key in keys},
    )
