"""Hypothesis strategies that several papers share, and those offered to other people. A paper's own strategies live in
its folder.

May import: claims, engines, reference.
"""
