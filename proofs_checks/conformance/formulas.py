"""The formula that a call evaluates, with its source: what a failure cites."""

CALLS = {
    "loss.value": "phi(z) of the loss table (ASPDC, section 2)",
    "loss.derivative": "phi'(z) (ASPDC, line 5, eq. (4))",
    "loss.conjugate": "phi*(alpha) = sup_z alpha z - phi(z), +infinity outside its domain",
    "loss.residual": "phi(z) + phi*(alpha) - alpha z >= 0 (Fenchel and Young)",
    "loss.dual_step": "argmin_a phi*(a) - a z + (q/2)(a - alpha)^2 (SDCA, line 4; SPDC (7) with q = 1/sigma)",
    "regularizer.value": "g(w) = (lam/2)||w||^2 + l1 ||w||_1",
    "regularizer.conjugate": "g*(-u) = ||soft(-u, l1)||^2/(2 lam)",
    "regularizer.minimizer": "grad g*(-u) = soft(-u/lam, l1/lam)",
    "regularizer.prox": "soft(w, tau l1)/(1 + tau lam) (SPDC (8))",
    "gap": "P(w) - D(alpha), with its sign",
    "certificate": "P(w), D(alpha) and P(w) - D(alpha) (ASPDC, section 2)",
    "view": "(w, alpha) of a state",
}
METHODS = {
    "aspdc": "ASPDC, Algorithm 1: alpha_i = phi_i'(x_i^T w) (line 5), v = v - ((alpha_i+ - alpha_i)/(lam n)) x_i (line 7)",
    "sdca": "SDCA: alpha_i = argmin_a phi_i*(a) - a z + (q/2)(a - alpha_i)^2, q = ||x_i||^2/(lam n) (line 4); line 6 as ASPDC's line 7",
    "spdc": "SPDC, Algorithm 1: the dual step at w_bar (7), the prox at u + (alpha_k+ - alpha_k) x_k (8), u (9), w_bar = w+ + theta (w+ - w) (10)",
    "spdc-minibatch": "SPDC, Algorithm 2: all dual steps at one w_bar (13), the prox at u + (1/m) sum_K (alpha_k+ - alpha_k) x_k (14)",
    "spdc-nonuniform": "SPDC, Algorithm 3: the dual step with q = p_k n/sigma (26), the prox at u + ((alpha_k+ - alpha_k)/(p_k n)) x_k (27)",
    "pgs": "PGS: acc = acc - (1/k) sum_A phi_i'(x_i^T w) x_i, w = soft(acc/(t+1)/lam, l1/lam)",
}
STARTS = {
    "spdc": "u = X^T alpha/n, w = w_bar = w(alpha)",
    "dual": "v = -X^T alpha/(lam n) (ASPDC, line 2)",
    "pgs": "w = acc = total = 0, t = 0",
}


def formula(call: str, method: str) -> str:
    """The formula of a call, and for a call that steps, of the method.

    >>> formula("gap", "gap")
    'P(w) - D(alpha), with its sign'
    """
    if call == "init":
        return STARTS["pgs" if method == "pgs" else "spdc" if method.startswith("spdc") else "dual"]
    return CALLS[call] if call in CALLS else METHODS[method]
