"""The independent implementation of the methods of the papers, except ASPDC-i; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Sdca(Problems):
    """Methods with v and alpha: ASPDC, SDCA, its other outputs, and with shrinking."""

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
        """Return the number of states T0, T0 + 1, .., end - 1 that are not before ``since``."""
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


class Spdc(Problems):
    """Methods with w and w_bar: SPDC, AdaSPDC and PDCP."""

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


class Subgradients(Problems):
    """Methods with w alone: PGS, also with a p-norm."""

    rules: ClassVar[Rules] = {
        "pgs": ("averaging_start", "subgradient_step", "averaged_view"),
        "pgs-p-norm": ("averaging_start", "subgradient_step", "averaged_view"),
    }

    def averaging_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Zeros."""
        return dict.fromkeys(("w", "acc", "total"), [Fraction(0)] * p["d"]) | {"t": 0}

    def averaged_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """The average of what was played, and the slopes there."""
        w = [total_j / state["t"] for total_j in state["total"]] if state["t"] else state["w"]
        return w, self.slopes(p, w)

    def subgradient_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """PGS: dual averaging. The regularizer of the round to come counts already."""
        acc = axpy(Fraction(-1), self.subgradient(p, state["w"], choice), state["acc"])
        t = state["t"] + 1
        u = [-acc_j / (t + 1) for acc_j in acc]
        w = self.shortest(p["lam"], p["p"], u, p.get("ball")) if "p" in p else self.minimizer(p["lam"], p["l1"], u)
        return {"w": w, "acc": acc, "total": axpy(Fraction(1), state["w"], state["total"]), "t": t}


class Parallel(Problems):
    """Methods with several workers: the simulator of PASSCoDe."""

    rules: ClassVar[Rules] = {
        "passcode-lock": ("parallel_start", "parallel_step", "landed"),
        "passcode-atomic": ("parallel_start", "parallel_step", "landed"),
        "passcode-wild": ("parallel_start", "parallel_step", "landed"),
    }

    def parallel_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """No write in flight."""
        return self.dual_start(method, p, parameters, alpha) | {"pending": []}

    def parallel_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """Make one step of a worker."""
        worker, i, visible, lost, *_ = *choice, 0
        i = self.index(p, i)
        after = self.dual_coordinate(method, p, {**state, "v": self.memory(method, state, worker, visible)}, i)
        stored = range(p["starts"][i], p["starts"][i + 1])
        kept = [k for place, k in enumerate(stored) if not lost & (1 << place)]
        c = -self.shift(p, after["alpha"][i] - state["alpha"][i])
        columns, amounts = [self.column(p, i, k) for k in kept], [c * p["values"][k] for k in kept]
        flight = [*state["pending"], {"worker": worker, "columns": columns, "amounts": amounts}]
        landing = flight[: max(len(flight) - parameters["delay"], 0)]
        return {"v": self.less(state["v"], landing), "alpha": after["alpha"], "pending": flight[len(landing) :]}

    def memory(self, method: str, state: State, worker: int, visible: int) -> Vector:
        """Return the memory that the worker reads."""
        if method == "passcode-lock":
            return self.less(state["v"], state["pending"])
        seen, place = list(state["v"]), 0
        for write in state["pending"]:
            own = write["worker"] == worker
            for j, amount in zip(write["columns"], write["amounts"]):
                seen[j] -= amount if own or visible & (1 << place) else 0
                place += not own
        return seen

    def less(self, v: Vector, writes: list[State]) -> Vector:
        """v after these writes."""
        after = list(v)
        for write in writes:
            for j, amount in zip(write["columns"], write["amounts"]):
                after[j] -= amount
        return after

    def landed(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """All writes done; there is no threshold."""
        return self.less(state["v"], state["pending"]), state["alpha"]
