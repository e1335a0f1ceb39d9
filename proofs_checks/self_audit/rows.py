"""The planted bugs: one of each kind, in what judges claims, in engines, in certificates and in samplers."""

from dualgap.proofs_checks.self_audit import (
    definitions,
    engines,
    formal_proof,
    impure,
    inputs,
    samplers,
    side_by_side,
    statuses,
)
from dualgap.proofs_checks.self_audit.worlds import Bugs

BUGS: Bugs = {
    (statuses.levels, "proofs_checks.claims.relations"): {
        "relations.bound-above-trivial: a bound above trivial is not vacuous": (
            "return not bool(self.right < self.trivial)",
            "return False",
        ),
        "relations.zero-against-zero: 0 against 0 is not vacuous": (
            "return _is_zero(self.left) and _is_zero(self.right)",
            "return False",
        ),
        "relations.less-is-at-most: < is read as <=": ("(self.left < self.right) if", "(self.left <= self.right) if"),
    },
    (statuses.levels, "proofs_checks.evidence.levels"): {
        "exact.violations-not-counted: EXACT never counts violations": (
            "violations += 1\n            if evidence.counterexample",
            "violations += 0\n            if evidence.counterexample",
        ),
        "enclosed.undecided-not-counted: ENCLOSED never counts what is undecided": (
            "evidence.undecided += 1\n",
            "evidence.undecided += 0\n",
        ),
    },
    (statuses.rare, "proofs_checks.evidence.hunting"): {
        "search.shrinks-to-what-is-true: shrinking keeps instances on which the claim is true": (
            "if bad(instance):",
            "if not bad(instance):",
        )
    },
    (statuses.levels, "proofs_checks.claims.judge"): {
        "judge.first-relation-alone: only the first relation is judged": (
            "next((r for r in relations if not r.holds()), None)",
            "next((r for r in relations[:1] if not r.holds()), None)",
        )
    },
    (statuses.levels, "proofs_checks.auditing.audit"): {
        "judge.what-breaks-is-judged: a check that breaks is judged by what came before": (
            'fields = {"status": ERROR, "error"',
            'fields = {"status": VACUOUS, "error"',
        )
    },
    (statuses.statuses, "proofs_checks.claims.registry"): {
        "verdict.vacuous-and-undecided-count: vacuous and undecided instances count": (
            "return self.instances - self.vacuous - self.undecided > 0",
            "return self.instances > 0",
        ),
        "verdict.not-refuted-is-holds: NOT-REFUTED carries HOLDS": (
            '("SKIPPED", "NOT-REFUTED", "SEARCHED")',
            '("SKIPPED", "SEARCHED")',
        ),
    },
    (statuses.statuses, "proofs_checks.auditing.audit"): {
        "verdict.refuted-by-every-level: REFUTED only where every level is violated": (
            "if any(e.violations for e in found):",
            "if all(e.violations for e in found):",
        )
    },
    (statuses.verdicts, "proofs_checks.claims.result"): {
        "verdict.missed-control: a missed control is as expected": ("and self.control.caught", ""),
        "verdict.missing-kill: a kill that did not happen is as expected": (
            "and self.kills.killed == self.kills.declared",
            "",
        ),
    },
    (statuses.verdicts, "proofs_checks.auditing.audit"): {
        "verdict.one-claim-is-enough: one claim as expected makes an audit pass": ("all(row.", "any(row."),
        "verdict.bug-without-killer: mutants that no check killed are forgotten": (
            "return [mutant for mutant in _mutants_of(whole) if mutant not in killed]",
            "return []",
        ),
    },
    (statuses.verdicts, "proofs_checks.evidence.mutants"): {
        "kills.any-bug: any mutant is killed": ("return any(violates(", "return True or any(violates(")
    },
    (statuses.controls, "proofs_checks.evidence.levels"): {
        "controls.one-instance-fails: fails_on needs only one instance": ("every((falsified(", "some((falsified("),
        "controls.zero-at-most-zero: holds_on is content with 0 <= 0": (
            "if not verdicts or any(v.vacuous for v in verdicts):",
            "if False:",
        ),
    },
    (statuses.controls, "proofs_checks.claims.judge"): {
        "controls.caught-wherever-judged: a control is caught whenever a check is judged": (
            "return verdict is not None and verdict.violated is not None",
            "return verdict is not None",
        ),
        "controls.undecided-is-caught: an undecided check counts as caught": (
            "return verdict is not None and verdict.violated is not None",
            "return verdict is None or verdict.violated is not None",
        ),
    },
    (statuses.controls, "proofs_checks.auditing.audit"): {
        "controls.fractions-alone: controls of ENCLOSED claims run in Fractions only": (
            "runs = [run, replace(run, number=Interval)] if in_intervals else [run]",
            "runs = [run]",
        )
    },
    (side_by_side.shares, "proofs_checks.auditing.dispatch"): {
        "dispatch.first-share-for-every-process: every process gives its first level the first share": (
            "run.statistical_levels = statistics\n",
            "run.statistical_levels = 0\n",
        )
    },
    (impure.methods, "proofs_checks.engines.purity"): {
        "purity.argument-changed: a step may change its argument": (
            "if (changed := difference(before, held)) is not None:",
            "if False:",
        ),
        "purity.two-answers: a verb may give two answers": (
            "if (found := difference(answer, second)) is not None:",
            "if False:",
        ),
        "purity.steps-counted: a method may count its steps": (
            "if (found := difference(expected, held)) is not None:",
            "if False:",
        ),
        "purity.steps-in-floats: a step may compute in floats": ('self.exact and verb != "choices"', "False"),
        "purity.any-sum: probabilities may have any sum": ("if rational and total != 1:", "if False:"),
    },
    (engines.circles, "proofs_checks.engines.spectra"): {
        "spectra.outside-is-on-too: roots outside a circle count as on it": (
            "if not below and within(polynomial, bound):",
            "if not below:",
        )
    },
    (definitions.worked, "proofs_checks.claims.context"): {
        "context.w-of-the-method: w is the method's own": ("return self.problem.w(self.alpha)", "return self.view[0]"),
        "context.no-probabilities: expectations forget the probabilities": (
            "total = total + successor.probability * increase",
            "total = total + increase / self.n",
        ),
    },
    (definitions.planted, "proofs_checks.claims.context"): {
        "context.fy-is-the-residual: FY is the residual that it should check": (
            "loss.value(z, y) + loss.conjugate(a, y) - a * z for z",
            "loss.residual(z, a, y) for z",
        ),
        "context.p-from-the-gap: P is the gap added to D": (
            "return self.problem.P(self.w)\n",
            "return self.D + self.problem.gap(self.w, self.alpha)\n",
        ),
    },
    (definitions.exact_pairs, "proofs_checks.engines.certificate"): {
        "exact-certificate.w-of-alpha: an exact certificate is of w(alpha), whatever w": (
            "primal, dual = exact.P(w), exact.D(alpha)",
            "primal, dual = exact.P(at), exact.D(alpha)",
        ),
        "exact-certificate.alpha-pulled-inside: an exact certificate pulls alpha into the domain": (
            "alpha = exact.require_alpha(alpha)",
            "alpha = [a if exact.loss.in_domain(a, y) else kind(0) for a, y in zip(map(kind, alpha), exact.y)]",
        ),
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
    },
    (formal_proof.bridges, "proofs_checks.engines.bridge"): {
        "formal.corrupted-copy-passes: the bridge's corrupted copy need not fail": ("if line != expected", "if False")
    },
    (formal_proof.axioms, "proofs_checks.evidence.formal"): {
        "formal.any-axioms: any axioms are accepted": ("if axioms != AXIOMS:", "if False:"),
        "formal.broken-bridge: a broken bridge is accepted": ("if crossed.problem:", "if False:"),
    },
    (inputs.convergence, "fast.problem.certificate"): {
        "certificate.converged-by-computed-gap: converged is decided by the computed gap": ("gap_bound <=", "gap <=")
    },
    (inputs.bounds, "fast.problem.gap_bound"): {
        "certificate.error-of-u-lost: the error of u is left out of the bound": ("k(rows.terms + 4) * alpha", "0.0"),
        "certificate.error-of-z-lost: the error of x^T w is left out of the bound": (
            "e_z, e_u = k(rows.longest + 4) * norm * w_length, k(rows.terms + 4) * alpha",
            "e_z, e_u = 0.0, k(rows.terms + 4) * alpha",
        ),
        "certificate.every-bound-infinite: every bound is infinite": ("value if value >= 0 else math.", "math."),
    },
    (inputs.bounds, "fast.problem.compensated"): {
        "certificate.compensated-sum-errors-lost: compensated sums forget the errors of the sums": (
            "return s, low + (s_error + p_error)",
            "return s, low + p_error",
        )
    },
    (samplers.kept, "reference.methods.sdca"): {
        "sdca-random.first-state-kept-twice: sdca-random keeps the first state twice as long": (
            "keep = Fraction(1, state.t + 1 - self.T0)",
            "keep = Fraction(1, state.t + 2 - self.T0)",
        )
    },
    (samplers.laws, "reference.methods.sampling"): {
        "sampling.last-row-never-drawn: the last row is never drawn": ("n, size=n,", "max(1, n - 1), size=n,"),
        "sampling.same-rows-every-pass: every pass draws the same rows": (
            "[seed, epoch, stream] if stream else [seed, epoch]",
            "[seed, 0, stream] if stream else [seed, 0]",
        ),
        "sampling.systematic-from-row-0: systematic batches begin at row 0": (
            "generator.integers(n, size=(steps, 1), dtype=np.int64) + np.arange(m) * n",
            "0 * generator.integers(n, size=(steps, 1), dtype=np.int64) + np.arange(m) * n",
        ),
    },
}
