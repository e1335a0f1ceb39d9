(* SVRG: Theorem 1 (option II) with its rho; and for option I, of which the paper proves nothing, that a round multiplies the mean
   of P - min P by at most G (1 + rho) - 1, G = (1 + x)(1 + x/2) .. (1 + x/m) <= exp(x H_m), x = 2Lh, rho at m + 1 steps. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation.
Open Scope R_scope.

(* Squares: |a - b|^2 <= 2|a|^2 + 2|b|^2, and with weights. *)
Lemma norm2_minus_le : forall d a b, norm2 d (fun j => a j - b j) <= 2 * norm2 d a + 2 * norm2 d b.
Proof.
  intros d a b. pose proof (norm2_nonneg d (fun j => a j + b j)) as H. rewrite norm2_plus in H. rewrite norm2_minus. lra.
Qed.

Lemma norm2_weighted : forall d s t a b, 0 < s -> 0 < t ->
  norm2 d (fun j => a j + b j) <= (s + t) * (norm2 d a / s + norm2 d b / t).
Proof.
  intros d s t a b Hs Ht. pose proof (young d (t / s) a b ltac:(apply Rdiv_lt_0_compat; lra)) as H. rewrite norm2_plus.
  replace (norm2 d b / (2 * (t / s))) with (s / t * norm2 d b / 2) in H by (field; lra).
  replace ((s + t) * (norm2 d a / s + norm2 d b / t)) with (norm2 d a + norm2 d b + 2 * (t / s / 2 * norm2 d a + s / t * norm2 d b / 2)) by (field; lra).
  lra.
Qed.

(* A deviation from the mean is at most the thing itself, in mean square. *)
Lemma deviation : forall n d (b : nat -> nat -> R), (0 < n)%nat ->
  avg n (fun i => norm2 d (fun j => b i j - avg n (fun k => b k j))) <= avg n (fun i => norm2 d (b i)).
Proof.
  intros n d b Hn. set (c := fun j => avg n (fun k => b k j)).
  assert (E : avg n (fun i => norm2 d (fun j => b i j - c j)) = avg n (fun i => norm2 d (b i)) - norm2 d c).
  { rewrite (avg_ext n _ (fun i => norm2 d (b i) - 2 * dot d c (b i) + norm2 d c)) by (intros; rewrite norm2_minus, (dot_comm d c); reflexivity).
    rewrite avg_plus, avg_minus, avg_const, avg_scal by exact Hn.
    assert (Ec : avg n (fun i => dot d c (b i)) = norm2 d c).
    { unfold norm2, dot at 1, avg. unfold Rdiv. rewrite bsum_swap, Rmult_comm, <- bsum_scal. apply bsum_ext. intros j _. unfold c at 2, avg.
      rewrite bsum_scal. unfold Rdiv. ring. }
    rewrite Ec. ring. }
  change (avg n (fun i => norm2 d (fun j => b i j - c j)) <= avg n (fun i => norm2 d (b i))). rewrite E. pose proof (norm2_nonneg d c). lra.
Qed.

Lemma Expect_bsum : forall {A : Type} n (step : A -> nat -> A) K (F : nat -> A -> R) t a,
  Expect n step t (fun b => bsum K (fun k => F k b)) a = bsum K (fun k => Expect n step t (F k) a).
Proof.
  intros A n step K F t. induction t as [|t IH]; intros a; cbn [Expect]; [reflexivity|].
  rewrite (avg_ext n _ (fun i => bsum K (fun k => Expect n step t (F k) (step a i)))) by (intros; apply IH).
  unfold avg. rewrite bsum_swap. unfold Rdiv. rewrite Rmult_comm, <- bsum_scal. apply bsum_ext. intros. ring.
Qed.

Section Round.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi : nat -> R -> R) (gamma lam R2 h : R) (w_opt v : nat -> R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis R2_pos : 0 < R2.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Hypothesis optimal : forall j, (j < d)%nat -> gradient n d X dphi lam w_opt j = 0.
  Let L := R2 / gamma + lam.
  Hypothesis h_range : 0 < h < 1 / (2 * L).
  Let x := 2 * L * h.
  Let G := row_gradient d X dphi lam.
  Let PP := P n d X phi lam.
  Let to_go w := PP w - PP w_opt.
  Let step := svrg_step n d X dphi lam h v.
  Let f i w := phi i (dot d (X i) w) + lam / 2 * norm2 d w.
  Let L_pos : 0 < L. Proof. unfold L. assert (0 < R2 / gamma) by (apply Rdiv_lt_0_compat; lra). lra. Qed.
  Let x_range : 0 < x < 1.
  Proof.
    unfold x. split; [repeat apply Rmult_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (/ (2 * L)); [apply Rinv_0_lt_compat; lra|].
    replace (2 * L * h * / (2 * L)) with h by (field; lra). lra.
  Qed.

  Lemma objective_as_mean : forall w, PP w = avg n (fun i => f i w).
  Proof. intros w. unfold PP, P, f. rewrite avg_plus, avg_const by exact n_pos. reflexivity. Qed.

  (* phi lies above its tangent by at least (gamma/2) (difference of the slopes)^2. *)
  Lemma above_tangent : forall i a b, (i < n)%nat -> gamma / 2 * (dphi i a - dphi i b) ^ 2 <= phi i a - phi i b - dphi i b * (a - b).
  Proof.
    intros i a b Hi. destruct (losses i Hi) as (Hc & Hd & _). set (t := gamma * (dphi i a - dphi i b)).
    pose proof (parabola_above (phi i) (dphi i) gamma a (a - t) gamma_pos (losses i Hi)) as H1.
    pose proof (tangent_below (phi i) b (dphi i b) (a - t) Hc (Hd b)) as H2.
    replace ((a - t - a) ^ 2 / (2 * gamma)) with (gamma / 2 * (dphi i a - dphi i b) ^ 2) in H1 by (unfold t; field; lra).
    replace (dphi i a * (a - t - a)) with (- (gamma * dphi i a * (dphi i a - dphi i b))) in H1 by (unfold t; ring).
    replace (dphi i b * (a - t - b)) with (dphi i b * (a - b) - gamma * dphi i b * (dphi i a - dphi i b)) in H2 by (unfold t; ring). lra.
  Qed.

  Let bregman i a b := f i a - f i b - dot d (G i b) (fun j => a j - b j).

  Lemma row_bregman : forall i a b, bregman i a b
    = phi i (dot d (X i) a) - phi i (dot d (X i) b) - dphi i (dot d (X i) b) * (dot d (X i) a - dot d (X i) b)
      + lam / 2 * norm2 d (fun j => a j - b j).
  Proof.
    intros i a b. unfold bregman, f, G, row_gradient.
    rewrite (dot_comm d (fun j => _ * X i j + lam * b j)), dot_plus_r, !dot_scal_r, (dot_comm d (fun j => a j - b j) (X i)),
      (dot_comm d (fun j => a j - b j) b), !dot_minus_r, norm2_minus.
    rewrite (dot_comm d a b). unfold norm2. field.
  Qed.

  Lemma row_cocoercive : forall i a b, (i < n)%nat -> norm2 d (fun j => G i a j - G i b j) <= 2 * L * bregman i a b.
  Proof.
    intros i a b Hi. set (s := dphi i (dot d (X i) a) - dphi i (dot d (X i) b)). set (e := fun j => a j - b j).
    rewrite (norm2_ext d _ (fun j => s * X i j + lam * e j)) by (intros; unfold G, row_gradient, s, e; ring).
    eapply Rle_trans; [apply (norm2_weighted d (R2 / gamma) lam); [apply Rdiv_lt_0_compat; lra | lra]|]. fold L. rewrite !norm2_scal.
    replace (2 * L * bregman i a b) with (L * (2 * bregman i a b)) by ring. apply Rmult_le_compat_l; [lra|]. rewrite row_bregman. fold e.
    pose proof (above_tangent i (dot d (X i) a) (dot d (X i) b) Hi) as H. fold s in H.
    replace (lam ^ 2 * norm2 d e / lam) with (lam * norm2 d e) by (field; lra).
    assert (HR : s ^ 2 * norm2 d (X i) / (R2 / gamma) <= gamma * s ^ 2).
    { replace (s ^ 2 * norm2 d (X i) / (R2 / gamma)) with (gamma * s ^ 2 * (norm2 d (X i) / R2)) by (field; lra).
      rewrite <- (Rmult_1_r (gamma * s ^ 2)) at 2. apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply pow2_ge_0]|].
      apply Rmult_le_reg_r with R2; [lra|]. replace (norm2 d (X i) / R2 * R2) with (norm2 d (X i)) by (field; lra). rewrite Rmult_1_l. apply rows, Hi. }
    lra.
  Qed.

  Lemma mean_gradient : forall w e, avg n (fun i => dot d (G i w) e) = dot d (gradient n d X dphi lam w) e.
  Proof.
    intros w e. unfold dot, avg, Rdiv. rewrite bsum_swap, Rmult_comm, <- bsum_scal. apply bsum_ext. intros j _. unfold gradient, avg, Rdiv.
    rewrite (bsum_ext n _ (fun i => e j * G i w j)) by (intros; ring). rewrite bsum_scal. unfold G. ring.
  Qed.

  Lemma mean_bregman : forall a b, avg n (fun i => bregman i a b) = PP a - PP b - dot d (gradient n d X dphi lam b) (fun j => a j - b j).
  Proof. intros a b. unfold bregman. rewrite !avg_minus, mean_gradient, <- !objective_as_mean. reflexivity. Qed.

  Lemma at_optimum : forall e, dot d (gradient n d X dphi lam w_opt) e = 0.
  Proof.
    intros e. rewrite (dot_ext d _ (fun j => 0 * e j) e e) by (intros; try rewrite optimal by assumption; auto; ring). rewrite dot_scal_l. ring.
  Qed.

  Lemma gradients_below : forall w, avg n (fun i => norm2 d (fun j => G i w j - G i w_opt j)) <= 2 * L * to_go w.
  Proof.
    intros w. apply Rle_trans with (avg n (fun i => 2 * L * bregman i w w_opt)); [apply avg_le; [exact n_pos | intros; apply row_cocoercive; assumption]|].
    rewrite avg_scal, mean_bregman, at_optimum. unfold to_go. lra.
  Qed.

  Lemma to_go_nonneg : forall w, 0 <= to_go w.
  Proof.
    intros w. pose proof (gradients_below w) as H.
    assert (0 <= avg n (fun i => norm2 d (fun j => G i w j - G i w_opt j))) by (apply avg_nonneg; [exact n_pos | intros; apply norm2_nonneg]).
    apply Rmult_le_reg_l with (2 * L); lra.
  Qed.

  Lemma tangent_of_P : forall a b, PP b + dot d (gradient n d X dphi lam b) (fun j => a j - b j) + lam / 2 * norm2 d (fun j => a j - b j) <= PP a.
  Proof.
    intros a b. enough (lam / 2 * norm2 d (fun j => a j - b j) <= avg n (fun i => bregman i a b)) by (rewrite mean_bregman in *; lra).
    rewrite <- (avg_const n (lam / 2 * norm2 d (fun j => a j - b j)) n_pos). apply avg_le; [exact n_pos|]. intros i Hi. rewrite row_bregman.
    destruct (losses i Hi) as (Hc & Hd & _). pose proof (tangent_below (phi i) _ _ (dot d (X i) a) Hc (Hd (dot d (X i) b))). lra.
  Qed.

  (* (8): the second moment of the direction. *)
  Let direction w i : nat -> R := fun j => G i w j - G i v j + gradient n d X dphi lam v j.
  Lemma variance : forall w, avg n (fun i => norm2 d (direction w i)) <= 4 * L * (to_go w + to_go v).
  Proof.
    intros w. set (a := fun i j => G i w j - G i w_opt j). set (b := fun i j => G i v j - G i w_opt j).
    assert (Eb : forall j, (j < d)%nat -> avg n (fun k => b k j) = gradient n d X dphi lam v j).
    { intros j Hj. unfold b. rewrite avg_minus. change (avg n (fun k => G k w_opt j)) with (gradient n d X dphi lam w_opt j). rewrite optimal by exact Hj.
      unfold gradient, G. ring. }
    apply Rle_trans with (avg n (fun i => 2 * norm2 d (a i) + 2 * norm2 d (fun j => b i j - avg n (fun k => b k j)))).
    - apply avg_le; [exact n_pos|]. intros i _.
      rewrite (norm2_ext d (direction w i) (fun j => a i j - (b i j - avg n (fun k => b k j))))
        by (intros j Hj; rewrite Eb by exact Hj; unfold direction, a, b; ring).
      apply norm2_minus_le.
    - rewrite avg_plus, !avg_scal. pose proof (deviation n d b n_pos) as H. pose proof (gradients_below w) as H1. pose proof (gradients_below v) as H2.
      unfold a, b in *. lra.
  Qed.

  (* One step, towards any u. *)
  Lemma svrg_one_step : forall u w, avg n (fun i => norm2 d (fun j => step w i j - u j))
    <= norm2 d (fun j => w j - u j) - 2 * h * (to_go w - to_go u) + 2 * h * x * (to_go w + to_go v).
  Proof.
    intros u w. set (e := fun j => w j - u j).
    rewrite (avg_ext n _ (fun i => norm2 d e - 2 * h * dot d (direction w i) e + h ^ 2 * norm2 d (direction w i))).
    2:{ intros i _. rewrite (norm2_ext d _ (fun j => e j - h * direction w i j)) by (intros; unfold step, svrg_step, direction, G, e; ring).
        rewrite norm2_minus, dot_scal_r, norm2_scal, (dot_comm d e). ring. }
    rewrite avg_plus, avg_minus, avg_const, !avg_scal by exact n_pos.
    assert (E : avg n (fun i => dot d (direction w i) e) = dot d (gradient n d X dphi lam w) e).
    { rewrite (avg_ext n _ (fun i => dot d (G i w) e - dot d (G i v) e + dot d (gradient n d X dphi lam v) e)).
      - rewrite avg_plus, avg_minus, avg_const, !mean_gradient by exact n_pos. ring.
      - intros i _. unfold direction. rewrite (dot_comm d _ e), dot_plus_r, dot_minus_r, !(dot_comm d e). reflexivity. }
    rewrite E. pose proof (tangent_of_P u w) as HT. pose proof (norm2_nonneg d (fun j => u j - w j)) as HN.
    assert (Ee : dot d (gradient n d X dphi lam w) (fun j => u j - w j) = - dot d (gradient n d X dphi lam w) e)
      by (unfold e; rewrite !dot_minus_r; ring).
    rewrite Ee in HT. assert (H0 : 0 <= lam / 2 * norm2 d (fun j => u j - w j)) by (apply Rmult_le_pos; lra).
    pose proof (variance w) as HV. apply Rmult_le_compat_l with (r := h ^ 2) in HV; [|apply pow2_ge_0].
    assert (HD : 2 * h * (to_go w - to_go u) <= 2 * h * dot d (gradient n d X dphi lam w) e) by (apply Rmult_le_compat_l; unfold to_go; lra).
    replace (2 * h * x * (to_go w + to_go v)) with (h ^ 2 * (4 * L * (to_go w + to_go v))) by (unfold x; ring). lra.
  Qed.

  (* Summed over k steps from w. *)
  Let D t w := Expect n step t to_go w.
  Lemma svrg_sum : forall u w k, 2 * h * (1 - x) * bsum k (fun t => D t w)
    <= norm2 d (fun j => w j - u j) + 2 * h * INR k * (to_go u + x * to_go v).
  Proof.
    intros u w k. set (N := fun b => norm2 d (fun j => b j - u j)).
    enough (H : Expect n step k N w + 2 * h * (1 - x) * bsum k (fun t => D t w) <= N w + 2 * h * INR k * (to_go u + x * to_go v)).
    { assert (0 <= Expect n step k N w).
      { rewrite <- (Expect_const n step n_pos 0 k w). apply (Expect_le n step (fun _ => True)); auto. intros. apply norm2_nonneg. }
      unfold N in *. lra. }
    induction k as [|k IH]; [cbn [Expect bsum]; simpl INR; lra|]. cbn [bsum]. rewrite S_INR.
    enough (Expect n step (S k) N w <= Expect n step k N w - 2 * h * (1 - x) * D k w + 2 * h * (to_go u + x * to_go v)) by lra.
    rewrite <- (Nat.add_1_r k), (Expect_compose n step N k 1).
    apply Rle_trans with (Expect n step k (fun b => N b - (2 * h * (1 - x) * to_go b - 2 * h * (to_go u + x * to_go v))) w).
    - apply (Expect_le n step (fun _ => True)); auto. intros b _. cbn [Expect]. pose proof (svrg_one_step u b) as H. unfold N. lra.
    - rewrite !Expect_minus, Expect_scal, Expect_const by exact n_pos. unfold D. lra.
  Qed.

  Lemma distance_below : norm2 d (fun j => v j - w_opt j) <= 2 / lam * to_go v.
  Proof.
    pose proof (tangent_of_P v w_opt) as H. rewrite at_optimum in H. apply Rmult_le_reg_l with (lam / 2); [lra|].
    replace (lam / 2 * (2 / lam * to_go v)) with (to_go v) by (field; lra). unfold to_go. lra.
  Qed.

  (* The mean over the first m iterates: option II. *)
  Lemma svrg_mean : forall m, (0 < m)%nat -> avg m (fun t => D t v) <= svrg_rho L lam h m * to_go v.
  Proof.
    intros m Hm. assert (HM : 0 < INR m) by (apply INR_pos, Hm). pose proof (svrg_sum w_opt v m) as H. pose proof distance_below as Hd.
    assert (E0 : to_go w_opt = 0) by (unfold to_go; ring). rewrite E0 in H. unfold svrg_rho. fold x. unfold avg.
    apply Rmult_le_reg_l with (2 * h * (1 - x) * INR m); [repeat apply Rmult_lt_0_compat; lra|].
    replace (2 * h * (1 - x) * INR m * (bsum m (fun t => D t v) / INR m)) with (2 * h * (1 - x) * bsum m (fun t => D t v)) by (field; lra).
    replace (2 * h * (1 - x) * INR m * ((1 / (lam * h * (1 - x) * INR m) + x / (1 - x)) * to_go v))
      with (2 / lam * to_go v + 2 * h * INR m * (x * to_go v)) by (field; lra). lra.
  Qed.

  (* The last iterate: sums over the last k + 1 iterates, towards the first of them. *)
  Lemma svrg_tail : forall m k, (k <= m)%nat ->
    (1 - x) * bsum (S k) (fun t => D (m - k + t) v) <= INR (S k) * (D (m - k) v + x * to_go v).
  Proof.
    intros m k Hk. set (s := (m - k)%nat).
    assert (Hall : forall w, (1 - x) * bsum (S k) (fun t => D t w) <= INR (S k) * (to_go w + x * to_go v)).
    { intros w. pose proof (svrg_sum w w (S k)) as H. rewrite (norm2_ext d _ (fun j => 0 * w j)), norm2_scal in H by (intros; ring).
      apply Rmult_le_reg_l with (2 * h); lra. }
    assert (E : forall t, D (s + t) v = Expect n step s (D t) v) by (intros; apply Expect_compose).
    rewrite (bsum_ext (S k) _ (fun t => Expect n step s (D t) v)) by (intros; apply E).
    rewrite <- (Expect_bsum n step (S k) D s v). unfold D at 2.
    rewrite <- Expect_scal.
    apply Rle_trans with (Expect n step s (fun b => INR (S k) * (to_go b - - (x * to_go v))) v).
    - apply (Expect_le n step (fun _ => True)); auto. intros b _. pose proof (Hall b). lra.
    - rewrite Expect_scal, Expect_minus, Expect_const by exact n_pos. right. ring.
  Qed.

  Lemma svrg_growth_pos : forall m, 0 < svrg_growth x m.
  Proof.
    induction m as [|m IH]; cbn [svrg_growth]; [lra|]. apply Rmult_lt_0_compat; [exact IH|].
    assert (0 < x / INR (S m)) by (apply Rdiv_lt_0_compat; [lra | apply INR_pos; lia]). lra.
  Qed.

  Lemma svrg_last_iterate : forall m k, (k <= m)%nat ->
    D m v + to_go v <= svrg_growth x k * (avg (S k) (fun t => D (m - k + t) v) + to_go v).
  Proof.
    intros m k. induction k as [|k IH]; intros Hk.
    - cbn [svrg_growth]. unfold avg. cbn [bsum]. simpl INR. rewrite Nat.sub_0_r, Nat.add_0_r. right. field.
    - eapply Rle_trans; [apply IH; lia|]. cbn [svrg_growth]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply Rlt_le, svrg_growth_pos|].
      pose proof (svrg_tail m (S k) Hk) as H. set (T := bsum (S (S k)) (fun t => D (m - S k + t) v)) in *.
      assert (ET : T = D (m - S k) v + bsum (S k) (fun t => D (m - k + t) v)).
      { unfold T. clear - Hk. set (s := (m - S k)%nat). replace (m - k)%nat with (S s) by lia. generalize (S k). intros q.
        induction q as [|q IHq]; [cbn [bsum]; rewrite Nat.add_0_r; ring|].
        change (bsum (S (S q)) ?F) with (bsum (S q) F + F (S q)). cbv beta. rewrite IHq. cbn [bsum]. replace (s + S q)%nat with (S s + q)%nat by lia. ring. }
      unfold avg. assert (HK : 0 < INR (S k)) by (apply INR_pos; lia). set (B := bsum (S k) (fun t => D (m - k + t) v)) in *.
      change (bsum (S (S k)) (fun t => D (m - S k + t) v)) with T. rewrite (S_INR (S k)) in *. set (K := INR (S k)) in *.
      apply Rmult_le_reg_l with (K * (K + 1)); [apply Rmult_lt_0_compat; lra|].
      replace (K * (K + 1) * (B / K + to_go v)) with ((K + 1) * B + K * (K + 1) * to_go v) by (field; lra).
      replace (K * (K + 1) * ((1 + x / K) * (T / (K + 1) + to_go v))) with ((K + x) * T + (K + x) * (K + 1) * to_go v) by (field; lra).
      nra.
  Qed.

  (* One round of each option. *)
  Lemma svrg_round_random : forall m, (0 < m)%nat -> svrg_random n d X dphi lam h m to_go v <= svrg_rho L lam h m * to_go v.
  Proof. exact svrg_mean. Qed.

  Lemma svrg_round_last : forall m, svrg_last n d X dphi lam h m to_go v <= (svrg_growth x m * (1 + svrg_rho L lam h (S m)) - 1) * to_go v.
  Proof.
    intros m. pose proof (svrg_last_iterate m m (le_n m)) as H. rewrite Nat.sub_diag in H. pose proof (svrg_mean (S m) (Nat.lt_0_succ m)) as Hm.
    change (avg (S m) (fun t => D (0 + t) v)) with (avg (S m) (fun t => D t v)) in H.
    assert (H1 : svrg_growth x m * (avg (S m) (fun t => D t v) + to_go v) <= svrg_growth x m * (svrg_rho L lam h (S m) * to_go v + to_go v))
      by (apply Rmult_le_compat_l; [apply Rlt_le, svrg_growth_pos | lra]).
    unfold svrg_last. change (Expect n (svrg_step n d X dphi lam h v) m to_go v) with (D m v). lra.
  Qed.
  (* ---- Long rounds: two runs with the same rows come together, so the last iterate is as good as the later ones in mean. ---- *)
  Let q := 1 - 3 / 2 * (lam * h).
  Let q_range : 0 <= q <= 1.
  Proof.
    assert (lam * h <= 1 / 2); [|assert (0 < lam * h) by (apply Rmult_lt_0_compat; lra); unfold q; lra].
    apply Rle_trans with (L * h); [apply Rmult_le_compat_r; [lra|]; unfold L; assert (0 < R2 / gamma) by (apply Rdiv_lt_0_compat; lra); lra|].
    unfold x in x_range. lra.
  Qed.

  Lemma both_bregmans : forall i a b, bregman i a b + bregman i b a = dot d (fun j => G i a j - G i b j) (fun j => a j - b j).
  Proof. intros i a b. unfold bregman. rewrite dot_minus_l, !dot_minus_r. ring. Qed.

  Lemma row_strong : forall i a b, (i < n)%nat -> lam / 2 * norm2 d (fun j => a j - b j) <= bregman i a b.
  Proof.
    intros i a b Hi. rewrite row_bregman. destruct (losses i Hi) as (Hc & Hd & _).
    pose proof (tangent_below (phi i) _ _ (dot d (X i) a) Hc (Hd (dot d (X i) b))). lra.
  Qed.

  Lemma coupled : forall a b, avg n (fun i => norm2 d (fun j => step a i j - step b i j)) <= q * norm2 d (fun j => a j - b j).
  Proof.
    intros a b. set (e := fun j => a j - b j). rewrite <- (avg_const n (q * norm2 d e) n_pos). apply avg_le; [exact n_pos|]. intros i Hi.
    set (y := fun j => G i a j - G i b j).
    rewrite (norm2_ext d _ (fun j => e j - h * y j)) by (intros; unfold step, svrg_step, y, G, e; ring).
    rewrite norm2_minus, dot_scal_r, norm2_scal, (dot_comm d e). pose proof (both_bregmans i a b) as E. fold y e in E.
    pose proof (row_cocoercive i a b Hi) as C1. fold y in C1. pose proof (row_strong i a b Hi) as S1. fold e in S1.
    assert (C2 : norm2 d y <= 2 * L * bregman i b a) by (unfold y; rewrite norm2_diff_sym; apply row_cocoercive, Hi).
    assert (S2 : lam / 2 * norm2 d e <= bregman i b a) by (unfold e; rewrite norm2_diff_sym; apply row_strong, Hi).
    assert (Hy : norm2 d y <= L * dot d y e) by (rewrite <- E; lra). assert (He : lam * norm2 d e <= dot d y e) by (rewrite <- E; lra).
    apply Rmult_le_compat_l with (r := h ^ 2) in Hy; [|apply pow2_ge_0].
    assert (Hx : x * (h * dot d y e) <= 1 * (h * dot d y e)).
    { apply Rmult_le_compat_r; [|lra]. apply Rmult_le_pos; [lra|]. apply Rle_trans with (lam * norm2 d e); [|exact He].
      apply Rmult_le_pos; [lra | apply norm2_nonneg]. }
    replace (h ^ 2 * (L * dot d y e)) with (x * (h * dot d y e) / 2) in Hy by (unfold x; field).
    apply Rmult_le_compat_l with (r := h) in He; [|lra]. unfold q. lra.
  Qed.

  Let both (p : (nat -> R) * (nat -> R)) i := (step (fst p) i, step (snd p) i).
  Lemma both_first : forall F t p, Expect n both t (fun p => F (fst p)) p = Expect n step t F (fst p).
  Proof. intros F t. induction t as [|t IH]; intros p; cbn [Expect]; [reflexivity|]. apply avg_ext. intros. apply IH. Qed.
  Lemma both_second : forall F t p, Expect n both t (fun p => F (snd p)) p = Expect n step t F (snd p).
  Proof. intros F t. induction t as [|t IH]; intros p; cbn [Expect]; [reflexivity|]. apply avg_ext. intros. apply IH. Qed.

  Lemma compare : forall s a b, 0 < s -> to_go a <= (1 + s) * to_go b + (1 + 1 / s) * (L / 2) * norm2 d (fun j => a j - b j).
  Proof.
    intros s a b Hs. set (e := fun j => a j - b j).
    assert (E : forall w, to_go w = avg n (fun i => bregman i w w_opt)) by (intros w; rewrite mean_bregman, at_optimum; unfold to_go; ring).
    rewrite !E, <- avg_scal. rewrite <- (avg_const n ((1 + 1 / s) * (L / 2) * norm2 d e) n_pos), <- avg_plus.
    apply avg_le; [exact n_pos|]. intros i Hi.
    assert (E1 : bregman i a w_opt = bregman i b w_opt + dot d (fun j => G i b j - G i w_opt j) e + bregman i a b).
    { unfold bregman, e. rewrite dot_minus_l, !dot_minus_r. ring. }
    pose proof (young d (s / L) (fun j => G i b j - G i w_opt j) e ltac:(apply Rdiv_lt_0_compat; lra)) as Y1.
    pose proof (row_cocoercive i b w_opt Hi) as C1. apply Rmult_le_compat_l with (r := s / L / 2) in C1; [|apply Rlt_le; repeat apply Rdiv_lt_0_compat; lra].
    replace (s / L / 2 * (2 * L * bregman i b w_opt)) with (s * bregman i b w_opt) in C1 by (field; lra).
    replace (norm2 d e / (2 * (s / L))) with (1 / s * (L / 2) * norm2 d e) in Y1 by (field; lra).
    assert (E2 : bregman i a b <= L / 2 * norm2 d e).
    { pose proof (both_bregmans i a b) as EB. fold e in EB. set (y := fun j => G i a j - G i b j) in *.
      assert (C2 : norm2 d y <= 2 * L * bregman i b a) by (unfold y; rewrite norm2_diff_sym; apply row_cocoercive, Hi). pose proof (young d (1 / L) y e ltac:(apply Rdiv_lt_0_compat; lra)) as Y2.
      apply Rmult_le_compat_l with (r := 1 / L / 2) in C2; [|apply Rlt_le; repeat apply Rdiv_lt_0_compat; lra].
      replace (1 / L / 2 * (2 * L * bregman i b a)) with (bregman i b a) in C2 by (field; lra).
      replace (norm2 d e / (2 * (1 / L))) with (L / 2 * norm2 d e) in Y2 by (field; lra). lra. }
    lra.
  Qed.

  Lemma stays_near : forall t, Expect n step t (fun w => norm2 d (fun j => w j - w_opt j)) v <= 2 * to_go v / (lam * (1 - x)).
  Proof.
    pose proof (to_go_nonneg v) as Hv. set (N := fun w => norm2 d (fun j => w j - w_opt j)). set (B := 2 * to_go v / (lam * (1 - x))).
    assert (HB : lam * (1 - x) * B = 2 * to_go v) by (unfold B; field; lra).
    induction t as [|t IH].
    - cbn [Expect]. apply Rle_trans with (2 / lam * to_go v); [apply distance_below|]. unfold B. apply Rmult_le_reg_l with (lam * (1 - x)); [apply Rmult_lt_0_compat; lra|].
      replace (lam * (1 - x) * (2 / lam * to_go v)) with (2 * to_go v - x * (2 * to_go v)) by (field; lra). fold B. rewrite HB.
      assert (0 <= x * (2 * to_go v)) by (apply Rmult_le_pos; lra). lra.
    - rewrite <- (Nat.add_1_r t), (Expect_compose n step N t 1).
      apply Rle_trans with (Expect n step t (fun b => (1 - h * (lam * (1 - x))) * N b - - (2 * h * x * to_go v)) v).
      + apply (Expect_le n step (fun _ => True)); auto. intros b _. cbn [Expect]. pose proof (svrg_one_step w_opt b) as H. fold (N b) in H.
        pose proof (tangent_of_P b w_opt) as HT. rewrite at_optimum in HT. fold (N b) in HT.
        assert (Hb : lam / 2 * N b <= to_go b) by (unfold to_go; lra). assert (E0 : to_go w_opt = 0) by (unfold to_go; ring). rewrite E0 in H.
        apply Rmult_le_compat_l with (r := 2 * h * (1 - x)) in Hb; [|apply Rmult_le_pos; lra]. unfold N in *. lra.
      + rewrite Expect_minus, Expect_scal, Expect_const by exact n_pos.
        assert (Hc : 0 <= 1 - h * (lam * (1 - x))).
        { assert (lam * h * (1 - x) <= lam * h * 1) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra]). unfold q in q_range.
          assert (0 <= lam * h) by (apply Rmult_le_pos; lra). lra. }
        apply Rmult_le_compat_l with (r := 1 - h * (lam * (1 - x))) in IH; [|exact Hc].
        assert (0 <= h * (1 - x) * to_go v) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
        replace ((1 - h * (lam * (1 - x))) * B) with (B - h * (lam * (1 - x) * B)) in IH by ring. rewrite HB in IH. lra.
  Qed.

  (* The mean after m steps against the mean after t more. *)
  Lemma later : forall s m t, 0 < s ->
    D m v <= (1 + s) * D (t + m) v + (1 + 1 / s) * (4 * (L / lam) / (1 - x)) * q ^ m * to_go v.
  Proof.
    intros s m t Hs. set (c := (1 + 1 / s) * (L / 2)).
    assert (Hc : 0 <= c) by (unfold c; assert (0 < 1 / s) by (apply Rdiv_lt_0_compat; lra); apply Rmult_le_pos; lra).
    set (N := fun p : (nat -> R) * (nat -> R) => norm2 d (fun j => fst p j - snd p j)).
    assert (H : forall u, D m v <= (1 + s) * D m u + c * (q ^ m * norm2 d (fun j => v j - u j))).
    { intros u. assert (E1 : D m v = Expect n both m (fun p => to_go (fst p)) (v, u)) by (symmetry; apply (both_first to_go m (v, u))).
      assert (E2 : D m u = Expect n both m (fun p => to_go (snd p)) (v, u)) by (symmetry; apply (both_second to_go m (v, u))). rewrite E1, E2.
      apply Rle_trans with (Expect n both m (fun p => (1 + s) * to_go (snd p) - - c * N p) (v, u)).
      - apply (Expect_le n both (fun _ => True)); auto. intros p _. pose proof (compare s (fst p) (snd p) Hs) as H. fold (N p) in H. unfold c. lra.
      - rewrite Expect_minus, !Expect_scal.
        assert (HN : Expect n both m N (v, u) <= q ^ m * N (v, u)).
        { apply (Expect_contract n both (fun _ => True)); auto; [lra|]. intros p _. apply coupled. }
        apply Rmult_le_compat_l with (r := c) in HN; [|exact Hc]. unfold N at 2 in HN. cbn [fst snd] in HN. lra. }
    rewrite <- (Expect_const n step n_pos (D m v) t v).
    apply Rle_trans with (Expect n step t (fun u => (1 + s) * D m u - - (c * q ^ m) * (2 * norm2 d (fun j => v j - w_opt j) - -2 * norm2 d (fun j => u j - w_opt j))) v).
    - apply (Expect_le n step (fun _ => True)); auto. intros u _. eapply Rle_trans; [apply (H u)|].
      pose proof (norm2_minus_le d (fun j => v j - w_opt j) (fun j => u j - w_opt j)) as Hn.
      rewrite (norm2_ext d _ (fun j => v j - u j)) in Hn by (intros; ring).
      apply Rmult_le_compat_l with (r := c * q ^ m) in Hn; [lra|]. apply Rmult_le_pos; [exact Hc | apply pow_le; lra].
    - rewrite Expect_minus, !Expect_scal, Expect_minus, Expect_const, Expect_scal by exact n_pos.
      rewrite <- (Expect_compose n step to_go t m). fold (D (t + m) v).
      pose proof (stays_near t) as Hs2. pose proof distance_below as Hd. set (E2 := Expect n step t (fun w => norm2 d (fun j => w j - w_opt j)) v) in *.
      assert (Hlt : 2 / lam * to_go v <= 2 * to_go v / (lam * (1 - x))).
      { pose proof (to_go_nonneg v). apply Rmult_le_reg_l with (lam * (1 - x)); [apply Rmult_lt_0_compat; lra|].
        replace (lam * (1 - x) * (2 / lam * to_go v)) with (2 * to_go v - x * (2 * to_go v)) by (field; lra).
        replace (lam * (1 - x) * (2 * to_go v / (lam * (1 - x)))) with (2 * to_go v) by (field; lra).
        assert (0 <= x * (2 * to_go v)) by (apply Rmult_le_pos; lra). lra. }
      assert (Hsum : 2 * norm2 d (fun j => v j - w_opt j) - -2 * E2 <= 8 * to_go v / (lam * (1 - x))).
      { replace (8 * to_go v / (lam * (1 - x))) with (4 * (2 * to_go v / (lam * (1 - x)))) by (field; lra). lra. }
      apply Rmult_le_compat_l with (r := c * q ^ m) in Hsum; [|apply Rmult_le_pos; [exact Hc | apply pow_le; lra]].
      replace (c * q ^ m * (8 * to_go v / (lam * (1 - x)))) with ((1 + 1 / s) * (4 * (L / lam) / (1 - x)) * q ^ m * to_go v) in Hsum by (unfold c; field; lra).
      lra.
  Qed.

  Lemma some_above : forall a, exists k, a < INR k.
  Proof.
    intros a. exists (Z.to_nat (up (Rmax 0 a))). destruct (archimed (Rmax 0 a)) as [H _]. pose proof (Rmax_l 0 a). pose proof (Rmax_r 0 a).
    rewrite INR_IZR_INZ, Z2Nat.id; [lra|]. apply le_IZR. lra.
  Qed.

  Lemma bsum_split : forall a b F, bsum (a + b) F = bsum a F + bsum b (fun t => F (t + a)%nat).
  Proof.
    intros a b F. induction b as [|b IH]; [rewrite Nat.add_0_r; cbn [bsum]; ring|]. rewrite Nat.add_succ_r. cbn [bsum]. rewrite IH, (Nat.add_comm a b). ring.
  Qed.

  Lemma long_run : forall s m, 0 < s -> D m v <= (1 + s) * (x / (1 - x) * to_go v) + (1 + 1 / s) * (4 * (L / lam) / (1 - x)) * q ^ m * to_go v.
  Proof.
    intros s m Hs. pose proof (to_go_nonneg v) as Hv. set (E := (1 + 1 / s) * (4 * (L / lam) / (1 - x)) * q ^ m * to_go v).
    set (C := (1 + s) * ((1 / (lam * h) + INR m * x) / (1 - x) * to_go v)).
    assert (H : forall k, INR k * (D m v - (1 + s) * (x / (1 - x) * to_go v) - E) <= C).
    { intros k. assert (H1 : INR k * D m v <= (1 + s) * bsum k (fun t => D (t + m) v) + INR k * E).
      { rewrite <- !bsum_const, <- bsum_scal, <- bsum_plus. apply bsum_le. intros t _. apply later, Hs. }
      assert (H2 : bsum k (fun t => D (t + m) v) <= bsum (m + k) (fun t => D t v)).
      { rewrite bsum_split. enough (0 <= bsum m (fun t => D t v)) by lra. apply bsum_nonneg. intros t _.
        rewrite <- (Expect_const n step n_pos 0 t v). apply (Expect_le n step (fun _ => True)); auto. intros. apply to_go_nonneg. }
      pose proof (svrg_sum w_opt v (m + k)) as H3. pose proof distance_below as Hd. assert (E0 : to_go w_opt = 0) by (unfold to_go; ring). rewrite E0, plus_INR in H3.
      assert (H4 : bsum (m + k) (fun t => D t v) <= (1 / (lam * h) + (INR m + INR k) * x) / (1 - x) * to_go v).
      { apply Rmult_le_reg_l with (2 * h * (1 - x)); [repeat apply Rmult_lt_0_compat; lra|].
        replace (2 * h * (1 - x) * ((1 / (lam * h) + (INR m + INR k) * x) / (1 - x) * to_go v))
          with (2 / lam * to_go v + 2 * h * (INR m + INR k) * (x * to_go v)) by (field; lra). lra. }
      assert (H5 : (1 + s) * bsum k (fun t => D (t + m) v) <= (1 + s) * ((1 / (lam * h) + (INR m + INR k) * x) / (1 - x) * to_go v))
        by (apply Rmult_le_compat_l; lra).
      unfold C. replace ((1 / (lam * h) + (INR m + INR k) * x) / (1 - x) * to_go v)
        with ((1 / (lam * h) + INR m * x) / (1 - x) * to_go v + INR k * (x / (1 - x) * to_go v)) in H5 by (field; lra). lra. }
    destruct (Rle_or_lt (D m v - (1 + s) * (x / (1 - x) * to_go v) - E) 0) as [Hle | Hgt]; [lra|].
    destruct (some_above (C / (D m v - (1 + s) * (x / (1 - x) * to_go v) - E))) as [k Hk]. specialize (H k).
    apply Rmult_lt_compat_r with (r := D m v - (1 + s) * (x / (1 - x) * to_go v) - E) in Hk; [|exact Hgt].
    unfold Rdiv in Hk at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Hk by lra. lra.
  Qed.

  Lemma svrg_round_long : forall m, (0 < m)%nat -> let y := lam * h * INR m in 8 * (L / lam) * y * (1 + 2 * x * y) * q ^ m <= 1 ->
    svrg_last n d X dphi lam h m to_go v <= svrg_rho L lam h m * to_go v.
  Proof.
    intros m Hm y Hy. pose proof (INR_pos m Hm) as HM. assert (Hyp : 0 < y) by (unfold y; repeat apply Rmult_lt_0_compat; lra).
    assert (Hxy : 0 < x * y) by (apply Rmult_lt_0_compat; lra).
    change (svrg_last n d X dphi lam h m to_go v) with (D m v). eapply Rle_trans; [apply (long_run (1 / (2 * (x * y)))); apply Rdiv_lt_0_compat; lra|].
    rewrite <- Rmult_assoc, <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [apply to_go_nonneg|]. unfold svrg_rho. fold x y.
    replace (lam * h * (1 - x) * INR m) with (y * (1 - x)) by (unfold y; ring).
    apply Rmult_le_reg_l with (2 * y * (1 - x)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (2 * y * (1 - x) * (1 / (y * (1 - x)) + x / (1 - x))) with (2 + 2 * y * x) by (field; lra).
    replace (2 * y * (1 - x) * ((1 + 1 / (2 * (x * y))) * (x / (1 - x)) + (1 + 1 / (1 / (2 * (x * y)))) * (4 * (L / lam) / (1 - x)) * q ^ m))
      with (2 * y * x + 1 + 8 * (L / lam) * y * (1 + 2 * x * y) * q ^ m) by (field; lra).
    lra.
  Qed.
End Round.

(* s rounds, from one. *)
Lemma rounds_contract : forall (round : ((nat -> R) -> R) -> (nat -> R) -> R) (F : (nat -> R) -> R) r, 0 <= r ->
  (forall A B, (forall w, A w <= B w) -> forall v, round A v <= round B v) -> (forall c A v, round (fun w => c * A w) v = c * round A v) ->
  (forall v, round F v <= r * F v) -> forall s v, svrg_rounds round s F v <= r ^ s * F v.
Proof.
  intros round F r Hr Hle Hscal H s. induction s as [|s IH]; intros v; cbn [svrg_rounds pow]; [lra|].
  eapply Rle_trans; [apply Hle, IH|]. rewrite Hscal. replace (r * r ^ s * F v) with (r ^ s * (r * F v)) by ring.
  apply Rmult_le_compat_l; [apply pow_le, Hr | apply H].
Qed.

Lemma svrg_growth_one : forall x m, 0 <= x -> 1 <= svrg_growth x m.
Proof.
  intros x m Hx. induction m as [|m IH]; cbn [svrg_growth]; [lra|].
  assert (0 <= x / INR (S m)) by (apply Rmult_le_pos; [exact Hx | apply Rlt_le, Rinv_0_lt_compat, INR_pos; lia]). nra.
Qed.

Theorem svrg_growth_harmonic : forall x m, 0 <= x -> svrg_growth x m <= exp (x * harmonic m).
Proof.
  intros x m Hx. unfold harmonic. induction m as [|m IH]; cbn [svrg_growth bsum]; [rewrite Rmult_0_r, exp_0; lra|].
  rewrite (Rmult_plus_distr_l x), exp_plus. assert (0 <= x * (1 / INR (S m))).
  { apply Rmult_le_pos; [exact Hx|]. apply Rlt_le, Rdiv_lt_0_compat; [lra | apply INR_pos; lia]. }
  pose proof (svrg_growth_one x m Hx). replace (x / INR (S m)) with (x * (1 / INR (S m))) by (unfold Rdiv; ring).
  apply Rmult_le_compat; [lra | lra | exact IH | apply exp_ineq1_le].
Qed.

Section Theorems.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi : nat -> R -> R) (gamma lam R2 h : R) (w_opt : nat -> R) (m : nat).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis R2_pos : 0 < R2.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Hypothesis optimal : forall j, (j < d)%nat -> gradient n d X dphi lam w_opt j = 0.
  Hypothesis h_range : 0 < h < 1 / (2 * (R2 / gamma + lam)).
  Let L := R2 / gamma + lam.
  Let to_go w := P n d X phi lam w - P n d X phi lam w_opt.

  Lemma svrg_share : 0 < 2 * L * h < 1.
  Proof.
    assert (HL : 0 < L) by (unfold L; assert (0 < R2 / gamma) by (apply Rdiv_lt_0_compat; lra); lra). split; [repeat apply Rmult_lt_0_compat; lra|].
    apply Rmult_lt_reg_r with (/ (2 * L)); [apply Rinv_0_lt_compat; lra|]. replace (2 * L * h * / (2 * L)) with h by (field; lra). fold L in h_range. lra.
  Qed.

  Lemma svrg_rho_pos : forall k, (0 < k)%nat -> 0 <= svrg_rho L lam h k.
  Proof.
    intros k Hk. pose proof svrg_share. unfold svrg_rho. apply Rplus_le_le_0_compat; apply Rlt_le, Rdiv_lt_0_compat; try lra.
    repeat apply Rmult_lt_0_compat; try lra. apply INR_pos, Hk.
  Qed.

  (* Theorem 1. *)
  Theorem svrg_theorem_1 : (0 < m)%nat -> forall s v,
    svrg_rounds (svrg_random n d X dphi lam h m) s to_go v <= svrg_rho L lam h m ^ s * to_go v.
  Proof.
    intros Hm. apply rounds_contract.
    - apply svrg_rho_pos, Hm.
    - intros A B H v. apply avg_le; [exact Hm|]. intros t _. apply (Expect_le n _ (fun _ => True)); auto.
    - intros c A v. unfold svrg_random. rewrite <- avg_scal. apply avg_ext. intros. apply Expect_scal.
    - intros v. apply svrg_round_random; assumption.
  Qed.

  (* Option I. *)
  Theorem svrg_option_one : forall s v,
    svrg_rounds (svrg_last n d X dphi lam h m) s to_go v
    <= (svrg_growth (2 * L * h) m * (1 + svrg_rho L lam h (S m)) - 1) ^ s * to_go v.
  Proof.
    apply rounds_contract.
    - pose proof (svrg_growth_one (2 * L * h) m ltac:(pose proof svrg_share; lra)). pose proof (svrg_rho_pos (S m) (Nat.lt_0_succ m)). nra.
    - intros A B H v. apply (Expect_le n _ (fun _ => True)); auto.
    - intros c A v. apply Expect_scal.
    - intros v. apply svrg_round_last; assumption.
  Qed.

  Lemma power_below_exp : forall z k, 0 <= 1 - z -> (1 - z) ^ k <= exp (- (z * INR k)).
  Proof.
    intros z k Hz. induction k as [|k IH]; [simpl; rewrite Rmult_0_r, Ropp_0, exp_0; lra|]. rewrite <- tech_pow_Rmult, S_INR.
    replace (- (z * (INR k + 1))) with (- z + - (z * INR k)) by ring. rewrite exp_plus.
    apply Rmult_le_compat; [exact Hz | apply pow_le, Hz | | exact IH]. pose proof (exp_ineq1_le (- z)). lra.
  Qed.

  (* Option I with the rho of Theorem 1, where the rounds are long: y = lam h m is above some 4 + (2/3) ln(L/lam), up to ln ln. *)
  Theorem svrg_option_one_long : (0 < m)%nat ->
    let y := lam * h * INR m in 8 * (L / lam) * y * (1 + 2 * y) <= exp (3 / 2 * y) -> forall s v,
    svrg_rounds (svrg_last n d X dphi lam h m) s to_go v <= svrg_rho L lam h m ^ s * to_go v.
  Proof.
    intros Hm y Hy. pose proof svrg_share as Hx. pose proof (INR_pos m Hm) as HM.
    assert (HL : lam < L) by (unfold L; assert (0 < R2 / gamma) by (apply Rdiv_lt_0_compat; lra); lra).
    assert (Hlh : 0 < lam * h) by (apply Rmult_lt_0_compat; lra).
    assert (Hyp : 0 < y) by (unfold y; apply Rmult_lt_0_compat; lra).
    assert (Hk : 0 < L / lam) by (apply Rdiv_lt_0_compat; lra).
    assert (Hq : 0 <= 1 - 3 / 2 * (lam * h)) by (assert (lam * h <= L * h) by (apply Rmult_le_compat_r; lra); lra).
    apply rounds_contract.
    - apply svrg_rho_pos, Hm.
    - intros A B H v. apply (Expect_le n _ (fun _ => True)); auto.
    - intros c A v. apply Expect_scal.
    - intros v. apply svrg_round_long; try assumption.
      pose proof (power_below_exp (3 / 2 * (lam * h)) m Hq) as Hp. replace (3 / 2 * (lam * h) * INR m) with (3 / 2 * y) in Hp by (unfold y; ring).
      rewrite exp_Ropp in Hp. pose proof (exp_pos (3 / 2 * y)) as He.
      assert (Hb : 8 * (L / lam) * y * (1 + 2 * (2 * L * h) * y) <= exp (3 / 2 * y)).
      { eapply Rle_trans; [|exact Hy]. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
        assert (2 * L * h * y <= 1 * y) by (apply Rmult_le_compat_r; lra). lra. }
      apply Rle_trans with (exp (3 / 2 * y) * / exp (3 / 2 * y)); [|right; field; lra]. fold y L.
      apply Rmult_le_compat; [| apply pow_le, Hq | exact Hb | exact Hp].
      apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. assert (0 < 2 * L * h * y) by (apply Rmult_lt_0_compat; lra). lra.
  Qed.
End Theorems.
