"""What the user asks. The rooms above receive these frozen records and nothing else."""

from desktop.request.base import GpuReference, GpuVariant, InlineModel, ModelReference, Strict
from desktop.request.economics import ApiUse, CapexItem, Cloud, CostRequest, InputRange, Opex, TrainingRuns
from desktop.request.inference import Engine, InferencePlan, KvPair, ServingParallel, Traffic
from desktop.request.need import (
    Economics,
    ExchangeRate,
    InferenceNeed,
    Need,
    Policy,
    RecommendRequest,
    TrainingNeed,
    Vat,
)
from desktop.request.problem import Problem
from desktop.request.training import Framework, Lora, TrainingParallel, TrainingPlan

__all__ = [
    "ApiUse",
    "CapexItem",
    "Cloud",
    "CostRequest",
    "Economics",
    "Engine",
    "ExchangeRate",
    "Framework",
    "GpuReference",
    "GpuVariant",
    "InferenceNeed",
    "InferencePlan",
    "InlineModel",
    "InputRange",
    "KvPair",
    "Lora",
    "ModelReference",
    "Need",
    "Opex",
    "Policy",
    "Problem",
    "RecommendRequest",
    "ServingParallel",
    "Strict",
    "Traffic",
    "TrainingNeed",
    "TrainingParallel",
    "TrainingPlan",
    "TrainingRuns",
    "Vat",
]
