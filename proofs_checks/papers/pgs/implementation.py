"""PGS, the code: the compiled form equals the lazy one bit for bit."""

import math
from collections.abc import Iterable
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import Control
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.evidence.levels import golden
from dualgap.proofs_checks.papers.aspdc.implementation import bits, comparable, fields_agree, float_problems
from dualgap.proofs_checks.papers.pgs.instances import run_of
from dualgap.proofs_checks.papers.vocabulary import each, implemented
from dualgap.reference import as_compiled
from dualgap.reference.methods.lazy.pgs import LazyPGS, LazyPGSState
from dualgap.reference.problem.problem import Problem


class Nudged(LazyPGS):
    """c_t off by its last bit."""

    def rescale(self, problem: Problem, state: LazyPGSState) -> None:
        super().rescale(problem, state)
        state.c = math.nextafter(state.c, 1.0)


def bit_relations(c: Context, reference: Any) -> Iterable[Relation]:
    """Every field of the state after every round and after all in one call, for dense and for sparse storage."""
    import numpy as np

    from dualgap.fast import kernels

    path = np.array(c.instance.path, dtype=np.int64)
    for storage, problem in float_problems(c):
        quick = kernels()["pgs"](**c.instance.options)
        state, fast_state = reference.init(problem), quick.init(problem)
        at_once = quick.run(problem, path)
        for t, choice in enumerate(c.instance.path, 1):
            reference.advance(problem, state, choice)
            quick.advance(problem, fast_state, path[t - 1 : t])
            yield from fields_agree(state, fast_state, f"{storage}, round {t}")
        yield from fields_agree(state, at_once, f"{storage}, {len(path)} rounds in one call")
        found, due = quick.view(problem, at_once)[0].tolist(), reference.view(problem, state)[0]
        yield from each(Eq, map(bits, found), map(bits, due), f"{storage}: output, bits")


THIRDS = run_of(
    (Qs("1/3", 0, "1/7"), Qs(0, "-2/3", "3/11"), Qs("5/7", "1/9", 0)), Qs(1, -1, 1), "1231322", Q(3, 7), p=Q(9, 5)
)
ON_BALL = THIRDS.but(ball=Q(1, 3), options={"k": 1, "output": "average"})
NET = THIRDS.but(p=None, l1=Q(1, 20))
KEPT = THIRDS.but(p=Q(101, 100), options={"k": 2, "output": "random"}, path=((1, 0, 1), (0, 1, 2), (1, 0, 2)))


@implemented(
    "pgs.code.parity",
    "The code: on one choice sequence the compiled kernels are bit-identical to the lazy reference, in every field of"
    " the state after every round, for dense and for sparse storage",
    hypotheses=(
        "float64; compiled code fuses no product with a sum, and libm's pow gives Python's bits (both probed at"
        " start-up); without the latter p = 2 alone"
    ),
    evidence=[golden(THIRDS, ON_BALL, NET, KEPT, detail="p = 9/5, ball, elastic net, random")],
    control=Control(
        "a reference whose c_t is off by its last bit must be noticed",
        lambda claim, run: any(not r.holds() for r in bit_relations(Context(THIRDS), Nudged(**THIRDS.options))),
    ),
)
def parity(c: Context) -> Iterable[Relation]:
    if comparable(*(("pow",) if c.instance.p not in (None, 2) else ())):
        yield from bit_relations(c, as_compiled("pgs", **c.instance.options))
