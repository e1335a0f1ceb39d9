"""An enclosure of the optimum where it is not rational, as for the logistic loss: Newton's method for a point, one
bound for its error.

Each step minimizes a quadratic model of the smooth part of P, with l1 ||w||_1 as it is, exactly; phi'' is a difference
of phi'. It gives a rational w as close to w* as required. How near is proved of that w alone: P is mu-strongly
convex, so for every subgradient s of P at w

    ||w - w*|| <= ||s|| / mu,      |x_i^T w - x_i^T w*| <= ||x_i|| ||s|| / mu =: r_i,

and alpha_i* = phi'(x_i^T w*) lies between phi'(x_i^T w - r_i) and phi'(x_i^T w + r_i), since phi' does not decrease.
All of this is computed in intervals; w is a rational, so that the signs of its entries are known.
"""

from decimal import Decimal
from fractions import Fraction

from dualgap.proofs_checks.engines.optimum import box_minimum, solve_linear
from dualgap.reference import Interval, Problem
from dualgap.reference.numbers.interval import digits
from dualgap.reference.problem.problem import Vector

EXTRA = 15  # digits beyond the requested ones
NOTHING = Decimal("1e-1000")
MOST = 200  # steps of Newton's method


def enclosed_optimum(problem: Problem) -> Vector:
    """alpha*, shape (n,), of a problem over Interval with a smooth loss: to about the digits that are being worked
    with.

    Raises
    ------
    ValueError
        Another number than Interval, gamma = 0, or a regularizer that is neither L2 nor the elastic net.
    ArithmeticError
        Newton's method has not come near: the problem is too badly conditioned, as can be where phi' has kinks.

    >>> from dualgap.reference import L2, Logistic, Problem
    >>> p = Problem([[1], [1]], [1, 1], Logistic(), L2(1), number=Interval)
    >>> Fraction("0.401058137541547") < p.w(enclosed_optimum(p))[0] < Fraction("0.401058137541548")  # w = 1/(1 + e^w)
    True
    """
    if problem.number is not Interval or not problem.gamma > 0 or problem.regularizer.family != "quadratic":
        raise ValueError(
            "the problem must be over Interval, with a smooth loss and L2 or the elastic net (got"
            f" {problem.number.__name__}, {problem.loss!r} and {problem.regularizer!r})"
        )
    asked = len(Interval(Fraction(1, 3)).low.as_tuple().digits)  # that are being worked with
    with digits(asked + EXTRA):
        return Enclosure(problem, asked + EXTRA).alpha(Fraction(1, 10 ** (asked + EXTRA // 2)))


class Enclosure:
    """One problem over Interval, and rational points that come nearer to w*."""

    def __init__(self, problem: Problem, places: int) -> None:
        self.problem, self.l1 = problem, middle(problem.regularizer.l1)
        self.rows = [[(j, middle(x)) for j, x in row] for row in problem.rows]
        self.h = Fraction(1, 10 ** (places // 3))  # of the difference that stands for phi''

    def alpha(self, narrow: Fraction) -> Vector:
        """alpha* from a w within ``narrow`` of w*, or the nearest that steps of Newton's method lead to."""
        w = [Fraction(0)] * self.problem.d
        radius = self.radius(w)
        for _ in range(MOST):
            if radius.high <= narrow:
                break
            nearer = self.step(w, radius)
            if nearer is None:
                break
            w, radius = nearer
        if radius.high > Fraction(1, 10**6):
            raise ArithmeticError(
                f"the optimum of {self.problem.loss!r}, {self.problem.regularizer!r} is known within {radius.high:.3g}"
                " only"
            )
        return self.around(w, radius)

    def step(self, w: Vector, radius: Interval) -> tuple[Vector, Interval] | None:
        """The next w with its radius: the minimizer of the quadratic model, a point on the way with less P, or none."""
        best, P, t = self.minimizer_of_model(w), None, Fraction(1)
        while t > Fraction(1, 2**30):
            near = [rounded(w_j + t * (b_j - w_j)) for w_j, b_j in zip(w, best)]
            found = self.radius(near)
            if 2 * found.high < radius.high:
                return near, found
            P = self.problem.P(w) if P is None else P
            if self.problem.P(near).high < P.low:
                return near, found
            t /= 2
        return None

    def minimizer_of_model(self, w: Vector) -> Vector:
        """argmin_x h(w)^T x + (x - w)^T H (x - w)/2 + l1 ||x||_1, with gradient h and Hessian H of the rest of P.

        By its dual: x = H^-1 (b - s), b = H w - h, for the s that minimizes (b - s)^T H^-1 (b - s) over |s_j| <= l1.
        """
        d = self.problem.d
        gradient, H = self.derivatives(w)
        unit = [[Fraction(int(j == k)) for k in range(d)] for j in range(d)]
        inverse = [list(line) for line in zip(*(solve_linear(H, e) for e in unit))]
        b = [inner(line, w) - h for line, h in zip(H, gradient)]
        newton = [inner(line, b) for line in inverse]
        s = box_minimum(inverse, newton, [-self.l1] * d, [self.l1] * d) if self.l1 else [Fraction(0)] * d
        return [x - inner(line, s) for x, line in zip(newton, inverse)]

    def derivatives(self, w: Vector) -> tuple[Vector, list[Vector]]:
        """Gradient and Hessian of P without l1 ||w||_1, shapes (d,) and (d, d), rounded."""
        problem, d, g = self.problem, self.problem.d, self.problem.regularizer
        mu, kappa = middle(g.modulus), middle(g.kappa)
        centre = [Fraction(0)] * d if g.centre is None else [middle(c) for c in g.centre]
        gradient = [mu * w_j - kappa * c_j for w_j, c_j in zip(w, centre)]
        H = [[mu * (j == k) for k in range(d)] for j in range(d)]
        for i, row in enumerate(self.rows):
            z = sum((x * w[j] for j, x in row), Fraction(0))
            slope, bend = self.slope(z, i), (self.slope(z + self.h, i) - self.slope(z - self.h, i)) / (2 * self.h)
            for j, x in row:
                gradient[j] += slope * x / problem.n
                for k, other in row:
                    H[j][k] += bend * x * other / problem.n
        return [rounded(h) for h in gradient], [[rounded(x) for x in line] for line in H]

    def slope(self, z: Fraction, i: int) -> Fraction:
        """phi_i'(z), the middle of its interval."""
        return middle(self.problem.loss.derivative(Interval(z), self.problem.y[i]))

    def radius(self, w: Vector) -> Interval:
        """||s||/mu for the smallest subgradient s of P at w, from above."""
        problem = self.problem
        slopes = [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]
        g, total = problem.regularizer, Interval(0)
        for j, minus_u in enumerate(problem.minus_u(slopes)):
            s = g.modulus * w[j] - minus_u - g.kappa * (0 if g.centre is None else g.centre[j])
            if w[j]:
                s = s + (g.l1 if w[j] > 0 else -g.l1)
            else:  # any number between -l1 and l1 may be added
                s = Interval.hull(0, Fraction(max(Decimal(0), (abs(s) - g.l1).high)))
            total = total + s * s
        return Interval(Fraction((Interval.hull(0, Fraction(total.high)).sqrt() / g.modulus).high))

    def around(self, w: Vector, radius: Interval) -> Vector:
        """alpha* from w* within the radius of w."""
        problem, found = self.problem, []
        for i, (row, y) in enumerate(zip(problem.rows, problem.y)):
            z, r = problem.dot(row, w), problem.norms2[i].sqrt() * radius
            ends = [problem.loss.derivative(Interval(Fraction(end)), y) for end in ((z - r).low, (z + r).high)]
            found.append(Interval.hull(*ends))
        return found


def rounded(x: Fraction) -> Fraction:
    """x to so many digits that its rounding does not matter."""
    return middle(Interval(x))


def middle(x: Interval) -> Fraction:
    """Its middle, or 0 for what is below every number that matters here and would fill memory as a fraction."""
    return Fraction(0) if max(abs(x.low), abs(x.high)) < NOTHING else x.midpoint()


def inner(x: Vector, y: Vector) -> Fraction:
    """x^T y."""
    return sum((x_j * y_j for x_j, y_j in zip(x, y)), Fraction(0))
