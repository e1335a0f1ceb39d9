(* `gap_bound` as it is computed at gamma = 0: P(w) - P(v) <= gap_bound for every v, with the hinge loss and L2. *)
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

(* -- the bound, every operation rounded -------------------------------------------------------------------------------------- *)
Section Computed.
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

  (* A product with powers of q, without what underflow loses. *)
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
End Computed.
