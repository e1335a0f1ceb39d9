"""The machine-checked proof: nothing is assumed in silence, the audit file is complete, the bridge can fail.

What follows needs no Coq, except where it says so. The whole build, its axioms, both bridges and the mutants of
statements take a minute and a half: they run with DUALGAP_FORMAL=1, and the build also in ``dualgap audit --full``.
"""

import math
import os
import pathlib
import re
import shutil

import numpy as np
import pytest

from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks.auditing.audit import status_of
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines import bridge, bridge_runs
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


# -- the text ---------------------------------------------------------------------------------------------------


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


def test_every_file_is_built_and_the_audit_files_are_last() -> None:
    exact, floats = formal.files(), formal.files(line="FLOAT")
    assert sorted(f"{name}.v" for name in exact + floats) == sorted(SOURCES)
    assert exact[0] == "Definitions" and exact[-1] == "Audit" and floats[-1] == "AuditFloat"
    with pytest.raises(formal.NotProved, match="has no line OTHER"):
        formal.files(line="OTHER")


def test_only_the_files_about_binary64_need_flocq() -> None:
    assert {name for name, text in SOURCES.items() if "Flocq" in text.split("Require", 1)[-1]} <= {
        f"{name}.v" for name in formal.files(line="FLOAT")
    }
    assert "From Flocq" in SOURCES["Binary64.v"]


def test_the_wheel_carries_the_sources() -> None:
    """``formal`` is no Python package: without these lines an installed audit has nothing to build."""
    pyproject = (pathlib.Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"formal/*.v", "formal/Makefile", "formal/README.md"' in pyproject


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
WITHOUT_HYPOTHESES = {
    "root_run",
    "theorem_2_root_false",
    "adaspdc_theorem_1_false",
    "pgs_lemma_1_false",
    "spdc_R_is_tight",
    "spdc_inverse_R_diverges",
    "adaspdc_diverges",
}


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


# -- the level ----------------------------------------------------------------------------------------------------

PRINTED = (
    "lemma_2\n     : forall n : nat, n = n\n@mean : R -> R\nAxioms:\na.first : forall P : Prop, P\nb.second\n  : nat\n"
)

PRINTED_FOUR = "lemma_2\n     : True\nAxioms:\n" + "".join(f"{name} : Prop\n" for name in sorted(formal.AXIOMS))


def test_theorems_and_axioms_are_read_from_what_coq_prints() -> None:
    assert formal.read(PRINTED) == ({"lemma_2", "mean"}, {"a.first", "b.second"})
    with pytest.raises(formal.NotProved, match="prints no axioms"):
        formal.read(PRINTED.replace("Axioms:", "Closed under the global context"))


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
    claim = CLAIMS["certificate.sums"]
    assert str(formal.formal("certificate_in_binary64", flocq=True)(claim, Run("full"))) == "SKIPPED(no Flocq)"
    assert formal.formal("lemma_2")(claim, Run("full")).counts
    formal.proof.cache_clear()


def test_a_level_speaks_only_of_theorems_that_were_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "version", lambda: "8.16.1")
    monkeypatch.setattr(formal, "proof", lambda: formal.Proof("8.16.1", frozenset({"lemma_2"}), "bridge: held"))
    claim = CLAIMS["aspdc.lemma-2"]
    evidence = formal.formal("lemma_2")(claim, Run("full"))
    assert (
        str(evidence) == "FORMAL(coq 8.16.1): lemma_2; 4 axioms; bridge: held"
        and status_of(claim, [evidence]) == "HOLDS"
    )
    assert status_of(claim, [formal.formal("lemma_2", refutes=True)(claim, Run("full"))]) == "REFUTED"
    with pytest.raises(formal.NotProved, match="does not print theorem_1"):
        formal.formal("lemma_2", "theorem_1")(claim, Run("full"))


# -- the bridge ---------------------------------------------------------------------------------------------------


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
    """Of the losses on the rows, of the elastic net on the coordinates, with both signs of w."""
    hinge, squared_hinge, elastic = (bridge_runs.BoundScript(case) for case in bridge.FLOAT_CASES[2:5])
    for script, knee, expected in (
        (hinge, 1 - hinge.problem.gamma, {"flat", "straight", "curved"}),
        (squared_hinge, -math.inf, {"flat", "curved"}),
    ):
        margins = script.objective.z(np.array(script.w)) * script.problem.y
        assert {"flat" if m >= 1 else "straight" if m <= knee else "curved" for m in margins} == expected
    threshold = bridge_runs.ElasticBoundScript.REGULARIZER.threshold
    v = elastic.objective.v(np.array(elastic.alpha))
    assert {"inside" if abs(v_j) <= threshold else "above" if v_j > 0 else "below" for v_j in v} == {
        "inside",
        "above",
        "below",
    }
    assert {(v_j < -threshold, w_j >= 0) for v_j, w_j in zip(v, elastic.w)} >= {
        (True, True),
        (True, False),
        (False, False),
    }


@pytest.mark.parametrize("case", bridge.FLOAT_CASES[5:7], ids=lambda case: case.name)
def test_the_certificates_at_gamma_0_visit_both_pieces(case: bridge.BridgeCase) -> None:
    script = bridge_runs.SlopeBoundScript(case)
    y = script.problem.y
    assert {y_i * z >= 1 if case.loss == "hinge" else z >= y_i for z, y_i in zip(script.z, y, strict=True)} == {
        True,
        False,
    }


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
    imports = re.findall(r"From Dualgap Require Import ([^.]*)\.", SOURCES[f"{target}.v"])
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
    script = bridge_runs.SumsScript(bridge.FLOAT_CASES[0])
    objective = Objective(script.problem)
    assert objective.z(np.array(script.w)).tolist() == [
        script.problem.dot(row, script.w) for row in script.problem.rows
    ]
    assert objective.minus_u(np.array(script.alpha)).tolist() == script.problem.minus_u(script.alpha)


# -- everything, with DUALGAP_FORMAL=1 ------------------------------------------------------------------------------


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


STATEMENTS = {  # what is changed: (file, statement, altered statement, the file that must be rejected)
    "the threshold 4 to 1.99": (
        "Main",
        "4 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect",
        "199 / 100 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect",
        "Main",
    ),
    "the rate 1/(2n) to 1/n": (
        "Main",
        (
            "  4 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect n (aspdc_step n d X"
            " dphi lam) t (gap n d X phi phis lam) alpha\n  <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t"
        ),
        (
            "  4 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect n (aspdc_step n d X"
            " dphi lam) t (gap n d X phi phis lam) alpha\n  <= 2 * INR n * (1 - 1 / INR n) ^ t"
        ),
        "Main",
    ),
    "the sign of w": ("Definitions", "fun j => - (1 / (lam * INR n)) *", "fun j => (1 / (lam * INR n)) *", "Main"),
    "gamma/2 to gamma": ("Convex", "gamma / 2 * (df z - a) ^ 2 <=", "gamma * (df z - a) ^ 2 <=", "Convex"),
    "one label alone": ("Definitions", "y = 1 \\/ y = -1.", "y = 1 \\/ y = 1.", "Labels"),
    "the 1/n of the update lost": (
        "Definitions",
        "w j - delta / (lam * INR n) * X i j",
        "w j - delta / lam * X i j",
        "Incremental",
    ),
    "PGS: twice the slope of the hinge": ("Definitions", "then 0 else - y.", "then 0 else - (2 * y).", "Pgs"),
    "PGS: Pegasos' divisor": (
        "Definitions",
        "- (1 / (INR (S t) * sigma)) * bsum t",
        "- (1 / (INR t * sigma)) * bsum t",
        "Pgs",
    ),
    "PGS: the bound times 99/100": (
        "Pgs",
        "  = bsum 1 (fun t => norm2 d (sub t) / (2 * INR (S t) * sigma)).",
        "  = bsum 1 (fun t => norm2 d (sub t) / (100 / 99 * 2 * INR (S t) * sigma)).",
        "Pgs",
    ),
    "PGS: the last sum without its half": (
        "Pgs",
        "- bsum m (fun t => sigma * norm2 d (pgs_point sigma sub (S t)) / (2 * INR (S t)))\n    - INR",
        "- bsum m (fun t => sigma * norm2 d (pgs_point sigma sub (S t)) / INR (S t))\n    - INR",
        "Pgs",
    ),
    "PGS: the harmonic number one short": (
        "Definitions",
        "harmonic (T : nat) : R := bsum T",
        "harmonic (T : nat) : R := bsum (pred T)",
        "Pgs",
    ),
    "SPDC: steps with tau sigma <= 1/(3R^2)": (
        "Spdc",
        "Hypothesis steps : 4 * (tau * sigma) * R2 <= 1.",
        "Hypothesis steps : 3 * (tau * sigma) * R2 <= 1.",
        "Spdc",
    ),
    "SPDC: (8) with 1/n": (
        "Definitions",
        "mean_row n X (sp_alpha s) j + (b - a) * X k j in",
        "mean_row n X (sp_alpha s) j + (b - a) / INR n * X k j in",
        "Spdc",
    ),
    "SPDC: half of the extrapolation": (
        "Definitions",
        "sp_w s j + theta * (sp_w s j - sp_before s j).",
        "sp_w s j + theta / 2 * (sp_w s j - sp_before s j).",
        "Spdc",
    ),
    "SPDC: R/2 in theta": (
        "SpdcRate",
        "Hypothesis c_range : 1 <= c.\n  Let r",
        "Hypothesis c_range : 1 / 2 <= c.\n  Let r",
        "SpdcRate",
    ),
    "SPDC: tau of (16) doubled": (
        "Definitions",
        "spdc_tau q R2 gamma lam : R := / (2 * sqrt R2)",
        "spdc_tau q R2 gamma lam : R := / (sqrt R2)",
        "SpdcRate",
    ),
    "SPDC, batches: (14) with half of the change": (
        "Definitions",
        "(fun i => (b i - a i) * X i j) in",
        "(fun i => (b i - a i) / 2 * X i j) in",
        "Spdc",
    ),
    "SPDC, batches: a row twice": (
        "Definitions",
        "length (batch b) = m /\\ NoDup (batch b) /\\",
        "length (batch b) = m /\\ True /\\",
        "Spdc",
    ),
    "SPDC, batches: P(i in K) = 1/n": (
        "Definitions",
        "(batch b) i)) = INR m / INR n).",
        "(batch b) i)) = 1 / INR n).",
        "Spdc",
    ),
    "SPDC, batches: the distance in alpha whole": (
        "Definitions",
        "sp_alpha s i - alpha_opt i) / INR m\n",
        "sp_alpha s i - alpha_opt i)\n",
        "Spdc",
    ),
    "SPDC, batches: blocks that overlap": (
        "Definitions",
        "(r + p * length K)%nat :: K.",
        "(r + length K)%nat :: K.",
        "Subsets",
    ),
    "SPDC, batches: sets that miss a row": (
        "Definitions",
        "map (cons p) (subsets p k)",
        "map (cons k) (subsets p k)",
        "Subsets",
    ),
    "SPDC: 98/100 R is refuted at lam = 1/200": (
        "SpdcLimits",
        "~ spdc_claim 1 (spdc_theta (9 / 10)).",
        "~ spdc_claim 1 (spdc_theta (98 / 100)).",
        "SpdcLimits",
    ),
    "certificate: one rounding less in a dot product": (
        "Certificate",
        "    <= ((1 + u) ^ S d - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 *",
        "    <= ((1 + u) ^ d - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 *",
        "Certificate",
    ),
    "certificate: gamma twice": (
        "Certificate",
        "+ sqrt (ez ^ 2 / (2 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.\n  Proof.\n    intros z z'",
        "+ sqrt (ez ^ 2 / (4 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.\n  Proof.\n    intros z z'",
        "Certificate",
    ),
    "gap_bound: 18 u for the 8 u of z": (
        "Rounded",
        "4 * INR d * e + 8 * u * ((1 + u * (INR d + 2)) * (NN * W)",
        "4 * INR d * e + 18 * u * ((1 + u * (INR d + 2)) * (NN * W)",
        "Rounded",
    ),
    "gap_bound: ten roundings more in u": (
        "Rounded",
        "    u * (INR n + 3) * Am + 4 * e * sd + 3 * u *",
        "    u * (INR n + 13) * Am + 4 * e * sd + 3 * u *",
        "Rounded",
    ),
    "gap_bound: a square without its half": (
        "Computed",
        "q ^ 5 * (m / 2 * (a - b) ^ 2) - (m + 2) * e <= r.",
        "q ^ 5 * (m * (a - b) ^ 2) - (m + 2) * e <= r.",
        "Computed",
    ),
    "gap_bound: l1 sqrt(d) twice": (
        "Rounded",
        "+ (mu * W + l1 * sd)) + 4 * (1 + mu) * e * sd\n    <= @elastic_e_u",
        "+ (mu * W + 2 * (l1 * sd))) + 4 * (1 + mu) * e * sd\n    <= @elastic_e_u",
        "Rounded",
    ),
    "gap_bound: the smoothed hinge's straight branch without its gamma": (
        "Definitions",
        "int A 1 -. gamma -. m +. gamma *. (int A 1 -. b) /. int A 2)",
        "int A 1 -. gamma -. m +. (int A 1 -. b) /. int A 2)",
        "ComputedLosses",
    ),
    "gap_bound: as if 1 - gamma were not rounded": (
        "ComputedLosses",
        "then y * (m + (1 - gamma - knee)) else",
        "then y * m else",
        "ComputedLosses",
    ),
    "gap_bound: the smoothed hinge's row with u/8": (
        "ComputedLosses",
        "smoothed_hinge_moved fl gamma y z in\n    0 <= r /\\ exact r /\\ Rabs (z - z') <= 8 * u *",
        "smoothed_hinge_moved fl gamma y z in\n    0 <= r /\\ exact r /\\ Rabs (z - z') <= u / 8 *",
        "ComputedLosses",
    ),
    "gap_bound: half of the squared hinge": (
        "ComputedLosses",
        "<= (p - b / 2) ^ 2.",
        "<= (p - b / 2) ^ 2 / 2.",
        "ComputedLosses",
    ),
    "gap_bound: the elastic net's part with u/2": (
        "ComputedElastic",
        "3 * u * Rabs v + (3 * u * l1 +",
        "3 * u * Rabs v + (u / 2 * l1 +",
        "ComputedElastic",
    ),
    "gap_bound: the soft threshold from 0": (
        "ComputedElastic",
        "mu / 2 * w ^ 2 + l1 * Rabs w +",
        "mu / 2 * w ^ 2 + 2 * l1 * Rabs w +",
        "ComputedElastic",
    ),
    "gamma = 0: half of the hinge's slope": (
        "ComputedHinge",
        "(hinge y b - al * b)) <= 1 * Rabs",
        "(hinge y b - al * b)) <= 1 / 2 * Rabs",
        "ComputedHinge",
    ),
    "gamma = 0: half of the absolute loss' slope": (
        "ComputedHinge",
        "(absolute_loss y b - al * b)) <= 2 * Rabs",
        "(absolute_loss y b - al * b)) <= 1 * Rabs",
        "ComputedHinge",
    ),
    "gamma = 0: a quarter of the error where sums cancel": (
        "ComputedHinge",
        "<= 51 / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f)).",
        "<= 26 / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f)).",
        "ComputedHinge",
    ),
    "gamma = 0: twice what is there for underflow": (
        "ComputedHinge",
        "+ L * ez + 30 * (4 + mu) * (1 + INR d) * e)\n    <=",
        "+ L * ez + 60 * (4 + mu) * (1 + INR d) * e)\n    <=",
        "ComputedHinge",
    ),
    "gamma = 0: e_z divided by the slope": (
        "Definitions",
        "*. least +. slope *. e_z in",
        "*. least +. e_z /. slope in",
        "ComputedHinge",
    ),
    "SDCA: G with a 3 for the 4": (
        "SdcaLipschitz",
        "Let G := 4 * L ^ 2 * R2.",
        "Let G := 3 * L ^ 2 * R2.",
        "SdcaLipschitz",
    ),
    "SDCA: the burn-in without its 2": (
        "SdcaLipschitz",
        "INR n * ln (2 * lam * INR n * B / G) <=",
        "INR n * ln (lam * INR n * B / G) <=",
        "SdcaLipschitz",
    ),
    "SDCA: half of the window's G": (
        "SdcaLipschitz",
        "alpha + G / (2 * lam * INR k).\n  Proof.\n    intros D_star Hlub t0 k alpha Hk Hf. assert",
        "alpha + G / (4 * lam * INR k).\n  Proof.\n    intros D_star Hlub t0 k alpha Hk Hf. assert",
        "SdcaLipschitz",
    ),
    "SDCA: the average with one state too many": (
        "Definitions",
        "snd s i / INR k.",
        "snd s i / INR (S k).",
        "SdcaLipschitz",
    ),
    "SDCA: the output summed after the step": (
        "Definitions",
        "fun j => snd s j + fst s j).",
        "fun j => snd s j + step (fst s) i j).",
        "SdcaLipschitz",
    ),
    "SDCA: a window shorter than n": (
        "SdcaLipschitz",
        "G / (lam * eps) <= INR k -> (n <= k)%nat ->",
        "G / (lam * eps) <= INR k -> (1 <= k)%nat ->",
        "SdcaLipschitz",
    ),
    "PASSCoDe: with 1/n in the rate": (
        "Definitions",
        "(1 - c * kappa / L) * (pc_dual",
        "(1 - c * kappa / (L * INR n)) * (pc_dual",
        "Passcode",
    ),
    "PASSCoDe: L half of what it is": (
        "Passcode",
        "(fun _ => 1) 1 2 (fun _ => 1 / 2)",
        "(fun _ => 1) 1 1 (fun _ => 1 / 2)",
        "Passcode",
    ),
    "AdaSPDC-R: a cross term for nothing": (
        "AdaspdcR",
        "Hypothesis p_young : p * (1 + (1 - 1 / INR n) ^ 2) <= 2.",
        "Hypothesis p_young : p * (1 - 1 / INR n) ^ 2 <= 2.",
        "AdaspdcR",
    ),
    "AdaSPDC-R: the weights 1/sigma_i doubled": (
        "Definitions",
        "+ bsum n (fun i => (1 / (c * sigma i) + gamma)",
        "+ bsum n (fun i => (2 / (c * sigma i) + gamma)",
        "AdaspdcR",
    ),
    "AdaSPDC-R: steps longer by q^2 for q": (
        "AdaspdcR",
        (
            "  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta (/ q) (INR n) R2 gamma lam in\n "
            " (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\\ 4 * tau * sigma i * norm2 d"
            " (X i) <= q ^ 2) ->\n  ada_r_rule n d X phi phis g tau sigma theta step ->\n  forall t alpha w, feasible"
        ),
        (
            "  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta (/ q ^ 2) (INR n) R2 gamma lam"
            " in\n  (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\\ 4 * tau * sigma i *"
            " norm2 d (X i) <= q ^ 2) ->\n  ada_r_rule n d X phi phis g tau sigma theta step ->\n  forall t alpha w,"
            " feasible"
        ),
        "AdaspdcR",
    ),
    "AdaSPDC: growth by 1.1": (
        "AdaspdcDiverges",
        "forall s, 101 / 100 * ada_form s <=",
        "forall s, 110 / 100 * ada_form s <=",
        "AdaspdcDiverges",
    ),
    "AdaSPDC: tau twice": (
        "Definitions",
        "spdc_primal_value d g (1 / (2 * r * c)) v (ad_w s) (ad_w s') <=",
        "spdc_primal_value d g (1 / (r * c)) v (ad_w s) (ad_w s') <=",
        "AdaspdcDiverges",
    ),
    "SVRG: the correction added": (
        "Definitions",
        "lam i w j - row_gradient d X dphi lam i v j + gradient",
        "lam i w j + row_gradient d X dphi lam i v j + gradient",
        "Svrg",
    ),
    "SVRG: 3L in the second moment": (
        "Svrg",
        "norm2 d (direction w i)) <= 4 * L *",
        "norm2 d (direction w i)) <= 3 * L *",
        "Svrg",
    ),
    "SVRG: option I with rho alone": (
        "Svrg",
        "    <= (svrg_growth (2 * L * h) m * (1 + svrg_rho L lam h (S m)) - 1) ^ s * to_go v.",
        "    <= svrg_rho L lam h (S m) ^ s * to_go v.",
        "Svrg",
    ),
    "SVRG: a shorter long round": (
        "Svrg",
        "8 * (L / lam) * y * (1 + 2 * y) <= exp (3 / 2 * y) -> forall s v,",
        "8 * (L / lam) * y * (1 + 2 * y) <= exp (2 * y) -> forall s v,",
        "Svrg",
    ),
    "SPDC: growth by 1.4": (
        "SpdcLimits",
        "  13 / 10 * form growing b <=",
        "  14 / 10 * form growing b <=",
        "SpdcLimits",
    ),
}


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
