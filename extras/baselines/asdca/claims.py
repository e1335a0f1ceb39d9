"""ASDCA: its constants, its lines, P(w^(t)) - P* <= xi_t after every outer call, and its two stopping rules.

eta is the square root of mu/rho = 1/(2 R^2/(lam gamma n) - 1): exact where R^2/(lam gamma n) = (m^2 + 1)/2 with m
rational.
"""

from copy import copy

from dualgap.extras.baselines.asdca.reference import ASDCA
from dualgap.extras.baselines.terms import *
from dualgap.reference import ElasticNet, SmoothedHinge

SMOOTH = "phi_i (1/gamma)-smooth, L2 or elastic net, lam < R^2/(n gamma); any path"
HALF = Q(1, 2)
MOST_STEPS = 60  # inner steps per row before a run is given up
# one of two rows drawn again and again, and 0 nearly right on it: the inner steps move w by little
UNSEEN = EQUAL_PAIR.but(
    y=Qs("1/100", 1), lam=Q(1, 5), method="asdca", path=(0,) * 40, extra=further(calls=14, ratio=Q(2))
)
FOURFOLD = UNSEEN.but(lam=Q(4, 13), path=(), extra=further(calls=14, ratio=Q(4)))
EVERY_LINE = tuple(f"baselines.asdca-{name}" for name in ("momentum-from-y", "inner-cap", "absolute-gap", "kappa-of-r"))


def outer(K: tuple[Fraction, ...], **fields: object) -> SearchStrategy[Instance]:
    """Starts of ASDCA with R^2/(lam gamma n) in K and an accuracy."""
    return instances(
        K=K, max_n=3, max_d=2, max_path=3, method="asdca", extra=any_of(calls=(5,), ratio=Qs(2, 10, 1000)), **fields
    )


# m = 2, 3, 5, 9: R^2/(lam gamma n) = 5/2, 5, 13, 41; L2 or elastic net.
conditions = Pool("baselines.conditions", outer, Qs("5/2", 5, 13, 41), l1=Qs(0, 0, "1/10"))
# m = 3/2, 2: few calls until xi_t says something.
mild = Pool("baselines.mild", outer, Qs("13/8", "5/2"), l1=Qs(0, 0, "1/10"))


# -- runs --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """What call t was given and what it returned."""

    t: int
    y_before: Vector
    w_before: Vector
    xi_before: Fraction
    state: Any  # after it


def algorithm(c: Context) -> ASDCA:
    """The context's method, which must be ASDCA (or a mistaken one)."""
    return cast(ASDCA, c.method)


def calls(c: Context, most: int) -> Iterator[Call]:
    """The outer calls of the method's own run, at most ``most``; indices: the path, then all rows, repeated."""
    method, state = algorithm(c), c.start
    for index in islice(cycle((*c.instance.path, *range(c.n))), MOST_STEPS * c.n):
        after = method.step(c.problem, state, index)
        if after.t > state.t:
            yield Call(after.t, state.y_t, state.w_t, state.xi, after)
        state = after
        if state.t > most or state.rule:
            return


def excess(c: Context, w: Vector) -> Number:
    """P(w) - P*."""
    return c.problem.P(w) - c.D_star


# -- line 1 ------------------------------------------------------------------------------------------------------------

CONSTANTS = Instance(
    rows=(Qs(1, 1), Qs(1, 0), Qs(0, -1)), y=Qs(1, -1, 1), alpha=Qs(0, 0, 0), lam=Q(1, 60), method="asdca"
)
# R = 2
TWO = Instance(rows=(Qs(2),), y=Qs(1), alpha=Qs(0), lam=Q(4, 5), method="asdca", extra=further(calls=3, ratio=Q(2)))
NET = TWO.but(rows=(Qs(1),), y=Qs(-1), lam=Q(2, 5), l1=Q(1, 10))


@claim(
    "baselines.asdca.line-1",
    "ASDCA lines 1 to 3: kappa = R^2/(gamma n) - lam, eta = sqrt(mu/rho) with mu = lam/2, beta = (1 - eta)/(1 + eta); 1"
    " + 1/eta^2 = 2R^2/(gamma lam n), hence xi_1; the condition number of every inner problem is n, whatever lam",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, procedure", note=RESTATED),
    evidence=[exact(conditions, 0.5), golden(TWO, detail="R = 2")],
    control=false_with("mu = lam", TWO, half=Q(1)),
    kills=("baselines.asdca-kappa-of-r",),
)
def line_1(c: Context, half: Fraction = HALF) -> Iterable[Relation]:
    problem, lam, n, gamma, R2 = c.problem, c.problem.regularizer.lam, c.n, c.gamma, c.R2
    if R2 == 0:
        return
    found, gap = algorithm(c).constants(problem), problem.P(problem.w(c.start.alpha_t)) - problem.D(c.start.alpha_t)
    mu, condition = half * lam, R2 / (lam * gamma * n)
    yield Eq(found.kappa, R2 / (gamma * n) - lam, "kappa")
    yield Eq(found.eta * found.eta * (mu + found.kappa), mu, "eta^2 = mu/rho")
    yield Eq(found.beta * (1 + found.eta), 1 - found.eta, "beta")
    yield Eq(1 + 1 / (found.eta * found.eta), 2 * condition, "1 + 1/eta^2 = 2R^2/(gamma lam n)")
    yield Eq(c.start.xi, 2 * condition * gap, "xi_1 = (2R^2/(lam gamma n)) (P(w^(1)) - D(alpha^(1)))")
    yield Eq(found.share, found.eta / (4 * condition), "accuracy = (eta gamma lam n/(4R^2)) xi_{t-1}")
    yield Eq(R2 / ((lam + found.kappa) * gamma), n, "R^2/((lam + kappa) gamma) = n")


@claim(
    "baselines.asdca.constants",
    "ASDCA line 1, worked: gamma = 1, n = 3, R^2 = 2, lam = 1/60 give kappa = 13/20, rho = 79/120, eta^2 = 1/79,"
    " R^2/(lam gamma n) = 40",
    hypotheses="as stated; eta is irrational, so 1 + 1/eta^2 = 80 is checked instead",
    origin=PAPER.ours("ASDCA, procedure"),
    evidence=[golden(CONSTANTS)],
    control=false_with("R for R^2", CONSTANTS, R2=Q(3, 2)),
)
def worked(c: Context, R2: Fraction | None = None) -> Iterable[Relation]:
    """kappa, rho and 1 + rho/mu from the method's own line 1, except for the root, which it takes in floats."""
    found = ASDCA().constants(c.instance.problem(float), float(c.R2 if R2 is None else R2))
    for name, expected in (("kappa", Q(13, 20)), ("rho", Q(79, 120)), ("mu", Q(1, 120))):
        yield Le(
            abs(Q(getattr(found, name)) - expected),
            Q(1, 2**50),
            f"{name}, to four roundings of numbers below 1",
            trivial=expected,
        )
    yield Le(abs(79 * Q(found.eta) ** 2 - 1), Q(1, 2**48), "eta^2 = 1/79, to eight roundings", trivial=Q(1))


# -- lines 4 to 7 ------------------------------------------------------------------------------------------------------


@claim(
    "baselines.asdca.algorithm",
    "ASDCA lines 4 to 8: call t returns w = w(alpha) of P~_t with P~_t - D~_t = eps_t <= accuracy, starting at the"
    " alpha of the last; y^(t) = w^(t) + beta (w^(t) - w^(t-1)); xi_t = (1 - eta/2) xi_{t-1}; the second rule's bound"
    " is made of the true eps_t",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, procedure", note=RESTATED),
    evidence=[exact(conditions, 0.2), golden(TWO, NET, UNSEEN, detail="one with a row never drawn")],
    control=fails_for("baselines.asdca-momentum-from-y", conditions, count=10),
    kills=EVERY_LINE,
)
def lines(c: Context) -> Iterable[Relation]:
    problem, lam, R2 = c.problem, c.problem.regularizer.lam, c.R2
    if R2 == 0:
        return
    kappa = R2 / (c.gamma * c.n) - lam
    ratio = 2 * R2 / (c.gamma * lam * c.n)  # 1 + rho/mu
    eta = algorithm(c).constants(problem).eta
    for call in calls(c, c.instance.extra.calls):
        inner, after, beta = problem.centred(kappa, call.y_before), call.state, (1 - eta) / (1 + eta)
        yield from each(Eq, after.w_t, inner.w(after.alpha_t), f"w^({call.t}) = w(alpha; y)")
        gap = inner.P(after.w_t) - inner.D(after.alpha_t)
        yield Le(gap, eta / (2 * ratio) * call.xi_before, f"line 5: eps_{call.t}", trivial=call.xi_before)
        for y_j, w_j, b_j in zip(after.y_t, after.w_t, call.w_before):
            yield Eq(y_j, w_j + beta * (w_j - b_j), f"line 6: y^({call.t})")
        yield Eq(after.xi, (1 - eta / 2) * call.xi_before, f"line 7: xi_{call.t}")
        yield Eq(
            after.bound,
            ratio * gap + (ratio - 1) * kappa / 2 * square(minus(after.w_t, call.y_before)),
            f"line 8: bound_{call.t}",
        )


TRACE = TWO.but(
    rows=(Qs(1),),
    lam=Q(1, 25),
    extra=further(w=Qs("1/2", "23/25", "683/625", "33961/31250"), y=Qs("7/8", "247/200", "764/625", "135277/125000")),
)


@claim(
    "baselines.asdca.trace",
    "ASDCA, worked: n = 1, x = y = gamma = 1, squared loss, lam = 1/25, every inner problem solved exactly: w = 1/2,"
    " 23/25, 683/625, 33961/31250 and y = 7/8, 247/200, 764/625, 135277/125000",
    hypotheses="as stated; one inner step solves an inner problem of one row",
    origin=PAPER.ours("ASDCA, procedure"),
    evidence=[golden(TRACE)],
    control=false_with("beta = 1", TRACE, beta=Q(1)),
    kills=("baselines.asdca-momentum-from-y",),
)
def trace(c: Context, beta: Fraction | None = None) -> Iterable[Relation]:
    """The iterates of the method, and of lines 4 to 6 written out with beta."""
    factor = algorithm(c).constants(c.problem).beta if beta is None else beta
    found = list(calls(c, len(c.instance.extra.w)))
    w_before, y = Q(0), Q(0)
    for call, due_w, due_y in zip(found, c.given.w, c.given.y):
        w = (1 + Q(24, 25) * y) / 2  # argmin (w - 1)^2/2 + w^2/50 + (12/25)(w - y)^2
        w_before, y = w, w + factor * (w - w_before)
        yield Eq(w, due_w, f"w^({call.t}), by hand")
        yield Eq(y, due_y, f"y^({call.t}), by hand")
        yield Eq(call.state.w_t[0], due_w, f"w^({call.t})")
        yield Eq(call.state.y_t[0], due_y, f"y^({call.t})")


# -- the guarantees ----------------------------------------------------------------------------------------------------


def ill_conditioned(claim: Claim, run: Run) -> Evidence:
    """NUMERICAL: smoothed hinge, 50 unit rows, R^2/(lam gamma n) = 60, 200, 1000, 2000, L2 and elastic net, until
    bound_t <= 1e-9.

    P* is at least the best dual value, so that P(w^(t)) - P* is at most the difference. That is known to the two
    certificates' ``rounding``; xi_t and bound_t, products and sums of fewer than 8t positive numbers each, to 8t units
    of 2^-53 and the gap's 64.
    """
    from dualgap.fast import Certificate, solve

    found, sharp = Evidence("NUMERICAL", detail="R^2/(lam gamma n) to 2000"), claim.id.endswith(".sharp")
    for problem in ill_conditioned_problems(run.seed(claim.id), 1 if run.size == "quick" else 4):
        best = solve(problem, "afg", tol=1e-13, max_epochs=20000).certificate
        for state, moved in fast_calls(problem):
            at = Certificate(problem, state.w_t, state.alpha_t)
            bound = state.xi if claim.id.endswith("guarantee") else state.bound - moved if sharp else state.bound
            allowed = at.rounding + best.rounding + (8 * state.t + 64) * 2.0**-53 * state.bound
            found.violations += at.primal - best.dual > bound + allowed
        found.instances += 1
    return found


def ill_conditioned_problems(seed: int, count: int) -> Iterator[Problem]:
    """Rows around a direction of the labels, so that all branches of the loss are taken."""
    import numpy as np

    for k, condition in enumerate((200, 60, 1000, 2000)[:count]):
        rng = np.random.default_rng([seed, k])
        y = rng.choice([-1.0, 1.0], 50)
        X = rng.standard_normal((50, 8)) + y[:, None] * (np.arange(8) == 0)
        X /= np.sqrt((X * X).sum(axis=1))[:, None]
        yield Problem(X, y, SmoothedHinge(), ElasticNet(1 / (50 * condition), (0.0, 1e-3)[k % 2]))


def fast_calls(problem: Problem) -> Iterator[tuple[Any, float]]:
    """The compiled method's state after every outer call, and (mu kappa/(2 mu)) ||w^(t) - y^(t-1)||^2."""
    from dualgap.extras.baselines.asdca.compiled import FastASDCA

    method = FastASDCA()
    state, kappa = method.init(problem), ASDCA().constants(problem).kappa
    for epoch in range(20000):
        before, t = state.y_t, state.t
        method.advance(problem, state, method.draw(problem, "uniform", 0, epoch))
        if state.t > t:
            yield state, kappa / 2 * float(((state.w_t - before) ** 2).sum())
        if state.bound <= 1e-9:
            return


@claim(
    "baselines.asdca.guarantee",
    "ASDCA: P(w^(t)) - P* <= xi_t = (1 - eta/2)^{t-1} (1 + 1/eta^2)(P(w^(1)) - D(alpha^(1))) after every outer call",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, guarantee", note=RESTATED),
    evidence=[exact(mild, 0.1), golden(UNSEEN, detail="a row never drawn"), ill_conditioned],
    control=altered("inner calls of n steps, whatever their gap", lambda c: within_xi(capped(c)), UNSEEN),
    kills=("baselines.asdca-inner-cap",),
)
def within_xi(c: Context) -> Iterable[Relation]:
    """P(w^(t)) - P* against xi_t; vacuous until xi_t is below P(w^(1)) - P*."""
    if c.R2 > 0:
        start = excess(c, c.start.w_t)
        for call in calls(c, 14):
            yield Le(excess(c, call.state.w_t), call.state.xi, f"P(w^({call.t})) - P* <= xi_{call.t}", trivial=start)


def capped(c: Context) -> Context:
    """The same with a mistaken method."""
    return Context(c.instance, mutant("baselines.asdca-inner-cap", c.instance))


@claim(
    "baselines.asdca.rule-2",
    "ASDCA line 8, second rule: P(w^(t)) - P* <= (1 + rho/mu) eps_t + (rho kappa/(2 mu)) ||w^(t) - y^(t-1)||^2 after"
    " every outer call",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, stopping rules", note=RESTATED),
    evidence=[exact(conditions, 0.2), golden(UNSEEN, detail="a row never drawn"), ill_conditioned],
    control=altered("an inner gap taken as 0", lambda c: rule_2(capped(c)), UNSEEN),
    kills=("baselines.asdca-inner-cap",),
)
def rule_2(c: Context, sharp: bool = False) -> Iterable[Relation]:
    if c.R2 > 0:
        kappa = algorithm(c).constants(c.problem).kappa
        for call in calls(c, c.instance.extra.calls):
            away = square(minus(call.state.w_t, call.y_before))
            spare = kappa / 2 * away if sharp else 0  # rho kappa - kappa^2 = mu kappa
            yield Le(excess(c, call.state.w_t), call.state.bound - spare, f"P(w^({call.t})) - P* <= bound_{call.t}")


@claim(
    "baselines.asdca.rule-2.sharp",
    "ASDCA line 8, second rule, sharper: P(w^(t)) - P* <= (1 + rho/mu) eps_t + (kappa^2/(2 mu)) ||w^(t) - y^(t-1)||^2",
    hypotheses=SMOOTH,
    origin=PAPER.ours("ASDCA, stopping rules"),
    evidence=[exact(conditions, 0.2), golden(UNSEEN), ill_conditioned],
    control=altered("an inner gap taken as 0", lambda c: rule_2_sharp(capped(c)), UNSEEN),
    kills=("baselines.asdca-inner-cap",),
    proof=(
        "M = P + (kappa/2)||. - y||^2 is (rho + mu)-strongly convex and w an eps-minimizer of it, so that its minimizer"
        " is within 2 eps/(rho + mu) of w, squared, and by Young M(u) >= M(w) - (1 + rho/mu) eps + (rho/2)||u - w||^2,"
        " which is P(u) >= P(w) - kappa (u - w)^T (w - y) + (mu/2)||u - w||^2 - (1 + rho/mu) eps. Minimize over u."
    ),
)
def rule_2_sharp(c: Context) -> Iterable[Relation]:
    yield from rule_2(c, sharp=True)


@claim(
    "baselines.asdca.rule-1",
    "ASDCA line 8, first rule: t >= 1 + (2/eta) ln(xi_1/epsilon) makes xi_t <= epsilon, and fires exactly then; when"
    " either rule has fired, P(w^(t)) - P* <= epsilon, and the run has ended",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, stopping rules", note=RESTATED),
    evidence=[exact(mild, 0.1), golden(FOURFOLD, detail="xi_1 = 4 epsilon")],
    control=fails_for("baselines.asdca-first-rule", mild, "ln(xi_1/epsilon)/(2 eta)"),
    kills=("baselines.asdca-first-rule",),
)
def rule_1(c: Context) -> Iterable[Relation]:
    eta, ratio, xi = algorithm(c).constants(c.problem).eta, c.given.ratio, c.start.xi
    needed = next(count for count in range(1000) if algorithm(c).promised(eta, ratio, count))
    yield Le((1 - eta / 2) ** needed * ratio, 1, f"xi_t <= epsilon at t = {1 + needed}")
    if xi > 0:
        stopping = copy(algorithm(c))
        stopping.epsilon = xi / ratio
        made = list(calls(Context(c.instance, stopping), 40))
        for call in made:
            yield Eq(
                int(call.state.rule == 1),
                int(call.t - 1 >= needed),
                f"t = {call.t}: the first rule fires exactly from t = {1 + needed} on",
            )
        for call in (call for call in made if call.state.rule):
            yield Le(
                excess(c, call.state.w_t),
                stopping.epsilon,
                f"rule {call.state.rule} at t = {call.t}: P - P* <= epsilon",
            )
            yield Eq(stopping.step(c.problem, call.state, 0).gaps, call.state.gaps, "nothing is done any more")
