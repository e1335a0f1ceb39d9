"""The bugs that ``dualgap audit --self`` plants into the methods of this package, and the functions that must notice
them.
"""

from collections.abc import Iterator

from dualgap.proofs_checks.self_audit.samplers import laws, laws_of
from dualgap.proofs_checks.self_audit.worlds import Bugs


def svrg() -> Iterator[str]:
    """Return the choices that svrg draws."""
    return laws_of("svrg")


PLANTED_BUGS: Bugs = {
    (svrg, "extras.baselines.svrg.reference"): {
        "svrg.choices-keep-too-often: svrg's choices keep with 1/t for 1/(t+1) from t = 3 on": (
            "keep = Fraction(1, state.t + 1)",
            "keep = Fraction(1, state.t + (state.t < 3))",
        ),
        "svrg.draws-keep-too-often: svrg draws a keep where random t < 1.5": ("n) * t < 1)", "n) * t < 1.5)"),
        "svrg.round-counted-from-2: svrg counts the steps of a round from 2": ("(problem) + 1", "(problem) + 2"),
        "svrg.one-stream-for-both-draws: both of svrg's draws take one stream": ("[seed, epoch, 1]", "[seed, epoch]"),
    },
    (laws, "extras.baselines.spd1.reference"): {
        "spd1.one-column-less: spd1 states one column less": ("self.ends(problem))))", "self.ends(problem))))[1:]")
    },
}
