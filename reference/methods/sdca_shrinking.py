"""SDCA with shrinking: permuted passes over the rows that still move (Hsieh et al., ICML 2008, section 3.2).

Problem    max_alpha D(alpha), see ``problem``; any loss of ``losses``, L2 or elastic net.
Idea       near the optimum most alpha_i of a hinge lie at an end of their domain and their step is 0. Such a row
           is left out of the passes, until the rows that are left are solved; then all are looked at again.
Guarantee  every step is one of SDCA, so D never decreases, whatever is left out. What is left out is never trusted:
           a certificate is of all rows.

============== =============== ====== ===============================================================================
symbol         in code         shape  meaning
============== =============== ====== ===============================================================================
w, alpha       v, alpha        (d,)   as in ``sdca``
A              active[:size]   (size) the active rows, in the order of this pass; after them, all others
s              position               rows of A that this pass has visited
               kept                   how many of these stay; they stand first
G_i            slope                  phi_i*'(alpha_i) - z_i = y_i + gamma alpha_i - z_i, the slope of what step i minimises
M              threshold              max |G_i| over the rows that moved in the last pass; 0: no row is left out in this one
               violation              the same, of this pass so far
epsilon        tolerance              A is solved when M <= epsilon
============== =============== ====== ===============================================================================

The rule  A row whose step is 0 lies at an end of its domain (or is optimal), and G_i says by how much it is held there.
          It leaves A where |G_i| > M: when all others would have to move more than they did to set it free. At the end
          of a pass over all n rows epsilon = M/100; at the end of any pass with M <= epsilon A is all rows, and
          M = 0 for the next. On a fixed A the steps tend to 0, for D is bounded, and so does M: sooner or later every
          row is looked at again. Hsieh et al. have a threshold for each end and one epsilon, that of the answer.
Choices   a number k of 0..n-1, uniform: the next row of A is the one in place s + floor(k (|A| - s)/n) (Fisher and
          Yates' shuffle), so that a pass visits every active row once, and n choices are n steps, however small A is.

For the hinges and the absolute loss phi*(a) = y a + gamma a^2/2 on an interval. The squared loss has no ends and the
logistic one (phi*' infinite there) none that a step reaches: nothing is left out, and the method is SDCA-Perm.
"""

from typing import Any

from dualgap.reference.methods.base import DualMethod, DualState
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_within

SOLVED = 100  # the active rows are solved when they violate optimality by a hundredth of what all rows did


class ShrinkingState(DualState):
    """A DualState with the active rows and the thresholds of the pass; see the table of the module."""

    __slots__ = ("active", "size", "position", "kept", "threshold", "violation", "tolerance")
    active: list[int]
    size: int
    position: int
    kept: int
    threshold: Number
    violation: Number
    tolerance: Number


@register_method
class ShrinkingSDCA(DualMethod):
    """SDCA-Perm over the active rows.

    >>> from fractions import Fraction
    >>> from dualgap.reference import Hinge, L2, Problem
    >>> p = Problem([[1, 0], [1, 1], [2, 1]], [1, -1, 1], Hinge(), L2("1/3"), number=Fraction)
    >>> state = ShrinkingSDCA().run(p, [0, 0, 0, 0, 0, 0])
    >>> state.active[:state.size], p.gap(*ShrinkingSDCA().view(p, state))
    ([0, 1, 2], Fraction(0, 1))
    """

    name = "sdca-shrinking"
    summary = "SDCA in random order that leaves out rows whose α is at a bound, as liblinear does"
    families = ("quadratic", "non-negative")
    orders = ("uniform",)  # of the numbers k; the passes are permuted

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        start, zero = super().init(problem, alpha), problem.zero
        return ShrinkingState(
            v=start.v, alpha=start.alpha, active=list(range(problem.n)), size=problem.n, position=0, kept=0,
            threshold=zero, violation=zero, tolerance=zero,
        )  # fmt: skip

    def advance(self, problem: Problem, state: Any, choice: int) -> None:
        active, s = state.active, state.position
        place = s + choice * (state.size - s) // problem.n
        active[s], active[place] = active[place], active[s]
        i = active[s]
        z = problem.inner(i, state.v)
        slope = self.slope(problem, i, z, state.alpha[i])
        # SDCA line 4
        alpha_i = problem.loss.dual_step(z, state.alpha[i], problem.y[i], problem.norms2[i] / problem.scale)
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i                                                            # SDCA line 5
        problem.update(i, delta, state.v)                                                   # SDCA line 6
        if delta != 0 and slope > state.violation:
            state.violation = slope
        if delta != 0 or state.threshold == 0 or slope <= state.threshold:                  # stays active
            active[s], active[state.kept] = active[state.kept], i
            state.kept += 1
        state.position += 1
        if state.position == state.size:
            self.end_pass(problem, state)

    def require_state(self, problem: Problem, state: ShrinkingState) -> None:
        n = problem.n
        require_within("size", [state.size], 1, n)
        require_within("position", [state.position], 0, state.size - 1)
        require_within("kept", [state.kept], 0, state.position)
        require_within("active", state.active, 0, n - 1)
        require_within("the number of different active rows", [len(set(map(int, state.active)))], n, n)

    def slope(self, problem: Problem, i: int, z: Number, alpha_i: Number) -> Number:
        """|G_i|, or 0 where no end of the domain is within reach."""
        if not problem.loss.kinks(problem.y[i]):
            return problem.zero
        slope = problem.y[i] + problem.loss.gamma * alpha_i - z
        return slope if slope >= 0 else -slope

    def end_pass(self, problem: Problem, state: ShrinkingState) -> None:
        """The rows and the threshold of the next pass."""
        if state.size == problem.n:
            state.tolerance = state.violation / SOLVED
        solved = state.violation <= state.tolerance
        state.size = problem.n if solved else state.kept
        state.threshold = problem.zero if solved else state.violation
        state.position, state.kept, state.violation = 0, 0, problem.zero
