"""A mapped folder with damaged files is refused in one line, or is read as a reader of five lines reads its bytes."""

import numpy as np
import pytest
from damage import INPUTS, damaged, generator
from scipy.sparse import csr_array

from dualgap.fast import solve
from dualgap.fast.data.mapped_rows import DTYPES
from dualgap.fast.data.memory_mapped import HEAD, Writer, open_mapped, verify
from dualgap.reference import L2, Problem, SmoothedHinge

N, D = 30, 7
FILES = (HEAD, *(f"{name}.npy" for name in DTYPES))
HEADER = 128  # bytes before the numbers of such an .npy file


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder, its files writable, and their contents."""
    rng, folder = np.random.default_rng(0), tmp_path_factory.mktemp("mapped") / "map"
    with Writer(folder) as writer:
        X = csr_array(np.where(rng.random((N, D)) < 0.5, rng.standard_normal((N, D)), 0.0))
        writer.append(X, np.where(rng.random(N) < 0.5, 1.0, -1.0))
        writer.preparation = ("a sentence",)
    for name in FILES:
        (folder / name).chmod(0o644)
    return folder, {name: (folder / name).read_bytes() for name in FILES}


def lie(rng, content, dtype):
    """A number of the array becomes an extreme one."""
    held = np.frombuffer(content[HEADER:], dtype).copy()
    whole = (-1, 0, D, D - 1, 2**31 - 1, N, *([2**62] if dtype == "<i8" else []))
    held[rng.randrange(held.size)] = rng.choice((np.nan, np.inf, -1.0, 1e300, 0.0) if dtype == "<f8" else whole)
    return content[:HEADER] + held.tobytes()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["damaged", "lying"])
def test_a_damaged_folder_is_refused_or_read_as_its_bytes_stand(how, name, folder):
    place, contents = folder
    for k in INPUTS[: max(1, len(INPUTS) // len(FILES))] if how == "damaged" or name != HEAD else ():
        rng = generator(k)
        whole = contents[name]
        content = damaged(rng, whole, contents["data.npy"]) if how == "damaged" else lie(rng, whole, DTYPES[name[:-4]])
        (place / name).write_bytes(content)
        try:
            data = open_mapped(place)
            problem = Problem(data.X, data.y, SmoothedHinge(), L2(0.1))
            solve(problem, "sdca", order="blocks", tol=0, max_epochs=2)
            X = data.X
            for array, found in zip(("indptr", "indices", "data", "y"), (X.indptr, X.indices, X.data, data.y)):
                raw = (place / f"{array}.npy").read_bytes()
                assert found.tobytes() == raw[len(raw) - found.nbytes :], f"{name}, input {k}"
            assert (data.X.shape, data.preparation) == ((N, D), ("a sentence",)), f"{name}, input {k}"
        except (ValueError, OSError) as refusal:
            assert "\n" not in str(refusal) and len(str(refusal)) < 600, f"{name}, input {k}: {refusal}"
        try:
            verify(place)
            assert content[HEADER:] == whole[HEADER:], f"{name}, input {k}: the checksums hold for other numbers"
        except (ValueError, OSError) as refusal:
            assert "\n" not in str(refusal), f"{name}, input {k}: {refusal}"
            assert content != contents[name], f"{name}, input {k}: a whole folder was refused"
    (place / name).write_bytes(contents[name])
    verify(place)
