"""SPDC, section 2.1, Theorem 1 with R instead of 2R, which is ours, and in distance alone.

    theta_R = max{1 - m/n, 1/(1 + 2 lam tau), 1 - 1/(n/m + n/(2 m sigma gamma))},
              with the steps of (16) 1 - 1/(n/m + R sqrt(n/(m lam gamma)))

The rate itself, ``spdc.theorem-1.sharp``, is in ``theorem_1``: it has the same check.
"""

from dualgap.proofs_checks.papers.spdc.instances import *
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import lower_certificate, semidefinite_pivots

# Squared loss, L2, theta "sharp", or steps given by the instance.
squared_sharp = Pool("spdc.squared_sharp", own_steps, batch_instances(losses=("squared",), l1=Qs(0), theta="sharp"))


@claim(
    "spdc.theorem-1.all-states.sharp",
    "Theorem 1, sharp: E[Delta~^{t+1} | past] <= theta Delta~^t for all states at once, for tau sigma <= 1/(4R^2) and"
    " every theta in [theta_R, 1), theta_R = max{1 - m/n, 1/(1 + 2 lam tau), 1 - 1/(n/m + n/(2 m sigma gamma))}, which"
    " for (16)'s steps is 1 - 1/(n/m + R sqrt(n/(m lam gamma)))",
    origin=PAPER.ours("Theorem 1", "(16)"),
    hypotheses=f"squared loss, L2; {ANY_STEPS}; {EVERY_STATE}",
    evidence=[exact(squared_sharp, 0.3), golden(SHARP[0], SHARP[2], with_theta(TWO_EQUAL_ROWS, "sharp"))],
    control=fails_on(
        with_theta(THREE_ROWS, "4/5"),
        hurried(TWO_EQUAL_ROWS, Q(99, 100)),
        hurried(TWO_EQUAL_ROWS, Q(1, 2)),
        text="theta = 4/5 for 5/6; 99R/100 and R/2 instead of R, n = 2",
    ),
    proof=(
        "(54) without the term that is added for free has the left side L. The w-terms of L are at most theta (1/(2"
        " tau) + lam) ||w - w*||^2, for theta >= 1/(1 + 2 lam tau), and by (19) that is at most theta times those of"
        " Delta~. The alpha-terms: by (19), (theta n/m - n/m + 1) (f* - f(w*, alpha)) >= (...) (gamma/2n) ||alpha -"
        " alpha*||^2 for theta >= 1 - m/n, and what is then left is m gamma/n >= (1 - theta) (1/(2 sigma) + gamma). The"
        " other terms of L are theta times those of Delta~."
    ),
)
def theorem_1_all_states_sharp(c: Context) -> Iterable[Relation]:
    t = Setting(c)
    if "tau" not in c.instance.options:
        theta_R = 1 - 1 / (Q(c.n, t.m) + t.R * sqrt(c.n / (t.m * t.lam * t.gamma)))
        yield Eq(least_theta(c, t.m, t.tau, t.sigma), theta_R, "theta_R of (16)'s steps")
    yield from t.one_step()


TIGHT = tuple(  # lam = (m/n)/100^2 and (m/n)/1000^2
    with_extra(column((1,) * n, Q(m, n) / root**2, m=m, theta="sharp"), share=1 + Q(1, root))
    for n, m in ((2, 1), (3, 2), (4, 1))
    for root in (100, 1000)
)


@claim(
    "spdc.theorem-1.sharp.tight",
    "Theorem 1, sharp, its constant: the mean-square contraction factor rho of the method with (16)'s steps and theta_R"
    " lies in [1 - share (1 - theta_R), theta_R], share -> 1 as lam -> 0 on equal rows: no cR with c < 1 can take the"
    " place of R",
    origin=PAPER.ours("Theorem 1", "(16)"),
    hypotheses="squared loss, L2; n equal rows (1), gamma = 1; share = 101/100 or 1001/1000",
    evidence=[golden(*TIGHT, detail="n = 2, 4 (m = 1) and 3 (m = 2)"), formal("spdc_R_is_tight")],
    control=fails_on(
        with_extra(with_theta(TWO_EQUAL_ROWS, "sharp"), share=Q(1)),
        with_extra(THREE_ROWS, share=Q(101, 100)),
        text="share = 1, and a well-conditioned problem",
    ),
    proof=(
        "Upper end: spdc.theorem-1.all-states.sharp. Lower end: Phi(M) = sum_K P(K) T_K M T_K^T keeps the cone of"
        " semidefinite matrices, so Phi(M) >= r M for one M there, not 0, gives Phi^t(M) >= r^t M, and rho >= r."
    ),
)
def theorem_1_tight(c: Context) -> Iterable[Relation]:
    yield from Setting(c).one_step()
    yield from no_faster(c, c.given.share)


def no_faster(c: Context, share: Number) -> Iterable[Relation]:
    """The mean square can shrink no faster than by 1 - share (1 - theta) a step."""
    theta = Setting(c).theta
    M, excess = lower_certificate(c.once(Steps), theta, 1 - share * (1 - theta))
    yield Eq(semidefinite_pivots(M), len(M), "M is semidefinite")
    yield Eq(semidefinite_pivots(excess), len(M), f"Phi(M) - r M is semidefinite, 1 - r = {share} (1 - theta)")


# The same for every loss, alpha^0 outside the domain half of the time.
runs_anywhere = Pool("spdc.runs_anywhere", own_steps, runs("sharp", anywhere=True))


@claim(
    "spdc.theorem-1d",
    "Theorem 1 in distance, with R instead of 2R: (1/(2 tau) + lam) E||w^t - w*||^2 + (1/(4 sigma) + gamma)"
    " E||alpha^t - alpha*||^2/m <= theta_R^t [(1/(2 tau) + lam) ||w^0 - w*||^2 + (1/(2 sigma) + gamma) ||alpha^0 -"
    " alpha*||^2/m]",
    origin=PAPER.ours("Theorem 1", note="The form of Theorem 2; we had no copy of the conference version of 2015."),
    hypotheses=f"{ASSUMED}; {ANY_STEPS}; {ANYWHERE}",
    evidence=[
        Enumerated(runs_anywhere, 0.2),
        golden(
            SHARP[1].but(alpha=Qs(3, -4, 2)),
            SHARP[0],
            SHARP[2],
            level="ENUMERATED",
            detail="three rows, alone and two at a time; three hinges from outside the domain",
        ),
    ],
    control=fails_on(HALF_R, text="theta with R/2 instead of R"),
    proof=(
        "(45) and (49) with the optimality of (w*, alpha*) itself, phi_i*(b) - b x_i^T w* >= phi_i*(alpha*_i) -"
        " alpha*_i x_i^T w* + (gamma/2) (b - alpha*_i)^2, instead of the gaps: every modulus doubles, and no gap"
        " of alpha^0 appears."
    ),
)
def theorem_1d(c: Context) -> Iterable[Relation]:
    yield from Setting(c).in_distance()
