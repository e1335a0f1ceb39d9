"""The package ``extras``: the three columns find it by the names of its files, name it nowhere else, and do
without it.
"""

import os

import pytest
from support import ROOT, python

WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name == "dualgap.extras" or name.startswith("dualgap.extras."):
            raise ModuleNotFoundError(name)

sys.modules["dualgap.extras"] = None
sys.meta_path.insert(0, Absent())
"""
REGISTERED = """
from dualgap.fast import kernels, solve, solve_partitions
from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.self_audit.running import ROWS as BUGS
from dualgap.reference import L2, Logistic, Problem, WeightedProblem, all_methods

X, y = [[1.0, 2.0], [3.0, -1.0], [0.5, 0.5], [1.0, 1.0]], [1, -1, 1, 1]
weighted = WeightedProblem(X, y, Logistic(), L2(0.1), [1, 2, 3, 1])
try:
    solve_partitions([(X, y)], Logistic(), L2(0.1))
    refused = ""
except ValueError as error:
    refused = str(error)
assert refused in ("", "rows in partitions require method cocoa, which is not installed (got 'auto')"), refused
runs = [solve(problem, rtol=1e-6).status for problem in (Problem(X, y, Logistic(), L2(0.1)), Problem(X, y, Logistic(), L2(1e-4)), weighted)]
assert runs == ["converged"] * 3, runs
assert {mutant.partition(".")[0] for mutant in mutants()} <= set(all_papers())
assert all_claims()
print("newton" in all_methods(), "newton" in kernels(), "baselines" in all_papers(), "sag" in ROWS, any("svrg" in bug.name for bug in BUGS), not refused, any(name.startswith("dualgap.extras") for name in sys.modules if sys.modules[name]))
"""  # noqa: E501


def printed(code: str) -> str:
    """What the code prints; four rows are solved without compiled code."""
    run = python("-W", "error:::dualgap", "-c", code, cwd=ROOT / "tests", env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_the_core_registers_solves_and_lists_its_claims_without_extras() -> None:
    assert printed(WITHOUT + REGISTERED) == " ".join(["False"] * 7)


OLD_NAME = """
import pickle, sys, warnings

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import dualgap.fast.estimators.classifier
    from dualgap.fast.estimators import DualGapRegressor

from dualgap.extras.estimators import DualGapClassifier, classifier, regressor

assert [str(found.message).split()[0] for found in told] == ["dualgap.fast.estimators"] and told[0].category is DeprecationWarning and told[0].filename == "<string>"
assert dualgap.fast.estimators.classifier is classifier and DualGapRegressor is regressor.DualGapRegressor
assert classifier.__spec__.name == classifier.__name__ == "dualgap.extras.estimators.classifier"
old = pickle.dumps(DualGapClassifier(lam=0.5), 0).replace(b"dualgap.extras.estimators", b"dualgap.fast.estimators")
for name in [name for name in sys.modules if name.startswith("dualgap.fast.estimators")]:
    del sys.modules[name]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(pickle.loads(old))
"""  # noqa: E501


@pytest.mark.needs("sklearn")
def test_the_estimators_are_found_under_their_old_name_with_a_warning_and_in_old_pickles() -> None:
    assert printed(OLD_NAME) == "DualGapClassifier(lam=0.5)"
