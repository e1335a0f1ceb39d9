"""One file for each method, its paper's pseudocode, and the orders in which rows are drawn. Formulas of losses and
regularizers live in ``problem``.

May import: numbers, problem.
"""
