(* Squared loss, smoothed hinge and squared hinge satisfy Assumption 1 with the gamma that the table of losses
   gives, and their conjugates are the printed ones, on exactly the printed domains. *)
From Coq Require Import Reals Lra Psatz.
From Dualgap Require Import Definitions.
Open Scope R_scope.

(* ---- General: a function between its tangents and its tangents + (v - u)^2 / (2 gamma). ---- *)
Section Sandwich.
  Variables (f df : R -> R) (gamma : R).
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis below : forall u v, f u + df u * (v - u) <= f v.
  Hypothesis above : forall u v, f v <= f u + df u * (v - u) + (v - u) ^ 2 / (2 * gamma).

  Lemma sandwich_convex : convex f.
  Proof.
    intros u v s Hs. set (c := (1 - s) * u + s * v).
    pose proof (Rmult_le_compat_l (1 - s) _ _ ltac:(lra) (below c u)) as Hu.
    pose proof (Rmult_le_compat_l s _ _ (proj1 Hs) (below c v)) as Hv.
    assert ((1 - s) * (f c + df c * (u - c)) + s * (f c + df c * (v - c)) = f c) by (unfold c; ring).
    lra.
  Qed.

  Lemma sandwich_derivative : forall z, derivable_pt_lim f z (df z).
  Proof.
    intros z eps Heps.
    assert (Hd : 0 < gamma * eps) by (apply Rmult_lt_0_compat; lra).
    exists (mkposreal _ Hd). intros h Hh Hsmall. simpl in Hsmall.
    pose proof (below z (z + h)) as L. pose proof (above z (z + h)) as U.
    replace (z + h - z) with h in L, U by ring.
    replace ((f (z + h) - f z) / h - df z) with ((f (z + h) - f z - df z * h) * / h) by (field; exact Hh).
    pose proof (Rabs_pos_lt h Hh) as Hp.
    rewrite Rabs_mult, Rabs_inv, (Rabs_right (_ - _ - _)) by lra.
    apply Rmult_lt_reg_r with (Rabs h); [exact Hp|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (S : h ^ 2 / (2 * gamma) = Rabs h * Rabs h / (2 * gamma))
      by (rewrite <- Rabs_mult, Rabs_right by nra; field; lra).
    apply Rle_lt_trans with (h ^ 2 / (2 * gamma)); [lra | rewrite S].
    apply Rmult_lt_reg_r with (2 * gamma); [lra|].
    replace (Rabs h * Rabs h / (2 * gamma) * (2 * gamma)) with (Rabs h * Rabs h) by (field; lra).
    nra.
  Qed.

  (* Both bounds at v + gamma (f'(u) - f'(v)). *)
  Lemma sandwich_gain : forall u v, f u + df u * (v - u) + gamma * (df u - df v) ^ 2 / 2 <= f v.
  Proof.
    intros u v. set (e := df u - df v).
    pose proof (below u (v + gamma * e)) as L. pose proof (above v (v + gamma * e)) as U.
    replace (v + gamma * e - v) with (gamma * e) in U by ring.
    replace ((gamma * e) ^ 2 / (2 * gamma)) with (gamma * e ^ 2 / 2) in U by (field; lra).
    assert (df u * (v + gamma * e - u) - df v * (gamma * e) = df u * (v - u) + gamma * e ^ 2)
      by (unfold e; ring).
    lra.
  Qed.

  Lemma sandwich_lipschitz : forall u v, Rabs (df u - df v) <= Rabs (u - v) / gamma.
  Proof.
    intros u v. pose proof (sandwich_gain u v) as A. pose proof (sandwich_gain v u) as B.
    set (e := df u - df v) in *.
    replace ((df v - df u) ^ 2) with (e ^ 2) in B by (unfold e; ring).
    assert (C : gamma * (e * e) <= e * (u - v)).
    { assert (e * (u - v) = - (df u * (v - u)) - df v * (u - v)) by (unfold e; ring). lra. }
    apply Rmult_le_reg_l with gamma; [exact gamma_pos|].
    replace (gamma * (Rabs (u - v) / gamma)) with (Rabs (u - v)) by (field; lra).
    pose proof (Rle_abs (e * (u - v))) as W. rewrite Rabs_mult in W.
    assert (S : e * e = Rabs e * Rabs e) by (rewrite <- Rabs_mult, Rabs_right by nra; ring).
    rewrite S in C. pose proof (Rabs_pos (u - v)).
    destruct (Rabs_pos e) as [Hp | Hz]; [|rewrite <- Hz; lra].
    apply Rmult_le_reg_l with (Rabs e); [exact Hp | lra].
  Qed.

  Lemma sandwich_smooth : smooth_loss f df gamma.
  Proof. exact (conj sandwich_convex (conj sandwich_derivative sandwich_lipschitz)). Qed.
End Sandwich.

(* ---- General: suprema and domains. ---- *)
(* An upper bound that is attained is the supremum. *)
Lemma attained_is_lub : forall f a r z, r = a * z - f z -> (forall t, a * t - f t <= r) -> is_lub (conj_set f a) r.
Proof.
  intros f a r z Hz Hr. split.
  - intros q [t Ht]. rewrite Ht. apply Hr.
  - intros b Hb. apply Hb. exists z. exact Hz.
Qed.

Lemma lub_in_dom : forall f a r, is_lub (conj_set f a) r -> conj_dom f a.
Proof. intros f a r [U _]. exists r. exact U. Qed.

(* The conjugate at a is infinite when a z - f z grows without bound along a ray z(t). *)
Lemma not_in_dom : forall f a c k (z : R -> R),
  0 < c -> (forall t, 0 <= t -> c * t - k <= a * z t - f (z t)) -> ~ conj_dom f a.
Proof.
  intros f a c k z Hc Hz [b Hb].
  pose proof (Rabs_pos b). pose proof (Rabs_pos k). pose proof (Rle_abs b). pose proof (Rle_abs k).
  set (t := (Rabs b + Rabs k + 1) / c).
  assert (Ht : 0 <= t) by (apply Rle_mult_inv_pos; lra).
  assert (Hct : c * t = Rabs b + Rabs k + 1) by (unfold t; field; lra).
  assert (Hv : a * z t - f (z t) <= b) by (apply Hb; exists (z t); reflexivity).
  specialize (Hz t Ht). lra.
Qed.

Lemma label_square : forall y, is_label y -> y * y = 1.
Proof. intros y [E | E]; rewrite E; ring. Qed.

(* a z = (y a)(y z) for a label y. *)
Lemma label_product : forall y a z, is_label y -> a * z = (y * a) * (y * z).
Proof. intros y a z Hy. replace (y * a * (y * z)) with (y * y * (a * z)) by ring. rewrite label_square by exact Hy. ring. Qed.

Lemma label_inverse : forall y z, is_label y -> y * (y * z) = z.
Proof. intros y z Hy. rewrite <- Rmult_assoc, label_square by exact Hy. ring. Qed.

(* ---- Squared loss. ---- *)
Lemma squared_smooth : forall gamma y, 0 < gamma -> smooth_loss (squared gamma y) (squared_deriv gamma y) gamma.
Proof.
  intros gamma y Hg.
  assert (E : forall u v, squared gamma y v
    = squared gamma y u + squared_deriv gamma y u * (v - u) + (v - u) ^ 2 / (2 * gamma))
    by (intros; unfold squared, squared_deriv; field; lra).
  apply sandwich_smooth; [exact Hg | |]; intros u v; rewrite (E u v); [|lra].
  assert (0 <= (v - u) ^ 2 / (2 * gamma)) by (apply Rle_mult_inv_pos; [apply pow2_ge_0 | lra]). lra.
Qed.

Lemma squared_is_lub : forall gamma y a, 0 < gamma -> is_lub (conj_set (squared gamma y) a) (squared_conj gamma y a).
Proof.
  intros gamma y a Hg. apply attained_is_lub with (y + gamma * a).
  - unfold squared, squared_conj. field. lra.
  - intros t. assert (E : squared_conj gamma y a - (a * t - squared gamma y t) = (t - y - gamma * a) ^ 2 / (2 * gamma))
      by (unfold squared, squared_conj; field; lra).
    assert (0 <= (t - y - gamma * a) ^ 2 / (2 * gamma)) by (apply Rle_mult_inv_pos; [apply pow2_ge_0 | lra]). lra.
Qed.

Lemma squared_conjugate : forall gamma y, 0 < gamma -> conjugate (squared gamma y) (squared_conj gamma y).
Proof. intros gamma y Hg a _. apply squared_is_lub. exact Hg. Qed.

Lemma squared_domain : forall gamma y a, 0 < gamma -> conj_dom (squared gamma y) a.
Proof. intros gamma y a Hg. eapply lub_in_dom. apply squared_is_lub. exact Hg. Qed.

(* ---- Smoothed hinge: with p = (1 - y z)/gamma it is gamma huber(p), huber(p) = 0, p^2/2, p - 1/2. ---- *)
Ltac cases :=
  repeat match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end;
  repeat match goal with X : ~ _ <= _ |- _ => apply Rnot_le_lt in X end.

Definition huber (p : R) : R := if Rle_dec p 0 then 0 else if Rle_dec 1 p then p - 1 / 2 else p ^ 2 / 2.

Lemma huber_below : forall p q, huber p + clip01 p * (q - p) <= huber q.
Proof.
  intros p q. pose proof (pow2_ge_0 (q - p)). pose proof (pow2_ge_0 (q - 1)).
  unfold huber, clip01, Rmax, Rmin. cases; nra.
Qed.

Lemma huber_above : forall p q, huber q <= huber p + clip01 p * (q - p) + (q - p) ^ 2 / 2.
Proof.
  intros p q. pose proof (pow2_ge_0 (q - p)). pose proof (pow2_ge_0 (q - 1)). pose proof (pow2_ge_0 (p - 1)).
  pose proof (pow2_ge_0 (q - p - 1)). unfold huber, clip01, Rmax, Rmin. cases; nra.
Qed.

Lemma huber_conj : forall b p, 0 <= b <= 1 -> b * p - huber p <= b ^ 2 / 2.
Proof. intros b p Hb. pose proof (pow2_ge_0 (p - b)). pose proof (pow2_ge_0 (1 - b)). unfold huber. cases; nra. Qed.

Section SmoothedHinge.
  Variables gamma y : R.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis label : is_label y.
  Let p z := (1 - y * z) / gamma.

  Let margin : forall z, y * z = 1 - gamma * p z.
  Proof. intros z. unfold p. field. lra. Qed.

  Let difference : forall u v, v - u = - (gamma * y) * (p v - p u).
  Proof.
    intros u v. replace (- (gamma * y) * (p v - p u)) with (y * ((1 - gamma * p v) - (1 - gamma * p u))) by ring.
    rewrite <- !margin. replace (y * (y * v - y * u)) with (y * y * (v - u)) by ring.
    rewrite label_square by exact label. ring.
  Qed.

  Lemma smoothed_hinge_huber : forall z, smoothed_hinge gamma y z = gamma * huber (p z).
  Proof.
    intros z. unfold smoothed_hinge, huber. rewrite (margin z). set (q := p z).
    replace ((1 - (1 - gamma * q)) ^ 2 / (2 * gamma)) with (gamma * (q ^ 2 / 2)) by (field; lra).
    cases; nra.
  Qed.

  Lemma smoothed_hinge_smooth : smooth_loss (smoothed_hinge gamma y) (smoothed_hinge_deriv gamma y) gamma.
  Proof.
    assert (E : forall u v, smoothed_hinge_deriv gamma y u * (v - u) = gamma * (clip01 (p u) * (p v - p u))).
    { intros u v. unfold smoothed_hinge_deriv. fold (p u). rewrite difference.
      replace (- y * clip01 (p u) * (- (gamma * y) * (p v - p u)))
        with (y * y * (gamma * (clip01 (p u) * (p v - p u)))) by ring.
      rewrite label_square by exact label. ring. }
    apply sandwich_smooth; [exact gamma_pos | |]; intros u v; rewrite !smoothed_hinge_huber, E.
    - pose proof (Rmult_le_compat_l gamma _ _ (Rlt_le _ _ gamma_pos) (huber_below (p u) (p v))). lra.
    - pose proof (Rmult_le_compat_l gamma _ _ (Rlt_le _ _ gamma_pos) (huber_above (p u) (p v))).
      assert (S : (v - u) ^ 2 / (2 * gamma) = gamma * ((p v - p u) ^ 2 / 2)).
      { rewrite difference. replace ((- (gamma * y) * (p v - p u)) ^ 2) with (y * y * (gamma ^ 2 * (p v - p u) ^ 2)) by ring.
        rewrite label_square by exact label. field. lra. }
      lra.
  Qed.

  Lemma smoothed_hinge_is_lub : forall a, -1 <= y * a <= 0 ->
    is_lub (conj_set (smoothed_hinge gamma y) a) (smoothed_hinge_conj gamma y a).
  Proof.
    intros a Ha.
    assert (S : a ^ 2 = (y * a) ^ 2) by (replace ((y * a) ^ 2) with (y * y * a ^ 2) by ring; rewrite label_square by exact label; ring).
    unfold smoothed_hinge_conj. rewrite S. apply attained_is_lub with (y * (1 + gamma * (y * a))).
    - rewrite smoothed_hinge_huber, (label_product y a (y * _)), (label_inverse y _ label) by exact label.
      replace (p (y * (1 + gamma * (y * a)))) with (- (y * a))
        by (unfold p; rewrite label_inverse by exact label; field; lra).
      set (b := y * a) in *. clearbody b.
      unfold huber. destruct (Rle_dec (- b) 0); [replace b with 0 by lra; field|].
      destruct (Rle_dec 1 (- b)); [replace b with (-1) by lra|]; field.
    - intros t. rewrite smoothed_hinge_huber, (label_product y a t label), (margin t).
      assert (B : 0 <= - (y * a) <= 1) by lra.
      pose proof (Rmult_le_compat_l gamma _ _ (Rlt_le _ _ gamma_pos) (huber_conj _ (p t) B)). lra.
  Qed.

  Lemma smoothed_hinge_domain : forall a, conj_dom (smoothed_hinge gamma y) a <-> -1 <= y * a <= 0.
  Proof.
    intros a. split; [|intros Ha; eapply lub_in_dom; apply smoothed_hinge_is_lub; exact Ha].
    intros Ha. split; apply Rnot_lt_le; intros Hlt; revert Ha.
    - apply not_in_dom with (- 1 - y * a) (1 - gamma / 2 - (y * a + 1) * (1 - gamma)) (fun t => y * (1 - gamma - t)); [lra|].
      intros t Ht. rewrite (label_product y a) by exact label. unfold smoothed_hinge.
      rewrite label_inverse by exact label. cases; nra.
    - apply not_in_dom with (y * a) 0 (fun t => y * (1 + t)); [lra|].
      intros t Ht. rewrite (label_product y a) by exact label. unfold smoothed_hinge.
      rewrite label_inverse by exact label. cases; nra.
  Qed.

  Lemma smoothed_hinge_conjugate : conjugate (smoothed_hinge gamma y) (smoothed_hinge_conj gamma y).
  Proof. intros a Ha. apply smoothed_hinge_is_lub, smoothed_hinge_domain, Ha. Qed.
End SmoothedHinge.


(* ---- Squared hinge: with q = 1 - y z it is max(0, q)^2; gamma = 1/2. ---- *)
Definition half_square (q : R) : R := (Rmax 0 q) ^ 2.

Lemma square_below : forall p q, half_square p + 2 * Rmax 0 p * (q - p) <= half_square q.
Proof. intros p q. pose proof (pow2_ge_0 (q - p)). unfold half_square, Rmax. cases; nra. Qed.

Lemma square_above : forall p q, half_square q <= half_square p + 2 * Rmax 0 p * (q - p) + (q - p) ^ 2.
Proof. intros p q. pose proof (pow2_ge_0 (q - p)). unfold half_square, Rmax. cases; nra. Qed.

Section SquaredHinge.
  Variable y : R.
  Hypothesis label : is_label y.

  Lemma squared_hinge_smooth : smooth_loss (squared_hinge y) (squared_hinge_deriv y) (1 / 2).
  Proof.
    assert (E : forall u v, squared_hinge_deriv y u * (v - u) = 2 * Rmax 0 (1 - y * u) * ((1 - y * v) - (1 - y * u)))
      by (intros; unfold squared_hinge_deriv; ring).
    apply sandwich_smooth; [lra | |]; intros u v; rewrite E.
    - apply square_below.
    - pose proof (square_above (1 - y * u) (1 - y * v)) as A.
      assert (S : (v - u) ^ 2 / (2 * (1 / 2)) = (1 - y * v - (1 - y * u)) ^ 2).
      { replace ((1 - y * v - (1 - y * u)) ^ 2) with (y * y * (v - u) ^ 2) by ring.
        rewrite label_square by exact label. field. }
      rewrite S. exact A.
  Qed.

  Lemma squared_hinge_is_lub : forall a, y * a <= 0 -> is_lub (conj_set (squared_hinge y) a) (squared_hinge_conj y a).
  Proof.
    intros a Ha.
    assert (S : a ^ 2 = (y * a) ^ 2) by (replace ((y * a) ^ 2) with (y * y * a ^ 2) by ring; rewrite label_square by exact label; ring).
    unfold squared_hinge_conj, squared_hinge. rewrite S. apply attained_is_lub with (y * (1 + y * a / 2)).
    - rewrite (label_product y a (y * _)), (label_inverse y _ label) by exact label.
      set (b := y * a) in *. rewrite Rmax_right by lra. field.
    - intros t. rewrite (label_product y a t label). set (b := y * a) in *.
      pose proof (pow2_ge_0 (1 - y * t + b / 2)). unfold Rmax. cases; nra.
  Qed.

  Lemma squared_hinge_domain : forall a, conj_dom (squared_hinge y) a <-> y * a <= 0.
  Proof.
    intros a. split; [|intros Ha; eapply lub_in_dom; apply squared_hinge_is_lub; exact Ha].
    intros Ha. apply Rnot_lt_le. intros Hlt. revert Ha.
    apply not_in_dom with (y * a) 0 (fun t => y * (1 + t)); [exact Hlt|].
    intros t Ht. rewrite (label_product y a) by exact label. unfold squared_hinge.
    rewrite label_inverse by exact label. rewrite Rmax_left by lra. nra.
  Qed.

  Lemma squared_hinge_conjugate : conjugate (squared_hinge y) (squared_hinge_conj y).
  Proof. intros a Ha. apply squared_hinge_is_lub, squared_hinge_domain, Ha. Qed.
End SquaredHinge.
