"""ASPDC-i, Algorithm 3, the weights of an epoch: E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0.

x_{k+1} = (1 - (1-K)/n) x_k + (K/n) y_k        y_{k+1} = max(0, (1 - (2-K)/n) y_k - ((1-K)/n) x_k)
"""

from dualgap.proofs_checks.papers.aspdc_i.words import *


def weights(
    n: int, K: Fraction, x: Fraction, y: Fraction, m: int, noise: Fraction = Fraction(1)
) -> tuple[Fraction, Fraction]:
    """(x_m, y_m) from (x_0, y_0) = (x, y); ``noise`` scales the coefficient K/n that carries d into e.

    >>> sum(weights(1, Fraction(1, 4), Fraction(1, 4), Fraction(41, 12), 2)) / Fraction(1, 4)
    Fraction(11, 12)
    """
    for _ in range(m):
        x, y = (
            (1 - (1 - K) / n) * x + noise * (K / n) * y,
            max(Fraction(0), (1 - (2 - K) / n) * y - ((1 - K) / n) * x),
        )
    return x, y


def closed_form(n: int, K: Fraction, x: Fraction, y: Fraction, k: int) -> tuple[Fraction, Fraction, bool]:
    """(x_k, y_k) without the max, from the two modes, and whether the max is inactive at k; 0 < K < 1/2, n >= 2."""
    fast, slow = 1 - 2 * (1 - K) / n, 1 - Fraction(1, n)
    b = -K * (x + y) / (1 - 2 * K)  # (x, y) = a (1, -1) + b (1, -(1-K)/K)
    a = x - b
    tau = ((1 - K) * x + K * y) / ((1 - K) * (x + y))
    inactive = (Fraction(n) - 2 * (1 - K)) ** k >= tau * Fraction(n - 1) ** k
    return a * slow**k + b * fast**k, -a * slow**k - b * (1 - K) / K * fast**k, inactive


def exp_below(x: Fraction, terms: int = 12) -> Fraction:
    """A rational lower bound of e^x for x >= 0: the first terms of its series."""
    total = term = Fraction(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    return total


def exp_above(x: Fraction) -> Fraction:
    """A rational upper bound of e^x for x <= 0, and for 0 < x < 1 by 1/(1 - x + x^2/2 - x^3/6) >= e^x."""
    if x <= 0:
        return 1 / exp_below(-x)
    return 1 / (1 - x + x * x / 2 - x * x * x / 6)


# -- the claims --------------------------------------------------------------------------------------------------------


@ours_on_algorithm_3(
    "aspdc.algorithm-3.weights",
    "ASPDC-i, m inner steps: with x_{k+1} = (1 - (1-K)/n) x_k + (K/n) y_k and y_{k+1} = max(0, (1 - (2-K)/n) y_k -"
    " ((1-K)/n) x_k), E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0 for every m",
    hypotheses=f"{L2_INNER}; $K < 1$",
    evidence=[
        exact(inner_small, 0.15),
        golden(*(equal_rows(n, K) for n in (2, 3) for K in Qs("1/4", "1/2")), detail="the equality case of one step"),
    ],
    control=false_with("no noise from d to e: x_{k+1} without (K/n) y_k", equal_rows(2, Q(1, 2)), noise=Q(0)),
    proof=(
        "(e) and (d) give E[x e+ + y d+] <= [x(1 - (1-K)/n) + y K/n] e + y(1 - 1/n) d - ((1-K)/n)(x + y) pi; put pi >="
        " d and drop the d-term where its coefficient is negative. Iterate from the last inner step to the first; d_0"
        " <= e_0."
    ),
)
def m_steps(c: Context, noise: Fraction = ONE) -> Iterable[Relation]:
    """E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0 for m <= 6 (n = 1), 4 (n = 2), 3 (n = 3); noise scales K/n."""
    i = inner(c)
    x0, y0, e0, horizon = c.given.x0, c.given.y0, i.e(i.alpha), {1: 6, 2: 4, 3: 3}[i.n]

    def weighted(state: object) -> Fraction:
        w, alpha = i.method.view(i.problem, state)
        value: Fraction = x0 * i.e(alpha) + y0 * i.d(w)
        return value

    for m, left in enumerate(expectations(i.method, i.problem, i.state, horizon, weighted)):
        x, y = weights(i.n, i.K, x0, y0, m, noise)
        yield Le(left, (x + y) * e0, f"E[x_0 e_{m} + y_0 d_{m}] <= (x_{m} + y_{m}) e_0")


@ours_on_algorithm_3(
    "aspdc.algorithm-3.weights.closed-form",
    "The weights in closed form: while the max is inactive x_k + y_k = (x_0 + y_0)(1 - 2(1-K)/n)^k, twice the rate of"
    " (e) alone, and (x, y) is a sum of the modes (1, -1) at rate 1 - 1/n and (1, -(1-K)/K) at rate 1 - 2(1-K)/n; the"
    " max is inactive exactly while ((n - 2(1-K))/(n-1))^k >= tau = ((1-K) x_0 + K y_0)/((1-K)(x_0 + y_0)); the sum"
    " never increases",
    hypotheses="0 < K < 1/2, n >= 2, x_0, y_0 >= 0",
    evidence=[
        golden(
            *(
                equal_rows(n, K, Q(1)).but(extra=further(x0=x, y0=y))
                for n in (2, 3, 7, 20)
                for K in Qs("1/4", "1/3", "1/10")
                for x, y in (Qs("1/4", "41/12"), Qs("1/3", "110/39"), Qs(1, 1))
            ),
            detail="n = 2, 3, 7, 20; three K; three starts; k <= 3n",
        )
    ],
    control=altered(
        "the generic rate 1 - (1-K)/n for the sum",
        lambda c: [
            Eq(sum(weights(c.n, c.K, c.given.x0, c.given.y0, 1)), (1 - (1 - c.K) / c.n) * (c.given.x0 + c.given.y0), "")
        ],
        equal_rows(3, Q(1, 4), Q(1)),
    ),
    proof=(
        "The 2x2 recursion without the max has the two modes named; solve it. y_{k+1} >= 0 is the condition with tau."
    ),
)
def weights_closed_form(c: Context) -> Iterable[Relation]:
    n, K, inactive = c.n, c.K, True
    start = before = c.given.x0, c.given.y0
    for k in range(1, 3 * n + 1):
        unclipped = (1 - (2 - K) / n) * before[1] - (1 - K) / n * before[0]
        now = weights(n, K, *before, 1)
        x, y, predicted = closed_form(n, K, *start, k)
        if inactive:
            yield Eq(
                1 + int(unclipped >= 0), 1 + int(predicted), f"k = {k}: the max is inactive (2) or not (1), by tau"
            )
        inactive = inactive and predicted
        if inactive:
            yield Eq(now[0], x, f"x_{k}")
            yield Eq(now[1], y, f"y_{k}")
            yield Eq(sum(now), (1 - 2 * (1 - K) / n) ** k * sum(start), f"x_{k} + y_{k}")
        yield Le(sum(now), sum(before), f"the sum does not increase at k = {k}")
        before = now
