(* The checker of certificate files, to be extracted. It computes with dyadic numbers m 2^e alone. It rounds nothing, except that it replaces e^x by an
   upper bound for the logistic loss (Dyadic.v).

   A file has rows (s_i, y_i, alpha_i, x_i), w, an intercept or none, a loss, lam, lam1 and a rational bound p/q. `accepts` says that

       q [2 lam S sum_i s_i sigma (phi_i(z_i) + phi_i*(alpha_i)) + sigma (lam^2 S^2 ||w||^2 + 2 lam lam1 S^2 ||w||_1 + sum_j soft(U_j, S lam1)^2)]
           <= 2 lam sigma S^2 p,        z_i = x_i^T w + b,   U = sum_i s_i alpha_i x_i,   S = sum_i s_i,

   which is P(w, b) - D(alpha) <= p/q without a division; sigma clears the denominators of the loss. `accepted` proves that then
   P(w, b) - P(v, c) <= p/q for all v and c. For the logistic loss upper bounds take the place of phi_i(z_i) and phi_i*(alpha_i). A free intercept needs sum_i s_i alpha_i = 0; without one b = c = 0. *)
From Coq Require Import Reals Lra Psatz ZArith List Bool FMapPositive.
From Dualgap Require Import Definitions Losses Logistic ComputedHinge Dyadic.
Import ListNotations.
Open Scope R_scope.

(* ---- Losses. sigma phi, sigma phi*, the domain of phi* and the labels. ---- *)
Inductive loss := Squared (gamma : dyadic) | SmoothedHinge (gamma : dyadic) | SquaredHinge | Hinge | Absolute | Logistic.
Definition phi (l : loss) (y : R) : R -> R := match l with
  Squared g => squared (val g) y | SmoothedHinge g => smoothed_hinge (val g) y | SquaredHinge => squared_hinge y
  | Hinge => hinge y | Absolute => absolute_loss y | Logistic => logistic y end.
Definition sigma (l : loss) : dyadic := match l with
  Squared g | SmoothedHinge g => dmul (dint 2) g | SquaredHinge => dint 4 | Hinge | Absolute | Logistic => dint 1 end.
(* log is what the file guesses for ln (1 + e^-yz), log0 and log1 for ln (-ya) and ln (1 + ya). Every guess makes an upper bound. *)
Definition value (l : loss) (log y z : dyadic) : dyadic :=
  let rest := dsub (dint 1) (dmul y z) in match l with
  Squared _ => dsquare (dsub z y)
  | SmoothedHinge g => if dle rest (dint 0) then dint 0 else
      if dle g rest then dsub (dmul (dmul (dint 2) g) rest) (dsquare g) else dsquare rest
  | SquaredHinge => if dle rest (dint 0) then dint 0 else dmul (dint 4) (dsquare rest)
  | Hinge => if dle rest (dint 0) then dint 0 else rest
  | Absolute => dabs (dsub z y) | Logistic => softplus (dmul y z) log end.
Definition conj (l : loss) (log0 log1 y a : dyadic) : dyadic := let ya := dmul y a in match l with
  Squared g | SmoothedHinge g => dadd (dmul (dmul (dint 2) g) ya) (dsquare (dmul g a))
  | SquaredHinge => dadd (dmul (dint 4) ya) (dsquare a) | Hinge | Absolute => ya
  | Logistic => dadd (plogp (dopp ya) log0) (plogp (dadd (dint 1) ya) log1) end.
Definition label (y : dyadic) : bool := dle (dint 1) (dsquare y) && dle (dsquare y) (dint 1).
Definition inside (l : loss) (y a : dyadic) : bool := let ya := dmul y a in match l with
  Squared g => negb (dle g (dint 0))
  | SmoothedHinge g => negb (dle g (dint 0)) && label y && dle (dint (-1)) ya && dle ya (dint 0)
  | SquaredHinge => label y && dle ya (dint 0)
  | Hinge | Logistic => label y && dle (dint (-1)) ya && dle ya (dint 0)
  | Absolute => dle (dint (-1)) a && dle a (dint 1) end.

(* ---- Problems. ---- *)
Record row := { weight : dyadic; target : dyadic; alpha : dyadic; log : dyadic; log0 : dyadic; log1 : dyadic; entries : list (positive * dyadic) }.
Definition columns (d : nat) : list positive := map Pos.of_nat (seq 1 d).
Definition total {A : Type} (f : A -> R) (l : list A) : R := fold_right (fun x r => f x + r) 0 l.
Definition product (x : list (positive * dyadic)) (v : positive -> R) : R := total (fun e => val (snd e) * v (fst e)) x.
Definition mass (rows : list row) : R := total (fun r => val (weight r)) rows.
(* P(v, c), with columns 1 to d. *)
Definition P (l : loss) (lam lam1 : dyadic) (d : nat) (rows : list row) (v : positive -> R) (c : R) : R :=
  total (fun r => val (weight r) * phi l (val (target r)) (product (entries r) v + c)) rows / mass rows
  + total (fun j => val lam / 2 * v j ^ 2 + val lam1 * Rabs (v j)) (columns d).

(* ---- The checker. ---- *)
Definition dtotal {A : Type} (f : A -> dyadic) (l : list A) : dyadic := fold_left (fun r x => dadd r (f x)) l (dint 0).
Definition get (m : PositiveMap.t dyadic) (j : positive) : dyadic :=
  match PositiveMap.find j m with Some x => x | None => dint 0 end.
Definition put (f : dyadic) (m : PositiveMap.t dyadic) (e : positive * dyadic) : PositiveMap.t dyadic :=
  PositiveMap.add (fst e) (dadd (get m (fst e)) (dmul f (snd e))) m.
Definition put_row (m : PositiveMap.t dyadic) (r : row) : PositiveMap.t dyadic :=
  fold_left (put (dmul (weight r) (alpha r))) (entries r) m.
Definition dsoft (t u : dyadic) : dyadic :=
  if dle u t then if dle (dopp t) u then dint 0 else dadd u t else dsub u t.
Definition pos (x : dyadic) : bool := negb (dle x (dint 0)).
Definition zero (x : dyadic) : bool := dle x (dint 0) && dle (dint 0) x.

Definition accepts (l : loss) (lam lam1 : dyadic) (d : nat) (rows : list row) (w : positive -> dyadic) (intercept : option dyadic)
    (p q : Z) : bool :=
  let b := match intercept with Some b => b | None => dint 0 end in
  let last := Pos.of_nat d in
  let s := dtotal weight rows in
  let u := fold_left put_row rows (PositiveMap.empty dyadic) in
  let residuals := dtotal (fun r =>
    let z := dadd (dtotal (fun e => dmul (snd e) (w (fst e))) (entries r)) b in
    dmul (weight r) (dadd (value l (log r) (target r) z) (conj l (log0 r) (log1 r) (target r) (alpha r)))) rows in
  let ls := dmul lam s in let t := dmul s lam1 in
  let norms := dtotal (fun j => dadd (dadd (dsquare (dmul ls (w j))) (dmul (dmul (dint 2) (dmul ls t)) (dabs (w j))))
    (dsquare (dsoft t (get u j)))) (columns d) in
  let left := dadd (dmul (dmul (dint 2) ls) residuals) (dmul (sigma l) norms) in
  let right := dmul (dmul (dint 2) (sigma l)) (dmul ls s) in
  pos lam && dle (dint 0) lam1 && pos s && Z.ltb 0 q && negb (Nat.eqb d 0) &&
  forallb (fun r => dle (dint 0) (weight r) && inside l (target r) (alpha r)
    && forallb (fun e => Pos.leb (fst e) last) (entries r)) rows &&
  (match intercept with Some _ => zero (dtotal (fun r => dmul (weight r) (alpha r)) rows) | None => true end) &&
  dle (dmul (dint q) left) (dmul (dint p) right).

(* ---- Losses. ---- *)
Lemma label_real : forall y, label y = true -> is_label (val y).
Proof. intros y H. unfold label in H. decide_le. unfold is_label. assert (val y = 1 \/ val y = -1) by nra. tauto. Qed.

Lemma sigma_pos : forall l y a, inside l y a = true -> 0 < val (sigma l).
Proof. intros l y a H. destruct l; simpl in *; decide_le; lra. Qed.

Lemma value_real : forall l u y a z, inside l y a = true -> val (sigma l) * phi l (val y) (val z) <= val (value l u y z).
Proof.
  intros l u y a z H. destruct l; cbn [sigma phi value inside] in *.
  6:{ rewrite val_int, Rmult_1_l. unfold logistic. rewrite <- val_mul. apply softplus_real. }
  all: apply Req_le, eq_sym; simpl in *; decide_le;
    unfold squared, smoothed_hinge, squared_hinge, hinge, absolute_loss, Rmax;
    repeat match goal with |- context [Rle_dec ?u ?v] => destruct (Rle_dec u v) end; vals; try lra; try (field; lra); try nra.
Qed.

Lemma fenchel : forall l v0 v1 y a t, inside l y a = true -> val a * t - phi l (val y) t <= val (conj l v0 v1 y a) / val (sigma l).
Proof.
  intros l v0 v1 y a t H. destruct l; cbn [conj sigma phi inside] in *; decide_le.
  - destruct (squared_is_lub (val gamma) (val y) (val a)) as [U _]; [lra|].
    replace (_ / _) with (squared_conj (val gamma) (val y) (val a)) by (unfold squared_conj; field; lra). apply U. exists t. reflexivity.
  - match goal with L : label y = true |- _ => apply label_real in L; rename L into Hy end.
    destruct (smoothed_hinge_is_lub (val gamma) (val y) ltac:(lra) Hy (val a)) as [U _]; [lra|].
    replace (_ / _) with (smoothed_hinge_conj (val gamma) (val y) (val a)) by (unfold smoothed_hinge_conj; field; lra). apply U. exists t. reflexivity.
  - match goal with L : label y = true |- _ => apply label_real in L; rename L into Hy end.
    destruct (squared_hinge_is_lub (val y) Hy (val a)) as [U _]; [lra|].
    replace (_ / _) with (squared_hinge_conj (val y) (val a)) by (unfold squared_hinge_conj; field; lra). apply U. exists t. reflexivity.
  - match goal with L : label y = true |- _ => apply label_real in L; rename L into Hy end.
    destruct (hinge_conjugate (val y) Hy (val a)) as [U _]; [apply hinge_domain; [exact Hy | lra]|].
    replace (_ / _) with (hinge_conj (val y) (val a)) by (unfold hinge_conj; field; lra). apply U. exists t. reflexivity.
  - destruct (absolute_conjugate (val y) (val a)) as [U _]; [apply absolute_domain; lra|].
    replace (_ / _) with (absolute_loss_conj (val y) (val a)) by (unfold absolute_loss_conj; field; lra). apply U. exists t. reflexivity.
  - match goal with L : label y = true |- _ => apply label_real in L; rename L into Hy end.
    destruct (logistic_is_lub (val y) Hy (val a)) as [U _]; [lra|].
    assert (E := U (val a * t - logistic (val y) t) ltac:(exists t; reflexivity)). unfold logistic_conj in E.
    pose proof (plogp_real (dopp (dmul y a)) v0) as E0. pose proof (plogp_real (dadd (dint 1) (dmul y a)) v1) as E1. vals.
    specialize (E0 ltac:(lra)). specialize (E1 ltac:(lra)). replace (1 - - (val y * val a)) with (1 + val y * val a) in E by ring. lra.
Qed.

(* ---- Sums. ---- *)
Lemma dtotal_real : forall A (f : A -> dyadic) l, val (dtotal f l) = total (fun x => val (f x)) l.
Proof.
  intros A f l. unfold dtotal. replace (total _ l) with (val (dint 0) + total (fun x => val (f x)) l) by (rewrite val_int; ring).
  generalize (dint 0). induction l as [|x l IH]; intros s; simpl; [ring|]. rewrite IH, val_add. ring.
Qed.
Lemma total_le : forall A (f g : A -> R) l, (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  intros A f g l. induction l as [|x l IH]; intros H; simpl; [lra|].
  pose proof (H x (or_introl eq_refl)). pose proof (IH (fun y Hy => H y (or_intror Hy))). lra.
Qed.
Lemma total_ext : forall A (f g : A -> R) l, (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof. intros A f g l H. apply Rle_antisym; apply total_le; intros x Hx; rewrite (H x Hx); lra. Qed.
Lemma total_plus : forall A (f g : A -> R) l, total (fun x => f x + g x) l = total f l + total g l.
Proof. intros. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma total_scale : forall A (f : A -> R) c l, total (fun x => c * f x) l = c * total f l.
Proof. intros. induction l; simpl; [ring | rewrite IHl; ring]. Qed.

(* ---- U v = sum_i s_i alpha_i x_i^T v. ---- *)
Lemma get_put : forall f m e j, val (get (put f m e) j) = val (get m j) + (if Pos.eq_dec j (fst e) then val f * val (snd e) else 0).
Proof.
  intros. unfold get at 1, put. destruct (Pos.eq_dec j (fst e)) as [->|N].
  - rewrite PositiveMap.gss, val_add, val_mul. ring.
  - rewrite PositiveMap.gso by exact N. fold (get m j). ring.
Qed.
Lemma total_one : forall (l : list positive) k c (v : positive -> R), NoDup l -> In k l ->
  total (fun j => (if Pos.eq_dec j k then c else 0) * v j) l = c * v k.
Proof.
  intros l k c v. induction l as [|x l IH]; intros D I; [contradiction|]. simpl. inversion D as [|? ? Nx Dl]. subst.
  destruct (Pos.eq_dec x k) as [->|N].
  - rewrite (total_ext _ _ (fun _ => 0 * 0) l); [rewrite total_scale; ring|]. intros y Hy. destruct (Pos.eq_dec y k); [subst; contradiction | ring].
  - destruct I as [->|I]; [contradiction|]. rewrite (IH Dl I). ring.
Qed.
Definition weighed (cols : list positive) (m : PositiveMap.t dyadic) (v : positive -> R) : R := total (fun j => val (get m j) * v j) cols.
Lemma weighed_put : forall cols f m e v, NoDup cols -> In (fst e) cols ->
  weighed cols (put f m e) v = weighed cols m v + val f * (val (snd e) * v (fst e)).
Proof.
  intros. unfold weighed. rewrite (total_ext _ _ (fun j => val (get m j) * v j + (if Pos.eq_dec j (fst e) then val f * val (snd e) else 0) * v j)).
  - rewrite total_plus, total_one by assumption. ring.
  - intros j _. rewrite get_put. ring.
Qed.
Lemma weighed_row : forall cols r m v, NoDup cols -> (forall e, In e (entries r) -> In (fst e) cols) ->
  weighed cols (put_row m r) v = weighed cols m v + val (weight r) * val (alpha r) * product (entries r) v.
Proof.
  intros cols r m v D. unfold put_row, product. rewrite <- val_mul. generalize (dmul (weight r) (alpha r)). intros f.
  revert m. induction (entries r) as [|e l IH]; intros m H; simpl; [ring|].
  rewrite IH by (intros e' He'; apply H; right; exact He'). rewrite weighed_put by (exact D || (apply H; left; reflexivity)). ring.
Qed.
Lemma weighed_rows : forall cols rows m v, NoDup cols -> (forall r e, In r rows -> In e (entries r) -> In (fst e) cols) ->
  weighed cols (fold_left put_row rows m) v = weighed cols m v + total (fun r => val (weight r) * val (alpha r) * product (entries r) v) rows.
Proof.
  intros cols rows m v D. revert m. induction rows as [|r rows IH]; intros m H; simpl; [ring|].
  rewrite IH by (intros r' e Hr; apply H; right; exact Hr). rewrite weighed_row by (exact D || (intros e; apply H; left; reflexivity)). ring.
Qed.
Lemma columns_distinct : forall d, NoDup (columns d).
Proof.
  intros d. unfold columns. assert (H : forall k, k <> O -> NoDup (map Pos.of_nat (seq k d))); [|apply H; discriminate].
  induction d as [|d IH]; intros k Hk; simpl; constructor; [|apply IH; discriminate].
  intros I. apply in_map_iff in I. destruct I as [m [E I]]. apply in_seq in I. apply Nat2Pos.inj in E; lia.
Qed.
Lemma columns_all : forall d j, d <> O -> Pos.leb j (Pos.of_nat d) = true -> In j (columns d).
Proof.
  intros d j Hd H. apply Pos.leb_le, Pos2Nat.inj_le in H. rewrite Nat2Pos.id in H by exact Hd.
  apply in_map_iff. exists (Pos.to_nat j). split; [apply Pos2Nat.id|]. apply in_seq. pose proof (Pos2Nat.is_pos j). lia.
Qed.

(* ---- The regularizer: lam S v (lam S v) and so on, one coordinate. ---- *)
Lemma soft_rest : forall t u v, 0 <= val t -> (val (dsoft t u) - val u) * v <= val t * Rabs v.
Proof. intros t u v Ht. unfold dsoft. decide_le; unfold Rabs; destruct (Rcase_abs v); nra. Qed.
Lemma coordinate_low : forall ls t u v, 0 <= val t -> 0 <= ls ->
  0 <= ls ^ 2 * v ^ 2 + 2 * ls * (val t * Rabs v) + 2 * ls * (val u * v) + val (dsoft t u) ^ 2.
Proof.
  intros ls t u v Ht Hl. pose proof (soft_rest t u v Ht) as H. set (r := val (dsoft t u)) in *.
  pose proof (pow2_ge_0 (ls * v + r)). pose proof (Rmult_le_compat_l (2 * ls) _ _ ltac:(lra) H). nra.
Qed.

(* ---- What a checked file proves. ---- *)
Definition start (intercept : option dyadic) : R := match intercept with Some b => val b | None => 0 end.

Theorem accepted : forall l lam lam1 d rows w intercept p q, accepts l lam lam1 d rows w intercept p q = true ->
  forall (v : positive -> R) (c : R), (intercept = None -> c = 0) ->
  P l lam lam1 d rows (fun j => val (w j)) (start intercept) - P l lam lam1 d rows v c <= IZR p / IZR q.
Proof.
  intros l lam lam1 d rows w intercept p q A v c Hc. unfold accepts in A.
  set (u := fold_left put_row rows (PositiveMap.empty dyadic)) in A.
  set (b := match intercept with Some b => b | None => dint 0 end) in A.
  assert (Hb : start intercept = val b) by (destruct intercept; [reflexivity | unfold b; rewrite val_int; reflexivity]).
  rewrite Hb. clear Hb. unfold pos in A.
  repeat match type of A with _ && _ = true => apply andb_true_iff in A; let B := fresh "B" in destruct A as [A B] end.
  rename B into check, B0 into balanced, B1 into Hrows, B2 into Hd, B3 into Hq, B4 into Hs, B5 into Hl1.
  rewrite forallb_forall in Hrows. apply negb_true_iff, Nat.eqb_neq in Hd. apply Z.ltb_lt, IZR_lt in Hq.
  apply negb_true_iff in A, Hs. apply dle_false in A, Hs. apply dle_true in Hl1, check. vals.
  rewrite !dtotal_real in *. fold (mass rows) in *. set (S := mass rows) in *. set (L := val lam) in *. set (L1 := val lam1) in *.
  assert (Hin : forall r, In r rows -> 0 <= val (weight r) /\ inside l (target r) (alpha r) = true /\ forall e, In e (entries r) -> In (fst e) (columns d)).
  { intros r Hr. specialize (Hrows r Hr). apply andb_true_iff in Hrows. destruct Hrows as [Hw He].
    apply andb_true_iff in Hw. destruct Hw as [Hw Hi]. apply dle_true in Hw. rewrite val_int in Hw.
    split; [exact Hw|]. split; [exact Hi|]. rewrite forallb_forall in He. intros e I. apply columns_all; [exact Hd | exact (He e I)]. }
  assert (Hsig : 0 < val (sigma l)).
  { destruct rows as [|r rest]; [exfalso; unfold S, mass in Hs; simpl in Hs; lra|].
    destruct (Hin r (or_introl eq_refl)) as [_ [Hi _]]. exact (sigma_pos _ _ _ Hi). }
  set (sig := val (sigma l)) in *.
  set (C := total (fun r => val (weight r) * val (conj l (log0 r) (log1 r) (target r) (alpha r))) rows).
  set (Q := total (fun j => val (dsoft (dmul (dtotal weight rows) lam1) (get u j)) ^ 2) (columns d)).
  set (F := fun (x : positive -> R) (e : R) => total (fun r => val (weight r) * phi l (val (target r)) (product (entries r) x + e)) rows).
  set (N2 := fun x : positive -> R => total (fun j => x j ^ 2) (columns d)).
  set (N1 := fun x : positive -> R => total (fun j => Rabs (x j)) (columns d)).
  assert (EP : forall x e, P l lam lam1 d rows x e = F x e / S + (L / 2 * N2 x + L1 * N1 x)).
  { intros x e. unfold P, N2, N1. rewrite <- !total_scale, <- total_plus. reflexivity. }
  (* The lower bound D(alpha). *)
  assert (low : weighed (columns d) u v + c * total (fun r => val (weight r) * val (alpha r)) rows - C / sig <= F v c).
  { unfold u. rewrite weighed_rows by (exact (columns_distinct d) || (intros r e Hr; apply Hin; exact Hr)).
    replace (weighed (columns d) (PositiveMap.empty dyadic) v) with 0.
    2:{ unfold weighed. rewrite (total_ext _ _ (fun _ => 0 * 0)); [rewrite total_scale; ring|]. intros j _. unfold get. rewrite PositiveMap.gempty, val_int. ring. }
    unfold C, Rdiv, Rminus. rewrite (Rmult_comm (total _ rows) (/ sig)), <- Ropp_mult_distr_l_reverse, <- !total_scale, Rplus_0_l, <- !total_plus.
    apply total_le. intros r Hr. destruct (Hin r Hr) as [Hw [Hi _]].
    pose proof (fenchel l (log0 r) (log1 r) (target r) (alpha r) (product (entries r) v + c) Hi) as E. fold sig in E. unfold Rdiv in E.
    apply (Rmult_le_compat_l _ _ _ Hw) in E. lra. }
  assert (zero_sum : c * total (fun r => val (weight r) * val (alpha r)) rows = 0).
  { destruct intercept; [|rewrite Hc by reflexivity; ring]. unfold zero in balanced. apply andb_true_iff in balanced. destruct balanced as [Z1 Z2].
    apply dle_true in Z1, Z2. rewrite !dtotal_real, val_int in *.
    rewrite (total_ext _ _ (fun r => val (dmul (weight r) (alpha r)))) by (intros; rewrite val_mul; reflexivity). replace (total _ rows) with 0 by lra. ring. }
  assert (Ht : val (dmul (dtotal weight rows) lam1) = S * L1) by (vals; rewrite dtotal_real; reflexivity).
  assert (coordinates : 0 <= (L * S) ^ 2 * N2 v + 2 * (L * S) * (S * L1) * N1 v + 2 * (L * S) * weighed (columns d) u v + Q).
  { unfold N2, N1, weighed, Q. rewrite <- !total_scale, <- !total_plus. replace 0 with (total (fun _ : positive => 0 * 0) (columns d)) by (rewrite total_scale; ring).
    apply total_le. intros j _. rewrite <- Ht.
    pose proof (coordinate_low (L * S) (dmul (dtotal weight rows) lam1) (get u j) (v j)) as E.
    assert (0 <= L * S) by nra. assert (0 <= val (dmul (dtotal weight rows) lam1)) by (rewrite Ht; nra). lra. }
  (* What was computed. *)
  match type of check with context [2 * (L * S) * total ?f rows] => set (T := total f rows) in * end.
  assert (ER : sig * F (fun j => val (w j)) (val b) + C <= T).
  { unfold T, F, C. rewrite <- total_scale, <- total_plus. apply total_le. intros r Hr. destruct (Hin r Hr) as [Hw [Hi _]].
    set (z := dadd (dtotal (fun e => dmul (snd e) (w (fst e))) (entries r)) b).
    assert (Hz : val z = product (entries r) (fun j => val (w j)) + val b).
    { unfold z. rewrite val_add, dtotal_real. unfold product. f_equal. apply total_ext. intros. apply val_mul. }
    pose proof (value_real l (log r) _ (alpha r) z Hi) as V. fold sig in V. rewrite Hz in V.
    rewrite val_mul, val_add. apply (Rmult_le_compat_l _ _ _ Hw) in V. lra. }
  match type of check with context [sig * total ?f (columns d)] => assert (EN : total f (columns d)
    = (L * S) ^ 2 * N2 (fun j => val (w j)) + 2 * (L * S) * (S * L1) * N1 (fun j => val (w j)) + Q) end.
  { unfold N2, N1, Q. rewrite <- !total_scale, <- !total_plus. apply total_ext. intros j _. vals. rewrite !dtotal_real. change (total (fun x => val (weight x)) rows) with S. fold L L1. ring. }
  rewrite EN in check. rewrite !EP.
  set (Fw := F _ (val b)) in *. set (Nw2 := N2 (fun j => val (w j))) in *. set (Nw1 := N1 (fun j => val (w j))) in *.
  set (Fv := F v c) in *. set (Uv := weighed (columns d) u v) in *. set (Nv2 := N2 v) in *. set (Nv1 := N1 v) in *.
  set (lS := L * S) in *. assert (HlS : 0 < lS) by (unfold lS; nra). assert (HS : 0 < S) by lra.
  (* 2 lam S^2 times the claim. *)
  assert (goal : 2 * lS * Fw + lS ^ 2 * Nw2 + 2 * lS * (S * L1) * Nw1 - (2 * lS * Fv + lS ^ 2 * Nv2 + 2 * lS * (S * L1) * Nv1) <= 2 * lS * S * (IZR p / IZR q)).
  { apply Rle_trans with (2 * lS * Fw + lS ^ 2 * Nw2 + 2 * lS * (S * L1) * Nw1 + 2 * lS * (C / sig) + Q).
    - assert (E : 2 * lS * (Uv - C / sig) <= 2 * lS * Fv) by (apply Rmult_le_compat_l; lra). lra.
    - apply Rmult_le_reg_l with (IZR q * sig); [nra|].
      replace (IZR q * sig * (2 * lS * S * (IZR p / IZR q))) with (IZR p * (2 * sig * (lS * S))) by (field; lra).
      replace (IZR q * sig * (2 * lS * Fw + lS ^ 2 * Nw2 + 2 * lS * (S * L1) * Nw1 + 2 * lS * (C / sig) + Q))
        with (IZR q * (2 * lS * (sig * Fw + C) + sig * (lS ^ 2 * Nw2 + 2 * lS * (S * L1) * Nw1 + Q))) by (field; lra).
      apply Rle_trans with (2 := check). apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra | exact ER]. }
  apply Rmult_le_reg_l with (2 * lS * S); [nra|].
  replace (2 * lS * S * (Fw / S + (L / 2 * Nw2 + L1 * Nw1) - (Fv / S + (L / 2 * Nv2 + L1 * Nv1))))
    with (2 * lS * Fw + lS ^ 2 * Nw2 + 2 * lS * (S * L1) * Nw1 - (2 * lS * Fv + lS ^ 2 * Nv2 + 2 * lS * (S * L1) * Nv1)) by (unfold lS; field; lra).
  exact goal.
Qed.

(* Two rows x = 1 with labels 1 and -1, lam = 2, alpha = (-1/2, 1/2), w = 0. Smoothed hinge with gamma = 1: the gap is 1/8. Logistic: it is 0, and
   with guesses of ln 2 that are doubles at most 2^-100 is added. *)
Definition two_rows (ln2 : dyadic) : list row :=
  [{| weight := dint 1; target := dint 1; alpha := dy (-1) (-1); log := ln2; log0 := dopp ln2; log1 := dopp ln2; entries := [(1%positive, dint 1)] |};
   {| weight := dint 1; target := dint (-1); alpha := dy 1 (-1); log := ln2; log0 := dopp ln2; log1 := dopp ln2; entries := [(1%positive, dint 1)] |}].
Local Notation example l ln2 := (accepts l (dint 2) (dint 0) 1 (two_rows ln2) (fun _ => dint 0) None).
Example the_gap_is_accepted : example (SmoothedHinge (dint 1)) (dint 0) 1%Z 8%Z = true. Proof. reflexivity. Qed.
Example less_is_refused : example (SmoothedHinge (dint 1)) (dint 0) 124%Z 1000%Z = false. Proof. reflexivity. Qed.
Example logistic_is_accepted : example Logistic (dy 6243314768165359 (-53)) 1%Z (2 ^ 100)%Z = true. Proof. vm_compute. reflexivity. Qed.
Example logistic_below_is_refused : example Logistic (dy 6243314768165359 (-53)) 0%Z 1%Z = false. Proof. vm_compute. reflexivity. Qed.
Example a_bad_guess_proves_less : example Logistic (dint 1) 1%Z 20%Z = false. Proof. vm_compute. reflexivity. Qed.
