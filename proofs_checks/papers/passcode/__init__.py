"""PASSCoDe: claims."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("passcode", "*Parallel ASynchronous Stochastic dual Co-ordinate Descent*, Hsieh, Yu, Dhillon, ICML 2015", "docs/sdca.md")
