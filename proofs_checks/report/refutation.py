"""The story of a false printed statement: the instance, both sides of the inequality or equation that fails, what
holds instead, and how to recompute it.
"""

import math
import pathlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from dualgap.proofs_checks.claims.origins import GRAVITIES
from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.registry import HOLDS, REFUTED, all_claims
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.claims.strict_json import Json, read_json
from dualgap.proofs_checks.report import claim_view, summary

# further numbers of an instance that a reader knows, by their letters
SYMBOLS = {
    **{name: name for name in ("T", "L", "C", "w", "u", "v", "s", "z", "q", "n", "d")},
    **{name: rf"\{name}" for name in ("theta", "tau", "sigma", "kappa", "mu")},
    "eps": r"\varepsilon",
    "T0": "T_0",
    "horizon": "T",
    "sparsity": r"\text{sparsity}",
}
LONGEST = 24  # characters of a fraction that is shown exactly
SIGNS = {"<=": r"\le", "==": "=", "<": "<"}
MUST = {"<=": "must be at most", "==": "must be equal to", "<": "must be less than"}


@dataclass(frozen=True)
class Side:
    """One side of a relation: its exact value in LaTeX, "" where that is too long, and its decimals with = or ≈."""

    tex: str
    decimal: str


@dataclass(frozen=True)
class Refutation:
    """The story of one refuted statement.

    Attributes
    ----------
    row : its result.
    label : the paper's label of the statement.
    gravity : which kind of error it is, as a phrase.
    printed : the formulas of its items as the paper prints them, in LaTeX between dollars.
    numbers : the instance, each part in LaTeX between dollars or in words.
    line, sign, must, left, right : the first relation that is false.
    instead, supported : the result of the claim that holds instead, and its evidence as a sentence.
    replay : the command.
    """

    row: ClaimResult
    label: str
    gravity: str
    printed: list[str]
    numbers: list[str]
    line: str
    sign: str
    must: str
    left: Side
    right: Side
    instead: ClaimResult | None
    supported: str
    replay: str


def refutations(report: AuditReport) -> list[Refutation]:
    """The printed statements that are false as expected, with their counterexamples, the gravest first."""
    rows = [row for row in report.claims if row.kind == "printed" and row.status == REFUTED and row.as_expected]
    order = {gravity: place for place, gravity in enumerate(GRAVITIES)}
    rows.sort(key=lambda row: order.get(row.gravity, len(order)))
    return [told for row in rows if row.counterexample for told in _told(row, report)]


def _told(row: ClaimResult, report: AuditReport) -> Iterator[Refutation]:
    path = pathlib.Path(str(row.counterexample))
    record = read_json(path)
    line = next((line for line in record["chain"] if not line["holds"]), None)
    if line is None:
        return
    left, right = (side(line[name]["exact"]) for name in ("left", "right"))
    instead = next((other for other in report.claims if other.id == row.instead and other.status == HOLDS), None)
    supported = "" if instead is None else f"{summary.tried(instead)}; {summary.strongest(instead)[1]}."
    yield Refutation(
        row,
        _label(row.statement),
        GRAVITIES.get(row.gravity, "a printed statement"),
        printed_formulas(row.id),
        list(numbers(record["instance"])),
        line["label"],
        SIGNS[line["sign"]],
        MUST[line["sign"]],
        left,
        right,
        instead,
        supported,
        claim_view.replay_of(row),
    )


def printed_formulas(name: str) -> list[str]:
    """Return the formulas that the paper prints at the items of a claim, if known; none for a claim that is not
    registered."""
    claim = all_claims().get(name)
    if claim is None or claim.origin.paper not in all_papers():
        return []
    items = map(all_papers()[claim.origin.paper].item, claim.origin.items)
    return [item.formula for item in items if item.formula]


def _label(statement: str) -> str:
    """Return the paper's name of a statement, without a formula at the end of a long name."""
    label = statement.partition(":")[0]
    return label if len(label) < 60 else re.split(r", (?=\W)", label)[0]


def side(exact: str) -> Side:
    r"""Format one side of an inequality.

    >>> side("5084981/422500"), side("7").decimal
    (Side(tex='\\frac{5084981}{422500}', decimal='≈ 12.0355'), '')
    """
    if exact.startswith("Interval"):
        low, high = (float(part) for part in exact[len("Interval(") : -1].split(","))
        return Side("", f"≈ {(low + high) / 2:.6g}")
    number = _rational(exact)
    if number is None:
        return Side("", exact)
    decimal = f"{Decimal(number.numerator) / number.denominator:.6g}"
    equal = "=" if Fraction(decimal) == number else "≈"
    return Side(
        fraction(exact) if len(exact) <= LONGEST else "",
        "" if number.denominator == 1 and len(exact) <= LONGEST else f"{equal} {decimal}",
    )


def _rational(text: object) -> Fraction | None:
    """The number that a text spells; None for another text, such as inf."""
    try:
        return Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        return None


def fraction(exact: str) -> str:
    r"""A rational in LaTeX; another text as it is.

    >>> fraction("-5/16"), fraction("7"), fraction("inf")
    ('-\\frac{5}{16}', '7', '\\mathrm{inf}')
    """
    number = _rational(exact)
    if number is None:
        return rf"\mathrm{{{exact}}}"
    whole = (
        str(abs(number.numerator))
        if number.denominator == 1
        else rf"\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
    )
    return f"-{whole}" if number < 0 else whole


def numbers(instance: Json) -> Iterator[str]:
    """The parts of an instance that the statement speaks of."""
    rows, extra = instance.get("rows") or [], instance.get("extra") or {}
    blocks = [block for block in extra.get("A") or [] if isinstance(block, list)]
    own_rows = any(value != "0" for row in rows for value in row)
    if own_rows:
        yield f"$A = {matrix(rows)}$"
        yield from _vectors(instance, (("y", "y"), ("alpha", r"\alpha^0")))
    for number, block in enumerate(blocks, 1):
        yield f"$A_{number} = {matrix(block)}$"
    if side := math.isqrt(len(extra.get("W") or [])):  # a quadratic form, row by row
        yield f"$W = {matrix([extra['W'][k : k + side] for k in range(0, side * side, side)])}$"
    given = [("p", "p"), ("ball", "B")]
    if own_rows or blocks:
        given = [("lam", r"\lambda"), ("gamma", r"\gamma"), *given]
    for name, symbol in given:
        if instance.get(name) is not None:
            yield f"${symbol} = {fraction(instance[name])}$"
    if instance.get("ball") is not None and instance.get("p") is None:
        yield "$p = 2$"  # what p is where it is left out
    options = instance.get("options") or {}
    if "m" in options:
        yield f"$m = {options['m']}$"
    yield from (f"${SYMBOLS[name]} = {_value(value)}$" for name, value in extra.items() if name in SYMBOLS)
    loss = extra.get("block_loss", instance.get("loss", ""))
    if loss and (own_rows or blocks):
        yield f"{loss} loss"


def _vectors(instance: Json, named: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The vectors that an instance has, of (name of the field, symbol)."""
    for name, symbol in named:
        if instance.get(name):
            yield f"${symbol} = {vector(instance[name])}$"


def _value(value: object) -> str:
    if isinstance(value, list):
        return _value(value[0]) if len(value) == 1 else vector([str(item) for item in value])
    return fraction(str(value))


def matrix(rows: Sequence[Sequence[str]]) -> str:
    """Return a matrix in LaTeX."""
    lines = r" \\ ".join(" & ".join(map(fraction, row)) for row in rows)
    return rf"\begin{{matrix}} {lines} \end{{matrix}}"


def vector(values: Sequence[str]) -> str:
    """Return a vector in LaTeX, or its entry if there is only one."""
    inside = ", ".join(map(fraction, values))
    return inside if len(values) == 1 else f"({inside})"
