"""The independent implementation, whole: every call and every method; see ``losses``."""

from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.baselines import BaselineMethods
from dualgap.proofs_checks.conformance.independent.dual import DualMethods
from dualgap.proofs_checks.conformance.independent.losses import Vector
from dualgap.proofs_checks.conformance.independent.methods import Methods, Problem, Rules
from dualgap.proofs_checks.conformance.independent.norms import MoreFormulas
from dualgap.proofs_checks.conformance.independent.primal import PrimalMethods


class Independent(BaselineMethods, PrimalMethods, MoreFormulas):
    """Every call."""

    rules: ClassVar[Rules] = {**Methods.rules, **DualMethods.rules, **PrimalMethods.rules, **BaselineMethods.rules}

    def smallest(self, p: Problem, u: Vector) -> Vector:
        return self.shortest(p["lam"], p["p"], p.get("ball"), u) if "p" in p else super().smallest(p, u)
