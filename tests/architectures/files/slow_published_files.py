"""Published model files, fetched by pip into build/published: `make slow`."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from desktop.architectures.files import facts_of_gguf, read_gguf, read_safetensors

# vendor/llama.cpp/models of the sdist: version, architecture, layers, width, heads, KV heads, tokens; read with the
# stdlib reader of the research and with gguf 0.19.0 where that comes to an end
VOCABULARIES = {
    "aquila": (2, "llama", 32, 4096, 32, 32, 100_008),
    "baichuan": (3, "baichuan", 32, 4096, 32, 32, 64_000),
    "bert-bge": (3, "bert", 12, 384, 12, 12, 30_522),
    "command-r": (3, "command-r", 40, 8192, 64, 64, 256_000),
    "deepseek-coder": (3, "llama", 32, 4096, 32, 32, 32_256),
    "deepseek-llm": (3, "llama", 30, 4096, 32, 32, 102_400),
    "falcon": (3, "falcon", 32, 4544, 71, 1, 65_024),
    "gemma-4": (3, "gemma4", 30, 2816, 16, 8, 262_144),
    "gpt-2": (3, "gpt2", 12, 768, 12, 12, 50_257),
    "gpt-neox": (3, "gptneox", 44, 6144, 64, 64, 50_432),
    "llama-bpe": (3, "llama", 32, 4096, 32, 8, 128_256),
    "llama-spm": (3, "llama", 32, 4096, 32, 32, 32_000),
    "mpt": (3, "mpt", 32, 4096, 32, 32, 50_432),
    "nomic-bert-moe": (3, "nomic-bert-moe", 12, 768, 12, 12, 250_048),
    "phi-3": (3, "phi3", 32, 3072, 32, 32, 32_064),
    "qwen2": (3, "qwen2", 32, 4096, 32, 32, 151_936),
    "qwen35": (3, "qwen2", 32, 4096, 32, 32, 151_936),
    "refact": (3, "refact", 32, 2048, 32, 1, 49_216),
    "starcoder": (3, "starcoder2", 30, 3072, 24, 2, 49_152),
}


def fetched(folder: Path, requirement: str, *options: str) -> Path:
    """The archive of a package, fetched once and never installed."""
    name = requirement.split("==")[0]
    folder = folder / "build" / "published" / name
    if not any(folder.glob("*")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *options, "--dest", str(folder)]
        subprocess.run([*command, requirement], check=True)
    return next(folder.iterdir())


@pytest.fixture(scope="session")
def vocabularies(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = fetched(repository, "llama-cpp-python==0.3.36", "--no-binary", "llama-cpp-python")
    folder = tmp_path_factory.mktemp("vocabularies")
    with tarfile.open(archive) as opened:
        for member in opened:
            if "/models/ggml-vocab-" in member.name and member.name.endswith(".gguf"):
                content = opened.extractfile(member)
                assert content is not None
                (folder / Path(member.name).name).write_bytes(content.read())
    return folder


def test_silero_vad(repository: Path, tmp_path: Path) -> None:
    """1,239,748 bytes: 8 of length, 1,208 of header, 15 tensors of 309,633 elements."""
    with zipfile.ZipFile(fetched(repository, "silero-vad==6.2.3")) as wheel:
        path = Path(wheel.extract("silero_vad/data/silero_vad_16k.safetensors", tmp_path))
    assert path.stat().st_size == 1_239_748
    found = read_safetensors(path)
    assert (len(found), found.elements_by_dtype(), found.bytes) == (15, {"F32": 309_633}, 1_238_532)
    assert found.complete and found.doubts == ()


def test_there_are_19_vocabularies(vocabularies: Path) -> None:
    assert {path.stem.removeprefix("ggml-vocab-") for path in vocabularies.iterdir()} == set(VOCABULARIES)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_vocabulary(vocabularies: Path, name: str) -> None:
    version, architecture, layers, hidden, heads, kv_heads, tokens = VOCABULARIES[name]
    found = read_gguf(vocabularies / f"ggml-vocab-{name}.gguf")
    assert (found.version, found.architecture, found.kind) == (version, architecture, "vocabulary")
    facts = facts_of_gguf(found)
    keys = ("num_layers", "hidden_size", "num_heads", "num_kv_heads", "vocab_size")
    assert tuple(facts[key] for key in keys) == (layers, hidden, heads, kv_heads, tokens)


def test_heads_by_layer_of_gemma_4(vocabularies: Path) -> None:
    """Every sixth layer sees everything, with 2 KV heads of 512; the others have 8 of 256."""
    facts = facts_of_gguf(read_gguf(vocabularies / "ggml-vocab-gemma-4.gguf"))
    assert (facts["full_attn_layers"], facts["head_dim"], facts["sliding_window"]) == (5, 256, 1024)
    assert (facts["dimensions"]["full_kv_heads"], facts["dimensions"]["full_head_dim"]) == (2, 512)
    assert (facts["num_experts"], facts["experts_per_tok"], facts["moe_intermediate_size"]) == (128, 8, 704)
