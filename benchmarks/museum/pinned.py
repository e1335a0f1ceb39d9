"""Old versions of libraries, each in an environment of its own, judged by ``dualgap.certify``.

``--envs DIR`` of ``run.py`` keeps the environments; they need the Pythons of pyenv, or of PATH, by their number. A
script gets X, y, weights and lam as numpy arrays, and sets w and b.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np
from exhibits import Asked, read

HEAD = """
import json, sys, warnings
import numpy as np
warnings.simplefilter("ignore")
given = json.load(sys.stdin)
X, y, s = (np.array(given[name]) for name in ("X", "y", "weights"))
n, lam = len(y), given["lam"]
"""
TAIL = "\nprint(json.dumps([np.ravel(w).tolist(), float(np.ravel(b)[0])]))"


class Pinned(NamedTuple):
    """A report on a released version; ``requirements`` of the accused and of the repaired version, the Python first."""

    library: str
    report: str
    repair: str
    wrong: str
    requirements: tuple[str, str]
    script: str
    loss: str
    most: float
    weighted: bool = False

    def asked(self) -> Asked:
        """The problem: 30 rows of 4 columns whose means are not 0."""
        rng = np.random.default_rng(3)
        X = np.round(1 + rng.standard_normal((30, 4)), 2)
        y = np.round(X @ [1.0, -2.0, 0.5, 0.0] + 3 + rng.standard_normal(30), 2)
        y = y if self.loss == "squared" else np.where(y > 1.5, 1.0, -1.0)
        weights = 1.0 + np.arange(30) % 4 if self.weighted else None
        return read(X, y, 0.1, 0.0, None, self.loss, 1e-8, 0)._replace(weights=weights)

    def answer(self, number: int, folder: Path) -> tuple[np.ndarray, float]:
        """w and b of the accused version (0) or of the repaired one (1). Raises RuntimeError if it cannot be had."""
        asked = self.asked()
        weights = np.ones(30) if asked.weights is None else asked.weights
        facts = {"X": asked.X.tolist(), "y": asked.y.tolist(), "weights": weights.tolist(), "lam": asked.lam}
        program = [environment(self.requirements[number], folder), "-c", HEAD + self.script + TAIL]
        done = subprocess.run(program, input=json.dumps(facts), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        w, b = json.loads(done.stdout)
        return np.array(w), b


def environment(requirements: str, folder: Path) -> str:
    """The Python of an environment with these packages, which is made if needed. Raises RuntimeError if that fails."""
    version, *packages = requirements.split()
    home = folder / packages[0]
    if not (home / "done").exists():
        installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions").glob(f"{version}.*")
        python = next((str(one / "bin" / "python") for one in installed), shutil.which(f"python{version}"))
        if python is None:
            raise RuntimeError(f"there is no Python {version}")
        made = subprocess.run([python, "-m", "venv", str(home)], capture_output=True, text=True)
        pip = [str(home / "bin" / "pip"), "install", "-q", "--only-binary", ":all:", *packages]
        made = made if made.returncode else subprocess.run(pip, capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(f"pip cannot install {packages[0]}: {made.stderr.strip().splitlines()[-1]}")
        (home / "done").touch()
    return str(home / "bin" / "python")


REPAIRED = "3.8 scikit-learn==0.22.2.post1 joblib==1.1.1 numpy==1.19.5 scipy==1.5.4"

PINNED = {
    "scikit_learn_15438": Pinned(
        "scikit-learn",
        "scikit-learn/scikit-learn#15438",
        "#22899, in 1.1",
        "Ridge with weights and an intercept on sparse X: the means were not scaled like the rows",
        ("3.8 scikit-learn==1.0.2", "3.8 scikit-learn==1.1.3 joblib==1.1.1"),
        "from scipy.sparse import csr_matrix; from sklearn.linear_model import Ridge\n"
        "m = Ridge(alpha=lam * s.sum(), solver='sparse_cg', tol=1e-12).fit(csr_matrix(X), y, sample_weight=s)\n"
        "w, b = m.coef_, m.intercept_",
        "squared",
        1e-9,
        weighted=True,
    ),
    "scikit_learn_4710": Pinned(
        "scikit-learn",
        "scikit-learn/scikit-learn#4710",
        "#13995, in 0.22",
        "Ridge with an intercept on sparse X: SAG replaced the chosen solver, with a warning, and was inexact",
        ("3.6 scikit-learn==0.20.4 scipy==1.5.4", REPAIRED),
        "from scipy.sparse import csr_matrix; from sklearn.linear_model import Ridge\n"
        "m = Ridge(alpha=lam * n, solver='sparse_cg', tol=1e-5, random_state=0).fit(csr_matrix(X), y)\n"
        "w, b = m.coef_, m.intercept_",
        "squared",
        1e-9,
    ),
    "scikit_learn_10626": Pinned(
        "scikit-learn",
        "scikit-learn/scikit-learn#10626",
        "a new default solver in 0.22",
        "LogisticRegression by default shrank the intercept; its documented objective does not",
        ("3.6 scikit-learn==0.21.3 joblib==0.14.1", REPAIRED),
        "from sklearn.linear_model import LogisticRegression\n"
        "m = LogisticRegression(C=1 / (n * lam)).fit(X, y)\n"
        "w, b = m.coef_, m.intercept_",
        "logistic",
        1e-5,
    ),
    "statsmodels_3624": Pinned(
        "statsmodels",
        "statsmodels/statsmodels#3624",
        "0.9.0",
        "OLS.fit_regularized: the shortcut for ridge regression was that of equal penalties",
        tuple(
            f"3.6 statsmodels=={one} pandas==0.24.2 scipy==1.2.3 patsy==0.5.1 python-dateutil==2.8.2"
            for one in ("0.8.0", "0.9.0")
        ),
        "from statsmodels.regression.linear_model import OLS\n"
        "m = OLS(y, np.column_stack([np.ones(n), X])).fit_regularized(alpha=np.array([0] + [lam] * 4), L1_wt=0)\n"
        "m = np.ravel(getattr(m, 'params', m)); w, b = m[1:], m[0]",
        "squared",
        1e-9,
    ),
}
