"""All statements of one paper as a page."""

import html
from collections import Counter
from collections.abc import Sequence

from dualgap.proofs_checks.auditing.claim_index import Listed
from dualgap.proofs_checks.claims.papers import Paper

KINDS = {
    "printed": "printed in the paper",
    "reading": "our reading of a damaged or ambiguous passage",
    "code": "about the authors' code",
    "inference": "not stated in the paper; a reader might conclude it",
    "ours": "ours: repaired, sharper or new",
    "implementation": "about this implementation",
}


def page(paper: Paper, claims: Sequence[Listed]) -> str:
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


def section(claim: Listed) -> str:
    """One statement: a heading, then what is known of it; no text of it is read as Markdown."""
    place = f", {escaped(claim.place)}" if claim.place else ""
    quote = f" <q>{escaped(claim.quote)}</q>" if claim.quote else ""
    parts = [
        f'<p class="said"><strong class="{claim.expected.lower()}">{claim.expected.lower()}</strong>'
        f" {escaped(KINDS[claim.kind])}{place}{quote}</p>"
    ]
    parts.append(f"<blockquote><p>{escaped(claim.statement)}</p></blockquote>")
    told = [
        ("hypotheses", claim.hypotheses),
        ("proof", claim.proof),
        ("note", claim.note),
        ("must kill", ", ".join(claim.kills)),
        ("Coq", ", ".join(claim.theorems)),
    ]
    parts += [f"<dl>{''.join(f'<dt>{name}</dt><dd>{escaped(text)}</dd>' for name, text in told if text)}</dl>"]
    if claim.assumes:
        listed = "".join(f"<li>{escaped(one['text'])} <em>({escaped(one['place'])})</em></li>" for one in claim.assumes)
        parts.append(
            f"<details><summary>hypotheses that the counterexample satisfies</summary><ul>{listed}</ul></details>"
        )
    body = "\n".join(parts)
    return f'## {claim.id}\n\n<div class="claim">\n{body}\n</div>\n\n`dualgap audit {claim.id}`'


def escaped(text: str) -> str:
    """Text for HTML."""
    return html.escape(text, quote=False)
