"""Parts of a server, by the rules they follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.advisor.money_terms import money_terms
from desktop.advisor.server_offer import priced_parts
from desktop.catalog import Catalog, load_catalog
from desktop.request import Economics
from desktop.servers.bill_of_materials import ServerBuild, build_server, servers_for
from desktop.units import GIB, MIB

CATALOG = load_catalog()
DOLLARS = money_terms(Economics(), CATALOG)
H200_NVL_BYTES = 143_771 * MIB  # nvidia-smi


def build(
    platform: str = "cisco-ucs-c845a-m8",
    gpu: str = "NVIDIA H200 NVL 141GB",
    gpus: int = 5,
    model_bytes: int = 72_683_241_472,
) -> ServerBuild:
    chassis = CATALOG.platform(platform)
    found = build_server(
        chassis,
        CATALOG.gpu(gpu),
        CATALOG.cpu(chassis.cpu),
        gpus,
        H200_NVL_BYTES,
        model_bytes,
        priced_parts(CATALOG, DOLLARS),
        CATALOG.calibration.servers,
    )
    assert found is not None
    return found


def quantity(built: ServerBuild, group: str) -> int:
    return sum(line.quantity for line in built.lines if line.group == group)


def test_memory_is_twice_the_gpu_memory_with_all_channels_equal() -> None:
    """NVIDIA-certified systems: RAM at least 2 x GPU memory. 5 x 140.4 GiB = 702 GiB, so 1,536 GiB in 24 equal
    modules."""
    built = build()
    assert built.ram_bytes >= 2 * 5 * H200_NVL_BYTES
    assert quantity(built, "memory") % CATALOG.platform("cisco-ucs-c845a-m8").dimm_channels == 0
    assert built.ram_bytes == 1536 * GIB


def test_cores_and_cards() -> None:
    """At least 6 cores a GPU; one 25 GbE card for each 4 GPUs."""
    built = build(gpus=8)
    assert built.cores >= 6 * 8
    assert quantity(built, "network") == 2
    assert quantity(build(gpus=4), "network") == 1


def test_drives_are_mirrored_and_hold_two_revisions() -> None:
    built = build(model_bytes=3_000_000_000_000)  # a 3 TB checkpoint: 7.5 TB needed at 80 % fill
    assert quantity(built, "storage") % 2 == 0
    assert built.nvme_bytes / 2 * 0.8 >= 2 * 3_000_000_000_000
    assert quantity(built, "boot") == 2


def test_a_whole_system_lists_what_is_in_its_price() -> None:
    """Lenovo LP2368 prices 8 x H200 as one system; its memory is not stated, so none is claimed."""
    built = build("lenovo-sr680a-v3-h200", "NVIDIA H200 SXM 141GB", 8)
    assert [line.group for line in built.lines] == ["system", "gpu", "cpu"]
    assert built.ram_bytes == 0


def test_too_little_room_for_memory_is_not_built() -> None:
    """Twelve times the GPU memory of the largest card in one chassis: no set of modules reaches even 1 x."""
    chassis = CATALOG.platform("cisco-ucs-c845a-m8")
    assert (
        build_server(
            chassis,
            CATALOG.gpu("NVIDIA H200 NVL 141GB"),
            CATALOG.cpu(chassis.cpu),
            8,
            100_000 * GIB,
            1,
            priced_parts(CATALOG, DOLLARS),
            CATALOG.calibration.servers,
        )
        is None
    )


@given(
    st.integers(1, 500), st.sampled_from([1, 2, 4, 8]), st.sampled_from(["cisco-ucs-c845a-m8", "lenovo-sr680a-v3-h200"])
)
def test_servers_hold_every_gpu_and_cut_no_replica(replicas: int, tensor: int, platform: str) -> None:
    chassis = CATALOG.platform(platform)
    servers, each = servers_for(replicas * tensor, chassis, tensor)
    assert servers * each >= replicas * tensor
    assert each <= chassis.max_gpus
    assert each % chassis.gpu_step == 0
    assert servers * (each // tensor) >= replicas


def test_prices_of_parts_exist(catalog: Catalog) -> None:
    parts = priced_parts(catalog, DOLLARS)
    assert parts.memory and parts.drives and parts.boot and parts.network
    assert parts.network[0].gbps == pytest.approx(25)
