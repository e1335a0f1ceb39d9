"""CoCoA+ in the vectors."""

from typing import Any

from dualgap.extras.cocoa.reference import CoCoA, Constants
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.dual import Dual
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import register_vectors, spelled
from dualgap.reference import Method


@register_vectors
class CocoaRow(Dual):
    """Rounds of K workers, whose rows are told by where their parts end."""

    name = "cocoa"
    source = (
        "CoCoA+ (Ma, Smith, Jaggi, Jordan, Richtarik and Takac, ICML 2015), Algorithm 1, with SDCA as the local solver"
    )
    formula = (
        "CoCoA+, Algorithm 1: worker k makes SDCA's steps with q = sigma ||x_i||^2/(lam n) on its rows, from v_k = v,"
        " which move v_k by -sigma ((a - alpha_i)/(lam n)) x_i; then alpha = alpha + aggregation (the workers' alpha -"
        " alpha), v = v + (aggregation/sigma) sum_k (v_k - v)"
    )
    long = ("squared", "hinge", "logistic")

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        """Parts, one of which may be empty; adding and averaging, sigma safe or twice that."""
        n, K = int(p["n"]), 1 + draw.below(2 if kind is DYADIC else 3)
        cuts = sorted(draw.below(n + 1) for _ in range(K - 1))
        aggregation = draw.pick([1.0, 0.5, 0.25])
        return {"ends": [*cuts, n]} | spelled(
            aggregation=aggregation, sigma=draw.pick([1.0, 1.0, 2.0]) * aggregation * K
        )

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> Any:
        return [draw.below(p["n"]) if i is None else i, *(draw.below(p["n"]) for _ in range(draw.below(4)))]

    def every_choice(self, draw: Draw, p: Json, parameters: Json, state: Json) -> list[Any]:
        return [[i, (i + 1) % p["n"]] if i % 2 else [i] for i in range(p["n"])]

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        if not parameters:  # init and view
            return CoCoA()
        weight, spread = parameters["aggregation"], parameters["sigma"]
        cocoa = CoCoA(parts=parameters["ends"])
        constants = Constants(weight, spread, 1 - weight * cocoa.K / spread, spread / weight)
        cocoa.constants = lambda problem: constants  # type: ignore[method-assign]
        return cocoa

    truths = ("consistent", "ascent")
