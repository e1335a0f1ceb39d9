(* Algorithm 3 (m >= 2n inner steps, lam + kappa >= 4 R^2/(n gamma)) converges linearly in mean:
   E V after an epoch <= (1 - (3/5) lam/(lam + kappa)) V, V = M(v) - P* + (M(v) - D~_v(alpha))/4. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Outer Saddle InnerLoop Weights.
Open Scope R_scope.

Section Algorithm3.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam kappa R2 : R) (m : nat).
Variables (prox : (nat -> R) -> nat -> R) (w_opt : nat -> R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.
Hypothesis kappa_pos : 0 < kappa.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
Hypothesis modulus : 4 * R2 / (INR n * gamma) <= lam + kappa.
Hypothesis enough_steps : (2 * n <= m)%nat.
Hypothesis proximal : is_prox n d X phi lam kappa prox.

Let n_INR : 0 < INR n := INR_pos n n_pos.
Let mu := lam + kappa.
Let V := potential n d X phi phis lam kappa prox w_opt (1 / 4).
Let M v := centred n d X phi lam kappa v (prox v).
Let e v := dual_error n d X phi phis lam kappa v (prox v).
Let dd v := distance n d X lam kappa v (prox v).
Let w v alpha := shifted_grad lam kappa v (u_of n X alpha).
Let step v := step_of n d X dphi (shifted_grad lam kappa v).

Lemma rows_quarter : forall i, (i < n)%nat -> norm2 d (X i) <= (lam + kappa) * INR n * gamma / 4.
Proof.
  intros i Hi. eapply Rle_trans; [apply rows, Hi|]. assert (Hng : 0 < INR n * gamma) by (apply Rmult_lt_0_compat; assumption).
  pose proof (Rmult_le_compat_r (INR n * gamma / 4) _ _ ltac:(lra) modulus) as H.
  replace (4 * R2 / (INR n * gamma) * (INR n * gamma / 4)) with R2 in H by (field; lra). lra.
Qed.

Lemma potential_split : forall v alpha, V v alpha = M v - P n d X phi lam w_opt + 1 / 4 * e v alpha.
Proof. reflexivity. Qed.

(* The dual value of the next centre, at the same dual point. *)
Lemma dual_at_next_centre : forall v alpha, let h := fun j => w v alpha j - v j in
  dual n X phis (shifted_conj d lam kappa (w v alpha)) alpha + kappa / 2 * norm2 d (w v alpha)
  = dual n X phis (shifted_conj d lam kappa v) alpha + kappa / 2 * norm2 d v
    - kappa / 2 * (1 + kappa / mu) * norm2 d h.
Proof.
  intros v alpha h. assert (Hmu : 0 < mu) by (unfold mu; lra). unfold dual, shifted_conj. fold mu.
  rewrite (norm2_ext d (fun j => u_of n X alpha j + kappa * w v alpha j) (fun j => mu * w v alpha j + kappa * h j)).
  2: { intros j _. unfold h, w, shifted_grad. fold mu. field. lra. }
  rewrite (norm2_ext d (fun j => u_of n X alpha j + kappa * v j) (fun j => mu * w v alpha j)).
  2: { intros j _. unfold w, shifted_grad. fold mu. field. lra. }
  rewrite (norm2_ext d v (fun j => w v alpha j - h j)) by (intros; unfold h; ring).
  rewrite norm2_plus, norm2_minus, !norm2_scal, dot_scal_l, dot_scal_r. field. lra.
Qed.

Lemma prox_growth : forall v q, M v + mu / 2 * norm2 d (fun j => q j - prox v j) <= centred n d X phi lam kappa v q.
Proof.
  intros v q. apply (growth_at_minimum d (centred n d X phi lam kappa v) mu (prox v)); [unfold mu; lra | | apply proximal].
  apply (centred_strong n d X phi dphi gamma lam kappa v); assumption.
Qed.

(* (lam/mu) (M(v) - P(q)) <= (kappa/2)||v - prox(v)||^2, for every q. *)
Lemma centre_descent : forall v q,
  lam / mu * (M v - P n d X phi lam q) <= kappa / 2 * norm2 d (fun j => v j - prox v j).
Proof.
  intros v q. assert (Hmu : 0 < mu) by (unfold mu; lra).
  set (Q := fun j => v j - prox v j). set (y := fun j => q j - prox v j).
  pose proof (prox_growth v q) as H. fold y in H. unfold centred in H.
  rewrite (norm2_ext d (fun j => q j - v j) (fun j => y j - Q j)) in H by (intros; unfold y, Q; ring).
  rewrite norm2_minus in H.
  pose proof (norm2_nonneg d (fun j => lam * y j + kappa * Q j)) as Hsq.
  rewrite norm2_plus, !norm2_scal, dot_scal_l, dot_scal_r in Hsq.
  assert (HM : M v - P n d X phi lam q <= kappa * (norm2 d Q / 2 - norm2 d Q / 2 + dot d y Q * -1) + kappa / 2 * norm2 d Q
               - lam / 2 * norm2 d y) by (unfold mu in H; lra).
  apply Rmult_le_reg_l with (2 * mu); [lra|].
  replace (2 * mu * (lam / mu * (M v - P n d X phi lam q))) with (2 * lam * (M v - P n d X phi lam q)) by (field; lra).
  assert (H2 := Rmult_le_compat_l (2 * lam) _ _ ltac:(lra) HM). unfold mu. lra.
Qed.

Lemma centre_step : forall v alpha,
  V (w v alpha) alpha <= (1 - 3 / 5 * (lam / mu)) * (M v - P n d X phi lam w_opt)
                         + kappa / mu * (41 / 12 * dd v alpha) + 1 / 4 * e v alpha.
Proof.
  intros v alpha. assert (Hmu : 0 < mu) by (unfold mu; lra).
  set (chi := kappa / mu).
  assert (Hchi : 0 < chi <= 1).
  { unfold chi. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with mu; [exact Hmu|].
    replace (kappa / mu * mu) with kappa by (field; lra). unfold mu. lra. }
  set (q := fun j => v j - prox v j). set (delta := fun j => w v alpha j - prox v j).
  set (A := kappa / 2 * norm2 d q). set (B := kappa / 2 * norm2 d delta). set (T := kappa * dot d delta q).
  assert (HA : 0 <= A) by (apply Rmult_le_pos; [lra | apply norm2_nonneg]).
  assert (HB : 0 <= B) by (apply Rmult_le_pos; [lra | apply norm2_nonneg]).
  assert (HMv : M v = P n d X phi lam (prox v) + A).
  { unfold M, centred, A. f_equal. f_equal. apply norm2_diff_sym. }
  assert (HMw : M (w v alpha) <= P n d X phi lam (prox v) + B).
  { unfold M. eapply Rle_trans; [apply proximal|]. unfold centred, B. fold (M v).
    rewrite (norm2_diff_sym d (prox v)). apply Rle_refl. }
  pose proof (centre_descent v w_opt) as Hdesc. fold q in Hdesc. fold A in Hdesc.
  assert (HT : - T <= 3 / 10 * A + 10 / 3 * B).
  { pose proof (norm2_nonneg d (fun j => 3 / 10 * q j + delta j)) as H.
    rewrite norm2_plus, norm2_scal, dot_scal_l, (dot_comm d q) in H.
    pose proof (Rmult_le_compat_l (kappa / 2 * (10 / 3)) _ _ ltac:(lra) H). unfold A, B, T. lra. }
  pose proof (dual_at_next_centre v alpha) as Hdual. cbv zeta in Hdual.
  rewrite (norm2_ext d (fun j => w v alpha j - v j) (fun j => delta j - q j)) in Hdual by (intros; unfold delta, q; ring).
  rewrite norm2_minus in Hdual. fold chi in Hdual.
  assert (He : e (w v alpha) alpha <= e v alpha - A + B + (1 + chi) * (B - T + A)).
  { unfold e, dual_error. fold (M (w v alpha)) (M v). rewrite Hdual. unfold A, B, T in *. lra. }
  assert (He2 : (1 + chi) * (B - T + A) <= 2 * (B + A + (3 / 10 * A + 10 / 3 * B)) \/ B - T + A <= 0).
  { destruct (Rle_dec (B - T + A) 0) as [Hle|Hgt]; [right; exact Hle | left].
    apply Rnot_le_lt in Hgt. apply Rmult_le_compat; lra. }
  assert (HBd : B = chi * dd v alpha).
  { unfold B, chi, dd, distance. fold mu. fold (w v alpha). fold delta. field. lra. }
  rewrite potential_split. replace (chi * (41 / 12 * dd v alpha)) with (41 / 12 * B) by (rewrite HBd; ring).
  assert (Hneg : B - T + A <= 0 -> (1 + chi) * (B - T + A) <= 0).
  { intros Hle. apply Ropp_le_cancel. rewrite Ropp_0, <- Ropp_mult_distr_r_reverse. apply Rmult_le_pos; lra. }
  destruct He2 as [He2|He2]; [lra|]. specialize (Hneg He2). lra.
Qed.

(* E[(41/12) d + e/4] <= e/4 and E e <= (2/5) e after m inner steps. *)
Lemma inner_contraction : forall v alpha, feasible n phi alpha ->
  Expect n (step v) m (fun a => 1 / 4 * e v a + 41 / 12 * dd v a) alpha <= 1 / 4 * e v alpha /\
  Expect n (step v) m (e v) alpha <= 2 / 5 * e v alpha.
Proof.
  intros v alpha Hf. destruct exp_upper as [_ B3].
  assert (Hn1 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (Hm : 2 * INR n <= INR m) by (replace 2 with (INR 2) by reflexivity; rewrite <- mult_INR; apply le_INR, enough_steps).
  assert (Hi : 0 < / INR n <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (Hd : forall a, feasible n phi a -> dd v a <= e v a).
  { intros a Ha. apply (distance_le_dual n d X phi phis lam kappa v (prox v)); assumption. }
  assert (He0 : 0 <= e v alpha).
  { eapply Rle_trans; [apply (distance_nonneg n d X lam kappa v (prox v)); assumption | apply Hd, Hf]. }
  assert (Hstep : forall a i, feasible n phi a -> (i < n)%nat -> feasible n phi (step v a i)).
  { apply step_feasible with gamma; assumption. }
  assert (Hrate : forall t, Expect n (step v) t (e v) alpha <= (1 - 3 / 4 / INR n) ^ t * e v alpha).
  { intros t. apply (dual_error_rate n d X phi dphi phis gamma lam kappa v (prox v)); try assumption; [apply rows_quarter | apply proximal]. }
  split.
  - destruct (le_lt_dec 2 n) as [Hn2|Hlt].
    + destruct (weights_good n m Hn2 enough_steps) as (k & Hk & Gk & Gm).
      replace m with ((m - k) + k)%nat by lia. rewrite Expect_compose.
      apply Rle_trans with (Expect n (step v) (m - k) (fun a => 11 / 3 * (1 - 3 / 2 / INR n) ^ k * e v a) alpha).
      * apply (Expect_le n (step v) (feasible n phi)); try assumption. intros a Ha.
        apply (weighted_potential n d X phi dphi phis gamma lam kappa v (prox v)); try assumption; [apply rows_quarter | apply proximal].
      * rewrite Expect_scal. assert (Hq : 0 <= 11 / 3 * (1 - 3 / 2 / INR n) ^ k).
        { assert (H2 : 2 <= INR n) by (replace 2 with (INR 2) by reflexivity; apply le_INR; exact Hn2).
          assert (/ INR n <= / 2) by (apply Rinv_le_contravar; lra).
          apply Rmult_le_pos; [lra | apply pow_le; unfold Rdiv; lra]. }
        pose proof (Rmult_le_compat_l _ _ _ Hq (Hrate (m - k)%nat)) as H3.
        pose proof (Rmult_le_compat_r _ _ _ He0 Gm) as H4. lra.
    + assert (En : n = 1%nat) by lia.
      assert (P1 : (1 - 3 / 4 / INR n) ^ m <= 1 / 16).
      { rewrite En. replace (1 - 3 / 4 / INR 1) with (1 / 4) by (simpl; field).
        assert (Hm2 : (2 <= m)%nat) by lia. replace m with (2 + (m - 2))%nat by lia. rewrite pow_add.
        pose proof (pow_incr (1 / 4) 1 (m - 2) ltac:(lra)) as Hp. rewrite pow1 in Hp.
        assert (0 <= (1 / 4) ^ (m - 2)) by (apply pow_le; lra). replace ((1 / 4) ^ 2) with (1 / 16) by field. lra. }
      pose proof (Rmult_le_compat_r _ _ _ He0 P1) as Hsmall. pose proof (Hrate m).
      apply Rle_trans with (Expect n (step v) m (fun a => (1 / 4 + 41 / 12) * e v a) alpha).
      * apply (Expect_le n (step v) (feasible n phi)); try assumption. intros a Ha. specialize (Hd a Ha). lra.
      * rewrite Expect_scal. lra.
  - eapply Rle_trans; [apply Hrate | apply Rmult_le_compat_r; [exact He0|]].
    eapply Rle_trans; [apply pow_le_exp; unfold Rdiv; lra|]. eapply Rle_trans; [|exact B3].
    assert (3 / 2 <= 3 / 4 / INR n * INR m).
    { replace (3 / 2) with (3 / 4 / INR n * (2 * INR n)) by (field; lra). apply Rmult_le_compat_l; unfold Rdiv; lra. }
    destruct (Req_dec (3 / 4 / INR n * INR m) (3 / 2)) as [->|]; [lra | left; apply exp_increasing; lra].
Qed.

Theorem algorithm_3_epoch : forall v alpha, feasible n phi alpha ->
  Expect n (step v) m (fun a => V (w v a) a) alpha <= (1 - 3 / 5 * (lam / mu)) * V v alpha.
Proof.
  intros v alpha Hf. destruct (inner_contraction v alpha Hf) as [H1 H2].
  assert (Hmu : 0 < mu) by (unfold mu; lra). set (chi := kappa / mu).
  assert (Echi : lam / mu = 1 - chi) by (unfold chi, mu; field; lra).
  assert (Hchi : 0 < chi < 1).
  { split; [unfold chi; apply Rdiv_lt_0_compat; lra|]. assert (0 < lam / mu) by (apply Rdiv_lt_0_compat; assumption). lra. }
  assert (Hstep : forall a i, feasible n phi a -> (i < n)%nat -> feasible n phi (step v a i)).
  { apply step_feasible with gamma; assumption. }
  set (C := (1 - 3 / 5 * (lam / mu)) * (M v - P n d X phi lam w_opt)).
  apply Rle_trans with (Expect n (step v) m
    (fun a => C - (- chi * (1 / 4 * e v a + 41 / 12 * dd v a) - (1 - chi) * / 4 * e v a)) alpha).
  - apply (Expect_le n (step v) (feasible n phi)); try assumption. intros a _.
    eapply Rle_trans; [apply centre_step|]. fold chi C. lra.
  - rewrite !Expect_minus, !Expect_scal, Expect_const by exact n_pos.
    assert (H1' := Rmult_le_compat_l chi _ _ ltac:(lra) H1).
    assert (H2' := Rmult_le_compat_l ((1 - chi) * / 4) _ _ ltac:(lra) H2).
    rewrite potential_split. unfold C. rewrite Echi. lra.
Qed.

Theorem algorithm_3_rate : forall epochs v alpha, feasible n phi alpha ->
  epochs_mean n d X dphi lam kappa m epochs (potential n d X phi phis lam kappa prox w_opt (1 / 4)) v alpha
  <= (1 - 3 / 5 * (lam / (lam + kappa))) ^ epochs * potential n d X phi phis lam kappa prox w_opt (1 / 4) v alpha.
Proof.
  assert (Hmu : 0 < mu) by (unfold mu; lra). fold mu V.
  assert (Hz : 0 <= 1 - 3 / 5 * (lam / mu)).
  { assert (lam / mu <= 1); [|lra]. apply Rmult_le_reg_r with mu; [exact Hmu|].
    replace (lam / mu * mu) with lam by (field; lra). unfold mu. lra. }
  induction epochs as [|k IH]; intros v alpha Hf; [simpl; lra|]. cbn [epochs_mean]. fold (step v).
  apply Rle_trans with (Expect n (step v) m (fun a => (1 - 3 / 5 * (lam / mu)) ^ k * V (w v a) a) alpha).
  - apply (Expect_le n (step v) (feasible n phi)); try assumption; [apply step_feasible with gamma; assumption|].
    intros a Ha. apply IH, Ha.
  - rewrite Expect_scal. simpl pow.
    rewrite (Rmult_comm (1 - 3 / 5 * (lam / mu))), Rmult_assoc. apply Rmult_le_compat_l; [apply pow_le, Hz|].
    apply algorithm_3_epoch, Hf.
Qed.

(* The potential controls the distance to the optimum, and starts below (5/4) (P(v) - D(alpha)). *)
Hypothesis optimal : forall q, P n d X phi lam w_opt <= P n d X phi lam q.

Lemma potential_above : forall v alpha, feasible n phi alpha ->
  lam * kappa / (2 * mu) * norm2 d (fun j => v j - w_opt j) <= V v alpha.
Proof.
  intros v alpha Hf. assert (Hmu : 0 < mu) by (unfold mu; lra).
  pose proof (distance_le_dual n d X phi phis lam kappa v (prox v) n_pos lam_pos kappa_pos conjugates alpha Hf) as He.
  pose proof (distance_nonneg n d X lam kappa v (prox v) lam_pos kappa_pos alpha) as Hd.
  assert (Hc : forall i, (i < n)%nat -> convex (phi i)) by (intros i Hi; apply (losses i Hi)).
  pose proof (growth_at_minimum d _ lam w_opt ltac:(lra) (primal_strongly_convex n d X phi lam n_pos Hc) optimal (prox v)) as Hg.
  set (a := fun j => prox v j - w_opt j) in Hg. set (b := fun j => v j - prox v j).
  assert (Hb : norm2 d (fun j => prox v j - v j) = norm2 d b) by apply norm2_diff_sym.
  rewrite (norm2_ext d (fun j => v j - w_opt j) (fun j => a j + b j)) by (intros; unfold a, b; ring).
  rewrite norm2_plus. pose proof (norm2_nonneg d (fun j => lam * a j - kappa * b j)) as Hsq.
  rewrite norm2_minus, !norm2_scal, dot_scal_l, dot_scal_r in Hsq.
  assert (HM : lam / 2 * norm2 d a + kappa / 2 * norm2 d b <= M v - P n d X phi lam w_opt).
  { unfold M, centred. rewrite Hb. lra. }
  rewrite potential_split. fold (e v) (dd v) in *. eapply Rle_trans; [|apply Rplus_le_compat; [exact HM|]].
  2: { apply Rle_trans with 0; [apply Rle_refl | lra]. }
  apply Rmult_le_reg_l with (2 * mu); [lra|].
  replace (2 * mu * (lam * kappa / (2 * mu) * (norm2 d a + 2 * dot d a b + norm2 d b)))
    with (lam * kappa * (norm2 d a + 2 * dot d a b + norm2 d b)) by (field; lra).
  unfold mu. lra.
Qed.

Lemma potential_start : forall v alpha, feasible n phi alpha ->
  V v alpha <= 5 / 4 * (P n d X phi lam v - D n d X phis lam alpha).
Proof.
  intros v alpha Hf. assert (Hmu : 0 < mu) by (unfold mu; lra).
  assert (HM : M v <= P n d X phi lam v).
  { unfold M. eapply Rle_trans; [apply (proximal v v)|]. unfold centred.
    rewrite (norm2_ext d _ (fun j => 0 * v j)) by (intros; ring). rewrite norm2_scal. lra. }
  pose proof (weak_duality_L2 n d X phi phis lam n_pos lam_pos conjugates alpha w_opt Hf) as Hwd.
  rewrite potential_split. unfold e, dual_error. fold (M v).
  enough (D n d X phis lam alpha <= dual n X phis (shifted_conj d lam kappa v) alpha + kappa / 2 * norm2 d v) by lra.
  rewrite (D_eq n d X phis lam n_pos lam_pos). unfold dual, l2_conj, shifted_conj. fold mu.
  set (u := u_of n X alpha). pose proof (norm2_nonneg d (fun j => u j - lam * v j)) as Hsq.
  rewrite norm2_minus, norm2_scal, dot_scal_r in Hsq. rewrite norm2_plus, norm2_scal, dot_scal_r.
  enough (0 <= norm2 d u / (2 * lam) - (norm2 d u + 2 * (kappa * dot d u v) + kappa ^ 2 * norm2 d v) / (2 * mu)
               + kappa / 2 * norm2 d v) by lra.
  replace (norm2 d u / (2 * lam) - (norm2 d u + 2 * (kappa * dot d u v) + kappa ^ 2 * norm2 d v) / (2 * mu) + kappa / 2 * norm2 d v)
    with (kappa / (2 * lam * mu) * (norm2 d u - 2 * (lam * dot d u v) + lam ^ 2 * norm2 d v)) by (unfold mu; field; lra).
  apply Rmult_le_pos; [apply Rlt_le, Rdiv_lt_0_compat; [lra | repeat apply Rmult_lt_0_compat; lra] | exact Hsq].
Qed.

Lemma epochs_mean_le : forall F F', (forall v a, feasible n phi a -> F v a <= F' v a) -> forall k v a, feasible n phi a ->
  epochs_mean n d X dphi lam kappa m k F v a <= epochs_mean n d X dphi lam kappa m k F' v a.
Proof.
  intros F F' H. induction k as [|k IH]; intros v a Ha; simpl; [apply H, Ha|].
  apply (Expect_le n _ (feasible n phi)); try assumption; [apply step_feasible with gamma; assumption|].
  intros b Hb. apply IH, Hb.
Qed.

Lemma epochs_mean_scal : forall c F k v a, epochs_mean n d X dphi lam kappa m k (fun v b => c * F v b) v a
  = c * epochs_mean n d X dphi lam kappa m k F v a.
Proof.
  intros c F. induction k as [|k IH]; intros v a; simpl; [reflexivity|]. rewrite <- Expect_scal.
  apply (Expect_ext n _ (fun _ => True)); auto.
Qed.

Lemma distance_rate : forall epochs v alpha, feasible n phi alpha ->
  epochs_mean n d X dphi lam kappa m epochs (fun c _ => norm2 d (fun j => c j - w_opt j)) v alpha
  <= 5 * (lam + kappa) / (2 * lam * kappa) * (1 - 3 / 5 * (lam / (lam + kappa))) ^ epochs
     * (P n d X phi lam v - D n d X phis lam alpha).
Proof.
  intros epochs v alpha Hf. assert (Hmu : 0 < mu) by (unfold mu; lra).
  assert (Hlk : 0 < lam * kappa / (2 * mu)) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Hz : 0 <= 1 - 3 / 5 * (lam / mu)).
  { assert (lam / mu <= 1); [|lra]. apply Rmult_le_reg_r with mu; [exact Hmu|].
    replace (lam / mu * mu) with lam by (field; lra). unfold mu. lra. }
  apply Rmult_le_reg_l with (lam * kappa / (2 * mu)); [exact Hlk|]. rewrite <- epochs_mean_scal.
  eapply Rle_trans; [apply epochs_mean_le with (F' := V); [|exact Hf]|].
  - intros c a Ha. apply potential_above, Ha.
  - eapply Rle_trans; [apply algorithm_3_rate, Hf|]. fold mu V.
    replace (lam * kappa / (2 * mu) * (5 * mu / (2 * lam * kappa) * (1 - 3 / 5 * (lam / mu)) ^ epochs
               * (P n d X phi lam v - D n d X phis lam alpha)))
      with ((1 - 3 / 5 * (lam / mu)) ^ epochs * (5 / 4 * (P n d X phi lam v - D n d X phis lam alpha))) by (field; lra).
    apply Rmult_le_compat_l; [apply pow_le, Hz | apply potential_start, Hf].
Qed.
End Algorithm3.

(* Algorithm 3 converges for the paper's m = 2n and every larger m, whatever the data and the smooth losses. *)
Theorem algorithm_3_converges : forall n d X phi dphi phis gamma lam kappa R2 m w_opt,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < kappa ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  4 * R2 / (INR n * gamma) <= lam + kappa ->
  (2 * n <= m)%nat ->
  (forall w, P n d X phi lam w_opt <= P n d X phi lam w) ->
  forall epochs v alpha, feasible n phi alpha ->
  epochs_mean n d X dphi lam kappa m epochs (fun c _ => norm2 d (fun j => c j - w_opt j)) v alpha
  <= 5 * (lam + kappa) / (2 * lam * kappa) * (1 - 3 / 5 * (lam / (lam + kappa))) ^ epochs
     * (P n d X phi lam v - D n d X phis lam alpha).
Proof.
  intros n d X phi dphi phis gamma lam kappa R2 m w_opt Hn Hg Hl Hk Hphi Hphis Hrows Hmod Hm Hopt epochs v alpha Hf.
  destruct (prox_exists n d X phi dphi phis gamma lam Hn Hg Hl Hphi Hphis kappa ltac:(lra)) as [prox Hprox].
  apply distance_rate with (gamma := gamma) (R2 := R2) (prox := prox); assumption.
Qed.
