"""The levels of evidence that a claim can list, and the mutants that it must kill. The mathematics behind a level lives
in ``engines``.

May import: claims, engines, fast, reference.
"""
