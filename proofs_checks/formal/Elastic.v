(* Elastic net: g(w) = (lam2/2)||w||^2 + lam1 ||w||_1 is lam2-strongly convex, soft thresholding is the gradient of
   its conjugate, and so the sharp rate and Lemma 2 hold for it, with lam2 instead of lam. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Rate.
Open Scope R_scope.

(* |u - soft(u)| <= lam1, with the sign of soft(u) where that is not 0. *)
Lemma soft_rest : forall tau u v, 0 <= tau -> (u - soft tau u) * v <= tau * Rabs v.
Proof.
  intros tau u v Ht. unfold soft, Rabs. destruct (Rcase_abs v), (Rle_dec tau u), (Rle_dec u (- tau)); nra.
Qed.

Lemma soft_rest_attained : forall tau u c, 0 <= tau -> 0 < c ->
  (u - soft tau u) * (soft tau u / c) = tau * Rabs (soft tau u / c).
Proof.
  intros tau u c Ht Hc. unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ c)) by (apply Rgt_ge, Rinv_0_lt_compat, Hc).
  enough (E : (u - soft tau u) * soft tau u = tau * Rabs (soft tau u))
    by (rewrite <- !Rmult_assoc, E; reflexivity).
  unfold soft. destruct (Rle_dec tau u) as [H | H]; [rewrite Rabs_right by lra; ring|].
  destruct (Rle_dec u (- tau)) as [H' | H']; [rewrite Rabs_left1 by lra | rewrite Rabs_R0]; ring.
Qed.

Lemma l1_convex : forall d a b s, 0 <= s <= 1 ->
  bsum d (fun j => Rabs ((1 - s) * a j + s * b j))
  <= (1 - s) * bsum d (fun j => Rabs (a j)) + s * bsum d (fun j => Rabs (b j)).
Proof.
  intros d a b s Hs. rewrite <- !bsum_scal, <- bsum_plus. apply bsum_le. intros j _.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_right s), (Rabs_right (1 - s)) by lra. lra.
Qed.

Lemma elastic_strong : forall d lam2 lam1, 0 <= lam1 -> strongly_convex d (elastic d lam2 lam1) lam2.
Proof.
  intros d lam2 lam1 H1 a b s Hs. pose proof (l2_strong d lam2 a b s Hs) as L. unfold l2 in L. unfold elastic.
  pose proof (Rmult_le_compat_l lam1 _ _ H1 (l1_convex d a b s Hs)). lra.
Qed.

Lemma elastic_pair : forall d lam2 lam1, 0 < lam2 -> 0 <= lam1 ->
  conjugate_pair d (elastic d lam2 lam1) (elastic_conj d lam2 lam1) (elastic_grad lam2 lam1).
Proof.
  intros d lam2 lam1 H2 H1 u. unfold elastic, elastic_conj. set (q := fun j => soft lam1 (u j)).
  assert (E : forall v, dot d u v = dot d q v + dot d (fun j => u j - q j) v)
    by (intros; rewrite dot_minus_l; ring).
  split.
  - rewrite E. assert (A : dot d (fun j => u j - q j) (elastic_grad lam2 lam1 u)
                           = lam1 * bsum d (fun j => Rabs (elastic_grad lam2 lam1 u j))).
    { unfold dot. rewrite <- bsum_scal. apply bsum_ext. intros j _. apply soft_rest_attained; assumption. }
    destruct (l2_pair d lam2 H2 q) as [B _]. unfold l2, l2_conj in B. change (l2_grad lam2 q) with (elastic_grad lam2 lam1 u) in B.
    lra.
  - intros v. rewrite E. assert (A : dot d (fun j => u j - q j) v <= lam1 * bsum d (fun j => Rabs (v j))).
    { unfold dot. rewrite <- bsum_scal. apply bsum_le. intros j _. apply soft_rest, H1. }
    destruct (l2_pair d lam2 H2 q) as [_ B]. specialize (B v). unfold l2, l2_conj in B. lra.
Qed.

Section ElasticNet.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam2 lam1 R2 : R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam2_pos : 0 < lam2.
  Hypothesis lam1_nonneg : 0 <= lam1.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Let G := gap_of n d X phi phis (elastic d lam2 lam1) (elastic_conj d lam2 lam1) (elastic_grad lam2 lam1).
  Let step := step_of n d X dphi (elastic_grad lam2 lam1).
  Let s := 1 - R2 / (lam2 * INR n * gamma).

  Theorem elastic_one_step_mean : forall alpha, feasible n phi alpha ->
    let dual_value := dual n X phis (elastic_conj d lam2 lam1) in
    s / INR n * G alpha <= avg n (fun i => dual_value (step alpha i) - dual_value alpha).
  Proof.
    intros alpha Hf dual_value. unfold s, G, step, dual_value.
    apply one_step_mean_general; try assumption; [apply elastic_strong | apply elastic_pair]; assumption.
  Qed.

  Theorem elastic_sharp_rate : 0 < s -> forall t alpha, feasible n phi alpha ->
    Expect n step t G alpha <= INR n / s * (1 - s / INR n) ^ t * G alpha.
  Proof.
    intros Hs t alpha Hf. unfold s, G, step.
    apply sharp_rate_general; try assumption; [apply elastic_strong | apply elastic_pair]; assumption.
  Qed.

  (* Lemma 2, which the paper reserves for L2. *)
  Theorem elastic_lemma_2 : 2 * R2 / (INR n * gamma) <= lam2 -> forall t alpha, feasible n phi alpha ->
    Expect n step t G alpha <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t * G alpha.
  Proof.
    intros Hlam t alpha Hf. unfold G, step. pose proof (s_half n gamma lam2 n_pos gamma_pos lam2_pos R2 Hlam).
    apply half_rate_general with (gamma := gamma) (mu := lam2) (R2 := R2);
      try assumption; try lra; [apply elastic_strong | apply elastic_pair]; assumption.
  Qed.
End ElasticNet.
