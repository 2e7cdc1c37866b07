"""Which of several prices is used."""

from decimal import Decimal

from desktop.catalog import Catalog
from desktop.catalog.prices import HardwarePrice
from desktop.servers.prices import chosen_price


def price(kind: str, as_of: str, amount: int = 1) -> HardwarePrice:
    return HardwarePrice.model_validate(
        {"part": "x", "category": "gpu", "low": amount, "high": amount, "currency": "USD", "kind": kind, "as_of": as_of}
    )


def test_the_more_binding_kind_wins_then_the_newer() -> None:
    found = chosen_price(
        [price("estimate", "2026-11"), price("street", "2026-01"), price("street", "2026-04"), price("list", "2026-10")]
    )
    assert found is not None
    assert (found.kind, found.as_of) == ("street", "2026-04")


def test_used_parts_are_never_quoted() -> None:
    assert chosen_price([price("used", "2026-11")]) is None
    assert chosen_price([]) is None


def test_memory_is_quoted_at_the_contract_price_not_at_spot(catalog: Catalog) -> None:
    """64 GB modules, first quarter of 2026: 820-950 USD by contract, 2,200-2,500 on the spot market."""
    found = chosen_price(catalog.prices_of("rdimm-ddr5-64gb"))
    assert found is not None
    assert (found.low, found.high) == (Decimal(820), Decimal(950))
