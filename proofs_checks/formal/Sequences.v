(* Expect is the plain average over exactly the n^t index sequences. *)
From Coq Require Import Reals Lra Lia Psatz Arith List FinFun.
From Dualgap Require Import Definitions Sums.
Import ListNotations.
Open Scope R_scope.

Theorem sequences_spec : forall n t js,
  In js (sequences n t) <-> length js = t /\ (forall i, In i js -> (i < n)%nat).
Proof.
  intros n t. induction t as [|t IH]; intros js; simpl.
  - split.
    + intros [<-|[]]. split; [reflexivity | intros i []].
    + intros [H _]. left. destruct js; [reflexivity | discriminate].
  - rewrite in_flat_map. split.
    + intros (i & Hi & Hm). apply in_map_iff in Hm. destruct Hm as (ks & <- & Hks). apply IH in Hks.
      apply in_seq in Hi. destruct Hks as [Hl Hb]. split; [simpl; lia|]. intros k [<-|Hk]; [lia | apply Hb, Hk].
    + intros [Hl Hb]. destruct js as [|i ks]; [discriminate|]. exists i. split.
      * apply in_seq. pose proof (Hb i (or_introl eq_refl)). lia.
      * apply in_map, IH. split; [simpl in Hl; lia|]. intros k Hk. apply Hb. right. exact Hk.
Qed.

Lemma NoDup_append : forall (A : Type) (l m : list A),
  NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  intros A l m Hl Hm H. induction Hl as [|x l Hx Hl IH]; simpl; [exact Hm|].
  constructor.
  - rewrite in_app_iff. intros [Hin|Hin]; [exact (Hx Hin) | exact (H x (or_introl eq_refl) Hin)].
  - apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma NoDup_prefixes : forall (A : Type) (heads : list A) (tails : list (list A)),
  NoDup heads -> NoDup tails -> NoDup (flat_map (fun i => map (cons i) tails) heads).
Proof.
  intros A heads tails Hh Ht. induction Hh as [|i heads Hi Hh IH]; simpl; [constructor|].
  apply NoDup_append.
  - apply Injective_map_NoDup; [|exact Ht]. intros a b E. congruence.
  - exact IH.
  - intros js H1 H2. apply in_map_iff in H1. destruct H1 as (a & <- & _).
    apply in_flat_map in H2. destruct H2 as (k & Hk & Hm). apply in_map_iff in Hm. destruct Hm as (b & E & _).
    congruence.
Qed.

Theorem sequences_distinct : forall n t, NoDup (sequences n t).
Proof.
  intros n t. induction t as [|t IH]; simpl.
  - constructor; [intros [] | constructor].
  - apply NoDup_prefixes; [apply seq_NoDup | exact IH].
Qed.

Lemma length_prefixes : forall (A : Type) (heads : list A) (tails : list (list A)),
  length (flat_map (fun i => map (cons i) tails) heads) = (length heads * length tails)%nat.
Proof.
  intros A heads tails. induction heads as [|i heads IH]; simpl; [reflexivity|].
  rewrite app_length, map_length, IH. reflexivity.
Qed.

Theorem sequences_count : forall n t, length (sequences n t) = Nat.pow n t.
Proof. intros n t. induction t as [|t IH]; simpl; [reflexivity|]. rewrite length_prefixes, IH, seq_length. reflexivity. Qed.

Lemma total_append : forall l m, total (l ++ m) = total l + total m.
Proof. intros l m. unfold total. induction l as [|x l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma total_prefixes : forall {A : Type} (step : A -> nat -> A) (F : A -> R) a tails n,
  total (map (fun js => F (after step a js)) (flat_map (fun i => map (cons i) tails) (seq 0 n)))
  = bsum n (fun i => total (map (fun js => F (after step (step a i) js)) tails)).
Proof.
  intros A step F a tails n. induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, flat_map_app, map_app, total_append, IH. cbn [bsum flat_map]. f_equal.
  rewrite app_nil_r, map_map. reflexivity.
Qed.

Theorem Expect_is_average : forall {A : Type} n (step : A -> nat -> A) (F : A -> R), (0 < n)%nat -> forall t a,
  Expect n step t F a = total (map (fun js => F (after step a js)) (sequences n t)) / INR n ^ t.
Proof.
  intros A n step F Hn t. apply INR_pos in Hn. induction t as [|t IH]; intros a.
  - simpl. field.
  - simpl sequences. rewrite total_prefixes. simpl Expect. unfold avg.
    rewrite (bsum_ext n _ (fun i => / INR n ^ t * total (map (fun js => F (after step (step a i) js)) (sequences n t)))).
    + rewrite bsum_scal. simpl. field. split; [apply pow_nonzero|]; lra.
    + intros i _. rewrite IH. unfold Rdiv. ring.
Qed.
