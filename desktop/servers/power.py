"""Power and heat of a server: what to provision and what to pay for are two figures."""

from desktop.catalog.calibration import ServerRules
from desktop.sizing.numbers import Number
from desktop.units import BTU_PER_HOUR_PER_WATT


def peak_power_w(
    gpus: Number,
    gpu_tdp_w: Number,
    cpus: Number,
    cpu_tdp_w: Number,
    dimms: Number,
    drives: Number,
    cards: Number,
    rules: ServerRules,
) -> Number:
    """Peak power of one server from its parts [W]: the sum of all parts and the fans on top. For feeds, UPS and
    cooling."""
    power = rules.power
    parts = gpus * gpu_tdp_w + cpus * cpu_tdp_w + dimms * power.dimm_w + drives * power.drive_w + cards * power.nic_w
    return parts * (1 + power.fan_share)


def load_power_w(peak_w: Number, training: bool, rules: ServerRules) -> Number:
    """Average draw while busy [W], for the energy bill."""
    return peak_w * (rules.power.load_share_training if training else rules.power.load_share_serving)


def idle_power_w(peak_w: Number, rules: ServerRules) -> Number:
    """Draw while idle [W]."""
    return peak_w * rules.power.idle_share


def heat_btu_per_hour(power_w: Number) -> Number:
    """Heat to carry away [BTU/h]: every watt becomes heat.

    >>> round(heat_btu_per_hour(10_200))
    34802
    """
    return power_w * BTU_PER_HOUR_PER_WATT
