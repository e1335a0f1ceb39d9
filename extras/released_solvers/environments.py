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
from collections.abc import Iterator
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
