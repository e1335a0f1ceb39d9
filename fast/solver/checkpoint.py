"""A run on disk: all that ``solve`` needs in order to go on, bit for bit.

A checkpoint holds the fields of the method's state, how many draws it has made of (order, seed), the certificates so
far, the best pair, and when the next certificate is due. It is an .npz file: numbers with their bits, nothing that
would have to be executed, a checksum on every member. It is written under another name and renamed, so that whatever
happens there is one whole checkpoint: the new one or the one before (``atomic_file``).

Every file says whose it is: the problem (a hash of its rows, labels, loss and regularizer), method, options, order,
seed, mode, backend and threads. Going on with any of these changed is refused; limits (tol, rtol, max_epochs,
max_seconds) may change.

What is read is compared with the state at the start before a kernel sees it: kind, dtype, length and finiteness of
every field, whole numbers within 0 and ``LARGEST``, and the ranges of ``Method.require_state``.
"""

import hashlib
import json
import math
import os
import zipfile
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.data.atomic_file import remove_partial, replacing, require_writable
from dualgap.fast.data.bounded_file import array_of, open_regular
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.native import native
from dualgap.fast.solver.certificate_schedule import Snapshot
from dualgap.fast.solver.result import Entry
from dualgap.fast.solver.turns import LARGEST as MOST_TURNS
from dualgap.reference.methods.base import State
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.problem import Problem

SCHEMA = 4
MEMBERS = "members"  # the fact that lists the arrays of a file
AGAIN = "delete it and start again"
NONE: Mapping[int, Any] = MappingProxyType({})
GROWN = 2**30  # bytes of a file, in addition to what the problem needs: certificates, and lists that grow
LARGEST = 2**53  # of a whole number in a state: exact as a float, and sums of two of them as 64-bit integers


class Parked(NamedTuple):
    """The point at which a method of "auto" stopped; it continues from there at its next turn (``turns``)."""

    state: State
    drawn: int
    passes: int  # its own


class Reached(NamedTuple):
    """The progress of a run without its state."""

    drawn: int
    epochs: int
    schedule: Snapshot
    seconds: float
    rounding: float  # of the last certificate; infinite where its bound is
    history: Array  # (certificates, 6): the Entries
    best: tuple[Array, Array]  # (w, alpha) of the best certificate
    # of ``turns.Turns``: which, and the passes at its begin and its end; 0 0 0 where there are none
    turn: tuple[int, int, int] = (0, 0, 0)
    compensated: bool = False  # its sums: both kinds can have the same bound
    origin: int = 0  # of the passes, those that other methods made before this one's
    parked: Mapping[int, Parked] = NONE  # by number
    intercept: float | None = None  # of the best certificate, of a problem with a free one


class Checkpoint:
    """The file of one run.

    Parameters
    ----------
    path : where it is, or will be; the folder must exist
    identity : what the run is, names and values in words; two runs with equal identities make the same steps

    Examples
    --------
    >>> import tempfile
    >>> from dualgap.reference.methods.base import DualState
    >>> path = os.path.join(tempfile.mkdtemp(), "run.ckpt")
    >>> state = DualState(v=[0.5], alpha=[-0.5, 0.0])
    >>> reached = Reached(1, 1, Snapshot(2, 1.0, 2.0, 0.5), 0.5, 1e-16, np.zeros((1, 6)), (np.zeros(1), np.zeros(2)))
    >>> Checkpoint(path, {"seed": "0"}).save(state, reached)
    >>> Checkpoint(path, {"seed": "0"}).load(state)[0]
    DualState(v=[0.5], alpha=[-0.5, 0.0])
    >>> Checkpoint(path, {"seed": "1"}).load(state)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: ...run.ckpt is the checkpoint of another run: its seed is 0, not 1; ...
    """

    def __init__(self, path: str | os.PathLike[str], identity: dict[str, str]) -> None:
        self.path, self.identity = os.fspath(path), identity
        folder = os.path.dirname(os.path.abspath(self.path))
        if not os.path.isdir(folder):
            raise ValueError(f"checkpoint {self.path}: there is no folder {folder}; make it first")
        remove_partial(self.path)
        try:
            require_writable(self.path)
        except OSError as error:
            raise ValueError(f"checkpoint {self.path} cannot be written ({error.strerror or error})") from None

    def exists(self) -> bool:
        """Return whether there is such a file."""
        return os.path.exists(self.path)

    def save(self, state: State, reached: Reached) -> None:
        """Put the run at this point instead of what the file held."""
        told: dict[str, Any] = {"schema": SCHEMA, "run": self.identity}
        due, *movement = reached.schedule
        told |= {"drawn": reached.drawn, "epochs": reached.epochs, "due": due, "compensated": reached.compensated}
        told |= {name: getattr(reached, name).hex() for name in ("seconds", "rounding")}
        told["turn"] = list(reached.turn)
        told["intercept"] = None if reached.intercept is None else reached.intercept.hex()
        told["movement"] = [number.hex() for number in movement]
        numbers, told["fields"] = _split(state.fields())
        members = {"history": reached.history, "best w": reached.best[0], "best alpha": reached.best[1]}
        members |= {f"state {name}": array for name, array in numbers.items()}
        told["origin"], told["parked"] = reached.origin, {}
        for which, (waiting, drawn, passes) in reached.parked.items():
            numbers, fields = _split(waiting.fields())
            told["parked"][str(which)] = {"drawn": drawn, "passes": passes, "fields": fields}
            members |= {f"parked {which} {name}": array for name, array in numbers.items()}
        write(self.path, told, members)

    def turn(self, pair: int) -> int:
        """The number of the turn that the file was written in; 0 if that cannot be read, of which ``load`` will say
        more.
        """
        told, _ = read(self.path, GROWN + 64 * pair)
        try:
            return _turn(told)[0]
        except (ValueError, TypeError):
            return 0

    def load(self, state: State, pair: int = 0, waiting: Mapping[int, State] = NONE) -> tuple[State, Reached]:
        """The state, made like the one given, and the rest. ValueError where the file is damaged or another run's.

        pair : rows and columns of the problem, with which the best pair grows; waiting : by number, states of the
            methods that can wait
        """
        held = [value for one in (state, *waiting.values()) for value in one.fields().values()]
        fixed = sum(np.asarray(value).nbytes for value in held if isinstance(value, (np.ndarray, list)))
        told, members = read(self.path, GROWN + 2 * fixed + 8 * pair)
        run, fields = told.get("run"), told.get("fields")
        if (
            told.get("schema") != SCHEMA
            or not isinstance(run, dict)
            or not isinstance(fields, dict)
            or fields.keys() != set(state.names())
        ):
            raise ValueError(f"{self.path} was written by another version of dualgap; start the run again without it")
        for name, value in self.identity.items():
            if run.get(name) != value:
                raise ValueError(
                    f"{self.path} is the checkpoint of another run: its {name} is {run.get(name)}, not {value}; "
                    "give what was given then, or another file"
                )
        try:
            parked = {
                which: _parked(told, members, which, start)
                for which, start in waiting.items()
                if str(which) in told.get("parked", {})
            }
            return _restored(state, told["fields"], members, "state"), _reached(told, members)._replace(parked=parked)
        except Exception as error:  # a damaged or hostile file can raise anything
            raise damaged(self.path, error) from None


def identity_of(problem: Problem, options: dict[str, Any], **others: object) -> dict[str, str]:
    """Return the description of a run for ``Checkpoint``: fingerprint of the problem, method options and the rest."""
    named = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in sorted(options.items())}
    return {
        **{name: str(value) for name, value in others.items()},
        "options": repr(named),
        "problem": fingerprint(problem),
    }


def fingerprint(problem: Problem) -> str:
    """A hash of rows, labels, loss and regularizer: 32 hex digits, equal for problems whose runs are bit-identical."""
    constants = {name: value for name, value in sorted(vars(problem.regularizer).items()) if name != "number"}
    facts = [problem.n, problem.d, repr(problem.loss), type(problem.regularizer).__name__, constants]
    facts += ["intercept"] if isinstance(problem, InterceptProblem) or getattr(problem, "free", False) else []
    digest = hashlib.blake2b(repr(facts).encode(), digest_size=16)
    if problem.rows_elsewhere:
        digest.update(problem.fingerprint.encode())  # type: ignore[attr-defined]
        return digest.hexdigest()
    if isinstance(problem, BlockProblem):
        digest.update(repr([[(block.q, block.columns) for block in problem.blocks], problem.y]).encode())
        return digest.hexdigest()
    data: Any = arrays(problem)
    weights = getattr(data, "weights", None)
    for array in (*data.matrix, data.y, *(() if weights is None else (weights,))):
        digest.update(f"{array.dtype} {array.shape}".encode())
        raw: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        digest.update(raw)
    return digest.hexdigest()


# -- the state's fields: arrays and lists of numbers are members of the file, everything else is told ------------------


def _split(fields: dict[str, object]) -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays, and for every field what it is."""
    numbers: dict[str, Array] = {}
    told: dict[str, object] = {}
    for name, value in fields.items():
        if isinstance(value, (np.ndarray, list)):
            numbers[name], told[name] = np.asarray(value), {"kind": type(value).__name__}
            if numbers[name].dtype.kind not in "fiu":
                raise ValueError(
                    f"the field {name} of the state cannot be written to a checkpoint (dtype {numbers[name].dtype})"
                )
        elif isinstance(value, float):
            told[name] = {"kind": "float", "value": value.hex()}
        else:
            told[name] = {"kind": type(value).__name__, "value": value}
    return numbers, told


def _joined(told: dict[str, Any], array: Any) -> Any:
    """A field from what ``_split`` made of it."""
    if told["kind"] == "float":
        return float.fromhex(told["value"])
    if told["kind"] == "tuple":
        return tuple(told["value"])
    if "value" in told:
        return told["value"]
    return array.tolist() if told["kind"] == "list" else native(array, array.dtype)  # another byte order is refused


def _restored(state: State, told: dict[str, Any], members: dict[str, Array], kind: str) -> State:
    """The state that a file tells of, made like the one given."""
    fields = {name: _joined(told[name], members.get(f"{kind} {name}")) for name in state.names()}
    for name, due in state.fields().items():
        _require_like(name, fields[name], due, name in state.growing)
    restored: State = state.with_fields(fields)
    return restored


def _parked(told: dict[str, Any], members: dict[str, Array], which: int, start: State) -> Parked:
    """Return a waiting method, checked. start : one of its states."""
    found = told["parked"][str(which)]
    return Parked(_restored(start, found["fields"], members, f"parked {which}"), *_whole(found, "drawn", "passes"))


def _whole(told: dict[str, Any], *names: str) -> list[int]:
    """Return the whole numbers. ValueError if one is not within 0 and LARGEST."""
    whole = [told[name] for name in names]
    if not all(type(number) is int and 0 <= number <= LARGEST for number in whole):
        raise ValueError(f"{', '.join(names)} must lie in 0..{LARGEST} (got {str(whole)[:80]})")
    return whole


def is_finite(state: State) -> bool:
    """Return whether all real numbers of a state are finite."""
    numbers = (np.asarray(value) for value in state.fields().values() if isinstance(value, (np.ndarray, list, float)))
    return all(array.dtype.kind != "f" or bool(np.isfinite(array).all()) for array in numbers)


def _require_like(name: str, found: object, due: object, growing: bool) -> None:
    """Raise ValueError unless a field is what it can be in a run in which it is ``due`` at the start."""
    if type(found) is not type(due):
        raise ValueError(f"the field {name} is {type(found).__name__}, not {type(due).__name__}")
    if isinstance(due, (tuple, str)):
        if found != due:
            raise ValueError(f"the field {name} is {found!r}, not {due!r}")
        return
    numbers, first = np.asarray(found), np.asarray(due)
    if numbers.dtype != first.dtype or numbers.ndim != first.ndim or not growing and numbers.shape != first.shape:
        raise ValueError(f"the field {name} holds {numbers.dtype} {numbers.shape}, not {first.dtype} {first.shape}")
    if first.dtype.kind == "f" and not np.isfinite(numbers).all() and not np.array_equal(numbers, first):
        raise ValueError(f"the field {name} is not finite")
    if first.dtype.kind in "iu" and numbers.size and not 0 <= numbers.min() <= numbers.max() <= LARGEST:
        raise ValueError(f"the field {name} must lie in 0..{LARGEST}")


def _reached(told: dict[str, Any], members: dict[str, Array]) -> Reached:
    """Return the checked progress of the run."""
    drawn, epochs, due, origin = _whole({"origin": 0, **told}, "drawn", "epochs", "due", "origin")
    seconds, rounding = float.fromhex(told["seconds"]), float.fromhex(told["rounding"])
    ratio, start, movement = (float.fromhex(number) for number in told["movement"])
    if not (0 <= seconds < math.inf and rounding >= 0 and type(told["compensated"]) is bool):  # a NaN is not >= 0
        raise ValueError(
            f"seconds must be finite and >= 0, rounding >= 0, compensated true or false (got {seconds}, {rounding},"
            f" {told['compensated']!r:.80})"
        )
    history = members["history"]
    if history.dtype != np.float64 or history.ndim != 2 or history.shape[1] != len(Entry._fields) or not len(history):
        raise ValueError(f"the history holds {history.dtype} {history.shape}")
    passes, bounds = history[:, 0], history[:, -1]  # a bound may be infinite
    if (
        not np.isfinite(history[:, :-1]).all()
        or not (bounds >= 0).all()
        or passes[0] < 0
        or passes[-1] > LARGEST
        or not (passes[1:] > passes[:-1]).all()
    ):
        raise ValueError("the certificates of the checkpoint are not in order")
    best = members["best w"], members["best alpha"]
    if not all(array.dtype == np.float64 for array in best):
        raise ValueError("the best pair must hold float64")
    return Reached(
        drawn,
        epochs,
        Snapshot(due, ratio, start, movement),
        seconds,
        rounding,
        history,
        best,
        _turn(told),
        told["compensated"],
        origin,
        intercept=None if told.get("intercept") is None else float.fromhex(told["intercept"]),
    )


def _turn(told: dict[str, Any]) -> tuple[int, int, int]:
    """Return the turn of ``Reached``, checked; a file of an earlier version has none."""
    turn, base, until = told.get("turn", (0, 0, 0))
    if not all(type(number) is int for number in (turn, base, until)) or not (
        0 <= turn <= MOST_TURNS and 0 <= base <= until <= LARGEST
    ):
        raise ValueError(f"the turn must be three whole numbers (got {str(told.get('turn'))[:80]})")
    return turn, base, until


# -- files -------------------------------------------------------------------------------------------------------------


def write(path: str, told: Mapping[str, object], members: dict[str, Array]) -> None:
    """Write facts and arrays to a file: as a whole or, whatever happens, not at all. OSError where that cannot
    be done.

    The facts, which have a checksum, list the arrays: the directory of a zip archive has none, and an array that it no
    longer lists would be lost unnoticed.
    """
    told = {**told, MEMBERS: sorted(members)}
    with replacing(path) as file:
        np.savez(file, told=np.frombuffer(json.dumps(told).encode(), dtype=np.uint8), **members)  # type: ignore[arg-type]


def read(path: str, most: int = GROWN, way: str = AGAIN) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return what ``write`` has written. FileNotFoundError if there is no file, ValueError if it is not complete.

    Whatever the file holds: the readers of archives and JSON raise a dozen kinds of errors on damaged ones. Nothing is
    inflated, and together the members are no longer than the file.

    Parameters
    ----------
    most : bytes that the file may have
    way : what to do with a file that is refused
    """
    try:
        with open_regular(path, most) as file, zipfile.ZipFile(file) as held:
            found = held.infolist()
            if any(one.compress_type != zipfile.ZIP_STORED or one.compress_size != one.file_size for one in found):
                raise ValueError("its members are compressed; dualgap stores them as they are")
            if sum(one.file_size for one in found) > os.fstat(file.fileno()).st_size:
                raise ValueError("its members are longer than the file")
            members = {one.filename.removesuffix(".npy"): array_of(held.read(one)) for one in found}
        told = json.loads(members.pop("told").tobytes())
        if not isinstance(told, dict):
            raise TypeError("its facts are not a JSON object")
        # a file of an earlier version has no such list
        if told.pop(MEMBERS, sorted(members)) != sorted(members) or len(members) + 1 != len(found):
            raise ValueError("an array is missing")
        return told, members
    except FileNotFoundError:
        raise
    except Exception as error:
        raise damaged(path, error, way) from None


def damaged(path: str, reason: Exception, way: str = AGAIN) -> ValueError:
    """The error for a file that is not what ``write`` makes."""
    said = " ".join(str(reason).split())[:200] or type(reason).__name__
    return ValueError(f"{path} is damaged or not a file of dualgap ({said}); {way}")
