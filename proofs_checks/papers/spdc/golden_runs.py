"""SPDC, numbers written down: four exact runs, and expectations over all paths of three of them."""

from dualgap.proofs_checks.papers.spdc.algorithms import wrong_lines_fail
from dualgap.proofs_checks.papers.spdc.instances import *
from dualgap.proofs_checks.papers.spdc.mutants import WRONG_LINES
from dualgap.reference.methods.spdc import SPDCState

FIELDS = ("w", "w_bar", "alpha", "u")


def after(instance: Instance, states: str, P: str, D: str) -> list[Instance]:
    """One instance for each state of a run, a line "choice | w | w_bar | alpha | u"; the last has P and D."""
    made = [instance]
    for line in states.splitlines():
        choice, *values = line.split("|")
        K = tuple(map(int, choice.split()))
        due = {f"due_{name}": Qs(*value.split()) for name, value in zip(FIELDS, values)}
        path = (*made[-1].path, K if instance.method == "spdc-minibatch" else K[0])
        made.append(with_extra(instance.but(path=path), **due))
    return [*made[1:-1], with_extra(made[-1], due_P=Q(P), due_D=Q(D))]


ALONE = """1 | -1/7 0 | -17/63 0 | 0 1/3 0 | 1/9 0
2 | -25/147 2/7 | -257/1323 34/63 | 0 1/3 -2/3 | 1/9 -2/9
0 | -33/245 6458/15435 | -683/6615 74506/138915 | -302/1323 1/3 -2/3 | 433/6615 -5618/19845
2 | -443/3087 577424/972405 | -21023/138915 6561376/8751645 | -302/1323 1/3 -388544/416745 | 433/6615 -464648/1250235"""
NET = """1 | -1/10 0 | -17/90 0 | 0 1/3 0 | 1/9 0
2 | -19/210 1/10 | -31/378 17/90 | 0 1/3 -1/3 | 1/9 -1/9
0 | -2/375 7097/36750 | 554/7875 91249/330750 | -943/3150 1/3 -1/3 | 269/5250 -4511/23625
2 | 0 301363/1157625 | 16/3375 3334727/10418625 | -943/3150 1/3 -460001/992250 | 269/5250 -697637/2976750"""
BATCHES = """0 1 | -1/40 1/20 | -2/45 4/45 | -1/3 1/3 0 | 2/45 -4/45
1 2 | -107/1440 137/720 | -73/648 97/324 | -1/3 73/135 -86/135 | 46/405 -122/405
0 2 | -1723/21600 11239/32400 | -16333/194400 136669/291600 | -4843/9720 73/135 -4819/4860 | 3917/48600 -33781/72900"""
NONUNIFORM = """0 | 12/875 16/875 | 2/75 8/225 | -1/15 0 0 | -1/15 -4/45
1 | -151/65625 1852/65625 | -4117/236250 4442/118125 | -1/15 11/75 0 | -4/225 -4/45
2 | -124/1640625 61948/1640625 | 3989/1968750 46036/984375 | -1/15 11/75 -2/5 | -4/225 -4/45
0 | 3506158/287109375 52067252/861328125 | 1758349/73828125 18135256/221484375 | -685199/5906250 11/75 -2/5 |\
 -396449/5906250 -1370398/8859375"""
RUNS = [
    *after(THREE_ROWS, ALONE, P="27244638491407/47278574201250", D="220430325818/521029185075"),
    *after(THREE_HINGES, NET, P="13389394957334/33502391015625", D="158952934603/590736037500"),
    *after(BATCHES_OF_TWO, BATCHES, P="1161677731/1574640000", D="3330245741/5668704000"),
    *after(UNEQUAL_NORMS, NONUNIFORM, P="2058374763888351253/2225658416748046875", D="29206375915187/104651367187500"),
]


@implemented(
    "spdc.golden",
    "Algorithms 1, 2 and 3 from 0 on three rows: every iterate w, w_bar, alpha, u, and the last P and D, as computed"
    " once by a program that shares nothing with this one",
    hypotheses="squared loss with L2, and smoothed hinge with elastic net whose first coordinate ends at exactly 0",
    evidence=[golden(*RUNS, detail="4 runs, 15 steps")],
    control=wrong_lines_fail(RUNS[1], [line for line in WRONG_LINES if not line.startswith("never")]),
)
def golden_runs(c: Context) -> Iterable[Relation]:
    for name in FIELDS:
        yield from each(Eq, getattr(c.state, name), getattr(c.given, f"due_{name}"), f"{name}_#")
    if c.given.has("due_P", "due_D"):
        yield Eq(c.problem.P(c.state.w), c.given.due_P, "P(w)")
        yield Eq(c.problem.D(c.state.alpha), c.given.due_D, "D(alpha)")


STARTS = [
    with_extra(start, due_w=Qs(*w.split()), due_alpha=Qs(*alpha.split()), due_C=Q(C), due=Qs(*means.split()))
    for start, w, alpha, C, means in (
        (THREE_ROWS, "-2/5 17/15", "-1/3 3/5 -13/15", "118/27", "203/54 7501/2646 187080143/87516450"),
        (
            THREE_HINGES,
            "-41/250 299/500",
            "-31/50 209/250 -201/500",
            "45037/15000",
            "142801/60000 16252843/8820000 1256301413083/875164500000",
        ),
        (BATCHES_OF_TWO, "-7/30 4/5", "-1/2 23/30 -6/5", "371/108", "619/216 1939/1152 36726419/37324800"),
    )
]


@implemented(
    "spdc.golden.expectations",
    "(15): the saddle point, C and E Delta^t for t = 0, 1, 2 over all paths of the first three of these runs",
    hypotheses="as stated",
    evidence=[golden(*STARTS, detail="t <= 2", level="ENUMERATED")],
    control=false_with("1/(4 sigma) + 1 for 1/(4 sigma)", *STARTS, shift=1),
)
def expected_Delta(c: Context, shift: Number = 0) -> Iterable[Relation]:
    """The saddle point, C and E Delta^t of a golden start, with shift more than 1/(4 sigma) in (15)."""
    t = Setting(c)
    yield from each(Eq, t.w_star, c.given.due_w, "w*_#")
    yield from each(Eq, t.alpha_star, c.given.due_alpha, "alpha*_#")
    yield Eq(t.C, c.given.due_C, "C")

    def Delta(state: SPDCState) -> Number:
        return t.Delta(state.w, state.alpha) + shift * t.da2(state.alpha)

    found = expectations(c.method, c.problem, t.c.state, len(c.given.due) - 1, Delta)
    yield from each(Eq, found, c.given.due, "E Delta^#")
