"""Planted bugs that implementations have: Algorithm 1, published or repaired, and PDCP's (6) to (8), with one line
wrong.
"""

from typing import Any

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.spdc.instances import root_above
from dualgap.reference.methods.adaspdc import AdaSPDC
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.losses import Squared
from dualgap.reference.problem.problem import Problem, Vector


def plus_b(problem: Problem, i: int) -> Any:
    """b_i, which the ridge step as printed adds."""
    loss, b = problem.loss, problem.y[i]
    if not isinstance(loss.scalar if isinstance(loss, Separable) else loss, Squared):
        return b
    return tuple(-b_k for b_k in b) if isinstance(b, tuple) else -b


def frobenius(problem: Problem) -> Vector:
    """The Frobenius norm of every block; of single rows it is the spectral one."""
    if not isinstance(problem, BlockProblem):
        return problem.norms
    squares = [sum((x * x for column in block.columns for _, x in column), problem.zero) for block in problem.blocks]
    repeats = [block.q // len(block.columns) for block in problem.blocks]  # x_i (x) I_K stores x_i alone
    return [root_above(repeat * square) for repeat, square in zip(repeats, squares)]


MUTANTS = planted(
    AdaSPDC,
    "adaspdc",
    {
        "no-extrapolation": (
            "(14): theta = 0",
            ("[w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, state.w)]", "list(w)"),
        ),
        "steps-doubled": (
            "(10), (12): both without their 1/2",
            ("AdaSPDC.sigma", "(2 * parameters.R[i])", "parameters.R[i]"),
            ("AdaSPDC.from_radius", "1 / (2 * R * parameters.c)", "1 / (R * parameters.c)"),
            ("AdaSPDCR.sigma", "(2 * parameters.R[i] * parameters.R[i])", "(parameters.R[i] * parameters.R[i])"),
        ),
        "lambda-gamma-swapped": (
            (
                "(10), (12): lam where gamma belongs and gamma where lam does; theta, where they stand side by side, is"
                " right"
            ),
            (
                "problem.n * problem.regularizer.modulus / (self.m * problem.gamma)",
                "problem.n * problem.gamma / (self.m * problem.regularizer.modulus)",
            ),
            ("self.m * problem.gamma * parameters.c", "self.m * problem.regularizer.modulus * parameters.c"),
        ),
        "root-inverted": (
            "(10), (12): sqrt(n lam/(m gamma)) where its inverse belongs",
            (
                "problem.n * problem.regularizer.modulus / (self.m * problem.gamma)",
                "self.m * problem.gamma / (problem.n * problem.regularizer.modulus)",
            ),
        ),
        "weight-1/n": (
            "(11): 1/n, the weight of (13), instead of 1/m",
            ("state.alpha[i], self.m)", "state.alpha[i], problem.n)"),
        ),
        "r-scaled-1/m": (
            "(13): 1/m, the weight of (11), instead of 1/n",
            ("state.alpha[i], problem.n)", "state.alpha[i], self.m)"),
        ),
        "published-tau": (
            "(12): the tau of the sample's largest norm in the repaired method",
            ("AdaSPDCR.tau_theta", "return self.", "return super().tau_theta(problem, parameters, S)[0], self."),
            ("AdaSPDCR.tau_theta", "parameters.R_max)", "parameters.R_max)[1]"),
        ),
        "plus-b": (
            "the ridge step as it is printed, with +b_i",
            ("AdaSPDC.dual_step", "problem.y[i]", "plus_b(problem, i)"),
        ),
        "frobenius": (
            "R_i: the Frobenius norm of a block instead of the spectral one",
            ("AdaSPDC.radii", "return problem.norms", "return frobenius(problem)"),
        ),
    },
    plus_b=plus_b,
    frobenius=frobenius,
) | planted(
    PDCP,
    "pdcp",
    {
        "no-extrapolation": (
            "(8): w_bar = w",
            ("[new + theta * (new - old) for new, old in zip(w, state.w)]", "list(w)"),
        ),
        "sigma-unscaled": (
            "(6): sigma, which belongs to phi* = (1/n) sum_i phi_i*, for each phi_i*, where it is sigma/n",
            ("return Parameters(tau, sigma,", "return Parameters(tau, n * sigma,"),
            ("n * mu / (2 * gamma)", "n * n * mu / (2 * gamma)"),
        ),
        "stale-alpha": (
            "(7): alpha^t instead of alpha^(t+1)",
            ("tau, sigma, theta = parameters", "before, (tau, sigma, theta) = list(state.alpha), parameters"),
            ("problem.minus_u(state.alpha)", "problem.minus_u(before)"),
        ),
    },
)
