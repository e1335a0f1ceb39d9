"""Items of the methods that the papers compare with. We had no copy of these documents, so this lists only what the
claims are about, from secondary sources.
"""

from dualgap.proofs_checks.claims.papers import Item, register_paper

RESTATED = "we had no copy of this paper: the statement is our restatement and was not compared with the printed text"

PAPER = register_paper(
    "baselines",
    "ASDCA: Shalev-Shwartz and Zhang, Math. Program. 2016; SAG: Le Roux, Schmidt and Bach, NIPS 2012 and Math. Program."
    " 2017; SVRG: Johnson and Zhang, NIPS 2013; AFG: Nesterov, Math. Program. 2013; L-BFGS: Nocedal and Wright,"
    " Numerical Optimization; Newton: Byrd, Chin, Neveitt and Nocedal, SIAM J. Optim. 2011, and Qi and Sun, Math."
    " Program. 1993; SPD1, SPD1-VR: Tan, Zhang, Ma and Liu, NeurIPS 2018; Pegasos: Shalev-Shwartz, Singer, Srebro and"
    " Cotter, Math. Program. 2011",
    "docs/baselines.md",
    (
        Item(
            "ASDCA, procedure",
            "the procedure and the choice of its constants",
            code=("extras/baselines/asdca/reference.py",),
        ),
        Item("ASDCA, guarantee", "the theorem on the procedure"),
        Item("ASDCA, stopping rules", "the end of the procedure"),
        Item(
            "SAG, method",
            "the algorithm, both divisors, the regularizer in the table or not",
            code=("extras/baselines/sag/reference.py", "extras/baselines/sag/lazy.py"),
        ),
        Item("SAG, Theorem 1", "Math. Program. 2017, Theorem 1"),
        Item(
            "SVRG, procedure",
            "the procedure, options I and II",
            code=("extras/baselines/svrg/reference.py", "extras/baselines/svrg/lazy.py"),
        ),
        Item(
            "SVRG, (8)",
            "the bound on the variance, in the proof of Theorem 1",
            why="a step of the proof of Theorem 1, which Coq checks",
        ),
        Item("SVRG, Theorem 1", "Theorem 1 and its proof"),
        Item("AFG, (4.9)", "method (4.9), with its line search", code=("extras/baselines/afg/reference.py",)),
        Item("AFG, rate", "the theorem on method (4.9)"),
        Item(
            "L-BFGS",
            "section 7.2",
            code=("extras/baselines/lbfgs/compiled.py",),
            why="it promises no rate that could be tested",
        ),
        Item(
            "Newton",
            "sub-sampled, semismooth",
            code=tuple(f"extras/baselines/{name}/compiled.py" for name in ("newton", "l1_newton", "proximal_newton")),
            why="our own combination, which promises no rate; tests compare its certificates with exact optima",
        ),
        Item(
            "SPD1",
            "the method section",
            code=("extras/baselines/spd1/reference.py",),
            why="its lines and constants could not be had: the definition is our own",
        ),
        Item(
            "SPD1-VR",
            "the method section",
            code=("extras/baselines/spd1_vr/reference.py",),
            why="its lines and constants could not be had: the definition is our own",
        ),
        Item(
            "Pegasos, procedure", "the procedure, with and without projection", code=("reference/methods/pegasos.py",)
        ),
        Item("Pegasos, Lemma 1", "Lemma 1: the regret"),
        Item("Pegasos, Theorem 1", "Theorem 1 and its corollary on the average"),
    ),
)
