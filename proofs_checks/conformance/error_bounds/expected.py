"""Expected results: the reference itself, run on ``RunningError`` numbers, with the exact value and the tolerance of
every result.

Where a port may compute by definition what the reference computes without cancellation (the residual, the gap, g*),
the definition is run too: its roundings are the tolerance.
"""

import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.error_bounds.block_losses import traced_block_loss
from dualgap.proofs_checks.conformance.error_bounds.logistic import RunningErrorLogistic
from dualgap.proofs_checks.conformance.error_bounds.number import RunningError, Trace, given
from dualgap.proofs_checks.conformance.error_bounds.roots import traced_roots
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import problem_of
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.reference import LOSSES, Absolute, Hinge, Logistic, Loss, Method, Problem, Regularizer
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.pnorm import PNorm

Given = Json
EDGE = Fraction(1, 2**20)  # so near to the sphere a rounded norm may be on either side
PLAIN = ("delta", "kappa")  # given to a constructor of the reference, which converts them itself


class Expected:
    """The calls of the protocol, answered by the reference on traced numbers; one object for one request."""

    def __init__(self) -> None:
        self.trace = Trace()

    def answer(self, call: str, request: Given) -> Any:
        """The result of a request as it goes through the pipe, every number RunningError (None: +infinity)."""
        group, _, name = call.rpartition(".")
        numbers = hex_floats.rationals(request, arithmetic())
        with traced_roots():
            if group:
                found = getattr(self, f"of_{group}")(name, **numbers)
                vector = "alpha" if group == "block" else "w"
                return self.all_traced({vector if isinstance(found, list) else "value": found})
            return self.all_traced(getattr(self, f"call_{name}")(**numbers))

    def all_traced(self, value: object) -> Any:
        """Every number RunningError; integers, which are counts, and words stay."""
        return each(value, lambda x: x if x is None or isinstance(x, (int, str)) else given(x, self.trace))

    def number(self, value: Number) -> RunningError:
        """A given number."""
        return given(value, self.trace)

    def vector(self, values: list[Fraction]) -> list[RunningError]:
        """A given vector."""
        return [self.number(value) for value in values]

    # -- level L0: a function of a loss, a regularizer, a p-norm or a loss of several numbers -------------------------

    def loss(self, name: str, gamma: Fraction) -> Loss:
        """The reference's loss with traced constants."""
        kind = WITH_RUNNING_ERROR.get(name) or LOSSES[name]
        loss = kind(gamma) if kind.adjustable else kind()
        loss.gamma, loss.zero, loss.one = self.number(loss.gamma), self.number(0), self.number(1)
        return loss

    def of_loss(self, name: str, loss: str, gamma: Fraction, **numbers: Fraction) -> object:
        phi, x = self.loss(loss, gamma), self.all_traced(numbers)
        if name in ("conjugate", "residual") and not phi.in_domain(x["alpha"], x["y"]):
            return None
        found: RunningError = getattr(phi, name)(*(x[key] for key in ("z", "alpha", "y", "q") if key in x))
        if name != "residual":
            return found
        return same(phi.value(x["z"], x["y"]) + phi.conjugate(x["alpha"], x["y"]) - x["alpha"] * x["z"], found)

    def pnorm(self, lam: Fraction, p: Fraction, ball: Fraction | None = None) -> PNorm:
        """The reference's squared p-norm with traced constants."""
        g = PNorm(lam, p, ball)
        g.lam, g.p, g.ball = self.number(lam), self.number(p), None if ball is None else self.number(ball)
        return g

    def of_pnorm(self, name: str, lam: Fraction, p: Fraction, ball: Fraction | None = None, **point: Any) -> object:
        g, (x,) = self.pnorm(lam, p, ball), self.all_traced(list(point.values()))
        if name != "value":
            minus = [-u_j for u_j in x]
            return g.conjugate(minus) if name == "conjugate" else g.gradient_conjugate(minus)
        self.trace.ambiguous |= ball is not None and abs(g.norm(x).value - ball) < EDGE
        return g.value(x) if g.inside(x) else None

    def of_block(self, name: str, loss: str, gamma: Fraction, target: Any, **numbers: Any) -> object:
        phi = traced_block_loss(loss, gamma, self.trace)
        x = {key: tuple(value) if isinstance(value, list) else value for key, value in self.all_traced(numbers).items()}
        y = tuple(self.vector(target)) if isinstance(target, list) else target  # the target b, or the class
        if name == "conjugate" and not phi.in_domain(x["alpha"], y):
            return None
        found = getattr(phi, name)(*(x[key] for key in ("z", "alpha") if key in x), y, *([x["q"]] if "q" in x else []))
        return list(found) if isinstance(found, tuple) else found

    def regularizer(self, lam: Fraction, l1: Fraction) -> Regularizer:
        """The reference's regularizer with traced constants."""
        g = Regularizer(lam, l1)
        g.lam, g.l1 = self.number(lam), self.number(l1)
        return g

    def of_regularizer(
        self, name: str, lam: Fraction, l1: Fraction, tau: Fraction | None = None, **point: Any
    ) -> object:
        g, (x,) = self.regularizer(lam, l1), self.all_traced(list(point.values()))
        if name in ("value", "prox"):
            return g.value(x) if tau is None else g.prox(x, self.number(tau))
        minus = [-u_j for u_j in x]
        w = g.gradient_conjugate(minus)
        if name == "minimizer":
            return w
        cross = self.number(0)
        for u_j, w_j in zip(x, w):
            cross = cross - u_j * w_j
        return same(cross - g.value(w), g.conjugate(minus))

    def call_gap(self, primal: Fraction, dual: Fraction) -> Json:
        return {"gap": self.number(primal) - self.number(dual)}

    # -- levels L1 to L3 -----------------------------------------------------------------------------------------------

    def problem(self, p: Given) -> Problem:
        """The reference's problem with traced numbers."""
        problem = problem_of(p)
        copied = copy.copy(problem)
        copied.rows = [[(j, self.number(x)) for j, x in row] for row in problem.rows]
        copied.zero, copied.y = self.number(0), self.vector(p["y"])
        copied.loss, copied.regularizer = self.loss(p["loss"], p["gamma"]), self.regularizer(p["lam"], p["l1"])
        if "p" in p:
            copied.regularizer = self.pnorm(p["lam"], p["p"], p.get("ball"))
        copied.scale, copied.threshold = copied.regularizer.modulus * copied.n, copied.regularizer.threshold
        return copied

    def call_init(self, method: str, problem: Given, alpha: list[Fraction], parameters: Given | None = None) -> Json:
        traced, row = self.problem(problem), ROWS[method]
        own = self.method(method, parameters or {}, None)
        return {"state": row.written(own.init(traced, alpha if row.from_alpha else None))}

    def call_view(self, method: str, problem: Given, state: Given, parameters: Given | None = None) -> Json:
        traced, own = self.problem(problem), self.method(method, parameters or {}, None)
        w, alpha = own.view(traced, ROWS[method].read(self.all_traced(state)))
        return {"w": w, "alpha": alpha}

    def call_step(self, method: str, problem: Given, parameters: Given, state: Given, choice: int | list[int]) -> Json:
        return {"state": self.call_trajectory(method, problem, parameters, state, [choice])["states"][0]}

    def call_trajectory(
        self, method: str, problem: Given, parameters: Given, state: Given, choices: Sequence[int | list[int]]
    ) -> Json:
        traced, row, states = self.problem(problem), ROWS[method], []
        now = row.read(self.all_traced(state))
        for choice in choices:
            now = self.method(method, parameters, choice).step(traced, now, choice)
            states.append(row.written(now))
        return {"states": states}

    def call_branches(
        self, method: str, problem: Given, parameters: Given, state: Given, choices: Sequence[int | list[int]]
    ) -> Json:
        return {"states": [self.call_step(method, problem, parameters, state, choice)["state"] for choice in choices]}

    def method(self, name: str, parameters: Given, choice: int | list[int] | None) -> Method[Any]:
        """The reference's method with its parameters, for a choice."""
        return ROWS[name].method(
            {key: x if key in PLAIN else self.all_traced(x) for key, x in parameters.items()}, choice
        )

    def call_certificate(self, problem: Given, w: list[Fraction], alpha: list[Fraction]) -> Json:
        traced, point, dual_point = self.problem(problem), self.vector(w), self.vector(alpha)
        primal, dual = traced.P(point), traced.D(dual_point)
        return {"primal": primal, "dual": dual, "gap": same(primal - dual, traced.gap(point, dual_point))}


class Kinked(Loss):
    """A loss that remembers where a port may take another subgradient: at z = y, where both subclasses have a kink."""

    def derivative(self, z: RunningError, y: RunningError) -> Number:
        z.trace.ambiguous |= z.value == y.value
        return super().derivative(z, y)

    def dual_step(self, z: RunningError, alpha: RunningError, y: RunningError, q: RunningError) -> Number:
        z.trace.ambiguous |= q.value == 0 and z.value == y.value
        return super().dual_step(z, alpha, y, q)


class RunningErrorHinge(Kinked, Hinge):
    """1 - y z has its kink at z = y, which is -1 or 1."""


class RunningErrorAbsolute(Kinked, Absolute):
    """|z - y|."""


WITH_RUNNING_ERROR: dict[str, type[Loss]] = {
    Logistic.name: RunningErrorLogistic,
    Hinge.name: RunningErrorHinge,
    Absolute.name: RunningErrorAbsolute,
}


def same(defined: RunningError, computed: RunningError) -> RunningError:
    """Two formulas of one number: the tolerance is that of the definition, whose exact value must be the other's."""
    if abs(defined.value - computed.value) > Fraction(1, 10**25) * (1 + abs(defined.value)):
        raise AssertionError(
            f"two formulas of the reference differ: {float(defined.value)!r}, {float(computed.value)!r}"
        )
    return defined
