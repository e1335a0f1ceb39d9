"""SPD1-VR: our own consistent definition under that name. Unbiased estimates, no variance at the saddle point, a linear
rate.

For squared loss and L2 the estimates of lines 2 and 3 are read off the method's own step, which is affine in them:

    u_j = (w_j - (1 + eta mu) w_j+)/eta,     z_i = (gamma + q) alpha_i+ + y_i - q alpha_i,   q = 1/tau.
"""

from collections.abc import Iterable
from typing import Any

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.spd1 import strategies
from dualgap.extras.baselines.spd1.claims import PLAIN, after, largest_column, saddle, weighted
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.affine import Moments, Step, flat, quadratic
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.vocabulary import dot, minus, square
from dualgap.reference.numbers.arithmetic import Number

FIELDS = ("w", "alpha")
ANY_STATE = "any state, with the snapshot of an earlier one"


def steps_of(c: Context) -> tuple[Number, Number]:
    """(eta, tau) by the formula, or the instance's own."""
    options, n, d = c.instance.options, c.n, c.problem.d
    if "eta" in options:
        return Q(options["eta"]), Q(options["tau"])
    strength = c.mu * c.gamma
    theta = strength / max(10 * max(n, d) * strength, 4 * d * c.R2, 4 * d * largest_column(c))
    return d * theta / c.mu, n * theta / c.gamma


PATH = ((0, 1, 0, 1), (1, 0, 0, 1), (2, 1, 1, 0))
VR = PLAIN.but(method="spd1-vr", options={"eta": Q(1, 2), "tau": Q(1, 3), "m": 2}, path=PATH)
EXAMPLES = (VR, VR.but(path=PATH[:1]), VR.but(path=()))


# -- the estimates -----------------------------------------------------------------------------------------------------


@claim(
    "baselines.spd1-vr.unbiased",
    "SPD1-VR: whatever j, the mean over i' of the estimate in line 2 is u_j = (X^T alpha/n)_j; whatever i, the mean"
    " over j' of the one in line 3 is x_i^T w",
    hypotheses=f"{ANY_STATE}; squared loss and L2, where the estimates can be read off the step",
    origin=PAPER.ours("SPD1-VR"),
    evidence=[golden(*EXAMPLES), exact(strategies.spd1_vr_affine, 0.5)],
    control=false_with("u_j of the snapshot", VR.but(path=PATH[:1]), at="alpha_tilde"),
    kills=["baselines.spd1-vr-estimate-without-d", "baselines.spd1-vr-stale-sums"],
)
def unbiased(c: Context, at: str = "alpha") -> Iterable[Relation]:
    """The means of both estimates against X^T alpha/n, with this field for alpha, and X w."""
    old, (eta, tau), n, d = c.state, steps_of(c), c.n, c.problem.d
    means_u, means_z = [Q(0)] * d, [Q(0)] * n
    for (i, _, j, _), p, new in after(c, old):
        means_u[j] += d * p * (old.w[j] - (1 + eta * c.mu) * new.w[j]) / eta
        means_z[i] += n * p * ((c.gamma + 1 / tau) * new.alpha[i] + c.problem.y[i] - old.alpha[i] / tau)
    columns = zip(*c.instance.rows)
    for j, (value, column) in enumerate(zip(means_u, columns)):
        yield Eq(value, dot(column, getattr(old, at)) / n, f"E estimate of u_{j}")
    for i, (value, row) in enumerate(zip(means_z, c.instance.rows)):
        yield Eq(value, dot(row, old.w), f"E estimate of x_{i}^T w")


# -- the rate ----------------------------------------------------------------------------------------------------------


def weights(c: Context) -> tuple[Number, Number]:
    """Return the weights of ||w - w*||^2 and ||alpha - alpha*||^2 in V."""
    eta, tau = steps_of(c)
    return c.problem.d * (1 + eta * c.mu) ** 2 / eta, (1 + tau * c.gamma) ** 2 / tau


def epoch_by_moments(c: Context, length: int) -> Number:
    """E V after that many steps of the first epoch; squared loss and L2, where a step is affine in (w, alpha)."""
    (w, alpha), (primal, dual), inside, d = saddle(c), weights(c), c.start.copy(), c.problem.d
    inside.t = 1  # no step begins with a snapshot
    step, moments = Step(c.method, c.problem, inside, FIELDS), Moments.at(flat(c.start, FIELDS))
    for _ in range(length):
        moments = moments.after(step)
    V = quadratic(lambda x: primal * square(minus(x[:d], w)) + dual * square(minus(x[d:], alpha)), d + c.n)
    return moments.expect(V)


def vr(*rows: tuple[Q, ...], lam: Q, y: tuple[Q, ...], alpha: tuple[Q, ...]) -> Instance:
    """Squared loss, L2, the steps of the theorem."""
    return Instance(rows=rows, y=y, alpha=alpha, lam=lam, method="spd1-vr")


EPOCHS = (
    vr(Qs(1, 1), lam=Q(2), y=Qs(1), alpha=Qs(1)),
    vr(Qs(1), Qs("1/2"), lam=Q(1), y=Qs(1, -1), alpha=Qs(0, 1)),
    vr(Qs(1, 0), Qs("1/2", 1), lam=Q(2), y=Qs(1, -1), alpha=Qs(0, 1)),
    vr(Qs(1), Qs(1), lam=Q(1, 5), y=Qs(1, -1), alpha=Qs(0, 1)),  # C^2 = 2 > R^2 = 1, and C^2 decides theta
)


@claim(
    "baselines.spd1-vr.rate",
    "SPD1-VR with eta = d theta/mu, tau = n theta/gamma, theta = mu gamma/max{10 max(n, d) mu gamma, 4 d max(R^2, C^2)}"
    " and m = ceil(3/(2 theta)): an epoch makes E V at most (3/5) V",
    hypotheses="(1/gamma)-smooth loss, L2 or elastic net; the epoch begins at its snapshot",
    origin=PAPER.ours("SPD1-VR"),
    evidence=[golden(*EPOCHS, detail="second moments of the whole epoch"), exact(strategies.spd1_vr_alone, 0.2)],
    control=false_with("(1/20) V, where there are no data", vr(Qs(0), lam=Q(1), y=Qs(1), alpha=Qs(0)), factor=Q(1, 20)),
    proof=(
        "The steps make E V+ <= V - (3/2) W + (1/2) W~, W~ that of the snapshot, W = mu ||e||^2 + gamma ||a||^2/n,"
        " W <= theta V <= 1.21 W. So E V <= [(1 - x)^m + 1.21/3] V with m x >= (3/2)^2/1.21 and (1 - x)^m <= 1/e^(m x)"
        " < 0.16."
    ),
)
def epoch_lines(c: Context, factor: Q = Q(3, 5)) -> Iterable[Relation]:
    """The constants of the proof, and one epoch: by second moments, or along the path of one row and one column."""
    method: Any = c.method
    (eta, tau), parameters, n, d = steps_of(c), method.parameters(c.problem), c.n, c.problem.d
    theta = eta * c.mu / d
    yield Eq(parameters.eta, eta, "eta")
    yield Eq(parameters.tau, tau, "tau")
    yield Le(Q(3, 2), parameters.m * theta, "m theta >= 3/2")
    yield Le(2 * tau * d * largest_column(c) / n, c.mu / 2, "2 tau d C^2/n <= mu/2", trivial=c.mu)
    yield Le(2 * eta * c.R2 / n, c.gamma / (2 * n), "2 eta R^2/n <= gamma/(2n)", trivial=c.gamma / n)
    for weight, least in zip(weights(c), (c.mu, c.gamma / n)):
        yield Le(least, theta * weight, "W <= theta V")
        yield Le(theta * weight, Q(121, 100) * least, "theta V <= 1.21 W")
    begin = weighted(c, c.start, *weights(c))
    if n * d > 1:
        end = epoch_by_moments(c, parameters.m)
    else:
        last = c.start
        for _ in range(parameters.m):
            last = c.method.step(c.problem, last, (0, 0, 0, 0))
        end = weighted(c, last, *weights(c))
    yield Le(end, factor * begin, f"E V after {parameters.m} steps", trivial=begin)
