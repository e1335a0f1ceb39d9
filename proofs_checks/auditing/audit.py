"""Run claims and say what was found: evidence, controls, mutants, verdict.

The verdict is "pass" exactly when every claim has the status that the registry expects, every control was
caught, every kill that a claim declares was confirmed, and every named mutant of a paper that was audited as a
whole has a killer. Nothing is retried and nothing that was skipped counts.
"""

import math
import pathlib
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any, cast

from dualgap.fast.data.atomic_file import write_text
from dualgap.fast.data.temporary import temporary_folder
from dualgap.fast.solver.interrupts import kept_interrupt
from dualgap.proofs_checks.auditing import counterexamples, coverage, dispatch, own_method, surroundings
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import chosen, computing_in
from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.parallel import usable
from dualgap.proofs_checks.claims.plugins import described, told
from dualgap.proofs_checks.claims.registry import (
    CLAIMS,
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
    require_about,
    select,
)
from dualgap.proofs_checks.claims.result import (
    AuditReport,
    ClaimResult,
    ControlResult,
    Counts,
    Environment,
    EvidenceEntry,
    Kills,
    NotRunJson,
    ReportJson,
)
from dualgap.proofs_checks.claims.run import SIZES, Run
from dualgap.proofs_checks.claims.strict_json import finite, finite_text
from dualgap.proofs_checks.claims.time_limit import reached
from dualgap.proofs_checks.evidence.levels import Enclosed, Exact, Golden, Vacuous
from dualgap.proofs_checks.evidence.mutants import kills, mutants
from dualgap.reference import AuditedMethod, Interval
from dualgap.reference.numbers.arithmetic import NumberType

Progress = Callable[[str, int, int], None]
MUTANT_INSTANCES = 60
# what a result has from its claim as it is
OF_THE_CLAIM = (
    *("id", "paper", "kind", "statement", "hypotheses", "statement_tex", "hypotheses_tex"),
    *("gravity", "place", "quote", "note", "proof", "expected"),
)
KEPT_EVERY = 60.0  # seconds between two reports of what is finished


def audit(
    names: Iterable[str] = (),
    size: str = "default",
    entropy: int | None = None,
    out: str | pathlib.Path | None = None,
    progress: Progress | None = None,
    method: AuditedMethod | None = None,
    problems: Iterable[Instance] | None = None,
    jobs: int | None = None,
    exact: str | None = None,
    claim_seconds: float | None = None,
    hunt: float | None = None,
) -> ReportJson:
    """Audit papers or claims by name (all for none) and return the report.

    Parameters
    ----------
    names : ids of claims, such as "aspdc.a17", or papers, such as "aspdc"; none for all.
    size : "quick", "default" or "full": the number of instances, never which claims run.
    entropy : replay an earlier audit's randomness; None draws fresh entropy (it is in the report).
    out : folder for ``report.json`` and the counterexample files; None writes nothing.
    progress : called as progress(claim id, done, total); with several jobs whenever a claim has its verdict, with what
        runs now. A claim that runs for 10 seconds then says where it is, on standard error.
    method : your own method, an object with ``init / choices / step / view`` (``dualgap.reference.AuditedMethod``),
        instead of the reference's: the claims that are expected to hold and can run it are checked on it, exactly; the
        others stand in the report under "not_run", each with its reason. Its draws are compared with its ``choices``
        ("draw").
    problems : your own instances instead of the drawn ones; a claim's ``extra`` numbers must be in them.
    jobs : processes at a time; more than one needs joblib. 0: one for each usable core. None: one, or what
        ``joblib.parallel_config`` says, such as a Dask cluster. The report is the same except for seconds.
    exact : "fraction" or "mpq", in which exact checks compute; None takes gmpy2's mpq where it is installed. The report
        is the same. Other people's claims, methods and instances are always computed in Fractions.
    claim_seconds : > 0, how long one claim may take; after it the claim's status is ERROR. None: no limit. Needs
        SIGALRM and a main thread, which Windows and Dask's workers lack.
    hunt : >= 0, for how many seconds each exact level of a claim that is expected to hold searches for a counterexample
        behind its draws. None: a number of steps that ``size`` says, the same on every machine.

    Raises
    ------
    ValueError
        Unknown name, size or exact; gmpy2 or joblib is needed and not installed; the folder cannot be written;
        ``method`` has not the verbs.
    """
    _require(size, claim_seconds, hunt)
    processes, number, started, versions = usable(jobs), chosen(exact), time.perf_counter(), surroundings.versions()
    names, given = list(names), None if problems is None else list(problems)
    claims, left_out = _asked(names, method, given)
    folder = None if out is None else surroundings.writable(pathlib.Path(out))
    entropy = secrets.randbits(64) if entropy is None else entropy
    with temporary_folder() as shared:
        own = cast(Any, method)
        run = Run(size, entropy, method=own, problems=given, exact=number, shared=str(shared), hunt=hunt)
        work = dispatch.Examination(examine_claim, run, folder, seconds=claim_seconds, says=progress is not None)
        kept_at, environment = [started], cache(partial(surroundings.environment, versions))

        def keep(rows: list[ClaimResult]) -> None:
            """Write the finished results every KEPT_EVERY seconds, so that a killed audit leaves a report."""
            now = time.perf_counter()
            if folder is not None and len(rows) < len(claims) and now - kept_at[-1] > KEPT_EVERY:
                kept_at.append(now)
                _write(folder, _report(claims, left_out, rows, run, now - started, environment(), draws=False))

        rows = dispatch.rows(claims, work, progress, processes, keep)
    return _write(folder, _report(claims, left_out, rows, run, time.perf_counter() - started, environment()))


def _require(size: str, claim_seconds: float | None, hunt: float | None) -> None:
    """Raise ValueError for options of an audit that are out of range."""
    if size not in SIZES:
        raise ValueError(f"size must be one of {', '.join(SIZES)} (got {size!r})")
    if claim_seconds is not None and not 0 < claim_seconds < math.inf:
        raise ValueError(f"claim_seconds must be > 0 and finite (got {claim_seconds})")
    if hunt is not None and not 0 <= hunt < math.inf:
        raise ValueError(f"hunt must be >= 0 and finite (got {hunt})")


def _write(folder: pathlib.Path | None, found: AuditReport) -> ReportJson:
    """The report as it is written to the folder, None in it for numbers that are not finite."""
    report: ReportJson = finite(found.to_json())
    if folder is not None:
        write_text(folder / "report.json", finite_text(report))
    return report


def _asked(
    names: list[str], method: AuditedMethod | None, problems: list[Instance] | None
) -> tuple[list[Claim], list[NotRunJson]]:
    """The claims of these names, and those that cannot be checked for the user's own method or instances.

    Raises ValueError for an unknown name, a method without the verbs, an instance of a kind that a claim is not about.
    """
    if method is not None:
        own_method.require_verbs(method)
    claims = select(names)
    if method is None and problems is None:
        return claims, []
    claims, left_out = own_method.asked(claims)
    for claim, instance in product(claims, problems or ()):
        require_about(claim, instance)
    return claims, left_out


def _report(
    claims: list[Claim],
    left_out: list[NotRunJson],
    rows: list[ClaimResult],
    run: Run,
    seconds: float,
    environment: Environment,
    draws: bool = True,
) -> AuditReport:
    """Results, verdict and what identifies the run; draws: whether others' methods are compared with their draws."""
    interrupted = len(rows) < len(claims)
    not_run = [*left_out, *(NotRunJson(id=row.id, reason=row.not_run) for row in rows if row.not_run)]
    rows = [row for row in rows if not row.not_run]
    unkilled = [] if interrupted or run.own else _without_killer(claims, rows)
    ran = {row.id for row in rows}
    draw = own_method.drawn(run, [claim for claim in claims if claim.id in ran and draws])
    examined = bool(rows) or not run.own
    passed = (
        all(row.as_expected for row in rows)
        and examined
        and not draw["differences"]
        and not unkilled
        and not interrupted
    )
    return AuditReport(
        verdict="pass" if passed else "fail",
        claims=tuple(rows),
        size=run.size,
        entropy=run.entropy,
        delta_total=run.delta_total,
        mutants=_mutants_of({claim.paper for claim in claims}),
        papers=coverage.statements(ran),
        interrupted=interrupted,
        mutants_without_killer=unkilled,
        not_run=sorted(not_run, key=lambda row: row["id"]),
        draw=draw,
        seconds=seconds,
        environment=environment,
        plugins=described(),
    )


def examine_claim(claim: Claim, run: Run, folder: pathlib.Path | None) -> ClaimResult:
    """Return the result of one claim; ``not_run`` gives the reason if the claim cannot be run.

    ``Examination.stored`` puts the text of the counterexample, which the result carries, into a file of the folder;
    None wants no text.
    """
    with computing_in(dispatch.number_of(claim, run)), kept_interrupt():
        return _result(claim, run, folder)


def _result(claim: Claim, run: Run, folder: pathlib.Path | None) -> ClaimResult:
    started = time.perf_counter()
    fields: dict[str, Any]
    try:
        with staying():
            fields = _examined(claim, run, folder)
            if CLAIMS.is_foreign(claim.id):
                _require_reportable(fields)
    except own_method.Lacks as lacks:
        fields = {"status": VACUOUS, "not_run": str(lacks)}
    except Exception as broken:  # an audit must go on and say which claim broke, and where
        module = (claim.check if run.method is None else type(run.method)).__module__
        fields = {"status": ERROR, "error": told(broken, module, str(CLAIMS.places.get(claim.id, "")))}
    return ClaimResult(
        **{name: getattr(claim, name) for name in OF_THE_CLAIM},
        file=file_of(claim),
        instead=claim.instead if claim.instead in CLAIMS.complete() else "",
        assumes=[assumed.listed() for assumed in claim.assumes],
        seconds=time.perf_counter() - started,
        **{"control": ControlResult("none", claim.control.text if claim.control else ""), **fields},
    )


def _require_reportable(fields: dict[str, Any]) -> None:
    """Raise TypeError for figures that no report can hold, which a level of other people's may give."""
    try:
        finite_text(finite([fields[name] for name in ("counts", "tightness", "series")]))
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"a level of its evidence gives what report.json cannot hold: {error}") from None


def _examined(claim: Claim, run: Run, folder: pathlib.Path | None) -> dict[str, Any]:
    """Return the results of evidence, control and mutants as fields of a result."""
    tests = replace(run, method=None, problems=None, pools={}) if run.own else run  # of the check, not of the method
    found = own_method.evidence(claim, run) if run.own else [source(claim, run) for source in claim.evidence]
    reached("its control")
    control = outcome(claim, tests)
    reached("its mutants")
    killed = tuple(
        mutant  # on the exact instances that the check was made on
        for mutant in claim.kills
        if any(kills(claim, mutant, _tried_on(source, tests)) for source in claim.evidence)
    )
    counterexample = next((e.counterexample for e in found if e.violations and e.counterexample), None)
    example = None
    if counterexample is not None:
        reached("the repetition of its counterexample")
        with computing_in("fraction"):  # whatever found it
            example = counterexamples.reproduced(claim, counterexample, run.method)
    return {
        "unmet": unmet(claim, counterexample),
        "status": status_of(claim, found),
        "evidence": tuple(EvidenceEntry(str(e)) for e in found),
        "counts": Counts(*(sum(getattr(e, name) for e in found) for name in Counts._fields)),
        "control": ControlResult(control, claim.control.text if claim.control else ""),
        "kills": Kills(declared=claim.kills, killed=killed),
        "counterexample": None if folder is None else example,
        "tightness": [round(t, 6) for e in found for t in e.tightness if math.isfinite(t)][:5000],
        "series": {name: values for e in found for name, values in e.series.items()},
    }


def file_of(claim: Claim) -> str:
    """Return the location of the claim: folder, file and line below the package, or the whole path for third-party
    code."""
    place = CLAIMS.places.get(claim.id)
    if place is None:
        return ""
    return str(place) if place.foreign else f"{place.below}:{place.line}"


def unmet(claim: Claim, counterexample: Instance | None) -> list[str]:
    """The hypotheses of the claim that its counterexample does not satisfy: outside them nothing is refuted."""
    if counterexample is None:
        return []
    context = Context(counterexample, number=_number(claim))
    return [assumed.text for assumed in claim.assumes if assumed.holds is not None and not assumed.holds(context)]


def _number(claim: Claim) -> NumberType:
    """Intervals where the claim's levels are ENCLOSED alone."""
    return Interval if claim.evidence and all(isinstance(source, Enclosed) for source in claim.evidence) else Fraction


def outcome(claim: Claim, run: Run) -> str:
    """ "caught", "missed" or "vacuous", in intervals too where a level is ENCLOSED; "none" without a control."""
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


def _tried_on(source: Source, run: Run) -> Iterable[Instance]:
    """The instances of a level on which mutants are tried."""
    if isinstance(source, Exact):
        return (context.instance for context in run.one_by_one(source.strategy, MUTANT_INSTANCES))
    return list(source.instances) if isinstance(source, Golden) else []


def _mutants_of(papers: set[str]) -> list[str]:
    """The named mutants of these papers."""
    return sorted(name for name in mutants() if name.partition(".")[0] in papers)


def _without_killer(claims: list[Claim], rows: list[ClaimResult]) -> list[str]:
    """Named mutants that no claim of their paper killed, for papers that were audited as a whole."""
    audited = {claim.id for claim in claims}
    whole = {claim.paper for claim in claims} - {
        claim.paper for claim in all_claims().values() if claim.id not in audited
    }
    killed = {mutant for row in rows for mutant in row.kills.killed if mutant.startswith(f"{row.paper}.")}
    return [mutant for mutant in _mutants_of(whole) if mutant not in killed]
