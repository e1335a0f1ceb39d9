"""The machine-checked proof in an audit of several processes: it is built once."""

import pathlib
import threading

import pytest

from dualgap.proofs_checks.auditing import dispatch
from dualgap.proofs_checks.claims.registry import select
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence import formal


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
        batches = dispatch.batched(claims, {claim.id: float(k) for k, claim in enumerate(claims)}, jobs, turns)
        assert (
            batches[0] == (formals[0],) and batches[-1] == (formals[1],) and sorted(sum(batches, ())) == list(range(4))
        )
