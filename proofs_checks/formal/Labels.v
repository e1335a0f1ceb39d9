(* The two labels are labels: hypotheses on labels speak of data with both signs. *)
From Coq Require Import Reals.
From Dualgap Require Import Definitions.
Open Scope R_scope.

Lemma label_plus : is_label 1.
Proof. left. reflexivity. Qed.

Lemma label_minus : is_label (-1).
Proof. right. reflexivity. Qed.

(* One example of each, used in Inhabited.v. *)
Definition both_labels : nat -> R := fun i => match i with O => 1 | _ => -1 end.

Lemma both_are_labels : forall i, (i < 2)%nat -> is_label (both_labels i).
Proof. intros [|i] _; [apply label_plus | apply label_minus]. Qed.
