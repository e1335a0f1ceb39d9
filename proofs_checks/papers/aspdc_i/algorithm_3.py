"""ASPDC-i, section 5, Algorithm 3: its lines, the two one-step lemmas and the centre step.

    line 4      w = (kappa w~_{s-1} - X^T alpha~_{s-1}/n)/(lam + kappa), alpha = alpha~_{s-1}
    lines 5-10  m uniform ASPDC steps on f~                               line 11  return their w and alpha

The paper runs Algorithm 3 and proves nothing about it; the statements and proofs here are ours. e, d and pi: see
``setting``.
"""

from collections.abc import Iterable
from itertools import cycle

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.evidence.levels import all_of, exact
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc_i.instances import algorithm_3
from dualgap.proofs_checks.papers.aspdc_i.mutants import rejects
from dualgap.proofs_checks.papers.aspdc_i.setting import SMOOTH, Inner, same
from dualgap.reference.methods.aspdc_i import ASPDCiFixed
from dualgap.reference.problem.problem import Vector


@claim(
    "aspdc.algorithm-3",
    r"Algorithm 3: line 4 starts epoch $s$ at $\tilde{\alpha}_{s-1}$ and $w = (\kappa \tilde{w}_{s-1} - X^T"
    r" \alpha/n)/(\lambda + \kappa)$, "
    r"lines 5-10 make $m$ uniform ASPDC steps on $\tilde{f}$, line 11 returns their $w$ and $\alpha$",
    hypotheses=f"{SMOOTH}; L2 or elastic net",
    evidence=[exact(algorithm_3, 0.3)],
    control=all_of(rejects("kept-w"), rejects("forgotten-alpha")),
    origin=PAPER.printed("Algorithm 3", note=LOST),
)
def lines_of_algorithm_3(c: Context) -> Iterable[Relation]:
    problem, loss, method, state = c.problem, c.problem.loss, c.method, c.start
    kappa, indices = c.q(c.instance.options["kappa"]), cycle((*c.instance.path, *range(c.n)))
    w_tilde, alpha = [problem.zero] * problem.d, list(state.alpha)
    yield Eq(ASPDCiFixed().m_of(problem), 2 * c.n, "m = 2n inner steps by default")
    for _ in range(3):
        inner_problem = problem.centred(kappa, w_tilde)
        for _ in range(c.instance.options["m"]):
            yield from same(inner_problem.w_of(state.v), inner_problem.w(alpha), "lines 4 and 8: w = w(alpha; w~)")
            i = next(indices)
            z = problem.dot(problem.rows[i], inner_problem.w(alpha))
            alpha[i] = loss.derivative(z, problem.y[i])
            for _, probability in method.choices(problem, state):
                yield Eq(probability, Q(1, c.n), "line 6: i is uniform")
            state = method.step(problem, state, i)
        w_tilde = inner_problem.w(alpha)
        yield from same(state.w_tilde, w_tilde, "line 11: w~_s is the last w")
        yield from same(state.alpha_tilde, alpha, "line 11: alpha~_s is the last alpha")


# -- one inner step ----------------------------------------------------------------------------------------------------


def gradient(i: Inner) -> Vector:
    """G = (1/n) sum_i Delta_i x_i, shape (d,)."""
    total = [i.problem.zero] * i.problem.d
    for row, delta in zip(i.problem.rows, i.delta):
        for j, x in row:
            total[j] = total[j] + delta * x / i.n
    return total
