//! A port of dualgap: all methods, losses and regularizers that have vectors; Rust, its standard library alone.
//!
//! One line of JSON in, one line of JSON out (docs/ports.md, docs/ports-methods.md). From the inside out: JSON, numbers,
//! losses, losses of several numbers, regularizers, rows of the problem, methods, calls, protocol. Every sum runs from left to
//! right over the stored entries, and nothing is fused: the bits are those of the reference, except for the logistic loss's root.
#![allow(non_snake_case)] // as in the papers: A, G, K, L, R, T

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write as _};
use std::panic::{catch_unwind, panic_any, set_hook};

// -- refusals: a request that cannot be answered ends in a panic with one of these, of which answer_to makes an answer ------

struct Refusal { kind: &'static str, why: String } // kind: "skipped" or "error"

fn refuse<T>(why: &str) -> T { panic_any(Refusal { kind: "error", why: why.to_string() }) }
fn skip<T>(why: String) -> T { panic_any(Refusal { kind: "skipped", why }) }

// -- JSON, as far as the protocol goes: objects, lists, integers, strings without escapes --------------------------------------

type Object = BTreeMap<String, Json>;

#[derive(Clone)]
enum Json { Integer(i64), Text(String), List(Vec<Json>), Object(Object) }

struct Reader<'a> { text: &'a [u8], at: usize }

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() { self.at += 1 }
        *self.text.get(self.at).unwrap_or(&0)
    }

    fn expect(&mut self, wanted: u8) {
        if self.peek() != wanted { refuse::<()>("the request is not JSON of this protocol") }
        self.at += 1;
    }

    fn string(&mut self) -> String {
        self.expect(b'"');
        let length = self.text[self.at..].iter().position(|&c| c == b'"').unwrap_or_else(|| refuse("a string has no end"));
        let found = &self.text[self.at..self.at + length];
        self.at += length + 1;
        String::from_utf8_lossy(found).into_owned()
    }

    fn value(&mut self) -> Json {
        match self.peek() {
            b'"' => Json::Text(self.string()),
            b'[' => Json::List(self.items(b']', |reader| reader.value())),
            b'{' => {
                let member = |reader: &mut Self| {
                    let name = (reader.peek(), reader.string()).1;
                    reader.expect(b':');
                    (name, reader.value())
                };
                Json::Object(self.items(b'}', member).into_iter().collect())
            }
            _ => {
                let length = self.text[self.at..].iter().take_while(|&&c| c == b'-' || c.is_ascii_digit()).count();
                let digits = std::str::from_utf8(&self.text[self.at..self.at + length]).unwrap();
                self.at += length;
                Json::Integer(digits.parse().unwrap_or_else(|_| refuse("the request is not JSON of this protocol")))
            }
        }
    }

    fn items<T>(&mut self, end: u8, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut found = vec![];
        self.at += 1;
        while self.peek() != end {
            if !found.is_empty() { self.expect(b',') }
            found.push(read(self));
        }
        self.at += 1;
        found
    }
}

fn written(json: &Json, out: &mut String) {
    match json {
        Json::Integer(number) => out.push_str(&number.to_string()),
        Json::Text(text) => { out.push('"'); out.push_str(text); out.push('"') }
        Json::List(items) => {
            for (k, item) in items.iter().enumerate() {
                out.push(if k == 0 { '[' } else { ',' });
                written(item, out);
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Json::Object(members) => {
            out.push('{');
            for (k, (name, item)) in members.iter().enumerate() {
                out.push_str(&format!("{}\"{}\":", if k == 0 { "" } else { "," }, name));
                written(item, out);
            }
            out.push('}');
        }
    }
}

// -- numbers: 16 hexadecimal digits, the bits of a double; what a request holds ------------------------------------------------

fn encode(x: f64) -> Json { Json::Text(format!("{:016x}", x.to_bits())) }

fn decode(json: &Json) -> f64 {
    match json {
        Json::Text(text) if text.len() == 16 => match u64::from_str_radix(text, 16) {
            Ok(bits) => f64::from_bits(bits),
            Err(_) => refuse("a number is 16 hexadecimal digits"),
        },
        _ => refuse("a number is 16 hexadecimal digits"),
    }
}

impl Json {
    fn integer(&self) -> i64 { if let Json::Integer(number) = self { *number } else { refuse("an integer is due") } }
    fn index(&self) -> usize { usize::try_from(self.integer()).unwrap_or_else(|_| refuse("no index")) }
    fn list(&self) -> &[Json] { if let Json::List(items) = self { items } else { refuse("a list is due") } }
    fn vector(&self) -> Vec<f64> { self.list().iter().map(decode).collect() }
    fn indices(&self) -> Vec<usize> { self.list().iter().map(Json::index).collect() }
    fn object(&self) -> &Object { if let Json::Object(members) = self { members } else { refuse("an object is due") } }
    fn text(&self) -> &str { if let Json::Text(text) = self { text } else { refuse("a string is due") } }
}

fn get<'a>(object: &'a Object, name: &str) -> &'a Json { object.get(name).unwrap_or_else(|| refuse(&format!("the request lacks {name}"))) }
fn number(object: &Object, name: &str) -> f64 { decode(get(object, name)) }
fn vector(object: &Object, name: &str) -> Vec<f64> { get(object, name).vector() }

// -- losses: alpha approximates +phi'(z); of a margin loss m = y z and b = -y alpha --------------------------------------------

#[derive(Clone, Copy, PartialEq)]
enum Loss { Squared, SmoothedHinge, SquaredHinge, Hinge, Logistic, Absolute }
use Loss::*;

fn loss_of(name: &str) -> Loss {
    match name {
        "squared" => Squared,
        "smoothed-hinge" => SmoothedHinge,
        "squared-hinge" => SquaredHinge,
        "hinge" => Hinge,
        "logistic" => Logistic,
        "absolute" => Absolute,
        _ => skip(format!("loss {name}")),
    }
}

fn square(x: f64) -> f64 { x * x }
fn clip(x: f64, low: f64, high: f64) -> f64 { x.max(low).min(high) }
fn logistic(t: f64) -> f64 { if t < 0.0 { t.exp() / (1.0 + t.exp()) } else { 1.0 / (1.0 + (-t).exp()) } }
fn softplus(t: f64) -> f64 { if t > 0.0 { t + (-t).exp().ln_1p() } else { t.exp().ln_1p() } } // log(1 + e^t)
fn entropy(p: f64) -> f64 { if p == 0.0 { 0.0 } else { p * p.ln() } }

impl Loss {
    fn in_domain(self, alpha: f64, y: f64) -> bool {
        let b = -y * alpha;
        match self {
            Squared => true,
            SquaredHinge => 0.0 <= b,
            SmoothedHinge | Hinge | Logistic => (0.0..=1.0).contains(&b),
            Absolute => (-1.0..=1.0).contains(&alpha),
        }
    }

    fn value(self, z: f64, y: f64, gamma: f64) -> f64 {
        let m = y * z;
        match self {
            Squared => square(z - y) / (2.0 * gamma),
            Logistic => softplus(-m),
            Absolute => (z - y).abs(),
            _ if m >= 1.0 => 0.0,
            SmoothedHinge => if m <= 1.0 - gamma { 1.0 - m - gamma / 2.0 } else { square(1.0 - m) / (2.0 * gamma) },
            SquaredHinge => square(1.0 - m),
            Hinge => 1.0 - m,
        }
    }

    fn derivative(self, z: f64, y: f64, gamma: f64) -> f64 {
        let m = y * z;
        match self {
            Squared => (z - y) / gamma,
            SmoothedHinge => -y * clip((1.0 - m) / gamma, 0.0, 1.0),
            SquaredHinge => -y * if m >= 1.0 { 0.0 } else { 2.0 * (1.0 - m) },
            Hinge => -y * if m >= 1.0 { 0.0 } else { 1.0 },
            Logistic => -y * logistic(-m),
            Absolute => if z > y { 1.0 } else if z < y { -1.0 } else { 0.0 },
        }
    }

    fn conjugate(self, alpha: f64, y: f64, gamma: f64) -> f64 {
        match self {
            _ if !self.in_domain(alpha, y) => f64::INFINITY,
            Squared | SmoothedHinge => y * alpha + gamma * alpha * alpha / 2.0,
            SquaredHinge => y * alpha + alpha * alpha / 4.0,
            Logistic => entropy(-y * alpha) + entropy(1.0 + y * alpha),
            Hinge | Absolute => y * alpha,
        }
    }

    /// phi(z) + phi*(alpha) - alpha z, written for each piece without cancellation (for the logistic loss as it stands).
    fn residual(self, z: f64, alpha: f64, y: f64, gamma: f64) -> f64 {
        let (m, b) = (y * z, -y * alpha);
        match self {
            _ if !self.in_domain(alpha, y) => f64::INFINITY,
            Squared => gamma * square((z - y) / gamma - alpha) / 2.0,
            SmoothedHinge if m >= 1.0 => b * (m - 1.0) + gamma * (b * b) / 2.0,
            SmoothedHinge if m <= 1.0 - gamma => (1.0 - b) * ((1.0 - gamma - m) + gamma * (1.0 - b) / 2.0),
            SmoothedHinge => gamma * square((1.0 - m) / gamma - b) / 2.0,
            SquaredHinge => if m >= 1.0 { b * (m - 1.0) + b * b / 4.0 } else { square((1.0 - m) - b / 2.0) },
            Hinge => if m >= 1.0 { b * (m - 1.0) } else { (1.0 - b) * (1.0 - m) },
            Logistic => softplus(-m) + (entropy(b) + entropy(1.0 - b)) - alpha * z,
            Absolute => if z >= y { (z - y) * (1.0 - alpha) } else { (y - z) * (1.0 + alpha) },
        }
    }

    /// argmin_a phi*(a) - a z + (q/2)(a - alpha)^2.
    fn dual_step(self, z: f64, alpha: f64, y: f64, q: f64, gamma: f64) -> f64 {
        let (b, slope) = (-y * alpha, 1.0 - y * z);
        match self {
            Squared => (z - y + q * alpha) / (gamma + q),
            SmoothedHinge => -y * clip((slope + q * b) / (gamma + q), 0.0, 1.0),
            SquaredHinge => -y * (2.0 * (slope + q * b) / (1.0 + 2.0 * q)).max(0.0),
            Hinge if q > 0.0 => -y * clip(b + slope / q, 0.0, 1.0),
            Absolute if q > 0.0 => clip(alpha + (z - y) / q, -1.0, 1.0),
            Hinge => if slope == 0.0 { alpha } else { self.derivative(z, y, gamma) },
            Absolute => if z == y { alpha } else { self.derivative(z, y, gamma) },
            Logistic => -y * logistic(logit_root(y * z, b, q)),
        }
    }
}

/// The root t of h(t) = t + m + q (logistic(t) - b), which increases: Newton, with bisection where a step leaves (low, high).
fn logit_root(m: f64, b: f64, q: f64) -> f64 {
    if q == 0.0 { return -m }
    let (mut low, mut high, mut t) = (-m - q * (1.0 - b), -m + q * b, -m);
    if q > 1.0 { // h(-m) and h(logit b) have opposite signs: a shorter bracket
        let logit = b.ln() - (-b).ln_1p();
        low = low.max(logit.min(-m));
        high = high.min(logit.max(-m));
        t = clip(0.0, low, high);
    }
    for _ in 0..200 {
        let (s, rest) = (logistic(t), logistic(-t));
        let h = t + m + q * (s - b);
        if h.abs() <= 4.0 * f64::EPSILON * (t.abs() + m.abs() + q * s.max(b)) { break }
        if h > 0.0 { high = t } else { low = t }
        let mut next = t - h / (1.0 + q * s * rest);
        if !(low < next && next < high) {
            next = low + (high - low) / 2.0;
            if !(low < next && next < high) { break }
        }
        t = next;
    }
    t
}

// -- losses of several numbers: of class c beta = alpha + e_c in the unit simplex, and a_k = z_k - z_c + 1, a_c = 0 ------------

fn sum(a: &[f64]) -> f64 { a.iter().fold(0.0, |total, x| total + x) }
fn dot(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).fold(0.0, |total, (x, y)| total + x * y) }
fn largest(a: &[f64]) -> f64 { a.iter().fold(f64::NEG_INFINITY, |top, &x| top.max(x)) }
fn plus(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> { a.iter().zip(b).map(|(x, y)| x + factor * y).collect() } // a + factor b
fn scaled(a: &[f64], factor: f64) -> Vec<f64> { a.iter().map(|x| factor * x + 0.0).collect() }
fn over(a: &[f64], divisor: f64) -> Vec<f64> { a.iter().map(|x| x / divisor).collect() }
fn unit(q: usize, c: usize) -> Vec<f64> { (0..q).map(|k| if k == c { 1.0 } else { 0.0 }).collect() } // e_c
fn margins(z: &[f64], c: usize) -> Vec<f64> { (0..z.len()).map(|k| if k == c { 0.0 } else { 1.0 + (z[k] - z[c]) }).collect() }

/// The nearest point of the unit simplex: max(point - t, 0).
fn onto_simplex(point: &[f64]) -> Vec<f64> {
    let (mut descending, mut total, mut t) = (point.to_vec(), 0.0, 0.0);
    descending.sort_by(|a, b| b.total_cmp(a));
    for (k, entry) in descending.iter().enumerate() {
        total += entry;
        let candidate = (total - 1.0) / (k + 1) as f64;
        if k > 0 && *entry <= candidate { break }
        t = candidate;
    }
    point.iter().map(|p| (p - t).max(0.0)).collect()
}

/// The beta of the unit simplex with ln beta_k + q beta_k = a_k - mu for a mu: Newton in mu, from the left, where the largest is 1.
fn entropy_prox(a: &[f64], q: f64) -> Vec<f64> {
    let mut mu = largest(a) - q;
    let at = |mu: f64| -> Vec<f64> { a.iter().map(|a_k| log_of_share(a_k - mu, q).exp()).collect() };
    for _ in 0..100 {
        let beta = at(mu);
        let slope = beta.iter().fold(0.0, |total, b| total + b / (1.0 + q * b));
        let next = mu + (sum(&beta) - 1.0) / slope;
        if next <= mu { break }
        mu = next;
    }
    over(&at(mu), sum(&at(mu)))
}

/// The t with t + q e^t = level: convex and increasing, so that Newton from the right only falls.
fn log_of_share(level: f64, q: f64) -> f64 {
    let mut t = if level > 0.0 { level.min((level / q).ln()) } else { level }; // e^level may be out of range
    for _ in 0..100 {
        let e = q * t.exp();
        let next = t - (t + e - level) / (1.0 + e);
        if (next - t).abs() <= f64::EPSILON * t.abs() { return next }
        t = next;
    }
    t
}

/// beta = alpha + e_c, and whether it is in the unit simplex.
fn weights(alpha: &[f64], c: usize) -> (Vec<f64>, bool) {
    let beta = plus(alpha, 1.0, &unit(alpha.len(), c));
    let inside = beta.iter().all(|&b| b >= 0.0) && sum(alpha).abs() <= 16.0 * f64::EPSILON;
    (beta, inside)
}

#[derive(Clone, Copy)]
enum BlockLoss { BallHuber, MulticlassSmoothedHinge, Softmax }
use BlockLoss::*;

fn block_loss_of(name: &str) -> BlockLoss {
    match name {
        "ball-huber" => BallHuber,
        "multiclass-smoothed-hinge" => MulticlassSmoothedHinge,
        "softmax" => Softmax,
        _ => skip(format!("loss {name}")),
    }
}

impl BlockLoss {
    fn value(self, z: &[f64], gamma: f64, target: &Json) -> f64 {
        match self {
            BallHuber => {
                let e = plus(z, -1.0, &target.vector());
                let length = dot(&e, &e).sqrt();
                if length <= gamma { dot(&e, &e) / (2.0 * gamma) } else { length - gamma / 2.0 }
            }
            MulticlassSmoothedHinge => {
                let a = margins(z, target.index());
                let beta = onto_simplex(&over(&a, gamma));
                dot(&a, &beta) - gamma * dot(&beta, &beta) / 2.0
            }
            Softmax => {
                let top = largest(z);
                top - z[target.index()] + z.iter().fold(0.0, |total, z_k| total + (z_k - top).exp()).ln()
            }
        }
    }

    fn conjugate(self, alpha: &[f64], gamma: f64, target: &Json) -> f64 {
        if let BallHuber = self {
            let norm2 = dot(alpha, alpha);
            return if norm2 <= 1.0 + 16.0 * f64::EPSILON { dot(&target.vector(), alpha) + gamma * norm2 / 2.0 } else { f64::INFINITY };
        }
        match (self, weights(alpha, target.index())) {
            (_, (_, false)) => f64::INFINITY,
            (Softmax, (beta, _)) => beta.iter().fold(0.0, |total, &b| total + entropy(b)),
            (_, (beta, _)) => gamma * dot(&beta, &beta) / 2.0 - (1.0 - beta[target.index()]),
        }
    }

    fn dual_step(self, z: &[f64], alpha: &[f64], q: f64, gamma: f64, target: &Json) -> Vec<f64> {
        if let BallHuber = self {
            let free = over(&plus(&plus(z, -1.0, &target.vector()), q, alpha), gamma + q);
            return over(&free, dot(&free, &free).sqrt().max(1.0));
        }
        let c = target.index();
        let (beta, e) = (weights(alpha, c).0, unit(z.len(), c));
        let following = match self {
            Softmax => entropy_prox(&plus(z, q, &beta), q),
            _ => onto_simplex(&over(&plus(&margins(z, c), q, &beta), gamma + q)),
        };
        plus(&following, -1.0, &e)
    }
}

// -- regularizers: g(w) = (lam/2)||w||^2 + l1 ||w||_1, and lam ||w||_p^2/(2(p-1)) on ||w||_p <= ball ---------------------------

fn soft(v: f64, s: f64) -> f64 { if v > s { v - s } else if v < -s { v + s } else { v - v } }
fn norm1(w: &[f64]) -> f64 { w.iter().fold(0.0, |total, w_j| total + w_j.abs()) }
fn penalty(lam: f64, l1: f64, w: &[f64]) -> f64 { lam * dot(w, w) / 2.0 + l1 * norm1(w) }
fn softened(lam: f64, l1: f64, v: &[f64]) -> Vec<f64> { v.iter().map(|&v_j| soft(v_j, l1 / lam)).collect() } // soft(v, l1/lam)
fn minimizer(lam: f64, l1: f64, u: &[f64]) -> Vec<f64> { softened(lam, l1, &over(&scaled(u, -1.0), lam)) } // grad g*(-u)
fn penalty_conjugate(lam: f64, l1: f64, u: &[f64]) -> f64 { penalty(lam, 0.0, &minimizer(lam, l1, u)) } // g*(-u)

fn prox(lam: f64, l1: f64, w: &[f64], tau: f64) -> Vec<f64> {
    w.iter().map(|&w_j| soft(w_j, tau * l1) / (1.0 + tau * lam)).collect()
}

struct PNorm { lam: f64, p: f64, ball: f64 } // ball: infinite where there is none

fn norm(w: &[f64], p: f64) -> f64 {
    let top = largest(&w.iter().map(|w_j| w_j.abs()).collect::<Vec<_>>());
    if p == 2.0 { return dot(w, w).sqrt() }
    if top == 0.0 { return 0.0 }
    top * w.iter().fold(0.0, |total, w_j| total + (w_j.abs() / top).powf(p)).powf(1.0 / p)
}

impl PNorm {
    fn of(given: &Object) -> PNorm {
        let ball = if given.contains_key("ball") { number(given, "ball") } else { f64::INFINITY };
        PNorm { lam: number(given, "lam"), p: number(given, "p"), ball }
    }

    fn dual_exponent(&self) -> f64 { self.p / (self.p - 1.0) }
    fn length(&self, u: &[f64]) -> f64 { ((self.p - 1.0) * norm(u, self.dual_exponent()) / self.lam).min(self.ball) } // ||w||_p
    fn at(&self, size: f64) -> f64 { self.lam * size * size / (2.0 * (self.p - 1.0)) }
    fn value(&self, w: &[f64]) -> f64 { if norm(w, self.p) > self.ball { f64::INFINITY } else { self.at(norm(w, self.p)) } }
    fn conjugate(&self, u: &[f64]) -> f64 { self.length(u) * norm(u, self.dual_exponent()) - self.at(self.length(u)) }

    fn minimizer(&self, u: &[f64]) -> Vec<f64> {
        let (q, length) = (self.dual_exponent(), self.length(u));
        let size = norm(u, q);
        u.iter().map(|u_j| if *u_j == 0.0 { 0.0 } else { -length * u_j.signum() * (u_j.abs() / size).powf(q - 1.0) }).collect()
    }
}

// -- the problem: its rows, and what is summed over them -------------------------------------------------------------------------

struct Problem {
    n: usize, d: usize, starts: Vec<usize>, columns: Vec<usize>, values: Vec<f64>, y: Vec<f64>,
    loss: Loss, gamma: f64, lam: f64, l1: f64, p_norm: Option<PNorm>, // instead of l1, where given
}

impl Problem {
    fn of(given: &Object) -> Problem {
        Problem {
            n: get(given, "n").index(), d: get(given, "d").index(), starts: get(given, "starts").indices(),
            columns: get(given, "columns").indices(), values: vector(given, "values"), y: vector(given, "y"),
            loss: loss_of(get(given, "loss").text()), gamma: number(given, "gamma"), lam: number(given, "lam"), l1: number(given, "l1"),
            p_norm: given.get("p").map(|_| PNorm::of(given)),
        }
    }

    /// The stored entries (j, x_ij) of row i.
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        (self.starts[i]..self.starts[i + 1]).map(|k| (self.columns[k], self.values[k]))
    }

    fn rows(&self) -> f64 { self.n as f64 }
    fn dot(&self, i: usize, w: &[f64]) -> f64 { self.row(i).fold(0.0, |total, (j, x)| total + x * w[j]) } // x_i^T w
    fn norm2(&self, i: usize) -> f64 { self.row(i).fold(0.0, |total, (_, x)| total + x * x) }
    fn largest_norm2(&self) -> f64 { (0..self.n).fold(0.0, |top: f64, i| top.max(self.norm2(i))) }
    fn entry(&self, i: usize, j: usize) -> f64 { self.row(i).find(|&(column, _)| column == j).map_or(0.0, |(_, x)| x) } // x_ij
    fn add(&self, i: usize, factor: f64, target: &mut [f64]) { for (j, x) in self.row(i) { target[j] += factor * x } }
    fn zeros(&self) -> Vec<f64> { vec![0.0; self.d] }

    /// X^T factors.
    fn sum_of_rows(&self, factors: &[f64]) -> Vec<f64> {
        let mut total = self.zeros();
        for i in 0..self.n { self.add(i, factors[i], &mut total) }
        total
    }

    fn u(&self, alpha: &[f64]) -> Vec<f64> { over(&self.sum_of_rows(alpha), self.rows()) } // X^T alpha/n
    fn w_of(&self, alpha: &[f64]) -> Vec<f64> { minimizer(self.lam, self.l1, &self.u(alpha)) } // w(alpha)
    fn slope(&self, i: usize, w: &[f64]) -> f64 { self.loss.derivative(self.dot(i, w), self.y[i], self.gamma) }
    fn slopes(&self, w: &[f64]) -> Vec<f64> { (0..self.n).map(|i| self.slope(i, w)).collect() } // phi_i'(x_i^T w)
    fn dual_step(&self, i: usize, z: f64, alpha: f64, q: f64) -> f64 { self.loss.dual_step(z, alpha, self.y[i], q, self.gamma) }

    /// x_i^T w with w = soft(v, l1/lam), computed where row i has entries.
    fn sees(&self, i: usize, v: &[f64], lam: f64) -> f64 { self.row(i).fold(0.0, |total, (j, x)| total + x * soft(v[j], self.l1 / lam)) }

    /// P(w), with (kappa/2)||w||^2 - kappa c^T w added to g.
    fn primal(&self, w: &[f64], kappa: f64, c: &[f64]) -> f64 {
        let total = (0..self.n).fold(0.0, |total, i| total + self.loss.value(self.dot(i, w), self.y[i], self.gamma));
        total / self.rows() + penalty(self.lam, self.l1, w) + kappa * (dot(w, w) / 2.0 - dot(c, w))
    }

    /// D(alpha) of the same.
    fn dual(&self, alpha: &[f64], kappa: f64, c: &[f64]) -> f64 {
        let total = (0..self.n).fold(0.0, |total, i| total + self.loss.conjugate(alpha[i], self.y[i], self.gamma));
        0.0 - total / self.rows() - penalty_conjugate(self.lam + kappa, self.l1, &plus(&self.u(alpha), -kappa, c))
    }

    fn gap(&self, kappa: f64, c: &[f64], w: &[f64], alpha: &[f64]) -> f64 { self.primal(w, kappa, c) - self.dual(alpha, kappa, c) }
}

// -- methods: init, step and view; a step changes the state that it is given ---------------------------------------------------

#[derive(Clone)]
enum Value { Count(usize), Number(f64), Vector(Vec<f64>), Indices(Vec<usize>), Writes(Vec<Write>) }

#[derive(Clone)]
struct Write { worker: usize, columns: Vec<usize>, amounts: Vec<f64> } // of the PASSCoDe simulator, in flight

impl From<usize> for Value { fn from(value: usize) -> Value { Value::Count(value) } }
impl From<f64> for Value { fn from(value: f64) -> Value { Value::Number(value) } }
impl From<Vec<f64>> for Value { fn from(value: Vec<f64>) -> Value { Value::Vector(value) } }
impl From<Vec<usize>> for Value { fn from(value: Vec<usize>) -> Value { Value::Indices(value) } }
impl From<Vec<Write>> for Value { fn from(value: Vec<Write>) -> Value { Value::Writes(value) } }

struct State(BTreeMap<String, Value>);

/// A state, or a result: state! { "w": w, "t": 0 }.
macro_rules! state {
    ($($name:literal: $value:expr),* $(,)?) => { State(BTreeMap::from([$(($name.to_string(), Value::from($value))),*])) };
}

impl State {
    fn of(given: &Object) -> State { State(given.iter().map(|(name, json)| (name.clone(), Value::of(json))).collect()) }
    fn with(mut self, name: &str, value: impl Into<Value>) -> State { self.set(name, value); self }
    fn set(&mut self, name: &str, value: impl Into<Value>) { self.0.insert(name.to_string(), value.into()); }

    fn v(&self, name: &str) -> Vec<f64> { if let Some(Value::Vector(v)) = self.0.get(name) { v.clone() } else { lacks(name) } }
    fn x(&self, name: &str) -> f64 { if let Some(Value::Number(x)) = self.0.get(name) { *x } else { lacks(name) } }
    fn k(&self, name: &str) -> usize { if let Some(Value::Count(k)) = self.0.get(name) { *k } else { lacks(name) } }
    fn list(&self, name: &str) -> Vec<usize> { if let Some(Value::Indices(v)) = self.0.get(name) { v.clone() } else { lacks(name) } }
    fn pending(&self) -> Vec<Write> { if let Some(Value::Writes(v)) = self.0.get("pending") { v.clone() } else { lacks("pending") } }
    fn written(&self) -> Json { Json::Object(self.0.iter().map(|(name, value)| (name.clone(), value.written())).collect()) }
}

fn lacks<T>(name: &str) -> T { refuse(&format!("the state lacks {name}")) }

impl Value {
    fn of(json: &Json) -> Value {
        match json {
            Json::Integer(_) => Value::Count(json.index()),
            Json::Text(_) => Value::Number(decode(json)),
            Json::Object(_) => refuse("a state has numbers and lists"),
            Json::List(items) => match items.first() {
                Some(Json::Text(_)) => Value::Vector(json.vector()),
                Some(Json::Integer(_)) => Value::Indices(json.indices()),
                _ => Value::Writes(items.iter().map(|item| Write::of(item.object())).collect()),
            },
        }
    }

    fn written(&self) -> Json {
        match self {
            Value::Count(k) => Json::Integer(*k as i64),
            Value::Number(x) => encode(*x),
            Value::Vector(v) => Json::List(v.iter().map(|&x| encode(x)).collect()),
            Value::Indices(v) => Json::List(v.iter().map(|&k| Json::Integer(k as i64)).collect()),
            Value::Writes(v) => Json::List(v.iter().map(Write::written).collect()),
        }
    }
}

impl Write {
    fn of(given: &Object) -> Write {
        Write { worker: get(given, "worker").index(), columns: get(given, "columns").indices(), amounts: vector(given, "amounts") }
    }

    fn written(&self) -> Json {
        state! { "worker": self.worker, "columns": self.columns.clone(), "amounts": self.amounts.clone() }.written()
    }

    fn land(&self, v: &mut [f64]) { for (j, amount) in self.columns.iter().zip(&self.amounts) { v[*j] -= amount } }
}

type Pair = (Vec<f64>, Vec<f64>); // w, alpha

struct Method {
    init: fn(&Problem, &Object, Vec<f64>) -> State,
    step: fn(&Problem, &Object, &mut State, &Json),
    view: fn(&Problem, &Object, &State) -> Pair,
}

// Dual coordinate methods: v = -X^T alpha/(lam n), w = soft(v, l1/lam).

fn dual_init(p: &Problem, _: &Object, alpha: Vec<f64>) -> State { state! { "v": over(&scaled(&p.u(&alpha), -1.0), p.lam), "alpha": alpha } }
fn dual_view(p: &Problem, _: &Object, s: &State) -> Pair { (softened(p.lam, p.l1, &s.v("v")), s.v("alpha")) }

fn coordinate(p: &Problem, lam: f64, s: &mut State, i: usize, q: f64) {
    let (mut v, mut alpha) = (s.v("v"), s.v("alpha"));
    let alpha_i = p.dual_step(i, p.sees(i, &v, lam), alpha[i], q);
    let c = (alpha_i - alpha[i]) / (lam * p.rows());
    alpha[i] = alpha_i;
    p.add(i, -c, &mut v);
    s.set("v", v);
    s.set("alpha", alpha);
}

fn aspdc(p: &Problem, lam: f64, s: &mut State, i: usize) { coordinate(p, lam, s, i, 0.0) } // ASPDC line 5: the dual step with q = 0
fn sdca(p: &Problem, lam: f64, s: &mut State, i: usize) { coordinate(p, lam, s, i, p.norm2(i) / (lam * p.rows())) } // SDCA line 4

const ASPDC: Method = Method { init: dual_init, step: |p, _, s, choice| aspdc(p, p.lam, s, choice.index()), view: dual_view };
const SDCA: Method = Method { init: dual_init, step: |p, _, s, choice| sdca(p, p.lam, s, choice.index()), view: dual_view };

/// Of how many of the states T0, T0 + 1, .. alpha_i was the same until end.
fn standing(q: &Object, since: usize, end: usize) -> f64 { end.saturating_sub(since.max(get(q, "T0").index())) as f64 }

const AVERAGED: Method = Method {
    init: |p, q, alpha| dual_init(p, q, alpha).with("t", 0).with("total", vec![0.0; p.n]).with("since", vec![0; p.n]),
    step: |p, q, s, choice| {
        let (i, t, mut total, mut since) = (choice.index(), s.k("t"), s.v("total"), s.list("since"));
        total[i] += s.v("alpha")[i] * standing(q, since[i], t + 1);
        since[i] = t + 1;
        s.set("total", total);
        s.set("since", since);
        s.set("t", t + 1);
        sdca(p, p.lam, s, i);
    },
    view: |p, q, s| {
        let (t, first, total, since) = (s.k("t"), get(q, "T0").index(), s.v("total"), s.list("since"));
        if t <= first { return dual_view(p, q, s) }
        let mut alpha = s.v("alpha");
        for i in 0..p.n { alpha[i] = (total[i] + alpha[i] * standing(q, since[i], t)) / (t - first) as f64 }
        (p.w_of(&alpha), alpha)
    },
};

const RANDOM: Method = Method {
    init: |p, q, alpha| dual_init(p, q, alpha).with("t", 0).with("output", vec![0.0; p.n]),
    step: |p, _, s, choice| {
        if choice.index() >= p.n { s.set("output", s.v("alpha")) } // the state before this step is kept
        sdca(p, p.lam, s, choice.index() % p.n);
        s.set("t", s.k("t") + 1);
    },
    view: |p, q, s| {
        if s.k("t") <= get(q, "T0").index() { return dual_view(p, q, s) }
        (p.w_of(&s.v("output")), s.v("output"))
    },
};

const SHRINKING: Method = Method {
    init: |p, q, alpha| {
        let counts = dual_init(p, q, alpha).with("active", (0..p.n).collect::<Vec<_>>()).with("size", p.n).with("position", 0).with("kept", 0);
        counts.with("threshold", 0.0).with("violation", 0.0).with("tolerance", 0.0)
    },
    step: |p, _, s, choice| {
        let (mut active, at, size, threshold) = (s.list("active"), s.k("position"), s.k("size"), s.x("threshold"));
        active.swap(at, at + choice.index() * (size - at) / p.n);
        let i = active[at];
        let before = s.v("alpha")[i];
        let slope = if matches!(p.loss, Squared | Logistic) { 0.0 } else { (p.y[i] + p.gamma * before - p.sees(i, &s.v("v"), p.lam)).abs() };
        sdca(p, p.lam, s, i);
        let moved = s.v("alpha")[i] != before;
        if moved { s.set("violation", s.x("violation").max(slope)) }
        if moved || threshold == 0.0 || slope <= threshold {
            active.swap(at, s.k("kept"));
            s.set("kept", s.k("kept") + 1);
        }
        s.set("active", active);
        s.set("position", at + 1);
        if at + 1 == size { next_pass(p, s) }
    },
    view: dual_view,
};

/// Of the rows that were kept, or of all once what was violated is small.
fn next_pass(p: &Problem, s: &mut State) {
    let violation = s.x("violation");
    if s.k("size") == p.n { s.set("tolerance", violation / 100.0) }
    let solved = violation <= s.x("tolerance");
    s.set("size", if solved { p.n } else { s.k("kept") });
    s.set("threshold", if solved { 0.0 } else { violation });
    s.set("position", 0);
    s.set("kept", 0);
    s.set("violation", 0.0);
}

// Proximal point methods: the steps see g + (kappa/2)||w - c||^2, so that v = (kappa c - u)/(lam + kappa).

fn centred(p: &Problem, kappa: f64, c: &[f64], alpha: &[f64]) -> Vec<f64> { over(&plus(&scaled(c, kappa), -1.0, &p.u(alpha)), p.lam + kappa) }

fn proximal_init(p: &Problem, q: &Object, alpha: Vec<f64>) -> State {
    let s = state! { "w_tilde": p.zeros(), "w_tilde_before": p.zeros(), "alpha_tilde": alpha.clone(), "steps": 0, "epoch": 0, "xi": 0.0 };
    s.with("v", centred(p, number(q, "kappa"), &p.zeros(), &alpha)).with("alpha", alpha)
}

fn proximal_view(_: &Problem, _: &Object, s: &State) -> Pair { (s.v("w_tilde"), s.v("alpha_tilde")) }

/// An inner call returns: the centre is its w, or by the momentum beyond it.
fn recentre(p: &Problem, kappa: f64, s: &mut State, momentum: f64) {
    let (before, w) = (s.v("w_tilde"), softened(p.lam + kappa, p.l1, &s.v("v")));
    s.set("v", centred(p, kappa, &plus(&w, momentum, &plus(&w, -1.0, &before)), &s.v("alpha")));
    s.set("w_tilde_before", before);
    s.set("w_tilde", w);
    s.set("alpha_tilde", s.v("alpha"));
    s.set("epoch", s.k("epoch") + 1);
    s.set("steps", 0);
}

fn inner_step(p: &Problem, kappa: f64, s: &mut State, choice: &Json) {
    aspdc(p, p.lam + kappa, s, choice.index());
    s.set("steps", s.k("steps") + 1);
}

/// An inner call has m steps.
fn counted(p: &Problem, q: &Object, s: &mut State, choice: &Json, momentum: f64) {
    inner_step(p, number(q, "kappa"), s, choice);
    if s.k("steps") == get(q, "m").index() { recentre(p, number(q, "kappa"), s, momentum) }
}

fn momentum(p: &Problem, q: &Object) -> f64 {
    let r = (p.lam / (p.lam + 2.0 * number(q, "kappa"))).sqrt();
    (1.0 - r) / (1.0 + r)
}

const FIXED: Method = Method { init: proximal_init, step: |p, q, s, choice| counted(p, q, s, choice, 0.0), view: proximal_view };
const MOMENTUM: Method = Method { init: proximal_init, step: |p, q, s, choice| counted(p, q, s, choice, momentum(p, q)), view: proximal_view };

/// An inner call ends where its gap is small enough.
const TESTED: Method = Method {
    init: |p, q, alpha| {
        let eta = p.lam / (p.lam + 2.0 * number(q, "kappa"));
        let xi = (1.0 + 1.0 / eta) * p.gap(0.0, &p.zeros(), &p.zeros(), &alpha);
        proximal_init(p, q, alpha).with("epoch", 1).with("xi", xi)
    },
    step: |p, q, s, choice| {
        let kappa = number(q, "kappa");
        let eta = p.lam / (p.lam + 2.0 * kappa);
        let mut moving = s.k("steps") % p.n == 0;
        while moving && s.x("xi") > 0.0 {
            let (w, c) = (softened(p.lam + kappa, p.l1, &s.v("v")), s.v("w_tilde"));
            moving = p.gap(kappa, &c, &w, &s.v("alpha")) <= eta * s.x("xi") / (2.0 * (1.0 + 1.0 / eta));
            if moving {
                recentre(p, kappa, s, 0.0);
                s.set("xi", (1.0 - eta / 2.0) * s.x("xi"));
                moving = c != s.v("w_tilde");
            }
        }
        inner_step(p, kappa, s, choice);
    },
    view: proximal_view,
};

/// kappa, rho/mu and eta of ASDCA.
fn asdca_constants(p: &Problem) -> (f64, f64, f64) {
    let kappa = (p.largest_norm2() / (p.rows() * p.gamma) - p.lam).max(0.0);
    let ratio = (p.lam / 2.0 + kappa) / (p.lam / 2.0);
    (kappa, ratio, (1.0 / ratio).sqrt())
}

const ASDCA: Method = Method {
    init: |p, _, alpha| {
        let (kappa, ratio, _) = asdca_constants(p);
        let w = p.w_of(&alpha);
        let bound = p.gap(0.0, &w, &w, &alpha);
        let counts = state! { "t": 1, "gaps": 1, "rule": 0, "steps": 0, "bound": bound, "xi": (1.0 + ratio) * bound, "xi_1": (1.0 + ratio) * bound };
        let centre = counts.with("v", centred(p, kappa, &w, &alpha)).with("w_t", w.clone()).with("y_t", w);
        centre.with("alpha_t", alpha.clone()).with("alpha", alpha)
    },
    step: |p, _, s, choice| {
        if s.k("rule") != 0 { return }
        let (kappa, ratio, eta) = asdca_constants(p);
        sdca(p, p.lam + kappa, s, choice.index());
        s.set("steps", s.k("steps") + 1);
        if s.k("steps") % p.n != 0 { return }
        s.set("gaps", s.k("gaps") + 1);
        let (w, c, alpha) = (softened(p.lam + kappa, p.l1, &s.v("v")), s.v("y_t"), s.v("alpha"));
        let gap = p.gap(kappa, &c, &w, &alpha);
        if gap <= eta * s.x("xi") / (2.0 * (1.0 + ratio)) { finished(p, s, w, &c, alpha, gap) }
    },
    view: |_, _, s| (s.v("w_t"), s.v("alpha_t")),
};

/// An inner call of ASDCA returns w, alpha; c was its centre.
fn finished(p: &Problem, s: &mut State, w: Vec<f64>, c: &[f64], alpha: Vec<f64>, gap: f64) {
    let (kappa, ratio, eta) = asdca_constants(p);
    let away = plus(&w, -1.0, c);
    let bound = (1.0 + ratio) * gap + ratio * kappa / 2.0 * dot(&away, &away);
    let y = plus(&w, (1.0 - eta) / (1.0 + eta), &plus(&w, -1.0, &s.v("w_t")));
    s.set("v", centred(p, kappa, &y, &alpha));
    s.set("bound", bound);
    s.set("y_t", y);
    s.set("w_t", w);
    s.set("alpha_t", alpha);
    s.set("t", s.k("t") + 1);
    s.set("xi", (1.0 - eta / 2.0) * s.x("xi"));
    s.set("steps", 0);
    if bound <= 0.0 { s.set("rule", 2) }
}

/// CoCoA+: each worker makes SDCA's steps on its own rows, from the common v, and counts what it moves sigma times.
const COCOA: Method = Method {
    init: dual_init,
    step: |p, q, s, choice| {
        let (aggregation, sigma, rows) = (number(q, "aggregation"), number(q, "sigma"), choice.indices());
        let (common, before, mut begin) = (s.v("v"), s.v("alpha"), 0);
        let (mut v, mut alpha) = (common.clone(), before.clone());
        for end in get(q, "ends").indices() {
            let mut own = common.clone();
            for &i in rows.iter().filter(|&&i| begin <= i && i < end) {
                let a = p.dual_step(i, p.sees(i, &own, p.lam), alpha[i], sigma * p.norm2(i) / (p.lam * p.rows()));
                p.add(i, -sigma * ((a - alpha[i]) / (p.lam * p.rows())), &mut own);
                alpha[i] = a;
            }
            v = plus(&v, aggregation / sigma, &plus(&own, -1.0, &common));
            begin = end;
        }
        s.set("alpha", plus(&before, aggregation, &plus(&alpha, -1.0, &before)));
        s.set("v", v);
    },
    view: dual_view,
};

// The PASSCoDe simulator: workers whose writes are in flight, and which see some of those of the others.

fn passcode_init(p: &Problem, q: &Object, alpha: Vec<f64>) -> State { dual_init(p, q, alpha).with("pending", Vec::<Write>::new()) }

fn passcode_view(_: &Problem, _: &Object, s: &State) -> Pair {
    let mut v = s.v("v");
    for write in s.pending() { write.land(&mut v) }
    (v, s.v("alpha"))
}

fn passcode_step(p: &Problem, q: &Object, s: &mut State, choice: &Json, lock: bool) {
    let drawn = choice.indices();
    let (worker, i, visible, lost) = (drawn[0], drawn[1], drawn[2], *drawn.get(3).unwrap_or(&0));
    let (mut pending, mut v, mut alpha) = (s.pending(), s.v("v"), s.v("alpha"));
    let (mut read, mut place) = (v.clone(), 0); // what the worker reads
    for write in &pending {
        for (j, amount) in write.columns.iter().zip(&write.amounts) {
            let own = write.worker == worker;
            if lock || own || visible >> place & 1 == 1 { read[*j] -= amount }
            if !own { place += 1 }
        }
    }
    let alpha_i = p.dual_step(i, p.sees(i, &read, p.lam), alpha[i], p.norm2(i) / (p.lam * p.rows()));
    let c = (alpha_i - alpha[i]) / (p.lam * p.rows());
    alpha[i] = alpha_i;
    let kept = p.row(i).enumerate().filter(|(k, _)| lost >> k & 1 == 0).map(|(_, (j, x))| (j, c * x));
    let (columns, amounts) = kept.unzip();
    pending.push(Write { worker, columns, amounts });
    while pending.len() > get(q, "delay").index() { pending.remove(0).land(&mut v) }
    s.set("v", v);
    s.set("alpha", alpha);
    s.set("pending", pending);
}

const LOCK: Method = Method { init: passcode_init, step: |p, q, s, choice| passcode_step(p, q, s, choice, true), view: passcode_view };
const ATOMIC: Method = Method { init: passcode_init, step: |p, q, s, choice| passcode_step(p, q, s, choice, false), view: passcode_view };

// Primal-dual methods: SPDC (Algorithms 1 to 3), AdaSPDC, PDCP, SPD1.

fn saddle_init(p: &Problem, _: &Object, alpha: Vec<f64>) -> State {
    let u = p.u(&alpha);
    let w = minimizer(p.lam, p.l1, &u);
    state! { "w": w.clone(), "w_bar": w, "u": u, "alpha": alpha }
}

fn saddle_view(_: &Problem, _: &Object, s: &State) -> Pair { (s.v("w"), s.v("alpha")) }

/// A step with the rows K: new alpha_k at z = x_k^T w_bar, then u, and w with tau; the share of row k in w is 1/(m weight_k).
fn saddle(p: &Problem, s: &mut State, K: &[usize], tau: f64, theta: f64, new: impl Fn(usize, f64, f64) -> f64, weight: impl Fn(usize) -> f64) {
    let (mut alpha, mut u, w_bar) = (s.v("alpha"), s.v("u"), s.v("w_bar"));
    let following: Vec<f64> = K.iter().map(|&k| new(k, p.dot(k, &w_bar), alpha[k])).collect();
    let mut r = u.clone();
    for (&k, alpha_k) in K.iter().zip(following) {
        let change = alpha_k - alpha[k];
        alpha[k] = alpha_k;
        p.add(k, change / (K.len() as f64 * weight(k)), &mut r);
        p.add(k, change / p.rows(), &mut u); // SPDC (9)
    }
    s.set("alpha", alpha);
    s.set("u", u);
    descend(p, s, &r, tau, theta);
}

fn descend(p: &Problem, s: &mut State, direction: &[f64], tau: f64, theta: f64) {
    let before = s.v("w");
    let w = prox(p.lam, p.l1, &plus(&before, -tau, direction), tau); // SPDC (8)
    s.set("w_bar", plus(&w, theta, &plus(&w, -1.0, &before))); // SPDC (10)
    s.set("w", w);
}

const SPDC: Method = Method {
    init: saddle_init,
    step: |p, q, s, choice| {
        let K = if let Json::Integer(_) = choice { vec![choice.index()] } else { choice.indices() };
        let (sigma, delta, weights) = (number(q, "sigma"), number(q, "delta"), q.get("weight").map(Json::vector)); // p_k n of Algorithm 3
        let weight = |k: usize| weights.as_ref().map_or(1.0, |w| w[k]);
        let new = |k: usize, z: f64, old: f64| { // SPDC (7); where delta > 0, (20): (delta/2) a^2 joins the other quadratic
            let stiffness = weight(k) / sigma;
            let at = if delta == 0.0 { old } else { stiffness * old / (stiffness + delta) };
            p.dual_step(k, z, at, stiffness + delta)
        };
        saddle(p, s, &K, number(q, "tau"), number(q, "theta"), new, weight);
    },
    view: saddle_view,
};

/// AdaSPDC; R is the largest norm of all rows, or of the sample.
fn adaptive(p: &Problem, q: &Object, s: &mut State, choice: &Json, all: bool) {
    let (K, c, norms, n) = (choice.indices(), number(q, "c"), vector(q, "R"), p.rows());
    let R = if all { largest(&norms) } else { K.iter().fold(0.0, |top: f64, &i| top.max(norms[i])) };
    let preset_b = q.get("preset").map_or(false, |preset| preset.text() == "b");
    let stiffness = |i: usize| if preset_b { 2.0 * norms[i] * norms[i] / (R * c) } else { 2.0 * norms[i] / c };
    let m = K.len() as f64;
    let theta = 1.0 - 1.0 / (n / m + R * n / (m * p.gamma * c));
    saddle(p, s, &K, 1.0 / (2.0 * R * c), theta, |i, z, old| p.dual_step(i, z, old, stiffness(i)), |_| 1.0);
}

const ADASPDC: Method = Method { init: saddle_init, step: |p, q, s, choice| adaptive(p, q, s, choice, false), view: saddle_view };
const ADASPDC_R: Method = Method { init: saddle_init, step: |p, q, s, choice| adaptive(p, q, s, choice, true), view: saddle_view };

const PDCP: Method = Method {
    init: |p, _, alpha| state! { "w": p.w_of(&alpha), "w_bar": p.w_of(&alpha), "alpha": alpha },
    step: |p, q, s, _| {
        let (w_bar, old) = (s.v("w_bar"), s.v("alpha"));
        let alpha: Vec<f64> = (0..p.n).map(|i| p.dual_step(i, p.dot(i, &w_bar), old[i], p.rows() / number(q, "sigma"))).collect();
        descend(p, s, &p.u(&alpha), number(q, "tau"), number(q, "theta"));
        s.set("alpha", alpha);
    },
    view: saddle_view,
};

const SPD1: Method = Method {
    init: |p, _, alpha| {
        let s = state! { "w": p.w_of(&alpha), "alpha": alpha, "t": 0, "total_w": p.zeros(), "since_w": vec![0; p.d] };
        s.with("total_alpha", vec![0.0; p.n]).with("since_alpha", vec![0; p.n])
    },
    step: |p, q, s, choice| {
        let (drawn, t) = (choice.indices(), s.k("t"));
        let (i, j, n, d, after) = (drawn[0], drawn[1], p.rows(), p.d as f64, (t + 1) as f64);
        add_up(s, "w", j, t);
        add_up(s, "alpha", i, t);
        s.set("t", t + 1);
        let of_step = (2.0 * d / (p.lam * (after + 4.0 * d)), 2.0 * n * d / (p.gamma * (after + 4.0 * n)));
        let (eta, tau) = if q.is_empty() { of_step } else { (number(q, "eta"), number(q, "tau")) };
        let (mut w, mut alpha, x) = (s.v("w"), s.v("alpha"), p.entry(i, j));
        let z = d * x * w[j];
        w[j] = prox(p.lam, p.l1, &[w[j] - eta * x * alpha[i]], eta)[0];
        alpha[i] = p.dual_step(i, z, alpha[i], d / tau);
        s.set("w", w);
        s.set("alpha", alpha);
    },
    view: |_, _, s| if s.k("t") == 0 { (s.v("w"), s.v("alpha")) } else { (average(s, "w"), average(s, "alpha")) },
};

/// The entry as it stood since it was last written goes to the total.
fn add_up(s: &mut State, name: &str, k: usize, t: usize) {
    let (totals, times) = (format!("total_{name}"), format!("since_{name}"));
    let (mut total, mut since) = (s.v(&totals), s.list(&times));
    total[k] += (t - since[k]) as f64 * s.v(name)[k];
    since[k] = t;
    s.set(&totals, total);
    s.set(&times, since);
}

fn average(s: &State, name: &str) -> Vec<f64> {
    let (t, total, since, now) = (s.k("t"), s.v(&format!("total_{name}")), s.list(&format!("since_{name}")), s.v(name));
    (0..now.len()).map(|k| (total[k] + (t - since[k]) as f64 * now[k]) / t as f64).collect()
}

fn snapshot(p: &Problem, s: &mut State) {
    let (w, alpha) = (s.v("w"), s.v("alpha"));
    s.set("u_tilde", p.u(&alpha));
    s.set("z_tilde", (0..p.n).map(|i| p.dot(i, &w)).collect::<Vec<_>>());
    s.set("w_tilde", w);
    s.set("alpha_tilde", alpha);
}

const SPD1_VR: Method = Method {
    init: |p, _, alpha| {
        let mut s = state! { "w": p.w_of(&alpha), "alpha": alpha, "t": 0 };
        snapshot(p, &mut s);
        s
    },
    step: |p, q, s, choice| {
        let (t, eta, drawn) = (s.k("t"), number(q, "eta"), choice.indices());
        if t > 0 && t % get(q, "m").index() == 0 { snapshot(p, s) }
        let (i, i2, j, j2) = (drawn[0], drawn[1], drawn[2], drawn[3]); // w_j and alpha_i move; i2 and j2 estimate
        let (mut w, mut alpha) = (s.v("w"), s.v("alpha"));
        let h = p.entry(i2, j) * (alpha[i2] - s.v("alpha_tilde")[i2]) + s.v("u_tilde")[j];
        let z = p.d as f64 * p.entry(i, j2) * (w[j2] - s.v("w_tilde")[j2]) + s.v("z_tilde")[i];
        w[j] = prox(p.lam, p.l1, &[w[j] - eta * h], eta)[0];
        alpha[i] = p.dual_step(i, z, alpha[i], 1.0 / number(q, "tau"));
        s.set("w", w);
        s.set("alpha", alpha);
        s.set("t", t + 1);
    },
    view: saddle_view,
};

// Primal methods: PGS, Pegasos, SAG, SVRG, AFG. Their alpha are the slopes phi_i'(x_i^T w).

/// (1/k) sum over A of phi_i'(x_i^T w) x_i.
fn subgradient(p: &Problem, w: &[f64], A: &[usize]) -> Vec<f64> {
    let mut sub = p.zeros();
    for &i in A { p.add(i, p.slope(i, w) / A.len() as f64, &mut sub) }
    sub
}

const PGS: Method = Method {
    init: |p, _, _| state! { "w": p.zeros(), "acc": p.zeros(), "total": p.zeros(), "t": 0 },
    step: |p, _, s, choice| {
        let (w, t) = (s.v("w"), s.k("t") + 1);
        let acc = plus(&s.v("acc"), -1.0, &subgradient(p, &w, &choice.indices()));
        let mean = over(&acc, (t + 1) as f64);
        s.set("total", plus(&s.v("total"), 1.0, &w));
        s.set("acc", acc);
        s.set("t", t);
        s.set("w", match &p.p_norm {
            Some(g) => g.minimizer(&scaled(&mean, -1.0)),
            None => softened(p.lam, p.l1, &over(&mean, p.lam)),
        });
    },
    view: |p, _, s| {
        let w = if s.k("t") == 0 { s.v("w") } else { over(&s.v("total"), s.k("t") as f64) };
        let alpha = p.slopes(&w);
        (w, alpha)
    },
};

const PEGASOS: Method = Method {
    init: |p, _, _| state! { "w": p.zeros(), "t": 0 },
    step: |p, q, s, choice| {
        let (w, t) = (s.v("w"), (s.k("t") + 1) as f64);
        let shrunk = plus(&w, -1.0, &over(&w, t));
        let moved = plus(&shrunk, -1.0 / (p.lam * t), &subgradient(p, &w, &choice.indices()));
        let norm2 = dot(&moved, &moved);
        let outside = get(q, "projection").integer() == 1 && norm2 > 1.0 / p.lam;
        s.set("w", if outside { scaled(&moved, (1.0 / (p.lam * norm2)).sqrt()) } else { moved });
        s.set("t", s.k("t") + 1);
    },
    view: |p, _, s| (s.v("w"), p.slopes(&s.v("w"))),
};

const SAG: Method = Method {
    init: |p, _, alpha| state! { "w": p.w_of(&alpha), "G": p.sum_of_rows(&alpha), "c": alpha, "seen": vec![1; p.n], "m": p.n },
    step: |p, q, s, choice| {
        let (i, a, w, mut c, mut G, mut seen) = (choice.index(), number(q, "a"), s.v("w"), s.v("c"), s.v("G"), s.list("seen"));
        let slope = p.slope(i, &w);
        p.add(i, slope - c[i], &mut G);
        c[i] = slope;
        seen[i] = 1;
        let m: usize = seen.iter().sum();
        s.set("w", plus(&scaled(&w, 1.0 - a * p.lam), -a / m as f64, &G));
        s.set("c", c);
        s.set("G", G);
        s.set("seen", seen);
        s.set("m", m);
    },
    view: |_, _, s| (s.v("w"), s.v("c")),
};

/// phi_i'(x_i^T w) x_i + lam w.
fn row_gradient(p: &Problem, i: usize, w: &[f64]) -> Vec<f64> {
    let mut gradient = scaled(w, p.lam);
    p.add(i, p.slope(i, w), &mut gradient);
    gradient
}

const SVRG: Method = Method {
    init: |p, q, alpha| {
        let w = p.w_of(&alpha);
        let s = state! { "w": w.clone(), "w_tilde": w.clone(), "mu_tilde": p.zeros(), "t": 0, "s": 0 };
        if get(q, "option").integer() == 2 { s.with("kept", w) } else { s }
    },
    step: |p, q, s, choice| {
        let (w, t, i, second) = (s.v("w"), s.k("t"), choice.index() % p.n, get(q, "option").integer() == 2);
        if t == 0 {
            s.set("mu_tilde", plus(&p.u(&p.slopes(&w)), p.lam, &w));
            s.set("w_tilde", w.clone());
            s.set("s", s.k("s") + 1);
        }
        if choice.index() >= p.n { s.set("kept", w.clone()) }
        let variate = plus(&s.v("mu_tilde"), -1.0, &row_gradient(p, i, &s.v("w_tilde")));
        let direction = plus(&row_gradient(p, i, &w), 1.0, &variate);
        let last = t + 1 == get(q, "m").index();
        s.set("w", if last && second { s.v("kept") } else { plus(&w, -number(q, "eta"), &direction) });
        s.set("t", if last { 0 } else { t + 1 });
    },
    view: |p, q, s| {
        let w = if get(q, "option").integer() == 2 && s.k("t") > 0 { s.v("kept") } else { s.v("w") };
        let alpha = p.slopes(&w);
        (w, alpha)
    },
};

const AFG: Method = Method {
    init: |p, _, _| {
        let L = p.largest_norm2() / (p.rows() * p.gamma);
        state! { "x": p.zeros(), "s": p.zeros(), "A": 0.0, "L": if L == 0.0 { 1.0 } else { L }, "k": 0, "trials": 0 }
    },
    step: |p, _, s, _| {
        let (A, L, x) = (s.x("A"), s.x("L"), s.v("x"));
        let b = 2.0 * (1.0 + p.lam * A) / L;
        let a = (b + (b * b + 4.0 * b * A).sqrt()) / 2.0;
        let v = prox(p.lam, p.l1, &scaled(&s.v("s"), -1.0), A);
        let y = over(&plus(&scaled(&x, A), a, &v), A + a);
        let before = p.u(&p.slopes(&y));
        let T = prox(p.lam, p.l1, &plus(&y, -1.0, &over(&before, L)), 1.0 / L);
        let (after, back) = (p.u(&p.slopes(&T)), plus(&y, -1.0, &T));
        let h = plus(&plus(&scaled(&back, L), 1.0, &after), -1.0, &before);
        s.set("trials", s.k("trials") + 1);
        if L < p.largest_norm2() / p.gamma && dot(&h, &back) < dot(&h, &h) / L {
            s.set("L", 2.0 * L);
            return;
        }
        s.set("A", A + a);
        s.set("L", L / 2.0);
        s.set("s", plus(&s.v("s"), a, &after));
        s.set("x", T);
        s.set("k", s.k("k") + 1);
    },
    view: |p, _, s| (s.v("x"), p.slopes(&s.v("x"))),
};

fn method_of(name: &str) -> Method {
    match name {
        "aspdc" => ASPDC,
        "sdca" => SDCA,
        "sdca-averaged" => AVERAGED,
        "sdca-random" => RANDOM,
        "sdca-shrinking" => SHRINKING,
        "aspdc-i" => TESTED,
        "aspdc-i-fixed" => FIXED,
        "aspdc-i-momentum" => MOMENTUM,
        "asdca" => ASDCA,
        "cocoa" => COCOA,
        "passcode-lock" => LOCK,
        "passcode-atomic" | "passcode-wild" => ATOMIC,
        "spdc" | "spdc-minibatch" | "spdc-nonuniform" => SPDC,
        "adaspdc" => ADASPDC,
        "adaspdc-r" => ADASPDC_R,
        "pdcp" => PDCP,
        "spd1" => SPD1,
        "spd1-vr" => SPD1_VR,
        "pgs" | "pgs-p-norm" => PGS,
        "pegasos" => PEGASOS,
        "sag" => SAG,
        "svrg" => SVRG,
        "afg" => AFG,
        _ => skip(format!("method {name}")),
    }
}

// -- calls: given to result --------------------------------------------------------------------------------------------------------

fn loss_call(formula: &str, given: &Object) -> State {
    let (loss, gamma, y) = (loss_of(get(given, "loss").text()), number(given, "gamma"), number(given, "y"));
    let (z, alpha) = (|| number(given, "z"), || number(given, "alpha"));
    let value = match formula {
        "value" => loss.value(z(), y, gamma),
        "derivative" => loss.derivative(z(), y, gamma),
        "conjugate" => loss.conjugate(alpha(), y, gamma),
        "residual" => loss.residual(z(), alpha(), y, gamma),
        "dual_step" => loss.dual_step(z(), alpha(), y, number(given, "q"), gamma),
        _ => skip(format!("call loss.{formula}")),
    };
    state! { "value": value }
}

fn block_call(formula: &str, given: &Object) -> State {
    let (loss, gamma, target) = (block_loss_of(get(given, "loss").text()), number(given, "gamma"), get(given, "target"));
    let (z, alpha) = (|| vector(given, "z"), || vector(given, "alpha"));
    match formula {
        "value" => state! { "value": loss.value(&z(), gamma, target) },
        "conjugate" => state! { "value": loss.conjugate(&alpha(), gamma, target) },
        "derivative" => state! { "alpha": loss.dual_step(&z(), &vec![0.0; z().len()], 0.0, gamma, target) },
        "dual_step" => state! { "alpha": loss.dual_step(&z(), &alpha(), number(given, "q"), gamma, target) },
        _ => skip(format!("call block.{formula}")),
    }
}

fn regularizer_call(formula: &str, given: &Object) -> State {
    let (lam, l1) = (number(given, "lam"), number(given, "l1"));
    match formula {
        "value" => state! { "value": penalty(lam, l1, &vector(given, "w")) },
        "conjugate" => state! { "value": penalty_conjugate(lam, l1, &vector(given, "u")) },
        "minimizer" => state! { "w": minimizer(lam, l1, &vector(given, "u")) },
        "prox" => state! { "w": prox(lam, l1, &vector(given, "w"), number(given, "tau")) },
        _ => skip(format!("call regularizer.{formula}")),
    }
}

fn p_norm_call(formula: &str, given: &Object) -> State {
    let g = PNorm::of(given);
    match formula {
        "value" => state! { "value": g.value(&vector(given, "w")) },
        "conjugate" => state! { "value": g.conjugate(&vector(given, "u")) },
        "minimizer" => state! { "w": g.minimizer(&vector(given, "u")) },
        _ => skip(format!("call pnorm.{formula}")),
    }
}

fn certificate(given: &Object) -> State {
    let p = Problem::of(get(given, "problem").object());
    let (primal, dual) = (p.primal(&vector(given, "w"), 0.0, &p.zeros()), p.dual(&vector(given, "alpha"), 0.0, &p.zeros()));
    state! { "primal": primal, "dual": dual, "gap": primal - dual }
}

fn method_call(call: &str, given: &Object) -> Json {
    let (method, p) = (method_of(get(given, "method").text()), Problem::of(get(given, "problem").object()));
    let (none, given_state) = (Object::new(), || State::of(get(given, "state").object()));
    let q = given.get("parameters").map_or(&none, Json::object);
    let named = |name: &str, json: Json| Json::Object(BTreeMap::from([(name.to_string(), json)]));
    match call {
        "init" => return named("state", (method.init)(&p, q, vector(given, "alpha")).written()),
        "view" => {
            let (w, alpha) = (method.view)(&p, q, &given_state());
            return state! { "w": w, "alpha": alpha }.written();
        }
        _ => {}
    }
    let mut s = given_state();
    if call == "step" {
        (method.step)(&p, q, &mut s, get(given, "choice"));
        return named("state", s.written());
    }
    let mut states = vec![];
    for choice in get(given, "choices").list() {
        if call == "branches" { s = given_state() } // each from the given state; of a trajectory each from the state before
        (method.step)(&p, q, &mut s, choice);
        if call != "last" { states.push(s.written()) }
    }
    if call == "last" { return named("state", s.written()) } // as trajectory, of whose states the last
    named("states", Json::List(states))
}

fn run(call: &str, given: &Object) -> Json {
    let (kind, formula) = call.split_once('.').unwrap_or((call, ""));
    match kind {
        "loss" => loss_call(formula, given).written(),
        "block" => block_call(formula, given).written(),
        "regularizer" => regularizer_call(formula, given).written(),
        "pnorm" => p_norm_call(formula, given).written(),
        "gap" => state! { "gap": number(given, "primal") - number(given, "dual") }.written(),
        "certificate" => certificate(given).written(),
        "init" | "view" | "step" | "trajectory" | "branches" | "last" => method_call(kind, given),
        _ => skip(format!("call {call}")),
    }
}

// -- the protocol --------------------------------------------------------------------------------------------------------------------

fn texts(pairs: &[(&str, &str)]) -> Object { pairs.iter().map(|(name, text)| (name.to_string(), Json::Text(text.to_string()))).collect() }

fn answer(request: &Object) -> Object {
    match get(request, "op").text() {
        "start" => {
            let mut found = texts(&[("name", "dualgap-rust"), ("language", "Rust"), ("version", "1")]);
            found.insert("protocol".to_string(), Json::Integer(1));
            found
        }
        "echo" => Object::from([("numbers".to_string(), Value::from(vector(request, "numbers")).written())]),
        "run" => Object::from([("result".to_string(), run(get(request, "call").text(), get(request, "given").object()))]),
        op => skip(format!("op {op}")),
    }
}

/// The answer to a line; None after stop.
fn answer_to(line: &[u8]) -> Option<Object> {
    let found = catch_unwind(|| {
        let json = Reader { text: line, at: 0 }.value();
        let request = json.object();
        if let Some(Json::Text(op)) = request.get("op") { if op == "stop" { return None } }
        Some(answer(request))
    });
    let mut found = found.unwrap_or_else(|met| {
        let (kind, why) = met.downcast_ref::<Refusal>().map_or(("error", "an index is out of range"), |r| (r.kind, &r.why));
        Some(texts(&[(kind, &why.replace(|c: char| !(' '..='~').contains(&c) || c == '"' || c == '\\', " "))]))
    })?;
    found.insert("seq".to_string(), Json::Integer(seq_of(&String::from_utf8_lossy(line))));
    Some(found)
}

/// The number after "seq", also where the line is no JSON; 0 where there is none.
fn seq_of(line: &str) -> i64 {
    let after = line.split_once("\"seq\":").map_or("", |(_, after)| after.trim_start());
    after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

fn main() {
    set_hook(Box::new(|_| {})); // a refusal is an answer, not a message
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let Some(found) = answer_to(&line.expect("standard input can be read")) else { return };
        let mut text = String::new();
        written(&Json::Object(found), &mut text);
        text.push('\n');
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() { return }
    }
}
