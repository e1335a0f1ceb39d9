"""Test implementations in any language: the vectors, the protocol of ports and the verdicts (docs/ports.md).

May import: claims, engines, evidence, report, fast, reference.
"""
