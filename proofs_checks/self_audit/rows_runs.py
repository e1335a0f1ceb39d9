"""Planted bugs in what a user runs: certificates, files, processes, and methods that are not functions of a state."""

from dualgap.proofs_checks.self_audit import impure, inputs, side_by_side
from dualgap.proofs_checks.self_audit.places import ENGINES, EVIDENCE
from dualgap.proofs_checks.self_audit.worlds import Edit

CERTIFICATES_OF_RUNS = (
    Edit(
        "certificate.converged-by-computed-gap: converged is said of the computed gap",
        "dualgap.fast.problem.certificate",
        "return self.gap_bound <= self.target(tol, rtol)",
        "return self.gap <= self.target(tol, rtol)",
        inputs.convergence,
    ),
    Edit(
        "certificate.error-of-u-lost: the error of u is left out of the bound",
        "dualgap.fast.problem.gap_bound",
        "e_z, e_u = k(rows.longest + 4) * norm * w_length, k(rows.terms + 4) * alpha",
        "e_z, e_u = k(rows.longest + 4) * norm * w_length, 0.0",
        inputs.bounds,
    ),
    Edit(
        "certificate.error-of-z-lost: the error of x^T w is left out of the bound",
        "dualgap.fast.problem.gap_bound",
        "e_z, e_u = k(rows.longest + 4) * norm * w_length, k(rows.terms + 4) * alpha",
        "e_z, e_u = 0.0, k(rows.terms + 4) * alpha",
        inputs.bounds,
    ),
    Edit(
        "certificate.slope-of-hinge-lost: the slope of hinge and absolute is left out",
        "dualgap.fast.problem.gap_bound",
        "additive += rows.slope * e_z",
        "additive += 0.0 * e_z",
        inputs.bounds,
    ),
    Edit(
        "certificate.squares-not-roots: roots are not added but their squares",
        "dualgap.fast.problem.gap_bound",
        "relative * ((root + error) * (root + error) + additive)",
        "relative * (root * root + error * error + additive)",
        inputs.bounds,
    ),
    Edit(
        "certificate.every-bound-infinite: every bound is infinite",
        "dualgap.fast.problem.gap_bound",
        "return value if value >= 0 else math.inf",
        "return math.inf",
        inputs.bounds,
    ),
    Edit(
        "certificate.compensated-sum-errors-lost: compensated sums forget the errors of the sums",
        "dualgap.fast.problem.compensated",
        "return s, low + (s_error + p_error)",
        "return s, low + p_error",
        inputs.bounds,
    ),
    Edit(
        "certificate.never-compensated: no compensated certificate is made",
        "dualgap.fast.problem.certificate",
        "return Certificate(problem, found.w, found.alpha, compensated=True, compared=True)",
        "return found",
        inputs.convergence,
    ),
    Edit(
        "certificate.own-loss-believed: a compiled loss that gives an error bound is believed",
        "dualgap.fast.problem.own_loss",
        "            require_compiled(self.code, loss)\n",
        "            pass\n",
        inputs.believed,
    ),
    Edit(
        "certificate.weighted-underflow-lost: what weighted products lose to underflow is left out",
        "dualgap.fast.problem.gap_bound",
        " + 8 * TINY * rows.lost",
        "",
        inputs.underflows,
    ),
    Edit(
        "certificate.block-squares-not-scaled: the squares of a block's alpha are not scaled",
        "dualgap.fast.problem.block_objective",
        "np.frexp(np.maximum.reduceat(size, starts))[1]",
        "np.zeros(starts.size, int)",
        inputs.underflows,
    ),
    Edit(
        "certificate.squares-in-ball-lost: what squares lose in a small ball is left out",
        "dualgap.fast.problem.certificate",
        " + lost_in_ball(objective, w, minus_u)",
        "",
        inputs.underflows,
    ),
    Edit(
        "certificate.subnormals-as-0: a certificate is made where subnormal numbers count as 0",
        "dualgap.fast.problem.certificate",
        "        require_subnormals()\n",
        "",
        inputs.flushed,
    ),
    Edit(
        "rows.change-in-place-not-noticed: a change of the rows in place is not noticed",
        "dualgap.fast.problem.arrays",
        "if self.mark != _mark(problem):",
        "if False:",
        inputs.changes,
    ),
    Edit(
        "certificate.rows-changed-in-place: a certificate does not ask whether the rows have changed",
        "dualgap.fast.problem.certificate",
        "        if not compared:\n            require_unchanged(problem)\n",
        "",
        inputs.changes,
    ),
    Edit(
        "run.rows-changed-in-place: a run does not ask at its end whether the rows have changed",
        "dualgap.fast.solver.run",
        "        require_unchanged(self.problem)\n",
        "",
        inputs.changes,
    ),
    Edit(
        "rows.checksum-is-a-sum: the checksum is a sum",
        "dualgap.fast.problem.native",
        "h = (h ^ word) * ODD\n    return h ^ (h >> SHIFT)",
        "return h + word",
        inputs.changes,
    ),
    Edit(
        "rows.short-indices: indices of 16 bits are read as 32 bits",
        "dualgap.fast.problem.native",
        'native(values, unsigned if values.dtype.kind == "u" else signed).view(unsigned)',
        "np.resize(values.view(np.uint8), values.size * signed().itemsize).view(unsigned)",
        inputs.index_types,
    ),
)

FILES = (
    Edit(
        "bounds.nearest-decimal: a bound is shown as the nearest decimal",
        "dualgap.reference.numbers.shown_bound",
        "rounding=ROUND_CEILING",
        'rounding="ROUND_HALF_EVEN"',
        inputs.shown,
    ),
    Edit(
        "run.resumed-with-plain-sums: a resumed run takes plain sums",
        "dualgap.fast.problem.certificate",
        "found = Certificate(problem, w, alpha, compensated)\n    if not math",
        "found = Certificate(problem, w, alpha)\n    if not math",
        inputs.resumed,
    ),
)

PROCESSES = (
    Edit(
        "pieces.first-counts: of a level's pieces the first counts",
        "dualgap.proofs_checks.auditing.pieces",
        "sum(piece[count] for piece in pieces)",
        "pieces[0][count]",
        side_by_side.merged,
    ),
    Edit(
        "pieces.broken-left-out: a piece that broke is left out",
        "dualgap.proofs_checks.auditing.pieces",
        "        raise RuntimeError(broken)\n",
        '        pieces = [piece for piece in pieces if "error" not in piece]\n',
        side_by_side.merged,
    ),
    Edit(
        "pieces.one-seed: all pieces of a claim have one seed",
        "dualgap.proofs_checks.auditing.pieces",
        "{self.run.entropy} {piece.name}",
        "{self.run.entropy} {piece.claim}",
        side_by_side.seeds,
    ),
    Edit(
        "dispatch.first-share-for-every-process: every process gives its first level the first share",
        "dualgap.proofs_checks.auditing.dispatch",
        "run.statistical_levels = statistics\n",
        "run.statistical_levels = 0\n",
        side_by_side.shares,
    ),
    Edit(
        "dispatch.shares-unannounced: shares may be taken unannounced",
        "dualgap.proofs_checks.auditing.dispatch",
        "if run.statistical_levels > statistics + announced:",
        "if False:",
        side_by_side.shares,
    ),
)

PURE, ASKED = f"{ENGINES}.purity", "        require_pure(context)\n"

IMPURE_METHODS = (
    Edit(
        "purity.argument-changed: a step may change its argument",
        PURE,
        "if (changed := difference(before, held)) is not None:",
        "if False:",
        impure.methods,
    ),
    Edit(
        "purity.two-answers: a verb may give two answers",
        PURE,
        "if (found := difference(answer, second)) is not None:",
        "if False:",
        impure.methods,
    ),
    Edit(
        "purity.steps-counted: a method may count its steps",
        PURE,
        "if (found := difference(expected, held)) is not None:",
        "if False:",
        impure.methods,
    ),
    Edit(
        "purity.steps-in-floats: a step may compute in floats",
        PURE,
        'if self.exact and verb != "choices" and',
        "if False and",
        impure.methods,
    ),
    Edit(
        "purity.float-probabilities: probabilities may be floats",
        PURE,
        "if isinstance(probability, Rational) and",
        "if isinstance(probability, (Rational, float)) and",
        impure.methods,
    ),
    Edit(
        "purity.any-sum: probabilities may have any sum",
        PURE,
        "if rational and total != 1:",
        "if False:",
        impure.methods,
    ),
    Edit(
        "expectations.floats: expectations take floats",
        f"{ENGINES}.paths",
        "if isinstance(probability, float) and number is not float:",
        "if False:",
        impure.expectations,
    ),
    Edit(
        "expectations.any-sum: expectations take any sum",
        f"{ENGINES}.paths",
        "if exact and (total :=",
        "if False and (total :=",
        impure.expectations,
    ),
    Edit(
        "state.shallow-copy: a list of lists is copied at its first level",
        "dualgap.reference.methods.base",
        "{k: (_nested(v) if v and type(v[0]) is list else list(v))",
        "{k: list(v)",
        impure.methods,
    ),
    Edit(
        "evidence.any-method: evidence is collected of any method",
        EVIDENCE,
        "        require_pure(context, whole=evidence.instances < WHOLE)\n",
        "",
        impure.collected,
    ),
    Edit(
        "counterexamples.any-method: a refutation is evaluated with any method",
        "dualgap.proofs_checks.auditing.counterexamples",
        ASKED,
        "",
        impure.collected,
    ),
)
