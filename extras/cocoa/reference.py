"""CoCoA+: dual coordinate ascent on K workers, each with its own rows, that exchange d numbers a round.

Problem    max_alpha D(alpha), see ``problem``; any loss; L2 or elastic net; the rows in K parts P_1, .., P_K.
Papers     Ma, Smith, Jaggi, Jordan, Richtarik and Takac, Adding vs. Averaging in Distributed Primal-Dual Optimization,
           ICML 2015 (CoCoA+); Jaggi et al., Communication-Efficient Distributed Dual Coordinate Ascent, NIPS 2014
           (CoCoA: aggregation "averaging").
Local      G_k(Delta) = -(1/n) sum_{i in P_k} phi_i*(alpha_i + Delta_i) - (1/sigma') [g*(-u + sigma' e) - g*(-u)] -
           g*(-u)/K, e = -(1/n) sum_{i in P_k} Delta_i x_i, which for L2 is the papers' with (sigma' lam/2) ||e/lam||^2.
           H steps of SDCA on G_k are SDCA's with n lam/sigma' instead of n lam.
Guarantee  sigma' >= aggregation K: D never decreases (claim ``cocoa.monotone``). With local steps that leave in
           expectation at most a share Theta of G_k(Delta*) - G_k(0), L2, and a = aggregation (1 - Theta):
           smooth     E[D* - D_t] <= (1 - a s)^t (D* - D_0),  s = lam gamma n/(lam gamma n + sigma_max sigma')
           Lipschitz  E[D* - D_t] <= B/(1 + a (t - t0)/2) for t >= t0, if that holds at t0,
                      B = 4 L^2 sigma sigma'/(lam n^2)
           sigma_k = max ||sum_{i in P_k} a_i x_i||^2/||a||^2, sigma_max the largest, sigma = sum_k sigma_k |P_k|.

======= =========== ======= ==================================================================
symbol  in code     shape   meaning
======= =========== ======= ==================================================================
w       state.v     (d,)    w = v for L2; w_j = soft(v_j, l1/mu) else
alpha   alpha       (n,)    dual iterate; worker k keeps the part of its rows
P_k     ends        (K,)    part k ends before row ends[k]; it begins where the part before it ends
gamma   aggregation         in (0, 1]: 1 adds the workers' changes, 1/K averages them
sigma'  sigma               > 0; default aggregation K
H       H                   local steps of a round; default as many as the part has rows
u_k     v_k         (d,)    what worker k sees: v + sigma' times its own change of v
1/mu    gamma               phi_i is (1/gamma)-smooth: the papers' mu is our gamma, their gamma our aggregation
======= =========== ======= ==================================================================

Signs. alpha here is minus the papers', as in ``sdca``.

One choice is a round: the rows of all workers' steps in one list; a worker makes the steps of its own rows, in their
order. The papers' line w <- w + gamma sum_k dw_k, dw_k = (v_k - v)/sigma', is the combination (1 - aggregation
K/sigma') v + (aggregation/sigma') sum_k v_k: for sigma' = aggregation K, adding and averaging alike, the mean of the
v_k. So computed, K = 1 is SDCA to the last bit, and what a worker sends are the d numbers v_k.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, product
from typing import ClassVar, NamedTuple

from dualgap.reference.methods import sampling
from dualgap.reference.methods.base import DualMethod, DualState, HypothesisViolated
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert
from dualgap.reference.problem.problem import Problem, Vector

AGGREGATIONS = ("adding", "averaging")


class Constants(NamedTuple):
    """The constants of a run, in the problem's number: gamma, sigma', and for ``combined`` 1 - gamma K/sigma' and
    sigma'/gamma."""

    weight: Number
    spread: Number
    rest: Number
    divisor: Number


@register_method
class CoCoA(DualMethod):
    """Algorithm 1 of both papers, the local solver being SDCA.

    Parameters
    ----------
    parts : K >= 1, parts of consecutive rows whose sizes differ by one at most; or where each of them ends, ascending,
        the last at n. A part may be empty.
    H : local steps of a round, >= 1; None: as many as the part has rows, so that a round is a pass.
    aggregation : "adding" (1), "averaging" (1/K), or a number in (0, 1].
    sigma : sigma' > 0; None: aggregation K, the least that is safe whatever the rows are.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> cocoa = CoCoA(parts=[1, 3])
    >>> w, alpha = cocoa.view(p, cocoa.run(p, [(0, 1, 2), (0, 2, 1)]))
    >>> [str(a) for a in alpha], w == p.w(alpha)
    (['-23/45', '19/75', '-1/3'], True)
    """

    name = "cocoa"
    summary = "CoCoA and CoCoA+: SDCA on parts of the data, on one or many machines"
    drawn_options: ClassVar[dict[str, tuple[object, ...]]] = {
        "parts": (2, 1, 3),
        "H": (None, 1, 2),
        "aggregation": ("adding", "averaging", 0.5),
        "sigma": (None, 4),
    }
    orders: tuple[str, ...] = ("uniform", "permuted")  # type: ignore[misc]

    def __init__(
        self,
        parts: int | Sequence[int] = 2,
        H: int | None = None,
        aggregation: NumberLike = "adding",
        sigma: NumberLike | None = None,
    ) -> None:
        if H is not None and not (isinstance(H, int) and not isinstance(H, bool) and H >= 1):
            raise ValueError(
                f"H must be an integer >= 1 (got {H!r}); leave it out for as many local steps as a part has rows"
            )
        if aggregation not in AGGREGATIONS and not 0 < convert(aggregation, Fraction, "aggregation") <= 1:
            raise ValueError(
                f"aggregation must be {' or '.join(AGGREGATIONS)}, or a number in (0, 1] (got {aggregation!r})"
            )
        if sigma is not None and not convert(sigma, Fraction, "sigma") > 0:
            raise ValueError(f"sigma must be > 0 (got {sigma!r}); leave it out for aggregation K, which is safe")
        self.parts, self.H, self.aggregation, self.sigma = _require_parts(parts), H, aggregation, sigma
        if H is not None:
            self.orders = ("uniform",)

    # -- the constants -------------------------------------------------------------------------------------------------

    @property
    def K(self) -> int:
        """Return the number of parts."""
        return self.parts if isinstance(self.parts, int) else len(self.parts)

    @property
    def weight(self) -> Fraction:
        """The papers' gamma: aggregation as a number."""
        if self.aggregation in AGGREGATIONS:
            return Fraction(1) if self.aggregation == "adding" else Fraction(1, self.K)
        weight: Fraction = convert(self.aggregation, Fraction, "aggregation")
        return weight

    @property
    def spread(self) -> Fraction:
        """The papers' sigma'."""
        return self.weight * self.K if self.sigma is None else convert(self.sigma, Fraction, "sigma")

    def ends(self, n: int) -> list[int]:
        """Return the ends of the parts of n rows; the last is n."""
        if isinstance(self.parts, int):
            return [n * (k + 1) // self.parts for k in range(self.parts)]
        if self.parts[-1] != n:
            raise ValueError(f"parts must end at the number of rows, {n} (got {list(self.parts)})")
        return list(self.parts)

    def ranges(self, problem: Problem) -> list[range]:
        """The rows of each part."""
        ends = self.ends(problem.n)
        return [range(begin, end) for begin, end in zip([0, *ends], ends)]

    def local_steps(self, size: int) -> int:
        """Local steps of a round on a part of that many rows."""
        return size if self.H is None or size == 0 else self.H

    # -- hypotheses ----------------------------------------------------------------------------------------------------

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """sigma' >= aggregation K; in mode sharp, for L2, sigma' (1 + 1/H) >= aggregation K: D never decreases."""
        super().require(problem, mode, R2)
        least = self.weight * self.K
        if mode == "sharp" and problem.regularizer.threshold == 0:
            steps = max(self.local_steps(len(part)) for part in self.ranges(problem))
            least = least * steps / (steps + 1)
        if mode != "unchecked" and self.spread < least:
            raise HypothesisViolated(
                f"sigma = {float(self.spread):g} is below {float(least):g}: the workers' steps together may be too"
                " long, and the run may diverge. Leave sigma out (aggregation K), average, or say mode='unchecked'"
            )

    # -- the rows of a round -------------------------------------------------------------------------------------------

    def choices(self, problem: Problem, state: DualState) -> list[tuple[tuple[int, ...], Fraction]]:
        """Every list of local rows, all of one probability: each worker draws each of its steps uniformly."""
        steps = [part for part in self.ranges(problem) for _ in range(self.local_steps(len(part)))]
        lists = list(product(*steps))
        return [(choice, Fraction(1, len(lists))) for choice in lists]

    def width(self, problem: Problem) -> int:
        return sum(self.local_steps(len(part)) for part in self.ranges(problem))

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> sampling.Choices:
        """Rounds of one pass, shape (rounds, width): worker k draws its own rows by (order, seed, epoch, k)."""
        import numpy as np

        self.require_order(order)
        rounds = 1 if self.H is None else sampling.steps_of_pass(problem.n, self.width(problem), epoch)
        drawn = [
            self.draw_part(order, len(part), rounds, seed, epoch, k) + part.start
            for k, part in enumerate(self.ranges(problem))
            if part
        ]
        return np.concatenate(drawn, axis=1)

    def draw_part(
        self, order: str, size: int, rounds: int, seed: int, epoch: int, k: int, ends: Sequence[int] | None = None
    ) -> sampling.Choices:
        """Return the draws of worker k for a pass, an int64 array of shape (rounds, steps) with entries in
        0..size-1."""
        if order == "uniform":
            return sampling.draw_local(size, rounds, self.local_steps(size), seed, epoch, k)
        return sampling.draw(order, size, seed, epoch, ends, stream=k).reshape(1, size)

    def require_order(self, order: str) -> None:
        """Raise ValueError for an order other than "uniform" where H is given."""
        if self.H is not None and order != "uniform":
            raise ValueError(
                f"order {order} needs whole local passes: leave H out (got H = {self.H}), or take order uniform"
            )

    # -- a round -------------------------------------------------------------------------------------------------------

    def advance(self, problem: Problem, state: DualState, choice: Sequence[int]) -> None:
        constants, alpha, total = self.constants(problem), list(state.alpha), [problem.zero] * problem.d
        local = problem.scale / constants.spread
        for part in self.ranges(problem):  # CoCoA+ line 3
            v_k = list(state.v)
            self.solve_locally(problem, local, v_k, alpha, [i for i in choice if i in part])  # CoCoA+ line 4
            total = [t + v for t, v in zip(total, v_k)]
        state.alpha = [self.aggregated(constants, *pair) for pair in zip(state.alpha, alpha)]  # CoCoA+ line 5
        state.v = [self.combined(problem, constants, *pair) for pair in zip(state.v, total)]  # CoCoA+ line 8

    def solve_locally(self, problem: Problem, local: Number, v: Vector, alpha: Vector, rows: list[int]) -> None:
        """Steps of SDCA on G_k, in place, with ``local`` = mu n/sigma' instead of mu n."""
        for i in rows:
            z, q = problem.inner(i, v), problem.norms2[i] / local
            alpha_i = problem.loss.dual_step(z, alpha[i], problem.y[i], q)
            c = (alpha_i - alpha[i]) / local
            alpha[i] = alpha_i
            for j, x in problem.rows[i]:
                v[j] = v[j] - c * x

    def constants(self, problem: Problem) -> Constants:
        """Gamma, sigma' and what follows from them, each exact and then rounded once."""
        weight, spread = self.weight, self.spread
        exact = (weight, spread, 1 - weight * self.K / spread, spread / weight)
        return Constants(*(convert(value, problem.number) for value in exact))

    def aggregated(self, constants: Constants, old: Number, new: Number) -> Number:
        """alpha_i + gamma (the worker's alpha_i - alpha_i)."""
        return new if constants.weight == 1 else old + constants.weight * (new - old)

    def combined(self, problem: Problem, constants: Constants, v_j: Number, total_j: Number) -> Number:
        """v_j + (gamma/sigma') sum_k (v_kj - v_j), from the sum of the v_kj."""
        return problem.zero + total_j / constants.divisor + constants.rest * v_j


def _require_parts(parts: object) -> int | tuple[int, ...]:
    """K, or the ends of the parts, checked."""
    if isinstance(parts, int) and not isinstance(parts, bool):
        if parts < 1:
            raise ValueError(f"parts must be an integer >= 1, or a list of ends (got {parts})")
        return parts
    ends = getattr(parts, "tolist", lambda: parts)()
    if not isinstance(ends, (list, tuple)) or not ends or not all(isinstance(end, int) and end >= 0 for end in ends):
        raise ValueError(f"parts must be an integer >= 1, or a list of ends, integers >= 0 (got {parts!r})")
    if list(accumulate(ends, max)) != list(ends):
        raise ValueError(f"the ends of the parts must not descend (got {list(ends)})")
    return tuple(ends)
