(* The certificate with rounded sums: P(w) - min P <= (sqrt G~ + sqrt E)^2, where G~ is the gap identity at the z and u that were
   summed in floating point, in the order of the compiled code, and E = e_z^2/(2 gamma) + e_u^2/(2 mu) bounds what the sums lose. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate.
Open Scope R_scope.

(* -- sums ------------------------------------------------------------------------------------------------------------ *)
Section Sums.
  Variables (fl : R -> R) (u e : R).
  Hypothesis rounding : rounds fl u e.
  Let u_nonneg : 0 <= u. Proof. apply rounding. Qed.
  Let e_nonneg : 0 <= e. Proof. apply rounding. Qed.
  Let error : forall x, Rabs (fl x - x) <= u * Rabs x + e. Proof. apply rounding. Qed.
  Let power_ge_1 : forall m, 1 <= (1 + u) ^ m. Proof. intros m. apply pow_R1_Rle. lra. Qed.

  Theorem fsum_error : forall n f,
    Rabs (fsum fl n f - bsum n f) <= ((1 + u) ^ n - 1) * bsum n (fun i => Rabs (f i)) + INR n * (1 + u) ^ n * e.
  Proof.
    induction n as [|n IH]; intros f; [cbn [fsum bsum]; rewrite Rminus_0_r, Rabs_R0; simpl; lra|].
    specialize (IH f). rewrite S_INR. cbn [fsum bsum]. set (acc := fsum fl n f) in *. set (S0 := bsum n f) in *.
    set (B := bsum n (fun i => Rabs (f i))) in *. set (p := (1 + u) ^ n) in *. assert (Hp : 1 <= p) by apply power_ge_1.
    assert (HB : Rabs S0 <= B).
    { unfold S0, B. clear. induction n as [|n IH]; cbn [bsum]; [rewrite Rabs_R0; lra|]. eapply Rle_trans; [apply Rabs_triang|]. lra. }
    pose proof (Rabs_pos (f n)) as Hf. pose proof (pos_INR n) as Hn. assert (HB0 : 0 <= B) by (pose proof (Rabs_pos S0); lra).
    change ((1 + u) ^ S n) with ((1 + u) * p).
    pose proof (error (acc + f n)) as He.
    assert (H1 : Rabs (acc + f n) <= Rabs (acc - S0) + B + Rabs (f n)).
    { replace (acc + f n) with ((acc - S0) + S0 + f n) by ring. eapply Rle_trans; [apply Rabs_triang|].
      pose proof (Rabs_triang (acc - S0) S0). lra. }
    assert (H2 : Rabs (fl (acc + f n) - (S0 + f n)) <= Rabs (fl (acc + f n) - (acc + f n)) + Rabs (acc - S0)).
    { replace (fl (acc + f n) - (S0 + f n)) with ((fl (acc + f n) - (acc + f n)) + (acc - S0)) by ring. apply Rabs_triang. }
    assert (H3 : u * Rabs (acc + f n) <= u * (Rabs (acc - S0) + B + Rabs (f n))) by (apply Rmult_le_compat_l; lra).
    assert (H4 : (1 + u) * Rabs (acc - S0) <= (1 + u) * ((p - 1) * B + INR n * p * e)) by (apply Rmult_le_compat_l; lra).
    assert (H5 : 0 <= u * (p - 1) * Rabs (f n)) by (repeat apply Rmult_le_pos; lra).
    assert (H6 : e <= (1 + u) * p * e) by (rewrite <- (Rmult_1_l e) at 1; apply Rmult_le_compat_r; [exact e_nonneg|]; nra).
    assert (H7 : 0 <= (p - 1) * Rabs (f n)) by (apply Rmult_le_pos; lra).
    nra.
  Qed.

  (* m products, summed: the k(m) of the code is ((1 + u)^(m+1) - 1), and `power_below_k` its usual form. *)
  Theorem fdot_error : forall d x w, Rabs (fdot fl d x w - dot d x w)
    <= ((1 + u) ^ S d - 1) * bsum d (fun j => Rabs (x j * w j)) + 2 * INR d * (1 + u) ^ d * e.
  Proof.
    intros d x w. unfold fdot, dot. pose proof (fsum_error d (fun j => fl (x j * w j))) as H.
    set (p := (1 + u) ^ d) in *. assert (Hp : 1 <= p) by apply power_ge_1. change ((1 + u) ^ S d) with ((1 + u) * p).
    set (T := bsum d (fun j => Rabs (x j * w j))). pose proof (pos_INR d) as Hd.
    assert (H1 : Rabs (bsum d (fun j => fl (x j * w j)) - bsum d (fun j => x j * w j)) <= u * T + INR d * e).
    { rewrite <- bsum_minus. unfold T. rewrite <- bsum_scal, <- bsum_const, <- bsum_plus.
      eapply Rle_trans; [|apply bsum_le; intros j _; apply (error (x j * w j))].
      clear. induction d as [|d IH]; cbn [bsum]; [rewrite Rabs_R0; lra|]. eapply Rle_trans; [apply Rabs_triang|]. lra. }
    assert (H2 : bsum d (fun j => Rabs (fl (x j * w j))) <= (1 + u) * T + INR d * e).
    { unfold T. rewrite <- bsum_scal, <- bsum_const, <- bsum_plus. apply bsum_le. intros j _. pose proof (error (x j * w j)) as He.
      pose proof (Rabs_triang (fl (x j * w j) - x j * w j) (x j * w j)) as Ht.
      replace (fl (x j * w j) - x j * w j + x j * w j) with (fl (x j * w j)) in Ht by ring. lra. }
    apply Rmult_le_compat_l with (r := p - 1) in H2; [|lra].
    pose proof (Rabs_triang (fsum fl d (fun j => fl (x j * w j)) - bsum d (fun j => fl (x j * w j)))
      (bsum d (fun j => fl (x j * w j)) - bsum d (fun j => x j * w j))) as Ht.
    match type of Ht with Rabs ?a <= _ => replace a with (fsum fl d (fun j => fl (x j * w j)) - bsum d (fun j => x j * w j)) in Ht by ring end.
    nra.
  Qed.

  Theorem power_below_k : forall m, INR m * u < 1 -> (1 + u) ^ m - 1 <= INR m * u / (1 - INR m * u).
  Proof.
    intros m Hm. apply Rmult_le_reg_r with (1 - INR m * u); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    enough ((1 + u) ^ m * (1 - INR m * u) <= 1) by lra. clear Hm. induction m as [|m IH]; [simpl; lra|].
    rewrite S_INR. change ((1 + u) ^ S m) with ((1 + u) * (1 + u) ^ m). pose proof (power_ge_1 m) as Hp. pose proof (pos_INR m) as Hn.
    set (p := (1 + u) ^ m) in *. apply Rle_trans with (p * (1 - INR m * u)); [|exact IH].
    replace ((1 + u) * p * (1 - (INR m + 1) * u)) with (p * (1 - INR m * u) - p * (u * u * (INR m + 1))) by ring.
    assert (0 <= p * (u * u * (INR m + 1))) by (repeat apply Rmult_le_pos; lra). lra.
  Qed.

  Theorem fmean_row_error : forall n X alpha j, (0 < n)%nat -> Rabs (fmean_row fl n X alpha j - mean_row n X alpha j)
    <= ((1 + u) ^ S (S n) - 1) * avg n (fun i => Rabs (alpha i * X i j)) + (2 * (1 + u) ^ S n + 1) * e.
  Proof.
    intros n X alpha j Hn. apply INR_pos in Hn. unfold fmean_row, mean_row, avg.
    pose proof (fdot_error n alpha (fun i => X i j)) as H. unfold fdot, dot in H.
    set (t := fsum fl n (fun i => fl (alpha i * X i j))) in *. set (s := bsum n (fun i => alpha i * X i j)) in *.
    set (B := bsum n (fun i => Rabs (alpha i * X i j))) in *. pose proof (error (t / INR n)) as He.
    assert (HB : Rabs s <= B).
    { unfold s, B. clear. induction n as [|n IH]; cbn [bsum]; [rewrite Rabs_R0; lra|]. eapply Rle_trans; [apply Rabs_triang|]. lra. }
    set (p := (1 + u) ^ n) in *. assert (Hp : 1 <= p) by apply power_ge_1.
    change ((1 + u) ^ S (S n)) with ((1 + u) * ((1 + u) * p)). change ((1 + u) ^ S n) with ((1 + u) * p) in *.
    assert (Hinv : 0 < / INR n) by (apply Rinv_0_lt_compat, Hn).
    assert (Hdiv : forall y, Rabs (y / INR n) = Rabs y * / INR n)
      by (intros y; unfold Rdiv; rewrite Rabs_mult, (Rabs_right (/ INR n)) by lra; reflexivity).
    rewrite Hdiv in He.
    assert (Hts : Rabs t <= Rabs (t - s) + B) by (pose proof (Rabs_triang (t - s) s) as Ht; replace (t - s + s) with t in Ht by ring; lra).
    pose proof (Rabs_triang (fl (t / INR n) - t / INR n) ((t - s) / INR n)) as Ht. rewrite Hdiv in Ht.
    replace (fl (t / INR n) - t / INR n + (t - s) / INR n) with (fl (t / INR n) - s / INR n) in Ht by (field; lra).
    assert (H1 : u * (Rabs t * / INR n) <= u * ((Rabs (t - s) + B) * / INR n)).
    { apply Rmult_le_compat_l; [exact u_nonneg|]. apply Rmult_le_compat_r; lra. }
    assert (H2 : (1 + u) * (Rabs (t - s) * / INR n) <= (1 + u) * ((((1 + u) * p - 1) * B + 2 * INR n * p * e) * / INR n)).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
    replace ((1 + u) * ((((1 + u) * p - 1) * B + 2 * INR n * p * e) * / INR n))
      with ((1 + u) * (((1 + u) * p - 1) * (B * / INR n)) + (1 + u) * (2 * p * e)) in H2 by (field; lra).
    unfold Rdiv in *. lra.
  Qed.
End Sums.

(* -- the Euclidean norm ------------------------------------------------------------------------------------------------ *)
Lemma nrm_square : forall d v, nrm d v * nrm d v = norm2 d v.
Proof. intros. apply sqrt_sqrt, norm2_nonneg. Qed.

Lemma nrm_nonneg : forall d v, 0 <= nrm d v.
Proof. intros. apply sqrt_pos. Qed.

Lemma cauchy : forall d a b, dot d a b <= nrm d a * nrm d b.
Proof.
  intros d a b. pose proof (nrm_square d a) as HA. pose proof (nrm_square d b) as HB.
  pose proof (nrm_nonneg d a) as PA. pose proof (nrm_nonneg d b) as PB.
  assert (H : forall t, 0 <= t * t * norm2 d a - 2 * t * dot d a b + norm2 d b).
  { intros t. pose proof (norm2_nonneg d (fun j => t * a j - b j)) as H. rewrite norm2_minus, norm2_scal, dot_scal_l in H. lra. }
  destruct (Req_dec (nrm d a) 0) as [Ea|Ha].
  - rewrite Ea in *. destruct (Rle_lt_dec (dot d a b) 0) as [|Hd]; [lra|].
    pose proof (H ((norm2 d b + 1) / (2 * dot d a b))) as Hc. rewrite <- HA in Hc.
    replace (2 * ((norm2 d b + 1) / (2 * dot d a b)) * dot d a b) with (norm2 d b + 1) in Hc by (field; lra). lra.
  - pose proof (H (dot d a b / norm2 d a)) as Hc. rewrite <- HA in Hc.
    apply Rsqr_incr_0_var; [|apply Rmult_le_pos; assumption]. unfold Rsqr.
    assert (0 < nrm d a * nrm d a) by (apply Rmult_lt_0_compat; lra).
    apply Rmult_le_compat_l with (r := nrm d a * nrm d a) in Hc; [|lra]. rewrite <- HB in Hc.
    replace (nrm d a * nrm d a * (dot d a b / (nrm d a * nrm d a) * (dot d a b / (nrm d a * nrm d a)) * (nrm d a * nrm d a)
      - 2 * (dot d a b / (nrm d a * nrm d a)) * dot d a b + nrm d b * nrm d b))
      with (- (dot d a b * dot d a b) + nrm d a * nrm d a * (nrm d b * nrm d b)) in Hc by (field; exact Ha).
    lra.
Qed.

Lemma nrm_abs : forall d v, nrm d (fun j => Rabs (v j)) = nrm d v.
Proof.
  intros. unfold nrm, norm2, dot. f_equal. apply bsum_ext. intros j _. rewrite <- Rabs_mult. apply Rabs_right. apply Rle_ge, Rle_0_sqr.
Qed.

Lemma abs_products : forall d x w, bsum d (fun j => Rabs (x j * w j)) <= nrm d x * nrm d w.
Proof.
  intros d x w. rewrite <- (nrm_abs d x), <- (nrm_abs d w). eapply Rle_trans; [|apply cauchy]. unfold dot.
  right. apply bsum_ext. intros. apply Rabs_mult.
Qed.

(* The mean is at most the root mean square; the mean of squares of a_i plus a constant. *)
Lemma mean_below : forall n a N, (0 < n)%nat -> 0 <= N -> avg n (fun i => a i ^ 2) <= N ^ 2 -> avg n a <= N.
Proof.
  intros n a N Hn HN Hsq. set (m := avg n a). apply Rsqr_incr_0_var; [|exact HN]. unfold Rsqr.
  assert (H0 : 0 <= avg n (fun i => (a i - m) ^ 2)) by (apply avg_nonneg; [exact Hn|]; intros; apply pow2_ge_0).
  rewrite (avg_ext n _ (fun i => a i ^ 2 - 2 * m * a i + m ^ 2)) in H0 by (intros; ring).
  rewrite avg_plus, avg_minus, avg_scal, avg_const in H0 by exact Hn. fold m in H0. lra.
Qed.
Lemma mean_square_shift : forall n a N H, (0 < n)%nat -> 0 <= N -> 0 <= H -> (forall i, (i < n)%nat -> 0 <= a i) ->
  avg n (fun i => a i ^ 2) <= N ^ 2 -> avg n (fun i => (a i + H) ^ 2) <= (N + H) ^ 2.
Proof.
  intros n a N H Hn HN HH Ha Hsq. pose proof (mean_below n a N Hn HN Hsq) as Hm. set (m := avg n a) in *.
  rewrite (avg_ext n _ (fun i => a i ^ 2 + 2 * H * a i + H ^ 2)) by (intros; ring). rewrite !avg_plus, avg_scal, avg_const by exact Hn. fold m.
  assert (2 * H * m <= 2 * H * N) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* The norm of a mean of vectors is at most the mean of their norms. *)
Lemma mean_nrm : forall n d X alpha, (0 < n)%nat ->
  nrm d (fun j => avg n (fun i => Rabs (alpha i * X i j))) <= avg n (fun i => Rabs (alpha i) * nrm d (X i)).
Proof.
  intros n d X alpha Hn. set (m := fun j => avg n (fun i => Rabs (alpha i * X i j))). set (M := avg n (fun i => Rabs (alpha i) * nrm d (X i))).
  assert (HM : 0 <= M) by (apply avg_nonneg; [exact Hn|]; intros; apply Rmult_le_pos; [apply Rabs_pos | apply nrm_nonneg]).
  pose proof (nrm_nonneg d m) as Hm.
  assert (H : nrm d m * nrm d m <= M * nrm d m).
  { rewrite nrm_square. unfold norm2.
    apply Rle_trans with (avg n (fun i => Rabs (alpha i) * dot d (fun j => Rabs (X i j)) m)).
    - right. unfold dot at 1, m at 1. rewrite (bsum_ext d _ (fun j => / INR n * bsum n (fun i => Rabs (alpha i * X i j) * m j))).
      + rewrite bsum_scal, bsum_swap. unfold avg, Rdiv. rewrite Rmult_comm. f_equal. apply bsum_ext. intros i _. unfold dot. rewrite <- bsum_scal.
        apply bsum_ext. intros j _. rewrite Rabs_mult. ring.
      + intros j _. unfold avg, Rdiv. rewrite (bsum_ext n (fun i => Rabs (alpha i * X i j) * m j) (fun i => m j * Rabs (alpha i * X i j))) by (intros; ring).
        rewrite bsum_scal. unfold m, avg, Rdiv. ring.
    - unfold M. rewrite Rmult_comm, <- avg_scal. apply avg_le; [exact Hn|]. intros i _. pose proof (cauchy d (fun j => Rabs (X i j)) m) as Hc.
      rewrite nrm_abs in Hc. apply Rmult_le_compat_l with (r := Rabs (alpha i)) in Hc; [|apply Rabs_pos]. lra. }
  destruct (Req_dec (nrm d m) 0) as [E|E]; [rewrite E; exact HM|]. apply Rmult_le_reg_r with (nrm d m); lra.
Qed.

Lemma nrm_u_of : forall n d X alpha, (0 < n)%nat -> nrm d (u_of n X alpha) <= avg n (fun i => Rabs (alpha i) * nrm d (X i)).
Proof.
  intros n d X alpha Hn. eapply Rle_trans; [|apply mean_nrm, Hn]. apply sqrt_le_1_alt, bsum_le. intros j _. pose proof (INR_pos n Hn) as Hn0.
  assert (H : Rabs (u_of n X alpha j) <= avg n (fun i => Rabs (alpha i * X i j))).
  { unfold u_of, avg, Rdiv. rewrite Rabs_Ropp, Rabs_mult, (Rabs_right (/ INR n)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat, Hn0).
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hn0|]. clear. induction n as [|k IH]; cbn [bsum]; [rewrite Rabs_R0; lra|].
    eapply Rle_trans; [apply Rabs_triang|]. lra. }
  rewrite <- (Rabs_right (u_of n X alpha j * u_of n X alpha j)), Rabs_mult by apply Rle_ge, Rle_0_sqr. apply Rmult_le_compat; try apply Rabs_pos; exact H.
Qed.

(* ||v|| <= K ||m|| + H sqrt d where |v_j| <= K m_j + H. *)
Lemma nrm_below : forall d v m K H, 0 <= K -> 0 <= H -> (forall j, (j < d)%nat -> 0 <= m j) ->
  (forall j, (j < d)%nat -> Rabs (v j) <= K * m j + H) -> norm2 d v <= (K * nrm d m + H * sqrt (INR d)) ^ 2.
Proof.
  intros d v m K H HK HH Hm Hv. pose proof (pos_INR d) as Hd. set (r := sqrt (INR d)). assert (Hr : r * r = INR d) by (apply sqrt_sqrt, Hd).
  assert (Hones : nrm d (fun _ => 1) = r).
  { unfold nrm, norm2, dot, r. f_equal. rewrite (bsum_ext d _ (fun _ => 1)) by (intros; ring). rewrite bsum_const. ring. }
  apply Rle_trans with (norm2 d (fun j => K * m j + H * 1)).
  - apply bsum_le. intros j Hj. specialize (Hv j Hj). specialize (Hm j Hj). pose proof (Rabs_pos (v j)).
    assert (E : v j * v j = Rabs (v j) * Rabs (v j)) by (rewrite <- Rabs_mult; symmetry; apply Rabs_right, Rle_ge, Rle_0_sqr). rewrite E.
    replace (K * m j + H * 1) with (K * m j + H) by ring. apply Rmult_le_compat; lra.
  - rewrite norm2_plus, !norm2_scal, dot_scal_l, dot_scal_r. pose proof (cauchy d m (fun _ => 1)) as Hc. rewrite Hones in Hc.
    rewrite <- !nrm_square, Hones.
    assert (K * H * dot d m (fun _ => 1) <= K * H * (nrm d m * r)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos|]; assumption). lra.
Qed.

(* -- what an error of z and u can hide ----------------------------------------------------------------------------------- *)
(* sqrt of a sum with every weight: (1 + c) a + (1 + 1/c) b, made smallest. *)
Lemma best_weight : forall G a b, 0 <= a -> 0 <= b -> (forall c, 0 < c -> G <= (1 + c) * a + (1 + / c) * b) ->
  G <= (sqrt a + sqrt b) ^ 2.
Proof.
  intros G a b Ha Hb H. pose proof (sqrt_sqrt a Ha) as Ea. pose proof (sqrt_sqrt b Hb) as Eb.
  pose proof (sqrt_pos a) as Pa. pose proof (sqrt_pos b) as Pb. set (x := sqrt a) in *. set (y := sqrt b) in *.
  destruct (Req_dec y 0) as [Ey|Ey].
  - rewrite Ey in *. apply le_limit with a; [exact Ha|]. intros s Hs. pose proof (H s ltac:(lra)) as Hc. rewrite <- Eb in Hc. lra.
  - destruct (Req_dec x 0) as [Ex|Ex].
    + rewrite Ex in *. apply le_limit with b; [exact Hb|]. intros s Hs. pose proof (H (/ s) ltac:(apply Rinv_0_lt_compat; lra)) as Hc.
      rewrite Rinv_inv, <- Ea in Hc. lra.
    + pose proof (H (y / x) ltac:(apply Rdiv_lt_0_compat; lra)) as Hc. rewrite <- Ea, <- Eb in Hc.
      replace ((1 + y / x) * (x * x) + (1 + / (y / x)) * (y * y)) with ((x + y) ^ 2) in Hc by (field; lra). exact Hc.
Qed.

Section Perturbed.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi phis : nat -> R -> R).
  Variables (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (gamma mu : R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis mu_pos : 0 < mu.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis conjugates : forall i, (i < n)%nat -> conjugate (phi i) (phis i).
  Hypothesis strong : strongly_convex d g mu.
  Hypothesis pair : conjugate_pair d g gs dg.

  Lemma gap_from_exact : forall w alpha, gap_from n d phi phis g gs (fun i => dot d (X i) w) alpha (u_of n X alpha) w
    = primal n d X phi g w - dual n X phis gs alpha.
  Proof. intros w alpha. rewrite (gap_identity n d X phi phis g gs n_pos alpha w). reflexivity. Qed.

  (* The regularizer's part with v next to v', for every weight c. *)
  Lemma regularizer_of_rounded : forall c v v' w eu, 0 < c -> norm2 d (fun j => v j - v' j) <= eu ^ 2 ->
    g w + gs v - dot d v w <= (1 + c) * (g w + gs v' - dot d v' w) + (1 + / c) * (eu ^ 2 / (2 * mu)).
  Proof.
    intros c v v' w eu Hc Hu. assert (Hci : 0 < / c) by (apply Rinv_0_lt_compat, Hc).
    pose proof (conjugate_upper d g gs dg mu mu_pos strong pair v' v) as Hup. pose proof (quadratic_growth d g gs dg mu mu_pos strong pair v' w) as Hgr.
    set (e := fun j => v j - v' j) in *. set (s := fun j => dg v' j - w j) in *.
    apply Rmult_le_compat_l with (r := c) in Hgr; [|lra].
    pose proof (young d (c * mu) s e ltac:(apply Rmult_lt_0_compat; lra)) as Hy.
    assert (E1 : dot d s e = dot d e (dg v') - dot d e w) by (rewrite dot_comm; unfold s; apply dot_minus_r).
    assert (E2 : dot d e w = dot d v w - dot d v' w) by (unfold e; apply dot_minus_l).
    assert (H1 : (1 + / c) / (2 * mu) * norm2 d e <= (1 + / c) / (2 * mu) * eu ^ 2).
    { apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; lra | exact Hu]. }
    replace ((1 + / c) / (2 * mu) * norm2 d e) with (norm2 d e / (2 * mu) + norm2 d e / (2 * (c * mu))) in H1 by (field; lra).
    replace ((1 + / c) / (2 * mu) * eu ^ 2) with ((1 + / c) * (eu ^ 2 / (2 * mu))) in H1 by (field; lra).
    lra.
  Qed.

  Theorem gap_of_rounded : forall z z' alpha v v' w ez eu, feasible n phi alpha ->
    avg n (fun i => (z i - z' i) ^ 2) <= ez ^ 2 -> norm2 d (fun j => v j - v' j) <= eu ^ 2 ->
    gap_from n d phi phis g gs z alpha v w
    <= (sqrt (gap_from n d phi phis g gs z' alpha v' w) + sqrt (ez ^ 2 / (2 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.
  Proof.
    intros z z' alpha v v' w ez eu Hf Hz Hu.
    set (FY := fun (y : nat -> R) i => phi i (y i) + phis i (alpha i) - alpha i * y i). set (Reg := fun v => g w + gs v - dot d v w).
    assert (HFY : 0 <= avg n (FY z')).
    { apply avg_nonneg; [exact n_pos|]. intros i Hi. unfold FY.
      pose proof (fenchel_young _ _ (alpha i) (z' i) (conjugates i Hi) (Hf i Hi)). lra. }
    assert (HReg : 0 <= Reg v') by (unfold Reg; destruct (pair v') as [_ H]; specialize (H w); lra).
    assert (Hz2 : 0 <= ez ^ 2 / (2 * gamma)) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra]).
    assert (Hu2 : 0 <= eu ^ 2 / (2 * mu)) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; lra]).
    apply best_weight; [unfold gap_from; fold (FY z') (Reg v'); lra | lra|]. intros c Hc.
    assert (Hci : 0 < / c) by (apply Rinv_0_lt_compat, Hc). unfold gap_from. fold (FY z) (FY z') (Reg v) (Reg v').
    assert (Hrows : avg n (FY z) <= (1 + c) * avg n (FY z') + (1 + / c) * (ez ^ 2 / (2 * gamma))).
    { apply Rle_trans with (avg n (fun i => (1 + c) * FY z' i + (1 + / c) / (2 * gamma) * (z i - z' i) ^ 2)).
      - apply avg_le; [exact n_pos|]. intros i Hi. unfold FY. set (e := z i - z' i).
        pose proof (parabola_above _ _ _ (z' i) (z i) gamma_pos (losses i Hi)) as Hp. fold e in Hp.
        pose proof (residual_lower _ _ _ gamma (z' i) (alpha i) gamma_pos (losses i Hi) (conjugates i Hi) (Hf i Hi)) as Hr.
        set (s := dphi i (z' i) - alpha i) in *. apply Rmult_le_compat_l with (r := c) in Hr; [|lra].
        assert (Hy : s * e <= c * (gamma / 2 * s ^ 2) + / c / (2 * gamma) * e ^ 2).
        { pose proof (pow2_ge_0 (c * gamma * s - e)) as H0. apply Rmult_le_compat_l with (r := / c / (2 * gamma)) in H0.
          - replace (/ c / (2 * gamma) * (c * gamma * s - e) ^ 2) with (c * (gamma / 2 * s ^ 2) - s * e + / c / (2 * gamma) * e ^ 2) in H0 by (field; lra). lra.
          - apply Rlt_le, Rdiv_lt_0_compat; lra. }
        assert (Ee : z i = z' i + e) by (unfold e; ring). replace (dphi i (z' i)) with (s + alpha i) in Hp by (unfold s; ring).
        replace ((1 + / c) / (2 * gamma) * e ^ 2) with (e ^ 2 / (2 * gamma) + / c / (2 * gamma) * e ^ 2) by (field; lra). rewrite Ee in *. lra.
      - rewrite avg_plus, !avg_scal. apply Rplus_le_compat_l.
        replace ((1 + / c) * (ez ^ 2 / (2 * gamma))) with ((1 + / c) / (2 * gamma) * ez ^ 2) by (field; lra).
        apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; lra | exact Hz]. }
    pose proof (regularizer_of_rounded c v v' w eu Hc Hu) as Hreg. fold (Reg v) (Reg v') in Hreg.
    lra.
  Qed.

  (* With sums in order, every operation rounded: P(w) - P(v) for every v, from what was summed. *)
  Theorem certificate_of_rounded_sums : forall fl u e w alpha N x, rounds fl u e -> feasible n phi alpha -> 0 <= N ->
    avg n (fun i => norm2 d (X i)) <= N ^ 2 ->
    let k m := (1 + u) ^ m - 1 in
    let z i := fdot fl d (X i) w in let v j := - fmean_row fl n X alpha j in
    let ez := k (S d) * N * nrm d w + 2 * INR d * (1 + u) ^ d * e in
    let eu := k (S (S n)) * avg n (fun i => Rabs (alpha i) * nrm d (X i)) + (2 * (1 + u) ^ S n + 1) * e * sqrt (INR d) in
    primal n d X phi g w - primal n d X phi g x
    <= (sqrt (gap_from n d phi phis g gs z alpha v w) + sqrt (ez ^ 2 / (2 * gamma) + eu ^ 2 / (2 * mu))) ^ 2.
  Proof.
    intros fl u e w alpha N x Hfl Hf HN Hrows k z v ez eu. assert (Hu : 0 <= u) by apply Hfl. assert (He : 0 <= e) by apply Hfl.
    assert (Hpow : forall m, 1 <= (1 + u) ^ m) by (intros; apply pow_R1_Rle; lra).
    assert (Hk : forall m, 0 <= k m) by (intros m; unfold k; pose proof (Hpow m); lra).
    pose proof (weak_duality n d X phi phis g gs dg n_pos conjugates pair alpha x Hf) as Hweak.
    apply Rle_trans with (primal n d X phi g w - dual n X phis gs alpha); [lra|]. rewrite <- gap_from_exact.
    apply gap_of_rounded; [exact Hf | |].
    - set (H := 2 * INR d * (1 + u) ^ d * e). pose proof (pos_INR d) as Hd. pose proof (Hpow d).
      assert (HH : 0 <= H) by (unfold H; repeat apply Rmult_le_pos; lra).
      apply Rle_trans with (avg n (fun i => (k (S d) * nrm d w * nrm d (X i) + H) ^ 2)).
      + apply avg_le; [exact n_pos|]. intros i _. rewrite <- (pow2_abs (dot d (X i) w - z i)).
        apply pow_incr. split; [apply Rabs_pos|]. rewrite Rabs_minus_sym. pose proof (fdot_error fl u e Hfl d (X i) w) as Hdot.
        pose proof (abs_products d (X i) w) as Hab. apply Rmult_le_compat_l with (r := k (S d)) in Hab; [|apply Hk]. fold (k (S d)) in Hdot.
        unfold z. fold H in Hdot. lra.
      + unfold ez. fold H. replace (k (S d) * N * nrm d w) with (k (S d) * nrm d w * N) by ring.
        pose proof (nrm_nonneg d w) as Hw. pose proof (Hk (S d)) as Hk1. assert (Hkw : 0 <= k (S d) * nrm d w) by (apply Rmult_le_pos; assumption).
        apply mean_square_shift with (a := fun i => k (S d) * nrm d w * nrm d (X i)); [exact n_pos | apply Rmult_le_pos; assumption | exact HH | |].
        * intros i _. apply Rmult_le_pos; [exact Hkw | apply nrm_nonneg].
        * rewrite (avg_ext n _ (fun i => (k (S d) * nrm d w) ^ 2 * norm2 d (X i))) by (intros; rewrite <- nrm_square; ring).
          rewrite avg_scal. replace ((k (S d) * nrm d w * N) ^ 2) with ((k (S d) * nrm d w) ^ 2 * N ^ 2) by ring.
          apply Rmult_le_compat_l; [apply pow2_ge_0 | exact Hrows].
    - set (m := fun j => avg n (fun i => Rabs (alpha i * X i j))). pose proof (Hk (S (S n))) as Hk1.
      assert (HH : 0 <= (2 * (1 + u) ^ S n + 1) * e) by (apply Rmult_le_pos; [pose proof (Hpow (S n)); lra | exact He]).
      assert (H1 : norm2 d (fun j => u_of n X alpha j - v j) <= (k (S (S n)) * nrm d m + (2 * (1 + u) ^ S n + 1) * e * sqrt (INR d)) ^ 2).
      { apply nrm_below; [exact Hk1 | exact HH | |].
        - intros j _. apply avg_nonneg; [exact n_pos|]. intros; apply Rabs_pos.
        - intros j _. pose proof (fmean_row_error fl u e Hfl n X alpha j n_pos) as Hm.
          replace (u_of n X alpha j - v j) with (fmean_row fl n X alpha j - mean_row n X alpha j) by (unfold v, u_of, mean_row; ring).
          exact Hm. }
      eapply Rle_trans; [exact H1|]. apply pow_incr. pose proof (mean_nrm n d X alpha n_pos) as Hmean. fold m in Hmean.
      assert (Hs : 0 <= (2 * (1 + u) ^ S n + 1) * e * sqrt (INR d)) by (apply Rmult_le_pos; [exact HH | apply sqrt_pos]).
      assert (k (S (S n)) * nrm d m <= k (S (S n)) * avg n (fun i => Rabs (alpha i) * nrm d (X i))) by (apply Rmult_le_compat_l; assumption).
      assert (0 <= k (S (S n)) * nrm d m) by (apply Rmult_le_pos; [exact Hk1 | apply nrm_nonneg]). unfold eu. split; lra.
  Qed.
End Perturbed.
