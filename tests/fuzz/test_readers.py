"""Readers of model files on bytes that nobody meant: a few thousand in every run, many more in `make fuzz`."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.attempts import READERS, attempt
from tests.fuzz.mutations import damaged, odd_gguf, spliced_config
from tests.fuzz.seeds import SEEDS

FEW = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("reader", READERS)
def test_the_seeds_are_valid(reader: str) -> None:
    assert all(attempt(reader, seed) for seed in SEEDS[reader])


@pytest.mark.parametrize("reader", READERS)
@FEW
@given(data=st.binary(max_size=4096))
def test_arbitrary_bytes(reader: str, data: bytes) -> None:
    attempt(reader, data)


@pytest.mark.parametrize("reader", READERS)
@FEW
@given(data=st.data())
def test_damaged_files(reader: str, data: st.DataObject) -> None:
    attempt(reader, data.draw(damaged(SEEDS[reader])))


@FEW
@given(config=spliced_config(SEEDS["config"]))
def test_configs_with_odd_values(config: bytes) -> None:
    attempt("config", config)


@FEW
@given(file=odd_gguf())
def test_gguf_keys_with_odd_values(file: bytes) -> None:
    attempt("gguf", file)
