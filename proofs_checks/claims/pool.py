"""A named strategy of instances, written in one line."""

import sys
from collections.abc import Callable

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.instance import Given
from dualgap.reference.problem.registry import Place


class Pool:
    """``Pool(name, strategy, *args, **options)`` draws what ``strategy(*args, **options)`` draws.

    Parameters
    ----------
    name : seeds the instances, so that a pool that is moved draws what it drew before; no other pool may have it.
    strategy : called with the arguments each time the pool is drawn from.

    >>> from dualgap.proofs_checks.claims import drawing as st
    >>> hard = Pool("my-paper.hard", st.sampled_from, ("kink", "zero row"))
    >>> hard.name, isinstance(hard(), SearchStrategy)
    ('my-paper.hard', True)
    """

    def __init__(
        self, name: str, strategy: Callable[..., SearchStrategy[Given]], *args: object, **options: object
    ) -> None:
        self.name, self.strategy, self.args, self.options = name, strategy, args, options
        caller = sys._getframe(1)
        self.place = Place(caller.f_globals["__name__"], caller.f_code.co_filename, caller.f_lineno, caller.f_code)

    def __call__(self) -> SearchStrategy[Given]:
        return self.strategy(*self.args, **self.options)
