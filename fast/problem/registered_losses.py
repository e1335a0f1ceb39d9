"""Compiled losses in addition to the six of ``losses``: their scalar formulas, called in the same kernels, at the end
of the chain.

    @register_compiled_loss
    class FastHuber(CompiledLoss):
        name = "huber"
        def value(gamma, z, y): ...

A kernel knows such a loss by the type of its ``code``. The six keep their integers and their machine code, whatever is
registered; a kernel for another loss is compiled again in each process (its source is no part of the cache's hash).
"""

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any, ClassVar

from numba.core import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox
from numba.extending import overload as numba_overload

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.kernel_cache import CONFIG, UNCACHED
from dualgap.reference.problem.losses import LOSSES
from dualgap.reference.problem.registry import Registry, place

REMEDY = (
    'one of your own needs @register_compiled_loss (dualgap.fast) on its scalar formulas, or backend="reference", which'
    " needs none"
)
CODES: Registry[Any] = Registry("compiled loss", remedy=REMEDY)  # the codes that kernels take
FORMULAS = ("value", "derivative", "conjugate", "dual_step", "residual", "in_domain")
# from the others, and from the reference's ``ends``, where a loss does not give them
DERIVED = ("residual", "in_domain")
_serial = itertools.count()


def overload(function: Callable[..., object], **options: Any) -> Any:
    """Numba's, where there is a compiler; what it is told stays for the whole process."""
    return (lambda implementation: implementation) if CONFIG.DISABLE_JIT else numba_overload(function, **options)


class CompiledLoss:
    """One loss for kernels: the reference's methods of these names as functions of numbers, without self.

    The same expressions in the same order as in the reference's class of this name, so that the bits are the same
    (``check_compiled_loss``). They are compiled under ``kernel``, strictly, unless numba has done so already. in_domain
    is false for a NaN. residual and in_domain may be left out: value + conjugate - alpha z, and what ``ends`` says.

    ``error`` may be given: a bound of |residual - FY| for these doubles, FY in the reals. Without it each certificate
    evaluates the residuals of the rows again, exactly (``own_loss``).

    Attributes
    ----------
    name : of the reference's loss.
    kinked : whether the reference's ``kinks`` gives any.
    """

    name: ClassVar[str]
    kinked: ClassVar[bool] = True
    value: Callable[[float, float, float], float]  # gamma, z, y
    derivative: Callable[[float, float, float], float]  # gamma, z, y
    conjugate: Callable[[float, float, float], float]  # gamma, alpha, y
    dual_step: Callable[[float, float, float, float, float], float]  # gamma, z, alpha, y, q
    residual: Callable[[float, float, float, float], float]  # gamma, z, alpha, y
    in_domain: Callable[[float, float], bool]  # alpha, y
    error: Callable[[float, float, float, float], float]  # gamma, z, alpha, y

    def __init__(self) -> None:
        self.numba_type = LossType(self)


def register_compiled_loss(cls: type[CompiledLoss]) -> type[CompiledLoss]:
    """Decorate a CompiledLoss: solve and the compiled methods take the reference's loss of its name.

    Parameters
    ----------
    cls : the class.

    Raises
    ------
    ValueError
        The name is taken, a formula is missing, or the reference's loss is.
    """
    if missing := [name for name in FORMULAS if name not in DERIVED and not hasattr(cls, name)]:
        raise ValueError(
            f"compiled loss {cls.name!r} of {place(cls)} has no {missing[0]}; needed: {', '.join(FORMULAS)}"
        )
    if cls.name not in LOSSES:
        raise ValueError(
            f"loss {cls.name!r} has no reference column: register a class of that name under @register_loss first"
        )
    for name in (*FORMULAS, "error"):
        given = getattr(cls, name, None) or {"residual": _residual, "in_domain": _in_domain}.get(name, lambda _: None)(
            cls
        )
        if given is not None:
            setattr(cls, name, staticmethod(given if hasattr(given, "py_func") else kernel(given)))
    CODES.enter(cls.name, cls())
    return cls


def _residual(cls: type[CompiledLoss]) -> Callable[..., float]:
    """phi(z) + phi*(alpha) - alpha z, as the reference's class has it where it says no more."""
    value, conjugate = cls.value, cls.conjugate
    return lambda gamma, z, alpha, y: value(gamma, z, y) + conjugate(gamma, alpha, y) - alpha * z


def _in_domain(cls: type[CompiledLoss]) -> Callable[..., bool]:
    """Return the reference's ``ends`` as doubles."""
    low, high = (
        math.copysign(math.inf, sign) if end is None else float(end)
        for end, sign in zip(LOSSES[cls.name].ends, (-1, 1))
    )
    if LOSSES[cls.name].margin:
        return lambda alpha, y: low <= -y * alpha <= high and math.isfinite(alpha)
    return lambda alpha, y: low <= alpha <= high and math.isfinite(alpha)


class LossType(types.Type):
    """The type of a registered loss in compiled code: a type for each, so that the formulas are known when a kernel is
    compiled.
    """

    def __init__(self, loss: CompiledLoss) -> None:
        self.loss = loss
        super().__init__(name=f"{UNCACHED} loss {loss.name} {next(_serial)}")


@typeof_impl.register(CompiledLoss)
def _typeof(value: CompiledLoss, _context: object) -> LossType:
    return value.numba_type


register_model(LossType)(models.OpaqueModel)


@unbox(LossType)
def _unbox(_type: object, _value: object, c: Any) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())


@overload(operator.eq, strict=False)
def _equals(one, other):
    """``code == SQUARED`` and so on: False, because it is not one of the six."""
    return (lambda one, other: False) if isinstance(one, LossType) else None


def _end_of_chain(formula: str, of_the_six: object) -> Any:
    """The last link of a chain of ``losses``; the compiler removes it for the six built-in losses."""

    def call(code, *numbers):
        return getattr(code, formula)(*numbers)

    @overload(call, strict=False)
    def _compiled(code, *numbers):
        if isinstance(code, LossType):
            function = getattr(code.loss, formula)
            return lambda code, *numbers: function(*numbers)
        return lambda code, *numbers: of_the_six

    return call


value, derivative, conjugate, dual_step, residual = (_end_of_chain(name, math.nan) for name in FORMULAS[:5])
error = _end_of_chain("error", math.nan)
in_domain = _end_of_chain("in_domain", False)


def is_registered(code):
    """Return whether a code is a registered loss, which is known when a kernel is compiled: for the six the branch is
    left out.
    """
    return isinstance(code, CompiledLoss)


@overload(is_registered)
def _is_registered(code):
    found = isinstance(code, LossType)
    return lambda code: found


def kinked(code):
    """Return whether a step can reach an end of the domain; of the six, True where no branch has said otherwise."""
    return getattr(code, "kinked", True)


@overload(kinked)
def _kinked(code):
    found = code.loss.kinked if isinstance(code, LossType) else True
    return lambda code: found
