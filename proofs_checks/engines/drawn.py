"""The exact distribution of a method's draws, to be compared with the probabilities that its ``choices`` states.

``draw`` makes a pass from numpy's generator, ``choices`` lists the possible steps with their probabilities. Here the
generator is replaced by one that returns given values: every integer that it could return is tried, and bisection
counts which of the 2^53 numbers of ``random`` lead to each outcome. So the distribution is not estimated, and nothing
depends on numpy's streams. The entries of one array of a generator are taken as independent of each other, as numpy
promises, and so are generators of different seeds; ``law`` raises ValueError if one draw uses a seed twice.

If a method calls something else of a generator, or makes one in another way, ``law`` raises NotEnumerable, and
``chance`` bets against the stated distribution with a bounded rate of false alarms.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, NoReturn

from dualgap.proofs_checks.engines.evalues import LawTest
from dualgap.proofs_checks.engines.purity import Impure, foreign, require_law, require_pure
from dualgap.proofs_checks.engines.substituted import substituted
from dualgap.reference import Problem
from dualgap.reference.methods.protocols import AuditedMethod, DrawingMethod
from dualgap.reference.methods.sampling import Choices

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GRID = 2**53  # ``random`` returns k/2^53, every k with the same probability
PIECES = 16  # where the search for ends begins: a piece of the outcome must not hide between two of these
ROUNDINGS = Fraction(32, GRID)  # the two ends of a piece, each moved by at most 16 roundings of numbers below 1

MOST_ANSWERS = 20_000  # sequences of answers that are tried
SEEDS, DELTA = 400, 1e-9  # of the bets, where nothing can be enumerated

Choice = Hashable
Law = dict[Choice, Fraction]


class NotEnumerable(ValueError):
    """``draw`` calls something of a generator whose distribution is not known here."""


class Scripted:
    """Replaces numpy's generators: returns ``values`` in order, then 0; records its calls and the seeds."""

    def __init__(self, values: Sequence[int] = ()) -> None:
        self.values = list(values)
        self.asked: list[int] = []  # how many values each answer could have
        self.seeds: list[tuple[int, ...]] = []

    def default_rng(self, seed: Any = None) -> "Scripted":
        """Replace ``numpy.random.default_rng``."""
        self.seeds.append(tuple(seed) if isinstance(seed, (list, tuple)) else (seed,))
        return self

    def __getattr__(self, name: str) -> NoReturn:
        raise NotEnumerable(
            f"draw asks the generator for {name!r}, whose law is not enumerated (integers and random are)"
        )

    def answer(self, count: int) -> int:
        """The next value, of ``count`` possible ones."""
        self.asked.append(count)
        return self.values[len(self.asked) - 1] if len(self.asked) <= len(self.values) else 0

    def integers(self, high: Any, *more: object, size: Any = None, dtype: object = None, **others: object) -> Choices:
        """The same for every step: one answer, or one for each column."""
        import numpy as np

        if more or others or size is None:
            raise NotEnumerable(
                "draw asks the generator for integers(low, high) or for a single one, whose law is not enumerated"
                " (integers(high, size=...) is)"
            )
        columns = 1 if np.ndim(size) == 0 else size[-1]
        ends = np.broadcast_to(high, columns)
        return np.broadcast_to(
            np.array([self.answer(int(end)) for end in ends], dtype=np.int64), size if np.ndim(size) else (size,)
        ).copy()

    def random(self, size: int | tuple[int, ...]) -> "NDArray[np.float64]":
        """The same for every step."""
        import numpy as np

        return np.full(size, self.answer(GRID) / GRID)


@contextmanager
def _answering(script: Scripted) -> Iterator[None]:
    import numpy as np

    with substituted(np.random, default_rng=script.default_rng):
        yield


def key(method: object, choice: Any) -> Choice:
    """A choice as it counts: the order of the rows of a mini-batch does not, but whether something is kept does."""
    if not hasattr(method, "sampling") or isinstance(choice, int):
        return tuple(choice) if isinstance(choice, (list, tuple)) else choice
    first = 1 if getattr(method, "output", "") == "random" else 0
    return (*choice[:first], *sorted(choice[first:]))


def law(method: Any, problem: Problem, epoch: int, seed: int = 0) -> list[Law]:
    """Return, for every step of the pass, the exact probability of every choice that order "uniform" can draw."""
    blank = Scripted()
    steps = len(_pass(method, problem, epoch, seed, blank))
    if len(set(blank.seeds)) < len(blank.seeds):
        raise ValueError(
            f"{method.name}: one pass draws from the seed {blank.seeds[0]} twice, so that its numbers depend on each"
            " other"
        )
    if math.prod(count for count in blank.asked if count != GRID) > MOST_ANSWERS:
        raise NotEnumerable(f"draw can be answered in more than {MOST_ANSWERS} ways on {problem.n} rows: take fewer")
    ranges = [range(1) if count == GRID else range(count) for count in blank.asked]
    reals = [place for place, count in enumerate(blank.asked) if count == GRID]
    found: list[Law] = [{} for _ in range(steps)]
    for values in product(*ranges):
        share = Fraction(1)
        for count in blank.asked:
            share /= 1 if count == GRID else count
        for weight, outcome in _pieces(lambda v: _pass(method, problem, epoch, seed, Scripted(v)), list(values), reals):
            for step, choice in enumerate(outcome):
                found[step][choice] = found[step].get(choice, Fraction(0)) + share * weight
    return found


def _pass(method: DrawingMethod, problem: Problem, epoch: int, seed: int, script: Scripted) -> list[Choice]:
    return [key(method, choice) for choice in _raw(method, problem, epoch, seed, script)]


def _pieces(
    drawn: Callable[[list[int]], list[Choice]], values: list[int], reals: list[int]
) -> Iterator[tuple[Fraction, list[Choice]]]:
    """(probability, outcome) of each run of numbers of one outcome; at most one number that is no integer."""
    if not reals:
        yield Fraction(1), drawn(values)
        return
    if len(reals) > 1:
        raise NotEnumerable(
            "draw asks the generator for random more than once: of two such numbers no law is enumerated"
        )
    (place,) = reals

    def at(k: int) -> list[Choice]:
        return drawn([*values[:place], k, *values[place + 1 :]])

    begin, outcome, before = 0, at(0), 0
    for edge in [GRID // PIECES * piece for piece in range(1, PIECES)] + [GRID - 1]:
        while at(edge) != outcome:
            low, high = max(begin, before), edge  # the outcome at low, another one at high
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if at(middle) == outcome else (low, middle)
            yield Fraction(high - begin, GRID), outcome
            begin, outcome = high, at(high)
        before = edge
    yield Fraction(GRID - begin, GRID), outcome


def differences(method: Any, problem: Problem, passes: int = 2, seed: int = 0, start: object = None) -> Iterator[str]:
    """Return the steps of a run at which the law of a drawn pass differs from ``choices``, and the seeds that were used
    twice.

    Raises NotEnumerable if the law cannot be found.
    """
    state, name, nothing = (
        method.init(problem) if start is None else start,
        getattr(method, "name", type(method).__name__),
        Fraction(0),
    )
    seeds: set[tuple[int, ...]] = set()
    for epoch in range(passes):
        script = Scripted()
        path = _raw(method, problem, epoch, seed, script)
        _require_scripted(method, problem, script)
        if repeated := seeds & set(script.seeds):
            yield f"{name}: pass {epoch} draws from seeds of an earlier pass: {sorted(repeated)}"
        seeds |= set(script.seeds)
        for step, (choice, found) in enumerate(zip(path, law(method, problem, epoch, seed))):
            said = stated(method, problem, state)
            found = _named(found, said)
            off = [c for c in {**said, **found} if abs(said.get(c, nothing) - found.get(c, nothing)) > ROUNDINGS]
            if off:
                yield (
                    f"{name}: pass {epoch}, step {step}: choice {off[0]} is drawn with probability"
                    f" {float(found.get(off[0], 0)):.6g}, and choices says {float(said.get(off[0], 0)):.6g}"
                )
            if not all(said.get(c) for c in _named({key(method, choice): Fraction(1)}, said)):
                return  # from here on it is nowhere where it can be
            state = method.step(problem, state, choice)


def stated(method: AuditedMethod, problem: Problem, state: object) -> Law:
    """The law of the next choice by ``choices``. Raises ValueError unless it has probabilities >= 0 of sum 1."""
    found: Law = {}
    for choice, probability in method.choices(problem, state):
        found[key(method, choice)] = found.get(key(method, choice), Fraction(0)) + Fraction(probability)
    total, least = sum(found.values(), Fraction(0)), min(found.values(), default=Fraction(0))
    allowed = ROUNDINGS if problem.number is float else Fraction(0)
    if bool(least < 0) or abs(total - 1) > allowed:
        raise ValueError(
            f"choices must state probabilities >= 0 whose sum is 1 (got the sum {total}, the least {least})"
        )
    return found


def _named(found: Law, said: Law) -> Law:
    """The law by the names that ``choices`` uses: of an unstated choice the sorted one, if stated."""
    names: Law = {}
    for choice, probability in found.items():
        in_order = tuple(sorted(choice)) if isinstance(choice, tuple) else choice
        name = in_order if choice not in said and in_order in said else choice
        names[name] = names.get(name, Fraction(0)) + probability
    return names


def _require_scripted(method: DrawingMethod, problem: Problem, script: Scripted) -> None:
    """Raise NotEnumerable for a draw that varies with its seed and does not use the scripted generator."""
    if not script.asked and len({str(method.draw(problem, "uniform", seed, 0).tolist()) for seed in range(20)}) > 1:
        raise NotEnumerable(
            "draw makes its numbers in another way than by numpy.random.default_rng([seed, epoch]), called in draw"
        )


def chance(method: Any, problem: Problem, start: object = None) -> Iterator[str]:
    """Test by bets on the first pass of SEEDS seeds, each step on its own. The probability of a false alarm is at most
    DELTA per call."""
    first = method.init(problem) if start is None else start
    tests: list[LawTest] = []
    for seed in range(SEEDS):
        state = first
        for t, choice in enumerate(method.draw(problem, "uniform", seed, 0).tolist()):
            said = stated(method, problem, state)
            (outcome,) = _named({key(method, choice): Fraction(1)}, said)
            if not said.get(outcome):
                yield (
                    f"{getattr(method, 'name', type(method).__name__)}: seed {seed}, step {t}: choice {outcome} is"
                    " drawn, to which choices gives probability 0"
                )
                return
            if t == len(tests):
                tests.append(LawTest({c: p for c, p in said.items() if p}))
            if tests[t].p.keys() != {c for c, p in said.items() if p} or any(
                tests[t].p[c] != float(p) for c, p in said.items() if p
            ):
                break  # a law that depends on the state: from here on another one
            tests[t].observe(outcome)
            state = method.step(problem, state, choice)
    evidence = math.fsum(test.log_value for test in tests)
    if evidence >= math.log(1 / DELTA):
        yield (
            f"{getattr(method, 'name', type(method).__name__)}: what is drawn has not the law of choices (a bet of 1"
            f" against it became e^{evidence:.0f})"
        )


def check_draw(method: object, problem: Problem, start: object = None) -> str:
    """Compare a method's draws with the probabilities that its ``choices`` states.

    Parameters
    ----------
    method : ``dualgap.reference.DrawingMethod``.
    problem : over float, a few rows (4 or so) of different norms, on which the method can run.
    start : the state from which the passes lead; ``method.init(problem)`` when left out.

    Returns
    -------
    str
        "exactly", or "by statistics: ..." if ``draw`` calls something of a generator that cannot be enumerated.

    Raises
    ------
    AssertionError
        They differ; the message names pass, step and choice with both probabilities.
    ValueError
        ``choices`` states no probabilities: one is negative or a float, or their sum is not 1. ``Impure``, which is
        one: a function of the user's own method returns two results for equal arguments, or changes its argument.

    >>> from dualgap.reference import L2, Problem, Squared, method
    >>> check_draw(method("sdca"), Problem([[1.0], [2.0], [4.0]], [1.0, 0.0, 1.0], Squared(), L2(1)))
    'exactly'
    """
    how, found = compared(method, problem, start)
    if found:
        raise AssertionError(f"draw and choices differ: {'; '.join(found)}")
    return how


def compared(method: Any, problem: Problem, start: object = None) -> tuple[str, list[str]]:
    """Compare the two; return how they were compared and the differences. Raises Impure if the method is not a function
    of its arguments."""
    if foreign(method):
        require_pure(method, problem, lambda: method.init(problem) if start is None else start)
        _require_exact_law(method, problem)
        if len({str(_plain_pass(method, problem)) for _ in range(2)}) > 1:
            raise Impure(
                f"method {getattr(method, 'name', type(method).__name__)}: draw gives two passes for one seed: draw"
                " from numpy.random.default_rng([seed, epoch]) alone"
            )
    try:
        return "exactly", list(differences(method, problem, start=start))
    except NotEnumerable as reason:
        return f"by statistics: {reason}", list(chance(method, problem, start))


def _require_exact_law(method: Any, problem: Problem) -> None:
    """Raise Impure for float probabilities of a rational problem. A method that takes roots is not checked."""
    try:
        exact = Problem(
            [list(row) for row in problem.rows],
            problem.y,
            problem.loss,
            problem.regularizer,
            number=Fraction,
            d=problem.d,
        )
        law = list(method.choices(exact, method.init(exact)))
    except Exception:  # no such problem, or no such method on it
        return
    require_law(law, f"method {getattr(method, 'name', type(method).__name__)}: choices", Fraction)


def _plain_pass(method: DrawingMethod, problem: Problem) -> list[Choice]:
    drawn: list[Choice] = method.draw(problem, "uniform", 0, 0).tolist()
    return drawn


def _raw(method: DrawingMethod, problem: Problem, epoch: int, seed: int, script: Scripted) -> list[Choice]:
    with _answering(script):
        drawn: list[Choice] = method.draw(problem, "uniform", seed, epoch).tolist()
    return [tuple(choice) if isinstance(choice, list) else choice for choice in drawn]
