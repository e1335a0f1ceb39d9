(* AdaSPDC as it is published need not stay bounded in mean square: two orthogonal rows of norm 10 and 1, squared loss, targets 0,
   lam = 1/2, gamma = 1.  The form w^2 + w_bar^2 + 11 a^2 - 2 w a + 4 w_bar a of the first coordinate grows by 1/100 a step. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Main Losses Sdca Spdc SpdcRate SpdcLimits.
Open Scope R_scope.

Definition two_rows (i j : nat) : R := match i, j with O, O => 10 | 1%nat, 1%nat => 1 | _, _ => 0 end.
Definition row_norm (i : nat) : R := match i with O => 10 | _ => 1 end.
(* sigma = tau = 1/(2r), theta = 1 - 1/(2 + 2r). *)
Definition ada_two_step (s : ada_state) (k : nat) : ada_state :=
  let r := row_norm k in let a := ad_alpha s k in
  let b := squared_prox 1 0 (1 / (2 * r)) a (dot 2 (two_rows k) (ad_bar s)) in
  let w := fun j => (ad_w s j - 1 / (2 * r) * (mean_row 2 two_rows (ad_alpha s) j + (b - a) * two_rows k j)) / (1 + 1 / 2 * (1 / (2 * r))) in
  ada (upd (ad_alpha s) k b) w (fun j => w j + (1 - 1 / (2 + 2 * r)) * (w j - ad_w s j)).
Definition ada_form (s : ada_state) : R :=
  let w := ad_w s 0%nat in let v := ad_bar s 0%nat in let a := ad_alpha s 0%nat in w ^ 2 + v ^ 2 + 11 * a ^ 2 - 2 * w * a + 4 * v * a.
Definition ada_two_distance (s : ada_state) : R := norm2 2 (fun j => ad_w s j - 0) + norm2 2 (fun i => ad_alpha s i - 0).

Lemma root : sqrt (2 / (1 / 2 * 1)) = 2.
Proof. replace (2 / (1 / 2 * 1)) with (2 * 2) by field. apply sqrt_square. lra. Qed.
Lemma ada_c_one : ada_c 2 1 (1 / 2) = 1.
Proof. unfold ada_c. replace (INR 2 * (1 / 2) / 1) with 1 by (simpl; field). apply sqrt_1. Qed.
Lemma row_norm_value : forall k, (k < 2)%nat -> sqrt (norm2 2 (two_rows k)) = row_norm k.
Proof.
  intros k Hk. destruct k as [|[|k]]; [| | lia]; unfold norm2, dot, two_rows, row_norm, bsum.
  - replace (0 + 10 * 10 + 0 * 0) with (10 * 10) by ring. apply sqrt_square. lra.
  - replace (0 + 0 * 0 + 1 * 1) with 1 by ring. apply sqrt_1.
Qed.

Lemma ada_two_rule : forall s k, (k < 2)%nat ->
  ada_follows 2 2 two_rows (fun _ => squared 1 0) (fun _ => squared_conj 1 0) (l2 2 (1 / 2)) 1 (1 / 2) s k (ada_two_step s k).
Proof.
  intros s k Hk. unfold ada_follows. rewrite (row_norm_value k Hk), ada_c_one.
  assert (Hr : 0 < row_norm k) by (unfold row_norm; destruct k; lra). set (r := row_norm k) in *.
  assert (Hpos : 0 < 1 / (2 * r)) by (apply Rdiv_lt_0_compat; lra).
  replace (1 / (2 * r * 1)) with (1 / (2 * r)) by (field; lra).
  change (INR 2) with 2. rewrite root.
  (* (9) and (11) are steps of SPDC: from the state (alpha, w, w_bar) with theta = -1 the extrapolated point is w_bar *)
  destruct (spdc_squared_rule 2 2 two_rows (fun _ => 0) 1 (1 / 2) (1 / (2 * r)) (1 / (2 * r)) (-1) ltac:(lra) ltac:(lra) Hpos Hpos
    (spdc (ad_alpha s) (ad_w s) (ad_bar s)) k (fun i Hi => squared_domain 1 0 _ ltac:(lra)) Hk) as (_ & _ & Hb & Hmax & Hmin).
  unfold spdc_l2_step in Hb, Hmax, Hmin. cbn [sp_alpha sp_w sp_before] in Hb, Hmax, Hmin. rewrite upd_same in Hb, Hmax, Hmin.
  rewrite (dot_ext 2 (two_rows k) (two_rows k) _ (ad_bar s)) in Hb, Hmax, Hmin
    by (intros; try reflexivity; unfold sp_bar; cbn [sp_w sp_before]; ring).
  unfold ada_two_step. cbn [ad_alpha ad_w ad_bar]. fold r. rewrite upd_same.
  split; [reflexivity|]. split; [exact Hb|]. split; [exact Hmax|]. split; [exact Hmin|].
  intros j. field. lra.
Qed.

(* The first coordinate depends on nothing else: (w, w_bar, a) goes to one of two linear images. *)
Lemma ada_two_first : forall s, let w := ad_w s 0%nat in let v := ad_bar s 0%nat in let a := ad_alpha s 0%nat in
  let s1 := ada_two_step s 0 in let s2 := ada_two_step s 1 in
  ad_w s1 0%nat = 40 / 41 * w - 200 / 861 * v - 190 / 861 * a /\ ad_bar s1 0%nat = 859 / 902 * w - 4300 / 9471 * v - 4085 / 9471 * a /\
  ad_alpha s1 0%nat = 10 / 21 * v + 20 / 21 * a /\
  ad_w s2 0%nat = 4 / 5 * w - 2 * a /\ ad_bar s2 0%nat = 13 / 20 * w - 7 / 2 * a /\ ad_alpha s2 0%nat = a.
Proof.
  intros s w v a s1 s2. subst s1 s2 w v a. unfold ada_two_step, squared_prox, mean_row, avg, dot, two_rows, row_norm, upd. cbn [ad_alpha ad_w ad_bar bsum].
  destruct (Nat.eq_dec 0 0) as [_|]; [|lia]. destruct (Nat.eq_dec 0 1); [lia|]. simpl INR. repeat split; field.
Qed.

Lemma ada_two_grows : forall s, 101 / 100 * ada_form s <= avg 2 (fun i => ada_form (ada_two_step s i)).
Proof.
  intros s. unfold avg. cbn [bsum]. simpl INR. destruct (ada_two_first s) as (E1 & E2 & E3 & E4 & E5 & E6).
  unfold ada_form. rewrite E1, E2, E3, E4, E5, E6.
  set (w := ad_w s 0%nat). set (v := ad_bar s 0%nat). set (a := ad_alpha s 0%nat). clearbody w v a.
  pose proof (pow2_ge_0 (w + (-370064000 / 1539835857) * v + (-1873001182 / 1539835857) * a)) as H1. pose proof (pow2_ge_0 (v + (-27441396394 / 62731282303) * a)) as H2. pose proof (pow2_ge_0 a) as H3.
  lra.
Qed.

Lemma ada_two_bound : forall s i, ada_form (ada_two_step s i) <= 60 * (ada_two_distance (ada_two_step s i) + ada_two_distance s).
Proof.
  intros s i. unfold ada_two_distance, norm2, dot. cbn [bsum]. unfold ada_form. set (s' := ada_two_step s i).
  assert (E : exists q, 0 <= q <= 1 /\ ad_bar s' 0%nat = ad_w s' 0%nat + q * (ad_w s' 0%nat - ad_w s 0%nat)).
  { unfold s', ada_two_step. cbn [ad_w ad_bar]. exists (1 - 1 / (2 + 2 * row_norm i)). split; [unfold row_norm; destruct i; lra | reflexivity]. }
  destruct E as (q & Hq & ->). set (w := ad_w s' 0%nat). set (u := ad_w s 0%nat). set (a := ad_alpha s' 0%nat).
  pose proof (pow2_ge_0 (ad_w s' 1%nat)). pose proof (pow2_ge_0 (ad_w s 1%nat)). pose proof (pow2_ge_0 (ad_alpha s' 1%nat)).
  pose proof (pow2_ge_0 (ad_alpha s 1%nat)). pose proof (pow2_ge_0 (ad_alpha s 0%nat)).
  assert (w ^ 2 + (w + q * (w - u)) ^ 2 + 11 * a ^ 2 - 2 * w * a + 4 * (w + q * (w - u)) * a <= 60 * (w ^ 2 + a ^ 2 + u ^ 2)).
  { assert (Hw : (1 + q) ^ 2 * w ^ 2 <= 4 * w ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0 | nra]).
    assert (Hu : q ^ 2 * u ^ 2 <= 1 * u ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0 | nra]).
    set (v := w + q * (w - u)). assert (Hv : v ^ 2 + (w + q * w + q * u) ^ 2 = 2 * ((1 + q) ^ 2 * w ^ 2 + q ^ 2 * u ^ 2)) by (unfold v; ring).
    pose proof (pow2_ge_0 (w + q * w + q * u)). pose proof (pow2_ge_0 w). pose proof (pow2_ge_0 u). pose proof (pow2_ge_0 a). clearbody v.
    pose proof (pow2_ge_0 (w + a)). pose proof (pow2_ge_0 (v - a)). lra. }
  lra.
Qed.

Theorem adaspdc_diverges : ~ ada_stays_bounded.
Proof.
  intros H. set (zero := fun _ : nat => 0).
  destruct (H 2%nat 2%nat two_rows (fun _ => squared 1 0) (fun _ => squared_deriv 1 0) (fun _ => squared_conj 1 0) (l2 2 (1 / 2)) 1 (1 / 2) zero zero
    ada_two_step (fun i => match i with O => 1 | _ => 0 end) zero) as [C HC]; try lia; try lra.
  - intros. apply squared_smooth. lra.
  - intros. apply squared_conjugate. lra.
  - apply l2_strong.
  - intros i Hi. destruct i as [|[|i]]; [| | lia]; unfold norm2, dot, two_rows; cbn [bsum]; lra.
  - apply spdc_saddle_point with (dphi := fun _ => squared_deriv 1 0) (gamma := 1); try lra.
    + intros. apply squared_smooth. lra.
    + intros. apply squared_conjugate. lra.
    + intros i _. unfold squared_deriv, zero, dot. cbn [bsum]. field.
    + intros j _. unfold mean_row, avg, zero. cbn [bsum]. simpl INR. field.
  - intros s k _ Hk. apply ada_two_rule, Hk.
  - intros i _. apply squared_domain. lra.
  - apply (no_smaller_rate 2 ada_two_step ada_form ada_two_distance (101 / 100) 1 60 (ada (fun i => match i with O => 1 | _ => 0 end) zero zero));
      try lia; try lra; [exact ada_two_grows | exact ada_two_bound | unfold ada_form, zero; cbn [ad_alpha ad_w ad_bar]; lra |].
    exists C. intros t. rewrite pow1, Rmult_1_r. apply HC.
Qed.
