(* What follows from Assumptions 1 and 2: tangents, parabolas, conjugates, quadratic growth. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums.
Open Scope R_scope.

Lemma is_lub_attained : forall (E : R -> Prop) m, E m -> (forall x, E x -> x <= m) -> is_lub E m.
Proof. intros E m Hm Hub. split; [exact Hub|]. intros b Hb. apply Hb, Hm. Qed.

(* a <= b follows from a <= b + K s for all small s > 0. *)
Lemma le_limit : forall a b K, 0 <= K -> (forall s, 0 < s < 1 -> a <= b + K * s) -> a <= b.
Proof.
  intros a b K HK H. apply le_epsilon. intros eps Heps.
  set (s := Rmin (1 / 2) (eps / (K + 1))).
  assert (Hq : 0 < eps / (K + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hs : 0 < s) by (unfold s; apply Rmin_pos; lra).
  assert (Hs1 : s <= 1 / 2) by apply Rmin_l.
  assert (Hs2 : s <= eps / (K + 1)) by apply Rmin_r.
  assert (HKs : K * s <= K * (eps / (K + 1))) by (apply Rmult_le_compat_l; lra).
  assert (He : (K + 1) * (eps / (K + 1)) = eps) by (field; lra).
  specialize (H s). lra.
Qed.

Lemma tangent_below : forall f z l v, convex f -> derivable_pt_lim f z l -> f z + l * (v - z) <= f v.
Proof.
  intros f z l v Hc Hd. destruct (Req_dec v z) as [->|Hne].
  { replace (f z + l * (z - z)) with (f z) by ring. lra. }
  assert (Hpos : 0 < Rabs (v - z)) by (apply Rabs_pos_lt; lra).
  apply le_epsilon. intros eps Heps.
  assert (He : 0 < eps / Rabs (v - z)) by (apply Rdiv_lt_0_compat; assumption).
  destruct (Hd _ He) as [delta Hdelta]. pose proof (cond_pos delta) as Hdp.
  set (s := Rmin 1 (delta / (2 * Rabs (v - z)))).
  assert (Hq : 0 < delta / (2 * Rabs (v - z))) by (apply Rdiv_lt_0_compat; lra).
  assert (Hs : 0 < s) by (unfold s; apply Rmin_pos; lra).
  assert (Hs1 : s <= 1) by apply Rmin_l.
  assert (Hs2 : s <= delta / (2 * Rabs (v - z))) by apply Rmin_r.
  set (h := s * (v - z)).
  assert (Hh0 : h <> 0) by (unfold h; apply Rmult_integral_contrapositive; split; lra).
  assert (Habs : Rabs h = s * Rabs (v - z)) by (unfold h; rewrite Rabs_mult, (Rabs_right s); lra).
  assert (Hhd : Rabs h < delta).
  { rewrite Habs. apply Rle_lt_trans with (delta / (2 * Rabs (v - z)) * Rabs (v - z)).
    - apply Rmult_le_compat_r; lra.
    - replace (delta / (2 * Rabs (v - z)) * Rabs (v - z)) with (delta / 2) by (field; lra). lra. }
  specialize (Hdelta h Hh0 Hhd).
  assert (Hc' : f (z + h) <= (1 - s) * f z + s * f v).
  { replace (z + h) with ((1 - s) * z + s * v) by (unfold h; ring). apply Hc. lra. }
  assert (Hlin : l * h - eps / Rabs (v - z) * Rabs h <= f (z + h) - f z).
  { set (q := (f (z + h) - f z) / h) in *.
    assert (Hqh : f (z + h) - f z = q * h) by (unfold q; field; exact Hh0). rewrite Hqh.
    assert (Hm : Rabs ((q - l) * h) <= eps / Rabs (v - z) * Rabs h).
    { rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos | lra]. }
    pose proof (Rle_abs (- ((q - l) * h))) as Hr. rewrite Rabs_Ropp in Hr. lra. }
  rewrite Habs in Hlin.
  replace (eps / Rabs (v - z) * (s * Rabs (v - z))) with (s * eps) in Hlin by (field; lra).
  unfold h in Hlin. apply Rmult_le_reg_l with s; [exact Hs|]. unfold h in Hc'. lra.
Qed.

Lemma derivable_quadratic : forall a b c x, derivable_pt_lim (fun y => a + b * y + c * y ^ 2) x (b + 2 * c * x).
Proof.
  intros a b c x eps Heps.
  assert (Hd : 0 < eps / (Rabs c + 1)) by (apply Rdiv_lt_0_compat; [|pose proof (Rabs_pos c)]; lra).
  exists (mkposreal _ Hd). intros h Hh Hlt. simpl in Hlt.
  replace ((a + b * (x + h) + c * (x + h) ^ 2 - (a + b * x + c * x ^ 2)) / h - (b + 2 * c * x))
    with (c * h) by (field; exact Hh).
  rewrite Rabs_mult. pose proof (Rabs_pos c). pose proof (Rabs_pos h).
  assert (He : (Rabs c + 1) * (eps / (Rabs c + 1)) = eps) by (field; lra).
  assert ((Rabs c + 1) * Rabs h < eps).
  { rewrite <- He. apply Rmult_lt_compat_l; lra. }
  assert (0 <= 1 * Rabs h) by lra. lra.
Qed.

Lemma parabola_above : forall f df gamma u v, 0 < gamma -> smooth_loss f df gamma ->
  f v <= f u + df u * (v - u) + (v - u) ^ 2 / (2 * gamma).
Proof.
  intros f df gamma u v Hg (_ & Hd & HL).
  set (q := fun x => (f u - df u * u + u ^ 2 / (2 * gamma)) + (df u - u / gamma) * x + (/ (2 * gamma)) * x ^ 2).
  set (h := fun x => f x - q x).
  set (h' := fun x => df x - ((df u - u / gamma) + 2 * / (2 * gamma) * x)).
  assert (Hder : forall x, derivable_pt_lim h x (h' x)).
  { intros x. apply derivable_pt_lim_minus; [apply Hd | apply derivable_quadratic]. }
  assert (Hh' : forall x, h' x = (df x - df u) - (x - u) / gamma) by (intros x; unfold h'; field; lra).
  assert (Hhu : h u = 0) by (unfold h, q; field; lra).
  assert (Hq : q v = f u + df u * (v - u) + (v - u) ^ 2 / (2 * gamma)) by (unfold q; field; lra).
  rewrite <- Hq. enough (h v <= 0) by (unfold h in *; lra).
  destruct (Rtotal_order u v) as [Hlt|[<-|Hgt]]; [| lra |].
  - destruct (MVT_cor2 h h' u v Hlt) as (c & Hc & Hin); [intros; apply Hder|].
    assert (h' c <= 0).
    { rewrite Hh'. pose proof (HL c u) as Hb. rewrite (Rabs_right (c - u)) in Hb by lra.
      pose proof (Rle_abs (df c - df u)). lra. }
    assert (h' c * (v - u) <= 0 * (v - u)) by (apply Rmult_le_compat_r; lra). lra.
  - destruct (MVT_cor2 h h' v u Hgt) as (c & Hc & Hin); [intros; apply Hder|].
    assert (0 <= h' c).
    { rewrite Hh'. pose proof (HL c u) as Hb. rewrite (Rabs_left (c - u)) in Hb by lra.
      pose proof (Rle_abs (- (df c - df u))) as Hr. rewrite Rabs_Ropp in Hr.
      replace (- (c - u) / gamma) with (- ((c - u) / gamma)) in Hb by (field; lra). lra. }
    assert (0 * (u - v) <= h' c * (u - v)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* Fenchel's inequality and its equality case at the derivative (A9)-(A11). *)
Lemma fenchel_young : forall f fs a z, conjugate f fs -> conj_dom f a -> a * z - f z <= fs a.
Proof. intros f fs a z Hc Hd. destruct (Hc a Hd) as [Hub _]. apply Hub. exists z. reflexivity. Qed.

Lemma derivative_set_bound : forall f df gamma z r, smooth_loss f df gamma -> conj_set f (df z) r -> r <= df z * z - f z.
Proof.
  intros f df gamma z r (Hc & Hd & _) (v & ->). pose proof (tangent_below f z (df z) v Hc (Hd z)). lra.
Qed.

Lemma derivative_in_domain : forall f df gamma z, smooth_loss f df gamma -> conj_dom f (df z).
Proof.
  intros f df gamma z H. exists (df z * z - f z). intros r Hr. apply (derivative_set_bound f df gamma); assumption.
Qed.

Lemma fenchel_equality : forall f df fs gamma z, smooth_loss f df gamma -> conjugate f fs ->
  fs (df z) = df z * z - f z.
Proof.
  intros f df fs gamma z H Hc. pose proof (derivative_in_domain f df gamma z H) as Hdom.
  apply Rle_antisym.
  - apply (Hc _ Hdom). intros r Hr. apply (derivative_set_bound f df gamma); assumption.
  - apply fenchel_young; assumption.
Qed.

(* The Fenchel-Young residual is at least (gamma/2) (phi'(z) - a)^2: test the supremum at z + gamma (a - phi'(z)). *)
Lemma residual_lower : forall f df fs gamma z a, 0 < gamma -> smooth_loss f df gamma -> conjugate f fs ->
  conj_dom f a -> gamma / 2 * (df z - a) ^ 2 <= f z + fs a - a * z.
Proof.
  intros f df fs gamma z a Hg Hs Hc Hdom.
  pose proof (parabola_above f df gamma z (z + gamma * (a - df z)) Hg Hs) as Hp.
  pose proof (fenchel_young f fs a (z + gamma * (a - df z)) Hc Hdom) as Hf.
  replace ((z + gamma * (a - df z) - z) ^ 2 / (2 * gamma)) with (gamma / 2 * (df z - a) ^ 2) in Hp by (field; lra).
  lra.
Qed.

(* Line 5 (eq. 4): dphi(z) - a is the only maximiser of delta z - phi*(a + delta). *)
Theorem line5_argmax : forall f df fs gamma z a delta, 0 < gamma -> smooth_loss f df gamma -> conjugate f fs ->
  conj_dom f (a + delta) -> delta <> df z - a ->
  delta * z - fs (a + delta) < (df z - a) * z - fs (a + (df z - a)).
Proof.
  intros f df fs gamma z a delta Hg Hs Hc Hdom Hne.
  pose proof (residual_lower f df fs gamma z (a + delta) Hg Hs Hc Hdom) as Hr.
  assert (Hp : 0 < (df z - (a + delta)) ^ 2) by (rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; lra).
  assert (0 < gamma / 2 * (df z - (a + delta)) ^ 2) by (apply Rmult_lt_0_compat; lra).
  replace (a + (df z - a)) with (df z) by ring.
  rewrite (fenchel_equality f df fs gamma z Hs Hc). lra.
Qed.

Section Regulariser.
Variables (d : nat) (g gs : (nat -> R) -> R) (dg : (nat -> R) -> nat -> R) (mu : R).
Hypothesis mu_pos : 0 < mu.
Hypothesis strong : strongly_convex d g mu.
Hypothesis pair : conjugate_pair d g gs dg.

Lemma quadratic_growth : forall u v,
  dot d u v - g v + mu / 2 * norm2 d (fun j => dg u j - v j) <= gs u.
Proof.
  intros u v. set (N := norm2 d (fun j => dg u j - v j)).
  assert (HN : 0 <= N) by apply norm2_nonneg.
  assert (HmN : 0 <= mu / 2 * N) by (apply Rmult_le_pos; lra).
  apply le_limit with (mu / 2 * N); [exact HmN|].
  intros s Hs. destruct (pair u) as [Hmax Hub].
  specialize (Hub (fun j => (1 - s) * dg u j + s * v j)).
  rewrite dot_plus_r, !dot_scal_r in Hub.
  pose proof (strong (dg u) v s) as Hg. fold N in Hg.
  assert (Hg' := Hg ltac:(lra)). clear Hg.
  apply Rmult_le_reg_l with s; [lra|].
  assert (E : mu / 2 * (s * (1 - s)) * N = s * (mu / 2 * N) - s * (mu / 2 * N * s)) by ring.
  rewrite E in Hg'. rewrite Hmax in *. lra.
Qed.

(* g* is (1/mu)-smooth. *)
Lemma conjugate_upper : forall u v,
  gs v <= gs u + dot d (fun j => v j - u j) (dg u) + norm2 d (fun j => v j - u j) / (2 * mu).
Proof.
  intros u v. pose proof (quadratic_growth u (dg v)) as Hq. destruct (pair v) as [Hv _].
  set (e := fun j => v j - u j).
  set (m := fun j => dg v j - dg u j).
  assert (Hm : norm2 d (fun j => dg u j - dg v j) = norm2 d m) by (unfold m; apply norm2_diff_sym).
  rewrite Hm in Hq. pose proof (young d mu m e mu_pos) as Hy.
  assert (E1 : dot d m e = dot d e (dg v) - dot d e (dg u)) by (rewrite dot_comm; unfold m; apply dot_minus_r).
  assert (E2 : dot d e (dg v) = dot d v (dg v) - dot d u (dg v)) by (unfold e; apply dot_minus_l).
  lra.
Qed.
End Regulariser.

(* L2 is an instance, with modulus lam. *)
Lemma l2_strong : forall d lam, strongly_convex d (l2 d lam) lam.
Proof.
  intros d lam a b s Hs. unfold l2. rewrite norm2_plus, !norm2_scal, norm2_minus, dot_scal_l, dot_scal_r.
  apply Req_le. field.
Qed.

Lemma l2_pair : forall d lam, 0 < lam -> conjugate_pair d (l2 d lam) (l2_conj d lam) (l2_grad lam).
Proof.
  intros d lam Hl u.
  assert (E : forall j : nat, (j < d)%nat -> l2_grad lam u j = / lam * u j) by (intros j _; unfold l2_grad, Rdiv; ring).
  unfold l2, l2_conj. split.
  - rewrite (dot_ext d u u (l2_grad lam u) (fun j => / lam * u j)) by auto.
    rewrite (norm2_ext d (l2_grad lam u) (fun j => / lam * u j)) by auto.
    rewrite norm2_scal, dot_scal_r. fold (norm2 d u). field. lra.
  - intros v. pose proof (young d lam v u Hl) as Hy. rewrite dot_comm in Hy. lra.
Qed.
