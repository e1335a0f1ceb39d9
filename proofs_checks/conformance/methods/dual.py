"""Rows of the methods that keep v = w(alpha) before the threshold: ASPDC, ASPDC-i, SDCA with its outputs and with
shrinking, PASSCoDe, CoCoA+.
"""

from collections.abc import Iterator
from fractions import Fraction

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.spec import Equation, MethodSpec, equations
from dualgap.reference import Problem

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


BEFORE: tuple[MethodSpec, ...] = (AspdcRow(), SdcaRow())
ROWS: tuple[MethodSpec, ...] = (
    AspdcIRow(),
    AspdcIFixedRow(),
    AspdcIMomentumRow(),
    AveragedRow(),
    RandomRow(),
    ShrinkingRow(),
)
