"""Mistakes planted one at a time: vectors catch every one. What only rounds otherwise passes: test_altered_ports.py."""

import math
from fractions import Fraction

import numpy as np
import pytest
from support import by_day
from wrong_ports import CASES, Inside

from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.hints import hint
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import Difference
from dualgap.proofs_checks.conformance.seeded_bugs.catalogue import seeded_bugs
from dualgap.proofs_checks.conformance.seeded_bugs.planting import planted

FIRST = tuple(row.name for row in FIRST_ROWS)
DUAL, SADDLE, PGS, HINGES = ("aspdc", "sdca"), ("spdc", "spdc-minibatch"), ("pgs",), ("smoothed-hinge", "hinge", "sdca")
MOST = 90  # cases run for one planted bug, spread over those of its methods, losses or calls

CAUGHT = {  # where it shows, and the edits
    "gamma of a derivative": (
        ("squared", "smoothed-hinge", "aspdc"),
        "Formulas.derivative: (loss, gamma -> (loss, Fraction(1)",
    ),
    "gamma in a dual step": (("squared", "smoothed-hinge"), "Formulas.dual_step: alpha, gamma + q -> alpha, 1 + q"),
    "q is 0 in SDCA": (("sdca",), "Problems.damping: return q - q if -> return q - q if True or"),
    "q is 0 in SPDC": (SADDLE, "Spdc.dual_steps: qs[k] -> Fraction(0)"),
    "u without 1/n": (SADDLE, "Spdc.primal_step: self.mean(p, change) -> change"),
    "u of alpha without 1/n": (("init",), "Problems.u: self.mean(p, -> (lambda total: total)("),
    "v of alpha with the other sign": (("init",), "Problems.dual_start: -u_j -> u_j"),
    "no threshold in a dual step": (DUAL, 'Problems.dual_coordinate: self.point(p, state["v"]) -> state["v"]'),
    "no threshold in the view": (("view",), 'Problems.dual_view: self.point(p, state["v"]) -> state["v"]'),
    "l1 instead of tau l1": (SADDLE, "Formulas.proxed: tau, l1, -> tau, l1 / tau,"),
    "no threshold in the prox": (SADDLE, "Formulas.proxed: tau, l1, -> tau, 0 * l1,"),
    "rows counted from 1 in SPDC": (SADDLE, 'Spdc.primal_dual: self.index(p, k) -> (k - 1) % p["n"]'),
    "rows counted from 1 in PGS": (PGS, 'Problems.subgradient: self.index(p, i) -> (i - 1) % p["n"]'),
    "no upper end": (
        HINGES,
        "Formulas.dual_step: within(self.domain(loss, y) -> within((self.domain(loss, y)[0], None)",
    ),
    "no lower end": (
        HINGES,
        "Formulas.dual_step: within(self.domain(loss, y) -> within((None, self.domain(loss, y)[1])",
    ),
    "empty rows are passed over": (
        DUAL,
        "Problems.coordinate_step: return -> return state if not any(self.row(p, choice)) else",
    ),
    "32 bits in what is answered": (DUAL, "Problems.call_step: self.step( -> single(self.step)("),
    "columns from 1": (FIRST, 'Problems.column: return column -> return (column - 1) % int(p["d"])'),
    "columns from -1": (FIRST, 'Problems.column: return column -> return (column + 1) % int(p["d"])'),
    "the last row forgotten in u": (
        FIRST,
        'Problems.u: zip(*self.rows(p)) -> zip(*self.rows(p)[:-1], [Fraction(0)] * p["d"])',
    ),
    "init at 0": (
        ("init",),
        "Problems.call_init: parameters or {}, alpha) -> parameters or {}, [a - a for a in alpha])",
    ),
    "init of SDCA at 0": (("init",), "Problems.dual_start: self.u(p, alpha) -> self.u(p, [a - a for a in alpha])"),
    "init of SPDC at 0": (
        ("init",),
        'Problems.saddle_start: w = self.of_alpha(p, alpha) -> w = [Fraction(0)] * p["d"]',
        'Problems.saddle_start: self.u(p, alpha) -> [Fraction(0)] * p["d"]',
    ),
    "the view is w_bar": (("view",), 'Problems.saddle_view: state["w"] -> state.get("w_bar", state["w"])'),
    "q without 1/n, times 2": (("sdca",), "Problems.damping: self.mean(p, dot(x, x)) -> 2 * dot(x, x)"),
    "a norm that is not squared": (("sdca",), "Problems.damping: dot(x, x) -> dot(x, x) ** 0.5"),
    "c without 1/lam": (DUAL, 'Problems.shift: / p["lam"] -> '),
    "half a step": (DUAL, 'Problems.shift: / p["lam"] -> / p["lam"] / 2'),
    "q without alpha": (("squared", "sdca"), "Formulas.dual_step: z - y + q * alpha -> z - y"),
    "half of q": (("squared-hinge", "sdca"), "Formulas.dual_step: gamma + q -> gamma + q / 2"),
    "an interval of the absolute loss": (
        ("absolute", "sdca"),
        'Formulas.dual_step: within(self.domain(loss, y) -> within((Fraction(0), Fraction(1)) if loss == "absolute" '
        "else self.domain(loss, y)",
    ),
    "phi without 1/2": (("smoothed-hinge", "certificate"), "Formulas.phi: a * a / 2 -> a * a"),
    "phi* without 1/2": (("smoothed-hinge", "certificate"), "Formulas.phi_star: alpha * alpha / 2 -> alpha * alpha"),
    "phi* of the squared hinge with gamma = 1": (
        ("squared-hinge",),
        "Formulas.phi_star: self.constant(loss, gamma) -> 1 / self.constant(loss, gamma)",
    ),
    "e^-m that overflows": (("logistic",), "Formulas.phi: (-decimal(label * z)).exp() -> decimal(exp(-label * z))"),
    "0 log 0": (("logistic",), "Formulas.phi_star: if b > 0 -> if b > 1e-300 or 1 / b"),
    "no domain": (("absolute", "hinge"), "Formulas.phi_star: return None -> pass"),
    "the norm of g without 1/2": (("regularizer", "certificate"), "Formulas.g: lam / 2 -> lam"),
    "l1 with its sign": (("regularizer", "certificate"), "Formulas.g: abs(w_j) -> w_j"),
    "g* without lam": (("regularizer", "certificate"), "Formulas.conjugate: self.g(lam, -> self.g(1,"),
    "P without 1/n": (("certificate",), "Problems.primal: self.mean(p, -> (lambda total: total)("),
    "D with + g*": (("certificate",), "Problems.dual: - self.conjugate -> + self.conjugate"),
    "the last row forgotten in P": (("certificate",), 'Problems.primal: p["y"])] -> p["y"][:-1])]'),
    "u as it was": (SADDLE, 'Spdc.primal_step: "u": u -> "u": state["u"]'),
    "one after the other in a mini-batch": (
        ("spdc-minibatch",),
        "Spdc.dual_steps: return dict(steps) -> new = {}; "
        '[new.update({k: self.dual_step(p["loss"], gamma, self.z(p, k, z) + sum(new.values()), state["alpha"][k],'
        ' p["y"][k], qs[k])}) for k in qs]; return new',
    ),
    "the weight in q alone": (("spdc-nonuniform",), "Problems.share: (m * weight) -> m"),
    "a subgradient that is a sum": (PGS, "Problems.subgradient: len(choice) -> 1.5"),
    "w is added up after the step": (
        PGS,
        'Subgradients.subgradient_step: Fraction(1), state["w"] -> Fraction(2), state["w"]',
    ),
    "rounds are not counted": (PGS, 'Subgradients.subgradient_step: "t": t -> "t": state["t"]'),
    "the view is the last w": (("view",), 'Subgradients.averaged_view: if state["t"] else -> if False else'),
    "w_bar starts at 0": (("init",), 'Problems.saddle_start: "w_bar": w -> "w_bar": [0 * w_j for w_j in w]'),
    "PGS starts at w(alpha)": (
        ("init",),
        'Subgradients.averaging_start: [Fraction(0)] * p["d"] -> self.of_alpha(p, alpha)',
    ),
    "a trajectory that starts again at every step": (
        FIRST,
        "Problems.call_trajectory: state = self.step(state=state, -> after = self.step(state=state,",
        "Problems.call_trajectory: append(state) -> append(after)",
    ),
    "the first state is given back too": (FIRST, "Problems.call_trajectory: states = [] -> states = [state]"),
}
SMALL = ("regularizer.minimizer", "regularizer.prox", "gap", "certificate", "branches", "init", *FIRST)
UPDATE = 'Problems.dual_coordinate: axpy(self.shift(p, new - alpha[i]), x, state["v"]) -> [v_j + {} for v_j, c in '
UPDATE += 'zip(state["v"], axpy(self.shift(p, new - alpha[i]), x, [Fraction(0)] * p["d"]))]'
ENTRIES = 'Problems.row: range(p["starts"][i], p["starts"][i + 1]) -> range(p["starts"][i], p["starts"][i + 1])'
Z, SQUARES = 'Problems.dual_coordinate: dot(x, self.point(p, state["v"]))', "Problems.damping: dot(x, x)"
SMALL_MISTAKES = {  # ordinary cases do not show them
    "dead zone of 1e-4 beyond the threshold": "Formulas.minimizer: if positive > 0 -> if -u_j > l1 + 1e-4",
    "dead zone of 1e-8": "Formulas.minimizer: if positive > 0 -> if -u_j > l1 + 1e-8",
    "dead zone of 1e-12": "Formulas.minimizer: if positive > 0 -> if -u_j > l1 + 1e-12",
    "dead zone on the other side": "Formulas.minimizer: if negative < 0 -> if u_j > l1 + 1e-12",
    "a little inside is let through": "Formulas.minimizer: if positive > 0 -> if -u_j > l1 - 1e-12",
    "a threshold that is 1e-9 too small": "Formulas.minimizer: -(u_j + l1) / lam -> -(u_j + l1 - 1e-9) / lam",
    "updates below 1e-6 are dropped": UPDATE.format("(c if abs(c) >= 1e-6 else 0)"),
    "updates above 1e6 are cut": UPDATE.format("max(-1e6, min(1e6, c))"),
    "updates of u below 1e-6 are dropped": (
        "Spdc.primal_step: axpy(self.mean(p, change), x, u) -> [u_j + c * (abs(c) >= 1e-6) for u_j, c in "
        'zip(u, axpy(self.mean(p, change), x, [0] * p["d"]))]'
    ),
    "four entries of a row": f"{ENTRIES}[:4]",
    "thirty-two entries of a row": f"{ENTRIES}[:32]",
    "five rows in X^T alpha": "Problems.u: self.rows(p) -> self.rows(p)[:5]",
    "eight rows in P": "Problems.primal: self.rows(p) -> self.rows(p)[:8]",
    "branches in reverse": "Problems.call_branches: in choices -> in reversed(choices)",
    "branches in turn": "Problems.call_branches: return -> return self.call_trajectory(choices=choices, **given) or",
    "every branch is the first": "Problems.call_branches: choice=choice -> choice=choices[0]",
    "a certificate's gap cut off at 0": "Problems.call_certificate: else primal - dual -> else max(0.0, primal - dual)",
    "a certificate's gap without its sign": "Problems.call_certificate: else primal - dual -> else abs(primal - dual)",
    "a gap cut off at 0": "Formulas.call_gap: primal - dual -> max(0.0, primal - dual)",
    "a gap below 1e-9 is 0": "Formulas.call_gap: primal - dual -> (primal - dual) * (abs(primal - dual) > 1e-9)",
    "32 bits in the inner product": f"{Z} -> single(dot)(x, self.point(p, state['v']))",
    "32 bits in the norm": f"{SQUARES} -> single(dot)(x, x)",
}


def single(call):
    """The function, with every number of its result in 32 bits."""

    def narrow(value):
        if isinstance(value, dict):
            return {name: narrow(item) for name, item in value.items()}
        if isinstance(value, list):
            return [narrow(item) for item in value]
        return value if isinstance(value, int) or abs(value) > 1e30 else float(np.float32(float(value)))

    return lambda *given: narrow(call(*given))


def with_edits(*edits):
    return Inside(planted("a mistake", list(edits), single=single, exp=math.exp))


def asked(where, most=MOST):
    """Cases of these methods, losses or calls, spread evenly."""
    found = [c for c in CASES if c.method in where or (c.call in where and c.given.get("method", "sdca") in FIRST)]
    return found[:: -(-len(found) // most)] if "gap" not in where else found


def first_failure(port, cases):
    return next((o for case in cases if (o := judge(case, port.run(case.call, case.request))).status == FAILED), None)


@pytest.mark.parametrize(("flag", "kind"), seeded_bugs(), ids=str)
def test_vectors_with_its_flag_show_a_known_bug(flag, kind):
    cases = [case for case in CASES if flag in case.flags]
    assert first_failure(Inside(kind), cases[:: -(-len(cases) // MOST)]) is not None


@pytest.mark.parametrize("name", CAUGHT)
def test_a_mistake_is_caught(name):
    where, *edits = CAUGHT[name]
    assert first_failure(with_edits(*edits), asked(where)) is not None


@pytest.mark.parametrize("name", by_day(SMALL_MISTAKES, *list(SMALL_MISTAKES)[::2]))
def test_a_vector_shows_a_small_mistake(name):
    cases = [c for c in CASES if c.call in SMALL or (c.call == "step" and c.method in FIRST)]
    assert first_failure(with_edits(SMALL_MISTAKES[name]), cases) is not None


@pytest.mark.parametrize("method", FIRST)
def test_every_method_of_the_elastic_net_has_steps_on_both_sides_of_the_threshold(method):
    """With a threshold that is wrong by 1e-12 some exact step of each method fails."""
    cases = [c for c in CASES if c.call == "step" and c.given["method"] == method and c.tolerance_class == "E"]
    for wrong in ("dead zone of 1e-12", "dead zone on the other side", "a little inside is let through"):
        assert first_failure(with_edits(SMALL_MISTAKES[wrong]), cases) is not None, wrong


def due(value):
    return hex_floats.read(hex_floats.spell_due(Fraction(value), None))


@pytest.mark.parametrize(
    "got, words",
    [
        (-0.75, "the number is -1 times"),
        (3.0, "the number is n times"),
        (0.1875, "the number is 1/n times"),
        (1.5, "the number is 2 times"),
        (0.0, "the number is 0 times"),
        (7.5, "the number is 1/lam times"),
        (0.5, "the number is not changed"),
        (0.75 * (1 + 2.0**-24), "single precision"),
        (math.inf, "infinite and a finite one is due"),
        (math.nan, "not a number"),
        (0.7321, ""),
    ],
)
def test_a_wrong_number_is_compared_with_the_right_one(got, words):
    v = [hex_floats.encode(0.0), hex_floats.encode(0.5)]
    given = {"problem": {"n": 4, "d": 3, "lam": hex_floats.encode(0.1)}, "state": {"v": v}, "choice": 1}
    said = hint(given, Difference("v[1]", None, got, due(0.75), ""))
    assert (words in said) if words else said == ""


def test_a_wrong_change_is_seen_where_the_number_says_nothing():
    problem = {"n": 4, "d": 3, "lam": hex_floats.encode(0.1)}
    given = {"problem": problem, "state": {"v": [hex_floats.encode(10.0)]}, "choice": 0}
    assert hint(given, Difference("v[0]", None, 14.0, due(11.0), "")) == "the change is n times the change due"


def test_the_report_counts_what_wrong_numbers_are():
    """v moves by twice what is due, and the ratio of the changes says it."""
    steps = [case for case in CASES if case.call == "step" and case.given["method"] in DUAL]
    report = with_edits("Problems.shift: -self.mean -> -2 * self.mean").judged(steps)
    doubled = sum(count for text, count in report.hints() if text.startswith("the change is 2 "))
    assert len(report.failures()) > 20 and 2 * doubled > len(report.failures())
