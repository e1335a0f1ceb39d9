"""Planted bugs that real implementations of PGS have: Figure 1 with one line wrong."""

from typing import Any

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.reference.methods.pgs import PGS
from dualgap.reference.problem.problem import Problem, Vector

DIVISOR = "acc_j / (state.t + 1)"


def with_before(kind: Any, **fields: Any) -> Any:
    """A state that also remembers the w of one round ago."""
    return type("StaleState", (kind,), {"__slots__": ("before",)})(**fields, before=list(fields["w"]))


def clipped_by_q_norm(problem: Problem, acc: Vector, t: int) -> Vector:
    """Figure 2 with ||w||_q in line 6. Where that is not rational, Figure 2: a kill must be no accident."""
    g: Any = problem.regularizer
    divided = [acc_j / (t + 1) for acc_j in acc]
    w: Vector = g.gradient_conjugate(divided)
    if g.family == "quadratic" or g.ball is None or not g.point(divided).clipped:
        return w
    try:
        return [w_j * g.ball / g.dual_norm(w) for w_j in w]
    except ValueError:
        return w


MUTANTS = planted(
    PGS,
    "pgs",
    {
        "divisor-t": ("line 8: t sigma, as in Pegasos", (DIVISOR, "acc_j / state.t")),
        "divisor-t+2": ("line 8: (t+2) sigma", (DIVISOR, "acc_j / (state.t + 2)")),
        "constant-divisor": ("line 8: 2 sigma in every round", (DIVISOR, "acc_j / 2")),
        "lost-sigma": ("line 8: t + 1 without sigma", (DIVISOR, "acc_j / (state.t + 1) * problem.regularizer.lam")),
        "sign": ("line 7: + lambda_t", ("acc_j - sub_j for", "acc_j + sub_j for")),
        "sum-for-mean": ("line 5: without 1/|A_t|", (" / len(A_t)", "")),
        "stale-subgradient": (
            "line 6: at w_{t-2}",
            ("return AveragedPGSState(", "return with_before(AveragedPGSState, "),
            ("return RandomPGSState(", "return with_before(RandomPGSState, "),
            ("return PGSState(", "return with_before(PGSState, "),
            (
                "self.subgradient(problem, A_t, state.w)",
                "self.subgradient(problem, A_t, state.before)\n        state.before = list(state.w)",
            ),
        ),
        "clip-by-q-norm": (
            "Figure 2, line 6, as printed: the radius over ||w||_q",
            (
                f"problem.regularizer.gradient_conjugate([{DIVISOR} for acc_j in state.acc])",
                "clipped_by_q_norm(problem, state.acc, state.t)",
            ),
        ),
    },
    with_before=with_before,
    clipped_by_q_norm=clipped_by_q_norm,
)
