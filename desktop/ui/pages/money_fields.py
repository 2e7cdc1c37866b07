"""Fields about money that two pages ask for, and what is said under them about the catalog's own figures."""

from datetime import date

from desktop.quote import CloudOffer, UsedTariff
from desktop.ui.pages.page import Page
from desktop.ui.widgets.field import Field
from desktop.ui.wording import origin

HORIZONS = (12, 24, 36, 48, 60, 84)
CLOUD_PRICE, ELECTRICITY, VAT = "economics.cloud_per_gpu_hour", "economics.electricity_per_kwh", "economics.vat"


def horizon(page: Page) -> Field:
    options = [(months, page.look.numerals.number(months)) for months in HORIZONS]
    return page.choice("economics.horizon_months", options, unit=page.look.term("unit.months"), width=92)


def utilization(page: Page) -> Field:
    return page.percent("economics.utilization", 5, page.look.say("site.utilization_hint"))


def cloud_price(page: Page) -> Field:
    unit = page.look.say("unit.usd_hour")
    return page.number(CLOUD_PRICE, unit=unit, step=0.1, width=92, whole=False, optional=True, decimal=True)


def hint_cloud_price(page: Page) -> None:
    """Say which price the cloud is computed with."""
    quote, say = page.session.quote, page.look.say
    cloud: CloudOffer | None = quote.cloud if quote is not None else None
    if cloud is None:
        page.hint(CLOUD_PRICE, say("site.cloud_hint_none"))
        return
    if cloud.own:
        page.hint(CLOUD_PRICE, say("site.own_price"))
        return
    when = page.look.numerals.as_of(cloud.as_of)
    hint = say("site.cloud_hint", provider=cloud.provider, instance=cloud.instance, as_of=when)
    if cloud.stale(date.today()):
        hint = f"{hint}; {say('price.stale_tip', limit=cloud.stale_after_days)}"
    page.hint(CLOUD_PRICE, hint)
    if cloud.currency == "USD":
        page.bindings[CLOUD_PRICE].control.show_default(float(round(cloud.price_per_hour / cloud.gpus, 2)))


def hint_electricity(page: Page) -> None:
    """Say where the price of electricity comes from: region and date, and that nobody has read it where so."""
    look, economics = page.look, page.session.request.economics
    page.bindings[ELECTRICITY].field.say_unit(look.numerals.currency_sign(economics.currency))
    quote = page.session.quote
    used: UsedTariff | None = quote.electricity if quote is not None and page.session.is_current() else None
    if used is not None and used.own:
        page.hint(ELECTRICITY, look.say("site.own_price"))
        return
    if used is not None:
        page.bindings[ELECTRICITY].control.show_default(float(round(used.value, 4)))
        page.hint(ELECTRICITY, origin(look, used.region, used.as_of))
        return
    tariff = page.desk.catalog().tariff("electricity", economics.region)
    page.hint(ELECTRICITY, origin(look, tariff.region, tariff.as_of) if tariff else "")


def hint_vat(page: Page) -> None:
    """Say which rate holds while no own one is given; no known rate is not a rate of zero."""
    look, quote = page.look, page.session.quote
    if quote is None or not page.session.is_current():
        page.hint(VAT, look.say("site.vat_hint"))
    elif quote.vat is None:
        page.bindings[VAT].control.show_default(None)
        page.hint(VAT, look.say("site.vat_unknown"))
    elif quote.vat.own:
        page.hint(VAT, look.say("site.vat_own"))
    else:
        page.bindings[VAT].control.show_default(float(quote.vat.value * 100))
        page.hint(VAT, origin(look, quote.vat.region, quote.vat.as_of))
