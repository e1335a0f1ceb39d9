"""The cases of level L3: what theorems say of all branches of one step, and of a path; and certificates."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, WIDE, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import LOSSES, MethodSpec, vector_of
from dualgap.proofs_checks.conformance.methods.spec import spelled as numbers
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case
from dualgap.proofs_checks.conformance.vectors.steps import TRIES, Found, kind_of, spelled, start, trajectory, wanted
from dualgap.reference import L2, Problem, Squared
from dualgap.reference.methods.sdca import SDCA
from dualgap.reference.numbers.rational import nearest
from dualgap.reference.problem.losses import losses

AT_OPTIMUM, STEPS = 12, 200  # certificates at an optimum; passes of SDCA to it
Judged = tuple[str, Json, ExpectedResult, tuple[str, ...]]  # call, given, what is expected, predicates


def theorems(row: MethodSpec) -> Iterator[Judged]:
    """Every case of a method."""
    for part in random_data.parts(row.losses):
        yield from branches(row, part)
        path = path_of(row)
        yield from path(row, part) if path else ()


def branches(row: MethodSpec, part: Sequence[str]) -> Iterator[Judged]:
    """All branches of one step from a state that a run can hold, and the predicates that must be true of them."""
    for loss in part:
        if loss == "logistic" or not row.predicates(loss):
            continue
        for with_l1 in row.nets:
            draw = Draw(f"branches {row.name} {loss} {with_l1}")
            for attempt in range(TRIES):
                p = row.problem(draw, DYADIC, loss, with_l1, DYADIC.shapes[attempt % len(DYADIC.shapes)])
                alpha = random_data.vector(random_data.alpha(draw, DYADIC, p))
                parameters = row.parameters(draw, DYADIC, p)
                begun = start(row, p, alpha, parameters)
                state = spelled(begun)
                choices = row.every_choice(draw, p, parameters, state)
                given = {"method": row.name, "problem": p, "parameters": parameters, "state": state, "choices": choices}
                if (
                    p["n"] == 1
                    or hex_floats.rationals(hex_floats.plain(state)) != begun
                    or (row.name == "aspdc" and not contracting(p))
                ):
                    continue
                found = wanted("branches", given, "E")
                if found is not None:
                    yield *found, row.predicates(loss)
                    break
            else:
                raise AssertionError(f"no branches for {row.name}, {loss}, l1 {with_l1}: widen draws")


def contracting(p: Json) -> bool:
    """max ||x_i||^2 < lam n gamma."""
    exact: Json = hex_floats.rationals(p)
    largest = max(sum((x * x for x in Independent().row(exact, i)), Fraction(0)) for i in range(exact["n"]))
    return bool(largest < exact["lam"] * exact["n"] * exact["gamma"])


def certificates() -> Iterator[Found]:
    """Level L3: P, D and the gap of a pair, in and outside the relation w = w(alpha)."""
    first, further = random_data.parts(LOSSES)
    yield from _certificates(first)
    yield from _certificate(Draw("certificate wide"), DYADIC, "smoothed-hinge", True, "E", [WIDE])
    yield from optima()
    yield from _certificates(further)


def _certificates(part: Sequence[str]) -> Iterator[Found]:
    """The certificates of these losses."""
    for loss in part:
        for with_l1 in (False, True):
            for tolerance_class in MethodSpec().classes(loss):
                kind = kind_of(tolerance_class)
                draw = Draw(f"certificate {loss} {with_l1} {tolerance_class}")
                yield from _certificate(draw, kind, loss, with_l1, tolerance_class, kind.shapes[:2])


def optima() -> Iterator[Found]:
    """Pairs at the optimum: P - D is far below the roundings of P and D: about half of the differences are < 0."""
    for number in range(AT_OPTIMUM):
        draw = Draw(f"optimum {number}")
        p = random_data.problem(draw, DECIMAL, "squared", False, DECIMAL.shapes[number % len(DECIMAL.shapes)])
        exact = hex_floats.rationals(hex_floats.plain(p))
        rows = [
            list(zip(exact["columns"][a:b], exact["values"][a:b])) for a, b in zip(exact["starts"], exact["starts"][1:])
        ]
        problem = Problem(rows, exact["y"], Squared(exact["gamma"]), L2(exact["lam"]), number=float, d=exact["d"])
        sdca = SDCA()
        state = sdca.run(problem, [step % problem.n for step in range(STEPS * problem.n)])
        w, alpha = sdca.view(problem, state)
        given = {"problem": p, "w": random_data.vector(w), "alpha": random_data.vector(alpha)}
        if (found := wanted("certificate", given, "R")) is not None:
            yield found


def _certificate(
    draw: Draw, kind: Kind, loss: str, with_l1: bool, tolerance_class: str, shapes: list[str]
) -> Iterator[Found]:
    for _ in range(TRIES):
        p = random_data.problem(draw, kind, loss, with_l1, draw.pick(shapes))
        w = random_data.vector([draw.pick(kind.coordinates) for _ in range(p["d"])])
        given = {"problem": p, "w": w, "alpha": random_data.vector(random_data.alpha(draw, kind, p))}
        found = wanted("certificate", given, tolerance_class)
        if found is not None:
            yield found
            return


def regrets(row: MethodSpec, part: Sequence[str]) -> Iterator[Judged]:
    """Paths of PGS: the identity on those without rounding, the inequality on others."""
    for loss in part:
        for with_l1 in row.nets:
            for tolerance_class, predicate in (("E", "regret-identity"), ("R", "regret")):
                if tolerance_class in row.classes(loss) and not (with_l1 and tolerance_class == "E"):
                    yield *trajectory(row, loss, with_l1, tolerance_class, "regret"), (predicate,)


def contractions(row: MethodSpec, part: Sequence[str]) -> Iterator[Judged]:
    """All branches of an SPDC step with tau sigma <= 1/(4R^2) and theta as large as the proof requires."""
    for loss in (loss for loss in part if loss in losses(smooth=True, rational=True)):
        for with_l1 in row.nets:
            draw = Draw(f"contraction {row.name} {loss} {with_l1}")
            for attempt in range(TRIES):
                p = row.problem(draw, DYADIC, loss, with_l1, DYADIC.shapes[attempt % len(DYADIC.shapes)])
                choices = (
                    [list(pair) for pair in combinations(range(p["n"]), 2)]
                    if row.name == "spdc-minibatch"
                    else list(range(p["n"]))
                )
                if not choices:
                    continue
                parameters = proved(p, 1 if isinstance(choices[0], int) else 2)
                alpha = random_data.vector(random_data.alpha(draw, DYADIC, p))
                state = spelled(start(row, p, alpha, parameters))  # u is X^T alpha/n; w and w_bar may be any
                state |= {"w": vector_of(draw, DYADIC, p["d"]), "w_bar": vector_of(draw, DYADIC, p["d"])}
                given = {"method": row.name, "problem": p, "parameters": parameters, "state": state, "choices": choices}
                result = make_case("branches", hex_floats.plain(given))
                if result is not None:
                    yield "branches", given, result, ("expected-contraction",)
                    break


def proved(p: Json, m: int) -> Json:
    """tau, sigma and theta that Theorem 1's proof admits, a little smaller and larger than they must be."""
    exact: Json = hex_floats.rationals(hex_floats.plain(p))
    R2 = max(sum((x * x for x in Independent().row(exact, i)), Fraction(0)) for i in range(exact["n"]))
    n, lam, gamma = exact["n"], nearest(exact["lam"]), nearest(exact["gamma"])
    root, R = (m * gamma / (n * lam)) ** 0.5, nearest(R2) ** 0.5
    tau, sigma = 0.49 * root / R, 0.49 / (R * root)
    theta = max(1 - m / n, 1 / (1 + 2 * lam * tau), 1 - 1 / (n / m + n / (2 * m * sigma * gamma)))
    return numbers(tau=tau, sigma=sigma, theta=theta + (1 - theta) / 64, delta=0.0)


def bounds(row: MethodSpec, part: Sequence[str]) -> Iterator[Judged]:
    """Paths on which the bound that a state carries is renewed."""
    for loss in (loss for loss in part if loss in losses(smooth=True, rational=True)):
        for with_l1 in row.nets:
            draw, kind = Draw(f"bound {row.name} {loss} {with_l1}"), kind_of("R")
            for _ in range(TRIES):
                p = row.problem(draw, kind, loss, with_l1, draw.pick(["two-rows", "one-row", "alike"]))
                alpha, parameters = random_data.vector([0.0] * p["n"]), row.parameters(draw, kind, p)
                state = spelled(start(row, p, alpha, parameters))
                choices = [row.choice(draw, p, parameters, state) for _ in range(6)]
                given = {"method": row.name, "problem": p, "parameters": parameters, "state": state, "choices": choices}
                found = wanted("trajectory", given, "R")
                if found is not None and renewed(found[2].traced["states"]):
                    yield *found, ("bound",)
                    break


def renewed(states: list[Json]) -> bool:
    """Whether the count of inner calls, or of iterations, goes up."""
    name = next(name for name in ("epoch", "k", "t") if name in states[0])
    return bool(states[-1][name] > states[0][name] or states[0][name] > 1)


PATHS: dict[str, Callable[[MethodSpec, Sequence[str]], Iterator[Judged]]] = {
    "pgs": regrets,
    "spdc": contractions,
    "spdc-minibatch": contractions,
}


def path_of(row: MethodSpec) -> Callable[[MethodSpec, Sequence[str]], Iterator[Judged]] | None:
    """What makes cases of paths of the method; ``bounds`` where its class states some."""
    return PATHS.get(row.name, bounds if type(row).bounds is not MethodSpec.bounds else None)
