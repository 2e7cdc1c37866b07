"""Architecture, format and GPU as the numbers that the speed formulas take."""

from desktop.advisor.card import Card
from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import Arithmetic, Calibration, WeightFormat
from desktop.sizing.kv_cache import kv_bytes_per_token
from desktop.sizing.serving_speed import BYTES_16_BIT, SpeedPlan
from desktop.sizing.weights import linear_bytes


def speed_plan(
    architecture: DenseDecoder,
    storage: WeightFormat,
    arithmetic: Arithmetic,
    key_bytes: float,
    value_bytes: float,
    card: Card,
    tensor: int,
    pipeline: int,
    input_tokens: int,
    output_tokens: int,
    calibration: Calibration,
    cuda_graphs: bool = True,
) -> SpeedPlan:
    """One replica's plan as plain numbers."""
    head = architecture.embedding_parameters()
    link = calibration.serving_speed.link
    return SpeedPlan(
        layers=architecture.layers,
        hidden=architecture.hidden,
        parameters=architecture.parameters(),
        linear_parameters=architecture.linear_parameters(),
        linear_bytes=linear_bytes(architecture, storage),
        head_parameters=head,
        head_bytes=head * BYTES_16_BIT,
        attention_width=architecture.heads * architecture.head_dim,
        kv_bytes_per_token=kv_bytes_per_token(
            architecture.layers, architecture.kv_heads, architecture.head_dim, key_bytes, value_bytes, tensor
        ),
        tensor=tensor,
        pipeline=pipeline,
        flops_linear=card.rates.flops[arithmetic],
        flops_16_bit=card.rates.flops["bf16"],
        memory_bytes_per_s=card.rates.memory_bytes_per_s,
        bus_bytes_per_s=card.rates.bus(tensor),
        alpha_factor=1.0 if card.rates.joined(tensor) else link.pcie_alpha_factor,
        block_scales=1.0 if storage.scale_over == "block" else 0.0,
        fp4=1.0 if arithmetic == "fp4" else 0.0,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        eager=0.0 if cuda_graphs else 1.0,
    )
