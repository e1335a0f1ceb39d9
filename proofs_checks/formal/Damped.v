(* Damped steps: SDCA's rate, without a condition on lam, and gap <= (1 + R^2/(mu gamma)) (D* - D). *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate.
Open Scope R_scope.

(* The conjugate of a (1/gamma)-smooth convex function is gamma-strongly convex on its domain. *)
Lemma conjugate_strongly_convex : forall f df fs gamma a b r, 0 < gamma -> smooth_loss f df gamma ->
  conjugate f fs -> conj_dom f a -> conj_dom f b -> 0 <= r <= 1 ->
  conj_dom f ((1 - r) * a + r * b) /\
  fs ((1 - r) * a + r * b) <= (1 - r) * fs a + r * fs b - gamma / 2 * (r * (1 - r)) * (b - a) ^ 2.
Proof.
  intros f df fs gamma a b r Hg Hs Hc Ha Hb Hr. set (c := (1 - r) * a + r * b).
  set (m := (1 - r) * fs a + r * fs b - gamma / 2 * (r * (1 - r)) * (b - a) ^ 2).
  assert (Hub : is_upper_bound (conj_set f c) m).
  { intros x (t & ->).
    pose proof (parabola_above f df gamma t (t + r * gamma * (a - b)) Hg Hs) as P1.
    pose proof (parabola_above f df gamma t (t - (1 - r) * gamma * (a - b)) Hg Hs) as P2.
    pose proof (fenchel_young f fs a (t + r * gamma * (a - b)) Hc Ha) as F1.
    pose proof (fenchel_young f fs b (t - (1 - r) * gamma * (a - b)) Hc Hb) as F2.
    replace ((t + r * gamma * (a - b) - t) ^ 2 / (2 * gamma)) with (r ^ 2 * gamma / 2 * (a - b) ^ 2) in P1 by (field; lra).
    replace ((t - (1 - r) * gamma * (a - b) - t) ^ 2 / (2 * gamma))
      with ((1 - r) ^ 2 * gamma / 2 * (a - b) ^ 2) in P2 by (field; lra).
    set (q1 := f (t + r * gamma * (a - b))) in *. set (q2 := f (t - (1 - r) * gamma * (a - b))) in *.
    assert (L1 := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) (Rle_trans _ _ _ (Rplus_le_compat_l (a * (t + r * gamma * (a - b)))
      _ _ (Ropp_le_contravar _ _ P1)) F1)).
    assert (L2 := Rmult_le_compat_l r _ _ ltac:(lra) (Rle_trans _ _ _ (Rplus_le_compat_l (b * (t - (1 - r) * gamma * (a - b)))
      _ _ (Ropp_le_contravar _ _ P2)) F2)).
    unfold m, c. lra. }
  assert (Hdom : conj_dom f c) by (exists m; exact Hub).
  split; [exact Hdom | apply (Hc c Hdom), Hub].
Qed.

Section General.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R).
Variables (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (gamma mu R2 : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis mu_pos : 0 < mu.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
Hypothesis strong : strongly_convex d g mu.
Hypothesis pair : conjugate_pair d g gs dg.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.

Let n_INR : 0 < INR n := INR_pos n n_pos.
Let w alpha := dg (u_of n X alpha).
Let DD := dual n X phis gs.
Let G := gap_of n d X phi phis g gs dg.
Let z alpha i := dot d (X i) (w alpha).
Let delta alpha i := dphi i (z alpha i) - alpha i.
Let FY alpha i := residual phi phis (z alpha i) (alpha i) i.

Lemma R2_ge_0 : 0 <= R2.
Proof. pose proof (norm2_nonneg d (X 0%nat)). pose proof (rows 0%nat n_pos). lra. Qed.

(* The losses' part of the gain of a step of length r towards phi'(z). *)
Lemma damped_losses : forall alpha i r, feasible n phi alpha -> (i < n)%nat -> 0 <= r <= 1 ->
  conj_dom (phi i) (alpha i + r * delta alpha i) /\
  r * FY alpha i + gamma / 2 * (r * (1 - r)) * delta alpha i ^ 2
  <= r * delta alpha i * z alpha i - (phis i (alpha i + r * delta alpha i) - phis i (alpha i)).
Proof.
  intros alpha i r Hf Hi Hr. set (b := dphi i (z alpha i)).
  pose proof (derivative_in_domain _ _ gamma (z alpha i) (losses i Hi)) as Hb. fold b in Hb.
  pose proof (conjugate_strongly_convex _ _ _ gamma (alpha i) b r gamma_pos (losses i Hi) (conjugates i Hi) (Hf i Hi) Hb Hr) as [H1 H2].
  replace ((1 - r) * alpha i + r * b) with (alpha i + r * delta alpha i) in H1, H2 by (unfold delta; fold b; ring).
  split; [exact H1|]. pose proof (fenchel_equality _ _ _ gamma (z alpha i) (losses i Hi) (conjugates i Hi)) as E.
  fold b in E. rewrite E in H2. unfold FY, residual.
  assert (Ed : b = alpha i + delta alpha i) by (unfold delta; fold b; ring).
  replace (b - alpha i) with (delta alpha i) in H2 by reflexivity. rewrite Ed in H2. lra.
Qed.

Lemma mean_square_bound : forall c, norm2 d (u_of n X c) <= avg n (fun i => c i ^ 2 * norm2 d (X i)).
Proof.
  intros c. set (U := u_of n X c).
  assert (H : 0 <= avg n (fun i => c i ^ 2 * norm2 d (X i) + 2 * (c i * dot d (X i) U) + norm2 d U)).
  { apply avg_nonneg; [exact n_pos|]. intros i _. pose proof (norm2_nonneg d (fun j => c i * X i j + U j)) as H.
    rewrite norm2_plus, norm2_scal, dot_scal_l in H. exact H. }
  rewrite !avg_plus, avg_scal, (avg_const n (norm2 d U)) in H by exact n_pos.
  pose proof (dot_u_of n d X n_pos c U) as E. fold U in E. unfold norm2 in *. lra.
Qed.

(* All coordinates move by the damped step r = 1/(1 + R^2/(mu gamma)): the dual value gains at least r gap. *)
Definition damped_all alpha i : R := alpha i
  + / (1 + R2 / (mu * gamma)) * (dphi i (dot d (X i) (dg (u_of n X alpha))) - alpha i).

Theorem simultaneous_step : forall alpha, feasible n phi alpha -> feasible n phi (damped_all alpha) /\
  DD alpha + / (1 + R2 / (mu * gamma)) * G alpha <= DD (damped_all alpha).
Proof.
  intros alpha Hf. assert (Hden : 0 < mu * gamma) by (apply Rmult_lt_0_compat; assumption).
  assert (HK : 0 <= R2 / (mu * gamma)).
  { apply Rmult_le_pos; [apply R2_ge_0 | apply Rlt_le, Rinv_0_lt_compat, Hden]. }
  set (K := R2 / (mu * gamma)) in *. set (r := / (1 + K)).
  assert (Hr : 0 < r) by (apply Rinv_0_lt_compat; lra).
  assert (Hr1 : r * (1 + K) = 1) by (unfold r; field; lra).
  assert (HrK : 0 <= r * K) by (apply Rmult_le_pos; lra).
  change (damped_all alpha) with (fun i => alpha i + r * delta alpha i). split.
  { intros i Hi. apply damped_losses; try assumption. lra. }
  pose proof (conjugate_upper d g gs dg mu mu_pos strong pair (u_of n X alpha)
                (u_of n X (fun i => alpha i + r * delta alpha i))) as Hup.
  assert (E : forall j, (j < d)%nat -> u_of n X (fun i => alpha i + r * delta alpha i) j - u_of n X alpha j
                                       = r * u_of n X (delta alpha) j).
  { intros j _. unfold u_of. replace (r * - avg n (fun i => delta alpha i * X i j))
      with (- (r * avg n (fun i => delta alpha i * X i j))) by ring.
    rewrite <- avg_scal. enough (avg n (fun i => (alpha i + r * delta alpha i) * X i j)
      = avg n (fun i => alpha i * X i j) + avg n (fun i => r * (delta alpha i * X i j))) by lra.
    rewrite <- avg_plus. apply avg_ext. intros. ring. }
  rewrite (dot_ext d _ _ _ (dg (u_of n X alpha)) E), (norm2_ext d _ _ E), dot_scal_l, norm2_scal in Hup by reflexivity.
  fold (w alpha) in Hup. rewrite (dot_u_of n d X n_pos) in Hup.
  pose proof (mean_square_bound (delta alpha)) as Hms.
  assert (Hlosses : r * avg n (FY alpha) + gamma / 2 * (r * (1 - r)) * avg n (fun i => delta alpha i ^ 2)
    <= r * avg n (fun i => delta alpha i * z alpha i)
       - (avg n (fun i => phis i (alpha i + r * delta alpha i)) - avg n (fun i => phis i (alpha i)))).
  { rewrite <- avg_minus, <- !avg_scal, <- avg_plus, <- avg_minus. apply avg_le; [exact n_pos|]. intros i Hi.
    destruct (damped_losses alpha i r Hf Hi ltac:(lra)) as [_ H]. lra. }
  assert (Hrows : avg n (fun i => delta alpha i ^ 2 * norm2 d (X i)) <= R2 * avg n (fun i => delta alpha i ^ 2)).
  { rewrite <- avg_scal. apply avg_le; [exact n_pos|]. intros i Hi. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [apply pow2_ge_0 | apply rows, Hi]. }
  set (V := avg n (fun i => delta alpha i ^ 2)) in *. set (U2 := norm2 d (u_of n X (delta alpha))) in *.
  assert (Hquad : r ^ 2 * U2 / (2 * mu) <= gamma / 2 * (r * (1 - r)) * V).
  { replace (gamma / 2 * (r * (1 - r)) * V) with (r ^ 2 * (R2 * V) / (2 * mu)).
    - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
      apply Rmult_le_compat_l; [apply pow2_ge_0 | lra].
    - replace (1 - r) with (r * K) by lra. unfold K. field. lra. }
  unfold DD, dual, G. rewrite gap_as_residual with (dg := dg) (n := n) by assumption.
  fold (w alpha). change (fun i => residual phi phis (dot d (X i) (w alpha)) (alpha i) i) with (FY alpha).
  unfold z in Hlosses. lra.
Qed.

Theorem gap_bound : forall D_star, is_lub (values (feasible n phi) DD) D_star ->
  forall alpha, feasible n phi alpha -> G alpha <= (1 + R2 / (mu * gamma)) * (D_star - DD alpha).
Proof.
  intros m [Hub _] alpha Hf. destruct (simultaneous_step alpha Hf) as [Hb H].
  assert (HK : 0 <= R2 / (mu * gamma)).
  { apply Rmult_le_pos; [apply R2_ge_0 | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  set (K := R2 / (mu * gamma)) in *.
  assert (DD (damped_all alpha) <= m) by (apply Hub; exists (damped_all alpha); auto).
  apply Rmult_le_reg_l with (/ (1 + K)); [apply Rinv_0_lt_compat; lra|].
  replace (/ (1 + K) * ((1 + K) * (m - DD alpha))) with (m - DD alpha) by (field; lra). lra.
Qed.

(* SDCA and Prox-SDCA: the new value of coordinate i does at least as well, for the quadratic lower bound of the
   dual gain, as every other value.  Exact coordinate ascent qualifies, by dual_change. *)
Variable choice : (nat -> R) -> nat -> R.
Hypothesis choice_in_domain : forall alpha i, feasible n phi alpha -> (i < n)%nat -> conj_dom (phi i) (choice alpha i).
Let step alpha i := upd alpha i (choice alpha i).
Hypothesis choice_best : forall alpha i b, feasible n phi alpha -> (i < n)%nat -> conj_dom (phi i) b ->
  (b - alpha i) * z alpha i - (phis i b - phis i (alpha i)) - norm2 d (X i) * (b - alpha i) ^ 2 / (2 * mu * INR n)
  <= INR n * (DD (step alpha i) - DD alpha).

Let rho := / (INR n + R2 / (mu * gamma)).

Lemma sdca_feasible : forall a i, feasible n phi a -> (i < n)%nat -> feasible n phi (step a i).
Proof.
  intros a i Hf Hi k Hk. unfold step, upd. destruct (Nat.eq_dec k i) as [->|_]; [apply choice_in_domain | apply Hf]; assumption.
Qed.

Lemma rho_pos_le_1 : 0 < rho <= 1.
Proof.
  assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (0 <= R2 / (mu * gamma)).
  { apply Rmult_le_pos; [apply R2_ge_0 | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  unfold rho. split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Theorem sdca_one_step_mean : forall alpha, feasible n phi alpha ->
  rho * G alpha <= avg n (fun i => DD (step alpha i)) - DD alpha.
Proof.
  intros alpha Hf. pose proof rho_pos_le_1 as Hrho. pose proof R2_ge_0 as HR.
  assert (Hden : 0 < mu * gamma) by (apply Rmult_lt_0_compat; assumption).
  rewrite <- (avg_const n (DD alpha) n_pos) at 1. rewrite <- avg_minus.
  unfold G. rewrite gap_as_residual with (dg := dg) by assumption. rewrite <- avg_scal.
  apply avg_le; [exact n_pos|]. intros i Hi. fold (w alpha) (z alpha i) (FY alpha i).
  set (r := INR n * rho).
  assert (HKn : 0 <= R2 / (mu * gamma)) by (apply Rmult_le_pos; [exact HR | apply Rlt_le, Rinv_0_lt_compat, Hden]).
  assert (Hr1 : rho * (INR n + R2 / (mu * gamma)) = 1) by (unfold rho; field; nra).
  assert (Hr0 : 0 <= r) by (unfold r; apply Rmult_le_pos; lra).
  assert (HrK : 0 <= rho * (R2 / (mu * gamma))) by (apply Rmult_le_pos; lra).
  assert (Hr : 0 <= r <= 1) by (unfold r in *; lra).
  destruct (damped_losses alpha i r Hf Hi Hr) as [Hdom Hgain].
  pose proof (choice_best alpha i _ Hf Hi Hdom) as Hbest.
  replace (alpha i + r * delta alpha i - alpha i) with (r * delta alpha i) in Hbest by ring.
  assert (Hquad : norm2 d (X i) * (r * delta alpha i) ^ 2 / (2 * mu * INR n) <= gamma / 2 * (r * (1 - r)) * delta alpha i ^ 2).
  { replace (gamma / 2 * (r * (1 - r)) * delta alpha i ^ 2) with (R2 * (r * delta alpha i) ^ 2 / (2 * mu * INR n)).
    - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; lra|].
      apply Rmult_le_compat_r; [apply pow2_ge_0 | apply rows, Hi].
    - replace (1 - r) with (rho * (R2 / (mu * gamma))) by (unfold r; lra). unfold r. field. lra. }
  apply Rmult_le_reg_l with (INR n); [exact n_INR|].
  replace (INR n * (rho * FY alpha i)) with (r * FY alpha i) by (unfold r; ring). lra.
Qed.

Theorem sdca_rate_general : forall t alpha, feasible n phi alpha ->
  Expect n step t G alpha <= (INR n + R2 / (mu * gamma)) * (1 - rho) ^ t * G alpha.
Proof.
  intros t alpha Hf. pose proof rho_pos_le_1 as Hrho.
  replace (INR n + R2 / (mu * gamma)) with (/ rho) by (unfold rho; apply Rinv_inv).
  apply (gap_rate n step (feasible n phi) DD G); try assumption.
  - exact sdca_feasible.
  - exact sdca_one_step_mean.
  - intros a b _ Hb. unfold G, gap_of. fold (DD a).
    pose proof (weak_duality n d X phi phis g gs dg n_pos conjugates pair b (dg (u_of n X a)) Hb) as H. fold DD in H. fold (DD b) in H. lra.
Qed.
End General.
