"""The independent implementation, continued: SAG, SVRG, AFG, ASDCA, SPD1 and SDCA with shrinking; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.dual import DualMethods
from dualgap.proofs_checks.conformance.independent.losses import Vector, axpy, dot
from dualgap.proofs_checks.conformance.independent.methods import Problem, Rules, State
from dualgap.proofs_checks.conformance.independent.norms import root


class BaselineMethods(DualMethods):
    """The methods that others are compared with."""

    rules: ClassVar[Rules] = {
        "sag": ("table_start", "table_step", "table_view"),
        "svrg": ("rounds_start", "rounds_step", "rounds_view"),
        "afg": ("search_start", "search_step", "search_view"),
        "asdca": ("accelerated_start", "accelerated_step", "accelerated_view"),
        "sdca-shrinking": ("active_start", "active_step", "dual_view"),
        "spd1": ("entry_start", "entry_step", "entry_view"),
        "spd1-vr": ("snapshot_start", "snapshot_step", "saddle_view"),
    }

    # -- SAG and SVRG --------------------------------------------------------------------------------------------------

    def table_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """The table of alpha."""
        u = self.u(p, alpha)
        w = self.minimizer(p["lam"], p["l1"], u)
        return {"w": w, "c": alpha, "G": [p["n"] * u_j for u_j in u], "seen": [1] * p["n"], "m": p["n"]}

    def table_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """The table is a dual point."""
        return state["w"], state["c"]

    def table_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SAG."""
        i, a, seen = self.index(p, choice), parameters["a"], list(state["seen"])
        new = self.slope(p, i, state["w"])
        G = axpy(new - self.leaving(state, i), self.row(p, i), state["G"])
        seen[i] = 1
        m = self.divisor(seen)
        w = axpy(-a, axpy(p["lam"], state["w"], [G_j / m for G_j in G]), state["w"])
        return {"w": w, "c": self.replaced(p, state["c"], {i: new}), "G": G, "seen": seen, "m": sum(seen)}

    def leaving(self, state: State, i: int) -> Fraction:
        """What row i had in the table."""
        old: Fraction = state["c"][i]
        return old

    def divisor(self, seen: list[int]) -> int:
        """What the sum of the table is divided by."""
        return sum(seen)

    def rounds_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """No full gradient yet."""
        w = self.minimizer(p["lam"], p["l1"], self.u(p, alpha))
        state = {"w": w, "w_tilde": w, "mu_tilde": [Fraction(0)] * p["d"], "t": 0, "s": 0}
        return state | ({"kept": w} if parameters["option"] == 2 else {})

    def rounds_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """What the next snapshot would be."""
        w = state["kept"] if parameters["option"] == 2 and state["t"] else state["w"]
        return w, self.slopes(p, w)

    def rounds_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SVRG."""
        n, state = int(p["n"]), dict(state)
        if state["t"] == 0:
            full = [
                axpy(self.slope(p, i, state["w"]), self.row(p, i), [p["lam"] * w_j for w_j in state["w"]])
                for i in range(n)
            ]
            mean = [self.mean(p, sum(column, Fraction(0))) for column in zip(*full)]
            state |= {"w_tilde": state["w"], "mu_tilde": mean, "s": state["s"] + 1}
        i, w = self.index(p, choice % n), state["w"]
        change = self.slope(p, i, w) - self.remembered(p, i, state["w_tilde"])
        away = axpy(Fraction(-1), state["w_tilde"], w)
        direction = axpy(p["lam"], away, axpy(change, self.row(p, i), state["mu_tilde"]))
        state["w"], state["t"] = axpy(-parameters["eta"], direction, w), state["t"] + 1
        if choice >= n:
            state["kept"] = self.kept({"alpha": w}, {"alpha": state["w"]})
        if state["t"] == parameters["m"]:
            state |= {"t": 0, "w": state["kept"] if parameters["option"] == 2 else state["w"]}
        return state

    def remembered(self, p: Problem, i: int, w_tilde: Vector) -> Fraction:
        """The slope of row i at the snapshot: the control variate."""
        return self.slope(p, i, w_tilde)

    # -- AFG -----------------------------------------------------------------------------------------------------------

    def search_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """x = 0."""
        zeros, least = [Fraction(0)] * p["d"], self.mean(p, self.smoothness(p))
        return {"x": zeros, "s": zeros, "A": Fraction(0), "L": least or Fraction(1), "k": 0, "trials": 0}

    def smoothness(self, p: Problem) -> Fraction:
        """max ||x_i||^2/gamma."""
        largest: Fraction = max(dot(x, x) for x in self.rows(p)) / self.constant(p["loss"], p["gamma"])
        return largest

    def search_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """x, and the slopes there."""
        return state["x"], self.slopes(p, state["x"])

    def gradient(self, p: Problem, w: Vector) -> Vector:
        """grad f(w)."""
        return self.u(p, self.slopes(p, w))

    def search_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
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
        if not self.accepted(p, L, subgradient, back):
            return {**state, "L": 2 * L, "trials": state["trials"] + 1}
        return {
            "x": T,
            "s": axpy(a, after, s),
            "A": A + a,
            "L": L / 2,
            "k": state["k"] + 1,
            "trials": state["trials"] + 1,
        }

    def accepted(self, p: Problem, L: Fraction, subgradient: Vector, back: Vector) -> bool:
        """The test of the line search."""
        return L >= self.smoothness(p) or L * dot(subgradient, back) >= dot(subgradient, subgradient)

    # -- ASDCA ---------------------------------------------------------------------------------------------------------

    def kappa(self, p: Problem) -> Fraction:
        """R^2/(n gamma) - lam, or 0."""
        kappa: Fraction = self.mean(p, self.smoothness(p)) - p["lam"]
        return max(kappa, Fraction(0))

    def steepness(self, p: Problem) -> Fraction:
        """rho/mu = 1 + 2 kappa/lam."""
        return 1 + 2 * self.kappa(p) / Fraction(p["lam"])

    def accelerated_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w_t = y_t = w(alpha)."""
        w = self.minimizer(p["lam"], p["l1"], self.u(p, alpha))
        gap = self.inner_gap(p, Fraction(0), w, w, alpha)
        xi = None if gap is None else (1 + self.steepness(p)) * gap
        return {
            "v": self.centred(p, self.kappa(p), w, alpha),
            "alpha": alpha,
            "w_t": w,
            "y_t": w,
            "alpha_t": alpha,
            "t": 1,
            "xi": xi,
            "xi_1": xi,
            "bound": gap,
            "rule": 0,
            "steps": 0,
            "gaps": 1,
        }

    def accelerated_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """What the last inner call returned."""
        return state["w_t"], state["alpha_t"]

    def accelerated_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """ASDCA."""
        if state["rule"]:
            return state
        kappa, inner = self.kappa(p), self.strengthened(p, self.kappa(p))
        state = {
            **state,
            **self.dual_coordinate("sdca", inner, state, self.index(p, choice)),
            "steps": state["steps"] + 1,
        }
        if state["steps"] % p["n"]:
            return state
        w = self.point(inner, state["v"])
        gap = self.inner_gap(p, kappa, state["y_t"], w, state["alpha"])
        state["gaps"] += 1
        ratio = self.steepness(p)  # eta = 1/sqrt(ratio)
        if gap is None or 2 * (1 + ratio) * root(ratio) * gap > state["xi"]:
            return state
        return self.finished(p, state, w, gap)

    def finished(self, p: Problem, state: State, w: Vector, gap: Fraction) -> State:
        """An inner call returns."""
        kappa, ratio, away = self.kappa(p), self.steepness(p), axpy(Fraction(-1), state["y_t"], w)
        y = axpy(self.accelerated_beta(ratio), axpy(Fraction(-1), state["w_t"], w), w)
        bound = (1 + ratio) * gap + ratio * kappa / 2 * dot(away, away)
        return {
            **state,
            "w_t": w,
            "y_t": y,
            "alpha_t": state["alpha"],
            "t": state["t"] + 1,
            "xi": state["xi"] * self.decay(1 / root(ratio)),
            "bound": bound,
            "rule": 2 if bound <= 0 else 0,
            "steps": 0,
            "v": self.centred(p, kappa, y, state["alpha"]),
        }

    def accelerated_beta(self, ratio: Fraction) -> Fraction:
        """(sqrt(ratio) - 1)/(sqrt(ratio) + 1)."""
        beta: Fraction = (root(ratio) - 1) / (root(ratio) + 1)
        return beta

    # -- SDCA with shrinking -------------------------------------------------------------------------------------------

    def active_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """All rows."""
        counts = {"active": list(range(p["n"])), "size": p["n"], "position": 0, "kept": 0}
        return (
            self.dual_start(method, p, parameters, alpha)
            | counts
            | {name: Fraction(0) for name in ("threshold", "violation", "tolerance")}
        )

    def active_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """The next row of the pass."""
        s, active, kept = state["position"], list(state["active"]), state["kept"]
        place = s + int(Fraction(choice * (state["size"] - s), p["n"]))
        active[s], active[place] = active[place], active[s]
        i = self.index(p, active[s])
        slope = abs(self.pull(p, i, state))
        after = self.dual_coordinate(method, p, state, i)
        moved = after["alpha"][i] != state["alpha"][i]
        violation = max(state["violation"], slope) if moved else state["violation"]
        if self.stays(moved, slope, state["threshold"]):
            active[s], active[kept], kept = active[kept], active[s], kept + 1
        after |= {"active": active, "kept": kept, "position": s + 1, "violation": violation}
        after = {**state, **after}
        return self.next_pass(p, after) if s + 1 == state["size"] else after

    def pull(self, p: Problem, i: int, state: State) -> Fraction:
        """phi_i*'(alpha_i) - z_i, 0 for the losses whose domain has no end that a step reaches."""
        if p["loss"] in ("squared", "logistic"):
            return Fraction(0)
        z = dot(self.row(p, i), self.point(p, state["v"]))
        return self.label(p["loss"], p["y"][i]) + self.constant(p["loss"], p["gamma"]) * Fraction(state["alpha"][i]) - z

    def stays(self, moved: bool, slope: Fraction, threshold: Fraction) -> bool:
        """Whether a row stays active."""
        return moved or threshold == 0 or slope <= threshold

    def next_pass(self, p: Problem, state: State) -> State:
        """The rows of the next pass."""
        tolerance = state["violation"] / 100 if state["size"] == p["n"] else state["tolerance"]
        solved = state["violation"] <= tolerance
        rows = (
            {"size": p["n"], "threshold": Fraction(0)}
            if solved
            else {"size": state["kept"], "threshold": state["violation"]}
        )
        return {**state, **rows, "tolerance": tolerance, "position": 0, "kept": 0, "violation": Fraction(0)}

    # -- SPD1 and SPD1-VR ----------------------------------------------------------------------------------------------

    def entry_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Nothing added up."""
        n, d = p["n"], p["d"]
        w = self.minimizer(p["lam"], p["l1"], self.u(p, alpha))
        sums = {
            "total_w": [Fraction(0)] * d,
            "since_w": [0] * d,
            "total_alpha": [Fraction(0)] * n,
            "since_alpha": [0] * n,
        }
        return {"w": w, "alpha": alpha, "t": 0, **sums}

    def entry_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """The averages."""
        t = state["t"]
        if t == 0:
            return state["w"], state["alpha"]

        def average(name: str) -> Vector:
            sums = zip(state[f"total_{name}"], state[f"since_{name}"], state[name])
            return [(total + (t - since) * value) / t for total, since, value in sums]

        return average("w"), average("alpha")

    def entry_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """SPD1."""
        i, j = self.index(p, choice[0]), choice[1]
        x, w_j, alpha_i, t = self.row(p, i)[j], state["w"][j], state["alpha"][i], state["t"]
        eta, tau = self.lengths(p, parameters, t + 1)
        new_w = self.proxed(p["lam"], p["l1"], [w_j - eta * x * alpha_i], eta)[0]
        z = self.columns_over(p) * x * self.seen_by_alpha(w_j, new_w)
        new_alpha = self.dual_step(p["loss"], p["gamma"], z, alpha_i, p["y"][i], p["d"] / tau)
        after = {
            "w": self.replaced_at(state["w"], j, new_w),
            "alpha": self.replaced(p, state["alpha"], {i: new_alpha}),
            "t": t + 1,
        }
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

    def columns_over(self, p: Problem) -> int:
        """d of z = d x_ij w_j."""
        return int(p["d"])

    def seen_by_alpha(self, old: Fraction, new: Fraction) -> Fraction:
        """The w_j of line 3."""
        return old

    def replaced_at(self, values: Vector, place: int, value: Fraction) -> Vector:
        """A vector with another entry."""
        return [value if k == place else old for k, old in enumerate(values)]

    def snapshot_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """The first snapshot."""
        w = self.minimizer(p["lam"], p["l1"], self.u(p, alpha))
        return self.snapshot(p, {"w": w, "alpha": alpha, "t": 0})

    def snapshot(self, p: Problem, state: State) -> State:
        """A new snapshot."""
        z = [dot(x, state["w"]) for x in self.rows(p)]
        return {
            **state,
            "w_tilde": state["w"],
            "alpha_tilde": state["alpha"],
            "u_tilde": self.u(p, state["alpha"]),
            "z_tilde": z,
        }

    def snapshot_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """SPD1-VR."""
        if state["t"] and state["t"] % parameters["m"] == 0:
            state = self.snapshot(p, state)
        i, other_i, j, other_j = self.index(p, choice[0]), self.index(p, choice[1]), choice[2], choice[3]
        u = (
            self.row(p, other_i)[j] * (state["alpha"][other_i] - self.variate(state["alpha_tilde"])[other_i])
            + state["u_tilde"][j]
        )
        change = state["w"][other_j] - self.variate(state["w_tilde"])[other_j]
        z = self.columns_over(p) * self.row(p, i)[other_j] * change + state["z_tilde"][i]
        eta = parameters["eta"]
        w_j = self.proxed(p["lam"], p["l1"], [state["w"][j] - eta * u], eta)[0]
        new = self.dual_step(p["loss"], p["gamma"], z, state["alpha"][i], p["y"][i], 1 / parameters["tau"])
        return {
            **state,
            "w": self.replaced_at(state["w"], j, w_j),
            "alpha": self.replaced(p, state["alpha"], {i: new}),
            "t": state["t"] + 1,
        }

    def variate(self, snapshot: Vector) -> Vector:
        """The control variate's point."""
        return snapshot
