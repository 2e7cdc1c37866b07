"""Parameter counts, to the element."""

import pytest

from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import Catalog
from desktop.request import Problem


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        # safetensors totals of the model hub, as published
        ("Llama-3.1-8B", 8_030_261_248),
        ("Llama-3.1-70B", 70_553_706_496),
        ("Llama-3.1-405B", 405_853_388_800),
        ("Qwen2.5-72B", 72_706_203_648),
        ("Qwen3-32B", 32_762_123_264),
        ("Llama-3.2-1B", 1_235_814_400),  # tied embeddings
        ("Falcon-7B", 6_921_720_704),  # one KV head; index file: 13,843,441,408 B in 16 bit
        ("BLOOM-176B", 176_247_271_424),  # index file: 352,494,542,848 B in 16 bit
    ],
)
def test_published_counts(catalog: Catalog, name: str, parameters: int) -> None:
    assert read_architecture(name, catalog).parameters() == parameters


def test_every_dense_decoder_of_the_catalog_agrees_with_its_published_count(catalog: Catalog) -> None:
    """A model is either sized to the element or refused by name; no other outcome."""
    sized, refused = 0, 0
    for record in catalog.models:
        try:
            architecture = read_architecture(record.name, catalog)
        except Problem as problem:
            assert problem.code == "unsupported_model", (record.name, problem)
            refused += 1
            continue
        assert architecture.parameters() == record.params_total, record.name
        sized += 1
    assert sized >= 110
    assert sized + refused == len(catalog.models)


def test_parts_add_up(catalog: Catalog) -> None:
    architecture = read_architecture("Qwen2.5-72B", catalog)
    assert architecture.parameters() == (
        architecture.layers * architecture.layer_parameters()
        + 2 * architecture.embedding_parameters()
        + architecture.norm_width
    )
    assert architecture.bias_elements() == (64 + 2 * 8) * 128  # Qwen2 has biases on q, k and v only


def test_matrices_of_grouped_query_attention(llama_70b: DenseDecoder) -> None:
    shapes = {matrix.role: (matrix.rows, matrix.columns) for matrix in llama_70b.matrices()}
    assert shapes["q"] == (8192, 8192)
    assert shapes["k"] == shapes["v"] == (1024, 8192)
    assert shapes["gate"] == (28672, 8192)
    assert shapes["down"] == (8192, 28672)
