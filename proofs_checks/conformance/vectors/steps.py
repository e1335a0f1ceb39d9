"""The cases of levels L1 and L2: a step, its neighbours init and view, and trajectories."""

from collections.abc import Iterator, Sequence
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case
from dualgap.reference.numbers.rational import nearest

TRIES = 200  # problems drawn for one case of a wanted class, at most
Found = tuple[str, Json, ExpectedResult]  # call, given, what is expected


def kind_of(tolerance_class: str) -> Kind:
    """The data from which cases of a class are drawn."""
    return DYADIC if tolerance_class == "E" else DECIMAL


def steps(row: MethodSpec, losses: Sequence[str]) -> Iterator[Found]:
    """Level L1 with these losses."""
    for loss in losses:
        for with_l1 in row.nets:
            for tolerance_class in row.classes(loss):
                for number in range(row.number[tolerance_class]):
                    yield from _step(row, loss, with_l1, tolerance_class, number)
        yield from _init_and_view(row, loss)


def _step(row: MethodSpec, loss: str, with_l1: bool, tolerance_class: str, number: int) -> Iterator[Found]:
    """One step; the first goes to the row without entries."""
    kind = kind_of(tolerance_class)
    draw = Draw(f"step {row.name} {loss} {with_l1} {tolerance_class} {number}")
    for attempt in range(TRIES):
        shape = kind.shapes[(number + attempt * (number > 0)) % len(kind.shapes)]
        p = row.problem(draw, kind, loss, with_l1, shape)
        empty = next((i for i in range(p["n"]) if p["starts"][i] == p["starts"][i + 1]), None)
        given = row.request(draw, kind, p, None if number else empty)
        found = wanted("step", given, tolerance_class)
        if found is not None and not row.is_uninformative(number, given, found[2].traced["state"]):
            yield found
            return
    raise AssertionError(f"no step of class {tolerance_class} for {row.name}, {loss}, l1 {with_l1}: widen draws")


def wanted(call: str, given: Json, tolerance_class: str) -> Found | None:
    """The request with what is expected, if it is of that class."""
    result = make_case(call, hex_floats.plain(given))
    return None if result is None or result.tolerance_class != tolerance_class else (call, given, result)


def _init_and_view(row: MethodSpec, loss: str) -> Iterator[Found]:
    for tolerance_class in row.classes(loss):
        kind = kind_of(tolerance_class)
        draw = Draw(f"init {row.name} {loss} {tolerance_class}")
        for number, call in enumerate(("init", "view")):
            for _ in range(TRIES):
                p = row.problem(
                    draw, kind, loss, row.nets == (False, True) and bool(draw.below(2)), kind.shapes[draw.below(2) * 3]
                )
                given: Json = {"method": row.name, "problem": p}
                parameters = row.parameters(draw, kind, p) if row.setting else {}
                if call in row.setting:
                    given["parameters"] = parameters
                given |= (
                    {"alpha": random_data.vector(random_data.alpha(draw, kind, p))}
                    if number == 0
                    else {"state": row.state(draw, kind, p, parameters)}
                )
                result = make_case(call, hex_floats.plain(given))
                if result is not None and result.tolerance_class in ("E", tolerance_class):
                    yield call, given, result
                    break


def start(row: MethodSpec, p: Json, alpha: list[str], parameters: Json) -> Json:
    """The state of init, in Fractions."""
    given = {"method": row.name, "problem": p, "alpha": alpha} | (
        {"parameters": parameters} if "init" in row.setting else {}
    )
    state: Json = Independent().answer("init", hex_floats.plain(given))["state"]
    return state


def trajectories(row: MethodSpec) -> Iterator[Found]:
    """Level L2: as many steps from init as stay in the class, two at least."""
    for loss in row.long:
        for with_l1 in row.nets if loss != "logistic" else row.nets[-1:]:
            for tolerance_class in row.classes(loss):
                yield trajectory(row, loss, with_l1, tolerance_class)


def trajectory(row: MethodSpec, loss: str, with_l1: bool, tolerance_class: str, purpose: str = "trajectory") -> Found:
    """The longest that is found for a purpose, which seeds the draws."""
    kind = kind_of(tolerance_class)
    draw = Draw(f"{purpose} {row.name} {loss} {with_l1} {tolerance_class}")
    longest: Found | None = None
    for attempt in range(TRIES):
        p = row.problem(draw, kind, loss, with_l1, kind.shapes[attempt % len(kind.shapes)])
        alpha, parameters = random_data.vector(random_data.alpha(draw, kind, p)), row.parameters(draw, kind, p)
        state = spelled(start(row, p, alpha, parameters))
        choices = [row.choice(draw, p, parameters, state) for _ in range(row.length[tolerance_class])]
        given = {"method": row.name, "problem": p, "parameters": parameters, "state": state, "choices": choices}
        longest = _longer(given, tolerance_class, longest)
        if longest is not None and len(longest[1]["choices"]) == row.length[tolerance_class]:
            break
        if (
            attempt >= TRIES // 4
            and longest is not None
            and 2 * len(longest[1]["choices"]) > row.length[tolerance_class]
        ):
            break
    if longest is None:
        raise AssertionError(
            f"no trajectory of class {tolerance_class} for {row.name}, {loss}, l1 {with_l1}: widen draws"
        )
    return longest


def _longer(given: Json, tolerance_class: str, longest: Found | None) -> Found | None:
    """The longest beginning of a trajectory that is of the class and longer than what there is."""
    least = 2 if longest is None else len(longest[1]["choices"]) + 1
    full = len(given["choices"])
    for length in (full, *range(least, full)):
        found = wanted("trajectory", {**given, "choices": given["choices"][:length]}, tolerance_class)
        if found is not None:
            longest = found
        if length == full and found is not None or length < full and found is None:
            break
    return longest


def spelled(value: object) -> Any:
    """A state in Fractions, rounded to doubles: given numbers."""
    return each(value, lambda x: x if isinstance(x, int) else hex_floats.spell_given(nearest(x) + 0.0))
