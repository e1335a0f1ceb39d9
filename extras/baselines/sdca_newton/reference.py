"""SDCA with shrinking, and Newton's method on the rows whose alpha is inside its interval.

Problem    max_alpha D(alpha) for dualgap's own losses, g = (lam/2)||w||^2 (or with l1, or w >= 0: then, and for the
           logistic loss, without Newton's method), with weights or without. Deterministic.
Method     sweeps are those of ``sdca_shrinking``, in an order that the number of the sweep fixes. Between two sweeps
           D is maximised over the alpha_i inside their interval, by the projected Newton method (Bertsekas, SIAM J.
           Control Optim. 1982): the step of the system damped by q, in the smaller of its dimensions, cut off at the
           ends. It is made shorter until D grows by a tenth of what its slope says, and q follows: Levenberg's and
           Marquardt's rule.
When       Newton's method is due where its estimated time is at most ``WORTH`` times that of the sweeps since it was
           due before, so that it takes no more than a fixed share of the time; and where at most ``PER_COLUMN`` rows
           for each column are inside, which later sweeps would leave apart.
Wide rows  of n <= d dense rows, without l1, X X^T is made after n/100 sweeps (logistic: n/50), which took about as
           long. From then on the n numbers x_i^T v follow the steps in place of v, which is made when it is needed.
Guarantee  every step is one of SDCA or increases D. No rate is claimed here.

One choice, 0, is one pass: sweeps until one was of all rows, or until there were n steps. A sweep of all rows tells the
gap: the mean of FY_i(z_i, alpha_i) before each step, an estimate of the gap at its end, which is smaller. For a smooth
loss it is lessened by the power 3/4 of how it fell since the sweep before, if that was of all rows and no step of
Newton's method lies between; by its square root after the second sweep, because the first begins far away. At the rate
of these sweeps the gap would be that small at the end. For the logistic loss and 2,000 rows or more the sum is that of
every 2nd, 4th, .. step.

There is no counterpart in plain Python: the steps are those of ``compiled.py``, in both backends. So a product of a
dense row of 16 columns or more is made in 16 sums, which do not wait for each other, and one of sparse rows of 16
entries or more in the mean in four. X X^T is that of BLAS: its last
bits depend on the library, the processor and the number of threads.
"""

import math
from typing import Any

from dualgap.extras.baselines.lbfgs.reference import LBFGS
from dualgap.reference.methods.base import Deterministic, DualMethod, HypothesisViolated
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_within

LARGEST = 1000  # rows or columns of a matrix
LOSSES = ("hinge", "absolute", "smoothed-hinge", "squared-hinge", "squared", "logistic")


@register_method
class SDCANewton(Deterministic[Any], DualMethod):
    """The state is that of the compiled method.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> p = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(0.75))
    >>> w, alpha = SDCANewton().view(p, SDCANewton().run(p, [0] * 3))
    >>> [round(float(w_j), 9) for w_j in w], p.gap(w, alpha) < 1e-15
    ([0.666666667, -0.666666667], True)
    """

    name = "sdca-newton"
    summary = "SDCA with shrinking and Newton's method, which `auto` can choose"
    families = ("quadratic", "non-negative")
    storage_matters = True
    without_vectors = LBFGS.without_vectors
    vectors_kept = (20, 20)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """The hypotheses of ``require_start``."""
        super().require(problem, mode, R2)
        self.require_start(problem)

    def require_start(self, problem: Problem) -> None:
        """A loss of dualgap's own, and floats."""
        self.require_family(problem)
        if problem.loss.name not in LOSSES:
            raise HypothesisViolated(
                f"method {self.name} needs one of the losses {', '.join(LOSSES)} (got {problem.loss.name}). Use method"
                " sdca"
            )
        if problem.number is not float:
            raise ValueError(
                f"method {self.name} is compiled, on floats (got number={problem.number.__name__}): use number=float"
            )

    def require_state(self, problem: Problem, state: Any) -> None:
        n = problem.n
        require_within("size", [state.size], 1, n)
        require_within("active", state.active, 0, n - 1)
        require_within("the number of different active rows", [len(set(map(int, state.active)))], n, n)
        require_within("free", [state.free], 0, n)
        require_within("sweeps", [state.sweeps], 0, 2**62)
        require_within("the length of z, if it is not 0", [state.z.size or n], n, n)
        if not 0 < state.damping <= 1:
            raise ValueError(f"damping must be > 0 and <= 1 (got {state.damping})")

    def expected_gap(self, problem: Problem, state: Any) -> Number | None:
        """The mean of FY_i over the last sweep, if it was of all rows."""
        return float(state.told) if math.isfinite(state.told) else None

    def own_primal(self, problem: Problem, state: Any) -> Number | None:
        """D(alpha) and the gap that is expected."""
        return float(self.compiled().primal(problem, state))

    def compiled(self) -> Any:
        """The compiled method."""
        from dualgap.fast.methods.registry import kernels

        return kernels()[self.name]()

    def init(self, problem: Problem, alpha: Vector | None = None) -> Any:
        return self.compiled().init(problem, alpha)

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        self.compiled().advance(problem, state, [choice])

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        w, alpha = self.compiled().view(problem, state)
        return w.tolist(), alpha.tolist()

    @classmethod
    def matrix_numbers(cls, problem: Problem) -> int:
        """Return the number of entries of the three largest matrices that are made."""
        return 3 * min(problem.n, problem.d, LARGEST) ** 2
