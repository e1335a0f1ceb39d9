"""xgboost's gblinear: mean loss + (lambda/2)||w||^2 + alpha ||w||_1, the squared loss halved. Its bias is free and
cannot be turned off: it is given every row with its mirror image (-x, -y), so that 0 is an optimal bias. It runs a
number of rounds and claims no convergence.
"""

import numpy as np
import xgboost
from serve import Answer, Fit, Task

VERSION = xgboost.__version__


def fit(objective: str, zero: float) -> Fit:
    def fitted(task: Task) -> Answer:
        X, y = np.vstack([task.X, -task.X]), np.concatenate([task.y, -task.y])
        y = (y + 1) / 2 if task.loss == "logistic" else y
        parameters = {
            "booster": "gblinear",
            "objective": objective,
            "lambda": task.lam,
            "alpha": task.l1,
            "base_score": zero,
            "updater": "coord_descent",
            "eta": 1.0,
            "seed": task.seed,
            "nthread": 1,
        }
        model = xgboost.train(parameters, xgboost.DMatrix(X, label=y), num_boost_round=10)
        weights = np.array(
            __import__("json").loads(model.save_raw("json"))["learner"]["gradient_booster"]["model"]["weights"],
            dtype=float,
        )
        return {"w": weights[: task.X.shape[1]], "converged": False, "iterations": 10, "says": {"bias": weights[-1]}}

    return fitted


FITS = {"squared": fit("reg:squarederror", 0.0), "logistic": fit("binary:logistic", 0.5)}
