(* The optimum exists: damped simultaneous steps drive the gap to zero, their w(alpha) form a Cauchy sequence,
   and its limit p attains P(p) = D*.  Hence strong duality, and the distance of w(alpha_t) to p. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Damped Outer.
Open Scope R_scope.

Lemma cv_const : forall c, Un_cv (fun _ => c) c.
Proof. intros c eps He. exists 0%nat. intros k _. rewrite R_dist_eq. exact He. Qed.

Lemma cv_ext : forall a b l, (forall k, a k = b k) -> Un_cv a l -> Un_cv b l.
Proof. intros a b l E H eps He. destruct (H eps He) as [N HN]. exists N. intros k Hk. rewrite <- E. apply HN, Hk. Qed.

Lemma cv_bsum : forall n (f : nat -> nat -> R) l, (forall i, (i < n)%nat -> Un_cv (fun k => f k i) (l i)) ->
  Un_cv (fun k => bsum n (f k)) (bsum n l).
Proof.
  induction n as [|n IH]; intros f l H; simpl; [apply cv_const|].
  apply CV_plus; [apply IH; intros i Hi | ]; apply H; lia.
Qed.

Lemma cv_dot : forall d (a b : nat -> nat -> R) p q, (forall j, (j < d)%nat -> Un_cv (fun k => a k j) (p j)) ->
  (forall j, (j < d)%nat -> Un_cv (fun k => b k j) (q j)) -> Un_cv (fun k => dot d (a k) (b k)) (dot d p q).
Proof. intros d a b p q Ha Hb. apply cv_bsum. intros j Hj. apply CV_mult; auto. Qed.

(* Continuity of g along sequences that converge in the first d entries. *)
Definition sequentially_continuous d (g : (nat -> R) -> R) : Prop :=
  forall (a : nat -> nat -> R) p, (forall j, (j < d)%nat -> Un_cv (fun k => a k j) (p j)) -> Un_cv (fun k => g (a k)) (g p).

Lemma geometric_small : forall q C eps, 0 <= q < 1 -> 0 <= C -> 0 < eps -> exists N, forall k, (k >= N)%nat -> C * q ^ k < eps.
Proof.
  intros q C eps Hq HC He. assert (Hy : 0 < eps / (C + 1)) by (apply Rdiv_lt_0_compat; lra).
  destruct (pow_lt_1_zero q ltac:(rewrite Rabs_right; lra) _ Hy) as [N HN]. exists N. intros k Hk.
  specialize (HN k Hk). assert (Hp : 0 <= q ^ k) by (apply pow_le; lra). rewrite Rabs_right in HN by lra.
  assert (E : (C + 1) * (eps / (C + 1)) = eps) by (field; lra).
  assert ((C + 1) * q ^ k < (C + 1) * (eps / (C + 1))) by (apply Rmult_lt_compat_l; lra). lra.
Qed.

Lemma limit_le : forall a l B q C, Un_cv a l -> 0 <= q < 1 -> 0 <= C -> (forall k, a k <= B + C * q ^ k) -> l <= B.
Proof.
  intros a l B q C Hcv Hq HC H. apply le_epsilon. intros eps He.
  destruct (Hcv (eps / 2) ltac:(lra)) as [N1 H1]. destruct (geometric_small q C (eps / 2) Hq HC ltac:(lra)) as [N2 H2].
  set (k := max N1 N2). specialize (H1 k ltac:(unfold k; lia)). specialize (H2 k ltac:(unfold k; lia)). specialize (H k).
  unfold R_dist in H1. rewrite Rabs_minus_sym in H1. pose proof (Rle_abs (l - a k)). lra.
Qed.

Section Saddle.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R).
Variables (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (gamma mu R2 : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis mu_pos : 0 < mu.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
Hypothesis strong : strongly_convex d g mu.
Hypothesis pair : conjugate_pair d g gs dg.
Hypothesis continuous : sequentially_continuous d g.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
Variable alpha_0 : nat -> R.
Hypothesis start : feasible n phi alpha_0.

Let PP := primal n d X phi g.
Let DD := dual n X phis gs.
Let G := gap_of n d X phi phis g gs dg.
Let a k := Nat.iter k (damped_all n d X dphi dg gamma mu R2) alpha_0.
Let w k := dg (u_of n X (a k)).
Let r := / (1 + R2 / (mu * gamma)).

Lemma r_range : 0 < r <= 1.
Proof.
  assert (HR : 0 <= R2) by (apply (R2_ge_0 n d X R2); assumption).
  assert (0 <= R2 / (mu * gamma)).
  { apply Rmult_le_pos; [exact HR | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  unfold r. split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra].
Qed.

Lemma a_feasible : forall k, feasible n phi (a k).
Proof.
  induction k as [|k IH]; [exact start|].
  apply (simultaneous_step n d X phi dphi phis g gs dg gamma mu R2); assumption.
Qed.

Lemma a_gain : forall k, DD (a k) + r * G (a k) <= DD (a (S k)).
Proof. intros k. apply (simultaneous_step n d X phi dphi phis g gs dg gamma mu R2); try assumption. apply a_feasible. Qed.

Lemma duality : forall b c, feasible n phi b -> feasible n phi c -> DD c <= DD b + G b.
Proof. apply duality_of_steps; assumption. Qed.

Let optimum := optimum_exists (feasible n phi) DD G duality alpha_0 start.
Let D_star := proj1_sig optimum.
Let D_star_lub : is_lub (values (feasible n phi) DD) D_star := proj2_sig optimum.

Lemma D_le_star : forall b, feasible n phi b -> DD b <= D_star.
Proof. intros b Hb. apply D_star_lub. exists b. auto. Qed.

Lemma error_geometric : forall k, D_star - DD (a k) <= (1 - r) ^ k * (D_star - DD alpha_0).
Proof.
  pose proof r_range as Hr. induction k as [|k IH]; [simpl; unfold a; simpl; lra|].
  pose proof (a_gain k) as Hg. pose proof (optimum_le (feasible n phi) DD G duality D_star (a k) D_star_lub (a_feasible k)) as Ho.
  assert (r * (D_star - DD (a k)) <= r * G (a k)) by (apply Rmult_le_compat_l; lra).
  assert ((1 - r) * (D_star - DD (a k)) <= (1 - r) * ((1 - r) ^ k * (D_star - DD alpha_0))) by (apply Rmult_le_compat_l; lra).
  rewrite <- tech_pow_Rmult. lra.
Qed.

Let C := / r * (D_star - DD alpha_0).

Lemma C_nonneg : 0 <= C.
Proof.
  pose proof r_range. pose proof (D_le_star alpha_0 start).
  apply Rmult_le_pos; [apply Rlt_le, Rinv_0_lt_compat|]; lra.
Qed.

Lemma gap_geometric : forall k, G (a k) <= C * (1 - r) ^ k.
Proof.
  intros k. pose proof r_range as Hr. pose proof (a_gain k). pose proof (D_le_star (a (S k)) (a_feasible (S k))).
  pose proof (error_geometric k).
  apply Rmult_le_reg_l with r; [lra|].
  replace (r * (C * (1 - r) ^ k)) with ((1 - r) ^ k * (D_star - DD alpha_0)) by (unfold C; field; lra). lra.
Qed.

Lemma primal_as_gap : forall k, PP (w k) = DD (a k) + G (a k).
Proof. intros k. unfold G, gap_of. fold DD. fold (w k). fold PP. ring. Qed.

Lemma primal_strong : strongly_convex d PP mu.
Proof.
  intros b c s Hs. unfold PP, primal.
  assert (Hc : forall i, (i < n)%nat -> convex (phi i)) by (intros i Hi; apply (losses i Hi)).
  pose proof (avg_losses_convex n d X phi n_pos Hc b c s Hs). pose proof (strong b c s Hs). lra.
Qed.

Lemma iterates_close : forall k l, norm2 d (fun j => w k j - w l j) <= 4 / mu * (G (a k) + G (a l)).
Proof.
  intros k l. pose proof (primal_strong (w k) (w l) (1 / 2) ltac:(lra)) as H.
  set (mid := fun j => (1 - 1 / 2) * w k j + 1 / 2 * w l j) in H.
  pose proof (weak_duality n d X phi phis g gs dg n_pos conjugates pair (a k) mid (a_feasible k)) as H1.
  pose proof (weak_duality n d X phi phis g gs dg n_pos conjugates pair (a l) mid (a_feasible l)) as H2.
  fold DD PP in H1, H2. rewrite !primal_as_gap in H.
  apply Rmult_le_reg_l with (mu / 4); [lra|].
  replace (mu / 4 * (4 / mu * (G (a k) + G (a l)))) with (G (a k) + G (a l)) by (field; lra). lra.
Qed.

Lemma coordinate_cauchy : forall j, (j < d)%nat -> Cauchy_crit (fun k => w k j).
Proof.
  intros j Hj eps He. pose proof r_range as Hr. pose proof C_nonneg as HC.
  assert (He2 : 0 < mu / 8 * (eps * eps)) by (repeat apply Rmult_lt_0_compat; lra).
  destruct (geometric_small (1 - r) C _ ltac:(lra) HC He2) as [N HN]. exists N. intros k l Hk Hl.
  pose proof (HN k Hk). pose proof (HN l Hl). pose proof (gap_geometric k). pose proof (gap_geometric l).
  pose proof (iterates_close k l) as H3.
  assert (H4 : (w k j - w l j) * (w k j - w l j) <= norm2 d (fun i => w k i - w l i)).
  { apply (bsum_ge_term d (fun i => (w k i - w l i) * (w k i - w l i))); [intros; apply Rle_0_sqr | exact Hj]. }
  assert (H5 : 4 / mu * (G (a k) + G (a l)) < 4 / mu * (mu / 4 * (eps * eps))).
  { apply Rmult_lt_compat_l; [apply Rdiv_lt_0_compat; lra | lra]. }
  replace (4 / mu * (mu / 4 * (eps * eps))) with (eps * eps) in H5 by (field; lra).
  unfold R_dist.
  rewrite <- (Rabs_right eps) by lra. apply Rsqr_lt_abs_0. unfold Rsqr. lra.
Qed.

Let p : nat -> R := fun j =>
  match lt_dec j d with left H => proj1_sig (R_complete _ (coordinate_cauchy j H)) | right _ => 0 end.

Lemma w_converges : forall j, (j < d)%nat -> Un_cv (fun k => w k j) (p j).
Proof.
  intros j Hj. unfold p. destruct (lt_dec j d) as [H|H]; [|contradiction]. exact (proj2_sig (R_complete _ (coordinate_cauchy j H))).
Qed.

Lemma primal_converges : Un_cv (fun k => PP (w k)) (PP p).
Proof.
  unfold PP, primal. apply CV_plus; [|apply continuous, w_converges].
  unfold avg, Rdiv. apply CV_mult; [|apply cv_const]. apply cv_bsum. intros i Hi.
  apply (continuity_seq (phi i) (fun k => dot d (X i) (w k))).
  - apply derivable_continuous_pt. exists (dphi i (dot d (X i) p)). apply (losses i Hi).
  - apply cv_dot; [intros; apply cv_const | apply w_converges].
Qed.

(* Strong duality, attained in the primal. *)
Theorem strong_duality_general : { p : nat -> R | is_lub (values (feasible n phi) DD) (PP p) }.
Proof.
  exists p. assert (E : PP p = D_star).
  { apply Rle_antisym.
    - pose proof r_range as Hr. apply (limit_le _ _ _ (1 - r) C primal_converges ltac:(lra) C_nonneg).
      intros k. rewrite primal_as_gap. pose proof (D_le_star (a k) (a_feasible k)). pose proof (gap_geometric k). lra.
    - apply D_star_lub. intros x (b & Hb & ->). apply weak_duality with (dg := dg); assumption. }
  rewrite E. exact D_star_lub.
Qed.
End Saddle.

Lemma l2_continuous : forall d lam, sequentially_continuous d (l2 d lam).
Proof. intros d lam a p H. unfold l2, norm2. apply CV_mult; [apply cv_const | apply cv_dot; exact H]. Qed.

Lemma shifted_continuous : forall d lam kappa v, sequentially_continuous d (shifted d lam kappa v).
Proof.
  intros d lam kappa v a p H. unfold shifted. apply CV_minus; [apply CV_plus; [apply l2_continuous, H|]|].
  - apply CV_mult; [apply cv_const | apply cv_dot; exact H].
  - apply CV_mult; [apply cv_const | apply cv_dot; [exact H | intros; apply cv_const]].
Qed.

Section L2.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).

(* A feasible start and a bound on the rows always exist. *)
Lemma feasible_start : feasible n phi (fun i => dphi i 0).
Proof. intros i Hi. apply derivative_in_domain with gamma. apply losses, Hi. Qed.

Lemma rows_bounded : forall i, (i < n)%nat -> norm2 d (X i) <= bsum n (fun k => norm2 d (X k)).
Proof. intros i Hi. apply (bsum_ge_term n (fun k => norm2 d (X k))); [intros; apply norm2_nonneg | exact Hi]. Qed.

(* Lemma 1: the optimum is attained, and the optimal values of P and D are equal. *)
Theorem strong_duality : { w_opt : nat -> R | (forall v, P n d X phi lam w_opt <= P n d X phi lam v) /\
  is_lub (values (feasible n phi) (D n d X phis lam)) (P n d X phi lam w_opt) }.
Proof.
  destruct (strong_duality_general n d X phi dphi phis (l2 d lam) (l2_conj d lam) (l2_grad lam) gamma lam _ n_pos gamma_pos
    lam_pos losses conjugates (l2_strong d lam) (l2_pair d lam lam_pos) (l2_continuous d lam) rows_bounded _ feasible_start)
    as [p [Hub Hleast]].
  exists p. split.
  - intros v. apply Hleast. intros x (b & Hb & ->). rewrite P_eq.
    apply weak_duality with (dg := l2_grad lam); try assumption. apply l2_pair, lam_pos.
  - split.
    + intros x (b & Hb & ->). apply Hub. exists b. split; [exact Hb | apply D_eq; assumption].
    + intros x Hx. apply Hleast. intros q (b & Hb & ->). apply Hx. exists b. split; [exact Hb | symmetry; apply D_eq; assumption].
Qed.

(* Every inner problem of Algorithms 2 and 3 has a minimiser. *)
Theorem prox_exists : forall kappa, 0 <= kappa -> { prox | is_prox n d X phi lam kappa prox }.
Proof.
  intros kappa Hk. assert (Hm : 0 < lam + kappa) by lra.
  pose (at_centre := fun v => strong_duality_general n d X phi dphi phis (shifted d lam kappa v) (shifted_conj d lam kappa v)
    (shifted_grad lam kappa v) gamma (lam + kappa) _ n_pos gamma_pos Hm losses conjugates (shifted_strong d lam kappa v)
    (shifted_pair d lam kappa v Hm) (shifted_continuous d lam kappa v) rows_bounded _ feasible_start).
  exists (fun v => proj1_sig (at_centre v)). intros v w. destruct (at_centre v) as [p [Hub Hleast]]. simpl.
  assert (H : primal n d X phi (shifted d lam kappa v) p <= primal n d X phi (shifted d lam kappa v) w).
  { apply Hleast. intros x (b & Hb & ->).
    apply weak_duality with (dg := shifted_grad lam kappa v); try assumption. apply shifted_pair, Hm. }
  unfold primal in H. rewrite !shifted_square in H. unfold centred, P. unfold l2 in H. lra.
Qed.

(* (lam/2)||w(alpha) - w_opt||^2 <= P(w_opt) - D(alpha); then the iterates converge in mean square. *)
Theorem distance_to_optimum : forall w_opt alpha, feasible n phi alpha ->
  lam / 2 * norm2 d (fun j => w_of n X lam alpha j - w_opt j) <= P n d X phi lam w_opt - D n d X phis lam alpha.
Proof.
  intros p alpha Hf. rewrite (D_eq n d X phis lam n_pos lam_pos), P_eq.
  rewrite (gap_identity n d X phi phis (l2 d lam) (l2_conj d lam) n_pos alpha p).
  pose proof (quadratic_growth d _ _ _ lam lam_pos (l2_strong d lam) (l2_pair d lam lam_pos) (u_of n X alpha) p) as Hq.
  rewrite (norm2_ext d _ (fun j => w_of n X lam alpha j - p j)) in Hq
    by (intros; rewrite (w_of_eq n X lam n_pos lam_pos); reflexivity).
  assert (0 <= avg n (fun i => residual phi phis (dot d (X i) p) (alpha i) i)).
  { apply avg_nonneg; [exact n_pos|]. intros i Hi. apply residual_nonneg with n; assumption. }
  lra.
Qed.

Variable R2 : R.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
Let s := 1 - R2 / (lam * INR n * gamma).
Hypothesis s_pos : 0 < s.

Theorem iterates_converge : forall w_opt, (forall v, P n d X phi lam w_opt <= P n d X phi lam v) ->
  forall t alpha, feasible n phi alpha ->
  Expect n (aspdc_step n d X dphi lam) t (fun a => norm2 d (fun j => w_of n X lam a j - w_opt j)) alpha
  <= 2 / lam * (1 - s / INR n) ^ t * (P n d X phi lam w_opt - D n d X phis lam alpha).
Proof.
  intros q Hq t alpha Hf. destruct strong_duality as [p [Hmin Hlub]].
  assert (E : P n d X phi lam q = P n d X phi lam p) by (apply Rle_antisym; auto).
  set (D_star := P n d X phi lam q) in *.
  assert (Hlub' : is_lub (values (feasible n phi) (dual n X phis (l2_conj d lam))) D_star).
  { rewrite E. destruct Hlub as [H1 H2]. split.
    - intros x (b & Hb & ->). apply H1. exists b. split; [exact Hb | symmetry; apply D_eq; assumption].
    - intros x Hx. apply H2. intros y (b & Hb & ->). apply Hx. exists b. split; [exact Hb | apply D_eq; assumption]. }
  apply Rle_trans with (Expect n (aspdc_step n d X dphi lam) t (fun a => 2 / lam * (D_star - D n d X phis lam a)) alpha).
  - apply (Expect_le n _ (feasible n phi)); try assumption.
    + intros a i Ha Hi. apply feasible_step with gamma; assumption.
    + intros a Ha. pose proof (distance_to_optimum q a Ha) as H. fold D_star in H.
      apply Rmult_le_reg_l with (lam / 2); [lra|].
      replace (lam / 2 * (2 / lam * (D_star - D n d X phis lam a))) with (D_star - D n d X phis lam a) by (field; lra). exact H.
  - rewrite Expect_scal, Rmult_assoc. apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
    rewrite (Expect_same_step n _ (step_of n d X dphi (l2_grad lam)) _ (fun a => D_star - dual n X phis (l2_conj d lam) a)
      (step_eq n d X dphi lam n_pos lam_pos)) by (intros a; rewrite (D_eq n d X phis lam n_pos lam_pos); reflexivity).
    rewrite (D_eq n d X phis lam n_pos lam_pos).
    apply (dual_rate_general n d X phi dphi phis (l2 d lam) (l2_conj d lam) (l2_grad lam) gamma lam) with (R2 := R2); try assumption.
    + apply l2_strong.
    + apply l2_pair, lam_pos.
Qed.
End L2.
