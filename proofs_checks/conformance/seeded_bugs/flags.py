"""The planted bugs: what each is, its class, what it does to a result, and how it is planted.

A bug that is planted in several ways has several lists of edits of the independent implementation. An edit is
"Class.function: old -> new", and the old text must stand in that function exactly once. A method of extras
gives its own under ``bugs`` of its class in the vectors.
"""

from dualgap.proofs_checks.conformance.seeded_bugs.planting import CERTIFICATE, DATA, FORMULA, MEMORY, NUMBERS, Flag

FLAGS = {
    "off-by-one-index": DATA(
        "an index is counted from 1",
        "another row is drawn; the theorems hold for none",
        ['Problems.index: return i -> return (i - 1) % int(p["n"])'],
        ['Problems.index: return i -> return (i + 1) % int(p["n"])'],
    ),
    "label-dropped": DATA(
        "the label is not multiplied in, or not subtracted",
        "every row is trained towards +1, or towards 0",
        [
            'Formulas.label: return y -> return Fraction(0) if loss in ("squared", "absolute") else Fraction(1)',
            'MoreFormulas.best: gamma = self -> target = [0] * len(z) if loss == "ball-huber" else 0; gamma = self',
        ],
    ),
    "columns-ignored": DATA(
        "the entries of a sparse row are taken for its first columns",
        "wrong wherever a row does not begin with column 0, or is not sorted",
        ['Problems.column: p["columns"][k] -> k - p["starts"][i]'],
    ),
    "skipped-zero-row": DATA(
        "a row without entries is passed over",
        "its alpha never reaches phi'(0): the gap stays away from 0",
        ['Problems.replaced: return -> new = {i: new[i] for i in new if p["starts"][i] < p["starts"][i + 1]}; return'],
    ),
    "lost-one-over-n": FORMULA(
        "a factor 1/n is lost",
        "w is n times too long: the iterates diverge, or solve another lambda",
        ['Problems.mean: total / int(p["n"]) -> total', "Problems.subgradient: len(choice) -> 1"],
        ["Problems.shift: -self.mean(p, change) -> -change"],
        ["Problems.damping: self.mean(p, dot(x, x)) -> dot(x, x)"],
    ),
    "sign-of-alpha": FORMULA(
        "alpha has the sign of SDCA's papers in some formula, not in all",
        "D is another function; the gap does not close",
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
    ),
    "stale-w-bar": FORMULA(
        "w_bar is not renewed, or w is read in its place",
        "no contraction is proved; for large steps it diverges",
        ['Problems.descended: [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)] -> list(state["w_bar"])'],
        ['Problems.extrapolated: state["w_bar"] -> state["w"]'],
        ["Problems.descended: [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)] -> list(before)"],
    ),
    "no-extrapolation": FORMULA(
        "w_bar = w: theta is 0",
        "Theorem 1 does not hold; the rate is lost",
        ["Problems.descended: [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, before)] -> w"],
    ),
    "wrong-clip": FORMULA(
        "alpha is limited to another interval than the domain of phi*, or not at all",
        "D is -infinity: no certificate",
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
    ),
    "gamma-ignored": FORMULA(
        "gamma is taken as 1",
        "another loss is minimised",
        [
            "Formulas.constant: return gamma -> "
            'return gamma if loss in ("hinge", "absolute", "logistic", "softmax") else Fraction(1)'
        ],
    ),
    "threshold-missing": FORMULA(
        "the soft threshold is left out, or is l1 where it is l1/lam or tau l1",
        "the elastic net is solved as something else",
        ["Formulas.minimizer: -(u_j + l1) / lam, -(u_j - l1) / lam -> -u_j / lam, -u_j / lam"],
        ['Problems.point: p["l1"] / p["lam"] -> p["l1"]', "Formulas.proxed: tau, l1, -> tau, l1 / tau,"],
    ),
    "prox-unscaled": FORMULA(
        "the prox is the soft threshold alone, without 1 + tau lam",
        "lam ||w||^2/2 is not minimised",
        ["Formulas.proxed: lam + 1 / tau -> 1 / tau"],
    ),
    "delta-ignored": FORMULA(
        "the perturbation delta of a loss that is not smooth is left out",
        "Theorem 1 has no gamma to stand on",
        ['Spdc.primal_dual: parameters["delta"] -> Fraction(0)'],
    ),
    "direction-over-n": FORMULA(
        "w moves along the new u",
        "the change of alpha counts 1/n of what it must: the rate is lost",
        ["Problems.share: change / (m * weight) -> self.mean(p, change)"],
    ),
    "weight-ignored": FORMULA(
        "p_k n is left out of the non-uniform step",
        "the step is biased towards long rows",
        ['Spdc.primal_dual: if method == "spdc-nonuniform" -> if False'],
    ),
    "damping-ignored": FORMULA(
        "(q/2)(a - alpha)^2 is left out of the dual step",
        "SDCA becomes ASPDC and can cycle for small lambda",
        ["Formulas.dual_step: y, gamma = self -> q = Fraction(0); y, gamma = self"],
    ),
    "early-count": FORMULA(
        "the regularizer of the round to come is not counted",
        "Lemma 1 of PGS does not hold",
        ["Subgradients.subgradient_step: (t + 1) -> t"],
    ),
    "centre-ignored": FORMULA(
        "kappa times the centre is left out of v",
        "the inner problem is f with a larger lambda: the outer loop is lost",
        ["ProximalPoint.centred: axpy(-kappa, centre, self.u(p, alpha)) -> self.u(p, alpha)"],
    ),
    "momentum-ignored": FORMULA(
        "the centre is the last point, without momentum",
        "another method: Algorithm 3",
        ["ProximalPoint.beta: return (1 - root(q)) ** 2 / (1 - q) if kappa else kappa -> return Fraction(0)"],
    ),
    "inner-test-skipped": FORMULA(
        "inner calls are not tested before their first step, or tested on f itself",
        "Theorem 2 does not hold",
        ['ProximalPoint.tested_step: if state["steps"] -> if state["steps"] and state["steps"]'],
        ["ProximalPoint.inner_gap: primal = self -> kappa = Fraction(0); primal = self"],
    ),
    "xi-not-shrunk": FORMULA(
        "xi keeps its value when the centre moves",
        "the bound says nothing: inner calls stop far too early",
        ["ProximalPoint.decay: 1 - eta / 2 -> Fraction(1)"],
    ),
    "own-norm-only": FORMULA(
        "the primal step has the norm of one row, not the largest of the sample",
        "tau sigma exceeds what the proof admits: it can diverge",
        ["Spdc.adaptive_step: max(R[i] for i in S) -> R[S[0]]"],
    ),
    "q-without-n": FORMULA(
        "the dual step of a batch has q = 1/sigma, not n/sigma",
        "the dual step is n times too long",
        ['Spdc.batch_step: p["n"] / parameters -> 1 / parameters'],
    ),
    "projection-left-out": FORMULA(
        "the iterate is not brought back to the ball",
        "the regret bound has another constant, or none",
        ["MoreFormulas.length: if ball is None -> if True"],
    ),
    "euclidean-norm": FORMULA(
        "the p-norm is taken for p = 2",
        "another problem is solved",
        [
            "MoreFormulas.pnorm_value: size = self -> p = Fraction(2); size = self",
            "MoreFormulas.pnorm_conjugate: C = self -> p = Fraction(2); C = self",
            "MoreFormulas.shortest: q, C = p -> p = Fraction(2); q, C = p",
        ],
    ),
    "no-control-variate": FORMULA(
        "the gradient at the snapshot is not subtracted", "the estimate is biased: another point is approached"
    ),
    "nothing-left-out": MEMORY(
        "rows are not left out of the next pass",
        "the method is SDCA over permutations",
        ["Sdca.active_step: if moved or -> if True or"],
    ),
    "average-shifted": MEMORY(
        "the state after a step is kept or added up, not the one before",
        "another candidate: the theorem's average is not the output",
        ["Sdca.standing: since), end) -> since), end - 1)"],
        ['Sdca.random_step: state["alpha"] if -> after["alpha"] if'],
    ),
    "sees-everything": MEMORY(
        "a worker reads all writes in flight",
        "no interleaving is simulated: PASSCoDe-Atomic behaves as Lock",
        ["Parallel.memory: amount if own or visible & (1 << place) else 0 -> amount"],
    ),
    "sees-nothing": MEMORY(
        "a worker does not read its own writes, or those it must see",
        "coherent memory is not like this: delays are overstated",
        [
            'Parallel.memory: return seen -> return list(state["v"])',
            'Parallel.memory: return self.less(state["v"], state["pending"]) -> return list(state["v"])',
        ],
    ),
    "lost-write-lands": MEMORY(
        "a write that is lost lands all the same",
        "PASSCoDe-Wild behaves as Atomic",
        ["Parallel.parallel_step: if not lost & (1 << place) -> if True"],
    ),
    "alpha-not-written": MEMORY(
        "the new alpha_i is used and not stored",
        "w and alpha drift apart: no certificate",
        ["Problems.replaced: new.get(i, alpha_i) -> alpha_i"],
    ),
    "single-precision": NUMBERS("numbers pass through 32 bits", "about 7 digits are left of 16"),
    "absolute-gap": CERTIFICATE(
        "a gap is returned without its sign",
        "a gap below zero, which proves an error, cannot be seen",
        ["Formulas.call_gap: primal - dual -> abs(primal - dual)"],
    ),
}

AFTER = tuple(FLAGS)[list(FLAGS).index("no-control-variate") :]  # what stands after those of further methods


def register_flag(name: str, bug: Flag | list[str]) -> None:
    """Add a planted bug, or another way to plant one that there is. Raises ValueError for a name that does not fit."""
    if isinstance(bug, Flag) == (name in FLAGS):
        remedy = "give a list of edits" if name in FLAGS else "give a Flag"
        raise ValueError(f"flag {name!r} is {'taken' if name in FLAGS else 'unknown'}: {remedy}")
    if isinstance(bug, Flag):
        FLAGS[name] = bug
        for later in AFTER:
            FLAGS[later] = FLAGS.pop(later)
    else:
        FLAGS[name].ways = (*FLAGS[name].ways, bug)
