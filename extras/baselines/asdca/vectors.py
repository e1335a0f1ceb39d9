"""The row of ASDCA in the vectors."""

from collections.abc import Iterator
from fractions import Fraction

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.dual import Dual
from dualgap.proofs_checks.conformance.methods.random_data import Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import SMOOTH, register_vectors, spelled
from dualgap.reference import Problem


@register_vectors
class AsdcaRow(Dual):
    """Lines 4 to 8 with epsilon = 0."""

    name = "asdca"
    source = "ASDCA (Shalev-Shwartz and Zhang, Math. Program. 2016), lines 1 to 8"
    formula = (
        "ASDCA: SDCA's step with lam + kappa, kappa = max(0, R^2/(n gamma) - lam); where n divides steps after it, and"
        " the gap of the inner problem at (w, alpha) is at most eta xi/(2(1 + rho/mu)): y_t = w + beta (w - w_t), w_t ="
        " w, xi = (1 - eta/2) xi, bound = (1 + rho/mu) gap + (rho kappa/(2 mu)) ||w - y_t before||^2, v again, steps ="
        " 0; mu = lam/2, rho = mu + kappa, eta = sqrt(mu/rho), beta = (1 - eta)/(1 + eta)"
    )
    start = (
        "w_t = y_t = w(alpha), bound = gap, xi = xi_1 = (1 + rho/mu) gap, v = (kappa y_t - X^T alpha/n)/(lam + kappa),"
        " t = gaps = 1"
    )
    losses, long = SMOOTH, ("squared", "logistic")
    number = {"E": 2, "R": 3, "T": 2}

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        found = self.drawn(draw, kind, p, "v", "alpha", "alpha_t", "w_t", "y_t")
        xi = 64 * draw.pick(kind.constants["xi"])
        found |= spelled(xi=xi, xi_1=4 * xi, bound=xi / 2)
        return found | {
            "t": 1 + draw.below(4),
            "rule": 0,
            "steps": draw.pick([p["n"] - 1, 0]),
            "gaps": 1 + draw.below(5),
        }

    truths = ()  # eta and beta are irrational where kappa > 0: no case of class E has them

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        yield state["w_t"], state["xi"], "P(w_t) - P* <= xi"
        yield state["w_t"], state["bound"], "P(w_t) - P* <= bound (ASDCA, line 8)"
