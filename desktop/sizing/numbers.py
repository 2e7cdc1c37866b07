"""The one type every formula of this room takes: a number or an array of them."""

import numpy as np
import numpy.typing as npt

Number = float | npt.NDArray[np.float64]
