"""Which warnings fail a test: those of this package, and no other library's."""

import re
import warnings
from pathlib import Path

import numba
import numpy as np
import pytest

PLANTED = "import warnings; warnings.warn('planted', category)"


@pytest.mark.parametrize(
    "module", ["dualgap.fast.planted", "dualgap.proofs_checks.claims.planted", "dualgap.reference.planted"]
)
@pytest.mark.parametrize("category", [UserWarning, RuntimeWarning, SyntaxWarning, ResourceWarning])
def test_a_warning_planted_in_our_code_is_an_error(module, category):
    with pytest.raises(category, match="planted"):
        exec(PLANTED, {"__name__": module, "category": category})


def test_a_numpy_operation_that_overflows_in_our_code_is_an_error():
    with pytest.raises(RuntimeWarning, match="overflow"):
        exec("np.array([1e308]) * 10.0", {"__name__": "dualgap.fast.planted", "np": np})


def test_a_kernel_that_runs_slowly_for_a_reason_is_an_error():
    matrix = np.ones((4, 4))[::2, ::2]
    with pytest.raises(numba.NumbaPerformanceWarning):
        numba.njit(lambda A: A @ A)(matrix)


@pytest.mark.parametrize("module", ["matplotlib.planted", "pyparsing.planted", "not_dualgap.planted"])
@pytest.mark.parametrize("category", [UserWarning, RuntimeWarning, DeprecationWarning])
def test_a_warning_in_another_library_is_shown_and_fails_nothing(module, category):
    with warnings.catch_warnings(record=True) as shown:
        exec(PLANTED, {"__name__": module, "category": category})
    assert [str(warning.message) for warning in shown] == ["planted"]


@pytest.mark.parametrize("category", [DeprecationWarning, PendingDeprecationWarning, FutureWarning])
def test_what_a_library_will_change_under_our_code_is_shown_and_fails_nothing(category):
    with warnings.catch_warnings(record=True) as shown:
        exec(PLANTED, {"__name__": "dualgap.fast.planted", "category": category})
    assert [str(warning.message) for warning in shown] == ["planted"]


EVERY_WARNING = re.compile(
    r"""(['"])-W\1,\s*(['"])error\2|-W\s?error\b|PYTHONWARNINGS|(simplefilter|filterwarnings)\(['"]error['"]\)"""
)


def test_no_test_makes_every_librarys_warnings_errors():
    """Neither in its own process nor in a child: ``filterwarnings("error", module="dualgap")`` means ours."""
    others = ("test_install.py",)  # where an unrelated project, without any library but pytest, is what is tested
    files = [
        path for path in Path(__file__).parents[1].rglob("*.py") if path != Path(__file__) and path.name not in others
    ]
    found = [
        f"{path.name}: {match[0]}"
        for path in files
        for match in [EVERY_WARNING.search(path.read_text(encoding="utf-8"))]
        if match
    ]
    assert len(files) > 100 and found == []


@pytest.mark.parametrize(
    "text",
    [
        'run(cache, "-W", "error")',
        "python -Werror x",
        'env={"PYTHONWARNINGS": "error"}',
        'warnings.simplefilter("error")',
    ],
)
def test_control_the_rule_sees_such_a_line(text):
    assert EVERY_WARNING.search(text) and not EVERY_WARNING.search('warnings.filterwarnings("error", module="dualgap")')
