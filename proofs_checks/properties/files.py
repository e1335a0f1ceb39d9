"""Files of failed property tests: a run in rationals, and the answers of ``dualgap replay`` for theorem and code.

JSON with ``kind`` "property": the test, the relation that was false, the id of the claim of which it is an instance (or
null), and the run. The replay answers two questions: whether the audit's own statement is false there, and whether the
reference, its lazy form and the compiled method disagree.
"""

import pathlib
from collections.abc import Iterator
from dataclasses import dataclass

from dualgap.proofs_checks.auditing.counterexamples import chain
from dualgap.proofs_checks.claims.instance import Instance, read_instance
from dualgap.proofs_checks.claims.old_ids import where_it_went
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.strict_json import read_json
from dualgap.proofs_checks.properties import runs as p
from dualgap.proofs_checks.properties.agreement import view_relations


@dataclass(frozen=True)
class Again:
    """A replayed file: the statement on the run, and the first disagreements in the code."""

    test: str
    said: str
    claim: str | None
    run: Instance
    theorem: list[tuple[Relation, bool]]
    code: list[Relation]

    @property
    def verdict(self) -> str:
        """Say which of the two is wrong."""
        theorem, code = any(not true for _, true in self.theorem), bool(self.code)
        if theorem and code:
            return "Both reproduce: the statement is false on this run, and its implementations disagree."
        if theorem:
            return (
                "It is false for the reference, in exact arithmetic: the theorem, or the reference's lines, are wrong"
                " here."
            )
        if code:
            return "It is the code: implementations that must agree do not." + (
                " The statement holds." if self.theorem else ""
            )
        return (
            "It does not reproduce: the statement holds for the reference, and the implementations agree. The code has"
            " changed since, or the test has."
        )


def replay(path: str | pathlib.Path) -> Again:
    """Evaluate the file's run again. Raises ValueError for a file of another kind, or an unknown claim."""
    try:
        record = read_json(path)
        run, claim = read_instance(record["run"]), record["claim"]
        if claim is not None and claim not in all_claims():
            raise ValueError(
                where_it_went(str(claim))
                or f"it names the claim {claim!r}, which this version does not know (see: dualgap claims)"
            )
        test, said = str(record["test"]), str(record["said"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a property test's file: {error}") from None
    theorem = chain(all_claims()[claim], run) if claim is not None else []
    return Again(test, said, claim, run, theorem, list(disagreements(run)))


def disagreements(run: Instance) -> Iterator[Relation]:
    """The first false relation between reference and compiled code in bits, and between the two forms in Fractions."""
    if not run.path:
        return
    pair = p.Pair()
    for storage in dict.fromkeys((run.extra.get("storage", "dense"), "dense", "int32", "int64", "unsorted")):
        problem = p.float_problem(run, storage)
        steps = p.side_by_side(problem, pair.repeated(run), pair.fast(run), run)
        relations = (r for where, one, two in steps for r in p.same_bits(one, two, f"{storage}, {where}"))
        found = next((r for r in relations if not r.holds()), None)
        if found is not None:
            yield found
            break
    if type(pair.lazy(run)) is not type(pair.reference(run)):
        try:
            found = next((r for r in view_relations(pair.lazy(run), pair.reference(run), run) if not r.holds()), None)
        except ValueError:  # an irrational constant: there is nothing exact to compare
            return
        if found is not None:
            yield found


def lines(again: Again) -> Iterator[str]:
    """Return the lines that ``dualgap replay`` prints."""
    yield from (f"{again.test or 'a property test'} found FALSE: {again.said}", "", "Run")
    yield from (f"  {line}" for line in p.in_rationals(again.run))
    if again.claim is not None:
        yield from ("", f"{again.claim}: {all_claims()[again.claim].statement}")
        yield from (f"  {'holds' if true else 'FALSE'}  {relation}" for relation, true in again.theorem)
    yield from ("", "Reference, its lazy form and the compiled method")
    yield from (f"  DIFFER {relation}" for relation in again.code)
    if not again.code:
        yield (
            "  agree, in bits and where they are rational exactly"
            if again.run.path
            else " are not compared: the run has no step"
        )
    yield from ("", again.verdict)
