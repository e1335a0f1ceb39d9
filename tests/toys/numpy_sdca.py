"""SDCA in numpy, written independently of this repository's: a right solver, and harmless variants of it (bugs:
``wrong_sdca``).

Every place where a bug is planted is a small method, so that a wrong solver differs from the right one only there.
"""

import numpy as np

from dualgap.reference import LOSSES


class Sdca:
    """solver(X, y, *, loss, lam, l1, gamma, tol, seed, start=None, intercept=False, sample_weight=None)."""

    order = "shuffled"
    every = 1  # passes between two certificates
    passes = 2000
    finite = staticmethod(np.isfinite)

    @property
    def name(self):
        return type(self).__name__

    # -- the parts -----------------------------------------------------------------------------------------------------

    def strength(self, lam, n):
        return lam

    def smoothness(self, gamma):
        return gamma

    def readable(self, X, y, lam, loss):
        """The rows as a dense array and y; ValueError for what is no problem."""
        X = self.rows(X)
        y = np.asarray(y, dtype=float)
        if X.ndim != 2 or not X.size or y.shape != X.shape[:1]:
            raise ValueError(f"X must be (n, d) and y (n,) (got {X.shape} and {y.shape})")
        if not (self.finite(X).all() and self.finite(y).all()):
            raise ValueError("X and y must be finite")
        if not self.allowed(lam):
            raise ValueError(f"lam must be > 0 and finite (got {lam})")
        if LOSSES[loss].margin and not np.isin(y, (-1.0, 1.0)).all():
            raise ValueError("labels must be -1 and 1")
        return X, y

    def allowed(self, lam):
        return np.isfinite(lam) and lam > 0

    def rows(self, X):
        return X.toarray() if hasattr(X, "toarray") else np.array(X, dtype=float)

    def read(self, n):
        return n

    def drawn(self, seed):
        return np.random.default_rng(seed)

    def inner(self, x, w):
        return float(x @ w)

    def norm2(self, x):
        return float(x @ x)

    def step(self, phi, z, a, y, q):
        return float(phi.dual_step(z, a, y, q))

    def change(self, delta):
        return delta

    def begin(self, start, n):
        return np.zeros(n) if start is None or start[1] is None else np.array(start[1], dtype=float)

    def finish(self, w, alpha, gap, tol):
        return w, alpha, gap <= tol

    def ordered(self, draw, n):
        if self.order == "shuffled":
            return draw.permutation(n)
        if self.order == "with replacement":
            return draw.integers(n, size=n)
        if self.order == "blocks":
            blocks = np.array_split(np.arange(n), max(1, n // 2))
            return np.concatenate([blocks[k] for k in draw.permutation(len(blocks))])
        return np.arange(n) if self.order == "cyclic" else np.arange(n)[::-1]

    # -- the whole -----------------------------------------------------------------------------------------------------

    def __call__(self, X, y, *, loss, lam, l1, gamma, tol, seed, start=None, intercept=False, sample_weight=None):
        X, y = self.readable(X, y, lam, loss)
        phi = LOSSES[loss](None if gamma is None else self.smoothness(gamma)).over(float)
        lam, l1 = self.strength(lam, len(y)), l1 * self.strength(lam, len(y)) / lam
        if sample_weight is not None:
            X, y, lam = self.weighted(X, y, lam, sample_weight)
        if intercept:
            return self.with_intercept(X, y, phi, lam, l1, tol, seed)
        w, alpha, gap = self.solved(X, y, phi, lam, l1, tol, seed, self.begin(start, len(y)))
        if sample_weight is not None:
            return w, None, gap <= tol
        return self.finish(w, alpha, gap, tol)

    @np.errstate(invalid="ignore")  # of the bug that takes infinite numbers
    def solved(self, X, y, phi, lam, l1, tol, seed, alpha, offset=0.0):
        """w, alpha and the gap of P(w) = mean phi(x^T w + offset) + g(w)."""
        n, draw = self.read(len(y)), self.drawn(seed)
        N, gap = len(y), np.inf
        v = -X.T @ alpha / (lam * N)
        norms, targets = [self.norm2(x) for x in X], y.tolist()
        for epoch in range(self.passes):
            for i in self.ordered(draw, n):
                w = np.sign(v) * np.maximum(abs(v) - l1 / lam, 0) if l1 else v
                new = self.step(phi, self.inner(X[i], w) + offset, float(alpha[i]), targets[i], norms[i] / (lam * N))
                v = v - self.change(new - alpha[i]) / (lam * N) * X[i]
                alpha[i] = new
            if epoch % self.every == 0:
                w = np.sign(v) * np.maximum(abs(v) - l1 / lam, 0) if l1 else v
                gap = self.gap(X, y, phi, lam, l1, w, alpha, offset)
                if gap <= tol:
                    break
        return w, alpha, gap

    def gap(self, X, y, phi, lam, l1, w, alpha, offset):
        """mean FY_i(z_i, alpha_i) + (lam/2)||w - w(alpha)||^2 and its part of l1: nonnegative terms."""
        z = X @ w + offset
        u = -X.T @ alpha / len(y)
        v = np.sign(u) * np.maximum(abs(u) - l1, 0) / lam
        residuals = sum(map(phi.residual, z.tolist(), alpha.tolist(), y.tolist()))
        g = lam / 2 * (w @ w) + l1 * abs(w).sum() + lam / 2 * (v @ v) - u @ w
        return residuals / len(y) + max(float(g), 0.0)

    def weighted(self, X, y, lam, sample_weight):
        """Integer weights are numbers of rows."""
        weights = np.asarray(sample_weight, dtype=float)
        times = (weights / weights[weights > 0].min()).astype(int)
        return np.repeat(X, times, axis=0), np.repeat(y, times), lam

    def with_intercept(self, X, y, phi, lam, l1, tol, seed):
        """min over b of min over w: the sum of alpha is the derivative, and bisected."""
        low, high = -16.0, 16.0
        for _ in range(60):
            b = (low + high) / 2
            w, alpha, gap = self.solved(X, y, phi, lam, l1, tol * 1e-6, seed, np.zeros(len(y)), b)
            low, high = (low, b) if alpha.sum() > 0 else (b, high)
        return np.append(w, b), alpha, True


def kind(name, base=Sdca, **parts):
    """An instance of a subclass with other parts."""
    return type(name, (base,), parts)()


right = Sdca()


def answers(change):
    """A ``finish`` that changes (w, alpha, converged)."""
    return lambda self, w, alpha, gap, tol: change(w, alpha, gap <= tol)


def w_alone(self, X, y, *, loss, lam, l1, gamma, tol, seed):
    """Without the options: there is no alpha to start from."""
    w, _, said = Sdca.__call__(self, X, y, loss=loss, lam=lam, l1=l1, gamma=gamma, tol=tol, seed=seed)
    return w, None, said


HARMLESS = [
    kind("cyclic", order="cyclic"),
    kind("backwards", order="backwards"),
    kind("with_replacement", order="with replacement"),
    kind("in_blocks", order="blocks"),
    kind("another_generator", drawn=lambda self, seed: np.random.Generator(np.random.MT19937(seed))),
    kind(
        "stricter",
        solved=lambda self, X, y, phi, lam, l1, tol, *rest: Sdca.solved(self, X, y, phi, lam, l1, tol / 16, *rest),
    ),
    kind("looks_every_third_pass", every=3),
    kind("returns_lists", finish=answers(lambda w, alpha, said: (w.tolist(), alpha.tolist(), said))),
    kind("returns_w_alone", __call__=w_alone),
    kind("refuses_csr", rows=lambda self, X: np.array(_not_csr(X), dtype=float)),
]


def _not_csr(X):
    if hasattr(X, "toarray"):
        raise TypeError("X must be dense: call X.toarray()")
    return X
