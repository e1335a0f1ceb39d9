"""Newton's method for multinomial logistic regression, in (W, b), with conjugate gradients for its steps.

Variables are V = (W, b) of shape (features + 1, K), or W alone. A step solves H step = -gradient up to a share of the
gradient that falls with it (Dembo, Eisenstat and Steihaug, Inexact Newton Methods, 1982). It is preconditioned by H
itself, by its blocks of one class, or by its diagonal, as its size allows. The step is halved until P falls enough;
where P no longer tells, until the gradient falls. P does not change when all intercepts grow alike: their sum is 0.
Runs are bit-identical where the matrix products of numpy are. No rate is claimed: the certificate of (W, b, alpha),
alpha_i = p_i - e_(y_i), decides.
"""

import math
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import csr_array, issparse

from dualgap.fast.problem.arrays import Array, arrays, require_unchanged
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.problem.multinomial import MultinomialProblem
from dualgap.fast.problem.rows import Sparse
from dualgap.fast.solver.result import Entry, Result, advise
from dualgap.fast.solver.settings import Settings
from dualgap.fast.solver.single_run import Record

REASON = "multinomial logistic regression: Newton's method in (W, b)"
LARGEST_MATRIX = 2000  # rows of a matrix of the preconditioner
PATIENCE = 3  # steps that make neither the bound nor P smaller
HALVES = 40  # of one step
ENOUGH = 1e-4  # Armijo's share of the decrease that the slope foretells
FLAT = 2.0**-40  # changes of P below this share are rounding
TINIEST = 2.0**-500  # no division by 0 where every probability is 0 or 1
STEPS_CG = 2000  # of one step


class Newton:
    """P, its gradient and its Hessian at V, shape (features (+ 1), K).

    Attributes
    ----------
    V : the point; value, gradient : P and its gradient there; probabilities : (n, K)
    """

    def __init__(self, problem: MultinomialProblem, start: Array | None) -> None:
        held, self.objective = arrays(problem), problem.own_objective()
        X: Any = held.matrix[0]
        if isinstance(held.matrix, Sparse):
            places = held.matrix.indices.astype(np.int64), held.matrix.indptr.astype(np.int64)
            X = csr_array((held.matrix.data, *places), shape=(held.n, held.d))
        self.X, self.y, self.rows = X, held.y.astype(np.int64), np.arange(held.n)
        self.share, self.lam = held.weights / problem.mass, float(problem.regularizer.lam)
        self.features, self.classes, self.free = held.d, problem.classes, problem.free
        self.move(np.zeros((held.d + self.free, self.classes)) if start is None else start)
        self.first = self.size

    def scores(self, V: Array) -> Array:
        z = np.asarray(self.X @ V[: self.features])
        return z + V[-1] if self.free else z

    def transposed(self, R: Array) -> Array:
        """x~^T R, for R of shape (n, K)."""
        found = np.asarray(self.X.T @ R)
        return np.vstack((found, R.sum(axis=0))) if self.free else found

    def penalised(self, V: Array) -> Array:
        """lam W, and 0 for b."""
        found = self.lam * V
        if self.free:
            found[-1] = 0.0
        return np.asarray(found)

    def at(self, V: Array) -> tuple[float, Array]:
        """P and ln p."""
        from scipy.special import log_softmax  # importing it takes 0.05 s, and no other loss needs it

        log_p = log_softmax(self.scores(V), axis=1)  # not changed by a constant in all intercepts
        own = V[: self.features]
        return float(-(self.share @ log_p[self.rows, self.y]) + self.lam / 2 * (own * own).sum()), log_p

    def move(self, V: Array, found: tuple[float, Array] | None = None) -> None:
        """Make V the point; of the intercepts, which P does not tell apart from those that differ by a constant, it has
        those with sum 0.
        """
        if self.free:
            V[-1] = V[-1] - V[-1].mean()
        self.V = V
        self.value, log_p = self.at(V) if found is None else found
        self.probabilities = np.exp(log_p)
        self.gradient = self.slope(log_p, V)
        self.size = float(np.linalg.norm(self.gradient))

    def slope(self, log_p: Array, V: Array) -> Array:
        """The gradient of P at V."""
        return self.transposed(self.share[:, None] * self.dual(np.exp(log_p))) + self.penalised(V)

    def dual(self, p: Array) -> Array:
        """alpha = p - e_y, whose entry of y is minus the sum of the others, which does not cancel."""
        alpha = p.copy()
        alpha[self.rows, self.y] = 0.0
        alpha[self.rows, self.y] = -np.minimum(alpha.sum(axis=1), 1.0)
        return alpha

    def product(self, V: Array) -> Array:
        """H V."""
        p, z = self.probabilities, self.scores(V)
        spread = p * (z - (p * z).sum(axis=1, keepdims=True))
        return self.transposed(self.share[:, None] * spread) + self.penalised(V)

    def preconditioner(self) -> Any:
        """A function that solves with the Hessian, with its blocks of one class where it is too large, or with its
        diagonal where these are.
        """
        p, width = self.probabilities, self.features + self.free
        if width > LARGEST_MATRIX:
            squares = self.X.multiply(self.X).tocsr() if issparse(self.X) else self.X * self.X
            curvature = self.share[:, None] * p * (1 - p)
            diagonal = np.asarray(squares.T @ curvature) + self.lam
            diagonal = np.vstack((diagonal, curvature.sum(axis=0) + TINIEST)) if self.free else diagonal
            return lambda R: R / diagonal
        X = self.X.toarray() if issparse(self.X) else self.X
        X = np.hstack((X, np.ones((X.shape[0], 1)))) if self.free else X
        whole = width * self.classes <= LARGEST_MATRIX
        groups = [list(range(self.classes))] if whole else [[c] for c in range(self.classes)]
        solvers = [solver_of(self.matrix(X, group)) for group in groups]

        def solved(R: Array) -> Array:
            parts = [solve(R[:, g].T.reshape(-1)).reshape(len(g), width).T for solve, g in zip(solvers, groups)]
            return np.hstack(parts)

        return solved

    def matrix(self, X: Array, group: list[int]) -> Array:
        """The Hessian of the variables of these classes, class by class. On the diagonal of the intercepts it has
        something more, and a constant where H does not see that all intercepts grow alike.
        """
        p, width = self.probabilities, X.shape[1]
        found = np.empty((len(group), width, len(group), width))
        for k, c in enumerate(group):
            for m, other in enumerate(group[: k + 1]):
                weights = self.share * p[:, c] * ((c == other) - p[:, other])
                found[k, :, m] = (X * weights[:, None]).T @ X
                found[m, :, k] = found[k, :, m].T
        if self.free:
            found[:, -1, :, -1] += self.lam / len(group)
        square = found.reshape(len(group) * width, -1)
        penalty = np.full((len(group), width), self.lam)
        if self.free:
            penalty[:, -1] = FLAT * self.lam
        square[np.diag_indices_from(square)] += penalty.reshape(-1)
        return square

    def step(self, clock: Any) -> Array:
        """The step of conjugate gradients."""
        target = self.size * min(0.1, math.sqrt(self.size / self.first)) * 0.1
        solve, found, rest = self.preconditioner(), np.zeros_like(self.V), -self.gradient
        direction = moved = solve(rest)
        slope = float((rest * moved).sum())
        for _ in range(min(STEPS_CG, 2 * rest.size)):
            if not np.linalg.norm(rest) > target or clock():
                break
            image = self.product(direction)
            bend = float((direction * image).sum())
            if not (bend > 0 and slope > 0):
                break
            found = found + (slope / bend) * direction
            rest = rest - (slope / bend) * image
            moved = solve(rest)
            slope, before = float((rest * moved).sum()), slope
            direction = moved + (slope / before) * direction
        return found

    def advance(self, clock: object) -> bool:
        """Make one step. Return False if no fraction of it reduces P or, near the end, the gradient."""
        if not self.size > 0:
            return False
        step = self.step(clock)
        foretold = float((step * self.gradient).sum())
        if not foretold < 0:
            return False
        share = 1.0
        for _ in range(HALVES):
            V = self.V + share * step
            value, log_p = self.at(V)
            if value <= self.value + ENOUGH * share * foretold:
                self.move(V, (value, log_p))
                return True
            flat = abs(value - self.value) <= FLAT * abs(self.value)
            if flat and np.linalg.norm(self.slope(log_p, V)) < self.size:
                self.move(V, (value, log_p))
                return True
            share /= 2
        return False

    def certificate(self) -> Certificate:
        """Return the certificate of (W, b) and alpha = p - e_y."""
        b = self.V[-1] if self.free else None
        w = self.V[: self.features].reshape(-1)
        return Certificate(self.objective, w, self.dual(self.probabilities), intercept=b)


def solver_of(matrix: Array) -> Any:
    """A function that solves with a positive definite matrix, scaled to a diagonal of ones. Where its factor fails by
    rounding, that diagonal is made larger.
    """
    scales = 1 / np.sqrt(np.diag(matrix))
    scaled = matrix * scales * scales[:, None]
    for more in (0.0, 2.0**-40, 2.0**-20, 1.0):
        scaled[np.diag_indices_from(scaled)] = 1.0 + more
        try:
            factor = cho_factor(scaled)
        except LinAlgError:
            continue
        return lambda right: scales * cho_solve(factor, scales * right)
    return lambda right: scales * scales * right


def solve_multinomial(problem: MultinomialProblem, asked: Settings, start: tuple[Any, Any] | None = None) -> Result:
    """Minimise P until P(W, b) - min P <= tol is certified. A pass is one step of Newton's method.

    Parameters
    ----------
    asked : method "auto" or "newton"; tol, rtol, max_epochs, max_seconds, callback and progress count
    start : W as (features K,) and b as (K,) or None, or None for 0

    Raises
    ------
    ValueError
        Another method or backend, threads, options of a method, l1 > 0, coefficients that must be >= 0; an objective
        that is beyond the range of a float at the start.
    """
    require_plain(problem, asked)
    run = NewtonRun(Newton(problem, None if start is None else stacked(problem, *start)), asked)
    try:
        status = run.until_done()
    except OverflowError as error:
        if run.best is None:
            raise ValueError(f"nothing can be certified at the start ({error}): give a larger lam") from None
        status = "diverged"
    require_unchanged(problem)
    best, (tol, rtol) = run.best, asked.tolerances
    assert best is not None  # the first step of the run makes a certificate, or raises
    return Result(
        certificate=best,
        status=status,
        advice=advise(status, best, best.target(tol, rtol), run.epochs),
        history=tuple(run.history),
        epochs=run.epochs,
        seconds=run.elapsed(),
        method="newton",
        backend="fast",
        mode=asked.mode,
        order=asked.draw_order,
        seed=asked.seed,
        tol=tol,
        rtol=rtol,
        reason=REASON if asked.method == "auto" else "",
    )


class NewtonRun(Record):
    """The steps and the certificates of a run.

    Attributes
    ----------
    least : the smallest P; idle : steps without progress
    """

    def __init__(self, newton: Newton, asked: Settings) -> None:
        super().__init__(asked.max_seconds)
        self.newton, self.asked = newton, asked
        self.least, self.idle, self.epochs = math.inf, 0, 0

    def until_done(self) -> str:
        """Run to the end and return the status."""
        status = ""
        while not status:
            try:
                status = self.status(self.certify())
                if not status:
                    self.epochs += 1
                    if self.asked.progress is not None:
                        self.asked.progress(self.epochs, self.elapsed())
            except KeyboardInterrupt:
                if self.best is None:
                    raise
                return "interrupted"
        return status

    def certify(self) -> Certificate:
        """Certify the point, and compare it with those before."""
        newton, found = self.newton, self.newton.certificate()
        self.history.append(Entry(self.epochs, self.elapsed(), found.primal, found.dual, found.gap, found.gap_bound))
        falls = self.best is None or found.gap_bound < self.best.gap_bound
        self.idle = 0 if falls or newton.value < self.least * (1 - FLAT) else self.idle + 1
        self.best, self.least = found if falls else self.best, min(self.least, newton.value)
        if self.asked.callback is not None:
            self.asked.callback(self.history[-1])
        return found

    def status(self, found: Certificate) -> str:
        """Why the run is over, or "" after one more step."""
        if found.meets(*self.asked.tolerances):
            return "converged"
        if self.epochs >= self.asked.max_epochs:
            return "max_epochs"
        if self.time_is_up():
            return "max_seconds"
        resolved = found.gap_bound <= 2 * found.resolution
        idle = self.idle > (0 if resolved else PATIENCE)
        return "rounding" if idle or not self.newton.advance(self.time_is_up) else ""


def stacked(problem: MultinomialProblem, w: object, b: object) -> Array:
    """V of w and b."""
    W = np.asarray(w, dtype=np.float64).reshape(-1, problem.classes)
    if not problem.free:
        return W.copy()
    return np.vstack((W, np.zeros(problem.classes) if b is None else np.asarray(b, dtype=np.float64)))


def require_plain(problem: MultinomialProblem, asked: Settings) -> None:
    """Raise ValueError for settings that Newton's method does not have."""
    if problem.regularizer.l1 > 0 or problem.regularizer.family != "quadratic":
        raise ValueError(
            "multinomial logistic regression is solved by Newton's method, which needs a smooth penalty: L2, without l1"
            f" and coefficients >= 0 (got {problem.regularizer!r}). Fit one class against the rest instead"
        )
    if asked.method not in ("auto", "newton"):
        raise ValueError(f"a multinomial problem requires method auto or newton (got {asked.method!r})")
    if asked.backend != "fast" or asked.threads != 1 or asked.method_options or asked.draw is not None:
        raise ValueError(
            "Newton's method for a multinomial problem has backend fast, one thread and no options: leave out backend,"
            " threads, draw and options of methods"
        )
