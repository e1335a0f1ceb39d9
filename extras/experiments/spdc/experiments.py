"""SPDC's Figure 1: ridge regression on synthetic data."""

from dualgap.extras.experiments.studies import Methods, Saying, Solver, Study, condition, ridge
from dualgap.reference import Problem


def asdca(problem: Problem) -> Solver:
    """ASDCA; SDCA where its kappa = R^2/(gamma n) - lam is not positive, as its authors say."""
    return Solver("sdca" if condition(problem) <= 1 else "asdca")


METHODS: Methods = {
    "spdc": Solver("spdc"),
    "spdc nonuniform": Solver("spdc-nonuniform"),
    "sdca": Solver("sdca"),
    "sag": Solver("sag"),
    "asdca": asdca,
    "afg": Solver("afg"),
    "l-bfgs": Solver("lbfgs"),
}
SUBSTANTIAL = 1.5  # times the passes
TIMES = f"(here: its rival takes more than {SUBSTANTIAL:g} times the passes)"
ILL = "Section 7.1, Figure 1: for condition numbers above n SPDC"
SMALL = {  # for small lam: rival, what the paper says, and how many times the passes that is
    "sag": (f"{ILL} converges substantially faster than SAG {TIMES}", SUBSTANTIAL),
    "sdca": (f"{ILL} converges substantially faster than SDCA {TIMES}", SUBSTANTIAL),
    "l-bfgs": (f"{ILL} is notably faster than L-BFGS {TIMES}", SUBSTANTIAL),
    "afg": (f"{ILL} is faster than AFG", 1.0),
    "asdca": (f"Section 7.1, Figure 1: SPDC is substantially faster than ASDCA for small lam {TIMES}", SUBSTANTIAL),
}
LARGE = "Section 7.1: for relatively large lam SAG, SDCA, ASDCA and SPDC are substantially faster than"
WEIGHTED = "Abstract, section 4: weighted sampling is better than uniform sampling on unnormalized data"
STOCHASTIC = ("sag", "sdca", "asdca", "spdc")

SPDC_FIG_1 = Study(
    "SPDC, Figure 1: ridge regression on synthetic data (n = d = 500), P - min P against passes",
    {
        "n": 500,
        "d": 500,
        "lams": [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6],
        "passes": 100,
        "repetitions": 10,
        "unit_rows": False,
    },
    METHODS,
    [
        *(
            Saying(paper, ["spdc"], [rival], least=least, where=lambda at: at["lam"] < 1e-2)
            for rival, (paper, least) in SMALL.items()
        ),
        *(
            Saying(
                f"{LARGE} {rival.upper()} {TIMES}",
                STOCHASTIC,
                [rival],
                least=SUBSTANTIAL,
                where=lambda at: at["lam"] >= 1e-2,
            )
            for rival in ("afg", "l-bfgs")
        ),
        Saying(WEIGHTED, ["spdc nonuniform"], ["spdc"]),
    ],
    draws="spdc-fig1",
    start=ridge,
    axes=["lam"],
    floor=1e-16,
)

EXPERIMENTS = {"spdc-fig1": SPDC_FIG_1.experiment()}
