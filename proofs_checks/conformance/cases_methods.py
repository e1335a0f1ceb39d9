"""The cases of levels L1 to L3: a step, its neighbours init and view, trajectories, and what theorems say of all branches."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance import bits, draws
from dualgap.proofs_checks.conformance.draws import DECIMAL, DYADIC, GAMMA, Draw, Kind
from dualgap.proofs_checks.conformance.second_methods import Second
from dualgap.proofs_checks.conformance.settle import Settled, settle

METHODS = ("aspdc", "sdca", "spdc", "spdc-minibatch", "spdc-nonuniform", "pgs")
LOSSES = ("squared", "smoothed-hinge", "squared-hinge", "hinge", "logistic", "absolute")
TRIES = 200  # problems drawn for one case of a wanted class, at most
NUMBER = {"E": 4, "R": 2, "T": 2}  # of steps for one loss and regularizer
STEPS = {"E": 6, "R": 4, "T": 3}  # of a trajectory, at most
Found = tuple[str, dict[str, Any], Settled]  # call, given, what is due


def losses_of(method: str) -> list[str]:
    """The losses for which the method is defined: ASPDC needs gamma > 0, SPDC gamma > 0 or delta > 0."""
    return [loss for loss in LOSSES if not (method == "aspdc" and GAMMA.get(loss) == 0.0)]


def classes_of(loss: str) -> tuple[str, ...]:
    """The classes in which the loss has cases."""
    return ("T",) if loss == "logistic" else ("E", "R")


def kind_of(tolerance_class: str) -> Kind:
    """The data from which cases of a class are drawn."""
    return DYADIC if tolerance_class == "E" else DECIMAL


def steps(method: str) -> Iterator[Found]:
    """Level L1."""
    for loss in losses_of(method):
        for with_l1 in (False, True):
            for tolerance_class in classes_of(loss):
                for number in range(NUMBER[tolerance_class]):
                    yield _step(method, loss, with_l1, tolerance_class, number)
        yield from _init_and_view(method, loss)


def _step(method: str, loss: str, with_l1: bool, tolerance_class: str, number: int) -> Found:
    """One step; the first goes to the row without entries, the third and fourth to the inside of the domain of phi*."""
    kind = kind_of(tolerance_class)
    draw = Draw(f"step {method} {loss} {with_l1} {tolerance_class} {number}")
    for attempt in range(TRIES):
        shape = kind.shapes[(number + attempt * (number > 0)) % len(kind.shapes)]
        p = draws.problem(draw, kind, loss, with_l1, shape)
        empty = next((i for i in range(p["n"]) if p["starts"][i] == p["starts"][i + 1]), None)
        given = {
            "method": method, "problem": p, "parameters": draws.parameters(draw, kind, method, p),
            "state": draws.state(draw, kind, method, p), "choice": draws.choice(draw, method, p["n"], None if number else empty),
        }  # fmt: skip
        found = wanted("step", given, tolerance_class)
        if found is not None and (number < 2 or method == "pgs" or not at_an_end(given, found[2])):
            return found
    raise AssertionError(f"no step of class {tolerance_class} for {method}, {loss}, l1 {with_l1}: widen draws")


def at_an_end(given: dict[str, Any], settled: Settled) -> bool:
    """Whether the first dual variable that the step changes lands where every clip puts it: at 0 or 1 in absolute value."""
    first = given["choice"] if isinstance(given["choice"], int) else given["choice"][0]
    alpha = settled.traced["state"]["alpha"][first].value
    return bool(alpha == 0 or abs(alpha) == 1)


def wanted(call: str, given: dict[str, Any], tolerance_class: str) -> Found | None:
    """The request with what is due, if it is of that class."""
    settled = settle(call, bits.plain(given))
    return None if settled is None or settled.tolerance_class != tolerance_class else (call, given, settled)


def _init_and_view(method: str, loss: str) -> Iterator[Found]:
    for tolerance_class in classes_of(loss):
        kind = kind_of(tolerance_class)
        draw = Draw(f"init {method} {loss} {tolerance_class}")
        for number, call in enumerate(("init", "view")):
            for _ in range(TRIES):
                p = draws.problem(draw, kind, loss, bool(draw.below(2)), kind.shapes[draw.below(2) * 3])
                given: dict[str, Any] = {"method": method, "problem": p}
                given |= {"alpha": draws.vector(draws.alpha(draw, kind, p))} if number == 0 else {"state": draws.state(draw, kind, method, p)}
                settled = settle(call, bits.plain(given))
                if settled is not None and settled.tolerance_class in ("E", tolerance_class):
                    yield call, given, settled
                    break


def trajectories(method: str) -> Iterator[Found]:
    """Level L2: as many steps from init as stay in the class, two at least."""
    for loss in losses_of(method):
        for with_l1 in (False, True) if loss != "logistic" else (True,):
            for tolerance_class in classes_of(loss):
                yield _trajectory(method, loss, with_l1, tolerance_class)


def _trajectory(method: str, loss: str, with_l1: bool, tolerance_class: str) -> Found:
    kind = kind_of(tolerance_class)
    draw = Draw(f"trajectory {method} {loss} {with_l1} {tolerance_class}")
    longest: Found | None = None
    for attempt in range(TRIES):
        p = draws.problem(draw, kind, loss, with_l1, kind.shapes[attempt % len(kind.shapes)])
        start = Second().call_init(method, bits.rationals(p), bits.rationals(draws.vector(draws.alpha(draw, kind, p))))["state"]
        given = {
            "method": method, "problem": p, "parameters": draws.parameters(draw, kind, method, p), "state": _spelled(start),
            "choices": [draws.choice(draw, method, p["n"]) for _ in range(STEPS[tolerance_class])],
        }  # fmt: skip
        longest = _longer(given, tolerance_class, longest)
        if longest is not None and len(longest[1]["choices"]) == STEPS[tolerance_class]:
            break
        if attempt >= TRIES // 4 and longest is not None and 2 * len(longest[1]["choices"]) > STEPS[tolerance_class]:
            break
    if longest is None:
        raise AssertionError(f"no trajectory of class {tolerance_class} for {method}, {loss}, l1 {with_l1}: widen draws")
    return longest


def _longer(given: dict[str, Any], tolerance_class: str, longest: Found | None) -> Found | None:
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


def _spelled(state: dict[str, Any]) -> dict[str, Any]:
    """A state in Fractions, rounded to doubles: given numbers."""
    return {name: x if isinstance(x, int) else draws.vector([float(value) for value in x]) for name, x in state.items()}


def branches(method: str) -> Iterator[tuple[str, dict[str, Any], Settled, list[str]]]:
    """Level L3: all branches of one step from a state that a run can hold, and the predicates that must be true of them."""
    for loss in losses_of(method):
        if loss == "logistic":
            continue
        for with_l1 in (False, True):
            draw = Draw(f"branches {method} {loss} {with_l1}")
            for attempt in range(TRIES):
                p = draws.problem(draw, DYADIC, loss, with_l1, DYADIC.shapes[attempt % len(DYADIC.shapes)])
                start = Second().call_init(method, bits.rationals(p), bits.rationals(draws.vector(draws.alpha(draw, DYADIC, p))))["state"]
                given = {
                    "method": method, "problem": p, "parameters": draws.parameters(draw, DYADIC, method, p), "state": _spelled(start),
                    "choices": [draws.choice(draw, method, p["n"], i) for i in range(p["n"])],
                }  # fmt: skip
                if p["n"] == 1 or bits.rationals(given["state"]) != start or (method == "aspdc" and not contracting(p)):
                    continue
                found = wanted("branches", given, "E")
                if found is not None:
                    yield *found, predicates_of(method, loss)
                    break
            else:
                raise AssertionError(f"no branches for {method}, {loss}, l1 {with_l1}: widen draws")


def predicates_of(method: str, loss: str) -> list[str]:
    """What must be true of the branches."""
    smooth = GAMMA.get(loss) != 0.0
    if method == "sdca":
        return ["consistent", "ascent", *(["expected-ascent"] if smooth else [])]
    return ["consistent", "expected-ascent"] if method == "aspdc" else ["consistent"]


def contracting(p: dict[str, Any]) -> bool:
    """max ||x_i||^2 < lam n gamma."""
    exact: dict[str, Any] = bits.rationals(p)
    largest = max(sum((x * x for x in Second().row(exact, i)), Fraction(0)) for i in range(exact["n"]))
    return bool(largest < exact["lam"] * exact["n"] * exact["gamma"])


def certificates() -> Iterator[Found]:
    """Level L3: P, D and the gap of a pair, in and outside the relation w = w(alpha)."""
    for loss in LOSSES:
        for with_l1 in (False, True):
            for tolerance_class in classes_of(loss):
                kind = kind_of(tolerance_class)
                draw = Draw(f"certificate {loss} {with_l1} {tolerance_class}")
                for _ in range(TRIES):
                    p = draws.problem(draw, kind, loss, with_l1, draw.pick(kind.shapes[:2]))
                    w = draws.vector([draw.pick(kind.coordinates) for _ in range(p["d"])])
                    given = {"problem": p, "w": w, "alpha": draws.vector(draws.alpha(draw, kind, p))}
                    found = wanted("certificate", given, tolerance_class)
                    if found is not None:
                        yield found
                        break


