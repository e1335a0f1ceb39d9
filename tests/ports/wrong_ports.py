"""The Python port with one bug each: a piece of its source and what stands there instead."""

import pathlib
import sys

SOURCE = pathlib.Path(__file__).with_name("python_port.py")

WRONG = {
    "lost-one-over-n": [("c = (new - alpha[i]) / (p.lam * p.n)", "c = (new - alpha[i]) / p.lam")],
    "sign-of-alpha": [("c = (new - alpha[i]) / (p.lam * p.n)", "c = (alpha[i] - new) / (p.lam * p.n)")],
    "stale-w-bar": [('z = p.dot(k, state["w_bar"])', 'z = p.dot(k, state["w"])')],
    "no-extrapolation": [
        ("w_bar = [new_j + theta * (new_j - w_j) for new_j, w_j in zip(w_new, w)]", "w_bar = list(w_new)")
    ],
    "skipped-zero-row": [
        ("    z = p.dot(i, w)\n", "    if not p.rows[i]:\n        return state\n    z = p.dot(i, w)\n")
    ],
    "absolute-gap": [
        (
            'encode(decode(given["primal"]) - decode(given["dual"]))',
            'encode(abs(decode(given["primal"]) - decode(given["dual"])))',
        )
    ],
    "single-precision": [
        (
            '    return struct.pack(">d", value).hex()',
            '    return struct.pack(">d", struct.unpack(">f", struct.pack(">f", value))[0]).hex()',
        ),
        (
            '        return {"numbers": [encode(decode(text)) for text in request["numbers"]]}',
            '        return {"numbers": request["numbers"]}',
        ),
    ],
    "off-by-one-index": [
        (
            "def coordinate_step(method, p, state, i):\n",
            "def coordinate_step(method, p, state, i):\n    i = (i - 1) % p.n\n",
        )
    ],
    "label-dropped": [('vector(given["y"])', '[0.0 if given["loss"] in ("squared", "absolute") else 1.0] * self.n')],
    "wrong-clip": [
        ("    return low if x <= low else high if x >= high else x\n", "    return low if x <= low else x\n")
    ],
}


def write(flag: str, folder: pathlib.Path) -> pathlib.Path:
    """The port with that bug, as a file of ``folder``. Raises ValueError when the line to spoil is not there once."""
    text = SOURCE.read_text(encoding="utf-8")
    for right, wrong in WRONG[flag]:
        if text.count(right) != 1:
            raise ValueError(
                f"{flag}: the piece to spoil must be in {SOURCE.name} once (found {text.count(right)} times): {right!r}"
            )
        text = text.replace(right, wrong)
    path = folder / f"{flag}.py"
    path.write_text(text, encoding="utf-8")
    return path


def spoiled(folder, old, new):
    """The command of a port in which a piece of the right one's source stands otherwise."""
    text = SOURCE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = folder / "spoiled.py"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return [sys.executable, str(path)]


def before_answer(folder, line):
    """The command of a port that executes ``line`` before it answers a request."""
    return spoiled(folder, '    op = request["op"]\n', f'    op = request["op"]\n    {line}\n')
