"""Records are found by what people call them; what is not there is said with what is nearest."""

import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.catalog import TariffKind
from desktop.catalog.records import Gpu
from desktop.request import Problem

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("called", "gpu"),
    [
        ("nvidia-h100-sxm5-80gb", "NVIDIA H100 SXM5 80GB"),
        ("H100 SXM", "NVIDIA H100 SXM5 80GB"),
        ("h100-80gb-sxm", "NVIDIA H100 SXM5 80GB"),
        ("H100 80GB HBM3", "NVIDIA H100 SXM5 80GB"),  # nvidia-smi
        ("A100 80GB SXM", "NVIDIA A100 SXM4 80GB"),
        ("NVIDIA A100-SXM4-80GB", "NVIDIA A100 SXM4 80GB"),
        ("RTX 4090", "GeForce RTX 4090"),
        ("nvidia geforce rtx 4090", "GeForce RTX 4090"),
        ("RTX PRO 6000 SE", "RTX PRO 6000 Blackwell Server Edition"),
        ("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"),
        ("l40s", "NVIDIA L40S"),
        ("H200 NVL", "NVIDIA H200 NVL 141GB"),
        ("MI300X", "AMD Instinct MI300X"),
        ("b200", "NVIDIA B200 SXM"),
        ("Tesla T4", "NVIDIA T4"),
    ],
)
def test_gpus_by_what_people_call_them(catalog: Catalog, called: str, gpu: str) -> None:
    assert catalog.gpu(called).name == gpu


@pytest.mark.parametrize(
    ("called", "model"),
    [
        ("llama-3.1-8b", "Llama-3.1-8B"),
        ("Llama 3.1 8B", "Llama-3.1-8B"),
        ("meta-llama/Llama-3.1-8B", "Llama-3.1-8B"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "Llama-3.1-8B"),
        ("Qwen/Qwen2.5-72B", "Qwen2.5-72B"),
        ("QWEN2.5-72B-INSTRUCT", "Qwen2.5-72B"),
        ("DeepSeek R1", "DeepSeek-R1"),
        ("google/gemma-3-27b", "Gemma-3-27B"),
        ("SDXL", "SDXL 1.0 base"),
        ("command-r-plus", "Command-R+"),
    ],
)
def test_models_by_what_people_call_them(catalog: Catalog, called: str, model: str) -> None:
    assert catalog.model(called).name == model


@pytest.mark.parametrize(
    ("called", "meant"),
    [
        ("H100", {"NVIDIA H100 PCIe 80GB", "NVIDIA H100 SXM5 80GB", "NVIDIA H100 NVL 94GB"}),
        ("h100 80gb", {"NVIDIA H100 PCIe 80GB", "NVIDIA H100 SXM5 80GB"}),
        ("A100", {"NVIDIA A100 PCIe 40GB", "NVIDIA A100 PCIe 80GB", "NVIDIA A100 SXM4 40GB", "NVIDIA A100 SXM4 80GB"}),
        ("H200", {"NVIDIA H200 SXM 141GB", "NVIDIA H200 NVL 141GB"}),
    ],
)
def test_a_short_name_of_several_gpus_is_never_settled_silently(catalog: Catalog, called: str, meant: set[str]) -> None:
    with pytest.raises(Problem) as caught:
        catalog.gpu(called)
    assert (caught.value.code, caught.value.field, caught.value.values["name"]) == ("ambiguous_gpu", "gpu", called)
    closest = caught.value.values["closest"]
    assert isinstance(closest, tuple) and set(closest) == meant


@pytest.mark.parametrize(
    ("called", "nearest"),
    [
        ("H100 SXN", "NVIDIA H100 SXM5 80GB"),
        ("L40X", "NVIDIA L40"),
        ("RTX 4900", "GeForce RTX 4090"),
        ("B2000", "NVIDIA B200 SXM"),
    ],
)
def test_an_unknown_gpu_comes_with_three_close_names(catalog: Catalog, called: str, nearest: str) -> None:
    with pytest.raises(Problem) as caught:
        catalog.gpu(called, field="needs.0.gpu")
    assert (caught.value.code, caught.value.field) == ("unknown_gpu", "needs.0.gpu")
    closest = caught.value.values["closest"]
    assert isinstance(closest, tuple) and len(closest) == 3 == len(set(closest))
    assert nearest in closest


@pytest.mark.parametrize(("called", "nearest"), [("Lama-3.1-8B", "Llama-3.1-8B"), ("Qwen3-33B", "Qwen3-32B")])
def test_an_unknown_model_comes_with_three_close_names(catalog: Catalog, called: str, nearest: str) -> None:
    with pytest.raises(Problem) as caught:
        catalog.model(called)
    closest = caught.value.values["closest"]
    assert (caught.value.code, caught.value.field) == ("unknown_model", "model")
    assert isinstance(closest, tuple) and len(closest) == 3
    assert nearest in closest


@pytest.mark.parametrize("called", ["", " ", "-", "x" * 1_000_000, "H100\0", "'; DROP TABLE gpus; --", "Ё" * 5000])
def test_odd_names_are_unknown_and_answered_briefly(catalog: Catalog, called: str) -> None:
    for lookup in (catalog.gpu, catalog.model):
        with pytest.raises(Problem) as caught:
            lookup(called)
        assert caught.value.code.startswith("unknown_")
        assert len(str(caught.value)) < 500


@given(st.sampled_from(CATALOG.gpus), st.randoms(use_true_random=False))
def test_case_spaces_and_dashes_never_matter(gpu: Gpu, chance: random.Random) -> None:
    for own in (gpu.id, gpu.name, gpu.short):
        assert CATALOG.gpu(_rewritten(own, chance)) is gpu


def _rewritten(name: str, chance: random.Random) -> str:
    pieces = [chance.choice((" ", "-", "_", "")) if letter in " -_" else letter for letter in name]
    return "".join(letter.upper() if chance.random() < 0.5 else letter.lower() for letter in pieces)


def test_own_names_are_never_ambiguous(catalog: Catalog) -> None:
    for gpu in catalog.gpus:
        assert all(catalog.gpu(own) is gpu for own in (gpu.id, gpu.name, gpu.short))
    for model in catalog.models:
        assert all(catalog.model(own) is model for own in (model.id, model.name, model.hf_id) if own)


def test_every_alias_leads_to_its_record_or_is_said_to_be_ambiguous(catalog: Catalog) -> None:
    for gpu in catalog.gpus:
        for alias in gpu.aliases:
            try:
                assert catalog.gpu(alias) is gpu
            except Problem as problem:
                assert problem.code == "ambiguous_gpu" and gpu.name in problem.values["closest"]  # type: ignore[operator]
    for model in catalog.models:
        for alias in model.aliases:
            try:
                assert catalog.model(alias) is model
            except Problem as problem:
                assert problem.code == "ambiguous_model" and model.name in problem.values["closest"]  # type: ignore[operator]


def test_tariffs_fall_back_to_what_surrounds_the_region(catalog: Catalog) -> None:
    def region_of(kind: TariffKind, region: str) -> str | None:
        found = catalog.tariff(kind, region)
        return found.region if found else None

    assert region_of("electricity", "Germany") == "Europe"  # only a household tariff is known
    assert region_of("electricity", "DE") == "Europe"
    assert region_of("electricity", "ru") == "Russia"
    assert region_of("electricity", "Atlantis") == "World"
    assert region_of("pue", "US") == "World"
    assert catalog.vat("US", date(2026, 12, 1)) is None  # a country's own law: nothing stands in for it


def test_the_newest_tariff_wins(catalog: Catalog) -> None:
    newest = catalog.tariff("pue", "World")  # Uptime Institute: 1.58 in 2023, 1.56 in 2024, 1.54 in 2025
    assert newest is not None and (newest.as_of, str(newest.low)) == ("2025", "1.54")


def test_what_nobody_priced_or_measured_is_empty(catalog: Catalog) -> None:
    assert not catalog.prices_of("no-such-part") and not catalog.rates_of("nvidia-t4")
    assert not catalog.cloud_offers("nvidia-h20-96gb") and not catalog.platforms_for("geforce-rtx-3090")
    with pytest.raises(KeyError):
        catalog.platform("no-such-platform")
