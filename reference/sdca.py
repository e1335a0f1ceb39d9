"""SDCA: stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, JMLR 2013), basic step.

Problem    max_alpha D(alpha), see ``problem``; any loss of ``losses`` (gamma = 0 included).
Sign       alpha here is minus the paper's alpha: alpha_i approximates +phi_i'(x_i^T w).
Guarantee  smooth losses, uniform order, any lam > 0:
           E[D* - D_t] <= (1 - 1/(n + R^2/(lam gamma)))^t (D* - D_0)       (Theorem 2, from Lemma 1)

====== ======== ===== =========================================
symbol in code  shape meaning
====== ======== ===== =========================================
w      state.v  (d,)  w = v for L2; w_j = soft(v_j, l1/mu) else
alpha  alpha    (n,)  dual iterate
q_i    q              ||x_i||^2 / (mu n)
====== ======== ===== =========================================

With L2 the step maximises D exactly over coordinate i. With l1 it is the Prox-SDCA step, which maximises a
lower bound of D. Choices: one index a step; a permuted pass (SDCA-Perm) is the same step over a permutation.
"""

from typing import Any

from dualgap.reference.method import DualMethod, DualState
from dualgap.reference.problem import Problem


class SDCA(DualMethod):
    """Procedure SDCA, lines 3 to 6.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> state = SDCA().run(p, [0, 1, 2, 0])
    >>> p.gap(*SDCA().view(p, state))
    Fraction(0, 1)
    """

    name = "sdca"

    def advance(self, problem: Problem, state: DualState, choice: Any) -> None:
        i = choice                                                                          # SDCA line 3
        z = problem.inner(i, state.v)
        q = problem.norms2[i] / problem.scale
        alpha_i = problem.loss.dual_step(z, state.alpha[i], problem.y[i], q)                # SDCA line 4
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i                                                            # SDCA line 5
        problem.update(i, delta, state.v)                                                   # SDCA line 6


METHODS = {"sdca": SDCA}
