"""liblinear by its own Python interface: ||w||^2/2 + C sum of losses = P/lam with C = 1/(lam n); -s 0 logistic, 1 and 2
squared hinge, 3 hinge, 7 logistic (dual).
"""

import contextlib
import os
import tempfile
from importlib.metadata import version
from typing import Any

import numpy as np
from liblinear.liblinearutil import train
from serve import Answer, Fit, Task

VERSION = version("liblinear-official")


def fit(kind: int) -> Fit:
    def fitted(task: Task) -> Answer:
        tolerance = "" if task.tol is None else f" -e {task.tol!r}"
        with tempfile.TemporaryFile("w+") as said, to_file(said):
            model = train(task.y.tolist(), task.X, f"-s {kind} -c {task.C!r}{tolerance}")
            said.seek(0)
            text = said.read()
        w, _ = model.get_decfun(label_idx=0)
        sign = 1 if model.get_labels()[0] == 1 else -1
        w = np.concatenate([w, np.zeros(task.X.shape[1] - len(w))])
        return {"w": sign * w, "converged": "WARNING" not in text}

    return fitted


@contextlib.contextmanager
def to_file(file: Any) -> Any:
    """What C prints, into a file."""
    kept = os.dup(1), os.dup(2)
    os.dup2(file.fileno(), 1)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        __import__("ctypes").CDLL(None).fflush(None)
        for place, stream in enumerate(kept, 1):
            os.dup2(stream, place)
            os.close(stream)


FITS = {f"s{kind}": fit(kind) for kind in (0, 1, 2, 3, 7)}
