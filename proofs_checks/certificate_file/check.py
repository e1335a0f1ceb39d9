"""Check a certificate file with Python's standard library alone:  python check.py CERTIFICATE DATA

    P(w, b)  = (1/S) sum_i s_i phi_i(x_i^T w + b) + (lam/2) ||w||^2 + l1 ||w||_1,      S = sum_i s_i
    D(alpha) = -(1/S) sum_i s_i phi_i*(alpha_i) - ||soft(u, l1)||^2/(2 lam),           u = (1/S) sum_i s_i alpha_i x_i

P(w, b) - min P <= P(w, b) - D(alpha) for every alpha in the domains of the phi_i*; a free intercept b also needs
sum_i s_i alpha_i = 0. Every number is a rational, and nothing is rounded, except for the logistic loss: e^x is replaced
by an upper bound, so that P(w, b) - D(alpha) is replaced by one too. The format is in docs/certificate_file.md.
Exit status: 0 accepted, 1 refused, 2 a file cannot be read.
"""

import hashlib
import math
import re
import struct
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

FIELDS = "producer data rows columns loss gamma lam l1 intercept weights w alpha bound".split()
FIELDS_LOGISTIC = [*FIELDS[:-1], "logs", "bound"]
LOSSES = ("squared", "smoothed-hinge", "squared-hinge", "hinge", "absolute", "logistic")
Row = tuple[float, list[tuple[int, float]]]


class Unreadable(ValueError):
    """A file is not in its format."""


def lines_of(text: str) -> list[str]:
    """The lines, which end in a line feed, or in a carriage return and a line feed."""
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def read_certificate(text: str) -> dict[str, list[str]]:
    """The words of each field. Raises Unreadable unless the lines are exactly those of the format, in their order."""
    first, *lines = lines_of(text) or [""]
    fields = FIELDS_LOGISTIC if "loss logistic" in lines else FIELDS
    if first != "dualgap certificate 1" or [line.split(" ")[0] for line in lines] != fields:
        raise Unreadable(f"a certificate has the line `dualgap certificate 1`, then one line each: {', '.join(fields)}")
    return {name: [word for word in words if word] for name, *words in (line.split(" ") for line in lines)}


def read_rows(text: str) -> Iterator[Row]:
    """The rows of LIBSVM text: a label, and pairs COLUMN:VALUE with ascending columns from 1; # begins a comment."""
    for number, line in enumerate(lines_of(text), 1):
        if not (words := [word for word in re.split("[ \t]", line.partition("#")[0]) if word]):
            continue
        label, *pairs = words
        if not all(re.fullmatch(r"[0-9]{1,15}:\S+", pair) for pair in pairs):
            raise Unreadable(f"line {number} of the data is not LABEL COLUMN:VALUE ...")
        entries = [(int(pair.partition(":")[0]), decimal(pair.partition(":")[2], number)) for pair in pairs]
        columns = [0, *(j for j, _ in entries)]
        if any(before >= j for before, j in zip(columns, columns[1:])):
            raise Unreadable(f"line {number} of the data: columns must ascend from 1")
        yield decimal(label, number) + 0.0, [(j, x) for j, x in entries if x != 0]


def decimal(text: str, line: int) -> float:
    """The double nearest to a decimal number."""
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text) or abs(float(text)) == float("inf"):
        raise Unreadable(f"line {line} of the data: {text[:40]!r} is not a finite decimal number")
    return float(text)


def checksum(rows: list[Row]) -> str:
    """SHA-256 of the rows: label, number of entries, column and value of each entry; 8 bytes each, little-endian."""
    digest = hashlib.sha256()
    for label, entries in rows:
        digest.update(struct.pack("<dq", label, len(entries)))
        digest.update(b"".join(struct.pack("<qd", j, x) for j, x in entries))
    return digest.hexdigest()


def number(word: str) -> Fraction:
    """The rational that is the double with these 16 hexadecimal digits."""
    if not re.fullmatch(r"[0-9a-f]{16}", word):
        raise Unreadable(f"{word[:40]!r}: a number is 16 hexadecimal digits, lower case")
    value = struct.unpack(">d", bytes.fromhex(word))[0]
    if value - value != 0:
        raise Unreadable(f"{word}: a number must be finite")
    return Fraction(value)


def exp_above(x: Fraction) -> Fraction:
    """At least e^x, x <= 1024: 1 + h + 2 h^2 with h = x/2^128, squared 128 times, each rounded up to whole 2^-256."""
    h = max(x, Fraction(-1024)) / 2**128
    r = math.ceil((1 + h + 2 * h * h) * 2**256)
    for _ in range(128):
        r = -((-r * r) >> 256)
    return Fraction(r, 2**256)


def value(loss: str, gamma: Fraction, y: Fraction, z: Fraction, log: Fraction) -> Fraction:
    """phi(z)."""
    rest = 1 - y * z
    match loss:
        case "squared":
            return (z - y) ** 2 / (2 * gamma)
        case "smoothed-hinge":
            return Fraction(0) if rest <= 0 else rest - gamma / 2 if rest >= gamma else rest**2 / (2 * gamma)
        case "squared-hinge":
            return max(Fraction(0), rest) ** 2
        case "hinge":
            return max(Fraction(0), rest)
        case "logistic":  # ln t <= u - 1 + t e^-u for every u, and nearly equal if u is nearly ln t
            u = max(log, Fraction(0), -y * z)
            return u - 1 + exp_above(-u) + exp_above(-y * z - u)
    return abs(z - y)


def conjugate(loss: str, gamma: Fraction, y: Fraction, a: Fraction, logs: list[Fraction]) -> Fraction | None:
    """phi*(a), None outside its domain or for a label that the loss does not have."""
    inside = {
        "squared": gamma > 0,
        "smoothed-hinge": gamma > 0 and y in (-1, 1) and -1 <= y * a <= 0,
        "squared-hinge": y in (-1, 1) and y * a <= 0,
        "hinge": y in (-1, 1) and -1 <= y * a <= 0,
        "absolute": -1 <= a <= 1,
        "logistic": y in (-1, 1) and -1 <= y * a <= 0,
    }[loss]
    if inside and loss == "logistic":
        terms = [(p, max(v, Fraction(-1024))) for p, v in zip((-y * a, 1 + y * a), logs)]
        return sum((p * (v - 1) + p * p * exp_above(-v) for p, v in terms), Fraction(0))
    square = {"squared": gamma / 2, "smoothed-hinge": gamma / 2, "squared-hinge": Fraction(1, 4)}.get(loss, 0)
    return y * a + square * a * a if inside else None


def exact_gap(field: dict[str, list[str]], rows: list[Row]) -> Fraction | str:
    """P(w, b) - D(alpha), for logistic an upper bound, or the reason why it proves nothing. Raises Unreadable."""

    def words(name: str, count: int = 1) -> list[str]:
        if len(field[name]) != count:
            raise Unreadable(f"{name} takes {count} word(s), the file has {len(field[name])}")
        return field[name]

    def numbers(name: str, count: int) -> list[Fraction]:
        return [number(word) for word in words(name, count)]

    if not all(re.fullmatch(r"[0-9]{1,15}", words(name)[0]) for name in ("rows", "columns")):
        raise Unreadable("rows and columns are natural numbers")
    n, d, (loss,) = int(words("rows")[0]), int(words("columns")[0]), words("loss")
    if loss not in LOSSES:
        raise Unreadable(f"the loss {loss[:40]!r} is not covered; covered: {', '.join(LOSSES)}")
    (gamma,) = numbers("gamma", 1) if loss in LOSSES[:2] else [Fraction(1)]
    (lam,), (l1,) = numbers("lam", 1), numbers("l1", 1)
    b = None if field["intercept"] == ["none"] else numbers("intercept", 1)[0]
    w, alpha = numbers("w", d), numbers("alpha", n)
    weights = [Fraction(1)] * n if field["weights"] == ["none"] else numbers("weights", n)
    S = sum(weights, Fraction(0))
    logs = numbers("logs", 3 * n) if loss == "logistic" else [Fraction(0)] * (3 * n)

    if len(rows) != n or checksum(rows) != words("data")[0]:
        return "the data are not those of the certificate"
    if any(entries and entries[-1][0] > d for _, entries in rows):
        return f"a row has a column beyond {d}"
    if not (lam > 0 and l1 >= 0 and S > 0 and d > 0 and min(weights) >= 0):
        return "lam, the number of columns and the sum of the weights must be positive, l1 and the weights not negative"
    if b is not None and sum(s * a for s, a in zip(weights, alpha)) != 0:
        return "with a free intercept, sum_i s_i alpha_i must be 0"
    losses, U = Fraction(0), [Fraction(0)] * (d + 1)  # U = S u, columns from 1
    for i, (s, a, (label, entries)) in enumerate(zip(weights, alpha, rows)):
        y, z = Fraction(label), sum((Fraction(x) * w[j - 1] for j, x in entries), b or Fraction(0))
        conj = conjugate(loss, gamma, y, a, logs[3 * i + 1 : 3 * i + 3])
        if conj is None:
            return "alpha is outside the domain of the conjugate, or a label is not one of the loss"
        losses += s * (value(loss, gamma, y, z, logs[3 * i]) + conj)
        for j, x in entries:
            U[j] += s * a * Fraction(x)
    regularizer = sum((lam / 2 * w_j**2 + l1 * abs(w_j) for w_j in w), Fraction(0))
    return losses / S + regularizer + sum(max(abs(U_j) / S - l1, Fraction(0)) ** 2 for U_j in U[1:]) / (2 * lam)


def judge(certificate: str, data: str) -> str | None:
    """None if the certificate is valid for the data, else the reason why not. Raises Unreadable."""
    field = read_certificate(certificate)
    bound = " ".join(field["bound"])
    if not re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*)?", bound):
        raise Unreadable("the bound is P or P/Q")
    gap = exact_gap(field, list(read_rows(data)))
    return gap if isinstance(gap, str) else None if gap <= Fraction(bound) else "the bound is below the gap of the pair"


def main(paths: list[str]) -> int:
    """Exit status 0 accepted, 1 refused, 2 unreadable."""
    if len(paths) != 2:
        print("usage: python check.py CERTIFICATE DATA", file=sys.stderr)
        return 2
    try:
        texts = [Path(path).read_bytes().decode("ascii") for path in paths]
        reason = judge(*texts)
    except (OSError, ValueError) as error:
        print(f"cannot read: {error}", file=sys.stderr)
        return 2
    print(f"refused: {reason}" if reason else f"accepted: P(w) - min P <= {read_certificate(texts[0])['bound'][0]}")
    return 1 if reason else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
