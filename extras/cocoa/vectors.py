"""CoCoA+ in the vectors."""

from fractions import Fraction
from typing import ClassVar

from dualgap.extras.cocoa.reference import CoCoA, Constants
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import axpy
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State
from dualgap.proofs_checks.conformance.methods.published import Dual
from dualgap.proofs_checks.conformance.methods.spec import Bug, register_vectors
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA


class Workers(Problems):
    """CoCoA+, independent of the reference."""

    def round(self, method: str, p: Given, parameters: State, state: State, choice: list[int]) -> State:
        """A round: each worker maximises its subproblem, all changes of alpha are scaled and added, and v is theirs."""
        alpha, rows = list(state["alpha"]), [self.index(p, i) for i in choice]
        v, begin = state["v"], 0
        for end in parameters["ends"]:
            for i, change in self.worker(p, parameters["sigma"], state, [i for i in rows if begin <= i < end]).items():
                scaled = parameters["aggregation"] * change
                alpha[i] += scaled
                v = axpy(self.shift(p, scaled), self.row(p, i), v)
            begin = end
        return {"v": v, "alpha": alpha}

    def worker(self, p: Given, sigma: Fraction, state: State, rows: list[int]) -> dict[int, Fraction]:
        """Return the change of alpha by one worker. Each step reads v plus sigma times the worker's own moves of v."""
        changes: dict[int, Fraction] = {}
        for i in rows:
            seen = state["v"]
            for k, change in changes.items():
                seen = axpy(sigma * self.shift(p, change), self.row(p, k), seen)
            before, z = state["alpha"][i] + changes.get(i, Fraction(0)), self.z(p, i, self.point(p, seen))
            after = self.dual_step(p["loss"], p["gamma"], z, before, p["y"][i], sigma * self.damping("sdca", p, i))
            changes[i] = after - state["alpha"][i]
        return changes


@register_vectors
class CocoaRow(Dual):
    """Rounds of K workers, given by the ends of their parts."""

    name = "cocoa"
    formula = (
        "CoCoA+, Algorithm 1: worker k makes SDCA's steps with q = sigma ||x_i||^2/(lam n) on its rows, from v_k = v,"
        " which move v_k by -sigma ((a - alpha_i)/(lam n)) x_i; then alpha = alpha + aggregation (the workers' alpha -"
        " alpha), v = v + (aggregation/sigma) sum_k (v_k - v)"
    )
    independent, rules = Workers, ("dual_start", "round", "dual_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "own-change-once": FORMULA(
            "a worker sees its own change of v once, not sigma times",
            "the workers together move too far: it can diverge",
            ["Workers.worker: axpy(sigma * self -> axpy(self"],
        ),
        "aggregation-ignored": FORMULA(
            "the workers' changes are added where they must be scaled",
            "they move too far: it can diverge",
            ['Workers.round: parameters["aggregation"] * change -> change'],
        ),
    }

    def method(self, parameters: Json, choice: object) -> CoCoA:
        if not parameters:  # init and view
            return CoCoA()
        weight, spread = parameters["aggregation"], parameters["sigma"]
        cocoa = CoCoA(parts=parameters["ends"])
        constants = Constants(weight, spread, 1 - weight * cocoa.K / spread, spread / weight)
        cocoa.constants = lambda problem: constants  # type: ignore[method-assign]
        return cocoa
