"""An id that a claim once had says where the claim went."""

import json

import pytest

from dualgap.proofs_checks.auditing.counterexamples import replay
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.old_ids import old_ids
from dualgap.proofs_checks.claims.registry import all_claims, select

LONE_ROW = Instance(rows=((1,),), y=(1,), alpha=(0,), lam=1)


@pytest.mark.parametrize("old", old_ids().values(), ids=lambda old: old.id)
def test_an_old_id_is_free_and_its_new_id_is_a_claim(old):
    assert old.id not in all_claims()
    assert old.new == "-" or old.new in all_claims()
    assert old.sentence.endswith(".")


def test_audit_claims_and_replay_say_where_a_removed_claim_went(tmp_path):
    old = next(iter(old_ids().values()))
    with pytest.raises(ValueError, match=rf"^claim {old.id} was removed: .*{old.sentence}$"):
        select([old.id])
    file = tmp_path / "counterexample-old.json"
    parts = {"claim": old.id, "instance": LONE_ROW.to_json(), "chain": []}
    file.write_text(json.dumps(parts))
    with pytest.raises(ValueError, match=rf"claim {old.id} was removed: .*{old.sentence}$"):
        replay(file)
    with pytest.raises(ValueError, match="no paper or claim is named 'aspdc.never'"):
        select(["aspdc.never"])


def test_a_line_without_three_parts_is_refused(tmp_path, monkeypatch):
    package = tmp_path / "half_a_line"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "old_ids.txt").write_text("aspdc.f2\taspdc.algorithm-1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("dualgap.proofs_checks.claims.old_ids.FOLDERS", ("half_a_line",))
    with pytest.raises(ValueError, match=r"old_ids.txt:1: a line is an old id, .* \(got 'aspdc.f2"):
        old_ids()
