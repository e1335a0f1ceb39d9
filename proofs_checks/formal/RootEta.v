(* Theorem 2 is false for eta = sqrt(lam/(lam + 2 kappa)): n = 1, x = 1/20, y = 1, gamma = 1, lam = 8/401,
   kappa = 4 - lam, exact inner solves.  Both the invariant and the promised iteration count fail. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Threshold Outer.
Open Scope R_scope.

Definition root_X : nat -> nat -> R := fun _ _ => 1 / 20.
Definition root_phi : nat -> R -> R := fun _ => squared 1 1.
Definition root_phis : nat -> R -> R := fun _ => squared_conj 1 1.
Definition root_lam : R := 8 / 401.
Definition root_kappa : R := 1596 / 401.
(* The exact solution of the inner problem with centre v, in the dual. *)
Definition root_alpha (v : R) : R := (1 / 20 * root_kappa * v - 4) / (4 + 1 / 400).
Fixpoint root_w (k : nat) : nat -> R :=
  match k with
  | O => fun _ => 0
  | S m => shifted_grad root_lam root_kappa (root_w m) (u_of 1 root_X (fun _ => root_alpha (root_w m 0%nat)))
  end.
Definition root_alpha_tilde (k : nat) : nat -> R :=
  fun _ => match k with O => 0 | S m => root_alpha (root_w m 0%nat) end.
Definition root_e : R := sqrt (eta root_lam root_kappa).
Definition root_optimum : R := 8020 / 3601.

Lemma root_e_value : root_e = 1 / 20.
Proof.
  unfold root_e, eta, root_lam, root_kappa.
  replace (8 / 401 / (8 / 401 + 2 * (1596 / 401))) with (1 / 20 * (1 / 20)) by field.
  apply sqrt_square. lra.
Qed.

Lemma root_w_step : forall k, root_w (S k) 0%nat
  = (root_kappa * root_w k 0%nat - 1 / 20 * root_alpha (root_w k 0%nat)) / 4.
Proof.
  intros k. cbn [root_w]. unfold shifted_grad, u_of, avg, root_X. simpl bsum. unfold root_lam, root_kappa. simpl INR. field.
Qed.

Lemma root_w_contraction : forall k, root_optimum - root_w k 0%nat = (638400 / 642001) ^ k * root_optimum.
Proof.
  induction k as [|k IH]; [simpl; unfold root_optimum; ring|].
  rewrite <- tech_pow_Rmult, Rmult_assoc, <- IH, root_w_step.
  unfold root_alpha, root_optimum, root_kappa. field.
Qed.

Lemma root_P : forall w, P 1 1 root_X root_phi root_lam w = (w 0%nat / 20 - 1) ^ 2 / 2 + 4 / 401 * w 0%nat ^ 2.
Proof. intros w. unfold P, avg, norm2, dot, root_X, root_phi, squared, root_lam. simpl. field. Qed.

Lemma root_error : forall k, P 1 1 root_X root_phi root_lam (root_w k) - P 1 1 root_X root_phi root_lam (fun _ => root_optimum)
  = 401 / 7202 * ((638400 / 642001) ^ k) ^ 2.
Proof.
  intros k. rewrite !root_P. pose proof (root_w_contraction k) as E. set (q := (638400 / 642001) ^ k) in *.
  replace (root_w k 0%nat) with (root_optimum - q * root_optimum) by lra. unfold root_optimum. field.
Qed.

Theorem root_run : aspdc_i_run 1 1 root_X root_phi root_phis root_lam root_kappa root_e (21 / 2) root_w root_alpha_tilde.
Proof.
  unfold aspdc_i_run. rewrite root_e_value. repeat split.
  - intros k i _. apply squared_domain. lra.
  - rewrite root_P. unfold D, avg, norm2, dot, w_of, root_phis, squared_conj, root_alpha_tilde. simpl. field.
    unfold root_lam. lra.
  - intros k. rewrite gap_as_residual by (try lia; apply shifted_pair; unfold root_lam, root_kappa; lra).
    apply Rle_trans with 0.
    + apply Req_le. change (shifted_grad root_lam root_kappa (root_w k) (u_of 1 root_X (root_alpha_tilde (S k))))
        with (root_w (S k)).
      unfold avg, residual. cbn [bsum]. unfold root_phi, root_phis. rewrite squared_residual by lra.
      unfold dot, squared_deriv. cbn [bsum]. rewrite root_w_step. unfold root_alpha_tilde, root_alpha, root_X, root_kappa. simpl INR. field.
    + unfold inner_tolerance, xi. assert (0 < (1 - 1 / 20 / 2) ^ k) by (apply pow_lt; lra). lra.
Qed.

Theorem theorem_2_root_false : exists k eps, 0 < eps /\ 2 / root_e * ln ((21 / 2) / eps) <= INR k /\
  eps < P 1 1 root_X root_phi root_lam (root_w k) - P 1 1 root_X root_phi root_lam (fun _ => root_optimum) /\
  xi root_e (21 / 2) k < P 1 1 root_X root_phi root_lam (root_w k) - P 1 1 root_X root_phi root_lam (fun _ => root_optimum).
Proof.
  assert (Hlarge : exists k, 15000 < INR k).
  { exists (Z.to_nat 15001). rewrite INR_IZR_INZ, Z2Nat.id by lia. lra. }
  destruct Hlarge as [k Hk]. set (eps := 21 / 2 * exp (- (1 / 40 * INR k))).
  assert (Hexp : 0 < exp (- (1 / 40 * INR k))) by apply exp_pos.
  assert (Heps : 0 < eps) by (unfold eps; lra).
  exists k, eps. rewrite root_e_value, root_error.
  assert (Hbig : eps < 401 / 7202 * ((638400 / 642001) ^ k) ^ 2).
  { assert (Hb : 1 + INR k * (1 / 75) <= (1 + 1 / 75) ^ k) by (apply poly; lra).
    assert (Hq : (1 + 1 / 75) ^ k <= ((638400 / 642001) ^ 2 * exp (1 / 40)) ^ k).
    { apply pow_incr. split; [lra|]. pose proof (exp_ge_1_plus (1 / 40)).
      apply Rle_trans with ((638400 / 642001) ^ 2 * (1 + 1 / 40)); [lra|]. apply Rmult_le_compat_l; [lra | assumption]. }
    rewrite Rpow_mult_distr in Hq.
    assert (He : exp (1 / 40) ^ k * exp (- (1 / 40 * INR k)) = 1).
    { rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp, <- exp_plus.
      replace (INR k * (1 / 40) + - (1 / 40 * INR k)) with 0 by ring. apply exp_0. }
    assert (Hs : ((638400 / 642001) ^ 2) ^ k = ((638400 / 642001) ^ k) ^ 2) by (rewrite <- !pow_mult; f_equal; lia).
    rewrite Hs in Hq. set (Q := ((638400 / 642001) ^ k) ^ 2) in *.
    assert (H3 : 189 * exp (- (1 / 40 * INR k)) <= Q * exp (1 / 40) ^ k * exp (- (1 / 40 * INR k)))
      by (apply Rmult_le_compat_r; lra).
    rewrite Rmult_assoc, He in H3. unfold eps. lra. }
  split; [exact Heps|]. split; [|split; [exact Hbig|]].
  - unfold eps. replace (21 / 2 / (21 / 2 * exp (- (1 / 40 * INR k)))) with (/ exp (- (1 / 40 * INR k))) by (field; lra).
    rewrite ln_Rinv, ln_exp by exact Hexp. lra.
  - eapply Rle_lt_trans; [|exact Hbig]. unfold xi, eps.
    pose proof (pow_le_exp (1 / 40) k ltac:(lra)) as Hp. replace (1 - 1 / 20 / 2) with (1 - 1 / 40) by field. lra.
Qed.
