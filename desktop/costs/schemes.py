"""The ways to get the same service: buy all, rent all, serve at home and train in the cloud, or pay by the token."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from desktop.costs.capex import monthly_rate, residual_value, with_vat
from desktop.costs.cloud import api_month, cloud_months, runs_in_month, training_months
from desktop.costs.inputs import CostInputs, Numbers
from desktop.costs.opex import running_month, training_machine_month, training_run_energy

Scheme: TypeAlias = Literal["on_premise", "cloud", "hybrid", "api"]
Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Offered:
    """Which parts a question prices.

    `training_machine`: an own machine for training stands beside the serving one. `training_only`: nothing is served,
    so renting means training in the cloud. `training_in_utilization`: the stated utilization holds the training hours.
    """

    owned: bool = False
    cloud: bool = False
    api: bool = False
    training: bool = False
    training_machine: bool = False
    training_only: bool = False
    training_in_utilization: bool = False


@dataclass(frozen=True)
class CashFlow:
    """What one scheme costs and when.

    `upfront` is paid at month 0 and `replacement` once more at `refresh_month`, both (…, 1) or scalar; `running` falls
    evenly within months 1…M, shape (…, M); `residual` comes back at the horizon.
    """

    upfront: Numbers
    running: Array
    replacement: Numbers = 0.0
    refresh_month: int | None = None
    residual: Numbers = 0.0

    def months(self) -> int:
        return int(self.running.shape[-1])

    def until(self, months: int) -> "CashFlow":
        """The same flow cut off after `months` months."""
        return replace(self, running=self.running[..., :months])

    def refresh_within(self, months: int) -> int | None:
        """Month of the second purchase if it comes before `months`; a machine bought on the last day serves nobody."""
        return self.refresh_month if self.refresh_month is not None and self.refresh_month < months else None


def scheme_flows(
    inputs: CostInputs, offered: Offered, months: int, refresh_month: int | None
) -> dict[Scheme, CashFlow]:
    """Cash flow of every scheme the question prices, over `months` months."""
    flows: dict[Scheme, CashFlow] = {}
    training = training_months(inputs, months) if offered.training else np.zeros(months)
    if offered.owned:
        serving = _owned(inputs.capex, running_month(inputs), inputs, months, refresh_month)
        flows["on_premise"] = serving
        if offered.training:
            flows["on_premise"] = _training_at_home(serving, inputs, offered)
    if offered.cloud or offered.training_only:
        rented = cloud_months(inputs, months) if offered.cloud else np.zeros(months)
        flows["cloud"] = CashFlow(upfront=0.0, running=rented + training)
    if offered.owned and offered.training and not offered.training_only:
        flows["hybrid"] = replace(serving, running=serving.running + training)
    if offered.api:
        flows["api"] = CashFlow(upfront=0.0, running=_by_month(api_month(inputs), months) + training)
    return flows


def cumulative(flow: CashFlow, yearly_rate: Numbers = 0.0) -> Array:
    """Cost spent by the end of months 0…M [currency], shape (…, M+1), before any residual value.

    K(t) = C0 + Σ_{i≤t} O(i) (+ replacement from its month on), each payment divided by (1 + r_m)^i.
    """
    factors = discount_factors(yearly_rate, flow.months())
    spent = np.cumsum(flow.running * factors[..., 1:], axis=-1)
    start = np.asarray(flow.upfront, dtype=float)
    total = np.empty(np.broadcast_shapes(start.shape, (*spent.shape[:-1], spent.shape[-1] + 1)))
    total[..., :1] = start
    np.add(start, spent, out=total[..., 1:])
    refresh = flow.refresh_within(flow.months())
    if refresh is not None:
        total[..., refresh:] += flow.replacement * factors[..., refresh : refresh + 1]
    return total


def scheme_total(flow: CashFlow, horizon_months: int, yearly_rate: Numbers = 0.0) -> Array:
    """Cost over the horizon less the residual value at its end [currency], shape (…): K(T) − RV, discounted."""
    factors = discount_factors(yearly_rate, horizon_months)
    refresh = flow.refresh_within(horizon_months)
    bought = flow.upfront - flow.residual * factors[..., -1:]
    if refresh is not None:
        bought = bought + flow.replacement * factors[..., refresh : refresh + 1]
    spent = np.sum(flow.running[..., :horizon_months] * factors[..., 1:], axis=-1)
    return np.asarray(bought[..., 0] + spent)


def discount_factors(yearly_rate: Numbers, months: int) -> Array:
    """Present value of one unit paid at the end of months 0…M, shape (…, M+1): (1 + r_m)^−t."""
    return np.asarray(np.power(1 + monthly_rate(yearly_rate), -np.arange(months + 1)))


def _owned(capex: Numbers, month: Numbers, inputs: CostInputs, months: int, refresh_month: int | None) -> CashFlow:
    paid = with_vat(capex, inputs.vat_rate)
    return CashFlow(
        upfront=paid,
        running=_by_month(month, months),
        replacement=paid,
        refresh_month=refresh_month,
        residual=residual_value(paid, inputs.residual_rate),
    )


def _training_at_home(serving: CashFlow, inputs: CostInputs, offered: Offered) -> CashFlow:
    """The serving machine, with training in its free hours or on a machine of its own."""
    months = serving.months()
    if offered.training_in_utilization:
        return serving
    runs = runs_in_month(inputs.training_runs_per_year, months)
    energy = runs * training_run_energy(inputs, offered.training_machine)
    if not offered.training_machine:
        return replace(serving, running=serving.running + energy)
    machine = _owned(inputs.training_capex, training_machine_month(inputs), inputs, months, serving.refresh_month)
    return CashFlow(
        upfront=serving.upfront + machine.upfront,
        running=serving.running + machine.running + energy,
        replacement=serving.replacement + machine.replacement,
        refresh_month=serving.refresh_month,
        residual=serving.residual + machine.residual,
    )


def _by_month(amount: Numbers, months: int) -> Array:
    """The same amount in every month, shape (…, M)."""
    return np.asarray(amount, dtype=float) * np.ones(months)
