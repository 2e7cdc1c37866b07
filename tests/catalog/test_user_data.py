"""user.db: what is put in comes out, every change is whole, and a file that is not ours is left alone."""

import sqlite3
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from desktop.catalog.prices import HardwarePrice
from desktop.catalog.records import Drive, Gpu, ModelRecord
from desktop.catalog.user_data import UserData, user_file
from desktop.catalog.user_database import APPLICATION_ID
from desktop.request import Problem

ON = date(2026, 12, 1)
H100 = "nvidia-h100-sxm5-80gb"


@pytest.fixture
def user(tmp_path: Path) -> UserData:
    return UserData(tmp_path / "data" / "user.db")


def price(**changes: object) -> HardwarePrice:
    said = {
        "part": H100,
        "category": "gpu",
        "low": "25000.10",
        "high": "26000",
        "currency": "USD",
        "kind": "quote",
        "supplier": "Acme",
        "source": "quotation 17",
        "as_of": "2026-11-30",
    }
    return HardwarePrice.model_validate(said | changes)


def reason(file: Path) -> str:
    with pytest.raises(Problem) as caught:
        UserData(file).prices()
    assert (caught.value.code, caught.value.field) == ("user_data", file.name)
    return str(caught.value.values["reason"])


def test_a_missing_file_reads_as_empty_and_is_not_made(tmp_path: Path) -> None:
    user = UserData(tmp_path / "data" / "user.db")
    assert (user.prices(), user.parts(), user.confirmations(), user.discounts()) == ((), {}, (), ())
    assert (user.margin(), user.preferred_vendors(), user.mapping("Acme"), user.age_limits()) == (0, (), {}, {})
    assert list(tmp_path.iterdir()) == []


def test_the_file_lies_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RACKWRIGHT_DATA", str(tmp_path))
    assert user_file() == tmp_path / "user.db"
    monkeypatch.delenv("RACKWRIGHT_DATA")
    assert (user_file().parent.name, user_file().name) == ("rackwright", "user.db")


def test_everything_is_there_after_opening_again(user: UserData, tmp_path: Path) -> None:
    user.put_price(price())
    user.put_part("drives", Drive(id="own-drive", name="Own 30 TB", role="storage", capacity_bytes=30 * 10**12))
    user.put_part("models", ModelRecord(id="own", name="Own", kind="decoder", facts={"num_layers": 2}))
    user.confirm("gpus", H100, "tdp_w", "700", " A. Engineer ", ON)
    user.set_discount("Acme", "gpu", Decimal("0.125"))
    user.set_margin(Decimal("0.15"))
    user.prefer_vendor("Lenovo")
    user.prefer_vendor("Acme")
    user.remember_mapping("Acme", {"price": "Цена, руб."})
    user.link_name("Acme", "H100 board", H100)
    user.set_age_limit("gpu", 7)

    again = UserData(tmp_path / "data" / "user.db")
    (kept,) = again.prices()
    assert kept == price(verification="own") and kept.low == Decimal("25000.10")
    assert [drive.verification for drive in again.parts()["drives"]] == ["own"]
    assert again.parts()["models"][0].values()["facts"] == {"num_layers": 2}
    (said,) = again.confirmations()
    assert (said.table, said.id, said.field, said.value, said.by, said.on) == (
        "gpus",
        H100,
        "tdp_w",
        "700",
        "A. Engineer",
        ON,
    )
    assert [(one.vendor, one.category, one.share) for one in again.discounts()] == [("Acme", "gpu", Decimal("0.125"))]
    assert (again.margin(), again.preferred_vendors()) == (Decimal("0.15"), ("Lenovo", "Acme"))
    assert (again.mapping("Acme"), again.links("Acme")) == ({"price": "Цена, руб."}, {"H100 board": H100})
    assert again.age_limits() == {"gpu": 7}


def test_a_newer_price_of_the_same_part_supplier_kind_and_region_takes_the_place_of_the_older(user: UserData) -> None:
    user.put_price(price())
    user.put_price(price(low="24000", high="24000", as_of="2026-12-01"))
    user.put_price(price(supplier="Other"))
    assert [(one.supplier, one.low) for one in user.prices()] == [
        ("Acme", Decimal("24000")),
        ("Other", Decimal("25000.10")),
    ]
    user.remove_price(price())
    assert [one.supplier for one in user.prices()] == ["Other"]


def test_what_is_withdrawn_is_gone(user: UserData) -> None:
    user.confirm("gpus", H100, "", "{}", "A", ON)
    user.withdraw("gpus", H100, "")
    user.put_part("drives", Drive(id="own-drive", name="Own", role="boot", capacity_bytes=1))
    user.remove_part("drives", "own-drive")
    user.set_discount("Acme", "", Decimal("0.1"))
    user.set_discount("Acme", "", Decimal(0))
    user.prefer_vendor("Acme")
    user.prefer_vendor("Acme", preferred=False)
    assert (user.confirmations(), user.parts(), user.discounts(), user.preferred_vendors()) == ((), {}, (), ())


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"low": "0"}, "out_of_range"),
        ({"low": "NaN"}, "out_of_range"),
        ({"low": "27000"}, "low_above_high"),
        ({"as_of": ""}, "bad_value"),
        ({"as_of": "yesterday"}, "bad_value"),
        ({"as_of": "2026-13-01"}, "bad_value"),
    ],
)
def test_an_impossible_price_is_refused(user: UserData, changes: dict[str, str], code: str) -> None:
    low = Decimal(changes["low"]) if "low" in changes else Decimal("25000.10")
    with pytest.raises(Problem) as caught:
        user.put_price(price(**{**changes, "low": "1"}).model_copy(update={"low": low}))
    assert caught.value.code == code and user.prices() == ()


def test_impossible_settings_are_refused(user: UserData) -> None:
    for call in (
        lambda: user.set_discount("Acme", "gpu", Decimal("1")),
        lambda: user.set_discount("Acme", "gpus", Decimal("0.1")),
        lambda: user.set_margin(Decimal("-0.1")),
        lambda: user.set_age_limit("gpu", 0),
        lambda: user.set_age_limit("cheese", 3),
        lambda: user.confirm("gpus", H100, "tdp_w", "700", "  ", ON),
        lambda: user.put_part("psus", Drive(id="x", name="x", role="boot", capacity_bytes=1)),
        lambda: user.put_part("gpus", Drive(id="x", name="x", role="boot", capacity_bytes=1)),
    ):
        with pytest.raises(Problem):
            call()


def test_a_change_that_fails_in_the_middle_changes_nothing(user: UserData) -> None:
    user.put_price(price())
    with pytest.raises(Problem), user.transaction():
        user.put_price(price(supplier="Other"))
        assert len(user.prices()) == 2
        user.put_price(price(low="0"))
    assert [one.supplier for one in user.prices()] == ["Acme"]


def test_foreign_newer_and_damaged_files_are_told_apart_and_left_alone(tmp_path: Path) -> None:
    foreign, text, newer = tmp_path / "foreign.db", tmp_path / "text.db", tmp_path / "newer.db"
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE mail (subject)")
    database.close()
    text.write_text("not a database, and longer than the hundred bytes of a header " * 3, encoding="utf-8")
    UserData(newer).put_price(price())
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = [file.read_bytes() for file in (foreign, text, newer)]
    assert [reason(file) for file in (foreign, text, newer)] == ["foreign", "foreign", "newer"]
    for file in (foreign, text, newer):
        with pytest.raises(Problem):
            UserData(file).put_price(price())
    assert [file.read_bytes() for file in (foreign, text, newer)] == before


def test_a_damaged_file_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "user.db"
    user = UserData(file)
    for number in range(200):
        user.put_price(price(supplier=f"Supplier {number}"))
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert reason(file) == "damaged"
    file.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    assert reason(file) == "damaged"


def test_a_record_that_is_none_any_more_is_damage(tmp_path: Path) -> None:
    file = tmp_path / "user.db"
    UserData(file).put_price(price())
    with sqlite3.connect(file) as database:
        database.execute("UPDATE prices SET record = '{}'")
    database.close()
    assert reason(file) == "damaged"


def test_a_file_that_another_program_writes_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.catalog.user_database.WAIT_S", 0.01)
    file = tmp_path / "user.db"
    UserData(file).put_price(price())
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert reason(file) == "busy"
    other.close()
    assert len(UserData(file).prices()) == 1


def test_a_folder_in_the_way_and_one_that_cannot_be_written(tmp_path: Path, read_only_folder: Path) -> None:
    with pytest.raises(Problem) as caught:
        UserData(tmp_path).put_price(price())
    assert caught.value.code == "is_a_folder"
    with pytest.raises(Problem) as caught:
        UserData(read_only_folder / "user.db").put_price(price())
    assert (caught.value.code, caught.value.values["reason"]) == ("user_data", "permission")


def test_an_empty_file_left_by_a_crash_is_used(tmp_path: Path) -> None:
    file = tmp_path / "user.db"
    file.touch()
    user = UserData(file)
    assert user.prices() == ()
    user.put_price(price())
    assert int.from_bytes(file.read_bytes()[68:72], "big") == APPLICATION_ID and len(user.prices()) == 1


def test_a_gpu_with_what_nobody_read_becomes_the_users_word(user: UserData) -> None:
    gpu = Gpu(id="own", name="Own", short="Own", vendor="V", architecture="A", form_factor="PCIe", recalled=("tdp_w",))
    user.put_part("gpus", gpu)
    (kept,) = user.parts()["gpus"]
    assert (kept.verification, kept.recalled, kept.unverified("tdp_w")) == ("own", (), False)
