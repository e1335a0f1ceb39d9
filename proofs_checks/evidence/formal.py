"""The machine-checked proof: build the Coq development of ``formal/``, read its axioms, tie it to the reference.

The level FORMAL of a claim needs all three, once per audit on a machine: every file accepted by ``coqc`` in a temporary
folder; the axioms of all theorems together exactly the four of the library's real numbers; and the bridge, exact
runs of the reference proved over the same definitions, with corrupted copies rejected. Anything else raises: a
proof that does not build is an error, not weaker evidence. Needs Coq 8.16 (Debian 12: ``apt-get install coq``).
"""

import contextlib
import pathlib
import pickle
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.claims.registry import Claim, Evidence, Source
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.bridge import cross

FOLDER = pathlib.Path(str(resources.files("dualgap.proofs_checks"))) / "formal"
VERSION = "8.16"  # later releases rename the library's root and lemmas

AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",  # the first three: the construction of the real numbers
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",  # the library's mean value theorem
    }
)


class NotProved(RuntimeError):
    """The development does not prove what it must; the message says where it stops."""


@dataclass(frozen=True)
class Proof:
    """The results of a build: Coq's version, the theorems printed by the audit file, and the report of the bridge."""

    version: str
    theorems: frozenset[str]
    bridge: str


def version() -> str:
    """The version of the ``coqc`` in the path, "" without one."""
    if shutil.which("coqc") is None:
        return ""
    return subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout.split()[0]


def unavailable() -> str:
    """Why the proof cannot be checked here; "" when it can."""
    found = version()
    if not found:
        return "coqc is not installed: apt-get install --no-install-recommends coq"
    return "" if found.startswith(f"{VERSION}.") else f"coqc is {found}; the proof is written for {VERSION}"


def without_flocq() -> str:
    """Why the theorems about binary64 cannot be checked here; "" when they can. Coq is there."""
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout.strip()
    found = (pathlib.Path(where) / "user-contrib" / "Flocq" / "Version.vo").exists()
    return "" if found else "Flocq is not installed: apt-get install --no-install-recommends libcoq-flocq"


def files(folder: pathlib.Path = FOLDER, line: str = "FILES") -> list[str]:
    """The files in order of dependence, as the Makefile lists them; the last one prints theorems and axioms.

    ``line`` FLOAT lists those that need Flocq too, and come after the others.
    """
    makefile = (folder / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.search(rf"^{line} := (.*)$", makefile, re.MULTILINE)
    if found is None:
        raise NotProved(f"{folder / 'Makefile'} has no line {line} := ...")
    return found[1].split()


def compile_one(folder: pathlib.Path, name: str) -> str:
    """Return the output of coqc for ``name``.v, compiled in its folder. Raises NotProved if it stops."""
    command = ["coqc", "-q", "-Q", ".", "Dualgap", f"{name}.v"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise NotProved(f"{name}.v is rejected: {done.stderr.strip()}")
    return done.stdout


def build(folder: pathlib.Path, line: str = "FILES") -> str:
    """Compile every file of that line in ``folder``, which is written to, and return what the last one prints."""
    return [compile_one(folder, name) for name in files(folder, line)][-1]


def read(printed: str) -> tuple[frozenset[str], frozenset[str]]:
    """(theorems, axioms) from the output of the audit file."""
    theorems, found, axioms = printed.partition("\nAxioms:\n")
    if not found:
        raise NotProved(f"the audit file prints no axioms, but ends in {printed[-200:]!r}")
    name = re.compile(r"^@?([\w.']+)(?: :.*)?$", re.MULTILINE)
    return frozenset(name.findall(theorems)), frozenset(name.findall(axioms))


def checked(printed: str) -> frozenset[str]:
    """The theorems that an audit file printed, which use the four axioms and no other."""
    theorems, axioms = read(printed)
    if axioms != AXIOMS:
        raise NotProved(f"the axioms must be {sorted(AXIOMS)}, but are {sorted(axioms)}")
    return theorems


@cache
def proof() -> Proof:
    """Build the proof, read the axioms and run the bridge, once per process. Raises NotProved."""
    with temporary_folder() as folder:
        for path in [*FOLDER.glob("*.v"), FOLDER / "Makefile"]:
            shutil.copy(path, folder)
        theorems = checked(build(folder))
        if not without_flocq():
            theorems |= checked(build(folder, "FLOAT"))
        crossed = cross(folder)
    if crossed.problem:
        raise NotProved(crossed.problem)
    return Proof(version(), theorems, str(crossed))


def proof_of_audit(shared: str) -> Proof:
    """``proof``, built once by the processes of one audit, in ``shared``; others wait. Raises NotProved."""
    kept = pathlib.Path(shared, "proof")
    if not shared or not kept.parent.is_dir():  # none, or another machine's
        return proof()
    with alone(pathlib.Path(shared, "proof.lock")):
        if not kept.exists():
            part = kept.with_suffix(".part")
            part.write_bytes(pickle.dumps(outcome()))
            part.replace(kept)  # whole or not at all, whenever the process ends
        found = pickle.loads(kept.read_bytes())
    if isinstance(found, NotProved):
        raise found
    answer: Proof = found
    return answer


def outcome() -> Proof | NotProved:
    """The proof, or why there is none."""
    try:
        return proof()
    except NotProved as error:
        return error


@contextlib.contextmanager
def alone(lock: pathlib.Path) -> Iterator[None]:
    """Allow only one process of this machine inside at a time. On a system without such locks no process waits."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True)
class Formal:
    """FORMAL(coq ...): the theorems named are in the development, which builds. SKIPPED without Coq or ``--full``.

    With ``refutes`` they prove that the claim is false; with ``flocq`` they are about binary64, and SKIPPED without
    Flocq.
    """

    theorems: tuple[str, ...]
    refutes: bool
    flocq: bool = False

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        if run.size != "full":
            return Evidence("SKIPPED(runs with --full)")
        if reason := unavailable():
            return Evidence(f"SKIPPED({reason})")
        if self.flocq and (reason := without_flocq()):
            return Evidence(f"SKIPPED({reason})")
        found = proof_of_audit(run.shared)
        if missing := sorted(set(self.theorems) - found.theorems):
            raise NotProved(f"the audit file of the formal proof does not print {', '.join(missing)}")
        return Evidence(
            f"FORMAL(coq {found.version})",
            instances=len(self.theorems),
            violations=self.refutes * len(self.theorems),
            detail=f"{', '.join(self.theorems)}; {len(AXIOMS)} axioms; {found.bridge}",
        )


def formal(*theorems: str, refutes: bool = False, flocq: bool = False) -> Source:
    """The level of these theorems."""
    return Formal(theorems, refutes, flocq)


def in_turn(claims: Sequence[Claim], run: Run) -> dict[int, int]:
    """The order of claims that need the proof: -1 (first) for the one that builds it, 1 (last) for those that wait."""
    asking = [
        number
        for number, claim in enumerate(claims)
        if run.size == "full" and any(isinstance(source, Formal) for source in claim.evidence)
    ]
    return {number: 1 if k else -1 for k, number in enumerate(asking)}
