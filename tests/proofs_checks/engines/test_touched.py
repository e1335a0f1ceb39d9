"""Entries that a step reads and writes are counted, each once, and the state is left as it was."""

from dualgap.proofs_checks.engines.touched import touched
from dualgap.reference.methods.base import DualState


def state():
    return DualState(v=[1.0, 2.0, 3.0, 4.0], alpha=[5.0, 6.0])


def test_items_slices_passes_and_new_lists_are_counted():
    def item(s):
        s.v[1] = s.v[2] + s.alpha[0]  # two read, one written

    def piece(s):
        s.v[1:] = s.v[:3]

    def passes(s):
        s.alpha = [2 * a for a in s.v]  # four read, four new ones

    assert [touched(state(), change) for change in (item, piece, passes, lambda s: None)] == [3, 6, 8, 0]


def test_the_state_itself_stays():
    before = state()

    def change(s):
        s.v[0] = 9.0

    assert touched(before, change) == 1
    assert (before.v, before.alpha, type(before.v)) == ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0], list)
