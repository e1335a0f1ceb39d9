(* SDCA on the paper's problem: its rate for every lam > 0, closed steps, its one-step advantage over ASPDC;
   and the gap bound P - D <= (1 + R^2/(lam gamma)) (D* - D), with what it gives for ASPDC. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Damped Sharp.
Open Scope R_scope.

Section Sdca.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam R2 : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.

Let n_INR : 0 < INR n := INR_pos n n_pos.
Let DD := D n d X phis lam.
Let G := gap n d X phi phis lam.

(* The objective is the dual value, up to what does not depend on b and the factor 1/n. *)
Lemma sdca_objective_is_dual : forall alpha i b, (i < n)%nat ->
  INR n * (DD (upd alpha i b) - DD alpha) = sdca_objective n d X phis lam alpha i b + phis i (alpha i).
Proof.
  intros alpha i b Hi. unfold DD. rewrite dual_change_L2 by assumption. unfold sdca_objective. field. lra.
Qed.

Section Choice.
Variable choice : (nat -> R) -> nat -> R.
Hypothesis best : sdca_choice n d X phi phis lam choice.

Theorem sdca_rate : forall t alpha, feasible n phi alpha ->
  Expect n (sdca_step choice) t (gap n d X phi phis lam) alpha
  <= (INR n + R2 / (lam * gamma)) * (1 - / (INR n + R2 / (lam * gamma))) ^ t * gap n d X phi phis lam alpha.
Proof.
  intros t alpha Hf.
  rewrite (Expect_same_step n (sdca_step choice) (fun a i => upd a i (choice a i)) _ _ (fun a i => eq_refl)
             (gap_eq n d X phi phis lam n_pos lam_pos)).
  rewrite (gap_eq n d X phi phis lam n_pos lam_pos).
  apply sdca_rate_general with (dphi := dphi); try assumption.
  - apply l2_pair, lam_pos.
  - intros a i Ha Hi. apply best; assumption.
  - intros a i b Ha Hi Hb. rewrite <- !(D_eq n d X phis lam n_pos lam_pos). fold (DD (upd a i (choice a i))) (DD a).
    rewrite sdca_objective_is_dual by exact Hi. destruct (best a i Ha Hi) as [_ H]. specialize (H b Hb).
    unfold sdca_objective in *. rewrite (dot_w n d X lam n_pos lam_pos) in *. lra.
Qed.

(* From the same state SDCA's step gains at least as much as ASPDC's, for every i. *)
Theorem sdca_gains_more : forall alpha i, feasible n phi alpha -> (i < n)%nat ->
  D n d X phis lam (aspdc_step n d X dphi lam alpha i) <= D n d X phis lam (sdca_step choice alpha i).
Proof.
  intros alpha i Hf Hi. destruct (best alpha i Hf Hi) as [_ H].
  specialize (H (dphi i (dot d (X i) (w_of n X lam alpha))) (derivative_in_domain _ _ gamma _ (losses i Hi))).
  pose proof (sdca_objective_is_dual alpha i (dphi i (dot d (X i) (w_of n X lam alpha))) Hi) as E1.
  pose proof (sdca_objective_is_dual alpha i (choice alpha i) Hi) as E2.
  unfold DD in *. unfold aspdc_step, sdca_step. apply Rmult_le_reg_l with (INR n); [exact n_INR|]. lra.
Qed.
End Choice.

Lemma lub_same : forall m, is_lub (values (feasible n phi) DD) m ->
  is_lub (values (feasible n phi) (dual n X phis (l2_conj d lam))) m.
Proof.
  intros m [Hub Hleast]. split.
  - intros r (a & Ha & ->). apply Hub. exists a. split; [exact Ha | symmetry; apply D_eq; assumption].
  - intros b Hb. apply Hleast. intros r (a & Ha & ->). apply Hb. exists a. split; [exact Ha | apply D_eq; assumption].
Qed.

Theorem gap_bound_L2 : forall D_star, is_lub (values (feasible n phi) (D n d X phis lam)) D_star ->
  forall alpha, feasible n phi alpha ->
  gap n d X phi phis lam alpha <= (1 + R2 / (lam * gamma)) * (D_star - D n d X phis lam alpha).
Proof.
  intros m Hm alpha Hf. rewrite (gap_eq n d X phi phis lam n_pos lam_pos), (D_eq n d X phis lam n_pos lam_pos).
  apply gap_bound with (dphi := dphi) (phi := phi) (g := l2 d lam) (dg := l2_grad lam) (X := X) (d := d); try assumption.
  - apply l2_strong.
  - apply l2_pair, lam_pos.
  - apply lub_same, Hm.
Qed.

(* The sharp rate of ASPDC with 1 + R^2/(lam gamma) instead of n/s: at lam = 4 R^2/(n gamma), 1 + n/4 for 4n/3. *)
Theorem sharp_rate_small_constant : let s := 1 - R2 / (lam * INR n * gamma) in 0 < s ->
  forall t alpha, feasible n phi alpha ->
  Expect n (aspdc_step n d X dphi lam) t (gap n d X phi phis lam) alpha
  <= (1 + R2 / (lam * gamma)) * (1 - s / INR n) ^ t * gap n d X phi phis lam alpha.
Proof.
  intros s Hs t alpha Hf.
  rewrite (Expect_same_step n _ _ _ _ (step_eq n d X dphi lam n_pos lam_pos) (gap_eq n d X phi phis lam n_pos lam_pos)).
  rewrite (gap_eq n d X phi phis lam n_pos lam_pos).
  set (g := l2 d lam). set (gs := l2_conj d lam). set (dg := l2_grad lam).
  assert (Hstrong : strongly_convex d g lam) by apply l2_strong.
  assert (Hpair : conjugate_pair d g gs dg) by apply l2_pair, lam_pos.
  assert (Hdual : forall a b, feasible n phi a -> feasible n phi b ->
    dual n X phis gs b <= dual n X phis gs a + gap_of n d X phi phis g gs dg a) by (apply duality_of_steps; assumption).
  destruct (optimum_exists (feasible n phi) _ _ Hdual alpha Hf) as [m Hm].
  assert (HK : 0 <= R2 / (lam * gamma)).
  { apply Rmult_le_pos; [apply (R2_ge_0 n d X R2); assumption | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  assert (Hr : 0 < s / INR n <= 1) by (apply rho_range with (d := d) (X := X) (R2 := R2); assumption).
  eapply Rle_trans; [apply sharp_rate_best with (gamma := gamma) (mu := lam) (R2 := R2) (D_star := m); assumption|].
  rewrite (Rmult_assoc (1 + R2 / (lam * gamma))). apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [apply pow_le; unfold s in *; lra|].
  apply (optimum_le (feasible n phi) _ _ Hdual); assumption.
Qed.
End Sdca.

(* The closed form of SDCA's step for squared loss, and for the smoothed hinge. *)
Theorem sdca_squared_best : forall n d X gamma y lam, (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  sdca_choice n d X (fun i => squared gamma (y i)) (fun i => squared_conj gamma (y i)) lam (sdca_squared n d X gamma y lam).
Proof.
  intros n d X gamma y lam Hn Hg Hl alpha i _ Hi. split; [apply squared_domain, Hg|]. intros b _.
  apply INR_pos in Hn. unfold sdca_objective, sdca_squared.
  set (z := dot d (X i) (w_of n X lam alpha)).
  assert (HN : 0 <= norm2 d (X i) / (lam * INR n)).
  { apply Rmult_le_pos; [apply norm2_nonneg | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  set (k := norm2 d (X i) / (lam * INR n)) in *.
  assert (Ek : forall q, norm2 d (X i) * q / (2 * lam * INR n) = k * q / 2) by (intros; unfold k; field; lra).
  assert (Ek' : norm2 d (X i) / (lam * INR n * gamma) = k / gamma) by (unfold k; field; lra).
  rewrite !Ek, Ek'. set (c := alpha i + (squared_deriv gamma (y i) z - alpha i) / (1 + k / gamma)).
  assert (Hc : c * (gamma + k) = z - y i + k * alpha i) by (unfold c, squared_deriv; field; lra).
  assert (Hsq : 0 <= (gamma + k) / 2 * (b - c) ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
  assert (Hbc : c * (gamma + k) * (b - c) = (z - y i + k * alpha i) * (b - c)) by (rewrite Hc; ring).
  unfold squared_conj. lra.
Qed.

Lemma clip01_nearest : forall c b, 0 <= b <= 1 -> (clip01 c - c) ^ 2 <= (b - c) ^ 2.
Proof.
  intros c b Hb. unfold clip01, Rmax, Rmin. pose proof (pow2_ge_0 (b - c)).
  destruct (Rle_dec 1 c) as [H1|H1]; destruct (Rle_dec 0 _) as [H2|H2];
    try apply Rnot_le_lt in H1; try apply Rnot_le_lt in H2; nra.
Qed.

Theorem sdca_smoothed_hinge_best : forall n d X gamma y lam, (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  (forall i, (i < n)%nat -> is_label (y i)) ->
  sdca_choice n d X (fun i => smoothed_hinge gamma (y i)) (fun i => smoothed_hinge_conj gamma (y i)) lam
    (sdca_smoothed_hinge n d X gamma y lam).
Proof.
  intros n d X gamma y lam Hn Hg Hl Hy alpha i _ Hi. apply INR_pos in Hn.
  unfold sdca_objective, sdca_smoothed_hinge.
  set (z := dot d (X i) (w_of n X lam alpha)).
  assert (HN : 0 <= norm2 d (X i) / (lam * INR n)).
  { apply Rmult_le_pos; [apply norm2_nonneg | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  set (k := norm2 d (X i) / (lam * INR n)) in *.
  assert (Ek : forall q, norm2 d (X i) * q / (2 * lam * INR n) = k * q / 2) by (intros; unfold k; field; lra).
  set (c := (1 - y i * z + k * - (y i * alpha i)) / (gamma + k)).
  assert (Hc : c * (gamma + k) = 1 - y i * z - k * (y i * alpha i)) by (unfold c; field; lra).
  assert (Hclip : 0 <= clip01 c <= 1).
  { unfold clip01. split; [apply Rmax_l | apply Rmax_lub; [lra | apply Rmin_l]]. }
  assert (Hyy : y i * y i = 1) by (apply label_square, Hy, Hi).
  split.
  - apply smoothed_hinge_domain; [exact Hg | apply Hy, Hi |].
    replace (y i * (- y i * clip01 c)) with (- (y i * y i * clip01 c)) by ring. rewrite Hyy. lra.
  - intros b Hb. apply smoothed_hinge_domain in Hb; [| exact Hg | apply Hy, Hi]. rewrite !Ek.
    set (p := clip01 c) in *. set (q := - (y i * b)).
    assert (Hq : 0 <= q <= 1) by (unfold q; lra).
    assert (Eb : b = - y i * q) by (unfold q; replace (- y i * - (y i * b)) with (y i * y i * b) by ring; rewrite Hyy; ring).
    pose proof (clip01_nearest c q Hq) as Hn2. fold p in Hn2.
    assert (Hn3 : (gamma + k) / 2 * (p - c) ^ 2 <= (gamma + k) / 2 * (q - c) ^ 2) by (apply Rmult_le_compat_l; lra).
    assert (Hval : forall r, (- y i * r - alpha i) * z - smoothed_hinge_conj gamma (y i) (- y i * r)
                             - k * (- y i * r - alpha i) ^ 2 / 2
            = (gamma + k) / 2 * c ^ 2 - alpha i * z - k * alpha i ^ 2 / 2 - (gamma + k) / 2 * (r - c) ^ 2).
    { intros r. unfold smoothed_hinge_conj.
      replace (y i * (- y i * r)) with (- (y i * y i * r)) by ring.
      replace (gamma * (- y i * r) ^ 2 / 2) with (gamma * (y i * y i * r ^ 2) / 2) by field.
      replace (k * (- y i * r - alpha i) ^ 2 / 2)
        with (k * (y i * y i * r ^ 2 + 2 * (y i * alpha i) * r + alpha i ^ 2) / 2) by field.
      rewrite Hyy. assert (Hr : c * (gamma + k) * r = (1 - y i * z - k * (y i * alpha i)) * r) by (rewrite Hc; ring). lra. }
    rewrite Eb, !Hval. lra.
Qed.
