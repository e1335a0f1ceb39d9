"""SPDC, the algorithms: their lines, their parameters, their samplings, and how the three are one.

A prox is checked by its optimality condition, never by a second closed form alone: a = argmax b z - phi*(b) - (q/2)(b -
a_old)^2 iff z - q (a - a_old) is a subgradient of phi* at a, iff phi and phi* meet there (Fenchel-Young); the same for
g.
"""

from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED, RESTORED_29
from dualgap.proofs_checks.papers.spdc.strategies import (
    batches,
    batches_anywhere,
    begun,
    logistic,
    nonuniform_anywhere,
    saddle,
    singles,
)
from dualgap.proofs_checks.papers.spdc.terms import SPDCTerms, minus, plus
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.base import Method
from dualgap.reference.methods.spdc import Parameters
from dualgap.reference.problem.problem import Vector

ANY = r"$\varphi_i$ $(1/\gamma)$-smooth, L2 or elastic net; any $w$, $\bar{w}$, $\alpha$"
UNIT = Qs("3/5", "4/5")

G1 = Instance(rows=(UNIT, Qs(1, 0), Qs(0, 1)), y=Qs(1, -1, 2), alpha=Qs(0, 0, 0), lam=Q(1, 3), method="spdc")
G2 = G1.but(y=Qs(1, -1, 1), loss="smoothed-hinge", gamma=Q(1), l1=Q(1, 10))
G3 = G1.but(lam=Q(2, 3), method="spdc-minibatch", options={"m": 2})
G4 = G1.but(rows=(Qs(3, 4), Qs(1, 0), Qs(0, 0)), method="spdc-nonuniform", options={"mix": Q(1, 2)})


# -- wrong lines -------------------------------------------------------------------------------------------------------


class Wrong(Method[Any]):
    """Any of the three algorithms with one line wrong: ``line`` names it."""

    name = "wrong"

    def __init__(self, line: str, instance: Instance) -> None:
        self.line, self.right = line, cast(Any, instance.reference_method())
        found, self.right.make_parameters = (
            self.right.make_parameters,
            lambda problem, norms2: self.spoiled(found(problem, norms2)),
        )
        self.parameters = self.right.parameters

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> Any:
        return self.right.init(problem, alpha, w)

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        return state.w, state.alpha

    def spoiled(self, right: Parameters) -> Parameters:
        """Wrong steps."""
        if self.line == "(16), (29): 1/R for 1/(2R)":
            return right._replace(tau=2 * right.tau, sigma=2 * right.sigma)
        return right._replace(sigma=right.sigma * 2) if self.line == "(7): another sigma" else right

    def choices(self, problem: Problem, state: Any) -> list[tuple[Any, Q]]:
        found: list[tuple[Any, Q]] = self.right.choices(problem, state)
        return (
            [(choice, Q(1, len(found) - 1)) for choice, _ in found[1:]]
            if self.line == "never the first choice"
            else found
        )

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        parameters, old = self.right.parameters(problem), state.copy()
        self.right.advance(problem, state, choice)
        if self.line == "(9): u with the weight of (8)":
            scale = Q(problem.n) / parameters.pn(choice) if isinstance(choice, int) else Q(problem.n, self.right.m)
            state.u = plus(old.u, scale, minus(state.u, old.u))
        if self.line == "(10): w_bar = w":
            state.w_bar = list(state.w)
        if self.line == "(10): from w_bar":
            state.w_bar = plus(state.w, parameters.theta, minus(state.w, old.w_bar))
        if self.line == "(8): from w_bar":
            state.w = plus(state.w, 1, minus(old.w_bar, old.w))


LINES = (
    "(7): another sigma",
    "(16), (29): 1/R for 1/(2R)",
    "never the first choice",
    "(9): u with the weight of (8)",
    "(10): w_bar = w",
    "(10): from w_bar",
    "(8): from w_bar",
)


MUTANTS = (  # of every one of the three algorithms
    "spdc.no-extrapolation",
    "spdc.lambda-gamma-swapped",
    "spdc.steps-1/R",
    "spdc.wrong-u0",
    "spdc.stale-w_bar",
    "spdc.u-scaled-increment",
    "spdc.overwritten-alpha",
    "spdc.never-last",
)


def wrong_lines_fail(instance: Instance, lines: Iterable[str] = LINES) -> Control:
    """The check must be false with each of these lines wrong."""
    return Control(
        f"must fail: {'; '.join(lines)}",
        lambda claim, run: all(violates(claim, instance, Wrong(line, instance), run.number) for line in lines),
    )


# -- the lines ---------------------------------------------------------------------------------------------------------


def dual_lines(t: SPDCTerms, s: Any) -> Iterable[Relation]:
    """(7), (13), (26), and that nothing else moves."""
    loss, K = t.problem.loss, t.batch(s)
    for k in range(t.n):
        if k not in K:
            yield Same(s.alpha[k], t.alpha[k], f"alpha_{k} unchanged")
            continue
        q, y, a = t.pn[k] / t.sigma, t.problem.y[k], s.alpha[k]
        z = t.problem.dot(t.problem.rows[k], t.w_bar) - q * (a - t.alpha[k])
        yield Same(loss.value(z, y), a * z - loss.conjugate(a, y), f"(7), (13), (26): optimality of alpha_{k}")
        yield Same(a, loss.derivative(z, y), f"alpha_{k} = phi'(z - q (alpha_{k} - old))")


def primal_lines(t: SPDCTerms, s: Any) -> Iterable[Relation]:
    """(8), (14), (27), (9) and (10), the direction from alpha+ - alpha by its definition."""
    increment = t.u_of(minus(s.alpha, t.alpha))
    for j, (new, old, step) in enumerate(zip(s.state.u, t.u, increment)):
        yield Same(new, old + step, f"(9): u_{j} with 1/n")
    v = plus(t.u, t.scale(s), increment)
    slope = [-v_j - d_j / t.tau for v_j, d_j in zip(v, minus(s.w, t.w))]
    g = t.problem.regularizer
    if t.c.instance.loss != "logistic":  # an enclosure of a coordinate that the threshold sets to 0 has no sign
        yield Same(g.value(s.w) + g.conjugate(slope), t.dot(slope, s.w), "(8), (14), (27): optimality of w+")
    for j, (w_j, old_j, v_j) in enumerate(zip(s.w, t.w, v)):
        yield Same(w_j, soft(old_j - t.tau * v_j, t.tau * g.l1) / (1 + t.lam * t.tau), f"(37), (40): w_{j}")
    for j, (bar, new, old) in enumerate(zip(s.state.w_bar, s.w, t.w)):
        yield Same(bar, new + t.theta * (new - old), f"(10): w_bar_{j}")


def lines(c: Context) -> Iterable[Relation]:
    """Every line of a step, for every choice."""
    t = SPDCTerms(c)
    for s in t.c.successors:
        yield from dual_lines(t, s)
        yield from primal_lines(t, s)


def start_lines(c: Context) -> Iterable[Relation]:
    """w_bar^0 = w^0 and u^0 = X^T alpha^0/n, from the instance's w^0."""
    t, w = SPDCTerms(c), c.given.get("w")
    alpha = [c.q(a) for a in c.instance.alpha]
    state = cast(Any, c.method).init(c.problem, alpha, w)
    for j, (bar, expected) in enumerate(zip(state.w_bar, w or c.problem.w(alpha))):
        yield Same(bar, expected, f"w_bar^0_{j} = w^0_{j}")
    for j, (u_j, expected) in enumerate(zip(state.u, t.u_of(alpha))):
        yield Same(u_j, expected, f"u^0_{j}")


@claim(
    "spdc.algorithm-1",
    r"Algorithm 1: $\bar{w}^0 = w^0$, $u^0 = X^T \alpha^0/n$; $k$ uniform; (7) $\alpha_k^+ = \operatorname{argmax} b"
    r" x_k^T \bar{w} -$ "
    r"$\varphi_k^*(b) - (b - \alpha_k)^2/(2 \sigma)$, the others stay; (8) $w^+ = \operatorname{argmin} g(w) +$ "
    r"$\langle u + (\alpha_k^+ - \alpha_k) x_k, w\rangle +$ $\Vert w - w^t\Vert^2/(2 \tau)$; (9) "
    r"$u^+ = u + (1/n)(\alpha_k^+ - \alpha_k) x_k$; (10) $\bar{w}^+ = w^+ + \theta (w^+ - w)$; all with (16)",
    hypotheses=ANY,
    origin=PAPER.printed(
        "Algorithm 1", "(7)", "(8)", "(9)", "(10)", "(16)", "initialization", "(37)", "(40)", note=RESTORED
    ),
    evidence=[exact(singles, 0.6), enclosed(logistic, 0.1)],
    control=wrong_lines_fail(G1.but(path=(1, 2))),
    kills=[*MUTANTS, "spdc.scaled-step"],
)
def algorithm_1(c: Context) -> Iterable[Relation]:
    yield from start_lines(c)
    if c.instance.method == "spdc":
        yield from ((Eq(s.probability, Q(1, c.n), f"P(k = {s.choice}) = 1/n")) for s in begun(c).successors)
        yield Eq(len(begun(c).successors), c.n, "every row can be drawn")
    yield from lines(c)


def marginals(c: Context) -> Iterable[Relation]:
    """P(i in K) = m/n for every i, and K has m rows."""
    m, table = c.instance.options["m"], c.method.choices(c.problem, None)
    yield Eq(sum((p for _, p in table), Q(0)), 1, "the probabilities sum to 1")
    for K, _ in table:
        yield Eq(len(set(K)), m, f"|K| = m, K = {K}")
    for i in range(c.n):
        yield Eq(sum((p for K, p in table if i in K), Q(0)), Q(m, c.n), f"P({i} in K) = m/n")


@claim(
    "spdc.algorithm-2",
    r"Algorithm 2: $\vert K\vert = m$ and $P(i \in K) = m/n$; (13) every $\alpha_k^+$, $k$ in $K$, as (7) at one"
    r" $\bar{w}$; (14) "
    r"$w^+ = \operatorname{argmin} g(w) +$ $\langle u + (n/m)(u^+ - u), w\rangle +$ $\Vert w - w^t\Vert^2/(2 \tau)$; "
    r"$u^+ = u + (1/n) \sum_K (\alpha_k^+ - \alpha_k) x_k$; (10)",
    hypotheses=ANY,
    origin=PAPER.printed("Algorithm 2", "(13)", "(14)", "order of (13) and (14)", note=RESTORED),
    evidence=[exact(batches, 0.8)],
    control=wrong_lines_fail(G3.but(path=((0, 1), (1, 2)))),
    kills=[*MUTANTS, "spdc.scaled-step", "spdc.shared-batch-order"],
)
def algorithm_2(c: Context) -> Iterable[Relation]:
    if c.instance.method == "spdc-minibatch":
        yield from start_lines(c)
        yield from marginals(c)
        yield from lines(c)


@claim(
    "spdc.algorithm-3",
    r"Algorithm 3: $k$ with probability (28) $p_k = (1 - \mathrm{mix})/n + \mathrm{mix} \Vert x_k\Vert/\sum \Vert"
    r" x_i\Vert$; (26) as (7) with "
    r"$\sigma/(p_k n)$; (27) $w^+ = \operatorname{argmin} g(w) +$ $\langle u + (1/p_k)(u^+ - u), w\rangle +$ $\Vert w -"
    r" w^t\Vert^2/(2 \tau)$; "
    "(9) with $1/n$; (10); all with (29)",
    hypotheses=rf"{ANY}, $\alpha$ outside the domain too",
    origin=PAPER.printed("Algorithm 3", "(26)", "(27)", "(28)", "(29)", note=RESTORED_29),
    evidence=[exact(nonuniform_anywhere, 0.8)],
    control=wrong_lines_fail(G4.but(path=(0, 1))),
    kills=[*MUTANTS, "spdc.sigma-unscaled", "spdc.weight-one", "spdc.weight-1/n"],
)
def algorithm_3(c: Context) -> Iterable[Relation]:
    t = SPDCTerms(c)
    if all(c.problem.loss.in_domain(a, y) for a, y in zip(c.instance.alpha, c.problem.y)):
        yield from start_lines(c)
    for s in t.c.successors:
        yield Eq(s.probability, t.pn[s.choice] / c.n, f"(28), k = {s.choice}")
    yield Eq(t.c.expect(lambda s: c.q(1)), 1, "the probabilities sum to 1")
    yield from lines(c)


SAMPLINGS = tuple(
    Instance(
        rows=tuple(Qs(1) for _ in range(n)),
        y=Qs(*range(n)),
        alpha=Qs(*range(n)),
        lam=Q(1),
        method="spdc-minibatch",
        options={"m": m, "sampling": sampling},
    )
    for n in range(1, 8)
    for m in range(1, n + 1)
    for sampling in ("subset", "systematic", "partition")
    if sampling != "partition" or n % m == 0
)


class Uneven(MiniBatchSPDC):
    """n = 3, m = 2: one row of each of the blocks {1}, {2, 3}."""

    def choices(self, problem: Any, state: Any) -> list[tuple[Any, Q]]:
        return [((0, 1), Q(1, 2)), ((0, 2), Q(1, 2))]


UNEVEN = next(i for i in SAMPLINGS if (len(i.rows), i.options["m"]) == (3, 2))


@claim(
    "spdc.sampling",
    r"Section 2, mini-batches: one row of each of $m$ equal blocks has $\vert K\vert = m$ and $P(i \in K) = m/n$; so"
    r" have $m$-subsets and "
    "systematic sampling",
    hypotheses=r"$1 \le m \le n$ (blocks: $m$ divides $n$); $n \le 7$, every $m$",
    origin=PAPER.printed(
        "sampling",
        "other samplings",
        note=(
            "The blocks are the paper's; m-subsets and systematic sampling are two of its other approaches, chosen"
            " here."
        ),
    ),
    evidence=[golden(*SAMPLINGS, detail="n <= 7"), formal("subsets_fair", "one_per_block_fair")],
    control=Control("blocks {1}, {2, 3}", lambda claim, run: violates(claim, UNEVEN, Uneven(m=2))),
)
def samplings(c: Context) -> Iterable[Relation]:
    yield from marginals(c)


# -- invariants --------------------------------------------------------------------------------------------------------


@claim(
    "spdc.invariant",
    r"After (9): $u^t = X^T \alpha^t/n$ at every step, and $\alpha_k$ is in the domain from its first step on, wherever"
    r" $\alpha^0$ was",
    hypotheses=rf"{ANY}, $\alpha$ outside the domain too",
    origin=PAPER.printed(
        "initialization", "(9)", note=f"{RESTORED} That alpha_k lies in the domain after its first step is ours."
    ),
    evidence=[exact(batches_anywhere, 0.6), exact(nonuniform_anywhere, 0.4)],
    control=wrong_lines_fail(G1.but(path=(1, 2)), ["(9): u with the weight of (8)"]),
    kills=["spdc.u-scaled-increment", "spdc.overwritten-alpha", "spdc.wrong-u0"],
)
def invariant(c: Context) -> Iterable[Relation]:
    t = SPDCTerms(c)
    for s in t.c.successors:
        for j, (u_j, expected) in enumerate(zip(s.state.u, t.u_of(s.alpha))):
            yield Eq(u_j, expected, f"u_{j}, K = {s.choice}")
        for k in t.batch(s):
            yield Eq(c.problem.loss.in_domain(s.alpha[k], c.problem.y[k]), True, f"alpha_{k} in the domain")


def moved_from(c: Context, w: Vector, alpha: Vector) -> Iterable[Relation]:
    """That no choice moves (w, alpha), started with w_bar = w."""
    method: Any = c.method
    state = method.init(c.problem, alpha, w)
    for choice, _ in method.choices(c.problem, state):
        after = method.step(c.problem, state, choice)
        for name in ("w", "w_bar", "u", "alpha"):
            for j, (new, old) in enumerate(zip(getattr(after, name), getattr(state, name))):
                yield Eq(new, old, f"{name}_{j}, choice {choice}")


@claim(
    "spdc.fixed-point",
    "After (7)-(10): the saddle point is a fixed point of every step, exactly",
    hypotheses=r"$\varphi_i$ $(1/\gamma)$-smooth, L2 or elastic net",
    origin=PAPER.ours("Algorithm 1", "Algorithm 2", "Algorithm 3"),
    evidence=[exact(batches, 0.5), exact(nonuniform_anywhere, 0.4)],
    control=altered(
        "w* moved by one", lambda c: moved_from(c, [w_j + 1 for w_j in saddle(c)[0]], saddle(c)[1]), G1, G2, G3, G4
    ),
)
def fixed_point(c: Context) -> Iterable[Relation]:
    yield from moved_from(c, *saddle(c))


# -- one method --------------------------------------------------------------------------------------------------------


def same_step(c: Context, other: Any, choice: Any, theirs: Any) -> Iterable[Relation]:
    """A step of the context's method and one of ``other``, from the same state."""
    ours, alike = c.method.step(c.problem, c.state, choice), other.step(c.problem, c.state, theirs)
    for name in ("w", "w_bar", "u", "alpha"):
        for j, (a, b) in enumerate(zip(getattr(ours, name), getattr(alike, name))):
            yield Eq(a, b, f"{name}_{j}, choice {choice}")


@claim(
    "spdc.m-1",
    "After (14): Algorithm 2 with $m = 1$ is Algorithm 1, whatever the sampling",
    hypotheses=ANY,
    origin=PAPER.printed("m = 1", "Algorithm 2"),
    evidence=[exact(singles, 0.5)],
    control=altered("with theta of R in the place of 2R", lambda c: batch_of_one(c, "sharp"), G1.but(path=(1,))),
)
def m_1(c: Context) -> Iterable[Relation]:
    yield from batch_of_one(c, c.instance.options.get("theta", "paper"))


def batch_of_one(c: Context, theta: str) -> Iterable[Relation]:
    """Algorithm 2 with m = 1 and this theta against the context's Algorithm 1."""
    c = begun(c)
    for sampling in ("subset", "systematic", "partition"):
        batch = MiniBatchSPDC(m=1, sampling=sampling, theta=theta, R=c.instance.options.get("R"))
        yield Eq(len(batch.choices(c.problem, c.state)), c.n, f"{sampling}: n choices")
        for (k,), probability in batch.choices(c.problem, c.state):
            yield Eq(probability, Q(1, c.n), f"{sampling}: P(k = {k})")
            yield from same_step(c, batch, k, (k,))


@claim(
    "spdc.uniform-p",
    "After (29): on rows of one norm p_k = 1/n, and Algorithm 3 is Algorithm 1 with the steps and theta of (29)",
    hypotheses=f"{ANY}; equal norms",
    origin=PAPER.ours("(28)", "Algorithm 3"),
    evidence=[exact(singles)],
    control=altered("the norms 5, 1, 0", lambda c: algorithm_1_with_29(c), G4.but(path=(0, 1))),
)
def uniform_p(c: Context) -> Iterable[Relation]:
    if len(set(c.problem.norms2)) == 1 and c.R2 == c.q(c.instance.options["R"]) ** 2:
        yield from algorithm_1_with_29(c)


def algorithm_1_with_29(c: Context) -> Iterable[Relation]:
    """Algorithm 3 with mix = 2/3 against Algorithm 1 with its steps."""
    c = begun(c)
    three = NonUniformSPDC(mix=Q(2, 3))
    parameters: Any = three.parameters(c.problem)
    one = SPDC(theta=parameters.theta, tau=parameters.tau, sigma=parameters.sigma)
    for k, probability in three.choices(c.problem, c.state):
        yield Eq(probability, Q(1, c.n), f"p_{k} = 1/n")
        ours, theirs = three.step(c.problem, c.state, k), one.step(c.problem, c.state, k)
        for name in ("w", "w_bar", "u", "alpha"):
            for j, (a, b) in enumerate(zip(getattr(ours, name), getattr(theirs, name))):
                yield Eq(a, b, f"{name}_{j}, k = {k}")
