"""Certified optima: a bracket D(alpha) <= min P <= P(w) for a loss and lam on prepared data, kept with the pair that
proves it.

Where a figure shows P(w) - P*, P* is the lower end D(alpha), so that what is shown is an upper bound of the truth, off
by at most the width of the bracket. The folder of an experiment keeps ``optima.json`` and, for each optimum, w and
alpha as .npy files: ``dualgap certify`` makes the certificate again, without rounding; each record has that command. A
later run takes an optimum from there when the pair gives the stored numbers again, bit for bit; when it does not, the
run is refused.
"""

import hashlib
import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from dualgap.fast.data.atomic_file import replacing
from dualgap.fast.data.dataset import Dataset
from dualgap.fast.data.mapped_file import open_array
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.certificate import Certificate
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json, read_bytes
from dualgap.proofs_checks.conformance.protocol.hex_floats import spell_given
from dualgap.proofs_checks.experiments import runs
from dualgap.proofs_checks.report.terminal import Refused
from dualgap.reference import LOSSES, Problem

WIDTH, AIM = 1e-10, 1e-13  # of the bracket, relative to P: what a figure needs, and what is aimed at
MAX_SECONDS = 120.0
NUMBERS = ("primal", "dual", "gap")
FILE, VECTORS = "optima.json", ("w", "alpha")


@dataclass(frozen=True)
class Setting:
    """What an optimum is of: a loss with L2 on a data set, generator or file, prepared in this order.

    ``positive`` is for labels other than -1 and +1, as in ``runs.dataset``.
    """

    data: str
    lam: float
    loss: str = "smoothed-hinge"
    gamma: float | None = None
    positive: str = ""
    bias: bool = True
    unit_rows: bool = True

    def problem(self) -> Problem:
        """P, with its data."""
        return runs.problem_of(
            self.data, LOSSES[self.loss](self.gamma), self.lam, self.unit_rows, self.bias, self.positive
        )

    def dataset(self) -> Dataset:
        """The prepared data."""
        return runs.dataset(
            self.data, self.unit_rows, self.bias, self.positive if LOSSES[self.loss](self.gamma).margin else ""
        )

    def name(self) -> str:
        """The data set's name, without the folders of a file."""
        return pathlib.PurePath(self.data).name

    def audit(self, w: str, alpha: str) -> str:
        """The command that certifies a pair in two files, exactly."""
        words = ["dualgap certify", w, alpha, self.name(), f"--loss {self.loss}", f"--lam {self.lam!r}"]
        words += [f"--gamma {self.gamma!r}"] * (self.gamma is not None)
        relabelled = LOSSES[self.loss](self.gamma).margin and runs.relabelling(runs.raw(self.data), self.positive)
        words += (
            [f"--positive {self.positive}"] * bool(relabelled)
            + ["--bias"] * self.bias
            + ["--unit-rows"] * self.unit_rows
        )
        return " ".join(words)


class Optimum(NamedTuple):
    """A certificate, and the record of how it came to be: plain values, ready for JSON."""

    certificate: Certificate
    record: Json

    @property
    def lower(self) -> float:
        """D(alpha) <= min P."""
        return self.certificate.dual


class Store:
    """The optima that were found, or certified again, in this run; kept in a folder where there is one."""

    def __init__(self, folder: pathlib.Path | None = None) -> None:
        self.folder = folder
        self.found: dict[Setting, Optimum] = {}

    def optimum(self, setting: Setting) -> Optimum:
        """From this run, from the folder, or computed now."""
        if setting not in self.found:
            problem, key = setting.problem(), key_of(setting)
            kept = [record for record in self.records() if agrees(record, key)]
            self.found[setting] = self.again(problem, kept[0]) if kept else self.compute(setting, problem, key)
        return self.found[setting]

    def records(self) -> list[dict[str, object]]:
        """What the folder holds."""
        path = self.folder and self.folder / FILE
        if path is None or not path.exists():
            return []
        try:
            return list(json.loads(read_bytes(path))["optima"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise Refused(f"{path} is not a list of optima: delete it, and they are computed again") from None

    def again(self, problem: Problem, record: Json) -> Optimum:
        """Certify a stored pair once more. Raises Refused where it does not give the stored numbers."""
        assert self.folder is not None
        paths = [self.folder / record[name] for name in VECTORS]
        try:
            w, alpha = (open_array(str(path), "<f8") for path in paths)
            found = Certificate(problem, w, alpha, compensated=record["compensated"])
            told = {name: spell_given(getattr(found, name)) for name in NUMBERS}
        except (OSError, EOFError, KeyError, ValueError, OverflowError) as error:
            told = {"gap": f"nothing ({error})"}
        wrong = [name for name in told if told[name] != record[name]]
        if wrong:
            name = wrong[0]
            raise Refused(
                f"{paths[0].name} and {paths[1].name} in {self.folder} do not give "
                f"the optimum of {FILE}: {name} is {told[name]}, not "
                f"{record[name]}. Delete {FILE}, and it is computed again"
            )
        return Optimum(found, record)

    def compute(self, setting: Setting, problem: Problem, key: dict[str, object]) -> Optimum:
        """SPDC, whose rate is the best here for small lam, or SDCA where SPDC is not defined; then keep it."""
        from dualgap.fast import solve

        method = "spdc" if problem.gamma > 0 else "sdca"
        runs.TimedRun(problem, method, seed=0).bound()  # compiled before the clock starts
        result = solve(problem, method, rtol=AIM, max_epochs=10**7, max_seconds=MAX_SECONDS)
        found = result.certificate
        w, alpha = (f"{stem(setting, key)}-{name}.npy" for name in VECTORS)
        record = {
            "data": setting.name(),
            "preparation": list(setting.dataset().preparation),
            "n": problem.n,
            "d": problem.d,
            **key,
            **{name: spell_given(getattr(found, name)) for name in NUMBERS},
            "relative": found.gap / abs(found.primal),
            "rounding": found.rounding,
            "compensated": found.compensated,
            "method": method,
            "passes": result.epochs,
            "seconds": result.seconds,
            "status": result.status,
            "w": w,
            "alpha": alpha,
            "audit": setting.audit(w, alpha),
        }
        if self.folder is not None:
            self.keep(found, record, key)
        return Optimum(found, record)

    def keep(self, found: Certificate, record: Json, key: dict[str, object]) -> None:
        """Store it, unless another process has."""
        assert self.folder is not None
        with replacing(str(self.folder / FILE)) as file:  # one process at a time is inside
            records = self.records()
            if not any(agrees(kept, key) for kept in records):
                keep(self.folder / record["w"], found.w)
                keep(self.folder / record["alpha"], found.alpha)
                records.append(record)
            file.write((json.dumps({"schema": 1, "optima": records}, indent=1) + "\n").encode())


def agrees(record: Mapping[str, object], key: Mapping[str, object]) -> bool:
    """Whether a record is that of the key."""
    return all(record.get(name) == value for name, value in key.items())


def key_of(setting: Setting) -> dict[str, object]:
    """What a stored optimum must agree with: the prepared data, the loss and lam."""
    gamma = float(LOSSES[setting.loss](setting.gamma).gamma)
    data = setting.dataset()
    return {
        "sha256": checksum(data.X, data.y),
        "loss": setting.loss,
        "gamma": spell_given(gamma),
        "lam": spell_given(setting.lam),
    }


def stem(setting: Setting, key: dict[str, object]) -> str:
    """How the names of its files begin: readable, and different for different keys."""
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', setting.name())}-{setting.loss}-lam-{setting.lam:g}-{digest[:8]}"


def checksum(X: Any, y: Array) -> str:
    """SHA-256 of the shape of X, its stored entries (offsets, columns, values; or all values, row by row) and y,
    little-endian, 64 bits each.

    >>> checksum(np.array([[1.0, 0.0]]), np.array([1.0]))[:16]
    '0b0af450ac7059bd'
    """
    parts = [(np.array(X.shape), "<i8")]
    parts += [(X.indptr, "<i8"), (X.indices, "<i8"), (X.data, "<f8")] if issparse(X) else [(X, "<f8")]
    digest = hashlib.sha256()
    for values, kind in [*parts, (y, "<f8")]:
        digest.update(np.ascontiguousarray(values, dtype=kind).tobytes())
    return digest.hexdigest()


def keep(path: pathlib.Path, vector: Array) -> None:
    """Write a .npy file."""
    with replacing(path) as file:
        np.save(file, vector)


# -- for experiments ------------------------------------------------------------------------------------------

STORE: ContextVar[Store] = ContextVar("STORE")


@contextmanager
def kept_in(folder: pathlib.Path | None) -> Iterator[None]:
    """Optima computed inside are kept in the folder; nowhere for None."""
    token = STORE.set(Store(folder))
    try:
        yield
    finally:
        STORE.reset(token)


def optimum(setting: Setting) -> Optimum:
    """The optimum of a setting: kept in the experiment's folder, or for this call alone outside an experiment.

    Raises Refused: a stored pair does not give the stored numbers.
    """
    return STORE.get(Store()).optimum(setting)


def table(results: list[tuple[ex.Cell, Json]]) -> ex.Table:
    """The brackets that the figures use, of the cells whose result is the record of an optimum."""
    rows = []
    for _, record in results:
        wide = "" if record["relative"] <= WIDTH else f" (more than {WIDTH:g})"
        primal, dual, gap = (record[name].split()[1] for name in NUMBERS)
        lam, cost = (
            float(record["lam"].split()[1]),
            f"{record['method']}, {record['passes']} passes, {record['seconds']:.1f} s",
        )
        rows.append(
            [
                record["data"],
                f"{lam:g}",
                dual,
                primal,
                f"{float(gap):.1e}",
                f"{record['relative']:.1e}{wide}",
                f"{record['rounding']:.1e}",
                cost,
            ]
        )
    columns = ["data", "lam", "D(alpha)", "P(w)", "gap", "relative", "rounding at most", "by"]
    return ex.Table(
        "The minimum of P lies between D(alpha) and P(w); the experiment saves the pairs in optima.json", columns, rows
    )
