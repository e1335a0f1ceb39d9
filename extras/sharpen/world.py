"""A ``Problem`` whose rows, loss, regularizer and state are unknown, so that the reference's own lines run on them.

The data have one column, whose entries are whole rows as operators. The saddle point is the origin: subtracting it
turns any problem into one with alpha* = 0, w* = 0 and gamma-strongly convex conjugates h_i >= h_i(0) = 0. Every
oracle (``derivative``, ``dual_step``, ``prox``, ...) adds a point to its function. The interpolation conditions of all
points are known; nothing else is.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dualgap.extras.sharpen.symbols import Expr, Key, Nonlinear, Space, Vec, World
from dualgap.reference import L2, Loss, Problem
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.general_regularizer import GeneralRegularizer
from dualgap.reference.problem.validate import Row

Terms = dict[Key, Fraction]
Facts = dict[str, Any]  # inequalities, equalities, matrices: terms; space: of each basis vector
Point = tuple[Vec, Vec | None, Expr]  # where, a subgradient there (None: unknown), the value


class Convex:
    """Any ``modulus``-strongly convex function of one space with minimum 0 at the origin."""

    def __init__(self, world: World, space: Space, modulus: Fraction) -> None:
        self.world, self.space, self.modulus = world, space, modulus
        origin = Vec({}, space)
        self.points: list[Point] = [(origin, origin, Expr({}))]

    def add(self, point: Vec, slope: Vec | None) -> Point:
        """A new point."""
        self.points.append((point, slope, self.world.value(self.space, point)))
        return self.points[-1]

    def at(self, point: Vec) -> Point:
        """The entry of a point. It has no subgradient, because none need exist on the boundary of the domain."""
        return next((p for p in self.points if p[0] == point), None) or self.add(point, None)

    def with_slope(self, slope: Vec) -> Point:
        """The entry of the only point where ``slope`` is a subgradient."""
        known = next((p for p in self.points if p[1] == slope), None)
        return known or self.add(self.world.vector(self.space, ("slope", self.space, slope)), slope)

    def proximal(self, slope: Vec, point: Vec, q: Number) -> Vec:
        """argmin_a f(a) - <slope, a> + (q/2)|a - point|^2."""
        new = self.world.vector(self.space, ("step", self.space, slope, point, q))
        return self.add(new, slope - q * (new - point))[0]

    def inequalities(self) -> list[Expr]:
        """f(a) - f(b) - <s_b, a - b> - (modulus/2)|a - b|^2 >= 0 for all points.

        These conditions are exact: Taylor, Hendrickx and Glineur, "Smooth strongly convex interpolation", 2017.
        """
        return [
            f - g - s * (a - b) - self.modulus / 2 * ((a - b) * (a - b))
            for k, (a, _, f) in enumerate(self.points)
            for j, (b, s, g) in enumerate(self.points)
            if k != j and s is not None
        ]


class AnyLoss(Loss):
    """Any convex, (1/gamma)-smooth loss, through the conjugates h_i of its rows."""

    name, margin, adjustable = "any", False, True
    default_gamma = Fraction(1)

    def __init__(self, world: World, gamma: Fraction) -> None:
        super().__init__(gamma)
        self.conjugates = [Convex(world, i, gamma) for i in range(len(world.R2))]

    def derivative(self, z: Vec, y: object) -> Vec:
        return self._of(z).with_slope(z)[0]

    def dual_step(self, z: Vec, alpha: Vec, y: object, q: Number) -> Vec:
        return self._of(z).proximal(z, alpha, q)

    def conjugate(self, alpha: Vec, y: object) -> Expr:
        return self._of(alpha).at(alpha)[2]

    def value(self, z: Vec, y: object) -> Number:
        alpha, _, h = self._of(z).with_slope(z)
        return z * alpha - h

    def residual(self, z: Vec, alpha: Vec, y: object) -> Number:
        return self.value(z, y) + self.conjugate(alpha, y) - z * alpha

    def _of(self, vector: Vec) -> Convex:
        if not isinstance(vector, Vec) or not isinstance(vector.space, int):
            raise Nonlinear("it asks the loss for a point that is not a vector of a row")
        return self.conjugates[vector.space]


class Ridge(L2):
    """L2 without the comparisons of the soft threshold."""

    def prox(self, w: list[Vec], tau: Number) -> list[Vec]:
        return [w_j / (1 + tau * self.modulus) for w_j in w]

    def residual(self, w: list[Vec], minus_u: list[Vec]) -> Number:
        return sum((self.modulus / 2 * ((a - b) * (a - b)) for a, b in zip(w, self.dual_point(minus_u))), Expr({}))


class AnyRegularizer(GeneralRegularizer):
    """Any lam-strongly convex g."""

    modulus = property(lambda self: self.lam)

    def __init__(self, world: World, lam: Fraction) -> None:
        super().__init__(lam)
        self.g = Convex(world, "W", lam)

    def require(self, d: int) -> None:
        """Nothing: the class is defined by its conditions."""

    def value(self, w: list[Vec]) -> Number:
        return self.g.at(w[0])[2]

    def gradient_conjugate(self, minus_u: list[Vec]) -> list[Vec]:
        return [self.g.with_slope(minus_u[0])[0]]

    def conjugate(self, minus_u: list[Vec]) -> Number:
        w, _, value = self.g.with_slope(minus_u[0])
        return minus_u[0] * w - value

    def residual(self, w: list[Vec], minus_u: list[Vec]) -> Number:
        return self.value(w) + self.conjugate(minus_u) - minus_u[0] * w[0]

    def prox(self, w: list[Vec], tau: Number) -> list[Vec]:
        return [self.g.proximal(w[0] / tau, Vec({}, "W"), 1 / tau)]


class AnyProblem(Problem):
    """Any problem with ||x_i|| <= R, a (1/gamma)-smooth loss, and L2 or any lam-strongly convex g.

    Parameters
    ----------
    n, lam, gamma, R : the constants of the class, exact.
    norms : "own": ``norms2`` are the squares of the rows' own norms, unknown as the rows; "bound": they are R^2.
    general : any strongly convex g instead of L2.
    spectral : an upper bound of ||X||_2, which a method that asks for this norm is given.
    """

    def __init__(
        self,
        n: int,
        lam: Fraction,
        gamma: Fraction,
        R: Fraction,
        norms: str = "own",
        general: bool = False,
        spectral: Fraction | None = None,
    ) -> None:
        self.world = World([R * R] * n, None if spectral is None else spectral**2)
        self.spectral = spectral
        self.n, self.d, self.number, self.zero, self.X = n, 1, Fraction, Fraction(0), None
        self.rows: Any = [[(0, row)] for row in self.world.rows]
        self.y: Any = [None] * n
        own = [row * row for row in self.world.rows]
        self._cached = {"norms2": own if norms == "own" else self.world.R2, "R2": R * R}
        self.norms: Any = [R] * n
        self.loss: AnyLoss = AnyLoss(self.world, gamma)
        self._set_regularizer(AnyRegularizer(self.world, lam) if general else Ridge(lam))

    @property
    def columns(self) -> list[Row]:
        """Columns of a matrix whose spectral norm is the bound."""
        if self.spectral is None:
            raise Nonlinear("it needs a bound of ||X||_2; give it with --spectral L")
        return [[(0, self.spectral)]]

    def require_alpha(self, alpha: Sequence[Vec]) -> list[Vec]:
        return list(alpha)

    def free_alpha(self) -> list[Vec]:
        """Unknown dual values, one for each row."""
        return [self.world.vector(i) for i in range(self.n)]

    def facts(self) -> Facts:
        """Return the assumptions of every proof in this world."""
        g = self.regularizer
        functions = [*self.loss.conjugates, *([g.g] if isinstance(g, AnyRegularizer) else [])]
        return {
            "space": list(self.world.space),
            "inequalities": [e.terms for f in functions for e in f.inequalities()],
            "equalities": [e.terms for e in self.world.equalities()],
            "matrices": [[[e.terms for e in row] for row in M] for M in self.world.matrices()],
        }
