"""The two papers on CoCoA, of which we had only the abstracts."""

from dualgap.proofs_checks.claims.papers import listed, register_paper

RESTATED = "we had only the abstract: the statement is our restatement and was not compared with the printed text"

PAPER = register_paper(
    "cocoa",
    "Adding vs. Averaging in Distributed Primal-Dual Optimization (CoCoA+): Ma, Smith, Jaggi, Jordan, Richtarik and"
    " Takac, ICML 2015; Communication-Efficient Distributed Dual Coordinate Ascent (CoCoA): Jaggi et al., NIPS 2014",
    "docs/cocoa.md",
    listed(__file__),
)
