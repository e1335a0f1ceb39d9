(* Algorithm 3, one epoch with a fixed centre v: dual error e, distance d = (mu/2)||w - prox(v)||^2, primal error p.
   E e+ <= e - ((1-K)/n)(e + p) and E d+ <= d - (1/n)(p + d) + (K/n)(e + p); here K = 1/4. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Outer.
Open Scope R_scope.

(* A strongly convex function grows quadratically from its minimiser. *)
Lemma growth_at_minimum : forall d F mu p, 0 <= mu -> strongly_convex d F mu -> (forall v, F p <= F v) ->
  forall v, F p + mu / 2 * norm2 d (fun j => v j - p j) <= F v.
Proof.
  intros d F mu p Hmu Hs Hmin v. set (N := norm2 d (fun j => v j - p j)).
  assert (HN : 0 <= mu / 2 * N) by (apply Rmult_le_pos; [lra | apply norm2_nonneg]).
  apply le_limit with (mu / 2 * N); [exact HN|]. intros s Hs1.
  pose proof (Hs p v s ltac:(lra)) as H. specialize (Hmin (fun j => (1 - s) * p j + s * v j)).
  rewrite norm2_diff_sym in H. fold N in H.
  apply Rmult_le_reg_l with s; [lra|].
  replace (mu / 2 * (s * (1 - s)) * N) with (s * (mu / 2 * N) - s * (mu / 2 * N * s)) in H by ring. lra.
Qed.

Section Inner.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam kappa : R).
Variables (v p : nat -> R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.
Hypothesis kappa_pos : 0 < kappa.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
Let mu := lam + kappa.
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= mu * INR n * gamma / 4.
Hypothesis p_min : forall w, centred n d X phi lam kappa v p <= centred n d X phi lam kappa v w.

Let n_INR : 0 < INR n := INR_pos n n_pos.
Let g := shifted d lam kappa v.
Let gs := shifted_conj d lam kappa v.
Let dg := shifted_grad lam kappa v.
Let w alpha := dg (u_of n X alpha).
Let step := step_of n d X dphi dg.
Let DD := dual n X phis gs.
Let M := centred n d X phi lam kappa v p.
Definition dual_error alpha := centred n d X phi lam kappa v p
  - (dual n X phis (shifted_conj d lam kappa v) alpha + kappa / 2 * norm2 d v).
Definition distance alpha := (lam + kappa) / 2 * norm2 d (fun j => shifted_grad lam kappa v (u_of n X alpha) j - p j).
Let e := dual_error.
Let dd := distance.
Let pe alpha := centred n d X phi lam kappa v (w alpha) - M.

Lemma mu_pos : 0 < mu.
Proof. unfold mu. lra. Qed.

Lemma centred_primal : forall q, centred n d X phi lam kappa v q = primal n d X phi g q + kappa / 2 * norm2 d v.
Proof. intros q. unfold centred, primal, g. rewrite shifted_square. unfold P, l2. ring. Qed.

Lemma inner_gap : forall alpha, gap_of n d X phi phis g gs dg alpha = e alpha + pe alpha.
Proof.
  intros alpha. unfold pe, M, gap_of. fold (w alpha). rewrite (centred_primal (w alpha)).
  unfold e, dual_error. fold gs. ring.
Qed.

Lemma centred_strong : strongly_convex d (centred n d X phi lam kappa v) mu.
Proof.
  intros a b s Hs. rewrite !centred_primal. unfold primal.
  assert (Hc : forall i, (i < n)%nat -> convex (phi i)) by (intros i Hi; apply (losses i Hi)).
  pose proof (avg_losses_convex n d X phi n_pos Hc a b s Hs).
  pose proof (shifted_strong d lam kappa v a b s Hs) as H2. fold g mu in H2. lra.
Qed.

Lemma distance_le_primal : forall alpha, dd alpha <= pe alpha.
Proof.
  intros alpha. pose proof mu_pos.
  pose proof (growth_at_minimum d _ mu p ltac:(lra) centred_strong p_min (w alpha)) as H2.
  unfold pe, M, dd, distance. fold mu dg. fold (w alpha). lra.
Qed.

Lemma distance_le_dual : forall alpha, feasible n phi alpha -> dd alpha <= e alpha.
Proof.
  intros alpha Hf. pose proof mu_pos as Hmu.
  assert (Hpair : conjugate_pair d g gs dg) by (apply shifted_pair; exact Hmu).
  pose proof (quadratic_growth d g gs dg mu Hmu (shifted_strong d lam kappa v) Hpair (u_of n X alpha) p) as Hq.
  pose proof (gap_identity n d X phi phis g gs n_pos alpha p) as E.
  assert (0 <= avg n (fun i => residual phi phis (dot d (X i) p) (alpha i) i)).
  { apply avg_nonneg; [exact n_pos|]. intros i Hi. apply residual_nonneg with n; assumption. }
  unfold dd, distance, e, dual_error. rewrite centred_primal. fold gs dg mu. lra.
Qed.

Lemma distance_nonneg : forall alpha, 0 <= dd alpha.
Proof. intros. apply Rmult_le_pos; [lra | apply norm2_nonneg]. Qed.

Lemma step_feas : forall a i, feasible n phi a -> (i < n)%nat -> feasible n phi (step a i).
Proof. apply step_feasible with gamma; assumption. Qed.

Lemma mean_dual_error : forall alpha, feasible n phi alpha ->
  avg n (fun i => e (step alpha i)) <= e alpha - 3 / 4 / INR n * (e alpha + pe alpha).
Proof.
  intros alpha Hf. pose proof mu_pos as Hmu.
  assert (Hpair : conjugate_pair d g gs dg) by (apply shifted_pair; exact Hmu).
  pose proof (one_step_mean_general n d X phi dphi phis g gs dg gamma mu n_pos gamma_pos Hmu losses conjugates
                (shifted_strong d lam kappa v) Hpair _ rows alpha Hf) as H.
  rewrite inner_gap in H.
  replace (1 - mu * INR n * gamma / 4 / (mu * INR n * gamma)) with (3 / 4) in H by (field; lra).
  rewrite avg_minus, (avg_const n (dual n X phis gs alpha)) in H by exact n_pos.
  fold step DD in H. fold (DD alpha) in H.
  assert (E : forall a, e a = (M - kappa / 2 * norm2 d v) - DD a) by (intros; unfold e, dual_error, M, DD, gs; ring).
  rewrite (avg_ext n _ (fun i => (M - kappa / 2 * norm2 d v) - DD (step alpha i))) by (intros; apply E).
  rewrite avg_minus, avg_const, (E alpha) at 1 by exact n_pos. lra.
Qed.

(* <w - p, (1/n) sum delta_i x_i> >= p + d, the sum being the gradient of P~_v at w. *)
Lemma gradient_bound : forall alpha, let z i := dot d (X i) (w alpha) in
  pe alpha + dd alpha <= avg n (fun i => (dphi i (z i) - alpha i) * dot d (X i) (fun j => w alpha j - p j)).
Proof.
  intros alpha z. pose proof mu_pos as Hmu.
  set (y := fun j => w alpha j - p j).
  assert (Hloss : avg n (fun i => phi i (z i)) - avg n (fun i => phi i (dot d (X i) p))
                  <= avg n (fun i => dphi i (z i) * dot d (X i) y)).
  { rewrite <- avg_minus. apply avg_le; [exact n_pos|]. intros i Hi. destruct (losses i Hi) as (Hc & Hd & _).
    pose proof (tangent_below (phi i) (z i) _ (dot d (X i) p) Hc (Hd (z i))) as Ht.
    unfold y. rewrite dot_minus_r. fold (z i). lra. }
  assert (Hu : avg n (fun i => alpha i * dot d (X i) y) = - dot d (u_of n X alpha) y).
  { rewrite dot_u_of by exact n_pos. ring. }
  (* the regulariser: exact expansion of the quadratic g at w, whose gradient is u *)
  assert (Hreg : g (w alpha) - g p + mu / 2 * norm2 d y = dot d (u_of n X alpha) y).
  { assert (Hp : norm2 d p = norm2 d (fun j => w alpha j - y j)) by (apply norm2_ext; intros; unfold y; ring).
    assert (Hpv : dot d p v = dot d (w alpha) v - dot d y v).
    { rewrite <- dot_minus_l. apply dot_ext; intros; unfold y; ring. }
    unfold g, shifted, l2. rewrite Hp, Hpv, norm2_minus.
    assert (Huy : dot d (u_of n X alpha) y = mu * dot d (w alpha) y - kappa * dot d y v).
    { rewrite (dot_comm d y v), <- dot_scal_l, <- dot_scal_l, <- dot_minus_l. apply dot_ext; [|reflexivity].
      intros j _. unfold w, dg, shifted_grad. fold mu. field. lra. }
    rewrite Huy. unfold mu. field. }
  rewrite (avg_ext n _ (fun i => dphi i (z i) * dot d (X i) y - alpha i * dot d (X i) y)) by (intros; ring).
  rewrite avg_minus, Hu. unfold pe, M. rewrite !centred_primal. unfold primal.
  unfold dd, distance. fold dg mu. fold (w alpha). fold y. unfold z in *. lra.
Qed.

Lemma mean_distance : forall alpha, feasible n phi alpha ->
  avg n (fun i => dd (step alpha i)) <= dd alpha - 1 / INR n * (pe alpha + dd alpha) + 1 / 4 / INR n * (e alpha + pe alpha).
Proof.
  intros alpha Hf. pose proof mu_pos as Hmu.
  set (z := fun i => dot d (X i) (w alpha)). set (y := fun j => w alpha j - p j).
  set (delta := fun i => dphi i (z i) - alpha i).
  assert (Estep : forall i, (i < n)%nat -> dd (step alpha i)
    = dd alpha - 1 / INR n * (delta i * dot d (X i) y) + norm2 d (X i) * delta i ^ 2 / (2 * mu * INR n ^ 2)).
  { intros i Hi. unfold dd, distance. fold dg mu.
    rewrite (norm2_ext d _ (fun j => y j - delta i / (mu * INR n) * X i j)).
    - rewrite norm2_minus, dot_scal_r, norm2_scal, (dot_comm d y). fold (w alpha). fold y. field. lra.
    - intros j _. unfold step, step_of. fold (w alpha) (z i). unfold y, w, dg, shifted_grad. fold mu.
      rewrite u_of_upd by assumption. unfold delta. field. lra. }
  rewrite (avg_ext n _ _ Estep), avg_plus, avg_minus, avg_const, avg_scal by exact n_pos.
  pose proof (gradient_bound alpha) as Hgrad. cbv zeta in Hgrad. fold y in Hgrad.
  change (pe alpha + dd alpha <= avg n (fun i => delta i * dot d (X i) y)) in Hgrad.
  assert (Hnoise : avg n (fun i => norm2 d (X i) * delta i ^ 2 / (2 * mu * INR n ^ 2)) <= 1 / 4 / INR n * (e alpha + pe alpha)).
  { rewrite <- inner_gap.
    rewrite gap_as_residual by (try exact n_pos; apply shifted_pair; exact Hmu). fold (w alpha).
    rewrite <- avg_scal. apply avg_le; [exact n_pos|]. intros i Hi.
    pose proof (residual_lower _ _ _ gamma (z i) (alpha i) gamma_pos (losses i Hi) (conjugates i Hi) (Hf i Hi)) as HFY.
    fold (residual phi phis (z i) (alpha i) i) (delta i) in HFY. fold (z i).
    assert (Hc : 0 < 1 / 4 / INR n) by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (1 / 4 / INR n * (gamma / 2 * delta i ^ 2)); [|apply Rmult_le_compat_l; lra].
    replace (1 / 4 / INR n * (gamma / 2 * delta i ^ 2))
      with (mu * INR n * gamma / 4 * delta i ^ 2 / (2 * mu * INR n ^ 2)) by (field; lra).
    apply Rmult_le_compat_r.
    - apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; [lra | apply pow_lt, n_INR].
    - apply Rmult_le_compat_r; [apply pow2_ge_0 | apply rows, Hi]. }
  assert (Hscale : 1 / INR n * (pe alpha + dd alpha) <= 1 / INR n * avg n (fun i => delta i * dot d (X i) y)).
  { apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; lra | exact Hgrad]. }
  lra.
Qed.

(* Weights: x e + y d after a step, then the weights x_t = a q1^t + b q2^t, y_t = - a q1^t - 3 b q2^t. *)
Let r1 := 1 - 3 / 4 / INR n.
Let q1 := 1 - 1 / INR n.
Let q2 := 1 - 3 / 2 / INR n.

Lemma weighted_step : forall x y alpha, 0 <= x -> 0 <= y -> feasible n phi alpha ->
  avg n (fun i => x * e (step alpha i) + y * dd (step alpha i))
  <= (x * r1 + y * (1 / 4 / INR n)) * e alpha + (y * (1 - 7 / 4 / INR n) - x * (3 / 4 / INR n)) * dd alpha.
Proof.
  intros x y alpha Hx Hy Hf. rewrite avg_plus, !avg_scal.
  pose proof (Rmult_le_compat_l x _ _ Hx (mean_dual_error alpha Hf)) as H1.
  pose proof (Rmult_le_compat_l y _ _ Hy (mean_distance alpha Hf)) as H2.
  pose proof (distance_le_primal alpha) as H3.
  set (i := / INR n). assert (Hi : 0 < i) by (apply Rinv_0_lt_compat, n_INR).
  unfold r1, Rdiv in *. fold i in H1, H2. fold i.
  assert (H5 : x * (i * dd alpha) <= x * (i * pe alpha)) by (repeat apply Rmult_le_compat_l; lra).
  assert (H6 : y * (i * dd alpha) <= y * (i * pe alpha)) by (repeat apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma weighted_rate : forall a b t, (forall k, (k <= t)%nat -> 0 <= a * q1 ^ k + b * q2 ^ k /\ 0 <= - a * q1 ^ k - 3 * b * q2 ^ k) ->
  forall alpha, feasible n phi alpha ->
  Expect n step t (fun c => (a + b) * e c + (- a - 3 * b) * dd c) alpha
  <= (a * q1 ^ t + b * q2 ^ t) * e alpha + (- a * q1 ^ t - 3 * b * q2 ^ t) * dd alpha.
Proof.
  intros a b t. induction t as [|t IH]; intros H alpha Hf; [simpl; lra|]. cbn [Expect].
  assert (H' : forall k, (k <= t)%nat -> 0 <= a * q1 ^ k + b * q2 ^ k /\ 0 <= - a * q1 ^ k - 3 * b * q2 ^ k)
    by (intros k Hk; apply H; lia).
  eapply Rle_trans; [apply avg_le; [exact n_pos|]; intros i Hi; apply (IH H'), step_feas; assumption|].
  destruct (H' t (le_n t)) as [Hx Hy].
  eapply Rle_trans; [apply weighted_step; assumption|]. apply Req_le. simpl. unfold r1, q1, q2. field. lra.
Qed.

Lemma dual_error_rate : forall t alpha, feasible n phi alpha -> Expect n step t e alpha <= r1 ^ t * e alpha.
Proof.
  intros t alpha Hf. assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (Hi : 0 < / INR n <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  apply (Expect_contract n step (feasible n phi) n_pos step_feas); [unfold r1, Rdiv; lra | | exact Hf].
  intros a Ha. eapply Rle_trans; [apply mean_dual_error, Ha|].
  pose proof (distance_le_primal a). pose proof (distance_nonneg a).
  assert (0 <= 3 / 4 / INR n * pe a) by (unfold Rdiv; repeat apply Rmult_le_pos; lra). unfold r1. lra.
Qed.

(* E[(41/12) d + e/4] after k steps, as long as the weight of d has stayed nonnegative. *)
Lemma weighted_potential : (2 <= n)%nat -> forall k, 25 / 66 * q1 ^ k <= q2 ^ k -> forall alpha, feasible n phi alpha ->
  Expect n step k (fun c => 1 / 4 * e c + 41 / 12 * dd c) alpha <= 11 / 3 * q2 ^ k * e alpha.
Proof.
  intros Hn2 k Hk alpha Hf. assert (H2 : 2 <= INR n) by (replace 2 with (INR 2) by reflexivity; apply le_INR; exact Hn2).
  assert (Hi : 0 < / INR n <= / 2) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  assert (Hq : 0 < q2 /\ q2 <= q1) by (unfold q1, q2, Rdiv; lra).
  assert (Hpos : forall j, 0 < q2 ^ j /\ q2 ^ j <= q1 ^ j) by (intros j; split; [apply pow_lt; lra | apply pow_incr; lra]).
  assert (Hweights : forall j, (j <= k)%nat -> 25 / 66 * q1 ^ j <= q2 ^ j).
  { intros j Hj. destruct (Rle_dec (25 / 66 * q1 ^ j) (q2 ^ j)) as [Hle|Hgt]; [exact Hle | exfalso].
    apply Rnot_le_lt in Hgt. replace k with (j + (k - j))%nat in Hk by lia. rewrite !pow_add in Hk.
    destruct (Hpos (k - j)%nat) as [P1 P2]. destruct (Hpos j) as [P3 P4].
    assert (A1 : q2 ^ j * q2 ^ (k - j) < 25 / 66 * q1 ^ j * q2 ^ (k - j)) by (apply Rmult_lt_compat_r; assumption).
    assert (A2 : 25 / 66 * q1 ^ j * q2 ^ (k - j) <= 25 / 66 * q1 ^ j * q1 ^ (k - j)) by (apply Rmult_le_compat_l; lra).
    lra. }
  pose proof (weighted_rate (25 / 12) (- (11 / 6)) k) as H.
  assert (Hw : forall j, (j <= k)%nat -> 0 <= 25 / 12 * q1 ^ j + - (11 / 6) * q2 ^ j
               /\ 0 <= - (25 / 12) * q1 ^ j - 3 * - (11 / 6) * q2 ^ j).
  { intros j Hj. pose proof (Hweights j Hj). pose proof (Hpos j). lra. }
  specialize (H Hw alpha Hf).
  rewrite (Expect_ext n step (feasible n phi) n_pos step_feas _
             (fun c => (25 / 12 + - (11 / 6)) * e c + (- (25 / 12) - 3 * - (11 / 6)) * dd c)) by (try assumption; intros; field).
  eapply Rle_trans; [exact H|]. destruct (Hw k (le_n k)) as [_ Hy].
  pose proof (Rmult_le_compat_l _ _ _ Hy (distance_le_dual alpha Hf)). lra.
Qed.
End Inner.
