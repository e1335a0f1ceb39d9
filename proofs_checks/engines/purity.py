"""Check that a method is a function of its state. Otherwise an expectation over its choices means nothing.

Each function of the method is called twice, on equal states. The two results are compared, and each state is compared
with its copy from before. Then two copies of the method repeat the whole walk in turn, which shows counts and draws
that are not part of the state. Probabilities are exact rationals >= 0 whose sum is 1, and no state of an exact problem
holds a float. A finding is not a verdict on a theorem. It is an error of the method, and it names function, step and
field.
"""

import copy
import inspect
import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest
from numbers import Rational
from typing import Any

from dualgap.reference.methods.base import State
from dualgap.reference.methods.protocols import AuditedMethod
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.numbers.rational import to_fraction
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.registry import outside

STEPS = 16  # of the walk after the path
MOST_CHOICES = 8  # that are tried from one state
DEEPEST = 12  # lists in lists that are compared
PLAIN = (int, Fraction, str, bytes, type(None))


class Impure(ValueError):
    """Steps that are no function of state and choice, or not exact; the message names function, step and field."""


class Unrepeatable(Impure):
    """A result that another evaluation does not give; the message names no line."""


def foreign(method: object) -> bool:
    """Return whether the method is third-party code."""
    return method is not None and outside(type(method).__module__)


def require_pure(
    method: AuditedMethod,
    problem: Problem,
    begin: Callable[[], object],
    path: Iterable[object] = (),
    steps: int = STEPS,
) -> None:
    """Raise Impure for a method that is no function of its state along the path, and for ``steps`` steps after it.

    Parameters
    ----------
    begin : makes the first state, twice.

    Any other exception of the method ends the search; it is raised again when a claim makes the same call.
    """
    asked = _Asked(method, problem)
    try:
        walk = asked.walk(asked.answers("init", "", begin), list(path), steps)
        asked.repeated(walk)
    except Impure:
        raise
    except Exception:
        return


class _Asked:
    """A method on a problem, with the checked calls."""

    def __init__(self, method: AuditedMethod, problem: Problem) -> None:
        self.method, self.problem = method, problem
        self.exact = problem.number is not float

    def walk(self, start: object, path: list[object], steps: int) -> list[tuple[object, object]]:
        """[(None, start), (choice, the state after it), ...]; every function is called twice at each state."""
        walk: list[tuple[object, object]] = [(None, start)]
        for t in range(len(path) + steps + 1):
            state, where = walk[-1][1], "at the start" if t == 0 else f"after step {t}, choice {walk[-1][0]}"
            try:
                reached = self.successors(state, where, (t,) if t > len(path) + 1 else range(MOST_CHOICES))
            except Impure:
                raise
            except Exception:
                if t < len(path):
                    raise
                break  # a method may break where no claim uses it
            choice = path[t] if t < len(path) else None
            if choice is not None:
                walk.append((choice, self.after(state, choice, where)))
            elif reached:
                walk.append(reached[t % len(reached)])
            else:
                break
        return walk

    def successors(self, state: object, where: str, places: Iterable[int]) -> list[tuple[Any, Any]]:
        """Some choices of positive probability, with the states after them."""
        self.answers("view", where, lambda held: self.method.view(self.problem, held), state)
        law = self.answers("choices", where, lambda held: list(self.method.choices(self.problem, held)), state)
        require_law(law, f"{self.named()}: choices, {where}", self.problem.number)
        possible = [choice for choice, probability in law if _positive(probability)]
        tried = list(dict.fromkeys(place % len(possible) for place in places)) if possible else []
        return [(possible[k], self.after(state, possible[k], where)) for k in tried]

    def after(self, state: object, choice: object, where: str) -> object:
        """The state after a step."""
        return self.answers(
            "step", f"{where}, then choice {choice}", lambda held: self.method.step(self.problem, held, choice), state
        )

    def answers(self, verb: str, where: str, ask: Callable[..., object], *state: object) -> Any:
        """The result of a function, called twice on equal states. Raises Impure if the two differ."""
        kept, again = ([self.copied(held, where) for held in state] for _ in range(2))
        answer = ask(*state)
        for held, before in zip(state, kept):
            if (changed := difference(before, held)) is not None:
                raise Impure(
                    f"{self.named(verb)}: {verb} changes the state that it is given ({_at(where)}{changed[0]} was"
                    f" {changed[1]} and is then {changed[2]}): change a copy. State.copy() copies lists, and lists in"
                    " lists; a field of another kind needs a copy() of your own"
                )
        second = ask(*again)
        if (found := difference(answer, second)) is not None:
            raise Impure(
                f"{self.named(verb)}: {verb} gives two answers to one question ({_at(where)}{found[0]} is {found[1]},"
                f" and of an equal state {found[2]}): all that it depends on must be in the state, and all that is"
                " drawn in the choice"
            )
        if self.exact and verb != "choices" and (inexact := inexact_part(answer)) is not None:
            raise Impure(
                f"{self.named(verb)}: {verb} computes in floats ({_at(where)}{inexact[0]} = {inexact[1]!r}): a check is"
                " exact. Write numbers as problem.number(1) / 2, and use + - * / and comparisons alone"
            )
        return answer

    def repeated(self, walk: list[tuple[object, object]]) -> None:
        """Raise Impure unless two copies that go the walk in turn come to the same states."""
        copies = [self.copied(walk[0][1], "at the start") for _ in range(2)]
        for t, (choice, expected) in enumerate(walk[1:], 1):
            copies = [self.method.step(self.problem, held, choice) for held in copies]
            for held in copies:
                if (found := difference(expected, held)) is not None:
                    raise Impure(
                        f"{self.named('step')}: the same walk from equal states ends elsewhere (after step {t}, choice"
                        f" {choice}: {found[0]} was {found[1]}, then {found[2]}): the method remembers or draws"
                        " something outside of its state"
                    )

    def copied(self, state: object, where: str) -> object:
        """A copy that shares nothing with the state but method and problem."""
        shared = {id(self.problem): self.problem, id(self.method): self.method}
        try:
            if isinstance(state, State):  # which has no memory but its fields
                return state.with_fields(copy.deepcopy(state.fields(), shared))
            return copy.deepcopy(state, shared)
        except Exception as error:
            raise Impure(
                f"{self.named()}: its state cannot be copied ({_at(where)}{type(error).__name__}: {error}): hold"
                " numbers, lists and tuples in it"
            ) from None

    def named(self, verb: str = "") -> str:
        """The method, with the file and line of what it does where that can be found."""
        name = getattr(self.method, "name", type(self.method).__name__)
        verb = "advance" if verb == "step" and foreign_part(getattr(type(self.method), "advance", None)) else verb
        code = getattr(inspect.unwrap(getattr(type(self.method), verb, None) or type(self.method)), "__code__", None)
        return f"method {name}" + (f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else "")


def foreign_part(verb: object) -> bool:
    """Return whether a function is other people's."""
    return verb is not None and outside(str(getattr(verb, "__module__", "")))


def require_law(law: Iterable[object], where: str, number: NumberType) -> None:
    """Raise Impure unless the choices have exact probabilities >= 0 of sum 1, or intervals; nothing for floats."""
    if number is float:
        return
    total, rational = Fraction(0), True
    for pair in law:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise Impure(f"{where}: gives {pair!r}; each entry must be a pair (choice, probability)")
        choice, probability = pair
        if isinstance(probability, Rational) and not isinstance(probability, bool):
            if probability < 0:
                raise Impure(f"{where}: choice {choice!r} has the probability {probability}, which is negative")
            total = total + to_fraction(probability)
        elif isinstance(probability, Interval) and number is Interval:
            rational = False
        else:
            raise Impure(
                f"{where}: choice {choice!r} has the probability {probability!r}, of type {type(probability).__name__}:"
                " give an exact rational, such as Fraction(1, problem.n)"
            )
    if rational and total != 1:
        raise Impure(f"{where}: must state probabilities >= 0 whose sum is 1 (got the sum {total})")


def _positive(probability: Any) -> bool:
    return bool(probability.high > 0) if isinstance(probability, Interval) else bool(probability > 0)


def _at(where: str) -> str:
    return f"{where}: " if where else ""


def difference(one: object, two: object, place: str = "", depth: int = 0) -> tuple[str, str, str] | None:
    """The first place where two values differ, with both, or None: numbers by value, floats and arrays by bits."""
    if one is two or depth > DEEPEST:
        return None
    if type(one) is type(two):
        of_one, of_two = _parts(one), _parts(two)
        if of_one is not None and of_two is not None:
            for first, second in zip_longest(of_one, of_two):
                if first is None or second is None or first[0] != second[0]:
                    return (
                        f"{place}{(first or second or ('',))[0]}",
                        _shown(first and first[1]),
                        _shown(second and second[1]),
                    )
                if (found := difference(first[1], second[1], f"{place}{first[0]}", depth + 1)) is not None:
                    return found
            return None
    return None if _equal(one, two) else (place.lstrip(".") or "the answer", _shown(one), _shown(two))


def _parts(value: object) -> list[tuple[str, object]] | None:
    """The places and values of what a value is made of; None for one that is compared as a whole."""
    if isinstance(value, (list, tuple)):
        return [(f"[{k}]", item) for k, item in enumerate(value)]
    if isinstance(value, dict):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, Interval):
        return [(".low", value.low), (".high", value.high)]
    if (
        isinstance(value, (*PLAIN, float, complex, Decimal, Rational, set, frozenset, type))
        or callable(value)
        or hasattr(value, "tobytes")
    ):
        return None
    if isinstance(value, State):
        return [(f".{name}", getattr(value, name)) for name in value.names()]
    slots = [name for base in type(value).__mro__ for name in _names(vars(base).get("__slots__", ()))]
    names = dict.fromkeys([*slots, *getattr(value, "__dict__", {})])
    return [(f".{name}", getattr(value, name)) for name in names if hasattr(value, name)]


def _names(slots: str | Iterable[str]) -> Iterator[str]:
    yield from (slots,) if isinstance(slots, str) else slots


def _equal(one: object, two: object) -> bool:
    """Return whether two plain values, or values of different types, are equal."""
    bits_one, bits_two = getattr(one, "tobytes", None), getattr(two, "tobytes", None)
    if bits_one is not None and bits_two is not None:
        return bool(bits_one() == bits_two() and getattr(one, "shape", ()) == getattr(two, "shape", ()))
    if isinstance(one, float) and isinstance(two, float):
        return (math.isnan(one) and math.isnan(two)) or (one == two and math.copysign(1, one) == math.copysign(1, two))
    return bool(one == two)


def inexact_part(value: object, place: str = "", depth: int = 0) -> tuple[str, object] | None:
    """The first float in a value, and its place; an infinite one, with which numbers are only compared, is none."""
    if depth > DEEPEST:
        return None
    parts = _parts(value)
    if parts is None:
        rounded = isinstance(value, (float, complex, Decimal)) or type(value).__name__ in (
            "mpfr",
            "float32",
            "float16",
            "longdouble",
        )
        kind = getattr(getattr(value, "dtype", None), "kind", "")
        infinite = isinstance(value, float) and math.isinf(value)
        return (place.lstrip(".") or "the answer", value) if (rounded and not infinite) or kind in ("f", "c") else None
    if isinstance(value, Interval):
        return None
    return next(
        (found for name, item in parts if (found := inexact_part(item, f"{place}{name}", depth + 1)) is not None), None
    )


def _shown(value: object) -> str:
    text = repr(value) if not isinstance(value, Fraction) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
