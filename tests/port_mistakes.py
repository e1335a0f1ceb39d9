"""Mistakes and harmless variants of the ports, each named once for C, JavaScript, Go and Rust (``port_places``)."""

INTEGERS = {"c": "({})@", "javascript": "String({})", "go": "int({}(@))", "rust": "json.index() as {} as usize"}


def integer(c: str, javascript: str, go: str, rust: str) -> tuple[str, dict[str, str]]:
    """How t is read when it passes through another type."""
    return "t as read", {n: text.format(by) for (n, text), by in zip(INTEGERS.items(), (c, javascript, go, rust))}


MISTAKES: dict[str, tuple] = {  # the place, and what replaces it
    "columns from 1": ("columns", "(@ + COLUMNS - 1) % COLUMNS"),
    "columns from -1": ("columns", "(@ + 1) % COLUMNS"),
    "rows from 1 in SDCA": ("row of SDCA", "(@ + 1) % P.n"),
    "rows from -1 in ASPDC": ("row of ASPDC", "(P.n - 1 + @) % P.n"),
    "u without the last row": ("rows of u", "@ - 1"),
    "P and D without the last row": ("rows of P and D", "@ - 1"),
    "no label in ASPDC": ("residual of squared", "z"),
    "empty rows passed over": ("new alpha", "IF P.starts[i] == P.starts[i + 1] THEN OLD ELSE @ END"),
    "v without 1/n": ("c", "CHANGE / P.lam"),
    "q without 1/n": ("q", "NORM / P.lam"),
    "u of alpha without 1/n": ("mean of u", "1.0"),
    "u of SPDC without 1/n": ("move of u", "change"),
    "the other sign in v": ("move of v", "-(@)"),
    "w_bar as it was": ("w_bar", "OLD_BAR"),
    "w for w_bar": ("point of z", "w"),
    "theta is 0": ("theta", "0.0 * @"),
    "gamma of a derivative": ("gamma of a derivative", "1.0"),
    "gamma of a dual step": ("gamma of a dual step", "1.0"),
    "no threshold in a step": ("threshold of a step", "0.0 * (@)"),
    "no threshold in the view": ("threshold of the view", "0.0 * (@)"),
    "l1 for tau l1": ("threshold of the prox", "l1"),
    "a prox without lam": ("scale of the prox", ""),
    "no delta": ("delta", "0.0 * @"),
    "w moves along the new u": ("direction", "ROWS"),
    "no weights": ("weight", "(0.0 * @ + 1.0)"),
    "no damping": ("q", "0.0 * @"),
    "a round that is not counted": ("rounds", "(@ - 1.0)"),
    "w is added after the step": ("w is added", ""),
    "no upper end": ("upper end of a step", "1e300"),
    "no ends": ("ends of a step", "-1e300, 1e300"),
    "alpha is not stored": ("stored", "OLD"),
    "init of SDCA at 0": ("v of init", "0.0 * (@)"),
    "init of SPDC at 0": ("u of init", "ZEROS"),
    "the view is w_bar": ("w of the view", "w_bar"),
    "branches in turn": ("branches", "false"),
    "a trajectory of first steps": ("trajectory", "true"),
    "lam of the first request": ("kept", "lam"),
    "gamma of the first request": ("kept", "gamma"),
    "answers in 32 bits": ("result", "NARROW @ WIDE"),
    "a sum in 32 bits": ("total", "NARROW @ WIDE"),
    "text of 16 digits": ("result", "digits(@, 16)"),
    "text of 15 digits": ("result", "digits(@, 15)"),
    "text of 6 digits": ("result", "digits(@, 6)"),
    "a decimal comma": ("result", "comma(@)"),
    "one round of the root": ("rounds of the root", "1"),
    "two rounds of the root": ("rounds of the root", "2"),
    "a tolerance of 1e-6": ("tolerance of the root", "1e-6"),
    "e^t that overflows": ("sign of log(1 + e^t)", "false"),
    "a dead zone of 1e-6": ("above the threshold", "v > s + 1e-6"),
    "a dead zone of 1e-12": ("above the threshold", "v > s + 1e-12"),
    "a threshold that is 1e-9 too small": ("beyond the threshold", "v - (s - 1e-9)"),
    "changes below 1e-6 left out": ("new alpha", "IF ABS(@ - OLD) < 1e-6 THEN OLD ELSE @ END"),
    "a gap without its sign": ("gap", "ABS(@)"),
    "a gap cut off at 0": ("gap", "MAX(@, 0.0)"),
    "four entries of a row": ("entries of a product", "4"),
    "n - 1 for n": ("c", "CHANGE / (P.lam * MAX(ROWS - 1.0, 1.0))"),
    "twice the change": ("c", "2.0 * @"),
    "1.01 times log(1 + e^t)": ("log(1 + e^t)", "1.01 * @"),
    "1.01 times the sigmoid": ("sigmoid", "1.01"),
    "g without 1/2": ("g", "2.0 * @"),
    "the product without its last entry": ("entries left out", "1"),
    "an inner product with |x|": ("factor of a product", "ABS(@)"),
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
