"""Renting: cloud machines by the hour, training runs in the cloud, and an API by the token."""

import numpy as np
from numpy.typing import NDArray

from desktop.costs.capex import with_vat
from desktop.costs.inputs import CostInputs, Numbers
from desktop.units import MONTHS_PER_YEAR

TOKENS_PER_PRICE = 1e6
LEAST_SHARE = 1e-9  # of a month: 2.6 ms; a smaller share is no use at all
ROUNDING = 1e-9  # a run due exactly at the end of a month must not slip by a float's last bit


def cloud_months(inputs: CostInputs, months: int) -> NDArray[np.float64]:
    """Bill for rented serving machines in months 1…M [currency], shape (…, M).

    C(t) = (h_od · p_od + h_spot · p_spot) · (1+g)^(t/12) + h_committed · p_committed + storage + egress + staff.
    A committed price is fixed by contract and paid whether used or not, so g does not touch it.
    """
    moving = on_demand_hours(inputs) * inputs.on_demand_per_hour + inputs.spot_hours * inputs.spot_per_hour
    fixed = (
        inputs.committed_hours * inputs.committed_per_hour
        + inputs.storage_month
        + inputs.egress_gb_month * inputs.egress_per_gb
    )
    billed = with_vat(moving * price_path(inputs.yearly_price_change, months) + fixed, inputs.vat_rate)
    return np.asarray(billed + inputs.cloud_staff_month)


def on_demand_hours(inputs: CostInputs) -> Numbers:
    """Hours billed on demand in one month: as stated, or u · full hours less what is committed or spot, at least 0."""
    if inputs.on_demand_hours is not None:
        return inputs.on_demand_hours
    return np.maximum(0.0, inputs.utilization * inputs.full_hours - inputs.committed_hours - inputs.spot_hours)


def price_path(yearly_change: Numbers, months: int) -> NDArray[np.float64]:
    """Price in months 1…M relative to today, shape (…, M): (1 + g)^(t/12)."""
    return np.asarray(np.power(1 + yearly_change, np.arange(1, months + 1) / MONTHS_PER_YEAR))


def training_months(inputs: CostInputs, months: int) -> NDArray[np.float64]:
    """Bill for training runs in the cloud in months 1…M [currency], lumpy, shape (…, M)."""
    run = inputs.training_hours_per_run * inputs.training_per_hour
    path = price_path(inputs.yearly_price_change, months)
    return np.asarray(with_vat(runs_in_month(inputs.training_runs_per_year, months) * run * path, inputs.vat_rate))


def runs_in_month(runs_per_year: Numbers, months: int) -> NDArray[np.float64]:
    """Runs that fall into months 1…M, shape (…, M): run k is due at the end of month 12k / runs_per_year.

    >>> runs_in_month(4, 6).tolist(), runs_in_month(1, 12).sum()
    ([0.0, 0.0, 1.0, 0.0, 0.0, 1.0], np.float64(1.0))
    """
    due = np.floor(np.arange(months + 1) * runs_per_year / MONTHS_PER_YEAR + ROUNDING)
    return np.asarray(np.diff(due, axis=-1))


def api_month(inputs: CostInputs) -> Numbers:
    """Bill for the service bought by the token in one month [currency]: T_in · p_in + T_out · p_out.

    Prices are per million tokens. Volumes hold at the stated utilization and follow it in proportion; at a stated 0
    they hold as they are.
    """
    stated = inputs.stated_utilization
    traffic = inputs.utilization / stated if stated > LEAST_SHARE else 1.0
    tokens = inputs.input_tokens_month * inputs.input_price + inputs.output_tokens_month * inputs.output_price
    return with_vat(traffic * tokens / TOKENS_PER_PRICE, inputs.vat_rate)
