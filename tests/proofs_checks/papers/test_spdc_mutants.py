"""The audit's rule that each mutant has a claim that kills it, and the replay of SPDC's refuted claims."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.registry import HOLDS, REFUTED, all_claims
from dualgap.proofs_checks.claims.result import ClaimResult, Kills
from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.report import report


def test_every_refutation_of_spdc_is_replayed(tmp_path: Any) -> None:
    mine = [c for c in all_claims().values() if c.expected == REFUTED and c.paper == "spdc"]
    assert len(mine) >= 9
    for claim in mine:
        path = counterexamples.write(tmp_path, claim, claim.evidence[0].instances[0])  # type: ignore[attr-defined]
        again = counterexamples.replay(path)
        assert again.same_as_file and again.first_false is not None, claim.id


# -- the audit's rule --------------------------------------------------------------------------------------------------


def rows_of(claims: list[Any], without: str = "") -> list[ClaimResult]:
    return [_row(c.id, c.kills, [m for m in c.kills if m != without]) for c in claims]


def _row(name: str, declared: Iterable[str], killed: Iterable[str]) -> ClaimResult:
    kills = Kills(tuple(declared), tuple(killed))
    return ClaimResult(id=name, paper=name.partition(".")[0], status=HOLDS, expected=HOLDS, kills=kills)


@pytest.mark.parametrize("paper", ["aspdc", "spdc"])
def test_a_mutant_that_no_claim_of_its_paper_kills_is_named_where_the_paper_is_audited_as_a_whole(paper: str) -> None:
    claims = [c for c in all_claims().values() if c.paper == paper]
    name = next(m for m in mutants() if m.startswith(f"{paper}."))
    assert auditing._without_killer(claims, rows_of(claims)) == []
    assert auditing._without_killer(claims, rows_of(claims, without=name)) == [name]
    assert auditing._without_killer(claims[1:], rows_of(claims[1:], without=name)) == []


def test_a_kill_by_a_claim_of_another_paper_does_not_count() -> None:
    claims = [c for c in all_claims().values() if c.paper == "spdc"]
    rows = rows_of(claims, without="spdc.weight-one")
    stranger = _row("aspdc.x", [], ["spdc.weight-one"])
    assert auditing._without_killer(claims, [*rows, stranger]) == ["spdc.weight-one"]


def test_mutants_are_tried_on_golden_instances_too() -> None:
    growth = all_claims()["spdc.growth"]
    changed = replace(growth, kills=("spdc.weight-one", "spdc.u-scaled-increment"))
    row = auditing.examine_claim(changed, auditing.Run(size="quick"), None)
    assert row.kills.killed == ("spdc.weight-one",) and not row.as_expected


def test_the_kill_matrix_has_a_list_for_each_paper() -> None:
    claims = [c for c in all_claims().values() if c.paper in ("aspdc", "spdc") and c.kills]
    planted = sorted(name for name in mutants() if name.startswith(("aspdc.", "spdc.")))
    tables = dict(report.mistakes(rows_of(claims), planted))
    assert list(tables) == ["aspdc", "spdc"]
    rows = [row for table in tables.values() for row in table]
    assert [name for name, _ in rows] == planted and all(ids for _, ids in rows)
