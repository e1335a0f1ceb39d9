"""Planted bugs in draws: for every method, draws against ``choices``; that a random output is one of all iterates,
uniformly; and changes of lines and constants of the reference that once went unnoticed.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.engines.drawn import differences
from dualgap.proofs_checks.self_audit.saying import differs
from dualgap.reference import L2, Hinge, Method, Problem, SmoothedHinge, all_methods, method

ROWS = [[1.0, 0.5], [-0.5, 2.0], [0.0, 1.0], [1.5, -1.0]]
LABELS = [1.0, -1.0, 1.0, -1.0]
NEED_HINGE = ("pegasos",)


def cases() -> Iterator[tuple[str, Json]]:
    """Every method with its defaults, and with two rows a step and all values of the options that tests draw."""
    for name, kind in all_methods().items():
        yield name, {}
        values = {names: values for names, values in kind.drawn_options.items() if " " not in names}
        values |= {option: (2,) for key, option in kind.command_line.items() if key == "batch"}
        yield from ((name, dict(zip(values, chosen))) for chosen in product(*values.values()) if values)


def problem_for(name: str) -> Problem:
    """Four rows whose norms differ."""
    return Problem(ROWS, LABELS, Hinge() if name in NEED_HINGE else SmoothedHinge(), L2(2.0))


def of_method(name: str, options: Json) -> Iterator[str]:
    """The complaints about one method."""
    for difference in differences(method(name, **options), problem_for(name)):
        yield f"{difference} ({options})" if options else difference


def laws() -> Iterator[str]:
    """``draw`` against ``choices``, exactly, over two passes of every method."""
    for name, options in cases():
        yield from of_method(name, options)


def laws_of(name: str) -> Iterator[str]:
    """The same for one method."""
    return (words for case, options in cases() if case == name for words in of_method(case, options))


def kept() -> Iterator[str]:
    """After T steps each iterate that may be kept is the one that is kept with probability 1/T, by ``choices``."""
    for name, options, first in (
        ("sdca-random", {}, 0),
        ("sdca-random", {"T0": 2}, 2),
        ("svrg", {"option": "II", "m": 8}, 0),
        ("pgs", {"output": "random"}, 0),
    ):
        if name not in all_methods():
            continue
        problem = problem_for(name)
        steps: Method[Any] = method(name, **options)
        state, held = steps.init(problem), list[Fraction]()
        for t in range(7):
            possible = steps.choices(problem, state)
            yield from differs(f"{name} {options}, step {t}: probabilities sum to", sum(p for _, p in possible), 1)
            keeps = sum((p for choice, p in possible if keeping(choice, problem.n)), Fraction(0))
            held = [p * (1 - keeps) for p in held] + [keeps]
            expected = [Fraction(0)] * min(first, t + 1) + [Fraction(1, t + 1 - first) for _ in range(first, t + 1)]
            yield from differs(f"{name} {options}, step {t}: kept with probabilities", held, expected)
            state = steps.step(problem, state, possible[0][0])


def keeping(choice: int | tuple[int, ...], n: int) -> bool:
    """Return whether a choice keeps the iterate before it."""
    return bool(choice[0]) if isinstance(choice, tuple) else choice >= n
