"""The statements of the papers, a folder for each: claims, mutants, strategies and terms. What several papers need
lives in the rooms below.

May import: claims, conformance, engines, evidence, strategies, fast, reference.
"""
