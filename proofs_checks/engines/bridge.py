"""The tie between the formal proof and the code that runs: exact runs of the reference, proved step by step.

A theorem about ``Definitions.v`` says nothing about a program. So runs of the reference over Fractions (n = 3,
d = 2, one recorded seed each) are written as a Coq file of literal rationals. Of ASPDC, squared loss and smoothed
hinge:

- ``step``    lines 5-6: aspdc_step has the entries that the reference computed;
- ``loop``    line 7 as coded: the incremental update of w gives the reference's w, which is w(alpha) by definition too;
- ``gap``     P(w) - D(alpha) at the two ends of the run;
- ``expect``  E gap_t, t = 1 and 2, against the numbers that the enumeration engine finds.

Of the other methods every state of a run, entry by entry, from the one before. Where Flocq is installed, also every
partial sum of x_i^T w and of X^T alpha/n in doubles, and ``gap_bound`` with what it is made of, bit for bit.

Each lemma is proved by computation. In a corrupted copy one number is off by 10^-6; it must be rejected, and on
the line of the lemma that speaks of that number.
"""

import pathlib
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.engines.bridge_doubles import BoundScript, ElasticBoundScript, SumsScript
from dualgap.proofs_checks.engines.bridge_runs import AspdcScript, MiniBatchSpdcScript, PgsScript, SpdcScript
from dualgap.proofs_checks.engines.bridge_script import BridgeCase, Script

CASES = (
    BridgeCase("aspdc", "squared", Fraction(3, 2), 1, "alpha_5_0"),
    BridgeCase("aspdc", "smoothed-hinge", Fraction(3, 2), 10, "expect_1_0"),
    BridgeCase("pgs", "smoothed-hinge", Fraction(3, 2), 10, "w_3_1"),
    BridgeCase("spdc", "smoothed-hinge", Fraction(3, 2), 10, "alpha_4_0"),
    BridgeCase("spdc-minibatch", "smoothed-hinge", Fraction(3, 2), 10, "alpha_4_0"),
)
FLOAT_CASES = (  # need Flocq
    BridgeCase("sums in doubles", "squared", Fraction(1), 1, "z_1_3"),
    BridgeCase("gap_bound in doubles", "squared", Fraction(3, 2), 1, "gap_bound"),
    BridgeCase("gap_bound in doubles", "smoothed-hinge", Fraction(3, 2), 10, "gap_bound"),
    BridgeCase("gap_bound in doubles", "squared-hinge", Fraction(1, 2), 10, "gap_bound"),
    BridgeCase("gap_bound of the elastic net", "smoothed-hinge", Fraction(3, 2), 10, "gap_bound"),
    BridgeCase("gap_bound at gamma = 0", "hinge", Fraction(0), 1, "gap_bound"),
    BridgeCase("gap_bound at gamma = 0", "absolute", Fraction(0), 2, "e_z"),
)
SCRIPTS: dict[str, type[Script]] = {
    "aspdc": AspdcScript,
    "pgs": PgsScript,
    "spdc": SpdcScript,
    "spdc-minibatch": MiniBatchSpdcScript,
    "sums in doubles": SumsScript,
    "gap_bound in doubles": BoundScript,
    "gap_bound of the elastic net": ElasticBoundScript,
    "gap_bound at gamma = 0": BoundScript,
}


def script(case: BridgeCase, corrupt: str | None = None) -> Script:
    """The Coq file of a case."""
    return SCRIPTS[case.method](case, corrupt)


# -- asking Coq ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bridge:
    """The answers of Coq: how many runs and expectations it checked, how many corrupted copies it rejected, and why the
    bridge does not hold ("" if it does).
    """

    runs: int
    expectations: int
    rejected: int
    problem: str

    def __str__(self) -> str:
        return self.problem or (
            f"bridge: {self.runs} runs and {self.expectations} expectations of the reference proved, "
            f"{self.rejected} corrupted copies rejected"
        )


def failing_line(compiled: pathlib.Path, text: str) -> tuple[int | None, str]:
    """(line of the first error, message) of a Coq file over the compiled development; (None, "") when accepted."""
    with temporary_folder() as folder:
        path = folder / "run.v"
        path.write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", str(compiled), "Dualgap", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return None, ""
    found = re.search(r'run\.v", line (\d+), characters', done.stderr)
    return (int(found[1]) if found else 0), done.stderr.strip()


def cross(compiled: pathlib.Path) -> Bridge:
    """Prove every case over the compiled development in ``compiled``, and see every corrupted copy rejected."""
    rejected, expectations, problem = 0, 0, ""
    cases = CASES + (FLOAT_CASES if (compiled / "Binary64.vo").exists() else ())
    for case in cases:
        honest, corrupted = script(case), script(case, case.corrupted)
        expectations += honest.expectations
        line, message = failing_line(compiled, honest.text)
        if line is not None:
            problem = problem or f"the run of {case.name} is rejected: {message}"
        expected = corrupted.line_of[case.corrupted]
        line, message = failing_line(compiled, corrupted.text)
        if line != expected:
            problem = (
                problem
                or f"the corrupted copy of {case.name} must fail on line {expected} ({case.corrupted}), not {line}: {message}"  # noqa: E501
            )
        rejected += line == expected
    return Bridge(len(cases), expectations, rejected, problem)


def main(arguments: Sequence[str]) -> int:
    """``python3 -m dualgap.proofs_checks.engines.bridge FOLDER``, the folder with the compiled development."""
    if len(arguments) != 1:
        print(
            "usage: python3 -m dualgap.proofs_checks.engines.bridge FOLDER (the compiled development)", file=sys.stderr
        )
        return 2
    found = cross(pathlib.Path(arguments[0]).resolve())
    print(found)
    return 1 if found.problem else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
