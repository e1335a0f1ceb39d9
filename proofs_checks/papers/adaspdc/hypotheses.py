"""What AdaSPDC assumes for its statements, each with the place that says so; a counterexample is held against them."""

from dualgap.proofs_checks.papers.adaspdc.terms import terms
from dualgap.proofs_checks.papers.vocabulary import *


def published_steps(c: Context) -> bool:
    """The published method, with the norms of the blocks themselves for R_i."""
    t = terms(c)
    return c.instance.method == "adaspdc" and all(R_i * R_i == norm2 for R_i, norm2 in zip(t.R, t.problem.norms2))


def fair_samples(c: Context) -> bool:
    """|S| = m and P(i in S) = m/n."""
    t = terms(c)
    choices = t.c.method.choices(t.problem, t.c.state)
    shares = [sum((p for S, p in choices if i in S), Fraction(0)) for i in range(t.n)]
    return all(len(set(S)) == t.m for S, _ in choices) and shares == [Fraction(t.m, t.n)] * t.n


def clean_start(c: Context) -> bool:
    """w_bar^0 = w^0 and u^0 = r(alpha^0), before any step."""
    t = terms(c)
    return not c.instance.path and t.w_bar == t.w and t.u == t.u_of(t.alpha)


CONVEX = (
    Hypothesis(
        "each phi_i* is gamma-strongly convex, gamma > 0",
        "section 1, after (2); Theorem 1",
        lambda c: terms(c).gamma > 0,
    ),
    Hypothesis("g is lam-strongly convex, lam > 0", "section 1, after (2); Theorem 1", lambda c: terms(c).lam > 0),
)
STEPS = Hypothesis(
    "sigma_i, tau^t and theta^t are (10), (12) and (15) with R_i = ||A_i||_2",
    "Theorem 1; Algorithm 1, line 5",
    published_steps,
)
SAMPLES = Hypothesis(
    "S_t has m blocks, and each block is in it with probability m/n", "Algorithm 1, line 4", fair_samples
)
START = Hypothesis("x_bar^0 = x^0 and r^0 = (1/n) sum_i A_i y_i^0", "Algorithm 1, line 2", clean_start)
ROWS_MAY_DIFFER = Hypothesis(
    "blocks of any q_i columns, sum_i q_i = q", "section 1, before (2)", lambda c: terms(c).m <= terms(c).n
)
RIDGE = Hypothesis(
    "phi_i = (a_i^T x - b_i)^2/2 and g = (lam/2)||x||^2",
    "section 4.1, (18)",
    lambda c: c.instance.loss == "squared" and c.gamma == 1 and c.instance.l1 == 0 and c.mu > 0,
)
