// A port of dualgap: ASPDC, SDCA, SPDC and PGS, six losses, L2 and elastic net; Node, no dependency.
//
// One line of JSON in, one line of JSON out (docs/ports.md). From the inside out: numbers, losses, regularizer, rows of
// the problem, methods, calls, protocol. Every sum runs from left to right over the stored entries, so the bits are
// those of the reference, but where exp and log come in: Node brings its own.
"use strict";

// -- numbers: 16 hexadecimal digits, the bits of a double -----------------------------------------------------------

const eight = new DataView(new ArrayBuffer(8));

function decode(bits) {
  if (typeof bits !== "string" || !/^[0-9a-f]{16}$/.test(bits)) throw Error(`not 16 hexadecimal digits: ${bits}`);
  eight.setUint32(0, parseInt(bits.slice(0, 8), 16));
  eight.setUint32(4, parseInt(bits.slice(8), 16));
  return eight.getFloat64(0);
}

function encode(number) {
  if (Number.isNaN(number)) throw Error("the result is not a number");
  eight.setFloat64(0, number);
  const half = (offset) => eight.getUint32(offset).toString(16).padStart(8, "0");
  return half(0) + half(4);
}

// -- losses: alpha approximates +phi'(z); of a margin loss m = y z and b = -y alpha -----------------------------------

const clip = (x, low, high) => (x <= low ? low : x >= high ? high : x);
const logistic = (t) => (t < 0 ? Math.exp(t) / (1 + Math.exp(t)) : 1 / (1 + Math.exp(-t)));
const softplus = (t) => (t > 0 ? t + Math.log1p(Math.exp(-t)) : Math.log1p(Math.exp(t))); // log(1 + e^t)
const entropy = (p) => (p === 0 ? 0 : p * Math.log(p));
const inUnit = (alpha, y) => 0 <= -y * alpha && -y * alpha <= 1;
const quadratic = (alpha, y, gamma) => y * alpha + (gamma * alpha * alpha) / 2;

const LOSSES = {
  squared: {
    inDomain: () => true,
    value: (z, y, gamma) => ((z - y) * (z - y)) / (2 * gamma),
    derivative: (z, y, gamma) => (z - y) / gamma,
    conjugate: quadratic,
    dualStep: (z, alpha, y, q, gamma) => (z - y + q * alpha) / (gamma + q),
    residual(z, alpha, y, gamma) {
      const error = (z - y) / gamma - alpha;
      return (gamma * (error * error)) / 2;
    },
  },
  "smoothed-hinge": {
    inDomain: inUnit,
    value(z, y, gamma) {
      const m = y * z;
      return m >= 1 ? 0 : m <= 1 - gamma ? 1 - m - gamma / 2 : ((1 - m) * (1 - m)) / (2 * gamma);
    },
    derivative: (z, y, gamma) => -y * clip((1 - y * z) / gamma, 0, 1),
    conjugate: quadratic,
    dualStep: (z, alpha, y, q, gamma) => -y * clip((1 - y * z + q * (-y * alpha)) / (gamma + q), 0, 1),
    residual(z, alpha, y, gamma) {
      const m = y * z, b = -y * alpha;
      if (m >= 1) return b * (m - 1) + (gamma * (b * b)) / 2;
      if (m <= 1 - gamma) return (1 - b) * (1 - gamma - m + (gamma * (1 - b)) / 2);
      const error = (1 - m) / gamma - b;
      return (gamma * (error * error)) / 2;
    },
  },
  "squared-hinge": {
    inDomain: (alpha, y) => 0 <= -y * alpha,
    value: (z, y) => (y * z >= 1 ? 0 : (1 - y * z) * (1 - y * z)),
    derivative: (z, y) => -y * (y * z >= 1 ? 0 : 2 * (1 - y * z)),
    conjugate: (alpha, y) => y * alpha + (alpha * alpha) / 4,
    dualStep(z, alpha, y, q) {
      const b = (2 * (1 - y * z + q * (-y * alpha))) / (1 + 2 * q);
      return -y * (b <= 0 ? 0 : b);
    },
    residual(z, alpha, y) {
      const m = y * z, b = -y * alpha;
      if (m >= 1) return b * (m - 1) + (b * b) / 4;
      const error = 1 - m - b / 2;
      return error * error;
    },
  },
  hinge: {
    inDomain: inUnit,
    value: (z, y) => (y * z >= 1 ? 0 : 1 - y * z),
    derivative: (z, y) => -y * (y * z >= 1 ? 0 : 1),
    conjugate: (alpha, y) => y * alpha,
    dualStep(z, alpha, y, q) {
      const slope = 1 - y * z;
      if (q > 0) return -y * clip(-y * alpha + slope / q, 0, 1);
      return slope > 0 ? -y : slope < 0 ? -y * 0 : alpha;
    },
    residual(z, alpha, y) {
      const m = y * z, b = -y * alpha;
      return m >= 1 ? b * (m - 1) : (1 - b) * (1 - m);
    },
  },
  logistic: {
    inDomain: inUnit,
    value: (z, y) => softplus(-(y * z)),
    derivative: (z, y) => -y * logistic(-(y * z)),
    conjugate: (alpha, y) => entropy(-y * alpha) + entropy(1 + y * alpha),
    dualStep: (z, alpha, y, q) => -y * logistic(logitRoot(y * z, -y * alpha, q)),
    residual: (z, alpha, y) => softplus(-(y * z)) + (entropy(-y * alpha) + entropy(1 + y * alpha)) - alpha * z,
  },
  absolute: {
    inDomain: (alpha) => -1 <= alpha && alpha <= 1,
    value: (z, y) => (z >= y ? z - y : y - z),
    derivative: (z, y) => (z > y ? 1 : z < y ? -1 : 0),
    conjugate: (alpha, y) => y * alpha,
    dualStep(z, alpha, y, q) {
      if (q > 0) return clip(alpha + (z - y) / q, -1, 1);
      return z > y ? 1 : z < y ? -1 : alpha;
    },
    residual: (z, alpha, y) => (z >= y ? (z - y) * (1 - alpha) : (y - z) * (1 + alpha)),
  },
};

// The root t of h(t) = t + m + q (logistic(t) - b), which increases: Newton, with bisection where a step leaves (low, high).
function logitRoot(m, b, q) {
  if (q === 0) return -m;
  let low = -m - q * (1 - b), high = -m + q * b, t = -m;
  if (q > 1) { // h(-m) and h(logit b) have opposite signs: a shorter bracket
    const logit = b <= 0 ? -Infinity : b >= 1 ? Infinity : Math.log(b) - Math.log1p(-b);
    low = Math.max(low, Math.min(-m, logit));
    high = Math.min(high, Math.max(-m, logit));
    t = low > 0 ? low : high < 0 ? high : 0;
  }
  for (let round = 0; round < 200; round++) {
    const e = Math.exp(-Math.abs(t));
    const s = t < 0 ? e / (1 + e) : 1 / (1 + e), complement = t < 0 ? 1 / (1 + e) : e / (1 + e);
    const h = t + m + q * (s - b);
    if (Math.abs(h) <= 4 * Number.EPSILON * (Math.abs(t) + Math.abs(m) + q * Math.max(s, b))) break;
    if (h > 0) high = t;
    else low = t;
    let next = t - h / (1 + q * s * complement);
    if (!(low < next && next < high)) {
      next = low + (high - low) / 2;
      if (!(low < next && next < high)) break;
    }
    t = next;
  }
  return t;
}

function lossOf(name) {
  if (!Object.hasOwnProperty.call(LOSSES, name)) throw new Skipped(`loss ${name}`);
  const loss = LOSSES[name];
  return {
    ...loss,
    conjugate: (alpha, y, gamma) => (loss.inDomain(alpha, y) ? loss.conjugate(alpha, y, gamma) : Infinity),
    residual: (z, alpha, y, gamma) => (loss.inDomain(alpha, y) ? loss.residual(z, alpha, y, gamma) : Infinity),
  };
}

// -- the regularizer g(w) = (lam/2)||w||^2 + l1 ||w||_1 -----------------------------------------------------------------

const soft = (v, s) => (v > s ? v - s : v < -s ? v + s : v - v);

const squares = (w) => w.reduce((total, w_j) => total + w_j * w_j, 0);
const regularizerValue = (lam, l1, w) => (lam * squares(w)) / 2 + l1 * w.reduce((total, w_j) => total + Math.abs(w_j), 0);
const minimizer = (lam, l1, u) => u.map((u_j) => soft((0 - u_j) / lam, l1 / lam)); // grad g*(-u)
const regularizerConjugate = (lam, l1, u) => (lam * squares(minimizer(lam, l1, u))) / 2; // g*(-u)
const prox = (lam, l1, w, tau) => w.map((w_j) => soft(w_j, tau * l1) / (1 + tau * lam));

// -- the problem: its rows, and what is summed over them ----------------------------------------------------------------

class Problem {
  constructor(given) {
    Object.assign(this, given, { loss: lossOf(given.loss), values: given.values.map(decode), y: given.y.map(decode) });
    for (const name of ["gamma", "lam", "l1"]) this[name] = decode(given[name]);
  }

  row(i, visit) { // visit(j, x_ij) for the stored entries
    for (let k = this.starts[i]; k < this.starts[i + 1]; k++) visit(this.columns[k], this.values[k]);
  }

  dot(i, w) { // x_i^T w
    let total = 0;
    this.row(i, (j, x) => { total += x * w[j]; });
    return total;
  }

  norm2(i) {
    let total = 0;
    this.row(i, (j, x) => { total += x * x; });
    return total;
  }

  add(i, factor, target) { // target + factor x_i, in place
    this.row(i, (j, x) => { target[j] += factor * x; });
  }

  u(alpha) { // X^T alpha / n
    const total = new Array(this.d).fill(0);
    for (let i = 0; i < this.n; i++) this.add(i, alpha[i], total);
    return total.map((total_j) => total_j / this.n);
  }

  certificate(w, alpha) {
    let values = 0, conjugates = 0;
    for (let i = 0; i < this.n; i++) {
      values += this.loss.value(this.dot(i, w), this.y[i], this.gamma);
      conjugates += this.loss.conjugate(alpha[i], this.y[i], this.gamma);
    }
    const primal = values / this.n + regularizerValue(this.lam, this.l1, w);
    const dual = 0 - conjugates / this.n - regularizerConjugate(this.lam, this.l1, this.u(alpha));
    return { primal, dual, gap: primal - dual };
  }
}

// -- methods: init, step and view; a step changes the state that it is given ----------------------------------------------

function dualMethod(newAlpha) { // ASPDC and SDCA differ in one line
  return {
    init: (problem, alpha) => ({ v: problem.u(alpha).map((u_j) => (0 - u_j) / problem.lam + 0), alpha }),
    step(problem, parameters, state, i) {
      const { v, alpha } = state, threshold = problem.l1 / problem.lam;
      let z = 0;
      problem.row(i, (j, x) => { z += x * soft(v[j], threshold); });
      const alpha_i = newAlpha(problem, z, alpha[i], i);
      const c = (alpha_i - alpha[i]) / (problem.lam * problem.n);
      alpha[i] = alpha_i;
      problem.row(i, (j, x) => { v[j] -= c * x; });
    },
    view: (problem, { v, alpha }) => ({ w: v.map((v_j) => soft(v_j, problem.l1 / problem.lam)), alpha }),
  };
}

const aspdc = dualMethod((problem, z, alpha_i, i) => problem.loss.derivative(z, problem.y[i], problem.gamma)); // ASPDC line 5

const sdca = dualMethod((problem, z, alpha_i, i) => // SDCA line 4
  problem.loss.dualStep(z, alpha_i, problem.y[i], problem.norm2(i) / (problem.lam * problem.n), problem.gamma));

function spdc(batchOf, pOf) { // the batch K of a choice, and p_k n of a row
  return {
    init(problem, alpha) {
      const u = problem.u(alpha), w = minimizer(problem.lam, problem.l1, u);
      return { w, w_bar: w.slice(), u, alpha };
    },
    step(problem, { tau, sigma, theta, delta, weight }, state, choice) {
      const K = batchOf(choice);
      const news = K.map((k) => {
        const z = problem.dot(k, state.w_bar), q = pOf(k, weight) / sigma, old = state.alpha[k];
        const at = delta === 0 ? old : (q * old) / (q + delta); // SPDC (20): (delta/2) a^2 joins the other quadratic
        return problem.loss.dualStep(z, at, problem.y[k], delta === 0 ? q : q + delta, problem.gamma); // SPDC (7)
      });
      const r = state.u.slice();
      K.forEach((k, at) => {
        const change = news[at] - state.alpha[k];
        state.alpha[k] = news[at];
        problem.add(k, change / (K.length * pOf(k, weight)), r);
        problem.add(k, change / problem.n, state.u); // SPDC (9)
      });
      const w = prox(problem.lam, problem.l1, state.w.map((w_j, j) => w_j - tau * r[j]), tau); // SPDC (8)
      state.w_bar = w.map((w_j, j) => w_j + theta * (w_j - state.w[j])); // SPDC (10)
      state.w = w;
    },
    view: (problem, { w, alpha }) => ({ w, alpha }),
  };
}

const pgs = {
  init(problem) {
    const zeros = () => new Array(problem.d).fill(0);
    return { w: zeros(), acc: zeros(), total: zeros(), t: "0" };
  },
  step(problem, parameters, state, A) {
    state.total = state.total.map((total_j, j) => total_j + state.w[j]);
    const sub = new Array(problem.d).fill(0);
    for (const i of A) problem.add(i, problem.loss.derivative(problem.dot(i, state.w), problem.y[i], problem.gamma) / A.length, sub);
    state.acc = state.acc.map((acc_j, j) => acc_j - sub[j]);
    state.t = String(BigInt(state.t) + 1n);
    const next = Number(BigInt(state.t) + 1n);
    state.w = state.acc.map((acc_j) => soft(acc_j / next / problem.lam, problem.l1 / problem.lam));
  },
  view(problem, state) {
    const t = Number(state.t), w = t === 0 ? state.w : state.total.map((total_j) => total_j / t);
    return { w, alpha: problem.y.map((y, i) => problem.loss.derivative(problem.dot(i, w), y, problem.gamma)) };
  },
};

const METHODS = {
  aspdc,
  sdca,
  spdc: spdc((k) => [k], () => 1),
  "spdc-minibatch": spdc((K) => K, () => 1),
  "spdc-nonuniform": spdc((k) => [k], (k, weight) => weight[k]),
  pgs,
};

function methodOf(name) {
  if (!Object.hasOwnProperty.call(METHODS, name)) throw new Skipped(`method ${name}`);
  return METHODS[name];
}

// -- calls: given to result, both in bits ----------------------------------------------------------------------------------

class Skipped extends Error {}

// Numbers of an object of the protocol: strings are bits, integers stay what they are; and back.
const decoded = (value) => (Array.isArray(value) ? value.map(decoded) : typeof value === "string" ? decode(value) : value);
const numbers = (fields) => Object.fromEntries(
  Object.entries(fields).map(([name, value]) => [name, name === "t" ? value : decoded(value)]));
const vector = (values) => values.map(encode);
const inBits = (fields) => Object.fromEntries(
  Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? vector(value) : name === "t" ? value : encode(value)]));

function lossCall(formula) {
  return ({ loss, ...rest }) => ({ value: encode(formula(lossOf(loss), numbers(rest))) });
}

// method, problem and parameters of a request, and a copy of its state for every call of state()
function setting({ method, problem, parameters, state }) {
  return { method: methodOf(method), problem: new Problem(problem), parameters: numbers(parameters || {}), state: () => numbers(state) };
}

const CALLS = {
  "loss.value": lossCall((loss, { z, y, gamma }) => loss.value(z, y, gamma)),
  "loss.derivative": lossCall((loss, { z, y, gamma }) => loss.derivative(z, y, gamma)),
  "loss.conjugate": lossCall((loss, { alpha, y, gamma }) => loss.conjugate(alpha, y, gamma)),
  "loss.residual": lossCall((loss, { z, alpha, y, gamma }) => loss.residual(z, alpha, y, gamma)),
  "loss.dual_step": lossCall((loss, { z, alpha, y, q, gamma }) => loss.dualStep(z, alpha, y, q, gamma)),
  "regularizer.value"(given) {
    const { lam, l1, w } = numbers(given);
    return { value: encode(regularizerValue(lam, l1, w)) };
  },
  "regularizer.conjugate"(given) {
    const { lam, l1, u } = numbers(given);
    return { value: encode(regularizerConjugate(lam, l1, u)) };
  },
  "regularizer.minimizer"(given) {
    const { lam, l1, u } = numbers(given);
    return { w: vector(minimizer(lam, l1, u)) };
  },
  "regularizer.prox"(given) {
    const { lam, l1, w, tau } = numbers(given);
    return { w: vector(prox(lam, l1, w, tau)) };
  },
  gap(given) {
    const { primal, dual } = numbers(given);
    return { gap: encode(primal - dual) };
  },
  init({ method, problem, alpha }) {
    return { state: inBits(methodOf(method).init(new Problem(problem), decoded(alpha))) };
  },
  view(given) {
    const { method, problem, state } = setting(given);
    return inBits(method.view(problem, state()));
  },
  step(given) {
    return { state: CALLS.trajectory({ ...given, choices: [given.choice] }).states[0] };
  },
  trajectory(given) {
    const { method, problem, parameters, state } = setting(given), current = state();
    return { states: given.choices.map((choice) => (method.step(problem, parameters, current, choice), inBits(current))) };
  },
  last(given) { // as trajectory, of whose states the last
    const { method, problem, parameters, state } = setting(given), current = state();
    for (const choice of given.choices) method.step(problem, parameters, current, choice);
    return { state: inBits(current) };
  },
  branches(given) {
    return { states: given.choices.map((choice) => CALLS.step({ ...given, choice }).state) };
  },
  certificate({ problem, w, alpha }) {
    return inBits(new Problem(problem).certificate(decoded(w), decoded(alpha)));
  },
};

// -- the protocol ------------------------------------------------------------------------------------------------------------

function answer({ op, call, given, numbers: bits }) {
  if (op === undefined) return { error: "the request lacks op" };
  if (op === "start") return { protocol: 1, name: "dualgap-javascript", language: `Node ${process.version}`, version: "1" };
  if (op === "echo") return { numbers: bits.map((text) => encode(decode(text))) };
  if (op !== "run") return { skipped: `op ${op}` };
  if (!Object.hasOwnProperty.call(CALLS, call)) return { skipped: `call ${call}` };
  return { result: CALLS[call](given) };
}

function safeAnswer(line) {
  try {
    return answer(JSON.parse(line.replace(/"t":(\d+)/g, '"t":"$1"')));  // t may exceed 2^53: a string of digits here
  } catch (error) {
    if (error instanceof Skipped) return { skipped: error.message };
    return { error: String(error).replace(/[^ -~]|["\\]/g, " ") };
  }
}

require("readline").createInterface({ input: process.stdin, terminal: false }).on("line", (line) => {
  if (/"op": ?"stop"/.test(line)) process.exit(0);
  const seq = Number((/"seq": ?(\d+)/.exec(line) || [0, 0])[1]); // also where the line is no JSON
  process.stdout.write(JSON.stringify({ seq, ...safeAnswer(line) }).replace(/"t":"(\d+)"/g, '"t":$1') + "\n");
});
