"""Which GPUs of the catalog are looked at for a need, and why the others are not."""

from collections.abc import Callable

from desktop.advisor.card import Card, card_of_record
from desktop.advisor.unverified import doubts_of_gpu
from desktop.catalog import Catalog
from desktop.catalog.records import Gpu
from desktop.quote import Message, Rejection
from desktop.request import Policy


def eligible_cards(
    catalog: Catalog, policy: Policy, further: Callable[[Gpu], Message | None]
) -> tuple[tuple[Card, ...], list[Rejection]]:
    """Cards that the policy allows, the catalog knows enough of, and `further` has nothing against; and the others.

    Raises Problem for a name in the policy that the catalog does not have.
    """
    allowed = {catalog.gpu(name).id for name in policy.gpus_allowed}
    banned = {catalog.gpu(name).id for name in policy.gpus_banned}
    cards: list[Card] = []
    rejected: list[Rejection] = []
    for gpu in catalog.gpus:
        card = card_of_record(gpu, catalog)
        reason = _barred(gpu, allowed, banned) or further(gpu)
        if reason is None and card is None:
            reason = Message(code="lost_no_data", severity="info")
        if reason is not None:
            rejected.append(lost(gpu, reason))
        elif card is not None:
            cards.append(card)
    return tuple(cards), rejected


def lost(gpu: Gpu, reason: Message) -> Rejection:
    """The record of a GPU that lost."""
    return Rejection(gpu=gpu.id, gpu_short=gpu.short, reason=reason)


def _barred(gpu: Gpu, allowed: set[str], banned: set[str]) -> Message | None:
    if gpu.id in banned:
        return Message(code="lost_banned", field="policy.gpus_banned", severity="info")
    if allowed and gpu.id not in allowed:
        return Message(code="lost_not_allowed", field="policy.gpus_allowed", severity="info")
    if gpu.gpus_on_board > 1:
        return Message(code="lost_board_of_many", severity="info", values={"gpus": gpu.gpus_on_board})
    if doubts_of_gpu(gpu):
        return Message(code="lost_unverified", severity="info")
    return None
