"""An instance: everything a check needs, as plain exact data that a counterexample file can hold."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from dualgap.proofs_checks.claims.extra import Blocks, Extras, further
from dualgap.proofs_checks.claims.strict_json import each, rational
from dualgap.reference import LOSSES, REGULARIZERS, LinearSystem, Method, Problem, Regularizer, method
from dualgap.reference.numbers.arithmetic import NumberType, convert
from dualgap.reference.numbers.rational import is_rational, to_fraction
from dualgap.reference.problem.block_losses import BLOCK_LOSSES, BlockLoss, Separable
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.registry import Registry

Q = Fraction
PLAIN = {Fraction, int, str, float, bool, type(None)}
MOST_STEPS = 10_000  # the largest that a registered claim uses is 584
# of the fields that are no number, by their annotation
WRITTEN: dict[str, type] = {"tuple": tuple, "dict": dict, "str": str, "Extras": dict}


@lru_cache(1024)
def Qs(*values: str | float | Fraction) -> tuple[Fraction, ...]:
    """Rationals from ints, "p/q" strings or Fractions: ``Qs(1, "1/2")``.

    Parameters
    ----------
    values : what ``Fraction`` takes.
    """
    return tuple(Fraction(v) for v in values)


G = TypeVar("G", bound="Given")


class Given:
    """The base of all instances, whatever their problem: frozen dataclasses of exact, plain data.

    A subclass says what its problem is (``problem``, ``problem_of``) and where the method starts (``begin``). A kind
    other than ``Instance`` is registered under its ``name``, which its files have as "kind". It has a field ``method``,
    and fields ``options``, ``path`` and ``extra`` if its claims need them.
    """

    name: ClassVar[str] = ""
    method: str
    # those of a kind that has no such fields
    options: dict[str, Any] = {}  # noqa: RUF012
    path: tuple[object, ...] = ()
    extra: Extras = Extras()
    rational = True  # whether checks are exact; else they are made in intervals

    def __post_init__(self) -> None:
        if not isinstance(self.extra, Extras):
            raise TypeError(
                f"extra must be made by further(name=value, ...) or be a record (got {type(self.extra).__name__})"
            )
        given = self.__dict__
        given["extra"] = Extras(_fractions(self.extra.plain()))
        for name, value in given.items():
            if name not in ("extra", "path") and (exact := _fractions(value)) is not value:
                given[name] = exact

    def problem(self, number: NumberType = Fraction) -> Any:
        """The problem in ``number``."""
        raise NotImplementedError

    def problem_of(self, X: object, y: object) -> Any:
        """The same problem over float on these rows and labels, arrays of any storage."""
        raise NotImplementedError

    def begin(self, method: object, problem: Problem) -> Any:
        """The state before the first choice of the path, in the problem's number."""
        raise NotImplementedError

    def reference_method(self) -> Method[Any]:
        """The reference method that the instance names."""
        return method(self.method, **self.options)

    def but(self: G, **changes: object) -> G:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[type-var]

    def to_json(self) -> dict[str, object]:
        """Rationals as "p/q" strings, nothing lost."""
        found = {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]
        return {"kind": self.name, **found} if self.name else found

    @classmethod
    def from_json(cls: type[G], data: Mapping[str, object]) -> G:
        """The inverse of ``to_json``.

        Raises
        ------
        ValueError
            A field is missing, unknown or of another kind, a rational is none or too long, or an integer (an index, a
            count: loops run as often as it says) is beyond ``MOST_STEPS``.
        """
        known = fields(cls)  # type: ignore[arg-type]
        due = [f.name for f in known if f.default is MISSING and f.default_factory is MISSING]
        if not isinstance(data, dict):
            raise ValueError(
                f"an instance is an object with {', '.join(due[:-1])} and {due[-1]} (got {type(data).__name__})"
            )
        names = {f.name for f in known}
        if unknown := set(data) - names:
            raise ValueError(f"an instance has no field {sorted(unknown)[0]!r}; known: {', '.join(sorted(names))}")
        if missing := set(due) - set(data):
            raise ValueError(f"the instance lacks {sorted(missing)[0]!r}")
        found = {name: _exact(value) for name, value in data.items()}
        annotated = {f.name: str(getattr(f.type, "__name__", f.type)).partition("[")[0] for f in known}
        for name, value in found.items():
            kind = WRITTEN.get(annotated[name]) or (Fraction, int, float, type(None))
            if not isinstance(value, kind) or isinstance(value, bool):
                raise ValueError(
                    f"the instance's {name} must not be {type(data[name]).__name__} (got {str(data[name])[:60]!r})"
                )
        return cls(**{**found, **({"extra": Extras(found.get("extra"))} if "extra" in names else {})})


INSTANCES: Registry[type[Given]] = Registry("kind of instance")
register_instance = INSTANCES.register


def read_instance(data: Any) -> Any:
    """The instance of a file, of its kind. Raises ValueError as ``from_json``, and for an unknown kind."""
    if isinstance(data, dict) and "kind" in data:
        return INSTANCES[str(data["kind"])].from_json({name: value for name, value in data.items() if name != "kind"})
    return Instance.from_json(data)


@dataclass(frozen=True)
class Instance(Given):
    """One problem, one method, one state: the argument of every check.

    Attributes
    ----------
    rows : n tuples of d rationals.
    y, alpha : n rationals; alpha is the dual point that the method starts from.
    path : choices that the method makes from there before the check looks.
    options : of the method, e.g. {"m": 3}; numbers as int, Fraction or str.
    extra : further numbers of a claim, typed (``extra``): a free q, another w, a horizon.
    p, ball : of the squared p-norm lam ||w||_p^2/(2 (p-1)) on ||w||_p <= ball, which is meant where either is given (p
        is 2 when left out), instead of (lam/2)||w||^2 + l1 ||w||_1.
    regularizer_name, regularizer_parameters : of a registered regularizer of one's own, what its class is called with
        after lam; files have them where there is one.
    lam : > 0, the weight of the regularizer.
    loss, gamma : the name of the loss, and its gamma where it has one to choose.
    l1 : >= 0, of the elastic net.
    method : the name of the method.
    """

    rows: tuple[tuple[Fraction, ...], ...]
    y: tuple[Fraction, ...]
    alpha: tuple[Fraction, ...]
    lam: Fraction
    loss: str = "squared"
    gamma: Fraction | None = None
    l1: Fraction = Q(0)
    method: str = "aspdc"
    options: dict[str, Any] = field(default_factory=dict)
    path: tuple[Any, ...] = ()
    extra: Extras = field(default_factory=Extras)
    p: Fraction | None = None
    ball: Fraction | None = None
    regularizer_name: str = ""
    regularizer_parameters: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        found = super().to_json()
        return found if self.regularizer_name else {k: v for k, v in found.items() if not k.startswith("regularizer_")}

    def problem(self, number: NumberType = Fraction) -> Problem:
        """The problem in ``number``: of the rows, or of the blocks that the extra numbers hold."""
        if Blocks in self.extra:
            return self._block_problem(self.extra[Blocks], number)
        kind = LOSSES[self.loss]
        loss = kind(self.gamma) if kind.adjustable else kind()
        return Problem(self.rows, self.y, loss, self.regularizer(), number=number)

    def problem_of(self, X: object, y: object) -> Problem:
        exact = self.problem()
        return Problem(X, y, exact.loss, exact.regularizer)

    @property
    def rational(self) -> bool:  # type: ignore[override]
        return LOSSES[self.loss].rational

    def begin(self, method: Any, problem: Problem) -> Any:
        return method.init(problem, [convert(a, problem.number) for a in self.alpha])

    def _block_problem(self, given: Blocks, number: NumberType) -> BlockProblem:
        name = given.block_loss
        loss: BlockLoss = (
            BLOCK_LOSSES[name](self.gamma) if name in BLOCK_LOSSES else Separable(LOSSES[name](self.gamma))
        )
        if given.K is not None:
            return BlockProblem.kronecker(self.rows, given.b, given.K, loss, self.regularizer(), number=number)
        return BlockProblem(given.A, given.b, loss, self.regularizer(), number=number)

    def regularizer(self) -> Regularizer:
        """L2, elastic net, the squared p-norm, or one of one's own. Raises ValueError for more than one of them."""
        if self.regularizer_name or self.regularizer_parameters:
            if self.l1 or self.p is not None or self.ball is not None:
                raise ValueError(f"an instance has l1, p and ball, or regularizer {self.regularizer_name!r}, not both")
            try:
                return REGULARIZERS[self.regularizer_name](self.lam, **self.regularizer_parameters)
            except TypeError as error:
                raise ValueError(
                    f"regularizer {self.regularizer_name!r} is not made of lam and {self.regularizer_parameters}:"
                    f" {error}"
                ) from None
        if self.p is None and self.ball is None:
            return Regularizer(self.lam, self.l1)
        if self.l1:
            raise ValueError(
                f"an instance has l1 or p and ball, not both (got l1 = {self.l1}, p = {self.p}, ball = {self.ball})"
            )
        return PNorm(self.lam, 2 if self.p is None else self.p, self.ball)


@register_instance
@dataclass(frozen=True)
class SystemInstance(Given):
    """A system of equations, a method without a dual, and where it starts.

    Attributes
    ----------
    rows : n tuples of d rationals, the rows of A.
    b : n rationals.
    start : d rationals, x before the first choice.
    method, options, path, extra : as of ``Instance``.
    """

    name: ClassVar[str] = "linear-system"
    rows: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]
    start: tuple[Fraction, ...]
    method: str
    options: dict[str, Any] = field(default_factory=dict)
    path: tuple[object, ...] = ()
    extra: Extras = field(default_factory=Extras)

    @property
    def y(self) -> tuple[Fraction, ...]:
        """b, by the name that it has in a problem."""
        return self.b

    def problem(self, number: NumberType = Fraction) -> LinearSystem:
        return LinearSystem(self.rows, self.b, number)

    def problem_of(self, X: object, y: object) -> LinearSystem:
        return LinearSystem(X, y)

    def begin(self, method: Any, problem: Problem) -> Any:
        return method.init(problem, [convert(x, problem.number) for x in self.start])


@register_instance
@dataclass(frozen=True)
class NumbersInstance(Given):
    """Numbers alone, for a statement about sequences, matrices or functions that its check computes from them: there is
    no problem and no method.

    Attributes
    ----------
    extra : the numbers by name, from ``further``: rationals, integers, words, and tuples of them.

    >>> NumbersInstance.of(beta=Q(1, 2), gradients=Qs(3, -1)).to_json()
    {'kind': 'numbers', 'extra': {'beta': '1/2', 'gradients': ['3', '-1']}}
    """

    name: ClassVar[str] = "numbers"
    extra: Extras = field(default_factory=Extras)
    method = ""

    @classmethod
    def of(cls, **values: object) -> "NumbersInstance":
        """The instance with these numbers."""
        return cls(further(**values))

    def problem(self, number: NumberType = Fraction) -> Any:
        raise ValueError(
            "numbers have no problem and no method: compute from c.given, or draw an Instance or a SystemInstance"
        )

    def reference_method(self) -> Any:
        """Return None: there is no method."""
        return None


def _fractions(value: Any) -> Any:
    """The value with Fractions for rationals of another type, which a context computed; itself where it has none."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if isinstance(value, dict):
        return {k: _fractions(v) for k, v in value.items()}
    if kind is list:
        return [_fractions(part) for part in value]
    if kind is tuple:
        exact = PLAIN.issuperset(map(type, value)) or all(_fractions(part) is part for part in value)
        return value if exact else tuple(map(_fractions, value))
    return to_fraction(value) if is_rational(kind) else value


def _plain(value: object) -> Any:
    value = value.plain() if isinstance(value, Extras) else value
    return each(value, lambda x: str(x) if isinstance(x, Fraction) else x)


def shown(value: object) -> str:
    """A field of ``to_json`` as one reads it.

    >>> shown(["1", "1/2"]), shown({"horizon": "35"}), shown([])
    ('(1, 1/2)', 'horizon = 35', '()')
    """
    if isinstance(value, list):
        return f"({', '.join(map(shown, value))})"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {shown(item)}" for name, item in value.items()) or "none"
    return str(value)


def _exact(value: object) -> Any:
    if isinstance(value, dict):
        return {k: _exact(v) for k, v in value.items()}
    if isinstance(value, list):
        return tuple(_exact(v) for v in value)
    if isinstance(value, int) and abs(value) > MOST_STEPS:
        raise ValueError(
            f"an integer of an instance lies between -{MOST_STEPS} and {MOST_STEPS}; write other numbers as strings"
            f" (got {value})"
        )
    if isinstance(value, str) and value.lstrip("-")[:1].isdigit():
        return rational(value)
    return value
