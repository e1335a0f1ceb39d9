"""Changes of the Coq development that must stop its build (``tests/proofs_checks/evidence/test_formal.py``).

A statement is altered where it has ``[[old | new]]``.
"""

import re

RATE = (
    "  4 / (INR n * gamma) <= lam ->\n"
    "  forall t alpha, feasible n phi alpha ->\n"
    "  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha\n"
    "  <= 2 * INR n * "
)
STEPS = (
    "  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta ([[/ q | / q ^ 2]]) (INR "
    "n) R2 gamma lam "
    "in\n"
    "  (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\\ 4 * tau * sigma i * "
    "norm2 d (X i) <= q ^ 2) ->\n"
    "  ada_r_rule n d X phi phis g tau sigma theta step ->\n"
    "  forall t alpha w, feasible"
)

# (the file that is changed, the file that must be rejected): {what is changed: the statement}
ALTERED = {
    ("Main", "Main"): {
        "the threshold 4 to 1.99": (
            "[[4 | 199 / 100]] / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect"
        ),
        "the rate 1/(2n) to 1/n": RATE + "(1 - 1 / [[(2 * INR n) | INR n]]) ^ t",
    },
    ("Definitions", "Main"): {"the sign of w": "fun j => [[-  | ]](1 / (lam * INR n)) *"},
    ("Convex", "Convex"): {"gamma/2 to gamma": "gamma [[/ 2  | ]]* (df z - a) ^ 2 <="},
    ("Definitions", "Labels"): {"one label alone": "y = 1 \\/ y = [[-1 | 1]]."},
    ("Definitions", "Incremental"): {"the 1/n of the update lost": "w j - delta / [[(lam * INR n) | lam]] * X i j"},
    ("Definitions", "Pgs"): {
        "PGS: twice the slope of the hinge": "then 0 else - [[y | (2 * y)]].",
        "PGS: Pegasos' divisor": "- (1 / (INR [[(S t) | t]] * sigma)) * bsum t",
        "PGS: the harmonic number one short": "harmonic (T : nat) : R := bsum [[T | (pred T)]]",
    },
    ("Pgs", "Pgs"): {
        "PGS: the bound times 99/100": (
            "  = bsum 1 (fun t => norm2 d (sub t) / ([[2 | 100 / 99 * 2]] * INR (S t) * sigma))."
        ),
        "PGS: the last sum without its half": (
            "- bsum m (fun t => sigma * norm2 d (pgs_point sigma sub (S t)) / [[(2 * INR (S t) | INR (S "
            "t]]))\n    - INR"
        ),
    },
    ("Spdc", "Spdc"): {
        "SPDC: steps with tau sigma <= 1/(3R^2)": "Hypothesis steps : [[4 | 3]] * (tau * sigma) * R2 <= 1."
    },
    ("Definitions", "Spdc"): {
        "SPDC: (8) with 1/n": "mean_row n X (sp_alpha s) j + (b - a) [[ | / INR n ]]* X k j in",
        "SPDC: half of the extrapolation": "sp_w s j + theta [[ | / 2 ]]* (sp_w s j - sp_before s j).",
        "SPDC, batches: (14) with half of the change": "(fun i => (b i - a i) [[ | / 2 ]]* X i j) in",
        "SPDC, batches: a row twice": "length (batch b) = m /\\ [[NoDup (batch b) | True]] /\\",
        "SPDC, batches: P(i in K) = 1/n": "(batch b) i)) = [[INR m | 1]] / INR n).",
        "SPDC, batches: the distance in alpha whole": "sp_alpha s i - alpha_opt i)[[ / INR m | ]]\n",
    },
    ("SpdcRate", "SpdcRate"): {"SPDC: R/2 in theta": "Hypothesis c_range : 1 [[ | / 2 ]]<= c.\n  Let r"},
    ("Definitions", "SpdcRate"): {
        "SPDC: tau of (16) doubled": "spdc_tau q R2 gamma lam : R := / ([[2 * sqrt | sqrt]] R2)"
    },
    ("Definitions", "Subsets"): {
        "SPDC, batches: blocks that overlap": "(r + [[p * length | length]] K)%nat :: K.",
        "SPDC, batches: sets that miss a row": "map (cons [[p | k]]) (subsets p k)",
    },
    ("SpdcLimits", "SpdcLimits"): {
        "SPDC: 98/100 R is refuted at lam = 1/200": "~ spdc_claim 1 (spdc_theta ([[9 / 10 | 98 / 100]])).",
        "SPDC: growth by 1.4": "  [[13 | 14]] / 10 * form growing b <=",
    },
    ("Certificate", "Certificate"): {
        "certificate: one rounding less in a dot product": (
            "    <= ((1 + u) ^ [[S d | d]] - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 *"
        ),
        "certificate: gamma twice": (
            "+ sqrt (ez ^ 2 / ([[2 | 4]] * gamma) + eu ^ 2 / (2 * mu))) ^ 2.\n  Proof.\n    intros z z'"
        ),
    },
    ("Rounded", "Rounded"): {
        "gap_bound: 18 u for the 8 u of z": "4 * INR d * e + [[8 | 18]] * u * ((1 + u * (INR d + 2)) * (NN * W)",
        "gap_bound: ten roundings more in u": "    u * (INR n + [[3 | 13]]) * Am + 4 * e * sd + 3 * u *",
        "gap_bound: l1 sqrt(d) twice": (
            "+ (mu * W + [[l1 * sd | 2 * (l1 * sd)]])) + 4 * (1 + mu) * e * sd\n    <= @elastic_e_u"
        ),
    },
    ("Computed", "Computed"): {
        "gap_bound: a square without its half": "q ^ 5 * (m [[/ 2  | ]]* (a - b) ^ 2) - (m + 2) * e <= r."
    },
    ("Definitions", "ComputedLosses"): {
        "gap_bound: the smoothed hinge's straight branch without its gamma": (
            "int A 1 -. gamma -. m +. [[gamma *.  | ]](int A 1 -. b) /. int A 2)"
        )
    },
    ("ComputedLosses", "ComputedLosses"): {
        "gap_bound: as if 1 - gamma were not rounded": "then y * [[(m + (1 - gamma - knee)) | m]] else",
        "gap_bound: the smoothed hinge's row with u/8": (
            "smoothed_hinge_moved fl gamma y z in\n    0 <= r /\\ exact r /\\ Rabs (z - z') <= [[8 * u | u / 8]] *"
        ),
        "gap_bound: half of the squared hinge": "<= (p - b / 2) ^ [[2 | 2 / 2]].",
    },
    ("ComputedElastic", "ComputedElastic"): {
        "gap_bound: the elastic net's part with u/2": "3 * u * Rabs v + ([[3 * u | u / 2]] * l1 +",
        "gap_bound: the soft threshold from 0": "mu / 2 * w ^ 2 + [[l1 | 2 * l1]] * Rabs w +",
    },
    ("ComputedHinge", "ComputedHinge"): {
        "gamma = 0: half of the hinge's slope": "(hinge y b - al * b)) <= 1 [[ | / 2 ]]* Rabs",
        "gamma = 0: half of the absolute loss' slope": "(absolute_loss y b - al * b)) <= [[2 | 1]] * Rabs",
        "gamma = 0: a quarter of the error where sums cancel": (
            "<= [[51 | 26]] / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f))."
        ),
        "gamma = 0: twice what is there for underflow": "+ L * ez + [[30 | 60]] * (4 + mu) * (1 + INR d) * e)\n    <=",
    },
    ("Definitions", "ComputedHinge"): {
        "gamma = 0: e_z divided by the slope": "*. least +. [[slope *. e_z | e_z /. slope]] in"
    },
    ("SdcaLipschitz", "SdcaLipschitz"): {
        "SDCA: G with a 3 for the 4": "Let G := [[4 | 3]] * L ^ 2 * R2.",
        "SDCA: the burn-in without its 2": "INR n * ln ([[2 * lam | lam]] * INR n * B / G) <=",
        "SDCA: half of the window's G": (
            "alpha + G / ([[2 | 4]] * lam * INR k).\n  Proof.\n    intros D_star Hlub t0 k alpha Hk Hf. assert"
        ),
        "SDCA: a window shorter than n": "G / (lam * eps) <= INR k -> ([[n | 1]] <= k)%nat ->",
    },
    ("Definitions", "SdcaLipschitz"): {
        "SDCA: the average with one state too many": "snd s i / INR [[k | (S k)]].",
        "SDCA: the output summed after the step": "fun j => snd s j + [[fst s | step (fst s) i]] j).",
    },
    ("Definitions", "Passcode"): {"PASSCoDe: with 1/n in the rate": "(1 - c * kappa / [[L | (L * INR n)]]) * (pc_dual"},
    ("Passcode", "Passcode"): {"PASSCoDe: L half of what it is": "(fun _ => 1) 1 [[2 | 1]] (fun _ => 1 / 2)"},
    ("AdaspdcR", "AdaspdcR"): {
        "AdaSPDC-R: a cross term for nothing": (
            "Hypothesis p_young : p * (1 [[+ (1 - 1 / INR n) ^ 2) | - 1 / INR n) ^ 2]] <= 2."
        ),
        "AdaSPDC-R: steps longer by q^2 for q": STEPS,
    },
    ("Definitions", "AdaspdcR"): {
        "AdaSPDC-R: the weights 1/sigma_i doubled": "+ bsum n (fun i => ([[1 | 2]] / (c * sigma i) + gamma)"
    },
    ("AdaspdcDiverges", "AdaspdcDiverges"): {"AdaSPDC: growth by 1.1": "forall s, [[101 | 110]] / 100 * ada_form s <="},
    ("Definitions", "AdaspdcDiverges"): {
        "AdaSPDC: tau twice": "spdc_primal_value d g (1 / ([[2 * r | r]] * c)) v (ad_w s) (ad_w s') <="
    },
    ("Definitions", "Svrg"): {
        "SVRG: the correction added": "lam i w j [[- | +]] row_gradient d X dphi lam i v j + gradient"
    },
    ("Svrg", "Svrg"): {
        "SVRG: 3L in the second moment": "norm2 d (direction w i)) <= [[4 | 3]] * L *",
        "SVRG: option I with rho alone": (
            "    <= [[(svrg_growth (2 * L * h) m * (1 + svrg_rho L lam h (S m)) - 1 | svrg_rho L lam h (S "
            "m]]) ^ s * to_go v."
        ),
        "SVRG: a shorter long round": "8 * (L / lam) * y * (1 + 2 * y) <= exp ([[3 / 2 | 2]] * y) -> forall s v,",
    },
    ("Sag", "Sag"): {"SAG: more rows": "INR n * lam <= [[7 | 9]] * L -> forall p c"},
}
STATEMENTS = {
    what: (file, *(re.sub(r"\[\[(.*?) \| (.*?)\]\]", rf"\{k}", text, flags=re.DOTALL) for k in "12"), rejected)
    for (file, rejected), table in ALTERED.items()
    for what, text in table.items()
}
