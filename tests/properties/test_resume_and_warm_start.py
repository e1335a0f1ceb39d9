"""A run that is stopped, killed, resumed, warm started and certified is bit-identical to an uninterrupted one."""

import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from support import Killed, interrupt_at

from dualgap.fast import Certificate, kernels, solve
from dualgap.fast.solver.certificate_schedule import Snapshot
from dualgap.fast.solver.checkpoint import Checkpoint, Reached, identity_of
from dualgap.proofs_checks.claims.relations import Eq
from dualgap.proofs_checks.properties.runs import Pair, begun, examples, float_problem, holds, same_bits
from dualgap.proofs_checks.strategies.public import any_choice, possible, runs, takes
from dualgap.reference import L2, LOSSES, ElasticNet, Problem

NAMES = sorted(kernels())
SETTINGS = examples(1, stateful_step_count=20)  # of the profile that is loaded with this module


class Runs(RuleBasedStateMachine):
    """The compiled method, with its file, and the reference as its model."""

    names = NAMES
    pair = Pair()

    @initialize(data=st.data())
    def start(self, data):
        name = data.draw(st.sampled_from(self.names), label="method")
        self.run = data.draw(runs(name, max_n=3, max_steps=0), label="run")
        self.problem, self.fast, self.slow = (
            float_problem(self.run),
            self.pair.fast(self.run),
            self.pair.repeated(self.run),
        )
        self.state, self.model = begun(self.fast, self.problem, self.run), begun(self.slow, self.problem, self.run)
        self.folder, self.saved, self.alive = tempfile.mkdtemp(), None, True

    def file(self):
        identity = identity_of(self.problem, self.run.options, method=self.run.method)
        return Checkpoint(Path(self.folder) / "run.ckpt", identity)

    @precondition(lambda self: self.alive)
    @rule(data=st.data())
    def step(self, data):
        drawn = data.draw(st.lists(any_choice(self.slow, self.problem), min_size=1, max_size=4), label="choices")
        choices = possible(self.slow, self.problem, drawn, self.model)
        self.fast.advance(self.problem, self.state, choices)
        for choice in choices:
            self.slow.advance(self.problem, self.model, choice)

    @precondition(lambda self: self.alive)
    @rule()
    def save(self):
        w, alpha = self.fast.view(self.problem, self.state)
        reached = Reached(1, 1, Snapshot(2, 1.0, 1.0, 1.0), 0.0, 0.0, np.zeros((1, 6)), (np.array(w), np.array(alpha)))
        self.file().save(self.state, reached)
        self.saved = self.model.copy()

    @precondition(lambda self: self.alive)
    @rule()
    def kill(self):
        self.state, self.alive = None, False

    @precondition(lambda self: not self.alive)
    @rule()
    def resume(self):
        self.state, self.alive = begun(self.fast, self.problem, self.run), True
        self.model = begun(self.slow, self.problem, self.run)
        if self.saved is not None:
            (self.state, _), self.model = self.file().load(self.state), self.saved.copy()

    @precondition(lambda self: self.alive and self.slow.resumable)
    @rule(lam=st.sampled_from((1.0, 0.1, 10.0, 0.25)))
    def warm_start_with_another_lam(self, lam):
        alpha = self.slow.view(self.problem, self.model)[1]
        if not all(map(self.problem.loss.in_domain, alpha, self.problem.y)):
            return  # alpha would be rejected: no dual point to start from
        l1 = self.problem.regularizer.l1 if takes(self.run.method, "l1") else 0
        self.problem = self.problem.with_regularizer(ElasticNet(lam, l1))
        self.model, self.state = (form.init(self.problem, alpha) for form in (self.slow, self.fast))
        self.saved = None

    @precondition(lambda self: self.alive)
    @rule()
    def certify(self):
        w, alpha = self.fast.view(self.problem, self.state)
        if not all(map(self.problem.loss.in_domain, alpha, self.problem.y)) or not np.isfinite([*w, *alpha]).all():
            return
        found = Certificate(self.problem, w, alpha)
        expected = self.problem.gap(*self.slow.view(self.problem, self.model))
        holds(self.run, [Eq(found.gap.hex(), expected.hex(), "gap of the certificate, bits")])

    @invariant()
    def has_the_bits_of_the_reference(self):
        if getattr(self, "alive", False):
            holds(self.run, same_bits(self.model, self.state, "compared with its model"))

    def teardown(self):
        shutil.rmtree(getattr(self, "folder", ""), ignore_errors=True)


def test_step_save_kill_resume_warm_start_and_certify_in_any_order(pair):
    Runs.pair = pair
    run_state_machine_as_test(Runs, settings=SETTINGS)


@pytest.mark.parametrize("name", NAMES)
@examples(1 / 10)
@given(data=st.data())
def test_solve_killed_at_any_certificate_and_resumed_is_the_uninterrupted_reference(name, data, pair):
    run = data.draw(runs(name, max_n=3, max_steps=0), label="run")
    last, limit = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 6))
    given_to = {"method": name, "mode": "unchecked", "seed": last, "tol": 0.0, "max_epochs": limit, **run.options}
    given_to["order"] = data.draw(st.sampled_from(pair.repeated(run).orders))
    problem, alpha = float_problem(run), [float(a) for a in run.alpha] or None
    seen = []

    def kill(entry):
        seen.append(entry)
        if len(seen) > last:
            raise Killed

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.ckpt"
        try:
            solve(problem, alpha=alpha, checkpoint=file, callback=kill, **given_to)
        except Killed:
            pass
        resumed = solve(problem, alpha=None if file.exists() else alpha, checkpoint=file, resume=True, **given_to)
    whole = solve(problem, alpha=alpha, backend="reference", **given_to)
    for what in ("status", "epochs", "gap", "primal", "dual"):
        one, two = (repr(getattr(found, what)) for found in (resumed, whole))
        holds(run, [Eq(one, two, f"{what} after {len(seen)} certificates")])
    holds(run, [Eq(np.array(resumed.w).tobytes(), np.array(whole.w).tobytes(), "w, bits")])
    holds(run, [Eq(without_times(resumed), without_times(whole), "history")])


def without_times(found):
    """The history of a result without its times."""
    return [entry._replace(seconds=0) for entry in found.history]


def whole_result(found):
    """Everything in a result except times."""
    own = found.certificate
    arrays = [np.asarray(getattr(own, name)).tobytes() for name in ("w", "alpha", "minus_u")]
    numbers = [getattr(own, name) for name in own.__slots__ if name not in ("problem", "w", "alpha", "minus_u")]
    words = (found.status, found.advice, found.epochs, found.method)
    return repr((words, numbers, without_times(found))), arrays


def stopped_and_resumed(problem, last, **given_to):
    """The run interrupted in a callback, and resumed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.ckpt"
        solve(problem, checkpoint=file, callback=interrupt_at(last), **given_to)
        return solve(problem, checkpoint=file, resume=True, **given_to)


SCALES = st.sampled_from([0, 0, 30, 106, -30, -106, -150])


@examples(2)
@given(
    scale=SCALES,
    rows=st.lists(st.tuples(st.integers(-9, 9), st.sampled_from([0, 0, -8, 8]), st.booleans()), min_size=1, max_size=4),
    data=st.data(),
)
def test_a_resumed_run_has_every_bit_of_the_whole_one_at_any_scale(scale, rows, data):
    X = [[(2 * k + 1) / 7 * 10.0 ** (scale + shift)] for k, shift, _ in rows]
    y = [1.0 if up else -1.0 for *_, up in rows]
    loss = LOSSES[data.draw(st.sampled_from(sorted(LOSSES)))]()
    problem = Problem(X, y, loss, L2(10.0 ** data.draw(st.integers(-8, 2), label="lam")))
    given_to = {
        "method": data.draw(st.sampled_from(["sdca", "aspdc", "adaspdc", "svrg", "newton"])),
        "mode": "unchecked",
        "tol": 10.0 ** -data.draw(st.sampled_from([9, 100])),
        "max_epochs": 20,
    }
    try:
        whole = solve(problem, **given_to)
    except (ValueError, ArithmeticError):  # the method does not take the loss, or the objectives overflow at the start
        return
    resumed = stopped_and_resumed(problem, data.draw(st.integers(1, 5), label="last"), **given_to)
    assert whole_result(resumed) == whole_result(whole)
