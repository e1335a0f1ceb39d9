"""Planted bugs: each changes what it says and nothing else, and one whose text is gone says so."""

import ast

import pytest
from support import refuses

from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.evidence.planted import Gone, PlantedBug, differing, parsed, planted
from dualgap.reference import L2, Problem, Squared
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.spdc import SPDC, MiniBatchSPDC

PROBLEM = Problem([Qs("3/5", "4/5"), Qs(1, 0)], Qs(1, -1), Squared(), L2(Q(2)), number=Q)


@pytest.mark.parametrize("name", mutants())
def test_every_bug_of_a_paper_is_a_text_of_its_method(name: str) -> None:
    bug = mutants()[name]
    assert (bug.name, bug.of(bug.method).planted_bug) == (name, bug) and bug.what and bug.changed


WRONG = {  # the edit, and the message; ``audit --self`` covers a text that occurs nowhere, twice, or outside of classes
    "elsewhere": (("ASPDC.advance", "require_lam(", ""), r"must stand once in ASPDC\.advance of aspdc\.py \(found 0"),
    "no-place": (("ASPDC.retreat", "i = choice", ""), r"paper\.no-place: there is no ASPDC\.retreat in aspdc\.py"),
    "unchanged": (("i = choice  ", "i = choice "), r"paper\.unchanged: .* its change changes nothing"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_text_that_does_not_stand_once_in_a_member_is_an_error_that_names_the_bug_and_the_file(name: str) -> None:
    edit, words = WRONG[name]
    refuses(Gone, words, planted(ASPDC, "paper", {name: ("", edit)})[f"paper.{name}"].of, ASPDC)


def test_a_new_text_that_is_not_python_is_an_error_that_names_the_bug_and_the_file() -> None:
    said = r"paper\.bug: aspdc\.py with 'i = \)' is not Python"
    refuses(SyntaxError, said, only(ASPDC, ("i = choice", "i = )")).of, ASPDC)


def test_a_member_differs_by_its_decorator_and_not_by_its_place_or_its_blanks() -> None:
    text = "class A:\n    @{}\n    def f(self):\n        return {}\n"
    assert differing(text.format("one", "1"), text.format("two", "1")) == {"A.f"}
    assert differing(text.format("one", "1"), "\n" + text.format("one", "(1)")) == set()


def only(method: type, *edits: tuple[str, ...], **names: object) -> PlantedBug:
    return planted(method, "paper", {"bug": ("what is wrong", *edits)}, **names)["paper.bug"]


def test_a_bug_is_seen_through_refinements_that_call_super_and_the_method_itself_is_left_alone() -> None:
    bug, before = only(AdaSPDC, ("AdaSPDC.sigma", "(2 * parameters.R[i])", "parameters.R[i]")), dict(vars(AdaSPDC))
    for preset, factor in (("a", 2), ("b", 1)):  # "b" has its own formula
        wrong, right = bug.of(AdaSPDCR)(preset=preset, norms=[1, 1]), AdaSPDCR(preset=preset, norms=[1, 1])
        assert isinstance(wrong, AdaSPDCR) and wrong.name == "adaspdc-r"
        assert wrong.sigma(wrong.parameters(PROBLEM), 0) == factor * right.sigma(right.parameters(PROBLEM), 0)
    assert dict(vars(AdaSPDC)) == before


def test_super_and_names_of_the_module_mean_in_a_changed_member_what_they_meant() -> None:
    batches = "list(batches(self.sampling, problem.n, self.m))"  # ``batches``: a name of the module
    bug = only(
        SPDC,
        ("MiniBatchSPDC.choices", batches, f"{batches}[::-1]"),
        ("MiniBatchSPDC.require", "self.m)", "one)"),
        one=1,
    )
    wrong, right = bug.of(MiniBatchSPDC)(m=2), MiniBatchSPDC(m=1)
    wrong.require(PROBLEM), right.require(PROBLEM)  # with m = 2 of 2 rows, too
    assert bug.of(MiniBatchSPDC)(m=1).choices(PROBLEM, None) == right.choices(PROBLEM, None)[::-1]
    assert bug.of(SPDC)().choices(PROBLEM, None) == SPDC().choices(PROBLEM, None)


def test_a_text_is_parsed_again_where_another_thread_made_python_lose_count(monkeypatch: pytest.MonkeyPatch) -> None:
    right, failures = ast.parse, [SystemError("AST constructor recursion depth mismatch (before=138, after=65)")] * 2

    def parse(text: str) -> ast.Module:
        if failures:
            raise failures.pop()
        return right(text)

    monkeypatch.setattr(ast, "parse", parse)
    assert ast.dump(parsed("x = 1")) == ast.dump(right("x = 1")) and not failures
    with pytest.raises(SyntaxError):
        parsed("x =")
