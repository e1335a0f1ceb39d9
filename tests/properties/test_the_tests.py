"""The tests are tested: each mutant of each method replaces the reference, the compiled method, or both.

At least one module of this folder must fail. docs/property_tests.md has the table of
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
from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.properties.runs import PLACES, methods_of, of_the_compiled_form, placed

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
def same_examples(more):
    """20 to 400 examples a test, derandomised, not shrunk; or ten times as many. Repetitions from entropy 0."""
    settings.register_profile("before", settings.default)
    settings.register_profile(
        "mutants",
        max_examples=2000 if more else 200,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
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
def module(letter, more):
    """A module of this folder, its tests under ``same_examples``."""
    spec = importlib.util.spec_from_file_location(f"{MODULES[letter]}_{more}", HERE / f"test_{MODULES[letter]}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def checks_of(letter, name, more):
    """The tests of a module that use one of the mutant's methods, each with its arguments."""
    m, names = module(letter, more), methods_of(name)
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
def notices(letter, name, place, more=False):
    """Whether a module fails for a mutant."""
    # which compare a method with itself in both places
    if letter in "RS" and (place == "both" or not of_the_compiled_form(name)):
        return False
    with same_examples(more), contextlib.redirect_stdout(io.StringIO()), placed(name, place):
        for test, *arguments in checks_of(letter, name, more):
            try:
                test(*arguments)
            except Exception:  # a mutant may also break: outside the domain, beyond the floats
                return True
    return False


def recorded():
    """The table of the docs: {mutant: {place: letters}}."""
    pattern = r"^\| `([a-z]+)` (\S+) \| ([A-Z]*) \| ([A-Z]*) \| ([A-Z]*) \|$"
    rows = re.findall(pattern, TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    return {f"{paper}.{name}": dict(zip(PLACES, letters)) for paper, name, *letters in rows}


CELLS = [(name, place) for name in recorded() for place in PLACES if recorded()[name][place]]
TURNS = [(name, place) for k, name in enumerate(recorded()) for place in [*PLACES[k % 3 :], *PLACES[: k % 3]]]
FIRST = {name: (name, place) for name, place in reversed(TURNS) if (name, place) in CELLS}
SOME = list(FIRST.values())[::4] if settings.default.derandomize else CELLS


def test_every_named_mistake_is_in_the_table_and_what_is_unseen_has_a_reason():
    assert sorted(recorded()) == sorted(mutants())
    assert {(name, place) for name in recorded() for place in PLACES} - {*CELLS} == {*UNSEEN.items()}


@pytest.mark.parametrize(("name", "place"), SOME)
def test_a_mistake_is_noticed_wherever_it_stands(name, place):
    tries = itertools.product((False, True), recorded()[name][place])  # other versions draw others: then more of them
    assert any(notices(letter, name, place, more) for more, letter in tries)


@pytest.mark.skipif(settings.default.derandomize, reason="the whole table takes minutes: profiles ci and thorough")
@pytest.mark.parametrize("name", mutants())
def test_every_module_in_the_table_of_the_docs_notices(name):
    for place, letters in recorded()[name].items():
        missed = [one for one in letters if not any(notices(one, name, place, more) for more in (False, True))]
        assert not missed, f"{place}: missed by {missed}"


def noticing(name, place):
    return "".join(letter for letter in MODULES if notices(letter, name, place))


def row(name):
    cells = ["`{}` {}".format(*name.split(".", 1)), *(noticing(name, place) for place in PLACES)]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    with ProcessPoolExecutor() as workers:
        lines = list(workers.map(row, mutants()))
    text = TABLE.read_text(encoding="utf-8")
    head, rest = re.split(r"(?<=\|---\|---\|---\|---\|\n)", text)
    TABLE.write_text(head + "\n".join(lines) + "\n" + re.sub(r"^(\|.*\n)+", "", rest), encoding="utf-8")
