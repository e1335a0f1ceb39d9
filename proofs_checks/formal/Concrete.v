(* Lemma 2 for the four smooth losses of the reference: no hypothesis on losses or conjugates is left. *)
From Coq Require Import Reals Lra Arith.
From Dualgap Require Import Definitions Main Losses Logistic.
Open Scope R_scope.

Section Concrete.
  Variables (n d : nat) (X : nat -> nat -> R) (y : nat -> R) (lam : R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= 1.

  (* The bound of Lemma 2 along Algorithm 1, run on the loss phi with derivative dphi and conjugate phis. *)
  Let bound (phi dphi phis : R -> R -> R) t alpha :=
    Expect n (aspdc_step n d X (fun i => dphi (y i)) lam) t
      (gap n d X (fun i => phi (y i)) (fun i => phis (y i)) lam) alpha
    <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t * gap n d X (fun i => phi (y i)) (fun i => phis (y i)) lam alpha.

  Theorem lemma_2_ridge : forall gamma, 0 < gamma -> 4 / (INR n * gamma) <= lam ->
    forall t alpha, bound (squared gamma) (squared_deriv gamma) (squared_conj gamma) t alpha.
  Proof.
    intros gamma Hg Hlam t alpha. apply lemma_2 with gamma; try assumption; intros i Hi.
    - apply squared_smooth, Hg.
    - apply squared_conjugate, Hg.
    - apply squared_domain, Hg.
  Qed.

  Hypothesis labels : forall i, (i < n)%nat -> is_label (y i).

  Theorem lemma_2_smoothed_hinge : forall gamma, 0 < gamma -> 4 / (INR n * gamma) <= lam ->
    forall t alpha, (forall i, (i < n)%nat -> -1 <= y i * alpha i <= 0) ->
    bound (smoothed_hinge gamma) (smoothed_hinge_deriv gamma) (smoothed_hinge_conj gamma) t alpha.
  Proof.
    intros gamma Hg Hlam t alpha Ha. apply lemma_2 with gamma; try assumption; intros i Hi.
    - apply smoothed_hinge_smooth; auto.
    - apply smoothed_hinge_conjugate; auto.
    - apply smoothed_hinge_domain; auto.
  Qed.

  Theorem lemma_2_squared_hinge : 4 / (INR n * (1 / 2)) <= lam ->
    forall t alpha, (forall i, (i < n)%nat -> y i * alpha i <= 0) ->
    bound squared_hinge squared_hinge_deriv squared_hinge_conj t alpha.
  Proof.
    intros Hlam t alpha Ha. apply lemma_2 with (1 / 2); try assumption; try lra; intros i Hi.
    - apply squared_hinge_smooth; auto.
    - apply squared_hinge_conjugate; auto.
    - apply squared_hinge_domain; auto.
  Qed.

  Theorem lemma_2_logistic : 4 / (INR n * 4) <= lam ->
    forall t alpha, (forall i, (i < n)%nat -> -1 <= y i * alpha i <= 0) ->
    bound logistic logistic_deriv logistic_conj t alpha.
  Proof.
    intros Hlam t alpha Ha. apply lemma_2 with 4; try assumption; try lra; intros i Hi.
    - apply logistic_smooth; auto.
    - apply logistic_conjugate; auto.
    - apply logistic_domain; auto.
  Qed.
End Concrete.
