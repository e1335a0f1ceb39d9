"""Rows of the methods that keep w: SPDC, AdaSPDC and PDCP, which keep alpha too, and PGS, which does not."""

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


BEFORE: tuple[MethodSpec, ...] = (SpdcRow(), MiniBatchRow(), NonUniformRow(), PgsRow())
ROWS: tuple[MethodSpec, ...] = (AdaptiveRow(), RepairedRow(), BatchRow(), PNormRow())
