"""Shares of the false alarms whose order is known beforehand: what each process is given."""

import pathlib
from collections.abc import Iterator

from dualgap.proofs_checks.auditing import dispatch
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import ERROR, HOLDS, Claim, Evidence, Source
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.claims.run import Run, statistical


def _claim(*levels: Source) -> Claim:
    return Claim("self.shares", "", lambda c: (), HOLDS, "", levels, None, OURS)


def shares() -> Iterator[str]:
    """A statistical level has the share of its place, in any process. Taking a share unannounced is an error."""
    taken: list[float] = []

    def examine(claim: Claim, run: Run, folder: pathlib.Path | None) -> ClaimResult:
        taken.append(run.delta())
        return ClaimResult(id=claim.id, paper=claim.paper, status=HOLDS, expected=HOLDS)

    level = statistical(lambda claim, run: Evidence("NOT-REFUTED"))
    work = dispatch.Examination(examine, Run(), None, ())
    announced = [work.row(_claim(level), place, Run()) for place in (0, 1)]
    if any(row.status == ERROR for row in announced) or not taken[0] > taken[1]:
        yield f"levels at places 0 and 1 have the shares {taken[0]:.2e} and {taken[1]:.2e}"
    if work.row(_claim(), 0, Run()).status != ERROR:
        yield "a level has taken a share that it has not announced, and no error is reported"
