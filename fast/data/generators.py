"""Synthetic data sets: the problems of the papers, and stand-ins for data that cannot be shipped.

A generator is selected by its name, with options after a colon: ``rcv1-like``, ``rcv1-like:seed=3,n=2000``; in
Python it is a function of the same options, ``rcv1_like(seed=3, n=2000)``.
With the same options, numpy and kind of processor, the data is bit-identical. (NumPy does not promise its random
streams from one version to the next, and its ``log`` and ``pow`` are other code where there is AVX-512.) A name that
ends in ``-like`` imitates the sizes and the statistics of a real set, and a result on it is never to be quoted as a
result on that set.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.data.dataset import Dataset, sparse_rows, unit_rows
from dualgap.reference.problem.registry import Registry, place

LARGEST_OPTION = 10_000_000
LARGEST_STORAGE = 100_000_000  # stored entries: 0.8 GB of values

Labels = NDArray[np.float64]
Rows = tuple[Any, Labels]

# name: (scikit-learn's function, its labels -> ours, what that does in words)
EMBEDDED: dict[str, tuple[str, Callable[[Labels], Labels], tuple[str, ...]]] = {
    "breast_cancer": (
        "load_breast_cancer",
        lambda y: np.where(y == 1, 1.0, -1.0),
        ("labels: class 1 (benign) is +1, class 0 (malignant) is -1",),
    ),
    "digits": (
        "load_digits",
        lambda y: np.where(y % 2 == 0, 1.0, -1.0),
        ("labels: the even digits are +1, the odd digits are -1",),
    ),
    "diabetes": ("load_diabetes", lambda y: y, ()),
}

GENERATORS: Registry[Callable[..., Dataset]] = Registry("data set")


def generate(text: str) -> Dataset:
    """Run the generator that ``text`` names.

    Parameters
    ----------
    text : ``NAME`` or ``NAME:key=value,key=value``, NAME in ``GENERATORS``, values whole numbers

    Raises
    ------
    ValueError
        No such generator, no such option, a value that is no whole number or out of range.

    Examples
    --------
    >>> generate("orthonormal:n=2").X.toarray().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    name, colon, written = text.partition(":")
    if name not in GENERATORS:
        raise ValueError(f"there is no generator {name!r}; generators: {', '.join(GENERATORS)}")
    options: dict[str, int] = {}
    for pair in written.split(",") if colon else ():
        key, _, value = pair.partition("=")
        if not (value.isascii() and value.isdigit() and len(value) < 19):
            raise ValueError(f"{text}: {pair!r} is not KEY=WHOLE-NUMBER; write for example {name}:n=100")
        if key in options:
            raise ValueError(f"{text}: the option {key!r} is given twice; give it once")
        options[key] = int(value)
    return GENERATORS[name](**options)


def register_generator(name: str) -> Callable[[Callable[..., Rows]], Callable[..., Dataset]]:
    """Register a function of whole-number options, or of none, as a generator.

    What it returns, X of shape (n, d), dense or in CSR, and y of shape (n,), becomes a ``Dataset``; the options are
    checked on entry and recorded in words. Raises ValueError for a name that is taken, or that is no name of ``dualgap
    solve NAME:key=value``.

    Parameters
    ----------
    name : by which ``load`` and ``dualgap solve`` find it.
    """
    if not name or set(name) & set(":/\\ "):
        raise ValueError(
            f"a data set's name has no colon, slash or blank (got {name!r}): what follows a colon are its options"
        )

    def register(draw: Callable[..., Rows]) -> Callable[..., Dataset]:
        if name in EMBEDDED:
            raise ValueError(
                f"data set {name!r} of {place(draw)} is taken by scikit-learn's, which load reads: choose another name"
            )
        parameters = signature(draw).parameters
        if wanting := [key for key, entry in parameters.items() if not isinstance(entry.default, int)]:
            raise ValueError(
                f"data set {name!r}: the parameter {wanting[0]!r} of {place(draw)} needs a whole number as its default"
            )
        defaults = {key: int(entry.default) for key, entry in parameters.items()}

        @wraps(draw)
        def generator(**options: int) -> Dataset:
            for key, value in options.items():
                if key not in defaults:
                    raise ValueError(f"{name}: there is no option {key!r}; options: {', '.join(defaults)}")
                least = 0 if key == "seed" else 1
                if not (isinstance(value, int) and least <= value <= LARGEST_OPTION):
                    allowed = f"a whole number, {least} to {LARGEST_OPTION}"
                    raise ValueError(f"{name}: {key} must be {allowed} (got {value!r})")
            used = defaults | options
            settings = ", ".join(f"{key} = {value}" for key, value in used.items())
            full_name = name + ":" * bool(options) + ",".join(f"{k}={v}" for k, v in options.items())
            return Dataset(full_name, *draw(**used), (f"generated by {name}{' with ' * bool(used)}{settings}",))

        GENERATORS.enter(name, generator)
        return generator

    return register


@register_generator("aspdc-synthetic")
def aspdc_synthetic(n: int = 200, d: int = 40, seed: int = 0) -> Rows:
    """Dense ill-conditioned unit rows with planted labels, for ASPDC and ASPDC-i against SDCA and SPDC.

    x_ij ~ N(0, s_j^2), s_j a geometric sequence from 1 down to 1e-2; then every row is scaled to norm 1.
    Labels: the signs of <x_i, w> + noise, w ~ N(0, I).
    """
    _check_storage(n * d)
    rng = np.random.default_rng(seed)
    X = unit_rows(rng.standard_normal((n, d)) * np.geomspace(1.0, 1e-2, d))
    return X, np.where(_noisy(rng, X @ rng.standard_normal(d)) > 0.0, 1.0, -1.0)


@register_generator("spdc-synthetic")
def spdc_synthetic(n: int = 500, d: int = 500, seed: int = 0) -> Rows:
    """Draw the ridge problem of SPDC (Zhang & Xiao), Section 7.1.

    y_i = <x_i, 1> + eps_i with x_i ~ N(0, diag(j^-2)) and eps_i ~ N(0, 1). The rows are not normalised.
    """
    _check_storage(n * d)
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) / np.arange(1, d + 1)  # column j has standard deviation 1/j
    return X, X.sum(axis=1) + rng.standard_normal(n)


@register_generator("orthonormal")
def orthonormal(n: int = 100) -> Rows:
    """Rows x_i = e_i with labels +1, -1, +1, ...: every coordinate of the dual stands alone.

    With the squared loss (gamma = 1) and lam n = 1, w = -X^T alpha, so that ASPDC's step
    alpha_i <- x_i^T w - y_i = -alpha_i - y_i mirrors alpha_i at its optimum -y_i/2 and the gap never falls.
    """
    return sparse_rows(np.ones(n), np.arange(n), np.arange(n + 1), (n, n)), _alternating(n)


@register_generator("equal-rows")
def equal_rows(n: int = 100) -> Rows:
    """Rows x_i = 1 (d = 1) with labels +1, -1, +1, ...: the rows on which ASPDC's one-step rate is attained.

    With an even n, w = 0 is optimal for every margin loss: nothing tells the two classes apart.
    """
    return np.ones((n, 1)), _alternating(n)


@register_generator("rcv1-like")
def rcv1_like(n: int = 20_242, d: int = 47_236, seed: int = 0) -> Rows:
    """Sparse text in the manner of rcv1_train: about 69 words a row."""
    return _text(n, d, seed, draws=74.0)


@register_generator("sector-like")
def sector_like(n: int = 6_412, d: int = 55_197, seed: int = 0) -> Rows:
    """Sparse text in the manner of sector.scale: about 163 words a row, two classes."""
    return _text(n, d, seed, draws=188.0)


# The groups of a9a, which is the UCI census set Adult with every attribute cut into intervals or categories: age,
# work class, weight, education, its years, marital status, occupation, relationship, race, sex, capital gain,
# capital loss, hours, country. They have 123 members.
ADULT_GROUPS = (5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41)


@register_generator("a9a-like")
def a9a_like(n: int = 32_561, seed: int = 0) -> Rows:
    """14 ones a row in 123 columns, in the manner of a9a: one member of each of its 14 groups.

    Member r = 1, ..., m of a group is chosen with a probability proportional to 1/r. Labels: +1 for the share
    7841/32561 of rows, as in a9a, with the largest <x_i, w> + noise, w ~ N(0, I). Groups are independent, so
    that few rows repeat each other; in a9a every fifth does.
    """
    _check_storage(n * len(ADULT_GROUPS))
    rng = np.random.default_rng(seed)
    d = sum(ADULT_GROUPS)
    columns = np.empty((n, len(ADULT_GROUPS)), dtype=np.int32)
    start = 0
    for group, size in enumerate(ADULT_GROUPS):
        probabilities = 1.0 / np.arange(1, size + 1)
        columns[:, group] = start + rng.choice(size, n, p=probabilities / probabilities.sum())
        start += size
    offsets = np.arange(0, columns.size + 1, len(ADULT_GROUPS))
    X = sparse_rows(np.ones(columns.size), columns.ravel(), offsets, (n, d))
    return X, _largest_positive(_noisy(rng, X @ rng.standard_normal(d)), 7_841 / 32_561)


@register_generator("pgs-toy")
def pgs_toy(n: int = 200_000, d: int = 10, spread: int = 1, seed: int = 0) -> Rows:
    """Draw two Gaussians of equal covariance, in the manner of the toy sets of PGS (section V, Figure 9).

    y_i is -1 or +1 with probability 1/2 each, x_i ~ N(y_i mu, diag(s)^2), s_j a geometric sequence from spread^(-1/2)
    up to spread^(1/2). mu = diag(s)^2 w*/||diag(s) w*||, so that the sign of <x, w*> is the best guess of the label, w*
    being ``pgs_toy_direction``, and that it is wrong with the probability Phi(-1) = 16 %.
    """
    _check_storage(n * d)
    rng = np.random.default_rng(seed)
    s, w = np.geomspace(spread**-0.5, spread**0.5, d), pgs_toy_direction(d)
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return y[:, None] * (s * s * w / np.linalg.norm(s * w)) + s * rng.standard_normal((n, d)), y


def pgs_toy_direction(d: int) -> NDArray[np.float64]:
    """w* = (1, ..., 1)/sqrt(d), the unit vector across the boundary between the classes of ``pgs-toy``."""
    return np.full(d, d**-0.5)


def _text(n: int, d: int, seed: int, draws: float) -> Rows:
    """Draw n texts over d words as unit rows of weights.

    A row makes a log-normal number of draws (mean ``draws``, sigma 0.6, at least 4) with replacement; the word
    of rank r = 0, 1, ... has a probability proportional to (r + 12)^-1.05 (Zipf-Mandelbrot) and a random column.
    Each different word of the row gets the weight (1 + log(n / rows with the word)) (1 + Gamma(1/2, 1)); then the
    row is scaled to norm 1. Labels: +1 for the half with the largest <x_i, w> + noise, w_j ~ N(0, 1) for 20 % of
    the words and 0 for the others.
    """
    _check_storage(int(n * draws))
    rng = np.random.default_rng(seed)
    sigma = 0.6
    lengths = np.maximum(4, np.rint(rng.lognormal(np.log(draws) - sigma**2 / 2, sigma, n))).astype(np.int64)
    popularity = np.cumsum((np.arange(d) + 12.0) ** -1.05)
    ranks = np.searchsorted(popularity / popularity[-1], rng.random(lengths.sum()), side="right")
    cells = np.repeat(np.arange(n), lengths) * d + rng.permutation(d)[ranks]
    rows, columns = np.divmod(np.unique(cells), d)  # row by row, sorted, each word once
    rows_with_word = np.bincount(columns, minlength=d)
    inverse_frequency = 1.0 + np.log(n / np.maximum(1, rows_with_word))
    values = inverse_frequency[columns] * (1.0 + rng.gamma(0.5, 1.0, columns.size))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n))))
    X = unit_rows(sparse_rows(values, columns, offsets, (n, d)))
    w = rng.standard_normal(d) * (rng.random(d) < 0.2)
    return X, _largest_positive(_noisy(rng, X @ w), 0.5)


def _noisy(rng: np.random.Generator, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add normal noise of 0.3 standard deviations of the scores."""
    noise: NDArray[np.float64] = 0.3 * scores.std() * rng.standard_normal(scores.size)
    return scores + noise


def _largest_positive(scores: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Label the given share of rows with the largest scores +1 and the others -1."""
    y = np.full(scores.size, -1.0)
    y[np.argsort(scores, kind="stable")[scores.size - round(share * scores.size) :]] = 1.0
    return y


def _alternating(n: int) -> NDArray[np.float64]:
    """Return the labels +1, -1, +1, ..., shape (n,)."""
    return np.where(np.arange(n) % 2 == 0, 1.0, -1.0)


def _check_storage(entries: int) -> None:
    """Refuse a size that would store too many entries, before anything is drawn."""
    if entries > LARGEST_STORAGE:
        raise ValueError(
            f"a generated matrix may store at most {LARGEST_STORAGE} entries (got {entries}); use a smaller n or d"
        )
