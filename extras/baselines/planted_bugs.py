"""The bugs that ``dualgap audit --self`` plants into the methods of this package, and the functions that must notice
them.
"""

from collections.abc import Iterator

from dualgap.proofs_checks.self_audit.methods import worked
from dualgap.proofs_checks.self_audit.samplers import laws, laws_of
from dualgap.proofs_checks.self_audit.worlds import Edit

HERE = "dualgap.extras.baselines"
SVRG, ASDCA, SPD1_VR = f"{HERE}.svrg.reference", f"{HERE}.asdca.reference", f"{HERE}.spd1_vr.reference"


def svrg() -> Iterator[str]:
    """What svrg draws."""
    return laws_of("svrg")


def afg() -> Iterator[str]:
    """AFG's lines 2 to 7."""
    return worked(f"{HERE}.afg.claims", "baselines.afg.lines")


def asdca_lines() -> Iterator[str]:
    """ASDCA's lines 4 to 8."""
    return worked(f"{HERE}.asdca.claims", "baselines.asdca.algorithm")


def asdca_rules() -> Iterator[str]:
    """When ASDCA's rules fire."""
    return worked(f"{HERE}.asdca.claims", "baselines.asdca.rule-1")


def spd1_vr() -> Iterator[str]:
    """The constants of SPD1-VR."""
    return worked(f"{HERE}.spd1_vr.claims", "baselines.spd1-vr.rate")


PLANTED_BUGS = (
    Edit(
        "svrg.choices-keep-too-often: svrg's choices keep with 1/t for 1/(t+1) from t = 3 on",
        SVRG,
        "keep = Fraction(1, state.t + 1)",
        "keep = Fraction(1, state.t + (state.t < 3))",
        svrg,
    ),
    Edit(
        "svrg.draws-keep-too-often: svrg draws a keep where random t < 1.5",
        SVRG,
        ".random(problem.n) * t < 1)",
        ".random(problem.n) * t < 1.5)",
        svrg,
    ),
    Edit(
        "spd1-vr.theta-without-c2: C^2 dropped from spd1-vr's theta",
        SPD1_VR,
        "maximum(problem.R2, C2(problem))",
        "problem.R2",
        spd1_vr,
    ),
    Edit(
        "svrg.round-counted-from-2: svrg counts the steps of a round from 2",
        SVRG,
        "% self.steps_of_round(problem) + 1",
        "% self.steps_of_round(problem) + 2",
        svrg,
    ),
    Edit(
        "svrg.one-stream-for-both-draws: both of svrg's draws take one stream",
        SVRG,
        "default_rng([seed, epoch, 1])",
        "default_rng([seed, epoch])",
        svrg,
    ),
    Edit(
        "spd1.one-column-less: spd1 states one column less",
        f"{HERE}.spd1.reference",
        "every = list(product(*map(range, self.ends(problem))))",
        "every = list(product(*map(range, self.ends(problem))))[1:]",
        laws,
    ),
    Edit(
        "afg.line-5-sign: AFG line 5 with the other sign",
        f"{HERE}.afg.reference",
        "L * delta_j + (h_T - h_y) for",
        "L * delta_j - (h_T - h_y) for",
        afg,
    ),
    Edit(
        "asdca.line-5-first-xi: ASDCA line 5 with the first xi",
        ASDCA,
        "gap <= constants.share * state.xi:",
        "gap <= constants.share * state.xi_1:",
        asdca_lines,
    ),
    Edit(
        "asdca.first-rule-last-xi: ASDCA's first rule with the last xi",
        ASDCA,
        "state.xi_1 / epsilon",
        "state.xi / epsilon",
        asdca_rules,
    ),
)
