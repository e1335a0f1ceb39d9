"""Importing dualgap and running its commands changes nothing for others: no global setting, and no file except the
requested ones.
"""

import json
import re
import sys
from pathlib import Path

import pytest
from support import ROOT, python
from warm import dualgap

MODULES = """
import importlib, importlib.util, pkgutil
def modules():
    for package in ("dualgap.reference", "dualgap.fast", "dualgap.proofs_checks", "dualgap.extras"):
        yield package
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
            if found.name != "dualgap.fast.estimators" and (importlib.util.find_spec("sklearn") or not found.name.startswith("dualgap.extras.estimators")):
                yield found.name
"""  # noqa: E501
IMPORTED = re.compile(r"^(?:from|import) ((?!dualgap)[a-zA-Z]\w*(?:\.\w+)*)", re.M)


def imported() -> list[str]:
    """The modules of others that ours import at their beginning."""
    files = [
        path for package in ("reference", "fast", "proofs_checks", "extras") for path in (ROOT / package).rglob("*.py")
    ]
    return sorted({name for path in files for name in IMPORTED.findall(path.read_text("utf-8"))})


# What one package can change for all others in a process. Everything but dualgap is imported first, so that all changes
# are ours.
COMPARED = (
    MODULES
    + """
import contextlib, gc, decimal, json, locale, logging, multiprocessing, os, random, signal, socket, sys, tempfile, threading, warnings
import hypothesis, numba, numpy
from hypothesis import configuration

def settings():
    loggers = [log for log in [logging.root, *logging.root.manager.loggerDict.values()] if isinstance(log, logging.Logger)]
    return {
        "warnings": (list(warnings.filters), warnings.showwarning, warnings.formatwarning),
        "environment": (dict(os.environ), os.getcwd(), locale.setlocale(locale.LC_ALL), tempfile.tempdir),
        "imports": (sys.path[:], sys.meta_path[:], sys.path_hooks[:]),
        "hooks": (sys.excepthook, sys.displayhook, sys.unraisablehook, threading.excepthook, sys.gettrace(), sys.getprofile()),
        "interpreter": (sys.getrecursionlimit(), sys.getswitchinterval(), gc.get_threshold(), gc.isenabled(), sys.stdout, sys.stderr, sys.stdout.errors),
        "signals": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "logging": {log.name: (log.level, log.handlers[:], log.propagate) for log in loggers if log.level or log.handlers},
        "processes": (threading.enumerate(), multiprocessing.get_start_method(allow_none=True), socket.getdefaulttimeout()),
        "random": (random.getstate(), repr(numpy.random.get_state())),
        "numbers": (numpy.geterr(), repr(numpy.get_printoptions()), repr(decimal.getcontext()), repr(decimal.DefaultContext)),
        "numba": {name: value for name, value in vars(numba.config).items() if name.isupper()},
        "hypothesis": (repr(hypothesis.settings.default), sorted(hypothesis.settings._profiles), getattr(configuration, "__hypothesis_home_directory")),
        "matplotlib": dict(sys.modules["matplotlib"].rcParams) if "matplotlib" in sys.modules else {},
    }

for name in [*json.loads(sys.argv[1]), "matplotlib"]:
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
before = settings()
def require_unchanged(name):
    after = settings()
    changed = [what for what in before if before[what] != after[what]]
    assert not changed, f"importing {name} changes {changed}"

for name in modules():
    importlib.import_module(name)
    if "each" in sys.argv:
        require_unchanged(name)
require_unchanged("all modules")
importlib.import_module("rude")
require_unchanged("rude")
"""  # noqa: E501
)
RUDE = """
import warnings, os, logging, numba, hypothesis, signal
warnings.simplefilter("ignore"); os.environ["RUDE"] = "1"; logging.basicConfig(); numba.config.OPT = 1
hypothesis.settings.register_profile("rude"); signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""


def test_importing_any_module_changes_no_setting_of_the_process(tmp_path: Path) -> None:
    others = json.dumps(imported())
    assert {"numpy", "numba", "hypothesis"} <= set(imported())
    (tmp_path / "rude.py").write_text(RUDE)  # the control, imported after all of ours
    run = python("-c", COMPARED, others, cwd=tmp_path)
    if "importing all modules changes" in run.stderr:  # which of them: several times slower
        run = python("-c", COMPARED, others, "each", cwd=tmp_path)
    changed = ["warnings", "environment", "signals", "logging", "numba", "hypothesis"]
    assert run.returncode == 1 and run.stderr.endswith(f"AssertionError: importing rude changes {changed}\n"), (
        run.stderr
    )


OWN_PAPER = """
from hypothesis import strategies
from dualgap.proofs_checks import OURS, Instance, Le, Q, Qs, altered, claim, exact, instances, register_paper

register_paper("mine", "a paper of one's own", "none")

def drawn():
    return strategies.one_of(instances())  # which Hypothesis alone can draw from

def rises(c, by=0):
    yield from (Le(by, increase, "rises") for increase in c.increases)

@claim(
    "mine.false", "D rises by 1", expected="REFUTED", hypotheses="any loss", origin=OURS, evidence=[exact(drawn)], proof="None.",
    control=altered("D rises by 2", lambda c: rises(c, 2), Instance((Qs(1),), Qs(2), Qs(0), Q(1), loss="squared", method="sdca")),
)
def false(c):
    yield from rises(c, 1)
"""  # noqa: E501


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix != ".pyc" and path.name != "__pycache__"
    }


@pytest.mark.parametrize(
    "line",
    [
        "audit --out {out} mine --import mine.py --quick",
        f"conform --seconds 0.1 --only sdca -- {sys.executable} {ROOT / 'ports' / 'python' / 'port.py'}",
    ],
    ids=["audit", "conform"],
)
def test_a_command_that_draws_leaves_the_working_folder_as_it_was(tmp_path: Path, line: str) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    (work / "mine.py").write_text(OWN_PAPER)
    run = dualgap(*line.format(out=out).split(), cwd=work)
    assert run.returncode == 0, run.stdout + run.stderr
    assert files(work) == {"mine.py"}
