"""The catalog with user data: confirmed facts, own parts and prices, discounts, and where both disagree."""

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from desktop.catalog import Catalog
from desktop.catalog.facts import Origin
from desktop.catalog.overlay import confirm_fact, conflicts, value_text, with_user_data
from desktop.catalog.prices import HardwarePrice
from desktop.catalog.records import Cpu, Drive, Gpu, Platform, Stamp
from desktop.catalog.user_data import UserData
from desktop.request import Problem

ON = date(2026, 12, 1)
BOARD = Gpu(
    id="board",
    name="Board 1",
    short="B1",
    vendor="V",
    architecture="A",
    form_factor="SXM",
    memory_gb=80,
    tdp_w=700,
    cooling="passive",
    source="data sheet",
    as_of="2026-01",
    verification="part-read",
    recalled=("tdp_w", "cooling"),
)
DRIVE = Drive(
    id="drive", name="Drive 1", role="storage", capacity_bytes=10**12, as_of="2026-01", verification="recalled"
)
HOST = Cpu(id="host", name="Host", cores=64, tdp_w=300, memory_channels=8, source="data sheet", verification="read")
LISTED = HardwarePrice(
    part="board",
    category="gpu",
    low=Decimal("30000"),
    high=Decimal("32000"),
    currency="USD",
    kind="list",
    supplier="Acme",
    source="list",
    as_of="2026-01-01",
    verification="read",
)


@pytest.fixture
def small() -> Catalog:
    return Catalog(
        stamp=Stamp(version="2026-12-01", built=ON, sha256="0"),
        gpus=(BOARD,),
        drives=(DRIVE,),
        cpus=(HOST,),
        hardware_prices=(LISTED,),
    )


@pytest.fixture
def user(tmp_path: Path) -> UserData:
    return UserData(tmp_path / "user.db")


def own(kind: str = "list", **changes: object) -> HardwarePrice:
    return LISTED.model_copy(update={"kind": kind, "low": Decimal("100"), "high": Decimal("200"), **changes})


def platform(**changes: object) -> Platform:
    said = {
        "id": "mine",
        "vendor": "V",
        "model": "M",
        "pricing": "barebone",
        "gpus": ("board",),
        "max_gpus": 8,
        "rack_units": 4,
        "cpu_sockets": 2,
        "cpu": "host",
        "dimm_slots": 32,
        "dimm_channels": 16,
        "nvme_bays": 8,
    }
    return Platform.model_validate(said | changes)


def kinds(catalog: Catalog, user: UserData) -> list[tuple[str, str, str]]:
    return [(found.kind, found.id, found.field) for found in conflicts(catalog, user)]


def test_nothing_of_the_user_leaves_the_catalog_as_it_is(small: Catalog, user: UserData) -> None:
    assert with_user_data(small, user) is small and conflicts(small, user) == ()


def test_a_confirmed_field_is_no_longer_recalled(small: Catalog, user: UserData) -> None:
    said = confirm_fact(small, user, "gpus", "board", "tdp_w", "A. Engineer", ON)
    assert (said.value, said.by) == ("700.0", "A. Engineer")
    gpu = with_user_data(small, user).gpu("Board 1")
    assert gpu.recalled == ("cooling",) and not gpu.unverified("tdp_w") and gpu.unverified("cooling")
    assert gpu.origin("tdp_w") == Origin(
        source="confirmed by A. Engineer, 2026-12-01", as_of="2026-12-01", verification="confirmed"
    )
    assert gpu.origin("memory_gb") == BOARD.origin("memory_gb") and gpu.source == "data sheet"
    assert small.gpu("Board 1").unverified("tdp_w")
    assert conflicts(small, user) == ()


def test_a_wholly_recalled_record_is_confirmed_whole(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "drives", "drive", "", "A", ON)
    drive = with_user_data(small, user).drives[0]
    assert (drive.verification, drive.source, drive.as_of) == ("confirmed", "confirmed by A, 2026-12-01", "2026-12-01")
    assert not drive.unverified() and not drive.unverified("capacity_bytes")


def test_the_rest_of_a_part_read_record_is_confirmed_whole(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "gpus", "board", "", "A", ON)
    gpu = with_user_data(small, user).gpus[0]
    assert gpu.recalled == () and gpu.origin("cooling").verification == "confirmed"
    assert (gpu.verification, gpu.origin("memory_gb").verification) == ("part-read", "read")


def test_one_field_of_a_wholly_recalled_record_leaves_the_rest_recalled(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "drives", "drive", "capacity_bytes", "A", ON)
    drive = with_user_data(small, user).drives[0]
    assert drive.unverified() and not drive.unverified("capacity_bytes") and drive.unverified("name")


def test_a_value_the_update_changed_is_a_conflict_and_not_confirmed(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "gpus", "board", "tdp_w", "A", ON)
    updated = replace(small, gpus=(BOARD.model_copy(update={"tdp_w": 750.0}),))
    assert with_user_data(updated, user).gpus[0].unverified("tdp_w")
    (found,) = conflicts(updated, user)
    assert (found.kind, found.table, found.id, found.field) == ("value_changed", "gpus", "board", "tdp_w")
    assert (found.yours, found.shipped) == ("700.0", "750.0")


def test_a_value_the_update_has_read_since_keeps_its_source(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "gpus", "board", "tdp_w", "A", ON)
    updated = replace(small, gpus=(BOARD.model_copy(update={"recalled": ()}),))
    assert with_user_data(updated, user).gpus[0].origin("tdp_w").source == "data sheet"
    assert conflicts(updated, user) == ()


def test_a_confirmation_of_what_is_gone_is_a_conflict(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "gpus", "board", "tdp_w", "A", ON)
    confirm_fact(small, user, "drives", "drive", "", "A", ON)
    updated = replace(small, gpus=(BOARD.model_copy(update={"tdp_w": None}),), drives=())
    assert kinds(updated, user) == [("gone", "drive", ""), ("gone", "board", "tdp_w")]
    assert with_user_data(updated, user).gpus[0].tdp_w is None


@pytest.mark.parametrize(
    ("table", "id", "field", "code"),
    [
        ("cheese", "board", "", "wrong_value"),
        ("tariffs", "board", "", "wrong_value"),
        ("gpus", "bored", "tdp_w", "no_such_record"),
        ("gpus", "board", "weight", "unknown_field"),
        ("gpus", "board", "recalled", "unknown_field"),
        ("gpus", "board", "memory_gb", "nothing_to_confirm"),
        ("gpus", "board", "fp8_tflops", "nothing_to_confirm"),
        ("cpus", "host", "", "nothing_to_confirm"),
    ],
)
def test_what_cannot_be_confirmed(small: Catalog, user: UserData, table: str, id: str, field: str, code: str) -> None:
    with pytest.raises(Problem) as caught:
        confirm_fact(small, user, table, id, field, "A", ON)
    assert caught.value.code == code and user.confirmations() == ()


def test_own_parts_stand_beside_the_shipped_ones(small: Catalog, user: UserData) -> None:
    user.put_part("drives", Drive(id="mine", name="Mine", role="storage", capacity_bytes=2 * 10**12))
    found = with_user_data(small, user)
    assert [(drive.id, drive.verification) for drive in found.drives] == [("drive", "recalled"), ("mine", "own")]
    assert found.part("mine").name == "Mine" and conflicts(small, user) == ()


def test_an_own_part_with_a_shipped_id_wins_and_is_listed(small: Catalog, user: UserData) -> None:
    user.put_part("gpus", BOARD.model_copy(update={"memory_gb": 96.0}))
    found = with_user_data(small, user)
    assert [gpu.memory_gb for gpu in found.gpus] == [96.0]
    assert kinds(small, user) == [("same_id", "board", "")]
    (listed,) = conflicts(small, user)
    assert (json.loads(listed.yours)["memory_gb"], json.loads(listed.shipped)["memory_gb"]) == (96.0, 80.0)


def test_an_own_part_with_the_id_of_something_else_is_not_applied(small: Catalog, user: UserData) -> None:
    user.put_part("drives", Drive(id="board", name="Mine", role="storage", capacity_bytes=1))
    assert with_user_data(small, user).drives == small.drives
    assert kinds(small, user) == [("taken_id", "board", "")]


def test_an_own_server_that_names_what_is_not_there_is_not_applied(small: Catalog, user: UserData) -> None:
    user.put_part("platforms", platform())
    assert [found.id for found in with_user_data(small, user).platforms_for("board")] == ["mine"]
    user.put_part("platforms", platform(cpu="gone"))
    assert with_user_data(small, user).platforms == ()
    assert kinds(small, user) == [("missing_reference", "mine", "")]


def test_own_prices_are_appended(small: Catalog, user: UserData) -> None:
    user.put_price(own("quote"))
    found = with_user_data(small, user).prices_of("board")
    assert [(price.kind, price.verification, price.low) for price in found] == [
        ("list", "read", Decimal("30000")),
        ("quote", "own", Decimal("100")),
    ]


def test_an_own_price_of_nothing_is_listed(small: Catalog, user: UserData) -> None:
    user.put_price(own(part="gone"))
    assert kinds(small, user) == [("price_without_part", "gone", "")]


def test_a_discount_is_taken_off_list_and_own_prices_of_its_supplier_and_category(
    small: Catalog, user: UserData
) -> None:
    user.put_price(own("street"))
    user.put_price(own("quote"))
    user.put_price(own("list", supplier="Other"))
    user.put_price(own("list", part="drive", category="storage"))
    user.set_discount("Acme", "gpu", Decimal("0.125"))
    found = {
        (price.part, price.supplier, price.kind): (price.low, price.high, price.notes)
        for price in with_user_data(small, user).hardware_prices
    }
    said = "less 12.5% discount of Acme"
    assert found["board", "Acme", "list"] == (Decimal("26250"), Decimal("28000"), said)  # 30,000 and 32,000 x 7/8
    assert found["board", "Acme", "street"] == (Decimal("87.5"), Decimal("175"), said)
    assert found["board", "Acme", "quote"] == (Decimal("100"), Decimal("200"), "")  # agreed already
    assert found["board", "Other", "list"] == (Decimal("100"), Decimal("200"), "")
    assert found["drive", "Acme", "list"] == (Decimal("100"), Decimal("200"), "")


def test_a_discount_of_every_category_yields_to_that_of_one(small: Catalog, user: UserData) -> None:
    user.put_price(own("street", part="drive", category="storage"))
    user.set_discount("Acme", "", Decimal("0.5"))
    user.set_discount("Acme", "gpu", Decimal("0.1"))
    found = with_user_data(small, user)
    assert [price.low for price in found.prices_of("board")] == [Decimal("27000")]
    assert [price.low for price in found.prices_of("drive")] == [Decimal("50")]


def test_own_age_limits_stand_before_the_shipped_ones(small: Catalog, user: UserData) -> None:
    user.set_age_limit("gpu", 90)
    limits = with_user_data(small, user).age_limits
    assert limits["gpu"] == 90 and limits["memory"] == small.age_limits["memory"]


def test_every_recalled_value_of_the_shipped_catalog_can_be_confirmed(catalog: Catalog, user: UserData) -> None:
    places = [
        (table, row.id, field)
        for table in ("gpus", "cpus", "drives", "nics", "platforms", "models")
        for row in getattr(catalog, table)
        for field in row.recalled
        if field in row.values()
    ]
    with user.transaction():
        for table, id, field in places:
            confirm_fact(catalog, user, table, id, field, "A", ON)
    found = with_user_data(catalog, user)
    for table, id, field in places:
        row = next(row for row in getattr(found, table) if row.id == id)
        assert row.origin(field).verification == "confirmed", (table, id, field)
    assert len(places) > 20 and conflicts(catalog, user) == ()


def test_the_value_kept_is_the_same_whatever_the_order_of_fields() -> None:
    assert value_text(BOARD, "tdp_w") == "700.0"
    assert list(json.loads(value_text(BOARD))) == sorted(BOARD.values().keys() - {"aliases", "short", "tflops_basis"})


def test_what_a_record_is_called_is_not_confirmed_with_it() -> None:
    """An update that only adds an alias leaves a confirmation in force."""
    renamed = BOARD.model_copy(update={"aliases": ("the board",), "short": "Board"})
    assert value_text(renamed) == value_text(BOARD)


def test_who_vouched_for_one_field_keeps_it_beside_who_vouched_for_all(small: Catalog, user: UserData) -> None:
    confirm_fact(small, user, "gpus", "board", "tdp_w", "Иван Петров", ON)
    confirm_fact(small, user, "gpus", "board", "", "A. Engineer", ON)
    gpu = with_user_data(small, user).gpu("board")
    assert gpu.origin("tdp_w").source.startswith("confirmed by Иван Петров")
