"""Activation peak of a serving engine: what its profiling run finds at the widest moment."""

from desktop.catalog.calibration import MlpTransient


def mlp_transient_bytes(tokens: int, hidden: int, intermediate: int, tensor: int, constants: MlpTransient) -> float:
    """Bytes alive in the MLP of one layer while `tokens` pass through it in 16 bit [B].

    2·tokens·(a·intermediate/tensor + b·hidden): gate, up and product beside the residual stream.
    """
    return 2 * tokens * (constants.intermediate * intermediate / tensor + constants.hidden * hidden)


def sampler_bytes(sequences: int, batched_tokens: int, vocab: int, copies: float) -> float:
    """Bytes of the fp32 copies of the logits alive while `sequences` are sampled [B]: 4·copies·min(sequences,
    tokens)·vocab."""
    return 4 * copies * min(sequences, batched_tokens) * vocab


def activation_peak_bytes(
    hidden: int,
    intermediate: int,
    vocab: int,
    batched_tokens: int,
    sequences: int,
    tensor: int,
    sampler_copies: float,
    transient: MlpTransient,
) -> float:
    """The larger of the MLP and the sampler [B]; the two are never alive together."""
    return max(
        mlp_transient_bytes(batched_tokens, hidden, intermediate, tensor, transient),
        sampler_bytes(sequences, batched_tokens, vocab, sampler_copies),
    )
