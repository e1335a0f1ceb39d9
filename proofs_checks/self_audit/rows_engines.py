"""Planted bugs in engines, exact certificates, the Coq bridge and the judge of test vectors."""

from dualgap.proofs_checks.self_audit import definitions, engines, formal_proof, judge
from dualgap.proofs_checks.self_audit.worlds import Bugs

BUGS: Bugs = {
    (engines.circles, "proofs_checks.engines.spectra"): {
        "spectra.outside-is-on-too: roots outside a circle count as on it": (
            "if not below and within(polynomial, bound):",
            "if not below:",
        ),
        "spectra.pairs-are-on: pairs z, 1/z count as on the circle": (
            "return degree == 0 or within(",
            "return True or (",
        ),
        "spectra.limits-are-kept: an eigenvalue 1 of states that stay is not left out": (
            "range(size - rank(shifted))",
            "range(0)",
        ),
    },
    (definitions.identities, "proofs_checks.claims.context"): {
        "context.fy-is-the-residual: FY is the residual that it should check": (
            "loss.value(z, y) + loss.conjugate(a, y) - a * z for z",
            "loss.residual(z, a, y) for z",
        ),
        "context.gap-is-the-short-form: the gap is the short form that it should check": (
            "return self.P - self.D\n",
            "return self.problem.gap(self.w, self.alpha)\n",
        ),
    },
    (definitions.worked, "proofs_checks.claims.context"): {
        "context.w-of-the-method: w is the method's own": ("return self.problem.w(self.alpha)", "return self.view[0]"),
        "context.no-probabilities: expectations forget the probabilities": (
            "total = total + successor.probability * increase",
            "total = total + increase / self.n",
        ),
        "context.gap-at-the-methods-w: an expected gap at the method's own w": (
            "self.problem.gap(self.problem.w(alpha), alpha)",
            "self.problem.gap(w, alpha) + 0 * len(alpha)",
        ),
    },
    (definitions.worked, "proofs_checks.engines.certificate"): {
        "exact-certificate.progress-without-second-term: progress without the second term": (
            "gain = gain + FY - exact.norms2[i] * delta * delta / (2 * exact.scale)",
            "gain = gain + FY",
        )
    },
    (definitions.planted, "proofs_checks.claims.context"): {
        "context.p-from-the-gap: P is the gap added to D": (
            "return self.problem.P(self.w)\n",
            "return self.D + self.problem.gap(self.w, self.alpha)\n",
        )
    },
    (definitions.exact_pairs, "proofs_checks.engines.certificate"): {
        "exact-certificate.short-form: an exact certificate takes the short form of the gap": (
            "primal - dual, progress, floor)",
            "exact.gap(w, alpha), progress, floor)",
        ),
        "exact-certificate.w-of-alpha: an exact certificate is of w(alpha), whatever w": (
            "primal, dual = exact.P(w), exact.D(alpha)",
            "primal, dual = exact.P(at), exact.D(alpha)",
        ),
        "exact-certificate.alpha-pulled-inside: an exact certificate pulls alpha into the domain": (
            "alpha = exact.require_alpha(alpha)",
            "alpha = [a if exact.loss.in_domain(a, y) else kind(0) for a, y in zip(map(kind, alpha), exact.y)]",
        ),
        "exact-certificate.progress-with-l1: progress is promised with l1, too": ("exact.regularizer.l1 == 0", "True"),
    },
    (engines.expectations, "proofs_checks.engines.paths"): {
        "paths.merged-lose-probability: merged paths lose the probability of the first": (
            "merged[0] = merged[0] + probability * chance",
            "merged[0] = probability * chance",
        )
    },
    (engines.expectations, "proofs_checks.engines.affine"): {
        "moments.step-not-affine: second moments of a step that is not affine": (
            "and value(probe) != [sum(",
            "and False and value(probe) != [sum(",
        )
    },
    (engines.bets, "proofs_checks.engines.evalues"): {
        "bets.mean-forgotten: a betting test forgets that X has mean 1": ("log1p(bet * (x - 1))", "log1p(bet * x)"),
        "bets.end-alone: a betting test looks at the end alone": ("self.log_peak >= _line", "self.log_value >= _line"),
        "bets.all-of-delta: every statistical level spends all of delta": (
            "return delta_total * 6 / (math.pi**2 * j**2)",
            "return delta_total",
        ),
    },
    (engines.bets, "proofs_checks.engines.sampler"): {
        "sampler-test.one-row-less: a sampler test that knows one row less": (
            "order_0 = math.log(n * (self._counts[i] + 0.5)",
            "order_0 = math.log((n + 1) * (self._counts[i] + 0.5)",
        )
    },
    (engines.optima, "proofs_checks.engines.optimum"): {
        "optimum.gap-not-zero: an optimum whose gap is not 0": ("problem.gap(problem.w(alpha), alpha) != 0", "False")
    },
    (engines.planted_bugs, "proofs_checks.evidence.planted"): {
        "planted-bugs.not-planted: a planted bug is left out": (
            "layers.append(type(kind.__name__, (kind,), part))",
            "pass",
        ),
        "planted-bugs.text-twice: a text that stands twice is replaced": (
            "if (count := part.count(old)) != 1:",
            "if (count := part.count(old)) < 1:",
        ),
        "planted-bugs.outside-classes: a text that is no member's is replaced": ("if not other:", "if False:"),
    },
    (engines.replays, "proofs_checks.auditing.counterexamples"): {
        "counterexamples.need-not-come-back: a counterexample file need not come back": ("again == record", "True")
    },
    (engines.roundings, "proofs_checks.engines.roundings"): {
        "roundings.no-half-unit: half a unit in the last place is not added": ("errors + (1 << half),", "errors,"),
        "roundings.divisor-error-lost: the error of a divisor is not carried on": (
            "carried = self.errors - (-a * other.errors // b)",
            "carried = self.errors",
        ),
        "roundings.factor-error-lost: the error of one factor is not carried on": (
            "-(-(self.errors * other.size + other.errors * self.size) >> PLACES)",
            "-(-(self.errors * other.size) >> PLACES)",
        ),
        "roundings.integers-are-doubles: integers of any size are doubles": ("None and exponent < 53 + grid", "None"),
    },
    (engines.dual_values, "proofs_checks.engines.dual_values"): {
        "dual-values.kept-for-any-number: a conjugate that is kept is taken for another number": (
            "if held is alpha_i:",
            "if True:",
        ),
        "dual-values.kept-for-all-rows: conjugates are kept for all rows together": (
            "[(row, y, []) for",
            "[(row, y, kept) for kept in [[]] for",
        ),
        "dual-values.first-not-the-references: the first dual value need not be the reference's": (
            "if value != due:",
            "if False:",
        ),
    },
    (formal_proof.bridges, "proofs_checks.engines.bridge"): {
        "formal.corrupted-copy-passes: the bridge's corrupted copy need not fail": ("if line != expected", "if False"),
        "formal.copy-fails-anywhere: the bridge's copy may fail anywhere": ("if line != expected", "if line is None"),
        "formal.run-rejected: the bridge's run may be rejected": ("if line is not None:", "if False:"),
    },
    (formal_proof.axioms, "proofs_checks.evidence.formal"): {
        "formal.any-axioms: any axioms are accepted": ("if axioms != AXIOMS:", "if False:"),
        "formal.more-axioms: more axioms than the four are accepted": ("axioms != AXIOMS:", "not AXIOMS <= axioms:"),
        "formal.broken-bridge: a broken bridge is accepted": ("if crossed.problem:", "if False:"),
    },
    (judge.answers, "proofs_checks.conformance.protocol.compare"): {
        "vectors.short-trajectory: a trajectory whose last states are missing passes": (
            "if not isinstance(got, list) or len(got) != len(expected):\n        what",
            "if not isinstance(got, list):\n        what",
        ),
        "vectors.tolerance-twice: a tolerance is taken twice": ("<= expected.tolerance", "<= 2 * expected.tolerance"),
        "vectors.tolerance-above-alone: the tolerance is applied only to values above": ("abs(Fraction(", "(Fraction("),
        "vectors.lists-of-any-length: lists of any length": (
            "if not isinstance(got, list) or len(got) != len(expected):\n            yield",
            "if not isinstance(got, list):\n            yield",
        ),
        "vectors.missing-field: a field that is missing passes": (
            'yield Difference(name, step, None, None, f"{name} is missing")',
            "pass",
        ),
        "vectors.true-is-one: true is the integer 1": ("(got, int) or isinstance(got, bool)", "(got, int)"),
        "vectors.any-number-of-digits: any number of digits is read": ("str) and len(value) == 16", "str)"),
        "vectors.first-state-not-looked-at: the first state is not checked": (
            "enumerate(zip(expected, got)):\n        if (found",
            "list(enumerate(zip(expected, got)))[1:]:\n        if (found",
        ),
    },
    (judge.seals, "proofs_checks.conformance.vectors.load"): {
        "vectors.no-seal: a vector file is not compared with its seal": ("if digest != expected:", "if False:"),
        "vectors.manifest-without-seal: the manifest has no seal": (
            'whole = raw == sealed(content["files"])',
            "whole = True",
        ),
        "vectors.unknown-files: files that the manifest does not know": (
            "if path.name not in entries and path.name != MANIFEST:",
            "if False:",
        ),
    },
}
