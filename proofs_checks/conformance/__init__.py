"""Test implementations in any language. Here are the vectors, the protocol of ports and the verdicts (docs/ports.md).

May import: claims, engines, evidence, report, fast, reference.
"""
