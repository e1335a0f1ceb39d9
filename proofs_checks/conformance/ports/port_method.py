"""A port as a method, so that the papers' claims about the reference can be checked on it.

``PipeMethod`` has the reference's ``init``, ``choices`` and ``view``; its ``step`` is the port's own. On problems where
doubles do not round (``dyadic``), every check of the papers' claims can be run on it: its next states are the
reference's, and the theorems hold for the sums over all its choices.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.registry import Check, all_claims
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol.compare import answered
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.port import problem_to_json as _to_json
from dualgap.reference import Method
from dualgap.reference.methods.base import State
from dualgap.reference.problem.problem import Problem, Vector


class Skipped(Exception):
    """The port says that it does not know the method or the loss."""


class NoAnswer(ValueError):
    """The port met a request that it cannot answer, or ended; for a check this is a failure like any other."""


class PipeMethod(Method[Any]):
    """The method whose step is a port's.

    Parameters
    ----------
    port : the port; each request is one ``step``.
    own : the reference method that gives ``init``, ``choices`` and ``view``.

    Notes
    -----
    For problems in Fractions whose every number is a double: what the port is sent is what the state is.
    """

    def __init__(self, port: Port, own: Method[Any]) -> None:
        self.port, self.own = port, own

    def init(self, problem: Problem, *start: Any) -> Any:
        return self.own.init(problem, *start)

    def choices(self, problem: Problem, state: State) -> list[tuple[Any, Fraction]]:
        return self.own.choices(problem, state)

    def view(self, problem: Problem, state: State) -> tuple[Vector, Vector]:
        return self.own.view(problem, state)

    def step(self, problem: Problem, state: State, choice: object) -> State:
        """One step of the port. Raises NoAnswer, or Skipped."""
        answer = self.port.run("step", request(self.own, problem, state, choice))
        if answer.kind == "skipped":
            raise Skipped(answer.reason)
        if answer.result is None:
            raise NoAnswer(f"{answer.kind}: {answer.reason}")
        try:
            got = answer.result["state"]
            if not all(isinstance(got[name], list) for name in state.names()):
                raise TypeError(f"every one of {', '.join(state.names())} is a list")
            fields = {name: [Fraction(answered(x)) for x in got[name]] for name in state.names()}
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise NoAnswer(
                f"the port did not return a state of finite numbers: {type(error).__name__}: {error}"
            ) from None
        for name, value in fields.items():
            if len(value) != len(getattr(state, name)):
                raise NoAnswer(f"{name} came back with {len(value)} entries, {len(getattr(state, name))} are due")
        return type(state)(**fields)


def request(method: Method[Any], problem: Problem, state: State, choice: object) -> Json:
    """What ``step`` is given over the pipe."""
    return {
        "method": method.name,
        "problem": problem_to_json(problem),
        "parameters": parameters_to_json(method, problem),
        "state": {name: [encode(float(x)) for x in value] for name, value in state.fields().items()},
        "choice": choice,
    }


def problem_to_json(problem: Problem) -> Json:
    """The problem as the protocol writes it; the zeros of a dense row are not stored."""
    stored = [[(j, x) for j, x in row if x != 0] for row in problem.rows]
    loss, g = problem.loss, problem.regularizer
    return _to_json(problem.d, stored, problem.y, loss.name, loss.gamma, g.lam, g.l1)


def parameters_to_json(method: Any, problem: Problem) -> Json:
    """tau, sigma, theta and delta of SPDC; nothing for ASPDC and SDCA."""
    if not hasattr(method, "parameters"):
        return {}
    found = method.parameters(problem)
    constants = {"tau": found.tau, "sigma": found.sigma, "theta": found.theta, "delta": method.delta}
    return {name: encode(float(value)) for name, value in constants.items()}


# -- checks ---------------------------------------------------------------------------------------------------------


def same_step(c: Context) -> Iterator[Relation]:
    """Every field of every next state is the reference's."""
    own = c.method.own if isinstance(c.method, PipeMethod) else c.method
    for successor in c.successors:
        expected = own.step(c.problem, c.state, successor.choice).fields()
        for name, values in successor.state.fields().items():
            for j, (got, there) in enumerate(zip(values, expected[name])):
                yield Eq(got, there, f"choice {successor.choice}: {name}[{j}]")


def optimality(c: Context) -> Iterator[Relation]:
    """SPDC's lines by what they say: (7) and (8) solve their problems, (9) keeps u, (10) extrapolates."""
    problem, before, own = c.problem, c.state, c.method.own if isinstance(c.method, PipeMethod) else c.method
    p = own.parameters(problem)  # type: ignore[attr-defined]
    for successor in c.successors:
        k, after = successor.choice, successor.state
        z = problem.dot(problem.rows[k], before.w_bar) - (after.alpha[k] - before.alpha[k]) / p.sigma
        yield Eq(
            problem.loss.residual(z, after.alpha[k], problem.y[k]),
            problem.zero,
            f"(7), k = {k}: the residual of alpha_k+",
        )
        u = [-u_j for u_j in problem.minus_u(after.alpha)]
        r = [old - problem.n * (old - new) for old, new in zip(before.u, after.u)]  # u + (alpha_k+ - alpha_k) x_k
        pull = [r_j + (new - old) / p.tau for r_j, new, old in zip(r, after.w, before.w)]
        residual = problem.regularizer.residual(after.w, [-p_j for p_j in pull])
        yield Eq(residual, problem.zero, f"(8), k = {k}: the residual of w+")
        for j in range(problem.d):
            yield Eq(after.u[j], u[j], f"(9), k = {k}: u_{j} = (X^T alpha/n)_{j}")
            yield Eq(after.w_bar[j], after.w[j] + p.theta * (after.w[j] - before.w[j]), f"(10), k = {k}: w_bar_{j}")


CLAIMS = {  # by method: the claims of the papers that are checked on a port
    "aspdc": ("aspdc.algorithm-1", "aspdc.one-step.sharp", "aspdc.a17.sharp"),
    "sdca": ("sdca.algorithm", "sdca.dual-monotone", "sdca.per-step"),
    "spdc": (),
}


@cache
def checks(method: str) -> dict[str, Check]:
    """The checks of a method by name; the name of a claim is its id."""
    found: dict[str, Check] = {"same step": same_step} if method in CLAIMS else {}
    found |= {name: all_claims()[name].check for name in CLAIMS.get(method, ())}
    return found | ({"SPDC (7)-(10)": optimality} if method == "spdc" else {})


def first_false(check: Check, instance: Instance, port: Port) -> str | None:
    """The first relation of the check that is false of the port on the instance, or why it cannot be evaluated."""
    method = PipeMethod(port, instance.reference_method())
    try:
        return next((str(r) for r in check(Context(instance, method)) if not r.holds()), None)
    except (ArithmeticError, ValueError, IndexError) as error:  # e.g. an alpha outside the domain of phi*
        return f"{type(error).__name__}: {error}"


def requests_of(instance: Instance) -> list[Json]:
    """What ``step`` is given for every choice after the instance's path."""
    own, problem = instance.reference_method(), instance.problem()
    state = own.run(problem, instance.path, own.init(problem, list(instance.alpha)))
    return [request(own, problem, state, choice) for choice, _ in own.choices(problem, state)]
