"""Chambolle and Pock's method with theta in (0, 1]: Upadhyaya's condition, on quadratic functions.

Source: M. Upadhyaya: The Chambolle-Pock method also converges weakly with 0 < theta <= 1 and tau sigma |L|^2 < 4 theta (2 -
theta)/(1 - 2 theta + 9 theta^2 - 4 theta^3). 2026, arXiv:2604.06423. The statement of title and abstract.
Said: then the iterates converge weakly to a KKT point; at equality the ergodic gap is O(1/k).
Hypotheses: f and g convex, proper, closed; a KKT point exists.
Known: for theta > 1/2 the larger bound 4/(1 + 2 theta) is enough (Banert et al., 2023).
Added: at equality, with quadratic f and g* on the plane, a step has no eigenvalue outside the unit circle. Is the bound
sharp for small theta? That is open: the best counterexample that we have needs 3 (errata.banert-2023).
Read: the abstract and the introduction.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, characteristic, claim, exact
from dualgap.proofs_checks import numbers, radius_beside

VERDICT, TOPIC, PRINTS = "HOLDS", "Primal-dual methods", "1 12/7 7/4 120/113, 4/3 2 8/3 16/5"
STATEMENT = r"If $\tau\sigma\|K\|^2 < \frac{4\theta(2-\theta)}{1 - 2\theta + 9\theta^2 - 4\theta^3}$, $0 < \theta \le 1$, then the method of Chambolle and Pock converges."
RECOMPUTE = """\
from fractions import Fraction
def bound(t): return 4 * t * (2 - t) / (1 - 2 * t + 9 * t**2 - 4 * t**3)
thetas = [Fraction(1, k) for k in (1, 2, 4, 8)]
print(*map(bound, thetas), end=", ")  # beside 4/(1 + 2 theta):
print(*(4 / (1 + 2 * t) for t in thetas))
"""


def shaped(values, turn):
    """The symmetric matrix with these eigenvalues, its axes turned: x -> matrix x."""
    p, q = values
    return lambda x: [q * u + (p - q) * v * sum(s * t for s, t in zip(turn, x)) for u, v in zip(x, turn)]


def stable(c, by=1):
    t, k = c.given.theta, (1, c.given.second)  # K = diag(1, second), tau = 1
    sigma = by * 4 * t * (2 - t) / (1 - 2 * t + 9 * t**2 - 4 * t**3)
    first, second = shaped(c.given.p, c.given.turn), shaped(c.given.r, c.given.other)  # the proximal operators
    columns = []
    for *x, third, fourth in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
        y = third, fourth
        ahead = first([u - s * v for u, v, s in zip(x, y, k)])
        columns.append((*ahead, *second([v + sigma * s * (w + t * (w - u)) for u, v, w, s in zip(x, y, ahead, k)])))
    yield Le(radius_beside(characteristic(list(map(list, zip(*columns)))), Q(1)), 1, "spectral radius of a step")


SHARES = Qs(1, 1), Qs(1, 0), Qs(1, "1/2"), Qs("1/3", 1), Qs("9/10", "1/10"), Qs(0, 1)
TURNS = Qs(1, 0), Qs("3/5", "4/5"), Qs("12/13", "5/13"), Qs("-8/17", "15/17")
LARGE = NumbersInstance.of(theta=Q(1), second=Q(1), p=SHARES[0], r=SHARES[0], turn=TURNS[0], other=TURNS[0])
claim(
    "errata.upadhyaya-2026", "no eigenvalue of a step lies outside the unit circle", origin=OURS,
    hypotheses="f and g* quadratic, tau sigma |K|^2 = 4 theta (2 - theta)/(1 - 2 theta + 9 theta^2 - 4 theta^3)",
    evidence=[exact(lambda: numbers(theta=Qs("1/20", "1/8", "1/4", "1/2", "3/4", 1), second=Qs(0, "1/2", 1), p=SHARES, r=SHARES, turn=TURNS, other=TURNS))],
    control=altered("3/2 of the bound, where theta = 1", lambda c: stable(c, Q(3, 2)), LARGE),
)(stable)  # fmt: skip
