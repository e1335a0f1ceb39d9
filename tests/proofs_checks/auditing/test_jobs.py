"""An audit by several processes or on a cluster: its report is that of one process."""

import gc
import json
import os
import signal
from collections.abc import Iterator

import pytest

from dualgap.proofs_checks.auditing import dispatch
from dualgap.proofs_checks.auditing.audit import audit, examine_claim
from dualgap.proofs_checks.claims import registry
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import CLAIMS, ERROR, HOLDS, select
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.claims.run import Run, is_statistical
from dualgap.proofs_checks.evidence.levels import fails_on, golden

SOME = "aspdc.a14 aspdc.a6 aspdc.e3 spdc.code.sampler aspdc.lemma-2.sharp pgs.rcv1 pgs.theorem-3.argmin".split()
TINY = Instance(rows=(Qs(1),), y=Qs(2), alpha=Qs("1/2"), lam=Q(4))


@pytest.fixture(autouse=True)
def everything_is_worth_a_process(monkeypatch):
    monkeypatch.setattr(dispatch, "WORTH_IT", 0.0)


def told(report, folder):
    """The report's claims without seconds, and every counterexample file, both without the folder's name."""
    rows = [{key: value for key, value in row.items() if key != "seconds"} for row in report["claims"]]
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("counterexample-*.json"))}
    return json.loads(json.dumps(rows).replace(str(folder), "FOLDER")), files


@pytest.mark.needs("joblib")
def test_two_jobs_report_what_one_does_to_the_letter(tmp_path):
    said: list[str] = []
    one, two = (
        audit(
            SOME,
            "quick",
            5,
            tmp_path / str(jobs),
            lambda name, done, total: said.append(f"{done + 1}/{total} {name}"),
            jobs=jobs,
        )
        for jobs in (1, 2)
    )
    assert told(one, tmp_path / "1") == told(two, tmp_path / "2")
    assert [row["id"] for row in two["claims"]] == sorted(SOME) and two["verdict"] == "pass"
    assert any(told(one, tmp_path / "1")[1])
    assert any("NOT-REFUTED" in level for row in two["claims"] for level in row["evidence"])
    assert sum(": HOLDS" in line or ": REFUTED" in line for line in said) == len(SOME), "a line for each verdict"


def test_a_statistical_level_has_the_share_that_its_place_gives_it():
    claims = select(["aspdc", "spdc"])
    statistics = [item.statistics for item in dispatch.items_of(claims)]
    assert statistics[0] == 0 and statistics == sorted(statistics)
    assert statistics[-1] == sum(is_statistical(level) for claim in claims for level in claim.evidence) == 1


@pytest.fixture
def add_claim(monkeypatch):
    registry.all_claims()

    def add(name, *evidence):
        def check(c):
            yield Le(Q(1), Q(2) if c.instance == TINY else Q(0), "always")

        claim = registry.claim(
            f"test.{name}",
            "a test",
            hypotheses="",
            evidence=evidence or [golden(TINY)],
            control=fails_on(TINY.but(lam=Q(1)), text="another"),
            origin=OURS,
        )
        claim(check)
        monkeypatch.setitem(CLAIMS, f"test.{name}", CLAIMS.pop(f"test.{name}"))

    return add


@pytest.mark.nightly
@pytest.mark.needs("joblib")
def test_a_claim_that_no_worker_can_import_is_examined_here(add_claim):
    add_claim("here")
    rows = audit(["test", "aspdc.a14", "aspdc.a6"], "quick", 5, jobs=2)["claims"]
    assert [(row["id"], row["status"]) for row in rows] == [
        ("aspdc.a14", HOLDS),
        ("aspdc.a6", HOLDS),
        ("test.here", HOLDS),
    ]


def test_a_claim_whose_process_has_ended_is_an_error_with_the_reason():
    row = dispatch.lost(select(["aspdc.a6"])[0], "the process has ended twice: SIGKILL", examine_claim)
    assert (row.status, row.expected, row.as_expected) == (ERROR, HOLDS, False) and "SIGKILL" in row.error


def test_garbage_is_sought_seldom_while_a_claim_is_examined_and_then_as_before():
    before, (claim,) = gc.get_threshold(), select(["aspdc.a6"])
    during = []

    def examine(claim, run, folder):
        during.append(gc.get_threshold())
        raise RuntimeError

    with pytest.raises(RuntimeError):
        dispatch.one_by_one([claim], dispatch.Examination(examine, Run(size="quick"), None))
    assert during == [(dispatch.GARBAGE, *before[1:])] and gc.get_threshold() == before


def test_batches_hold_every_claim_once_and_those_of_a_strategy_together():
    claims = select([])
    seconds = {claim.id: 1.0 for claim in claims}
    for jobs in (0, 2):
        batches = dispatch.batched(claims, seconds, jobs)
        assert sorted(number for batch in batches for number in batch) == list(range(len(claims)))
        assert (max(map(len, batches)) == 1) is (jobs == 0)
    assert len(dispatch.batched(claims, seconds, 2)) < len(claims)
    data = {number for number, claim in enumerate(claims) if claim.id.endswith(".code.real-data")}
    assert any(data <= set(batch) for batch in batches) and len(data) == 4  # one process imports scikit-learn


def test_instances_are_let_go_of_with_the_last_claim_that_draws_them():
    claims = select(["aspdc.a14", "aspdc.a6", "aspdc.strong-conjugate"])
    strategies = [claim.evidence[0].strategy for claim in claims]
    kept: list[set[object]] = []

    def examine(claim, run, folder):
        kept.append({strategy for strategy, *_ in run.pools})
        run.contexts(claim.evidence[0].strategy, 4)
        return ClaimResult(id=claim.id, paper=claim.paper, status=HOLDS, expected=HOLDS)

    assert len(set(strategies)) > 1
    dispatch.one_by_one(claims, dispatch.Examination(examine, Run(size="quick"), None))
    assert kept == [set(strategies[:k]) & set(strategies[k:]) for k in range(3)]


@pytest.fixture
def cluster() -> Iterator[object]:
    """Two worker processes and their client, as joblib's backend."""
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers, Client(workers) as client:
        yield client


@pytest.mark.needs("joblib")
@pytest.mark.needs("distributed")
@pytest.mark.nightly
def test_a_dask_cluster_one_of_whose_workers_is_killed_reports_what_one_process_does(tmp_path, cluster):
    from joblib import parallel_config

    killed: list[int] = []

    def kill(name, done, total):
        if not killed:
            killed.append(next(iter(cluster.run(os.getpid).values())))
            os.kill(killed[0], getattr(signal, "SIGKILL", signal.SIGTERM))

    with parallel_config(backend="dask"):
        claims = audit(SOME, "quick", 5, tmp_path / "dask", kill)
    assert killed
    assert told(claims, tmp_path / "dask") == told(audit(SOME, "quick", 5, tmp_path / "one"), tmp_path / "one")
