"""What the paper proves of one step, what nobody says (twice the rate, which is false), and two mistakes that the claim
must notice.
"""

from hypothesis import strategies as st

from dual_free.method import DualFree
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.papers import Item, register_paper
from dualgap.proofs_checks.claims.registry import REFUTED, claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.evidence.levels import altered, exact, golden, holds_on
from dualgap.proofs_checks.evidence.mutants import register_mutant
from dualgap.proofs_checks.strategies.instances import K_ANY, instances

CITATION = "*SDCA without Duality, Regularization, and Individual Convexity*: Shalev-Shwartz, ICML 2016"
PAPER = register_paper("dual-free", CITATION, "README.md", (Item("Theorem 1", "section 2"),))
NOTE = "the statement as it is commonly cited; we had no copy of the paper"

# w = w*
TIGHT = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(1, -1), lam=Q(1, 10), loss="squared", method="dual-free")
ONE_ROW = TIGHT.but(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), options={"share": Q(1, 2)})


def problems():
    """Smooth losses under L2, any conditioning, the whole step or a part of it."""
    shares = st.sampled_from([{}, {"share": Q(1, 2)}, {"share": Q(1, 7)}])
    return st.tuples(instances(K=K_ANY, method="dual-free"), shares).map(lambda drawn: drawn[0].but(options=drawn[1]))


def potential(c, w, alpha):
    """2 L times (lam/2)||w - w*||^2 + (1/(2 L n)) sum_i ||(alpha_i - alpha*_i) x_i||^2."""
    p, star = c.problem, c.optimum
    far = sum((a - b) * (a - b) for a, b in zip(w, p.w(star), strict=True))
    return c.R2 / c.gamma * p.regularizer.lam * far + c.mean(
        [(a - b) * (a - b) * r for a, b, r in zip(alpha, star, p.norms2, strict=True)]
    )


def contracts(c, times):
    """E[potential after a step] <= (1 - times eta lam) potential."""
    rate = 1 - times * c.method.beta(c.problem) / c.n
    yield Le(
        c.expect(lambda s: potential(c, s.w, s.alpha)), rate * potential(c, c.iterate, c.alpha), f"{times} eta lam"
    )


@claim(
    "dual-free.theorem-1",
    "Theorem 1: E[lam/2 ||w - w*||^2 + 1/(2Ln) sum ||alpha_i - alpha*_i||^2] contracts by 1 - eta lam at every step",
    hypotheses="phi_i convex and L-smooth, g = (lam/2)||w||^2, eta <= 1/(L + lam n)",
    origin=PAPER.reading("Theorem 1", note=NOTE),
    evidence=[exact(problems)],
    control=altered("by 1 - 3/2 eta lam", lambda c: contracts(c, Q(3, 2)), TIGHT),
    kills=["dual-free.long-step", "dual-free.stale-w"],
    proof=(
        "The step adds eta lam (F - F* - lam/2 ||w - w*||^2 - A/(2L) - (1 - eta lam n) V/(2L)) for alpha, A = mean"
        " ||alpha_i - alpha*_i||^2, V = mean ||v_i||^2, by cocoercivity, and at most -eta lam (F - F* + lam/2 ||w -"
        " w*||^2) + eta^2 lam V/2 for w; eta (L + lam n) <= 1."
    ),
)
def theorem_1(c):
    yield from contracts(c, 1)


@claim(
    "dual-free.twice-the-rate",
    "It contracts by 1 - 2 eta lam",
    hypotheses="as Theorem 1",
    expected=REFUTED,
    evidence=[golden(TIGHT)],
    origin=PAPER.inference("Theorem 1", note="nobody says so"),
    control=holds_on(ONE_ROW, text="one row, half of the step"),
)
def twice_the_rate(c):
    yield from contracts(c, 2)


@register_mutant("dual-free.long-step")
class LongStep(DualFree):
    """Three times the step: beyond eta (L + lam n) = 1."""

    def beta(self, problem):
        return 3 * super().beta(problem)


@register_mutant("dual-free.stale-w")
class StaleW(DualFree):
    """w stays where it was."""

    def advance(self, problem, state, choice):
        v = list(state.v)
        super().advance(problem, state, choice)
        state.v = v
