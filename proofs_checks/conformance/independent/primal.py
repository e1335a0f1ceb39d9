"""The independent implementation, continued: AdaSPDC, PDCP, PGS with a p-norm and Pegasos; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.losses import Vector, axpy, dot
from dualgap.proofs_checks.conformance.independent.methods import Methods, Problem, Rules, State
from dualgap.proofs_checks.conformance.independent.norms import root


class PrimalMethods(Methods):
    """Methods with w."""

    rules: ClassVar[Rules] = {
        "adaspdc": ("saddle_start", "adaptive_step", "saddle_view"),
        "adaspdc-r": ("saddle_start", "adaptive_step", "saddle_view"),
        "pdcp": ("batch_start", "batch_step", "saddle_view"),
        "pgs-p-norm": ("averaging_start", "subgradient_step", "averaged_view"),
        "pegasos": ("pegasos_start", "pegasos_step", "last_view"),
    }

    def adaptive_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """AdaSPDC and AdaSPDC-R."""
        S, c, R, m = [self.index(p, i) for i in choice], parameters["c"], parameters["R"], len(choice)
        radius = max(R) if method == "adaspdc-r" else max(self.sampled(R, S))
        tau = 1 / (2 * c * radius)
        theta = 1 - m * c * p["gamma"] / (p["n"] * (c * p["gamma"] + radius))
        new, direction, u = {}, state["u"], state["u"]
        for i in S:
            x, q = self.row(p, i), self.stiffness(parameters, i)
            new[i] = self.dual_step(
                p["loss"], p["gamma"], dot(x, self.extrapolated(state)), state["alpha"][i], p["y"][i], q
            )
            change = new[i] - state["alpha"][i]
            direction, u = axpy(self.share(p, change, m, Fraction(1)), x, direction), axpy(self.mean(p, change), x, u)
        w = self.descended(p, tau, state["w"], direction)
        return {
            "w": w,
            "w_bar": self.extrapolation(theta, w, state),
            "u": u,
            "alpha": self.replaced(p, state["alpha"], new),
        }

    def sampled(self, R: Vector, S: list[int]) -> Vector:
        """The norms that count for the primal step."""
        return [R[i] for i in S]

    def stiffness(self, parameters: State, i: int) -> Fraction:
        """1/sigma_i."""
        R, c = parameters["R"], parameters["c"]
        q: Fraction = 2 * self.own_norm(R, i) / c
        return q * R[i] / max(R) if parameters.get("preset") == "b" else q

    def own_norm(self, R: Vector, i: int) -> Fraction:
        """R_i of the dual step."""
        return R[i]

    def batch_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w of alpha."""
        w = self.minimizer(p["lam"], p["l1"], self.u(p, alpha))
        return {"w": w, "w_bar": w, "alpha": alpha}

    def batch_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """PDCP."""
        q = self.rows_over(p) / parameters["sigma"]
        z = [dot(x, self.extrapolated(state)) for x in self.rows(p)]
        new = {i: self.dual_step(p["loss"], p["gamma"], z[i], state["alpha"][i], p["y"][i], q) for i in range(p["n"])}
        alpha = self.replaced(p, state["alpha"], new)
        w = self.descended(p, parameters["tau"], state["w"], self.u(p, [new[i] for i in range(p["n"])]))
        return {"w": w, "w_bar": self.extrapolation(parameters["theta"], w, state), "alpha": alpha}

    def rows_over(self, p: Problem) -> int:
        """n of q = n/sigma."""
        return int(p["n"])

    def pegasos_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w = 0."""
        return {"w": [Fraction(0)] * p["d"], "t": 0}

    def pegasos_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """One step of length 1/(lam t) against the subgradient of (lam/2)||w||^2 + g_t, then the projection."""
        t = state["t"] + 1
        slope = axpy(p["lam"], state["w"], self.subgradient(p, state["w"], choice))
        w = axpy(-1 / (p["lam"] * self.step_count(t)), slope, state["w"])
        return {"w": self.projected(p, w) if parameters["projection"] else w, "t": t}

    def step_count(self, t: int) -> int:
        """t of the step length."""
        return t

    def projected(self, p: Problem, w: Vector) -> Vector:
        """The nearest point of ||w|| <= 1/sqrt(lam)."""
        outside = p["lam"] * dot(w, w)
        return [w_j / root(outside) for w_j in w] if outside > 1 else w

    def last_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """w as it is, and the slopes there."""
        return state["w"], self.slopes(p, state["w"])
