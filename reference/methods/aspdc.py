"""ASPDC, Algorithm 1 (Liang et al., Electronics 2022, 11(15), 2382).

Problem    min_w max_alpha f(w, alpha), see ``problem``; losses with gamma > 0; L2 or elastic net.
Method     alternate the best response in one random dual coordinate, alpha_i <- phi_i'(x_i^T w), with the
           exact primal response w <- w(alpha): no step size, no proximal term.

====== ======== ===== =====================================================
symbol in code  shape meaning
====== ======== ===== =====================================================
w      state.v  (d,)  w = v for L2; w_j = soft(v_j, l1/mu) for elastic net
alpha  alpha    (n,)  dual iterate, alpha_i ~ +phi_i'(x_i^T w)
Delta  delta          the change of alpha_i
K      K_max          R^2/(mu n gamma), R = max ||x_i||
====== ======== ===== =====================================================

Assumptions  phi_i convex and (1/gamma)-smooth; g mu-strongly convex; lam >= 4 R^2/(n gamma) in the paper
             (written there with R = 1). Sharp: lam > R^2/(n gamma).
Guarantee    Lemma 2:  E gap_t <= 2n (1 - 1/(2n))^t gap_0           (lam >= 4 R^2/(n gamma))
             Sharp:    E gap_t <= (n/s) (1 - s/n)^t gap_0, s = 1 - K (K < 1), because for every i
             D(alpha+) - D(alpha) >= FY_i/n - ||x_i||^2 Delta^2/(2 mu n^2) >= (1 - K_i) FY_i/n,
             the first an equality for L2. In expectation only: single paths may do worse.
"""


from dualgap.reference.methods.base import DualMethod, DualState, HypothesisViolated
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem


@register_method
class ASPDC(DualMethod):
    """Algorithm 1, lines 4 to 7. Lines 1 and 2, the start, are ``DualMethod.init``; lines 3 and 8, the loop,
    ``Method.run``; line 9, the stop rule, ``fast.solver``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 2], Squared(), L2("4/3"), number=Fraction)
    >>> state = ASPDC().run(p, [0, 1, 2])
    >>> p.gap(*ASPDC().view(p, state))
    Fraction(35907, 1280000)
    """

    name = "aspdc"
    summary = "ASPDC, Algorithm 1: one row per step, α_i = φ_i'(x_iᵀw) without SDCA's damping; proved for λ ≥ 4R²/(nγ)"
    families = ("quadratic", "general")

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """lam >= 4R^2/(n gamma) in mode paper, lam > R^2/(n gamma) in mode sharp, anything in mode unchecked."""
        super().require(problem, mode, R2)
        if mode != "unchecked":
            require_smooth(problem, "aspdc")
            require_lam(problem, mode, problem.R2 if R2 is None else R2)

    def advance(self, problem: Problem, state: DualState, choice: int) -> None:
        i = choice                                                                          # ASPDC line 4
        z = problem.inner(i, state.v)
        alpha_i = problem.loss.derivative(z, problem.y[i])                                  # ASPDC line 5, eq. (4)
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i                                                            # ASPDC line 6
        problem.update(i, delta, state.v)                                                   # ASPDC line 7, eqs. (5)-(8)


def require_smooth(problem: Problem, name: str) -> None:
    """Assumption 1: phi_i is (1/gamma)-smooth with gamma > 0."""
    if not problem.gamma > 0:
        raise HypothesisViolated(
            f"method {name} needs a smooth loss (Assumption 1), but {problem.loss.name} has gamma = 0: its iterates can "
            "cycle for ever. Use loss smoothed-hinge (for hinge) or squared (for absolute), or method sdca"
        )


def require_lam(problem: Problem, mode: str, R2: Number) -> None:
    """lam >= 4 R^2/(n gamma) (paper) or lam > R^2/(n gamma) (sharp)."""
    lam = problem.regularizer.modulus
    boundary = R2 / (problem.n * problem.gamma)
    smallest = 4 * R2 / (problem.n * problem.gamma) if mode == "paper" else boundary
    if lam < smallest or (mode == "sharp" and lam == smallest):
        relation, formula = (">=", "4R^2/(n gamma)") if mode == "paper" else (">", "R^2/(n gamma)")
        also = "--mode sharp (needs lam > R^2/(n gamma)), " if lam > boundary else ""
        raise HypothesisViolated(
            f"method aspdc in mode {mode} needs lam {relation} {formula} = {smallest} "
            f"(got lam = {lam}, R^2 = {R2}, n = {problem.n}, gamma = {problem.gamma}). "
            f"Use a larger lam, {also}or a method for smaller lam: sdca, aspdc-i, aspdc-i-fixed"
        )
