"""An audit by several processes, in pieces, or on a cluster: its report is that of one process."""

import gc
import json
import os
import signal
from collections.abc import Iterator

import pytest
from support import refuses

from dualgap.proofs_checks.auditing import dispatch, pieces
from dualgap.proofs_checks.auditing.audit import audit, examine_claim
from dualgap.proofs_checks.claims import registry
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import CLAIMS, ERROR, HOLDS, select
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.claims.run import Run, is_statistical
from dualgap.proofs_checks.evidence.levels import fails_on, golden
from dualgap.reference.problem.validate import NotWritten

SOME = "aspdc.a14 aspdc.a6 aspdc.e3 aspdc.code.sampler aspdc.lemma-2.sharp pgs.rcv1 pgs.theorem-3.argmin".split()
DRAWN = ["aspdc.a14", "aspdc.strong-conjugate"]
TINY = Instance(rows=(Qs(1),), y=Qs(2), alpha=Qs("1/2"), lam=Q(4))


@pytest.fixture(autouse=True)
def everything_is_worth_a_process(monkeypatch, tmp_path):
    monkeypatch.setattr(dispatch, "WORTH_IT", 0.0)
    monkeypatch.setattr(pieces, "PIECE", 5)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


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
    assert statistics[-1] == sum(is_statistical(level) for claim in claims for level in claim.evidence) >= 2


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


@pytest.mark.nightly
@pytest.mark.needs("joblib")
def test_what_is_asked_aside_is_answered_by_another_process_and_else_by_this_one():
    aside, claims = dispatch.Aside(os.getpid), select(["aspdc.a14", "aspdc.a6"])
    rows = dispatch.rows(claims, dispatch.Examination(examine_claim, Run(size="quick"), None), None, 2, aside)
    assert [row.id for row in rows] == [claim.id for claim in claims]
    assert len(aside.found) == 1 and aside.value() == aside.found[0] != os.getpid() == dispatch.Aside(os.getpid).value()


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
    here = dispatch.quick(claims, dict.fromkeys(seconds, 0.01))
    for jobs in (0, 2):
        batches = dispatch.batched(claims, seconds, jobs, here)
        assert sorted([*here, *(number for batch in batches for number in batch)]) == list(range(len(claims)))
        assert (max(map(len, batches)) == 1) is (jobs == 0)
    assert here and len(dispatch.batched(claims, seconds, 2)) < len(claims)
    assert all(claims[number].kind != "implementation" for number in here)  # it must not compile
    data = {number for number, claim in enumerate(claims) if claim.id.endswith(".code.real-data")}
    assert any(data <= set(batch) for batch in batches) and len(data) == 3  # one process imports scikit-learn


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


def in_pieces(folder, **options):
    return audit(DRAWN, "quick", 5, folder, instances=18, **options)


@pytest.fixture
def whole(tmp_path):
    """The report of an undisturbed audit in pieces: two levels of one claim, one of another, four
    pieces each.
    """
    report = in_pieces(tmp_path / "whole")
    assert report["pieces"] == {"finished": 12, "total": 12} and report["verdict"] == "pass"
    assert [row["evidence"] for row in report["claims"]] == [
        ["EXACT(18)"],
        ["EXACT(18)", "ENCLOSED(18, 20 digits, 0 undecided)", "SKIPPED(runs with --full)"],
    ]
    return told(report, tmp_path / "whole")


def stopped_after(count):
    def progress(name, done, total):
        if done + 1 == count:
            raise KeyboardInterrupt

    return progress


def test_an_interrupted_audit_in_pieces_goes_on_to_the_same_report_and_makes_no_piece_twice(tmp_path, whole):
    folder, made = tmp_path / "again", []
    stopped = in_pieces(folder, progress=stopped_after(5))
    assert stopped["interrupted"] and stopped["claims"] == [] and stopped["pieces"] == {"finished": 5, "total": 12}
    resumed = audit(
        DRAWN, "quick", None, folder, lambda name, done, total: made.append(name), instances=18, resume=True
    )
    assert told(resumed, folder) == whole and len(made) == 7 and resumed["entropy"] == 5


def test_a_damaged_piece_is_made_again(tmp_path, whole):
    folder = tmp_path / "damaged"
    in_pieces(folder)
    (folder / "pieces" / "aspdc.a14-0-2.json").write_text('{"name": "aspdc.a14-0-1"', encoding="utf-8")
    with pytest.warns(NotWritten, match="damaged"):
        assert told(in_pieces(folder, resume=True), folder) == whole


def test_pieces_of_another_audit_are_refused_in_one_line(tmp_path):
    audit(["aspdc.a14"], "quick", 5, tmp_path, instances=4)
    for options, said in (
        ({"names": ["aspdc.a14"], "instances": 4}, "--resume continues from there"),
        ({"names": ["aspdc.a14"], "instances": 5, "resume": True}, "another instances"),
        ({"names": ["aspdc.a6"], "instances": 4, "resume": True}, "another claims"),
        ({"names": ["aspdc.a14"], "instances": 4, "entropy": 6, "resume": True}, "entropy 5"),
    ):
        with pytest.raises(ValueError, match=said) as refusal:
            audit(size="quick", out=tmp_path, **options)
        assert "\n" not in str(refusal.value)


def test_pieces_of_no_claim_are_refused():
    for names, options, said in (
        ([], {"instances": 4}, "the names of claims"),
        (["aspdc.a14"], {"instances": 0}, "N >= 1"),
        (["pgs.rcv1"], {"instances": 4}, "draws"),
        ([], {"resume": True}, "pieces"),
    ):
        refuses(ValueError, said, audit, names, "quick", 5, **options)


@pytest.fixture
def cluster() -> Iterator[object]:
    """Two worker processes and their client, as joblib's backend."""
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers, Client(workers) as client:
        yield client


@pytest.mark.needs("joblib")
@pytest.mark.needs("distributed")
@pytest.mark.nightly
def test_a_dask_cluster_one_of_whose_workers_is_killed_reports_what_one_process_does(tmp_path, whole, cluster):
    from joblib import parallel_config

    killed: list[int] = []

    def kill(name, done, total):
        if not killed:
            killed.append(next(iter(cluster.run(os.getpid).values())))
            os.kill(killed[0], getattr(signal, "SIGKILL", signal.SIGTERM))

    with parallel_config(backend="dask"):
        disturbed = in_pieces(tmp_path / "dask", progress=kill)
        claims = audit(SOME, "quick", 5, tmp_path / "claims")
    assert killed and told(disturbed, tmp_path / "dask") == whole
    assert told(claims, tmp_path / "claims") == told(audit(SOME, "quick", 5, tmp_path / "one"), tmp_path / "one")


def test_the_estimate_begins_with_what_is_expected_and_goes_over_to_what_is_seen(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(dispatch.time, "perf_counter", lambda: now[0])
    claims = select(SOME)
    watch = dispatch._Watch(claims, {claim.id: 20.0 for claim in claims}, 2, None)

    def said():
        return float(watch.estimate().removeprefix(" | about ").removesuffix(" s left"))

    assert said() == 70  # seven of 20 s, two at a time
    now[0] = 6.0
    assert 70 <= said() <= 3 * 70 + 30, "nothing is finished: a little longer, not for ever"
    for number in range(4):
        watch.finished(number, {"id": SOME[number], "status": HOLDS})
    now[0] = 160.0
    assert abs(said() - 120) <= 20, "half of the speed that was expected is what was seen"
