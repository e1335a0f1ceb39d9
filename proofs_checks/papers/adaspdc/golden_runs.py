"""AdaSPDC and PDCP, runs written down: seven of AdaSPDC, 23 states, each computed twice, and one of PDCP."""

from dualgap.proofs_checks.papers.adaspdc.section_2_pdcp import BY_HAND, Batch
from dualgap.proofs_checks.papers.adaspdc.words import *


def after(instance: Instance, *states: str) -> list[Instance]:
    """One instance for every state of a run, written as "sample: field = numbers, field = numbers, ..."."""
    made: list[Instance] = []
    path: tuple[int | tuple[int, ...], ...] = ()
    for state in states:
        sample, _, fields = state.partition(": ")
        S = tuple(map(int, sample.split()))
        path = (*path, S[0] if instance.method == "pdcp" else S)
        due = {f"due_{name}": Qs(*text.split()) for name, text in (field.split(" = ") for field in fields.split(", "))}
        made.append(instance.but(path=path, extra=instance.extra | further(**due)))
    return made


FIRST = "0: alpha = -1/11 0 0, w = 9/341 12/341, w_bar = 35/682 70/1023, u = -1/11 -4/33"
SECOND = "1: alpha = -1/11 239/682 0, w = -423/4774 28/341, w_bar = -1761/9548 4/33, u = 53/2046 -4/33"
RUNS = {
    "rows": after(
        UNEQUAL_ROWS,
        FIRST,
        SECOND,
        (
            "2: alpha = -1/11 239/682 -58/165, w = -419/4774 536/2015, w_bar = -3739/42966 85672/199485, "
            "u = 53/2046 -16/45"
        ),
        (
            "0: alpha = -114833/2792790 239/682 -58/165, w = -490111/4809805 1310954/4809805, "
            "w_bar = -3990985/34630596 1723789/6184035, u = 105701/1396395 -1211374/4189185"
        ),
    ),
    "rows, repaired": after(
        UNEQUAL_ROWS_R,
        FIRST,
        "1: w = 9/21142 44/961, w_bar = -1019/42284 5308/95139",
        "2: alpha = -1/11 239/682 -179662/475695, w = -1373/655402 634784/4915515, u = 53/2046 -532304/1427085",
        "0: alpha = -19307449/194654394 239/682 -179662/475695, w = -714232/335238123 826067774/5028571845",
    ),
    "hinges": after(
        UNEQUAL_HINGES,
        FIRST,
        SECOND,
        "2: alpha = -1/11 239/682 -5/33, w = -419/4774 70/403, w_bar = -3739/42966 10178/39897, u = 53/2046 -2/9",
        (
            "0: alpha = -58381/558558 239/682 -5/33, w = -80315/961961 187456/961961, "
            "w_bar = -2751481/34630596 265745/1236807, u = 3433/279279 -201392/837837"
        ),
    ),
    "elastic net": after(
        ELASTIC_NET,
        "0: w = 57/3410 87/3410, w_bar = 133/4092 203/4092",
        "1: alpha = -1/11 4225/12276 0, w = -1471/28644 739/23870, w_bar = -18575/171864 41/1155",
        (
            "2: alpha = -1/11 4225/12276 -2228/5775, w = -166577/5585580 29837/141050, "
            "w_bar = -537049/50270220 742177/1994850, u = 877/36828 -596/1575"
        ),
    ),
    "samples of two": after(
        SAMPLES_OF_TWO,
        "0 1: alpha = -1/11 1/3 0, w = -1/352 3/176, w_bar = -17/3168 17/528, u = 2/99 -4/33",
        (
            "1 2: alpha = -1/11 5263/9504 -511/1320, w = -35/1152 761/6160, w_bar = -1477/28512 11441/55440, "
            "u = 2671/28512 -751/1980"
        ),
    ),
    "blocks": after(
        TWO_BLOCKS,
        "0: alpha = -1/9 1/9 0, w = 2/51 -8/153, w_bar = 19/255 -76/765, u = -1/6 2/9",
        "1: alpha = -1/9 1/9 -491/765, w = 1357/3825 -20/153, w_bar = 9049/15300 -29/153, u = -373/765 2/9",
        (
            "0: alpha = -1753/137700 173/1377 -491/765, w = 27821/78030 -3652/23409, "
            "w_bar = 1397269/3901500 -20924/117045, u = -31213/91800 346/1377"
        ),
    ),
    "classes": after(
        THREE_CLASSES,
        "0: alpha = -8/11 4/11 4/11 1/3 1/3 -2/3, w = 26/231 -13/231 -13/231 31/231 -1/11 -10/231",
        (
            "1: alpha = -8/11 4/11 4/11 4409/8316 17/44 -3811/4158, "
            "w = 608/1155 -304/1155 -304/1155 323/594 -149/330 -137/1485, "
            "w_bar = 1933/2310 -1933/4620 -1933/4620 14153/16632 -953/1320 -5363/41580"
        ),
        (
            "0: alpha = -27982/114345 739/50820 105277/457380 4409/8316 17/44 -3811/4158, "
            "w = 374084/800415 -108257/533610 -423397/1600830 4296569/9604980 -136849/355740 -300823/4802490"
        ),
    ),
}
FROBENIUS = RUNS["blocks"][0].but(options={"norms": Qs(5, 1)})


PDCP_RUN = after(
    BY_HAND,
    "0: alpha = -1/5 1/5, w = 3/25 -4/25, w_bar = 1/5 -4/15",
    "0: alpha = -6/25 11/75, w = 6/25 -92/375, w_bar = 8/25 -68/225",
)


@claim(
    "pdcp.golden",
    "(6)-(8), two steps from 0 with rows (3, 0) and (0, 4), lam = 1/2, gamma = 1, mu = 1/2",
    hypotheses="squared loss, L2",
    origin=PAPER.ours("(6)-(8)"),
    evidence=[golden(*PDCP_RUN, detail="worked by hand")],
    control=fails_on(*(i.but(options={"norm": Q(5), "mu": Q(2, 5)}) for i in PDCP_RUN), text="||A|| called 5"),
    kills=["pdcp.sigma-unscaled", "pdcp.stale-alpha", "pdcp.no-extrapolation"],
)
@claim(
    "adaspdc.golden",
    "Algorithm 1 from 0 on written down data: every iterate of ridge, smoothed hinge, elastic net, m = 2, blocks of"
    " unequal size, multiclass smoothed hinge, and of the repaired method",
    hypotheses=r"$\gamma = 1$; $c = 1$ in (10) and (12)",
    origin=PAPER.ours("Algorithm 1", note="runs worked out by us, with phi_i* in (9)"),
    evidence=[golden(*(i for run in RUNS.values() for i in run), detail="7 runs, 23 states, each computed twice")],
    control=all_of(
        fails_on(FROBENIUS, text="the Frobenius norm 5 of diag(3, 4)"),
        fails_on(
            RUNS["rows"][1].but(method="adaspdc-r"),
            RUNS["rows, repaired"][1].but(method="adaspdc", options={}),
            text="each method's run called the other's",
        ),
    ),
    kills=names("adaspdc", "no-extrapolation steps-doubled weight-1/n published-tau plus-b frobenius r-scaled-1/m"),
)
def golden_runs(c: Context) -> Iterable[Relation]:
    state = Batch(c).state if c.instance.method == "pdcp" else setting(c).c.state
    for name in ("alpha", "w", "w_bar", "u"):
        due = c.given.get(f"due_{name}")
        for j, (value, right) in enumerate(zip(flat(getattr(state, name)), due, strict=True) if due else ()):
            yield Eq(value, right, f"{name}_{j} after {len(c.instance.path)} steps, n = {c.n}")
