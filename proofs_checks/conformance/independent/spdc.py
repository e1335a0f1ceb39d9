"""The independent implementation of SPDC, AdaSPDC and PDCP; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State


class Spdc(Problems):
    """Methods with w and w_bar."""

    rules: ClassVar[Rules] = {
        "spdc": ("saddle_start", "primal_dual", "saddle_view"),
        "spdc-minibatch": ("saddle_start", "primal_dual", "saddle_view"),
        "spdc-nonuniform": ("saddle_start", "primal_dual", "saddle_view"),
        "adaspdc": ("saddle_start", "adaptive_step", "saddle_view"),
        "adaspdc-r": ("saddle_start", "adaptive_step", "saddle_view"),
        "pdcp": ("batch_start", "batch_step", "saddle_view"),
    }

    def dual_steps(self, p: Problem, state: State, qs: dict[int, Fraction], delta: Fraction) -> dict[int, Fraction]:
        """The dual step of phi_k* + (delta/2) a^2, whose curvature is gamma + delta, for each of these rows."""
        gamma, z = p["gamma"] + delta, self.extrapolated(state)
        steps = (
            (k, self.dual_step(p["loss"], gamma, self.z(p, k, z), state["alpha"][k], p["y"][k], qs[k])) for k in qs
        )
        return dict(steps)

    def primal_step(
        self, p: Problem, tau: Fraction, theta: Fraction, state: State, new: dict[int, Fraction], weights: Vector
    ) -> State:
        """w along u and the changes of alpha, and u."""
        direction, u = state["u"], state["u"]
        for (k, alpha_k), weight in zip(new.items(), weights):
            x, change = self.row(p, k), alpha_k - state["alpha"][k]
            direction = axpy(self.share(p, change, len(new), weight), x, direction)
            u = axpy(self.mean(p, change), x, u)
        points = self.descended(p, tau, theta, state, direction)
        return {**points, "u": u, "alpha": self.replaced(p, state["alpha"], new)}

    def primal_dual(self, method: str, p: Problem, parameters: State, state: State, choice: int | list[int]) -> State:
        """SPDC, Algorithms 1 to 3."""
        K = [self.index(p, k) for k in ([choice] if isinstance(choice, int) else choice)]
        weights = [parameters["weight"][k] if method == "spdc-nonuniform" else Fraction(1) for k in K]
        qs = {k: weight / parameters["sigma"] for k, weight in zip(K, weights)}
        new = self.dual_steps(p, state, qs, parameters["delta"])
        return self.primal_step(p, parameters["tau"], parameters["theta"], state, new, weights)

    def adaptive_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """AdaSPDC and AdaSPDC-R."""
        S, c, R, m = [self.index(p, i) for i in choice], parameters["c"], parameters["R"], len(choice)
        radius = max(R) if method == "adaspdc-r" else max(R[i] for i in S)
        theta = 1 - m * c * p["gamma"] / (p["n"] * (c * p["gamma"] + radius))
        qs = {i: 2 * R[i] / c * (R[i] / max(R) if parameters.get("preset") == "b" else 1) for i in S}
        new = self.dual_steps(p, state, qs, Fraction(0))
        return self.primal_step(p, 1 / (2 * c * radius), theta, state, new, [Fraction(1)] * m)

    # -- PDCP ----------------------------------------------------------------------------------------------------------

    def batch_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w of alpha."""
        w = self.of_alpha(p, alpha)
        return {"w": w, "w_bar": w, "alpha": alpha}

    def batch_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """PDCP."""
        q = p["n"] / parameters["sigma"]
        new = self.dual_steps(p, state, {i: q for i in range(p["n"])}, Fraction(0))
        points = self.descended(p, parameters["tau"], parameters["theta"], state, self.u(p, list(new.values())))
        return {**points, "alpha": self.replaced(p, state["alpha"], new)}
