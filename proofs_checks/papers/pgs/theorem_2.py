"""PGS, Theorem 2 (12): (19) of its proof, its choice of sigma and the algebra from (20) to (12).

O(x) is replaced by x. With R = ||w_0||_p^2/(2(p-1)), w_0 the reference predictor, and
a = 1/(T delta) + 1/m, the bound (20) is a/sigma + sigma R.
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden
from dualgap.proofs_checks.papers.pgs.instances import TWO_ROWS, trees_last
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.regret_terms import batch_loss, losses_of, minimum
from dualgap.proofs_checks.papers.pgs.setting import Setting
from dualgap.proofs_checks.papers.vocabulary import numbers_alone
from dualgap.reference.numbers.arithmetic import sqrt


@claim(
    "pgs.19",
    r"Theorem 2, (19): $l(\tilde{w}) - l(w_{\mathrm{ref}}) =$ $[F(\tilde{w}) - F(w^*)] +$ $[F(w^*) -"
    r" F(w_{\mathrm{ref}})] -$ $\sigma r(\tilde{w}) + \sigma r(w_{\mathrm{ref}})$, the second and the third term at"
    " most 0",
    hypotheses=(
        r"a population of finitely many samples; any $\tilde{w}$, $w_{\mathrm{ref}}$ in $S$. The rest of Theorem 2 is"
        " an order of magnitude without constants: no test"
    ),
    origin=PAPER.printed("(19)"),
    evidence=[exact(trees_last)],
    control=false_with("without r(w_ref)", TWO_ROWS.but(extra=further(u=Qs(0), v=Qs("-1/2"), T=1)), factor=0),
)
def line_19(c: Context, factor: int = 1) -> Iterable[Relation]:
    s, problem = Setting(c.instance), losses_of(c.instance)
    everyone = tuple(range(problem.n))
    found, reference = s.into(c.instance.extra.u), s.into(c.instance.extra.v)
    l_of = [batch_loss(problem, everyone, w) for w in (found, reference)]
    F = [value + s.sigma * s.r(w) for value, w in zip(l_of, (found, reference))]
    least = minimum(c.instance, [everyone])[0]
    terms = [F[0] - least, least - F[1], -s.sigma * s.r(found), factor * s.sigma * s.r(reference)]
    yield Eq(l_of[0] - l_of[1], sum(terms, Q(0)), "(19)")
    yield Le(terms[1], 0, "F(w*) - F(w_ref) <= 0")
    yield Le(l_of[0] - l_of[1], terms[0] + terms[3], "l(w~) - l(w_ref) <= F(w~) - F(w*) + sigma r(w_ref)")


# -- sigma and T -------------------------------------------------------------------------------------------------------

READ = (
    "each O~ read as its argument, with the constant 1; the letters of the fractions are restored from the proof, (20)"
    " and (21)"
)


def numbers_of(p: str, norm2: str, T: int, delta: str, m: int) -> Instance:
    """p, ||w_0||_p^2, the rounds, the confidence and the number of samples."""
    return numbers_alone(norm2=Q(norm2), T=T, delta=Q(delta), m=m).but(p=Q(p))


PERFECT = (  # a/R is a square
    numbers_of("2", "1", 20, "1/5", 4),
    numbers_of("3/2", "1/8", 8, "1/2", 4),
    numbers_of("2", "36", 10, "1/10", 1),
    numbers_of("5/4", "10", 100, "1/10", 10),
)


@claim(
    "pgs.theorem-2",
    "Theorem 2: its sigma = sqrt((2(p-1)/||w_0||_p^2) (1/(T delta) + 1/m)) makes (1/(T delta) + 1/m)/sigma + sigma"
    " ||w_0||_p^2/(2(p-1)), (20), smallest, twice ||w_0||_p sqrt((1/(2(p-1))) (1/(T delta) + 1/m)), (21); and (12), T ="
    " (1/delta)/(2 eps^2 (p-1)/||w_0||_p^2 - 1/m), is where (21) is eps, and falls as m grows at a fixed eps",
    hypotheses="p in (1, 2], sigma > 0; 1/m < 2 eps^2 (p-1)/||w_0||_p^2, which the statement leaves out",
    origin=PAPER.reading("Theorem 2", "(20)", "(21)", "Inverse time dependency", note=READ),
    evidence=[golden(*PERFECT, detail="p = 2, 3/2, 5/4; m to 2^5 m")],
    control=all_of(
        false_with("10/9 of that sigma", *PERFECT, factor=Q(10, 9)),
        false_with("m + 1 instead of m in (12)", *PERFECT, shift=1),
    ),
    proof=(
        "a/sigma + sigma R >= 2 sqrt(a R), with equality at sigma^2 = a/R. 1/(T delta) = eps^2/R - 1/m falls to the"
        " floor ||w_0||_p^2/(2 delta eps^2 (p-1)): a bound, and flat for many samples."
    ),
)
def theorem_2(c: Context, factor: Q = Q(1), shift: int = 0) -> Iterable[Relation]:
    given = c.instance.extra
    R, a = given.norm2 / (2 * ((c.instance.p or 2) - 1)), 1 / (given.T * given.delta) + Q(1, given.m)
    eps2, sigma = a * R, factor * sqrt(a / R)  # (21) squared
    best = a / sigma + sigma * R
    yield Eq(best * best, 4 * eps2, "(20) at sigma = sqrt(a/R) is twice (21)")
    for other in Qs("1/100", "9/10", "11/10", 100):
        yield Lt(best, a / (other * sigma) + other * sigma * R, f"and larger at {other} sigma")

    def rounds(m: int) -> Q:  # (12)
        return (1 / given.delta) / (eps2 / R - Q(1, m))

    yield Lt(Q(1, given.m), eps2 / R, "m is large enough for (12)")
    yield Eq(rounds(given.m + shift), Q(given.T), "(12) solves (21) = eps for T")
    for k in (1, 2, 4, 8, 16):
        yield Lt(rounds(2 * k * given.m), rounds(k * given.m), f"T falls from {k} m to {2 * k} m samples")
    yield Lt(R / (given.delta * eps2), rounds(10**6 * given.m), "but stays above the floor, however many there are")
