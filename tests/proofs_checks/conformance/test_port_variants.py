"""What only rounds otherwise passes in every language: fused products, another order of sums, reciprocals, lazy
writes.
"""

import shutil

import pytest
from support import by_day
from wrong_ports import altered

from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors.load import load

NEEDS = {"c": "cc", "javascript": "node", "go": "go", "rust": "rustc"}
ROWS = tuple(row.name for row in FIRST_ROWS)
CASES = [
    c
    for c in load().cases.values()
    if c.call in ("certificate", "init") or (c.given.get("method") in ROWS and c.level != "L0")
]
FUSED_IN_JAVASCRIPT = """const high = (x) => { const t = 134217729 * x; return t - (t - x); };
function fma(x, y, z) { // x y + z in two parts each, by Dekker and Knuth, added at the end
  const p = x * y, a = high(x), b = high(y), sum = p + z, part = sum - p;
  const lost = (x - a) * (y - b) - (((p - a * b) - (x - a) * b) - a * (y - b));
  return sum + (lost + ((p - (sum - part)) + (z - part)));
}
"""
VARIANTS = {  # of each language: a piece of the source, and what stands there instead
    "c": {
        "fused": [("total += p->values[k] * w[p->columns[k]];", "total = fma(p->values[k], w[p->columns[k]], total);")],
        "reversed": [
            (
                "for ENTRIES(p, i, k) total += p->values[k] * w[p->columns[k]];",
                "for (size_t k = p->starts[i + 1]; k-- > p->starts[i];) total += p->values[k] * w[p->columns[k]];",
            )
        ],
        "reciprocal": [
            ("(alpha - s->alpha[i]) / (p->lam * (double)p->n)", "(alpha - s->alpha[i]) * (1 / (p->lam * (double)p->n))")
        ],
        "lazy": [
            ("    s->alpha[i] = alpha;\n", "    if (s->alpha[i] != alpha) s->alpha[i] = alpha;\n"),
            ("        s->alpha[k] = new[b];\n", "        if (change != 0) s->alpha[k] = new[b];\n"),
        ],
    },
    "javascript": {
        "fused": [
            ("// -- losses: alpha", FUSED_IN_JAVASCRIPT + "// -- losses: alpha"),
            ("{ total += x * w[j]; }", "{ total = fma(x, w[j], total); }"),
        ],
        "reversed": [
            (
                "    this.row(i, (j, x) => { total += x * w[j]; });",
                (
                    "    for (let k = this.starts[i + 1] - 1; k >= this.starts[i]; k--) total += this.values[k] *"
                    " w[this.columns[k]];"
                ),
            )
        ],
        "reciprocal": [
            (
                "(alpha_i - alpha[i]) / (problem.lam * problem.n)",
                "(alpha_i - alpha[i]) * (1 / (problem.lam * problem.n))",
            )
        ],
        "lazy": [
            ("      alpha[i] = alpha_i;\n", "      if (alpha[i] !== alpha_i) alpha[i] = alpha_i;\n"),
            ("        state.alpha[k] = news[at];\n", "        if (change !== 0) state.alpha[k] = news[at];\n"),
        ],
    },
    "go": {
        "fused": [
            (
                "\t\ttotal += p.values[k] * w[p.columns[k]]\n",
                "\t\ttotal = math.FMA(p.values[k], w[p.columns[k]], total)\n",
            )
        ],
        "reversed": [
            (
                "\tfor k := p.starts[i]; k < p.starts[i+1]; k++ {\n\t\ttotal += p.values[k] * w[p.columns[k]]\n",
                "\tfor k := p.starts[i+1] - 1; k >= p.starts[i]; k-- {\n\t\ttotal += p.values[k] * w[p.columns[k]]\n",
            )
        ],
        "reciprocal": [
            (
                "\tc := (alpha_i - alpha[i]) / (lam * float64(p.n))\n",
                "\tc := (alpha_i - alpha[i]) * (1 / (lam * float64(p.n)))\n",
            )
        ],
        "lazy": [
            (
                "\tc := (alpha_i - alpha[i]) / (lam * float64(p.n))\n\talpha[i] = alpha_i\n",
                (
                    "\tc := (alpha_i - alpha[i]) / (lam * float64(p.n))\n\tif alpha[i] != alpha_i {\n\t\talpha[i] ="
                    " alpha_i\n\t}\n"
                ),
            ),
            ("\t\talpha[k] = following[at]\n", "\t\tif change != 0 {\n\t\t\talpha[k] = following[at]\n\t\t}\n"),
        ],
    },
    "rust": {
        "fused": [
            (
                "self.row(i).fold(0.0, |total, (j, x)| total + x * w[j])",
                "self.row(i).fold(0.0, |total: f64, (j, x)| x.mul_add(w[j], total))",
            )
        ],
        "reversed": [
            (
                "self.row(i).fold(0.0, |total, (j, x)| total + x * w[j])",
                "self.row(i).collect::<Vec<_>>().iter().rev().fold(0.0, |total, (j, x)| total + x * w[*j])",
            )
        ],
        "reciprocal": [
            (
                "    let c = (alpha_i - alpha[i]) / (lam * p.rows());",
                "    let c = (alpha_i - alpha[i]) * (1.0 / (lam * p.rows()));",
            )
        ],
        "lazy": [
            (
                "    let c = (alpha_i - alpha[i]) / (lam * p.rows());\n    alpha[i] = alpha_i;\n",
                (
                    "    let c = (alpha_i - alpha[i]) / (lam * p.rows());\n    if alpha[i] != alpha_i { alpha[i] ="
                    " alpha_i }\n"
                ),
            ),
            ("        alpha[k] = alpha_k;\n", "        if change != 0.0 { alpha[k] = alpha_k }\n"),
        ],
    },
}
FURTHER = {  # the same of exp, of sums, and of how integers are written
    "c": {
        "tanh": [
            (
                ("{ return t < 0 ? exp_of(t) / (1 + exp_of(t)) : 1 / (1 + exp_of(-t)); }"),
                "{ return 0.5 + 0.5 * tanh(t / 2); }",
            )
        ],
        "compensated": [
            (
                (
                    "    double total = 0;\n    for ENTRIES(p, i, k) total += p->values[k] "
                    "* w[p->columns[k]];\n    return total;"
                ),
                (
                    "    double total = 0, lost = 0;\n    for ENTRIES(p, i, k) {\n        "
                    "double x = p->values[k] * w[p->columns[k]] - lost, sum = total + "
                    "x;\n        lost = (sum - total) - x, total = sum;\n    }\n    return "
                    "total;"
                ),
            )
        ],
        "long double": [
            (
                ("    double total = 0;\n    for ENTRIES(p, i, k) total += p->values[k] * w"),
                ("    long double total = 0;\n    for ENTRIES(p, i, k) total += (long double)p->values[k] * w"),
            )
        ],
        "3.0": [('say(",\\"t\\":%ld", s->t)', 'say(",\\"t\\":%ld.0", s->t)')],
        "3e0": [('say(",\\"t\\":%ld", s->t)', 'say(",\\"t\\":%lde0", s->t)')],
    },
    "javascript": {
        "tanh": [
            ("(t < 0 ? Math.exp(t) / (1 + Math.exp(t)) : 1 / (1 + Math.exp(-t)))", "0.5 + 0.5 * Math.tanh(t / 2)")
        ],
        "compensated": [
            (
                ("    let total = 0;\n    this.row(i, (j, x) => { total += x * w[j]; });"),
                (
                    "    let total = 0, lost = 0;\n    this.row(i, (j, x) => { const y = x "
                    "* w[j] - lost, sum = total + y; lost = (sum - total) - y; total = "
                    "sum; });"
                ),
            )
        ],
        "3.0": [('\'"t":$1\') + "\\n"', '\'"t":$1.0\') + "\\n"')],
        "3e0": [('\'"t":$1\') + "\\n"', '\'"t":$1e0\') + "\\n"')],
    },
    "go": {
        "tanh": [
            (
                ("\tif t < 0 {\n\t\treturn math.Exp(t) / (1 + math.Exp(t))\n\t}\n\treturn 1 / (1 + math.Exp(-t))"),
                "\treturn 0.5 + 0.5*math.Tanh(t/2)",
            )
        ],
        "compensated": [
            (
                (
                    "\ttotal := 0.0\n\tfor k := p.starts[i]; k < p.starts[i+1]; k++ {\n\t\t"
                    "total += p.values[k] * w[p.columns[k]]\n"
                ),
                (
                    "\ttotal, lost := 0.0, 0.0\n\tfor k := p.starts[i]; k < p.starts[i+1]; "
                    "k++ {\n\t\tx := p.values[k]*w[p.columns[k]] - lost\n\t\tsum := total "
                    "+ x\n\t\tlost = (sum - total) - x\n\t\ttotal = sum\n"
                ),
            )
        ],
    },
    "rust": {
        "tanh": [
            (
                ("{ if t < 0.0 { t.exp() / (1.0 + t.exp()) } else { 1.0 / (1.0 + (-t).exp()) } }"),
                "{ 0.5 + 0.5 * (t / 2.0).tanh() }",
            )
        ],
        "compensated": [
            (
                "self.row(i).fold(0.0, |total, (j, x)| total + x * w[j])",
                (
                    "self.row(i).fold((0.0, 0.0), |(total, lost): (f64, f64), (j, x)| { "
                    "let y = x * w[j] - lost; let sum = total + y; (sum, (sum - total) - "
                    "y) }).0"
                ),
            )
        ],
        "3.0": [("out.push_str(&number.to_string())", 'out.push_str(&format!("{number}.0"))')],
        "3e0": [("out.push_str(&number.to_string())", 'out.push_str(&format!("{number}e0"))')],
    },
}
TWICE = {  # the control: v moves by twice what is due
    "c": ("double c = (alpha - s->alpha[i])", "double c = 2 * (alpha - s->alpha[i])"),
    "javascript": ("const c = (alpha_i - alpha[i])", "const c = 2 * (alpha_i - alpha[i])"),
    "go": (
        "\tc := (alpha_i - alpha[i]) / (lam * float64(p.n))",
        "\tc := 2 * (alpha_i - alpha[i]) / (lam * float64(p.n))",
    ),
    "rust": (
        "let c = (alpha_i - alpha[i]) / (lam * p.rows())",
        "let c = 2.0 * (alpha_i - alpha[i]) / (lam * p.rows())",
    ),
}


def changed(language, pieces, folder):
    """The first failure of the port of a language with pieces of its source replaced, in a separate folder, and the
    number of cases run.
    """
    if shutil.which(NEEDS[language]) is None:
        pytest.skip(f"there is no {NEEDS[language]} on the PATH, which ports/{language} needs")
    with Port(altered(language, pieces, folder)) as port:
        return (
            next((o for case in CASES if (o := judge(case, port.run(case.call, case.request))).status == FAILED), None),
            port.asked,
        )


@pytest.fixture(autouse=True)
def built_quickly(monkeypatch):
    monkeypatch.setenv("RUSTFLAGS", "-Copt-level=0")


HARMLESS = [
    pytest.param(name, way, marks=[pytest.mark.nightly] * (name != "c"))
    for name in VARIANTS
    for way in (*VARIANTS[name], *FURTHER[name])
]


@pytest.mark.parametrize(("language", "variant"), HARMLESS)
def test_what_only_rounds_otherwise_passes(language, variant, tmp_path):
    failure, asked = changed(language, {**VARIANTS[language], **FURTHER[language]}[variant], tmp_path / "port")
    assert failure is None, (failure.case.id, failure.reason)
    assert asked == len(CASES) > 1000


UPPER_CASE = {
    "c": ('"\\"%016" PRIx64', '"\\"%016" PRIX64'),
    "javascript": ("toString(16)", "toString(16).toUpperCase()"),
    "go": ('Sprintf("%016x"', 'Sprintf("%016X"'),
    "rust": ('format!("{:016x}"', 'format!("{:016X}"'),
}


@pytest.mark.parametrize("language", by_day(UPPER_CASE, "c"))
def test_upper_case_digits_are_refused_once_at_the_greeting(language, tmp_path):
    with pytest.raises(Unreachable, match="write hexadecimal digits in lower case$"):
        changed(language, [UPPER_CASE[language]], tmp_path / "port")


@pytest.mark.parametrize("language", by_day(TWICE, "c"))
def test_what_is_wrong_does_not(language, tmp_path):
    failure, _ = changed(language, [TWICE[language]], tmp_path / "port")
    assert failure is not None and failure.case.method in ("aspdc", "sdca")
