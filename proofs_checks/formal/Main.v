(* The paper's own problem, g = (lam/2)||w||^2: one-step identity, mean inequality, sharp rate, Lemma 2, Theorem 1. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate.
Open Scope R_scope.

Lemma Expect_same_step : forall {A : Type} n (step step' : A -> nat -> A) (F F' : A -> R),
  (forall a i, step a i = step' a i) -> (forall a, F a = F' a) ->
  forall t a, Expect n step t F a = Expect n step' t F' a.
Proof.
  intros A n step step' F F' Hs HF t. induction t as [|t IH]; intros a; simpl; [apply HF|].
  apply avg_ext. intros i _. rewrite Hs. apply IH.
Qed.

Lemma exp_ge_1_plus : forall x, 1 + x <= exp x.
Proof.
  intros x. destruct (Req_dec x 0) as [->|Hx]; [rewrite exp_0; lra|]. apply Rlt_le, exp_ineq1, Hx.
Qed.

Lemma pow_le_exp : forall r t, 0 <= r <= 1 -> (1 - r) ^ t <= exp (- (r * INR t)).
Proof.
  intros r t Hr. induction t as [|t IH].
  - simpl. rewrite Rmult_0_r, Ropp_0, exp_0. lra.
  - rewrite S_INR. replace (- (r * (INR t + 1))) with (- r + - (r * INR t)) by ring. rewrite exp_plus. simpl.
    pose proof (exp_ge_1_plus (- r)).
    apply Rmult_le_compat; [lra | apply pow_le; lra | lra | exact IH].
Qed.

(* t >= (1/r) ln (G/eps) steps suffice for a bound G (1 - r)^t. *)
Lemma iterations_suffice : forall G r eps t, 0 < eps -> 0 < G -> 0 < r <= 1 -> / r * ln (G / eps) <= INR t ->
  (1 - r) ^ t * G <= eps.
Proof.
  intros G r eps t He HG Hr Ht.
  assert (Hln : ln (G / eps) <= r * INR t).
  { apply Rmult_le_compat_l with (r := r) in Ht; [|lra].
    replace (r * (/ r * ln (G / eps))) with (ln (G / eps)) in Ht by (field; lra). exact Ht. }
  apply Rle_trans with (exp (- (r * INR t)) * G).
  { apply Rmult_le_compat_r; [lra|]. apply pow_le_exp. lra. }
  apply Rle_trans with (exp (- ln (G / eps)) * G).
  { apply Rmult_le_compat_r; [lra|].
    destruct Hln as [Hlt|Heq]; [left; apply exp_increasing; lra | rewrite Heq; lra]. }
  rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; assumption).
  apply Req_le. field. lra.
Qed.

Section L2.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis lam_pos : 0 < lam.

Let n_INR : 0 < INR n := INR_pos n n_pos.
Let w := w_of n X lam.
Let DD := D n d X phis lam.
Let G := gap n d X phi phis lam.
Let step := aspdc_step n d X dphi lam.

(* The paper's w, D, gap and step are those of Rate.v for the L2 regulariser. *)
Lemma w_of_eq : forall alpha j, w alpha j = l2_grad lam (u_of n X alpha) j.
Proof. intros. unfold w, w_of, l2_grad, u_of, avg. field. lra. Qed.

Lemma dot_w : forall v alpha, dot d v (w alpha) = dot d v (l2_grad lam (u_of n X alpha)).
Proof. intros. apply dot_ext; [reflexivity|]. intros. apply w_of_eq. Qed.

Lemma norm2_w : forall alpha, norm2 d (w alpha) = norm2 d (l2_grad lam (u_of n X alpha)).
Proof. intros. apply norm2_ext. intros. apply w_of_eq. Qed.

Lemma step_eq : forall alpha i, step alpha i = step_of n d X dphi (l2_grad lam) alpha i.
Proof. intros. unfold step, aspdc_step, step_of. fold (w alpha). rewrite dot_w. reflexivity. Qed.

Lemma D_eq : forall alpha, DD alpha = dual n X phis (l2_conj d lam) alpha.
Proof.
  intros. unfold DD, D, dual. fold (w alpha). rewrite norm2_w. f_equal. unfold l2_conj.
  rewrite (norm2_ext d (l2_grad lam (u_of n X alpha)) (fun j => / lam * u_of n X alpha j))
    by (intros; unfold l2_grad, Rdiv; ring).
  rewrite norm2_scal. field. lra.
Qed.

Lemma P_eq : forall v, P n d X phi lam v = primal n d X phi (l2 d lam) v.
Proof. reflexivity. Qed.

Lemma gap_eq : forall alpha,
  G alpha = gap_of n d X phi phis (l2 d lam) (l2_conj d lam) (l2_grad lam) alpha.
Proof.
  intros. unfold G, gap, gap_of. fold (DD alpha). rewrite D_eq. f_equal.
  unfold P, primal, l2. fold (w alpha). rewrite norm2_w. f_equal.
  apply avg_ext. intros i _. rewrite dot_w. reflexivity.
Qed.

(* An equality for any new value of one coordinate. *)
Lemma dual_change_L2 : forall alpha i v, (i < n)%nat ->
  DD (upd alpha i v) - DD alpha
  = 1 / INR n * ((v - alpha i) * dot d (X i) (w alpha) - (phis i v - phis i (alpha i))
                 - norm2 d (X i) * (v - alpha i) ^ 2 / (2 * lam * INR n)).
Proof.
  intros alpha i v Hi. unfold DD, D. rewrite dual_upd_losses by assumption. fold (w alpha) (w (upd alpha i v)).
  set (c := (v - alpha i) / (lam * INR n)).
  assert (E : forall j, (j < d)%nat -> w (upd alpha i v) j = w alpha j - c * X i j).
  { intros j _. rewrite !w_of_eq. unfold l2_grad. rewrite u_of_upd by assumption. unfold c. field. lra. }
  rewrite (norm2_ext d _ _ E), norm2_minus, dot_scal_r, norm2_scal, (dot_comm d (w alpha)).
  unfold c. field. lra.
Qed.

Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).

Theorem one_step_identity : forall alpha i, (i < n)%nat ->
  let z := dot d (X i) (w_of n X lam alpha) in
  let delta := dphi i z - alpha i in
  D n d X phis lam (aspdc_step n d X dphi lam alpha i) - D n d X phis lam alpha
  = 1 / INR n * ((phi i z + phis i (alpha i) - alpha i * z) - norm2 d (X i) * delta ^ 2 / (2 * lam * INR n)).
Proof.
  intros alpha i Hi z delta. pose proof (dual_change_L2 alpha i (dphi i z) Hi) as H.
  unfold aspdc_step. fold z. unfold DD, w in H. fold z in H. rewrite H.
  rewrite (fenchel_equality _ _ _ gamma z (losses i Hi) (conjugates i Hi)). unfold delta. field. lra.
Qed.

Hypothesis gamma_pos : 0 < gamma.

Theorem weak_duality_L2 : forall alpha v, feasible n phi alpha -> D n d X phis lam alpha <= P n d X phi lam v.
Proof.
  intros alpha v Hf. fold (DD alpha). rewrite D_eq, P_eq.
  apply weak_duality with (dg := l2_grad lam); try assumption. apply l2_pair, lam_pos.
Qed.

Theorem feasible_step : forall alpha i, feasible n phi alpha -> (i < n)%nat ->
  feasible n phi (aspdc_step n d X dphi lam alpha i).
Proof. intros. fold (step alpha i). rewrite step_eq. apply step_feasible with gamma; assumption. Qed.

Lemma gap_nonneg : forall alpha, feasible n phi alpha -> 0 <= G alpha.
Proof. intros alpha Hf. pose proof (weak_duality_L2 alpha (w alpha) Hf). unfold G, gap. fold (w alpha). lra. Qed.

(* (A15) *)
Lemma gap_as_residual_L2 : forall alpha,
  G alpha = avg n (fun i => phi i (dot d (X i) (w alpha)) + phis i (alpha i) - alpha i * dot d (X i) (w alpha)).
Proof.
  intros. rewrite gap_eq, gap_as_residual by (try assumption; apply l2_pair, lam_pos).
  apply avg_ext. intros i _. unfold residual. rewrite dot_w. reflexivity.
Qed.

Section Rows.
Variable R2 : R.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.

Theorem one_step_mean : forall alpha, feasible n phi alpha ->
  (1 - R2 / (lam * INR n * gamma)) / INR n * gap n d X phi phis lam alpha
  <= avg n (fun i => D n d X phis lam (aspdc_step n d X dphi lam alpha i) - D n d X phis lam alpha).
Proof.
  intros alpha Hf. fold (G alpha). rewrite gap_eq.
  eapply Rle_trans; [apply one_step_mean_general with (R2 := R2) (dphi := dphi); try assumption|].
  - apply l2_strong.
  - apply l2_pair, lam_pos.
  - apply Req_le, avg_ext. intros i _. fold (step alpha i) (DD (step alpha i)) (DD alpha).
    rewrite !D_eq, step_eq. reflexivity.
Qed.

(* The dual value never decreases, along every path, as soon as lam >= R^2/(n gamma). *)
Theorem dual_monotone : 0 <= 1 - R2 / (lam * INR n * gamma) -> forall alpha i, feasible n phi alpha -> (i < n)%nat ->
  D n d X phis lam alpha <= D n d X phis lam (aspdc_step n d X dphi lam alpha i).
Proof.
  intros Hs alpha i Hf Hi. fold (step alpha i) (DD (step alpha i)) (DD alpha). rewrite !D_eq, step_eq.
  apply pathwise_monotone with (phi := phi) (g := l2 d lam) (gamma := gamma) (mu := lam) (R2 := R2); try assumption.
  - apply l2_strong.
  - apply l2_pair, lam_pos.
Qed.

Theorem sharp_rate : let s := 1 - R2 / (lam * INR n * gamma) in 0 < s ->
  forall t alpha, feasible n phi alpha ->
  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha
  <= INR n / s * (1 - s / INR n) ^ t * gap n d X phi phis lam alpha.
Proof.
  intros s Hs t alpha Hf. rewrite (Expect_same_step n _ _ _ _ step_eq gap_eq). fold (G alpha). rewrite gap_eq.
  apply sharp_rate_general with (gamma := gamma) (mu := lam) (R2 := R2); try assumption.
  - apply l2_strong.
  - apply l2_pair, lam_pos.
Qed.

(* Lemma 2 for rows of any norm, and already for lam >= 2 R^2/(n gamma). *)
Theorem lemma_2_half : 2 * R2 / (INR n * gamma) <= lam ->
  forall t alpha, feasible n phi alpha ->
  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha
  <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t * gap n d X phi phis lam alpha.
Proof.
  intros Hlam t alpha Hf. rewrite (Expect_same_step n _ _ _ _ step_eq gap_eq). fold (G alpha). rewrite gap_eq.
  pose proof (s_half n gamma lam n_pos gamma_pos lam_pos R2 Hlam).
  apply half_rate_general with (gamma := gamma) (mu := lam) (R2 := R2); try assumption; try lra.
  - apply l2_strong.
  - apply l2_pair, lam_pos.
Qed.
End Rows.
End L2.

(* Lemma 2 as published: ||x_i|| <= 1 and lam >= 4/(n gamma). *)
Theorem lemma_2 : forall n d X phi dphi phis gamma lam,
  (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= 1) ->
  4 / (INR n * gamma) <= lam ->
  forall t alpha, feasible n phi alpha ->
  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha
  <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t * gap n d X phi phis lam alpha.
Proof.
  intros n d X phi dphi phis gamma lam Hn Hg Hl Hphi Hphis Hrows Hlam t alpha Hf.
  apply lemma_2_half with (gamma := gamma) (R2 := 1); try assumption.
  assert (0 < / (INR n * gamma)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; [apply INR_pos|]; assumption).
  unfold Rdiv in *. lra.
Qed.

(* Theorem 1, with the natural logarithm: for rows of any norm, already under half of its condition. *)
Theorem theorem_1_half : forall n d X phi dphi phis gamma lam R2 eps,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < eps ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  2 * R2 / (INR n * gamma) <= lam ->
  forall t alpha, feasible n phi alpha -> 0 < gap n d X phi phis lam alpha ->
  2 * INR n * ln (2 * INR n * gap n d X phi phis lam alpha / eps) <= INR t ->
  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha <= eps.
Proof.
  intros n d X phi dphi phis gamma lam R2 eps Hn Hg Hl He losses conjugates rows Hlam t alpha Hf Hgap Ht.
  eapply Rle_trans; [apply lemma_2_half with (gamma := gamma) (R2 := R2); assumption|].
  assert (Hn1 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  replace (2 * INR n * (1 - 1 / (2 * INR n)) ^ t * gap n d X phi phis lam alpha)
    with ((1 - 1 / (2 * INR n)) ^ t * (2 * INR n * gap n d X phi phis lam alpha)) by ring.
  apply iterations_suffice; [exact He | apply Rmult_lt_0_compat; lra | |].
  - split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_l with (2 * INR n); [lra|].
    replace (2 * INR n * (1 / (2 * INR n))) with 1 by (field; lra). lra.
  - replace (/ (1 / (2 * INR n))) with (2 * INR n) by (field; lra). exact Ht.
Qed.

(* Theorem 1 as published. *)
Theorem theorem_1 : forall n d X phi dphi phis gamma lam eps,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < eps ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= 1) ->
  4 / (INR n * gamma) <= lam ->
  forall t alpha, feasible n phi alpha -> 0 < gap n d X phi phis lam alpha ->
  2 * INR n * ln (2 * INR n * gap n d X phi phis lam alpha / eps) <= INR t ->
  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha <= eps.
Proof.
  intros n d X phi dphi phis gamma lam eps Hn Hg Hl He Hphi Hphis Hrows Hlam t alpha Hf Hgap Ht.
  apply theorem_1_half with (phi := phi) (phis := phis) (gamma := gamma) (R2 := 1); try assumption.
  assert (0 < / (INR n * gamma)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; [apply INR_pos|]; assumption).
  unfold Rdiv in *. lra.
Qed.
