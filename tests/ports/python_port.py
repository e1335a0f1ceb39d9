"""A port in Python: the standard library alone, nothing of this project, written from docs/ports.md.

The suite drives it through the pipe, whole and with one line spoiled (``wrong_ports.py``).
"""

import json
import math
import struct
import sys


def decode(text):
    return struct.unpack(">d", bytes.fromhex(text))[0]


def encode(value):
    return struct.pack(">d", value).hex()


def vector(texts):
    return [decode(text) for text in texts]


# -- losses: m = y z, b = -y alpha ------------------------------------------------------------------------------


def clip(x, low=0.0, high=1.0):
    return low if x <= low else high if x >= high else x


def value(loss, gamma, z, y):
    m = y * z
    if loss == "squared":
        return (z - y) * (z - y) / (2 * gamma)
    if loss == "smoothed-hinge":
        return 0.0 if m >= 1 else 1 - m - gamma / 2 if m <= 1 - gamma else (1 - m) * (1 - m) / (2 * gamma)
    if loss == "squared-hinge":
        return 0.0 if m >= 1 else (1 - m) * (1 - m)
    if loss == "hinge":
        return 0.0 if m >= 1 else 1 - m
    if loss == "logistic":
        return math.log1p(math.exp(-m)) if m >= 0 else math.log1p(math.exp(m)) - m
    return abs(z - y)


def derivative(loss, gamma, z, y):
    m = y * z
    if loss == "squared":
        return (z - y) / gamma
    if loss == "smoothed-hinge":
        return -y * clip((1 - m) / gamma)
    if loss == "squared-hinge":
        return -y * (0.0 if m >= 1 else 2 * (1 - m))
    if loss == "hinge":
        return -y * (0.0 if m >= 1 else 1.0)
    if loss == "logistic":
        return -y * sigmoid(-m)
    return 1.0 if z > y else -1.0 if z < y else 0.0


def conjugate(loss, gamma, alpha, y):
    b = -y * alpha
    if loss == "squared":
        return y * alpha + gamma * alpha * alpha / 2
    if loss == "absolute":
        return y * alpha if -1 <= alpha <= 1 else math.inf
    if b < 0 or (b > 1 and loss != "squared-hinge"):
        return math.inf
    if loss == "smoothed-hinge":
        return y * alpha + gamma * alpha * alpha / 2
    if loss == "squared-hinge":
        return y * alpha + alpha * alpha / 4
    if loss == "hinge":
        return y * alpha
    return sum(part * math.log(part) for part in (b, 1 - b) if part > 0)


def residual(loss, gamma, z, alpha, y):
    m, b = y * z, -y * alpha
    if math.isinf(conjugate(loss, gamma, alpha, y)):
        return math.inf
    if loss == "squared":
        error = derivative(loss, gamma, z, y) - alpha
        return gamma * (error * error) / 2
    if loss == "smoothed-hinge":
        if m >= 1:
            return b * (m - 1) + gamma * (b * b) / 2
        if m <= 1 - gamma:
            return (1 - b) * ((1 - gamma - m) + gamma * (1 - b) / 2)
        error = (1 - m) / gamma - b
        return gamma * (error * error) / 2
    if loss == "squared-hinge":
        return b * (m - 1) + b * b / 4 if m >= 1 else ((1 - m) - b / 2) * ((1 - m) - b / 2)
    if loss == "hinge":
        return b * (m - 1) if m >= 1 else (1 - b) * (1 - m)
    if loss == "logistic":
        return value(loss, gamma, z, y) + conjugate(loss, gamma, alpha, y) + b * m
    return (z - y) * (1 - alpha) if z >= y else (y - z) * (1 + alpha)


def dual_step(loss, gamma, z, alpha, y, q):
    m, b = y * z, -y * alpha
    if loss == "squared":
        return (z - y + q * alpha) / (gamma + q)
    if loss == "smoothed-hinge":
        return -y * clip((1 - m + q * b) / (gamma + q))
    if loss == "squared-hinge":
        step = 2 * (1 - m + q * b) / (1 + 2 * q)
        return -y * (0.0 if step <= 0 else step)
    if loss == "logistic":
        return -y * sigmoid(logit_root(m, b, q))
    if q == 0:
        return derivative(loss, gamma, z, y)
    if loss == "hinge":
        return -y * clip(b + (1 - m) / q)
    return clip(alpha + (z - y) / q, -1.0)


def sigmoid(t):
    return 1 / (1 + math.exp(-t)) if t >= 0 else math.exp(t) / (1 + math.exp(t))


def logit_root(m, b, q):
    """The t with t + m + q (sigmoid(t) - b) = 0: Newton's method, bisection where it leaves the bracket."""
    low, high = -m - q * (1 - b), -m + q * b
    t = low + (high - low) / 2
    for _ in range(200):
        s = sigmoid(t)
        h = t + m + q * (s - b)
        if h == 0 or not low < high:
            break
        low, high = (low, t) if h > 0 else (t, high)
        following = t - h / (1 + q * s * (1 - s))
        if not low <= following <= high:
            following = low + (high - low) / 2
        if following == t:
            break
        t = following
    return t


# -- the regularizer (lam/2) ||w||^2 + l1 ||w||_1 -----------------------------------------------------------------


def soft(v, threshold):
    return v - threshold if v > threshold else v + threshold if v < -threshold else v - v


def penalty(lam, l1, w):
    squares = ones = 0.0
    for w_j in w:
        squares = squares + w_j * w_j
        ones = ones + abs(w_j)
    return lam * squares / 2 + l1 * ones


def minimizer(lam, l1, u):
    return [soft(-u_j / lam, l1 / lam) for u_j in u]


def penalty_conjugate(lam, l1, u):
    total = 0.0
    for w_j in minimizer(lam, l1, u):
        total = total + w_j * w_j
    return lam * total / 2


def prox(lam, l1, w, tau):
    return [soft(w_j, tau * l1) / (1 + tau * lam) for w_j in w]


# -- the problem -----------------------------------------------------------------------------------------------------


class Problem:
    def __init__(self, given):
        self.n, self.d = given["n"], given["d"]
        starts, columns, values = given["starts"], given["columns"], vector(given["values"])
        self.rows = [[(columns[k], values[k]) for k in range(starts[i], starts[i + 1])] for i in range(self.n)]
        self.y, self.loss, self.gamma = vector(given["y"]), given["loss"], decode(given["gamma"])
        self.lam, self.l1 = decode(given["lam"]), decode(given["l1"])

    def dot(self, i, w):
        z = 0.0
        for j, x in self.rows[i]:
            z = z + x * w[j]
        return z

    def norm2(self, i):
        total = 0.0
        for _, x in self.rows[i]:
            total = total + x * x
        return total

    def average(self, alpha):
        """u = X^T alpha / n."""
        total = [0.0] * self.d
        for row, alpha_i in zip(self.rows, alpha):
            for j, x in row:
                total[j] = total[j] + alpha_i * x
        return [total_j / self.n for total_j in total]

    def shifted(self, u, k, factor):
        moved = list(u)
        for j, x in self.rows[k]:
            moved[j] = moved[j] + factor * x
        return moved

    def primal(self, w):
        total = 0.0
        for i in range(self.n):
            total = total + value(self.loss, self.gamma, self.dot(i, w), self.y[i])
        return total / self.n + penalty(self.lam, self.l1, w)

    def dual(self, alpha):
        total = 0.0
        for i in range(self.n):
            total = total + conjugate(self.loss, self.gamma, alpha[i], self.y[i])
        return -total / self.n - penalty_conjugate(self.lam, self.l1, self.average(alpha))


# -- the methods: init, step and view ----------------------------------------------------------------------------------


def init(method, p, alpha):
    u = p.average(alpha)
    if method in ("aspdc", "sdca"):
        return {"v": [-u_j / p.lam for u_j in u], "alpha": alpha}
    if method == "pgs":
        return {"w": [0.0] * p.d, "acc": [0.0] * p.d, "total": [0.0] * p.d, "t": 0}
    w = minimizer(p.lam, p.l1, u)
    return {"w": w, "w_bar": list(w), "u": u, "alpha": alpha}


def step(method, p, parameters, state, choice):
    if method in ("aspdc", "sdca"):
        return coordinate_step(method, p, state, choice)
    if method == "pgs":
        return subgradient_step(p, state, choice)
    return primal_dual_step(p, parameters, state, choice)


def coordinate_step(method, p, state, i):
    v, alpha = list(state["v"]), list(state["alpha"])
    w = [soft(v_j, p.l1 / p.lam) for v_j in v]
    z = p.dot(i, w)
    q = p.norm2(i) / (p.lam * p.n) if method == "sdca" else 0.0
    new = dual_step(p.loss, p.gamma, z, alpha[i], p.y[i], q)
    c = (new - alpha[i]) / (p.lam * p.n)
    alpha[i] = new
    for j, x in p.rows[i]:
        v[j] = v[j] - c * x
    return {"v": v, "alpha": alpha}


def primal_dual_step(p, parameters, state, choice):
    tau, sigma, theta, delta = (decode(parameters[name]) for name in ("tau", "sigma", "theta", "delta"))
    weight = vector(parameters["weight"]) if "weight" in parameters else [1.0] * p.n
    batch = choice if isinstance(choice, list) else [choice]
    alpha, w = list(state["alpha"]), state["w"]
    u, r, new = list(state["u"]), list(state["u"]), []
    for k in batch:
        z = p.dot(k, state["w_bar"])
        q = weight[k] / sigma
        moved = q * alpha[k] / (q + delta) if delta > 0 else alpha[k]
        new.append(dual_step(p.loss, p.gamma, z, moved, p.y[k], q + delta))
    for k, new_k in zip(batch, new):
        change = new_k - alpha[k]
        alpha[k] = new_k
        r = p.shifted(r, k, change / (len(batch) * weight[k]))
        u = p.shifted(u, k, change / p.n)
    w_new = prox(p.lam, p.l1, [w_j - tau * r_j for w_j, r_j in zip(w, r)], tau)
    w_bar = [new_j + theta * (new_j - w_j) for new_j, w_j in zip(w_new, w)]
    return {"w": w_new, "w_bar": w_bar, "u": u, "alpha": alpha}


def subgradient_step(p, state, batch):
    w, t = state["w"], state["t"] + 1
    total = [total_j + w_j for total_j, w_j in zip(state["total"], w)]
    sub = [0.0] * p.d
    for i in batch:
        sub = p.shifted(sub, i, derivative(p.loss, p.gamma, p.dot(i, w), p.y[i]) / len(batch))
    acc = [acc_j - sub_j for acc_j, sub_j in zip(state["acc"], sub)]
    return {"w": [soft(acc_j / (t + 1) / p.lam, p.l1 / p.lam) for acc_j in acc], "acc": acc, "total": total, "t": t}


def view(method, p, state):
    if method in ("aspdc", "sdca"):
        return [soft(v_j, p.l1 / p.lam) for v_j in state["v"]], state["alpha"]
    if method != "pgs":
        return state["w"], state["alpha"]
    w = [total_j / state["t"] for total_j in state["total"]] if state["t"] else state["w"]
    return w, [derivative(p.loss, p.gamma, p.dot(i, w), p.y[i]) for i in range(p.n)]


# -- the protocol ------------------------------------------------------------------------------------------------------

LOSSES = ("squared", "smoothed-hinge", "squared-hinge", "hinge", "logistic", "absolute")
METHODS = ("aspdc", "sdca", "spdc", "spdc-minibatch", "spdc-nonuniform", "pgs")
LOSS_CALLS = {
    "loss.value": (value, ("z", "y")),
    "loss.derivative": (derivative, ("z", "y")),
    "loss.conjugate": (conjugate, ("alpha", "y")),
    "loss.residual": (residual, ("z", "alpha", "y")),
    "loss.dual_step": (dual_step, ("z", "alpha", "y", "q")),
}


REGULARIZER_CALLS = tuple(f"regularizer.{name}" for name in ("value", "conjugate", "minimizer", "prox"))
CALLS = (*LOSS_CALLS, *REGULARIZER_CALLS, "gap", "certificate", "init", "view", "step", "trajectory", "branches")


class Skipped(Exception):
    pass


def run(call, given):
    problem = given.get("problem", given)
    if call not in CALLS:
        raise Skipped(f"unknown call {call}")
    if problem.get("loss", "squared") not in LOSSES or given.get("method", "aspdc") not in METHODS:
        raise Skipped("unknown loss or method")
    if call in LOSS_CALLS:
        function, names = LOSS_CALLS[call]
        return {"value": encode(function(given["loss"], *(decode(given[name]) for name in ("gamma", *names))))}
    if call == "gap":
        return {"gap": encode(decode(given["primal"]) - decode(given["dual"]))}
    if call.startswith("regularizer."):
        return run_regularizer(call, decode(given["lam"]), decode(given["l1"]), given)
    p = Problem(problem)
    if call == "certificate":
        primal, dual = p.primal(vector(given["w"])), p.dual(vector(given["alpha"]))
        return {"primal": encode(primal), "dual": encode(dual), "gap": encode(primal - dual)}
    return run_method(call, given["method"], p, given)


def run_regularizer(call, lam, l1, given):
    argument = vector(given["w"] if "w" in given else given["u"])
    if call == "regularizer.value":
        return {"value": encode(penalty(lam, l1, argument))}
    if call == "regularizer.conjugate":
        return {"value": encode(penalty_conjugate(lam, l1, argument))}
    if call == "regularizer.minimizer":
        return {"w": [encode(w_j) for w_j in minimizer(lam, l1, argument)]}
    return {"w": [encode(w_j) for w_j in prox(lam, l1, argument, decode(given["tau"]))]}


def run_method(call, method, p, given):
    if call == "init":
        return {"state": written(init(method, p, vector(given["alpha"])))}
    state = {name: field if name == "t" else vector(field) for name, field in given["state"].items()}
    parameters = given.get("parameters")
    if call == "view":
        w, alpha = view(method, p, state)
        return {"w": [encode(w_j) for w_j in w], "alpha": [encode(a) for a in alpha]}
    if call == "step":
        return {"state": written(step(method, p, parameters, state, given["choice"]))}
    if call == "branches":
        return {"states": [written(step(method, p, parameters, state, choice)) for choice in given["choices"]]}
    states = []
    for choice in given["choices"]:
        state = step(method, p, parameters, state, choice)
        states.append(written(state))
    return {"states": states}


def written(state):
    return {name: field if name == "t" else [encode(x) for x in field] for name, field in state.items()}


def answer(request):
    op = request["op"]
    if op == "start":
        return {"protocol": 1, "name": "dualgap-python", "language": "Python", "version": "1"}
    if op == "echo":
        return {"numbers": [encode(decode(text)) for text in request["numbers"]]}
    if op != "run":
        return {"skipped": f"unknown op {op}"}
    try:
        return {"result": run(request["call"], request["given"])}
    except Skipped as reason:
        return {"skipped": str(reason)}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "stop":
            break
        try:
            body = answer(request)
        except (ArithmeticError, LookupError, ValueError) as error:
            body = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"seq": request["seq"], **body}), flush=True)


if __name__ == "__main__":
    main()
