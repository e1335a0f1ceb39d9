(* The theorems about binary64 applied: two rows (1), labels 1 and -1, smoothed hinge, lam = 2; w = 1/2, alpha = (-1, 1), doubles all. *)
From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core BinarySingleNaN.
From Dualgap Require Import Definitions Sums Convex Losses Controls Labels Inhabited Binary64 Machine.
Open Scope R_scope.

Definition one64 : b64 := double 1 0.
Definition half64 : b64 := double 1 (-1).
Definition minus_one64 : b64 := double (-1) 0.
Definition two64 : b64 := double 2 0.
Lemma value64 : forall m e s p q r, B2SF (double m e) = SpecFloat.S754_finite s p q -> r = F2R (Float radix2 (cond_Zopp s (Zpos p)) q) -> real (double m e) = r.
Proof.
  intros m e s p q r H ->. unfold real. destruct (double m e) as [t|t| |t a b c]; try discriminate H. injection H as -> -> ->. reflexivity.
Qed.
Lemma one_value : real one64 = 1.
Proof. apply (value64 1 0 false 4503599627370496 (-52)); [vm_compute; reflexivity|]. unfold F2R. simpl. lra. Qed.
Lemma minus_one_value : real minus_one64 = -1.
Proof. apply (value64 (-1) 0 true 4503599627370496 (-52)); [vm_compute; reflexivity|]. unfold F2R. simpl. lra. Qed.
Lemma two_value : real two64 = INR 2.
Proof. apply (value64 2 0 false 4503599627370496 (-51)); [vm_compute; reflexivity|]. unfold F2R. simpl. lra. Qed.

Definition X64 : nat -> nat -> b64 := fun _ _ => one64.
Definition w64 : nat -> b64 := fun _ => half64.
Definition labels64 : nat -> b64 := fun i => match i with O => one64 | _ => minus_one64 end.
Definition alpha64 : nat -> b64 := fun i => match i with O => minus_one64 | _ => one64 end.
Lemma sums_finite : forall i, finite (dot64 1 (X64 i) w64).
Proof. intros i. vm_compute. reflexivity. Qed.
Lemma means_finite : forall j, finite (mean64 2 two64 X64 alpha64 j).
Proof. intros j. vm_compute. reflexivity. Qed.
Lemma alpha_feasible : feasible 2 phi (fun i => real (alpha64 i)).
Proof.
  intros i Hi. apply smoothed_hinge_domain; [lra | apply both_are_labels, Hi|]. unfold alpha64, both_labels.
  destruct i as [|i]; [rewrite minus_one_value | rewrite one_value]; lra.
Qed.
Lemma rows_mean : avg 2 (fun i => norm2 1 (fun j => real (X64 i j))) <= 1 ^ 2.
Proof. unfold avg, norm2, dot, X64. rewrite one_value. cbn [bsum]. simpl. lra. Qed.

Definition binary64_rounds_applies := binary64_rounds.
Definition dot64_is_fdot_applies := dot64_is_fdot 1 (X64 0%nat) w64 (sums_finite 0%nat).
Definition mean64_is_fmean_row_applies := mean64_is_fmean_row 2 two64 X64 alpha64 0%nat n_pos two_value (means_finite 0%nat).
Definition certificate_in_binary64_applies := certificate_in_binary64 2 1 X64 w64 alpha64 two64 phi dphi phis (l2 1 2) (l2_conj 1 2) (l2_grad 2) 1 2 1
  (fun _ => 0) n_pos Rlt_0_1 lam_pos losses conjugates (l2_strong 1 2) (l2_pair 1 2 lam_pos) alpha_feasible two_value sums_finite means_finite
  Rle_0_1 rows_mean.

Definition binary64_rounding_applies := binary64_rounding.
Definition gap_bound_in_binary64_applies := gap_bound_in_binary64 hypotenuse 2 1 X64 alpha64 w64 alpha64 1 2 (fun _ => 0) hypotenuse_low n_pos (le_n 1) few_rows
  (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge.

Lemma values_are_labels : forall i, (i < 2)%nat -> label_of SmoothedHinge 1 (real (labels64 i)).
Proof. intros i Hi. unfold labels64. destruct i as [|i]; [rewrite one_value | rewrite minus_one_value]; [apply label_plus | apply label_minus]. Qed.
Lemma alpha_feasible_by_name : feasible 2 (fun i => loss_of SmoothedHinge 1 (real (labels64 i))) (fun i => real (alpha64 i)).
Proof.
  intros i Hi. cbn [loss_of]. apply smoothed_hinge_domain; [lra | exact (values_are_labels i Hi)|].
  unfold labels64, alpha64. destruct i as [|i]; rewrite one_value, minus_one_value; lra.
Qed.
Definition gap_bound_losses_l2_in_binary64_applies := gap_bound_losses_l2_in_binary64 SmoothedHinge hypotenuse 2 1 X64 labels64 w64 alpha64 1 2 (fun _ => 0) hypotenuse_low
  n_pos (le_n 1) few_rows (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge values_are_labels alpha_feasible_by_name.
Definition gap_bound_losses_elastic_in_binary64_applies := gap_bound_losses_elastic_in_binary64 SmoothedHinge hypotenuse 2 1 X64 labels64 w64 alpha64 1 2 1 (fun _ => 0)
  hypotenuse_low n_pos (le_n 1) few_rows (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge l1_is_large values_are_labels alpha_feasible_by_name.

(* gamma = 0: alpha as it stands, which is its own label, turned. *)
Lemma labels64_inside : forall i, (i < 2)%nat -> is_label (real (labels64 i)) /\ -1 <= real (labels64 i) * real (alpha64 i) <= 0.
Proof. intros [|i] _; cbn [labels64 alpha64]; rewrite one_value, minus_one_value; unfold is_label; lra. Qed.
Lemma alpha64_small : forall i, (i < 2)%nat -> -1 <= real (alpha64 i) <= 1.
Proof. intros [|i] _; cbn [alpha64]; [rewrite minus_one_value | rewrite one_value]; lra. Qed.
Definition gap_bound_hinge_in_binary64_applies := gap_bound_hinge_in_binary64 hypotenuse 2 1 X64 labels64 w64 alpha64 2 (fun _ => 0) n_pos (le_n 1) few_rows
  (not_tiny 2 ltac:(lra)) labels64_inside.
Definition gap_bound_absolute_in_binary64_applies := gap_bound_absolute_in_binary64 hypotenuse 2 1 X64 labels64 w64 alpha64 2 (fun _ => 0) n_pos (le_n 1) few_rows
  (not_tiny 2 ltac:(lra)) alpha64_small.

(* On the machine's numbers: what the program computes, by computation. *)
Lemma two_range : / 2 ^ 900 <= real two64 <= 2 ^ 900.
Proof. rewrite two_value. split; [apply not_tiny; simpl; lra | apply Rle_trans with (2 ^ 1); [simpl; lra | apply Rle_pow; [lra | lia]]]. Qed.
Lemma alpha64_finite : forall i, finite (alpha64 i). Proof. intros [|i]; vm_compute; reflexivity. Qed.
Lemma labels64_finite : forall i, finite (labels64 i). Proof. intros [|i]; vm_compute; reflexivity. Qed.
Definition gap_bound_hinge_where_finite_applies := gap_bound_hinge_where_finite no_hypot 2 1 X64 labels64 w64 alpha64 two64 (fun _ => 0) n_pos (le_n 1) few_rows
  two_range alpha64_finite labels64_inside ltac:(vm_compute; reflexivity).
Definition gap_bound_absolute_where_finite_applies := gap_bound_absolute_where_finite no_hypot 2 1 X64 labels64 w64 alpha64 two64 (fun _ => 0) n_pos (le_n 1) few_rows
  two_range alpha64_finite labels64_finite alpha64_small ltac:(vm_compute; reflexivity).

Definition every_float_application :=
  (binary64_rounds_applies, dot64_is_fdot_applies, mean64_is_fmean_row_applies, certificate_in_binary64_applies, binary64_rounding_applies,
   gap_bound_in_binary64_applies, gap_bound_losses_l2_in_binary64_applies, gap_bound_losses_elastic_in_binary64_applies,
   gap_bound_hinge_in_binary64_applies, gap_bound_absolute_in_binary64_applies,
   gap_bound_hinge_where_finite_applies, gap_bound_absolute_where_finite_applies).
