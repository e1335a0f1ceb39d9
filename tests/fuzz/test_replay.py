"""Damaged replay files and checkpoints: one line, a verdict, or harmless."""

import json

import pytest
from damage import INPUTS, damaged, elsewhere, generator, mutated

from dualgap.fast import Certificate, solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, Problem, SmoothedHinge

RATIONAL = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(1, -1), lam=Q(199, 200), extra=further(q=Q(1, 2)))
LOGISTIC = Instance(rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs("-1/3", "-1/2"), lam=Q(1, 2), loss="logistic")
EPOCHS = Instance(
    rows=(Qs("1/20"),),
    y=Qs(1),
    alpha=Qs(0),
    lam=Q(8, 401),
    method="aspdc-i",
    options={"kappa": Q(1596, 401), "eta": "root"},
    extra=further(exponent=1, epochs=(3, 7), epsilon=Q(1, 10)),
)
TEXTS = [  # in addition to those of ``damage``
    *'1000000000 [1000000000,1000000001] [-1,-2] ["1","1"] "1e-10000000" "1e400" "1e-400" "1/0" "-1" "0"'.split(),
    *'"1000000000" "hinge" "pgs" "logistic"'.split(),
    *('"' + "9" * 900 + '"', '"' + "9" * 5000 + '"', '"1/' + "9" * 900 + '"'),
]


def bases(folder):
    """Files as they are written: one that refutes, one in intervals, and one that counts epochs."""
    for claim, instance in (("aspdc.a17", RATIONAL), ("aspdc.a17", LOGISTIC), ("aspdc.theorem-2.root", EPOCHS)):
        yield counterexamples.write(folder, all_claims()[claim], instance).read_text()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return tuple(bases(tmp_path_factory.mktemp("whole")))


def mutation(draw, text, other, kind):
    """A content made of the text of a file and another one; parts and pieces come from the other one."""
    if kind == "raw":
        return damaged(draw, text.encode(), other.encode())
    found = mutated(draw, json.loads(text), TEXTS, lambda draw, *_: elsewhere(draw, json.loads(other)), indent=1)
    return found.encode()


def same(text, content):
    """Whether a file still has its original statement.

    The instance may be another one for which all the numbers are the same.
    """
    try:
        one, two = json.loads(content), json.loads(text)
    except (ValueError, RecursionError):
        return False
    return {**one, "instance": None} == {**two, "instance": None}


@pytest.mark.parametrize("part", range(4))
def test_a_mutated_file_is_refused_in_one_line_or_does_not_reproduce(part, whole, tmp_path, capsys):
    path = tmp_path / "mutated.json"
    for number in INPUTS[part::4][: len(INPUTS) // 4 if len(INPUTS) > 100 else 12]:
        draw = generator(number)
        text, kind = draw.choice(whole), draw.choice(("structured", "raw"))
        content = mutation(draw, text, draw.choice(whole), kind)
        path.write_bytes(content)
        status = cli.main(["replay", str(path)])
        out, err = capsys.readouterr()
        assert status in (0, 1, 2), number
        if status == 2:
            line = len(err.splitlines()) == 1 and len(err) < 1000 and err.startswith("dualgap replay: ")
            assert line and not out, (number, err)
        assert status != 0 or same(text, content), number
        assert all(c == "\n" or c.isprintable() for c in out + err), number


DATA = aspdc_synthetic(n=12, d=5, seed=1)
METHODS = ("sdca", "spdc", "svrg", "adaspdc", "sdca-shrinking", "sag", "pgs", "asdca", "aspdc-i")
STATUSES = {"converged", "max_epochs", "max_seconds", "stalled", "diverged", "rounding"}


def run(name, path, epochs=6):
    problem = Problem(DATA.X, DATA.y, SmoothedHinge(), L2(0.2))
    found = solve(problem, name, tol=0, max_epochs=epochs, seed=3, mode="unchecked", checkpoint=path, resume=True)
    again = Certificate(problem, found.w, found.alpha)
    assert found.status in STATUSES and (found.gap, found.primal, found.dual) == (again.gap, again.primal, again.dual)
    return found.status, found.epochs, [entry.gap for entry in found.history], found.w.tobytes(), found.alpha.tobytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Method to (content after three passes, the run that continues from it)."""
    path, found = tmp_path_factory.mktemp("checkpoints") / "run", {}
    for name in METHODS:
        run(name, path, epochs=3)
        content = path.read_bytes()
        found[name] = content, run(name, path)
        path.unlink()
    return found


def refused_or(path, name, what):
    """The run, or None where it is refused as it should be."""
    try:
        return run(name, path)
    except (ValueError, OSError) as refusal:
        assert str(refusal).startswith(str(path)) and "\n" not in str(refusal), f"{what}: {refusal}"
        return None


@pytest.mark.parametrize("name", METHODS)
def test_damaged_files_are_refused_or_not_damaged_where_it_counts(name, files, tmp_path):
    (content, expected), path, other = files[name], tmp_path / "run", files["sdca"][0]
    for k in INPUTS[: max(1, len(INPUTS) // len(METHODS))]:
        path.write_bytes(damaged(generator(k), content, other))
        assert refused_or(path, name, f"input {k}") in (None, expected), (
            f"input {k}: a damaged checkpoint led to another run"
        )
