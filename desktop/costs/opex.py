"""Running the own machine, month by month: energy, support, people, software, floor space."""

from desktop.costs.capex import with_vat
from desktop.costs.inputs import CostInputs, Numbers
from desktop.units import MONTHS_PER_YEAR


def running_month(inputs: CostInputs) -> Numbers:
    """Running cost of the serving machine in one month [currency].

    O = onprem_per_hour · H + energy + support + staff + software + colocation + other. The hourly figure is paid for
    all hours, used or not: the machine stands there (Lenovo LP2368, case 3). VAT falls on all but salaries.
    """
    bought = (
        inputs.onprem_per_hour * inputs.hours_per_month
        + energy_month(
            inputs.power_kw_load,
            inputs.power_kw_idle,
            inputs.utilization,
            inputs.hours_per_month,
            inputs.pue,
            inputs.electricity_per_kwh,
        )
        + support_month(inputs.capex, inputs.support_rate_year)
        + inputs.gpus * inputs.software_per_gpu_year / MONTHS_PER_YEAR
        + inputs.colocation_month
        + inputs.other_month
    )
    return with_vat(bought, inputs.vat_rate) + staff_month(inputs.staff_fte, inputs.fte_cost_year)


def training_machine_month(inputs: CostInputs) -> Numbers:
    """Standing cost of a separate own training machine in one month [currency]: idle energy, support, other."""
    standing = (
        energy_month(0, inputs.training_kw_idle, 0, inputs.hours_per_month, inputs.pue, inputs.electricity_per_kwh)
        + support_month(inputs.training_capex, inputs.support_rate_year)
        + inputs.training_other_month
    )
    return with_vat(standing, inputs.vat_rate)


def training_run_energy(inputs: CostInputs, own_training_machine: bool) -> Numbers:
    """Energy of one training run on an own machine [currency]: hours · (load − idle) · PUE · tariff.

    The idle part is in the monthly bill already. Without a training machine the serving one trains in its free hours.
    """
    extra_kw = (
        inputs.training_kw_load - inputs.training_kw_idle
        if own_training_machine
        else inputs.power_kw_load - inputs.power_kw_idle
    )
    hours = inputs.training_hours_per_run * inputs.own_hours_per_rented
    net = hours * extra_kw * inputs.pue * inputs.electricity_per_kwh
    return with_vat(net, inputs.vat_rate)


def energy_month(
    load_kw: Numbers,
    idle_kw: Numbers,
    utilization: Numbers,
    hours_per_month: Numbers,
    pue: Numbers,
    price_per_kwh: Numbers,
) -> Numbers:
    """Energy bill of one month [currency]: [P_idle + (P_load − P_idle) · u] · H · PUE · tariff.

    >>> round(energy_month(8 * 0.7 + 2.0, 0, 1.0, 1, 1.4, 0.10), 3)
    1.064
    """
    return (idle_kw + (load_kw - idle_kw) * utilization) * hours_per_month * pue * price_per_kwh


def support_month(capex: Numbers, support_rate_year: Numbers) -> Numbers:
    """Support contract for one month [currency]: capex · rate / 12."""
    return capex * support_rate_year / MONTHS_PER_YEAR


def staff_month(staff_fte: Numbers, fte_cost_year: Numbers) -> Numbers:
    """Share of people for one month [currency], payroll included in the yearly cost."""
    return staff_fte * fte_cost_year / MONTHS_PER_YEAR
