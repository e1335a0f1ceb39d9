"""Hypothesis strategies for SVRG: runs over several rounds, and starts of rounds."""

from hypothesis.strategies import DrawFn

from dualgap.extras.baselines.primal_sums import FAR, RATIOS, square_of_radius, sums, with_holes
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.proofs_checks.strategies.instances import RATIONAL_SMOOTH, among


@st.composite
def svrg_runs(draw: DrawFn) -> Instance:
    """SVRG, up to 9 steps over several rounds: all smooth rational losses, both options."""
    instance = draw(with_holes(sums("svrg", RATIOS, known=(0, 1), losses=RATIONAL_SMOOTH, max_n=3, max_d=3)))
    n, m, option = len(instance.rows), draw(among((None, 1, 2, 3, 5))), draw(among(("I", "II")))
    path, t = [], 0
    for i in draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=9)):
        keep = option == "II" and (t == 0 or draw(st.booleans()))
        path.append(i + n * keep)
        t = (t + 1) % (2 * n if m is None else m)
    return instance.but(options={"m": m, "option": option}, path=tuple(path))


@st.composite
def svrg_rounds(draw: DrawFn) -> Instance:
    """Starts of one or two rounds of SVRG with option II, ridge, with few rows and m that mostly make rho < 1."""
    instance = draw(sums("svrg", Qs(4, 10, 40), start=FAR, losses=("squared",), max_n=3, max_d=2))
    L = square_of_radius(instance) / (instance.gamma or 1) + instance.lam
    eta, m = draw(among(Qs("1/10", "1/8", "3/20"))) / L, draw(among((20, 24, 30)))
    return instance.but(options={"m": m, "eta": eta, "option": "II"})
