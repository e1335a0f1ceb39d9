"""Steps where an implementation that is right elsewhere may be wrong: at the threshold of the elastic net, and with
numbers far from 1.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.primal import PNormRow
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, WIDE, Draw
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case, numbers
from dualgap.proofs_checks.conformance.vectors.steps import TRIES, Found, wanted
from dualgap.reference.numbers.rational import nearest

# from the threshold, the first found
NEAREST = tuple(("E", Fraction(1, 2**bits)) for bits in (42, 36, 30)) + (("R", Fraction(1, 2**19)),)
DEAD = Fraction(1, 2**18)  # within this of the threshold an implementation with a dead zone gives 0
SCALES = ((1e-100, 1e-60, 1e-30), (1e100, 1e60, 1e30))  # of the data, the first at which no result is out of range
WIDEST = Fraction(1, 2**40)  # a tolerance, in parts of the number: 1e-100 must not be lost in one that suits 1
RANGE = (Fraction(10) ** -290, Fraction(10) ** 290)  # of the numbers of a case, zero apart


class _Recording(Independent):
    """Remembers what the soft threshold is given: every (l1, u) of ``minimizer``."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[tuple[Fraction, Vector]] = []

    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        self.met.append((l1, list(u)))
        return super().minimizer(lam, l1, u)


class _DeadZone(Independent):
    """Gives 0 a little beyond the threshold too."""

    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        return [
            Fraction(0) if l1 < abs(u_j) <= l1 + DEAD else w_j for u_j, w_j in zip(u, super().minimizer(lam, l1, u))
        ]


class _Leaking(Independent):
    """Lets through what is a little inside the threshold."""

    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        return super().minimizer(
            lam,
            max(l1 - DEAD, Fraction(0)),
            [u_j - DEAD * (1 if u_j > 0 else -1) if abs(u_j) > l1 else u_j for u_j in u],
        )


def edges(row: MethodSpec) -> Iterator[Found]:
    """Just beyond the threshold on both sides, and inside it; then small and large data, and many rows and columns."""
    exact = next((loss for loss in row.losses if "E" in row.classes(loss)), None)
    if True in row.nets and exact is not None:
        for wrong, side in product((_DeadZone, _Leaking), (1, -1)):
            yield from _at_threshold(row, exact, side, wrong)
    if row.name != PNormRow.name:  # whose powers of such numbers leave the doubles
        for scales in SCALES:
            yield from _scaled(row, scales)
    yield from _wide(row)


def _at_threshold(row: MethodSpec, loss: str, side: int, wrong: type[Independent]) -> Iterator[Found]:
    """A step, of class E if one is found, in which one number given to the soft threshold is ``side`` times l1 and a
    little more, or less.

    Exactly that number decides: the implementation that is wrong within ``DEAD`` of the threshold gives another result.
    """
    draw = Draw(f"threshold {row.name} {side} {wrong.__name__}")
    for tolerance_class, distance in NEAREST:
        beyond = distance if wrong is _DeadZone else -distance
        for attempt in range(TRIES // 4):
            p = row.problem(draw, DYADIC, loss, True, DYADIC.shapes[attempt % len(DYADIC.shapes)])
            given = row.request(draw, DYADIC, p)
            for steered in _steered(given, side, beyond):
                found = wanted("step", steered, tolerance_class)
                found = found if found is not None and _sharp(found[2], 1) else None
                exact = hex_floats.rationals(hex_floats.plain(steered))
                if found is not None and wrong().exactly("step", exact) != Independent().exactly("step", exact):
                    yield found
                    return
    raise AssertionError(f"no step at the threshold for {row.name}, {loss}: widen draws")


def _steered(given: Json, side: int, beyond: Fraction) -> Iterator[Json]:
    """Requests with one number of the state moved: the first soft threshold gets side (l1 + beyond) somewhere."""
    exact = hex_floats.rationals(hex_floats.plain(given))
    before = _met(exact)
    if before is None or before[0] == 0:
        return
    l1, u = before
    for name, values in given["state"].items():
        if not (
            isinstance(values, list)
            and len(values) == given["problem"]["d"]
            and all(isinstance(v, str) for v in values)
        ):
            continue
        for j in range(len(values)):
            moved = {
                **exact,
                "state": {**exact["state"], name: [x + (k == j) for k, x in enumerate(exact["state"][name])]},
            }
            after = _met(moved)
            if after is None or len(after[1]) != len(u):
                continue
            for place, (one, two) in enumerate(zip(u, after[1])):
                if one != two:
                    due = exact["state"][name][j] + (side * (l1 + beyond) - u[place]) / (two - one)
                    if Fraction(number := nearest(due)) == due:
                        new = [hex_floats.spell_given(number) if k == j else text for k, text in enumerate(values)]
                        yield {**given, "state": {**given["state"], name: new}}


def _met(exact: Json) -> tuple[Fraction, Vector] | None:
    """What the first soft threshold of a step is given; None where there is none, or no result."""
    recording = _Recording()
    try:
        recording.exactly("step", exact)
    except ArithmeticError:
        return None
    return next(((l1, u) for l1, u in recording.met if l1), None)


def _scaled(row: MethodSpec, scales: tuple[float, ...]) -> Iterator[Found]:
    """A step of class R or T with rows and vectors that much smaller or larger, all within the doubles."""
    loss = row.losses[0]
    for scale in scales:
        kind = random_data.DECIMAL.scaled(scale)
        draw = Draw(f"scale {row.name} {scale}")
        for attempt in range(TRIES // 4):
            p = row.problem(draw, kind, loss, False, kind.shapes[attempt % len(kind.shapes)])
            given = row.request(draw, kind, p)
            result = make_case("step", hex_floats.plain(given), relative=True)
            if result is None or not _in_range(result.trace.smallest, result.trace.largest):
                continue
            if not _sharp(result, 0):
                continue
            if not row.is_uninformative(2, given, result.traced["state"]):
                yield "step", given, result
                return


def _wide(row: MethodSpec) -> Iterator[Found]:
    """A step on the row of many columns, one on the last of many rows, and init and view with all of them."""
    for call, i in (("step", 0), ("step", 15), ("init", 0), ("view", 0)):
        draw = Draw(f"wide {row.name} {call} {i}")
        for _ in range(TRIES):
            p = row.problem(draw, DYADIC, row.losses[0], row.nets[-1], WIDE)
            parameters = row.parameters(draw, DYADIC, p)
            given: Json = {"method": row.name, "problem": p}
            if call == "step" or call in row.setting:
                given["parameters"] = parameters
            if call == "init":
                given["alpha"] = random_data.vector(random_data.alpha(draw, DYADIC, p))
            else:
                given["state"] = row.state(draw, DYADIC, p, parameters)
            if call == "step":
                given["choice"] = row.choice(draw, p, parameters, given["state"], i)
            result = make_case(call, hex_floats.plain(given))
            if (
                result is not None
                and _sharp(result, 1)
                and not (call == "step" and row.is_uninformative(2, given, result.traced["state"]))
            ):
                yield call, given, result
                break


def _sharp(result: ExpectedResult, least: int) -> bool:
    """Whether every tolerance is small compared with its number or with ``least``."""
    return all(
        number.tolerance <= WIDEST * max(Fraction(least), abs(number.value)) for number in numbers(result.traced)
    )


def _in_range(smallest: Fraction | None, largest: Fraction | None) -> bool:
    low, high = RANGE
    return (smallest is None or smallest >= low) and (largest is None or largest <= high)
