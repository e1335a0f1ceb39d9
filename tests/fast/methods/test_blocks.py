"""Data that stay on disk: a mapped folder is bit-identical to the data in memory, and is read block by block."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from support import answer, refusal, refuses

from dualgap.fast import solve
from dualgap.fast.data import convert
from dualgap.fast.data.convert import map_data
from dualgap.fast.data.dataset import describe
from dualgap.fast.data.load import load, prepare
from dualgap.fast.data.mapped_rows import MappedRows, pieces
from dualgap.fast.data.memory_mapped import Writer, open_mapped, verify
from dualgap.fast.solver.auto import choose
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, Problem, SmoothedHinge, method
from dualgap.reference.methods.sampling import draw
from dualgap.reference.problem import validate

TEXT = "+1 1:0.6 2:0.8\n-1 1:1 # a comment\n+1 2:0.5\n2\n2 3:1e-3 7:4\n-1 2:0 5:1\n"


@pytest.fixture
def file(tmp_path):
    """A LIBSVM file with a zero row, an explicit zero and three labels."""
    (tmp_path / "data.txt").write_text(TEXT)
    return tmp_path / "data.txt"


def mapped_folder(folder, n=300, d=20, per_row=5, seed=0):
    """Random rows in a folder, and the same rows in memory."""
    rng = np.random.default_rng(seed)
    X = csr_array(np.where(rng.random((n, d)) < per_row / d, rng.random((n, d)), 0.0))
    y = rng.choice([-1.0, 1.0], n)
    with Writer(folder) as writer:
        writer.append(X, y)
    return open_mapped(folder), X, y


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(0, 3))
def test_blocks_are_the_shortest_runs_of_rows_with_enough_values(lengths, seed):
    rows = [[(j, 1.0) for j in range(k)] for k in lengths]
    before, validate.BLOCK = validate.BLOCK, 7
    try:
        ends = validate.block_ends(rows, 5)
    finally:
        validate.BLOCK = before
    sizes = [sum(lengths[a:b]) for a, b in zip([0, *ends], ends)]
    assert ends[-1] == len(rows) and all(a < b for a, b in zip([0, *ends], ends))
    assert len(ends) == 1 or min(sizes) >= 7
    assert all(size - lengths[end - 1] < 7 for size, end in zip(sizes[:-1], ends)), "a block is longer than it must be"
    assert sizes[-1] < 14 + 5, "what is left over would have made a block"
    drawn = draw("blocks", len(rows), seed, 1, ends)
    assert sorted(drawn.tolist()) == list(range(len(rows)))
    blocks = np.searchsorted(ends, drawn, side="right")
    assert np.count_nonzero(np.diff(blocks)) == len(ends) - 1, "a block is left and entered again"


@pytest.mark.parametrize("ends", [None, [], [3], [2, 2, 4], [0, 4], [5]])
def test_blocks_that_do_not_end_at_n_are_refused(ends):
    refuses(ValueError, "order blocks needs ends", draw, "blocks", 4, 0, 0, ends)


PREPARATIONS = [
    {},
    {"positive": "2"},
    {"bias": True},
    {"unit_rows": True},
    {"positive": "1..2", "bias": True, "unit_rows": True},
]


@pytest.mark.parametrize("options", PREPARATIONS)
@pytest.mark.parametrize("entries", [1, 3, 1000])
def test_a_folder_holds_the_bits_and_the_sentences_of_the_data_prepared_in_memory(
    options, entries, file, tmp_path, monkeypatch
):
    monkeypatch.setattr(convert, "ENTRIES", entries)
    expected, found = prepare(load(file), **options), map_data(file, tmp_path / "map", **options)
    assert found.preparation == expected.preparation
    assert found.X.shape == expected.X.shape
    assert found.y.tobytes() == expected.y.tobytes()
    assert (found.X.indptr.dtype, found.X.indices.dtype, found.X.data.dtype) == (np.int64, np.int32, np.float64)
    assert found.X.indptr.tolist() == expected.X.indptr.tolist()
    assert found.X.indices.tolist() == expected.X.indices.tolist()
    assert found.X.data.tobytes() == expected.X.data.tobytes()
    verify(tmp_path / "map")
    for name, value in describe(expected).items():
        known = {
            "name": str(tmp_path / "map"),
            "storage": "mapped",
            "duplicate_rows": None,
            "contradictory_rows": None,
            "row_norm_median": None,
        }
        if name == "R2":  # the square of a rounded root: within 4 units
            assert abs(found.facts["R2"] - value) <= 4 * 2.0**-53 * value
        else:
            assert found.facts[name] == known.get(name, value), name


def test_a_run_on_mapped_rows_has_the_bits_of_the_run_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(validate, "BLOCK", 64)
    mapped, X, y = mapped_folder(tmp_path)
    problems = [Problem(X, y, SmoothedHinge(), L2(0.01)) for X, y in ((mapped.X, mapped.y), (X, y))]
    assert len(problems[0].block_ends) > 2 * 8
    for name, order in (("sdca", "blocks"), ("sdca", "uniform"), ("sdca-random", "blocks")):
        one, two = (solve(problem, name, order=order, tol=0, max_epochs=3) for problem in problems)
        assert [e.gap for e in one.history] == [e.gap for e in two.history]
        assert one.alpha.tobytes() == two.alpha.tobytes() and one.w.tobytes() == two.w.tobytes()


def test_auto_reads_mapped_rows_in_blocks(tmp_path):
    mapped, _, _ = mapped_folder(tmp_path)
    chosen = choose(Problem(mapped.X, mapped.y, SmoothedHinge(), L2(1e-3)))
    assert (chosen.method, chosen.order) == ("sdca", "blocks") and "disk" in chosen.reason


def test_rows_are_asked_for_before_they_are_used(tmp_path, monkeypatch):
    monkeypatch.setattr(validate, "BLOCK", 64)
    mapped, _, _ = mapped_folder(tmp_path)
    problem, asked, used = Problem(mapped.X, mapped.y, SmoothedHinge(), L2(0.01)), [], []
    monkeypatch.setattr(MappedRows, "_ask_for", staticmethod(lambda files, first, end: asked.extend(range(first, end))))
    choices = method("sdca").draw(problem, "blocks", 0, 0)
    starts = mapped.X.indptr
    for piece in pieces(problem, "blocks", choices):
        used += piece.tolist()
        assert {k for i in piece for k in range(starts[i], starts[i + 1])} <= set(asked)
        assert len(asked) < mapped.X.nnz or len(used) > 100, "everything was prefetched at once"
    assert used == choices.tolist() and sorted(asked) == list(range(mapped.X.nnz))
    assert [piece is choices for piece in pieces(problem, "uniform", choices)] == [True]


def extra_memory(mapped, epochs=2):
    """Bytes that Problem and solve allocate at their peak, kernels being compiled."""
    run = lambda: solve(
        Problem(mapped.X, mapped.y, SmoothedHinge(), L2(0.01)), "sdca", order="blocks", tol=0, max_epochs=epochs
    )
    run()
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_beyond_the_files_a_run_needs_at_most_six_vectors_of_n_and_four_of_d(tmp_path):
    n, d = 40_000, 50
    mapped, X, _ = mapped_folder(tmp_path, n, d, per_row=10)
    allowed = 8 * (6 * n + 4 * d)
    assert extra_memory(mapped) <= allowed
    copied = X.data.nbytes + X.indices.nbytes
    assert extra_memory(mapped) + copied > allowed, "a copy of the matrix would not be noticed"
    assert extra_memory(mapped) + 8 * 2 * n > allowed, "two more vectors would not be noticed"


def test_a_folder_without_its_json_is_no_data_set(file, tmp_path):
    map_data(file, tmp_path / "map")
    (tmp_path / "map" / "dualgap.json").unlink()
    refuses(ValueError, "this folder has no dualgap.json, so it is not a data set", load, tmp_path / "map")


def test_an_error_on_the_way_leaves_nothing_behind(file, tmp_path, monkeypatch):
    monkeypatch.setattr(convert, "ENTRIES", 1)
    file.write_text(TEXT + "1 2:x\n")
    refuses(ValueError, "line 7", lambda: map_data(file, tmp_path / "map"))
    assert not (tmp_path / "map").exists()
    file.write_text(TEXT)
    for options, named in (({"positive": "9"}, "matches no row"), ({"standardize": True}, "--standardize")):
        refuses(ValueError, named, map_data, file, tmp_path / "map", **options)
    map_data(file, tmp_path / "map")
    refuses(ValueError, "not an empty folder", lambda: map_data(file, tmp_path / "map"))
    refuses(ValueError, "mapped already", lambda: map_data(tmp_path / "map", tmp_path / "other"))
    refuses(ValueError, "was prepared when it was written", lambda: prepare(load(tmp_path / "map"), bias=True))


def test_labels_stay_an_array_and_become_a_list_when_the_reference_asks():
    y = np.array([1.0, -1.0])
    problem = Problem(np.eye(2), y, SmoothedHinge(), L2(1.0))
    y[0] = 5.0
    assert problem.labels.tolist() == [1.0, -1.0] and "y" not in vars(problem)
    assert problem.y == [1.0, -1.0] and type(problem.y[0]) is float
    refuses(ValueError, r"y\[0\] = 5\.0", lambda: Problem(np.eye(2), y, SmoothedHinge(), L2(1.0)))


def test_command_line_maps_describes_and_solves(file, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        answer(capsys, "new", "data", "data.txt", "--map", "map", "--positive", "1", "--unit-rows", "--json")[
            "zero_rows"
        ]
        == 1
    )
    assert cli.main(["new", "data", "map"]) == 0 and "verified" in capsys.readouterr().out
    words = ["--method", "sdca", "--loss", "hinge", "--lam", "0.1", "--tol", "1e-6", "--order", "blocks", "--json"]
    mapped = answer(capsys, "solve", "map", *words)
    memory = answer(capsys, "solve", "data.txt", "--positive", "1", "--unit-rows", *words)
    same = ("primal", "dual", "gap", "nnz", "d", "preparation", "order")
    assert {key: mapped[key] for key in same} == {key: memory[key] for key in same} and mapped["order"] == "blocks"
    assert "--map requires" in refusal(capsys, "new", "data", "--map", "other")


def test_a_mapped_data_set_is_sent_to_another_process_by_name(tmp_path):
    mapped, X, _ = mapped_folder(tmp_path)
    sent = pickle.dumps(mapped)
    assert len(sent) < 1000 and pickle.loads(sent).X.data.tobytes() == X.data.tobytes()
