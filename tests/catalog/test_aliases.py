"""Names as price lists, benchmark tables and tools write them: each to its record, or said to be several."""

import csv
from collections.abc import Iterator

import pytest

from desktop.catalog import Catalog
from desktop.catalog.names import plain, with_maker
from desktop.request import Problem
from desktop.resources import resource


@pytest.mark.parametrize(
    ("called", "gpu"),
    [
        ("NVIDIA L4 24GB", "NVIDIA L4"),  # SkyPilot and gpuhunt, price tables of 2026
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition 96GB", "RTX PRO 6000 Blackwell Server Edition"),
        ("NVIDIA H100 94GB PCI", "NVIDIA H100 NVL 94GB"),  # Cloud.ru, tariff of 2026-06-29: the only one of 94 GB
        ("NVIDIA B300 HGX 288GB", "NVIDIA B300 SXM"),
        ("NVIDIA V100S 32GB", "NVIDIA V100S PCIe 32GB"),
        ("NVIDIA A100 PCIe 80GB + NVLink", "NVIDIA A100 PCIe 80GB"),
        ("GB200 192GB (NVL72)", "NVIDIA GB200 (per GPU)"),  # TensorRT-LLM 1.0, perf-overview.md
        ("B200 180GB (DGX B200)", "NVIDIA B200 SXM"),
        ("NVIDIA Blackwell GPU (GB200)", "NVIDIA GB200 (per GPU)"),
        ("GH200 480GB", "NVIDIA GH200 96GB"),  # nvidia-smi counts the 480 GB of the CPU: 96 GB HBM3
        ("AMD MI300X GPU", "AMD Instinct MI300X"),
        ("AMD MI300X-NPS1-SPX-192GB-750W", "AMD Instinct MI300X"),  # MLPerf Inference, AMD's systems
        ("NVIDIA A5000 24GB", "RTX A5000"),
    ],
)
def test_gpus_as_tables_write_them(catalog: Catalog, called: str, gpu: str) -> None:
    assert catalog.gpu(called).name == gpu


@pytest.mark.parametrize(
    ("called", "models"),
    [
        ("NVIDIA A100", 4),
        ("Nvidia H100 GPU", 3),
        ("NVIDIA A100 80GB", 2),
        ("NVIDIA H200 141GB", 2),
        ("NVIDIA GH200", 2),
        ("NVIDIA RTX PRO 6000 Blackwell", 3),
    ],
)
def test_a_maker_before_it_settles_nothing(catalog: Catalog, called: str, models: int) -> None:
    with pytest.raises(Problem) as caught:
        catalog.gpu(called)
    assert caught.value.code == "ambiguous_gpu"
    closest = caught.value.values["closest"]
    assert isinstance(closest, tuple) and len(closest) == models


def test_every_gpu_may_have_its_maker_before_its_names(catalog: Catalog) -> None:
    for gpu in catalog.gpus:
        for name in with_maker(gpu.vendor, (gpu.id, gpu.name, gpu.short)):
            assert catalog.gpu(name) is gpu, name


@pytest.mark.parametrize(
    ("called", "model"),
    [
        ("meta-llama/Llama-2-7b-chat-hf", "Llama-2-7B"),
        ("llama2-70b-99.9", "Llama-2-70B"),  # MLPerf Inference: the accuracy asked for stands behind the name
        ("Llama 3.2:3b", "Llama-3.2-3B"),  # Ollama's tags
        ("deepseek-r1:14b", "DeepSeek-R1-Distill-Qwen-14B"),  # ollama.com/library/deepseek-r1
        ("DeepSeek-R1 (671B)", "DeepSeek-R1"),
        ("LLaMA 33B", "LLaMA-30B"),  # arXiv:2302.13971 counts 33B, the Hub says 30b
        ("Nemotron_3_Ultra", "Nemotron-3-Ultra-550B-A55B"),
        ("Qwen 3.6 35B", "Qwen3.6-35B-A3B"),
        ("stable-diffusion-xl", "SDXL 1.0 base"),
        ("swin_base_patch4_window7_224", "swin_base_patch4_window7_224@224"),  # timm
        ("google/gemma-2-27b-it", "Gemma-2-27B"),
    ],
)
def test_models_as_tables_write_them(catalog: Catalog, called: str, model: str) -> None:
    assert catalog.model(called).name == model


@pytest.mark.parametrize(
    ("called", "meant"),
    [
        ("resnet50", {"resnet50@224", "resnet50@288"}),
        ("Mistral 7B", {"Mistral-7B-v0.1", "Mistral-7B-v0.2", "Mistral-7B-v0.3"}),
    ],
)
def test_a_model_of_several_versions_is_never_settled_silently(catalog: Catalog, called: str, meant: set[str]) -> None:
    with pytest.raises(Problem) as caught:
        catalog.model(called)
    assert caught.value.code == "ambiguous_model"
    closest = caught.value.values["closest"]
    assert isinstance(closest, tuple) and set(closest) == meant


@pytest.mark.parametrize("called", ["NVIDIA A10G", "RTX 3090 Ti", "H20-3e (141GB)", "Intel Gaudi", "8x H100 80GB SXM5"])
def test_what_is_not_in_the_catalog_never_passes_for_its_neighbour(catalog: Catalog, called: str) -> None:
    with pytest.raises(Problem) as caught:
        catalog.gpu(called)
    assert caught.value.code == "unknown_gpu"


@pytest.mark.parametrize(
    "called", ["Qwen-14B", "Qwen2.5-Math-1.5B", "whisper-large", "nvidia/DeepSeek-R1-NVFP4", "YOLO11m-seg"]
)
def test_a_relative_of_a_model_is_not_that_model(catalog: Catalog, called: str) -> None:
    """A quantised checkpoint neither: read as the record's own format, its weights would be sized wrong."""
    with pytest.raises(Problem) as caught:
        catalog.model(called)
    assert caught.value.code == "unknown_model"


@pytest.mark.parametrize("file", ["gpu_aliases.csv", "model_aliases.csv"])
def test_no_alias_stands_twice(file: str) -> None:
    rows = [(plain(alias), record) for alias, record in _rows(file)]
    assert len(set(rows)) == len(rows) > 40


def _rows(file: str) -> Iterator[tuple[str, str]]:
    with resource("catalog", file).open(encoding="utf-8", newline="") as stream:
        yield from ((row["alias"], row["gpu" if "gpu" in row else "model"]) for row in csv.DictReader(stream))
