"""SDCA, the code: what ``solve`` certifies in floats, recomputed exactly."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Evidence
from dualgap.proofs_checks.claims.relations import Le, Lt, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.proofs_checks.evidence.levels import altered, examine
from dualgap.proofs_checks.papers.sdca.instances import FAST
from dualgap.proofs_checks.papers.vocabulary import implemented

TOLERANCE = 1e-3


@st.composite
def tiny_hinges(draw: DrawFn) -> Instance:
    """Hinge problems that a float holds exactly: n < 12, d < 4, zero rows among them, lam from 1/1024 to 1."""
    n, d = draw(st.integers(1, 11)), draw(st.integers(1, 3))
    entry = st.integers(-16, 16).map(lambda k: Q(k, 8))
    rows = draw(
        st.lists(st.lists(entry, min_size=d, max_size=d).map(tuple) | st.just((Q(0),) * d), min_size=n, max_size=n)
    )
    y = tuple(draw(st.lists(st.sampled_from(Qs(1, -1)), min_size=n, max_size=n)))
    lam = draw(st.sampled_from(Qs(1, "1/8", "1/64", "1/1024")))
    return Instance(rows=tuple(rows), y=y, alpha=(Q(0),) * n, lam=lam, loss="hinge", method="sdca")


def certified(c: Context, **options: Any) -> tuple[str, Fraction, Fraction]:
    """(status, gap that was reported, exact gap of the returned pair) of ``solve`` in floats, all of it compiled."""
    from dualgap.fast import solve
    from dualgap.fast.compiler.first_calls import interpreting

    problem = c.instance.problem(float)
    with interpreting(False):
        result = solve(problem, method="sdca", tol=TOLERANCE, **options)
    return result.status, Q(result.gap), certificate(problem, result.alpha, result.w).gap


def solved(claim: Claim, run: Run) -> Evidence:
    """EXACT on the run's number of drawn problems; ``solve`` is what is tested, whatever method is audited."""
    return examine(claim, run.contexts(tiny_hinges, run.count()), tiny_hinges, run)


@implemented(
    "sdca.code.certificate",
    "The code: where solve says converged, the gap of the returned pair, recomputed exactly, is at most the tolerance;"
    " otherwise it says that it is not converged",
    hypotheses="hinge, n < 12, d < 4, zero rows included, tol = 1e-3",
    evidence=[solved],
    control=altered(
        "the start alpha = 0, called converged", lambda c: [Le(certified(c, max_epochs=0)[2], Q(TOLERANCE), "")], FAST
    ),
)
def code_certificate(c: Context) -> Iterable[Relation]:
    status, reported, gap = certified(c)
    if status == "converged":
        yield Le(gap, Q(TOLERANCE), "exact gap <= tol")
    else:
        yield Lt(Q(TOLERANCE), reported, f"status {status}: the reported gap is above tol")
