"""SDCA, one step: the problem and its signs, the procedure line by line, Lemma 1 and what follows from it.

Here alpha has this package's sign, minus the paper's. A state has w = w(alpha), z_i = x_i^T w,
Delta_i = phi_i'(z_i) - alpha_i (minus the paper's u_i - alpha_i), q_i = ||x_i||^2/(mu n), and
FY_i = phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i.
"""

from copy import copy

from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.sdca.hypotheses import CONVEX
from dualgap.proofs_checks.papers.sdca.items import PAPER
from dualgap.proofs_checks.papers.sdca.items_jmlr import JMLR, RESTATED
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import instances
from dualgap.reference.problem.losses import Loss, losses

ANY = r"$\varphi_i$ convex ($\gamma \ge 0$), any $\lambda > 0$, $w = w(\alpha)$"
L2 = rf"{ANY}, $g = (\lambda/2)\Vert w\Vert^2$"
SMOOTH = rf"{ANY}, $\varphi_i$ $(1/\gamma)$-smooth"


# -- instances ---------------------------------------------------------------------------------------------------------

LIPSCHITZ = losses(smooth=False, foreign=False)
RATIOS = (*K_ANY, *Qs(10, 100))  # R^2/(lam n gamma), gamma read as 1 for hinge and absolute: lam from huge to tiny
S = Qs("1/2", 0, 1, "1/4", "9/10", "1/3")


def drawn(losses: tuple[str, ...], **options: Any) -> SearchStrategy[Instance]:
    """Instances of the method sdca with a free s."""
    return instances(**{"K": RATIOS, "losses": losses, "extra": any_of(s=S), "method": "sdca", **options})


# Squared, smoothed hinge, squared hinge; L2.
any_smooth = Pool("sdca.any_smooth", drawn, RATIONAL_SMOOTH)
# Hinge and absolute; L2.
any_lipschitz = Pool("sdca.any_lipschitz", drawn, LIPSCHITZ)
# All rational losses; elastic net.
any_net = Pool("sdca.any_net", drawn, RATIONAL_SMOOTH + LIPSCHITZ, l1=Qs("1/10", "1/2", 2))
# Logistic loss; only decimal intervals can run it. No step has been made, so that none repeats exactly.
any_logistic = Pool("sdca.any_logistic", drawn, ("logistic",), K=K_ANY, max_n=3, max_d=2, max_path=0)
any_squared = Pool("sdca.any_squared", drawn, ("squared",))  # Squared loss; L2.


# -- wrong SDCAs -------------------------------------------------------------------------------------------------------


def right_q(problem: Problem, i: int) -> Number:
    """||x_i||^2/(mu n)."""
    return problem.norms2[i] / problem.scale


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
# ||x_i|| = 5, 13, q = 75, 507, gamma = 1/3; s = gamma/(gamma + q_2), where Lemma 1 is tight
ILL_CONDITIONED = Instance(
    rows=(Qs(3, 4), Qs(5, 12)),
    y=Qs(1, -2),
    alpha=Qs(0, "1/2"),
    lam=Q(1, 6),
    gamma=Q(1, 3),
    path=(0,),
    method="sdca",
    extra=further(s=Q(1, 3) / (Q(1, 3) + 507)),
)


def wrong_steps_fail(*names: str) -> Control:
    """The check must be false for each of these wrong SDCAs on ILL_CONDITIONED."""
    return Control(
        f"must fail on rows of norm 5 and 13: {', '.join(names)}",
        lambda claim, run: all(violates(claim, ILL_CONDITIONED, WRONG[name], run.number) for name in names),
    )


# -- the problem and its signs -----------------------------------------------------------------------------------------


@claim(
    "sdca.4",
    r"Dual Problem and Relationship, in the slides' sign $\alpha' = -\alpha$: $w(\alpha') = (1/(\lambda n)) \sum"
    r" \alpha'_i x_i$, "
    r"$D = (1/n) \sum -\varphi_i^*(-\alpha'_i) -$ $(\lambda/2)\Vert w(\alpha')\Vert^2$",
    hypotheses=L2,
    origin=PAPER.printed("Dual Problem", "Relationship"),
    evidence=[exact(any_smooth, 0.5), exact(any_lipschitz, 0.5), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail("w + (Delta/(lam n)) x_i in line 6"),
)
def signs(c: Context) -> Iterable[Relation]:
    (w, alpha), problem = c.view, c.problem
    theirs = [-a for a in alpha]
    for j, w_j in enumerate(w):
        total = problem.zero
        for row, a in zip(problem.rows, theirs):
            total = total + a * dict(row).get(j, problem.zero)
        yield Same(w_j, total / (c.mu * c.n), f"w(alpha'), component {j}")
    conjugates = [problem.loss.conjugate(-a, y) for a, y in zip(theirs, problem.y)]
    yield Same(-c.mean(conjugates) - problem.regularizer.value(w), problem.D(alpha), "D(alpha')")


SLIDE_LOSS = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(1), lam=Q(1), method="sdca")  # phi = (z - 1)^2/2


def infimum(c: Context, slope: Number) -> Number:
    """min_z phi(z) - slope z for squared loss, attained where phi'(z) = slope."""
    z = c.problem.y[0] + c.gamma * slope
    assert c.problem.loss.derivative(z, c.problem.y[0]) == slope
    return c.problem.loss.value(z, c.problem.y[0]) - slope * z


@claim(
    "sdca.dual",
    r"Derivation, its last line: the Lagrangian with $\sum \alpha_i (y^T x_i - z_i)$ has $\inf_z \varphi(z) - \alpha z"
    r" = -\varphi^*(-\alpha)$",
    hypotheses=r"$\varphi$ convex",
    origin=PAPER.printed(
        "Derivation",
        note=(
            "a slip of sign in one line: the dual that the slides arrive at is right, of the Lagrangian with z_i -"
            " y^T x_i"
        ),
    ),
    expected="REFUTED",
    assumes=[CONVEX],
    evidence=[golden(SLIDE_LOSS, detail="phi = (z-1)^2/2, alpha = 1: -3/2 against +1/2")],
    control=holds_on(SLIDE_LOSS.but(y=Qs(0)), text="phi = z^2/2, whose conjugate is even: it does hold there"),
)
def dual_slide(c: Context) -> Iterable[Relation]:
    a, y = c.alpha[0], c.problem.y[0]
    yield Eq(infimum(c, a), -c.problem.loss.conjugate(-a, y), "min_z phi(z) - alpha z")


@claim(
    "sdca.dual.repaired",
    "Derivation, repaired: from sum alpha_i (z_i - y^T x_i), inf_z phi(z) + alpha z = -phi*(-alpha); with the slides'"
    " own Lagrangian it is -phi*(alpha), the sign of this package",
    origin=PAPER.ours("Derivation"),
    hypotheses="squared loss",
    evidence=[exact(any_squared, 0.25)],
    control=altered("the slides' line", dual_slide, SLIDE_LOSS),
)
def dual_repaired(c: Context) -> Iterable[Relation]:
    a, y = c.alpha[0], c.problem.y[0]
    yield Eq(infimum(c, -a), -c.problem.loss.conjugate(-a, y), "min_z phi(z) + alpha z = -phi*(-alpha)")
    yield Eq(infimum(c, a), -c.problem.loss.conjugate(a, y), "min_z phi(z) - alpha z = -phi*(alpha)")


@claim(
    "sdca.ridge",
    "Examples, ridge regression: phi = (z - y)^2 has gamma = 1/2; a factor 2 in the loss is a factor 2 in lam: the same"
    " w, twice the alpha, along every path",
    hypotheses="squared loss, L2",
    origin=PAPER.ours("Examples"),
    evidence=[exact(any_squared, 0.25)],
    control=false_with("lam left as it was", ILL_CONDITIONED, lam_factor=1),
)
def twice(c: Context, lam_factor: int = 2) -> Iterable[Relation]:
    """The same path for 2 phi and lam_factor lam: w the same, alpha, P and D twice as large."""
    instance = c.instance
    gamma = Q(1) if instance.gamma is None else instance.gamma
    doubled = instance.but(gamma=gamma / 2, lam=instance.lam * lam_factor, alpha=tuple(2 * a for a in instance.alpha))
    other = Context(doubled)
    for a, b in zip(c.alpha, other.alpha):
        yield Eq(2 * a, b, "alpha doubles")
    for w_j, other_j in zip(c.view[0], other.view[0]):
        yield Eq(w_j, other_j, "w stays")
    yield Eq(2 * c.gap, other.gap, "the gap doubles")


# -- the procedure -----------------------------------------------------------------------------------------------------


@claim(
    "sdca.algorithm",
    r"Figure 1, Procedure SDCA: line 1 starts at $w(\alpha)$, line 3 draws $i$ uniformly, line 4 sets $\alpha_i$ to "
    r"$\operatorname{argmin}_a \varphi_i^*(a) -$ $a z + (q_i/2)(a - \alpha_i)^2$ (that is, $z - q_i (a - \alpha_i)$ is"
    r" a subgradient of "
    r"$\varphi_i^*$ at $a$), line 5 leaves the other coordinates alone, line 6 keeps $w = w(\alpha)$",
    hypotheses=f"{ANY}; L2 or elastic net",
    origin=PAPER.printed(
        "Figure 1", note="the lines are counted by us; 'randomly' is taken for uniformly; the slides have L2 alone"
    ),
    evidence=[exact(any_smooth, 0.8), exact(any_lipschitz, 0.6), exact(any_net, 0.3), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail(*WRONG),
    proof=(
        "Line 4 is a convex problem; a solves it iff z - q (a - alpha_i) is in the subdifferential of phi* at a, iff "
        "phi(z - q (a - alpha_i)) + phi*(a) = a (z - q (a - alpha_i)) (Fenchel-Young)."
    ),
)
def algorithm(c: Context) -> Iterable[Relation]:
    loss = c.problem.loss
    for w_j, expected in zip(c.method.view(c.problem, c.start)[0], c.problem.w(c.method.view(c.problem, c.start)[1])):
        yield Same(w_j, expected, "line 1: w = w(alpha)")
    yield Eq(len(c.successors), c.n, "line 3: every index can be drawn")
    for successor in c.successors:
        i = successor.choice
        yield Eq(successor.probability, Q(1, c.n), f"line 3: P(i = {i}) = 1/n")
        y, a = c.problem.y[i], successor.alpha[i]
        z = c.z[i] - right_q(c.problem, i) * (a - c.alpha[i])
        yield Same(loss.value(z, y), a * z - loss.conjugate(a, y), f"line 4: optimality of alpha_{i}")
        for k in range(c.n):
            if k != i:
                yield Same(successor.alpha[k], c.alpha[k], f"line 5: alpha_{k} unchanged")
        for w_j, expected in zip(successor.w, c.problem.w(successor.alpha)):
            yield Same(w_j, expected, "line 6: w = w(alpha)")


# -- Lemma 1 -----------------------------------------------------------------------------------------------------------


def lemma_1_right(c: Context, i: int, s: Number) -> Number:
    """s FY_i + (1/2)[gamma s (1-s) - s^2 q_i] Delta_i^2."""
    return s * c.FY[i] + (c.gamma * s * (1 - s) - s * s * right_q(c.problem, i)) * c.delta[i] * c.delta[i] / 2


@claim(
    "sdca.lemma-1",
    "Lemma 1 per coordinate: n [D(alpha+) - D(alpha)] >= s FY_i + (1/2)[gamma s (1-s) - s^2 q_i] Delta_i^2 for every i"
    " and every s in [0, 1]",
    hypotheses=rf"{ANY}; L2 or elastic net; the smooth losses also at their best $s = \gamma/(\gamma + q_i)$",
    origin=JMLR.reading("Lemma 1", note=RESTATED),
    evidence=[exact(any_smooth, 0.8), exact(any_lipschitz, 0.6), exact(any_net, 0.3), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail(*WRONG),
    proof=(
        "Line 4 is at least as good as the step s Delta_i. Strong convexity: -phi*(alpha + s Delta) >= -s phi*(alpha +"
        " Delta) - (1-s) phi*(alpha) + (gamma/2) s (1-s) Delta^2; the quadratic changes by s Delta z - (q/2) s^2"
        " Delta^2 (with l1 by at least that much, g* being (1/mu)-smooth); and phi*(alpha + Delta) = (alpha + Delta) z"
        " - phi(z)."
    ),
)
def lemma_1(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        best = [c.gamma / (c.gamma + right_q(c.problem, i))] if c.gamma > 0 else []
        for s in [c.given.s, *best]:
            yield Le(lemma_1_right(c, i, s), c.n * increase, f"i = {i}, s = {s}")


def lemma_1_mean(c: Context, s: Number, factor: int = 1) -> Relation:
    """E[D+] - D >= (s/n) gap - (s/n)^2 G/(2 mu), s^2 G/mu = (1/n) sum [s^2 ||x_i||^2/mu - gamma (1-s) s n]
    Delta_i^2.
    """
    terms = [
        (s * s * norm2 / c.mu - c.gamma * (1 - s) * s * c.n) * d * d for norm2, d in zip(c.problem.norms2, c.delta)
    ]
    return Le(factor * s * c.gap / c.n - c.mean(terms) / (2 * c.n * c.n), c.expected_increase, f"s = {s}")


@claim(
    "sdca.lemma-1.mean",
    "Lemma 1: E[D(alpha+)] - D(alpha) >= (s/n) gap - (s/n)^2 G/(2 lam), G = (1/n) sum (||x_i||^2 - gamma (1-s) lam n/s)"
    " Delta_i^2",
    hypotheses=f"{ANY}; L2 or elastic net; uniform order; $s$ in $[0, 1]$",
    origin=JMLR.reading("Lemma 1", note=RESTATED),
    evidence=[exact(any_smooth, 0.8), exact(any_lipschitz, 0.6), exact(any_net, 0.3), enclosed(any_logistic, 0.1)],
    control=altered("2s for s in front of the gap", lambda c: [lemma_1_mean(c, c.given.s, 2)], ILL_CONDITIONED),
    proof="The mean of the inequality per coordinate over i, and sdca.gap.",
)
def lemma_1_in_mean(c: Context) -> Iterable[Relation]:
    yield lemma_1_mean(c, c.given.s)


def K_of(c: Context) -> Number:
    """n + R^2/(lam gamma), the number of steps of Theorem 2."""
    return c.n + c.R2 / (c.mu * c.gamma)


@claim(
    "sdca.per-step",
    "Theorem 2, its step: E[D(alpha+)] - D(alpha) >= gap/K, K = n + R^2/(lam gamma), for every lam > 0",
    hypotheses=f"{SMOOTH}; L2 or elastic net; uniform order",
    origin=JMLR.reading("Theorem 2", note=RESTATED),
    evidence=[exact(any_smooth, 0.8), exact(any_net, 0.3), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail("no q (the step of ASPDC)"),
    proof="s = n/K in Lemma 1 makes G <= 0.",
)
def per_step(c: Context) -> Iterable[Relation]:
    if c.gamma > 0:
        yield Le(c.gap / K_of(c), c.expected_increase, "E[D+] - D >= gap/K")


@claim(
    "sdca.dual-monotone",
    "After Lemma 1 (s = 0): D never decreases, on any path, whatever the order of the indices",
    hypotheses=f"{ANY}; L2 or elastic net",
    origin=JMLR.ours("Lemma 1"),
    evidence=[exact(any_smooth, 0.8), exact(any_lipschitz, 0.6), exact(any_net, 0.3), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail("w + (Delta/(lam n)) x_i in line 6", "no q (the step of ASPDC)"),
)
def dual_monotone(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        yield Le(c.D, c.D + increase, f"i = {successor.choice}")


# Runs of SDCA with shrinking, long enough that rows are left out; K up to 100.
shrinking = Pool("sdca.shrinking", drawn, RATIONAL, l1=Qs(0, 0, "1/10"), max_path=12, method="sdca-shrinking")


# w = 1, the optimum: D stays
STUCK = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(-1), lam=Q(1), loss="hinge", method="sdca-shrinking")


@claim(
    "sdca.shrinking-monotone",
    "Shrinking (Hsieh et al., ICML 2008, section 3.2): whatever rows it leaves out, D never decreases",
    hypotheses=f"{ANY}; L2 or elastic net",
    origin=OURS,
    evidence=[exact(shrinking, 0.5)],
    control=altered(
        "D rises at every step", lambda c: [Lt(c.D, c.D + increase, "D") for increase in c.increases], STUCK
    ),
    proof="Every step is one of SDCA, to which sdca.dual-monotone applies.",
)
def shrinking_monotone(c: Context) -> Iterable[Relation]:
    yield from dual_monotone(c)


# q = 1, 2, 1
THREE = Instance(rows=(Qs(1, 0), Qs(1, 1), Qs(0, -1)), y=Qs(1, -1, 1), alpha=Qs(0, 0, 0), lam=Q(1, 3), method="sdca")


@claim(
    "sdca.gap-monotone",
    "Beside Lemma 1, by which D never decreases: P(w) and the gap never increase",
    origin=JMLR.inference(
        "Lemma 1",
        note=(
            "a reader of Lemma 1 might expect it; neither the slides nor, as far as we know it, the journal paper"
            " say it"
        ),
    ),
    hypotheses="squared loss",
    expected="REFUTED",
    evidence=[golden(THREE, detail="a step over row 1 takes the gap from 1/2 to 13/24 and P from 1/2 to 5/8")],
    control=holds_on(THREE.but(path=(0, 1)), text="from the third state on both fall at every step"),
)
def gap_monotone(c: Context) -> Iterable[Relation]:
    for successor in c.successors:
        yield Le(c.problem.P(successor.w), c.P, f"P, i = {successor.choice}")
        yield Le(c.problem.gap(successor.w, successor.alpha), c.gap, f"gap, i = {successor.choice}")
