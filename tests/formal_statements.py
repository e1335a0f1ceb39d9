"""Changes of the Coq development that must stop its build (``tests/proofs_checks/evidence/test_formal.py``)."""

STATEMENTS = {  # what is changed: (file, statement, altered statement, the file that must be rejected)
    "the threshold 4 to 1.99": (
        "Main",
        "4 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect",
        "199 / 100 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect",
        "Main",
    ),
    "the rate 1/(2n) to 1/n": (
        "Main",
        (
            "  4 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect n (aspdc_step n d X"
            " dphi lam) t (gap n d X phi phis lam) alpha\n  <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t"
        ),
        (
            "  4 / (INR n * gamma) <= lam ->\n  forall t alpha, feasible n phi alpha ->\n  Expect n (aspdc_step n d X"
            " dphi lam) t (gap n d X phi phis lam) alpha\n  <= 2 * INR n * (1 - 1 / INR n) ^ t"
        ),
        "Main",
    ),
    "the sign of w": ("Definitions", "fun j => - (1 / (lam * INR n)) *", "fun j => (1 / (lam * INR n)) *", "Main"),
    "gamma/2 to gamma": ("Convex", "gamma / 2 * (df z - a) ^ 2 <=", "gamma * (df z - a) ^ 2 <=", "Convex"),
    "one label alone": ("Definitions", "y = 1 \\/ y = -1.", "y = 1 \\/ y = 1.", "Labels"),
    "the 1/n of the update lost": (
        "Definitions",
        "w j - delta / (lam * INR n) * X i j",
        "w j - delta / lam * X i j",
        "Incremental",
    ),
    "PGS: twice the slope of the hinge": ("Definitions", "then 0 else - y.", "then 0 else - (2 * y).", "Pgs"),
    "PGS: Pegasos' divisor": (
        "Definitions",
        "- (1 / (INR (S t) * sigma)) * bsum t",
        "- (1 / (INR t * sigma)) * bsum t",
        "Pgs",
    ),
    "PGS: the bound times 99/100": (
        "Pgs",
        "  = bsum 1 (fun t => norm2 d (sub t) / (2 * INR (S t) * sigma)).",
        "  = bsum 1 (fun t => norm2 d (sub t) / (100 / 99 * 2 * INR (S t) * sigma)).",
        "Pgs",
    ),
    "PGS: the last sum without its half": (
        "Pgs",
        "- bsum m (fun t => sigma * norm2 d (pgs_point sigma sub (S t)) / (2 * INR (S t)))\n    - INR",
        "- bsum m (fun t => sigma * norm2 d (pgs_point sigma sub (S t)) / INR (S t))\n    - INR",
        "Pgs",
    ),
    "PGS: the harmonic number one short": (
        "Definitions",
        "harmonic (T : nat) : R := bsum T",
        "harmonic (T : nat) : R := bsum (pred T)",
        "Pgs",
    ),
    "SPDC: steps with tau sigma <= 1/(3R^2)": (
        "Spdc",
        "Hypothesis steps : 4 * (tau * sigma) * R2 <= 1.",
        "Hypothesis steps : 3 * (tau * sigma) * R2 <= 1.",
        "Spdc",
    ),
    "SPDC: (8) with 1/n": (
        "Definitions",
        "mean_row n X (sp_alpha s) j + (b - a) * X k j in",
        "mean_row n X (sp_alpha s) j + (b - a) / INR n * X k j in",
        "Spdc",
    ),
    "SPDC: half of the extrapolation": (
        "Definitions",
        "sp_w s j + theta * (sp_w s j - sp_before s j).",
        "sp_w s j + theta / 2 * (sp_w s j - sp_before s j).",
        "Spdc",
    ),
    "SPDC: R/2 in theta": (
        "SpdcRate",
        "Hypothesis c_range : 1 <= c.\n  Let r",
        "Hypothesis c_range : 1 / 2 <= c.\n  Let r",
        "SpdcRate",
    ),
    "SPDC: tau of (16) doubled": (
        "Definitions",
        "spdc_tau q R2 gamma lam : R := / (2 * sqrt R2)",
        "spdc_tau q R2 gamma lam : R := / (sqrt R2)",
        "SpdcRate",
    ),
    "SPDC, batches: (14) with half of the change": (
        "Definitions",
        "(fun i => (b i - a i) * X i j) in",
        "(fun i => (b i - a i) / 2 * X i j) in",
        "Spdc",
    ),
    "SPDC, batches: a row twice": (
        "Definitions",
        "length (batch b) = m /\\ NoDup (batch b) /\\",
        "length (batch b) = m /\\ True /\\",
        "Spdc",
    ),
    "SPDC, batches: P(i in K) = 1/n": (
        "Definitions",
        "(batch b) i)) = INR m / INR n).",
        "(batch b) i)) = 1 / INR n).",
        "Spdc",
    ),
    "SPDC, batches: the distance in alpha whole": (
        "Definitions",
        "sp_alpha s i - alpha_opt i) / INR m\n",
        "sp_alpha s i - alpha_opt i)\n",
        "Spdc",
    ),
    "SPDC, batches: blocks that overlap": (
        "Definitions",
        "(r + p * length K)%nat :: K.",
        "(r + length K)%nat :: K.",
        "Subsets",
    ),
    "SPDC, batches: sets that miss a row": (
        "Definitions",
        "map (cons p) (subsets p k)",
        "map (cons k) (subsets p k)",
        "Subsets",
    ),
    "SPDC: 98/100 R is refuted at lam = 1/200": (
        "SpdcLimits",
        "~ spdc_claim 1 (spdc_theta (9 / 10)).",
        "~ spdc_claim 1 (spdc_theta (98 / 100)).",
        "SpdcLimits",
    ),
    "certificate: one rounding less in a dot product": (
        "Certificate",
        "    <= ((1 + u) ^ S d - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 *",
        "    <= ((1 + u) ^ d - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 *",
        "Certificate",
    ),
    "certificate: gamma twice": (
        "Certificate",
        "+ sqrt (ez ^ 2 / (2 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.\n  Proof.\n    intros z z'",
        "+ sqrt (ez ^ 2 / (4 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.\n  Proof.\n    intros z z'",
        "Certificate",
    ),
    "gap_bound: 18 u for the 8 u of z": (
        "Rounded",
        "4 * INR d * e + 8 * u * ((1 + u * (INR d + 2)) * (NN * W)",
        "4 * INR d * e + 18 * u * ((1 + u * (INR d + 2)) * (NN * W)",
        "Rounded",
    ),
    "gap_bound: ten roundings more in u": (
        "Rounded",
        "    u * (INR n + 3) * Am + 4 * e * sd + 3 * u *",
        "    u * (INR n + 13) * Am + 4 * e * sd + 3 * u *",
        "Rounded",
    ),
    "gap_bound: a square without its half": (
        "Computed",
        "q ^ 5 * (m / 2 * (a - b) ^ 2) - (m + 2) * e <= r.",
        "q ^ 5 * (m * (a - b) ^ 2) - (m + 2) * e <= r.",
        "Computed",
    ),
    "gap_bound: l1 sqrt(d) twice": (
        "Rounded",
        "+ (mu * W + l1 * sd)) + 4 * (1 + mu) * e * sd\n    <= @elastic_e_u",
        "+ (mu * W + 2 * (l1 * sd))) + 4 * (1 + mu) * e * sd\n    <= @elastic_e_u",
        "Rounded",
    ),
    "gap_bound: the smoothed hinge's straight branch without its gamma": (
        "Definitions",
        "int A 1 -. gamma -. m +. gamma *. (int A 1 -. b) /. int A 2)",
        "int A 1 -. gamma -. m +. (int A 1 -. b) /. int A 2)",
        "ComputedLosses",
    ),
    "gap_bound: as if 1 - gamma were not rounded": (
        "ComputedLosses",
        "then y * (m + (1 - gamma - knee)) else",
        "then y * m else",
        "ComputedLosses",
    ),
    "gap_bound: the smoothed hinge's row with u/8": (
        "ComputedLosses",
        "smoothed_hinge_moved fl gamma y z in\n    0 <= r /\\ exact r /\\ Rabs (z - z') <= 8 * u *",
        "smoothed_hinge_moved fl gamma y z in\n    0 <= r /\\ exact r /\\ Rabs (z - z') <= u / 8 *",
        "ComputedLosses",
    ),
    "gap_bound: half of the squared hinge": (
        "ComputedLosses",
        "<= (p - b / 2) ^ 2.",
        "<= (p - b / 2) ^ 2 / 2.",
        "ComputedLosses",
    ),
    "gap_bound: the elastic net's part with u/2": (
        "ComputedElastic",
        "3 * u * Rabs v + (3 * u * l1 +",
        "3 * u * Rabs v + (u / 2 * l1 +",
        "ComputedElastic",
    ),
    "gap_bound: the soft threshold from 0": (
        "ComputedElastic",
        "mu / 2 * w ^ 2 + l1 * Rabs w +",
        "mu / 2 * w ^ 2 + 2 * l1 * Rabs w +",
        "ComputedElastic",
    ),
    "gamma = 0: half of the hinge's slope": (
        "ComputedHinge",
        "(hinge y b - al * b)) <= 1 * Rabs",
        "(hinge y b - al * b)) <= 1 / 2 * Rabs",
        "ComputedHinge",
    ),
    "gamma = 0: half of the absolute loss' slope": (
        "ComputedHinge",
        "(absolute_loss y b - al * b)) <= 2 * Rabs",
        "(absolute_loss y b - al * b)) <= 1 * Rabs",
        "ComputedHinge",
    ),
    "gamma = 0: a quarter of the error where sums cancel": (
        "ComputedHinge",
        "<= 51 / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f)).",
        "<= 26 / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f)).",
        "ComputedHinge",
    ),
    "gamma = 0: twice what is there for underflow": (
        "ComputedHinge",
        "+ L * ez + 30 * (4 + mu) * (1 + INR d) * e)\n    <=",
        "+ L * ez + 60 * (4 + mu) * (1 + INR d) * e)\n    <=",
        "ComputedHinge",
    ),
    "gamma = 0: e_z divided by the slope": (
        "Definitions",
        "*. least +. slope *. e_z in",
        "*. least +. e_z /. slope in",
        "ComputedHinge",
    ),
    "SDCA: G with a 3 for the 4": (
        "SdcaLipschitz",
        "Let G := 4 * L ^ 2 * R2.",
        "Let G := 3 * L ^ 2 * R2.",
        "SdcaLipschitz",
    ),
    "SDCA: the burn-in without its 2": (
        "SdcaLipschitz",
        "INR n * ln (2 * lam * INR n * B / G) <=",
        "INR n * ln (lam * INR n * B / G) <=",
        "SdcaLipschitz",
    ),
    "SDCA: half of the window's G": (
        "SdcaLipschitz",
        "alpha + G / (2 * lam * INR k).\n  Proof.\n    intros D_star Hlub t0 k alpha Hk Hf. assert",
        "alpha + G / (4 * lam * INR k).\n  Proof.\n    intros D_star Hlub t0 k alpha Hk Hf. assert",
        "SdcaLipschitz",
    ),
    "SDCA: the average with one state too many": (
        "Definitions",
        "snd s i / INR k.",
        "snd s i / INR (S k).",
        "SdcaLipschitz",
    ),
    "SDCA: the output summed after the step": (
        "Definitions",
        "fun j => snd s j + fst s j).",
        "fun j => snd s j + step (fst s) i j).",
        "SdcaLipschitz",
    ),
    "SDCA: a window shorter than n": (
        "SdcaLipschitz",
        "G / (lam * eps) <= INR k -> (n <= k)%nat ->",
        "G / (lam * eps) <= INR k -> (1 <= k)%nat ->",
        "SdcaLipschitz",
    ),
    "PASSCoDe: with 1/n in the rate": (
        "Definitions",
        "(1 - c * kappa / L) * (pc_dual",
        "(1 - c * kappa / (L * INR n)) * (pc_dual",
        "Passcode",
    ),
    "PASSCoDe: L half of what it is": (
        "Passcode",
        "(fun _ => 1) 1 2 (fun _ => 1 / 2)",
        "(fun _ => 1) 1 1 (fun _ => 1 / 2)",
        "Passcode",
    ),
    "AdaSPDC-R: a cross term for nothing": (
        "AdaspdcR",
        "Hypothesis p_young : p * (1 + (1 - 1 / INR n) ^ 2) <= 2.",
        "Hypothesis p_young : p * (1 - 1 / INR n) ^ 2 <= 2.",
        "AdaspdcR",
    ),
    "AdaSPDC-R: the weights 1/sigma_i doubled": (
        "Definitions",
        "+ bsum n (fun i => (1 / (c * sigma i) + gamma)",
        "+ bsum n (fun i => (2 / (c * sigma i) + gamma)",
        "AdaspdcR",
    ),
    "AdaSPDC-R: steps longer by q^2 for q": (
        "AdaspdcR",
        (
            "  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta (/ q) (INR n) R2 gamma lam in\n "
            " (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\\ 4 * tau * sigma i * norm2 d"
            " (X i) <= q ^ 2) ->\n  ada_r_rule n d X phi phis g tau sigma theta step ->\n  forall t alpha w, feasible"
        ),
        (
            "  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta (/ q ^ 2) (INR n) R2 gamma lam"
            " in\n  (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\\ 4 * tau * sigma i *"
            " norm2 d (X i) <= q ^ 2) ->\n  ada_r_rule n d X phi phis g tau sigma theta step ->\n  forall t alpha w,"
            " feasible"
        ),
        "AdaspdcR",
    ),
    "AdaSPDC: growth by 1.1": (
        "AdaspdcDiverges",
        "forall s, 101 / 100 * ada_form s <=",
        "forall s, 110 / 100 * ada_form s <=",
        "AdaspdcDiverges",
    ),
    "AdaSPDC: tau twice": (
        "Definitions",
        "spdc_primal_value d g (1 / (2 * r * c)) v (ad_w s) (ad_w s') <=",
        "spdc_primal_value d g (1 / (r * c)) v (ad_w s) (ad_w s') <=",
        "AdaspdcDiverges",
    ),
    "SVRG: the correction added": (
        "Definitions",
        "lam i w j - row_gradient d X dphi lam i v j + gradient",
        "lam i w j + row_gradient d X dphi lam i v j + gradient",
        "Svrg",
    ),
    "SVRG: 3L in the second moment": (
        "Svrg",
        "norm2 d (direction w i)) <= 4 * L *",
        "norm2 d (direction w i)) <= 3 * L *",
        "Svrg",
    ),
    "SVRG: option I with rho alone": (
        "Svrg",
        "    <= (svrg_growth (2 * L * h) m * (1 + svrg_rho L lam h (S m)) - 1) ^ s * to_go v.",
        "    <= svrg_rho L lam h (S m) ^ s * to_go v.",
        "Svrg",
    ),
    "SVRG: a shorter long round": (
        "Svrg",
        "8 * (L / lam) * y * (1 + 2 * y) <= exp (3 / 2 * y) -> forall s v,",
        "8 * (L / lam) * y * (1 + 2 * y) <= exp (2 * y) -> forall s v,",
        "Svrg",
    ),
    "SPDC: growth by 1.4": (
        "SpdcLimits",
        "  13 / 10 * form growing b <=",
        "  14 / 10 * form growing b <=",
        "SpdcLimits",
    ),
}
