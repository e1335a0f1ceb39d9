"""First calls in Python: the bits, errors and arrays of compiled code, and how long kernels stay Python functions."""

import itertools
import math
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from dualgap.extras.baselines.lbfgs import compiled as lbfgs
from dualgap.extras.baselines.newton.compiled_hessian import add_square
from dualgap.fast import kernels, solve
from dualgap.fast.compiler import first_calls
from dualgap.fast.compiler.first_calls import HERE, Kernel, interpreting
from dualgap.fast.compiler.kernel import CONFIG, kernel
from dualgap.fast.problem import row_sums
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.multinomial import MultinomialProblem
from dualgap.fast.problem.prefetch import inner_fetching
from dualgap.fast.problem.rows import Limits, inner, update
from dualgap.fast.solver.single_run import Record
from dualgap.fast.solver.solve import rounds_as_python
from dualgap.reference import L2, LOSSES, ElasticNet, Hinge, InterceptProblem, Problem, SmoothedHinge, WeightedProblem
from dualgap.reference.problem.pnorm import PNorm

pytestmark = pytest.mark.skipif(CONFIG.DISABLE_JIT, reason="nothing is compiled")
KINDS = {
    "plain": Problem,
    "weighted": lambda *given: WeightedProblem(*given, np.linspace(0.5, 2.0, len(given[1]))),
    "intercept": InterceptProblem,
}


@pytest.fixture(autouse=True)
def a_new_process(monkeypatch):
    """In which nothing was compiled or announced."""
    new = {"seconds": 0.0, "at_once": False, "announced": False}
    monkeypatch.setattr(first_calls, "Compilation", type("New", (first_calls.Compilation,), new))


@pytest.fixture
def in_python(monkeypatch):
    """Python makes every call inside ``interpreting`` that it can; the kernels that it called."""
    call, called = Kernel.__call__, []

    def always(self, *given):
        if not HERE.allowed or HERE.inside or self.spent == math.inf:
            return call(self, *given)
        called.append(self)
        return self.in_python(given)

    monkeypatch.setattr(Kernel, "__call__", always)
    return called


def solved(n, d, sparse, loss, l1, kind):
    """The bits of a run of ``auto``: its pair, and all numbers of its certificates."""
    random = np.random.default_rng(n)
    X = random.normal(size=(n, d)) * (random.random((n, d)) < 0.6)
    y = np.sign(random.normal(size=n))
    problem = KINDS[kind](csr_matrix(X) if sparse else X, y, LOSSES[loss](), ElasticNet(0.01, l1))
    result = solve(problem, rtol=1e-6, max_epochs=30)
    numbers = [value for entry in result.history for value in (*entry[2:], entry.epochs)]
    return result.method, result.status, result.w.tobytes(), result.alpha.tobytes(), numbers


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_run_in_python_has_the_bits_of_a_compiled_one(sparse, kind, loss, in_python, monkeypatch):
    shape, l1 = ((10, 25), 0.02) if loss == "logistic" or kind == "weighted" else ((40, 5), 0.0)
    found, by_python, call, calls = solved(*shape, sparse, loss, l1, kind), [*in_python], Kernel.__call__, []
    assert all(k.spent < math.inf for k in by_python), "Python raised, and compiled code took over"
    monkeypatch.setattr(Kernel, "__call__", lambda self, *given: calls.append(self) or call(self, *given))
    with interpreting(False):
        assert solved(*shape, sparse, loss, l1, kind) == found
    assert calls == by_python == in_python, "Python made every call, and then none"


@pytest.mark.parametrize("method", sorted(kernels()))
def test_every_method_has_the_same_bits_in_python(method, in_python):
    given = ElasticNet(1.0, 0.01) if method == "l1-newton" else L2(1.0)
    X, y = np.random.default_rng(5).normal(size=(12, 4)), np.resize([1.0, -1.0, -1.0], 12)

    def found():
        loss = Hinge() if method in ("proximal-newton", "pegasos") else SmoothedHinge()
        result = solve(Problem(X, y, loss, given), method, mode="unchecked", max_epochs=3)
        return result.w.tobytes(), result.alpha.tobytes(), [entry.gap_bound for entry in result.history]

    with interpreting(False):
        due = found()
    assert not in_python
    assert found() == due and in_python


def test_one_operation_that_rounds_differently_is_noticed(in_python, monkeypatch):
    """The control of the test above."""
    given = 40, 5, True, "logistic", 0.0, "plain"  # sparse, whose pairs keep what the steps of few numbers mend
    with interpreting(False):
        found = solved(*given)
    solution = lbfgs.solution.py_func
    monkeypatch.setattr(lbfgs.solution, "py_func", lambda U, q: np.nextafter(solution(U, q), math.inf))
    assert solved(*given) != found


@pytest.mark.parametrize("make", [np.asarray, csr_matrix])
def test_a_quick_form_has_the_bits_of_its_kernel(make):
    """The control is a form of another number."""
    random = np.random.default_rng(1)
    X = random.normal(size=(30, 7)) * (random.random((30, 7)) < 0.5)
    X[:, 2] = 1.0
    rows, forms = arrays(Problem(make(X), np.ones(30), SmoothedHinge(), L2(1.0))).matrix, set()
    for i, limits in itertools.product(range(30), (Limits(-0.0, 0.0), Limits(-0.1, 0.1), Limits(-np.inf, 0.2))):
        v, c = random.normal(size=7), random.normal()
        assert inner.quick(rows, i, v, limits) == inner.py_func(rows, i, v, limits)
        assert inner_fetching.quick(rows, i, v, limits, 0) == inner_fetching.py_func(rows, i, v, limits, np.uint64(0))
        for kernel_, shape in ((update, (7,)), (add_square, (7, 7))):
            quick, due = np.ones(shape), np.ones(shape)
            kernel_.quick(rows, i, c, quick)
            kernel_.py_func(rows, i, c, due)
            assert quick.tobytes() == due.tobytes()
            kernel_.quick(rows, i, 1.5 * c, due)
            forms.add(quick.tobytes() == due.tobytes())
    assert forms == {False}


def expected(found):
    """Seconds of compiling a kernel that calls no other."""
    return first_calls.SHORTEST + first_calls.COMPILING * len(found.__code__.co_code)


def test_a_kernel_is_compiled_when_its_calls_in_python_have_taken_long_enough():
    @kernel
    def twice(x):
        return x[0] + x[0]

    x = np.array([1.5])
    with interpreting():
        assert [twice(x), twice(x)] == [3.0, 3.0] and not twice.overloads and 0 < twice.spent < twice.worth
        assert twice.worth == expected(twice)
        twice.spent = twice.worth
        assert twice(x) == 3.0 and len(twice.overloads) == 1


def test_what_a_kernel_calls_is_compiled_with_it():
    called = {name: {k.__name__ for k in getattr(lbfgs, name).called()} for name in ("dot", "go_along")}
    assert called["dot"] == {"dot"} and {"go_along", "derivatives", "derivative"} <= called["go_along"]


def test_a_kernel_that_is_in_the_cache_is_read(monkeypatch, tmp_path):
    @kernel
    def first(x):
        return x[0]

    index = tmp_path / "index"
    monkeypatch.setattr(first, "_cache", SimpleNamespace(_cache_file=SimpleNamespace(_index_path=index)))
    assert first.seconds_to_compile() == expected(first)
    index.touch()
    assert first.seconds_to_compile() == 0


def test_what_a_kernel_took_counts_in_all_blocks_together():
    @kernel
    def first(x):
        return x[0]

    for _ in range(3):
        with interpreting(), interpreting():
            first(np.zeros(1))
        assert not first.overloads
        first.spent = 0.5 * (first.spent + first.worth)
    first.spent = first.worth
    with interpreting():
        first(np.zeros(1))
    assert len(first.overloads) == 1


def test_the_time_of_compiling_does_not_count_against_a_limit(monkeypatch):
    @kernel
    def first(x):
        return x[0]

    compiling = Kernel.__mro__[1]._compile_for_args

    def slow(self, *given):
        time.sleep(0.3)
        return compiling(self, *given)

    monkeypatch.setattr(Kernel.__mro__[1], "_compile_for_args", slow)
    record, python = Record(0.25), Record(0.25)
    first(np.zeros(1))
    assert not record.time_is_up() and record.elapsed() > 0.3
    time.sleep(0.3)  # the control: other time counts
    assert python.time_is_up()


def test_long_compilation_is_announced_once(caplog):
    for seconds in (0.4, 0.4, 0.4, 5.0):
        first_calls.announce(seconds)
    (line,) = caplog.messages
    assert "warm_up" in line
    first_calls.compile_at_once()
    first_calls.Compilation.announced = False
    first_calls.announce(5.0)
    assert len(caplog.messages) == 1, "who asks for it knows"


@pytest.mark.parametrize("allowed, numbers", [(None, 1), (False, 1), (True, first_calls.MOST + 1)])
def test_outside_the_block_and_on_many_numbers_it_is_compiled_at_once(allowed, numbers):
    @kernel
    def first(x):
        return x[0]

    if allowed is None:
        first(np.zeros(numbers))
    with interpreting(False if allowed is None else allowed), interpreting():
        first(np.zeros(numbers))
    assert first.spent == 0 and len(first.overloads) == 1


def test_another_thread_is_not_allowed_what_this_one_is():
    @kernel
    def first(x):
        return x[0]

    with interpreting():
        thread = threading.Thread(target=first, args=(np.zeros(1),))
        thread.start()
        thread.join()
    assert first.spent == 0 and len(first.overloads) == 1


def test_where_python_does_something_else_the_arrays_are_restored_and_compiled_code_decides():
    @kernel
    def divided(x, out):
        out[0] = out[0] + 1.0
        return 1.0 / x[0]

    out = np.zeros(1)
    with interpreting(), pytest.raises(ZeroDivisionError):
        divided(np.zeros(1), out)
    assert out[0] == 1.0 and len(divided.overloads) == 1  # numpy's 1/0 is infinite; both runs would leave 2


def test_an_interrupt_leaves_the_arrays_as_they_were():
    def interrupted(out):
        out[0] = 1.0
        raise KeyboardInterrupt

    raising, (pair, out) = kernel(interrupted), (np.zeros(2), np.zeros(2))
    with interpreting(), pytest.raises(KeyboardInterrupt):
        raising.in_python((out,))
    assert (out == pair).all() and not first_calls.HERE.inside


@pytest.mark.parametrize(
    "problem, due",
    [
        (Problem([[1.0]], [1], Hinge(), L2(1)), True),
        (Problem([[1.0]], [1], Hinge(), PNorm(1, 1.5)), False),  # powers of the C library
        (Problem([[1.0]], [1], type("Own", (Hinge,), {})(), L2(1)), False),
        (MultinomialProblem([[1.0], [2.0], [0.5]], [0, 1, 2], 3, L2(1)), False),
    ],
)
def test_python_is_not_asked_where_its_bits_may_be_others(problem, due):
    assert rounds_as_python(problem) == due


def test_no_test_can_set_a_constant_that_a_kernel_reads(monkeypatch):
    """The fixture of tests/conftest.py refuses it. Control: a name that no kernel of the module reads."""
    monkeypatch.setattr(row_sums, "UNREAD", 3, raising=False)
    with pytest.raises(AssertionError, match="has BLOCK"):
        monkeypatch.setattr(row_sums, "BLOCK", 3)
