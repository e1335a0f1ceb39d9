"""Claims about the exact expectation of one step and the rate that follows, with a control and two planted bugs."""

from fractions import Fraction

from dualgap.proofs_checks.claims.instance import Qs, SystemInstance
from dualgap.proofs_checks.claims.papers import Item, register_paper
from dualgap.proofs_checks.claims.registry import REFUTED, claim
from dualgap.proofs_checks.claims.relations import Eq, Le
from dualgap.proofs_checks.evidence.levels import altered, exact, golden, holds_on
from dualgap.proofs_checks.evidence.mutants import register_mutant
from dualgap.proofs_checks.strategies.instances import systems
from dualgap.reference.problem.spectral import dominated
from kaczmarz.method import Kaczmarz

CITATION = (
    "*A Randomized Kaczmarz Algorithm with Exponential Convergence*: Strohmer, Vershynin, J. Fourier Anal. Appl. 15,"
    " 2009"
)
PAPER = register_paper("kaczmarz", CITATION, "README.md", (Item("Theorem 2", "section 2"),))
NOTE = "the statement as it is commonly cited; we had no copy of the paper"

LONG = SystemInstance(rows=(Qs(1, 0), Qs(1, 0), Qs(0, "3/2")), b=Qs(0, 0, 0), start=Qs(0, 1), method="kaczmarz-uniform")
SHORT = LONG.but(start=Qs(1, 0), method="kaczmarz")


def problems():
    """Systems with one solution: zero, equal, tiny and huge rows."""
    return systems(method="kaczmarz")


def square(vector):
    return sum((value * value for value in vector), Fraction(0))


def error(c, x):
    """||x - x*||^2."""
    return square(a - b for a, b in zip(x, c.solution, strict=True))


def sigma(c):
    """s <= sigma_min(A)^2, at most 2^-20 ||A||_F^2 below it: by bisection, A^T A - s I is positive semidefinite,
    exactly.
    """
    p, low, high = c.problem, Fraction(0), sum(map(Fraction, c.problem.norms2))
    A = [[dict(row).get(j, 0) for j in range(p.d)] for row in p.rows]
    minus = [[-sum(row[j] * row[k] for row in A) for k in range(p.d)] for j in range(p.d)]
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if dominated(minus, -middle) else (low, middle)
    return low


def contracts(c, times, steps=1):
    """E||x_t - x*||^2 <= (1 - times s/||A||_F^2)^t ||x_0 - x*||^2."""
    rate, start = 1 - times * c.once(sigma) / sum(c.problem.norms2), error(c, c.iterate)
    for t, expected in enumerate(c.expected(steps, lambda x, _: error(c, x))[1:], 1):
        yield Le(expected, rate**t * start, f"t = {t}")


@claim(
    "kaczmarz.one-step",
    "E||x+ - x*||^2 = ||x - x*||^2 - ||A (x - x*)||^2/||A||_F^2",
    hypotheses="A x* = b",
    origin=PAPER.ours("Theorem 2"),
    evidence=[exact(problems)],
    kills=["kaczmarz.half-step", "kaczmarz.next-norm"],
    control=altered(
        "without the square", lambda c: [Eq(c.expect(lambda s: error(c, s.w)), error(c, c.iterate), "E")], SHORT
    ),
    proof="||x+ - x*||^2 = ||x - x*||^2 - (a_i^T (x - x*))^2/||a_i||^2; the mean over i cancels the norms.",
)
def one_step(c):
    left = square(c.problem.residuals(c.iterate)) / sum(c.problem.norms2)
    yield Eq(c.expect(lambda s: error(c, s.w)), error(c, c.iterate) - left, "E||x+ - x*||^2")


@claim(
    "kaczmarz.theorem-2",
    "Theorem 2: E||x_t - x*||^2 <= (1 - 1/(||A^-1||^2 ||A||_F^2))^t ||x_0 - x*||^2",
    hypotheses="A has full column rank, A x* = b; 1/||A^-1||^2 = sigma_min^2, a lower bound of which is certified",
    origin=PAPER.reading("Theorem 2", note=NOTE),
    evidence=[exact(problems)],
    kills=["kaczmarz.half-step"],
    control=altered("at twice the rate", lambda c: contracts(c, 2), SHORT),
    proof="||A (x - x*)||^2 >= sigma_min^2 ||x - x*||^2 in kaczmarz.one-step.",
)
def theorem_2(c):
    yield from contracts(c, 1, steps=3)


@claim(
    "kaczmarz.uniform",
    "The same rate with rows drawn uniformly",
    hypotheses="as Theorem 2",
    expected=REFUTED,
    evidence=[golden(LONG)],
    origin=PAPER.inference("Theorem 2", note="not stated in the paper"),
    control=holds_on(SHORT, text="the same rows by their norms"),
)
def uniform(c):
    yield from contracts(c, 1)


@register_mutant("kaczmarz.half-step")
class HalfStep(Kaczmarz):
    """Half of the way to the hyperplane."""

    def advance(self, system, state, choice):
        before = list(state.x)
        super().advance(system, state, choice)
        state.x = [(a + b) / 2 for a, b in zip(before, state.x, strict=True)]


@register_mutant("kaczmarz.next-norm")
class NextNorm(Kaczmarz):
    """The probabilities of the rows are those of their neighbours."""

    def choices(self, system, state):
        right = super().choices(system, state)
        return [(i, right[k - 1][1]) for k, (i, _) in enumerate(right)]
