"""One Hypothesis profile for the whole suite: derandomised, so that a run can be repeated exactly. And Python's own Ctrl-C."""

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


@pytest.fixture
def sigint_interrupts():
    """Python's own handler of SIGINT: a suite that a shell starts in its background is started with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
