"""SPDC: validation, the pools and engines of its claims, and the audit's rule for its mutants."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction as Q
from itertools import islice

import pytest
from support import refuses

from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.pool import seed_name
from dualgap.proofs_checks.claims.registry import HOLDS, Claim, all_claims
from dualgap.proofs_checks.claims.result import ClaimResult, Kills
from dualgap.proofs_checks.claims.run import Strategy, draw_instances
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.papers.spdc import instances as drawn_by
from dualgap.proofs_checks.papers.spdc import section_3_perturbation
from dualgap.proofs_checks.papers.spdc.instances import BATCHES_OF_TWO, THREE_ROWS, UNEQUAL_NORMS
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Steps
from dualgap.proofs_checks.papers.spdc.setting import Setting
from dualgap.reference import L2, Hinge, Loss, Problem, SmoothedHinge, Squared
from dualgap.reference.methods.spdc import SPDC, MiniBatchSPDC, NonUniformSPDC
from dualgap.reference.problem.regularizers import ElasticNet


def three_rows(y: tuple[int, ...] = (1, -1, 2), loss: Loss = Squared()) -> Problem:  # noqa: B008
    return Problem([["3/5", "4/5"], [1, 0], [0, 1]], y, loss, L2("1/3"), number=Q)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SPDC("fast"), "theta must be one of paper, sharp, or a number"),
        (lambda: SPDC("3/2"), r"theta must lie in \[0, 1\]"),
        (lambda: SPDC(-1), r"theta must lie in \[0, 1\]"),
        (lambda: SPDC(R=0), "R must be > 0"),
        (lambda: SPDC(tau=1, sigma=0), "sigma must be > 0"),
        (lambda: SPDC(tau=-1, sigma=1), "tau must be > 0"),
        (lambda: SPDC(tau=1), "give tau and sigma together"),
        (lambda: SPDC(delta=-1), "delta must be >= 0"),
        (lambda: MiniBatchSPDC(m=0), "m must be an integer >= 1"),
        (lambda: MiniBatchSPDC(m=2, sampling="replacement"), r"P\(i in K\) is not m/n"),
        (lambda: MiniBatchSPDC(m=2, sampling="partition").require(three_rows()), "m = 2 does not divide n = 3"),
        (lambda: MiniBatchSPDC(m=4).require(three_rows()), "1 <= m <= n"),
        (lambda: NonUniformSPDC(mix=1), r"mix must lie in \(0, 1\)"),
        (lambda: NonUniformSPDC(mix=0), r"mix must lie in \(0, 1\)"),
        (lambda: SPDC(R="1/2").init(three_rows()), "R must be at least max"),
        (lambda: SPDC(tau=1, sigma=1).require(three_rows()), r"needs tau sigma <= 1/\(4R\^2\)"),
        (lambda: SPDC().init(three_rows((1, -1, 1), Hinge())), "needs a smooth loss"),
        (
            lambda: SPDC().init(three_rows((1, -1, 1), SmoothedHinge()), [1, 0, 0]),
            r"alpha\[0\] = 1 is outside the domain",
        ),
        (lambda: SPDC().init(three_rows(), None, [0, 0, 0]), "w must have 2 entries"),
    ],
)
def test_validation_names_what_is_wrong(make: Callable[[], object], message: str) -> None:
    refuses(ValueError, message, make)


POOLS = [drawn_by.batches, drawn_by.batches_anywhere, drawn_by.singles]
POOLS += [drawn_by.nonuniform, drawn_by.nonuniform_anywhere, drawn_by.runs, drawn_by.runs_weighted]


@pytest.mark.parametrize("pool", POOLS, ids=seed_name)
def test_pools_hold_every_kind_of_instance_with_rational_steps_and_an_exact_saddle_point(pool: Strategy) -> None:
    instances = draw_instances(pool(), 60, 2017)
    for instance in instances:
        assert Instance.from_json(instance.to_json()) == instance
        t = Setting(Context(instance))
        assert all(type(value) is Q for value in (t.tau, t.sigma, t.theta, *t.pn)) and 0 < t.theta < 1
        assert t.problem.P(t.w_star) == t.problem.D(t.alpha_star)
    assert {i.loss for i in instances} == {"squared", "smoothed-hinge", "squared-hinge"}
    assert {bool(i.l1) for i in instances} == {True, False} and {len(i.rows) for i in instances} >= {1, 2, 3}
    if pool is drawn_by.batches:
        assert {i.options.get("sampling") for i in instances} == {None, "subset", "systematic", "partition"}
        assert {i.options.get("m", 1) for i in instances} == {1, 2, 3, 4}


def test_the_exact_optimum_is_found_where_the_float_search_is_badly_conditioned() -> None:
    """kappa/n > 10^4 with l1 > 0: thousands of dual coordinate passes do not find the right piece."""
    problem = Problem(
        [["-80/3", "40/3", "-10/3"], ["-90/19", "-30/19", "5/19"]],
        [1, 1],
        SmoothedHinge("1/2"),
        ElasticNet("49/1600", "1/10"),
        number=Q,
    )
    best = exact_optimum(problem)
    assert problem.P(problem.w(best)) == problem.D(best)


@pytest.mark.parametrize("instance", [THREE_ROWS, BATCHES_OF_TWO, UNEQUAL_NORMS])
def test_means_of_quadratic_forms_are_those_over_all_paths(instance: Instance) -> None:
    context = Context(instance)
    observables = (lambda w, alpha: Setting(context).dw2(w), lambda w, alpha: Setting(context).da2(alpha))
    steps, by_paths = Steps(context).means(context.state, 3, observables), []
    for layer in islice(distributions(context.method, context.problem, context.state), 4):
        views = [(p, *context.method.view(context.problem, state)) for p, state in layer]
        by_paths.append([sum(p * q(w, alpha) for p, w, alpha in views) for q in observables])
    assert steps == by_paths and all(map(any, by_paths))


GRID = [Q(k, 8) for k in range(-40, 41)]
CASES = [
    *section_3_perturbation.FAR,
    *(i for number in (1, 2, 3, 4) for i in draw_instances(section_3_perturbation.cases(number=number), 5, number)),
]


@pytest.mark.parametrize("instance", CASES, ids=range(len(CASES)))
def test_nothing_on_a_grid_is_below_the_minimiser_of_a_case(instance):
    _, case = section_3_perturbation.table_case(Context(instance))
    assert case.P_star <= min(case.P([w]) for w in GRID)
    assert case.P_star < max(case.P([w]) for w in GRID)


def rows_of(claims: list[Claim], without: str = "") -> list[ClaimResult]:
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


def test_mutants_are_tried_on_golden_instances_too() -> None:
    changed = replace(all_claims()["spdc.sampling"], kills=("spdc.never-last", "spdc.wrong-u0"))
    row = auditing.examine_claim(changed, auditing.Run(size="quick"), None)
    assert row.kills.killed == ("spdc.never-last",) and not row.as_expected
