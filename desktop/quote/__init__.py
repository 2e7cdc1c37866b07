"""What the user gets: memory, speed, servers, costs, reasons and warnings, each figure able to explain itself.

These records are the public answer. They hold numbers and codes, never sentences: the words room says them.
Bytes are integers, seconds and watts floats, money decimals beside a currency.
"""

from desktop.quote.answer import (
    BomLine,
    CatalogStamp,
    CloudOffer,
    Configuration,
    NeedAnswer,
    Price,
    PriceKind,
    Quote,
    Rejection,
    RuleCheck,
    Server,
    UsedTariff,
)
from desktop.quote.money import (
    ArticleRule,
    BreakEven,
    BreakEvenState,
    CostResult,
    Scheme,
    SchemeTotal,
    Sensitivity,
)
from desktop.quote.sizing import (
    Bound,
    ByteRange,
    Component,
    EstimateResult,
    Memory,
    Message,
    Range,
    RankMemory,
    ServingSpeed,
    Severity,
    TrainingSpeed,
    Verdict,
)

__all__ = [
    "ArticleRule",
    "BomLine",
    "Bound",
    "BreakEven",
    "BreakEvenState",
    "ByteRange",
    "CatalogStamp",
    "CloudOffer",
    "Component",
    "Configuration",
    "CostResult",
    "EstimateResult",
    "Memory",
    "Message",
    "NeedAnswer",
    "Price",
    "PriceKind",
    "Quote",
    "Range",
    "RankMemory",
    "Rejection",
    "RuleCheck",
    "Scheme",
    "SchemeTotal",
    "Sensitivity",
    "Server",
    "ServingSpeed",
    "Severity",
    "TrainingSpeed",
    "UsedTariff",
    "Verdict",
]
