"""Helpers for tests of many folders: run a command in this process or a new one, find the Python blocks of a page, and
convert numbers, states and results to bits.
"""

import contextlib
import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

if TYPE_CHECKING:  # a command in a new process loads no more than it needs
    from scipy.sparse import csr_array

    from dualgap.fast import Result
    from dualgap.reference import Problem, State

ROOT = Path(__file__).parents[1]


class Killed(BaseException):
    """No handler catches it, so the disk is left as by a killed process."""


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str, str]:
    """(exit status, standard output, standard error) of ``dualgap words`` in this process."""
    from dualgap.proofs_checks.cli.main import main

    try:
        status: object = main([*words])
    except SystemExit as end:  # argparse: --help, --version, wrong usage
        status = end.code
    return (status, *capsys.readouterr())


def printed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """The standard output of a command that must end with this status."""
    ended, out, err = command(capsys, *words)
    assert ended == status, (ended, out, err)
    return out


def answer(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> Any:
    """What a command prints as JSON."""
    return json.loads(printed(capsys, *words, status=status))


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which a command refuses: exit status 2, nothing on standard output."""
    status, out, err = command(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1), (status, out, err)
    return err


def python(
    *words: str, cwd: Path | None = None, path: Path | None = None, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """``python words`` in a separate process, which also finds modules in the folder ``path``."""
    environment = os.environ if path is None else {**os.environ, "PYTHONPATH": str(path)}
    given = {"capture_output": True, "text": True, "env": environment, **options}
    return subprocess.run([sys.executable, *words], cwd=cwd, **given)


def succeeds(*words: str, cwd: Path | None = None, path: Path | None = None) -> str:
    """The standard output of ``python words``, which must end with status 0."""
    run = python(*words, cwd=cwd, path=path)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def by_day(rows: Iterable[object], *day: object) -> list[object]:
    """Parameters of a test. Only those of ``day`` run by day, the others with ``.ci/nightly``."""
    rows = list(rows)
    assert all(row in rows for row in day), f"{day}: no rows"
    return [pytest.param(row, marks=[pytest.mark.nightly] * (row not in day)) for row in rows]


def fitting(name: str, problems: Iterable["Problem"]) -> "Problem":
    """The first problem that satisfies the hypotheses of a method."""
    from dualgap.reference import HypothesisViolated, method

    for problem in problems:
        with contextlib.suppress(HypothesisViolated):
            method(name).require(problem)
            return problem
    raise AssertionError(f"no problem for {name}")


def text_of(name: str) -> str:
    """The text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str = "python") -> list[str]:
    """The code blocks of a page in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def no_space(*given: object) -> None:
    """Instead of a function that writes: the error of a full disk."""
    raise OSError(28, "No space left on device")


def written_without_matplotlib(patch: pytest.MonkeyPatch) -> None:
    """Figures are made, and matplotlib, which takes most of the time, does not write them."""
    if importlib.util.find_spec("matplotlib") is not None:
        patch.setattr("matplotlib.figure.Figure.savefig", lambda figure, file, **options: file.write("<svg/>"))


def interrupt_at(count: int) -> Callable[[object], None]:
    """A callback of ``solve`` that interrupts the run at its certificate of that number."""
    made = itertools.count(1)

    def interrupt(entry: object) -> None:
        if next(made) == count:
            raise KeyboardInterrupt

    return interrupt


def bits(values: ArrayLike) -> list[int]:
    """The 64 bits of every number, as integers, in one list."""
    return np.asarray(values, dtype=np.float64).reshape(-1).view(np.int64).tolist()


def first_difference(expected: "State", got: "State") -> str | None:
    """Where two states differ in some bit, in words, or None; they must have the same fields."""
    assert type(expected).names() == type(got).names()
    for name in type(expected).names():
        one, two = bits(getattr(expected, name)), bits(getattr(got, name))
        if one != two:
            place = next((k for k, pair in enumerate(zip(one, two)) if pair[0] != pair[1]), "length")
            return f"{name}[{place}]: expected {getattr(expected, name)}, got {getattr(got, name)}"
    return None


def of_matrix(X: "csr_array") -> tuple[object, ...]:
    """A CSR matrix and its storage order, as bytes."""
    return X.shape, X.data.tobytes(), X.indices.tolist(), X.indptr.tolist()


def facts(result: "Result") -> tuple[object, ...]:
    """Everything about a result except the clock; the vectors as bytes."""
    rows = [(entry.epochs, entry.primal, entry.dual, entry.gap) for entry in result.history]
    return result.status, result.epochs, rows, result.w.tobytes(), result.alpha.tobytes(), result.advice


def floats(value: object) -> Any:
    """Fractions as floats, all else as it is."""
    if isinstance(value, dict):
        return {key: floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [floats(item) for item in value]
    return float(value) if isinstance(value, Fraction) else value


def refuses(
    error: type[BaseException], match: str, call: Callable[..., object], *given: object, **options: object
) -> None:
    """The call raises this error, with these words."""
    with pytest.raises(error, match=match):
        call(*given, **options)


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """What is loaded or registered inside is gone afterwards."""
    from dualgap.proofs_checks.claims import plugins
    from dualgap.proofs_checks.claims.papers import PAPERS
    from dualgap.proofs_checks.claims.registry import CLAIMS, STRATEGIES
    from dualgap.reference.methods.registry import METHODS
    from dualgap.reference.problem.registry import FOREIGN, outside

    before, foreign = set(sys.modules), dict(FOREIGN)
    path = [folder for folder in sys.path if folder not in ("", str(ROOT))]  # ``python -m pytest`` adds the root
    known = {id(registry): set(registry) for registry in (METHODS, CLAIMS, STRATEGIES, PAPERS)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", list(sys.path))
        patch.setattr(plugins, "_given", {})
        yield
        for registry in (METHODS, CLAIMS, STRATEGIES, PAPERS):
            for name in set(registry.foreign()) - known[id(registry)]:
                del registry[name]
        for name in set(sys.modules) - before:
            # an installed package stays: Python refuses to load an extension module again
            place = getattr(sys.modules[name], "__file__", None) or ""
            installed = not name.startswith("dualgap.") and any(place.startswith(folder) for folder in path)
            if place and outside(name) and not installed:
                del sys.modules[name]
        FOREIGN.clear()
        FOREIGN.update(foreign)
