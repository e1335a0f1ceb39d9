"""Checks that two forms of one method agree: compiled and reference bit for bit, lazy and dense exactly.

    check_bits(FastMine, Mine)             # draws runs with kinks, zero and equal rows, dense and CSR; shrinks failures
    check_bits(FastMine(), Mine(), run)    # one run, an Instance
    check_lazy(LazyMine, Mine)

A failure is ``Failed``, an AssertionError that shows the smallest run in rationals and names a file for ``dualgap
replay``.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.by_hypothesis import for_each
from dualgap.proofs_checks.claims.instance import Given, Instance
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.properties.runs import begun, exact_problem, float_problem, holds, same_bits, side_by_side
from dualgap.proofs_checks.strategies import public
from dualgap.reference import LOSSES
from dualgap.reference.numbers.arithmetic import Number

Runs = Given | SearchStrategy[Any] | None


def check_bits(fast: object, reference: Any, runs: Runs = None, examples: int = 100) -> None:
    """Check that a compiled method is bit-identical to the reference: every field after every step, and the final view.

    Parameters
    ----------
    fast : a compiled method with ``init``, ``advance(problem, state, choices)`` and ``view`` (such as a
        ``FastMethod``), or its class.
    reference : the method whose operations it repeats (the lazy form where there is one), or its class. A class is made
        with the options of each run.
    runs : an instance with a path of choices, or a strategy of such; left out, ``strategies.public.runs`` of the
        reference's registered name. Choices to which ``choices`` gives probability 0 are not among these.
    examples : runs that are drawn.

    Raises
    ------
    Failed
        A field differs in some bit.
    """
    _each(
        lambda run: bit_relations(_made(fast, run), _made(reference, run), run),
        runs,
        lambda: public.runs(reference.name, list(LOSSES)),
        examples,
    )


def check_lazy(lazy: object, dense: Any, runs: Runs = None, examples: int = 100, claim: str | None = None) -> None:
    """Check that w and alpha of a lazy form are those of the paper's form after every step, in rational numbers.

    Parameters
    ----------
    lazy, dense : methods of the reference, or their classes, which are made with the options of each run.
    runs : as in ``check_bits``; left out, runs of the registered name without the logistic loss.
    examples : runs that are drawn.
    claim : the id of the statement of which a failure is an instance, for the file.

    Raises
    ------
    Failed
        They differ.
    """
    _each(
        lambda run: view_relations(_made(lazy, run), _made(dense, run), run),
        runs,
        lambda: public.runs(dense.name, exact=True),
        examples,
        claim,
    )


def _made(method: Any, run: Any) -> Any:
    return method(**run.options) if isinstance(method, type) else method


def _each(
    relations: Callable[[object], Iterable[Relation]],
    runs: Runs,
    drawn: Callable[[], SearchStrategy[Instance]],
    examples: int,
    claim: str | None = None,
) -> None:
    if isinstance(runs, Given):
        holds(runs, relations(runs), claim)
        return
    for_each(drawn() if runs is None else runs, examples, lambda run: holds(run, relations(run), claim))


def bit_relations(fast: Any, slow: Any, run: Any) -> Iterator[Relation]:
    """The relations of ``check_bits`` on one run."""
    problem = float_problem(run)
    one: Any = None
    two: Any = None
    for where, one, two in side_by_side(problem, slow, fast, run):
        yield from same_bits(one, two, f"compiled = reference, {where}")
    for what, expected, got in zip(("w", "alpha"), slow.view(problem, one), fast.view(problem, two)):
        if expected is not None or got is not None:
            yield Eq(hexes(got), hexes(expected), f"compiled = reference, view: {what}, bits")


def hexes(values: Iterable[Number] | None) -> list[str] | None:
    """The hexadecimal form of a vector; None if a method does not have it."""
    return None if values is None else [float(x).hex() for x in values]


def view_relations(lazy: Any, dense: Any, run: Any) -> Iterator[Relation]:
    """The relations of ``check_lazy`` on one run."""
    problem = exact_problem(run)
    one, two = begun(dense, problem, run), begun(lazy, problem, run)
    for t, choice in enumerate(run.path, 1):
        one, two = dense.step(problem, one, choice), lazy.step(problem, two, choice)
        for name, values, expected in zip(("w", "alpha"), lazy.view(problem, two), dense.view(problem, one)):
            yield from (
                Eq(a, b, f"{name}[{k}] after step {t}: lazy = dense") for k, (a, b) in enumerate(zip(values, expected))
            )
