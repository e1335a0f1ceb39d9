"""A regularizer of one's own: any strongly convex g that is known by its formulas, and the registry of them all.

>>> class Weighted(GeneralRegularizer):
...     def __init__(self, lam, c):
...         super().__init__(lam, c=c)
...     modulus = property(lambda self: self.lam * min(self.c))
...     def value(self, w):
...         return self.lam * sum(c * x * x for c, x in zip(self.c, w, strict=True)) / 2
...     def gradient_conjugate(self, minus_u):
...         return [v / (self.lam * c) for c, v in zip(self.c, minus_u, strict=True)]
>>> Weighted(2, c=["1/2", 3]).conjugate([Fraction(1), Fraction(6)])
Fraction(7, 2)
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from dualgap.reference.numbers.arithmetic import Number, NumberLike, NumberType, convert
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.registry import Registry, place
from dualgap.reference.problem.regularizers import L2, ElasticNet, Regularizer

Vector = list[Number]
FORMULAS = ("modulus", "value", "gradient_conjugate")


class GeneralRegularizer(Regularizer):
    """The base of a regularizer of one's own, under ``register_regularizer``. Vectors are lists of d numbers of one
    kind.

    A subclass writes, with + - * /, comparisons and integer constants, so that the lines run on floats and on
    rationals:

    - ``modulus``                       mu > 0 with g(x) >= g(w) + s^T (x - w) + (mu/2)||x - w||^2 for every subgradient
      s at w
    - ``value(w)``                      g(w), finite on R^d
    - ``gradient_conjugate(minus_u)``   the w that minimizes g(w) - minus_u^T w, shape (d,)

    and may write ``conjugate(minus_u)``, else minus_u^T w - g(w) at that w; ``residual(w, minus_u)``, else g(w) +
    g*(-u) + u^T w; and ``prox(w, tau)``, the x that minimizes g(x) + ||x - w||^2/(2 tau). SDCA (averaged and random
    output too) and ASPDC need the first three, SPDC (all samplings) and PDCP the prox as well; all other methods
    refuse. ``check_regularizer`` says whether they belong together.

    Parameters
    ----------
    lam : number > 0
        What instances and paths of lambda vary.
    parameters : a number, or a sequence of numbers, each
        The rest. They become attributes, numbers or lists of them, and follow the number of the problem.

    Raises
    ------
    ValueError
        lam <= 0, a number that is not finite, or a parameter by the name of something else.
    """

    family: ClassVar[str] = "general"
    name: ClassVar[str]

    def __init__(self, lam: NumberLike, **parameters: object) -> None:
        super().__init__(lam)
        if taken := [name for name in parameters if hasattr(self, name)]:
            raise ValueError(
                f"parameter {taken[0]!r} of regularizer {type(self).__name__} has the name of something else: choose"
                " another"
            )
        self.parameters = tuple(parameters)
        self._convert(parameters, Fraction)

    def _convert(self, parameters: dict[str, Any], number: NumberType) -> None:
        for name, value in parameters.items():
            if isinstance(value, Iterable) and not isinstance(value, str):
                setattr(self, name, [convert(x, number, name) for x in value])
            else:
                setattr(self, name, convert(value, number, name))

    def told(self) -> dict[str, object]:
        """The parameters but lam, by name."""
        return {name: getattr(self, name) for name in self.parameters}

    def __repr__(self) -> str:
        others = (f"{name}={[*map(str, x)] if isinstance(x, list) else x}" for name, x in self.told().items())
        return f"{type(self).__name__}({', '.join((f'lam={self.lam}', *others))})"

    def over(self, number: NumberType) -> "GeneralRegularizer":
        copied = super().over(number)
        assert isinstance(copied, GeneralRegularizer)
        copied._convert(self.told(), number)
        return copied

    # -- what a subclass writes ----------------------------------------------------------------------------------------

    @property
    def modulus(self) -> Number:
        """mu."""
        raise NotImplementedError

    def value(self, w: Vector) -> Number:
        """g(w)."""
        raise NotImplementedError

    def gradient_conjugate(self, minus_u: Vector) -> Vector:
        """grad g*(-u), shape (d,)."""
        raise NotImplementedError

    # -- what follows from it ------------------------------------------------------------------------------------------

    def conjugate(self, minus_u: Vector) -> Number:
        """g*(-u), by its definition."""
        w = self.gradient_conjugate(minus_u)
        return inner(minus_u, w) - self.value(w)

    def residual(self, w: Vector, minus_u: Vector) -> Number:
        """g(w) + g*(-u) + u^T w, by its definition."""
        return self.value(w) + self.conjugate(minus_u) - inner(minus_u, w)

    @property
    def threshold(self) -> Number:
        """None: there is no soft threshold."""
        return None

    def dual_point(self, minus_u: Vector) -> Vector:
        """-u/mu, shape (d,): w is grad g*(mu v)."""
        mu = self.modulus
        return [u_j / mu + 0 for u_j in minus_u]

    def at_dual_point(self, v: Vector) -> Vector:
        """The w of v = -u/mu, shape (d,)."""
        mu = self.modulus
        return self.gradient_conjugate([mu * v_j for v_j in v])

    def prox(self, w: Vector, tau: Number) -> Vector:
        """Raises TypeError: a subclass writes it, or does without the methods that need it."""
        raise TypeError(f"{self!r} has no prox: write prox(w, tau), or use method sdca, which needs none")

    def centred(self, kappa: Number, centre: Vector) -> "GeneralRegularizer":
        """Raises TypeError: nothing is known of the sum with (kappa/2)||w||^2."""
        raise TypeError(f"{self!r} has no centre: use L2 or ElasticNet, or method sdca, which needs none")

    def require(self, d: int) -> None:
        """Raise ValueError unless mu > 0 and vectors of d numbers are what it is for."""
        if not self.modulus > 0:
            raise ValueError(f"{self!r} has modulus {self.modulus}: it must be > 0, that of a strongly convex function")
        zero = self.lam - self.lam
        try:
            found = len(self.gradient_conjugate([zero] * d))
        except (ValueError, IndexError) as error:
            raise ValueError(f"{self!r} does not fit rows of {d} numbers: {error}") from None
        if found != d:
            raise ValueError(f"{self!r} does not fit rows of {d} numbers: its gradient_conjugate gives {found}")


def inner(v: Vector, w: Vector) -> Number:
    """v^T w."""
    return sum((v_j * w_j for v_j, w_j in zip(v, w, strict=True)), start=v[0] - v[0])


G = TypeVar("G", bound="type[GeneralRegularizer]")
REGULARIZERS: Registry[type[Regularizer]] = Registry(
    "regularizer", remedy="one of your own needs @register_regularizer in a module that is imported"
)


def register_regularizer(cls: G) -> G:
    """Decorate a ``GeneralRegularizer``: Instances find it under its ``name``.

    Parameters
    ----------
    cls : the class.

    Raises
    ------
    ValueError
        It is no GeneralRegularizer, has no name, lacks a formula, or another place has taken the name.
    """
    if not (isinstance(cls, type) and issubclass(cls, GeneralRegularizer)):
        raise ValueError(
            f"regularizer {place(cls)} must be a class that derives from dualgap.reference.GeneralRegularizer"
        )
    if not isinstance(getattr(cls, "name", None), str):
        raise ValueError(f"regularizer {place(cls)} has no name: give the class the attribute name, a string")
    if missing := [formula for formula in FORMULAS if getattr(cls, formula) is getattr(GeneralRegularizer, formula)]:
        raise ValueError(f"regularizer {place(cls)} has no {missing[0]}: it has {', '.join(FORMULAS)}")
    return REGULARIZERS.register(cls)


for _name, _cls in (("l2", L2), ("elastic-net", ElasticNet), ("p-norm", PNorm)):
    REGULARIZERS.enter(_name, _cls)
