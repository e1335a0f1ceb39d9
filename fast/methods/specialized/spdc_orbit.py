"""The orbit of an untouched coordinate, compiled: the counterpart of ``dualgap.reference.methods.lazy.spdc.Orbit``,
bit-identical results.

For S < ``SPAN`` the coefficients P_S, Q_S, A_S, E_S are looked up in ``span``, at 4S. There P_0 = 1 and Q_0 = -theta,
by which w + theta dlt is P_0 w - Q_0 dlt, so that the loop that reads needs no branch for S = 0.
"""

from typing import NamedTuple

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.elementary import one_minus_exp
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.rows import soft

ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
W, DLT, U, LAST = np.uint64(0), ONE, TWO, THREE  # U follows DLT: see ``extrapolated``
SPAN = 2**15  # 1 MB, used most where S is small


class OrbitNumbers(NamedTuple):
    """``Orbit`` of the reference, as numbers; rate = log(1 + mu tau)."""

    tau: float
    inverse_mu: float
    l1: float
    theta: float
    contraction: float
    tau_l1: float
    theta_tau: float
    brake: float
    rate: float


class DualNumbers(NamedTuple):
    """The numbers that the dual steps of all rows share: the loss and the perturbation delta."""

    code: int
    gamma: float
    delta: float


class RowStep(NamedTuple):
    """The numbers that the step of the coordinates of a row depends on: Delta alpha_k, tau by its weight, and 1/n."""

    delta: float
    tau_weight: float
    inverse_n: float


@kernel(inline=True)
def shrink(S, rate):
    """1 - (1 + mu tau)^-S (reference: arithmetic.shrink)."""
    return one_minus_exp(S * rate)


@kernel(inline=True)
def reading(orbit, S):
    """P_S and Q_S (reference: Orbit.coefficients)."""
    e = shrink(S, orbit.rate)
    return (1.0 - e) * orbit.brake, e * orbit.inverse_mu + orbit.theta_tau * (1.0 - e)


@kernel(inline=True)
def writing(orbit, S):
    """A_S and E_S (reference: Orbit.coefficients)."""
    e = shrink(S, orbit.rate)
    return 1.0 - e, e * orbit.inverse_mu


@kernel
def tabulate(orbit, span):
    """The coefficients of S = 0, 1, .., and instead of P_0 and Q_0 those of dlt."""
    for S in range(SPAN):
        span[4 * S], span[4 * S + 1] = reading(orbit, S)
        span[4 * S + 2], span[4 * S + 3] = writing(orbit, S)
    span[0], span[1] = 1.0, -orbit.theta


@kernel(inline=True)
def perturbed_step(run, z, alpha, y, q):
    """The dual step of phi* + (delta/2) a^2 (reference: spdc.perturbed_step); run is ``DualNumbers``."""
    both = q + run.delta
    return dual_step(run.code, run.gamma, z, alpha if run.delta == 0.0 else q * alpha / both, y, both)


@kernel(inline=True)
def linear(orbit, span, w, c, S):
    """w_S = A_S w - E_S c (reference: Orbit.linear)."""
    A, E = (span[4 * S + 2], span[4 * S + 3]) if S < SPAN else writing(orbit, S)
    return A * w - E * c  # SPDC (39), (70), (71)


@kernel(inline=True)
def step(orbit, w, u, tau_du):
    """argmin of g(x) + (u + du) x + (x - w)^2/(2 tau) (reference: Orbit.step)."""
    return soft(w - orbit.tau * u - tau_du, orbit.tau_l1) * orbit.contraction  # SPDC (37), (40)


@kernel(inline=True)
def side_of(w, u, l1):
    """The side of 0 on which the orbit goes on (reference: Orbit.phase)."""
    return 1.0 if w > 0.0 or (w == 0.0 and u < -l1) else -1.0 if w < 0.0 or (w == 0.0 and u > l1) else 0.0


@kernel(inline=True)
def slope(w, u, l1, side):
    """c of the case that begins at w (reference: Orbit.phase)."""
    return u + side * l1 if side != 0.0 else w - w  # SPDC Case I: it stays at 0


@kernel
def leave(orbit, span, w, u, S, side):
    """Return the start of the last case of Appendix D for an orbit that leaves its side (reference: Orbit.last_phase).

    Returns w, c, the steps left in that case, and the move that led to w.
    """
    c = slope(w, u, orbit.l1, side)
    low, high = 0, 1
    while high < S and side * linear(orbit, span, w, c, high) > 0.0:
        low, high = high, 2 * high
    high = min(high, S)
    while high - low > 1:
        middle = (low + high) // 2
        if side * linear(orbit, span, w, c, middle) > 0.0:
            low = middle
        else:
            high = middle
    before = linear(orbit, span, w, c, low)  # SPDC (72), (74)
    after = step(orbit, before, u, u - u)  # SPDC (69)
    if side * after > 0.0:
        after = after - after
    if S > low + 1:  # the last case, which is never left behind
        c = slope(after, u, orbit.l1, side_of(after, u, orbit.l1))
    return after, c, S - low - 1, after - before


@kernel
def all_current(orbit, span, cells, stamps, now, out):
    """w at iteration ``now``, shape (d,) (reference: LazySPDC.current)."""
    for j in range(out.size):
        place = np.uint64(j) << TWO
        w, u, S = cells[place + W], cells[place + U], now - stamps[place + LAST]
        c = u
        if orbit.l1 > 0.0 and S > 0:
            side = side_of(w, u, orbit.l1)
            c = slope(w, u, orbit.l1, side)
            if side * c > 0.0 and not side * linear(orbit, span, w, c, S) > 0.0:
                w, c, S, _ = leave(orbit, span, w, u, S, side)
        out[j] = linear(orbit, span, w, c, S)
