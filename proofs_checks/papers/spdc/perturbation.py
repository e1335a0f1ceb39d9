"""SPDC, section 3: losses that are not smooth and regularizers that are not strongly convex, through f_delta of (20).

The instance is the perturbed problem itself: the hinge loss is perturbed to the smoothed hinge with gamma = delta, and
g = l1 |w| + (ridge/2) w^2 to the same with delta more. In one dimension the problem before the perturbation is solved
exactly, over the kinks of P. With m = n there is one path only, and the number of steps that Corollary 3 asks for can
be made, exactly.
"""

from dualgap.proofs_checks.engines.logarithms import ceiling_of_log
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.strategies import batch_instances, begun
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import dual_points
from dualgap.reference.methods.spdc import perturbed_step
from dualgap.reference.problem.problem import Vector

G_PHI = 1  # the Lipschitz constant of the hinge loss
HINGE = r"hinge loss ($G_{\varphi} = 1$), $g = \ell_1 \vert w\vert + (\mathrm{ridge}/2) w^2$, $d = 1$"

# -- (20) --------------------------------------------------------------------------------------------------------------


@st.composite
def scalar_steps(draw: DrawFn) -> Instance:
    """One dual step: any rational loss, z, q and delta; "x" is any other point of the domain."""
    loss = draw(st.sampled_from(("hinge", "absolute", "squared", "smoothed-hinge", "squared-hinge")))
    y = draw(st.sampled_from(Qs(1, -1)))
    number = st.sampled_from(Qs(0, 1, -1, "1/3", "-7/2", 5, "-2/9"))
    extra = further(
        z=draw(number),
        q=draw(st.sampled_from(Qs("1/100", "1/2", 1, 3, 40))),
        x=draw(dual_points(loss, y)),
        delta=draw(st.sampled_from(Qs("1/1000", "1/10", 1, 7))),
    )
    gamma = draw(st.sampled_from(Qs(1, "1/4", 3))) if loss in ("squared", "smoothed-hinge") else None
    return Instance(
        rows=(Qs(1),), y=(y,), alpha=(draw(dual_points(loss, y)),), lam=Q(1), loss=loss, gamma=gamma, extra=extra
    )


# What ``scalar_steps`` draws.
drawn_scalar_steps = Pool("spdc.drawn_scalar_steps", scalar_steps)


def perturbed_value(c: Context, x: Number) -> Number:
    """x z - phi*(x) - (delta/2) x^2 - (q/2)(x - alpha)^2."""
    moved = x - c.q(c.instance.alpha[0])
    return (
        x * c.given.z
        - c.problem.loss.conjugate(x, c.problem.y[0])
        - c.given.delta * x * x / 2
        - c.given.q * moved * moved / 2
    )


ABSOLUTE = Instance(
    rows=(Qs(1),),
    y=Qs(1),
    alpha=Qs(0),
    lam=Q(1),
    loss="absolute",
    extra=further(z=Q("3/2"), q=Q(1), x=Q("1/4"), delta=Q(1)),
)


@claim(
    "spdc.20.step",
    "(20), the dual step: argmax of x z - phi*(x) - (delta/2) x^2 - (q/2)(x - alpha)^2 is the step of phi* itself with"
    " q + delta for q and q alpha/(q + delta) for alpha",
    hypotheses="any convex loss, q > 0, delta > 0",
    origin=PAPER.ours("(20)"),
    evidence=[exact(drawn_scalar_steps)],
    control=false_with("the step of phi* without delta", ABSOLUTE, factor=Q(0)),
    proof="The two quadratics in x are one, up to a constant. h is (q + delta)-strongly concave.",
)
def is_maximiser(c: Context, factor: Number = Q(1)) -> Iterable[Relation]:
    """The step of the code, with ``factor`` delta, is the point a with h(a) - h(x) >= ((q + delta)/2)(x - a)^2 for
    every x.
    """
    delta, q, x = c.given.delta, c.given.q, c.given.x
    a = perturbed_step(c.problem, factor * delta, c.given.z, c.q(c.instance.alpha[0]), 0, q)
    yield Eq(int(c.problem.loss.in_domain(a, c.problem.y[0])), 1, "a lies in the domain")
    for point in (x, (a + x) / 2, a + (x - a) / 100):
        bound = (q + delta) / 2 * (point - a) * (point - a)
        yield Le(
            bound, perturbed_value(c, a) - perturbed_value(c, point), f"h(a) - h({point}) >= (q + delta)/2 (x - a)^2"
        )


@st.composite
def shares(draw: DrawFn) -> Instance:
    """Algorithms 1 and 2 on a loss whose gamma is delta in part, or as a whole: then the loss is the hinge."""
    instance = draw(batch_instances(losses=("squared", "smoothed-hinge")))
    share = draw(st.sampled_from(Qs("1/2", "1/4") if instance.loss == "squared" else Qs(1, 1, "1/2", "1/4")))
    assert instance.gamma is not None
    delta = share * instance.gamma
    options = {**instance.options, "delta": delta}
    if share == 1:
        return instance.but(loss="hinge", gamma=None, options=options)
    return instance.but(gamma=instance.gamma - delta, options=options)


shared = Pool("spdc.shared", shares)  # What ``shares`` draws.


def as_smooth(instance: Instance) -> Instance:
    """The same problem with delta in the loss: hinge plus delta is the smoothed hinge with gamma = delta."""
    delta = Q(instance.options["delta"])
    options = {name: value for name, value in instance.options.items() if name != "delta"}
    loss = "smoothed-hinge" if instance.loss == "hinge" else instance.loss
    return instance.but(loss=loss, gamma=(instance.gamma or Q(0)) + delta, options=options)


@claim(
    "spdc.20",
    r"(20), the run: option $\delta$ on $\varphi_i$ is the method on the loss of $\varphi_i^* + (\delta/2) a^2$, steps,"
    r" parameters and all; "
    r"the hinge with $\delta$ is the smoothed hinge with $\gamma = \delta$",
    hypotheses="hinge, smoothed hinge, squared loss; L2 or elastic net; Algorithms 1 and 2",
    origin=PAPER.printed("smoothing", "(20)", "(16) for (20)", note=RESTORED),
    evidence=[exact(shared)],
    control=altered(
        "delta left out of gamma",
        lambda c: same_run(c, c.instance.but(options={**c.instance.options, "delta": Q(0)})),
        Instance(
            rows=(Qs(1),),
            y=Qs(1),
            alpha=Qs(0),
            lam=Q(2),
            gamma=Q(1),
            method="spdc",
            options={"delta": Q(1), "tau": "1/2", "sigma": "1/2"},
            extra=further(w=Qs(1)),
        ),
    ),
    proof="phi_i* + (delta/2) a^2 is the conjugate of that loss, term by term.",
)
def run_20(c: Context) -> Iterable[Relation]:
    yield from same_run(c, as_smooth(c.instance))


def same_run(c: Context, other: Instance) -> Iterable[Relation]:
    """Every successor of the instance's state is that of the other instance's state."""
    compiled = begun(Context(other))
    for ours, expected in zip(begun(c).successors, compiled.successors):
        for left, right in zip(
            (*ours.state.w, *ours.state.w_bar, *ours.alpha), (*expected.state.w, *expected.state.w_bar, *expected.alpha)
        ):
            yield Eq(left, right, f"after {ours.choice}: w, w_bar, alpha")


# -- the problem before and after --------------------------------------------------------------------------------------


class Perturbed:
    """P, which is not smooth or not strongly convex, beside P_delta, the instance's own problem."""

    def __init__(self, c: Context) -> None:
        self.c, self.delta, self.ridge = c, c.gamma, c.mu - c.gamma
        self.x: Vector = [dict(row).get(0, c.problem.zero) for row in c.problem.rows]

    def P(self, w: Number) -> Number:
        """(1/n) sum max(0, 1 - y_i x_i w) + l1 |w| + (ridge/2) w^2."""
        total = self.c.problem.zero
        for x, y in zip(self.x, self.c.problem.y):
            total = total + max(Q(0), 1 - y * x * w)
        return total / self.c.n + self.c.problem.regularizer.l1 * abs(w) + self.ridge * w * w / 2

    @cached_property
    def w_star(self) -> Number:
        """The minimiser of P nearest to 0: a kink, or the zero of the slope between two of them."""
        kinks = sorted({Q(0), *(1 / (y * x) for x, y in zip(self.x, self.c.problem.y) if x != 0)})
        candidates = list(kinks)
        for low, high in zip([kinks[0] - 1, *kinks], [*kinks, kinks[-1] + 1]):
            if self.ridge > 0:
                slope = (self.P(high) - self.P(low)) / (high - low) - self.ridge * (high + low) / 2
                candidates.append(-slope / self.ridge)
        return min(candidates, key=lambda w: (self.P(w), abs(w)))

    @cached_property
    def C2(self) -> Number:
        """||w*||^2 + G_phi^2."""
        return self.w_star * self.w_star + G_PHI * G_PHI

    @cached_property
    def w_delta(self) -> Number:
        """The minimiser of P_delta."""
        return self.c.problem.w(self.c.optimum)[0]


@st.composite
def perturbed_hinges(draw: DrawFn, ridges: tuple[int, ...]) -> Instance:
    """The perturbed problem, m = n, from alpha^0 = 0; "w" is w^0."""
    n = draw(st.integers(1, 3))
    rows = tuple((draw(st.sampled_from(Qs(1, -1, "1/2", "-1/2", "3/4"))),) for _ in range(n))
    y = tuple(draw(st.sampled_from(Qs(1, -1))) for _ in range(n))
    delta, extra = draw(st.sampled_from(Qs("1/2", 1, 2))), further(w=(draw(st.sampled_from(Qs(0, 2, -3))),))
    return Instance(
        rows=rows,
        y=y,
        alpha=(Q(0),) * n,
        lam=delta * (1 + draw(st.sampled_from(ridges))),
        loss="smoothed-hinge",
        gamma=delta,
        l1=draw(st.sampled_from(Qs("1/10", "1/3", 1))),
        method="spdc-minibatch",
        options={"m": n},
        extra=extra,
    )


# g = l1 |w|: Lipschitz, not strongly convex.
lasso_like = Pool("spdc.lasso_like", perturbed_hinges, ridges=(0,))
# g = l1 |w| + (ridge/2) w^2, ridge 0, 3 delta or 8 delta.
with_ridge = Pool("spdc.with_ridge", perturbed_hinges, ridges=(0, 3, 8))


ONE_HINGE = Instance(
    rows=(Qs(1),),
    y=Qs(1),
    alpha=Qs(0),
    lam=Q(1),
    loss="smoothed-hinge",
    gamma=Q(1),
    l1=Q(1, 10),
    method="spdc-minibatch",
    options={"m": 1},
    extra=further(w=Qs(-3)),
)


@claim(
    "spdc.21",
    r"(21): $P(w^*_{\delta}) - P(w^*) \le$ $(\delta/2)(\Vert w^*\Vert^2 + G_{\varphi}^2)$; and for every $w$, "
    r"$P(w) - (\delta/2) G_{\varphi}^2 \le$ $P_{\delta}(w) - (\delta/2)\Vert w\Vert^2 \le$ $P(w)$",
    hypotheses=HINGE,
    origin=PAPER.printed("(21)", note=RESTORED),
    evidence=[exact(with_ridge)],
    control=altered(
        "||w*||^2 left out, and a quarter",
        lambda c: [Le((p := Perturbed(c)).P(p.w_delta) - p.P(p.w_star), p.delta / 8, "")],
        ONE_HINGE,
    ),
    proof="dom phi* lies in [-G_phi, G_phi], so 0 <= phi - phi_delta <= (delta/2) G_phi^2.",
)
def equation_21(c: Context) -> Iterable[Relation]:
    p = Perturbed(c)
    for w in (c.given.w[0], p.w_star, p.w_delta):
        middle = c.problem.P([w]) - p.delta * w * w / 2
        yield Le(p.P(w) - p.delta * G_PHI * G_PHI / 2, middle, "P - (delta/2) G_phi^2 <= P_delta - (delta/2) w^2")
        yield Le(middle, p.P(w), "P_delta - (delta/2) w^2 <= P")
    yield Le(p.P(p.w_delta) - p.P(p.w_star), p.delta * p.C2 / 2, "(21)")


# -- Corollary 3 -------------------------------------------------------------------------------------------------------


def constant(c: Context) -> Number:
    """Delta_delta^0 + ||alpha^0 - alpha*_delta||^2/(4 m sigma), m = n, (15)."""
    w, alpha = [c.given.w[0]], [c.q(a) for a in c.instance.alpha]
    star, problem, n = c.optimum, c.problem, c.n
    method: Any = c.method
    w_star, p = problem.w(star), method.parameters(problem)
    dual = sum(((a - b) ** 2 for a, b in zip(alpha, star)), Q(0))
    primal = (w[0] - w_star[0]) ** 2
    gaps = problem.f(w, star) - problem.f(w_star, alpha)
    return (1 / (2 * p.tau) + c.mu / 2) * primal + (1 / (2 * p.sigma) + c.gamma / 2) * dual / n + gaps


def primal_path(c: Context, steps: int) -> list[Number]:
    """w^0 .. w^T of the one path that there is for m = n."""
    state, whole = begun(c).start, tuple(range(c.n))
    found = [state.w[0]]
    for _ in range(steps):
        state = c.method.step(c.problem, state, whole)
        found.append(state.w[0])
    return found


def lipschitz(c: Context) -> Number:
    """G_phi R + G_g for g = l1 |w|."""
    return G_PHI * sqrt(c.R2) + c.problem.regularizer.l1


@claim(
    "spdc.corollary-3",
    r"Corollary 3, with (22) and (23): for $\delta \le \epsilon/(\Vert w^*\Vert^2 + G_{\varphi}^2)$ the primal error is"
    r" at most $\epsilon$ "
    r"after $(n/m + (2R/\delta) \sqrt{n/m}) \,\log(4 C_3/\epsilon^2)$ steps",
    hypotheses=HINGE
    + r", $\mathrm{ridge} = 0$: $g$ must be Lipschitz ($G_g = \ell_1$); $m = n$, where nothing is random; $\delta ="
    r" \epsilon/C_2$",
    origin=PAPER.printed("Corollary 3", "(22)", "(23)", note=RESTORED),
    evidence=[exact(lasso_like, 0.25)],
    control=all_of(
        false_with(
            "no step at all", FAR_HINGE := ONE_HINGE.but(lam=Q(1, 4), gamma=Q(1, 4)), share=Q(1), all_steps=False
        ),
        false_with("a hundredth of the Lipschitz constant", FAR_HINGE, share=Q(1, 10**4), all_steps=True),
    ),
)
def corollary_3_chain(c: Context, share: Number = Q(1), all_steps: bool = True) -> Iterable[Relation]:
    """(22) with ``share`` of the Lipschitz constant, and the corollary with all of its steps, or none."""
    p, R, delta = Perturbed(c), sqrt(c.R2), c.gamma
    epsilon, G = delta * p.C2, lipschitz(c)
    C3 = G * G * constant(c) / (R + delta / 2)
    theta = 1 - 1 / (1 + 2 * R / delta)
    T = ceiling_of_log(1 + 2 * R / delta, 4 * C3 / (epsilon * epsilon)) if 4 * C3 > epsilon * epsilon else 0
    path = primal_path(c, T if all_steps else 0)
    for t in range(0, len(path), max(1, len(path) // 8)):
        w, distance = path[t], (path[t] - p.w_delta) ** 2
        yield Le((p.P(w) - p.P(p.w_delta)) ** 2, share * G * G * distance, f"(22), t = {t}: P is Lipschitz")
        yield Le(G * G * distance, C3 * theta**t, f"(22), t = {t}: the distance falls with theta^t")
    yield Le(
        p.P(path[-1]) - p.P(p.w_star),
        epsilon,
        f"(23): P(w^T) - P(w*) <= epsilon at T = {T}",
        trivial=p.P(path[0]) - p.P(p.w_star),
    )


SVM = ONE_HINGE.but(lam=Q(2), l1=Q(0), extra=further(w=Qs(1000), G=Q(100)))


@claim(
    "spdc.corollary-3.ridge",
    "Corollary 3 covers the linear SVM of the introduction, hinge plus ridge: g is Lipschitz on its domain",
    hypotheses=HINGE + r", $\mathrm{ridge} > 0$; $G_g$ any number, here 100",
    origin=PAPER.inference(
        "Corollary 3",
        "Table 1",
        note=(
            "Not the paper, which says that the corollary is of the case where neither holds and leaves the others to"
            " the same technique."
        ),
    ),
    expected="REFUTED",
    evidence=[golden(SVM, detail="ridge = 1, w = 1000 against G_g = 100")],
    control=holds_on(SVM.but(lam=Q(1), l1=Q(100)), text="ridge = 0, g = 100 |w|"),
    proof="(ridge/2) w^2 exceeds every G |w|, at |w| > 2G/ridge. The repaired form needs no Lipschitz g.",
)
def corollary_3_ridge(c: Context) -> Iterable[Relation]:
    p, w = Perturbed(c), c.given.w[0]
    g = c.problem.regularizer.l1 * abs(w) + p.ridge * w * w / 2
    yield Le(g, c.given.G * abs(w), "|g(w) - g(0)| <= G_g |w|")


@claim(
    "spdc.corollary-3.repaired",
    "Corollary 3 for every convex g: P(w) - P(w*) <= [P_delta(w) - min P_delta] + (delta/2)(||w*||^2 + G_phi^2) for"
    " every w, so with delta = epsilon/C_2 the error is at most epsilon after (n/m + 2R sqrt(n/(m lam gamma))) log(2 (1"
    " + kappa) C/epsilon) steps, lam and gamma those of f_delta",
    origin=PAPER.ours("Corollary 3", "Corollary 3, the gap"),
    hypotheses=HINGE + r", $\mathrm{ridge} \ge 0$; $m = n$, where nothing is random",
    evidence=[exact(with_ridge, 0.25)],
    control=false_with("a twentieth of the perturbation's cost", ONE_HINGE, share=Q(1, 20)),
    proof=(
        "P <= P_delta - (delta/2)||w||^2 + (delta/2) G_phi^2 and min P_delta <= P_delta(w*) <= P(w*) +"
        " (delta/2)||w*||^2; Corollary 2 bounds the bracket."
    ),
)
def repaired_chain(c: Context, share: Number = Q(1)) -> Iterable[Relation]:
    """Corollary 2 for f_delta along the path, and what it says of P, with ``share`` of the perturbation's cost."""
    p, R, mu, gamma = Perturbed(c), sqrt(c.R2), c.mu, c.gamma
    kappa, start, ratio = c.R2 / (mu * gamma), constant(c), sqrt(mu / gamma)
    bracket = 1 + 2 * R / (gamma * ratio)
    epsilon = p.delta * p.C2
    ahead = 2 * (1 + kappa) * start / epsilon
    T = ceiling_of_log(bracket, ahead) if ahead > 1 else 0
    path, least = primal_path(c, T), c.problem.P([p.w_delta])
    for t in range(0, len(path), max(1, len(path) // 8)):
        above = c.problem.P([path[t]]) - least
        yield Le(above, (1 + kappa) * start * (1 - 1 / bracket) ** t, f"Corollary 2 for f_delta, t = {t}")
        yield Le(
            p.P(path[t]) - p.P(p.w_star),
            above + share * epsilon / 2,
            f"t = {t}: P - P* <= P_delta - P_delta* + (delta/2) C_2",
        )
    yield Le(
        p.P(path[-1]) - p.P(p.w_star),
        epsilon,
        f"P(w^T) - P(w*) <= epsilon at T = {T}",
        trivial=p.P(path[0]) - p.P(p.w_star),
    )
