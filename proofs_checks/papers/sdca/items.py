"""The SDCA part of the slides: their statements, in their order, and those of the journal paper that we check.

A place is the title of a slide; the slides have no numbers. We had no copy of the journal paper: the list has only the
statements that claims are about, as they are known from elsewhere.
"""

from dualgap.proofs_checks.claims.papers import Assessment, Item, register_paper

LOSSES, METHOD, PROBLEM = ((f"reference/{name}.py",) for name in ("problem/losses", "methods/sdca", "problem/problem"))
SMOOTHING = "measured with version 0.1.0 on sets that stand in for these (docs/experiments/sdca-smoothing.md)"
DEFINITION = "a definition without a further statement about it"
OF_G = "a definition; the claim on g speaks of it"
CONSTANTS = "the constants of the journal paper, which the slides drop, are a claim of it (sdca-jmlr)"
ITEMS = (
    Item("Primal Problem", "Lagrangian Duality, Dual Problem", "Lagrangian Duality Dual Problem Primal Problem"),
    Item("Lagrangian Function", "Lagrangian Duality, Dual Problem", r"Lagrangian Function ... \lambda_i \geq 0"),
    Item("Dual Function", "Lagrangian Duality, Dual Problem", r"Dual Function ... \inf_{x \in D}", why=OF_G),
    Item("g is concave", "Lagrangian Duality, Dual Problem, last line", "is a concave function"),
    Item("Formulation", "Optimization Objective", "Optimization Objective Formulation", PROBLEM),
    Item("Parameters", "Optimization Objective", "Scalar convex functions", LOSSES, why="the assumption on every loss"),
    Item("SGD: O(1/n)", "Optimization Objective, Parameters", "functions. - SGD: $O(1/n)$"),
    Item("Examples", "Optimization Objective, Examples", "- Ridge Regression:", LOSSES),
    Item("Dual Problem", "SDCA, Dual Problem", r"= \frac{1}{n} \sum_{i=1}^n -\phi_i^*(-\alpha_i)", PROBLEM),
    Item("Conjugate function", "SDCA, Dual Problem", r"Conjugate function: ... \max_z", LOSSES, why=DEFINITION),
    Item(
        "Derivation",
        "SDCA, Dual Problem, Derivation",
        r"\alpha_i (y^T x_i - z_i)",
        formula=(
            r"$\frac{1}{n} \sum_{i=1}^n \inf_{z_i} \{\phi_i(z_i) - \alpha_i z_i\} + \dots = \frac{1}{n} "
            r"\sum_{i=1}^n -\phi_i^*(-\alpha_i) - \dots$"
        ),
    ),
    Item("Relationship", "SDCA, Relationship", r"Relationship $$w(\alpha) = \frac{1}{\lambda n}", PROBLEM),
    Item("L-Lipschitz continuous", "SDCA, after Relationship", "L -Lipschitz continuous", LOSSES, why=DEFINITION),
    Item("1/gamma-smooth", "SDCA, after Relationship", "is differentiable and its derivative is", LOSSES),
    Item("Remark", "SDCA, Remark", "is γ strongly convex"),
    Item("Figure 1", "Figure 1: Procedure SDCA", "Figure 1: Procedure SDCA", METHOD),
    Item("Figure 1, output", "Figure 1: Procedure SDCA, Averaging option", "Output (Averaging option)", METHOD),
    Item(
        "Th1",
        "Theorem, Th1",
        "-Lipschitz for all i",
        why=CONSTANTS,
        formula=(
            r"$T \ge T_0 + n \frac{4 L^2}{\lambda \varepsilon}$, for $\mathbb{E}[P(\bar{w}) - "
            r"D(\bar{\alpha})] \le \varepsilon$"
        ),
    ),
    Item(
        "Th2",
        "Theorem, Th2",
        "-smooth for all i",
        why=CONSTANTS,
        formula=(
            r"$T \ge (n + \frac{1}{\lambda \gamma}) \log ((n + \frac{1}{\lambda \gamma}) \cdot "
            r"\frac{1}{\varepsilon})$, for $\mathbb{E}[P(\bar{w}) - D(\bar{\alpha})] \le \varepsilon$"
        ),
    ),
    *(
        Item(f"Figure {k}", title, quote, why=SMOOTHING)
        for k, title, quote in (
            (2, "Linear Convergence For Smooth Hinge-Loss", "Linear Convergence For Smooth Hinge-Loss"),
            (3, "Convergence For Non-smooth Hinge-loss", "Figure 3: Experiments with the hinge-loss (non-smooth)"),
            (4, "Effect of Smoothness Parameter", "Duality gap as a function of the number of rounds"),
            (5, "Comparison To SGD", "Comparing the primal sub-optimality of SDCA and SGD"),
        )
    ),
)
WHY = {
    **dict.fromkeys(("Primal Problem", "Lagrangian Function"), OF_G),
    "SGD: O(1/n)": "the quantity of this order, the method and the step are not stated: nothing to test",
    "1/gamma-smooth": DEFINITION,
    "Examples": "definitions of losses",
    **dict.fromkeys(("Figure 3", "Figure 4", "Figure 5"), "the slides name neither data nor lam, nor the step of SGD"),
}
PAPER = register_paper(
    "sdca",
    "slides on *Stochastic Dual Coordinate Ascent*, Liu, University of Science and Technology of China, 2017",
    "docs/sdca.md",
    ITEMS,
    WHY,
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
        Item("Figure 1, random option", "procedure SDCA, output", code=METHOD),
        Item("Theorem 1", "Theorem 1 and its proof"),
        Item("Theorem 2", "Theorem 2 and its proof"),
        Item("Lemma 1", "Lemma 1: the increase of D in a step"),
    ),
)
