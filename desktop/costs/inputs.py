"""Every number of a cost question. Each may be an array over scenarios, so one estimate and all draws run alike."""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = float | NDArray[np.float64]


@dataclass(frozen=True)
class CostInputs:
    """Shapes: scalar, or (scenarios, 1), so that months follow in the last axis. Money in one currency, net of VAT.

    `utilization` is the share of `full_hours` in which the service runs; `stated_utilization` is the one at which the
    token volumes hold. `on_demand_hours` of None follow the utilization; a number holds whatever the utilization.
    """

    capex: Numbers = 0.0
    residual_rate: Numbers = 0.0
    onprem_per_hour: Numbers = 0.0
    power_kw_load: Numbers = 0.0
    power_kw_idle: Numbers = 0.0
    pue: Numbers = 1.0
    electricity_per_kwh: Numbers = 0.0
    support_rate_year: Numbers = 0.0
    colocation_month: Numbers = 0.0
    staff_fte: Numbers = 0.0
    fte_cost_year: Numbers = 0.0
    software_per_gpu_year: Numbers = 0.0
    gpus: Numbers = 0.0
    other_month: Numbers = 0.0
    on_demand_per_hour: Numbers = 0.0
    on_demand_hours: Numbers | None = None
    committed_hours: Numbers = 0.0
    committed_per_hour: Numbers = 0.0
    spot_hours: Numbers = 0.0
    spot_per_hour: Numbers = 0.0
    storage_month: Numbers = 0.0
    cloud_staff_month: Numbers = 0.0
    egress_gb_month: Numbers = 0.0
    egress_per_gb: Numbers = 0.0
    yearly_price_change: Numbers = 0.0
    training_runs_per_year: Numbers = 0.0
    training_hours_per_run: Numbers = 0.0
    own_hours_per_rented: Numbers = 1.0
    training_per_hour: Numbers = 0.0
    training_capex: Numbers = 0.0
    training_kw_load: Numbers = 0.0
    training_kw_idle: Numbers = 0.0
    training_other_month: Numbers = 0.0
    input_tokens_month: Numbers = 0.0
    output_tokens_month: Numbers = 0.0
    input_price: Numbers = 0.0
    output_price: Numbers = 0.0
    utilization: Numbers = 1.0
    stated_utilization: float = 1.0
    hours_per_month: float = 730.0
    full_hours: float = 730.0
    discount_rate: Numbers = 0.0
    vat_rate: float = 0.0

    def value(self, field: str) -> Numbers:
        """The number of one field by its name; derived on-demand hours are 0."""
        number: Numbers | None = getattr(self, field)
        return 0.0 if number is None else number

    def shifted(self, shifts: dict[str, NDArray[np.float64]]) -> "CostInputs":
        """The same question in many scenarios: `shifts` (scenarios,), in the unit of the field, are added to it."""
        moved: dict[str, Any] = {name: self.value(name) + shift[:, np.newaxis] for name, shift in shifts.items()}
        return replace(self, **moved)

    def with_usage(self, utilization: NDArray[np.float64]) -> "CostInputs":
        """The same question at other shares of busy hours, shape (scenarios,); the rented hours follow."""
        return replace(self, utilization=utilization[:, np.newaxis], on_demand_hours=None)
