"""Problems: losses, regularizers, norms, the problem in vectors and in blocks, and the validation of all input. No
method is here.

May import: numbers.
"""
