"""The conformance vectors: shipped undamaged, made by the reference, agreed with by the independent implementation."""

import copy
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import pytest
from support import ROOT, answer, by_day, printed, refusal, refuses

from dualgap.proofs_checks.claims import exact
from dualgap.proofs_checks.claims.exact import arithmetic, computing_registered
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.conformance.error_bounds.number import Trace
from dualgap.proofs_checks.conformance.independent.losses import INTERVALS
from dualgap.proofs_checks.conformance.independent.problems import Problems
from dualgap.proofs_checks.conformance.methods.registry import ROWS, covered
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs import catalogue
from dualgap.proofs_checks.conformance.vectors import generate
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.conformance.vectors import schema as schemas
from dualgap.proofs_checks.conformance.vectors.explain import undescribed
from dualgap.proofs_checks.conformance.vectors.make_case import leaves
from dualgap.reference import BLOCK_LOSSES, LOSSES, Hinge, all_methods
from dualgap.reference.methods.registry import METHODS

PORT = [sys.executable, str(ROOT / "ports" / "python" / "port.py")]
SCHEMA = json.loads((vectors.HOME / "schema.json").read_text(encoding="utf-8"))
FILES = sorted(path.name for path in vectors.HOME.iterdir())
QUICK = [  # every level and every kind of maker; dualgap vectors --check makes all of them again
    "formulas-hinge.json",
    "formulas-regularizers.json",
    "formulas-ball-huber.json",
    "steps-pgs.json",
    "trajectories-aspdc.json",
    "theorems-certificates.json",
    "limits-integers.json",
    "limits-many-terms.json",
]


@pytest.fixture(scope="module")
def shipped():
    return vectors.load()


@pytest.fixture
def folder(tmp_path):
    return pathlib.Path(shutil.copytree(vectors.HOME, tmp_path / "v1"))


def test_manifest_and_schema_hold_and_the_files_are_small():
    assert vectors.check() > 3700
    assert sum(path.stat().st_size for path in vectors.HOME.iterdir()) < 8_000_000


@pytest.mark.parametrize(
    ("name", "said"), [("steps-sdca.json", "is not the file that"), (vectors.MANIFEST, "its seal")]
)
def test_a_file_with_another_bit_is_named(folder, name, said):
    path = folder / name
    raw = path.read_bytes()
    path.write_bytes(raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:])
    refuses(ValueError, rf"{name} .*{said}", vectors.load, folder)


def test_a_missing_file_and_a_file_too_many_are_named(folder):
    vectors.load(folder)  # what was read is not kept beyond a change of the files
    (folder / "steps-sdca.json").rename(folder / "steps-more.json")
    refuses(ValueError, r"steps-more\.json is not in manifest", vectors.load, folder)
    (folder / "steps-more.json").unlink()
    refuses(ValueError, r"cannot read .*steps-sdca\.json", vectors.load, folder)


@pytest.mark.parametrize("name", by_day(QUICK, *(set(QUICK) - {"steps-pgs.json", "limits-many-terms.json"})))
def test_a_file_made_again_is_the_shipped_one_byte_for_byte(name):
    assert generate.makers()[name]().raw() == (vectors.HOME / name).read_bytes()


@pytest.mark.parametrize("name", ["formulas-p-norm.json", "steps-pgs.json"])
@pytest.mark.parametrize("kind", ["fraction", pytest.param("mpq", marks=pytest.mark.needs("gmpy2"))])
def test_either_type_of_rationals_makes_a_file_byte_for_byte(name, kind, monkeypatch):
    types, compared = set(), Trace.compared
    monkeypatch.setattr(exact, "chosen", lambda given: kind)
    monkeypatch.setattr(
        Trace, "compared", lambda trace, *x: (types.add(type(x[0]).__name__.lower()), compared(trace, *x))
    )
    with computing_registered():
        assert generate.makers()[name]().raw() == (vectors.HOME / name).read_bytes()
    assert kind in types and (kind == "mpq" or "mpq" not in types)


def test_what_other_packages_register_is_given_fractions(monkeypatch):
    with computing_registered():  # the control
        assert arithmetic().__name__.lower() == exact.chosen()
    for known in (METHODS, exact.LOSSES):
        with monkeypatch.context() as patch:
            patch.setattr(known, "foreign", lambda: {"mine": None})
            with computing_registered():
                assert arithmetic() is Fraction


def test_every_file_has_a_maker():
    others = {schemas.SCHEMA, schemas.REQUEST, schemas.ANSWER, *generate.KEPT, vectors.MANIFEST}
    assert set(generate.makers()) | others == set(FILES)


def test_a_withdrawn_case_is_not_asked(folder):
    errata = json.loads((folder / "errata.json").read_text(encoding="utf-8"))
    errata["withdrawn"].append({"id": "gap.gap.e.001", "reason": "for the test", "replaced_by": None})
    name = next(iter(vectors.load().cases))
    errata["withdrawn"][-1]["id"] = name
    entries = vectors.manifest(folder)["files"]
    entries["errata.json"] = generate._entry(folder / "errata.json", json.dumps(errata).encode())
    (folder / vectors.MANIFEST).write_bytes(vectors.sealed(entries))
    assert name not in vectors.load(folder).cases


@pytest.mark.needs("jsonschema")
def test_the_files_follow_their_schema_and_spoiled_ones_do_not(shipped):
    """Three kinds of file; requests and answers also."""
    import jsonschema

    check = jsonschema.Draft202012Validator(SCHEMA)
    for name in ("formulas-ball-huber.json", "trajectories-aspdc.json", "limits-integers.json"):
        content = json.loads((vectors.HOME / name).read_text(encoding="utf-8"))
        assert check.is_valid(content), name
        for change in (
            lambda c: c.pop("source"),
            lambda c: c.update(extra=1),
            lambda c: c.update(cases=[]),
            lambda c: c["cases"][0].update({"class": "X"}),
            lambda c: c["cases"][0].update(predicate="ascent"),
            lambda c: c["cases"][0].pop("due"),
        ):
            wrong = copy.deepcopy(content)
            change(wrong)
            assert not check.is_valid(wrong), name
    case = shipped.cases["spdc.step.e.001"]
    for value, name in (
        ({"seq": 1, "op": "run", "call": case.call, "given": case.request}, "request"),
        (case.request, "given"),
        ({"seq": 1, "result": hex_floats.plain(case.due)}, "answer"),
    ):
        jsonschema.validate(value, {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def test_a_tolerance_is_no_licence(shipped):
    """Even in a trajectory it is below what any known bug makes (2^-30); in one formula it is a few places, where no
    powers are.
    """
    # q - 1 > 1 counts every error as often; the sum over classes cancels
    wide = ("pnorm", "pgs-p-norm", "multiclass-smoothed-hinge")
    for case in shipped.cases.values():
        most = 2**-33 if case.level == "L2" else 2**-40
        most = (2**-32 if case.level == "L2" else 2**-33) if case.method in wide else most
        for text in [leaf for _, leaf in leaves(case.due) if isinstance(leaf, str)]:
            expected = hex_floats.read(text)
            assert expected.tolerance == 0 or case.tolerance_class != "E"
            assert expected.tolerance < (1 + abs(expected.nearest)) * most, case.id


# a root, or eta = lam/(lam + 2 kappa), of kappa > 0 is no double, and without kappa the bug does not show
IRRATIONAL = {
    ("aspdc-i", "centre-ignored"),
    ("aspdc-i-momentum", "centre-ignored"),
    ("aspdc-i-momentum", "momentum-ignored"),
    ("asdca", "centre-ignored"),
    ("asdca", "momentum-ignored"),
    ("asdca", "inner-test-skipped"),
}


def test_every_known_bug_is_shown_by_an_exact_case_of_every_method_that_can_have_it(shipped):
    found = {}
    for case in shipped.cases.values():
        if case.level in ("L1", "L2"):
            for flag in set(case.flags) - {"single-precision"}:
                found.setdefault((case.method, flag), set()).add(case.tolerance_class)
    assert {key for key, classes in found.items() if "E" not in classes} == IRRATIONAL | {
        (m, f) for m, f in found if m == "pgs-p-norm"
    }
    assert {flag for case in shipped.cases.values() for flag in case.flags} == set(catalogue.WAYS)
    assert {flag for method, flag in found if method == "spdc"} >= set(
        "stale-w-bar no-extrapolation skipped-zero-row off-by-one-index".split()
    )


def test_the_independent_implementation_imports_nothing_of_what_it_is_compared_with():
    forbidden = ("dualgap.reference", "dualgap.fast", "numpy")
    code = f"import sys, port; print([name for name in sys.modules if name.startswith({forbidden})])"
    home = pathlib.Path(PORT[1]).parent
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=home)
    assert run.stdout.strip() == "[]"


def test_answers_in_a_file_are_judged_and_a_wrong_one_is_named(shipped, tmp_path, capsys, monkeypatch):
    """Those to every 20th vector; the port answers every one in test_conform.py."""
    few = vectors.Vectors(dict(list(shipped.cases.items())[::20]), shipped.flags)
    monkeypatch.setattr(vectors, "load", lambda: few)
    asked, answered = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    assert cli.main(["vectors", "--emit", str(asked)]) == 0
    with asked.open() as lines, answered.open("w") as out:
        subprocess.run(PORT, stdin=lines, stdout=out, check=True)
    assert cli.main(["vectors", "--judge", str(answered)]) == 0
    lines = answered.read_text(encoding="utf-8").splitlines()
    place = next(k for k, line in enumerate(lines) if '"value"' in line)
    one = json.loads(lines[place])
    one["result"]["value"] = hex_floats.encode(math.nextafter(hex_floats.decode(one["result"]["value"]), 9e9))
    name = list(few.cases)[one["seq"] - 2]
    answered.write_text("\n".join([*lines[:place], json.dumps(one), *lines[place + 1 :]]))
    capsys.readouterr()
    assert [
        failure["id"] for failure in answer(capsys, "vectors", "--judge", str(answered), "--json", status=1)["failures"]
    ] == [name]
    answered.write_text("\n".join(lines[:place]))
    assert cli.main(["vectors", "--judge", str(answered)]) == 1  # answers that are not there are no passes


def test_a_case_is_explained_with_what_it_catches(shipped, capsys):
    case = shipped.cases["spdc.step.e.001"]
    text = printed(capsys, "vectors", "--explain", case.id)
    assert all(f"catches {flag}" in text for flag in case.flags) and "SPDC (Zhang and Xiao" not in text
    assert "SPDC, Algorithm 1" in text and "parameters.tau" in text and "due state.w_bar" in text
    assert "similar names: spdc.step.e" in refusal(capsys, "vectors", "--explain", "spdc.step.e.999")


def test_every_method_has_vectors_or_a_reason_why_not(shipped):
    """Each method of ``dualgap.reference.all_methods()`` has steps and a trajectory, with and without logarithms."""
    without = {name for name, kind in all_methods().items() if kind.without_vectors}
    assert covered().isdisjoint(without) and set(all_methods()) == covered() | without
    found = {(case.method, case.call) for case in shipped.cases.values()}
    for row in ROWS.values():
        classes = {
            case.tolerance_class for case in shipped.cases.values() if case.method == row.name and case.call == "step"
        }
        assert {(row.name, call) for call in ("init", "step", "view", "trajectory")} <= found, row.name
        assert {"E", "R"} & classes and "T" in classes, row.name
    assert set(SCHEMA["$defs"]["method"]["enum"]) == set(ROWS)


def test_every_loss_has_formulas(shipped):
    scalar = {case.given.get("loss") for case in shipped.cases.values() if case.level == "L0"}
    assert set(LOSSES) | set(BLOCK_LOSSES) - {"squared"} <= scalar


@pytest.mark.parametrize("method", ["spdc", "spdc-minibatch", "pgs", "aspdc-i", "asdca", "afg"])
def test_a_theorem_of_a_path_or_of_all_branches_refutes_some_known_bug(shipped, method):
    strong = {"expected-contraction", "regret", "regret-identity", "bound"}
    cases = [case for case in shipped.cases.values() if case.method == method and case.predicate in strong]
    assert cases and {flag for case in cases for flag in case.flags}, method


def test_the_list_counts_every_case(shipped, capsys):
    told = answer(capsys, "vectors", "--json")
    assert (
        told["cases"]
        == len(shipped.cases)
        == sum(k for table in told["table"].values() for level in table.values() for k in level.values())
    )


def test_the_guide_names_every_call_predicate_and_field():
    text = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("ports.md", "ports-methods.md"))
    text += str(undescribed(text))  # which the site adds: so every method is named
    defined = SCHEMA["$defs"]
    for name in (*defined["call"]["enum"], *defined["predicate"]["enum"], *defined["block_loss"]["enum"]):
        assert f"`{name}`" in text, name
    for name in (
        *defined["state"]["properties"],
        *defined["parameters"]["properties"],
        *defined["problem"]["properties"],
    ):
        assert name in text, name


def test_numbers_survive_their_spelling():
    for value in (0.1, -1.5, 5e-324, 1.7976931348623157e308, 0.0):
        assert hex_floats.decode(hex_floats.spell_given(value)) == value
        assert hex_floats.read(hex_floats.spell_due(Fraction(value))).exact == Fraction(value)
    third = hex_floats.read(hex_floats.spell_due(Fraction(1, 3), Fraction(1, 7)))
    assert third.exact == Fraction(1, 3) and Fraction(1, 7) <= third.tolerance < Fraction(1, 6)
    for text in ("3FF0000000000000", "0x3ff0000000000", "1.5", "3ff00000000000000"):
        refuses(ValueError, "16 hexadecimal digits", hex_floats.decode, text)


def test_a_changed_reference_is_noticed_by_check(monkeypatch, capsys):
    """The control of --check: one case more, and the file is another one."""
    quick = {name: generate.makers()[name] for name in QUICK[1:2]}
    monkeypatch.setattr(generate, "makers", lambda kept: quick)
    other = answer(capsys, "vectors", "--check", "--json", status=1)["other"]
    assert "steps-sdca.json" in other and QUICK[1] not in other and vectors.MANIFEST in other


@pytest.mark.parametrize(
    ("name", "change", "said", "as_json"),
    [
        (
            "steps-aspdc.json",
            lambda patch: patch.setattr(Problems, "shift", lambda self, p, change: change),
            r"steps-aspdc.json cannot be made: state.v\[\d\] is \S+ by the reference and \S+ by the independent"
            r" implementation in the call step of aspdc",
            False,
        ),
        ("formulas-hinge.json", lambda patch: patch.delitem(INTERVALS, "hinge"), "has no loss 'hinge': register", True),
        (
            "formulas-hinge.json",
            lambda patch: patch.setattr(Hinge, "value", lambda self, z, y: 1 / (z - z)),
            "formulas-hinge.json cannot be made: ZeroDivisionError",
            False,
        ),
    ],
)
def test_check_names_the_case_that_cannot_be_made(name, change, said, as_json, monkeypatch, capsys):
    """The shipped files are not read again: the test before this one has them read."""
    monkeypatch.setattr(vectors, "check", lambda folder: 1)
    maker = generate.makers()[name]
    monkeypatch.setattr(generate, "makers", lambda kept: {name: maker})
    change(monkeypatch)
    if as_json:
        assert re.search(said, answer(capsys, "vectors", "--check", "--json", status=1)["reason"])
    else:
        assert re.search(said, printed(capsys, "vectors", "--check", status=1))
