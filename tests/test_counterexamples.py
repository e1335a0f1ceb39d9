"""Counterexample files: exact for rational losses, enclosed for the logistic one, the same after a round trip."""

import pytest

from dualgap.proofs_checks import counterexamples
from dualgap.proofs_checks.instance import Instance, Q, Qs
from dualgap.proofs_checks.registry import all_claims

LOGISTIC = Instance(rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs("-1/3", "-1/2"), lam=Q(1, 2), loss="logistic")
RATIONAL = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(1, -1), lam=Q(199, 200), extra={"q": Q(1, 2)})


@pytest.mark.parametrize(("instance", "holds"), [(LOGISTIC, True), (RATIONAL, False)])
def test_a_file_replays_to_the_same_numbers(tmp_path, instance, holds):
    path = counterexamples.write(tmp_path, all_claims()["aspdc.a17"], instance)
    found = counterexamples.replay(path)
    assert found.same_as_file and found.instance == instance
    assert (found.first_false is None) == holds


def test_an_instance_that_no_digits_decide_is_refused_not_guessed(tmp_path):
    equal = LOGISTIC.but(alpha=Qs("-1/2", "-1/2"), rows=(Qs(0), Qs(0)))  # the gap is exactly 0: no enclosure decides 0 <= 0
    with pytest.raises(ValueError, match="undecided"):
        counterexamples.write(tmp_path, all_claims()["aspdc.a17"], equal)
    assert not list(tmp_path.iterdir())
