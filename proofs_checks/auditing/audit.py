"""Run claims and say what was found: evidence, controls, mutants, verdict.

The verdict is "pass" exactly when every claim has the status that the registry expects, every control was
caught, every kill that a claim declares was confirmed, and every named mutant of a paper that was audited as a
whole has a killer. Nothing is retried and nothing that was skipped counts.
"""

import json
import pathlib
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dualgap.fast.data.atomic_file import warn_not_written, write_text
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import chosen, computing_in
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.origins import KINDS
from dualgap.proofs_checks.claims.registry import (
    ERROR,
    HOLDS,
    OPEN,
    REFUTED,
    UNDECIDED,
    VACUOUS,
    Claim,
    Evidence,
    Source,
    all_claims,
    select,
)
from dualgap.proofs_checks.claims.run import SIZES, Run, Strategy
from dualgap.proofs_checks.evidence.levels import Enclosed, Exact, Golden, Vacuous
from dualgap.proofs_checks.evidence.mutants import kills, mutants
from dualgap.reference import Interval, Method
from dualgap.reference.numbers.arithmetic import NumberType

Progress = Callable[[str, int, int], None]
MUTANT_INSTANCES = 60


def audit(
    names: Iterable[str] = (),
    size: str = "default",
    entropy: int | None = None,
    out: str | pathlib.Path | None = None,
    progress: Progress | None = None,
    method: Method[Any] | None = None,
    problems: Iterable[Instance] | None = None,
    exact: str | None = None,
) -> dict[str, Any]:
    """Audit papers or claims by name (all for none) and return the report.

    Parameters
    ----------
    size : "quick", "default" or "full": the number of instances, never which claims run.
    entropy : replay an earlier audit's randomness; None draws fresh entropy (it is in the report).
    out : folder for ``report.json`` and the counterexample files; None writes nothing.
    progress : called as progress(claim id, done, total).
    method : your own method, an object with ``init / choices / step / view``, instead of the reference's: the
        claims that are expected to hold and can run it are checked on it, exactly.
    problems : your own instances instead of the drawn ones; a claim's ``extra`` numbers must be in them.
    exact : "fraction" or "mpq", in which exact checks compute; None takes gmpy2's mpq where it is installed. The report is the same.

    Raises
    ------
    ValueError
        Unknown name, size or exact; gmpy2 is not installed; the folder cannot be written.
    """
    if size not in SIZES:
        raise ValueError(f"size must be one of {', '.join(SIZES)} (got {size!r})")
    run = Run(
        size=size, entropy=_fresh_entropy() if entropy is None else entropy, method=method,
        problems=None if problems is None else list(problems), exact=chosen(exact),
    )
    claims = [claim for claim in select(names) if _levels(claim, run)]
    run.demand = _demand(claims, run)
    folder = None if out is None else _writable(pathlib.Path(out))
    started = time.perf_counter()
    rows = _until_interrupted(claims, run, folder, progress)
    interrupted = len(rows) < len(claims)
    unkilled = [] if interrupted or own(run) else _without_killer(claims, rows)
    passed = all(row["as_expected"] for row in rows) and not unkilled and not interrupted
    report = {
        "schema": 2, "verdict": "pass" if passed else "fail", "claims": rows, "counts": counts(rows), "size": size,
        "entropy": run.entropy, "delta_total": run.delta_total, "mutants": _mutants_of({claim.paper for claim in claims}),
        "interrupted": interrupted, "mutants_without_killer": unkilled,
        "seconds": time.perf_counter() - started, "environment": _environment(),
    }
    if folder is not None:
        write_text(folder / "report.json", json.dumps(report, indent=1) + "\n")
    return report


def _until_interrupted(
    claims: list[Claim], run: Run, folder: pathlib.Path | None, progress: Progress | None
) -> list[dict[str, Any]]:
    """A row for every claim; after an interrupt those that are finished, which cannot be a pass."""
    rows: list[dict[str, Any]] = []
    try:
        for done, claim in enumerate(claims):
            if progress:
                progress(claim.id, done, len(claims))
            rows.append(examine_claim(claim, run, folder))
    except KeyboardInterrupt:
        pass
    return rows


def own(run: Run) -> bool:
    """Whether somebody's own method or instances are audited."""
    return run.method is not None or run.problems is not None


def _levels(claim: Claim, run: Run) -> list[Source]:
    """The claim's levels; for one's own method or instances those that can run them, of claims that should hold."""
    if not own(run):
        return list(claim.evidence)
    return [source for source in claim.evidence if isinstance(source, Exact) and claim.expected == HOLDS]


def examine_claim(claim: Claim, run: Run, folder: pathlib.Path | None) -> dict[str, Any]:
    """One row of the report."""
    with computing_in(run.exact):
        return _row(claim, run, folder)


def _row(claim: Claim, run: Run, folder: pathlib.Path | None) -> dict[str, Any]:
    started = time.perf_counter()
    found: list[Evidence] = []
    error = ""
    killed: list[str] = []
    outside: list[str] = []
    control, path = "none", None
    tests = replace(run, method=None, problems=None, pools={}) if own(run) else run  # of the check, not of the method
    try:
        found = [source(claim, run) for source in _levels(claim, run)]
        control = outcome(claim, tests)
        killed = [mutant for mutant in claim.kills if _killed(claim, mutant, tests)]
        counterexample = next((e.counterexample for e in found if e.violations and e.counterexample), None)
        outside = unmet(claim, counterexample)
        if counterexample is not None and folder is not None:
            path = _written(folder, claim, counterexample, run)
    except Exception:  # an audit must go on and say which claim broke, and where
        error = traceback.format_exc()
    status = ERROR if error else status_of(claim, found)
    return {
        "id": claim.id, "paper": claim.paper, "statement": claim.statement, "hypotheses": claim.hypotheses,
        "kind": claim.kind, "place": claim.place, "quote": claim.quote, "note": claim.note,
        "assumes": [{"text": a.text, "place": a.place, "evaluated": a.holds is not None} for a in claim.assumes], "unmet": outside,
        "proof": claim.proof, "status": status, "expected": claim.expected,
        "evidence": [str(e) for e in found],
        "instances": sum(e.instances for e in found), "violations": sum(e.violations for e in found),
        "vacuous": sum(e.vacuous for e in found), "undecided": sum(e.undecided for e in found),
        "control": control, "control_text": claim.control.text if claim.control else "",
        "killed": killed, "declared_kills": list(claim.kills), "counterexample": path,
        "as_expected": status == claim.expected and control == "caught" and killed == list(claim.kills) and not outside,
        "tightness": [round(t, 6) for e in found for t in e.tightness][:5000],
        "series": {name: values for e in found for name, values in e.series.items()},
        "error": error, "seconds": time.perf_counter() - started,
    }


def unmet(claim: Claim, counterexample: Instance | None) -> list[str]:
    """The hypotheses of the claim that its counterexample does not satisfy: outside them nothing is refuted."""
    if counterexample is None:
        return []
    context = Context(counterexample, number=_number(claim))
    return [assumed.text for assumed in claim.assumes if assumed.holds is not None and not assumed.holds(context)]


def _number(claim: Claim) -> NumberType:
    """Intervals where the claim's levels are ENCLOSED alone."""
    return Interval if claim.evidence and all(isinstance(source, Enclosed) for source in claim.evidence) else Fraction


def _written(folder: pathlib.Path, claim: Claim, counterexample: Any, run: Run) -> str | None:
    """The file of a counterexample; None where it cannot be written, which says nothing about the claim."""
    try:
        with computing_in("fraction"):  # whatever found it
            return str(counterexamples.write(folder, claim, counterexample, run.method))
    except OSError as error:
        warn_not_written(folder / f"counterexample-{claim.id}.json", error)
        return None


def counts(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """How many claims of each kind have which status."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for row in rows:
        found[row["kind"]][row["status"]] = found[row["kind"]].get(row["status"], 0) + 1
    return found


def outcome(claim: Claim, run: Run) -> str:
    """"caught", "missed" or "vacuous", in intervals too where a level is ENCLOSED; "none" without a control."""
    if claim.control is None:
        return "none"
    in_intervals = any(isinstance(source, Enclosed) for source in claim.evidence)
    runs = [run, replace(run, number=Interval)] if in_intervals else [run]
    try:
        return "caught" if all(claim.control.caught(claim, r) for r in runs) else "missed"
    except Vacuous:
        return "vacuous"


def status_of(claim: Claim, found: list[Evidence]) -> str:
    """The status that the evidence supports."""
    if any(e.violations for e in found):
        return REFUTED
    if not any(e.counts for e in found):
        if any(e.undecided for e in found):
            return UNDECIDED
        if claim.expected == OPEN and any(e.level.startswith("SEARCHED") and e.instances for e in found):
            return OPEN
        return VACUOUS
    return OPEN if claim.expected == OPEN else HOLDS


def _killed(claim: Claim, mutant: str, run: Run) -> bool:
    """Whether the claim's check is false for the mutant on one of the exact instances that it was checked on."""
    return any(kills(claim, mutant, _tried_on(source, run)) for source in claim.evidence)


def _demand(claims: Iterable[Claim], run: Run) -> dict[Strategy, int]:
    """The most instances that an exact level of the claims asks for, by strategy."""
    found: dict[Strategy, int] = {}
    for source in (source for claim in claims for source in claim.evidence if isinstance(source, Exact)):
        found[source.strategy] = max(found.get(source.strategy, 0), run.count(source.scale))
    return found


def _tried_on(source: Source, run: Run) -> Iterable[Instance]:
    """The instances of a level on which mutants are tried."""
    if isinstance(source, Exact):
        return run.instances_one_by_one(source.strategy, MUTANT_INSTANCES)
    return list(source.instances) if isinstance(source, Golden) else []


def _mutants_of(papers: set[str]) -> list[str]:
    """The named mutants of these papers."""
    return sorted(name for name in mutants() if name.partition(".")[0] in papers)


def _without_killer(claims: list[Claim], rows: list[dict[str, Any]]) -> list[str]:
    """Named mutants that no claim of their paper killed; asked only of papers that were audited as a whole."""
    audited = {claim.id for claim in claims}
    whole = {claim.paper for claim in claims} - {claim.paper for claim in all_claims().values() if claim.id not in audited}
    killed = {mutant for row in rows for mutant in row["killed"] if mutant.startswith(f"{row['paper']}.")}
    return [mutant for mutant in _mutants_of(whole) if mutant not in killed]


def _fresh_entropy() -> int:
    import secrets

    return secrets.randbits(64)


def _writable(folder: pathlib.Path) -> pathlib.Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".dualgap-write-test"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise ValueError(f"output folder {folder} cannot be written ({error.strerror}); name another with --out") from None
    return folder


def _environment() -> dict[str, Any]:
    """Versions, processor and mathematical library: what the float levels depend on."""
    import platform
    from importlib import metadata

    from dualgap.fast.compiler.kernel import environment, probe
    from dualgap.fast.problem.bits import contractions

    compiled, counts = environment(), {"x * y + z": contractions(), **probe()}
    differing = [name for name, count in counts.items() if count and name != "pow with a constant exponent"]
    return {
        "python": platform.python_version(), "platform": platform.platform(),
        "versions": {name: metadata.version(name) for name in ("dualgap", "numpy", "scipy", "numba", "llvmlite", "hypothesis")},
        "cpu": f"{compiled['cpu']} ({', '.join(compiled['cpu_flags'])})",
        "libc": compiled["libc"], "svml": compiled["svml"],
        "compiled mathematics": f"differs from Python's in {', '.join(differing)}: no bits are compared there" if differing else "the bits of Python's",
    }
