(* The rounding of binary64, to nearest and to even, with gradual underflow: u = 2^-53 and e = 2^-1075.  Needs Flocq. *)
From Coq Require Import Reals Lra Lia ZArith FunctionalExtensionality.
From Coq Require Import SpecFloat.
From Flocq Require Import Core Relative Plus_error BinarySingleNaN.
From Dualgap Require Import Definitions Sums Convex Certificate Computed ComputedLosses ComputedElastic ComputedHinge.
Open Scope R_scope.

Definition fl64 : R -> R := round radix2 (FLT_exp (-1074) 53) ZnearestE.
Definition u64 : R := / 2 ^ 53.
Definition e64 : R := / 2 ^ 1075.

Lemma half_ulp : / 2 * bpow radix2 (- (53) + 1) = u64.
Proof.
  unfold u64. change (- (53) + 1)%Z with (- (52))%Z. rewrite bpow_opp, <- (IZR_Zpower radix2 52) by lia.
  replace (IZR (Zpower radix2 52)) with (2 ^ 52) by (rewrite (pow_IZR 2 52); reflexivity).
  change (2 ^ 53) with (2 * 2 ^ 52). rewrite Rinv_mult. reflexivity.
Qed.

Theorem binary64_rounds : rounds fl64 u64 e64.
Proof.
  assert (Hp : forall k, 0 < / 2 ^ k) by (intros; apply Rinv_0_lt_compat, pow_lt; lra).
  split; [apply Rlt_le, Hp|]. split; [apply Rlt_le, Hp|]. intros x.
  destruct (error_N_FLT radix2 (-1074) 53 ltac:(lia) (fun t => negb (Z.even t)) x) as (eps & eta & He & Ht & _ & E).
  unfold fl64. rewrite E. replace (x * (1 + eps) + eta - x) with (eps * x + eta) by ring.
  pose proof half_ulp as E1.
  assert (E2 : / 2 * bpow radix2 (-1074) = e64).
  { unfold e64. change (-1074)%Z with (- (1074))%Z. rewrite bpow_opp, <- (IZR_Zpower radix2 1074) by lia.
    replace (IZR (Zpower radix2 1074)) with (2 ^ 1074) by (rewrite (pow_IZR 2 1074); f_equal).
    replace (2 ^ 1075) with (2 * 2 ^ 1074) by (rewrite <- tech_pow_Rmult; reflexivity). rewrite Rinv_mult. reflexivity. }
  rewrite E1 in He. rewrite E2 in Ht. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
  apply Rplus_le_compat; [|exact Ht]. apply Rmult_le_compat_r; [apply Rabs_pos | exact He].
Qed.

(* In order, odd, once; a sum of two doubles has no error from underflow. *)
Theorem binary64_rounding : rounding fl64 u64 e64.
Proof.
  split; [exact binary64_rounds|]. split; [|split; [|split]].
  - intros x. unfold fl64. apply round_NE_opp.
  - intros x y H. apply round_le; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N | exact H].
  - intros x. unfold fl64. apply round_generic; [apply valid_rnd_N|]. apply generic_format_round; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N].
  - intros x y Hx Hy. assert (F : forall t, fl64 t = t -> generic_format radix2 (FLT_exp (-1074) 53) t).
    { intros t <-. apply generic_format_round; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N]. }
    assert (P53 : Prec_gt_0 53) by reflexivity.
    destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun t => negb (Z.even t)) x y (F x Hx) (F y Hy)) as (eps & He & E).
    change (round radix2 (FLT_exp (-1074) 53) (Znearest (fun t => negb (Z.even t))) (x + y)) with (fl64 (x + y)) in E. rewrite E.
    replace ((x + y) * (1 + eps) - (x + y)) with (eps * (x + y)) by ring. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
    eapply Rle_trans; [exact He|]. assert (U : u_ro radix2 53 = u64) by exact half_ulp.
    rewrite U. assert (0 < u64) by (unfold u64; apply Rinv_0_lt_compat, pow_lt; lra).
    apply Rmult_le_reg_r with (1 + u64); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

(* -- the machine's own numbers ------------------------------------------------------------------------------------------ *)
Definition b64 := binary_float 53 1024.
Definition prec64 : Prec_gt_0 53 := eq_refl.
Definition emax64 : Prec_lt_emax 53 1024 := eq_refl.
Definition add64 : b64 -> b64 -> b64 := @Bplus 53 1024 prec64 emax64 mode_NE.
Definition mul64 : b64 -> b64 -> b64 := @Bmult 53 1024 prec64 emax64 mode_NE.
Definition div64 : b64 -> b64 -> b64 := @Bdiv 53 1024 prec64 emax64 mode_NE.
Definition finite (x : b64) : Prop := is_finite x = true.
Definition real (x : b64) : R := B2R x.
(* The loops of the compiled code: z = 0.0, then z = z + x w, and total = 0.0, then total = total + alpha x. *)
Fixpoint sum64 (n : nat) (f : nat -> b64) : b64 := match n with O => B754_zero false | S k => add64 (sum64 k f) (f k) end.
Definition dot64 d (x w : nat -> b64) : b64 := sum64 d (fun j => mul64 (x j) (w j)).
Definition mean64 n (count : b64) (X : nat -> nat -> b64) (alpha : nat -> b64) (j : nat) : b64 :=
  div64 (sum64 n (fun i => mul64 (alpha i) (X i j))) count.

Lemma add64_finite : forall x y, finite (add64 x y) -> finite x /\ finite y /\ real (add64 x y) = fl64 (real x + real y).
Proof.
  intros x y H. assert (Hxy : finite x /\ finite y).
  { unfold finite, add64, Bplus in *. destruct x as [s|s| |s m e p], y as [t|t| |t q f r]; cbn in *; try (split; reflexivity); try discriminate H;
      destruct (Bool.eqb s t); discriminate H. }
  destruct Hxy as [Hx Hy]. split; [exact Hx|]. split; [exact Hy|].
  pose proof (Bplus_correct 53 1024 prec64 emax64 mode_NE x y Hx Hy) as C. fold (add64 x y) in C. destruct Rlt_bool; [apply C|].
  destruct C as [C _]. unfold finite in H. rewrite <- is_finite_SF_B2SF, C in H. discriminate H.
Qed.

Lemma mul64_finite : forall x y, finite (mul64 x y) -> real (mul64 x y) = fl64 (real x * real y).
Proof.
  intros x y H. pose proof (Bmult_correct 53 1024 prec64 emax64 mode_NE x y) as C. fold (mul64 x y) in C. destruct Rlt_bool; [apply C|].
  unfold finite in H. rewrite <- is_finite_SF_B2SF, C in H. discriminate H.
Qed.

Lemma sum64_is_fsum : forall n f, finite (sum64 n f) ->
  real (sum64 n f) = fsum fl64 n (fun i => real (f i)) /\ forall i, (i < n)%nat -> finite (f i).
Proof.
  induction n as [|n IH]; intros f H; [split; [reflexivity | intros; lia]|]. cbn [sum64 fsum] in *.
  destruct (add64_finite _ _ H) as (H0 & H1 & ->). destruct (IH f H0) as [-> Hf]. split; [reflexivity|].
  intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [exact H1 | apply Hf; lia].
Qed.

Lemma fsum_ext : forall fl n f g, (forall i, (i < n)%nat -> f i = g i) -> fsum fl n f = fsum fl n g.
Proof. intros fl. induction n as [|n IH]; intros f g H; cbn [fsum]; [reflexivity|]. rewrite (IH f g), (H n) by (try intros; auto). reflexivity. Qed.

(* A sum that ends finite had no overflow on the way, and is what the model says. *)
Theorem dot64_is_fdot : forall d x w, finite (dot64 d x w) -> real (dot64 d x w) = fdot fl64 d (fun j => real (x j)) (fun j => real (w j)).
Proof.
  intros d x w H. destruct (sum64_is_fsum _ _ H) as [E Hf]. unfold dot64. rewrite E. apply fsum_ext. intros j Hj. apply mul64_finite, Hf, Hj.
Qed.

Theorem mean64_is_fmean_row : forall n count X alpha j, (0 < n)%nat -> real count = INR n -> finite (mean64 n count X alpha j) ->
  real (mean64 n count X alpha j) = fmean_row fl64 n (fun i k => real (X i k)) (fun i => real (alpha i)) j.
Proof.
  intros n count X alpha j Hn Hc H. unfold mean64 in *. set (t := sum64 n (fun i => mul64 (alpha i) (X i j))) in *.
  apply INR_pos in Hn. pose proof (Bdiv_correct 53 1024 prec64 emax64 mode_NE t count ltac:(fold (real count); rewrite Hc; lra)) as C.
  fold (div64 t count) in C.
  assert (Ht : finite t).
  { unfold finite, div64, Bdiv in *. destruct t as [s|s| |s m e p]; try reflexivity; destruct count; discriminate H. }
  destruct (sum64_is_fsum _ _ Ht) as [Et Hf]. destruct Rlt_bool.
  - destruct C as [C _]. fold (real (div64 t count)) in C. rewrite C. fold (real t) (real count). fold t in Et. rewrite Et, Hc. unfold fmean_row.
    rewrite (fsum_ext fl64 n _ (fun i => fl64 (real (alpha i) * real (X i j)))); [reflexivity|].
    intros i Hi. apply mul64_finite, Hf, Hi.
  - unfold finite in H. rewrite <- is_finite_SF_B2SF, C in H. discriminate H.
Qed.

(* The certificate from the machine's own sums, for every pair (w, alpha) of doubles whose sums end finite. *)
Theorem certificate_in_binary64 : forall n d (X : nat -> nat -> b64) (w alpha : nat -> b64) count phi dphi phis g gs dg gamma mu N x,
  (0 < n)%nat -> 0 < gamma -> 0 < mu ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) -> (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  strongly_convex d g mu -> conjugate_pair d g gs dg -> feasible n phi (fun i => real (alpha i)) -> real count = INR n ->
  (forall i, finite (dot64 d (X i) w)) -> (forall j, finite (mean64 n count X alpha j)) ->
  0 <= N -> avg n (fun i => norm2 d (fun j => real (X i j))) <= N ^ 2 ->
  let W := fun j => real (w j) in
  let k m := (1 + u64) ^ m - 1 in
  let z i := real (dot64 d (X i) w) in let v j := - real (mean64 n count X alpha j) in
  let ez := k (S d) * N * nrm d W + 2 * INR d * (1 + u64) ^ d * e64 in
  let eu := k (S (S n)) * avg n (fun i => Rabs (real (alpha i)) * nrm d (fun j => real (X i j)))
            + (2 * (1 + u64) ^ S n + 1) * e64 * sqrt (INR d) in
  primal n d (fun i j => real (X i j)) phi g W - primal n d (fun i j => real (X i j)) phi g x
  <= (sqrt (gap_from n d phi phis g gs z (fun i => real (alpha i)) v W) + sqrt (ez ^ 2 / (2 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.
Proof.
  intros n d X w alpha count phi dphi phis g gs dg gamma mu N x Hn Hg Hm Hs Hc Hst Hp Hf Hcount Hz Hv HN Hrows W k z v ez eu.
  assert (Ez : z = fun i => fdot fl64 d (fun j => real (X i j)) W)
    by (apply functional_extensionality; intros i; apply dot64_is_fdot, Hz).
  assert (Ev : v = fun j => - fmean_row fl64 n (fun i k => real (X i k)) (fun i => real (alpha i)) j).
  { apply functional_extensionality. intros j. unfold v. f_equal. apply mean64_is_fmean_row; auto. }
  rewrite Ez, Ev.
  apply (certificate_of_rounded_sums n d (fun i j => real (X i j)) phi dphi phis g gs dg gamma mu Hn Hg Hm Hs Hc Hst Hp fl64 u64 e64 W
    (fun i => real (alpha i)) N x binary64_rounds Hf HN Hrows).
Qed.

(* gap_bound in the rounding of binary64, from doubles; hypot off by at most one unit in the last place. *)
Theorem gap_bound_in_binary64 : forall hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) gamma mu x,
  (forall a b, 0 <= a -> 0 <= b -> (1 - 2 * u64) * sqrt (a ^ 2 + b ^ 2) - 2 * e64 <= hyp a b) ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 ->
  / 2 ^ 900 <= gamma -> / 2 ^ 900 <= mu -> gamma + INR d * (mu + 4) <= 2 ^ 800 ->
  let rows i j := real (X i j) in let loss i := squared gamma (real (y i)) in let W j := real (w j) in
  primal n d rows loss (l2 d mu) W - primal n d rows loss (l2 d mu) x
  <= @code_gap_bound (rounded fl64 hyp) n d rows (fun i z a => @squared_residual (rounded fl64 hyp) gamma (real (y i)) z a)
       (@l2_residual (rounded fl64 hyp) d mu) gamma mu (fun i => real (y i)) W (fun i => real (alpha i)).
Proof.
  intros hyp n d X y w alpha gamma mu x Hhyp Hn Hd Hc Hg Hm Hh rows loss W.
  assert (F : forall t : b64, fl64 (real t) = real t) by (intros t; apply round_generic; [apply valid_rnd_N | apply generic_format_B2R]).
  apply gap_bound_squared_l2; try assumption; try (intros; apply F). apply binary64_rounding.
Qed.

(* The same for each of the three losses, with L2 and with the elastic net. *)
Theorem gap_bound_losses_l2_in_binary64 : forall name hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) gamma mu x,
  (forall a b, 0 <= a -> 0 <= b -> (1 - 2 * u64) * sqrt (a ^ 2 + b ^ 2) - 2 * e64 <= hyp a b) ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 ->
  / 2 ^ 900 <= gamma -> / 2 ^ 900 <= mu -> gamma + INR d * (mu + 4) <= 2 ^ 800 ->
  let rows i j := real (X i j) in let loss i := loss_of name gamma (real (y i)) in let W j := real (w j) in
  (forall i, (i < n)%nat -> label_of name gamma (real (y i))) -> feasible n loss (fun i => real (alpha i)) ->
  primal n d rows loss (l2 d mu) W - primal n d rows loss (l2 d mu) x
  <= @code_gap_bound (rounded fl64 hyp) n d rows (fun i z a => @residual_of (rounded fl64 hyp) name gamma (real (y i)) z a)
       (@l2_residual (rounded fl64 hyp) d mu) gamma mu (fun i => real (y i)) W (fun i => real (alpha i)).
Proof.
  intros name hyp n d X y w alpha gamma mu x Hhyp Hn Hd Hc Hg Hm Hh rows loss W Hl Hf.
  assert (F : forall t : b64, fl64 (real t) = real t) by (intros t; apply round_generic; [apply valid_rnd_N | apply generic_format_B2R]).
  apply gap_bound_losses_l2; try assumption; try (intros; apply F). apply binary64_rounding.
Qed.
Theorem gap_bound_losses_elastic_in_binary64 : forall name hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) gamma mu l1 x,
  (forall a b, 0 <= a -> 0 <= b -> (1 - 2 * u64) * sqrt (a ^ 2 + b ^ 2) - 2 * e64 <= hyp a b) ->
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 ->
  / 2 ^ 900 <= gamma -> / 2 ^ 900 <= mu -> gamma + INR d * (mu + 4) <= 2 ^ 800 -> (l1 = 0 \/ / 2 ^ 900 * mu <= l1) ->
  let rows i j := real (X i j) in let loss i := loss_of name gamma (real (y i)) in let W j := real (w j) in
  (forall i, (i < n)%nat -> label_of name gamma (real (y i))) -> feasible n loss (fun i => real (alpha i)) ->
  primal n d rows loss (elastic d mu l1) W - primal n d rows loss (elastic d mu l1) x
  <= @elastic_gap_bound (rounded fl64 hyp) n d rows (fun i z a => @residual_of (rounded fl64 hyp) name gamma (real (y i)) z a)
       (@elastic_residual (rounded fl64 hyp) d mu l1) gamma mu l1 (fun i => real (y i)) W (fun i => real (alpha i)).
Proof.
  intros name hyp n d X y w alpha gamma mu l1 x Hhyp Hn Hd Hc Hg Hm Hh Hl1 rows loss W Hl Hf.
  assert (F : forall t : b64, fl64 (real t) = real t) by (intros t; apply round_generic; [apply valid_rnd_N | apply generic_format_B2R]).
  apply gap_bound_losses_elastic; try assumption; try (intros; apply F). apply binary64_rounding.
Qed.
(* The same at gamma = 0, where no hypot is taken. *)
Lemma exact64 : forall t : b64, fl64 (real t) = real t.
Proof. intros t. apply round_generic; [apply valid_rnd_N | apply generic_format_B2R]. Qed.
Lemma one_exact64 : fl64 1 = 1.
Proof.
  unfold fl64. apply round_generic; [apply valid_rnd_N|]. change 1 with (bpow radix2 0). apply generic_format_FLT_bpow; [reflexivity | lia].
Qed.
Theorem gap_bound_hinge_in_binary64 : forall hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) mu x,
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 -> / 2 ^ 900 <= mu ->
  (forall i, (i < n)%nat -> is_label (real (y i)) /\ -1 <= real (y i) * real (alpha i) <= 0) ->
  let rows i j := real (X i j) in let loss i := hinge (real (y i)) in let W j := real (w j) in
  primal n d rows loss (l2 d mu) W - primal n d rows loss (l2 d mu) x
  <= @code_slope_bound (rounded fl64 hyp) n d rows (fun i z a => @hinge_residual (rounded fl64 hyp) (real (y i)) z a)
       (@l2_residual (rounded fl64 hyp) d mu) 1 mu W (fun i => real (alpha i)).
Proof.
  intros hyp n d X y w alpha mu x Hn Hd Hc Hm Hy rows loss W.
  apply gap_bound_hinge_l2; try assumption; try (intros; apply exact64); [apply binary64_rounding | exact one_exact64].
Qed.
Theorem gap_bound_absolute_in_binary64 : forall hyp n d (X : nat -> nat -> b64) (y w alpha : nat -> b64) mu x,
  (0 < n)%nat -> (0 < d)%nat -> INR (2 * (n + d) + 128) ^ 2 * u64 <= 1 / 2 -> / 2 ^ 900 <= mu ->
  (forall i, (i < n)%nat -> -1 <= real (alpha i) <= 1) ->
  let rows i j := real (X i j) in let loss i := absolute_loss (real (y i)) in let W j := real (w j) in
  primal n d rows loss (l2 d mu) W - primal n d rows loss (l2 d mu) x
  <= @code_slope_bound (rounded fl64 hyp) n d rows (fun i z a => @absolute_residual (rounded fl64 hyp) (real (y i)) z a)
       (@l2_residual (rounded fl64 hyp) d mu) 2 mu W (fun i => real (alpha i)).
Proof.
  intros hyp n d X y w alpha mu x Hn Hd Hc Hm Hal rows loss W.
  apply gap_bound_absolute_l2; try assumption; try (intros; apply exact64); [apply binary64_rounding | exact one_exact64].
Qed.

(* A double from its 53-bit mantissa and exponent, and what is compared in recorded runs. *)
Definition double (m e : Z) : b64 := @binary_normalize 53 1024 prec64 emax64 mode_NE m e false.
Definition same (x y : b64) : bool := match B2SF x, B2SF y with
  | S754_zero s, S754_zero t => Bool.eqb s t
  | S754_finite s m e, S754_finite t q f => (Bool.eqb s t && Pos.eqb m q && Z.eqb e f)%bool
  | _, _ => false
  end.

(* The code's expressions on the machine's own numbers, with hypot as it was recorded. *)
Definition doubles (hyp : b64 -> b64 -> b64) : arithmetic := {| num := b64; int n := double (Z.of_nat n) 0; power k := double 1 k;
  add := add64; sub := @Bminus 53 1024 prec64 emax64 mode_NE; mul := mul64; div := div64; root := @Bsqrt 53 1024 prec64 emax64 mode_NE;
  absolute := @Babs 53 1024; hypot := hyp; at_most := @Bleb 53 1024 |}.
Definition no_hypot (x y : b64) : b64 := B754_nan.
Definition recorded (a b h x y : b64) : b64 := if (same x a && same y b)%bool then h else B754_nan.
