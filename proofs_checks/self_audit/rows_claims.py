"""Planted bugs in what judges claims: levels of evidence, statuses, controls, pieces of an audit, purity of methods."""

from dualgap.proofs_checks.self_audit import impure, side_by_side, statuses
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
        "relations.zero-against-zero-in-intervals: 0 against 0 in intervals is not vacuous": (
            "return bool(value.low == 0 == value.high)",
            "return False",
        ),
        "relations.less-is-at-most: < is read as <=": ("(self.left < self.right) if", "(self.left <= self.right) if"),
        "relations.equal-is-at-most: == is read as <=": ("(self.left == self.right)", "(self.left <= self.right)"),
    },
    (statuses.levels, "proofs_checks.evidence.levels"): {
        "exact.vacuous-not-counted: EXACT never counts what is vacuous": (
            "evidence.instances += 1\n        evidence.vacuous += verdict.vacuous",
            "evidence.instances += 1",
        ),
        "enclosed.violations-not-counted: ENCLOSED never counts violations": (
            "                evidence.violations += 1\n",
            "                evidence.violations += 0\n",
        ),
        "enclosed.vacuous-not-counted: ENCLOSED never counts what is vacuous": (
            "            most = max(most, digits)\n            evidence.vacuous += verdict.vacuous\n",
            "            most = max(most, digits)\n",
        ),
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
        ),
        "search.changes-nothing: every step of the search draws a new instance": (
            "if not self.tightest or random.randrange(FRESH) == 0:",
            "if True:",
        ),
    },
    (statuses.levels, "proofs_checks.claims.judge"): {
        "judge.first-relation-alone: only the first relation is judged": (
            "next((r for r in relations if not r.holds()), None)",
            "next((r for r in relations[:1] if not r.holds()), None)",
        ),
        "judge.one-vacuous-for-all: one vacuous relation makes all of them vacuous": (
            "all(r.vacuous() for r in relations)",
            "any(r.vacuous() for r in relations)",
        ),
    },
    (statuses.levels, "proofs_checks.auditing.audit"): {
        "judge.what-breaks-is-judged: a check that breaks is judged by what came before": (
            "status = ERROR if error else status_of(claim, found)",
            "status = status_of(claim, found)",
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
        "verdict.skipped-is-holds: a skipped level carries HOLDS": (
            '("SKIPPED", "NOT-REFUTED", "SEARCHED")',
            '("NOT-REFUTED", "SEARCHED")',
        ),
    },
    (statuses.statuses, "proofs_checks.auditing.audit"): {
        "verdict.refuted-by-every-level: REFUTED only where every level is violated": (
            "if any(e.violations for e in found):",
            "if all(e.violations for e in found):",
        ),
        "verdict.open-is-holds: an open claim that holds is called HOLDS": (
            "return OPEN if claim.expected == OPEN else HOLDS",
            "return HOLDS",
        ),
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
        "controls.one-alteration-fails: an altered statement must fail on one instance": (
            "every((false_on(i, run) for i in instances), text)",
            "some((false_on(i, run) for i in instances), text)",
        ),
        "controls.one-of-all: all_of needs only one": ("every((c.caught(claim, run)", "some((c.caught(claim, run)"),
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
        "controls.broken-in-intervals-is-caught: what breaks in intervals counts as caught": (
            "return number is not Interval",
            "return True",
        ),
    },
    (statuses.controls, "proofs_checks.auditing.audit"): {
        "controls.fractions-alone: controls of ENCLOSED claims run in Fractions only": (
            "runs = [run, replace(run, number=Interval)] if in_intervals else [run]",
            "runs = [run]",
        )
    },
    (side_by_side.merged, "proofs_checks.auditing.pieces"): {
        "pieces.first-counts: of a level's pieces the first counts": (
            "sum(piece[count] for piece in pieces)",
            "pieces[0][count]",
        ),
        "pieces.broken-left-out: a piece that broke is left out": (
            "        raise RuntimeError(broken)\n",
            '        pieces = [piece for piece in pieces if "error" not in piece]\n',
        ),
    },
    (side_by_side.seeds, "proofs_checks.auditing.pieces"): {
        "pieces.one-seed: all pieces of a claim have one seed": (
            "{self.run.entropy} {piece.name}",
            "{self.run.entropy} {piece.claim}",
        )
    },
    (side_by_side.shares, "proofs_checks.auditing.dispatch"): {
        "dispatch.first-share-for-every-process: every process gives its first level the first share": (
            "run.statistical_levels = statistics\n",
            "run.statistical_levels = 0\n",
        ),
        "dispatch.shares-unannounced: shares may be taken unannounced": (
            "if run.statistical_levels > statistics + announced:",
            "if False:",
        ),
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
        "purity.float-probabilities: probabilities may be floats": (
            "if isinstance(probability, Rational) and",
            "if isinstance(probability, (Rational, float)) and",
        ),
        "purity.any-sum: probabilities may have any sum": ("if rational and total != 1:", "if False:"),
    },
    (impure.methods, "reference.methods.base"): {
        "state.shallow-copy: a list of lists is copied at its first level": (
            "return [_copied(row) for row in value]",
            "return list(value)",
        )
    },
    (impure.expectations, "proofs_checks.engines.paths"): {
        "expectations.floats: expectations take floats": (
            "if isinstance(probability, float) and number is not float:",
            "if False:",
        ),
        "expectations.any-sum: expectations take any sum": ("if exact and (total :=", "if False and (total :="),
    },
    (impure.collected, "proofs_checks.evidence.levels"): {
        "evidence.any-method: evidence is collected of any method": (
            "        require_pure(context, whole=evidence.instances < WHOLE)\n",
            "",
        )
    },
    (impure.collected, "proofs_checks.auditing.counterexamples"): {
        "counterexamples.any-method: a refutation is evaluated with any method": ("        require_pure(context)\n", "")
    },
}
