"""Hypothesis profiles: the default one is derandomised, so that a run can be repeated exactly (docs/property_tests.md).
And Python's own Ctrl-C.

A test that draws fresh examples (profiles ci and thorough) says what holds of every example, or states the probability
of its false alarm: 1e-9 for each of the 9 bounds of test_lemma_rate.py and for both laws of each method in
test_what_the_papers_say.py, less than 1e-7 in all. A test that says what some examples must show is derandomised in
every profile. No health check can fail one by chance.
"""

import contextlib
import importlib.util
import os
import secrets
import signal
import sys

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase

PHASES = [phase for phase in Phase if phase is not Phase.explain]  # which traces every line: minutes for a failure
COMMON = {"deadline": None, "print_blob": True, "phases": PHASES}
OFF = [HealthCheck.too_slow, HealthCheck.data_too_large]
FRESH = {
    "derandomize": False,
    "database": DirectoryBasedExampleDatabase(".hypothesis/examples"),
    "suppress_health_check": [*OFF, HealthCheck.filter_too_much],
}

settings.register_profile("default", max_examples=25, derandomize=True, suppress_health_check=OFF, **COMMON)
settings.register_profile("ci", max_examples=400, **FRESH, **COMMON)
settings.register_profile("thorough", max_examples=2500, **FRESH, **COMMON)
settings.load_profile("default")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else every new process compiles what it imports
sys.dont_write_bytecode = False


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(module, ...): skipped where an optional package is not installed")
    config.addinivalue_line("markers", "nightly: deselected unless -m names it (.ci/nightly)")
    config.option.markexpr = config.option.markexpr or "not nightly"


def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        if missing := [name for name in mark.args if importlib.util.find_spec(name) is None]:
            pytest.skip(f"{missing[0]} is not installed")


@pytest.fixture(autouse=True, scope="session")
def no_test_sets_a_constant_of_compiled_code():
    """Machine code has the constant of the moment in which it was compiled. So code that is compiled during such a test
    would be found in the cache by every later process, and code that is compiled before would not show the change.
    """
    from dualgap.fast.compiler.first_calls import Kernel

    setattr_of = pytest.MonkeyPatch.setattr

    def checked(self, target, *given, **named):
        for reader in (
            vars(target).values() if hasattr(target, "__file__") and isinstance(given[-1], int | float) else ()
        ):
            compiled = isinstance(reader, Kernel) and reader.py_func.__module__ == target.__name__
            assert not (compiled and given[0] in reader.py_func.__code__.co_names), f"{reader.__name__} has {given[0]}"
        setattr_of(self, target, *given, **named)

    pytest.MonkeyPatch.setattr = checked
    yield
    pytest.MonkeyPatch.setattr = setattr_of


@pytest.fixture(autouse=True, scope="session")
def derandomised_draws_depend_on_no_other_test():
    """In a derandomised profile Hypothesis takes no constants from the modules that earlier tests have loaded."""
    from dualgap.proofs_checks.claims.by_hypothesis import repeatable

    with repeatable() if settings.default.derandomize else contextlib.nullcontext():
        yield


@pytest.fixture(autouse=True, scope="session")
def audits_draw_the_same_in_every_run():
    """An audit without ``entropy`` takes it from ``secrets``. The results that the tests expect of controls and mutants
    are promises about these draws.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "randbits", lambda bits: 0x5EED % 2**bits)
        yield


@pytest.fixture(autouse=True, scope="session")
def nothing_waits_for_the_disk():
    """What a test writes need not survive a crash of the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def kernels_are_compiled():
    """What is tested is compiled code, also in the first run of a process."""
    from dualgap.fast.compiler.first_calls import compile_at_once

    compile_at_once()


@pytest.fixture
def sigint_interrupts():
    """Python's own handler of SIGINT: a suite that a shell starts in its background is started with the signal
    ignored.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    """The working directory is a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nothing_is_left():
    """What a test loads or registers is gone after it."""
    from support import nothing_left

    with nothing_left():
        yield
