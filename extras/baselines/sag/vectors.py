"""An independent implementation of SAG, and its row in the vectors."""

from collections.abc import Iterator
from typing import ClassVar

from dualgap.extras.baselines.sag.reference import SAG
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State, View
from dualgap.proofs_checks.conformance.methods.spec import Bug, Equation, MethodSpec, equations, register_vectors, u_of
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA, MEMORY
from dualgap.reference import Problem


class Table(Problems):
    """SAG, independent of the reference."""

    def table_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """The table of alpha."""
        G = [p["n"] * u_j for u_j in self.u(p, alpha)]
        return {"w": self.of_alpha(p, alpha), "c": alpha, "G": G, "seen": [1] * p["n"], "m": p["n"]}

    def table_view(self, method: str, p: Given, parameters: State, state: State) -> View:
        """The table is a dual point."""
        return state["w"], state["c"]

    def table_step(self, method: str, p: Given, parameters: State, state: State, choice: int) -> State:
        """SAG."""
        i, a, seen = self.index(p, choice), parameters["a"], list(state["seen"])
        new, old = self.slope(p, i, state["w"]), state["c"][i]
        G = axpy(new - old, self.row(p, i), state["G"])
        seen[i] = 1
        m = sum(seen)
        w = axpy(-a, axpy(p["lam"], state["w"], [G_j / m for G_j in G]), state["w"])
        return {"w": w, "c": self.replaced(p, state["c"], {i: new}), "G": G, "seen": seen, "m": sum(seen)}


@register_vectors
class SagRow(MethodSpec):
    """Lines 4' to 6'."""

    name = "sag"
    formula = (
        "SAG: c_new = phi_i'(x_i^T w), G = G + (c_new - c_i) x_i, m counts the rows seen, w = (1 - a lam) w - (a/m) G"
    )
    start = "c = alpha, G = X^T c, w = w(alpha), every row is seen"
    independent, rules = Table, ("table_start", "table_step", "table_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "old-gradient-kept": MEMORY(
            "the row's old gradient is not taken off the table",
            "the sum of the table is no sum of gradients: it diverges",
            ['Table.table_step: state["c"][i] -> 0 * state["c"][i]'],
        ),
        "rows-not-counted": FORMULA(
            "the table is divided by n, not by the rows seen",
            "early steps are too short",
            ["Table.table_step: m = sum(seen) -> m = len(seen)"],
        ),
    }

    def method(self, parameters: Json, choice: object) -> SAG:
        sag = SAG()
        sag.a = lambda problem: parameters["a"]  # type: ignore[method-assign]
        return sag

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("G", state["G"], [problem.n * u_j for u_j in u_of(problem, state["c"])], "X^T c")
        yield state["m"], sum(state["seen"]), "m = the number of rows seen"
