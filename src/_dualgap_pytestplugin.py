"""The pytest plugin (entry point ``pytest11``): a marker and two fixtures. Inert unless one of them is used: nothing of
dualgap is imported before, and there are no options. Where tests have imported ``solve`` and the strategies, their
kernels are compiled before the first test.

    @pytest.mark.dualgap_solvers([my_solver], losses=["hinge"])    # arguments as of parametrize_with_checks
    def test_my_solver(dualgap_check):                             # once for every check
        dualgap_check()

    def test_a_pair(dualgap_gap):
        dualgap_gap(problem, w, at_most=1e-6)                      # certified, else AssertionError
"""

import sys
from collections.abc import Callable
from typing import Any

import pytest

MARKER = (
    "dualgap_solvers(solvers, losses=, l1=, tol=, expected_failed_checks=): run the test, which takes dualgap_check,"
    " once for every check"
)


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker, for --strict-markers."""
    config.addinivalue_line("markers", MARKER)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize ``dualgap_check`` by the marker's solvers and their checks."""
    if "dualgap_check" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("dualgap_solvers")
    if mark is None or not mark.args:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} takes dualgap_check: mark it with @pytest.mark.dualgap_solvers([solver])"
        )
    from dualgap.proofs_checks.conformance.solvers.checks import parametrize_with_checks

    try:
        parameters = parametrize_with_checks(*mark.args, **mark.kwargs).args[1]
    except (ValueError, TypeError) as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: {error}") from None
    pairs = [pytest.param(one.values, marks=one.marks, id=one.id) for one in parameters]
    metafunc.parametrize("dualgap_check", pairs, indirect=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile now what the first example of a property test would wait for, longer than Hypothesis' deadline allows."""
    if (
        not {"dualgap.fast.solver.solve", "dualgap.proofs_checks.strategies.public"} <= sys.modules.keys()
        or session.config.option.collectonly
    ):
        return
    from hypothesis import settings

    if settings().deadline is not None and any(
        getattr(getattr(item, "obj", None), "is_hypothesis_test", False) for item in session.items
    ):
        from dualgap.fast import warm_up

        warm_up()


@pytest.fixture
def dualgap_check(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Run one check of one solver. Raises CheckFailed, an AssertionError."""
    solver, check = request.param

    def run() -> None:
        check(solver)

    return run


@pytest.fixture
def dualgap_gap() -> Callable[..., Any]:
    """``dualgap_gap(problem, w, alpha=None, at_most=tol)``: AssertionError unless P(w) - min P <= tol is certified, or,
    with an alpha, P(w) - D(alpha) <= tol. Returns a bound that includes every rounding error.
    """

    def require(problem: Any, w: Any, alpha: Any = None, *, at_most: float) -> float:
        from dualgap.fast.certify.certify import of_problem

        found = of_problem(problem, w, alpha, seconds=1.0 if alpha is None else 0.0, tol=at_most)
        if found is not None and found.gap_bound <= at_most:
            return found.gap_bound
        if alpha is None:  # no assert in this function, which python -O leaves out
            known = "without alpha, this kind of problem has none" if found is None else f"it is {found.gap_bound:.6g}"
            raise AssertionError(f"no bound on P(w) - min P is at most {at_most:g}: {known}")
        from dualgap.proofs_checks.conformance.solvers import judge

        gap = judge.gap_of(problem, w, alpha)
        if not judge.at_most(problem, w, alpha, at_most):
            raise AssertionError(f"the gap is {judge.shown(gap)}, above {at_most:g}")
        return at_most

    return require
