(* The checker of the proof files of `dualgap exact`: a worst-case rate that PEPit computes in floats follows from facts, by multipliers.
   It computes with integers alone, so that `vm_compute` runs it on a whole file.

   A PEP bounds a function value `metric` over function values F k and points p_0, p_1, ..., G i j = <p_i, p_j>. They satisfy facts: expressions in
   F and G that are >= 0 or = 0, and matrices of them that are semidefinite. A proof of the bound p/q has integers m_k >= 0, v_e, c_s >= 0 and N > 0,
   and integer vectors u_s and w_s, with

       N (p - q metric) = sum_k m_k ineq_k + sum_e v_e eq_e + sum_s c_s w_s^T M_s w_s + sum_s c_s ||sum_i u_s,i p_i||^2.

   `check` says that both sides have the same coefficients. `pep_rate` proves that then metric <= p/q. `pep_attained` and `pep_unbounded` are for the
   lower end and for a refutation. *)
From Coq Require Import Reals Lra Lia ZArith List Bool Arith.
From Dualgap Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

(* ---- What is stated. ---- *)
Inductive key := One | F (k : nat) | G (i j : nat).
Definition form := list (Z * key).
Record pep := { metric : nat; inequalities : list form; equalities : list form; matrices : list (list (list form)) }.

Section Values.
Variables (f : nat -> R) (g : nat -> nat -> R).
Definition at_key (k : key) : R := match k with One => 1 | F k => f k | G i j => g i j end.
Definition value (t : form) : R := total (map (fun term => IZR (fst term) * at_key (snd term)) t).
Definition entry (M : list (list form)) (i j : nat) : R := value (nth j (nth i M []) []).
End Values.

(* The square of the combination sum_i a_i p_i, if g has the inner products. Indices beyond the points, or the size of a matrix, count as 0. *)
Definition square (g : nat -> nat -> R) (u : list (nat * R)) : R :=
  total (map (fun a => total (map (fun b => snd a * snd b * g (fst a) (fst b)) u)) u).
Definition semidefinite (g : nat -> nat -> R) : Prop := (forall i j, g i j = g j i) /\ forall u, 0 <= square g u.
Definition satisfies (p : pep) (f : nat -> R) (g : nat -> nat -> R) : Prop :=
  (forall t, In t (inequalities p) -> 0 <= value f g t) /\ (forall t, In t (equalities p) -> value f g t = 0)
  /\ (forall M, In M (matrices p) -> semidefinite (entry f g M)).

(* For all function values and all points of every R^d; for every semidefinite Gram matrix. *)
Definition bounded (p : pep) (tau : Z * positive) : Prop :=
  forall d (x : nat -> nat -> R) f, satisfies p f (fun i j => dot d (x i) (x j)) -> f (metric p) <= IZR (fst tau) / IZR (Zpos (snd tau)).
Definition gram_bounded (p : pep) (tau : Z * positive) : Prop :=
  forall g f, semidefinite g -> satisfies p f g -> f (metric p) <= IZR (fst tau) / IZR (Zpos (snd tau)).

(* ---- The checker. A table has the coefficient of One and of each F in row 0, and of <p_i, p_j>, i <= j, in row i + 1. ---- *)
Definition weights := list (Z * list (nat * Z)).
Record proof := { denominator : Z; for_inequalities : list Z; for_equalities : list Z; for_matrices : list weights; squares : weights }.

Fixpoint change {A : Type} (none : A) (by_ : A -> A) (k : nat) (l : list A) : list A := match k, l with
  | O, [] => [by_ none] | O, x :: l => by_ x :: l
  | S k, [] => none :: change none by_ k [] | S k, x :: l => x :: change none by_ k l end.
Definition put (t : list (list Z)) (c : Z) (k : key) : list (list Z) :=
  let '(row, column) := match k with One => (O, O) | F k => (O, S k) | G i j => (S (Nat.min i j), Nat.max i j) end in
  change [] (change 0%Z (Z.add c) column) row t.
Definition put_form (t : list (list Z)) (part : Z * form) : list (list Z) :=
  if (fst part =? 0)%Z then t else fold_left (fun t term => put t (fst part * fst term) (snd term)) (snd part) t.
Fixpoint products (u : list (nat * Z)) : list (Z * key) := match u with [] => [] | (i, a) :: rest =>
  ((a * a)%Z, G i i) :: map (fun b => ((2 * a * snd b)%Z, G i (fst b))) rest ++ products rest end.
Definition put_square (t : list (list Z)) (s : Z * list (nat * Z)) : list (list Z) :=
  fold_left (fun t term => put t (fst s * fst term) (snd term)) (products (snd s)) t.
Definition matrix_parts (M : list (list form)) (s : Z * list (nat * Z)) : list (Z * form) :=
  flat_map (fun a => map (fun b => ((fst s * snd a * snd b)%Z, nth (fst b) (nth (fst a) M []) [])) (snd s)) (snd s).

Definition check (p : pep) (tau : Z * positive) (q : proof) : bool :=
  let goal := [(fst tau, One); (Zneg (snd tau), F (metric p))] in
  let parts := (- denominator q, goal)%Z :: combine (for_inequalities q) (inequalities p) ++ combine (for_equalities q) (equalities p)
    ++ flat_map (fun Mw => flat_map (matrix_parts (fst Mw)) (snd Mw)) (combine (matrices p) (for_matrices q)) in
  (0 <? denominator q)%Z && forallb (Z.leb 0) (for_inequalities q)
  && forallb (forallb (fun s => 0 <=? fst s)%Z) (for_matrices q) && forallb (fun s => 0 <=? fst s)%Z (squares q)
  && forallb (forallb (Z.eqb 0)) (fold_left put_square (squares q) (fold_left put_form parts [])).

(* ---- Sums over tables. ---- *)
Local Arguments Z.mul : simpl never.
Fixpoint weigh {A : Type} (w : nat -> A -> R) (l : list A) : R := match l with [] => 0 | x :: l => w O x + weigh (fun k => w (S k)) l end.

Lemma weigh_change : forall A (none : A) by_ c k w l, (forall j, w j none = 0) -> (forall x, w k (by_ x) = w k x + c) ->
  weigh w (change none by_ k l) = weigh w l + c.
Proof.
  intros A none by_ c k. induction k as [|k IH]; intros w [|x l] E H; simpl.
  - rewrite H, E. ring.
  - rewrite H. ring.
  - rewrite E, (IH (fun k => w (S k)) []) by (intros; auto). simpl. ring.
  - rewrite (IH (fun k => w (S k)) l) by (intros; auto). ring.
Qed.

Lemma weigh_zero : forall A (w : nat -> A -> R) l, (forall k x, In x l -> w k x = 0) -> weigh w l = 0.
Proof. intros A w l. revert w. induction l as [|x l IH]; intros w H; simpl; [reflexivity|].
  rewrite (H O x (or_introl eq_refl)), (IH (fun k => w (S k)) (fun k y I => H (S k) y (or_intror I))). ring. Qed.

Lemma total_app : forall l l', total (l ++ l') = total l + total l'.
Proof. induction l as [|x l IH]; intros; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_scale : forall A c (h : A -> R) l, total (map (fun x => c * h x) l) = c * total (map h l).
Proof. intros. induction l as [|x l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_plus : forall A (h h' : A -> R) l, total (map (fun x => h x + h' x) l) = total (map h l) + total (map h' l).
Proof. intros. induction l as [|x l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_nonneg : forall A (h : A -> R) l, (forall x, In x l -> 0 <= h x) -> 0 <= total (map h l).
Proof.
  intros A h l. induction l as [|x l IH]; intros H; simpl; [lra|].
  pose proof (H x (or_introl eq_refl)). pose proof (IH (fun y Hy => H y (or_intror Hy))). lra.
Qed.

Section Soundness.
Variables (f : nat -> R) (g : nat -> nat -> R).
Hypothesis g_psd : semidefinite g.

Definition cell (row column : nat) : R := match row, column with O, O => 1 | O, S k => f k | S i, j => g i j end.
Definition of_table (t : list (list Z)) : R := weigh (fun row => weigh (fun column c => IZR c * cell row column)) t.

Lemma put_real : forall t c k, of_table (put t c k) = of_table t + IZR c * at_key f g k.
Proof.
  assert (E : forall t c row column, of_table (change [] (change 0%Z (Z.add c) column) row t) = of_table t + IZR c * cell row column).
  { intros t c row column. apply weigh_change; [reflexivity|]. intros l. apply weigh_change; intros; [|rewrite plus_IZR]; ring. }
  intros t c k. destruct k as [|k|i j]; unfold put; rewrite E; [reflexivity | reflexivity |]. simpl.
  destruct (Nat.le_ge_cases i j) as [H|H].
  - rewrite Nat.min_l, Nat.max_r by exact H. reflexivity.
  - rewrite Nat.min_r, Nat.max_l by exact H. rewrite (proj1 g_psd j i). reflexivity.
Qed.

Lemma put_all : forall A (c : A -> Z) (k : A -> key) l t,
  of_table (fold_left (fun t x => put t (c x) (k x)) l t) = of_table t + total (map (fun x => IZR (c x) * at_key f g (k x)) l).
Proof. intros A c k l. induction l as [|x l IH]; intros t; simpl; [ring|]. rewrite IH, put_real. ring. Qed.

Lemma put_form_real : forall part t, of_table (put_form t part) = of_table t + IZR (fst part) * value f g (snd part).
Proof.
  intros [m form] t. unfold put_form. simpl. destruct (Z.eqb_spec m 0) as [->|_]; [ring|].
  rewrite (put_all _ (fun term => (m * fst term)%Z) snd). f_equal. unfold value. rewrite <- total_scale. f_equal. apply map_ext.
  intros term. rewrite mult_IZR. ring.
Qed.

Definition real (u : list (nat * Z)) : list (nat * R) := map (fun a => (fst a, IZR (snd a))) u.

Lemma products_real : forall u, total (map (fun term => IZR (fst term) * at_key f g (snd term)) (products u)) = square g (real u).
Proof.
  induction u as [|[i a] u IH]; [reflexivity|]. simpl. rewrite map_app, total_app, IH, map_map. unfold square. simpl.
  assert (E : total (map (fun b => IZR (2 * a * snd b) * g i (fst b)) u)
    = total (map (fun b => IZR a * snd b * g i (fst b)) (real u)) + total (map (fun b => snd b * IZR a * g (fst b) i) (real u))).
  { unfold real. rewrite !map_map, <- total_plus. f_equal. apply map_ext. intros b. simpl. rewrite !mult_IZR, (proj1 g_psd (fst b) i). ring. }
  rewrite E, total_plus, mult_IZR. ring.
Qed.

Lemma put_squares : forall s t, forallb (fun s => 0 <=? fst s)%Z s = true -> of_table t <= of_table (fold_left put_square s t).
Proof.
  induction s as [|[c u] s IH]; intros t H; simpl in *; [lra|]. apply andb_true_iff in H. destruct H as [Hc H].
  refine (Rle_trans _ _ _ _ (IH _ H)). unfold put_square. simpl. rewrite (put_all _ (fun term => (c * fst term)%Z) snd).
  rewrite (map_ext _ (fun term => IZR c * (IZR (fst term) * at_key f g (snd term)))) by (intros; rewrite mult_IZR; ring).
  rewrite total_scale, products_real. apply Z.leb_le, IZR_le in Hc. pose proof (proj2 g_psd (real u)). nra.
Qed.

Definition weighed (parts : list (Z * form)) : R := total (map (fun part => IZR (fst part) * value f g (snd part)) parts).

Lemma put_forms : forall parts t, of_table (fold_left put_form parts t) = of_table t + weighed parts.
Proof. unfold weighed. induction parts as [|part parts IH]; intros t; simpl; [ring|]. rewrite IH, put_form_real. ring. Qed.

Lemma weighed_app : forall l l', weighed (l ++ l') = weighed l + weighed l'.
Proof. intros. unfold weighed. rewrite map_app. apply total_app. Qed.
Lemma weighed_flat : forall A (h : A -> list (Z * form)) l, (forall x, In x l -> 0 <= weighed (h x)) -> 0 <= weighed (flat_map h l).
Proof.
  intros A h l. induction l as [|x l IH]; intros H; simpl; [unfold weighed; simpl; lra|]. rewrite weighed_app.
  pose proof (H x (or_introl eq_refl)). pose proof (IH (fun y Hy => H y (or_intror Hy))). lra.
Qed.

Lemma matrix_parts_real : forall M s, weighed (matrix_parts M s) = IZR (fst s) * square (entry f g M) (real (snd s)).
Proof.
  intros M [c u]. unfold matrix_parts, square, real. simpl. rewrite map_map. simpl.
  assert (E : forall l, weighed (flat_map (fun a => map (fun b => ((c * snd a * snd b)%Z, nth (fst b) (nth (fst a) M []) [])) u) l)
    = IZR c * total (map (fun a => total (map (fun b => snd (fst a, IZR (snd a)) * snd b * entry f g M (fst (fst a, IZR (snd a))) (fst b)) (real u))) l)).
  2: exact (E u).
  induction l as [|a l IH]; simpl; [unfold weighed; simpl; ring|]. rewrite weighed_app, IH, Rmult_plus_distr_l. f_equal.
  unfold weighed, real. rewrite !map_map, <- total_scale. simpl. f_equal. apply map_ext. intros b. rewrite !mult_IZR. unfold entry. ring.
Qed.

Lemma rate_at : forall p tau q, check p tau q = true -> satisfies p f g -> f (metric p) <= IZR (fst tau) / IZR (Zpos (snd tau)).
Proof.
  intros p tau q H [ineq [eq mat]]. unfold check in H. repeat rewrite andb_true_iff in H.
  destruct H as [[[[HN Hm] Hw] Hs] zero]. apply Z.ltb_lt, IZR_lt in HN.
  match type of zero with context [fold_left put_form ?l _] => set (parts := l) in * end.
  assert (E : of_table (fold_left put_square (squares q) (fold_left put_form parts [])) = 0).
  { apply weigh_zero. intros row l Il. apply weigh_zero. intros column c Ic. rewrite forallb_forall in zero. specialize (zero l Il).
    rewrite forallb_forall in zero. specialize (zero c Ic). apply Z.eqb_eq in zero. rewrite <- zero. ring. }
  pose proof (put_squares _ (fold_left put_form parts []) Hs) as rest. rewrite E, put_forms in rest.
  change (of_table []) with 0 in rest. rewrite Rplus_0_l in rest. unfold parts in rest.
  match type of rest with weighed (?h :: ?l) <= 0 => change (weighed (h :: l)) with (weighed ([h] ++ l)) in rest end.
  rewrite !weighed_app in rest.
  match type of rest with weighed ?h + (weighed ?a + (weighed ?b + weighed ?c)) <= 0 =>
    assert (0 <= weighed a); [|assert (weighed b = 0); [|assert (0 <= weighed c)]] end.
  - apply total_nonneg. intros [m t] I. simpl. apply in_combine_l in I as I1. apply in_combine_r in I as I2.
    rewrite forallb_forall in Hm. specialize (Hm m I1). apply Z.leb_le, IZR_le in Hm. pose proof (ineq t I2). nra.
  - unfold weighed. rewrite (map_ext_in _ (fun _ => 0 * 0)); [rewrite total_scale; ring|]. intros [m t] I. simpl.
    apply in_combine_r in I. rewrite (eq t I). ring.
  - apply weighed_flat. intros [M w] I. simpl. apply in_combine_l in I as I1. apply in_combine_r in I as I2.
    apply weighed_flat. intros s Is. rewrite matrix_parts_real. pose proof (proj2 (mat M I1) (real (snd s))).
    rewrite forallb_forall in Hw. specialize (Hw w I2). rewrite forallb_forall in Hw. specialize (Hw s Is). apply Z.leb_le, IZR_le in Hw. nra.
  - unfold weighed in rest at 1. simpl in rest. unfold value in rest. simpl in rest. rewrite opp_IZR in rest.
    change (Zneg (snd tau)) with (- Zpos (snd tau))%Z in rest. rewrite opp_IZR in rest.
    assert (Hq : 0 < IZR (Zpos (snd tau))) by (apply IZR_lt; reflexivity).
    apply Rmult_le_reg_r with (IZR (Zpos (snd tau))); [exact Hq|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.
End Soundness.

(* sum_ab a b <x_i, x_j> = sum_k (sum_a a x_i,k)^2, coordinate by coordinate. *)
Lemma gram_semidefinite : forall d x, semidefinite (fun i j => dot d (x i) (x j)).
Proof.
  intros d x. split; [intros i j; unfold dot; induction d as [|d IH]; simpl; [|rewrite IH]; ring|]. intros u.
  unfold dot. induction d as [|d IH].
  - unfold square. apply total_nonneg. intros a _. apply total_nonneg. intros b _. simpl. lra.
  - set (s := total (map (fun a => snd a * x (fst a) d) u)).
    replace (square _ u) with (square (fun i j => bsum d (fun k => x i k * x j k)) u + s * s); [nra|].
    replace (s * s) with (total (map (fun a => s * (snd a * x (fst a) d)) u)) by apply total_scale.
    unfold square. rewrite <- total_plus. f_equal. apply map_ext. intros a. rewrite Rmult_comm. unfold s.
    rewrite <- total_scale, <- total_plus. f_equal. apply map_ext. intros b. simpl. ring.
Qed.

Theorem pep_gram_rate : forall p tau q, check p tau q = true -> gram_bounded p tau.
Proof. intros p tau q H g f psd facts. exact (rate_at f g psd p tau q H facts). Qed.
Theorem pep_rate : forall p tau q, check p tau q = true -> bounded p tau.
Proof. intros p tau q H d x f. exact (pep_gram_rate p tau q H _ f (gram_semidefinite d x)). Qed.

(* F <= <p, q>, |p|^2 <= 1 as a matrix of one row, |q|^2 = |p|^2. So F <= 1, by 2 - 2 F = 2 (<p, q> - F) - (|q|^2 - |p|^2) + 2 (1 - |p|^2) + |p - q|^2. *)
Open Scope Z_scope.
Definition example : pep := {| metric := 0; inequalities := [[(1, G 0 1); (-1, F 0)]]; equalities := [[(1, G 1 1); (-1, G 0 0)]];
  matrices := [[[[(1, One); (-1, G 0 0)]]]] |}.
Definition the_proof (n : Z) (m : list Z) (w s : list Z) : proof := {| denominator := n; for_inequalities := m; for_equalities := [-1];
  for_matrices := [map (fun c => (c, [(0%nat, 1)])) w]; squares := map (fun c => (c, [(0%nat, 1); (1%nat, -1)])) s |}.
Example one_is_accepted : check example (1, 1%positive) (the_proof 2 [2] [2] [1]) = true. Proof. reflexivity. Qed.
Example less_is_refused : check example (999999999, 1000000000%positive) (the_proof 2 [2] [2] [1]) = false. Proof. reflexivity. Qed.
Example a_dropped_fact_is_refused : check example (1, 1%positive) (the_proof 2 [] [2] [1]) = false. Proof. reflexivity. Qed.
(* The identity holds in what follows, but not the signs. *)
Example minus_one_square_is_refused : check example (1, 1%positive) (the_proof 2 [2] [2] [2; -1]) = false. Proof. reflexivity. Qed.
Example minus_one_row_is_refused : check example (1, 1%positive) (the_proof 2 [2] [3; -1] [1]) = false. Proof. reflexivity. Qed.
Example a_negative_multiplier_is_refused : check {| metric := 0; inequalities := [[(1, F 0); (-1, One)]]; equalities := []; matrices := [] |}
  (1, 1%positive) {| denominator := 1; for_inequalities := [-1]; for_equalities := []; for_matrices := []; squares := [] |} = false. Proof. reflexivity. Qed.
Example nothing_proves_nothing : check example (1, 1%positive) {| denominator := 0; for_inequalities := []; for_equalities := []; for_matrices := [];
  squares := [] |} = false. Proof. reflexivity. Qed.
Close Scope Z_scope.

(* ---- Lower ends and refutations: values F_k/N with the Gram matrix sum_s c_s u_s u_s^T / N, c_s >= 0, satisfy the facts, and each matrix of facts is such
   a sum there. A direction keeps the facts if their constants count as 0, which is `one` below; for a point it is N. ---- *)
Definition sums := list (Z * list Z).
Record witness := { scale : Z; values : list Z; gram : sums; at_matrices : list sums }.
Definition of_sum (s : sums) (i j : nat) : Z := fold_right (fun cu t => fst cu * nth i (snd cu) 0 * nth j (snd cu) 0 + t)%Z 0%Z s.
Definition of_form (one : Z) (w : witness) (t : form) : Z := fold_right (fun term r =>
  fst term * match snd term with One => one | F k => nth k (values w) 0 | G i j => of_sum (gram w) i j end + r)%Z 0%Z t.
Definition is_sum (one : Z) (w : witness) (M : list (list form)) (s : sums) : bool :=
  let n := length M in forallb (fun cu => 0 <=? fst cu)%Z s && forallb (fun cu => length (snd cu) <=? n)%nat s
  && forallb (fun row => length row <=? n)%nat M
  && forallb (fun i => forallb (fun j => of_form one w (nth j (nth i M []) []) =? of_sum s i j)%Z (seq 0 n)) (seq 0 n).
Fixpoint are_sums (one : Z) (w : witness) (l : list (list (list form))) (l' : list sums) : bool :=
  match l, l' with [], _ => true | M :: l, s :: l' => is_sum one w M s && are_sums one w l l' | _, [] => false end.
Definition feasible (one : Z) (w : witness) (p : pep) : bool :=
  (0 <? scale w)%Z && forallb (fun cu => 0 <=? fst cu)%Z (gram w) && forallb (fun t => 0 <=? of_form one w t)%Z (inequalities p)
  && forallb (fun t => of_form one w t =? 0)%Z (equalities p) && are_sums one w (matrices p) (at_matrices w).

Definition attained (p : pep) (low : Z * positive) : Prop :=
  exists g f, semidefinite g /\ satisfies p f g /\ IZR (fst low) / IZR (Zpos (snd low)) <= f (metric p).
Definition unbounded (p : pep) : Prop := forall B, exists g f, semidefinite g /\ satisfies p f g /\ B < f (metric p).
Definition attains (p : pep) (low : Z * positive) (w : witness) : bool :=
  feasible (scale w) w p && (fst low * scale w <=? nth (metric p) (values w) 0 * Zpos (snd low))%Z.
Definition grows (p : pep) (w r : witness) : bool := feasible (scale w) w p && feasible 0 r p && (0 <? nth (metric p) (values r) 0)%Z.

Definition value_at (o : R) (f : nat -> R) (g : nat -> nat -> R) (t : form) : R :=
  total (map (fun term => IZR (fst term) * match snd term with One => o | F k => f k | G i j => g i j end) t).
Definition holds (o : R) (f : nat -> R) (g : nat -> nat -> R) (p : pep) : Prop :=
  (forall t, In t (inequalities p) -> 0 <= value_at o f g t) /\ (forall t, In t (equalities p) -> value_at o f g t = 0)
  /\ (forall M, In M (matrices p) -> semidefinite (fun i j => value_at o f g (nth j (nth i M []) []))).

Definition value_of (w : witness) (k : nat) : R := IZR (nth k (values w) 0%Z) / IZR (scale w).
Definition product_of (w : witness) (i j : nat) : R := IZR (of_sum (gram w) i j) / IZR (scale w).
Lemma semidefinite_ext : forall g h, (forall i j, g i j = h i j) -> semidefinite h -> semidefinite g.
Proof. intros g h E [s n]. split; [intros i j; rewrite !E; apply s|]. intros u. specialize (n u). unfold square in *.
  rewrite (map_ext _ (fun a => total (map (fun b => snd a * snd b * h (fst a) (fst b)) u))); [exact n|].
  intros a. f_equal. apply map_ext. intros b. rewrite E. reflexivity. Qed.
Lemma semidefinite_add : forall l g h, 0 <= l -> semidefinite g -> semidefinite h -> semidefinite (fun i j => g i j + l * h i j).
Proof. intros l g h Hl [s n] [s' n']. split; [intros i j; rewrite s, s'; reflexivity|]. intros u. specialize (n u). specialize (n' u).
  assert (E : square (fun i j => g i j + l * h i j) u = square g u + l * square h u); [|rewrite E; nra].
  unfold square. rewrite <- total_scale, <- total_plus. f_equal. apply map_ext. intros a.
  rewrite <- total_scale, <- total_plus. f_equal. apply map_ext. intros b. ring. Qed.
Lemma semidefinite_one : forall a : nat -> R, semidefinite (fun i j => a i * a j).
Proof. intros a. apply semidefinite_ext with (fun i j => dot 1 (fun _ => a i) (fun _ => a j)); [intros; unfold dot; simpl; ring|].
  exact (gram_semidefinite 1 (fun i _ => a i)). Qed.
Lemma semidefinite_sum : forall N s, 0 < N -> forallb (fun cu => 0 <=? fst cu)%Z s = true -> semidefinite (fun i j => IZR (of_sum s i j) / N).
Proof. intros N s HN. induction s as [|[c v] s IH]; intros H; simpl in H.
  - apply semidefinite_ext with (fun _ _ => 0 * 0); [intros; simpl; unfold Rdiv; ring | exact (semidefinite_one (fun _ => 0))].
  - apply andb_true_iff in H. destruct H as [Hc H]. apply Z.leb_le, IZR_le in Hc.
    apply semidefinite_ext with (fun i j => IZR (of_sum s i j) / N + IZR c / N * (IZR (nth i v 0%Z) * IZR (nth j v 0%Z))).
    + intros i j. simpl. rewrite plus_IZR, !mult_IZR. unfold Rdiv. ring.
    + apply semidefinite_add; [|exact (IH H) | exact (semidefinite_one (fun i => IZR (nth i v 0%Z)))].
      apply Rmult_le_pos; [exact Hc | left; apply Rinv_0_lt_compat; exact HN]. Qed.
Lemma of_sum_outside : forall n s i j, forallb (fun cu => length (snd cu) <=? n)%nat s = true -> (n <= i \/ n <= j)%nat -> of_sum s i j = 0%Z.
Proof. intros n s i j. induction s as [|[c v] s IH]; intros H L; simpl in *; [reflexivity|]. apply andb_true_iff in H. destruct H as [Hv H].
  apply Nat.leb_le in Hv. rewrite (IH H L). destruct L; [rewrite (nth_overflow v 0%Z (n := i)) by lia | rewrite (nth_overflow v 0%Z (n := j)) by lia]; ring. Qed.
Lemma is_sum_all : forall one w M s, is_sum one w M s = true -> forall i j, of_form one w (nth j (nth i M []) []) = of_sum s i j.
Proof. intros one w M s H i j. unfold is_sum in H. repeat rewrite andb_true_iff in H. destruct H as [[[_ Hs] Hr] H].
  destruct (le_lt_dec (length M) i) as [Li|Li].
  - rewrite (of_sum_outside _ _ _ _ Hs (or_introl Li)), (nth_overflow M []) by exact Li. destruct j; reflexivity.
  - destruct (le_lt_dec (length M) j) as [Lj|Lj].
    + rewrite (of_sum_outside _ _ _ _ Hs (or_intror Lj)). rewrite forallb_forall in Hr. specialize (Hr _ (nth_In M [] Li)).
      apply Nat.leb_le in Hr. rewrite (nth_overflow (nth i M []) []) by lia. reflexivity.
    + rewrite forallb_forall in H. specialize (H i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l i) Li))).
      rewrite forallb_forall in H. specialize (H j (proj2 (in_seq _ _ _) (conj (Nat.le_0_l j) Lj))). apply Z.eqb_eq. exact H. Qed.
Lemma are_sums_in : forall one w l l' M, are_sums one w l l' = true -> In M l -> exists s, is_sum one w M s = true.
Proof. intros one w l. induction l as [|M' l IH]; intros [|s l'] M H I; simpl in *; try contradiction; [discriminate|].
  apply andb_true_iff in H. destruct H as [H H']. destruct I as [->|I]; [exists s; exact H | exact (IH l' M H' I)]. Qed.
Lemma value_of_form : forall one w t, value_at (IZR one / IZR (scale w)) (value_of w) (product_of w) t = IZR (of_form one w t) / IZR (scale w).
Proof. intros one w. induction t as [|[c k] t IH]; unfold value_at in *; simpl; [unfold Rdiv; ring|]. rewrite IH, plus_IZR, mult_IZR. destruct k; unfold value_of, product_of, Rdiv; ring. Qed.
Lemma feasible_holds : forall one w p, feasible one w p = true ->
  0 < IZR (scale w) /\ semidefinite (product_of w) /\ holds (IZR one / IZR (scale w)) (value_of w) (product_of w) p.
Proof. intros one w p H. unfold feasible in H. repeat rewrite andb_true_iff in H. destruct H as [[[[HN Hg] Hi] He] Hm]. apply Z.ltb_lt, IZR_lt in HN.
  rewrite forallb_forall in Hi, He. split; [exact HN|]. split; [exact (semidefinite_sum _ _ HN Hg)|]. split; [|split].
  - intros t I. rewrite value_of_form. specialize (Hi t I). apply Z.leb_le, IZR_le in Hi. apply Rmult_le_pos; [exact Hi | left; apply Rinv_0_lt_compat; exact HN].
  - intros t I. rewrite value_of_form. specialize (He t I). apply Z.eqb_eq in He. rewrite He. unfold Rdiv. ring.
  - intros M I. destruct (are_sums_in _ _ _ _ _ Hm I) as [s Hs]. apply semidefinite_ext with (fun i j => IZR (of_sum s i j) / IZR (scale w)).
    + intros i j. rewrite value_of_form, (is_sum_all _ _ _ _ Hs). reflexivity.
    + apply (semidefinite_sum _ s HN). unfold is_sum in Hs. repeat rewrite andb_true_iff in Hs. apply Hs. Qed.
Lemma at_point : forall w p, feasible (scale w) w p = true -> 0 < IZR (scale w) /\ semidefinite (product_of w) /\ holds 1 (value_of w) (product_of w) p.
Proof. intros w p H. apply feasible_holds in H as [HN [psd H]]. unfold Rdiv in H at 1. rewrite Rinv_r in H by lra. exact (conj HN (conj psd H)). Qed.

Theorem pep_attained : forall p low w, attains p low w = true -> attained p low.
Proof. intros p [a q] w H. apply andb_true_iff in H as [H Hl]. apply at_point in H as [HN [psd H]].
  exists (product_of w), (value_of w). split; [exact psd|]. split; [exact H|]. unfold value_of. simpl in *. apply Z.leb_le, IZR_le in Hl. rewrite !mult_IZR in Hl.
  assert (Hq : 0 < IZR (Zpos q)) by (apply IZR_lt; reflexivity).
  apply Rmult_le_reg_r with (IZR (Zpos q) * IZR (scale w)); [nra|]. field_simplify; [nra | lra | lra]. Qed.

Theorem pep_unbounded : forall p w r, grows p w r = true -> unbounded p.
Proof. intros p w r H B. unfold grows in H. rewrite !andb_true_iff in H. destruct H as [[Hw Hr] Hm]. apply Z.ltb_lt, IZR_lt in Hm.
  apply at_point in Hw as [HN [psd [i [e m]]]]. apply feasible_holds in Hr as [HN' [psd' [i' [e' m']]]].
  set (f0 := value_of w (metric p)). set (f1 := value_of r (metric p)).
  assert (Hf : 0 < f1) by (apply Rdiv_lt_0_compat; assumption). set (l := (Rabs (B - f0) + 1) / f1).
  assert (Hl : 0 < l) by (apply Rdiv_lt_0_compat; [pose proof (Rabs_pos (B - f0)); lra | exact Hf]).
  set (g := fun i j => product_of w i j + l * product_of r i j). set (f := fun k => value_of w k + l * value_of r k). exists g, f.
  assert (E : forall t, value f g t
    = value_at 1 (value_of w) (product_of w) t + l * value_at (IZR 0 / IZR (scale r)) (value_of r) (product_of r) t).
  { intros t. unfold value, value_at, f, g. rewrite <- total_scale, <- total_plus. f_equal. apply map_ext. intros [c [|k|a b]]; simpl; unfold Rdiv; ring. }
  split; [unfold g; apply semidefinite_add; [lra | exact psd | exact psd']|]. split; [split; [|split]|].
  - intros t I. rewrite E. specialize (i t I). specialize (i' t I). nra.
  - intros t I. rewrite E, (e t I), (e' t I). ring.
  - intros M I. eapply semidefinite_ext; [intros a b; apply E|]. apply semidefinite_add; [lra | exact (m M I) | exact (m' M I)].
  - change (B < f0 + l * f1). assert (l * f1 = Rabs (B - f0) + 1) by (unfold l; field; lra). pose proof (Rle_abs (B - f0)). lra. Qed.

(* 1 - |p|^2 as a matrix, F <= <p, q>, |q|^2 = |p|^2: F = 1 is attained. Without the matrix F has no bound. *)
Open Scope Z_scope.
Definition the_point (F : Z) (c : Z) (m : list sums) := {| scale := 1; values := [F]; gram := [(c, [1; 1])]; at_matrices := m |}.
Definition endless : pep := {| metric := metric example; inequalities := inequalities example; equalities := equalities example; matrices := [] |}.
Example one_is_attained : attains example (1, 1%positive) (the_point 1 1 [[]]) = true. Proof. reflexivity. Qed.
Example more_is_not_attained : attains example (1000000001, 1000000000%positive) (the_point 1 1 [[]]) = false. Proof. reflexivity. Qed.
Example a_false_fact_is_refused : attains example (1, 1%positive) (the_point 2 1 [[]]) = false. Proof. reflexivity. Qed.
Example a_missing_matrix_is_refused : attains example (1, 1%positive) (the_point 1 1 []) = false. Proof. reflexivity. Qed.
Example a_negative_matrix_is_refused : attains example (1, 1%positive) (the_point 2 2 [[(-1, [1])]]) = false. Proof. reflexivity. Qed.
Example it_is_unbounded : grows endless (the_point 0 0 []) (the_point 1 1 []) = true. Proof. reflexivity. Qed.
Example a_negative_gram_is_refused : grows endless (the_point 0 0 []) {| scale := 1; values := [1]; gram := [(2, [1; 1]); (-1, [1; 1])]; at_matrices := [] |} = false. Proof. reflexivity. Qed.
Example the_ball_stops_the_direction : grows example (the_point 0 0 [[(1, [1])]]) (the_point 1 1 [[]]) = false. Proof. reflexivity. Qed.
Example a_flat_direction_is_refused : grows endless (the_point 0 0 []) (the_point 0 1 []) = false. Proof. reflexivity. Qed.
