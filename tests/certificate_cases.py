"""Certificate files drawn for every loss, regularizer, kind of weights and intercept; corrupted ones; and what is wrong
with a checker that judges them.

``is_true`` decides by the reference's own formulas over rationals, and over intervals for the logistic loss. No checker
uses them.
"""

import hashlib
import struct
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from certificate_judges import with_line

from dualgap.proofs_checks.certificate_file.write import certificate_text, rows_of
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode
from dualgap.reference import LOSSES, ElasticNet, InterceptProblem, Interval, Problem
from dualgap.reference.numbers.arithmetic import Number, NumberType
from dualgap.reference.problem.weighted_problem import WeightedProblem

SEED = 43
COVERED = ("squared", "smoothed-hinge", "squared-hinge", "hinge", "absolute", "logistic")
KINDS = tuple(product(COVERED, (0.0, 0.1), ("equal", "weights"), ("none", "free")))  # 48; 0.1 is l1
Judge = Callable[[str, str], int]  # certificate, data -> exit status


class File(NamedTuple):
    text: str
    data: str


@cache
def drawn(k: int) -> File:
    """File number k, of the kind number k modulo 48: a small problem with a pair."""
    name, l1, weights, intercept = KINDS[k % len(KINDS)]
    rng: np.random.Generator = np.random.default_rng([SEED, k])
    free, loss = intercept == "free", LOSSES[name](2.0 ** rng.integers(-3, 4) if LOSSES[name].adjustable else None)
    for _ in range(50):  # an alpha that cannot be balanced is drawn again
        n, d = int(rng.integers(2 if free else 1, 7)), int(rng.integers(1, 5))
        scales = 2.0 ** rng.choice([*range(-8, 9), -1060], size=d)
        X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7) * scales
        y = rng.choice([-1.0, 1.0], size=n) if loss.margin else rng.normal(size=n)
        if free:
            y[:2] = [-1.0, 1.0]
        size = rng.choice([0.0, 0.25, rng.random(), 1.0], size=n)
        alpha = -y * size if loss.margin else rng.choice([-1.0, 1.0], size=n) * size
        regularizer = ElasticNet(float(rng.exponential() + 1e-3), l1)
        s = None if weights == "equal" else rng.integers(1, 9, n) if free else rng.exponential(size=n) + 0.01
        problem: Problem
        if free:
            problem = InterceptProblem(X, y, loss, regularizer, s)
        else:
            problem = Problem(X, y, loss, regularizer) if s is None else WeightedProblem(X, y, loss, regularizer, s)
        w = rng.normal(size=d) * rng.choice([0.0, 1.0], size=d) if rng.random() < 0.5 else problem.w(alpha.tolist())
        b = float(rng.normal()) if free and rng.random() < 0.5 else None
        try:
            text = certificate_text(problem, np.asarray(w, float), alpha, b)
        except ValueError as error:
            if "balanced" not in str(error):
                raise
            continue
        return File(
            text, "".join(" ".join([repr(y), *(f"{j}:{x!r}" for j, x in row)]) + "\n" for y, row in rows_of(problem))
        )
    raise AssertionError(f"file {k} has no pair")


def one_less(text: str) -> str:
    """The file whose bound p/q is lowered to (p - 1)/q."""
    head, _, bound = text.rstrip("\n").rpartition(" ")
    p, _, q = bound.partition("/")
    return f"{head} {int(p) - 1}/{q}\n"


def is_true(text: str, data: str) -> bool:
    """Whether the file has the format, belongs to the data, and states P(w, b) - D(alpha) <= bound rightly."""
    try:
        gap, bound = gap_and_bound(text, data)
    except (ValueError, KeyError, OverflowError, ZeroDivisionError):
        return False
    return bool((Fraction(gap.low) if isinstance(gap, Interval) else gap) <= bound)


# A guess of a logarithm with an error e adds at most e^2 to the bound. It is a double below 2^20, so e < 2^-32.
EXCESS = Fraction(1, 2**63)


def is_exact(text: str, data: str) -> bool:
    """Whether the bound is P(w, b) - D(alpha); for logistic, whether it is in the interval that encloses it."""
    gap, bound = gap_and_bound(text, data)
    if isinstance(gap, Interval):
        return max(Fraction(0), Fraction(gap.low)) <= bound <= Fraction(gap.high) + EXCESS
    return bool(gap == bound >= 0)


def gap_and_bound(text: str, data: str) -> tuple[Fraction | Interval, Fraction]:
    """P(w, b) - D(alpha) by the reference, for logistic an interval, and the bound. Raises ValueError or KeyError."""
    (text + data).encode("ascii")
    first, *lines = text.removesuffix("\n").split("\n")
    names = "producer data rows columns loss gamma lam l1 intercept weights w alpha bound"
    names = names.replace("bound", "logs bound") if "loss logistic" in lines else names
    if first != "dualgap certificate 1" or [line.split(" ")[0] for line in lines] != names.split():
        raise ValueError(first)
    field = {line.split(" ")[0]: line.split(" ")[1:] for line in lines}
    labels, rows = [], []
    for line in data.removesuffix("\n").split("\n"):
        label, *pairs = line.split(" ")
        entries = [(int(j), _decimal(x)) for j, x in (pair.split(":") for pair in pairs)]
        labels.append(_decimal(label))
        rows.append([(j, x) for j, x in entries if x != 0])
    n, d = int(*field["rows"]), int(*field["columns"])
    if _checksum(labels, rows) != " ".join(field["data"]) or n != len(rows):
        raise ValueError("checksum")

    def numbers(name: str, count: int) -> list[Fraction]:
        if len(field[name]) != count or any(len(word) != 16 for word in field[name]):
            raise ValueError(name)
        return [Fraction(decode(word)) for word in field[name]]

    (loss,) = field["loss"]
    phi = LOSSES[loss](*numbers("gamma", 1) if LOSSES[loss].adjustable else ())
    regularizer = ElasticNet(*numbers("lam", 1), *numbers("l1", 1))
    s = [Fraction(1)] * n if field["weights"] == ["none"] else numbers("weights", n)
    X = [[dict(row).get(j, 0.0) for j in range(1, d + 1)] for row in rows]
    if any(j > d for row in rows for j, _ in row):
        raise ValueError("column")
    w, alpha, (bound,) = numbers("w", d), numbers("alpha", n), field["bound"]
    numbers("logs", 3 * n) if loss == "logistic" else None
    number: NumberType = Interval if loss == "logistic" else Fraction
    free = field["intercept"] != ["none"]
    if free and sum(s_i * a for s_i, a in zip(s, alpha)) != 0:
        raise ValueError("balance")
    problem = WeightedProblem(X, labels, phi, regularizer, s, number=number, d=d)
    if free:  # the intercept is the coefficient of one more column in x_i^T w, and has no part in g
        b = numbers("intercept", 1)[0]
        losses = [
            phi.value(number(sum((Fraction(x) * w_j for x, w_j in zip(row, w)), b)), y) for row, y in zip(X, problem.y)
        ]
        primal: Number = problem.mean(losses) + problem.regularizer.value([number(w_j) for w_j in w])
    else:
        primal = problem.P([number(w_j) for w_j in w])
    return primal - problem.D([number(a) for a in alpha]), Fraction(bound)


def _checksum(labels: list[float], rows: list[list[tuple[int, float]]]) -> str:
    words = [
        struct.pack("<dq", y, len(row)) + b"".join(struct.pack("<qd", *entry) for entry in row)
        for y, row in zip(labels, rows)
    ]
    return hashlib.sha256(b"".join(words)).hexdigest()


def _decimal(text: str) -> float:
    if not set(text) <= set("0123456789+-.eE"):
        raise ValueError(text)
    return float(text) + 0.0


# ---- Altered by hand: (certificate, data, exit status of both checkers). ----
EXAMPLE = Problem(
    [[1.0, 0.5], [0.0, 2.0], [-1.5, 0.0]], [1.0, -1.0, 1.0], LOSSES["hinge"](None), ElasticNet(0.5, 0.125)
)
PAIR = ([0.25, -0.5], [-0.5, 1.0, -1.0])
DATA = "1.0 1:1.0 2:0.5\n-1.0 2:2.0\n1.0 1:-1.5\n"
TEXT = certificate_text(EXAMPLE, *PAIR)
MINUS_ZERO, TWO, NAN = encode(-0.0), encode(2.0), encode(float("nan"))
LOOSE = with_line(TEXT, "bound", "1000000000")  # so that the bound is not the reason of a refusal
ALTERED = {
    "untouched": (TEXT, DATA, 0),
    "other notation of the data": (TEXT, "1 1:1e0 2:.5\r\n-1\t2:2\n+1 1:-1.5 2:0\n", 0),
    "-0 in w": (with_line(TEXT, "w", f"{MINUS_ZERO} {MINUS_ZERO}"), DATA, 1),
    "a value": (LOOSE, DATA.replace("2:0.5", "2:0.5000000000000001"), 1),
    "a row less": (LOOSE, DATA.partition("\n")[2], 1),
    "checksum": (with_line(LOOSE, "data", "0" * 64), DATA, 1),
    "alpha outside": (
        with_line(LOOSE, "alpha", " ".join(encode(a) for a in (-0.5, 1.0, -1.0000000000000002))),
        DATA,
        1,
    ),
    "one bit of alpha": (
        with_line(TEXT, "alpha", " ".join(encode(a) for a in (-0.49999999999999994, 1.0, -1.0))),
        DATA,
        1,
    ),
    "lam 0": (with_line(LOOSE, "lam", encode(0.0)), DATA, 1),
    "l1 negative": (with_line(LOOSE, "l1", encode(-0.125)), DATA, 1),
    "an unknown loss": (with_line(TEXT, "loss", "huber"), DATA, 2),
    "weights of 0": (with_line(LOOSE, "weights", " ".join([encode(0.0)] * 3)), DATA, 1),
    "a negative weight": (with_line(LOOSE, "weights", " ".join(map(encode, (1.0, 1.0, -1.0)))), DATA, 1),
    "an intercept without balance": (with_line(LOOSE, "intercept", encode(0.0)), DATA, 1),
    "a larger bound": (with_line(TEXT, "bound", "1000"), DATA, 0),
    "a negative bound": (with_line(TEXT, "bound", "-1/2"), DATA, 1),
    "bound P/0": (with_line(TEXT, "bound", "1/0"), DATA, 2),
    "nan": (with_line(TEXT, "w", f"{NAN} {TWO}"), DATA, 2),
    "upper case": (with_line(TEXT, "lam", "3FE0000000000000"), DATA, 2),
    "logistic without logarithms": (with_line(TEXT, "loss", "logistic"), DATA, 2),
    "version 2": (TEXT.replace("certificate 1", "certificate 2"), DATA, 2),
    "lines exchanged": (
        with_line(with_line(TEXT, "lam", TWO), "l1", TWO).replace("lam", "x").replace("l1", "lam"),
        DATA,
        2,
    ),
    "empty": ("", DATA, 2),
    "columns that fall": (TEXT, DATA.replace("1:1.0 2:0.5", "2:0.5 1:1.0"), 2),
    "infinite": (TEXT, DATA.replace("2:2.0", "2:1e400"), 2),
    "a blank line": (TEXT, DATA + "\n", 0),
    "a comment": (TEXT, DATA.replace("\n", " # first\n", 1) + "# last\n", 0),
    "a comment instead of a row": (TEXT, "#" + DATA, 1),
    "no data": (LOOSE, "", 1),
    "a form feed between rows": (TEXT, DATA.replace("\n", "\f"), 2),
    "a tab in the certificate": (TEXT.replace(" ", "\t"), DATA, 2),
    "an underscore in a number": (TEXT, DATA.replace("2:2.0", "2:0_2.0"), 2),
    "a producer that is not ASCII": (with_line(TEXT, "producer", "\xe9"), DATA, 2),
}


def one_row(loss: str, y: float, alpha: float, gamma: float | None = None) -> tuple[str, str]:
    """The file of one row x = 1 with a bound that is large enough, and its data."""
    loose = LOOSE.replace("bound", f"logs {' '.join([encode(0.0)] * 3)}\nbound") if loss == "logistic" else LOOSE
    text = with_line(with_line(loose, "data", _checksum([y], [[(1, 1.0)]])), "alpha", encode(alpha))
    gamma = 1.0 if gamma is None and LOSSES[loss].adjustable else gamma
    changed = {"rows": "1", "columns": "1", "loss": loss, "w": encode(0.0)}
    for name, words in {**changed, "gamma": "none" if gamma is None else encode(gamma)}.items():
        text = with_line(text, name, words)
    return text, f"{y!r} 1:1.0\n"


# (loss, y, alpha, exit status): the ends of the domains and the next number, and labels that a loss does not have.
MARGINS = (*COVERED[1:4], "logistic")
TINY, BEYOND = 2.0**-1074, 1 + 2.0**-52
ENDS = [
    *((loss, y, y * a, s) for loss in MARGINS for y in (1.0, -1.0) for a, s in ((0.0, 0), (-1.0, 0), (TINY, 1))),
    *((loss, y, -y * BEYOND, int(loss != "squared-hinge")) for loss in MARGINS for y in (1.0, -1.0)),
    *((loss, y, -0.25 * y, 1) for loss in MARGINS for y in (2.0, 0.5, -0.5, 1 + 2.0**-52, 0.0)),
    *(("absolute", 2.0, sign * a, s) for sign in (1, -1) for a, s in ((1.0, 0), (BEYOND, 1), (TINY, 0))),
    *(("squared", -3.0, a, 0) for a in (-7.0, TINY, 1.5)),
]
ALTERED |= {f"{loss}, y = {y}, alpha = {a}": (*one_row(loss, y, a), status) for loss, y, a, status in ENDS}
ALTERED |= {f"{loss}, gamma = {g}": (*one_row(loss, 1.0, -0.5, g), 1) for loss in COVERED[:2] for g in (0.0, -1.0)}


# ---- Corruptions: (generator, file, another file) -> the corrupted file. ----
def _lines(text: str, change: Callable[[list[str]], object]) -> str:
    lines = text.splitlines()
    change(lines)
    return "\n".join(lines) + "\n"


def _flipped(rng: np.random.Generator, text: str) -> str:
    at = int(rng.integers(len(text)))
    return text[:at] + chr(ord(text[at]) ^ 1 << int(rng.integers(8))) + text[at + 1 :]


def _number(rng: np.random.Generator, text: str, names: Iterable[str], change: Callable[[str], str]) -> str:
    """The text with one number of one of these lines changed."""
    found = text.splitlines()
    places = [
        (i, j) for i, line in enumerate(found) if line.split(" ")[0] in names for j in range(1, line.count(" ") + 1)
    ]
    i, j = places[rng.integers(len(places))]
    words = found[i].split(" ")
    words[j] = change(words[j])
    return _lines(text, lambda lines: lines.__setitem__(i, " ".join(words)))


def _bit(rng: np.random.Generator, word: str) -> str:
    return f"{int(word, 16) ^ 1 << int(rng.integers(64)):016x}" if len(word) == 16 else word


def _value(rng: np.random.Generator, data: str, change: Callable[[str], str]) -> str:
    """The data with one label or value changed."""
    words = data.replace("\n", " \n ").replace(":", " : ").split(" ")
    places = [k for k, word in enumerate(words) if "." in word]
    k = places[rng.integers(len(places))]
    words[k] = change(words[k])
    return " ".join(words).replace(" \n ", "\n").replace(" : ", ":").removesuffix(" ")


FORMATS: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda word: "0x" + word,
    lambda word: repr(decode(word)) if len(word) == 16 else "1.0",
    lambda word: word[:8],
    lambda word: "+" + word,
)
CORRUPTIONS: dict[str, Callable[[np.random.Generator, File, File], tuple[str, str]]] = {
    "other data": lambda rng, f, o: (f.text, o.data),
    "a value of the data": lambda rng, f, o: (
        f.text,
        _value(rng, f.data, lambda x: repr(decode(_bit(rng, encode(float(x)))))),
    ),
    "one bit of the pair": lambda rng, f, o: (_number(rng, f.text, ("w", "alpha"), lambda x: _bit(rng, x)), f.data),
    "another parameter": lambda rng, f, o: (
        _number(rng, f.text, ("gamma", "lam", "l1", "weights", "intercept"), lambda x: _bit(rng, x)),
        f.data,
    ),
    "the bound": lambda rng, f, o: (one_less(f.text), f.data),
    "the hash": lambda rng, f, o: (_lines(f.text, lambda lines: lines.__setitem__(2, o.text.splitlines()[2])), f.data),
    "one bit of the certificate": lambda rng, f, o: (_flipped(rng, f.text), f.data),
    "one bit of the data": lambda rng, f, o: (f.text, _flipped(rng, f.data)),
    "a truncated certificate": lambda rng, f, o: (f.text[: rng.integers(len(f.text))], f.data),
    "a line twice": lambda rng, f, o: (
        _lines(f.text, lambda lines: lines.insert(i := int(rng.integers(1, 14)), lines[i])),
        f.data,
    ),
    "another format of a number": lambda rng, f, o: (
        _number(rng, f.text, ("lam", "l1", "w", "alpha"), FORMATS[rng.integers(len(FORMATS))]),
        f.data,
    ),
}


@cache
def corrupted(k: int) -> tuple[str, str, str]:
    """Corruption number k: its name, the certificate and the data. ``is_true`` of them is False."""
    name = list(CORRUPTIONS)[k % len(CORRUPTIONS)]
    rng: np.random.Generator = np.random.default_rng([SEED, 1, k])
    for _ in range(500):
        file, other = (drawn(int(number)) for number in rng.integers(200, size=2))
        text, data = CORRUPTIONS[name](rng, file, other)
        if (text, data) != tuple(file) and not is_true(text, data):
            return name, text, data
    raise AssertionError(f"no corruption of the kind {name!r} makes a file false")


def complaints(judge: Judge, files: int, corruptions: int) -> Iterator[str]:
    """What is wrong with a checker: a drawn file that it refuses, or a corrupted one that it accepts."""
    for k in range(files):
        text, data = drawn(k)
        if (status := judge(text, data)) != 0:
            yield f"file {k} has exit status {status}"
        if (status := judge(one_less(text), data)) != 1:
            yield f"file {k} with a bound that is too low has exit status {status}"
    for k in range(corruptions):
        name, text, data = corrupted(k)
        if judge(text, data) == 0:
            yield f"corruption {k}, {name}, is accepted"
