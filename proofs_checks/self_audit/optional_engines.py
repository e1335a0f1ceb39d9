"""The engines that need optional tools, with the tool put aside: what they make of its answers.

Stubs answer in place of the solver, coqc and the build, so nothing here needs them.
"""

import pathlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from dualgap.proofs_checks.auditing.audit import status_of
from dualgap.proofs_checks.claims.registry import Evidence
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines import bridge
from dualgap.proofs_checks.evidence import formal, pep
from dualgap.proofs_checks.evidence.formal import NotProved, compile_one
from dualgap.proofs_checks.evidence.levels import optional
from dualgap.proofs_checks.self_audit.saying import differs, put
from dualgap.proofs_checks.self_audit.statuses import TRUE, claim_of

TABLE = ((2, Fraction(4), 1, Fraction(5, 8)), (3, Fraction(4), 1, Fraction(3, 4)), (2, Fraction(2), 1, Fraction(3, 4)))
RIGHT = {(2, Fraction(4)): 0.625, (3, Fraction(4)): 0.75, (2, Fraction(2)): 0.75}
CLAIM = claim_of(TRUE, [])
Ends = tuple[float, float]  # of a bracket


def worst_cases() -> Iterator[str]:
    """Values of semidefinite programs against their table: how many are wrong, how many the solver left open."""
    near, far = pep.ACCURACY / 2, 2 * pep.ACCURACY
    for name, change, expected in (
        ("all right", {}, (0, 0, "HOLDS")),
        (
            "all within the accuracy",
            {row: (value - near, value + near) for row, value in RIGHT.items()},
            (0, 0, "HOLDS"),
        ),
        ("one wrong among three", {(3, Fraction(4)): (0.5, 0.5)}, (1, 0, "REFUTED")),
        ("one primal value wrong", {(3, Fraction(4)): (0.75 - far, 0.75)}, (1, 0, "REFUTED")),
        ("one dual value wrong", {(3, Fraction(4)): (0.75, 0.75 + far)}, (1, 0, "REFUTED")),
        ("all wrong", dict.fromkeys(RIGHT, (1.0, 1.0)), (3, 0, "REFUTED")),
        ("one left open", {(3, Fraction(4)): None}, (0, 1, "HOLDS")),
        ("all left open", dict.fromkeys(RIGHT), (0, 3, "UNDECIDED")),
    ):
        found = solved(change, {})
        got = "an error" if found is None else (found.violations, found.undecided, status_of(CLAIM, [found]))
        yield from differs(f"PEP, {name}", got, expected)
    for step, value in pep.VARIANTS:
        yield from differs(
            f"PEP, the value of ASPDC for {step.__name__}", solved({}, {step.__name__: (0.625, 0.625)}), None
        )
        open_one = solved({}, {step.__name__: None})
        yield from differs(f"PEP, {step.__name__} ({value}) left open", open_one and open_one.undecided, 3)


def solved(changed: Mapping[tuple[int, Fraction], Ends | None], copies: Mapping[str, Ends | None]) -> Evidence | None:
    """Evidence if RIGHT is answered except for ``changed`` and ``copies``: (lower, upper), None: no answer."""
    mine = {step: value for step, value in pep.VARIANTS}

    def worst_case(n: int, ratio: Fraction, t: int, step: Any = pep.aspdc) -> pep.Worst:
        value = mine[step] if step in mine else RIGHT[n, ratio]
        answer = copies.get(step.__name__, (value, value)) if step in mine else changed.get((n, ratio), (value, value))
        return pep.Worst(0, pep.CAP, "solver status unknown") if answer is None else pep.Worst(*answer)

    put(pep, worst_case=worst_case)
    try:
        return pep.worst_over_class(*TABLE)(CLAIM, Run("full", 0))
    except RuntimeError:
        return None


def levels_that_are_skipped() -> Iterator[str]:
    """An optional level runs with --full and its package alone; skipped, it carries nothing."""
    source = optional("dualgap", lambda claim, run: Evidence("PROVED", 1))
    missing = optional("no_such_package", lambda claim, run: Evidence("PROVED", 1))
    for name, level, size, expected in (
        ("--full", source, "full", "HOLDS"),
        ("default", source, "default", "VACUOUS"),
        ("without the package", missing, "full", "VACUOUS"),
    ):
        found = level(CLAIM, Run(size, 0))
        yield from differs(f"an optional level, {name}", status_of(CLAIM, [found]), expected)


# -- the formal proof --------------------------------------------------------------------------------------------------

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
    """Whether the proof is accepted where the audit file prints these axioms and the bridge says this."""
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
