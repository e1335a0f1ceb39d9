(* All sets of m of the n rows: each occurs once, and each row is in the share m/n of them; and one row of each of m equal blocks. *)
From Coq Require Import Reals Lra Lia Arith List Sorted FinFun.
Import ListNotations.
From Dualgap Require Import Definitions Sums Sequences.
Open Scope R_scope.

Theorem subsets_spec : forall n m K, In K (subsets n m) <-> length K = m /\ StronglySorted gt K /\ forall i, In i K -> (i < n)%nat.
Proof.
  assert (Hnil : forall n (K : list nat), In K [[]] <-> length K = 0%nat /\ StronglySorted gt K /\ forall i, In i K -> (i < n)%nat).
  { intros n K. split; [intros [<-|[]]; repeat split; [constructor | intros i []]|]. intros (H & _). destruct K; [left; reflexivity | discriminate]. }
  induction n as [|p IH]; intros [|k] K; try apply Hnil.
  - cbn [subsets]. split; [intros []|]. intros (H & _ & Hin). destruct K as [|i l]; [discriminate|]. specialize (Hin i (or_introl eq_refl)). lia.
  - cbn [subsets]. rewrite in_app_iff, in_map_iff, IH. split.
    + intros [(l & <- & Hl) | (Hlen & Hsort & Hin)].
      * apply IH in Hl. destruct Hl as (Hlen & Hsort & Hin). split; [simpl; lia|]. split.
        -- constructor; [exact Hsort|]. apply Forall_forall. intros i Hi. apply Hin, Hi.
        -- intros i [<-|Hi]; [lia | specialize (Hin i Hi); lia].
      * repeat split; try assumption. intros i Hi. specialize (Hin i Hi). lia.
    + intros (Hlen & Hsort & Hin). destruct K as [|i l]; [discriminate|]. inversion Hsort as [|? ? Hsort' Hall]. subst.
      rewrite Forall_forall in Hall. pose proof (Hin i (or_introl eq_refl)) as Hi. destruct (Nat.eq_dec i p) as [->|Hne].
      * left. exists l. split; [reflexivity|]. apply IH. split; [simpl in Hlen; lia|]. split; [exact Hsort' | exact Hall].
      * right. split; [exact Hlen|]. split; [exact Hsort|]. intros j [<-|Hj]; [lia | specialize (Hall j Hj); lia].
Qed.

Theorem subsets_distinct : forall n m, NoDup (subsets n m).
Proof.
  assert (Hone : NoDup [@nil nat]) by (constructor; [intros [] | constructor]).
  induction n as [|p IH]; intros [|k]; try exact Hone; [constructor|]. cbn [subsets].
  apply NoDup_append; [|apply IH|].
  - apply Injective_map_NoDup; [|apply IH]. intros a b E. injection E. auto.
  - intros K HK H. apply in_map_iff in HK. destruct HK as (l & <- & _). apply subsets_spec in H. destruct H as (_ & _ & Hin).
    specialize (Hin p (or_introl eq_refl)). lia.
Qed.

(* How many sets there are, and how many contain a row. *)
Definition holding (n m i : nat) : nat := list_sum (map (fun K => count_occ Nat.eq_dec K i) (subsets n m)).

Lemma holding_other : forall n m i, (n <= i)%nat -> holding n m i = 0%nat.
Proof.
  intros n m i Hi. unfold holding. enough (H : forall l, (forall K, In K l -> ~ In i K) -> list_sum (map (fun K => count_occ Nat.eq_dec K i) l) = 0%nat).
  - apply H. intros K HK Hin. apply subsets_spec in HK. destruct HK as (_ & _ & HK). specialize (HK i Hin). lia.
  - intros l. induction l as [|K l IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros; apply H; right; assumption).
    rewrite (proj1 (count_occ_not_In Nat.eq_dec K i)); [reflexivity | apply H; left; reflexivity].
Qed.

Lemma holding_step : forall p k i, holding (S p) (S k) i = (holding p k i + (if Nat.eq_dec p i then length (subsets p k) else 0) + holding p (S k) i)%nat.
Proof.
  intros p k i. unfold holding. cbn [subsets]. rewrite map_app, list_sum_app, map_map. f_equal.
  induction (subsets p k) as [|K l IH]; [destruct (Nat.eq_dec p i); reflexivity|]. cbn [map list_sum fold_right length count_occ] in *.
  unfold list_sum in IH. rewrite IH. destruct (Nat.eq_dec p i); lia.
Qed.

Lemma holding_value : forall p k i, (i <= p)%nat -> holding (S p) (S k) i = length (subsets p k).
Proof.
  induction p as [|p IH]; intros k i Hi; rewrite holding_step.
  - assert (i = 0%nat) by lia. subst i. destruct k; reflexivity.
  - destruct (Nat.eq_dec (S p) i) as [E|E].
    + rewrite !holding_other by lia. lia.
    + assert (H : holding (S p) k i = match k with O => O | S j => length (subsets p j) end) by (destruct k; [reflexivity | apply IH; lia]).
      rewrite H, IH by lia. destruct k; cbn [subsets]; [destruct p; reflexivity|]. rewrite app_length, map_length. lia.
Qed.

Lemma INR_list_sum : forall l, INR (list_sum l) = total (map INR l).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [list_sum fold_right map total]. rewrite plus_INR. unfold list_sum, total in IH. rewrite IH. reflexivity. Qed.

Lemma total_of_positions : forall (A : Type) (f : A -> R) (l : list A) a, bsum (length l) (fun b => f (nth b l a)) = total (map f l).
Proof.
  intros A f l a. induction l as [|x l IH] using rev_ind; [reflexivity|]. rewrite app_length, Nat.add_1_r. cbn [bsum].
  rewrite app_nth2, Nat.sub_diag by lia. rewrite (bsum_ext _ _ (fun b => f (nth b l a))) by (intros; rewrite app_nth1 by assumption; reflexivity).
  rewrite IH, map_app. cbn [nth map]. clear. induction l as [|y l IH]; cbn [map app total fold_right] in *; [lra|]. unfold total in IH. lra.
Qed.

(* Uniform among the sets of m rows. *)
Theorem subsets_fair : forall n m, (0 < m <= n)%nat -> fair_batches n m (length (subsets n m)) (subset n m).
Proof.
  intros n m Hm. set (N := length (subsets n m)).
  assert (Hbatch : forall b, (b < N)%nat -> length (subset n m b) = m /\ NoDup (subset n m b) /\ forall i, In i (subset n m b) -> (i < n)%nat).
  { intros b Hb. pose proof (nth_In (subsets n m) [] Hb) as H. apply subsets_spec in H. destruct H as (Hlen & Hsort & Hin).
    split; [exact Hlen|]. split; [|exact Hin]. clear - Hsort. unfold subset. induction Hsort as [|i l _ IH Hall]; constructor; [|exact IH].
    intros Hi. rewrite Forall_forall in Hall. specialize (Hall i Hi). lia. }
  split; [exact Hbatch|]. destruct n as [|p]; [lia|]. destruct m as [|k]; [lia|].
  set (h := INR (length (subsets p k))).
  assert (Hcount : forall i, (i < S p)%nat -> bsum N (fun b => INR (count_occ Nat.eq_dec (subset (S p) (S k) b) i)) = h).
  { intros i Hi. unfold subset, N. rewrite (total_of_positions _ (fun K => INR (count_occ Nat.eq_dec K i))).
    rewrite <- (map_map (fun K => count_occ Nat.eq_dec K i) INR), <- INR_list_sum. unfold h. rewrite <- (holding_value p k i) by lia. reflexivity. }
  (* counted twice: n times h is m times N *)
  assert (Htwice : INR (S p) * h = INR (S k) * INR N).
  { rewrite <- bsum_const, (bsum_ext (S p) _ (fun i => bsum N (fun b => INR (count_occ Nat.eq_dec (subset (S p) (S k) b) i))))
      by (intros; symmetry; apply Hcount; assumption).
    rewrite bsum_swap, (bsum_ext N _ (fun _ => INR (S k))); [rewrite bsum_const; ring|]. intros b Hb. destruct (Hbatch b Hb) as (Hlen & _ & Hin).
    enough (H : forall K, (forall i, In i K -> (i < S p)%nat) -> bsum (S p) (fun i => INR (count_occ Nat.eq_dec K i)) = INR (length K))
      by (rewrite (H _ Hin), Hlen; reflexivity).
    clear. intros K Hin. induction K as [|i l IH].
    - change (bsum (S p) (fun _ => INR 0) = INR 0). rewrite bsum_const. simpl (INR 0). ring.
    - rewrite (bsum_change (S p) i (fun j => INR (count_occ Nat.eq_dec l j)) (fun j => INR (count_occ Nat.eq_dec (i :: l) j)) (Hin i (or_introl eq_refl))).
      + rewrite IH by (intros; apply Hin; right; assumption). cbn [count_occ length]. destruct (Nat.eq_dec i i); [|congruence]. rewrite !S_INR. ring.
      + intros j _ Hj. cbn [count_occ]. destruct (Nat.eq_dec i j); [congruence | reflexivity]. }
  assert (HN : (0 < N)%nat).
  { assert (In (rev (seq 0 (S k))) (subsets (S p) (S k))).
    { apply subsets_spec. split; [rewrite rev_length, seq_length; reflexivity|]. split.
      - generalize (S k). clear. intros j. induction j as [|j IH]; [constructor|]. rewrite seq_S, rev_app_distr. simpl. constructor; [exact IH|].
        apply Forall_forall. intros i Hi. rewrite <- in_rev, in_seq in Hi. lia.
      - intros i Hi. rewrite <- in_rev, in_seq in Hi. lia. }
    unfold N. destruct (subsets (S p) (S k)); [contradiction | simpl; lia]. }
  intros i Hi. unfold avg. rewrite Hcount by assumption. apply INR_pos in HN. assert (0 < INR (S p)) by (apply INR_pos; lia).
  apply Rmult_eq_reg_r with (INR N * INR (S p)); [|apply Rmult_integral_contrapositive; lra].
  replace (h / INR N * (INR N * INR (S p))) with (INR (S p) * h) by (field; lra). rewrite Htwice. field. lra.
Qed.

(* One row of each of m blocks of p rows. *)
Section Blocks.
  Variable p : nat.
  Hypothesis p_pos : (0 < p)%nat.
  Let blocks_of (K : list nat) : Prop := NoDup K /\ forall i, In i K -> (i < p * length K)%nat.

  Lemma next_blocks : forall js K, (forall r, In r js -> (r < p)%nat) -> blocks_of K ->
    length (after (next_block p) K js) = (length K + length js)%nat /\ blocks_of (after (next_block p) K js).
  Proof.
    unfold after. induction js as [|r js IH]; intros K Hjs [Hdiff Hin]; [split; [simpl; lia | split; assumption]|]. cbn [fold_left].
    assert (Hr : (r < p)%nat) by (apply Hjs; left; reflexivity).
    destruct (IH (next_block p K r)) as [Hlen Hblocks]; [intros; apply Hjs; right; assumption | | split; [rewrite Hlen; simpl; lia | exact Hblocks]].
    split; unfold next_block.
    - constructor; [|exact Hdiff]. intros H. specialize (Hin _ H). lia.
    - cbn [length]. intros i [<-|Hi]; [|specialize (Hin i Hi)]; lia.
  Qed.

  (* A row of a block that is still to come is drawn with probability 1/p. *)
  Lemma mean_count : forall m K i, Expect p (next_block p) m (fun K => INR (count_occ Nat.eq_dec K i)) K
    = INR (count_occ Nat.eq_dec K i) + (if le_dec (p * length K) i then if lt_dec i (p * (length K + m)) then / INR p else 0 else 0).
  Proof.
    assert (Hp : 0 < INR p) by apply INR_pos, p_pos.
    induction m as [|m IH]; intros K i; cbn [Expect].
    - destruct (le_dec (p * length K) i); [|lra]. destruct (lt_dec i (p * (length K + 0))); [lia | lra].
    - set (later := if le_dec (p * S (length K)) i then if lt_dec i (p * (S (length K) + m)) then / INR p else 0 else 0).
      set (here := fun r => if Nat.eq_dec (r + p * length K) i then 1 else 0).
      rewrite (avg_ext p _ (fun r => (INR (count_occ Nat.eq_dec K i) + later) + here r)).
      2:{ intros r Hr. rewrite IH. unfold next_block, here. cbn [length count_occ]. fold later.
          destruct (Nat.eq_dec (r + p * length K) i); [rewrite S_INR|]; lra. }
      rewrite avg_plus, avg_const by exact p_pos.
      assert (E : avg p here = if le_dec (p * length K) i then if lt_dec i (p * S (length K)) then / INR p else 0 else 0).
      { assert (Hnone : (forall r, (r < p)%nat -> (r + p * length K)%nat <> i) -> avg p here = 0).
        { intros H. rewrite (avg_ext p here (fun _ => 0)), avg_const by (exact p_pos || (intros r Hr; unfold here; destruct Nat.eq_dec; [destruct (H r Hr); assumption | reflexivity])). reflexivity. }
        destruct (le_dec (p * length K) i); [destruct (lt_dec i (p * S (length K)))|]; [|apply Hnone; intros; lia..].
        assert (Hr : (i - p * length K < p)%nat) by lia.
        assert (Hother : forall r, (r < p)%nat -> r <> (i - p * length K)%nat -> here r = 0)
          by (intros r _ Hne; unfold here; destruct (Nat.eq_dec (r + p * length K) i); [lia | reflexivity]).
        unfold avg. rewrite (bsum_change p _ (fun _ => 0) here Hr Hother), bsum_const. unfold here.
        destruct (Nat.eq_dec (i - p * length K + p * length K) i); [field; lra | lia]. }
      rewrite E. unfold later. replace (length K + S m)%nat with (S (length K) + m)%nat by lia.
      pose proof (Nat.le_0_l (p * m)).
      repeat match goal with |- context [le_dec ?a ?b] => destruct (le_dec a b) | |- context [lt_dec ?a ?b] => destruct (lt_dec a b) end; try lra; exfalso; lia.
  Qed.

  Theorem one_per_block_fair : forall m, (0 < m)%nat -> fair_batches (p * m) m (length (sequences p m)) (one_per_block p m).
  Proof.
    intros m Hm. split.
    - intros k Hk. pose proof (nth_In (sequences p m) [] Hk) as H. apply sequences_spec in H. destruct H as [Hlen Hjs].
      destruct (next_blocks (nth k (sequences p m) []) [] Hjs) as [Hsize [Hdiff Hin]]; [split; [constructor | intros i []]|].
      fold (one_per_block p m k) in *. cbn [length Nat.add] in Hsize. rewrite Hlen in Hsize. rewrite Hsize in Hin. auto.
    - intros i Hi. assert (Hp : 0 < INR p) by apply INR_pos, p_pos. assert (Hm0 : 0 < INR m) by apply INR_pos, Hm.
      transitivity (Expect p (next_block p) m (fun K => INR (count_occ Nat.eq_dec K i)) []).
      + rewrite Expect_is_average by exact p_pos. unfold avg, one_per_block.
        rewrite (total_of_positions _ (fun js => INR (count_occ Nat.eq_dec (after (next_block p) [] js) i))), sequences_count, pow_INR. reflexivity.
      + rewrite mean_count. cbn [count_occ length]. rewrite mult_INR, Nat.mul_0_r. destruct (le_dec 0 i); [|lia]. destruct (lt_dec i (p * (0 + m))); [|lia].
        simpl (INR 0). field. lra.
  Qed.
End Blocks.
