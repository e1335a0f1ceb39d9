(* `gap_bound` as it is computed at gamma = 0: P(w) - P(v) <= gap_bound for every v, with hinge or absolute loss and L2. *)
From Coq Require Import Reals ZArith Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Certificate Rounded Computed.
Open Scope R_scope.

(* -- what an error of z and u can hide where the rows' terms have slopes of at most L in z --------------------------------- *)
Section Slopes.
  Variables (n d : nat) (phi phis : nat -> R -> R) (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (mu L : R) (alpha : nat -> R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis mu_pos : 0 < mu.
  Hypothesis L_nonneg : 0 <= L.
  Hypothesis strong : strongly_convex d g mu.
  Hypothesis pair : conjugate_pair d g gs dg.
  Hypothesis slopes : forall i a b, (i < n)%nat -> Rabs ((phi i a - alpha i * a) - (phi i b - alpha i * b)) <= L * Rabs (a - b).

  Lemma rows_of_rounded : forall z z' ez, avg n (fun i => Rabs (z i - z' i)) <= ez ->
    avg n (fun i => phi i (z i) + phis i (alpha i) - alpha i * z i) <= avg n (fun i => phi i (z' i) + phis i (alpha i) - alpha i * z' i) + L * ez.
  Proof.
    intros z z' ez Hz. set (FY := fun i => phi i (z' i) + phis i (alpha i) - alpha i * z' i).
    apply Rle_trans with (avg n (fun i => FY i + L * Rabs (z i - z' i))).
    - apply avg_le; [exact n_pos|]. intros i Hi. unfold FY. pose proof (slopes i (z i) (z' i) Hi) as H. apply within in H. lra.
    - rewrite avg_plus, avg_scal. apply Rplus_le_compat_l. apply Rmult_le_compat_l; assumption.
  Qed.
  Lemma regularizer_root : forall v v' w eu, norm2 d (fun j => v j - v' j) <= eu ^ 2 ->
    g w + gs v - dot d v w <= (sqrt (g w + gs v' - dot d v' w) + sqrt (eu ^ 2 / (2 * mu))) ^ 2.
  Proof.
    intros v v' w eu Hu. apply best_weight.
    - destruct (pair v') as [_ H]. specialize (H w). lra.
    - apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra].
    - intros c Hc. apply (regularizer_of_rounded d g gs dg mu mu_pos strong pair c v v' w eu Hc Hu).
  Qed.

  Theorem gap_of_rounded_slopes : forall z z' v v' w ez eu, (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) -> feasible n phi alpha ->
    avg n (fun i => Rabs (z i - z' i)) <= ez -> norm2 d (fun j => v j - v' j) <= eu ^ 2 ->
    gap_from n d phi phis g gs z alpha v w
    <= (sqrt (gap_from n d phi phis g gs z' alpha v' w) + sqrt (eu ^ 2 / (2 * mu))) ^ 2 + L * ez.
  Proof.
    intros z z' v v' w ez eu Hc Hf Hz Hu. pose proof (rows_of_rounded z z' ez Hz) as H1. pose proof (regularizer_root v v' w eu Hu) as H2. unfold gap_from.
    set (F := avg n (fun i => phi i (z i) + phis i (alpha i) - alpha i * z i)) in *. set (F' := avg n (fun i => phi i (z' i) + phis i (alpha i) - alpha i * z' i)) in *.
    set (R' := g w + gs v' - dot d v' w) in *. set (x := sqrt (eu ^ 2 / (2 * mu))) in *. assert (x0 : 0 <= x) by apply sqrt_pos.
    assert (F0 : 0 <= F').
    { apply avg_nonneg; [exact n_pos|]. intros i Hi. pose proof (fenchel_young _ _ (alpha i) (z' i) (Hc i Hi) (Hf i Hi)). lra. }
    assert (R0 : 0 <= R') by (unfold R'; destruct (pair v') as [_ H]; specialize (H w); lra).
    pose proof (sqrt_sqrt R' R0). pose proof (sqrt_sqrt (F' + R') ltac:(lra)).
    assert (x * sqrt R' <= x * sqrt (F' + R')) by (apply Rmult_le_compat_l; [exact x0 | apply sqrt_le_1_alt; lra]). lra.
  Qed.
End Slopes.

(* -- a sum whose terms cancel has half of the error --------------------------------------------------------------------------- *)
Section Cancelling.
  Variables (fl : R -> R) (u e : R).
  Hypothesis u_range : 0 <= u <= 1 / 1000.
  Hypothesis rounding_fl : rounding fl u e.
  Let fl_exact := fl_exact fl u e rounding_fl.

  Lemma fsum_cancelling : forall n f, (forall i, (i < n)%nat -> fl (f i) = f i) -> INR n * u <= 1 / 1000 ->
    Rabs (fsum fl n f - bsum n f) <= 51 / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs (fsum fl n f)).
  Proof.
    intros n f Hf Hn. set (s := fsum fl n f). set (lost := fun k => Rabs (fsum fl (S k) f - (fsum fl k f + f k))). set (t := fun k => Rabs (f k) + lost k).
    assert (t0 : forall k, 0 <= t k) by (intros k; unfold t, lost; pose proof (Rabs_pos (f k)); pose proof (Rabs_pos (fsum fl (S k) f - (fsum fl k f + f k))); lra).
    assert (sums : forall k, fl (fsum fl k f) = fsum fl k f) by (intros [|k]; [apply (fl_zero fl u e rounding_fl) | apply fl_exact]).
    assert (step : forall k, (k < n)%nat -> (1 - u) * lost k <= u * Rabs (fsum fl (S k) f)).
    { intros k Hk. pose proof (sum_error fl u e rounding_fl _ _ (sums k) (Hf k Hk)) as H. change (fl (fsum fl k f + f k)) with (fsum fl (S k) f) in H. fold (lost k) in H.
      pose proof (Rabs_triang (fsum fl (S k) f) (fsum fl k f + f k - fsum fl (S k) f)) as T.
      replace (fsum fl (S k) f + (fsum fl k f + f k - fsum fl (S k) f)) with (fsum fl k f + f k) in T by ring. rewrite (Rabs_minus_sym (fsum fl k f + f k)) in T. fold (lost k) in T.
      assert (u * Rabs (fsum fl k f + f k) <= u * (Rabs (fsum fl (S k) f) + lost k)) by (apply Rmult_le_compat_l; lra). lra. }
    assert (below : forall m, Rabs (fsum fl m f - bsum m f) <= bsum m lost).
    { induction m as [|m IH]; [cbn [fsum bsum]; rewrite Rminus_0_r, Rabs_R0; lra|]. cbn [bsum].
      pose proof (Rabs_triang (fsum fl (S m) f - (fsum fl m f + f m)) (fsum fl m f - bsum m f)) as T. fold (lost m) in T.
      replace (fsum fl (S m) f - (fsum fl m f + f m) + (fsum fl m f - bsum m f)) with (fsum fl (S m) f - (bsum m f + f m)) in T by ring. lra. }
    assert (near : forall k, Rabs (fsum fl k f) <= Rabs (fsum fl (S k) f) + t k /\ Rabs (fsum fl (S k) f) <= Rabs (fsum fl k f) + t k).
    { intros k. unfold t, lost. set (x := fsum fl k f). set (y := fsum fl (S k) f). unfold Rabs. repeat destruct Rcase_abs; lra. }
    assert (up : forall m, Rabs (fsum fl m f) <= bsum m t).
    { induction m as [|m IH]; [cbn [fsum bsum]; rewrite Rabs_R0; lra|]. destruct (near m) as [_ H]. cbn [bsum]. lra. }
    assert (down : forall m k, Rabs (fsum fl k f) + bsum k t <= Rabs (fsum fl (m + k) f) + bsum (m + k) t).
    { induction m as [|m IH]; intros k; [simpl; lra|]. destruct (near (m + k)%nat) as [H _]. specialize (IH k). cbn [Nat.add bsum]. lra. }
    assert (all : bsum n t = bsum n (fun i => Rabs (f i)) + bsum n lost) by (unfold t; apply bsum_plus).
    set (B := bsum n (fun i => Rabs (f i))) in *. set (D := bsum n lost) in *.
    assert (total : (1 - u) * D <= INR n * (u * ((Rabs s + B + D) / 2))).
    { unfold D. rewrite <- bsum_scal, <- bsum_const. apply bsum_le. intros k Hk. eapply Rle_trans; [apply step, Hk|]. apply Rmult_le_compat_l; [lra|].
      pose proof (down (n - S k)%nat (S k)) as H. replace (n - S k + S k)%nat with n in H by lia. fold s in H. rewrite all in H. pose proof (up (S k)). fold D. lra. }
    pose proof (below n) as Hb. fold s in Hb. fold D in Hb. set (x := INR n * u) in *. assert (x0 : 0 <= x) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    assert (B0 : 0 <= Rabs s + B). { pose proof (Rabs_pos s). assert (0 <= B) by (unfold B; rewrite <- (Rmult_0_r (INR n)), <- bsum_const; apply bsum_le; intros; apply Rabs_pos). lra. }
    assert (D0 : 0 <= D) by (pose proof (Rabs_pos (s - bsum n f)); lra).
    replace (INR n * (u * ((Rabs s + B + D) / 2))) with (x * (Rabs s + B) / 2 + x * D / 2) in total by (unfold x; field).
    assert (x * D <= 1 / 1000 * D) by (apply Rmult_le_compat_r; lra). assert (u * D <= 1 / 1000 * D) by (apply Rmult_le_compat_r; lra).
    assert (0 <= x * (Rabs s + B)) by (apply Rmult_le_pos; lra). lra.
  Qed.
End Cancelling.

(* F + (R + x)^2 from the computed r^2 and y >= x: where F + R^2 is off by an underflow a, which the part T beside the root exceeds;
   the mixed term 2 R x is the reason for the last hypothesis. *)
Lemma mixed_term : forall M p F R r a x y b T, 0 <= F -> 0 <= R -> 0 <= r -> 0 <= a -> 0 <= x <= y -> M <= 101 / 100 -> 0 < p <= 1 -> 1 <= M * p ->
  p * (F + R ^ 2) <= r ^ 2 + a -> 15 * a <= T -> 0 <= b ->
  (6 * sqrt a < x -> R <= 26 / 100 * x -> x <= 3 / 4 * y \/ 5 / 2 * (x * sqrt a) <= b + a) ->
  F + (R + x) ^ 2 <= M * (r + y) ^ 2 + b + T.
Proof.
  intros M p F R r a x y b T HF HR Hr Ha Hx HM Hp HMp HG HT Hb Hmixed. set (s := sqrt a) in *. assert (s0 : 0 <= s) by apply sqrt_pos. assert (ss : s * s = a) by (apply sqrt_sqrt, Ha).
  assert (HM1 : 1 <= M) by nra.
  assert (K0 : F + R ^ 2 <= M * (r ^ 2 + a)).
  { apply Rle_trans with (M * (p * (F + R ^ 2))); [|apply Rmult_le_compat_l; lra]. pose proof (pow2_ge_0 R). rewrite <- (Rmult_1_l (F + R ^ 2)) at 1. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
  assert (K1 : R <= M * (r + s)).
  { apply Rsqr_incr_0_var; [|apply Rmult_le_pos; lra]. unfold Rsqr. assert (0 <= r * s) by (apply Rmult_le_pos; lra).
    assert (0 <= (r + s) * (r + s)) by (apply Rmult_le_pos; lra). assert (M * (r ^ 2 + a) <= M * ((r + s) * (r + s))) by (apply Rmult_le_compat_l; lra).
    assert (1 * (M * ((r + s) * (r + s))) <= M * (M * ((r + s) * (r + s)))) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra). lra. }
  assert (Hy : 2 * M * r * x <= 2 * M * r * y) by (apply Rmult_le_compat_l; [repeat apply Rmult_le_pos|]; lra).
  assert (Hyy : x * x <= y * y) by (apply Rmult_le_compat; lra). assert (HMy : 1 * (y * y) <= M * (y * y)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
  assert (HMa : M * a <= 101 / 100 * a) by (apply Rmult_le_compat_r; lra).
  assert (Hs : (R - M * r) * x <= M * s * x) by (apply Rmult_le_compat_r; lra). assert (Hs2 : M * (s * x) <= 101 / 100 * (s * x)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
  enough (H : 2 * ((R - M * r) * x) + x * x <= M * (y * y) + b + T - 101 / 100 * a) by lra.
  destruct (Rle_lt_dec x (6 * s)) as [Z1|Z1]; [assert (s * x <= s * (6 * s)) by (apply Rmult_le_compat_l; lra); lra|].
  destruct (Rle_lt_dec x (12 * r)) as [Z2|Z2].
  - set (o := R - M * r) in *. destruct (Rle_lt_dec o 0) as [O|O]; [assert (0 <= - o * x) by (apply Rmult_le_pos; lra); lra|].
    assert (E : R = M * r + o) by (unfold o; ring). rewrite E in K0. pose proof (pow2_ge_0 o). assert (1 * (r * o) <= M * (r * o)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
    assert (M * (r * r) <= M * (M * (r * r))) by (rewrite <- (Rmult_1_l (M * (r * r))) at 1; apply Rmult_le_compat_r; [repeat apply Rmult_le_pos|]; lra).
    assert (o * x <= o * (12 * r)) by (apply Rmult_le_compat_l; lra). lra.
  - assert (R26 : R <= 26 / 100 * x). { assert (M * (r + s) <= 101 / 100 * (r + s)) by (apply Rmult_le_compat_r; lra). lra. }
    destruct (Hmixed Z1 R26) as [H|H].
    + assert (16 / 9 * (x * x) <= y * y) by (assert (x * x <= 3 / 4 * y * (3 / 4 * y)) by (apply Rmult_le_compat; lra); lra).
      pose proof (pow2_ge_0 (7 / 9 * x - 101 / 100 * s)). lra.
    + lra.
Qed.

(* -- the bound, every operation rounded -------------------------------------------------------------------------------------- *)
Section Bound.
  Variables (fl : R -> R) (u e : R) (hyp : R -> R -> R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Variables n d : nat.
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis d_pos : (0 < d)%nat.
  Hypothesis counts : INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2.
  Local Notation A := (rounded fl hyp).
  Local Notation exact := (exact fl).
  Let q := 1 - u.
  Let sd := sqrt (INR d).
  Let most := (2 * (n + d) + 128)%nat.
  Let u_pos := u_pos u u_value.
  Let e_pos := e_pos e e_value.
  Let u_tiny : u <= 1 / 1000000000.
  Proof. apply Rle_trans with (/ 2 ^ 40); [apply (u_small u u_value)|]. simpl. lra. Qed.
  Let e_tiny : e <= 1 / 1000000000 * u.
  Proof. destruct (e_below u e u_value e_value) as (_ & H & _). eapply Rle_trans; [exact H|]. apply Rmult_le_compat_r; lra. Qed.
  Let fl_exact := fl_exact fl u e rounding_fl.
  Let fl_nonneg := fl_nonneg fl u e rounding_fl.
  Let fl_low : forall x, 0 <= x -> q * x - e <= fl x := fl_low fl u e rounding_fl.
  Let fl_sum : forall x y, exact x -> exact y -> 0 <= x -> 0 <= y -> q * (x + y) <= fl (x + y) := fl_sum fl u e rounding_fl.
  Let q_power : forall k, 0 < q ^ k <= 1 := q_power u u_value.
  Let q_hundred : forall k, (k <= 100)%nat -> 999 / 1000 <= q ^ k := q_hundred u e u_value e_value.
  Let Rn : 1 <= INR n. Proof. apply (le_INR 1), n_pos. Qed.
  Let Rd : 1 <= INR d. Proof. apply (le_INR 1), d_pos. Qed.
  Let q_range : 999 / 1000 <= q <= 1. Proof. unfold q. lra. Qed.

  Lemma slope_bound_low : forall L mu gap ez eu, 1 <= L -> u ^ 17 <= mu -> 0 <= gap -> 0 <= ez -> 0 <= eu ->
    (1 + u * INR most) * q ^ 21 * ((sqrt gap + eu / sqrt (2 * mu)) ^ 2 + L * ez + 30 * (4 + mu) * (1 + INR d) * e)
    <= @slope_bound_of A n d L mu gap ez eu + 7 * e.
  Proof.
    intros L mu gap ez eu HL Hm Hgap Hez Heu. set (r := sqrt gap). set (E := eu / sqrt (2 * mu)).
    assert (U17 : 0 < u ^ 17) by (apply pow_lt; lra). assert (r0 : 0 <= r) by apply sqrt_pos.
    assert (E0 : 0 <= E) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, sqrt_lt_R0; lra]).
    destruct (quotient_low fl u e u_value e_value rounding_fl n d n_pos d_pos mu eu eu Hm ltac:(lra)) as [X1 X0]. change (1 - u) with q in X1. fold E in X1.
    set (err := fl (eu / fl (sqrt (fl (2 * mu))))) in *. set (rt := fl r). pose proof (fl_low r r0) as R1. pose proof (fl_nonneg r r0) as R0. fold rt in R1, R0.
    set (t := fl (fl (fl (16 * fl (4 + mu)) * (1 + INR d)) * (2 * e))). set (l := fl (L * ez)).
    assert (Ev : @slope_bound_of A n d L mu gap ez eu = fl (@grow A most * fl (fl (fl (rt + err) * fl (rt + err)) + fl (t + l)))).
    { unfold slope_bound_of, least, t, l, rt, err, r, grow, most. cbn [int power add mul div root rounded num]. rewrite least_value with (e := e) by exact e_value.
      replace (INR 2) with 2 by (simpl; ring). replace (INR 4) with 4 by (simpl; ring). replace (INR 16) with 16 by (rewrite INR_IZR_INZ; reflexivity).
      rewrite (plus_INR 1 d). reflexivity. }
    rewrite Ev. clear Ev. destruct (q_power 5) as [Q5 Q5']. destruct (q_power 6) as [Q6 Q6']. destruct (q_power 12) as [Q12 Q12'].
    (* s = root + error *)
    set (X := r + E). assert (X00 : 0 <= X) by (unfold X; lra). set (s := fl (rt + err)).
    assert (S1 : q ^ 6 * X - 2 * e <= s).
    { pose proof (fl_sum rt err (fl_exact _) (fl_exact _) R0 X0) as H. fold s in H.
      assert (q * (q * r - e + (q ^ 5 * E - e)) <= q * (rt + err)) by (apply Rmult_le_compat_l; lra). assert (q * e <= 1 * e) by (apply Rmult_le_compat_r; lra).
      assert (q ^ 6 * r <= q ^ 2 * r) by (apply Rmult_le_compat_r; [exact r0|]; replace (q ^ 6) with (q ^ 4 * q ^ 2) by ring; destruct (q_power 4); destruct (q_power 2); rewrite <- (Rmult_1_l (q ^ 2)) at 2; apply Rmult_le_compat_r; lra).
      unfold X. replace (q ^ 6 * (r + E)) with (q ^ 6 * r + q * (q ^ 5 * E)) by ring. lra. }
    assert (S0 : 0 <= s) by (apply fl_nonneg; lra).
    assert (Hee : e * e <= u * e) by (apply Rmult_le_compat_r; lra).
    assert (S2 : q ^ 14 * X ^ 2 - e <= s * s).
    { assert (Y0 : 0 <= q ^ 6 * X) by (apply Rmult_le_pos; lra). assert (XX : 0 <= X ^ 2) by apply pow2_ge_0.
      assert (H1 : (q ^ 6 * X) ^ 2 - 4 * e * (q ^ 6 * X) <= s * s).
      { destruct (Rle_lt_dec (2 * e) (q ^ 6 * X)).
        - assert ((q ^ 6 * X - 2 * e) * (q ^ 6 * X - 2 * e) <= s * s) by (apply Rmult_le_compat; lra). pose proof (Rmult_le_pos e e ltac:(lra) ltac:(lra)). lra.
        - assert (q ^ 6 * X * (q ^ 6 * X) <= 2 * e * (q ^ 6 * X)) by (apply Rmult_le_compat_r; lra). assert (0 <= e * (q ^ 6 * X)) by (apply Rmult_le_pos; lra). pose proof (Rle_0_sqr s) as Hs. unfold Rsqr in Hs. lra. }
      assert (H2 : 4 * e * (q ^ 6 * X) <= 4 * e * X). { apply Rmult_le_compat_l; [lra|]. rewrite <- (Rmult_1_l X) at 2. apply Rmult_le_compat_r; lra. }
      assert (H3 : 4 * e * X <= u * X ^ 2 + e).
      { apply Rmult_le_reg_l with u; [lra|]. pose proof (pow2_ge_0 (u * X - 2 * e)) as H. assert (4 * (e * e) <= u * e).
        { destruct (e_below u e u_value e_value) as (_ & H4 & _). assert (e * e <= u * u * e) by (apply Rmult_le_compat_r; lra). assert (u * (u * e) <= 1 / 4 * (u * e)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra). lra. }
        lra. }
      assert (H4 : q ^ 14 <= q ^ 12 - u).
      { replace (q ^ 14) with (q ^ 12 * (1 - 2 * u + u * u)) by (unfold q; ring). assert (999 / 1000 * u <= q ^ 12 * u) by (apply Rmult_le_compat_r; [lra | apply q_hundred; lia]).
        assert (q ^ 12 * (u * u) <= 1 * (1 / 1000 * u)) by (apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]). lra. }
      apply Rmult_le_compat_r with (r := X ^ 2) in H4; [|exact XX]. replace ((q ^ 6 * X) ^ 2) with (q ^ 12 * X ^ 2) in H1 by ring. lra. }
    assert (SS : 0 <= s * s) by apply Rle_0_sqr. pose proof (fl_low _ SS) as S3. pose proof (fl_nonneg _ SS) as S30. set (ss := fl (s * s)) in *.
    (* what does not come under the root *)
    assert (F : forall x, 0 <= x -> 999 / 1000 * x - e <= fl x /\ 0 <= fl x).
    { intros x Hx. split; [|apply fl_nonneg, Hx]. eapply Rle_trans; [|apply fl_low, Hx]. assert (999 / 1000 * x <= q * x) by (apply Rmult_le_compat_r; lra). lra. }
    assert (T1 : 31 * (4 + mu) * (1 + INR d) * e <= t /\ 0 <= t).
    { destruct (F (4 + mu) ltac:(lra)) as [A1 A0]. destruct (F (16 * fl (4 + mu)) ltac:(lra)) as [B1 B0]. set (b := fl (16 * fl (4 + mu))) in *.
      assert (C0 : 0 <= b * (1 + INR d)) by (apply Rmult_le_pos; lra). destruct (F _ C0) as [C1 C2]. set (c := fl (b * (1 + INR d))) in *.
      assert (B2 : 159 / 10 * (4 + mu) <= b) by lra. assert (C3 : 159 / 10 * (4 + mu) * (1 + INR d) <= b * (1 + INR d)) by (apply Rmult_le_compat_r; lra).
      set (m := (4 + mu) * (1 + INR d)) in *. assert (M8 : 8 <= m) by (unfold m; replace 8 with (4 * 2) by ring; apply Rmult_le_compat; lra).
      assert (C4 : 158 / 10 * m <= c) by (unfold m in *; lra). assert (D0 : 0 <= c * (2 * e)) by (apply Rmult_le_pos; lra). destruct (F _ D0) as [D1 D2]. split; [|exact D2].
      assert (158 / 10 * m * (2 * e) <= c * (2 * e)) by (apply Rmult_le_compat_r; lra). assert (8 * e <= m * e) by (apply Rmult_le_compat_r; lra).
      replace (31 * (4 + mu) * (1 + INR d) * e) with (31 * (m * e)) by (unfold m; ring). unfold t. fold b c. lra. }
    assert (Le : 0 <= L * ez) by (apply Rmult_le_pos; lra). pose proof (fl_low _ Le) as L1. pose proof (fl_nonneg _ Le) as L0. fold l in L1, L0.
    pose proof (fl_sum t l (fl_exact _) (fl_exact _) (proj2 T1) L0) as A1. set (add_ := fl (t + l)) in *. assert (A0 : 0 <= add_) by (apply fl_nonneg; lra).
    pose proof (fl_sum ss add_ (fl_exact _) (fl_exact _) S30 A0) as V1. set (v := fl (ss + add_)) in *. assert (V0 : 0 <= v) by (apply fl_nonneg; lra).
    set (T := 30 * (4 + mu) * (1 + INR d) * e). assert (T0 : 0 <= T) by (unfold T; repeat apply Rmult_le_pos; lra).
    set (W := X ^ 2 + L * ez + T). assert (XX : 0 <= X ^ 2) by apply pow2_ge_0. assert (W0 : 0 <= W) by (unfold W; lra).
    assert (V2 : q ^ 16 * W - 3 * e <= v).
    { assert (P1 : q * (q * (q ^ 14 * X ^ 2 - e) - e + q * (31 / 30 * T + (q * (L * ez) - e))) <= v).
      { eapply Rle_trans; [|exact V1]. apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat.
        - assert (q * (q ^ 14 * X ^ 2 - e) <= q * (s * s)) by (apply Rmult_le_compat_l; lra). lra.
        - eapply Rle_trans; [|exact A1]. apply Rmult_le_compat_l; [lra|]. unfold T. lra. }
      assert (P2 : q ^ 16 * (L * ez) <= q ^ 3 * (L * ez)).
      { apply Rmult_le_compat_r; [exact Le|]. replace (q ^ 16) with (q ^ 13 * q ^ 3) by ring. destruct (q_power 13). destruct (q_power 3). rewrite <- (Rmult_1_l (q ^ 3)) at 2. apply Rmult_le_compat_r; lra. }
      assert (P3 : q ^ 16 * T <= q ^ 2 * T).
      { apply Rmult_le_compat_r; [exact T0|]. replace (q ^ 16) with (q ^ 14 * q ^ 2) by ring. destruct (q_power 14). destruct (q_power 2). rewrite <- (Rmult_1_l (q ^ 2)) at 2. apply Rmult_le_compat_r; lra. }
      assert (P4 : 0 <= q ^ 2 * T) by (apply Rmult_le_pos; [apply pow_le|]; lra).
      assert (P5 : q * e <= 1 * e) by (apply Rmult_le_compat_r; lra). assert (P6 : q * (q * e) <= 1 * e) by (rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [lra|]; rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
      unfold W. lra. }
    destruct (grow_low fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts most ltac:(unfold most; lia) ltac:(unfold most; lia)) as [G1 G2]. change (1 - u) with q in G1. set (g := @grow A most) in *.
    assert (H1 : 0 <= u * INR most) by (apply Rmult_le_pos; [lra | apply pos_INR]). destruct (q_power 4) as [Q4 Q4']. assert (G0 : 0 <= g) by (assert (0 <= q ^ 4 * (1 + u * INR most)) by (apply Rmult_le_pos; lra); lra).
    pose proof (fl_low (g * v) (Rmult_le_pos _ _ G0 V0)) as Z1. destruct (q_power 16) as [Q16 Q16'].
    assert (Z2 : q ^ 4 * (1 + u * INR most) * (q ^ 16 * W) <= g * (v + 3 * e)).
    { apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra. }
    assert (Z3 : g * (3 * e) <= 2 * (3 * e)) by (apply Rmult_le_compat_r; lra).
    assert (Z4 : q * (q ^ 4 * (1 + u * INR most) * (q ^ 16 * W)) <= q * (g * (v + 3 * e))) by (apply Rmult_le_compat_l; lra).
    replace ((1 + u * INR most) * q ^ 21 * W) with (q * (q ^ 4 * (1 + u * INR most) * (q ^ 16 * W))) by ring.
    assert (q * (g * (3 * e)) <= 1 * (2 * (3 * e))) by (apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra). lra.
  Qed.

  Variables (X : nat -> nat -> R) (phi phis : nat -> R -> R) (L mu : R) (w alpha : nat -> R) (residual : nat -> R -> R -> R).
  Hypothesis L_range : 1 <= L.
  Hypothesis mu_low : / 2 ^ 900 <= mu.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis alpha_feasible : feasible n phi alpha.
  Hypothesis alpha_small : forall i, (i < n)%nat -> Rabs (alpha i) <= 1.
  Hypothesis w_exact : forall j, exact (w j).
  Hypothesis slopes : forall i a b, (i < n)%nat -> Rabs ((phi i a - alpha i * a) - (phi i b - alpha i * b)) <= L * Rabs (a - b).
  (* What is computed of a row is its term up to eight roundings, at the z that was computed. *)
  Hypothesis rows : forall i z, (i < n)%nat -> exact z -> let r := residual i z (alpha i) in
    0 <= r /\ exact r /\ q ^ 8 * (phi i z + phis i (alpha i) - alpha i * z) - 9 * e <= r.

  Let mu_pos : 0 < mu. Proof. assert (0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). lra. Qed.
  Let e_mu : e <= u * mu.
  Proof.
    apply Rle_trans with (u * / 2 ^ 900); [|apply Rmult_le_compat_l; lra]. rewrite e_value, u_value, <- Rinv_mult, <- pow_add.
    apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]].
  Qed.
  Let z (i : nat) : R := @row_z A d (X i) w.
  Let v : nat -> R := @minus_mean A n X alpha.
  Let v' j := mu * fl (v j / mu).
  Let W := nrm d w.
  Let N := sqrt (avg n (fun i => norm2 d (X i))).
  Let Am := avg n (fun i => Rabs (alpha i) * nrm d (X i)).
  Let ez := u * (INR d + 2) * (N * W) + 4 * INR d * e.
  Let off := nrm d (fun j => u_of n X alpha j - v' j).
  Let seen := u * (INR n + 3) * Am + 4 * e * sd + 3 * u * (11 / 10 * Am + 4 * e * sd + mu * W) + 4 * (1 + mu) * e * sd.
  Let Reg := l2 d mu w + l2_conj d mu v' - dot d v' w.
  Let N0 : 0 <= N. Proof. apply sqrt_pos. Qed.
  Let W0 : 0 <= W. Proof. apply nrm_nonneg. Qed.
  Let Am0 : 0 <= Am. Proof. apply avg_nonneg; [exact n_pos|]. intros. apply Rmult_le_pos; [apply Rabs_pos | apply nrm_nonneg]. Qed.
  Let off0 : 0 <= off. Proof. apply nrm_nonneg. Qed.
  Let sd1 : 1 <= sd. Proof. apply (sd_range d d_pos). Qed.
  Let small : forall c, (c <= most)%nat -> 0 <= INR c /\ INR c * INR c * u <= 1 / 2 /\ INR c * u <= 1 / 10000 := count_small u e u_value e_value n d counts.
  Let l2_parts : forall v, (forall j, exact (v j)) -> let r := @l2_residual A d mu v w in let v' := (fun v j => mu * fl (v j / mu)) v in
    0 <= r /\ exact r /\ nrm d (fun j => v j - v' j) <= 3 * u * (nrm d v + mu * nrm d w) + 4 * (1 + mu) * e * sqrt (INR d) /\
    (1 - u) ^ (d + 8) * (l2 d mu w + l2_conj d mu v' - dot d v' w) - INR d * (mu + 4) * e <= r
    := fun v Hv => l2_part fl u e hyp u_value e_value rounding_fl d mu v w d_pos mu_pos Hv w_exact.
  Let v_exact : forall j, exact (v j) := Computed.v_exact fl u e hyp rounding_fl n X alpha.

  Lemma mean_row_below : avg n (fun i => nrm d (X i)) <= N.
  Proof.
    apply mean_below; [exact n_pos | exact N0 |]. right. rewrite (avg_ext n _ (fun i => norm2 d (X i))) by (intros; rewrite <- nrm_square; ring).
    unfold N. replace (sqrt (avg n (fun i => norm2 d (X i))) ^ 2) with (sqrt (avg n (fun i => norm2 d (X i))) * sqrt (avg n (fun i => norm2 d (X i)))) by ring.
    symmetry. apply sqrt_sqrt, avg_nonneg; [exact n_pos|]. intros; apply norm2_nonneg.
  Qed.
  Lemma Am_below : Am <= N.
  Proof.
    eapply Rle_trans; [|exact mean_row_below]. apply avg_le; [exact n_pos|]. intros i Hi. pose proof (alpha_small i Hi). pose proof (nrm_nonneg d (X i)).
    rewrite <- (Rmult_1_l (nrm d (X i))) at 2. apply Rmult_le_compat_r; assumption.
  Qed.
  Lemma mean_z : avg n (fun i => Rabs (dot d (X i) w - z i)) <= ez.
  Proof.
    apply Rle_trans with (avg n (fun i => u * (INR d + 2) * W * nrm d (X i) + 4 * INR d * e)).
    - apply avg_le; [exact n_pos|]. intros i _. apply (z_error fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts X w i).
    - rewrite avg_plus, avg_scal, avg_const by exact n_pos. unfold ez. apply Rplus_le_compat_r.
      pose proof mean_row_below as H.
      assert (U2 : 0 <= u * (INR d + 2) * W) by (repeat apply Rmult_le_pos; lra). apply Rmult_le_compat_l with (r := u * (INR d + 2) * W) in H; [|exact U2]. lra.
  Qed.
  Lemma Reg_value : norm2 d (fun j => mu * w j - v' j) = 2 * mu * Reg.
  Proof. unfold Reg, l2, l2_conj. rewrite (norm2_minus d (fun j => mu * w j) v'), norm2_scal, dot_scal_l, (dot_comm d v' w). field. lra. Qed.

  (* u next to the computed one: what the sums lose, where they cancel too. *)
  Lemma off_cancelling : nrm d (fun j => u_of n X alpha j - v j) <= u * (52 / 100 * INR n + 2) * (Am + nrm d v) + 3 * e * sd.
  Proof.
    set (K := u * (52 / 100 * INR n + 2)). assert (K0 : 0 <= K) by (apply Rmult_le_pos; lra). set (m := fun j => avg n (fun i => Rabs (alpha i * X i j))).
    assert (m0 : forall j, 0 <= m j) by (intros j; apply avg_nonneg; [exact n_pos|]; intros; apply Rabs_pos).
    destruct (small n ltac:(unfold most; lia)) as (_ & _ & Hn).
    assert (H : forall j, (j < d)%nat -> Rabs (u_of n X alpha j - v j) <= K * (m j + Rabs (v j)) + 3 * e).
    { intros j _. set (f := fun i => fl (alpha i * X i j)). set (s := fsum fl n f). set (x := fun i => alpha i * X i j).
      pose proof (fsum_cancelling fl u e ltac:(lra) rounding_fl n f ltac:(intros; apply fl_exact) ltac:(lra)) as H. fold s in H.
      assert (Ef : forall i, Rabs (f i - x i) <= u * Rabs (x i) + e) by (intros i; apply rounding_fl).
      assert (D1 : Rabs (bsum n f - bsum n x) <= u * bsum n (fun i => Rabs (x i)) + INR n * e).
      { rewrite <- bsum_minus, <- bsum_scal, <- bsum_const, <- bsum_plus. eapply Rle_trans; [|apply bsum_le; intros i _; apply Ef].
        clear. induction n as [|k IH]; cbn [bsum]; [rewrite Rabs_R0; lra|]. eapply Rle_trans; [apply Rabs_triang|]. lra. }
      assert (D2 : bsum n (fun i => Rabs (f i)) <= (1 + u) * bsum n (fun i => Rabs (x i)) + INR n * e).
      { rewrite <- bsum_scal, <- bsum_const, <- bsum_plus. apply bsum_le. intros i _. pose proof (Rabs_triang (f i - x i) (x i)) as T. replace (f i - x i + x i) with (f i) in T by ring. pose proof (Ef i). lra. }
      assert (Em : bsum n (fun i => Rabs (x i)) = INR n * m j) by (unfold m, avg, x; field; lra). rewrite Em in D1, D2. specialize (m0 j). set (mj := m j) in *.
      pose proof (v_value fl u e hyp rounding_fl n X alpha j) as Ev. change (v j = - fl (s / INR n)) in Ev.
      assert (Es : u_of n X alpha j = - (bsum n x / INR n)) by reflexivity. set (S := Rabs s / INR n).
      assert (Hi : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
      assert (ES : Rabs (s / INR n) = S) by (unfold S, Rdiv; rewrite Rabs_mult, (Rabs_right (/ INR n)) by lra; reflexivity).
      assert (E1 : Rabs (fl (s / INR n) - s / INR n) <= u * S + e) by (rewrite <- ES; apply rounding_fl).
      pose proof (Rabs_triang (s / INR n - fl (s / INR n)) (fl (s / INR n))) as T1. replace (s / INR n - fl (s / INR n) + fl (s / INR n)) with (s / INR n) in T1 by ring.
      rewrite (Rabs_minus_sym (s / INR n)), ES in T1. assert (EV : Rabs (v j) = Rabs (fl (s / INR n))) by (rewrite Ev; apply Rabs_Ropp). rewrite <- EV in T1.
      assert (S0 : 0 <= S) by (rewrite <- ES; apply Rabs_pos).
      assert (D3 : Rabs (s - bsum n x) / INR n <= 51 / 100 * (INR n * u) * ((1 + u) * mj + e + S) + u * mj + e).
      { apply Rmult_le_reg_r with (INR n); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
        pose proof (Rabs_triang (s - bsum n f) (bsum n f - bsum n x)) as T. replace (s - bsum n f + (bsum n f - bsum n x)) with (s - bsum n x) in T by ring.
        assert (51 / 100 * (INR n * u) * (bsum n (fun i => Rabs (f i)) + Rabs s) <= 51 / 100 * (INR n * u) * ((1 + u) * (INR n * mj) + INR n * e + INR n * S)).
        { apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]|]. replace (INR n * S) with (Rabs s) by (unfold S; field; lra). lra. }
        lra. }
      pose proof (Rabs_triang (- ((bsum n x - s) / INR n)) (fl (s / INR n) - s / INR n)) as T2.
      replace (- ((bsum n x - s) / INR n) + (fl (s / INR n) - s / INR n)) with (u_of n X alpha j - v j) in T2 by (rewrite Es, Ev; field; lra).
      assert (E2 : Rabs ((bsum n x - s) / INR n) = Rabs (s - bsum n x) / INR n) by (unfold Rdiv; rewrite Rabs_mult, (Rabs_right (/ INR n)), (Rabs_minus_sym (bsum n x)) by lra; reflexivity).
      rewrite Rabs_Ropp, E2 in T2.
      assert (P1 : INR n * u * S <= INR n * u * (101 / 100 * (Rabs (v j) + e))) by (apply Rmult_le_compat_l; [apply Rmult_le_pos|]; try lra; assert (u * S <= 1 / 1000 * S) by (apply Rmult_le_compat_r; lra); lra).
      assert (P2 : u * S <= u * (101 / 100 * (Rabs (v j) + e))) by (apply Rmult_le_compat_l; [lra|]; assert (u * S <= 1 / 1000 * S) by (apply Rmult_le_compat_r; lra); lra).
      assert (P3 : INR n * u * (u * mj) <= INR n * u * (1 / 1000 * mj)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]).
      assert (P4 : INR n * u * e <= 1 / 1000 * e) by (apply Rmult_le_compat_r; lra). assert (P5 : u * e <= 1 / 1000 * e) by (apply Rmult_le_compat_r; lra).
      assert (P6 : 0 <= INR n * u * mj) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). pose proof (Rabs_pos (v j)) as Vj. assert (P7 : 0 <= INR n * u * Rabs (v j)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
      assert (P8 : 0 <= u * mj) by (apply Rmult_le_pos; lra). assert (P9 : 0 <= u * Rabs (v j)) by (apply Rmult_le_pos; lra).
      unfold K. lra. }
    assert (H1 : norm2 d (fun j => u_of n X alpha j - v j) <= (K * nrm d (fun j => m j + Rabs (v j)) + 3 * e * sd) ^ 2).
    { apply nrm_below; [exact K0 | lra | | exact H]. intros j _. pose proof (m0 j). pose proof (Rabs_pos (v j)). lra. }
    pose proof (nrm_triangle d m (fun j => Rabs (v j))) as T. rewrite nrm_abs in T. pose proof (mean_nrm n d X alpha n_pos) as Hm. fold m Am in Hm.
    assert (E0 : 0 <= 3 * e * sd) by (repeat apply Rmult_le_pos; lra). pose proof (nrm_nonneg d (fun j => m j + Rabs (v j))) as Nm.
    apply Rle_trans with (K * nrm d (fun j => m j + Rabs (v j)) + 3 * e * sd).
    - apply Rsqr_incr_0_var; [unfold Rsqr; rewrite nrm_square; lra|]. assert (0 <= K * nrm d (fun j => m j + Rabs (v j))) by (apply Rmult_le_pos; assumption). lra.
    - apply Rplus_le_compat_r. apply Rmult_le_compat_l; [exact K0 | lra].
  Qed.

  (* Where w is next to u/mu: either the error of u is well below what the code takes for it, or ||w|| is of the size of u, and e_z counts. *)
  Lemma two_ways : 900 * (1 + mu) * e * sd <= off -> nrm d (fun j => mu * w j - v' j) <= 26 / 100 * off ->
    off <= 3 / 4 * seen \/ (Am <= 4 * (mu * W) /\ off <= 102 / 100 * (u * (INR n + 10) * Am)).
  Proof.
    intros Hoff HR. set (c := (1 + mu) * e * sd) in *. assert (MW0 : 0 <= mu * W) by (apply Rmult_le_pos; lra).
    replace (900 * (1 + mu) * e * sd) with (900 * c) in Hoff by (unfold c; ring).
    assert (Ec : e * sd <= c). { unfold c. rewrite Rmult_assoc. rewrite <- (Rmult_1_l (e * sd)) at 1. apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra. }
    assert (E0 : 0 <= e * sd) by (apply Rmult_le_pos; lra).
    pose proof (norm_u fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts X (l2 d mu) (l2_conj d mu) mu w alpha (@l2_residual A d mu) (fun v j => mu * fl (v j / mu)) d (INR d * (mu + 4)) (mu * nrm d w) l2_parts) as H0.
    change (off <= seen) in H0. assert (Seen : seen <= u * (INR n + 63 / 10) * Am + 3 * (u * (mu * W)) + 9 * c).
    { unfold seen. assert (u * (e * sd) <= 1 / 1000 * (e * sd)) by (apply Rmult_le_compat_r; lra). replace (4 * (1 + mu) * e * sd) with (4 * c) by (unfold c; ring). lra. }
    assert (UM : u * (mu * W) <= 1 / 1000 * (mu * W)) by (apply Rmult_le_compat_r; lra).
    destruct (small (n + 7) ltac:(unfold most; lia)) as (_ & _ & Hn). rewrite plus_INR in Hn. replace (INR 7) with 7 in Hn by (simpl; ring).
    assert (UA : u * (INR n + 63 / 10) * Am <= 1 / 10000 * Am) by (apply Rmult_le_compat_r; lra).
    (* mu ||w|| <= ||v'|| + .. *)
    assert (Hw : mu * W <= Am + off + 26 / 100 * off).
    { pose proof (nrm_u_of n d X alpha n_pos) as Hu. fold Am in Hu.
      pose proof (nrm_triangle d (u_of n X alpha) (fun j => - (u_of n X alpha j - v' j))) as T1.
      assert (E1 : nrm d (fun j => u_of n X alpha j + - (u_of n X alpha j - v' j)) = nrm d v') by (unfold nrm; f_equal; apply norm2_ext; intros; ring).
      assert (E2 : nrm d (fun j => - (u_of n X alpha j - v' j)) = off) by (unfold off, nrm, norm2, dot; f_equal; apply bsum_ext; intros; ring).
      cbv beta in T1. rewrite E1, E2 in T1. pose proof (nrm_triangle d v' (fun j => mu * w j - v' j)) as T2.
      assert (E3 : nrm d (fun j => v' j + (mu * w j - v' j)) = mu * W).
      { unfold W, nrm. rewrite (norm2_ext d _ (fun j => mu * w j)) by (intros; ring). rewrite norm2_scal, sqrt_mult by (try apply pow2_ge_0; apply norm2_nonneg).
        f_equal. apply sqrt_pow2. lra. }
      cbv beta in T2. rewrite E3 in T2. lra. }
    assert (UW : u * (mu * W) <= u * (Am + off + 26 / 100 * off)) by (apply Rmult_le_compat_l; lra).
    assert (UO : u * off <= 1 / 10000 * off) by (apply Rmult_le_compat_r; lra). assert (UA0 : 0 <= u * Am) by (apply Rmult_le_pos; lra).
    assert (NA0 : 0 <= u * (INR n * Am)) by (apply Rmult_le_pos; [|apply Rmult_le_pos]; lra).
    destruct (Rle_lt_dec Am (4 * (mu * W))) as [C|C]; [right; split; [exact C | lra]|left].
    set (V := nrm d v). assert (V0 : 0 <= V) by apply nrm_nonneg. destruct (l2_parts v v_exact) as (_ & _ & Hv & _). fold V W sd in Hv. change (fun j => v j - mu * fl (v j / mu)) with (fun j => v j - v' j) in Hv.
    replace (4 * (1 + mu) * e * sd) with (4 * c) in Hv by (unfold c; ring).
    assert (HV : V <= nrm d (fun j => v j - v' j) + 26 / 100 * off + mu * W).
    { pose proof (nrm_triangle d (fun j => v j - v' j) (fun j => - (mu * w j - v' j))) as T1. pose proof (nrm_triangle d (fun j => v j - v' j + - (mu * w j - v' j)) (fun j => mu * w j)) as T2.
      assert (E2 : nrm d (fun j => - (mu * w j - v' j)) = nrm d (fun j => mu * w j - v' j)) by (unfold nrm, norm2, dot; f_equal; apply bsum_ext; intros; ring).
      assert (E3 : nrm d (fun j => v j - v' j + - (mu * w j - v' j) + mu * w j) = V) by (unfold V, nrm; f_equal; apply norm2_ext; intros; ring).
      assert (E4 : nrm d (fun j => mu * w j) = mu * W) by (unfold W, nrm; rewrite norm2_scal, sqrt_mult by (try apply pow2_ge_0; apply norm2_nonneg); f_equal; apply sqrt_pow2; lra).
      cbv beta in T1, T2. rewrite E2 in T1. rewrite E3, E4 in T2. lra. }
    assert (UV : u * V <= 1 / 10000 * V) by (apply Rmult_le_compat_r; lra).
    assert (Hoff2 : off <= nrm d (fun j => u_of n X alpha j - v j) + nrm d (fun j => v j - v' j)).
    { pose proof (nrm_triangle d (fun j => u_of n X alpha j - v j) (fun j => v j - v' j)) as T. assert (E1 : nrm d (fun j => u_of n X alpha j - v j + (v j - v' j)) = off) by (unfold off, nrm; f_equal; apply norm2_ext; intros; ring).
      cbv beta in T. rewrite E1 in T. exact T. }
    pose proof off_cancelling as Hc. fold V in Hc. assert (HV2 : V <= 27 / 100 * Am) by lra.
    assert (P1 : u * V <= u * (27 / 100 * Am)) by (apply Rmult_le_compat_l; lra).
    assert (P2 : u * INR n * V <= u * INR n * (27 / 100 * Am)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra).
    assert (P3 : u * (mu * W) <= u * (1 / 4 * Am)) by (apply Rmult_le_compat_l; lra).
    assert (Low : u * (INR n + 63 / 10) * Am <= seen).
    { unfold seen. assert (0 <= u * (e * sd)) by (apply Rmult_le_pos; lra). assert (0 <= u * (mu * W)) by (apply Rmult_le_pos; lra). replace (4 * (1 + mu) * e * sd) with (4 * c) by (unfold c; ring). lra. }
    lra.
  Qed.

  Let a := (1 + 9 + INR d * (mu + 4)) * e.
  Lemma negligible : 6 * sqrt a < off / sqrt (2 * mu) -> 900 * (1 + mu) * e * sd <= off.
  Proof.
    intros H. set (b := sqrt (2 * mu)) in *. assert (b0 : 0 < b) by (apply sqrt_lt_R0; lra). assert (bb : b * b = 2 * mu) by (apply sqrt_sqrt; lra).
    assert (dm : 0 <= INR d * (mu + 4)) by (apply Rmult_le_pos; lra). assert (a0 : 0 <= a) by (unfold a; apply Rmult_le_pos; lra).
    set (s := sqrt a) in *. assert (s0 : 0 <= s) by apply sqrt_pos. assert (ss : s * s = a) by (apply sqrt_sqrt, a0).
    assert (H1 : 6 * s * b <= off). { apply Rlt_le. apply Rmult_lt_reg_r with (/ b); [apply Rinv_0_lt_compat, b0|]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. exact H. }
    eapply Rle_trans; [|exact H1]. apply Rsqr_incr_0_var; [|repeat apply Rmult_le_pos; lra]. unfold Rsqr. destruct (sd_range d d_pos) as (_ & Hsd). fold sd in Hsd.
    replace (6 * s * b * (6 * s * b)) with (36 * (2 * mu) * a) by (rewrite <- bb, <- ss; ring).
    replace (900 * (1 + mu) * e * sd * (900 * (1 + mu) * e * sd)) with (810000 * ((1 + mu) * (1 + mu)) * e * (INR d * e)) by (rewrite <- Hsd; ring).
    assert (De : 0 <= INR d * e) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (72 * mu * (mu + 4) * (INR d * e)); [|unfold a; assert (0 <= mu * e) by (apply Rmult_le_pos; lra); lra].
    apply Rmult_le_compat_r; [exact De|]. assert (M1 : e * mu <= u * mu) by (apply Rmult_le_compat_r; lra).
    assert (M2 : (1 + mu) * e <= 2 * u * mu) by lra. assert (M3 : (1 + mu) * ((1 + mu) * e) <= (mu + 4) * (2 * u * mu)) by (apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra).
    assert (M4 : u * (mu * (mu + 4)) <= 1 / 1000000000 * (mu * (mu + 4))) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
    assert (0 <= mu * (mu + 4)) by (apply Rmult_le_pos; lra). lra.
  Qed.

  Theorem slope_bound : forall x, primal n d X phi (l2 d mu) w - primal n d X phi (l2 d mu) x
    <= @code_slope_bound A n d X residual (@l2_residual A d mu) L mu w alpha.
  Proof.
    intros x. pose proof (weak_duality n d X phi phis (l2 d mu) (l2_conj d mu) (l2_grad mu) n_pos conjugates (l2_pair d mu mu_pos) alpha x alpha_feasible) as Hweak.
    apply Rle_trans with (primal n d X phi (l2 d mu) w - dual n X phis (l2_conj d mu) alpha); [lra|]. clear Hweak x.
    rewrite <- (gap_from_exact n d X phi phis (l2 d mu) (l2_conj d mu) n_pos). unfold gap_from.
    pose proof (rows_of_rounded n phi phis L alpha n_pos ltac:(lra) slopes _ z ez mean_z) as H1. cbv beta in H1.
    pose proof (regularizer_root d (l2 d mu) (l2_conj d mu) (l2_grad mu) mu mu_pos (l2_strong d mu) (l2_pair d mu mu_pos) (u_of n X alpha) v' w off) as H2.
    specialize (H2 ltac:(rewrite <- nrm_square; fold off; right; ring)). fold Reg in H2.
    set (b := sqrt (2 * mu)) in *. assert (b0 : 0 < b) by (apply sqrt_lt_R0; lra). assert (bb : b * b = 2 * mu) by (apply sqrt_sqrt; lra).
    assert (Eoff : sqrt (off ^ 2 / (2 * mu)) = off / b).
    { unfold Rdiv. rewrite sqrt_mult, sqrt_pow2, sqrt_inv by (try apply pow2_ge_0; try (apply Rlt_le, Rinv_0_lt_compat; lra); exact off0). reflexivity. }
    rewrite Eoff in H2. clear Eoff. set (F := avg n (fun i => phi i (z i) + phis i (alpha i) - alpha i * z i)) in *.
    assert (F0 : 0 <= F).
    { apply avg_nonneg; [exact n_pos|]. intros i Hi. pose proof (fenchel_young _ _ (alpha i) (z i) (conjugates i Hi) (alpha_feasible i Hi)). lra. }
    assert (Reg0 : 0 <= Reg) by (unfold Reg; destruct (l2_pair d mu mu_pos v') as [_ H]; specialize (H w); lra).
    destruct (gap_low fl u e hyp u_value e_value rounding_fl n d n_pos d_pos X phi phis (l2 d mu) (l2_conj d mu) (l2_grad mu) 1 mu) with
      (y := fun _ : nat => 0) (w := w) (alpha := alpha) (residual := residual) (regularizer := @l2_residual A d mu) (moved_z := fun (_ : nat) (t : R) => t)
      (moved_v := fun (v : nat -> R) j => mu * fl (v j / mu)) (powers := d) (underflow := INR d * (mu + 4)) (size := mu * nrm d w) as (_ & g0 & GL).
    { rewrite <- Rinv_1. apply Rinv_le_contravar; [lra | apply pow_R1_Rle; lra]. } { exact conjugates. } { apply l2_pair, mu_pos. } { exact alpha_feasible. }
    { intros i t Hi Ht r t'. destruct (rows i t Hi Ht) as (R0 & R1 & R2). unfold r, t'. split; [exact R0|]. split; [exact R1|]. split.
      - unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. pose proof (Rabs_pos t). pose proof (Rabs_pos 0). repeat apply Rmult_le_pos; lra.
      - fold q. lra. }
    { exact l2_parts. } { apply l2_underflow, mu_pos. }
    fold q a in GL. set (gap_ := @computed_gap A n d X residual (@l2_residual A d mu) w alpha) in *. unfold gap_from in GL.
    change (q ^ (n + d + 10) * (F + Reg) <= gap_ + a) in GL.
    (* the computed sizes *)
    unfold code_slope_bound. fold gap_. set (wl := @length_of A d w). set (nn := @norm_of A n d X). set (al := @mean_length A n d X alpha).
    pose proof (length_below fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts w) as Hwl. pose proof (norm_below fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts X) as Hnn.
    pose proof (mean_length_below fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts X alpha) as Hal. fold q W wl in Hwl. fold q N nn in Hnn. fold q Am al in Hal.
    destruct (plain_e_z_low fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts N W nn wl N0 W0 (norm_big fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts X) Hnn Hwl) as (_ & z0 & _ & Hz).
    fold q in Hz. set (ez_ := @plain_e_z A d nn wl) in *.
    pose proof (elastic_e_u_below fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts Am W al wl mu 0 Am0 W0 (mean_length_nonneg fl u e hyp u_value e_value rounding_fl n d n_pos d_pos X alpha) mu_pos (Rle_refl 0) Hal Hwl) as Hu.
    set (eu_ := @elastic_e_u A n d mu (@int A 0) wl al) in *. change (@elastic_e_u A n d mu 0 wl al) with eu_ in Hu. fold sd in Hu. replace (mu * W + 0 * sd) with (mu * W) in Hu by ring. change (seen <= eu_) in Hu.
    pose proof (norm_u fl u e hyp u_value e_value rounding_fl n d n_pos d_pos counts X (l2 d mu) (l2_conj d mu) mu w alpha (@l2_residual A d mu) (fun v j => mu * fl (v j / mu)) d (INR d * (mu + 4)) (mu * nrm d w) l2_parts) as Hseen.
    change (off <= seen) in Hseen.
    assert (mu17 : u ^ 17 <= mu).
    { eapply Rle_trans; [|exact mu_low]. rewrite u_value, pow_inv, <- pow_mult. apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]]. }
    pose proof (slope_bound_low L mu gap_ ez_ eu_ L_range mu17 g0 z0 ltac:(lra)) as HB. set (B := @slope_bound_of A n d L mu gap_ ez_ eu_) in *. fold b in HB.
    set (M := (1 + u * INR most) * q ^ 21) in *. set (p := q ^ (n + d + 10)) in *.
    destruct (small most ltac:(lia)) as (Mo0 & _ & Mo1). pose proof (q_power 21) as Q21. pose proof (q_power (n + d + 10)) as Qp. fold p in Qp.
    assert (Um : 0 <= u * INR most) by (apply Rmult_le_pos; lra).
    assert (HM : M <= 101 / 100). { unfold M. assert ((1 + u * INR most) * q ^ 21 <= (1 + u * INR most) * 1) by (apply Rmult_le_compat_l; lra). lra. }
    assert (HMp : 1 <= M * p).
    { pose proof (grow_covers u e u_value e_value n d counts (21 + (n + d + 10)) most ltac:(unfold most; lia) ltac:(unfold most; lia)) as H. fold q in H. rewrite pow_add in H. fold p in H. unfold M. lra. }
    assert (HM1 : 1 <= M). { assert (M * p <= M * 1); [apply Rmult_le_compat_l; [|lra]; unfold M; apply Rmult_le_pos; lra | lra]. }
    set (NW := N * W). assert (NW0 : 0 <= NW) by (apply Rmult_le_pos; assumption). fold NW in Hz.
    assert (De : e <= INR d * e) by (rewrite <- (Rmult_1_l e) at 1; apply Rmult_le_compat_r; lra).
    assert (Hez : ez + 9 / 10 * (u * NW) <= ez_).
    { unfold ez. fold NW. assert (H42 : (INR d + 29 / 10) * (u * NW) <= q ^ 42 * (INR d + 3) * (u * NW)).
      { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. pose proof (q_bernoulli u u_value 42) as Hb. fold q in Hb. replace (INR 42) with 42 in Hb by (rewrite INR_IZR_INZ; reflexivity).
        destruct (small (d + 3) ltac:(unfold most; lia)) as (_ & _ & Hs). rewrite plus_INR in Hs. replace (INR 3) with 3 in Hs by (simpl; ring).
        assert ((1 - 42 * u) * (INR d + 3) <= q ^ 42 * (INR d + 3)) by (apply Rmult_le_compat_r; lra). lra. }
      assert (999 / 1000 * (14 * (INR d * e) - e) <= q * (14 * (INR d * e) - e)) by (apply Rmult_le_compat_r; lra). lra. }
    set (T := 15 * a). assert (dm : 0 <= INR d * (mu + 4)) by (apply Rmult_le_pos; lra). assert (a0 : 0 <= a) by (unfold a; apply Rmult_le_pos; lra).
    assert (HT : T + 7 * e <= 30 * (4 + mu) * (1 + INR d) * e).
    { unfold T, a. assert (0 <= mu * e) by (apply Rmult_le_pos; lra). assert (0 <= INR d * mu * e) by (repeat apply Rmult_le_pos; lra). lra. }
    assert (Hb0 : 0 <= u * NW) by (apply Rmult_le_pos; lra). set (bonus := 9 / 10 * (u * NW)) in *.
    assert (Hy : off / b <= eu_ / b) by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, b0 | lra]).
    assert (Hx : 0 <= off / b) by (apply Rmult_le_pos; [exact off0 | apply Rlt_le, Rinv_0_lt_compat, b0]).
    set (R_ := sqrt Reg) in *. assert (RR : R_ * R_ = Reg) by (apply sqrt_sqrt, Reg0). set (r := sqrt gap_) in *. assert (rr : r * r = gap_) by (apply sqrt_sqrt, g0).
    pose proof (mixed_term M p F R_ r a (off / b) (eu_ / b) bonus T F0 (sqrt_pos _) (sqrt_pos _) a0 (conj Hx Hy) HM Qp HMp) as HX.
    assert (Hfin : F + (R_ + off / b) ^ 2 <= M * (r + eu_ / b) ^ 2 + bonus + T).
    { apply HX; clear HX.
      - clear - GL RR rr. clearbody R_ r. replace (R_ ^ 2) with (R_ * R_) by ring. replace (r ^ 2) with (r * r) by ring. rewrite RR, rr. exact GL.
      - unfold T. lra.
      - unfold bonus. lra.
      - intros Hs HR26. assert (HRoff : nrm d (fun j => mu * w j - v' j) <= 26 / 100 * off).
        { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite nrm_square, Reg_value, <- bb, <- RR. apply Rmult_le_compat_r with (r := b) in HR26; [|lra].
          replace (26 / 100 * (off / b) * b) with (26 / 100 * off) in HR26 by (field; lra). replace (b * b * (R_ * R_)) with (R_ * b * (R_ * b)) by ring.
          assert (0 <= R_ * b) by (apply Rmult_le_pos; [apply sqrt_pos | lra]). apply Rmult_le_compat; assumption. }
        destruct (two_ways (negligible Hs) HRoff) as [H | [HA Hoff]].
        + left. apply Rle_trans with (3 / 4 * eu_ / b); [apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, b0 | lra] | right; unfold Rdiv; ring].
        + right. set (s := sqrt a) in *. assert (s0 : 0 <= s) by apply sqrt_pos. assert (ss : s * s = a) by (apply sqrt_sqrt, a0).
          set (P := Am / b). assert (P0 : 0 <= P) by (apply Rmult_le_pos; [exact Am0 | apply Rlt_le, Rinv_0_lt_compat, b0]).
          assert (PP : P * P * (2 * mu) = Am * Am) by (unfold P; rewrite <- bb; field; lra).
          assert (Hoffb : off / b <= 102 / 100 * (u * (INR n + 10) * P)).
          { apply Rle_trans with (102 / 100 * (u * (INR n + 10) * Am) / b); [apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, b0 | exact Hoff] | right; unfold P; field; lra]. }
          assert (HNW : 45 / 100 * (u * (P * P)) <= bonus).
          { apply Rmult_le_reg_r with (2 * mu); [lra|]. unfold bonus. replace (45 / 100 * (u * (P * P)) * (2 * mu)) with (45 / 100 * (u * (Am * Am))) by (rewrite <- PP; ring).
            assert (Am * Am <= N * (4 * (mu * W))) by (apply Rmult_le_compat; try lra; apply Am_below).
            assert (u * (Am * Am) <= u * (N * (4 * (mu * W)))) by (apply Rmult_le_compat_l; lra). unfold NW. lra. }
          set (k := u * (INR n + 10)) in *. assert (k0 : 0 <= k) by (apply Rmult_le_pos; lra).
          assert (kk : k * k <= 1 / 8 * u).
          { pose proof counts as Hc. replace (INR (2 * (n + d) + 128)) with (2 * (INR n + INR d) + 128) in Hc by (rewrite plus_INR, mult_INR, plus_INR; simpl (INR 2); rewrite (INR_IZR_INZ 128); simpl; ring).
            assert ((2 * (INR n + 10)) ^ 2 <= (2 * (INR n + INR d) + 128) ^ 2) by (apply pow_incr; lra).
            assert ((2 * (INR n + 10)) ^ 2 * u <= (2 * (INR n + INR d) + 128) ^ 2 * u) by (apply Rmult_le_compat_r; lra).
            assert (u * ((INR n + 10) ^ 2 * u) <= u * (1 / 8)) by (apply Rmult_le_compat_l; lra). unfold k. lra. }
          assert (Hk : off / b * s <= 102 / 100 * (k * P) * s) by (apply Rmult_le_compat_r; lra).
          assert (Hkk : k * k * (P * P) <= 1 / 8 * u * (P * P)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
          pose proof (pow2_ge_0 (s - 1275 / 1000 * (k * P))) as Hsq. assert (0 <= u * (P * P)) by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; exact P0). lra. }
    assert (HB2 : M * (r + eu_ / b) ^ 2 + L * ez_ + (T + 7 * e) <= B + 7 * e).
    { eapply Rle_trans; [|exact HB]. assert (Le : 0 <= L * ez_) by (apply Rmult_le_pos; lra).
      set (t := 30 * (4 + mu) * (1 + INR d) * e) in *. assert (t0 : 0 <= t) by (unfold T in HT; lra). rewrite 2!Rmult_plus_distr_l. assert (1 * (L * ez_) <= M * (L * ez_)) by (apply Rmult_le_compat_r; lra).
      assert (1 * t <= M * t) by (apply Rmult_le_compat_r; lra). lra. }
    assert (HL : L * ez + bonus <= L * ez_).
    { apply Rle_trans with (L * (ez + bonus)); [|apply Rmult_le_compat_l; lra]. assert (1 * bonus <= L * bonus) by (apply Rmult_le_compat_r; unfold bonus; lra). lra. }
    eapply Rle_trans; [apply Rplus_le_compat; [exact H1 | exact H2]|]. lra.
  Qed.
End Bound.

(* -- hinge and absolute loss, L2 ------------------------------------------------------------------------------------------------ *)
Theorem hinge_domain : forall y a, is_label y -> -1 <= y * a <= 0 -> conj_dom (hinge y) a.
Proof.
  intros y a Hy Ha. exists (y * a). intros r (z & ->). unfold hinge. pose proof (Rmax_l 0 (1 - y * z)). pose proof (Rmax_r 0 (1 - y * z)).
  assert (E : a * z = y * a * (y * z)) by (destruct Hy as [-> | ->]; ring). rewrite E. set (t := y * z) in *. set (b := y * a) in *.
  destruct (Rle_lt_dec 1 t); [assert (- b * 1 <= - b * t) by (apply Rmult_le_compat_l; lra); lra|].
  assert (- b * (1 - t) <= 1 * (1 - t)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Theorem hinge_conjugate : forall y, is_label y -> conjugate (hinge y) (hinge_conj y).
Proof.
  intros y Hy a [M HM]. assert (yy : y * y = 1) by (destruct Hy as [-> | ->]; ring).
  assert (Hv : forall t, y * a * t - Rmax 0 (1 - t) <= M).
  { intros t. apply HM. exists (y * t). unfold hinge. replace (y * (y * t)) with (y * y * t) by ring. rewrite yy, Rmult_1_l. ring. }
  set (b := y * a) in *. set (K := Rabs M). assert (HK : M <= K /\ 0 <= K) by (split; [apply Rle_abs | apply Rabs_pos]).
  assert (Ha : -1 <= b <= 0).
  { split; apply Rnot_lt_le; intros Hn.
    - pose proof (Hv ((K + 2) / (b + 1))) as H. assert (H0 : (K + 2) / (b + 1) <= 0).
      { unfold Rdiv. rewrite <- (Rmult_0_r (K + 2)). apply Rmult_le_compat_l; [lra | apply Rlt_le, Rinv_lt_0_compat; lra]. }
      rewrite Rmax_right in H by lra. assert (E : b * ((K + 2) / (b + 1)) + (K + 2) / (b + 1) = K + 2) by (field; lra). lra.
    - pose proof (Hv ((K + 1) / b + 1)) as H. assert (H0 : 0 <= (K + 1) / b) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
      rewrite Rmax_left in H by lra. assert (E : b * ((K + 1) / b + 1) = K + 1 + b) by (field; lra). lra. }
  split; [|intros m Hm; apply Hm; exists y; unfold hinge, hinge_conj; rewrite yy, Rmax_left by lra; ring].
  intros r (z & ->). unfold hinge, hinge_conj. fold b. pose proof (Rmax_l 0 (1 - y * z)). pose proof (Rmax_r 0 (1 - y * z)).
  assert (E : a * z = b * (y * z)) by (unfold b; rewrite <- (Rmult_1_l (a * z)), <- yy; ring). rewrite E. set (t := y * z) in *.
  destruct (Rle_lt_dec 1 t); [assert (- b * 1 <= - b * t) by (apply Rmult_le_compat_l; lra); lra|].
  assert (- b * (1 - t) <= 1 * (1 - t)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
(* Slopes of at most 1, as alpha is in the domain. *)
Lemma hinge_slopes : forall y al a b, is_label y -> -1 <= y * al <= 0 ->
  Rabs ((hinge y a - al * a) - (hinge y b - al * b)) <= 1 * Rabs (a - b).
Proof.
  assert (H : forall c s t, 0 <= c <= 1 -> t <= s -> Rabs ((Rmax 0 (1 - s) + c * s) - (Rmax 0 (1 - t) + c * t)) <= s - t).
  { intros c s t Hc Hst. assert (0 <= c * (s - t)) by (apply Rmult_le_pos; lra). assert (c * (s - t) <= 1 * (s - t)) by (apply Rmult_le_compat_r; lra).
    apply Rabs_le. unfold Rmax. repeat destruct Rle_dec; lra. }
  intros y al a b Hy Hal. apply Rle_trans with (Rabs (a - b)); [|lra]. set (c := - (y * al)). assert (Hc : 0 <= c <= 1) by (unfold c; lra).
  assert (E : forall x, hinge y x - al * x = Rmax 0 (1 - y * x) + c * (y * x)) by (intros x; unfold hinge, c; destruct Hy as [-> | ->]; ring).
  rewrite !E. assert (Ey : Rabs (a - b) = Rabs (y * a - y * b)).
  { destruct Hy as [-> | ->]; [f_equal; ring|]. rewrite <- Rabs_Ropp. f_equal. ring. }
  rewrite Ey. destruct (Rle_lt_dec (y * b) (y * a)) as [L|L].
  - rewrite (Rabs_right (y * a - y * b)) by lra. apply H; assumption.
  - rewrite Rabs_minus_sym, (Rabs_left (y * a - y * b)) by lra. replace (- (y * a - y * b)) with (y * b - y * a) by ring. apply H; [exact Hc | lra].
Qed.

Theorem absolute_domain : forall y a, -1 <= a <= 1 -> conj_dom (absolute_loss y) a.
Proof.
  intros y a Ha. exists (y * a). intros r (z & ->). unfold absolute_loss. unfold Rabs. destruct Rcase_abs.
  - assert (0 <= (1 + a) * (y - z)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (1 - a) * (z - y)) by (apply Rmult_le_pos; lra). lra.
Qed.
Theorem absolute_conjugate : forall y, conjugate (absolute_loss y) (absolute_loss_conj y).
Proof.
  intros y a [M HM]. assert (Hv : forall t, y * a + a * t - Rabs t <= M).
  { intros t. apply HM. exists (y + t). unfold absolute_loss. replace (y + t - y) with t by ring. ring. }
  set (K := Rabs (M - y * a)). assert (HK : M - y * a <= K /\ 0 <= K) by (split; [apply Rle_abs | apply Rabs_pos]).
  assert (Ha : -1 <= a <= 1).
  { split; apply Rnot_lt_le; intros Hn.
    - pose proof (Hv ((K + 1) / (a + 1))) as H. assert (H0 : (K + 1) / (a + 1) < 0).
      { unfold Rdiv. rewrite <- (Rmult_0_r (K + 1)). apply Rmult_lt_compat_l; [lra | apply Rinv_lt_0_compat; lra]. }
      rewrite Rabs_left in H by exact H0. assert (E : a * ((K + 1) / (a + 1)) + (K + 1) / (a + 1) = K + 1) by (field; lra). lra.
    - pose proof (Hv ((K + 1) / (a - 1))) as H. rewrite Rabs_right in H by (apply Rle_ge, Rlt_le, Rdiv_lt_0_compat; lra).
      assert (E : a * ((K + 1) / (a - 1)) - (K + 1) / (a - 1) = K + 1) by (field; lra). lra. }
  split; [|intros m Hm; apply Hm; exists y; unfold absolute_loss, absolute_loss_conj; rewrite Rminus_eq_0, Rabs_R0; ring].
  intros r (z & ->). unfold absolute_loss, absolute_loss_conj. unfold Rabs. destruct Rcase_abs.
  - assert (0 <= (1 + a) * (y - z)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (1 - a) * (z - y)) by (apply Rmult_le_pos; lra). lra.
Qed.
(* Slopes of at most 2. *)
Lemma absolute_slopes : forall y al a b, -1 <= al <= 1 -> Rabs ((absolute_loss y a - al * a) - (absolute_loss y b - al * b)) <= 2 * Rabs (a - b).
Proof.
  intros y al a b Hal. unfold absolute_loss. pose proof (Rabs_triang_inv2 (a - y) (b - y)) as H. replace (a - y - (b - y)) with (a - b) in H by ring.
  replace (Rabs (a - y) - al * a - (Rabs (b - y) - al * b)) with (Rabs (a - y) - Rabs (b - y) + - al * (a - b)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult (- al)). assert (Rabs (- al) <= 1) by (apply Rabs_le; lra). pose proof (Rabs_pos (a - b)).
  assert (Rabs (- al) * Rabs (a - b) <= 1 * Rabs (a - b)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Section Rows.
  Variables (fl : R -> R) (u e : R) (hyp : R -> R -> R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Hypothesis one_exact : fl 1 = 1.
  Local Notation A := (rounded fl hyp).
  Local Notation exact := (exact fl).
  Let q := 1 - u.
  Let u_pos := u_pos u u_value.
  Let e_pos := e_pos e e_value.
  Let u_small : u <= 1 / 1000000000. Proof. apply Rle_trans with (/ 2 ^ 40); [apply (u_small u u_value)|]. simpl. lra. Qed.
  Let q_power : forall k, 0 < q ^ k <= 1 := q_power u u_value.

  (* A product of two nonnegative factors, each rounded once. *)
  Lemma product_low : forall f g, 0 <= f -> 0 <= g -> forall f' g', q * f <= f' -> q * g <= g' ->
    0 <= fl (f' * g') /\ exact (fl (f' * g')) /\ q ^ 8 * (f * g) - 9 * e <= fl (f' * g').
  Proof.
    intros f g Hf Hg f' g' Hf' Hg'. assert (Hq : 0 < q) by (unfold q; lra). assert (F0 : 0 <= q * f) by (apply Rmult_le_pos; lra). assert (G0 : 0 <= q * g) by (apply Rmult_le_pos; lra).
    assert (P0 : 0 <= f' * g') by (apply Rmult_le_pos; lra). split; [apply (fl_nonneg fl u e rounding_fl), P0|]. split; [apply (fl_exact fl u e rounding_fl)|].
    pose proof (fl_low fl u e rounding_fl _ P0) as H. fold q in H. assert (q * f * (q * g) <= f' * g') by (apply Rmult_le_compat; assumption).
    assert (q * (q * f * (q * g)) <= q * (f' * g')) by (apply Rmult_le_compat_l; lra). assert (FG : 0 <= f * g) by (apply Rmult_le_pos; assumption).
    assert (q ^ 8 * (f * g) <= q ^ 3 * (f * g)).
    { apply Rmult_le_compat_r; [exact FG|]. replace (q ^ 8) with (q ^ 5 * q ^ 3) by ring. destruct (q_power 5). destruct (q_power 3). rewrite <- (Rmult_1_l (q ^ 3)) at 2. apply Rmult_le_compat_r; lra. }
    lra.
  Qed.
  Lemma difference_low : forall x y, exact x -> exact y -> y <= x -> q * (x - y) <= fl (x - y).
  Proof.
    intros x y Hx Hy H. pose proof (sum_error fl u e rounding_fl x (- y) Hx (exact_opp fl u e rounding_fl y Hy)) as E. change (x + - y) with (x - y) in E.
    rewrite (Rabs_right (x - y)) in E by lra. apply within in E. unfold q. lra.
  Qed.

  Theorem hinge_row : forall y z a, is_label y -> -1 <= y * a <= 0 -> exact z -> exact a ->
    let r := @hinge_residual A y z a in 0 <= r /\ exact r /\ q ^ 8 * (hinge y z + hinge_conj y a - a * z) - 9 * e <= r.
  Proof.
    intros y z a Hy Ha Hz Hae r. set (m := y * z). set (b := - y * a). assert (Hb : 0 <= b <= 1) by (unfold b; lra).
    assert (E : r = if Rle_dec 1 m then fl (b * fl (m - 1)) else fl (fl (1 - b) * fl (1 - m))).
    { assert (Em : fl (y * z) = m /\ fl (fl (0 - y) * a) = b).
      { pose proof (exact_opp fl u e rounding_fl) as Op. unfold m, b. destruct Hy as [-> | ->].
        - replace (0 - 1) with (- (1)) by ring. rewrite (Op 1 one_exact). split; [rewrite Rmult_1_l; exact Hz | replace (- (1) * a) with (- a) by ring; apply Op, Hae].
        - replace (0 - -1) with 1 by ring. rewrite one_exact. replace (-1 * z) with (- z) by ring. replace (- -1 * a) with a by ring. rewrite Rmult_1_l.
          split; [apply Op, Hz | exact Hae]. }
      unfold r, hinge_residual. cbn [int sub mul at_most rounded num]. change (INR 0) with 0. change (INR 1) with 1. rewrite (proj1 Em), (proj2 Em).
      destruct (Rle_dec 1 m); reflexivity. }
    assert (Hm : exact m). { unfold m. destruct Hy as [-> | ->]; [rewrite Rmult_1_l; exact Hz | replace (-1 * z) with (- z) by ring; apply (exact_opp fl u e rounding_fl), Hz]. }
    assert (Hbe : exact b). { unfold b. destruct Hy as [-> | ->]; [replace (- (1) * a) with (- a) by ring; apply (exact_opp fl u e rounding_fl), Hae | replace (- -1 * a) with a by ring; exact Hae]. }
    assert (FY : hinge y z + hinge_conj y a - a * z = Rmax 0 (1 - m) - b + b * m) by (unfold hinge, hinge_conj, b, m; destruct Hy as [-> | ->]; ring).
    rewrite FY. clear FY. rewrite E. clear E. destruct (Rle_dec 1 m) as [M|M].
    - rewrite Rmax_left by lra. replace (0 - b + b * m) with (b * (m - 1)) by ring. apply product_low; try lra.
      + assert (q * b <= 1 * b) by (apply Rmult_le_compat_r; unfold q; lra). lra.
      + apply difference_low; [exact Hm | exact one_exact | exact M].
    - rewrite Rmax_right by lra. replace (1 - m - b + b * m) with ((1 - b) * (1 - m)) by ring. apply product_low; try lra; apply difference_low; try assumption; lra.
  Qed.

  Theorem absolute_row : forall y z a, exact y -> -1 <= a <= 1 -> exact z -> exact a ->
    let r := @absolute_residual A y z a in 0 <= r /\ exact r /\ q ^ 8 * (absolute_loss y z + absolute_loss_conj y a - a * z) - 9 * e <= r.
  Proof.
    intros y z a Hy Ha Hz Hae r. assert (E : r = if Rle_dec y z then fl (fl (z - y) * fl (1 - a)) else fl (fl (y - z) * fl (1 + a))).
    { unfold r, absolute_residual. cbn [int sub add mul at_most rounded num]. change (INR 1) with 1. destruct (Rle_dec y z); reflexivity. }
    rewrite E. clear E. unfold absolute_loss, absolute_loss_conj. destruct (Rle_dec y z) as [M|M].
    - rewrite Rabs_right by lra. replace (z - y + y * a - a * z) with ((z - y) * (1 - a)) by ring. apply product_low; try lra; apply difference_low; try assumption; lra.
    - rewrite Rabs_left by lra. replace (- (z - y) + y * a - a * z) with ((y - z) * (1 + a)) by ring. replace (1 + a) with (1 - - a) by ring.
      apply product_low; try lra; apply difference_low; try assumption; try lra. apply (exact_opp fl u e rounding_fl), Hae.
  Qed.
End Rows.

(* gap_bound, as it is computed with every operation rounded: numbers that are not changed by rounding, at most 2^25 - 64 rows and columns
   together, mu at least 2^-900. *)
Theorem gap_bound_hinge_l2 : forall fl hyp n d X y w alpha mu x, let u := / 2 ^ 53 in let e := / 2 ^ 1075 in rounding fl u e -> fl 1 = 1 ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2 -> / 2 ^ 900 <= mu ->
  (forall i, (i < n)%nat -> is_label (y i) /\ -1 <= y i * alpha i <= 0) -> (forall j, fl (w j) = w j) -> (forall i, fl (alpha i) = alpha i) ->
  let loss i := hinge (y i) in
  primal n d X loss (l2 d mu) w - primal n d X loss (l2 d mu) x
  <= @code_slope_bound (rounded fl hyp) n d X (fun i z a => @hinge_residual (rounded fl hyp) (y i) z a) (@l2_residual (rounded fl hyp) d mu) 1 mu w alpha.
Proof.
  intros fl hyp n d X y w alpha mu x u e Hfl H1 Hn Hd Hc Hm Hy Hw Ha loss.
  apply (slope_bound fl u e hyp eq_refl eq_refl Hfl n d Hn Hd Hc X loss (fun i => hinge_conj (y i)) 1 mu w alpha); try assumption; try lra.
  - intros i Hi. apply hinge_conjugate, Hy, Hi.
  - intros i Hi. destruct (Hy i Hi) as [L D]. apply hinge_domain; assumption.
  - intros i Hi. destruct (Hy i Hi) as [L D]. apply Rabs_le. destruct L as [L | L]; rewrite L in D; lra.
  - intros i a b Hi. destruct (Hy i Hi) as [L D]. apply hinge_slopes; assumption.
  - intros i z Hi Hz. destruct (Hy i Hi) as [L D]. apply (hinge_row fl u e hyp eq_refl eq_refl Hfl H1 (y i) z (alpha i) L D Hz (Ha i)).
Qed.

Theorem gap_bound_absolute_l2 : forall fl hyp n d X y w alpha mu x, let u := / 2 ^ 53 in let e := / 2 ^ 1075 in rounding fl u e -> fl 1 = 1 ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2 -> / 2 ^ 900 <= mu ->
  (forall i, (i < n)%nat -> -1 <= alpha i <= 1) -> (forall i, fl (y i) = y i) -> (forall j, fl (w j) = w j) -> (forall i, fl (alpha i) = alpha i) ->
  let loss i := absolute_loss (y i) in
  primal n d X loss (l2 d mu) w - primal n d X loss (l2 d mu) x
  <= @code_slope_bound (rounded fl hyp) n d X (fun i z a => @absolute_residual (rounded fl hyp) (y i) z a) (@l2_residual (rounded fl hyp) d mu) 2 mu w alpha.
Proof.
  intros fl hyp n d X y w alpha mu x u e Hfl H1 Hn Hd Hc Hm Hal Hy Hw Ha loss.
  apply (slope_bound fl u e hyp eq_refl eq_refl Hfl n d Hn Hd Hc X loss (fun i => absolute_loss_conj (y i)) 2 mu w alpha); try assumption; try lra.
  - intros i Hi. apply absolute_conjugate.
  - intros i Hi. apply absolute_domain, Hal, Hi.
  - intros i Hi. apply Rabs_le, Hal, Hi.
  - intros i a b Hi. apply absolute_slopes, Hal, Hi.
  - intros i z Hi Hz. apply (absolute_row fl u e hyp eq_refl eq_refl Hfl H1 (y i) z (alpha i) (Hy i) (Hal i Hi) Hz (Ha i)).
Qed.
