"""python serve.py DRIVER.py SETTING: a driver's solver behind the protocol of docs/ports.md, with Python and numpy
alone.

A driver has ``FITS``, from a setting to a function of a Task; what it returns is a dict with w, converged and, where
there are any, iterations and says, the numbers that the solver reports of itself, by their names. ``VERSION`` is the
solver's.
"""

import importlib.util
import json
import math
import os
import re
import resource
import struct
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Task(NamedTuple):
    """X (n, d) and y (n,) of doubles; loss, lam > 0, l1 >= 0, gamma; tol None is the solver's own default."""

    X: np.ndarray
    y: np.ndarray
    loss: str
    lam: float
    l1: float
    gamma: float
    tol: "float | None"
    seed: int

    @property
    def C(self) -> float:
        """The C of (1/2)||w||^2 + C sum_i loss_i = P/lam."""
        return 1 / (self.lam * len(self.y))

    @property
    def net(self) -> "dict[str, float]":
        """alpha and l1_ratio of alpha (l1_ratio ||w||_1 + (1 - l1_ratio)/2 ||w||^2)."""
        return {"alpha": self.lam + self.l1, "l1_ratio": self.l1 / (self.lam + self.l1)}

    def options(self, name: str = "tol") -> "dict[str, float]":
        """The tolerance as a keyword, if one is given."""
        return {} if self.tol is None else {name: self.tol}


Answer = dict[str, Any]  # a JSON object, or what a driver returns
Fit = Callable[[Task], Answer]


def fitted(model: Any, X: np.ndarray, y: np.ndarray, warning: str) -> Answer:
    """w of a fitted model; it says that it has converged unless a warning, "Category: message", matches the pattern."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(X, y)
    warned = any(re.search(warning, f"{one.category.__name__}: {one.message}") for one in said)
    return {"w": model.coef_, "converged": not warned}


def number(text: str) -> float:
    value: float = struct.unpack(">d", bytes.fromhex(text))[0]
    return value


def spelled(value: float) -> str:
    return struct.pack(">d", float(value)).hex()


def task_of(given: Answer) -> Task:
    """The request as arrays. Raises ValueError for what is no problem."""
    p = given["problem"]
    y, X, lam = np.array([number(t) for t in p["y"]]), np.zeros((p["n"], p["d"])), number(p["lam"])
    for i in range(p["n"]):
        for k in range(p["starts"][i], p["starts"][i + 1]):
            X[i, p["columns"][k]] = number(p["values"][k])
    if len(y) != p["n"] or not X.size or not (np.isfinite(X).all() and np.isfinite(y).all()) or not 0 < lam < math.inf:
        raise ValueError("X and y must be finite, of n > 0 rows, and lam > 0")
    if p["loss"] in ("hinge", "squared-hinge", "smoothed-hinge", "logistic") and not set(y) <= {-1.0, 1.0}:
        raise ValueError("labels are -1 and 1")
    return Task(
        X,
        y,
        p["loss"],
        lam,
        number(p["l1"]),
        number(p["gamma"]),
        number(given["tol"]) if "tol" in given else None,
        given["seed"],
    )


def processor_seconds() -> float:
    """CPU seconds of this process and of the programs that it has run to their end."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def answer(fit: Fit, given: Answer) -> Answer:
    """The line that answers "solve"; an exception of the solver is a refusal."""
    try:
        task = task_of(given)
        start = processor_seconds()
        found = fit(task)
        seconds = processor_seconds() - start
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    result = {
        "w": [spelled(x) for x in np.ravel(found["w"])],
        "converged": bool(found["converged"]),
        "seconds": spelled(seconds),
    }
    if "iterations" in found:
        result["iterations"] = int(found["iterations"])
    return {"result": result | {"says": {name: spelled(x) for name, x in found.get("says", {}).items()}}}


def main(path: str, setting: str) -> None:
    """Answer line after line; what the solver prints goes to standard error."""
    lines, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
    os.dup2(2, 1)
    spec = importlib.util.spec_from_file_location("driver", path)
    assert spec is not None and spec.loader is not None
    driver = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(driver)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["op"] == "stop":
            break
        said: Answer = {"skipped": "unknown"}
        if asked["op"] == "start":
            said = {
                "protocol": 1,
                "name": setting,
                "language": f"Python {sys.version.split()[0]}",
                "version": driver.VERSION,
            }
        elif asked["op"] == "echo":
            said = {"numbers": [spelled(number(text)) for text in asked["numbers"]]}
        elif asked["op"] == "solve":
            said = answer(driver.FITS[setting], asked["given"])
        lines.write(json.dumps({"seq": asked["seq"], **said}) + "\n")
        lines.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
