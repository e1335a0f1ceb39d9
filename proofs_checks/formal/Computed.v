(* `gap_bound` as it is computed: P(w) - P(v) <= gap_bound for every v, with squared loss and L2. *)
From Coq Require Import Reals ZArith Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Certificate Rounded.
Open Scope R_scope.

(* Minkowski's inequality. *)
Lemma nrm_triangle : forall d a b, nrm d (fun j => a j + b j) <= nrm d a + nrm d b.
Proof.
  intros d a b. pose proof (nrm_nonneg d a). pose proof (nrm_nonneg d b). apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite nrm_square, norm2_plus, <- !nrm_square.
  pose proof (cauchy d a b). lra.
Qed.
Lemma mean_square_add : forall n a b N M, (0 < n)%nat -> 0 <= N -> 0 <= M ->
  avg n (fun i => a i ^ 2) <= N ^ 2 -> avg n (fun i => b i ^ 2) <= M ^ 2 -> avg n (fun i => (a i + b i) ^ 2) <= (N + M) ^ 2.
Proof.
  intros n a b N M Hn HN HM Ha Hb. apply INR_pos in Hn. set (r := sqrt (INR n)). assert (Hr : 0 < r) by (apply sqrt_lt_R0, Hn).
  assert (Hrr : r * r = INR n) by (apply sqrt_sqrt; lra).
  assert (Hlen : forall c L, 0 <= L -> avg n (fun i => c i ^ 2) <= L ^ 2 -> nrm n c <= r * L).
  { intros c L HL H. apply Rsqr_incr_0_var; [|apply Rmult_le_pos; lra]. unfold Rsqr. rewrite nrm_square.
    replace (r * L * (r * L)) with (INR n * L ^ 2) by (rewrite <- Hrr; ring). apply Rmult_le_compat_l with (r := INR n) in H; [|lra].
    eapply Rle_trans; [|exact H]. right. unfold avg, norm2, dot. replace (INR n * (bsum n (fun i => c i ^ 2) / INR n)) with (bsum n (fun i => c i ^ 2)) by (field; lra).
    apply bsum_ext. intros. ring. }
  pose proof (Hlen a N HN Ha) as La. pose proof (Hlen b M HM Hb) as Lb. pose proof (nrm_triangle n a b) as Ht. pose proof (nrm_nonneg n (fun i => a i + b i)) as H0.
  apply Rmult_le_reg_l with (INR n); [exact Hn|]. apply Rle_trans with (nrm n (fun i => a i + b i) * nrm n (fun i => a i + b i)).
  - rewrite nrm_square. right. unfold avg, norm2, dot. replace (INR n * (bsum n (fun i => (a i + b i) ^ 2) / INR n)) with (bsum n (fun i => (a i + b i) ^ 2)) by (field; lra).
    apply bsum_ext. intros. ring.
  - replace (INR n * (N + M) ^ 2) with (r * (N + M) * (r * (N + M))) by (rewrite <- Hrr; ring). apply Rmult_le_compat; lra.
Qed.
Lemma abs_dot : forall d x w, Rabs (dot d x w) <= nrm d x * nrm d w.
Proof.
  intros d x w. eapply Rle_trans; [|apply abs_products]. unfold dot. induction d as [|d IH]; cbn [bsum]; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma fsum_exact : forall fl n f, (forall x, fl (fl x) = fl x) -> (0 < n)%nat -> fl (fsum fl n f) = fsum fl n f.
Proof. intros fl [|n] f H Hn; [inversion Hn | apply H]. Qed.

Section Computed.
  Variables (fl : R -> R) (u e : R) (hyp : R -> R -> R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Variables n d : nat.
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis d_pos : (0 < d)%nat.
  Hypothesis counts : INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2.
  Hypothesis hyp_low : forall x y, 0 <= x -> 0 <= y -> (1 - 2 * u) * sqrt (x ^ 2 + y ^ 2) - 2 * e <= hyp x y.
  Local Notation A := (rounded fl hyp).
  Local Notation exact := (exact fl).
  Let q := 1 - u.
  Let sd := sqrt (INR d).
  Local Ltac fold_q := repeat match goal with H : context [1 - u] |- _ => progress change (1 - u) with q in H end.
  Local Ltac from L := first
    [ exact (L fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts hyp_low) | exact (L fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts)
    | exact (L fl u e hyp u_value e_value rounding_fl n d n_pos d_pos) | exact (L fl u e hyp u_value e_value rounding_fl)
    | exact (L fl u e u_value e_value rounding_fl n d n_pos d_pos counts) | exact (L fl u e u_value e_value rounding_fl n d counts) | exact (L fl u e u_value e_value rounding_fl)
    | exact (L fl u e u_value rounding_fl n d counts) | exact (L fl u e rounding_fl) | exact (L fl u e u_value rounding_fl)
    | exact (L fl u e hyp u_value rounding_fl) | exact (L fl u e hyp rounding_fl) | exact (L u e u_value e_value n d counts) | exact (L u e u_value e_value) | exact (L u u_value) | exact (L e e_value) | exact (L d d_pos)].
  Let u_pos := ltac:(from u_pos).
  Let e_pos := ltac:(from e_pos).
  Let u_small := ltac:(from u_small).
  Let e_below := ltac:(from e_below).
  Let fl_exact := ltac:(from fl_exact).
  Let fl_nonneg := ltac:(from fl_nonneg).
  Let fl_low := ltac:(from fl_low).
  Let fl_sum := ltac:(from fl_sum).
  Let sum_error := ltac:(from sum_error).
  Let exact_opp := ltac:(from exact_opp).
  Let q_power := ltac:(from q_power).
  Let q_less := ltac:(from q_less).
  Let fsum_low := ltac:(from fsum_low).
  Let squares_low := ltac:(from squares_low).
  Let count_small := ltac:(from count_small).
  Let k_true := ltac:(from k_true).
  Let size_big := ltac:(from size_big).
  Let sd_range := ltac:(from sd_range).
  Let length_below := ltac:(from length_below).
  Let norm_below := ltac:(from norm_below).
  Let mean_length_below := ltac:(from mean_length_below).
  Let e_z_below := ltac:(from e_z_below).
  Let elastic_e_u_below := ltac:(from elastic_e_u_below).
  Let bound_below := ltac:(from bound_below).

  Let u_tiny : u <= 1 / 1000000000.
  Proof. apply Rle_trans with (/ 2 ^ 40); [exact u_small|]. simpl. lra. Qed.
  Let e_tiny : e <= 1 / 1000000000 * u.
  Proof. destruct e_below as (_ & H & _). eapply Rle_trans; [exact H|]. apply Rmult_le_compat_r; lra. Qed.
  Let Rn : 1 <= INR n. Proof. apply (le_INR 1), n_pos. Qed.
  Let Rd : 1 <= INR d. Proof. apply (le_INR 1), d_pos. Qed.

  (* m/2 (a - b)^2 as it is computed *)
  Lemma half_square : forall m a b, 0 < m -> exact a -> exact b -> let c := fl (a - b) in let r := fl (fl (m * fl (c * c)) / 2) in
    0 <= r /\ exact r /\ q ^ 5 * (m / 2 * (a - b) ^ 2) - (m + 2) * e <= r.
  Proof.
    intros m a b Hm Ha Hb c r. pose proof (sum_error a (- b) Ha (exact_opp b Hb)) as E. change (a + - b) with (a - b) in E. fold c in E.
    assert (Hc : q * Rabs (a - b) <= Rabs c).
    { pose proof (Rabs_triang (a - b - c) c) as H. replace (a - b - c + c) with (a - b) in H by ring. rewrite (Rabs_minus_sym (a - b) c) in H. unfold q. lra. }
    assert (Hq : 0 < q) by (unfold q; lra). pose proof (Rabs_pos (a - b)) as H0.
    assert (Hcc : q ^ 2 * (a - b) ^ 2 <= c * c).
    { replace (q ^ 2 * (a - b) ^ 2) with ((q * Rabs (a - b)) * (q * Rabs (a - b))) by (rewrite <- (pow2_abs (a - b)); ring).
      replace (c * c) with (Rabs c * Rabs c) by (rewrite <- Rabs_mult; apply Rabs_right, Rle_ge, Rle_0_sqr).
      assert (0 <= q * Rabs (a - b)) by (apply Rmult_le_pos; lra). apply Rmult_le_compat; lra. }
    assert (C0 : 0 <= c * c) by apply Rle_0_sqr. pose proof (fl_low _ C0) as F1. pose proof (fl_nonneg _ C0) as F10. set (f1 := fl (c * c)) in *.
    assert (M0 : 0 <= m * f1) by (apply Rmult_le_pos; lra). pose proof (fl_low _ M0) as F2. pose proof (fl_nonneg _ M0) as F20. set (f2 := fl (m * f1)) in *.
    assert (R0 : 0 <= f2 / 2) by lra. pose proof (fl_low _ R0) as F3. pose proof (fl_nonneg _ R0) as F30. fold r in F3, F30.
    split; [exact F30|]. split; [apply fl_exact|]. fold_q. assert (q1 : q <= 1) by (unfold q; lra).
    assert (X1 : q * (q ^ 2 * (a - b) ^ 2) <= q * (c * c)) by (apply Rmult_le_compat_l; lra).
    assert (X2 : m * (q * (q ^ 2 * (a - b) ^ 2) - e) <= m * f1) by (apply Rmult_le_compat_l; lra).
    assert (X3 : q * (m * (q * (q ^ 2 * (a - b) ^ 2) - e)) <= q * (m * f1)) by (apply Rmult_le_compat_l; lra).
    assert (X4 : q * (q * (m * (q * (q ^ 2 * (a - b) ^ 2) - e)) - e) <= q * f2) by (apply Rmult_le_compat_l; lra).
    assert (X5 : q * (q * (m * e)) <= 1 * (1 * (m * e))).
    { assert (0 <= m * e) by (apply Rmult_le_pos; lra). apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; lra. }
    assert (X6 : q * e <= 1 * e) by (apply Rmult_le_compat_r; lra). assert (X7 : 0 <= m * e) by (apply Rmult_le_pos; lra).
    replace (q ^ 5 * (m / 2 * (a - b) ^ 2)) with (q * (q * (m * (q * (q ^ 2 * (a - b) ^ 2)))) / 2) by field. lra.
  Qed.

  Variables (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (gamma mu : R).
  Hypothesis gamma_low : / 2 ^ 900 <= gamma.
  Hypothesis mu_low : / 2 ^ 900 <= mu.
  Hypothesis high : gamma + INR d * (mu + 4) <= 2 ^ 800.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis strong : strongly_convex d g mu.
  Hypothesis pair : conjugate_pair d g gs dg.
  Variables (y w alpha : nat -> R) (residual : nat -> R -> R -> R) (regularizer : (nat -> R) -> (nat -> R) -> R).
  Variables (moved_z : nat -> R -> R) (moved_v : (nat -> R) -> nat -> R) (powers : nat) (underflow size : R).
  Hypothesis alpha_feasible : feasible n phi alpha.
  (* What is computed of a row is, up to eight roundings, its term at a z that is off by a little; the regularizer's part likewise. *)
  Hypothesis rows : forall i z, (i < n)%nat -> exact z -> let r := residual i z (alpha i) in let z' := moved_z i z in
    0 <= r /\ exact r /\ Rabs (z - z') <= 8 * u * (Rabs z + Rabs (y i) + 1 + gamma) /\
    q ^ 8 * (phi i z' + phis i (alpha i) - alpha i * z') - (gamma + 8) * e <= r.
  Hypothesis regularizers : forall v, (forall j, exact (v j)) -> let r := regularizer v w in let v' := moved_v v in
    0 <= r /\ exact r /\ nrm d (fun j => v j - v' j) <= 3 * u * (nrm d v + size) + 4 * (1 + mu) * e * sd /\
    q ^ (powers + 8) * (g w + gs v' - dot d v' w) - underflow * e <= r.
  Hypothesis underflow_small : 0 <= underflow <= INR d * (2 * mu + 4).

  Let low_17 : forall x, / 2 ^ 900 <= x -> u ^ 17 <= x.
  Proof. intros x H. eapply Rle_trans; [|exact H]. rewrite u_value, pow_inv, <- pow_mult. apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]]. Qed.
  Let gamma_pos : 0 < gamma. Proof. assert (0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). lra. Qed.
  Let mu_pos : 0 < mu. Proof. assert (0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). lra. Qed.
  Let z (i : nat) : R := @row_z A d (X i) w.
  Let v : nat -> R := @minus_mean A n X alpha.
  Let z' i := moved_z i (z i).
  Let v' := moved_v v.
  Let W := nrm d w.
  Let N := sqrt (avg n (fun i => norm2 d (X i))).
  Let Am := avg n (fun i => Rabs (alpha i) * nrm d (X i)).
  Let Y := sqrt (avg n (fun i => y i ^ 2)).
  Let Ez := u * (INR d + 2) * (N * W) + 4 * INR d * e + 8 * u * ((1 + u * (INR d + 2)) * (N * W) + 4 * INR d * e + Y + 1 + gamma).
  Let Eu := u * (INR n + 3) * Am + 4 * e * sd + 3 * u * (11 / 10 * Am + 4 * e * sd + size) + 4 * (1 + mu) * e * sd.

  Let N0 : 0 <= N. Proof. apply sqrt_pos. Qed.
  Let W0 : 0 <= W. Proof. apply nrm_nonneg. Qed.
  Let Y0 : 0 <= Y. Proof. apply sqrt_pos. Qed.
  Let Am0 : 0 <= Am. Proof. apply avg_nonneg; [exact n_pos|]. intros. apply Rmult_le_pos; [apply Rabs_pos | apply nrm_nonneg]. Qed.
  Lemma z_exact : forall i, exact (z i).
  Proof. intros i. unfold z, row_z. rewrite (sum_is_fsum fl hyp). apply (fsum_exact fl _ _ fl_exact d_pos). Qed.
  Lemma v_exact : forall j, exact (v j).
  Proof. intros j. apply fl_exact. Qed.

  Lemma z_error : forall i, Rabs (dot d (X i) w - z i) <= u * (INR d + 2) * W * nrm d (X i) + 4 * INR d * e.
  Proof.
    intros i. rewrite Rabs_minus_sym. unfold z, row_z. rewrite (sum_is_fsum fl hyp). change (fsum fl d _) with (fdot fl d (X i) w).
    pose proof (fdot_error fl u e ltac:(apply rounding_fl) d (X i) w) as H. pose proof (abs_products d (X i) w) as Ha. fold W in Ha.
    destruct (k_true (S d) ltac:(lia)) as [K1 _]. destruct (k_true d ltac:(lia)) as [_ K2]. rewrite S_INR in K1. pose proof (nrm_nonneg d (X i)) as Hx.
    assert (Hk : 0 <= (1 + u) ^ S d - 1) by (pose proof (pow_R1_Rle (1 + u) (S d) ltac:(lra)); lra).
    assert (XW : 0 <= nrm d (X i) * W) by (apply Rmult_le_pos; assumption).
    assert (H1 : ((1 + u) ^ S d - 1) * bsum d (fun j => Rabs (X i j * w j)) <= u * (INR d + 1 + 1) * (nrm d (X i) * W)).
    { eapply Rle_trans; [apply Rmult_le_compat_l; [exact Hk | exact Ha]|]. apply Rmult_le_compat_r; lra. }
    assert (De : 0 <= INR d * e) by (apply Rmult_le_pos; lra).
    assert (H2 : (1 + u) ^ d * (INR d * e) <= 11 / 10 * (INR d * e)) by (apply Rmult_le_compat_r; lra). lra.
  Qed.
  Lemma rms_z : avg n (fun i => (dot d (X i) w - z' i) ^ 2) <= Ez ^ 2.
  Proof.
    set (c1 := u * (INR d + 2) * W + 8 * u * ((1 + u * (INR d + 2)) * W)). set (C := 4 * INR d * e + 8 * u * (4 * INR d * e + 1 + gamma)).
    assert (De : 0 <= INR d * e) by (apply Rmult_le_pos; lra). assert (U2 : 0 <= u * (INR d + 2)) by (apply Rmult_le_pos; lra).
    assert (C1 : 0 <= c1). { unfold c1. assert (0 <= u * (INR d + 2) * W) by (apply Rmult_le_pos; lra). assert (0 <= u * ((1 + u * (INR d + 2)) * W)) by (repeat apply Rmult_le_pos; lra). lra. }
    assert (C0 : 0 <= C). { unfold C. assert (0 <= u * (4 * INR d * e + 1 + gamma)) by (apply Rmult_le_pos; lra). lra. }
    apply Rle_trans with (avg n (fun i => (c1 * nrm d (X i) + 8 * u * Rabs (y i) + C) ^ 2)).
    - apply avg_le; [exact n_pos|]. intros i Hi. rewrite <- (pow2_abs (dot d (X i) w - z' i)). apply pow_incr. split; [apply Rabs_pos|].
      destruct (rows i (z i) Hi (z_exact i)) as (_ & _ & Hm & _). fold (z' i) in Hm. pose proof (z_error i) as He. pose proof (abs_dot d (X i) w) as Hd. fold W in Hd.
      pose proof (Rabs_triang (dot d (X i) w - z i) (z i - z' i)) as T1. replace (dot d (X i) w - z i + (z i - z' i)) with (dot d (X i) w - z' i) in T1 by ring.
      pose proof (Rabs_triang (z i - dot d (X i) w) (dot d (X i) w)) as T2. replace (z i - dot d (X i) w + dot d (X i) w) with (z i) in T2 by ring.
      rewrite (Rabs_minus_sym (z i)) in T2.
      assert (Hz : Rabs (z i) <= u * (INR d + 2) * W * nrm d (X i) + 4 * INR d * e + nrm d (X i) * W) by lra.
      assert (Hz8 : 8 * u * Rabs (z i) <= 8 * u * (u * (INR d + 2) * W * nrm d (X i) + 4 * INR d * e + nrm d (X i) * W)) by (apply Rmult_le_compat_l; lra).
      unfold c1, C. lra.
    - replace Ez with (c1 * N + 8 * u * Y + C) by (unfold Ez, c1, C; ring).
      assert (UY : 0 <= u * Y) by (apply Rmult_le_pos; lra). assert (CN : 0 <= c1 * N) by (apply Rmult_le_pos; assumption).
      apply mean_square_shift; [exact n_pos | lra | exact C0 | |].
      + intros i _. pose proof (Rmult_le_pos c1 _ C1 (nrm_nonneg d (X i))). pose proof (Rmult_le_pos u _ ltac:(lra) (Rabs_pos (y i))). lra.
      + apply (mean_square_add n (fun i => c1 * nrm d (X i)) (fun i => 8 * u * Rabs (y i))); [exact n_pos | exact CN | lra | |].
        * rewrite (avg_ext n _ (fun i => c1 ^ 2 * norm2 d (X i))) by (intros; rewrite <- nrm_square; ring). rewrite avg_scal.
          right. replace ((c1 * N) ^ 2) with (c1 ^ 2 * (N * N)) by ring. f_equal. unfold N. symmetry. apply sqrt_sqrt, avg_nonneg; [exact n_pos|]. intros; apply norm2_nonneg.
        * rewrite (avg_ext n _ (fun i => (8 * u) ^ 2 * y i ^ 2)) by (intros; rewrite <- (pow2_abs (y i)); ring). rewrite avg_scal.
          right. replace ((8 * u * Y) ^ 2) with ((8 * u) ^ 2 * (Y * Y)) by ring. f_equal. unfold Y. symmetry. apply sqrt_sqrt, avg_nonneg; [exact n_pos|]. intros; apply pow2_ge_0.
  Qed.

  Lemma v_value : forall j, v j = - fmean_row fl n X alpha j.
  Proof.
    intros j. unfold v, minus_mean, mean_of. rewrite (sum_is_fsum fl hyp). cbn [sub div int mul rounded num]. change (INR 0) with 0. unfold fmean_row.
    rewrite Rminus_0_l. pose proof (exact_opp _ (fl_exact (fsum fl n (fun i => fl (alpha i * X i j)) / INR n))) as H. exact H.
  Qed.
  Lemma norm_u : nrm d (fun j => u_of n X alpha j - v' j) <= Eu.
  Proof.
    set (m := fun j => avg n (fun i => Rabs (alpha i * X i j))). pose proof (mean_nrm n d X alpha n_pos) as Hmean. fold m Am in Hmean.
    assert (m0 : forall j, (j < d)%nat -> 0 <= m j) by (intros j _; apply avg_nonneg; [exact n_pos|]; intros; apply Rabs_pos).
    destruct (k_true (S (S n)) ltac:(lia)) as [K1 _]. destruct (k_true (S n) ltac:(lia)) as [_ K2]. rewrite !S_INR in K1.
    assert (Hk : 0 <= (1 + u) ^ S (S n) - 1) by (pose proof (pow_R1_Rle (1 + u) (S (S n)) ltac:(lra)); lra).
    assert (HH : 0 <= (2 * (1 + u) ^ S n + 1) * e <= 4 * e). { pose proof (pow_R1_Rle (1 + u) (S n) ltac:(lra)). split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]. }
    destruct sd_range as ((S1 & _) & _). fold sd in S1.
    assert (root_le : forall a b, 0 <= b -> norm2 d a <= b ^ 2 -> nrm d a <= b).
    { intros a b Hb H. apply Rsqr_incr_0_var; [unfold Rsqr; rewrite nrm_square; lra | exact Hb]. }
    assert (H1 : nrm d (fun j => u_of n X alpha j - v j) <= u * (INR n + 3) * Am + 4 * e * sd).
    { apply Rle_trans with (((1 + u) ^ S (S n) - 1) * nrm d m + (2 * (1 + u) ^ S n + 1) * e * sd).
      - assert (P1 : 0 <= ((1 + u) ^ S (S n) - 1) * nrm d m) by (apply Rmult_le_pos; [lra | apply nrm_nonneg]).
        assert (P2 : 0 <= (2 * (1 + u) ^ S n + 1) * e * sd) by (apply Rmult_le_pos; lra). apply root_le; [lra|]. apply nrm_below; [lra | lra | exact m0|].
        intros j _. pose proof (fmean_row_error fl u e ltac:(apply rounding_fl) n X alpha j n_pos) as Hm. rewrite v_value.
        replace (u_of n X alpha j - - fmean_row fl n X alpha j) with (fmean_row fl n X alpha j - mean_row n X alpha j) by (unfold u_of, mean_row; ring). exact Hm.
      - assert (((1 + u) ^ S (S n) - 1) * nrm d m <= u * (INR n + 1 + 1 + 1) * Am) by (apply Rmult_le_compat; try lra; apply nrm_nonneg).
        assert ((2 * (1 + u) ^ S n + 1) * e * sd <= 4 * e * sd) by (apply Rmult_le_compat_r; lra). lra. }
    pose proof (nrm_u_of n d X alpha n_pos) as H2. fold Am in H2.
    destruct (regularizers v v_exact) as (_ & _ & Hr & _). fold v' in Hr. fold W in Hr.
    assert (H3 : nrm d v <= 11 / 10 * Am + 4 * e * sd).
    { pose proof (nrm_triangle d (u_of n X alpha) (fun j => - (u_of n X alpha j - v j))) as T.
      assert (E1 : nrm d (fun j => u_of n X alpha j + - (u_of n X alpha j - v j)) = nrm d v) by (unfold nrm, norm2, dot; f_equal; apply bsum_ext; intros; ring).
      assert (E2 : nrm d (fun j => - (u_of n X alpha j - v j)) = nrm d (fun j => u_of n X alpha j - v j)) by (unfold nrm, norm2, dot; f_equal; apply bsum_ext; intros; ring).
      cbv beta in T. rewrite E1, E2 in T. destruct (count_small (n + 3) ltac:(lia)) as (_ & _ & Hs). replace (INR (n + 3)) with (INR n + 3) in Hs by (rewrite plus_INR; simpl; ring).
      assert (u * (INR n + 3) * Am <= 1 / 10 * Am) by (apply Rmult_le_compat_r; lra). lra. }
    pose proof (nrm_triangle d (fun j => u_of n X alpha j - v j) (fun j => v j - v' j)) as T.
    assert (E1 : nrm d (fun j => u_of n X alpha j - v j + (v j - v' j)) = nrm d (fun j => u_of n X alpha j - v' j)) by (unfold nrm, norm2, dot; f_equal; apply bsum_ext; intros; ring).
    cbv beta in T. rewrite E1 in T. assert (H4 : 3 * u * (nrm d v + size) <= 3 * u * (11 / 10 * Am + 4 * e * sd + size)) by (apply Rmult_le_compat_l; lra). unfold Eu. lra.
  Qed.

  Let G := gap_from n d phi phis g gs z' alpha v' w.
  Let gap_ : R := @computed_gap A n d X residual regularizer w alpha.
  Let a := (gamma + 9 + underflow) * e.
  Lemma gap_low : 0 <= G /\ 0 <= gap_ /\ q ^ (n + powers + 10) * G <= gap_ + a.
  Proof.
    clear bound_below hyp_low high.
    set (FY := fun i => phi i (z' i) + phis i (alpha i) - alpha i * z' i). set (Reg := g w + gs v' - dot d v' w).
    assert (F0 : 0 <= avg n FY).
    { apply avg_nonneg; [exact n_pos|]. intros i Hi. unfold FY. pose proof (fenchel_young _ _ (alpha i) (z' i) (conjugates i Hi) (alpha_feasible i Hi)). lra. }
    assert (R0 : 0 <= Reg) by (unfold Reg; destruct (pair v') as [_ H]; specialize (H w); lra).
    set (r := fun i => residual i (z i) (alpha i)).
    destruct (fsum_low n r) as (S0 & _ & S2). { intros i Hi. destruct (rows i (z i) Hi (z_exact i)) as (H0 & H1 & _). split; assumption. }
    assert (Hi : 0 < / INR n) by (apply Rinv_0_lt_compat; lra). set (S := fsum fl n r) in *.
    assert (T0 : 0 <= S / INR n) by (apply Rmult_le_pos; lra). pose proof (fl_low _ T0) as T1. pose proof (fl_nonneg _ T0) as T2.
    destruct (regularizers v v_exact) as (G0 & G1 & _ & G2). fold v' in G2. fold Reg in G2. set (rg := regularizer v w) in *.
    assert (Egap : gap_ = fl (fl (S / INR n) + rg)). { unfold gap_, computed_gap. rewrite (sum_is_fsum fl hyp). reflexivity. }
    pose proof (fl_sum _ _ (fl_exact (S / INR n)) G1 T2 G0) as H3. rewrite <- Egap in H3.
    split; [unfold G, gap_from; fold FY; fold Reg; lra|]. split; [rewrite Egap; apply fl_nonneg; lra|].
    fold_q. assert (q01 : 0 < q <= 1) by (unfold q; lra).
    set (c := (gamma + 8) * e). assert (c0 : 0 <= c) by (apply Rmult_le_pos; lra).
    pose proof (q_power n) as Qn. change (1 - u) with q in Qn.
    assert (H4 : q ^ n * (q ^ 8 * avg n FY - c) <= S / INR n).
    { apply Rmult_le_reg_r with (INR n); [lra|]. replace (S / INR n * INR n) with S by (field; lra). eapply Rle_trans; [|exact S2]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
      apply Rle_trans with (bsum n (fun i => q ^ 8 * FY i - c)).
      - rewrite bsum_minus, bsum_scal, bsum_const. unfold avg. right. field. lra.
      - apply bsum_le. intros i Hi0. destruct (rows i (z i) Hi0 (z_exact i)) as (_ & _ & _ & H). exact H. }
    assert (H5 : q ^ n * c <= 1 * c) by (apply Rmult_le_compat_r; lra).
    assert (H6 : q * (q ^ n * (q ^ 8 * avg n FY - c)) <= q * (S / INR n)) by (apply Rmult_le_compat_l; lra).
    assert (H7 : q * (q ^ n * c) <= 1 * c) by (apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra).
    set (m := underflow * e) in *. assert (m0 : 0 <= m) by (unfold m; apply Rmult_le_pos; lra).
    assert (H8 : q * (q * (q ^ n * (q ^ 8 * avg n FY)) - c - e + (q ^ (powers + 8) * Reg - m)) <= gap_) by (eapply Rle_trans; [|exact H3]; apply Rmult_le_compat_l; lra).
    assert (H9 : q * (c + e + m) <= 1 * (c + e + m)) by (apply Rmult_le_compat_r; lra).
    pose proof (q_less (n + 10) (n + powers + 10) ltac:(lia)) as L1. pose proof (q_less (powers + 9) (n + powers + 10) ltac:(lia)) as L2. change (1 - u) with q in L1, L2.
    assert (M1 : q ^ (n + powers + 10) * avg n FY <= q ^ (n + 10) * avg n FY) by (apply Rmult_le_compat_r; lra).
    assert (M2 : q ^ (n + powers + 10) * Reg <= q ^ (powers + 9) * Reg) by (apply Rmult_le_compat_r; lra).
    rewrite (pow_add q n) in M1. rewrite (pow_add q powers) in M2. rewrite (pow_add q powers) in H8.
    unfold G, gap_from. fold FY. fold Reg. unfold a. fold m.
    replace (q ^ n * q ^ 10 * avg n FY) with (q * (q * (q ^ n * (q ^ 8 * avg n FY)))) in M1 by ring.
    replace (q ^ powers * q ^ 9 * Reg) with (q * (q ^ powers * q ^ 8 * Reg)) in M2 by ring. replace ((gamma + 9 + underflow) * e) with (c + e + m) by (unfold c, m; ring). lra.
  Qed.

  Lemma label_low : 0 <= @div A (@squares A n y) (INR n) /\ q ^ (n + 2) * Y ^ 2 <= @div A (@squares A n y) (INR n) + 2 * e.
  Proof.
    destruct (squares_low n y) as (_ & S0 & _ & S1). set (S := @squares A n y) in *. fold_q. cbn [div rounded num].
    assert (Hi : 0 < / INR n) by (apply Rinv_0_lt_compat; lra). assert (T0 : 0 <= S / INR n) by (apply Rmult_le_pos; lra).
    pose proof (fl_low _ T0) as T1. change (1 - u) with q in T1. split; [apply fl_nonneg, T0|].
    assert (EY : Y ^ 2 = norm2 n y / INR n).
    { unfold Y. replace (sqrt (avg n (fun i => y i ^ 2)) ^ 2) with (sqrt (avg n (fun i => y i ^ 2)) * sqrt (avg n (fun i => y i ^ 2))) by ring.
      rewrite sqrt_sqrt by (apply avg_nonneg; [exact n_pos|]; intros; apply pow2_ge_0). unfold avg, norm2, dot. f_equal. apply bsum_ext. intros; ring. }
    assert (H : q ^ (n + 1) * Y ^ 2 - e <= S / INR n).
    { rewrite EY. apply Rmult_le_reg_r with (INR n); [lra|]. unfold Rdiv. rewrite (Rmult_assoc S), Rinv_l, Rmult_1_r by lra. eapply Rle_trans; [|exact S1].
      replace (n + 1)%nat with (Datatypes.S n) by lia. right. field. lra. }
    assert (q01 : 0 < q <= 1) by (unfold q; lra). assert (q * (q ^ (n + 1) * Y ^ 2 - e) <= q * (S / INR n)) by (apply Rmult_le_compat_l; lra).
    assert (q * e <= 1 * e) by (apply Rmult_le_compat_r; lra). replace (n + 2)%nat with (Datatypes.S (n + 1)) by lia. change (q ^ Datatypes.S (n + 1)) with (q * q ^ (n + 1)). lra.
  Qed.

  Lemma norm_big : u ^ 12 <= @norm_of A n d X.
  Proof.
    pose proof (fun T H => size_big T (n + d + 8) H ltac:(lia) ltac:(lia)) as Hb. unfold norm_of, lost. cbn [add mul div root int power rounded num]. apply Hb.
    apply fl_nonneg. rewrite (sum_is_fsum fl hyp). apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; lra].
    destruct (fsum_low n (fun i => @squares A d (X i))) as (H & _); [|exact H]. intros i _. destruct (squares_low d (X i)) as (_ & H0 & H1 & _). split; assumption.
  Qed.
  Lemma mean_length_nonneg : 0 <= @mean_length A n d X alpha.
  Proof.
    unfold mean_length. cbn [add mul div root absolute int rounded num]. rewrite (sum_is_fsum fl hyp).
    assert (L0 : 0 <= @lost A) by (unfold lost; cbn [power rounded]; apply powerRZ_le; lra).
    destruct (largest_above fl e hyp e_value n d n_pos d_pos n alpha) as [LA _].
    assert (GR : 0 <= @grow A (n + d + 8)). { unfold grow, ulp_half. cbn [add mul int power rounded num]. apply fl_nonneg. assert (0 <= fl (powerRZ 2 (-53) * INR (n + d + 8))) by (apply fl_nonneg, Rmult_le_pos; [apply powerRZ_le; lra | apply pos_INR]). change (INR 1) with 1. lra. }
    apply fl_nonneg. apply Rplus_le_le_0_compat; apply fl_nonneg; apply Rmult_le_pos; try assumption.
    - apply fl_nonneg. apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; lra].
      destruct (fsum_low n (fun i => fl (Rabs (alpha i) * fl (sqrt (@squares A d (X i)))))) as (H & _); [|exact H].
      intros i _. split; [apply fl_nonneg, Rmult_le_pos; [apply Rabs_pos | apply fl_nonneg, sqrt_pos] | apply fl_exact].
    - apply fl_nonneg, Rmult_le_pos; [exact L0 | apply fl_nonneg, sqrt_pos].
  Qed.

  Theorem computed_bound : forall l1 x, 0 <= l1 -> size = mu * nrm d w + l1 * sd -> (powers <= 2 * d)%nat ->
    primal n d X phi g w - primal n d X phi g x <= @elastic_gap_bound A n d X residual regularizer gamma mu l1 y w alpha.
  Proof.
    intros l1 x Hl1 Hsize Hpowers. pose proof (weak_duality n d X phi phis g gs dg n_pos conjugates pair alpha x alpha_feasible) as Hweak.
    apply Rle_trans with (primal n d X phi g w - dual n X phis gs alpha); [lra|]. rewrite <- (gap_from_exact n d X phi phis g gs n_pos).
    assert (De : 0 <= INR d * e) by (apply Rmult_le_pos; lra). assert (NW : 0 <= N * W) by (apply Rmult_le_pos; assumption).
    assert (U2 : 0 <= u * (INR d + 2)) by (apply Rmult_le_pos; lra). destruct sd_range as ((S1 & _) & _). fold sd in S1.
    assert (HEz : 0 <= Ez /\ 8 * u * (1 + gamma) <= Ez).
    { unfold Ez. assert (0 <= u * (INR d + 2) * (N * W)) by (apply Rmult_le_pos; lra).
      assert (u * (1 + gamma) <= u * ((1 + u * (INR d + 2)) * (N * W) + 4 * INR d * e + Y + 1 + gamma)).
      { apply Rmult_le_compat_l; [lra|]. assert (0 <= (1 + u * (INR d + 2)) * (N * W)) by (apply Rmult_le_pos; lra). lra. }
      assert (0 <= u * (1 + gamma)) by (apply Rmult_le_pos; lra). lra. }
    assert (HEu : 0 <= Eu). { eapply Rle_trans; [apply nrm_nonneg | apply norm_u]. }
    eapply Rle_trans; [apply (gap_of_rounded n d phi dphi phis g gs dg gamma mu n_pos gamma_pos mu_pos losses conjugates strong pair _ z' alpha _ v' w Ez Eu alpha_feasible rms_z)|].
    { rewrite <- nrm_square. replace (Eu ^ 2) with (Eu * Eu) by ring. pose proof norm_u. apply Rmult_le_compat; try apply nrm_nonneg; assumption. }
    destruct gap_low as (G0 & g0 & GL). fold G. unfold elastic_gap_bound. fold gap_.
    assert (GL2 : q ^ (2 * (n + d) + 10) * G <= gap_ + a) by (pose proof (q_less (n + powers + 10) (2 * (n + d) + 10) ltac:(lia)); eapply Rle_trans; [apply Rmult_le_compat_r; [exact G0 | eassumption] | exact GL]).
    assert (Ha : 0 <= a <= u ^ 4).
    { unfold a. split; [apply Rmult_le_pos; lra|].
      apply Rle_trans with (2 ^ 802 * e). - apply Rmult_le_compat_r; [lra|]. replace (2 ^ 802) with (2 * (2 * 2 ^ 800)) by reflexivity.
        assert (2 ^ 4 <= 2 ^ 800) by (apply Rle_pow; [lra | lia]). simpl (2 ^ 4) in *. lra.
      - rewrite e_value, u_value, pow_inv, <- pow_mult. replace 1075%nat with (802 + 273)%nat by reflexivity. rewrite pow_add, Rinv_mult, <- Rmult_assoc, Rinv_r, Rmult_1_l by (apply pow_nonzero; lra).
        apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]]. }
    assert (MLB : q ^ 16 * Am <= @mean_length A n d X alpha + 6 * e) by apply mean_length_below.
    pose proof mean_length_nonneg as ML0.
    destruct label_low as [L0 L1].
    apply bound_below with (a := a).
    - apply low_17, gamma_low.
    - apply low_17, mu_low.
    - exact G0.
    - exact g0.
    - exact Ha.
    - exact GL2.
    - split; [apply HEz|]. apply e_z_below; try assumption.
      + apply norm_big.
      + apply norm_below.
      + apply length_below.
    - apply HEz.
    - split; [exact HEu|]. unfold Eu. rewrite Hsize. apply elastic_e_u_below; try assumption. apply length_below.
  Qed.
End Computed.

(* -- squared loss and L2 ------------------------------------------------------------------------------------------------- *)
Section SquaredL2.
  Variables (fl : R -> R) (u e : R) (hyp : R -> R -> R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Local Notation A := (rounded fl hyp).
  Local Notation exact := (exact fl).
  Let q := 1 - u.
  Let u_pos := u_pos u u_value.
  Let e_pos := e_pos e e_value.
  Let u_small : u <= 1 / 1000000000. Proof. apply Rle_trans with (/ 2 ^ 40); [apply (u_small u u_value)|]. simpl. lra. Qed.
  Let error : forall x, Rabs (fl x - x) <= u * Rabs x + e. Proof. apply rounding_fl. Qed.

  Theorem squared_row : forall gamma y z a, 0 < gamma -> exact y -> exact z -> exact a ->
    let r := @squared_residual A gamma y z a in let z' := y + gamma * fl (fl (z - y) / gamma) in
    0 <= r /\ exact r /\ Rabs (z - z') <= 8 * u * (Rabs z + Rabs y + 1 + gamma) /\
    q ^ 8 * (squared gamma y z' + squared_conj gamma y a - a * z') - (gamma + 8) * e <= r.
  Proof.
    intros gamma y z a Hg Hy Hz Ha r z'. set (s := fl (z - y)). set (t := fl (s / gamma)).
    assert (Er : r = fl (fl (gamma * fl (fl (t - a) * fl (t - a))) / 2)).
    { unfold r, squared_residual. cbn [sub div mul int rounded num]. replace (INR 2) with 2 by (simpl; ring). reflexivity. }
    destruct (half_square fl u e u_value e_value rounding_fl gamma t a Hg (fl_exact fl u e rounding_fl _) Ha) as (H0 & H1 & H2). rewrite <- Er in H0, H1, H2.
    split; [exact H0|]. split; [exact H1|]. split.
    - pose proof (sum_error fl u e rounding_fl z (- y) Hz (exact_opp fl u e rounding_fl y Hy)) as E1. change (z + - y) with (z - y) in E1. fold s in E1.
      pose proof (error (s / gamma)) as E2. fold t in E2. apply Rmult_le_compat_l with (r := gamma) in E2; [|lra].
      assert (E3 : gamma * Rabs (t - s / gamma) = Rabs (gamma * t - s)).
      { rewrite <- (Rabs_right gamma) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
      assert (E4 : gamma * Rabs (s / gamma) = Rabs s).
      { rewrite <- (Rabs_right gamma) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
      replace (gamma * (u * Rabs (s / gamma) + e)) with (u * Rabs s + gamma * e) in E2 by (rewrite <- E4; ring).
      pose proof (Rabs_triang (z - y - s) (s - gamma * t)) as T1. replace (z - y - s + (s - gamma * t)) with (z - z') in T1 by (unfold z'; fold s; fold t; ring).
      rewrite (Rabs_minus_sym (z - y) s), (Rabs_minus_sym s (gamma * t)) in T1.
      pose proof (Rabs_triang (s - (z - y)) (z - y)) as T2. replace (s - (z - y) + (z - y)) with s in T2 by ring.
      pose proof (Rabs_triang z (- y)) as T3. rewrite Rabs_Ropp in T3. change (z + - y) with (z - y) in T3.
      pose proof (Rabs_pos (z - y)) as P0. pose proof (Rabs_pos z). pose proof (Rabs_pos y).
      assert (U1 : u * Rabs (s - (z - y)) <= u * (u * Rabs (z - y))) by (apply Rmult_le_compat_l; lra).
      assert (U2 : u * (u * Rabs (z - y)) <= u * (1 * Rabs (z - y))) by (apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_r; lra).
      assert (U3 : u * Rabs s <= u * (Rabs (s - (z - y)) + Rabs (z - y))) by (apply Rmult_le_compat_l; lra).
      assert (U4 : u * Rabs (z - y) <= u * (Rabs z + Rabs y)) by (apply Rmult_le_compat_l; lra).
      destruct (e_below u e u_value e_value) as (_ & Ee & _). assert (u * u <= 1 * u) by (apply Rmult_le_compat_r; lra).
      assert (U5 : gamma * e <= gamma * u) by (apply Rmult_le_compat_l; lra).
      assert (0 <= u * Rabs z) by (apply Rmult_le_pos; lra). assert (0 <= u * Rabs y) by (apply Rmult_le_pos; lra). assert (0 <= u * gamma) by (apply Rmult_le_pos; lra). lra.
    - assert (E : squared gamma y z' + squared_conj gamma y a - a * z' = gamma / 2 * (t - a) ^ 2) by (unfold squared, squared_conj, z'; fold s; fold t; field; lra).
      rewrite E. pose proof (pow2_ge_0 (t - a)). pose proof (q_less u u_value 5 8 ltac:(lia)) as Q. assert (0 <= gamma / 2 * (t - a) ^ 2) by (apply Rmult_le_pos; lra).
      assert (q ^ 8 * (gamma / 2 * (t - a) ^ 2) <= q ^ 5 * (gamma / 2 * (t - a) ^ 2)) by (apply Rmult_le_compat_r; [assumption | exact Q]).
      unfold q in *. lra.
  Qed.

  Theorem l2_part : forall d mu v w, (0 < d)%nat -> 0 < mu -> (forall j, exact (v j)) -> (forall j, exact (w j)) ->
    let r := @l2_residual A d mu v w in let v' j := mu * fl (v j / mu) in
    0 <= r /\ exact r /\ nrm d (fun j => v j - v' j) <= 3 * u * (nrm d v + mu * nrm d w) + 4 * (1 + mu) * e * sqrt (INR d) /\
    q ^ (d + 8) * (l2 d mu w + l2_conj d mu v' - dot d v' w) - INR d * (mu + 4) * e <= r.
  Proof.
    intros d mu v w Hd Hm Hv Hw r v'. set (b := fun j => fl (v j / mu)). set (f := fun j => fl (fl (mu * fl (fl (w j - b j) * fl (w j - b j))) / 2)).
    assert (Er : r = fsum fl d f).
    { unfold r, l2_residual. rewrite (sum_is_fsum fl hyp). unfold f, b. cbn [sub div mul int rounded num]. replace (INR 2) with 2 by (simpl; ring). reflexivity. }
    assert (Hf : forall j, 0 <= f j /\ exact (f j) /\ q ^ 5 * (mu / 2 * (w j - b j) ^ 2) - (mu + 2) * e <= f j)
      by (intros j; apply (half_square fl u e u_value e_value rounding_fl mu (w j) (b j) Hm (Hw j) (fl_exact fl u e rounding_fl _))).
    destruct (fsum_low fl u e u_value rounding_fl d f) as (S0 & S1 & S2). { intros j _. destruct (Hf j) as (H0 & H1 & _). split; assumption. }
    rewrite Er. split; [exact S0|]. split; [exact S1|]. pose proof (pos_INR d) as Hd0. split.
    - pose proof (nrm_nonneg d v) as Nv. pose proof (nrm_nonneg d w) as Nw. pose proof (sqrt_pos (INR d)) as Sd.
      assert (P1 : 0 <= u * nrm d v) by (apply Rmult_le_pos; lra). assert (P2 : 0 <= mu * e) by (apply Rmult_le_pos; lra). assert (P3 : 0 <= mu * e * sqrt (INR d)) by (apply Rmult_le_pos; lra).
      apply Rle_trans with (u * nrm d v + mu * e * sqrt (INR d)).
      + apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite nrm_square. replace ((u * nrm d v + mu * e * sqrt (INR d)) * (u * nrm d v + mu * e * sqrt (INR d))) with ((u * nrm d (fun j => Rabs (v j)) + mu * e * sqrt (INR d)) ^ 2) by (rewrite nrm_abs; ring).
        apply nrm_below; [lra | exact P2 | intros; apply Rabs_pos |]. intros j _. pose proof (error (v j / mu)) as E2. apply Rmult_le_compat_l with (r := mu) in E2; [|lra].
        assert (E3 : mu * Rabs (fl (v j / mu) - v j / mu) = Rabs (v j - v' j)).
        { rewrite Rabs_minus_sym. rewrite <- (Rabs_right mu) at 1 by lra. rewrite <- Rabs_mult. f_equal. unfold v'. field. lra. }
        assert (E4 : mu * Rabs (v j / mu) = Rabs (v j)).
        { rewrite <- (Rabs_right mu) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
        replace (mu * (u * Rabs (v j / mu) + e)) with (u * Rabs (v j) + mu * e) in E2 by (rewrite <- E4; ring). lra.
      + assert (0 <= u * (mu * nrm d w)) by (repeat apply Rmult_le_pos; lra). assert (0 <= e * sqrt (INR d)) by (apply Rmult_le_pos; lra). lra.
    - assert (E : l2 d mu w + l2_conj d mu v' - dot d v' w = bsum d (fun j => mu / 2 * (w j - b j) ^ 2)).
      { rewrite bsum_scal. assert (N2 : bsum d (fun j => (w j - b j) ^ 2) = norm2 d w - 2 * dot d w b + norm2 d b) by (rewrite <- norm2_minus; unfold norm2, dot; apply bsum_ext; intros; ring).
        rewrite N2. unfold l2, l2_conj. change (norm2 d v') with (norm2 d (fun j => mu * b j)). change (dot d v' w) with (dot d (fun j => mu * b j) w). rewrite (norm2_scal d mu b), (dot_scal_l d mu b w), (dot_comm d w b). field. lra. }
      rewrite E. set (B := bsum d (fun j => mu / 2 * (w j - b j) ^ 2)) in *.
      assert (B0 : 0 <= B). { apply Rle_trans with (bsum d (fun _ => 0)); [rewrite bsum_const; lra|]. apply bsum_le. intros j _. pose proof (pow2_ge_0 (w j - b j)). apply Rmult_le_pos; lra. }
      assert (HB : q ^ 5 * B - INR d * ((mu + 2) * e) <= bsum d f).
      { unfold B. rewrite <- bsum_scal, <- bsum_const, <- bsum_minus. apply bsum_le. intros j _. apply Hf. }
      pose proof (q_power u u_value d) as Qd. fold q in Qd, S2. assert (D0 : 0 <= INR d * ((mu + 2) * e)) by (repeat apply Rmult_le_pos; lra).
      assert (H1 : q ^ d * (q ^ 5 * B - INR d * ((mu + 2) * e)) <= q ^ d * bsum d f) by (apply Rmult_le_compat_l; lra).
      assert (H2 : q ^ d * (INR d * ((mu + 2) * e)) <= 1 * (INR d * ((mu + 2) * e))) by (apply Rmult_le_compat_r; lra).
      pose proof (q_less u u_value (d + 5) (d + 8) ltac:(lia)) as Q. fold q in Q. assert (H3 : q ^ (d + 8) * B <= q ^ (d + 5) * B) by (apply Rmult_le_compat_r; assumption).
      rewrite (pow_add q d 5) in H3. assert (0 <= INR d * e) by (apply Rmult_le_pos; lra). lra.
  Qed.
End SquaredL2.
Lemma l2_underflow : forall d mu, 0 < mu -> 0 <= INR d * (mu + 4) <= INR d * (2 * mu + 4).
Proof. intros d mu H. pose proof (pos_INR d). split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra]. Qed.

(* gap_bound, as it is computed with every operation rounded: numbers that are not changed by rounding, at most 2^25 - 64 rows and
   columns together, gamma and mu at least 2^-900, gamma + d (mu + 4) at most 2^800; hypot off by at most 2u of itself. *)
Theorem gap_bound_squared_l2 : forall fl hyp n d X y w alpha gamma mu x, let u := / 2 ^ 53 in let e := / 2 ^ 1075 in rounding fl u e ->
  (forall a b, 0 <= a -> 0 <= b -> (1 - 2 * u) * sqrt (a ^ 2 + b ^ 2) - 2 * e <= hyp a b) ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2 ->
  / 2 ^ 900 <= gamma -> / 2 ^ 900 <= mu -> gamma + INR d * (mu + 4) <= 2 ^ 800 ->
  (forall i, fl (y i) = y i) -> (forall j, fl (w j) = w j) -> (forall i, fl (alpha i) = alpha i) ->
  let loss i := squared gamma (y i) in
  primal n d X loss (l2 d mu) w - primal n d X loss (l2 d mu) x
  <= @code_gap_bound (rounded fl hyp) n d X (fun i z a => @squared_residual (rounded fl hyp) gamma (y i) z a)
       (@l2_residual (rounded fl hyp) d mu) gamma mu y w alpha.
Proof.
  intros fl hyp n d X y w alpha gamma mu x u e Hfl Hhyp Hn Hd Hc Hg Hm Hh Hy Hw Ha loss.
  assert (P : 0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). assert (G0 : 0 < gamma) by lra. assert (M0 : 0 < mu) by lra.
  apply (computed_bound fl u e hyp eq_refl eq_refl Hfl n d Hn Hd Hc Hhyp X loss (fun i => squared_deriv gamma (y i)) (fun i => squared_conj gamma (y i))
    (l2 d mu) (l2_conj d mu) (l2_grad mu) gamma mu Hg Hm Hh)
    with (moved_z := fun i z => y i + gamma * fl (fl (z - y i) / gamma)) (moved_v := fun v j => mu * fl (v j / mu)) (powers := d) (underflow := INR d * (mu + 4)) (size := mu * nrm d w) (l1 := 0).
  - intros i _. apply squared_smooth, G0.
  - intros i _. apply squared_conjugate, G0.
  - apply l2_strong.
  - apply l2_pair, M0.
  - intros i _. apply squared_domain, G0.
  - intros i z _ Hz. apply (squared_row fl u e hyp eq_refl eq_refl Hfl gamma (y i) z (alpha i) G0 (Hy i) Hz (Ha i)).
  - intros v Hv. apply (l2_part fl u e hyp eq_refl eq_refl Hfl d mu v w Hd M0 Hv Hw).
  - apply (l2_underflow d mu M0).
  - apply Rle_refl.
  - ring.
  - lia.
Qed.
