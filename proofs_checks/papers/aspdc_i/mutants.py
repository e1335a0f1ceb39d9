"""Algorithms 2 and 3 with one line wrong: what the controls of their claims must notice."""

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import Claim, Control
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.aspdc_i.instances import algorithm_2, algorithm_3
from dualgap.reference.methods.aspdc_i import ASPDCi

START, GAP = "state.v = self.inner_problem(problem, state).v(state.alpha)", "gap = inner.gap("
WRONG = planted(
    ASPDCi,
    "aspdc-i",
    {
        "kept-w": ("line 4 with the last inner w", (START, "state.v = list(state.w_tilde)")),
        "forgotten-alpha": (
            "line 4 without alpha~",
            (START, f"state.alpha = [problem.zero] * problem.n\n        {START}"),
        ),
        "original-stop": ("stop on P - D of the original problem", (GAP, "gap = problem.gap(")),
        "uncentred-stop": (
            "D computed with lam + kappa and no centre",
            (GAP, "gap = problem.centred(self.kappa_of(problem), [problem.zero] * problem.d).gap("),
        ),
        "loose-stop": (
            "stop at 100 eps_in",
            ("if not gap <= self.inner_tolerance", "if not gap / 100 <= self.inner_tolerance"),
        ),
        # our rule
        "early-S": ("xi_s <= epsilon instead of line 7", ("at_once = self.stop", "at_once = True or self.stop")),
    },
)


def rejects(bug: str) -> Control:
    """The check must be false for a wrong Algorithm 2 or 3 on at least one drawn run of it."""
    wrong = WRONG[f"aspdc-i.{bug}"]

    def caught(claim: Claim, run: Run) -> bool:
        runs = algorithm_3 if claim.id == "aspdc.algorithm-3" else algorithm_2
        drawn = (c.instance for c in run.contexts(runs, 20))
        return any(
            judge(claim, Context(i, wrong.of(type(i.reference_method()))(**i.options))).violated is not None
            for i in drawn
        )

    return Control(wrong.what, caught)
