"""AdaSPDC: adaptive stochastic primal-dual coordinate descent (Zhu and Storkey, ECML PKDD 2015), and its repair.

Problem    min_w max_alpha f(w, alpha) with block duals (``block``; rows are blocks of one column); gamma > 0; L2 or
elastic net. Method     Algorithm 1: m random blocks a step, each with a dual step size from its own norm; then w, with
a primal step size from the largest norm in the sample, extrapolated. The output is the last iterate.

======= =========== ===== ===============================================================
symbol  in code     shape meaning
======= =========== ===== ===============================================================
x, x_-  w, w_bar    (d,)  primal iterate and its extrapolation, w_bar^0 = w^0
y_i     alpha[i]    q_i   dual iterate
r       u           (d,)  (1/n) sum_i A_i alpha_i at every step
R_i     R[i]              >= ||A_i||_2; R without index is their maximum
sigma_i sigma             dual step: phi_i* is prox-ed with q = 1/sigma_i
======= =========== ===== ===============================================================

With c = sqrt(n lam/(m gamma)), k = sqrt(n/(m lam gamma)) and R^t the largest R_i of the sample S_t:

                (10) sigma_i      (12) tau        (15) theta
    adaspdc     c/(2 R_i)         1/(2 R^t c)     1 - 1/(n/m + R^t k)
    adaspdc-r   "a": c/(2 R_i)    1/(2 R c)       1 - 1/(n/m + R k)
                "b": R c/(2 R_i^2)

``adaspdc`` is the published method. Its Theorem 1 is false where R^t varies, and the method can diverge: matrix (17)
couples tau^t with the sigma_i of the same sample, while the extrapolation couples tau^(t-1) with those of the next.
Where R^t is constant the two methods are one.

Guarantee of ``adaspdc-r`` (ours). Let 4 tau sigma_i R_i^2 <= 1 for all i and, as above, 1 > theta >= 1/(1 + 2 tau lam)
and theta >= 1 - (m/n) 2 sigma_i gamma/(1 + 2 sigma_i gamma). Then with nu_i = (1/(4 sigma_i) + gamma)/m and
nu'_i = (1/(2 sigma_i) + gamma)/m

    (1/(2 tau) + lam) E||w^T - w*||^2 + sum_i nu_i E||alpha_i^T - alpha_i*||^2
        <= theta^T ((1/(2 tau) + lam)||w^0 - w*||^2 + sum_i nu'_i ||alpha_i^0 - alpha_i*||^2).

The proof in short is in docs/adaspdc.md, "The proof of the guarantee of adaspdc-r".
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from dualgap.reference.methods.base import HypothesisViolated, Method, State
from dualgap.reference.methods.pdcp import require_strong, starting_point
from dualgap.reference.methods.registry import register_method
from dualgap.reference.methods.sampling import SAMPLINGS, Choices, batches, draw_batches, require_batches
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, maximum, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_integer, require_one_of


class Parameters(NamedTuple):
    """The constants of a run: R_i, shape (n,), their maximum, and c of (10) and (12)."""

    R: Vector
    R_max: Number
    c: Number


class AdaSPDCState(State):
    """w, w_bar and u, shape (d,), and alpha, n values."""

    __slots__ = ("w", "w_bar", "u", "alpha")
    w: Vector
    w_bar: Vector
    u: Vector
    alpha: Vector


@register_method
class AdaSPDC(Method[AdaSPDCState]):
    """Algorithm 1 as published, with phi_i* in (9), where phi_i is printed. A choice is a list of m indices.

    Parameters
    ----------
    m : 1 <= m <= n, blocks a step.
    sampling : "subset" (uniform m-subsets; the paper fixes P(i in S) = m/n alone), "systematic" or "partition"; see
        ``draw_batches``.
    norms : n upper bounds of the ||A_i||_2; default ``problem.norms``. Exact runs need rational ones.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[3, 4], [1, 0], [0, 2]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> w, alpha = AdaSPDC().view(p, AdaSPDC().run(p, [[0], [1]]))
    >>> [str(w_j) for w_j in w], [str(alpha_i) for alpha_i in alpha]
    (['-423/4774', '28/341'], ['-1/11', '239/682', '0'])
    """

    name = "adaspdc"
    summary = "AdaSPDC, Algorithm 1, as published; it can diverge"
    drawn_options = {"sampling": SAMPLINGS[:3]}
    vectors_kept = (17, 34)
    orders = ("uniform",)
    command_line = {"batch": "m", "sampling": "sampling"}

    def __init__(self, m: int = 1, sampling: str = "subset", norms: Sequence[NumberLike] | None = None) -> None:
        require_integer("m", m, 1)
        if sampling not in SAMPLINGS[:3]:
            raise ValueError(
                f"sampling must be one of {', '.join(SAMPLINGS[:3])} (got {sampling!r}); with replacement P(i in S) "
                "is not m/n"
            )
        self.m, self.sampling, self.norms = m, sampling, norms
        self._known: tuple[Problem | None, Parameters | None] = (None, None)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """gamma > 0, m <= n and every R_i > 0; in mode sharp the true hypothesis of Theorem 1 as well: a
        constant R^t.
        """
        super().require(problem, mode, R2)
        require_strong(problem, self.name)
        require_batches(self.sampling, problem.n, self.m)
        parameters = self.parameters(problem)
        if mode == "sharp" and parameters is not None and not self.constant(problem):
            raise HypothesisViolated(
                "method adaspdc converges as its Theorem 1 says only where the largest norm of a sample is always the same, and "
                f"here it varies (instability index {instability(problem, parameters.R)}). Use method adaspdc-r, or mode paper"
            )

    def notes(self, problem: Problem) -> list[str]:
        """A warning with the instability index if the largest norm in a sample varies from sample to sample; otherwise
        nothing.
        """
        parameters = self.parameters(problem)
        if parameters is None or self.constant(problem):
            return []
        return [
            f"Instability index I = {shown(instability(problem, parameters.R))} (1: equal norms). The published adaspdc can "
            "diverge where norms differ, on orthogonal rows in mean square from I = 7/4 on; adaspdc-r has a proof for all norms."
        ]

    def constant(self, problem: Problem) -> bool:
        """Return whether more than n - m blocks have the largest norm, so that every sample holds one: Theorem 1 is
        then true.
        """
        parameters = self.parameters(problem)
        return parameters is None or sum(bool(R_i == parameters.R_max) for R_i in parameters.R) > problem.n - self.m

    # -- parameters ---------------------------------------------------------------------------------------------------

    def parameters(self, problem: Problem, norms: Vector | None = None) -> Parameters | None:
        """The constants for a problem, or None where all blocks are zero (repaired method); norms may be handed in."""
        if self._known[0] is not problem:
            self._known = (problem, self.make_parameters(problem, self.radii(problem) if norms is None else norms))
        found: Parameters | None = self._known[1]
        return found

    def radii(self, problem: Problem) -> Vector:
        """R_i >= ||A_i||_2, shape (n,): those given, checked, or the problem's."""
        if self.norms is None:
            return problem.norms
        if len(self.norms) != problem.n:
            raise ValueError(f"norms must have one entry for each of the {problem.n} blocks (got {len(self.norms)})")
        R = [convert(R_i, problem.number, f"norms[{i}]") for i, R_i in enumerate(self.norms)]
        for i, R_i in enumerate(R):
            if not problem.admits(i, R_i):
                raise HypothesisViolated(f"norms[{i}] must be at least ||A_{i}||_2, and {R_i} is smaller")
        return R

    def make_parameters(self, problem: Problem, R: Vector) -> Parameters | None:
        """c and the R_i, which must all be > 0."""
        for i, R_i in enumerate(R):
            if R_i == 0:
                raise HypothesisViolated(
                    f"method adaspdc divides by the norm of every block, (10), but A_{i} = 0. Remove the block, or use adaspdc-r"
                )
        parameters = Parameters(R, largest(R), sqrt(problem.n * problem.regularizer.modulus / (self.m * problem.gamma)))
        if problem.number is float:
            # raises where a step is beyond the doubles: here, not in the middle of a run
            self.from_radius(problem, parameters, min(R))
        return parameters

    def sigma(self, parameters: Parameters, i: int) -> Number:
        """The dual step of block i."""
        return parameters.c / (2 * parameters.R[i])                                          # AdaSPDC (10)

    def tau_theta(self, problem: Problem, parameters: Parameters, S: tuple[int, ...]) -> tuple[Number, Number]:
        """The primal step and the extrapolation after the sample S."""
        return self.from_radius(problem, parameters, largest([parameters.R[i] for i in S]))

    def from_radius(self, problem: Problem, parameters: Parameters, R: Number) -> tuple[Number, Number]:
        """(12) and (15); k = n/(m gamma c)."""
        tau = 1 / (2 * R * parameters.c)                                                     # AdaSPDC (12)
        n_over_m = convert(problem.n, problem.number) / self.m
        theta = 1 - 1 / (n_over_m + R * problem.n / (self.m * problem.gamma * parameters.c))  # AdaSPDC (15)
        return tau, theta

    # -- the algorithm ------------------------------------------------------------------------------------------------

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> AdaSPDCState:
        """alpha in the domain of phi* (default 0) and w, shape (d,) (default w(alpha), which is 0 for alpha = 0)."""
        self.require_family(problem)
        require_strong(problem, self.name)
        w, u, alpha = starting_point(problem, alpha, w, self.parameters(problem) is None)     # AdaSPDC line 2
        return AdaSPDCState(w=w, w_bar=list(w), u=u, alpha=alpha)

    def choices(self, problem: Problem, state: AdaSPDCState | None) -> list[tuple[tuple[int, ...], Fraction]]:
        return list(batches(self.sampling, problem.n, self.m))

    def width(self, problem: Problem) -> int | None:
        return self.m

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Choices:
        return draw_batches(self.sampling, problem.n, self.m, seed, epoch)

    def advance(self, problem: Problem, state: AdaSPDCState, choice: tuple[int, ...]) -> None:
        parameters = self.parameters(problem)
        if parameters is None:
            return
        S = choice                                                                            # AdaSPDC line 4
        tau, theta = self.tau_theta(problem, parameters, S)                                   # AdaSPDC line 5
        new = [self.dual_step(problem, state, parameters, i) for i in S]                      # AdaSPDC lines 6-7, (9)
        direction = state.u
        for i, alpha_i in zip(S, new):
            direction = problem.moved(direction, i, alpha_i, state.alpha[i], self.m)
            state.u = problem.moved(state.u, i, alpha_i, state.alpha[i], problem.n)           # AdaSPDC line 11, (13)
            state.alpha[i] = alpha_i                                                          # AdaSPDC line 7
        w = self.primal_step(problem, state, direction, tau)                                  # AdaSPDC line 9, (11)
        state.w_bar = [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, state.w)]         # AdaSPDC line 10, (14)
        state.w = w

    def dual_step(self, problem: Problem, state: AdaSPDCState, parameters: Parameters, i: int) -> Number:
        """(9): argmin_a phi_i*(a) - <a, A_i^T w_bar> + ||a - alpha_i||^2/(2 sigma_i)."""
        z = problem.dot(problem.rows[i], state.w_bar)
        return problem.loss.dual_step(z, state.alpha[i], problem.y[i], 1 / self.sigma(parameters, i))

    def primal_step(self, problem: Problem, state: AdaSPDCState, direction: Vector, tau: Number) -> Vector:
        """(11): argmin_w g(w) + <direction, w> + ||w - w^t||^2/(2 tau)."""
        return problem.regularizer.prox([w_j - tau * v_j for w_j, v_j in zip(state.w, direction)], tau)

    def view(self, problem: Problem, state: AdaSPDCState) -> tuple[Vector, Vector]:
        return list(state.w), list(state.alpha)


@register_method
class AdaSPDCR(AdaSPDC):
    """AdaSPDC with tau and theta of R = max_i R_i in every step; all norms, zero included.

    Parameters
    ----------
    preset : "a", the paper's sigma_i, or "b", the largest sigma_i of the theorem, 1/(4 tau R_i^2).
    floor : in (0, 1]; R_i below floor R count as floor R in sigma_i, because of blocks of norm 0.
    others : as for ``AdaSPDC``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[3, 4], [1, 0], [0, 2]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> [str(w_j) for w_j in AdaSPDCR().run(p, [[0], [1]]).w]
    ['9/21142', '44/961']
    """

    name = "adaspdc-r"
    summary = "AdaSPDC, repaired: one primal step size, from the largest row norm"
    drawn_options = {"preset": ("a", "b"), "floor": ("1/1000", 0.5), "sampling": SAMPLINGS[:3]}

    def __init__(self, m: int = 1, sampling: str = "subset", norms: Sequence[NumberLike] | None = None, preset: str = "a", floor: NumberLike = "1/1000") -> None:
        super().__init__(m=m, sampling=sampling, norms=norms)
        require_one_of("preset", preset, ("a", "b"))
        self.preset, self.floor = preset, convert(floor, Fraction, "floor")
        if not 0 < self.floor <= 1:
            raise ValueError(f"floor must lie in (0, 1] (got {floor!r})")

    def notes(self, problem: Problem) -> list[str]:
        """Nothing to warn of."""
        return []

    def constant(self, problem: Problem) -> bool:
        """tau and theta are constant by construction."""
        return True

    def make_parameters(self, problem: Problem, R: Vector) -> Parameters | None:
        """c, and the R_i, raised to floor R at least; None if all are zero."""
        R_max = largest(R)
        if R_max == 0:
            return None
        least = convert(self.floor, problem.number) * R_max
        return super().make_parameters(problem, [maximum(R_i, least) for R_i in R])

    def sigma(self, parameters: Parameters, i: int) -> Number:
        """The dual step of block i: (10), or 1/(4 tau R_i^2)."""
        if self.preset == "a":
            return super().sigma(parameters, i)
        return parameters.R_max * parameters.c / (2 * parameters.R[i] * parameters.R[i])

    def tau_theta(self, problem: Problem, parameters: Parameters, S: tuple[int, ...]) -> tuple[Number, Number]:
        return self.from_radius(problem, parameters, parameters.R_max)


def largest(values: Vector) -> Number:
    """The maximum of a list that is not empty.

    >>> largest([1, 3, 2])
    3
    """
    found = values[0]
    for value in values:
        found = maximum(found, value)
    return found


def shown(value: Number) -> str:
    """A number to three digits, for a sentence.

    >>> shown(Fraction(17, 6))
    '2.83'
    """
    return f"{float(value.midpoint() if isinstance(value, Interval) else value):.3g}"


def instability(problem: Problem, norms: Vector | None = None) -> Number:
    """The instability index I = R (1/n) sum_i 1/R_i >= 1, with R = max_i R_i; 1 where all norms are equal.

    A warning, not a proof: on orthogonal rows of which one is heavy, for many rows and small lam, the published AdaSPDC
    loses stability in mean square at I = 7/4, and almost surely near 3.9; other data tolerate more. ValueError for R_i
    = 0.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> instability(Problem([[3, 4], [1, 0], [0, 2]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction))
    Fraction(17, 6)
    """
    R = problem.norms if norms is None else norms
    total = problem.zero
    for i, R_i in enumerate(R):
        if R_i == 0:
            raise ValueError(f"the instability index divides by the norm of every block, but A_{i} = 0; remove the block")
        total = total + 1 / R_i
    return largest(R) * total / problem.n
