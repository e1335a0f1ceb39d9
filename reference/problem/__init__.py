"""What is minimised: losses, regularizers, norms, the problem in vectors and in blocks, and the validation of all
input. No method lives here.

May import: numbers.
"""
