"""Proof files as texts for Coq, which accepts them and refuses altered ones, and for Lean, whose identity must hold."""

import copy
import re
import shutil
import subprocess
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.extras.exact.check_proof import check, semidefinite
from dualgap.extras.exact.kernel_texts import coq_text, lean_text, squares_of
from dualgap.proofs_checks.evidence import formal

# F <= <p, q> / 3, |p|^2 <= 1/4 as a matrix of one row, |q|^2 = |p|^2: F <= 1/12.
RECORD = {
    "kind": "pep-proved",
    "statement": {},
    "tau": "1/12",
    "metric": 0,
    "points": 2,
    "worst": None,
    "ray": None,
    "inequalities": [["1 >= 0", {"1": "1"}, "0"], ["F (*", {"G 0 1": "1/3", "F 0": "-1"}, "1"]],
    "equalities": [["norms", {"G 1 1": "1", "G 0 0": "-1"}, "-1/6"]],
    "matrices": [["ball", [[{"1": "1/4", "G 0 0": "-1"}]], [["1/3"]]]],
}


WORST = {"F": ["1/12"], "G": [["1/4", "1/4"], ["1/4", "1/4"]]}
REFUTED = {
    **RECORD,
    "kind": "pep-refuted",
    "tau": None,
    "worst": {"F": ["0"], "G": [["0", "0"], ["0", "0"]]},
    "ray": {"F": ["1/3"], "G": [["1", "1"], ["1", "1"]]},
    "inequalities": [[*fact[:2], None] for fact in RECORD["inequalities"]],
    "equalities": [[*RECORD["equalities"][0][:2], None]],
    "matrices": [["any square", [[{"G 0 0": "1"}]], None]],
}


def lower_tau(record):
    record["tau"] = str(Fraction(record["tau"]) - Fraction(1, 10**9))


def change_sign(record):
    record["inequalities"][1] = ["F", {"G 0 1": "-1/3", "F 0": "1"}, "-1"]


PLANTED = [lower_tau, change_sign]
NOTHING = "(-1, [(0%nat, 1)]); (1, [(0%nat, 1)]); "  # keeps every sum, and one weight is negative
ALTERED = {
    "a fact is dropped": (r"; \(\* F[^*]*\*\) \[[^]]*\]", ""),
    "a multiplier is dropped": (r"(for_equalities := )\[.*?\]", r"\1[]"),
    "a square has a negative weight": (r"squares := \[", rf"\g<0>{NOTHING}"),
    "a row of a matrix has a negative weight": (r"for_matrices := \[\[", rf"\g<0>{NOTHING}"),
}


@pytest.fixture(scope="module")
def coqc(tmp_path_factory):
    """Run Coq on a text, with the checker compiled."""
    if reason := formal.unavailable():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("coq")
    for name in ("Definitions", "PepProof"):
        shutil.copy(formal.FOLDER / f"{name}.v", folder)
        formal.compile_one(folder, name)

    def run(text):
        (folder / "text.v").write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", ".", "Dualgap", "text.v"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("record", [{**RECORD, "worst": WORST}, REFUTED])
def test_coq_accepts_a_bound_with_its_lower_end_and_a_refutation(coqc, record):
    assert check(record)[1] == []
    ended = coqc(coq_text(record))
    assert ended.returncode == 0, ended.stderr
    assert set(re.findall(r"^(\w+\.\w+)", ended.stdout, re.MULTILINE)) <= formal.AXIOMS


def test_coq_refuses_altered_files(coqc):
    texts = [coq_text(RECORD)]
    for plant in PLANTED:
        plant(record := copy.deepcopy(RECORD))
        assert check(record)[1], "the other checker refuses it too"
        texts.append(coq_text(record))
    for what, (before, after) in ALTERED.items():
        texts.append(re.sub(before, after, texts[0]))
        assert texts[-1] != texts[0], what
    head = texts[0].partition("Definition facts")[0]
    ended = coqc(head + "".join(f"Module M{n}.\n{decided(text)}End M{n}.\n" for n, text in enumerate(texts)))
    assert re.findall(r"= (true|false)", ended.stdout) == ["true"] + ["false"] * 6, ended.stderr


def raise_worst(record):
    record["worst"]["F"] = ["83334/1000000"]


def turn_ray(record):
    record["ray"]["F"] = ["0"]


def lengthen_ray(record):
    record["ray"]["F"] = ["1/2"]


@pytest.mark.parametrize("plant", [raise_worst, turn_ray, lengthen_ray])
def test_coq_refuses_a_false_lower_end_and_a_false_direction(coqc, plant):
    plant(record := copy.deepcopy(REFUTED if "ray" in plant.__name__ else {**RECORD, "worst": WORST}))
    assert check(record)[1], "the other checker refuses it too"
    ended = coqc(coq_text(record))
    assert ended.returncode and "vm_cast" not in ended.stderr and "true" in ended.stderr, ended.stderr


def decided(text):
    """The definitions of a text, and the computation on which its theorem rests."""
    body = text[text.index("Definition facts") :]
    return re.sub(r"Theorem bound : bounded (.*)\.\n[^|]*", r"Eval vm_compute in check \1 multipliers.\n", body)


def difference(text):
    """The difference of the two sides of the identity of a text for Lean, at some values."""
    values = {"Fraction": Fraction, "F": lambda k: Fraction(k + 3, 7), "G": lambda i, j: Fraction(5 * i + 3, j + 2)}
    hypothesis = r"^    \((\w+) : (?:∀ ([u\d ]+) : ℝ, )?0 [≤=] (.*?)\)(?: :)?$"
    for name, unknowns, form in re.findall(hypothesis, text, re.MULTILINE):
        values[name] = eval(f"lambda {','.join(unknowns.split())}: {exact(form)}" if unknowns else exact(form), values)
    metric, tau, steps = re.search(
        r"^    (F \d+) ≤ (\S+) := by\n  linear_combination ([^@]*)", text, re.MULTILINE
    ).groups()
    return eval(exact(f"{metric} - {tau} + {steps}"), values)


def exact(text):
    """A formula of Lean in Python."""
    text = re.sub(r"(?<!\w)(\d+)", r"Fraction(\1)", text.replace(" : ℝ", "").replace("\n", " "))
    number = r" (?:Fraction\(\d+\)|\(\S+\))"
    return re.sub(rf"(F|G|psd\d+)((?:{number})+)", lambda m: f"{m[1]}({','.join(m[2].split())})", text)


def test_the_identity_of_the_lean_text_holds():
    assert difference(lean_text(RECORD)) == 0
    assert "not been run" in lean_text(RECORD)
    lower_tau(record := copy.deepcopy(RECORD))
    assert difference(lean_text(record)) == Fraction(1, 10**9)


VECTORS = st.lists(st.lists(st.fractions(-9, 9, max_denominator=9), min_size=3, max_size=3), max_size=4)


@given(vectors=VECTORS)
def test_a_semidefinite_matrix_is_a_sum_of_squares(vectors):
    S = [[sum((v[i] * v[j] for v in vectors), Fraction(0)) for j in range(3)] for i in range(3)]
    assert semidefinite(S)
    squares = squares_of(S)
    assert all(c > 0 for c, _ in squares)
    assert S == [
        [sum((c * u.get(i, 0) * u.get(j, 0) for c, u in squares), Fraction(0)) for j in range(3)] for i in range(3)
    ]


@pytest.mark.parametrize("pivot", ["-1/1000000000000", "-1"])
def test_a_small_negative_pivot_has_no_squares(pivot):
    with pytest.raises(ValueError, match="not positive semidefinite"):
        squares_of([[Fraction(1), Fraction(1)], [Fraction(1), 1 + Fraction(pivot)]])
