"""The lazy form equals the paper's dense form exactly, and dense and CSR storage give bit-identical results."""

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dualgap.fast import kernels
from dualgap.proofs_checks import check_lazy
from dualgap.proofs_checks.properties.runs import begun, examples, float_problem, holds, inside, same_bits
from dualgap.proofs_checks.strategies.public import drawn_by, runs
from dualgap.reference import all_methods, lazy_forms

LAZY = {  # the claim whose instances are drawn, rational for methods that take roots: the methods
    "spdc.code.lazy": ("spdc", "spdc-minibatch", "spdc-nonuniform"),
    "adaspdc.algorithm-1": ("adaspdc",),
    "adaspdc.algorithm-1.repaired": ("adaspdc-r",),
    "pgs.algorithm": ("pgs",),
    "baselines.sag.lazy": ("sag",),
    "baselines.svrg.lazy": ("svrg",),
}


def test_every_lazy_form_is_compared():
    assert {name for names in LAZY.values() for name in names} == set(lazy_forms())


@pytest.mark.parametrize("claim", LAZY)
@examples(2)
@given(data=st.data())
def test_w_and_alpha_of_the_lazy_form_are_those_of_the_paper(claim, data, pair):
    run = data.draw(drawn_by(claim).filter(inside), label="run")
    event(run.method)
    assert run.method in LAZY[claim]
    check_lazy(pair.lazy(run), pair.reference(run), run, claim=claim)


WIDTHS = {  # by day a third of the methods on indices of both widths, which are compiled separately
    name: ("int32", "int64")[: 2 if k % 3 == 0 or not settings.default.derandomize else 1]
    for k, name in enumerate(sorted(kernels()))
}


@pytest.mark.parametrize("name", [name for name in sorted(kernels()) if not all_methods()[name].storage_matters])
@examples(1 / 10)
@given(data=st.data())
def test_dense_and_sparse_storage_give_the_same_bits(name, data, pair):
    run = data.draw(runs(name), label="run")
    method, states, indices = pair.fast(run), [], WIDTHS[name]
    for storage in ("dense", *indices):
        problem = float_problem(run, storage)
        state = begun(method, problem, run)
        method.advance(problem, state, list(run.path))
        states.append(state)
    for storage, state in zip(indices, states[1:]):
        holds(run, same_bits(states[0], state, f"CSR with {storage} indices against dense rows"))
