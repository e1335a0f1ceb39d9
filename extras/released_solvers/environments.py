"""Where released solvers run: a virtual environment for each package, with pinned versions, or a package of Debian's.
Nothing is installed unless it is asked for.

>>> environment("celer").install_hint
'dualgap estimators install celer'
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace

from dualgap.fast.data.atomic_file import write_bytes

DRIVERS = pathlib.Path(__file__).parent / "drivers"
# of what the packages bring along, where they do
CONSTRAINTS = ("scipy==1.17.1", "joblib==1.6.0", "threadpoolctl==3.8.0")


@dataclass(frozen=True)
class Environment:
    """One package's.

    Attributes
    ----------
    name : of the folder, and of ``dualgap estimators install NAME``.
    requirements : what pip is asked for, pinned; empty for programs of Debian's.
    build : what must be there before, pinned, where only the source is published and it does not say what it is built
        with.
    programs : what must be on the path.
    debian : the packages that bring them.
    driver : a file of ``drivers``.
    seconds : what one solve may take, its start-up included.
    constraints : pinned, of what the requirements bring along.
    """

    name: str
    requirements: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    debian: str = ""
    driver: str = ""
    seconds: float = 120.0
    constraints: tuple[str, ...] = CONSTRAINTS

    @property
    def python(self) -> pathlib.Path:
        """The interpreter of the environment, there or not."""
        return folder() / self.name / "bin" / "python"

    @property
    def install_hint(self) -> str:
        """How to get it."""
        return f"dualgap estimators install {self.name}" if self.requirements else f"apt install {self.debian}"

    @property
    def missing(self) -> str:
        """Why its solvers cannot be run here, or nothing."""
        if absent := [program for program in self.programs if shutil.which(program) is None]:
            return f"{absent[0]} is not installed: apt install {self.debian}"
        if not self.requirements or (there := self._installed()) == self._pins():
            return ""
        return f"{'not installed' if there is None else 'installed with other versions'}: {self.install_hint}"

    def _pins(self) -> str:
        """Every version that is asked for, a line each."""
        return "".join(f"{pin}\n" for pin in (*self.build, *self.requirements, *self.constraints))

    def _record(self) -> pathlib.Path:
        return folder() / self.name / "installed.txt"

    def _installed(self) -> str | None:
        """What the last installation that came to its end was asked for."""
        return self._record().read_text(encoding="utf-8") if self.python.exists() and self._record().exists() else None

    def command(self, setting: str) -> list[str]:
        """The program that answers for one setting."""
        if self.driver.endswith(".R"):
            return ["Rscript", "--vanilla", str(DRIVERS / self.driver), setting]
        python = str(self.python) if self.requirements else sys.executable
        return [python, str(DRIVERS / "serve.py"), str(DRIVERS / self.driver), setting]

    def at(self, version: str) -> "Environment":
        """The same package in another version, with whatever pip finds for it. Raises ValueError for one of
        Debian's.
        """
        if not self.requirements:
            raise ValueError(f"{self.name} comes with Debian, in the version that Debian has")
        package = self.requirements[0].partition("==")[0]
        return replace(self, name=f"{self.name}=={version}", requirements=(f"{package}=={version}",), constraints=())

    def install(self) -> None:
        """Make the virtual environment, afresh. Raises ValueError for one of Debian's, and where pip fails."""
        if not self.requirements:
            raise ValueError(f"{self.name} comes with Debian: {self.install_hint}")
        place = folder() / self.name
        _run([sys.executable, "-m", "venv", "--clear", str(place)])
        constraints = place / "constraints.txt"
        write_bytes(constraints, "\n".join(self.constraints).encode())
        pip = [str(self.python), "-m", "pip", "install", "--quiet", "--constraint", str(constraints)]
        if self.build:
            _run([*pip, *self.build])
        _run([*pip, *(["--no-build-isolation"] if self.build else []), *self.requirements])
        write_bytes(self._record(), self._pins().encode())


def _run(words: list[str]) -> None:
    ended = subprocess.run(words, capture_output=True, text=True)
    if ended.returncode:
        raise ValueError(
            f"{' '.join(words[:4])} ... ended with status {ended.returncode}: {reason(ended.stderr or ended.stdout)}"
        )


def reason(output: str) -> str:
    """The last line that names an error; what pip adds to it are notes.

    >>> reason("  ModuleNotFoundError: No module named 'numpy'\\n\\nnote: This error originates from a subprocess.\\n")
    "ModuleNotFoundError: No module named 'numpy'"
    """
    lines = output.strip().splitlines()
    return ([line.strip() for line in lines if re.match(r"\s*(ERROR|\w+Error): \S", line)] or lines or [""])[-1]


def folder() -> pathlib.Path:
    """The user's cache: $XDG_CACHE_HOME/dualgap/estimators, by default under ~/.cache."""
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "dualgap" / "estimators"


OLDER = ("scikit-learn==1.4.2", "numpy==1.26.4")  # with which lightning works

ENVIRONMENTS = (
    Environment("scikit-learn", ("scikit-learn==1.9.1", "numpy==2.4.6"), driver="sklearn_driver.py"),
    Environment("cyanure", ("cyanure==1.2.2", "scikit-learn==1.9.1", "numpy==2.4.6"), driver="cyanure_driver.py"),
    Environment("celer", ("celer==0.7.4", "scikit-learn==1.9.1", "numpy==2.4.6"), driver="celer_driver.py"),
    Environment(
        "skglm", ("skglm==0.5", "numba==0.68.1", "scikit-learn==1.9.1", "numpy==2.4.6"), driver="skglm_driver.py"
    ),
    Environment("glum", ("glum==3.4.1", "tabmat==4.2.1", "numpy==2.4.6"), driver="glum_driver.py"),
    Environment("statsmodels", ("statsmodels==0.15.0", "numpy==2.4.6"), driver="statsmodels_driver.py"),
    Environment("snapml", ("snapml==1.17.2", "numpy==2.4.6"), driver="snapml_driver.py"),
    Environment("liblinear-official", ("liblinear-official==2.50.0", "numpy==2.4.6"), driver="liblinear_driver.py"),
    Environment(
        "lightning",
        ("sklearn-contrib-lightning==0.6.2.post0", *OLDER),
        ("setuptools==65.5.0", "wheel==0.45.1", "Cython==0.29.37", *OLDER),
        driver="lightning_driver.py",
    ),
    Environment("xgboost", ("xgboost==3.2.0", "numpy==2.4.6"), driver="xgboost_driver.py"),
    Environment("vowpalwabbit", ("vowpalwabbit==9.11.9", "numpy==2.4.6"), driver="vw_driver.py"),
    Environment(
        "cvxpy",
        ("cvxpy==1.9.3", "clarabel==0.11.1", "osqp==1.1.3", "scs==3.3.1", "ecos==2.0.14", "numpy==2.4.6"),
        driver="cvxpy_driver.py",
    ),
    Environment(
        "pyspark",
        ("pyspark==3.5.5", "numpy==1.26.4"),
        programs=("java",),
        debian="default-jre-headless",
        driver="spark_driver.py",
        seconds=300.0,
    ),
    Environment("glmnet", programs=("Rscript",), debian="r-cran-glmnet r-cran-jsonlite", driver="glmnet_driver.R"),
    Environment(
        "debian",
        programs=("liblinear-train", "svm-train"),
        debian="liblinear-tools libsvm-tools",
        driver="debian_driver.py",
    ),
)


def environment(name: str) -> Environment:
    """By name, or NAME==VERSION for another version of the package. Raises ValueError for an unknown one."""
    base, other, version = name.partition("==")
    for one in ENVIRONMENTS:
        if one.name == base:
            return one.at(version) if other else one
    raise ValueError(f"unknown environment {name!r}; known: {', '.join(one.name for one in ENVIRONMENTS)}")
