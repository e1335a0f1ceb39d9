"""The story of a false statement: matrix, both sides, what holds instead; and the signs of plain formulas."""

import copy
import json
import pathlib
from dataclasses import replace

import pytest
from report_rows import of

from dualgap.proofs_checks.claims.origins import GRAVITIES, OURS, PRINTED
from dualgap.proofs_checks.claims.registry import HOLDS, REFUTED, all_claims, claim
from dualgap.proofs_checks.claims.result import ControlResult
from dualgap.proofs_checks.evidence.levels import fails_on
from dualgap.proofs_checks.report import refutation, report, templating

pytestmark = pytest.mark.needs(*templating.MAKERS)


@pytest.fixture(scope="module")
def story(audited):
    """The one refutation of a report."""
    (found,) = refutation.refutations(of(audited))
    return found


def test_the_instance_is_a_matrix_without_internal_names(story):
    assert story.numbers[0] == r"$A = \begin{matrix} 6 \\ \frac{1}{100} \end{matrix}$"
    assert {"$y = (0, 0)$", r"$\lambda = \frac{1}{2}$", "$T = 1$", "squared loss"} <= set(story.numbers)
    assert "left_dropped" not in str(story.numbers)


def test_both_sides_are_fractions_that_cannot_break_and_decimals(story, audited):
    assert (story.left.tex, story.left.decimal) == (r"\frac{5084981}{422500}", "≈ 12.0355")
    assert (story.right.tex, story.right.decimal, story.must) == ("7", "", "must be at most")
    page = report.render(of(audited))
    assert "<mfrac><mrow><mn>5084981</mn></mrow><mrow><mn>422500</mn></mrow></mfrac>" in page


@pytest.mark.parametrize(("p", "times"), [("2", 1), (None, 1), ("3/2", 0)])
def test_a_ball_without_p_is_one_of_the_euclidean_norm(p, times):
    instance = {"rows": [["1"]], "ball": "1", "lam": "1", "p": p}
    assert list(refutation.numbers(instance)).count("$p = 2$") == times


def test_what_holds_instead_is_linked_and_only_if_it_holds(audited, story):
    assert story.instead is None, "it was not audited"
    found = of(copy.deepcopy(audited))
    holding = next(row for row in found.claims if row.status == HOLDS)
    other = replace(holding, id="adaspdc.theorem-1.repaired")
    (told,) = refutation.refutations(replace(found, claims=(*found.claims, other)))
    assert told.instead == other and "No counterexample on" in told.supported
    false = replace(other, status=REFUTED)
    assert refutation.refutations(replace(found, claims=(*found.claims, false)))[0].instead is None


def test_gravest_first(audited):
    found = of(audited)
    row = next(row for row in found.claims if row.status == REFUTED)
    rows = tuple(replace(row, id=f"p.{gravity}", gravity=gravity) for gravity in reversed(GRAVITIES))
    assert [told.row.gravity for told in refutation.refutations(replace(found, claims=rows))] == list(GRAVITIES)


@pytest.mark.parametrize(
    "changes", [{"unmet": ("gamma > 0",)}, {"expected": HOLDS}, {"control": ControlResult("missed", "c")}]
)
def test_only_what_is_false_as_expected_is_told(audited, changes):
    found = of(audited)
    assert len(refutation.refutations(found)) == 1, "the control"
    rows = tuple(replace(row, **changes) if row.status == REFUTED else row for row in found.claims)
    assert refutation.refutations(replace(found, claims=rows)) == []


def told_of(audited, tmp_path, change):
    """The story and the page of a report whose one counterexample is changed."""
    found = of(copy.deepcopy(audited))
    (row,) = [row for row in found.claims if row.counterexample]
    record = json.loads(pathlib.Path(row.counterexample).read_text(encoding="utf-8"))
    change(record["instance"], next(line for line in record["chain"] if not line["holds"]))
    path = tmp_path / "counterexample-changed.json"
    path.write_text(json.dumps(record))
    changed = tuple(replace(row, counterexample=str(path)) if row.counterexample else row for row in found.claims)
    found = replace(found, claims=changed)
    (told,) = refutation.refutations(found)
    return told, report.render(found)


@pytest.mark.parametrize(
    ("exact", "decimal"),
    [
        ("12", ""),
        (f"{10**400}", "≈ 1.00000e+400"),
        (f"-{10**400}/3", "≈ -3.33333e+399"),
        ("inf", "inf"),
        ("nan", "nan"),
    ],
)
def test_a_side_beyond_the_floats_is_told(audited, tmp_path, exact, decimal):
    def change(instance, line):
        line["left"]["exact"] = exact

    told, page = told_of(audited, tmp_path, change)
    assert told.left.decimal.replace("= ", "≈ ").replace("1e+400", "1.00000e+400") == decimal
    assert str(templating.typeset(told.left.decimal)) in page


@pytest.mark.parametrize(
    "lost", [("y",), ("alpha",), ("lam",), ("rows",), ("y", "alpha", "lam", "loss", "extra", "rows")]
)
def test_an_instance_without_a_part_is_told_without_it(audited, tmp_path, lost):
    def change(instance, line):
        for name in lost:
            del instance[name]

    told, page = told_of(audited, tmp_path, change)
    whole, _ = told_of(audited, tmp_path, lambda instance, line: None)
    assert set(told.numbers) < set(whole.numbers) and told.left == whole.left and "False: " in page


def test_numbers_that_only_fill_an_instance_are_not_told():
    (golden,) = all_claims()["pgs.rcv1"].evidence
    told = list(refutation.numbers(golden.instances[0].to_json()))
    assert told == ["$n = 47236$", r"$\text{sparsity} = \frac{1}{625}$", "$d = 40$"]


def test_every_false_printed_statement_shows_its_print_and_another_claim_none(story, audited):
    false = [claim for claim in all_claims().values() if claim.kind == PRINTED and claim.expected == REFUTED]
    assert false and [claim.id for claim in false if not refutation.printed_formulas(claim.id)] == []
    assert refutation.printed_formulas("nobody.claims-this") == []
    assert all(str(templating.typeset(formula)) in report.render(of(audited)) for formula in story.printed)


def test_every_false_printed_statement_says_how_grave_it_is_and_what_holds_instead():
    claims = all_claims()
    false = [one for one in claims.values() if one.kind == PRINTED and one.expected == REFUTED]
    assert {one.gravity for one in false} == set(GRAVITIES)
    assert not [one.id for one in false if one.instead and one.instead not in claims], "a claim that does not exist"
    without = [one.id for one in false if not one.instead]
    assert without == ["adaspdc.table-1", "pgs.rcv1"], "numbers of data sets: there is nothing to prove instead"
    assert all(claims[one.instead].expected == HOLDS for one in false if one.id not in without)
    assert not any(one.gravity for one in claims.values() if one not in false)


@pytest.mark.parametrize(("gravity", "expected"), [("slip", HOLDS), ("slip", REFUTED), ("serious", REFUTED)])
def test_gravity_is_for_false_printed_statements_alone(gravity, expected):
    with pytest.raises(ValueError, match="gravity is for printed statements"):
        claim(
            "aspdc.no-such-claim",
            "s",
            hypotheses="h",
            evidence=[],
            control=fails_on(None, text="c"),
            origin=OURS,
            expected=expected,
            gravity=gravity,
        )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("||x|| <= eps, phi_i*(alpha_i) -> lam", "‖x‖ ≤ ε, φ_i*(α_i) → λ"),
        ("see adaspdc.theorem-1.repaired, sag.eta and eta.", "see adaspdc.theorem-1.repaired, sag.eta and η."),
        ("lambda, gamma-smooth and alphabet", "λ, gamma-smooth and alphabet"),
        ("a lone $ and eps", "a lone $ and eps"),
    ],
)
def test_plain_formulas_have_their_letters_and_signs_and_words_stay(text, shown):
    assert templating.with_signs(text) == shown


def test_every_text_of_every_claim_can_be_typeset():
    for one in all_claims().values():
        for text in (one.statement_tex or one.statement, one.hypotheses_tex or one.hypotheses, one.note, one.proof):
            assert "$" not in str(templating.typeset(templating.with_signs(text))), text


def test_a_formula_that_cannot_be_read_is_found():
    assert "$" in str(templating.typeset("$x^{a}^{b}$"))
