"""Hypothesis strategies for SAG and SVRG: runs, and starts of trajectories.

A context of theirs begins where ``begun`` puts it: at the extra w, or at 0; or, where the extra known is 1, at the
instance's alpha, whose table is known.
"""

from dualgap.extras.baselines.terms import *
from dualgap.proofs_checks.strategies.instances import radius2

ANALYSED: dict[str, object] = {"step": "theory", "divide": "n", "regularizer_in_table": True}  # the SAG of the theorem
OUTSIDE: dict[str, object] = {"step": "theory", "divide": "n"}
FAR = Qs(5, -10, 3, -3, 20)  # starts so far from w* that f_i'(w*) is small in comparison
FIXED_GAMMA = {"squared-hinge": Q(1, 2)}


def begun(c: Context) -> Context:
    """The context, its method started."""
    return c.started(start_of)


def start_of(c: Context, other: object = None) -> Any:
    """Where the context's method, or another one, starts in that context."""
    method: Any = c.method if other is None else other
    w = c.given.get("w")
    return method.init(
        c.problem, [c.q(a) for a in c.instance.alpha] if c.given.get("known") else None, None if w is None else list(w)
    )


def square_of_radius(instance: Instance) -> Fraction:
    """R^2."""
    return radius2(instance.rows)


@st.composite
def sums(
    draw: DrawFn,
    /,
    method: str,
    ratios: Sequence[Fraction],
    start: Sequence[Fraction] = COORDINATES,
    known: Sequence[int] = (0,),
    **shape: object,
) -> Instance:
    """Finite sums with lam = ratio R^2/gamma, a start w and no path; shape as for ``strategies.instances``."""
    instance: Instance = draw(instances(max_path=0, **shape))
    R2 = square_of_radius(instance)
    gamma = FIXED_GAMMA.get(instance.loss, instance.gamma or Q(1))
    lam = draw(among(ratios)) * R2 / gamma
    d, known_table = len(instance.rows[0]), further(known=draw(among(known)))
    extra = instance.extra | known_table
    if not known_table.get("known"):
        extra |= further(w=tuple(draw(among(start)) for _ in range(d)))
    return instance.but(method=method, lam=lam if lam > 0 else Q(1), extra=extra)


@st.composite
def with_holes(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """The instance with some entries 0, so that columns stand still."""
    instance = draw(base)
    d = len(instance.rows[0])
    holes = draw(st.sets(st.integers(0, len(instance.rows) * d - 1), max_size=8))
    rows = tuple(
        tuple(Q(0) if i * d + j in holes else x for j, x in enumerate(row)) for i, row in enumerate(instance.rows)
    )
    return instance.but(rows=rows)


RATIOS = Qs("1/10", "1/100", 1, "1/3")


@st.composite
def sag_runs(draw: DrawFn) -> Instance:
    """SAG with the regularizer outside the table, up to 10 steps: smooth rational losses, any step and start."""
    instance = draw(with_holes(sums("sag", RATIOS, known=(0, 1), losses=RATIONAL_SMOOTH, max_n=4, max_d=4)))
    lam, n = instance.lam, len(instance.rows)
    step = draw(st.sampled_from(("practice", "theory", "practice", Q(1, 7), 1 / lam, 3 / lam)))
    options = {"step": step, "divide": draw(among(("seen", "seen", "n")))}
    return instance.but(options=options, path=tuple(draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=10))))


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
def svrg_states(draw: DrawFn) -> Instance:
    """SVRG with option I in the middle of a round, eta < 1/(2L), m = 2n or small."""
    instance = draw(sums("svrg", Qs("1/10", "1/3", 1, 4), losses=RATIONAL_SMOOTH, max_n=3, max_d=2))
    gamma = FIXED_GAMMA.get(instance.loss, instance.gamma or Q(1))
    L = square_of_radius(instance) / gamma + instance.lam
    n, m = len(instance.rows), draw(among((None, 2, 3)))
    eta = draw(among(Qs("1/10", "1/4", "1/3", "49/100"))) / L
    return instance.but(options={"m": m, "eta": eta}, path=tuple(draw(st.lists(st.integers(0, n - 1), max_size=4))))


@st.composite
def svrg_rounds(draw: DrawFn) -> Instance:
    """Starts of one or two rounds of SVRG with option II, ridge, with few rows and m that mostly make rho < 1."""
    instance = draw(sums("svrg", Qs(4, 10, 40), start=FAR, losses=("squared",), max_n=3, max_d=2))
    L = square_of_radius(instance) / (instance.gamma or 1) + instance.lam
    eta, m = draw(among(Qs("1/10", "1/8", "3/20"))) / L, draw(among((20, 24, 30)))
    return instance.but(options={"m": m, "eta": eta, "option": "II"})


@st.composite
def svrg_laws(draw: DrawFn) -> Instance:
    """Starts of a short round of SVRG with option II."""
    instance = draw(sums("svrg", RATIOS, losses=RATIONAL_SMOOTH, max_n=2, max_d=2))
    return instance.but(options={"m": draw(among((1, 2, 3))), "option": "II"})


def sag_starts() -> SearchStrategy[Instance]:
    """Starts of the SAG of the theorem, ridge, lam >= R^2/gamma: the bound then says something after some 50 steps."""
    shape: dict[str, object] = {
        "losses": ("squared",),
        "max_n": 3,
        "max_d": 2,
        "kinds": ("equal", "aligned", "unit", "free"),
    }
    return sums("sag", Qs(1, 4, 10), start=FAR, options=ANALYSED, **shape)


# The same with the regularizer outside the table.
sag_starts_outside = Pool(
    "baselines.sag_starts_outside", lambda: sag_starts().map(lambda instance: instance.but(options=OUTSIDE))
)
# Short trajectories of the SAG of the theorem, all smooth rational losses.
sag_starts_any = Pool(
    "baselines.sag_starts_any", sums, "sag", Qs("1/3", 1, 4), losses=RATIONAL_SMOOTH, max_n=2, max_d=2, options=ANALYSED
)
# Starts of SAG with the regularizer outside the table, all smooth rational losses.
outside_any = partial(sums, "sag", Qs("1/100", "1/10", "1/3", 1, 4), losses=RATIONAL_SMOOTH, max_n=4, max_d=2)
sag_starts_outside_any = Pool("baselines.sag_starts_outside_any", outside_any, options=OUTSIDE)


@st.composite
def sag_states_outside(draw: DrawFn) -> Instance:
    """States of it: any w, any table, and 1 to 4 steps."""
    instance = draw(outside_any(known=(0, 1), options=OUTSIDE))
    n, d = len(instance.rows), len(instance.rows[0])
    extra = instance.extra | further(w=tuple(draw(among(COORDINATES)) for _ in range(d)))
    return instance.but(extra=extra, path=tuple(draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4))))
