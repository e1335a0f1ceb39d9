"""CoCoA+ over partitions: bit-identical to one machine, with sound certificates, also if workers and drivers die."""

import os
import signal
from collections.abc import Callable
from fractions import Fraction
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.extras.cocoa.cluster import part as worker
from dualgap.extras.cocoa.cluster.part import Part, Round, Source, Store, alpha_at, make_round
from dualgap.extras.cocoa.cluster.partitioned import PartitionedProblem, PartSums, part_facts, part_sums
from dualgap.extras.cocoa.reference import CoCoA
from dualgap.fast import Certificate, Result, solve, solve_partitions
from dualgap.fast.data.convert import map_parts
from dualgap.fast.data.load import load, prepare
from dualgap.reference import L2, ElasticNet, Hinge, Loss, Problem, Regularizer, SmoothedHinge, Squared

Data = tuple[csr_array, np.ndarray]
Spoil = Callable[[PartSums], PartSums]
ENDS = [70, 160, 300]
LOSS, REGULARIZER = SmoothedHinge(), L2(1e-2)


@pytest.fixture(scope="module")
def data() -> Data:
    found = prepare(load("rcv1-like:n=300,d=200"), unit_rows=True)
    return csr_array(found.X), found.y


def split(data: Data, ends: list[int] = ENDS) -> list[Data]:
    return [(data[0][a:b], data[1][a:b]) for a, b in pairwise([0, *ends])]


def run(data: Data, **given: Any) -> Any:
    return solve_partitions(
        **{
            "partitions": split(data),
            "loss": LOSS,
            "regularizer": REGULARIZER,
            "method": "cocoa",
            "tol": 1e-12,
            "max_epochs": 6,
            **given,
        }
    )


def test_solve_with_partitions_warns_and_is_the_same_run(data: tuple) -> None:
    with pytest.warns(DeprecationWarning, match="leaves in the next version: call solve_partitions") as said:
        old = solve(partitions=split(data), loss=LOSS, regularizer=REGULARIZER, method="cocoa", tol=1e-12, max_epochs=6)
    assert same(old, run(data)) and said[0].filename == __file__
    refuses(ValueError, "solve needs a problem; rows in partitions are for solve_partitions", solve)


def same(one: Result, other: Result) -> bool:
    return one.w.tobytes() == other.w.tobytes() and np.asarray(one.alpha).tobytes() == np.asarray(other.alpha).tobytes()


@pytest.mark.parametrize("given", [{}, {"order": "permuted", "aggregation": "averaging"}, {"H": 20, "seed": 3}])
def test_parts_have_the_bits_of_one_machine(data: tuple, given: dict) -> None:
    alone = solve(Problem(*data, LOSS, REGULARIZER), "cocoa", parts=ENDS, tol=1e-12, max_epochs=6, **given)
    assert same(run(data, **given), alone) and alone.epochs == 6


@pytest.mark.parametrize("order", ["uniform", "permuted"])
def test_one_part_is_sdca(data: tuple, order: str) -> None:
    alone = solve(Problem(*data, LOSS, REGULARIZER), "sdca", order=order, tol=1e-12, max_epochs=6)
    assert same(run(data, partitions=[data], order=order), alone)


def test_mapped_parts_are_balanced_and_read_in_blocks(data: tuple, tmp_path: Path) -> None:
    parts = map_parts("rcv1-like:n=300,d=200", tmp_path / "parts", 4, unit_rows=True)
    entries = [part.facts["stored"] for part in parts]
    assert sum(part.X.shape[0] for part in parts) == 300 and {part.X.shape[1] for part in parts} == {200}
    assert max(entries) - min(entries) <= 300 // 4 + int(np.diff(data[0].indptr).max())
    found = run(data, partitions=[part.name for part in parts], order="blocks", tol=1e-3, max_epochs=200)
    assert found.status == "converged" and [len(alpha) for alpha in found.parts] == [part.X.shape[0] for part in parts]


class Held:
    """Workers that hold parts and any alpha; ``spoil`` changes what one of them says."""

    def __init__(self, problems: list[Problem], alphas: list[np.ndarray], spoil: Spoil | None = None) -> None:
        self.problems, self.alphas, self.spoil = problems, alphas, spoil

    def sums(self, version: int, w: np.ndarray, compensated: bool) -> list[PartSums]:
        found = [part_sums(problem, w, alpha, compensated) for problem, alpha in zip(self.problems, self.alphas)]
        return found if self.spoil is None else [self.spoil(found[0]), *found[1:]]


def pair(
    loss: Loss, regularizer: Regularizer, seed: int, spoil: Spoil | None = None
) -> tuple[PartitionedProblem, np.ndarray, Fraction]:
    """Rows of very different sizes in three parts, a pair next to the optimum or far away, and its gap in rationals."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(12, 4)) * 10.0 ** random.integers(-3, 4, size=(12, 1))
    X[6:] = X[:6] * (1 + 1e-9 * random.normal(size=(6, 1)))  # nearly equal rows of other parts: u cancels
    y = np.where(random.random(12) < 0.5, -1.0, 1.0)
    alpha = -y * random.random(12)
    ends = [3, 8, 12]
    exact = Problem(
        [[Fraction(x) for x in row] for row in X.tolist()],
        [Fraction(v) for v in y.tolist()],
        loss,
        regularizer,
        number=Fraction,
    )
    whole = Problem(X, y, loss, regularizer)
    w = np.array(whole.w(alpha.tolist())) if seed % 2 else random.normal(size=4)
    problems = [Problem(X[a:b], y[a:b], loss, regularizer) for a, b in pairwise([0, *ends])]
    workers = Held(problems, [alpha[a:b] for a, b in pairwise([0, *ends])], spoil)
    parted = PartitionedProblem([part_facts(p, str(k)) for k, p in enumerate(problems)], loss, regularizer, workers)
    gap = exact.gap([Fraction(w_j) for w_j in w.tolist()], [Fraction(a) for a in alpha.tolist()])
    return parted, w, gap


@pytest.mark.parametrize("compensated", [False, True])
@pytest.mark.parametrize(
    ("loss", "regularizer"), [(SmoothedHinge(), L2(1e-3)), (Hinge(), L2(1e-6)), (Squared(), ElasticNet(1e-2, 1e-2))]
)
def test_the_bound_from_the_sums_of_the_parts_is_never_below_the_gap_in_the_reals(
    loss: Loss, regularizer: Regularizer, compensated: bool
) -> None:
    below = 0
    for seed in range(40):
        problem, w, gap = pair(loss, regularizer, seed)
        found = Certificate(problem, w, np.zeros(1), compensated)
        assert Fraction(found.gap_bound) >= gap, (seed, found.gap_bound, float(gap))
        assert found.gap_bound <= 1.01 * float(gap) + found.rounding + found.resolution, "and it says something"
        below += Fraction(found.gap) < gap
    assert below, "without what rounding adds it would be below, somewhere"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: s._replace(high=2 * s.high),
        lambda s: s._replace(sums=s.sums._replace(conjugates=2 * s.sums.conjugates + 1)),
    ],
)
def test_a_worker_that_tells_another_sum_does_not_pass(spoil: Spoil) -> None:
    problem, w, _ = pair(SmoothedHinge(), L2(1e-3), 1, spoil)
    refuses(ArithmeticError, "differ by more than rounding allows", lambda: Certificate(problem, w, np.zeros(1)))


def test_a_partition_that_does_not_fit_is_named(data: tuple, tmp_path: Path) -> None:
    (X, y), other = split(data)[0], split(data)[1]
    for wrong, said in [
        ((X[:, :150], y), "partition 1 has 150 columns, and partition 0 has 200"),
        ((X, 2 * y), r"partition 1: .*label"),
        ((X, y[:-1]), "partition 1: "),
        (str(tmp_path / "nothing"), "nothing: there is no such folder"),
        (7, "partition 1 must be a mapped folder"),
    ]:
        refuses(ValueError, said, run, data, partitions=[other, wrong])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "sdca"}, "method cocoa"),
        ({"alpha": [0.0]}, "leave alpha and w out"),
        ({"loss": None}, "give all three"),
        ({"parts": 3}, "leave it out"),
        ({"partitions": []}, "one or more"),
        ({"order": "sideways"}, "order must be"),
        ({"order": "permuted", "H": 3}, "order must be"),
        ({"threads": 2}, "one thread for each"),
        ({"sigma": 1}, "Leave sigma out"),
        ({"resume": True}, "give its name"),
    ],
)
def test_what_does_not_go_with_partitions_is_refused_in_words(data: tuple, given: dict, said: str) -> None:
    refuses(ValueError, said, run, data, **given)


def test_a_round_is_made_again_from_its_file_in_another_process_with_the_same_bits(data: tuple, tmp_path: Path) -> None:
    part, v = Part(Source.of(split(data)[0], 0), LOSS, REGULARIZER), np.zeros(200)
    store = Store(str(tmp_path), "a run")
    told = [Round(store, CoCoA(parts=ENDS), "uniform", 0, 3.0, version, version - 1, 0, 1, ()) for version in (1, 2, 3)]
    first = [make_round(part, 0, one, v).tobytes() for one in told]
    kept = alpha_at(part, 0, store, 3).tobytes()
    worker.HELD.clear()  # another process, which has only the files
    assert make_round(part, 0, told[2], v).tobytes() == first[2] and alpha_at(part, 0, store, 3).tobytes() == kept
    assert sorted(os.listdir(tmp_path)) == ["part-0-round-2.alpha", "part-0-round-3.alpha"], (
        "rounds that are over are removed"
    )
    worker.HELD.clear()
    with pytest.raises(
        ValueError, match="partition 0: alpha of round 1 is not in .*: all workers must see that folder"
    ):
        make_round(part, 0, told[1], v)
    other = Part(Source.of(split(data)[1], 0), LOSS, REGULARIZER)
    refuses(ValueError, "was written for other rows", alpha_at, other, 0, store, 3)


@pytest.mark.parametrize("stop", [1, 9])
def test_a_driver_that_was_interrupted_goes_on_to_the_same_end(
    data: tuple, tmp_path: Path, sigint_interrupts: None, stop: int
) -> None:
    def interrupt(epochs: int, seconds: float) -> None:
        if epochs == stop:
            os.kill(os.getpid(), signal.SIGINT)

    whole = run(data, tol=1e-4, max_epochs=300)
    file = tmp_path / "run.ckpt"
    cut = run(data, tol=1e-4, max_epochs=300, checkpoint=file, progress=interrupt)
    assert cut.status == "interrupted" and (tmp_path / "run.ckpt.parts").is_dir()
    worker.HELD.clear()
    refuses(ValueError, "exists; resume it", run, data, tol=1e-4, checkpoint=file)
    with pytest.raises(ValueError, match="another run"):
        run(data, partitions=split(data, [100, 160, 300]), checkpoint=file, resume=True)
    resumed = run(data, tol=1e-4, max_epochs=300, checkpoint=file, resume=True)
    assert same(resumed, whole) and resumed.status == "converged"
    assert [entry.gap_bound for entry in resumed.history] == [entry.gap_bound for entry in whole.history]


def test_after_a_run_nothing_of_it_is_held(data: tuple) -> None:
    before = dict(worker.HELD)
    found = run(data)
    assert worker.HELD == before
    with pytest.raises(ValueError, match="the run has ended and the workers have released the rows"):
        Certificate(found.certificate.problem, found.w, found.certificate.alpha)


@pytest.mark.needs("distributed")
def test_a_cluster_one_of_whose_workers_is_killed_ends_with_the_bits_of_one_process(data: tuple) -> None:
    from distributed import Client, LocalCluster

    whole, killed = run(data, tol=1e-3, max_epochs=300), []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers, Client(workers) as client:

        def kill(epochs: int, seconds: float) -> None:
            if epochs >= 3 and not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], getattr(signal, "SIGKILL", signal.SIGTERM))

        disturbed = run(data, tol=1e-3, max_epochs=300, cluster=client, progress=kill)
        assert killed and same(disturbed, whole) and disturbed.epochs == whole.epochs
        with pytest.raises(ValueError, match="partition 1 has 150 columns"):
            run(data, partitions=[split(data)[0], (split(data)[1][0][:, :150], split(data)[1][1])], cluster=client)


@pytest.mark.needs("distributed")
def test_an_address_where_no_scheduler_answers_is_one_line(data: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    def nobody(address: str, timeout: int) -> None:
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", nobody)
    with pytest.raises(
        ValueError, match=r"no Dask scheduler answers at tcp://127.0.0.1:1 .* start one with: dask scheduler"
    ):
        run(data, cluster="tcp://127.0.0.1:1")


class Elsewhere:
    """A client whose scheduler and worker have these versions of dualgap, or none."""

    def __init__(self, scheduler: str | None, worker: str | None) -> None:
        self.versions, self.closed = (scheduler, worker), False

    def version(self, k: int) -> str:
        if self.versions[k] is None:
            raise metadata.PackageNotFoundError("dualgap")
        return str(self.versions[k])

    def run_on_scheduler(self, function: object, *arguments: object) -> str:
        return self.version(0)

    def run(self, function: object, *arguments: object, on_error: str) -> dict[str, object]:
        assert on_error == "return"
        try:
            return {"tcp://10.0.0.2:1": self.version(1)}
        except metadata.PackageNotFoundError as missing:
            return {"tcp://10.0.0.2:1": missing}

    def close(self) -> None:
        self.closed = True


@pytest.mark.needs("distributed")
@pytest.mark.parametrize(
    ("scheduler", "worker", "said"),
    [
        (None, "same", r"the scheduler has no dualgap .*install dualgap"),
        ("same", None, r"worker tcp://10\.0\.0\.2:1 has no dualgap .*install dualgap"),
        ("0.0.1", "same", r"the scheduler has dualgap 0\.0\.1, but here it is"),
        ("same", "0.0.1", r"worker tcp://10\.0\.0\.2:1 has dualgap 0\.0\.1, but here it is"),
        ("same", "same", None),
    ],
)
def test_a_cluster_with_another_dualgap_or_none_is_refused(
    scheduler: str | None, worker: str | None, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    from dualgap.fast.solver.dask_client import connected

    here = metadata.version("dualgap")
    client = Elsewhere(*(here if version == "same" else version for version in (scheduler, worker)))
    monkeypatch.setattr(distributed, "Client", lambda address, timeout: client)
    if said is None:
        assert connected("tcp://10.0.0.1:8786") is client and not client.closed
        return
    refuses(ValueError, said, connected, "tcp://10.0.0.1:8786")
    assert client.closed
