"""The independent implementation of ASPDC-i; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View

MOST_MOVES = 8


class NonTerminating(ArithmeticError):
    """More consecutive inner calls than any vector needs: an implementation with a planted bug may never end."""


class ProximalPoint(Problems):
    """Methods with a centre."""

    rules: ClassVar[Rules] = {
        "aspdc-i": ("proximal_start", "tested_step", "returned"),
        "aspdc-i-fixed": ("proximal_start", "counted_step", "returned"),
        "aspdc-i-momentum": ("proximal_start", "counted_step", "returned"),
    }

    def strengthened(self, p: Problem, kappa: Fraction) -> Problem:
        """The problem with lam + kappa."""
        return {**p, "lam": p["lam"] + kappa}

    def centred(self, p: Problem, kappa: Fraction, centre: Vector, alpha: Vector) -> Vector:
        """The minimiser of ((lam + kappa)/2)||v||^2 - (kappa centre - u)^T v, before the threshold."""
        pull = axpy(-kappa, centre, self.u(p, alpha))
        return [-pull_j / (p["lam"] + kappa) for pull_j in pull]

    def inner_gap(self, p: Problem, kappa: Fraction, centre: Vector, w: Vector, alpha: Vector) -> Fraction | None:
        """P~(w) - D~(alpha) by definition, g~ = g + (kappa/2)||w||^2 - kappa centre^T w; None is +infinity."""
        primal = self.primal(p, w) + kappa * (dot(w, w) / 2 - dot(centre, w))
        u = axpy(-kappa, centre, self.u(p, alpha))
        conjugates = [self.phi_star(p["loss"], p["gamma"], a, y) for a, y in zip(alpha, p["y"])]
        if None in conjugates:
            return None
        total = sum(filter(None, conjugates), Fraction(0))
        return primal + self.mean(p, total) + self.conjugate(p["lam"] + kappa, p["l1"], u)

    def decay(self, eta: Fraction) -> Fraction:
        """Return the factor of xi."""
        return 1 - eta / 2

    # -- ASPDC-i -------------------------------------------------------------------------------------------------------

    def proximal_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """The centre 0; of Algorithm 2 the first bound too."""
        nowhere, kappa, epoch = [Fraction(0)] * p["d"], parameters["kappa"], int(method == "aspdc-i")
        gap = self.inner_gap(p, Fraction(0), nowhere, nowhere, alpha) if epoch else Fraction(0)
        xi = gap and (1 + 1 / self.eta(p, kappa)) * gap
        points = {"alpha": alpha, "alpha_tilde": alpha, "w_tilde": nowhere, "w_tilde_before": nowhere}
        return points | {"steps": 0, "epoch": epoch, "xi": xi, "v": self.centred(p, kappa, nowhere, alpha)}

    def returned(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """Return the result of the last inner call."""
        return state["w_tilde"], state["alpha_tilde"]

    def eta(self, p: Problem, kappa: Fraction) -> Fraction:
        """The linear eta."""
        eta: Fraction = p["lam"] / (p["lam"] + 2 * kappa)
        return eta

    def beta(self, p: Problem, kappa: Fraction) -> Fraction:
        """(1 - sqrt(q))/(1 + sqrt(q)) = (1 - sqrt(q))^2/(1 - q), q = lam/(lam + 2 kappa)."""
        q = self.eta(p, kappa)
        return (1 - root(q)) ** 2 / (1 - q) if kappa else kappa

    def inner_step(self, p: Problem, kappa: Fraction, state: State, choice: int) -> State:
        """Make one step of ASPDC on the inner problem."""
        moved = self.dual_coordinate("aspdc", self.strengthened(p, kappa), state, self.index(p, choice))
        return {**state, **moved, "steps": state["steps"] + 1}

    def recentred(self, p: Problem, kappa: Fraction, state: State, momentum: Fraction) -> State:
        """The inner call returns; the centre is its w, or beyond it by the momentum."""
        w = self.point(self.strengthened(p, kappa), state["v"])
        centre = axpy(momentum, axpy(Fraction(-1), state["w_tilde"], w), w)
        points = {"w_tilde": w, "w_tilde_before": state["w_tilde"], "alpha_tilde": state["alpha"]}
        v = self.centred(p, kappa, centre, state["alpha"])
        return {**state, **points, "epoch": state["epoch"] + 1, "steps": 0, "v": v}

    def counted_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """Algorithm 3, and with momentum."""
        kappa = parameters["kappa"]
        state = self.inner_step(p, kappa, state, choice)
        if state["steps"] != parameters["m"]:
            return state
        return self.recentred(p, kappa, state, self.beta(p, kappa) if method == "aspdc-i-momentum" else Fraction(0))

    def tested_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """Algorithm 2."""
        if state["steps"] % p["n"] == 0:
            state = self.ended_calls(p, parameters["kappa"], state)
        return self.inner_step(p, parameters["kappa"], state, choice)

    def ended_calls(self, p: Problem, kappa: Fraction, state: State) -> State:
        """Inner calls end for as long as their gap is small enough."""
        eta = self.eta(p, kappa)
        for _ in range(MOST_MOVES):
            w = self.point(self.strengthened(p, kappa), state["v"])
            gap = self.inner_gap(p, kappa, state["w_tilde"], w, state["alpha"])
            if gap is None or state["xi"] <= 0 or 2 * (1 + eta) * gap > eta * eta * state["xi"]:
                return state
            before, state = state["w_tilde"], self.recentred(p, kappa, state, Fraction(0))
            state["xi"] *= self.decay(eta)
            if state["w_tilde"] == before:
                return state
        raise NonTerminating
