"""What is due: the reference itself, run on ``RunningError`` numbers, with the exact value and the tolerance of every
result.

Where a port may compute by definition what the reference computes without cancellation (the residual, the gap, g*),
the definition is run too: its roundings are the tolerance.
"""

import copy
from collections.abc import Callable, Sequence
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
        method: Callable[..., object] = getattr(self, f"{group or 'call'}_{name}")
        with traced_roots():
            return self.all_traced(method(**hex_floats.rationals(request, arithmetic())))

    def all_traced(self, value: object) -> Any:
        """Every number RunningError; integers, which are counts, and words stay."""
        return each(value, lambda x: x if x is None or isinstance(x, (int, str)) else given(x, self.trace))

    def number(self, value: Number) -> RunningError:
        """A given number."""
        return given(value, self.trace)

    # -- level L0 -----------------------------------------------------------------------------------------------------

    def loss(self, name: str, gamma: Fraction) -> Loss:
        """The reference's loss with traced constants."""
        kind = WITH_RUNNING_ERROR.get(name) or LOSSES[name]
        loss = kind(gamma) if kind.adjustable else kind()
        loss.gamma, loss.zero, loss.one = self.number(loss.gamma), self.number(0), self.number(1)
        return loss

    def loss_value(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Json:
        return {"value": self.loss(loss, gamma).value(self.number(z), self.number(y))}

    def loss_derivative(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Json:
        return {"value": self.loss(loss, gamma).derivative(self.number(z), self.number(y))}

    def loss_conjugate(self, loss: str, gamma: Fraction, alpha: Fraction, y: Fraction) -> Json:
        phi, a, label = self.loss(loss, gamma), self.number(alpha), self.number(y)
        return {"value": phi.conjugate(a, label) if phi.in_domain(a, label) else None}

    def loss_residual(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction) -> Json:
        phi, x, a, label = self.loss(loss, gamma), self.number(z), self.number(alpha), self.number(y)
        if not phi.in_domain(a, label):
            return {"value": None}
        return {"value": same(phi.value(x, label) + phi.conjugate(a, label) - a * x, phi.residual(x, a, label))}

    def loss_dual_step(
        self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction
    ) -> Json:
        return {"value": self.loss(loss, gamma).dual_step(*(self.number(x) for x in (z, alpha, y, q)))}

    def pnorm(self, lam: Fraction, p: Fraction, ball: Fraction | None = None) -> PNorm:
        """The reference's squared p-norm with traced constants."""
        g = PNorm(lam, p, ball)
        g.lam, g.p, g.ball = self.number(lam), self.number(p), None if ball is None else self.number(ball)
        return g

    def pnorm_value(self, lam: Fraction, p: Fraction, w: list[Fraction], ball: Fraction | None = None) -> Json:
        g, point = self.pnorm(lam, p, ball), self.vector(w)
        self.trace.ambiguous |= ball is not None and abs(g.norm(point).value - ball) < EDGE
        return {"value": g.value(point) if g.inside(point) else None}

    def pnorm_conjugate(self, lam: Fraction, p: Fraction, u: list[Fraction], ball: Fraction | None = None) -> Json:
        return {"value": self.pnorm(lam, p, ball).conjugate([-u_j for u_j in self.vector(u)])}

    def pnorm_minimizer(self, lam: Fraction, p: Fraction, u: list[Fraction], ball: Fraction | None = None) -> Json:
        return {"w": self.pnorm(lam, p, ball).gradient_conjugate([-u_j for u_j in self.vector(u)])}

    def block_value(self, loss: str, gamma: Fraction, z: list[Fraction], target: object) -> Json:
        phi = traced_block_loss(loss, gamma, self.trace)
        return {"value": phi.value(tuple(self.vector(z)), self.target(target))}

    def block_derivative(self, loss: str, gamma: Fraction, z: list[Fraction], target: object) -> Json:
        phi = traced_block_loss(loss, gamma, self.trace)
        return {"alpha": list(phi.derivative(tuple(self.vector(z)), self.target(target)))}

    def block_conjugate(self, loss: str, gamma: Fraction, alpha: list[Fraction], target: object) -> Json:
        phi, a, y = traced_block_loss(loss, gamma, self.trace), tuple(self.vector(alpha)), self.target(target)
        return {"value": phi.conjugate(a, y) if phi.in_domain(a, y) else None}

    def block_dual_step(
        self, loss: str, gamma: Fraction, z: list[Fraction], alpha: list[Fraction], target: object, q: Fraction
    ) -> Json:
        phi = traced_block_loss(loss, gamma, self.trace)
        found = phi.dual_step(tuple(self.vector(z)), tuple(self.vector(alpha)), self.target(target), self.number(q))
        return {"alpha": list(found)}

    def target(self, target: Any) -> tuple[Number, ...]:
        """The target b, or the class."""
        return tuple(self.vector(target)) if isinstance(target, list) else target

    def regularizer(self, lam: Fraction, l1: Fraction) -> Regularizer:
        """The reference's regularizer with traced constants."""
        g = Regularizer(lam, l1)
        g.lam, g.l1 = self.number(lam), self.number(l1)
        return g

    def vector(self, values: list[Fraction]) -> list[RunningError]:
        """A given vector."""
        return [self.number(value) for value in values]

    def regularizer_value(self, lam: Fraction, l1: Fraction, w: list[Fraction]) -> Json:
        return {"value": self.regularizer(lam, l1).value(self.vector(w))}

    def regularizer_conjugate(self, lam: Fraction, l1: Fraction, u: list[Fraction]) -> Json:
        return {"value": self._conjugate(self.regularizer(lam, l1), self.vector(u))}

    def _conjugate(self, g: Regularizer, u: list[Number]) -> RunningError:
        w = g.gradient_conjugate([-u_j for u_j in u])
        cross = self.number(0)
        for u_j, w_j in zip(u, w):
            cross = cross - u_j * w_j
        return same(cross - g.value(w), g.conjugate([-u_j for u_j in u]))

    def regularizer_minimizer(self, lam: Fraction, l1: Fraction, u: list[Fraction]) -> Json:
        return {"w": self.regularizer(lam, l1).gradient_conjugate([-u_j for u_j in self.vector(u)])}

    def regularizer_prox(self, lam: Fraction, l1: Fraction, w: list[Fraction], tau: Fraction) -> Json:
        return {"w": self.regularizer(lam, l1).prox(self.vector(w), self.number(tau))}

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
