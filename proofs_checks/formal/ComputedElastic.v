(* `gap_bound` as it is computed: the elastic net's part. *)
From Coq Require Import Reals ZArith Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Losses Elastic Certificate Rounded Computed ComputedLosses.
Open Scope R_scope.

(* The v_j at which the part of coordinate j is what was computed. *)
Definition elastic_moved (fl : R -> R) mu l1 v : R :=
  let t := fl (l1 / mu) in let V := fl (v / mu) in
  if Rle_dec V t then if Rle_dec (- t) V then V * (l1 / t) else mu * fl (V + t) - l1 else mu * fl (V - t) + l1.
Definition elastic_term mu l1 v w : R := mu / 2 * w ^ 2 + l1 * Rabs w + soft l1 v ^ 2 / (2 * mu) - v * w.

Lemma elastic_terms : forall d mu l1 v w, 0 < mu ->
  elastic d mu l1 w + elastic_conj d mu l1 v - dot d v w = bsum d (fun j => elastic_term mu l1 (v j) (w j)).
Proof.
  intros d mu l1 v w Hm. unfold elastic, elastic_conj, norm2, dot, elastic_term. induction d as [|d IH]; cbn [bsum]; [field; lra|]. rewrite <- IH. field. lra.
Qed.

Section Elastic.
  Variables (fl : R -> R) (u e : R) (hyp : R -> R -> R).
  Hypothesis u_value : u = / 2 ^ 53.
  Hypothesis e_value : e = / 2 ^ 1075.
  Hypothesis rounding_fl : rounding fl u e.
  Variables mu l1 : R.
  Hypothesis mu_pos : 0 < mu.
  Hypothesis l1_nonneg : 0 <= l1.
  Hypothesis l1_low : l1 = 0 \/ / 2 ^ 900 * mu <= l1.
  Local Notation A := (rounded fl hyp).
  Local Notation exact := (exact fl).
  Local Notation below := (below fl u).
  Let q := 1 - u.
  Let t := fl (l1 / mu).
  Let u_pos := u_pos u u_value.
  Let e_pos := e_pos e e_value.
  Let u_small : u <= 1 / 1000000000. Proof. apply Rle_trans with (/ 2 ^ 40); [apply (u_small u u_value)|]. simpl. lra. Qed.
  Let error : forall x, Rabs (fl x - x) <= u * Rabs x + e. Proof. apply rounding_fl. Qed.
  Let fl_exact := fl_exact fl u e rounding_fl.
  Let exact_opp := exact_opp fl u e rounding_fl.
  Let more := below_more fl u u_value.
  Let difference := below_difference fl u e rounding_fl.
  Let sum := below_sum fl u e u_value rounding_fl.
  Let scale := below_scale fl u e u_value e_value rounding_fl.
  Let half_square_below := below_half_square fl u e u_value e_value rounding_fl.

  (* A quotient by mu, multiplied by it. *)
  Lemma quotient_error : forall x, Rabs (mu * fl (x / mu) - x) <= u * Rabs x + mu * e.
  Proof.
    intros x. pose proof (error (x / mu)) as E. apply Rmult_le_compat_l with (r := mu) in E; [|lra].
    assert (E3 : mu * Rabs (fl (x / mu) - x / mu) = Rabs (mu * fl (x / mu) - x)).
    { rewrite <- (Rabs_right mu) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
    assert (E4 : mu * Rabs (x / mu) = Rabs x).
    { rewrite <- (Rabs_right mu) at 1 by lra. rewrite <- Rabs_mult. f_equal. field. lra. }
    replace (mu * (u * Rabs (x / mu) + e)) with (u * Rabs x + mu * e) in E by (rewrite <- E4; ring). lra.
  Qed.
  Lemma threshold_low : 0 <= t /\ exact t /\ q ^ 2 * l1 <= mu * t /\ Rabs (mu * t - l1) <= u * l1 + mu * e /\ (0 < l1 -> 0 < t).
  Proof.
    assert (D : 0 <= l1 / mu) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, mu_pos]). pose proof (fl_nonneg fl u e rounding_fl _ D) as T0. fold t in T0.
    pose proof (quotient_error l1) as E. fold t in E. rewrite (Rabs_right l1) in E by lra.
    assert (Q : q ^ 2 * l1 <= mu * t /\ (0 < l1 -> 0 < mu * t)).
    { assert (MT : 0 <= mu * t) by (apply Rmult_le_pos; lra). destruct l1_low as [-> | L]; [split; lra|].
      assert (S : mu * e <= 1 / 2 * u * l1).
      { assert (Ee : e <= 1 / 2 * u * / 2 ^ 900).
        { rewrite e_value, u_value. replace (1 / 2 * / 2 ^ 53 * / 2 ^ 900) with (/ 2 ^ 954).
          - apply Rinv_le_contravar; [apply pow_lt; lra | apply Rle_pow; [lra | lia]].
          - replace 954%nat with (1 + (53 + 900))%nat by reflexivity. rewrite pow_add, pow_1, (pow_add 2 53), !Rinv_mult. assert (H : forall x, / 2 * x = 1 / 2 * x) by (intros; lra). rewrite H. ring. }
        apply Rle_trans with (mu * (1 / 2 * u * / 2 ^ 900)); [apply Rmult_le_compat_l; lra|].
        replace (mu * (1 / 2 * u * / 2 ^ 900)) with (1 / 2 * u * (/ 2 ^ 900 * mu)) by ring. apply Rmult_le_compat_l; lra. }
      apply within in E. replace (q ^ 2 * l1) with (l1 - 2 * u * l1 + u * (u * l1)) by (unfold q; ring).
      assert (UL : 0 <= u * l1) by (apply Rmult_le_pos; lra). assert (u * (u * l1) <= 1 / 10 * (u * l1)) by (apply Rmult_le_compat_r; lra).
      split; [lra|]. intros Hp. assert (u * l1 <= 1 / 10 * l1) by (apply Rmult_le_compat_r; lra). lra. }
    destruct Q as [Q1 Q2]. repeat split; try assumption; [apply fl_exact|]. intros H. specialize (Q2 H). apply Rmult_lt_reg_l with mu; lra.
  Qed.
  Lemma below_factor : forall k S T c r, 0 <= S -> q ^ 2 * S <= T -> below k T c r -> below (k + 2) S c r.
  Proof.
    intros k S T c r HS H (H0 & H1 & H2 & H3 & H4). pose proof (q_power u u_value k) as Qk.
    assert ((1 - u) ^ k * (q ^ 2 * S) <= (1 - u) ^ k * T) by (apply Rmult_le_compat_l; lra).
    repeat split; try assumption. rewrite pow_add. unfold q in *. lra.
  Qed.

  (* one coordinate *)
  Lemma coordinate : forall v w, exact v -> exact w -> let V := fl (v / mu) in let r := @limited A t V in let best := fl (V - r) in
    let first := fl (fl (mu * fl (fl (w - best) * fl (w - best))) / 2) in
    let second := fl (mu * (if Rle_dec 0 w then fl (w * fl (t - r)) else fl (fl (0 - w) * fl (t + r)))) in let v' := elastic_moved fl mu l1 v in
    Rabs (v - v') <= 3 * u * Rabs v + (3 * u * l1 + 4 * (1 + mu) * e) /\
    exists S T, elastic_term mu l1 v' w = S + T /\ below 5 S ((mu + 2) * e) first /\ below 8 T (mu * e + e) second /\ (l1 = 0 -> T = 0).
  Proof.
    intros v w Hv Hw V r best first second v'. destruct threshold_low as (T0 & Te & Tq & Td & Tp). apply within in Td.
    pose proof (quotient_error v) as Ev. fold V in Ev. assert (Ve : exact V) by apply fl_exact. pose proof (exact_opp t Te) as Tn. unfold Rounded.exact in Tn.
    assert (Hr : r = if Rle_dec V t then if Rle_dec (- t) V then V else - t else t).
    { unfold r, limited. cbn [at_most sub int rounded num]. change (INR 0) with 0. rewrite Rminus_0_l, Tn. destruct (Rle_dec V t); [destruct (Rle_dec (- t) V)|]; reflexivity. }
    assert (Hn : fl (0 - w) = - w) by (rewrite Rminus_0_l; apply (exact_opp w Hw)). pose proof (fl_zero fl u e rounding_fl) as F0.
    assert (Zero : forall x, fl (mu * fl (x * fl 0)) = 0) by (intros x; rewrite F0, Rmult_0_r, F0, Rmult_0_r; exact F0).
    assert (B0 : below 8 0 (mu * e + e) 0). { assert (0 <= mu * e) by (apply Rmult_le_pos; lra). repeat split; try exact F0; lra. }
    pose proof (half_square_below mu w best mu_pos Hw (fl_exact _)) as First. fold first in First.
    pose proof (Rabs_pos v) as v0. assert (uv : 0 <= u * Rabs v) by (apply Rmult_le_pos; lra). assert (ul : 0 <= u * l1) by (apply Rmult_le_pos; lra). assert (me : 0 <= mu * e) by (apply Rmult_le_pos; lra).
    assert (Tl : l1 = 0 -> t = 0) by (intros ->; unfold t, Rdiv; rewrite Rmult_0_l; exact F0).
    (* the part of l1, where r is inside of the interval or at its end: s = l1 -+ the v' that is taken *)
    assert (Second : forall s x y, 0 <= s -> 0 <= y -> q ^ 2 * s <= mu * x -> below 1 x 0 (fl x) -> exact y -> below 8 (s * y) (mu * e + e) (fl (mu * fl (y * fl x)))).
    { intros s x y Hs Hy Hsx Hx Hye. pose proof (scale _ y _ _ _ Hy Hx) as P1. pose proof (scale _ mu _ _ _ (Rlt_le _ _ mu_pos) P1) as P2.
      apply (below_factor 3 (s * y)) in P2; [|apply Rmult_le_pos; assumption|].
      - apply (more 5 8 _ _ _ _ ltac:(lia)) with (2 := P2). lra.
      - replace (mu * (y * x)) with (mu * x * y) by ring. replace (q ^ 2 * (s * y)) with (q ^ 2 * s * y) by ring. apply Rmult_le_compat_r; assumption. }
    assert (Shift : forall b, Rabs (Rabs V - t - Rabs b) <= u * (Rabs V - t) -> 0 <= Rabs V - t -> mu * Rabs (Rabs V - t - Rabs b) <= u * (1 + u) * Rabs v + u * (mu * e)).
    { intros b Hb H. apply Rle_trans with (mu * (u * Rabs V)); [apply Rmult_le_compat_l; [lra|]; assert (0 <= u * t) by (apply Rmult_le_pos; lra); lra|].
      assert (HV : mu * Rabs V <= (1 + u) * Rabs v + mu * e).
      { rewrite <- (Rabs_right mu) at 1 by lra. rewrite <- Rabs_mult. pose proof (Rabs_triang (mu * V - v) v) as Tr. replace (mu * V - v + v) with (mu * V) in Tr by ring. lra. }
      assert (u * (mu * Rabs V) <= u * ((1 + u) * Rabs v + mu * e)) by (apply Rmult_le_compat_l; lra). lra. }
    unfold v', elastic_moved. fold t V. destruct (Rle_dec V t) as [H1 | H1]; [destruct (Rle_dec (- t) V) as [H2 | H2]|].
    - (* inside *)
      assert (Hb : best = 0) by (unfold best; rewrite Hr, Rminus_diag_eq by reflexivity; exact F0). rewrite Hb in First.
      set (p := V * (l1 / t)). destruct l1_low as [L | L0]; [|assert (Lp : 0 < l1)].
      + assert (Hp : p = 0) by (unfold p; rewrite L; unfold Rdiv; ring). assert (Ht : t = 0) by (apply Tl, L). assert (HV : V = 0) by lra. split.
        * rewrite Hp. replace (v - 0) with (- (mu * V - v)) by (rewrite HV; ring). rewrite Rabs_Ropp. lra.
        * exists (mu / 2 * (w - 0) ^ 2), 0. split; [|split; [exact First | split; [|reflexivity]]].
          -- rewrite Hp, L. unfold elastic_term, soft. destruct (Rle_dec 0 0); [field; lra | lra].
          -- unfold second. rewrite Hr, HV, Ht, Hn, Rminus_0_r, Rplus_0_r, !F0, !Rmult_0_r. destruct (Rle_dec 0 w); rewrite F0, Rmult_0_r, F0; exact B0.
      + assert (0 < / 2 ^ 900 * mu) by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, pow_lt|]; lra). lra.
      + specialize (Tp Lp). set (k := l1 / t). assert (K0 : 0 < k) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat, Tp]). assert (Kt : k * t = l1) by (unfold k; field; lra).
        assert (Kq : q ^ 2 * k <= mu) by (apply Rmult_le_reg_r with t; [exact Tp|]; replace (q ^ 2 * k * t) with (q ^ 2 * l1) by (rewrite <- Kt; ring); exact Tq).
        assert (Pp : p = k * V) by (unfold p, k; ring). assert (VK : - l1 <= p <= l1).
        { rewrite Pp, <- Kt. assert (k * V <= k * t) by (apply Rmult_le_compat_l; lra). assert (k * - t <= k * V) by (apply Rmult_le_compat_l; lra). lra. }
        split.
        * pose proof (Rabs_triang (v - mu * V) (mu * V - p)) as Tr. replace (v - mu * V + (mu * V - p)) with (v - p) in Tr by ring. rewrite (Rabs_minus_sym v (mu * V)) in Tr.
          assert (Rabs (mu * V - p) <= Rabs (mu * t - l1)).
          { rewrite Pp, <- Kt. replace (mu * V - k * V) with ((mu - k) * V) by ring. replace (mu * t - k * t) with ((mu - k) * t) by ring. rewrite !Rabs_mult.
            apply Rmult_le_compat_l; [apply Rabs_pos|]. rewrite (Rabs_right t) by lra. apply Rabs_le. lra. }
          assert (Rabs (mu * t - l1) <= u * l1 + mu * e) by (apply Rabs_le; lra). lra.
        * exists (mu / 2 * (w - 0) ^ 2), (if Rle_dec 0 w then (l1 - p) * w else (l1 + p) * - w). split; [|split; [exact First | split; [|intros; lra]]].
          -- assert (S0 : soft l1 p = 0) by (unfold soft; destruct (Rle_dec l1 p); [lra|]; destruct (Rle_dec p (- l1)); lra).
             unfold elastic_term. rewrite S0. destruct (Rle_dec 0 w) as [W|W]; [rewrite (Rabs_right w) by lra | rewrite (Rabs_left w) by lra]; field; lra.
          -- unfold second. rewrite Hr, Hn. destruct (Rle_dec 0 w) as [W | W]; apply Second; try lra.
             ++ replace (q ^ 2 * (l1 - p)) with (q ^ 2 * k * (t - V)) by (rewrite Pp, <- Kt; ring). apply Rmult_le_compat_r; lra.
             ++ apply difference; lra || assumption.
             ++ exact Hw.
             ++ replace (q ^ 2 * (l1 + p)) with (q ^ 2 * k * (t + V)) by (rewrite Pp, <- Kt; ring). apply Rmult_le_compat_r; lra.
             ++ replace (t + V) with (t - - V) by ring. apply difference; [exact Te | apply exact_opp, Ve | lra].
             ++ apply exact_opp, Hw.
    - (* below -t *)
      apply Rnot_le_lt in H2. set (b := fl (V + t)).
      assert (Hb : best = b) by (unfold best, b; rewrite Hr; f_equal; ring). rewrite Hb in First.
      pose proof (sum_error fl u e rounding_fl V t Ve Te) as Es. fold b in Es.
      assert (b0 : b <= 0) by (unfold b; rewrite <- F0; apply (fl_mono fl u e rounding_fl); lra).
      assert (mb : mu * b <= 0) by (assert (mu * 0 >= mu * b) by (apply Rmult_ge_compat_l; lra); lra).
      specialize (Shift b). rewrite (Rabs_left V), (Rabs_left1 b) in Shift by lra. rewrite (Rabs_left1 (V + t)) in Es by lra.
      replace (- V - t - - b) with (b - (V + t)) in Shift by ring. specialize (Shift ltac:(lra) ltac:(lra)). split.
      + pose proof (Rabs_triang (v - mu * V) (mu * V - (mu * b - l1))) as Tr. replace (v - mu * V + (mu * V - (mu * b - l1))) with (v - (mu * b - l1)) in Tr by ring. rewrite (Rabs_minus_sym v (mu * V)) in Tr.
        pose proof (Rabs_triang (- (mu * (b - (V + t)))) (- (mu * t - l1))) as Tr2. replace (- (mu * (b - (V + t))) + - (mu * t - l1)) with (mu * V - (mu * b - l1)) in Tr2 by ring.
        rewrite !Rabs_Ropp, Rabs_mult, (Rabs_right mu) in Tr2 by lra.
        assert (Rabs (mu * t - l1) <= u * l1 + mu * e) by (apply Rabs_le; lra). assert (u * (u * Rabs v) <= 1 / 10 * (u * Rabs v)) by (apply Rmult_le_compat_r; lra).
        assert (u * (mu * e) <= 1 * (mu * e)) by (apply Rmult_le_compat_r; lra). lra.
      + exists (mu / 2 * (w - b) ^ 2), (if Rle_dec 0 w then 2 * l1 * w else 0). split; [|split; [exact First | split]].
        * assert (S0 : soft l1 (mu * b - l1) = mu * b) by (unfold soft; destruct (Rle_dec l1 (mu * b - l1)); [lra|]; destruct (Rle_dec (mu * b - l1) (- l1)); lra).
          unfold elastic_term. rewrite S0. destruct (Rle_dec 0 w) as [W|W]; [rewrite (Rabs_right w) by lra | rewrite (Rabs_left w) by lra]; field; lra.
        * unfold second. rewrite Hr, Hn. destruct (Rle_dec 0 w) as [W | W].
          -- apply Second; try lra; [|exact Hw]. apply difference; [exact Te | apply exact_opp, Te | lra].
          -- replace (t + - t) with 0 by ring. rewrite Zero. exact B0.
        * intros ->. destruct (Rle_dec 0 w); ring.
    - (* above t *)
      apply Rnot_le_lt in H1. set (b := fl (V - t)).
      assert (Hb : best = b) by (unfold best, b; rewrite Hr; reflexivity). rewrite Hb in First.
      pose proof (sum_error fl u e rounding_fl V (- t) Ve (exact_opp t Te)) as Es. change (V + - t) with (V - t) in Es. fold b in Es.
      assert (b0 : 0 <= b) by (unfold b; rewrite <- F0; apply (fl_mono fl u e rounding_fl); lra).
      assert (mb : 0 <= mu * b) by (apply Rmult_le_pos; lra).
      specialize (Shift b). rewrite (Rabs_right V), (Rabs_right b) in Shift by lra. rewrite (Rabs_right (V - t)) in Es by lra.
      rewrite (Rabs_minus_sym (V - t)) in Shift. specialize (Shift ltac:(lra) ltac:(lra)). split.
      + pose proof (Rabs_triang (v - mu * V) (mu * V - (mu * b + l1))) as Tr. replace (v - mu * V + (mu * V - (mu * b + l1))) with (v - (mu * b + l1)) in Tr by ring. rewrite (Rabs_minus_sym v (mu * V)) in Tr.
        pose proof (Rabs_triang (- (mu * (b - (V - t)))) (mu * t - l1)) as Tr2. replace (- (mu * (b - (V - t))) + (mu * t - l1)) with (mu * V - (mu * b + l1)) in Tr2 by ring.
        rewrite Rabs_Ropp, Rabs_mult, (Rabs_right mu) in Tr2 by lra.
        assert (Rabs (mu * t - l1) <= u * l1 + mu * e) by (apply Rabs_le; lra). assert (u * (u * Rabs v) <= 1 / 10 * (u * Rabs v)) by (apply Rmult_le_compat_r; lra).
        assert (u * (mu * e) <= 1 * (mu * e)) by (apply Rmult_le_compat_r; lra). lra.
      + exists (mu / 2 * (w - b) ^ 2), (if Rle_dec 0 w then 0 else 2 * l1 * - w). split; [|split; [exact First | split]].
        * assert (S0 : soft l1 (mu * b + l1) = mu * b) by (unfold soft; destruct (Rle_dec l1 (mu * b + l1)); lra).
          unfold elastic_term. rewrite S0. destruct (Rle_dec 0 w) as [W|W]; [rewrite (Rabs_right w) by lra | rewrite (Rabs_left w) by lra]; field; lra.
        * unfold second. rewrite Hr, Hn. destruct (Rle_dec 0 w) as [W | W].
          -- replace (t - t) with 0 by ring. rewrite Zero. exact B0.
          -- apply Second; try lra; [|apply exact_opp, Hw]. replace (t + t) with (t - - t) by ring. apply difference; [exact Te | apply exact_opp, Te | lra].
        * intros ->. destruct (Rle_dec 0 w); ring.
  Qed.

  Theorem elastic_part : forall d v w, (forall j, exact (v j)) -> (forall j, exact (w j)) ->
    let r := @elastic_residual A d mu l1 v w in let v' j := elastic_moved fl mu l1 (v j) in
    0 <= r /\ exact r /\ nrm d (fun j => v j - v' j) <= 3 * u * (nrm d v + (mu * nrm d w + l1 * sqrt (INR d))) + 4 * (1 + mu) * e * sqrt (INR d) /\
    q ^ (2 * d + 8) * (elastic d mu l1 w + elastic_conj d mu l1 v' - dot d v' w) - INR d * (2 * mu + 4) * e <= r.
  Proof.
    intros d v w Hv Hw r v'. assert (me : 0 <= mu * e) by (apply Rmult_le_pos; lra). assert (ul : 0 <= u * l1) by (apply Rmult_le_pos; lra).
    assert (S : below (2 * d + 8) (bsum d (fun j => elastic_term mu l1 (v' j) (w j))) (INR d * (2 * mu + 4) * e) r).
    { unfold r, v'. clear r v'. induction d as [|d IH].
      - cbn [elastic_residual bsum int rounded num]. change (INR 0) with 0. rewrite !Rmult_0_l. repeat split; try lra. apply (fl_zero fl u e rounding_fl).
      - cbn [elastic_residual bsum]. destruct (coordinate (v d) (w d) (Hv d) (Hw d)) as (_ & S & T & ET & First & Second & Z). rewrite ET. rewrite S_INR.
        cbn [add sub mul div int at_most rounded num]. change (INR 0) with 0. replace (INR 2) with 2 by (simpl; ring). fold t.
        pose proof (sum _ _ _ _ _ _ _ IH (more 5 (2 * d + 8) _ _ _ _ ltac:(lia) (Rle_refl _) First)) as P1.
        destruct (Rle_dec l1 0) as [L | L].
        + rewrite Z, Rplus_0_r by lra. apply (more (Datatypes.S (2 * d + 8)) (2 * Datatypes.S d + 8) _ _ _ _ ltac:(lia)) with (2 := P1). lra.
        + pose proof (sum _ _ _ _ _ _ _ P1 (more 8 (Datatypes.S (2 * d + 8)) _ _ _ _ ltac:(lia) (Rle_refl _) Second)) as P2. rewrite Rplus_assoc in P2.
          replace (2 * Datatypes.S d + 8)%nat with (Datatypes.S (Datatypes.S (2 * d + 8))) by lia.
          assert (Eq : forall x y : R, x = y -> below (Datatypes.S (Datatypes.S (2 * d + 8))) (bsum d (fun j => elastic_term mu l1 (elastic_moved fl mu l1 (v j)) (w j)) + (S + T)) ((INR d + 1) * (2 * mu + 4) * e) x ->
            below (Datatypes.S (Datatypes.S (2 * d + 8))) (bsum d (fun j => elastic_term mu l1 (elastic_moved fl mu l1 (v j)) (w j)) + (S + T)) ((INR d + 1) * (2 * mu + 4) * e) y) by (intros x y ->; trivial).
          refine (Eq _ _ _ (more _ _ _ _ _ _ (le_n _) _ P2)); [|lra]. destruct (Rle_dec 0 (w d)); reflexivity. }
    destruct S as (S0 & _ & S1 & S2 & S3). split; [exact S1|]. split; [exact S2|]. split; [|rewrite elastic_terms by exact mu_pos; exact S3].
    pose proof (nrm_nonneg d v) as Nv. pose proof (nrm_nonneg d w) as Nw. pose proof (sqrt_pos (INR d)) as Sd.
    assert (H0 : 0 <= 3 * u * l1 + 4 * (1 + mu) * e) by lra. assert (Hv0 : 0 <= 3 * u * nrm d v) by (repeat apply Rmult_le_pos; lra).
    assert (Hs : 0 <= (3 * u * l1 + 4 * (1 + mu) * e) * sqrt (INR d)) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (3 * u * nrm d v + (3 * u * l1 + 4 * (1 + mu) * e) * sqrt (INR d)).
    - apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite nrm_square.
      replace ((3 * u * nrm d v + (3 * u * l1 + 4 * (1 + mu) * e) * sqrt (INR d)) * (3 * u * nrm d v + (3 * u * l1 + 4 * (1 + mu) * e) * sqrt (INR d)))
        with ((3 * u * nrm d (fun j => Rabs (v j)) + (3 * u * l1 + 4 * (1 + mu) * e) * sqrt (INR d)) ^ 2) by (rewrite nrm_abs; ring).
      apply nrm_below; [lra | exact H0 | intros; apply Rabs_pos |]. intros j _. apply (coordinate (v j) (w j) (Hv j) (Hw j)).
    - assert (0 <= u * (mu * nrm d w)) by (repeat apply Rmult_le_pos; lra). lra.
  Qed.
End Elastic.

(* gap_bound with the elastic net, for each of the three losses; l1 is 0 or at least 2^-900 mu, so that the threshold does not underflow. *)
Theorem gap_bound_losses_elastic : forall name fl hyp n d X y w alpha gamma mu l1 x, let u := / 2 ^ 53 in let e := / 2 ^ 1075 in rounding fl u e ->
  (forall a b, 0 <= a -> 0 <= b -> (1 - 2 * u) * sqrt (a ^ 2 + b ^ 2) - 2 * e <= hyp a b) ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u <= 1 / 2 ->
  / 2 ^ 900 <= gamma -> / 2 ^ 900 <= mu -> gamma + INR d * (mu + 4) <= 2 ^ 800 -> (l1 = 0 \/ / 2 ^ 900 * mu <= l1) ->
  (forall i, fl (y i) = y i) -> (forall j, fl (w j) = w j) -> (forall i, fl (alpha i) = alpha i) ->
  let loss i := loss_of name gamma (y i) in (forall i, (i < n)%nat -> label_of name gamma (y i)) -> feasible n loss alpha ->
  primal n d X loss (elastic d mu l1) w - primal n d X loss (elastic d mu l1) x
  <= @elastic_gap_bound (rounded fl hyp) n d X (fun i z a => @residual_of (rounded fl hyp) name gamma (y i) z a)
       (@elastic_residual (rounded fl hyp) d mu l1) gamma mu l1 y w alpha.
Proof.
  intros name fl hyp n d X y w alpha gamma mu l1 x u e Hfl Hhyp Hn Hd Hc Hg Hm Hh Hl1 Hy Hw Ha loss Hl Hf.
  assert (P : 0 < / 2 ^ 900) by (apply Rinv_0_lt_compat, pow_lt; lra). assert (G0 : 0 < gamma) by lra. assert (M0 : 0 < mu) by lra.
  assert (L0 : 0 <= l1). { destruct Hl1 as [-> | H]; [lra|]. pose proof (Rmult_le_pos (/ 2 ^ 900) mu). lra. }
  apply (computed_bound fl u e hyp eq_refl eq_refl Hfl n d Hn Hd Hc Hhyp X loss (fun i => deriv_of name gamma (y i)) (fun i => conj_of name gamma (y i))
    (elastic d mu l1) (elastic_conj d mu l1) (elastic_grad mu l1) gamma mu Hg Hm Hh)
    with (moved_z := fun i z => moved_of fl name gamma (y i) z (alpha i)) (moved_v := fun v j => elastic_moved fl mu l1 (v j))
      (powers := (2 * d)%nat) (underflow := INR d * (2 * mu + 4)) (size := mu * nrm d w + l1 * sqrt (INR d)).
  - intros i Hi. apply loss_smooth; auto.
  - intros i Hi. apply loss_conjugate; auto.
  - apply elastic_strong, L0.
  - apply elastic_pair; assumption.
  - exact Hf.
  - intros i z Hi Hz. apply (loss_row fl hyp Hfl name gamma (y i) z (alpha i) G0 (Hl i Hi) (Hy i) Hz (Ha i) (Hf i Hi)).
  - intros v Hv. apply (elastic_part fl u e hyp eq_refl eq_refl Hfl mu l1 M0 L0 Hl1 d v w Hv Hw).
  - split; [apply Rmult_le_pos; [apply pos_INR | lra] | lra].
  - exact L0.
  - reflexivity.
  - lia.
Qed.
