"""One case, one answer: passed, failed, skipped; and of a failure the place and the cause."""

from dataclasses import dataclass
from typing import Any

from dualgap.proofs_checks.conformance.protocol.compare import Difference, compare
from dualgap.proofs_checks.conformance.protocol.hex_floats import plain
from dualgap.proofs_checks.conformance.protocol.port import Answer
from dualgap.proofs_checks.conformance.seeded_bugs.diagnose import causes
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.predicates import false_predicate

PASSED, FAILED, SKIPPED, NOT_RUN = "passed", "failed", "skipped", "not run"


@dataclass(frozen=True)
class Outcome:
    """One case, judged.

    Attributes
    ----------
    status : "passed", "failed", "skipped" or "not run".
    kind : of what came back: "result", "skipped", "error", "crash", "time-out" or "garbled".
    difference : the first wrong place, where a result came and is wrong.
    causes : flags whose implementation gives the same answer.
    """

    case: Case
    status: str
    kind: str = "result"
    reason: str = ""
    difference: Difference | None = None
    causes: tuple[str, ...] = ()
    result: dict[str, Any] | None = None


def judge(case: Case, answer: Answer) -> Outcome:
    """Whether the answer to a case is right, and if not, where and why."""
    if answer.kind == "skipped":
        return Outcome(case, SKIPPED, answer.kind, answer.reason)
    if answer.result is None:
        return Outcome(case, FAILED, answer.kind, answer.reason)
    if case.due is not None:
        difference = compare(case.due, answer.result)
    else:
        difference = false_predicate(case, answer.result)
    if difference is None:
        return Outcome(case, PASSED)
    expected = None if case.due is None else plain(case.due)
    named = causes(case.call, case.request, answer.result, expected)
    return Outcome(case, FAILED, "result", difference.text, difference, named, answer.result)
