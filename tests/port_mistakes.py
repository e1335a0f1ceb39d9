"""Mistakes and harmless variants of the ports, each named once for C, JavaScript, Go and Rust (``port_places``)."""

WRONG, MISSED = "wrong: ", ""  # before a cause that is named, but not so; not named, although a cause describes it
INTEGERS = {"c": "({})@", "javascript": "String({})", "go": "int({}(@))", "rust": "json.index() as {} as usize"}


def integer(c: str, javascript: str, go: str, rust: str) -> tuple[str, dict[str, str]]:
    """How t is read when it passes through another type."""
    return "t as read", {n: text.format(by) for (n, text), by in zip(INTEGERS.items(), (c, javascript, go, rust))}


MISTAKES: dict[str, tuple] = {  # the cause that is named, None for none; the places, and what replaces them
    "columns from 1": ("columns-from-1", ("columns", "(@ + COLUMNS - 1) % COLUMNS")),
    "columns from -1": ("columns-from-1", ("columns", "(@ + 1) % COLUMNS")),
    "rows from 1 in SDCA": ("off-by-one-index", ("row of SDCA", "(@ + 1) % P.n")),
    "rows from -1 in ASPDC": ("off-by-one-index", ("row of ASPDC", "(P.n - 1 + @) % P.n")),
    "u without the last row": ("last-row-skipped", ("rows of u", "@ - 1")),
    "P and D without the last row": (MISSED, ("rows of P and D", "@ - 1")),
    "no label in ASPDC": ("label-dropped", ("residual of squared", "z")),
    "empty rows passed over": (
        "skipped-zero-row",
        ("new alpha", "IF P.starts[i] == P.starts[i + 1] THEN OLD ELSE @ END"),
    ),
    "v without 1/n": ("lost-one-over-n", ("c", "CHANGE / P.lam")),
    "q without 1/n": ("lost-one-over-n", ("q", "NORM / P.lam")),
    "u of alpha without 1/n": ("lost-one-over-n", ("mean of u", "1.0")),
    "u of SPDC without 1/n": ("lost-one-over-n", ("move of u", "change")),
    "the other sign in v": ("sign-of-alpha", ("move of v", "-(@)")),
    "w_bar as it was": ("stale-w-bar", ("w_bar", "OLD_BAR")),
    "w for w_bar": ("stale-w-bar", ("point of z", "w")),
    "theta is 0": ("no-extrapolation", ("theta", "0.0 * @")),
    "gamma of a derivative": (MISSED, ("gamma of a derivative", "1.0")),
    "gamma of a dual step": (MISSED, ("gamma of a dual step", "1.0")),
    "no threshold in a step": ("threshold-missing", ("threshold of a step", "0.0 * (@)")),
    "no threshold in the view": ("threshold-missing", ("threshold of the view", "0.0 * (@)")),
    "l1 for tau l1": ("threshold-missing", ("threshold of the prox", "l1")),
    "a prox without lam": ("prox-unscaled", ("scale of the prox", "")),
    "no delta": ("delta-ignored", ("delta", "0.0 * @")),
    "w moves along the new u": ("direction-over-n", ("direction", "ROWS")),
    "no weights": ("weight-ignored", ("weight", "(0.0 * @ + 1.0)")),
    "no damping": ("damping-ignored", ("q", "0.0 * @")),
    "a round that is not counted": ("early-count", ("rounds", "(@ - 1.0)")),
    "w is added after the step": (MISSED, ("w is added", "")),
    "no upper end": ("wrong-clip", ("upper end of a step", "1e300")),
    "no ends": ("wrong-clip", ("ends of a step", "-1e300, 1e300")),
    "alpha is not stored": ("alpha-not-written", ("stored", "OLD")),
    "init of SDCA at 0": ("init-ignores-alpha", ("v of init", "0.0 * (@)")),
    "init of SPDC at 0": ("init-ignores-alpha", ("u of init", "ZEROS")),
    "the view is w_bar": ("view-of-w-bar", ("w of the view", "w_bar")),
    "branches in turn": ("branches-in-turn", ("branches", "false")),
    "a trajectory of first steps": (None, ("trajectory", "true")),
    "lam of the first request": ("state-kept", ("kept", "lam")),
    "gamma of the first request": ("state-kept", ("kept", "gamma")),
    "answers in 32 bits": ("single-precision", ("result", "NARROW @ WIDE")),
    "a sum in 32 bits": (MISSED, ("total", "NARROW @ WIDE")),
    "text of 16 digits": ("few-digits", ("result", "digits(@, 16)")),
    "text of 15 digits": ("few-digits", ("result", "digits(@, 15)")),
    "text of 6 digits": ("few-digits", ("result", "digits(@, 6)")),
    "a decimal comma": ("decimal-comma", ("result", "comma(@)")),
    "one round of the root": ("newton-stopped-early", ("rounds of the root", "1")),
    "two rounds of the root": ("newton-stopped-early", ("rounds of the root", "2")),
    "a tolerance of 1e-6": ("newton-stopped-early", ("tolerance of the root", "1e-6")),
    "e^t that overflows": (None, ("sign of log(1 + e^t)", "false")),
    "a dead zone of 1e-6": (None, ("above the threshold", "v > s + 1e-6")),
    "a dead zone of 1e-12": (f"{WRONG}lost-one-over-n", ("above the threshold", "v > s + 1e-12")),
    "a threshold that is 1e-9 too small": (None, ("beyond the threshold", "v - (s - 1e-9)")),
    "changes below 1e-6 left out": (None, ("new alpha", "IF ABS(@ - OLD) < 1e-6 THEN OLD ELSE @ END")),
    "a gap without its sign": ("absolute-gap", ("gap", "ABS(@)")),
    "a gap cut off at 0": (None, ("gap", "MAX(@, 0.0)")),
    "four entries of a row": (None, ("entries of a product", "4")),
    "n - 1 for n": (None, ("c", "CHANGE / (P.lam * MAX(ROWS - 1.0, 1.0))")),
    "twice the change": (None, ("c", "2.0 * @")),
    "1.01 times log(1 + e^t)": (None, ("log(1 + e^t)", "1.01 * @")),
    "1.01 times the sigmoid": (None, ("sigmoid", "1.01")),
    "g without 1/2": (None, ("g", "2.0 * @")),
    "the product without its last entry": (None, ("entries left out", "1")),
    "an inner product with |x|": (None, ("factor of a product", "ABS(@)")),
}
LIMITS: dict[str, tuple] = {  # wrong at the limits of the representation: the subject whose cases show it
    "integers of 32 bits": ("integers", integer("int", "Number(value) | 0", "int32", "i32")),
    "integers through a double": ("integers", integer("long)(double", "Number(value)", "float64", "f64")),
    "integers through a float": (
        "integers",
        integer("long)(float", "BigInt(Math.fround(Number(value)))", "float32", "f32"),
    ),
    "integers printed in six digits": (
        "integers",
        (
            "t as written",
            {
                "c": 's->t > 99999 ? ",\\"t\\":%.0e" : ",\\"t\\":%.0f", (double)s->t',
                "javascript": '(_, t) => `"t":${t > 99999 ? Number(t).toExponential(0) : t}`',
                "go": 'strconv.FormatFloat(float64(v), []byte("fe")[int(pick(v > 99999, 1, 0))], 0, 64)',
                "rust": '&if *number > 99999 { format!("{:.0e}", *number as f64) } else { number.to_string() }',
            },
        ),
    ),
    "a row buffer of 64": ("long-rows", ("entries of a product", "64")),
    "a row buffer of 512": ("long-rows", ("entries of a product", "512")),
    "a norm of 512 entries": ("long-rows", ("entries of a norm", "512")),
    "changes below 1e-14 left out": ("tiny-changes", ("new alpha", "IF ABS(@ - OLD) < 1e-14 THEN OLD ELSE @ END")),
    "a domain with tolerance 1e-9": (
        "domains",
        ("lower end of a domain", "-1.1e-9"),
        ("upper end of a domain", "1.0 + 1.1e-9"),
    ),
    "a domain with tolerance 1e-15": (
        "domains",
        ("lower end of a domain", "-1.2e-15"),
        ("upper end of a domain", "1.0 + 1.2e-15"),
    ),
    "subnormals flushed": ("subnormals", ("stored", "IF ABS(@) < 2.2250738585072014e-308 THEN 0.0 ELSE @ END")),
    "a row in a byte": ("many-rows", ("row of SDCA", "(@ % 256)")),
    "rows of u counted in a byte": ("many-rows", ("rows of u", "@ % 256")),
    "rows of P and D counted in a byte": ("many-terms", ("rows of P and D", "@ % 256")),
    "a batch of 16": (
        "many-rows",
        (
            "batch",
            {
                "c": "K.count < 16 ? K.count : 16",
                "javascript": "@.slice(0, 16)",
                "go": "@[:int(math.Min(16, float64(len(@))))]",
                "rust": "@.into_iter().take(16).collect()",
            },
        ),
    ),
    "256 steps": (
        "many-steps",
        (
            "steps",
            {
                "c": "count < 256 ? @ : NULL",
                "javascript": ".slice(0, 256)",
                "go": "\t\tif len(states) > 255 {\n\t\t\tbreak\n\t\t}\n",
                "rust": ".iter().take(256)",
            },
        ),
    ),
    "columns of g counted in a byte": (
        "many-numbers",
        (
            "columns of g",
            {"c": "@ % 256", "javascript": ".slice(0, 256)", "go": "@[:len(@)%256]", "rust": "[..w.len() % 256]"},
        ),
    ),
    "a late view in a float": ("many-rows", ("t of the view", "NARROW @ WIDE")),
    "a domain that is open by 1e-300": ("beside-zero", ("lower end of a domain", "-1e-300")),
}
HARMLESS: dict[str, list] = {  # what only rounds, or writes, otherwise
    "fused product": [("fused", ""), ("total", "FMA(VALUE, ENTRY, total)")],
    "fused norm": [("fused", ""), ("squares", "FMA(VALUE, VALUE, total)")],
    "product from the last entry": [("product from the last entry", "")],
    "compensated product": [("compensated product", "")],
    "c by a reciprocal": [("c", "CHANGE * (1.0 / (P.lam * ROWS))")],
    "c over lam, then n": [("c", "CHANGE / P.lam / ROWS")],
    "c over n, then lam": [("c", "CHANGE / ROWS / P.lam")],
    "q by a reciprocal": [("q", "NORM * (1.0 / (P.lam * ROWS))")],
    "q over lam, then n": [("q", "NORM / P.lam / ROWS")],
    "u by a reciprocal": [("move of u", "change * (1.0 / ROWS)")],
    "threshold by a reciprocal": [("threshold of a step", "P.l1 * (1.0 / P.lam)")],
    "prox by a reciprocal": [("scale of the prox", " * (1.0 / (1.0 + tau * lam))")],
    "soft by signs": [("soft", "(IF v < 0.0 THEN -1.0 ELSE 1.0 END * MAX(ABS(v) - s, 0.0))")],
    "w_bar regrouped": [
        (
            "w_bar",
            {
                "c": "(1 + given->theta) * w[j] - given->theta * s->w[j]",
                "javascript": "(1 + theta) * w_j - theta * state.w[j]",
                "go": "plus(scaled(w, 1+theta), -theta, before)",
                "rust": "plus(&scaled(&w, 1.0 + theta), -theta, &before)",
            },
        )
    ],
    "lazy": [
        ("stored", "IF OLD == @ THEN OLD ELSE @ END"),
        ("stored in SPDC", "IF change == 0.0 THEN OLD_K ELSE @ END"),
    ],
    "tanh": [("logistic", "(0.5 + 0.5 * TANH(t / 2.0))")],
    **{
        f"3{end}": [
            (
                "t as written",
                {
                    "c": f'",\\"t\\":%ld{end}", s->t',
                    "javascript": f"'\"t\":$1{end}'",
                    "go": f'strconv.Itoa(v) + "{end}"',
                    "rust": f'&format!("{{number}}{end}")',
                },
            )
        ]
        for end in (".0", "e0")
    },
    "blanks": [("blanks in a line", "")],
}
