"""lightning: SDCAClassifier is P with alpha = lam (half of P for its squared hinge max(0, 1 - m)^2/2 is P with alpha =
lam/2); LinearSVC is P/lam with C = 1/(lam n). Only SDCA's printed output tells that it stopped at its tolerance.
"""

import contextlib
import io
from importlib.metadata import version

from lightning.classification import LinearSVC, SDCAClassifier
from serve import Answer, Fit, Task, fitted

VERSION = version("sklearn-contrib-lightning")


def sdca(loss: str) -> Fit:
    def fitted(task: Task) -> Answer:
        model = SDCAClassifier(alpha=task.lam, loss=loss, random_state=task.seed, verbose=1, **task.options())
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            model.fit(task.X, task.y)
        lines = printed.getvalue().split("\n")
        gaps = [line.split()[-1] for line in lines if line.startswith("iter")]
        return {
            "w": model.coef_,
            "converged": "Converged" in lines,
            "iterations": len(gaps),
            "says": {"gap": float(gaps[-1])},
        }

    return fitted


def svc(task: Task) -> Answer:
    return fitted(LinearSVC(C=task.C, loss="hinge", random_state=task.seed, **task.options()), task.X, task.y, ".")


FITS = {"SDCAClassifier-hinge": sdca("hinge"), "SDCAClassifier-squared_hinge": sdca("squared_hinge"), "LinearSVC": svc}
