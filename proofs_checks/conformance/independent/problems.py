"""The independent implementation of problems, certificates and what methods share, on dense rows; see ``losses``."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot
from dualgap.proofs_checks.conformance.independent.losses import Result
from dualgap.proofs_checks.conformance.independent.norms import MoreFormulas

Problem = Result
State = Result
View = tuple[Vector, Vector]
# the name of a method of the class, or a function that is given the implementation first
Rule = str | Callable[..., Any]
Rules = dict[str, tuple[Rule, Rule, Rule]]  # method: its init, its step and its view


class Problems(MoreFormulas):
    """The calls of levels L1 to L3."""

    rules: ClassVar[Rules] = {}

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

    def smoothness(self, p: Problem) -> Fraction:
        """max ||x_i||^2/gamma."""
        return max(dot(x, x) for x in self.rows(p)) / self.constant(p["loss"], p["gamma"])

    def u(self, p: Problem, alpha: Vector) -> Vector:
        """X^T alpha/n."""
        return [self.mean(p, dot(list(column), alpha)) for column in zip(*self.rows(p))]

    def point(self, p: Problem, v: Vector) -> Vector:
        """w of v: argmin (1/2)||w||^2 + (l1/lam)||w||_1 - v^T w."""
        return self.minimizer(Fraction(1), p["l1"] / p["lam"], [-v_j for v_j in v])

    def of_alpha(self, p: Problem, alpha: Vector) -> Vector:
        """w(alpha) = argmin g(w) + u^T w."""
        return self.minimizer(p["lam"], p["l1"], self.u(p, alpha))

    def z(self, p: Problem, i: int, w: Vector) -> Fraction:
        """x_i^T w."""
        return dot(self.row(p, i), w)

    def slope(self, p: Problem, i: int, w: Vector) -> Fraction:
        """phi_i'(x_i^T w)."""
        return self.derivative(p["loss"], p["gamma"], self.z(p, i, w), p["y"][i])

    def slopes(self, p: Problem, w: Vector) -> Vector:
        """phi_i'(x_i^T w) of every row."""
        return [self.slope(p, i, w) for i in range(p["n"])]

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

    # -- calls --------------------------------------------------------------------------------------------------------

    def _rule(self, method: str, k: int) -> Callable[..., Any]:
        rule = self.rules[method][k]
        found: Callable[..., Any] = getattr(self, rule) if isinstance(rule, str) else partial(rule, self)
        return found

    def call_init(self, method: str, problem: Problem, alpha: Vector, parameters: State | None = None) -> Result:
        return {"state": self._rule(method, 0)(method, problem, parameters or {}, alpha)}

    def call_view(self, method: str, problem: Problem, state: State, parameters: State | None = None) -> Result:
        w, alpha = self._rule(method, 2)(method, problem, parameters or {}, state)
        return {"w": w, "alpha": alpha}

    def call_step(self, method: str, problem: Problem, parameters: State, state: State, choice: object) -> Result:
        return {"state": self.step(method, problem, parameters, state, choice)}

    def call_trajectory(self, state: State, choices: Sequence[object], **given: Any) -> Result:
        states = []
        for choice in choices:
            state = self.step(state=state, choice=choice, **given)
            states.append(state)
        return {"states": states}

    def call_branches(self, choices: Sequence[object], **given: Any) -> Result:
        return {"states": [self.step(choice=choice, **given) for choice in choices]}

    def call_certificate(self, problem: Problem, w: Vector, alpha: Vector) -> Result:
        primal, dual = self.primal(problem, w), self.dual(problem, alpha)
        return {"primal": primal, "dual": dual, "gap": None if dual is None else primal - dual}

    def step(self, method: str, problem: Problem, parameters: State, state: State, choice: object) -> State:
        """The state after one step."""
        after: State = self._rule(method, 1)(method, problem, parameters, state, choice)
        return after

    # -- steps along one alpha_i --------------------------------------------------------------------------------------

    def dual_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """v of alpha."""
        return {"v": [-u_j / p["lam"] for u_j in self.u(p, alpha)], "alpha": alpha}

    def dual_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """w of v."""
        return self.point(p, state["v"]), state["alpha"]

    def coordinate_step(self, method: str, p: Problem, parameters: State, state: State, choice: int) -> State:
        """ASPDC and SDCA."""
        return self.dual_coordinate(method, p, state, self.index(p, choice))

    def dual_coordinate(self, method: str, p: Problem, state: State, i: int) -> State:
        """v and alpha after the dual step of row i."""
        x, alpha, q = self.row(p, i), state["alpha"], self.damping(method, p, i)
        new = self.dual_step(p["loss"], p["gamma"], dot(x, self.point(p, state["v"])), alpha[i], p["y"][i], q)
        v = axpy(self.shift(p, new - alpha[i]), x, state["v"])
        return {"v": v, "alpha": self.replaced(p, alpha, {i: new})}

    def damping(self, method: str, p: Problem, i: int) -> Fraction:
        """q of the dual step: ||x_i||^2/(lam n) in SDCA, 0 in ASPDC."""
        x = self.row(p, i)
        q: Fraction = self.mean(p, dot(x, x)) / p["lam"]
        return q - q if method.startswith("aspdc") else q

    def shift(self, p: Problem, change: Fraction) -> Fraction:
        """Return the change of v along x_i when alpha_i changes."""
        moved: Fraction = -self.mean(p, change) / p["lam"]
        return moved

    def replaced(self, p: Problem, alpha: Vector, new: dict[int, Fraction]) -> Vector:
        """alpha with its new entries."""
        return [new.get(i, alpha_i) for i, alpha_i in enumerate(alpha)]

    # -- steps along w and alpha --------------------------------------------------------------------------------------

    def saddle_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w and u of alpha."""
        w = self.of_alpha(p, alpha)
        return {"w": w, "w_bar": w, "u": self.u(p, alpha), "alpha": alpha}

    def saddle_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """Both as they are."""
        return state["w"], state["alpha"]

    def extrapolated(self, state: State) -> Vector:
        """The point at which the dual step looks."""
        w_bar: Vector = state["w_bar"]
        return w_bar

    def share(self, p: Problem, change: Fraction, m: int, weight: Fraction) -> Fraction:
        """Return the change of the direction of w along x_k when alpha_k changes."""
        return change / (m * weight)

    def descended(self, p: Problem, tau: Fraction, theta: Fraction, state: State, direction: Vector) -> State:
        """w = argmin g(x) + direction^T x + ||x - w||^2/(2 tau), and w_bar beyond it."""
        before = state["w"]
        w = self.proxed(p["lam"], p["l1"], axpy(-tau, direction, before), tau)
        return {"w": w, "w_bar": [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)]}

    # -- steps along (sub)gradients -----------------------------------------------------------------------------------

    def subgradient(self, p: Problem, w: Vector, choice: list[int]) -> Vector:
        """(1/k) sum_A phi_i'(x_i^T w) x_i."""
        found, k = [Fraction(0)] * p["d"], len(choice)
        for i in [self.index(p, i) for i in choice]:
            found = axpy(self.slope(p, i, w) / k, self.row(p, i), found)
        return found

    def last_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """w as it is, and the slopes there."""
        return state["w"], self.slopes(p, state["w"])
