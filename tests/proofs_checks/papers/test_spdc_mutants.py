"""SPDC's named mistakes, what its paper does not say, and the audit's rule about them, asserted directly."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import HOLDS, REFUTED, all_claims
from dualgap.proofs_checks.claims.result import ClaimResult, Kills
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.evidence.mutants import mutant, mutants
from dualgap.proofs_checks.papers.spdc import errata as spdc_errata
from dualgap.proofs_checks.papers.spdc import errata_sampling as spdc_errata_sampling
from dualgap.proofs_checks.papers.spdc import section_6 as spdc_section_6
from dualgap.proofs_checks.papers.spdc import strategies as strategies_spdc
from dualgap.proofs_checks.papers.spdc.mutants import MUTANTS
from dualgap.proofs_checks.papers.spdc.variants import certificate_pivots
from dualgap.proofs_checks.report import report
from dualgap.reference.methods.spdc import SPDC

# instance of spdc_errata.ILL_CONDITIONED, mutant; the first three are mistakes that n = 3, m = 2 and uniform norms hide
BLIND = [(1, "scaled-step"), (2, "weight-1/n"), (0, "sigma-unscaled")]
SEEN = [
    (0, "no-extrapolation"),
    (0, "scaled-step"),
    (1, "no-extrapolation"),
    (2, "sigma-unscaled"),
    (2, "weight-one"),
    (3, "weight-1/n"),
    (0, "steps-1/R"),
]


def has_the_rate(place: int, name: str | None) -> bool:
    instance = spdc_errata.ILL_CONDITIONED[place]
    c = Context(instance, None if name is None else mutant(f"spdc.{name}", instance))
    found = certificate_pivots(c)
    return len(found) == 2 * c.problem.d + c.n and min(found) >= 0


def test_every_mistake_changes_some_step() -> None:
    drawn = [i for s in (strategies_spdc.batches, strategies_spdc.nonuniform) for i in draw_instances(s(), 60, 8)]
    idle = {name for name, bug in MUTANTS.items() if bug.method is SPDC}
    for instance in drawn:
        expected = [
            (s.probability, s.w, s.alpha, s.state.u, s.state.w_bar)
            for s in strategies_spdc.begun(Context(instance)).successors
        ]
        for name in list(idle):
            c = strategies_spdc.begun(Context(instance, mutant(name, instance)))
            if [(s.probability, s.w, s.alpha, s.state.u, s.state.w_bar) for s in c.successors] != expected:
                idle.remove(name)
    assert idle == set()


def test_the_rate_tells_the_method_from_its_mistakes_on_the_fixed_instances() -> None:
    assert all(has_the_rate(place, None) for place in range(4))
    assert [(place, name) for place, name in SEEN if has_the_rate(place, name)] == []


def test_other_instances_are_blind_to_some_mistakes() -> None:
    assert all(has_the_rate(place, name) for place, name in BLIND)


def test_steps_with_1_over_R_diverge_from_the_first_digits_on() -> None:
    wide = spdc_errata.mean_squares(Context(spdc_errata.ONE_OVER_R), 200)
    assert wide[1] == Q(40000, 412130601)
    assert [f"{float(wide[t]):.2g}" for t in (2, 5, 9, 11, 20, 50, 100, 200)] == [
        "0.23",
        "0.46",
        "1.3",
        "2.4",
        "39",
        "4.3e+05",
        "2.4e+12",
        "7.3e+25",
    ]


def test_without_u0_the_limit_is_9_13_instead_of_11_26() -> None:
    c = Context(spdc_errata.ELSEWHERE)
    assert spdc_errata.limit(c, [Q(-7, 2)])[1] == [Q(9, 13)]
    assert spdc_errata.limit(c, [Q(0)])[1] == [Q(11, 26)] == c.problem.w(c.optimum)


def test_every_refutation_of_spdc_is_replayed(tmp_path: Any) -> None:
    modules = (spdc_errata, spdc_errata_sampling, spdc_section_6)
    mine = [
        c
        for c in all_claims().values()
        if c.expected == REFUTED and c.check.__module__ in {m.__name__ for m in modules}
    ]
    assert len(mine) >= 9
    for claim in mine:
        path = counterexamples.write(tmp_path, claim, claim.evidence[0].instances[0])  # type: ignore[attr-defined]
        again = counterexamples.replay(path)
        assert again.same_as_file and again.first_false is not None, claim.id


def test_printed_39_loses_what_the_audit_says() -> None:
    lost = [spdc_section_6.float_errors(Context(instance))[0] for instance in spdc_section_6.CANCELS]
    assert [round(float(error), 14) > 0 for error in lost] == [True] * 4 and lost == sorted(lost)


# -- the audit's rule --------------------------------------------------------------------------------------------------


def rows_of(claims: list[Any], without: str = "") -> list[ClaimResult]:
    return [_row(c.id, c.kills, [m for m in c.kills if m != without]) for c in claims]


def _row(name: str, declared: Iterable[str], killed: Iterable[str]) -> ClaimResult:
    return ClaimResult(
        id=name, paper=name.partition(".")[0], status=HOLDS, expected=HOLDS, kills=Kills(tuple(declared), tuple(killed))
    )


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
    row = auditing.examine_claim(
        replace(growth, kills=("spdc.weight-one", "spdc.u-scaled-increment")), auditing.Run(size="quick"), None
    )
    assert row.kills.killed == ("spdc.weight-one",) and not row.as_expected


def test_the_kill_matrix_has_a_list_for_each_paper() -> None:
    claims = [c for c in all_claims().values() if c.paper in ("aspdc", "spdc") and c.kills]
    planted = sorted(name for name in mutants() if name.startswith(("aspdc.", "spdc.")))
    tables = dict(report.mistakes(rows_of(claims), planted))
    assert {paper: len(table) for paper, table in tables.items()} == {"aspdc": 12, "spdc": 17}
    assert [name for table in tables.values() for name, _ in table] == planted and all(
        ids for table in tables.values() for _, ids in table
    )
