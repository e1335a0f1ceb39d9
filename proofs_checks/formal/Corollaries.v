(* Consequences of the sharp rate: primal values, probability (Markov), Theorem 1 with probability 1 - delta. *)
From Coq Require Import Reals Lra Lia Psatz Arith List.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main Sequences.
Open Scope R_scope.

Lemma count_as_total : forall {A : Type} (p : A -> bool) l,
  INR (length (filter p l)) = total (map (fun x => if p x then 1 else 0) l).
Proof.
  intros A p l. unfold total. induction l as [|x l IH]; simpl; [reflexivity|].
  destruct (p x); simpl length; [rewrite S_INR|]; rewrite IH; simpl; ring.
Qed.

Lemma share_as_Expect : forall {A : Type} n (step : A -> nat -> A) t (F : A -> R) c a, (0 < n)%nat ->
  share_above n step t F c a = Expect n step t (fun b => if Rlt_dec c (F b) then 1 else 0) a.
Proof.
  intros A n step t F c a Hn. unfold share_above. rewrite count_as_total, Expect_is_average by exact Hn.
  f_equal. f_equal. apply map_ext. intros js. destruct (Rlt_dec c (F (after step a js))); reflexivity.
Qed.

Theorem markov : forall {A : Type} n (step : A -> nat -> A) (I : A -> Prop) (F : A -> R) c t a,
  (0 < n)%nat -> 0 < c -> (forall b i, I b -> (i < n)%nat -> I (step b i)) -> (forall b, I b -> 0 <= F b) -> I a ->
  share_above n step t F c a <= Expect n step t F a / c.
Proof.
  intros A n step I F c t a Hn Hc HI HF Ha. rewrite share_as_Expect by exact Hn.
  unfold Rdiv. rewrite Rmult_comm, <- Expect_scal. apply (Expect_le n step I); try assumption.
  intros b Hb. specialize (HF b Hb). assert (0 < / c) by (apply Rinv_0_lt_compat, Hc).
  destruct (Rlt_dec c (F b)) as [Hlt|_].
  - apply Rmult_le_reg_l with c; [exact Hc|]. replace (c * (/ c * F b)) with (F b) by (field; lra). lra.
  - apply Rmult_le_pos; lra.
Qed.

Section L2.
Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (gamma lam R2 : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis gamma_pos : 0 < gamma.
Hypothesis lam_pos : 0 < lam.
Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
Let s := 1 - R2 / (lam * INR n * gamma).
Hypothesis s_pos : 0 < s.
Let step := aspdc_step n d X dphi lam.
Let G := gap n d X phi phis lam.

Lemma step_keeps_feasible : forall a i, feasible n phi a -> (i < n)%nat -> feasible n phi (step a i).
Proof. intros. apply feasible_step with gamma; assumption. Qed.

(* The gap certifies: P(w(alpha)) - P(v) <= gap, for every v. *)
Theorem gap_certifies : forall alpha v, feasible n phi alpha ->
  P n d X phi lam (w_of n X lam alpha) - P n d X phi lam v <= gap n d X phi phis lam alpha.
Proof.
  intros alpha v Hf. unfold gap.
  pose proof (weak_duality_L2 n d X phi phis lam n_pos lam_pos conjugates alpha v Hf). lra.
Qed.

(* E[P(w_t)] - P(v) is within the sharp rate, for every v, the minimiser included. *)
Theorem primal_rate : forall t alpha v, feasible n phi alpha ->
  Expect n step t (fun a => P n d X phi lam (w_of n X lam a)) alpha - P n d X phi lam v
  <= INR n / s * (1 - s / INR n) ^ t * G alpha.
Proof.
  intros t alpha v Hf. rewrite <- (Expect_const n step n_pos (P n d X phi lam v) t alpha), <- Expect_minus.
  eapply Rle_trans; [apply (Expect_le n step (feasible n phi) n_pos step_keeps_feasible) with (G := G); [|exact Hf]|].
  - intros a Ha. apply gap_certifies, Ha.
  - apply sharp_rate with (gamma := gamma) (R2 := R2); assumption.
Qed.

(* The share of index sequences whose gap exceeds c after t steps. *)
Theorem gap_probability : forall t c alpha, 0 < c -> feasible n phi alpha ->
  share_above n step t G c alpha <= INR n / s * (1 - s / INR n) ^ t * G alpha / c.
Proof.
  intros t c alpha Hc Hf. eapply Rle_trans.
  - apply markov with (I := feasible n phi); try assumption; [apply step_keeps_feasible|].
    intros b Hb. apply gap_nonneg; assumption.
  - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hc|].
    apply sharp_rate with (gamma := gamma) (R2 := R2); assumption.
Qed.

(* t >= (n/s) ln ((n/s) gap_0/(delta eps)) steps: gap <= eps on all but a share delta of the sequences. *)
Theorem theorem_1_sharp_probability : forall eps delta t alpha, 0 < eps -> 0 < delta -> feasible n phi alpha ->
  0 < gap n d X phi phis lam alpha ->
  INR n / s * ln (INR n / s * gap n d X phi phis lam alpha / (delta * eps)) <= INR t ->
  share_above n step t G eps alpha <= delta.
Proof.
  intros eps delta t alpha He Hd Hf Hg Ht. fold (G alpha) in *.
  assert (Hn := INR_pos n n_pos).
  assert (Hns : 0 < INR n / s) by (apply Rdiv_lt_0_compat; assumption).
  eapply Rle_trans; [apply gap_probability; assumption|].
  apply Rmult_le_reg_r with eps; [exact He|].
  replace (INR n / s * (1 - s / INR n) ^ t * G alpha / eps * eps)
    with ((1 - s / INR n) ^ t * (INR n / s * G alpha)) by (field; lra).
  apply iterations_suffice.
  - apply Rmult_lt_0_compat; assumption.
  - apply Rmult_lt_0_compat; assumption.
  - apply rho_range with (d := d) (X := X) (R2 := R2); assumption.
  - replace (/ (s / INR n)) with (INR n / s) by (field; lra). exact Ht.
Qed.
End L2.
