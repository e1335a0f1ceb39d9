"""Losses of several numbers: z = A_i^T w and alpha_i have q_i entries each.

====================== ====================================== ===== ======================================== ==========
class                  phi(z)                                 gamma phi*(alpha)                              domain
====================== ====================================== ===== ======================================== ==========
Separable(loss)        sum_k loss(z_k; b_k)                   its   sum_k loss*(alpha_k; b_k)                its, for k
MulticlassSmoothed-    max_{beta in S} <beta, delta + z       > 0   -<delta, alpha> + (gamma/2)||beta||^2    beta in S
Hinge                  - z_c 1> - (gamma/2)||beta||^2
BallHuber              ||e||^2/(2 gamma) | ||e|| - gamma/2    > 0   <b, alpha> + (gamma/2)||alpha||^2        ||alpha||
                                                                                                             <= 1
Softmax                log sum_k e^(z_k) - z_c                2     sum_k beta_k ln beta_k                   beta in S
====================== ====================================== ===== ======================================== ==========

b in R^q is the target, e = z - b; c in 0..q-1 is the class, delta = 1 - e_c, beta = alpha + e_c, S the unit simplex.
``squared`` is Separable(Squared()): ||z - b||^2/(2 gamma). gamma of softmax: its Hessian diag(p) - p p^T is at most
1/2. Values of alpha_i are tuples. Source: AdaSPDC (Zhu and Storkey 2015), (9), whose phi_i(y_i) must read phi_i*(y_i).

In floats beta sums to 1, and ||alpha|| stays below 1, up to rounding only; ``in_domain`` allows exactly this rounding
(see its bounds), and the gap is exact up to this rounding times the size of z.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.reference.numbers.arithmetic import ULP, Number, NumberType, convert, exp, log, sqrt
from dualgap.reference.numbers.elementary import bregman, log1p
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.losses import Loss, Squared

Block = tuple[Number, ...]


def inner(a: Sequence[Number], b: Sequence[Number]) -> Number:
    """<a, b>, summed in order, for two sequences of one length.

    >>> inner((1, 2), (3, 4))
    11
    """
    total: Number = 0
    for a_k, b_k in zip(a, b):
        total = total + a_k * b_k
    return total


class BlockLoss(Loss):
    """The functions of ``Loss`` for tuples: z, alpha and the value of ``derivative`` and ``dual_step`` have q
    entries."""

    margin = False
    numbers: ClassVar[tuple[NumberType, ...]] = (float, Fraction, Interval)

    def over(self, number: NumberType) -> "BlockLoss":
        """The same loss with its constants in ``number``; TypeError for a number that it does not run on."""
        if (Fraction if is_rational(number) else number) not in self.numbers:
            names = " and ".join(known.__name__ for known in self.numbers)
            raise TypeError(f"loss {self.name} runs on {names} (got {number.__name__})")
        copied = super().over(number)
        assert isinstance(copied, BlockLoss)
        return copied

    def target(self, value: Any, q: int, name: str) -> Any:
        """Return the argument y of ``value`` and the other formulas: here b, a tuple of q numbers. Raises a ValueError
        that names ``name`` if it is not."""
        if not hasattr(value, "__len__") or isinstance(value, (str, bytes)) or len(value) != q:
            raise ValueError(f"{name} must be a list of {q} numbers, one for each column of its block (got {value!r})")
        return tuple(convert(v, self.number, f"{name}[{k}]") for k, v in enumerate(value))


class Separable(BlockLoss):
    """The sum over k of one scalar loss of z_k: multi-output regression, or several labels at once.

    Parameters
    ----------
    loss : the scalar loss, such as ``Squared()``.

    >>> loss = Separable(Squared())
    >>> loss.dual_step((Fraction(1), Fraction(0)), (Fraction(0), Fraction(2)), (Fraction(2), Fraction(1)), Fraction(1))
    (Fraction(-1, 2), Fraction(1, 2))
    """

    def __init__(self, loss: Loss) -> None:
        self.scalar = loss
        self.name = loss.name  # type: ignore[misc]  # named as its scalar loss is
        self.domain = loss.domain  # type: ignore[misc]
        self.number, self.gamma, self.zero, self.one = loss.number, loss.gamma, loss.zero, loss.one

    def over(self, number: NumberType) -> "BlockLoss":
        return Separable(self.scalar.over(number))

    def __repr__(self) -> str:
        return f"Separable({self.scalar!r})"

    def target(self, value: object, q: int, name: str) -> Any:
        target = super().target(value, q, name)
        for k, b_k in enumerate(target):
            if self.scalar.margin and not (b_k == 1 or b_k == -1):
                raise ValueError(f"loss {self.name} needs labels -1 and +1, but {name}[{k}] = {b_k}")
        return target

    def value(self, z: Block, y: Block) -> Number:
        total = self.zero
        for z_k, y_k in zip(z, y):
            total = total + self.scalar.value(z_k, y_k)
        return total

    def derivative(self, z: Block, y: Block) -> Block:
        return tuple(self.scalar.derivative(z_k, y_k) for z_k, y_k in zip(z, y))

    def in_domain(self, alpha: Block, y: Block) -> bool:
        return all(self.scalar.in_domain(alpha_k, y_k) for alpha_k, y_k in zip(alpha, y))

    def conjugate(self, alpha: Block, y: Block) -> Number:
        total = self.zero
        for alpha_k, y_k in zip(alpha, y):
            total = total + self.scalar.conjugate(alpha_k, y_k)
        return total

    def dual_step(self, z: Block, alpha: Block, y: Block, q: Number) -> Block:
        return tuple(self.scalar.dual_step(z_k, alpha_k, y_k, q) for z_k, alpha_k, y_k in zip(z, alpha, y))

    def residual(self, z: Block, alpha: Block, y: Block) -> Number:
        total = self.zero
        for z_k, alpha_k, y_k in zip(z, alpha, y):
            total = total + self.scalar.residual(z_k, alpha_k, y_k)
        return total


class BallHuber(BlockLoss):
    """||e||^2/(2 gamma) if ||e|| <= gamma, ||e|| - gamma/2 else; e = z - b. Fractions need rational ||e|| outside the
    ball.

    Parameters
    ----------
    gamma : number > 0, the radius of the quadratic part; 1 by default.
    """

    name, adjustable = "ball-huber", True
    default_gamma = Fraction(1)
    domain = "||alpha_i|| <= 1"

    def error(self, z: Block, y: Block) -> tuple[Block, Number]:
        """e = z - b and ||e||^2."""
        e = tuple(z_k - y_k for z_k, y_k in zip(z, y))
        return e, self.zero + inner(e, e)

    def value(self, z: Block, y: Block) -> Number:
        _, square = self.error(z, y)
        return square / (2 * self.gamma) if square <= self.gamma * self.gamma else sqrt(square) - self.gamma / 2

    def derivative(self, z: Block, y: Block) -> Block:
        return self.dual_step(z, tuple(self.zero for _ in z), y, self.zero)

    def in_domain(self, alpha: Block, y: Block) -> bool:
        """||alpha||^2 <= 1; floats: up to (q + 4) 2^-52 more, the roundings of the dual step's division and of this
        sum.
        """
        room = (len(alpha) + 4) * ULP if self.number is float else 0
        return bool(inner(alpha, alpha) <= 1 + room)

    def conjugate(self, alpha: Block, y: Block) -> Number:
        self.require_domain(alpha, y)
        return self.zero + inner(y, alpha) + self.gamma * inner(alpha, alpha) / 2

    def dual_step(self, z: Block, alpha: Block, y: Block, q: Number) -> Block:
        free = tuple((z_k - y_k + q * alpha_k) / (self.gamma + q) for z_k, alpha_k, y_k in zip(z, alpha, y))
        square = self.zero + inner(free, free)
        if square <= 1:
            return free
        length = sqrt(square)
        return tuple(v_k / length for v_k in free)

    def residual(self, z: Block, alpha: Block, y: Block) -> Number:
        """Return the residual, with e^ = e/||e||: (gamma/2)||alpha - e^||^2 + (||e|| - gamma)(||alpha - e^||^2 + 1 -
        ||alpha||^2)/2 outside the ball.
        """
        self.require_domain(alpha, y)
        e, square = self.error(z, y)
        inside = square <= self.gamma * self.gamma
        length = self.gamma if inside else sqrt(square)
        distance = tuple(alpha_k - e_k / length for alpha_k, e_k in zip(alpha, e))
        apart = self.zero + inner(distance, distance)
        if inside:
            return self.gamma * apart / 2
        slack = 1 - inner(alpha, alpha)
        slack = slack if slack >= 0 else self.zero  # negative by rounding alone: alpha is in the domain
        return self.gamma * apart / 2 + (length - self.gamma) * (apart + slack) / 2


class SimplexLoss(BlockLoss):
    """Losses of one class c among q, with alpha = beta - e_c and beta in the unit simplex."""

    numbers: ClassVar[tuple[NumberType, ...]] = (float, Fraction)
    domain = "alpha_i + e_c in the unit simplex"

    def target(self, value: Any, q: int, name: str) -> Any:
        try:
            label = convert(value, Fraction, name)
        except ValueError:
            label = Fraction(-1)
        if label.denominator != 1 or not 0 <= label < q:
            raise ValueError(f"{name} must be a class, an integer in 0..{q - 1} (got {value!r})")
        return int(label)

    def beta(self, alpha: Block, c: int) -> Block:
        """alpha + e_c."""
        return tuple(alpha_k + 1 if k == c else alpha_k for k, alpha_k in enumerate(alpha))

    def minus_class(self, beta: list[Number], c: int) -> Block:
        """beta - e_c."""
        return tuple(beta_k - 1 if k == c else beta_k for k, beta_k in enumerate(beta))

    def in_domain(self, alpha: Block, y: int) -> bool:
        """beta >= 0 with sum 1; floats: the sum up to q (q + 6) 2^-53, the roundings of ``project_simplex`` and of this
        sum.
        """
        room = len(alpha) * (len(alpha) + 6) * ULP / 2 if self.number is float else 0
        total = self.zero
        for alpha_k in alpha:
            total = total + alpha_k
        return all(beta_k >= 0 for beta_k in self.beta(alpha, y)) and bool(-room <= total <= room)


class MulticlassSmoothedHinge(SimplexLoss):
    """max over beta in the simplex of <beta, delta + z - z_c 1> - (gamma/2)||beta||^2.

    Parameters
    ----------
    gamma : number > 0, the weight of the square; 1 by default.

    >>> loss = MulticlassSmoothedHinge(gamma=1)
    >>> loss.derivative((Fraction(0), Fraction(0), Fraction(0)), 0)
    (Fraction(-1, 1), Fraction(1, 2), Fraction(1, 2))
    """

    name, adjustable = "multiclass-smoothed-hinge", True
    default_gamma = Fraction(1)

    def margins(self, z: Block, c: int) -> Block:
        """delta + z - z_c 1: the violated margins of all classes; 0 for c itself."""
        return tuple(self.zero if k == c else 1 + (z_k - z[c]) for k, z_k in enumerate(z))

    def value(self, z: Block, y: int) -> Number:
        margins = self.margins(z, y)
        beta, _ = project_simplex([a_k / self.gamma for a_k in margins])
        return self.zero + inner(beta, margins) - self.gamma * inner(beta, beta) / 2

    def derivative(self, z: Block, y: int) -> Block:
        beta, _ = project_simplex([a_k / self.gamma for a_k in self.margins(z, y)])
        return self.minus_class(beta, y)

    def conjugate(self, alpha: Block, y: int) -> Number:
        self.require_domain(alpha, y)
        beta, total = self.beta(alpha, y), self.zero
        for k, alpha_k in enumerate(alpha):
            total = total if k == y else total + alpha_k
        return self.gamma * inner(beta, beta) / 2 - total

    def dual_step(self, z: Block, alpha: Block, y: int, q: Number) -> Block:
        margins, beta = self.margins(z, y), self.beta(alpha, y)
        following, _ = project_simplex([(a_k + q * beta_k) / (self.gamma + q) for a_k, beta_k in zip(margins, beta)])
        return self.minus_class(following, y)

    def residual(self, z: Block, alpha: Block, y: int) -> Number:
        """(gamma/2)||beta - best||^2 + gamma <slack, beta>: best and slack of the projection that gives phi(z)."""
        self.require_domain(alpha, y)
        beta = self.beta(alpha, y)
        best, slack = project_simplex([a_k / self.gamma for a_k in self.margins(z, y)])
        distance = [beta_k - best_k for beta_k, best_k in zip(beta, best)]
        return self.gamma * (self.zero + inner(distance, distance)) / 2 + self.gamma * inner(slack, beta)


class Softmax(SimplexLoss):
    """log sum_k e^(z_k) - z_c, in floats. For two classes and A_i = a_i (x) I it is the logistic loss of z_1 - z_0."""

    name, rational = "softmax", False
    default_gamma = Fraction(2)
    numbers = (float,)

    def value(self, z: Block, y: int) -> Number:
        return -self.log_probabilities(z)[y]

    def log_probabilities(self, z: Block) -> Block:
        """ln p_k with p = e^z / sum e^z, shape (q,)."""
        top = max(range(len(z)), key=lambda k: z[k])
        rest = self.zero
        for k, z_k in enumerate(z):
            rest = rest if k == top else rest + exp(z_k - z[top])
        return tuple((z_k - z[top]) - log1p(rest) for z_k in z)

    def derivative(self, z: Block, y: object) -> Block:
        """p - e_c; the entry of c as minus the sum of the others, which does not cancel."""
        p = [exp(log_p) for log_p in self.log_probabilities(z)]
        others = self.zero
        for k, p_k in enumerate(p):
            others = others if k == y else others + p_k
        return tuple(-others if k == y else p_k for k, p_k in enumerate(p))

    def conjugate(self, alpha: Block, y: int) -> Number:
        self.require_domain(alpha, y)
        total = self.zero
        for beta_k in self.beta(alpha, y):
            if beta_k > 0:  # 0 ln 0 = 0
                total = total + beta_k * log(beta_k)
        return total

    def dual_step(self, z: Block, alpha: Block, y: int, q: Number) -> Block:
        if q == 0:
            return self.derivative(z, y)
        beta = entropy_prox([z_k + q * beta_k for z_k, beta_k in zip(z, self.beta(alpha, y))], q)
        return self.minus_class(beta, y)

    def residual(self, z: Block, alpha: Block, y: int) -> Number:
        """KL(beta || p): the sum of the Bregman terms beta_k ln(beta_k/p_k) - beta_k + p_k >= 0."""
        self.require_domain(alpha, y)
        total, best = self.zero, self.derivative(z, y)
        for beta_k, log_p, alpha_k, best_k in zip(self.beta(alpha, y), self.log_probabilities(z), alpha, best):
            total = total + bregman(beta_k, exp(log_p), log_p, alpha_k - best_k)
        return total


# -- the two solves on the simplex -------------------------------------------------------------------------------------


def project_simplex(point: list[Number]) -> tuple[list[Number], list[Number]]:
    """The nearest beta in the unit simplex, beta_k = max(point_k - t, 0), and the slack max(t - point_k, 0).

    Sorting decides how many entries stay positive. Points are taken relative to the largest, so that t lies in [-1, 0).

    >>> [[str(x) for x in part] for part in project_simplex([Fraction(1), Fraction(1, 2), Fraction(-1)])]
    [['3/4', '1/4', '0'], ['0', '0', '5/4']]
    """
    top = max(point)
    relative = [p - top for p in point]
    zero = top - top
    total, t = zero, zero
    for count, value in enumerate(sorted(relative, reverse=True), 1):
        total = total + value
        candidate = (total - 1) / count
        if value <= candidate:
            break
        t = candidate
    return [p - t if p > t else zero for p in relative], [t - p if p < t else zero for p in relative]


def entropy_prox(a: list[float], q: float) -> list[float]:
    """argmin over beta in the unit simplex of sum_k beta_k ln beta_k - a_k beta_k + (q/2) beta_k^2, for q > 0.

    Stationarity: v_k + q e^(v_k) = a_k - mu with v_k = ln beta_k. The sum of e^(v_k) falls in mu and is convex in it,
    and at mu = max a - q its largest term is 1: Newton from there only rises towards the root. The last division makes
    the sum 1 up to rounding.

    >>> entropy_prox([1.0, 1.0], 3.0)
    [0.5, 0.5]
    """
    top = max(a)
    mu = -q
    while True:
        beta = [exp(_entropy_root((a_k - top) - mu, q)) for a_k in a]
        total = slope = 0.0
        for beta_k in beta:
            total, slope = total + beta_k, slope + beta_k / (1 + q * beta_k)
        following = mu + (total - 1) / slope
        if not following > mu:
            return [beta_k / total for beta_k in beta]
        mu = following


def _entropy_root(level: float, q: float) -> float:
    """The root v of v + q e^v = level, which is convex in v: Newton from the right of the root only falls.

    With x = q e^level the root is level - W(x), W Lambert's function: W(x) >= 0, and W(x) >= ln x - ln ln x for x >= e.
    """
    log_x = level + log(q)
    v = log(log_x) - log(q) if log_x > 1 else level
    while True:
        mass = q * exp(v)
        following = v - (v + mass - level) / (1 + mass)
        if not following < v:
            return v
        v = following


BLOCK_LOSSES = {
    "squared": lambda gamma=None: Separable(Squared(gamma)),
    "multiclass-smoothed-hinge": MulticlassSmoothedHinge,
    "ball-huber": BallHuber,
    "softmax": Softmax,
}
