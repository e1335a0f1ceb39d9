"""The reference is what its paper says, line by line, and draws from the stated law: claims of the audit as properties.

These tests detect a bug that the reference and the compiled method share, which a comparison of the two cannot detect.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.drawn import check_draw
from dualgap.proofs_checks.properties.runs import examples, float_problem, holds, statement
from dualgap.proofs_checks.strategies.public import drawn_by
from dualgap.reference import all_methods

STATEMENTS = (  # of every method: the paper's lines, its invariants, and that the lazy form is the paper's
    "aspdc.algorithm-1",
    "spdc.algorithm-1",
    "spdc.algorithm-2",
    "spdc.algorithm-3",
    "spdc.code.lazy",
    "adaspdc.algorithm-1",
    "adaspdc.algorithm-1.repaired",
    "pdcp.algorithm",
    "pgs.algorithm",
    "baselines.asdca.algorithm",
    "baselines.asdca.rule-1",
    "baselines.afg.lines",
    "baselines.afg.rate",
    "baselines.sag.lazy",
    "baselines.svrg.lazy",
    "baselines.pegasos.regret",
    "cocoa.algorithm",
)


@pytest.mark.parametrize("claim", STATEMENTS)
@examples(1)
@given(data=st.data())
def test_the_reference_is_what_its_paper_says(claim, data, pair):
    run = data.draw(drawn_by(claim), label="run")
    holds(run, statement(claim, run, pair.reference(run)), claim)


def simplest(name, n):
    """n rows, squared loss, and of the outputs the random one, where there is one."""
    drawn = all_methods()[name].drawn_options
    options = {key: values[-1] for key, values in drawn.items() if key in ("option", "m", "output")}
    return Instance(
        rows=tuple(Qs(k) for k in range(1, n + 1)), y=Qs(1) * n, alpha=(), lam=Q(1), method=name, options=options
    )


@pytest.mark.parametrize("name", sorted(all_methods()))
def test_what_a_method_draws_has_the_law_of_its_choices(name, pair):
    for n in (1, 3):  # with one row the choices are whether to keep a state, and nothing else
        run = simplest(name, n)
        solver = pair.reference(run)
        assert check_draw(solver, float_problem(run)) == "exactly", f"{name}, n = {n}"
