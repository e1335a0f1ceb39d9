"""Vowpal Wabbit with --bfgs: sum of losses + (l2/2)||w||^2 with l2 = lam n; its squared loss is (y - z)^2, twice ours.
A cache of the rows is passed over; it claims no convergence.
"""

import os
import tempfile
from importlib.metadata import version

import numpy as np
import vowpalwabbit
from serve import Answer, Fit, Task

VERSION = version("vowpalwabbit")


def fit(loss: str, scale: float) -> Fit:
    def fitted(task: Task) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            with open(data, "w") as file:
                for row, t in zip(task.X.tolist(), task.y.tolist()):
                    file.write(f"{t!r} | " + " ".join(f"{j}:{x!r}" for j, x in enumerate(row)) + "\n")
            strength = scale * task.lam * len(task.y)
            model = vowpalwabbit.Workspace(
                f"--bfgs --passes 30 -k --cache_file {data}.cache -d {data} --noconstant --loss_function {loss} --l2"
                f" {strength!r} --quiet --holdout_off"
            )
            w = np.array([model.get_weight(j) for j in range(task.X.shape[1])])
            model.finish()
        return {"w": w, "converged": False, "iterations": 30}

    return fitted


FITS = {"squared": fit("squared", 2.0), "logistic": fit("logistic", 1.0)}
