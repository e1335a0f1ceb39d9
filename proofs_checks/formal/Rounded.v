(* The bound of the gap as the code computes it, every operation rounded, is at least P(w) - P(v) for every v. *)
From Coq Require Import Reals ZArith Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Certificate.
Open Scope R_scope.

Lemma within : forall x b, Rabs x <= b -> - b <= x <= b.
Proof. intros x b H. pose proof (Rle_abs x). pose proof (Rle_abs (- x)) as H1. rewrite Rabs_Ropp in H1. lra. Qed.

Section Rounded.
  Variables (fl : R -> R) (u e : R) (hyp : R -> R -> R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Local Notation A := (rounded fl hyp).
  Let q := 1 - u.
  Definition exact x := fl x = x.

  Lemma u_pos : 0 < u. Proof. rewrite u_value. apply Rinv_0_lt_compat, pow_lt. lra. Qed.
  Lemma e_pos : 0 < e. Proof. rewrite e_value. apply Rinv_0_lt_compat, pow_lt. lra. Qed.
  Lemma u_small : u <= / 2 ^ 40. Proof. rewrite u_value. apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]]. Qed.
  Lemma e_small : e <= u ^ 20.
  Proof.
    rewrite e_value, u_value, pow_inv, <- pow_mult. apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]].
  Qed.
  Lemma unit_value : powerRZ 2 (-53) = u.
  Proof. rewrite u_value. reflexivity. Qed.
  Lemma least_value : powerRZ 2 (-1074) = 2 * e.
  Proof.
    rewrite e_value. unfold powerRZ. replace (Pos.to_nat 1074) with 1074%nat by reflexivity. replace 1075%nat with (1 + 1074)%nat by reflexivity.
    rewrite pow_add, pow_1, Rinv_mult. assert (H : forall x, x = 2 * (/ 2 * x)) by (intros; lra). apply H.
  Qed.
  Lemma lost_value : powerRZ 2 (-537) * powerRZ 2 (-537) = 2 * e.
  Proof.
    rewrite <- least_value. unfold powerRZ. replace (Pos.to_nat 1074) with (537 + 537)%nat by reflexivity.
    replace (Pos.to_nat 537) with 537%nat by reflexivity. rewrite pow_add, Rinv_mult. reflexivity.
  Qed.

  Let pos_u := u_pos.
  Let pos_e := e_pos.
  Let small_u : u <= / 2 ^ 40 := u_small.
  Let u_tiny : u <= 1 / 1000000000.
  Proof. pose proof u_small. apply Rle_trans with (/ 2 ^ 40); [assumption|]. simpl. lra. Qed.
  Let q_range : 0 < q <= 1. Proof. unfold q. lra. Qed.

  Lemma power_small : forall k, (1 <= k)%nat -> u ^ k <= u.
  Proof.
    intros [|k] Hk; [lia|]. change (u ^ S k) with (u * u ^ k). rewrite <- (Rmult_1_r u) at 3. apply Rmult_le_compat_l; [lra|].
    rewrite <- (pow1 k). apply pow_incr. lra.
  Qed.
  Lemma e_below : e <= u * u ^ 18 /\ e <= u * u /\ u ^ 18 <= u.
  Proof.
    pose proof e_small. pose proof (power_small 18 ltac:(lia)). pose proof (power_small 17 ltac:(lia)).
    assert (0 < u ^ 18) by (apply pow_lt, u_pos). replace (u ^ 20) with (u * (u * u ^ 18)) in * by ring.
    assert (u * (u * u ^ 18) <= u * u ^ 18) by (apply Rmult_le_compat_l; [lra|]; rewrite <- (Rmult_1_l (u ^ 18)) at 2; apply Rmult_le_compat_r; lra).
    assert (u * u ^ 18 <= u * u) by (apply Rmult_le_compat_l; lra). repeat split; lra.
  Qed.

  Let error : forall x, Rabs (fl x - x) <= u * Rabs x + e. Proof. apply rounding_fl. Qed.
  Lemma fl_odd : forall x, fl (- x) = - fl x. Proof. apply rounding_fl. Qed.
  Lemma fl_mono : forall x y, x <= y -> fl x <= fl y. Proof. apply rounding_fl. Qed.
  Lemma fl_exact : forall x, exact (fl x). Proof. unfold exact. apply rounding_fl. Qed.
  Lemma fl_zero : fl 0 = 0. Proof. pose proof (fl_odd 0) as H. rewrite Ropp_0 in H. lra. Qed.
  Lemma sum_error : forall x y, exact x -> exact y -> Rabs (fl (x + y) - (x + y)) <= u * Rabs (x + y). Proof. apply rounding_fl. Qed.
  Lemma exact_opp : forall x, exact x -> exact (- x). Proof. unfold exact. intros x H. rewrite fl_odd, H. reflexivity. Qed.
  Lemma fl_nonneg : forall x, 0 <= x -> 0 <= fl x. Proof. intros x H. rewrite <- fl_zero. apply fl_mono, H. Qed.
  Lemma fl_low : forall x, 0 <= x -> q * x - e <= fl x.
  Proof. intros x H. pose proof (error x) as E. rewrite (Rabs_right x) in E by lra. apply within in E. unfold q. lra. Qed.
  Lemma fl_high : forall x, 0 <= x -> fl x <= (1 + u) * x + e.
  Proof. intros x H. pose proof (error x) as E. rewrite (Rabs_right x) in E by lra. apply within in E. lra. Qed.
  Lemma fl_big : forall x, u ^ 18 <= x -> q ^ 2 * x <= fl x.
  Proof.
    intros x H. pose proof e_below as [E _]. assert (0 < u ^ 18) by (apply pow_lt, u_pos). pose proof (fl_low x ltac:(lra)) as L.
    assert (u * u ^ 18 <= u * x) by (apply Rmult_le_compat_l; lra).
    assert (0 <= u * x * (1 - u)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
    assert (Hq : q * (u * u ^ 18) <= q * (u * x)) by (apply Rmult_le_compat_l; lra).
    assert (He2 : e <= q * (u * u ^ 18)).
    { pose proof e_small as E2. replace (u ^ 20) with (u * (u * u ^ 18)) in E2 by ring. apply Rle_trans with (u * (u * u ^ 18)); [exact E2|].
      apply Rmult_le_compat_r; [apply Rlt_le, Rmult_lt_0_compat; lra | unfold q; lra]. }
    unfold q in *. nra.
  Qed.
  Lemma fl_high_big : forall x, u ^ 18 <= x -> fl x <= (1 + 2 * u) * x.
  Proof.
    intros x H. pose proof e_below as [E _]. assert (0 < u ^ 18) by (apply pow_lt, u_pos). pose proof (fl_high x ltac:(lra)).
    assert (u * u ^ 18 <= u * x) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Lemma fl_sum : forall x y, exact x -> exact y -> 0 <= x -> 0 <= y -> q * (x + y) <= fl (x + y).
  Proof. intros x y Hx Hy H0 H1. pose proof (sum_error x y Hx Hy) as E. rewrite (Rabs_right (x + y)) in E by lra. apply within in E. unfold q. lra. Qed.

  (* powers of q *)
  Lemma q_power : forall k, 0 < q ^ k <= 1.
  Proof. intros k. split; [apply pow_lt; apply q_range|]. rewrite <- (pow1 k). apply pow_incr. lra. Qed.
  Lemma q_bernoulli : forall k, 1 - INR k * u <= q ^ k.
  Proof.
    induction k as [|k IH]; [simpl; lra|]. rewrite S_INR. change (q ^ S k) with (q * q ^ k). pose proof (pos_INR k) as Hk.
    apply Rle_trans with (q * (1 - INR k * u)); [|apply Rmult_le_compat_l; lra]. unfold q.
    assert (0 <= u * (INR k * u)) by (repeat apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma q_hundred : forall k, (k <= 100)%nat -> 999 / 1000 <= q ^ k.
  Proof.
    intros k Hk. pose proof (q_bernoulli k). apply le_INR in Hk. rewrite (INR_IZR_INZ 100) in Hk. simpl in Hk.
    assert (INR k * u <= 100 * (1 / 1000000000)) by (apply Rmult_le_compat; try lra; apply pos_INR). lra.
  Qed.
  Lemma q_less : forall k l, (k <= l)%nat -> q ^ l <= q ^ k.
  Proof.
    intros k l H. replace l with ((l - k) + k)%nat by lia. rewrite pow_add. rewrite <- (Rmult_1_l (q ^ k)) at 2.
    apply Rmult_le_compat_r; apply q_power || apply Rlt_le, q_power.
  Qed.

  (* sums of nonnegative numbers *)
  Lemma sum_is_fsum : forall n f, @sum_of A n f = fsum fl n f.
  Proof. induction n as [|n IH]; intros f; [reflexivity|]. cbn [sum_of fsum]. rewrite <- IH. reflexivity. Qed.
  Lemma fsum_low : forall n f, (forall i, (i < n)%nat -> 0 <= f i /\ exact (f i)) ->
    0 <= fsum fl n f /\ exact (fsum fl n f) /\ q ^ n * bsum n f <= fsum fl n f.
  Proof.
    induction n as [|n IH]; intros f H; [cbn; unfold exact; rewrite fl_zero; lra|]. destruct (IH f) as (H0 & H1 & H2); [intros; apply H; lia|].
    destruct (H n) as [F0 F1]; [lia|]. cbn [fsum bsum]. split; [apply fl_nonneg; lra|]. split; [apply fl_exact|].
    eapply Rle_trans; [|apply fl_sum; assumption]. change (q ^ S n) with (q * q ^ n). rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    pose proof (q_power n). assert (q ^ n * f n <= 1 * f n) by (apply Rmult_le_compat_r; lra). lra.
  Qed.

  (* -- sizes, from above -- *)
  Variables n d : nat.
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis d_pos : (0 < d)%nat.
  Hypothesis counts : INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2.
  Let most := (2 * (n + d) + 128)%nat.
  Let Rn : 1 <= INR n. Proof. apply (le_INR 1), n_pos. Qed.
  Let Rd : 1 <= INR d. Proof. apply (le_INR 1), d_pos. Qed.
  Let l := powerRZ 2 (-537).
  Let sd := sqrt (INR d).

  Lemma count_small : forall c, (c <= most)%nat -> 0 <= INR c /\ INR c * INR c * u <= 1 / 2 /\ INR c * u <= 1 / 10000.
  Proof.
    intros c Hc. pose proof (pos_INR c) as H0. apply le_INR in Hc. pose proof counts as Hcounts. fold most in Hcounts. rewrite <- Rsqr_pow2 in Hcounts. unfold Rsqr in Hcounts.
    assert (H : INR c * INR c * u <= 1 / 2).
    { eapply Rle_trans; [|exact Hcounts]. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; lra. }
    repeat split; [exact H0 | exact H |]. apply Rnot_lt_le. intros Hn.
    assert (1 / 10000 * (1 / 10000) <= INR c * u * (INR c * u)) by (apply Rmult_le_compat; lra).
    assert (INR c * INR c * u * u <= 1 / 2 * u) by (apply Rmult_le_compat_r; lra). lra.
  Qed.
  Lemma grow_covers : forall k c, (S k <= c)%nat -> (c <= most)%nat -> 1 <= q ^ k * (1 + u * INR c).
  Proof.
    intros k c Hk Hc. destruct (count_small c Hc) as (H0 & H1 & H2). pose proof (q_bernoulli k) as Hq. apply le_INR in Hk. rewrite S_INR in Hk.
    pose proof (pos_INR k) as Hk0.
    apply Rle_trans with ((1 - INR k * u) * (1 + u * INR c)); [|apply Rmult_le_compat_r; [pose proof (Rmult_le_pos u (INR c)); lra | exact Hq]].
    assert (INR k * u * (u * INR c) <= INR c * u * (u * INR c)).
    { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; lra. }
    assert (u * (INR c * INR c * u) <= u * (1 / 2)) by (apply Rmult_le_compat_l; lra).
    assert (u * (INR k + 1) <= u * INR c) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Lemma fl_one : 999 / 1000 <= fl 1 <= 1001 / 1000.
  Proof. pose proof (error 1) as H. rewrite Rabs_R1 in H. apply within in H. pose proof e_below. assert (u * u <= u * 1) by (apply Rmult_le_compat_l; lra). lra. Qed.
  Lemma big_one : forall x, / 1000000000000 <= x -> u ^ 18 <= x.
  Proof. intros x H. pose proof e_below as (_ & _ & H1). pose proof u_small as H2. simpl in H2. lra. Qed.
  Lemma big_u : forall x k, (k <= 17)%nat -> u ^ k <= x -> u ^ 18 <= u * x.
  Proof.
    intros x k Hk H. replace 18%nat with ((17 - k) + S k)%nat by lia. rewrite pow_add. change (u ^ S k) with (u * u ^ k).
    assert (0 < u ^ k) by (apply pow_lt, u_pos). assert (u ^ (17 - k) <= 1) by (rewrite <- (pow1 (17 - k)); apply pow_incr; lra).
    assert (0 <= u ^ (17 - k)) by (apply pow_le; lra).
    apply Rle_trans with (1 * (u * u ^ k)); [apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | assumption]|]. rewrite Rmult_1_l. apply Rmult_le_compat_l; lra.
  Qed.
  Lemma grow_value : forall c, @grow A c = fl (1 + fl (u * INR c)).
  Proof. intros c. unfold grow, ulp_half. cbn [int power add mul rounded num]. rewrite unit_value. reflexivity. Qed.
  Lemma grow_low : forall c, (1 <= c)%nat -> (c <= most)%nat -> q ^ 4 * (1 + u * INR c) <= @grow A c <= 2.
  Proof.
    intros c H1 Hc. rewrite grow_value. destruct (count_small c Hc) as (_ & _ & H2). apply le_INR in H1. change (INR 1) with 1 in H1.
    assert (Hx : 0 <= u * INR c) by (apply Rmult_le_pos; lra).
    pose proof (fl_big (u * INR c) ltac:(apply (big_u (INR c) 0); [lia | simpl; lra])) as L1. pose proof (fl_nonneg _ Hx) as L0.
    pose proof (fl_high _ Hx) as L2. pose proof (q_power 2) as Q2.
    assert (L4 : u * (u * INR c) <= u * 1) by (apply Rmult_le_compat_l; lra).
    pose proof (fl_big (1 + fl (u * INR c)) ltac:(apply big_one; lra)) as L3. pose proof (fl_high (1 + fl (u * INR c)) ltac:(lra)) as L5.
    pose proof e_below as (E1 & E2 & _). assert (u * u <= u * 1) by (apply Rmult_le_compat_l; lra).
    assert (u * (1 + fl (u * INR c)) <= u * 2) by (apply Rmult_le_compat_l; lra). split; [|lra].
    eapply Rle_trans; [|exact L3]. replace (q ^ 4) with (q ^ 2 * q ^ 2) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. lra.
  Qed.

  Lemma l_range : u ^ 11 <= l /\ l * l = 2 * e /\ 0 < l.
  Proof.
    unfold l. assert (Hl : powerRZ 2 (-537) = / 2 ^ 537).
    { unfold powerRZ. replace (Pos.to_nat 537) with 537%nat by reflexivity. reflexivity. }
    repeat split; [| apply lost_value | rewrite Hl; apply Rinv_0_lt_compat, pow_lt; lra].
    rewrite Hl, u_value, pow_inv, <- pow_mult. apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]].
  Qed.
  Lemma sd_range : 1 <= sd <= INR d /\ sd * sd = INR d.
  Proof.
    assert (H : sd * sd = INR d) by (apply sqrt_sqrt; lra). assert (1 <= sd) by (unfold sd; rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra).
    repeat split; [assumption | | exact H]. rewrite <- H. rewrite <- (Rmult_1_r sd) at 1. apply Rmult_le_compat_l; lra.
  Qed.
  Lemma root_e : 0 < sqrt e /\ sqrt e * sqrt e = e /\ 141 / 100 * sqrt e <= l /\ sqrt e <= u.
  Proof.
    assert (H : sqrt e * sqrt e = e) by (apply sqrt_sqrt; lra). assert (H0 : 0 < sqrt e) by (apply sqrt_lt_R0, e_pos). destruct l_range as (_ & L & L0).
    repeat split; [exact H0 | exact H | |].
    - apply Rsqr_incr_0_var; [unfold Rsqr; lra | lra].
    - apply Rsqr_incr_0_var; [unfold Rsqr; rewrite H; apply e_below | lra].
  Qed.
  (* lost *. root (int d) *)
  Lemma lost_low : q ^ 4 * (l * sd) <= fl (l * fl sd) /\ exact (fl (l * fl sd)).
  Proof.
    destruct l_range as (L1 & _ & L0). destruct sd_range as ((S1 & _) & _). pose proof (q_power 2) as Q2.
    pose proof (fl_big sd ltac:(apply big_one; lra)) as H. split; [|apply fl_exact].
    assert (Hq : 999 / 1000 <= q ^ 2) by (apply q_hundred; lia).
    assert (S2 : 1 / 2 <= fl sd) by (assert (q ^ 2 * 1 <= q ^ 2 * sd) by (apply Rmult_le_compat_l; lra); lra).
    assert (u ^ 18 <= l * fl sd).
    { apply Rle_trans with (u ^ 11 * (1 / 2)); [|apply Rmult_le_compat; try lra; apply pow_le; lra].
      replace (u ^ 18) with (u ^ 11 * u ^ 7) by ring. apply Rmult_le_compat_l; [apply pow_le; lra|]. pose proof (power_small 7 ltac:(lia)). lra. }
    pose proof (fl_big _ H0) as H1. eapply Rle_trans; [|exact H1]. replace (q ^ 4 * (l * sd)) with (q ^ 2 * (l * (q ^ 2 * sd))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
  Qed.
  Lemma root_split : forall S T a p, 0 <= S -> 0 <= T -> 0 <= a -> 0 <= p <= 1 -> p * S <= T + a -> p * sqrt S <= sqrt T + sqrt a.
  Proof.
    intros S T a p HS HT Ha Hp H. pose proof (sqrt_sqrt S HS). pose proof (sqrt_sqrt T HT). pose proof (sqrt_sqrt a Ha).
    pose proof (sqrt_pos S). pose proof (sqrt_pos T). pose proof (sqrt_pos a). apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
    assert (p * (p * S) <= 1 * (p * S)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
    assert (0 <= sqrt T * sqrt a) by (apply Rmult_le_pos; lra).
    replace (p * sqrt S * (p * sqrt S)) with (p * (p * (sqrt S * sqrt S))) by ring. rewrite (sqrt_sqrt S HS). lra.
  Qed.
  (* root T *. grow c +. lost *. root d *)
  Lemma size_low : forall T c, 0 <= T -> (1 <= c)%nat -> (c <= most)%nat ->
    q ^ 7 * (1 + u * INR c) * sqrt T + q ^ 5 * (l * sd) - 4 * e <= fl (fl (fl (sqrt T) * @grow A c) + fl (l * fl sd)).
  Proof.
    intros T c HT H1 Hc. destruct (grow_low c H1 Hc) as [G1 G2]. destruct lost_low as [L1 L2]. pose proof (sqrt_pos T) as Hs.
    pose proof (fl_low _ Hs) as Hf. pose proof (fl_nonneg _ Hs) as Hf0. set (G := @grow A c) in *.
    assert (HG : 0 < G). { pose proof (q_power 4) as Q4. destruct (count_small c Hc) as (Hc0 & _). pose proof (Rmult_le_pos u (INR c)).
      assert (0 < q ^ 4 * (1 + u * INR c)) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (Hfg : 0 <= fl (sqrt T) * G) by (apply Rmult_le_pos; lra).
    pose proof (fl_low _ Hfg) as Ha. pose proof (fl_nonneg _ Hfg) as Ha0.
    assert (HL0 : 0 <= fl (l * fl sd)). { apply fl_nonneg, Rmult_le_pos; [destruct l_range; lra|]. apply fl_nonneg, sqrt_pos. }
    eapply Rle_trans; [|apply fl_sum; [apply fl_exact | exact L2 | exact Ha0 | exact HL0]].
    assert (H3 : (q * sqrt T - e) * G <= fl (sqrt T) * G) by (apply Rmult_le_compat_r; lra).
    assert (H4 : q * (q * sqrt T) * (q ^ 4 * (1 + u * INR c)) <= q * (q * sqrt T) * G) by (apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra | lra]).
    assert (H5 : q * (e * G) <= 1 * (e * 2)) by (apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra]).
    assert (H6 : q * ((q * sqrt T - e) * G) <= q * (fl (sqrt T) * G)) by (apply Rmult_le_compat_l; lra).
    assert (H7 : q ^ 6 * (1 + u * INR c) * sqrt T - 3 * e <= fl (fl (sqrt T) * G)) by (replace (q ^ 6 * (1 + u * INR c) * sqrt T) with (q * (q * sqrt T) * (q ^ 4 * (1 + u * INR c))) by ring; lra).
    apply Rle_trans with (q * (q ^ 6 * (1 + u * INR c) * sqrt T - 3 * e + q ^ 4 * (l * sd))); [|apply Rmult_le_compat_l; lra].
    assert (q * (3 * e) <= 1 * (3 * e)) by (apply Rmult_le_compat_r; lra).
    replace (q ^ 7) with (q * q ^ 6) by ring. replace (q ^ 5) with (q * q ^ 4) by ring. lra.
  Qed.
  Lemma squares_low : forall m x, @squares A m x = fsum fl m (fun j => fl (x j * x j)) /\ 0 <= @squares A m x /\ exact (@squares A m x) /\
    q ^ S m * norm2 m x - INR m * e <= @squares A m x.
  Proof.
    intros m x. assert (E : @squares A m x = fsum fl m (fun j => fl (x j * x j))) by apply sum_is_fsum.
    destruct (fsum_low m (fun j => fl (x j * x j))) as (H0 & H1 & H2).
    { intros i _. split; [apply fl_nonneg, Rle_0_sqr | apply fl_exact]. }
    rewrite E. repeat split; try assumption. eapply Rle_trans; [|exact H2].
    assert (H : q * norm2 m x - INR m * e <= bsum m (fun j => fl (x j * x j))).
    { unfold norm2, dot. rewrite <- bsum_scal, <- bsum_const, <- bsum_minus. apply bsum_le. intros j _. apply fl_low, Rle_0_sqr. }
    pose proof (q_power m) as Q. apply Rmult_le_compat_l with (r := q ^ m) in H; [|lra].
    assert (q ^ m * (INR m * e) <= 1 * (INR m * e)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply pos_INR | lra] | lra]).
    change (q ^ S m) with (q * q ^ m). lra.
  Qed.

  Theorem length_below : forall x, q ^ 16 * nrm d x <= @length_of A d x.
  Proof.
    intros x. destruct (squares_low d x) as (_ & T0 & _ & T1). set (T := @squares A d x) in *. change (@length_of A d x) with (fl (fl (fl (sqrt T) * @grow A (d + 8)) + fl (l * fl sd))).
    pose proof (size_low T (d + 8) T0 ltac:(lia) ltac:(unfold most; lia)) as H. eapply Rle_trans; [|exact H]. clear H.
    set (p := q ^ S d) in *. pose proof (q_power (S d)) as Hp. fold p in Hp. destruct (root_e) as (E0 & E1 & E2 & E3). destruct sd_range as ((S1 & _) & S2).
    pose proof (norm2_nonneg d x) as Hn. assert (De : 0 <= INR d * e) by (apply Rmult_le_pos; lra).
    pose proof (root_split (norm2 d x) T (INR d * e) p Hn T0 De ltac:(lra) ltac:(lra)) as Hr. rewrite sqrt_mult in Hr by lra. fold sd in Hr.
    pose proof (grow_covers (S d) (d + 8) ltac:(lia) ltac:(unfold most; lia)) as Hg. fold p in Hg.
    assert (Hp9 : 99 / 100 <= p). { pose proof (q_bernoulli (S d)) as Hb. fold p in Hb. destruct (count_small (S d)) as (_ & _ & Hs); [unfold most; lia|]. lra. }
    pose proof (q_power 16) as Q16. pose proof (q_hundred 7 ltac:(lia)) as Q7. pose proof (q_hundred 5 ltac:(lia)) as Q5. pose proof (q_less 7 16 ltac:(lia)) as Q716.
    apply Rmult_le_reg_l with p; [lra|]. unfold nrm. pose proof (sqrt_pos T) as HT.
    apply Rle_trans with (q ^ 16 * (sqrt T + sd * sqrt e)); [replace (p * (q ^ 16 * sqrt (norm2 d x))) with (q ^ 16 * (p * sqrt (norm2 d x))) by ring; apply Rmult_le_compat_l; lra|].
    assert (H1 : q ^ 16 * sqrt T <= q ^ 7 * (p * (1 + u * INR (d + 8))) * sqrt T).
    { apply Rmult_le_compat_r; [exact HT|]. rewrite <- (Rmult_1_r (q ^ 16)). apply Rmult_le_compat; lra. }
    assert (Y : 0 <= sd * sqrt e) by (apply Rmult_le_pos; lra).
    assert (H2 : q ^ 16 * (sd * sqrt e) <= 1 * (sd * sqrt e)) by (apply Rmult_le_compat_r; lra).
    assert (H3 : 141 / 100 * sqrt e * sd <= l * sd) by (apply Rmult_le_compat_r; lra).
    assert (H4 : 999 / 1000 * (141 / 100 * (sd * sqrt e)) <= q ^ 5 * (l * sd)) by (apply Rmult_le_compat; lra).
    assert (H5 : sqrt e * sqrt e <= 1 / 1000 * sd * sqrt e) by (apply Rmult_le_compat_r; lra). rewrite E1 in H5.
    assert (H6 : 99 / 100 * (q ^ 5 * (l * sd) - 4 * e) <= p * (q ^ 5 * (l * sd) - 4 * e)) by (apply Rmult_le_compat_r; lra).
    lra.
  Qed.

  (* norm_of, next to N, the root mean square of the rows' lengths *)
  Theorem norm_below : forall X, (INR d + 3) * (q ^ 16 * sqrt (avg n (fun i => norm2 d (X i)))) <= (INR d + 4) * @norm_of A n d X.
  Proof.
    intros X. set (N2 := avg n (fun i => norm2 d (X i))). assert (HN : 0 <= N2) by (apply avg_nonneg; [exact n_pos|]; intros; apply norm2_nonneg).
    destruct (fsum_low n (fun i => @squares A d (X i))) as (F0 & F1 & F2).
    { intros i _. destruct (squares_low d (X i)) as (_ & H0 & H1 & _). split; assumption. }
    assert (HS : INR n * (q ^ S d * N2 - INR d * e) <= bsum n (fun i => @squares A d (X i))).
    { apply Rle_trans with (bsum n (fun i => q ^ S d * norm2 d (X i) - INR d * e)).
      - rewrite bsum_minus, bsum_scal, bsum_const. unfold N2, avg. right. field. lra.
      - apply bsum_le. intros i _. apply squares_low. }
    set (S := fsum fl n (fun i => @squares A d (X i))) in *. set (T := fl (S / INR n)).
    assert (Hi : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
    assert (T0 : 0 <= S / INR n) by (apply Rmult_le_pos; lra). pose proof (fl_low _ T0) as T1. fold T in T1.
    pose proof (q_power n) as Qn. pose proof (q_power (d + 1)) as Qd.
    assert (H1 : q ^ n * (q ^ (d + 1) * N2 - INR d * e) <= S / INR n).
    { unfold Rdiv. apply Rmult_le_reg_r with (INR n); [lra|]. rewrite (Rmult_assoc S), Rinv_l, Rmult_1_r by lra.
      eapply Rle_trans; [|exact F2]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. replace (d + 1)%nat with (Datatypes.S d) by lia. lra. }
    assert (De : 0 <= INR d * e) by (apply Rmult_le_pos; lra).
    assert (H2 : q ^ (n + d + 2) * N2 <= T + (INR d + 1) * e).
    { replace (n + d + 2)%nat with (Datatypes.S (n + (d + 1)))%nat by lia. rewrite <- tech_pow_Rmult, (pow_add q n).
      assert (q * (q ^ n * (q ^ (d + 1) * N2 - INR d * e)) <= q * (S / INR n)) by (apply Rmult_le_compat_l; lra).
      assert (q * q ^ n * (INR d * e) <= 1 * (INR d * e)) by (apply Rmult_le_compat_r; [lra|]; rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra). lra. }
    change (@norm_of A n d X) with (fl (fl (fl (sqrt (fl (@sum_of A n (fun i => @squares A d (X i)) / INR n))) * @grow A (n + d + 8)) + fl (l * fl sd))).
    rewrite sum_is_fsum. fold S. fold T. pose proof (fl_nonneg _ T0) as TT. fold T in TT.
    pose proof (size_low T (n + d + 8) TT ltac:(lia) ltac:(unfold most; lia)) as H. clear T0 H1 F2 HS F0 F1 T1.
    apply Rle_trans with ((INR d + 4) * (q ^ 7 * (1 + u * INR (n + d + 8)) * sqrt T + q ^ 5 * (l * sd) - 4 * e)); [|apply Rmult_le_compat_l; lra].
    set (p := q ^ (n + d + 2)) in *. pose proof (q_power (n + d + 2)) as Hp. fold p in Hp. destruct (root_e) as (E0 & E1 & E2 & E3). destruct sd_range as ((S1 & _) & S2).
    assert (De1 : 0 <= (INR d + 1) * e) by (apply Rmult_le_pos; lra).
    pose proof (root_split N2 T ((INR d + 1) * e) p HN TT De1 ltac:(lra) H2) as Hr. rewrite sqrt_mult in Hr by lra. set (s1 := sqrt (INR d + 1)) in *.
    pose proof (grow_covers (n + d + 2) (n + d + 8) ltac:(lia) ltac:(unfold most; lia)) as Hg. fold p in Hg.
    assert (Hp9 : 99 / 100 <= p).
    { pose proof (q_bernoulli (n + d + 2)) as Hb. fold p in Hb. destruct (count_small (n + d + 2)) as (_ & _ & Hs); [unfold most; lia|]. lra. }
    pose proof (q_power 16) as Q16. pose proof (q_hundred 7 ltac:(lia)) as Q7. pose proof (q_hundred 5 ltac:(lia)) as Q5. pose proof (q_less 7 16 ltac:(lia)) as Q716.
    apply Rmult_le_reg_l with p; [lra|]. pose proof (sqrt_pos T) as HT. assert (Hs1 : 0 <= s1) by apply sqrt_pos. assert (Hs2 : s1 * s1 = INR d + 1) by (apply sqrt_sqrt; lra).
    apply Rle_trans with ((INR d + 3) * (q ^ 16 * (sqrt T + s1 * sqrt e))).
    { replace (p * ((INR d + 3) * (q ^ 16 * sqrt N2))) with ((INR d + 3) * (q ^ 16 * (p * sqrt N2))) by ring.
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
    assert (G1 : (INR d + 3) * (q ^ 16 * sqrt T) <= (INR d + 4) * (q ^ 7 * (p * (1 + u * INR (n + d + 8))) * sqrt T)).
    { apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; [exact HT|]. rewrite <- (Rmult_1_r (q ^ 16)). apply Rmult_le_compat; lra. }
    assert (Y : 0 <= s1 * sqrt e) by (apply Rmult_le_pos; lra).
    assert (G2 : q ^ 16 * (s1 * sqrt e) <= 1 * (s1 * sqrt e)) by (apply Rmult_le_compat_r; lra).
    assert (G3 : 141 / 100 * sqrt e * sd <= l * sd) by (apply Rmult_le_compat_r; lra).
    assert (Y2 : 0 <= sd * sqrt e) by (apply Rmult_le_pos; lra).
    assert (G4 : 999 / 1000 * (141 / 100 * (sd * sqrt e)) <= q ^ 5 * (l * sd)) by (apply Rmult_le_compat; lra).
    assert (H5 : sqrt e * sqrt e <= 1 / 1000 * sd * sqrt e) by (apply Rmult_le_compat_r; lra). rewrite E1 in H5.
    assert (G5 : 99 / 100 * (q ^ 5 * (l * sd) - 4 * e) <= p * (q ^ 5 * (l * sd) - 4 * e)) by (apply Rmult_le_compat_r; lra).
    assert (G6 : (INR d + 3) * s1 <= 138 / 100 * ((INR d + 4) * sd)).
    { apply Rsqr_incr_0_var; [|repeat apply Rmult_le_pos; lra]. unfold Rsqr.
      replace ((INR d + 3) * s1 * ((INR d + 3) * s1)) with ((INR d + 3) ^ 2 * (INR d + 1)) by (rewrite <- Hs2; ring).
      replace (138 / 100 * ((INR d + 4) * sd) * (138 / 100 * ((INR d + 4) * sd))) with ((138 / 100) ^ 2 * ((INR d + 4) ^ 2 * INR d)) by (rewrite <- S2; ring). nra. }
    assert (G7 : (INR d + 3) * s1 * sqrt e <= 138 / 100 * ((INR d + 4) * sd) * sqrt e) by (apply Rmult_le_compat_r; lra).
    assert (G8 : (INR d + 4) * (138 / 100 * (sd * sqrt e)) <= (INR d + 4) * (p * (q ^ 5 * (l * sd) - 4 * e))) by (apply Rmult_le_compat_l; lra).
    assert (G9 : (INR d + 3) * (q ^ 16 * (s1 * sqrt e)) <= (INR d + 3) * (1 * (s1 * sqrt e))) by (apply Rmult_le_compat_l; lra).
    lra.
  Qed.

  Lemma maximum_above : forall m a i, (i < m)%nat -> Rabs (a i) <= @maximum A m a.
  Proof.
    induction m as [|m IH]; intros a i Hi; [lia|]. cbn [maximum at_most absolute rounded]. set (M := @maximum A m a) in *.
    destruct (Nat.eq_dec i m) as [->|Hne].
    - destruct (Rle_dec (Rabs (a m)) M); lra.
    - assert (Rabs (a i) <= M) by (apply IH; lia). destruct (Rle_dec (Rabs (a m)) M); lra.
  Qed.
  Lemma largest_above : forall m a, 0 <= @largest A m a /\ forall i, (i < m)%nat -> Rabs (a i) <= @largest A m a.
  Proof.
    intros m a. unfold largest. cbn [at_most int rounded]. destruct (Rle_dec (@maximum A m a) (INR 0)) as [H|H]; simpl in H.
    - change (INR 1) with 1. split; [lra|]. intros i Hi. pose proof (maximum_above m a i Hi). lra.
    - split; [lra|]. apply maximum_above.
  Qed.

  Theorem mean_length_below : forall X alpha,
    q ^ 16 * avg n (fun i => Rabs (alpha i) * nrm d (X i)) <= @mean_length A n d X alpha + 6 * e.
  Proof.
    intros X alpha. set (m := @largest A n alpha). destruct (largest_above n alpha) as [Hm Ha]. fold m in Hm, Ha.
    set (s := fun i => sqrt (@squares A d (X i))). set (f := fun i => fl (Rabs (alpha i) * fl (s i))).
    assert (Hs : forall i, 0 <= s i) by (intros; apply sqrt_pos).
    destruct (fsum_low n f) as (F0 & F1 & F2).
    { intros i _. split; [apply fl_nonneg, Rmult_le_pos; [apply Rabs_pos | apply fl_nonneg, Hs] | apply fl_exact]. }
    set (V := avg n (fun i => Rabs (alpha i) * s i)).
    assert (HS : INR n * (q ^ 2 * V - (m + 1) * e) <= bsum n f).
    { apply Rle_trans with (bsum n (fun i => q ^ 2 * (Rabs (alpha i) * s i) - (m + 1) * e)).
      - rewrite bsum_minus, bsum_scal, bsum_const. unfold V, avg. right. field. lra.
      - apply bsum_le. intros i Hi. unfold f. pose proof (Rabs_pos (alpha i)) as Ra. specialize (Hs i). specialize (Ha i Hi).
        pose proof (fl_low (s i) Hs) as L1. pose proof (fl_nonneg (s i) Hs) as L0.
        pose proof (fl_low (Rabs (alpha i) * fl (s i)) (Rmult_le_pos _ _ Ra L0)) as L2.
        assert (Rabs (alpha i) * (q * s i - e) <= Rabs (alpha i) * fl (s i)) by (apply Rmult_le_compat_l; lra).
        assert (q * (Rabs (alpha i) * (q * s i - e)) <= q * (Rabs (alpha i) * fl (s i))) by (apply Rmult_le_compat_l; lra).
        assert (q * (Rabs (alpha i) * e) <= 1 * (m * e)) by (apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]).
        lra. }
    set (S := fsum fl n f) in *. assert (Hi : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
    assert (T0 : 0 <= S / INR n) by (apply Rmult_le_pos; lra). pose proof (fl_low _ T0) as T1. pose proof (fl_nonneg _ T0) as T2. set (T := fl (S / INR n)) in *.
    assert (V0 : 0 <= V) by (apply avg_nonneg; [exact n_pos|]; intros; apply Rmult_le_pos; [apply Rabs_pos | apply Hs]).
    pose proof (q_power n) as Qn. assert (me : 0 <= (m + 1) * e) by (apply Rmult_le_pos; lra).
    assert (H1 : q ^ n * (q ^ 2 * V - (m + 1) * e) <= S / INR n).
    { unfold Rdiv. apply Rmult_le_reg_r with (INR n); [lra|]. rewrite (Rmult_assoc S), Rinv_l, Rmult_1_r by lra.
      eapply Rle_trans; [|exact F2]. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
    assert (H2 : q ^ (n + 3) * V - (m + 2) * e <= T).
    { rewrite pow_add. assert (q * (q ^ n * (q ^ 2 * V - (m + 1) * e)) <= q * (S / INR n)) by (apply Rmult_le_compat_l; lra).
      assert (q * q ^ n * ((m + 1) * e) <= 1 * ((m + 1) * e)) by (apply Rmult_le_compat_r; [lra|]; rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
      replace (q ^ n * q ^ 3 * V) with (q * q ^ n * (q ^ 2 * V)) by ring. lra. }
    change (@mean_length A n d X alpha) with (fl (fl (fl (@sum_of A n f / INR n) * @grow A (n + d + 8)) + fl (fl (l * fl sd) * m))).
    rewrite sum_is_fsum. fold S. fold T. destruct (grow_low (n + d + 8) ltac:(lia) ltac:(unfold most; lia)) as [G1 G2]. set (G := @grow A (n + d + 8)) in *.
    set (g := 1 + u * INR (n + d + 8)) in *. assert (Hg : 1 <= g) by (unfold g; pose proof (Rmult_le_pos u (INR (n + d + 8)) ltac:(lra) (pos_INR _)); lra).
    pose proof (q_power 4) as Q4. assert (HG : 0 < G) by (assert (0 < q ^ 4 * g) by (apply Rmult_lt_0_compat; lra); lra).
    destruct lost_low as [L1 L2]. destruct l_range as (_ & _ & L0). destruct sd_range as ((S1 & _) & S2). destruct (root_e) as (E0 & E1 & E2 & E3).
    set (b := fl (l * fl sd)) in *. assert (Hls : 0 < l * sd) by (apply Rmult_lt_0_compat; lra).
    assert (Hb : 0 <= b) by (assert (0 < q ^ 4 * (l * sd)) by (apply Rmult_lt_0_compat; lra); lra).
    pose proof (fl_low (b * m) (Rmult_le_pos _ _ Hb Hm)) as B1. pose proof (fl_nonneg _ (Rmult_le_pos _ _ Hb Hm)) as B0.
    assert (TG : 0 <= T * G) by (apply Rmult_le_pos; lra). pose proof (fl_low _ TG) as C1. pose proof (fl_nonneg _ TG) as C0.
    pose proof (fl_sum _ _ (fl_exact (T * G)) (fl_exact (b * m)) C0 B0) as Hsum.
    set (R1 := fl (T * G)) in *. set (R2 := fl (b * m)) in *. set (R3 := fl (R1 + R2)) in *.
    assert (B2 : q ^ 4 * (l * sd) * m <= b * m) by (apply Rmult_le_compat_r; lra).
    assert (B3 : q ^ 5 * (l * sd) * m - e <= R2).
    { assert (q * (q ^ 4 * (l * sd) * m) <= q * (b * m)) by (apply Rmult_le_compat_l; lra). replace (q ^ 5) with (q * q ^ 4) by ring. lra. }
    assert (C2 : q ^ (n + 8) * g * V - (2 * m + 5) * e <= R1).
    { assert (Z1 : (q ^ (n + 3) * V - (m + 2) * e) * G <= T * G) by (apply Rmult_le_compat_r; lra).
      assert (Z2 : q ^ (n + 3) * V * (q ^ 4 * g) <= q ^ (n + 3) * V * G) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pow_le|]|]; lra).
      assert (Z3 : (m + 2) * e * G <= (m + 2) * e * 2) by (apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra).
      assert (Z4 : q * (q ^ (n + 3) * V * (q ^ 4 * g) - (m + 2) * e * 2) <= q * (T * G)) by (apply Rmult_le_compat_l; lra).
      assert (Z5 : q * ((m + 2) * e * 2) <= 1 * ((m + 2) * e * 2)) by (apply Rmult_le_compat_r; [repeat apply Rmult_le_pos|]; lra).
      replace (n + 8)%nat with (n + 3 + 5)%nat by lia. rewrite (pow_add _ (n + 3)). replace (q ^ 5) with (q * q ^ 4) by ring. lra. }
    set (Am := avg n (fun i => Rabs (alpha i) * nrm d (X i))). set (p := q ^ Datatypes.S d). pose proof (q_power (Datatypes.S d)) as Hp. fold p in Hp.
    assert (Hr : p * Am <= V + m * (sd * sqrt e)).
    { unfold Am, V. rewrite <- avg_scal. apply Rle_trans with (avg n (fun i => Rabs (alpha i) * s i + m * (sd * sqrt e))).
      - apply avg_le; [exact n_pos|]. intros i Hi0. destruct (squares_low d (X i)) as (_ & Q0 & _ & Q1). pose proof (Rabs_pos (alpha i)) as Ra.
        pose proof (root_split (norm2 d (X i)) (@squares A d (X i)) (INR d * e) p (norm2_nonneg _ _) Q0 ltac:(apply Rmult_le_pos; lra) ltac:(lra)) as Hsplit.
        fold p in Q1. specialize (Hsplit ltac:(lra)). rewrite sqrt_mult in Hsplit by lra. fold sd in Hsplit. fold (s i) in Hsplit. unfold nrm.
        apply Rmult_le_compat_l with (r := Rabs (alpha i)) in Hsplit; [|exact Ra]. specialize (Ha i Hi0).
        assert (Rabs (alpha i) * (sd * sqrt e) <= m * (sd * sqrt e)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra). lra.
      - rewrite avg_plus, avg_const by exact n_pos. lra. }
    pose proof (grow_covers (n + Datatypes.S d) (n + d + 8) ltac:(lia) ltac:(unfold most; lia)) as Hc. rewrite pow_add in Hc. fold p g in Hc.
    assert (Hp9 : 99 / 100 <= p).
    { pose proof (q_bernoulli (Datatypes.S d)) as Hbn. fold p in Hbn. destruct (count_small (Datatypes.S d)) as (_ & _ & Hs0); [unfold most; lia|]. lra. }
    pose proof (q_power 16) as Q16. pose proof (q_hundred 6 ltac:(lia)) as Q6. pose proof (q_less 9 16 ltac:(lia)) as Q916. pose proof (q_power 9) as Q9.
    assert (Y2 : 0 <= sd * sqrt e) by (apply Rmult_le_pos; lra).
    apply Rmult_le_reg_l with p; [lra|].
    apply Rle_trans with (q ^ 16 * (V + m * (sd * sqrt e))); [replace (p * (q ^ 16 * Am)) with (q ^ 16 * (p * Am)) by ring; apply Rmult_le_compat_l; lra|].
    assert (D1 : q ^ 16 * V <= q ^ 9 * (q ^ n * p * g) * V).
    { apply Rmult_le_compat_r; [exact V0|]. rewrite <- (Rmult_1_r (q ^ 16)). apply Rmult_le_compat; lra. }
    assert (D2 : q * (R1 + R2) <= R3) by exact Hsum.
    assert (D3 : q * (q ^ (n + 8) * g * V - (2 * m + 5) * e + (q ^ 5 * (l * sd) * m - e)) <= q * (R1 + R2)) by (apply Rmult_le_compat_l; lra).
    assert (D4 : q * ((2 * m + 6) * e) <= 1 * ((2 * m + 6) * e)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
    assert (D5 : q ^ 9 * (q ^ n * g) * V + q ^ 6 * (l * sd) * m - 2 * m * e <= R3 + 6 * e).
    { replace (q ^ 9 * (q ^ n * g) * V) with (q * (q ^ (n + 8) * g * V)) by (rewrite pow_add; ring). replace (q ^ 6 * (l * sd) * m) with (q * (q ^ 5 * (l * sd) * m)) by ring. lra. }
    apply Rle_trans with (p * (q ^ 9 * (q ^ n * g) * V + q ^ 6 * (l * sd) * m - 2 * m * e)); [|apply Rmult_le_compat_l; lra].
    assert (G4 : 999 / 1000 * (141 / 100 * sqrt e * sd) <= q ^ 6 * (l * sd)) by (apply Rmult_le_compat; try lra; apply Rmult_le_compat_r; lra).
    assert (H5 : sqrt e * sqrt e <= 1 / 1000 * sd * sqrt e) by (apply Rmult_le_compat_r; lra). rewrite E1 in H5.
    assert (D6 : 13 / 10 * (sd * sqrt e) * m <= (q ^ 6 * (l * sd) - 2 * e) * m) by (apply Rmult_le_compat_r; lra).
    assert (D7 : 99 / 100 * (13 / 10 * (sd * sqrt e) * m) <= p * ((q ^ 6 * (l * sd) - 2 * e) * m)).
    { apply Rmult_le_compat; try lra. repeat apply Rmult_le_pos; lra. }
    assert (D8 : q ^ 16 * (m * (sd * sqrt e)) <= 1 * (m * (sd * sqrt e))) by (apply Rmult_le_compat_r; [repeat apply Rmult_le_pos|]; lra).
    assert (D9 : 0 <= m * (sd * sqrt e)) by (apply Rmult_le_pos; lra).
    lra.
  Qed.

  (* -- the error terms -- *)
  Lemma k_low : forall c, (1 <= c)%nat -> (c <= most)%nat -> q ^ 6 * (u * INR c) <= @k_of A c /\ u * (1 / 2) <= @k_of A c.
  Proof.
    intros c H1 Hc. destruct (count_small c Hc) as (_ & _ & H2). apply le_INR in H1. change (INR 1) with 1 in H1.
    assert (E : @k_of A c = fl (fl (u * INR c) * fl (1 + fl (fl (2 * u) * INR c)))).
    { unfold k_of, ulp_half. cbn [int power add mul rounded num]. rewrite unit_value. replace (INR 2) with 2 by (simpl; ring). reflexivity. }
    pose proof (fl_big (u * INR c) ltac:(apply (big_u (INR c) 0); [lia | simpl; lra])) as L1.
    assert (L0 : 0 <= fl (fl (2 * u) * INR c)) by (apply fl_nonneg, Rmult_le_pos; [apply fl_nonneg|]; lra).
    pose proof (fl_big (1 + fl (fl (2 * u) * INR c)) ltac:(apply big_one; lra)) as L2. set (x := fl (u * INR c)) in *. set (g := fl (1 + _)) in *.
    pose proof (q_hundred 2 ltac:(lia)) as Q2. assert (Hg : q ^ 2 * 1 <= g) by (eapply Rle_trans; [|exact L2]; apply Rmult_le_compat_l; lra).
    assert (U : u * 1 <= u * INR c) by (apply Rmult_le_compat_l; lra).
    assert (Hx : 9 / 10 * u <= x) by (assert (999 / 1000 * (u * INR c) <= q ^ 2 * (u * INR c)) by (apply Rmult_le_compat_r; lra); lra).
    assert (Hxg : x * (q ^ 2 * 1) <= x * g) by (apply Rmult_le_compat_l; lra).
    assert (Hxq : q ^ 2 * (u * INR c) * q ^ 2 <= x * q ^ 2) by (apply Rmult_le_compat_r; lra).
    assert (Hx2 : x * (999 / 1000) <= x * q ^ 2) by (apply Rmult_le_compat_l; lra).
    pose proof (fl_big (x * g)) as L3. rewrite E. assert (B : u ^ 18 <= x * g).
    { apply Rle_trans with (u * (1 / 2)); [|lra]. apply (big_u (1 / 2) 1); [lia|]. simpl. lra. }
    specialize (L3 B). split; eapply Rle_trans; try exact L3.
    - replace (q ^ 6) with (q ^ 2 * (q ^ 2 * q ^ 2)) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
    - assert (999 / 1000 * (x * g) <= q ^ 2 * (x * g)) by (apply Rmult_le_compat_r; lra). lra.
  Qed.
  Lemma k_true : forall c, (S c <= most)%nat -> (1 + u) ^ c - 1 <= u * (INR c + 1) /\ (1 + u) ^ c <= 11 / 10.
  Proof.
    intros c Hc. destruct (count_small c ltac:(lia)) as (H0 & H1 & H2). pose proof (power_below_k fl u e ltac:(apply rounding_fl) c ltac:(lra)) as H.
    assert (INR c * u / (1 - INR c * u) <= u * (INR c + 1)).
    { apply Rmult_le_reg_r with (1 - INR c * u); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      assert (u * (INR c * INR c * u) <= u * (1 / 2)) by (apply Rmult_le_compat_l; lra). assert (u * (INR c * u) <= u * (1 / 10000)) by (apply Rmult_le_compat_l; lra). lra. }
    split; [lra|]. assert (u * INR c <= 1 / 10000) by lra. lra.
  Qed.
  Lemma size_big : forall T c, 0 <= T -> (1 <= c)%nat -> (c <= most)%nat -> u ^ 12 <= fl (fl (fl (sqrt T) * @grow A c) + fl (l * fl sd)).
  Proof.
    intros T c HT H1 Hc. pose proof (size_low T c HT H1 Hc) as H. destruct l_range as (L1 & L2 & L3). destruct sd_range as ((S1 & _) & _). destruct root_e as (E0 & E1 & E2 & E3).
    pose proof (q_hundred 5 ltac:(lia)) as Q5. pose proof (q_power 7) as Q7. pose proof (sqrt_pos T) as Hs. destruct (count_small c Hc) as (C0 & _).
    assert (0 <= q ^ 7 * (1 + u * INR c) * sqrt T) by (repeat apply Rmult_le_pos; try lra; pose proof (Rmult_le_pos u (INR c)); lra).
    assert (l * 1 <= l * sd) by (apply Rmult_le_compat_l; lra). assert (999 / 1000 * (l * sd) <= q ^ 5 * (l * sd)) by (apply Rmult_le_compat_r; lra).
    assert (sqrt e * sqrt e <= u * sqrt e) by (apply Rmult_le_compat_r; lra). assert (u * sqrt e <= 1 / 1000 * sqrt e) by (apply Rmult_le_compat_r; lra).
    assert (u * u ^ 11 <= 1 / 2 * u ^ 11) by (apply Rmult_le_compat_r; [apply pow_le|]; lra). replace (u ^ 12) with (u * u ^ 11) by ring. lra.
  Qed.

  (* The part of e_z that the sums need. *)
  Lemma plain_e_z_low : forall NN W nn wl, 0 <= NN -> 0 <= W -> u ^ 12 <= nn ->
    (INR d + 3) * (q ^ 16 * NN) <= (INR d + 4) * nn -> q ^ 16 * W <= wl ->
    exact (@plain_e_z A d nn wl) /\ 0 <= @plain_e_z A d nn wl /\ (INR d + 3) * (q ^ 32 * (NN * W)) <= (INR d + 4) * (nn * wl) /\
    q ^ 42 * (u * ((INR d + 3) * (NN * W))) + q * (14 * (INR d * e) - e) <= @plain_e_z A d nn wl.
  Proof.
    intros NN W nn wl HN HW Hnn Hn Hw.
    assert (E : @plain_e_z A d nn wl = fl (fl (fl (@k_of A (d + 4) * nn) * wl) + fl (8 * INR d * (2 * e)))).
    { unfold plain_e_z, least. cbn [int power add mul rounded num]. rewrite least_value, mult_INR. replace (INR 8) with 8 by (simpl; ring). reflexivity. }
    rewrite E. clear E.
    destruct (k_low (d + 4) ltac:(lia) ltac:(unfold most; lia)) as [K1 K2]. set (k := @k_of A (d + 4)) in *.
    replace (INR (d + 4)) with (INR d + 4) in K1 by (rewrite plus_INR; simpl; ring).
    pose proof (q_power 16) as Q16. assert (Hwl : 0 <= wl) by (assert (0 <= q ^ 16 * W) by (apply Rmult_le_pos; lra); lra).
    assert (Hnn0 : 0 < nn) by (assert (0 < u ^ 12) by (apply pow_lt; lra); lra).
    set (Z := NN * W). assert (HZ : 0 <= Z) by (apply Rmult_le_pos; lra).
    assert (P1 : u ^ 18 <= k * nn).
    { apply Rle_trans with (u * (1 / 2) * u ^ 12); [|apply Rmult_le_compat; try lra; apply pow_le; lra].
      replace (u ^ 18) with (u * u ^ 5 * u ^ 12) by ring. apply Rmult_le_compat_r; [apply pow_le; lra|]. apply Rmult_le_compat_l; [lra|].
      pose proof (power_small 5 ltac:(lia)). lra. }
    pose proof (fl_big _ P1) as F1. set (f1 := fl (k * nn)) in *. pose proof (q_power 2) as Q2.
    assert (F0 : 0 <= f1) by (apply fl_nonneg; assert (0 < u ^ 18) by (apply pow_lt; lra); lra).
    assert (HD : (INR d + 3) * (q ^ 32 * Z) <= (INR d + 4) * (nn * wl)).
    { replace ((INR d + 3) * (q ^ 32 * Z)) with ((INR d + 3) * (q ^ 16 * NN) * (q ^ 16 * W)) by (unfold Z; ring).
      replace ((INR d + 4) * (nn * wl)) with ((INR d + 4) * nn * wl) by ring.
      apply Rmult_le_compat; [repeat apply Rmult_le_pos; lra | apply Rmult_le_pos; lra | exact Hn | exact Hw]. }
    assert (T1 : q ^ 41 * (u * ((INR d + 3) * Z)) - e <= fl (f1 * wl)).
    { eapply Rle_trans; [|apply fl_low, Rmult_le_pos; assumption]. apply Rplus_le_compat_r.
      assert (A1 : q ^ 2 * (k * nn) * wl <= f1 * wl) by (apply Rmult_le_compat_r; lra).
      assert (A2 : q ^ 6 * (u * (INR d + 4)) * (nn * wl) <= k * (nn * wl)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
      assert (A3 : q ^ 6 * u * ((INR d + 3) * (q ^ 32 * Z)) <= q ^ 6 * u * ((INR d + 4) * (nn * wl))) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pow_le|]|]; lra).
      assert (A4 : q ^ 3 * (q ^ 6 * u * ((INR d + 3) * (q ^ 32 * Z))) <= q ^ 3 * (k * (nn * wl))) by (apply Rmult_le_compat_l; [apply pow_le|]; lra).
      assert (A5 : q * (q ^ 2 * (k * nn) * wl) <= q * (f1 * wl)) by (apply Rmult_le_compat_l; lra).
      replace (q ^ 41 * (u * ((INR d + 3) * Z))) with (q ^ 3 * (q ^ 6 * u * ((INR d + 3) * (q ^ 32 * Z)))) by ring.
      replace (q * (q ^ 2 * (k * nn) * wl)) with (q ^ 3 * (k * (nn * wl))) in A5 by ring. lra. }
    assert (T10 : 0 <= fl (f1 * wl)) by (apply fl_nonneg, Rmult_le_pos; assumption). set (t1 := fl (f1 * wl)) in *.
    assert (De : e <= INR d * e) by (rewrite <- (Rmult_1_l e) at 1; apply Rmult_le_compat_r; lra).
    assert (T2 : 14 * (INR d * e) <= fl (8 * INR d * (2 * e))).
    { eapply Rle_trans; [|apply fl_low; repeat apply Rmult_le_pos; lra]. unfold q.
      assert (u * (INR d * e) <= 1 / 1000 * (INR d * e)) by (apply Rmult_le_compat_r; lra). lra. }
    set (t2 := fl (8 * INR d * (2 * e))) in *.
    pose proof (fl_sum t1 t2 (fl_exact _) (fl_exact _) T10 ltac:(lra)) as W1.
    split; [apply fl_exact|]. split; [apply fl_nonneg; lra|]. split; [exact HD|]. eapply Rle_trans; [|exact W1].
    replace (q ^ 42) with (q * q ^ 41) by ring. rewrite (Rmult_assoc q), <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra.
  Qed.

  Theorem e_z_below : forall NN W Y gamma nn wl label2, 0 <= NN -> 0 <= W -> 0 <= Y -> 0 < gamma -> 0 <= label2 -> u ^ 12 <= nn ->
    (INR d + 3) * (q ^ 16 * NN) <= (INR d + 4) * nn -> q ^ 16 * W <= wl -> q ^ (n + 2) * Y ^ 2 <= label2 + 2 * e ->
    u * (INR d + 2) * (NN * W) + 4 * INR d * e + 8 * u * ((1 + u * (INR d + 2)) * (NN * W) + 4 * INR d * e + Y + 1 + gamma)
    <= @code_e_z A d gamma nn wl label2.
  Proof.
    intros NN W Y gamma nn wl label2 HN HW HY Hg Hl Hnn Hn Hw Hlab.
    assert (E : @code_e_z A d gamma nn wl label2 = fl (@plain_e_z A d nn wl + fl (fl (16 * u) * fl (fl (fl (fl (nn * wl) + fl (sqrt label2)) + 1) + gamma)))).
    { unfold code_e_z, ulp_half. cbn [int power add mul root rounded num]. rewrite unit_value. replace (INR 16) with 16 by (simpl; ring). reflexivity. }
    rewrite E. clear E.
    destruct (plain_e_z_low NN W nn wl HN HW Hnn Hn Hw) as (X1 & W10 & HD & W1). set (s1 := @plain_e_z A d nn wl) in *. set (Z := NN * W) in *.
    assert (HZ : 0 <= Z) by (apply Rmult_le_pos; lra). pose proof (q_power 16) as Q16. pose proof (q_power 2) as Q2.
    assert (Hwl : 0 <= wl) by (assert (0 <= q ^ 16 * W) by (apply Rmult_le_pos; lra); lra). assert (Hnn0 : 0 < nn) by (assert (0 < u ^ 12) by (apply pow_lt; lra); lra).
    assert (De : e <= INR d * e) by (rewrite <- (Rmult_1_l e) at 1; apply Rmult_le_compat_r; lra).
    (* the terms with 16 u *)
    set (zs := fl (nn * wl)). assert (Hnw : 0 <= nn * wl) by (apply Rmult_le_pos; lra). pose proof (fl_low _ Hnw) as Z1. pose proof (fl_nonneg _ Hnw) as Z0. fold zs in Z1, Z0.
    pose proof (q_hundred 32 ltac:(lia)) as Q32. pose proof (q_power 32) as Q32'.
    assert (Z2 : 79 / 100 * Z <= nn * wl).
    { apply Rmult_le_reg_l with (INR d + 4); [lra|]. eapply Rle_trans; [|exact HD].
      assert (999 / 1000 * Z <= q ^ 32 * Z) by (apply Rmult_le_compat_r; lra).
      assert ((INR d + 3) * (999 / 1000 * Z) <= (INR d + 3) * (q ^ 32 * Z)) by (apply Rmult_le_compat_l; lra).
      assert (1 * Z <= INR d * Z) by (apply Rmult_le_compat_r; lra). lra. }
    assert (Z3 : 78 / 100 * Z - e <= zs) by (assert (999 / 1000 * (nn * wl) <= q * (nn * wl)) by (apply Rmult_le_compat_r; unfold q; lra); lra).
    set (lab := fl (sqrt label2)). pose proof (sqrt_pos label2) as S0. pose proof (fl_low _ S0) as L1. pose proof (fl_nonneg _ S0) as L0. fold lab in L1, L0.
    destruct root_e as (E0 & E1 & E2 & E3). set (p := q ^ (n + 2)) in *. pose proof (q_power (n + 2)) as Hp. fold p in Hp.
    assert (Hp9 : 99 / 100 <= p).
    { pose proof (q_bernoulli (n + 2)) as Hb. fold p in Hb. destruct (count_small (n + 2)) as (_ & _ & Hs); [unfold most; lia|]. lra. }
    pose proof (root_split (Y ^ 2) label2 (2 * e) p (pow2_ge_0 Y) Hl ltac:(lra) ltac:(lra) Hlab) as Hr. rewrite sqrt_pow2 in Hr by lra.
    assert (S2 : sqrt (2 * e) <= 2 * u).
    { apply Rle_trans with (sqrt ((2 * u) * (2 * u))); [|rewrite sqrt_square by lra; lra]. apply sqrt_le_1_alt. pose proof e_below. lra. }
    assert (P9 : 99 / 100 * Y <= p * Y) by (apply Rmult_le_compat_r; lra).
    assert (L2 : 98 / 100 * Y - 3 * u <= lab) by (assert (999 / 1000 * sqrt label2 <= q * sqrt label2) by (apply Rmult_le_compat_r; unfold q; lra); pose proof e_below; assert (u * u <= 1 / 10 * u) by (apply Rmult_le_compat_r; lra); lra).
    pose proof (fl_sum zs lab (fl_exact _) (fl_exact _) Z0 L0) as I1. set (i1 := fl (zs + lab)) in *.
    assert (I0 : 0 <= i1) by (apply fl_nonneg; lra).
    pose proof (fl_big (i1 + 1) ltac:(apply big_one; lra)) as I2. set (i2 := fl (i1 + 1)) in *. pose proof (q_hundred 2 ltac:(lia)) as Q2h.
    assert (I20 : 9 / 10 <= i2) by (assert (999 / 1000 * (i1 + 1) <= q ^ 2 * (i1 + 1)) by (apply Rmult_le_compat_r; lra); lra).
    pose proof (fl_big (i2 + gamma) ltac:(apply big_one; lra)) as I3. set (i3 := fl (i2 + gamma)) in *.
    assert (Ez : e <= u * u) by apply e_below. assert (Uu : u * u <= 1 / 1000 * u) by (apply Rmult_le_compat_r; lra).
    assert (B1 : 999 / 1000 * (zs + lab) <= q * (zs + lab)) by (apply Rmult_le_compat_r; unfold q; lra).
    assert (B2 : 999 / 1000 * (i1 + 1) <= q ^ 2 * (i1 + 1)) by (apply Rmult_le_compat_r; lra).
    assert (B3 : 999 / 1000 * (i2 + gamma) <= q ^ 2 * (i2 + gamma)) by (apply Rmult_le_compat_r; lra).
    assert (I4 : 77 / 100 * Z + 97 / 100 * Y + 98 / 100 + 98 / 100 * gamma <= i3) by lra.
    assert (V1 : 15 * u <= fl (16 * u)).
    { eapply Rle_trans; [|apply fl_big]. - assert (999 / 1000 * (16 * u) <= q ^ 2 * (16 * u)) by (apply Rmult_le_compat_r; lra). lra.
      - replace (16 * u) with (u * 16) by ring. apply (big_u 16 0); [lia | simpl; lra]. }
    assert (V2 : 15 * u * i3 <= fl (16 * u) * i3) by (apply Rmult_le_compat_r; lra).
    assert (V3 : u * (9 / 10) <= u * i3) by (apply Rmult_le_compat_l; lra).
    pose proof (fl_big (fl (16 * u) * i3) ltac:(apply Rle_trans with (u * 1); [apply (big_u 1 0); [lia | simpl; lra] | lra])) as V4. set (t3 := fl (fl (16 * u) * i3)) in *.
    assert (V5 : 999 / 1000 * (fl (16 * u) * i3) <= q ^ 2 * (fl (16 * u) * i3)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
    assert (V6 : 14 * u * i3 <= t3) by lra.
    assert (V7 : u * (77 / 100 * Z + 97 / 100 * Y + 98 / 100 + 98 / 100 * gamma) <= u * i3) by (apply Rmult_le_compat_l; lra).
    assert (T30 : 0 <= t3) by (assert (0 <= u * i3) by (apply Rmult_le_pos; lra); lra).
    pose proof (fl_sum s1 t3 X1 (fl_exact _) W10 T30) as W2. eapply Rle_trans; [|exact W2].
    assert (W3 : q * (q ^ 42 * (u * ((INR d + 3) * Z)) + q * (14 * (INR d * e) - e)) <= q * s1) by (apply Rmult_le_compat_l; lra).
    assert (Q43 : (INR d + 2) * (u * Z) <= q ^ 43 * (INR d + 3) * (u * Z)).
    { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. pose proof (q_bernoulli 43) as Hb. replace (INR 43) with 43 in Hb by (rewrite INR_IZR_INZ; reflexivity).
      destruct (count_small (d + 3)) as (_ & _ & Hs); [unfold most; lia|]. replace (INR (d + 3)) with (INR d + 3) in Hs by (rewrite plus_INR; simpl; ring).
      assert ((1 - 43 * u) * (INR d + 3) <= q ^ 43 * (INR d + 3)) by (apply Rmult_le_compat_r; lra). lra. }
    assert (W4 : 13 / 14 * (14 * (INR d * e) - e) <= q * (q * (14 * (INR d * e) - e))).
    { replace (q * (q * (14 * (INR d * e) - e))) with (q ^ 2 * (14 * (INR d * e) - e)) by ring. apply Rmult_le_compat_r; lra. }
    assert (W5 : u * (INR d * e) <= 1 / 1000 * (INR d * e)) by (apply Rmult_le_compat_r; lra).
    assert (W6 : 999 / 1000 * t3 <= q * t3) by (apply Rmult_le_compat_r; unfold q; lra).
    assert (W7 : u * (u * (INR d + 2) * Z) <= u * (1 / 10 * Z)).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [lra|]. destruct (count_small (d + 2)) as (_ & _ & Hs); [unfold most; lia|].
      replace (INR (d + 2)) with (INR d + 2) in Hs by (rewrite plus_INR; simpl; ring). lra. }
    assert (UY : 0 <= u * Y) by (apply Rmult_le_pos; lra). assert (UG : 0 <= u * gamma) by (apply Rmult_le_pos; lra). assert (UZ : 0 <= u * Z) by (apply Rmult_le_pos; lra).
    replace (q * (q ^ 42 * (u * ((INR d + 3) * Z)) + q * (14 * (INR d * e) - e))) with (q ^ 43 * (INR d + 3) * (u * Z) + q * (q * (14 * (INR d * e) - e))) in W3 by ring.
    lra.
  Qed.

  Theorem elastic_e_u_below : forall Am W al wl mu l1, 0 <= Am -> 0 <= W -> 0 <= al -> 0 < mu -> 0 <= l1 -> q ^ 16 * Am <= al + 6 * e -> q ^ 16 * W <= wl ->
    u * (INR n + 3) * Am + 4 * e * sd + 3 * u * (11 / 10 * Am + 4 * e * sd + (mu * W + l1 * sd)) + 4 * (1 + mu) * e * sd
    <= @elastic_e_u A n d mu l1 wl al.
  Proof.
    intros Am W al wl mu l1 HA HW Hal Hmu Hl1 Ha Hw.
    assert (E : @elastic_e_u A n d mu l1 wl al = fl (fl (fl (@k_of A (n + 4) * al) + fl (u * fl (fl (8 * al) + fl (4 * fl (fl (l1 * fl sd) + fl (mu * wl))))))
      + fl (fl (fl (8 * fl (1 + mu)) * (2 * e)) * (INR d + INR n)))).
    { unfold elastic_e_u, ulp_half, least. cbn [int power add mul root rounded num]. rewrite unit_value, least_value.
      replace (INR 8) with 8 by (simpl; ring). replace (INR 4) with 4 by (simpl; ring). rewrite plus_INR. reflexivity. }
    rewrite E. clear E. destruct (k_low (n + 4) ltac:(lia) ltac:(unfold most; lia)) as [K1 K2]. set (k := @k_of A (n + 4)) in *.
    replace (INR (n + 4)) with (INR n + 4) in K1 by (rewrite plus_INR; simpl; ring).
    pose proof (q_hundred 16 ltac:(lia)) as Q16. assert (Hwl : 0 <= wl) by (assert (0 <= q ^ 16 * W) by (apply Rmult_le_pos; lra); lra).
    assert (Wl : 999 / 1000 * W <= wl) by (assert (999 / 1000 * W <= q ^ 16 * W) by (apply Rmult_le_compat_r; lra); lra).
    assert (Al : 999 / 1000 * Am <= al + 6 * e) by (assert (999 / 1000 * Am <= q ^ 16 * Am) by (apply Rmult_le_compat_r; lra); lra).
    assert (q9 : 999 / 1000 <= q) by (unfold q; lra).
    assert (F : forall x, 0 <= x -> 999 / 1000 * x - e <= fl x /\ 0 <= fl x).
    { intros x Hx. split; [|apply fl_nonneg, Hx]. eapply Rle_trans; [|apply fl_low, Hx]. assert (999 / 1000 * x <= q * x) by (apply Rmult_le_compat_r; lra). lra. }
    destruct (count_small (n + 4)) as (_ & _ & Hs); [unfold most; lia|]. replace (INR (n + 4)) with (INR n + 4) in Hs by (rewrite plus_INR; simpl; ring).
    assert (Kal : 0 <= k * al) by (apply Rmult_le_pos; lra). pose proof (fl_low _ Kal) as S1. pose proof (fl_nonneg _ Kal) as S10. set (s1 := fl (k * al)) in *.
    assert (S2 : q ^ 23 * (u * (INR n + 4)) * Am - 2 * e <= s1).
    { assert (A0 : 0 <= u * (INR n + 4)) by (apply Rmult_le_pos; lra).
      assert (A1 : q ^ 6 * (u * (INR n + 4)) * al <= k * al) by (apply Rmult_le_compat_r; lra). pose proof (q_power 6) as Q6.
      assert (A6 : 0 <= q ^ 6 * (u * (INR n + 4))) by (apply Rmult_le_pos; lra).
      assert (A2 : q ^ 6 * (u * (INR n + 4)) * (q ^ 16 * Am - 6 * e) <= q ^ 6 * (u * (INR n + 4)) * al) by (apply Rmult_le_compat_l; lra).
      assert (A3 : q * (q ^ 6 * (u * (INR n + 4)) * (q ^ 16 * Am - 6 * e)) <= q * (k * al)) by (apply Rmult_le_compat_l; lra).
      assert (A4 : q * (q ^ 6 * (u * (INR n + 4)) * (6 * e)) <= 1 * (1 / 6 * (6 * e))).
      { apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; [lra|].
        assert (q ^ 6 * (u * (INR n + 4)) <= 1 * (u * (INR n + 4))) by (apply Rmult_le_compat_r; lra). lra. }
      replace (q ^ 23 * (u * (INR n + 4)) * Am) with (q * (q ^ 6 * (u * (INR n + 4)) * (q ^ 16 * Am))) by ring. lra. }
    assert (Mw : 0 <= mu * wl) by (apply Rmult_le_pos; lra). destruct (F _ Mw) as [M1 M0]. assert (MW : mu * (999 / 1000 * W) <= mu * wl) by (apply Rmult_le_compat_l; lra).
    destruct sd_range as ((S5 & S6) & _). assert (L1 : 998 / 1000 * sd <= fl sd) by (destruct (F sd ltac:(lra)) as [S7 _]; pose proof e_below; assert (u * u <= 1 * u) by (apply Rmult_le_compat_r; lra); lra).
    assert (LS : l1 * (998 / 1000 * sd) <= l1 * fl sd) by (apply Rmult_le_compat_l; lra). assert (LS0 : 0 <= l1 * sd) by (apply Rmult_le_pos; lra).
    destruct (F (l1 * fl sd) ltac:(lra)) as [L2 L20]. set (t1 := fl (l1 * fl sd)) in *. set (t2 := fl (mu * wl)) in *.
    destruct (F (t1 + t2) ltac:(lra)) as [L3 L30]. set (t := fl (t1 + t2)) in *. set (M := mu * W + l1 * sd).
    assert (MW0 : 0 <= mu * W) by (apply Rmult_le_pos; lra). assert (M00 : 0 <= M) by (unfold M; lra).
    assert (L4 : 994 / 1000 * M - 3 * e <= t) by (unfold M; lra).
    destruct (F (4 * t) ltac:(lra)) as [M2 M20]. destruct (F (8 * al) ltac:(lra)) as [N1 N0].
    destruct (F (fl (8 * al) + fl (4 * t)) ltac:(lra)) as [O1 O0]. set (at_ := fl (fl (8 * al) + fl (4 * t))) in *.
    assert (AT : 79 / 10 * Am + 39 / 10 * M - 70 * e <= at_) by lra.
    assert (Uat : 0 <= u * at_) by (apply Rmult_le_pos; lra). destruct (F _ Uat) as [P1 P0]. set (s2 := fl (u * at_)) in *.
    assert (P2 : u * (79 / 10 * Am + 39 / 10 * M - 70 * e) <= u * at_) by (apply Rmult_le_compat_l; lra).
    assert (Ue : u * e <= 1 / 1000 * e) by (apply Rmult_le_compat_r; lra).
    assert (UA : 0 <= u * Am) by (apply Rmult_le_pos; lra). assert (UM : 0 <= u * M) by (apply Rmult_le_pos; lra).
    assert (S3 : 78 / 10 * (u * Am) + 38 / 10 * (u * M) - 2 * e <= s2) by lra.
    destruct (F (1 + mu) ltac:(lra)) as [R1 R0]. destruct (F (8 * fl (1 + mu)) ltac:(lra)) as [R2 R20]. set (f2 := fl (8 * fl (1 + mu))) in *.
    assert (e9 : e <= 1 / 1000) by (pose proof e_below; assert (u * u <= 1 * u) by (apply Rmult_le_compat_r; lra); lra).
    assert (R3 : 79 / 10 * (1 + mu) <= f2) by lra. assert (R4 : 0 <= f2 * (2 * e)) by (apply Rmult_le_pos; lra). destruct (F _ R4) as [R5 R50]. set (f3 := fl (f2 * (2 * e))) in *.
    assert (R6 : 79 / 10 * (1 + mu) * (2 * e) <= f2 * (2 * e)) by (apply Rmult_le_compat_r; lra).
    set (me := (1 + mu) * e). assert (Me : e <= me) by (unfold me; rewrite <- (Rmult_1_l e) at 1; apply Rmult_le_compat_r; lra).
    assert (R7 : 147 / 10 * me <= f3) by (unfold me in *; lra). set (c := INR d + INR n) in *. assert (C2 : 2 <= c) by (unfold c; lra).
    assert (R8 : 0 <= f3 * c) by (apply Rmult_le_pos; lra). destruct (F _ R8) as [R9 R90]. set (s4 := fl (f3 * c)) in *.
    assert (R10 : 147 / 10 * me * c <= f3 * c) by (apply Rmult_le_compat_r; lra). assert (R11 : me * 2 <= me * c) by (apply Rmult_le_compat_l; lra).
    assert (S4 : 14 * (me * c) <= s4) by lra.
    pose proof (fl_sum s1 s2 (fl_exact _) (fl_exact _) S10 P0) as W1. set (s12 := fl (s1 + s2)) in *. assert (W10 : 0 <= s12) by (apply fl_nonneg; lra).
    pose proof (fl_sum s12 s4 (fl_exact _) (fl_exact _) W10 R90) as W2. eapply Rle_trans; [|exact W2].
    assert (W3 : q * (q * (q ^ 23 * (u * (INR n + 4)) * Am - 2 * e + (78 / 10 * (u * Am) + 38 / 10 * (u * M) - 2 * e))) <= q * s12).
    { apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [|exact W1]. apply Rmult_le_compat_l; lra. }
    assert (Q25 : (INR n + 3) * (u * Am) <= q ^ 25 * (INR n + 4) * (u * Am)).
    { apply Rmult_le_compat_r; [exact UA|]. pose proof (q_bernoulli 25) as Hb. replace (INR 25) with 25 in Hb by (rewrite INR_IZR_INZ; reflexivity).
      assert ((1 - 25 * u) * (INR n + 4) <= q ^ 25 * (INR n + 4)) by (apply Rmult_le_compat_r; lra). lra. }
    assert (Q2 : 99 / 100 <= q ^ 2 <= 1) by (pose proof (q_hundred 2 ltac:(lia)); pose proof (q_power 2); lra).
    assert (W4 : 99 / 100 * (78 / 10 * (u * Am) + 38 / 10 * (u * M)) <= q ^ 2 * (78 / 10 * (u * Am) + 38 / 10 * (u * M))) by (apply Rmult_le_compat_r; lra).
    assert (W5 : q ^ 2 * (4 * e) <= 1 * (4 * e)) by (apply Rmult_le_compat_r; lra).
    assert (W6 : 999 / 1000 * s4 <= q * s4) by (apply Rmult_le_compat_r; lra).
    replace (q * (q * (q ^ 23 * (u * (INR n + 4)) * Am - 2 * e + (78 / 10 * (u * Am) + 38 / 10 * (u * M) - 2 * e))))
      with (q ^ 25 * (INR n + 4) * (u * Am) + q ^ 2 * (78 / 10 * (u * Am) + 38 / 10 * (u * M)) - q ^ 2 * (4 * e)) in W3 by ring.
    assert (X1 : e * sd <= me * sd) by (apply Rmult_le_compat_r; lra). assert (X2 : me * sd <= me * INR d) by (apply Rmult_le_compat_l; lra).
    assert (X3 : u * (e * sd) <= 1 / 1000 * (e * sd)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra). assert (X5 : me * 1 <= me * INR n) by (apply Rmult_le_compat_l; lra).
    assert (X4 : me * c = me * INR d + me * INR n) by (unfold c; ring). assert (X6 : me * 1 <= me * INR d) by (apply Rmult_le_compat_l; lra).
    replace (4 * (1 + mu) * e * sd) with (4 * (me * sd)) by (unfold me; ring). lra.
  Qed.

  (* -- the final expression -- *)
  Hypothesis hyp_low : forall x y, 0 <= x -> 0 <= y -> (1 - 2 * u) * sqrt (x ^ 2 + y ^ 2) - 2 * e <= hyp x y.
  Let q_inverse : q ^ 2 * (1 + 2 * u) <= 1.
  Proof. unfold q. replace ((1 - u) ^ 2 * (1 + 2 * u)) with (1 - u * u * (3 - 2 * u)) by ring. assert (0 <= u * u * (3 - 2 * u)) by (repeat apply Rmult_le_pos; lra). lra. Qed.

  Lemma quotient_low : forall v E ec, u ^ 17 <= v -> 0 <= E <= ec -> q ^ 5 * (E / sqrt (2 * v)) - e <= fl (ec / fl (sqrt (fl (2 * v)))) /\ 0 <= fl (ec / fl (sqrt (fl (2 * v)))).
  Proof.
    intros v E ec Hv HE. assert (U17 : 0 < u ^ 17) by (apply pow_lt; lra). assert (U18 : u ^ 18 <= u ^ 17).
    { replace (u ^ 18) with (u * u ^ 17) by ring. rewrite <- (Rmult_1_l (u ^ 17)) at 2. apply Rmult_le_compat_r; lra. }
    pose proof (fl_high_big (2 * v) ltac:(lra)) as H1. pose proof (fl_big (2 * v) ltac:(lra)) as H2. pose proof (q_hundred 2 ltac:(lia)) as Q2.
    assert (H3 : 999 / 1000 * (2 * v) <= q ^ 2 * (2 * v)) by (apply Rmult_le_compat_r; lra). set (t := fl (2 * v)) in *. set (r := sqrt (2 * v)).
    assert (Hr : 0 < r) by (apply sqrt_lt_R0; lra). assert (Hrr : r * r = 2 * v) by (apply sqrt_sqrt; lra).
    assert (S1 : sqrt t <= (1 + 2 * u) * r).
    { apply Rsqr_incr_0_var; [unfold Rsqr; rewrite sqrt_sqrt by lra | apply Rmult_le_pos; lra].
      replace ((1 + 2 * u) * r * ((1 + 2 * u) * r)) with ((1 + 2 * u) * ((1 + 2 * u) * (2 * v))) by (rewrite <- Hrr; ring).
      assert (1 * ((1 + 2 * u) * (2 * v)) <= (1 + 2 * u) * ((1 + 2 * u) * (2 * v))) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra). lra. }
    assert (S2 : u ^ 9 <= sqrt t).
    { apply Rsqr_incr_0_var; [unfold Rsqr; rewrite sqrt_sqrt by lra | apply sqrt_pos]. replace (u ^ 9 * u ^ 9) with (u ^ 18) by ring. lra. }
    assert (S3 : u ^ 18 <= sqrt t). { eapply Rle_trans; [|exact S2]. replace (u ^ 18) with (u ^ 9 * u ^ 9) by ring. pose proof (power_small 9 ltac:(lia)). assert (0 <= u ^ 9) by (apply pow_le; lra).
      rewrite <- (Rmult_1_l (u ^ 9)) at 3. apply Rmult_le_compat_r; lra. }
    pose proof (fl_high_big (sqrt t) S3) as D1. pose proof (fl_big (sqrt t) S3) as D2. set (D := fl (sqrt t)) in *.
    assert (U9 : 0 < u ^ 9) by (apply pow_lt; lra). assert (Hq2 : 0 < q ^ 2 * sqrt t) by (apply Rmult_lt_0_compat; lra). assert (HD : 0 < D) by lra.
    assert (D3 : D <= (1 + 2 * u) ^ 2 * r) by (assert ((1 + 2 * u) * sqrt t <= (1 + 2 * u) * ((1 + 2 * u) * r)) by (apply Rmult_le_compat_l; lra); lra).
    assert (HQ : 0 <= ec / D) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, HD]). split; [|apply fl_nonneg, HQ].
    eapply Rle_trans; [|apply fl_low, HQ]. apply Rplus_le_compat_r. replace (q ^ 5) with (q * q ^ 4) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with (q ^ 4 * (ec / r)).
    - apply Rmult_le_compat_l; [apply pow_le; lra|]. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hr | lra].
    - apply Rmult_le_reg_r with (D * r); [apply Rmult_lt_0_compat; assumption|]. replace (q ^ 4 * (ec / r) * (D * r)) with (ec * (q ^ 4 * D)) by (field; lra).
      replace (ec / D * (D * r)) with (ec * r) by (field; lra). apply Rmult_le_compat_l; [lra|].
      apply Rle_trans with (q ^ 4 * ((1 + 2 * u) ^ 2 * r)); [apply Rmult_le_compat_l; [apply pow_le; lra | exact D3]|].
      replace (q ^ 4 * ((1 + 2 * u) ^ 2 * r)) with ((q ^ 2 * (1 + 2 * u)) * ((q ^ 2 * (1 + 2 * u)) * r)) by ring.
      assert (0 <= q ^ 2 * (1 + 2 * u)) by (apply Rmult_le_pos; [apply pow_le|]; lra).
      rewrite <- (Rmult_1_l r) at 2. rewrite <- (Rmult_1_l (1 * r)). apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
  Qed.
  Lemma hypotenuse_low : forall X Y x y, 0 <= X -> 0 <= Y -> 0 <= x -> 0 <= y -> q ^ 5 * X - e <= x -> q ^ 5 * Y - e <= y ->
    q ^ 8 * sqrt (X ^ 2 + Y ^ 2) <= hyp x y + 4 * e.
  Proof.
    intros X Y x y HX HY Hx Hy Bx By. pose proof (hyp_low x y Hx Hy) as H. set (S := sqrt (x ^ 2 + y ^ 2)) in *.
    pose proof (pow2_ge_0 x) as X2. pose proof (pow2_ge_0 y) as Y2. pose proof (pow2_ge_0 X) as XX. pose proof (pow2_ge_0 Y) as YY.
    assert (HS : S * S = x ^ 2 + y ^ 2) by (apply sqrt_sqrt; lra). assert (HS0 : 0 <= S) by apply sqrt_pos.
    assert (xS : x <= S) by (apply Rsqr_incr_0_var; [unfold Rsqr; lra | exact HS0]). assert (yS : y <= S) by (apply Rsqr_incr_0_var; [unfold Rsqr; lra | exact HS0]).
    pose proof (q_power 5) as Q5. set (r := q ^ 5) in *.
    assert (T : r * sqrt (X ^ 2 + Y ^ 2) <= S + 2 * e).
    { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. replace (r * sqrt (X ^ 2 + Y ^ 2) * (r * sqrt (X ^ 2 + Y ^ 2))) with (r * r * (sqrt (X ^ 2 + Y ^ 2) * sqrt (X ^ 2 + Y ^ 2))) by ring.
      rewrite sqrt_sqrt by lra. assert (A1 : (r * X) * (r * X) <= (x + e) * (x + e)) by (apply Rmult_le_compat; try (apply Rmult_le_pos); lra).
      assert (A2 : (r * Y) * (r * Y) <= (y + e) * (y + e)) by (apply Rmult_le_compat; try (apply Rmult_le_pos); lra).
      assert (A3 : e * (x + y) <= e * (S + S)) by (apply Rmult_le_compat_l; lra). nra. }
    assert (Q3 : q ^ 3 <= 1 - 2 * u). { unfold q. replace ((1 - u) ^ 3) with (1 - 2 * u - u * (1 - 3 * u + u * u)) by ring. assert (0 <= u * (1 - 3 * u + u * u)) by (apply Rmult_le_pos; nra). lra. }
    pose proof (q_power 3) as Q3'. replace (q ^ 8) with (q ^ 3 * q ^ 5) by ring. fold r. rewrite Rmult_assoc.
    assert (A4 : q ^ 3 * (r * sqrt (X ^ 2 + Y ^ 2)) <= q ^ 3 * (S + 2 * e)) by (apply Rmult_le_compat_l; lra).
    assert (A5 : q ^ 3 * (S + 2 * e) <= (1 - 2 * u) * (S + 2 * e)) by (apply Rmult_le_compat_r; lra).
    assert (0 <= u * e) by (apply Rmult_le_pos; lra). lra.
  Qed.

  Theorem bound_below : forall gamma mu gap G a ez eu Ez Eu, u ^ 17 <= gamma -> u ^ 17 <= mu -> 0 <= G -> 0 <= gap -> 0 <= a <= u ^ 4 ->
    q ^ (2 * (n + d) + 10) * G <= gap + a -> 0 <= Ez <= ez -> 8 * u * (1 + gamma) <= Ez -> 0 <= Eu <= eu ->
    (sqrt G + sqrt (Ez ^ 2 / (2 * gamma) + Eu ^ 2 / (2 * mu))) ^ 2 <= @bound_of A n d gamma mu gap ez eu.
  Proof.
    intros gamma mu gap G a ez eu Ez Eu Hg Hm HG Hgap Ha HGa HEz HEz8 HEu.
    assert (U17 : 0 < u ^ 17) by (apply pow_lt; lra).
    set (x := fl (eu / fl (sqrt (fl (2 * mu))))). set (y := fl (ez / fl (sqrt (fl (2 * gamma))))). set (err := hyp x y). set (rt := fl (sqrt gap)).
    assert (E : exists additive, 0 <= additive /\ @bound_of A n d gamma mu gap ez eu = fl (@grow A most * fl (fl (fl (rt + err) * fl (rt + err)) + additive))).
    { eexists. split; [|unfold bound_of; cbn [int power add mul div root hypot rounded num]; replace (INR 2) with 2 by (simpl; ring); reflexivity].
      unfold least. cbn [int power add mul rounded num]. rewrite least_value. pose proof (pos_INR (1 + d)). pose proof (pos_INR 16). pose proof (pos_INR 4).
      apply fl_nonneg, Rmult_le_pos; [|lra]. apply fl_nonneg, Rmult_le_pos; [|assumption]. apply fl_nonneg, Rmult_le_pos; [assumption|].
      apply fl_nonneg. assert (0 <= fl (INR 4 + gamma)) by (apply fl_nonneg; lra). lra. }
    destruct E as (additive & Hadd & ->).
    destruct (quotient_low mu Eu eu Hm HEu) as [X1 X0]. destruct (quotient_low gamma Ez ez Hg HEz) as [Y1 Y0]. fold x in X1, X0. fold y in Y1, Y0.
    set (rm := sqrt (2 * mu)) in *. set (rg := sqrt (2 * gamma)) in *.
    assert (Hrm : 0 < rm) by (apply sqrt_lt_R0; lra). assert (Hrg : 0 < rg) by (apply sqrt_lt_R0; lra).
    assert (Hrm2 : rm * rm = 2 * mu) by (apply sqrt_sqrt; lra). assert (Hrg2 : rg * rg = 2 * gamma) by (apply sqrt_sqrt; lra).
    assert (XX : 0 <= Eu / rm) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
    assert (YY : 0 <= Ez / rg) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
    pose proof (hypotenuse_low _ _ x y XX YY X0 Y0 X1 Y1) as H. fold err in H.
    assert (ES : Ez ^ 2 / (2 * gamma) + Eu ^ 2 / (2 * mu) = (Eu / rm) ^ 2 + (Ez / rg) ^ 2) by (rewrite <- Hrm2, <- Hrg2; field; lra).
    rewrite ES. set (R := sqrt ((Eu / rm) ^ 2 + (Ez / rg) ^ 2)) in *. pose proof (pow2_ge_0 (Eu / rm)) as P1. pose proof (pow2_ge_0 (Ez / rg)) as P2.
    assert (R8 : 8 * u <= R).
    { apply Rle_trans with (Ez / rg).
      - apply Rmult_le_reg_r with rg; [exact Hrg|]. replace (Ez / rg * rg) with Ez by (field; lra). eapply Rle_trans; [|exact HEz8].
        apply Rmult_le_compat_l; [lra|]. apply Rsqr_incr_0_var; [unfold Rsqr; rewrite Hrg2|lra]. pose proof (pow2_ge_0 gamma). nra.
      - apply Rsqr_incr_0_var; [|apply sqrt_pos]. unfold Rsqr. unfold R. rewrite sqrt_sqrt by lra. lra. }
    pose proof (q_hundred 8 ltac:(lia)) as Q8. pose proof e_below as (_ & Ee & _). assert (uu : u * u <= 1 / 1000 * u) by (apply Rmult_le_compat_r; lra).
    assert (Her : 7 * u <= err) by (assert (999 / 1000 * R <= q ^ 8 * R) by (apply Rmult_le_compat_r; lra); lra).
    pose proof (sqrt_pos gap) as Sg. pose proof (fl_low _ Sg) as Rt1. pose proof (fl_nonneg _ Sg) as Rt0. fold rt in Rt1, Rt0.
    set (p := q ^ (2 * (n + d) + 10)) in *. pose proof (q_power (2 * (n + d) + 10)) as Hp. fold p in Hp. set (rr := sqrt p).
    assert (Hrr : rr * rr = p) by (apply sqrt_sqrt; lra). assert (Hrr0 : 0 <= rr) by apply sqrt_pos.
    assert (Hrr1 : rr <= 1) by (unfold rr; rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
    assert (sG : rr * sqrt G <= sqrt gap + sqrt a).
    { unfold rr. rewrite <- sqrt_mult by lra. rewrite <- (Rmult_1_l (sqrt (p * G))). apply root_split; try lra. apply Rmult_le_pos; lra. }
    assert (sa : sqrt a <= u * u).
    { apply Rsqr_incr_0_var; [unfold Rsqr; rewrite sqrt_sqrt by lra; replace (u * u * (u * u)) with (u ^ 4) by ring; lra | apply Rmult_le_pos; lra]. }
    pose proof (sqrt_pos G) as sG0. pose proof (sqrt_pos a) as sa0. assert (HR0 : 0 <= R) by lra.
    set (s := rt + err). assert (Hs : 7 * u <= s) by (unfold s; lra).
    pose proof (q_power 7) as Q7. pose proof (q_power 8) as Q8'. pose proof (q_power 2) as Q2.
    assert (Hsum : q ^ 10 * (rr * (sqrt G + R)) <= s).
    { assert (B1 : q ^ 8 * (rr * sqrt G) <= q ^ 8 * (sqrt gap + sqrt a)) by (apply Rmult_le_compat_l; lra).
      assert (B2 : q ^ 8 * sqrt gap <= q * sqrt gap) by (replace (q ^ 8 * sqrt gap) with (q ^ 7 * (q * sqrt gap)) by ring; rewrite <- (Rmult_1_l (q * sqrt gap)) at 2; apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
      assert (B3 : q ^ 8 * sqrt a <= 1 * sqrt a) by (apply Rmult_le_compat_r; lra).
      assert (B4 : q ^ 8 * (rr * R) <= q ^ 8 * (1 * R)) by (apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_r; lra).
      assert (B5 : u * (7 * u) <= u * s) by (apply Rmult_le_compat_l; lra).
      assert (B6 : q ^ 8 * (rr * (sqrt G + R)) <= (1 + 2 * u) * s) by (unfold s in *; lra).
      replace (q ^ 10) with (q ^ 2 * q ^ 8) by ring. rewrite Rmult_assoc.
      apply Rle_trans with (q ^ 2 * ((1 + 2 * u) * s)); [apply Rmult_le_compat_l; lra|].
      rewrite <- (Rmult_1_l s) at 2. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
    assert (Hsq : q ^ 20 * p * (sqrt G + R) ^ 2 <= s * s).
    { replace (q ^ 20 * p * (sqrt G + R) ^ 2) with (q ^ 10 * (rr * (sqrt G + R)) * (q ^ 10 * (rr * (sqrt G + R)))) by (rewrite <- Hrr; ring).
      assert (0 <= q ^ 10 * (rr * (sqrt G + R))) by (apply Rmult_le_pos; [apply pow_le | apply Rmult_le_pos]; lra). apply Rmult_le_compat; lra. }
    (* the operations that follow *)
    assert (S1 : u * 7 <= s) by lra. pose proof (q_hundred 2 ltac:(lia)) as Q2h.
    pose proof (fl_big s ltac:(eapply Rle_trans; [|exact S1]; apply (big_u 7 0); [lia | simpl; lra])) as V1. set (v1 := fl s) in *.
    assert (V10 : 6 * u <= v1) by (assert (999 / 1000 * s <= q ^ 2 * s) by (apply Rmult_le_compat_r; lra); lra).
    assert (V2 : q ^ 4 * (s * s) <= v1 * v1). { replace (q ^ 4 * (s * s)) with (q ^ 2 * s * (q ^ 2 * s)) by ring. assert (0 <= q ^ 2 * s) by (apply Rmult_le_pos; lra). apply Rmult_le_compat; lra. }
    assert (V11 : u * u <= v1 * v1) by (apply Rmult_le_compat; lra).
    assert (B18 : u ^ 18 <= u * u). { replace (u ^ 18) with (u ^ 16 * (u * u)) by ring. pose proof (power_small 16 ltac:(lia)). rewrite <- (Rmult_1_l (u * u)) at 2. apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra. }
    pose proof (fl_big (v1 * v1) ltac:(lra)) as V3. set (v2 := fl (v1 * v1)) in *.
    assert (V4 : q ^ 6 * (s * s) <= v2). { eapply Rle_trans; [|exact V3]. replace (q ^ 6) with (q ^ 2 * q ^ 4) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
    assert (V5 : v2 <= fl (v2 + additive)). { assert (fl v2 <= fl (v2 + additive)) by (apply fl_mono; lra). pose proof (fl_exact (v1 * v1)) as Hex. unfold exact in Hex. fold v2 in Hex. lra. }
    set (v3 := fl (v2 + additive)) in *. destruct (grow_low most ltac:(unfold most; lia) ltac:(lia)) as [G1 G2]. set (g := @grow A most) in *.
    pose proof (count_small most ltac:(lia)) as (C0 & _ & C1). assert (Hgr : 1 <= 1 + u * INR most) by (pose proof (Rmult_le_pos u (INR most)); lra).
    pose proof (q_hundred 4 ltac:(lia)) as Q4. pose proof (q_hundred 6 ltac:(lia)) as Q6.
    assert (Hss : 49 * (u * u) <= s * s) by (replace (49 * (u * u)) with ((7 * u) * (7 * u)) by ring; apply Rmult_le_compat; lra).
    assert (UU : 0 <= u * u) by (apply Rmult_le_pos; lra).
    assert (P3 : q ^ 4 * (1 + u * INR most) * (q ^ 6 * (s * s)) <= g * v3).
    { apply Rmult_le_compat; try lra; repeat apply Rmult_le_pos; lra. }
    assert (P4 : 999 / 1000 * (999 / 1000 * (s * s)) <= q ^ 4 * (1 + u * INR most) * (q ^ 6 * (s * s))).
    { assert (C2 : 999 / 1000 * 1 <= q ^ 4 * (1 + u * INR most)) by (apply Rmult_le_compat; lra).
      assert (C3 : 999 / 1000 * (s * s) <= q ^ 6 * (s * s)) by (apply Rmult_le_compat_r; lra). apply Rmult_le_compat; lra. }
    pose proof (fl_big (g * v3) ltac:(lra)) as V6. eapply Rle_trans; [|exact V6].
    apply Rle_trans with (q ^ 2 * (q ^ 4 * (1 + u * INR most) * (q ^ 6 * (s * s)))); [|apply Rmult_le_compat_l; lra].
    replace (q ^ 2 * (q ^ 4 * (1 + u * INR most) * (q ^ 6 * (s * s)))) with (q ^ 12 * (1 + u * INR most) * (s * s)) by ring.
    apply Rle_trans with (q ^ 12 * (1 + u * INR most) * (q ^ 20 * p * (sqrt G + R) ^ 2)).
    - pose proof (grow_covers (12 + (20 + (2 * (n + d) + 10))) most ltac:(unfold most; lia) ltac:(lia)) as Hc. rewrite (pow_add _ 12), (pow_add _ 20) in Hc. fold p in Hc.
      replace (q ^ 12 * (1 + u * INR most) * (q ^ 20 * p * (sqrt G + R) ^ 2)) with (q ^ 12 * (q ^ 20 * p) * (1 + u * INR most) * (sqrt G + R) ^ 2) by ring.
      rewrite <- (Rmult_1_l ((sqrt G + R) ^ 2)) at 1. apply Rmult_le_compat_r; [apply pow2_ge_0 | exact Hc].
    - apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pow_le|]; lra | exact Hsq].
  Qed.
End Rounded.
