(* Prints the theorems about binary64 and every axiom that any of them uses; needs Flocq. *)
From Coq Require Import Reals.
From Dualgap Require Import Definitions Binary64 Machine InhabitedFloat.
Open Scope R_scope.
Set Printing Width 118.

Check binary64_rounds.
Check dot64_is_fdot.
Check mean64_is_fmean_row.
Check certificate_in_binary64.
Check binary64_rounding.
Check gap_bound_in_binary64.
Check gap_bound_losses_l2_in_binary64.
Check gap_bound_losses_elastic_in_binary64.
Check gap_bound_hinge_in_binary64.
Check gap_bound_absolute_in_binary64.
Check gap_bound_hinge_where_finite.
Check gap_bound_absolute_where_finite.

Definition everything_float := (binary64_rounds, @dot64_is_fdot, mean64_is_fmean_row, certificate_in_binary64, binary64_rounding, gap_bound_in_binary64,
  gap_bound_losses_l2_in_binary64, gap_bound_losses_elastic_in_binary64,
  gap_bound_hinge_in_binary64, gap_bound_absolute_in_binary64, gap_bound_hinge_where_finite, gap_bound_absolute_where_finite,
  every_float_application).
Print Assumptions everything_float.
