"""Reference and compiled code are bit-identical: every method and loss, dense and CSR, any start, choices and cuts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.fast import Certificate, kernels
from dualgap.proofs_checks import check_bits
from dualgap.proofs_checks.claims.relations import Eq
from dualgap.proofs_checks.properties.runs import begun, examples, float_problem, holds, same_bits
from dualgap.proofs_checks.strategies.public import runs
from dualgap.reference import all_methods

NAMES = sorted(kernels())


def test_every_reference_method_has_a_compiled_one_or_says_why_not():
    reference_only = {name for name, kind in all_methods().items() if kind.without_compiled}
    assert set(kernels()) == set(all_methods()) - reference_only and reference_only == {"spd1", "spd1-vr"}


@pytest.mark.parametrize("name", NAMES)
@examples(1 / 3)
@given(data=st.data())
def test_after_every_step_every_field_has_the_same_bits(name, data, pair):
    run = data.draw(runs(name), label="run")
    check_bits(pair.fast(run), pair.repeated(run), run)


@pytest.mark.parametrize("name", NAMES)
@examples(1 / 5)
@given(data=st.data())
def test_a_run_cut_into_pieces_is_the_whole_run(name, data, pair):
    run = data.draw(runs(name), label="run")
    problem, fast, slow = float_problem(run), pair.fast(run), pair.repeated(run)
    whole = slow.run(problem, run.path, begun(slow, problem, run))
    state = begun(fast, problem, run)
    for begin, end in zip([0, *sorted(run.extra.cuts)], [*sorted(run.extra.cuts), len(run.path)]):
        fast.advance(problem, state, list(run.path[begin:end]))
    holds(run, same_bits(whole, state, f"cut at {run.extra.cuts}"))
    for expected, got, what in zip(slow.view(problem, whole), fast.view(problem, state), ("w", "alpha")):
        holds(run, [Eq([float(x).hex() for x in got], [float(x).hex() for x in expected], f"view: {what}")])


@pytest.mark.parametrize("name", NAMES)
@examples(1 / 5)
@given(data=st.data())
def test_a_certificate_has_the_numbers_of_the_reference(name, data, pair):
    run = data.draw(runs(name), label="run")
    problem, slow = float_problem(run), pair.repeated(run)
    w, alpha = slow.view(problem, slow.run(problem, run.path, begun(slow, problem, run)))
    if not all(problem.loss.in_domain(a, y) for a, y in zip(alpha, problem.y)) or not np.isfinite([*w, *alpha]).all():
        return  # nothing to certify: a dual point outside the domain, or an iterate beyond the floats
    found = Certificate(problem, w, alpha)
    for what, got, expected in (
        ("P", found.primal, problem.P(w)),
        ("D", found.dual, problem.D(alpha)),
        ("gap", found.gap, problem.gap(w, alpha)),
    ):
        holds(run, [Eq(got.hex(), expected.hex(), f"{what} of the certificate, bits")])


@pytest.mark.parametrize("name", NAMES)
@examples(1 / 10)
@given(data=st.data())
def test_both_draw_the_same_passes_in_every_order(name, data, pair):
    run = data.draw(runs(name, max_steps=0), label="run")
    problem, slow, fast = float_problem(run), pair.repeated(run), pair.fast(run)
    order, seed, epoch = data.draw(
        st.tuples(st.sampled_from(slow.orders), st.integers(0, 99), st.integers(0, 9)), label="pass"
    )
    expected, got = slow.draw(problem, order, seed, epoch), fast.draw(problem, order, seed, epoch)
    label = f"pass {epoch} of order {order}, seed {seed}"
    holds(run, [Eq(np.asarray(got).tolist(), np.asarray(expected).tolist(), label)])
