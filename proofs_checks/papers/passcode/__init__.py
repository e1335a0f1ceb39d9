"""PASSCoDe: claims."""
