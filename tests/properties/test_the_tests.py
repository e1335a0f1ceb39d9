"""The tests are tested: each mutant of each method replaces the reference, the compiled method, or both.

At least one module of this folder must fail, on a run of at most three rows. docs/property_tests.md has the table of
the modules that detect each mutant; ``python tests/properties/test_the_tests.py`` writes it again. A compiled mutant is
a Python method on the same floats. The default profile tries every fourth mutant in one of the three places (SOME);
profiles ci and thorough try the whole table. Every profile uses the same examples, because fresh ones could miss a
mutant by chance.
"""

import contextlib
import importlib.util
import io
import itertools
import re
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from dualgap.proofs_checks.claims.by_hypothesis import repeatable
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.properties.runs import PLACES, methods_of, of_the_compiled_form, placed
from dualgap.reference import all_methods, as_compiled

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "docs" / "property_tests.md"
MODULES = {
    "P": "what_the_papers_say",
    "Z": "lazy_equals_dense",
    "R": "reference_equals_fast",
    "G": "duality_gap",
    "L": "lemma_rate",
    "S": "resume_and_warm_start",
}
UNSEEN = {  # what nothing here notices, and why
    # no sampler in a compiled method
    "aspdc.never-last": "compiled",
    "aspdc.cyclic-order": "compiled",
    "spdc.never-last": "compiled",
    "adaspdc.frobenius": "compiled",  # on blocks alone, which tests/fast/methods/test_block_fast.py runs
    "baselines.asdca-first-rule": "compiled",  # far into a run, which is not drawn
    "baselines.asdca-kappa-of-r": "compiled",  # on rows of rational norm, too rare among those that are drawn
}


@contextlib.contextmanager
def same_examples(shrink):
    """20 to 400 examples a test, derandomised, not shrunk; or ten times as many, shrunk. Repetitions from entropy 0."""
    phases = [Phase.generate, Phase.shrink] if shrink else [Phase.generate]
    settings.register_profile("before", settings.default)
    settings.register_profile(
        "mutants",
        max_examples=2000 if shrink else 200,
        derandomize=True,
        database=None,
        deadline=None,
        phases=phases,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")
    try:
        with repeatable():
            yield
    finally:
        settings.load_profile("before")


@cache
def module(letter, shrink):
    """A module of this folder, its tests under ``same_examples``."""
    spec = importlib.util.spec_from_file_location(f"{MODULES[letter]}_{shrink}", HERE / f"test_{MODULES[letter]}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def checks_of(letter, name, shrink):
    """The tests of a module that use one of the mutant's methods, each with its arguments."""
    m, names = module(letter, shrink), methods_of(name)
    if letter == "P":
        paper = f"baselines.{names[0]}" if name.startswith("baselines.") else name.split(".")[0]
        claims = [claim for claim in m.STATEMENTS if claim.startswith(f"{paper}.")]
        yield from ((m.test_the_reference_is_what_its_paper_says, claim) for claim in claims)
        yield from ((m.test_what_a_method_draws_has_the_law_of_its_choices, method) for method in names)
    if letter == "Z":
        claims = [claim for claim in m.LAZY if {*names} & {*m.LAZY[claim]}]
        yield from ((m.test_w_and_alpha_of_the_lazy_form_are_those_of_the_paper, claim) for claim in claims)
    if letter == "R":
        yield from ((m.test_after_every_step_every_field_has_the_same_bits, method) for method in names)
    if letter == "G":
        monotone = [method for method in names if method in m.MONOTONE]
        yield from ((m.test_along_a_run_w_is_w_of_alpha_and_D_never_decreases, method) for method in monotone)
    if letter == "L":
        bounds = [bound for bound in m.BOUNDS if m.BOUNDS[bound].method in names]
        yield from ((m.test_in_expectation_over_its_own_choices_a_method_keeps_its_bound, bound) for bound in bounds)
        yield from ((m.test_on_float_runs_with_many_rows_the_bound_is_not_refuted, bound) for bound in bounds)
        yield from [(m.test_pgs_never_regrets_more_than_its_bound,)] if "pgs" in names else []
    if letter == "S":
        m.Runs.names = [method for method in names if method in m.NAMES]
        yield from [(m.test_step_save_kill_resume_warm_start_and_certify_in_any_order,)] if m.Runs.names else []


@cache
def notices(letter, name, place, shrink=False):
    """The rows of the run on which a module fails for a mutant, or None where it does not fail."""
    # which compare a method with itself in both places
    if letter in "RS" and (place == "both" or not of_the_compiled_form(name)):
        return None
    with same_examples(shrink), contextlib.redirect_stdout(io.StringIO()):
        for test, *arguments in checks_of(letter, name, shrink):
            with placed(name, place) as seen:
                try:
                    test(*arguments)
                except Exception:  # a mutant may also break: outside the domain, beyond the floats
                    return len(seen.run.rows)
    return None


def is_noticed(letter, name, place):
    """Whether a module fails for a mutant, even on a run of 0 rows; it searches and shrinks more only if needed."""
    return any(notices(letter, name, place, shrink) is not None for shrink in (False, True))


def recorded():
    """The table of the docs: {mutant: {place: letters}}."""
    pattern = r"^\| `([a-z]+)` (\S+) \| ([A-Z]*) \| ([A-Z]*) \| ([A-Z]*) \|$"
    rows = re.findall(pattern, TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    return {f"{paper}.{name}": dict(zip(PLACES, letters)) for paper, name, *letters in rows}


# what is drawn does not shrink further
MORE_ROWS = {
    "spdc.shared-batch-order": 4,
    "baselines.sag-no-difference": 4,
    "baselines.sag-radius": 4,
    "spdc.u-scaled-increment": 5,
    "spdc.scaled-step": 5,
}
CELLS = [(name, place) for name in recorded() for place in PLACES if recorded()[name][place]]
TURNS = [(name, place) for k, name in enumerate(recorded()) for place in [*PLACES[k % 3 :], *PLACES[: k % 3]]]
FIRST = {name: (name, place) for name, place in reversed(TURNS) if (name, place) in CELLS}
SOME = list(FIRST.values())[::4] if settings.default.derandomize else CELLS


def test_every_named_mistake_is_in_the_table_and_what_is_unseen_has_a_reason():
    assert sorted(recorded()) == sorted(mutants())
    assert {(name, place) for name in recorded() for place in PLACES} - {*CELLS} == {*UNSEEN.items()}


@pytest.mark.parametrize(("name", "place"), SOME)
def test_a_mistake_is_noticed_wherever_it_stands_on_at_most_three_rows(name, place):
    letters, most, rows = recorded()[name][place], MORE_ROWS.get(name, 3), {}
    for letter, shrink in itertools.product(letters, (False, True)):  # other versions draw others
        rows[letter] = notices(letter, name, place, shrink)
        if rows[letter] is not None and rows[letter] <= most:
            return
    pytest.fail(f"not on {most} rows: {rows}")


@pytest.mark.parametrize("name", sorted(all_methods()) if SOME is CELLS else ["aspdc"])
def test_control_the_right_method_in_the_place_of_the_compiled_one_is_not_noticed(name, monkeypatch):
    forms = {
        "R": (type(as_compiled(name)), lambda run: as_compiled(run.method, **run.options)),
        "Z": (all_methods()[name], Instance.reference_method),
    }
    for letter, (right, of) in forms.items():
        made = type("Right", (right,), {"of": staticmethod(of)})
        monkeypatch.setitem(mutants(), "control", made)
        assert notices.__wrapped__(letter, "control", "compiled") is None


@pytest.mark.skipif(settings.default.derandomize, reason="the whole table takes minutes: profiles ci and thorough")
@pytest.mark.parametrize("name", mutants())
def test_every_module_in_the_table_of_the_docs_notices(name):
    for place, letters in recorded()[name].items():
        missed = [letter for letter in letters if not is_noticed(letter, name, place)]
        assert not missed, f"{place}: missed by {missed}"


def noticing(name, place):
    return "".join(letter for letter in MODULES if notices(letter, name, place) is not None)


def row(name):
    cells = ["`{}` {}".format(*name.split(".", 1)), *(noticing(name, place) for place in PLACES)]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    with ProcessPoolExecutor() as workers:
        lines = list(workers.map(row, mutants()))
    text = TABLE.read_text(encoding="utf-8")
    head, rest = re.split(r"(?<=\|---\|---\|---\|---\|\n)", text)
    TABLE.write_text(head + "\n".join(lines) + "\n" + re.sub(r"^(\|.*\n)+", "", rest), encoding="utf-8")
