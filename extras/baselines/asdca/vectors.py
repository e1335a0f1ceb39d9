"""An independent implementation of ASDCA, and its row in the vectors."""

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.aspdc_i import ProximalPoint
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import State, View
from dualgap.proofs_checks.conformance.methods.published import Dual
from dualgap.proofs_checks.conformance.methods.spec import Bug, register_vectors
from dualgap.reference import Problem


class Accelerated(ProximalPoint):
    """ASDCA, independent of the reference."""

    def kappa(self, p: Given) -> Fraction:
        """R^2/(n gamma) - lam, or 0."""
        kappa: Fraction = self.mean(p, self.smoothness(p)) - p["lam"]
        return max(kappa, Fraction(0))

    def steepness(self, p: Given) -> Fraction:
        """rho/mu = 1 + 2 kappa/lam."""
        steepness: Fraction = 1 + 2 * self.kappa(p) / p["lam"]
        return steepness

    def accelerated_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """w_t = y_t = w(alpha)."""
        w = self.of_alpha(p, alpha)
        gap = self.inner_gap(p, Fraction(0), w, w, alpha)
        xi = gap and (1 + self.steepness(p)) * gap
        points = {"v": self.centred(p, self.kappa(p), w, alpha), "alpha": alpha, "w_t": w, "y_t": w, "alpha_t": alpha}
        return points | {"t": 1, "xi": xi, "xi_1": xi, "bound": gap, "rule": 0, "steps": 0, "gaps": 1}

    def accelerated_view(self, method: str, p: Given, parameters: State, state: State) -> View:
        """Return the result of the last inner call."""
        return state["w_t"], state["alpha_t"]

    def accelerated_step(self, method: str, p: Given, parameters: State, state: State, choice: int) -> State:
        """ASDCA."""
        if state["rule"]:
            return state
        kappa, inner = self.kappa(p), self.strengthened(p, self.kappa(p))
        moved = self.dual_coordinate("sdca", inner, state, self.index(p, choice))
        state = {**state, **moved, "steps": state["steps"] + 1}
        if state["steps"] % p["n"]:
            return state
        w = self.point(inner, state["v"])
        gap = self.inner_gap(p, kappa, state["y_t"], w, state["alpha"])
        state["gaps"] += 1
        ratio = self.steepness(p)  # eta = 1/sqrt(ratio)
        if gap is None or 2 * (1 + ratio) * root(ratio) * gap > state["xi"]:
            return state
        return self.finished(p, state, w, gap)

    def finished(self, p: Given, state: State, w: Vector, gap: Fraction) -> State:
        """An inner call returns."""
        kappa, ratio, away = self.kappa(p), self.steepness(p), axpy(Fraction(-1), state["y_t"], w)
        beta = (root(ratio) - 1) / (root(ratio) + 1)
        y = axpy(beta, axpy(Fraction(-1), state["w_t"], w), w)
        bound = (1 + ratio) * gap + ratio * kappa / 2 * dot(away, away)
        points = {"w_t": w, "y_t": y, "alpha_t": state["alpha"], "v": self.centred(p, kappa, y, state["alpha"])}
        found = {"t": state["t"] + 1, "xi": state["xi"] * self.decay(1 / root(ratio)), "bound": bound}
        return {**state, **points, **found, "rule": 2 if bound <= 0 else 0, "steps": 0}


@register_vectors
class AsdcaRow(Dual):
    """Lines 4 to 8 with epsilon = 0."""

    name = "asdca"
    formula = (
        "ASDCA: SDCA's step with lam + kappa, kappa = max(0, R^2/(n gamma) - lam); where n divides steps after it, and"
        " the gap of the inner problem at (w, alpha) is at most eta xi/(2(1 + rho/mu)): y_t = w + beta (w - w_t), w_t ="
        " w, xi = (1 - eta/2) xi, bound = (1 + rho/mu) gap + (rho kappa/(2 mu)) ||w - y_t before||^2, v again, steps ="
        " 0; mu = lam/2, rho = mu + kappa, eta = sqrt(mu/rho), beta = (1 - eta)/(1 + eta)"
    )
    start = (
        "w_t = y_t = w(alpha), bound = gap, xi = xi_1 = (1 + rho/mu) gap, v = (kappa y_t - X^T alpha/n)/(lam + kappa),"
        " t = gaps = 1"
    )
    independent, rules = Accelerated, ("accelerated_start", "accelerated_step", "accelerated_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "momentum-ignored": ["Accelerated.finished: (root(ratio) - 1) / (root(ratio) + 1) -> Fraction(0)"]
    }

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        yield state["w_t"], state["xi"], "P(w_t) - P* <= xi"
        yield state["w_t"], state["bound"], "P(w_t) - P* <= bound (ASDCA, line 8)"
