(* Finite sums, means, inner products: the algebra used everywhere. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions.
Open Scope R_scope.

Lemma INR_pos : forall n, (0 < n)%nat -> 0 < INR n.
Proof. intros n H. apply lt_0_INR. exact H. Qed.

Lemma bsum_ext : forall n f g, (forall i, (i < n)%nat -> f i = g i) -> bsum n f = bsum n g.
Proof.
  induction n as [|n IH]; intros f g H; simpl; [reflexivity|].
  rewrite (IH f g), (H n); [reflexivity | lia | intros i Hi; apply H; lia].
Qed.

Lemma bsum_plus : forall n f g, bsum n (fun i => f i + g i) = bsum n f + bsum n g.
Proof. induction n as [|n IH]; intros f g; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma bsum_minus : forall n f g, bsum n (fun i => f i - g i) = bsum n f - bsum n g.
Proof. induction n as [|n IH]; intros f g; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma bsum_scal : forall n c f, bsum n (fun i => c * f i) = c * bsum n f.
Proof. induction n as [|n IH]; intros c f; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma bsum_const : forall n c, bsum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; intros c; [simpl; ring|]. rewrite S_INR. simpl. rewrite IH. ring. Qed.

Lemma bsum_le : forall n f g, (forall i, (i < n)%nat -> f i <= g i) -> bsum n f <= bsum n g.
Proof.
  induction n as [|n IH]; intros f g H; simpl; [lra|].
  assert (bsum n f <= bsum n g) by (apply IH; intros i Hi; apply H; lia).
  assert (f n <= g n) by (apply H; lia). lra.
Qed.

Lemma bsum_nonneg : forall n f, (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= bsum n f.
Proof.
  intros n f H. apply Rle_trans with (bsum n (fun _ => 0)).
  - rewrite bsum_const. lra.
  - apply bsum_le. exact H.
Qed.

Lemma bsum_swap : forall n m (f : nat -> nat -> R),
  bsum n (fun i => bsum m (fun j => f i j)) = bsum m (fun j => bsum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; intros m f; simpl.
  - rewrite bsum_const. ring.
  - rewrite IH, <- bsum_plus. reflexivity.
Qed.

Lemma bsum_ge_term : forall n f i, (forall k, (k < n)%nat -> 0 <= f k) -> (i < n)%nat -> f i <= bsum n f.
Proof.
  induction n as [|n IH]; intros f i H Hi; [lia|]. simpl.
  destruct (Nat.eq_dec i n) as [->|Hne].
  - assert (0 <= bsum n f) by (apply bsum_nonneg; intros; apply H; lia). lra.
  - assert (f i <= bsum n f) by (apply IH; [intros; apply H|]; lia).
    assert (0 <= f n) by (apply H; lia). lra.
Qed.

(* The workhorse: one term changed. *)
Lemma bsum_change : forall n i f g, (i < n)%nat -> (forall k, (k < n)%nat -> k <> i -> g k = f k) ->
  bsum n g = bsum n f + (g i - f i).
Proof.
  induction n as [|n IH]; intros i f g Hi H; [lia|]. simpl.
  destruct (Nat.eq_dec i n) as [->|Hne].
  - rewrite (bsum_ext n g f); [ring|]. intros k Hk. apply H; lia.
  - rewrite (IH i f g), (H n); [ring | lia | lia | lia | intros k Hk Hki; apply H; lia].
Qed.

Lemma avg_ext : forall n f g, (forall i, (i < n)%nat -> f i = g i) -> avg n f = avg n g.
Proof. intros n f g H. unfold avg. rewrite (bsum_ext n f g H). reflexivity. Qed.

Lemma avg_plus : forall n f g, avg n (fun i => f i + g i) = avg n f + avg n g.
Proof. intros n f g. unfold avg, Rdiv. rewrite bsum_plus. ring. Qed.

Lemma avg_minus : forall n f g, avg n (fun i => f i - g i) = avg n f - avg n g.
Proof. intros n f g. unfold avg, Rdiv. rewrite bsum_minus. ring. Qed.

Lemma avg_scal : forall n c f, avg n (fun i => c * f i) = c * avg n f.
Proof. intros n c f. unfold avg, Rdiv. rewrite bsum_scal. ring. Qed.

Lemma avg_const : forall n c, (0 < n)%nat -> avg n (fun _ => c) = c.
Proof. intros n c H. unfold avg. rewrite bsum_const. apply INR_pos in H. field. lra. Qed.

Lemma avg_le : forall n f g, (0 < n)%nat -> (forall i, (i < n)%nat -> f i <= g i) -> avg n f <= avg n g.
Proof.
  intros n f g Hn H. unfold avg. apply Rmult_le_compat_r; [|apply bsum_le; exact H].
  apply Rlt_le, Rinv_0_lt_compat, INR_pos, Hn.
Qed.

Lemma avg_nonneg : forall n f, (0 < n)%nat -> (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= avg n f.
Proof. intros n f Hn H. rewrite <- (avg_const n 0 Hn). apply avg_le; assumption. Qed.

Lemma avg_change : forall n i f g, (i < n)%nat -> (forall k, (k < n)%nat -> k <> i -> g k = f k) ->
  avg n g = avg n f + (g i - f i) / INR n.
Proof. intros n i f g Hi H. unfold avg. rewrite (bsum_change n i f g Hi H). unfold Rdiv. ring. Qed.

Lemma avg_ge_term : forall n f i, (forall k, (k < n)%nat -> 0 <= f k) -> (i < n)%nat -> f i / INR n <= avg n f.
Proof.
  intros n f i H Hi. unfold avg. apply Rmult_le_compat_r; [|apply bsum_ge_term; assumption].
  apply Rlt_le, Rinv_0_lt_compat, INR_pos. lia.
Qed.

Lemma dot_ext : forall d u u' v v', (forall j, (j < d)%nat -> u j = u' j) -> (forall j, (j < d)%nat -> v j = v' j) ->
  dot d u v = dot d u' v'.
Proof. intros d u u' v v' Hu Hv. apply bsum_ext. intros j Hj. rewrite (Hu j Hj), (Hv j Hj). reflexivity. Qed.

Lemma norm2_ext : forall d u u', (forall j, (j < d)%nat -> u j = u' j) -> norm2 d u = norm2 d u'.
Proof. intros d u u' H. apply dot_ext; exact H. Qed.

Lemma dot_comm : forall d u v, dot d u v = dot d v u.
Proof. intros. apply bsum_ext. intros. ring. Qed.

Lemma dot_plus_r : forall d u v w, dot d u (fun j => v j + w j) = dot d u v + dot d u w.
Proof. intros. unfold dot. rewrite <- bsum_plus. apply bsum_ext. intros. ring. Qed.

Lemma dot_minus_r : forall d u v w, dot d u (fun j => v j - w j) = dot d u v - dot d u w.
Proof. intros. unfold dot. rewrite <- bsum_minus. apply bsum_ext. intros. ring. Qed.

Lemma dot_minus_l : forall d u v w, dot d (fun j => u j - v j) w = dot d u w - dot d v w.
Proof. intros. unfold dot. rewrite <- bsum_minus. apply bsum_ext. intros. ring. Qed.

Lemma dot_scal_r : forall d c u v, dot d u (fun j => c * v j) = c * dot d u v.
Proof. intros. unfold dot. rewrite <- bsum_scal. apply bsum_ext. intros. ring. Qed.

Lemma dot_scal_l : forall d c u v, dot d (fun j => c * u j) v = c * dot d u v.
Proof. intros. unfold dot. rewrite <- bsum_scal. apply bsum_ext. intros. ring. Qed.

Lemma norm2_nonneg : forall d u, 0 <= norm2 d u.
Proof. intros. apply bsum_nonneg. intros. apply Rle_0_sqr. Qed.

Lemma norm2_scal : forall d c u, norm2 d (fun j => c * u j) = c ^ 2 * norm2 d u.
Proof. intros. unfold norm2. rewrite dot_scal_r, dot_scal_l. ring. Qed.

Lemma norm2_plus : forall d u v, norm2 d (fun j => u j + v j) = norm2 d u + 2 * dot d u v + norm2 d v.
Proof.
  intros. unfold norm2. rewrite dot_plus_r, (dot_comm d _ u), (dot_comm d _ v), !dot_plus_r, (dot_comm d v u). ring.
Qed.

Lemma norm2_minus : forall d u v, norm2 d (fun j => u j - v j) = norm2 d u - 2 * dot d u v + norm2 d v.
Proof.
  intros. unfold norm2. rewrite dot_minus_r, (dot_comm d _ u), (dot_comm d _ v), !dot_minus_r, (dot_comm d v u). ring.
Qed.

Lemma norm2_diff_sym : forall d u v, norm2 d (fun j => u j - v j) = norm2 d (fun j => v j - u j).
Proof. intros. rewrite !norm2_minus, (dot_comm d u v). ring. Qed.

(* Young's inequality: a.b <= (c/2)|a|^2 + |b|^2/(2c). *)
Lemma young : forall d c a b, 0 < c -> dot d a b <= c / 2 * norm2 d a + norm2 d b / (2 * c).
Proof.
  intros d c a b Hc. pose proof (norm2_nonneg d (fun j => c * a j - b j)) as H.
  rewrite norm2_minus, norm2_scal, dot_scal_l in H.
  apply Rmult_le_reg_l with (2 * c); [lra|].
  replace (2 * c * (c / 2 * norm2 d a + norm2 d b / (2 * c))) with (c ^ 2 * norm2 d a + norm2 d b) by (field; lra).
  lra.
Qed.
Lemma upd_same : forall a i v, upd a i v i = v.
Proof. intros. unfold upd. destruct (Nat.eq_dec i i); [reflexivity|congruence]. Qed.

Lemma upd_other : forall a i v k, k <> i -> upd a i v k = a k.
Proof. intros. unfold upd. destruct (Nat.eq_dec k i); [congruence|reflexivity]. Qed.
