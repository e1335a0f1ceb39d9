r"""Plain formulas, as claims, labels and proofs contain them, as LaTeX between dollars, which pages typeset.

>>> mathematics("E gap <= eps after T steps, where w_0 = 0")
'$\\mathbb{E} \\mathrm{gap} \\le \\varepsilon$ after $T$ steps, where $w_{0} = 0$'
>>> mathematics("a step of Lemma 2, (17)"), mathematics("Sections V and VII"), mathematics("n/(m + Rk), log10 of P")
('a step of Lemma 2, (17)', 'Sections V and VII', '$n/(m + Rk)$, $\\log_{10}$ of $P$')

A run of chunks between spaces is a formula if none of them is a word and one of them has an operator, an index, a
function of the paper or a Greek letter. What has dollars already keeps its formulas.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

LETTERS = (
    "alpha beta gamma delta zeta eta theta kappa lambda mu nu xi pi rho sigma tau chi psi omega nabla"
    " Delta Theta Lambda Phi Psi Omega"
)
GREEK = {
    **{name: f"\\{name}" for name in LETTERS.split()},
    "lam": r"\lambda",
    "lam2": r"\lambda_2",
    "eps": r"\varepsilon",
    "epsilon": r"\varepsilon",
    "Dalpha": r"\Delta \alpha",
    "phi": r"\varphi",
    "grad": r"\nabla",
    "infinity": r"\infty",
}
COMMANDS = {
    **{name: f"\\{name}" for name in "min max log ln exp sup inf det sum prod sqrt".split()},
    **{name: rf"\operatorname{{{name}}}" for name in "ceil floor diag sign prox argmin argmax".split()},
}
NAMES = {**GREEK, **COMMANDS, "log10": r"\log_{10}", "E": r"\mathbb{E}"}
BESIDE_OPERATORS = frozenset(
    ["gap", "for", "a", "A", "I", "sign", "diag", "argmin", "argmax"]
)  # words, unless an operator stands next to them
OPERATORS = {
    "<=": r"\le",
    ">=": r"\ge",
    "==": "=",
    "!=": r"\ne",
    "->": r"\to",
    "<-": r"\leftarrow",
    "+-": r"\pm",
    "...": r"\dots",
    "..": r"\dots",
    "||": r"\Vert",
    "|": r"\vert",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
}
ATOM = re.compile(
    r"log10|<=|>=|==|!=|->|<-|\+-|\.\.\.?|\|\||[A-Za-z]+[0-9]?(?:_bar|_hat|~)?|[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?|\s+|."
)
NAMED = re.compile(r"[A-Za-z]+")
STRONG = re.compile(r"[_^=<>|+*~]|[A-Za-z)]\(|/(?=[0-9(])|^-$|\.\.|^\(?[A-Za-z]-[A-Za-z0-9]\)?$")
ALONE = re.compile(
    r"\(?([0-9.,%()-]*|[EN][0-9](?:,[EN][0-9])*)\)?"
)  # a number or the label of a formula: no formula by itself
NO_FORMULA = re.compile(  # the id of a claim, a quotation, the label of a formula, a word with a hyphen
    r"\.[a-z]|://|^['\"`]\w|^\(\w+\)$|^[A-Za-z]{2,}-"
)
PAIR = re.compile(r"[/^_(=+|<>]|^[0-9]*[A-Z][a-z]\)$")  # here two letters are a product, or a difference such as dx
TIMES = r" \cdot "
WORD = re.compile(r"[A-Za-z]{2,}")
LONG = 30  # characters of a formula that is broken into parts
LONGEST = 20_000  # of a text in which formulas are looked for
CLOSING = re.compile(r"(?<!^\.)(?!^\.\.[,;]?$)[.,;:]+$")  # ".." alone is a range
GAP = re.compile(r"(\s+|(?<=[\w)])-(?=strongly|smooth|Lipschitz))")  # between two chunks
ACCENT = re.compile(r"\b([A-Za-z])-(hat|bar)\b")
NAMED_INDEX = re.compile(
    r"(?<=[A-Za-z])_[a-z]{3,4}(?![a-z])|\bmean(?=[(|<])|\bacc(?=_)|\bmix\b"
)  # words that are parts of a formula


@lru_cache(maxsize=8192)
def mathematics(text: str) -> str:
    """The text with its plain formulas in LaTeX between dollars."""
    parts = text.split("$")
    if len(parts) % 2 == 0 or len(text) > LONGEST:  # an unpaired dollar: formulas cannot be distinguished from words
        return text
    return "".join(f"${part}$" if at % 2 else _prose(part) for at, part in enumerate(parts))


def _prose(text: str) -> str:
    chunks = GAP.split(ACCENT.sub(r"\1_\2", text))
    return "".join(_set(run) if formula else run for formula, run in _runs(chunks))


def _runs(chunks: list[str]) -> Iterator[tuple[bool, str]]:
    """(whether it is a formula, text) in order; ``chunks`` alternate with the blanks between them."""
    words, at = chunks[::2], 0
    while at < len(words):
        end, depth = at, 0
        while end < len(words) and _mathematical(words, end):
            if at < end and depth <= 0 and chunks[2 * end + 1 : 2 * end + 2] == ["-"]:
                break  # the gamma of "phi gamma-strongly convex" is a formula for itself
            depth += len(re.findall(r"\(|<(?=\w)", words[end])) - len(re.findall(r"\)|(?<=[\w*])>", words[end]))
            end += 1
            if CLOSING.search(words[end - 1]) and depth <= 0:
                break
        run = "".join(chunks[2 * at : max(2 * end - 1, 0)])
        if end > at and _strong(words[at:end]):
            yield True, run
        else:
            end = max(end, at + 1)
            yield False, "".join(chunks[2 * at : 2 * end - 1])
        if 2 * end - 1 < len(chunks):
            yield False, chunks[2 * end - 1]
        at = end


def _mathematical(words: list[str], at: int) -> bool:
    chunk = CLOSING.sub("", words[at])
    if not chunk or NO_FORMULA.search(chunk) or (at and words[at - 1].lower() in ("section", "sections")):
        return False
    if chunk in BESIDE_OPERATORS:
        beside = [words[k] for k in (at - 1, at + 1) if 0 <= k < len(words)]
        return any(re.fullmatch(r"E|[<>=]=?|[-+/*]", other) for other in beside)
    inside = PAIR.search(chunk) is not None
    return all(
        word in NAMES or word == "gap" or (inside and len(word) == 2)
        for word in WORD.findall(NAMED_INDEX.sub("", chunk))
    )


def _strong(words: list[str]) -> bool:
    bare = [CLOSING.sub("", word) for word in words]
    if len(bare) == 1 and (bare[0] in COMMANDS or re.fullmatch(ALONE, bare[0])):
        return False
    letters = len(bare) == 1 and re.fullmatch(r"\(?[0-9]*[A-Za-z]'?[0-9]?\)?", bare[0]) is not None
    return letters or any(
        STRONG.search(word) or any(name in NAMES for name in NAMED.findall(word.replace("_", " "))) for word in bare
    )


def _set(run: str) -> str:
    """One formula between dollars; punctuation after it, and brackets that the words around it open, stay outside."""
    body, closing = CLOSING.sub("", run), (CLOSING.search(run) or [""])[0]
    before, after = "", ""
    if body.count("(") > body.count(")") and body.startswith("("):
        before, body = "(", body[1:]
    if body.count(")") > body.count("(") and body.endswith(")"):
        after, body = ")", body[:-1]
    return f"{before}{' '.join(f'${tex(piece)}$' for piece in _pieces(body))}{after}{closing}"


def _pieces(formula: str) -> Iterator[str]:
    """A long formula in parts between which a line may break: after a relation or a sum, in no argument or index."""
    start, inside = 0, list[bool]()  # for each open bracket: whether it encloses an argument or an index
    for found in re.finditer(r"[(\[{]|[)\]}]|(?<= )(?:<=|>=|=|\+)(?= )", formula):
        if found[0] in "([{":
            inside.append(found[0] != "(" or formula[: found.start()][-1:] not in ("", " ", "(", ")"))
        elif found[0] in ")]}":
            inside = inside[:-1]
        elif not any(inside) and len(formula) > LONG:
            yield formula[start : found.end()]
            start = found.end() + 1
    yield formula[start:]


def tex(formula: str) -> str:
    r"""A plain formula in LaTeX.

    >>> tex("||x^T - x*||^2_nu <= 5/16"), tex("phi_i*(a_i) -> w_bar")
    ('\\Vert x^{T} - x^{*}\\Vert ^{2}_{\\nu} \\le \\frac{5}{16}', '\\varphi _{i}^{*}(a_{i}) \\to \\bar{w}')
    >>> tex("1e-05"), tex("2.5e6")
    ('10^{-5}', '2.5 \\cdot 10^{6}')
    """
    formula = re.sub(r"\((\d+),\)", r"{\1}", formula)  # a sample of one row
    formula = re.sub(r"<([^<>=]+, [^<>=]+)>", r"\\langle \1\\rangle", formula)
    formula = re.sub(r"sqrt\(([^()]*)\)", r"\\sqrt{\1}", formula)
    return _scripts(formula)


def _scripts(formula: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(formula):
        rest = formula[at:]
        if command := re.match(r"\\(langle|rangle)", rest):
            out.append(f"\\{command[1]} ")
            at += command.end()
        elif root := re.match(r"\\sqrt\{([^{}]*)\}", rest):
            out.append(rf"\sqrt{{{_scripts(root[1])}}}")
            at += root.end()
        elif (script := re.match(r"([_^])(\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|-?[A-Za-z0-9]+|[*+])", rest)) and out:
            inside = script[2][1:-1] if script[2][0] in "({" else script[2]
            above = out.pop()[2:-1] if script[1] == "^" and out[-1].startswith("^{") else ""
            out.append(f"{script[1]}{{{above}{_scripts(inside)}}}")
            at += script.end()
        elif fraction := re.match(r"(\d+)/(\d+)(?![\w.^])", rest):
            out.append(rf"\frac{{{fraction[1]}}}{{{fraction[2]}}}")
            at += fraction.end()
        elif re.match(r"[*+](?=[(\s)\]|,;/_^>]|\\rangle|$)", rest) and out and re.search(r"[\w}')\]]\s*$", out[-1]):
            above = out.pop()[2:-1] if out[-1].startswith("^{") else ""
            out.append(f"^{{{above}{rest[0]}}}")
            at += 1
        else:
            atom = ATOM.match(rest)
            text = atom[0] if atom else rest[0]
            out.append(_atom(text))
            at += len(text)
    return re.sub(" +", " ", "".join(out)).strip()


def _atom(text: str) -> str:
    if text.endswith(("_bar", "_hat")):
        return rf"\{text[-3:]}{{{_atom(text[:-4]).strip()}}}"
    if text.endswith("~"):
        return rf"\tilde{{{_atom(text[:-1]).strip()}}}"
    if text in NAMES:
        return f"{NAMES[text]} "
    if power := re.fullmatch(r"([0-9.]+)e(-?)0*([0-9]+)", text):
        return rf"{'' if power[1] == '1' else power[1] + TIMES}10^{{{power[2]}{power[3]}}}"
    if indexed := re.fullmatch(r"([A-Za-z]+)([0-9])", text):
        return f"{_atom(indexed[1]).strip()}_{{{indexed[2]}}}"
    if text in OPERATORS:
        return f"{OPERATORS[text]} " if OPERATORS[text][-1].isalpha() else OPERATORS[text]
    return rf"\mathrm{{{text}}}" if re.fullmatch(r"[A-Za-z]{3,}", text) else text
