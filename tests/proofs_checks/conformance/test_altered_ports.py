"""The C port with one or two pieces of its source replaced: every altered port fails, and the cause that the report
names is the one in this table.

    python tests/proofs_checks/conformance/test_altered_ports.py   # runs all, and prints what each was named
"""

import runpy
import shutil
import sys
from pathlib import Path

import pytest
from wrong_ports import CASES, altered

from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.compare import compare
from dualgap.proofs_checks.conformance.protocol.port import Port

PAGE = Path(__file__).parents[3] / "docs" / "ports.md"
BEGIN, END = "<!-- causes -->\n", "<!-- end of causes -->"
FIRST = {row.name for row in FIRST_ROWS}
ASKED = [c for c in CASES if c.given.get("method", "sdca") in FIRST and not c.call.startswith(("block", "pnorm"))]
MOST = 30  # failures of which the causes are computed, of as many cases as it takes
PROBLEM, NEXT = "    return p;\n}\n\n#define", "    for (size_t k = 0; k < entries; k++) p.columns[k] = {};\n"
KEPT = "    static double kept;\n    p.{0} = kept = kept ? kept : p.{0};\n"
PUT = "    uint64_t bits;\n    memcpy(&bits, &number, sizeof bits);\n"  # of results: the greeting would show it in echo
RESULT = '    if (strstr(answer.text, "result")) '
DIGITS = RESULT + '{{ char s[40]; snprintf(s, 40, "%.{}g", number); {}number = strtod(s, NULL); }}\n'
C, UPDATE = "    double c = (alpha - s->alpha[i])", " / (p->lam * (double)p->n);\n    s->alpha"
SDCA, ASPDC = (
    "size_t i = *chosen.rows;\n    double q",
    "size_t i = *chosen.rows;\n    (void)unused;\n    update(p, s, i, phi",
)
W_BAR = "s->w_bar[j] = w[j] + given->theta * (w[j] - s->w[j])"
SOFT, DIRECTION = "return v > s ? v - s : v < -s", "change / ((double)K.count * (given->weight ? given->weight[k] : 1))"
TOTAL = "    double total = 0;\n    for ENTRIES(p, i, k) total += p->values[k] * w"
P_OR_D, DOT = "for (size_t i = 0; i < p.n; i++) {", "total += p->values[k] * w[p->columns[k]];"
WRONG, MISSED = "wrong: ", ""  # before a cause that is named, but not so; not named, although a cause describes it
ALTERED = {  # the cause that is named, None for none; the text, and what replaces it
    "columns from 1": ("columns-from-1", PROBLEM, NEXT.format("(p.columns[k] + p.d - 1) % p.d") + PROBLEM),
    "columns from -1": ("columns-from-1", PROBLEM, NEXT.format("(p.columns[k] + 1) % p.d") + PROBLEM),
    "rows from 1 in SDCA": ("off-by-one-index", SDCA, SDCA.replace("*chosen.rows", "(*chosen.rows + 1) % p->n")),
    "rows from -1 in ASPDC": (
        "off-by-one-index",
        ASPDC,
        ASPDC.replace("*ch", "(p->n - 1 + *ch").replace("s;", "s) % p->n;", 1),
    ),
    "u without the last row": ("last-row-skipped", "i < p->n; i++) add(", "i + 1 < p->n; i++) add("),
    "P and D without the last row": (MISSED, P_OR_D, P_OR_D.replace("i <", "i + 1 <")),
    "no label in ASPDC": ("label-dropped", "case SQUARED: return (z - y) / gamma", "case SQUARED: return z / gamma"),
    "empty rows passed over": ("skipped-zero-row", C, "    if (p->starts[i] == p->starts[i + 1]) return;\n" + C),
    "v without 1/n": ("lost-one-over-n", UPDATE, " / p->lam;\n    s->alpha"),
    "q without 1/n": ("lost-one-over-n", "norm2(p, i) / (p->lam * (double)p->n)", "norm2(p, i) / p->lam"),
    "u of alpha without 1/n": ("lost-one-over-n", "u[j] /= (double)p->n", "u[j] /= 1"),
    "u of SPDC without 1/n": ("lost-one-over-n", "change / (double)p->n, s->u", "change, s->u"),
    "the other sign in v": ("sign-of-alpha", "-= c * p->values", "+= c * p->values"),
    "w_bar as it was": ("stale-w-bar", W_BAR, "(void)given"),
    "w for w_bar": ("stale-w-bar", "dot(p, k, s->w_bar)", "dot(p, k, s->w)"),
    "theta is 0": ("no-extrapolation", W_BAR, "s->w_bar[j] = w[j]"),
    "gamma of a derivative": (MISSED, "clip((1 - m) / gamma, 0, 1)", "clip(1 - m, 0, 1)"),
    "gamma of a dual step": (MISSED, "(slope + q * b) / (gamma + q)", "(slope + q * b) / (1 + q)"),
    "no threshold in a step": ("threshold-missing", "soft(v[p->columns[k]], p->l1 / p->lam)", "v[p->columns[k]]"),
    "no threshold in the view": ("threshold-missing", "(*w)[j] = soft(s->v[j], p->l1 / p->lam)", "(*w)[j] = s->v[j]"),
    "l1 for tau l1": ("threshold-missing", "soft(w[j], tau * l1)", "soft(w[j], l1)"),
    "a prox without lam": ("prox-unscaled", " / (1 + tau * lam)", ""),
    "no delta": ("delta-ignored", "new[b] = delta == 0 ?", "new[b] = delta < 1e9 ?"),
    "w moves along the new u": ("direction-over-n", DIRECTION, "change / (double)p->n"),
    "no weights": (
        "weight-ignored",
        "pn = given->weight ? given->weight[k] : 1",
        "pn = 1",
        DIRECTION,
        "change / (double)K.count",
    ),
    "no damping": ("damping-ignored", "double q = norm2(p, i)", "double q = 0 * norm2(p, i)"),
    "a round that is not counted": ("early-count", "(double)(s->t + 1)", "(double)s->t"),
    "w is added after the step": (
        MISSED,
        "s->total[j] += s->w[j];\n",
        ";\n",
        " / p->lam, p->l1 / p->lam);\n    }",
        " / p->lam, p->l1 / p->lam), s->total[j] += s->w[j];\n    }",
    ),
    "no upper end": ("wrong-clip", "clip(b + slope / q, 0, 1)", "fmax(b + slope / q, 0)"),
    "no ends": ("wrong-clip", "clip(alpha + (z - y) / q, -1, 1)", "(alpha + (z - y) / q)"),
    "alpha is not stored": ("alpha-not-written", "    s->alpha[i] = alpha;\n", ""),
    "init of SDCA at 0": ("init-ignores-alpha", "double *v = u_of(p, alpha)", "double *v = vector(p->d)"),
    "init of SPDC at 0": ("init-ignores-alpha", "double *u = u_of(p, alpha)", "double *u = vector(p->d)"),
    "the view is w_bar": ("view-of-w-bar", "(void)p, *w = s->w,", "(void)p, *w = s->w_bar,"),
    "branches in turn": ("branches-in-turn", "if (count && !trajectory) s", "if (!count) s"),
    "a trajectory of first steps": (None, "if (count && !trajectory) s", "if (count) s"),
    "lam of the first request": ("state-kept", PROBLEM, KEPT.format("lam") + PROBLEM),
    "gamma of the first request": ("state-kept", PROBLEM, KEPT.format("gamma") + PROBLEM),
    "answers in 32 bits": ("single-precision", PUT, RESULT + "number = (float)number;\n" + PUT),
    "a sum in 32 bits": (MISSED, TOTAL, TOTAL.replace("double", "float")),
    "text of 16 digits": ("few-digits", PUT, DIGITS.format(16, "") + PUT),
    "text of 15 digits": ("few-digits", PUT, DIGITS.format(15, "") + PUT),
    "text of 6 digits": ("few-digits", PUT, DIGITS.format(6, "") + PUT),
    "a decimal comma": ("decimal-comma", PUT, DIGITS.format(17, "s[strcspn(s, \".\")] = ','; ") + PUT),
    "one round of Halley": ("newton-stopped-early", "round < 200", "round < 1"),
    "two rounds of Halley": ("newton-stopped-early", "round < 200", "round < 2"),
    "a tolerance of 1e-6": ("newton-stopped-early", "double allowed = 4 * ulp", "double allowed = 1e-6"),
    "e^t that overflows": (None, "t > 0 ? t + log1p_of(exp_of(-t)) : log1p_of", "log1p_of"),
    "a dead zone of 1e-6": (None, SOFT, "return v > s && v < s + 1e-6 ? 0 : v > s ? v - s : v < -s"),
    "a dead zone of 1e-12": (
        f"{WRONG}lost-one-over-n",
        SOFT,
        "return v > s && v < s + 1e-12 ? 0 : v > s ? v - s : v < -s",
    ),
    "a threshold that is 1e-9 too small": (None, SOFT, "return v > s ? v - (s - 1e-9) : v < -s"),
    "changes below 1e-6 left out": (None, C, "    if (fabs(alpha - s->alpha[i]) < 1e-6) return;\n" + C),
    "a gap without its sign": ("absolute-gap", "put(primal - dual); }", "put(fabs(primal - dual)); }"),
    "a gap cut off at 0": (None, "put(primal - dual); }", "put(fmax(primal - dual, 0)); }"),
    "four entries of a row": (None, DOT, f"if (k - p->starts[i] < 4) {DOT}"),
    "n - 1 for n": (None, UPDATE, " / (p->lam * (double)(p->n - 1 + (p->n == 1)));\n    s->alpha"),
    "twice the change": (None, C, C.replace("= (", "= 2 * (")),
    "1.01 times log(1 + e^t)": (None, "t + log1p_of(exp_of(-t))", "t + 1.01 * log1p_of(exp_of(-t))"),
    "1.01 times the sigmoid": (None, ": 1 / (1 + exp_of(-t));", ": 1.01 / (1 + exp_of(-t));"),
    "g without 1/2": (None, "return lam * squares / 2 + l1 * ones", "return lam * squares + l1 * ones"),
    "the product without its last entry": (None, DOT, f"if (k + 1 < p->starts[i + 1]) {DOT}"),
    "an inner product with |x|": (None, DOT, DOT.replace("p->values[k]", "fabs(p->values[k])")),
}


def named(name, folder):
    """The report on an altered port: on so many cases that about MOST fail."""
    _, *edits = ALTERED[name]
    command = altered("c", list(zip(edits[::2], edits[1::2])), folder)
    with Port(command) as port:
        answers = [(case, port.run(case.call, case.request)) for case in ASKED if case.due is not None]
        failing = sum(a.result is None or compare(c.due, a.result) is not None for c, a in answers)
    with Port(command) as port:
        return conform(port, ASKED[:: -(-failing // MOST) or 1], seconds=0)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] if k % 5 else []) for k, name in enumerate(ALTERED)]
)
def test_an_altered_port_fails_and_its_cause_is_named(name, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("there is no cc on the PATH, which ports/c needs")
    report = named(name, tmp_path / "port")
    assert report.verdict == "fail" and report.failures()
    assert [flag for flag, _ in report.diagnosis()] == [flag.removeprefix(WRONG) for flag in ALTERED[name][:1] if flag]


def table():
    """The rows of the page, from what the tests of causes expect of each planted bug."""
    others = runpy.run_path(str(Path(__file__).with_name("test_mistakes.py")))
    flags = [flag for flag, *_ in ALTERED.values()]
    wrong = sum((flag or "").startswith(WRONG) for flag in flags)
    rows = [
        ("patterns of ports", len(others["PATTERN_WAYS"]), 0, 0, 0),
        ("mistakes like a known bug, in one place of several", len(others["NAMED"]), 0, 0, 0),
        (
            "mistakes in Python that no known bug is like",
            len(others["TRUE"]),
            0,
            len(others["UNEXPLAINED"]) - len(others["TRUE"]),
            0,
        ),
        ("altered C ports", sum(map(bool, flags)) - wrong, flags.count(MISSED), flags.count(None), wrong),
    ]
    total = ("all", *(sum(row[k] for row in rows) for k in range(1, 5)))
    head = (
        "planted",
        "number",
        "named rightly",
        "described by a cause, none named",
        "described by none, none named",
        "named wrongly",
    )
    lines = [head, ("---",) * 6, *((name, sum(counts), *counts) for name, *counts in (*rows, total))]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines), total


def test_the_page_has_the_table_and_most_causes_are_named():
    text, (_, named, missed, none, wrong) = table()
    assert PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0] == text
    assert named >= 0.8 * (named + missed) and wrong <= 0.02 * (named + missed + none + wrong) and len(ALTERED) > 55


if __name__ == "__main__":
    import tempfile

    for given in sys.argv[1:] or ALTERED:
        with tempfile.TemporaryDirectory() as place:
            found = named(given, Path(place) / "port")
            print(f"{given}: {found.diagnosis()}, expected {ALTERED[given][0]}; {found.hints()}", flush=True)  # noqa: T201
