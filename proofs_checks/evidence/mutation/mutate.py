"""Automatic mutants: the reference's own source with one operator, comparison, constant, sign or branch changed.

Every change is made in the syntax tree of one module and executed in a private copy of the modules that a
step needs: losses, regularizers, problem, method and aspdc, each importing the others from the same copy.
The real modules, and ``sys.modules``, are never touched. A battery of checks then judges the copy: a mutant
is killed by the first check that is false on it, or that it breaks. A check that intervals cannot decide
kills nothing.

A mutant is named by what it changes ("losses.SquaredHinge.conjugate: alpha * alpha / 4 -> alpha * alpha / 5"),
never by a line number, so that a list of accepted survivors outlives unrelated edits.
"""

import ast
import builtins
import importlib
import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from types import CodeType, ModuleType
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.numbers.interval import Undecided
from dualgap.reference.problem.problem import Problem

PACKAGE = "dualgap.reference"
MODULES = {  # name in the keys: name inside the package, in the order in which they import each other
    "losses": "problem.losses",
    "regularizers": "problem.regularizers",
    "problem": "problem.problem",
    "method": "methods.base",
    "aspdc": "methods.aspdc",
}
REGISTRY = f"{PACKAGE}.methods.registry"
# what comes in and what errors say
DOOR = {"__init__", "__repr__", "require_lengths", "_require_kinds", "require_family"}
# of Problem: AdaSPDC's alone, and order blocks; of losses: Newton's alone
OTHERS = {"norms", "_root", "admits", "_covers", "columns", "zeros", "moved", "block_ends", "curvature"}
ONLY = {  # in these two modules, the lines that make a run
    "method": {"Method.choices", "Method.step", "Method.run", "DualMethod.init", "DualMethod.view"},
    "aspdc": {"ASPDC.advance"},
}
BUDGET = 200_000  # calls and loop turns of a copy in one battery; the unchanged code makes about 20,000

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class BudgetSpent(Exception):
    """The mutated code runs for ever, or as good as."""


# -- making mutants ------------------------------------------------------------------------------------------

Place = tuple[ast.AST, str, int | None, ast.AST]  # parent, its field, position where that is a list, what to put there


@dataclass(frozen=True)
class AstMutant:
    """One change of one module.

    Attributes
    ----------
    key : "module.Class.function: old -> new", with " [2]" where the same change occurs a second time.
    module : the module's name in MODULES.
    tree, place : the module's syntax tree, unchanged, and the one change to make in it.
    """

    key: str
    module: str
    tree: ast.Module
    place: Place

    def compiled(self) -> CodeType:
        """The changed module, compiled; the tree is left unchanged."""
        parent, field, position, new = self.place
        old = _replace(parent, field, position, new)
        try:
            return compile(ast.fix_missing_locations(self.tree), f"<{self.key}>", "exec")
        finally:
            _replace(parent, field, position, old)


@cache
def mutants() -> dict[str, AstMutant]:
    """All mutants of the reference step by key, in the order of the source."""
    found: dict[str, AstMutant] = {}
    for module in MODULES:
        for text, place in changes(_tree(module), ONLY.get(module)):
            key, repeat = f"{module}.{text}", 2
            while key in found:
                key, repeat = f"{module}.{text} [{repeat}]", repeat + 1
            found[key] = AstMutant(key, module, _tree(module), place)
    return found


def changes(tree: ast.Module, only: Container[str] | None = None) -> Iterator[tuple[str, Place]]:
    """("Class.function: old -> new", place) for every change in the functions ``only`` (None: all but DOOR and OTHERS).

    >>> [text for text, _ in changes(ast.parse("def half(x):\\n    return -x / 2"))]
    ['half: -x / 2 -> -x * 2', 'half: -x -> x', 'half: -x / 2 -> -x / 3', 'half: -x / 2 -> -x / 1']
    """
    for name, part in _parts(tree):
        if name in only if only is not None else name.rsplit(".", 1)[-1] not in DOOR | OTHERS:
            for place in _places(part):
                yield f"{name}: {_show(place)}", place


def _parts(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """(qualified name, node) of every function, and of every assignment in a class body."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _parts(node, f"{prefix}{node.name}.")
        elif prefix and isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield prefix + ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target), node


def _places(node: ast.AST) -> Iterator[Place]:
    """Every single change below ``node``; annotations, decorators and messages are left alone."""
    if isinstance(node, (ast.Raise, ast.JoinedStr)):
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for position, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                for new in _alternatives(child):
                    yield node, field, position, new
                if isinstance(node, ast.If) and child is node.test and not isinstance(child, ast.UnaryOp):
                    yield node, field, position, ast.UnaryOp(ast.Not(), node.test)
                yield from _places(child)


def _alternatives(node: ast.AST) -> Iterator[ast.AST]:
    """What may replace a node."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.UnaryOp(ast.USub() | ast.Not(), operand):
            yield operand
        case ast.Compare(left, [*signs], others):
            for k, sign in enumerate(signs):
                if type(sign) in COMPARISONS:
                    yield ast.Compare(left, [*signs[:k], COMPARISONS[type(sign)](), *signs[k + 1 :]], others)
        case ast.BoolOp(logic, values):
            yield ast.BoolOp(ast.Or() if isinstance(logic, ast.And) else ast.And(), values)
        case ast.Constant(value) if type(value) is int:
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Assign([ast.Subscript() | ast.Attribute()]) | ast.Expr(ast.Call(ast.Attribute())):
            yield ast.Pass()  # a line left out


def _show(place: Place) -> str:
    """ "old -> new"; a constant with the expression that it stands in."""
    parent, field, position, new = place
    whole = parent if isinstance(parent, ast.expr) and isinstance(new, ast.Constant) else None
    old = _replace(parent, field, position, new)
    after = ast.unparse(whole or new)
    _replace(parent, field, position, old)
    return f"{ast.unparse(whole or old)} -> {after}"


def _replace(parent: ast.AST, field: str, position: int | None, new: ast.AST) -> ast.AST:
    """Put ``new`` there and return what was there."""
    old: ast.AST
    if position is None:
        old = getattr(parent, field)
        setattr(parent, field, new)
    else:
        old = getattr(parent, field)[position]
        getattr(parent, field)[position] = new
    return old


# -- running them ---------------------------------------------------------------------------------------------


class _Ticks(ast.NodeTransformer):
    """A call of ``__tick__`` at the start of every function and of every loop turn."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, (ast.FunctionDef, ast.For, ast.While)):
            node.body.insert(0, ast.Expr(ast.Call(ast.Name("__tick__", ast.Load()), [], [])))
        return node


def full_name(module: str) -> str:
    """The name under which a module of MODULES is imported."""
    return f"{PACKAGE}.{MODULES[module]}"


@cache
def _tree(module: str) -> ast.Module:
    """The syntax tree of a reference module, with ticks."""
    source = inspect.getsource(importlib.import_module(full_name(module)))
    tree = ast.parse(source)
    _Ticks().visit(tree)  # changes it in place
    return ast.fix_missing_locations(tree)


@cache
def _unchanged(module: str) -> CodeType:
    return compile(_tree(module), f"<copy of {full_name(module)}>", "exec")


class ReferenceCopy:
    """A private copy of the reference modules of a step, with at most one of them changed.

    ``copy.losses``, ``copy.problem``, ... are the modules. Raises whatever a changed module raises on import.
    """

    def __init__(self, mutant: AstMutant | None = None) -> None:
        self.left = BUDGET
        self._contexts: list[CopyContext] = []
        registry: Any = ModuleType(REGISTRY)
        registry.register_method = lambda cls: cls  # a copy registers nothing
        self.modules: dict[str, ModuleType] = {REGISTRY: registry}
        for name in MODULES:
            module = ModuleType(full_name(name))
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
            module.__dict__["__tick__"] = self._tick
            self.modules[module.__name__] = module
            changed = mutant is not None and mutant.module == name
            exec(mutant.compiled() if mutant and changed else _unchanged(name), module.__dict__)

    def __getattr__(self, name: str) -> Any:
        return self.modules[full_name(name)]

    def context(self, instance: Instance) -> "CopyContext":
        """The instance in this copy, over Fractions. It is made once, so nothing is computed twice."""
        found = next((context for context in self._contexts if context.instance is instance), None)
        if found is None:
            found = CopyContext(instance, self)
            self._contexts.append(found)
        return found

    def _import(self, name: str, *arguments: Any) -> Any:
        return self.modules.get(name) or builtins.__import__(name, *arguments)

    def _tick(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise BudgetSpent


class CopyContext(Context):
    """An instance, its problem and the method ASPDC made from a copy of the reference."""

    def __init__(self, instance: Instance, code: ReferenceCopy, number: NumberType = Fraction) -> None:
        super().__init__(instance, code.aspdc.ASPDC(), number)
        self.arithmetic = number  # whatever is in force: the copy knows no other
        self.code = code

    @cached_property
    def problem(self) -> Problem:
        i = self.instance
        kind = self.code.losses.LOSSES[i.loss]
        loss = kind(i.gamma) if kind.adjustable else kind()
        regularizer = self.code.regularizers.Regularizer(i.lam, i.l1)
        problem: Problem = self.code.problem.Problem(i.rows, i.y, loss, regularizer, number=self.number)
        return problem


Battery = Mapping[str, Callable[[ReferenceCopy], Iterable[Relation]]]


def first_killer(mutant: AstMutant | None, battery: Battery) -> str | None:
    """The name of the first check that is false on the mutant or that it breaks; None when it survives them all.

    Without a mutant (None) the unchanged reference is judged, which must survive.
    """
    try:
        code = ReferenceCopy(mutant)
    except Exception:  # a mutant may break in any way
        return "import: it breaks the module"
    for name, check in battery.items():
        try:
            if not all(relation.holds() for relation in check(code)):
                return name
        except Undecided:
            continue
        except Exception:
            return name
    return None
