"""`make check` of the proofs, with checkers that say other things than they should."""

import pathlib
import shutil
import subprocess

import pytest

from dualgap.proofs_checks.evidence import formal

SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative
  
* Axioms:
    Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
    Coq.Reals.ClassicalDedekindReals.sig_not_dec
    Coq.Reals.ClassicalDedekindReals.sig_forall_dec
    Coq.Logic.Classical_Prop.classic
  
* Constants/Inductives relying on type-in-type: <none>
  
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
  
* Inductives whose positivity is assumed: <none>
  
"""  # noqa: W293
CHECKERS = {  # what coqchk says and returns: whether `make check` passes
    "as it is": (SUMMARY, 0, True),
    "it fails": (SUMMARY, 1, False),
    "it says nothing": ("", 0, False),
    "a fifth axiom": (SUMMARY.replace("    Coq.Logic.Cl", "    Dualgap.Sums.assumed\n    Coq.Logic.Cl"), 0, False),
    "three axioms": (SUMMARY.replace("    Coq.Logic.Classical_Prop.classic\n", ""), 0, False),
    "another axiom": (SUMMARY.replace("Classical_Prop.classic", "Classical_Prop.proof_irrelevance"), 0, False),
    "something unsafe": (
        SUMMARY.replace("positivity is assumed: <none>", "positivity is assumed:\n    Dualgap.Sums.assumed"),
        0,
        False,
    ),
}


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("case", CHECKERS)
def test_make_check_passes_where_the_checker_finds_four_axioms_and_nothing_unsafe(
    case: str, tmp_path: pathlib.Path
) -> None:
    said, status, passes = CHECKERS[case]
    shutil.copy(formal.FOLDER / "Makefile", tmp_path)
    (tmp_path / "said.txt").write_text(said, encoding="utf-8")
    (tmp_path / "checker").write_text(f"#!/bin/sh\ncat said.txt >&2\nexit {status}\n", encoding="utf-8")
    (tmp_path / "checker").chmod(0o755)
    tools = ["COQC=true", "COQDEP=true", "COQCHK=./checker"]
    run = subprocess.run(["make", "-o", "all", "-C", str(tmp_path), "check", *tools], capture_output=True, text=True)
    assert (run.returncode == 0) == passes, run.stdout + run.stderr
