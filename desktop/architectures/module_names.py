"""How the Hub names the modules of a model: what quantisers list and tensor lists hold, from module_names.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from desktop.resources import resource

Names = tuple[str, ...]  # of one module: releases of a library and engines differ


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """Names of the modules of one family.

    `stems` hold the layers, `layer` and `drafts` are patterns with the number of a layer, `blocks` what a role's
    pattern stands on, `kept` the roles that are quantised only where a config names them.
    """

    stems: Names
    layer: str
    embedding: Names
    head: Names
    tower: Names
    drafts: Names
    blocks: Mapping[str, str]
    roles: Mapping[str, Names]
    kept: frozenset[str]

    def of_layer(self, role: str, layer: int, expert: int = 0, cross: bool = False) -> Names:
        """A matrix of a layer, counted from 0; `cross` where it looks at a picture or a sound.

        >>> module_names("mixtral").of_layer("expert_up", 3, expert=7)
        ('model.layers.3.block_sparse_moe.experts.7.w3',)
        """
        places = tuple(_joined(stem, self.layer.format(layer=layer)) for stem in self.stems)
        return self._within(places, role, expert, cross)

    def of_draft(self, role: str, layer: int, draft: int, expert: int = 0) -> Names:
        """A matrix of the draft layer `draft`, counted from 0, that stands behind `layer` others."""
        places = tuple(pattern.format(layer=layer + draft, draft=draft) for pattern in self.drafts)
        return self._within(places, role, expert, False)

    def _within(self, places: Names, role: str, expert: int, cross: bool) -> Names:
        blocks = {**self.blocks, "expert": expert}
        if cross:
            blocks["attention"] = self.blocks["cross"]
        patterns = self.roles.get(role, (role,))
        return tuple(f"{place}.{pattern.format(**blocks)}" for place in places for pattern in patterns)


@cache
def module_names(model_type: str, beside_tower: bool = False) -> ModuleNames:
    """Names of a family, the shared habits for one without a table; `beside_tower` in a vision-language model.

    >>> module_names("llama").of_layer("q", 0)[0], module_names("deepseek_v3").head
    ('model.layers.0.self_attn.q_proj', ('lm_head',))
    """
    table = _table()
    own = table["family"].get(model_type, {})
    own = table["family"][own["as"]] if "as" in own else own
    found = {**table["defaults"], **own}
    wrapped_stems = own.get("beside_tower") or (found["stem"] if "stem" in own else found["beside_tower"])
    stems = tuple(wrapped_stems if beside_tower else found["stem"])
    roles = {**table["defaults"]["roles"], **own.get("roles", {})}
    wrapped = tuple(f"language_model.{name}" for name in found["head"]) if beside_tower else ()
    return ModuleNames(
        stems=stems,
        layer=found["layer"],
        embedding=tuple(_joined(stem, found["embedding"]) for stem in stems),
        head=(*found["head"], *wrapped),
        tower=tuple(table["tower"]),
        drafts=tuple(found["draft"]),
        blocks={name: found[name] for name in ("attention", "cross", "mlp", "experts", "shared", "state")},
        roles={role: tuple(patterns) for role, patterns in roles.items()},
        kept=frozenset(found["kept"]),
    )


def _joined(stem: str, name: str) -> str:
    return f"{stem}.{name}" if stem else name


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resource("architectures", "module_names.toml").read_text(encoding="utf-8"))
