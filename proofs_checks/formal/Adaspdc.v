(* AdaSPDC's Theorem 1 is false in every reading: n = 2, a = (6, 1/100), lam = 1/2, gamma = 1, y^0 = (1, 0), one step. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions.
Open Scope R_scope.

Theorem adaspdc_theorem_1_false : ~ ada_theorem_1_weak.
Proof.
  intros H.
  assert (Hc : ada_c 2 1 (1 / 2) = 1).
  { unfold ada_c. replace (INR 2 * (1 / 2) / 1) with 1 by (simpl; field). apply sqrt_1. }
  specialize (H 2%nat (fun i => match i with O => 6 | _ => 1 / 100 end) (fun _ y => y ^ 2 / 2) 1 (1 / 2) 0 (fun _ => 0)
    (fun i => match i with O => 1 | _ => 0 end) (fun i => match i with O => 12 / 13 | _ => 0 end)
    (fun i => match i with O => - (66 / 325) | _ => - (75 / 13) end)).
  assert (R0 : Rabs 6 = 6) by (apply Rabs_right; lra).
  assert (R1 : Rabs (1 / 100) = 1 / 100) by (apply Rabs_right; lra).
  enough (Hbad : 1 / 2 * ((- (66 / 325)) ^ 2 + (- (75 / 13)) ^ 2) / 2 <= 7) by lra.
  assert (Hclaim := H ltac:(lia) ltac:(lra) ltac:(lra)). clear H.
  assert (Hstrong : forall i, (i < 2)%nat -> (match i with O => 6 | _ => 1 / 100 end) <> 0 /\
    strongly_convex_scalar (fun y => y ^ 2 / 2) 1).
  { intros i _. split; [destruct i; lra|]. intros u v s _. right. field. }
  assert (Hsaddle : ada_saddle 2 (fun i => match i with O => 6 | _ => 1 / 100 end) (fun _ y => y ^ 2 / 2) (1 / 2) 0 (fun _ => 0)).
  { split.
    - intros x. unfold avg, bsum. simpl INR. pose proof (pow2_ge_0 x). lra.
    - intros i _ y. pose proof (pow2_ge_0 y). lra. }
  specialize (Hclaim Hstrong Hsaddle).
  eapply Rle_trans; [|eapply Rle_trans; [apply Hclaim|]].
  - right. unfold avg, bsum. simpl INR. field.
  - intros i Hi. unfold ada_sigma, ada_tau, avg, bsum. rewrite Hc. simpl INR.
    destruct i as [|[|i]]; [rewrite R0 | rewrite R1 | lia]; split; intros q.
    + pose proof (pow2_ge_0 (q - 12 / 13)). lra.
    + pose proof (pow2_ge_0 (q + 66 / 325)). lra.
    + pose proof (pow2_ge_0 q). lra.
    + pose proof (pow2_ge_0 (q + 75 / 13)). lra.
  - right. unfold bsum, ada_sigma. rewrite Hc, R0, R1. field.
Qed.
