(* ASPDC for any mu-strongly convex regulariser: gap identity, one-step inequality, rate. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation.
Open Scope R_scope.

Section General.
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
Let w alpha := dg (u_of n X alpha).
Let step := step_of n d X dphi dg.
Let DD := dual n X phis gs.
Let G := gap_of n d X phi phis g gs dg.
(* The Fenchel-Young residual of coordinate i. *)
Definition residual z a i : R := phi i z + phis i a - a * z.

Lemma dot_u_of : forall alpha v, dot d (u_of n X alpha) v = - avg n (fun i => alpha i * dot d (X i) v).
Proof.
  intros alpha v. unfold dot, u_of, avg.
  rewrite (bsum_ext n (fun i => alpha i * bsum d (fun j => X i j * v j))
                      (fun i => bsum d (fun j => alpha i * X i j * v j))).
  - rewrite bsum_swap.
    rewrite (bsum_ext d _ (fun j => (- / INR n) * bsum n (fun i => alpha i * X i j * v j))).
    + rewrite bsum_scal. field. lra.
    + intros j _. rewrite (bsum_ext n (fun i => alpha i * X i j * v j) (fun i => v j * (alpha i * X i j))) by (intros; ring).
      rewrite bsum_scal. field. lra.
  - intros i _. rewrite <- bsum_scal. apply bsum_ext. intros. ring.
Qed.

(* (G), for any alpha and v; then (A15), at v = w(alpha). *)
Lemma gap_identity : forall alpha v, primal n d X phi g v - DD alpha
  = avg n (fun i => residual (dot d (X i) v) (alpha i) i) + (g v + gs (u_of n X alpha) - dot d (u_of n X alpha) v).
Proof.
  intros alpha v. unfold primal, DD, dual, residual. rewrite dot_u_of, avg_minus, avg_plus. ring.
Qed.

Lemma gap_as_residual : forall alpha,
  G alpha = avg n (fun i => residual (dot d (X i) (w alpha)) (alpha i) i).
Proof.
  intros alpha. unfold G, gap_of. rewrite (gap_identity alpha). fold (w alpha).
  destruct (pair (u_of n X alpha)) as [E _]. rewrite E. fold (w alpha). ring.
Qed.

Lemma residual_nonneg : forall alpha v i, feasible n phi alpha -> (i < n)%nat -> 0 <= residual v (alpha i) i.
Proof.
  intros alpha v i Hf Hi. pose proof (fenchel_young _ _ (alpha i) v (conjugates i Hi) (Hf i Hi)).
  unfold residual. lra.
Qed.

Lemma weak_duality : forall alpha v, feasible n phi alpha -> DD alpha <= primal n d X phi g v.
Proof.
  intros alpha v Hf. pose proof (gap_identity alpha v) as E.
  assert (0 <= avg n (fun i => residual (dot d (X i) v) (alpha i) i)).
  { apply avg_nonneg; [exact n_pos|]. intros i Hi. apply residual_nonneg; assumption. }
  destruct (pair (u_of n X alpha)) as [_ Hub]. specialize (Hub v). lra.
Qed.

Lemma u_of_upd : forall alpha i v j, (i < n)%nat ->
  u_of n X (upd alpha i v) j = u_of n X alpha j - (v - alpha i) / INR n * X i j.
Proof.
  intros alpha i v j Hi. unfold u_of.
  rewrite (avg_change n i (fun k => alpha k * X k j)) by
    (try exact Hi; intros k _ Hk; rewrite upd_other by exact Hk; reflexivity).
  rewrite upd_same. field. lra.
Qed.

Lemma dual_upd_losses : forall alpha i v, (i < n)%nat ->
  avg n (fun k => phis k (upd alpha i v k)) = avg n (fun k => phis k (alpha k)) + (phis i v - phis i (alpha i)) / INR n.
Proof.
  intros alpha i v Hi.
  rewrite (avg_change n i (fun k => phis k (alpha k))) by
    (try exact Hi; intros k _ Hk; rewrite upd_other by exact Hk; reflexivity).
  rewrite upd_same. reflexivity.
Qed.

(* A change of one coordinate, for any new value v (first inequality of the one-step lemma). *)
Lemma dual_change : forall alpha i v, (i < n)%nat ->
  (v - alpha i) * dot d (X i) (w alpha) - (phis i v - phis i (alpha i))
  - norm2 d (X i) * (v - alpha i) ^ 2 / (2 * mu * INR n) <= INR n * (DD (upd alpha i v) - DD alpha).
Proof.
  intros alpha i v Hi. unfold DD, dual. rewrite dual_upd_losses by exact Hi.
  set (c := (v - alpha i) / INR n).
  pose proof (conjugate_upper d g gs dg mu mu_pos strong pair (u_of n X alpha) (u_of n X (upd alpha i v))) as Hup.
  assert (E : forall j, (j < d)%nat -> u_of n X (upd alpha i v) j - u_of n X alpha j = (- c) * X i j).
  { intros j _. rewrite u_of_upd by exact Hi. fold c. ring. }
  rewrite (dot_ext d _ (fun j => (- c) * X i j) _ (dg (u_of n X alpha)) E) in Hup by reflexivity.
  rewrite (norm2_ext d _ _ E) in Hup. rewrite dot_scal_l, norm2_scal in Hup. fold (w alpha) in Hup.
  apply Rmult_le_compat_l with (r := INR n) in Hup; [|lra].
  replace (INR n * (gs (u_of n X alpha) + - c * dot d (X i) (w alpha) + (- c) ^ 2 * norm2 d (X i) / (2 * mu)))
    with (INR n * gs (u_of n X alpha) - (v - alpha i) * dot d (X i) (w alpha)
          + norm2 d (X i) * (v - alpha i) ^ 2 / (2 * mu * INR n)) in Hup by (unfold c; field; lra).
  assert (Ec : INR n * ((phis i v - phis i (alpha i)) / INR n) = phis i v - phis i (alpha i)) by (field; lra).
  lra.
Qed.

Lemma step_increase : forall alpha i, (i < n)%nat ->
  let z := dot d (X i) (w alpha) in
  residual z (alpha i) i - norm2 d (X i) * (dphi i z - alpha i) ^ 2 / (2 * mu * INR n)
  <= INR n * (DD (step alpha i) - DD alpha).
Proof.
  intros alpha i Hi z. pose proof (dual_change alpha i (dphi i z) Hi) as H. fold z in H.
  pose proof (fenchel_equality _ _ _ gamma z (losses i Hi) (conjugates i Hi)) as E.
  unfold step, step_of. fold (w alpha). fold z. unfold residual. rewrite E in H. lra.
Qed.

Lemma step_feasible : forall alpha i, feasible n phi alpha -> (i < n)%nat -> feasible n phi (step alpha i).
Proof.
  intros alpha i Hf Hi k Hk. unfold step, step_of, upd. destruct (Nat.eq_dec k i) as [->|_]; [|apply Hf, Hk].
  apply derivative_in_domain with gamma. apply losses, Hi.
Qed.

Variable R2 : R.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
Let s := 1 - R2 / (mu * INR n * gamma).

Lemma R2_nonneg : 0 <= R2.
Proof. pose proof (norm2_nonneg d (X 0%nat)). pose proof (rows 0%nat n_pos). lra. Qed.

Lemma s_le_1 : s <= 1.
Proof.
  assert (Hden : 0 < mu * INR n * gamma) by (repeat apply Rmult_lt_0_compat; assumption).
  pose proof R2_nonneg. apply Rinv_0_lt_compat in Hden.
  assert (0 <= R2 * / (mu * INR n * gamma)) by (apply Rmult_le_pos; lra). unfold s, Rdiv. lra.
Qed.

(* The factor s, path by path. *)
Lemma step_increase_factor : forall alpha i, feasible n phi alpha -> (i < n)%nat ->
  s * residual (dot d (X i) (w alpha)) (alpha i) i <= INR n * (DD (step alpha i) - DD alpha).
Proof.
  intros alpha i Hf Hi. set (z := dot d (X i) (w alpha)).
  pose proof (step_increase alpha i Hi) as H. cbv zeta in H. fold z in H.
  pose proof (residual_lower _ _ _ gamma z (alpha i) gamma_pos (losses i Hi) (conjugates i Hi) (Hf i Hi)) as HFY.
  fold (residual z (alpha i) i) in HFY. pose proof (rows i Hi) as HR.
  set (S := (dphi i z - alpha i) ^ 2) in *.
  assert (HS : 0 <= S) by apply pow2_ge_0.
  assert (Hden : 0 < mu * INR n) by (apply Rmult_lt_0_compat; assumption).
  assert (Hc : 0 < / (2 * mu * INR n)) by (apply Rinv_0_lt_compat; lra).
  assert (H1 : norm2 d (X i) * S <= R2 * S) by (apply Rmult_le_compat_r; assumption).
  assert (H2 : norm2 d (X i) * S * / (2 * mu * INR n) <= R2 * S * / (2 * mu * INR n))
    by (apply Rmult_le_compat_r; lra).
  assert (Hk : 0 <= R2 / (mu * INR n * gamma)).
  { apply Rmult_le_pos; [apply R2_nonneg|]. apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption. }
  assert (H3 : R2 / (mu * INR n * gamma) * (gamma / 2 * S) <= R2 / (mu * INR n * gamma) * residual z (alpha i) i)
    by (apply Rmult_le_compat_l; assumption).
  replace (R2 / (mu * INR n * gamma) * (gamma / 2 * S)) with (R2 * S * / (2 * mu * INR n)) in H3 by (field; lra).
  unfold s. unfold Rdiv in H at 1. lra.
Qed.

Theorem pathwise_monotone : 0 <= s -> forall alpha i, feasible n phi alpha -> (i < n)%nat ->
  DD alpha <= DD (step alpha i).
Proof.
  intros Hs alpha i Hf Hi. pose proof (step_increase_factor alpha i Hf Hi) as H.
  assert (0 <= s * residual (dot d (X i) (w alpha)) (alpha i) i)
    by (apply Rmult_le_pos; [exact Hs | apply residual_nonneg; assumption]).
  enough (0 <= DD (step alpha i) - DD alpha) by lra. apply Rmult_le_reg_l with (INR n); lra.
Qed.

Theorem one_step_mean_general : forall alpha, feasible n phi alpha ->
  s / INR n * G alpha <= avg n (fun i => DD (step alpha i) - DD alpha).
Proof.
  intros alpha Hf. rewrite gap_as_residual, <- avg_scal. apply avg_le; [exact n_pos|]. intros i Hi.
  pose proof (step_increase_factor alpha i Hf Hi) as H.
  apply Rmult_le_reg_l with (INR n); [exact n_INR|].
  replace (INR n * (s / INR n * residual (dot d (X i) (w alpha)) (alpha i) i))
    with (s * residual (dot d (X i) (w alpha)) (alpha i) i) by (field; lra). exact H.
Qed.

Lemma duality_of_steps : forall a b, feasible n phi a -> feasible n phi b -> DD b <= DD a + G a.
Proof. intros a b _ Hb. unfold G, gap_of. fold (DD a). pose proof (weak_duality b (dg (u_of n X a)) Hb). lra. Qed.

Lemma s_half : 2 * R2 / (INR n * gamma) <= mu -> 1 / 2 <= s.
Proof.
  intros Hmu. assert (Hng : 0 < INR n * gamma) by (apply Rmult_lt_0_compat; assumption).
  enough (R2 / (mu * INR n * gamma) <= 1 / 2) by (unfold s; lra).
  apply Rmult_le_reg_r with (mu * (INR n * gamma)); [apply Rmult_lt_0_compat; lra|].
  replace (R2 / (mu * INR n * gamma) * (mu * (INR n * gamma))) with R2 by (field; lra).
  apply Rmult_le_compat_r with (r := INR n * gamma) in Hmu; [|lra].
  replace (2 * R2 / (INR n * gamma) * (INR n * gamma)) with (2 * R2) in Hmu by (field; lra). lra.
Qed.

Hypothesis s_pos : 0 < s.

Lemma rho_range : 0 < s / INR n <= 1.
Proof.
  assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  pose proof s_le_1. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (INR n); [lra|]. replace (s / INR n * INR n) with s by (field; lra). lra.
Qed.

Lemma mean_increase : forall a, feasible n phi a -> s / INR n * G a <= avg n (fun i => DD (step a i)) - DD a.
Proof.
  intros a Ha. pose proof (one_step_mean_general a Ha) as H. rewrite avg_minus, (avg_const n (DD a)) in H by exact n_pos.
  exact H.
Qed.

(* E[D* - D_t] <= (1 - s/n)^t (D* - D_0), D* any least upper bound of the dual values. *)
Theorem dual_rate_general : forall D_star, is_lub (values (feasible n phi) DD) D_star ->
  forall t alpha, feasible n phi alpha ->
  Expect n step t (fun a => D_star - DD a) alpha <= (1 - s / INR n) ^ t * (D_star - DD alpha).
Proof.
  intros m Hm t alpha Ha.
  apply (suboptimality_rate n step (feasible n phi) DD G); try assumption.
  - exact rho_range.
  - exact step_feasible.
  - exact mean_increase.
  - exact duality_of_steps.
Qed.

Theorem sharp_rate_general : forall t alpha, feasible n phi alpha ->
  Expect n step t G alpha <= INR n / s * (1 - s / INR n) ^ t * G alpha.
Proof.
  intros t alpha Ha. replace (INR n / s) with (/ (s / INR n)) by (field; lra).
  apply (gap_rate n step (feasible n phi) DD G); try assumption.
  - exact rho_range.
  - exact step_feasible.
  - exact mean_increase.
  - exact duality_of_steps.
Qed.

(* The form of Lemma 2: s >= 1/2 gives the factor 2n and the rate 1/(2n). *)
Theorem half_rate_general : 1 / 2 <= s -> forall t alpha, feasible n phi alpha ->
  Expect n step t G alpha <= 2 * INR n * (1 - 1 / (2 * INR n)) ^ t * G alpha.
Proof.
  intros Hs t alpha Hf. pose proof rho_range as Hr.
  assert (HG : 0 <= G alpha).
  { rewrite gap_as_residual. apply avg_nonneg; [exact n_pos|]. intros i Hi. apply residual_nonneg; assumption. }
  assert (Hh : 1 / (2 * INR n) <= s / INR n).
  { replace (1 / (2 * INR n)) with (1 / 2 * / INR n) by (field; lra).
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, n_INR | exact Hs]. }
  eapply Rle_trans; [apply sharp_rate_general, Hf|].
  apply Rmult_le_compat_r; [exact HG|]. apply Rmult_le_compat.
  - apply Rlt_le, Rdiv_lt_0_compat; lra.
  - apply pow_le. lra.
  - apply Rmult_le_reg_r with s; [lra|]. replace (INR n / s * s) with (INR n) by (field; lra).
    assert (INR n * (1 / 2) <= INR n * s) by (apply Rmult_le_compat_l; lra). lra.
  - apply pow_incr. lra.
Qed.
End General.
