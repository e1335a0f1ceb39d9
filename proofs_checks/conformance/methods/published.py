"""Rows of the methods of the papers: those that keep v = w(alpha) before the threshold, and those that keep w."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.spec import Equation, MethodSpec, equations, u_of
from dualgap.reference import Method, Problem
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR, largest
from dualgap.reference.methods.adaspdc import Parameters as AdaptiveSteps
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.methods.pdcp import Parameters as Steps
from dualgap.reference.methods.spdc import SPDC, MiniBatchSPDC, NonUniformSPDC, Parameters
from dualgap.reference.numbers.arithmetic import NumberLike

V = "v = -X^T alpha/(lam n) (ASPDC, line 2)"


class Dual(MethodSpec):
    """The fields v and alpha."""

    start = V

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("v", state["v"], problem.v(state["alpha"]), "-X^T alpha/(lam n)")


class AspdcRow(Dual):
    """Algorithm 1."""

    name = "aspdc"
    formula = (
        "ASPDC, Algorithm 1: alpha_i = phi_i'(x_i^T w) (line 5), v = v - ((alpha_i+ - alpha_i)/(lam n)) x_i (line 7)"
    )


class SdcaRow(Dual):
    """The last iterate."""

    name = "sdca"
    formula = (
        "SDCA: alpha_i = argmin_a phi_i*(a) - a z + (q/2)(a - alpha_i)^2, q = ||x_i||^2/(lam n) (line 4); line 6 as"
        " ASPDC's line 7"
    )


# -- SDCA's other outputs ---------------------------------------------------------------------------------------------


class OutputRow(SdcaRow):
    """T0 and a count t of the updates."""

    start = f"{V}; total, since, output and t are 0"


class AveragedRow(OutputRow):
    """The average of the states T0 .. T-1."""

    name = "sdca-averaged"
    formula = (
        f"{SdcaRow.formula}; before it total_i = total_i + alpha_i #{{states T0.. in which alpha_i stood}}, since_i ="
        " t + 1"
    )


class RandomRow(OutputRow):
    """One of the states T0 .. T-1, kept on the way."""

    name = "sdca-random"
    formula = f"{SdcaRow.formula}; where the choice is n + i, before it output = alpha (line 7')"


# -- ASPDC-i -----------------------------------------------------------------------------------------------------------


class ProximalRow(Dual):
    """The inner iterate, what the last inner call returned, and the counters."""

    start = (
        "v = (kappa w_tilde - X^T alpha/n)/(lam + kappa) with w_tilde = 0; alpha_tilde = alpha; steps = epoch = xi = 0"
    )
    formula = (
        "ASPDC, Algorithm 3: Algorithm 1 with lam + kappa instead of lam; after m steps w_tilde = w, alpha_tilde ="
        " alpha, v = (kappa c - X^T alpha/n)/(lam + kappa), c = w_tilde"
    )

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        kappa, minus_u = parameters["kappa"], problem.minus_u(state["alpha"])
        mu = problem.regularizer.lam + kappa
        expected = [(kappa * c_j + u_j) / mu for c_j, u_j in zip(self.centre(parameters, state), minus_u)]
        yield from equations("v", state["v"], expected, "(kappa w_tilde - X^T alpha/n)/(lam + kappa)")

    def centre(self, parameters: Json, state: Json) -> list[Fraction]:
        """The proximal centre."""
        centre: list[Fraction] = state["w_tilde"]
        return centre


class AspdcIRow(ProximalRow):
    """Algorithm 2."""

    name = "aspdc-i"
    start = (
        f"{ProximalRow.start.removesuffix(' = xi = 0')} = 0, epoch = 1, xi = (1 + 1/eta) gap(w_tilde, alpha), eta ="
        " lam/(lam + 2 kappa)"
    )
    formula = (
        "ASPDC, Algorithm 2: Algorithm 1 with lam + kappa instead of lam; where n divides steps, before it: while"
        " the gap of the inner problem at (w, alpha) is at most eta xi/(2(1 + 1/eta)), w_tilde = w, alpha_tilde ="
        " alpha, xi = (1 - eta/2) xi and v is computed from the new centre"
    )

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        yield state["w_tilde"], state["xi"], "P(w_tilde) - P* <= xi (ASPDC, Theorem 2, eta linear)"


class AspdcIFixedRow(ProximalRow):
    """Algorithm 3."""

    name = "aspdc-i-fixed"


class AspdcIMomentumRow(ProximalRow):
    """Algorithm 3 with momentum."""

    name = "aspdc-i-momentum"
    formula = (
        f"{ProximalRow.formula.removesuffix('w_tilde')}w_tilde + beta (w_tilde - w_tilde_before), beta = (1 - r)/(1 +"
        " r), r = sqrt(lam/(lam + 2 kappa))"
    )


class ShrinkingRow(Dual):
    """SDCA-Perm over the active rows."""

    name = "sdca-shrinking"
    formula = (
        f"{SdcaRow.formula}; i = active[s + floor(k (size - s)/n)], s = position, exchanged with active[s]; its slope"
        " |y_i + gamma alpha_i - z| (0 for squared, logistic) goes into violation where alpha_i moves; row i is kept"
        " where it moves, threshold = 0 or slope <= threshold; at the end of a pass tolerance = violation/100 if size"
        " = n, then size = n, threshold = 0 if violation <= tolerance, else size = kept, threshold = violation"
    )
    start = f"{SdcaRow.start}; active = 0 .. n-1, size = n, all else 0"


class Saddle(MethodSpec):
    """w, w_bar and alpha, and u where the method keeps it."""

    start = "u = X^T alpha/n, w = w_bar = w(alpha)"

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("u", state["u"], u_of(problem, state["alpha"]), "X^T alpha/n")


# -- SPDC --------------------------------------------------------------------------------------------------------------


class SpdcRow(Saddle):
    """Algorithm 1."""

    name = "spdc"
    formula = (
        "SPDC, Algorithm 1: the dual step at w_bar (7), the prox at u + (alpha_k+ - alpha_k) x_k (8), u (9), w_bar = w+"
        " + theta (w+ - w) (10)"
    )

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        delta = parameters["delta"] if parameters else Fraction(1)  # init and view depend on no parameter
        return self.with_steps(
            self.variant(delta, 1 if choice is None or isinstance(choice, int) else len(choice)), parameters
        )

    def variant(self, delta: NumberLike, m: int) -> SPDC:
        """The reference's method for m rows a step."""
        return SPDC(delta=delta)

    def with_steps(self, spdc: SPDC, parameters: Json) -> SPDC:
        """The method with the step sizes and the weight of ``parameters``; a constant that is missing there is 1."""
        tau, sigma, theta = (parameters.get(name, Fraction(1)) for name in ("tau", "sigma", "theta"))
        constants = Parameters(tau, sigma, theta, parameters.get("weight"))
        spdc.make_parameters = lambda problem, norms2: constants  # type: ignore[method-assign]
        return spdc


class MiniBatchRow(SpdcRow):
    """Algorithm 2."""

    name = "spdc-minibatch"
    formula = (
        "SPDC, Algorithm 2: all dual steps at one w_bar (13), the prox at u + (1/m) sum_K (alpha_k+ - alpha_k) x_k (14)"
    )

    def variant(self, delta: NumberLike, m: int) -> SPDC:
        return MiniBatchSPDC(m=m, delta=delta)


class NonUniformRow(SpdcRow):
    """Algorithm 3."""

    name = "spdc-nonuniform"
    formula = (
        "SPDC, Algorithm 3: the dual step with q = p_k n/sigma (26), the prox at u + ((alpha_k+ - alpha_k)/(p_k n)) x_k"
        " (27)"
    )

    def variant(self, delta: NumberLike, m: int) -> SPDC:
        return NonUniformSPDC(delta=delta)


# -- AdaSPDC and PDCP --------------------------------------------------------------------------------------------------


class AdaptiveRow(Saddle):
    """Algorithm 1 of AdaSPDC, as published."""

    name = "adaspdc"
    formula = (
        "AdaSPDC, Algorithm 1: the dual steps of the sample with q = 1/sigma_i = 2 R_i/c (9), (10); tau = 1/(2 R c)"
        " (12), theta = 1 - 1/(n/m + R n/(m gamma c)) (15), R the largest R_i of the sample; the prox at u + (1/m)"
        " sum_S (alpha_i+ - alpha_i) x_i (11), u (13), w_bar (14)"
    )

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        method = self.variant(1 if choice is None else len(choice), parameters)
        if parameters:
            constants = AdaptiveSteps(parameters["R"], largest(parameters["R"]), parameters["c"])
        else:  # init and view
            constants = AdaptiveSteps([], Fraction(1), Fraction(1))
        method.parameters = lambda problem, norms=None: constants  # type: ignore[method-assign]
        return method

    def variant(self, m: int, parameters: Json) -> AdaSPDC:
        """The reference's method."""
        return AdaSPDC(m=m)


class RepairedRow(AdaptiveRow):
    """AdaSPDC-R."""

    name = "adaspdc-r"
    formula = (
        f"{AdaptiveRow.formula.replace('the largest R_i of the sample', 'the largest of all R_i')}; preset b: q = 2"
        " R_i^2/(R c)"
    )

    def variant(self, m: int, parameters: Json) -> AdaSPDC:
        return AdaSPDCR(m=m, preset=parameters.get("preset", "a"))


class BatchRow(Saddle):
    """PDCP."""

    name = "pdcp"
    formula = (
        "PDCP: every dual step at w_bar with q = n/sigma (6), the prox at X^T alpha+/n (7), w_bar = w+ + theta (w+ -"
        " w) (8)"
    )
    start = "w = w_bar = w(alpha)"

    def method(self, parameters: Json, choice: object) -> PDCP:
        pdcp = PDCP(tau=1, sigma=1)  # of their own, so that gamma = 0 is legal; then those of the run
        constants = Steps(*(parameters.get(name, Fraction(1)) for name in ("tau", "sigma", "theta")))
        pdcp.parameters = lambda problem: constants  # type: ignore[method-assign]
        return pdcp


# -- PGS ---------------------------------------------------------------------------------------------------------------


class PgsRow(MethodSpec):
    """Figure 1, output average."""

    name = "pgs"
    formula = "PGS: acc = acc - (1/k) sum_A phi_i'(x_i^T w) x_i, w = soft(acc/(t+1)/lam, l1/lam)"
    start = "w = acc = total = 0, t = 0"


class PNormRow(PgsRow):
    """PGS with the squared p-norm, on R^d or a ball."""

    name, of = "pgs-p-norm", "pgs"
    formula = (
        "PGS: acc = acc - (1/k) sum_A phi_i'(x_i^T w) x_i, w = grad g*(acc/(t+1)), g = lam ||w||_p^2/(2(p-1)) on"
        " ||w||_p <= ball"
    )


# what a port begins with, and the others
FIRST_ROWS: tuple[MethodSpec, ...] = (AspdcRow(), SdcaRow(), SpdcRow(), MiniBatchRow(), NonUniformRow(), PgsRow())
FURTHER_ROWS: tuple[MethodSpec, ...] = (
    *(AspdcIRow(), AspdcIFixedRow(), AspdcIMomentumRow(), AveragedRow(), RandomRow(), ShrinkingRow()),
    *(AdaptiveRow(), RepairedRow(), BatchRow(), PNormRow()),
)
