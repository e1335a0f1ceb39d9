"""The most general state of a method on unknown vectors, and its successors.

Linear relations between the vectors of a state, such as w = w(alpha), are found by elimination on the first states and
then proved for a step from any state that satisfies them. All other vectors are unknown.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from dualgap.extras.sharpen.symbols import Expr, Nonlinear, Vec, solve
from dualgap.extras.sharpen.world import AnyProblem
from dualgap.reference import Method
from dualgap.reference.methods.base import State

Relations: TypeAlias = dict[str, dict[str, Fraction]]  # field: {vector: coefficient}
Reached: TypeAlias = list[tuple[Fraction, State]]  # probability and state
Make: TypeAlias = Callable[[], AnyProblem]


def successors(method: Method[Any], problem: AnyProblem, state: State) -> Reached:
    """The states after one step, for all choices, with their probabilities."""
    return [(Fraction(p), method.step(problem, state, choice)) for choice, p in method.choices(problem, state)]


def expected(reached: Reached, quantity: Callable[[State], Expr]) -> Expr:
    """The expectation of a quantity."""
    return sum((p * quantity(state) for p, state in reached), Expr({}))


def is_primal(value: object) -> bool:
    """Return whether a field is a primal vector."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], Vec) and value[0].space == "W"


def is_dual(value: object, n: int) -> bool:
    """Return whether a field is a list of the n dual values."""
    return (
        isinstance(value, list)
        and len(value) == n
        and all(isinstance(a, Vec) and a.space == i for i, a in enumerate(value))
    )


def dual_of(problem: AnyProblem, state: State) -> list[Vec]:
    """The dual values of a state."""
    found: list[list[Vec]] = [value for value in state.fields().values() if is_dual(value, problem.n)]
    if len(found) != 1:
        raise Nonlinear("its state does not contain exactly one list of n dual values")
    return found[0]


def vectors_of(problem: AnyProblem, state: State) -> dict[str, Vec]:
    """U = sum_i x_i alpha_i and the primal vectors of a state, by name."""
    pairs = zip(problem.rows, dual_of(problem, state))
    U = sum((row[0][1] * a for row, a in pairs), Vec({}, "W"))
    return {"U": U, **{name: value[0] for name, value in state.fields().items() if is_primal(value)}}


def relations(method: Method[Any], make: Make) -> Relations:
    """The primal fields that are combinations of others in the first state and in all states of the first two steps."""
    problem = make()
    visited = [method.init(problem, problem.free_alpha())]
    for _ in range(2):
        visited += [s for before in visited for _, s in successors(method, problem, before)]
    seen: list[dict[str, Vec]] = [vectors_of(problem, s) for s in visited]
    follows: Relations = {}
    for k, name in enumerate(list(seen[0])[1:], 1):
        known = [other for other in list(seen[0])[:k] if other not in follows]
        table = []
        for vectors in seen:
            keys = sorted({key for vector in vectors.values() for key in vector.terms})
            table += [[vectors[other].terms.get(key, Fraction(0)) for other in [*known, name]] for key in keys]
        found = solve(table, len(known))
        if found is not None:
            follows[name] = dict(zip(known, found))
    return follows


def combined(relation: dict[str, Fraction], vectors: dict[str, Vec]) -> Vec:
    """The vector that a relation gives."""
    return sum((c * vectors[name] for name, c in relation.items()), Vec({}, "W"))


def free_state(method: Method[Any], make: Make) -> tuple[AnyProblem, State, Relations]:
    """A new problem, its most general state, and the relations of that state.

    Raises Nonlinear: the state has a field that is neither an unknown vector nor constant, so that a proof would be
    about special states; or a step does not keep a relation.
    """
    follows = relations(method, make)

    def build() -> tuple[AnyProblem, State]:
        problem = make()
        state = method.init(problem, problem.free_alpha())
        vectors = vectors_of(problem, state)
        for name in list(vectors)[1:]:
            free = name not in follows
            vectors[name] = problem.world.vector("W") if free else combined(follows[name], vectors)
            setattr(state, name, [vectors[name]])
        return problem, state

    problem, state = build()
    reached = [s for _, s in successors(method, problem, state)]
    _require_understood(problem, [state, *reached])
    for vectors in (vectors_of(problem, s) for s in reached):
        for name, relation in follows.items():
            if (vectors[name] - combined(relation, vectors)).terms:
                raise Nonlinear(f"a step does not keep the relation found for its field {name!r}")
    return *build(), follows


def _require_understood(problem: AnyProblem, visited: Sequence[State]) -> None:
    for name, value in visited[0].fields().items():
        if is_primal(value) or is_dual(value, problem.n):
            continue
        parts = value if isinstance(value, list) else [value]
        constant = all(isinstance(part, (int, str, type(None))) for part in parts)
        if not constant or any(state.fields()[name] != value for state in visited):
            raise Nonlinear(f"its field {name!r} is neither an unknown vector nor constant")


def ingredients(problem: AnyProblem, state: State, follows: Relations) -> dict[str, Expr]:
    """Return the terms of a Lyapunov function: products of the free primal vectors and U, and three sums over the
    rows."""
    alpha = dual_of(problem, state)
    vectors = {name: v for name, v in vectors_of(problem, state).items() if name not in follows}
    names = list(vectors)
    parts = {f"<{a},{b}>": vectors[a] * vectors[b] for j, a in enumerate(names) for b in names[j:]}
    images = [row[0][1] * a for row, a in zip(problem.rows, alpha)]
    parts["|alpha|^2"] = sum((a * a for a in alpha), Expr({}))
    parts["|x alpha|^2"] = sum((image * image for image in images), Expr({}))
    parts["h(alpha)"] = sum((problem.loss.conjugate(a, None) for a in alpha), Expr({}))
    return parts
