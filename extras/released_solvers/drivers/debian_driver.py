"""Debian's programs. liblinear-train: ||w||^2/2 + C sum of losses = P/lam with C = 1/(lam n). svm-train -t 0 has a bias
that is free: it is given every row with its mirror image (-x, -y), so that 0 is an optimal bias, of w alone, and C =
1/(2 lam n).
"""

import os
import subprocess
import tempfile

import numpy as np
from serve import Answer, Fit, Task

VERSION = "of Debian: " + ", ".join(
    subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}", name], capture_output=True, text=True).stdout
    or f"no {name}"
    for name in ("liblinear-tools", "libsvm-tools")
)


def called(program: "list[str]", X: np.ndarray, y: np.ndarray) -> "tuple[list[str], str]":
    """The lines of the model and the program's output."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = os.path.join(folder, "data"), os.path.join(folder, "model")
        with open(data, "w") as file:
            for row, t in zip(X.tolist(), y.tolist()):
                entries = " ".join(f"{j}:{x!r}" for j, x in enumerate(row, 1) if x or j == len(row))
                file.write(f"{t:+g} {entries}\n")
        said = subprocess.run([*program, data, model], capture_output=True, text=True, check=True)
        with open(model) as file:
            return file.read().split("\n"), said.stdout + said.stderr


def liblinear(kind: int) -> Fit:
    def fitted(task: Task) -> Answer:
        tolerance = [] if task.tol is None else ["-e", repr(task.tol)]
        lines, said = called(["liblinear-train", "-s", str(kind), "-c", repr(task.C), *tolerance], task.X, task.y)
        w = np.array([float(x) for x in lines[lines.index("w") + 1 :] if x])
        return {"w": w if "label 1 -1" in lines else -w, "converged": "WARNING" not in said}

    return fitted


def libsvm(task: Task) -> Answer:
    tolerance = [] if task.tol is None else ["-e", repr(task.tol)]
    X, y = np.vstack([task.X, -task.X]), np.concatenate([task.y, -task.y])
    lines, said = called(["svm-train", "-t", "0", "-c", repr(task.C / 2), *tolerance], X, y)
    w = np.zeros(task.X.shape[1])
    for line in filter(None, lines[lines.index("SV") + 1 :]):
        weight, *entries = line.split()
        for entry in entries:
            j, x = entry.split(":")
            w[int(j) - 1] += float(weight) * float(x)
    return {"w": w if "label 1 -1" in lines else -w, "converged": "WARNING" not in said}


FITS = {**{f"s{kind}": liblinear(kind) for kind in (0, 1, 2, 3, 7)}, "svm-train": libsvm}
