"""About this library, no paper: what its certificates say."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("certificate", "ours: what the certificates of this library say", "docs/certificates.md")
