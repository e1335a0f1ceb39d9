"""A method that is no exact function of its state is an error, never a verdict; every built-in method is one."""

import re
from fractions import Fraction
from functools import partial

import pytest
from support import refuses

from dualgap.proofs_checks import audit, check_draw
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.engines import purity
from dualgap.proofs_checks.engines.paths import expectations, weighed
from dualgap.proofs_checks.properties.runs import begun, exact_problem, float_problem
from dualgap.proofs_checks.self_audit import impure
from dualgap.proofs_checks.strategies import public
from dualgap.reference import L2, LOSSES, Problem, Squared, all_methods, lazy_forms
from dualgap.reference.methods.sdca import SDCA

PROBLEM = Problem([[1.0], [2.0], [4.0]], [1.0, 0.0, 1.0], Squared(), L2(1))
CLAIM = "sdca.dual-monotone"


def foreign(kind):
    """The method as other people's."""
    return type(kind.__name__, (kind,), {"__module__": __name__})


InPlace, Floats = foreign(impure.InPlace), foreign(impure.Floats)  # a replay finds the first one by its name
MINE = {impure.InPlace: InPlace, impure.Floats: Floats}
IMPURE = {MINE.get(kind) or foreign(kind): said for kind, said in impure.IMPURE.items()}


@pytest.mark.parametrize("kind", IMPURE)
def test_an_audit_calls_it_an_error_and_names_verb_step_and_field(kind):
    (row,) = audit([CLAIM], size="quick", entropy=1, method=kind())["claims"]
    assert row["status"] == "ERROR" and row["evidence"] == [] and row["counterexample"] is None
    assert re.search(IMPURE[kind], row["error"].partition("\n")[0]), row["error"]


@pytest.mark.parametrize("kind", [kind for kind in IMPURE if kind is not Floats])  # a solver may step in floats
def test_what_it_draws_is_not_held_against_its_choices(kind):
    refuses(purity.Impure, IMPURE[kind], lambda: check_draw(kind(), PROBLEM))


@pytest.mark.parametrize("kind", [foreign(impure.Counting), SDCA])
def test_control_a_pure_method_holds_with_a_table_of_lists_too(kind):
    (row,) = audit([CLAIM], size="quick", entropy=1, method=kind())["claims"]
    assert row["status"] == "HOLDS" and check_draw(kind(), PROBLEM) == "exactly"


def test_a_refutation_that_an_impure_step_makes_is_neither_written_nor_replayed(tmp_path, monkeypatch):
    claim = all_claims()[CLAIM]
    (instance,) = draw_instances(claim.evidence[0].strategy(), 1, 1)
    refuses(purity.Impure, IMPURE[InPlace], lambda: counterexamples.write(tmp_path, claim, instance, InPlace()))
    with monkeypatch.context() as unchecked:
        unchecked.setattr(counterexamples, "require_pure", lambda context: None)
        file = counterexamples.write(tmp_path, claim, instance, InPlace())
    refuses(ValueError, IMPURE[InPlace], counterexamples.replay, file)
    assert CLAIMS[CLAIM] is claim


def test_the_expectations_themselves_refuse_floats_and_wrong_sums():
    exact = Problem([[1], [2]], [1, 0], Squared(), L2(1), number=Fraction)
    for method, said in ((impure.FloatChances(), "a float"), (impure.HalfChances(), "have the sum 1/2")):
        with pytest.raises(purity.Impure, match=said):
            expectations(method, exact, method.init(exact), 2, lambda state: state.v[0])
    assert [p for _, p in weighed(PROBLEM, [(0, 0.5), (1, 0.5)])] == [0.5, 0.5]  # over floats they may be floats


METHODS = {**all_methods(), **{f"{name}, lazy": kind for name, kind in lazy_forms().items()}}


TAKES_ROOTS = r"sqrt\(.*\) is not rational|on floats \(got number=Fraction\)"


@pytest.mark.parametrize("name", METHODS)
def test_every_built_in_method_is_pure(name):
    walked, refused = {float: 0, Fraction: 0}, 0
    for run in draw_instances(public.runs(METHODS[name].name, max_n=3, max_steps=4), 4, 1):
        method = METHODS[name](**run.options)
        for problem in (float_problem(run), *([exact_problem(run)] if LOSSES[run.loss].rational else [])):
            asked = purity._Asked(method, problem)
            try:
                walk = asked.walk(asked.answers("init", "", partial(begun, method, problem, run)), list(run.path), 2)
                asked.repeated(walk)
            except (TypeError, ValueError) as error:
                assert problem.number is Fraction and re.search(TAKES_ROOTS, str(error)), error
                refused += 1
                continue
            (_, start), *taken = walk
            before, ran = start.key(), method.run(problem, [choice for choice, _ in taken], start)
            assert (before, ran.key()) == (start.key(), walk[-1][1].key()), "a run is the fold of its steps"
            walked[problem.number] += len(walk) - 1
    assert walked[float] >= 8 and (walked[Fraction] >= 2 or refused), walked


def test_copies_and_keys_of_a_state_go_to_the_last_level():
    state = impure.Table(v=[1], alpha=[], g=[[[1], [2]], [[3]]])
    copied = state.copy()
    copied.g[0][1][0] = 5
    assert (
        state.g == [[[1], [2]], [[3]]] and hash(state.key()) != hash(copied.key()) and state.key() == state.copy().key()
    )
