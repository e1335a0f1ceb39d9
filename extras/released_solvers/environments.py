"""The environments of released solvers: a virtual environment for each package, with pinned versions, or packages of
Debian. Nothing is installed unless the user requests it.

>>> environment("celer").install_hint
'dualgap estimators install celer'
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dualgap.fast.data.atomic_file import write_bytes

DRIVERS = pathlib.Path(__file__).parent / "drivers"
# pinned versions of dependencies
CONSTRAINTS = ("scipy==1.17.1", "joblib==1.6.0", "threadpoolctl==3.8.0")


@dataclass(frozen=True)
class Environment:
    """The environment of one package.

    Attributes
    ----------
    name : the name of the folder, and for ``dualgap estimators install NAME``.
    requirements : the packages that pip installs, pinned; empty for programs of Debian.
    build : packages that must be installed before, pinned, if only the source is published and does not name them.
    programs : programs that must be on the path.
    debian : the packages of Debian that provide them.
    driver : a file of ``drivers``.
    seconds : time limit for one solve, with its start-up.
    constraints : pinned versions of dependencies.
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
        """The interpreter of the environment, which need not exist."""
        return folder() / self.name / "bin" / "python"

    @property
    def install_hint(self) -> str:
        """The command that installs it."""
        return f"dualgap estimators install {self.name}" if self.requirements else f"apt install {self.debian}"

    @property
    def missing(self) -> str:
        """Why its solvers cannot run here; empty if they can."""
        if absent := [program for program in self.programs if shutil.which(program) is None]:
            return f"{absent[0]} is not installed: apt install {self.debian}"
        if not self.requirements or (there := self._installed()) == self._pins():
            return ""
        return f"{'not installed' if there is None else 'installed with other versions'}: {self.install_hint}"

    def _pins(self) -> str:
        """Every pinned version, a line each."""
        return "".join(f"{pin}\n" for pin in (*self.build, *self.requirements, *self.constraints))

    def _record(self) -> pathlib.Path:
        return folder() / self.name / "installed.txt"

    def _installed(self) -> str | None:
        """The pinned versions of the last completed installation."""
        return self._record().read_text(encoding="utf-8") if self.python.exists() and self._record().exists() else None

    def command(self, setting: str) -> list[str]:
        """The program that answers for one setting."""
        if self.driver.endswith(".R"):
            return ["Rscript", "--vanilla", str(DRIVERS / self.driver), setting]
        python = str(self.python) if self.requirements else sys.executable
        return [python, str(DRIVERS / "serve.py"), str(DRIVERS / self.driver), setting]

    def at(self, version: str) -> "Environment":
        """The same package in another version, without constraints. Raises ValueError for packages of Debian."""
        if not self.requirements:
            raise ValueError(f"{self.name} comes with Debian, in the version that Debian has")
        package = self.requirements[0].partition("==")[0]
        return replace(self, name=f"{self.name}=={version}", requirements=(f"{package}=={version}",), constraints=())

    def install(self) -> None:
        """Create the virtual environment again. Raises ValueError for packages of Debian, and if pip fails."""
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


def _read() -> Iterator[Environment]:
    """The lines of ``drivers/environments.txt``."""
    for line in (DRIVERS / "environments.txt").read_text(encoding="utf-8").split("\n\n")[2].splitlines():
        name, driver, *rest = line.split(" | ")
        requirements, build, programs, debian, seconds = (*rest, "", "", "", "", "")[:5]
        packages = tuple(requirements.split()), tuple(build.split()), tuple(programs.split())
        yield Environment(name, *packages, debian, driver, float(seconds or Environment.seconds))


ENVIRONMENTS = tuple(_read())


def environment(name: str) -> Environment:
    """By name, or NAME==VERSION for another version of the package. Raises ValueError for an unknown one."""
    base, other, version = name.partition("==")
    for one in ENVIRONMENTS:
        if one.name == base:
            return one.at(version) if other else one
    raise ValueError(f"unknown environment {name!r}; known: {', '.join(one.name for one in ENVIRONMENTS)}")
