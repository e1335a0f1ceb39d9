"""SDCA with one line wrong: what the controls of its claims must notice."""

from copy import copy

from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.registry import Control
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.sdca.instances import ILL_CONDITIONED
from dualgap.reference.methods.sdca import SDCA, AveragedSDCA
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.losses import Loss


def with_gamma(loss: Loss, gamma: Number) -> Loss:
    """The loss with this gamma for its own, in any number."""
    other = copy(loss)
    other.gamma = gamma
    return other


RIGHT_Q, LINE_4, LINE_6 = (
    "q = problem.norms2[i] / problem.scale",
    "problem.loss.dual_step(",
    "problem.update(i, delta, state.v)",
)
WRONG_STEPS = {
    "w + (Delta/(lam n)) x_i in line 6": (LINE_6, "problem.update(i, -delta, state.v)"),
    "no q (the step of ASPDC)": (RIGHT_Q, "q = problem.zero"),
    "q without 1/(lam n)": (RIGHT_Q, "q = problem.norms2[i]"),
    "||x_i|| for ||x_i||^2": (RIGHT_Q, "q = sqrt(problem.norms2[i]) / problem.scale"),
    "||x_i|| taken for 1": (RIGHT_Q, "q = 1 / problem.scale"),
    "gamma^2 for gamma": (LINE_4, "with_gamma(problem.loss, problem.loss.gamma * problem.loss.gamma).dual_step("),
    "gamma missing": (LINE_4, "with_gamma(problem.loss, problem.loss.gamma / problem.loss.gamma).dual_step("),
}
WRONG: dict[str, SDCA] = {
    bug.what: bug.of(SDCA)()
    for bug in planted(
        SDCA,
        "sdca",
        {name: (name, ("SDCA.advance", *edit)) for name, edit in WRONG_STEPS.items()},
        sqrt=sqrt,
        with_gamma=with_gamma,
    ).values()
}
ONE_LATE = planted(
    AveragedSDCA,
    "sdca",
    {
        "one-late": (
            "averages the states T0+1 .. T instead of T0 .. T-1",
            (
                "first = state.since[i] if state.since[i] > self.T0 else self.T0",
                "first = max(state.since[i], self.T0 + 1)",
            ),
            # the view counts state T too
            ("count = end - first if end > first else 0", "count = max(0, end + (end == state.t) - first)"),
        )
    },
)
OneLate: type[AveragedSDCA] = ONE_LATE["sdca.one-late"].of(AveragedSDCA)


def wrong_steps_fail(*names: str) -> Control:
    """The check must be false for each of these wrong SDCAs on ILL_CONDITIONED."""
    return Control(
        f"must fail on rows of norm 5 and 13: {', '.join(names)}",
        lambda claim, run: all(violates(claim, ILL_CONDITIONED, WRONG[name], run.number) for name in names),
    )
