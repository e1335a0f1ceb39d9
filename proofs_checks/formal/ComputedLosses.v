(* `gap_bound` as it is computed: the rows of the smoothed hinge and of the squared hinge. *)
From Coq Require Import Reals ZArith Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Certificate Rounded Computed.
Open Scope R_scope.

(* -- nonnegative numbers from below: r is at least T, up to k roundings and c ---------------------------------------------- *)
Section Below.
  Variables (fl : R -> R) (u e : R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Local Notation exact := (exact fl).
  Let q := 1 - u.
  Let u_pos := u_pos u u_value.
  Let e_pos := e_pos e e_value.
  Let fl_low := fl_low fl u e rounding_fl.
  Let fl_exact := fl_exact fl u e rounding_fl.
  Let fl_nonneg := fl_nonneg fl u e rounding_fl.
  Let q_power := q_power u u_value.
  Let u_small : u <= 1 / 1000000000. Proof. apply Rle_trans with (/ 2 ^ 40); [apply (u_small u u_value)|]. simpl. lra. Qed.
  Let q_range : 0 < q <= 1. Proof. unfold q. lra. Qed.
  Definition below k T c r := 0 <= T /\ 0 <= c /\ 0 <= r /\ exact r /\ (1 - u) ^ k * T - c <= r.

  Lemma below_more : forall k l T c a r, (k <= l)%nat -> c <= a -> below k T c r -> below l T a r.
  Proof.
    intros k l T c a r Hk Hc (H0 & H1 & H2 & H3 & H4). pose proof (q_less u u_value k l Hk) as Q.
    assert ((1 - u) ^ l * T <= (1 - u) ^ k * T) by (apply Rmult_le_compat_r; assumption). repeat split; try assumption; lra.
  Qed.
  Lemma below_itself : forall x, 0 <= x -> exact x -> below 0 x 0 x.
  Proof. intros x H0 H1. repeat split; try lra; try assumption. Qed.
  Lemma below_sum : forall k S T a b x y, below k S a x -> below k T b y -> below (Datatypes.S k) (S + T) (a + b) (fl (x + y)).
  Proof.
    intros k S T a b x y (S0 & a0 & x0 & x1 & x2) (T0 & b0 & y0 & y1 & y2). pose proof (fl_sum fl u e rounding_fl x y x1 y1 x0 y0) as H.
    assert (H1 : q * ((1 - u) ^ k * (S + T) - (a + b)) <= q * (x + y)) by (apply Rmult_le_compat_l; lra).
    assert (H2 : q * (a + b) <= 1 * (a + b)) by (apply Rmult_le_compat_r; lra).
    split; [lra|]. split; [lra|]. split; [apply fl_nonneg; lra|]. split; [apply fl_exact|].
    change ((1 - u) ^ Datatypes.S k) with ((1 - u) * (1 - u) ^ k). unfold q in *. lra.
  Qed.
  Lemma below_scale : forall k m T c r, 0 <= m -> below k T c r -> below (Datatypes.S k) (m * T) (m * c + e) (fl (m * r)).
  Proof.
    intros k m T c r Hm (T0 & c0 & r0 & r1 & r2). assert (M0 : 0 <= m * r) by (apply Rmult_le_pos; lra). pose proof (fl_low _ M0) as H.
    assert (Mc : 0 <= m * c) by (apply Rmult_le_pos; lra).
    assert (H1 : m * ((1 - u) ^ k * T - c) <= m * r) by (apply Rmult_le_compat_l; lra).
    assert (H2 : q * (m * ((1 - u) ^ k * T - c)) <= q * (m * r)) by (apply Rmult_le_compat_l; lra).
    assert (H3 : q * (m * c) <= 1 * (m * c)) by (apply Rmult_le_compat_r; lra).
    split; [apply Rmult_le_pos; lra|]. split; [lra|]. split; [apply fl_nonneg; lra|]. split; [apply fl_exact|].
    change ((1 - u) ^ Datatypes.S k) with ((1 - u) * (1 - u) ^ k). unfold q in *. lra.
  Qed.
  Lemma below_part : forall k p T c r, 1 <= p -> below k T c r -> below (Datatypes.S k) (T / p) (c + e) (fl (r / p)).
  Proof.
    intros k p T c r Hp H. assert (Hi : 0 < / p <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    pose proof (below_scale k (/ p) T c r ltac:(lra) H) as B. rewrite !(Rmult_comm (/ p)) in B. apply below_more with (k := Datatypes.S k) (c := c * / p + e); [lia | | exact B].
    destruct H as (_ & c0 & _). assert (c * / p <= c * 1) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Lemma below_product : forall k l S T c x y, below k S 0 x -> x <= 1 -> below l T c y -> below (Datatypes.S (k + l)) (S * T) (c + e) (fl (x * y)).
  Proof.
    intros k l S T c x y (S0 & _ & x0 & x1 & x2) Hx (T0 & c0 & y0 & y1 & y2). assert (M0 : 0 <= x * y) by (apply Rmult_le_pos; lra). pose proof (fl_low _ M0) as H.
    pose proof (q_power k) as Qk. pose proof (q_power l) as Ql. assert (LT : 0 <= (1 - u) ^ l * T) by (apply Rmult_le_pos; lra).
    assert (H1 : x * ((1 - u) ^ l * T - c) <= x * y) by (apply Rmult_le_compat_l; lra).
    assert (H2 : (1 - u) ^ k * S * ((1 - u) ^ l * T) <= x * ((1 - u) ^ l * T)) by (apply Rmult_le_compat_r; lra).
    assert (H3 : x * c <= 1 * c) by (apply Rmult_le_compat_r; lra).
    assert (H4 : q * ((1 - u) ^ k * S * ((1 - u) ^ l * T) - c) <= q * (x * y)) by (apply Rmult_le_compat_l; lra).
    assert (H5 : q * c <= 1 * c) by (apply Rmult_le_compat_r; lra).
    split; [apply Rmult_le_pos; lra|]. split; [lra|]. split; [apply fl_nonneg; lra|]. split; [apply fl_exact|].
    change ((1 - u) ^ Datatypes.S (k + l)) with ((1 - u) * (1 - u) ^ (k + l)). rewrite pow_add. unfold q in *. lra.
  Qed.
  Lemma below_difference : forall a b, exact a -> exact b -> b <= a -> below 1 (a - b) 0 (fl (a - b)).
  Proof.
    intros a b Ha Hb H. pose proof (sum_error fl u e rounding_fl a (- b) Ha (exact_opp fl u e rounding_fl b Hb)) as E. change (a + - b) with (a - b) in E.
    rewrite (Rabs_right (a - b)) in E by lra. apply within in E. repeat split; [lra | lra | apply fl_nonneg; lra | apply fl_exact | simpl; lra].
  Qed.
  (* m/2 (a - b)^2 *)
  Lemma below_half_square : forall m a b, 0 < m -> exact a -> exact b -> below 5 (m / 2 * (a - b) ^ 2) ((m + 2) * e) (fl (fl (m * fl (fl (a - b) * fl (a - b))) / 2)).
  Proof.
    intros m a b Hm Ha Hb. destruct (half_square fl u e u_value e_value rounding_fl m a b Hm Ha Hb) as (H0 & H1 & H2).
    repeat split; try assumption. - pose proof (pow2_ge_0 (a - b)). apply Rmult_le_pos; lra. - apply Rmult_le_pos; lra.
  Qed.
End Below.

(* -- the smoothed hinge ---------------------------------------------------------------------------------------------------- *)
Lemma huber_square : forall p, huber p <= p ^ 2 / 2.
Proof. intros p. pose proof (pow2_ge_0 p). pose proof (pow2_ge_0 (p - 1)). unfold huber. cases; nra. Qed.

(* The z at which the term is what was computed. *)
Definition smoothed_hinge_moved (fl : R -> R) gamma y z : R :=
  let m := y * z in let knee := fl (1 - gamma) in
  if Rle_dec 1 m then z else if Rle_dec m knee then y * (m + (1 - gamma - knee)) else y * (1 - gamma * fl (fl (1 - m) / gamma)).
Definition squared_hinge_moved (fl : R -> R) y z a : R :=
  let m := y * z in let b := - (y * a) in let s := fl (1 - m) in
  if Rle_dec 1 m then z else if Rle_dec b (8 * (Rabs s + 1)) then y * (1 - (s + (b / 2 - fl (b / 2)))) else y * (1 - s).

Section Rows.
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
  Let e_small : e <= u / 1000. Proof. destruct (e_below u e u_value e_value) as (_ & H & _). eapply Rle_trans; [exact H|]. assert (u * u <= u * (1 / 1000)) by (apply Rmult_le_compat_l; lra). lra. Qed.
  Let error : forall x, Rabs (fl x - x) <= u * Rabs x + e. Proof. apply rounding_fl. Qed.
  Let fl_exact := fl_exact fl u e rounding_fl.
  Let exact_opp := exact_opp fl u e rounding_fl.
  Local Notation below := (below fl u).
  Let more := below_more fl u u_value.
  Let difference := below_difference fl u e rounding_fl.
  Let sum := below_sum fl u e u_value rounding_fl.
  Let scale := below_scale fl u e u_value e_value rounding_fl.
  Let part := below_part fl u e u_value e_value rounding_fl.
  Let product := below_product fl u e u_value e_value rounding_fl.
  Let half_square_below := below_half_square fl u e u_value e_value rounding_fl.

  (* Products with a label are not rounded. *)
  Lemma labelled : forall y t, is_label y -> exact y -> exact t -> exact 1 /\ fl (y * t) = y * t /\ exact (y * t).
  Proof.
    intros y t [-> | ->] Hy Ht.
    - rewrite Rmult_1_l. repeat split; assumption.
    - apply exact_opp in Hy. replace (- -1) with 1 in Hy by lra. replace (-1 * t) with (- t) by ring. pose proof (exact_opp _ Ht) as Hn. repeat split; assumption.
  Qed.
  Lemma minus_label : forall y a, is_label y -> exact y -> exact a -> fl (fl (0 - y) * a) = - (y * a) /\ exact (- (y * a)).
  Proof.
    intros y a Hl Hy Ha. replace (0 - y) with (- y) by ring. pose proof (exact_opp _ Hy) as Hn. unfold Rounded.exact in Hn. rewrite Hn.
    destruct (labelled y a Hl Hy Ha) as (_ & H & _). replace (- y * a) with (- (y * a)) by ring. apply exact_opp in H as Hx. split; exact Hx.
  Qed.
  Lemma label_distance : forall y z m, is_label y -> Rabs (z - y * m) = Rabs (y * z - m).
  Proof. intros y z m [-> | ->]; [f_equal; ring | rewrite <- Rabs_Ropp; f_equal; ring]. Qed.
  Lemma label_size : forall y, is_label y -> Rabs y = 1.
  Proof. intros y [-> | ->]; unfold Rabs; destruct Rcase_abs; lra. Qed.
  Lemma label_margin : forall y z, is_label y -> Rabs (y * z) = Rabs z.
  Proof. intros y z H. rewrite Rabs_mult, (label_size y H). ring. Qed.

  Lemma smoothed_hinge_term : forall gamma y a m, is_label y -> 0 < gamma -> let b := - (y * a) in let p := (1 - m) / gamma in
    smoothed_hinge gamma y (y * m) + smoothed_hinge_conj gamma y a - a * (y * m) = gamma * (huber p + b ^ 2 / 2 - b * p).
  Proof.
    intros gamma y a m Hl Hg b p. rewrite (smoothed_hinge_huber gamma y Hg). rewrite (label_inverse y _ Hl).
    unfold smoothed_hinge_conj. fold p. replace (a * (y * m)) with (- b * m) by (unfold b; ring). replace (y * a) with (- b) by (unfold b; ring).
    replace (a ^ 2) with (b ^ 2) by (unfold b; replace ((- (y * a)) ^ 2) with (y * y * a ^ 2) by ring; rewrite (label_square y Hl); ring).
    unfold p. field. lra.
  Qed.

  Theorem smoothed_hinge_row : forall gamma y z a, 0 < gamma -> is_label y -> exact y -> exact z -> exact a -> -1 <= y * a <= 0 ->
    let r := @smoothed_hinge_residual A gamma y z a in let z' := smoothed_hinge_moved fl gamma y z in
    0 <= r /\ exact r /\ Rabs (z - z') <= 8 * u * (Rabs z + Rabs y + 1 + gamma) /\
    q ^ 8 * (smoothed_hinge gamma y z' + smoothed_hinge_conj gamma y a - a * z') - (gamma + 8) * e <= r.
  Proof.
    intros gamma y z a Hg Hl Hy Hz Ha Hd r z'. destruct (labelled y z Hl Hy Hz) as (One & Em & Hm). destruct (minus_label y a Hl Hy Ha) as (Eb & Hb).
    set (m := y * z) in *. set (b := - (y * a)) in *. set (knee := fl (1 - gamma)) in *.
    assert (Er : r = if Rle_dec 1 m then fl (fl (b * fl (m - 1)) + fl (fl (gamma * fl (b * b)) / 2))
      else if Rle_dec m knee then fl (fl (1 - b) * fl (fl (knee - m) + fl (fl (gamma * fl (1 - b)) / 2)))
      else fl (fl (gamma * fl (fl (fl (fl (1 - m) / gamma) - b) * fl (fl (fl (1 - m) / gamma) - b))) / 2)).
    { unfold r, smoothed_hinge_residual. cbn [add sub div mul int at_most rounded num]. change (INR 0) with 0. change (INR 1) with 1. replace (INR 2) with 2 by (simpl; ring).
      fold m. rewrite Em, Eb. fold knee. destruct (Rle_dec 1 m); [reflexivity|]. destruct (Rle_dec m knee); reflexivity. }
    assert (B01 : 0 <= b <= 1) by (unfold b; lra). pose proof (label_size y Hl) as Ly. pose proof (label_margin y z Hl) as Lm. fold m in Lm.
    pose proof (Rabs_pos z) as Z0. assert (uZ : 0 <= u * Rabs z) by (apply Rmult_le_pos; lra). assert (uG : 0 <= u * gamma) by (apply Rmult_le_pos; lra).
    assert (eG : 0 <= gamma * e <= u * gamma) by (split; [apply Rmult_le_pos; lra | rewrite (Rmult_comm u); apply Rmult_le_compat_l; lra]).
    assert (Bb : below 0 b 0 b) by (apply (below_itself fl u); [lra | exact Hb]).
    (* what is left: the distance, and the term from below *)
    enough (H : Rabs (z - z') <= 8 * u * (Rabs z + Rabs y + 1 + gamma) /\ below 8 (smoothed_hinge gamma y z' + smoothed_hinge_conj gamma y a - a * z') ((gamma + 8) * e) r).
    { destruct H as (H1 & _ & _ & H2 & H3 & H4). repeat split; assumption. }
    rewrite Ly. unfold z', smoothed_hinge_moved. fold m knee. rewrite Er.
    destruct (Rle_dec 1 m) as [H1 | H1]; [|apply Rnot_le_lt in H1; destruct (Rle_dec m knee) as [H2 | H2]; [|apply Rnot_le_lt in H2]].
    - split; [replace (z - z) with 0 by ring; rewrite Rabs_R0; apply Rmult_le_pos; lra|].
      replace (smoothed_hinge gamma y z + smoothed_hinge_conj gamma y a - a * z) with (b * (m - 1) + gamma * (b * b) / 2).
      + pose proof (scale _ b _ _ _ (proj1 B01) (difference m 1 Hm One H1)) as P1.
        pose proof (scale _ gamma _ _ _ ltac:(lra) (scale _ b _ _ _ (proj1 B01) Bb)) as P2.
        apply (part _ 2) in P2; [|lra].
        pose proof (sum 3 _ _ _ _ _ _ (more 2 3 _ _ _ _ ltac:(lia) (Rle_refl _) P1) P2) as P3.
        apply (more 4 8 _ _ _ _ ltac:(lia)) with (2 := P3). lra.
      + replace z with (y * m) at 1 2 by (unfold m; apply label_inverse, Hl). rewrite (smoothed_hinge_term gamma y a m Hl Hg). fold b.
        assert (P0 : (1 - m) / gamma <= 0). { unfold Rdiv. assert (0 < / gamma) by (apply Rinv_0_lt_compat; lra). assert ((m - 1) * / gamma >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra. }
        unfold huber. destruct (Rle_dec ((1 - m) / gamma) 0); [field; lra | contradiction].
    - set (m' := m + (1 - gamma - knee)). split.
      + rewrite label_distance by exact Hl. fold m. unfold m'. replace (m - (m + (1 - gamma - knee))) with (knee - (1 - gamma)) by ring.
        eapply Rle_trans; [apply error|]. pose proof (Rabs_triang 1 (- gamma)) as T. rewrite Rabs_R1, Rabs_Ropp, (Rabs_right gamma) in T by lra. change (1 + - gamma) with (1 - gamma) in T.
        assert (u * Rabs (1 - gamma) <= u * (1 + gamma)) by (apply Rmult_le_compat_l; lra). lra.
      + rewrite (smoothed_hinge_term gamma y a m' Hl Hg). fold b.
        assert (P1 : 1 <= (1 - m') / gamma). { apply Rmult_le_reg_r with gamma; [lra|]. unfold m'. replace ((1 - (m + (1 - gamma - knee))) / gamma * gamma) with (gamma + (knee - m)) by (field; lra). lra. }
        replace (gamma * (huber ((1 - m') / gamma) + b ^ 2 / 2 - b * ((1 - m') / gamma))) with ((1 - b) * ((knee - m) + gamma * (1 - b) / 2)).
        * pose proof (difference 1 b One Hb (proj2 B01)) as C.
          assert (C1 : fl (1 - b) <= 1). { unfold Rounded.exact in One. rewrite <- One at 2. apply (fl_mono fl u e rounding_fl). lra. }
          pose proof (difference knee m (fl_exact _) Hm H2) as K.
          pose proof (scale _ gamma _ _ _ ltac:(lra) C) as P2. apply (part _ 2) in P2; [|lra].
          pose proof (sum 3 _ _ _ _ _ _ (more 1 3 _ _ _ _ ltac:(lia) (Rle_refl _) K) P2) as P3.
          pose proof (product _ _ _ _ _ _ _ C C1 P3) as P4. apply (more 6 8 _ _ _ _ ltac:(lia)) with (2 := P4). lra.
        * unfold huber. destruct (Rle_dec ((1 - m') / gamma) 0); [lra|]. destruct (Rle_dec 1 ((1 - m') / gamma)); [unfold m'; field; lra | contradiction].
    - set (s := fl (1 - m)). set (t := fl (s / gamma)). split.
      + rewrite label_distance by exact Hl. fold m.
        pose proof (sum_error fl u e rounding_fl 1 (- m) One (exact_opp m Hm)) as E1. change (1 + - m) with (1 - m) in E1. fold s in E1.
        pose proof (error (s / gamma)) as E2. fold t in E2. apply Rmult_le_compat_l with (r := gamma) in E2; [|lra].
        assert (E3 : gamma * Rabs (t - s / gamma) = Rabs (gamma * t - s)).
        { rewrite <- (Rabs_right gamma) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
        assert (E4 : gamma * Rabs (s / gamma) = Rabs s).
        { rewrite <- (Rabs_right gamma) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
        replace (gamma * (u * Rabs (s / gamma) + e)) with (u * Rabs s + gamma * e) in E2 by (rewrite <- E4; ring).
        pose proof (Rabs_triang (s - (1 - m)) (gamma * t - s)) as T1. replace (s - (1 - m) + (gamma * t - s)) with (m - (1 - gamma * t)) in T1 by ring.
        pose proof (Rabs_triang (s - (1 - m)) (1 - m)) as T2. replace (s - (1 - m) + (1 - m)) with s in T2 by ring.
        pose proof (Rabs_triang 1 (- m)) as T3. rewrite Rabs_R1, Rabs_Ropp in T3. change (1 + - m) with (1 - m) in T3. rewrite Lm in T3.
        pose proof (Rabs_pos (1 - m)) as P0.
        assert (U1 : u * Rabs (1 - m) <= u * (1 + Rabs z)) by (apply Rmult_le_compat_l; lra).
        assert (U2 : u * Rabs (s - (1 - m)) <= 1 * Rabs (s - (1 - m))) by (apply Rmult_le_compat_r; [apply Rabs_pos | lra]).
        assert (U3 : u * Rabs s <= u * (Rabs (s - (1 - m)) + Rabs (1 - m))) by (apply Rmult_le_compat_l; lra). lra.
      + rewrite (smoothed_hinge_term gamma y a (1 - gamma * t) Hl Hg). fold b. replace ((1 - (1 - gamma * t)) / gamma) with t by (field; lra).
        pose proof (half_square_below gamma t b Hg (fl_exact _) Hb) as P1.
        assert (L : gamma * (huber t + b ^ 2 / 2 - b * t) <= gamma / 2 * (t - b) ^ 2).
        { replace (gamma / 2 * (t - b) ^ 2) with (gamma * (t ^ 2 / 2 + b ^ 2 / 2 - b * t)) by field. apply Rmult_le_compat_l; [lra|]. pose proof (huber_square t). lra. }
        apply (more 5 8 _ _ ((gamma + 8) * e) _ ltac:(lia)) in P1; [|lra].
        destruct P1 as (_ & c0 & r0 & r1 & r2). repeat split; try assumption.
        * pose proof (huber_conj b t B01). apply Rmult_le_pos; lra.
        * pose proof (q_power u u_value 8) as Q8. assert ((1 - u) ^ 8 * (gamma * (huber t + b ^ 2 / 2 - b * t)) <= (1 - u) ^ 8 * (gamma / 2 * (t - b) ^ 2)) by (apply Rmult_le_compat_l; lra). lra.
  Qed.

  Lemma squared_hinge_term : forall y a m, is_label y -> let b := - (y * a) in
    squared_hinge y (y * m) + squared_hinge_conj y a - a * (y * m) = Rmax 0 (1 - m) ^ 2 - b * (1 - m) + b ^ 2 / 4.
  Proof.
    intros y a m Hl b. unfold squared_hinge, squared_hinge_conj. rewrite (label_inverse y _ Hl).
    replace (a * (y * m)) with (- b * m) by (unfold b; ring). replace (y * a) with (- b) by (unfold b; ring).
    replace (a ^ 2) with (b ^ 2) by (unfold b; replace ((- (y * a)) ^ 2) with (y * y * a ^ 2) by ring; rewrite (label_square y Hl); ring). ring.
  Qed.
  Lemma squared_hinge_below : forall b p, 0 <= b -> 0 <= Rmax 0 p ^ 2 - b * p + b ^ 2 / 4 <= (p - b / 2) ^ 2.
  Proof. intros b p Hb. pose proof (pow2_ge_0 p). pose proof (pow2_ge_0 (p - b / 2)). pose proof (pow2_ge_0 b). unfold Rmax. destruct (Rle_dec 0 p) as [Hp | Hp]; [|apply Rnot_le_lt in Hp]; split; nra. Qed.

  Theorem squared_hinge_row : forall y z a, is_label y -> exact y -> exact z -> exact a -> y * a <= 0 ->
    let r := @squared_hinge_residual A y z a in let z' := squared_hinge_moved fl y z a in
    0 <= r /\ exact r /\ Rabs (z - z') <= 8 * u * (Rabs z + Rabs y + 1 + 1 / 2) /\
    q ^ 8 * (squared_hinge y z' + squared_hinge_conj y a - a * z') - (1 / 2 + 8) * e <= r.
  Proof.
    intros y z a Hl Hy Hz Ha Hd r z'. destruct (labelled y z Hl Hy Hz) as (One & Em & Hm). destruct (minus_label y a Hl Hy Ha) as (Eb & Hb).
    set (m := y * z) in *. set (b := - (y * a)) in *. set (s := fl (1 - m)). set (h := fl (b / 2)). set (c := fl (s - h)).
    assert (Er : r = if Rle_dec 1 m then fl (fl (b * fl (m - 1)) + fl (fl (b * b) / 4)) else fl (c * c)).
    { unfold r, squared_hinge_residual. cbn [add sub div mul int at_most rounded num]. change (INR 0) with 0. change (INR 1) with 1.
      replace (INR 2) with 2 by (simpl; ring). replace (INR 4) with 4 by (simpl; ring). fold m. rewrite Em, Eb. fold s h c. destruct (Rle_dec 1 m); reflexivity. }
    assert (B0 : 0 <= b) by (unfold b; lra). pose proof (label_size y Hl) as Ly. pose proof (label_margin y z Hl) as Lm. fold m in Lm.
    pose proof (Rabs_pos z) as Z0. assert (uZ : 0 <= u * Rabs z) by (apply Rmult_le_pos; lra).
    assert (Bb : below 0 b 0 b) by (apply (below_itself fl u); [lra | exact Hb]).
    enough (H : Rabs (z - z') <= 8 * u * (Rabs z + Rabs y + 1 + 1 / 2) /\ below 8 (squared_hinge y z' + squared_hinge_conj y a - a * z') ((1 / 2 + 8) * e) r).
    { destruct H as (H1 & _ & _ & H2 & H3 & H4). repeat split; assumption. }
    rewrite Ly. unfold z', squared_hinge_moved. fold m b s h. rewrite Er. destruct (Rle_dec 1 m) as [H1 | H1]; [|apply Rnot_le_lt in H1].
    - split; [replace (z - z) with 0 by ring; rewrite Rabs_R0; lra|].
      replace (squared_hinge y z + squared_hinge_conj y a - a * z) with (b * (m - 1) + b * b / 4).
      + pose proof (scale _ b _ _ _ B0 (difference m 1 Hm One H1)) as P1. pose proof (scale _ b _ _ _ B0 Bb) as P2. apply (part _ 4) in P2; [|lra].
        apply (more 3 8 _ _ _ _ ltac:(lia)) with (2 := sum 2 _ _ _ _ _ _ P1 P2). lra.
      + replace z with (y * m) at 1 2 by (unfold m; apply label_inverse, Hl). rewrite (squared_hinge_term y a m Hl). fold b. rewrite Rmax_left by lra. field.
    - pose proof (sum_error fl u e rounding_fl 1 (- m) One (exact_opp m Hm)) as E1. change (1 + - m) with (1 - m) in E1. fold s in E1.
      pose proof (error (b / 2)) as E2. fold h in E2. rewrite (Rabs_right (b / 2)) in E2 by lra.
      pose proof (sum_error fl u e rounding_fl s (- h) (fl_exact _) (exact_opp h (fl_exact _))) as E3. change (s + - h) with (s - h) in E3. fold c in E3.
      pose proof (Rabs_triang 1 (- m)) as T3. rewrite Rabs_R1, Rabs_Ropp in T3. change (1 + - m) with (1 - m) in T3. rewrite Lm in T3.
      assert (U1 : u * Rabs (1 - m) <= u * (1 + Rabs z)) by (apply Rmult_le_compat_l; lra).
      (* the square, from the difference as it is computed *)
      assert (R3 : 0 <= fl (c * c) /\ exact (fl (c * c)) /\ q ^ 3 * (s - h) ^ 2 - e <= fl (c * c)).
      { assert (C : q * Rabs (s - h) <= Rabs c).
        { pose proof (Rabs_triang (s - h - c) c) as H. replace (s - h - c + c) with (s - h) in H by ring. rewrite (Rabs_minus_sym (s - h) c) in H. unfold q. lra. }
        assert (q0 : 0 <= q <= 1) by (unfold q; lra). pose proof (Rabs_pos (s - h)) as D0. assert (qD : 0 <= q * Rabs (s - h)) by (apply Rmult_le_pos; lra).
        assert (C2 : q ^ 2 * (s - h) ^ 2 <= c * c).
        { replace (q ^ 2 * (s - h) ^ 2) with (q * Rabs (s - h) * (q * Rabs (s - h))) by (rewrite <- (pow2_abs (s - h)); ring).
          replace (c * c) with (Rabs c * Rabs c) by (rewrite <- Rabs_mult; apply Rabs_right, Rle_ge, Rle_0_sqr). apply Rmult_le_compat; lra. }
        pose proof (Rle_0_sqr c) as cc. unfold Rsqr in cc. split; [apply (fl_nonneg fl u e rounding_fl), cc|]. split; [apply fl_exact|].
        pose proof (fl_low fl u e rounding_fl (c * c) cc) as L. fold q in L.
        assert (q * (q ^ 2 * (s - h) ^ 2) <= q * (c * c)) by (apply Rmult_le_compat_l; lra). replace (q ^ 3 * (s - h) ^ 2) with (q * (q ^ 2 * (s - h) ^ 2)) by ring. lra. }
      destruct R3 as (R0 & R1 & R2). pose proof (q_less u u_value 3 8 ltac:(lia)) as Q38. pose proof (q_less u u_value 7 8 ltac:(lia)) as Q78. fold q in Q38, Q78.
      pose proof (q_power u u_value 8) as Q8. fold q in Q8.
      assert (Square : forall p, q ^ 8 * (p - b / 2) ^ 2 <= q ^ 3 * (s - h) ^ 2 ->
        below 8 (squared_hinge y (y * (1 - p)) + squared_hinge_conj y a - a * (y * (1 - p))) ((1 / 2 + 8) * e) (fl (c * c))).
      { intros p Hp. rewrite (squared_hinge_term y a _ Hl). fold b. replace (1 - (1 - p)) with p by ring. destruct (squared_hinge_below b p B0) as [S0 S1].
        repeat split; try assumption; [lra|]. fold q. assert (q ^ 8 * (Rmax 0 p ^ 2 - b * p + b ^ 2 / 4) <= q ^ 8 * (p - b / 2) ^ 2) by (apply Rmult_le_compat_l; lra). lra. }
      destruct (Rle_dec b (8 * (Rabs s + 1))) as [H2 | H2]; [|apply Rnot_le_lt in H2].
      + split.
        * rewrite label_distance by exact Hl. fold m. pose proof (Rabs_triang (s - (1 - m)) (b / 2 - h)) as T1. replace (s - (1 - m) + (b / 2 - h)) with (m - (1 - (s + (b / 2 - h)))) in T1 by ring.
          rewrite (Rabs_minus_sym (b / 2)) in T1. pose proof (Rabs_triang (s - (1 - m)) (1 - m)) as T2. replace (s - (1 - m) + (1 - m)) with s in T2 by ring.
          assert (u * (b / 2) <= u * (4 * (Rabs (s - (1 - m)) + Rabs (1 - m) + 1))) by (apply Rmult_le_compat_l; lra).
          assert (u * Rabs (s - (1 - m)) <= 1 / 10 * Rabs (s - (1 - m))) by (apply Rmult_le_compat_r; [apply Rabs_pos | lra]). lra.
        * apply Square. replace (s + (b / 2 - h) - b / 2) with (s - h) by ring. apply Rmult_le_compat_r; [apply pow2_ge_0 | exact Q38].
      + split; [rewrite label_distance by exact Hl; fold m; replace (m - (1 - s)) with (s - (1 - m)) by ring; lra|].
        apply Square. set (E := Rabs (s - b / 2)). pose proof (Rabs_triang (s - b / 2) (- s)) as T1. rewrite Rabs_Ropp in T1. fold E in T1.
        replace (s - b / 2 + - s) with (- (b / 2)) in T1 by ring. rewrite Rabs_Ropp, (Rabs_right (b / 2)) in T1 by lra. pose proof (Rabs_pos s) as s0.
        pose proof (Rabs_triang (s - h) (h - b / 2)) as T2. replace (s - h + (h - b / 2)) with (s - b / 2) in T2 by ring. fold E in T2.
        assert (U2 : u * (3 / 8 * b) <= u * E) by (apply Rmult_le_compat_l; lra). assert (U3 : u * 3 <= u * E) by (apply Rmult_le_compat_l; lra).
        assert (D1 : q ^ 2 * E <= Rabs (s - h)).
        { unfold q. replace ((1 - u) ^ 2) with (1 - 2 * u + u * u) by ring. assert (u * u * E <= u * (1 / 10) * E) by (apply Rmult_le_compat_r; [unfold E; apply Rabs_pos | apply Rmult_le_compat_l; lra]). lra. }
        assert (E0 : 0 <= q ^ 2 * E) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rabs_pos]).
        assert (D2 : q ^ 2 * E * (q ^ 2 * E) <= Rabs (s - h) * Rabs (s - h)) by (apply Rmult_le_compat; lra).
        replace ((s - h) ^ 2) with (Rabs (s - h) * Rabs (s - h)) by (rewrite <- pow2_abs; ring). replace ((s - b / 2) ^ 2) with (E * E) by (unfold E; rewrite <- (pow2_abs (s - b / 2)); ring).
        apply Rle_trans with (q ^ 7 * (E * E)); [apply Rmult_le_compat_r; [apply Rle_0_sqr | exact Q78]|].
        replace (q ^ 7 * (E * E)) with (q ^ 3 * (q ^ 2 * E * (q ^ 2 * E))) by ring. apply Rmult_le_compat_l; [apply pow_le; unfold q; lra | exact D2].
  Qed.
End Rows.

(* -- a loss by its name ---------------------------------------------------------------------------------------------------- *)
Definition deriv_of name gamma y : R -> R := match name with
  Squared => squared_deriv gamma y | SmoothedHinge => smoothed_hinge_deriv gamma y | SquaredHinge => squared_hinge_deriv y end.
Definition conj_of name gamma y : R -> R := match name with
  Squared => squared_conj gamma y | SmoothedHinge => smoothed_hinge_conj gamma y | SquaredHinge => squared_hinge_conj y end.
Definition moved_of fl name gamma y z a : R := match name with
  Squared => y + gamma * fl (fl (z - y) / gamma) | SmoothedHinge => smoothed_hinge_moved fl gamma y z | SquaredHinge => squared_hinge_moved fl y z a end.

Lemma loss_smooth : forall name gamma y, 0 < gamma -> label_of name gamma y -> smooth_loss (loss_of name gamma y) (deriv_of name gamma y) gamma.
Proof.
  intros [| |] gamma y Hg Hl; [apply squared_smooth, Hg | apply smoothed_hinge_smooth; assumption | destruct Hl as [Hl ->]; apply squared_hinge_smooth, Hl].
Qed.
Lemma loss_conjugate : forall name gamma y, 0 < gamma -> label_of name gamma y -> conjugate (loss_of name gamma y) (conj_of name gamma y).
Proof.
  intros [| |] gamma y Hg Hl; [apply squared_conjugate, Hg | apply smoothed_hinge_conjugate; assumption | apply squared_hinge_conjugate, Hl].
Qed.
Lemma loss_row : forall fl hyp, let u := / 2 ^ 53 in let e := / 2 ^ 1075 in rounding fl u e ->
  forall name gamma y z a, 0 < gamma -> label_of name gamma y -> exact fl y -> exact fl z -> exact fl a -> conj_dom (loss_of name gamma y) a ->
  let r := @residual_of (rounded fl hyp) name gamma y z a in let z' := moved_of fl name gamma y z a in
  0 <= r /\ exact fl r /\ Rabs (z - z') <= 8 * u * (Rabs z + Rabs y + 1 + gamma) /\
  (1 - u) ^ 8 * (loss_of name gamma y z' + conj_of name gamma y a - a * z') - (gamma + 8) * e <= r.
Proof.
  intros fl hyp u e Hfl [| |] gamma y z a Hg Hl Hy Hz Ha Hd; cbn [residual_of moved_of loss_of conj_of].
  - apply (squared_row fl u e hyp eq_refl eq_refl Hfl); assumption.
  - apply (smoothed_hinge_row fl u e hyp eq_refl eq_refl Hfl); try assumption. apply (smoothed_hinge_domain gamma y Hg Hl), Hd.
  - destruct Hl as [Hl ->]. apply (squared_hinge_row fl u e hyp eq_refl eq_refl Hfl); try assumption. apply (squared_hinge_domain y Hl), Hd.
Qed.

(* `gap_bound_squared_l2` for each of the three: labels where there are labels, alpha in the domain. *)
Theorem gap_bound_losses_l2 : forall name fl hyp n d X y w alpha gamma mu x, let u := / 2 ^ 53 in let e := / 2 ^ 1075 in rounding fl u e ->
  (forall a b, 0 <= a -> 0 <= b -> (1 - 2 * u) * sqrt (a ^ 2 + b ^ 2) - 2 * e <= hyp a b) ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2 ->
  / 2 ^ 900 <= gamma -> / 2 ^ 900 <= mu -> gamma + INR d * (mu + 4) <= 2 ^ 800 ->
  (forall i, fl (y i) = y i) -> (forall j, fl (w j) = w j) -> (forall i, fl (alpha i) = alpha i) ->
  let loss i := loss_of name gamma (y i) in (forall i, (i < n)%nat -> label_of name gamma (y i)) -> feasible n loss alpha ->
  primal n d X loss (l2 d mu) w - primal n d X loss (l2 d mu) x
  <= @code_gap_bound (rounded fl hyp) n d X (fun i z a => @residual_of (rounded fl hyp) name gamma (y i) z a)
       (@l2_residual (rounded fl hyp) d mu) gamma mu y w alpha.
Proof.
  intros name fl hyp n d X y w alpha gamma mu x u e Hfl Hhyp Hn Hd Hc Hg Hm Hh Hy Hw Ha loss Hl Hf.
  assert (P : 0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). assert (G0 : 0 < gamma) by lra. assert (M0 : 0 < mu) by lra.
  apply (computed_bound fl u e hyp eq_refl eq_refl Hfl n d Hn Hd Hc Hhyp X loss (fun i => deriv_of name gamma (y i)) (fun i => conj_of name gamma (y i))
    (l2 d mu) (l2_conj d mu) (l2_grad mu) gamma mu Hg Hm Hh) with (moved_z := fun i z => moved_of fl name gamma (y i) z (alpha i)) (moved_v := fun v j => mu * fl (v j / mu))
      (powers := d) (underflow := INR d * (mu + 4)) (size := mu * nrm d w) (l1 := 0).
  - intros i Hi. apply loss_smooth; auto.
  - intros i Hi. apply loss_conjugate; auto.
  - apply l2_strong.
  - apply l2_pair, M0.
  - exact Hf.
  - intros i z Hi Hz. apply (loss_row fl hyp Hfl name gamma (y i) z (alpha i) G0 (Hl i Hi) (Hy i) Hz (Ha i) (Hf i Hi)).
  - intros v Hv. apply (l2_part fl u e hyp eq_refl eq_refl Hfl d mu v w Hd M0 Hv Hw).
  - apply (l2_underflow d mu M0).
  - apply Rle_refl.
  - ring.
  - lia.
Qed.
