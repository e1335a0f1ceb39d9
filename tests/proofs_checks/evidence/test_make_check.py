"""The machine-checked proof: ``make check`` with wrong checkers, and an audit of several processes."""

import pathlib
import shutil
import subprocess
import threading

import pytest

from dualgap.proofs_checks.auditing import dispatch
from dualgap.proofs_checks.claims.registry import select
from dualgap.proofs_checks.claims.run import Run
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


def test_one_process_of_an_audit_builds_and_the_others_take_what_it_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    built: list[int] = []

    def proof() -> formal.Proof:
        built.append(1)
        if len(built) == 3:
            raise formal.NotProved("Main.v is rejected")
        return formal.Proof("8.16.1", frozenset({"lemma_2"}), f"{len(built)}")

    monkeypatch.setattr(formal, "proof", proof)
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert [formal.proof_of_audit(str(first)).bridge for _ in range(2)] == ["1", "1"]
    assert formal.proof_of_audit(str(tmp_path / "of another machine")).bridge == "2"  # nothing is shared
    for _ in range(2):  # why it is rejected is found once, too
        with pytest.raises(formal.NotProved, match=r"Main\.v is rejected"):
            formal.proof_of_audit(str(second))
    assert len(built) == 3 and formal.proof_of_audit("").bridge == "4"


def test_who_comes_while_it_is_built_waits(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("fcntl")
    entered = threading.Event()

    def enter() -> None:
        with formal.alone(tmp_path / "lock"):
            entered.set()

    other = threading.Thread(target=enter, daemon=True)
    with formal.alone(tmp_path / "lock"):
        other.start()
        assert not entered.wait(0.1)
    assert entered.wait(60)
    other.join()


def test_the_claim_that_builds_is_begun_first_and_those_that_would_wait_last() -> None:
    claims = select(["aspdc.a6", "aspdc.lemma-2", "aspdc.a14", "aspdc.theorem-1"])
    formals = [
        number
        for number, claim in enumerate(claims)
        if any(isinstance(level, formal.Formal) for level in claim.evidence)
    ]
    turns = formal.in_turn(claims, Run("full"))
    assert turns == dict(zip(formals, (-1, 1))) and formal.in_turn(claims, Run()) == {}
    for jobs in (0, 2):
        batches = dispatch.batched(claims, {claim.id: float(k) for k, claim in enumerate(claims)}, jobs, (), turns)
        assert (
            batches[0] == (formals[0],) and batches[-1] == (formals[1],) and sorted(sum(batches, ())) == list(range(4))
        )
