(* Expect as an operator, and the step from "mean increase >= rho gap" to a rate. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums.
Open Scope R_scope.

Section Operator.
Context {A : Type}.
Variables (n : nat) (step : A -> nat -> A) (I : A -> Prop).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis I_step : forall a i, I a -> (i < n)%nat -> I (step a i).

Lemma Expect_le : forall F G, (forall a, I a -> F a <= G a) ->
  forall t a, I a -> Expect n step t F a <= Expect n step t G a.
Proof.
  intros F G H t. induction t as [|t IH]; intros a Ha; simpl; [auto|].
  apply avg_le; [exact n_pos|]. intros i Hi. apply IH, I_step; assumption.
Qed.

Lemma Expect_ext : forall F G, (forall a, I a -> F a = G a) ->
  forall t a, I a -> Expect n step t F a = Expect n step t G a.
Proof. intros F G H t a Ha. apply Rle_antisym; apply Expect_le; auto; intros b Hb; rewrite H by exact Hb; lra. Qed.

Lemma Expect_scal : forall c F t a, Expect n step t (fun b => c * F b) a = c * Expect n step t F a.
Proof.
  intros c F t. induction t as [|t IH]; intros a; simpl; [reflexivity|].
  rewrite <- avg_scal. apply avg_ext. intros. apply IH.
Qed.

Lemma Expect_const : forall c t a, Expect n step t (fun _ => c) a = c.
Proof.
  intros c t. induction t as [|t IH]; intros a; simpl; [reflexivity|].
  transitivity (avg n (fun _ => c)); [apply avg_ext; intros; apply IH | apply avg_const, n_pos].
Qed.

Lemma Expect_minus : forall F G t a,
  Expect n step t (fun b => F b - G b) a = Expect n step t F a - Expect n step t G a.
Proof.
  intros F G t. induction t as [|t IH]; intros a; simpl; [reflexivity|].
  rewrite <- avg_minus. apply avg_ext. intros. apply IH.
Qed.

Lemma Expect_compose : forall F s t a, Expect n step (s + t) F a = Expect n step s (Expect n step t F) a.
Proof.
  intros F s t. induction s as [|s IH]; intros a; simpl; [reflexivity|]. apply avg_ext. intros. apply IH.
Qed.

Lemma Expect_contract : forall F r, 0 <= r -> (forall a, I a -> avg n (fun i => F (step a i)) <= r * F a) ->
  forall t a, I a -> Expect n step t F a <= r ^ t * F a.
Proof.
  intros F r Hr H t. induction t as [|t IH]; intros a Ha; simpl; [lra|].
  apply Rle_trans with (avg n (fun i => r ^ t * F (step a i))).
  - apply avg_le; [exact n_pos|]. intros i Hi. apply IH, I_step; assumption.
  - rewrite avg_scal. replace (r * r ^ t * F a) with (r ^ t * (r * F a)) by ring.
    apply Rmult_le_compat_l; [apply pow_le; exact Hr | apply H, Ha].
Qed.

Lemma Expect_expand : forall F r, 0 <= r -> (forall a, I a -> r * F a <= avg n (fun i => F (step a i))) ->
  forall t a, I a -> r ^ t * F a <= Expect n step t F a.
Proof.
  intros F r Hr H t. induction t as [|t IH]; intros a Ha; simpl; [lra|].
  apply Rle_trans with (avg n (fun i => r ^ t * F (step a i))).
  - rewrite avg_scal. replace (r * r ^ t * F a) with (r ^ t * (r * F a)) by ring.
    apply Rmult_le_compat_l; [apply pow_le; exact Hr | apply H, Ha].
  - apply avg_le; [exact n_pos|]. intros i Hi. apply IH, I_step; assumption.
Qed.
End Operator.

(* From a mean increase of at least rho times the gap to the rate, for any method.
   V is the dual value, G the gap, b ranges over the admissible states. *)
Section Rate.
Context {A : Type}.
Variables (n : nat) (step : A -> nat -> A) (I : A -> Prop) (V G : A -> R) (rho : R).
Hypothesis n_pos : (0 < n)%nat.
Hypothesis rho_range : 0 < rho <= 1.
Hypothesis I_step : forall a i, I a -> (i < n)%nat -> I (step a i).
Hypothesis increase : forall a, I a -> rho * G a <= avg n (fun i => V (step a i)) - V a.

Section Optimum.
Variable V_star : R.
Hypothesis lub : is_lub (values I V) V_star.

Lemma value_le_optimum : forall a, I a -> V a <= V_star.
Proof. intros a Ha. destruct lub as [H _]. apply H. exists a. auto. Qed.

Lemma mean_le_optimum : forall a, I a -> avg n (fun i => V (step a i)) <= V_star.
Proof.
  intros a Ha. rewrite <- (avg_const n V_star n_pos). apply avg_le; [exact n_pos|].
  intros i Hi. apply value_le_optimum, I_step; assumption.
Qed.

(* gap <= (1/rho) (V* - V), at every state. *)
Lemma gap_le_suboptimality : forall a, I a -> G a <= / rho * (V_star - V a).
Proof.
  intros a Ha. pose proof (increase a Ha). pose proof (mean_le_optimum a Ha).
  apply Rmult_le_reg_l with rho; [lra|].
  replace (rho * (/ rho * (V_star - V a))) with (V_star - V a) by (field; lra). lra.
Qed.

Lemma suboptimality_rate_above : (forall a, I a -> V_star - V a <= G a) ->
  forall t a, I a -> Expect n step t (fun b => V_star - V b) a <= (1 - rho) ^ t * (V_star - V a).
Proof.
  intros Hwd t a Ha. apply Expect_contract with (I := I); try assumption; [lra|].
  intros b Hb. pose proof (increase b Hb) as H1. pose proof (Hwd b Hb) as H2.
  rewrite avg_minus, avg_const by exact n_pos.
  assert (rho * (V_star - V b) <= rho * G b) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Optimum.

Hypothesis duality : forall a b, I a -> I b -> V b <= V a + G a.

Lemma optimum_exists : forall a, I a -> { m : R | is_lub (values I V) m }.
Proof.
  intros a Ha. apply completeness.
  - exists (V a + G a). intros r (b & Hb & ->). apply duality; assumption.
  - exists (V a). exists a. auto.
Qed.

Lemma optimum_le : forall m a, is_lub (values I V) m -> I a -> m - V a <= G a.
Proof.
  intros m a [_ Hleast] Ha. enough (m <= V a + G a) by lra.
  apply Hleast. intros r (b & Hb & ->). apply duality; assumption.
Qed.

Lemma suboptimality_rate : forall m t a, is_lub (values I V) m -> I a ->
  Expect n step t (fun b => m - V b) a <= (1 - rho) ^ t * (m - V a).
Proof.
  intros m t a Hm Ha. apply suboptimality_rate_above; try assumption. intros b Hb. apply optimum_le; assumption.
Qed.

Theorem gap_rate : forall t a, I a -> Expect n step t G a <= / rho * (1 - rho) ^ t * G a.
Proof.
  intros t a Ha. destruct (optimum_exists a Ha) as [m Hm].
  assert (Hinv : 0 < / rho) by (apply Rinv_0_lt_compat; lra).
  apply Rle_trans with (Expect n step t (fun b => / rho * (m - V b)) a).
  - apply Expect_le with (I := I); try assumption. intros b Hb. apply gap_le_suboptimality; assumption.
  - rewrite Expect_scal, Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with ((1 - rho) ^ t * (m - V a)); [apply suboptimality_rate; assumption|].
    apply Rmult_le_compat_l; [apply pow_le; lra | apply optimum_le; assumption].
Qed.
End Rate.
