/* A port of dualgap: ASPDC, SDCA, SPDC and PGS, six losses, L2 and elastic net; C99, no dependency.
 *
 * One line of JSON in, one line of JSON out (docs/ports.md). From the inside out: numbers, JSON, losses, regularizer,
 * rows of the problem, methods, calls, protocol. Every sum runs from left to right over the stored entries; compiled
 * without fused multiply-add (see run), the bits are those of the reference, except for the residual of the logistic loss.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- memory and refusals: what a request takes is given back before the next one ------------------------------------- */

typedef struct block { struct block *next; double align; } block;
static block *blocks;

static jmp_buf refusal; /* where a request that cannot be answered ends */
static const char *refused_as, *refused_why, *refused_name;

static void refuse(const char *as, const char *why, const char *name) /* as: "skipped" or "error" */
{
    refused_as = as, refused_why = why, refused_name = name;
    longjmp(refusal, 1);
}

static void *take(size_t count, size_t size) /* zeros */
{
    block *b = calloc(1, sizeof *b + count * size);
    if (!b) refuse("error", "out of memory", "");
    b->next = blocks, blocks = b;
    return b + 1;
}

static double *vector(size_t count) { return take(count + 1, sizeof(double)); }

static double *copy(const double *v, size_t count) { return memcpy(vector(count), v, count * sizeof *v); }

static void give_back(void)
{
    while (blocks) {
        block *next = blocks->next;
        free(blocks), blocks = next;
    }
}

/* -- the answer: collected here, written when it is complete ----------------------------------------------------------- */

static struct { char *text; size_t length, room; } answer;

static void say(const char *format, ...)
{
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        size_t left = answer.room - answer.length;
        size_t need = (size_t)vsnprintf(answer.text + answer.length, left, format, arguments);
        va_end(arguments);
        if (need < left) { answer.length += need; return; }
        answer.room = 2 * answer.room + need + 1;
        if (!(answer.text = realloc(answer.text, answer.room))) abort();
    }
}

/* -- JSON, as far as the protocol goes: objects, arrays, integers, strings without escapes ---------------------------- */

typedef struct node {
    enum { INTEGER, STRING, ARRAY, OBJECT } kind;
    const char *name, *text; /* name: the key under which it stands */
    long integer;
    size_t count;
    struct node *first, *next;
} node;

static char *at; /* the place that is read */

static char peek(void)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    return *at;
}

static void expect(char c)
{
    if (peek() != c) refuse("error", "the request is not JSON of this protocol", "");
    at++;
}

static const char *string(void)
{
    expect('"');
    char *start = at;
    while (*at && *at != '"') at++;
    if (!*at) refuse("error", "a string has no end", "");
    *at++ = 0;
    return start;
}

static node *value(void)
{
    node *n = take(1, sizeof *n);
    char c = peek();
    if (c == '"') {
        n->kind = STRING, n->text = string();
    } else if (c == '[' || c == '{') {
        char end = c == '[' ? ']' : '}';
        n->kind = c == '[' ? ARRAY : OBJECT;
        at++;
        for (node **last = &n->first; peek() != end; last = &(*last)->next) {
            if (n->count) expect(',');
            const char *name = NULL;
            if (end == '}') name = (peek(), string()), expect(':');
            *last = value(), (*last)->name = name;
            n->count++;
        }
        at++;
    } else {
        char *end;
        n->kind = INTEGER, n->integer = strtol(at, &end, 10);
        if (end == at) refuse("error", "the request is not JSON of this protocol", "");
        at = end;
    }
    return n;
}

static node *find(const node *object, const char *name) /* or NULL */
{
    for (node *n = object && object->kind == OBJECT ? object->first : NULL; n; n = n->next)
        if (!strcmp(n->name, name)) return n;
    return NULL;
}

static node *get(const node *object, const char *name)
{
    node *n = find(object, name);
    if (!n) refuse("error", "the request lacks ", name);
    return n;
}

static const char *text(const node *object, const char *name)
{
    const node *n = get(object, name);
    if (n->kind != STRING) refuse("error", "no string: ", name);
    return n->text;
}

/* -- numbers: 16 hexadecimal digits, the bits of a double -------------------------------------------------------------- */

static double decode(const node *n)
{
    uint64_t bits = 0;
    double number;
    if (n->kind != STRING || strlen(n->text) != 16) refuse("error", "a number is not 16 hexadecimal digits", "");
    for (const char *c = n->text; *c; c++) {
        int digit = *c >= '0' && *c <= '9' ? *c - '0' : *c >= 'a' && *c <= 'f' ? *c - 'a' + 10 : -1;
        if (digit < 0) refuse("error", "a number is not 16 hexadecimal digits", "");
        bits = bits << 4 | (uint64_t)digit;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double number(const node *object, const char *name) { return decode(get(object, name)); }

static double *numbers(const node *object, const char *name, size_t count)
{
    const node *array = get(object, name);
    double *v = vector(count), *next = v;
    if (array->kind != ARRAY || array->count != count) refuse("error", "of the wrong length: ", name);
    for (node *n = array->first; n; n = n->next) *next++ = decode(n);
    return v;
}

static size_t *indices(const node *array, size_t count, size_t largest)
{
    size_t *v = take(count + 1, sizeof *v), *next = v;
    if (array->kind != ARRAY || array->count != count) refuse("error", "of the wrong length: ", array->name);
    for (node *n = array->first; n; n = n->next) {
        if (n->kind != INTEGER || n->integer < 0 || (size_t)n->integer > largest) refuse("error", "no index: ", array->name);
        *next++ = (size_t)n->integer;
    }
    return v;
}

static void put(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    say("\"%016" PRIx64 "\"", bits);
}

static void put_vector(const char *name, const double *v, size_t count)
{
    say("\"%s\":[", name);
    for (size_t j = 0; j < count; j++) {
        if (j) say(",");
        put(v[j]);
    }
    say("]");
}

/* -- exp and logarithms: by + - * / alone, the reference's bits on every machine (reference/numbers/elementary.py) ------- */

static const double LN2_HIGH = 0x1.62e42fefa3p-1, LN2_LOW = 0x1.3de6af278ece6p-42, ROOT_HALF = 0x1.6a09e667f3bcdp-1;

/* e^x for x <= 709 */
static double exp_of(double x)
{
    const double per_ln2 = 0x1.71547652b82fep+0, to_integer = 0x1.8p52; /* added and subtracted, it rounds to an integer */
    if (x != x) return x;
    if (x < -746) x = -746;
    double k = (x * per_ln2 + to_integer) - to_integer, r = (x - k * LN2_HIGH) - k * LN2_LOW;
    double r2 = r * r, r4 = r2 * r2, r6 = r2 * r4;
    double first = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double second = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double third = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    return ldexp(1 + ((r + r2 * first) + (r6 * second + (r6 * r4) * third)), (int)k);
}

/* ln u + lost/u, for u > 0 and a lost that is small against it */
static double log_of_sum(double u, double lost)
{
    int k;
    double m = frexp(u, &k);
    if (m < ROOT_HALF) m = 2 * m, k--;
    double f = m - 1, s = f / (2 + f), z = s * s, half = f * f * (1.0 / 2), z2 = z * z, z4 = z2 * z2;
    double first = (1.0 / 3 + z * (1.0 / 5)) + z2 * (1.0 / 7 + z * (1.0 / 9));
    double second = (1.0 / 11 + z * (1.0 / 13)) + z2 * (1.0 / 15 + z * (1.0 / 17));
    double R = first + z4 * (second + z4 * (1.0 / 19 + z * (1.0 / 21)));
    return k * LN2_HIGH + (f - (half - (s * (half + 2 * z * R) + (k * LN2_LOW + lost / u))));
}

static double log_of(double x) { return log_of_sum(x, 0); }

/* ln(1 + x) for x >= 0 */
static double log1p_of(double x) { double u = 1 + x; return log_of_sum(u, x < 1 ? x - (u - 1) : 1 - (u - x)); }

/* -- losses: alpha approximates +phi'(z); of a margin loss m = y z and b = -y alpha -------------------------------------- */

static double clip(double x, double low, double high) { return x <= low ? low : x >= high ? high : x; }

static double logistic(double t) { return t < 0 ? exp_of(t) / (1 + exp_of(t)) : 1 / (1 + exp_of(-t)); }

static double softplus(double t) { return t > 0 ? t + log1p_of(exp_of(-t)) : log1p_of(exp_of(t)); } /* log(1 + e^t) */

static double entropy(double p) { return p == 0 ? 0 : p * log_of(p); }

/* logistic(t) at the root t of h(t) = t + m + q (logistic(t) - b), which increases: Halley, with bisection where a step leaves
   (low, high). With whole = 1 + e^-|t|, H = whole h, G = whole^2 h' and K = whole^3 h'' need no division. */
static double logistic_of_root(double m, double b, double q)
{
    const double ulp = 0x1p-52;
    if (q == 0) return logistic(-m);
    double low = -m - q * (1 - b), high = -m + q * b, t = -m, c = q * b * (1 - b);
    if (c > 1) { /* h is steep at logit b, where it is known: Newton's step from there */
        t = (c * log_of(b / (1 - b)) - m) / (1 + c);
        if (!(low < t && t < high)) t = low > 0 ? low : high < 0 ? high : 0;
    }
    for (int round = 0; round < 200; round++) {
        double e = exp_of(-fabs(t)), part = t < 0 ? e : 1, whole = 1 + e, share = b * whole; /* logistic(t) = part/whole */
        double H = (t + m) * whole + q * (part - share);
        double allowed = 4 * ulp * ((fabs(t) + fabs(m)) * whole + q * (part > share ? part : share));
        if (fabs(H) <= allowed) return part / whole;
        double G = whole * whole + q * e, K = q * e * (whole - 2 * part), d = -2 * (H * G * whole) / (2 * (G * G) - H * K);
        if (fabs(d) < 0x1p-13 && q * e * (fabs(d) * d * d) <= allowed) { /* the step is the last: logistic by its cubic */
            double s = part / whole, slope = e / (whole * whole);
            return s + slope * d * (1 + (1 - 2 * s) * d / 2 + (1 - 6 * slope) * (d * d) / 6);
        }
        if (H > 0) high = t;
        else low = t;
        double next = t + d;
        if (!(low < next && next < high)) {
            next = low + (high - low) / 2;
            if (!(low < next && next < high)) return part / whole;
        }
        t = next;
    }
    return logistic(t);
}

typedef enum { SQUARED, SMOOTHED_HINGE, SQUARED_HINGE, HINGE, LOGISTIC, ABSOLUTE, LOSSES } loss;

static const char *const loss_names[LOSSES] = {"squared", "smoothed-hinge", "squared-hinge", "hinge", "logistic", "absolute"};

static loss loss_of(const char *name)
{
    for (int k = 0; k < LOSSES; k++)
        if (!strcmp(name, loss_names[k])) return (loss)k;
    refuse("skipped", "loss ", name);
    return LOSSES;
}

static bool in_domain(loss phi, double alpha, double y)
{
    double b = -y * alpha;
    if (phi == SQUARED) return true;
    if (phi == ABSOLUTE) return -1 <= alpha && alpha <= 1;
    return 0 <= b && (b <= 1 || phi == SQUARED_HINGE);
}

static double phi_value(loss phi, double z, double y, double gamma)
{
    double m = y * z;
    switch (phi) {
    case SQUARED: return (z - y) * (z - y) / (2 * gamma);
    case SMOOTHED_HINGE: return m >= 1 ? 0 : m <= 1 - gamma ? 1 - m - gamma / 2 : (1 - m) * (1 - m) / (2 * gamma);
    case SQUARED_HINGE: return m >= 1 ? 0 : (1 - m) * (1 - m);
    case HINGE: return m >= 1 ? 0 : 1 - m;
    case LOGISTIC: return softplus(-m);
    default: return z >= y ? z - y : y - z;
    }
}

static double phi_derivative(loss phi, double z, double y, double gamma)
{
    double m = y * z;
    switch (phi) {
    case SQUARED: return (z - y) / gamma;
    case SMOOTHED_HINGE: return -y * clip((1 - m) / gamma, 0, 1);
    case SQUARED_HINGE: return -y * (m >= 1 ? 0 : 2 * (1 - m));
    case HINGE: return -y * (m >= 1 ? 0 : 1);
    case LOGISTIC: return -y * logistic(-m);
    default: return z > y ? 1 : z < y ? -1 : 0;
    }
}

static double phi_conjugate(loss phi, double alpha, double y, double gamma)
{
    if (!in_domain(phi, alpha, y)) return INFINITY;
    switch (phi) {
    case SQUARED: case SMOOTHED_HINGE: return y * alpha + gamma * alpha * alpha / 2;
    case SQUARED_HINGE: return y * alpha + alpha * alpha / 4;
    case LOGISTIC: return entropy(-y * alpha) + entropy(1 + y * alpha);
    default: return y * alpha;
    }
}

/* phi(z) + phi*(alpha) - alpha z, written for each piece without cancellation (for the logistic loss as it stands) */
static double phi_residual(loss phi, double z, double alpha, double y, double gamma)
{
    double m = y * z, b = -y * alpha, error;
    if (!in_domain(phi, alpha, y)) return INFINITY;
    switch (phi) {
    case SQUARED:
        error = (z - y) / gamma - alpha;
        return gamma * (error * error) / 2;
    case SMOOTHED_HINGE:
        if (m >= 1) return b * (m - 1) + gamma * (b * b) / 2;
        if (m <= 1 - gamma) return (1 - b) * ((1 - gamma - m) + gamma * (1 - b) / 2);
        error = (1 - m) / gamma - b;
        return gamma * (error * error) / 2;
    case SQUARED_HINGE:
        error = (1 - m) - b / 2;
        return m >= 1 ? b * (m - 1) + b * b / 4 : error * error;
    case HINGE: return m >= 1 ? b * (m - 1) : (1 - b) * (1 - m);
    case LOGISTIC: return softplus(-m) + (entropy(b) + entropy(1 - b)) - alpha * z;
    default: return z >= y ? (z - y) * (1 - alpha) : (y - z) * (1 + alpha);
    }
}

/* argmin_a phi*(a) - a z + (q/2)(a - alpha)^2 */
static double dual_step(loss phi, double z, double alpha, double y, double q, double gamma)
{
    double b = -y * alpha, slope = 1 - y * z;
    switch (phi) {
    case SQUARED: return (z - y + q * alpha) / (gamma + q);
    case SMOOTHED_HINGE: return -y * clip((slope + q * b) / (gamma + q), 0, 1);
    case SQUARED_HINGE:
        b = 2 * (slope + q * b) / (1 + 2 * q);
        return -y * (b <= 0 ? 0 : b);
    case HINGE:
        if (q > 0) return -y * clip(b + slope / q, 0, 1);
        return slope > 0 ? -y : slope < 0 ? -y * 0 : alpha;
    case LOGISTIC: return -y * logistic_of_root(y * z, b, q);
    default:
        if (q > 0) return clip(alpha + (z - y) / q, -1, 1);
        return z > y ? 1 : z < y ? -1 : alpha;
    }
}

/* -- the regularizer g(w) = (lam/2)||w||^2 + l1 ||w||_1 -------------------------------------------------------------------- */

static double soft(double v, double s) { return v > s ? v - s : v < -s ? v + s : v - v; }

static double g_value(double lam, double l1, const double *w, size_t d)
{
    double squares = 0, ones = 0;
    for (size_t j = 0; j < d; j++) squares += w[j] * w[j], ones += fabs(w[j]);
    return lam * squares / 2 + l1 * ones;
}

static double *g_minimizer(double lam, double l1, const double *u, size_t d) /* grad g*(-u) */
{
    double *w = vector(d);
    for (size_t j = 0; j < d; j++) w[j] = soft((0 - u[j]) / lam, l1 / lam);
    return w;
}

static double g_conjugate(double lam, double l1, const double *u, size_t d) /* g*(-u) */
{
    return g_value(lam, 0, g_minimizer(lam, l1, u, d), d);
}

static double *g_prox(double lam, double l1, const double *w, double tau, size_t d)
{
    double *x = vector(d);
    for (size_t j = 0; j < d; j++) x[j] = soft(w[j], tau * l1) / (1 + tau * lam);
    return x;
}

/* -- the problem: its rows, and what is summed over them -------------------------------------------------------------------- */

typedef struct { size_t n, d, *starts, *columns; double *values, *y, gamma, lam, l1; loss phi; } problem;

static problem problem_of(const node *given)
{
    long n = get(given, "n")->integer, d = get(given, "d")->integer;
    size_t entries = get(given, "values")->count;
    if (n < 1 || d < 1) refuse("error", "a problem has at least one row and one column", "");
    problem p = {.n = (size_t)n, .d = (size_t)d, .starts = indices(get(given, "starts"), (size_t)n + 1, entries),
                 .columns = indices(get(given, "columns"), entries, (size_t)d - 1),
                 .values = numbers(given, "values", entries), .y = numbers(given, "y", (size_t)n),
                 .gamma = number(given, "gamma"), .lam = number(given, "lam"), .l1 = number(given, "l1"),
                 .phi = loss_of(text(given, "loss"))};
    return p;
}

#define ENTRIES(p, i, k) (size_t k = (p)->starts[i]; k < (p)->starts[(i) + 1]; k++) /* the stored entries k of row i */

static double dot(const problem *p, size_t i, const double *w) /* x_i^T w */
{
    double total = 0;
    for ENTRIES(p, i, k) total += p->values[k] * w[p->columns[k]];
    return total;
}

static double norm2(const problem *p, size_t i)
{
    double total = 0;
    for ENTRIES(p, i, k) total += p->values[k] * p->values[k];
    return total;
}

static void add(const problem *p, size_t i, double factor, double *target) /* target + factor x_i, in place */
{
    for ENTRIES(p, i, k) target[p->columns[k]] += factor * p->values[k];
}

static double *u_of(const problem *p, const double *alpha) /* X^T alpha / n */
{
    double *u = vector(p->d);
    for (size_t i = 0; i < p->n; i++) add(p, i, alpha[i], u);
    for (size_t j = 0; j < p->d; j++) u[j] /= (double)p->n;
    return u;
}

/* -- methods: init, step and view; a state has the fields of its method, the others are NULL --------------------------------- */

typedef struct { double *v, *w, *w_bar, *u, *acc, *total, *alpha; long t; } state;
typedef struct { double tau, sigma, theta, delta, *weight; } parameters;
typedef struct { size_t count, *rows; } choice;
typedef struct {
    const char *name;
    state (*init)(const problem *, double *alpha);
    void (*step)(const problem *, const parameters *, state *, choice);
    void (*view)(const problem *, const state *, double **w, double **alpha);
} method;

static state dual_init(const problem *p, double *alpha)
{
    double *v = u_of(p, alpha);
    for (size_t j = 0; j < p->d; j++) v[j] = (0 - v[j]) / p->lam + 0;
    return (state){.v = v, .alpha = alpha};
}

static void dual_view(const problem *p, const state *s, double **w, double **alpha)
{
    *w = vector(p->d), *alpha = s->alpha;
    for (size_t j = 0; j < p->d; j++) (*w)[j] = soft(s->v[j], p->l1 / p->lam);
}

static double inner(const problem *p, size_t i, const double *v) /* z = x_i^T w with w = soft(v, l1/lam) */
{
    double z = 0;
    for ENTRIES(p, i, k) z += p->values[k] * soft(v[p->columns[k]], p->l1 / p->lam);
    return z;
}

static void update(const problem *p, state *s, size_t i, double alpha) /* alpha_i = alpha, and v with it */
{
    double c = (alpha - s->alpha[i]) / (p->lam * (double)p->n);
    s->alpha[i] = alpha;
    for ENTRIES(p, i, k) s->v[p->columns[k]] -= c * p->values[k];
}

static void aspdc_step(const problem *p, const parameters *unused, state *s, choice chosen)
{
    size_t i = *chosen.rows;
    (void)unused;
    update(p, s, i, phi_derivative(p->phi, inner(p, i, s->v), p->y[i], p->gamma)); /* ASPDC line 5 */
}

static void sdca_step(const problem *p, const parameters *unused, state *s, choice chosen)
{
    size_t i = *chosen.rows;
    double q = norm2(p, i) / (p->lam * (double)p->n);
    (void)unused;
    update(p, s, i, dual_step(p->phi, inner(p, i, s->v), s->alpha[i], p->y[i], q, p->gamma)); /* SDCA line 4 */
}

static state spdc_init(const problem *p, double *alpha)
{
    double *u = u_of(p, alpha), *w = g_minimizer(p->lam, p->l1, u, p->d);
    return (state){.w = w, .w_bar = copy(w, p->d), .u = u, .alpha = alpha};
}

static void spdc_view(const problem *p, const state *s, double **w, double **alpha) { (void)p, *w = s->w, *alpha = s->alpha; }

/* Algorithm 1 with one row; Algorithm 2 with a batch of m; Algorithm 3 with weights p_k n */
static void spdc_step(const problem *p, const parameters *given, state *s, choice K)
{
    double delta = given->delta, *new = vector(K.count), *r = copy(s->u, p->d);
    for (size_t b = 0; b < K.count; b++) {
        size_t k = K.rows[b];
        double pn = given->weight ? given->weight[k] : 1, q = pn / given->sigma, z = dot(p, k, s->w_bar), old = s->alpha[k];
        /* SPDC (7); where delta > 0, (20): (delta/2) a^2 joins the other quadratic */
        new[b] = delta == 0 ? dual_step(p->phi, z, old, p->y[k], q, p->gamma)
                            : dual_step(p->phi, z, q * old / (q + delta), p->y[k], q + delta, p->gamma);
    }
    for (size_t b = 0; b < K.count; b++) {
        size_t k = K.rows[b];
        double change = new[b] - s->alpha[k];
        s->alpha[k] = new[b];
        add(p, k, change / ((double)K.count * (given->weight ? given->weight[k] : 1)), r);
        add(p, k, change / (double)p->n, s->u); /* SPDC (9) */
    }
    for (size_t j = 0; j < p->d; j++) r[j] = s->w[j] - given->tau * r[j];
    double *w = g_prox(p->lam, p->l1, r, given->tau, p->d);                                             /* SPDC (8) */
    for (size_t j = 0; j < p->d; j++) s->w_bar[j] = w[j] + given->theta * (w[j] - s->w[j]);          /* SPDC (10) */
    s->w = w;
}

static state pgs_init(const problem *p, double *unused)
{
    (void)unused;
    return (state){.w = vector(p->d), .acc = vector(p->d), .total = vector(p->d)};
}

static void pgs_step(const problem *p, const parameters *unused, state *s, choice A)
{
    double *sub = vector(p->d);
    (void)unused;
    for (size_t j = 0; j < p->d; j++) s->total[j] += s->w[j];
    for (size_t b = 0; b < A.count; b++) {
        size_t i = A.rows[b];
        add(p, i, phi_derivative(p->phi, dot(p, i, s->w), p->y[i], p->gamma) / (double)A.count, sub);
    }
    s->t++;
    for (size_t j = 0; j < p->d; j++) {
        s->acc[j] -= sub[j];
        s->w[j] = soft(s->acc[j] / (double)(s->t + 1) / p->lam, p->l1 / p->lam);
    }
}

static void pgs_view(const problem *p, const state *s, double **w, double **alpha)
{
    *w = copy(s->w, p->d), *alpha = vector(p->n);
    for (size_t j = 0; s->t && j < p->d; j++) (*w)[j] = s->total[j] / (double)s->t;
    for (size_t i = 0; i < p->n; i++) (*alpha)[i] = phi_derivative(p->phi, dot(p, i, *w), p->y[i], p->gamma);
}

static const method methods[] = {
    {"aspdc", dual_init, aspdc_step, dual_view},        {"sdca", dual_init, sdca_step, dual_view},
    {"spdc", spdc_init, spdc_step, spdc_view},          {"spdc-minibatch", spdc_init, spdc_step, spdc_view},
    {"spdc-nonuniform", spdc_init, spdc_step, spdc_view}, {"pgs", pgs_init, pgs_step, pgs_view},
};

static const method *method_of(const node *given)
{
    const char *name = text(given, "method");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (!strcmp(name, methods[k].name)) return methods + k;
    refuse("skipped", "method ", name);
    return NULL;
}

/* -- calls: given to result ---------------------------------------------------------------------------------------------------- */

static state state_of(const method *m, const problem *p, const node *given)
{
    const node *f = get(given, "state");
    if (m->init == dual_init) return (state){.v = numbers(f, "v", p->d), .alpha = numbers(f, "alpha", p->n)};
    if (m->init == spdc_init)
        return (state){.w = numbers(f, "w", p->d), .w_bar = numbers(f, "w_bar", p->d), .u = numbers(f, "u", p->d),
                       .alpha = numbers(f, "alpha", p->n)};
    return (state){.w = numbers(f, "w", p->d), .acc = numbers(f, "acc", p->d), .total = numbers(f, "total", p->d),
                   .t = get(f, "t")->integer};
}

static state copy_state(const problem *p, const state *s)
{
    state twin = *s;
    double **fields[] = {&twin.v, &twin.w, &twin.w_bar, &twin.u, &twin.acc, &twin.total, &twin.alpha};
    for (size_t k = 0; k < 7; k++)
        if (*fields[k]) *fields[k] = copy(*fields[k], fields[k] == &twin.alpha ? p->n : p->d);
    return twin;
}

static parameters parameters_of(const method *m, const problem *p, const node *given)
{
    if (m->init != spdc_init) return (parameters){0};
    const node *q = get(given, "parameters");
    double *weight = strcmp(m->name, "spdc-nonuniform") ? NULL : numbers(q, "weight", p->n);
    return (parameters){number(q, "tau"), number(q, "sigma"), number(q, "theta"), number(q, "delta"), weight};
}

static choice choice_of(const problem *p, const node *n) /* an index, or a list of them */
{
    node one = {.kind = ARRAY, .name = "choice", .count = 1, .first = (node *)n}, alone = *n;
    if (n->kind == ARRAY) return (choice){n->count, indices(n, n->count, p->n - 1)};
    alone.next = NULL, one.first = &alone;
    return (choice){1, indices(&one, 1, p->n - 1)};
}

static void put_state(const problem *p, const state *s)
{
    const struct { const char *name; const double *v; size_t count; } fields[] = {
        {"v", s->v, p->d},     {"w", s->w, p->d},         {"w_bar", s->w_bar, p->d}, {"u", s->u, p->d},
        {"acc", s->acc, p->d}, {"total", s->total, p->d}, {"alpha", s->alpha, p->n},
    };
    const char *separator = "{";
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (fields[k].v) say("%s", separator), put_vector(fields[k].name, fields[k].v, fields[k].count), separator = ",";
    if (s->acc) say(",\"t\":%ld", s->t);
    say("}");
}

static void loss_call(const char *formula, const node *given)
{
    loss phi = loss_of(text(given, "loss"));
    double gamma = number(given, "gamma"), y = number(given, "y"), z = find(given, "z") ? number(given, "z") : 0, result;
    double alpha = find(given, "alpha") ? number(given, "alpha") : 0;
    if (!strcmp(formula, "value")) result = phi_value(phi, z, y, gamma);
    else if (!strcmp(formula, "derivative")) result = phi_derivative(phi, z, y, gamma);
    else if (!strcmp(formula, "conjugate")) result = phi_conjugate(phi, alpha, y, gamma);
    else if (!strcmp(formula, "residual")) result = phi_residual(phi, z, alpha, y, gamma);
    else if (!strcmp(formula, "dual_step")) result = dual_step(phi, z, alpha, y, number(given, "q"), gamma);
    else { refuse("skipped", "call loss.", formula); return; }
    say("\"value\":"), put(result);
}

static void regularizer_call(const char *formula, const node *given)
{
    size_t d;
    double lam = number(given, "lam"), l1 = number(given, "l1"), *x;
    const char *of = find(given, "u") ? "u" : "w";
    x = numbers(given, of, d = get(given, of)->count);
    if (!strcmp(formula, "value")) say("\"value\":"), put(g_value(lam, l1, x, d));
    else if (!strcmp(formula, "conjugate")) say("\"value\":"), put(g_conjugate(lam, l1, x, d));
    else if (!strcmp(formula, "minimizer")) put_vector("w", g_minimizer(lam, l1, x, d), d);
    else if (!strcmp(formula, "prox")) put_vector("w", g_prox(lam, l1, x, number(given, "tau"), d), d);
    else refuse("skipped", "call regularizer.", formula);
}

static void init_call(const node *given)
{
    problem p = problem_of(get(given, "problem"));
    const method *m = method_of(given);
    state s = m->init(&p, numbers(given, "alpha", p.n));
    say("\"state\":"), put_state(&p, &s);
}

static void view_call(const node *given)
{
    problem p = problem_of(get(given, "problem"));
    const method *m = method_of(given);
    state s = state_of(m, &p, given);
    double *w, *alpha;
    m->view(&p, &s, &w, &alpha);
    put_vector("w", w, p.d), say(","), put_vector("alpha", alpha, p.n);
}

/* One step; several, each from where the one before ended (trajectory, last) or each from the given state (branches) */
static void steps_call(const node *given, bool trajectory, bool last)
{
    problem p = problem_of(get(given, "problem"));
    const method *m = method_of(given);
    parameters q = parameters_of(m, &p, given);
    const node *one = find(given, "choice");
    state s = state_of(m, &p, given), *states = take((one ? 1 : get(given, "choices")->count) + 1, sizeof *states);
    size_t count = 0;
    for (const node *n = one ? one : get(given, "choices")->first; n; n = one ? NULL : n->next) {
        if (count && !trajectory) s = state_of(m, &p, given);
        m->step(&p, &q, &s, choice_of(&p, n));
        if (last) count = 1;
        else states[count++] = copy_state(&p, &s);
    }
    if (last) states[0] = s;
    say(one || last ? "\"state\":" : "\"states\":[");
    for (size_t k = 0; k < count; k++) {
        if (k) say(",");
        put_state(&p, states + k);
    }
    if (!one && !last) say("]");
}

static void certificate_call(const node *given)
{
    problem p = problem_of(get(given, "problem"));
    double *w = numbers(given, "w", p.d), *alpha = numbers(given, "alpha", p.n), values = 0, conjugates = 0;
    for (size_t i = 0; i < p.n; i++) {
        values += phi_value(p.phi, dot(&p, i, w), p.y[i], p.gamma);
        conjugates += phi_conjugate(p.phi, alpha[i], p.y[i], p.gamma);
    }
    double primal = values / (double)p.n + g_value(p.lam, p.l1, w, p.d);
    double dual = 0 - conjugates / (double)p.n - g_conjugate(p.lam, p.l1, u_of(&p, alpha), p.d);
    say("\"primal\":"), put(primal), say(",\"dual\":"), put(dual), say(",\"gap\":"), put(primal - dual);
}

static void gap_call(double primal, double dual) { say("\"gap\":"), put(primal - dual); }

static void call(const char *name, const node *given)
{
    if (!strncmp(name, "loss.", 5)) loss_call(name + 5, given);
    else if (!strncmp(name, "regularizer.", 12)) regularizer_call(name + 12, given);
    else if (!strcmp(name, "gap")) gap_call(number(given, "primal"), number(given, "dual"));
    else if (!strcmp(name, "init")) init_call(given);
    else if (!strcmp(name, "step") || !strcmp(name, "trajectory")) steps_call(given, true, false);
    else if (!strcmp(name, "branches")) steps_call(given, false, false);
    else if (!strcmp(name, "last")) steps_call(given, true, true);
    else if (!strcmp(name, "view")) view_call(given);
    else if (!strcmp(name, "certificate")) certificate_call(given);
    else refuse("skipped", "call ", name);
}

/* -- the protocol --------------------------------------------------------------------------------------------------------------- */

static char *read_line(void) /* or NULL at the end; any length */
{
    static char *line;
    static size_t room;
    size_t length = 0;
    for (;;) {
        if (length + 1 >= room && !(line = realloc(line, room = 2 * room + 4096))) abort();
        if (!fgets(line + length, (int)(room - length < 1 << 30 ? room - length : 1 << 30), stdin)) return length ? line : NULL;
        length += strlen(line + length);
        if (line[length - 1] == '\n') return line;
    }
}

static bool respond(void) /* false after stop */
{
    node *request = value();
    const char *op = text(request, "op");
    if (!strcmp(op, "stop")) return false;
    say("{\"seq\":%ld,", get(request, "seq")->integer);
    if (!strcmp(op, "start")) {
        say("\"protocol\":1,\"name\":\"dualgap-c\",\"language\":\"C99\",\"version\":\"1\"}");
    } else if (!strcmp(op, "echo")) {
        size_t count = get(request, "numbers")->count;
        put_vector("numbers", numbers(request, "numbers", count), count), say("}");
    } else if (!strcmp(op, "run")) {
        say("\"result\":{"), call(text(request, "call"), get(request, "given")), say("}}");
    } else {
        refuse("skipped", "op ", op);
    }
    return true;
}

int main(void)
{
    static bool going = true; /* static: a local variable would not survive the jump */
    static long seq;
    while (going && (at = read_line())) {
        answer.length = 0;
        const char *found = strstr(at, "\"seq\":"); /* for a refusal that comes before the request is read */
        seq = found ? strtol(found + 6, NULL, 10) : 0;
        if (!setjmp(refusal)) {
            going = respond();
        } else {
            answer.length = 0;
            say("{\"seq\":%ld,\"%s\":\"%s%s\"}", seq, refused_as, refused_why, refused_name ? refused_name : "");
        }
        if (going) fwrite(answer.text, 1, answer.length, stdout), fputc('\n', stdout), fflush(stdout);
        give_back();
    }
    return 0;
}
