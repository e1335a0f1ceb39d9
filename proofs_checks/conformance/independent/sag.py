"""The independent implementation of SAG, SVRG and AFG; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Gradients(Problems):
    """Methods along gradients."""

    rules: ClassVar[Rules] = {
        "sag": ("table_start", "table_step", "table_view"),
        "svrg": ("rounds_start", "rounds_step", "rounds_view"),
        "afg": ("search_start", "search_step", "search_view"),
    }

    def table_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """The table of alpha."""
        G = [p["n"] * u_j for u_j in self.u(p, alpha)]
        return {"w": self.of_alpha(p, alpha), "c": alpha, "G": G, "seen": [1] * p["n"], "m": p["n"]}

    def table_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """The table is a dual point."""
        return state["w"], state["c"]

    def table_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SAG."""
        i, a, seen = self.index(p, choice), parameters["a"], list(state["seen"])
        new, old = self.slope(p, i, state["w"]), state["c"][i]
        G = axpy(new - old, self.row(p, i), state["G"])
        seen[i] = 1
        m = sum(seen)
        w = axpy(-a, axpy(p["lam"], state["w"], [G_j / m for G_j in G]), state["w"])
        return {"w": w, "c": self.replaced(p, state["c"], {i: new}), "G": G, "seen": seen, "m": sum(seen)}

    # -- SVRG ----------------------------------------------------------------------------------------------------------

    def rounds_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """No full gradient yet."""
        w = self.of_alpha(p, alpha)
        state = {"w": w, "w_tilde": w, "mu_tilde": [Fraction(0)] * p["d"], "t": 0, "s": 0}
        return state | ({"kept": w} if parameters["option"] == 2 else {})

    def rounds_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """What the next snapshot would be."""
        w = state["kept"] if parameters["option"] == 2 and state["t"] else state["w"]
        return w, self.slopes(p, w)

    def rounds_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """SVRG."""
        n, state, lam = int(p["n"]), dict(state), p["lam"]
        if state["t"] == 0:
            w = state["w"]
            full = [axpy(self.slope(p, i, w), self.row(p, i), [lam * w_j for w_j in w]) for i in range(n)]
            mean = [self.mean(p, sum(column, Fraction(0))) for column in zip(*full)]
            state |= {"w_tilde": w, "mu_tilde": mean, "s": state["s"] + 1}
        i, w = self.index(p, choice % n), state["w"]
        change = self.slope(p, i, w) - self.slope(p, i, state["w_tilde"])
        away = axpy(Fraction(-1), state["w_tilde"], w)
        direction = axpy(lam, away, axpy(change, self.row(p, i), state["mu_tilde"]))
        state["w"], state["t"] = axpy(-parameters["eta"], direction, w), state["t"] + 1
        if choice >= n:
            state["kept"] = w
        if state["t"] == parameters["m"]:
            state |= {"t": 0, "w": state["kept"] if parameters["option"] == 2 else state["w"]}
        return state

    # -- AFG -----------------------------------------------------------------------------------------------------------

    def search_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """x = 0."""
        zeros, least = [Fraction(0)] * p["d"], self.mean(p, self.smoothness(p))
        return {"x": zeros, "s": zeros, "A": Fraction(0), "L": least or Fraction(1), "k": 0, "trials": 0}

    def search_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
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
        counts = {"trials": state["trials"] + 1}
        if L < self.smoothness(p) and L * dot(subgradient, back) < dot(subgradient, subgradient):
            return {**state, **counts, "L": 2 * L}
        return {**counts, "x": T, "s": axpy(a, after, s), "A": A + a, "L": L / 2, "k": state["k"] + 1}
