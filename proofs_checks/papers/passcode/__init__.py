"""PASSCoDe: items, claims."""
