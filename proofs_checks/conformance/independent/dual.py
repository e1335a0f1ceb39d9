"""The independent implementation, continued: ASPDC-i, SDCA's other outputs, the PASSCoDe simulator and CoCoA+; see
``losses``.
"""

from fractions import Fraction
from typing import Any, ClassVar

from dualgap.proofs_checks.conformance.independent.losses import Vector, axpy, dot
from dualgap.proofs_checks.conformance.independent.methods import Methods, Problem, Rules, State
from dualgap.proofs_checks.conformance.independent.norms import root

MOST_MOVES = 8


class NonTerminating(ArithmeticError):
    """More inner calls in a row than any vector asks for: an implementation with a seeded bug may never end."""


class DualMethods(Methods):
    """Methods with v and alpha, and more."""

    rules: ClassVar[Rules] = {
        "aspdc-i": ("proximal_start", "tested_step", "returned"),
        "aspdc-i-fixed": ("proximal_start", "counted_step", "returned"),
        "aspdc-i-momentum": ("proximal_start", "counted_step", "returned"),
        "sdca-averaged": ("averaged_start", "averaged_step", "average"),
        "sdca-random": ("random_start", "random_step", "random_output"),
        "passcode-lock": ("parallel_start", "parallel_step", "landed"),
        "passcode-atomic": ("parallel_start", "parallel_step", "landed"),
        "passcode-wild": ("parallel_start", "parallel_step", "landed"),
        "cocoa": ("dual_start", "round", "dual_view"),
    }

    # -- ASPDC-i -------------------------------------------------------------------------------------------------------

    def proximal_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """The centre 0; of Algorithm 2 the first bound too."""
        nowhere, kappa = [Fraction(0)] * p["d"], parameters["kappa"]
        state = {
            "alpha": alpha,
            "alpha_tilde": alpha,
            "w_tilde": nowhere,
            "w_tilde_before": nowhere,
            "steps": 0,
            "epoch": 0,
            "xi": Fraction(0),
        }
        if method == "aspdc-i":
            gap = self.inner_gap(p, Fraction(0), nowhere, nowhere, alpha)
            state |= {"epoch": 1, "xi": None if gap is None else (1 + 1 / self.eta(p, kappa)) * gap}
        return state | {"v": self.centred(p, kappa, nowhere, alpha)}

    def returned(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """What the last inner call returned."""
        return state["w_tilde"], state["alpha_tilde"]

    def strengthened(self, p: Problem, kappa: Fraction) -> Problem:
        """The problem with lam + kappa."""
        return {**p, "lam": p["lam"] + kappa}

    def centred(self, p: Problem, kappa: Fraction, centre: Vector, alpha: Vector) -> Vector:
        """The minimiser of ((lam + kappa)/2)||v||^2 - (kappa centre - u)^T v, before the threshold."""
        pull = axpy(-kappa, self.seen_centre(centre), self.u(p, alpha))
        return [-pull_j / (p["lam"] + kappa) for pull_j in pull]

    def seen_centre(self, centre: Vector) -> Vector:
        """The centre of the proximal term."""
        return centre

    def eta(self, p: Problem, kappa: Fraction) -> Fraction:
        """The linear eta."""
        eta: Fraction = p["lam"] / (p["lam"] + 2 * kappa)
        return eta

    def inner_gap(self, p: Problem, kappa: Fraction, centre: Vector, w: Vector, alpha: Vector) -> Fraction | None:
        """P~(w) - D~(alpha) by the definitions of both, g~ = g + (kappa/2)||w||^2 - kappa centre^T w; None is
        +infinity.
        """
        primal = self.primal(p, w) + kappa * (dot(w, w) / 2 - dot(centre, w))
        u = axpy(-kappa, centre, self.u(p, alpha))
        lam = p["lam"] + kappa
        conjugates = [self.phi_star(p["loss"], p["gamma"], a, y) for a, y in zip(alpha, p["y"])]
        if None in conjugates:
            return None
        return primal + self.mean(p, sum(filter(None, conjugates), Fraction(0))) + self.conjugate(lam, p["l1"], u)

    def inner_step(self, p: Problem, kappa: Fraction, state: State, choice: int) -> State:
        """One step of ASPDC on the inner problem."""
        moved = self.dual_coordinate("aspdc", self.strengthened(p, kappa), state, self.index(p, choice))
        return {**state, **moved, "steps": state["steps"] + 1}

    def recentred(self, p: Problem, kappa: Fraction, state: State, momentum: Fraction) -> State:
        """The inner call returns; the centre is its w, or beyond it by the momentum."""
        w = self.point(self.strengthened(p, kappa), state["v"])
        centre = axpy(momentum, axpy(Fraction(-1), state["w_tilde"], w), w)
        return {
            **state,
            "w_tilde": w,
            "w_tilde_before": state["w_tilde"],
            "alpha_tilde": state["alpha"],
            "epoch": state["epoch"] + 1,
            "steps": 0,
            "v": self.centred(p, kappa, centre, state["alpha"]),
        }

    def counted_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """Algorithm 3, and with momentum."""
        kappa = parameters["kappa"]
        state = self.inner_step(p, kappa, state, choice)
        if state["steps"] != parameters["m"]:
            return state
        return self.recentred(p, kappa, state, self.beta(p, kappa) if method == "aspdc-i-momentum" else Fraction(0))

    def beta(self, p: Problem, kappa: Fraction) -> Fraction:
        """(1 - sqrt(q))/(1 + sqrt(q)) = (1 - sqrt(q))^2/(1 - q), q = lam/(lam + 2 kappa)."""
        if kappa == 0:
            return Fraction(0)
        q = self.eta(p, kappa)
        beta: Fraction = (1 - root(q)) ** 2 / (1 - q)
        return beta

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

    def decay(self, eta: Fraction) -> Fraction:
        """What xi is multiplied with."""
        return 1 - eta / 2

    # -- SDCA's other outputs ------------------------------------------------------------------------------------------

    def averaged_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Nothing added up."""
        return self.dual_start(method, p, parameters, alpha) | {
            "t": 0,
            "total": [Fraction(0)] * p["n"],
            "since": [0] * p["n"],
        }

    def standing(self, T0: int, since: int, end: int) -> int:
        """How many of the states T0, T0 + 1, .., end - 1 are not before ``since``."""
        return len(range(max(T0, since), end))

    def averaged_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SDCA's step, before which alpha_i is added up."""
        i, t, total, since = self.index(p, choice), state["t"], list(state["total"]), list(state["since"])
        total[i] += self.standing(parameters["T0"], since[i], t + 1) * state["alpha"][i]
        since[i] = t + 1
        return {**self.dual_coordinate(method, p, state, i), "t": t + 1, "total": total, "since": since}

    def average(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """The mean of alpha over the states T0 .. t - 1."""
        t, T0 = state["t"], parameters["T0"]
        if t <= T0:
            return self.dual_view(method, p, parameters, state)
        sums = [
            total + self.standing(T0, since, t) * a
            for total, since, a in zip(state["total"], state["since"], state["alpha"])
        ]
        alpha = [total / (t - T0) for total in sums]
        return self.minimizer(p["lam"], p["l1"], self.u(p, alpha)), alpha

    def random_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Nothing kept."""
        return self.dual_start(method, p, parameters, alpha) | {"t": 0, "output": [Fraction(0)] * p["n"]}

    def random_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SDCA's step; from n on a choice keeps the state before it."""
        n, after = int(p["n"]), self.dual_coordinate(method, p, state, self.index(p, choice % p["n"]))
        kept = self.kept(state, after) if choice >= n else state["output"]
        return {**after, "t": state["t"] + 1, "output": kept}

    def kept(self, before: State, after: State) -> Vector:
        """The candidate of a step."""
        alpha: Vector = before["alpha"]
        return alpha

    def random_output(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """The state that is kept."""
        if state["t"] <= parameters["T0"]:
            return self.dual_view(method, p, parameters, state)
        return self.minimizer(p["lam"], p["l1"], self.u(p, state["output"])), state["output"]

    # -- PASSCoDe ------------------------------------------------------------------------------------------------------

    def parallel_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """No write in flight."""
        return self.dual_start(method, p, parameters, alpha) | {"pending": []}

    def parallel_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """One step of a worker."""
        worker, i, visible, *lost = choice
        i = self.index(p, i)
        after = self.dual_coordinate(method, p, {**state, "v": self.memory(method, state, worker, visible)}, i)
        stored = range(p["starts"][i], p["starts"][i + 1])
        kept = [k for place, k in enumerate(stored) if not self.is_lost(lost[0] if lost else 0, place)]
        c = -self.shift(p, after["alpha"][i] - state["alpha"][i])
        own = {
            "worker": worker,
            "columns": [self.column(p, i, k) for k in kept],
            "amounts": [c * p["values"][k] for k in kept],
        }
        flight = [*state["pending"], own]
        landing = flight[: max(len(flight) - parameters["delay"], 0)]
        return {"v": self.less(state["v"], landing), "alpha": after["alpha"], "pending": flight[len(landing) :]}

    def is_lost(self, lost: int, place: int) -> bool:
        """Whether the write at this place of the row never lands."""
        return lost & (1 << place) != 0

    def memory(self, method: str, state: State, worker: int, visible: int) -> Vector:
        """What the worker reads."""
        if method == "passcode-lock":
            return self.less(state["v"], state["pending"])
        seen, place = list(state["v"]), 0
        for write in state["pending"]:
            for j, amount in zip(write["columns"], write["amounts"]):
                own = write["worker"] == worker
                seen[j] -= amount if own or self.is_seen(visible, place) else 0
                place += not own
        return seen

    def is_seen(self, visible: int, place: int) -> bool:
        """Whether another worker's write at this place is seen."""
        return visible & (1 << place) != 0

    def less(self, v: Vector, writes: list[dict[str, Any]]) -> Vector:
        """v after these writes."""
        after = list(v)
        for write in writes:
            for j, amount in zip(write["columns"], write["amounts"]):
                after[j] -= amount
        return after

    def landed(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """All writes done; there is no threshold."""
        return self.less(state["v"], state["pending"]), state["alpha"]

    # -- CoCoA+ --------------------------------------------------------------------------------------------------------

    def round(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """One round: every worker maximises its subproblem, all changes of alpha are scaled and added, and v is
        theirs.
        """
        alpha, rows = list(state["alpha"]), [self.index(p, i) for i in choice]
        v, begin = state["v"], 0
        for end in parameters["ends"]:
            for i, change in self.worker(p, parameters["sigma"], state, [i for i in rows if begin <= i < end]).items():
                scaled = self.aggregated(parameters, change)
                alpha[i] += scaled
                v = axpy(self.shift(p, scaled), self.row(p, i), v)
            begin = end
        return {"v": v, "alpha": alpha}

    def worker(self, p: Problem, sigma: Fraction, state: State, rows: list[int]) -> dict[int, Fraction]:
        """What a worker changes alpha by: each step looks at v and at sigma times what the worker itself has moved v
        by.
        """
        changes: dict[int, Fraction] = {}
        for i in rows:
            x, seen = self.row(p, i), state["v"]
            for k, change in changes.items():
                seen = axpy(self.seen_share(sigma) * self.shift(p, change), self.row(p, k), seen)
            before = state["alpha"][i] + changes.get(i, Fraction(0))
            q = sigma * self.damping("sdca", p, x)
            after = self.dual_step(p["loss"], p["gamma"], dot(x, self.point(p, seen)), before, p["y"][i], q)
            changes[i] = after - state["alpha"][i]
        return changes

    def seen_share(self, sigma: Fraction) -> Fraction:
        """How often a worker counts its own change of v."""
        return sigma

    def aggregated(self, parameters: State, change: Fraction) -> Fraction:
        """What becomes of a worker's change."""
        scaled: Fraction = parameters["aggregation"] * change
        return scaled
