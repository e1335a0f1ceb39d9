"""Results of an audit as a page, on the terminal and in figures. Nothing here computes evidence.

May import: auditing, claims, fast, reference.
"""
