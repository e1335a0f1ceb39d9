"""What a violation is shrunk to: few rows, and zeros where nothing else violates as well."""

import pytest

from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.evidence.levels import degenerate, smallest
from dualgap.proofs_checks.strategies.instances import instances, systems


@pytest.mark.parametrize(
    "strategy", [instances(losses=("squared",)), systems(max_n=3, method="sdca")], ids=["losses", "systems"]
)
@pytest.mark.parametrize(
    ("bad", "zero"),
    [(lambda i: True, False), (lambda i: len(i.rows) > 1, False), (lambda i: len(i.rows) > 1 and degenerate(i), True)],
    ids=["any", "two rows", "zeros alone"],
)
def test_zeros_are_kept_only_where_nothing_else_of_this_size_violates(strategy, bad, zero):
    found = smallest(strategy, bad, 1)
    assert found is not None and bad(found) and degenerate(found) is zero
    assert len(found.rows) == (1 if bad(found.but(rows=found.rows[:1])) else 2)


def test_which_instances_are_degenerate():
    one = Instance((Qs(1), Qs(0)), Qs(2, 0), Qs(0, 0), Q(1))
    assert not degenerate(one)
    assert degenerate(one.but(rows=(Qs(0), Qs(0)))) and degenerate(one.but(y=Qs(0, 0)))
