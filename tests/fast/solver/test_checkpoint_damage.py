"""A checkpoint that was damaged, or made up, is one sentence: it never reaches a kernel, and never shows a
traceback.
"""

import json
import os
import resource
import subprocess
import sys
import textwrap
import zipfile
from itertools import product

import numpy as np
import pytest
from support import by_day, fitting, no_space, python

from dualgap.fast import kernels, solve
from dualgap.fast.data.atomic_file import partial, remove_partial, replacing
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.solver import checkpoint
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, Hinge, Problem, SmoothedHinge
from dualgap.reference.problem.validate import NotWritten

DATA = aspdc_synthetic(n=40, d=8, seed=1)


def run(name, path, **given):
    losses, lams = (SmoothedHinge(), Hinge()), (0.05, 0.2, 0.02)
    problem = fitting(name, (Problem(DATA.X, DATA.y, loss, L2(lam)) for loss, lam in product(losses, lams)))
    return solve(problem, name, **{"tol": 0, "max_epochs": 3, "seed": 3, "checkpoint": path, "resume": True, **given})


def refused(name, path, what=""):
    """The message, of one line, with which the run refuses its file."""
    with pytest.raises(ValueError) as error:
        run(name, path)
    message = str(error.value)
    assert "\n" not in message and "damaged or not a file of dualgap" in message, f"{what}: {message}"
    return message


def refused_with(name, files, path, change):
    """``refused`` for the file of that method after ``change(told, members)``."""
    told, members = checkpoint.read(str(files / name))
    change(told, members)
    checkpoint.write(str(path), told, members)
    return refused(name, path)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The checkpoint of every method after three passes."""
    folder = tmp_path_factory.mktemp("checkpoints")
    for name in kernels():
        run(name, folder / name)
    return folder


def changes(key, array):
    """(what, array): what a kernel must not be given instead of a field."""
    yield "empty", array[:0]
    yield "short", array[:-1]
    yield "long", np.append(array, array[:1])
    yield "of two dimensions", array.reshape(1, -1)
    yield "of another width", array.astype("f4" if array.dtype.kind == "f" else "i4")
    yield "of the other byte order", array.astype(array.dtype.newbyteorder(">"))
    yield "of the other kind", array.astype("i8" if array.dtype.kind == "f" else "f8")
    extremes = (np.nan, np.inf, -np.inf) if array.dtype.kind == "f" else (-1, 2**53 + 1, 2**62, -(2**63))
    for value in extremes:
        yield f"with {value}", np.array([*array[:-1], value], array.dtype)


METHODS = sorted(kernels())


@pytest.mark.parametrize("name", by_day(METHODS, *METHODS[::3]))
def test_no_array_of_the_wrong_type_length_or_range_reaches_a_kernel(name, files, tmp_path):
    told, members = checkpoint.read(str(files / name))
    assert run(name, files / name).epochs >= 2, "the control: the file itself is read"
    tried = 0
    for key in members:
        for what, array in changes(key, members[key]) if members[key].size and members[key].ndim == 1 else ():
            checkpoint.write(str(tmp_path / "run"), told, {**members, key: array})
            refused(name, tmp_path / "run", f"{key} {what}")
            tried += 1
    assert tried >= 20


def put(**arrays):
    """A change of arrays of the state."""
    return lambda told, members: members.update({f"state {name}": np.array(array) for name, array in arrays.items()})


def tell(name, value):
    """A change of a scalar of the state."""
    return lambda told, members: told["fields"][name].update(value=value)


def history(place, value):
    return lambda told, members: members["history"].__setitem__(place, value)


LIES = [  # (method, what is made up): of the right type and length, and no run has it; compiled code uses it as a place
    ("spdc", put(last=[200] * 8)),
    ("spdc-minibatch", put(last=[200] * 8)),
    ("adaspdc-r", put(last=[200] * 8)),
    ("adaspdc", put(last=[200] * 8)),
    ("svrg", put(last=[80] * 8)),
    ("sdca-shrinking", put(active=[0] * 40)),
    ("sdca-shrinking", put(active=[40] * 40)),
    ("sag", put(seen=[2] * 40)),
    ("sag", put(seen=[0] * 40)),
    ("sdca-averaged", put(since=[200] * 40)),
    # as a counter or a divisor
    ("sdca-shrinking", tell("size", 41)),
    ("sdca-shrinking", tell("size", 0)),
    ("sdca-shrinking", tell("position", 40)),
    ("sdca-shrinking", tell("kept", 1)),
    ("svrg", tell("t", 80)),
    ("sag", tell("m", 41)),
    ("sag", tell("beta", (0.0).hex())),
    ("pgs", tell("M", (0.0).hex())),
    ("afg", tell("L", (0.0).hex())),
    ("sag", put(c=[7.0] * 40)),  # its alpha is outside the domain
    # of the run
    ("sdca", lambda told, members: told.update(drawn=-1)),
    ("sdca", lambda told, members: told.update(due=1.5)),
    ("sdca", lambda told, members: told.update(movement=["0x0p+0"])),
    ("sdca", lambda told, members: told.update(seconds="nan")),
    ("sdca", lambda told, members: told.update(rounding="-1.0")),
    ("sdca", lambda told, members: told.pop("epochs")),
    ("sdca", lambda told, members: members.update(history=members["history"][:0])),
    ("sdca", lambda told, members: members.update(history=members["history"][::-1])),
    ("sdca", history((-1, -1), 0.0)),
    ("sdca", history((-1, -1), -1.0)),
    ("sdca", lambda told, members: members.update({"best w": members["best w"][:-1]})),
    ("sdca", lambda told, members: members.update({"best alpha": members["best alpha"] + 7})),
    ("sdca", lambda told, members: members.update({"state alpha": members["state alpha"] + 7})),
    ("sdca", lambda told, members: members.pop("state v")),
    ("sdca", lambda told, members: told["fields"].update(v=3)),
    ("sdca", lambda told, members: told["fields"]["v"].update(kind="tuple")),
]


@pytest.mark.parametrize(("name", "change"), LIES)
def test_what_a_file_makes_up_is_held_against_the_problem_and_the_steps(name, change, files, tmp_path):
    refused_with(name, files, tmp_path / "run", change)


def test_the_movement_of_a_method_that_has_none_is_not_believed(files, tmp_path):
    told, members = checkpoint.read(str(files / "pgs"))
    checkpoint.write(str(tmp_path / "run"), {**told, "movement": ["0x1p+0"] * 3}, members)
    assert run("pgs", tmp_path / "run", max_epochs=6).epochs == 6


def rebuilt(path, name, content, method=zipfile.ZIP_STORED):
    """The archive with another member of that name."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w", method) as archive:
        for each, held in {**members, name: content}.items():
            archive.writestr(each, held)


HEADER = b"\x93NUMPY\x01\x00"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY",
        HEADER + b"\x05\x00{'a':",
        HEADER + b"\x04\x00((((",
        HEADER + b'\x08\x00\'"""\n  x',
        np.array([object()]).dumps(),
        HEADER
        + b"\x76\x00"
        + b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(117)
        + b"\n",
        HEADER + b"\x76\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }".ljust(117) + b"\n",
    ],
)
@pytest.mark.parametrize("member", ["state v.npy", "told.npy"])
def test_members_that_are_no_arrays_are_refused(member, content, files, tmp_path):
    (tmp_path / "run").write_bytes((files / "sdca").read_bytes())
    rebuilt(tmp_path / "run", member, content)
    refused("sdca", tmp_path / "run")


def test_what_a_killed_process_left_is_removed_by_the_next_start(tmp_path):
    for _ in range(3):
        code = textwrap.dedent(f"""
            import os, signal
            from dualgap.fast.data.atomic_file import replacing
            with replacing({str(tmp_path / "run")!r}) as file:
                file.write(b"half"); file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        """)
        assert python("-c", code).returncode == -9
    assert [path.name for path in tmp_path.iterdir()] == ["run.part"], "the control: something is left, under one name"
    run("sdca", tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_what_another_process_is_writing_is_left_to_it(tmp_path):
    path = str(tmp_path / "run")
    with replacing(path) as file:
        file.write(b"whole")
        remove_partial(path)
        assert os.path.exists(partial(path))
    assert (tmp_path / "run").read_bytes() == b"whole" and not os.path.exists(partial(path))


def test_two_processes_take_turns_at_one_file(tmp_path):
    code = textwrap.dedent(f"""
        import sys
        from dualgap.fast.data.atomic_file import replacing
        for k in range(50):
            with replacing({str(tmp_path / "run")!r}) as file:
                for _ in range(20):
                    file.write(sys.argv[1].encode() * 1000); file.flush()
    """)
    writers = [subprocess.Popen([sys.executable, "-c", code, letter]) for letter in "ab"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        if (tmp_path / "run").exists():
            seen.add((tmp_path / "run").read_bytes())
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen | {(tmp_path / "run").read_bytes()} <= {b"a" * 20_000, b"b" * 20_000}, "a mixture of the two was there"


def limited(*words, cwd, most=1024):
    """The command in a process that can write no file beyond ``most`` bytes: the error of a full disk, without one.
    It runs without the compiler, which would find no cache, and leaves no bytecode, which would be cut short.
    """
    limit = f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {resource.RLIM_INFINITY}))"
    code = f"{limit}; from dualgap.proofs_checks.cli import main as cli; sys.exit(cli.main(sys.argv[1:]))"
    return python(
        "-c", code, *words, cwd=cwd, env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    )


def test_on_a_full_disk_the_run_goes_on_and_its_result_is_printed(tmp_path):
    words = "solve aspdc-synthetic:n=200 --method sdca --loss smoothed-hinge --lam 1e-1 --tol 1e-6".split()
    found = limited(*words, "--checkpoint", "run", "--json", cwd=tmp_path)
    assert (found.returncode, json.loads(found.stdout)["status"]) == (0, "converged"), found.stderr
    assert found.stderr.count("\n") == 1 and "checkpoint run was not written" in found.stderr, found.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_warning_is_one_line_of_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(checkpoint, "write", no_space)
    words = ["solve", "orthonormal:n=4", "--method", "sdca", "--loss", "squared", "--lam", "1", "--tol", "1e-9"]
    assert cli.main([*words, "--checkpoint", str(tmp_path / "run")]) == 0
    out, err = capsys.readouterr()
    assert "converged" in out and err.startswith("dualgap solve: warning: checkpoint") and err.count("\n") == 1
    with pytest.warns(NotWritten):
        run("sdca", tmp_path / "other")
