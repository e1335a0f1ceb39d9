"""What is due: the reference itself, run on ``Traced`` numbers, with the exact value and the tolerance of every result.

Where a port may compute by definition what the reference computes without cancellation (the residual, the gap, g*),
the definition is run too: its roundings are the tolerance.
"""

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance import bits
from dualgap.proofs_checks.conformance.traced import Trace, Traced, given
from dualgap.proofs_checks.conformance.traced_logistic import TracedLogistic
from dualgap.reference import LOSSES, Logistic, Loss, Method, Problem, Regularizer
from dualgap.reference.aspdc import ASPDC
from dualgap.reference.method import DualState
from dualgap.reference.pgs import PGS, AveragedPGSState
from dualgap.reference.sdca import SDCA
from dualgap.reference.spdc import SPDC, MiniBatchSPDC, NonUniformSPDC, Parameters, SPDCState


class Measured:
    """The calls of the protocol, answered by the reference on traced numbers; one object for one request."""

    def __init__(self) -> None:
        self.trace = Trace()

    def answer(self, call: str, request: dict[str, Any]) -> Any:
        """The result of a request as it goes through the pipe, every number Traced (None: +infinity)."""
        group, _, name = call.rpartition(".")
        method: Callable[..., Any] = getattr(self, f"{group or 'call'}_{name}")
        return self.all_traced(method(**bits.rationals(request)))

    def all_traced(self, value: Any) -> Any:
        """Every number Traced; integers that are counts stay."""
        if isinstance(value, dict):
            return {key: self.all_traced(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.all_traced(item) for item in value]
        return value if value is None or type(value) is int else given(value, self.trace)

    def number(self, value: Any) -> Traced:
        """A given number."""
        return given(value, self.trace)

    # -- level L0 -----------------------------------------------------------------------------------------------------

    def loss(self, name: str, gamma: Fraction) -> Loss:
        """The reference's loss with traced constants."""
        kind = TracedLogistic if name == Logistic.name else LOSSES[name]
        loss = kind(gamma) if kind.adjustable else kind()
        loss.gamma, loss.zero, loss.one = self.number(loss.gamma), self.number(0), self.number(1)
        return loss

    def loss_value(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Any:
        return {"value": self.loss(loss, gamma).value(self.number(z), self.number(y))}

    def loss_derivative(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Any:
        return {"value": self.loss(loss, gamma).derivative(self.number(z), self.number(y))}

    def loss_conjugate(self, loss: str, gamma: Fraction, alpha: Fraction, y: Fraction) -> Any:
        phi, a, label = self.loss(loss, gamma), self.number(alpha), self.number(y)
        return {"value": phi.conjugate(a, label) if phi.in_domain(a, label) else None}

    def loss_residual(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction) -> Any:
        phi, x, a, label = self.loss(loss, gamma), self.number(z), self.number(alpha), self.number(y)
        if not phi.in_domain(a, label):
            return {"value": None}
        return {"value": same(phi.value(x, label) + phi.conjugate(a, label) - a * x, phi.residual(x, a, label))}

    def loss_dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Any:
        return {"value": self.loss(loss, gamma).dual_step(*(self.number(x) for x in (z, alpha, y, q)))}

    def regularizer(self, lam: Fraction, l1: Fraction) -> Regularizer:
        """The reference's regularizer with traced constants."""
        g = Regularizer(lam, l1)
        g.lam, g.l1 = self.number(lam), self.number(l1)
        return g

    def vector(self, values: list[Fraction]) -> list[Traced]:
        """A given vector."""
        return [self.number(value) for value in values]

    def regularizer_value(self, lam: Fraction, l1: Fraction, w: list[Fraction]) -> Any:
        return {"value": self.regularizer(lam, l1).value(self.vector(w))}

    def regularizer_conjugate(self, lam: Fraction, l1: Fraction, u: list[Fraction]) -> Any:
        return {"value": self._conjugate(self.regularizer(lam, l1), self.vector(u))}

    def _conjugate(self, g: Regularizer, u: list[Any]) -> Traced:
        w = g.gradient_conjugate([-u_j for u_j in u])
        cross = self.number(0)
        for u_j, w_j in zip(u, w):
            cross = cross - u_j * w_j
        return same(cross - g.value(w), g.conjugate([-u_j for u_j in u]))

    def regularizer_minimizer(self, lam: Fraction, l1: Fraction, u: list[Fraction]) -> Any:
        return {"w": self.regularizer(lam, l1).gradient_conjugate([-u_j for u_j in self.vector(u)])}

    def regularizer_prox(self, lam: Fraction, l1: Fraction, w: list[Fraction], tau: Fraction) -> Any:
        return {"w": self.regularizer(lam, l1).prox(self.vector(w), self.number(tau))}

    def call_gap(self, primal: Fraction, dual: Fraction) -> Any:
        return {"gap": self.number(primal) - self.number(dual)}

    # -- levels L1 to L3 ------------------------------------------------------------------------------------------------

    def problem(self, p: dict[str, Any]) -> Problem:
        """The reference's problem with traced numbers."""
        starts = p["starts"]
        rows = [list(zip(p["columns"][a:b], p["values"][a:b])) for a, b in zip(starts, starts[1:])]
        kind = LOSSES[p["loss"]]
        loss = kind(p["gamma"]) if kind.adjustable else kind()
        problem = Problem(rows, p["y"], loss, Regularizer(p["lam"], p["l1"]), number=Fraction, d=p["d"])
        twin = copy.copy(problem)
        twin.__dict__["rows"] = [[(j, self.number(x)) for j, x in row] for row in problem.rows]
        twin.zero, twin.y = self.number(0), self.vector(p["y"])
        twin.loss, twin.regularizer = self.loss(p["loss"], p["gamma"]), self.regularizer(p["lam"], p["l1"])
        twin.scale, twin.threshold = twin.regularizer.modulus * twin.n, twin.regularizer.threshold
        return twin

    def call_init(self, method: str, problem: dict[str, Any], alpha: list[Fraction]) -> Any:
        traced = self.problem(problem)
        start = None if method == "pgs" else alpha
        return {"state": fields(method_of(method, traced, None, 1).init(traced, start))}

    def call_view(self, method: str, problem: dict[str, Any], state: dict[str, Any]) -> Any:
        traced = self.problem(problem)
        w, alpha = method_of(method, traced, None, 1).view(traced, self.state(method, state))
        return {"w": w, "alpha": alpha}

    def call_step(self, method: str, problem: dict[str, Any], parameters: dict[str, Any], state: dict[str, Any], choice: Any) -> Any:
        return {"state": self.call_trajectory(method, problem, parameters, state, [choice])["states"][0]}

    def call_trajectory(self, method: str, problem: dict[str, Any], parameters: dict[str, Any], state: dict[str, Any], choices: Any) -> Any:
        traced, now, states = self.problem(problem), self.state(method, state), []
        for choice in choices:
            own = self.prepared(method, traced, parameters, choice)
            now = own.step(traced, now, choice)
            states.append(fields(now))
        return {"states": states}

    def call_branches(self, method: str, problem: dict[str, Any], parameters: dict[str, Any], state: dict[str, Any], choices: Any) -> Any:
        return {"states": [self.call_step(method, problem, parameters, state, choice)["state"] for choice in choices]}

    def prepared(self, method: str, problem: Problem, parameters: dict[str, Any], choice: Any) -> Method[Any]:
        """The method with its parameters, for a choice."""
        constants = None
        if parameters:
            weight = self.vector(parameters["weight"]) if "weight" in parameters else None
            tau, sigma, theta = (self.number(parameters[name]) for name in ("tau", "sigma", "theta"))
            constants = Parameters(tau, sigma, theta, weight)
        size = 1 if isinstance(choice, int) else len(choice)
        return method_of(method, problem, constants, size, parameters.get("delta", Fraction(0)))

    def state(self, method: str, values: dict[str, Any]) -> Any:
        """The reference's state."""
        kind = DualState if method in ("aspdc", "sdca") else AveragedPGSState if method == "pgs" else SPDCState
        return kind(**{name: x if isinstance(x, int) else self.vector(x) for name, x in values.items()})

    def call_certificate(self, problem: dict[str, Any], w: list[Fraction], alpha: list[Fraction]) -> Any:
        traced, point, dual_point = self.problem(problem), self.vector(w), self.vector(alpha)
        primal, dual = traced.P(point), traced.D(dual_point)
        return {"primal": primal, "dual": dual, "gap": same(primal - dual, traced.gap(point, dual_point))}


def method_of(name: str, problem: Problem, constants: Parameters | None, size: int, delta: Fraction = Fraction(0)) -> Method[Any]:
    """The reference's method for rounds of ``size`` rows, SPDC with the constants given instead of its own."""
    if name == "pgs":
        return PGS(k=size, output="average")
    if name in ("aspdc", "sdca"):
        return ASPDC() if name == "aspdc" else SDCA()
    perturbed = delta if constants is not None else Fraction(1)  # init and view depend on neither
    spdc: SPDC = MiniBatchSPDC(m=size, delta=perturbed)
    if name != "spdc-minibatch":
        spdc = SPDC(delta=perturbed) if name == "spdc" else NonUniformSPDC(delta=perturbed)
    unused = Parameters(Fraction(1), Fraction(1), Fraction(0))
    spdc.make_parameters = lambda problem, norms2: constants or unused  # type: ignore[method-assign]
    return spdc


def fields(state: Any) -> dict[str, Any]:
    """The fields of a state, as the protocol names them."""
    found: dict[str, Any] = state.fields()
    return found


def same(defined: Traced, computed: Traced) -> Traced:
    """Two formulas of one number: the tolerance is that of the definition, whose exact value must be the other's."""
    if abs(defined.value - computed.value) > Fraction(1, 10**25) * (1 + abs(defined.value)):
        raise AssertionError(f"two formulas of the reference differ: {float(defined.value)!r}, {float(computed.value)!r}")
    return defined
