"""Time of collectives among the GPUs of one plan."""

from desktop.sizing.numbers import Number


def all_reduce_seconds(size_bytes: Number, gpus: Number, alpha_s: Number, bus_bytes_per_s: Number) -> Number:
    """Seconds of one all-reduce of `size_bytes` over `gpus` ranks [s]: α + 2(n−1)/n · S/β, as NCCL defines bus
    bandwidth β."""
    return alpha_s + 2 * (gpus - 1) / gpus * size_bytes / bus_bytes_per_s
