"""The plugin: inert until its marker or a fixture is used, then once for every check; expected failures strict, one
line for a wrong use.
"""

import os
import subprocess
import sys

import pytest
from support import ROOT

PLUGIN = "_dualgap_pytestplugin"

SOLVERS = """
import pytest
from dualgap.fast import solve
from dualgap.reference import L2, LOSSES, ElasticNet, Problem, Squared

def right(X, y, *, loss, lam, l1, gamma, tol, seed):
    result = solve(Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)), "sdca", tol=tol, seed=seed)
    return result.w, result.alpha, result.status == "converged"

def wrong(X, y, *, lam, **given):
    return right(X, y, lam=2 * lam, **given)
"""


def run(folder, text, *words):
    """pytest on one file with this text, or on several files: a dictionary."""
    files = text if isinstance(text, dict) else {"test_it.py": text}
    for name, content in files.items():
        (folder / name).write_text(content)
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    options = "--strict-markers -q -p no:cacheprovider".split()
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, *options, *words, *files]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_it_imports_nothing_until_it_is_used(tmp_path):
    heavy = (
        "[name for name in ('numba', 'hypothesis', 'numpy', 'scipy', 'dualgap.reference', 'dualgap.fast') if name in"
        " sys.modules]"
    )
    done = run(tmp_path, f"import sys\ndef test_it():\n    assert {heavy} == []\n")
    assert done.returncode == 0, done.stdout
    call = "dualgap_gap(Problem([[1.0]], [1.0], Squared(), L2(1.0)), [0.5], at_most=1e-9)"
    loaded = f"assert {heavy} == ['numpy', 'dualgap.reference', 'dualgap.fast']"
    used = run(
        tmp_path,
        "import sys\nfrom dualgap.reference import L2, Problem, Squared\n"
        f"def test_it(dualgap_gap):\n    {call}\n    {loaded}\n",
    )
    assert used.returncode == 0, "once it is used, it does import, but no compiler: " + used.stdout


PROPERTY = """
from hypothesis import HealthCheck, given, settings
from dualgap.fast import solve
from dualgap.proofs_checks.strategies.public import problems

@settings(max_examples=1, suppress_health_check=list(HealthCheck))
@given(problems(["squared", "smoothed-hinge"]))
def test_the_gap(problem):
    assert solve(problem, tol=1e-6).gap_bound <= 1e-6

def test_warm():
    from dualgap.fast.solver.warm_up import warm_up
    assert warm_up.cache_info().currsize == WARM
"""


def test_kernels_are_compiled_before_a_property_test_and_not_where_there_is_none(tmp_path):
    """Hypothesis has a deadline by default, but not on machines that it takes for CI."""
    profile = "settings.register_profile('mine', deadline=200)\nsettings.load_profile('mine')\n"
    deadline = "from hypothesis import settings\n" + profile
    without = deadline + "from dualgap.fast import solve\n" + PROPERTY[PROPERTY.index("def test_warm") :]
    for text, warm in ((deadline + PROPERTY, 1), (without, 0)):
        done = run(tmp_path, text.replace("WARM", str(warm)))
        assert done.returncode == 0, done.stdout


def test_it_has_no_options(tmp_path):
    assert "dualgap" not in run(tmp_path, "", "--help").stdout.partition("test session")[0].replace(PLUGIN, "")


MARKED = SOLVERS + "@pytest.mark.dualgap_solvers({})\ndef test_it(dualgap_check):\n    dualgap_check()\n"
BOTH = "[right, wrong], losses=['squared']"
FILES = {
    "test_marker.py": MARKED.format(BOTH),
    "test_strict.py": MARKED.format(f"{BOTH}, expected_failed_checks={{'the_gap_is_what_was_asked_for': 'known'}}"),
    "test_pair.py": SOLVERS
    + """@pytest.mark.parametrize('w', [[-0.5, 0.5], [0.0, 0.5]])
def test_pair(dualgap_gap, w):
    problem = Problem([[1.0, 0.0], [0.0, 1.0]], [-1.0, 1.0], Squared(), L2(0.5))
    assert dualgap_gap(problem, w, [0.5, -0.5], at_most=1e-9) <= 1e-9
    assert dualgap_gap(problem, w, at_most=1e-9) <= 1e-9

def test_w_alone(dualgap_gap):
    problem = Problem([[1.0, 0.0], [0.0, 1.0]], [-1.0, 1.0], Squared(), L2(0.5))
    dualgap_gap(problem, [0.0, 0.5], at_most=1e-9)
""",
    "test_unmarked.py": "def test_it(dualgap_check):\n    pass\n",
    "test_unknown.py": MARKED.format("[right], losses=['hindge']"),
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """What one run of all FILES prints: lines of the summary by file, and all of it."""
    words = ("-rA", "--continue-on-collection-errors", "-k", "gap_is_what or test_pair or test_w_alone")
    done = run(tmp_path_factory.mktemp("files"), FILES, *words)
    assert done.returncode == 1, done.stdout + done.stderr
    summary = done.stdout.rpartition("short test summary info")[2].splitlines()
    ends = {name: [line for line in summary if name in line] for name in FILES}
    return ends, done.stdout


def outcomes(lines, name):
    """The first words of the lines of a file: how each of its tests ended."""
    return sorted(line.split()[0] for line in lines[0][name])


def test_the_marker_runs_the_test_once_for_every_check(lines):
    assert outcomes(lines, "test_marker.py") == ["FAILED", "PASSED"]
    assert all("the_gap_is_what_was_asked_for[squared]" in line for line in lines[0]["test_marker.py"])
    assert "four rows, loss squared, lam = 0.25, l1 = 0: the gap is" in lines[1]


def test_expected_failures_are_strict(lines):
    assert outcomes(lines, "test_strict.py") == ["FAILED", "XFAIL"] and "XPASS(strict)" in lines[1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("test_unmarked.py", "mark it with @pytest.mark.dualgap_solvers([solver])"),
        ("test_unknown.py", "unknown loss 'hindge'"),
    ],
)
def test_a_wrong_use_is_said(lines, name, said):
    assert outcomes(lines, name) == ["ERROR"] and said in lines[1]


def test_a_pair_is_certified_in_any_test(lines):
    assert outcomes(lines, "test_pair.py") == ["FAILED", "FAILED", "PASSED"]
    assert "the gap is 0.125, above 1e-09" in lines[1]
    assert "no bound on P(w) - min P is at most 1e-09: it is 0.125" in lines[1]


def test_a_pair_is_certified_without_asserts(tmp_path):
    text = FILES["test_pair.py"].replace("assert dualgap_gap", "dualgap_gap").replace(" <= 1e-9\n", "\n")
    (tmp_path / "test_pair.py").write_text(text)
    command = [sys.executable, "-O", "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:cacheprovider", "--assert=plain"]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "2 failed, 1 passed" in done.stdout, done.stdout


def test_the_entry_point_names_it():
    assert f'[project.entry-points.pytest11]  # inert unless its marker or a fixture is used\ndualgap = "{PLUGIN}"' in (
        ROOT / "pyproject.toml"
    ).read_text(encoding="utf-8")
