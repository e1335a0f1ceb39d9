"""Items of the methods that the papers compare with. We had no copy of these documents, so this lists only what the
claims are about, from secondary sources.
"""

from dualgap.proofs_checks.claims.papers import listed, register_paper

RESTATED = "we had no copy of this paper: the statement is our restatement and was not compared with the printed text"

PAPER = register_paper(
    "baselines",
    "ASDCA: Shalev-Shwartz and Zhang, Math. Program. 2016; SAG: Le Roux, Schmidt and Bach, NIPS 2012 and Math. Program."
    " 2017; SVRG: Johnson and Zhang, NIPS 2013; AFG: Nesterov, Math. Program. 2013; L-BFGS: Nocedal and Wright,"
    " Numerical Optimization; Newton: Byrd, Chin, Neveitt and Nocedal, SIAM J. Optim. 2011, and Qi and Sun, Math."
    " Program. 1993; SPD1, SPD1-VR: Tan, Zhang, Ma and Liu, NeurIPS 2018; Pegasos: Shalev-Shwartz, Singer, Srebro and"
    " Cotter, Math. Program. 2011",
    "docs/baselines.md",
    listed(__file__),
)
