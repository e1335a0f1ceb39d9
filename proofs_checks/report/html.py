"""The parts that the report's HTML page is made of: symbols in formulas, tables, its style. Text is escaped here."""

import re
from collections.abc import Iterable, Sequence
from html import escape

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "eta": "η", "kappa": "κ", "lam": "λ",
    "mu": "μ", "omega": "ω", "Psi": "Ψ",
    "phi": "φ", "tau": "τ", "sigma": "σ", "theta": "θ", "Pi": "Π",
    "pi": "π", "chi": "χ", "l1": "ℓ_1", "sqrt": "√",
}
SIGNS = {
    "&gt;=": "≥", "&lt;=": "≤", "!=": "≠", "==": "=", "||": "‖", "-&gt;": "→", " - ": " − ", ") sum ": ") Σ ", " sum_": " Σ_", "grad ": "∇",
}
PRIME = re.compile(r"(?<![A-Za-z])(phi(?:_[a-z])?|[A-Za-z])&#x27;")
TILDE = re.compile(r"(?<![A-Za-z])([A-Za-z])~")
BAR = re.compile(r"(?<![A-Za-z.-])w_bar")
WORDS = re.compile(rf"(?<![A-Za-z])(?<![A-Za-z]-)({'|'.join(GREEK)})(?![A-Za-z])")  # not in "no-gamma"
SUCCESSOR = re.compile(r"(?<=[A-Za-z~])\+(?=[\s)\],;:‖]|&gt;|$)")
INNER = re.compile(r"&lt;(?=\S)([^&]*,[^&]*)(?<=\S)&gt;")
RAISED = re.compile(r"\^(\([^()]*\)|T|-?[0-9]+|[a-z](?![a-z]))")
LOWERED = re.compile(r"_(?:\{([^{}]*)\}|([0-9]+|[A-Za-zα-ω])(?![A-Za-z0-9_]))")


def symbols(text: str) -> str:
    """Escaped text with Greek letters, signs, sub- and superscripts in place of their ASCII spelling.

    >>> symbols("D(alpha+) - D(alpha) >= R^2/(n gamma) phi_i'(z)")
    'D(α<sup>+</sup>) − D(α) ≥ R<sup>2</sup>/(n γ) φ<sub>i</sub>′(z)'
    """
    text = TILDE.sub("\\1\u0303", PRIME.sub(r"\1′", escape(text)))
    for ascii_form, sign in SIGNS.items():
        text = text.replace(ascii_form, sign)
    text = BAR.sub("w\u0304", text)
    text = INNER.sub("⟨\\1⟩", SUCCESSOR.sub("<sup>+</sup>", text))
    text = WORDS.sub(lambda match: GREEK[match[1]], text).replace("Δ~", "Δ\u0303")
    return LOWERED.sub(r"<sub>\1\2</sub>", RAISED.sub(r"<sup>\1</sup>", text))


def section(title: str, *parts: str, lead: str = "") -> str:
    """A heading, a sentence, and what follows (already HTML)."""
    first = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    anchor = escape(re.sub(r"[^a-z]+", "-", title.lower()))
    return f'<section>\n<h2 id="{anchor}">{escape(title)}</h2>\n{first}\n' + "\n".join(parts) + "\n</section>"


def contents(sections: str) -> str:
    """Links to the headings of ``section``."""
    links = re.findall(r'<h2 id="([^"]+)">([^<]+)</h2>', sections)
    return "<nav>" + " · ".join(f'<a href="#{anchor}">{title}</a>' for anchor, title in links) + "</nav>"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table; column names are text, cells are HTML."""
    head = "".join(f"<th><span>{escape(column)}</span></th>" for column in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="{kind}">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>'


def details(summary: str, content: str, anchor: str = "") -> str:
    """Something folded away; both arguments are HTML. The anchor lies inside, so that a link to it unfolds it."""
    target = f' id="{escape(anchor)}"' if anchor else ""
    return f"<details><summary>{summary}</summary><div{target}>{content}</div></details>"


STYLE = """
:root { --ink: #262c33; --soft: #66707a; --line: #dfe3e7; --paper: #fdfdfb; --good: #2f6b4f;
  --bad: #a5341f; --mark: #2b4c73; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 2.5rem 2rem 5rem; background: var(--paper);
  color: var(--ink);
  font: 15px/1.55 "Source Sans 3", "Segoe UI", "Helvetica Neue", Helvetica, Arial, sans-serif; }
h1, h2 { font-family: Charter, "Iowan Old Style", "Palatino Linotype", Georgia, serif; font-weight: 600;
  line-height: 1.2; }
h1 { font-size: 2.1rem; margin: 0 0 .3rem; }
h2 { font-size: 1.45rem; margin: 3.2rem 0 .3rem; }
p { margin: .3rem 0 .8rem; max-width: 62rem; }
.lead, .soft, figcaption { color: var(--soft); }
.soft { font-size: .88em; }
code, pre, .id { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: .86em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f0; padding: .8rem 1rem;
  border-radius: 4px; max-height: 40rem; overflow: auto; }
a { color: var(--mark); }
sub, sup { line-height: 0; font-size: .75em; }
.verdict { font-weight: 600; }
.pass { color: var(--good); } .fail { color: var(--bad); }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2.4rem; margin: 1.4rem 0; padding: 0; }
.facts div { min-width: 6rem; }
.facts dt { color: var(--soft); font-size: .82em; }
.facts dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
nav { font-size: .92em; margin-top: 1.6rem; } nav a { text-decoration: none; white-space: nowrap; }
dl.sentences { display: grid; grid-template-columns: 9rem 1fr; gap: .7rem 1rem; margin: 1.6rem 0;
  max-width: 66rem; }
dl.sentences dt { font-weight: 600; } dl.sentences dd { margin: 0; }
.alarm { border-left: 4px solid var(--bad); padding: .2rem 1rem; margin: 1.5rem 0; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
thead th { position: sticky; top: 0; background: var(--paper); text-align: left; font-weight: 600;
  font-size: .85em; color: var(--soft);
  box-shadow: inset 0 -1.5px 0 var(--ink); padding: .5rem .9rem .4rem 0; vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .65rem .9rem .65rem 0; vertical-align: top;
  overflow-wrap: break-word; }
table.claims { table-layout: fixed; }
.claims th:nth-child(1) { width: 19%; } .claims th:nth-child(2) { width: 43%; }
  .claims th:nth-child(3) { width: 18%; }
.claims .id { font-weight: 600; overflow-wrap: anywhere; }
.status { display: inline-block; font-size: .8em; font-weight: 600; letter-spacing: .02em;
  margin: .15rem 0; }
.numbers { font-variant-numeric: tabular-nums; }
td ul { list-style: none; margin: 0; padding: 0; }
details { margin: .4rem 0; } summary { cursor: pointer; color: var(--mark); }
table.kills { width: auto; } .kills td:not(:first-child) { text-align: center; padding: .15rem .55rem;
  color: var(--mark); }
.kills td:first-child { padding: .15rem 1.5rem .15rem 0; }
.kills th:not(:first-child) span { writing-mode: vertical-rl; transform: rotate(180deg);
  font-weight: 400; white-space: nowrap; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr));
  gap: 1.2rem 1.6rem; }
.figures.wide { grid-template-columns: repeat(auto-fill, minmax(28rem, 1fr)); }
figure { margin: 0; break-inside: avoid; } figure svg { width: 100%; height: auto; }
  figcaption { font-size: .86em; overflow-wrap: anywhere; }
@media print { nav { display: none; } body { max-width: none; padding: 0; font-size: 10pt; }
  thead th { position: static; } pre { max-height: none; }
  tr, .facts { break-inside: avoid; } h2 { break-after: avoid; } a { color: inherit;
  text-decoration: none; } }
@media (max-width: 50rem) { body { padding: 1.2rem 1rem; } .figures.wide { grid-template-columns: 1fr; }
  dl.sentences { grid-template-columns: 1fr; gap: .1rem; } }
"""
