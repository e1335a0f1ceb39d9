"""SAG: the stochastic average gradient method (Le Roux, Schmidt and Bach, NIPS 2012; Math. Program. 2017).

Problem    min_w P(w) = (1/n) sum_i f_i(w),  f_i(w) = phi_i(x_i^T w) + (lam/2)||w||^2, smooth losses, L2.
           Every f_i is L-smooth with L = R^2/gamma + lam, R^2 = max ||x_i||^2, the SQUARE of the norm; P is
           lam-strongly convex.
Method     a step along the average of the gradients last seen:

    1  G = 0, y_i = 0 for all i
    2  for k = 1, 2, ..
    3      i uniform on 1..n
    4      G <- G - y_i + f_i'(w)
    5      y_i <- f_i'(w)
    6      w <- w - (a/n) G

           As its authors recommend it, and as other papers run it, the regularizer stays outside the table, whose rows
           y_i = c_i x_i are then one number each, and the divisor is m, the number of rows seen so far:

    4'     G <- G + (c_new - c_i) x_i,  c_new = phi_i'(x_i^T w)
    5'     c_i <- c_new;  if i is new: m <- m + 1
    6'     w <- (1 - a lam) w - (a/m) G

Guarantee  lines 4 to 6 with a = 1/(16L), uniform order, from the table 0:
               E P(w^k) - P* <= (1 - min{lam/(16L), 1/(8n)})^k C_0,
               C_0 = P(w^0) - P* + (4L/n)||w^0 - w*||^2 + (1/(16L)) (1/n) sum_i ||f_i'(w*)||^2.
           Lines 4' to 6' with the same a and the divisor n: with C_0 alone the bound is false, and with C_0 + n
           lam^2||w*||^2/(16L) it is true (``baselines.sag.theorem-outside``, our proof, checked by Coq). We know of no
           proof for a = 1/L, nor for the divisor m.

====== ======== ===== ==========================================================================================
symbol in code  shape meaning
====== ======== ===== ==========================================================================================
w      w        (d,)  iterate
c_i    c        (n,)  phi_i' when row i was last seen: inside the domain of phi_i*, and so the method's alpha
G      G        (d,)  the sum of the table
       seen     (n,)  1 where row i was seen, else 0
m      m              their sum
y_i    y        (n,)  regularizer in the table: its rows, tuples of d numbers
====== ======== ===== ==========================================================================================
"""

from fractions import Fraction
from typing import Any, ClassVar

from dualgap.extras.baselines.gradients import FiniteSum
from dualgap.reference.methods.base import HypothesisViolated, State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, convert
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import Row

STEPS = {"theory": 16, "practice": 1}  # a = 1/(16L) and 1/L
DIVISORS = ("seen", "n")


class SAGState(State):
    """See the table of the module."""

    __slots__ = ("w", "c", "G", "seen", "m")
    w: Vector
    c: Vector
    G: Vector
    seen: list[int]
    m: int


class TableState(SAGState):
    """The state with y: n tuples of d numbers."""

    __slots__ = ("y",)
    y: list[tuple[Number, ...]]


@register_method
class SAG(FiniteSum):
    """Lines 3 to 6.

    Parameters
    ----------
    step : "practice", a = 1/L; "theory", a = 1/(16L), for which the rate is proved; or a number > 0, a itself.
    divide : "seen", by m; or "n".
    regularizer_in_table : whether the y_i are gradients of all of f_i, or of phi_i alone. Together with "theory" and
        "n" this is the method of the theorem. It takes n d numbers and has no lazy form.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> [str(w_j) for w_j in SAG(step="1/8").run(p, [0, 1, 2, 0]).w]
    ['9775/110592', '-8561/36864']
    """

    name = "sag"
    summary = "stochastic average gradient, with which AdaSPDC compares"
    drawn_options: ClassVar[dict[str, tuple[object, ...]]] = {
        "divide": ("seen", "n"),
        "step": ("practice", "theory", 0.125),
    }

    def __init__(self, step: Any = "practice", divide: str = "seen", regularizer_in_table: bool = False) -> None:
        if divide not in DIVISORS:
            raise ValueError(f"divide must be one of {', '.join(DIVISORS)} (got {divide!r})")
        if not isinstance(regularizer_in_table, bool):
            raise ValueError(f"regularizer_in_table must be True or False (got {regularizer_in_table!r})")
        if step not in STEPS:
            if isinstance(step, str) and not step[:1].isdigit():
                raise ValueError(f"step must be one of {', '.join(STEPS)}, or a number > 0 (got {step!r})")
            step = convert(step, Fraction, "step")
            if not step > 0:
                raise ValueError(f"step must be > 0 (got {step})")
        self.step_option, self.divide, self.regularizer_in_table = step, divide, regularizer_in_table

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """But in mode unchecked also a step of at most 1/L, so that a lam < 1."""
        super().require(problem, mode, R2)
        a, L = self.a(problem), self.L(problem)
        if mode != "unchecked" and self.step_option not in STEPS and a * L > 1:
            raise HypothesisViolated(
                f"method {self.name} needs step <= 1/L = {1 / L} (got {a}), L = R^2/gamma + lam with R^2 ="
                f" {problem.R2}: with larger steps it can diverge. Use step practice or theory, a smaller number, or"
                " mode unchecked"
            )

    def notes(self, problem: Problem) -> list[str]:
        """Return the hypotheses of a rate that the run does not satisfy."""
        small = self.step_option == "theory" or (
            self.step_option not in STEPS and 16 * self.a(problem) * self.L(problem) <= 1
        )
        lacking = [] if small else ["step = 1/(16L)"]
        lacking += [] if self.divide == "n" else ["divide = n"]
        return (
            [f"no proof of SAG's rate is known to us for this run: the theorems have {', '.join(lacking)}"]
            if lacking
            else []
        )

    def a(self, problem: Problem) -> Number:
        """The step, a."""
        if self.step_option in STEPS:
            return 1 / (STEPS[self.step_option] * self.L(problem))
        return convert(self.step_option, problem.number, "step")

    def divisor(self, problem: Problem, m: int) -> int:
        """Return the divisor of G after m rows have been seen."""
        return m if self.divide == "seen" else problem.n

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> Any:
        """Table 0 and w^0 = w (default 0); or, from an alpha, c = alpha, all seen, and w^0 = w (default w(alpha))."""
        known, lam = int(alpha is not None), problem.regularizer.lam
        c, w = self.begin(problem, alpha, w)
        G, fields = [problem.zero] * problem.d, dict(w=w, c=c, seen=[known] * problem.n, m=known * problem.n)
        for row, c_i in zip(problem.rows, c):
            for j, x in row:
                G[j] = G[j] + c_i * x
        if not self.regularizer_in_table:
            return SAGState(**fields, G=G)
        shift = [known * lam * w_j for w_j in w]
        y = [self.gradient(row, c_i, shift) for row, c_i in zip(problem.rows, c)]
        return TableState(**fields, G=[G_j + problem.n * shift_j for G_j, shift_j in zip(G, shift)], y=y)

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        i = choice  # SAG line 3
        c_new = problem.loss.derivative(problem.dot(problem.rows[i], state.w), problem.y[i])
        self.replace(problem, state, i, c_new)
        a, lam, N = self.a(problem), problem.regularizer.lam, self.divisor(problem, state.m)
        rate = 1 if self.regularizer_in_table else 1 - a * lam
        state.w = [rate * w_j - a / N * G_j for w_j, G_j in zip(state.w, state.G)]  # SAG line 6

    def replace(self, problem: Problem, state: Any, i: int, c_new: Number) -> None:
        """The new gradient of row i takes the place of the old one."""
        if self.regularizer_in_table:
            new = self.gradient(problem.rows[i], c_new, [problem.regularizer.lam * w_j for w_j in state.w])
            state.G = [G_j - old_j + new_j for G_j, old_j, new_j in zip(state.G, state.y[i], new)]  # SAG line 4
            state.y[i] = new  # SAG line 5
        else:
            for j, x in problem.rows[i]:
                state.G[j] = state.G[j] + (c_new - state.c[i]) * x  # SAG line 4'
        state.c[i] = c_new  # SAG line 5'
        state.m += 1 - state.seen[i]
        state.seen[i] = 1

    def gradient(self, row: Row, c_i: Number, shift: Vector) -> tuple[Number, ...]:
        """c_i x_i + shift."""
        y_i = list(shift)
        for j, x in row:
            y_i[j] = y_i[j] + c_i * x
        return tuple(y_i)

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        """(w, c): the table is a dual point, alpha_i = phi_i' at some earlier iterate."""
        return list(state.w), list(state.c)
