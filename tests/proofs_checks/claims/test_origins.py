"""Who says what: every claim states its kind, every printed one its place and a locator, every refuted one its
hypotheses.
"""

import pytest
from support import refuses

from dualgap.proofs_checks.auditing.audit import examine_claim, unmet
from dualgap.proofs_checks.auditing.coverage import coverage
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.origins import KINDS, Origin
from dualgap.proofs_checks.claims.papers import Item, Paper, listed
from dualgap.proofs_checks.claims.registry import REFUTED, Claim, Hypothesis, all_claims, select
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.levels import Golden, golden, holds_on

CLAIMS = list(all_claims().values())
TOY = Paper(
    "toy",
    "nobody, nowhere",
    "README.md",
    (Item("Lemma 1", "p. 1", "three words here"), Item("(2)", "p. 2", "a b c"), Item("Table 1", "p. 3")),
)


def faults(claim: Claim) -> list[str]:
    """What the claim leaves unsaid of who says it."""
    told, words = claim.origin, len(claim.quote.split())
    found = [] if told.kind in KINDS else [f"{told.kind!r} is no kind"]
    if told.kind in ("printed", "reading", "code") and not told.place:
        found.append("no place")
    if told.kind == "printed" and not (3 <= words <= 10 and told.items):
        found.append(f"a printed claim has an item and a locator of 3 to 10 words (got {words})")
    if told.kind in ("reading", "inference") and not told.note:
        found.append("no note that says whom it does not accuse")
    if (
        told.kind == "printed"
        and claim.expected == REFUTED
        and not (claim.assumes and all(a.text and a.place for a in claim.assumes))
    ):
        found.append("a refuted printed statement names each hypothesis and where it is stated")
    if claim.id.endswith((".sharp", ".repaired")) and told.kind not in ("ours", "implementation"):
        found.append(f"a repaired or sharper form is ours, not {told.kind}")
    return found


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_claim_says_who_says_it(claim):
    assert not faults(claim)


def test_a_table_of_items_has_two_to_seven_parts_a_line(tmp_path):
    table, module = tmp_path / "items.txt", str(tmp_path / "items.py")
    table.write_text("# label\tplace\nLemma 1\tp. 1\tthree words here\ta.py b.py\t\ta part only\t$x$\n")
    assert listed(module) == (Item("Lemma 1", "p. 1", "three words here", ("a.py", "b.py"), (), "a part only", "$x$"),)
    for line in ("Lemma 1", "\t".join("abcdefgh")):
        table.write_text(f"{line}\n")
        refuses(ValueError, "items.txt:1: an item has two to seven parts", listed, module)


def claim_of(origin, id="toy.a", expected="HOLDS", assumes=(), evidence=()):
    """A claim that alpha_0 <= 0."""
    control = holds_on(AT, text="alpha = 0")
    check = lambda c: [Le(c.alpha[0], c.q(0), "")]
    return Claim(id, "s", check, expected, "h", tuple(evidence), control, origin, assumes=tuple(assumes))


AT = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(-1), lam=Q(1))


def test_items_are_found_by_their_labels():
    assert TOY.printed("(2)", "Lemma 1") == Origin("printed", "toy", ("(2)", "Lemma 1"), "p. 2; p. 1", "a b c")
    refuses(ValueError, "paper toy lists no item 'Lemma 2'; it has Lemma 1", TOY.printed, "Lemma 2")
    refuses(ValueError, "must name an item of the paper", TOY.printed)
    refuses(ValueError, "two items are labelled 'x'", lambda: Paper("toy", "", "", (Item("x", ""), Item("x", ""))))


@pytest.mark.parametrize(("holds", "unmet"), [(lambda c: c.n == 1, []), (lambda c: c.n > 1, ["n > 1"]), (None, [])])
def test_a_counterexample_outside_the_hypotheses_refutes_nothing(holds, unmet):
    assumed = [Hypothesis("n > 1", "p. 1", holds)]
    claim = claim_of(TOY.printed("Lemma 1"), expected=REFUTED, assumes=assumed, evidence=[golden(AT.but(alpha=Qs(1)))])
    row = examine_claim(claim, Run("quick", 0), None)
    assert (row.status, row.unmet, row.as_expected) == (REFUTED, unmet, not unmet), row.error


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if (c.kind, c.expected) == ("printed", REFUTED)], ids=lambda claim: claim.id
)
def test_every_counterexample_satisfies_the_hypotheses(claim):
    against = [
        i for source in claim.evidence if isinstance(source, Golden) for i in source.instances if violates(claim, i)
    ]
    if not against:  # in intervals, or drawn: what the level itself finds
        against = [
            found for source in claim.evidence if (found := source(claim, Run("quick", 0)).counterexample) is not None
        ]
    assert against
    assert {text for instance in against for text in unmet(claim, instance)} == set()


@pytest.mark.parametrize("covered", coverage(), ids=lambda covered: f"{covered.paper} {covered.item.label}")
def test_every_item_of_a_paper_is_covered_or_explained(covered):
    assert covered.explained and covered.item.place


def test_a_pattern_is_refused_as_such():
    refuses(
        ValueError,
        r"named 'aspdc\.\*': patterns are not supported; did you mean aspdc; papers: adaspdc",
        select,
        ["aspdc.*"],
    )
