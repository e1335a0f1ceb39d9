"""PGS: the primal gradient solver ("Inverse Time Dependency in Convex Regularized Learning", ICDM 2009).

Problem    min_{w in S} P(w) = (1/n) sum_i phi_i(x_i^T w) + sigma r(w), g = sigma r on S: the squared p-norm of
           ``pnorm``, S = R^d or a ball. Also L2 (p = 2), and elastic net (not in the paper), whose r is still strongly
           convex with min r = r(0) = 0, all that the theorem requires. Any loss: only phi_i' is used, no inner solve.
Method     Figure 1: dual averaging. The regularizer of the round to come counts already: the divisor is (t+1) sigma.
Guarantee  Lemma 1, on every path and for every subgradient lambda_t, with c_t = sigma r + g_t:
               sum_{t=1..T} c_t(w_{t-1}) - min_S sum_t c_t <= (1/2) sum_t ||lambda_t||_q^2 / (t sigma).
           Theorem 1, A_t uniform and independent, ||lambda_t||_q <= L: for w_i, i uniform on 0..T-1, and for the
           average of w_0..w_{T-1}
               E P(w) - min P <= L^2 H_T / (2 sigma T),   H_T = 1 + 1/2 + ... + 1/T.
           L = max ||x_i||_q for hinge, smoothed hinge, logistic and absolute; for squared and squared hinge an L exists
           on a ball alone. The last iterate has no such bound.

======== ============ ===== ==============================================================================
symbol   in code      shape meaning
======== ============ ===== ==============================================================================
w_t      w            (d,)  iterate
lambda   acc          (d,)  minus the sum of the subgradients: acc_t = -(lambda_1 + .. + lambda_t)
lambda_t sub_t        (d,)  subgradient of the mini-batch loss g_t at w_{t-1}
sigma    lam                weight of r; not the paper's lambda
A_t, k   choice, k          the rows of round t
         total        (d,)  output "average": w_0 + .. + w_{t-1}
         output       (d,)  output "random": the iterate that is kept
======== ============ ===== ==============================================================================

The dual variable is alpha_i = phi_i'(x_i^T w) at the returned w: always in the domain, so that its gap is a
certificate, though the method itself never computes one.

A bias, regularized as one more coordinate of ||.||_p, is exactly this method on the rows (x_i, 1). A bias left out of
r would cost the strong convexity, and the theorem with it.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.reference.methods.base import HypothesisViolated, Method, State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.methods.sampling import Choices, batches, draw_batches, require_batches
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_integer, require_one_of

OUTPUTS = ("last", "average", "random")
SAMPLINGS = ("subset", "replacement")
NEED_A_BALL = ("squared", "squared-hinge")  # their derivative is unbounded on R^d


class PGSState(State):
    """w_t and acc_t, shape (d,), and t, the rounds made."""

    __slots__ = ("w", "acc", "t")
    w: Vector
    acc: Vector
    t: int


class AveragedPGSState(PGSState):
    """The state with total, shape (d,): w_0 + .. + w_{t-1}."""

    __slots__ = ("total",)
    total: Vector


class RandomPGSState(PGSState):
    """The state with output, shape (d,): the kept one of w_0 .. w_{t-1}."""

    __slots__ = ("output",)
    output: Vector


class Batched(Method[Any]):
    """Methods that start at w = 0 and draw k rows a round, independently: every choice is a list of k indices.

    Parameters
    ----------
    k : rows a round, 1 <= k <= n.
    sampling : "subset" (uniform k-subsets) or "replacement" (k independent uniform rows).
    """

    orders: ClassVar[tuple[str, ...]] = ("uniform",)  # Theorem 1: A_t is independent of what came before
    resumable: ClassVar[bool] = False
    sublinear: ClassVar[bool] = True
    command_line: ClassVar[dict[str, str]] = {"batch": "k", "sampling": "sampling"}

    def __init__(self, k: int = 1, sampling: str = "subset") -> None:
        require_integer("k", k, 1, "the rows of a mini-batch")
        require_one_of("sampling", sampling, SAMPLINGS)
        self.k, self.sampling = k, sampling

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        super().require(problem, mode, R2)
        require_batches(self.sampling, problem.n, self.k)

    def require_start(self, problem: Problem, alpha: Vector | None) -> None:
        """The hypotheses without which there is no first step."""
        self.require_family(problem)
        require_batches(self.sampling, problem.n, self.k)
        if alpha is not None:
            raise ValueError(f"method {self.name} starts at w = 0 and keeps no alpha: leave alpha out")

    def width(self, problem: Problem) -> int | None:
        return self.k

    def choices(self, problem: Problem, state: PGSState) -> list[tuple[tuple[int, ...], Fraction]]:
        return list(batches(self.sampling, problem.n, self.k))

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Choices:
        return draw_batches(self.sampling, problem.n, self.k, seed, epoch)

    def dual(self, problem: Problem, w: Vector) -> Vector:
        """alpha_i = phi_i'(x_i^T w), shape (n,)."""
        return [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]


class Output(Batched):
    """The base of PGS and its lazy form: the output options, the hypotheses and the choices.

    Parameters
    ----------
    k, sampling : as for ``Batched``.
    output : "average" of w_0 .. w_{T-1} (default), "random": one of them, uniformly, or "last": w_T.
    """

    families = ("quadratic", "p-norm")
    command_line: ClassVar[dict[str, str]] = {"batch": "k", "sampling": "sampling", "output": "output"}

    def __init__(self, k: int = 1, output: str = "average", sampling: str = "subset") -> None:
        super().__init__(k, sampling)
        require_one_of("output", output, OUTPUTS)
        self.output = output

    @property
    def guarantee(self) -> str | None:
        """The theorem that holds for the output: Theorem 1 for the average and the random iterate, none for the
        last.
        """
        if self.output == "last":
            return None
        return "Theorem 1: E P(w) - min P <= L^2 H_T / (2 sigma T), T the rounds made"

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Check that an L exists in mode paper. Lemma 1, and mode sharp with it, hold without L."""
        super().require(problem, mode, R2)
        if mode == "paper" and problem.loss.name in NEED_A_BALL and getattr(problem.regularizer, "ball", None) is None:
            raise HypothesisViolated(
                f"Theorem 1 needs a Lipschitz loss, and {problem.loss.name} is Lipschitz on a ball alone. Give ball, the radius "
                "B of ||w||_p <= B, or use mode sharp: the bound (1/T) sum_t E||lambda_t||_q^2/(2 t sigma) needs no L"
            )

    def require_start(self, problem: Problem, alpha: Vector | None) -> None:
        super().require_start(problem, alpha)
        if problem.regularizer.centre is not None:
            raise HypothesisViolated(f"method {self.name} needs min r = r(0) = 0: no proximal centre")

    def outcomes(self, problem: Problem) -> int:
        return max(2, problem.n) if self.output == "random" else problem.n

    def width(self, problem: Problem) -> int | None:
        return self.k + 1 if self.output == "random" else self.k

    def split(self, choice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """(keep, A_t): with output "random" a choice begins with whether w_{t-1} replaces what was kept before."""
        return (choice[0], choice[1:]) if self.output == "random" else (0, choice)

    def choices(self, problem: Problem, state: PGSState) -> list[tuple[tuple[int, ...], Fraction]]:
        """Round t keeps w_{t-1} with probability 1/t: after it each of w_0 .. w_{t-1} is kept with probability 1/t."""
        batches, p = super().choices(problem, state), Fraction(1, state.t + 1)
        if self.output != "random":
            return batches
        return [((keep, *batch), q * (p if keep else 1 - p)) for keep in (0, 1) for batch, q in batches if keep or p < 1]

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Choices:
        """The choices of one pass; whether to keep comes from the stream of (seed, epoch, 1), the rows do not depend on
        it.
        """
        batches = super().draw(problem, order, seed, epoch)
        if self.output != "random":
            return batches
        import numpy as np

        rounds = -(-epoch * problem.n // self.k) + np.arange(len(batches)) + 1
        keep = np.random.default_rng([seed, epoch, 1]).random(len(batches)) * rounds < 1
        return np.column_stack([keep.astype(np.int64), batches])

    def w_of(self, problem: Problem, state: Any) -> Vector:
        """The output w, shape (d,)."""
        raise NotImplementedError

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        """(w, alpha) with alpha_i = phi_i'(x_i^T w) at the output w; before the first round w = w_0 = 0."""
        w = self.w_of(problem, state)
        return w, self.dual(problem, w)


@register_method
class PGS(Output):
    """Figure 1.

    >>> from dualgap.reference import L2, Hinge, Problem
    >>> p = Problem([[1, 0], [1, 1], [-1, 2]], [1, -1, 1], Hinge(), L2("1/2"), number=Fraction)
    >>> state = PGS(k=2).run(p, [(0, 1), (1, 2), (0, 2)])
    >>> [str(w_j) for w_j in state.w], [str(w_j) for w_j in PGS(k=2).view(p, state)[0]]
    (['-1/2', '1/2'], ['-2/9', '-1/6'])
    """

    name = "pgs"
    summary = "the primal gradient solver of PGS, Figures 1 and 2, with L2 or the squared p-norm"
    drawn_options = {"output": ("average", "last", "random"), "sampling": SAMPLINGS}

    def init(self, problem: Problem, alpha: Vector | None = None) -> PGSState:
        """w_0 = 0 (PGS line 2)."""
        self.require_start(problem, alpha)
        zeros = [problem.zero] * problem.d
        if self.output == "average":
            return AveragedPGSState(w=zeros, acc=list(zeros), t=0, total=list(zeros))
        if self.output == "random":
            return RandomPGSState(w=zeros, acc=list(zeros), t=0, output=list(zeros))
        return PGSState(w=zeros, acc=list(zeros), t=0)

    def advance(self, problem: Problem, state: PGSState, choice: tuple[int, ...]) -> None:
        keep, A_t = self.split(choice)                                                      # PGS line 4
        self.record(state, keep)                                                            # PGS line 9
        sub_t = self.subgradient(problem, A_t, state.w)                                     # PGS lines 5, 6
        state.acc = [acc_j - sub_j for acc_j, sub_j in zip(state.acc, sub_t)]               # PGS line 7
        state.t += 1
        state.w = problem.regularizer.gradient_conjugate([acc_j / (state.t + 1) for acc_j in state.acc])  # PGS line 8

    def subgradient(self, problem: Problem, A_t: Sequence[int], w: Vector) -> Vector:
        """(1/|A_t|) sum_{i in A_t} phi_i'(x_i^T w) x_i, shape (d,): of the loss on all of R^d, also on the
        sphere of S.
        """
        sub_t = [problem.zero] * problem.d
        for i in A_t:
            slope = problem.loss.derivative(problem.dot(problem.rows[i], w), problem.y[i]) / len(A_t)
            for j, x in problem.rows[i]:
                sub_t[j] = sub_t[j] + slope * x
        return sub_t

    def record(self, state: Any, keep: int) -> None:
        """w_{t-1} goes into the output."""
        if self.output == "average":
            state.total = [total_j + w_j for total_j, w_j in zip(state.total, state.w)]
        elif keep:
            state.output = list(state.w)

    def w_of(self, problem: Problem, state: Any) -> Vector:
        if self.output == "last" or state.t == 0:
            return list(state.w)
        return [total_j / state.t for total_j in state.total] if self.output == "average" else list(state.output)
