"""A family nobody described: read like Llama or Mixtral where its fields allow nothing else, and said to be so."""

from desktop.architectures.config_fields import Fields
from desktop.architectures.configs.experts import EXPERT_COUNT
from desktop.architectures.configs.family_habits import Habits, habits_of
from desktop.architectures.families import foreign_part
from desktop.request import Problem

GATED = ("silu", "swish", "swiglu")
# fields a plain gated decoder, dense or with experts in every layer, has; others of these groups make it another kind
STRANGE = ("shared", "dense", "moe_layer", "norm_type", "lora_rank", "per_layer", "conv", "parallel", "sinks", "gate")
HARMLESS = ("rms_norm_eps", "norm_topk_prob")


def resembling(fields: Fields) -> tuple[str, Habits]:
    """The known family an unknown one is read as, with the doubt `unverified_family`.

    Raises Problem("unsupported_model"): unknown_family, or the part that no plain decoder has.
    """
    model_type = fields.text("model_type")
    unknown = Problem("unsupported_model", field=fields.field, what="unknown_family", model_type=model_type)
    activation = fields.text("hidden_act") or fields.text("hidden_activation")
    if activation not in GATED or not fields.has("intermediate_size") or not fields.has("rms_norm_eps"):
        raise unknown
    if any(word in name for name in fields.values if name not in HARMLESS for word in STRANGE):
        raise unknown
    experts = any(fields.has(name) for name in EXPERT_COUNT)
    what = foreign_part({name: value for name, value in fields.values.items() if name not in EXPERT_COUNT})
    if what not in ("", "sliding_window"):
        raise Problem("unsupported_model", field=fields.field, what=what, model_type=model_type)
    fields.doubt("unverified_family")
    family = "mixtral" if experts else "llama"
    habits = habits_of(family)
    return family, habits if habits is not None else {}
