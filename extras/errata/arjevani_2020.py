"""Gradient descent with step 1/L converges if each gradient may be one step old.

Source: folklore; delays are the subject of Y. Arjevani, O. Shamir, N. Srebro: A tight convergence analysis for stochastic
gradient descent with delayed updates. ALT 2020, pages 111-132, arXiv:1806.10188.
Said: the step for gradients at the last point is kept where processors read a point that is a step old.
Hypotheses: f convex and L-smooth with a minimum; x_(t+1) = x_t - g f'(x_(t - d_t)), g = 1/L, each d_t is 0 or 1.
Known: the authors: without noise, "delays strongly affect the attainable optimization error" for quadratic functions.
Added: an exact cycle of six points, found from the statement alone; for a constant delay the sharp step, with a proof.
Counterexample: f = x^2/2, g = 1, every gradient one step old, start 1: the points 1, 0, -1, -1, 0, 1 repeat.
Instead: for f = x^2/2 and a constant delay d >= 1, it converges if g L < 3/(2 d + 1) (claim errata.arjevani-2020.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Le, Lt, NumbersInstance, Q, Qs, altered, claim, exact, holds_on, numbers
from dualgap.proofs_checks import radius_beside
from dualgap.proofs_checks.claims import drawing as st

VERDICT, TOPIC, PRINTS = "REFUTED", "Asynchronous methods", "1 0 -1 -1 0 1 1 0 -1"
STATEMENT = r"$x_{t+1} = x_t - \frac1L f'(x_{t-d_t})$ with $d_t \in \{0, 1\}$ converges for every convex and $L$-smooth $f$ with a minimum."
RECOMPUTE = """\
x = [1]
for t in range(8): x.append(x[t] - x[max(t - 1, 0)])  # f'(x) = x, L = 1
print(*x)
"""


def delayed(c):
    x, delays = [c.given.start], c.given.delays
    for t in range(60):
        x.append(x[t] - c.given.slope * x[max(t - delays[t % len(delays)], 0)])
    yield Le(x[-1] ** 2 + x[-2] ** 2, c.given.start**2 / 4, "x_60^2 + x_59^2 is at most x_0^2/4")


DRAWN = {"delays": st.lists(st.integers(0, 1), min_size=1, max_size=6), "slope": Qs(1, "1/2"), "start": Qs(1, -2)}
claim(
    "errata.arjevani-2020", "delayed steps converge", hypotheses="f = slope x^2/2, slope <= L = 1", origin=OURS, expected="REFUTED",
    evidence=[exact(lambda: numbers(**DRAWN), 0.3)],
    control=holds_on(NumbersInstance.of(delays=(0,), slope=Q(1), start=Q(1)), text="no delay"),
)(delayed)  # fmt: skip


def sharp(c, by=1):
    d, step = c.given.delay, by * c.given.share * Q(3, 2 * c.given.delay + 1)
    yield Lt(radius_beside([Q(1), Q(-1), *(d - 1) * [Q(0)], step], Q(1)), 1, "largest modulus of a root")


claim(
    "errata.arjevani-2020.repaired", "steps below 3/(2 d + 1) converge", hypotheses="f = x^2/2, constant delay d >= 1", origin=OURS,
    evidence=[exact(lambda: numbers(delay=(1, 2, 3, 5, 8), share=Qs("99/100", "1/2", "1/9")))],
    control=altered("a step larger by 1/99", lambda c: sharp(c, Q(100, 99)), NumbersInstance.of(delay=1, share=Q(99, 100))),
    proof="""z^d (z - 1) = -g has a root exp(i u) only for g = 2 |sin(u/2)| and u an odd multiple of pi/(2 d + 1), so first at g =
2 sin(pi/(4 d + 2)) >= 3/(2 d + 1). For small g > 0 all roots lie inside: one is near 1 - g, the others near 0.""",
)(sharp)  # fmt: skip
