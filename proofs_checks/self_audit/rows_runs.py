"""Planted bugs in what a user runs: certificates, readers of files, samplers, steps of methods."""

from dualgap.proofs_checks.self_audit import inputs, samplers
from dualgap.proofs_checks.self_audit.worlds import Bugs

BUGS: Bugs = {
    (inputs.allowances, "fast.problem.row_sums"): {
        "certificate.first-norm-for-all-rows: the allowance of sparse rows takes the first norm for all": (
            "sizes_of_row(gamma, z[i], a[i], y_of[i], norms2[start + i])",
            "sizes_of_row(gamma, z[i], a[i], y_of[i], norms2[0])",
        )
    },
    (inputs.convergence, "fast.problem.certificate"): {
        "certificate.target-of-the-dual: a relative target is relative to the dual": (
            "abs(self.primal)",
            "abs(self.dual)",
        ),
        "certificate.converged-by-computed-gap: converged is decided by the computed gap": ("gap_bound <=", "gap <="),
        "certificate.never-compensated: no compensated certificate is made": (
            "return Certificate(problem, found.w, found.alpha, True, found.intercept, compared=True)",
            "return found",
        ),
    },
    (inputs.mapped_files, "fast.data.memory_mapped"): {
        "mapped.one-block-verified: verify reads the first block alone": (
            "range(0, len(numbers), BYTES_READ_AT_ONCE)",
            "range(0, min(len(numbers), BYTES_READ_AT_ONCE), BYTES_READ_AT_ONCE)",
        )
    },
    (inputs.mapped_files, "fast.data.mapped_file"): {
        "mapped.any-kind-of-array: mapped arrays of any kind": ("kind != dtype or len(shape) != 1", "len(shape) != 1")
    },
    (inputs.indices, "fast.data.libsvm"): {
        "libsvm.long-indices-refused: indices of ten digits are refused": ("(digits) < 19 else", "(digits) < 10 else")
    },
    (inputs.bits_beside_values, "proofs_checks.conformance.protocol.hex_floats"): {
        "vectors.bits-not-looked-at: the bits of an exact number are not checked": (
            "!= digits or any(float(rational(word)) != decode(digits) for word in exact):",
            "!= digits:",
        )
    },
    (inputs.bounds, "fast.problem.gap_bound"): {
        "certificate.error-of-u-lost: the error of u is left out of the bound": ("k(rows.terms + 4) * alpha", "0.0"),
        "certificate.error-of-z-lost: the error of x^T w is left out of the bound": (
            "e_z, e_u = k(rows.longest + 4) * norm * w_length, k(rows.terms + 4) * alpha",
            "e_z, e_u = 0.0, k(rows.terms + 4) * alpha",
        ),
        "certificate.slope-of-hinge-lost: the slope of hinge and absolute is left out": (
            "additive += rows.slope * e_z",
            "additive += 0.0 * e_z",
        ),
        "certificate.squares-not-roots: roots are not added but their squares": (
            "relative * ((root + error) * (root + error) + additive)",
            "relative * (root * root + error * error + additive)",
        ),
        "certificate.every-bound-infinite: every bound is infinite": ("value if value >= 0 else math.", "math."),
    },
    (inputs.bounds, "fast.problem.compensated"): {
        "certificate.compensated-sum-errors-lost: compensated sums forget the errors of the sums": (
            "return s, low + (s_error + p_error)",
            "return s, low + p_error",
        )
    },
    (inputs.shares, "fast.problem.intercept"): {
        "certificate.share-rounded-down: the share of the second point of a free intercept is rounded down": (
            "(abs(total) + error) / (abs(opposite) - off) * (1 + 8 * UNIT) + TINY",
            "abs(total) / abs(opposite) * (1 - 8 * UNIT)",
        )
    },
    (inputs.links, "fast.problem.multinomial"): {
        "certificate.links-rounded-up: the links of the classes of a multinomial problem are rounded up": (
            "* (1 - k(2 * n + 32) - 8 * rho) - 4 * n * TINY",
            "* (1 + k(2 * n + 32))",
        )
    },
    (inputs.believed, "fast.problem.own_loss"): {
        "certificate.own-loss-believed: a compiled loss that gives an error bound is believed": (
            "            require_compiled(self.code, loss)\n",
            "            pass\n",
        )
    },
    (inputs.underflows, "fast.problem.gap_bound"): {
        "certificate.weighted-underflow-lost: what weighted products lose to underflow is left out": (
            " + 8 * TINY * rows.lost",
            "",
        )
    },
    (inputs.underflows, "fast.problem.block_objective"): {
        "certificate.block-squares-not-scaled: the squares of a block's alpha are not scaled": (
            "np.frexp(np.maximum.reduceat(size, starts))[1]",
            "np.zeros(starts.size, int)",
        )
    },
    (inputs.underflows, "fast.problem.evaluated"): {
        "certificate.squares-in-ball-lost: what squares lose in a small ball is left out": (
            " + lost_in_ball(objective, w, minus_u)",
            "",
        )
    },
    (inputs.flushed, "fast.problem.certificate"): {
        "certificate.subnormals-as-0: a certificate is made where subnormal numbers count as 0": (
            "        require_subnormals()\n",
            "",
        )
    },
    (inputs.changes, "fast.problem.arrays"): {
        "rows.change-in-place-not-noticed: a change of the rows in place is not noticed": (
            "if self.mark != _mark(problem):",
            "if False:",
        )
    },
    (inputs.changes, "fast.problem.certificate"): {
        "certificate.rows-changed-in-place: a certificate does not ask whether the rows have changed": (
            "        if not compared:\n            require_unchanged(problem)\n",
            "",
        )
    },
    (inputs.changes, "fast.solver.run"): {
        "run.rows-changed-in-place: a run does not ask at its end whether the rows have changed": (
            "        require_unchanged(self.problem)\n",
            "",
        )
    },
    (inputs.changes, "fast.problem.native"): {
        "rows.checksum-is-a-sum: the checksum is a sum": (
            "h = h ^ word\n    h = h + (h << LEFT)\n    return h ^ (h >> RIGHT)",
            "return h + word",
        )
    },
    (inputs.index_types, "fast.problem.native"): {
        "rows.short-indices: indices of 16 bits are read as 32 bits": (
            'native(values, unsigned if values.dtype.kind == "u" else signed).view(unsigned)',
            "np.resize(values.view(np.uint8), values.size * signed().itemsize).view(unsigned)",
        )
    },
    (inputs.shown, "reference.numbers.shown_bound"): {
        "bounds.nearest-decimal: a bound is shown as the nearest decimal": ("=ROUND_CEILING", '="ROUND_HALF_EVEN"')
    },
    (inputs.resumed, "fast.problem.certificate"): {
        "run.resumed-with-plain-sums: a resumed run takes plain sums": (
            "Certificate(problem, w, alpha, compensated)",
            "Certificate(problem, w, alpha)",
        )
    },
    (samplers.sdca_random, "reference.methods.sampling"): {
        "sdca-random.draws-keep-too-often: sdca-random draws a keep where random t < 1.25": (
            ".random(n) * age < 1)",
            ".random(n) * age < 1.25)",
        )
    },
    (samplers.pgs, "reference.methods.pgs"): {
        "pgs.draws-keep-too-often: pgs draws a keep where random t < 1.5": ("rounds < 1", "rounds < 1.5")
    },
    (samplers.kept, "reference.methods.sdca"): {
        "sdca-random.first-state-kept-twice: sdca-random keeps the first state twice as long": (
            "keep = Fraction(1, state.t + 1 - self.T0)",
            "keep = Fraction(1, state.t + 2 - self.T0)",
        )
    },
    (samplers.laws, "reference.methods.sampling"): {
        "sampling.last-row-never-drawn: the last row is never drawn": ("n, size=n,", "max(1, n - 1), size=n,"),
        "sampling.same-rows-every-pass: every pass draws the same rows": (
            "[seed, epoch, stream] if stream else [seed, epoch]",
            "[seed, 0, stream] if stream else [seed, 0]",
        ),
        "sampling.subsets-never-begin-with-last: Floyd's subsets never hold the last row first": ("+ b + 1,", "+ b,"),
        "sampling.systematic-from-row-0: systematic batches begin at row 0": (
            "generator.integers(n, size=(steps, 1), dtype=np.int64) + np.arange(m) * n",
            "0 * generator.integers(n, size=(steps, 1), dtype=np.int64) + np.arange(m) * n",
        ),
        "sampling.square-of-the-weight: weighted rows are drawn by the square of the weight": (
            "np.array(weights, dtype=np.float64))",
            "np.array(weights, dtype=np.float64) ** 2)",
        ),
        "sampling.partitions-as-subsets: partitions state the probability of subsets": ("block**m", "comb(n, m)"),
    },
    (samplers.spdc, "reference.methods.spdc"): {
        "spdc.mix-of-lam: spdc's default mix takes lam for the modulus": (
            "sqrt(sqrt(problem.n * problem.regularizer.modulus *",
            "sqrt(sqrt(problem.n * problem.regularizer.lam *",
        )
    },
    (samplers.passcode, "reference.methods.passcode"): {
        "passcode.bit-for-every-write-in-flight: PASSCoDe's mask has one bit for every write in flight": (
            "bit += owner != worker",
            "bit += 1",
        ),
        "passcode.bit-for-every-step: PASSCoDe's mask has one bit for every step": (
            "                bit += owner != worker\n",
            "            bit += owner != worker\n",
        ),
        "passcode.own-writes-not-seen: a worker of PASSCoDe does not see its own writes": (
            "if owner == worker or not self.racy or",
            "if not self.racy or",
        ),
    },
}
