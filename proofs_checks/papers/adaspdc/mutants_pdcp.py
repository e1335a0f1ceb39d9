"""Planted bugs that implementations of PDCP have: (6) to (8) with one line wrong."""

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.vocabulary import *

MUTANTS = planted(
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
            "(7): alpha^t in the place of alpha^(t+1)",
            ("tau, sigma, theta = parameters", "before, (tau, sigma, theta) = list(state.alpha), parameters"),
            ("problem.minus_u(state.alpha)", "problem.minus_u(before)"),
        ),
    },
)
