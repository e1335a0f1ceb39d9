"""SDCA with shrinking and Newton's method on the rows whose alpha is inside its interval, compiled."""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.extras.baselines.compiled_lanes import LANES
from dualgap.extras.baselines.lbfgs.compiled import dot, solution
from dualgap.extras.baselines.newton.compiled_hessian import add_square, products
from dualgap.extras.baselines.proximal_newton.compiled_small import inside
from dualgap.extras.baselines.sdca_newton.reference import LARGEST, SDCANewton
from dualgap.fast.compiler.doubles import quotient
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import prefetch
from dualgap.fast.compiler.select import select
from dualgap.fast.methods.base import SHORT, DualVectors, FastDualMethod, FastDualState, step_numbers
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.sdca_shrinking import end_pass, slope_of, sort_in
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import (
    HINGE,
    LOGISTIC,
    SMOOTHED_HINGE,
    SQUARED,
    SQUARED_HINGE,
    clip,
    dual_step,
    residual,
)
from dualgap.fast.problem.prefetch import (
    DISTANCE,
    WHOLE,
    fetch_entry,
    fetch_line,
    fetch_numbers,
    fetch_row,
    inner_fetching,
    places_to_fetch,
)
from dualgap.fast.problem.row_sums import weight_of, weighted
from dualgap.fast.problem.rows import DENSE, NO_LIMITS, ONE, Dense, bounds, inner, update, update_unconditionally
from dualgap.reference.problem.problem import Problem

WORTH, PER_COLUMN = 3.0, 2  # see the reference
ROUNDS, SHORTER, ENOUGH = 10, 5, 1e-2  # Newton's steps; their trials; the slope that ends them, relative to the first
LEAST, MOST = 1e-9, 1.0  # damping, relative to the largest diagonal entry
AT_ONCE = 2_000_000  # entries of the passes of one call, and 8 for each row: with Newton's steps 50 ms at most
SAMPLE = 2000  # rows, at least, whose FY_i are estimated by that of every 2nd, 4th, .. of them: two logarithms each
PER_SWEEP, NEVER = 100, 2**62  # rows for each sweep that their products take the time of; more sweeps than are made
MULTIPLIER, ADDEND = np.uint64(6364136223846793005), np.uint64(1442695040888963407)  # Knuth's MMIX
HALF = np.uint64(32)
FOUR = np.uint64(4)


class SDCANewtonState(FastDualState):
    """A DualState with the active rows, ``size`` of them, threshold and tolerance (``sdca_shrinking``); how many of
    the alpha_i are inside their interval, and the sweeps made; the damping of Newton's method, the time of sweeps since
    it was due, and the gap that the last sweep told, infinite where it left rows out, and its sum, or 0 where the next
    sweep is not comparable; and z of ``Products``, or nothing. Where z is kept, v is that of an earlier step.
    """

    __slots__ = ("active", "size", "free", "sweeps", "threshold", "tolerance", "damping", "spent", "told", "gaps", "z")
    growing = ("z",)
    active: Array
    size: int
    free: int
    sweeps: int
    threshold: float
    tolerance: float
    damping: float
    spent: float
    told: float
    gaps: float
    z: Array


class Products(NamedTuple):
    """X X^T, shape (n, n), in place of the rows; then z, shape (n,), the x_i^T v, is in place of v. entries: as many of
    a row as a step costs, with its share of the certificates that come after so many passes.
    """

    K: Array
    entries: float


PRODUCTS = len(Products._fields)


# -- one row -----------------------------------------------------------------------------------------------------------


@kernel
def product(rows, i, v):
    """x_i^T v."""
    if len(rows) == PRODUCTS:
        return v[i]
    return inner(rows, i, v, NO_LIMITS)


@kernel
def subtract(rows, i, c, v):
    """v <- v - c x_i."""
    if len(rows) == PRODUCTS:
        update(Dense(rows.K), i, c, v)
    else:
        update(rows, i, c, v)


# -- sweeps ------------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def inner_in_four(rows, i, v, ahead):
    """``inner_fetching`` of a sparse row in four sums."""
    a = b = c = e = 0.0
    place, end = bounds(rows, i)
    line, last = places_to_fetch(rows, ahead)
    fetch_entry(rows, last - ONE)
    while place + FOUR <= end:
        if line < last:
            fetch_line(rows, line)
            line = line + WHOLE
        stop = min(end, place + WHOLE)
        while place + FOUR <= stop:
            a = a + rows.data[place] * v[rows.indices[place]]
            b = b + rows.data[place + ONE] * v[rows.indices[place + ONE]]
            c = c + rows.data[place + ONE + ONE] * v[rows.indices[place + ONE + ONE]]
            e = e + rows.data[place + FOUR - ONE] * v[rows.indices[place + FOUR - ONE]]
            place = place + FOUR
    z = (a + b) + (c + e)
    while place < end:
        z = z + rows.data[place] * v[rows.indices[place]]
        place = place + ONE
    while line < last:
        fetch_line(rows, line)
        line = line + WHOLE
    return z


@kernel
def shuffle(active, sweep):
    """Put the rows into an order that the number of the sweep fixes."""
    word = np.uint64(sweep + 1) * MULTIPLIER
    for s in range(active.size):
        word = word * MULTIPLIER + ADDEND
        here, left = np.uint64(s), np.uint64(active.size - s)
        place = here + ((word >> HALF) * left >> HALF)
        active[here], active[place] = active[place], active[here]


@kernel
def sweep(rows, run, state, active, size, threshold, lanes):
    """A step of SDCA for each of the first ``size`` active rows. Returns the sum of s_i FY_i, each before its step, how
    many alpha_i are inside, how many rows stay active, and the largest slope of those that moved. lanes: empty, or of
    one entry where products are made in 16 sums, or 4 of sparse rows, so that only one of both is in the machine code.
    """
    told, violation, free, kept, moved, part = 0.0, 0.0, 0, 0, 0, 1
    while run.code == LOGISTIC and part * SAMPLE <= size:
        part = 2 * part
    for s in range(size):
        prefetch(run.norms2, fetch_numbers(rows, active, s, size - 1, run.y, state.alpha))
        ahead = np.uint64(active[min(s + DISTANCE, size - 1)])
        i = np.uint64(active[s])
        if len(lanes) > 0 and len(rows) == DENSE:
            fetch_row(rows, ahead)
            z = dot(rows.X[i], state.v)
        elif len(lanes) > 0:
            z = inner_in_four(rows, i, state.v, ahead)
        else:
            z = inner_fetching(rows, i, state.v, run.threshold, ahead)
        if s & (part - 1) == 0:
            row_gap = residual(run.code, run.gamma, z, state.alpha[i], run.y[i])
            told = told + weight_of(run.weights, i) * row_gap * part
        slope = slope_of(run.code, run.gamma, z, state.alpha[i], run.y[i])
        # SDCA line 4
        alpha_i = dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], run.norms2[i] / run.scale)
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i  # SDCA line 5
        moves = delta != 0.0
        violation = select(moves and slope > violation, slope, violation)
        kept = sort_in(active, s, kept, moves or threshold == 0.0 or slope <= threshold)
        if update_unconditionally(rows, s, moved) or moves:
            update(rows, i, weight_of(run.weights, i) * delta / run.scale, state.v)  # SDCA line 6
        moved += moves
        free += inside(run.code, alpha_i, run.y[i])
    return told, free, kept, violation


@kernel
def sweep_of_products(K, run, z, alpha, active, size, threshold):
    """``sweep``, on ``Products``."""
    told, violation, free, kept = 0.0, 0.0, 0, 0
    for s in range(size):
        i = np.uint64(active[s])
        told = told + weight_of(run.weights, i) * residual(run.code, run.gamma, z[i], alpha[i], run.y[i])
        slope = slope_of(run.code, run.gamma, z[i], alpha[i], run.y[i])
        alpha_i = dual_step(run.code, run.gamma, z[i], alpha[i], run.y[i], run.norms2[i] / run.scale)
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i
        if delta != 0.0:
            violation = max(slope, violation)
            update(Dense(K), i, weight_of(run.weights, i) * delta / run.scale, z)
        kept = sort_in(active, s, kept, delta != 0.0 or threshold == 0.0 or slope <= threshold)
        free += inside(run.code, alpha_i, run.y[i])
    return told, free, kept, violation


@kernel
def sweep_in_its_form(rows, run, state, active, size, threshold):
    """``sweep``, of any rows."""
    if len(rows) == PRODUCTS:
        return sweep_of_products(rows.K, run, state.v, state.alpha, active, size, threshold)
    if run.threshold.low == 0.0 and entries_of(rows, run.y.size, state.v.size) >= LANES:
        return sweep(rows, run, state, active, size, threshold, (True,))
    return sweep(rows, run, state, active, size, threshold, ())


@kernel
def cost(rows, n, d, free):
    """The time of a sweep of all rows, and of Newton's method on that many, in entries that a sum reads."""
    entries, least = entries_of(rows, n, d), float(min(free, d))
    matrix = free * entries * (free * 0.35 if free <= d else entries * 0.3 * ROUNDS)
    if len(rows) == PRODUCTS:
        matrix = float(free * free)
    return n * (2.5 * entries + 20.0), matrix + ROUNDS * (least * least * least / 24.0 + 2.0 * free * entries)


@kernel
def entries_of(rows, n, d):
    """Numbers that a step reads."""
    if len(rows) == PRODUCTS:
        return rows.entries
    if len(rows) == DENSE:
        return float(d)
    return rows.data.size / n


@kernel
def passes(rows, run, state, active, at, levels, until, largest):
    """Make passes until a sweep of all rows tells a gap <= goal, until so many are made, or so many sweeps; how many,
    and ``at`` and ``levels``: the whole and the real numbers of the state. largest: rows or columns of a matrix.
    """
    most, turn, goal, mass = until
    (size, free, sweeps), (threshold, tolerance, damping, spent, told, gaps) = at, levels
    n, d, made = active.size, state.v.size, 0
    plain = run.threshold.low == 0.0 and run.threshold.high == 0.0 and run.code != LOGISTIC
    while made < most and (made == 0 or sweeps < turn and not told <= goal):
        told, steps = np.inf, 0
        while steps < n and told == np.inf:
            whole, newton = cost(rows, n, d, free)
            few = free <= PER_COLUMN * d + 32 and min(free, d) <= largest
            if plain and 0 < free and few and newton <= WORTH * spent:
                damping, spent, gaps = newton_steps(rows, run, state, free, damping), 0.0, 0.0
            shuffle(active[:size], sweeps)
            gap, free, kept, violation = sweep_in_its_form(rows, run, state, active, size, threshold)
            steps, sweeps, spent = steps + size, sweeps + 1, spent + whole * (size / n)
            told = gap / mass if size == n else np.inf
            if size == n and run.gamma > 0.0 and gap < gaps:
                rate = gap / gaps
                told = told * math.sqrt(rate if sweeps == 2 else rate * math.sqrt(rate))
            gaps = gap if size == n else 0.0
            size, threshold, tolerance = end_pass(n, size, kept, violation, tolerance)
        made += 1
    return made, (size, free, sweeps), (threshold, tolerance, damping, spent, told, gaps)


# -- Newton's method ---------------------------------------------------------------------------------------------------


@kernel
def limited(code, alpha, y):
    """The number of the interval next to alpha."""
    if code == HINGE or code == SMOOTHED_HINGE:
        return -y * clip(-y * alpha, 0.0, 1.0)
    if code == SQUARED_HINGE:
        return -y * max(-y * alpha, 0.0)
    return alpha if code == SQUARED else clip(alpha, -1.0, 1.0)


class Free(NamedTuple):
    """The rows inside their interval at the start, and of each G_i = z_i - y_i - gamma alpha_i and s_i. The slope of
    S D is s_i G_i.
    """

    rows: Array
    slopes: Array
    weights: Array


@kernel
def free_rows(rows, run, state, count):
    """``Free``, and the largest diagonal entry of the system."""
    found, slopes, weights, largest, k = np.empty(count, np.int64), np.empty(count), np.empty(count), 0.0, 0
    for i in range(state.alpha.size):
        if k < count and inside(run.code, state.alpha[i], run.y[i]):
            found[k], weights[k] = i, weight_of(run.weights, i)
            slopes[k] = product(rows, i, state.v) - run.y[i] - run.gamma * state.alpha[i]
            largest = max(largest, (run.norms2[i] / run.scale + run.gamma) / weights[k])
            k += 1
    return Free(found[:k], slopes[:k], weights[:k]), largest


@kernel
def movable(code, gamma, y, alpha, free, picked):
    """The places of rows that are not held at an end are put into picked; how many, and their largest slope."""
    count, largest = 0, 0.0
    for p in range(free.rows.size):
        i, slope = free.rows[p], free.slopes[p]
        if inside(code, alpha[i], y[i]) or limited(code, alpha[i] + slope, y[i]) != alpha[i]:
            picked[count], largest = p, max(largest, abs(slope))
            count += 1
    return count, largest


@kernel
def products_of(rows, free, d):
    """The upper half of the products of these rows with each other."""
    K, spread = np.empty((free.size, free.size)), np.zeros(d)
    for p in range(free.size):
        if len(rows) == PRODUCTS:
            for q in range(p, free.size):
                K[p, q] = rows.K[free[p], free[q]]
        elif len(rows) == DENSE:
            x = rows.X[free[p]]
            for q in range(p, free.size):
                K[p, q] = dot(x, rows.X[free[q]])
        else:
            update(rows, free[p], -1.0, spread)
            for q in range(p, free.size):
                K[p, q] = inner(rows, free[q], spread, NO_LIMITS)
            update(rows, free[p], 1.0, spread)  # 0 again
    return K


@kernel
def factorize(H, least):
    """H <- U with U^T U = H in its upper half, four rows at a time; pivots are at least that."""
    for i in range(0, H.shape[0], 4):
        end = min(i + 4, H.shape[0])
        for p in range(i, end):
            row = H[p, p:]
            root = math.sqrt(max(row[0], least))
            for j in range(1, row.size):
                row[j] = quotient(row[j], root)
            row[0] = root
            for r in range(p + 1, end):
                c, other, part = row[r - p], H[r, r:], row[r - p :]
                for j in range(part.size):
                    other[j] = other[j] - c * part[j]
        for r in range(end, H.shape[0]):  # there are none unless the four are whole
            a, b, c, e, row = H[i, r:], H[i + 1, r:], H[i + 2, r:], H[i + 3, r:], H[r, r:]
            a_r, b_r, c_r, e_r = a[0], b[0], c[0], e[0]
            for j in range(row.size):
                row[j] = row[j] - a_r * a[j] - b_r * b[j] - c_r * c[j] - e_r * e[j]


@kernel
def square(rows, i, factor, H):
    """H <- H + factor x_i x_i^T; never of products, which have as many columns as rows."""
    if len(rows) != PRODUCTS:
        add_square(rows, i, factor, H)


@kernel
def direction(rows, run, free, picked, K, damping, d):
    """S^-1 (X X^T/scale + B)^-1 G for the picked rows X, S = diag(s_i) and B = gamma S^-1 + damping I; K: all products,
    or empty: then a matrix of d columns.
    """
    step, weights, scale = free.slopes[picked], free.weights[picked], run.scale
    bends = run.gamma / weights + damping
    if K.size > 0:
        H = np.empty((picked.size, picked.size))
        for p in range(picked.size):
            for q in range(p, picked.size):
                H[p, q] = K[picked[p], picked[q]] / scale
            H[p, p] = H[p, p] + bends[p]
        factorize(H, 1e-12 * bends.min())
        return solution(H, step) / weights
    H, u = np.zeros((d, d)), np.zeros(d)
    for p in range(picked.size):
        square(rows, free.rows[picked[p]], 1.0 / bends[p], H)
        subtract(rows, free.rows[picked[p]], -step[p] / bends[p], u)
    for j in range(d):
        H[j, j] = H[j, j] + scale
    factorize(H, 1e-12 * scale)
    u = solution(H, u)
    for p in range(picked.size):
        step[p] = (step[p] - product(rows, free.rows[picked[p]], u)) / (bends[p] * weights[p])
    return step


@kernel
def gain(rows, run, alpha, free, picked, step, moved, u, curved):
    """moved <- alpha after the step, cut off at the ends; u <- what v loses by it, curved <- the change of the slopes.
    Returns how much S D grows, and the part of its slope.
    """
    first = second = 0.0
    u[:] = 0.0
    for p in range(picked.size):
        i = free.rows[picked[p]]
        moved[p] = limited(run.code, alpha[i] + step[p], run.y[i])
        change = moved[p] - alpha[i]
        first = first + free.weights[picked[p]] * free.slopes[picked[p]] * change
        if change != 0.0:
            subtract(rows, i, -free.weights[picked[p]] * change / run.scale, u)
    for p in range(free.rows.size):
        curved[p] = product(rows, free.rows[p], u)
    for p in range(picked.size):
        change = moved[p] - alpha[free.rows[picked[p]]]
        curved[picked[p]] = curved[picked[p]] + run.gamma * change
        second = second + free.weights[picked[p]] * curved[picked[p]] * change
    return first - 0.5 * second, first


@kernel
def newton_steps(rows, run, state, count, damping):
    """Maximise D over the alpha_i that are inside; the damping afterwards."""
    d, (free, largest) = state.v.size, free_rows(rows, run, state, count)
    k, start = free.rows.size, -1.0
    K = products_of(rows, free.rows, d) if k <= d else np.empty((0, 0))
    places, moved, curved, u = np.empty(k, np.int64), np.empty(k), np.empty(k), np.empty(d)
    for _ in range(ROUNDS):
        m, slope = movable(run.code, run.gamma, run.y, state.alpha, free, places)
        start = slope if start < 0.0 else start
        if slope <= ENOUGH * start or not largest > 0.0:
            break
        picked = places[:m]
        step = direction(rows, run, free, picked, K, damping * largest, d)
        trial, grows = 0, False
        while trial < SHORTER and not grows:
            grown, first = gain(rows, run, state.alpha, free, picked, step, moved, u, curved)
            grows = grown > 0.1 * first and first > 0.0
            if not grows:
                step, trial = 0.3 * step, trial + 1
        damping = max(damping / 10.0, LEAST) if trial == 0 else min(damping * (4.0 if grows else 100.0), MOST)
        if grows:
            for p in range(m):
                state.alpha[free.rows[picked[p]]] = moved[p]
            for p in range(k):
                free.slopes[p] = free.slopes[p] - curved[p]
            for j in range(d):
                state.v[j] = state.v[j] - u[j]
    return damping


# -- the method --------------------------------------------------------------------------------------------------------


@register_compiled_method
class FastSDCANewton(FastDualMethod):
    """The passes of ``dualgap.extras.baselines.sdca_newton.reference``.

    >>> from dualgap.reference import L2, Hinge, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(0.75))
    >>> FastSDCANewton().view(problem, FastSDCANewton().run(problem, [0] * 3))[0].round(9).tolist()
    [0.666666667, -0.666666667]
    """

    name: ClassVar[str] = "sdca-newton"
    weighted = True
    narrow = SHORT  # matrices take a fixed share of the time
    reference: SDCANewton

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> FastDualState:
        self.reference.require_start(problem)
        start = super().init(problem, alpha)
        state = {"active": np.arange(problem.n), "size": problem.n, "free": 0, "sweeps": 0, "threshold": 0.0}
        levels = {"tolerance": 0.0, "damping": 1e-2, "spent": 0.0, "told": np.inf, "gaps": 0.0, "z": np.empty(0)}
        return SDCANewtonState(v=start.v, alpha=start.alpha, **state, **levels)

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        made = 0
        while made < len(choices):
            made += self.make(problem, state, len(choices) - made, -math.inf, math.inf)

    def steps_until(self, problem: Problem, state: Any, most: int, gap: float, deadline: float) -> int:
        """Make passes until one tells a gap of at most that, at most so many, and for 50 ms at most; how many."""
        numbers = problem.n**2 if state.z.size else arrays(problem).nnz
        return self.make(problem, state, min(most, max(1, AT_ONCE // (numbers + 8 * problem.n))), gap, deadline)

    def make(self, problem: Problem, state: Any, most: int, goal: float, deadline: float) -> int:
        """``passes`` of a state; how many."""
        objective, turn = self.native(problem), self.turn(problem)
        if state.sweeps >= turn and not state.z.size:
            state.z = products(objective, deadline) @ weighted(objective.weights, state.alpha) / -objective.scale
        at = state.size, state.free, state.sweeps
        levels = state.threshold, state.tolerance, state.damping, state.spent, state.told, state.gaps
        matrix, v, until = objective.arrays.matrix, state.v, (most, turn, goal, objective.mass)
        if state.z.size:
            K = products(objective, deadline)
            matrix, v, until = (
                Products(K, 0.4 * problem.n + 0.25 * problem.d),
                state.z,
                (most, NEVER, goal, objective.mass),
            )
        made, at, levels = passes(
            matrix, step_numbers(objective), DualVectors(v, state.alpha), state.active, at, levels, until, LARGEST
        )
        state.size, state.free, state.sweeps = at
        state.threshold, state.tolerance, state.damping, state.spent, state.told, state.gaps = levels
        return int(made)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        if state.z.size:  # v is that of an earlier step
            return self.native(problem).w(state.alpha), state.alpha.copy()
        return super().view(problem, state)

    def turn(self, problem: Problem) -> int:
        """The sweeps after which X X^T is made, which takes about as long as they did."""
        g, n = problem.regularizer, problem.n
        wide = n <= min(problem.d, LARGEST) and not arrays(problem).sparse
        each = PER_SWEEP // 2 if problem.loss.name == "logistic" else PER_SWEEP  # no Newton's method
        return n // each if wide and g.family == "quadratic" and not (g.l1 > 0 or g.kappa > 0) else NEVER

    def primal(self, problem: Problem, state: Any) -> float:
        """P(w), from D(alpha) and the gap that the last sweep told."""
        objective = self.native(problem)
        sums = objective.sums(np.zeros(problem.n), state.alpha)
        if state.z.size:  # ||v||^2 without v
            square = dot(weighted(objective.weights, state.alpha), state.z) / -objective.scale
            return float(state.told - sums.conjugates / problem.n - 0.5 * objective.mu * square)
        minus_u = objective.mu * state.v - objective.kappa * objective.centre
        return float(state.told + objective.D_from(sums, objective.conjugate_at(minus_u)))
