(* Dyadic numbers m 2^e, which add and multiply without rounding, and upper bounds in them of e^x, p ln p and ln (1 + e^-m). *)
From Coq Require Import Reals Lra Psatz ZArith Bool.
From Dualgap Require Import Definitions.
Open Scope R_scope.

(* ---- Dyadic numbers. ---- *)
Record dyadic := dy { mantissa : Z; exponent : Z }.
Definition val (x : dyadic) : R := IZR (mantissa x) * powerRZ 2 (exponent x).
Definition dint (k : Z) : dyadic := dy k 0.
Definition dadd x y : dyadic := let e := Z.min (exponent x) (exponent y) in
  dy (Z.shiftl (mantissa x) (exponent x - e) + Z.shiftl (mantissa y) (exponent y - e)) e.
Definition dmul x y : dyadic := dy (mantissa x * mantissa y) (exponent x + exponent y).
Definition dopp x : dyadic := dy (- mantissa x) (exponent x).
Definition dsub x y : dyadic := dadd x (dopp y).
Definition dle x y : bool := Z.leb 0 (mantissa (dsub y x)).
Definition dsquare x : dyadic := dmul x x.
Definition dabs x : dyadic := dy (Z.abs (mantissa x)) (exponent x).

(* ---- Dyadic numbers compute in the reals. ---- *)
Lemma two : 2 <> 0. Proof. lra. Qed.
Lemma val_pos : forall e, 0 < powerRZ 2 e. Proof. intros. apply powerRZ_lt. lra. Qed.
Lemma val_int : forall k, val (dint k) = IZR k. Proof. intros. unfold val. simpl. ring. Qed.
Lemma val_mul : forall x y, val (dmul x y) = val x * val y.
Proof. intros. unfold val, dmul. simpl. rewrite mult_IZR, powerRZ_add by exact two. ring. Qed.
Lemma val_opp : forall x, val (dopp x) = - val x.
Proof. intros. unfold val, dopp. simpl. rewrite opp_IZR. ring. Qed.
Lemma val_shift : forall m k e, (0 <= k)%Z -> IZR (Z.shiftl m k) * powerRZ 2 e = IZR m * powerRZ 2 (k + e).
Proof.
  intros m k e Hk. rewrite Z.shiftl_mul_pow2, mult_IZR, powerRZ_add by (exact Hk || exact two).
  replace (IZR (2 ^ k)) with (powerRZ 2 k); [ring|].
  destruct k as [|k|k]; [reflexivity| |lia]. change (powerRZ 2 (Z.pos k)) with (2 ^ Pos.to_nat k). rewrite pow_IZR, positive_nat_Z. reflexivity.
Qed.
Lemma val_add : forall x y, val (dadd x y) = val x + val y.
Proof.
  intros. unfold val, dadd. simpl. set (e := Z.min _ _). rewrite plus_IZR, Rmult_plus_distr_r, !val_shift by (subst e; lia).
  f_equal; f_equal; f_equal; lia.
Qed.
Lemma val_sub : forall x y, val (dsub x y) = val x - val y.
Proof. intros. unfold dsub. rewrite val_add, val_opp. ring. Qed.
Lemma val_square : forall x, val (dsquare x) = val x ^ 2.
Proof. intros. unfold dsquare. rewrite val_mul. ring. Qed.
Lemma val_abs : forall x, val (dabs x) = Rabs (val x).
Proof. intros. unfold val, dabs. simpl. rewrite Rabs_mult, abs_IZR, (Rabs_right (powerRZ _ _)); [reflexivity|]. apply Rle_ge, Rlt_le, val_pos. Qed.
Lemma dle_true : forall x y, dle x y = true <-> val x <= val y.
Proof.
  intros. unfold dle. rewrite Z.leb_le. pose proof (val_sub y x) as E. unfold val at 1 in E.
  set (m := mantissa _) in *. pose proof (val_pos (exponent (dsub y x))) as H. split; intros L.
  - apply IZR_le in L. nra.
  - apply le_IZR. nra.
Qed.
Lemma dle_false : forall x y, dle x y = false <-> val y < val x.
Proof.
  intros. pose proof (dle_true x y) as H. destruct (dle x y).
  - destruct H as [H _]. specialize (H eq_refl). split; [discriminate | lra].
  - split; [|reflexivity]. intros _. apply Rnot_le_lt. intros L. apply H in L. discriminate.
Qed.
#[export] Hint Rewrite val_int val_mul val_opp val_add val_sub val_square val_abs : val.
Ltac vals := autorewrite with val in *.
Ltac decide_le := repeat match goal with
  | |- context [dle ?x ?y] => let E := fresh "E" in destruct (dle x y) eqn:E; [apply dle_true in E | apply dle_false in E]
  | H : dle _ _ = true |- _ => apply dle_true in H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : dle _ _ = false |- _ => apply dle_false in H
  | H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H end; vals.

(* ---- Upper bounds of e^x, by e^h <= 1 + h + 2 h^2 for h <= 1/2 and 128 squarings, each rounded up to a multiple of 2^-256. ---- *)
Definition dmax x y : dyadic := if dle x y then y else x.
Definition ceiling x : dyadic :=
  if Z.leb (-256) (exponent x) then x else dy (- Z.shiftr (- mantissa x) (-256 - exponent x)) (-256).
Fixpoint exp_above (k : nat) (x : dyadic) : dyadic := match k with
  | O => ceiling (dadd (dadd (dint 1) x) (dmul (dint 2) (dsquare x)))
  | S k => ceiling (dsquare (exp_above k (dy (mantissa x) (exponent x - 1)))) end.
Definition eup (x : dyadic) : dyadic := exp_above 128 (dmax x (dint (-1024))).

Lemma val_max : forall x y, val (dmax x y) = Rmax (val x) (val y).
Proof.
  intros. unfold dmax. destruct (dle x y) eqn:E; [apply dle_true in E | apply dle_false in E]; [rewrite Rmax_right | rewrite Rmax_left]; lra.
Qed.
Lemma ceiling_real : forall x, val x <= val (ceiling x).
Proof.
  intros [m e]. unfold ceiling. cbn [mantissa exponent]. destruct (Z.leb (-256) e) eqn:E; [apply Rle_refl|]. apply Z.leb_gt in E.
  rewrite Z.shiftr_div_pow2 by lia. set (k := (-256 - e)%Z) in *.
  assert (H : (m <= - (- m / 2 ^ k) * 2 ^ k)%Z).
  { pose proof (Z.mul_div_le (- m) (2 ^ k) ltac:(apply Z.pow_pos_nonneg; lia)). lia. }
  rewrite <- Z.shiftl_mul_pow2 in H by lia. apply IZR_le in H. unfold val. simpl.
  apply Rle_trans with (IZR (Z.shiftl (- (- m / 2 ^ k)) k) * powerRZ 2 e); [apply Rmult_le_compat_r; [apply Rlt_le, val_pos | exact H]|].
  rewrite val_shift by lia. replace (k + e)%Z with (-256)%Z by lia. apply Rle_refl.
Qed.
Lemma exp_half : forall x, exp x = exp (x / 2) ^ 2.
Proof. intros. simpl. rewrite Rmult_1_r, <- exp_plus. f_equal. lra. Qed.
Lemma exp_above_real : forall k x, val x <= 2 ^ k / 2 -> exp (val x) <= val (exp_above k x).
Proof.
  induction k as [|k IH]; intros x H; simpl exp_above; eapply Rle_trans; [|apply ceiling_real| |apply ceiling_real].
  - rewrite !val_add, val_mul, val_square, !val_int. simpl in H. set (h := val x) in *.
    assert (E : exp h * exp (- h) = 1) by (rewrite <- exp_plus, Rplus_opp_r; exact exp_0).
    pose proof (exp_pos h). pose proof (exp_pos (- h)).
    assert (L : 1 - h <= exp (- h)) by (destruct (Req_dec h 0) as [->|N]; [rewrite Ropp_0, exp_0; lra | pose proof (exp_ineq1 (- h) ltac:(lra)); lra]).
    assert (1 <= (1 + h + 2 * h ^ 2) * (1 - h)) by nra.
    assert (0 < 1 + h + 2 * h ^ 2) by nra.
    apply Rmult_le_reg_r with (exp (- h)); [lra|]. rewrite E. nra.
  - assert (E : val (dy (mantissa x) (exponent x - 1)) = val x / 2).
    { unfold val. simpl. replace (exponent x - 1)%Z with (exponent x + -1)%Z by lia. rewrite powerRZ_add by exact two. simpl. field. }
    rewrite val_square, exp_half, <- E. apply pow_incr. split; [apply Rlt_le, exp_pos|]. apply IH. rewrite E. simpl in H. lra.
Qed.
Lemma exp_monotone : forall x y, x <= y -> exp x <= exp y.
Proof. intros x y [H| ->]; [apply Rlt_le, exp_increasing; exact H | lra]. Qed.
Lemma eup_real : forall x, val x <= 1024 -> exp (val x) <= val (eup x).
Proof.
  intros x H. unfold eup. apply Rle_trans with (exp (val (dmax x (dint (-1024))))).
  - apply exp_monotone. rewrite val_max. apply Rmax_l.
  - apply exp_above_real. rewrite val_max, val_int. replace 128%nat with (11 + 117)%nat by reflexivity. rewrite pow_add.
    pose proof (pow_R1_Rle 2 117 ltac:(lra)) as B. set (b := 2 ^ 117) in *. replace (2 ^ 11) with 2048 by (simpl; lra).
    apply Rmax_lub; lra.
Qed.

(* ---- ln t <= u - 1 + t e^-u for every u. ---- *)
Lemma ln_tangent : forall t u, 0 < t -> ln t <= u - 1 + t * exp (- u).
Proof.
  intros t u Ht. pose proof (exp_pos (- u)) as Hu. assert (H : 0 < t * exp (- u)) by nra.
  replace (ln t) with (ln (t * exp (- u)) + u) by (rewrite ln_mult, ln_exp by assumption; lra).
  pose proof (exp_ineq1_le (ln (t * exp (- u)))) as E. rewrite exp_ln in E by exact H. lra.
Qed.
(* p ln p <= p (v - 1) + p^2 e^-v. *)
Definition plogp (p v : dyadic) : dyadic :=
  let v := dmax v (dint (-1024)) in dadd (dmul p (dsub v (dint 1))) (dmul (dsquare p) (eup (dopp v))).
Lemma plogp_real : forall p v, 0 <= val p -> val p * ln (val p) <= val (plogp p v).
Proof.
  intros p v Hp. unfold plogp. set (v' := dmax v (dint (-1024))).
  assert (Hv : -1024 <= val v') by (unfold v'; rewrite val_max, val_int; apply Rmax_r).
  rewrite val_add, !val_mul, val_sub, val_square, val_int.
  pose proof (eup_real (dopp v')) as E. rewrite val_opp in E. specialize (E ltac:(lra)).
  destruct Hp as [Hp|Hp]; [|rewrite <- Hp; lra].
  pose proof (ln_tangent (val p) (val v') Hp) as L.
  apply Rmult_le_compat_l with (r := val p) in L; [|lra].
  assert (val p ^ 2 * exp (- val v') <= val p ^ 2 * val (eup (dopp v'))) by (apply Rmult_le_compat_l; [apply pow2_ge_0 | exact E]). nra.
Qed.
(* ln (1 + e^-m) <= u - 1 + e^-u + e^(-m-u). *)
Definition softplus (m u : dyadic) : dyadic :=
  let u := dmax u (dmax (dint 0) (dopp m)) in dadd (dsub u (dint 1)) (dadd (eup (dopp u)) (eup (dopp (dadd m u)))).
Lemma softplus_real : forall m u, ln (1 + exp (- val m)) <= val (softplus m u).
Proof.
  intros m u. unfold softplus. set (u' := dmax u (dmax (dint 0) (dopp m))).
  assert (H0 : 0 <= val u' /\ - val m <= val u').
  { unfold u'. rewrite !val_max, val_opp, val_int. pose proof (Rmax_l 0 (- val m)). pose proof (Rmax_r 0 (- val m)). pose proof (Rmax_r (val u) (Rmax 0 (- val m))). lra. }
  rewrite !val_add, val_sub, val_int.
  pose proof (eup_real (dopp u')) as E1. rewrite val_opp in E1. specialize (E1 ltac:(lra)).
  pose proof (eup_real (dopp (dadd m u'))) as E2. rewrite val_opp, val_add in E2. specialize (E2 ltac:(lra)).
  pose proof (exp_pos (- val m)) as Hm. pose proof (ln_tangent (1 + exp (- val m)) (val u') ltac:(lra)) as L.
  replace ((1 + exp (- val m)) * exp (- val u')) with (exp (- val u') + exp (- (val m + val u'))) in L; [lra|].
  rewrite Rmult_plus_distr_r, Rmult_1_l, <- exp_plus. f_equal. f_equal. lra.
Qed.
