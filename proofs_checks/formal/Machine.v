(* On the machine's own numbers: where the bound that the code computes is finite nothing has overflowed on the way, so that it is the
   number of the model, and a bound.  Hinge and absolute loss, L2; hypot is not called.  Needs Flocq. *)
From Coq Require Import Reals Lra Lia ZArith SpecFloat.
From Flocq Require Import Core BinarySingleNaN.
From Dualgap Require Import Definitions Sums Certificate Rounded Computed ComputedHinge Binary64.
Open Scope R_scope.

(* A number of the machine next to one of the model: the same, or not finite. *)
Definition agrees (x : b64) (r : R) : Prop := finite x -> real x = r.
(* A divisor must be finite: a number over an infinity is 0. *)
Definition divisor (x : b64) (r : R) : Prop := finite x /\ real x = r /\ r <> 0.

Lemma self_agrees : forall x, agrees x (real x). Proof. intros x _. reflexivity. Qed.
Lemma same_value : forall t, t = mode_NE -> forall x, fl64 x = round radix2 (SpecFloat.fexp 53 1024) (round_mode t) x.
Proof. intros t -> x. reflexivity. Qed.

Lemma double_value : forall m e, (Z.abs m < 2 ^ 53)%Z -> (-1074 <= e <= 900)%Z -> finite (double m e) /\ real (double m e) = IZR m * bpow radix2 e.
Proof.
  intros m e Hm He. pose proof (binary_normalize_correct 53 1024 prec64 emax64 mode_NE m e false) as C. cbv zeta in C. fold (double m e) in C.
  assert (G : generic_format radix2 (SpecFloat.fexp 53 1024) (F2R (Float radix2 m e))).
  { change (SpecFloat.fexp 53 1024) with (FLT_exp (-1074) 53). apply generic_format_FLT. exists (Float radix2 m e); [reflexivity | exact Hm | apply He]. }
  rewrite round_generic in C by (try apply valid_rnd_N; exact G).
  assert (B : Rabs (F2R (Float radix2 m e)) < bpow radix2 1024).
  { unfold F2R. cbn [Fnum Fexp]. rewrite Rabs_mult, (Rabs_right (bpow radix2 e)) by apply Rle_ge, bpow_ge_0. rewrite <- abs_IZR.
    apply Rle_lt_trans with (IZR (2 ^ 53) * bpow radix2 900).
    - apply Rmult_le_compat; [apply IZR_le, Z.abs_nonneg | apply bpow_ge_0 | apply IZR_le; lia | apply bpow_le; lia].
    - change (IZR (2 ^ 53)) with (bpow radix2 53). rewrite <- bpow_plus. apply bpow_lt. lia. }
  rewrite Rlt_bool_true in C by exact B. destruct C as (V & F & _). split; [exact F | exact V].
Qed.

Lemma literal_agrees : forall m, (Z.abs m < 2 ^ 53)%Z -> agrees (double m 0) (IZR m).
Proof. intros m Hm _. destruct (double_value m 0 Hm ltac:(lia)) as [_ ->]. simpl. ring. Qed.
Lemma mul64_parts : forall x y, finite (mul64 x y) -> finite x /\ finite y.
Proof.
  intros x y H. destruct x, y; try (split; reflexivity); discriminate H.
Qed.
Definition sub64 : b64 -> b64 -> b64 := @Bminus 53 1024 prec64 emax64 mode_NE.
Lemma sub64_parts : forall x y, finite (sub64 x y) -> finite x /\ finite y /\ real (sub64 x y) = fl64 (real x - real y).
Proof.
  intros x y H. assert (F : finite x /\ finite y).
  { destruct x as [a|a| |a m e p], y as [b|b| |b m' e' p']; try (split; reflexivity); try discriminate H. destruct a, b; discriminate H. }
  destruct F as [Fx Fy]. split; [exact Fx|]. split; [exact Fy|]. pose proof (Bminus_correct 53 1024 prec64 emax64 mode_NE x y Fx Fy) as C. fold (sub64 x y) in C.
  destruct Rlt_bool; [apply C|]. destruct C as [C _]. unfold finite in H. rewrite <- is_finite_SF_B2SF, C in H. discriminate H.
Qed.

Section Machine.
  Variables (hyp : b64 -> b64 -> b64) (model_hyp : R -> R -> R).
  Local Notation M := (doubles hyp).
  Local Notation A := (rounded fl64 model_hyp).

  Lemma add_agrees : forall x y r s, agrees x r -> agrees y s -> agrees (add M x y) (add A r s).
  Proof. intros x y r s Hx Hy H. destruct (add64_finite x y H) as (Fx & Fy & E). change (real (add64 x y) = fl64 (r + s)). rewrite E, (Hx Fx), (Hy Fy). reflexivity. Qed.
  Lemma sub_agrees : forall x y r s, agrees x r -> agrees y s -> agrees (sub M x y) (sub A r s).
  Proof.
    intros x y r s Hx Hy H. destruct (sub64_parts x y H) as (Fx & Fy & E). change (real (sub64 x y) = fl64 (r - s)). rewrite E, (Hx Fx), (Hy Fy). reflexivity.
  Qed.
  Lemma mul_agrees : forall x y r s, agrees x r -> agrees y s -> agrees (mul M x y) (mul A r s).
  Proof.
    intros x y r s Hx Hy H. destruct (mul64_parts x y H) as [Fx Fy]. change (real (mul64 x y) = fl64 (r * s)). rewrite (mul64_finite x y H), (Hx Fx), (Hy Fy). reflexivity.
  Qed.
  Lemma div_agrees : forall x y r s, agrees x r -> divisor y s -> agrees (div M x y) (div A r s).
  Proof.
    intros x y r s Hx (Fy & Ey & Hs) H. cbn [div doubles rounded num] in *.
    assert (Fx : finite x).
    { unfold finite, div64, Bdiv in *. destruct x as [a|a| |a m e p]; try reflexivity; destruct y; discriminate H. }
    pose proof (Bdiv_correct 53 1024 prec64 emax64 mode_NE x y ltac:(fold (real y); rewrite Ey; exact Hs)) as C. rewrite <- (Hx Fx), <- Ey.
    fold (div64 x y) in C. destruct Rlt_bool; [apply C|]. unfold finite in H. rewrite <- is_finite_SF_B2SF, C in H. discriminate H.
  Qed.
  Lemma root_value : forall x, real (root M x) = fl64 (sqrt (real x)) /\ (finite (root M x) -> finite x) /\ (finite x -> 0 < real x -> finite (root M x)).
  Proof.
    intros x. cbn [root doubles]. destruct (Bsqrt_correct 53 1024 prec64 emax64 mode_NE x) as (C & F & _). split; [exact C|]. unfold finite. rewrite F. split.
    - destruct x as [s|s| |[|] m e p]; try discriminate; reflexivity.
    - intros Hx H. destruct x as [s|s| |[|] m e p]; try discriminate; try reflexivity. exfalso. unfold real in H. cbn [B2R] in H.
      pose proof (F2R_lt_0 radix2 (Float radix2 (cond_Zopp true (Zpos m)) e) ltac:(reflexivity)). lra.
  Qed.
  Lemma root_agrees : forall x r, agrees x r -> agrees (root M x) (root A r).
  Proof. intros x r Hx H. destruct (root_value x) as (-> & F & _). rewrite (Hx (F H)). reflexivity. Qed.
  Lemma int_value : forall n, (Z.of_nat n < 2 ^ 53)%Z -> finite (int M n) /\ real (int M n) = int A n.
  Proof.
    intros n Hn. destruct (double_value (Z.of_nat n) 0 ltac:(rewrite Z.abs_eq; lia) ltac:(lia)) as [F V]. cbn [int doubles rounded]. split; [exact F|].
    rewrite V, INR_IZR_INZ. simpl. ring.
  Qed.
  Lemma int_agrees : forall n, (Z.of_nat n < 2 ^ 53)%Z -> agrees (int M n) (int A n).
  Proof. intros n Hn _. apply int_value, Hn. Qed.
  Lemma int_divisor : forall n, (Z.of_nat n < 2 ^ 53)%Z -> (0 < n)%nat -> divisor (int M n) (int A n).
  Proof. intros n Hn H. destruct (int_value n Hn) as [F V]. split; [exact F|]. split; [exact V|]. cbn [int rounded]. apply not_0_INR. lia. Qed.
  Lemma power_agrees : forall k, (-1074 <= k <= 900)%Z -> agrees (power M k) (power A k).
  Proof.
    intros k Hk _. destruct (double_value 1 k ltac:(reflexivity) Hk) as [_ V]. cbn [power doubles rounded]. rewrite V, Rmult_1_l. apply bpow_powerRZ.
  Qed.
  Lemma absolute_agrees : forall x r, agrees x r -> agrees (absolute M x) (absolute A r).
  Proof. intros x r Hx H. cbn [absolute doubles rounded] in *. unfold finite in H. rewrite is_finite_Babs in H. unfold real. rewrite B2R_Babs. f_equal. apply Hx, H. Qed.
  Lemma at_most_agrees : forall x y, finite x -> finite y -> at_most M x y = at_most A (real x) (real y).
  Proof.
    intros x y Hx Hy. cbn [at_most doubles rounded]. rewrite (Bleb_correct 53 1024 x y Hx Hy). fold (real x) (real y).
    destruct (Rle_dec (real x) (real y)); [apply Rle_bool_true; assumption | apply Rle_bool_false; lra].
  Qed.
  Lemma sum_agrees : forall n f g, (forall i, (i < n)%nat -> agrees (f i) (g i)) -> agrees (@sum_of M n f) (@sum_of A n g).
  Proof.
    induction n as [|n IH]; intros f g H; cbn [sum_of]; [apply int_agrees; reflexivity|]. apply add_agrees; [apply IH; intros; apply H; lia | apply H; lia].
  Qed.

  Variables n d : nat.
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis counts : INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2.
  Lemma few : forall c, (c <= 8 * (2 * (n + d) + 128))%nat -> (Z.of_nat c < 2 ^ 53)%Z.
  Proof.
    intros c Hc. apply lt_IZR. rewrite <- INR_IZR_INZ. apply le_INR in Hc. rewrite mult_INR in Hc. replace (INR 8) with 8 in Hc by (simpl; ring).
    destruct (count_small u64 e64 eq_refl eq_refl n d counts (2 * (n + d) + 128) ltac:(lia)) as (C0 & _ & C). set (m := INR (2 * (n + d) + 128)) in *.
    assert (U : u64 * IZR (2 ^ 53) = 1). { unfold u64. replace (IZR (2 ^ 53)) with (2 ^ 53) by (rewrite (pow_IZR 2 53); reflexivity). apply Rinv_l, pow_nonzero. lra. }
    assert (P : 0 < u64) by (unfold u64; apply Rinv_0_lt_compat, pow_lt; lra). apply Rmult_lt_reg_l with u64; [exact P|].
    assert (u64 * INR c <= u64 * (8 * m)) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Local Ltac agree := repeat match goal with
    | H : agrees ?x ?r |- agrees ?x ?r => exact H
    | |- agrees (add _ _ _) _ => apply add_agrees
    | |- agrees (sub _ _ _) _ => apply sub_agrees
    | |- agrees (mul _ _ _) _ => apply mul_agrees
    | |- agrees (div _ _ _) _ => apply div_agrees
    | |- agrees (root _ _) _ => apply root_agrees
    | |- agrees (absolute _ _) _ => apply absolute_agrees
    | |- agrees (int _ _) _ => apply int_agrees, few; lia
    | |- agrees (power _ _) _ => apply power_agrees; lia
    | |- agrees (sum_of _ _) _ => apply sum_agrees; intros
    | |- agrees _ _ => apply self_agrees
    | |- divisor (int _ _) _ => apply int_divisor; [apply few; lia | lia]
    | |- divisor _ _ => assumption
    end.

  Variables (X : nat -> nat -> b64) (w alpha : nat -> b64) (mu slope : b64) (L : R).
  Hypothesis slope_agrees : agrees slope L.
  Hypothesis mu_range : / 2 ^ 900 <= real mu <= 2 ^ 900.
  Hypothesis alpha_finite : forall i, (i < n)%nat -> finite (alpha i).
  Let rows i j := real (X i j).
  Let W j := real (w j).
  Let a i := real (alpha i).

  Lemma row_z_agrees : forall i, agrees (@row_z M d (X i) w) (@row_z A d (rows i) W).
  Proof. intros i. unfold row_z. agree. Qed.
  Lemma minus_mean_agrees : forall j, agrees (@minus_mean M n X alpha j) (@minus_mean A n rows a j).
  Proof. intros j. unfold minus_mean, mean_of. agree. Qed.
  Lemma squares_agrees : forall m x, agrees (@squares M m x) (@squares A m (fun j => real (x j))).
  Proof. intros m x. unfold squares. agree. Qed.
  Lemma grow_agrees : forall c, (c <= 8 * (2 * (n + d) + 128))%nat -> agrees (@grow M c) (@grow A c).
  Proof. intros c Hc. unfold grow, ulp_half. agree. Qed.
  Lemma lost_agrees : agrees (mul M (@lost M) (root M (int M d))) (mul A (@lost A) (root A (int A d))).
  Proof. unfold lost. agree. Qed.
  Lemma length_agrees : agrees (@length_of M d w) (@length_of A d W).
  Proof. unfold length_of. apply add_agrees; [|apply lost_agrees]. apply mul_agrees; [apply root_agrees, squares_agrees | apply grow_agrees; lia]. Qed.
  Lemma norm_agrees : agrees (@norm_of M n d X) (@norm_of A n d rows).
  Proof.
    unfold norm_of. apply add_agrees; [|apply lost_agrees]. apply mul_agrees; [|apply grow_agrees; lia]. apply root_agrees, div_agrees; [|apply int_divisor; [apply few; lia | exact n_pos]].
    apply sum_agrees. intros i _. apply squares_agrees.
  Qed.
  Lemma maximum_value : forall m, (m <= n)%nat -> finite (@maximum M m alpha) /\ real (@maximum M m alpha) = @maximum A m a.
  Proof.
    induction m as [|m IH]; intros Hm; [apply int_value; reflexivity|]. destruct (IH ltac:(lia)) as [F V]. cbn [maximum].
    assert (Fa : finite (absolute M (alpha m))) by (cbn [absolute doubles]; unfold finite; rewrite is_finite_Babs; apply alpha_finite; lia).
    assert (Va : real (absolute M (alpha m)) = absolute A (a m)) by (cbn [absolute doubles rounded]; apply B2R_Babs).
    rewrite (at_most_agrees _ _ Fa F), Va, V. destruct (at_most A (absolute A (a m)) (@maximum A m a)); split; assumption.
  Qed.
  Lemma largest_agrees : agrees (@largest M n alpha) (@largest A n a).
  Proof.
    destruct (maximum_value n (le_n n)) as [F V]. unfold largest. destruct (int_value 0 eq_refl) as [F0 V0]. rewrite (at_most_agrees _ _ F F0), V, V0.
    destruct (at_most A (@maximum A n a) (int A 0)); [apply int_agrees; reflexivity | intros _; exact V].
  Qed.
  Lemma mean_length_agrees : agrees (@mean_length M n d X alpha) (@mean_length A n d rows a).
  Proof.
    unfold mean_length. apply add_agrees; [|apply mul_agrees; [apply lost_agrees | apply largest_agrees]]. apply mul_agrees; [|apply grow_agrees; lia].
    apply div_agrees; [|apply int_divisor; [apply few; lia | exact n_pos]]. apply sum_agrees. intros i _. apply mul_agrees; [agree | apply root_agrees, squares_agrees].
  Qed.
  Lemma k_agrees : forall c, (c <= 8 * (2 * (n + d) + 128))%nat -> agrees (@k_of M c) (@k_of A c).
  Proof. intros c Hc. unfold k_of, ulp_half. agree. Qed.
  Lemma e_u_agrees : forall wl al wl' al', agrees wl wl' -> agrees al al' -> agrees (@elastic_e_u M n d mu (int M 0) wl al) (@elastic_e_u A n d (real mu) (int A 0) wl' al').
  Proof. intros wl al wl' al' Hw Ha. unfold elastic_e_u, ulp_half, least. cbv zeta. pose proof (k_agrees (n + 4) ltac:(lia)). agree. Qed.
  Lemma e_z_agrees : forall nn wl nn' wl', agrees nn nn' -> agrees wl wl' -> agrees (@plain_e_z M d nn wl) (@plain_e_z A d nn' wl').
  Proof. intros nn wl nn' wl' Hn Hw. unfold plain_e_z, least. pose proof (k_agrees (d + 4) ltac:(lia)). agree. Qed.

  Let mu_divisor : divisor mu (real mu).
  Proof.
    assert (P : 0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). split; [|split; [reflexivity | lra]].
    unfold finite. destruct mu; try reflexivity; cbn in mu_range; lra.
  Qed.
  Lemma root_2_mu_divisor : divisor (root M (mul M (int M 2) mu)) (root A (mul A (int A 2) (real mu))).
  Proof.
    assert (P : 0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). destruct (int_value 2 eq_refl) as [F2 V2]. destruct mu_divisor as (Fm & _).
    pose proof (fl_mono fl64 u64 e64 binary64_rounding) as mono. pose proof (Bmult_correct 53 1024 prec64 emax64 mode_NE (int M 2) mu) as C.
    assert (E2 : int A 2 = 2) by (cbn [int rounded]; simpl; ring).
    assert (Hb : forall k, (-1074 <= k <= 1023)%Z -> fl64 (bpow radix2 k) = bpow radix2 k).
    { intros k Hk. unfold fl64. apply round_generic; [apply valid_rnd_N|]. apply generic_format_FLT_bpow; [reflexivity | lia]. }
    assert (B900 : bpow radix2 900 = 2 ^ 900) by (rewrite <- (IZR_Zpower radix2 900) by lia; rewrite (pow_IZR 2 900); f_equal).
    assert (Bm : bpow radix2 (-900) = / 2 ^ 900) by (change (-900)%Z with (- (900))%Z; rewrite bpow_opp, B900; reflexivity).
    assert (Lo : bpow radix2 (-900) <= fl64 (2 * real mu)) by (rewrite <- Hb by lia; apply mono; rewrite Bm; lra).
    assert (Hi : fl64 (2 * real mu) <= bpow radix2 901).
    { rewrite <- (Hb 901%Z) by lia. apply mono. change 901%Z with (1 + 900)%Z. rewrite bpow_plus, B900. change (bpow radix2 1) with 2. lra. }
    fold (real (int M 2)) (real mu) in C. rewrite V2, E2 in C. change (round radix2 (SpecFloat.fexp 53 1024) (round_mode mode_NE) (2 * real mu)) with (fl64 (2 * real mu)) in C.
    pose proof (bpow_gt_0 radix2 (-900)) as B0.
    rewrite Rlt_bool_true in C.
    2:{ rewrite Rabs_right by lra. eapply Rle_lt_trans; [exact Hi | apply bpow_lt; lia]. }
    destruct C as (V & F & _). fold (mul64 (int M 2) mu) in V, F. change (mul64 (int M 2) mu) with (mul M (int M 2) mu) in V, F. fold (real (mul M (int M 2) mu)) in V.
    assert (Ft : finite (mul M (int M 2) mu)) by (unfold finite in *; rewrite F, F2, Fm; reflexivity).
    destruct (root_value (mul M (int M 2) mu)) as (R1 & _ & R3). rewrite V in R1, R3. split; [apply R3; [exact Ft | lra]|].
    cbn [root mul rounded num]. rewrite E2. split; [exact R1|].
    assert (bpow radix2 (-450) <= fl64 (sqrt (fl64 (2 * real mu)))); [|pose proof (bpow_gt_0 radix2 (-450)); lra].
    rewrite <- (Hb (-450)%Z) by lia. apply mono. apply Rsqr_incr_0_var; [|apply sqrt_pos]. unfold Rsqr. rewrite sqrt_sqrt, <- bpow_plus by lra. exact Lo.
  Qed.
  Lemma l2_agrees : forall v v', (forall j, agrees (v j) (v' j)) -> agrees (@l2_residual M d mu v w) (@l2_residual A d (real mu) v' W).
  Proof.
    intros v v' Hv. unfold l2_residual. cbv zeta. apply sum_agrees. intros j _. specialize (Hv j).
    assert (Hb : agrees (div M (v j) mu) (div A (v' j) (real mu))) by (apply div_agrees; [exact Hv | exact mu_divisor]). fold (W j). pose proof (self_agrees (w j)). agree.
  Qed.

  Variables (residual : nat -> b64 -> b64 -> b64) (model : nat -> R -> R -> R).
  Hypothesis rows_agree : forall i z r, agrees z r -> agrees (residual i z (alpha i)) (model i r (a i)).

  Theorem bound_agrees : agrees (@code_slope_bound M n d X residual (@l2_residual M d mu) slope mu w alpha)
    (@code_slope_bound A n d rows model (@l2_residual A d (real mu)) L (real mu) W a).
  Proof.
    assert (Hgap : agrees (@computed_gap M n d X residual (@l2_residual M d mu) w alpha) (@computed_gap A n d rows model (@l2_residual A d (real mu)) W a)).
    { unfold computed_gap. apply add_agrees; [|apply l2_agrees, minus_mean_agrees]. apply div_agrees; [|apply int_divisor; [apply few; lia | exact n_pos]].
      apply sum_agrees. intros i _. apply rows_agree, row_z_agrees. }
    pose proof (e_z_agrees _ _ _ _ norm_agrees length_agrees) as Hz. pose proof (e_u_agrees _ _ _ _ length_agrees mean_length_agrees) as Hu. pose proof root_2_mu_divisor as Hr.
    unfold code_slope_bound. cbv zeta. unfold slope_bound_of, ulp_half, least. cbv zeta. agree.
  Qed.
End Machine.

Lemma hinge_row_agrees : forall hyp model_hyp y al z r, agrees z r -> agrees (@hinge_residual (doubles hyp) y z al) (@hinge_residual (rounded fl64 model_hyp) (real y) r (real al)).
Proof.
  intros hyp model_hyp y al z r Hz. unfold hinge_residual. cbv zeta. set (M := doubles hyp). set (A := rounded fl64 model_hyp).
  assert (Hm : agrees (mul M y z) (mul A (real y) r)) by (apply mul_agrees; [apply self_agrees | exact Hz]). set (m := mul M y z) in *. set (m' := mul A (real y) r) in *.
  destruct (int_value hyp model_hyp 1 eq_refl) as [F1 V1]. fold M A in F1, V1.
  assert (H1 : agrees (int M 1) (int A 1)) by (intros _; exact V1). assert (H0 : agrees (int M 0) (int A 0)) by (apply int_agrees; reflexivity).
  assert (Hb : agrees (mul M (sub M (int M 0) y) al) (mul A (sub A (int A 0) (real y)) (real al))) by (apply mul_agrees; [apply sub_agrees; [exact H0 | apply self_agrees] | apply self_agrees]).
  intros H. assert (Fm : finite m).
  { destruct (at_most M (int M 1) m).
    - apply mul64_parts in H. destruct H as [_ H]. apply sub64_parts in H. apply H.
    - apply mul64_parts in H. destruct H as [_ H]. apply sub64_parts in H. apply H. }
  assert (E : at_most M (int M 1) m = at_most A (int A 1) m') by (rewrite <- (Hm Fm), <- V1; exact (at_most_agrees hyp model_hyp _ _ F1 Fm)).
  revert H. rewrite <- E. destruct (at_most M (int M 1) m); (apply mul_agrees; [|apply sub_agrees; assumption]); [exact Hb | apply sub_agrees; assumption].
Qed.
Lemma absolute_row_agrees : forall hyp model_hyp y al z r, agrees z r -> finite y ->
  agrees (@absolute_residual (doubles hyp) y z al) (@absolute_residual (rounded fl64 model_hyp) (real y) r (real al)).
Proof.
  intros hyp model_hyp y al z r Hz Fy. unfold absolute_residual. cbv zeta. set (M := doubles hyp). set (A := rounded fl64 model_hyp).
  assert (H1 : agrees (int M 1) (int A 1)) by (apply int_agrees; reflexivity). pose proof (self_agrees y) as Hy. pose proof (self_agrees al) as Ha.
  intros H. assert (Fz : finite z).
  { destruct (at_most M y z); apply mul64_parts in H; destruct H as [H _]; apply sub64_parts in H; apply H. }
  assert (E : at_most M y z = at_most A (real y) r) by (rewrite <- (Hz Fz); exact (at_most_agrees hyp model_hyp _ _ Fy Fz)).
  revert H. rewrite <- E. destruct (at_most M y z); apply mul_agrees; (apply sub_agrees || apply add_agrees); assumption.
Qed.

(* What the program computes, where it is finite, is a bound: every number on the way is the model's. *)
Theorem gap_bound_hinge_where_finite : forall hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) (mu : b64) x,
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 -> / 2 ^ 900 <= real mu <= 2 ^ 900 -> (forall i, finite (alpha i)) ->
  (forall i, (i < n)%nat -> is_label (real (y i)) /\ -1 <= real (y i) * real (alpha i) <= 0) ->
  let rows i j := real (X i j) in let loss i := hinge (real (y i)) in let W j := real (w j) in
  let bound := @code_slope_bound (doubles hyp) n d X (fun i z a => @hinge_residual (doubles hyp) (y i) z a) (@l2_residual (doubles hyp) d mu) (double 1 0) mu w alpha in
  finite bound -> primal n d rows loss (l2 d (real mu)) W - primal n d rows loss (l2 d (real mu)) x <= real bound.
Proof.
  intros hyp n d X y w alpha mu x Hn Hd Hc Hm Ha Hy rows loss W bound H.
  pose proof (bound_agrees hyp (fun _ _ => 0) n d Hn Hc X w alpha mu (double 1 0) 1 (literal_agrees 1 ltac:(reflexivity)) Hm (fun i _ => Ha i) (fun i z a => @hinge_residual (doubles hyp) (y i) z a)
    (fun i z a => @hinge_residual (rounded fl64 (fun _ _ => 0)) (real (y i)) z a) (fun i z r Hz => hinge_row_agrees hyp (fun _ _ => 0) (y i) (alpha i) z r Hz) H) as E.
  eapply Rle_trans; [exact (gap_bound_hinge_in_binary64 (fun _ _ => 0) n d X y w alpha (real mu) x Hn Hd Hc (proj1 Hm) Hy) | right; symmetry; exact E].
Qed.
Theorem gap_bound_absolute_where_finite : forall hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) (mu : b64) x,
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 -> / 2 ^ 900 <= real mu <= 2 ^ 900 -> (forall i, finite (alpha i)) ->
  (forall i, finite (y i)) -> (forall i, (i < n)%nat -> -1 <= real (alpha i) <= 1) ->
  let rows i j := real (X i j) in let loss i := absolute_loss (real (y i)) in let W j := real (w j) in
  let bound := @code_slope_bound (doubles hyp) n d X (fun i z a => @absolute_residual (doubles hyp) (y i) z a) (@l2_residual (doubles hyp) d mu) (double 2 0) mu w alpha in
  finite bound -> primal n d rows loss (l2 d (real mu)) W - primal n d rows loss (l2 d (real mu)) x <= real bound.
Proof.
  intros hyp n d X y w alpha mu x Hn Hd Hc Hm Ha Hy Hal rows loss W bound H.
  pose proof (bound_agrees hyp (fun _ _ => 0) n d Hn Hc X w alpha mu (double 2 0) 2 (literal_agrees 2 ltac:(reflexivity)) Hm (fun i _ => Ha i) (fun i z a => @absolute_residual (doubles hyp) (y i) z a)
    (fun i z a => @absolute_residual (rounded fl64 (fun _ _ => 0)) (real (y i)) z a) (fun i z r Hz => absolute_row_agrees hyp (fun _ _ => 0) (y i) (alpha i) z r Hz (Hy i)) H) as E.
  eapply Rle_trans; [exact (gap_bound_absolute_in_binary64 (fun _ _ => 0) n d X y w alpha (real mu) x Hn Hd Hc (proj1 Hm) Hal) | right; symmetry; exact E].
Qed.
