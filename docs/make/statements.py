"""All statements of one paper as a page, with their formulas typeset."""

from collections import Counter
from collections.abc import Sequence

from dualgap.proofs_checks.claims.papers import Paper
from dualgap.proofs_checks.claims.registry import Claim
from dualgap.proofs_checks.report.templating import typeset, with_signs

KINDS = {
    "printed": "printed in the paper",
    "reading": "our reading of a damaged or ambiguous passage",
    "code": "about the authors' code",
    "inference": "not stated in the paper; a reader might conclude it",
    "ours": "ours: repaired, sharper or new",
    "implementation": "about this implementation",
}


def page(paper: Paper, claims: Sequence[Claim]) -> str:
    """The page, in Markdown: counts, then statement after statement."""
    counts = Counter((claim.kind, claim.expected) for claim in claims)
    rows = [
        f"| {words} | {counts[kind, 'HOLDS']} | {counts[kind, 'REFUTED']} | {counts[kind, 'OPEN']} |"
        for kind, words in KINDS.items()
        if any(one == kind for one, _ in counts)
    ]
    head = [
        f"# {paper.key}: every statement",
        paper.citation,
        "This page is made from the claims that the audit checks. "
        "Only a printed statement counts as an error of the paper.",
        "\n".join(["| source | holds | refuted | open |", "|---|---|---|---|", *rows]),
        f"To check all of them, run `dualgap audit {paper.key}`.",
    ]
    return "\n\n".join([*head, *map(section, claims)]) + "\n"


def section(claim: Claim) -> str:
    """One statement: a heading, then what is known of it; no text of it is read as Markdown."""
    place = f", {html(claim.place)}" if claim.place else ""
    quote = f" <q>{html(claim.quote)}</q>" if claim.quote else ""
    parts = [
        f'<p class="said"><strong class="{claim.expected.lower()}">{claim.expected.lower()}</strong>'
        f" {html(KINDS[claim.kind])}{place}{quote}</p>"
    ]
    parts.append(f"<blockquote><p>{html(claim.statement_tex or claim.statement)}</p></blockquote>")
    told = [
        ("hypotheses", claim.hypotheses_tex or claim.hypotheses),
        ("why it fails" if claim.expected == "REFUTED" else "proof", claim.proof),
        ("note", claim.note),
        ("planted bugs it catches", ", ".join(claim.kills)),
        ("Coq", ", ".join(claim.theorems)),
    ]
    parts += [f"<dl>{''.join(f'<dt>{name}</dt><dd>{html(text)}</dd>' for name, text in told if text)}</dl>"]
    if claim.assumes:
        listed = "".join(f"<li>{html(one.text)} <em>({html(one.place)})</em></li>" for one in claim.assumes)
        parts.append(
            f"<details><summary>hypotheses that the counterexample satisfies</summary><ul>{listed}</ul></details>"
        )
    body = "\n".join(parts)
    return f'## {claim.id}\n\n<div class="claim">\n{body}\n</div>\n\n`dualgap audit {claim.id}`'


def html(text: str) -> str:
    """The text for HTML, with its formulas as MathML."""
    return str(typeset(with_signs(text)))
