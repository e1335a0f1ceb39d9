(* Squared loss, rows of equal norm, K = R^2/(lam n gamma) >= 1: the dual error grows geometrically in mean,
   so lam > R^2/(n gamma) cannot be relaxed. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main.
Open Scope R_scope.

Lemma squared_residual : forall gamma y z a, 0 < gamma ->
  squared gamma y z + squared_conj gamma y a - a * z = gamma / 2 * (squared_deriv gamma y z - a) ^ 2.
Proof. intros. unfold squared, squared_conj, squared_deriv. field. lra. Qed.

Section Squared.
Variables (n d : nat) (X : nat -> nat -> R) (y : nat -> R) (gamma lam : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.

Let n_INR : 0 < INR n := INR_pos n n_pos.
Let phi i := squared gamma (y i).
Let dphi i := squared_deriv gamma (y i).
Let phis i := squared_conj gamma (y i).
Let step := aspdc_step n d X dphi lam.
Let DD := D n d X phis lam.
Let G := gap n d X phi phis lam.
(* The change of coordinate i that line 5 makes. *)
Definition squared_delta alpha i : R := squared_deriv gamma (y i) (dot d (X i) (w_of n X lam alpha)) - alpha i.

Lemma squared_gap : forall alpha, G alpha = avg n (fun i => gamma / 2 * squared_delta alpha i ^ 2).
Proof.
  intros alpha. unfold G. rewrite gap_as_residual_L2 by assumption. apply avg_ext. intros i _.
  apply squared_residual, gamma_pos.
Qed.

Lemma squared_step : forall alpha i, (i < n)%nat ->
  DD (step alpha i) - DD alpha
  = (1 - norm2 d (X i) / (lam * INR n * gamma)) / INR n * (gamma / 2 * squared_delta alpha i ^ 2).
Proof.
  intros alpha i Hi. unfold step, aspdc_step, DD. rewrite dual_change_L2 by assumption.
  unfold squared_delta. set (z := dot d (X i) (w_of n X lam alpha)).
  unfold dphi, phis, squared_conj, squared_deriv. field. lra.
Qed.

Lemma squared_duality : forall alpha v, DD alpha <= P n d X phi lam v.
Proof.
  intros alpha v. unfold DD. rewrite D_eq by assumption. rewrite P_eq.
  pose proof (gap_identity n d X phi phis (l2 d lam) (l2_conj d lam) n_pos alpha v) as E.
  destruct (l2_pair d lam lam_pos (u_of n X alpha)) as [_ Hub]. specialize (Hub v).
  assert (0 <= avg n (fun i => residual phi phis (dot d (X i) v) (alpha i) i)).
  { apply avg_nonneg; [exact n_pos|]. intros i _. unfold residual, phi, phis.
    rewrite squared_residual by exact gamma_pos. apply Rmult_le_pos; [lra | apply pow2_ge_0]. }
  lra.
Qed.

Variable R2 : R.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) = R2.
Let K := R2 / (lam * INR n * gamma).

(* The one-step mean inequality is an equality here, with s = 1 - K of any sign. *)
Theorem squared_one_step_mean : forall alpha,
  avg n (fun i => DD (step alpha i) - DD alpha) = (1 - K) / INR n * G alpha.
Proof.
  intros alpha. rewrite squared_gap, <- avg_scal. apply avg_ext. intros i Hi.
  rewrite squared_step, rows by exact Hi. reflexivity.
Qed.

(* If K > 1 every step that moves lowers the dual value, on every path. *)
Theorem dual_falls_on_every_path : 1 < K -> forall alpha i, (i < n)%nat -> squared_delta alpha i <> 0 ->
  DD (step alpha i) < DD alpha.
Proof.
  intros HK alpha i Hi Hne. pose proof (squared_step alpha i Hi) as E. rewrite rows in E by exact Hi. fold K in E.
  assert (0 < squared_delta alpha i ^ 2) by (rewrite <- Rsqr_pow2; apply Rsqr_pos_lt, Hne).
  assert (0 < gamma / 2 * squared_delta alpha i ^ 2) by (apply Rmult_lt_0_compat; lra).
  assert (0 < (K - 1) / INR n) by (apply Rdiv_lt_0_compat; lra).
  assert (0 < (K - 1) / INR n * (gamma / 2 * squared_delta alpha i ^ 2)) by (apply Rmult_lt_0_compat; lra).
  replace ((1 - K) / INR n) with (- ((K - 1) / INR n)) in E by (field; lra). lra.
Qed.

Hypothesis K_large : 1 <= K.
Variable D_star : R.
Hypothesis optimum : is_lub (fun r => exists alpha, r = D n d X phis lam alpha) D_star.

Lemma error_le_gap : forall alpha, D_star - DD alpha <= G alpha.
Proof.
  intros alpha. destruct optimum as [_ Hleast]. unfold G, gap. fold (DD alpha).
  enough (D_star <= P n d X phi lam (w_of n X lam alpha)) by lra.
  apply Hleast. intros r (b & ->). apply squared_duality.
Qed.

Lemma growth_nonneg : 0 <= (K - 1) / INR n.
Proof. apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, n_INR]. Qed.

Theorem divergence_threshold : forall t alpha,
  (1 + (K - 1) / INR n) ^ t * (D_star - D n d X phis lam alpha)
  <= Expect n (aspdc_step n d X dphi lam) t (fun a => D_star - D n d X phis lam a) alpha.
Proof.
  intros t alpha. pose proof growth_nonneg as Hk.
  apply (Expect_expand n step (fun _ => True)) with (F := fun a => D_star - DD a); auto; [lra|].
  intros a _. pose proof (squared_one_step_mean a) as E. rewrite avg_minus, (avg_const n (DD a)) in E by exact n_pos.
  rewrite avg_minus, (avg_const n D_star) by exact n_pos.
  pose proof (Rmult_le_compat_l _ _ _ Hk (error_le_gap a)) as H.
  replace ((1 - K) / INR n * G a) with (- ((K - 1) / INR n * G a)) in E by (field; lra). lra.
Qed.

Corollary gap_diverges : forall t alpha,
  (1 + (K - 1) / INR n) ^ t * (D_star - D n d X phis lam alpha)
  <= Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha.
Proof.
  intros t alpha. eapply Rle_trans; [apply divergence_threshold|].
  apply (Expect_le n step (fun _ => True)); auto. intros a _. apply error_le_gap.
Qed.
End Squared.
