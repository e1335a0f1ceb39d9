(* The numbers behind m = 2n: for every n >= 2 some k <= m has (25/66) q1^k <= q2^k and (11/3) q2^k r1^(m-k) <= 1/4,
   q1 = 1 - 1/n, q2 = 1 - 3/(2n), r1 = 1 - 3/(4n). *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Main.
Open Scope R_scope.

Lemma exp_double : forall x a b, 0 <= a -> a <= exp x -> b <= a * a -> b <= exp (2 * x).
Proof.
  intros x a b Ha Hx Hb. replace (2 * x) with (x + x) by ring. rewrite exp_plus.
  eapply Rle_trans; [exact Hb|]. apply Rmult_le_compat; assumption.
Qed.

Lemma exp_half : 1648 / 1000 <= exp (1 / 2).
Proof.
  pose proof (exp_ge_1_plus (1 / 1024)) as H.
  apply (exp_double _ _ (500977039 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (501955987 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (1007839251 / 1000000000)) in H; [|lra|lra].
  apply (exp_double _ _ (203147991 / 200000000)) in H; [|lra|lra].
  apply (exp_double _ _ (128965957 / 125000000)) in H; [|lra|lra].
  apply (exp_double _ _ (266115489 / 250000000)) in H; [|lra|lra].
  apply (exp_double _ _ (226615851 / 200000000)) in H; [|lra|lra].
  apply (exp_double _ _ (641934299 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (103019911 / 62500000)) in H; [|lra|lra].
  replace (1 / 2) with (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (1 / 1024)))))))))) by field. eapply Rle_trans; [|exact H]. lra.
Qed.

Lemma exp_lower : 25 / 66 <= exp (- (24 / 25)).
Proof.
  pose proof (exp_ge_1_plus (- (24 / 25) / 512)) as H.
  apply (exp_double _ _ (199250703 / 200000000)) in H; [|lra|lra].
  apply (exp_double _ _ (496260533 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (492549033 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (970418199 / 1000000000)) in H; [|lra|lra].
  apply (exp_double _ _ (23542787 / 25000000)) in H; [|lra|lra].
  apply (exp_double _ _ (886820511 / 1000000000)) in H; [|lra|lra].
  apply (exp_double _ _ (393225309 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (309252287 / 500000000)) in H; [|lra|lra].
  apply (exp_double _ _ (95636977 / 250000000)) in H; [|lra|lra].
  replace (- (24 / 25)) with (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (- (24 / 25) / 512)))))))))) by field. eapply Rle_trans; [|exact H]. lra.
Qed.

Lemma exp_upper : exp (- (27 / 10)) <= 3 / 44 /\ exp (- (3 / 2)) <= 2 / 5.
Proof.
  pose proof exp_half as H.
  assert (Ht : 121 / 100 <= exp (2 * (1 / 10))) by (apply (exp_double _ (11 / 10)); [lra | pose proof (exp_ge_1_plus (1 / 10)); lra | lra]).
  assert (H5 : (1648 / 1000) ^ 5 <= exp (1 / 2) ^ 5) by (apply pow_incr; lra).
  assert (H3 : (1648 / 1000) ^ 3 <= exp (1 / 2) ^ 3) by (apply pow_incr; lra).
  assert (E1 : exp (- (27 / 10)) = / (exp (1 / 2) ^ 5 * exp (2 * (1 / 10)))).
  { rewrite exp_Ropp. f_equal. simpl. rewrite Rmult_1_r, <- !exp_plus. f_equal. field. }
  assert (E2 : exp (- (3 / 2)) = / exp (1 / 2) ^ 3).
  { rewrite exp_Ropp. f_equal. simpl. rewrite Rmult_1_r, <- !exp_plus. f_equal. field. }
  rewrite E1, E2. split.
  - replace (3 / 44) with (/ (44 / 3)) by field. apply Rinv_le_contravar; [lra|].
    apply Rle_trans with ((1648 / 1000) ^ 5 * (121 / 100)); [lra|]. apply Rmult_le_compat; lra.
  - replace (2 / 5) with (/ (5 / 2)) by field. apply Rinv_le_contravar; lra.
Qed.

(* 1 - x >= exp(-x/(1-x)). *)
Lemma one_minus_ge_exp : forall x, 0 <= x < 1 -> exp (- (x / (1 - x))) <= 1 - x.
Proof.
  intros x Hx. rewrite exp_Ropp. pose proof (exp_ge_1_plus (x / (1 - x))) as H.
  replace (1 + x / (1 - x)) with (/ (1 - x)) in H by (field; lra).
  rewrite <- (Rinv_inv (1 - x)) at 2. apply Rinv_le_contravar; [apply Rinv_0_lt_compat; lra | exact H].
Qed.

Lemma pow_ge_exp : forall x k, 0 <= x < 1 -> exp (- (x / (1 - x) * INR k)) <= (1 - x) ^ k.
Proof.
  intros x k Hx. induction k as [|k IH]; [simpl; rewrite Rmult_0_r, Ropp_0, exp_0; lra|].
  rewrite S_INR. replace (- (x / (1 - x) * (INR k + 1))) with (- (x / (1 - x)) + - (x / (1 - x) * INR k)) by ring.
  rewrite exp_plus. simpl. apply Rmult_le_compat; try (left; apply exp_pos); [apply one_minus_ge_exp, Hx | exact IH].
Qed.

Definition good (n : R) (k rest : nat) : Prop :=
  25 / 66 * (1 - 1 / n) ^ k <= (1 - 3 / 2 / n) ^ k /\ 11 / 3 * (1 - 3 / 2 / n) ^ k * (1 - 3 / 4 / n) ^ rest <= 1 / 4.

Lemma good_large : forall n, (12 <= n)%nat -> exists k, (k <= 2 * n)%nat /\ good (INR n) k (2 * n - k).
Proof.
  intros n Hn. set (k := ((8 * n + 4) / 5)%nat).
  assert (Hk : (8 * n <= 5 * k <= 8 * n + 4)%nat).
  { pose proof (Nat.div_mod (8 * n + 4) 5 ltac:(lia)) as E. pose proof (Nat.mod_upper_bound (8 * n + 4) 5 ltac:(lia)).
    fold k in E. lia. }
  assert (Hk2 : (k <= 2 * n)%nat) by lia.
  assert (R1 : 12 <= INR n) by (replace 12 with (INR 12) by (simpl; ring); apply le_INR; exact Hn).
  assert (R2 : 8 * INR n <= 5 * INR k <= 8 * INR n + 4).
  { destruct Hk as [A B]. apply le_INR in A. apply le_INR in B. rewrite plus_INR, !mult_INR in *.
    replace (INR 8) with 8 in * by (simpl; ring). replace (INR 5) with 5 in * by (simpl; ring).
    replace (INR 4) with 4 in * by (simpl; ring). lra. }
  exists k. split; [exact Hk2|]. split.
  - set (x := 1 / (2 * (INR n - 1))).
    assert (Hx : 0 <= x < 1).
    { unfold x. split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (2 * (INR n - 1)); [lra|].
      replace (1 / (2 * (INR n - 1)) * (2 * (INR n - 1))) with 1 by (field; lra). lra. }
    assert (E : 1 - 3 / 2 / INR n = (1 - x) * (1 - 1 / INR n)) by (unfold x; field; lra).
    rewrite E, Rpow_mult_distr. apply Rmult_le_compat_r.
    { apply pow_le. assert (/ INR n <= / 12) by (apply Rinv_le_contravar; lra). unfold Rdiv. lra. }
    eapply Rle_trans; [apply exp_lower|]. eapply Rle_trans; [|apply pow_ge_exp, Hx].
    assert (Hle : x / (1 - x) * INR k <= 24 / 25).
    { replace (x / (1 - x)) with (/ (2 * INR n - 3)) by (unfold x; field; lra).
      apply Rmult_le_reg_l with (2 * INR n - 3); [lra|].
      replace ((2 * INR n - 3) * (/ (2 * INR n - 3) * INR k)) with (INR k) by (field; lra). lra. }
    destruct (Req_dec (x / (1 - x) * INR k) (24 / 25)) as [->|]; [lra | left; apply exp_increasing; lra].
  - assert (Hi : 0 < / INR n <= / 12) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
    assert (Hrest : INR (2 * n - k) = 2 * INR n - INR k).
    { rewrite minus_INR by exact Hk2. rewrite mult_INR. replace (INR 2) with 2 by (simpl; ring). reflexivity. }
    pose proof (pow_le_exp (3 / 2 / INR n) k ltac:(unfold Rdiv; lra)) as P1.
    pose proof (pow_le_exp (3 / 4 / INR n) (2 * n - k) ltac:(unfold Rdiv; lra)) as P2. rewrite Hrest in P2.
    assert (Q1 : 0 <= (1 - 3 / 2 / INR n) ^ k) by (apply pow_le; unfold Rdiv; lra).
    assert (Q2 : 0 <= (1 - 3 / 4 / INR n) ^ (2 * n - k)) by (apply pow_le; unfold Rdiv; lra).
    pose proof (Rmult_le_compat _ _ _ _ Q1 Q2 P1 P2) as P3. rewrite <- exp_plus in P3.
    replace (- (3 / 2 / INR n * INR k) + - (3 / 4 / INR n * (2 * INR n - INR k)))
      with (- (3 / 2 + 3 / 4 * (INR k / INR n))) in P3 by (field; lra).
    assert (Hr : 8 / 5 <= INR k / INR n).
    { apply Rmult_le_reg_r with (INR n); [lra|]. replace (INR k / INR n * INR n) with (INR k) by (field; lra). lra. }
    destruct exp_upper as [U _].
    assert (Hm : exp (- (3 / 2 + 3 / 4 * (INR k / INR n))) <= exp (- (27 / 10))).
    { destruct (Req_dec (- (3 / 2 + 3 / 4 * (INR k / INR n))) (- (27 / 10))) as [->|]; [lra | left; apply exp_increasing; lra]. }
    lra.
Qed.

(* The few small n, by computation. *)
Ltac by_numbers n r k rest := exists k; split; [lia|];
  replace (INR n) with r by (simpl; ring); change (2 * n - k)%nat with rest; unfold good; split; lra.

Theorem weights_good : forall n m, (2 <= n)%nat -> (2 * n <= m)%nat -> exists k, (k <= m)%nat /\ good (INR n) k (m - k).
Proof.
  intros n m Hn Hm.
  assert (Hmain : exists k, (k <= 2 * n)%nat /\ good (INR n) k (2 * n - k)).
  { destruct (le_lt_dec 12 n) as [Hbig|Hsmall]; [apply good_large, Hbig|].
    assert (E : (n = 2 \/ n = 3 \/ n = 4 \/ n = 5 \/ n = 6 \/ n = 7 \/ n = 8 \/ n = 9 \/ n = 10 \/ n = 11)%nat) by lia.
    destruct E as [->|[->|[->|[->|[->|[->|[->|[->|[->| ->]]]]]]]]].
    - by_numbers 2%nat 2 1%nat 3%nat.
    - by_numbers 3%nat 3 3%nat 3%nat.
    - by_numbers 4%nat 4 4%nat 4%nat.
    - by_numbers 5%nat 5 6%nat 4%nat.
    - by_numbers 6%nat 6 8%nat 4%nat.
    - by_numbers 7%nat 7 10%nat 4%nat.
    - by_numbers 8%nat 8 12%nat 4%nat.
    - by_numbers 9%nat 9 14%nat 4%nat.
    - by_numbers 10%nat 10 15%nat 5%nat.
    - by_numbers 11%nat 11 17%nat 5%nat. }
  destruct Hmain as (k & Hk & G1 & G2). exists k. split; [lia|]. split; [exact G1|].
  replace (m - k)%nat with ((2 * n - k) + (m - 2 * n))%nat by lia. rewrite pow_add, <- Rmult_assoc.
  assert (Hn2 : 2 <= INR n) by (replace 2 with (INR 2) by (simpl; ring); apply le_INR; exact Hn).
  assert (Hi : 0 < / INR n <= / 2) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  assert (H1 : (1 - 3 / 4 / INR n) ^ (m - 2 * n) <= 1).
  { pose proof (pow_incr (1 - 3 / 4 / INR n) 1 (m - 2 * n) ltac:(unfold Rdiv; lra)) as H. rewrite pow1 in H. exact H. }
  assert (H2 : 0 <= (1 - 3 / 4 / INR n) ^ (m - 2 * n)) by (apply pow_le; unfold Rdiv; lra).
  assert (H3 : 0 <= 11 / 3 * (1 - 3 / 2 / INR n) ^ k * (1 - 3 / 4 / INR n) ^ (2 * n - k)).
  { repeat apply Rmult_le_pos; try apply pow_le; unfold Rdiv; lra. }
  rewrite <- (Rmult_1_r (1 / 4)). apply Rmult_le_compat; assumption.
Qed.
