"""What the catalog knows of software, and the words of the market: looked up, never computed with."""

from desktop.catalog.facts import Fact


class Compatibility(Fact):
    """What a version of a stack needs and supports: a row without `feature` is of the stack, one with it of the
    feature, which holds for the compute capabilities in `cc_range`."""

    stack: str
    stack_version: str = ""
    min_cuda_toolkit: str = ""
    min_nvidia_driver: str = ""
    min_compute_capability: str = ""
    cc_notes: str = ""
    rocm_support: str = ""
    cpu_support: str = ""
    other_accel: str = ""
    os: str = ""
    python: str = ""
    pytorch: str = ""
    feature: str = ""
    cc_range: str = ""
    supported: str = ""


class Flag(Fact):
    """How a concept is spelt for a version of a stack, and its default there."""

    stack: str
    version: str = ""
    concept: str
    flag_or_key: str
    value_format: str = ""
    default: str = ""


class Term(Fact):
    """A term of the field in English and in Russian, whole and as engineers shorten it."""

    en: str
    ru: str
    ru_short: str = ""
    domain: str = ""
