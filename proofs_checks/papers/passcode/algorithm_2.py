"""PASSCoDe, slides "Prime Problem", "Dual Problem" and Algorithm 2 with its variants Lock and Atomic.

P_PC(w) = (1/2)||w||^2 + sum l_i(x_i^T w)        D_PC(a) = (1/2)||sum a_i x_i||^2 + sum l_i*(-a_i)
step 1.5 (Lock)  all w_t, t in N_i, locked
step 2  a_i <- argmin of D_PC over coordinate i        step 3  w <- w + Delta a_i x_i
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras
from dualgap.proofs_checks.claims.instance import Qs
from dualgap.proofs_checks.claims.registry import Claim, Evidence, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.levels import altered, exact, fails_on, false_with, golden
from dualgap.proofs_checks.papers.aspdc.implementation import bits
from dualgap.proofs_checks.papers.passcode.instances import LOST_WRITE, PAIR, delayed, locked, scalings, undelayed
from dualgap.proofs_checks.papers.passcode.items import ICML, PAPER, RESTATED
from dualgap.proofs_checks.papers.passcode.setting import (
    CONVEX,
    C,
    combine,
    conjugate,
    conjugates,
    losses,
    paper_dual,
    young,
)
from dualgap.proofs_checks.papers.vocabulary import each, implemented, square
from dualgap.reference import method
from dualgap.reference.numbers.arithmetic import Number


@claim(
    "passcode.scaling",
    r"Prime Problem, Dual Problem and step 2: with $C = 1/(\lambda n)$, $l = C \varphi$ and $a = -\alpha/(\lambda n)$,"
    r" $w = \sum a_i x_i$ is $w(\alpha)$, $l^*(u) = C \varphi^*(u/C)$, $P_{\mathrm{PC}} = P/\lambda$ at every $w$,"
    r" $D_{\mathrm{PC}} = -D/\lambda$, $P_{\mathrm{PC}} + D_{\mathrm{PC}} = \mathrm{gap}/\lambda \ge 0$; and step 2"
    r" minimises $D_{\mathrm{PC}}$ over its coordinate",
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
    yield from each(Eq, combine(problem, a), c.w, "w = sum a_i x_i = w(alpha)")
    for i, (row, y) in enumerate(zip(problem.rows, problem.y)):
        z = problem.dot(row, w)
        slope = C(c) * problem.loss.derivative(z, y)
        due = slope * z - C(c) * problem.loss.value(z, y)
        yield Eq(conjugate(c, i, slope), due, f"l_{i}*(u) = C phi*(u/C), attained at z")
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


# -- at tau = 0 --------------------------------------------------------------------------------------------------------


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
    yield from lock_serialisable(c)
    rounded = c.instance.problem(float)
    start = [float(a) for a in c.instance.alpha]
    ours = c.method.run(rounded, c.instance.path, c.method.init(rounded, start))
    sdca = method("sdca")
    expected = sdca.run(rounded, indices(c), sdca.init(rounded, start))
    found, due = ([bits(x) for x in (*state.v, *state.alpha)] for state in (ours, expected))
    yield from each(Eq, found, due, "(v, alpha) is bit-identical to SDCA's")


def indices(c: Context) -> list[int]:
    """The rows that the instance's path visits, in order."""
    path: tuple[int | tuple[int, ...], ...] = c.instance.path
    return [choice if isinstance(choice, int) else choice[1] for choice in path]


# -- Lock and Atomic ---------------------------------------------------------------------------------------------------


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
    sdca = method("sdca")
    expected = sdca.run(c.problem, indices(c), sdca.init(c.problem, list(c.start.alpha)))
    yield from each(Eq, (*c.view[0], *c.alpha), (*expected.v, *expected.alpha), "(w, alpha) is SDCA's")


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
    control=fails_on(LOST_WRITE, text="Wild with one lost component write"),
    origin=PAPER.ours("Lock, step 1.5", "Atomic, step 3"),
    proof=(
        "Each step adds to alpha_i the Delta whose multiple of x_i it writes; addition does not care about order, and"
        " nothing is lost."
    ),
)
def invariant(c: Context) -> Iterable[Relation]:
    yield from each(Eq, c.view[0], c.w, "w = w(alpha) once quiescent")


# worker 0 steps; two writes of worker 1 and one of its own are in flight
OVERLAP = PAIR.but(rows=(Qs(1, 2), Qs(3, 1)), options={"threads": 2, "delay": 2}, extra=Extras())


@implemented(
    "passcode.atomic.visibility",
    "The code: the reference's worker reads the shared memory, all of its own writes in flight, and any subset of the"
    " others' component writes; every subset by exactly one mask",
    hypotheses=rf"{CONVEX}; any workers, $\tau$ up to 3",
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
        label = f"worker {worker}, row {i}: the values that are read, over all masks"
        yield from each(Eq, sorted(found), sorted(expected), label)
