"""Planted bugs that real implementations of SPDC have: Algorithms 1 to 3 with one line wrong, each in the algorithms
that have the line.
"""

from fractions import Fraction

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.reference.methods.spdc import SPDC, SPDCState
from dualgap.reference.problem.problem import Vector


class StaleState(SPDCState):
    """An SPDCState that also remembers the w_bar of one step ago."""

    __slots__ = ("before",)
    before: Vector


def without_last(n: int, every: list[tuple[tuple[int, ...], Fraction]]) -> list[tuple[tuple[int, ...], Fraction]]:
    """The choices without the last row, where there are others."""
    kept = [(K, p) for K, p in every if not (n - 1 == K if isinstance(K, int) else n - 1 in K)] or every
    total = sum((p for _, p in kept), Fraction(0))
    return [(K, p / total) for K, p in kept]


PROX = "problem.regularizer.prox([w_j - tau * v_j for w_j, v_j in zip(state.w, direction)], tau)"
W_BAR = "[new + theta * (new - old) for new, old in zip(w, state.w)]"
BATCHES = "list(batches(self.sampling, problem.n, self.m))"
WEIGHTED = "[(k, to_fraction(p_k)) for k, p_k in enumerate(self.probabilities(problem))]"
WITHOUT_LAST = """name = "spdc"

    def choices(self, problem, state):
        return without_last(problem.n, super().choices(problem, state))
"""
STEPS_1_OVER_R = (
    ("tau = 1 / (2 * R * root)", "tau = 1 / (R * root)"),
    ("sigma = root / (2 * R)", "sigma = root / R"),
    ("tau = mix / (2 * mean * root)", "tau = mix / (mean * root)"),
    ("sigma = mix * root / (2 * mean)", "sigma = mix * root / mean"),
)
U_SCALED = (
    ("SPDC.advance", "delta / problem.n", "delta"),
    ("MiniBatchSPDC.advance", "delta / problem.n", "delta / self.m"),
    ("NonUniformSPDC.advance", "delta / problem.n", "delta / parameters.pn(k)"),
)

MUTANTS = planted(
    SPDC,
    "spdc",
    {
        "no-extrapolation": ("(10): w_bar = w", (W_BAR, "list(w)")),
        "scaled-step": (
            "(8), (14): the 1/n of (9) instead of 1 or 1/m, so the increment of u itself",
            ("SPDC.advance", "problem, k, delta)", "problem, k, delta / problem.n)"),
            ("MiniBatchSPDC.advance", "delta / self.m", "delta / problem.n"),
        ),
        "sigma-unscaled": (
            "(26): sigma instead of sigma/(p_k n)",
            ("parameters.pn(k) / parameters.sigma", "1 / parameters.sigma"),
        ),
        "weight-one": ("(27): weight 1 instead of 1/(p_k n)", ("delta / parameters.pn(k)", "delta")),
        "weight-1/n": ("(27): weight 1/n instead of 1/(p_k n)", ("delta / parameters.pn(k)", "delta / problem.n")),
        "lambda-gamma-swapped": (
            "(16), (29): lam where gamma belongs and gamma where lam does, in both steps",
            ("SPDC.make_parameters", "m, n, lam, gamma =", "m, n, gamma, lam ="),
            (
                "NonUniformSPDC.make_parameters",
                "root = sqrt(n * lam / gamma)",
                "gamma, lam = lam, gamma\n        root = sqrt(n * lam / gamma)",
            ),
        ),
        "steps-1/R": ("(16), (29): 1/R and mix/R_bar instead of half of it, in both steps", *STEPS_1_OVER_R),
        "theta-without-root": (
            "(16): kappa instead of 2 sqrt(n kappa/m), as in the rate of SDCA",
            ("factor * R * n / (m * gamma * root)", "factor * factor * R * R / (4 * lam * gamma)"),
        ),
        "half-radius": (
            "R: half of the largest norm, the 2 of (16) counted twice",
            ("SPDC.radius", "return sqrt(largest)", "return sqrt(largest) / 2"),
            ("SPDC.radius", "return R\n", "return R / 2\n"),
        ),
        "no-prox": (
            "(8), (14), (27): a step along the direction alone, g left out",
            (PROX, PROX[len("problem.regularizer.prox(") : -len(", tau)")]),
        ),
        "wrong-u0": ("u^0 = 0 although alpha^0 is not", ("SPDC.state_of", "u=u,", "u=[problem.zero] * problem.d,")),
        "stale-w_bar": (
            "(7): the w_bar of one step ago is read",
            ("SPDC.state_of", "SPDCState(", "StaleState(before=list(w), "),
            ("SPDC.dual_step", "state.w_bar)", "state.before)"),
            (f"state.w_bar = {W_BAR}", f"state.before, state.w_bar = list(state.w_bar), {W_BAR}"),
        ),
        "u-scaled-increment": ("(9): the increment of the primal step is stored in u", *U_SCALED),
        "shared-batch-order": (
            "(13): the rows of a batch one after the other, each with the w_bar that the row before it left",
            (
                "MiniBatchSPDC.advance",
                "K = choice",
                "for k in choice[:-1]:\n            self.advance(problem, state, (k,))\n        K = choice[-1:]",
            ),
        ),
        "overwritten-alpha": (
            "alpha_k is overwritten before the difference is taken: neither u nor w depends on it",
            *(
                (f"{kind}.advance", "delta = alpha_k - state.alpha[k]", "delta = alpha_k - alpha_k")
                for kind in ("SPDC", "MiniBatchSPDC", "NonUniformSPDC")
            ),
        ),
        "never-last": (
            "the sampler never draws the last row, where it can do without",
            ('name = "spdc"\n', WITHOUT_LAST),
            (f"return {BATCHES}", f"return without_last(problem.n, {BATCHES})"),
            (f"return {WEIGHTED}", f"return without_last(problem.n, {WEIGHTED})"),
        ),
    },
    StaleState=StaleState,
    without_last=without_last,
)


# -- wrong lines: the checks of the lines must be false with each ------------------------------------------------------

WRONG_LINES = planted(
    SPDC,
    "spdc",
    {
        "another-sigma": ("(7): another sigma", *STEPS_1_OVER_R[1::2]),
        "w_bar-from-w_bar": ("(10): from w_bar", (W_BAR, W_BAR.replace("state.w)", "state.w_bar)"))),
        "w-from-w_bar": ("(8): from w_bar", (PROX, PROX.replace("state.w,", "state.w_bar,"))),
    },
)
