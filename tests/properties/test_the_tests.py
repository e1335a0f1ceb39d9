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
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, settings

from dualgap.proofs_checks.claims.by_hypothesis import repeatable
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.evidence.mutants import mutant, mutant_class, mutants
from dualgap.proofs_checks.properties import runs
from dualgap.proofs_checks.properties.runs import Pair
from dualgap.reference import all_methods, lazy_forms

PLACES = ("reference", "compiled", "both")
FEW, MANY = 200, 2000  # examples of the profile
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
    "adaspdc.frobenius": "compiled",  # on blocks alone, which no compiled method takes
    "baselines.asdca-first-rule": "compiled",  # far into a run, which is not drawn
    "baselines.asdca-kappa-of-r": "compiled",  # on rows of rational norm, too rare among those that are drawn
}


class Planted(Pair):
    """A pair in which the named mutant stands in one place: for the reference, for the compiled method, or for both."""

    def __init__(self, name, place):
        self.name, self.place = name, place

    def mutant(self, run, kind, *places):
        """The mutant, if it stands in one of the places and has this form of the run's method."""
        found = mutated(self.name, run) if self.place in places else None
        return found if isinstance(found, kind) else None

    def reference(self, run):
        return self.mutant(run, all_methods()[run.method], "reference", "both") or super().reference(run)

    def repeated(self, run):
        right = super().repeated(run)
        return self.mutant(run, type(right), "reference", "both") or right

    def lazy(self, run):
        right = super().lazy(run)
        found = self.mutant(run, all_methods()[run.method], "compiled", "both")
        return found or self.mutant(run, type(right), *PLACES) or right

    def fast(self, run, any_form=False):
        form = all_methods()[run.method] if any_form else type(super().repeated(run))
        found = self.mutant(run, form, "compiled", "both")
        return StandIn(found) if found else super().fast(run)


class StandIn:
    """A method in Python with the interface of a compiled one: ``advance`` takes an array of choices."""

    def __init__(self, method):
        self.method = method
        self.init, self.view, self.draw = method.init, method.view, method.draw

    def advance(self, problem, state, choices):
        for choice in choices:
            self.method.advance(problem, state, choice)


def mutated(name, run):
    """The mutant made for the run; None for a mutant of another method."""
    forms = all_methods()[run.method], lazy_forms().get(run.method, all_methods()[run.method])
    known = {*all_methods().values(), *lazy_forms().values()}
    right = next(kind for kind in mutant_class(name).__mro__ if kind in known)
    if not any(issubclass(form, right) and form.__module__ == right.__module__ for form in forms):
        return None
    found = mutant(name, run)
    return found if isinstance(found, forms) else None


def methods_of(name):
    """The methods of which a named mutant is a wrong implementation."""
    blank = Instance((), (), (), Q(1))
    return [method for method in sorted(all_methods()) if mutated(name, blank.but(method=method))]


def of_the_compiled_form(name):
    """Whether a mutant repeats the operations of the compiled method, not those of a dense form that has a lazy one."""
    lazy = tuple(lazy_forms()[method] for method in methods_of(name) if method in lazy_forms())
    return not lazy or issubclass(mutant_class(name), lazy)


@contextlib.contextmanager
def same_examples(examples):
    """A tenth to twice as many examples a test, derandomised, not shrunk. Repetitions from entropy 0."""
    settings.register_profile("before", settings.default)
    settings.register_profile(
        "mutants",
        max_examples=examples,
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
def module(letter, examples):
    """A module of this folder, its tests under ``same_examples``."""
    spec = importlib.util.spec_from_file_location(f"{MODULES[letter]}_{examples}", HERE / f"test_{MODULES[letter]}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def checks_of(letter, name, examples):
    """The tests of a module that use one of the mutant's methods, each with its arguments."""
    m, names = module(letter, examples), methods_of(name)
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
def notices(letter, name, place, examples=FEW):
    """Whether a module fails for a mutant."""
    # which compare a method with itself in both places
    if letter in "RS" and (place == "both" or not of_the_compiled_form(name)):
        return False
    return fails(letter, name, examples, Planted(name, place))


def fails(letter, name, examples, pair):
    """Whether a test of a module that uses one of the mutant's methods fails on a pair."""
    silent, files = contextlib.redirect_stdout(io.StringIO()), tempfile.TemporaryDirectory()
    with same_examples(examples), silent, files as folder, mock.patch.object(runs, "FOLDER", folder):
        for test, *arguments in checks_of(letter, name, examples):
            try:
                test(*arguments, pair=pair)
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
    tries = itertools.product((FEW, MANY), recorded()[name][place])  # other versions draw others: then more of them
    assert any(notices(letter, name, place, examples) for examples, letter in tries)


@pytest.mark.parametrize("letter", MODULES)
def test_control_no_module_fails_on_the_right_forms(letter):
    """So that a mutant is noticed for what it does, and not because its tests cannot run."""
    name = next(name for name in recorded() if letter in "".join(recorded()[name].values()))
    assert methods_of(name) and list(checks_of(letter, name, 10)) and not fails(letter, name, 10, Pair())


@pytest.mark.skipif(settings.default.derandomize, reason="the whole table takes minutes: profiles ci and thorough")
@pytest.mark.parametrize("name", mutants())
def test_every_module_in_the_table_of_the_docs_notices(name):
    for place, letters in recorded()[name].items():
        missed = [one for one in letters if not any(notices(one, name, place, many) for many in (FEW, MANY))]
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
