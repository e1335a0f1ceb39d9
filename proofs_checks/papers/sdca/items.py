"""The SDCA part of the slides: their statements, in their order, and those of the journal paper that we check.

A place is the title of a slide; the slides have no numbers. We had no copy of the journal paper: the list has only the
statements that claims are about, as they are known from elsewhere.
"""

from dualgap.proofs_checks.claims.papers import Assessment, Item, listed, register_paper

PAPER = register_paper(
    "sdca",
    "slides on *Stochastic Dual Coordinate Ascent*, Liu, University of Science and Technology of China, 2017",
    "docs/sdca.md",
    listed(__file__),
    assessment=Assessment(
        tested="The dual problem, the steps, and both theorems as the slides state them.",
        good=(
            "The steps and the dual problem are correct. So are the journal paper's theorems as we restate them: we"
            " had no copy of it."
        ),
        wrong=(
            "The slides omit hypotheses of the journal paper (norms of rows at most 1, losses bounded at 0)."
            " Without them both theorems are false. One line of the derivation of the dual has a wrong sign."
        ),
        repaired=(
            "Both theorems hold if the constants contain R = max ||x_i|| and a bound on the initial gap;"
            " Theorem 1 is proved in Coq."
        ),
        untested="The text of the journal paper, of which we had no copy.",
    ),
)
RESTATED = (
    "we had no copy of the journal paper: restated, with R = max ||x_i|| and the gap B at the start where it assumes at"
    " most 1, and not compared with its print; a verdict on it is none on the paper or the slides"
)
JMLR = register_paper(
    "sdca-jmlr",
    "the paper behind the slides: Shalev-Shwartz, Zhang, Stochastic Dual Coordinate Ascent Methods for Regularized Loss"
    " Minimization, JMLR 14, 2013",
    "docs/sdca.md",
    (
        Item("Figure 1, random option", "procedure SDCA, output", code=("reference/methods/sdca.py",)),
        Item("Theorem 1", "Theorem 1 and its proof"),
        Item("Theorem 2", "Theorem 2 and its proof"),
        Item("Lemma 1", "Lemma 1: the increase of D in a step"),
    ),
)
