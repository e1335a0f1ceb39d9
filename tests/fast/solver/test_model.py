"""A saved model predicts what its solution gives, and a damaged or hostile file is refused in one line."""

import gzip
import json
import zipfile

import numpy as np
import pytest
from support import answer, command, printed, refusal

from dualgap.fast.data.tables import features
from dualgap.fast.solver.checkpoint import read, write
from dualgap.fast.solver.model import load_model

CSV = "age,colour,class\n1,red,M\n2,blue,B\n3,red,M\n2.5,blue,B\n"
WORDS = "--target class --one-hot colour --positive M --loss logistic --lam 1e-2 --tol 1e-8 --method newton".split()
WAYS = [[], ["--bias"], ["--standardize", "--bias"], ["--bias", "--unit-rows"]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(CSV)
    return tmp_path


@pytest.mark.parametrize("way", WAYS)
def test_a_model_predicts_what_its_pair_says(way, folder, capsys):
    from dualgap.fast.data.load import load, prepare

    given = answer(capsys, "solve", "t.csv", *WORDS, *way, "--json")
    printed(capsys, "solve", "t.csv", *WORDS, *way, "--save", "m.npz")
    options = {word.removeprefix("--").replace("-", "_"): True for word in way}
    data = prepare(load("t.csv", target="class", one_hot=["colour"]), positive="M", **options)
    model = load_model("m.npz")
    assert model.scores(model.rows("t.csv")) == pytest.approx(data.X @ np.array(given["w"]), abs=1e-12)
    assert model.alpha.tolist() == given["alpha"] and model.certificate["gap_bound"] <= 1e-8
    assert printed(capsys, "predict", "m.npz", "t.csv").split() == ["M", "B", "M", "B"]
    scores = [float(x) for x in printed(capsys, "predict", "m.npz", "t.csv", "--what", "scores").split()]
    shares = [float(x) for x in printed(capsys, "predict", "m.npz", "t.csv", "--what", "probabilities").split()]
    assert shares == pytest.approx([1 / (1 + np.exp(-score)) for score in scores])
    (folder / "rows.csv.gz").write_bytes(gzip.compress(b"colour,age\nblue,2\n"))
    assert printed(capsys, "predict", "m.npz", "rows.csv.gz") == "B\n", "other order, no target"
    assert "no model has one that is smaller by more than" in printed(capsys, "predict", "m.npz")
    if "--unit-rows" in way:
        assert "cannot describe rows scaled to norm 1" in refusal(capsys, "predict", "m.npz", "--liblinear", "m.txt")
    else:
        printed(capsys, "predict", "m.npz", "--liblinear", "m.txt")
        (folder / "rows.svm").write_text("1 1:1 3:1\n1 1:2 2:1\n1 1:3 3:1\n1 1:2.5 2:1\n")
        assert [
            float(x) for x in printed(capsys, "predict", "m.txt", "rows.svm", "--what", "scores").split()
        ] == pytest.approx(scores)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age,class\n1,M\n", "'colour' is missing"),
        ("age,colour,id\n1,red,7\n", "'id' is not one of the model"),
        ("age,colour\n1,green\n", "'green', which the model does not know"),
        ("1 1:2\n", "its first line is '1 1:2\\n', which is no header: the model needs a table"),
        ("", "the file is empty: the model needs a table"),
        ("age,colour\n1e400,red\n", "'1e400', not a finite number: write it as"),
        ("age,colour\nold,red\n", "'old', not a finite number\n"),
    ],
)
def test_data_of_another_kind_are_refused(text, words, folder, capsys):
    printed(capsys, "solve", "t.csv", *WORDS, "--save", "m.npz")
    (folder / "other").write_text(text)
    assert words in refusal(capsys, "predict", "m.npz", "other")


LIES = {
    "schema": 2,
    "what": "",
    "intercept": "x",
    "intercept_kind": "large",
    "loss": "cubic",
    "labels": [1],
    "columns": {"a": [1]},
    "certificate": {"gap_bound": "x"},
}
LIBLINEAR = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias -1\nw\n0.5 \n"


def test_a_model_with_false_contents_is_refused(folder, capsys):
    printed(capsys, "solve", "t.csv", *WORDS, "--save", "m.npz")
    told, arrays = read("m.npz")
    for name, lie in LIES.items():
        write("lie.npz", {**told, name: lie}, arrays)
        assert "is damaged or not a file of dualgap" in refusal(capsys, "predict", "lie.npz"), name
    for name in arrays:
        write("lie.npz", told, {**arrays, name: np.array([np.nan, 1.0])})
        assert command(capsys, "predict", "lie.npz", "t.csv")[0] == 2 or name == "alpha"
    write("right.npz", told, arrays)
    assert command(capsys, "predict", "right.npz")[0] == 0, "the control"
    for ends in ("\n", "\r\n"):
        (folder / "m.txt").write_bytes(LIBLINEAR.replace("\n", ends).encode())
        assert command(capsys, "predict", "m.txt")[0] == 0, "the control"
    for part, lie in (("L2R_LR", "MCSVM_CS"), ("class 2", "class 3"), ("0.5", "nan"), ("0.5", ""), ("bias -1", "x")):
        (folder / "m.txt").write_text(LIBLINEAR.replace(part, lie))
        assert command(capsys, "predict", "m.txt")[::2][0] == 2, lie


def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_run(folder, capsys):
    (folder / "taken").mkdir()
    assert "checkpoint taken cannot be written" in refusal(capsys, "solve", "t.csv", *WORDS, "--checkpoint", "taken")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--save", "./X.npy"], "the input X.npy and --save ./X.npy need different files"),
        (["--save", "y.npy"], "the input y.npy and --save y.npy need different files"),
        (["--certificate", "y.npy"], "the input y.npy and --certificate y.npy need different files"),
        (["--save", "q", "--checkpoint", "./q"], "need different files"),
        (["--save", ""], "--save needs the name of a file"),
    ],
)
def test_no_output_takes_the_place_of_an_input_or_of_another_output(words, said, folder, capsys):
    np.save("X.npy", np.eye(2))
    np.save("y.npy", np.array([1.0, -1.0]))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    solve = "solve X.npy --target y.npy --loss hinge --lam 1 --tol 1e-3".split()
    assert said in refusal(capsys, *solve, *words)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_model_of_an_array_predicts_arrays_without_labels(folder, capsys):
    np.save("X.npy", np.eye(2))
    np.save("y.npy", np.array([1.0, -1.0]))
    printed(capsys, *"solve X.npy --target y.npy --loss hinge --lam 1 --tol 1e-3 --save m.npz".split())
    assert printed(capsys, "predict", "m.npz", "X.npy").split() == ["+1", "-1"]
    for rows, said in (
        (np.ones((2, 3)), "shape (2, 3)"),
        (np.ones(2), "shape (2,)"),
        (np.ones((0, 2)), "shape (0, 2)"),
    ):
        np.save("w.npy", rows)
        assert said in refusal(capsys, "predict", "m.npz", "w.npy")
    np.save("w.npy", np.full((1, 2), np.nan))
    assert "every value must be finite" in refusal(capsys, "predict", "m.npz", "w.npy")
    assert "no names for its columns" in refusal(capsys, "predict", "m.npz", "t.csv")
    assert "need different files" in refusal(capsys, "predict", "m.npz", "X.npy", "--out", "m.npz")
    assert "need DATA" in refusal(capsys, "predict", "m.npz", "--out", "z")


def test_a_folder_is_refused_before_the_run(folder, capsys):
    (folder / "t.svm").write_text("1 1:1\n-1 1:2\n1 1:3\n-1 1:4\n")
    printed(capsys, "new", "data", "t.svm", "--map", "mapped")
    printed(capsys, "new", "data", "t.svm", "--map", "parts", "--parts", "2")
    for data in (["mapped"], ["parts/part-0", "parts/part-1"]):
        words = [*data, "--loss", "hinge", "--lam", "1", "--tol", "1e-3", "--save", "m.npz"]
        assert "--save needs the data file" in refusal(capsys, "solve", *words)
    assert not (folder / "m.npz").exists()


def test_a_model_that_cannot_be_written_leaves_the_result(folder, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dualgap.fast.solver.model.write", full)
    code, out, err = command(capsys, "solve", "t.csv", *WORDS, "--save", "m.npz")
    assert code == 1 and "converged" in out and "m.npz was not written (No space left on device)" in err
    assert "nowhere.npz cannot be read" in refusal(capsys, "predict", "nowhere.npz")


@pytest.mark.parametrize("way", [["--intercept", "free"], ["--bias", "--unit-rows"], ["--standardize"]], ids=str)
def test_a_multinomial_model_predicts_what_its_pair_says(way, folder, capsys):
    from dualgap.fast.data.load import load, prepare

    kinds, rows = ["red", "green", "blue"] * 10, np.random.default_rng(0).normal(size=(30, 2)).round(2)
    lines = [f"{a},{b},{kind}" for (a, b), kind in zip(rows.tolist(), kinds)]
    (folder / "c.csv").write_text("\n".join(["a,b,kind", *lines]) + "\n")
    words = "solve c.csv --target kind --loss logistic --lam 1e-2 --tol 1e-9 --multinomial".split()
    given = answer(capsys, *words, *way, "--json")
    assert given["classes"] == ["blue", "green", "red"] and given["status"] == "converged"
    printed(capsys, *words, *way, "--save", "m.npz")
    model = load_model("m.npz")
    options = {word[2:].replace("-", "_"): True for word in way if word[2:] in ("bias", "unit-rows", "standardize")}
    data = prepare(load("c.csv", target="kind"), **options)
    scores = data.X @ np.reshape(given["w"], (-1, 3)) + given.get("intercept", 0.0)
    assert model.scores(model.rows("c.csv")) == pytest.approx(scores, abs=1e-12)
    best = [given["classes"][place] for place in scores.argmax(axis=1)]
    assert printed(capsys, "predict", "m.npz", "c.csv").split() == best
    shares = printed(capsys, "predict", "m.npz", "c.csv", "--what", "probabilities")
    shares = np.array([line.split() for line in shares.splitlines()], dtype=float)
    assert shares == pytest.approx(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True), abs=1e-12)
    assert "no model has one that is smaller by more than" in printed(capsys, "predict", "m.npz")
    assert "multinomial" in refusal(capsys, "predict", "m.npz", "--liblinear", "m.txt")
    told, arrays = read("m.npz")
    write("wrong.npz", told, {**arrays, "coef": arrays["coef"][:, :2]})
    assert "shapes of the loss" in refusal(capsys, "predict", "wrong.npz")


def repacked(file, changed, keep):
    """An archive with the members whose names ``keep`` admits; every other byte of them is the same."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(changed, "w") as new:
        for member in old.infolist():
            if keep(member.filename):
                new.writestr(member, old.read(member))


def test_a_file_that_has_lost_a_part_is_refused_whichever_it_is(folder, capsys):
    printed(capsys, "solve", "t.csv", *WORDS, "--standardize", "--checkpoint", "c.npz", "--save", "m.npz")
    for file in ("m.npz", "c.npz"):
        told, arrays = read(file)
        for lost in (*arrays, "told"):
            repacked(file, "lost.npz", lambda name: name != f"{lost}.npy")  # noqa: B023
            with pytest.raises(ValueError, match="damaged"):
                read("lost.npz")
        repacked(file, "whole.npz", lambda name: True)
        assert read("whole.npz")[0] == told
    data = bytearray((folder / "m.npz").read_bytes())
    data[data.rindex(b"coef.npy") - 46 + 32] = 188  # the length of a comment, in the archive's directory
    (folder / "byte.npz").write_bytes(data)
    assert "damaged" in refusal(capsys, "predict", "byte.npz", "t.csv")
    told, arrays = read("m.npz")
    before = {**told, "schema": 1}  # as version 0.1.0 has written it, without the list of its arrays
    np.savez("before.npz", told=np.frombuffer(json.dumps(before).encode(), np.uint8), **arrays)
    assert printed(capsys, "predict", "before.npz", "t.csv") == printed(capsys, "predict", "m.npz", "t.csv")
    for part in ("standard", "labels"):
        rest = {name: value for name, value in before.items() if name != part}
        own = {name: array for name, array in arrays.items() if name != part}
        np.savez("before.npz", told=np.frombuffer(json.dumps(rest).encode(), np.uint8), **own)
        assert "damaged" in refusal(capsys, "predict", "before.npz", "t.csv")


SIDES = {  # labels of the data, what is positive, the names of the sides, the line of liblinear
    "alone": ((1, 2), "2", ("1", "2"), "label 2 1"),
    "several against 0": ((0, 1, 2), "1,2", ("0", "+1"), "label 1 0"),
    "several against 1": ((1, 2, 3), "2,3", ("-1", "+1"), "label 1 -1"),
    "-1 against several": ((-1, 2, 3), "-1", ("-1", "+1"), "label 1 -1"),
    "seven digits": ((1234567, 1234568), "1234568", ("1234567", "1234568"), "label 1234568 1234567"),
    "no C ints": ((1, 2**40), str(2**40), ("1", str(2**40)), "label 1 -1"),
    "halves": ((0.5, 1), "0.5", ("1", "0.5"), "label 1 -1"),
    "words": (("1", "yes"), "yes", ("1", "yes"), "label 1 -1"),
}


@pytest.mark.parametrize("case", SIDES)
def test_the_two_names_of_a_model_differ_after_every_conversion(case, folder, capsys):
    labels, positive, names, line = SIDES[case]
    rows = [(label, k - 0.5 + 0.1 * j) for k, label in enumerate(labels) for j in range(4)]
    (folder / "two.csv").write_text("x,label\n" + "".join(f"{x},{label}\n" for label, x in reversed(rows)))
    given = ("--target", "label", f"--positive={positive}", "--loss", "logistic", "--lam", "1e-3", "--tol", "1e-6")
    printed(capsys, "solve", "two.csv", *given, "--save", "two.npz")
    model = load_model("two.npz")
    assert model.labels == names
    printed(capsys, "predict", "two.npz", "--liblinear", "two.model")
    assert next(one for one in (folder / "two.model").read_text().splitlines() if one.startswith("label")) == line
    (folder / "rows.svm").write_text("".join(f"0 1:{x}\n" for _, x in reversed(rows)))
    sides, numbers = printed(capsys, "predict", "two.npz", "two.csv").split(), dict(zip(names, line.split()[:0:-1]))
    assert set(sides) == set(names), "the control: both sides occur"
    assert printed(capsys, "predict", "two.model", "rows.svm").split() == [numbers[side] for side in sides]


def test_labels_that_are_one_number_are_refused_where_they_are_read_and_where_a_model_is_made(folder, capsys):
    (folder / "two.csv").write_text("x,label\n1,a\n2,1\n3,1.0\n")
    given = ("--target", "label", "--positive", "a", "--loss", "logistic", "--lam", "1", "--tol", "1e-6")
    assert "the labels '1' and '1.0' are one number" in refusal(capsys, "solve", "two.csv", *given)
    (folder / "m.txt").write_text(LIBLINEAR.replace("label 1 -1", "label 1 +1"))
    assert "are one number" in refusal(capsys, "predict", "m.txt")
    printed(capsys, "solve", "t.csv", *WORDS, "--save", "m.npz")
    told, arrays = read("m.npz")
    write("lie.npz", {**told, "labels": ["2", "2.0"]}, arrays)
    assert "are one number" in refusal(capsys, "predict", "lie.npz")


def test_a_model_prints_its_coefficients_by_name_and_other_files_say_what_they_are(folder, capsys):
    printed(capsys, "solve", "t.csv", *WORDS, "--save", "m.npz", "--checkpoint", "c.npz")
    model, lines = load_model("m.npz"), printed(capsys, "predict", "m.npz").splitlines()
    shown = dict(line.rsplit("  ", 1) for line in lines[lines.index(model.coefficients()[0]) + 1 :])
    names = features(model.columns)
    assert shown == {name: f"{x:.6g}" for name, x in zip(names, model.coef.tolist()) if x}
    assert len(model.coefficients(1)) == 3 and model.coefficients(1)[-1] == f"... and {len(shown) - 1} smaller ones"
    assert "c.npz is a checkpoint, not a model" in refusal(capsys, "predict", "c.npz")
    printed(capsys, "sweep", "t.csv", *WORDS, "--out", "sw")
    (cell,) = (folder / "sw").glob("*.npz")
    assert "is a run that a sweep has kept, not a model" in refusal(capsys, "predict", str(cell))
