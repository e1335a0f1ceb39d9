(* SPDC: steps twice those of (16), with 1/R instead of 1/(2R), diverge; at the steps of (16) no rate with 0.9 R instead
   of R holds.  Two rows (1), squared loss, targets 0: a quadratic form of the state that grows in the mean. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Main Losses Controls Sdca Spdc SpdcRate.
Open Scope R_scope.

(* A form q that grows by rho in the mean, and is at most K times what F has before and after a step, makes F grow. *)
Lemma growth_of_form : forall {A : Type} n (step : A -> nat -> A) (q F : A -> R) rho K, (0 < n)%nat -> 0 <= rho ->
  (forall a, rho * q a <= avg n (fun i => q (step a i))) -> (forall a i, q (step a i) <= K * (F (step a i) + F a)) ->
  forall t a, rho ^ S t * q a <= K * (Expect n step (S t) F a + Expect n step t F a).
Proof.
  intros A n step q F rho K Hn Hr Hgrow Hbound t a.
  eapply Rle_trans; [apply (Expect_expand n step (fun _ => True)) with (F := q) (t := S t); auto|].
  assert (E : forall G, Expect n step (S t) G a = Expect n step t (fun b => avg n (fun i => G (step b i))) a)
    by (intros G; rewrite <- (Nat.add_1_r t), (Expect_compose n step G t 1); reflexivity).
  rewrite !E.
  apply Rle_trans with (Expect n step t (fun b => K * (avg n (fun i => F (step b i)) - -1 * F b)) a).
  - apply (Expect_le n step (fun _ => True)); auto. intros b _.
    replace (avg n (fun i => F (step b i)) - -1 * F b) with (avg n (fun i => F (step b i) + F b)) by (rewrite avg_plus, avg_const by exact Hn; ring).
    rewrite <- avg_scal. apply avg_le; [exact Hn|]. intros i _. apply Hbound.
  - rewrite Expect_scal, Expect_minus, Expect_scal. right. ring.
Qed.

(* Hence F is not below C r^t for any C, where r < rho and 0 < r. *)
Lemma no_smaller_rate : forall {A : Type} n (step : A -> nat -> A) (q F : A -> R) rho r K a, (0 < n)%nat -> 0 < r < rho -> 0 < K ->
  (forall b, rho * q b <= avg n (fun i => q (step b i))) -> (forall b i, q (step b i) <= K * (F (step b i) + F b)) -> 0 < q a ->
  ~ exists C, forall t, Expect n step t F a <= C * r ^ t.
Proof.
  intros A n step q F rho r K a Hn Hr HK Hgrow Hbound Hq [C HC].
  assert (Hall : forall t, (rho / r) ^ S t <= K * C * (1 + / r) / q a).
  { intros t. pose proof (growth_of_form n step q F rho K Hn ltac:(lra) Hgrow Hbound t a) as H.
    pose proof (HC t) as H0. pose proof (HC (S t)) as H1. assert (Hp : 0 < r ^ S t) by (apply pow_lt; lra).
    assert (Ep : r ^ t = r ^ S t * / r) by (simpl; field; lra). rewrite Ep in H0.
    unfold Rdiv at 1. rewrite Rpow_mult_distr, pow_inv.
    apply Rmult_le_reg_r with (r ^ S t * q a); [apply Rmult_lt_0_compat; assumption|].
    replace (rho ^ S t * / r ^ S t * (r ^ S t * q a)) with (rho ^ S t * q a) by (field; lra).
    replace (K * C * (1 + / r) / q a * (r ^ S t * q a)) with (K * (C * r ^ S t + C * (r ^ S t * / r))) by (field; lra).
    eapply Rle_trans; [exact H|]. apply Rmult_le_compat_l; lra. }
  assert (Hbig : 1 < rho / r) by (apply Rmult_lt_reg_r with r; [lra|]; replace (rho / r * r) with rho by (field; lra); lra).
  destruct (Pow_x_infinity (rho / r) ltac:(rewrite Rabs_right; lra) (K * C * (1 + / r) / q a + 1)) as [N HN].
  specialize (HN (S N) ltac:(lia)). rewrite Rabs_right in HN by (apply Rle_ge, pow_le; lra).
  pose proof (Hall N). lra.
Qed.

Definition two_step lam tau sigma theta := spdc_l2_step 2 1 ones (fun _ => squared_prox 1 0) lam tau sigma theta.
Definition two_delta lam tau sigma :=
  spdc_delta 2 1 1 ones (fun _ => squared_conj 1 0) (l2 1 lam) 1 lam tau sigma (fun _ => 0) (fun _ => 0).
Definition two_start : spdc_state := spdc (fun _ => 0) (fun _ => 1) (fun _ => 1).
Definition form (f : R -> R -> R -> R -> R) (s : spdc_state) : R := f (sp_alpha s 0%nat) (sp_alpha s 1%nat) (sp_w s 0%nat) (sp_before s 0%nat).

Lemma two_refutes : forall larger rate lam tau sigma theta f rho K, 0 < lam -> 0 < tau -> 0 < sigma ->
  tau = larger * spdc_tau (INR 2) 1 1 lam -> sigma = larger * spdc_sigma (INR 2) 1 1 lam -> theta = spdc_theta 1 (INR 2) 1 1 lam ->
  0 < rate (INR 2) 1 1 lam < rho -> 0 < K ->
  (forall b, rho * form f b <= avg 2 (fun i => form f (two_step lam tau sigma theta b i))) ->
  (forall b i, form f (two_step lam tau sigma theta b i)
               <= K * (two_delta lam tau sigma (two_step lam tau sigma theta b i) + two_delta lam tau sigma b)) ->
  0 < form f two_start -> ~ spdc_claim larger rate.
Proof.
  intros larger rate lam tau sigma theta f rho K Hl Ht Hs Et Es Eth Hrate HK Hgrow Hbound Hq Hclaim.
  apply (no_smaller_rate 2 _ (form f) (two_delta lam tau sigma) rho (rate (INR 2) 1 1 lam) K two_start ltac:(lia) Hrate HK Hgrow Hbound Hq).
  specialize (Hclaim 2%nat 1%nat ones (fun _ => squared 1 0) (fun _ => squared_deriv 1 0) (fun _ => squared_conj 1 0) (l2 1 lam) 1 lam 1
    (fun _ => 0) (fun _ => 0) (two_step lam tau sigma theta) (fun _ => 0) (fun _ => 1) ltac:(lia) Rlt_0_1 Hl Rlt_0_1).
  cbv zeta in Hclaim. rewrite <- Et, <- Es, <- Eth in Hclaim. apply Hclaim.
  - intros i _. apply squared_smooth, Rlt_0_1.
  - intros i _. apply squared_conjugate, Rlt_0_1.
  - apply l2_strong.
  - intros i _. unfold norm2, dot, ones. cbn [bsum]. lra.
  - apply spdc_saddle_point with (dphi := fun _ => squared_deriv 1 0) (gamma := 1); [exact Hl | | | |].
    + intros i _. apply squared_smooth, Rlt_0_1.
    + intros i _. apply squared_conjugate, Rlt_0_1.
    + intros i _. unfold squared_deriv, dot, ones. cbn [bsum]. lra.
    + intros j _. unfold mean_row, avg, ones. cbn [bsum]. simpl INR. field.
  - intros i _. apply squared_domain, Rlt_0_1.
  - apply (spdc_squared_rule 2 1 ones zeros 1 lam tau sigma theta Rlt_0_1 Hl Ht Hs).
Qed.

Ltac two_values := unfold form, two_step, two_delta, spdc_delta, spdc_l2_step, gap_w, gap_alpha, mean_row, l2, squared_prox, squared_conj, sp_bar,
  avg, norm2, dot, ones; cbn [bsum sp_alpha sp_w sp_before]; unfold upd; simpl.

(* lam = 1/20000: steps 100 and 1/100 instead of 50 and 1/200. *)
Definition growing a0 a1 w p : R := 50000 * (a0 + a1) ^ 2 + (a0 + a1) * (4600 * w - 3000 * p) + 100 * w ^ 2 - 130 * w * p + 42 * p ^ 2.

Lemma growing_grows : forall b,
  13 / 10 * form growing b <= avg 2 (fun i => form growing (two_step (1 / 20000) 100 (1 / 100) (201 / 202) b i)).
Proof.
  intros b. two_values. set (a0 := sp_alpha b 0%nat). set (a1 := sp_alpha b 1%nat). set (w := sp_w b 0%nat). set (p := sp_before b 0%nat).
  unfold growing.
    pose proof (pow2_ge_0 (w + (-23353018558131/37046589023024) * p + (12293441880845/2315411813939) * a0 + (12293441880845/2315411813939) * a1)).
    pose proof (pow2_ge_0 (p + (2029098146543600/64538667107091) * a0 + (2029098146543600/64538667107091) * a1)).
    pose proof (pow2_ge_0 (a0 + (20228624339415586631769/20650421280145862299144) * a1)).
    pose proof (pow2_ge_0 a1).
  lra.
Qed.

Lemma two_delta_value : forall lam tau sigma s, 0 < tau -> 0 < sigma -> two_delta lam tau sigma s
  = (1 / (2 * tau) + lam) * sp_w s 0%nat ^ 2 + (1 / (4 * sigma) + 1) * (sp_alpha s 0%nat ^ 2 + sp_alpha s 1%nat ^ 2).
Proof. intros lam tau sigma s Ht Hs. two_values. field. lra. Qed.

Lemma before_is_w : forall lam tau sigma theta b i, sp_before (two_step lam tau sigma theta b i) = sp_w b.
Proof. reflexivity. Qed.

(* Steps with 1/R, as a public implementation has them: not even bounded. *)
Theorem spdc_inverse_R_diverges : ~ spdc_claim 2 (fun _ _ _ _ => 1).
Proof.
  assert (E : sqrt (INR 2 * (1 / 20000) / 1) = 1 / 100)
    by (replace (INR 2 * (1 / 20000) / 1) with (1 / 100 * (1 / 100)) by (simpl; field); apply sqrt_square; lra).
  assert (E' : sqrt (1 / (INR 2 * (1 / 20000))) = 100)
    by (replace (1 / (INR 2 * (1 / 20000))) with (100 * 100) by (simpl; field); apply sqrt_square; lra).
  assert (E'' : sqrt (INR 2 / (1 / 20000 * 1)) = 200)
    by (replace (INR 2 / (1 / 20000 * 1)) with (200 * 200) by (simpl; field); apply sqrt_square; lra).
  apply two_refutes with (lam := 1 / 20000) (tau := 100) (sigma := 1 / 100) (theta := 201 / 202) (f := growing) (rho := 13 / 10) (K := 100000); try lra.
  - unfold spdc_tau. rewrite sqrt_1, E'. lra.
  - unfold spdc_sigma. rewrite sqrt_1, E. lra.
  - unfold spdc_theta. rewrite sqrt_1, E''. simpl. lra.
  - apply growing_grows.
  - intros b i. rewrite !two_delta_value by lra. unfold form. rewrite before_is_w. set (s' := two_step _ _ _ _ _ _).
    set (a0 := sp_alpha s' 0%nat). set (a1 := sp_alpha s' 1%nat). set (w := sp_w s' 0%nat). set (p := sp_w b 0%nat).
    unfold growing. pose proof (pow2_ge_0 (20 * (a0 + a1) - w)). pose proof (pow2_ge_0 (20 * (a0 + a1) + p)). pose proof (pow2_ge_0 (w + p)).
    pose proof (pow2_ge_0 (a0 - a1)). pose proof (pow2_ge_0 (sp_alpha b 0%nat)). pose proof (pow2_ge_0 (sp_alpha b 1%nat)).
    pose proof (pow2_ge_0 w). pose proof (pow2_ge_0 p). pose proof (pow2_ge_0 a0). pose proof (pow2_ge_0 a1). lra.
  - unfold form, growing, two_start. cbn [sp_alpha sp_w sp_before]. lra.
Qed.

(* lam = 1/200: at the steps 5 and 1/20 of (16) the mean square shrinks by no more than 0.951, where 0.9 R would promise 0.95. *)
Definition shrinking a0 a1 w p : R := 20000 * a0 ^ 2 - 20260 * a0 * a1 + 20000 * a1 ^ 2 + (a0 + a1) * (2127 / 5 * w - 2366 / 5 * p)
  + 3549 / 20 * w ^ 2 - 738 / 5 * w * p + 48 * p ^ 2.

Lemma shrinking_slowly : forall b,
  951 / 1000 * form shrinking b <= avg 2 (fun i => form shrinking (two_step (1 / 200) 5 (1 / 20) (21 / 22) b i)).
Proof.
  intros b. two_values. set (a0 := sp_alpha b 0%nat). set (a1 := sp_alpha b 1%nat). set (w := sp_w b 0%nat). set (p := sp_before b 0%nat).
  unfold shrinking.
  pose proof (pow2_ge_0 (w + (-27473938044/64897860431) * p + (81470458826/64897860431) * a0 + (81470458826/64897860431) * a1)).
  pose proof (pow2_ge_0 (p + (-421076741569027/47237968565652) * a0 + (-421076741569027/47237968565652) * a1)).
  pose proof (pow2_ge_0 (a0 + (-7440458035621244820901/11554510869811523506579) * a1)).
  pose proof (pow2_ge_0 a1).
  lra.
Qed.

Theorem spdc_R_is_tight : ~ spdc_claim 1 (spdc_theta (9 / 10)).
Proof.
  assert (E : sqrt (INR 2 * (1 / 200) / 1) = 1 / 10)
    by (replace (INR 2 * (1 / 200) / 1) with (1 / 10 * (1 / 10)) by (simpl; field); apply sqrt_square; lra).
  assert (E' : sqrt (1 / (INR 2 * (1 / 200))) = 10)
    by (replace (1 / (INR 2 * (1 / 200))) with (10 * 10) by (simpl; field); apply sqrt_square; lra).
  assert (E'' : sqrt (INR 2 / (1 / 200 * 1)) = 20)
    by (replace (INR 2 / (1 / 200 * 1)) with (20 * 20) by (simpl; field); apply sqrt_square; lra).
  apply two_refutes with (lam := 1 / 200) (tau := 5) (sigma := 1 / 20) (theta := 21 / 22) (f := shrinking) (rho := 951 / 1000) (K := 20000); try lra.
  - unfold spdc_tau. rewrite sqrt_1, E'. lra.
  - unfold spdc_sigma. rewrite sqrt_1, E. lra.
  - unfold spdc_theta. rewrite sqrt_1, E''. simpl. lra.
  - unfold spdc_theta. rewrite sqrt_1, E''. simpl. lra.
  - apply shrinking_slowly.
  - intros b i. rewrite !two_delta_value by lra. unfold form. rewrite before_is_w. set (s' := two_step _ _ _ _ _ _).
    set (a0 := sp_alpha s' 0%nat). set (a1 := sp_alpha s' 1%nat). set (w := sp_w s' 0%nat). set (p := sp_w b 0%nat).
    unfold shrinking. pose proof (pow2_ge_0 (a0 + a1 - w)). pose proof (pow2_ge_0 (a0 + a1 + p)). pose proof (pow2_ge_0 (w + p)).
    pose proof (pow2_ge_0 (a0 - a1)). pose proof (pow2_ge_0 (a0 + a1)). pose proof (pow2_ge_0 (sp_alpha b 0%nat)). pose proof (pow2_ge_0 (sp_alpha b 1%nat)).
    pose proof (pow2_ge_0 w). pose proof (pow2_ge_0 p). pose proof (pow2_ge_0 a0). pose proof (pow2_ge_0 a1). lra.
  - unfold form, shrinking, two_start. cbn [sp_alpha sp_w sp_before]. lra.
Qed.
