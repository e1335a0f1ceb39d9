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
  Hypothesis counts : INR (n + d + 64) ^ 2 * u <= 1 / 2.
  Let most := (n + d + 64)%nat.
  Let Rn : 1 <= INR n. Proof. apply (le_INR 1), n_pos. Qed.
  Let Rd : 1 <= INR d. Proof. apply (le_INR 1), d_pos. Qed.
  Let l := powerRZ 2 (-537).
  Let sd := sqrt (INR d).

  Lemma count_small : forall c, (c <= most)%nat -> 0 <= INR c /\ INR c * INR c * u <= 1 / 2 /\ INR c * u <= 1 / 10000.
  Proof.
    intros c Hc. pose proof (pos_INR c) as H0. apply le_INR in Hc. unfold most in Hc. simpl in counts. rewrite Rmult_1_r in counts.
    assert (H : INR c * INR c * u <= 1 / 2).
    { eapply Rle_trans; [|exact counts]. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; lra. }
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
End Rounded.
