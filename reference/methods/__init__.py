"""One file for each method with its paper's pseudocode, and the orders in which rows are drawn. Formulas of losses and
regularizers are in ``problem``.

May import: numbers, problem.
"""
