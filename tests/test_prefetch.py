"""A prefetch is an instruction that changes nothing, wherever its address lies; ``select`` is a choice without a branch."""

import os
import subprocess
import sys

import numpy as np

from dualgap.fast.compiler import kernel
from dualgap.fast.prefetch import DISTANCE, fetch_ahead, prefetch
from dualgap.fast.selection import select


@kernel
def first_after_hints(array, places):
    for place in places:
        prefetch(array, place)
    return array[0]


@kernel
def first(array, places):
    return array[0]


@kernel
def larger(a, b):
    return select(a > b, a, b)


@kernel
def rows_asked_for(choices, indptr, indices, data, y, alpha):
    return np.array([fetch_ahead(choices, t, indptr, indices, data, y, alpha) for t in range(choices.size)])


def test_a_prefetch_is_one_instruction_and_its_address_may_lie_anywhere():
    array, places = np.arange(3.0), np.array([0, 2, 3, 10**6, 2**63, 2**64 - 1], dtype=np.uint64)
    assert first_after_hints(array, places) == first(array, places) == 0.0
    calls = ["call void @llvm.prefetch" in one.inspect_llvm(one.signatures[0]) for one in (first_after_hints, first)]
    assert calls == [True, False]


def test_rows_are_asked_for_ahead_and_the_last_one_where_the_choices_end():
    choices, one = np.arange(12)[::-1].copy(), np.ones(12)
    indptr, indices = np.arange(13, dtype=np.uint64), np.zeros(12, dtype=np.uint64)
    asked = rows_asked_for(choices, indptr, indices, one, one, one)
    assert asked.tolist() == [max(0, 11 - t - 2 * DISTANCE) for t in range(12)]


def test_select_is_a_conditional_expression():
    for a in (-0.0, 0.0, 1.0, np.inf, np.nan):
        for b in (-0.0, 0.0, 2.0, -np.inf, np.nan):
            assert np.float64(larger(a, b)).tobytes() == np.float64(a if a > b else b).tobytes()


def test_without_the_compiler_both_are_plain_python_and_the_steps_the_same():
    program = (
        "from dualgap.fast.objective import Objective; from dualgap.fast.sdca import FastSDCA\n"
        "from dualgap.reference import L2, Problem, SmoothedHinge\n"
        "problem = Problem([[(0, 1.0), (1, 0.5)], [(1, 2.0)]], [1.0, -1.0], SmoothedHinge(), L2(1.0), d=2)\n"
        "states = [FastSDCA(storage=storage).run(problem, [0, 1, 0]) for storage in ('full', 'compact')]\n"
        "found = [state.alpha.tolist() for state in states], Objective(problem).gap(states[0].v, states[0].alpha)\n"
    )
    here: dict = {}
    exec(program, here)
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    python = subprocess.run([sys.executable, "-c", program + "print(found)"], env=environment, capture_output=True, text=True)
    assert python.stdout.strip() == repr(here["found"]), python.stderr
