"""Generate the vector files. Each is a pure function of the reference, so its bytes are the same on every machine."""

import hashlib
import json
import pathlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.claims.exact import computing_registered
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.registry import PUBLISHED, ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs import catalogue
from dualgap.proofs_checks.conformance.seeded_bugs.flags import FLAGS
from dualgap.proofs_checks.conformance.vectors import draws, limits, many, predicates, protocol_schema, schema
from dualgap.proofs_checks.conformance.vectors import formulas as cases_formulas
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.conformance.vectors import steps as cases_methods
from dualgap.proofs_checks.conformance.vectors import theorems as cases_theorems
from dualgap.proofs_checks.conformance.vectors.edges import edges
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, flags, make_case
from dualgap.reference import BLOCK_LOSSES, LOSSES

SCHEMA, ERRATA = "schema.json", "errata.json"  # both written by hand; only the names in the schema are filled in
BLOCKS = tuple(name for name in BLOCK_LOSSES if name not in LOSSES)  # squared is the scalar one, number by number
SOURCES = {  # for subjects that are not methods
    "losses": (
        "ASPDC (Liang et al., Electronics 2022), section 2; SDCA (Shalev-Shwartz and Zhang, JMLR 2013), section 5"
    ),
    "regularizers": "ASPDC, eqs. (5) to (8); SPDC (Zhang and Xiao, JMLR 2017), section 6.2",
    "p-norm": 'PGS ("Inverse Time Dependency in Convex Regularized Learning", ICDM 2009), section III, Theorem 3',
    **dict.fromkeys(BLOCKS, "AdaSPDC (Zhu and Storkey, ECML PKDD 2015), (2), (9)"),
    "certificates": "ASPDC, Lemma 1 and the gap identity",
}
Item = Json
Cases = Callable[..., Iterable[cases_methods.Found]]
MOST_FLAGGED = 500  # entries of a problem on which every planted bug is run; published ones have 70


REMEDY = (
    "if you changed a step on purpose, change the independent implementation in the same way and run dualgap vectors"
    " --regenerate; else correct the step"
)


class Content:
    """One file in the making."""

    def __init__(self, level: str, subject: str) -> None:
        self.level, self.subject = level, subject
        self.problems: Json = {}
        self.cases: list[Item] = []
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def add(self, call: str, given: Item, result: ExpectedResult, predicate: str | None = None) -> None:
        """Add a case, under an id that says what it is: subject.call.class.number."""
        request = hex_floats.plain(given)
        if len(request.get("problem", {}).get("values", ())) > MOST_FLAGGED:
            shown = []
        else:
            shown = flags(call, request, result) if predicate is None else refuted(call, given, predicate)
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

    def _name(self, problem: Item) -> str:
        text = json.dumps(problem)
        if text not in self._names:
            self._names[text] = f"p{len(self._names) + 1}"
            self.problems[self._names[text]] = problem
        return self._names[text]

    def raw(self) -> bytes:
        """The bytes of the file: one problem or case a line."""
        used = {flag for case in self.cases for flag in case["flags"]}
        described = {
            name: {"bug": f.bug, "class": f.kind, "effect": f.effect} for name, f in FLAGS.items() if name in used
        }
        source = ROWS[self.subject].source if self.subject in ROWS else SOURCES.get(self.subject, SOURCES["losses"])
        head = {"schema": 1, "level": self.level, "subject": self.subject, "source": source}
        parts = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        parts += [_block("flags", described), _block("problems", self.problems)]
        parts.append(' "cases": [\n' + ",\n".join(f"  {json.dumps(case)}" for case in self.cases) + "\n ]")
        return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _block(name: str, items: Item) -> str:
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in items.items())
    return f" {json.dumps(name)}: " + ("{\n" + lines + "\n }" if lines else "{}")


def makers() -> dict[str, Callable[[], Content]]:
    """File name to the function that makes the file."""
    found: dict[str, Callable[[], Content]] = {}

    def add(kind: str, level: str, subject: str, cases: Cases, *given: object) -> None:
        found[f"{kind}-{subject}.json"] = partial(filled, level, subject, cases, *given)

    for loss in LOSSES:
        add("formulas", "L0", loss, _with_results, cases_formulas.formulas, loss)
    add("formulas", "L0", "regularizers", _with_results, cases_formulas.regularizers)
    add("formulas", "L0", "p-norm", _with_results, cases_formulas.p_norms)
    for loss in BLOCKS:
        add("formulas", "L0", loss, _with_results, cases_formulas.blocks, loss)
    for method, row in ROWS.items():
        add("steps", "L1", method, steps, row)
        add("trajectories", "L2", method, cases_methods.trajectories, row)
        if cases_theorems.path_of(row) or any(row.predicates(loss) for loss in row.losses):
            found[f"theorems-{method}.json"] = partial(theorems, method)
    add("theorems", "L3", "certificates", cases_theorems.certificates)
    for subject, (level, cases) in (limits.SUBJECTS | many.SUBJECTS).items():
        add("limits", level, subject, cases)
    return found


def filled(level: str, subject: str, cases: Cases, *about: object) -> Content:
    """A file of the cases that the function gives."""
    content = Content(level, subject)
    for call, given, result in cases(*about):
        content.add(call, given, result)
    return content


def steps(row: MethodSpec) -> Iterator[cases_methods.Found]:
    """Level L1 of a method."""
    first, further = random_data.parts(row.losses)
    return chain(cases_methods.steps(row, first), edges(row), cases_methods.steps(row, further))


def _with_results(
    requests: Callable[..., Iterable[cases_formulas.Request]], *about: str
) -> Iterator[cases_methods.Found]:
    for call, given in requests(*about):
        result = make_case(call, hex_floats.plain(given))
        if result is not None:
            yield call, given, result


def theorems(method: str) -> Content:
    """Level L3 of a method: what is true of the branches, or of a path; and of branches each with its own state."""
    content = Content("L3", method)
    for call, given, result, names in cases_theorems.theorems(ROWS[method]):
        if call == "branches" and result.tolerance_class == "E":
            content.add(call, given, result)
        for predicate in names:
            case = vectors.Case("", "L3", call, result.tolerance_class, (), given, None, predicate, "")
            if not predicates.spacious(case, hex_floats.plain(result.due)):
                raise AssertionError(f"{predicate} is false of the reference, or nearly: {given}")
            content.add(call, given, result, predicate)
    return content


def refuted(call: str, given: Item, predicate: str) -> list[str]:
    """The known bugs of which the predicate is false here."""
    case = vectors.Case("", "L3", call, "E", (), given, None, predicate, "")
    answers = catalogue.answers(call, hex_floats.plain(given))
    found = {flag for flag, result in answers if predicates.false_predicate(case, result) is not None}
    return [flag for flag in FLAGS if flag in found]


def generate(
    folder: pathlib.Path, kept: pathlib.Path = vectors.HOME, advance: Callable[[str, int, int], None] | None = None
) -> int:
    """Write all vector files and the manifest into ``folder``; schema and errata are those of ``kept``, the schema with
    the names of the registries. The number of cases.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entries: Json = {}
    made = makers()
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
    entries[SCHEMA] = _entry(folder / SCHEMA, schema.raw(schema.with_names(json.loads((kept / SCHEMA).read_bytes()))))
    for name, value in described().items():
        entries[name] = _entry(folder / name, (json.dumps(value) + "\n").encode())
    entries[ERRATA] = _entry(folder / ERRATA, (kept / ERRATA).read_bytes())
    write_bytes(folder / vectors.MANIFEST, vectors.sealed(entries))
    count: int = sum(entry.get("cases", 0) for entry in entries.values())
    if folder == vectors.HOME and (new := [name for name in ROWS if name not in PUBLISHED]):
        changes = folder.parent / "CHANGES.md"
        write_bytes(changes, announced(changes.read_text(encoding="utf-8"), count, new).encode())
    return count


def announced(text: str, count: int, new: list[str]) -> str:
    """The page of changes with an entry on new methods, which stands first.

    >>> announced("# Changes\\n\\n## 9 cases\\n\\nFirst.\\n", 1012, ["a", "b"])
    '# Changes\\n\\n## 1,012 cases\\n\\nNew: `a`, `b`. A port skips what it lacks.\\n\\n## 9 cases\\n\\nFirst.\\n'
    """
    above, mark, below = text.partition("\n## ")
    methods = ", ".join(f"`{name}`" for name in new)
    return f"{above}\n## {count:,} cases\n\nNew: {methods}. A port skips what it lacks.\n{mark}{below}"


def described() -> Json:
    """The files, other than cases, that are made from the registries: name to content."""
    return {
        protocol_schema.REQUEST: protocol_schema.request(),
        protocol_schema.ANSWER: protocol_schema.answer(),
        draws.DRAWS: draws.content(),
    }


def _entry(path: pathlib.Path, raw: bytes) -> Json:
    write_bytes(path, raw)
    return {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
