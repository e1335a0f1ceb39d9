(* Prints every theorem and, at the end, every axiom that any of them uses. *)
From Coq Require Import Reals List.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Logistic Elastic Concrete.
From Dualgap Require Import Sequences Incremental Threshold Controls Outer RootEta Corollaries Damped Sdca Sharp Saddle Algorithm3 Adaspdc Pgs Spdc SpdcRate Subsets SpdcLimits SdcaLipschitz Passcode Certificate AdaspdcR AdaspdcDiverges Svrg Sag Rounded Computed ComputedLosses ComputedElastic ComputedHinge Inhabited.
From Dualgap Require Checker PepProof.
Import Checker(accepted) PepProof(pep_rate, pep_gram_rate, pep_attained, pep_unbounded).
Open Scope R_scope.
Set Printing Width 118.

(* Line 5 of Algorithm 1 solved; the one-step lemma; the rate; Lemma 2; Theorem 1. *)
Check line5_argmax.
Check fenchel_equality.
Check residual_lower.
Check one_step_identity.
Check one_step_mean.
Check dual_monotone.
Check weak_duality_L2.
Check sharp_rate.
Check lemma_2_half.
Check lemma_2.
Check theorem_1.
Check theorem_1_half.
(* Sharp forms: a row's own norm; (A17) as printed; the best constant. *)
Check one_step_sharp.
Check a17.
Check sharp_rate_best.
Check gap_pathwise.
(* Any strongly convex regulariser; elastic net. *)
Check one_step_mean_general.
Check pathwise_monotone.
Check dual_rate_general.
Check sharp_rate_general.
Check elastic_strong.
Check elastic_pair.
Check elastic_one_step_mean.
Check elastic_sharp_rate.
Check elastic_lemma_2.
(* The losses: Assumption 1, conjugate, domain; then nothing is left to assume about them. *)
Check squared_smooth.
Check squared_conjugate.
Check squared_domain.
Check smoothed_hinge_smooth.
Check smoothed_hinge_conjugate.
Check smoothed_hinge_domain.
Check squared_hinge_smooth.
Check squared_hinge_conjugate.
Check squared_hinge_domain.
Check logistic_smooth.
Check logistic_conjugate.
Check logistic_domain.
Check lemma_2_ridge.
Check lemma_2_smoothed_hinge.
Check lemma_2_squared_hinge.
Check lemma_2_logistic.
(* Expect is the average over the n^t index sequences; the coded update. *)
Check sequences_spec.
Check sequences_distinct.
Check sequences_count.
Check (@Expect_is_average).
Check incremental_is_exact.
Check incremental_from_line_2.
(* Thresholds and controls. *)
Check divergence_threshold.
Check gap_diverges.
Check dual_falls_on_every_path.
Check one_step_rate_is_tight.
Check below_half_rate_fails.
Check one_row_gap.
Check lemma_2_fails_at_threshold.
(* Outer loop. *)
Check theorem_2.
Check inner_rate.
Check root_run.
Check theorem_2_root_false.
(* Algorithm 3, the one that the paper runs. *)
Check algorithm_3_rate.
Check algorithm_3_converges.
(* Consequences: the optimum exists and is approached. *)
Check strong_duality.
Check prox_exists.
Check distance_to_optimum.
Check iterates_converge.
Check gap_certifies.
Check primal_rate.
Check gap_probability.
Check theorem_1_sharp_probability.
(* SDCA and the gap bound. *)
Check sdca_rate.
Check sdca_gains_more.
Check sdca_squared_best.
Check sdca_smoothed_hinge_best.
Check gap_bound.
Check gap_bound_L2.
Check sharp_rate_small_constant.
(* AdaSPDC. *)
Check adaspdc_theorem_1_false.
(* PGS: the regret on every trajectory, its bound, Theorem 1, and what is false as displayed. *)
Check pgs_regret_equality.
Check pgs_regret_bound.
Check pgs_corollary_1.
Check pgs_bound_attained.
Check harmonic_ln.
Check pgs_theorem_1.
Check pgs_theorem_1_hinge.
Check pgs_inverse_time.
Check pgs_lemma_1_false.
(* SPDC: Theorem 1 with R instead of 2R, the closed steps, what larger steps and smaller rates would say. *)
Check spdc_contraction.
Check spdc_theorem_1.
Check spdc_iterations.
Check spdc_saddle_point.
Check spdc_squared_rule.
Check spdc_smoothed_hinge_rule.
Check spdc_batch_contraction.
Check spdc_batch_theorem_1.
Check spdc_batch_iterations.
Check spdc_batch_squared_rule.
Check spdc_batch_smoothed_hinge_rule.
Check subsets_spec.
Check subsets_distinct.
Check subsets_fair.
Check one_per_block_fair.
Check spdc_R_is_tight.
Check spdc_inverse_R_diverges.
(* SDCA for Lipschitz losses. *)
Check sdca_lipschitz_step.
Check sdca_lipschitz_start.
Check sdca_lipschitz_rate.
Check sdca_lipschitz_random.
Check sdca_lipschitz_averaged.
Check sdca_lipschitz_burn_in.
Check sdca_lipschitz_outputs.
(* PASSCoDe-Atomic with no delay. *)
Check passcode_reading_false.
(* The certificate with rounded sums; for the doubles of the machine see AuditFloat.v. *)
Check fsum_error.
Check fdot_error.
Check fmean_row_error.
Check power_below_k.
Check gap_of_rounded.
Check certificate_of_rounded_sums.
(* AdaSPDC-R: Theorem R and its longer steps; AdaSPDC as published need not stay bounded. *)
Check ada_r_contraction.
Check ada_r_theorem.
Check ada_r_iterations.
Check ada_r_presets.
Check ada_r_squared_rule.
Check ada_r_smoothed_hinge_rule.
Check adaspdc_diverges.
(* SVRG: Theorem 1; what holds of option I. *)
Check svrg_theorem_1.
Check svrg_option_one.
Check svrg_growth_harmonic.
Check svrg_option_one_long.
(* SAG, the regulariser outside the table. *)
Check sag_outside.
Check sag_published_false.
Check sag_best_rate.
(* gap_bound as it is computed, every operation rounded. *)
Check squared_row.
Check l2_part.
Check computed_bound.
Check gap_bound_squared_l2.
Check smoothed_hinge_row.
Check squared_hinge_row.
Check gap_bound_losses_l2.
Check elastic_part.
Check gap_bound_losses_elastic.
(* The same at gamma = 0. *)
Check hinge_domain.
Check hinge_conjugate.
Check absolute_domain.
Check absolute_conjugate.
Check gap_of_rounded_slopes.
Check hinge_row.
Check absolute_row.
Check slope_bound.
Check gap_bound_hinge_l2.
Check gap_bound_absolute_l2.
(* The checker of certificate files. *)
Check accepted.
(* The checker of proof files of dualgap exact. *)
Check pep_rate.
Check pep_gram_rate.
Check pep_attained.
Check pep_unbounded.

Definition everything :=
  (line5_argmax, fenchel_equality, residual_lower, one_step_identity, one_step_mean, dual_monotone, weak_duality_L2,
   sharp_rate, lemma_2_half, lemma_2, theorem_1, theorem_1_half, one_step_sharp, a17, sharp_rate_best, gap_pathwise,
   one_step_mean_general, pathwise_monotone, dual_rate_general, sharp_rate_general, elastic_strong, elastic_pair,
   elastic_one_step_mean, elastic_sharp_rate, elastic_lemma_2, squared_smooth, squared_conjugate, squared_domain,
   smoothed_hinge_smooth, smoothed_hinge_conjugate, smoothed_hinge_domain, squared_hinge_smooth,
   squared_hinge_conjugate, squared_hinge_domain, logistic_smooth, logistic_conjugate, logistic_domain,
   lemma_2_ridge, lemma_2_smoothed_hinge, lemma_2_squared_hinge, lemma_2_logistic, sequences_spec,
   sequences_distinct, sequences_count, @Expect_is_average, incremental_is_exact, incremental_from_line_2,
   divergence_threshold, gap_diverges, dual_falls_on_every_path, one_step_rate_is_tight, below_half_rate_fails,
   one_row_gap, lemma_2_fails_at_threshold, theorem_2, inner_rate, root_run, theorem_2_root_false, algorithm_3_rate,
   algorithm_3_converges, strong_duality, prox_exists, distance_to_optimum, iterates_converge, gap_certifies,
   primal_rate, gap_probability, theorem_1_sharp_probability, sdca_rate, sdca_gains_more, sdca_squared_best,
   sdca_smoothed_hinge_best, gap_bound, gap_bound_L2, sharp_rate_small_constant, adaspdc_theorem_1_false,
   pgs_regret_equality, pgs_regret_bound, pgs_corollary_1, pgs_bound_attained, harmonic_ln, pgs_theorem_1,
   pgs_theorem_1_hinge, pgs_inverse_time, pgs_lemma_1_false, spdc_contraction, spdc_theorem_1, spdc_iterations,
   spdc_saddle_point, spdc_squared_rule, spdc_smoothed_hinge_rule, spdc_batch_contraction,
   spdc_batch_theorem_1, spdc_batch_iterations, spdc_batch_squared_rule, spdc_batch_smoothed_hinge_rule, subsets_spec,
   subsets_distinct, subsets_fair, one_per_block_fair, spdc_R_is_tight, spdc_inverse_R_diverges,
   sdca_lipschitz_step, sdca_lipschitz_start, sdca_lipschitz_rate, sdca_lipschitz_random, sdca_lipschitz_averaged,
   sdca_lipschitz_burn_in, sdca_lipschitz_outputs, passcode_reading_false,
   fsum_error, fdot_error, fmean_row_error, power_below_k, gap_of_rounded, certificate_of_rounded_sums,
   ada_r_contraction, ada_r_theorem, ada_r_iterations, ada_r_presets, ada_r_squared_rule, ada_r_smoothed_hinge_rule, adaspdc_diverges,
   svrg_theorem_1, svrg_option_one, svrg_growth_harmonic, svrg_option_one_long, sag_outside, sag_published_false, sag_best_rate, squared_row, l2_part, computed_bound, gap_bound_squared_l2,
   smoothed_hinge_row, squared_hinge_row, gap_bound_losses_l2, elastic_part, gap_bound_losses_elastic,
   hinge_domain, hinge_conjugate, absolute_domain, absolute_conjugate, gap_of_rounded_slopes, hinge_row, absolute_row, slope_bound,
   gap_bound_hinge_l2, gap_bound_absolute_l2, accepted, pep_rate, pep_gram_rate, pep_attained, pep_unbounded,
   every_application).
Print Assumptions everything.
