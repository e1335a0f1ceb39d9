"""ASPDC-i, Algorithm 3 on orthogonal rows: it converges for every smooth loss with fewer inner steps than are proved
for other rows.

Coordinates decouple. For the one of row i let nu be the error of the centre, b = ||x_i|| (alpha_i - alpha_i*)/(n mu), K
= 1/4, chi = kappa/mu. A step that picks the row sends b to k (chi nu - b) with some k in [0, K], which depends on the
loss and on everything else; after the epoch nu <- chi nu - b. Let it be chosen by an adversary, and q(nu, b) = nu^2 + 2
r nu b + t b^2. After N picks b lies between the least and the largest of 0, K chi nu (N >= 2) and b_N = K (chi nu -
b_(N-1)), b_0 = b, and q(chi nu - b, b) is convex in b: its largest value is at one of them. So the largest E q over an
epoch is, with N binomial(m, 1/n), a function of b/(chi nu) that is quadratic between finitely many rationals, and E q
<= c q is decided exactly.
"""

from math import comb

from dualgap.proofs_checks.papers.aspdc_i.words import *

Line = tuple[Fraction, Fraction]  # p + s b, in units of chi nu
Parabola = tuple[Fraction, Fraction, Fraction]  # p + s b + u b^2
LAM_SHARES = Qs("1/100", "1/20", "1/5")  # lam/mu


class Adversary:
    """The largest E q over an epoch, less c q, as a function of b at chi nu = 1."""

    def __init__(self, n: int, m: int, chi: Fraction, r: Fraction, t: Fraction, c: Fraction) -> None:
        number = type(chi)
        self.weights = [comb(m, N) * number(1, n) ** N * number(n - 1, n) ** (m - N) for N in range(m + 1)]
        self.leading, self.slope = 1 - 2 * r + t, 2 * r - 2  # q(1 - b, b) = 1 + slope b + leading b^2
        self.least: Parabola = (-c / chi**2, -2 * c * r / chi, -c * t)
        none, one, K = number(0), number(1), number(1, 4)
        chain: Line = (none, one)
        self.ends: list[list[Line]] = [[chain]]
        for N in range(1, m + 1):
            chain = (K * (1 - chain[0]), -K * chain[1])
            self.ends.append([(none, none), chain] + [(K, none)] * (N > 1))

    def after(self, b: Fraction, end: Line) -> Fraction:
        """q(1 - e, e) at the end e."""
        e = end[0] + end[1] * b
        return 1 + self.slope * e + self.leading * e * e

    def breaks(self) -> list[Fraction]:
        """The b at which two ends are equally bad: they are equal, or mirror images in the vertex."""
        twice = -self.slope / self.leading
        found = set()
        for ends in self.ends:
            for p, s in ends:
                for p2, s2 in ends:
                    found |= {(p2 - p) / (s - s2)} if s != s2 else set()
                    found |= {(twice - p - p2) / (s + s2)} if s + s2 else set()
        return sorted(found)

    def parabola(self, b: Fraction) -> Parabola:
        """What the function is around b, where no two ends are equally bad."""
        total = list(self.least)
        for weight, ends in zip(self.weights, self.ends):
            p, s = max(ends, key=lambda end: self.after(b, end))
            total[0] += weight * (1 + self.slope * p + self.leading * p * p)
            total[1] += weight * (self.slope * s + 2 * self.leading * p * s)
            total[2] += weight * self.leading * s * s
        return total[0], total[1], total[2]

    def holds(self) -> bool:
        """Whether E q <= c q for all nu and b, exactly; at nu = 0 by the outer pieces, whose leading terms are <= 0."""
        breaks = self.breaks()
        outer = [(None, breaks[0], breaks[0] - 1), (breaks[-1], None, breaks[-1] + 1)]
        inside = [(low, high, (low + high) / 2) for low, high in zip(breaks, breaks[1:])]
        return all(never_positive(self.parabola(middle), low, high) for low, high, middle in [*outer, *inside])


def never_positive(parabola: Parabola, low: Fraction | None, high: Fraction | None) -> bool:
    """Whether it is <= 0 from low to high; None is infinity."""
    p, s, u = parabola
    at = [b for b in (low, high) if b is not None]
    if len(at) < 2 and not u < 0:
        return False
    if u < 0:
        vertex = -s / (2 * u)
        at += [vertex] * ((low is None or low < vertex) and (high is None or vertex < high))
    return all(p + s * b + u * b * b <= 0 for b in at)


def contracts(n: int, m: int, share: Fraction, c: Fraction) -> bool:
    """Whether some q of the family has E q <= c q: r is what lets the terms nu b cancel at b = 0, t is tried."""
    number = type(share)
    chi, missed = 1 - share, number(n - 1, n) ** m
    r = number(round(256 * -missed * chi / (c - missed * chi)), 256)
    return chi**2 <= c and any(
        t > r * r and Adversary(n, m, chi, r, t, c).holds() for t in (r * r + step for step in range(1, 22, 2))
    )


def steps(n: int) -> Iterator[int]:
    """n/3 <= m <= 3n/2."""
    yield from range(-(-n // 3), 3 * n // 2 + 1)


def decided(n: int, m: int, share: Fraction) -> Relation:
    """E q <= (1 - lam/(2 mu)) q for some q."""
    return Eq(
        1 + int(contracts(n, m, share, 1 - share / 2)),
        2,
        f"E q <= (1 - lam/(2 mu)) q (2) or not shown (1), n = {n}, m = {m}, lam/mu = {share}",
    )


@ours_on_algorithm_3(
    "aspdc.algorithm-3.orthogonal-rows",
    "Orthogonal rows, any smooth losses (ours): Algorithm 3 with n/3 <= m <= 3n/2 inner steps converges, E V_{s+1} <="
    " (1 - lam/(2(lam+kappa))) V_s, V = sum_i q(nu_i, b_i) + the squares along no row, for a positive definite form q"
    " of the errors of centre and dual variable: of the losses of aspdc.algorithm-3.between none diverges there",
    hypotheses=r"orthogonal rows, $\Vert x_i\Vert \le R$; $\varphi_i$ convex and $(1/\gamma)$-smooth; L2; "
    r"$K = R^2/((\lambda+\kappa) n \gamma) = 1/4$; $n$ and $\lambda/(\lambda+\kappa)$ as tested",
    evidence=[
        every_n(
            {"quick": 4, "default": 7, "full": 14},
            f"every m from n/3 to 3n/2, lam/mu = {', '.join(map(str, LAM_SHARES))}",
            lambda n: [orthonormal(n, 1)],
        )
    ],
    control=altered("m = n/7: no such form", lambda c: [decided(7, 1, Q(1, 100))], orthonormal(7, 1)),
    proof=(
        "The adversary of this file's head: a monotone phi_i' with slopes in [0, 1/gamma] is one of its choices, at any"
        " two points and with any minimum."
    ),
)
def orthogonal_rows(c: Context) -> Iterable[Relation]:
    for m in steps(c.n):
        for share in LAM_SHARES:
            yield decided(c.n, m, c.q(share))
