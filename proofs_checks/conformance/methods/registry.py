"""All rows by name, in the order of the reports.

A row is found in every file of ``papers`` and of extras that has ``@register_vectors``.
"""

import json
from pathlib import Path

from dualgap.proofs_checks.conformance.independent.registry import complete
from dualgap.proofs_checks.conformance.methods.published import FIRST_ROWS, FURTHER_ROWS
from dualgap.proofs_checks.conformance.methods.spec import ROWS, register_vectors

__all__ = ["FIRST_ROWS", "PUBLISHED", "PUBLISHED_LOSSES", "ROWS", "covered", "register_vectors"]

# the shipped methods are listed in the order of this file, wherever they register
REQUESTS = Path(__file__).parents[2] / "vectors" / "v1" / "request.schema.json"

for row in (*FIRST_ROWS, *FURTHER_ROWS):
    ROWS.enter(row.name, row)
complete()
PUBLISHED, PUBLISHED_LOSSES = (json.loads(REQUESTS.read_bytes())["$defs"][name]["enum"] for name in ("method", "loss"))
_rows = sorted(ROWS.items(), key=lambda item: [*PUBLISHED, item[0]].index(item[0]))
ROWS.clear()
ROWS.update(_rows)


def covered() -> set[str]:
    """The reference's methods that have vectors."""
    return {row.of or row.name for row in ROWS.values()}


CALLS = {
    "loss.value": "phi(z) of the loss table (ASPDC, section 2)",
    "loss.derivative": "phi'(z) (ASPDC, line 5, eq. (4))",
    "loss.conjugate": "phi*(alpha) = sup_z alpha z - phi(z), +infinity outside its domain",
    "loss.residual": "phi(z) + phi*(alpha) - alpha z >= 0 (Fenchel and Young)",
    "loss.dual_step": "argmin_a phi*(a) - a z + (q/2)(a - alpha)^2 (SDCA, line 4; SPDC (7) with q = 1/sigma)",
    "regularizer.value": "g(w) = (lam/2)||w||^2 + l1 ||w||_1",
    "regularizer.conjugate": "g*(-u) = ||soft(-u, l1)||^2/(2 lam)",
    "regularizer.minimizer": "grad g*(-u) = soft(-u/lam, l1/lam)",
    "regularizer.prox": "soft(w, tau l1)/(1 + tau lam) (SPDC (8))",
    "pnorm.value": "g(w) = lam ||w||_p^2/(2 (p-1)), +infinity outside ||w||_p <= ball",
    "pnorm.conjugate": (
        "g*(-u) = C ||u||_q - lam C^2/(2 (p-1)), C = min{ball, (p-1) ||u||_q/lam}, 1/p + 1/q = 1 (PGS, Theorem 3)"
    ),
    "pnorm.minimizer": "(grad g*(-u))_j = -C sgn(u_j) |u_j|^(q-1)/(sum_k |u_k|^q)^(1/p) (PGS, Theorem 3)",
    "block.value": "phi(z) = max_a <a, z> - phi*(a) (AdaSPDC, (2))",
    "block.derivative": "phi'(z), the maximiser of <a, z> - phi*(a)",
    "block.conjugate": (
        "ball-huber <b, a> + (gamma/2)||a||^2, ||a|| <= 1; with beta = a + e_c in the simplex: (gamma/2)||beta||^2 - (1"
        " - beta_c); softmax sum beta ln beta"
    ),
    "block.dual_step": "argmin_a phi*(a) - <a, z> + (q/2)||a - alpha||^2 (AdaSPDC, (9))",
    "gap": "P(w) - D(alpha), with its sign",
    "certificate": "P(w), D(alpha) and P(w) - D(alpha) (ASPDC, section 2)",
    "view": "(w, alpha) of a state",
}


def formula(call: str, method: str) -> str:
    """The formula of a call, and for a call that steps, of the method.

    >>> formula("gap", "gap")
    'P(w) - D(alpha), with its sign'
    """
    if call == "init":
        return ROWS[method].start
    return CALLS[call] if call in CALLS else ROWS[method].formula
