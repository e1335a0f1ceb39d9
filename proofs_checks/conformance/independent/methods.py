"""The independent implementation, continued: problems, certificates, ASPDC, SDCA, SPDC and PGS, on dense rows; see
``losses``.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from dualgap.proofs_checks.conformance.independent.losses import Formulas, Vector, axpy, dot

Problem = dict[str, Any]
State = dict[str, Any]
Rule = str | Callable[..., Any]  # the name of a method below, or a function that is given the implementation first
Rules = dict[str, tuple[Rule, Rule, Rule]]  # method: its init, its step and its view


class Methods(Formulas):
    """The calls of levels L1 to L3. The small methods are what can be got wrong: each is overridden by an
    implementation with a seeded bug.
    """

    rules: ClassVar[Rules] = {
        "aspdc": ("dual_start", "coordinate_step", "dual_view"),
        "sdca": ("dual_start", "coordinate_step", "dual_view"),
        "spdc": ("saddle_start", "primal_dual", "saddle_view"),
        "spdc-minibatch": ("saddle_start", "primal_dual", "saddle_view"),
        "spdc-nonuniform": ("saddle_start", "primal_dual", "saddle_view"),
        "pgs": ("averaging_start", "subgradient_step", "averaged_view"),
    }

    # -- the problem ------------------------------------------------------------------------------------------------

    def index(self, p: Problem, i: int) -> int:
        """The row that a choice means."""
        return i

    def row(self, p: Problem, i: int) -> Vector:
        """x_i, dense."""
        x = [Fraction(0)] * p["d"]
        for k in range(p["starts"][i], p["starts"][i + 1]):
            x[self.column(p, i, k)] = p["values"][k]
        return x

    def column(self, p: Problem, i: int, k: int) -> int:
        """The column of entry k, which belongs to row i."""
        column: int = p["columns"][k]
        return column

    def rows(self, p: Problem) -> list[Vector]:
        """X, dense."""
        return [self.row(p, i) for i in range(p["n"])]

    def mean(self, p: Problem, total: Fraction) -> Fraction:
        """total/n."""
        return total / int(p["n"])

    def u(self, p: Problem, alpha: Vector) -> Vector:
        """X^T alpha/n."""
        return [self.mean(p, dot(list(column), alpha)) for column in zip(*self.rows(p))]

    def point(self, p: Problem, v: Vector) -> Vector:
        """w of v: argmin (1/2)||w||^2 + (l1/lam)||w||_1 - v^T w."""
        return self.minimizer(Fraction(1), p["l1"] / p["lam"], [-v_j for v_j in v])

    def _rule(self, method: str, k: int) -> Callable[..., Any]:
        rule = self.rules[method][k]
        found: Callable[..., Any] = getattr(self, rule) if isinstance(rule, str) else partial(rule, self)
        return found

    # -- calls --------------------------------------------------------------------------------------------------------

    def call_init(
        self, method: str, problem: Problem, alpha: Vector, parameters: State | None = None
    ) -> dict[str, Any]:
        return {"state": self._rule(method, 0)(method, problem, parameters or {}, alpha)}

    def call_view(self, method: str, problem: Problem, state: State, parameters: State | None = None) -> dict[str, Any]:
        w, alpha = self._rule(method, 2)(method, problem, parameters or {}, state)
        return {"w": w, "alpha": alpha}

    def call_step(self, method: str, problem: Problem, parameters: State, state: State, choice: Any) -> dict[str, Any]:
        return {"state": self.step(method, problem, parameters, state, choice)}

    def call_trajectory(self, state: State, choices: Sequence[Any], **given: Any) -> dict[str, Any]:
        states = []
        for choice in choices:
            state = self.step(state=state, choice=choice, **given)
            states.append(state)
        return {"states": states}

    def call_branches(self, choices: Sequence[Any], **given: Any) -> dict[str, Any]:
        return {"states": [self.step(choice=choice, **given) for choice in choices]}

    def call_certificate(self, problem: Problem, w: Vector, alpha: Vector) -> dict[str, Any]:
        primal, dual = self.primal(problem, w), self.dual(problem, alpha)
        return {"primal": primal, "dual": dual, "gap": None if dual is None else primal - dual}

    def primal(self, p: Problem, w: Vector) -> Fraction:
        """P(w)."""
        values = [self.phi(p["loss"], p["gamma"], dot(x, w), y) for x, y in zip(self.rows(p), p["y"])]
        return self.mean(p, sum(values, Fraction(0))) + self.g(p["lam"], p["l1"], w)

    def dual(self, p: Problem, alpha: Vector) -> Fraction | None:
        """D(alpha), None where it is -infinity."""
        total = Fraction(0)
        for alpha_i, y in zip(alpha, p["y"]):
            value = self.phi_star(p["loss"], p["gamma"], alpha_i, y)
            if value is None:
                return None
            total += value
        return -self.mean(p, total) - self.conjugate(p["lam"], p["l1"], self.u(p, alpha))

    def slope(self, p: Problem, i: int, w: Vector) -> Fraction:
        """phi_i'(x_i^T w)."""
        return self.derivative(p["loss"], p["gamma"], dot(self.row(p, i), w), p["y"][i])

    # -- one step -----------------------------------------------------------------------------------------------------

    def step(self, method: str, problem: Problem, parameters: State, state: State, choice: Any) -> State:
        """The state after one step."""
        after: State = self._rule(method, 1)(method, problem, parameters, state, choice)
        return after

    def dual_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """v of alpha."""
        return {"v": [-u_j / p["lam"] for u_j in self.u(p, alpha)], "alpha": alpha}

    def dual_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """w of v."""
        return self.point(p, state["v"]), state["alpha"]

    def coordinate_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """ASPDC and SDCA."""
        return self.dual_coordinate(method, p, state, self.index(p, choice))

    def saddle_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w and u of alpha."""
        u = self.u(p, alpha)
        w = self.minimizer(p["lam"], p["l1"], u)
        return {"w": w, "w_bar": w, "u": u, "alpha": alpha}

    def saddle_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """Both as they are."""
        return state["w"], state["alpha"]

    def averaging_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Zeros."""
        zeros = [Fraction(0)] * p["d"]
        return {"w": zeros, "acc": zeros, "total": zeros, "t": 0}

    def averaged_view(self, method: str, p: Problem, parameters: State, state: State) -> tuple[Vector, Vector]:
        """The average of what was played, and the slopes there."""
        w = [total_j / state["t"] for total_j in state["total"]] if state["t"] else state["w"]
        return w, self.slopes(p, w)

    def slopes(self, p: Problem, w: Vector) -> Vector:
        """phi_i'(x_i^T w) of every row."""
        return [self.slope(p, i, w) for i in range(p["n"])]

    def damping(self, method: str, p: Problem, x: Vector) -> Fraction:
        """q of the dual step."""
        if method.startswith("aspdc"):
            return Fraction(0)
        q: Fraction = self.mean(p, dot(x, x)) / p["lam"]
        return q

    def replaced(self, p: Problem, alpha: Vector, new: dict[int, Fraction]) -> Vector:
        """alpha with its new entries."""
        return [new.get(i, alpha_i) for i, alpha_i in enumerate(alpha)]

    def dual_coordinate(self, method: str, p: Problem, state: State, i: int) -> State:
        """v and alpha after the dual step of row i."""
        x, alpha = self.row(p, i), state["alpha"]
        z = dot(x, self.point(p, state["v"]))
        new = self.dual_step(p["loss"], p["gamma"], z, alpha[i], p["y"][i], self.damping(method, p, x))
        v = axpy(self.shift(p, new - alpha[i]), x, state["v"])
        return {"v": v, "alpha": self.replaced(p, alpha, {i: new})}

    def shift(self, p: Problem, change: Fraction) -> Fraction:
        """What v moves along x_i when alpha_i changes."""
        moved: Fraction = -self.mean(p, change) / p["lam"]
        return moved

    def primal_dual(self, method: str, p: Problem, parameters: State, state: State, choice: int | list[int]) -> State:
        """SPDC, Algorithms 1 to 3."""
        new, direction, u = {}, state["u"], state["u"]
        K = [self.index(p, k) for k in ([choice] if isinstance(choice, int) else choice)]
        for k in K:
            weight = self.weight(parameters, k) if method == "spdc-nonuniform" else Fraction(1)
            x = self.row(p, k)
            z, q = dot(x, self.extrapolated(state)), weight / parameters["sigma"]
            new[k] = self.perturbed(p, parameters["delta"], z, state["alpha"][k], k, q)
            change = new[k] - state["alpha"][k]
            direction = axpy(self.share(p, change, len(K), weight), x, direction)
            u = axpy(self.mean(p, change), x, u)
        w = self.descended(p, parameters["tau"], state["w"], direction)
        return {
            "w": w,
            "w_bar": self.extrapolation(parameters["theta"], w, state),
            "u": u,
            "alpha": self.replaced(p, state["alpha"], new),
        }

    def extrapolated(self, state: State) -> Vector:
        """The point at which the dual step looks."""
        w_bar: Vector = state["w_bar"]
        return w_bar

    def weight(self, parameters: dict[str, Any], k: int) -> Fraction:
        """p_k n."""
        weight: Fraction = parameters["weight"][k]
        return weight

    def perturbed(self, p: Problem, delta: Fraction, z: Fraction, alpha: Fraction, k: int, q: Fraction) -> Fraction:
        """The dual step of phi_k* + (delta/2) a^2, whose curvature is gamma + delta."""
        return self.dual_step(p["loss"], p["gamma"] + delta, z, alpha, p["y"][k], q)

    def share(self, p: Problem, change: Fraction, m: int, weight: Fraction) -> Fraction:
        """What a change of alpha_k adds to the direction of w, along x_k."""
        return change / (m * weight)

    def descended(self, p: Problem, tau: Fraction, w: Vector, direction: Vector) -> Vector:
        """argmin g(x) + direction^T x + ||x - w||^2/(2 tau)."""
        return self.proxed(p["lam"], p["l1"], axpy(-tau, direction, w), tau)

    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        """w_bar after the step to w."""
        return [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before["w"])]

    def subgradient_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """PGS: dual averaging."""
        acc = axpy(Fraction(-1), self.subgradient(p, state["w"], choice), state["acc"])
        t = state["t"] + 1
        w = self.smallest(p, [-acc_j / self.rounds(t) for acc_j in acc])
        return {"w": w, "acc": acc, "total": axpy(Fraction(1), state["w"], state["total"]), "t": t}

    def subgradient(self, p: Problem, w: Vector, choice: list[int]) -> Vector:
        """(1/k) sum_A phi_i'(x_i^T w) x_i."""
        found = [Fraction(0)] * p["d"]
        for i in [self.index(p, i) for i in choice]:
            found = axpy(self.slope(p, i, w) / self.batch(choice), self.row(p, i), found)
        return found

    def smallest(self, p: Problem, u: Vector) -> Vector:
        """argmin g(w) + u^T w of the problem's regularizer."""
        return self.minimizer(p["lam"], p["l1"], u)

    def batch(self, A: list[int]) -> int:
        """The rows of a round."""
        return len(A)

    def rounds(self, t: int) -> int:
        """What acc is divided by after round t: the regularizer of the round to come counts already."""
        return t + 1
