"""A named strategy of instances, written in one line, and the name that seeds a strategy."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from dualgap.proofs_checks.claims.instance import Given
from dualgap.reference.problem.registry import Place, outside

if TYPE_CHECKING:  # a list of claims does without Hypothesis
    from hypothesis.strategies import SearchStrategy


class Pool:
    """``Pool(name, strategy, *args, **options)`` draws what ``strategy(*args, **options)`` draws.

    Parameters
    ----------
    name : seeds the instances, so that a pool that is moved draws what it drew before; no other pool may have it.
    strategy : called with the arguments each time the pool is drawn from.

    >>> from dualgap.proofs_checks.claims import drawing as st
    >>> hard = Pool("my-paper.hard", st.sampled_from, ("kink", "zero row"))
    >>> hard.name, type(hard()).__name__
    ('my-paper.hard', 'Drawable')
    """

    def __init__(
        self, name: str, strategy: "Callable[..., SearchStrategy[Given]]", *args: object, **options: object
    ) -> None:
        self.name, self.strategy, self.args, self.options = name, strategy, args, options
        caller = sys._getframe(1)
        self.place = Place(caller.f_globals["__name__"], caller.f_code.co_filename, caller.f_lineno, caller.f_code)

    def __call__(self) -> "SearchStrategy[Given]":
        return self.strategy(*self.args, **self.options)


def seed_name(strategy: Callable[..., object]) -> str:
    """Return the name that seeds a strategy's instances: a pool's name, else "PAPER.function" or "folder.function".

    A strategy that moves within its paper draws what it drew before. A function of another package is named by its
    module.
    """
    if isinstance(strategy, Pool):
        return strategy.name
    if outside(strategy.__module__):
        return f"{strategy.__module__}.{strategy.__qualname__}"
    parts = strategy.__module__.split(".")
    home = parts[3] if parts[2] == "papers" else parts[2]
    return f"{home}.{strategy.__qualname__}"
