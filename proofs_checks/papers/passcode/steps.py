"""PASSCoDe: its scaling, its bounded-delay reference, and the perturbed problem that Wild solves.

Quantities of the paper carry its scaling: C = 1/(lam n), l = C phi, a = -alpha/(lam n), P_PC = P/lam, D_PC = -D/lam.
"""

import struct

from dualgap.proofs_checks.papers.passcode.items import PAPER
from dualgap.proofs_checks.papers.passcode.items_icml import ICML, RESTATED
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import instances
from dualgap.reference import Problem
from dualgap.reference.problem.problem import Vector

CONVEX = r"any convex loss, L2, any $\lambda > 0$"


# -- instances --------------------------------------------------------------------------------------------------


def rational(losses: Sequence[str] = RATIONAL, **limits: Any) -> SearchStrategy[Instance]:
    """L2, any lam."""
    return instances(K=K_ANY, losses=losses, **limits)


@st.composite
def interleavings(
    draw: DrawFn, /, names: Sequence[str], delays: Sequence[int], losses: Sequence[str] = RATIONAL, lossy: bool = False
) -> Instance:
    """A run of a few steps by two or three workers, mostly in turn over mostly the next row, with arbitrary visibility.

    With ``lossy`` any component writes are lost.
    """
    instance = draw(rational(losses, max_n=3, max_d=2, max_path=0))
    threads, n = draw(st.integers(2, 3)), len(instance.rows)
    skip, masks = st.sampled_from((0, 0, 0, 1)), st.sampled_from((0, 0, -1, 1, 2, 21))
    path = []
    for t in range(draw(st.integers(3, 6))):
        lost = (draw(st.integers(0, 3)),) if lossy else ()
        path.append(((t + draw(skip)) % threads, (t + draw(skip)) % n, draw(masks), *lost))
    options = {"threads": threads, "delay": draw(st.sampled_from(delays))}
    return instance.but(method=draw(st.sampled_from(names)), options=options, path=tuple(path))


def scalings() -> SearchStrategy[Instance]:
    """Every rational loss, L2, one worker, beside a w that is not w(alpha)."""

    def beside(instance: Instance) -> SearchStrategy[Instance]:
        d = len(instance.rows[0])
        point = st.lists(st.sampled_from(COORDINATES), min_size=d, max_size=d).map(tuple)
        return point.map(lambda w: instance.but(extra=further(w=w)))

    return rational(max_n=3, max_path=1, method="passcode-atomic").flatmap(beside)


# All three variants at tau = 0, several workers, arbitrary visibility.
undelayed = Pool("passcode.undelayed", interleavings, ("passcode-lock", "passcode-atomic", "passcode-wild"), (0,))
# Lock under tau up to 3.
locked = Pool("passcode.locked", interleavings, ("passcode-lock",), (1, 2, 3))
# Atomic under tau up to 3.
delayed = Pool("passcode.delayed", interleavings, ("passcode-atomic",), (1, 2, 3))
# Wild with arbitrary lost component writes; losses whose optimum is rational.
wild = Pool("passcode.wild", interleavings, ("passcode-wild",), (0, 1, 2), losses=RATIONAL_SMOOTH, lossy=True)


PAIR = Instance(  # two overlapping rows; worker 1 does not see what worker 0 has in flight
    rows=(Qs(1, 0), Qs(1, 1)),
    y=Qs(1, -1),
    alpha=Qs(0, 0),
    lam=Q(1, 2),
    method="passcode-atomic",
    options={"threads": 2, "delay": 1},
    extra=further(w=Qs(1, 2)),
).but(path=((0, 0, 0), (1, 1, 0)))

GOLDEN = Instance(  # steps 1, 2, 3; in the second the write to component 1 is lost
    rows=(Qs(1, 0), Qs(1, 1), Qs(0, -1)),
    y=Qs(1, -1, 1),
    alpha=Qs(0, 0, 0),
    lam=Q(1, 3),
    method="passcode-wild",
    options={"threads": 2},
    extra=further(w_star=Qs("1/4", "-3/4"), w_hat=Qs("7/16", "-13/16"), w_bar=Qs("-1/16", "-13/16")),
).but(path=((0, 0, -1, 0), (1, 1, -1, 1), (0, 2, -1, 0)))


# -- the paper's quantities, from its own definitions -----------------------------------------------------------


def C(c: Context) -> Number:
    """C = 1/(lam n)."""
    return 1 / c.problem.scale


def paper_dual(c: Context, alpha: Vector) -> Vector:
    """a_i = -alpha_i/(lam n)."""
    return [-a * C(c) for a in alpha]


def combine(problem: Problem, a: Vector) -> Vector:
    """sum_i a_i x_i."""
    total = [problem.zero] * problem.d
    for row, a_i in zip(problem.rows, a):
        for j, x in row:
            total[j] = total[j] + a_i * x
    return total


def square(w: Vector) -> Number:
    """||w||^2."""
    return sum((w_j * w_j for w_j in w), Q(0))


def minus(w: Vector, other: Vector) -> Vector:
    """w - other."""
    return [w_j - other_j for w_j, other_j in zip(w, other)]


def losses(c: Context, w: Vector) -> Number:
    """sum_i l_i(x_i^T w)."""
    return sum(
        (C(c) * c.problem.loss.value(c.problem.dot(row, w), y) for row, y in zip(c.problem.rows, c.problem.y)), Q(0)
    )


def conjugate(c: Context, i: int, u: Number) -> Number:
    """l_i*(u) = C phi_i*(u/C)."""
    return C(c) * c.problem.loss.conjugate(u / C(c), c.problem.y[i])


def conjugates(c: Context, a: Vector) -> Number:
    """sum_i l_i*(-a_i)."""
    return sum((conjugate(c, i, -a_i) for i, a_i in enumerate(a)), Q(0))


def young(c: Context, i: int, z: Number, a_i: Number) -> Number:
    """l_i(z) + l_i*(-a_i) + a_i z >= 0; 0 iff -a_i is a subgradient of l_i at z."""
    return C(c) * c.problem.loss.value(z, c.problem.y[i]) + conjugate(c, i, -a_i) + a_i * z


# -- scaling and semantics --------------------------------------------------------------------------------------


@claim(
    "passcode.scaling",
    r"Prime Problem, Dual Problem and step 2: with $C = 1/(\lambda n)$, $l = C \varphi$ and $a = -\alpha/(\lambda n)$,"
    r" $w = \sum a_i x_i$ is "
    r"$w(\alpha)$, $l^*(u) = C \varphi^*(u/C)$, $P_{\mathrm{PC}} = P/\lambda$ at every $w$, $D_{\mathrm{PC}} ="
    r" -D/\lambda$, "
    r"$P_{\mathrm{PC}} + D_{\mathrm{PC}} = \mathrm{gap}/\lambda \ge 0$; and step 2 minimises $D_{\mathrm{PC}}$ over its"
    r" coordinate",
    hypotheses=CONVEX,
    origin=PAPER.printed(
        "Prime Problem",
        "Dual Problem",
        "Algorithm 2",
        note="C, which carries the problem over to this library's, is ours; alpha in R^d is a misprint for R^n",
    ),
    evidence=[exact(scalings)],
    control=altered(
        "C = 1/lam",
        lambda c: [Eq(c.n * losses(c, w := list(c.given.w)) + square(w) / 2, c.problem.P(w) / c.mu, "")],
        PAIR,
    ),
)
def scaling(c: Context) -> Iterable[Relation]:
    problem, w = c.problem, list(c.given.w)
    a = paper_dual(c, c.alpha)
    for left, right in zip(combine(problem, a), c.w):
        yield Eq(left, right, "w = sum a_i x_i = w(alpha)")
    for i, (row, y) in enumerate(zip(problem.rows, problem.y)):
        z = problem.dot(row, w)
        slope = C(c) * problem.loss.derivative(z, y)
        yield Eq(
            conjugate(c, i, slope),
            slope * z - C(c) * problem.loss.value(z, y),
            f"l_{i}*(u) = C phi*(u/C), attained at z",
        )
    P_paper = square(w) / 2 + losses(c, w)
    D_paper = square(combine(problem, a)) / 2 + conjugates(c, a)
    yield Eq(P_paper, problem.P(w) / c.mu, "P_PC = P/lam")
    yield Eq(D_paper, -c.D / c.mu, "D_PC = -D/lam")
    yield Eq(P_paper + D_paper, (problem.P(w) - c.D) / c.mu, "P_PC + D_PC = (P - D)/lam")
    yield Le(0, P_paper + D_paper, "weak duality", trivial=P_paper + D_paper + 1)
    for successor in c.successors:
        i = successor.choice
        a_i = paper_dual(c, successor.alpha)[i]
        z = problem.dot(problem.rows[i], combine(problem, paper_dual(c, successor.alpha)))
        yield Eq(young(c, i, z, a_i), 0, f"step 2, i = {i}: -a_i is a subgradient of l_i at the new z")


def bits(value: float) -> int:
    """The 64 bits of a double, so that the sign of a zero counts."""
    return int.from_bytes(struct.pack(">d", value), "big")


@claim(
    "passcode.delay-0",
    "Algorithm 2 at tau = 0: Lock, Atomic and Wild (nothing lost) are SDCA on the same indices, exactly in rationals"
    " and bit for bit in floats",
    hypotheses=f"{CONVEX}; any workers, any visibility masks",
    evidence=[exact(undelayed)],
    control=fails_on(PAIR, text="tau = 1 and a write not yet visible"),
    origin=PAPER.ours("Algorithm 2"),
    proof="Nothing is in flight when a step reads, so its lines are SDCA's lines in SDCA's order.",
)
def delay_0(c: Context) -> Iterable[Relation]:
    yield from same_as_sdca(c)
    rounded = c.instance.problem(float)
    start = [float(a) for a in c.instance.alpha]
    ours = c.method.run(rounded, c.instance.path, c.method.init(rounded, start))
    sdca = method("sdca")
    expected = sdca.run(rounded, indices(c), sdca.init(rounded, start))
    for left, right in zip((*ours.v, *ours.alpha), (*expected.v, *expected.alpha)):
        yield Eq(bits(left), bits(right), "the bits of (v, alpha) are SDCA's")


def indices(c: Context) -> list[int]:
    """The rows that the instance's path visits, in order."""
    path: tuple[Any, ...] = c.instance.path
    return [choice if isinstance(choice, int) else choice[1] for choice in path]


def same_as_sdca(c: Context) -> Iterable[Relation]:
    """(w, alpha) is where SDCA on the same indices ends."""
    sdca = method("sdca")
    expected = sdca.run(c.problem, indices(c), sdca.init(c.problem, list(c.start.alpha)))
    for left, right in zip((*c.view[0], *c.alpha), (*expected.v, *expected.alpha)):
        yield Eq(left, right, "(w, alpha) is SDCA's")


@claim(
    "passcode.lock.serialisable",
    "Lock: for every tau the run is the sequential one on the same indices",
    hypotheses=f"{CONVEX}; all of $N_i$ locked from the read to the last write",
    evidence=[exact(locked)],
    control=fails_on(PAIR, text="Atomic, whose reads are not locked"),
    origin=ICML.reading("PASSCoDe-Lock", note=RESTATED),
    proof=(
        "A holder of all locks of N_i reads only components whose writers have released them, so no write to N_i is in"
        " flight."
    ),
)
def lock_serialisable(c: Context) -> Iterable[Relation]:
    yield from same_as_sdca(c)


def every_path(claim: Claim, run: Run) -> Evidence:
    """ENUMERATED: every interleaving of three steps of two workers at tau = 2, two rows that share a component."""
    evidence = Evidence("ENUMERATED", detail="all paths of three steps, 2 workers, tau = 2")
    for name in ("passcode-lock", "passcode-atomic"):
        base = PAIR.but(rows=(Qs(1), Qs(2)), method=name, options={"threads": 2, "delay": 2}, path=(), extra=Extras())
        c = Context(base, run.method)
        layers = distributions(c.method, c.problem, c.start)
        for layer in [next(layers) for _ in range(4)][1:]:
            for _, state in layer:
                w, alpha = c.method.view(c.problem, state)
                evidence.instances += 1
                evidence.violations += w != c.problem.w(alpha)
    return evidence


@claim(
    "passcode.invariant",
    "Lock and Atomic: w = sum a_i x_i exactly once no write is in flight, for every tau, order and visibility",
    hypotheses=rf"{CONVEX}; $\alpha_i$ is written by one worker at a time",
    evidence=[exact(delayed), exact(locked), every_path],
    control=fails_on(GOLDEN, text="Wild with one lost component write"),
    origin=PAPER.ours("Lock, step 1.5", "Atomic, step 3"),
    proof=(
        "Each step adds to alpha_i the Delta whose multiple of x_i it writes; addition does not care about order, and"
        " nothing is lost."
    ),
)
def invariant(c: Context) -> Iterable[Relation]:
    for left, right in zip(c.view[0], c.w):
        yield Eq(left, right, "w = w(alpha) once quiescent")


OVERLAP = Instance(  # worker 0 steps; two writes of worker 1 and one of its own are in flight
    rows=(Qs(1, 2), Qs(3, 1)),
    y=Qs(1, -1),
    alpha=Qs(0, 0),
    lam=Q(1, 2),
    method="passcode-atomic",
    options={"threads": 2, "delay": 2},
).but(path=((0, 0, 0), (1, 1, 0)))


@claim(
    "passcode.atomic.visibility",
    "The code: the reference's worker reads the shared memory, all of its own writes in flight, and any subset of the"
    " others' component writes; every subset by exactly one mask",
    hypotheses=rf"{CONVEX}; any workers, $\tau$ up to 3",
    origin=IMPLEMENTATION,
    evidence=[golden(OVERLAP), exact(delayed, 0.1)],
    control=false_with("its own writes unseen", OVERLAP, own=False),
)
def reads(c: Context, own: bool = True) -> Iterable[Relation]:
    """Every new alpha_i that a worker can reach, mask by mask, against the subsets of the others' component writes."""
    state, loss = c.state, c.problem.loss
    reached: dict[tuple[int, int], list[Number]] = {}
    for (worker, i, *_), after in ((s.choice, s.alpha) for s in c.successors):
        reached.setdefault((worker, i), []).append(after[i])
    for (worker, i), found in reached.items():
        mine = [write for owner, writes in state.pending if own and owner == worker for write in writes]
        others = [write for owner, writes in state.pending if owner != worker for write in writes]
        expected = []
        for seen in range(2 ** len(others)):
            w = list(state.v)
            for j, amount in (*mine, *(write for k, write in enumerate(others) if seen >> k & 1)):
                w[j] = w[j] - amount
            z = c.problem.dot(c.problem.rows[i], w)
            expected.append(loss.dual_step(z, state.alpha[i], c.problem.y[i], c.problem.norms2[i] / c.problem.scale))
        yield Eq(len(found), len(expected), f"worker {worker}, row {i}: as many masks as subsets")
        for value, right in zip(sorted(found), sorted(expected)):
            yield Eq(value, right, f"worker {worker}, row {i}: what is read, over all masks")


# -- Wild ---------------------------------------------------------------------------------------------------------


def loss_of_writes(c: Context) -> tuple[Vector, Vector, Vector]:
    """(w_hat, w_bar, epsilon): what the threads maintained, sum a_i x_i, and their difference w_bar - w_hat."""
    w_hat = c.view[0]
    return w_hat, c.w, minus(c.w, w_hat)


def perturbed(c: Context, epsilon: Vector) -> Problem:
    """P with (lam/2)||w + epsilon||^2 for its regularizer, less a constant: lam/2 of it taken as a proximal term at -2
    epsilon.
    """
    half = c.mu / 2
    return c.problem.with_regularizer(Regularizer(half)).centred(half, [-2 * e for e in epsilon])


def certificate(c: Context) -> Number:
    """sum_i [l_i(x_i^T w_hat) + l_i*(-a_i) + a_i x_i^T w_hat], what can be computed from (alpha, w_hat) alone."""
    w_hat, a = c.view[0], paper_dual(c, c.alpha)
    return sum((young(c, i, c.problem.dot(row, w_hat), a[i]) for i, row in enumerate(c.problem.rows)), Q(0))


@claim(
    "passcode.wild.certificate",
    "Wild, at any (alpha, w-hat), converged or not: with epsilon = sum a_i x_i - w-hat, P_eps(w-hat) + D_eps(a) = sum"
    " [l_i(z_i) + l_i*(-a_i) + a_i z_i] >= 0 is a duality gap of the perturbed problem, and ||w-hat - w*|| <="
    " ||epsilon|| + sqrt(2 certificate)",
    hypotheses="L2, lam > 0; any writes lost (the distance: losses with a rational optimum)",
    evidence=[exact(wild)],
    control=altered(
        "the certificate read as a gap of the original problem",
        lambda c: [Eq((c.problem.P(c.view[0]) - c.D) / c.mu, certificate(c), "")],
        GOLDEN,
    ),
    origin=ICML.ours("Backward error"),
    proof=(
        "Expand the squares: ||w-hat + eps||^2/2 + ||w-bar||^2/2 - eps w-bar = w-bar w-hat = sum a_i z_i. P_eps is"
        " 1-strongly convex with minimiser w_eps, so ||w-hat - w_eps||^2 <= 2 certificate; w_eps = prox(-eps), w* ="
        " prox(0) of sum l_i, which is nonexpansive."
    ),
)
def wild_certificate(c: Context) -> Iterable[Relation]:
    w_hat, w_bar, epsilon = loss_of_writes(c)
    a = paper_dual(c, c.alpha)
    P_eps = square([w + e for w, e in zip(w_hat, epsilon)]) / 2 + losses(c, w_hat)
    D_eps = square(w_bar) / 2 - sum((e * w for e, w in zip(epsilon, w_bar)), Q(0)) + conjugates(c, a)
    value = certificate(c)
    yield Eq(P_eps + D_eps, value, "W1: the perturbed gap")
    yield Le(0, value, "W1: nonnegative", trivial=value + 1)
    distance, size = square(minus(w_hat, c.problem.w(c.optimum))), square(epsilon)
    excess = distance - size - 2 * value  # sqrt(distance) <= sqrt(size) + sqrt(2 value), squared twice
    yield Le(max(excess, Q(0)) ** 2, 8 * size * value, "W2: ||w-hat - w*|| <= ||eps|| + sqrt(2 certificate)")


@claim(
    "passcode.wild.backward-error",
    "Wild: once no write is lost any more, each clean step is SDCA's on the problem with ||w + epsilon||^2/2, epsilon"
    " frozen; its optimum is the one fixed point w-hat of the clean steps, and there ||w-hat - w*||^2 + ||w-bar -"
    " w*||^2 <= ||epsilon||^2",
    hypotheses="smooth loss with a rational optimum, L2, lam > 0; any writes lost before",
    evidence=[exact(wild), golden(GOLDEN, detail="w* = (1/4, -3/4), 9/64 <= 1/4")],
    control=altered(
        "w-hat solves the original problem",
        lambda c: [
            Eq(w, star, "") for w, star in zip(perturbed(c, loss_of_writes(c)[2]).w(c.alpha), c.problem.w(c.optimum))
        ],
        GOLDEN,
    ),
    origin=ICML.reading(
        "Backward error", "PASSCoDe-Wild", note=f"{RESTATED}; the step-by-step form and the sum of squares are ours"
    ),
    proof=(
        "A clean step adds the same Delta a_i x_i to w-hat and w-bar, so epsilon stays, and the step reads w-hat ="
        " w-bar - epsilon, the perturbed problem's own w(alpha). Fixed points: -a_i in dl_i(x_i^T w-hat) for all i, the"
        " optimality condition. prox is firmly nonexpansive: ||w-hat - w*||^2 <= -eps (w-hat - w*), and w-bar - w* ="
        " (w-hat - w*) + eps."
    ),
)
def wild_backward_error(c: Context) -> Iterable[Relation]:
    epsilon = loss_of_writes(c)[2]
    problem, sdca = perturbed(c, epsilon), method("sdca")
    state, expected = quiescent(c, c.view[0], c.alpha), sdca.init(problem, c.alpha)
    for i in [*range(c.n), 0]:
        state, expected = c.method.step(c.problem, state, i), sdca.step(problem, expected, i)
        landed, alpha = c.method.view(c.problem, state)
        for left, right in zip((*landed, *alpha), (*expected.v, *expected.alpha)):
            yield Eq(left, right, f"a clean step on row {i} is SDCA's on the perturbed problem")
    alpha = exact_optimum(problem)
    w_hat, w_bar, w_star = problem.w(alpha), c.problem.w(alpha), c.problem.w(c.optimum)
    for i in range(c.n):
        after = c.method.view(c.problem, c.method.step(c.problem, quiescent(c, w_hat, alpha), i))
        for left, right in zip(after[0], w_hat):
            yield Eq(left, right, f"row {i} leaves the perturbed optimum where it is")
    yield Le(square(minus(w_hat, w_star)) + square(minus(w_bar, w_star)), square(epsilon), "W2 at the fixed point")
    for name, found in (("w_star", w_star), ("w_hat", w_hat), ("w_bar", w_bar)):
        for left, right in zip(found, c.given.get(name, ())):
            yield Eq(left, right, f"{name} of the worked example")


def quiescent(c: Context, w: Vector, alpha: Vector) -> Any:
    """A state with nothing in flight, shared memory w and dual alpha."""
    state = c.state.copy()
    state.v, state.alpha, state.pending = list(w), list(alpha), []
    return state
