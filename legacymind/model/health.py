"""What `legacymind doctor` reports."""

from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["broken", "truncated", "unverifiable", "unusable", "unavailable", "warning"]
"""How bad a problem is, worst first.

The first three are the verdicts on a hash chain. ``unusable``: LegacyMind does not work, or does not work
fully. ``unavailable``: Neo4j does not answer. ``warning``: it works, but somebody should know.
"""

CheckState = Literal["ok", "problem", "warning", "mended", "skipped"]
"""``mended``: the check had problems, and has none any more. ``skipped``: it could not be made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem: what is wrong, what it means, and what to run.

    ``fixable``: `legacymind doctor --fix` mends it, without a loss of data.
    """

    what: str
    mend: str
    severity: Severity
    fixable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of one check. ``message`` says what was found, or why the check was skipped."""

    name: str
    state: CheckState
    message: str
    problems: list[Problem] = field(default_factory=list[Problem])


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The results of all checks. ``healthy``: none has a problem; warnings and skipped checks may remain."""

    healthy: bool
    checks: list[CheckResult]
