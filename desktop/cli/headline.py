"""The answer in a few lines, for whoever started `quote` in a terminal; the documents say the rest."""

from collections.abc import Iterator
from datetime import date

from desktop.quote import BreakEven, NeedAnswer, Quote
from desktop.words import Language, Numerals, phrase


def headline(quote: Quote, language: Language, today: date) -> Iterator[str]:
    """One line a need, then what it costs, how many of its prices are stale today, and when it pays back."""
    for answer in quote.answers:
        yield _plan(answer, language)
    best = quote.best()
    bought = [answer.configurations[0].server for answer in quote.answers if answer.configurations]
    servers = [server for server in (bought if quote.buys_training() else bought[:1]) if server is not None]
    if best and servers:
        numerals, currency = Numerals(language), servers[0].currency
        low, net, high = (sum(getattr(server, name) for server in servers) for name in ("net_low", "net", "net_high"))
        span = numerals.span(numerals.money(low, currency), numerals.money(high, currency))
        purchase = numerals.money(net, currency)
        if any(server.unpriced() for server in servers):
            purchase = phrase("cli", "quote.from", language, amount=purchase)
        yield phrase("cli", "quote.purchase", language, purchase=purchase, span=span)
        if stale := sum(len(server.stale(today)) for server in servers):
            yield phrase("cli", "quote.stale", language, stale=stale)
    if best and quote.schemes:
        result = quote.schemes.break_even
        scheme = phrase("terms", f"scheme.{result.own}", language) if result.own else ""
        when = _when(result, language)
        if result.state == "at" and any(server.unpriced() for server in servers):
            when = f"≥ {when}"  # what has no price can only make it later
        when = f"{when} ({scheme})" if scheme else when
        yield phrase("cli", "quote.break_even", language, when=when)


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
