"""ASPDC, worst cases and proofs by machine: how bad one step can be, and the same lemmas in other engines.

Each claim rests on exact instances, which need nothing but the core; ``--full`` adds symbolic proofs, worst
cases over function classes, ball arithmetic and all automatic mutants.
"""

from dualgap.proofs_checks.claims.judge import Verdict
from dualgap.proofs_checks.evidence import smt, symbolic
from dualgap.proofs_checks.evidence.ball_arithmetic import agrees_with_arb
from dualgap.proofs_checks.evidence.levels import optional
from dualgap.proofs_checks.evidence.mutation.battery import battery, equal
from dualgap.proofs_checks.evidence.mutation.equivalent import SURVIVORS
from dualgap.proofs_checks.evidence.mutation.mutate import first_killer, mutants
from dualgap.proofs_checks.evidence.pep import worst_over_class
from dualgap.proofs_checks.evidence.search import exact_ratio, search
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc.steps import (
    BELOW_TWO,
    EQUAL_ROWS,
    a7,
    a15,
    a17_sharp,
    algorithm_1,
    brace,
    equal_rows,
    one_step_sharp,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import LOSSES, Interval
from dualgap.reference.numbers.interval import decide

# -- the worst single step ------------------------------------------------------------------------------------


def at_the_threshold() -> SearchStrategy[Instance]:
    """lam n gamma = 4 R^2 exactly."""
    return strategies.instances(K=Qs("1/4"))


def at_the_threshold_logistic() -> SearchStrategy[Instance]:
    """The same for the logistic loss."""
    return strategies.instances(K=Qs("1/4"), losses=("logistic",), max_n=3, max_d=2, max_path=1)


# Equal rows, w(alpha) = 0, all z = 0 where phi is quadratic: the least gain, exactly. "ceiling" is what
# n E[D+ - D]/gap must not exceed there.
WORST_SQUARED = equal_rows(2, Q(1, 4)).but(extra=further(ceiling=Q(3, 4)))
OPPOSITE = WORST_SQUARED.but(y=Qs(1, -1))
WORST_HINGE = OPPOSITE.but(loss="smoothed-hinge", gamma=Q(2), lam=Q(1), alpha=Qs("-3/4", "3/4"))
WORST_SQUARED_HINGE = OPPOSITE.but(loss="squared-hinge", lam=Q(4), alpha=Qs(-1, 1))
# phi* of the logistic loss has its least curvature at alpha = -y/2 alone: the value is approached there.
NEAR_LOGISTIC = OPPOSITE.but(
    loss="logistic", lam=Q(1, 2), alpha=Qs("-51/100", "51/100"), extra=further(ceiling=Q("0.7501"))
)


def searched(claim: Claim, run: Run) -> Evidence:
    """SEARCHED: the search tries to get below s = 3/4 with each loss; what it found is judged without rounding."""
    evidence, notes = Evidence("SEARCHED"), []
    for loss in strategies.SMOOTH:
        found = search(loss, Q(4), 0.0, run.random(f"{claim.id} {loss}"), run.count(6))
        number = Fraction if LOSSES[loss].rational else Interval
        verdict, _ = decide(partial(_judge, claim, found.instance, number))
        evidence.instances += 1
        if verdict is None:
            evidence.undecided += 1
            continue
        if verdict.violated is not None:
            evidence.violations += 1
            evidence.counterexample = evidence.counterexample or found.instance
        evidence.tightness += [t for t in (r.tightness() for r in verdict.relations) if t is not None]
        notes.append(f"{loss} {found.ratio:.6f}")
    evidence.detail = f"least ratio of {run.count(6)} evaluations: {', '.join(notes)}"
    return evidence


def _judge(claim: Claim, instance: Instance, number: type[Fraction] | type[Interval]) -> Verdict:
    return judge(claim, Context(instance, number=number))


def search_finds_the_break(claim: Claim, run: Run) -> bool:
    """At lam n gamma/R^2 = 1.95 the rate 1/(2n) is false: the search must find an instance of that with every loss."""
    for loss in strategies.SMOOTH:
        found = search(loss, Q(39, 20), 0.4999, run.random(f"control {loss}"), evaluations=20_000)
        if decide(partial(_below_half, found.instance))[0] is not True:
            return False
    return True


def _below_half(instance: Instance) -> bool:
    return bool(exact_ratio(instance) < Q(1, 2))


@claim(
    "aspdc.worst-case.one-step",
    "Sharp one-step lemma, its constant: the infimum of n E[D(alpha+) - D(alpha)]/gap at lam n gamma/R^2 = 4 is s = 3/4"
    " ((A17) has 1/2); attained with squared, smoothed hinge and squared hinge loss, approached with logistic as alpha"
    " -> -y/2",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$",
    evidence=[
        exact(at_the_threshold),
        golden(WORST_SQUARED, WORST_HINGE, WORST_SQUARED_HINGE, detail="attained"),
        enclosed(at_the_threshold_logistic, 0.25),
        enclosed(lambda: st.just(NEAR_LOGISTIC)),
        searched,
        optional("flint", agrees_with_arb(strategies.one_step_logistic)),
    ],
    control=Control("lam n gamma/R^2 = 1.95: the search must find n E[D+ - D] < gap/2", search_finds_the_break),
    kills=["aspdc.half-step", "aspdc.no-gamma"],
    proof=(
        "At least s: aspdc.a17.sharp. Equal rows, alpha with sum 0: w(alpha) = 0 and every z_i = 0. Where phi is"
        " quadratic around 0, FY_i = (gamma/2) Delta_i^2, so D+ - D = (1 - K) FY_i/n for every i. For logistic loss"
        " FY_i tends to that as alpha_i tends to phi'(0) = -y_i/2."
    ),
)
def worst_one_step(c: Context) -> Iterable[Relation]:
    increase = c.n * c.expected_increase
    yield Le(c.s * c.gap, increase, "n E[D+ - D] >= s gap")
    if c.instance.extra.has("ceiling"):
        yield Le(increase, c.given.ceiling * c.gap, "n E[D+ - D] <= ceiling gap")


# -- the worst t steps -------------------------------------------------------------------------------------------

WORST_STEPS = {Q(1, 4): Qs("5/8", "41/128", "365/2048"), Q(1, 2): Qs("3/4", "7/16", "19/64")}  # K: t = 1, 2, 3
PAIR = equal_rows(2, Q(1, 4)).but(extra=further(attained=1))


def two_rows() -> SearchStrategy[Instance]:
    """n = 2, squared loss, K = 1/4 or 1/2."""
    return strategies.instances(K=tuple(WORST_STEPS), losses=("squared",), max_n=2).filter(lambda i: len(i.y) == 2)


@claim(
    "aspdc.worst-case.steps",
    "Sharp Lemma 2 over the whole class, n = 2: the worst E[D* - D_t]/(D* - D_0) for t = 1, 2, 3 is 5/8, 41/128,"
    " 365/2048 at lam n gamma/R^2 = 4 and 3/4, 7/16, 19/64 at 2; attained by two equal rows, squared loss, alpha ="
    " (1, -1)",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $g = (\lambda/2)\Vert w\Vert^2$; "
    r"$w_0 = w(\alpha_0)$; $n = 2$",
    evidence=[
        golden(PAIR, PAIR.but(lam=Q(1)), detail="attained"),
        exact(two_rows, 0.5),
        optional(
            "PEPit",
            worst_over_class(
                *((2, 1 / K, t, value) for K, values in WORST_STEPS.items() for t, value in enumerate(values, 1)),
                (3, Q(4), 1, Q(3, 4)),
            ),
        ),
    ],
    control=altered(
        "a rate smaller by 1/1000 at t = 3",
        lambda c: [Le(_suboptimality(c)[3], (WORST_STEPS[c.K][2] - Q(1, 1000)) * (c.D_star - c.D), "")],
        PAIR,
    ),
    proof=(
        "t = 1: aspdc.a17.sharp with gap >= D* - D. t = 2, 3: the upper side is a numerical certificate, the value of a"
        " semidefinite program over all convex smooth functions (level PEP, primal and dual agree to 1e-5 with these"
        " rationals); the lower side is the pair of rows, exactly."
    ),
)
def worst_steps(c: Context) -> Iterable[Relation]:
    if c.n != 2 or c.K not in WORST_STEPS:
        return
    start, *later = _suboptimality(c)
    for t, (value, rate) in enumerate(zip(later, WORST_STEPS[c.K]), 1):
        yield Le(value, rate * start, f"E[D* - D_{t}] <= {rate} (D* - D_0)")
        if c.instance.extra.has("attained"):
            yield Eq(value, rate * start, f"attained, t = {t}")


def _suboptimality(c: Context) -> list[Fraction]:
    """[E[D* - D_t] for t = 0..3]."""
    return c.expected(3, lambda w, alpha: c.D_star - c.problem.D(alpha))


# -- the lemmas, proved by machine -----------------------------------------------------------------------------


@claim(
    "aspdc.identity",
    "(A6) to (A15) as one identity: D(alpha + Delta_i e_i) - D(alpha) = FY_i/n - ||x_i||^2 Delta_i^2/(2 lam n^2), from "
    "phi(z) = b z - phi*(b) at b = phi'(z) alone, for all real values of everything in it",
    origin=PAPER.ours("(A6)", "(A13)"),
    hypotheses=r"$g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$",
    evidence=[
        exact(strategies.one_step_sharp),
        optional("sympy", symbolic.proved_by_sympy(symbolic.one_step_identity)),
        formal("one_step_identity"),
    ],
    control=fails_for("aspdc.sdca-step", strategies.one_step_sharp),
    kills=["aspdc.half-step", "aspdc.sdca-step", "aspdc.no-gamma"],
)
def identity(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        noise = c.problem.norms2[i] * c.delta[i] * c.delta[i] / (2 * c.mu * c.n * c.n)
        yield Eq(increase, c.FY[i] / c.n - noise, f"D+ - D, i = {i}")


POINTS = Qs(0, 1, -1, "1/2", "-1/2", "3/4", "-3/4", "1/3", 2, -2, 5, "-7/2")  # every kink for the gammas drawn


def points() -> SearchStrategy[Instance]:
    """One z and one alpha for each rational smooth loss."""
    return strategies.instances(max_n=1, max_d=1, max_path=0, extra=any_of(z=POINTS))


def points_logistic() -> SearchStrategy[Instance]:
    """The same for the logistic loss."""
    return strategies.instances(max_n=1, max_d=1, max_path=0, losses=("logistic",), extra=any_of(z=POINTS))


@claim(
    "aspdc.conjugate-pairs",
    "(A9)-(A11), the losses: phi(z) + phi*(phi'(z)) = z phi'(z) for every z, and FY(z, alpha) >= "
    "(gamma/2)(phi'(z) - alpha)^2 for every alpha in the domain of phi*",
    hypotheses="squared, smoothed hinge, squared hinge, logistic; every gamma > 0 where it is free",
    evidence=[
        exact(points),
        enclosed(points_logistic),
        optional(
            "z3", smt.proved_by_z3(smt.smoothed_hinge_equality, smt.smoothed_hinge_modulus, smt.squared_hinge_modulus)
        ),
        optional("sympy", symbolic.proved_by_sympy(symbolic.squared_pair, symbolic.logistic_pair)),
        formal(
            "fenchel_equality",
            "residual_lower",
            "squared_conjugate",
            "smoothed_hinge_conjugate",
            "squared_hinge_conjugate",
            "logistic_conjugate",
        ),
    ],
    control=altered(
        "gamma in the place of gamma/2",
        lambda c: [Le(2 * modulus_left(c), FY_at(c), "")],
        EQUAL_ROWS.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(1), extra=further(z=Q(0))),
    ),
    origin=PAPER.ours(
        "(A9)-(A11)",
        "strong convexity of phi*",
        note="the general statement, for each loss of this library, and with its modulus",
    ),
)
def conjugate_pairs(c: Context) -> Iterable[Relation]:
    loss, z, y = c.problem.loss, c.given.z, c.problem.y[0]
    b = loss.derivative(z, y)
    yield equal(loss.value(z, y) + loss.conjugate(b, y), b * z, "phi + phi* = z phi'")
    yield Le(modulus_left(c), FY_at(c), "FY >= (gamma/2)(phi' - alpha)^2")


def FY_at(c: Context) -> Number:
    """phi(z) + phi*(alpha) - alpha z for the z of the instance."""
    loss, z, y, alpha = c.problem.loss, c.given.z, c.problem.y[0], c.alpha[0]
    return loss.value(z, y) + loss.conjugate(alpha, y) - alpha * z


def modulus_left(c: Context) -> Number:
    """(gamma/2)(phi'(z) - alpha)^2."""
    delta = c.problem.loss.derivative(c.given.z, c.problem.y[0]) - c.alpha[0]
    return c.gamma * delta * delta / 2


def probabilities() -> SearchStrategy[Instance]:
    """One q in (0, 1)."""
    one = Instance((Qs(1),), Qs(1), Qs(0), Q(1), "logistic")
    return (
        st.fractions(min_value=0, max_value=1, max_denominator=1000)
        .filter(lambda q: 0 < q < 1)
        .map(lambda q: one.but(extra=further(q=q)))
    )


def curvature(c: Context) -> Number:
    """(phi*)'' at alpha = -q: 1/q + 1/(1 - q)."""
    q = c.given.q
    return 1 / q + 1 / (1 - q)


HALF = Instance((Qs(1),), Qs(1), Qs(0), Q(1), "logistic", extra=further(q=Q(1, 2)))


@claim(
    "aspdc.logistic-modulus",
    "Assumption 1, logistic loss: gamma = 4, because (phi*)''(alpha) - 4 = (2q - 1)^2/(q(1 - q)) >= 0 at alpha = -q y, "
    "with equality at q = 1/2",
    origin=PAPER.ours("Assumption 1"),
    hypotheses="0 < q < 1",
    evidence=[
        exact(probabilities),
        golden(HALF, detail="equality"),
        optional("sympy", symbolic.proved_by_sympy(symbolic.logistic_modulus)),
        formal("logistic_smooth"),
    ],
    control=altered("4 + 1/1000", lambda c: [Le(c.gamma + Q(1, 1000), curvature(c), "")], HALF),
)
def logistic_modulus(c: Context) -> Iterable[Relation]:
    q = c.given.q
    yield Eq(curvature(c) - c.gamma, (2 * q - 1) * (2 * q - 1) / (q * (1 - q)), "(phi*)'' - gamma = (2q-1)^2/(q(1-q))")
    yield Le(c.gamma, curvature(c), "(phi*)'' >= gamma")


def up_to_half() -> SearchStrategy[Instance]:
    """lam n gamma >= 2 R^2, half of them at equality."""
    return strategies.instances(K=Qs("1/2", "1/2", "1/4", "499/1000", "1/20"))


@claim(
    "aspdc.half-rate",
    "(A17) needs only lam n gamma >= 2R^2: then D(alpha+) - D(alpha) >= FY_i/(2n) for every i; at 1.99 R^2 it fails",
    origin=PAPER.ours("(A17)"),
    hypotheses=r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$; "
    r"$\lambda n \gamma \ge 2R^2$",
    evidence=[
        exact(up_to_half),
        optional("z3", smt.proved_by_z3(smt.half_rate)),
        formal("one_step_sharp", "below_half_rate_fails"),
    ],
    control=fails_on(BELOW_TWO, text="lam n gamma/R^2 = 1.99"),
    kills=["aspdc.no-gamma"],
)
def half_rate(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        yield Le(c.FY[successor.choice] / (2 * c.n), increase, f"D+ - D >= FY_i/(2n), i = {successor.choice}")


@claim(
    "aspdc.free-q",
    "(A16)-(A17), the choice q = 1/2: the brace {gamma q(1-q)/(2n) - R^2/(2 lam n^2)} is largest at q = 1/2, and is >="
    " 0 there exactly when lam n gamma >= 4R^2: the paper's condition comes from this step alone",
    origin=PAPER.ours("(A16)", "(A17)"),
    hypotheses="0 <= q <= 1, any lam > 0",
    evidence=[exact(strategies.one_step_any), optional("z3", smt.proved_by_z3(smt.free_q))],
    control=altered(
        "q = 1/2, lam n gamma/R^2 = 3.99", lambda c: [Le(0, brace(c), "")], EQUAL_ROWS.but(lam=Q(399, 200))
    ),
)
def best_q(c: Context) -> Iterable[Relation]:
    half = c.gamma / (8 * c.n) - c.R2 / (2 * c.mu * c.n * c.n)
    yield Le(brace(c), half, "the brace at q is at most the brace at 1/2")
    yield Eq(int(half >= 0), int(4 * c.K <= 1), "brace(1/2) >= 0 exactly when 4K <= 1")


# -- the automatic mutants ----------------------------------------------------------------------------------------

BATTERY = battery(
    claims={"aspdc.a7": a7, "aspdc.a15": a15},
    net={"aspdc.algorithm-1": algorithm_1, "aspdc.one-step.sharp": one_step_sharp, "aspdc.a17.sharp": a17_sharp},
)
# looks like a change at one point only; phi'(kink) is defined
BROKEN = "losses.Hinge.derivative: y * z >= 1 -> y * z > 1"


def mutated(claim: Claim, run: Run) -> Evidence:
    """ENUMERATED: with ``--full`` every mutant and every entry of the list of survivors, else every k-th mutant."""
    keys = list(mutants())
    sample = [*keys, *SURVIVORS] if run.size == "full" else keys[:: max(1, len(keys) // run.count(0.1))]
    evidence, groups = Evidence("ENUMERATED"), Counter[str]()
    for key in dict.fromkeys(sample):
        context = Context(UNUSED.but(extra=further(mutant=key)))
        verdict = judge(claim, context)
        evidence.instances += 1
        if verdict.violated is not None:
            evidence.violations += 1
            evidence.counterexample = evidence.counterexample or context.instance
        groups[verdict.relations[-1].label.split(":")[0]] += 1
    evidence.detail = f"of {len(keys)} mutants; " + ", ".join(f"{name} {count}" for name, count in groups.most_common())
    return evidence


UNUSED = EQUAL_ROWS.but(extra=Extras())  # an instance that only carries the name of a mutant


def battery_has_teeth(claim: Claim, run: Run) -> bool:
    """The unchanged copy survives, a mutant that looks harmless dies, and with no checks at all it lives."""
    broken = mutants()[BROKEN]
    alive, dead = first_killer(None, BATTERY) is None, first_killer(broken, BATTERY) is not None
    return alive and dead and first_killer(broken, {}) is None


@claim(
    "aspdc.ast-mutants",
    "Algorithm 1, the code: every change of one operator, comparison, constant, sign, branch or line in the reference"
    " step is killed by a check, or is listed as the same step with its reason",
    origin=IMPLEMENTATION,
    hypotheses="losses, regularizers, problem, method and aspdc of the reference, input checks left out",
    evidence=[mutated],
    control=Control("a harmless-looking mutant must die, and live when no check is made", battery_has_teeth),
)
def ast_mutants(c: Context) -> Iterable[Relation]:
    key = c.instance.extra.mutant
    yield Eq(int(key in mutants()), 1, f"{key} exists")
    if key not in mutants():
        return
    killer = first_killer(mutants()[key], BATTERY)
    reason = SURVIVORS.get(key)
    yield Eq(int(killer is not None) + int(reason is not None), 1, killer or f"same step: {reason}")
