"""Certificate files with a free intercept: alpha is balanced exactly, moved little, and accepted by both checkers."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from certificate_cases import is_exact, one_less
from certificate_judges import in_python, judged
from support import answer, refuses

from dualgap.proofs_checks.certificate_file import balance, check, write
from dualgap.proofs_checks.certificate_file.write import certificate_text, rows_of
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.reference import L2, LOSSES, ElasticNet, InterceptProblem, Loss, Squared

WEIGHTS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "none": lambda rng, n: np.ones(n),
    "equal": lambda rng, n: np.full(n, 0.1),
    "whole": lambda rng, n: rng.integers(1, 9, n),
    "without a one": lambda rng, n: rng.choice([2, 3, 5], n) * 0.3125,
    "to 2^26": lambda rng, n: rng.integers(1, 2**26, n),
}
# alpha of a margin loss is -y times the absolute value of these; 1 is an end of a bounded domain.
ALPHAS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "uniform": lambda rng, n: rng.uniform(-1, 1, n),
    "at the ends": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n),
    "next to the ends": lambda rng, n: rng.choice([0.0, 2.0**-1074, 1e-300, 1 - 2.0**-53, 1.0], n),
    "subnormal": lambda rng, n: rng.integers(-9, 10, n) * 2.0**-1074,
    "of all sizes": lambda rng, n: rng.choice([-1, 1], n) * 2.0 ** rng.integers(-1000, 1, n),
    "one row": lambda rng, n: np.where(np.arange(n) == 0, -0.7, 0.0),
    "0": lambda rng, n: np.zeros(n),
}
LARGE = np.array([1e308, -1.7e308, 3e307, 1.0, -5e-324])


def drawn(loss: Loss, weights: str, alphas: str, seed: int) -> tuple[InterceptProblem, np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, len(loss.name), len(weights), len(alphas)])
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0) if loss.margin else rng.normal(size=n)
    alpha = ALPHAS[alphas](rng, n)
    regularizer = L2(0.5) if rng.random() < 0.5 else ElasticNet(0.5, 0.125)
    problem = InterceptProblem(rng.normal(size=(n, d)), y, loss, regularizer, WEIGHTS[weights](rng, n))
    return problem, rng.normal(size=d), -y * abs(alpha) if loss.margin else alpha


def moved(problem: InterceptProblem, alpha: np.ndarray) -> float:
    """How far ``balanced`` moves alpha, in the last place of its largest entry; alpha must be balanced and legal."""
    found = balance.balanced(problem, alpha)
    assert sum(Fraction(s) * Fraction(a) for s, a in zip(problem.weights, found.tolist())) == 0
    assert all(problem.loss.in_domain(a, y) for a, y in zip(found.tolist(), problem.y))
    return float(np.abs((found - alpha) / np.spacing(abs(alpha).max())).max())


def nearly_balanced(problem: InterceptProblem, alpha: np.ndarray) -> np.ndarray:
    """alpha scaled in one half, so that its sum is a rounding error; ends of the domain are left by a power of two."""
    s = np.array(problem.weights)
    up, down = (s * np.maximum(alpha, 0)).sum(), (s * np.maximum(-alpha, 0)).sum()
    if not up * down > 0:
        return np.zeros(problem.n)
    return np.where(alpha > 0, alpha * min(1.0, down / up), alpha * min(1.0, up / down))


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", check.LOSSES)
def test_hostile_pairs_have_files_that_both_checkers_accept(name: str, weights: str, tmp_path: Path) -> None:
    """Every alpha is balanced if the weights are equal. Otherwise a refusal is a sentence, and most are balanced."""
    loss, refused, tried = LOSSES[name](None), 0, 0
    for alphas in ALPHAS:
        for seed in range(3):
            problem, w, alpha = drawn(loss, weights, alphas, seed)
            tried += 1
            try:
                moved(problem, alpha)
                text = certificate_text(problem, w, alpha)
            except ValueError as error:
                assert "cannot be balanced" in str(error) and weights not in ("none", "equal")
                refused += 1
                continue
            data = "".join(" ".join([repr(y), *(f"{j}:{x!r}" for j, x in row)]) + "\n" for y, row in rows_of(problem))
            assert is_exact(text, data)
            assert (judged(tmp_path, text, data), judged(tmp_path, one_less(text), data)) == (0, 1)
    assert refused < tried / 2


BUGS: dict[str, tuple[ModuleType, str, Callable[..., object]]] = {
    "alpha is left as it is": (write, "balanced", lambda problem, alpha: alpha),
    "weights are left out": (balance, "units", lambda weights: [1] * len(weights)),
    "the last units are not moved": (balance, "pairs", lambda m, rows, r: iter([(0, 0, 1, 0)])),
}


@pytest.mark.parametrize("bug", BUGS)
def test_the_writer_refuses_what_a_planted_bug_leaves(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, planted = BUGS[bug]
    monkeypatch.setattr(place, name, planted)
    problem = InterceptProblem([[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0], Squared(), L2(0.5), [2, 3, 5])
    refused = 0
    for tail in (-0.5, -0.25, 0.375, 0.3):
        try:
            certificate_text(problem, np.array([0.5]), np.array([0.25, 0.1, tail]))
        except ValueError as error:
            assert "sum_i s_i alpha_i must be 0" in str(error)
            refused += 1
    assert refused > 0


@pytest.mark.parametrize(("weights", "most"), [("none", 1), ("equal", 1), ("whole", 8)])
def test_an_alpha_that_is_nearly_balanced_moves_by_a_few_roundings(weights: str, most: float) -> None:
    """n/2 of the grid, n of alpha and its sum, and what Bezout's identity takes of weights below 9."""
    for seed in range(60):
        problem, _, alpha = drawn(Squared(), weights, "uniform", seed)
        assert moved(problem, nearly_balanced(problem, alpha)) <= 2 * problem.n * most


def test_the_largest_doubles_are_balanced() -> None:
    assert moved(InterceptProblem(np.ones((5, 1)), np.zeros(5), Squared(), L2(1)), LARGE) <= 2.0**53


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([0.1, 0.7, 1.3], "must be equal, or multiples of a common unit"),
        ([1.0, 2.0**26, 1.0], "must be equal, or multiples of a common unit"),
        ([1.0, 2.0**500, 2.0**-500], "must be equal, or multiples of a common unit"),
    ],
)
def test_weights_without_a_common_unit_are_refused(weights: list[float], words: str) -> None:
    problem = InterceptProblem([[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0], Squared(), L2(1), weights)
    refuses(ValueError, words, certificate_text, problem, [0.5], [0.25, -0.5, 0.125])


@pytest.mark.parametrize("loss", check.LOSSES)
def test_solve_writes_a_file_that_is_accepted_and_no_weaker_than_its_bound(
    loss: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(6)
    X = rng.normal(size=(60, 3))
    y = np.where(X.sum(1) + 1 + rng.normal(size=60) > 0, 1, -1) if LOSSES[loss].margin else X.sum(1) + 9
    lines = [
        " ".join([repr(float(y_i)), *(f"{j}:{x!r}" for j, x in enumerate(row, 1))]) for y_i, row in zip(y, X.tolist())
    ]
    Path("data").write_text("\n".join(lines) + "\n")
    words = ["--loss", loss, "--lam", "0.01", "--l1", "0.001", "--tol", "1e-4", "--intercept", "free", "--unit-rows"]
    facts = answer(capsys, "solve", "data", *words, "--certificate", "out", "--certificate-data", "rows", "--json")
    text, rows = Path("out").read_text(), Path("rows").read_text()
    assert (in_python(text, rows), in_python(text, Path("data").read_text())) == (0, 1)
    field = check.read_certificate(text)
    assert field["intercept"] == [encode(facts["intercept"])]
    assert Fraction(field["bound"][0]) <= Fraction(facts["gap_bound"]) * (1 + Fraction(1, 10**6))
