"""One claim of the toy method, on the toy loss and two others."""

from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.papers import register_paper
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.evidence.levels import altered, exact
from dualgap.proofs_checks.strategies.instances import K_ANY, instances

register_paper("toy", "half of every step of SDCA, on the Huber loss", "README.md")
START = Instance((Qs(1),), Qs(2), Qs(0), Q(1), loss="toy-huber", method="toy-half-sdca")


def runs():
    """Any ratio of norms."""
    return instances(K=K_ANY, losses=("toy-huber", "squared", "smoothed-hinge"), method="toy-half-sdca")


def rises(c, by=0):
    """D rises by at least ``by`` at every choice."""
    for successor, increase in zip(c.successors, c.increases):
        yield Le(by, increase, f"i = {successor.choice}")


@claim(
    "toy.monotone",
    "D never decreases",
    hypotheses="any loss",
    origin=OURS,
    evidence=[exact(runs)],
    control=altered("D rises by 1", lambda c: rises(c, 1), START),
    proof="D is concave.",
)
def monotone(c):
    yield from rises(c)
