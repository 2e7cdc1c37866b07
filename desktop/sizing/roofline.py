"""The roofline: a step takes as long as its slower side, and a little longer near the ridge."""

import numpy as np

from desktop.sizing.numbers import Number


def roof(bytes_time: Number, flops_time: Number, power: float) -> Number:
    """Smooth maximum of two times [s]: (x^p + y^p)^(1/p), so at the ridge it is 2^(1/p) above either bound.

    >>> round(float(roof(3.0, 0.0, 2.43)), 6), round(float(roof(1.0, 1.0, 2.0)), 6)
    (3.0, 1.414214)
    """
    larger = np.maximum(np.maximum(bytes_time, flops_time), 1e-12)
    result: Number = larger * ((bytes_time / larger) ** power + (flops_time / larger) ** power) ** (1 / power)
    return result
