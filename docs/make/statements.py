"""All statements of one paper as a page."""

import html
from collections import Counter
from collections.abc import Sequence

from dualgap.proofs_checks.auditing.claim_index import Listed
from dualgap.proofs_checks.claims.papers import Paper

KINDS = {
    "printed": "the paper prints it",
    "reading": "one reading of a lost or ambiguous print",
    "code": "the companion code does it",
    "inference": "nobody says it; a reader might expect it",
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
        (
            "What follows is made from the registry that the audit runs. Only what a paper prints is ever called its"
            " mistake."
        ),
        "\n".join(["| who says it | holds | refuted | open |", "|---|---|---|---|", *rows]),
        f"Examine all of them: `dualgap audit {paper.key}`.",
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
        ("where", claim.hypotheses),
        ("why", claim.proof),
        ("note", claim.note),
        ("must notice", ", ".join(claim.kills)),
        ("Coq", ", ".join(claim.theorems)),
    ]
    parts += [f"<dl>{''.join(f'<dt>{name}</dt><dd>{escaped(text)}</dd>' for name, text in told if text)}</dl>"]
    if claim.assumes:
        listed = "".join(f"<li>{escaped(one['text'])} <em>({escaped(one['place'])})</em></li>" for one in claim.assumes)
        parts.append(
            f"<details><summary>the hypotheses that its counterexample satisfies</summary><ul>{listed}</ul></details>"
        )
    body = "\n".join(parts)
    return f'## {claim.id}\n\n<div class="claim">\n{body}\n</div>\n\n`dualgap audit {claim.id}`'


def escaped(text: str) -> str:
    """Text for HTML."""
    return html.escape(text, quote=False)
