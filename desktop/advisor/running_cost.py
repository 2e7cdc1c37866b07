"""What an order costs to run, through the same formulas as `cost`."""

from decimal import Decimal

from desktop.advisor.money_terms import MoneyTerms
from desktop.costs.inputs import CostInputs
from desktop.costs.opex import running_month, training_run_energy
from desktop.quote import Server
from desktop.request import Economics
from desktop.units import HOURS_PER_MONTH, MONTHS_PER_YEAR, money


def serving_month(server: Server, economics: Economics, terms: MoneyTerms) -> Decimal:
    """Energy, support and staff of a serving order in one month [currency of the quote]."""
    return money(float(running_month(_inputs(server, economics, terms, utilization=economics.utilization))))


def training_month(
    server: Server, runs_per_year: float, hours_per_run: float, economics: Economics, terms: MoneyTerms
) -> Decimal:
    """Support, staff and idle power of a training order, and the energy of its runs, in one month [currency]."""
    inputs = _inputs(
        server,
        economics,
        terms,
        utilization=0.0,
        training_runs_per_year=runs_per_year,
        training_hours_per_run=hours_per_run,
    )
    energy = float(training_run_energy(inputs, False)) * runs_per_year / MONTHS_PER_YEAR
    return money(float(running_month(inputs)) + energy)


def _inputs(server: Server, economics: Economics, terms: MoneyTerms, **use: float) -> CostInputs:
    return CostInputs(
        capex=float(server.net),
        power_kw_load=server.load_power_w * server.servers / 1000,
        power_kw_idle=server.idle_power_w * server.servers / 1000,
        pue=economics.pue,
        electricity_per_kwh=float(terms.electricity_per_kwh),
        support_rate_year=economics.support_rate_year,
        staff_fte=economics.staff_fte,
        fte_cost_year=float(terms.convert(economics.fte_cost_year)),
        hours_per_month=HOURS_PER_MONTH,
        **use,
    )
