"""ASPDC, section 4, Algorithm 1 and its lines (4) to (8).

line 5, (4)      alpha_i <- argmax_beta beta x_i^T w - phi_i*(beta) = phi_i'(x_i^T w)
line 7, (5)-(8)  w <- argmin_w f(w, alpha) = w - (Delta_i/(lam n)) x_i
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Relation, Same
from dualgap.proofs_checks.evidence.levels import enclosed, exact, fails_for
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.vocabulary import each, names
from dualgap.proofs_checks.strategies import instances as strategies


@claim(
    "aspdc.algorithm-1",
    r"Algorithm 1: line 2 starts at $w(\alpha)$, line 4 draws $i$ uniformly, line 5 sets $\alpha_i$ to"
    r" $\varphi_i'(x_i^T w)$, line 6 leaves "
    r"the other coordinates alone, line 7 keeps $w = w(\alpha)$",
    hypotheses=r"any smooth loss, L2 or elastic net, any $\lambda > 0$",
    evidence=[
        exact(strategies.one_step_any),
        *(exact(pool, 1 / 3) for pool in strategies.HINGE_POOLS),
        enclosed(strategies.one_step_logistic),
    ],
    control=fails_for("aspdc.half-step", strategies.one_step_any),
    kills=names(
        "aspdc",
        "sign-flip missing-1/n stale-w half-step never-last no-gamma no-clip overwritten-alpha"
        " cyclic-order zero-start sdca-step scaled-w",
    ),
    origin=PAPER.printed("Algorithm 1", note=f"line 5 is printed as an argmax, whose value is phi_i'(x_i^T w); {LOST}"),
)
def algorithm_1(c: Context) -> Iterable[Relation]:
    for w_j, expected in zip(c.method.view(c.problem, c.start)[0], c.problem.w(c.method.view(c.problem, c.start)[1])):
        yield Same(w_j, expected, "line 2: w = grad g*(-X^T alpha/n)")
    yield Eq(len(c.successors), c.n, "line 4: every index can be drawn")
    for successor in c.successors:
        i = successor.choice
        yield Eq(successor.probability, Q(1, c.n), f"line 4: P(i = {i}) = 1/n")
        yield Same(successor.alpha[i], c.best[i], f"line 5: alpha_{i} = phi'(x^T w)")
        for k in range(c.n):
            if k != i:
                yield Same(successor.alpha[k], c.alpha[k], f"line 6: alpha_{k} unchanged")
        yield from each(Same, successor.w, c.problem.w(successor.alpha), "line 7: w = grad g*(-X^T alpha/n)")


# -- alternating best response (F3) ------------------------------------------------------------------------------------


@claim(
    "aspdc.f3",
    r"(4) to (8): $\alpha_i^+$ maximises $f(w, .)$ over coordinate $i$, $w^+$ minimises $f(., \alpha^+)$, both exactly"
    r" (alternating best "
    "response, SPDC without its proximal terms, extrapolation and $n$-fold weight)",
    hypotheses=r"any smooth loss, L2 or elastic net, any $\lambda > 0$",
    origin=PAPER.printed("(4)", "(5)-(8)", "simple structure", note=f"the words in brackets are ours; {LOST}"),
    evidence=[exact(strategies.one_step_any)],
    control=fails_for("aspdc.sdca-step", strategies.one_step_any),
    kills=["aspdc.sdca-step", "aspdc.half-step", "aspdc.no-gamma", "aspdc.sign-flip", "aspdc.scaled-w"],
    proof=(
        "f(w, alpha+) - f(w, alpha) = FY_i/n is the most that coordinate i can give (Fenchel-Young), and f(w+, alpha+)"
        " = D(alpha+) is the least over w."
    ),
)
def best_responses(c: Context) -> Iterable[Relation]:
    for successor in c.successors:
        i = successor.choice
        gain = c.problem.f(c.w, successor.alpha) - c.problem.f(c.w, c.alpha)
        yield Eq(gain, c.FY[i] / c.n, f"alpha_{i}+ is the best response: the gain is FY_{i}/n")
        yield Eq(
            c.problem.f(successor.w, successor.alpha),
            c.problem.D(successor.alpha),
            "w+ is the best response: f(w+, alpha+) = D(alpha+)",
        )
