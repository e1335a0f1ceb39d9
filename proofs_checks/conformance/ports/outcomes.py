"""The judgement of one answer: passed, failed or skipped; for a failure also the place and the relation to the right
number."""

from dataclasses import dataclass

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.ports.hints import hint
from dualgap.proofs_checks.conformance.protocol.compare import Difference, answered, compare
from dualgap.proofs_checks.conformance.protocol.port import Answer
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.predicates import false_predicate

PASSED, FAILED, SKIPPED, NOT_RUN = "passed", "failed", "skipped", "not run"


@dataclass(frozen=True)
class Outcome:
    """The judgement of one case.

    Attributes
    ----------
    status : "passed", "failed", "skipped" or "not run".
    kind : of what came back: "result", "skipped", "error", "crash", "time-out" or "garbled".
    difference : the first wrong place, where a result came and is wrong.
    hint : what the number that came is to the one that is due (``hints``); "" if it is nothing simple.
    """

    case: Case
    status: str
    kind: str = "result"
    reason: str = ""
    difference: Difference | None = None
    result: Json | None = None
    hint: str = ""


def judge(case: Case, answer: Answer) -> Outcome:
    """Return whether the answer to a case is right, and if not, where and why."""
    if answer.kind == "skipped":
        return Outcome(case, SKIPPED, answer.kind, answer.reason)
    if answer.result is None:
        return Outcome(case, FAILED, answer.kind, answer.reason)
    if case.due is not None:
        difference = compare(case.due, answer.result) or (
            sign_of_gap(answer.result) if case.call == "certificate" else None
        )
    else:
        difference = false_predicate(case, answer.result)
    if difference is None:
        return Outcome(case, PASSED)
    return Outcome(case, FAILED, "result", difference.text, difference, answer.result, hint(case.request, difference))


def sign_of_gap(result: Json) -> Difference | None:
    """A gap that is not negative although primal - dual of the same answer is: a cut at 0 would hide an error."""
    primal, dual, gap = (answered(result[name]) for name in ("primal", "dual", "gap"))
    if gap < 0 or primal >= dual:
        return None
    text = f"gap = {gap!r} has not the sign of primal - dual = {primal - dual!r} of the same answer"
    return Difference("gap", None, None, None, text)
