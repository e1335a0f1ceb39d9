"""The independent implementation of SPD1 and SPD1-VR; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Entrywise(Problems):
    """Methods that look at one entry of X."""

    rules: ClassVar[Rules] = {
        "spd1": ("entry_start", "entry_step", "entry_view"),
        "spd1-vr": ("snapshot_start", "snapshot_step", "saddle_view"),
    }

    def entry_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Nothing added up."""
        sums: State = {}
        for name, size in (("w", p["d"]), ("alpha", p["n"])):
            sums |= {f"total_{name}": [Fraction(0)] * size, f"since_{name}": [0] * size}
        return {"w": self.of_alpha(p, alpha), "alpha": alpha, "t": 0, **sums}

    def entry_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """The averages."""
        t = state["t"]

        def average(name: str) -> Vector:
            sums = zip(state[f"total_{name}"], state[f"since_{name}"], state[name])
            return [(total + (t - since) * value) / t for total, since, value in sums]

        return (average("w"), average("alpha")) if t else (state["w"], state["alpha"])

    def entry_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """SPD1."""
        i, j, d = self.index(p, choice[0]), choice[1], int(p["d"])
        x, w_j, alpha_i, t = self.row(p, i)[j], state["w"][j], state["alpha"][i], state["t"]
        eta, tau = self.lengths(p, parameters, t + 1)
        new_w = self.proxed(p["lam"], p["l1"], [w_j - eta * x * alpha_i], eta)[0]
        new_alpha = self.dual_step(p["loss"], p["gamma"], d * x * w_j, alpha_i, p["y"][i], p["d"] / tau)
        after = {"w": self.replaced_at(state["w"], j, new_w), "t": t + 1}
        after["alpha"] = self.replaced(p, state["alpha"], {i: new_alpha})
        for name, place, value in (("w", j, w_j), ("alpha", i, alpha_i)):
            total = state[f"total_{name}"][place] + (t - state[f"since_{name}"][place]) * value
            after[f"total_{name}"] = self.replaced_at(state[f"total_{name}"], place, total)
            after[f"since_{name}"] = [t if k == place else since for k, since in enumerate(state[f"since_{name}"])]
        return after

    def lengths(self, p: Problem, parameters: State, t: int) -> tuple[Fraction, Fraction]:
        """eta and tau of step t."""
        if parameters:
            return parameters["eta"], parameters["tau"]
        n, d = p["n"], p["d"]
        return Fraction(2 * d) / ((t + 4 * d) * p["lam"]), Fraction(2 * n * d) / ((t + 4 * n) * p["gamma"])

    def replaced_at(self, values: Vector, place: int, value: Fraction) -> Vector:
        """A vector with another entry."""
        return [value if k == place else old for k, old in enumerate(values)]

    # -- SPD1-VR -------------------------------------------------------------------------------------------------------

    def snapshot_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """The first snapshot."""
        return self.snapshot(p, {"w": self.of_alpha(p, alpha), "alpha": alpha, "t": 0})

    def snapshot(self, p: Problem, state: State) -> State:
        """A new snapshot."""
        w, alpha = state["w"], state["alpha"]
        products = {"u_tilde": self.u(p, alpha), "z_tilde": [self.z(p, i, w) for i in range(p["n"])]}
        return {**state, "w_tilde": w, "alpha_tilde": alpha, **products}

    def snapshot_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """SPD1-VR."""
        if state["t"] and state["t"] % parameters["m"] == 0:
            state = self.snapshot(p, state)
        i, other_i, j, other_j = self.index(p, choice[0]), self.index(p, choice[1]), choice[2], choice[3]
        w_tilde, alpha_tilde, eta, d = state["w_tilde"], state["alpha_tilde"], parameters["eta"], int(p["d"])
        u = self.row(p, other_i)[j] * (state["alpha"][other_i] - alpha_tilde[other_i]) + state["u_tilde"][j]
        z = d * self.row(p, i)[other_j] * (state["w"][other_j] - w_tilde[other_j]) + state["z_tilde"][i]
        w_j = self.proxed(p["lam"], p["l1"], [state["w"][j] - eta * u], eta)[0]
        new = self.dual_step(p["loss"], p["gamma"], z, state["alpha"][i], p["y"][i], 1 / parameters["tau"])
        alpha = self.replaced(p, state["alpha"], {i: new})
        return {**state, "w": self.replaced_at(state["w"], j, w_j), "alpha": alpha, "t": state["t"] + 1}
