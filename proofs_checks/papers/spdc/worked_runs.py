"""SPDC, numbers written down: four exact runs, the parameters, and the batch method m = n."""

from dualgap.proofs_checks.papers.spdc.algorithms import ANY, G1, G2, G3, G4, LINES, wrong_lines_fail
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED_29
from dualgap.proofs_checks.papers.spdc.strategies import batches, begun, full_batches, nonuniform
from dualgap.proofs_checks.papers.spdc.terms import SPDCTerms, minus
from dualgap.proofs_checks.papers.vocabulary import *

# -- four runs ---------------------------------------------------------------------------------------------------------


def row(text: str) -> tuple[Q, ...]:
    """Rationals from one line of text."""
    return Qs(*text.split())


def after(instance: Instance, *states: tuple[Any, str, str, str, str]) -> list[Instance]:
    """One instance for every state (choice, w, w_bar, alpha, u) of a run."""
    made: list[Instance] = []
    path: tuple[Any, ...] = ()
    for choice, w, w_bar, alpha, u in states:
        path = (*path, choice)
        extra = further(due_w=row(w), due_w_bar=row(w_bar), due_alpha=row(alpha), due_u=row(u))
        made.append(instance.but(path=path, extra=extra))
    return made


def closing(instances: list[Instance], P: str, D: str) -> list[Instance]:
    """The instances, the last one with its P(w) and D(alpha)."""
    return [*instances[:-1], instances[-1].but(extra=instances[-1].extra | further(due_P=Q(P), due_D=Q(D)))]


RUNS = [
    *closing(
        after(
            G1,
            (1, "-1/7 0", "-17/63 0", "0 1/3 0", "1/9 0"),
            (2, "-25/147 2/7", "-257/1323 34/63", "0 1/3 -2/3", "1/9 -2/9"),
            (0, "-33/245 6458/15435", "-683/6615 74506/138915", "-302/1323 1/3 -2/3", "433/6615 -5618/19845"),
            (
                2,
                "-443/3087 577424/972405",
                "-21023/138915 6561376/8751645",
                "-302/1323 1/3 -388544/416745",
                "433/6615 -464648/1250235",
            ),
        ),
        "27244638491407/47278574201250",
        "220430325818/521029185075",
    ),
    *closing(
        after(
            G2,
            (1, "-1/10 0", "-17/90 0", "0 1/3 0", "1/9 0"),
            (2, "-19/210 1/10", "-31/378 17/90", "0 1/3 -1/3", "1/9 -1/9"),
            (0, "-2/375 7097/36750", "554/7875 91249/330750", "-943/3150 1/3 -1/3", "269/5250 -4511/23625"),
            (
                2,
                "0 301363/1157625",
                "16/3375 3334727/10418625",
                "-943/3150 1/3 -460001/992250",
                "269/5250 -697637/2976750",
            ),
        ),
        "13389394957334/33502391015625",
        "158952934603/590736037500",
    ),
    *closing(
        after(
            G3,
            ((0, 1), "-1/40 1/20", "-2/45 4/45", "-1/3 1/3 0", "2/45 -4/45"),
            ((1, 2), "-107/1440 137/720", "-73/648 97/324", "-1/3 73/135 -86/135", "46/405 -122/405"),
            (
                (0, 2),
                "-1723/21600 11239/32400",
                "-16333/194400 136669/291600",
                "-4843/9720 73/135 -4819/4860",
                "3917/48600 -33781/72900",
            ),
        ),
        "1161677731/1574640000",
        "3330245741/5668704000",
    ),
    *closing(
        after(
            G4,
            (0, "12/875 16/875", "2/75 8/225", "-1/15 0 0", "-1/15 -4/45"),
            (1, "-151/65625 1852/65625", "-4117/236250 4442/118125", "-1/15 11/75 0", "-4/225 -4/45"),
            (2, "-124/1640625 61948/1640625", "3989/1968750 46036/984375", "-1/15 11/75 -2/5", "-4/225 -4/45"),
            (
                0,
                "3506158/287109375 52067252/861328125",
                "1758349/73828125 18135256/221484375",
                "-685199/5906250 11/75 -2/5",
                "-396449/5906250 -1370398/8859375",
            ),
        ),
        "2058374763888351253/2225658416748046875",
        "29206375915187/104651367187500",
    ),
]


@claim(
    "spdc.golden",
    "Algorithms 1, 2 and 3 from 0 on three rows: every iterate w, w_bar, alpha, u, and the last P and D, as computed"
    " once by a program that shares nothing with this one",
    hypotheses="squared loss with L2, and smoothed hinge with elastic net whose first coordinate ends at exactly 0",
    origin=IMPLEMENTATION,
    evidence=[golden(*RUNS, detail="4 runs, 15 steps")],
    control=wrong_lines_fail(RUNS[1], [line for line in LINES if not line.startswith("never")]),
)
def golden_runs(c: Context) -> Iterable[Relation]:
    for name in ("w", "w_bar", "alpha", "u"):
        for j, (value, expected) in enumerate(zip(getattr(c.state, name), getattr(c.given, f"due_{name}"))):
            yield Eq(value, expected, f"{name}_{j}")
    if c.instance.extra.has("due_P", "due_D"):
        yield Eq(c.problem.P(c.state.w), c.given.due_P, "P(w)")
        yield Eq(c.problem.D(c.state.alpha), c.given.due_D, "D(alpha)")


STARTS = [
    G1.but(
        extra=further(
            due_w=row("-2/5 17/15"),
            due_alpha=row("-1/3 3/5 -13/15"),
            due_C=Q(118, 27),
            due=row("203/54 7501/2646 187080143/87516450"),
        )
    ),
    G2.but(
        extra=further(
            due_w=row("-41/250 299/500"),
            due_alpha=row("-31/50 209/250 -201/500"),
            due_C=Q(45037, 15000),
            due=row("142801/60000 16252843/8820000 1256301413083/875164500000"),
        )
    ),
    G3.but(
        extra=further(
            due_w=row("-7/30 4/5"),
            due_alpha=row("-1/2 23/30 -6/5"),
            due_C=Q(371, 108),
            due=row("619/216 1939/1152 36726419/37324800"),
        )
    ),
]


@claim(
    "spdc.golden.expectations",
    "(15): the saddle point, C and E Delta^t for t = 0, 1, 2 over all paths of the first three of these runs",
    hypotheses="as said",
    origin=IMPLEMENTATION,
    evidence=[golden(*STARTS, detail="t <= 2", level="ENUMERATED")],
    control=false_with("1/(4 sigma) + 1 for 1/(4 sigma)", *STARTS, shift=1),
)
def expected_Delta(c: Context, shift: Number = 0) -> Iterable[Relation]:
    """The saddle point, C and E Delta^t of a golden start, with shift more than 1/(4 sigma) in (15)."""
    t = SPDCTerms(c)
    for name, values in (("w", t.w_star), ("alpha", t.alpha_star)):
        for j, (value, expected) in enumerate(zip(values, getattr(c.given, f"due_{name}"))):
            yield Eq(value, expected, f"{name}*_{j}")
    yield Eq(t.Delta(t.w, t.alpha) + t.da2(t.alpha) / (4 * t.m * t.sigma), c.given.due_C, "C")

    def Delta(state: Any) -> Number:
        return t.Delta(state.w, state.alpha) + shift * t.da2(state.alpha)

    expected = c.given.due
    for time, (value, right) in enumerate(
        zip(expectations(c.method, c.problem, t.c.state, len(expected) - 1, Delta), expected)
    ):
        yield Eq(value, right, f"E Delta^{time}")


# -- parameters --------------------------------------------------------------------------------------------------------


def constants(c: Context, front: Number) -> Iterable[Relation]:
    """tau, sigma and theta of the method, with front for the 1/2 of (16) and (29)."""
    t = SPDCTerms(c)
    found = cast(Any, c.method).parameters(c.problem)
    rho = 2 * t.R * t.sigma  # sqrt(n lam/(m gamma))
    yield Eq(rho * rho, t.n * t.lam / (t.m * t.gamma), "rho^2 = n lam/(m gamma)")
    yield Eq(found.tau, front / (t.R * rho), "tau")
    yield Eq(found.sigma, front * rho / t.R, "sigma")
    yield Eq(found.theta, t.theta, "theta")
    for k in range(c.n):
        yield Eq(found.pn(k), t.pn[k], f"p_{k} n")
    yield Eq(found.tau * found.sigma * 4 * t.R * t.R, 1, "tau sigma = 1/(4R^2), R = R_bar/mix in (29)")
    yield Eq(t.lam * found.tau * t.n, t.m * t.gamma * found.sigma, "1/(lam tau) = n/(m sigma gamma)")


@claim(
    "spdc.parameters",
    r"(16), (29): $\tau = (1/(2R)) \sqrt{m \gamma/(n \lambda)}$, $\sigma = (1/(2R)) \sqrt{n \lambda/(m \gamma)}$,"
    r" $\theta$; with "
    r"$R = \bar{R}/\mathrm{mix}$ and $m = 1$ in (29)",
    hypotheses=r"$\gamma$, $\lambda > 0$, $R > 0$",
    origin=PAPER.printed("(16)", "(28)", "(29)", note=RESTORED_29),
    evidence=[exact(batches, 0.5), exact(nonuniform, 0.5)],
    control=altered("1/R for 1/(2R)", lambda c: constants(c, Q(1)), G1, G3, G4),
)
def parameters(c: Context) -> Iterable[Relation]:
    yield from constants(c, Q(1, 2))


# -- m = n -------------------------------------------------------------------------------------------------------------


def chambolle_pock(c: Context, scale: int) -> Iterable[Relation]:
    """(31)-(33) with sigma_CP = scale sigma, K = X/n, F* = (1/n) sum phi_i*, by the optimality of both steps."""
    t, (s,) = SPDCTerms(c), begun(c).successors
    for i, (row_i, y) in enumerate(zip(c.problem.rows, c.problem.y)):
        slope = c.n * (c.problem.dot(row_i, t.w_bar) / c.n - (s.alpha[i] - t.alpha[i]) / (scale * t.sigma))
        yield Eq(
            s.alpha[i],
            c.problem.loss.derivative(slope, y),
            f"(31), alpha_{i}: K w_bar - (alpha+ - alpha)/sigma_CP in dF*(alpha+)",
        )
    down = [-v_j - d_j / t.tau for v_j, d_j in zip(t.u_of(s.alpha), minus(s.w, t.w))]
    for j, (w_j, expected) in enumerate(zip(s.w, c.problem.regularizer.gradient_conjugate(down))):
        yield Eq(w_j, expected, f"(32), w_{j}: -K^T alpha+ - (w+ - w)/tau in dG(w+)")
    for j, (bar, new, old) in enumerate(zip(s.state.w_bar, s.w, t.w)):
        yield Eq(bar, new + t.theta * (new - old), f"(33), w_bar_{j}")


@claim(
    "spdc.m-n",
    "Section 5: Algorithm 2 with m = n is the method (31)-(33) of Chambolle and Pock with K = X/n, F* = (1/n) sum"
    " phi_i*, and sigma_CP = n sigma",
    hypotheses=ANY,
    origin=PAPER.ours("(31)-(33)", "(30)", "(34)", "full batch"),
    evidence=[exact(full_batches)],
    control=altered("sigma_CP = sigma", lambda c: chambolle_pock(c, 1), G3.but(options={"m": 3, "R": Q(1)}, lam=Q(1))),
)
def m_n(c: Context) -> Iterable[Relation]:
    yield from chambolle_pock(c, c.n)
