"""Conformance: vectors, protocol and judgement for solvers in any language (docs/ports.md)."""
