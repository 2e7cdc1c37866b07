"""What would have to change for two schemes to cost the same over the horizon: the busy hours, or the cloud's price."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from desktop.costs.cloud import on_demand_hours
from desktop.costs.inputs import CostInputs
from desktop.costs.schemes import Array, Offered, Scheme, scheme_flows, scheme_total

Totals: TypeAlias = Callable[[CostInputs], tuple[Array, Array]]


def utilization_threshold(
    inputs: CostInputs, offered: Offered, own: Scheme, rented: Scheme, horizon_months: int, refresh_month: int | None
) -> float | None:
    """Share of busy hours from which the own scheme costs no more than the rented one; None where no share is enough.

    u* solves total_own(u) = total_rented(u). With one hourly price on each side: u* = (capex / T_h + opex_h) / c_cloud
    (Lenovo LP2368, case 3). Both totals are straight lines between 0, the share that commitments cover, and 1.
    """
    if offered.training_only:
        return None
    covered = float(np.clip((inputs.committed_hours + inputs.spot_hours) / inputs.full_hours, 0.0, 1.0))
    shares = np.unique([0.0, covered, 1.0])
    totals = _totals_of(offered, own, rented, horizon_months, refresh_month)
    bought, hired = totals(inputs.with_usage(shares))
    gap = np.broadcast_to(bought - hired, shares.shape)
    if gap[0] <= 0:
        return 0.0
    for low, high, before, after in zip(shares[:-1], shares[1:], gap[:-1], gap[1:], strict=True):
        if after <= 0:
            return float(low + (high - low) * before / (before - after))
    return None


def cloud_price_threshold(
    inputs: CostInputs, offered: Offered, own: Scheme, rented: Scheme, horizon_months: int, refresh_month: int | None
) -> float | None:
    """Price per rented hour at which own and cloud cost the same over the horizon [currency/h, today's price level].

    All hourly prices move together; the figure is their mean over the billed hours. Where only training is rented it is
    the price of a training hour. None where nothing is billed by the hour; 0 where even a free cloud costs more.
    """
    if rented != "cloud":
        return None
    if offered.training_only:
        free, price = replace(inputs, training_per_hour=0.0), float(inputs.training_per_hour)
    else:
        free = replace(inputs, on_demand_per_hour=0.0, spot_per_hour=0.0, committed_per_hour=0.0)
        price = _mean_price(inputs)
    totals = _totals_of(offered, own, rented, horizon_months, refresh_month)
    bought, hired = (float(total) for total in totals(inputs))
    bought_when_free, hired_when_free = (float(total) for total in totals(free))
    slope = (hired - hired_when_free) - (bought - bought_when_free)
    if slope <= 0:
        return None
    return max(0.0, price * (bought_when_free - hired_when_free) / slope)


def _mean_price(inputs: CostInputs) -> float:
    on_demand = float(on_demand_hours(inputs))
    hours = on_demand + float(inputs.committed_hours) + float(inputs.spot_hours)
    bill = (
        on_demand * float(inputs.on_demand_per_hour)
        + float(inputs.committed_hours) * float(inputs.committed_per_hour)
        + float(inputs.spot_hours) * float(inputs.spot_per_hour)
    )
    return bill / hours if hours else 0.0


def _totals_of(offered: Offered, own: Scheme, rented: Scheme, horizon_months: int, refresh_month: int | None) -> Totals:
    def totals(inputs: CostInputs) -> tuple[Array, Array]:
        flows = scheme_flows(inputs, offered, horizon_months, refresh_month)
        return scheme_total(flows[own], horizon_months), scheme_total(flows[rented], horizon_months)

    return totals
