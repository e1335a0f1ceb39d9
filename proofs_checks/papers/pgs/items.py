"""PGS, what the paper states, in its order.

Many glyphs of the formulas are missing in our copy: i, small 1 and +, the letters that distinguish p from q, the places
of equation numbers.
"""

from dualgap.proofs_checks.claims.papers import Assessment, listed, register_paper

PAPER = register_paper(
    "pgs",
    "*Inverse Time Dependency in Convex Regularized Learning*: Zhu, Chen, Zhu, Wang, Wang, Chen, IEEE ICDM 2009, pp."
    " 667-676",
    "docs/pgs.md",
    listed(__file__),
    assessment=Assessment(
        tested=(
            "The definitions and lemmas of duality, the regret bound, Theorems 1 and 3, the algebra of Theorem 2, and"
            " the algorithms of Figures 1 and 2."
        ),
        good=(
            "The duality lemmas behind the p-norm updates are correct, and so is the main idea: with H_T = 1 +"
            " 1/2 + ... + 1/T instead of log T, the regret bound and Theorem 1 hold for every T."
        ),
        wrong=(
            "Theorem 1 and Corollary 1 fail at T = 1, where log T = 0. Proposition 1 fails on the boundary of"
            " the ball. The identity before (17) is an inequality. The others are slips: an index in Lemma 1, a"
            " letter in Figure 2, an argmin, and two numbers about RCV1 that contradict each other."
        ),
        repaired=(
            "Each of these has a repaired form that holds, except for the two numbers. The inequality before"
            " (17) is all that the proof of Theorem 1 needs."
        ),
        untested="The accuracies on the CCAT data, and a step of Theorem 2 that is quoted from another paper.",
    ),
)
