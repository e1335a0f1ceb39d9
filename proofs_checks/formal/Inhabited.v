(* No theorem is about nothing: each is applied to data that are written down, with all of its hypotheses proved together.
   Two rows (1), labels 1 and -1, smoothed hinge with gamma = 1, lam = 2, so that K = 1/4, from alpha = (-1/2, 1/2), where the
   gap is 1/8; where a theorem speaks of other data, they stand beside it.  NAME_applies is the theorem NAME; where it asks for
   a t, `enough` finds one. *)
From Coq Require Import Reals Lra Lia Arith List FunctionalExtensionality.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Logistic Elastic Concrete.
From Dualgap Require Import Sequences Incremental Threshold Controls Outer RootEta Corollaries Damped Sdca Sharp Saddle Algorithm3 Pgs Spdc SpdcRate Subsets SdcaLipschitz Passcode Certificate AdaspdcR Svrg Sag Rounded Computed ComputedLosses ComputedElastic ComputedHinge.
From Dualgap Require Import Bridge Labels.
From Dualgap Require Checker PepProof.
Import Checker(accepted) PepProof(pep_rate, pep_gram_rate, pep_attained, pep_unbounded).
Open Scope R_scope.

(* -- the data ------------------------------------------------------------------------------------------------------ *)
Definition phi : nat -> R -> R := fun i => smoothed_hinge 1 (both_labels i).
Definition dphi : nat -> R -> R := fun i => smoothed_hinge_deriv 1 (both_labels i).
Definition phis : nat -> R -> R := fun i => smoothed_hinge_conj 1 (both_labels i).
Definition start : nat -> R := fun i => match i with O => - (1 / 2) | _ => 1 / 2 end.

Lemma n_pos : (0 < 2)%nat. Proof. lia. Qed.
Lemma first : (0 < 2)%nat. Proof. lia. Qed.
Lemma lam_pos : 0 < 2. Proof. lra. Qed.
Lemma losses : forall i, (i < 2)%nat -> smooth_loss (phi i) (dphi i) 1.
Proof. intros i Hi. apply smoothed_hinge_smooth; [lra | apply both_are_labels, Hi]. Qed.
Lemma conjugates : forall i, (i < 2)%nat -> conjugate (phi i) (phis i).
Proof. intros i Hi. apply smoothed_hinge_conjugate; [lra | apply both_are_labels, Hi]. Qed.
Lemma rows : forall i, (i < 2)%nat -> norm2 1 (ones i) <= 1.
Proof. intros i _. unfold norm2, dot, ones. simpl. lra. Qed.
Lemma inside : forall i, (i < 2)%nat -> -1 <= both_labels i * start i <= 0.
Proof. intros [|i] _; simpl; lra. Qed.
Lemma start_feasible : feasible 2 phi start.
Proof. intros i Hi. apply smoothed_hinge_domain; [lra | apply both_are_labels, Hi | apply inside, Hi]. Qed.
Lemma threshold : 4 / (INR 2 * 1) <= 2. Proof. simpl. lra. Qed.
Lemma threshold_R2 : 4 * 1 / (INR 2 * 1) <= 2. Proof. simpl. lra. Qed.
Lemma half : 2 * 1 / (INR 2 * 1) <= 2. Proof. simpl. lra. Qed.
Lemma s_pos : 0 < 1 - 1 / (2 * INR 2 * 1). Proof. simpl. lra. Qed.
Lemma s_nonneg : 0 <= 1 - 1 / (2 * INR 2 * 1). Proof. simpl. lra. Qed.

Lemma gap_of_start : gap 2 1 ones phi phis 2 start = 1 / 8.
Proof. unfold phi, phis, start, both_labels, ones. by_computation. Qed.
Lemma gap_pos : 0 < gap 2 1 ones phi phis 2 start. Proof. rewrite gap_of_start. lra. Qed.

(* Some number of steps is enough. *)
Lemma enough : forall x, exists t, x <= INR t.
Proof.
  intros x. exists (Z.to_nat (up (Rmax 0 x))). destruct (archimed (Rmax 0 x)) as [H _].
  pose proof (Rmax_l 0 x). pose proof (Rmax_r 0 x). rewrite INR_IZR_INZ, Z2Nat.id; [lra|]. apply le_IZR. lra.
Qed.

(* -- one loss; one step --------------------------------------------------------------------------------------------- *)
Lemma in_domain : conj_dom (phi 0%nat) (- (1 / 2) + 1 / 4).
Proof. apply smoothed_hinge_domain; [lra | apply both_are_labels, n_pos | simpl; lra]. Qed.
Lemma not_best : 1 / 4 <> dphi 0%nat 0 - - (1 / 2).
Proof. unfold dphi, smoothed_hinge_deriv, both_labels, clip01, Rmax, Rmin. repeat decide_one; lra. Qed.
Definition line5_argmax_applies := line5_argmax (phi 0%nat) (dphi 0%nat) (phis 0%nat) 1 0 (- (1 / 2)) (1 / 4)
  Rlt_0_1 (losses 0%nat n_pos) (conjugates 0%nat n_pos) in_domain not_best.
Definition fenchel_equality_applies := fenchel_equality (phi 0%nat) (dphi 0%nat) (phis 0%nat) 1 0 (losses 0%nat n_pos) (conjugates 0%nat n_pos).
Definition residual_lower_applies := residual_lower (phi 0%nat) (dphi 0%nat) (phis 0%nat) 1 0 (- (1 / 2))
  Rlt_0_1 (losses 0%nat n_pos) (conjugates 0%nat n_pos) (start_feasible 0%nat n_pos).
Definition one_step_identity_applies := one_step_identity 2 1 ones phi dphi phis 1 2 n_pos lam_pos losses conjugates start 0%nat first.
Definition one_step_mean_applies := one_step_mean 2 1 ones phi dphi phis 1 2 n_pos lam_pos losses conjugates Rlt_0_1 1 rows start start_feasible.
Definition dual_monotone_applies := dual_monotone 2 1 ones phi dphi phis 1 2 n_pos lam_pos losses conjugates Rlt_0_1 1 rows s_nonneg start 0%nat start_feasible first.
Definition weak_duality_L2_applies := weak_duality_L2 2 1 ones phi phis 2 n_pos lam_pos conjugates start (fun _ => 1) start_feasible.
Definition a17_applies := a17 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows threshold_R2 start start_feasible.

(* -- the rates ------------------------------------------------------------------------------------------------------ *)
Definition sharp_rate_applies := sharp_rate 2 1 ones phi dphi phis 1 2 n_pos lam_pos losses conjugates Rlt_0_1 1 rows s_pos 3%nat start start_feasible.
Definition lemma_2_half_applies := lemma_2_half 2 1 ones phi dphi phis 1 2 n_pos lam_pos losses conjugates Rlt_0_1 1 rows half 3%nat start start_feasible.
Definition lemma_2_applies := lemma_2 2 1 ones phi dphi phis 1 2 n_pos Rlt_0_1 lam_pos losses conjugates rows threshold 3%nat start start_feasible.
Definition theorem_1_applies := fun t => theorem_1 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos Rlt_0_1 losses conjugates rows threshold t start
  start_feasible gap_pos.
Lemma theorem_1_inhabited : exists t, Expect 2 (aspdc_step 2 1 ones dphi 2) t (gap 2 1 ones phi phis 2) start <= 1.
Proof. destruct (enough (2 * INR 2 * ln (2 * INR 2 * gap 2 1 ones phi phis 2 start / 1))) as [t H]. exists t. exact (theorem_1_applies t H). Qed.
Definition theorem_1_half_applies := fun t => theorem_1_half 2 1 ones phi dphi phis 1 2 1 1 n_pos Rlt_0_1 lam_pos Rlt_0_1 losses conjugates rows half t start
  start_feasible gap_pos.
Definition sharp_rate_small_constant_applies := sharp_rate_small_constant 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows s_pos 3%nat
  start start_feasible.
Definition primal_rate_applies := primal_rate 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows s_pos 3%nat start (fun _ => 0)
  start_feasible.
Definition gap_probability_applies := gap_probability 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows s_pos 3%nat 1 start Rlt_0_1
  start_feasible.
Definition theorem_1_sharp_probability_applies := fun t => theorem_1_sharp_probability 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows
  s_pos 1 1 t start Rlt_0_1 Rlt_0_1 start_feasible gap_pos.
Definition distance_to_optimum_applies := distance_to_optimum 2 1 ones phi phis 2 n_pos lam_pos conjugates (fun _ => 0) start start_feasible.
Definition gap_certifies_applies := gap_certifies 2 1 ones phi phis 2 n_pos lam_pos conjugates start (fun _ => 0) start_feasible.

(* -- the optimum exists, and what is approached ---------------------------------------------------------------------- *)
Definition strong_duality_applies := strong_duality 2 1 ones phi dphi phis 1 2 n_pos Rlt_0_1 lam_pos losses conjugates.
Definition optimum := proj1_sig strong_duality_applies.
Definition optimal := proj1 (proj2_sig strong_duality_applies).
Definition best_value := proj2 (proj2_sig strong_duality_applies).
Definition iterates_converge_applies := iterates_converge 2 1 ones phi dphi phis 1 2 n_pos Rlt_0_1 lam_pos losses conjugates 1 rows s_pos optimum optimal 3%nat start
  start_feasible.
Definition gap_bound_L2_applies := gap_bound_L2 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows _ best_value start start_feasible.
Definition prox_exists_applies := prox_exists 2 1 ones phi dphi phis 1 2 n_pos Rlt_0_1 lam_pos losses conjugates 1 Rle_0_1.

(* -- any strongly convex regulariser: the elastic net (lam2, lam1) = (2, 1/10) ---------------------------------------- *)
Definition g := elastic 1 2 (1 / 10).
Definition gs := elastic_conj 1 2 (1 / 10).
Definition dg := elastic_grad 2 (1 / 10).
Lemma lam1_nonneg : 0 <= 1 / 10. Proof. lra. Qed.
Definition elastic_strong_applies := elastic_strong 1 2 (1 / 10) lam1_nonneg.
Definition elastic_pair_applies := elastic_pair 1 2 (1 / 10) lam_pos lam1_nonneg.
Lemma supremum : { D_star | is_lub (values (feasible 2 phi) (dual 2 ones phis gs)) D_star }.
Proof.
  apply completeness; [|exists (dual 2 ones phis gs start), start; split; [apply start_feasible | reflexivity]].
  exists (primal 2 1 ones phi g (fun _ => 0)). intros r (a & Ha & ->).
  apply weak_duality with (dg := dg); [exact n_pos | exact conjugates | exact elastic_pair_applies | exact Ha].
Qed.
Definition one_step_sharp_applies := one_step_sharp 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies start 0%nat start_feasible first.
Definition one_step_mean_general_applies := one_step_mean_general 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies 1 rows start start_feasible.
Definition pathwise_monotone_applies := pathwise_monotone 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies 1 rows s_nonneg start 0%nat start_feasible first.
Definition dual_rate_general_applies := dual_rate_general 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies 1 rows s_pos _ (proj2_sig supremum) 3%nat start start_feasible.
Definition sharp_rate_general_applies := sharp_rate_general 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies 1 rows s_pos 3%nat start start_feasible.
Definition sharp_rate_best_applies := sharp_rate_best 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies 1 rows s_pos _ (proj2_sig supremum) 3%nat start start_feasible.
Definition gap_pathwise_applies := gap_pathwise 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies 1 rows s_pos _ (proj2_sig supremum) start start_feasible.
Definition gap_bound_applies := gap_bound 2 1 ones phi dphi phis g gs dg 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies rows _ (proj2_sig supremum) start start_feasible.
Definition elastic_one_step_mean_applies := elastic_one_step_mean 2 1 ones phi dphi phis 1 2 (1 / 10) 1 n_pos Rlt_0_1 lam_pos lam1_nonneg losses conjugates rows
  start start_feasible.
Definition elastic_sharp_rate_applies := elastic_sharp_rate 2 1 ones phi dphi phis 1 2 (1 / 10) 1 n_pos Rlt_0_1 lam_pos lam1_nonneg losses conjugates rows s_pos
  3%nat start start_feasible.
Definition elastic_lemma_2_applies := elastic_lemma_2 2 1 ones phi dphi phis 1 2 (1 / 10) 1 n_pos Rlt_0_1 lam_pos lam1_nonneg losses conjugates rows half
  3%nat start start_feasible.

(* -- the losses, with both labels -------------------------------------------------------------------------------------- *)
Definition squared_smooth_applies := squared_smooth 1 3 Rlt_0_1.
Definition squared_conjugate_applies := squared_conjugate 1 3 Rlt_0_1.
Definition squared_domain_applies := squared_domain 1 3 5 Rlt_0_1.
Definition smoothed_hinge_smooth_applies := (smoothed_hinge_smooth 1 1 Rlt_0_1 label_plus, smoothed_hinge_smooth 1 (-1) Rlt_0_1 label_minus).
Definition smoothed_hinge_conjugate_applies := (smoothed_hinge_conjugate 1 1 Rlt_0_1 label_plus, smoothed_hinge_conjugate 1 (-1) Rlt_0_1 label_minus).
Definition smoothed_hinge_domain_applies := (smoothed_hinge_domain 1 1 Rlt_0_1 label_plus, smoothed_hinge_domain 1 (-1) Rlt_0_1 label_minus).
Definition squared_hinge_smooth_applies := (squared_hinge_smooth 1 label_plus, squared_hinge_smooth (-1) label_minus).
Definition squared_hinge_conjugate_applies := (squared_hinge_conjugate 1 label_plus, squared_hinge_conjugate (-1) label_minus).
Definition squared_hinge_domain_applies := (squared_hinge_domain 1 label_plus, squared_hinge_domain (-1) label_minus).
Definition logistic_smooth_applies := (logistic_smooth 1 label_plus, logistic_smooth (-1) label_minus).
Definition logistic_conjugate_applies := (logistic_conjugate 1 label_plus, logistic_conjugate (-1) label_minus).
Definition logistic_domain_applies := (logistic_domain 1 label_plus, logistic_domain (-1) label_minus).
Lemma four : 4 / (INR 2 * (1 / 2)) <= 4. Proof. simpl. lra. Qed.
Lemma four_pos : 0 < 4. Proof. lra. Qed.
Lemma one_half : 4 / (INR 2 * 4) <= 2. Proof. simpl. lra. Qed.
Lemma below : forall i, (i < 2)%nat -> both_labels i * start i <= 0. Proof. intros i Hi. apply inside, Hi. Qed.
Definition lemma_2_ridge_applies := lemma_2_ridge 2 1 ones both_labels 2 n_pos lam_pos rows 1 Rlt_0_1 threshold 3%nat start.
Definition lemma_2_smoothed_hinge_applies := lemma_2_smoothed_hinge 2 1 ones both_labels 2 n_pos lam_pos rows both_are_labels 1 Rlt_0_1 threshold 3%nat start inside.
Definition lemma_2_squared_hinge_applies := lemma_2_squared_hinge 2 1 ones both_labels 4 n_pos four_pos rows both_are_labels four 3%nat start below.
Definition lemma_2_logistic_applies := lemma_2_logistic 2 1 ones both_labels 2 n_pos lam_pos rows both_are_labels one_half 3%nat start inside.

(* -- sequences; the coded update ---------------------------------------------------------------------------------------- *)
Definition path : list nat := (0 :: 1 :: 1 :: nil)%nat%list.
Lemma path_in_range : forall i, In i path -> (i < 2)%nat. Proof. intros i Hi. simpl in Hi. lia. Qed.
Lemma consistent_start : consistent 2 1 ones 2 (start, w_of 2 ones 2 start) start. Proof. split; reflexivity. Qed.
Definition sequences_spec_applies := sequences_spec 2 3 path.
Definition sequences_distinct_applies := sequences_distinct 2 3.
Definition sequences_count_applies := sequences_count 2 3.
Definition Expect_is_average_applies := Expect_is_average (A := nat -> R) 2 (aspdc_step 2 1 ones dphi 2) (gap 2 1 ones phi phis 2) n_pos 3%nat start.
Definition incremental_is_exact_applies := incremental_is_exact 2 1 ones dphi 2 n_pos lam_pos path path_in_range _ start consistent_start.
Definition incremental_from_line_2_applies := incremental_from_line_2 2 1 ones dphi 2 n_pos lam_pos path start path_in_range.

(* -- thresholds and controls: squared loss, targets 0, rows (1), lam = 1/4, so that K = 2 ---------------------------------- *)
Lemma quarter_pos : 0 < 1 / 4. Proof. lra. Qed.
Lemma equal_rows : forall i, (i < 2)%nat -> norm2 1 (ones i) = 1. Proof. intros i _. unfold norm2, dot, ones. simpl. lra. Qed.
Lemma K_large : 1 <= 1 / (1 / 4 * INR 2 * 1). Proof. simpl. lra. Qed.
Lemma K_larger : 1 < 1 / (1 / 4 * INR 2 * 1). Proof. simpl. lra. Qed.
Lemma moves : squared_delta 2 1 ones zeros 1 (1 / 4) start 0 <> 0.
Proof. unfold squared_delta, squared_deriv, dot, w_of, ones, zeros, start. simpl. lra. Qed.
Lemma balanced : bsum 2 start = 0. Proof. unfold start. simpl. lra. Qed.
Definition divergence_threshold_applies := divergence_threshold 2 1 ones zeros 1 (1 / 4) n_pos Rlt_0_1 quarter_pos 1 equal_rows K_large 0
  (equal_rows_optimum 2 1 (1 / 4) n_pos Rlt_0_1 quarter_pos) 3%nat start.
Definition gap_diverges_applies := gap_diverges 2 1 ones zeros 1 (1 / 4) n_pos Rlt_0_1 quarter_pos 1 equal_rows K_large 0
  (equal_rows_optimum 2 1 (1 / 4) n_pos Rlt_0_1 quarter_pos) 3%nat start.
Definition dual_falls_on_every_path_applies := dual_falls_on_every_path 2 1 ones zeros 1 (1 / 4) n_pos Rlt_0_1 quarter_pos 1 equal_rows K_larger start 0%nat first moves.
Definition one_step_rate_is_tight_applies := one_step_rate_is_tight 2 1 2 n_pos Rlt_0_1 lam_pos start balanced.
Lemma lam_199 : 0 < 199 / 200. Proof. lra. Qed.
Lemma below_half : 199 / 200 * 2 * 1 = 199 / 100. Proof. lra. Qed.
Definition below_half_rate_fails_applies := below_half_rate_fails 1 (199 / 200) Rlt_0_1 lam_199 below_half.
Definition one_row_gap_applies := one_row_gap 1 ones zeros 1 1 Rlt_0_1 Rlt_0_1 3%nat start.
Lemma unit_row : norm2 1 (ones 0%nat) = 1. Proof. unfold norm2, dot, ones. simpl. lra. Qed.
Lemma at_threshold : 1 = 1 / 1. Proof. lra. Qed.
Lemma one_row_gap_pos : 0 < gap 1 1 ones (fun i => squared 1 (zeros i)) (fun i => squared_conj 1 (zeros i)) 1 start.
Proof. unfold zeros, ones, start. by_computation. Qed.
Definition lemma_2_fails_at_threshold_applies := lemma_2_fails_at_threshold 1 ones zeros 1 1 Rlt_0_1 Rlt_0_1 unit_row at_threshold start one_row_gap_pos.

(* -- Algorithm 2: n = 1, x = 1, y = 0, lam = kappa = 1, exact inner solves: w~_k = alpha~_k = 1/3^k, and xi_1 = 8 > 0 ------- *)
Definition thirds (k : nat) : nat -> R := fun _ => (1 / 3) ^ k.
Lemma thirds_step : forall k, thirds (S k) = shifted_grad 1 1 (thirds k) (u_of 1 ones (thirds (S k))).
Proof.
  intros k. apply functional_extensionality. intros j. unfold shifted_grad, u_of, avg, ones, thirds. cbn [bsum].
  rewrite <- tech_pow_Rmult. simpl INR. field.
Qed.
Lemma thirds_run : aspdc_i_run 1 1 ones (fun _ => squared 1 0) (fun _ => squared_conj 1 0) 1 1 (eta 1 1) 8 thirds thirds.
Proof.
  unfold aspdc_i_run. split; [|split; [|split]].
  - intros k i _. apply squared_domain. lra.
  - unfold eta, thirds, ones. cbv [P D w_of avg norm2 dot bsum squared squared_conj]. simpl. field.
  - apply thirds_step.
  - intros k. rewrite gap_as_residual by (try lia; apply shifted_pair; lra). apply Rle_trans with 0.
    + apply Req_le. rewrite <- thirds_step. unfold avg, residual. cbn [bsum]. rewrite squared_residual by lra.
      unfold dot, squared_deriv, ones, thirds. cbn [bsum]. simpl INR. field.
    + unfold inner_tolerance, xi, eta. assert (0 < (1 - 1 / (1 + 2 * 1) / 2) ^ k) by (apply pow_lt; lra).
      apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra.
Qed.
Definition one_row_n : (0 < 1)%nat := le_n 1.
Lemma squared_convex : forall i, (i < 1)%nat -> convex (squared 1 0).
Proof. intros i _. apply (squared_smooth 1 0 Rlt_0_1). Qed.
Lemma squared_conjugates : forall i, (i < 1)%nat -> conjugate (squared 1 0) (squared_conj 1 0).
Proof. intros i _. apply squared_conjugate, Rlt_0_1. Qed.
Definition theorem_2_applies := theorem_2 1 1 ones (fun _ => squared 1 0) (fun _ => squared_conj 1 0) 1 1 8 thirds thirds one_row_n Rlt_0_1 Rle_0_1
  squared_convex squared_conjugates thirds_run.
Lemma both_pos : 0 < 1 + 1. Proof. lra. Qed.
Lemma s_inner_pos : 0 < 1 - 1 / ((1 + 1) * INR 2 * 1). Proof. simpl. lra. Qed.
Definition inner_rate_applies := inner_rate 2 1 ones phi dphi phis 1 1 1 1 (fun _ => 1) n_pos Rlt_0_1 both_pos losses conjugates rows s_inner_pos 3%nat
  start start_feasible.

(* -- Algorithm 3: lam = kappa = 1, m = 4 = 2n ------------------------------------------------------------------------------- *)
Definition prox := proj1_sig (prox_exists 2 1 ones phi dphi phis 1 1 n_pos Rlt_0_1 Rlt_0_1 losses conjugates 1 Rle_0_1).
Definition is_the_prox := proj2_sig (prox_exists 2 1 ones phi dphi phis 1 1 n_pos Rlt_0_1 Rlt_0_1 losses conjugates 1 Rle_0_1).
Definition best := strong_duality 2 1 ones phi dphi phis 1 1 n_pos Rlt_0_1 Rlt_0_1 losses conjugates.
Lemma threshold_sum : 4 * 1 / (INR 2 * 1) <= 1 + 1. Proof. simpl. lra. Qed.
Lemma m_enough : (2 * 2 <= 4)%nat. Proof. lia. Qed.
Definition algorithm_3_rate_applies := algorithm_3_rate 2 1 ones phi dphi phis 1 1 1 1 4 prox (proj1_sig best) n_pos Rlt_0_1 Rlt_0_1 Rlt_0_1 losses conjugates
  rows threshold_sum m_enough is_the_prox 3%nat (fun _ => 1) start start_feasible.
Definition algorithm_3_converges_applies := algorithm_3_converges 2 1 ones phi dphi phis 1 1 1 1 4 (proj1_sig best) n_pos Rlt_0_1 Rlt_0_1 Rlt_0_1 losses conjugates
  rows threshold_sum m_enough (proj1 (proj2_sig best)) 3%nat (fun _ => 1) start start_feasible.

(* -- SDCA ----------------------------------------------------------------------------------------------------------------------- *)
Definition sdca_squared_best_applies := sdca_squared_best 2 1 ones 1 both_labels 2 n_pos Rlt_0_1 lam_pos.
Definition sdca_smoothed_hinge_best_applies := sdca_smoothed_hinge_best 2 1 ones 1 both_labels 2 n_pos Rlt_0_1 lam_pos both_are_labels.
Definition sdca_rate_applies := sdca_rate 2 1 ones phi dphi phis 1 2 1 n_pos Rlt_0_1 lam_pos losses conjugates rows
  (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) sdca_smoothed_hinge_best_applies 3%nat start start_feasible.
Definition sdca_gains_more_applies := sdca_gains_more 2 1 ones phi dphi phis 1 2 n_pos lam_pos losses
  (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) sdca_smoothed_hinge_best_applies start 0%nat start_feasible first.

(* -- PGS: two linear rounds, losses w and -w; then the data above, and hinge ------------------------------------------------- *)
Definition slopes (t : nat) : nat -> R := fun _ => match t with O => 1 | _ => -1 end.
Definition linear_losses (t : nat) (w : nat -> R) : R := dot 1 (slopes t) w.
Lemma linear_run : pgs_run 1 2 linear_losses slopes 2.
Proof. intros t _ v. unfold linear_losses. rewrite dot_minus_r. lra. Qed.
Lemma slopes_below : forall t, (t < 2)%nat -> norm2 1 (slopes t) <= 1.
Proof. intros [|t] _; unfold norm2, dot, slopes; simpl; lra. Qed.
Lemma tangents : forall i z v, (i < 2)%nat -> phi i z + dphi i z * (v - z) <= phi i v.
Proof. intros i z v Hi. destruct (losses i Hi) as (Hc & Hd & _). apply tangent_below; [exact Hc | apply Hd]. Qed.
Lemma slope_below : forall i z, (i < 2)%nat -> dphi i z ^ 2 * norm2 1 (ones i) <= 1.
Proof.
  intros i z Hi. unfold norm2, dot, ones, dphi, smoothed_hinge_deriv. set (c := clip01 _). simpl.
  assert (0 <= c <= 1) by (unfold c, clip01, Rmax, Rmin; repeat destruct Rle_dec; lra).
  assert (c * c <= 1 * 1) by (apply Rmult_le_compat; lra). destruct (both_are_labels i Hi) as [E | E]; rewrite E; lra.
Qed.
Definition two_rounds : (0 < 2)%nat := n_pos.
Definition pgs_regret_equality_applies := pgs_regret_equality 1 2 slopes 1 start lam_pos.
Definition pgs_regret_bound_applies := pgs_regret_bound 1 2 linear_losses slopes 1 start lam_pos linear_run.
Definition pgs_corollary_1_applies := pgs_corollary_1 1 2 linear_losses slopes 1 2 start lam_pos linear_run slopes_below.
Definition pgs_bound_attained_applies := pgs_bound_attained 1 2 (fun _ => 1) lam_pos.
Definition harmonic_ln_applies := harmonic_ln 3.
Definition pgs_theorem_1_applies := pgs_theorem_1 2 1 ones phi dphi 2 1 n_pos lam_pos tangents slope_below 2 (fun _ => 1) two_rounds.
Definition pgs_theorem_1_hinge_applies := pgs_theorem_1_hinge 2 1 ones both_labels 2 1 2 (fun _ => 1) n_pos lam_pos both_are_labels rows two_rounds.
(* w = v = 0, sigma = 1, m = 4, T = 2, eps = W = 2, delta = 1/2. *)
Lemma transfer : 0 + 1 / 2 * norm2 1 (fun _ : nat => 0) - (0 + 1 / 2 * norm2 1 (fun _ : nat => 0)) <= 2 * (1 / 10) + 1 / (1 * INR 4).
Proof. unfold norm2, dot. simpl. lra. Qed.
Lemma accurate : 1 / 10 <= 1 / 4 * harmonic 2 / (2 * 1 * INR 2) / (1 / 2).
Proof. unfold harmonic. simpl. lra. Qed.
Lemma rounds_enough : 1 / 4 * harmonic 2 / (1 / 2 * INR 2) <= 2 ^ 2 / (2 * 2) - 1 / INR 4.
Proof. unfold harmonic. simpl. lra. Qed.
Lemma v_below : norm2 1 (fun _ : nat => 0) <= 2. Proof. unfold norm2, dot. simpl. lra. Qed.
Lemma half_pos : 0 < 1 / 2. Proof. lra. Qed.
Lemma ratio : 1 = 2 / 2. Proof. lra. Qed.
Lemma four_rows : (0 < 4)%nat. Proof. lia. Qed.
Definition pgs_inverse_time_applies := pgs_inverse_time 1 (fun _ => 0) (fun _ => 0) (fun _ => 0) 1 (1 / 10) (1 / 4) 1 (1 / 2) 4 2 2 2 Rlt_0_1 half_pos
  four_rows two_rounds lam_pos v_below lam_pos ratio transfer accurate rounds_enough.

(* -- SPDC: the saddle point is w = 0, alpha = (-1, 1); steps 1/4 and 1/2, theta = 3/4, then those of (16) -------------------- *)
Definition saddle_alpha : nat -> R := fun i => match i with O => -1 | _ => 1 end.
Lemma saddle_slopes : forall i, (i < 2)%nat -> saddle_alpha i = dphi i (dot 1 (ones i) (fun _ => 0)).
Proof.
  intros [|[|i]] Hi; [| | lia]; unfold saddle_alpha, dphi, smoothed_hinge_deriv, both_labels, dot, ones, clip01, Rmax, Rmin; cbn [bsum];
    repeat decide_one; lra.
Qed.
Lemma saddle_mean : forall j, (j < 1)%nat -> 2 * 0 = - mean_row 2 ones saddle_alpha j.
Proof. intros j _. unfold mean_row, avg, ones, saddle_alpha. cbn [bsum]. simpl. lra. Qed.
Definition spdc_saddle_point_applies := spdc_saddle_point 2 1 ones phi dphi phis 1 2 (fun _ => 0) saddle_alpha lam_pos losses conjugates saddle_slopes saddle_mean.
Lemma quarter : 0 < 1 / 4. Proof. lra. Qed.
Lemma steps_small : 4 * (1 / 4 * (1 / 2)) * 1 <= 1. Proof. lra. Qed.
Lemma theta_in : 0 <= 3 / 4 <= 1. Proof. lra. Qed.
Lemma theta_1 : INR 2 - 1 <= 3 / 4 * INR 2. Proof. simpl. lra. Qed.
Lemma theta_2 : 1 <= 3 / 4 * (1 + 2 * 2 * (1 / 4)). Proof. lra. Qed.
Lemma theta_3 : (1 - 3 / 4) * (INR 2 + INR 2 / (2 * (1 / 2) * 1)) <= 1. Proof. simpl. lra. Qed.
Definition both_prox := fun i => smoothed_hinge_prox 1 (both_labels i).
Definition spdc_squared_rule_applies := spdc_squared_rule 2 1 ones zeros 1 2 (1 / 4) (1 / 2) (3 / 4) Rlt_0_1 lam_pos quarter half_pos.
Definition spdc_smoothed_hinge_rule_applies := spdc_smoothed_hinge_rule 2 1 ones both_labels 1 2 (1 / 4) (1 / 2) (3 / 4) Rlt_0_1 lam_pos quarter half_pos both_are_labels.
Definition spdc_contraction_applies := spdc_contraction 2 1 ones phi dphi phis (l2 1 2) 1 2 1 (1 / 4) (1 / 2) (3 / 4) (fun _ => 0) saddle_alpha
  (spdc_l2_step 2 1 ones both_prox 2 (1 / 4) (1 / 2) (3 / 4)) n_pos Rlt_0_1 lam_pos losses conjugates (l2_strong 1 2) rows quarter half_pos steps_small
  spdc_saddle_point_applies spdc_smoothed_hinge_rule_applies theta_in theta_1 theta_2 theta_3 3%nat start (fun _ => 1) start_feasible.
Lemma two_one : 1 <= INR 2. Proof. simpl. lra. Qed.
Definition spdc_16 c := spdc_l2_step 2 1 ones both_prox 2 (spdc_tau (INR 2) 1 1 2) (spdc_sigma (INR 2) 1 1 2) (spdc_theta c (INR 2) 1 1 2).
Definition spdc_16_rule c := spdc_smoothed_hinge_rule 2 1 ones both_labels 1 2 (spdc_tau (INR 2) 1 1 2) (spdc_sigma (INR 2) 1 1 2) (spdc_theta c (INR 2) 1 1 2) Rlt_0_1 lam_pos
  (tau_is_pos (INR 2) 1 1 2 two_one Rlt_0_1 Rlt_0_1 lam_pos) (sigma_is_pos (INR 2) 1 1 2 two_one Rlt_0_1 Rlt_0_1 lam_pos) both_are_labels.
Definition spdc_theorem_1_applies := (* c = 1 and c = 2 *)
  (spdc_theorem_1 2 1 ones phi dphi phis (l2 1 2) 1 2 1 1 (fun _ => 0) saddle_alpha (spdc_16 1) n_pos Rlt_0_1 lam_pos Rlt_0_1 (Rle_refl 1) losses conjugates
     (l2_strong 1 2) rows spdc_saddle_point_applies (spdc_16_rule 1) 3%nat start (fun _ => 1) start_feasible,
   spdc_theorem_1 2 1 ones phi dphi phis (l2 1 2) 1 2 1 2 (fun _ => 0) saddle_alpha (spdc_16 2) n_pos Rlt_0_1 lam_pos Rlt_0_1 ltac:(lra) losses conjugates
     (l2_strong 1 2) rows spdc_saddle_point_applies (spdc_16_rule 2) 3%nat start (fun _ => 1) start_feasible).
Definition spdc_iterations_applies := fun t C => spdc_iterations 2 1 ones phi dphi phis (l2 1 2) 1 2 1 1 (fun _ => 0) saddle_alpha (spdc_16 1) 1 n_pos Rlt_0_1 lam_pos
  Rlt_0_1 (Rle_refl 1) Rlt_0_1 losses conjugates (l2_strong 1 2) rows spdc_saddle_point_applies (spdc_16_rule 1) t start (fun _ => 1) C start_feasible.
(* Batches: all sets of 2 of 3 rows (1), squared loss, targets 0; steps 1/4 and 1/2, theta = 3/4, then those of (16). *)
Lemma two_of_three : (0 < 2 <= 3)%nat. Proof. lia. Qed.
Lemma three_losses : forall i, (i < 3)%nat -> smooth_loss (squared 1 0) (squared_deriv 1 0) 1.
Proof. intros i _. apply squared_smooth, Rlt_0_1. Qed.
Lemma three_conjugates : forall i, (i < 3)%nat -> conjugate (squared 1 0) (squared_conj 1 0).
Proof. intros i _. apply squared_conjugate, Rlt_0_1. Qed.
Lemma three_rows : forall i, (i < 3)%nat -> norm2 1 (ones i) <= 1. Proof. intros i _. unfold norm2, dot, ones. simpl. lra. Qed.
Lemma three_start : feasible 3 (fun _ => squared 1 0) start. Proof. intros i _. apply squared_domain, Rlt_0_1. Qed.
Lemma three_saddle : spdc_saddle 3 1 ones (fun _ => squared 1 0) (fun _ => squared_conj 1 0) (l2 1 2) (fun _ => 0) (fun _ => 0).
Proof.
  apply spdc_saddle_point with (dphi := fun _ => squared_deriv 1 0) (gamma := 1); [lra | apply three_losses | apply three_conjugates | |].
  - intros i _. unfold squared_deriv, dot, ones. cbn [bsum]. lra.
  - intros j _. unfold mean_row, avg, ones. cbn [bsum]. simpl INR. lra.
Qed.
Definition subsets_spec_applies := subsets_spec 3 2 (2 :: 0 :: nil)%nat%list.
Definition subsets_distinct_applies := subsets_distinct 3 2.
Definition subsets_fair_applies := subsets_fair 3 2 two_of_three.
Definition one_per_block_fair_applies := one_per_block_fair 2 n_pos 2 n_pos.
Definition pairs := subset 3 2.
Definition spdc_batch_squared_rule_applies := spdc_batch_squared_rule 3 1 ones zeros 1 2 (1 / 4) (1 / 2) (3 / 4) Rlt_0_1 lam_pos quarter half_pos 2 3 pairs
  subsets_fair_applies.
Definition spdc_batch_smoothed_hinge_rule_applies := spdc_batch_smoothed_hinge_rule 2 1 ones both_labels 1 2 (1 / 4) (1 / 2) (3 / 4) Rlt_0_1 lam_pos quarter half_pos
  1 2 (subset 2 1) (subsets_fair 2 1 (conj (le_n 1) (le_S 1 1 (le_n 1)))) both_are_labels.
Lemma batch_theta_1 : INR 3 / INR 2 - 1 <= 3 / 4 * (INR 3 / INR 2). Proof. simpl. lra. Qed.
Lemma batch_theta_3 : (1 - 3 / 4) * (INR 3 / INR 2 + INR 3 / INR 2 / (2 * (1 / 2) * 1)) <= 1. Proof. simpl. lra. Qed.
Definition spdc_batch_contraction_applies := spdc_batch_contraction 3 2 1 ones (fun _ => squared 1 0) (fun _ => squared_deriv 1 0) (fun _ => squared_conj 1 0)
  (l2 1 2) 1 2 1 (1 / 4) (1 / 2) (3 / 4) (fun _ => 0) (fun _ => 0) 3 pairs _ two_of_three Rlt_0_1 lam_pos three_losses three_conjugates (l2_strong 1 2)
  three_rows quarter half_pos steps_small three_saddle subsets_fair_applies spdc_batch_squared_rule_applies theta_in batch_theta_1 theta_2 batch_theta_3
  3%nat start (fun _ => 1) three_start.
Lemma ratio_3_2 : 1 <= INR 3 / INR 2. Proof. simpl. lra. Qed.
Definition pairs_16_rule := spdc_batch_squared_rule 3 1 ones zeros 1 2 (spdc_tau (INR 3 / INR 2) 1 1 2) (spdc_sigma (INR 3 / INR 2) 1 1 2)
  (spdc_theta 1 (INR 3 / INR 2) 1 1 2) Rlt_0_1 lam_pos (tau_is_pos _ 1 1 2 ratio_3_2 Rlt_0_1 Rlt_0_1 lam_pos) (sigma_is_pos _ 1 1 2 ratio_3_2 Rlt_0_1 Rlt_0_1 lam_pos)
  2 3 pairs subsets_fair_applies.
Definition spdc_batch_theorem_1_applies := spdc_batch_theorem_1 3 2 1 ones (fun _ => squared 1 0) (fun _ => squared_deriv 1 0) (fun _ => squared_conj 1 0)
  (l2 1 2) 1 2 1 1 (fun _ => 0) (fun _ => 0) 3 pairs _ two_of_three Rlt_0_1 lam_pos Rlt_0_1 (Rle_refl 1) three_losses three_conjugates (l2_strong 1 2)
  three_rows three_saddle subsets_fair_applies pairs_16_rule 3%nat start (fun _ => 1) three_start.
Definition spdc_batch_iterations_applies := fun t C => spdc_batch_iterations 3 2 1 ones (fun _ => squared 1 0) (fun _ => squared_deriv 1 0)
  (fun _ => squared_conj 1 0) (l2 1 2) 1 2 1 1 (fun _ => 0) (fun _ => 0) 3 pairs _ two_of_three Rlt_0_1 lam_pos Rlt_0_1 (Rle_refl 1) three_losses three_conjugates
  (l2_strong 1 2) three_rows three_saddle subsets_fair_applies pairs_16_rule t start (fun _ => 1) C 1 three_start.

(* -- SDCA with L = 1; D* - D is below G/(lam n) = 1 at the start ------------------------------------------------------------- *)
Lemma one_lipschitz : forall i z v, (i < 2)%nat -> Rabs (phi i z - phi i v) <= 1 * Rabs (z - v).
Proof.
  intros i z v Hi. assert (H : forall a b, phi i a - phi i b <= Rabs (a - b)).
  { intros a b. pose proof (tangents i a b Hi) as Ht. pose proof (slope_below i a Hi) as Hs. unfold norm2, dot, ones in Hs. cbn [bsum] in Hs.
    assert (Hd : -1 <= dphi i a <= 1) by (split; nra). unfold Rabs. destruct Rcase_abs; nra. }
  pose proof (H z v) as H1. pose proof (H v z) as H2. rewrite Rabs_minus_sym in H2. rewrite Rmult_1_l. unfold Rabs at 1. destruct Rcase_abs; lra.
Qed.
Lemma near_start : Expect 2 (sdca_step (sdca_smoothed_hinge 2 1 ones 1 both_labels 2)) 0
  (fun a => P 2 1 ones phi 2 optimum - D 2 1 ones phis 2 a) start <= 4 * 1 ^ 2 * 1 / (2 * INR 2).
Proof.
  cbn [Expect]. pose proof (optimal (w_of 2 ones 2 start)). pose proof gap_of_start as Hg. unfold gap in Hg.
  replace (4 * 1 ^ 2 * 1 / (2 * INR 2)) with 1 by (simpl; field). unfold optimum. lra.
Qed.
Definition sdca_lipschitz_step_applies := sdca_lipschitz_step 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos tangents
  one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies start 1 start_feasible (conj Rle_0_1 (Rle_refl 1)).
Definition sdca_lipschitz_start_applies := sdca_lipschitz_start 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos tangents
  one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies _ best_value 3%nat start start_feasible.
Definition sdca_lipschitz_rate_applies := sdca_lipschitz_rate 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos tangents
  one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies _ best_value 0%nat 3%nat start start_feasible near_start.
Definition sdca_lipschitz_random_applies := sdca_lipschitz_random 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos tangents
  one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies _ best_value 1%nat 2%nat start (le_n 2) start_feasible.
Definition sdca_lipschitz_averaged_applies := sdca_lipschitz_averaged 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos
  tangents one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies _ best_value 1%nat 2%nat start (le_n 2) start_feasible.
Lemma G_pos : 0 < 4 * 1 ^ 2 * 1. Proof. lra. Qed.
Lemma one_eighth : 0 < 1 / 8. Proof. lra. Qed.
Lemma below_gap : P 2 1 ones phi 2 optimum - D 2 1 ones phis 2 start <= 1 / 8.
Proof. pose proof (optimal (w_of 2 ones 2 start)). pose proof gap_of_start as Hg. unfold gap in Hg. unfold optimum. lra. Qed.
Definition sdca_lipschitz_burn_in_applies := fun t => sdca_lipschitz_burn_in 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos
  tangents one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies _ best_value (1 / 8) t start G_pos one_eighth start_feasible below_gap.
Lemma late_enough : 4 * (4 * 1 ^ 2 * 1) / (2 * 1) <= 2 * INR 2 + INR 4. Proof. simpl. lra. Qed.
Lemma long_enough : 4 * 1 ^ 2 * 1 / (2 * 1) <= INR 2. Proof. simpl. lra. Qed.
Definition sdca_lipschitz_outputs_applies := sdca_lipschitz_outputs 2 1 ones phi dphi phis 1 1 2 (sdca_smoothed_hinge 2 1 ones 1 both_labels 2) n_pos lam_pos
  tangents one_lipschitz conjugates rows sdca_smoothed_hinge_best_applies _ best_value 1 0%nat 4%nat 2%nat start Rlt_0_1 start_feasible near_start late_enough
  long_enough (le_n 2).

(* -- PASSCoDe: c = 1 is the theorem as it is read ------------------------------------------------------------------------------ *)
Definition passcode_reading_false_applies := passcode_reading_false 1 Rlt_0_1.

(* -- rounded sums: fl x = x + 1/100, so that u = 0 and e = 1/100 --------------------------------------------------------------- *)
Definition off_by (x : R) : R := x + 1 / 100.
Lemma off_by_rounds : rounds off_by 0 (1 / 100).
Proof. split; [lra|]. split; [lra|]. intros x. unfold off_by. replace (x + 1 / 100 - x) with (1 / 100) by ring. rewrite Rabs_right; lra. Qed.
Lemma below_one : INR 3 * 0 < 1. Proof. simpl. lra. Qed.
Lemma z_near : avg 2 (fun _ => (1 / 2 - 1 / 4) ^ 2) <= (1 / 4) ^ 2. Proof. unfold avg. simpl. lra. Qed.
Lemma v_near : norm2 1 (fun _ : nat => 1 - 1 / 2) <= (1 / 2) ^ 2. Proof. unfold norm2, dot. simpl. lra. Qed.
Lemma rows_mean_square : avg 2 (fun i => norm2 1 (ones i)) <= 1 ^ 2. Proof. unfold avg, norm2, dot, ones. simpl. lra. Qed.
Definition fsum_error_applies := fsum_error off_by 0 (1 / 100) off_by_rounds 3 start.
Definition fdot_error_applies := fdot_error off_by 0 (1 / 100) off_by_rounds 3 start start.
Definition fmean_row_error_applies := fmean_row_error off_by 0 (1 / 100) off_by_rounds 2 ones start 0 n_pos.
Definition power_below_k_applies := power_below_k off_by 0 (1 / 100) off_by_rounds 3 below_one.
Definition gap_of_rounded_applies := gap_of_rounded 2 1 phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates elastic_strong_applies
  elastic_pair_applies (fun _ => 1 / 2) (fun _ => 1 / 4) start (fun _ => 1) (fun _ => 1 / 2) (fun _ => 0) (1 / 4) (1 / 2) start_feasible z_near v_near.
Definition certificate_of_rounded_sums_applies := certificate_of_rounded_sums 2 1 ones phi dphi phis g gs dg 1 2 n_pos Rlt_0_1 lam_pos losses conjugates
  elastic_strong_applies elastic_pair_applies off_by 0 (1 / 100) (fun _ => 1) start 1 (fun _ => 0) off_by_rounds start_feasible Rle_0_1 rows_mean_square.

(* -- AdaSPDC-R: rows (1) and (1/2), saddle point w = 1/10, alpha = (-9/10, 1); steps beyond Theorem R; both choices of sigma, q = 1 and 6/5 -- *)
Definition unequal (i _ : nat) : R := match i with O => 1 | _ => 1 / 2 end.
Definition unequal_alpha : nat -> R := fun i => match i with O => - (9 / 10) | _ => 1 end.
Definition unequal_w : nat -> R := fun _ => 1 / 10.
Lemma unequal_slopes : forall i, (i < 2)%nat -> unequal_alpha i = dphi i (dot 1 (unequal i) unequal_w).
Proof.
  intros [|[|i]] Hi; [| | lia]; unfold unequal_alpha, unequal_w, unequal, dphi, smoothed_hinge_deriv, both_labels, dot, clip01, Rmax, Rmin; cbn [bsum];
    repeat decide_one; lra.
Qed.
Lemma unequal_mean : forall j, (j < 1)%nat -> 2 * unequal_w j = - mean_row 2 unequal unequal_alpha j.
Proof. intros j _. unfold mean_row, avg, unequal, unequal_alpha, unequal_w. cbn [bsum]. simpl. lra. Qed.
Definition unequal_saddle := spdc_saddle_point 2 1 unequal phi dphi phis 1 2 unequal_w unequal_alpha lam_pos losses conjugates unequal_slopes unequal_mean.
Definition long_sigma (i : nat) : R := match i with O => 3 / 2 | _ => 6 end.
Lemma long_sigma_pos : forall i, (i < 2)%nat -> 0 < long_sigma i. Proof. intros [|i] _; unfold long_sigma; lra. Qed.
Lemma long_steps : forall i, (i < 2)%nat -> 4 * (1 / 4) * long_sigma i * norm2 1 (unequal i) <= 8 / 5.
Proof. intros [|i] _; unfold long_sigma, norm2, dot, unequal; cbn [bsum]; lra. Qed.
Lemma long_p : 0 < 8 / 5 <= INR 2. Proof. simpl. lra. Qed.
Lemma long_young : 8 / 5 * (1 + (1 - 1 / INR 2) ^ 2) <= 2. Proof. simpl INR. lra. Qed.
Lemma long_theta : forall i, (i < 2)%nat -> (1 - 3 / 4) * (INR 2 + INR 2 / (2 * long_sigma i * 1)) <= 1.
Proof. intros [|i] _; unfold long_sigma; simpl INR; lra. Qed.
Definition ada_r_squared_rule_applies := ada_r_squared_rule 2 1 unequal zeros long_sigma 1 2 (1 / 4) (3 / 4) Rlt_0_1 lam_pos quarter long_sigma_pos.
Definition ada_r_smoothed_hinge_rule_applies := ada_r_smoothed_hinge_rule 2 1 unequal both_labels long_sigma 1 2 (1 / 4) (3 / 4) Rlt_0_1 lam_pos quarter
  long_sigma_pos both_are_labels.
Definition ada_r_contraction_applies := ada_r_contraction 2 1 unequal phi dphi phis (l2 1 2) 1 2 (8 / 5) (1 / 4) (3 / 4) long_sigma unequal_w unequal_alpha
  (ada_r_l2_step 2 1 unequal both_prox 2 (1 / 4) long_sigma (3 / 4)) n_pos Rlt_0_1 lam_pos losses conjugates (l2_strong 1 2) quarter long_sigma_pos
  long_steps long_p long_young unequal_saddle ada_r_smoothed_hinge_rule_applies theta_in theta_2 long_theta 3%nat start (fun _ => 1) start_feasible.
Definition two_sigmas q (i : nat) : R := match i with O => q * (ada_c 2 1 2 / (2 * 1)) | _ => q * (sqrt 1 * ada_c 2 1 2 / (2 * (1 / 2) ^ 2)) end.
Lemma half_below : 1 / 2 <= sqrt 1. Proof. rewrite sqrt_1. lra. Qed.
Lemma one_below : 1 <= sqrt 1. Proof. rewrite sqrt_1. lra. Qed.
Lemma longer_pos : 0 < 6 / 5. Proof. lra. Qed.
Definition ada_r_presets_applies := ada_r_presets 2 1 1 2 (6 / 5) (1 / 2) n_pos Rlt_0_1 lam_pos Rlt_0_1 longer_pos half_pos half_below.
Lemma two_sigmas_fit : forall q, 0 < q -> forall i, (i < 2)%nat ->
  q * spdc_sigma (INR 2) 1 1 2 <= two_sigmas q i /\ 4 * (q * spdc_tau (INR 2) 1 1 2) * two_sigmas q i * norm2 1 (unequal i) <= q ^ 2.
Proof.
  intros q Hq i Hi. assert (E : norm2 1 (unequal i) = match i with O => 1 | _ => 1 / 2 end ^ 2) by (unfold norm2, dot, unequal; cbn [bsum]; ring).
  rewrite E. destruct i as [|i].
  - apply ada_r_presets; try lra; [lia | apply one_below | left; reflexivity].
  - apply ada_r_presets; try lra; [lia | apply half_below | right; reflexivity].
Qed.
Lemma two_sigmas_pos : forall q, 0 < q -> forall i, (i < 2)%nat -> 0 < two_sigmas q i.
Proof.
  intros q Hq i Hi. destruct (two_sigmas_fit q Hq i Hi) as [H _]. pose proof (sigma_is_pos (INR 2) 1 1 2 two_one Rlt_0_1 Rlt_0_1 lam_pos).
  assert (0 < q * spdc_sigma (INR 2) 1 1 2) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
Definition ada_of q := ada_r_l2_step 2 1 unequal both_prox 2 (q * spdc_tau (INR 2) 1 1 2) (two_sigmas q) (spdc_theta (/ q) (INR 2) 1 1 2).
Definition ada_rule_of q (Hq : 0 < q) := ada_r_smoothed_hinge_rule 2 1 unequal both_labels (two_sigmas q) 1 2 (q * spdc_tau (INR 2) 1 1 2) (spdc_theta (/ q) (INR 2) 1 1 2)
  Rlt_0_1 lam_pos (Rmult_lt_0_compat _ _ Hq (tau_is_pos (INR 2) 1 1 2 two_one Rlt_0_1 Rlt_0_1 lam_pos)) (two_sigmas_pos q Hq) both_are_labels.
Lemma longer_n : (6 / 5) ^ 2 <= INR 2. Proof. simpl INR. lra. Qed.
Lemma longer_young : (6 / 5) ^ 2 * (1 + (1 - 1 / INR 2) ^ 2) <= 2. Proof. simpl INR. lra. Qed.
Lemma plain_n : 1 ^ 2 <= INR 2. Proof. simpl INR. lra. Qed.
Lemma plain_young : 1 ^ 2 * (1 + (1 - 1 / INR 2) ^ 2) <= 2. Proof. simpl INR. lra. Qed.
Definition ada_r_theorem_applies := (* q = 1 and q = 6/5 *)
  (ada_r_theorem 2 1 unequal phi dphi phis (l2 1 2) 1 2 1 1 (two_sigmas 1) unequal_w unequal_alpha (ada_of 1) n_pos Rlt_0_1 lam_pos Rlt_0_1 Rlt_0_1 plain_n plain_young
     losses conjugates (l2_strong 1 2) unequal_saddle (two_sigmas_fit 1 Rlt_0_1) (ada_rule_of 1 Rlt_0_1) 3%nat start (fun _ => 1) start_feasible,
   ada_r_theorem 2 1 unequal phi dphi phis (l2 1 2) 1 2 1 (6 / 5) (two_sigmas (6 / 5)) unequal_w unequal_alpha (ada_of (6 / 5)) n_pos Rlt_0_1 lam_pos Rlt_0_1 longer_pos
     longer_n longer_young losses conjugates (l2_strong 1 2) unequal_saddle (two_sigmas_fit (6 / 5) longer_pos) (ada_rule_of (6 / 5) longer_pos) 3%nat start
     (fun _ => 1) start_feasible).
Definition ada_r_iterations_applies := fun t C => ada_r_iterations 2 1 unequal phi dphi phis (l2 1 2) 1 2 1 (6 / 5) (two_sigmas (6 / 5)) unequal_w unequal_alpha
  (ada_of (6 / 5)) 1 n_pos Rlt_0_1 lam_pos Rlt_0_1 longer_pos longer_n longer_young Rlt_0_1 losses conjugates (l2_strong 1 2) unequal_saddle
  (two_sigmas_fit (6 / 5) longer_pos) (ada_rule_of (6 / 5) longer_pos) t start (fun _ => 1) C start_feasible.

(* -- SVRG: the minimum is at 0, L = 3, steps 1/10 ------------------------------------------------------------------------------------ *)
Lemma gradient_at_0 : forall j, (j < 1)%nat -> gradient 2 1 ones dphi 2 (fun _ => 0) j = 0.
Proof.
  intros j _. unfold gradient, avg, row_gradient, dphi, smoothed_hinge_deriv, both_labels, dot, ones, clip01, Rmax, Rmin. cbn [bsum].
  repeat decide_one; simpl INR; lra.
Qed.
Lemma tenth : 0 < 1 / 10 < 1 / (2 * (1 / 1 + 2)). Proof. lra. Qed.
Lemma tenth_nonneg : 0 <= 1 / 10. Proof. lra. Qed.
Definition svrg_theorem_1_applies := svrg_theorem_1 2 1 ones phi dphi 1 2 1 (1 / 10) (fun _ => 0) 4 n_pos Rlt_0_1 lam_pos Rlt_0_1 losses rows gradient_at_0 tenth
  four_rows 2%nat (fun _ => 1).
Definition svrg_option_one_applies := svrg_option_one 2 1 ones phi dphi 1 2 1 (1 / 10) (fun _ => 0) 4 n_pos Rlt_0_1 lam_pos Rlt_0_1 losses rows gradient_at_0 tenth
  2%nat (fun _ => 1).
Definition svrg_growth_harmonic_applies := svrg_growth_harmonic (1 / 10) 4 tenth_nonneg.
Lemma thirty : (0 < 30)%nat. Proof. lia. Qed.
Lemma long_round : 8 * ((1 / 1 + 2) / 2) * (2 * (1 / 10) * INR 30) * (1 + 2 * (2 * (1 / 10) * INR 30)) <= exp (3 / 2 * (2 * (1 / 10) * INR 30)).
Proof.
  assert (H : (1 - - (1 / 2)) ^ 18 <= exp (- (- (1 / 2) * INR 18))) by (apply power_below_exp; lra).
  replace (- (- (1 / 2) * INR 18)) with (3 / 2 * (2 * (1 / 10) * INR 30)) in H by (rewrite !INR_IZR_INZ; simpl; lra).
  eapply Rle_trans; [|exact H]. rewrite INR_IZR_INZ. simpl. lra.
Qed.
Definition svrg_option_one_long_applies := svrg_option_one_long 2 1 ones phi dphi 1 2 1 (1 / 10) (fun _ => 0) 30 n_pos Rlt_0_1 lam_pos Rlt_0_1 losses rows
  gradient_at_0 tenth thirty long_round 2%nat (fun _ => 1).

(* -- SAG, the regulariser outside the table: the same data, w^0 = 1 ------------------------------------------------------------------ *)
Definition sag_outside_applies := sag_outside 2 1 ones phi dphi 1 2 1 (fun _ => 0) n_pos Rlt_0_1 lam_pos Rlt_0_1 losses rows gradient_at_0 5%nat (fun _ => 1).
Definition sag_published_false_applies := sag_published_false 1.
Lemma sag_few_rows : INR 2 * 2 <= 7 * (1 / 1 + 2). Proof. simpl. lra. Qed.
Definition sag_best_rate_applies := sag_best_rate 2 1 ones phi dphi 1 2 1 (fun _ => 0) n_pos Rlt_0_1 lam_pos Rlt_0_1 losses rows gradient_at_0 sag_few_rows (fun _ => 1).

(* -- gap_bound as it is computed, with fl x = x: nothing is rounded ------------------------------------------------------------ *)
Definition same_number (x : R) : R := x.
Definition hypotenuse (a b : R) : R := sqrt (a ^ 2 + b ^ 2).
Lemma positive : forall k, 0 < / 2 ^ k. Proof. intros. apply Rinv_0_lt_compat, pow_lt. lra. Qed.
Lemma same_rounding : rounding same_number (/ 2 ^ 53) (/ 2 ^ 1075).
Proof.
  assert (Z : forall x, Rabs (same_number x - x) = 0) by (intros x; unfold same_number, Rminus; rewrite Rplus_opp_r; apply Rabs_R0).
  pose proof (positive 53) as U. pose proof (positive 1075) as E. set (u := / 2 ^ 53) in *. set (e := / 2 ^ 1075) in *. unfold rounding, rounds. repeat split; try lra; try reflexivity.
  - intros x. rewrite Z. pose proof (Rmult_le_pos u (Rabs x) ltac:(lra) (Rabs_pos x)). lra.
  - intros x y H. exact H.
  - intros x y _ _. change (Rabs (same_number (x + y) - (x + y)) <= u * Rabs (x + y)). rewrite Z. apply Rmult_le_pos; [lra | apply Rabs_pos].
Qed.
Lemma hypotenuse_low : forall a b, 0 <= a -> 0 <= b -> (1 - 2 * / 2 ^ 53) * sqrt (a ^ 2 + b ^ 2) - 2 * / 2 ^ 1075 <= hypotenuse a b.
Proof.
  intros a b _ _. unfold hypotenuse. pose proof (positive 53) as U. pose proof (positive 1075) as E. set (u := / 2 ^ 53) in *. set (e := / 2 ^ 1075) in *.
  pose proof (sqrt_pos (a ^ 2 + b ^ 2)) as S. pose proof (Rmult_le_pos u _ ltac:(lra) S). lra.
Qed.
Lemma few_rows : INR (2 * (2 + 1) + 128) ^ 2 * / 2 ^ 53 <= 1 / 2.
Proof.
  replace (INR (2 * (2 + 1) + 128)) with 134 by (rewrite INR_IZR_INZ; reflexivity).
  apply Rle_trans with (134 ^ 2 * / 2 ^ 20); [apply Rmult_le_compat_l; [simpl; lra|]; apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]] | simpl; lra].
Qed.
Lemma not_tiny : forall x, 1 <= x -> / 2 ^ 900 <= x.
Proof. intros x H. apply Rle_trans with (/ 1); [apply Rinv_le_contravar; [lra | apply pow_R1_Rle; lra] | lra]. Qed.
Lemma not_huge : 1 + INR 1 * (2 + 4) <= 2 ^ 800.
Proof. apply Rle_trans with (2 ^ 3); [simpl; lra | apply Rle_pow; [lra | lia]]. Qed.
Definition loss_2 (i : nat) : R -> R := squared 1 (both_labels i).
Definition loss_2_conj (i : nat) : R -> R := squared_conj 1 (both_labels i).
Definition at_half (_ : nat) : R := 1 / 2.
Definition same_exact (x : R) : same_number x = x := eq_refl.
Lemma no_l1 : 2 * nrm 1 at_half = 2 * nrm 1 at_half + 0 * sqrt (INR 1). Proof. ring. Qed.
Definition squared_row_applies := squared_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 1 1 (1 / 2) 0 Rlt_0_1 (same_exact _) (same_exact _)
  (same_exact _).
Definition l2_part_applies := l2_part same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 1 2 at_half at_half (le_n 1) lam_pos
  (fun j => same_exact _) (fun j => same_exact _).
Definition computed_bound_applies := computed_bound same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 2 1 n_pos (le_n 1) few_rows hypotenuse_low
  ones loss_2 (fun i => squared_deriv 1 (both_labels i)) loss_2_conj (l2 1 2) (l2_conj 1 2) (l2_grad 2) 1 2 (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge
  (fun i _ => squared_smooth 1 (both_labels i) Rlt_0_1) (fun i _ => squared_conjugate 1 (both_labels i) Rlt_0_1) (l2_strong 1 2) (l2_pair 1 2 lam_pos) both_labels at_half start
  (fun i z a => @Definitions.squared_residual (rounded same_number hypotenuse) 1 (both_labels i) z a) (@l2_residual (rounded same_number hypotenuse) 1 2)
  (fun i z => both_labels i + 1 * ((z - both_labels i) / 1)) (fun v j => 2 * (v j / 2)) 1%nat (INR 1 * (2 + 4)) (2 * nrm 1 at_half)
  (fun i _ => squared_domain 1 (both_labels i) (start i) Rlt_0_1)
  (fun i z _ Hz => squared_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 1 (both_labels i) z (start i) Rlt_0_1 (same_exact _) Hz (same_exact _))
  (fun v Hv => l2_part same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 1 2 v at_half (le_n 1) lam_pos Hv (fun j => same_exact _)) (l2_underflow 1 2 lam_pos) 0 (fun _ => 0)
  (Rle_refl 0) no_l1 (le_S 1 1 (le_n 1)).
Definition gap_bound_squared_l2_applies := gap_bound_squared_l2 same_number hypotenuse 2 1 ones both_labels at_half start 1 2 (fun _ => 0) same_rounding hypotenuse_low
  n_pos (le_n 1) few_rows (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge (fun i => same_exact _) (fun j => same_exact _) (fun i => same_exact _).

Lemma minus_half_inside : -1 <= 1 * - (1 / 2) <= 0. Proof. lra. Qed.
Definition smoothed_hinge_row_applies := smoothed_hinge_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 1 1 (1 / 2) (- (1 / 2)) Rlt_0_1
  label_plus (same_exact _) (same_exact _) (same_exact _) minus_half_inside.
Definition squared_hinge_row_applies := squared_hinge_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 1 (1 / 2) (- (1 / 2))
  label_plus (same_exact _) (same_exact _) (same_exact _) (proj2 minus_half_inside).
Definition gap_bound_losses_l2_applies := gap_bound_losses_l2 SmoothedHinge same_number hypotenuse 2 1 ones both_labels at_half start 1 2 (fun _ => 0) same_rounding
  hypotenuse_low n_pos (le_n 1) few_rows (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge (fun i => same_exact _) (fun j => same_exact _) (fun i => same_exact _)
  both_are_labels start_feasible.
Lemma l1_is_large : 1 = 0 \/ / 2 ^ 900 * 2 <= 1.
Proof. right. assert (/ 2 ^ 900 <= / 2) by (apply Rinv_le_contravar; [lra | rewrite <- (pow_1 2) at 1; apply Rle_pow; [lra | lia]]). lra. Qed.
Definition elastic_part_applies := elastic_part same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 2 1 lam_pos Rle_0_1 l1_is_large 1 at_half at_half
  (fun j => same_exact _) (fun j => same_exact _).
Definition gap_bound_losses_elastic_applies := gap_bound_losses_elastic SmoothedHinge same_number hypotenuse 2 1 ones both_labels at_half start 1 2 1 (fun _ => 0)
  same_rounding hypotenuse_low n_pos (le_n 1) few_rows (not_tiny 1 (Rle_refl 1)) (not_tiny 2 ltac:(lra)) not_huge l1_is_large (fun i => same_exact _) (fun j => same_exact _)
  (fun i => same_exact _) both_are_labels start_feasible.
(* -- gap_bound at gamma = 0: hinge and absolute loss ------------------------------------------------------------------------ *)
Definition loss_0 (i : nat) : R -> R := hinge (both_labels i).
Definition loss_0_conj (i : nat) : R -> R := hinge_conj (both_labels i).
Lemma labels_inside : forall i, (i < 2)%nat -> is_label (both_labels i) /\ -1 <= both_labels i * start i <= 0.
Proof. intros i Hi. split; [apply both_are_labels, Hi | apply inside, Hi]. Qed.
Lemma alpha_small : forall i, (i < 2)%nat -> -1 <= start i <= 1.
Proof. intros [|i] _; simpl; lra. Qed.
Lemma alpha_small_abs : forall i, (i < 2)%nat -> Rabs (start i) <= 1.
Proof. intros i Hi. apply Rabs_le, alpha_small, Hi. Qed.
Lemma loss_0_conjugates : forall i, (i < 2)%nat -> conjugate (loss_0 i) (loss_0_conj i).
Proof. intros i Hi. apply hinge_conjugate, labels_inside, Hi. Qed.
Lemma loss_0_feasible : feasible 2 loss_0 start.
Proof. intros i Hi. apply hinge_domain; apply labels_inside, Hi. Qed.
Lemma loss_0_slopes : forall i a b, (i < 2)%nat -> Rabs ((loss_0 i a - start i * a) - (loss_0 i b - start i * b)) <= 1 * Rabs (a - b).
Proof. intros i a b Hi. apply hinge_slopes; apply labels_inside, Hi. Qed.
Lemma z_near_mean : avg 2 (fun _ => Rabs (1 / 2 - 1 / 4)) <= 1 / 4.
Proof. unfold avg. rewrite Rabs_right by lra. simpl. lra. Qed.
Definition hinge_domain_applies := hinge_domain 1 (- (1 / 2)) (both_are_labels 0%nat n_pos) (inside 0%nat n_pos).
Definition hinge_conjugate_applies := hinge_conjugate 1 (both_are_labels 0%nat n_pos).
Definition absolute_domain_applies := absolute_domain 1 (- (1 / 2)) (alpha_small 0%nat n_pos).
Definition absolute_conjugate_applies := absolute_conjugate 1.
Definition gap_of_rounded_slopes_applies := gap_of_rounded_slopes 2 1 loss_0 loss_0_conj (l2 1 2) (l2_conj 1 2) (l2_grad 2) 2 1 start n_pos lam_pos Rle_0_1
  (l2_strong 1 2) (l2_pair 1 2 lam_pos) loss_0_slopes (fun _ => 1 / 2) (fun _ => 1 / 4) (fun _ => 1) (fun _ => 1 / 2) at_half (1 / 4) (1 / 2)
  loss_0_conjugates loss_0_feasible z_near_mean v_near.
Definition hinge_row_applies := hinge_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding (same_exact 1) 1 (1 / 2) (- (1 / 2))
  (both_are_labels 0%nat n_pos) (inside 0%nat n_pos) (same_exact _) (same_exact _).
Definition absolute_row_applies := absolute_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding (same_exact 1) 1 (1 / 2) (- (1 / 2))
  (same_exact _) (alpha_small 0%nat n_pos) (same_exact _) (same_exact _).
Definition slope_bound_applies := slope_bound same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding 2 1 n_pos (le_n 1) few_rows
  ones loss_0 loss_0_conj 1 2 at_half start (fun i z a => @hinge_residual (rounded same_number hypotenuse) (both_labels i) z a) (Rle_refl 1) (not_tiny 2 ltac:(lra))
  loss_0_conjugates loss_0_feasible alpha_small_abs (fun j => same_exact _) loss_0_slopes
  (fun i z Hi Hz => hinge_row same_number (/ 2 ^ 53) (/ 2 ^ 1075) hypotenuse eq_refl eq_refl same_rounding (same_exact 1) (both_labels i) z (start i)
     (both_are_labels i Hi) (inside i Hi) Hz (same_exact _)) (fun _ => 0).
Definition gap_bound_hinge_l2_applies := gap_bound_hinge_l2 same_number hypotenuse 2 1 ones both_labels at_half start 2 (fun _ => 0) same_rounding (same_exact 1)
  n_pos (le_n 1) few_rows (not_tiny 2 ltac:(lra)) labels_inside (fun j => same_exact _) (fun i => same_exact _).
Definition gap_bound_absolute_l2_applies := gap_bound_absolute_l2 same_number hypotenuse 2 1 ones both_labels at_half start 2 (fun _ => 0) same_rounding (same_exact 1)
  n_pos (le_n 1) few_rows (not_tiny 2 ltac:(lra)) alpha_small (fun i => same_exact _) (fun j => same_exact _) (fun i => same_exact _).

(* A certificate file with these data and the bound 1/8. *)
Definition accepted_applies := accepted _ _ _ _ _ _ _ _ _ Checker.the_gap_is_accepted.

(* A PEP: F = 1 and p = q = 1 satisfy its facts, and its bound is attained. *)
Lemma pep_example : PepProof.satisfies PepProof.example (fun _ => 1) (fun _ _ => dot 1 (fun _ => 1) (fun _ => 1)).
Proof.
  assert (one : dot 1 (fun _ => 1) (fun _ => 1) = 1) by (unfold dot; simpl; ring).
  split; [|split].
  - intros t [<-|[]]. unfold PepProof.value. simpl. rewrite one. lra.
  - intros t [<-|[]]. unfold PepProof.value. simpl. rewrite one. lra.
  - intros M [<-|[]]. match goal with |- PepProof.semidefinite ?m => assert (none : forall i j, m i j = 0) end.
    { intros [|[|i]] [|[|j]]; unfold PepProof.entry, PepProof.value; simpl; rewrite ?one; ring. }
    split; [intros i j; rewrite !none; reflexivity|]. intros u.
    apply PepProof.total_nonneg. intros a _. apply PepProof.total_nonneg. intros b _. rewrite none. lra.
Qed.
Definition pep_rate_applies := pep_rate _ _ _ PepProof.one_is_accepted 1%nat (fun _ _ => 1) (fun _ => 1) pep_example.
Definition pep_gram_rate_applies := pep_gram_rate _ _ _ PepProof.one_is_accepted _ (fun _ => 1) (PepProof.gram_semidefinite 1 (fun _ _ => 1)) pep_example.
Definition pep_attained_applies := pep_attained _ _ _ PepProof.one_is_attained.
Definition pep_unbounded_applies := pep_unbounded _ _ _ PepProof.it_is_unbounded.

Definition every_application :=
  (line5_argmax_applies, fenchel_equality_applies, residual_lower_applies, one_step_identity_applies,
   one_step_mean_applies, dual_monotone_applies, weak_duality_L2_applies, a17_applies, sharp_rate_applies,
   lemma_2_half_applies, lemma_2_applies, theorem_1_applies, theorem_1_half_applies,
   sharp_rate_small_constant_applies, primal_rate_applies, gap_probability_applies,
   theorem_1_sharp_probability_applies, distance_to_optimum_applies, gap_certifies_applies, strong_duality_applies,
   iterates_converge_applies, gap_bound_L2_applies, prox_exists_applies, elastic_strong_applies,
   elastic_pair_applies, one_step_sharp_applies, one_step_mean_general_applies, pathwise_monotone_applies,
   dual_rate_general_applies, sharp_rate_general_applies, sharp_rate_best_applies, gap_pathwise_applies,
   gap_bound_applies, elastic_one_step_mean_applies, elastic_sharp_rate_applies, elastic_lemma_2_applies,
   squared_smooth_applies, squared_conjugate_applies, squared_domain_applies, smoothed_hinge_smooth_applies,
   smoothed_hinge_conjugate_applies, smoothed_hinge_domain_applies, squared_hinge_smooth_applies,
   squared_hinge_conjugate_applies, squared_hinge_domain_applies, logistic_smooth_applies,
   logistic_conjugate_applies, logistic_domain_applies, lemma_2_ridge_applies, lemma_2_smoothed_hinge_applies,
   lemma_2_squared_hinge_applies, lemma_2_logistic_applies, sequences_spec_applies, sequences_distinct_applies,
   sequences_count_applies, Expect_is_average_applies, incremental_is_exact_applies, incremental_from_line_2_applies,
   divergence_threshold_applies, gap_diverges_applies, dual_falls_on_every_path_applies,
   one_step_rate_is_tight_applies, below_half_rate_fails_applies, one_row_gap_applies,
   lemma_2_fails_at_threshold_applies, theorem_2_applies, inner_rate_applies, algorithm_3_rate_applies,
   algorithm_3_converges_applies, sdca_squared_best_applies, sdca_smoothed_hinge_best_applies, sdca_rate_applies,
   sdca_gains_more_applies, pgs_regret_equality_applies, pgs_regret_bound_applies, pgs_corollary_1_applies,
   pgs_bound_attained_applies, harmonic_ln_applies, pgs_theorem_1_applies, pgs_theorem_1_hinge_applies,
   pgs_inverse_time_applies, spdc_contraction_applies, spdc_theorem_1_applies, spdc_iterations_applies,
   spdc_saddle_point_applies, spdc_squared_rule_applies, spdc_smoothed_hinge_rule_applies,
   spdc_batch_contraction_applies, spdc_batch_theorem_1_applies, spdc_batch_iterations_applies,
   spdc_batch_squared_rule_applies, spdc_batch_smoothed_hinge_rule_applies, subsets_spec_applies,
   subsets_distinct_applies, subsets_fair_applies, one_per_block_fair_applies,
   sdca_lipschitz_step_applies, sdca_lipschitz_start_applies, sdca_lipschitz_rate_applies,
   sdca_lipschitz_random_applies, sdca_lipschitz_averaged_applies,
   sdca_lipschitz_burn_in_applies, sdca_lipschitz_outputs_applies,
   passcode_reading_false_applies, fsum_error_applies, fdot_error_applies, fmean_row_error_applies, power_below_k_applies, gap_of_rounded_applies,
   certificate_of_rounded_sums_applies,
   ada_r_contraction_applies, ada_r_theorem_applies, ada_r_iterations_applies, ada_r_presets_applies, ada_r_squared_rule_applies,
   ada_r_smoothed_hinge_rule_applies, svrg_theorem_1_applies, svrg_option_one_applies, svrg_growth_harmonic_applies,
   svrg_option_one_long_applies, sag_outside_applies, sag_published_false_applies, sag_best_rate_applies, squared_row_applies, l2_part_applies, computed_bound_applies, gap_bound_squared_l2_applies,
   smoothed_hinge_row_applies, squared_hinge_row_applies, gap_bound_losses_l2_applies, elastic_part_applies, gap_bound_losses_elastic_applies,
   hinge_domain_applies, hinge_conjugate_applies, absolute_domain_applies, absolute_conjugate_applies, gap_of_rounded_slopes_applies,
   hinge_row_applies, absolute_row_applies, slope_bound_applies, gap_bound_hinge_l2_applies, gap_bound_absolute_l2_applies, accepted_applies,
   pep_rate_applies, pep_gram_rate_applies, pep_attained_applies, pep_unbounded_applies).
