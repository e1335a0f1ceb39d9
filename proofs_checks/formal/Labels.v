(* The two labels are labels, and nothing else is: so hypotheses on labels speak of data with both signs. *)
From Coq Require Import Reals Lra.
From Dualgap Require Import Definitions.
Open Scope R_scope.

Lemma label_plus : is_label 1.
Proof. left. reflexivity. Qed.

Lemma label_minus : is_label (-1).
Proof. right. reflexivity. Qed.

Lemma label_square : forall y, is_label y <-> y * y = 1.
Proof.
  intros y. split; [intros [-> | ->]; lra|]. intros H.
  assert (E : (y - 1) * (y + 1) = 0) by lra.
  apply Rmult_integral in E. destruct E; [left | right]; lra.
Qed.
