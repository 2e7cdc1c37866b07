"""Which broken rules of the catalog are excused: by name, each with its reason, and only while a row needs it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from desktop.catalog.checks import Finding


@dataclass(frozen=True, slots=True)
class CheckException:
    """Excuses rows whose name fits the pattern `row` from `rule`; where `said` is given, only of exactly that."""

    rule: str
    row: str
    said: str
    reason: str

    def excuses(self, finding: Finding) -> bool:
        fits = self.rule == finding.rule and fnmatchcase(finding.row, self.row)
        return fits and (not self.said or finding.said == self.said)


def unexcused(
    findings: Iterable[Finding], exceptions: Sequence[CheckException]
) -> tuple[list[Finding], list[CheckException]]:
    """Findings that nothing excuses, and exceptions that no row needs any more."""
    needed: set[CheckException] = set()
    left = []
    for finding in findings:
        excuses = [exception for exception in exceptions if exception.excuses(finding)]
        needed.update(excuses)
        if not excuses:
            left.append(finding)
    return left, [exception for exception in exceptions if exception not in needed]
