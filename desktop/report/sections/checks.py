"""Every rule held against the plan, and the article's payback rules beside what was computed."""

from desktop.quote import CostResult, RuleCheck
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.sections.break_even import PAYBACK_RULE_MONTHS, break_even_words, months_words

PAYS_BACK = ("immediate", "at")
TONES = {"passed": "pass", "warning": "warn", "broken": "fail", "note": "info"}


def checks_blocks(draft: Draft, proposals: list[Proposal]) -> list[Block]:
    """Rules of every proposed plan, then the article's; nothing where nothing is proposed."""
    say, blocks = draft.wording.label, list[Block]()
    several = len(draft.quote.answers) > 1
    for proposal in proposals:
        if proposal.plan is None or not proposal.proposed or not proposal.plan.rules:
            continue
        if several:
            blocks.append({"kind": "subheading", "text": draft.title_of("checks", proposal)})
        rows = [_check(draft, check) for check in proposal.plan.rules]
        blocks.append({"kind": "checks", "rows": rows, "head": [say("column.verdict"), say("column.rule")]})
    costs = draft.quote.schemes
    if costs is not None and proposals[0].proposed and (rows := _article(draft, costs)):
        head = [say(f"column.{code}") for code in ("claim", "rule", "calculation", "verdict", "reason")]
        blocks.append({"kind": "subheading", "text": say("article.title")})
        blocks.append({"kind": "article", "rows": rows, "head": head})
    return blocks


def _check(draft: Draft, check: RuleCheck) -> dict[str, str]:
    return {
        "tone": TONES[check.state],
        "rule": draft.wording.say_rule(check),
        "source": draft.register.cite(draft.wording.label("source.rule"), check.source),
    }


def _article(draft: Draft, costs: CostResult) -> list[dict[str, str]]:
    """Claims 21 and 23 contradict one another; both stand beside the computed payback."""
    say, numerals, rule = draft.wording.label, draft.wording.numerals, costs.article_rule
    if rule.computed_months is None and rule.payback_12_18_months is None and rule.fifty_percent_says_buy is None:
        return []
    months = (
        break_even_words(draft.wording, costs.break_even, costs.horizon_months)
        if rule.computed_months is None
        else months_words(draft.wording, rule.computed_months)
    )
    rows = []
    if rule.payback_12_18_months is not None:
        low, high = PAYBACK_RULE_MONTHS
        rows.append(
            {
                "claim": say("article.payback"),
                "rule": f"{low}–{high}\u00a0{draft.wording.term('unit.months')}",
                "calculation": months,
                "tone": "agree" if rule.payback_12_18_months else "disagree",
                "reason": say(
                    "article.payback_reason", utilization=numerals.percent(draft.quote.economics.utilization)
                ),
            }
        )
    if rule.fifty_percent_says_buy is not None:
        rows.append(_fifty_percent(draft, costs, rule.fifty_percent_says_buy))
    return rows


def _fifty_percent(draft: Draft, costs: CostResult, says_buy: bool) -> dict[str, str]:
    """Whether the bill rule and the calculated break-even advise the same."""
    say, numerals, rule = draft.wording.label, draft.wording.numerals, costs.article_rule
    says = say("article.buy" if says_buy else "article.rent")
    pays_back, undecided = costs.break_even.state in PAYS_BACK, costs.break_even.state == "not_comparable"
    implied = rule.implied_months
    return {
        "claim": say("article.fifty"),
        "rule": says
        if rule.threshold_bill is None
        else say("article.bill_above", bill=numerals.money(rule.threshold_bill, costs.currency)),
        "calculation": says
        if rule.monthly_bill is None
        else say("article.bill_says", bill=numerals.money(rule.monthly_bill, costs.currency), says=says),
        "tone": "info" if undecided else "agree" if says_buy == pays_back else "disagree",
        "reason": say("article.contradiction")
        if implied is None
        else say("article.implied", months=months_words(draft.wording, implied)),
    }
