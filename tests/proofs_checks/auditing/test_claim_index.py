"""The index of claims, by which ``dualgap claims`` answers at once: it is the registry, and never a stale one."""

import json

import pytest

from dualgap.proofs_checks.auditing import claim_index
from dualgap.proofs_checks.claims.registry import select


def test_an_index_is_the_registry_and_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    expected = sorted(
        (claim.id, claim.expected, claim.statement, list(claim.kills), list(claim.theorems))
        for claim in select(["sdca"])
    )
    assert any(theorems for *_, theorems in expected), "nothing of SDCA is machine-checked"
    for _ in range(2):
        assert [
            (row.id, row.expected, row.statement, row.kills, row.theorems) for row in claim_index.claim_index(["sdca"])
        ] == expected
    (kept,) = (tmp_path / "dualgap" / "claims").iterdir()
    made_up = {name: "" for name in claim_index.Listed._fields} | {
        "id": "sdca.x",
        "paper": "sdca",
        "assumes": [],
        "kills": [],
    }
    kept.write_text(json.dumps([list(made_up.values())]))
    assert [row.id for row in claim_index.claim_index()] == ["sdca.x"], "the kept index is not used"
    kept.write_text("{")
    assert len(claim_index.claim_index(["sdca"])) == len(expected), "a damaged index is not made again"
    with pytest.raises(ValueError, match="nothing"):
        claim_index.claim_index(["nothing"])


def test_a_changed_source_has_another_index(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(claim_index, "_folders", lambda: [tmp_path])
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "source.py").write_text("KEPT = 8")
    before = claim_index._file()
    assert before == claim_index._file()
    (tmp_path / "below" / "source.py").write_text("KEPT = 9")
    assert claim_index._file() != before
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    assert len(claim_index.claim_index(["sdca"])) == len(select(["sdca"])), (
        "where nothing can be written there is no index"
    )
