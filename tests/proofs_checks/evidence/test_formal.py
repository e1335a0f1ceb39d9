"""The machine-checked proof: nothing is assumed in silence, the audit file is complete, the bridge can fail.

What follows needs no Coq, except where it says so. The whole build, its axioms, both bridges and the mutants of
statements take a minute and a half: they run with DUALGAP_FORMAL=1, as ``.ci/nightly`` does, and the build also in
``dualgap audit --full``.
"""

import math
import os
import pathlib
import re
import shutil

import numpy as np
import pytest
from formal_statements import STATEMENTS
from support import refuses

from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks.auditing.audit import status_of
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines import bridge, bridge_doubles, bridge_runs
from dualgap.proofs_checks.evidence import formal
from dualgap.reference import method

all_claims()
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(formal.FOLDER.glob("*.v"))}
LEVELS = [
    (claim.id, level) for claim in CLAIMS.values() for level in claim.evidence if isinstance(level, formal.Formal)
]

needs_coq = pytest.mark.skipif(bool(formal.unavailable()), reason=formal.unavailable() or "Coq is there")
complete = pytest.mark.skipif(
    os.environ.get("DUALGAP_FORMAL") != "1", reason="a minute and a half: set DUALGAP_FORMAL=1"
)


def assumed(text: str) -> list[str]:
    """What a file assumes without proof, or turns off: forbidden words, and hypotheses outside every section."""
    found = re.findall(r"\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|bypass_check|Unset)\b", text)
    depth = 0
    for sentence in re.split(r"\.\s", re.sub(r"\(\*.*?\*\)", " ", text, flags=re.DOTALL)):
        word = re.match(r"\s*(?:Local |Global |#\[[^]]*\]\s*)?(\w*)", sentence)[1]  # type: ignore[index]
        depth += (word in ("Section", "Module")) - (word == "End")
        if word in ("Hypothesis", "Hypotheses", "Variable", "Variables", "Context") and depth < 1:
            found.append(" ".join(sentence.split()))
    return found


def test_no_file_assumes_anything() -> None:
    assert {name: words for name, text in SOURCES.items() if (words := assumed(text))} == {}
    assert len(SOURCES) > 15, "the files were not found"


@pytest.mark.parametrize(
    ("planted", "expected"),
    [
        ("Lemma a : 0 = 1.\nProof. Admitted.\n", ["Admitted"]),
        ("Lemma a : 0 = 1. Proof. admit. Admitted.", ["admit", "Admitted"]),
        ("Axiom a : 0 = 1.\n", ["Axiom"]),
        ("Parameters a b : R.\n", ["Parameters"]),
        ("Conjecture a : 0 = 1.\n", ["Conjecture"]),
        ("Unset Guard Checking.\n", ["Unset"]),
        ("#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.", ["bypass_check"]),
        ("Hypothesis a : 0 = 1.\nSection S.\nVariable b : R.\nEnd S.\n", ["Hypothesis a : 0 = 1"]),
        ("Section S.\nEnd S.\nVariables b c : R.\n", ["Variables b c : R"]),
        ("(* Section S. *)\nLocal Variable b : R.\n", ["Local Variable b : R"]),
        ("Section S.\nVariable b : R.\nHypothesis a : b = 1.\nEnd S.\n", []),
    ],
)
def test_a_planted_assumption_is_found(planted: str, expected: list[str]) -> None:
    assert assumed(planted) == expected


def test_every_file_is_built_the_audit_files_are_last_and_only_files_about_binary64_need_flocq() -> None:
    exact, floats = formal.files(), formal.files(line="FLOAT")
    assert sorted(f"{name}.v" for name in exact + floats) == sorted(SOURCES)
    assert exact[0] == "Definitions" and exact[-1] == "Audit" and floats[-1] == "AuditFloat"
    refuses(formal.NotProved, "has no line OTHER", formal.files, line="OTHER")
    needing = {name for name, text in SOURCES.items() if "Flocq" in text.split("Require", 1)[-1]}
    assert "Binary64.v" in needing and needing <= {f"{name}.v" for name in floats}


def audited(file: str = "Audit", tuple_of: str = "everything") -> tuple[list[str], list[str]]:
    """Names that an audit file prints, and names whose axioms it prints."""
    text = SOURCES[f"{file}.v"]
    together = re.search(rf"Definition {tuple_of} :=\s*\((.*?)\)\.", text, re.DOTALL)
    assert together and f"Print Assumptions {tuple_of}." in text
    return re.findall(r"^Check \(?@?(\w+)\)?\.", text, re.MULTILINE), re.findall(r"@?\b(\w+)\b", together[1])


def test_the_axioms_are_printed_of_exactly_the_theorems_that_are_printed() -> None:
    printed, together = audited()
    assert [*printed, "every_application"] == together and len(set(printed)) == len(printed) > 30
    printed, together = FLOAT_AUDITED
    assert [*printed, "every_float_application"] == together and len(set(printed)) == len(printed) > 3


FLOAT_AUDITED = audited("AuditFloat", "everything_float")
WITHOUT_HYPOTHESES = set(
    "root_run theorem_2_root_false adaspdc_theorem_1_false pgs_lemma_1_false spdc_R_is_tight spdc_inverse_R_diverges"
    " adaspdc_diverges".split()
)


@pytest.mark.parametrize(
    ("file", "every", "theorems"),
    [
        ("Inhabited", "every_application", {*audited()[0]} - WITHOUT_HYPOTHESES),
        ("InhabitedFloat", "every_float_application", {*FLOAT_AUDITED[0]}),
    ],
)
def test_every_theorem_is_applied_to_data_that_satisfy_its_hypotheses(
    file: str, every: str, theorems: set[str]
) -> None:
    """A theorem whose hypotheses contradict each other would be true of nothing, and could not be applied."""
    text = SOURCES[f"{file}.v"]
    applied = dict(
        re.findall(
            r"^Definition (\w+)_applies\b := (?:fun t(?: C)? => |\(\* .*? \*\)\s*\(|\()?(\w+)[ .]", text, re.MULTILINE
        )
    )
    assert {name for name, theorem in applied.items() if name != theorem} == set()
    assert set(applied) == theorems
    together = re.search(rf"Definition {every} :=\s*\((.*?)\)\.", text, re.DOTALL)
    assert together and set(re.findall(r"(\w+)_applies", together[1])) == set(applied)


def test_every_theorem_that_a_claim_names_is_printed() -> None:
    printed = {*audited()[0], *FLOAT_AUDITED[0]}
    assert {claim: missing for claim, level in LEVELS if (missing := set(level.theorems) - printed)} == {}
    assert {"aspdc.lemma-2", "aspdc.theorem-1", "aspdc.one-step.sharp", "aspdc.theorem-2"} <= {
        claim for claim, _ in LEVELS
    }


PRINTED = (
    "lemma_2\n     : forall n : nat, n = n\n@mean : R -> R\nAxioms:\na.first : forall P : Prop, P\nb.second\n  : nat\n"
)

PRINTED_FOUR = "lemma_2\n     : True\nAxioms:\n" + "".join(f"{name} : Prop\n" for name in sorted(formal.AXIOMS))


def test_theorems_and_axioms_are_read_from_what_coq_prints() -> None:
    assert formal.read(PRINTED) == ({"lemma_2", "mean"}, {"a.first", "b.second"})
    closed = PRINTED.replace("Axioms:", "Closed under the global context")
    refuses(formal.NotProved, "prints no axioms", formal.read, closed)


@pytest.mark.parametrize(
    ("size", "version", "expected"),
    [
        ("default", "8.16.1", "SKIPPED(runs with --full)"),
        ("full", "", "SKIPPED(coqc is not installed: apt-get install --no-install-recommends coq)"),
        ("full", "8.20.0", "SKIPPED(coqc is 8.20.0; the proof is written for 8.16)"),
    ],
)
def test_without_coq_the_level_is_skipped_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, size: str, version: str, expected: str
) -> None:
    monkeypatch.setattr(formal, "version", lambda: version)
    evidence = formal.formal("lemma_2")(CLAIMS["aspdc.lemma-2"], Run(size))
    assert str(evidence) == expected and not evidence.counts


def test_without_flocq_a_theorem_about_binary64_is_skipped_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "version", lambda: "8.16.1")
    monkeypatch.setattr(formal, "without_flocq", lambda: "no Flocq")
    monkeypatch.setattr(formal, "build", lambda folder, line="FILES": {"FILES": PRINTED_FOUR}[line])
    monkeypatch.setattr(formal, "cross", lambda folder: bridge.Bridge(1, 0, 1, ""))
    formal.proof.cache_clear()
    claim = CLAIMS["certificate.sound"]
    assert str(formal.formal("certificate_in_binary64", flocq=True)(claim, Run("full"))) == "SKIPPED(no Flocq)"
    assert formal.formal("lemma_2")(claim, Run("full")).counts
    formal.proof.cache_clear()


def test_a_level_speaks_only_of_theorems_that_were_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "version", lambda: "8.16.1")
    monkeypatch.setattr(formal, "proof", lambda: formal.Proof("8.16.1", frozenset({"lemma_2"}), "bridge: held"))
    claim = CLAIMS["aspdc.lemma-2"]
    evidence = formal.formal("lemma_2")(claim, Run("full"))
    assert str(evidence) == "FORMAL(coq 8.16.1): lemma_2; 4 axioms; bridge: held"
    assert status_of(claim, [evidence]) == "HOLDS"
    assert status_of(claim, [formal.formal("lemma_2", refutes=True)(claim, Run("full"))]) == "REFUTED"
    both = formal.formal("lemma_2", "theorem_1")
    refuses(formal.NotProved, "does not print theorem_1", both, claim, Run("full"))


@pytest.mark.parametrize("case", [*bridge.CASES, *bridge.FLOAT_CASES], ids=lambda case: case.name)
def test_the_corrupted_copy_differs_in_one_number(case: bridge.BridgeCase) -> None:
    script, corrupted = bridge.script(case), bridge.script(case, case.corrupted)
    assert sum(a != b for a, b in zip(script.lines, corrupted.lines)) == 1 and len(script.lines) == len(corrupted.lines)
    assert script.line_of == corrupted.line_of and case.corrupted in script.line_of


def test_the_run_with_smoothed_hinge_visits_all_its_pieces() -> None:
    script, pieces = bridge_runs.AspdcScript(bridge.CASES[1]), set()
    problem, gamma = script.problem, script.problem.gamma
    for alpha in script.states:
        state = method("aspdc").init(problem, list(alpha))
        margins = [problem.y[i] * problem.inner(i, state.v) for i in range(3)]
        pieces |= {"flat" if m >= 1 else "linear" if m <= 1 - gamma else "quadratic" for m in margins}
    assert pieces == {"flat", "linear", "quadratic"}


def test_the_certificates_of_the_bridge_visit_every_piece() -> None:
    """The pieces are those of the losses on the rows and of the elastic net on the coordinates, with both signs of
    w.
    """
    hinge, squared_hinge, elastic = (bridge_doubles.BoundScript(case) for case in bridge.FLOAT_CASES[2:5])
    for script, knee, expected in (
        (hinge, 1 - hinge.problem.gamma, {"flat", "straight", "curved"}),
        (squared_hinge, -math.inf, {"flat", "curved"}),
    ):
        margins = script.objective.z(np.array(script.w)) * script.problem.y
        assert {"flat" if m >= 1 else "straight" if m <= knee else "curved" for m in margins} == expected
    threshold = bridge_doubles.ElasticBoundScript.REGULARIZER.threshold
    v = elastic.objective.v(np.array(elastic.alpha))
    assert {(v_j > threshold) - (v_j < -threshold) for v_j in v} == {-1, 0, 1}
    signs = {(v_j < -threshold, w_j >= 0) for v_j, w_j in zip(v, elastic.w)}
    assert signs >= {(True, True), (True, False), (False, False)}
    for case in bridge.FLOAT_CASES[5:7]:
        slope = bridge_doubles.BoundScript(case)
        pairs = zip(slope.z, slope.problem.y, strict=True)
        assert {y * z >= 1 if case.loss == "hinge" else z >= y for z, y in pairs} == {True, False}


@pytest.fixture(scope="module")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The definitions and the tactics of the bridge, compiled."""
    return compiled(tmp_path_factory.mktemp("definitions"), "Bridge")


def compiled(folder: pathlib.Path, target: str) -> pathlib.Path:
    """``folder`` with the development, compiled as far as ``target`` needs; files already in it are kept."""
    for path in [*formal.FOLDER.glob("*.v"), formal.FOLDER / "Makefile"]:
        if not (folder / path.name).exists():
            shutil.copy(path, folder)
    for name in formal.files(folder):
        if name in required(target) and not (folder / f"{name}.vo").exists():
            formal.compile_one(folder, name)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The whole development, compiled."""
    return compiled(tmp_path_factory.mktemp("whole"), "Audit")


def required(target: str) -> set[str]:
    """``target`` and every file that it is built on."""
    imports = re.findall(r"From Dualgap Require (?:Import )?([^.]*)\.", SOURCES[f"{target}.v"])
    return {target}.union(*(required(name) for line in imports for name in line.split()))


@needs_coq
@complete
def test_a_run_of_the_reference_is_proved_and_its_corrupted_copy_rejected(
    definitions: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "CASES", bridge.CASES[:1])
    found = bridge.cross(definitions)
    assert (found.problem, found.runs, found.expectations, found.rejected) == ("", 1, 2, 1)


@needs_coq
@complete
def test_the_bridge_breaks_where_the_definitions_are_not_the_references(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = "squared_deriv gamma y z : R := (z - y) / gamma"
    assert SOURCES["Definitions.v"].count(definition) == 1
    (tmp_path / "Definitions.v").write_text(
        SOURCES["Definitions.v"].replace(definition, definition.replace("z - y", "z - 2 * y"))
    )
    monkeypatch.setattr(bridge, "CASES", bridge.CASES[:1])
    found = bridge.cross(compiled(tmp_path, "Bridge"))
    assert found.problem.startswith("the run of aspdc with squared is rejected") and found.rejected == 0


def test_the_doubles_of_the_bridge_are_those_of_the_compiled_code() -> None:
    script = bridge_doubles.SumsScript(bridge.FLOAT_CASES[0])
    objective = Objective(script.problem)
    assert objective.z(np.array(script.w)).tolist() == [
        script.problem.dot(row, script.w) for row in script.problem.rows
    ]
    assert objective.minus_u(np.array(script.alpha)).tolist() == script.problem.minus_u(script.alpha)


@needs_coq
@complete
def test_the_development_builds_on_four_axioms_and_the_bridge_holds() -> None:
    formal.proof.cache_clear()
    found = formal.proof()  # raises NotProved otherwise
    floats = not formal.without_flocq()
    assert found.theorems == {*audited()[0], *(FLOAT_AUDITED[0] if floats else [])}
    runs = 5 + 7 * floats
    assert (
        found.bridge
        == f"bridge: {runs} runs and 4 expectations of the reference proved, {runs} corrupted copies rejected"
    )


@pytest.mark.parametrize("change", STATEMENTS)
def test_every_altered_statement_is_there_to_be_altered(change: str) -> None:
    file, statement, altered, _ = STATEMENTS[change]
    assert SOURCES[f"{file}.v"].count(statement) == 1 and statement != altered


@needs_coq
@complete
@pytest.mark.parametrize("change", STATEMENTS)
def test_an_altered_statement_stops_the_build(change: str, tmp_path: pathlib.Path, whole: pathlib.Path) -> None:
    file, statement, altered, rejected = STATEMENTS[change]
    for name in formal.files():
        if file not in required(name):  # not built on the altered file
            shutil.copy(whole / f"{name}.vo", tmp_path)
    (tmp_path / f"{file}.v").write_text(SOURCES[f"{file}.v"].replace(statement, altered))
    with pytest.raises(
        formal.NotProved, match=rf"^{rejected}\.v is rejected: .*\nError:\s(?!Cannot find a physical path)"
    ):
        compiled(tmp_path, rejected)
