"""The lower end: quadratic losses with L2, where a step is linear, evaluated exactly by the reference itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dualgap.extras.sharpen.certificate import (
    REFUTED,
    Matrix,
    Record,
    expected_value,
    growth_refusals,
    mapped,
    second_moments,
    value_of,
)
from dualgap.extras.sharpen.quantities import Task, rounds
from dualgap.extras.sharpen.states import Relations
from dualgap.extras.sharpen.symbols import null_space, solve
from dualgap.reference import L2, Loss, Problem
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.spectral import dominated, gram
from dualgap.reference.problem.validate import Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = type[float] | type[Fraction]
Maps = list[tuple[Fraction, Matrix]]
DENOMINATOR = 10**6  # of an attained rate that is looked for
DIGITS = 10**8  # a rate that is not attained exactly is rounded down to a multiple of 1/DIGITS


@dataclass(frozen=True)
class Instance:
    """Rows of one length and the y_i of ``Quadratic``."""

    rows: tuple[tuple[Number, ...], ...]
    slopes: tuple[Number, ...]


def inner(a: Iterable[Fraction], b: Iterable[Fraction]) -> Fraction:
    """a^T b."""
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


class Quadratic(Loss):
    """phi_i(z) = (y_i/2) z^2 with 0 <= y_i <= 1/gamma, and h_i(a) = a^2/(2 y_i), or for y_i = 0 the point 0 alone."""

    name, margin, adjustable = "quadratic", False, True
    default_gamma = Fraction(1)

    def value(self, z: Number, y: Number) -> Number:
        return y * z * z / 2

    def derivative(self, z: Number, y: Number) -> Number:
        return y * z

    def conjugate(self, alpha: Number, y: Number) -> Number:
        return alpha * alpha / (2 * y) if y else 0 * alpha

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        return y * (z + q * alpha) / (1 + y * q)

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        return self.value(z, y) + self.conjugate(alpha, y) - z * alpha


class Bounded(Problem):
    """A problem of which a method is given ``spectral`` instead of ||X||_2, if there is such a bound."""

    spectral: Number = None

    @property
    def columns(self) -> list[Row]:
        """Columns of a matrix whose spectral norm is the bound."""
        return super().columns if self.spectral is None else [[(0, self.spectral)]]


def _problem(task: Task, instance: Instance, number: Kind) -> Problem:
    """The instance as the method sees it: with its own norms or the bound, as the task says."""
    rows, y = [[number(x) for x in row] for row in instance.rows], [number(y_i) for y_i in instance.slopes]
    problem = Bounded(rows, y, Quadratic(task.gamma), L2(task.lam), number=number)
    R, problem.spectral = number(task.R), task.spectral and number(task.spectral)
    problem.norms = [R] * problem.n
    problem._cached["R2"] = R * R
    if task.norms == "bound":
        problem._cached["norms2"] = [R * R] * problem.n
    return problem


class Steps:
    """The steps of a method on an instance as matrices.

    The coordinates of a state are alpha_i where y_i > 0, then its free primal vectors; of an epoch, the snapshot.
    """

    def __init__(self, task: Task, instance: Instance, follows: Relations, number: Kind = Fraction) -> None:
        self.task, self.instance, self.follows, self.number = task, instance, follows, number
        self.method: Any = task.built()
        self.problem = _problem(task, instance, number)
        self.epoch = task.quantity == "epoch"
        probe = [number(i + 1) for i in range(task.n)]
        lists = {k: v for k, v in self.method.init(self.problem, probe).fields().items() if isinstance(v, list)}
        self.dual = next((name for name, v in lists.items() if v == probe), "")
        self.primal = [name for name, v in lists.items() if name != self.dual and not isinstance(v[0], int)]
        self.free = ["w_tilde"] if self.epoch else [name for name in self.primal if name not in follows]
        self.live = [] if self.epoch else [i for i, y in enumerate(instance.slopes) if y]
        self.size = len(self.live) + len(self.free) * self.problem.d

    def state(self, z: Sequence[Number]) -> Any:
        """The state of the coordinates."""
        d, n, k = self.problem.d, self.problem.n, len(self.live)
        alpha = [self.number(0)] * n
        for i, a in zip(self.live, z):
            alpha[i] = a
        state = self.method.init(self.problem, alpha)
        if self.epoch:
            state.w = list(z)
            return state
        vectors = {"U": [-n * u for u in self.problem.minus_u(alpha)]}
        for name in self.primal:
            if name in self.follows:
                pairs = self.follows[name].items()
                total = [sum((self.number(c) * vectors[o][j] for o, c in pairs), self.number(0)) for j in range(d)]
                vectors[name] = total
            else:
                vectors[name] = list(z[k + self.free.index(name) * d :][:d])
            setattr(state, name, list(vectors[name]))
        return state

    def coordinates(self, state: Any) -> list[Number]:
        """The coordinates of a state."""
        if self.epoch:
            return list(state.w)
        alpha = getattr(state, self.dual)
        return [*(alpha[i] for i in self.live), *(x for name in self.free for x in getattr(state, name))]

    def _reached(self, z: list[Number]) -> list[tuple[Number, list[Number]]]:
        """Probabilities and coordinates after a step, or after a round, in which states with one key are merged."""
        state, steps = self.state(z), rounds(self.task)[0] if self.epoch else 1
        found = {state.key(): (Fraction(1), state)}
        for _ in range(steps):
            merged: dict[object, tuple[Fraction, Any]] = {}
            for p, before in found.values():
                for choice, q in self.method.choices(self.problem, before):
                    after = self.method.step(self.problem, before, choice)
                    key = after.key() if self.epoch else choice
                    merged[key] = (merged[key][0] + p * q if key in merged else p * q, after)
            found = merged
        return [(self.number(p), self.coordinates(state)) for p, state in found.values()]

    @cached_property
    def maps(self) -> Maps:
        """The probability and the matrix of each outcome."""
        images = [self._reached(e) for e in self._units()]
        return [
            (images[0][k][0], [list(row) for row in zip(*(image[k][1] for image in images))])
            for k in range(len(images[0]))
        ]

    @cached_property
    def output(self) -> Matrix:
        """(w, alpha) as a matrix times the coordinates: what V of quantity distance bounds."""
        views = [self.method.view(self.problem, self.state(e)) for e in self._units()]
        return [list(row) for row in zip(*([*w, *alpha] for w, alpha in views))]

    def _units(self) -> list[list[Number]]:
        return [[self.number(int(j == k)) for j in range(self.size)] for k in range(self.size)]

    @cached_property
    def form(self) -> Matrix:
        """The quantity as a quadratic form of the coordinates, by polarization."""

        def value(z: Sequence[Number]) -> Number:
            state = self.state(z)
            if self.epoch:
                return self.problem.P(state.w)
            w, alpha = self.method.view(self.problem, state)
            return -self.problem.D(alpha) if self.task.quantity == "dual" else self.problem.gap(w, alpha)

        unit = self._units()
        at = [value(e) for e in unit]
        both = [[value([x + y for x, y in zip(a, b)]) for b in unit] for a in unit]
        return [[(both[j][k] - at[j] - at[k]) / 2 for k in range(self.size)] for j in range(self.size)]

    def largest(self) -> float:
        """The largest rate of the instance, in floats: of second moments for a distance, else of the quantity."""
        import numpy as np

        if self.task.is_distance:
            Phi = sum(float(p) * np.kron(T, T) for p, T in self._floats())
            return float(np.abs(np.linalg.eigvals(Phi)).max())
        return float(np.linalg.eigvals(self._ratio()).real.max(initial=0.0))

    def _floats(self) -> "list[tuple[Fraction, NDArray[np.float64]]]":
        import numpy as np

        return [(p, np.array(T, float)) for p, T in self.maps]

    def _ratio(self) -> "NDArray[np.floating[Any]]":
        """Q^-1 (sum p T^T Q T)."""
        import numpy as np

        Q = np.array(self.form, float)
        if np.linalg.matrix_rank(Q) < self.size:
            raise ValueError(
                f"quantity {self.task.quantity} of method {self.task.method} is 0 in states that are not the solution:"
                " no rate holds for one step; use quantity distance"
            )
        return np.linalg.solve(Q, sum(float(p) * T.T @ Q @ T for p, T in self._floats()))

    # -- exact ---------------------------------------------------------------------------------------------------------

    def worst(self, rate: Fraction) -> list[list[Fraction]] | None:
        """States in which exactly this rate is attained: all directions of them. None if the rate is not attained."""
        if self.task.is_distance:
            M = self.moments(rate)
            return None if M is None else [row for row in M if any(row)]
        images = mapped([(p, [list(column) for column in zip(*T)]) for p, T in self.maps], self.form)
        excess = [[a - rate * q for a, q in zip(row, row_of_Q)] for row, row_of_Q in zip(images, self.form)]
        return null_space(excess) or None

    def moments(self, rate: Fraction) -> Matrix | None:
        """M = the projection of the unit matrix onto the second moments that grow like rate^t; None if there are none.

        It is positive semidefinite and of maximal rank if rate is the largest eigenvalue and has no Jordan block.
        """
        size = self.size
        Phi = second_moments(self.maps, size)
        shifted = [[x - rate * (i == j) for j, x in enumerate(row)] for i, row in enumerate(Phi)]
        right = null_space(shifted)
        left = null_space([list(column) for column in zip(*shifted)]) if right else []
        places = [(i, j) for i in range(size) for j in range(i, size)]
        unit = [Fraction(int(i == j)) for i, j in places]
        weights = solve([[*(inner(v, u) for u in right), inner(v, unit)] for v in left], len(right)) if right else None
        if weights is None:
            return None
        flat = [inner(weights, column) for column in zip(*right)]
        at = dict(zip(places, flat))
        return [[at[min(i, j), max(i, j)] for j in range(size)] for i in range(size)]

    def refutation(self, rate: Fraction, shown: str, **proof: object) -> Record:
        """The record of kind ``REFUTED`` with its verification pending."""
        facts = {"rows": [list(map(Fraction, row)) for row in self.instance.rows], "slopes": list(self.instance.slopes)}
        head = {"schema": 1, "kind": REFUTED, "task": self.task.to_json(), "rate": rate}
        return {**head, **facts, "maps": self.maps, "shows": shown, **proof}

    def refuted(self) -> Record:
        """The largest rate that this instance refutes, exactly."""
        import numpy as np

        largest = self.largest()
        rate = Fraction(largest).limit_denominator(DENOMINATOR)
        if abs(float(rate) - largest) < 1e-9 and (states := self.worst(rate)):
            if not self.task.is_distance:
                return self.refutation(rate, "point", form=self.form, point=states[0])
            record = self.refutation(rate, "moments", moments=self.moments(rate), output=self.output)
            if not growth_refusals(record):
                return record
        if self.task.is_distance:
            below = Fraction(int(largest * DIGITS) - 1, DIGITS)
            return self.refutation(below, "determinant", output=self.output)
        values, vectors = np.linalg.eig(self._ratio())
        best = np.real(vectors[:, int(np.argmax(np.real(values)))])
        z = [Fraction(round(x * 10**6), 10**6) for x in best.tolist()]
        rate = Fraction(int(expected_value(self.maps, self.form, z) / value_of(self.form, z) * DIGITS), DIGITS)
        return self.refutation(rate, "point", form=self.form, point=z)


# -- candidates -----------------------------------------------------------------------------------------------------


def families(task: Task) -> list[list[Instance]]:
    """Instances that attained a rate: equal rows; a zero row, others orthogonal; orthogonal rows; all phi_i = 0."""
    n, R, steep = task.n, task.R, (1 / task.gamma,) * task.n

    def unit(k: int, size: int) -> tuple[Fraction, ...]:
        return tuple(R * (j == k) for j in range(size))

    zero_row = [
        Instance(tuple(unit(k - (k > i), n - 1) if k != i else unit(-1, n - 1) for k in range(n)), steep)
        for i in range(n)
    ]
    flat = [Instance(((x,),) * n, (Fraction(0),) * n) for x in (Fraction(0), R)]
    orthogonal = [Instance(tuple(unit(k, n) for k in range(n)), steep)]
    equal = [Instance(((R,),) * n, steep)]
    groups = [equal, zero_row if n > 1 else [], orthogonal, flat if task.is_distance else []]
    if task.quantity == "epoch":
        groups = [flat]
    return [[instance for instance in group if inside(task, instance)] for group in groups]


def searched(task: Task, follows: Relations) -> Instance:
    """The worst quadratic instance that a local search finds, in floats."""
    import numpy as np
    from scipy.optimize import minimize

    rng, n = np.random.default_rng(0), task.n
    d, R, steep = n, float(task.R), 1 / float(task.gamma)

    def instance(p: "NDArray[np.float64]") -> Instance:
        X = p[: n * d].reshape(n, d)
        X = X / np.maximum(np.linalg.norm(X, axis=1), R)[:, None] * R
        return Instance(tuple(map(tuple, X.tolist())), tuple((steep / (1 + p[n * d :] ** 2)).tolist()))

    def rate(p: "NDArray[np.float64]") -> float:
        return -Steps(task, instance(p), follows, float).largest()

    start = np.concatenate([rng.normal(size=n * d) * rng.choice([0.1, 1, 3]), rng.choice([0, 0.3, 1, 10], size=n)])
    found = minimize(rate, start, method="Nelder-Mead", options={"maxiter": 400, "xatol": 1e-6, "fatol": 1e-10})
    return instance(found.x)


def rounded(task: Task, instance: Instance) -> Instance:
    """An exact instance near one of floats, inside the class: rows at most R long, slopes in [0, 1/gamma]."""
    rows = []
    for row in instance.rows:
        exact = [Fraction(round(x * 10**4), 10**4) for x in row]
        excess = sum(x * x for x in exact) - task.R**2
        rows.append(tuple(x * (1 - excess / task.R**2) if excess > 0 else x for x in exact))
    top = 1 / task.gamma
    return Instance(tuple(rows), tuple(min(top, Fraction(round(y * 10**4), 10**4)) for y in instance.slopes))


def inside(task: Task, instance: Instance) -> bool:
    """Return whether an exact instance belongs to the class."""
    X = [list(enumerate(row)) for row in instance.rows]
    if task.spectral is not None and not dominated(gram(X), task.spectral**2):
        return False
    return all(sum(x * x for x in row) <= task.R**2 for row in instance.rows) and all(
        0 <= y <= 1 / task.gamma for y in instance.slopes
    )


def refuted_by_families(task: Task, follows: Relations) -> tuple[Record, list[Instance]]:
    """The largest rate that an instance of ``families`` refutes, exactly, and the group of that instance."""
    steps = [(Steps(task, group[0], follows), group) for group in families(task) if group]
    found = [(one.refuted(), group) for one, group in steps if one.size]
    verified = [(record, group) for record, group in found if not growth_refusals(record)]
    if not verified:
        raise ValueError(f"no instance that is known refutes any rate of method {task.method}")
    return max(verified, key=lambda pair: pair[0]["rate"])


def refuted_by_search(task: Task, follows: Relations) -> Record | None:
    """Return the rate that the worst instance of a search refutes exactly; None if none is refuted."""
    exact = rounded(task, searched(task, follows))
    record = Steps(task, exact, follows).refuted() if inside(task, exact) else None
    return record if record is not None and not growth_refusals(record) else None
