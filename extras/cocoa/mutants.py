"""Planted bugs that an implementation of CoCoA+ could have: the method with one line wrong each."""

from dualgap.extras.cocoa.reference import CoCoA
from dualgap.proofs_checks.evidence.planted import planted

WORKER = "            v_k = list(state.v)\n"
LOOP = "for i in rows:"

MUTANTS = planted(
    CoCoA,
    "cocoa",
    {
        "no-spread": (
            "the local steps ignore the other workers: they use sigma' = 1",
            (
                "CoCoA.solve_locally",
                LOOP,
                f"start, spread, local = list(v), self.constants(problem).spread, problem.scale\n        {LOOP}",
            ),
            (
                "v[j] = v[j] - c * x",
                "v[j] = v[j] - c * x\n        v[:] = [a + spread * (b - a) for a, b in zip(start, v)]",
            ),
        ),
        "no-spread-in-q": (
            "sigma' in what a worker sees, and not in q",
            ("problem.norms2[i] / local", "problem.norms2[i] / problem.scale"),
        ),
        "alpha-not-scaled": (
            "w moves by gamma times the workers' changes, alpha by all of them",
            ("new if constants.weight == 1 else old + constants.weight * (new - old)", "new"),
        ),
        "shared-state": (
            "a worker continues from the v of the worker before it",
            (WORKER, ""),
            ("local = problem.scale / constants.spread", f"local = problem.scale / constants.spread\n{WORKER[4:-1]}"),
        ),
        "lost-worker": (
            "the last worker's v is left out of the sum, and its alpha is kept",
            ("total_j / constants.divisor", "(total_j * (self.K - 1) / self.K + v_j / self.K) / constants.divisor"),
        ),
    },
)
