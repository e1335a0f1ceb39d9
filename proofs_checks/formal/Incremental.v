(* Line 7 as coded: w <- w - (delta/(lam n)) x_i keeps w = w(alpha) along every index sequence. *)
From Coq Require Import Reals Lra Lia Psatz Arith List.
From Dualgap Require Import Definitions Sums Convex Rate Main Sequences.
Import ListNotations.
Open Scope R_scope.

Section Incremental.
Variables (n d : nat) (X : nat -> nat -> R) (dphi : nat -> R -> R) (lam : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis lam_pos : 0 < lam.

Lemma inc_step_consistent : forall state alpha i, (i < n)%nat -> consistent n d X lam state alpha ->
  consistent n d X lam (inc_step n d X dphi lam state i) (aspdc_step n d X dphi lam alpha i).
Proof.
  intros [beta w] alpha i Hi [Ha Hw]. simpl in Ha, Hw.
  assert (Hz : dot d (X i) w = dot d (X i) (w_of n X lam alpha)) by (apply dot_ext; auto).
  unfold inc_step, aspdc_step. rewrite Hz. set (v := dphi i (dot d (X i) (w_of n X lam alpha))).
  rewrite (Ha i Hi). split; simpl.
  - intros k Hk. unfold upd. destruct (Nat.eq_dec k i); [ring | apply Ha, Hk].
  - intros j Hj. rewrite (Hw j Hj), !(w_of_eq n X lam) by assumption. unfold l2_grad.
    rewrite u_of_upd by assumption. apply INR_pos in n_pos. field. lra.
Qed.

Theorem incremental_is_exact : forall indices, (forall i, In i indices -> (i < n)%nat) ->
  forall state alpha, consistent n d X lam state alpha ->
  consistent n d X lam (after (inc_step n d X dphi lam) state indices) (after (aspdc_step n d X dphi lam) alpha indices).
Proof.
  induction indices as [|i rest IH]; intros Hin state alpha H; [exact H|].
  apply (IH ltac:(intros k Hk; apply Hin; right; exact Hk)).
  apply inc_step_consistent; [apply Hin; left; reflexivity | exact H].
Qed.

(* Started at line 2, the coded state is (alpha, w(alpha)) after every sequence of draws. *)
Corollary incremental_from_line_2 : forall indices alpha, (forall i, In i indices -> (i < n)%nat) ->
  consistent n d X lam (after (inc_step n d X dphi lam) (alpha, w_of n X lam alpha) indices)
             (after (aspdc_step n d X dphi lam) alpha indices).
Proof. intros indices alpha Hin. apply incremental_is_exact; [exact Hin|]. split; reflexivity. Qed.
End Incremental.
