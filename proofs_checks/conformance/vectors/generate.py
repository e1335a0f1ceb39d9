"""Make the vector files: the requests that are published stay, and everything that is due for them is computed again.

A new method or loss gets cases of its own (``new_cases``). The bytes are the same on every machine.
"""

import hashlib
import json
import pathlib
from collections.abc import Callable, Iterator
from functools import partial

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.claims.exact import computing_registered
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.registry import PUBLISHED, PUBLISHED_LOSSES, ROWS
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs import catalogue
from dualgap.proofs_checks.conformance.seeded_bugs.flags import NEW, WAYS
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.conformance.vectors import new_cases, predicates, schema
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, by_definition, flags, make_case
from dualgap.proofs_checks.conformance.vectors.new_cases import NewCase
from dualgap.reference import LOSSES

KEPT = ("draws.json", "errata.json")  # drawn by numpy from seeds, and written by hand
LEVEL_OF = {"formulas": "L0", "steps": "L1", "trajectories": "L2", "theorems": "L3"}
SOURCE = "ASPDC (Liang et al., Electronics 2022), section 2; SDCA (Shalev-Shwartz and Zhang, JMLR 2013), section 5"
MOST_FLAGGED = 500  # entries of a problem on which every planted bug is run; published ones have 70
REMEDY = (
    "if you changed a step on purpose, change the independent implementation in the same way and run dualgap vectors"
    " --regenerate; else correct the step"
)


class Content:
    """One file that is generated: its level, its subject and the source of the subject."""

    def __init__(self, level: str, subject: str, source: str) -> None:
        self.level, self.subject, self.source = level, subject, source
        self.problems: Json = {}
        self.cases: list[Json] = []
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def add(self, call: str, given: Json, result: ExpectedResult, predicate: str | None = None) -> None:
        """Add a case, under an id that says what it is: subject.call.class.number."""
        request = hex_floats.plain(given)
        long = len(request.get("problem", {}).get("values", ())) > MOST_FLAGGED
        case = vectors.Case("", self.level, call, result.tolerance_class, (), given, None, predicate, "")
        shown = refuted(case, result) if predicate else [] if long else flags(call, request, result)
        sent = {**given, "problem": self._name(given["problem"])} if "problem" in given else given
        name = predicate or call.rpartition(".")[2].replace("_", "-")
        stem = f"{self.subject}.{name}.{result.tolerance_class.lower()}"
        self._counts[stem] = self._counts.get(stem, 0) + 1
        item = {
            "id": f"{stem}.{self._counts[stem]:03}",
            "call": call,
            "class": result.tolerance_class,
            "flags": shown,
            "given": sent,
        }
        self.cases.append(item | ({"due": result.due} if predicate is None else {"predicate": predicate}))

    def _name(self, problem: Json) -> str:
        text = json.dumps(problem)
        if text not in self._names:
            self._names[text] = f"p{len(self._names) + 1}"
            self.problems[self._names[text]] = problem
        return self._names[text]

    def raw(self) -> bytes:
        """The bytes of the file: one problem or case a line."""
        used = {flag for case in self.cases for flag in case["flags"]}
        about = vectors.load().flags | NEW
        described = {
            name: {"bug": about[name].bug, "class": about[name].kind, "effect": about[name].effect}
            for name in WAYS
            if name in used
        }
        head = {"schema": 1, "level": self.level, "subject": self.subject, "source": self.source}
        parts = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        parts += [_block("flags", described), _block("problems", self.problems)]
        parts.append(' "cases": [\n' + ",\n".join(f"  {json.dumps(case)}" for case in self.cases) + "\n ]")
        return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _block(name: str, items: Json) -> str:
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in items.items())
    return f" {json.dumps(name)}: " + ("{\n" + lines + "\n }" if lines else "{}")


def makers(kept: pathlib.Path = vectors.HOME) -> dict[str, Callable[[], Content]]:
    """File name to the function that makes the file: those of ``kept``, then those of new losses and methods."""
    published = vectors.vector_files(vectors.contents(kept))
    wanted = {name: (name.partition("-")[0], content["subject"]) for name, content in published.items()}
    new = [("formulas", loss) for loss in LOSSES if loss not in PUBLISHED_LOSSES]
    for method in [method for method in ROWS if method not in PUBLISHED]:
        new += [(kind, method) for kind in ("steps", "trajectories", *["theorems"] * bool(ROWS[method].truths))]
    wanted |= {f"{kind}-{subject}.json": (kind, subject) for kind, subject in new}
    return {name: partial(_filled, kind, subject, published.get(name)) for name, (kind, subject) in wanted.items()}


def _filled(kind: str, subject: str, published: Json | None) -> Content:
    """A file with the published requests, everything due computed again, then with the cases that are new."""
    source = published["source"] if published else ROWS[subject].source if subject in ROWS else SOURCE
    content = Content(published["level"] if published else LEVEL_OF[kind], subject, source)
    for case in vectors.cases_of(published) if published else ():
        content.add(case.call, case.given, computed(case), case.predicate)
    for new in _drawn(kind, subject):
        content.add(*new)
    return content


def _drawn(kind: str, subject: str) -> Iterator[NewCase]:
    """The cases of a loss or a method that is not published, and the certificates of such losses."""
    losses = [loss for loss in LOSSES if loss not in PUBLISHED_LOSSES]
    if (kind, subject) == ("theorems", "certificates"):
        yield from new_cases.certificates(losses)
    elif kind == "formulas" and subject in losses:
        yield from new_cases.formulas(subject)
    elif subject in ROWS and subject not in PUBLISHED:
        draw = {"steps": new_cases.steps, "trajectories": new_cases.trajectories, "theorems": new_cases.branches}[kind]
        yield from draw(ROWS[subject])


def computed(case: vectors.Case) -> ExpectedResult:
    """Return the expected result of a published request, in its class.

    Raises AssertionError if nothing of this class is due.
    """
    results = (make(case.call, case.request) for make in (make_case, partial(make_case, relative=True), by_definition))
    result = next((r for r in results if r is not None and r.tolerance_class == case.tolerance_class), None)
    if result is None:
        raise AssertionError(f"nothing of class {case.tolerance_class} is due for {case.id} any more")
    return result


def refuted(case: vectors.Case, result: ExpectedResult) -> list[str]:
    """The known bugs of which the predicate is false. Raises AssertionError if it is false of the reference, or
    nearly.
    """
    if not predicates.spacious(case, hex_floats.plain(result.due)):
        raise AssertionError(f"{case.predicate} is false of the reference, or nearly: {case.given}")
    answers = catalogue.answers(case.call, case.request)
    found = {flag for flag, wrong in answers if predicates.false_predicate(case, wrong) is not None}
    return [flag for flag in WAYS if flag in found]


def generate(
    folder: pathlib.Path, kept: pathlib.Path = vectors.HOME, advance: Callable[[str, int, int], None] | None = None
) -> int:
    """Write all vector files and the manifest into ``folder``; schemas, draws and errata are those of ``kept``, the
    schemas with new names. The number of cases.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entries: Json = {}
    made = makers(kept)
    for done, (name, make) in enumerate(made.items()):
        if advance is not None:
            advance(name, done, len(made))
        try:
            with computing_registered():
                content = make()
        except Exception as error:  # a step or a part of a method or loss was changed, in whatever way
            kind = "" if isinstance(error, (AssertionError, ValueError)) else f"{type(error).__name__}: "
            raise ValueError(f"{name} cannot be made: {kind}{error}; {REMEDY}") from error
        entries[name] = _entry(folder / name, content.raw()) | {"cases": len(content.cases)}
    for name in (schema.SCHEMA, schema.REQUEST, schema.ANSWER):
        raw = (kept / name).read_bytes()
        made_of = schema.extended(name, json.loads(raw))
        entries[name] = _entry(folder / name, raw if made_of == json.loads(raw) else json.dumps(made_of).encode())
    entries |= {name: _entry(folder / name, (kept / name).read_bytes()) for name in KEPT}
    write_bytes(folder / vectors.MANIFEST, vectors.sealed(entries))
    return sum(entry.get("cases", 0) for entry in entries.values())


def _entry(path: pathlib.Path, raw: bytes) -> Json:
    write_bytes(path, raw)
    return {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
