"""Other people's packages: found by entry point, name or path, each failure one line, and seen again by another
process.
"""

import importlib
import json
import re
import sys

import pytest
from support import command, refusal, refuses, succeeds
from warm import dualgap

from dualgap.reference.problem.registry import Place, Registry

METHOD = """
from dualgap.reference import DualMethod, register_method
@register_method
class One(DualMethod):
    name = {!r}
    def advance(self, problem, state, choice):
        pass
"""
CLAIM = """
from dualgap.proofs_checks import OURS, Instance, Le, Q, Qs, altered, claim, exact, golden, instances, register_paper
ONE = Instance((Qs(1),), Qs(2), Qs(0), Q(1))
from dualgap.proofs_checks.claims.pool import Pool
{name} = Pool("strategies.{name}", instances)
@claim({id!r}, "x", hypotheses="none", origin=OURS, evidence=[exact({name})], control={control})
def check(c):
    yield Le(0, c.gap, "gap")
"""
CONTROL = 'altered("y", lambda c: [Le(1, 0, "false")], ONE)'


def using(line, body="class A: pass", column="proofs_checks", also=""):
    """A file that calls, or decorates with, a function of a package."""
    name = line.lstrip("@").partition("(")[0]
    return f"from dualgap.{column} import {name}{also}\n{line}\n{body}"


def claimed(name, id, control=CONTROL):
    return CLAIM.format(name=name, id=id, control=control)


TAKEN_METHOD = r"FILE:3: method 'sdca' of broken\.One \(FILE:3\) is taken by dualgap\.reference\.methods\.sdca\.SDCA"
BROKEN = {  # a file and the expected message: the line, the reason, and what to do
    "def f(:\n": r"FILE:1: SyntaxError: .*; correct it, or leave it out of --import",
    "import json\nimport nowhere_to_be_found\n": (
        r"FILE:2: ModuleNotFoundError: No module named 'nowhere_to_be_found'; correct it, or .*"
    ),
    "\nraise SystemExit('bye')\n": r"FILE:2: SystemExit: bye; correct it, or leave it out of --import",
    "raise ValueError('a\\nb')": r"FILE:1: ValueError: a b; correct it, or .*",
    METHOD.format("sdca"): rf"{TAKEN_METHOD} \(.*sdca\.py:\d+\): choose another name",
    METHOD.format("go") + "raise KeyError('later')": r"FILE:8: KeyError: 'later'; correct it, or .*",
    using("@register_method", "class A: name = 'a'", "reference"): (
        r"FILE:2: method broken\.A .* has no init: a method has init, choices, step, view .*"
    ),
    using("@register_method", "class A(Method): pass", "reference", ", Method"): (
        r"FILE:2: method broken\.A .* has no name: .*"
    ),
    claimed("drawn", "broken.one", "None"): r"FILE:6: claim broken\.one has no control: give an input .*",
    claimed("drawn", "aspdc.a6"): (
        r"FILE:6: claim 'aspdc\.a6' of FILE:6 is taken by .*aspdc.*\.py:\d+: choose another name"
    ),
    claimed("up", "aspdc.up"): (
        r"FILE:\d+: claim 'aspdc\.up': aspdc is a paper of dualgap's, .* name it my-aspdc\.up; .*"
    ),
    using("register_paper('pgs', 'x', 'y')"): r"FILE:2: paper 'pgs' of FILE:2 is taken by .*items\.py:\d+: .*",
    using("@register_mutant('alone')"): r"FILE:2: a mutant is named PAPER\.NAME, .*",
    using("@register_mutant('aspdc.mine')"): (
        r"FILE:2: mutant 'aspdc\.mine': aspdc is a paper of dualgap's, .* register one of your own, .*"
    ),
    using("@register_generator('digits')", "def f(): pass", "fast"): (
        r"FILE:2: data set 'digits' .* is taken by scikit-learn's, .*"
    ),
    using("@register_generator('mine')", "def f(n): pass", "fast"): r"FILE:2: data set 'mine': the parameter 'n' .*",
    using("@register_loss", "class A(Loss): name = 'hinge'", "reference", ", Loss"): (
        r"FILE:2: loss 'hinge' .*losses\.py:\d+\).*"
    ),
}


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def said(capsys, *imports):
    """The line with which ``dualgap claims`` refuses these imports."""
    line = refusal(capsys, "claims", "aspdc.a6", *(word for name in imports for word in ("--import", str(name))))
    return line.removeprefix("dualgap claims: ").strip()


def lines_of_calls(text, pattern):
    """Until Python 3.10 a decorator is called on the line of its class or function, one below its own."""
    if sys.version_info >= (3, 11) or "\n@" not in text:
        return pattern
    return re.sub(r"FILE:(\d+)", lambda found: rf"FILE:(?:{found[1]}|{int(found[1]) + 1})", pattern)


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_breaks_is_one_line_and_exit_2(text, tmp_path, capsys):
    file = tmp_path / "broken.py"
    file.write_text(text, encoding="utf-8")
    pattern = lines_of_calls(text, BROKEN[text]).replace("FILE", re.escape(str(file)))
    line = said(capsys, file)
    assert re.fullmatch(rf"plugin {re.escape(str(file))}: {pattern}", line), line


def test_what_is_not_there_is_one_line(tmp_path, capsys):
    assert "there is no such file" in said(capsys, tmp_path / "no.py")
    missing = "plugin no_such_module: ModuleNotFoundError: No module named 'no_such_module'; correct the name, or "
    assert said(capsys, "no_such_module") == f"{missing}leave it out of --import"
    assert "not the name of a module" in said(capsys, "../elsewhere")
    (tmp_path / "json.py").write_text("")
    assert "its module 'json' is taken by" in said(capsys, tmp_path / "json.py")


def distribution(folder, value, name="mine"):
    """A package's entry point, as pip leaves it."""
    info = folder / "other_package-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(f"[dualgap.plugins]\n{name} = {value}\n")


@pytest.mark.parametrize(
    ("value", "text", "ending"),
    [
        ("nowhere_at_all", "", ": ModuleNotFoundError: No module named 'nowhere_at_all'; correct the name, or "),
        ("of_mine:absent", "", ": AttributeError: module 'of_mine' has no attribute 'absent'; correct the name, or "),
        ("of_mine", "1 / 0\n", "/of_mine.py:1: ZeroDivisionError: division by zero; correct it, or "),
    ],
)
def test_an_entry_point_that_breaks_names_its_package(value, text, ending, tmp_path, monkeypatch, capsys):
    distribution(tmp_path, value)
    (tmp_path / "of_mine.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    line = said(capsys)
    assert line.startswith(f"plugin mine (entry point {value!r} of other-package 2.5): ")
    assert line.endswith(f"{ending}uninstall the package"), line


def test_an_entry_point_is_imported_and_what_it_prints_spoils_no_json(tmp_path, monkeypatch, capsys):
    distribution(tmp_path, "of_mine")
    (tmp_path / "of_mine.py").write_text("print('hello')\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    status, out, err = command(capsys, "claims", "aspdc.a6", "--json")
    assert "of_mine" in sys.modules and (status, err) == (0, "hello\n")
    assert [claim["id"] for claim in json.loads(out)["claims"]] == ["aspdc.a6"]


def test_installed_plugins_and_what_they_register_are_named(tmp_path):
    def installed(*words):
        return succeeds("-m", "dualgap", *words, path=tmp_path)

    assert len(installed("--version").splitlines()) == 1
    distribution(tmp_path, "of_mine")
    text = (
        "print('imported')\nfrom dualgap.reference import Loss, register_loss\n@register_loss\nclass A(Loss): name ="
        " 'named-loss'\n"
    )
    (tmp_path / "of_mine.py").write_text(text)
    first, second = installed("--version").splitlines()  # without importing it
    assert re.fullmatch(r"dualgap \S+", first) and second == "plugins: other-package 2.5 (of_mine)"
    installed("audit", "aspdc.a6", "--quick", "--out", str(tmp_path / "out"))
    row = {"package": "other-package 2.5", "module": "of_mine", "file": str(tmp_path / "of_mine.py")}
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert {**row, "registers": {"loss": ["named-loss"]}} in report["plugins"]
    said = "other-package 2.5 (module of_mine), which registers loss named-loss"
    assert said in (tmp_path / "out" / "report.html").read_text()


PLUGIN = (
    METHOD.format("plugin-method")
    + """
from dualgap.fast import register_generator
from dualgap.proofs_checks import OURS, Experiment, Instance, Item, Le, Q, Qs, altered, claim, golden, register_experiment, register_mutant, register_paper
import numpy as np
import neighbour
PAPER = register_paper("plugin-paper", "a paper", "README.md", [Item("Lemma 1", "p. 1", "a few words of it")])
ONE = Instance((Qs(1),), Qs(2), Qs("1/2"), Q(1), method="plugin-method")
@register_generator("plugin-data")
def two_rows():
    "Two rows."
    return np.array([[1.0], [2.0]]), np.array([1.0, -1.0])
@register_mutant("plugin-paper.down")
class Down(One):
    def advance(self, problem, state, choice):
        state.alpha[choice] = state.alpha[choice] + 1
register_experiment("plugin-experiment", Experiment("nothing", {}, lambda options: [], lambda cell, options: {}, lambda results, options: None))
@claim("plugin-paper.lemma-1", "nothing moves", hypotheses="none", origin=PAPER.printed("Lemma 1"), evidence=[golden(ONE)],
       control=altered("it does", lambda c: [Le(1, increase, "D") for increase in c.increases], ONE), kills=["plugin-paper.down"])
def lemma_1(c):
    for s in c.successors:
        yield Le(s.alpha[0], c.alpha[0], "alpha")
@claim("plugin-paper.false", "D is at least P + 1", hypotheses="none", origin=OURS, evidence=[golden(ONE)], expected="REFUTED",
       control=altered("P >= D", lambda c: [Le(c.P, c.D, "D")], ONE))
def false(c):
    yield Le(c.P + 1, c.D, "P + 1 <= D")
"""  # noqa: E501
)


@pytest.fixture
def plugin(tmp_path):
    (tmp_path / "plugin_of_mine.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text("", encoding="utf-8")
    return tmp_path / "plugin_of_mine.py"


def commands(folder, *lines):
    """(exit status, standard output, standard error) of each."""
    ran = (dualgap(*line.split(), cwd=folder) for line in lines)
    return [(one.returncode, one.stdout, one.stderr) for one in ran]


def test_every_command_sees_a_plugin(plugin):
    solve = "solve plugin-data --method plugin-method --loss squared --lam 1 --tol 1e9 --json --backend"
    file = "dualgap-report/counterexample-plugin-paper.false.json"
    words = (
        "audit plugin-paper --quick --json",
        f"replay {file}",
        "claims plugin-paper",
        "claims --coverage plugin-paper",
        "reproduce",
        f"{solve} reference",
        f"{solve} fast",
    )
    found = commands(plugin.parent, *(f"{line} --import plugin_of_mine.py" for line in words))
    assert [status for status, _, _ in found] == [0, 0, 0, 0, 0, 0, 2], found
    audit, replay, claims, coverage, reproduce, solved, fast = (out or err for _, out, err in found)
    rows = {row["id"]: row for row in json.loads(audit)["claims"]}
    assert rows["plugin-paper.lemma-1"]["killed"] == ["plugin-paper.down"]
    assert rows["plugin-paper.false"]["status"] == "REFUTED"
    assert json.loads((plugin.parent / file).read_text())["plugins"] == ["plugin_of_mine"]
    assert "First false: P + 1 <= D" in replay and "1 item, 0 without" in coverage
    assert [line.split()[0] for line in claims.splitlines()[1:]] == ["plugin-paper.false", "plugin-paper.lemma-1"]
    assert "plugin-experiment" in reproduce and json.loads(solved)["method"] == "plugin-method"
    assert "method plugin-method has a reference only and no compiled form" in fast
    ((status, out, err),) = commands(plugin.parent, f"replay {file}")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "needs the plugin 'plugin_of_mine', which is not loaded" in err


def test_a_file_that_is_loaded_anew_registers_again_and_one_that_says_it_twice_does_not():
    known = Registry("thing")
    first, again = compile("1", "e.py", "exec"), compile("1", "e.py", "exec")
    known.enter("a", object, Place("elsewhere", "e.py", 3, first))
    known.enter("a", object, Place("elsewhere", "e.py", 3, first))
    known.enter("a", object, Place("elsewhere", "e.py", 9, again))
    taken = r"thing 'a' of builtins\.object \(e\.py:11\) is taken by builtins\.object \(e\.py:9\): choose another name"
    refuses(ValueError, taken, known.enter, "a", object, Place("elsewhere", "e.py", 11, again))
    other = Place("elsewhere", "f.py", 3, compile("1", "f.py", "exec"))
    refuses(ValueError, r"\(f\.py:3\) is taken by", known.enter, "a", object, other)


def test_a_loss_of_others_changes_nothing_that_claims_of_dualgap_draw(tmp_path):
    (tmp_path / "a_loss.py").write_text(
        "from dualgap.reference import Hinge, register_loss\n@register_loss\nclass A(Hinge): name = 'a-loss'\n"
    )
    script = (
        "import sys; from dualgap.proofs_checks import load_plugins; load_plugins(sys.argv[1:])\nfrom"
        " dualgap.proofs_checks.strategies import hostile_pairs, instances; from dualgap.proofs_checks.papers.sdca"
        " import instances as of_sdca\nfrom dualgap.reference.problem.losses import losses; print([*losses(),"
        " 'claims:', *instances.RATIONAL, *hostile_pairs.RATIONAL, *of_sdca.LIPSCHITZ])"
    )
    without, plugged = (succeeds("-c", script, *imports, cwd=tmp_path) for imports in ((), ("a_loss.py",)))
    assert plugged.replace("'a-loss', ", "", 1) == without and "'a-loss', 'claims:'" in plugged
