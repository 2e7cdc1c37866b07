"""The tables of parts, servers, software, words and API prices, held against figures from outside."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from desktop.catalog import Catalog
from desktop.catalog.facts import AS_OF, PART_READ, READ, RECALLED, VERIFICATIONS, Fact
from desktop.catalog.prices import ApiPrice
from desktop.catalog.records import Nic, Psu, ServerModel, Switch
from desktop.catalog.software import Compatibility, Flag, Term
from desktop.units import GIB

ROWS = {
    "nics": 23,
    "switches": 13,
    "memory_modules": 8,
    "drives": 10,
    "psus": 24,
    "server_models": 120,
    "compatibility": 192,
    "flags": 283,
    "terms": 198,
    "api_prices": 377,
}
WITH_IDS = ("nics", "switches", "memory_modules", "drives", "psus", "server_models")
NVLINK_KINDS = ("", "none", "bridge-2", "bridge-4", "nvswitch", "mesh")


def rows(catalog: Catalog, table: str) -> Sequence[Fact]:
    found: Sequence[Fact] = getattr(catalog, table)
    return found


def called(catalog: Catalog, table: str, wanted: str) -> Fact:
    (found,) = [row for row in rows(catalog, table) if getattr(row, "id", None) == wanted]
    return found


def switch(catalog: Catalog, wanted: str) -> Switch:
    found = called(catalog, "switches", wanted)
    assert isinstance(found, Switch)
    return found


def nic(catalog: Catalog, wanted: str) -> Nic:
    found = called(catalog, "nics", wanted)
    assert isinstance(found, Nic)
    return found


def psu(catalog: Catalog, wanted: str) -> Psu:
    found = called(catalog, "psus", wanted)
    assert isinstance(found, Psu)
    return found


def server(catalog: Catalog, wanted: str) -> ServerModel:
    found = called(catalog, "server_models", wanted)
    assert isinstance(found, ServerModel)
    return found


def flag(catalog: Catalog, stack: str, version: str, concept: str) -> Flag:
    (found,) = [row for row in catalog.flags if (row.stack, row.version, row.concept) == (stack, version, concept)]
    return found


def stack(catalog: Catalog, name: str, version: str) -> Compatibility:
    (found,) = [
        row
        for row in catalog.compatibility
        if (row.stack, row.stack_version, row.feature, row.cc_range) == (name, version, "", "")
    ]
    return found


def api_price(catalog: Catalog, provider: str, model: str, as_of: str) -> ApiPrice:
    (found,) = [row for row in catalog.api_prices if (row.provider, row.model, row.as_of) == (provider, model, as_of)]
    return found


@pytest.mark.parametrize(("table", "count"), ROWS.items())
def test_every_row_of_a_table_is_there(catalog: Catalog, table: str, count: int) -> None:
    assert len(rows(catalog, table)) == count


@pytest.mark.parametrize("table", ROWS)
def test_every_row_has_a_source_a_date_and_a_verification(catalog: Catalog, table: str) -> None:
    for row in rows(catalog, table):
        assert row.source and AS_OF.fullmatch(row.as_of) and row.verification in VERIFICATIONS, row
        assert set(row.recalled) <= set(row.values()), row
        assert bool(row.recalled) == (row.verification == PART_READ), row


@pytest.mark.parametrize("table", ROWS)
def test_a_recalled_row_names_no_document(catalog: Catalog, table: str) -> None:
    recalled = {row.source for row in rows(catalog, table) if row.verification == RECALLED}
    # what is known only from a page that contradicts itself is nobody's word either
    assert recalled <= {
        "recalled by the catalog's authors, no document opened",
        "GitHub file id 16927927054 (catalogue of a Russian server shop)",
    }


@pytest.mark.parametrize("table", WITH_IDS)
def test_ids_stand_once(catalog: Catalog, table: str) -> None:
    ids = [getattr(row, "id", "") for row in rows(catalog, table)]
    assert all(ids) and len(set(ids)) == len(ids)


def test_no_two_servers_share_a_name(catalog: Catalog) -> None:
    names = [(row.vendor, row.model) for row in catalog.server_models]
    assert len(set(names)) == len(names)


def test_a_switch_as_its_data_sheet_says(catalog: Catalog) -> None:
    # NVIDIA Quantum-2: 64 ports of 400 Gb/s on 32 OSFP cages, 51.2 Tb/s both ways, 1U, 14.8 kg
    quantum = switch(catalog, "nvidia-qm9700")
    assert (quantum.ports, quantum.gbps, quantum.rack_units, quantum.weight_kg) == (64, 400, 1, 14.8)
    assert quantum.throughput_tbps == pytest.approx(2 * 64 * 400 / 1000)
    spectrum = switch(catalog, "nvidia-sn5600")  # 64 ports of 800 GbE, 51.2 Tb/s, 2U
    assert (spectrum.ports, spectrum.gbps, spectrum.rack_units) == (64, 800, 2)
    assert spectrum.throughput_tbps == pytest.approx(64 * 800 / 1000)
    assert switch(catalog, "nvidia-q3400-ra").unverified("throughput_tbps")  # listed, its figures not read


def test_network_cards_by_port(catalog: Catalog) -> None:
    # ConnectX-7 VPI user manual, introduction: MCX75310AAS-NEAT one NDR port, MCX755106AS-HEAT two NDR200 ports
    neat, heat = nic(catalog, "connectx-7-mcx75310aas-neat"), nic(catalog, "connectx-7-mcx755106as-heat")
    assert (neat.ports, neat.gbps, neat.pcie_gen, neat.pcie_lanes) == (1, 400, 5, 16)
    assert (heat.ports, heat.gbps) == (2, 200)
    hdr = nic(catalog, "connectx-6-mcx653106a-hdat")  # "200Gb 2-port QSFP56 PCIe4 x16 MCX653106A-HDAT", MLPerf, XD670
    assert (hdr.ports, hdr.gbps, hdr.connector, hdr.pcie_gen, hdr.pcie_lanes) == (2, 200, "QSFP56", 4, 16)
    assert nic(catalog, "broadcom-bcm57608-p1400gd").unverified()


def test_a_module_is_of_binary_and_a_drive_of_decimal_bytes(catalog: Catalog) -> None:
    sizes = {module.id: module.capacity_bytes for module in catalog.memory_modules}
    assert sizes["rdimm-ddr5-4800-32gb"] == 32 * GIB and sizes["rdimm-ddr5-256gb"] == 256 * GIB
    drives = {drive.id: drive.capacity_bytes for drive in catalog.drives}
    assert drives["nvme-960gb"] == 960_000_000_000 and drives["nvme-9550-pro-7680gb"] == 7_680_000_000_000


def test_power_supplies_with_the_servers_that_show_them(catalog: Catalog) -> None:
    dgx = psu(catalog, "nvidia-3300w")  # DGX B200 user guide: six supplies of 3.3 kW, 5+1
    assert (dgx.rated_w, dgx.servers, dgx.verification) == (3300, ("nvidia-dgx-b200",), READ)
    hgx = psu(catalog, "supermicro-3000w")  # ServeTheHome on SYS-821GE-TNHR: six of 3 kW, 4+2
    assert (hgx.rated_w, hgx.servers) == (3000, ("supermicro-sys-821ge-tnhr",))
    for row in catalog.psus:
        for name in row.servers if row.verification == READ and row.vendor != "Lenovo" else ():
            shown = server(catalog, name)
            assert f"{row.rated_w:.0f}W" in shown.psus and not shown.unverified("psus"), row.id


def test_servers_as_their_guides_say(catalog: Catalog) -> None:
    dgx = server(catalog, "nvidia-dgx-b200")  # DGX B200 user guide: 10U, 14.3 kW, 142.4 kg, 32 module slots
    assert (dgx.rack_units, dgx.max_power_w, dgx.weight_kg, dgx.dimm_slots) == (10, 14_300, 142.4, 32)
    assert (dgx.gpus, dgx.verification) == ((catalog.gpu("B200 SXM").id,), READ)
    xe9680 = server(catalog, "dell-poweredge-xe9680")  # StorageReview: 6U, six supplies of 2.8 or 3.2 kW, 107.8 kg
    assert (xe9680.rack_units, xe9680.psus, xe9680.weight_kg) == (6, "6x 2800W or 6x 3200W", 107.8)
    rack = server(catalog, "nvidia-gb200-nvl72")  # about 120 kW and 1.36 t a rack
    assert (rack.max_gpus, rack.max_power_w, rack.weight_kg) == (72, 120_000, 1360)


def test_what_a_server_is_only_recalled_to_have_is_marked(catalog: Catalog) -> None:
    submitted = server(catalog, "supermicro-as-8125gs-tnhr")
    assert submitted.unverified("psus") and submitted.unverified("rack_units")
    assert not submitted.unverified("max_gpus") and not submitted.unverified("dimm_slots")  # 24 modules submitted
    assert server(catalog, "itpod-sy4108g-d12r-g4").unverified()
    assert server(catalog, "supermicro-sys-521ge-tnrt").unverified()


def test_a_server_of_both_lists_is_one_row(catalog: Catalog) -> None:
    assert [row.market for row in catalog.server_models].count("russia") == 46
    yadro = server(catalog, "yadro-g4208p-g3")
    assert (yadro.market, yadro.max_gpus, yadro.dimm_slots) == ("russia", 8, 32)
    assert yadro.unverified("rack_units") and "no number seen" in yadro.registry
    xfusion = server(catalog, "xfusion-fusionserver-g5500-v7")
    assert (xfusion.rack_units, xfusion.max_gpus, xfusion.nic_slots) == (4, 10, "3x OCP 3.0")


def test_a_name_of_several_gpus_is_never_settled_for_a_server(catalog: Catalog) -> None:
    xe9680 = server(catalog, "dell-poweredge-xe9680")  # takes an A100 SXM: of 40 or of 80 GB is not said
    assert "A100 SXM" in xe9680.gpus_said and not any("a100" in gpu for gpu in xe9680.gpus)
    for row in catalog.server_models:
        for gpu in (record for record in catalog.gpus if record.id in row.gpus):
            assert not (gpu.form_factor.startswith("SXM") and row.gpu_form_factor.startswith("PCIe DW")) or (
                "SXM" in row.gpu_form_factor
            ), row.id


def test_floors_of_a_stack(catalog: Catalog) -> None:
    # vLLM 0.20 moved its wheel to CUDA 13.0 (vllm#39878), which ends at compute capability 7.5 and wants driver 580
    before, after = stack(catalog, "vLLM", "0.19.1"), stack(catalog, "vLLM", "0.20.2")
    assert (before.min_compute_capability, after.min_compute_capability) == ("7.0", "7.5")
    assert after.min_nvidia_driver.startswith(">=580") and after.min_cuda_toolkit.startswith("13.0")
    assert stack(catalog, "CUDA toolkit", "13.x").min_nvidia_driver == ">=580"  # CUDA minor version compatibility
    assert stack(catalog, "CUDA toolkit", "12.x").unverified("min_compute_capability")


def test_a_feature_by_compute_capability(catalog: Catalog) -> None:
    bf16 = {
        row.cc_range: row.supported
        for row in catalog.compatibility
        if (row.stack, row.stack_version, row.feature) == ("vLLM", "0.33.0", "bf16")
    }
    assert (bf16["sm_80+"], bf16["sm_75"]) == ("yes", "no")  # platforms/cuda.py of that version: Turing has no BF16


def test_flags_of_a_version(catalog: Catalog) -> None:
    model = flag(catalog, "vLLM", "0.33.0", "model path")  # vllm serve --help
    assert (model.flag_or_key, model.default) == ("--model", "Qwen/Qwen3-0.6B")
    graphs = [row for row in catalog.flags if row.flag_or_key == "--cuda-graphs"]
    assert [row.unverified("default") for row in graphs] == [True]


def test_api_prices(catalog: Catalog) -> None:
    # litellm 1.110.2: DeepSeek-R1-0528 at DeepInfra, 0.50 in, 2.15 out and 0.35 cached, in dollars
    price = api_price(catalog, "deepinfra", "deepseek-r1", "<=2026-12-01")
    assert (price.input_per_million_tokens, price.output_per_million_tokens) == (Decimal("0.5"), Decimal("2.15"))
    assert (price.cached_input_per_million_tokens, price.currency, price.vat_included) == (
        Decimal("0.35"),
        "USD",
        False,
    )
    # Cloud.ru, 2026-07-19: gpt-oss-120b at 15.86 and 61 roubles with VAT of 22 %
    russian = api_price(catalog, "Cloud.ru Evolution Foundation Models", "gpt-oss-120b", "2026-07-19")
    assert (russian.input_per_million_tokens, russian.output_per_million_tokens) == (Decimal("15.86"), Decimal(61))
    assert (russian.currency, russian.region, russian.vat_rate) == ("RUB", "Russia", Decimal("0.22"))


def test_an_api_price_is_of_the_model_its_name_means(catalog: Catalog) -> None:
    for price in catalog.api_prices:
        assert not price.model or catalog.model(price.model_said).id == price.model, price.model_said
        assert price.input_per_million_tokens > 0 and (price.output_per_million_tokens is not None or price.notes)
        assert price.vat_included == (price.currency == "RUB") == (price.vat_rate is not None), price


def test_a_term_whole_and_short(catalog: Catalog) -> None:
    (term,) = [row for row in catalog.terms if row.en == "KV cache"]
    assert isinstance(term, Term)
    assert (term.ru, term.ru_short, term.domain) == ("KV-кеш (кеш ключей и значений)", "KV-кеш", "memory")
    assert len({row.en for row in catalog.terms}) == len(catalog.terms)


@pytest.mark.parametrize(
    ("gpu", "fp64", "fp64_tensor", "kind"),
    [  # data sheets of the vendors: dense TFLOP/s; which way GPUs of one server are joined
        ("H100 SXM", 34, 67, "nvswitch"),
        ("A100 SXM4 80GB", 9.7, 19.5, "nvswitch"),
        ("A100 PCIe 80GB", 9.7, 19.5, "bridge-2"),
        ("H100 NVL", 30, 60, "bridge-2"),
        ("H200 NVL", 30, 60, "bridge-4"),
        ("MI300X", 81.7, 163.4, "mesh"),
        ("B300 SXM", 1.2, None, "nvswitch"),
        ("L40S", 1.43, None, "none"),
        ("V100 SXM 32", 7.8, None, "mesh"),
        ("GH200 96", 34, 67, ""),
    ],
)
def test_double_precision_and_links(
    catalog: Catalog, gpu: str, fp64: float, fp64_tensor: float | None, kind: str
) -> None:
    found = catalog.gpu(gpu)
    assert (found.fp64_tflops, found.fp64_tensor_tflops, found.nvlink_kind) == (fp64, fp64_tensor, kind)


def test_links_are_of_a_known_kind_and_recalled_rates_are_marked(catalog: Catalog) -> None:
    assert {gpu.nvlink_kind for gpu in catalog.gpus} == set(NVLINK_KINDS)
    for gpu in catalog.gpus:
        assert gpu.nvlink_kind != "none" or not gpu.nvlink_gbs_total, gpu.id
        if "recalled" in gpu.tflops_basis and gpu.fp64_tflops:
            assert gpu.unverified("fp64_tflops"), gpu.id
