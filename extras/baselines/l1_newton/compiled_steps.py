# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The steps of ``l1-newton`` with the Hessian of all rows, compiled: many of them in one call.

For dense rows, with weights or without. The squared loss has one Hessian, which is given; for others it is made here,
of few rows and columns, without BLAS.
"""

import math

import numpy as np

from dualgap.extras.baselines.lbfgs.compiled import bends, dot, go_to, solution
from dualgap.extras.baselines.newton.compiled_small import hessian
from dualgap.extras.baselines.sdca_newton.compiled import factorize
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.losses import SQUARED
from dualgap.fast.problem.quadratic import regularizer_residual, regularizer_value
from dualgap.fast.problem.row_sums import values, weighted
from dualgap.fast.problem.rows import Limits, beyond, summed

SWEEPS, ROUNDS = 10, 40  # of coordinate descent before a step on the support, and how many times both
# the squared length of a sweep, relative to that of the first one, that ends them; where B is the Hessian of all rows
ENOUGH, EXACT = 1e-4, 1e-8
HALVINGS, ARMIJO = 20, 1e-4  # of the line search
LOST = 1e-13  # of the largest diagonal entry: a pivot below is roundings
# squared lengths: of a sweep over all columns, what ends those over the support; of a sweep, what the one so many after
# it has at most
SHARE, LESS, CYCLE = 0.01, 0.5, 5
MOST = 1e4  # the sum of the sizes of the factors of an extrapolation


@kernel
def descend(B, slopes, limits, enough, first, x):
    """Sweeps of coordinate descent for x^T B x/2 + h(x), ``limits`` those of h and ``slopes`` those of the rest, which
    follow x; the first and the last go over all coordinates, the others over those that are not 0.

    Returns whether the last one moved x by ``enough`` of ``first`` at most, and first: the squared length of the first
    sweep, if it is not 0.
    """
    for sweep in range(SWEEPS):
        whole, moved = sweep == 0 or sweep == SWEEPS - 1, 0.0
        for j in range(x.size):
            if whole or x[j] != 0.0:
                bend = B[j, j]
                change = beyond(x[j] - slopes[j] / bend, Limits(limits.low / bend, limits.high / bend)) - x[j]
                if change != 0.0:
                    x[j] = x[j] + change
                    moved = moved + bend * change * change
                    add_row(B, j, change, slopes)
        first = max(first, moved) if sweep == 0 else first
        if whole and moved <= enough * first:
            return True, first
    return False, first


@kernel
def sweep(columns, bends, sums, limits, whole, r, point):
    """A sweep of coordinate descent for the squared loss, over all columns or those whose coefficient is not 0.

    columns: those of X, each times the roots of the weights, as are the slopes r of the losses, which change; bends:
    the second derivatives, or 0 before they are known; sums: 1/gamma, mass and lam; point: w, which changes, and where
    it was and minus its slopes, in that order. Returns the squared length.
    """
    (curve, mass, lam), (w, before, minus_u), moved = sums, point, 0.0
    for j in range(w.size):
        if whole or w[j] != 0.0:
            x = columns[j]
            if bends[j] == 0.0:
                bends[j] = curve * dot(x, x) / mass + lam
            bend, slope = bends[j], dot(x, r) / mass
            before[j], minus_u[j] = w[j], 0.0 - slope
            limited = Limits(limits.low / bend, limits.high / bend)
            change = beyond(w[j] - (slope + lam * w[j]) / bend, limited) - w[j]
            if change != 0.0:
                w[j], step = w[j] + change, curve * change
                moved = moved + bend * change * change
                for i in range(r.size):
                    r[i] = r[i] + step * x[i]
    return moved


@kernel
def sweeps(columns, bends, sums, limits, enough, r, w):
    """A sweep over all columns and, unless it tells ``enough``, sweeps over the support until one moves w by little.
    Returns the gap that the slopes of the first tell, each at its time, and whether every ``CYCLE`` sweeps made the
    movement much less. After so many, w is ``extrapolated``.
    """
    before, minus_u, lam = np.empty(w.size), np.empty(w.size), sums[2]
    moved = first = sweep(columns, bends, sums, limits, True, r, (w, before, minus_u))
    threshold = Limits(limits.low / lam, limits.high / lam)
    told = regularizer_residual(before, minus_u, 0.0, np.zeros(w.size), lam, threshold)
    points, residuals = np.empty((CYCLE + 1, w.size)), np.empty((CYCLE + 1, r.size))
    while told > enough and moved > SHARE * first:
        last, made = moved, 0
        points[0], residuals[0] = w, r
        while made < CYCLE and moved > SHARE * first:
            moved, made = sweep(columns, bends, sums, limits, False, r, (w, before, minus_u)), made + 1
            points[made], residuals[made] = w, r
        if made == CYCLE:
            if not moved <= LESS * last:
                return told, False
            extrapolated(points, residuals, sums, limits.high, r, w)
    return told, True


@kernel
def extrapolated(points, residuals, sums, high, r, w):
    """Move (w, r) to the combination of the last points whose steps, combined alike, are shortest (Anderson 1965), if
    no sign changes and the objective falls.
    """
    steps, last = points[1:] - points[:-1], points.shape[0] - 1
    H = np.empty((last, last))
    for a in range(last):
        for b in range(a, last):
            H[a, b] = dot(steps[a], steps[b])
    factorize(H, LOST * np.diag(H).max())
    shares = solution(H, np.ones(last))
    total = shares.sum()
    if not np.abs(shares).sum() <= MOST * abs(total):  # roundings would grow as much
        return
    following, moved = np.zeros(w.size), np.zeros(r.size)
    for a in range(last):
        following = following + shares[a] / total * points[a + 1]
        moved = moved + shares[a] / total * residuals[a + 1]
    if (following * w >= 0.0).all() and objective(moved, following, sums, high) < objective(r, w, sums, high):
        w[:], r[:] = following, moved


@kernel
def objective(r, w, sums, high):
    """P for the squared loss, of the slopes r of ``sweep``."""
    curve, mass, lam = sums
    return dot(r, r) / (2.0 * curve * mass) + 0.5 * lam * dot(w, w) + high * summed(np.abs(w))


@kernel
def add_row(B, j, change, slopes):
    """slopes <- slopes + change times row j of B."""
    row = B[j]
    for k in range(slopes.size):
        slopes[k] = slopes[k] + change * row[k]


@kernel
def clip_on_support(B, slopes, high, support, step, x):
    """x <- x + step on the support, or 0 where the sign changes, and the slopes follow; or nothing, where the model
    does not fall. Whether it does.
    """
    before, fall = slopes.copy(), 0.0
    moved = np.empty(support.size)
    for a in range(support.size):
        here = x[support[a]]
        moved[a] = step[a] if here * (here + step[a]) > 0.0 else -here
        add_row(B, support[a], moved[a], slopes)
    for a in range(support.size):
        j = support[a]
        following = x[j] + moved[a]
        fall = fall - 0.5 * (before[j] + slopes[j]) * moved[a] - high * (abs(following) - abs(x[j]))
    if fall > 0.0:
        for a in range(support.size):
            j = support[a]
            x[j] = x[j] + moved[a]
    else:
        slopes[:] = before
    return fall > 0.0


@kernel
def go_on_support(B, slopes, support, step, x):
    """x <- x + t step on the support, as far as no sign changes, t <= 1; the slopes follow."""
    t, at = 1.0, -1
    for a in range(support.size):
        here = x[support[a]]
        if here * (here + step[a]) < 0.0 and -here / step[a] < t:
            t, at = -here / step[a], support[a]
    for a in range(support.size):
        j = support[a]
        change = -x[j] if j == at else t * step[a]
        x[j] = 0.0 if j == at else x[j] + change
        add_row(B, j, change, slopes)


@kernel
def step_on_support(B, slopes, high, support, x):
    """The step to the minimum of the model over these coefficients, were their signs to stay."""
    H, step = np.empty((support.size, support.size)), np.empty(support.size)
    for a in range(support.size):
        row = B[support[a]]
        for b in range(a, support.size):
            H[a, b] = row[support[b]]
        step[a] = -(slopes[support[a]] + math.copysign(high, x[support[a]]))
    factorize(H, LOST * np.diag(H).max())
    return solution(H, step)


@kernel
def minimum_of_model(B, slopes, limits, enough, first, x, largest):
    """x goes near the minimum of the model, and the slopes follow; or it ends before a step on more than ``largest``
    coefficients. Returns what ``descend`` does.
    """
    for _ in range(ROUNDS):
        done, first = descend(B, slopes, limits, enough, first, x)
        support = np.flatnonzero(x)
        if done or support.size == 0 or support.size > largest:
            return done or support.size == 0, first
        step = step_on_support(B, slopes, limits.high, support, x)
        if not clip_on_support(B, slopes, limits.high, support, step, x):
            go_on_support(B, slopes, support, step, x)
    return True, first


@kernel
def slope_behind(x, p, l1):
    """The slope of l1 ||.||_1 along p, just before x."""
    total = 0.0
    for j in range(p.size):
        total = total + (-abs(p[j]) if x[j] == 0.0 else p[j] if x[j] > 0.0 else -p[j])
    return l1 * total


@kernel
def whole_hessian(X, curved, mass, lam, B):
    """``hessian``, and its lower half."""
    hessian(X, curved, mass, lam, B)
    for j in range(B.shape[0]):
        for k in range(j):
            B[j, k] = B[k, j]


@kernel
def steps_together(rows, losses, sums, limits, B, point, counts, gap):
    """Make steps until they tell a gap of at most that; how many, and the gap.

    sums: weights, mass and lam; B: the Hessian of the squared loss, or 0 or, for others, room for one; point: w, z,
    alpha and the gradient, which change; counts: the evaluations before, without which the first step is the evaluation
    at w, and the most steps. It ends before a step that is no descent, because of roundings.
    """
    (w, z, alpha, gradient), (code, gamma, y, _), (weights, mass, lam) = point, losses, sums
    n, d, made, zero, centre, told = z.size, w.size, 0, np.zeros(z.size), np.zeros(w.size), np.inf
    moved, slopes, steepness, ones, curved = np.empty(n), np.empty(n), np.empty(d), np.ones(n), np.empty(n)
    threshold = Limits(limits.low / lam, limits.high / lam)
    if counts[0] == 0 and counts[1] > 0:
        go_to(rows, losses, weights, (mass, lam, d), w, zero, z, alpha, gradient)
        made, told = 1, regularizer_residual(w, lam * w - gradient, 0.0, centre, lam, threshold)
    while made < counts[1] and not told <= gap:
        if code != SQUARED or B[0, 0] == 0.0:
            bends(code, gamma, z, alpha, y, ones, curved)
            whole_hessian(rows.X, weighted(weights, curved), mass, lam, B)
        x, steepness = w.copy(), gradient.copy()
        minimum_of_model(B, steepness, limits, EXACT, 0.0, x, d)
        p = x - w
        first = dot(gradient, p) + limits.high * (summed(np.abs(x)) - summed(np.abs(w)))
        if not (first < 0.0 and np.isfinite(first)):
            break
        before, t = np.nan, 1.0
        for _ in range(HALVINGS):
            go_to(rows, losses, weights, (mass, lam, d), x, zero, moved, slopes, steepness)
            if dot(steepness, p) + slope_behind(x, p, limits.high) <= 0.0:  # P is convex, and falls up to here
                break
            if np.isnan(before):
                before = values(code, gamma, weights, z, y) / mass + regularizer_value(w, lam, limits.high, 0.0, centre)
            after = values(code, gamma, weights, moved, y) / mass + regularizer_value(x, lam, limits.high, 0.0, centre)
            if after <= before + ARMIJO * t * first:
                break
            t = 0.5 * t
            x = w + t * p
        w[:], z[:], alpha[:], gradient[:] = x, moved, slopes, steepness
        made, told = made + 1, regularizer_residual(w, lam * w - gradient, 0.0, centre, lam, threshold)
    return made, told
