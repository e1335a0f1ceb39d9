"""Numbers that PEPit takes for floats and ints, and that stay exact; and a loader that makes a script's numbers
exact.

PEPit asks ``isinstance(c, (int, float))``, and then only adds, multiplies and divides. A float that carries its
Fraction passes through it unchanged. A script, and PEPit's own modules, are compiled with each literal replaced: 0.1
is 1/10.
"""

import ast
import importlib.abc
import importlib.machinery
import math
import operator
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from dualgap.extras.exact.roots import Number, Root, rational_root, square_root

ROUNDED: set[str] = set()  # what was rounded since the last ``exact_module``: see ``notes``
ROOTS: set[str] = set()  # the square roots that are rounded where no field Q(sqrt d) has all numbers
FEW = 6  # notes that are given one by one


def fraction_of(value: object) -> Fraction | None:
    """Return the Fraction of a finite real number; None for any other object.

    A plain float is the short rational that rounds to it, 1/3 for 0.3333333333333333, or else exactly its bits.
    """
    if isinstance(value, Exact):
        return value.q
    if isinstance(value, int):
        return Fraction(int(value))
    if not isinstance(value, float) or not math.isfinite(value):
        return None
    bits = Fraction(float(value))
    if bits.denominator <= 2**20:
        return bits
    short = bits.limit_denominator(10_000)
    if float(short) == value:
        ROUNDED.add(f"the float {float(value)!r} was taken for {short}")
        return short
    ROUNDED.add(f"the float {float(value)!r} was taken bit by bit")
    return bits


def exact_of(value: object, root: int | None) -> Number | None:
    """Return the number of a finite real number, in Q(sqrt(root)) if there is a root, or else with roots rounded."""
    return value.x if root and isinstance(value, Exact) else fraction_of(value)


class Exact(float):
    """A float that carries the number that it stands for.

    Attributes
    ----------
    q : this number, computed from rounded square roots.
    x : this number itself, a Fraction or a Root; None if it is in no field Q(sqrt d).
    """

    q: Fraction
    x: Number | None

    def __new__(cls, value: Fraction | str | int, *x: Number | None) -> "Exact":
        self = super().__new__(cls, float(q := Fraction(value)))
        self.q = q
        self.x = x[0] if x else q
        return self

    def __neg__(self) -> "Exact":
        return Exact(-self.q, None if self.x is None else -self.x)

    def __pos__(self) -> "Exact":
        return self

    def __abs__(self) -> "Exact":
        return -self if self.q < 0 else self

    def __pow__(self, power: Any, modulus: None = None) -> Any:
        p = fraction_of(power)
        if p is None:
            return NotImplemented
        if p.denominator == 1:
            return Exact(self.q ** int(p), None if self.x is None else self.x ** int(p))
        if p.denominator == 2 and self.q >= 0:
            return sqrt(self ** int(2 * p))
        return rounded(float(self) ** float(power), f"{self!r}**{power!r}")

    def __rpow__(self, base: Any, modulus: None = None) -> Any:
        q = fraction_of(base)
        return NotImplemented if q is None else Exact(q) ** self

    def __reduce__(self) -> tuple[type, tuple[Fraction, Number | None]]:
        return Exact, (self.q, self.x)


class ExactInt(int):
    """An int whose quotients and negative powers are exact."""

    def __truediv__(self, other: Any) -> Any:
        return Exact(int(self)) / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / Exact(int(self)) if isinstance(other, Exact) else Exact(int(self)).__rtruediv__(other)

    def __pow__(self, power: Any, modulus: Any = None) -> Any:
        if isinstance(power, int) and power >= 0:
            return ExactInt(pow(int(self), int(power), modulus))
        return Exact(int(self)) ** power

    def __neg__(self) -> "ExactInt":
        return ExactInt(-int(self))


def _between_exacts(name: str, reverse: bool) -> Callable[[Any, Any], Any]:
    """Return an operation of ``Exact`` with a number."""
    operation = getattr(operator, name)

    def method(self: Exact, other: Any) -> Any:
        q = fraction_of(other)
        if q is None:
            own = float(self)
            return (
                (operation(other, own) if reverse else operation(own, other))
                if isinstance(other, float)
                else NotImplemented
            )
        x, y = self.x, other.x if isinstance(other, Exact) else q
        result = operation(q, self.q) if reverse else operation(self.q, q)
        if x is self.q and y is q:
            return Exact(result)
        fields = {number.d for number in (x, y) if isinstance(number, Root)}
        outside = x is None or y is None or len(fields) > 1
        return Exact(result, None if outside else operation(y, x) if reverse else operation(x, y))

    return method


def _between_ints(name: str) -> Callable[[Any, Any], Any]:
    """Return an operation of ``ExactInt`` that stays one for ints."""
    operation = getattr(int, name)

    def method(self: ExactInt, other: Any) -> Any:
        result = operation(int(self), int(other)) if isinstance(other, int) else NotImplemented
        return result if result is NotImplemented else ExactInt(result)

    return method


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Exact, f"__{_name}__", _between_exacts(_name, False))
    setattr(Exact, f"__r{_name}__", _between_exacts(_name, True))
for _name in ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__"):
    setattr(ExactInt, _name, _between_ints(_name))


def notes(root: int | None = None) -> list[str]:
    """Return what was rounded so far, one sentence for many numbers; with a root, no square root was."""
    found = sorted(ROUNDED if root else ROUNDED | ROOTS)
    return found if len(found) <= FEW else [f"{len(found)} numbers are not exact, the first: {found[0]}"]


def rounded(value: float, text: str) -> float:
    """Return the float of a number that is not rational, bit by bit, and note it."""
    ROUNDED.add(f"{text} was rounded to {float(value)!r}")
    return Exact(Fraction(float(value))) if math.isfinite(value) else value


def sqrt(x: Any) -> Any:
    """Return the square root of a number >= 0, with a rounded one for the case of several roots; arrays go to numpy."""
    q = fraction_of(x)
    if q is None or q < 0:
        import numpy as np

        return np.sqrt(x)
    if (root := rational_root(q)) is None:
        root = Fraction(math.sqrt(q))
        ROOTS.add(f"sqrt({q}) was rounded to {math.sqrt(q)!r}")
    exact = exact_of(x, 1)
    return Exact(root, None if exact is None or exact < 0 else square_root(exact))


# -- scripts ----------------------------------------------------------------------------------------------------------

NAMES = {"__exact_int__": ExactInt, "__exact__": Exact, "__exact_sqrt__": sqrt}


class _Literals(ast.NodeTransformer):
    """Replace 3 by ExactInt(3), 0.1 by Exact("0.1"), and calls of any ``sqrt`` by the exact one."""

    def __init__(self, text: str) -> None:
        self.text = text

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int:
            call = ast.Call(ast.Name("__exact_int__", ast.Load()), [node], [])
        elif type(node.value) is float and math.isfinite(node.value):
            written = (ast.get_source_segment(self.text, node) or repr(node.value)).replace("_", "")
            call = ast.Call(ast.Name("__exact__", ast.Load()), [ast.Constant(written)], [])
        else:
            return node
        return ast.copy_location(call, node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "sqrt":
            node.func = ast.copy_location(ast.Name("__exact_sqrt__", ast.Load()), node.func)
        return node


def exact_code(text: str, path: str) -> types.CodeType:
    """Return the code of a Python file with exact numbers."""
    tree = ast.fix_missing_locations(_Literals(text).visit(ast.parse(text, path)))
    return compile(tree, path, "exec", dont_inherit=True)


def exact_module(path: Path, name: str) -> types.ModuleType:
    """Run a Python file as a module of that name ("__main__" for a script), with exact numbers."""
    module = types.ModuleType(name)
    module.__dict__.update(NAMES, __file__=str(path))
    ROUNDED.clear()
    ROOTS.clear()
    exec(exact_code(path.read_text(encoding="utf-8"), str(path)), module.__dict__)
    return module


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of PEPit with exact numbers; its files are not changed."""

    def get_code(self, fullname: str) -> types.CodeType:
        return exact_code(self.get_data(self.path).decode("utf-8"), str(self.path))

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__.update(NAMES)
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != "PEPit" or fullname.startswith("PEPit.wrappers"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(fullname, str(spec.loader.path))
        return spec


@contextmanager
def exact_imports() -> Iterator[None]:
    """Import PEPit with exact numbers inside the block, because it divides ints of its own."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
