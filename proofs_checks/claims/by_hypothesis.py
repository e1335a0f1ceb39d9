"""Our own runs of Hypothesis: every draw and every search of dualgap goes through here, and none leaves a file.

Hypothesis keeps failures, characters and constants in a folder ``.hypothesis``, which it makes in the folder of the
process. That serves tests that are run again and again. An audit keeps what it found in its report, so the folder of
the user stays as it was.
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, configuration, find, given, seed, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

NOWHERE = os.path.join(os.devnull, "hypothesis")  # a file has no folders: Hypothesis does without what it cannot write
# A level draws instances that fail on purpose, slow ones and large ones among them. No database, since the seed repeats
# a draw.
QUIET: dict[str, Any] = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}


@contextmanager
def ours() -> Iterator[None]:
    """Within it Hypothesis draws the same from equal seeds and writes nothing; then its folder is the user's again."""
    before = getattr(configuration, "__hypothesis_home_directory", None)
    configuration.set_hypothesis_home_dir(NOWHERE)
    try:
        with repeatable():
            yield
    finally:
        configuration.set_hypothesis_home_dir(before)


def by_hypothesis(strategy: SearchStrategy[T], count: int, seed_value: int) -> list[T]:
    """``count`` different instances as Hypothesis draws them, mixing parts; fewer where it finds no others."""
    drawn: list[T] = []

    @seed(seed_value)
    @settings(**QUIET, max_examples=count, phases=[Phase.generate], derandomize=False)
    @given(strategy)
    def collect(value: T) -> None:
        drawn.append(value)

    with ours():
        collect()
    return drawn


def smallest(strategy: SearchStrategy[T], bad: Callable[[T], bool], seed_value: int, examples: int = 500) -> T | None:
    """A value for which ``bad`` is true, shrunk by Hypothesis, or None when the search finds none."""
    chosen = settings(**QUIET, max_examples=examples)
    try:
        with ours():
            return find(strategy, bad, settings=chosen, random=random.Random(seed_value))
    except NoSuchExample:
        return None


def for_each(strategy: SearchStrategy[T], examples: int, check: Callable[[T], object]) -> None:
    """Run the check on values that are the same in every run; raises what it raises on the smallest one found."""

    @settings(**QUIET, max_examples=examples, derandomize=True)
    @given(strategy)
    def checked(value: T) -> None:
        check(value)

    with ours():
        checked()


@contextmanager
def repeatable() -> Iterator[None]:
    """While it lasts Hypothesis draws the same from equal seeds, whatever is loaded. It may be nested.

    Hypothesis takes one number in forty or so from the constants that stand in the loaded modules, other people's
    plugins and what earlier tests have imported among them. These constants are left out.
    """
    from hypothesis.internal.conjecture import providers

    module = providers
    right = getattr(module, "_get_local_constants", None)
    if right is None:  # versions before 6.131 take none
        yield
        return
    nothing = type(module._local_constants)()  # they are sets of each type, here all empty

    def none() -> Any:
        return nothing

    none.replaced = right  # type: ignore[attr-defined]
    module._get_local_constants = none
    module.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        module._get_local_constants = right
        module.CONSTANTS_CACHE.cache.clear()
