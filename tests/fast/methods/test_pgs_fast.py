"""PGS and Pegasos, compiled: an iterate beyond the range, the cost of a round, validation and the certified pair."""

import itertools
import json
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import command, refusal, refuses

from dualgap.fast import kernels, solve
from dualgap.fast.methods.pgs import FastPGS
from dualgap.reference import L2, ElasticNet, Hinge, HypothesisViolated, Logistic, Problem, Squared, as_compiled
from dualgap.reference.methods.pgs import OUTPUTS
from dualgap.reference.problem.pnorm import PNorm

MILLION, T, LAM = 1_000_000, 200, 0.25


def wide_problem(p: float, ball: float | None) -> tuple[Problem, list[int]]:
    rng, n, width = np.random.default_rng(11), 20, 7
    columns = np.sort(np.stack([rng.choice(MILLION, width, replace=False) for _ in range(n)]))
    columns[:, 0] = 7  # in every row
    X = csr_array(
        (rng.uniform(-0.6, 0.6, n * width), columns.reshape(-1), np.arange(0, n * width + 1, width)), shape=(n, MILLION)
    )
    return Problem(X, rng.choice([-1.0, 1.0], n), Logistic(), PNorm(LAM, p, ball)), rng.integers(n, size=T).tolist()


def test_a_round_costs_no_more_with_a_million_columns_than_its_rows() -> None:
    """40,000 rounds would touch 4e10 numbers if each were O(d), which takes 20 s at least; they take a tenth of a
    second.
    """
    problem, _ = wide_problem(1.5, None)
    pgs = FastPGS(output="last")
    choices = np.random.default_rng(0).integers(20, size=(40_000, 1))
    started = time.process_time()
    pgs.run(problem, choices)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("rows", "options", "choices"),
    [
        (1, {"output": "random"}, [[0, 1]]),
        (1, {"output": "random"}, [[1, -1]]),
        (3, {"output": "random"}, [[2, 0]]),
        (3, {"output": "random"}, [[0, 0, 0]]),
        (3, {"output": "random"}, [0, 1]),
        (3, {"k": 2}, [[0, 3]]),
        (3, {"k": 2}, [[0], [1]]),
        (3, {}, [[0.5]]),
        (3, {}, [[3]]),
    ],
)
def test_choices_outside_the_rows_are_refused_before_any_round(
    rows: int, options: dict[str, object], choices: list[object]
) -> None:
    problem, pgs = Problem(np.eye(rows), [1.0] * rows, Hinge(), L2(1)), FastPGS(**options)
    state = pgs.init(problem)
    refuses(ValueError, "choices must", pgs.advance, problem, state, choices)
    assert state.t == 0
    good = [[1, *range(pgs.reference.k)]] if options.get("output") else [list(range(pgs.reference.k))]
    pgs.advance(problem, state, good)
    assert state.t == 1


def test_what_the_reference_refuses_is_refused_in_the_same_words() -> None:
    X, y = [[1.0, 0.0], [1.0, 1.0]], [1, -1]
    for name, g, options, arguments in [
        ("pgs", ElasticNet(1, 1), {}, ()),
        ("pgs", L2(1), {}, ([0.0, 0.0],)),
        ("pgs", L2(1), {"k": 3}, ()),
        ("pegasos", PNorm(1, 1.5), {}, ()),
        ("pegasos", ElasticNet(1, 1), {}, ()),
        ("pegasos", PNorm(1, 2, 1), {"projection": False}, ()),
        ("sdca", PNorm(1, 1.5), {}, ()),
    ]:
        problem = Problem(X, y, Hinge(), g)
        with pytest.raises(ValueError) as expected:
            as_compiled(name, **options).init(problem, *arguments)
        with pytest.raises((ValueError, TypeError)) as found:
            kernels()[name](**options).init(problem, *arguments)
        assert str(found.value) == str(expected.value) or name == "sdca", name
    refuses(HypothesisViolated, "Give ball", lambda: solve(Problem(X, y, Squared(), PNorm(1, 1.5)), "pgs"))
    refuses(HypothesisViolated, "not for PNorm", lambda: solve(Problem(X, y, Hinge(), PNorm(1, 1.5)), "sdca"))
    for name in ("pgs", "pegasos"):
        with pytest.raises(ValueError, match=f"one of uniform for method {name}"):
            solve(Problem(X, y, Hinge(), L2(1)), name, order="permuted")


def test_the_better_of_two_pairs_is_certified() -> None:
    """The pair with the smaller gap of (w, alpha) and (w(alpha), alpha) after 0 to 3 passes; both cases occur."""
    rng, other = np.random.default_rng(4), []
    X, y = rng.standard_normal((40, 5)), rng.choice([-1.0, 1.0], 40)
    for lam, epochs, output in itertools.product((0.05, 1.0), range(4), OUTPUTS):
        problem = Problem(X, y, Logistic(), PNorm(lam, 1.5, 2))
        found, pgs = solve(problem, "pgs", tol=1e-9, max_epochs=epochs, output=output), FastPGS(output=output)
        state = pgs.init(problem)
        gaps = []
        for epoch in range(epochs + 1):
            w, alpha = (part.tolist() for part in pgs.view(problem, state))
            gaps += [problem.gap(w, alpha), problem.gap(problem.w(alpha), alpha)]
            pgs.advance(problem, state, pgs.draw(problem, "uniform", 0, epoch))
        assert found.gap == min(gaps)
        other.append(gaps[-1] < gaps[-2])
    assert set(other) == {False, True}


def test_the_command_line_solves_with_p_and_ball(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tiny").write_text("+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n")
    words = ("solve", str(tmp_path / "tiny"), "--loss", "logistic", "--lam", "0.5", "--tol", "1e-3")
    status, out, _ = command(
        capsys, *words, "--method", "pgs", "--p", "1.5", "--ball", "0.7", "--batch", "2", "--output", "last", "--json"
    )
    found = json.loads(out)
    assert status == 0
    assert (found["p"], found["ball"], found["smallest_lam"], found["status"]) == (1.5, 0.7, None, "converged")
    status, out, _ = command(capsys, *words, "--method", "pgs", "--ball", "0.7", "--max-epochs", "1")
    assert status == 1 and "p 2, ball 0.7" in out and "cannot continue from an alpha" in out
    assert json.loads(command(capsys, *words, "--method", "sdca", "--json")[1])["p"] is None
    for extra, message in [
        (("--method", "sdca", "--p", "1.5"), "not for PNorm"),
        (("--method", "pgs", "--p", "3"), "p must be in (1, 2]"),
        (("--method", "pgs", "--ball", "0"), "ball must be > 0"),
        (("--method", "pgs", "--output", "x"), "output must be"),
        (("--method", "pgs", "--batch", "4"), "1 <= m <= n"),
        (("--method", "pgs", "--p", "1.5", "--l1", "1"), "--l1 cannot be combined with"),
        (("--method", "sdca", "--output", "last"), "option --output is for"),
        (("--method", "pgs", "--l1", "1"), "no lazy form"),
    ]:
        assert message in refusal(capsys, *words, *extra), extra
