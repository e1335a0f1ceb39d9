// A port of dualgap: all methods, losses and regularizers that have vectors; Go 1.18, its standard library alone.
//
// One line of JSON in, one line of JSON out (docs/ports.md, docs/ports-methods.md). From the inside out: numbers, losses,
// losses of several numbers, regularizers, rows of the problem, methods, calls, protocol. Every sum runs from left to right
// over the stored entries. On some processors Go fuses x*y + z into one rounding: other last bits, which the vectors allow.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// -- refusals: a request that cannot be answered ends in a panic with one of these, of which answerTo makes an answer ------

type refusal struct{ as, why string } // as: "skipped" or "error"

func refuse(why string) { panic(refusal{"error", why}) }
func skip(why string)   { panic(refusal{"skipped", why}) }

// -- numbers: 16 hexadecimal digits, the bits of a double; what a request holds ---------------------------------------------

func encode(x float64) string { return fmt.Sprintf("%016x", math.Float64bits(x)) }

func decode(item any) float64 {
	text, _ := item.(string)
	bits, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != 16 {
		refuse("a number is 16 hexadecimal digits")
	}
	return math.Float64frombits(bits)
}

func integer(item any) int { // the numbers of JSON are integers in this protocol
	number, _ := item.(json.Number) // a float64 would change integers above 2^53
	value, err := strconv.Atoi(number.String())
	if err != nil {
		refuse("an integer is due")
	}
	return value
}

func each[T any](item any, read func(any) T) []T {
	items, ok := item.([]any)
	if !ok {
		refuse("a list is due")
	}
	found := make([]T, len(items))
	for k, one := range items {
		found[k] = read(one)
	}
	return found
}

func vector(item any) []float64 { return each(item, decode) }
func integers(item any) []int   { return each(item, integer) }

type object map[string]any // of JSON, as it came

func objectOf(item any) object {
	found, ok := item.(map[string]any)
	if !ok {
		refuse("an object is due")
	}
	return found
}

func (o object) get(name string) any {
	item, ok := o[name]
	if !ok {
		refuse("the request lacks " + name)
	}
	return item
}

func (o object) text(name string) string {
	text, ok := o.get(name).(string)
	if !ok {
		refuse("no string: " + name)
	}
	return text
}

func (o object) number(name string) float64   { return decode(o.get(name)) }
func (o object) integer(name string) int      { return integer(o.get(name)) }
func (o object) vector(name string) []float64 { return vector(o.get(name)) }
func (o object) object(name string) object    { return objectOf(o.get(name)) }
func (o object) has(name string) bool         { _, ok := o[name]; return ok }

// -- losses: alpha approximates +phi'(z); of a margin loss m = y z and b = -y alpha --------------------------------------------

type Loss struct {
	inDomain   func(alpha, y float64) bool
	value      func(z, y, gamma float64) float64
	derivative func(z, y, gamma float64) float64
	conjugate  func(alpha, y, gamma float64) float64
	residual   func(z, alpha, y, gamma float64) float64 // phi(z) + phi*(alpha) - alpha z, by pieces without cancellation
	dualStep   func(z, alpha, y, q, gamma float64) float64
}

func clip(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
func square(x float64) float64          { return x * x }

func pick(condition bool, yes, no float64) float64 {
	if condition {
		return yes
	}
	return no
}

func logistic(t float64) float64 {
	if t < 0 {
		return math.Exp(t) / (1 + math.Exp(t))
	}
	return 1 / (1 + math.Exp(-t))
}

func softplus(t float64) float64 { // log(1 + e^t)
	if t > 0 {
		return t + math.Log1p(math.Exp(-t))
	}
	return math.Log1p(math.Exp(t))
}

func entropy(p float64) float64 { // p ln p
	if p == 0 {
		return 0
	}
	return p * math.Log(p)
}

func inUnit(alpha, y float64) bool                   { return 0 <= -y*alpha && -y*alpha <= 1 }
func linear(alpha, y, gamma float64) float64         { return y * alpha }
func quadratic(alpha, y, gamma float64) float64      { return y*alpha + gamma*alpha*alpha/2 }
func negativeEntropy(alpha, y, _ float64) float64    { return entropy(-y*alpha) + entropy(1+y*alpha) }
func logisticValue(z, y, _ float64) float64          { return softplus(-(y * z)) }
func squaredSlope(z, y, gamma float64) float64       { return (z - y) / gamma }
func absoluteSlope(z, y, gamma float64) float64      { return pick(z > y, 1, pick(z < y, -1, 0)) }
func squaredHingeSlope(z, y, _ float64) float64      { return -y * pick(y*z >= 1, 0, 2*(1-y*z)) }
func smoothedHingeSlope(z, y, gamma float64) float64 { return -y * clip((1-y*z)/gamma, 0, 1) }

var losses = map[string]Loss{
	"squared": {
		inDomain:   func(alpha, y float64) bool { return true },
		value:      func(z, y, gamma float64) float64 { return square(z-y) / (2 * gamma) },
		derivative: squaredSlope,
		conjugate:  quadratic,
		residual:   func(z, alpha, y, gamma float64) float64 { return gamma * square((z-y)/gamma-alpha) / 2 },
		dualStep:   func(z, alpha, y, q, gamma float64) float64 { return (z - y + q*alpha) / (gamma + q) },
	},
	"smoothed-hinge": {
		inDomain: inUnit,
		value: func(z, y, gamma float64) float64 {
			m := y * z
			if m <= 1-gamma {
				return 1 - m - gamma/2
			}
			return pick(m >= 1, 0, square(1-m)/(2*gamma))
		},
		derivative: smoothedHingeSlope,
		conjugate:  quadratic,
		residual: func(z, alpha, y, gamma float64) float64 {
			m, b := y*z, -y*alpha
			if m >= 1 {
				return b*(m-1) + gamma*(b*b)/2
			}
			if m <= 1-gamma {
				return (1 - b) * ((1 - gamma - m) + gamma*(1-b)/2)
			}
			return gamma * square((1-m)/gamma-b) / 2
		},
		dualStep: func(z, alpha, y, q, gamma float64) float64 {
			return -y * clip((1-y*z+q*(-y*alpha))/(gamma+q), 0, 1)
		},
	},
	"squared-hinge": {
		inDomain:   func(alpha, y float64) bool { return 0 <= -y*alpha },
		value:      func(z, y, _ float64) float64 { return pick(y*z >= 1, 0, square(1-y*z)) },
		derivative: squaredHingeSlope,
		conjugate:  func(alpha, y, _ float64) float64 { return y*alpha + alpha*alpha/4 },
		residual: func(z, alpha, y, _ float64) float64 {
			m, b := y*z, -y*alpha
			return pick(m >= 1, b*(m-1)+b*b/4, square((1-m)-b/2))
		},
		dualStep: func(z, alpha, y, q, _ float64) float64 {
			return -y * math.Max(2*(1-y*z+q*(-y*alpha))/(1+2*q), 0)
		},
	},
	"hinge": {
		inDomain:   inUnit,
		value:      func(z, y, _ float64) float64 { return pick(y*z >= 1, 0, 1-y*z) },
		derivative: func(z, y, _ float64) float64 { return -y * pick(y*z >= 1, 0, 1) },
		conjugate:  linear,
		residual: func(z, alpha, y, _ float64) float64 {
			m, b := y*z, -y*alpha
			return pick(m >= 1, b*(m-1), (1-b)*(1-m))
		},
		dualStep: func(z, alpha, y, q, _ float64) float64 {
			slope := 1 - y*z
			if q > 0 {
				return -y * clip(-y*alpha+slope/q, 0, 1)
			}
			return pick(slope > 0, -y, pick(slope < 0, 0, alpha))
		},
	},
	"logistic": {
		inDomain:   inUnit,
		value:      logisticValue,
		derivative: func(z, y, _ float64) float64 { return -y * logistic(-(y * z)) },
		conjugate:  negativeEntropy,
		residual: func(z, alpha, y, _ float64) float64 {
			return logisticValue(z, y, 4) + negativeEntropy(alpha, y, 4) - alpha*z
		},
		dualStep: func(z, alpha, y, q, _ float64) float64 { return -y * logistic(logitRoot(y*z, -y*alpha, q)) },
	},
	"absolute": {
		inDomain:   func(alpha, y float64) bool { return -1 <= alpha && alpha <= 1 },
		value:      func(z, y, _ float64) float64 { return math.Abs(z - y) },
		derivative: absoluteSlope,
		conjugate:  linear,
		residual: func(z, alpha, y, _ float64) float64 {
			return pick(z >= y, (z-y)*(1-alpha), (y-z)*(1+alpha))
		},
		dualStep: func(z, alpha, y, q, _ float64) float64 {
			if q > 0 {
				return clip(alpha+(z-y)/q, -1, 1)
			}
			return pick(z == y, alpha, absoluteSlope(z, y, 0))
		},
	},
}

// logitRoot is the root t of h(t) = t + m + q (logistic(t) - b), which increases: Newton, with bisection where a step
// leaves (low, high).
func logitRoot(m, b, q float64) float64 {
	if q == 0 {
		return -m
	}
	low, high, t := -m-q*(1-b), -m+q*b, -m
	if q > 1 { // h(-m) and h(logit b) have opposite signs: a shorter bracket
		logit := math.Log(b) - math.Log1p(-b)
		low, high = math.Max(low, math.Min(-m, logit)), math.Min(high, math.Max(-m, logit))
		t = clip(0, low, high)
	}
	for round := 0; round < 200; round++ {
		s, rest := logistic(t), logistic(-t)
		h := t + m + q*(s-b)
		if math.Abs(h) <= 0x1p-50*(math.Abs(t)+math.Abs(m)+q*math.Max(s, b)) {
			break
		}
		if h > 0 {
			high = t
		} else {
			low = t
		}
		next := t - h/(1+q*s*rest)
		if !(low < next && next < high) {
			next = low + (high-low)/2
			if !(low < next && next < high) {
				break
			}
		}
		t = next
	}
	return t
}

func lossOf(name string) Loss {
	loss, ok := losses[name]
	if !ok {
		skip("loss " + name)
	}
	conjugate, residual := loss.conjugate, loss.residual
	loss.conjugate = func(alpha, y, gamma float64) float64 {
		if !loss.inDomain(alpha, y) {
			return math.Inf(1)
		}
		return conjugate(alpha, y, gamma)
	}
	loss.residual = func(z, alpha, y, gamma float64) float64 {
		if !loss.inDomain(alpha, y) {
			return math.Inf(1)
		}
		return residual(z, alpha, y, gamma)
	}
	return loss
}

// -- losses of several numbers: of class c beta = alpha + e_c in the unit simplex, and a_k = z_k - z_c + 1, a_c = 0 ------------

func dot(a, b []float64) float64 {
	total := 0.0
	for k := range a {
		total += a[k] * b[k]
	}
	return total
}

func sum(a []float64) float64 {
	total := 0.0
	for _, a_k := range a {
		total += a_k
	}
	return total
}

func plus(a []float64, factor float64, b []float64) []float64 { // a + factor b
	moved := make([]float64, len(a))
	for k := range a {
		moved[k] = a[k] + factor*b[k]
	}
	return moved
}

func scaled(a []float64, factor float64) []float64 { return plus(make([]float64, len(a)), factor, a) }

func over(a []float64, divisor float64) []float64 { // a / divisor, each entry rounded once
	parts := make([]float64, len(a))
	for k := range a {
		parts[k] = a[k] / divisor
	}
	return parts
}

func unit(q, c int) []float64 { // e_c
	e := make([]float64, q)
	e[c] = 1
	return e
}

func margins(z []float64, c int) []float64 {
	a := make([]float64, len(z))
	for k := range z {
		a[k] = pick(k == c, 0, 1+(z[k]-z[c]))
	}
	return a
}

func ontoSimplex(point []float64) []float64 { // the nearest point of the unit simplex: max(point - t, 0)
	descending := append([]float64{}, point...)
	sort.Sort(sort.Reverse(sort.Float64Slice(descending)))
	total, t := 0.0, 0.0
	for k, largest := range descending {
		total += largest
		candidate := (total - 1) / float64(k+1)
		if k > 0 && largest <= candidate {
			break
		}
		t = candidate
	}
	beta := make([]float64, len(point))
	for k := range point {
		beta[k] = math.Max(point[k]-t, 0)
	}
	return beta
}

// entropyProx is the beta of the unit simplex with ln beta_k + q beta_k = a_k - mu for a mu: Newton in mu, from the left,
// where the largest beta_k is 1; and for each k in t = ln beta_k.
func entropyProx(a []float64, q float64) []float64 {
	top := a[0]
	for _, a_k := range a {
		top = math.Max(top, a_k)
	}
	mu, beta := top-q, make([]float64, len(a))
	for round := 0; round < 100; round++ {
		slope := 0.0
		for k := range a {
			beta[k] = math.Exp(logOfShare(a[k]-mu, q))
			slope += beta[k] / (1 + q*beta[k])
		}
		step := (sum(beta) - 1) / slope
		if mu+step <= mu {
			break
		}
		mu += step
	}
	return over(beta, sum(beta))
}

// logOfShare is the t with t + q e^t = level: convex and increasing, so that Newton from the right only falls.
func logOfShare(level, q float64) float64 {
	t := level
	if level > 0 { // where e^level may be out of range
		t = math.Min(level, math.Log(level/q))
	}
	for round := 0; round < 100; round++ {
		e := q * math.Exp(t)
		next := t - (t+e-level)/(1+e)
		if math.Abs(next-t) <= 0x1p-52*math.Abs(t) {
			return next
		}
		t = next
	}
	return t
}

type BlockLoss struct {
	value     func(z []float64, gamma float64, target any) float64
	conjugate func(alpha []float64, gamma float64, target any) float64
	dualStep  func(z, alpha []float64, q, gamma float64, target any) []float64
}

func simplexWeights(alpha []float64, target any) ([]float64, bool) { // beta, and whether it is in the simplex
	beta := plus(alpha, 1, unit(len(alpha), integer(target)))
	least := beta[0]
	for _, beta_k := range beta {
		least = math.Min(least, beta_k)
	}
	return beta, least >= 0 && math.Abs(sum(alpha)) <= 0x1p-48
}

var blockLosses = map[string]BlockLoss{
	"ball-huber": {
		value: func(z []float64, gamma float64, target any) float64 {
			e := plus(z, -1, vector(target))
			length := math.Sqrt(dot(e, e))
			return pick(length <= gamma, dot(e, e)/(2*gamma), length-gamma/2)
		},
		conjugate: func(alpha []float64, gamma float64, target any) float64 {
			norm2 := dot(alpha, alpha)
			return pick(norm2 <= 1+0x1p-48, dot(vector(target), alpha)+gamma*norm2/2, math.Inf(1))
		},
		dualStep: func(z, alpha []float64, q, gamma float64, target any) []float64 {
			free := over(plus(plus(z, -1, vector(target)), q, alpha), gamma+q)
			return over(free, math.Max(math.Sqrt(dot(free, free)), 1))
		},
	},
	"multiclass-smoothed-hinge": {
		value: func(z []float64, gamma float64, target any) float64 {
			a := margins(z, integer(target))
			beta := ontoSimplex(over(a, gamma))
			return dot(a, beta) - gamma*dot(beta, beta)/2
		},
		conjugate: func(alpha []float64, gamma float64, target any) float64 {
			beta, inside := simplexWeights(alpha, target)
			return pick(inside, gamma*dot(beta, beta)/2-(1-beta[integer(target)]), math.Inf(1))
		},
		dualStep: func(z, alpha []float64, q, gamma float64, target any) []float64 {
			c := integer(target)
			e := unit(len(z), c)
			return plus(ontoSimplex(over(plus(margins(z, c), q, plus(alpha, 1, e)), gamma+q)), -1, e)
		},
	},
	"softmax": {
		value: func(z []float64, _ float64, target any) float64 {
			top, total := z[0], 0.0
			for _, z_k := range z {
				top = math.Max(top, z_k)
			}
			for _, z_k := range z {
				total += math.Exp(z_k - top)
			}
			return top - z[integer(target)] + math.Log(total)
		},
		conjugate: func(alpha []float64, _ float64, target any) float64 {
			beta, inside := simplexWeights(alpha, target)
			total := 0.0
			for _, beta_k := range beta {
				total += entropy(math.Max(beta_k, 0))
			}
			return pick(inside, total, math.Inf(1))
		},
		dualStep: func(z, alpha []float64, q, _ float64, target any) []float64 {
			e := unit(len(z), integer(target))
			return plus(entropyProx(plus(z, q, plus(alpha, 1, e)), q), -1, e)
		},
	},
}

// -- regularizers: g(w) = (lam/2)||w||^2 + l1 ||w||_1, and lam ||w||_p^2/(2(p-1)) on ||w||_p <= ball ----------------------------

func soft(v, s float64) float64 {
	if v > s {
		return v - s
	}
	if v < -s {
		return v + s
	}
	return v - v
}

func penalty(lam, l1 float64, w []float64) float64 {
	total := 0.0
	for _, w_j := range w {
		total += math.Abs(w_j)
	}
	return lam*dot(w, w)/2 + l1*total
}

func softened(lam, l1 float64, v []float64) []float64 { // soft(v, l1/lam)
	w := make([]float64, len(v))
	for j, v_j := range v {
		w[j] = soft(v_j, l1/lam)
	}
	return w
}

func minimizer(lam, l1 float64, u []float64) []float64 { // grad g*(-u)
	return softened(lam, l1, over(scaled(u, -1), lam))
}

func penaltyConjugate(lam, l1 float64, u []float64) float64 { // g*(-u)
	return penalty(lam, 0, minimizer(lam, l1, u))
}

func prox(lam, l1 float64, w []float64, tau float64) []float64 {
	x := make([]float64, len(w))
	for j, w_j := range w {
		x[j] = soft(w_j, tau*l1) / (1 + tau*lam)
	}
	return x
}

type PNorm struct{ lam, p, ball float64 } // ball: +infinity where there is none

func norm(w []float64, p float64) float64 {
	if p == 2 {
		return math.Sqrt(dot(w, w))
	}
	top, total := 0.0, 0.0
	for _, w_j := range w {
		top = math.Max(top, math.Abs(w_j))
	}
	if top == 0 {
		return 0
	}
	for _, w_j := range w {
		total += math.Pow(math.Abs(w_j)/top, p)
	}
	return top * math.Pow(total, 1/p)
}

func (g PNorm) dualExponent() float64 { return g.p / (g.p - 1) }

func (g PNorm) length(u []float64) float64 { // ||w||_p of the minimizer
	return math.Min((g.p-1)*norm(u, g.dualExponent())/g.lam, g.ball)
}

func (g PNorm) value(w []float64) float64 {
	size := norm(w, g.p)
	return pick(size > g.ball, math.Inf(1), g.lam*size*size/(2*(g.p-1)))
}

func (g PNorm) conjugate(u []float64) float64 {
	C := g.length(u)
	return C*norm(u, g.dualExponent()) - g.lam*C*C/(2*(g.p-1))
}

func (g PNorm) minimizer(u []float64) []float64 {
	q, C := g.dualExponent(), g.length(u)
	size, w := norm(u, q), make([]float64, len(u))
	for j, u_j := range u {
		if u_j != 0 {
			w[j] = -C * math.Copysign(math.Pow(math.Abs(u_j)/size, q-1), u_j)
		}
	}
	return w
}

// -- the problem: its rows, and what is summed over them --------------------------------------------------------------------------

type Problem struct {
	n, d            int
	starts, columns []int
	values, y       []float64
	loss            Loss
	lossName        string
	gamma, lam, l1  float64
	pNorm           *PNorm // instead of l1, where given
}

func pNormOf(given object) PNorm {
	g := PNorm{given.number("lam"), given.number("p"), math.Inf(1)}
	if given.has("ball") {
		g.ball = given.number("ball")
	}
	return g
}

func problemOf(given object) *Problem {
	p := &Problem{
		n: given.integer("n"), d: given.integer("d"), starts: integers(given.get("starts")), columns: integers(given.get("columns")),
		values: given.vector("values"), y: given.vector("y"), loss: lossOf(given.text("loss")), lossName: given.text("loss"),
		gamma: given.number("gamma"), lam: given.number("lam"), l1: given.number("l1"),
	}
	if given.has("p") {
		g := pNormOf(given)
		p.pNorm = &g
	}
	return p
}

func (p *Problem) dot(i int, w []float64) float64 { // x_i^T w
	total := 0.0
	for k := p.starts[i]; k < p.starts[i+1]; k++ {
		total += p.values[k] * w[p.columns[k]]
	}
	return total
}

func (p *Problem) norm2(i int) float64 {
	total := 0.0
	for k := p.starts[i]; k < p.starts[i+1]; k++ {
		total += p.values[k] * p.values[k]
	}
	return total
}

func (p *Problem) largestNorm2() float64 {
	largest := 0.0
	for i := 0; i < p.n; i++ {
		largest = math.Max(largest, p.norm2(i))
	}
	return largest
}

func (p *Problem) entry(i, j int) float64 { // x_ij
	for k := p.starts[i]; k < p.starts[i+1]; k++ {
		if p.columns[k] == j {
			return p.values[k]
		}
	}
	return 0
}

func (p *Problem) add(i int, factor float64, target []float64) { // target + factor x_i, in place
	for k := p.starts[i]; k < p.starts[i+1]; k++ {
		target[p.columns[k]] += factor * p.values[k]
	}
}

func (p *Problem) sumOfRows(factors []float64) []float64 { // X^T factors
	total := make([]float64, p.d)
	for i := 0; i < p.n; i++ {
		p.add(i, factors[i], total)
	}
	return total
}

func (p *Problem) u(alpha []float64) []float64 { return over(p.sumOfRows(alpha), float64(p.n)) } // X^T alpha/n

func (p *Problem) wOf(alpha []float64) []float64 { return minimizer(p.lam, p.l1, p.u(alpha)) } // w(alpha)

func (p *Problem) slope(i int, w []float64) float64 {
	return p.loss.derivative(p.dot(i, w), p.y[i], p.gamma)
}

func (p *Problem) slopes(w []float64) []float64 { // phi_i'(x_i^T w) of every row
	found := make([]float64, p.n)
	for i := range found {
		found[i] = p.slope(i, w)
	}
	return found
}

func (p *Problem) dualStep(i int, z, alpha, q float64) float64 {
	return p.loss.dualStep(z, alpha, p.y[i], q, p.gamma)
}

// primal and dual are P(w) and D(alpha) with (kappa/2)||w||^2 - kappa c^T w added to g; kappa = 0 is the problem
// itself.
func (p *Problem) primal(w []float64, kappa float64, c []float64) float64 {
	total := 0.0
	for i := 0; i < p.n; i++ {
		total += p.loss.value(p.dot(i, w), p.y[i], p.gamma)
	}
	return total/float64(p.n) + penalty(p.lam, p.l1, w) + kappa*(dot(w, w)/2-dot(c, w))
}

func (p *Problem) dual(alpha []float64, kappa float64, c []float64) float64 {
	total := 0.0
	for i := 0; i < p.n; i++ {
		total += p.loss.conjugate(alpha[i], p.y[i], p.gamma)
	}
	return 0 - total/float64(p.n) - penaltyConjugate(p.lam+kappa, p.l1, plus(p.u(alpha), -kappa, c))
}

func (p *Problem) zeros() []float64 { return make([]float64, p.d) }

// -- methods: init, step and view; a step changes the state that it is given ----------------------------------------------------

type State map[string]any // by name float64, int, []float64, []int or []Write

type Write struct { // of the PASSCoDe simulator, in flight
	worker  int
	columns []int
	amounts []float64
}

func stateOf(given object) State {
	s := State{}
	for name, item := range given {
		switch v := item.(type) {
		case string:
			s[name] = decode(v)
		case json.Number:
			s[name] = integer(v)
		case []any:
			s[name] = listOf(v)
		}
	}
	return s
}

func listOf(items []any) any {
	if len(items) > 0 {
		switch items[0].(type) {
		case string:
			return vector(items)
		case json.Number:
			return integers(items)
		}
	}
	return each(items, func(item any) Write {
		write := objectOf(item)
		return Write{write.integer("worker"), integers(write.get("columns")), write.vector("amounts")}
	})
}

func (s State) v(name string) []float64    { return part[[]float64](s, name) }
func (s State) x(name string) float64      { return part[float64](s, name) }
func (s State) k(name string) int          { return part[int](s, name) }
func (s State) list(name string) []int     { return part[[]int](s, name) }
func (s State) zero(names ...string) State { return s.with(0, names...) }

func (s State) with(value any, names ...string) State {
	for _, name := range names {
		s[name] = value
	}
	return s
}

func part[T any](s State, name string) T {
	found, ok := s[name].(T)
	if !ok {
		refuse("the state lacks " + name)
	}
	return found
}

func copied[T any](a []T) []T { return append([]T{}, a...) }

type Method struct {
	init func(p *Problem, q object, alpha []float64) State
	step func(p *Problem, q object, s State, choice any)
	view func(p *Problem, q object, s State) (w, alpha []float64)
}

// Dual coordinate methods: v = -X^T alpha/(lam n), w = soft(v, l1/lam).

func dualInit(p *Problem, _ object, alpha []float64) State {
	return State{"v": over(scaled(p.u(alpha), -1), p.lam), "alpha": alpha}
}

func dualView(p *Problem, _ object, s State) ([]float64, []float64) {
	return softened(p.lam, p.l1, s.v("v")), s.v("alpha")
}

func sees(p *Problem, i int, v []float64, lam float64) float64 { // x_i^T w with w = soft(v, l1/lam), of row i alone
	z := 0.0
	for k := p.starts[i]; k < p.starts[i+1]; k++ {
		z += p.values[k] * soft(v[p.columns[k]], p.l1/lam)
	}
	return z
}

func coordinate(p *Problem, lam float64, s State, i int, q float64) {
	alpha := s.v("alpha")
	alpha_i := p.dualStep(i, sees(p, i, s.v("v"), lam), alpha[i], q)
	c := (alpha_i - alpha[i]) / (lam * float64(p.n))
	alpha[i] = alpha_i
	p.add(i, -c, s.v("v"))
}

func aspdc(p *Problem, lam float64, s State, i int) { coordinate(p, lam, s, i, 0) } // ASPDC line 5: the dual step with q = 0

func sdca(p *Problem, lam float64, s State, i int) { // SDCA line 4
	coordinate(p, lam, s, i, p.norm2(i)/(lam*float64(p.n)))
}

// The average of alpha over the states T0 .. t - 1, and a state of these drawn at random.

func standing(s State, q object, i, end int) float64 { // of how many states that count alpha_i was the same until end
	return math.Max(0, float64(end)-math.Max(float64(s.list("since")[i]), float64(q.integer("T0"))))
}

var averaged = Method{
	init: func(p *Problem, q object, alpha []float64) State {
		s := dualInit(p, q, alpha).zero("t")
		s["total"], s["since"] = make([]float64, p.n), make([]int, p.n)
		return s
	},
	step: func(p *Problem, q object, s State, choice any) {
		i, t := integer(choice), s.k("t")
		s.v("total")[i] += s.v("alpha")[i] * standing(s, q, i, t+1)
		s.list("since")[i], s["t"] = t+1, t+1
		sdca(p, p.lam, s, i)
	},
	view: func(p *Problem, q object, s State) ([]float64, []float64) {
		t, T0 := s.k("t"), q.integer("T0")
		if t <= T0 {
			return dualView(p, q, s)
		}
		alpha := make([]float64, p.n)
		for i := range alpha {
			alpha[i] = (s.v("total")[i] + s.v("alpha")[i]*standing(s, q, i, t)) / float64(t-T0)
		}
		return p.wOf(alpha), alpha
	},
}

var random = Method{
	init: func(p *Problem, q object, alpha []float64) State {
		return dualInit(p, q, alpha).zero("t").with(make([]float64, p.n), "output")
	},
	step: func(p *Problem, _ object, s State, choice any) {
		i := integer(choice)
		if i >= p.n { // the state before this step is kept
			s["output"] = copied(s.v("alpha"))
		}
		sdca(p, p.lam, s, i%p.n)
		s["t"] = s.k("t") + 1
	},
	view: func(p *Problem, q object, s State) ([]float64, []float64) {
		if s.k("t") <= q.integer("T0") {
			return dualView(p, q, s)
		}
		return p.wOf(s.v("output")), s.v("output")
	},
}

var shrinking = Method{
	init: func(p *Problem, q object, alpha []float64) State {
		active := make([]int, p.n)
		for i := range active {
			active[i] = i
		}
		s := dualInit(p, q, alpha).zero("position", "kept").with(0.0, "threshold", "violation", "tolerance")
		return s.with(active, "active").with(p.n, "size")
	},
	step: func(p *Problem, _ object, s State, choice any) {
		active, at, size, threshold := s.list("active"), s.k("position"), s.k("size"), s.x("threshold")
		place := at + integer(choice)*(size-at)/p.n
		active[at], active[place] = active[place], active[at]
		i := active[at]
		before, slope := s.v("alpha")[i], 0.0
		if p.lossName != "squared" && p.lossName != "logistic" {
			slope = math.Abs(p.y[i] + p.gamma*before - sees(p, i, s.v("v"), p.lam))
		}
		sdca(p, p.lam, s, i)
		moved := s.v("alpha")[i] != before
		if moved {
			s["violation"] = math.Max(s.x("violation"), slope)
		}
		if kept := s.k("kept"); moved || threshold == 0 || slope <= threshold {
			active[at], active[kept], s["kept"] = active[kept], active[at], kept+1
		}
		s["position"] = at + 1
		if at+1 == size {
			nextPass(p, s)
		}
	},
	view: dualView,
}

func nextPass(p *Problem, s State) { // of the rows that were kept, or of all once what was violated is small
	violation := s.x("violation")
	if s.k("size") == p.n {
		s["tolerance"] = violation / 100
	}
	if violation <= s.x("tolerance") {
		s["size"], s["threshold"] = p.n, 0.0
	} else {
		s["size"], s["threshold"] = s.k("kept"), violation
	}
	s.zero("position", "kept").with(0.0, "violation")
}

// Proximal point methods: the steps see g + (kappa/2)||w - c||^2, so that v = (kappa c - u)/(lam + kappa).

func centred(p *Problem, kappa float64, c, alpha []float64) []float64 {
	return over(plus(scaled(c, kappa), -1, p.u(alpha)), p.lam+kappa)
}

func innerGap(p *Problem, kappa float64, c, w, alpha []float64) float64 {
	return p.primal(w, kappa, c) - p.dual(alpha, kappa, c)
}

func proximalInit(p *Problem, q object, alpha []float64) State {
	s := State{"alpha": alpha, "alpha_tilde": copied(alpha), "w_tilde": p.zeros(), "w_tilde_before": p.zeros(), "xi": 0.0}
	return s.zero("steps", "epoch").with(centred(p, q.number("kappa"), p.zeros(), alpha), "v")
}

func proximalView(p *Problem, _ object, s State) ([]float64, []float64) {
	return s.v("w_tilde"), s.v("alpha_tilde")
}

func recentre(p *Problem, kappa float64, s State, momentum float64) { // an inner call returns
	before, alpha := s.v("w_tilde"), s.v("alpha")
	w := softened(p.lam+kappa, p.l1, s.v("v"))
	s["w_tilde_before"], s["w_tilde"], s["alpha_tilde"] = before, w, copied(alpha)
	s["epoch"], s["steps"] = s.k("epoch")+1, 0
	s["v"] = centred(p, kappa, plus(w, momentum, plus(w, -1, before)), alpha)
}

func counted(momentum func(p *Problem, kappa float64) float64) Method { // an inner call has m steps
	step := func(p *Problem, q object, s State, choice any) {
		kappa := q.number("kappa")
		aspdc(p, p.lam+kappa, s, integer(choice))
		s["steps"] = s.k("steps") + 1
		if s.k("steps") == q.integer("m") {
			recentre(p, kappa, s, momentum(p, kappa))
		}
	}
	return Method{proximalInit, step, proximalView}
}

func noMomentum(*Problem, float64) float64 { return 0 }

func momentum(p *Problem, kappa float64) float64 {
	r := math.Sqrt(p.lam / (p.lam + 2*kappa))
	return (1 - r) / (1 + r)
}

var tested = Method{ // an inner call ends where its gap is small enough
	init: func(p *Problem, q object, alpha []float64) State {
		s, eta := proximalInit(p, q, alpha), p.lam/(p.lam+2*q.number("kappa"))
		s["epoch"], s["xi"] = 1, (1+1/eta)*innerGap(p, 0, p.zeros(), p.zeros(), alpha)
		return s
	},
	step: func(p *Problem, q object, s State, choice any) {
		kappa := q.number("kappa")
		eta := p.lam / (p.lam + 2*kappa)
		for moving := s.k("steps")%p.n == 0; moving && s.x("xi") > 0; {
			w, c := softened(p.lam+kappa, p.l1, s.v("v")), s.v("w_tilde")
			if !(innerGap(p, kappa, c, w, s.v("alpha")) <= eta*s.x("xi")/(2*(1+1/eta))) {
				break
			}
			recentre(p, kappa, s, 0)
			s["xi"] = (1 - eta/2) * s.x("xi")
			moving = !same(c, s.v("w_tilde"))
		}
		aspdc(p, p.lam+kappa, s, integer(choice))
		s["steps"] = s.k("steps") + 1
	},
	view: proximalView,
}

func same(a, b []float64) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

func asdcaConstants(p *Problem) (kappa, ratio, eta float64) { // ratio = rho/mu
	kappa = math.Max(0, p.largestNorm2()/(float64(p.n)*p.gamma)-p.lam)
	ratio = (p.lam/2 + kappa) / (p.lam / 2)
	return kappa, ratio, math.Sqrt(1 / ratio)
}

var asdca = Method{
	init: func(p *Problem, _ object, alpha []float64) State {
		kappa, ratio, _ := asdcaConstants(p)
		w := p.wOf(alpha)
		bound := innerGap(p, 0, w, w, alpha)
		s := State{"alpha": alpha, "alpha_t": copied(alpha), "w_t": w, "y_t": copied(w), "v": centred(p, kappa, w, alpha), "bound": bound}
		return s.with((1+ratio)*bound, "xi", "xi_1").with(1, "t", "gaps").zero("rule", "steps")
	},
	step: func(p *Problem, _ object, s State, choice any) {
		if s.k("rule") != 0 {
			return
		}
		kappa, ratio, eta := asdcaConstants(p)
		sdca(p, p.lam+kappa, s, integer(choice))
		s["steps"] = s.k("steps") + 1
		if s.k("steps")%p.n != 0 {
			return
		}
		s["gaps"] = s.k("gaps") + 1
		w, c, alpha := softened(p.lam+kappa, p.l1, s.v("v")), s.v("y_t"), s.v("alpha")
		gap := innerGap(p, kappa, c, w, alpha)
		if !(gap <= eta*s.x("xi")/(2*(1+ratio))) {
			return
		}
		away := plus(w, -1, c)
		bound := (1+ratio)*gap + ratio*kappa/2*dot(away, away)
		y := plus(w, (1-eta)/(1+eta), plus(w, -1, s.v("w_t")))
		s["bound"], s["y_t"], s["w_t"], s["alpha_t"], s["t"] = bound, y, w, copied(alpha), s.k("t")+1
		s["xi"], s["v"], s["steps"] = (1-eta/2)*s.x("xi"), centred(p, kappa, y, alpha), 0
		if bound <= 0 {
			s["rule"] = 2
		}
	},
	view: func(p *Problem, _ object, s State) ([]float64, []float64) { return s.v("w_t"), s.v("alpha_t") },
}

// CoCoA+: each worker makes SDCA's steps on its own rows, from the common v, and counts what it moves sigma times.

var cocoa = Method{
	init: dualInit,
	step: func(p *Problem, q object, s State, choice any) {
		alpha, v := s.v("alpha"), copied(s.v("v"))
		before, aggregation, sigma, begin := copied(alpha), q.number("aggregation"), q.number("sigma"), 0
		for _, end := range integers(q.get("ends")) {
			own := copied(s.v("v"))
			for _, i := range integers(choice) {
				if begin <= i && i < end {
					a := p.dualStep(i, sees(p, i, own, p.lam), alpha[i], sigma*p.norm2(i)/(p.lam*float64(p.n)))
					p.add(i, -sigma*((a-alpha[i])/(p.lam*float64(p.n))), own)
					alpha[i] = a
				}
			}
			v = plus(v, aggregation/sigma, plus(own, -1, s.v("v")))
			begin = end
		}
		s["alpha"], s["v"] = plus(before, aggregation, plus(alpha, -1, before)), v
	},
	view: dualView,
}

// The PASSCoDe simulator: workers whose writes are in flight, and which see some of those of the others.

func passcode(lock bool) Method {
	return Method{
		init: func(p *Problem, q object, alpha []float64) State {
			return dualInit(p, q, alpha).with([]Write{}, "pending")
		},
		step: func(p *Problem, q object, s State, choice any) {
			drawn := append(integers(choice), 0)
			worker, i, visible, lost := drawn[0], drawn[1], drawn[2], drawn[3]
			pending, v := part[[]Write](s, "pending"), s.v("v")
			s["v"] = seen(v, pending, worker, visible, lock)
			alpha := s.v("alpha")
			alpha_i := p.dualStep(i, sees(p, i, s.v("v"), p.lam), alpha[i], p.norm2(i)/(p.lam*float64(p.n)))
			c := (alpha_i - alpha[i]) / (p.lam * float64(p.n))
			alpha[i] = alpha_i
			own := Write{worker, []int{}, []float64{}}
			for place, k := 0, p.starts[i]; k < p.starts[i+1]; place, k = place+1, k+1 {
				if lost>>place&1 == 0 {
					own.columns, own.amounts = append(own.columns, p.columns[k]), append(own.amounts, c*p.values[k])
				}
			}
			for pending = append(pending, own); len(pending) > q.integer("delay"); pending = pending[1:] {
				land(v, pending[0])
			}
			s["v"], s["pending"] = v, pending
		},
		view: func(p *Problem, q object, s State) ([]float64, []float64) {
			return seen(s.v("v"), part[[]Write](s, "pending"), 0, 0, true), s.v("alpha") // all have landed
		},
	}
}

func land(v []float64, write Write) {
	for k, j := range write.columns {
		v[j] -= write.amounts[k]
	}
}

func seen(v []float64, pending []Write, worker, visible int, all bool) []float64 { // what the worker reads
	read, place := copied(v), 0
	for _, write := range pending {
		for k, j := range write.columns {
			own := write.worker == worker
			if all || own || visible>>place&1 == 1 {
				read[j] -= write.amounts[k]
			}
			if !own {
				place++
			}
		}
	}
	return read
}

// Primal-dual methods: SPDC (Algorithms 1 to 3), AdaSPDC, PDCP, SPD1.

func saddleInit(p *Problem, _ object, alpha []float64) State {
	u := p.u(alpha)
	w := minimizer(p.lam, p.l1, u)
	return State{"w": w, "w_bar": copied(w), "u": u, "alpha": alpha}
}

func saddleView(p *Problem, _ object, s State) ([]float64, []float64) { return s.v("w"), s.v("alpha") }

func batchOf(choice any) []int { // an index, or a list of them
	if _, one := choice.(json.Number); one {
		return []int{integer(choice)}
	}
	return integers(choice)
}

// saddle is a step with the rows K: new alpha_k at z = x_k^T w_bar, then u, and w with tau, whose share of row k is 1/(m weight_k).
func saddle(p *Problem, s State, K []int, tau, theta float64, new func(k int, z, old float64) float64, weight func(k int) float64) {
	alpha, u, following := s.v("alpha"), s.v("u"), make([]float64, len(K))
	for at, k := range K {
		following[at] = new(k, p.dot(k, s.v("w_bar")), alpha[k])
	}
	r := copied(u)
	for at, k := range K {
		change := following[at] - alpha[k]
		alpha[k] = following[at]
		p.add(k, change/(float64(len(K))*weight(k)), r)
		p.add(k, change/float64(p.n), u) // SPDC (9)
	}
	descend(p, s, r, tau, theta)
}

func descend(p *Problem, s State, direction []float64, tau, theta float64) {
	before := s.v("w")
	w := prox(p.lam, p.l1, plus(before, -tau, direction), tau)  // SPDC (8)
	s["w"], s["w_bar"] = w, plus(w, theta, plus(w, -1, before)) // SPDC (10)
}

func one(int) float64 { return 1 }

func spdcStep(p *Problem, q object, s State, choice any) {
	sigma, delta, weight := q.number("sigma"), q.number("delta"), one
	if q.has("weight") { // p_k n of SPDC's Algorithm 3
		weights := q.vector("weight")
		weight = func(k int) float64 { return weights[k] }
	}
	new := func(k int, z, old float64) float64 { // SPDC (7)
		stiffness := weight(k) / sigma
		if delta == 0 {
			return p.dualStep(k, z, old, stiffness)
		}
		return p.dualStep(k, z, stiffness*old/(stiffness+delta), stiffness+delta) // SPDC (20): (delta/2) a^2 joins in
	}
	saddle(p, s, batchOf(choice), q.number("tau"), q.number("theta"), new, weight)
}

func adaptive(all bool) Method { // R: the largest norm of all rows, or of the sample
	step := func(p *Problem, q object, s State, choice any) {
		K, c, norms, R, n := integers(choice), q.number("c"), q.vector("R"), 0.0, float64(p.n)
		counting := K
		if all {
			counting = make([]int, p.n)
			for i := range counting {
				counting[i] = i
			}
		}
		for _, i := range counting {
			R = math.Max(R, norms[i])
		}
		new := func(i int, z, old float64) float64 {
			stiffness := 2 * norms[i] / c
			if q.has("preset") && q.text("preset") == "b" {
				stiffness = 2 * norms[i] * norms[i] / (R * c)
			}
			return p.dualStep(i, z, old, stiffness)
		}
		m := float64(len(K))
		saddle(p, s, K, 1/(2*R*c), 1-1/(n/m+R*n/(m*p.gamma*c)), new, one)
	}
	return Method{saddleInit, step, saddleView}
}

var pdcp = Method{
	init: func(p *Problem, _ object, alpha []float64) State {
		w := p.wOf(alpha)
		return State{"w": w, "w_bar": copied(w), "alpha": alpha}
	},
	step: func(p *Problem, q object, s State, _ any) {
		alpha := s.v("alpha")
		for i := range alpha {
			alpha[i] = p.dualStep(i, p.dot(i, s.v("w_bar")), alpha[i], float64(p.n)/q.number("sigma"))
		}
		descend(p, s, p.u(alpha), q.number("tau"), q.number("theta"))
	},
	view: saddleView,
}

var spd1 = Method{
	init: func(p *Problem, _ object, alpha []float64) State {
		s := State{"w": p.wOf(alpha), "alpha": alpha, "t": 0, "total_w": p.zeros(), "total_alpha": make([]float64, p.n)}
		return s.with(make([]int, p.d), "since_w").with(make([]int, p.n), "since_alpha")
	},
	step: func(p *Problem, q object, s State, choice any) {
		i, j, t := integers(choice)[0], integers(choice)[1], s.k("t")
		addUp(s, "w", j, t)
		addUp(s, "alpha", i, t)
		n, d, after := float64(p.n), float64(p.d), float64(t+1)
		s["t"] = t + 1
		var eta, tau float64
		if len(q) > 0 {
			eta, tau = q.number("eta"), q.number("tau")
		} else {
			eta, tau = 2*d/(p.lam*(after+4*d)), 2*n*d/(p.gamma*(after+4*n))
		}
		w, alpha, x := s.v("w"), s.v("alpha"), p.entry(i, j)
		z := d * x * w[j]
		w[j] = prox(p.lam, p.l1, []float64{w[j] - eta*x*alpha[i]}, eta)[0]
		alpha[i] = p.dualStep(i, z, alpha[i], d/tau)
	},
	view: func(p *Problem, _ object, s State) ([]float64, []float64) {
		if s.k("t") == 0 {
			return s.v("w"), s.v("alpha")
		}
		return average(s, "w"), average(s, "alpha")
	},
}

func addUp(s State, name string, k, t int) { // the entry as it stood since it was last written
	since := s.list("since_" + name)
	s.v("total_" + name)[k] += float64(t-since[k]) * s.v(name)[k]
	since[k] = t
}

func average(s State, name string) []float64 {
	t, mean := s.k("t"), copied(s.v("total_"+name))
	for k, since := range s.list("since_" + name) {
		mean[k] = (mean[k] + float64(t-since)*s.v(name)[k]) / float64(t)
	}
	return mean
}

func snapshot(p *Problem, s State) {
	w, alpha, z := s.v("w"), s.v("alpha"), make([]float64, p.n)
	for i := range z {
		z[i] = p.dot(i, w)
	}
	s["w_tilde"], s["alpha_tilde"], s["u_tilde"], s["z_tilde"] = copied(w), copied(alpha), p.u(alpha), z
}

var spd1VR = Method{
	init: func(p *Problem, _ object, alpha []float64) State {
		s := State{"w": p.wOf(alpha), "alpha": alpha, "t": 0}
		snapshot(p, s)
		return s
	},
	step: func(p *Problem, q object, s State, choice any) {
		t, eta := s.k("t"), q.number("eta")
		if t > 0 && t%q.integer("m") == 0 {
			snapshot(p, s)
		}
		drawn, w, alpha := integers(choice), s.v("w"), s.v("alpha")
		i, i2, j, j2 := drawn[0], drawn[1], drawn[2], drawn[3] // w_j and alpha_i move; i2 and j2 estimate
		h := p.entry(i2, j)*(alpha[i2]-s.v("alpha_tilde")[i2]) + s.v("u_tilde")[j]
		z := float64(p.d)*p.entry(i, j2)*(w[j2]-s.v("w_tilde")[j2]) + s.v("z_tilde")[i]
		w[j] = prox(p.lam, p.l1, []float64{w[j] - eta*h}, eta)[0]
		alpha[i] = p.dualStep(i, z, alpha[i], 1/q.number("tau"))
		s["t"] = t + 1
	},
	view: saddleView,
}

// Primal methods: PGS, Pegasos, SAG, SVRG, AFG. Their alpha are the slopes phi_i'(x_i^T w).

func subgradient(p *Problem, w []float64, A []int) []float64 { // (1/k) sum over A of phi_i'(x_i^T w) x_i
	sub := p.zeros()
	for _, i := range A {
		p.add(i, p.slope(i, w)/float64(len(A)), sub)
	}
	return sub
}

var pgs = Method{
	init: func(p *Problem, _ object, _ []float64) State {
		return State{"w": p.zeros(), "acc": p.zeros(), "total": p.zeros(), "t": 0}
	},
	step: func(p *Problem, _ object, s State, choice any) {
		w := s.v("w")
		s["total"] = plus(s.v("total"), 1, w)
		s["acc"] = plus(s.v("acc"), -1, subgradient(p, w, integers(choice)))
		s["t"] = s.k("t") + 1
		mean := over(s.v("acc"), float64(s.k("t")+1))
		if p.pNorm != nil {
			s["w"] = p.pNorm.minimizer(scaled(mean, -1))
		} else {
			s["w"] = softened(p.lam, p.l1, over(mean, p.lam))
		}
	},
	view: func(p *Problem, _ object, s State) ([]float64, []float64) {
		w := s.v("w")
		if t := s.k("t"); t > 0 {
			w = over(s.v("total"), float64(t))
		}
		return w, p.slopes(w)
	},
}

var pegasos = Method{
	init: func(p *Problem, _ object, _ []float64) State { return State{"w": p.zeros(), "t": 0} },
	step: func(p *Problem, q object, s State, choice any) {
		t, w := float64(s.k("t")+1), s.v("w")
		sub := subgradient(p, w, integers(choice))
		s["t"] = s.k("t") + 1
		w = plus(plus(w, -1, over(w, t)), -1/(p.lam*t), sub)
		if norm2 := dot(w, w); q.integer("projection") == 1 && norm2 > 1/p.lam {
			w = scaled(w, math.Sqrt(1/(p.lam*norm2)))
		}
		s["w"] = w
	},
	view: func(p *Problem, _ object, s State) ([]float64, []float64) { return s.v("w"), p.slopes(s.v("w")) },
}

var sag = Method{
	init: func(p *Problem, _ object, alpha []float64) State {
		seen := make([]int, p.n)
		for i := range seen {
			seen[i] = 1
		}
		return State{"c": alpha, "G": p.sumOfRows(alpha), "w": p.wOf(alpha), "seen": seen, "m": p.n}
	},
	step: func(p *Problem, q object, s State, choice any) {
		i, w, c, a := integer(choice), s.v("w"), s.v("c"), q.number("a")
		slope := p.slope(i, w)
		p.add(i, slope-c[i], s.v("G"))
		c[i], s.list("seen")[i] = slope, 1
		m := 0
		for _, once := range s.list("seen") {
			m += once
		}
		s["m"], s["w"] = m, plus(scaled(w, 1-a*p.lam), -a/float64(m), s.v("G"))
	},
	view: func(p *Problem, _ object, s State) ([]float64, []float64) { return s.v("w"), s.v("c") },
}

func rowGradient(p *Problem, i int, w []float64) []float64 { // phi_i'(x_i^T w) x_i + lam w
	gradient := scaled(w, p.lam)
	p.add(i, p.slope(i, w), gradient)
	return gradient
}

var svrg = Method{
	init: func(p *Problem, q object, alpha []float64) State {
		w := p.wOf(alpha)
		s := State{"w": w, "w_tilde": copied(w), "mu_tilde": p.zeros(), "t": 0, "s": 0}
		if q.integer("option") == 2 {
			s["kept"] = copied(w)
		}
		return s
	},
	step: func(p *Problem, q object, s State, choice any) {
		w, t := s.v("w"), s.k("t")
		if t == 0 {
			gradient := plus(p.u(p.slopes(w)), p.lam, w)
			s["w_tilde"], s["mu_tilde"], s["s"] = copied(w), gradient, s.k("s")+1
		}
		i := integer(choice)
		if i >= p.n {
			s["kept"] = copied(w)
		}
		variate := plus(s.v("mu_tilde"), -1, rowGradient(p, i%p.n, s.v("w_tilde")))
		s["w"] = plus(w, -q.number("eta"), plus(rowGradient(p, i%p.n, w), 1, variate))
		s["t"] = t + 1
		if t+1 == q.integer("m") {
			s["t"] = 0
			if q.integer("option") == 2 {
				s["w"] = copied(s.v("kept"))
			}
		}
	},
	view: func(p *Problem, q object, s State) ([]float64, []float64) {
		w := s.v("w")
		if q.integer("option") == 2 && s.k("t") > 0 {
			w = s.v("kept")
		}
		return w, p.slopes(w)
	},
}

var afg = Method{
	init: func(p *Problem, _ object, _ []float64) State {
		L := p.largestNorm2() / (float64(p.n) * p.gamma)
		return State{"x": p.zeros(), "s": p.zeros(), "A": 0.0, "L": pick(L == 0, 1, L)}.zero("k", "trials")
	},
	step: func(p *Problem, _ object, s State, _ any) {
		A, L, x := s.x("A"), s.x("L"), s.v("x")
		b := 2 * (1 + p.lam*A) / L
		a := (b + math.Sqrt(b*b+4*b*A)) / 2
		v := prox(p.lam, p.l1, scaled(s.v("s"), -1), A)
		y := over(plus(scaled(x, A), a, v), A+a)
		before := p.u(p.slopes(y))
		T := prox(p.lam, p.l1, plus(y, -1, over(before, L)), 1/L)
		after, back := p.u(p.slopes(T)), plus(y, -1, T)
		h := plus(plus(scaled(back, L), 1, after), -1, before)
		s["trials"] = s.k("trials") + 1
		if L < p.largestNorm2()/p.gamma && dot(h, back) < dot(h, h)/L {
			s["L"] = 2 * L
			return
		}
		s["A"], s["L"], s["s"], s["x"], s["k"] = A+a, L/2, plus(s.v("s"), a, after), T, s.k("k")+1
	},
	view: func(p *Problem, _ object, s State) ([]float64, []float64) { return s.v("x"), p.slopes(s.v("x")) },
}

func dualMethod(step func(p *Problem, lam float64, s State, i int)) Method {
	return Method{dualInit, func(p *Problem, _ object, s State, choice any) { step(p, p.lam, s, integer(choice)) }, dualView}
}

var spdc = Method{saddleInit, spdcStep, saddleView}

var methods = map[string]Method{
	"aspdc": dualMethod(aspdc), "sdca": dualMethod(sdca), "sdca-averaged": averaged, "sdca-random": random, "sdca-shrinking": shrinking,
	"aspdc-i": tested, "aspdc-i-fixed": counted(noMomentum), "aspdc-i-momentum": counted(momentum), "asdca": asdca, "cocoa": cocoa,
	"passcode-lock": passcode(true), "passcode-atomic": passcode(false), "passcode-wild": passcode(false),
	"spdc": spdc, "spdc-minibatch": spdc, "spdc-nonuniform": spdc, "adaspdc": adaptive(false), "adaspdc-r": adaptive(true), "pdcp": pdcp,
	"spd1": spd1, "spd1-vr": spd1VR, "pgs": pgs, "pgs-p-norm": pgs, "pegasos": pegasos, "sag": sag, "svrg": svrg, "afg": afg,
}

// -- calls: given to result, both in bits ---------------------------------------------------------------------------------------------

func inBits(value any) any { // numbers as the protocol writes them; integers stay
	switch v := value.(type) {
	case float64:
		return encode(v)
	case []float64:
		texts := make([]string, len(v))
		for k, x := range v {
			texts[k] = encode(x)
		}
		return texts
	case []int: // the state goes on to change
		return copied(v)
	case []Write:
		found := make([]State, len(v))
		for k, write := range v {
			found[k] = State{"worker": write.worker, "columns": write.columns, "amounts": write.amounts}.inBits()
		}
		return found
	}
	return value
}

func (s State) inBits() State {
	found := State{}
	for name, value := range s {
		found[name] = inBits(value)
	}
	return found
}

func lossCall(formula string, given object) State {
	loss, gamma, y := lossOf(given.text("loss")), given.number("gamma"), given.number("y")
	switch formula {
	case "value":
		return State{"value": loss.value(given.number("z"), y, gamma)}
	case "derivative":
		return State{"value": loss.derivative(given.number("z"), y, gamma)}
	case "conjugate":
		return State{"value": loss.conjugate(given.number("alpha"), y, gamma)}
	case "residual":
		return State{"value": loss.residual(given.number("z"), given.number("alpha"), y, gamma)}
	case "dual_step":
		return State{"value": loss.dualStep(given.number("z"), given.number("alpha"), y, given.number("q"), gamma)}
	}
	skip("call loss." + formula)
	return nil
}

func blockCall(formula string, given object) State {
	loss, ok := blockLosses[given.text("loss")]
	if !ok {
		skip("loss " + given.text("loss"))
	}
	gamma, target := given.number("gamma"), given.get("target")
	if texts, several := target.([]any); several {
		vector(texts) // refused here if these are no numbers
	}
	switch formula {
	case "value":
		return State{"value": loss.value(given.vector("z"), gamma, target)}
	case "conjugate":
		return State{"value": loss.conjugate(given.vector("alpha"), gamma, target)}
	case "derivative":
		z := given.vector("z")
		return State{"alpha": loss.dualStep(z, make([]float64, len(z)), 0, gamma, target)}
	case "dual_step":
		return State{"alpha": loss.dualStep(given.vector("z"), given.vector("alpha"), given.number("q"), gamma, target)}
	}
	skip("call block." + formula)
	return nil
}

func regularizerCall(formula string, given object) State {
	lam, l1 := given.number("lam"), given.number("l1")
	switch formula {
	case "value":
		return State{"value": penalty(lam, l1, given.vector("w"))}
	case "conjugate":
		return State{"value": penaltyConjugate(lam, l1, given.vector("u"))}
	case "minimizer":
		return State{"w": minimizer(lam, l1, given.vector("u"))}
	case "prox":
		return State{"w": prox(lam, l1, given.vector("w"), given.number("tau"))}
	}
	skip("call regularizer." + formula)
	return nil
}

func pNormCall(formula string, given object) State {
	g := pNormOf(given)
	switch formula {
	case "value":
		return State{"value": g.value(given.vector("w"))}
	case "conjugate":
		return State{"value": g.conjugate(given.vector("u"))}
	case "minimizer":
		return State{"w": g.minimizer(given.vector("u"))}
	}
	skip("call pnorm." + formula)
	return nil
}

func certificate(given object) State {
	p := problemOf(given.object("problem"))
	primal, dual := p.primal(given.vector("w"), 0, p.zeros()), p.dual(given.vector("alpha"), 0, p.zeros())
	return State{"primal": primal, "dual": dual, "gap": primal - dual}
}

func methodCall(call string, given object) State {
	method, ok := methods[given.text("method")]
	if !ok {
		skip("method " + given.text("method"))
	}
	p, q := problemOf(given.object("problem")), object{}
	if given.has("parameters") {
		q = given.object("parameters")
	}
	if call == "init" {
		return State{"state": method.init(p, q, given.vector("alpha")).inBits()}
	}
	s := stateOf(given.object("state"))
	switch call {
	case "view":
		w, alpha := method.view(p, q, s)
		return State{"w": w, "alpha": alpha}
	case "step":
		method.step(p, q, s, given.get("choice"))
		return State{"state": s.inBits()}
	}
	choose := func(item any) any { return item }
	states := []State{}
	for _, choice := range each(given.get("choices"), choose) {
		if call == "branches" { // each from the given state; of a trajectory each from the state before
			s = stateOf(given.object("state"))
		}
		method.step(p, q, s, choice)
		if call != "last" {
			states = append(states, s.inBits())
		}
	}
	if call == "last" { // as trajectory, of whose states the last
		return State{"state": s.inBits()}
	}
	return State{"states": states}
}

func run(call string, given object) State {
	kind, formula, _ := strings.Cut(call, ".")
	switch kind {
	case "loss":
		return lossCall(formula, given)
	case "block":
		return blockCall(formula, given)
	case "regularizer":
		return regularizerCall(formula, given)
	case "pnorm":
		return pNormCall(formula, given)
	case "gap":
		return State{"gap": given.number("primal") - given.number("dual")}
	case "certificate":
		return certificate(given)
	case "init", "view", "step", "trajectory", "branches", "last":
		return methodCall(call, given)
	}
	skip("call " + call)
	return nil
}

// -- the protocol --------------------------------------------------------------------------------------------------------------------

func answer(request object) State {
	switch op := request.text("op"); op {
	case "start":
		return State{"protocol": 1, "name": "dualgap-go", "language": runtime.Version(), "version": "1"}
	case "echo":
		return State{"numbers": inBits(request.vector("numbers"))}
	case "run":
		return State{"result": run(request.text("call"), request.object("given")).inBits()}
	default:
		skip("op " + op)
		return nil
	}
}

var seqOf = regexp.MustCompile(`"seq": ?(\d+)`) // also where the line is no JSON
var strange = regexp.MustCompile(`[^ -~]|["\\]`)

func answerTo(line []byte) (found State, going bool) {
	seq := 0
	if match := seqOf.FindSubmatch(line); match != nil {
		seq, _ = strconv.Atoi(string(match[1]))
	}
	defer func() {
		if met := recover(); met != nil {
			why := refusal{"error", fmt.Sprint(met)} // e.g. an index out of range
			if known, ok := met.(refusal); ok {
				why = known
			}
			found, going = State{why.as: strange.ReplaceAllString(why.why, " ")}, true
		}
		found["seq"] = seq
	}()
	var request map[string]any
	reader := json.NewDecoder(bytes.NewReader(line))
	reader.UseNumber()
	if err := reader.Decode(&request); err != nil || reader.More() {
		refuse("the request is not JSON of this protocol")
	}
	if request["op"] == "stop" {
		return State{}, false
	}
	return answer(request), true
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n') // of any length
		if len(line) > 0 {
			found, going := answerTo(line)
			if !going {
				return
			}
			text, _ := json.Marshal(found)
			out.Write(append(text, '\n'))
			out.Flush()
		}
		if err != nil { // the end of the input
			return
		}
	}
}
