"""The smooth roofline and the collectives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.sizing.collectives import all_reduce_seconds
from desktop.sizing.roofline import roof

times = st.floats(1e-9, 1e3)


@given(times, times, st.floats(1.5, 8))
def test_between_the_slower_side_and_the_sum(x: float, y: float, power: float) -> None:
    found = float(roof(x, y, power))
    assert max(x, y) * (1 - 1e-9) <= found <= (x + y) * (1 + 1e-9)


def test_arrays_and_numbers_agree() -> None:
    x, y = np.array([1.0, 2.0, 5.0]), np.array([3.0, 2.0, 0.0])
    assert list(roof(x, y, 2.43)) == pytest.approx([float(roof(a, b, 2.43)) for a, b in zip(x, y, strict=True)])


def test_nothing_to_do_takes_no_time() -> None:
    assert float(roof(0.0, 0.0, 2.43)) < 1e-9


def test_all_reduce_of_nccl() -> None:
    """NCCL's definition of bus bandwidth: t = S/β · 2(n−1)/n. 1 GB over 8 ranks at 445 GB/s: 3.93 ms."""
    assert all_reduce_seconds(1e9, 8, 0.0, 445e9) == pytest.approx(3.932e-3, rel=1e-3)
    assert all_reduce_seconds(0.0, 8, 16e-6, 445e9) == pytest.approx(16e-6)
