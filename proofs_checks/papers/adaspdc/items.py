"""AdaSPDC, what the paper states, in its order; PDCP is printed in its section 2."""

from dualgap.proofs_checks.claims.papers import Assessment, listed, register_paper

PAPER = register_paper(
    "adaspdc",
    "*Adaptive Stochastic Primal-Dual Coordinate Descent for Separable Saddle Point Problems*: Zhu, Storkey, ECML "
    "PKDD 2015, LNAI 9284, pp. 645-658",
    "docs/adaspdc.md",
    listed(__file__),
    assessment=Assessment(
        tested=(
            "Algorithm 1, Theorem 1, condition (17), the closed forms of section 4, and the batch method PDCP"
            " that the paper starts from."
        ),
        good=(
            "The primal step for ridge regression and the dual step for the smooth hinge are correct. With"
            " equal row norms Theorem 1 is true."
        ),
        wrong=(
            "Theorem 1 is false: the primal step size comes from the rows of one sample, but the proof needs it"
            " to be small enough for the rows of the next. On two rows of different norm the method can diverge."
            " The other false statements are slips: a sign in the ridge step, SAG's constant, the size of"
            ' covtype, and "positive definite" where semidefinite is true and suffices.'
        ),
        repaired=(
            "With one step size, computed from the largest row norm, Theorem 1 is true for smooth losses with"
            " L2 or the elastic net (the method adaspdc-r); the case of one row per step is proved in Coq."
        ),
        untested="The results on covtype, url, quantum and protein, which we could not obtain.",
    ),
)
