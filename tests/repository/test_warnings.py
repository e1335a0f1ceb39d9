"""Which warnings fail a test: those of this package, and no other library's."""

import re
import warnings
from itertools import product
from pathlib import Path

import numba
import numpy as np
import pytest

SHOWN = [DeprecationWarning, PendingDeprecationWarning, FutureWarning]  # what a library will change under our code


def planted(module, category):
    exec("import warnings; warnings.warn('planted', category)", {"__name__": module, "category": category})


@pytest.mark.parametrize("module", ["fast.planted", "proofs_checks.claims.planted", "reference.planted"])
@pytest.mark.parametrize("category", [UserWarning, RuntimeWarning, SyntaxWarning, ResourceWarning])
def test_a_warning_planted_in_our_code_is_an_error(module, category):
    with pytest.raises(category, match="planted"):
        planted(f"dualgap.{module}", category)


@pytest.mark.parametrize(
    ("module", "category"),
    [
        *product(["matplotlib.planted", "not_dualgap.planted"], [UserWarning, RuntimeWarning, *SHOWN]),
        *product(["dualgap.fast.planted"], SHOWN),
    ],
)
def test_other_warnings_are_shown_and_fail_nothing(module, category):
    with warnings.catch_warnings(record=True) as shown:
        planted(module, category)
    assert [str(warning.message) for warning in shown] == ["planted"]


def test_a_numpy_operation_that_overflows_in_our_code_is_an_error():
    with pytest.raises(RuntimeWarning, match="overflow"):
        exec("np.array([1e308]) * 10.0", {"__name__": "dualgap.fast.planted", "np": np})


def test_a_kernel_that_runs_slowly_for_a_reason_is_an_error():
    matrix = np.ones((4, 4))[::2, ::2]
    with pytest.raises(numba.NumbaPerformanceWarning):
        numba.njit(lambda A: A @ A)(matrix)


EVERY_WARNING = re.compile(
    r"""(['"])-W\1,\s*(['"])error\2|-W\s?error\b|PYTHONWARNINGS|(simplefilter|filterwarnings)\(['"]error['"]\)"""
)


def test_no_test_makes_every_librarys_warnings_errors():
    """Neither in its own process nor in a child: ``filterwarnings("error", module="dualgap")`` means ours."""
    others = (Path(__file__).name, "test_install.py")  # an unrelated project, without any library but pytest
    files = [path for path in Path(__file__).parents[1].rglob("*.py") if path.name not in others]
    assert len(files) > 100
    assert [path.name for path in files if EVERY_WARNING.search(path.read_text(encoding="utf-8"))] == []
    for line in ('run("-W", "error")', "python -Werror x", "PYTHONWARNINGS", 'warnings.simplefilter("error")'):
        assert EVERY_WARNING.search(line), "the control"
    assert not EVERY_WARNING.search('warnings.filterwarnings("error", module="dualgap")')
