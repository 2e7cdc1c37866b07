"""What every section of a document is written from, and the register that numbers the sources as they are cited."""

from dataclasses import dataclass, field
from datetime import date

from desktop.catalog.ageing import age_days
from desktop.project.document import Project
from desktop.quote import CloudOffer, Configuration, NeedAnswer, Price, Quote
from desktop.report.wording import Wording

Block = dict[str, object]


@dataclass
class Source:
    """One numbered source. `subjects` collects what was taken from it, in the order of citing."""

    reference: str
    subjects: list[str]
    kind: str
    as_of: str
    vat: str
    where: str


@dataclass
class SourceRegister:
    """Numbers sources S1, S2, … by first mention; the same source under the same kind and date keeps its number."""

    sources: dict[tuple[str, str, str, str], Source] = field(default_factory=dict)

    def cite(self, subject: str, where: str, kind: str = "", as_of: str = "", vat: str = "") -> str:
        """The reference as it is printed, "[S1]"; empty where no source is known."""
        if not where:
            return ""
        key = (where, kind, as_of, vat)
        source = self.sources.setdefault(key, Source(f"S{len(self.sources) + 1}", [], kind, as_of, vat, where))
        if subject not in source.subjects:
            source.subjects.append(subject)
        return f"[{source.reference}]"


@dataclass(frozen=True)
class Proposal:
    """One need, its answer, and the plan shown for it: the best, or the nearest where nothing is proposed."""

    answer: NeedAnswer
    plan: Configuration | None
    proposed: bool

    def fits(self) -> bool:
        return self.plan is not None and self.plan.memory.verdict != "does_not_fit"


@dataclass(frozen=True)
class Draft:
    project: Project
    quote: Quote
    wording: Wording
    register: SourceRegister
    today: date | None = None

    @property
    def day(self) -> date:
        """The day prices are aged to: of the document, else of its making, at the earliest of the catalog."""
        return self.project.issued_on or max(self.today or date.min, self.quote.catalog.built)

    def proposals(self) -> list[Proposal]:
        return [_proposal(answer) for answer in self.quote.answers]

    def title_of(self, code: str, proposal: Proposal) -> str:
        """Section title, with the need named where the quote answers several."""
        title = self.wording.label(f"section.{code}")
        if len(self.quote.answers) == 1:
            return title
        return f"{title}: {self.wording.label(f'need.{proposal.answer.need.mode}')}"

    def cite_price(self, subject: str, price: Price) -> str:
        kind = self.wording.term(f"price_kind.{price.kind}")
        vat = self.wording.label("vat.included" if price.vat_included else "vat.net")
        return self.register.cite(subject, price.source, kind, price.as_of, vat)

    def age_days(self, as_of: str) -> int | None:
        """Days from a price's date to the day of the document; None where either is not known to the day."""
        issued = self.project.issued_on
        return None if issued is None or len(as_of) != len("2026-01-01") else age_days(as_of, issued)

    def stale_note(self, price: Price | CloudOffer) -> str:
        """That a price is stale and by what rule; empty for a fresh one."""
        if not price.stale(self.day):
            return ""
        if age_days(price.as_of, self.day) is None:
            return self.wording.label("stale.undated")
        return self.wording.label("stale.old", limit=price.stale_after_days)


def _proposal(answer: NeedAnswer) -> Proposal:
    if answer.configurations:
        return Proposal(answer, answer.configurations[0], proposed=True)
    nearest = next((lost.nearest for lost in answer.rejected if lost.nearest is not None), None)
    return Proposal(answer, nearest, proposed=False)
