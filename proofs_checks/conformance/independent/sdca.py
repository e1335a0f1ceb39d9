"""The independent implementation of ASPDC, SDCA, SDCA's other outputs and SDCA with shrinking; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Sdca(Problems):
    """Methods with v and alpha."""

    rules: ClassVar[Rules] = {
        "aspdc": ("dual_start", "coordinate_step", "dual_view"),
        "sdca": ("dual_start", "coordinate_step", "dual_view"),
        "sdca-averaged": ("averaged_start", "averaged_step", "average"),
        "sdca-random": ("random_start", "random_step", "random_output"),
        "sdca-shrinking": ("active_start", "active_step", "dual_view"),
    }

    def averaged_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Nothing added up."""
        sums = {"t": 0, "total": [Fraction(0)] * p["n"], "since": [0] * p["n"]}
        return self.dual_start(method, p, parameters, alpha) | sums

    def standing(self, T0: int, since: int, end: int) -> int:
        """How many of the states T0, T0 + 1, .., end - 1 are not before ``since``."""
        return len(range(max(T0, since), end))

    def averaged_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SDCA's step, before which alpha_i is added up."""
        i, t, total, since = self.index(p, choice), state["t"], list(state["total"]), list(state["since"])
        total[i] += self.standing(parameters["T0"], since[i], t + 1) * state["alpha"][i]
        since[i] = t + 1
        return {**self.dual_coordinate(method, p, state, i), "t": t + 1, "total": total, "since": since}

    def average(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """The mean of alpha over the states T0 .. t - 1."""
        t, T0 = state["t"], parameters["T0"]
        if t <= T0:
            return self.dual_view(method, p, parameters, state)
        terms = zip(state["total"], state["since"], state["alpha"])
        alpha = [(total + self.standing(T0, since, t) * a) / (t - T0) for total, since, a in terms]
        return self.of_alpha(p, alpha), alpha

    def random_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Nothing kept."""
        return self.dual_start(method, p, parameters, alpha) | {"t": 0, "output": [Fraction(0)] * p["n"]}

    def random_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SDCA's step; from n on a choice keeps the state before it."""
        n, after = int(p["n"]), self.dual_coordinate(method, p, state, self.index(p, choice % p["n"]))
        kept = state["alpha"] if choice >= n else state["output"]
        return {**after, "t": state["t"] + 1, "output": kept}

    def random_output(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """The state that is kept."""
        if state["t"] <= parameters["T0"]:
            return self.dual_view(method, p, parameters, state)
        return self.of_alpha(p, state["output"]), state["output"]

    # -- with shrinking -----------------------------------------------------------------------------------------------

    def active_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """All rows."""
        counts = {"active": list(range(p["n"])), "size": p["n"], "position": 0, "kept": 0}
        slopes = dict.fromkeys(("threshold", "violation", "tolerance"), Fraction(0))
        return self.dual_start(method, p, parameters, alpha) | counts | slopes

    def active_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """The next row of the pass."""
        s, active, kept = state["position"], list(state["active"]), state["kept"]
        place = s + choice * (state["size"] - s) // p["n"]
        active[s], active[place] = active[place], active[s]
        i = self.index(p, active[s])
        slope = abs(self.pull(p, i, state))
        after = self.dual_coordinate(method, p, state, i)
        moved = after["alpha"][i] != state["alpha"][i]
        violation = max(state["violation"], slope) if moved else state["violation"]
        if moved or state["threshold"] == 0 or slope <= state["threshold"]:
            active[s], active[kept], kept = active[kept], active[s], kept + 1
        after = {**state, **after, "active": active, "kept": kept, "position": s + 1, "violation": violation}
        return self.next_pass(p, after) if s + 1 == state["size"] else after

    def pull(self, p: Problem, i: int, state: State) -> Fraction:
        """phi_i*'(alpha_i) - z_i, 0 for the losses whose domain has no end that a step reaches."""
        if p["loss"] in ("squared", "logistic"):
            return Fraction(0)
        slope: Fraction = self.constant(p["loss"], p["gamma"]) * state["alpha"][i]
        return self.label(p["loss"], p["y"][i]) + slope - self.z(p, i, self.point(p, state["v"]))

    def next_pass(self, p: Problem, state: State) -> State:
        """The rows of the next pass."""
        tolerance = state["violation"] / 100 if state["size"] == p["n"] else state["tolerance"]
        rows = {"size": state["kept"], "threshold": state["violation"]}
        if state["violation"] <= tolerance:
            rows = {"size": p["n"], "threshold": Fraction(0)}
        return {**state, **rows, "tolerance": tolerance, "position": 0, "kept": 0, "violation": Fraction(0)}
