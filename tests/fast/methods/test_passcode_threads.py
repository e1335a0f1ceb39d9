"""PASSCoDe on real threads: on one thread SDCA bit for bit, on more no lost update for Lock and Atomic, and honest
results.

What Wild loses depends on how the threads meet: its losses are reported, and never asserted.
"""

import json
import math
import os
import threading

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import python, refuses

from dualgap.fast import kernels, solve
from dualgap.fast.compiler import atomics
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.passcode import FastPasscode, FastPasscodeLock, FastPasscodeWild, perturbed, usable_cores
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, Hinge, HypothesisViolated, Problem, SmoothedHinge, Squared

NAMES = [name for name, kind in kernels().items() if issubclass(kind, FastPasscode)]
two_cores = pytest.mark.skipif(usable_cores() < 2, reason="one core: two threads are refused there")
RACES = 2000  # looks that found the other thread at work, all told, before a race test may end
ROUNDS = 2000  # of 50,000 steps: and fail, if the threads have not met as often by then


def problem_of(loss=None, storage="csr", n=60, d=12, lam=0.01, seed=0):
    """Random rows, a third of the entries nonzero, columns unsorted in CSR, a zero row among them."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < 1 / 3, rng.standard_normal((n, d)), 0.0)
    X[n // 2] = 0.0
    if storage == "csr":
        shuffled = [rng.permutation(np.flatnonzero(row)) for row in X]
        indptr = np.cumsum([0, *map(len, shuffled)])
        X = csr_array(
            (np.concatenate([row[j] for row, j in zip(X, shuffled)]), np.concatenate(shuffled), indptr), X.shape
        )
    return Problem(X, rng.choice([-1.0, 1.0], n), loss or Hinge(), L2(lam))


def race(share):
    """Call ``share()`` on two threads."""
    workers = [threading.Thread(target=share) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


@kernel
def add_many(cells, arrived, times, how, words):
    """Add 1 to a float and to an integer cell, ``times`` times each: indivisibly (0), or plainly under a lock (1)."""
    floats, integers = cells
    atomics.barrier(arrived, 2)
    for _ in range(times):
        if how == 0:
            atomics.add(floats, 0, 1.0)
            atomics.add(integers, 0, 1)
        else:
            atomics.lock(words, 0)
            floats[0] += 1.0
            integers[0] += 1
            atomics.unlock(words, 0)


@two_cores
@pytest.mark.parametrize("how", [0, 1])
def test_atomic_additions_and_locked_plain_ones_are_all_there(how):
    times = 50_000
    cells = np.zeros(1), np.zeros(1, dtype=np.int64)
    arrived, words = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    race(lambda: add_many(cells, arrived, times, how, words))
    assert (cells[0][0], cells[1][0], words[0]) == (2 * times, 2 * times, 0)  # integers below 2^53: exact in floats


@kernel
def every_instruction(values, words):
    """What each instruction answers: the old value, the loaded one, whether a lock was free."""
    before = atomics.add(values, np.uint32(1), 2)
    atomics.store(values, 2, atomics.load(values, 1) - 0.5)
    first, second = atomics.try_lock(words, 0), atomics.try_lock(words, 0)
    atomics.unlock(words, 0)
    return before, first, second, atomics.try_lock(words, 0)


def test_every_instruction_does_what_it_says():
    values, words = np.array([7.0, 1.25, 0.0]), np.zeros(1, dtype=np.int64)
    assert every_instruction(values, words) == (1.25, True, False, True)
    assert values.tolist() == [7.0, 3.25, 2.75]


@pytest.mark.parametrize("wait", ["lock", "meet"])
def test_whoever_waits_gives_the_processor_away(wait):
    """Two threads on a busy machine: a holder that does not run cannot be waited for by spinning."""

    @kernel
    def waiting(words):
        if wait == "lock":
            atomics.lock(words, 0)
        else:
            atomics.barrier(words, 1)

    @kernel
    def spinning(words):
        while not atomics.try_lock(words, 0):
            pass

    called = {name: f"@{name}(" for name, _ in atomics.PAUSES}
    for compiled, expected in ((waiting, True), (spinning, False)):
        words = np.zeros(1, dtype=np.int64)
        compiled(words)
        (code,) = compiled.inspect_llvm().values()
        assert words[0] == 1 and any(call in code for call in called.values()) == expected
    assert atomics.PAUSES, "this system has no function for it: threads spin"


@pytest.mark.parametrize("array", [np.zeros(4)[::2], np.zeros((2, 2)), np.zeros(2, dtype=np.float32)])
def test_an_array_that_the_instructions_cannot_address_is_refused(array):
    @kernel
    def read(values):
        return atomics.load(values, 0)

    refuses(Exception, "atomics: the array must", read, array)


def drift(problem, state):
    """|v - v(alpha)|, the largest over j."""
    return float(np.abs(state.v - Objective(problem).v(state.alpha)).max())


def allowed_drift(problem, steps):
    """A bound on the drift of v where no update is lost.

    For the hinge 0 <= -y alpha <= 1, so that |delta| <= 1, |c x| <= max|x|/(lam n) =: A, and |v_j| <= n A, or (n + 2) A
    with the two writes in flight. An update of v_j rounds delta, c and c x (2^-53 A each) and the difference (at most
    2^-53 (n + 3) A); v(alpha) is n products of at most A, off by at most 2^-53 (n + 3) n A after sum and two divisions.
    Twice the sum, 2^-53 ((n + 6) steps + (n + 3) n) A, covers the second order.
    """
    largest = float(np.abs(problem.X.data if hasattr(problem.X, "indptr") else problem.X).max()) / problem.scale
    n = problem.n
    return 2.0**-52 * ((n + 6) * steps + (n + 3) * n) * largest


@two_cores
@pytest.mark.parametrize("storage", ["csr", "dense"])
@pytest.mark.parametrize("name", ["passcode-lock", "passcode-atomic"])
def test_lock_and_atomic_lose_no_update_over_thousands_of_races(name, storage):
    problem = problem_of(storage=storage)
    method, races, rounds = kernels()[name](threads=2), 0, 0
    while races < RACES and rounds < ROUNDS:
        state = method.init(problem)  # the first steps from 0 move alpha most
        choices = np.random.default_rng(rounds).integers(problem.n, size=50_000)
        method.advance(problem, state, choices)
        races, rounds = races + int(method.turns.min()), rounds + 1
        assert drift(problem, state) <= allowed_drift(problem, choices.size)
    assert races >= RACES, f"the threads met {races} times in {rounds} rounds: no race was tested"


def test_one_lost_update_would_be_seen():
    problem = problem_of()
    state = kernels()["passcode-atomic"]().run(problem, np.random.default_rng(0).integers(problem.n, size=50_000))
    assert drift(problem, state) <= allowed_drift(problem, 50_000)
    i = next(i for i in range(problem.n) if problem.rows[i] and state.alpha[i] != 0)
    state.v[problem.rows[i][0][0]] += state.alpha[i] / problem.scale * problem.rows[i][0][1]
    assert drift(problem, state) > allowed_drift(problem, 50_000)


@two_cores
@pytest.mark.parametrize("name", NAMES)
def test_every_thread_makes_all_the_steps_of_its_own_rows(name):
    """With orthonormal rows no step sees another, so that every order is bit-identical to SDCA: each choice is made
    once.
    """
    problem = Problem(np.eye(40), np.where(np.arange(40) % 3, 1.0, -1.0), Squared(), L2(0.1))
    choices = np.random.default_rng(2).integers(40, size=300)
    expected, got = kernels()["sdca"]().run(problem, choices), kernels()[name](threads=2).run(problem, choices)
    assert expected.v.tobytes() == got.v.tobytes() and expected.alpha.tobytes() == got.alpha.tobytes()


@two_cores
def test_threads_that_started_do_not_wait_for_one_that_could_not(monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    submit, calls = ThreadPoolExecutor.submit, []

    def broken(self, *arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise RuntimeError("can't start new thread")
        return submit(self, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", broken)
    refuses(RuntimeError, "start new thread", lambda: FastPasscodeLock(threads=2).run(problem_of(), [0, 59]))


@two_cores
@pytest.mark.parametrize("name", NAMES)
def test_solve_certifies_the_original_problem_whatever_the_threads_did(name):
    problem = problem_of(SmoothedHinge(), n=200, lam=0.05)
    result = solve(problem, name, threads=2, tol=1e-6, max_epochs=300)
    assert result.threads == 2 and not result.replayable
    again = Certificate(problem, result.w, result.alpha)
    assert again.gap == result.gap and (result.status == "converged") == (result.gap <= 1e-6)
    assert name == "passcode-wild" or result.status == "converged"
    assert (result.perturbed is not None) == (name == "passcode-wild")


def test_wild_solves_the_problem_that_its_certificate_names():
    """v is put off v(alpha) by hand, as lost writes would; clean steps then end at the perturbed problem's minimum."""
    problem = problem_of(SmoothedHinge(), lam=0.1)
    wild, rng = FastPasscodeWild(), np.random.default_rng(0)
    state = wild.init(problem)
    state.v += rng.standard_normal(problem.d)
    eps = -state.v.copy()  # w(0) - v; clean steps leave it as it is
    wild.advance(problem, state, rng.integers(problem.n, size=100_000))
    found = perturbed(problem, state.v, state.alpha)
    original = Certificate(problem, state.v, state.alpha)
    # In the mean a step contracts by 1 - 1/(n + R^2/(lam gamma)) (SDCA, Theorem 2, for the perturbed problem): by
    # e^-380 in all where R^2 <= 20. What is left is the rounding of v, some 1e-13, which enters the gap squared.
    assert Objective(problem).arrays.R2 <= 20
    assert found.gap <= 1e-20 < 1e-3 < original.gap
    regularizer = found.problem.regularizer
    assert regularizer.modulus == problem.regularizer.modulus
    # P + lam eps^T w: the linear term is -kappa centre^T w
    assert np.allclose(-regularizer.kappa * np.array(regularizer.centre), 0.1 * eps, rtol=0, atol=1e-12)
    # The sharper fact on Wild: ||w_hat - w*||^2 + ||w_bar - w*||^2 <= ||eps||^2 for the exact points, each at most
    # ||eps|| from w*. Ours are off by at most r (both objectives are lam-strongly convex), 1e-12 covers the rounding.
    best = solve(problem, "sdca", tol=1e-18)
    w_bar = Objective(problem).w(state.alpha)
    r = math.sqrt(2 * best.gap / 0.1) + math.sqrt(2 * found.gap / 0.1)
    allowance = 4 * r * float(np.linalg.norm(eps)) + 2 * r * r + 1e-12
    squares = [float((w - best.w) @ (w - best.w)) for w in (state.v, w_bar)]
    assert sum(squares) <= float(eps @ eps) + allowance


@two_cores
def test_wild_that_ends_beside_the_minimum_is_stalled_and_its_perturbed_problem_solved(monkeypatch):
    """Writes are lost by hand: some at the first pass, some more at the 110th, so that the gap no longer falls."""
    steps, calls = FastPasscodeWild.steps, []

    def losing(self, problem, state, choices):
        calls.append(1)
        if len(calls) in (1, 110):
            state.v += 1.0
        steps(self, problem, state, choices)

    monkeypatch.setattr(FastPasscodeWild, "steps", losing)
    result = solve(problem_of(SmoothedHinge(), lam=0.1), "passcode-wild", threads=2, tol=0)
    assert result.status == "stalled" and "passcode-atomic" in result.advice
    assert result.gap > 1e-3 > result.perturbed.gap


@pytest.mark.parametrize("threads", [0, -1, 1.0, True, "2", 10**6])
def test_a_number_of_threads_that_cannot_run_is_refused(threads):
    refuses(ValueError, "threads must be an integer from 1", FastPasscodeLock, threads=threads)


def test_threads_are_refused_where_they_cannot_be_had():
    with pytest.raises(
        ValueError, match="sdca runs on one thread only; several threads are for cocoa, passcode-atomic"
    ):
        solve(problem_of(), "sdca", threads=2)
    with pytest.raises(ValueError, match="backend reference has one thread"):
        solve(problem_of(), "passcode-lock", threads=2, backend="reference")
    with pytest.raises(HypothesisViolated, match="l1 = 0"):
        from dualgap.reference import ElasticNet

        solve(Problem(np.eye(2), [1.0, -1.0], Hinge(), ElasticNet(1.0, 0.1)), "passcode-atomic")


def test_without_the_compiler_the_threaded_methods_say_so():
    program = (
        "from dualgap.fast import kernels\nkernels()['sdca']()\n"
        "try: kernels()['passcode-atomic']()\nexcept ValueError as error: print(error)"
    )
    done = python("-c", program, env=os.environ | {"NUMBA_DISABLE_JIT": "1"})
    assert "needs compiled code" in done.stdout and "NUMBA_DISABLE_JIT" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["passcode-atomic", "passcode-wild"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_command_line_says_whether_a_run_can_be_replayed(name, threads, tmp_path, capsys):
    if int(threads) > usable_cores():
        pytest.skip("one core: two threads are refused there")
    path = tmp_path / "data.txt"
    path.write_text("+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n")
    words = ["solve", str(path), "--method", name, *"--loss squared --lam 1 --tol 1e-9 --threads".split(), threads]
    status = cli.main([*words, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["threads"], found["replayable"]) == (int(threads), threads == "1")
    assert (found["perturbation"] is not None) == (name == "passcode-wild" and threads == "2")
    assert (status == 0) == (found["status"] == "converged") == (found["gap"] <= 1e-9)
    cli.main(words)
    assert ("cannot be replayed" in capsys.readouterr().out) == (threads == "2")
