"""A text is written once, in LaTeX: its plain text says the same symbol by symbol, and pages set every formula."""

import re

import pytest

from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.typeset import latex, plain
from dualgap.proofs_checks.report import templating

PAIRS = {
    "no formula, costs 5 $": "no formula, costs 5 $",
    r"$a$ for 5 $": "a for 5 $",
    r"(9): $\alpha_i^+ = \operatorname{argmin}_a \varphi_i^*(a) - a z$": "(9): alpha_i+ = argmin_a phi_i*(a) - a z",
    r"$\Vert x^T - x^*\Vert^2$, $\vert K\vert = m$, $\mathbb{E}[\tilde{\Delta}^+ \vert \mathrm{past}] \le \theta \tilde{\Delta}$": (  # noqa: E501
        "||x^T - x*||^2, |K| = m, E[Delta~+ | past] <= theta Delta~"
    ),
    r"$\langle u - u^*, \bar{w}^{t+1}\rangle \ge$ $\nabla r^*_S(w_{t-1}) \ne \pm\ell_1$": (
        "<u - u*, w_bar^(t+1)> >= grad r*_S(w_{t-1}) != +-l1"
    ),
    r"$w^{-1}$, $w^{-}$, $w^{(0)}$, $n^{1/4}$, $\varphi^{*\prime\prime}$, $y^2_{\nu'}$": (
        "w^-1, w^-, w^(0), n^(1/4), phi*'', y^2_nu'"
    ),
    r"$\sqrt{n \lambda/(m \gamma)}$, $1 + \sqrt \kappa$, $\sqrt{\mu_{\mathrm{max}}(A_{t-1})}$": (
        "sqrt(n lam/(m gamma)), 1 + sqrt kappa, sqrt(mu_max(A_{t-1}))"
    ),
    r"$n \,\ln(n/\varepsilon)$, $\max\, \epsilon$, $\min\{B, 1\}$, $\{\dots\}$": (
        "n ln(n/eps), max epsilon, min{B, 1}, {...}"
    ),
    r"$T \ge T_0$, $\lambda_2 > 0$": "T >= T0, lam2 > 0",
    r"$\lambda_1 + \ldots + \lambda_t \leftarrow d \times m$, $\infty$, $\mathbb{R}^d$": (
        "lambda_1 + .. + lambda_t <- d x m, infinity, R^d"
    ),
}
COMMANDS = """
    Vert || vert | langle < rangle > le <= ge >= ne != ldots .. dots .. pm +- leftarrow <- ell l nabla grad lambda lam
    varphi phi varepsilon eps times x prime ' infty infinity
""".split()
MEANS = dict(zip(COMMANDS[::2], COMMANDS[1::2])) | {"{": "", "}": "", ",": ""}  # a command, and its plain text
FONTS = re.compile(r"\\(?:mathbb|mathrm|operatorname)\{([^{}]*)\}")
ACCENTS = (("bar", "_bar"), ("tilde", "~"))


def bare(text):
    """Without what only places symbols: brackets that group, raising and lowering, spaces."""
    return re.sub(r"[\s{}()^_]", "", text.replace("epsilon", "EPSILON").replace("lambda", "lam").replace("...", ".."))


def of_latex(text):
    text = FONTS.sub(r"\1", text)
    for command, mark in ACCENTS:
        text = re.sub(rf"\\{command}\{{([^{{}}]*)\}}", rf"\1{mark}", text)
    return bare(re.sub(r"\\([A-Za-z]+|[{},])", lambda match: MEANS.get(match[1], match[1]), text.replace("$", "")))


def both_texts(claims):
    """(plain text, LaTeX) of every statement and of every hypothesis."""
    for claim in claims:
        yield from ((claim.statement, claim.statement_tex), (claim.hypotheses, claim.hypotheses_tex))


@pytest.fixture(scope="module")
def texts():
    found = {(text, tex) for text, tex in both_texts(all_claims().values()) if tex}
    assert len(found) > 100
    return found


@pytest.mark.parametrize(("tex", "text"), PAIRS.items())
def test_the_plain_text_of_a_formula(tex, text):
    assert plain(tex) == text
    assert plain(text) == text


def test_plain_texts_say_what_the_latex_says(texts):
    assert {tex: text for text, tex in texts if bare(text) != of_latex(tex) or re.search(r"[$\\]", text)} == {}
    assert [tex for text, tex in texts if plain(tex) != text or latex(tex) != tex] == []


def test_every_formula_becomes_mathml_without_a_command_left(texts):
    pytest.importorskip("latex2mathml", reason="latex2mathml, which makes MathML, is not installed")
    for _, tex in texts:
        page = str(templating.typeset(tex))
        assert tex.count("$") % 2 == 0, tex
        assert page.count("<math>") == tex.count("$") // 2, tex
        assert "\\" not in page, tex
    assert "\\" in str(templating.typeset(r"$\arg\min_a f$"))  # the converter does not know \arg
