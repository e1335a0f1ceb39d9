"""The journal paper that the slides restate. It was not at hand: only what the claims are about is listed, as it is
known from elsewhere.
"""

from dualgap.proofs_checks.claims.papers import Item, register_paper

RESTATED = (
    "the journal paper was not at hand: restated, with R = max ||x_i|| and the gap B at the start where it assumes at"
    " most 1, and held against no print; neither it nor the slides are accused"
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
        Item("Lemma 2", "Lemma 2: D at the start"),
    ),
)
