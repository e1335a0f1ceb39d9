"""What stands in the museum: a port of the wrong lines of a library, in our own words, beside the repaired lines.

A port is a function ``name(asked, repaired)``. ``for_check`` makes two solvers of it for ``dualgap check``, ``name``
and ``name_repaired``, which return w and so claim P(w) - min P <= tol. ``for_certify`` keeps the problem on which
``dualgap.certify`` judges the answer (w, b) of the port; there are weights, or an intercept, which ``check`` has not.
The thread of each report was read before its port was written; no line is copied.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Asked(NamedTuple):
    """A problem. slope(z, y) = phi'(z), and curvature bounds phi''."""

    X: Array
    y: Array
    csr: bool
    lam: float
    l1: float
    tol: float
    seed: int
    slope: Callable[[Any, Any], Any]
    curvature: float
    weights: Array | None = None

    def gradient(self, w: Array) -> Array:
        """Of the mean of the losses."""
        return self.X.T @ self.slope(self.X @ w, self.y) / len(self.y)

    @property
    def step(self) -> float:
        """One over a bound of the largest eigenvalue of the Hessian."""
        return 1 / (self.curvature * float(np.linalg.norm(self.X, 2)) ** 2 / len(self.y) + self.lam)


class Exhibit(NamedTuple):
    """A report, and how its bug is found.

    report, repair : where both can be read; repair is empty where the thread names none
    wrong : what was wrong
    judge : arguments of ``dualgap check``, or of ``certify`` with the problem under "asked"
    most : what a right answer does not exceed, for ``certify``
    """

    library: str
    report: str
    repair: str
    wrong: str
    port: Callable[[Asked, bool], Any]
    judge: dict[str, Any]
    most: float = 0.0


EXHIBITS: dict[str, Exhibit] = {}
SLOPES: dict[str, Callable[[float], tuple[Callable[[Any, Any], Any], float]]] = {
    "squared": lambda gamma: (lambda z, y: (z - y) / gamma, 1 / gamma),
    "logistic": lambda gamma: (lambda z, y: -y / (1 + np.exp(y * z)), 0.25),
    "squared-hinge": lambda gamma: (lambda z, y: -2 * y * np.maximum(1 - y * z, 0), 2.0),
    "hinge": lambda gamma: (lambda z, y: -y * (y * z < 1), np.inf),
}


def read(X: Any, y: Any, lam: float, l1: float, gamma: float | None, loss: str, tol: float, seed: int) -> Asked:
    """The problem. Raises ValueError for what is not one."""
    csr = hasattr(X, "toarray")
    A, b = np.array(X.toarray() if csr else X, dtype=float), np.array(y, dtype=float)
    if A.ndim != 2 or not A.size or b.shape != A.shape[:1] or not 0 < lam < np.inf:
        raise ValueError("X must be (n, d), y (n,) and lam > 0")
    if not (np.isfinite(A).all() and np.isfinite(b).all()) or loss != "squared" and not (np.abs(b) == 1).all():
        raise ValueError("X and y must be finite, and y the labels -1 and 1 of a loss of classification")
    return Asked(A, b, csr, lam, l1, tol, seed, *SLOPES[loss](1.0 if gamma is None else gamma))


def for_check(
    library: str, report: str, repair: str, wrong: str, loss: str, only: str, l1: bool = False
) -> Callable[[Callable[[Asked, bool], Array]], Callable[[Asked, bool], Array]]:
    """Enter a port, and define its two solvers in this module."""

    def enter(port: Callable[[Asked, bool], Array]) -> Callable[[Asked, bool], Array]:
        name = port.__name__
        EXHIBITS[name] = Exhibit(library, report, repair, wrong, port, {"loss": loss, "only": only})
        for repaired in (False, True):

            def solver(
                X: Any,
                y: Any,
                *,
                loss: str,
                lam: float,
                l1: float,
                gamma: float | None,
                tol: float,
                seed: int,
                repaired: bool = repaired,
            ) -> Array:
                return port(read(X, y, lam, l1, gamma, loss, tol, seed), repaired)

            solver.losses, solver.l1 = (loss,), l1  # type: ignore[attr-defined]
            solver.__name__ = name + "_repaired" * repaired
            globals()[solver.__name__] = solver
        return globals()[name]  # type: ignore[no-any-return]  # the wrong one, under its name

    return enter


def for_certify(
    library: str, report: str, repair: str, wrong: str, *, most: float, loss: str = "squared", **given: Any
) -> Callable[[Callable[[Asked, bool], Any]], Callable[[Asked, bool], Any]]:
    """Enter a port with its problem: twelve rows of three columns, unless X and y are given."""

    def enter(port: Callable[[Asked, bool], Any]) -> Callable[[Asked, bool], Any]:
        rng = np.random.default_rng(0)
        X = 1 + np.round(rng.standard_normal((12, 3)), 2)
        y = np.round(X @ [1.0, -2.0, 0.5] + 3 + rng.standard_normal(12), 2)
        y = np.where(y >= np.median(y), 1.0, -1.0) if loss != "squared" else y
        asked = read(
            given.get("X", X), given.get("y", y), given.get("lam", 0.1), given.get("l1", 0.0), None, loss, 1e-8, 0
        )
        asked = asked._replace(weights=given.get("weights"), csr=given.get("csr", False))
        EXHIBITS[port.__name__] = Exhibit(library, report, repair, wrong, port, {"asked": asked, "loss": loss}, most)
        return port

    return enter


def soft(v: Any, limit: Any) -> Any:
    """argmin_x (x - v)^2/2 + limit |x|."""
    return np.sign(v) * np.maximum(np.abs(v) - limit, 0)


def minimised(asked: Asked, lam: float, l1: float) -> Array:
    """Proximal gradient steps until they are small."""
    w, step = np.zeros(asked.X.shape[1]), 1 / (1 / asked.step - asked.lam + lam)
    for _ in range(200_000):
        following = soft(w - step * (asked.gradient(w) + lam * w), step * l1)
        if np.linalg.norm(following - w) <= step * np.sqrt(asked.lam * asked.tol) / 4:
            return following
        w = following
    return w


# -- steps that a sparse row leaves for later --------------------------------------------------------------------------


def lazy(asked: Asked, method: str, later: Any) -> Array:
    """SAG or SVRG for w = scale v. Rows of CSR change their own columns; ``later(v, change, scales)`` makes the steps
    v - change/scale that a column has missed.
    """
    n, d = asked.X.shape
    rng, eta = np.random.default_rng(asked.seed), 1 / (3 * (asked.curvature * (asked.X**2).sum(1).max() + asked.lam))
    w, kept = np.zeros(d), np.zeros(n)
    mean = np.zeros(d)
    for _ in range(400):
        if method == "svrg":
            kept = asked.slope(asked.X @ w, asked.y)
            mean = asked.X.T @ kept / n
        v, scales, last = w.copy(), [1.0], np.zeros(d, dtype=int)

        for i in rng.integers(n, size=2 * n):
            x, columns = asked.X[i], np.flatnonzero(asked.X[i]) if asked.csr else range(d)
            catch_up(columns, v, last, scales, eta * mean, later)
            change = asked.slope(scales[-1] * (x @ v), asked.y[i]) - kept[i]
            scales.append(scales[-1] * (1 - eta * asked.lam))
            for j in columns:  # the step of this row, which is not left for later
                now = mean[j] + change * x[j] / (n if method == "sag" else 1)
                v[j], last[j] = v[j] - eta * now / scales[-1], len(scales) - 1
            if method != "svrg":
                mean, kept[i] = mean + change * x / n, kept[i] + change
        catch_up(range(d), v, last, scales, eta * mean, later)
        w = scales[-1] * v
    return w


def catch_up(columns: Any, v: Array, last: Any, scales: list[float], change: Array, later: Any) -> None:
    """Make the steps that these columns have missed."""
    for j in columns:
        if last[j] + 1 < len(scales):
            v[j] = later(v[j], change[j], np.array(scales[last[j] + 1 :]))
            last[j] = len(scales) - 1


SPARSE = "sparse_rows_are_right_or_refused"
GAP = "the_gap_is_what_was_asked_for"


def as_if_the_scale_had_not_changed(v: Any, change: Any, scales: Array) -> Any:
    return v - change * len(scales) / scales[-1]


def with_the_scale_of_each_step(v: Any, change: Any, scales: Array) -> Any:
    return v - change * (1 / scales).sum()


@for_check(
    "lightning",
    "scikit-learn-contrib/lightning#33",
    "#36",
    "SAG on sparse rows: missed steps were made with the present scale of w, not with that of each step",
    "squared",
    SPARSE,
)
def lightning_33(asked: Asked, repaired: bool) -> Array:
    return lazy(asked, "sag", with_the_scale_of_each_step if repaired else as_if_the_scale_had_not_changed)


@for_check(
    "lightning",
    "scikit-learn-contrib/lightning#120",
    "the pull request, which is open",
    "SVRG on sparse rows with alpha > 0: the missed steps were not shrunk by 1 − ηα a step",
    "logistic",
    SPARSE,
)
def lightning_120(asked: Asked, repaired: bool) -> Array:
    return lazy(asked, "svrg", with_the_scale_of_each_step if repaired else as_if_the_scale_had_not_changed)


# -- penalties ---------------------------------------------------------------------------------------------------------


@for_check(
    "scikit-learn",
    "scikit-learn/scikit-learn#4880",
    "#4891",
    "the last fit after cross-validation forgot l1",
    "logistic",
    GAP,
    l1=True,
)
def scikit_learn_4880(asked: Asked, repaired: bool) -> Array:
    return minimised(asked, asked.lam, asked.l1 if repaired else 0.0)


@for_check(
    "aprender",
    "paiml/aprender#2133",
    "#2133",
    "the sum of the losses, but the penalty of their mean",
    "squared",
    GAP,
    l1=True,
)
def aprender_2133(asked: Asked, repaired: bool) -> Array:
    n, d = asked.X.shape
    times = n if repaired else 1
    w, lengths = np.zeros(d), asked.curvature * (asked.X**2).sum(0) + times * asked.lam
    for _ in range(2000):
        for j in range(d):
            rho = lengths[j] * w[j] - n * asked.gradient(w)[j] - times * asked.lam * w[j]
            w[j] = soft(rho, times * asked.l1) / lengths[j]
    return w


@for_check(
    "lifelines",
    "CamDavidsonPilon/lifelines#1251",
    "#1252",
    "λ‖w‖² for (λ/2)‖w‖² (there in Cox models)",
    "logistic",
    GAP,
    l1=True,
)
def lifelines_1251(asked: Asked, repaired: bool) -> Array:
    return minimised(asked, asked.lam if repaired else 2 * asked.lam, asked.l1)


@for_check("dask-glm", "dask/dask-glm#47", "one of the two", "one solver took λ‖w‖², another (λ/2)‖w‖²", "squared", GAP)
def dask_glm_47(asked: Asked, repaired: bool) -> Array:
    w = np.zeros(asked.X.shape[1])
    for _ in range(100_000):
        change = asked.step * (asked.gradient(w) + (1 if repaired else 2) * asked.lam * w)
        w = w - change
        if np.linalg.norm(change) <= asked.step * np.sqrt(asked.lam * asked.tol) / 4:
            break
    return w


@for_check(
    "benchmark_lasso",
    "benchopt/benchmark_lasso#46",
    "#46",
    "λ was divided by n, which changed the objective",
    "squared",
    GAP,
    l1=True,
)
def benchmark_lasso_46(asked: Asked, repaired: bool) -> Array:
    n = 1 if repaired else len(asked.y)
    return minimised(asked, asked.lam / n, asked.l1 / n)


@for_check(
    "OpenNN",
    "Artelnics/opennn#241",
    "another order of two calls",
    "the gradient was assembled before the penalty was added to it",
    "logistic",
    GAP,
)
def opennn_241(asked: Asked, repaired: bool) -> Array:
    w = np.zeros(asked.X.shape[1])
    for _ in range(2_000):
        layers = asked.gradient(w)
        assembled = layers
        layers = layers + asked.lam * w
        if repaired:
            assembled = layers
        w = w - asked.step * assembled
        if np.linalg.norm(assembled) <= np.sqrt(asked.lam * asked.tol) / 4:
            break
    return w


@for_check(
    "breeze",
    "scalanlp/breeze#247",
    "#247",
    "OWL-QN: the derivative of l1 was that of a coefficient at 0 for every coefficient",
    "squared",
    GAP,
    l1=True,
)
def breeze_247(asked: Asked, repaired: bool) -> Array:
    w = np.zeros(asked.X.shape[1])
    for _ in range(20_000):
        g = asked.gradient(w) + asked.lam * w
        at_zero = soft(g, asked.l1)
        adjusted = np.where(w != 0, g + asked.l1 * np.sign(w), at_zero) if repaired else at_zero
        orthant = np.where(w != 0, np.sign(w), -np.sign(adjusted))
        following = w - asked.step * adjusted
        following[following * orthant < 0] = 0
        if np.linalg.norm(following - w) <= asked.step * np.sqrt(asked.lam * asked.tol) / 4:
            return following
        w = following
    return w


# -- standardisation ---------------------------------------------------------------------------------------------------


@for_check(
    "Spark",
    "apache/spark#10702 (SPARK-12732)",
    "#10702",
    "a constant target gave w = 0 also without an intercept",
    "squared",
    GAP,
)
def spark_10702(asked: Asked, repaired: bool) -> Array:
    if asked.y.std() == 0 and not repaired:
        return np.zeros(asked.X.shape[1])
    return minimised(asked, asked.lam, 0.0)


# -- the end of a run --------------------------------------------------------------------------------------------------


@for_check(
    "LiblineaR",
    "tidymodels/parsnip#1413",
    "LiblineaR 2.10-25",
    "the tolerance was 0.01 for every solver, whatever it documents",
    "logistic",
    GAP,
)
def liblinear_r_1413(asked: Asked, repaired: bool) -> Array:
    tolerance = np.sqrt(asked.lam * asked.tol) / 4 if repaired else 0.01
    w = np.zeros(asked.X.shape[1])
    while np.linalg.norm(g := asked.gradient(w) + asked.lam * w) > tolerance:
        w = w - asked.step * g
    return w


EPSILON, SMALL = 1e-4, np.random.default_rng(1).standard_normal((12, 3)) / 100  # columns of small numbers


@for_certify(
    "cuML",
    "NVIDIA/cuml#3766 (issue 3645)",
    "#3766",
    "a run stopped at ‖∇P‖₂ ≤ ε max(1, ‖w‖), so earlier the larger w",
    loss="logistic",
    lam=1e-5,
    X=SMALL,
    most=3 * EPSILON**2 / 2e-5,  # d eps^2/(2 lam)
)
def cuml_3766(asked: Asked, repaired: bool) -> Any:
    w = np.zeros(asked.X.shape[1])
    while True:
        g = asked.gradient(w) + asked.lam * w
        if np.abs(g).max() <= EPSILON if repaired else np.linalg.norm(g) <= EPSILON * max(1.0, np.linalg.norm(w)):
            return w, None
        w = w - asked.step * g


@for_certify(
    "scikit-learn",
    "scikit-learn/scikit-learn#30027",
    "#31856",
    "SGD stopped when the loss, without the penalty, did not fall for five epochs",
    loss="hinge",
    lam=0.02,
    X=np.array([[1.0, 0.5], [0.75, 1.0], [-1.0, -0.5], [-0.5, -1.0]]),
    y=np.array([1.0, 1.0, -1.0, -1.0]),
    most=0.02,
)
def scikit_learn_30027(asked: Asked, repaired: bool) -> Any:
    rng, w, best, since, t = np.random.default_rng(asked.seed), np.zeros(asked.X.shape[1]), np.inf, 0, 0
    for _ in range(5000):
        for i in rng.permutation(len(asked.y)):
            t += 1
            w = w - (asked.lam * w + asked.slope(asked.X[i] @ w, asked.y[i]) * asked.X[i]) / (asked.lam * t)
        value = np.maximum(1 - asked.y * (asked.X @ w), 0).mean() + (asked.lam / 2 * w @ w if repaired else 0.0)
        since = 0 if value < best - 1e-4 else since + 1
        best = min(best, value)
        if since == 5:
            break
    return w, None


# -- intercepts and weights --------------------------------------------------------------------------------------------


def ridge(X: Array, y: Array, lam: float, weights: Array | None = None) -> tuple[Array, float]:
    """w and a free intercept b of ridge regression, from weighted means."""
    s = np.ones(len(y)) if weights is None else weights
    center, mean = s @ X / s.sum(), s @ y / s.sum()
    A, b = X - center, y - mean
    w = np.linalg.solve((A * s[:, None]).T @ A / s.sum() + lam * np.eye(X.shape[1]), (A * s[:, None]).T @ b / s.sum())
    return w, float(mean - center @ w)


@for_certify(
    "scikit-learn",
    "scikit-learn/scikit-learn#1560 (issue 1389)",
    "#13995",
    "Ridge on sparse X: the intercept was the mean of y, for X was not centred",
    csr=True,
    most=1e-9,
)
def scikit_learn_1389(asked: Asked, repaired: bool) -> Any:
    if asked.csr and not repaired:
        return np.linalg.solve(
            asked.X.T @ asked.X / 12 + asked.lam * np.eye(3), asked.X.T @ (asked.y - asked.y.mean()) / 12
        ), float(asked.y.mean())
    return ridge(asked.X, asked.y, asked.lam)


@for_certify(
    "homemade-machine-learning",
    "trekhleb/homemade-machine-learning#63 (issue 17)",
    "the pull request, which was not merged",
    "the intercept was shrunk with the weights, and its step was made twice",
    lam=0.1,
    most=1e-9,
)
def homemade_17(asked: Asked, repaired: bool) -> Any:
    X = np.column_stack([np.ones(12), asked.X])
    theta, alpha = np.zeros(4), 0.4 / np.linalg.norm(X, 2) ** 2 * 12
    for _ in range(40_000):
        delta, kept = X @ theta - asked.y, theta[0]
        theta = theta * (1 - alpha * asked.lam) - alpha / 12 * X.T @ delta
        theta[0] = (kept if repaired else theta[0]) - alpha / 12 * X[:, 0] @ delta
    return theta[1:], float(theta[0])


@for_certify(
    "fast-rcnn",
    "rbgirshick/fast-rcnn#69",
    "proposed there",
    "after a fit on scaled features the intercept was scaled back like the weights",
    most=1e-9,
)
def fast_rcnn_69(asked: Asked, repaired: bool) -> Any:
    scale = 4.0
    w, b = ridge(asked.X / scale, asked.y, asked.lam / scale**2)
    return w / scale, b if repaired else b / scale


@for_certify(
    "ML.NET",
    "dotnet/machinelearning#2175",
    "#3104",
    "a trainer took weights, and its options had no place for them",
    weights=np.arange(1.0, 13.0),
    most=1e-9,
)
def ml_net_2175(asked: Asked, repaired: bool) -> Any:
    options = {"weights": asked.weights} if repaired else {}
    return ridge(asked.X, asked.y, asked.lam, **options)


@for_certify(
    "sparsegl",
    "dajmcdon/sparsegl#50",
    "weights that sum to n",
    "the weighted sum of the losses was divided by n, so that their size changed the penalty",
    weights=np.arange(1.0, 13.0),
    most=1e-9,
)
def sparsegl_50(asked: Asked, repaired: bool) -> Any:
    assert asked.weights is not None
    n, total = len(asked.y), asked.weights.sum()
    s = asked.weights * (n / total if repaired else 1)
    return ridge(asked.X, asked.y, asked.lam * n / s.sum(), s)
