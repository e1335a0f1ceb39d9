"""SPDC, weighted sampling in mini-batches, possible as section 4 says at its end: an algorithm, its theorem, its proof.

    q_k = m p_k, p of (28): P(k in K) = q_k and |K| = m, for m p_k <= 1, by systematic sampling of the q_k in a row
    alpha_k+ as (26), every k in K at one w_bar
    w+ = argmin g(w) + <u + sum_K (alpha_k+ - alpha_k) x_k/(q_k n), w> + ||w - w^t||^2/(2 tau); u+, w_bar+ as (9), (10)
    tau = (mix/(2 R_bar)) sqrt(m gamma/(n lam)),  sigma = (mix/(2 R_bar)) sqrt(n lam/(m gamma)),
    theta = 1 - 1/(n/(m (1 - mix)) + (R_bar/mix) sqrt(n/(m lam gamma)))

m = 1 is Algorithm 3 with (29); equal norms and m > 1 are Algorithm 2 with tau sigma = mix^2/(4R^2).
"""

from dualgap.proofs_checks.evidence.planted import PlantedBug, planted
from dualgap.proofs_checks.papers.spdc.instances import *
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import is_linear
from dualgap.proofs_checks.papers.spdc.theorem_2 import mixed
from dualgap.reference.methods.spdc import SPDCState, shifted


def systematic(q: list[Fraction]) -> list[tuple[tuple[int, ...], Fraction]]:
    """The exact law of the k with a U + j, j an integer, in the k-th interval of lengths q_k, U uniform on [0, 1).

    >>> systematic([Fraction(1), Fraction(1, 4), Fraction(3, 4)])
    [((0, 1), Fraction(1, 4)), ((0, 2), Fraction(3, 4))]
    """
    ends = [sum(q[:k], Fraction(0)) for k in range(len(q) + 1)]
    cuts = sorted({Fraction(0), Fraction(1), *(end % 1 for end in ends)})

    def batch(U: Fraction) -> tuple[int, ...]:
        return tuple(k for k, (low, high) in enumerate(zip(ends, ends[1:])) if -((U - low) // 1) != -((U - high) // 1))

    return [(batch(low), high - low) for low, high in zip(cuts, cuts[1:])]


class WeightedBatches(GivenSteps):
    """The algorithm of this module, with m rows and weights 1/(m p_k n) = 1/(q_k n), or the number ``wrong``."""

    def __init__(self, given: Constants, wrong: Number | None = None) -> None:
        super().__init__(given)
        self.m, self.wrong = given.m, wrong
        # once, not at every state of a path tree
        self.table = systematic([given.m * pn / len(given.pn) for pn in given.pn])

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        _, _, tau, sigma, theta, pn = self.given
        return Parameters(tau, sigma, theta, pn)

    def choices(self, problem: Problem, state: Any) -> list[tuple[Any, Fraction]]:
        return list(self.table)

    def weight(self, problem: Problem, parameters: Parameters, k: int) -> Number:
        """1/(q_k n)."""
        return 1 / (problem.zero + self.m * parameters.pn(k)) if self.wrong is None else self.wrong

    def advance(self, problem: Problem, state: SPDCState, choice: tuple[int, ...]) -> None:
        parameters, K = self.parameters(problem), choice
        if parameters is None:
            return
        new = [self.dual_step(problem, state, parameters, k) for k in K]
        direction = list(state.u)
        for k, alpha_k in zip(K, new):
            delta = alpha_k - state.alpha[k]
            state.alpha[k] = alpha_k
            direction = shifted(direction, problem, k, self.weight(problem, parameters, k) * delta)
            state.u = shifted(state.u, problem, k, delta / problem.n)
        self.primal_step(problem, state, parameters, direction)


ONE_BY_ONE = """
        for k in choice[:-1]:
            self.advance(problem, state, (k,))"""
OWN_WEIGHT = ("WeightedBatches.weight", "self.m * parameters.pn(k)")
OWN = planted(
    WeightedBatches,
    "spdc",
    {  # the planted bugs of SPDC whose line this algorithm has in another form
        "weight-one": ("weight 1/m instead of 1/(q_k n)", (*OWN_WEIGHT, "self.m")),
        "weight-1/n": ("weight 1/n instead of 1/(q_k n)", (*OWN_WEIGHT, "problem.n")),
        "steps-1/R": (
            "mix/R_bar instead of half of it, in both steps",
            ("WeightedBatches.make_parameters", "Parameters(tau, sigma, ", "Parameters(2 * tau, 2 * sigma, "),
        ),
        "shared-batch-order": (
            "the rows of a batch one after the other, each with the w_bar that the row before it left",
            ("WeightedBatches.advance", "(problem), choice", f"(problem), choice[-1:]{ONE_BY_ONE}"),
        ),
    },
)


def run(c: Context, mix: Fraction, share: Number = 1, wrong: Number | None = None) -> Setting:
    """The algorithm on the instance, with the planted bug of its method; ``share`` of the second term of theta."""
    k, kind = constants(c, mix, share_2=share), WeightedBatches
    bug: PlantedBug | None = getattr(c.method, "planted_bug", None)
    if bug is not None:
        kind = OWN.get(bug.name, bug).of(WeightedBatches)
    return Setting(Context(c.instance, kind(k, wrong), problem=c.problem), k)


def law(t: Setting) -> Iterable[Relation]:
    """|K| = m and P(i in K) = q_i."""
    table = t.c.method.choices(t.problem, None)
    for K, _ in table:
        yield Eq(len(K), t.m, f"|K| = m, K = {K}")
    for i, pn in enumerate(t.pn):
        yield Eq(sum((p for K, p in table if i in K), Q(0)), t.m * pn / t.n, f"P({i} in K)")


def unbiased(t: Setting) -> Iterable[Relation]:
    """With L2, where w+ is affine in its direction: the mean direction is u + (1/n) sum_i (omega_i - alpha_i) x_i."""
    method, direction = cast(Any, t.c.method), t.u
    for i in range(t.n):
        omega = method.dual_step(t.problem, t.c.state, method.parameters(t.problem), i)
        direction = shifted(direction, t.problem, i, (omega - t.alpha[i]) / t.n)
    for j, (w_j, v_j) in enumerate(zip(t.w, direction)):
        mean = sum((s.probability * s.w[j] for s in t.c.successors), Q(0))
        yield Eq(mean * (1 + t.lam * t.tau), w_j - t.tau * v_j, f"E w+_{j}: the direction is unbiased")


@st.composite
def copies(draw: DrawFn, /, losses: tuple[str, ...], max_n: int, l1: tuple[Fraction, ...] = L1) -> Instance:
    """Each row m times, m = 2 or 3, some turned around: m p_k <= 1 whatever the norms are."""
    one = draw(nonuniform_instances(losses=losses, l1=l1, max_n=max_n, max_d=2, max_path=0, free=False, anywhere=True))
    m = draw(st.sampled_from((2, 2, 3) if max_n > 2 else (2,)))
    turned = tuple(tuple(-x for x in row) for row in one.rows)
    return one.but(
        rows=(*one.rows, *turned, *one.rows)[: m * len(one.rows)],
        y=one.y * m,
        alpha=one.alpha * m,
        method="spdc-minibatch",
        options={"m": m},
    )  # n lam/(m gamma) is what it was


# Squared loss, L2.
squared = Pool("spdc.squared", copies, losses=("squared",), max_n=3, l1=(Q(0),))
# Smoothed and squared hinge, L2 or elastic net; up to four rows.
hinges = Pool("spdc.hinges", copies, losses=("smoothed-hinge", "squared-hinge"), max_n=2)
# 8 lam/2 = 1/100^2
ONE_OF_NINE = mixed((1, 1, 1, 1, 1, 1, 1, 9), "1/40000").but(method="spdc-minibatch", options={"m": 2})
EQUAL = mixed((1, 1, 1, 1), "1/20000").but(method="spdc-minibatch", options={"m": 2})


@claim(
    "spdc.theorem-2.batches",
    "Section 4, end, carried out: with P(k in K) = q_k = m p_k, |K| = m, (26), weights 1/(q_k n) in (27) and (29)'s n"
    " replaced by n/m, (1/(2 tau) + lam) E||w^t - w*||^2 + sum (1/(4 m sigma) + gamma/(q_i n)) E(alpha_i^t -"
    " alpha*_i)^2 <= theta^t [(1/(2 tau) + lam) ||w^0 - w*||^2 + sum (1/(2 m sigma) + gamma/(q_i n)) (alpha_i^0 -"
    " alpha*_i)^2]",
    hypotheses=rf"{ASSUMED}; $m p_k \le 1$; {ANYWHERE}",
    origin=PAPER.ours("weighted mini-batches", note="The paper says that it can be done and omits the details."),
    evidence=[exact(squared, 0.2), Enumerated(hinges, 0.1), golden(ONE_OF_NINE, EQUAL, detail="kappa_bar far above n")],
    kills=bugs("sigma-unscaled weight-one weight-1/n steps-1/R shared-batch-order no-prox"),
    control=all_of(
        false_with("1/n for 1/(q_k n)", EQUAL, wrong=Q(1, 4)),
        false_with("1/m for 1/(q_k n)", ONE_OF_NINE, wrong=Q(1, 2)),
        false_with("half of the second term of theta", EQUAL, share=Q(1, 2)),
    ),
    proof=(
        "(58) for every i with p_i n/(2 sigma) = q_i n/(2 m sigma), its mean by h(omega_i) = (1/q_i) E h(alpha_i+) -"
        " ((1-q_i)/q_i) h(alpha_i), and (61). Cross terms: ||sum_K delta_k x_k/(q_k n)|| <= B sqrt(m) ||delta||, B ="
        " max ||x_i||/(q_i n) <= R_bar/(m mix), and tau sigma = 1/(4 m^2 B^2); also ||X||^2/n^2 <= B^2 sum q_i^2 <= m"
        " B^2. Contraction: 1/(1 + 2 lam tau) and 1 - 1/(1/q_i + n/(2 m sigma gamma)) are at most theta."
    ),
)
def theorem_2_batches(c: Context, share: Number = 1, wrong: Number | None = None) -> Iterable[Relation]:
    for mix in Qs("1/2", "1/5"):
        t = run(c, mix, share, wrong)
        yield from law(t)
        if is_linear(t.c):
            yield from t.one_step()
        if not c.instance.l1:
            yield from unbiased(t)
        yield from t.in_distance()
