(* SPDC, Theorem 1 at the steps of (16): the rate, the number of iterations, the closed steps of two losses with L2; batches of m rows
   and one row. *)
From Coq Require Import Reals Lra Lia Psatz Arith List.
From Dualgap Require Import Definitions Sums Convex Expectation Main Losses Sdca Spdc.
Open Scope R_scope.

Lemma ratio_one : forall n m, (0 < m <= n)%nat -> 1 <= INR n / INR m.
Proof.
  intros n m H. pose proof (INR_pos m ltac:(lia)). apply Rmult_le_reg_r with (INR m); [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra. apply le_INR. lia.
Qed.

Lemma ratio_of_one : forall n, INR n / INR 1 = INR n.
Proof. intros n. simpl (INR 1). field. Qed.

Section SixteenSteps.
  Variables (q R2 gamma lam c : R).
  Hypothesis q_one : 1 <= q.
  Hypothesis R2_pos : 0 < R2.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis c_range : 1 <= c.
  Let r := sqrt R2.
  Let root := sqrt (q * lam / gamma).
  Let p := sqrt (q / (lam * gamma)).
  Let theta := spdc_theta c q R2 gamma lam.
  Let r_pos : 0 < r. Proof. apply sqrt_lt_R0, R2_pos. Qed.
  Let root_pos : 0 < root. Proof. apply sqrt_lt_R0. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. Qed.
  Let p_pos : 0 < p. Proof. apply sqrt_lt_R0. apply Rdiv_lt_0_compat; [|apply Rmult_lt_0_compat]; lra. Qed.
  Let r_square : r * r = R2. Proof. apply sqrt_sqrt. lra. Qed.

  Lemma p_root : p * root = q / gamma.
  Proof.
    unfold p, root. rewrite <- sqrt_mult by (apply Rlt_le, Rdiv_lt_0_compat; try apply Rmult_lt_0_compat; lra).
    replace (q / (lam * gamma) * (q * lam / gamma)) with ((q / gamma) * (q / gamma)) by (field; lra).
    apply sqrt_square, Rlt_le, Rdiv_lt_0_compat; lra.
  Qed.

  Lemma root_root : root * root = q * lam / gamma.
  Proof. apply sqrt_sqrt, Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. Qed.

  Lemma tau_value : spdc_tau q R2 gamma lam = / (2 * r * root).
  Proof.
    unfold spdc_tau. fold r. assert (E : sqrt (gamma / (q * lam)) * root = 1).
    { unfold root. rewrite <- sqrt_mult by (apply Rlt_le, Rdiv_lt_0_compat; try apply Rmult_lt_0_compat; lra).
      replace (gamma / (q * lam) * (q * lam / gamma)) with 1 by (field; lra). apply sqrt_1. }
    apply Rmult_eq_reg_r with root; [|lra]. rewrite Rmult_assoc, E. field. lra.
  Qed.

  Lemma sigma_value : spdc_sigma q R2 gamma lam = root / (2 * r).
  Proof. unfold spdc_sigma. fold r root. field. lra. Qed.

  Lemma tau_is_pos : 0 < spdc_tau q R2 gamma lam.
  Proof. rewrite tau_value. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra. Qed.

  Lemma sigma_is_pos : 0 < spdc_sigma q R2 gamma lam.
  Proof. rewrite sigma_value. apply Rdiv_lt_0_compat; lra. Qed.

  Lemma steps_fit : 4 * (spdc_tau q R2 gamma lam * spdc_sigma q R2 gamma lam) * R2 <= 1.
  Proof. rewrite tau_value, sigma_value, <- r_square. right. field. lra. Qed.

  Lemma large : 0 < q + c * (r * p).
  Proof. assert (0 < c * (r * p)) by (repeat apply Rmult_lt_0_compat; lra). lra. Qed.

  Lemma theta_value : theta * (q + c * (r * p)) = q + c * (r * p) - 1.
  Proof. unfold theta, spdc_theta. fold r p. pose proof large. field. lra. Qed.

  Lemma theta_in_range : 0 <= theta <= 1.
  Proof.
    pose proof large as H. pose proof theta_value as E. split; apply Rmult_le_reg_r with (q + c * (r * p)); try exact H; rewrite E; [|lra].
    assert (0 < c * (r * p)) by (repeat apply Rmult_lt_0_compat; lra). lra.
  Qed.

  Lemma theta_for_rows : q - 1 <= theta * q.
  Proof.
    apply Rmult_le_reg_r with (q + c * (r * p)); [apply large|].
    replace (theta * q * (q + c * (r * p))) with (q * (theta * (q + c * (r * p)))) by ring. rewrite theta_value.
    assert (0 < c * (r * p)) by (repeat apply Rmult_lt_0_compat; lra). lra.
  Qed.

  Lemma theta_for_primal : 1 <= theta * (1 + 2 * lam * spdc_tau q R2 gamma lam).
  Proof.
    assert (E : 2 * lam * spdc_tau q R2 gamma lam = / (r * p)).
    { rewrite tau_value. assert (El : lam = root * root * gamma / q) by (rewrite root_root; field; lra). rewrite El at 1.
      assert (Ep : p = q / (gamma * root)) by (apply Rmult_eq_reg_r with root; [rewrite p_root; field; lra | lra]). rewrite Ep. field. lra. }
    rewrite E. assert (Hrp : 0 < r * p) by (apply Rmult_lt_0_compat; lra). apply Rmult_le_reg_r with ((q + c * (r * p)) * (r * p)).
    - apply Rmult_lt_0_compat; [apply large | exact Hrp].
    - replace (theta * (1 + / (r * p)) * ((q + c * (r * p)) * (r * p))) with (theta * (q + c * (r * p)) * (r * p + 1)) by (field; lra).
      rewrite theta_value. assert (r * p * 1 <= r * p * c) by (apply Rmult_le_compat_l; lra). lra.
  Qed.

  Lemma theta_for_dual : (1 - theta) * (q + q / (2 * spdc_sigma q R2 gamma lam * gamma)) <= 1.
  Proof.
    assert (E : q / (2 * spdc_sigma q R2 gamma lam * gamma) = r * p).
    { rewrite sigma_value. assert (Ep : p = q / (gamma * root)) by (apply Rmult_eq_reg_r with root; [rewrite p_root; field; lra | lra]).
      rewrite Ep. field. lra. }
    rewrite E. apply Rmult_le_reg_r with (q + c * (r * p)); [apply large|].
    replace ((1 - theta) * (q + r * p) * (q + c * (r * p)))
      with ((q + c * (r * p) - theta * (q + c * (r * p))) * (q + r * p)) by ring. rewrite theta_value.
    assert (0 < r * p) by (apply Rmult_lt_0_compat; lra). assert (r * p * 1 <= r * p * c) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
End SixteenSteps.

(* Theorem 1: c = 2 as printed, c = 1 with R instead of 2R; batches of m rows from N that are equally likely. *)
Section Theorem1.
  Variables (n m d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (g : (nat -> R) -> R).
  Variables (gamma lam R2 c : R) (w_opt alpha_opt : nat -> R) (N : nat) (batch : nat -> list nat) (step : spdc_state -> nat -> spdc_state).
  Hypothesis m_range : (0 < m <= n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis R2_pos : 0 < R2.
  Hypothesis c_range : 1 <= c.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis strong : strongly_convex d g lam.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Hypothesis saddle : spdc_saddle n d X phi phis g w_opt alpha_opt.
  Hypothesis fair : fair_batches n m N batch.
  Let q := INR n / INR m.
  Let tau := spdc_tau q R2 gamma lam.
  Let sigma := spdc_sigma q R2 gamma lam.
  Let theta := spdc_theta c q R2 gamma lam.
  Let Delta := spdc_delta n m d X phis g gamma lam tau sigma w_opt alpha_opt.
  Hypothesis rule : spdc_batch_rule n m d X phi phis g tau sigma theta N batch step.

  Let q_one : 1 <= q.
  Proof. apply ratio_one, m_range. Qed.

  Theorem spdc_batch_theorem_1 : forall t alpha w, feasible n phi alpha ->
    Expect N step t Delta (spdc alpha w w)
    <= theta ^ t * (Delta (spdc alpha w w) + norm2 n (fun i => alpha i - alpha_opt i) / (4 * INR m * sigma)).
  Proof.
    intros t alpha w Hf. apply spdc_batch_contraction with (phi := phi) (dphi := dphi) (R2 := R2) (batch := batch); try assumption.
    - apply tau_is_pos; assumption.
    - apply sigma_is_pos; assumption.
    - apply steps_fit; assumption.
    - apply theta_in_range; assumption.
    - apply theta_for_rows; assumption.
    - apply theta_for_primal; assumption.
    - apply theta_for_dual; assumption.
  Qed.

  (* The rate that it gives: this many iterations for E Delta <= eps. *)
  Theorem spdc_batch_iterations : forall t alpha w C eps, feasible n phi alpha -> 0 < C -> 0 < eps ->
    Delta (spdc alpha w w) + norm2 n (fun i => alpha i - alpha_opt i) / (4 * INR m * sigma) <= C ->
    (q + c * (sqrt R2 * sqrt (q / (lam * gamma)))) * ln (C / eps) <= INR t ->
    Expect N step t Delta (spdc alpha w w) <= eps.
  Proof.
    intros t alpha w C eps Hf HC He HCb Ht. eapply Rle_trans; [apply spdc_batch_theorem_1; exact Hf|].
    pose proof (theta_in_range q R2 gamma lam c q_one R2_pos gamma_pos lam_pos c_range) as Hrange. fold theta in Hrange.
    pose proof (large q R2 gamma lam c q_one R2_pos gamma_pos lam_pos c_range) as Hlarge.
    apply Rle_trans with (theta ^ t * C); [apply Rmult_le_compat_l; [apply pow_le; lra | exact HCb]|].
    set (rate := / (q + c * (sqrt R2 * sqrt (q / (lam * gamma))))) in *.
    assert (Er : theta = 1 - rate) by reflexivity. rewrite Er. apply iterations_suffice; try assumption.
    - split; [apply Rinv_0_lt_compat, Hlarge | lra].
    - unfold rate. rewrite Rinv_inv. exact Ht.
  Qed.
End Theorem1.

(* One row a step. *)
Theorem spdc_theorem_1 : forall n d X phi dphi phis g gamma lam R2 c w_opt alpha_opt step,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 -> 1 <= c ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  spdc_saddle n d X phi phis g w_opt alpha_opt ->
  let tau := spdc_tau (INR n) R2 gamma lam in let sigma := spdc_sigma (INR n) R2 gamma lam in let theta := spdc_theta c (INR n) R2 gamma lam in
  let Delta := spdc_delta n 1 d X phis g gamma lam tau sigma w_opt alpha_opt in
  spdc_rule n d X phi phis g tau sigma theta step ->
  forall t alpha w, feasible n phi alpha ->
  Expect n step t Delta (spdc alpha w w)
  <= theta ^ t * (Delta (spdc alpha w w) + norm2 n (fun i => alpha i - alpha_opt i) / (4 * sigma)).
Proof.
  intros n d X phi dphi phis g gamma lam R2 c w_opt alpha_opt step Hn Hg Hl HR Hc Hs Hcj Hst Hrows Hsad tau sigma theta Delta Hrule t alpha w Hf.
  pose proof (spdc_batch_theorem_1 n 1 d X phi dphi phis g gamma lam R2 c w_opt alpha_opt n one_row step ltac:(lia) Hg Hl HR Hc Hs Hcj Hst Hrows Hsad
    (one_row_fair n Hn)) as H. rewrite ratio_of_one in H. replace (4 * INR 1) with 4 in H by (simpl; ring).
  apply H; [apply one_row_rule, Hrule | exact Hf].
Qed.

Theorem spdc_iterations : forall n d X phi dphi phis g gamma lam R2 c w_opt alpha_opt step eps,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 -> 1 <= c -> 0 < eps ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  spdc_saddle n d X phi phis g w_opt alpha_opt ->
  let tau := spdc_tau (INR n) R2 gamma lam in let sigma := spdc_sigma (INR n) R2 gamma lam in let theta := spdc_theta c (INR n) R2 gamma lam in
  let Delta := spdc_delta n 1 d X phis g gamma lam tau sigma w_opt alpha_opt in
  spdc_rule n d X phi phis g tau sigma theta step ->
  forall t alpha w C, feasible n phi alpha -> 0 < C ->
  Delta (spdc alpha w w) + norm2 n (fun i => alpha i - alpha_opt i) / (4 * sigma) <= C ->
  (INR n + c * (sqrt R2 * sqrt (INR n / (lam * gamma)))) * ln (C / eps) <= INR t ->
  Expect n step t Delta (spdc alpha w w) <= eps.
Proof.
  intros n d X phi dphi phis g gamma lam R2 c w_opt alpha_opt step eps Hn Hg Hl HR Hc He Hs Hcj Hst Hrows Hsad tau sigma theta Delta Hrule
    t alpha w C Hf HC HCb Ht.
  pose proof (spdc_batch_iterations n 1 d X phi dphi phis g gamma lam R2 c w_opt alpha_opt n one_row step ltac:(lia) Hg Hl HR Hc Hs Hcj Hst Hrows Hsad
    (one_row_fair n Hn)) as H. rewrite ratio_of_one in H. replace (4 * INR 1) with 4 in H by (simpl; ring).
  apply H with (C := C); try assumption. apply one_row_rule, Hrule.
Qed.

(* (8) for L2: the closed form is the minimiser. *)
Lemma l2_step_minimises : forall d lam tau v w x, 0 < lam -> 0 < tau ->
  spdc_primal_value d (l2 d lam) tau v w (fun j => (w j - tau * v j) / (1 + lam * tau)) <= spdc_primal_value d (l2 d lam) tau v w x.
Proof.
  intros d lam tau v w x Hl Ht. assert (Hlt : 0 < lam * tau) by (apply Rmult_lt_0_compat; assumption).
  set (p := fun j => (w j - tau * v j) / (1 + lam * tau)). unfold spdc_primal_value, l2.
  assert (H : 0 <= (1 / (2 * tau) + lam / 2) * norm2 d (fun j => x j - p j)).
  { apply Rmult_le_pos; [|apply norm2_nonneg]. assert (0 < 1 / (2 * tau)) by (apply Rdiv_lt_0_compat; lra). lra. }
  enough (E : lam / 2 * norm2 d x + dot d v x + norm2 d (fun j => x j - w j) / (2 * tau)
    = lam / 2 * norm2 d p + dot d v p + norm2 d (fun j => p j - w j) / (2 * tau) + (1 / (2 * tau) + lam / 2) * norm2 d (fun j => x j - p j)) by lra.
  assert (Hw : forall j, w j = (1 + lam * tau) * p j + tau * v j) by (intros; unfold p; field; lra).
  rewrite (norm2_ext d (fun j => x j - w j) (fun j => (x j - (1 + lam * tau) * p j) - tau * v j)) by (intros; rewrite Hw; ring).
  rewrite (norm2_ext d (fun j => p j - w j) (fun j => - (lam * tau) * p j - tau * v j)) by (intros; rewrite Hw; ring).
  rewrite !norm2_minus, !norm2_scal, !dot_minus_l, !dot_scal_r, !dot_scal_l, (dot_comm d v x), (dot_comm d v p). field. lra.
Qed.

(* (7) solved, for one row. *)
Definition maximises_dual (f fs : R -> R) (sigma : R) (prox : R -> R -> R -> R) : Prop := forall a z,
  conj_dom f (prox sigma a z) /\ forall c, conj_dom f c -> spdc_dual_value fs sigma z a c <= spdc_dual_value fs sigma z a (prox sigma a z).

Lemma squared_prox_maximises : forall gamma y sigma, 0 < gamma -> 0 < sigma ->
  maximises_dual (squared gamma y) (squared_conj gamma y) sigma (squared_prox gamma y).
Proof.
  intros gamma y sigma gamma_pos sigma_pos a z. set (b := squared_prox gamma y sigma a z). split; [apply squared_domain, gamma_pos|].
  intros c _. unfold spdc_dual_value, squared_conj. assert (Hsg : 0 < sigma * gamma) by (apply Rmult_lt_0_compat; assumption).
  assert (Hz : z = y + gamma * b + (b - a) / sigma) by (unfold b, squared_prox; field; lra).
  assert (H : 0 <= (1 / (2 * sigma) + gamma / 2) * (c - b) ^ 2).
  { apply Rmult_le_pos; [|apply pow2_ge_0]. assert (0 < 1 / (2 * sigma)) by (apply Rdiv_lt_0_compat; lra). lra. }
  enough (E : b * z - (y * b + gamma * b ^ 2 / 2) - (b - a) ^ 2 / (2 * sigma)
    = c * z - (y * c + gamma * c ^ 2 / 2) - (c - a) ^ 2 / (2 * sigma) + (1 / (2 * sigma) + gamma / 2) * (c - b) ^ 2) by lra.
  rewrite Hz. field. lra.
Qed.

Lemma smoothed_hinge_prox_maximises : forall gamma y sigma, 0 < gamma -> is_label y -> 0 < sigma ->
  maximises_dual (smoothed_hinge gamma y) (smoothed_hinge_conj gamma y) sigma (smoothed_hinge_prox gamma y).
Proof.
  intros gamma y sigma gamma_pos Hy sigma_pos a z. set (b := smoothed_hinge_prox gamma y sigma a z).
  assert (Hyy : y * y = 1) by (apply label_square, Hy).
  assert (Hsg : 0 < sigma * gamma) by (apply Rmult_lt_0_compat; assumption).
  unfold smoothed_hinge_prox in b. set (m := (sigma * (1 - y * z) - y * a) / (1 + sigma * gamma)) in *.
  assert (Hclip : 0 <= clip01 m <= 1) by (unfold clip01; split; [apply Rmax_l | apply Rmax_lub; [lra | apply Rmin_l]]).
  assert (Hyb : y * b = - clip01 m) by (unfold b; replace (y * (- y * clip01 m)) with (- (y * y * clip01 m)) by ring; rewrite Hyy; ring).
  split; [apply smoothed_hinge_domain; [exact gamma_pos | exact Hy | lra]|].
  intros c Hc. apply smoothed_hinge_domain in Hc; [|exact gamma_pos | exact Hy].
  unfold spdc_dual_value, smoothed_hinge_conj. set (p := clip01 m) in *. set (q := - (y * c)). assert (Hq : 0 <= q <= 1) by (unfold q; lra).
  pose proof (clip01_nearest m q Hq) as Hn. fold p in Hn.
  assert (Hm : sigma * (1 - y * z) = (1 + sigma * gamma) * m + y * a) by (unfold m; field; lra).
  assert (Hval : forall r v, y * v = - r ->
    v * z - (y * v + gamma * v ^ 2 / 2) - (v - a) ^ 2 / (2 * sigma)
    = (1 + sigma * gamma) / (2 * sigma) * m ^ 2 - (y * a) ^ 2 / (2 * sigma) - (1 + sigma * gamma) / (2 * sigma) * (r - m) ^ 2).
  { intros r v Hv. assert (Ev : v = - y * r) by (replace v with (y * y * v) by (rewrite Hyy; ring); rewrite Rmult_assoc, Hv; ring).
    assert (E1 : v * z - y * v = r * (1 - y * z)).
    { rewrite Ev. replace (- y * r * z - y * (- y * r)) with (y * y * r - r * (y * z)) by ring. rewrite Hyy. ring. }
    assert (E2 : v ^ 2 = r ^ 2) by (rewrite Ev; replace ((- y * r) ^ 2) with (y * y * r ^ 2) by ring; rewrite Hyy; ring).
    assert (E3 : (v - a) ^ 2 = (r + y * a) ^ 2).
    { replace ((v - a) ^ 2) with (y * y * (v - a) ^ 2) by (rewrite Hyy; ring).
      replace (y * y * (v - a) ^ 2) with ((y * v - y * a) ^ 2) by ring. rewrite Hv. ring. }
    assert (E4 : r * (1 - y * z) = r * ((1 + sigma * gamma) * m + y * a) / sigma) by (rewrite <- Hm; field; lra).
    rewrite E2, E3. replace (v * z - (y * v + gamma * r ^ 2 / 2)) with (v * z - y * v - gamma * r ^ 2 / 2) by ring.
    rewrite E1, E4. field. lra. }
  rewrite (Hval p b Hyb), (Hval q c) by (unfold q; ring).
  assert (0 < (1 + sigma * gamma) / (2 * sigma)) by (apply Rdiv_lt_0_compat; lra).
  assert ((1 + sigma * gamma) / (2 * sigma) * (p - m) ^ 2 <= (1 + sigma * gamma) / (2 * sigma) * (q - m) ^ 2) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Section Closed.
  Variables (n d : nat) (X : nat -> nat -> R) (y : nat -> R) (gamma lam tau sigma theta : R).
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis tau_pos : 0 < tau.
  Hypothesis sigma_pos : 0 < sigma.

  Lemma l2_rule : forall phi phis prox, (forall i, (i < n)%nat -> maximises_dual (phi i) (phis i) sigma (prox i)) ->
    spdc_rule n d X phi phis (l2 d lam) tau sigma theta (spdc_l2_step n d X prox lam tau sigma theta).
  Proof.
    intros phi phis prox best s k _ Hk. unfold spdc_follows, spdc_l2_step. cbn [sp_alpha sp_w sp_before]. rewrite upd_same.
    destruct (best k Hk (sp_alpha s k) (dot d (X k) (sp_bar theta s))) as [Hdom Hmax].
    split; [reflexivity|]. split; [reflexivity|]. split; [exact Hdom|]. split; [exact Hmax|]. intros x. apply l2_step_minimises; assumption.
  Qed.

  Lemma l2_batch_rule : forall m N batch phi phis prox, fair_batches n m N batch ->
    (forall i, (i < n)%nat -> maximises_dual (phi i) (phis i) sigma (prox i)) ->
    spdc_batch_rule n m d X phi phis (l2 d lam) tau sigma theta N batch (spdc_l2_batch_step n m d X prox lam tau sigma theta batch).
  Proof.
    intros m N batch phi phis prox [Hbatch _] best s b _ Hb. destruct (Hbatch b Hb) as (_ & _ & Hin).
    unfold spdc_batch_follows, spdc_l2_batch_step. cbn [sp_alpha sp_w sp_before]. split; [reflexivity|]. split; [|split].
    - intros i Hi. destruct (in_dec Nat.eq_dec i (batch b)); [contradiction | reflexivity].
    - intros i Hi. destruct (in_dec Nat.eq_dec i (batch b)); [|contradiction]. apply best, Hin, Hi.
    - intros x. apply l2_step_minimises; assumption.
  Qed.

  Theorem spdc_squared_rule : spdc_rule n d X (fun i => squared gamma (y i)) (fun i => squared_conj gamma (y i)) (l2 d lam) tau sigma theta
    (spdc_l2_step n d X (fun i => squared_prox gamma (y i)) lam tau sigma theta).
  Proof. apply l2_rule. intros. apply squared_prox_maximises; assumption. Qed.

  Theorem spdc_smoothed_hinge_rule : (forall i, (i < n)%nat -> is_label (y i)) ->
    spdc_rule n d X (fun i => smoothed_hinge gamma (y i)) (fun i => smoothed_hinge_conj gamma (y i)) (l2 d lam) tau sigma theta
    (spdc_l2_step n d X (fun i => smoothed_hinge_prox gamma (y i)) lam tau sigma theta).
  Proof. intros Hy. apply l2_rule. intros. apply smoothed_hinge_prox_maximises; auto. Qed.

  (* The same with batches. *)
  Theorem spdc_batch_squared_rule : forall m N batch, fair_batches n m N batch ->
    spdc_batch_rule n m d X (fun i => squared gamma (y i)) (fun i => squared_conj gamma (y i)) (l2 d lam) tau sigma theta N batch
    (spdc_l2_batch_step n m d X (fun i => squared_prox gamma (y i)) lam tau sigma theta batch).
  Proof. intros m N batch fair. apply l2_batch_rule; [exact fair|]. intros. apply squared_prox_maximises; assumption. Qed.

  Theorem spdc_batch_smoothed_hinge_rule : forall m N batch, fair_batches n m N batch -> (forall i, (i < n)%nat -> is_label (y i)) ->
    spdc_batch_rule n m d X (fun i => smoothed_hinge gamma (y i)) (fun i => smoothed_hinge_conj gamma (y i)) (l2 d lam) tau sigma theta N batch
    (spdc_l2_batch_step n m d X (fun i => smoothed_hinge_prox gamma (y i)) lam tau sigma theta batch).
  Proof. intros m N batch fair Hy. apply l2_batch_rule; [exact fair|]. intros. apply smoothed_hinge_prox_maximises; auto. Qed.
End Closed.

(* A point where alpha_i = phi_i'(x_i^T w) and w = -u/lam is a saddle point. *)
Theorem spdc_saddle_point : forall n d X phi dphi phis gamma lam w alpha, 0 < lam ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> alpha i = dphi i (dot d (X i) w)) -> (forall j, (j < d)%nat -> lam * w j = - mean_row n X alpha j) ->
  spdc_saddle n d X phi phis (l2 d lam) w alpha.
Proof.
  intros n d X phi dphi phis gamma lam w alpha Hl Hs Hc Ha Hw. split; [|split].
  - intros i Hi. rewrite (Ha i Hi). apply derivative_in_domain with (df := dphi i) (gamma := gamma), Hs, Hi.
  - intros v. unfold l2. set (u := mean_row n X alpha) in *.
    rewrite (dot_ext d u (fun j => - lam * w j) w w), (dot_ext d u (fun j => - lam * w j) v v), !dot_scal_l
      by (intros; try (rewrite <- Ropp_mult_distr_l, Hw by assumption); auto; ring).
    pose proof (norm2_nonneg d (fun j => w j - v j)) as H. rewrite norm2_minus in H.
    apply Rmult_le_compat_l with (r := lam / 2) in H; [|lra]. change (norm2 d w) with (dot d w w) in *. lra.
  - intros i b Hi Hb. rewrite (Ha i Hi), (fenchel_equality (phi i) (dphi i) (phis i) gamma _ (Hs i Hi) (Hc i Hi)).
    pose proof (fenchel_young (phi i) (phis i) b (dot d (X i) w) (Hc i Hi) Hb). lra.
Qed.
