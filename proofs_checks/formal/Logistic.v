(* The logistic loss satisfies Assumption 1 with gamma = 4, and its conjugate is b ln b + (1 - b) ln (1 - b),
   b = - y a, on exactly 0 <= b <= 1.  ln 0 is 0 in this library, which is the 0 ln 0 = 0 of the conjugate. *)
From Coq Require Import Reals Lra Psatz.
From Dualgap Require Import Definitions Sums Convex Losses.
Open Scope R_scope.

(* ---- General: 0 <= f'' <= 1/gamma gives Assumption 1. ---- *)
Section SecondDerivative.
  Variables (f df d2f : R -> R) (gamma : R).
  Hypothesis first : forall z, derivable_pt_lim f z (df z).
  Hypothesis second : forall z, derivable_pt_lim df z (d2f z).
  Hypothesis bounds : forall z, 0 <= d2f z <= / gamma.

  Lemma increments : forall u v, u < v -> 0 <= df v - df u <= (v - u) / gamma.
  Proof.
    intros u v Huv. destruct (MVT_cor2 df d2f u v Huv) as (c & Hc & _); [intros; apply second|]. rewrite Hc.
    destruct (bounds c) as [L U]. split; [apply Rmult_le_pos; lra|].
    unfold Rdiv. rewrite (Rmult_comm (v - u)). apply Rmult_le_compat_r; lra.
  Qed.

  Lemma second_derivative_smooth : smooth_loss f df gamma.
  Proof.
    split; [|split; [exact first|]].
    - apply sandwich_convex with df. intros u v. destruct (Rtotal_order u v) as [Hlt | [<- | Hgt]]; [| lra |].
      + destruct (MVT_cor2 f df u v Hlt) as (c & Hc & Hin); [intros; apply first|].
        pose proof (proj1 (increments u c (proj1 Hin))).
        pose proof (Rmult_le_compat_r (v - u) (df u) (df c)). lra.
      + destruct (MVT_cor2 f df v u Hgt) as (c & Hc & Hin); [intros; apply first|].
        pose proof (proj1 (increments c u (proj2 Hin))).
        pose proof (Rmult_le_compat_r (u - v) (df c) (df u)). lra.
    - intros u v. destruct (Rtotal_order u v) as [Hlt | [<- | Hgt]].
      + pose proof (increments u v Hlt). rewrite !Rabs_left1 by lra.
        replace (- (u - v) / gamma) with ((v - u) / gamma) by (unfold Rdiv; ring). lra.
      + rewrite !Rminus_diag_eq, Rabs_R0 by reflexivity. unfold Rdiv. lra.
      + pose proof (increments v u Hgt). rewrite !Rabs_right by lra. lra.
  Qed.
End SecondDerivative.

(* ---- The loss. ---- *)
Lemma one_plus_exp : forall x, 1 < 1 + exp x.
Proof. intros x. pose proof (exp_pos x). lra. Qed.

(* ln (1 + e^-x) = ln (1 + e^x) - x. *)
Lemma softplus_reflect : forall x, ln (1 + exp (- x)) = ln (1 + exp x) - x.
Proof.
  intros x. pose proof (one_plus_exp x). pose proof (exp_pos x). pose proof (exp_pos (- x)).
  assert (E : 1 + exp x = exp x * (1 + exp (- x)))
    by (rewrite Rmult_plus_distr_l, <- exp_plus, Rplus_opp_r, exp_0; ring).
  rewrite E, ln_mult, ln_exp by lra. ring.
Qed.

Lemma softplus_nonneg : forall x, 0 <= ln (1 + exp x).
Proof. intros x. rewrite <- ln_1. apply Rlt_le, ln_increasing; pose proof (one_plus_exp x); lra. Qed.

Lemma softplus_le_exp : forall x, ln (1 + exp x) <= exp x.
Proof.
  intros x. pose proof (exp_pos x) as H. apply Rle_trans with (ln (exp (exp x))); [|rewrite ln_exp; lra].
  apply Rlt_le, ln_increasing; [lra | apply exp_ineq1, Rgt_not_eq; exact H].
Qed.

Lemma softplus_le_ln2 : forall x, x <= 0 -> ln (1 + exp x) <= ln 2.
Proof.
  intros x Hx. pose proof (one_plus_exp x).
  assert (exp x <= exp 0) by (destruct Hx as [Hx | ->]; [apply Rlt_le, exp_increasing; exact Hx | lra]).
  rewrite exp_0 in *. destruct (Req_dec (exp x) 1) as [E | E]; [rewrite E; right; f_equal; lra|].
  apply Rlt_le, ln_increasing; lra.
Qed.

Lemma derivable_exp_scal : forall c x, derivable_pt_lim (fun z => exp (c * z)) x (exp (c * x) * c).
Proof.
  intros c x. apply (derivable_pt_lim_comp (fun z => c * z) exp); [|apply derivable_pt_lim_exp].
  pose proof (derivable_pt_lim_scal (fun t => t) c x 1 (derivable_pt_lim_id x)) as S.
  rewrite Rmult_1_r in S. exact S.
Qed.

Lemma derivable_one_plus_exp : forall c x, derivable_pt_lim (fun z => 1 + exp (c * z)) x (exp (c * x) * c).
Proof.
  intros c x. pose proof (derivable_pt_lim_plus (fun _ => 1) (fun z => exp (c * z)) x 0 _
    (derivable_pt_lim_const 1 x) (derivable_exp_scal c x)) as S.
  rewrite Rplus_0_l in S. exact S.
Qed.

Section Logistic.
  Variable y : R.
  Hypothesis label : is_label y.

  Lemma logistic_first : forall z, derivable_pt_lim (logistic y) z (logistic_deriv y z).
  Proof.
    intros z. pose proof (one_plus_exp (- y * z)) as Hp.
    pose proof (derivable_pt_lim_comp (fun z => 1 + exp (- y * z)) ln z _ _
      (derivable_one_plus_exp (- y) z) (derivable_pt_lim_ln (1 + exp (- y * z)) ltac:(lra))) as S.
    apply derivable_pt_lim_ext with (fun z => ln (1 + exp (- y * z))).
    - intros t. unfold logistic. rewrite Ropp_mult_distr_l. reflexivity.
    - replace (logistic_deriv y z) with (/ (1 + exp (- y * z)) * (exp (- y * z) * - y)); [exact S|].
      unfold logistic_deriv. pose proof (one_plus_exp (y * z)). pose proof (exp_pos (y * z)).
      rewrite <- Ropp_mult_distr_l, exp_Ropp. field. lra.
  Qed.

  Lemma logistic_second : forall z, derivable_pt_lim (logistic_deriv y) z (exp (y * z) / (1 + exp (y * z)) ^ 2).
  Proof.
    intros z. pose proof (one_plus_exp (y * z)) as Hp.
    pose proof (derivable_pt_lim_div (fun _ => - y) (fun z => 1 + exp (y * z)) z _ _
      (derivable_pt_lim_const (- y) z) (derivable_one_plus_exp y z) ltac:(lra)) as S.
    replace (exp (y * z) / (1 + exp (y * z)) ^ 2)
      with ((0 * (1 + exp (y * z)) - exp (y * z) * y * - y) / Rsqr (1 + exp (y * z))); [exact S|].
    unfold Rsqr. replace (0 * (1 + exp (y * z)) - exp (y * z) * y * - y) with (y * y * exp (y * z)) by ring.
    rewrite label_square by exact label. field. lra.
  Qed.

  Lemma logistic_smooth : smooth_loss (logistic y) (logistic_deriv y) 4.
  Proof.
    apply second_derivative_smooth with (fun z => exp (y * z) / (1 + exp (y * z)) ^ 2);
      [apply logistic_first | apply logistic_second |].
    intros z. pose proof (exp_pos (y * z)) as Hp. set (e := exp (y * z)) in *.
    assert (Hs : 0 < (1 + e) ^ 2) by (apply pow_lt; lra).
    split; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
    apply Rmult_le_reg_r with ((1 + e) ^ 2); [exact Hs|].
    replace (e / (1 + e) ^ 2 * (1 + e) ^ 2) with e by (field; lra). pose proof (pow2_ge_0 (1 - e)). lra.
  Qed.

  Lemma logistic_at : forall a z, a * z - logistic y z = (y * a) * (y * z) - ln (1 + exp (- (y * z))).
  Proof. intros a z. unfold logistic. rewrite (label_product y a z label). reflexivity. Qed.

  (* 0 < b < 1: the supremum is attained at m = ln ((1 - b)/b). *)
  Lemma logistic_inside : forall a, -1 < y * a < 0 -> is_lub (conj_set (logistic y) a) (logistic_conj y a).
  Proof.
    intros a Ha. unfold logistic_conj. set (b := - (y * a)). set (m := ln (1 - b) - ln b).
    assert (Hb : 0 < b < 1) by (unfold b; lra).
    assert (Em : 1 + exp m = / b).
    { unfold m, Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by lra. field. lra. }
    apply attained_is_lub with (y * m).
    - rewrite logistic_at, label_inverse, softplus_reflect, Em, ln_Rinv by (exact label || lra).
      replace (y * a) with (- b) by (unfold b; ring). unfold m. ring.
    - intros t. pose proof (tangent_below (logistic y) (y * m) a t (proj1 logistic_smooth)) as T.
      assert (Ed : logistic_deriv y (y * m) = a).
      { unfold logistic_deriv. rewrite label_inverse, Em by exact label.
        replace (- y / / b) with (- y * b) by (field; lra). replace (- y * b) with (y * y * a) by (unfold b; ring).
        rewrite label_square by exact label. ring. }
      pose proof (logistic_first (y * m)) as F. rewrite Ed in F. specialize (T F).
      assert (Ev : a * (y * m) - logistic y (y * m) = b * ln b + (1 - b) * ln (1 - b)).
      { rewrite logistic_at, label_inverse, softplus_reflect, Em, ln_Rinv by (exact label || lra).
        replace (y * a) with (- b) by (unfold b; ring). unfold m. ring. }
      lra.
  Qed.

  (* b = 0 and b = 1: the supremum 0 is a limit, - ln (1 + e^x) for x to - infinity. *)
  Lemma logistic_ends : forall a, y * a = 0 \/ y * a = -1 -> is_lub (conj_set (logistic y) a) (logistic_conj y a).
  Proof.
    intros a Ha.
    assert (Ec : logistic_conj y a = 0).
    { unfold logistic_conj. destruct Ha as [-> | ->].
      - replace (1 - - 0) with 1 by ring. rewrite ln_1. ring.
      - replace (- -1) with 1 by ring. rewrite ln_1. ring. }
    assert (Ex : forall r, conj_set (logistic y) a r <-> exists x, r = - ln (1 + exp x)).
    { intros r. split; intros [z ->]; destruct Ha as [E | E].
      - exists (- (y * z)). rewrite logistic_at, E. ring.
      - exists (y * z). rewrite logistic_at, E, softplus_reflect. ring.
      - exists (y * - z). rewrite logistic_at, E, label_inverse, Ropp_involutive by exact label. ring.
      - exists (y * z). rewrite logistic_at, E, label_inverse, softplus_reflect by exact label. ring. }
    rewrite Ec. split.
    - intros r Hr. apply Ex in Hr. destruct Hr as [x ->]. pose proof (softplus_nonneg x). lra.
    - intros r Hr. apply Rnot_lt_le. intros Hlt.
      assert (Hx : - ln (1 + exp (ln (- r / 2))) <= r) by (apply Hr, Ex; exists (ln (- r / 2)); reflexivity).
      pose proof (softplus_le_exp (ln (- r / 2))) as S. rewrite exp_ln in * by lra. lra.
  Qed.

  Lemma logistic_is_lub : forall a, -1 <= y * a <= 0 -> is_lub (conj_set (logistic y) a) (logistic_conj y a).
  Proof.
    intros a [[Hl | El] [Hr | Er]]; [apply logistic_inside; lra | apply logistic_ends; lra ..].
  Qed.

  Lemma logistic_domain : forall a, conj_dom (logistic y) a <-> -1 <= y * a <= 0.
  Proof.
    intros a. split; [|intros Ha; eapply lub_in_dom; apply logistic_is_lub; exact Ha].
    intros Ha. split; apply Rnot_lt_le; intros Hlt; revert Ha.
    - apply not_in_dom with (- 1 - y * a) (ln 2) (fun t => y * - t); [lra|]. intros t Ht.
      rewrite logistic_at, label_inverse, softplus_reflect by exact label.
      pose proof (softplus_le_ln2 (- t)). lra.
    - apply not_in_dom with (y * a) (ln 2) (fun t => y * t); [lra|]. intros t Ht.
      rewrite logistic_at, label_inverse by exact label. pose proof (softplus_le_ln2 (- t)). lra.
  Qed.

  Lemma logistic_conjugate : conjugate (logistic y) (logistic_conj y).
  Proof. intros a Ha. apply logistic_is_lub, logistic_domain, Ha. Qed.
End Logistic.
