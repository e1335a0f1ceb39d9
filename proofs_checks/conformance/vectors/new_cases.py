"""The first cases of a method or a loss that no published file has. Cases of published files keep their requests."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, GAMMA, REGRESSION, Draw, Kind, vector
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol.hex_floats import plain, rationals, spell_given
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case
from dualgap.reference import LOSSES
from dualgap.reference.numbers.rational import nearest

TRIES = 200  # problems drawn for one case of a wanted class, at most
NUMBER, LENGTH = {"E": 2, "R": 1, "T": 1}, {"E": 4, "R": 3, "T": 2}  # steps, and length of a trajectory, by class
FAR = (40.0, -40.0, 800.0, -800.0)  # e^800 is beyond the doubles: the two-branch form is needed
TINY = 2.0**-30  # a kink's neighbours, still exact


class NewCase(NamedTuple):
    """A request, what is expected, and the predicate that is judged instead, if any."""

    call: str
    given: Json
    expected: ExpectedResult
    predicate: str | None = None


def found(call: str, given: Json, classes: str = "ERT") -> NewCase | None:
    """The request with what is expected, if something is and it is of one of these classes."""
    result = make_case(call, plain(given))
    return NewCase(call, given, result) if result is not None and result.tolerance_class in classes else None


def first(requests: Iterator[tuple[str, Json]], classes: str, what: str) -> NewCase:
    """The first of these requests that is a case of one of the classes. Raises AssertionError if none is."""
    for _, (call, given) in zip(range(TRIES), requests):
        if (case := found(call, given, classes)) is not None:
            return case
    raise AssertionError(f"no {what} of class {classes}: widen draws")


def kind_of(tolerance_class: str) -> Kind:
    """The data from which cases of a class are drawn."""
    return DYADIC if tolerance_class == "E" else DECIMAL


# -- level L0: the formulas of a loss ----------------------------------------------------------------------------------


def formulas(loss: str) -> Iterator[NewCase]:
    """All kinks and their neighbours, both labels, the ends of the domain and beyond."""
    for kind in (DYADIC, DECIMAL):
        draw = Draw(f"formulas {loss} {kind.name}")
        targets = kind.targets[:3] if loss in REGRESSION else [1.0, -1.0]
        gammas = [GAMMA[loss]] if loss in GAMMA else kind.constants["gamma"][:2]
        for gamma, y in product(gammas, targets):
            about = {"loss": loss, "gamma": spell_given(gamma), "y": spell_given(y)}
            for call, numbers in _numbers_of(draw, kind, loss, gamma, y):
                given = about | {name: spell_given(x) for name, x in numbers.items()}
                if (case := found(f"loss.{call}", given)) is not None:
                    yield case


def _numbers_of(draw: Draw, kind: Kind, loss: str, gamma: float, y: float) -> Iterator[tuple[str, dict[str, float]]]:
    """Call and numbers, for one label."""
    phi = LOSSES[loss]
    kinks = (phi(gamma) if phi.adjustable else phi()).kinks(Fraction(y)) if kind is DYADIC else ()
    near = [float(kink) + side for kink in kinks for side in (-TINY, 0.0, TINY)]
    points = sorted({*kind.coordinates, 0.0, *near, *(() if phi.rational else FAR)})
    ends = [float(end) for end in phi.ends if end is not None]
    side = 1.0 if loss in REGRESSION else -y  # a margin loss has ends for -y alpha
    inside = [side * b + 0.0 for b in (kind.inside if ends else kind.targets)]
    beyond = [side * (end + step) + 0.0 for end in ends for step in (-0.25, 0.0, 0.25)] if kind is DYADIC else []
    for z in points:
        yield "value", {"z": z}
        if not (GAMMA.get(loss) == 0 and z == y):  # there every subgradient is right
            yield "derivative", {"z": z}
            yield "dual_step", {"z": z, "alpha": draw.pick(inside), "q": draw.pick([0.5, 1.5, *kind.constants["c"]])}
    for alpha in (*inside, *beyond):
        yield "conjugate", {"alpha": alpha}
        yield "residual", {"alpha": alpha, "z": draw.pick(points)}


# -- levels L1 to L3: a method ----------------------------------------------------------------------------------------


def problems(row: MethodSpec, draw: Draw, kind: Kind, loss: str, with_l1: bool) -> Iterator[Json]:
    """Problems of any shape."""
    while True:
        yield row.problem(draw, kind, loss, with_l1, draw.pick(kind.shapes))


def steps(row: MethodSpec) -> Iterator[NewCase]:
    """Level L1: steps, of which the first is on the row without entries, init and view."""
    for loss in row.losses:
        for with_l1, tolerance_class in product(row.nets, row.classes(loss)):
            kind = kind_of(tolerance_class)
            for number in range(NUMBER[tolerance_class]):
                draw = Draw(f"step {row.name} {loss} {with_l1} {tolerance_class} {number}")
                drawn = (
                    ("step", row.request(draw, kind, p, None if number else _empty_row(p)))
                    for p in problems(row, draw, kind, loss, with_l1)
                    if number or _empty_row(p) is not None
                )
                yield first(drawn, tolerance_class, f"step for {row.name}, {loss}, l1 {with_l1}")
        for tolerance_class, call in product(row.classes(loss), ("init", "view")):
            kind, draw = kind_of(tolerance_class), Draw(f"{call} {row.name} {loss} {tolerance_class}")
            asked = ((call, _ends(row, call, draw, kind, p)) for p in problems(row, draw, kind, loss, row.nets[-1]))
            yield first(asked, f"E{tolerance_class}", f"{call} for {row.name}, {loss}")


def _empty_row(p: Json) -> int | None:
    return next((i for i in range(p["n"]) if p["starts"][i] == p["starts"][i + 1]), None)


def _ends(row: MethodSpec, call: str, draw: Draw, kind: Kind, p: Json) -> Json:
    """Return the arguments of init or view."""
    parameters = row.parameters(draw, kind, p) if row.setting else {}
    given = {"method": row.name, "problem": p} | ({"parameters": parameters} if call in row.setting else {})
    if call == "view":
        return given | {"state": row.state(draw, kind, p, parameters)}
    return given | {"alpha": vector(random_data.alpha(draw, kind, p))}


def begun(row: MethodSpec, draw: Draw, kind: Kind, p: Json) -> tuple[Json, Json]:
    """A request without choices that starts at the state of init, and that state in Fractions."""
    alpha, parameters = vector(random_data.alpha(draw, kind, p)), row.parameters(draw, kind, p)
    given = {"method": row.name, "problem": p, "alpha": alpha}
    given |= {"parameters": parameters} if "init" in row.setting else {}
    exact: Json = Independent().answer("init", plain(given))["state"]
    state = each(exact, lambda x: x if isinstance(x, int) else spell_given(nearest(x) + 0.0))
    return {"method": row.name, "problem": p, "parameters": parameters, "state": state}, exact


def trajectories(row: MethodSpec) -> Iterator[NewCase]:
    """Level L2: as many steps from init as stay in the class, two at least."""
    for loss in row.losses:
        for with_l1, tolerance_class in product(row.nets, row.classes(loss)):
            kind, draw = kind_of(tolerance_class), Draw(f"trajectory {row.name} {loss} {with_l1} {tolerance_class}")
            starts = (begun(row, draw, kind, p)[0] for p in problems(row, draw, kind, loss, with_l1))
            for length in range(LENGTH[tolerance_class], 1, -1):
                paths = (("trajectory", _path(row, draw, given, length)) for given in starts)
                try:
                    yield first(paths, tolerance_class, f"trajectory for {row.name}, {loss}, l1 {with_l1}")
                    break
                except AssertionError:
                    if length == 2:
                        raise


def _path(row: MethodSpec, draw: Draw, given: Json, length: int) -> Json:
    choices = [row.choice(draw, given["problem"], given["parameters"], given["state"]) for _ in range(length)]
    return {**given, "choices": choices}


def branches(row: MethodSpec) -> Iterator[NewCase]:
    """Level L3: all branches of one step from a state that a run can hold, and the predicates that are true of them."""
    exact_losses = [loss for loss in row.losses if "E" in row.classes(loss) and row.truths]
    for loss, with_l1 in product(exact_losses, row.nets):
        draw = Draw(f"branches {row.name} {loss} {with_l1}")
        drawn = (
            ("branches", given | {"choices": _every_choice(row, draw, given)})
            for p in problems(row, draw, DYADIC, loss, with_l1)
            for given, exact in [begun(row, draw, DYADIC, p)]
            if p["n"] > 1 and rationals(plain(given["state"])) == exact
        )
        case = first(drawn, "E", f"branches for {row.name}, {loss}, l1 {with_l1}")
        yield case
        yield from (case._replace(predicate=name) for name in row.truths)


def _every_choice(row: MethodSpec, draw: Draw, given: Json) -> list[object]:
    """Return one choice for each row."""
    p = given["problem"]
    return [row.choice(draw, p, given["parameters"], given["state"], i) for i in range(p["n"])]


def certificates(losses: Sequence[str]) -> Iterator[NewCase]:
    """Level L3: P, D and the gap of a pair."""
    for loss, with_l1 in product(losses, (False, True)):
        for tolerance_class in MethodSpec().classes(loss):
            kind, draw = kind_of(tolerance_class), Draw(f"certificate {loss} {with_l1} {tolerance_class}")
            pairs = (
                {"problem": p, "w": vector([draw.pick(kind.coordinates) for _ in range(p["d"])])}
                | {"alpha": vector(random_data.alpha(draw, kind, p))}
                for p in problems(MethodSpec(), draw, kind, loss, with_l1)
            )
            yield first((("certificate", given) for given in pairs), tolerance_class, f"certificate for {loss}")
