"""cyanure: mean loss + (lambda_1/2)||w||^2, or lambda_1 ||w||_1 + (lambda_2/2)||w||^2; its square is (y - z)^2/2, its
sqhinge max(0, 1 - m)^2/2, which is half of ours: P/2 with lambda_1 = lam/2.
"""

from importlib.metadata import version

import numpy as np
from cyanure.estimators import Classifier, Regression
from serve import Answer, Fit, Task

VERSION = version("cyanure")


def fit(loss: str, scale: float = 1.0) -> Fit:
    def fitted(task: Task) -> Answer:
        kind, chosen = (Regression, {}) if loss == "square" else (Classifier, {"loss": loss})
        weights = {"penalty": "l2", "lambda_1": scale * task.lam}
        if task.l1:
            weights = {"penalty": "elasticnet", "lambda_1": scale * task.l1, "lambda_2": scale * task.lam}
        model = kind(
            fit_intercept=False,
            random_state=task.seed,
            verbose=False,
            n_threads=1,
            **chosen,
            **weights,
            **task.options(),
        )
        model.fit(np.asfortranarray(task.X), task.y)
        passes = int(np.max(model.n_iter_))
        return {"w": model.coef_, "converged": passes < model.max_iter, "iterations": passes}

    return fitted


FITS = {"square": fit("square"), "logistic": fit("logistic"), "sqhinge": fit("sqhinge", 0.5)}
