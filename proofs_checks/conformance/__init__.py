"""Conformance of solvers in any language: vectors, protocol and judgement (docs/ports.md). Claims live in ``papers``.

May import: claims, engines, evidence, report, fast, reference.
"""
