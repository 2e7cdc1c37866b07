"""Files and folders of models on the window: a dense one becomes the project's model, the rest says what it is."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from desktop.ui.main_window import MainWindow
from desktop.ui.widgets.message import MessageLine
from tests.architectures.files.written import facts_pairs, gguf, tensor_info
from tests.architectures.inspection.hub_folder import CONFIG, SHAPES, gguf_of, write_folder, write_json
from tests.ui.conftest import OpenWindow

# published config of openai/gpt-oss-20b: every second layer sees 128 tokens
GPT_OSS: dict[str, Any] = {
    "model_type": "gpt_oss",
    "num_hidden_layers": 24,
    "hidden_size": 2880,
    "intermediate_size": 2880,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "vocab_size": 201088,
    "max_position_embeddings": 131072,
    "num_local_experts": 32,
    "num_experts_per_tok": 4,
    "sliding_window": 128,
    "layer_types": ["sliding_attention", "full_attention"] * 12,
    "tie_word_embeddings": False,
    "attention_bias": True,
    "hidden_act": "silu",
    "quantization_config": {
        "quant_method": "mxfp4",
        "modules_to_not_convert": [
            "model.layers.*.self_attn",
            "model.layers.*.mlp.router",
            "model.embed_tokens",
            "lm_head",
        ],
    },
}


def drop(window: MainWindow, path: Path) -> None:
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(path))])
    none = Qt.KeyboardModifier.NoModifier
    window.dropEvent(
        QDropEvent(QPointF(QPoint(9, 9)), Qt.DropAction.CopyAction, carried, Qt.MouseButton.LeftButton, none)
    )
    window.answer_now()


def remarks(window: MainWindow) -> list[str]:
    card = window.frame.page("model").file
    return [line.sentence.text() for line in card.findChildren(MessageLine) if line.isVisible()]


@pytest.mark.parametrize("kind", ["folder", "gguf", "index"])
def test_a_dense_model_in_any_form_becomes_the_model(open_: OpenWindow, tmp_path: Path, kind: str) -> None:
    window = open_(model=None)
    folder = write_folder(tmp_path / "tiny", shards=2)
    file = {"folder": folder, "gguf": tmp_path / "a.gguf", "index": folder / "model.safetensors.index.json"}[kind]
    (tmp_path / "a.gguf").write_bytes(gguf_of())
    drop(window, file)
    page = window.frame.page("model")
    assert page.facts.facts()["Parameters"] == "106,816"
    assert not page.file.isVisible()


def test_a_model_that_cannot_be_sized_says_what_it_is(open_: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """gpt-oss-20b: 20,914,757,184 elements, 4,187,440,704 for a token (catalog); 13.76e9 B on the Hub."""
    window = open_(model=None)
    drop(window, write_folder(tmp_path / "gpt-oss-20b", GPT_OSS, None))
    qtbot.wait(1)
    page = window.frame.page("model")
    facts = page.file.facts.facts()
    assert page.file.isVisible() and not page.facts.isVisible()
    assert (facts["Parameters"], facts["Active for a token"]) == ("20,914,757,184", "4,187,440,704")
    assert (facts["Name"], facts["What it is"], facts["Licence"]) == ("gpt-oss-20b", "model", "apache-2.0")
    assert facts["Weights"] == "12.8\u00a0GiB"
    assert "sized" in page.search._below.text()
    texts = [child.text() for child in page.file.findChildren(type(page.search._below)) if child.isVisible()]
    assert "12\u00a0×\u00a0attention, 64 / 8 heads, window of 128, 32 experts, 4 for a token" in texts


def test_what_is_no_model_says_so_and_a_model_after_it_is_sized(open_: OpenWindow, tmp_path: Path) -> None:
    window = open_(model=None)
    write_json(tmp_path / "adapter_config.json", {"peft_type": "LORA", "r": 8, "base_model_name_or_path": "org/base"})
    drop(window, tmp_path)
    page = window.frame.page("model")
    assert page.file.facts.facts()["Base model"] == "org/base"
    tower = gguf(facts_pairs("clip", {"general.type": "mmproj"}), [tensor_info("v", [8], 0, 0)])
    (tmp_path / "mmproj.gguf").write_bytes(tower)
    drop(window, tmp_path / "mmproj.gguf")
    assert page.file.facts.facts()["What it is"] == "vision part of a model"
    drop(window, write_folder(tmp_path / "tiny"))
    assert page.facts.isVisible() and not page.file.isVisible()


def test_doubts_about_a_sized_model_are_told(open_: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_(model=None, language="ru")
    drop(window, write_folder(tmp_path / "tiny", CONFIG, {**SHAPES, "model.extra.weight": (7,)}))
    qtbot.wait(1)
    page = window.frame.page("model")
    assert page.facts.isVisible() and page.file.isVisible() and not page.file.facts.isVisible()
    assert remarks(window) == [
        "По слоям выходит 106\u00a0816 элементов, в файлах 106\u00a0823: разница 7 без известной причины."
    ]


@pytest.mark.parametrize("content", [b"", b"\x80\x04cos", b"GGUF\x03", b"{" * 200_000])
def test_any_bytes_are_one_sentence(open_: OpenWindow, tmp_path: Path, content: bytes) -> None:
    window = open_(model=None)
    for name in ("a.json", "a.gguf", "a.safetensors", "a.bin", "a"):
        (tmp_path / name).write_bytes(content)
        drop(window, tmp_path / name)
        page = window.frame.page("model")
        assert page.search._below.text() and "\n" not in page.search._below.text()
        assert not page.file.isVisible()


def test_a_folder_that_changed_is_read_again(open_: OpenWindow, tmp_path: Path) -> None:
    window = open_(model=None)
    folder = write_folder(tmp_path / "gpt-oss-20b", GPT_OSS, None)
    drop(window, folder)
    (folder / "README.md").write_text("---\nlicense: own\n---\n", encoding="utf-8")
    window.changed()
    window.answer_now()
    assert window.frame.page("model").file.facts.facts()["Licence"] == "own"
