"""Pieces and shares whose sum is known beforehand: what is merged of many processes, and what each of them is given."""

import pathlib
from collections.abc import Iterator

from dualgap.proofs_checks.auditing import dispatch, pieces
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import ERROR, HOLDS, Claim, Evidence, Source
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.self_audit.saying import differs, refuses

TINY = Instance(rows=((Q(1),),), y=(Q(1),), alpha=(Q(0),), lam=Q(1))


def found(violations: int = 0, lam: int = 1) -> Json:
    """Return the findings of a piece of three instances."""
    first = TINY.but(lam=Q(lam)).to_json() if violations else None
    return {
        "level": "EXACT",
        "instances": 3,
        "violations": violations,
        "vacuous": 0,
        "undecided": 0,
        "tightness": [],
        "counterexample": first,
    }


def merged() -> Iterator[str]:
    """A level's evidence is the sum of its pieces, with the first counterexample; a broken piece breaks it."""
    evidence = pieces.total([found(), found(2, lam=5), found(1, lam=7)])
    yield from differs("instances, violations", (evidence.instances, evidence.violations), (9, 3))
    yield from differs("the first counterexample", evidence.counterexample, TINY.but(lam=Q(5)))
    broken = refuses(lambda: pieces.total([found(), {"error": "it broke"}]), RuntimeError)
    yield from differs("a piece that broke: breaks the level", broken, True)


def _claim(*levels: Source) -> Claim:
    return Claim("self.shares", "", lambda c: (), HOLDS, "", levels, None, OURS)


def seeds() -> Iterator[str]:
    """Every piece has its own entropy and the number of its instances."""
    claim = _claim(lambda claim, run: Evidence("EXACT", run.count(), detail=str(run.entropy)))
    making = pieces.Making(Run(entropy=1), ())
    told = [making.found(claim, pieces.Piece(claim.id, __name__, 0, number, 7, 1)) for number in (0, 1)]
    yield from differs("two pieces have one entropy", told[0]["detail"] == told[1]["detail"], False)
    yield from differs("instances of the pieces", [piece["instances"] for piece in told], [7, 7])


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
