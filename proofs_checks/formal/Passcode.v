(* PASSCoDe-Atomic with no delay: on orthonormal rows a step contracts by 1 - 1/n, where kappa = 1 and L = 2 promise 1/2 for every n. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums.
Open Scope R_scope.

Definition unit_rows (i j : nat) : R := if Nat.eq_dec i j then 1 else 0.

Lemma unit_sum : forall n a j, (j < n)%nat -> bsum n (fun i => a i * unit_rows i j) = a j.
Proof.
  intros n a j Hj. rewrite (bsum_change n j (fun _ => 0) _ Hj), bsum_const.
  - unfold unit_rows. destruct (Nat.eq_dec j j); [ring | congruence].
  - intros k _ Hk. unfold unit_rows. destruct (Nat.eq_dec k j); [congruence | ring].
Qed.

(* The dual falls apart into n parabolas. *)
Lemma orthonormal_dual : forall n a, pc_dual n n unit_rows (fun _ => 1) a = bsum n (fun i => a i ^ 2 - a i).
Proof.
  intros n a. unfold pc_dual. rewrite (norm2_ext n _ a) by (intros; apply unit_sum; assumption). unfold norm2, dot, squared_conj, Rdiv.
  rewrite Rmult_comm, <- bsum_scal, <- bsum_plus. apply bsum_ext. intros. field.
Qed.

Theorem passcode_reading_false : forall c, 0 < c -> ~ passcode_reading c.
Proof.
  intros c Hc H. destruct (archimed (2 / c)) as [Hup _]. set (n := S (Z.to_nat (up (2 / c)))).
  assert (Hpos : 0 < 2 / c) by (apply Rdiv_lt_0_compat; lra).
  assert (Hn : 2 / c < INR n).
  { unfold n. rewrite S_INR, INR_IZR_INZ, Z2Nat.id by (apply le_IZR; lra). lra. }
  assert (Hcn : 2 < c * INR n) by (apply Rmult_lt_compat_l with (r := c) in Hn; [replace (c * (2 / c)) with 2 in Hn by (field; lra)|]; lra).
  specialize (H n n unit_rows (fun _ => 1) 1 2 (fun _ => 1 / 2) (fun _ _ => 1 / 2) (fun a i => 2 * a i - 1) ltac:(unfold n; lia)).
  assert (Hrows : forall i, (i < n)%nat -> norm2 n (unit_rows i) = 1).
  { intros i Hi. unfold norm2, dot. rewrite (bsum_change n i (fun _ => 0) _ Hi), bsum_const.
    - unfold unit_rows. destruct (Nat.eq_dec i i); [ring | congruence].
    - intros k _ Hk. unfold unit_rows. destruct (Nat.eq_dec i k); [congruence | ring]. }
  specialize (H Hrows ltac:(lra) ltac:(lra)).
  assert (Hopt : forall a, pc_dual n n unit_rows (fun _ => 1) (fun _ => 1 / 2) <= pc_dual n n unit_rows (fun _ => 1) a).
  { intros a. rewrite !orthonormal_dual. apply bsum_le. intros i _. pose proof (pow2_ge_0 (a i - 1 / 2)). lra. }
  assert (HT : forall a i b, (i < n)%nat ->
    pc_dual n n unit_rows (fun _ => 1) (upd a i (1 / 2)) <= pc_dual n n unit_rows (fun _ => 1) (upd a i b)).
  { intros a i b _. rewrite !orthonormal_dual. apply bsum_le. intros k _. unfold upd. destruct (Nat.eq_dec k i); [|lra].
    pose proof (pow2_ge_0 (b - 1 / 2)). lra. }
  specialize (H Hopt HT).
  assert (Hkappa : forall a, 1 ^ 2 * norm2 n (fun i => a i - 1 / 2) <= norm2 n (fun i => 1 / 2 - a i))
    by (intros a; rewrite (norm2_diff_sym n a (fun _ => 1 / 2)); lra).
  assert (HL : forall a b, Rabs (pc_dual n n unit_rows (fun _ => 1) b - pc_dual n n unit_rows (fun _ => 1) a
    - dot n (fun i => 2 * a i - 1) (fun i => b i - a i)) <= 2 / 2 * norm2 n (fun i => b i - a i)).
  { intros a b. rewrite !orthonormal_dual. unfold dot. rewrite <- !bsum_minus.
    rewrite (bsum_ext n _ (fun i => (b i - a i) * (b i - a i))) by (intros; ring). change (bsum n (fun i => (b i - a i) * (b i - a i))) with (norm2 n (fun i => b i - a i)).
    pose proof (norm2_nonneg n (fun i => b i - a i)). rewrite Rabs_right; lra. }
  specialize (H Hkappa HL (fun _ => 0)). cbv beta in H.
  assert (Hstep : forall i, (i < n)%nat -> pc_dual n n unit_rows (fun _ => 1) (upd (fun _ => 0) i (1 / 2)) = - (1 / 4)).
  { intros i Hi. rewrite orthonormal_dual, (bsum_change n i (fun _ => 0) _ Hi), bsum_const.
    - rewrite upd_same. field.
    - intros k _ Hk. rewrite upd_other by exact Hk. ring. }
  rewrite (avg_ext n _ (fun _ => - (1 / 4)) Hstep), avg_const, !orthonormal_dual, !bsum_const in H by (unfold n; lia). nra.
Qed.
