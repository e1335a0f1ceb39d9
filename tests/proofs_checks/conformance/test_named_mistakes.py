"""Mistakes planted in the port one at a time: vectors catch every one, and each that a known bug describes is named."""

import pathlib
import sys

import pytest

from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.seeded_bugs.catalogue import FLAGS
from dualgap.proofs_checks.conformance.vectors.load import load

PORTS = pathlib.Path(__file__).parents[2] / "ports"
sys.path.insert(0, str(PORTS))
import wrong_ports  # noqa: E402

sys.path.remove(str(PORTS))

CASES = list(load().cases.values())
MOST = 90  # cases that one mistake is asked, spread over those of its methods
LOSSES = ("squared", "smoothed-hinge", "squared-hinge", "hinge", "logistic", "absolute")
DUAL, SADDLE, PGS = ("aspdc", "sdca"), ("spdc", "spdc-minibatch"), ("pgs",)
ALL = (*DUAL, *SADDLE, "spdc-nonuniform", *PGS)

NAMED = {  # mistake: the known bug that it is, where it shows, what stands in the right port and in the wrong one
    "gamma of the squared loss": (
        "gamma-ignored",
        ("squared", "aspdc"),
        "        return (z - y) / gamma\n",
        "        return (z - y)\n",
    ),
    "gamma of the smoothed hinge": (
        "gamma-ignored",
        ("smoothed-hinge", "aspdc"),
        "return -y * clip((1 - m) / gamma)",
        "return -y * clip(1 - m)",
    ),
    "gamma in the dual step": (
        "gamma-ignored",
        ("squared", "sdca"),
        "(z - y + q * alpha) / (gamma + q)",
        "(z - y + q * alpha) / (1 + q)",
    ),
    "gamma in the dual step of a hinge": (
        "gamma-ignored",
        ("smoothed-hinge",),
        "(1 - m + q * b) / (gamma + q)",
        "(1 - m + q * b) / (1 + q)",
    ),
    "q is 0 in SDCA": ("damping-ignored", ("sdca",), 'p.norm2(i) / (p.lam * p.n) if method == "sdca" else 0.0', "0.0"),
    "q is 0 in SPDC": ("damping-ignored", SADDLE, "        q = weight[k] / sigma\n", "        q = 0.0\n"),
    "c without 1/n": ("lost-one-over-n", DUAL, "c = (new - alpha[i]) / (p.lam * p.n)", "c = (new - alpha[i]) / p.lam"),
    "u without 1/n": ("lost-one-over-n", SADDLE, "u = p.shifted(u, k, change / p.n)", "u = p.shifted(u, k, change)"),
    "u of alpha without 1/n": ("lost-one-over-n", ("init",), "[total_j / self.n for total_j in total]", "list(total)"),
    "v moves along +x": (
        "sign-of-alpha",
        DUAL,
        "c = (new - alpha[i]) / (p.lam * p.n)",
        "c = (alpha[i] - new) / (p.lam * p.n)",
    ),
    "v of alpha with the other sign": (
        "sign-of-alpha",
        ("init",),
        '{"v": [-u_j / p.lam for u_j in u]',
        '{"v": [u_j / p.lam for u_j in u]',
    ),
    "no soft threshold in a dual step": (
        "threshold-missing",
        DUAL,
        "    w = [soft(v_j, p.l1 / p.lam) for v_j in v]\n",
        "    w = list(v)\n",
    ),
    "l1 in the place of l1/lam": (
        "threshold-missing",
        DUAL,
        "    w = [soft(v_j, p.l1 / p.lam) for v_j in v]\n",
        "    w = [soft(v_j, p.l1) for v_j in v]\n",
    ),
    "no soft threshold in the view": (
        "threshold-missing",
        ("view",),
        'return [soft(v_j, p.l1 / p.lam) for v_j in state["v"]], state["alpha"]',
        'return list(state["v"]), state["alpha"]',
    ),
    "no soft threshold in the prox": (
        "threshold-missing",
        SADDLE,
        "soft(w_j, tau * l1) / (1 + tau * lam)",
        "w_j / (1 + tau * lam)",
    ),
    "l1 in the place of tau l1": (
        "threshold-missing",
        SADDLE,
        "soft(w_j, tau * l1) / (1 + tau * lam)",
        "soft(w_j, l1) / (1 + tau * lam)",
    ),
    "the prox without its denominator": (
        "prox-unscaled",
        SADDLE,
        "soft(w_j, tau * l1) / (1 + tau * lam)",
        "soft(w_j, tau * l1)",
    ),
    "z at w": ("stale-w-bar", SADDLE, 'z = p.dot(k, state["w_bar"])', 'z = p.dot(k, state["w"])'),
    "w_bar as it was": ("stale-w-bar", SADDLE, '{"w": w_new, "w_bar": w_bar,', '{"w": w_new, "w_bar": state["w_bar"],'),
    "theta is 0": ("no-extrapolation", SADDLE, "new_j + theta * (new_j - w_j)", "new_j + 0.0"),
    "w along the new u": (
        "direction-over-n",
        SADDLE,
        "r = p.shifted(r, k, change / (len(batch) * weight[k]))",
        "r = p.shifted(r, k, change / p.n)",
    ),
    "delta is 0": (
        "delta-ignored",
        ("spdc", "spdc-nonuniform"),
        "    for k in batch:\n        z = p.dot",
        "    delta = 0.0\n    for k in batch:\n        z = p.dot",
    ),
    "weights are 1": (
        "weight-ignored",
        ("spdc-nonuniform",),
        'vector(parameters["weight"]) if "weight" in parameters else [1.0] * p.n',
        "[1.0] * p.n",
    ),
    "alpha_i is not stored": ("alpha-not-written", DUAL, "    alpha[i] = new\n", ""),
    "alpha_k is not stored": ("alpha-not-written", SADDLE, "        alpha[k] = new_k\n", ""),
    "one round fewer": ("early-count", PGS, "soft(acc_j / (t + 1) / p.lam", "soft(acc_j / t / p.lam"),
    "columns in order": ("columns-ignored", ALL, "(columns[k], values[k]) for k", "(k - starts[i], values[k]) for k"),
    "rows counted from 1": (
        "off-by-one-index",
        DUAL,
        "def coordinate_step(method, p, state, i):\n",
        "def coordinate_step(method, p, state, i):\n    i = (i - 1) % p.n\n",
    ),
    "rows counted from 1 in SPDC": (
        "off-by-one-index",
        SADDLE,
        "batch = choice if isinstance(choice, list) else [choice]",
        "batch = [(k - 1) % p.n for k in (choice if isinstance(choice, list) else [choice])]",
    ),
    "rows counted from 1 in PGS": (
        "off-by-one-index",
        PGS,
        "    for i in batch:\n",
        "    for i in [(i - 1) % p.n for i in batch]:\n",
    ),
    "no label": (
        "label-dropped",
        ALL,
        'vector(given["y"])',
        '[0.0 if given["loss"] in ("squared", "absolute") else 1.0] * self.n',
    ),
    "no upper end": (
        "wrong-clip",
        ("smoothed-hinge", "hinge", "sdca"),
        "return low if x <= low else high if x >= high else x",
        "return low if x <= low else x",
    ),
    "no lower end": (
        "wrong-clip",
        ("smoothed-hinge", "hinge", "sdca"),
        "return low if x <= low else high if x >= high else x",
        "return high if x >= high else x",
    ),
    "empty rows are passed over": (
        "skipped-zero-row",
        DUAL,
        "    z = p.dot(i, w)\n",
        "    if not p.rows[i]:\n        return state\n    z = p.dot(i, w)\n",
    ),
    "a gap without its sign": (
        "absolute-gap",
        ("gap",),
        'encode(decode(given["primal"]) - decode(given["dual"]))',
        'encode(abs(decode(given["primal"]) - decode(given["dual"])))',
    ),
    "32 bits in what is answered": (
        "single-precision",
        DUAL,
        '{name: field if name == "t" else [encode(x) for x in field]',
        (
            "{name: field if name == \"t\" else [encode(struct.unpack('f', struct.pack('f', x))[0]) if abs(x) < 1e30"
            " else encode(x) for x in field]"
        ),
    ),
}
CAUGHT = {  # no known bug is like these
    "q without 1/n": (("sdca",), "p.norm2(i) / (p.lam * p.n) if", "p.norm2(i) / p.lam if"),
    "a norm that is not squared": (("sdca",), "p.norm2(i) / (p.lam * p.n) if", "p.norm2(i) ** 0.5 / (p.lam * p.n) if"),
    "c without 1/lam": (DUAL, "c = (new - alpha[i]) / (p.lam * p.n)", "c = (new - alpha[i]) / p.n"),
    "half a step": (DUAL, "c = (new - alpha[i]) / (p.lam * p.n)", "c = (new - alpha[i]) / (2 * p.lam * p.n)"),
    "q without alpha": (("squared", "sdca"), "(z - y + q * alpha) / (gamma + q)", "(z - y) / (gamma + q)"),
    "1 + q of the squared hinge": (("squared-hinge", "sdca"), "/ (1 + 2 * q)", "/ (1 + q)"),
    "an interval of the absolute loss": (
        ("absolute", "sdca"),
        "return clip(alpha + (z - y) / q, -1.0)",
        "return clip(alpha + (z - y) / q, 0.0)",
    ),
    "a piece of the smoothed hinge": (
        ("smoothed-hinge", "certificate"),
        "1 - m - gamma / 2 if m <= 1 - gamma",
        "1 - m if m <= 1 - gamma",
    ),
    "phi* of the smoothed hinge without 1/2": (
        ("smoothed-hinge", "certificate"),
        '    if loss == "smoothed-hinge":\n        return y * alpha + gamma * alpha * alpha / 2\n',
        '    if loss == "smoothed-hinge":\n        return y * alpha + gamma * alpha * alpha\n',
    ),
    "phi* of the squared hinge without 1/4": (
        ("squared-hinge",),
        "return y * alpha + alpha * alpha / 4",
        "return y * alpha + alpha * alpha",
    ),
    "e^-m that overflows": (
        ("logistic",),
        "math.log1p(math.exp(-m)) if m >= 0 else math.log1p(math.exp(m)) - m",
        "math.log1p(math.exp(-m))",
    ),
    "one Newton step": (("logistic",), "for _ in range(200):", "for _ in range(1):"),
    "0 log 0": (("logistic",), "for part in (b, 1 - b) if part > 0)", "for part in (b, 1 - b))"),
    "no domain of the absolute loss": (("absolute",), "y * alpha if -1 <= alpha <= 1 else math.inf", "y * alpha"),
    "no domain of the hinges": (
        ("hinge", "smoothed-hinge"),
        'if b < 0 or (b > 1 and loss != "squared-hinge"):',
        "if b < 0:",
    ),
    "the norm of g without 1/2": (
        ("regularizer", "certificate"),
        "return lam * squares / 2 + l1 * ones",
        "return lam * squares + l1 * ones",
    ),
    "g without its l1": (
        ("regularizer", "certificate"),
        "return lam * squares / 2 + l1 * ones",
        "return lam * squares / 2",
    ),
    "l1 with its sign": (("regularizer", "certificate"), "ones = ones + abs(w_j)", "ones = ones + w_j"),
    "g* without lam": (("regularizer", "certificate"), "return lam * total / 2", "return total / 2"),
    "P without 1/n": (("certificate",), "return total / self.n + penalty", "return total + penalty"),
    "D with + g*": (
        ("certificate",),
        "return -total / self.n - penalty_conjugate",
        "return -total / self.n + penalty_conjugate",
    ),
    "the last row forgotten in P": (
        ("certificate",),
        "        for i in range(self.n):\n            total = total + value(",
        "        for i in range(self.n - 1):\n            total = total + value(",
    ),
    "rows that are sums": (("spdc-minibatch",), "change / (len(batch) * weight[k])", "change / weight[k]"),
    "one after the other in a mini-batch": (
        ("spdc-minibatch",),
        "new.append(dual_step(p.loss, p.gamma, z, moved, p.y[k], q + delta))",
        "new.append(dual_step(p.loss, p.gamma, z + sum(new), moved, p.y[k], q + delta))",
    ),
    "u as it was": (
        SADDLE,
        '"u": u, "alpha": alpha}\n\n\ndef subgradient',
        '"u": state["u"], "alpha": alpha}\n\n\ndef subgradient',
    ),
    "the weight in q alone": (("spdc-nonuniform",), "change / (len(batch) * weight[k])", "change / len(batch)"),
    "a subgradient that is a sum": (PGS, "p.y[i]) / len(batch))", "p.y[i]))"),
    "w is added up after the step": (
        PGS,
        'total = [total_j + w_j for total_j, w_j in zip(state["total"], w)]',
        'total = [total_j + 2 * w_j for total_j, w_j in zip(state["total"], w)]',
    ),
    "rounds are not counted": (PGS, '"total": total, "t": t}', '"total": total, "t": state["t"]}'),
    "the view is the last w": (
        ("view",),
        'w = [total_j / state["t"] for total_j in state["total"]] if state["t"] else state["w"]',
        'w = state["w"]',
    ),
    "w_bar starts at 0": (("init",), '"w_bar": list(w), "u": u', '"w_bar": [0.0] * p.d, "u": u'),
    "PGS starts at w(alpha)": (
        ("init",),
        'return {"w": [0.0] * p.d, "acc"',
        'return {"w": minimizer(p.lam, p.l1, u), "acc"',
    ),
    "a trajectory that starts anew at every step": (
        ALL,
        "        state = step(method, p, parameters, state, choice)\n        states.append(written(state))",
        "        states.append(written(step(method, p, parameters, state, choice)))",
    ),
    "the first state is given back too": (ALL, "    states = []\n", "    states = [written(state)]\n"),
}


def asked(where):
    """Cases of these methods, losses or calls, spread evenly."""
    found = [case for case in CASES if case.method in where or (case.call in where and case.given["method"] in ALL)]
    return found[:: -(-len(found) // MOST)] if "gap" not in where else found


def judged(where, old, new, folder):
    with Port(wrong_ports.spoiled(folder, old, new)) as port:
        report = conform(port, asked(where), seconds=0)
    assert not report.complaints
    return report


@pytest.mark.parametrize("name", NAMED)
def test_a_mistake_that_a_known_bug_describes_is_named(name, tmp_path):
    flag, *rest = NAMED[name]
    report = judged(*rest, tmp_path)
    assert flag in FLAGS and report.failures() and report.diagnosis()[0][0] == flag


@pytest.mark.parametrize("name", CAUGHT)
def test_any_other_mistake(name, tmp_path):
    assert judged(*CAUGHT[name], tmp_path).failures()


def test_there_are_enough_and_the_right_port_has_none(tmp_path):
    assert len(NAMED) >= 30 and len(NAMED) + len(CAUGHT) >= 60
    for where in {tuple(rest[0]) for _, *rest in NAMED.values()} | {rest[0] for rest in CAUGHT.values()}:
        assert not judged(where, "import json\n", "import json\n", tmp_path).failures()
