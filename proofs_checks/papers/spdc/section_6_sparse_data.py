"""SPDC, section 6 and Appendix D: the formulas for all delayed steps of one coordinate at once.

    (38), (69)  w_{s+1} = soft(w_s - tau u, tau l1)/(1 + mu tau), u fixed
    (39)        w_S = (1 + lam tau)^-S (w_0 + u/lam) - u/lam where l1 = 0
    (70)        the same with u + l1 for u, as long as w_s > 0: for s <= r of (72)
    (73)        (1 + lam2 tau)^r < 1 + lam2 w_0/(u + l1); (74), (75) the mirror image for w_0 < 0

An instance is one such orbit: tau, mu, l1, u, w_0 and S are its extra numbers.
"""

from collections import Counter
from collections.abc import Iterable

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Evidence, claim
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.levels import exact, examine, false_with, golden, holds_on
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.vocabulary import numbers_alone, refuted
from dualgap.reference.methods.lazy.spdc import Orbit
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


@claim(
    "spdc.39",
    r"(39): $w_S = (1 + \lambda \tau)^{-S} (w_0 + u/\lambda) - u/\lambda$, and the form in use, $A_S w_0 - E_S u$ with"
    r" $A = 1 - e$, $E = e/\lambda$, $e = 1 - (1 + \lambda \tau)^{-S}$, are the orbit",
    hypotheses=r"$\ell_1 = 0$, $\lambda > 0$, $u$ fixed",
    origin=PAPER.printed("(39)", "(38)", note=f"{RESTORED} The form in use is ours."),
    evidence=[exact(orbits)],
    control=false_with("S - 1 in the exponent", orbit_of(1, 1, 0, 1, 1, 3), less=1),
)
def equation_39(c: Context, less: int = 0) -> Iterable[Relation]:
    """(39) with S - less, and the two forms of the code, against the orbit."""
    w, u, _, mu, tau, S = numbers(c)
    expected = dense(Context(c.instance.but(extra=c.instance.extra.but(l1=Q(0)))))[-1]
    yield Eq(printed(w, u, mu, tau, S - less), expected, "(39) as printed")
    yield Eq(Orbit(tau, mu, Q(0)).linear(w, u, S), expected, "the form in use")
    yield Eq(Orbit(tau, mu, Q(0)).catch_up(w, u, S)[0], expected, "the code")


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


@claim(
    "spdc.73.guard",
    "(73), where Case II goes to (70) for u + l1 <= 0: w_s > 0 for every s then; otherwise r is the largest index in"
    " [0, S] below log(1 + lam2 w_0/(u + l1))/log(1 + lam2 tau), strictly, that is with (1 + lam2 tau)^r < 1 + lam2"
    " w_0/(u + l1)",
    hypotheses="w_0 > 0, lam2 > 0, any u",
    origin=PAPER.reading(
        "(73)",
        "(72)",
        note="The guard before (70) is missing in our copy; this one is complete, and strict, as (73) is.",
    ),
    evidence=[exact(orbits), golden(EDGE, detail="u = -l1")],
    control=false_with("r one smaller", orbit_of(1, "1/2", "1/5", "1/10", "1/3", 6), less=1),
    proof="(72) is positive exactly where (73) holds, u + l1 being positive.",
)
def guarded(c: Context, less: int = 0) -> Iterable[Relation]:
    """r by (73) behind its guard, ``less`` smaller, against the orbit."""
    w, u, l1, mu, tau, S = numbers(c)
    if w <= 0:
        return
    r = S if u + l1 <= 0 else max(s for s in range(S + 1) if (1 + mu * tau) ** s < 1 + mu * w / (u + l1))
    yield Eq(r - less, last_positive(c), "the last index with w_r > 0")


HITS_ZERO = orbit_of(1, "4/5", "1/5", 1, 1, 4)  # w_1 = 0 exactly


@claim(
    "spdc.73.repaired",
    "(73), (75): the last index r <= S before the orbit leaves its side of 0 is the largest with (1 + lam2 tau)^r (u +"
    " l1) < u + l1 + lam2 w_0, strictly; no division, and every r for u + l1 <= 0; for w_0 < 0 the mirror image",
    origin=PAPER.ours("(73)", "(74), (75)"),
    hypotheses="lam2 > 0, w_0 != 0, any u",
    evidence=[exact(orbits), golden(EDGE, HITS_ZERO, detail="u = -l1, and an orbit that hits 0 exactly")],
    control=false_with("<= for <", HITS_ZERO, strict=False),
    proof="w_r = (1 + lam2 tau)^-r (w_0 + c/lam2) - c/lam2 with c = u + l1, times lam2 (1 + lam2 tau)^r > 0.",
)
def indices(c: Context, strict: bool = True) -> Iterable[Relation]:
    """r by (73) without its division, (1 + lam2 tau)^r (u + l1) < u + l1 + lam2 w_0, against the orbit."""
    w, u, l1, mu, tau, S = numbers(c)
    if w < 0:
        w, u = -w, -u  # SPDC Case III
    if w == 0:
        return
    mirrored = Context(c.instance.but(extra=c.instance.extra.but(w=w, u=u)))
    ends, top = u + l1, u + l1 + mu * w
    powers = [(1 + mu * tau) ** s * ends for s in range(S + 1)]
    below = [s for s, power in enumerate(powers) if power < top or (not strict and power == top)]
    yield Eq(max(below), last_positive(mirrored), "the last index of (73)")


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
    """The cases that the code goes through."""
    w, u, l1, mu, tau, S = numbers(c)
    return Orbit(tau, mu, l1).cases(w, u, S)


@claim(
    "spdc.appendix-d",
    "Appendix D, Cases I to III, the code: $S$ steps at once are $S$ steps one by one, whichever cases the orbit goes"
    r" through, at most two of I, II, III, and $\bar{w}$ comes out as $w_S + \theta (w_S - w_{S-1})$",
    hypotheses=r"elastic net, $\lambda_2 > 0$, $\ell_1 > 0$; $u = \pm\ell_1$ and orbits that hit 0 exactly among them",
    origin=PAPER.printed(
        "(69)-(71)",
        "(72)",
        "(74), (75)",
        "once",
        "constant time",
        note=f"{RESTORED} Its guards are those of spdc.73.guard.",
    ),
    evidence=[every_case],
    control=false_with("Case II followed to the end by (70)", HITS_ZERO, by_70=True),
    proof="An orbit is monotone between two cases, and enters each at most once.",
)
def appendix_d(c: Context, by_70: bool = False) -> Iterable[Relation]:
    """The code against the orbit; ``by_70``: (70) for all S steps."""
    w, u, l1, mu, tau, S = numbers(c)
    theta, expected = Q(7, 9), dense(c)
    found = Orbit(tau, mu, l1, theta).catch_up(w, u, S)
    yield Eq(Orbit(tau, mu, l1).linear(w, u + l1, S) if by_70 else found[0], expected[-1], "w_S")
    yield Eq(found[1], expected[-1] + theta * (expected[-1] - expected[-2]), "w_bar")
    yield Eq(int(sequence(c) in SEQUENCES), 1, f"the cases {sequence(c)}")
