"""Bugs planted into checkers, certificates, the judge and the samplers, and the functions that must notice them. The
audit of claims lives in ``auditing``.

May import: auditing, claims, conformance, engines, evidence, strategies, fast, reference.
"""
