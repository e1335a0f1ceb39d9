"""ASPDC, the code: every automatic change of one operator, constant, sign, branch or line of the reference step is
noticed.
"""

from dualgap.proofs_checks.evidence.mutation.battery import battery
from dualgap.proofs_checks.evidence.mutation.equivalent import SURVIVORS
from dualgap.proofs_checks.evidence.mutation.mutate import first_killer, mutants
from dualgap.proofs_checks.papers.aspdc.algorithm_1 import algorithm_1
from dualgap.proofs_checks.papers.aspdc.appendix_a6_to_a12 import a7
from dualgap.proofs_checks.papers.aspdc.appendix_a13_to_a17 import a15, a17_sharp, one_step_sharp
from dualgap.proofs_checks.papers.aspdc.words import *

BATTERY = battery(
    claims={"aspdc.a7": a7, "aspdc.a15": a15},
    net={"aspdc.algorithm-1": algorithm_1, "aspdc.one-step.sharp": one_step_sharp, "aspdc.a17.sharp": a17_sharp},
)
# looks like a change at one point only; phi'(kink) is defined
BROKEN = "losses.Hinge.derivative: y * z >= 1 -> y * z > 1"


def mutated(claim: Claim, run: Run) -> Evidence:
    """ENUMERATED: with ``--full`` every mutant and every entry of the list of survivors, else every k-th mutant."""
    keys = list(mutants())
    sample = [*keys, *SURVIVORS] if run.size == "full" else keys[:: max(1, len(keys) // run.count(0.1))]
    evidence, groups = Evidence("ENUMERATED"), Counter[str]()
    for key in dict.fromkeys(sample):
        context = Context(UNUSED.but(extra=further(mutant=key)))
        verdict = judge(claim, context)
        evidence.instances += 1
        if verdict.violated is not None:
            evidence.violations += 1
            evidence.counterexample = evidence.counterexample or context.instance
        groups[verdict.relations[-1].label.split(":")[0]] += 1
    evidence.detail = f"of {len(keys)} mutants; " + ", ".join(f"{name} {count}" for name, count in groups.most_common())
    return evidence


UNUSED = EQUAL_ROWS.but(extra=Extras())  # an instance that only carries the name of a mutant


def battery_has_teeth(claim: Claim, run: Run) -> bool:
    """The unchanged copy survives, a mutant that looks harmless dies, and with no checks at all it lives."""
    broken = mutants()[BROKEN]
    alive, dead = first_killer(None, BATTERY) is None, first_killer(broken, BATTERY) is not None
    return alive and dead and first_killer(broken, {}) is None


@implemented(
    "aspdc.ast-mutants",
    "Algorithm 1, the code: every change of one operator, comparison, constant, sign, branch or line in the reference"
    " step is killed by a check, or is listed as the same step with its reason",
    hypotheses="losses, regularizers, problem, method and aspdc of the reference, input checks left out",
    evidence=[mutated],
    control=Control("a harmless-looking mutant must die, and live when no check is made", battery_has_teeth),
)
def ast_mutants(c: Context) -> Iterable[Relation]:
    key = c.instance.extra.mutant
    yield Eq(int(key in mutants()), 1, f"{key} exists")
    if key not in mutants():
        return
    killer = first_killer(mutants()[key], BATTERY)
    reason = SURVIVORS.get(key)
    yield Eq(int(killer is not None) + int(reason is not None), 1, killer or f"same step: {reason}")
