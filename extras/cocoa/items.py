"""The two papers on CoCoA, of which we had only the abstracts, and their companion code, which we read."""

from dualgap.proofs_checks.claims.papers import Item, register_paper

METHOD = "extras/cocoa/reference.py"
RESTATED = "we had only the abstract: the statement is our restatement and was not compared with the printed text"
CODE = "src/main/scala/solvers/CoCoA.scala of gingsmith/cocoa at 5363b92"

PAPER = register_paper(
    "cocoa",
    "Adding vs. Averaging in Distributed Primal-Dual Optimization (CoCoA+): Ma, Smith, Jaggi, Jordan, Richtarik and"
    " Takac, ICML 2015; Communication-Efficient Distributed Dual Coordinate Ascent (CoCoA): Jaggi et al., NIPS 2014",
    "docs/cocoa.md",
    (
        Item("Adding", "CoCoA+, abstract", "allows for additive combination of local updates", (METHOD,)),
        Item("Averaging", "CoCoA+, abstract", "only allow conservative averaging", (METHOD,)),
        Item("Non-smooth losses", "CoCoA+, abstract", "cover non-smooth convex loss functions"),
        Item("Algorithm 1", "CoCoA+, the framework", code=(METHOD, "extras/cocoa/compiled.py")),
        Item("Local subproblem", "CoCoA+, the data-local subproblem", code=(METHOD,)),
        Item("Sum of subproblems", "CoCoA+, the lemma on D and the subproblems"),
        Item("Safe sigma'", "CoCoA+, the lemma on sigma' = gamma K"),
        Item("Local improvement", "CoCoA+, the assumption on Theta, and local SDCA as a solver that meets it"),
        Item("One round", "CoCoA+, the lemma on the increase of D in a round"),
        Item("Smooth losses", "CoCoA+, the theorem on smooth losses"),
        Item("Lipschitz losses", "CoCoA+, the theorem on Lipschitz losses"),
        Item("Local SDCA in code", CODE, code=(METHOD,)),
    ),
)
