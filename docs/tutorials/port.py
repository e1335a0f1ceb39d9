"""A port of ASPDC and PGS: it reads a line of JSON and answers with a line of JSON."""

import json
import math
import struct
import sys

METHODS, CALLS = {}, {}


# -- numbers and the protocol


def number(text):
    """The double whose bits these 16 hexadecimal digits are."""
    return struct.unpack(">d", bytes.fromhex(text))[0]


def bits(x):
    """The 16 hexadecimal digits of a double."""
    return struct.pack(">d", x).hex()


def numbers(item):
    """All numbers of an object, a list or a text; integers and names stay as they are."""
    if isinstance(item, dict):
        return {name: numbers(value) for name, value in item.items()}
    if isinstance(item, list):
        return [numbers(value) for value in item]
    return number(item) if isinstance(item, str) and len(item) == 16 and set(item) <= set("0123456789abcdef") else item


def written(item):
    """The same with the bits of every double."""
    if isinstance(item, dict):
        return {name: written(value) for name, value in item.items()}
    if isinstance(item, list):
        return [written(value) for value in item]
    return bits(item) if isinstance(item, float) else item


def answer(request):
    """Answer what is known and skip the rest."""
    if request["op"] == "start":
        return {"protocol": 1, "name": "tutorial", "language": "Python", "version": "1"}
    if request["op"] == "echo":
        return {"numbers": written(numbers(request["numbers"]))}
    given = request.get("given", {})
    if request.get("call") in CALLS and given.get("method") in METHODS:
        return {"result": written(CALLS[request["call"]](METHODS[given["method"]], numbers(given)))}
    return {"skipped": "not written yet"}


# -- ASPDC


def soft(v, s):
    """The minimiser of (x - v)^2/2 + s |x|."""
    return v - s if v > s else v + s if v < -s else v - v


def row(problem, i):
    """Columns and values of the entries of row i."""
    part = slice(problem["starts"][i], problem["starts"][i + 1])
    return list(zip(problem["columns"][part], problem["values"][part]))


def sigmoid(t):
    return 1 / (1 + math.exp(-t)) if t > 0 else math.exp(t) / (1 + math.exp(t))


def slope(problem, z, y):
    """phi'(z)."""
    gamma, m = problem["gamma"], y * z
    return {
        "squared": lambda: (z - y) / gamma,
        "smoothed-hinge": lambda: -y * min(max((1 - m) / gamma, 0.0), 1.0),
        "squared-hinge": lambda: -y * 2 * max(1 - m, 0.0),
        "hinge": lambda: -y * float(m < 1),
        "logistic": lambda: -y * sigmoid(-m),
        "absolute": lambda: float(z > y) - float(z < y),
    }[problem["loss"]]()


class Aspdc:
    def init(self, p, alpha):
        u = [0.0] * p["d"]
        for i, a in enumerate(alpha):
            for j, x in row(p, i):
                u[j] += a * x
        return {"v": [-u_j / p["n"] / p["lam"] for u_j in u], "alpha": alpha}

    def step(self, p, state, i):
        v, alpha = list(state["v"]), list(state["alpha"])
        z = sum(x * soft(v[j], p["l1"] / p["lam"]) for j, x in row(p, i))
        new = slope(p, z, p["y"][i])
        change = (new - alpha[i]) / (p["lam"] * p["n"])
        alpha[i] = new
        for j, x in row(p, i):
            v[j] -= change * x
        return {"v": v, "alpha": alpha}

    def view(self, p, state):
        return {"w": [soft(v, p["l1"] / p["lam"]) for v in state["v"]], "alpha": state["alpha"]}


METHODS["aspdc"] = Aspdc()
CALLS["step"] = lambda method, g: {"state": method.step(g["problem"], g["state"], g["choice"])}


# -- the other calls


def trajectory(method, given):
    states = [given["state"]]
    for choice in given["choices"]:
        states.append(method.step(given["problem"], states[-1], choice))
    return {"states": states[1:]}


CALLS["trajectory"] = trajectory
CALLS["branches"] = lambda method, g: {"states": [method.step(g["problem"], g["state"], c) for c in g["choices"]]}
CALLS["init"] = lambda method, g: {"state": method.init(g["problem"], g["alpha"])}
CALLS["view"] = lambda method, g: method.view(g["problem"], g["state"])


# -- PGS


class Pgs:
    def init(self, p, alpha):
        return {"w": [0.0] * p["d"], "acc": [0.0] * p["d"], "total": [0.0] * p["d"], "t": 0}

    def step(self, p, state, rows):
        w, sub = state["w"], [0.0] * p["d"]
        for i in rows:
            a = slope(p, sum(x * w[j] for j, x in row(p, i)), p["y"][i]) / len(rows)
            for j, x in row(p, i):
                sub[j] += a * x
        t, acc = state["t"] + 1, [a - s for a, s in zip(state["acc"], sub)]
        next_w = [soft(a / (t + 1) / p["lam"], p["l1"] / p["lam"]) for a in acc]
        return {"w": next_w, "acc": acc, "total": [s + x for s, x in zip(state["total"], w)], "t": t}

    def view(self, p, state):
        w = [s / state["t"] for s in state["total"]] if state["t"] else state["w"]
        alpha = [slope(p, sum(x * w[j] for j, x in row(p, i)), y) for i, y in enumerate(p["y"])]
        return {"w": w, "alpha": alpha}


METHODS["pgs"] = Pgs()


# -- the loop

for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "stop":
        break
    print(json.dumps({"seq": request["seq"], **answer(request)}), flush=True)
