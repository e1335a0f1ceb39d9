"""PASSCoDe: the bounded-delay reference and the claims that it carries."""

from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks.claims import registry
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.papers.passcode import instances
from dualgap.proofs_checks.papers.passcode.algorithm_2 import loss_of_writes
from dualgap.reference import L2, ElasticNet, HypothesisViolated, Problem, Squared, all_methods, method
from dualgap.reference.methods.passcode import PasscodeAtomic

Q = Fraction
NAMES = [name for name, kind in all_methods().items() if issubclass(kind, PasscodeAtomic)]
ROWS, LABELS = [[1, 0], [1, 1], [0, -1]], [1, -1, 1]


def problem(loss=None, number=Fraction, rows=ROWS, y=LABELS):
    return Problem(rows, y, loss or Squared(), L2("1/3"), number=number)


def test_choices_may_be_rows_of_an_integer_array():
    import numpy as np

    atomic = method("passcode-atomic", threads=2, delay=1)
    rows = [(0, 0, 0), (1, 1, 0), (0, 2, -1)]
    p = problem()
    assert atomic.run(p, np.array(rows)).key() == atomic.run(p, rows).key()
    single = method("passcode-atomic")
    assert single.run(p, np.array([0, 1])).key() == single.run(p, [0, 1]).key()
    assert single.step(p, single.init(p), np.int64(2)).key() == single.step(p, single.init(p), 2).key()


def test_a_step_sees_all_but_the_last_tau_steps():
    p = problem(rows=[[1]] * 4, y=[1, 2, 3, 4])
    for delay in range(4):
        atomic = method("passcode-atomic", threads=4, delay=delay)
        state, views = atomic.init(p), [[Q(0)]]
        for worker in range(4):
            expected = views[max(0, worker - delay)]  # w after the steps that must be visible
            assert atomic.read(state, worker, 0) == expected
            state = atomic.step(p, state, (worker, worker, 0))
            views.append(atomic.view(p, state)[0])
            assert len(state.pending) == min(delay, worker + 1)


@pytest.mark.parametrize("name", NAMES)
def test_choices_are_all_different_and_their_probabilities_sum_to_one(name):
    p, simulator = problem(), method(name, threads=2, delay=2)
    choices = simulator.choices(p, simulator.run(p, [(0, 1, 0), (1, 0, 0)]))
    count = {
        "passcode-lock": 6,  # 2 workers, 3 rows
        "passcode-atomic": 3 * 2 + 3 * 4,  # worker 0 may miss 1 component write, worker 1 may miss 2
        "passcode-wild": (2 + 4) * (2 + 4 + 2),  # and any of the row's own 1, 2, 1 writes may be lost
    }
    assert len({choice for choice, _ in choices}) == len(choices) == count[name]
    assert sum(chance for _, chance in choices) == 1
    assert method(name).choices(p, method(name).init(p)) == [(i, Q(1, 3)) for i in range(3)]


@pytest.mark.parametrize("name", NAMES)
def test_options_and_problems_are_checked_on_entry(name):
    refuses(ValueError, "threads must be an integer >= 1", method, name, threads=0)
    refuses(ValueError, "threads must be", method, name, threads=True)
    refuses(ValueError, "delay must be an integer >= 0", method, name, delay=-1)
    refuses(ValueError, "delay must be", method, name, delay=1.5)
    p = Problem(ROWS, LABELS, Squared(), ElasticNet("1/3", "1/10"), number=Fraction)
    for mode in ("paper", "sharp", "unchecked"):
        refuses(HypothesisViolated, f"{name}.*l1 = 0 .got l1 = 1/10.*'sdca'", method(name).require, p, mode)
    method(name).require(problem())


@pytest.mark.parametrize(
    ("name", "threads", "choice", "words"),
    [
        ("passcode-atomic", 2, (2, 0, 0), "worker must be in 0..1"),
        ("passcode-atomic", 2, (0, 3, 0), "index in 0..2"),
        ("passcode-lock", 1, -1, "index in 0..2"),
        ("passcode-atomic", 2, (0, 0, 0, 1), "only passcode-wild"),
        ("passcode-wild", 1, (0, 0, 0, 1), "threads >= 2"),
    ],
)
def test_a_choice_the_method_cannot_make_is_refused(name, threads, choice, words):
    p, simulator = problem(), method(name, threads=threads)
    refuses(ValueError, words, simulator.step, p, simulator.init(p), choice)


def test_the_drawn_interleavings_do_interleave():
    """At least a tenth of the delayed runs differ from SDCA's, a third of the wild ones lose something that shows."""
    delayed = draw_instances(instances.delayed(), 100, seed_value=1)
    assert sum(violates(registry.all_claims()["passcode.lock.serialisable"], i) for i in delayed) >= 10
    lossy = [Context(i) for i in draw_instances(instances.wild(), 100, seed_value=1)]
    assert sum(any(loss_of_writes(c)[2]) for c in lossy) >= 33
