"""The article's hardware tiers: a label beside the computed plan, never the decision.

Inference: 1 up to 13B at 4-5 bits on one 24-48 GB card; 2 up to 70B in 16 bit, or above 100B quantised, whole on one
80-141 GB card; 3 thousands of concurrent requests on several single-GPU nodes. Training: 1 up to 7B; 2 up to 70B; 3
from 100B.
"""

BILLION = 10**9
MANY_CONCURRENT = 1000


def inference_tier(parameters: int, concurrency: float) -> str:
    """Code of the article's inference tier."""
    if concurrency >= MANY_CONCURRENT:
        return "inference_3"
    return "inference_1" if parameters <= 13.5 * BILLION else "inference_2"


def training_tier(parameters: int) -> str:
    """Code of the article's training tier. Between 70B and 100B the article is silent: told as the larger one."""
    if parameters <= 8.5 * BILLION:
        return "training_1"
    return "training_2" if parameters <= 73 * BILLION else "training_3"
