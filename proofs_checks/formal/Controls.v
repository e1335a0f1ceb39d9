(* Controls: the sharp one-step rate is attained; the constants of Lemma 2 fail below their thresholds. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Threshold.
Open Scope R_scope.

(* Equal rows x_i = 1 in dimension 1, targets 0, squared loss. *)
Definition ones : nat -> nat -> R := fun _ _ => 1.
Definition zeros : nat -> R := fun _ => 0.

Section EqualRows.
Variables (n : nat) (gamma lam : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.

Let phi := fun i : nat => squared gamma (zeros i).
Let dphi := fun i : nat => squared_deriv gamma (zeros i).
Let phis := fun i : nat => squared_conj gamma (zeros i).
Let DD := D n 1 ones phis lam.
Let G := gap n 1 ones phi phis lam.
Let step := aspdc_step n 1 ones dphi lam.
Let s := 1 - 1 / (lam * INR n * gamma).

(* Zero is the optimal dual value. *)
Lemma equal_rows_nonpositive : forall alpha, DD alpha <= 0.
Proof.
  intros alpha. eapply Rle_trans; [apply (squared_duality n 1 ones zeros gamma lam n_pos gamma_pos lam_pos alpha (fun _ => 0))|].
  unfold P. rewrite (avg_ext n _ (fun _ => 0)); [rewrite avg_const by exact n_pos|].
  - unfold norm2, dot. simpl. lra.
  - intros i _. unfold squared, dot, zeros. simpl. unfold Rdiv. ring.
Qed.

Theorem equal_rows_optimum : is_lub (fun r => exists alpha, r = DD alpha) 0.
Proof.
  apply is_lub_attained; [|intros r (alpha & ->); apply equal_rows_nonpositive].
  exists (fun _ => 0). unfold DD, D. rewrite (avg_ext n _ (fun _ => 0)); [rewrite avg_const by exact n_pos|].
  - rewrite (norm2_ext 1 _ (fun _ => 0)); [unfold norm2, dot; simpl; ring|].
    intros j _. unfold w_of. rewrite (bsum_ext n _ (fun _ => 0)) by (intros; ring). rewrite bsum_const. ring.
  - intros i _. unfold phis, squared_conj, zeros, Rdiv. ring.
Qed.

(* If the alpha_i sum to zero then w(alpha) = 0 and the gap is the dual error D* - D = - D. *)
Lemma balanced_gap : forall alpha, bsum n alpha = 0 -> G alpha = 0 - DD alpha.
Proof.
  intros alpha H. unfold G, gap. fold (DD alpha). enough (E : P n 1 ones phi lam (w_of n ones lam alpha) = 0) by lra.
  assert (Hw : forall j, w_of n ones lam alpha j = 0).
  { intros j. unfold w_of, ones. rewrite (bsum_ext n _ alpha) by (intros; ring). rewrite H. ring. }
  unfold P. rewrite (norm2_ext 1 _ (fun _ => 0)) by (intros; apply Hw).
  rewrite (avg_ext n _ (fun _ => 0)); [rewrite avg_const by exact n_pos; unfold norm2, dot; simpl; ring|].
  intros i _. rewrite (dot_ext 1 _ (ones i) _ (fun _ => 0)) by (intros; try apply Hw; reflexivity).
  unfold phi, squared, dot, zeros, Rdiv. simpl. ring.
Qed.

(* The sharp one-step rate is attained exactly, for every n, lam and gamma. *)
Theorem one_step_rate_is_tight : forall alpha, bsum n alpha = 0 ->
  avg n (fun i => 0 - DD (step alpha i)) = (1 - s / INR n) * (0 - DD alpha).
Proof.
  intros alpha H.
  pose proof (squared_one_step_mean n 1 ones zeros gamma lam n_pos gamma_pos lam_pos 1) as E.
  assert (E' := E ltac:(intros; unfold norm2, dot, ones; simpl; ring) alpha). clear E.
  fold phi dphi phis in E'. change (gap n 1 ones _ _ lam alpha) with (G alpha) in E'.
  rewrite balanced_gap in E' by exact H.
  change (avg n (fun i => DD (step alpha i) - DD alpha)
          = (1 - 1 / (lam * INR n * gamma)) / INR n * (0 - DD alpha)) in E'.
  rewrite avg_minus, (avg_const n (DD alpha)) in E' by exact n_pos.
  rewrite avg_minus, (avg_const n 0) by exact n_pos. unfold s. lra.
Qed.
End EqualRows.

(* The example (1, -1), n = 2: its gap is positive, so the control below is not about 0 = 0. *)
Definition plus_minus : nat -> R := fun i => match i with O => 1 | S O => -1 | _ => 0 end.

Lemma plus_minus_gap : forall gamma lam, 0 < gamma -> 0 < lam ->
  0 - D 2 1 ones (fun i => squared_conj gamma (zeros i)) lam plus_minus = gamma / 2.
Proof.
  intros. unfold D, avg, w_of, norm2, dot, squared_conj, zeros, ones, plus_minus. simpl. field. lra.
Qed.

(* At lam n gamma = 1.99 (R = 1) the inequality E[D+ - D] >= gap/(2n) behind Lemma 2 is false. *)
Theorem below_half_rate_fails : forall gamma lam, 0 < gamma -> 0 < lam -> lam * 2 * gamma = 199 / 100 ->
  avg 2 (fun i => D 2 1 ones (fun i => squared_conj gamma (zeros i)) lam
                    (aspdc_step 2 1 ones (fun i => squared_deriv gamma (zeros i)) lam plus_minus i)
                  - D 2 1 ones (fun i => squared_conj gamma (zeros i)) lam plus_minus)
  < 1 / (2 * 2) * gap 2 1 ones (fun i => squared gamma (zeros i)) (fun i => squared_conj gamma (zeros i)) lam plus_minus.
Proof.
  intros gamma lam Hg Hl Hlng.
  assert (Hsum : bsum 2 plus_minus = 0) by (unfold plus_minus; simpl; ring).
  pose proof (one_step_rate_is_tight 2 gamma lam ltac:(lia) Hg Hl plus_minus Hsum) as E.
  pose proof (balanced_gap 2 gamma lam ltac:(lia) plus_minus Hsum) as Hgap.
  rewrite Hgap. rewrite avg_minus, (avg_const 2 0) in E by lia. rewrite avg_minus, avg_const by lia.
  pose proof (plus_minus_gap gamma lam Hg Hl) as Hv. rewrite Hv in *.
  change (INR 2) with 2 in E. rewrite Hlng in E. lra.
Qed.

(* n = 1: every step multiplies the gap by K^2, K = ||x||^2/(lam gamma). *)
Section OneRow.
Variables (d : nat) (X : nat -> nat -> R) (y : nat -> R) (gamma lam : R).
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.
Let G := gap 1 d X (fun i => squared gamma (y i)) (fun i => squared_conj gamma (y i)) lam.
Let step := aspdc_step 1 d X (fun i => squared_deriv gamma (y i)) lam.
Let K := norm2 d (X 0%nat) / (lam * gamma).

Lemma one_row_residual : forall a,
  squared_delta 1 d X y gamma lam a 0 = (- (a 0%nat * norm2 d (X 0%nat)) / lam - y 0%nat) / gamma - a 0%nat.
Proof.
  intros a. unfold squared_delta. f_equal. unfold squared_deriv. f_equal. f_equal.
  rewrite (dot_ext d _ (X 0%nat) _ (fun j => (- (a 0%nat / lam)) * X 0%nat j)); [| reflexivity |].
  - rewrite dot_scal_r. unfold norm2. field. lra.
  - intros j _. unfold w_of. simpl. field. lra.
Qed.

Lemma one_row_step : forall a, G (step a 0%nat) = K ^ 2 * G a.
Proof.
  intros a. unfold G. rewrite !squared_gap by (assumption || lia). unfold avg, bsum.
  assert (E : squared_delta 1 d X y gamma lam (step a 0%nat) 0 = - K * squared_delta 1 d X y gamma lam a 0).
  { assert (Hs : step a 0%nat 0%nat = a 0%nat + squared_delta 1 d X y gamma lam a 0).
    { unfold step, aspdc_step. rewrite upd_same. unfold squared_delta. ring. }
    rewrite (one_row_residual (step a 0%nat)), Hs, one_row_residual. unfold K. field. lra. }
  rewrite E. simpl. field.
Qed.

Theorem one_row_gap : forall t a, Expect 1 step t G a = (K ^ 2) ^ t * G a.
Proof.
  induction t as [|t IH]; intros a; [simpl; ring|].
  change (Expect 1 step (S t) G a) with ((0 + Expect 1 step t G (step a 0%nat)) / 1).
  rewrite IH, one_row_step. simpl. field.
Qed.

(* At lam = R^2/(n gamma) nothing moves: Lemma 2's bound fails from t = 2 on. *)
Corollary lemma_2_fails_at_threshold : norm2 d (X 0%nat) = 1 -> lam = 1 / gamma -> forall a, 0 < G a ->
  2 * (1 - 1 / 2) ^ 2 * G a < Expect 1 step 2 G a.
Proof.
  intros Hx Hl a Ha. rewrite one_row_gap. unfold K. rewrite Hx, Hl.
  replace (1 / (1 / gamma * gamma)) with 1 by (field; lra). lra.
Qed.
End OneRow.
