(* AdaSPDC-R, Theorem R for every strongly convex g: one tau for all rows, sigma_i for the row i, 4 tau sigma_i |x_i|^2 <= p with
   p (1 + (1 - 1/n)^2) <= 2 and p <= n (p = 1 always will do).  The potential V is that of SPDC's proof without the two gaps. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Main Damped Spdc SpdcRate.
Open Scope R_scope.

Section Step.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (g : (nat -> R) -> R).
  Variables (gamma lam p tau theta : R) (sigma w_opt alpha_opt : nat -> R) (step : spdc_state -> nat -> spdc_state).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis strong : strongly_convex d g lam.
  Hypothesis tau_pos : 0 < tau.
  Hypothesis sigma_pos : forall i, (i < n)%nat -> 0 < sigma i.
  Hypothesis steps : forall i, (i < n)%nat -> 4 * tau * sigma i * norm2 d (X i) <= p.
  Hypothesis p_range : 0 < p <= INR n.
  Hypothesis p_young : p * (1 + (1 - 1 / INR n) ^ 2) <= 2.
  Hypothesis saddle : spdc_saddle n d X phi phis g w_opt alpha_opt.
  Hypothesis rule : ada_r_rule n d X phi phis g tau sigma theta step.
  Hypothesis theta_range : 0 <= theta <= 1.
  Hypothesis theta_primal : 1 <= theta * (1 + 2 * lam * tau).
  Hypothesis theta_dual : forall i, (i < n)%nat -> (1 - theta) * (INR n + INR n / (2 * sigma i * gamma)) <= 1.

  Let u_opt := mean_row n X alpha_opt.
  Let moved (s : spdc_state) : nat -> R := fun j => sp_w s j - sp_before s j.
  Let off (s : spdc_state) : nat -> R := fun i => sp_alpha s i - alpha_opt i.
  Let W s := norm2 d (fun j => sp_w s j - w_opt j).
  Let cross s := dot d (fun j => mean_row n X (sp_alpha s) j - u_opt j) (moved s).
  Let potential s := ada_r_distance 2 n d gamma lam tau sigma w_opt alpha_opt s + norm2 d (moved s) / (4 * tau) + cross s.
  Let n_INR : 0 < INR n. Proof. apply INR_pos, n_pos. Qed.

  (* SPDC's inequality for this one row, its sigma divided by p. *)
  Lemma ada_young : forall i delta v, (i < n)%nat -> delta * dot d (X i) v <= norm2 d v / (4 * tau) + p * (delta ^ 2 / (4 * sigma i)).
  Proof.
    intros i delta v Hi. pose proof (sigma_pos i Hi) as Hs.
    replace (p * (delta ^ 2 / (4 * sigma i))) with (delta ^ 2 / (4 * (sigma i / p))) by (field; lra).
    apply young_row with (n := 1%nat) (X := fun _ => X i) (R2 := norm2 d (X i)) (i := O); try lia; [intros; lra | exact tau_pos | apply Rdiv_lt_0_compat; lra |].
    apply Rmult_le_reg_r with p; [lra|]. rewrite Rmult_1_l.
    replace (4 * (tau * (sigma i / p)) * norm2 d (X i) * p) with (4 * tau * sigma i * norm2 d (X i)) by (field; lra). apply steps, Hi.
  Qed.

  (* One row drawn. *)
  Lemma ada_row : forall s i, feasible n phi (sp_alpha s) -> (i < n)%nat ->
    let a := off s i in let v := fun j => sp_bar theta s j - w_opt j in
    potential (step s i) <= W s / (2 * tau) + bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s k ^ 2) - gamma * a ^ 2
      + theta * cross s + theta * (norm2 d (moved s) / (4 * tau))
      + (a * dot d (X i) v - dot d (fun j => mean_row n X (sp_alpha s) j - u_opt j) v).
  Proof.
    intros s i Hf Hi a v. destruct (rule s i Hf Hi) as (Hup & Hbefore & Hb & Hmax & Hmin).
    destruct saddle as (Hopt & Hw & Ha_opt). set (s' := step s i) in *. set (b := sp_alpha s' i) in *. pose proof (sigma_pos i Hi) as Hs.
    set (delta := b - sp_alpha s i) in *. set (x := fun j => sp_w s' j - sp_w s j).
    pose proof (dual_growth (phi i) (dphi i) (phis i) gamma gamma_pos (losses i Hi) (conjugates i Hi) (sigma i) _ _ b Hs Hb Hmax
      (alpha_opt i) (Hopt i Hi)) as HD. clear Hmax.
    pose proof (conjugate_growth (phi i) (dphi i) (phis i) gamma gamma_pos (losses i Hi) (conjugates i Hi) (dot d (X i) w_opt) (alpha_opt i) (Hopt i Hi)
      (fun c Hc => Ha_opt i c Hi Hc) b Hb) as HD'.
    pose proof (minimum_growth d g lam strong lam_pos _ (sp_w s) tau (sp_w s') tau_pos Hmin w_opt) as HP. clear Hmin.
    pose proof (saddle_growth d g lam strong lam_pos u_opt w_opt Hw (sp_w s')) as HP'. rewrite norm2_diff_sym in HP'.
    (* the pieces of the new state *)
    assert (EA : bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s' k ^ 2)
      = bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s k ^ 2) + (1 / (2 * sigma i) + gamma) * ((b - alpha_opt i) ^ 2 - a ^ 2)).
    { rewrite (bsum_change n i (fun k => (1 / (2 * sigma k) + gamma) * off s k ^ 2) (fun k => (1 / (2 * sigma k) + gamma) * off s' k ^ 2) Hi).
      - unfold a, off. fold b. ring.
      - intros k _ Hk. unfold off. rewrite Hup, upd_other by exact Hk. reflexivity. }
    assert (EU : forall j, mean_row n X (sp_alpha s') j = mean_row n X (sp_alpha s) j + delta / INR n * X i j).
    { intros j. unfold mean_row. rewrite (avg_change n i (fun k => sp_alpha s k * X k j) (fun k => sp_alpha s' k * X k j) Hi).
      - fold b. unfold delta, Rdiv. ring.
      - intros k _ Hk. rewrite Hup, upd_other by exact Hk. reflexivity. }
    set (u := mean_row n X (sp_alpha s)) in *.
    assert (EC : cross s' = dot d u x - dot d u_opt x + delta / INR n * dot d (X i) x).
    { unfold cross, moved. rewrite Hbefore. fold x. rewrite dot_minus_l. rewrite (dot_ext d _ (fun j => u j + delta / INR n * X i j) x x) by auto.
      rewrite (dot_comm d _ x), dot_plus_r, dot_scal_r, (dot_comm d x u), (dot_comm d x (X i)). ring. }
    assert (EM : norm2 d (moved s') = norm2 d x) by (unfold moved; rewrite Hbefore; reflexivity).
    unfold spdc_primal_value in HP. rewrite !(dot_comm d (fun j => u j + delta * X i j)), !dot_plus_r, !dot_scal_r, !(dot_comm d _ u), !(dot_comm d _ (X i)) in HP.
    rewrite (norm2_diff_sym d w_opt (sp_w s)) in HP. fold x in HP. change (norm2 d (fun j => sp_w s j - w_opt j)) with (W s) in HP.
    change (norm2 d (fun j => sp_w s' j - w_opt j)) with (W s') in HP, HP'.
    unfold spdc_dual_value in HD. replace ((alpha_opt i - sp_alpha s i) ^ 2) with (a ^ 2) in HD by (unfold a, off; ring).
    replace ((alpha_opt i - b) ^ 2) with ((b - alpha_opt i) ^ 2) in HD' by ring.
    (* inner products *)
    assert (Ebar : dot d (X i) (sp_bar theta s) = dot d (X i) (sp_w s) + theta * dot d (X i) (moved s))
      by (unfold sp_bar; rewrite dot_plus_r, dot_scal_r; reflexivity).
    assert (Ev : forall c, dot d c v = dot d c (sp_w s) + theta * dot d c (moved s) - dot d c w_opt)
      by (intros c; unfold v, sp_bar; rewrite dot_minus_r, dot_plus_r, dot_scal_r; reflexivity).
    assert (Ex : forall c, dot d c x = dot d c (sp_w s') - dot d c (sp_w s)) by (intros c; apply dot_minus_r).
    pose proof (ada_young i (- ((1 - 1 / INR n) * delta)) x Hi) as Y1. pose proof (ada_young i delta (moved s) Hi) as Y2.
    assert (Y : - ((1 - 1 / INR n) * delta) * dot d (X i) x + theta * (delta * dot d (X i) (moved s))
      <= norm2 d x / (4 * tau) + theta * (norm2 d (moved s) / (4 * tau)) + delta ^ 2 / (2 * sigma i)).
    { assert (HE : 0 <= p * (delta ^ 2 / (4 * sigma i)))
        by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra]]).
      apply Rmult_le_compat_l with (r := theta) in Y2; [|lra].
      replace (p * ((- ((1 - 1 / INR n) * delta)) ^ 2 / (4 * sigma i))) with ((1 - 1 / INR n) ^ 2 * (p * (delta ^ 2 / (4 * sigma i)))) in Y1 by (field; lra).
      assert (theta * (p * (delta ^ 2 / (4 * sigma i))) <= 1 * (p * (delta ^ 2 / (4 * sigma i)))) by (apply Rmult_le_compat_r; lra).
      assert (HF : p * (1 + (1 - 1 / INR n) ^ 2) * (delta ^ 2 / (4 * sigma i)) <= 2 * (delta ^ 2 / (4 * sigma i)))
        by (apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra] | exact p_young]).
      replace (2 * (delta ^ 2 / (4 * sigma i))) with (delta ^ 2 / (2 * sigma i)) in HF by (field; lra). lra. }
    clear Y1 Y2. unfold potential, ada_r_distance. change (norm2 d (fun j => sp_w s' j - w_opt j)) with (W s').
    change (bsum n (fun k => (1 / (2 * sigma k) + gamma) * (sp_alpha s' k - alpha_opt k) ^ 2)) with (bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s' k ^ 2)).
    rewrite EA, EC, EM. unfold cross. fold u. rewrite !dot_minus_l, !Ev, !Ex in *. rewrite Ebar in HD. fold delta in HD.
    assert (Ha : sp_alpha s i = a + alpha_opt i) by (unfold a, off; ring).
    assert (Hdel : delta = b - a - alpha_opt i) by (unfold delta; lra).
    set (it := / tau). set (is := / sigma i).
    assert (T2 : forall y, y / (2 * tau) = y * it / 2) by (intros; unfold it; field; lra).
    assert (T4 : forall y, y / (4 * tau) = y * it / 4) by (intros; unfold it; field; lra).
    assert (S2 : forall y, y / (2 * sigma i) = y * is / 2) by (intros; unfold is; field; lra).
    rewrite !T2, !S2 in *. rewrite !T4 in *. clear - HD HD' HP HP' Y Hdel.
    unfold Rdiv in *. set (r := / INR n) in *. clearbody delta it is r a b. subst delta. lra.
  Qed.

  Lemma ada_mean : forall s, feasible n phi (sp_alpha s) -> avg n (fun i => potential (step s i))
    <= W s / (2 * tau) + bsum n (fun k => (1 / (2 * sigma k) + gamma - gamma / INR n) * off s k ^ 2)
       + theta * cross s + theta * (norm2 d (moved s) / (4 * tau)).
  Proof.
    intros s Hf. set (v := fun j => sp_bar theta s j - w_opt j). set (A := bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s k ^ 2)).
    set (K := W s / (2 * tau) + A + theta * cross s + theta * (norm2 d (moved s) / (4 * tau))
      - dot d (fun j => mean_row n X (sp_alpha s) j - u_opt j) v).
    apply Rle_trans with (avg n (fun i => K - gamma * off s i ^ 2 + off s i * dot d (X i) v)).
    - apply avg_le; [exact n_pos|]. intros i Hi. pose proof (ada_row s i Hf Hi) as H. cbv zeta in H. fold v A in H. unfold K. lra.
    - rewrite avg_plus, avg_minus, avg_const, avg_scal by exact n_pos.
      change (avg n (fun i => off s i * dot d (X i) v)) with (avg n (fun i => (sp_alpha s i - alpha_opt i) * dot d (X i) v)). rewrite <- mean_dot.
      assert (E : bsum n (fun k => (1 / (2 * sigma k) + gamma - gamma / INR n) * off s k ^ 2) = A - gamma * avg n (fun i => off s i ^ 2)).
      { unfold A, avg. replace (gamma * (bsum n (fun i => off s i ^ 2) / INR n)) with (gamma / INR n * bsum n (fun i => off s i ^ 2)) by (field; lra).
        rewrite <- bsum_scal, <- bsum_minus. apply bsum_ext. intros. ring. }
      rewrite E. unfold K, u_opt. right. ring.
  Qed.

  Lemma ada_contraction : forall s, feasible n phi (sp_alpha s) -> avg n (fun i => potential (step s i)) <= theta * potential s.
  Proof.
    intros s Hf. eapply Rle_trans; [apply ada_mean, Hf|]. unfold potential, ada_r_distance. change (norm2 d (fun j => sp_w s j - w_opt j)) with (W s).
    assert (HW : 0 <= W s) by apply norm2_nonneg.
    assert (H1 : W s / (2 * tau) <= theta * ((1 / (2 * tau) + lam) * W s)).
    { replace (theta * ((1 / (2 * tau) + lam) * W s)) with (theta * (1 + 2 * lam * tau) * (W s / (2 * tau))) by (field; lra).
      rewrite <- (Rmult_1_l (W s / (2 * tau))) at 1. apply Rmult_le_compat_r; [|exact theta_primal].
      apply Rmult_le_pos; [exact HW | apply Rlt_le, Rinv_0_lt_compat; lra]. }
    assert (H2 : bsum n (fun k => (1 / (2 * sigma k) + gamma - gamma / INR n) * off s k ^ 2)
      <= theta * bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s k ^ 2)).
    { rewrite <- bsum_scal. apply bsum_le. intros i Hi. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply pow2_ge_0|].
      pose proof (sigma_pos i Hi) as Hs. pose proof (theta_dual i Hi) as H. apply Rmult_le_compat_r with (r := gamma / INR n) in H; [|apply Rlt_le, Rdiv_lt_0_compat; lra].
      replace ((1 - theta) * (INR n + INR n / (2 * sigma i * gamma)) * (gamma / INR n)) with ((1 - theta) * (1 / (2 * sigma i) + gamma)) in H by (field; lra).
      lra. }
    change (bsum n (fun i => (1 / (2 * sigma i) + gamma) * (sp_alpha s i - alpha_opt i) ^ 2)) with (bsum n (fun k => (1 / (2 * sigma k) + gamma) * off s k ^ 2)).
    lra.
  Qed.

  Lemma ada_distance_below : forall s, ada_r_distance 4 n d gamma lam tau sigma w_opt alpha_opt s <= potential s.
  Proof.
    intros s. unfold potential, ada_r_distance. set (M := norm2 d (moved s) / (4 * tau)).
    assert (E : bsum n (fun i => (1 / (2 * sigma i) + gamma) * (sp_alpha s i - alpha_opt i) ^ 2)
      = bsum n (fun i => (1 / (4 * sigma i) + gamma) * (sp_alpha s i - alpha_opt i) ^ 2) + bsum n (fun i => off s i ^ 2 / (4 * sigma i))).
    { rewrite <- bsum_plus. apply bsum_ext. intros i Hi. pose proof (sigma_pos i Hi). unfold off. field. lra. }
    rewrite E. enough (- cross s <= M + bsum n (fun i => off s i ^ 2 / (4 * sigma i))) by lra.
    unfold cross, u_opt. rewrite mean_dot. set (F := fun i => (sp_alpha s i - alpha_opt i) * dot d (X i) (moved s)).
    apply Rle_trans with (avg n (fun i => M + p * (off s i ^ 2 / (4 * sigma i)))).
    - replace (- avg n F) with (avg n (fun i => -1 * F i)) by (rewrite avg_scal; ring). apply avg_le; [exact n_pos|]. intros i Hi.
      pose proof (ada_young i (- off s i) (moved s) Hi) as H. replace ((- off s i) ^ 2) with (off s i ^ 2) in H by ring. unfold F, M. unfold off in *. lra.
    - rewrite avg_plus, avg_const, avg_scal by exact n_pos. apply Rplus_le_compat_l.
      set (B := bsum n (fun i => off s i ^ 2 / (4 * sigma i))). change (p * (B / INR n) <= B).
      assert (HB : 0 <= B) by (apply bsum_nonneg; intros i Hi; pose proof (sigma_pos i Hi);
        apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra]).
      apply Rmult_le_reg_r with (INR n); [lra|]. replace (p * (B / INR n) * INR n) with (p * B) by (field; lra). nra.
  Qed.

  (* Theorem R, for any steps that fit. *)
  Theorem ada_r_contraction : forall t alpha w, feasible n phi alpha ->
    Expect n step t (ada_r_distance 4 n d gamma lam tau sigma w_opt alpha_opt) (spdc alpha w w)
    <= theta ^ t * ada_r_distance 2 n d gamma lam tau sigma w_opt alpha_opt (spdc alpha w w).
  Proof.
    intros t alpha w Hf. set (s := spdc alpha w w). set (I := fun b => feasible n phi (sp_alpha b)).
    assert (HI : forall b i, I b -> (i < n)%nat -> I (step b i)).
    { intros b i Hb Hi. destruct (rule b i Hb Hi) as (Hup & _ & Hdom & _). unfold I. rewrite Hup. intros k Hk. unfold upd.
      destruct (Nat.eq_dec k i) as [->|]; [exact Hdom | apply Hb, Hk]. }
    apply Rle_trans with (Expect n step t potential s).
    - apply Expect_le with (I := I); [exact n_pos | exact HI | intros; apply ada_distance_below | exact Hf].
    - replace (ada_r_distance 2 n d gamma lam tau sigma w_opt alpha_opt s) with (potential s).
      + apply Expect_contract with (I := I); [exact n_pos | exact HI | lra | apply ada_contraction | exact Hf].
      + unfold potential, cross, moved, s. cbn [sp_w sp_before]. assert (Z : forall j : nat, w j - w j = 0 * w j) by (intros; ring).
        rewrite (norm2_ext d _ (fun j => 0 * w j)), (dot_ext d _ (fun j => mean_row n X (sp_alpha (spdc alpha w w)) j - u_opt j) _ (fun j => 0 * w j)),
          norm2_scal, dot_scal_r by auto. unfold Rdiv. ring.
  Qed.
End Step.

(* tau = q/(2Rc) and any sigma_i from qc/(2R) to q^2/(4 tau |x_i|^2), c = sqrt(n lam/gamma), with p = q^2: theta = 1 - 1/(n + (R/q) k).
   q = 1 is Theorem R as it stands; q^2 = 8/5 is allowed for n = 2, and nothing above 1 for n = 1 or n large. *)
Section LongerSteps.
  Variables (n : nat) (R2 gamma lam q : R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis R2_pos : 0 < R2.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis q_pos : 0 < q.
  Let c := sqrt (INR n * lam / gamma).
  Let m := INR n + / q * (sqrt R2 * sqrt (INR n / (lam * gamma))).
  Let n_one : 1 <= INR n. Proof. apply (le_INR 1). lia. Qed.
  Let r_pos : 0 < sqrt R2. Proof. apply sqrt_lt_R0, R2_pos. Qed.
  Let c_pos : 0 < c. Proof. apply sqrt_lt_R0. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. Qed.
  Let cc : c * c = INR n * lam / gamma. Proof. apply root_root; assumption. Qed.
  Let k_value : sqrt (INR n / (lam * gamma)) = INR n / (gamma * c).
  Proof. apply Rmult_eq_reg_r with c; [|lra]. unfold c at 1. rewrite p_root by assumption. field. lra. Qed.
  Let k_pos : 0 < / q * (sqrt R2 * sqrt (INR n / (lam * gamma))).
  Proof. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, q_pos|]. apply Rmult_lt_0_compat; [exact r_pos|]. rewrite k_value. apply Rdiv_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; lra. Qed.
  Let theta := spdc_theta (/ q) (INR n) R2 gamma lam.
  Let theta_m : theta * m = m - 1. Proof. unfold theta, spdc_theta. fold m. field. unfold m. lra. Qed.

  Lemma ada_theta_in_range : 0 <= theta <= 1.
  Proof. assert (1 <= m) by (unfold m; lra). split; apply Rmult_le_reg_r with m; lra. Qed.

  Lemma ada_theta_primal : 1 <= theta * (1 + 2 * lam * (q * spdc_tau (INR n) R2 gamma lam)).
  Proof.
    assert (E : 2 * lam * (q * spdc_tau (INR n) R2 gamma lam) = / (m - INR n)).
    { replace (m - INR n) with (/ q * (sqrt R2 * (INR n / (gamma * c)))) by (unfold m; rewrite k_value; ring).
      rewrite tau_value by assumption. fold c. assert (El : lam = c * c * gamma / INR n) by (rewrite cc; field; lra).
      rewrite El at 1. clearbody c. field. repeat split; lra. }
    rewrite E. assert (Hm : 0 < m - INR n) by (unfold m; lra). apply Rmult_le_reg_r with (m * (m - INR n)); [apply Rmult_lt_0_compat; lra|].
    replace (theta * (1 + / (m - INR n)) * (m * (m - INR n))) with (theta * m * (m - INR n + 1)) by (field; lra). rewrite theta_m. nra.
  Qed.

  Lemma ada_theta_dual : forall s, q * spdc_sigma (INR n) R2 gamma lam <= s -> 0 < s /\ (1 - theta) * (INR n + INR n / (2 * s * gamma)) <= 1.
  Proof.
    intros s Hs. assert (Hsig : 0 < q * spdc_sigma (INR n) R2 gamma lam) by (apply Rmult_lt_0_compat; [exact q_pos | apply sigma_is_pos; assumption]).
    split; [lra|]. apply Rle_trans with ((1 - theta) * m).
    - apply Rmult_le_compat_l; [pose proof ada_theta_in_range; lra|]. unfold m. apply Rplus_le_compat_l.
      replace (/ q * (sqrt R2 * sqrt (INR n / (lam * gamma)))) with (INR n / (2 * (q * spdc_sigma (INR n) R2 gamma lam) * gamma)).
      + unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|]. apply Rmult_le_compat_r; lra.
      + rewrite sigma_value by assumption. fold c. rewrite k_value. field. repeat split; lra.
    - right. rewrite Rmult_minus_distr_r, theta_m. ring.
  Qed.
End LongerSteps.

Theorem ada_r_theorem : forall n d X phi dphi phis g gamma lam R2 q sigma w_opt alpha_opt step,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 -> 0 < q -> q ^ 2 <= INR n -> q ^ 2 * (1 + (1 - 1 / INR n) ^ 2) <= 2 ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> spdc_saddle n d X phi phis g w_opt alpha_opt ->
  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta (/ q) (INR n) R2 gamma lam in
  (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\ 4 * tau * sigma i * norm2 d (X i) <= q ^ 2) ->
  ada_r_rule n d X phi phis g tau sigma theta step ->
  forall t alpha w, feasible n phi alpha ->
  Expect n step t (ada_r_distance 4 n d gamma lam tau sigma w_opt alpha_opt) (spdc alpha w w)
  <= theta ^ t * ada_r_distance 2 n d gamma lam tau sigma w_opt alpha_opt (spdc alpha w w).
Proof.
  intros n d X phi dphi phis g gamma lam R2 q sigma w_opt alpha_opt step Hn Hg Hl HR Hq Hqn Hqy Hs Hcj Hst Hsad tau theta Hsig Hrule t alpha w Hf.
  apply ada_r_contraction with (phi := phi) (dphi := dphi) (phis := phis) (X := X) (g := g) (p := q ^ 2); try assumption.
  - apply Rmult_lt_0_compat; [exact Hq | apply tau_is_pos; try assumption; apply (le_INR 1); lia].
  - intros i Hi. apply ada_theta_dual with (n := n) (R2 := R2) (gamma := gamma) (lam := lam) (q := q); try assumption. apply Hsig, Hi.
  - intros i Hi. apply Hsig, Hi.
  - split; [apply pow_lt, Hq | exact Hqn].
  - apply ada_theta_in_range; assumption.
  - apply ada_theta_primal; assumption.
  - intros i Hi. apply ada_theta_dual; try assumption. apply Hsig, Hi.
Qed.

(* The two choices of the steps: sigma_i = c/(2R_i), and the longest, Rc/(2R_i^2). *)
Theorem ada_r_presets : forall n R2 gamma lam q rho,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 -> 0 < q -> 0 < rho -> rho <= sqrt R2 ->
  (forall sigma, sigma = q * (ada_c n gamma lam / (2 * rho)) \/ sigma = q * (sqrt R2 * ada_c n gamma lam / (2 * rho ^ 2)) ->
   q * spdc_sigma (INR n) R2 gamma lam <= sigma /\ 4 * (q * spdc_tau (INR n) R2 gamma lam) * sigma * rho ^ 2 <= q ^ 2).
Proof.
  intros n R2 gamma lam q rho Hn Hg Hl HR Hq Hr HrR sigma Hsig. assert (Hn1 : 1 <= INR n) by (apply (le_INR 1); lia).
  rewrite tau_value, sigma_value by assumption.
  fold (ada_c n gamma lam). set (c := ada_c n gamma lam) in *. set (r := sqrt R2) in *.
  assert (Hc : 0 < c) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [apply INR_pos, Hn | exact Hl] | exact Hg]).
  assert (H1 : 1 <= r / rho) by (apply Rmult_le_reg_r with rho; [lra|]; replace (r / rho * rho) with r by (field; lra); lra).
  assert (H2 : rho / r <= 1) by (apply Rmult_le_reg_r with r; [lra|]; replace (rho / r * r) with rho by (field; lra); lra).
  assert (H3 : 0 < q * (c / (2 * r))) by (apply Rmult_lt_0_compat; [|apply Rdiv_lt_0_compat]; lra).
  assert (H4 : 0 < q ^ 2) by (apply pow_lt, Hq).
  destruct Hsig as [-> | ->].
  - replace (q * (c / (2 * rho))) with (q * (c / (2 * r)) * (r / rho)) by (field; lra).
    replace (4 * (q * / (2 * r * c)) * (q * (c / (2 * r)) * (r / rho)) * rho ^ 2) with (q ^ 2 * (rho / r)) by (field; lra). split; nra.
  - replace (q * (r * c / (2 * rho ^ 2))) with (q * (c / (2 * r)) * (r / rho * (r / rho))) by (field; lra).
    replace (4 * (q * / (2 * r * c)) * (q * (c / (2 * r)) * (r / rho * (r / rho))) * rho ^ 2) with (q ^ 2) by (field; lra).
    split; [|lra]. assert (1 <= r / rho * (r / rho)) by nra. nra.
Qed.

Theorem ada_r_iterations : forall n d X phi dphi phis g gamma lam R2 q sigma w_opt alpha_opt step eps,
  (0 < n)%nat -> 0 < gamma -> 0 < lam -> 0 < R2 -> 0 < q -> q ^ 2 <= INR n -> q ^ 2 * (1 + (1 - 1 / INR n) ^ 2) <= 2 -> 0 < eps ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g lam -> spdc_saddle n d X phi phis g w_opt alpha_opt ->
  let tau := q * spdc_tau (INR n) R2 gamma lam in let theta := spdc_theta (/ q) (INR n) R2 gamma lam in
  (forall i, (i < n)%nat -> q * spdc_sigma (INR n) R2 gamma lam <= sigma i /\ 4 * tau * sigma i * norm2 d (X i) <= q ^ 2) ->
  ada_r_rule n d X phi phis g tau sigma theta step ->
  forall t alpha w C, feasible n phi alpha -> 0 < C -> ada_r_distance 2 n d gamma lam tau sigma w_opt alpha_opt (spdc alpha w w) <= C ->
  (INR n + / q * (sqrt R2 * sqrt (INR n / (lam * gamma)))) * ln (C / eps) <= INR t ->
  Expect n step t (ada_r_distance 4 n d gamma lam tau sigma w_opt alpha_opt) (spdc alpha w w) <= eps.
Proof.
  intros n d X phi dphi phis g gamma lam R2 q sigma w_opt alpha_opt step eps Hn Hg Hl HR Hq Hqn Hqy He Hs Hcj Hst Hsad tau theta Hsig Hrule
    t alpha w C Hf HC HCb Ht.
  eapply Rle_trans; [apply ada_r_theorem with (phi := phi) (dphi := dphi) (phis := phis) (g := g) (X := X) (R2 := R2); eassumption|].
  pose proof (ada_theta_in_range n R2 gamma lam q Hn HR Hg Hl Hq) as Hrange. fold theta tau in Hrange |- *.
  apply Rle_trans with (theta ^ t * C); [apply Rmult_le_compat_l; [apply pow_le; lra | exact HCb]|].
  set (m := INR n + / q * (sqrt R2 * sqrt (INR n / (lam * gamma)))) in *. assert (Er : theta = 1 - / m) by reflexivity.
  assert (Hm : 0 < / m). { apply Rinv_0_lt_compat. unfold m. pose proof (INR_pos n Hn). pose proof (Rinv_0_lt_compat q Hq).
    assert (0 <= / q * (sqrt R2 * sqrt (INR n / (lam * gamma)))) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; apply sqrt_pos]). lra. }
  rewrite Er. apply iterations_suffice; try assumption; [split; [exact Hm | lra] | rewrite Rinv_inv; exact Ht].
Qed.

(* The closed steps of two losses with L2 are such steps: those of SPDC, with the sigma of the row. *)
Section Closed.
  Variables (n d : nat) (X : nat -> nat -> R) (y sigma : nat -> R) (gamma lam tau theta : R).
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis tau_pos : 0 < tau.
  Hypothesis sigma_pos : forall k, (k < n)%nat -> 0 < sigma k.

  Theorem ada_r_squared_rule : ada_r_rule n d X (fun i => squared gamma (y i)) (fun i => squared_conj gamma (y i)) (l2 d lam) tau sigma theta
    (ada_r_l2_step n d X (fun i => squared_prox gamma (y i)) lam tau sigma theta).
  Proof. intros s k Hf Hk. apply spdc_squared_rule; auto. Qed.

  Theorem ada_r_smoothed_hinge_rule : (forall i, (i < n)%nat -> is_label (y i)) ->
    ada_r_rule n d X (fun i => smoothed_hinge gamma (y i)) (fun i => smoothed_hinge_conj gamma (y i)) (l2 d lam) tau sigma theta
    (ada_r_l2_step n d X (fun i => smoothed_hinge_prox gamma (y i)) lam tau sigma theta).
  Proof. intros Hy s k Hf Hk. apply spdc_smoothed_hinge_rule; auto. Qed.
End Closed.
