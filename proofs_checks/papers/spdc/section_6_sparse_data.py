"""SPDC, section 6 and Appendix D: the formulas for all delayed steps of one coordinate at once, and the code: the lazy
form is the dense one and costs what section 6 says.

    (38), (69)  w_{s+1} = soft(w_s - tau u, tau l1)/(1 + mu tau), u fixed
    (39)        w_S = (1 + lam tau)^-S (w_0 + u/lam) - u/lam where l1 = 0
    (70)        the same with u + l1 for u, as long as w_s > 0: for s <= r of (72)
    (73)        (1 + lam2 tau)^r < 1 + lam2 w_0/(u + l1); (74), (75) the mirror image for w_0 < 0

An instance of a formula is one such orbit: tau, mu, l1, u, w_0 and S are its extra numbers.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, cast

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Evidence, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.touched import Tally, count
from dualgap.proofs_checks.evidence.levels import all_of, exact, examine, false_with, golden, holds_on
from dualgap.proofs_checks.papers.spdc.instances import (
    THREE_ROWS,
    UNEQUAL_NORMS,
    batch_instances,
    nonuniform_instances,
    nonzero,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.setting import begun, bugs
from dualgap.proofs_checks.papers.vocabulary import each, numbers_alone, refuted
from dualgap.reference import as_compiled
from dualgap.reference.methods.lazy.spdc import Orbit
from dualgap.reference.methods.spdc import SPDC
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.regularizers import soft


def orbit_of(w: object, u: object, l1: object, mu: object, tau: object, S: int) -> Instance:
    """An orbit as an instance."""
    given = {name: Q(str(value)) for name, value in (("w", w), ("u", u), ("l1", l1), ("mu", mu), ("tau", tau))}
    return numbers_alone(**given, S=S).but(y=Qs(0))


@st.composite
def orbits(draw: DrawFn) -> Instance:
    """Any orbit with mu > 0: u = +-l1 and l1 = 0 among them, w_0 also on the way to exactly 0."""
    l1, mu = draw(st.sampled_from(Qs("1/5", 1, "1/10", 0))), draw(st.sampled_from(Qs("1/10", 1, "1/100", 3)))
    tau, S = draw(st.sampled_from(Qs("1/3", 1, 2, "1/20"))), draw(st.integers(1, 9))
    u = draw(st.sampled_from((l1, -l1, l1 / 2, *Qs(1, -1, "3/2", -2, "1/4", "-7/3"))))
    w = draw(st.sampled_from(Qs(0, 1, -1, "1/10", "-1/4", 5, -3)))
    if draw(st.integers(0, 3)) == 0:  # some steps before 0
        side = 1 if u + l1 > 0 else -1
        w = Q(0)
        for _ in range(draw(st.integers(1, 5))):
            w = (1 + mu * tau) * w + tau * (u + side * l1)
    return orbit_of(w, u, l1, mu, tau, S)


def numbers(c: Context) -> tuple[Number, Number, Number, Number, Number, int]:
    """(w_0, u, l1, mu, tau, S)."""
    o = c.given
    return o.w, o.u, o.l1, o.mu, o.tau, o.S


def dense(c: Context) -> list[Number]:
    """w_0 .. w_S, step by step."""
    w, u, l1, mu, tau, S = numbers(c)
    found = [w]
    for _ in range(S):
        found.append(soft(found[-1] - tau * u, tau * l1) / (1 + mu * tau))  # SPDC (38), (69)
    return found


# -- (39) --------------------------------------------------------------------------------------------------------------


def printed(w: Number, u: Number, mu: Number, tau: Number, S: int) -> Number:
    """(39) as printed."""
    return (w + u / mu) / (1 + mu * tau) ** S - u / mu


# -- (73) --------------------------------------------------------------------------------------------------------------


def last_positive(c: Context) -> int:
    """The last index <= S with w_s > 0, of an orbit with w_0 > 0, by steps."""
    positive = [w > 0 for w in dense(c)]
    return positive.index(False) - 1 if False in positive else len(positive) - 1


EDGE = orbit_of(1, "-1/5", "1/5", "1/10", "1/3", 6)


@refuted(
    "spdc.73",
    "(73), where Case II goes to (70) for u + l1 < 0 only: for w_0 > 0 the last index r with w_r > 0 is the largest"
    " below log(1 + lam2 w_0/(u + l1))/log(1 + lam2 tau), a finite number",
    instead="spdc.73.guard",
    hypotheses="w_0 > 0, lam2 > 0, any u",
    origin=PAPER.reading(
        "(73)",
        note=(
            "The guard before (70) is missing in our copy; with a strict one, -u > l1, it divides by zero. With -u"
            " >= l1, spdc.73.guard, it does not: nothing indicates that the paper means the strict one."
        ),
    ),
    evidence=[golden(EDGE, detail="u = -l1: a division by zero, and w_s > 0 for every s")],
    control=holds_on(EDGE.but(extra=EDGE.extra.but(u=Q(1, 5))), text="u = l1"),
    proof="At u = -l1 the orbit is w_0 (1 + lam2 tau)^-s. The branch that stays positive must be u + l1 <= 0, not <.",
)
def equation_73(c: Context) -> Iterable[Relation]:
    w, u, l1, _, _, _ = numbers(c)
    if w > 0 and u + l1 >= 0:
        yield Eq(int(u + l1 != 0), 1, "u + l1, by which (73) divides, is not 0")


HITS_ZERO = orbit_of(1, "4/5", "1/5", 1, 1, 4)  # w_1 = 0 exactly
CROSSES = orbit_of(1, "1/2", "1/5", "1/10", "1/3", 6)


@claim(
    "spdc.73.guard",
    "(73), where Case II goes to (70) for u + l1 <= 0: w_s > 0 for every s then; otherwise r is the largest index in"
    " [0, S] below log(1 + lam2 w_0/(u + l1))/log(1 + lam2 tau), strictly; so (ours) without a division it is the"
    " largest with (1 + lam2 tau)^r (u + l1) < u + l1 + lam2 w_0. For w_0 < 0, (75), the mirror image",
    hypotheses="w_0 != 0, lam2 > 0, any u",
    origin=PAPER.reading(
        "(73)",
        "(72)",
        "(74), (75)",
        note="The guard before (70) is missing in our copy; this one is complete, and strict, as (73) is.",
    ),
    evidence=[exact(orbits), golden(EDGE, HITS_ZERO, detail="u = -l1, and an orbit that hits 0 exactly")],
    control=all_of(false_with("r one smaller", CROSSES, less=1), false_with("<= for <", HITS_ZERO, strict=False)),
    proof=(
        "w_r = (1 + lam2 tau)^-r (w_0 + c/lam2) - c/lam2 with c = u + l1, times lam2 (1 + lam2 tau)^r > 0; (72) is"
        " positive exactly where (73) holds, c being positive."
    ),
)
def guarded(c: Context, less: int = 0, strict: bool = True) -> Iterable[Relation]:
    """r by (73) behind its guard, ``less`` smaller, and without its division, against the orbit."""
    w, u, l1, mu, tau, S = numbers(c)
    if w == 0:
        return
    w, u = (w, u) if w > 0 else (-w, -u)  # SPDC Case III
    last = last_positive(Context(c.instance.but(extra=c.instance.extra.but(w=w, u=u))))
    ends, growth = u + l1, 1 + mu * tau
    r = S if ends <= 0 else max(s for s in range(S + 1) if growth**s < 1 + mu * w / ends)
    yield Eq(r - less, last, "the last index with w_r > 0")
    powers = [growth**s * ends for s in range(S + 1)]
    below = [s for s, power in enumerate(powers) if power < ends + mu * w or (not strict and power == ends + mu * w)]
    yield Eq(max(below), last, "the last index of (73), without a division")


# -- the cases ---------------------------------------------------------------------------------------------------------

SEQUENCES = (("I",), ("II",), ("III",), ("II", "I"), ("II", "III"), ("III", "I"), ("III", "II"))


ONE_OF_EACH = (  # in the order of SEQUENCES
    orbit_of(0, "1/2", "1/5", "1/10", "1/3", 3),
    orbit_of(1, "1/2", "1/5", "1/10", "1/3", 4),
    orbit_of(-1, "-1/2", "1/5", "1/10", "1/3", 4),
    HITS_ZERO,
    orbit_of(1, "1/2", "1/5", "1/10", "1/3", 8),
    orbit_of(-2, "1/4", "1/2", "1/2", 2, 6),
    orbit_of(-1, "-1/2", "1/5", "1/10", "1/3", 8),
)


def every_case(claim: Claim, run: Run) -> Evidence:
    """EXACT on drawn orbits with l1 > 0 and ``ONE_OF_EACH``; each of the seven sequences of cases must occur."""
    drawn = [c for c in run.contexts(orbits, run.count(3)) if c.given.l1 > 0]
    contexts = [*(Context(instance) for instance in ONE_OF_EACH), *drawn]
    found = examine(claim, contexts, orbits, run)
    seen = Counter(sequence(c) for c in contexts)
    found.violations += sum(seen[cases] == 0 for cases in SEQUENCES)
    found.detail = ", ".join(f"{'->'.join(cases)} {seen[cases]}" for cases in SEQUENCES)
    return found


def sequence(c: Context) -> tuple[str, ...]:
    """The cases that the code goes through, in order."""
    w, u, l1, mu, tau, S = numbers(c)
    found, orbit = list[str](), Orbit(tau, mu, l1)
    while S > 0:
        found.append("II" if w > 0 else "III" if w < 0 else "I")
        w, _, _, S, _ = orbit.phase(w, u, S, Q(0))
    return tuple(found)


@claim(
    "spdc.appendix-d",
    "Appendix D, Cases I to III, the code: $S$ steps at once are $S$ steps one by one, whichever cases the orbit goes"
    r" through, at most two of I, II, III, and $\bar{w}$ comes out as $w_S + \theta (w_S - w_{S-1})$; (39): $w_S = (1 +"
    r" \lambda \tau)^{-S} (w_0 + u/\lambda) - u/\lambda$ where $\ell_1 = 0$",
    hypotheses=r"elastic net, $\lambda_2 > 0$; $u = \pm\ell_1$ and orbits that hit 0 exactly among them",
    origin=PAPER.printed(
        "(69)-(71)",
        "(39)",
        "(38)",
        "(72)",
        "(74), (75)",
        "once",
        "constant time",
        note=f"{RESTORED} Its guards are those of spdc.73.guard.",
    ),
    evidence=[every_case],
    control=all_of(
        false_with("Case II followed to the end by (70)", HITS_ZERO, by_70=True),
        false_with("(39) with S - 1 in the exponent", orbit_of(1, 1, 0, 1, 1, 3), less=1),
    ),
    proof="An orbit is monotone between two cases, and enters each at most once.",
)
def appendix_d(c: Context, by_70: bool = False, less: int = 0) -> Iterable[Relation]:
    """(39) with S - ``less`` and the code against the orbit; ``by_70``: (70) for all S steps."""
    w, u, l1, mu, tau, S = numbers(c)
    smooth = dense(Context(c.instance.but(extra=c.instance.extra.but(l1=Q(0)))))[-1]
    yield Eq(printed(w, u, mu, tau, S - less), smooth, "(39) as printed")
    yield Eq(Orbit(tau, mu, Q(0)).linear(w, u, S), smooth, "(39), the form in use")
    yield Eq(Orbit(tau, mu, Q(0)).catch_up(w, u, S)[0], smooth, "(39), the code")
    theta, expected = Q(7, 9), dense(c)
    found = Orbit(tau, mu, l1, theta).catch_up(w, u, S)
    yield Eq(Orbit(tau, mu, l1).linear(w, u + l1, S) if by_70 else found[0], expected[-1], "w_S")
    yield Eq(found[1], expected[-1] + theta * (expected[-1] - expected[-2]), "w_bar")
    yield Eq(int(sequence(c) in SEQUENCES), 1, f"the cases {sequence(c)}")


NAMES = ("spdc", "spdc-minibatch", "spdc-nonuniform")

# -- lazy = dense ------------------------------------------------------------------------------------------------------


@st.composite
def lazy_runs(draw: DrawFn) -> Instance:
    """All three algorithms on rows with zeros, smooth losses and the hinge with delta, up to 10 steps."""
    if draw(st.sampled_from(NAMES)) == "spdc-nonuniform":
        return draw(nonuniform_instances(max_n=4, max_d=4, max_path=10, free=False))
    instance = draw(batch_instances(max_n=5, max_d=5, max_path=10, free=False, ratios=Qs(1, "1/2", "1/10", 10)))
    holes, d = draw(st.sets(st.integers(0, 24), max_size=15)), len(instance.rows[0])
    rows = tuple(
        tuple(Q(0) if i * d + j in holes else x for j, x in enumerate(row)) for i, row in enumerate(instance.rows)
    )
    # R is still a bound if a first row of zeros becomes e_1
    fits = any(map(any, rows)) or Q(instance.options["R"]) >= 1
    return instance.but(rows=nonzero(rows)) if fits else instance


THREE_SPARSE = THREE_ROWS.but(
    rows=(Qs(1, 0, 0), Qs(0, 1, 0), Qs(0, "3/5", "4/5")),
    alpha=Qs(1, "-1/2", 1),
    l1=Q(1, 10),
    extra=further(w=Qs(1, -1, 0)),
    path=(0, 1, 1, 2, 0, 0, 2, 1),
)
NONUNIFORM = UNEQUAL_NORMS.but(rows=(Qs(3, 4, 0), Qs(0, 1, 0), Qs(0, 0, 0)), path=(0, 1, 2, 0, 1))
RUNS = (
    THREE_SPARSE,
    THREE_SPARSE.but(method="spdc-minibatch", options={"m": 2}, lam=Q(2, 3), path=((0, 1), (1, 2), (0, 2), (1, 2))),
    NONUNIFORM.but(alpha=THREE_SPARSE.alpha, l1=THREE_SPARSE.l1, extra=THREE_SPARSE.extra),
)


@claim(
    "spdc.code.lazy",
    r"Section 6, the code: after every step the lazy form has the $w$, $\alpha$ and $u$ of the dense one, exactly",
    hypotheses=r"any smooth loss, L2 or elastic net, Algorithms 1 to 3, $\bar{w}^0 = w^0$",
    origin=PAPER.printed(
        "delayed updates",
        "(37)",
        "(38)",
        "(40)",
        "(44)",
        note=f"We read the sentence as: w, alpha and u are the same. The formulas are missing {origins.RESTORED}.",
    ),
    evidence=[exact(lazy_runs), golden(*RUNS, detail="one run of each algorithm, elastic net")],
    control=false_with("a lazy form whose theta is that of the sharp form", THREE_SPARSE, theta="sharp"),
    kills=bugs(
        "lambda-gamma-swapped no-extrapolation overwritten-alpha scaled-step shared-batch-order sigma-unscaled"
        " stale-w_bar steps-1/R u-scaled-increment weight-1/n weight-one wrong-u0"
    ),
)
def code_lazy(c: Context, **changed: object) -> Iterable[Relation]:
    """w, alpha and u of the method and of its lazy form after every step; ``changed``: options of the lazy form."""
    lazy = cast(SPDC, as_compiled(c.instance.method, **{**c.instance.options, **changed}))
    dense = begun(c).start
    state = lazy.init(c.problem, [c.q(a) for a in c.instance.alpha], list(c.given.w))
    for t, choice in enumerate(c.instance.path, 1):
        dense = c.method.step(c.problem, dense, choice)
        state = lazy.step(c.problem, state, choice)
        (w, alpha), (due_w, due_alpha) = lazy.view(c.problem, state), c.method.view(c.problem, dense)
        label = f"step {t}: (w, alpha, u), lazy = dense"
        yield from each(Eq, (*w, *alpha, *state.u), (*due_w, *due_alpha, *dense.u), label)


# -- what a step costs: reads of stored numbers that have an entry for every column ------------------------------------

WIDER = 50  # columns that no row has
# reads of a sparse step for each entry of its rows: w, u, last and dlt for the product, again for the move, and u twice
# for its step
PER_ENTRY = 10
PER_COLUMN = 4  # reads of a step as it is written for each column: u twice, w twice


def reads(instance: Instance, method: Any) -> list[int]:
    """Entries of the state's d-vectors that each step of the path reads."""
    problem, tally = instance.problem(), Tally()
    state, found = method.init(problem, list(instance.alpha), [problem.zero] * problem.d), []
    for choice in instance.path:
        vectors = [name for name in state.names() if name != "alpha" and isinstance(getattr(state, name), list)]
        before = tally.reads
        count(state, [name for name in vectors if len(getattr(state, name)) == problem.d], tally)
        method.advance(problem, state, choice)
        found.append(tally.reads - before)
    return found


def widened(instance: Instance, columns: int) -> Instance:
    """The instance with so many more columns, which are empty, and without a given start."""
    return instance.but(rows=tuple((*row, *(Q(0),) * columns) for row in instance.rows), extra=Extras())


def entries(instance: Instance, choice: int | tuple[int, ...]) -> int:
    """Nonzero entries of the rows drawn."""
    return sum(x != 0 for k in ((choice,) if isinstance(choice, int) else choice) for x in instance.rows[k])


@claim(
    "spdc.cost",
    "Sections 2 and 6: a step of Algorithms 1 to 3 as they are written costs $O(d)$; with delayed updates it costs in"
    " proportion to the non-zero entries of the rows drawn, whatever $d$ is, for the squared norm and with the"
    r" $\ell_1$ norm",
    hypotheses="reads of stored numbers with an entry for every column, three rows in 3 and in 53 columns",
    origin=PAPER.printed(
        "cost of a step",
        "cost of a sparse step",
        "not recommended",
        note=f"The orders O(d) are missing {origins.RESTORED}.",
    ),
    evidence=[golden(*RUNS, *(i.but(l1=Q(0)) for i in RUNS), detail="Algorithms 1, 2 and 3, both regularizers")],
    kills=bugs("stale-w_bar"),
    control=false_with("the dense form instead of the lazy one", *RUNS, dense=True),
)
def cost(c: Context, dense: bool = False) -> Iterable[Relation]:
    """The reads of the lazy form (with ``dense`` of the dense form instead) and of the dense form."""
    sparse = c.method if dense else as_compiled(c.instance.method, **c.instance.options)
    narrow, wide = (widened(c.instance, columns) for columns in (0, WIDER))
    lazy = zip(c.instance.path, reads(narrow, sparse), reads(wide, sparse))
    for t, (choice, few, many) in enumerate(lazy, 1):
        yield Eq(many, few, f"step {t}, delayed updates: {WIDER} more columns cost nothing")
        drawn = entries(narrow, choice)
        yield Le(drawn, few, f"step {t}: every entry of the rows drawn needs a read")
        yield Le(few, PER_ENTRY * drawn, f"step {t}: at most {PER_ENTRY} reads for each entry of the rows drawn")
    for t, (few, many) in enumerate(zip(reads(narrow, c.method), reads(wide, c.method)), 1):
        yield Le(WIDER, many - few, f"step {t}, as the algorithm is written: every column is read")
        yield Le(many - few, PER_COLUMN * WIDER, f"step {t}: at most {PER_COLUMN} times")
