"""The planted bugs: flag to the lists of edits of the independent implementation, each of which makes the bug.

The vector files describe each flag. An edit is "Class.function: old -> new", and the old text must stand in that
function exactly once. A method of extras gives its own under ``bugs`` of its class in the vectors.
"""

from dualgap.proofs_checks.conformance.seeded_bugs.planting import Flag

WAYS: dict[str, list[list[str]]] = {
    "off-by-one-index": [
        ['Problems.index: return i -> return (i - 1) % int(p["n"])'],
        ['Problems.index: return i -> return (i + 1) % int(p["n"])'],
    ],
    "label-dropped": [
        [
            'Formulas.label: return y -> return Fraction(0) if loss in ("squared", "absolute") else Fraction(1)',
            'MoreFormulas.best: gamma = self -> target = [0] * len(z) if loss == "ball-huber" else 0; gamma = self',
        ]
    ],
    "columns-ignored": [['Problems.column: p["columns"][k] -> k - p["starts"][i]']],
    "skipped-zero-row": [
        ['Problems.replaced: return -> new = {i: new[i] for i in new if p["starts"][i] < p["starts"][i + 1]}; return']
    ],
    "lost-one-over-n": [
        ['Problems.mean: total / int(p["n"]) -> total', "Problems.subgradient: len(choice) -> 1"],
        ["Problems.shift: -self.mean(p, change) -> -change"],
        ["Problems.damping: self.mean(p, dot(x, x)) -> dot(x, x)"],
    ],
    "sign-of-alpha": [
        [
            "Problems.shift: -self.mean -> self.mean",
            "Problems.u: self.mean( -> -self.mean(",
            "Problems.share: change / -> -change /",
        ],
        ["Formulas.dual_step: return a -> return -a"],
        [
            "Formulas.dual_step: y, gamma = self -> alpha = -alpha; y, gamma = self",
            "Formulas.dual_step: return a -> return -a",
        ],
    ],
    "stale-w-bar": [
        ['Problems.descended: [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)] -> list(state["w_bar"])'],
        ['Problems.extrapolated: state["w_bar"] -> state["w"]'],
        ["Problems.descended: [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)] -> list(before)"],
    ],
    "no-extrapolation": [["Problems.descended: [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)] -> w"]],
    "wrong-clip": [
        [
            "Formulas.dual_step: within(self.domain(loss, y), slope / curvature) -> slope / curvature",
            "MoreFormulas.into_ball: if length > 1 -> if False",
            "MoreFormulas.onto_simplex: [p - t if p > t else p - p for p in point] -> point",
        ],
        [
            "Formulas.dual_step: within(self.domain(loss, y) -> "
            'within(INTERVALS["squared" if loss == "squared" else "absolute"](y)'
        ],
        [
            "Formulas.dual_step: within(self.domain(loss, y) -> "
            'within((None, None) if loss == "squared" else (Fraction(0), Fraction(1))'
        ],
        ['Formulas.dual_step: within(self -> within(one_sided(-y, y) if loss == "squared-hinge" else self'],
    ],
    "gamma-ignored": [
        [
            "Formulas.constant: return gamma -> "
            'return gamma if loss in ("hinge", "absolute", "logistic", "softmax") else Fraction(1)'
        ]
    ],
    "threshold-missing": [
        ["Formulas.minimizer: -(u_j + l1) / lam, -(u_j - l1) / lam -> -u_j / lam, -u_j / lam"],
        ['Problems.point: p["l1"] / p["lam"] -> p["l1"]', "Formulas.proxed: tau, l1, -> tau, l1 / tau,"],
    ],
    "prox-unscaled": [["Formulas.proxed: lam + 1 / tau -> 1 / tau"]],
    "delta-ignored": [['Spdc.primal_dual: parameters["delta"] -> Fraction(0)']],
    "direction-over-n": [["Problems.share: change / (m * weight) -> self.mean(p, change)"]],
    "weight-ignored": [['Spdc.primal_dual: if method == "spdc-nonuniform" -> if False']],
    "damping-ignored": [["Formulas.dual_step: y, gamma = self -> q = Fraction(0); y, gamma = self"]],
    "early-count": [["Subgradients.subgradient_step: (t + 1) -> t"]],
    "centre-ignored": [["ProximalPoint.centred: axpy(-kappa, centre, self.u(p, alpha)) -> self.u(p, alpha)"]],
    "momentum-ignored": [
        ["ProximalPoint.beta: return (1 - root(q)) ** 2 / (1 - q) if kappa else kappa -> return Fraction(0)"]
    ],
    "inner-test-skipped": [
        ['ProximalPoint.tested_step: if state["steps"] -> if state["steps"] and state["steps"]'],
        ["ProximalPoint.inner_gap: primal = self -> kappa = Fraction(0); primal = self"],
    ],
    "xi-not-shrunk": [["ProximalPoint.decay: 1 - eta / 2 -> Fraction(1)"]],
    "own-norm-only": [["Spdc.adaptive_step: max(R[i] for i in S) -> R[S[0]]"]],
    "q-without-n": [['Spdc.batch_step: p["n"] / parameters -> 1 / parameters']],
    "projection-left-out": [["MoreFormulas.length: if ball is None -> if True"]],
    "euclidean-norm": [
        [
            "MoreFormulas.pnorm_value: size = self -> p = Fraction(2); size = self",
            "MoreFormulas.pnorm_conjugate: C = self -> p = Fraction(2); C = self",
            "MoreFormulas.shortest: q, C = p -> p = Fraction(2); q, C = p",
        ]
    ],
    "no-control-variate": [],
    "nothing-left-out": [["Sdca.active_step: if moved or -> if True or"]],
    "average-shifted": [
        ["Sdca.standing: since), end) -> since), end - 1)"],
        ['Sdca.random_step: state["alpha"] if -> after["alpha"] if'],
    ],
    "sees-everything": [["Parallel.memory: amount if own or visible & (1 << place) else 0 -> amount"]],
    "sees-nothing": [
        [
            'Parallel.memory: return seen -> return list(state["v"])',
            'Parallel.memory: return self.less(state["v"], state["pending"]) -> return list(state["v"])',
        ]
    ],
    "lost-write-lands": [["Parallel.parallel_step: if not lost & (1 << place) -> if True"]],
    "alpha-not-written": [["Problems.replaced: new.get(i, alpha_i) -> alpha_i"]],
    "single-precision": [],
    "absolute-gap": [["Formulas.call_gap: primal - dual -> abs(primal - dual)"]],
}
NEW: dict[str, Flag] = {}  # flags that extras and other packages describe
AFTER = tuple(WAYS)[list(WAYS).index("no-control-variate") :]  # what stands after those of further methods


def register_flag(name: str, bug: Flag | list[str]) -> None:
    """Add a planted bug, or another way to plant one that there is. Raises ValueError for a name that does not fit."""
    if isinstance(bug, Flag) == (name in WAYS):
        remedy = "give a list of edits" if name in WAYS else "give a Flag"
        raise ValueError(f"flag {name!r} is {'taken' if name in WAYS else 'unknown'}: {remedy}")
    if isinstance(bug, Flag):
        NEW[name], WAYS[name] = bug, [*bug.ways]
        for later in AFTER:
            WAYS[later] = WAYS.pop(later)
    else:
        WAYS[name].append(bug)
