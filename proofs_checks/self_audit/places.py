"""The modules into which ``audit --self`` plants bugs, where several rows name them."""

EVIDENCE, RELATIONS, REGISTRY = (
    "dualgap.proofs_checks.evidence.levels",
    "dualgap.proofs_checks.claims.relations",
    "dualgap.proofs_checks.claims.registry",
)
RESULT = "dualgap.proofs_checks.claims.result"
AUDITING, CONTEXT, CERTIFICATES = (
    "dualgap.proofs_checks.auditing.audit",
    "dualgap.proofs_checks.claims.context",
    "dualgap.proofs_checks.engines.certificate",
)
ENGINES, CONFORMANCE = "dualgap.proofs_checks.engines", "dualgap.proofs_checks.conformance"
JUDGE_OF_CLAIMS = "dualgap.proofs_checks.claims.judge"
