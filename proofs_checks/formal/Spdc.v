(* SPDC (Zhang and Xiao 2017), Algorithm 2, batches of m rows, and Algorithm 1, m = 1: Theorem 1 for every strongly convex g, with R instead
   of 2R. *)
From Coq Require Import Reals Lra Lia Psatz Arith List.
From Dualgap Require Import Definitions Sums Convex Expectation Damped.
Open Scope R_scope.

(* Growth from a minimum of h + quadratic: the (7) and (8) of the paper, and the saddle point. *)
Lemma growth : forall h0 h1 hs q N s, 0 < s < 1 -> h0 <= hs -> hs <= (1 - s) * h0 + s * h1 - q / 2 * (s * (1 - s)) * N ->
  q / 2 * N <= h1 - h0 + q / 2 * N * s.
Proof.
  intros h0 h1 hs q N s Hs H1 H2. apply Rmult_le_reg_l with s; [lra|].
  replace (s * (h1 - h0 + q / 2 * N * s)) with (s * (h1 - h0) + q / 2 * N * s * s) by ring. nra.
Qed.

Section Minimum.
  Variables (d : nat) (g : (nat -> R) -> R) (lam : R).
  Hypothesis strong : strongly_convex d g lam.
  Hypothesis lam_pos : 0 < lam.

  Lemma minimum_growth : forall v w tau x, 0 < tau ->
    (forall y, spdc_primal_value d g tau v w x <= spdc_primal_value d g tau v w y) ->
    forall y, spdc_primal_value d g tau v w x + (1 / (2 * tau) + lam / 2) * norm2 d (fun j => x j - y j)
              <= spdc_primal_value d g tau v w y.
  Proof.
    intros v w tau x Ht Hmin y. set (N := norm2 d (fun j => x j - y j)). assert (HN : 0 <= N) by apply norm2_nonneg.
    set (q := 1 / tau + lam). assert (Hq : 0 < q) by (unfold q; assert (0 < 1 / tau) by (apply Rdiv_lt_0_compat; lra); lra).
    enough (q / 2 * N <= spdc_primal_value d g tau v w y - spdc_primal_value d g tau v w x)
      by (unfold q in *; replace (1 / (2 * tau) + lam / 2) with ((1 / tau + lam) / 2) by (field; lra); lra).
    apply le_limit with (K := q / 2 * N); [apply Rmult_le_pos; lra|]. intros s Hs.
    apply growth with (hs := spdc_primal_value d g tau v w (fun j => (1 - s) * x j + s * y j)); [exact Hs | apply Hmin|].
    unfold spdc_primal_value. pose proof (strong x y s ltac:(lra)) as Hg. fold N in Hg.
    assert (Hd : dot d v (fun j => (1 - s) * x j + s * y j) = (1 - s) * dot d v x + s * dot d v y)
      by (rewrite dot_plus_r, !dot_scal_r; reflexivity).
    assert (Hn : norm2 d (fun j => (1 - s) * x j + s * y j - w j)
      = (1 - s) * norm2 d (fun j => x j - w j) + s * norm2 d (fun j => y j - w j) - s * (1 - s) * N).
    { unfold N. rewrite (norm2_ext d _ (fun j => (1 - s) * (x j - w j) + s * (y j - w j))) by (intros; ring).
      rewrite norm2_plus, !norm2_scal, dot_scal_l, dot_scal_r.
      rewrite (norm2_ext d (fun j => x j - y j) (fun j => (x j - w j) - (y j - w j))) by (intros; ring).
      rewrite (norm2_minus d (fun j => x j - w j) (fun j => y j - w j)). ring. }
    rewrite Hd, Hn. unfold q. enough (E : forall A B : R, ((1 - s) * A + s * B - s * (1 - s) * N) / (2 * tau)
      = (1 - s) * (A / (2 * tau)) + s * (B / (2 * tau)) - 1 / tau / 2 * (s * (1 - s)) * N) by (rewrite E; lra).
    intros. field. lra.
  Qed.

  Lemma saddle_growth : forall v x, (forall y, g x + dot d v x <= g y + dot d v y) ->
    forall y, g x + dot d v x + lam / 2 * norm2 d (fun j => x j - y j) <= g y + dot d v y.
  Proof.
    intros v x Hmin y. set (N := norm2 d (fun j => x j - y j)). assert (HN : 0 <= N) by apply norm2_nonneg.
    enough (lam / 2 * N <= (g y + dot d v y) - (g x + dot d v x)) by lra.
    apply le_limit with (K := lam / 2 * N); [apply Rmult_le_pos; lra|]. intros s Hs.
    apply growth with (hs := g (fun j => (1 - s) * x j + s * y j) + dot d v (fun j => (1 - s) * x j + s * y j)); [exact Hs | apply Hmin|].
    pose proof (strong x y s ltac:(lra)) as Hg. fold N in Hg. rewrite dot_plus_r, !dot_scal_r. lra.
  Qed.
End Minimum.

Section Conjugate.
  Variables (f df fs : R -> R) (gamma : R).
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis smooth : smooth_loss f df gamma.
  Hypothesis conj : conjugate f fs.

  Lemma dual_growth : forall sigma z a b, 0 < sigma -> conj_dom f b ->
    (forall c, conj_dom f c -> spdc_dual_value fs sigma z a c <= spdc_dual_value fs sigma z a b) ->
    forall c, conj_dom f c -> spdc_dual_value fs sigma z a c + (1 / (2 * sigma) + gamma / 2) * (b - c) ^ 2 <= spdc_dual_value fs sigma z a b.
  Proof.
    intros sigma z a b Hsig Hb Hmax c Hc. set (N := (b - c) ^ 2). assert (HN : 0 <= N) by apply pow2_ge_0.
    set (q := 1 / sigma + gamma). assert (Hq : 0 < q) by (unfold q; assert (0 < 1 / sigma) by (apply Rdiv_lt_0_compat; lra); lra).
    enough (q / 2 * N <= - spdc_dual_value fs sigma z a c - - spdc_dual_value fs sigma z a b)
      by (unfold q in *; replace (1 / (2 * sigma) + gamma / 2) with ((1 / sigma + gamma) / 2) by (field; lra); lra).
    apply le_limit with (K := q / 2 * N); [apply Rmult_le_pos; lra|]. intros s Hs.
    destruct (conjugate_strongly_convex f df fs gamma b c s gamma_pos smooth conj Hb Hc ltac:(lra)) as [Hdom Hch].
    replace ((c - b) ^ 2) with N in Hch by (unfold N; ring).
    apply growth with (hs := - spdc_dual_value fs sigma z a ((1 - s) * b + s * c)); [exact Hs | |].
    - apply Ropp_le_contravar, Hmax, Hdom.
    - unfold spdc_dual_value, q.
      enough (E : ((1 - s) * b + s * c - a) ^ 2 / (2 * sigma) = (1 - s) * ((b - a) ^ 2 / (2 * sigma)) + s * ((c - a) ^ 2 / (2 * sigma))
        - 1 / sigma / 2 * (s * (1 - s)) * N) by lra.
      unfold N. field. lra.
  Qed.

  Lemma conjugate_growth : forall z a, conj_dom f a -> (forall b, conj_dom f b -> fs a - a * z <= fs b - b * z) ->
    forall b, conj_dom f b -> fs a - a * z + gamma / 2 * (a - b) ^ 2 <= fs b - b * z.
  Proof.
    intros z a Ha Hmin b Hb. set (N := (a - b) ^ 2). assert (HN : 0 <= N) by apply pow2_ge_0.
    enough (gamma / 2 * N <= (fs b - b * z) - (fs a - a * z)) by lra.
    apply le_limit with (K := gamma / 2 * N); [apply Rmult_le_pos; lra|]. intros s Hs.
    destruct (conjugate_strongly_convex f df fs gamma a b s gamma_pos smooth conj Ha Hb ltac:(lra)) as [Hdom Hch].
    replace ((b - a) ^ 2) with N in Hch by (unfold N; ring).
    apply growth with (hs := fs ((1 - s) * a + s * b) - ((1 - s) * a + s * b) * z); [exact Hs | apply Hmin, Hdom|].
    lra.
  Qed.
End Conjugate.

(* Sums over a batch. *)
Section Batch.
  Variables (n m : nat) (K : list nat).
  Hypothesis m_pos : (0 < m)%nat.
  Hypothesis size : length K = m.
  Hypothesis different : NoDup K.
  Hypothesis inside : forall i, In i K -> (i < n)%nat.
  Let m_INR : 0 < INR m := INR_pos m m_pos.

  Lemma batch_mean_plus : forall f h, batch_mean m K (fun i => f i + h i) = batch_mean m K f + batch_mean m K h.
  Proof. intros f h. unfold batch_mean, total. clear. induction K as [|k l IH]; simpl; unfold Rdiv in *; [ring | lra]. Qed.

  Lemma batch_mean_scal : forall c f, batch_mean m K (fun i => c * f i) = c * batch_mean m K f.
  Proof. intros c f. unfold batch_mean, total. clear. induction K as [|k l IH]; simpl; unfold Rdiv in *; [ring | lra]. Qed.

  Lemma batch_mean_ext : forall f h, (forall i, In i K -> f i = h i) -> batch_mean m K f = batch_mean m K h.
  Proof. intros f h H. unfold batch_mean. f_equal. f_equal. apply map_ext_in, H. Qed.

  Lemma batch_mean_const : forall c, batch_mean m K (fun _ => c) = c.
  Proof.
    intros c. unfold batch_mean. enough (E : total (map (fun _ : nat => c) K) = INR (length K) * c) by (rewrite E, size; field; lra).
    clear. induction K as [|k l IH]; [simpl; ring|]. change (INR (length (k :: l))) with (INR (S (length l))).
    rewrite S_INR. unfold total in *. cbn [map fold_right]. rewrite IH. ring.
  Qed.

  Lemma batch_mean_le : forall f h, (forall i, In i K -> f i <= h i) -> batch_mean m K f <= batch_mean m K h.
  Proof.
    intros f h H. unfold batch_mean. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, m_INR|]. clear - H. induction K as [|k l IH]; [simpl; lra|].
    cbn [map total fold_right]. apply Rplus_le_compat; [apply H; left; reflexivity | apply IH; intros; apply H; right; assumption].
  Qed.

  (* As a sum over all rows, each counted as often as it occurs. *)
  Lemma total_as_bsum : forall f, total (map f K) = bsum n (fun i => INR (count_occ Nat.eq_dec K i) * f i).
  Proof.
    intros f. clear - inside. induction K as [|k l IH]; [cbn; rewrite (bsum_ext n _ (fun _ => 0)), bsum_const by (intros; ring); ring|].
    cbn [map total fold_right]. unfold total in IH. rewrite IH by (intros; apply inside; right; assumption).
    rewrite (bsum_change n k (fun i => INR (count_occ Nat.eq_dec l i) * f i) (fun i => INR (count_occ Nat.eq_dec (k :: l) i) * f i) (inside k (or_introl eq_refl))).
    - cbn [count_occ]. destruct (Nat.eq_dec k k) as [_|]; [|congruence]. rewrite S_INR. ring.
    - intros i _ Hik. cbn [count_occ]. destruct (Nat.eq_dec k i); [congruence | reflexivity].
  Qed.

  Lemma batch_mean_as_bsum : forall f, batch_mean m K f = bsum n (fun i => INR (count_occ Nat.eq_dec K i) * f i) / INR m.
  Proof. intros f. unfold batch_mean. rewrite total_as_bsum. reflexivity. Qed.

  (* What a sum over all rows loses and gains where only the rows of K change. *)
  Lemma bsum_changes : forall f h, (forall i, ~ In i K -> h i = f i) -> bsum n h = bsum n f + INR m * batch_mean m K (fun i => h i - f i).
  Proof.
    intros f h H. rewrite batch_mean_as_bsum. replace (INR m * (bsum n (fun i => INR (count_occ Nat.eq_dec K i) * (h i - f i)) / INR m))
      with (bsum n (fun i => INR (count_occ Nat.eq_dec K i) * (h i - f i))) by (field; lra).
    rewrite <- bsum_plus. apply bsum_ext. intros i _. destruct (in_dec Nat.eq_dec i K) as [Hi|Hi].
    - rewrite (proj1 (NoDup_count_occ' Nat.eq_dec K) different i Hi). simpl INR. ring.
    - rewrite (proj1 (count_occ_not_In Nat.eq_dec K i) Hi), (H i Hi). simpl INR. ring.
  Qed.

  Lemma dot_batch : forall d (c : nat -> R) (X : nat -> nat -> R) v,
    dot d (fun j => batch_mean m K (fun i => c i * X i j)) v = batch_mean m K (fun i => c i * dot d (X i) v).
  Proof.
    intros d c X v. rewrite (batch_mean_ext _ (fun i => dot d (fun j => c i * X i j) v)) by (intros; rewrite dot_scal_l; reflexivity).
    unfold batch_mean. clear. induction K as [|k l IH]; simpl; unfold Rdiv in *.
    - rewrite (dot_ext d _ (fun j => 0 * v j) v v), dot_scal_l by (intros; ring). ring.
    - rewrite (dot_ext d _ (fun j => / INR m * (c k * X k j) + total (map (fun i => c i * X i j) l) * / INR m) v v)
        by (intros; unfold total; ring).
      rewrite dot_comm, dot_plus_r, !(dot_comm d v), IH, dot_scal_l. unfold total. ring.
  Qed.
End Batch.

Section Step.
  Variables (n m d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (g : (nat -> R) -> R).
  Variables (gamma lam R2 tau sigma theta : R) (w_opt alpha_opt : nat -> R) (N : nat) (batch : nat -> list nat) (step : spdc_state -> nat -> spdc_state).
  Hypothesis m_range : (0 < m <= n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis strong : strongly_convex d g lam.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Hypothesis tau_pos : 0 < tau.
  Hypothesis sigma_pos : 0 < sigma.
  Hypothesis steps : 4 * (tau * sigma) * R2 <= 1.
  Hypothesis saddle : spdc_saddle n d X phi phis g w_opt alpha_opt.
  Hypothesis fair : fair_batches n m N batch.
  Hypothesis rule : spdc_batch_rule n m d X phi phis g tau sigma theta N batch step.
  Hypothesis theta_range : 0 <= theta <= 1.
  Let q := INR n / INR m.
  Hypothesis theta_rows : q - 1 <= theta * q.
  Hypothesis theta_primal : 1 <= theta * (1 + 2 * lam * tau).
  Hypothesis theta_dual : (1 - theta) * (q + q / (2 * sigma * gamma)) <= 1.

  Let u_opt := mean_row n X alpha_opt.
  Let moved (s : spdc_state) : nat -> R := fun j => sp_w s j - sp_before s j.
  Let off (s : spdc_state) : nat -> R := fun i => sp_alpha s i - alpha_opt i.
  Let h i b := phis i b - b * dot d (X i) w_opt.
  Let W s := norm2 d (fun j => sp_w s j - w_opt j).
  Let A s := norm2 n (off s) / INR m.
  Let cross s := dot d (fun j => mean_row n X (sp_alpha s) j - u_opt j) (moved s).
  Let Delta := spdc_delta n m d X phis g gamma lam tau sigma w_opt alpha_opt.
  Let potential s := Delta s + A s / (4 * sigma) + norm2 d (moved s) / (4 * tau) + cross s.
  Let n_pos : (0 < n)%nat. Proof. lia. Qed.
  Let m_INR : 0 < INR m. Proof. apply INR_pos. lia. Qed.
  Let n_INR : 0 < INR n. Proof. apply INR_pos, n_pos. Qed.
  Let q_one : 1 <= q.
  Proof. unfold q. apply Rmult_le_reg_r with (INR m); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_l, Rmult_1_r. apply le_INR. lia. Qed.

  Let N_pos : (0 < N)%nat.
  Proof.
    destruct fair as [_ Hfair]. destruct (Nat.eq_dec N 0) as [E|]; [|lia]. specialize (Hfair 0%nat n_pos). rewrite E in Hfair. unfold avg in Hfair.
    simpl bsum in Hfair. assert (0 < INR m / INR n) by (apply Rdiv_lt_0_compat; lra). unfold Rdiv at 1 in Hfair. lra.
  Qed.

  (* The mean over the batches of means over a batch is the mean over the rows. *)
  Lemma mean_of_batches : forall f, avg N (fun b => batch_mean m (batch b) f) = avg n f.
  Proof.
    intros f. destruct fair as [Hb Hfair]. assert (HN : 0 < INR N) by apply INR_pos, N_pos.
    rewrite (avg_ext N _ (fun b => / INR m * bsum n (fun i => INR (count_occ Nat.eq_dec (batch b) i) * f i)))
      by (intros b Hb'; destruct (Hb b Hb') as (_ & _ & Hin); rewrite (batch_mean_as_bsum n m (batch b) Hin); unfold Rdiv; ring).
    rewrite avg_scal. unfold avg at 1. rewrite bsum_swap.
    rewrite (bsum_ext n _ (fun i => INR N * (INR m / INR n) * f i)).
    - rewrite bsum_scal. unfold avg. field. lra.
    - intros i Hi. rewrite (bsum_ext N _ (fun b => f i * INR (count_occ Nat.eq_dec (batch b) i))) by (intros; ring). rewrite bsum_scal.
      specialize (Hfair i Hi). unfold avg in Hfair. rewrite <- Hfair. field. lra.
  Qed.

  Lemma young_row : forall i delta v, (i < n)%nat -> delta * dot d (X i) v <= norm2 d v / (4 * tau) + delta ^ 2 / (4 * sigma).
  Proof.
    intros i delta v Hi. pose proof (young d (1 / (2 * tau)) v (fun j => delta * X i j) ltac:(apply Rdiv_lt_0_compat; lra)) as H.
    rewrite dot_scal_r, norm2_scal, (dot_comm d v) in H.
    replace (1 / (2 * tau) / 2 * norm2 d v) with (norm2 d v / (4 * tau)) in H by (field; lra).
    enough (delta ^ 2 * norm2 d (X i) / (2 * (1 / (2 * tau))) <= delta ^ 2 / (4 * sigma)) by lra.
    replace (delta ^ 2 * norm2 d (X i) / (2 * (1 / (2 * tau)))) with (delta ^ 2 * (tau * norm2 d (X i))) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_l; [apply pow2_ge_0|]. apply Rmult_le_reg_l with (4 * sigma); [lra|].
    rewrite Rinv_r by lra. apply Rle_trans with (4 * (tau * sigma) * R2); [|exact steps].
    replace (4 * sigma * (tau * norm2 d (X i))) with (4 * (tau * sigma) * norm2 d (X i)) by ring.
    apply Rmult_le_compat_l; [|apply rows, Hi]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
  Qed.

  Lemma mean_dot : forall alpha v, dot d (fun j => mean_row n X alpha j - u_opt j) v = avg n (fun i => (alpha i - alpha_opt i) * dot d (X i) v).
  Proof.
    intros alpha v. rewrite dot_minus_l. unfold u_opt.
    assert (E : forall a, dot d (mean_row n X a) v = avg n (fun i => a i * dot d (X i) v)).
    { intros a. unfold avg, dot at 1, Rdiv. rewrite (bsum_ext d _ (fun j => / INR n * bsum n (fun i => a i * (X i j * v j)))).
      - rewrite bsum_scal, bsum_swap, Rmult_comm. f_equal. apply bsum_ext. intros i _. unfold dot. rewrite bsum_scal. reflexivity.
      - intros j _. unfold mean_row, avg, Rdiv. rewrite (bsum_ext n (fun i => a i * (X i j * v j)) (fun i => v j * (a i * X i j))) by (intros; ring).
        rewrite bsum_scal. ring. }
    rewrite !E, <- avg_minus. apply avg_ext. intros. ring.
  Qed.

  (* One row of a batch: (13), and what tau and sigma pay for. *)
  Lemma row_bound : forall s s' i b, conj_dom (phi i) b -> (i < n)%nat ->
    (forall c, conj_dom (phi i) c -> spdc_dual_value (phis i) sigma (dot d (X i) (sp_bar theta s)) (sp_alpha s i) c
                                     <= spdc_dual_value (phis i) sigma (dot d (X i) (sp_bar theta s)) (sp_alpha s i) b) ->
    let a := off s i in let delta := b - sp_alpha s i in let x := fun j => sp_w s' j - sp_w s j in
    (1 / (2 * sigma) + gamma / 2) * ((b - alpha_opt i) ^ 2 - a ^ 2) + (h i b - h i (sp_alpha s i))
      + / q * (delta * dot d (X i) x) + delta * dot d (X i) w_opt - delta * dot d (X i) (sp_w s')
    <= norm2 d x / (4 * tau) + theta * (norm2 d (moved s) / (4 * tau)) - gamma / 2 * a ^ 2 - (h i (sp_alpha s i) - h i (alpha_opt i))
       + a * dot d (X i) (fun j => sp_bar theta s j - w_opt j).
  Proof.
    intros s s' i b Hb Hi Hmax a delta x. destruct saddle as (Hopt & _ & _).
    pose proof (dual_growth (phi i) (dphi i) (phis i) gamma gamma_pos (losses i Hi) (conjugates i Hi) sigma _ _ b sigma_pos Hb Hmax
      (alpha_opt i) (Hopt i Hi)) as HD. clear Hmax.
    unfold spdc_dual_value in HD. replace ((alpha_opt i - sp_alpha s i) ^ 2) with (a ^ 2) in HD by (unfold a, off; ring). fold delta in HD.
    pose proof (young_row i (- ((1 - / q) * delta)) x Hi) as Y1. pose proof (young_row i delta (moved s) Hi) as Y2.
    assert (Hq1 : 0 <= 1 - / q <= 1).
    { assert (0 < / q) by (apply Rinv_0_lt_compat; lra). assert (/ q <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra. }
    assert (Y1' : - ((1 - / q) * delta) * dot d (X i) x <= norm2 d x / (4 * tau) + delta ^ 2 / (4 * sigma)).
    { eapply Rle_trans; [apply Y1|]. apply Rplus_le_compat_l. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
      replace ((- ((1 - / q) * delta)) ^ 2) with ((1 - / q) ^ 2 * delta ^ 2) by ring.
      rewrite <- (Rmult_1_l (delta ^ 2)) at 2. apply Rmult_le_compat_r; [apply pow2_ge_0|]. nra. }
    assert (Y2' : theta * (delta * dot d (X i) (moved s)) <= theta * (norm2 d (moved s) / (4 * tau)) + delta ^ 2 / (4 * sigma)).
    { apply Rmult_le_compat_l with (r := theta) in Y2; [|lra]. assert (0 <= delta ^ 2 / (4 * sigma)).
      { apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra]. } nra. }
    clear Y1 Y2. assert (Ebar : dot d (X i) (sp_bar theta s) = dot d (X i) (sp_w s) + theta * dot d (X i) (moved s))
      by (unfold sp_bar; rewrite dot_plus_r, dot_scal_r; reflexivity).
    rewrite (dot_minus_r d (X i) (sp_bar theta s)), Ebar. rewrite Ebar in HD. unfold h. unfold x at 1. rewrite dot_minus_r. unfold x in Y1' at 1. rewrite dot_minus_r in Y1'.
    replace (delta ^ 2 / (2 * sigma)) with (2 * (delta ^ 2 / (4 * sigma))) in HD by (field; lra).
    replace (a ^ 2 / (2 * sigma)) with (1 / (2 * sigma) * a ^ 2) in HD by (field; lra).
    assert (Ha : sp_alpha s i = a + alpha_opt i) by (unfold a, off; ring).
    assert (Hdel : delta = b - a - alpha_opt i) by (unfold delta; lra). rewrite Ha.
    set (sq := 1 / (2 * sigma)) in *. set (pay := delta ^ 2 / (4 * sigma)) in *. set (r := / q) in *. clearbody delta a r sq pay. subst delta. lra.
  Qed.

  (* A batch drawn: what its step does to the potential. *)
  Lemma batch_bound : forall s b, feasible n phi (sp_alpha s) -> (b < N)%nat ->
    let v := fun j => sp_bar theta s j - w_opt j in
    potential (step s b) <= W s / (2 * tau) + (1 / (2 * sigma) + gamma / 2) * A s
      + q * gap_alpha n d X phis w_opt alpha_opt (sp_alpha s) + theta * cross s + theta * (norm2 d (moved s) / (4 * tau))
      - dot d (fun j => mean_row n X (sp_alpha s) j - u_opt j) v
      + batch_mean m (batch b) (fun i => - (gamma / 2) * off s i ^ 2 + - (h i (sp_alpha s i) - h i (alpha_opt i)) + off s i * dot d (X i) v).
  Proof.
    intros s b Hf Hb v. destruct (rule s b Hf Hb) as (Hbefore & Hother & Hdual & Hmin). destruct fair as [Hbatch _].
    destruct (Hbatch b Hb) as (Hsize & Hdiff & Hin). assert (m_pos : (0 < m)%nat) by lia.
    set (s' := step s b) in *. set (K := batch b) in *. set (a' := sp_alpha s') in *. set (x := fun j => sp_w s' j - sp_w s j).
    set (delta := fun i => a' i - sp_alpha s i) in *.
    pose proof (minimum_growth d g lam strong lam_pos _ (sp_w s) tau (sp_w s') tau_pos Hmin w_opt) as HP. clear Hmin.
    (* the pieces of the new state *)
    assert (EA : A s' = A s + batch_mean m K (fun i => (a' i - alpha_opt i) ^ 2 - off s i ^ 2)).
    { unfold A, norm2, dot. rewrite (bsum_changes n m K m_pos Hdiff Hin (fun k => off s k * off s k) (fun k => off s' k * off s' k)).
      - rewrite (batch_mean_ext m K (fun i => off s' i * off s' i - off s i * off s i) (fun i => (a' i - alpha_opt i) ^ 2 - off s i ^ 2))
          by (intros; unfold off; fold a'; ring). field. lra.
      - intros k Hk. unfold off. fold a'. rewrite (Hother k Hk). reflexivity. }
    assert (EG : q * gap_alpha n d X phis w_opt alpha_opt a'
      = q * gap_alpha n d X phis w_opt alpha_opt (sp_alpha s) + batch_mean m K (fun i => h i (a' i) - h i (sp_alpha s i))).
    { unfold gap_alpha, avg. rewrite (bsum_changes n m K m_pos Hdiff Hin
        (fun k => phis k (sp_alpha s k) - sp_alpha s k * dot d (X k) w_opt - (phis k (alpha_opt k) - alpha_opt k * dot d (X k) w_opt))
        (fun k => phis k (a' k) - a' k * dot d (X k) w_opt - (phis k (alpha_opt k) - alpha_opt k * dot d (X k) w_opt))).
      - rewrite (batch_mean_ext m K _ (fun i => h i (a' i) - h i (sp_alpha s i))) by (intros; unfold h; ring). unfold q. field. lra.
      - intros k Hk. rewrite (Hother k Hk). reflexivity. }
    assert (EU : forall j, mean_row n X a' j = mean_row n X (sp_alpha s) j + / q * batch_mean m K (fun i => delta i * X i j)).
    { intros j. unfold mean_row, avg. rewrite (bsum_changes n m K m_pos Hdiff Hin (fun k => sp_alpha s k * X k j) (fun k => a' k * X k j)).
      - rewrite (batch_mean_ext m K _ (fun i => delta i * X i j)) by (intros; unfold delta; ring). unfold q. field. lra.
      - intros k Hk. rewrite (Hother k Hk). reflexivity. }
    set (u := mean_row n X (sp_alpha s)) in *.
    assert (EC : cross s' = dot d (fun j => u j - u_opt j) x + / q * batch_mean m K (fun i => delta i * dot d (X i) x)).
    { unfold cross, moved. rewrite Hbefore. fold x. fold a'. rewrite !dot_minus_l.
      rewrite (dot_ext d _ (fun j => u j + / q * batch_mean m K (fun i => delta i * X i j)) x x) by auto.
      rewrite (dot_comm d _ x), dot_plus_r, dot_scal_r, (dot_comm d x u), (dot_comm d x), dot_batch. ring. }
    assert (EM : norm2 d (moved s') = norm2 d x) by (unfold moved; rewrite Hbefore; reflexivity).
    (* (14) *)
    unfold spdc_primal_value in HP. rewrite !(dot_comm d (fun j => u j + _)), !dot_plus_r, !(dot_comm d _ u), !(dot_comm d _ (fun j => batch_mean _ _ _)) in HP.
    rewrite !dot_batch in HP. rewrite (norm2_diff_sym d w_opt (sp_w s)) in HP. fold x in HP. change (norm2 d (fun j => sp_w s j - w_opt j)) with (W s) in HP.
    change (norm2 d (fun j => sp_w s' j - w_opt j)) with (W s') in HP. fold delta in HP.
    (* (13), in the mean of the batch *)
    assert (HD : batch_mean m K (fun i => (1 / (2 * sigma) + gamma / 2) * ((a' i - alpha_opt i) ^ 2 - off s i ^ 2) + (h i (a' i) - h i (sp_alpha s i))
        + / q * (delta i * dot d (X i) x) + delta i * dot d (X i) w_opt + -1 * (delta i * dot d (X i) (sp_w s')))
      <= batch_mean m K (fun i => (norm2 d x / (4 * tau) + theta * (norm2 d (moved s) / (4 * tau)))
        + (- (gamma / 2) * off s i ^ 2 + - (h i (sp_alpha s i) - h i (alpha_opt i)) + off s i * dot d (X i) v))).
    { apply batch_mean_le; [exact m_pos|]. intros i Hi. destruct (Hdual i Hi) as [Hdom Hmax].
      pose proof (row_bound s s' i (a' i) Hdom (Hin i Hi) Hmax) as H. cbv zeta in H. fold x v in H. unfold delta. lra. }
    rewrite (batch_mean_plus m K (fun _ => norm2 d x / (4 * tau) + theta * (norm2 d (moved s) / (4 * tau)))), (batch_mean_const m K m_pos Hsize) in HD.
    rewrite !(batch_mean_plus m K (fun i => (_ : R) + _)) in HD.
    rewrite (batch_mean_plus m K (fun i => (1 / (2 * sigma) + gamma / 2) * _)), !batch_mean_scal in HD.
    unfold potential, Delta, spdc_delta. fold (W s'). fold q. fold a'.
    change (fun i => a' i - alpha_opt i) with (off s'). replace ((1 / (4 * sigma) + gamma / 2) * norm2 n (off s') / INR m)
      with ((1 / (4 * sigma) + gamma / 2) * A s') by (unfold A; field; lra).
    rewrite EA, EG, EC, EM. unfold gap_w. fold u_opt.
    assert (Ev : dot d (fun j => u j - u_opt j) v = dot d (fun j => u j - u_opt j) (sp_w s) + theta * cross s - dot d (fun j => u j - u_opt j) w_opt).
    { unfold v, sp_bar. rewrite dot_minus_r, dot_plus_r, dot_scal_r. reflexivity. }
    assert (Ex : forall c, dot d c x = dot d c (sp_w s') - dot d c (sp_w s)) by (intros c; apply dot_minus_r).
    rewrite Ev, !dot_minus_l, !Ex, dot_minus_r, (batch_mean_plus m K (fun i => - (gamma / 2) * off s i ^ 2 + _)).
    change (fun i => (a' i - sp_alpha s i) * dot d (X i) (sp_w s')) with (fun i => delta i * dot d (X i) (sp_w s')) in HP.
    change (fun i => (a' i - sp_alpha s i) * dot d (X i) w_opt) with (fun i => delta i * dot d (X i) w_opt) in HP.
    replace (norm2 d x / (2 * tau)) with (2 * (norm2 d x / (4 * tau))) in HP by (field; lra).
    replace (1 / (2 * sigma)) with (2 * (1 / (4 * sigma))) in * by (field; lra).
    set (M1 := batch_mean m K (fun i => (a' i - alpha_opt i) ^ 2 - off s i ^ 2)) in *.
    replace ((A s + M1) / (4 * sigma)) with (1 / (4 * sigma) * (A s + M1)) by (field; lra). lra.
  Qed.

  Let rate_form s := W s / (2 * tau) + (1 / (2 * sigma) + gamma / 2) * A s - gamma / (2 * q) * A s
    + (q - 1) * gap_alpha n d X phis w_opt alpha_opt (sp_alpha s) + theta * cross s + theta * (norm2 d (moved s) / (4 * tau)).

  Lemma mean_bound : forall s, feasible n phi (sp_alpha s) -> avg N (fun b => potential (step s b)) <= rate_form s.
  Proof.
    intros s Hf. set (v := fun j => sp_bar theta s j - w_opt j).
    set (C := W s / (2 * tau) + (1 / (2 * sigma) + gamma / 2) * A s
      + q * gap_alpha n d X phis w_opt alpha_opt (sp_alpha s) + theta * cross s + theta * (norm2 d (moved s) / (4 * tau))
      - dot d (fun j => mean_row n X (sp_alpha s) j - u_opt j) v).
    set (f := fun i => - (gamma / 2) * off s i ^ 2 + - (h i (sp_alpha s i) - h i (alpha_opt i)) + off s i * dot d (X i) v).
    apply Rle_trans with (avg N (fun b => C + batch_mean m (batch b) f)).
    - apply avg_le; [exact N_pos|]. intros b Hb. exact (batch_bound s b Hf Hb).
    - rewrite avg_plus, avg_const, mean_of_batches by exact N_pos. unfold f.
      rewrite (avg_plus n (fun i => (_ : R) + _)), avg_plus, avg_scal.
      rewrite (avg_ext n (fun i => - (h i (sp_alpha s i) - h i (alpha_opt i))) (fun i => -1 * (h i (sp_alpha s i) - h i (alpha_opt i)))) by (intros; ring).
      rewrite avg_scal. change (avg n (fun i => off s i * dot d (X i) v)) with (avg n (fun i => (sp_alpha s i - alpha_opt i) * dot d (X i) v)).
      rewrite <- mean_dot.
      change (avg n (fun i => h i (sp_alpha s i) - h i (alpha_opt i))) with (gap_alpha n d X phis w_opt alpha_opt (sp_alpha s)).
      assert (E : avg n (fun i => off s i ^ 2) = A s / q).
      { unfold A, q, avg, norm2, dot. rewrite (bsum_ext n (fun i => off s i ^ 2) (fun i => off s i * off s i)) by (intros; ring). field. lra. }
      rewrite E. unfold rate_form, C. right. field. lra.
  Qed.

  Lemma gap_w_growth : forall s, lam / 2 * W s <= gap_w n d X g w_opt alpha_opt (sp_w s).
  Proof.
    intros s. destruct saddle as (_ & Hmin & _). pose proof (saddle_growth d g lam strong lam_pos u_opt w_opt Hmin (sp_w s)) as H.
    rewrite norm2_diff_sym in H. fold (W s) in H. unfold gap_w. fold u_opt. rewrite dot_minus_r. lra.
  Qed.

  Lemma gap_alpha_growth : forall s, feasible n phi (sp_alpha s) ->
    gamma / (2 * q) * A s <= gap_alpha n d X phis w_opt alpha_opt (sp_alpha s).
  Proof.
    intros s Hf. destruct saddle as (Hopt & _ & Hmin).
    replace (gamma / (2 * q) * A s) with (avg n (fun i => gamma / 2 * off s i ^ 2)).
    - apply avg_le; [exact n_pos|]. intros i Hi.
      assert (Hb : forall b, conj_dom (phi i) b -> phis i (alpha_opt i) - alpha_opt i * dot d (X i) w_opt <= phis i b - b * dot d (X i) w_opt)
        by (intros; apply Hmin; assumption).
      pose proof (conjugate_growth (phi i) (dphi i) (phis i) gamma gamma_pos (losses i Hi) (conjugates i Hi) _ _ (Hopt i Hi) Hb
        (sp_alpha s i) (Hf i Hi)) as H.
      replace ((alpha_opt i - sp_alpha s i) ^ 2) with (off s i ^ 2) in H by (unfold off; ring). lra.
    - rewrite avg_scal. unfold A, q, avg, norm2, dot. rewrite (bsum_ext n (fun i => off s i ^ 2) (fun i => off s i * off s i)) by (intros; ring).
      field. lra.
  Qed.

  Lemma contraction : forall s, feasible n phi (sp_alpha s) -> avg N (fun b => potential (step s b)) <= theta * potential s.
  Proof.
    intros s Hf. eapply Rle_trans; [apply mean_bound, Hf|]. pose proof (gap_w_growth s) as HG. pose proof (gap_alpha_growth s Hf) as HH.
    unfold rate_form, potential, Delta, spdc_delta. fold q (W s). change (fun i => sp_alpha s i - alpha_opt i) with (off s).
    replace ((1 / (4 * sigma) + gamma / 2) * norm2 n (off s) / INR m) with ((1 / (4 * sigma) + gamma / 2) * A s) by (unfold A; field; lra).
    assert (HA : 0 <= A s) by (apply Rmult_le_pos; [apply norm2_nonneg | apply Rlt_le, Rinv_0_lt_compat, m_INR]).
    set (B := A s) in *. set (G := gap_w n d X g w_opt alpha_opt (sp_w s)) in *.
    set (H := gap_alpha n d X phis w_opt alpha_opt (sp_alpha s)) in *. assert (HW : 0 <= W s) by apply norm2_nonneg.
    assert (H1 : W s / (2 * tau) <= theta * ((1 / (2 * tau) + lam / 2) * W s + G)).
    { apply Rle_trans with (theta * ((1 / (2 * tau) + lam) * W s)).
      - replace (theta * ((1 / (2 * tau) + lam) * W s)) with (theta * (1 + 2 * lam * tau) * (W s / (2 * tau))) by (field; lra).
        rewrite <- (Rmult_1_l (W s / (2 * tau))) at 1. apply Rmult_le_compat_r; [|exact theta_primal].
        apply Rmult_le_pos; [exact HW | apply Rlt_le, Rinv_0_lt_compat; lra].
      - apply Rmult_le_compat_l; lra. }
    assert (H2 : (1 / (2 * sigma) + gamma / 2) * B - gamma / (2 * q) * B + (q - 1) * H
      <= theta * ((1 / (4 * sigma) + gamma / 2) * B + B / (4 * sigma) + q * H)).
    { assert (E : (theta * q - (q - 1)) * (gamma / (2 * q) * B) <= (theta * q - (q - 1)) * H)
        by (apply Rmult_le_compat_l; lra).
      assert (F : (1 - theta) * (q + q / (2 * sigma * gamma)) * (gamma / q * B) <= 1 * (gamma / q * B)).
      { apply Rmult_le_compat_r; [|exact theta_dual]. apply Rmult_le_pos; [|exact HA]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
      replace ((1 - theta) * (q + q / (2 * sigma * gamma)) * (gamma / q * B))
        with ((1 - theta) * (gamma + 1 / (2 * sigma)) * B) in F by (field; lra).
      replace (gamma / (2 * q) * B) with (gamma / q * B / 2) in * by (field; lra).
      replace ((theta * q - (q - 1)) * (gamma / q * B / 2)) with (theta * gamma * B / 2 - gamma * B / 2 + gamma / q * B / 2) in E
        by (field; lra).
      replace (1 / (2 * sigma)) with (2 * (1 / (4 * sigma))) in * by (field; lra). replace (B / (4 * sigma)) with (1 / (4 * sigma) * B) by (field; lra).
      lra. }
    lra.
  Qed.

  Lemma delta_below_potential : forall s, Delta s <= potential s.
  Proof.
    intros s. unfold potential. enough (- cross s <= A s / (4 * sigma) + norm2 d (moved s) / (4 * tau)) by lra.
    unfold cross. rewrite mean_dot.
    apply Rle_trans with (avg n (fun i => norm2 d (moved s) / (4 * tau) + / (4 * sigma) * off s i ^ 2)).
    - set (F := fun i => (sp_alpha s i - alpha_opt i) * dot d (X i) (moved s)).
      replace (- avg n F) with (avg n (fun i => -1 * F i)) by (rewrite avg_scal; ring).
      apply avg_le; [exact n_pos|]. intros i Hi. unfold F.
      pose proof (young_row i (- off s i) (moved s) Hi) as H. replace ((- off s i) ^ 2) with (off s i ^ 2) in H by ring.
      unfold off, Rdiv in *. lra.
    - rewrite avg_plus, avg_const, avg_scal by exact n_pos. rewrite Rplus_comm. apply Rplus_le_compat_r. unfold Rdiv at 1. rewrite Rmult_comm.
      apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|]. unfold A, avg, norm2, dot, Rdiv.
      rewrite (bsum_ext n (fun i => off s i ^ 2) (fun i => off s i * off s i)) by (intros; ring).
      apply Rmult_le_compat_l; [apply (norm2_nonneg n (off s)) | apply Rinv_le_contravar; [lra | apply le_INR; lia]].
  Qed.

  Lemma step_feasible : forall s b, feasible n phi (sp_alpha s) -> (b < N)%nat -> feasible n phi (sp_alpha (step s b)).
  Proof.
    intros s b Hf Hb. destruct (rule s b Hf Hb) as (_ & Hother & Hdual & _). intros k Hk.
    destruct (in_dec Nat.eq_dec k (batch b)) as [Hin|Hout]; [apply Hdual, Hin | rewrite (Hother k Hout); apply Hf, Hk].
  Qed.

  Theorem spdc_batch_contraction : forall t alpha w, feasible n phi alpha -> let s := spdc alpha w w in
    Expect N step t Delta s <= theta ^ t * (Delta s + norm2 n (fun i => alpha i - alpha_opt i) / (4 * INR m * sigma)).
  Proof.
    intros t alpha w Hf s. set (I := fun b => feasible n phi (sp_alpha b)).
    apply Rle_trans with (Expect N step t potential s).
    - apply Expect_le with (I := I); [exact N_pos | apply step_feasible | intros; apply delta_below_potential | exact Hf].
    - replace (Delta s + norm2 n (fun i => alpha i - alpha_opt i) / (4 * INR m * sigma)) with (potential s).
      + apply Expect_contract with (I := I); [exact N_pos | apply step_feasible | lra | apply contraction | exact Hf].
      + unfold potential, cross, moved, s, A. cbn [sp_w sp_before]. change (off (spdc alpha w w)) with (fun i => alpha i - alpha_opt i).
        assert (Z : forall j : nat, w j - w j = 0 * w j) by (intros; ring).
        rewrite (norm2_ext d _ (fun j => 0 * w j)), (dot_ext d _ (fun j => mean_row n X (sp_alpha (spdc alpha w w)) j - u_opt j) _ (fun j => 0 * w j)),
          norm2_scal, dot_scal_r by auto. field. lra.
  Qed.
End Step.

(* Algorithm 1 is Algorithm 2 with batches of one row. *)
Definition one_row (b : nat) : list nat := b :: nil.

Lemma one_row_fair : forall n, (0 < n)%nat -> fair_batches n 1 n one_row.
Proof.
  intros n Hn. split.
  - intros b Hb. split; [reflexivity|]. split; [apply NoDup_cons; [intros []|constructor]|]. intros i [<-|[]]. exact Hb.
  - intros i Hi. unfold avg. f_equal. rewrite (bsum_change n i (fun _ => 0) _ Hi).
    + rewrite bsum_const. cbn [one_row count_occ]. destruct (Nat.eq_dec i i); [simpl; ring | congruence].
    + intros k _ Hk. cbn [one_row count_occ]. destruct (Nat.eq_dec k i); [congruence | reflexivity].
Qed.

Lemma one_row_rule : forall n d X phi phis g tau sigma theta step, spdc_rule n d X phi phis g tau sigma theta step ->
  spdc_batch_rule n 1 d X phi phis g tau sigma theta n one_row step.
Proof.
  intros n d X phi phis g tau sigma theta step rule s b Hf Hb. destruct (rule s b Hf Hb) as (Hup & Hbefore & Hdom & Hmax & Hmin).
  split; [exact Hbefore|]. split; [|split].
  - intros i Hi. rewrite Hup, upd_other; [reflexivity|]. intros ->. apply Hi. left. reflexivity.
  - intros i [<-|[]]. split; assumption.
  - intros v' x. specialize (Hmin x). unfold v'. unfold spdc_primal_value in *.
    set (v := fun j => mean_row n X (sp_alpha s) j + (sp_alpha (step s b) b - sp_alpha s b) * X b j) in *.
    assert (E : forall y, dot d (fun j => mean_row n X (sp_alpha s) j + batch_mean 1 (one_row b) (fun i => (sp_alpha (step s b) i - sp_alpha s i) * X i j)) y = dot d v y)
      by (intros y; apply dot_ext; [intros; unfold v, batch_mean; simpl; field | reflexivity]).
    rewrite !E. exact Hmin.
Qed.

Theorem spdc_contraction : forall n d X phi dphi phis g gamma lam R2 tau sigma theta w_opt alpha_opt step,
  (0 < n)%nat -> 0 < gamma -> 0 < lam ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  0 < tau -> 0 < sigma -> 4 * (tau * sigma) * R2 <= 1 -> spdc_saddle n d X phi phis g w_opt alpha_opt ->
  spdc_rule n d X phi phis g tau sigma theta step ->
  0 <= theta <= 1 -> INR n - 1 <= theta * INR n -> 1 <= theta * (1 + 2 * lam * tau) -> (1 - theta) * (INR n + INR n / (2 * sigma * gamma)) <= 1 ->
  forall t alpha w, feasible n phi alpha -> let s := spdc alpha w w in
  let Delta := spdc_delta n 1 d X phis g gamma lam tau sigma w_opt alpha_opt in
  Expect n step t Delta s <= theta ^ t * (Delta s + norm2 n (fun i => alpha i - alpha_opt i) / (4 * sigma)).
Proof.
  intros. assert (E1 : INR n / INR 1 = INR n) by (simpl; field). replace (4 * sigma) with (4 * INR 1 * sigma) by (simpl; ring).
  apply spdc_batch_contraction with (phi := phi) (dphi := dphi) (R2 := R2) (batch := one_row); rewrite ?E1; try assumption.
  - lia.
  - apply one_row_fair. assumption.
  - apply one_row_rule. assumption.
Qed.
