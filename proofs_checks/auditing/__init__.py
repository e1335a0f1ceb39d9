"""The audit of claims, the index of claims, and counterexample files. What a claim is lives in ``claims``, what is
printed in ``report``.

May import: claims, engines, evidence, fast, reference.
"""
