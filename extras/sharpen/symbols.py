"""Unknown vectors: linear combinations of basis vectors, their inner products, and rows x_i as unknown operators.

A ``World`` is a class of problems as one step of a method sees it. Space "W" contains primal vectors. Space i contains
alpha_i and x_i^T w. Row i is a linear map from space i to W of norm at most R, so alpha_i may also be a vector; a
number is the special case. All coefficients are exact.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from dualgap.extras.exact.roots import Number, Root
from dualgap.proofs_checks.engines.optimum import reduced

Key: TypeAlias = tuple[Any, ...]  # ("G", j, k): inner product; ("F", j): function value; ("1",): the constant
Space: TypeAlias = int | str
ZERO = Fraction(0)
NUMBERS = (int, Fraction, Root)
K = TypeVar("K", int, Key)
L = TypeVar("L", bound="Linear[Any]")


class Nonlinear(TypeError, ValueError):
    """A step that is not one linear expression for all problems of the class; the message names the operation."""


class Linear(Generic[K]):
    """A linear combination, from keys to coefficients."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, terms: Mapping[K, Number]) -> None:
        self.terms: dict[K, Fraction] = {
            key: c if type(c) in (Fraction, Root) else Fraction(c) for key, c in terms.items() if c
        }

    def like(self: L, terms: Mapping[K, Fraction | int]) -> L:
        """A combination of the same kind."""
        return type(self)(terms)

    def require(self, other: object) -> None:
        """Raise Nonlinear unless the sum with ``other`` is defined."""
        if type(self) is not type(other):
            raise Nonlinear(f"it adds a {_kind(other)} to a {_kind(self)}")

    def __add__(self: L, other: Any) -> L:
        if isinstance(other, (int, Fraction)) and other == 0:
            return self
        self.require(other)
        terms, others = dict(self.terms), other.terms  # pyright: ignore[reportAttributeAccessIssue]
        for key, c in others.items():
            terms[key] = terms[key] + c if key in terms else c
        return self.like(terms)

    __radd__ = __add__

    def __neg__(self: L) -> L:
        return self.like({key: -c for key, c in self.terms.items()})

    def __sub__(self: L, other: Any) -> L:
        return self.__add__(-other)

    def __rsub__(self: L, other: object) -> L:
        return (-self).__add__(other)

    def __mul__(self, factor: object) -> Any:
        if not isinstance(factor, NUMBERS):
            return NotImplemented
        return self.like({key: c * factor for key, c in self.terms.items()})

    __rmul__ = __mul__

    def __truediv__(self: L, divisor: object) -> L:
        if not isinstance(divisor, NUMBERS):
            raise Nonlinear("it divides by an unknown")
        return self.like({key: c / divisor for key, c in self.terms.items()})

    def __rtruediv__(self, _: object) -> NoReturn:
        raise Nonlinear("it divides by an unknown")

    def __bool__(self) -> NoReturn:
        raise Nonlinear("it branches on the state")

    def __lt__(self, _: object) -> NoReturn:
        raise Nonlinear("it compares values of the state")

    __le__ = __gt__ = __ge__ = __lt__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and type(self) is type(other) and self.terms == other.terms


class Expr(Linear[Key]):
    """A quantity: linear in inner products of basis vectors, in function values and in the constant."""

    def __add__(self, other: object) -> "Expr":
        return super().__add__(Expr({("1",): other}) if isinstance(other, (int, Fraction)) else other)

    __radd__ = __add__


class Vec(Linear[int]):
    """A vector of one space over the basis of its world."""

    def __init__(self, terms: Mapping[int, Fraction | int], space: Space) -> None:
        super().__init__(terms)
        self.space = space

    def like(self, terms: Mapping[int, Fraction | int]) -> "Vec":
        return Vec(terms, self.space)

    def require(self, other: object) -> None:
        super().require(other)
        if self.space != other.space:  # type: ignore[attr-defined]
            raise Nonlinear("it adds vectors of two different rows, or a primal to a dual vector")

    def __mul__(self, other: object) -> Any:
        if not isinstance(other, Vec):
            return super().__mul__(other)
        self.require(other)
        terms: dict[Key, Fraction] = {}
        for j, a in self.terms.items():
            for k, b in other.terms.items():
                key = ("G", min(j, k), max(j, k))
                terms[key] = terms[key] + a * b if key in terms else a * b
        return Expr(terms)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Any:
        return self * self if power == 2 else NotImplemented

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and isinstance(other, Vec) and self.space == other.space


def _kind(value: object) -> str:
    return {Vec: "vector", Expr: "quantity", int: "number", Fraction: "number"}.get(type(value), type(value).__name__)


class Row:
    """x_i: ``x * v`` is x_i alpha for a vector of space i, and x_i^T w for one of W."""

    def __init__(self, world: "World", i: int) -> None:
        self.world, self.i = world, i
        self.forward: list[tuple[Vec, Vec]] = []
        self.adjoint: list[tuple[Vec, Vec]] = []

    def __mul__(self, other: object) -> Any:
        if isinstance(other, Row):
            if other is not self:
                raise Nonlinear("it multiplies two different rows")
            return Square(self, Fraction(1))
        if not isinstance(other, Vec):
            return NotImplemented
        if other.space not in (self.i, "W"):
            raise Nonlinear(f"it multiplies row {self.i} by a vector of another row")
        pairs, target = (self.forward, "W") if other.space == self.i else (self.adjoint, self.i)
        if (image := next((image for given, image in pairs if given == other), None)) is not None:
            return image
        found = combination(other, [given for given, _ in pairs])
        if found is None:
            pairs.append((other, self.world.vector(target, ("row", self.i, other))))
            return pairs[-1][1]
        return sum((c * image for c, (_, image) in zip(found, pairs)), Vec({}, target))

    __rmul__ = __mul__


class Square:
    """factor x_i^T x_i, an entry of ``norms2``: a number for a row, for a block the map alpha -> x_i^T (x_i alpha)."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, row: Row, factor: Fraction) -> None:
        self.row, self.factor = row, factor

    def __mul__(self, other: object) -> Any:
        if isinstance(other, (int, Fraction)):
            return Square(self.row, self.factor * other)
        return self.factor * (self.row * (self.row * other))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Fraction) -> "Square":
        return Square(self.row, self.factor / divisor)

    def __add__(self, _: object) -> NoReturn:
        raise Nonlinear("it adds squares of rows or of their entries")

    __radd__ = __add__

    def __eq__(self, _: object) -> NoReturn:
        raise Nonlinear("it compares norms of rows")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__


class World:
    """The basis, the origin of each of its vectors, and what is known about them.

    Parameters
    ----------
    R2 : upper bounds of ||x_i||^2, one for each row.
    spectral2 : an upper bound of ||X||_2^2, if it is known.
    """

    def __init__(self, R2: Sequence[Fraction], spectral2: Fraction | None = None) -> None:
        self.R2, self.spectral2 = list(R2), spectral2
        self.space: list[Space] = []
        self.recipes: list[tuple[object, ...]] = []
        self.values: list[tuple[Space, Vec]] = []
        self.rows = [Row(self, i) for i in range(len(self.R2))]

    def vector(self, space: Space, recipe: tuple[object, ...] = ("free",)) -> Vec:
        """A new basis vector; the recipe says how an instance computes it."""
        self.space.append(space)
        self.recipes.append(recipe)
        return Vec({len(self.space) - 1: 1}, space)

    def value(self, space: Space, point: Vec) -> Expr:
        """The unknown value of the function of a space at a point."""
        self.values.append((space, point))
        return Expr({("F", len(self.values) - 1): 1})

    def equalities(self) -> list[Expr]:
        """<alpha, x^T w> - <x alpha, w>, which is 0."""
        return [a * q - p * b for row in self.rows for a, p in row.forward for b, q in row.adjoint]

    def matrices(self) -> list[list[list[Expr]]]:
        """R^2 <a, a'> - <x a, x a'> for x_i and for x_i^T, which are positive semidefinite.

        With ``equalities`` this is everything that can be said about a map of norm at most R: Bousselmi, Hendrickx and
        Glineur, "Interpolation conditions for linear operators and applications to performance estimation problems".
        """
        sides = [(self.R2[row.i], side) for row in self.rows for side in (row.forward, row.adjoint) if side]
        found = [[[R2 * (a * b) - p * q for b, q in side] for a, p in side] for R2, side in sides]
        return found if self.spectral2 is None else found + self._spectral(self.spectral2)

    def _spectral(self, bound: Fraction) -> list[list[list[Expr]]]:
        """||sum_i x_i a_i||^2 <= bound sum_i |a_i|^2 for all combinations a_i of the points of row i, and
        sum_i |x_i^T w|^2 <= bound ||w||^2 for all combinations w of the points of which all x_i^T w are known.
        """
        pairs = [(row.i, a, p) for row in self.rows for a, p in row.forward]
        zero = Expr({})
        found = [[[(bound * (a * b) if i == j else zero) - p * q for j, b, q in pairs] for i, a, p in pairs]]
        images = [
            [next((q for w, q in row.adjoint if w == v), None) for row in self.rows] for v, _ in self.rows[0].adjoint
        ]
        known = [(v, all_of) for (v, _), all_of in zip(self.rows[0].adjoint, images) if None not in all_of]
        product: Callable[[Any, Any], Expr] = lambda ps, qs: sum((p * q for p, q in zip(ps, qs)), zero)
        products = [[product(ps, qs) for _, qs in known] for _, ps in known]
        found += [[[bound * (v * w) - s for (w, _), s in zip(known, row)] for (v, _), row in zip(known, products)]]
        return [M for M in found if M]


def combination(vector: Vec, known: Sequence[Vec]) -> list[Fraction] | None:
    """Coefficients c with vector = sum c_k known_k; None if there are none."""
    keys = sorted({key for v in [vector, *known] for key in v.terms})
    return solve([[v.terms.get(key, ZERO) for v in (*known, vector)] for key in keys], len(known))


def solve(table: Sequence[Sequence[Fraction]], unknowns: int) -> list[Fraction] | None:
    """One solution of the linear equations [A | b]; None if there is none."""
    rows, pivots = reduced(table, unknowns)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    solution = [Fraction(0)] * unknowns
    for row, column in zip(rows, pivots):
        solution[column] = row[-1]
    return solution


def null_space(matrix: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """A basis of the vectors that the matrix maps to 0."""
    size = len(matrix[0])
    rows, pivots = reduced(matrix, size)
    basis = []
    for free in (k for k in range(size) if k not in pivots):
        vector = [Fraction(int(k == free)) for k in range(size)]
        for row, column in zip(rows, pivots):
            vector[column] = -row[free]
        basis.append(vector)
    return basis
