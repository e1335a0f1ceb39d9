"""An independent implementation of AFG, and its row in the vectors."""

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State, View
from dualgap.proofs_checks.conformance.methods.spec import Bug, MethodSpec, register_vectors
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA
from dualgap.reference import Problem


class Search(Problems):
    """AFG, independent of the reference."""

    def search_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """x = 0."""
        zeros, least = [Fraction(0)] * p["d"], self.mean(p, self.smoothness(p))
        return {"x": zeros, "s": zeros, "A": Fraction(0), "L": least or Fraction(1), "k": 0, "trials": 0}

    def search_view(self, method: str, p: Given, parameters: State, state: State) -> View:
        """x, and the slopes there."""
        return state["x"], self.slopes(p, state["x"])

    def gradient(self, p: Given, w: Vector) -> Vector:
        """grad f(w)."""
        return self.u(p, self.slopes(p, w))

    def search_step(self, method: str, p: Given, parameters: State, state: State, choice: int) -> State:
        """AFG: one trial."""
        A, L, s, lam, l1 = state["A"], state["L"], state["s"], p["lam"], p["l1"]
        half = (1 + lam * A) / L
        a = half + root(half * half + 2 * half * A)
        v = self.minimizer(lam + 1 / A, l1, [s_j / A for s_j in s]) if A else [-s_j for s_j in s]
        y = [x_j + a / (A + a) * (v_j - x_j) for x_j, v_j in zip(state["x"], v)]
        before = self.gradient(p, y)
        T = self.minimizer(lam + L, l1, axpy(-L, y, before))
        after, back = self.gradient(p, T), axpy(Fraction(-1), T, y)
        subgradient = axpy(L, back, axpy(Fraction(-1), before, after))
        counts = {"trials": state["trials"] + 1}
        if L < self.smoothness(p) and L * dot(subgradient, back) < dot(subgradient, subgradient):
            return {**state, **counts, "L": 2 * L}
        return {**counts, "x": T, "s": axpy(a, after, s), "A": A + a, "L": L / 2, "k": state["k"] + 1}


@register_vectors
class AfgRow(MethodSpec):
    """Lines 2 to 7; L is doubled and halved."""

    name = "afg"
    formula = (
        "AFG: a the largest root of a^2/(A + a) = 2(1 + lam A)/L, v = prox_{A g}(-s), y = (A x + a v)/(A + a), T ="
        " prox_{g/L}(y - grad f(y)/L), p = L(y - T) + grad f(T) - grad f(y); accepted where L >= max ||x_i||^2/gamma or"
        " p^T(y - T) >= ||p||^2/L: A = A + a, s = s + a grad f(T), x = T, L = L/2; else L = 2 L"
    )
    start = "x = s = A = 0, k = trials = 0, L = max ||x_i||^2/(n gamma), or 1 where that is 0"
    independent, rules = Search, ("search_start", "search_step", "search_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "every-trial-accepted": FORMULA(
            "the test of the line search is left out",
            "A_k F(x_k) <= min psi_k does not hold: no rate",
            ["Search.search_step: if L < self.smoothness(p) -> if False"],
        )
    }

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        if state["A"] > 0:
            yield (
                state["x"],
                sum((w_j * w_j for w_j in w_best), Fraction(0)) / (2 * state["A"]),
                "P(x) - P* <= ||w*||^2/(2A)",
            )
