"""Mistakes and harmless variants of the ports, each named once for C, JavaScript, Go and Rust (``port_places``)."""

INTEGERS = {"c": "({})@", "javascript": "String({})", "go": "int({}(@))", "rust": "json.index() as {} as usize"}


def integer(c: str, javascript: str, go: str, rust: str) -> tuple[str, dict[str, str]]:
    """How t is read when it passes through another type."""
    return "t as read", {n: text.format(by) for (n, text), by in zip(INTEGERS.items(), (c, javascript, go, rust))}


MISTAKES: dict[str, tuple] = {  # the place, and what replaces it
    "columns from 1": ("columns", "(@ + COLUMNS - 1) % COLUMNS"),
    "rows from 1 in SDCA": ("row of SDCA", "(@ + 1) % P.n"),
    "P and D without the last row": ("rows of P and D", "@ - 1"),
    "no label in ASPDC": ("residual of squared", "z"),
    "empty rows passed over": ("new alpha", "IF P.starts[i] == P.starts[i + 1] THEN OLD ELSE @ END"),
    "v without 1/n": ("c", "CHANGE / P.lam"),
    "u of SPDC without 1/n": ("move of u", "change"),
    "the other sign in v": ("move of v", "-(@)"),
    "w_bar as it was": ("w_bar", "OLD_BAR"),
    "theta is 0": ("theta", "0.0 * @"),
    "gamma of a derivative": ("gamma of a derivative", "1.0"),
    "no threshold in a step": ("threshold of a step", "0.0 * (@)"),
    "a prox without lam": ("scale of the prox", ""),
    "no delta": ("delta", "0.0 * @"),
    "w moves along the new u": ("direction", "ROWS"),
    "no weights": ("weight", "(0.0 * @ + 1.0)"),
    "a round that is not counted": ("rounds", "(@ - 1.0)"),
    "w is added after the step": ("w is added", ""),
    "no ends": ("ends of a step", "-1e300, 1e300"),
    "alpha is not stored": ("stored", "OLD"),
    "init of SDCA at 0": ("v of init", "0.0 * (@)"),
    "the view is w_bar": ("w of the view", "w_bar"),
    "branches in turn": ("branches", "false"),
    "a trajectory of first steps": ("trajectory", "true"),
    "lam of the first request": ("kept", "lam"),
    "answers in 32 bits": ("result", "NARROW @ WIDE"),
    "text of 15 digits": ("result", "digits(@, 15)"),
    "one round of the root": ("rounds of the root", "1"),
    "e^t that overflows": ("sign of log(1 + e^t)", "false"),
    "a dead zone of 1e-12": ("above the threshold", "v > s + 1e-12"),
    "a threshold that is 1e-9 too small": ("beyond the threshold", "v - (s - 1e-9)"),
    "a gap without its sign": ("gap", "ABS(@)"),
    "four entries of a row": ("entries of a product", "4"),
    "1.01 times the sigmoid": ("sigmoid", "1.01"),
    "g without 1/2": ("g", "2.0 * @"),
    "an inner product with |x|": ("factor of a product", "ABS(@)"),
}
LIMITS: dict[str, tuple] = {  # wrong at the limits of the representation: the subject whose cases show it
    "integers of 32 bits": ("integers", integer("int", "Number(value) | 0", "int32", "i32")),
    "integers through a float": (
        "integers",
        integer("long)(float", "BigInt(Math.fround(Number(value)))", "float32", "f32"),
    ),
    "a row buffer of 512": ("long-rows", ("entries of a product", "512")),
    "changes below 1e-14 left out": ("tiny-changes", ("new alpha", "IF ABS(@ - OLD) < 1e-14 THEN OLD ELSE @ END")),
    "a domain with tolerance 1e-9": (
        "domains",
        ("lower end of a domain", "-1.1e-9"),
        ("upper end of a domain", "1.0 + 1.1e-9"),
    ),
    "subnormals flushed": ("subnormals", ("stored", "IF ABS(@) < 2.2250738585072014e-308 THEN 0.0 ELSE @ END")),
    "a row in a byte": ("many-rows", ("row of SDCA", "(@ % 256)")),
    "rows of P and D counted in a byte": ("many-terms", ("rows of P and D", "@ % 256")),
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
    "a domain that is open by 1e-300": ("beside-zero", ("lower end of a domain", "-1e-300")),
}
HARMLESS: dict[str, list] = {  # what only rounds, or writes, otherwise
    "fused product": [("fused", ""), ("total", "FMA(VALUE, ENTRY, total)")],
    "fused norm": [("fused", ""), ("squares", "FMA(VALUE, VALUE, total)")],
    "product from the last entry": [("product from the last entry", "")],
    "compensated product": [("compensated product", "")],
    "c by a reciprocal": [("c", "CHANGE * (1.0 / (P.lam * ROWS))")],
    "c over n, then lam": [("c", "CHANGE / ROWS / P.lam")],
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
