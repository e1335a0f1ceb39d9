"""No paper's claims, ours: what the certificates of this library say."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("certificate", "ours: what the certificates of this library say", "docs/certificates.md")
