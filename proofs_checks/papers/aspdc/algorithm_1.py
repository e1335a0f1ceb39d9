"""ASPDC, section 4, Algorithm 1 and its lines (4) to (8).

line 5, (4)      alpha_i <- argmax_beta beta x_i^T w - phi_i*(beta) = phi_i'(x_i^T w)
line 7, (5)-(8)  w <- argmin_w f(w, alpha) = w - (Delta_i/(lam n)) x_i
"""

from dualgap.proofs_checks.papers.aspdc.words import *


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


# -- over-relaxation (F2) ----------------------------------------------------------------------------------------------


def system(c: Context) -> list[Vector]:
    """A = I + X X^T/(lam n gamma), shape (n, n)."""
    problem, scale = c.problem, c.problem.scale * c.gamma
    dense = [[row.get(j, problem.zero) for j in range(problem.d)] for row in map(dict, problem.rows)]
    return [
        [int(i == k) + problem.dot(row, other) / scale for k, other in enumerate(dense)]
        for i, row in enumerate(problem.rows)
    ]


def residual(c: Context, A: list[Vector], alpha: Vector, i: int) -> Number:
    """(A alpha + y/gamma)_i."""
    return sum((a * alpha_k for a, alpha_k in zip(A[i], alpha)), c.problem.y[i] / c.gamma)


def energy(c: Context, A: list[Vector], alpha: Vector) -> Number:
    """(1/2) alpha^T A alpha + alpha^T y/gamma."""
    terms = (a * (residual(c, A, alpha, i) + c.problem.y[i] / c.gamma) / 2 for i, a in enumerate(alpha))
    return sum(terms, c.problem.zero)


@claim(
    "aspdc.f2",
    "for squared loss the path of ASPDC is that of successive over-relaxation, alpha_i <- alpha_i - omega_i (A"
    " alpha + y/gamma)_i/A_ii, A = I + XX^T/(lam n gamma), omega_i = 1 + K_i; the energy -(n/gamma) D does not rise iff"
    " K_i <= 1, and K_i > 1 with Delta_i != 0 makes D fall strictly",
    origin=PAPER.ours("Algorithm 1"),
    hypotheses="squared loss, g = (lam/2)||w||^2, any lam > 0",
    evidence=[exact(strategies.squared_any)],
    control=fails_for("aspdc.sdca-step", strategies.squared_any, "SDCA is omega = 1, not 1 + K_i"),
    kills=names("aspdc", "sdca-step half-step sign-flip missing-1/n scaled-w stale-w overwritten-alpha"),
    proof=(
        "phi_i'(z_i) = alpha_i - (A alpha + y/gamma)_i and A_ii = 1 + K_i. D(alpha+) - D(alpha) = (gamma/2n)(1 - K_i) "
        "Delta_i^2: Ostrowski and Reich's omega_i <= 2."
    ),
)
def over_relaxation(c: Context) -> Iterable[Relation]:
    A, alpha, state = system(c), [c.q(a) for a in c.instance.alpha], c.start
    for t, i in enumerate(c.instance.path, 1):
        omega = 1 + c.problem.K(i)
        alpha[i] = alpha[i] - omega * residual(c, A, alpha, i) / A[i][i]
        state = c.method.step(c.problem, state, i)
        yield Eq(c.method.view(c.problem, state)[1][i], alpha[i], f"t = {t}: ASPDC's alpha_{i} is SOR's")
    yield Eq(energy(c, A, c.alpha), -c.n * c.D / c.gamma, "energy = -(n/gamma) D")
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        yield Eq(successor.alpha[i], c.alpha[i] - residual(c, A, c.alpha, i), f"one more step, i = {i}")
        if c.delta[i] != 0:
            K = c.problem.K(i)
            side = Lt(0, increase, "") if K < 1 else Lt(increase, 0, "") if K > 1 else Eq(increase, 0, "")
            yield Relation(f"D against K_{i} = {K}", side.left, side.sign, side.right)
