"""What a model is made of, to the element: its layers by their make, and what stands beside them."""

from dataclasses import dataclass

from desktop.architectures.dense import DenseDecoder
from desktop.architectures.feed_forward import Mlp
from desktop.architectures.layers import LayerGroup
from desktop.architectures.mixers import Attention, Reach

__all__ = ["Architecture", "DenseDecoder", "Draft", "Part"]


@dataclass(frozen=True, slots=True)
class Part:
    """Something with a name and a number of elements: a final norm, a table of positions, a vision tower."""

    name: str
    elements: int


@dataclass(frozen=True, slots=True)
class Draft:
    """Layers that guess the tokens after the next one, behind the last layer: each joins the hidden state with an
    embedding through a matrix and three norms. A server that does not use them does not load them.

    `copied_elements` are the copies of embedding and head that some checkpoints store with each of them; source:
    DeepSeek-V3, arXiv:2412.19437, section 2.2.
    """

    count: int
    layer: LayerGroup
    hidden: int
    copied_elements: int

    def elements(self) -> int:
        """All their elements, without copies."""
        return self.count * (self.layer.elements() + 2 * self.hidden * self.hidden + 3 * self.hidden)


@dataclass(frozen=True, slots=True)
class Architecture:
    """A model as groups of layers, embedding, head, other parts and towers. Elements throughout.

    `layers` are in the order in which their makes first appear; `depth` is how many layers the model says it has.
    `others` belong to the language model (norms, positions, biases); `towers` are vision towers, components of a
    pipeline, or a whole picture model. `draft_layers` counts draft layers, `draft` describes them where that is known.
    `published` means the elements are a published figure, not computed. `max_context` is 0 where it is not stated.
    """

    name: str
    model_type: str
    hidden: int = 0
    vocab: int = 0
    max_context: int = 0
    depth: int = 0
    layers: tuple[LayerGroup, ...] = ()
    embedding_elements: int = 0
    head_elements: int = 0
    others: tuple[Part, ...] = ()
    towers: tuple[Part, ...] = ()
    draft_layers: int = 0
    draft: Draft | None = None
    published: bool = False
    source: str = ""

    def layer_parameters(self) -> int:
        """Elements of all layers."""
        return sum(group.count * group.elements() for group in self.layers)

    def other_parameters(self) -> int:
        """Elements of norms, positions and biases outside of the layers."""
        return sum(part.elements for part in self.others)

    def tower_parameters(self) -> int:
        """Elements of the towers, or of the components of a pipeline."""
        return sum(part.elements for part in self.towers)

    def language_parameters(self) -> int:
        """Elements of the language model: everything but the towers."""
        return self.layer_parameters() + self.embedding_elements + self.head_elements + self.other_parameters()

    def parameters(self) -> int:
        """All elements a server loads to answer: text and vision, no draft layers, no head stored twice."""
        return self.language_parameters() + self.tower_parameters()

    def active_parameters(self) -> int:
        """Elements one token touches: of the experts those it is sent to; both embedding matrices are counted."""
        idle = sum(group.count * (group.elements() - group.active_elements()) for group in self.layers)
        return self.parameters() - idle

    def kv_elements(self, context: int) -> int:
        """Elements cached for a text of `context` tokens: a full window holds no more than its width."""
        return sum(group.count * group.cached_elements(context) for group in self.layers)

    def kv_elements_per_token(self, context: int) -> float:
        """Elements cached for a text of `context` tokens, by token: it falls as windows fill. `context` is 1 or
        more."""
        return self.kv_elements(context) / context

    def source_kv_elements_per_token(self) -> int:
        """Elements cached for each token of a picture or a sound that layers look at."""
        return sum(group.count * group.cached_elements_per_source_token() for group in self.layers)

    def state_elements(self) -> int:
        """Elements of the state one text keeps in all layers, however long it is."""
        return sum(group.count * group.state_elements() for group in self.layers)

    def layers_reaching(self, reach: Reach) -> int:
        """Layers with a mixer that sees that far."""
        return sum(group.count for group in self.layers if group.reaches(reach))

    def full_layers(self) -> int:
        """Layers whose cache grows with every token."""
        return self.layers_reaching("full")

    def order_known(self) -> bool:
        """Whether each layer's place in its stack is known."""
        return all(len(group.indices) == group.count for group in self.layers)

    def part(self, name: str) -> int:
        """Elements of the part or tower of that name; 0 where there is none."""
        return sum(part.elements for part in (*self.others, *self.towers) if part.name == name)

    def dense(self, checkpoint_format: str = "bf16") -> DenseDecoder | None:
        """The same model as a DenseDecoder; None unless all its layers are alike, attend to everything and have one
        MLP, and nothing stands beside the decoder."""
        if len(self.layers) != 1 or self.towers or self.part("final_norm") == 0:
            return None
        group = self.layers[0]
        if len(group.mixers) != 1 or len(group.feed_forwards) != 1 or group.stack != "decoder":
            return None
        attention, mlp = group.mixers[0], group.feed_forwards[0]
        if not isinstance(attention, Attention) or not isinstance(mlp, Mlp) or not _plain(attention):
            return None
        made = self._dense(group, attention, mlp, checkpoint_format)
        return made if made.parameters() == self.parameters() else None

    def _dense(self, group: LayerGroup, attention: Attention, mlp: Mlp, checkpoint_format: str) -> DenseDecoder:
        norm = self.part("final_norm")
        return DenseDecoder(
            name=self.name,
            model_type=self.model_type,
            layers=group.count,
            hidden=self.hidden,
            intermediate=mlp.width,
            heads=attention.heads,
            kv_heads=attention.kv_heads,
            head_dim=attention.head_dim,
            vocab=self.vocab,
            max_context=self.max_context,
            gated_mlp=mlp.gated,
            tied_embeddings=self.head_elements == 0,
            qkv_bias="q" in attention.biases,
            output_bias="o" in attention.biases,
            mlp_bias=mlp.bias,
            norms_per_layer=group.norm_elements // norm,
            norm_width=norm,
            qk_norm_width=attention.other_elements(),
            position_width=self.part("positions"),
            embedding_norm_width=self.part("embedding_norm"),
            head_bias=self.part("head_bias") > 0,
            checkpoint_format=checkpoint_format,
            source=self.source,
        )


def _plain(attention: Attention) -> bool:
    """Whether keys, values and the cache are what a dense decoder has in every layer."""
    special = attention.sinks or attention.shared_key_value or attention.indexer or attention.output_gate != "none"
    return attention.reach == "full" and not special and attention.value_width == attention.head_dim
