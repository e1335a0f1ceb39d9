(* SDCA (Shalev-Shwartz and Zhang 2013) for Lipschitz losses, L2: what a step gains, the dual rate 2G/(lam (2n + t)), G = 4 L^2 R^2, and
   the gap of the averaged and of the random output. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Sharp Sdca.
Open Scope R_scope.

Section Lipschitz.
  Variables (n d : nat) (X : nat -> nat -> R) (phi slope phis : nat -> R -> R) (L R2 lam : R) (choice : (nat -> R) -> nat -> R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis tangent : forall i z v, (i < n)%nat -> phi i z + slope i z * (v - z) <= phi i v.
  Hypothesis lipschitz : forall i z v, (i < n)%nat -> Rabs (phi i z - phi i v) <= L * Rabs (z - v).
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Hypothesis best : sdca_choice n d X phi phis lam choice.
  Let n_INR : 0 < INR n := INR_pos n n_pos.
  Let DD := D n d X phis lam.
  Let step := sdca_step choice.
  Let z alpha i := dot d (X i) (w_of n X lam alpha).
  Let G := 4 * L ^ 2 * R2.

  Lemma domain_bounded : forall i a, (i < n)%nat -> conj_dom (phi i) a -> - L <= a <= L.
  Proof.
    intros i a Hi [M HM].
    assert (H : forall v, a * v - L * Rabs v <= M + Rabs (phi i 0)).
    { intros v. pose proof (HM (a * v - phi i v) (ex_intro _ v eq_refl)) as H. pose proof (lipschitz i v 0 Hi) as Hl.
      rewrite Rminus_0_r in Hl. pose proof (Rle_abs (phi i v - phi i 0)). pose proof (Rle_abs (phi i 0)). lra. }
    set (K := M + Rabs (phi i 0)) in *. assert (HK : 0 <= K) by (pose proof (H 0) as H0; rewrite Rabs_R0 in H0; lra).
    split; apply Rnot_lt_le; intros Hlt.
    - pose proof (H ((K + 1) / (a + L))) as H0. assert (Hneg : a + L < 0) by lra.
      rewrite Rabs_left in H0.
      + replace (a * ((K + 1) / (a + L)) - L * - ((K + 1) / (a + L))) with (K + 1) in H0 by (field; lra). lra.
      + unfold Rdiv. rewrite <- (Rmult_0_r (K + 1)). apply Rmult_lt_compat_l; [lra | apply Rinv_lt_0_compat, Hneg].
    - pose proof (H ((K + 1) / (a - L))) as H0. rewrite Rabs_right in H0 by (apply Rle_ge, Rlt_le, Rdiv_lt_0_compat; lra).
      replace (a * ((K + 1) / (a - L)) - L * ((K + 1) / (a - L))) with (K + 1) in H0 by (field; lra). lra.
  Qed.

  Lemma slope_in_domain : forall i y, (i < n)%nat -> conj_dom (phi i) (slope i y) /\ phis i (slope i y) <= slope i y * y - phi i y.
  Proof.
    intros i y Hi. assert (Hub : is_upper_bound (conj_set (phi i) (slope i y)) (slope i y * y - phi i y)).
    { intros r (v & ->). pose proof (tangent i y v Hi). lra. }
    assert (Hd : conj_dom (phi i) (slope i y)) by (exists (slope i y * y - phi i y); exact Hub).
    split; [exact Hd|]. destruct (conjugates i Hi _ Hd) as [_ Hleast]. apply Hleast, Hub.
  Qed.

  Lemma chord : forall i a b s, (i < n)%nat -> conj_dom (phi i) a -> conj_dom (phi i) b -> 0 <= s <= 1 ->
    conj_dom (phi i) (a + s * (b - a)) /\ phis i (a + s * (b - a)) <= (1 - s) * phis i a + s * phis i b.
  Proof.
    intros i a b s Hi Ha Hb Hs.
    assert (Hub : is_upper_bound (conj_set (phi i) (a + s * (b - a))) ((1 - s) * phis i a + s * phis i b)).
    { intros r (v & ->). pose proof (fenchel_young _ _ a v (conjugates i Hi) Ha) as H1. pose proof (fenchel_young _ _ b v (conjugates i Hi) Hb) as H2.
      apply Rmult_le_compat_l with (r := 1 - s) in H1; [|lra]. apply Rmult_le_compat_l with (r := s) in H2; [|lra]. lra. }
    assert (Hd : conj_dom (phi i) (a + s * (b - a))) by (eexists; exact Hub).
    split; [exact Hd|]. destruct (conjugates i Hi _ Hd) as [_ Hleast]. apply Hleast, Hub.
  Qed.

  (* One row: the residual times s, less s^2 G/(2 lam n). *)
  Lemma row_gain : forall alpha i s, feasible n phi alpha -> (i < n)%nat -> 0 <= s <= 1 ->
    s * (phi i (z alpha i) + phis i (alpha i) - alpha i * z alpha i) - s ^ 2 * G / (2 * lam * INR n)
    <= INR n * (DD (step alpha i) - DD alpha).
  Proof.
    intros alpha i s Hf Hi Hs. destruct (best alpha i Hf Hi) as [_ Hmax]. destruct (slope_in_domain i (z alpha i) Hi) as [Hdom Hval].
    set (b := slope i (z alpha i)) in *. destruct (chord i (alpha i) b s Hi (Hf i Hi) Hdom Hs) as [Hd Hch].
    pose proof (sdca_objective_is_dual n d X phis lam n_pos lam_pos alpha i (choice alpha i) Hi) as E.
    change (INR n * (DD (step alpha i) - DD alpha) = sdca_objective n d X phis lam alpha i (choice alpha i) + phis i (alpha i)) in E.
    rewrite E. specialize (Hmax _ Hd). unfold sdca_objective at 1 in Hmax. fold (z alpha i) in Hmax.
    replace (alpha i + s * (b - alpha i) - alpha i) with (s * (b - alpha i)) in Hmax by ring.
    pose proof (domain_bounded i (alpha i) Hi (Hf i Hi)) as Ha. pose proof (domain_bounded i b Hi Hdom) as Hb.
    assert (Hsq : (b - alpha i) ^ 2 <= 4 * L ^ 2).
    { replace (4 * L ^ 2) with ((2 * L) ^ 2) by ring. rewrite <- (pow2_abs (b - alpha i)). apply pow_incr. split; [apply Rabs_pos|].
      apply Rabs_le. lra. }
    assert (Hq : norm2 d (X i) * (s * (b - alpha i)) ^ 2 / (2 * lam * INR n) <= s ^ 2 * G / (2 * lam * INR n)).
    { apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra|].
      replace (norm2 d (X i) * (s * (b - alpha i)) ^ 2) with (s ^ 2 * (norm2 d (X i) * (b - alpha i) ^ 2)) by ring.
      apply Rmult_le_compat_l; [apply pow2_ge_0|]. unfold G. rewrite Rmult_comm.
      apply Rmult_le_compat; [apply pow2_ge_0 | apply norm2_nonneg | exact Hsq | apply rows, Hi]. }
    assert (Hs2 : s * phis i b <= s * (b * z alpha i - phi i (z alpha i))) by (apply Rmult_le_compat_l; lra).
    lra.
  Qed.

  Theorem sdca_lipschitz_step : forall alpha s, feasible n phi alpha -> 0 <= s <= 1 ->
    s / INR n * gap n d X phi phis lam alpha - (s / INR n) ^ 2 * G / (2 * lam) <= avg n (fun i => DD (step alpha i)) - DD alpha.
  Proof.
    intros alpha s Hf Hs.
    assert (EG : gap n d X phi phis lam alpha = avg n (fun i => phi i (z alpha i) + phis i (alpha i) - alpha i * z alpha i)).
    { rewrite (gap_eq n d X phi phis lam n_pos lam_pos), (gap_as_residual n d X phi phis (l2 d lam) (l2_conj d lam) (l2_grad lam) n_pos (l2_pair d lam lam_pos)).
      apply avg_ext. intros i _. unfold residual, z. rewrite (dot_w n d X lam n_pos lam_pos). reflexivity. }
    rewrite EG. apply Rmult_le_reg_l with (INR n); [exact n_INR|].
    replace (INR n * (avg n (fun i => DD (step alpha i)) - DD alpha)) with (avg n (fun i => INR n * (DD (step alpha i) - DD alpha))).
    2:{ rewrite (avg_scal n (INR n) (fun i => DD (step alpha i) - DD alpha)), avg_minus, avg_const by exact n_pos. reflexivity. }
    set (FY := fun i => phi i (z alpha i) + phis i (alpha i) - alpha i * z alpha i). set (K := s ^ 2 * G / (2 * lam * INR n)).
    apply Rle_trans with (avg n (fun i => s * FY i - K)).
    - rewrite (avg_minus n (fun i => s * FY i) (fun _ => K)), avg_scal, avg_const by exact n_pos. unfold K. right. field. lra.
    - apply avg_le; [exact n_pos|]. intros i Hi. apply (row_gain alpha i s Hf Hi Hs).
  Qed.

  Lemma sdca_step_feasible : forall alpha i, feasible n phi alpha -> (i < n)%nat -> feasible n phi (step alpha i).
  Proof.
    intros alpha i Hf Hi k Hk. unfold step, sdca_step, upd. destruct (Nat.eq_dec k i) as [->|_]; [|apply Hf, Hk]. apply best; assumption.
  Qed.

  (* One step of length s in the mean, for any law of the state before. *)
  Lemma mean_step : forall D_star s, is_lub (values (feasible n phi) DD) D_star -> 0 <= s <= 1 -> forall t alpha, feasible n phi alpha ->
    Expect n step (S t) (fun a => D_star - DD a) alpha
    <= (1 - s / INR n) * Expect n step t (fun a => D_star - DD a) alpha + (s / INR n) ^ 2 * G / (2 * lam).
  Proof.
    intros D_star s Hlub Hs t alpha Hf. set (F := fun a => D_star - DD a). set (c := (s / INR n) ^ 2 * G / (2 * lam)).
    assert (E : Expect n step (S t) F alpha = Expect n step t (fun b => avg n (fun i => F (step b i))) alpha)
      by (rewrite <- (Nat.add_1_r t), (Expect_compose n step F t 1); reflexivity).
    rewrite E. apply Rle_trans with (Expect n step t (fun b => (1 - s / INR n) * F b - - c) alpha).
    - apply Expect_le with (I := feasible n phi); [exact n_pos | apply sdca_step_feasible | | exact Hf]. intros b Hb.
      pose proof (sdca_lipschitz_step b s Hb Hs) as Hstep. fold c in Hstep. unfold F. rewrite avg_minus, avg_const by exact n_pos.
      assert (Hgap : D_star - DD b <= gap n d X phi phis lam b).
      { destruct Hlub as [_ Hleast]. enough (D_star <= P n d X phi lam (w_of n X lam b)) by (unfold gap; fold DD; lra).
        apply Hleast. intros r (a & Ha & ->). apply weak_duality_L2; assumption. }
      assert (H2m : 0 <= s / INR n) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, n_INR]).
      apply Rmult_le_compat_l with (r := s / INR n) in Hgap; [|exact H2m]. lra.
    - rewrite Expect_minus, Expect_scal, Expect_const by exact n_pos. lra.
  Qed.

  (* s = 1 throughout: down to G/(2 lam n), at the rate 1 - 1/n. *)
  Theorem sdca_lipschitz_start : forall D_star, is_lub (values (feasible n phi) DD) D_star -> forall t alpha, feasible n phi alpha ->
    Expect n step t (fun a => D_star - DD a) alpha <= (1 - 1 / INR n) ^ t * (D_star - DD alpha) + G / (2 * lam * INR n).
  Proof.
    intros D_star Hlub t alpha Hf.
    assert (HG : 0 <= G / (2 * lam * INR n)).
    { pose proof (rows 0%nat n_pos). pose proof (norm2_nonneg d (X 0%nat)). pose proof (pow2_ge_0 L).
      apply Rmult_le_pos; [unfold G; apply Rmult_le_pos; lra | apply Rlt_le, Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra]. }
    induction t as [|t IH]; [cbn [Expect pow]; lra|].
    eapply Rle_trans; [apply (mean_step D_star 1 Hlub ltac:(lra) t alpha Hf)|].
    assert (H1 : 1 / INR n <= 1) by (unfold Rdiv; rewrite Rmult_1_l, <- Rinv_1; apply Rinv_le_contravar; [lra | apply (le_INR 1); lia]).
    apply Rmult_le_compat_l with (r := 1 - 1 / INR n) in IH; [|lra].
    replace ((1 / INR n) ^ 2 * G / (2 * lam)) with (1 / INR n * (G / (2 * lam * INR n))) by (field; lra).
    change ((1 - 1 / INR n) ^ S t) with ((1 - 1 / INR n) * (1 - 1 / INR n) ^ t). lra.
  Qed.

  (* From G/(lam n) after t0 steps: with s = 2n/(2n + t) to 2G/(lam (2n + t)) after t more. *)
  Theorem sdca_lipschitz_rate : forall D_star, is_lub (values (feasible n phi) DD) D_star -> forall t0 t alpha, feasible n phi alpha ->
    Expect n step t0 (fun a => D_star - DD a) alpha <= G / (lam * INR n) ->
    Expect n step (t0 + t) (fun a => D_star - DD a) alpha <= 2 * G / (lam * (2 * INR n + INR t)).
  Proof.
    intros D_star Hlub t0 t alpha Hf H0.
    assert (HG : 0 <= G).
    { unfold G. pose proof (rows 0%nat n_pos). pose proof (norm2_nonneg d (X 0%nat)). apply Rmult_le_pos; [|lra].
      pose proof (pow2_ge_0 L). lra. }
    induction t as [|t IH]; [rewrite Nat.add_0_r; eapply Rle_trans; [exact H0|]; right; simpl INR; field; lra|].
    rewrite Nat.add_succ_r, S_INR. set (m := 2 * INR n + INR t) in *.
    assert (Hn1 : 1 <= INR n) by (apply (le_INR 1); lia). assert (Hm : 2 * INR n <= m) by (unfold m; pose proof (pos_INR t); lra).
    assert (Hs : 0 <= 2 * INR n / m <= 1).
    { split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with m; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    eapply Rle_trans; [apply (mean_step D_star _ Hlub Hs (t0 + t) alpha Hf)|].
    replace (2 * INR n / m / INR n) with (2 / m) by (field; lra).
    assert (H2 : 0 <= 1 - 2 / m) by (apply Rmult_le_reg_r with m; [lra|]; replace ((1 - 2 / m) * m) with (m - 2) by (field; lra); lra).
    apply Rmult_le_compat_l with (r := 1 - 2 / m) in IH; [|exact H2].
    assert (H3 : (1 - 2 / m) * (2 * G / (lam * m)) + (2 / m) ^ 2 * G / (2 * lam) <= 2 * G / (lam * (m + 1))).
    { apply Rmult_le_reg_r with (lam * m ^ 2 * (m + 1)); [repeat apply Rmult_lt_0_compat; try lra; apply pow_lt; lra|].
      replace (((1 - 2 / m) * (2 * G / (lam * m)) + (2 / m) ^ 2 * G / (2 * lam)) * (lam * m ^ 2 * (m + 1))) with (2 * G * ((m - 1) * (m + 1))) by (field; lra).
      replace (2 * G / (lam * (m + 1)) * (lam * m ^ 2 * (m + 1))) with (2 * G * m ^ 2) by (field; lra).
      apply Rmult_le_compat_l; lra. }
    replace (2 * INR n + (INR t + 1)) with (m + 1) by (unfold m; ring). lra.
  Qed.

  Let GAP := gap n d X phi phis lam.
  Let E t F alpha := Expect n step t F alpha.

  Lemma G_nonneg : 0 <= G.
  Proof.
    unfold G. pose proof (rows 0%nat n_pos). pose proof (norm2_nonneg d (X 0%nat)). pose proof (pow2_ge_0 L). apply Rmult_le_pos; lra.
  Qed.

  (* What the gap is worth in the mean. *)
  Lemma mean_gap : forall D_star s, 0 <= s <= 1 -> forall t alpha, feasible n phi alpha ->
    s / INR n * E t GAP alpha - (s / INR n) ^ 2 * G / (2 * lam) <= E t (fun a => D_star - DD a) alpha - E (S t) (fun a => D_star - DD a) alpha.
  Proof.
    intros D_star s Hs t alpha Hf. set (F := fun a => D_star - DD a). set (c := (s / INR n) ^ 2 * G / (2 * lam)). unfold E.
    rewrite <- (Nat.add_1_r t), (Expect_compose n step F t 1). cbn [Expect]. rewrite <- Expect_minus.
    apply Rle_trans with (Expect n step t (fun b => s / INR n * GAP b - c) alpha).
    - rewrite Expect_minus, Expect_scal, Expect_const by exact n_pos. lra.
    - apply Expect_le with (I := feasible n phi); [exact n_pos | apply sdca_step_feasible | | exact Hf]. intros b Hb.
      pose proof (sdca_lipschitz_step b s Hb Hs) as H. unfold GAP, F, c. rewrite avg_minus, avg_const by exact n_pos. lra.
  Qed.

  (* The random output: one of the states t0, .., t0 + k - 1. *)
  Theorem sdca_lipschitz_random : forall D_star, is_lub (values (feasible n phi) DD) D_star -> forall t0 k alpha, (n <= k)%nat -> feasible n phi alpha ->
    avg k (fun r => Expect n step (t0 + r) GAP alpha) <= Expect n step t0 (fun a => D_star - DD a) alpha + G / (2 * lam * INR k).
  Proof.
    intros D_star Hlub t0 k alpha Hk Hf. assert (Hk0 : 0 < INR k) by (apply INR_pos; lia). set (F := fun a => D_star - DD a).
    assert (Hs : 0 <= INR n / INR k <= 1).
    { split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (INR k); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      rewrite Rmult_1_l, Rmult_1_r. apply le_INR, Hk. }
    set (c := / INR k * (G / (2 * lam * INR k))).
    assert (Hsum : forall j, bsum j (fun r => / INR k * E (t0 + r) GAP alpha) <= E t0 F alpha - E (t0 + j) F alpha + INR j * c).
    { induction j as [|j IH]; [rewrite Nat.add_0_r; simpl; lra|]. cbn [bsum]. rewrite S_INR, Nat.add_succ_r.
      pose proof (mean_gap D_star (INR n / INR k) Hs (t0 + j) alpha Hf) as H. fold F in H.
      replace (INR n / INR k / INR n) with (/ INR k) in H by (field; lra).
      replace ((/ INR k) ^ 2 * G / (2 * lam)) with c in H by (unfold c; field; lra). lra. }
    specialize (Hsum k). rewrite bsum_scal in Hsum. assert (H0 : 0 <= E (t0 + k) F alpha).
    { rewrite <- (Expect_const n step n_pos 0 (t0 + k) alpha). apply Expect_le with (I := feasible n phi); [exact n_pos | apply sdca_step_feasible | | exact Hf].
      intros b Hb. unfold F. enough (DD b <= D_star) by lra. apply Hlub. exists b. auto. }
    unfold avg, Rdiv at 1. rewrite Rmult_comm. replace (INR k * c) with (G / (2 * lam * INR k)) in Hsum by (unfold c; field; lra).
    unfold E in *. lra.
  Qed.

  (* The gap is convex. *)
  Lemma gap_of_average : forall k (beta : nat -> nat -> R) a, (0 < k)%nat -> (forall r, (r < k)%nat -> feasible n phi (beta r)) ->
    (forall i, a i = avg k (fun r => beta r i)) -> GAP a <= avg k (fun r => GAP (beta r)).
  Proof.
    intros k beta a Hk Hf Ha. assert (Hk0 : 0 < INR k) by (apply INR_pos, Hk).
    set (w := w_of n X lam). assert (Hw : forall j, w a j = avg k (fun r => w (beta r) j)).
    { intros j. unfold w, w_of. rewrite avg_scal. f_equal. unfold avg. rewrite bsum_swap.
      transitivity (bsum n (fun i => / INR k * bsum k (fun r => beta r i * X i j))); [|rewrite bsum_scal; unfold Rdiv; ring].
      apply bsum_ext. intros i _. rewrite Ha. unfold avg, Rdiv. rewrite (bsum_ext k (fun r => beta r i * X i j) (fun r => X i j * beta r i)) by (intros; ring).
      rewrite bsum_scal. ring. }
    assert (Hdot : forall c, dot d c (w a) = avg k (fun r => dot d c (w (beta r)))).
    { intros c. unfold dot, avg. rewrite bsum_swap. unfold Rdiv. rewrite Rmult_comm, <- bsum_scal. apply bsum_ext. intros j _. rewrite Hw.
      rewrite bsum_scal. unfold avg, Rdiv. ring. }
    (* three convex pieces *)
    assert (H1 : forall i, (i < n)%nat -> phi i (z a i) <= avg k (fun r => phi i (z (beta r) i))).
    { intros i Hi. apply Rle_trans with (avg k (fun r => (phi i (z a i) - slope i (z a i) * z a i) + slope i (z a i) * z (beta r) i)).
      - rewrite avg_plus, avg_const, avg_scal by exact Hk. unfold z. fold w. rewrite <- Hdot. lra.
      - apply avg_le; [exact Hk|]. intros r _. pose proof (tangent i (z a i) (z (beta r) i) Hi). lra. }
    assert (H2 : forall i, (i < n)%nat -> phis i (a i) <= avg k (fun r => phis i (beta r i))).
    { intros i Hi. assert (Hub : is_upper_bound (conj_set (phi i) (a i)) (avg k (fun r => phis i (beta r i)))).
      { intros y (v & ->). rewrite Ha. apply Rle_trans with (avg k (fun r => v * beta r i - phi i v)).
        - rewrite avg_minus, avg_const, avg_scal by exact Hk. lra.
        - apply avg_le; [exact Hk|]. intros r Hr. pose proof (fenchel_young (phi i) (phis i) (beta r i) v (conjugates i Hi) (Hf r Hr i Hi)). lra. }
      apply (conjugates i Hi (a i)); [eexists; exact Hub | exact Hub]. }
    assert (H3 : norm2 d (w a) <= avg k (fun r => norm2 d (w (beta r)))).
    { apply Rle_trans with (avg k (fun r => 2 * dot d (w a) (w (beta r)) - norm2 d (w a))).
      - rewrite avg_minus, avg_const, avg_scal, <- Hdot by exact Hk. unfold norm2. lra.
      - apply avg_le; [exact Hk|]. intros r _. pose proof (norm2_nonneg d (fun j => w a j - w (beta r) j)) as H. rewrite norm2_minus in H. lra. }
    assert (EG : forall b, GAP b = avg n (fun i => phi i (z b i) + phis i (b i)) + lam * norm2 d (w b))
      by (intros b; unfold GAP, gap, P, D; fold w; rewrite avg_plus; unfold z; fold w; field).
    rewrite EG, (avg_ext k _ (fun r => avg n (fun i => phi i (z (beta r) i) + phis i (beta r i)) + lam * norm2 d (w (beta r)))) by (intros; apply EG).
    rewrite (avg_plus k), avg_scal. apply Rplus_le_compat; [|apply Rmult_le_compat_l; lra].
    apply Rle_trans with (avg n (fun i => avg k (fun r => phi i (z (beta r) i) + phis i (beta r i)))).
    - apply avg_le; [exact n_pos|]. intros i Hi. rewrite avg_plus. apply Rplus_le_compat; auto.
    - unfold avg at 1 2 3 4. right. unfold Rdiv. rewrite (bsum_ext n _ (fun i => / INR k * bsum k (fun r => phi i (z (beta r) i) + phis i (beta r i)))) by (intros; ring).
      rewrite bsum_scal, bsum_swap, (bsum_ext k (fun r => bsum n (fun i => phi i (z (beta r) i) + phis i (beta r i)) * / INR n)
        (fun r => / INR n * bsum n (fun i => phi i (z (beta r) i) + phis i (beta r i)))) by (intros; ring).
      rewrite bsum_scal. ring.
  Qed.

  Lemma bsum_first : forall k f, bsum (S k) f = f 0%nat + bsum k (fun r => f (S r)).
  Proof. induction k as [|k IH]; intros f; [simpl; ring|]. cbn [bsum] in *. rewrite IH. ring. Qed.

  (* The sum of the states that were left, and of their gaps. *)
  Lemma summed_gaps : forall k p beta a acc, (0 < p + k)%nat -> (forall r, (r < p)%nat -> feasible n phi (beta r)) -> feasible n phi a ->
    (forall i, acc i = bsum p (fun r => beta r i)) ->
    Expect n (summing step) k (fun s => GAP (averaged (p + k) s)) (a, acc)
    <= (bsum p (fun r => GAP (beta r)) + bsum k (fun r => E r GAP a)) / INR (p + k).
  Proof.
    induction k as [|k IH]; intros p beta a acc Hp Hbeta Ha Hacc.
    - rewrite Nat.add_0_r in *. cbn [Expect bsum]. rewrite Rplus_0_r. apply gap_of_average; [exact Hp | exact Hbeta|].
      intros i. unfold averaged. cbn [snd]. rewrite Hacc. reflexivity.
    - cbn [Expect]. set (beta' := fun r => if Nat.eq_dec r p then a else beta r).
      assert (Hold : forall r, (r < p)%nat -> beta' r = beta r) by (intros r Hr; unfold beta'; destruct (Nat.eq_dec r p); [lia | reflexivity]).
      assert (Hnew : beta' p = a) by (unfold beta'; destruct (Nat.eq_dec p p); [reflexivity | congruence]).
      apply Rle_trans with (avg n (fun i => (bsum (S p) (fun r => GAP (beta' r)) + bsum k (fun r => E r GAP (step a i))) / INR (S p + k))).
      + apply avg_le; [exact n_pos|]. intros i Hi. rewrite Nat.add_succ_r. change (S (p + k)) with (S p + k)%nat.
        apply IH; [lia | | apply sdca_step_feasible; assumption|].
        * intros r Hr. destruct (Nat.eq_dec r p) as [->|]; [rewrite Hnew; exact Ha | rewrite Hold by lia; apply Hbeta; lia].
        * intros j. cbn [fst snd summing bsum]. rewrite Hacc, Hnew. f_equal. apply bsum_ext. intros r Hr. rewrite Hold by exact Hr. reflexivity.
      + right. replace (S p + k)%nat with (p + S k)%nat by lia. unfold Rdiv.
        rewrite (avg_ext n _ (fun i => / INR (p + S k) * (bsum (S p) (fun r => GAP (beta' r)) + bsum k (fun r => E r GAP (step a i))))) by (intros; ring).
        rewrite avg_scal, avg_plus, avg_const, Rmult_comm, (bsum_first k (fun r => E r GAP a)) by exact n_pos. f_equal. cbn [bsum]. rewrite Hnew.
        rewrite (bsum_ext p (fun r => GAP (beta' r)) (fun r => GAP (beta r))) by (intros r Hr; rewrite Hold by exact Hr; reflexivity).
        assert (Eswap : avg n (fun i => bsum k (fun r => E r GAP (step a i))) = bsum k (fun r => E (S r) GAP a)).
        { unfold avg. rewrite bsum_swap. unfold Rdiv. rewrite Rmult_comm, <- bsum_scal. apply bsum_ext. intros r _. unfold E. cbn [Expect]. unfold avg. field. lra. }
        rewrite Eswap. change (E 0 GAP a) with (GAP a). ring.
  Qed.

  (* The averaged output: the mean of the states t0, .., t0 + k - 1. *)
  Theorem sdca_lipschitz_averaged : forall D_star, is_lub (values (feasible n phi) DD) D_star -> forall t0 k alpha, (n <= k)%nat -> feasible n phi alpha ->
    Expect n step t0 (fun a => Expect n (summing step) k (fun s => GAP (averaged k s)) (a, fun _ => 0)) alpha
    <= Expect n step t0 (fun a => D_star - DD a) alpha + G / (2 * lam * INR k).
  Proof.
    intros D_star Hlub t0 k alpha Hk Hf. eapply Rle_trans; [|apply (sdca_lipschitz_random D_star Hlub t0 k alpha Hk Hf)].
    apply Rle_trans with (Expect n step t0 (fun a => / INR k * bsum k (fun r => E r GAP a)) alpha).
    - apply Expect_le with (I := feasible n phi); [exact n_pos | apply sdca_step_feasible | | exact Hf]. intros a Ha.
      pose proof (summed_gaps k 0 (fun _ _ => 0) a (fun _ => 0) ltac:(lia) ltac:(intros; lia) Ha ltac:(reflexivity)) as H.
      cbn [Nat.add bsum] in H. unfold Rdiv in H. lra.
    - right. rewrite Expect_scal. unfold avg, Rdiv. rewrite Rmult_comm. f_equal. clear - n_pos. induction k as [|k IH].
      + cbn [bsum]. rewrite Expect_const by exact n_pos. reflexivity.
      + cbn [bsum]. rewrite <- IH, (Expect_compose n step GAP t0 k). unfold E.
        rewrite <- (Rminus_0_r (Expect n step t0 (Expect n step k GAP) alpha)).
        replace (Expect n step t0 (fun a => bsum k (fun r => Expect n step r GAP a) + Expect n step k GAP a) alpha)
          with (Expect n step t0 (fun a => bsum k (fun r => Expect n step r GAP a) - -1 * Expect n step k GAP a) alpha)
          by (apply (Expect_ext n step (fun _ => True) n_pos ltac:(auto)); [intros; ring | exact I]).
        rewrite Expect_minus, Expect_scal. ring.
  Qed.

  (* Steps enough to begin with, for B >= D* - D at the start. *)
  Theorem sdca_lipschitz_burn_in : forall D_star, is_lub (values (feasible n phi) DD) D_star -> forall B t0 alpha, 0 < G -> 0 < B ->
    feasible n phi alpha -> D_star - DD alpha <= B -> INR n * ln (2 * lam * INR n * B / G) <= INR t0 ->
    Expect n step t0 (fun a => D_star - DD a) alpha <= G / (lam * INR n).
  Proof.
    intros D_star Hlub B t0 alpha HG HB Hf HDB Ht. eapply Rle_trans; [apply (sdca_lipschitz_start D_star Hlub t0 alpha Hf)|].
    assert (H1 : 0 < / INR n <= 1).
    { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; [lra | apply (le_INR 1); lia]. }
    assert (He : 0 < G / (2 * lam * INR n)) by (apply Rdiv_lt_0_compat; [exact HG|]; repeat apply Rmult_lt_0_compat; lra).
    assert (H2 : (1 - / INR n) ^ t0 * B <= G / (2 * lam * INR n)).
    { apply iterations_suffice; try assumption. rewrite Rinv_inv.
      replace (B / (G / (2 * lam * INR n))) with (2 * lam * INR n * B / G) by (field; lra). exact Ht. }
    assert (H3 : (1 - 1 / INR n) ^ t0 * (D_star - DD alpha) <= (1 - / INR n) ^ t0 * B).
    { unfold Rdiv. rewrite Rmult_1_l. apply Rmult_le_compat_l; [apply pow_le; lra | exact HDB]. }
    replace (G / (lam * INR n)) with (2 * (G / (2 * lam * INR n))) by (field; lra). lra.
  Qed.

  (* Steps enough for eps, for both outputs. *)
  Theorem sdca_lipschitz_outputs : forall D_star, is_lub (values (feasible n phi) DD) D_star -> forall eps t0 t k alpha, 0 < eps -> feasible n phi alpha ->
    Expect n step t0 (fun a => D_star - DD a) alpha <= G / (lam * INR n) ->
    4 * G / (lam * eps) <= 2 * INR n + INR t -> G / (lam * eps) <= INR k -> (n <= k)%nat ->
    avg k (fun r => Expect n step (t0 + t + r) GAP alpha) <= eps /\
    Expect n step (t0 + t) (fun a => Expect n (summing step) k (fun s => GAP (averaged k s)) (a, fun _ => 0)) alpha <= eps.
  Proof.
    intros D_star Hlub eps t0 t k alpha He Hf H0 Ht Hk Hn. pose proof G_nonneg as HG. assert (Hk0 : 0 < INR k) by (apply INR_pos; lia).
    pose proof (sdca_lipschitz_rate D_star Hlub t0 t alpha Hf H0) as Hrate. pose proof (pos_INR t) as Ht0.
    assert (H1 : 2 * G / (lam * (2 * INR n + INR t)) <= eps / 2).
    { apply Rmult_le_reg_r with (lam * (2 * INR n + INR t)); [apply Rmult_lt_0_compat; lra|].
      replace (2 * G / (lam * (2 * INR n + INR t)) * (lam * (2 * INR n + INR t))) with (2 * G) by (field; lra).
      apply Rmult_le_compat_r with (r := lam * eps) in Ht; [|apply Rmult_le_pos; lra].
      replace (4 * G / (lam * eps) * (lam * eps)) with (4 * G) in Ht by (field; lra). lra. }
    assert (H2 : G / (2 * lam * INR k) <= eps / 2).
    { apply Rmult_le_reg_r with (2 * lam * INR k); [repeat apply Rmult_lt_0_compat; lra|].
      replace (G / (2 * lam * INR k) * (2 * lam * INR k)) with G by (field; lra).
      apply Rmult_le_compat_r with (r := lam * eps) in Hk; [|apply Rmult_le_pos; lra].
      replace (G / (lam * eps) * (lam * eps)) with G in Hk by (field; lra). lra. }
    pose proof (sdca_lipschitz_random D_star Hlub (t0 + t) k alpha Hn Hf). pose proof (sdca_lipschitz_averaged D_star Hlub (t0 + t) k alpha Hn Hf).
    split; lra.
  Qed.
End Lipschitz.
