"""The reference's methods by name: every class of this folder, of extras and of other people's modules that is
registered.

    @register_method
    class ASPDC(DualMethod):
        name = "aspdc"

>>> all_methods()["aspdc"].name, lazy_forms()["spdc"].__name__
('aspdc', 'LazySPDC')
"""

import inspect
from typing import Any, TypeVar

from dualgap.reference.methods.base import Method
from dualgap.reference.problem.registry import Registry, place

M = TypeVar("M", bound=type)

METHODS: Registry[type[Method[Any]]] = Registry("method", "dualgap.reference.methods", extras="reference")
LAZY_FORMS: Registry[type[Method[Any]]] = Registry("lazy form", "dualgap.reference.methods", extras="lazy")

VERBS = ("init", "choices", "step", "view")

register_lazy_form = LAZY_FORMS.register


def register_method(cls: M) -> M:
    """Decorate a class: it is the method of its ``name``, with init, choices, step and view.

    Parameters
    ----------
    cls : the class; its instances are made with the options of ``method``.

    Raises
    ------
    ValueError
        It has no name, one of the four verbs is missing, or another place has taken the name.
    """
    if not isinstance(getattr(cls, "name", None), str):
        raise ValueError(f"method {place(cls)} has no name: give the class the attribute name, a string")
    if missing := lacking(cls):
        raise ValueError(f"method {place(cls)} has no {missing[0]}: a method has {', '.join(VERBS)} (dualgap.reference.Method; its step is a copy and advance)")
    METHODS.enter(cls.name, cls)  # type: ignore[attr-defined]
    return cls


def lacking(cls: type) -> list[str]:
    """The verbs of a method that a class does not have, or has of ``Method`` alone, which leaves them open: step is a
    copy and ``advance``.
    """
    missing = [verb for verb in VERBS if not callable(getattr(cls, verb, None))]
    open_ones = [verb for verb in ("init", "advance", "view") if _of_base(cls, verb) and (verb != "advance" or _of_base(cls, "step"))]
    return missing + open_ones


def _of_base(cls: object, verb: str) -> bool:
    """Return whether a class, or an object's class, has the verb of ``Method``."""
    return getattr(getattr(cls, verb, None), "__func__", getattr(cls, verb, None)) is getattr(Method, verb)


def all_methods() -> dict[str, type[Method[Any]]]:
    """All reference methods by name, as their papers write them."""
    return METHODS.complete()


def lazy_forms() -> dict[str, type[Method[Any]]]:
    """The same methods with O(nnz of the row) a step, where the paper's iteration is dense."""
    return LAZY_FORMS.complete()


def method(name: str, **options: object) -> Method[Any]:
    """The method of that name, with its options (e.g. ``method("aspdc-i-fixed", m=6)``).

    Raises ValueError for an unknown name, listing the known ones.

    Parameters
    ----------
    name : of a method, as in ``all_methods``.
    options : the method's own, such as m or theta.
    """
    return all_methods()[name](**options)


def parameters_of(cls: type[object]) -> dict[str, inspect.Parameter]:
    """The parameters of a class's constructor, and those of its base's where it hands on ``**others``."""
    found: dict[str, inspect.Parameter] = {}
    for base in cls.__mro__[:-1]:
        if "__init__" in vars(base):
            own = dict(list(inspect.signature(vars(base)["__init__"]).parameters.items())[1:])
            named = {key: parameter for key, parameter in own.items() if parameter.kind is not parameter.VAR_KEYWORD}
            found = {**named, **found}
            if named == own:
                break
    return found


def as_compiled(name: str, **options: object) -> Method[Any]:
    """Return the reference that the compiled method of that name is bit-identical to: the lazy form if there is one,
    else the paper's.

    The two are equal in exact arithmetic; their roundings differ.

    Parameters
    ----------
    name : of a method, as in ``all_methods``.
    options : the method's own, such as m or theta.
    """
    return (lazy_forms().get(name) or all_methods()[name])(**options)
