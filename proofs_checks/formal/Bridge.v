(* The tie to the code that runs: how exact runs of the reference, written as lemmas over literal rationals, are
   proved by computation.  The lemmas themselves are generated (make bridge). *)
From Coq Require Import Reals Lra Lia Arith List.
From Dualgap Require Import Definitions Sums.
Open Scope R_scope.

(* Literal data. *)
Definition two {A : Type} (a b : A) (j : nat) : A := match j with O => a | _ => b end.
Definition three {A : Type} (a b c : A) (i : nat) : A := match i with O => a | S O => b | _ => c end.

(* Unfold the definitions on literal data, decide the comparisons innermost first, compare two rationals. *)
Ltac unfold_all :=
  cbv [two three Expect avg bsum dot norm2 upd P D gap w_of aspdc_step inc_step clip01 squared squared_deriv squared_conj
       smoothed_hinge smoothed_hinge_deriv smoothed_hinge_conj squared_hinge squared_hinge_deriv squared_hinge_conj
       hinge hinge_slope pgs_w pgs_step
       squared_prox smoothed_hinge_prox spdc_l2_step spdc_l2_batch_step subset subsets batch_mean total nth app map fold_right in_dec sp_bar mean_row sp_alpha sp_w sp_before
       Rmax Rmin fst snd INR Nat.eq_dec nat_rec nat_rect list_rec list_rect sumbool_rec sumbool_rect]; simpl.
Ltac decide_one :=
  match goal with |- context [Rle_dec ?a ?b] =>
    lazymatch a with context [Rle_dec _ _] => fail | _ => lazymatch b with context [Rle_dec _ _] => fail | _ =>
      destruct (Rle_dec a b) as [?H | ?H]; [try (exfalso; lra) | try (exfalso; apply H; lra)]; clear H
    end end end.
Ltac by_computation := unfold_all; repeat decide_one; lra.

(* Two dual points that agree in the first n entries have the same gap and agree after a step. *)
Definition agree (n : nat) (a b : nat -> R) : Prop := forall i, (i < n)%nat -> a i = b i.

Section Agree.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R) (lam : R).
  Let F := gap n d X phi phis lam.
  Let step := aspdc_step n d X dphi lam.

  Lemma agree_w : forall a b j, agree n a b -> w_of n X lam a j = w_of n X lam b j.
  Proof.
    intros a b j H. unfold w_of. f_equal. apply bsum_ext. intros i Hi. rewrite (H i Hi). reflexivity.
  Qed.

  Lemma agree_dot_w : forall a b v, agree n a b -> dot d v (w_of n X lam a) = dot d v (w_of n X lam b).
  Proof. intros a b v H. apply dot_ext; [reflexivity|]. intros. apply agree_w, H. Qed.

  Lemma agree_gap : forall a b, agree n a b -> F a = F b.
  Proof.
    intros a b H. unfold F, gap, P, D.
    rewrite (norm2_ext d _ (w_of n X lam b)) by (intros; apply agree_w, H).
    rewrite (avg_ext n (fun i => phis i (a i)) (fun i => phis i (b i))) by (intros i Hi; rewrite (H i Hi); reflexivity).
    rewrite (avg_ext n _ (fun i => phi i (dot d (X i) (w_of n X lam b)))); [reflexivity|].
    intros i _. rewrite (agree_dot_w a b (X i) H). reflexivity.
  Qed.

  Lemma agree_step : forall a b i, agree n a b -> agree n (step a i) (step b i).
  Proof.
    intros a b i H k Hk. unfold step, aspdc_step, upd. destruct (Nat.eq_dec k i); [|apply H, Hk].
    rewrite (agree_dot_w a b (X i) H). reflexivity.
  Qed.

  Lemma agree_expect : forall t a b, agree n a b -> Expect n step t F a = Expect n step t F b.
  Proof.
    induction t as [|t IH]; intros a b H; simpl; [apply agree_gap, H|].
    apply avg_ext. intros i _. apply IH, agree_step, H.
  Qed.
End Agree.

(* n = 3: the expectation over t + 1 steps from the expectations over t steps at the three successors. *)
Lemma expect_three : forall d X phi dphi phis lam t a a0 a1 a2 e0 e1 e2,
  let step := aspdc_step 3 d X dphi lam in
  let E := fun b => Expect 3 step t (gap 3 d X phi phis lam) b in
  agree 3 (step a 0%nat) a0 -> agree 3 (step a 1%nat) a1 -> agree 3 (step a 2%nat) a2 ->
  E a0 = e0 -> E a1 = e1 -> E a2 = e2 ->
  Expect 3 step (S t) (gap 3 d X phi phis lam) a = (e0 + e1 + e2) / 3.
Proof.
  intros d X phi dphi phis lam t a a0 a1 a2 e0 e1 e2 step E H0 H1 H2 <- <- <-.
  transitivity (avg 3 (fun i => E (step a i))); [reflexivity|].
  assert (A : forall b b', agree 3 b b' -> E b = E b') by (intros; apply agree_expect; assumption).
  unfold avg, bsum. rewrite (A _ _ H0), (A _ _ H1), (A _ _ H2), Rplus_0_l.
  f_equal. simpl. ring.
Qed.

Lemma agree_three : forall a b, a 0%nat = b 0%nat -> a 1%nat = b 1%nat -> a 2%nat = b 2%nat -> agree 3 a b.
Proof. intros a b H0 H1 H2 [|[|[|i]]] Hi; [assumption .. | lia]. Qed.
