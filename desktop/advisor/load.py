"""From people to requests per second."""

from desktop.request import InferenceNeed, Policy


def peak_requests_per_s(need: InferenceNeed, policy: Policy) -> float:
    """Requests per second at the peak of the horizon [1/s]: users·requests/h·peak·growth/3600.

    >>> need = InferenceNeed(users=300, requests_per_user_hour=12, peak_factor=3)
    >>> round(peak_requests_per_s(need, Policy(growth=1.3)), 6)
    3.9
    """
    return need.users * need.requests_per_user_hour * need.peak_factor * policy.growth / 3600


def mean_requests_per_s(need: InferenceNeed, policy: Policy) -> float:
    """Requests per second averaged over the hours in use [1/s]."""
    return need.users * need.requests_per_user_hour * policy.growth / 3600
