"""SDCA: stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, JMLR 2013).

Problem    max_alpha D(alpha), see ``problem``; any loss of ``losses`` (gamma = 0 included).
Guarantee  any lam > 0, uniform order, R = max ||x_i||:
           smooth      E[D* - D_t] <= (1 - 1/K)^t (D* - D_0),  K = n + R^2/(lam gamma)          (Theorem 2)
           Lipschitz   E[D* - D_t] <= 8 L^2 R^2/(lam (2n + t - t_0)) for t >= t_0               (Theorem 1)
           both from Lemma 1; D never decreases on any path, P and the gap may rise.

====== ======== ===== =========================================
symbol in code  shape meaning
====== ======== ===== =========================================
w      state.v  (d,)  w = v for L2; w_j = soft(v_j, l1/mu) else
alpha  alpha    (n,)  dual iterate
q_i    q              ||x_i||^2 / (mu n)
====== ======== ===== =========================================

With L2 the step maximises D exactly over coordinate i. With l1 it is the Prox-SDCA step, which maximises a
lower bound of D. Choices: one index a step; a permuted pass (SDCA-Perm) is the same step over a permutation.

Signs. alpha here is minus the alpha of the paper and of the slides on it (J. Liu, 2017):

==================================== ==============================================
=====================================
quantity                             paper and slides                               here
==================================== ==============================================
=====================================
dual variable                        alpha_i ~ -phi_i'(x_i^T w)                     alpha_i ~ +phi_i'(x_i^T w)
conjugate term of D                  -phi_i*(-alpha_i)                              -phi_i*(alpha_i)
w(alpha), L2                         +(1/(lam n)) sum_i alpha_i x_i                 -(1/(lam n)) sum_i alpha_i x_i
line 4                               argmax_D -phi_i*(-(alpha_i + D)) - D z         argmin_a phi_i*(a) - a z
                                     - (q/2) D^2                                    + (q/2) (a - alpha_i)^2
line 6                               w + (Delta/(lam n)) x_i                        w - (Delta/(lam n)) x_i
u_i of Lemma 1                       -phi_i'(x_i^T w)                               +phi_i'(x_i^T w)
==================================== ==============================================
=====================================

The slides derive the dual from the Lagrangian with sum_i alpha_i (y^T x_i - z_i), which is our sign, and print the
paper's: their D belongs to sum_i alpha_i (z_i - y^T x_i).
"""

from fractions import Fraction
from typing import Any

from dualgap.reference.methods.base import DualMethod, DualState
from dualgap.reference.methods.registry import register_method
from dualgap.reference.methods.sampling import Choices, keeps
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_integer, require_within


@register_method
class SDCA(DualMethod):
    """Procedure SDCA, lines 3 to 6 (counted by us: the slides number none); the output is the last iterate.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> state = SDCA().run(p, [0, 1, 2, 0])
    >>> p.gap(*SDCA().view(p, state))
    Fraction(0, 1)
    """

    name = "sdca"
    summary = "stochastic dual coordinate ascent; the output is the last iterate"
    families = ("quadratic", "general", "non-negative")

    def advance(self, problem: Problem, state: DualState, choice: int) -> None:
        i = choice                                                                          # SDCA line 3
        z = problem.inner(i, state.v)
        q = problem.norms2[i] / problem.scale
        alpha_i = problem.loss.dual_step(z, state.alpha[i], problem.y[i], q)                # SDCA line 4
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i                                                            # SDCA line 5
        problem.update(i, delta, state.v)                                                   # SDCA line 6


class _Output(SDCA):
    """SDCA whose view is made of the states T0 .. T-1: those before the updates t = T0+1 .. T.

    Up to t = T0 there is no such state, and the view is the current iterate.
    """

    def __init__(self, T0: int = 0) -> None:
        require_integer("T0", T0, 0)
        self.T0 = T0

    def alpha_of(self, state: Any) -> Vector:
        """The output alpha, shape (n,), for t > T0."""
        raise NotImplementedError

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        if state.t <= self.T0:
            return super().view(problem, state)
        alpha = self.alpha_of(state)
        return problem.w(alpha), alpha


class AveragedState(DualState):
    """A DualState with t, the number of updates made, and what the average needs.

    alpha_i has its present value since state number since[i]; total[i] is the sum of alpha_i over the states
    T0 .. since[i]-1.
    """

    __slots__ = ("t", "total", "since")
    t: int
    total: Vector
    since: list[int]


@register_method
class AveragedSDCA(_Output):
    """Output option "averaging": alpha_bar = (1/(T - T0)) sum_{t = T0+1..T} alpha^(t-1), and w_bar = w(alpha_bar).

    O(1) a step: alpha_i is added up when it changes, times the number of states that it stood in. With L2 w_bar is
    the average of the w^(t-1) too, because w(alpha) is linear.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> averaged = AveragedSDCA(T0=2)
    >>> w, alpha = averaged.view(p, averaged.run(p, [0, 1, 2, 0, 1]))
    >>> [str(a) for a in alpha], [str(w_j) for w_j in w]
    (['-7/12', '1/2', '-1/6'], ['1/12', '-2/3'])
    """

    name = "sdca-averaged"
    summary = "SDCA that returns the average of its last iterates"
    drawn_options = {"T0": (0, 1, 3)}
    vectors_kept = (17, 25)

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        start = super().init(problem, alpha)
        return AveragedState(v=start.v, alpha=start.alpha, t=0, total=[problem.zero] * problem.n, since=[0] * problem.n)

    def advance(self, problem: Problem, state: Any, choice: int) -> None:
        i = choice
        state.total[i] = self.sum_of(state, i, state.t + 1)                                 # SDCA line 7
        state.since[i] = state.t + 1
        super().advance(problem, state, i)
        state.t += 1

    def require_state(self, problem: Problem, state: AveragedState) -> None:
        require_within("since", state.since, 0, state.t)

    def sum_of(self, state: AveragedState, i: int, end: int) -> Number:
        """The sum of alpha_i over the states T0 .. end-1."""
        first = state.since[i] if state.since[i] > self.T0 else self.T0
        count = end - first if end > first else 0
        return state.total[i] + count * state.alpha[i]

    def alpha_of(self, state: AveragedState) -> Vector:
        return [self.sum_of(state, i, state.t) / (state.t - self.T0) for i in range(len(state.alpha))]


class RandomState(DualState):
    """A DualState with t, the number of updates made, and output, shape (n,): the alpha that is kept."""

    __slots__ = ("t", "output")
    t: int
    output: Vector


@register_method
class RandomSDCA(_Output):
    """Output option "random": alpha^(t-1) for t uniform on T0+1 .. T, w = w(alpha^(t-1)).

    In a run to a T that is known this is plain SDCA stopped after t-1 updates, t drawn beforehand. Here T need not be
    known: update t keeps alpha^(t-1) with probability 1/(t - T0), else what was kept before, so that
    after every update each of the t - T0 candidates is kept with the same probability. A choice is i, or n + i
    where the state is to be kept.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1], [1]], [1, -1], Squared(), L2(1), number=Fraction)
    >>> state = RandomSDCA().run(p, [2])
    >>> [(choice, str(probability)) for choice, probability in RandomSDCA().choices(p, state)]
    [(0, '1/4'), (1, '1/4'), (2, '1/4'), (3, '1/4')]
    """

    name = "sdca-random"
    summary = "SDCA that returns one of its last iterates, drawn at random"
    drawn_options = {"T0": (0, 1, 3)}

    def outcomes(self, problem: Problem) -> int:
        return 2 * problem.n

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Choices:
        return super().draw(problem, order, seed, epoch) + problem.n * keeps(problem.n, self.T0, seed, epoch)

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        start = super().init(problem, alpha)
        return RandomState(v=start.v, alpha=start.alpha, t=0, output=[problem.zero] * problem.n)

    def choices(self, problem: Problem, state: Any) -> list[tuple[int, Fraction]]:
        uniform = super().choices(problem, state)
        if state.t < self.T0:
            return uniform
        keep = Fraction(1, state.t + 1 - self.T0)
        kept = [(problem.n + i, probability * keep) for i, probability in uniform]
        return kept if keep == 1 else [(i, probability * (1 - keep)) for i, probability in uniform] + kept

    def advance(self, problem: Problem, state: Any, choice: int) -> None:
        keep, i = divmod(choice, problem.n)
        if keep:
            state.output = list(state.alpha)                                                # SDCA line 7'
        super().advance(problem, state, i)
        state.t += 1

    def alpha_of(self, state: RandomState) -> Vector:
        return list(state.output)
