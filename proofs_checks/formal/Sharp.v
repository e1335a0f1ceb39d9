(* The sharp forms in one place: one step with each row's own norm, (A17) with its two constants, and the rate with
   the best constant, 1 + R^2/(mu gamma) instead of 2n. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Damped.
Open Scope R_scope.

Section Sharp.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R).
  Variables (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (gamma mu : R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis mu_pos : 0 < mu.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis strong : strongly_convex d g mu.
  Hypothesis pair : conjugate_pair d g gs dg.
  Let n_INR : 0 < INR n := INR_pos n n_pos.
  Let DD := dual n X phis gs.
  Let step := step_of n d X dphi dg.

  (* z = x_i^T w(alpha), delta = phi_i'(z) - alpha_i, FY = phi_i(z) + phi_i*(alpha_i) - alpha_i z, K = ||x_i||^2/(mu n gamma). *)
  Theorem one_step_sharp : forall alpha i, feasible n phi alpha -> (i < n)%nat ->
    let z := dot d (X i) (dg (u_of n X alpha)) in
    let delta := dphi i z - alpha i in
    let FY := phi i z + phis i (alpha i) - alpha i * z in
    let K := norm2 d (X i) / (mu * INR n * gamma) in
    FY / INR n - norm2 d (X i) * delta ^ 2 / (2 * mu * INR n ^ 2) <= DD (step alpha i) - DD alpha
    /\ gamma / 2 * delta ^ 2 <= FY
    /\ (1 - K) * FY / INR n <= DD (step alpha i) - DD alpha.
  Proof.
    intros alpha i Hf Hi z delta FY K.
    pose proof (step_increase n d X phi dphi phis g gs dg gamma mu n_pos mu_pos losses conjugates strong pair alpha i Hi) as H.
    cbv zeta beta in H. fold z delta in H. unfold residual in H. fold FY DD step in H.
    pose proof (residual_lower _ _ _ gamma z (alpha i) gamma_pos (losses i Hi) (conjugates i Hi) (Hf i Hi)) as HFY.
    fold delta FY in HFY.
    set (I := DD (step alpha i) - DD alpha) in *. set (r := norm2 d (X i)) in *.
    assert (A : FY / INR n - r * delta ^ 2 / (2 * mu * INR n ^ 2) <= I).
    { apply Rmult_le_reg_l with (INR n); [exact n_INR|].
      replace (INR n * (FY / INR n - r * delta ^ 2 / (2 * mu * INR n ^ 2)))
        with (FY - r * delta ^ 2 / (2 * mu * INR n)) by (field; lra). exact H. }
    split; [exact A | split; [exact HFY|]].
    apply Rle_trans with (2 := A).
    assert (Hc : 0 <= r / (mu * INR n ^ 2 * gamma)).
    { apply Rle_mult_inv_pos; [apply norm2_nonneg|].
      apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [exact mu_pos | apply pow_lt, n_INR] | exact gamma_pos]. }
    pose proof (Rmult_le_compat_l _ _ _ Hc HFY) as M.
    replace ((1 - K) * FY / INR n) with (FY / INR n - r / (mu * INR n ^ 2 * gamma) * FY) by (unfold K; field; lra).
    replace (r * delta ^ 2 / (2 * mu * INR n ^ 2)) with (r / (mu * INR n ^ 2 * gamma) * (gamma / 2 * delta ^ 2))
      by (field; lra). lra.
  Qed.

  Variable R2 : R.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Let G := gap_of n d X phi phis g gs dg.
  Let s := 1 - R2 / (mu * INR n * gamma).

  (* Path by path: at every state the gap is at most n/s times what is left to gain. *)
  Theorem gap_pathwise : 0 < s -> forall D_star, is_lub (values (feasible n phi) DD) D_star ->
    forall alpha, feasible n phi alpha -> G alpha <= INR n / s * (D_star - DD alpha).
  Proof.
    intros Hs D_star Hlub alpha Hf. replace (INR n / s) with (/ (s / INR n)) by (field; lra).
    apply (gap_le_suboptimality n step (feasible n phi) DD G (s / INR n)); try assumption.
    - apply rho_range with (d := d) (X := X) (R2 := R2); assumption.
    - intros a i Ha Hi. apply step_feasible with (phi := phi) (gamma := gamma); assumption.
    - intros a Ha. apply mean_increase with (phi := phi) (dphi := dphi) (g := g); assumption.
  Qed.

  Theorem sharp_rate_best : 0 < s -> forall D_star, is_lub (values (feasible n phi) DD) D_star ->
    forall t alpha, feasible n phi alpha ->
    Expect n step t G alpha <= (1 + R2 / (mu * gamma)) * ((1 - s / INR n) ^ t * (D_star - DD alpha)).
  Proof.
    intros Hs D_star Hlub t alpha Hf.
    assert (HR : 0 <= 1 + R2 / (mu * gamma)).
    { enough (0 <= R2 / (mu * gamma)) by lra. apply Rle_mult_inv_pos; [|apply Rmult_lt_0_compat; assumption].
      eapply Rle_trans; [apply norm2_nonneg | apply (rows 0%nat n_pos)]. }
    apply Rle_trans with (Expect n step t (fun a => (1 + R2 / (mu * gamma)) * (D_star - DD a)) alpha).
    - apply Expect_le with (I := feasible n phi); try assumption.
      + intros a i Ha Hi. apply step_feasible with (phi := phi) (gamma := gamma); assumption.
      + intros a Ha. apply gap_bound with (dphi := dphi); assumption.
    - rewrite Expect_scal. apply Rmult_le_compat_l; [exact HR|].
      apply dual_rate_general with (phi := phi) (g := g); assumption.
  Qed.
End Sharp.

(* (A17) as printed, for rows of any norm. *)
Theorem a17 : forall n d X phi dphi phis gamma lam R2,
  (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  4 * R2 / (INR n * gamma) <= lam ->
  forall alpha, feasible n phi alpha ->
  1 / (2 * INR n) * gap n d X phi phis lam alpha
  <= avg n (fun i => D n d X phis lam (aspdc_step n d X dphi lam alpha i) - D n d X phis lam alpha).
Proof.
  intros n d X phi dphi phis gamma lam R2 Hn Hg Hl losses conjugates rows Hlam alpha Hf.
  pose proof (INR_pos n Hn) as Hn'.
  eapply Rle_trans; [|apply one_step_mean with (gamma := gamma) (R2 := R2) (phi := phi); assumption].
  apply Rmult_le_compat_r; [apply gap_nonneg; assumption|].
  assert (Hs : 1 / 2 <= 1 - R2 / (lam * INR n * gamma)).
  { apply (s_half n gamma lam Hn Hg Hl R2). eapply Rle_trans; [|exact Hlam].
    assert (HR : 0 <= R2) by (eapply Rle_trans; [apply norm2_nonneg | apply (rows 0%nat Hn)]).
    unfold Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption | lra]. }
  replace (1 / (2 * INR n)) with (1 / 2 * / INR n) by (field; lra).
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hn' | exact Hs].
Qed.
