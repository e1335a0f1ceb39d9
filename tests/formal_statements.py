"""Changes of the Coq development that must stop its build (``tests/proofs_checks/evidence/test_formal.py``).

A statement is altered where it has ``[[old | new]]``.
"""

import re

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
        )
    },
    ("Definitions", "Main"): {"the sign of w": "fun j => [[-  | ]](1 / (lam * INR n)) *"},
    ("Convex", "Convex"): {"gamma/2 to gamma": "gamma [[/ 2  | ]]* (df z - a) ^ 2 <="},
    ("Definitions", "Labels"): {"one label alone": "y = 1 \\/ y = [[-1 | 1]]."},
    ("Definitions", "Incremental"): {"the 1/n of the update lost": "w j - delta / [[(lam * INR n) | lam]] * X i j"},
    ("Definitions", "Pgs"): {"PGS: Pegasos' divisor": "- (1 / (INR [[(S t) | t]] * sigma)) * bsum t"},
    ("Pgs", "Pgs"): {
        "PGS: the bound times 99/100": (
            "  = bsum 1 (fun t => norm2 d (sub t) / ([[2 | 100 / 99 * 2]] * INR (S t) * sigma))."
        )
    },
    ("Spdc", "Spdc"): {
        "SPDC: steps with tau sigma <= 1/(3R^2)": "Hypothesis steps : [[4 | 3]] * (tau * sigma) * R2 <= 1."
    },
    ("Definitions", "Spdc"): {
        "SPDC: (8) with 1/n": "mean_row n X (sp_alpha s) j + (b - a) [[ | / INR n ]]* X k j in",
        "SPDC, batches: P(i in K) = 1/n": "(batch b) i)) = [[INR m | 1]] / INR n).",
    },
    ("SpdcRate", "SpdcRate"): {"SPDC: R/2 in theta": "Hypothesis c_range : 1 [[ | / 2 ]]<= c.\n  Let r"},
    ("Definitions", "SpdcRate"): {
        "SPDC: tau of (16) doubled": "spdc_tau q R2 gamma lam : R := / ([[2 * sqrt | sqrt]] R2)"
    },
    ("Definitions", "Subsets"): {"SPDC, batches: blocks that overlap": "(r + [[p * length | length]] K)%nat :: K."},
    ("SpdcLimits", "SpdcLimits"): {
        "SPDC: 98/100 R is refuted at lam = 1/200": "~ spdc_claim 1 (spdc_theta ([[9 / 10 | 98 / 100]]))."
    },
    ("Certificate", "Certificate"): {
        "certificate: one rounding less in a dot product": (
            "    <= ((1 + u) ^ [[S d | d]] - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 *"
        )
    },
    ("Rounded", "Rounded"): {
        "gap_bound: 18 u for the 8 u of z": "4 * INR d * e + [[8 | 18]] * u * ((1 + u * (INR d + 2)) * (NN * W)"
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
        "gap_bound: the smoothed hinge's row with u/8": (
            "smoothed_hinge_moved fl gamma y z in\n    0 <= r /\\ exact r /\\ Rabs (z - z') <= [[8 * u | u / 8]] *"
        )
    },
    ("ComputedElastic", "ComputedElastic"): {
        "gap_bound: the elastic net's part with u/2": "3 * u * Rabs v + ([[3 * u | u / 2]] * l1 +"
    },
    ("ComputedHinge", "ComputedHinge"): {
        "gamma = 0: a quarter of the error where sums cancel": (
            "<= [[51 | 26]] / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f))."
        )
    },
    ("Definitions", "ComputedHinge"): {
        "gamma = 0: e_z divided by the slope": "*. least +. [[slope *. e_z | e_z /. slope]] in"
    },
    ("SdcaLipschitz", "SdcaLipschitz"): {"SDCA: G with a 3 for the 4": "Let G := [[4 | 3]] * L ^ 2 * R2."},
    ("Definitions", "SdcaLipschitz"): {"SDCA: the average with one state too many": "snd s i / INR [[k | (S k)]]."},
    ("Definitions", "Passcode"): {"PASSCoDe: with 1/n in the rate": "(1 - c * kappa / [[L | (L * INR n)]]) * (pc_dual"},
    ("Passcode", "Passcode"): {"PASSCoDe: L half of what it is": "(fun _ => 1) 1 [[2 | 1]] (fun _ => 1 / 2)"},
    ("AdaspdcR", "AdaspdcR"): {"AdaSPDC-R: steps longer by q^2 for q": STEPS},
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
    ("Svrg", "Svrg"): {"SVRG: 3L in the second moment": "norm2 d (direction w i)) <= [[4 | 3]] * L *"},
    ("PepProof", "PepProof"): {
        "PEP: squares with any sign": "forallb (fun s => 0 <=? fst s)%Z [[(squares q) | (tl (squares q))]]",
        "PEP: a Gram matrix with any sign": "forallb (fun cu => 0 <=? fst cu)%Z [[(gram w) | (tl (gram w))]]",
        "PEP: a direction with constants": "feasible [[0 | 1]] r p",
    },
    ("Sag", "Sag"): {"SAG: more rows": "INR n * lam <= [[7 | 9]] * L -> forall p c"},
}
STATEMENTS = {
    what: (file, *(re.sub(r"\[\[(.*?) \| (.*?)\]\]", rf"\{k}", text, flags=re.DOTALL) for k in "12"), rejected)
    for (file, rejected), table in ALTERED.items()
    for what, text in table.items()
}
