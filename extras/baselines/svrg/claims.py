"""SVRG: the proof of its theorem step by step, the theorem, and the lazy form.

Signs and lines as in ``dualgap.extras.baselines.svrg.reference``. Expectations are over all choices: one step by
enumeration, whole rounds for squared loss by second moments, where a step is affine in the state.
"""

from dualgap.extras.baselines.sag import strategies
from dualgap.extras.baselines.sag.claims import THREE, iterates, same_run, smoothness
from dualgap.extras.baselines.sag.strategies import begun, square_of_radius
from dualgap.extras.baselines.svrg.lazy import LazySVRG
from dualgap.extras.baselines.svrg.reference import SVRG
from dualgap.extras.baselines.terms import *
from dualgap.proofs_checks.engines.affine import Moments, Step, flat, quadratic

UNIT_ROWS = (
    "the code published with the ASPDC paper has this step for gamma = 1 (ASPDC/dual_svm.cpp, line 1002 of commit"
    " ba0774c), on rows that it has scaled to norm 1 before; whoever takes the step without the scaling gets this;"
    " this is not an error in that code or in the SVRG paper"
)
SMOOTH = "phi_i convex and (1/gamma)-smooth, g = (lam/2)||w||^2, uniform order, L = R^2/gamma + lam, 0 < eta < 1/(2L)"
FIELDS = ("w", "w_tilde", "mu_tilde")

# -- a run written down ------------------------------------------------------------------------------------------------

RUN = THREE.but(
    method="svrg",
    options={"eta": Q(1, 8)},
    extra=further(
        w=Qs(1, 0),
        due_mu=Qs(1, 1),
        due_1=Qs("7/8", "151/192", "3089/4608", "16597/27648"),
        due_2=Qs("-1/8", "-41/192", "-349/1152", "-11483/27648"),
    ),
)


@claim(
    "baselines.svrg.golden",
    "SVRG from w~ = (1, 0) on three rows, eta = 1/8: mu~ and four iterates, as computed once by a program that shares"
    " nothing with this one",
    hypotheses="squared loss, lam = 1/3",
    origin=PAPER.ours("SVRG, procedure"),
    evidence=[golden(RUN, detail="4 steps")],
    control=fails_on(RUN.but(extra=RUN.extra | further(w=Qs(0, 0))), text="the start (0, 0)"),
    kills=["baselines.svrg-correction-added", "baselines.svrg-no-correction"],
)
def golden_run(c: Context) -> Iterable[Relation]:
    for t, (w, *expected) in enumerate(zip(iterates(c), c.given.due_1, c.given.due_2), 1):
        yield from each(Eq, w, expected, f"w_{t}, entry #")
    yield from each(Eq, begun(c).state.mu_tilde, c.given.due_mu, "mu~, entry #")


# -- lazy = dense ------------------------------------------------------------------------------------------------------

ROUNDS = RUN.but(options={"m": 2}, path=(0, 2, 1, 1, 0))
RANDOM = RUN.but(options={"m": 3, "option": "II"}, path=(3, 2, 4, 5, 1))
HINGE = RUN.but(
    loss="smoothed-hinge",
    gamma=Q(1),
    y=Qs(-1, -1, -1),
    rows=(Qs("1/2", 0), Qs("1/4", "1/4"), Qs(0, "-1/2")),
    options={},
    path=(0, 1, 2, 1),
)


@claim(
    "baselines.svrg.lazy",
    "SVRG in O(nnz) a step: w_j <- r^k w_j - h_j (1 - r^k)/lam, r = 1 - eta lam, for a column that stood still for k"
    " steps, is after every step the w of the dense form, exactly, in rounds of any length and for both options",
    hypotheses="smooth rational losses, eta lam < 1",
    origin=PAPER.ours("SVRG, procedure"),
    evidence=[
        golden(RUN, ROUNDS, RANDOM, HINGE, detail="several rounds, option II, labels -1"),
        exact(strategies.svrg_runs),
    ],
    control=false_with("a lazy form with another eta", RUN, eta=Q(1, 9)),
    kills=names(
        "baselines",
        "svrg-correction-added svrg-dropped-label svrg-late-output svrg-no-correction svrg-one-more"
        " svrg-stale-snapshot svrg-unscaled",
    ),
    proof="lam w~ cancels in line 5. Where x_ij = 0 it is w_j <- r w_j - eta h_j, whose fixed point is -h_j/lam.",
)
def lazy_is_dense(c: Context, **changed: object) -> Iterable[Relation]:
    """The iterate or, of option II, the output, after every step."""
    yield from same_run(c, LazySVRG(**{**c.instance.options, **changed}), "w")


# -- one step ----------------------------------------------------------------------------------------------------------


class StepTerms:
    """What the proof is about, at the state that the path leads to: the gradients by their definition."""

    def __init__(self, c: Context) -> None:
        c = begun(c)
        p, state = c.problem, c.state
        self.w: Vector = list(state.w)
        snapshot: Vector = self.w if state.t == 0 else state.w_tilde
        self.eta, self.L, star = c.method.eta(p), smoothness(c), p.w(c.optimum)  # type: ignore[attr-defined]
        self.to_go, self.snapshot_to_go = p.P(self.w) - p.P(star), p.P(snapshot) - p.P(star)
        after = [(successor.probability, list(successor.state.w)) for successor in c.successors]
        self.mean = [sum((q * w[j] for q, w in after), p.zero) for j in range(p.d)]
        self.norm2 = sum((q * square(minus(w, self.w)) for q, w in after), p.zero) / (self.eta * self.eta)
        self.before = square(minus(self.w, star))
        self.after = sum((q * square(minus(w, star)) for q, w in after), p.zero)


MIDDLE = HINGE.but(options={"eta": Q(1, 4)}, path=(0, 1))
SECOND_ROUND = MIDDLE.but(options={"eta": Q(1, 4), "m": 2}, path=(0, 1, 2))
# f_1'(0) = -1, f_2'(0) = 1: at w* = 0 only the correction makes a step stand still
OPPOSED = EQUAL_PAIR.but(lam=Q(4), method="svrg", options={"eta": Q(1, 50), "m": 24}, extra=further(w=Qs(0)))
SLOW = OPPOSED.but(extra=further(w=Qs(1)))


@claim(
    "baselines.svrg.unbiased",
    "Line 5: E[w_t | w_{t-1}] = w_{t-1} - eta grad P(w_{t-1}), the gradient from its definition, for labels of either"
    " sign",
    hypotheses="smooth rational losses, any eta",
    origin=PAPER.reading("SVRG, procedure", note=RESTATED),
    evidence=[golden(MIDDLE, SECOND_ROUND, detail="smoothed hinge, labels -1"), exact(strategies.svrg_states)],
    control=false_with("the gradient at the snapshot", MIDDLE, at="w_tilde"),
    kills=["baselines.svrg-dropped-label", "baselines.svrg-stale-snapshot"],
    proof="E f_i'(w~) = mu~.",
)
def unbiased(c: Context, at: str = "w") -> Iterable[Relation]:
    """The mean step against the gradient at this field of the state."""
    terms = StepTerms(c)
    for j, due_j in enumerate(gradient(c, getattr(begun(c).state, at), c.problem.regularizer.lam)):
        yield Eq(terms.mean[j], terms.w[j] - terms.eta * due_j, f"E w_t, entry {j}")


@claim(
    "baselines.svrg.variance",
    "(8): E||v_t||^2 <= 4L [P(w_{t-1}) - P* + P(w~) - P*], v_t = f_i'(w_{t-1}) - f_i'(w~) + mu~: it vanishes at the"
    " optimum",
    hypotheses=SMOOTH,
    origin=PAPER.reading("SVRG, (8)", note=RESTATED),
    evidence=[golden(OPPOSED, SLOW, detail="at w* = w~ it is 0"), exact(strategies.svrg_states)],
    control=false_with("L/2 for 4L", SLOW, constant=Q(1, 2)),
    kills=["baselines.svrg-no-correction", "baselines.svrg-correction-added"],
    proof=(
        "||a + b||^2 <= 2||a||^2 + 2||b||^2 with a = f_i'(w) - f_i'(w*), b = f_i'(w*) - f_i'(w~) + mu~; b is its own"
        " deviation from the mean; and E||f_i'(w) - f_i'(w*)||^2 <= 2L (P(w) - P*)."
    ),
)
def variance_chain(c: Context, constant: Number = Q(4)) -> Iterable[Relation]:
    terms = StepTerms(begun(c))
    yield Le(terms.norm2, constant * terms.L * (terms.to_go + terms.snapshot_to_go), "E||v||^2")


@claim(
    "baselines.svrg.step",
    "Theorem 1, its step: E||w_t - w*||^2 + 2 eta (1 - 2L eta)(P(w_{t-1}) - P*) <= ||w_{t-1} - w*||^2 + 4L eta^2 (P(w~)"
    " - P*); summed over a round, with ||w~ - w*||^2 <= (2/lam)(P(w~) - P*), it is the theorem",
    hypotheses=SMOOTH,
    origin=PAPER.reading("SVRG, Theorem 1", note=RESTATED),
    evidence=[golden(MIDDLE, SLOW, OPPOSED, detail="labels -1; opposed labels"), exact(strategies.svrg_states)],
    control=false_with("8 eta for 2 eta", SLOW, factor=8),
    kills=["baselines.svrg-correction-added"],
    proof="baselines.svrg.unbiased, convexity and baselines.svrg.variance.",
)
def step_chain(c: Context, factor: int = 2) -> Iterable[Relation]:
    terms = StepTerms(begun(c))
    gain = factor * terms.eta * (1 - 2 * terms.L * terms.eta) * terms.to_go
    yield Le(
        terms.after + gain,
        terms.before + 4 * terms.L * terms.eta * terms.eta * terms.snapshot_to_go,
        "E||w_t - w*||^2 + gain",
    )


# -- the random output -------------------------------------------------------------------------------------------------


@claim(
    "baselines.svrg.option-ii",
    "Line 6, option II: after a round w~ is w_t for t uniform on 0 .. m-1, whatever the rows drawn, although t is not"
    " drawn beforehand",
    hypotheses="step t keeps w_{t-1} with probability 1/t",
    origin=PAPER.reading("SVRG, procedure", note=RESTATED),
    evidence=[golden(RANDOM.but(path=()), level="ENUMERATED", detail="m = 3"), Enumerated(strategies.svrg_laws, 0.2)],
    control=false_with("t uniform on 1 .. m", RANDOM.but(path=()), first=1),
    kills=["baselines.svrg-late-output"],
    proof="The product of 1 - 1/u over u = t+1 .. m is t/m.",
)
def output_law(c: Context, first: int = 0) -> Iterable[Relation]:
    """The law of w~_1 against that of w_t, t uniform on first .. first + m - 1."""
    m = c.instance.options["m"]
    law, expected = law_of(c, c.method, m), dict[tuple[Number, ...], Fraction]()
    plain = SVRG(m=m + 1, eta=c.method.eta(c.problem))  # type: ignore[attr-defined]
    for t in range(first, first + m):
        for w, probability in law_of(c, plain, t).items():
            expected[w] = expected.get(w, Q(0)) + probability / m
    yield Eq(len(law), len(expected), "the possible outputs")
    for w, probability in expected.items():
        yield Eq(law.get(w, Q(0)), probability, f"the probability of {', '.join(map(str, w))}")


def law_of(c: Context, method: Any, steps: int) -> dict[tuple[Number, ...], Fraction]:
    """The law of the view's w after that many steps."""
    found: dict[tuple[Number, ...], Fraction] = {}
    for probability, state in next(
        islice(distributions(method, c.problem, strategies.start_of(c, method)), steps, None)
    ):
        w = tuple(method.view(c.problem, state)[0])
        found[w] = found.get(w, Q(0)) + probability
    return found


# -- the theorem -------------------------------------------------------------------------------------------------------


def expected_outputs(c: Context, rounds: int, option: str) -> list[Number]:
    """[E P(w~_s) for s = 0 .. rounds], by second moments; the iterates are those of the method's own line 5."""
    p, m = c.problem, c.instance.options["m"]
    inner = type(c.method)(**{**c.instance.options, "option": "I"})
    start = strategies.start_of(c, inner)
    first, middle = Step(inner, p, start, FIELDS), Step(inner, p, inner.step(p, start, 0), FIELDS)
    form, moments = quadratic(p.P, p.d), Moments.at(flat(start, FIELDS))
    values = [moments.expect(form)]
    for _ in range(rounds):
        of_round = [moments]  # at w_0 .. w_m; the last step differs in the count t alone
        for t in range(m):
            of_round.append(of_round[-1].after(middle if t else first))
        moments = of_round[m] if option == "I" else Moments.mixed(of_round[:m])
        values.append(moments.expect(form))
    return values


def theorem_chain(c: Context, L: Number, option: str, share: Fraction = Q(1)) -> Iterable[Relation]:
    """E P(w~_s) - P* <= share rho^s (P(w~_0) - P*) for s = 1, 2, with the rho of this L."""
    options = c.instance.options
    factor = rho(L, c.instance.lam, options.get("eta", 1 / (10 * smoothness(c))), options["m"])
    yield from decrease(c, option, factor, share)


def rho(L: Number, lam: Number, eta: Number, m: int) -> Number:
    """1/(lam eta (1 - 2L eta) m) + 2L eta/(1 - 2L eta)."""
    rest = 1 - 2 * L * eta
    return 1 / (lam * eta * rest * m) + 2 * L * eta / rest


def decrease(c: Context, option: str, factor: Number, share: Fraction = Q(1)) -> Iterable[Relation]:
    """E P(w~_s) - P* <= share factor^s (P(w~_0) - P*) for s = 1, 2."""
    least = c.problem.P(c.problem.w(c.optimum))
    start, *values = expected_outputs(c, 2, option)
    for s, value in enumerate(values, 1):
        yield Le(value - least, share * factor**s * (start - least), f"s = {s}", trivial=start - least)


# rho = 173/192
UNIT = SLOW.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(0), options={"m": 24, "eta": Q(1, 50), "option": "II"})
PAIR = UNIT.but(rows=(Qs(1, 0), Qs(0, 1)), y=Qs(1, -1), alpha=Qs(0, 0), extra=further(w=Qs(5, -3)))
LONG = UNIT.but(rows=(Qs(17),), lam=Q(4 * 289), options={"m": 24, "option": "II"})
AT_OPTIMUM = OPPOSED.but(options=PAIR.options)
SEVENTEEN = UNIT.but(rows=(Qs(17),), options={"m": 20, "eta": Q(1, 10), "option": "II"}, lam=Q(1, 4))


@claim(
    "baselines.svrg.theorem",
    "Theorem 1: option II gives E P(w~_s) - P* <= rho^s (P(w~_0) - P*), rho = 1/(lam eta (1 - 2L eta) m) + 2L eta/(1 -"
    " 2L eta)",
    hypotheses=SMOOTH,
    origin=PAPER.reading("SVRG, Theorem 1", note=RESTATED),
    evidence=[
        golden(UNIT, PAIR, LONG, AT_OPTIMUM, level="ENUMERATED", detail="s <= 2"),
        Enumerated(strategies.svrg_rounds, 0.2),
        formal("svrg_theorem_1"),
    ],
    control=false_with("a tenth of it", UNIT, share=Q(1, 10)),
    kills=["baselines.svrg-correction-added", "baselines.svrg-no-correction", "baselines.svrg-unscaled"],
    proof="baselines.svrg.step, and baselines.svrg.option-ii for the mean over t.",
)
def theorem_1(c: Context, share: Fraction = Q(1)) -> Iterable[Relation]:
    yield from theorem_chain(c, smoothness(c), "II", share)


# -- L without R^2 -----------------------------------------------------------------------------------------------------


@refuted(
    "baselines.svrg.step-unscaled",
    "SVRG with eta = gamma/10, which is 1/(10L) for rows of norm 1 and lam = 0, on any rows: P(w~_1) <= P(w~_0)",
    hypotheses="squared loss, one row, where SVRG is gradient descent",
    origin=PAPER.inference("SVRG, procedure", note=UNIT_ROWS),
    evidence=[golden(SEVENTEEN, detail="a row of norm 17, lam = 1/4, m = 20: each step multiplies w - w* by -1117/40")],
    control=holds_on(UNIT.but(options={**UNIT.options, "eta": Q(1, 10)}), text="a row of norm 1"),
)
def step_unscaled(c: Context) -> Iterable[Relation]:
    yield from one_round(c, c.gamma / 10)


@claim(
    "baselines.svrg.step-unscaled.repaired",
    "SVRG with eta = 1/(10L), L = R^2/gamma + lam: P(w~_1) <= P(w~_0)",
    hypotheses="squared loss, one row, any norm",
    origin=PAPER.ours("SVRG, procedure"),
    evidence=[golden(SEVENTEEN, UNIT, detail="rows of norm 17 and 1")],
    control=altered("eta = gamma/10", step_unscaled, SEVENTEEN),
)
def step_scaled(c: Context) -> Iterable[Relation]:
    yield from one_round(c, 1 / (10 * (square_of_radius(c.instance) / c.gamma + c.instance.lam)))


def one_round(c: Context, eta: Number) -> Iterable[Relation]:
    """One round of the method, option II, with this eta."""
    own = Context(c.instance.but(options={**c.instance.options, "eta": eta}))
    before, after = expected_outputs(own, 1, "II")
    least = own.problem.P(own.problem.w(own.optimum))
    yield Le(after - least, before - least, "E P(w~_1) - P* <= P(w~_0) - P*")
