"""Facts that quotes rest on, as the documents cited beside them have them, and what still stands on memory alone."""

from decimal import Decimal

import pytest

from desktop.catalog import Catalog

# AMD product specifications: github DborUS/hardware-dashboard@cfe7c43 docs/specs/source-csv/AMD EPYC.csv
AMD_CPUS = [  # cores, threads, base and boost in GHz, TDP in W
    ("amd-epyc-9354", (32, 64, 3.25, 3.8, 280)),
    ("amd-epyc-9254", (24, 48, 2.9, 4.15, 200)),
    ("amd-epyc-9255", (24, 48, 3.2, 4.3, 200)),  # 3.25 GHz was remembered
    ("amd-epyc-9355", (32, 64, 3.55, 4.4, 280)),
    ("amd-epyc-9575f", (64, 128, 3.3, 5.0, 400)),
    ("amd-epyc-9965", (192, 384, 2.25, 3.7, 500)),
]
# Intel ARK, comparison export of 2026-08-27: github DborUS/hardware-dashboard@63d5bec js/data/intel-xeon-specs.json
INTEL_CPUS = [
    ("intel-xeon-platinum-8468", (48, 96, 2.1, 3.8, 350)),
    ("intel-xeon-platinum-8568y-plus", (48, 96, 2.3, 4.0, 350)),
    ("intel-xeon-platinum-8570", (56, 112, 2.1, 4.0, 350)),
    ("intel-xeon-6747p", (48, 96, 2.7, 3.9, 330)),
    ("intel-xeon-6776p", (64, 128, 2.3, 3.9, 350)),
    ("intel-xeon-6980p", (128, 256, 2.0, 3.9, 500)),
]


@pytest.mark.parametrize(("cpu_id", "figures"), AMD_CPUS + INTEL_CPUS)
def test_processors(catalog: Catalog, cpu_id: str, figures: tuple[float, ...]) -> None:
    cpu = catalog.cpu(cpu_id)
    assert [cpu.cores, cpu.threads, cpu.base_ghz, cpu.boost_ghz, cpu.tdp_w] == list(figures)
    assert not cpu.recalled and cpu.verification == "read"


@pytest.mark.parametrize(
    ("cpu_id", "memory", "lanes", "socket", "sockets"),
    [  # the two tables above; sockets of Xeon 6: Intel's list of supported-socket series
        ("amd-epyc-9354", (12, "DDR5-4800"), 128, "SP5", 2),
        ("amd-epyc-9355", (12, "DDR5-6400"), 128, "SP5", 2),
        ("intel-xeon-platinum-8490h", (8, "DDR5-4800"), 80, "LGA4677", 8),
        ("intel-xeon-platinum-8568y-plus", (8, "DDR5-5600"), 80, "LGA4677", 2),
        ("intel-xeon-platinum-8558", (8, "DDR5-5200"), 80, "LGA4677", 2),
        ("intel-xeon-gold-6530", (8, "DDR5-4800"), 80, "LGA4677", 2),
        ("intel-xeon-6747p", (8, "DDR5-6400; MRDIMM-8000"), 88, "LGA4710", 2),
        ("intel-xeon-6740p", (8, "DDR5-6400"), 88, "LGA4710", 2),  # takes no MRDIMM
        ("intel-xeon-6761p", (8, "DDR5-6400; MRDIMM-8000"), 136, "LGA4710", 1),
        ("intel-xeon-6980p", (12, "MRDIMM-8800"), 96, "LGA7529", 2),
    ],
)
def test_what_processors_connect(
    catalog: Catalog, cpu_id: str, memory: tuple[int, str], lanes: int, socket: str, sockets: int
) -> None:
    cpu = catalog.cpu(cpu_id)
    assert (cpu.memory_channels, cpu.memory_speed) == memory
    assert (cpu.pcie_lanes, cpu.pcie_gen, cpu.socket, cpu.max_sockets) == (lanes, 5, socket, sockets)


def test_the_processor_built_for_nvidia_is_read_where_nvidia_says_it(catalog: Catalog) -> None:
    """https://docs.nvidia.com/dgx/dgxh100-user-guide/introduction-to-dgxh100.html: 56 cores each, 2.0/2.9/3.8 GHz."""
    cpu = catalog.cpu("intel-xeon-platinum-8480c")
    assert (cpu.cores, cpu.base_ghz, cpu.boost_ghz) == (56, 2.0, 3.8)
    assert not cpu.unverified("cores") and cpu.unverified("memory_channels")


def test_dgx_h100(catalog: Catalog) -> None:
    """Same guide: 8U, 287.6 lb (130.45 kg), six supplies of 3,300 W as 4+2, 10.2 kW at most, 8x 3.84 TB, 2 TB."""
    dgx = catalog.platform("nvidia-dgx-h100")
    assert (dgx.rack_units, dgx.weight_kg, dgx.max_power_w) == (8, 130.45, 10_200)
    assert (dgx.psu_count, dgx.psu_rated_w, dgx.psu_redundant) == (6, 3300, 2)
    assert dgx.included_nvme_bytes == 8 * 3_840_000_000_000
    assert dgx.verification == "read" and not dgx.recalled


def test_the_server_of_eight_b300_draws_what_nvidia_allows_the_same_board(catalog: Catalog) -> None:
    """https://docs.nvidia.com/dgx/dgxb300-user-guide/introduction-to-dgxb300.html: 15 kW system maximum."""
    server = catalog.platform("lenovo-sr680a-v4-b300")
    assert server.max_power_w == 15_000
    assert "dgxb300-user-guide" in server.origin("max_power_w").source


def test_cisco_c845a_takes_cards_in_pairs_and_only_those_listed(catalog: Catalog) -> None:
    """Data sheet of 2026-08-24: 4U, two EPYC 9005, 32 module slots, up to 20 E1.S drives; 2, 4, 6 or 8 cards."""
    server = catalog.platform("cisco-ucs-c845a-m8")
    assert (server.rack_units, server.cpu_sockets, server.dimm_slots, server.nvme_bays) == (4, 2, 32, 20)
    assert (server.gpu_step, server.max_gpus) == (2, 8)
    assert {"nvidia-h200-nvl-141gb", "nvidia-l40s", "amd-instinct-mi210"} <= set(server.gpus)
    assert "nvidia-a100-pcie-80gb" not in server.gpus
    assert not server.recalled


def test_supermicro_8125gs_has_three_supplies_to_spare(catalog: Catalog) -> None:
    """https://www.supermicro.com/en/products/system/gpu/8u/as-8125gs-tnmr2: 8U, 6x 3,000 W as 3+3."""
    server = catalog.platform("supermicro-as-8125gs-tnmr2")
    assert (server.rack_units, server.psu_count, server.psu_rated_w, server.psu_redundant) == (8, 6, 3000, 3)


@pytest.mark.parametrize(
    ("part", "usd"),
    [
        ("amd-epyc-9355", 3694),
        ("amd-epyc-9354", 3420),
        ("amd-epyc-9575f", 9238),
        ("amd-epyc-9334", 2990),
        ("amd-epyc-9254", 2299),
        ("amd-epyc-9124", 1083),
    ],
)
def test_list_prices_of_processors(catalog: Catalog, part: str, usd: int) -> None:
    """AMD's price per 1,000 units, same table; 11,791 for EPYC 9575F was remembered and is no longer listed."""
    (price,) = [row for row in catalog.hardware_prices if row.part == part and row.kind == "list"]
    assert (price.low, price.high, price.currency, price.verification) == (Decimal(usd), Decimal(usd), "USD", "read")


def test_h100_nvl(catalog: Catalog) -> None:
    """https://www.nvidia.com/en-us/data-center/h100/: 94 GB, 350 to 400 W; 835, 1,671 and 3,341 TFLOP/s are sparse."""
    gpu = catalog.gpu("nvidia-h100-nvl-94gb")
    assert (gpu.memory_gb, gpu.mem_bandwidth_gbs, gpu.tdp_w) == (94, 3938, 400)
    assert (gpu.tf32_tflops, gpu.bf16_tflops, gpu.fp8_tflops) == (835 / 2, 1671 / 2, 3341 / 2)
    assert gpu.origin("bf16_tflops").verification == "computed"


def test_a16_is_four_chips_at_their_clock(catalog: Catalog) -> None:
    """TechPowerUp: a chip has 1,280 cores and 40 tensor cores of 128 FMA a clock at 1,755 MHz. NVIDIA: 4x 200 GB/s."""
    gpu = catalog.gpu("nvidia-a16-4-gpus-on-board-per-board")
    assert gpu.fp32_tflops == pytest.approx(4 * 1280 * 2 * 1.755e9 / 1e12, abs=0.01)
    assert gpu.bf16_tflops == pytest.approx(4 * 40 * 128 * 2 * 1.755e9 / 1e12, abs=0.05)
    assert (gpu.memory_gb, gpu.mem_bandwidth_gbs, gpu.tdp_w) == (64, 800, 250)


def test_gb10(catalog: Catalog) -> None:
    """https://docs.nvidia.com/dgx/dgx-spark/hardware.html: 128 GB, 273 GB/s, 140 W; 1 PFLOP of FP4 is sparse."""
    gpu = catalog.gpu("nvidia-dgx-spark-gb10")
    assert (gpu.memory_gb, gpu.mem_bandwidth_gbs, gpu.tdp_w, gpu.fp4_tflops) == (128, 273, 140, 1000 / 2)


def test_what_no_document_was_found_for_still_says_so(catalog: Catalog) -> None:
    assert catalog.platform("asus-rs720a-e12-rs24").unverified()
    assert catalog.platform("lenovo-sr650a-v4-l40s").unverified("cpu")
    assert catalog.platform("lenovo-sr680a-v3-h200").unverified("nvme_bays")
    assert catalog.gpu("geforce-rtx-4090-48gb-unofficial-mod").unverified("tdp_w")


def test_dell_xe7740(catalog: Catalog) -> None:
    """Dell's specification and technical guide: 4U, 32 module slots, 8x 3,200 W, 71.35 kg; cards go in twos."""
    server = catalog.platform("dell-poweredge-xe7740")
    assert (server.rack_units, server.dimm_slots, server.dimm_channels, server.weight_kg) == (4, 32, 16, 71.35)
    assert (server.psu_count, server.psu_rated_w, server.gpu_step) == (8, 3200, 2)
    assert server.psu_redundant is None and not server.recalled


def test_hpe_dl380a(catalog: Catalog) -> None:
    """QuickSpecs a00047453enw: Gen12 is 4U with 5 + 3 supplies; a50004309enw: Gen11 has 24 slots on 16 channels."""
    twelfth, eleventh = (
        catalog.platform("hpe-proliant-compute-dl380a-gen12"),
        catalog.platform("hpe-proliant-dl380a-gen11"),
    )
    assert (twelfth.rack_units, twelfth.psu_count, twelfth.psu_redundant) == (4, 8, 3)
    assert {"rtx-pro-6000-blackwell-server-edition", "nvidia-l20", "nvidia-l4"} <= set(twelfth.gpus)
    assert (eleventh.rack_units, eleventh.max_gpus, eleventh.dimm_slots, eleventh.dimm_channels) == (2, 4, 24, 16)


@pytest.mark.parametrize(
    ("platform_id", "shape"),  # rack units, sockets, double-wide cards, module slots
    [
        ("dell-poweredge-r760xa", (2, 2, 4, 32)),  # mlcommons inference_results_v3.1, Dell R760xa
        ("lenovo-thinksystem-sr675-v3", (3, 2, 8, 24)),  # Lenovo Press LP1611
        ("lenovo-thinksystem-sr655-v3", (2, 1, 3, 12)),  # Lenovo Press LP1610
        ("supermicro-sys-421ge-tnrt3", (4, 2, 8, 32)),  # Supermicro's data sheet
        ("gigabyte-g494-zb4-aap2", (4, 2, 8, 48)),  # GIGABYTE's page
        ("autonomous-8x-5090-5u", (5, 2, 8, 24)),  # github autonomous-ai/autonomous-computer 8x-5090
    ],
)
def test_servers_of_cards(catalog: Catalog, platform_id: str, shape: tuple[int, ...]) -> None:
    server = catalog.platform(platform_id)
    assert (server.rack_units, server.cpu_sockets, server.max_gpus, server.dimm_slots) == shape
    assert not {"gpus", "max_gpus", "cpu_sockets", "cpu", "dimm_slots", "dimm_channels", "cooling"} & set(
        server.recalled
    )


def test_a_card_no_document_names_for_a_server_is_not_listed(catalog: Catalog) -> None:
    """The sources of PowerEdge R760xa show L40, L40S and H100; "A100" is said without its memory."""
    gpus = catalog.platform("dell-poweredge-r760xa").gpus
    assert {"nvidia-l40", "nvidia-l40s", "nvidia-h100-pcie-80gb"} <= set(gpus)
    assert not any("a100" in gpu for gpu in gpus)


def test_small_memory_module_bears_dated_spot_prices(catalog: Catalog) -> None:
    """TrendForce, module spot prices: 880 to 1,150 dollars in April 2026, 1,250 to 1,600 in June."""
    spot = {row.as_of: (row.low, row.high) for row in catalog.prices_of("rdimm-ddr5-4800-32gb") if row.kind == "spot"}
    assert spot == {"2026-04": (Decimal(880), Decimal(1150)), "2026-06": (Decimal(1250), Decimal(1600))}
    (module,) = [row for row in catalog.memory_modules if row.id == "rdimm-ddr5-4800-32gb"]
    assert module.verification == "read"
