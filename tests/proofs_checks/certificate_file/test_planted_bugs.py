"""Bugs planted into both checkers: into the Coq text, the extraction, the glue in OCaml and the script in Python.

A bug in the Coq text is noticed if the proof does not compile or if the extracted program judges wrongly. The build of
the proved checker stands where DUALGAP_CHECKER points to, as after ``make checker``.
"""

import shutil
import subprocess
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from certificate_cases import ALTERED, CORRUPTIONS, KINDS, complaints
from certificate_judges import PROVED, proved

from dualgap.proofs_checks.certificate_file import check
from dualgap.proofs_checks.evidence.planted import replaced

FORMAL = Path(check.__file__).parents[1] / "formal"
CORRUPTED = 6 * len(CORRUPTIONS)
BUGS: dict[str, dict[str, tuple[str, str]]] = {
    "check.py": {
        "any bound": ("None if gap <= Fraction(bound)", "None if gap <= abs(gap)"),
        "one unit too low": ("gap <= Fraction(bound)", "gap - Fraction(1, gap.denominator) <= Fraction(bound)"),
        "a bound rounded to a double": ("gap <= Fraction(bound)", "float(gap) <= float(Fraction(bound))"),
        "no checksum": (' or checksum(rows) != words("data")[0]', ""),
        "a checksum without labels": ('struct.pack("<dq", label, len(entries))', 'struct.pack("<q", len(entries))'),
        "no domain of the hinge": ('"hinge": y in (-1, 1) and -1 <= y * a <= 0', '"hinge": y in (-1, 1)'),
        "the domain of the absolute loss is too large": ('"absolute": -1 <= a <= 1', '"absolute": -2 <= a <= 2'),
        "any label": ('"hinge": y in (-1, 1) and', '"hinge":'),
        "no balance": ("if b is not None and sum(", "if False and sum("),
        "the intercept is left out": ("b or Fraction(0))", "Fraction(0))"),
        "the weights are left out of S": ("sum(weights, Fraction(0))", "Fraction(n)"),
        "the weights are left out of u": ("U[j] += s * a", "U[j] += a"),
        "no threshold": ("abs(U_j) / S - l1", "abs(U_j) / S"),
        "l1 is not in P": ("lam / 2 * w_j**2 + l1 * abs(w_j)", "lam / 2 * w_j**2"),
        "half of lam": ("/ (2 * lam)", "/ (4 * lam)"),
        "negative weights": ("and min(weights) >= 0", ""),
        "lam 0": ("lam > 0 and", "lam >= 0 and"),
        "upper case": ('"[0-9a-f]{16}"', '"[0-9a-fA-F]{16}"'),
        "a label's sign": ("rest = 1 - y * z", "rest = 1 - z"),
        "the kink": ("if rest >= gamma", "if rest >= 2 * gamma"),
        "the conjugate of the squared hinge": ("Fraction(1, 4)}", "Fraction(1, 8)}"),
        "columns in any order": ("if any(before >= j for", "if any(before > j + 9 for"),
        "e^x too low": ("1 + h + 2 * h * h", "1 + h"),
        "e^x rounded down": ("-((-r * r) >> 256)", "r * r >> 256"),
        "fewer squarings": ("range(128)", "range(127)"),
        "a guess that is believed": ("return u - 1 + exp_above(-u) + exp_above(-y * z - u)", "return log"),
        "no limit of a guess": ("u = max(log, Fraction(0), -y * z)", "u = log"),
        "half of an entropy": ("zip((-y * a, 1 + y * a), logs)", "zip((-y * a,), logs)"),
        "p for its square": ("p * p * exp_above(-v)", "p * exp_above(-v)"),
        "guesses of another row": ("logs[3 * i + 1 : 3 * i + 3]", "logs[1:3]"),
        "keys in any order": ('or [line.split(" ")[0] for line in lines] != fields', ""),
    },
    "checker/main.ml": {
        "no checksum": ('|| sha256 (canonical rows) <> one "data"', ""),
        "another hash": ("rotate a 22", "rotate a 23"),
        "a checksum without labels": ("number y; whole", "whole"),
        "a number of other bits": ("max field 1 - 1075", "max field 1 - 1074"),
        "subnormal numbers": ("if field = 0 then fraction else", "if false then fraction else"),
        "the sign is lost": ("if bits < 0L then Z.neg mantissa", "if false then Z.neg mantissa"),
        "infinite numbers": ('if field = 2047 then fail "a number is not finite";', ""),
        "no weights": ("{ weight = weights.(i)", "{ weight = dyadic 1."),
        "no intercept": ("at intercept p q", "at None p q"),
        "l1 is 0": ("loss lam l1 d", "loss lam (dyadic 0.) d"),
        "labels are 1": ("target = dyadic y", "target = dyadic 1."),
        "a column too far": ("w.(Z.to_int j - 1)", "w.(max 0 (Z.to_int j - 2))"),
        "the hinge for its square": ('"squared-hinge" -> Accepts.SquaredHinge', '"squared-hinge" -> Accepts.Hinge'),
        "accepted, whatever Coq says": ("then Ok (Z.to_string p", "|| true then Ok (Z.to_string p"),
        "status 0 for a refusal": ('"refused: %s\\n" why; exit 1', '"refused: %s\\n" why; exit 0'),
        "upper case": ("'0' .. '9' | 'a' .. 'f' -> true", "'0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true"),
        "columns in any order": ("if j <= before then fail", "if j = 0 then fail"),
        "guesses of another row": ("log = logs.(3 * i)", "log = logs.(0)"),
        "a guess for another": ("log0 = logs.(3 * i + 1); log1 =", "log0 = logs.(3 * i + 2); log1 ="),
        "the hinge for the logistic loss": ('"logistic" -> Accepts.Logistic', '"logistic" -> Accepts.Hinge'),
        "keys in any order": ("first :: values when first = name ->", "first :: values when first <> \"\" ->"),
        "a sign in the denominator": ("[p; q] when digits q && Z.sign (Z.of_string q) > 0", "[p; q] when digits q"),
        "not ASCII": ("Char.code c < 128", "Char.code c < 256"),
    },
    "checker/Extract.v": {
        "less for less or equal": ('Z.leb => "Big_int_Z.le_big_int"', 'Z.leb => "Big_int_Z.lt_big_int"'),
        "greater for less": ('Z.ltb => "Big_int_Z.lt_big_int"', 'Z.ltb => "Big_int_Z.gt_big_int"'),
        "less for less or equal: columns": ('Pos.leb => "Big_int_Z.le_big_int"', 'Pos.leb => "Big_int_Z.lt_big_int"'),
    },
    "Checker.v": {
        "any bound": ("dle (dmul (dint q) left) (dmul (dint p) right).", "dle left left."),
        "a bound that is too low": ("(dmul (dint p) right).", "(dadd (dmul (dint p) right) (dint 1))."),
        "no domain": ("inside l (target r) (alpha r)\n", "true\n"),
        "the domain of the hinge": ("| Logistic => label y && dle (dint (-1)) ya &&", "| Logistic => label y &&"),
        "no balance": ("Some _ => zero (dtotal", "Some _ => true || zero (dtotal"),
        "negative weights": ("dle (dint 0) (weight r) &&", ""),
        "lam 0": ("pos lam && dle", "dle (dint 0) lam && dle"),
        "half of lam": ("let ls := dmul lam s in", "let ls := dmul (dmul lam (dint 2)) s in"),
        "no threshold": ("(dsoft t (get u j))", "(dsoft (dint 0) (get u j))"),
        "no l1": ("val lam / 2 * v j ^ 2 + val lam1 * Rabs (v j)", "val lam / 2 * v j ^ 2"),
        "a column is forgotten": ("map Pos.of_nat (seq 1 d)", "map Pos.of_nat (seq 1 (d - 1))"),
        "the conjugate of the squared hinge": ("dadd (dmul (dint 4) ya) (dsquare a)", "dmul (dint 4) ya"),
        "the kink": ("if dle g rest then dsub", "if dle rest g then dsub"),
        "a label's sign": ("dsub (dint 1) (dmul y z) in", "dsub (dint 1) z in"),
        "the loss for another": ("Logistic => logistic y end.", "Logistic => hinge y end."),
        "half of an entropy": ("(plogp (dadd (dint 1) ya) log1) end.", "(dint 0) end."),
        "too strict: nothing is accepted": ("pos lam && dle (dint 0) lam1", "pos lam && pos (dopp lam) && pos lam"),
        "too strict: alpha at an end": (
            "| Logistic => label y && dle (dint (-1)) ya", "| Logistic => label y && negb (dle ya (dint (-1)))",
        ),
        "too strict: the last column": ("Pos.leb (fst e) last)", "Pos.ltb (fst e) last)"),
    },
    "Dyadic.v": {
        "a sum that is not one": ("dy (Z.shiftl (mantissa x)", "dy (Z.shiftl (1 + mantissa x)"),
        "a comparison of mantissas": ("Z.leb 0 (mantissa (dsub y x))", "Z.leb (mantissa x) (mantissa y)"),
        "rounded down": ("dy (- Z.shiftr (- mantissa x)", "dy (Z.shiftr (mantissa x)"),
        "e^x too low": ("(dmul (dint 2) (dsquare x))", "(dint 0)"),
        "fewer squarings": ("exp_above 128 (dmax", "exp_above 9 (dmax"),
        "no limit of a guess": ("let u := dmax u (dmax (dint 0) (dopp m)) in dadd", "dadd"),
        "too weak": ("exp_above 128 (dmax", "exp_above 64 (dmax"),
    },
}  # fmt: skip
Judge = Callable[[str, str], int]


def noticed(judge: Judge) -> Iterator[str]:
    """What is wrong with a checker: altered files first, then drawn and corrupted ones."""
    for what, (text, data, status) in ALTERED.items():
        if (found := judge(text, data)) != status:
            yield f"{what}: exit status {found}, not {status}"
    yield from complaints(judge, 2 * len(KINDS), CORRUPTED)


def script(text: str) -> Judge:
    """The checker in Python, from this text: its exit status, or 3 if it raises."""
    module = types.ModuleType("edited_check")
    exec(compile(text, "<edited check.py>", "exec"), vars(module))

    def judge(certificate: str, data: str) -> int:
        try:
            texts = [given.encode("latin-1").decode("ascii") for given in (certificate, data)]
            return 1 if module.judge(*texts) else 0
        except ValueError:
            return 2
        except Exception:
            return 3

    return judge


def program(folder: Path, built: Path) -> Judge | None:
    """The extracted checker of a copy of the build, compiled again; None if it does not compile, which must not be due
    to a planted text that neither language can read.
    """
    made = subprocess.run(["make", "-s", "checker"], cwd=built, capture_output=True)
    assert b"syntax error" not in made.stderr.lower(), made.stderr
    return None if made.returncode else lambda *file: proved(folder, *file, checker=built / "checker/dualgap-check")


def test_the_script_without_a_bug_is_not_accused() -> None:
    assert list(noticed(script(Path(check.__file__).read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("name", [name for name in BUGS if name != "check.py"])
def test_every_bug_of_the_proved_checker_stands_in_its_file(name: str) -> None:
    for bug, edit in BUGS[name].items():
        replaced((FORMAL / name).read_text(encoding="utf-8"), *edit, bug, name)


@pytest.mark.parametrize("bug", BUGS["check.py"])
def test_a_bug_in_the_script_is_noticed(bug: str) -> None:
    text = Path(check.__file__).read_text(encoding="utf-8")
    assert next(noticed(script(replaced(text, *BUGS["check.py"][bug], bug, "check.py"))), "")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the build of the proved checker, whose sources are those of this tree."""
    if not PROVED:
        pytest.skip("DUALGAP_CHECKER names no extracted checker")
    built = tmp_path_factory.mktemp("formal") / "build"
    shutil.copytree(Path(PROVED).parents[1], built)
    for name in ("Checker.v", "Dyadic.v", "checker/Extract.v", "checker/main.ml"):
        assert (built / name).read_bytes() == (FORMAL / name).read_bytes(), "build DUALGAP_CHECKER again"
    return built


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "bug"), [(name, bug) for name in BUGS if name != "check.py" for bug in BUGS[name]])
def test_a_bug_in_the_proved_checker_is_noticed(name: str, bug: str, build: Path, tmp_path: Path) -> None:
    """By the compiler, Coq's or OCaml's, or by the program's verdicts."""
    right = (build / name).read_text(encoding="utf-8")
    (build / name).write_text(replaced(right, *BUGS[name][bug], bug, name), encoding="utf-8")
    try:
        judge = program(tmp_path, build)
        assert judge is None or next(noticed(judge), "")
        if name.startswith("checker/"):
            assert judge is not None, "the edited glue must compile"
    finally:
        (build / name).write_text(right, encoding="utf-8")


@pytest.mark.nightly
def test_the_program_without_a_bug_is_not_accused(build: Path, tmp_path: Path) -> None:
    (build / "Dyadic.v").touch()
    judge = program(tmp_path, build)
    assert judge is not None and list(noticed(judge)) == []
