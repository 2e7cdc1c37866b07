"""inspect, schema, catalog stats and self-check."""

import json
from pathlib import Path

import pytest

from desktop.cli.arguments import SCHEMAS
from desktop.cli.schemas import RECORDS, schema
from desktop.request import CostRequest, InferencePlan, RecommendRequest
from tests.cli.console import ROOT, desktop

LLAMA = ROOT / "resources" / "samples" / "Llama-3.1-70B-Instruct"


def test_inspect_counts_what_the_model_is_made_of() -> None:
    """Llama-3.1-70B: 70,553,706,496 elements; 2 x 80 x 8 x 128 x 2 B = 327,680 B of cache a token."""
    done = desktop("inspect", LLAMA, LLAMA / "config.json")
    assert (done.status, done.err) == (0, "")
    for line, path in zip(done.lines(), (LLAMA, LLAMA / "config.json"), strict=True):
        assert line["path"] == str(path)
        assert (line["parameters"], line["active_parameters"]) == (70_553_706_496, 70_553_706_496)
        assert (line["weight_bytes"], line["kv_bytes_per_token"]) == (141_107_412_992, 327_680)
        assert line["architecture"]["layers"] == 80
        assert line["doubts"] == []


def test_inspect_counts_a_quantised_checkpoint_as_it_is_stored(tmp_path: Path) -> None:
    """By hand: 68.451e9 elements of the layers in 4 + (16 + 4)/128 bits, 2 x 128,256 x 8,192 of the ends in 16 bit:
    35.563e9 + 4.203e9 B."""
    config = json.loads((LLAMA / "config.json").read_text(encoding="utf-8"))
    config["quantization_config"] = {"quant_method": "awq", "bits": 4, "group_size": 128}
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    (line,) = desktop("inspect", file).lines()
    assert line["architecture"]["checkpoint_format"] == "awq-int4"
    assert line["weight_bytes"] == pytest.approx(39.766e9, rel=1e-3)


def test_inspect_goes_on_after_what_it_cannot_read(tmp_path: Path) -> None:
    foreign = tmp_path / "config.json"
    foreign.write_text('{"hello": "world"}', encoding="utf-8")
    done = desktop("inspect", tmp_path / "none.json", foreign, LLAMA)
    assert (done.status, done.err) == (1, "")
    missing, wrong, good = done.lines()
    assert missing["error"]["code"] == "file_missing"
    assert wrong["error"]["field"].startswith("config.json") and wrong["error"]["message"]
    assert good["parameters"] == 70_553_706_496


def test_every_schema_is_printed() -> None:
    assert set(SCHEMAS) == set(RECORDS)
    done = desktop("schema", "recommend")
    assert (done.status, json.loads(done.out)) == (0, schema("recommend"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_describes_every_field(name: str) -> None:
    described = schema(name)
    assert described.get("properties") or described.get("anyOf")
    json.dumps(described, allow_nan=False)


def test_request_schemas_refuse_unknown_fields() -> None:
    assert schema("cost")["additionalProperties"] is False
    assert set(schema("cost")["properties"]) == set(CostRequest.model_fields)
    assert set(schema("recommend")["properties"]) == set(RecommendRequest.model_fields)
    assert set(schema("estimate")["$defs"]["InferencePlan"]["properties"]) == set(InferencePlan.model_fields)


def test_catalog_stats_count_every_table() -> None:
    done = desktop("catalog", "stats")
    assert (done.status, done.err) == (0, "")
    figures = json.loads(done.out)
    assert len(figures["sha256"]) == 64
    for name, table in figures["tables"].items():
        assert table["rows"] == sum(table["verification"].values()) > 0, name
        assert sum(table["share"].values()) == pytest.approx(1, abs=0.005), name
        assert table["oldest"] is None or table["oldest"] <= table["newest"]
    assert figures["prices"]["oldest"] < figures["prices"]["newest"] <= figures["version"]
    assert figures["values"]["number"] > 20_000 and figures["values"]["share"]["recalled"] < 0.1
    assert figures["tables"]["gpus"]["rows"] >= 50 and figures["tables"]["models"]["rows"] >= 100


def test_self_check_passes_in_every_step() -> None:
    done = desktop("self-check")
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()[2:]] == ["ok", "ok", "ok"]
    assert "PySide6-Essentials 6.8.3" in done.out


def test_self_check_with_no_home_and_no_display(tmp_path: Path) -> None:
    done = desktop("self-check", "--lang", "ru", HOME=str(tmp_path / "none"), DISPLAY="", TMPDIR=str(tmp_path))
    assert (done.status, done.err) == (0, "")
    assert list(tmp_path.iterdir()) == []
