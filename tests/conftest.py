"""One Hypothesis profile for the whole suite: derandomised, so that a run can be repeated exactly. And Python's own Ctrl-C."""

import importlib.util
import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "dualgap",
    derandomize=True,
    deadline=None,
    max_examples=100,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dualgap")


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(module): skipped where an optional package is not installed")


def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        if importlib.util.find_spec(mark.args[0]) is None:
            pytest.skip(f"{mark.args[0]} is not installed")


@pytest.fixture
def sigint_interrupts():
    """Python's own handler of SIGINT: a suite that a shell starts in its background is started with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
