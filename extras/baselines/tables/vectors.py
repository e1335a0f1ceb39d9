"""The rows of the baselines in the vectors, and why L-BFGS and Newton's method have none."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.extras.baselines.afg.reference import AFG, AFGState
from dualgap.extras.baselines.asdca.reference import ASDCA, ASDCAState
from dualgap.extras.baselines.sag.reference import SAG, SAGState
from dualgap.extras.baselines.spd1.reference import SPD1, AveragedSPD1State
from dualgap.extras.baselines.spd1_vr.reference import SPD1VR, SPD1VRState
from dualgap.extras.baselines.spd1_vr.reference import Parameters as EntrySteps
from dualgap.extras.baselines.svrg.reference import SVRG, RandomSVRGState, SVRGState
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.dual import Dual
from dualgap.proofs_checks.conformance.methods.primal import Saddle
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, GAMMA, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import (
    SMOOTH,
    WITHOUT,
    Equation,
    Gradient,
    equations,
    register_vectors,
    spelled,
    u_of,
    vector_of,
)
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.reference import Method, Problem
from dualgap.reference.methods.base import State


@register_vectors
class AfgRow(Gradient):
    """Lines 2 to 7; L is doubled and halved."""

    name = "afg"
    source = "AFG (Nesterov, Math. Program. 2013, method (4.9))"
    formula = (
        "AFG: a the largest root of a^2/(A + a) = 2(1 + lam A)/L, v = prox_{A g}(-s), y = (A x + a v)/(A + a), T ="
        " prox_{g/L}(y - grad f(y)/L), p = L(y - T) + grad f(T) - grad f(y); accepted where L >= max ||x_i||^2/gamma or"
        " p^T(y - T) >= ||p||^2/L: A = A + a, s = s + a grad f(T), x = T, L = L/2; else L = 2 L"
    )
    start = "x = s = A = 0, k = trials = 0, L = max ||x_i||^2/(n gamma), or 1 where that is 0"
    nets = (False, True)
    length = {"E": 2, "R": 2, "T": 2}  # the roots make long fractions
    from_alpha = False
    kind = AFGState

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        return AFG()

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        A, L = draw.pick(kind.constants["A"]), draw.pick(kind.constants["L"])
        if kind is DYADIC and draw.below(4):  # the root is rational, and 1 + lam/L is 2
            A, L = 0.0, decode(p["lam"])
        found: Json = {name: vector_of(draw, kind, p["d"]) for name in ("x", "s")} | spelled(A=A, L=L)
        return found | {"k": draw.below(4), "trials": 4 + draw.below(4)}

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        if state["A"] > 0:
            yield (
                state["x"],
                sum((w_j * w_j for w_j in w_best), Fraction(0)) / (2 * state["A"]),
                "P(x) - P* <= ||w*||^2/(2A)",
            )

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> Any:
        return 0


@register_vectors
class AsdcaRow(Dual):
    """Lines 4 to 8 with epsilon = 0."""

    name = "asdca"
    source = "ASDCA (Shalev-Shwartz and Zhang, Math. Program. 2016), lines 1 to 8"
    formula = (
        "ASDCA: SDCA's step with lam + kappa, kappa = max(0, R^2/(n gamma) - lam); where n divides steps after it, and"
        " the gap of the inner problem at (w, alpha) is at most eta xi/(2(1 + rho/mu)): y_t = w + beta (w - w_t), w_t ="
        " w, xi = (1 - eta/2) xi, bound = (1 + rho/mu) gap + (rho kappa/(2 mu)) ||w - y_t before||^2, v anew, steps ="
        " 0; mu = lam/2, rho = mu + kappa, eta = sqrt(mu/rho), beta = (1 - eta)/(1 + eta)"
    )
    start = (
        "w_t = y_t = w(alpha), bound = gap, xi = xi_1 = (1 + rho/mu) gap, v = (kappa y_t - X^T alpha/n)/(lam + kappa),"
        " t = gaps = 1"
    )
    losses, long = SMOOTH, ("squared", "logistic")
    number = {"E": 2, "R": 3, "T": 2}
    kind = ASDCAState

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        return ASDCA()

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        found = super().state(draw, kind, p, parameters) | {
            "alpha_t": random_data.vector(random_data.alpha(draw, kind, p))
        }
        found |= {name: vector_of(draw, kind, p["d"]) for name in ("w_t", "y_t")}
        xi = 64 * draw.pick(kind.constants["xi"])
        found |= spelled(xi=xi, xi_1=4 * xi, bound=xi / 2)
        return found | {
            "t": 1 + draw.below(4),
            "rule": 0,
            "steps": draw.pick([p["n"] - 1, 0]),
            "gaps": 1 + draw.below(5),
        }

    def predicates(self, loss: str) -> tuple[str, ...]:
        return ()  # eta and beta are irrational where kappa > 0: no case of class E has them

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        yield state["w_t"], state["xi"], "P(w_t) - P* <= xi"
        yield state["w_t"], state["bound"], "P(w_t) - P* <= bound (ASDCA, line 8)"


@register_vectors
class SagRow(Gradient):
    """Lines 4' to 6'."""

    name = "sag"
    source = "SAG (Le Roux, Schmidt and Bach, NIPS 2012; Math. Program. 2017), with the regularizer outside the table"
    formula = (
        "SAG: c_new = phi_i'(x_i^T w), G = G + (c_new - c_i) x_i, m counts the rows seen, w = (1 - a lam) w - (a/m) G"
    )
    start = "c = alpha, G = X^T c, w = w(alpha), every row is seen"
    kind = SAGState

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        return spelled(a=draw.pick(kind.constants["eta"]))

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        sag = SAG()
        sag.a = lambda problem: parameters["a"]  # type: ignore[method-assign]
        return sag

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        seen = [draw.below(2) for _ in p["y"]]
        found: Json = {
            "w": vector_of(draw, kind, p["d"]),
            "c": random_data.vector(random_data.alpha(draw, kind, p)),
            "G": vector_of(draw, kind, p["d"]),
        }
        return found | {"seen": seen, "m": sum(seen)}

    def predicates(self, loss: str) -> tuple[str, ...]:
        return ("consistent",)

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("G", state["G"], [problem.n * u_j for u_j in u_of(problem, state["c"])], "X^T c")
        yield state["m"], sum(state["seen"]), "m = the number of rows seen"


@register_vectors
class SvrgRow(Gradient):
    """Options I and II."""

    name = "svrg"
    source = "SVRG (Johnson and Zhang, NIPS 2013), Procedure SVRG"
    formula = (
        "SVRG: where t = 0 w_tilde = w, mu_tilde = grad P(w); w = w - eta (f_i'(w) - f_i'(w_tilde) + mu_tilde), f_i' ="
        " phi_i'(x_i^T w) x_i + lam w (line 5); after m steps t = 0, and with option 2 w = kept; where the choice is n"
        " + i, kept = w before the step"
    )
    start = "w = w_tilde = kept = w(alpha), mu_tilde = 0, t = s = 0"
    kind = RandomSVRGState
    setting = ("init", "view")

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        return spelled(eta=draw.pick(kind.constants["eta"])) | {"m": draw.pick([1, 2, 4]), "option": 1 + draw.below(2)}

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        svrg = SVRG(m=parameters["m"], option="I" if parameters["option"] == 1 else "II")
        svrg.eta = lambda problem: parameters["eta"]  # type: ignore[method-assign]
        svrg.require_gradient = lambda problem: None  # type: ignore[method-assign]  # of eta lam < 1 no step depends
        return svrg

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        found: Json = {name: vector_of(draw, kind, p["d"]) for name in ("w", "w_tilde", "mu_tilde")}
        found |= {"t": draw.below(parameters["m"]), "s": draw.below(3)}
        return found | ({"kept": vector_of(draw, kind, p["d"])} if parameters["option"] == 2 else {})

    def read(self, values: Json) -> State:
        return RandomSVRGState(**values) if "kept" in values else SVRGState(**values)

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> int:
        index = super().choice(draw, p, parameters, state, i)
        assert isinstance(index, int)
        return index + int(p["n"]) * draw.below(parameters["option"])


@register_vectors
class Spd1Row(Saddle):
    """Output average; the steps that shrink, or steps of one's own."""

    name = "spd1"
    source = "SPD1, after Tan, Zhang, Ma and Liu (NeurIPS 2018), as defined here"
    formula = (
        "SPD1: w_j = prox_{eta g_j}(w_j - eta x_ij alpha_i) (line 2), alpha_i = the dual step at z = d x_ij w_j with"
        " the old w_j, q = d/tau (line 3); without eta and tau: eta = 2d/(lam (t + 4d)), tau = 2nd/(gamma (t + 4n))"
        " with the new t; before it total_w_j = total_w_j + (t - since_w_j) w_j, since_w_j = t with the old t, and so"
        " for alpha_i"
    )
    start = "w = w(alpha), all else 0"
    losses, long = ("squared", "smoothed-hinge", "hinge", "logistic"), ("squared", "logistic")
    kind: ClassVar[type[State]] = AveragedSPD1State

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        smooth = GAMMA.get(p["loss"]) != 0.0
        if smooth and draw.below(2):
            return {}
        if kind is DYADIC and draw.below(4):  # 1 + eta lam and gamma + d/tau are powers of two
            return spelled(eta=1 / decode(p["lam"]), tau=p["d"] / (decode(p["gamma"]) or 0.5))
        return spelled(eta=draw.pick(kind.constants["eta"]), tau=draw.pick(kind.constants["tau"]))

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        if not parameters and choice is not None:
            return SPD1()
        spd1 = SPD1(eta=1, tau=1)  # of its own, so that gamma = 0 is legal; then those of the run
        spd1.steps = lambda problem, t: (parameters["eta"], parameters["tau"])  # type: ignore[method-assign]
        return spd1

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        t, (n, d) = draw.pick([0, 1, 3, 4]), (int(p["n"]), int(p["d"]))
        found: Json = {
            "w": vector_of(draw, kind, d),
            "alpha": random_data.vector(random_data.alpha(draw, kind, p)),
            "t": t,
        }
        found |= {"total_w": vector_of(draw, kind, d), "since_w": [draw.below(t + 1) for _ in range(d)]}
        return found | {"total_alpha": vector_of(draw, kind, n), "since_alpha": [draw.below(t + 1) for _ in range(n)]}

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> Any:
        return [draw.below(p["n"]) if i is None else i, draw.below(p["d"])]

    def predicates(self, loss: str) -> tuple[str, ...]:
        return ()


@register_vectors
class Spd1VrRow(Spd1Row):
    """Around a snapshot."""

    name = "spd1-vr"
    source = "SPD1-VR, after Tan, Zhang, Ma and Liu (NeurIPS 2018), as defined here"
    formula = (
        "SPD1-VR: where m divides t > 0 a new snapshot; the choice is (i, i', j, j'); w_j = prox_{eta g_j}(w_j - eta"
        " [x_i'j (alpha_i' - alpha_tilde_i') + u_tilde_j]) (line 2), alpha_i = the dual step at z = d x_ij' (w_j' -"
        " w_tilde_j') + z_tilde_i with the old w, q = 1/tau (line 3)"
    )
    start = "w = w_tilde = w(alpha), alpha_tilde = alpha, u_tilde = X^T alpha/n, z_tilde = X w, t = 0"
    kind = SPD1VRState

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        found = spelled(eta=draw.pick(kind.constants["eta"]), tau=draw.pick(kind.constants["tau"]))
        if kind is DYADIC and draw.below(4):
            found = spelled(eta=1 / decode(p["lam"]), tau=1 / (decode(p["gamma"]) or 0.5))
        return found | {"m": draw.pick([2, 3])}

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        steps = EntrySteps(*(parameters.get(name, Fraction(1)) for name in ("eta", "tau", "m")))
        spd1 = SPD1VR(eta=1, tau=1)
        spd1.parameters = lambda problem: steps  # type: ignore[method-assign]
        return spd1

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        n, d = int(p["n"]), int(p["d"])
        found: Json = {name: vector_of(draw, kind, d) for name in ("w", "w_tilde", "u_tilde")}
        found |= {name: random_data.vector(random_data.alpha(draw, kind, p)) for name in ("alpha", "alpha_tilde")}
        return found | {"z_tilde": vector_of(draw, kind, n), "t": draw.pick([0, 1, 2, 3, 6])}

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> Any:
        i = draw.below(p["n"]) if i is None else i
        return [i, draw.below(p["n"]), draw.below(p["d"]), draw.below(p["d"])]

    def predicates(self, loss: str) -> tuple[str, ...]:
        return ("consistent",)

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("u_tilde", state["u_tilde"], u_of(problem, state["alpha_tilde"]), "X^T alpha_tilde/n")
        yield from equations(
            "z_tilde", state["z_tilde"], [problem.dot(row, state["w_tilde"]) for row in problem.rows], "X w_tilde"
        )


WITHOUT["lbfgs"] = "its steps are scipy's: another implementation has others that are as right"
WITHOUT["newton"] = (
    "conjugate gradients solve its system: another order of their sums is as right, and in Fractions the reference is"
    " compared with the definition"
)
