(* Everything a reader must trust, and nothing else.  The paper is ASPDC (Electronics 2022, 11, 2382);
   line numbers are those of its Algorithm 1.  A vector is a function nat -> R of which only the first
   d entries count; indices start at 0; INR n is the number n as a real; norm2 is the SQUARE of the norm. *)
From Coq Require Import Reals ZArith Arith List.
Import ListNotations.
Open Scope R_scope.

(* Sums, means, inner products. *)
Fixpoint bsum (n : nat) (f : nat -> R) : R := match n with O => 0 | S k => bsum k f + f k end.
Definition avg (n : nat) (f : nat -> R) : R := bsum n f / INR n.
Definition dot (d : nat) (u v : nat -> R) : R := bsum d (fun j => u j * v j).
Definition norm2 (d : nat) (u : nat -> R) : R := dot d u u.

(* Assumption 1: phi is convex, differentiable with derivative dphi, and dphi is (1/gamma)-Lipschitz. *)
Definition convex (f : R -> R) : Prop :=
  forall u v s, 0 <= s <= 1 -> f ((1 - s) * u + s * v) <= (1 - s) * f u + s * f v.
Definition smooth_loss (f df : R -> R) (gamma : R) : Prop :=
  convex f /\ (forall z, derivable_pt_lim f z (df z)) /\
  (forall u v, Rabs (df u - df v) <= Rabs (u - v) / gamma).

(* The convex conjugate f*(a) = sup_z (a z - f z), and its domain. *)
Definition conj_set (f : R -> R) (a : R) : R -> Prop := fun r => exists z, r = a * z - f z.
Definition conj_dom (f : R -> R) (a : R) : Prop := bound (conj_set f a).
Definition conjugate (f fs : R -> R) : Prop := forall a, conj_dom f a -> is_lub (conj_set f a) (fs a).

(* Assumption 2 for the regulariser g; g* = gs is a maximum, attained at grad g* = dg. *)
Definition strongly_convex (d : nat) (g : (nat -> R) -> R) (mu : R) : Prop :=
  forall a b s, 0 <= s <= 1 ->
  g (fun j => (1 - s) * a j + s * b j)
  <= (1 - s) * g a + s * g b - mu / 2 * (s * (1 - s)) * norm2 d (fun j => a j - b j).
Definition conjugate_pair (d : nat) (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) : Prop :=
  forall u, gs u = dot d u (dg u) - g (dg u) /\ (forall v, dot d u v - g v <= gs u).

(* alpha with entry i replaced by v. *)
Definition upd (alpha : nat -> R) (i : nat) (v : R) : nat -> R :=
  fun k => if Nat.eq_dec k i then v else alpha k.

(* The problem of the paper, g = (lam/2)||w||^2.  X i is the row x_i. *)
Definition P n d X (phi : nat -> R -> R) lam w : R :=                                   (* (A3) *)
  avg n (fun i => phi i (dot d (X i) w)) + lam / 2 * norm2 d w.
Definition w_of n (X : nat -> nat -> R) lam (alpha : nat -> R) : nat -> R :=            (* (A5), line 2 *)
  fun j => - (1 / (lam * INR n)) * bsum n (fun i => alpha i * X i j).
Definition D n d X (phis : nat -> R -> R) lam alpha : R :=                              (* (A4) *)
  - avg n (fun i => phis i (alpha i)) - lam / 2 * norm2 d (w_of n X lam alpha).
Definition gap n d X phi phis lam alpha : R := P n d X phi lam (w_of n X lam alpha) - D n d X phis lam alpha.
Definition feasible n (phi : nat -> R -> R) (alpha : nat -> R) : Prop :=                (* line 1 *)
  forall i, (i < n)%nat -> conj_dom (phi i) (alpha i).
Definition aspdc_step n d X (dphi : nat -> R -> R) lam alpha i : nat -> R :=            (* lines 5-6 *)
  upd alpha i (dphi i (dot d (X i) (w_of n X lam alpha))).
Definition inc_step (n d : nat) X (dphi : nat -> R -> R) lam (state : (nat -> R) * (nat -> R)) i   (* lines 5-7 as coded *)
  : (nat -> R) * (nat -> R) :=
  let (alpha, w) := state in
  let delta := dphi i (dot d (X i) w) - alpha i in
  (upd alpha i (alpha i + delta), fun j => w j - delta / (lam * INR n) * X i j).

(* Line 4: the index is uniform on n values, drawn afresh t times; F is averaged over the end states. *)
Fixpoint Expect {A : Type} (n : nat) (step : A -> nat -> A) (t : nat) (F : A -> R) (a : A) : R :=
  match t with O => F a | S k => avg n (fun i => Expect n step k F (step a i)) end.

(* All index sequences of length t, the state after one of them, and the share of them after which F exceeds c. *)
Fixpoint sequences (n t : nat) : list (list nat) :=
  match t with O => [[]] | S k => flat_map (fun i => map (cons i) (sequences n k)) (seq 0 n) end.
Definition after {A : Type} (step : A -> nat -> A) (a : A) (indices : list nat) : A := fold_left step indices a.
Definition total (values : list R) : R := fold_right Rplus 0 values.
Definition share_above {A : Type} n (step : A -> nat -> A) t (F : A -> R) c a : R :=
  INR (length (filter (fun js => if Rlt_dec c (F (after step a js)) then true else false) (sequences n t))) / INR n ^ t.

(* The values of V on the states with property I, and the agreement of a coded state (alpha, w) with alpha. *)
Definition values {A : Type} (I : A -> Prop) (V : A -> R) : R -> Prop := fun r => exists a, I a /\ r = V a.
Definition consistent n d (X : nat -> nat -> R) lam (state : (nat -> R) * (nat -> R)) (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> fst state i = alpha i) /\ (forall j, (j < d)%nat -> snd state j = w_of n X lam alpha j).

(* The same problem for any regulariser g: u(alpha) = -(1/n) sum alpha_i x_i and w(alpha) = dg (u alpha). *)
Definition u_of n (X : nat -> nat -> R) (alpha : nat -> R) : nat -> R :=
  fun j => - avg n (fun i => alpha i * X i j).
Definition primal n d X (phi : nat -> R -> R) (g : (nat -> R) -> R) w : R :=
  avg n (fun i => phi i (dot d (X i) w)) + g w.
Definition dual n X (phis : nat -> R -> R) (gs : (nat -> R) -> R) alpha : R :=
  - avg n (fun i => phis i (alpha i)) - gs (u_of n X alpha).
Definition gap_of n d X phi phis g gs (dg : (nat -> R) -> nat -> R) alpha : R :=
  primal n d X phi g (dg (u_of n X alpha)) - dual n X phis gs alpha.
Definition step_of n d X (dphi : nat -> R -> R) (dg : (nat -> R) -> nat -> R) alpha i : nat -> R :=
  upd alpha i (dphi i (dot d (X i) (dg (u_of n X alpha)))).

(* Regularisers: L2 and elastic net, with conjugate and its gradient. *)
Definition l2 d lam (w : nat -> R) : R := lam / 2 * norm2 d w.
Definition l2_conj d lam (u : nat -> R) : R := norm2 d u / (2 * lam).
Definition l2_grad lam (u : nat -> R) : nat -> R := fun j => u j / lam.
Definition soft (tau u : R) : R := if Rle_dec tau u then u - tau else if Rle_dec u (- tau) then u + tau else 0.
Definition elastic d lam2 lam1 (w : nat -> R) : R := lam2 / 2 * norm2 d w + lam1 * bsum d (fun j => Rabs (w j)).
Definition elastic_conj d lam2 lam1 (u : nat -> R) : R := norm2 d (fun j => soft lam1 (u j)) / (2 * lam2).
Definition elastic_grad lam2 lam1 (u : nat -> R) : nat -> R := fun j => soft lam1 (u j) / lam2.

(* Losses with derivative and conjugate; y is a target, or a label +1 or -1. *)
Definition is_label (y : R) : Prop := y = 1 \/ y = -1.
Definition clip01 (x : R) : R := Rmax 0 (Rmin 1 x).
Definition squared gamma y z : R := (z - y) ^ 2 / (2 * gamma).
Definition squared_deriv gamma y z : R := (z - y) / gamma.
Definition squared_conj gamma y a : R := y * a + gamma * a ^ 2 / 2.
Definition smoothed_hinge gamma y z : R :=
  let m := y * z in
  if Rle_dec 1 m then 0 else if Rle_dec m (1 - gamma) then 1 - m - gamma / 2 else (1 - m) ^ 2 / (2 * gamma).
Definition smoothed_hinge_deriv gamma y z : R := - y * clip01 ((1 - y * z) / gamma).
Definition smoothed_hinge_conj gamma y a : R := y * a + gamma * a ^ 2 / 2.              (* -1 <= y a <= 0 *)
Definition squared_hinge y z : R := (Rmax 0 (1 - y * z)) ^ 2.                           (* gamma = 1/2 *)
Definition squared_hinge_deriv y z : R := -2 * y * Rmax 0 (1 - y * z).
Definition squared_hinge_conj y a : R := y * a + a ^ 2 / 4.                             (* y a <= 0 *)
Definition logistic y z : R := ln (1 + exp (- (y * z))).                                (* gamma = 4 *)
Definition logistic_deriv y z : R := - y / (1 + exp (y * z)).
Definition logistic_conj y a : R :=                                                     (* -1 <= y a <= 0 *)
  let b := - (y * a) in b * ln b + (1 - b) * ln (1 - b).

(* Algorithm 2, outer loop: the inner regulariser g~_v = (lam/2)||w||^2 + (kappa/2)||w||^2 - kappa w.v,
   eta in the reading without a root, the factor of line 5, the inner tolerance of line 4. *)
Definition shifted d lam kappa (v w : nat -> R) : R := l2 d lam w + kappa / 2 * norm2 d w - kappa * dot d w v.
Definition shifted_conj d lam kappa (v u : nat -> R) : R :=
  norm2 d (fun j => u j + kappa * v j) / (2 * (lam + kappa)).
Definition shifted_grad lam kappa (v u : nat -> R) : nat -> R := fun j => (u j + kappa * v j) / (lam + kappa).
Definition eta lam kappa : R := lam / (lam + 2 * kappa).
Definition xi (e xi_1 : R) (k : nat) : R := (1 - e / 2) ^ k * xi_1.      (* the paper's xi_s, k = s - 1 *)
Definition inner_tolerance (e xi_s : R) : R := e * xi_s / (2 * (1 + / e)).
(* A run of Algorithm 2 for a given e: every inner call ends with w~ = w(alpha~; v) and its gap within the tolerance. *)
Definition aspdc_i_run n d X phi phis lam kappa e xi_1 (w_tilde alpha_tilde : nat -> nat -> R) : Prop :=
  (forall k, feasible n phi (alpha_tilde k)) /\
  xi_1 = (1 + / e) * (P n d X phi lam (w_tilde O) - D n d X phis lam (alpha_tilde O)) /\
  (forall k, w_tilde (S k) = shifted_grad lam kappa (w_tilde k) (u_of n X (alpha_tilde (S k)))) /\
  (forall k, gap_of n d X phi phis (shifted d lam kappa (w_tilde k)) (shifted_conj d lam kappa (w_tilde k))
               (shifted_grad lam kappa (w_tilde k)) (alpha_tilde (S k)) <= inner_tolerance e (xi e xi_1 k)).

(* SDCA (Shalev-Shwartz and Zhang 2013), L2: the new alpha_i maximises this concave function of b. *)
Definition sdca_objective n d X (phis : nat -> R -> R) lam alpha i b : R :=
  (b - alpha i) * dot d (X i) (w_of n X lam alpha) - phis i b - norm2 d (X i) * (b - alpha i) ^ 2 / (2 * lam * INR n).
Definition sdca_choice n d X phi phis lam (choice : (nat -> R) -> nat -> R) : Prop :=
  forall alpha i, feasible n phi alpha -> (i < n)%nat -> conj_dom (phi i) (choice alpha i) /\
  (forall b, conj_dom (phi i) b ->
   sdca_objective n d X phis lam alpha i b <= sdca_objective n d X phis lam alpha i (choice alpha i)).
Definition sdca_step (choice : (nat -> R) -> nat -> R) alpha i : nat -> R := upd alpha i (choice alpha i).
Definition sdca_squared n d X gamma (y : nat -> R) lam alpha i : R :=
  let z := dot d (X i) (w_of n X lam alpha) in
  alpha i + (squared_deriv gamma (y i) z - alpha i) / (1 + norm2 d (X i) / (lam * INR n * gamma)).
Definition sdca_smoothed_hinge n d X gamma (y : nat -> R) lam alpha i : R :=
  let z := dot d (X i) (w_of n X lam alpha) in
  let k := norm2 d (X i) / (lam * INR n) in
  - y i * clip01 ((1 - y i * z + k * - (y i * alpha i)) / (gamma + k)).
(* The averaged output: beside alpha the sum of the states that were left; after k steps from (alpha, 0) that sum over k. *)
Definition summing (step : (nat -> R) -> nat -> nat -> R) (s : (nat -> R) * (nat -> R)) i : (nat -> R) * (nat -> R) :=
  (step (fst s) i, fun j => snd s j + fst s j).
Definition averaged (k : nat) (s : (nat -> R) * (nat -> R)) : nat -> R := fun i => snd s i / INR k.

(* Algorithm 3: P~_v, its minimiser prox(v), and the mean of F over `epochs` outer epochs of m inner steps each,
   from centre v and dual point alpha; after an epoch the centre is w(alpha; v). *)
Definition centred n d X phi lam kappa v w : R := P n d X phi lam w + kappa / 2 * norm2 d (fun j => w j - v j).
Definition is_prox n d X phi lam kappa (prox : (nat -> R) -> nat -> R) : Prop :=
  forall v w, centred n d X phi lam kappa v (prox v) <= centred n d X phi lam kappa v w.
Fixpoint epochs_mean n d X dphi lam kappa (m epochs : nat) (F : (nat -> R) -> (nat -> R) -> R) v alpha : R :=
  match epochs with
  | O => F v alpha
  | S k => Expect n (step_of n d X dphi (shifted_grad lam kappa v)) m
      (fun a => epochs_mean n d X dphi lam kappa m k F (shifted_grad lam kappa v (u_of n X a)) a) alpha
  end.
(* M(v) - P(w_opt) + theta (M(v) - D~_v(alpha)), M(v) the minimum of P~_v. *)
Definition potential n d X phi phis lam kappa prox w_opt theta v alpha : R :=
  let M := centred n d X phi lam kappa v (prox v) in
  M - P n d X phi lam w_opt
  + theta * (M - (dual n X phis (shifted_conj d lam kappa v) alpha + kappa / 2 * norm2 d v)).

(* AdaSPDC (Zhu and Storkey 2015), one index per step (m = 1), scalar blocks a_i, x in dimension 1, g = (lam/2) x^2. *)
Definition is_minimum (f : R -> R) (x : R) : Prop := forall y, f x <= f y.
Definition strongly_convex_scalar (f : R -> R) (gamma : R) : Prop := forall u v s, 0 <= s <= 1 ->
  f ((1 - s) * u + s * v) <= (1 - s) * f u + s * f v - gamma / 2 * (s * (1 - s)) * (u - v) ^ 2.
Definition ada_c (n : nat) gamma lam : R := sqrt (INR n * lam / gamma).
Definition ada_sigma n gamma lam a_i : R := ada_c n gamma lam / (2 * Rabs a_i).                              (* (10) *)
Definition ada_tau n gamma lam a_i : R := 1 / (2 * Rabs a_i * ada_c n gamma lam).                            (* (12) *)
Definition ada_saddle n a (phis : nat -> R -> R) lam x_opt y_opt : Prop :=
  is_minimum (fun x => lam / 2 * x ^ 2 + x * avg n (fun i => a i * y_opt i)) x_opt /\
  (forall i, (i < n)%nat -> is_minimum (fun y => phis i y - x_opt * a i * y) (y_opt i)).
(* What Theorem 1 says after one step from x^0 = x*, with the y-part and 1/(2 tau) dropped on the left and every
   theta <= 1 on the right: weaker than any reading of (16). *)
Definition ada_theorem_1_weak : Prop := forall n a phis gamma lam x_opt y_opt y_0 (y_1 x_1 : nat -> R),
  (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  (forall i, (i < n)%nat -> a i <> 0 /\ strongly_convex_scalar (phis i) gamma) ->
  ada_saddle n a phis lam x_opt y_opt ->
  (forall i, (i < n)%nat ->                                                                                  (* (9), (11) *)
    is_minimum (fun y => phis i y - x_opt * a i * y + (y - y_0 i) ^ 2 / (2 * ada_sigma n gamma lam (a i))) (y_1 i) /\
    is_minimum (fun x => lam / 2 * x ^ 2 + x * (avg n (fun k => a k * y_0 k) + a i * (y_1 i - y_0 i))
                         + (x - x_opt) ^ 2 / (2 * ada_tau n gamma lam (a i))) (x_1 i)) ->
  lam * avg n (fun i => (x_1 i - x_opt) ^ 2)
  <= bsum n (fun i => (1 / (2 * ada_sigma n gamma lam (a i)) + gamma) * (y_0 i - y_opt i) ^ 2).

(* Losses with gamma = 0: a slope at every point; L bounds the slopes. *)
Definition hinge y z : R := Rmax 0 (1 - y * z).
Definition hinge_slope y z : R := if Rle_dec 1 (y * z) then 0 else - y.
Definition hinge_conj (y a : R) : R := y * a.                                            (* -1 <= y a <= 0 *)
Definition absolute_loss (y z : R) : R := Rabs (z - y).
Definition absolute_loss_conj (y a : R) : R := y * a.                                    (* -1 <= a <= 1 *)

(* PGS (ICDM 2009), p = 2 on R^d, rounds counted from 0: sub t is the paper's lambda_{t+1}, a subgradient of the loss g t
   at w_t = pgs_point t; c_{t+1} = pgs_cost t. *)
Definition subgradient d (f : (nat -> R) -> R) (w s : nat -> R) : Prop :=
  forall v, f w + dot d s (fun j => v j - w j) <= f v.
Definition pgs_point sigma (sub : nat -> nat -> R) (t : nat) : nat -> R :=                  (* lines 7, 8 and (10) *)
  fun j => - (1 / (INR (S t) * sigma)) * bsum t (fun k => sub k j).
Definition pgs_run d sigma (g : nat -> (nat -> R) -> R) sub (T : nat) : Prop :=             (* line 6 *)
  forall t, (t < T)%nat -> subgradient d (g t) (pgs_point sigma sub t) (sub t).
Definition pgs_cost d sigma (g : nat -> (nat -> R) -> R) (t : nat) w : R := sigma / 2 * norm2 d w + g t w.
Definition harmonic (T : nat) : R := bsum T (fun t => 1 / INR (S t)).
(* One row per round: the state is t and lambda_1 + .. + lambda_t. *)
Definition pgs_w sigma (state : nat * (nat -> R)) : nat -> R := fun j => - (1 / (INR (S (fst state)) * sigma)) * snd state j.
Definition pgs_step d X (dphi : nat -> R -> R) sigma (state : nat * (nat -> R)) i : nat * (nat -> R) :=
  (S (fst state), fun j => snd state j + dphi i (dot d (X i) (pgs_w sigma state)) * X i j).
Definition pgs_start : nat * (nat -> R) := (O, fun _ => 0).
(* Lemma 1 as it is displayed, with c_t(w_t). *)
Definition pgs_lemma_1_printed : Prop := forall d sigma g sub T u, 0 < sigma -> pgs_run d sigma g sub T ->
  bsum T (fun t => pgs_cost d sigma g t (pgs_point sigma sub (S t))) - bsum T (fun t => pgs_cost d sigma g t u)
  <= bsum T (fun t => norm2 d (sub t) / (2 * INR (S t) * sigma)).

(* SPDC (Zhang and Xiao 2017), Algorithm 1: one row k per step, any regulariser g.  u = (1/n) X^T alpha; the state holds
   w^t and w^{t-1}, which are equal at the start. *)
Definition mean_row n (X : nat -> nat -> R) (alpha : nat -> R) : nat -> R := fun j => avg n (fun i => alpha i * X i j).
Record spdc_state := spdc { sp_alpha : nat -> R; sp_w : nat -> R; sp_before : nat -> R }.
Definition sp_bar theta (s : spdc_state) : nat -> R := fun j => sp_w s j + theta * (sp_w s j - sp_before s j).   (* (10) *)
Definition spdc_dual_value (fs : R -> R) sigma z a b : R := b * z - fs b - (b - a) ^ 2 / (2 * sigma).
Definition spdc_primal_value d (g : (nat -> R) -> R) tau (v w x : nat -> R) : R :=
  g x + dot d v x + norm2 d (fun j => x j - w j) / (2 * tau).
Definition spdc_follows n d X (phi phis : nat -> R -> R) g tau sigma theta (s : spdc_state) k (s' : spdc_state) : Prop :=
  let a := sp_alpha s k in let b := sp_alpha s' k in let z := dot d (X k) (sp_bar theta s) in
  sp_alpha s' = upd (sp_alpha s) k b /\ sp_before s' = sp_w s /\ conj_dom (phi k) b /\
  (forall c, conj_dom (phi k) c -> spdc_dual_value (phis k) sigma z a c <= spdc_dual_value (phis k) sigma z a b) /\      (* (7) *)
  (let v := fun j => mean_row n X (sp_alpha s) j + (b - a) * X k j in
   forall x, spdc_primal_value d g tau v (sp_w s) (sp_w s') <= spdc_primal_value d g tau v (sp_w s) x).                 (* (8) *)
Definition spdc_rule n d X phi phis g tau sigma theta (step : spdc_state -> nat -> spdc_state) : Prop :=
  forall s k, feasible n phi (sp_alpha s) -> (k < n)%nat -> spdc_follows n d X phi phis g tau sigma theta s k (step s k).
(* The saddle point, and (15), m rows a step: the distances and both gaps. *)
Definition spdc_saddle n d X (phi phis : nat -> R -> R) (g : (nat -> R) -> R) (w_opt alpha_opt : nat -> R) : Prop :=
  feasible n phi alpha_opt /\
  (forall v, g w_opt + dot d (mean_row n X alpha_opt) w_opt <= g v + dot d (mean_row n X alpha_opt) v) /\
  (forall i b, (i < n)%nat -> conj_dom (phi i) b ->
   phis i (alpha_opt i) - alpha_opt i * dot d (X i) w_opt <= phis i b - b * dot d (X i) w_opt).
Definition gap_w n d X (g : (nat -> R) -> R) w_opt alpha_opt w : R :=
  g w - g w_opt + dot d (mean_row n X alpha_opt) (fun j => w j - w_opt j).
Definition gap_alpha n d X (phis : nat -> R -> R) w_opt alpha_opt alpha : R :=
  avg n (fun i => phis i (alpha i) - alpha i * dot d (X i) w_opt - (phis i (alpha_opt i) - alpha_opt i * dot d (X i) w_opt)).
Definition spdc_delta n m d X phis g gamma lam tau sigma w_opt alpha_opt (s : spdc_state) : R :=
  (1 / (2 * tau) + lam / 2) * norm2 d (fun j => sp_w s j - w_opt j)
  + (1 / (4 * sigma) + gamma / 2) * norm2 n (fun i => sp_alpha s i - alpha_opt i) / INR m
  + gap_w n d X g w_opt alpha_opt (sp_w s) + INR n / INR m * gap_alpha n d X phis w_opt alpha_opt (sp_alpha s).
(* (16), q = n/m, with c = 2 as it is printed and c = 1 for R instead of 2R; R = sqrt R2. *)
Definition spdc_tau q R2 gamma lam : R := / (2 * sqrt R2) * sqrt (gamma / (q * lam)).
Definition spdc_sigma q R2 gamma lam : R := / (2 * sqrt R2) * sqrt (q * lam / gamma).
Definition spdc_theta c q R2 gamma lam : R := 1 - / (q + c * (sqrt R2 * sqrt (q / (lam * gamma)))).
(* (7) and (8) solved: L2; squared loss and smoothed hinge. *)
Definition squared_prox gamma y sigma a z : R := (a + sigma * (z - y)) / (1 + sigma * gamma).
Definition smoothed_hinge_prox gamma y sigma a z : R := - y * clip01 ((sigma * (1 - y * z) - y * a) / (1 + sigma * gamma)).
Definition spdc_l2_step n d X (prox : nat -> R -> R -> R -> R) lam tau sigma theta (s : spdc_state) k : spdc_state :=
  let a := sp_alpha s k in let b := prox k sigma a (dot d (X k) (sp_bar theta s)) in
  spdc (upd (sp_alpha s) k b)
       (fun j => (sp_w s j - tau * (mean_row n X (sp_alpha s) j + (b - a) * X k j)) / (1 + lam * tau)) (sp_w s).
(* What Theorem 1 would say with `larger` times the steps of (16) and some rate, for some constant C that may depend on all but t. *)
Definition spdc_claim (larger : R) (rate : R -> R -> R -> R -> R) : Prop :=
  forall n d X phi dphi phis g gamma lam R2 w_opt alpha_opt step alpha w,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  spdc_saddle n d X phi phis g w_opt alpha_opt -> feasible n phi alpha ->
  let tau := larger * spdc_tau (INR n) R2 gamma lam in let sigma := larger * spdc_sigma (INR n) R2 gamma lam in
  spdc_rule n d X phi phis g tau sigma (spdc_theta 1 (INR n) R2 gamma lam) step ->
  exists C, forall t, Expect n step t (spdc_delta n 1 d X phis g gamma lam tau sigma w_opt alpha_opt) (spdc alpha w w)
                      <= C * rate (INR n) R2 gamma lam ^ t.
(* Algorithm 2: a batch K of m rows per step, one of N that are equally likely; K has m different rows, and P(i in K) = m/n. *)
Definition batch_mean m (K : list nat) (f : nat -> R) : R := total (map f K) / INR m.
Definition fair_batches n m N (batch : nat -> list nat) : Prop :=
  (forall b, (b < N)%nat -> length (batch b) = m /\ NoDup (batch b) /\ forall i, In i (batch b) -> (i < n)%nat) /\
  (forall i, (i < n)%nat -> avg N (fun b => INR (count_occ Nat.eq_dec (batch b) i)) = INR m / INR n).
Definition spdc_batch_follows n m d X (phi phis : nat -> R -> R) g tau sigma theta (s : spdc_state) (K : list nat) (s' : spdc_state) : Prop :=
  let a := sp_alpha s in let b := sp_alpha s' in let z := fun i => dot d (X i) (sp_bar theta s) in
  sp_before s' = sp_w s /\ (forall i, ~ In i K -> b i = a i) /\
  (forall i, In i K -> conj_dom (phi i) (b i) /\ forall c, conj_dom (phi i) c ->                                        (* (13) *)
   spdc_dual_value (phis i) sigma (z i) (a i) c <= spdc_dual_value (phis i) sigma (z i) (a i) (b i)) /\
  (let v := fun j => mean_row n X a j + batch_mean m K (fun i => (b i - a i) * X i j) in                               (* (14) *)
   forall x, spdc_primal_value d g tau v (sp_w s) (sp_w s') <= spdc_primal_value d g tau v (sp_w s) x).
Definition spdc_batch_rule n m d X phi phis g tau sigma theta N batch (step : spdc_state -> nat -> spdc_state) : Prop :=
  forall s b, feasible n phi (sp_alpha s) -> (b < N)%nat ->
  spdc_batch_follows n m d X phi phis g tau sigma theta s (batch b) (step s b).
Definition spdc_l2_batch_step n m d X (prox : nat -> R -> R -> R -> R) lam tau sigma theta (batch : nat -> list nat) (s : spdc_state) k : spdc_state :=
  let a := sp_alpha s in
  let b := fun i => if in_dec Nat.eq_dec i (batch k) then prox i sigma (a i) (dot d (X i) (sp_bar theta s)) else a i in
  spdc b (fun j => (sp_w s j - tau * (mean_row n X a j + batch_mean m (batch k) (fun i => (b i - a i) * X i j))) / (1 + lam * tau)) (sp_w s).
(* All sets of m of the n rows, and one of them by its number. *)
Fixpoint subsets (n m : nat) : list (list nat) :=
  match n, m with _, O => [[]] | O, S _ => [] | S p, S k => map (cons p) (subsets p k) ++ subsets p m end.
Definition subset (n m b : nat) : list nat := nth b (subsets n m) [].
(* One row of each of m blocks of p rows: row r of the next block, and what the k-th sequence of m such r makes. *)
Definition next_block (p : nat) (K : list nat) (r : nat) : list nat := (r + p * length K)%nat :: K.
Definition one_per_block (p m k : nat) : list nat := after (next_block p) [] (nth k (sequences p m) []).

(* PASSCoDe-Atomic with no delay, in the scaling of the slides, squared loss l_i(v) = (v - y_i)^2/2: the dual that is minimised; T a i
   minimises it over coordinate i; the theorem read with these kappa and L, and with c kappa/L instead of kappa/L. *)
Definition pc_dual n d (X : nat -> nat -> R) (y a : nat -> R) : R :=
  norm2 d (fun j => bsum n (fun i => a i * X i j)) / 2 + bsum n (fun i => squared_conj 1 (y i) (- a i)).
Definition passcode_reading (c : R) : Prop := forall n d X y kappa L a_opt (T grad : (nat -> R) -> nat -> R),
  (0 < n)%nat -> (forall i, (i < n)%nat -> norm2 d (X i) = 1) -> 0 < kappa -> 0 < L ->
  (forall a, pc_dual n d X y a_opt <= pc_dual n d X y a) ->
  (forall a i b, (i < n)%nat -> pc_dual n d X y (upd a i (T a i)) <= pc_dual n d X y (upd a i b)) ->
  (forall a, kappa ^ 2 * norm2 n (fun i => a i - a_opt i) <= norm2 n (fun i => T a i - a i)) ->
  (forall a b, Rabs (pc_dual n d X y b - pc_dual n d X y a - dot n (grad a) (fun i => b i - a i)) <= L / 2 * norm2 n (fun i => b i - a i)) ->
  forall a, avg n (fun i => pc_dual n d X y (upd a i (T a i))) - pc_dual n d X y a_opt
            <= (1 - c * kappa / L) * (pc_dual n d X y a - pc_dual n d X y a_opt).

(* AdaSPDC-R: (9)-(14) of AdaSPDC with one uniform row k per step, sigma k for the row k, one tau and one theta; and the distance
   in the weights nu_i = 1/(c sigma_i) + gamma: c = 4 after t steps, c = 2 at the start. *)
Definition ada_r_rule n d X phi phis g tau (sigma : nat -> R) theta (step : spdc_state -> nat -> spdc_state) : Prop :=
  forall s k, feasible n phi (sp_alpha s) -> (k < n)%nat -> spdc_follows n d X phi phis g tau (sigma k) theta s k (step s k).
Definition ada_r_distance c n d gamma lam tau (sigma : nat -> R) w_opt alpha_opt (s : spdc_state) : R :=
  (1 / (2 * tau) + lam) * norm2 d (fun j => sp_w s j - w_opt j)
  + bsum n (fun i => (1 / (c * sigma i) + gamma) * (sp_alpha s i - alpha_opt i) ^ 2).
Definition ada_r_l2_step n d X (prox : nat -> R -> R -> R -> R) lam tau (sigma : nat -> R) theta s k : spdc_state :=
  spdc_l2_step n d X prox lam tau (sigma k) theta s k.
(* AdaSPDC as it is published, one uniform row k per step: tau and theta are those of the row that is drawn, r = |x_k|. *)
Record ada_state := ada { ad_alpha : nat -> R; ad_w : nat -> R; ad_bar : nat -> R }.
Definition ada_follows n d X (phi phis : nat -> R -> R) g gamma lam (s : ada_state) k (s' : ada_state) : Prop :=
  let r := sqrt (norm2 d (X k)) in let c := ada_c n gamma lam in
  let theta := 1 - / (INR n + r * sqrt (INR n / (lam * gamma))) in                                              (* (15) *)
  let a := ad_alpha s k in let b := ad_alpha s' k in let z := dot d (X k) (ad_bar s) in
  ad_alpha s' = upd (ad_alpha s) k b /\ conj_dom (phi k) b /\
  (forall x, conj_dom (phi k) x -> spdc_dual_value (phis k) (c / (2 * r)) z a x <= spdc_dual_value (phis k) (c / (2 * r)) z a b) /\   (* (9), (10) *)
  (let v := fun j => mean_row n X (ad_alpha s) j + (b - a) * X k j in
   forall x, spdc_primal_value d g (1 / (2 * r * c)) v (ad_w s) (ad_w s') <= spdc_primal_value d g (1 / (2 * r * c)) v (ad_w s) x) /\   (* (11), (12) *)
  (forall j, ad_bar s' j = ad_w s' j + theta * (ad_w s' j - ad_w s j)).                                         (* (14) *)
(* What every theorem on its convergence in mean square implies: the mean of the squared distance stays below some constant,
   which may depend on everything but t. *)
Definition ada_stays_bounded : Prop := forall n d X phi dphi phis g gamma lam w_opt alpha_opt step alpha w,
  (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> (forall i, (i < n)%nat -> 0 < norm2 d (X i)) -> spdc_saddle n d X phi phis g w_opt alpha_opt ->
  (forall s k, feasible n phi (ad_alpha s) -> (k < n)%nat -> ada_follows n d X phi phis g gamma lam s k (step s k)) ->
  feasible n phi alpha ->
  exists C, forall t, Expect n step t
    (fun s => norm2 d (fun j => ad_w s j - w_opt j) + norm2 n (fun i => ad_alpha s i - alpha_opt i)) (ada alpha w w) <= C.

(* SVRG (Johnson and Zhang 2013), f_i(w) = phi_i(x_i^T w) + (lam/2)||w||^2: a step of the round with snapshot v; what a round makes of
   the mean of F, option I from the last iterate, option II from a uniform one of w_0 .. w_{m-1}; s rounds. *)
Definition row_gradient d X (dphi : nat -> R -> R) lam i w : nat -> R := fun j => dphi i (dot d (X i) w) * X i j + lam * w j.
Definition gradient n d X dphi lam w : nat -> R := fun j => avg n (fun i => row_gradient d X dphi lam i w j).
Definition svrg_step n d X dphi lam h v w i : nat -> R :=                                                     (* line 5 *)
  fun j => w j - h * (row_gradient d X dphi lam i w j - row_gradient d X dphi lam i v j + gradient n d X dphi lam v j).
Definition svrg_last n d X dphi lam h m (F : (nat -> R) -> R) v : R := Expect n (svrg_step n d X dphi lam h v) m F v.
Definition svrg_random n d X dphi lam h m (F : (nat -> R) -> R) v : R :=
  avg m (fun t => Expect n (svrg_step n d X dphi lam h v) t F v).
Fixpoint svrg_rounds (round : ((nat -> R) -> R) -> (nat -> R) -> R) (s : nat) F v : R :=
  match s with O => F v | S k => round (svrg_rounds round k F) v end.
Definition svrg_rho L lam h m : R := 1 / (lam * h * (1 - 2 * L * h) * INR m) + 2 * L * h / (1 - 2 * L * h).
(* (1 + x/1) (1 + x/2) .. (1 + x/m), x = 2Lh. *)
Fixpoint svrg_growth x m : R := match m with O => 1 | S k => svrg_growth x k * (1 + x / INR (S k)) end.

(* SAG as it is run (Schmidt, Le Roux, Bach 2017): the regulariser outside the table, divisor n; a state is (w, c), the table of slopes. *)
Definition sag_next n (X : nat -> nat -> R) lam a (w c : nat -> R) : nat -> R :=                              (* line 6' *)
  fun j => (1 - a * lam) * w j - a * avg n (fun k => c k * X k j).
Definition sag_step n d X (dphi : nat -> R -> R) lam a (s : (nat -> R) * (nat -> R)) i : (nat -> R) * (nat -> R) :=
  let c := upd (snd s) i (dphi i (dot d (X i) (fst s))) in (sag_next n X lam a (fst s) c, c).            (* lines 4', 5' *)
(* Its rate, and C_0 of Theorem 1, f_i' with the regulariser in it. *)
Definition sag_rho n lam L : R := Rmin (lam / (16 * L)) (1 / (8 * INR n)).
Definition sag_start n d X phi dphi lam L w_opt w : R :=
  P n d X phi lam w - P n d X phi lam w_opt + 4 * L / INR n * norm2 d (fun j => w j - w_opt j)
  + avg n (fun i => norm2 d (row_gradient d X dphi lam i w_opt)) / (16 * L).
(* V of its best rate, (1 - a lam)^2, which is ours. *)
Definition sag_best n d (X : nat -> nat -> R) phi (dphi : nat -> R -> R) lam L (w_opt w c : nat -> R) : R :=
  let e i j := (c i - dphi i (dot d (X i) w_opt)) * X i j in let u j := w j - w_opt j in let m j := avg n (fun i => e i j) in
  P n d X phi lam w - P n d X phi lam w_opt + (4 * L / INR n - 3 * lam / 4) * norm2 d u - dot d u m / 2
  + INR n / (32 * L) * norm2 d m + 3 / (8 * L) * avg n (fun i => norm2 d (e i)).
Definition sag_published K : Prop := forall n d X phi dphi gamma lam R2 w_opt k w,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 -> (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= R2) -> (forall j, (j < d)%nat -> gradient n d X dphi lam w_opt j = 0) ->
  let L := R2 / gamma + lam in
  Expect n (sag_step n d X dphi lam (1 / (16 * L))) k (fun s => P n d X phi lam (fst s) - P n d X phi lam w_opt) (w, fun _ => 0)
  <= (1 - sag_rho n lam L) ^ k * (K * sag_start n d X phi dphi lam L w_opt w).

(* The certificate in floating point.  fl rounds with a relative error of at most u and an absolute one of at most e (underflow);
   sums are made in order, from 0, every product and every partial sum rounded. *)
Definition rounds (fl : R -> R) (u e : R) : Prop := 0 <= u /\ 0 <= e /\ forall x, Rabs (fl x - x) <= u * Rabs x + e.
Fixpoint fsum (fl : R -> R) (n : nat) (f : nat -> R) : R := match n with O => 0 | S k => fl (fsum fl k f + f k) end.
Definition fdot fl d (x w : nat -> R) : R := fsum fl d (fun j => fl (x j * w j)).
Definition fmean_row fl n (X : nat -> nat -> R) (alpha : nat -> R) : nat -> R :=              (* X^T alpha / n *)
  fun j => fl (fsum fl n (fun i => fl (alpha i * X i j)) / INR n).
Definition nrm (d : nat) (v : nat -> R) : R := sqrt (norm2 d v).
(* P(w) - D(alpha) as a sum of nonnegative terms, from z next to Xw and v next to -X^T alpha/n: the G~ of `gap_bound`. *)
Definition gap_from n d (phi phis : nat -> R -> R) (g gs : (nat -> R) -> R) (z alpha v w : nat -> R) : R :=
  avg n (fun i => phi i (z i) + phis i (alpha i) - alpha i * z i) + (g w + gs v - dot d v w).

(* The roundings of doubles: those of `rounds`, odd, in order, once; a sum of two doubles does not underflow. *)
Definition rounding (fl : R -> R) (u e : R) : Prop := rounds fl u e /\ (forall x, fl (- x) = - fl x) /\ (forall x y, x <= y -> fl x <= fl y) /\
  (forall x, fl (fl x) = fl x) /\ forall x y, fl x = x -> fl y = y -> Rabs (fl (x + y) - (x + y)) <= u * Rabs (x + y).
(* What the code computes with: `rounded` for reals with every operation rounded, `doubles` of Binary64.v for the machine. *)
Record arithmetic := { num : Type; int : nat -> num; power : Z -> num; add : num -> num -> num; sub : num -> num -> num;
  mul : num -> num -> num; div : num -> num -> num; root : num -> num; absolute : num -> num; hypot : num -> num -> num;
  at_most : num -> num -> bool }.                                                             (* power k is 2^k *)
Definition rounded (fl : R -> R) (hyp : R -> R -> R) : arithmetic := {| num := R; int := INR; power := powerRZ 2;
  add x y := fl (x + y); sub x y := fl (x - y); mul x y := fl (x * y); div x y := fl (x / y); root x := fl (sqrt x);
  absolute := Rabs; hypot := hyp; at_most x y := if Rle_dec x y then true else false |}.
(* The losses of the theorems on `gap_bound`, and what is asked of the label or target y of a row. *)
Inductive loss_name := Squared | SmoothedHinge | SquaredHinge.
Definition loss_of name gamma y : R -> R := match name with
  Squared => squared gamma y | SmoothedHinge => smoothed_hinge gamma y | SquaredHinge => squared_hinge y end.
Definition label_of name gamma y : Prop := match name with
  Squared => True | SmoothedHinge => is_label y | SquaredHinge => is_label y /\ gamma = 1 / 2 end.
(* `evaluate`, `regularizer_residual` and `gap_bound` of fast/problem, operation by operation: plain sums, dense rows, gamma > 0,
   L2 or elastic net (kappa and A, which are 0 for them, are left out). *)
Section Code.
  Context {A : arithmetic}.
  Local Notation N := (num A).
  Local Infix "+." := (add A) (at level 50, left associativity).
  Local Infix "-." := (sub A) (at level 50, left associativity).
  Local Infix "*." := (mul A) (at level 40, left associativity).
  Local Infix "/." := (div A) (at level 40, left associativity).
  Definition ulp_half : N := power A (-53).
  Definition least : N := power A (-1074).
  Definition lost : N := power A (-537).
  Fixpoint sum_of (n : nat) (f : nat -> N) : N := match n with O => int A 0 | S k => sum_of k f +. f k end.
  Definition row_z d (x w : nat -> N) : N := sum_of d (fun j => x j *. w j).
  Definition mean_of n (X : nat -> nat -> N) alpha j : N := sum_of n (fun i => alpha i *. X i j) /. int A n.
  Definition minus_mean n X alpha j : N := int A 0 -. mean_of n X alpha j.
  Definition squared_residual gamma y z a : N :=
    let error := (z -. y) /. gamma -. a in gamma *. (error *. error) /. int A 2.
  (* m = y z, b = -y alpha, y a label. *)
  Definition smoothed_hinge_residual gamma y z a : N :=
    let m := y *. z in let b := (int A 0 -. y) *. a in let error := (int A 1 -. m) /. gamma -. b in
    if at_most A (int A 1) m then b *. (m -. int A 1) +. gamma *. (b *. b) /. int A 2
    else if at_most A m (int A 1 -. gamma) then (int A 1 -. b) *. (int A 1 -. gamma -. m +. gamma *. (int A 1 -. b) /. int A 2)
    else gamma *. (error *. error) /. int A 2.
  Definition squared_hinge_residual y z a : N :=
    let m := y *. z in let b := (int A 0 -. y) *. a in let error := int A 1 -. m -. b /. int A 2 in
    if at_most A (int A 1) m then b *. (m -. int A 1) +. b *. b /. int A 4 else error *. error.
  Definition residual_of name gamma y z a : N := match name with
    Squared => squared_residual gamma y z a | SmoothedHinge => smoothed_hinge_residual gamma y z a | SquaredHinge => squared_hinge_residual y z a end.
  Definition l2_residual d mu (v w : nat -> N) : N :=
    sum_of d (fun j => let best := v j /. mu in mu *. ((w j -. best) *. (w j -. best)) /. int A 2).
  (* l1 > 0 as well: t is the threshold, v_j minus r is `soft`. *)
  Definition limited t v : N := if at_most A v t then if at_most A (int A 0 -. t) v then v else int A 0 -. t else t.
  Fixpoint elastic_residual d mu l1 (v w : nat -> N) : N := match d with O => int A 0 | S j =>
    let t := l1 /. mu in let v_j := v j /. mu in let r := limited t v_j in let best := v_j -. r in
    let total := elastic_residual j mu l1 v w +. mu *. ((w j -. best) *. (w j -. best)) /. int A 2 in
    if at_most A l1 (int A 0) then total
    else total +. mu *. (if at_most A (int A 0) (w j) then w j *. (t -. r) else (int A 0 -. w j) *. (t +. r)) end.
  Definition computed_gap n d (X : nat -> nat -> N) (residual : nat -> N -> N -> N) regularizer (w alpha : nat -> N) : N :=
    sum_of n (fun i => residual i (row_z d (X i) w) (alpha i)) /. int A n +. regularizer (minus_mean n X alpha) w.
  (* The sizes, from above. *)
  Definition squares d (x : nat -> N) : N := sum_of d (fun j => x j *. x j).
  Definition grow count : N := int A 1 +. ulp_half *. int A count.
  Definition length_of d (x : nat -> N) : N := root A (squares d x) *. grow (d + 8) +. lost *. root A (int A d).
  Definition norm_of n d (X : nat -> nat -> N) : N :=
    root A (sum_of n (fun i => squares d (X i)) /. int A n) *. grow (n + d + 8) +. lost *. root A (int A d).
  Fixpoint maximum n (a : nat -> N) : N :=
    match n with O => int A 0 | S k => let m := maximum k a in if at_most A (absolute A (a k)) m then m else absolute A (a k) end.
  Definition largest n a : N := let m := maximum n a in if at_most A m (int A 0) then int A 1 else m.
  Definition mean_length n d (X : nat -> nat -> N) alpha : N :=
    sum_of n (fun i => absolute A (alpha i) *. root A (squares d (X i))) /. int A n *. grow (n + d + 8)
    +. lost *. root A (int A d) *. largest n alpha.
  Definition k_of count : N := ulp_half *. int A count *. (int A 1 +. int A 2 *. ulp_half *. int A count).
  Definition elastic_e_u n d mu l1 (w_length alpha : N) : N :=
    let at_ := int A 8 *. alpha +. int A 4 *. (l1 *. root A (int A d) +. mu *. w_length) in
    k_of (n + 4) *. alpha +. ulp_half *. at_ +. int A 8 *. (int A 1 +. mu) *. least *. int A (d + n).
  Definition plain_e_z d (norm w_length : N) : N := k_of (d + 4) *. norm *. w_length +. int A (8 * d) *. least.
  Definition code_e_z d gamma (norm w_length label2 : N) : N :=
    plain_e_z d norm w_length
    +. int A 16 *. ulp_half *. (norm *. w_length +. root A label2 +. int A 1 +. gamma).
  Definition bound_of n d gamma mu (gap e_z e_u : N) : N :=
    let error := hypot A (e_u /. root A (int A 2 *. mu)) (e_z /. root A (int A 2 *. gamma)) in
    let additive := int A 16 *. (int A 4 +. gamma +. mu) *. int A (1 + d) *. least in
    let s := root A gap +. error in
    (int A 1 +. ulp_half *. int A (2 * (n + d) + 128)) *. (s *. s +. additive).
  Definition elastic_gap_bound n d X residual regularizer gamma mu l1 (y w alpha : nat -> N) : N :=
    let w_length := length_of d w in
    bound_of n d gamma mu (computed_gap n d X residual regularizer w alpha)
      (code_e_z d gamma (norm_of n d X) w_length (squares n y /. int A n))
      (elastic_e_u n d mu l1 w_length (mean_length n d X alpha)).
  Definition code_gap_bound n d X residual regularizer gamma mu (y w alpha : nat -> N) : N :=      (* L2: l1 = 0 *)
    elastic_gap_bound n d X residual regularizer gamma mu (int A 0) y w alpha.
  (* The same at gamma = 0, where the rows have slopes of at most `slope` in z: slope * e_z goes into A. *)
  Definition hinge_residual y z a : N :=
    let m := y *. z in let b := (int A 0 -. y) *. a in
    let flat := b *. (m -. int A 1) in let straight := (int A 1 -. b) *. (int A 1 -. m) in
    if at_most A (int A 1) m then flat else straight.
  Definition absolute_residual y z a : N :=
    let above := (z -. y) *. (int A 1 -. a) in let below := (y -. z) *. (int A 1 +. a) in
    if at_most A y z then above else below.
  Definition slope_bound_of n d slope mu (gap e_z e_u : N) : N :=
    let error := e_u /. root A (int A 2 *. mu) in
    let additive := int A 16 *. (int A 4 +. mu) *. int A (1 + d) *. least +. slope *. e_z in
    let s := root A gap +. error in
    (int A 1 +. ulp_half *. int A (2 * (n + d) + 128)) *. (s *. s +. additive).
  Definition code_slope_bound n d X residual regularizer slope mu (w alpha : nat -> N) : N :=
    let w_length := length_of d w in
    slope_bound_of n d slope mu (computed_gap n d X residual regularizer w alpha) (plain_e_z d (norm_of n d X) w_length)
      (elastic_e_u n d mu (int A 0) w_length (mean_length n d X alpha)).
End Code.
