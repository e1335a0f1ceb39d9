"""Cases at the limits of the representation: large integers, long rows, tiny changes, ends of a domain, and subnormal
numbers. Each group is a separate file, so that published files do not change.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import inf, nextafter

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.error_bounds.number import Trace
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, GAMMA, Draw
from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case
from dualgap.proofs_checks.conformance.vectors.steps import TRIES, Found
from dualgap.reference import LOSSES

# each next to what a float, six digits, 32 bits with and without a sign, and a double hold
INTEGERS = (100_000, 2**24, 2**31 - 1, 2**32 - 1, 2**53 - 1, 2**53 + 1)
TINY = Fraction(1, 2**48)  # of the numbers of a step, 1 in published ones: its changes are below 10^-14
SUBNORMAL = Fraction(1, 2**1036)  # as above: sums and products of few bits stay multiples of 2^-1074
SUBNORMALS = "subnormals"  # which a port may declare that it lacks
ROWS = {row.name: row for row in FIRST_ROWS}


def _drawn(name: str, draw: Draw, loss: str, with_l1: bool, shape: str) -> Json:
    """A step of class E, if it is one: on the row with the most entries, where the method lets one choose."""
    return ROWS[name].request(draw, DYADIC, ROWS[name].problem(draw, DYADIC, loss, with_l1, shape), 0)


def _first(requests: Iterator[Json], wanted: str = "ERT", relative: bool = False) -> Iterator[Found]:
    """The first request of which something is due, in one of these classes. Raises AssertionError where none is."""
    for given in requests:
        result = make_case("step", hex_floats.plain(given), relative=relative)
        if result is not None and result.tolerance_class in wanted:
            yield "step", given, result
            return
    raise AssertionError("no such step: widen draws")


def _integers() -> Iterator[Found]:
    """Steps of PGS at a late round."""
    for t in INTEGERS:
        draw = Draw(f"integers {t}")
        drawn = (_drawn("pgs", draw, "smoothed-hinge", False, "two-rows") for _ in range(TRIES))
        late = ({**given, "state": {**given["state"], "t": t}} for given in drawn)
        yield from _first(late, relative=True)  # w is near 0 there


def _long_rows() -> Iterator[Found]:
    """A row of 100 entries, and one of 1,000: of class E, as a tolerance would have to grow with the entries, and
    without a clip, which would hide a wrong product with the row.
    """
    for shape in random_data.LONG_ROWS:
        for name in ROWS:
            if (shape, name) == (random_data.LONG_ROWS[-1], "spdc-nonuniform"):
                continue  # it reads its rows as spdc does, and the files stay below 6 MB
            divides = name == "sdca"  # by a number in which the row's norm is
            draw, loss = Draw(f"long rows {name} {shape}"), "smoothed-hinge" if divides else "squared"
            drawn = (_drawn(name, draw, loss, True, shape) for _ in range(TRIES))
            yield from _first(map(_exact_divisor, drawn) if divides else drawn, "E")


def _exact_divisor(given: Json) -> Json:
    """The step of SDCA with another gamma: gamma + |x_i|^2/(lam n), by which it divides, is then a power of 2."""
    p = given["problem"]
    row = slice(*p["starts"][given["choice"] : given["choice"] + 2])
    lam, *x = (Fraction(hex_floats.decode(text[:16])) for text in (p["lam"], *p["values"][row]))
    curvature = sum(value**2 for value in x) / (lam * p["n"])
    power = 1 << int(curvature).bit_length()
    return {**given, "problem": {**p, "gamma": hex_floats.spell_given(float(power - curvature))}}


def _scaled(factor: Fraction) -> Iterator[Found]:
    """Steps with the squared loss and no l1, linear in the targets and the state: both times ``factor``."""
    for name in ROWS:
        draw = Draw(f"scaled {name} {float(factor)}")
        drawn = (_drawn(name, draw, "squared", False, DYADIC.shapes[k % 5]) for k in range(TRIES))
        yield from _first((_times(factor, given) for given in drawn), "E")


def _subnormal() -> Iterator[Found]:
    """The steps of ``_scaled`` with numbers below 2^-1022: due is ``SUBNORMAL`` times the large result."""
    for call, given, result in _scaled(Fraction(1)):
        small = _times(SUBNORMAL, given)
        due = hex_floats.mapped(result.due, _spell_subnormal)
        exact = Independent().answer(call, hex_floats.plain(small))
        if hex_floats.rationals(hex_floats.plain(due)) != exact:
            raise AssertionError(f"a step of {given['method']} is not linear, or not exact")
        yield call, small, ExpectedResult(due, "E", {}, result.trace)


def _spell_subnormal(text: str) -> str:
    return hex_floats.spell_given(float(SUBNORMAL * Fraction(hex_floats.decode(text))))


def _times(factor: Fraction, given: Json) -> Json:
    def scaled(text: str) -> str:
        return hex_floats.spell_given(float(factor * Fraction(hex_floats.decode(text))))

    problem = {**given["problem"], "y": hex_floats.mapped(given["problem"]["y"], scaled)}
    return {**given, "problem": problem, "state": hex_floats.mapped(given["state"], scaled)}


def _domains() -> Iterator[Found]:
    """phi* at the nearest double outside the domain, and 1e-15 and 1e-9 outside it: infinite."""
    for loss, kind in LOSSES.items():
        ends = [(end, side) for end, side in zip(kind.ends, (-inf, inf)) if end is not None]
        for end, side in ends:
            beyond = [nextafter(float(end), side)] if end else []  # next to 0 it would be subnormal
            for b in (*beyond, *(float(end) + (distance if side > 0 else -distance) for distance in (1e-15, 1e-9))):
                for y in (1.0, -1.0):
                    alpha = b if loss in random_data.REGRESSION else -y * b
                    numbers = {"gamma": GAMMA.get(loss, 0.5), "alpha": alpha, "y": y}
                    given: Json = {"loss": loss} | {name: hex_floats.spell_given(x) for name, x in numbers.items()}
                    due = Independent().answer("loss.conjugate", hex_floats.plain(given))
                    if due != {"value": None}:
                        raise AssertionError(f"phi* of {loss} is finite at {alpha!r}")
                    infinite = {"value": f"{hex_floats.INFINITY} inf"}
                    yield "loss.conjugate", given, ExpectedResult(infinite, "E", due, Trace())


SUBJECTS: dict[str, tuple[str, Callable[[], Iterator[Found]]]] = {  # subject: its level, and what makes its cases
    "integers": ("L1", _integers),
    "long-rows": ("L1", _long_rows),
    "tiny-changes": ("L1", partial(_scaled, TINY)),
    "domains": ("L0", _domains),
    SUBNORMALS: ("L1", _subnormal),
}
