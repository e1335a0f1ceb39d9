"""The fixture of the property tests."""

import pytest

from dualgap.proofs_checks.properties.runs import Pair


@pytest.fixture(scope="session")
def pair():
    """The forms of a method that a test compares; test_the_tests.py gives other pairs, with a planted bug in one."""
    return Pair()
