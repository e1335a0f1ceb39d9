"""The Coq proof, with Coq put aside: what the audit makes of the answers of coqc and of the build.

Stubs answer in place of coqc and the build, so only ``inhabited`` needs Coq.
"""

import pathlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dualgap.proofs_checks.engines import bridge
from dualgap.proofs_checks.evidence import formal
from dualgap.proofs_checks.evidence.formal import NotProved, compile_one
from dualgap.proofs_checks.self_audit.saying import differs, put

Answers = dict[tuple[str, bool], tuple[int | None, str]]


def bridges() -> Iterator[str]:
    """Runs must be accepted, and their corrupted copies rejected on the line that speaks of the corrupted number."""
    put(bridge, script=cache(bridge.script))
    expected = {case.name: bridge.script(case, case.corrupted).line_of[case.corrupted] for case in bridge.CASES}
    fine: Answers = {
        (name, copy): (line if copy else None, "") for name, line in expected.items() for copy in (False, True)
    }
    yield from differs("all as due", crossed(fine), ("", len(bridge.CASES)))
    for run, line in expected.items():
        for name, copy, answer, words, rejected in (
            ("run rejected", False, (3, "no"), f"the run of {run} is rejected", 0),
            ("copy accepted", True, (None, ""), f"the corrupted copy of {run} must fail", -1),
            ("copy fails one line later", True, (line + 1, ""), f"the corrupted copy of {run} must fail", -1),
            ("copy fails nowhere known", True, (0, ""), f"the corrupted copy of {run} must fail", -1),
        ):
            problem, count = crossed({**fine, (run, copy): answer})
            got = problem.startswith(words), count
            yield from differs(f"{run}, {name}: says so, copies rejected", got, (True, len(expected) + rejected))


def crossed(answers: Answers) -> tuple[str, int]:
    """(problem, copies rejected) of the bridge where coqc answers this."""
    names = {
        bridge.script(case, case.corrupted if copy else None).text: (case.name, copy)
        for case in bridge.CASES
        for copy in (False, True)
    }
    put(bridge, failing_line=lambda compiled, text: answers[names[text]])
    found = bridge.cross(pathlib.Path())
    return found.problem, found.rejected


def axioms() -> Iterator[str]:
    """The axioms must be the four, no more and no fewer, and the bridge must hold."""
    four = sorted(formal.AXIOMS)
    yield from differs("the axioms", len(four), 4)
    for name, found, problem, expected in (
        ("the four", four, "", True),
        ("a fifth", [*four, "Classical.choice"], "", False),
        ("three", four[1:], "", False),
        ("another four", [*four[1:], "Mine.it_holds"], "", False),
        ("the four, and a bridge that broke", four, "the run is rejected", False),
    ):
        yield from differs(f"{name}: accepted", proved(found, problem), expected)


def proved(axioms: list[str], problem: str) -> bool:
    """Return whether the proof is accepted where the audit file prints these axioms and the bridge says this."""
    printed = "lemma_2\n     : True\nAxioms:\n" + "".join(f"{name} : Prop\n" for name in axioms)
    put(
        formal,
        build=lambda folder: printed,
        without_flocq=lambda: "no Flocq",
        cross=lambda folder: bridge.Bridge(2, 4, 2, problem),
        version=lambda: "8.16.1",
    )
    formal.proof.cache_clear()
    try:
        return formal.proof().theorems == {"lemma_2"}
    except formal.NotProved:
        return False


LABELS = ("Definitions", "Labels")  # the file of the labels is small and needs the definitions alone


def inhabited(folder: Path) -> Iterator[str]:
    """Both labels are labels: compiled in this copy of the folder."""
    for name in LABELS:
        try:
            compile_one(folder, name)
        except NotProved as error:
            yield str(error)
