"""Parts of property tests: methods under test, runs side by side, exact expectations, failures that can be replayed.

    problem = float_problem(run)  # run: an Instance, as ``strategies.public.runs`` draws it; pair: a Pair
    for where, one, two in side_by_side(problem, pair.repeated(run), pair.fast(run), run):
        holds(run, same_bits(one, two, where))

``holds`` raises Failed, an AssertionError that shows the run in rationals and names a file for ``dualgap replay``.
"""

import os
import pathlib
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.auditing import replay_file
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Blocks
from dualgap.proofs_checks.claims.instance import Given, Instance, shown
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.reference import LOSSES, Method, Problem, as_compiled
from dualgap.reference.numbers.arithmetic import Number

FOLDER = "dualgap-report"  # where replay files are written, in the working directory


# -- the methods under test --------------------------------------------------------------------------------------------


class Pair:
    """The forms of a method that a property test compares. A test takes the pair as a fixture, so that a pair with a
    planted bug can stand in for it.
    """

    def reference(self, run: Instance) -> Method[Any]:
        """The reference method of a run, as the paper writes it."""
        return run.reference_method()

    def repeated(self, run: Instance) -> Method[Any]:
        """The reference method whose bits the compiled one repeats: the lazy form where there is one."""
        return as_compiled(run.method, **run.options)

    def lazy(self, run: Instance) -> Method[Any]:
        """The form that the compiled method follows, for exact comparison with ``reference``."""
        return as_compiled(run.method, **run.options)

    def fast(self, run: Instance, any_form: bool = False) -> Any:
        """The compiled method of a run.

        any_form : whether a method may stand in that follows the paper's form, whose roundings differ
        """
        from dualgap.fast import kernels

        return kernels()[run.method](**run.options)


def examples(share: float, **others: Any) -> Any:
    """Hypothesis settings with this share of the examples of the profile that is loaded, and others as given."""
    from hypothesis import settings

    return settings(max_examples=max(5, round(share * settings.default.max_examples)), **others)  # type: ignore[union-attr]


# -- problems and runs -------------------------------------------------------------------------------------------------


def float_problem(run: Instance, storage: str | None = None) -> Problem:
    """The run's problem in floats: dense, CSR with int32 or int64 indices, or "unsorted" (last column first)."""
    import numpy as np
    from scipy.sparse import csr_array

    storage = run.extra.get("storage", "dense") if storage is None else storage
    X: Any = np.array([[float(x) for x in row] for row in run.rows])
    if storage == "unsorted":
        parts = [(np.flatnonzero(row)[::-1], row[np.flatnonzero(row)[::-1]]) for row in X]
        indptr = np.cumsum([0, *(len(columns) for columns, _ in parts)]).astype(np.int32)
        columns, values = (np.concatenate(part) for part in zip(*parts))
        X = csr_array((values, columns.astype(np.int32), indptr), X.shape)
    elif storage != "dense":
        X = csr_array(X)
        X.indptr, X.indices = X.indptr.astype(storage), X.indices.astype(storage)
    return _framed(run.problem_of(X, np.array([float(v) for v in run.y])), run)


def exact_problem(run: Instance) -> Problem:
    """The run's problem in Fractions."""
    return _framed(run.problem(), run)


def _framed(problem: Problem, run: Instance) -> Problem:
    """Return the problem with the run's proximal centre, if it has one."""
    if not run.extra.has("kappa", "centre") or not run.extra.kappa:
        return problem
    number = problem.number
    return problem.centred(number(run.extra.kappa), [number(c) for c in run.extra.centre])


def inside(run: Instance) -> bool:
    """Return whether a run has rows, not blocks, and starts in the domain of phi*."""
    return Blocks not in run.extra and all(map(exact_problem(run).loss.in_domain, run.alpha, run.y))


def begun(method: Any, problem: Problem, run: Instance) -> Any:
    """The state before the first step, from alpha and w if the method starts from them (no alpha if ``known`` is 0)."""
    if not isinstance(run, Instance):
        return run.begin(method, problem)
    reference = getattr(method, "reference", getattr(method, "method", method))
    resumable = getattr(reference, "resumable", True)  # a method of another package need not have it
    from_alpha = run.alpha and resumable and run.extra.get("known") != 0
    alpha = [problem.number(a) for a in run.alpha] if from_alpha else None
    if run.extra.has("w") and resumable:
        return method.init(problem, alpha, [problem.number(w) for w in run.extra.w])
    return method.init(problem, alpha)


def side_by_side(problem: Problem, slow: Any, fast: Any, run: Instance) -> Iterator[tuple[str, Any, Any]]:
    """(where, state of slow, state of fast) at the start and after every step; fast is a compiled method."""
    one, two = begun(slow, problem, run), begun(fast, problem, run)
    yield "at the start", one, two
    for t, choice in enumerate(run.path, 1):
        slow.advance(problem, one, choice)
        fast.advance(problem, two, [choice])
        yield f"after step {t}, choice {choice}", one, two


def same_bits(expected: Any, got: object, where: str) -> Iterator[Relation]:
    """Every field of ``got`` is bit-identical to ``expected``, including the sign of a zero."""
    import numpy as np

    for name in type(expected).names() if hasattr(expected, "names") else vars(expected):
        one, two = (np.atleast_1d(np.asarray(getattr(state, name), dtype=np.float64)) for state in (expected, got))
        if one.shape != two.shape:
            yield Eq(str(two.shape), str(one.shape), f"{where}: shape of {name}")
            continue
        for k in np.flatnonzero(one.view(np.int64) != two.view(np.int64))[:1]:
            yield Eq(float(two.flat[k]).hex(), float(one.flat[k]).hex(), f"{where}: {name}[{k}], bits")


def expectations(
    method: Method[Any], problem: Problem, state: object, observe: Callable[[Any], Number], nodes: int = 400
) -> Iterator[object]:
    """E observe(state_t) for t = 0, 1, ..., exactly: over all of the method's own choices, equal states merged.

    Ends before the states visited, and those to be visited next, would be more than ``nodes``.
    """
    visited = 0
    for layer in distributions(method, problem, state):
        visited += len(layer)
        yield sum((probability * observe(reached) for probability, reached in layer), Fraction(0))
        following = sum(len(method.choices(problem, reached)) for _, reached in layer)
        if visited + following > nodes or visited > nodes / 4 and len(layer) == 1:
            return


def statement(claim: str, run: Instance, method: Method[Any]) -> Iterable[Relation]:
    """The relations of a claim of the audit on a run, with that method instead of the run's."""
    from dualgap.proofs_checks.claims.registry import all_claims

    return all_claims()[claim].check(Context(run, method))


def features(run: Instance) -> set[str]:
    """The special cases in a run: kinks, zero and equal rows, thresholds of lam, branches of the steps from its w."""
    problem = exact_problem(run) if LOSSES[run.loss].rational else float_problem(run, "dense")
    alpha = [problem.number(a) for a in run.alpha] or problem.zeros()
    w = [problem.number(w) for w in run.extra.w] if run.extra.has("w") else problem.w(alpha)
    gamma, found = problem.gamma, {"centre"} if run.extra.has("kappa", "centre") and run.extra.kappa else set()
    found |= {"one row"} if problem.n == 1 else {"equal rows"} if len({*run.rows}) < problem.n else set()
    found |= {"zero row"} if not all(map(any, run.rows)) else set()
    if gamma > 0:
        K = run.problem().K_max if LOSSES[run.loss].rational else problem.K_max
        found |= {f"K = {value}" for value in (Fraction(1, 4), Fraction(1, 2), Fraction(1)) if value == K}
        found |= {"K > 1"} if K > 1 else {"K < 1/4"} if K < Fraction(1, 4) else set()
    if run.l1:
        found |= {"coordinate kept by l1" if w_j else "coordinate at 0 by l1" for w_j in w}
    for row, y in zip(problem.rows, problem.y):
        z = problem.dot(row, w)
        found |= {"kink"} if z in problem.loss.kinks(y) else set()
        if run.loss == "smoothed-hinge":
            found.add("flat" if y * z >= 1 else "linear" if y * z <= 1 - gamma else "quadratic")
    return found


# -- failures ----------------------------------------------------------------------------------------------------------


class Failed(AssertionError):
    """A relation is false on a run; the smallest run that Hypothesis found is the one that it raises last."""

    def __init__(self, run: Given, relation: Relation, claim: str | None, file: str) -> None:
        self.run, self.relation = run, relation
        again = f"to see it again, and whether it is the code or the theorem: dualgap replay {file}"
        super().__init__("\n".join([f"FALSE  {relation}", *(f"  {line}" for line in in_rationals(run)), again]))


def in_rationals(run: Given) -> list[str]:
    """The run as one reads it, a line for each field that is not empty."""
    return [f"{name} = {shown(value)}" for name, value in run.to_json().items() if value not in (None, {}, [], "0")]


def holds(run: Given, relations: Iterable[Relation], claim: str | None = None) -> int:
    """Check relations in order, and give their number.

    Parameters
    ----------
    claim : the id of the statement, in the audit's registry, of which they are an instance; None for code against code.

    Raises
    ------
    Failed
        The first one that is false. A file for ``dualgap replay`` is written.
    """
    number = 0
    for relation in relations:
        if not relation.holds():
            raise Failed(run, relation, claim, _written(run, relation, claim))
        number += 1
    return number


def _written(run: Given, relation: Relation, claim: str | None) -> str:
    """The path of the file that ``files.replay`` reads."""
    folder = pathlib.Path(FOLDER)
    folder.mkdir(exist_ok=True)
    test = os.environ.get("PYTEST_CURRENT_TEST", "").split(" ")[0]
    said = {"test": test, "said": str(relation), "claim": claim, "run": run.to_json()}
    path = folder / f"property-{run.method}-{claim or 'code'}.json"
    return str(replay_file.write(path, {"schema": 1, "kind": replay_file.PROPERTY, **said}))
