"""The answer in a few lines, for whoever started `quote` in a terminal; the documents say the rest."""

from collections.abc import Iterator

from desktop.quote import BreakEven, NeedAnswer, Quote
from desktop.words import Language, Numerals, phrase


def headline(quote: Quote, language: Language) -> Iterator[str]:
    """One line a need, then what it costs and when it pays back."""
    for answer in quote.answers:
        yield _plan(answer, language)
    best = quote.best()
    if best and best.server:
        numerals = Numerals(language)
        server = best.server
        span = numerals.span(
            numerals.money(server.net_low, server.currency), numerals.money(server.net_high, server.currency)
        )
        purchase = numerals.money(server.net, server.currency)
        yield phrase("cli", "quote.purchase", language, purchase=purchase, span=span)
    if best and quote.schemes:
        yield phrase("cli", "quote.break_even", language, when=_when(quote.schemes.break_even, language))


def _plan(answer: NeedAnswer, language: Language) -> str:
    if not answer.configurations:
        return phrase("cli", "quote.nothing", language, model=answer.model_name)
    best = answer.configurations[0]
    verdicts = [phrase("terms", f"verdict.{best.memory.verdict}", language)]
    if best.meets != "not_asked":
        verdicts.append(phrase("terms", f"meets.{best.meets}", language))
    return phrase(
        "cli",
        "quote.plan",
        language,
        model=answer.model_name,
        gpus=best.gpus,
        gpu=best.gpu_short,
        nodes=best.nodes,
        weights=best.weights,
        verdicts=". ".join(verdicts),
    )


def _when(break_even: BreakEven, language: Language) -> str:
    if break_even.state == "at" and break_even.months is not None:
        return Numerals(language).months(break_even.months)
    return phrase("cli", f"break_even.{break_even.state}", language)
