(* Theorem 2 (outer loop of ASPDC-i) for eta = lam/(lam + 2 kappa); index k is the paper's s - 1. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Rate Main.
Open Scope R_scope.

(* P is lam-strongly convex as soon as the losses are convex. *)
Lemma avg_losses_convex : forall n d X (phi : nat -> R -> R), (0 < n)%nat ->
  (forall i, (i < n)%nat -> convex (phi i)) -> forall a b s, 0 <= s <= 1 ->
  avg n (fun i => phi i (dot d (X i) (fun j => (1 - s) * a j + s * b j)))
  <= (1 - s) * avg n (fun i => phi i (dot d (X i) a)) + s * avg n (fun i => phi i (dot d (X i) b)).
Proof.
  intros n d X phi Hn Hc a b s Hs. rewrite <- !avg_scal, <- avg_plus. apply avg_le; [exact Hn|].
  intros i Hi. rewrite dot_plus_r, !dot_scal_r. apply Hc; assumption.
Qed.

Theorem primal_strongly_convex : forall n d X phi lam, (0 < n)%nat -> (forall i, (i < n)%nat -> convex (phi i)) ->
  strongly_convex d (P n d X phi lam) lam.
Proof.
  intros n d X phi lam Hn Hc a b s Hs. unfold P. fold (l2 d lam).
  pose proof (avg_losses_convex n d X phi Hn Hc a b s Hs).
  pose proof (l2_strong d lam a b s Hs) as H2. unfold l2 in H2. lra.
Qed.

Section OuterLoop.
Variables (d : nat) (F : (nat -> R) -> R) (lam kappa xi_1 : R) (center : nat -> nat -> R).
Hypothesis lam_pos : 0 < lam.
Hypothesis kappa_nonneg : 0 <= kappa.
Hypothesis strong : strongly_convex d F lam.
Hypothesis xi_1_nonneg : 0 <= xi_1.
Let e := eta lam kappa.
Let dist2 (a b : nat -> R) := norm2 d (fun j => a j - b j).
(* Every inner call ends within its tolerance of the minimum of F + (kappa/2)||. - center_k||^2. *)
Hypothesis inner : forall k w,
  F (center (S k)) + kappa / 2 * dist2 (center (S k)) (center k)
  <= F w + kappa / 2 * dist2 w (center k) + inner_tolerance e (xi e xi_1 k).

Lemma eta_range : 0 < e <= 1.
Proof.
  unfold e, eta. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (lam + 2 * kappa); [lra|].
  replace (lam / (lam + 2 * kappa) * (lam + 2 * kappa)) with lam by (field; lra). lra.
Qed.

(* One outer step: P~ at (1 - theta) v + theta w, theta = lam/(lam + kappa). *)
Lemma outer_contraction : forall k w,
  F (center (S k)) - F w <= kappa / (lam + kappa) * (F (center k) - F w) + inner_tolerance e (xi e xi_1 k).
Proof.
  intros k w. set (theta := lam / (lam + kappa)).
  assert (Ht : (lam + kappa) * theta = lam) by (unfold theta; field; lra).
  assert (Ht0 : 0 <= theta <= 1).
  { unfold theta. split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (lam + kappa); [lra|].
    replace (lam / (lam + kappa) * (lam + kappa)) with lam by (field; lra). lra. }
  set (v := center k). set (N := dist2 v w).
  pose proof (strong v w theta Ht0) as Hs. fold N in Hs.
  pose proof (inner k (fun j => (1 - theta) * v j + theta * w j)) as Hi. fold v in Hi.
  assert (E : dist2 (fun j => (1 - theta) * v j + theta * w j) v = theta ^ 2 * N).
  { unfold dist2, N. rewrite (norm2_ext d _ (fun j => (- theta) * (v j - w j))) by (intros; ring).
    rewrite norm2_scal. unfold dist2. ring. }
  rewrite E in Hi. fold (dist2 v w) in Hs. change (dist2 v w) with N in Hs.
  assert (0 <= kappa / 2 * dist2 (center (S k)) v) by (apply Rmult_le_pos; [lra | apply norm2_nonneg]).
  assert (Hcancel : kappa / 2 * (theta ^ 2 * N) = lam / 2 * (theta * (1 - theta)) * N).
  { assert (Hkt : kappa * theta = lam * (1 - theta)) by lra.
    transitivity (kappa * theta * (theta * N / 2)); [field|]. rewrite Hkt. field. }
  replace (kappa / (lam + kappa)) with (1 - theta) by (unfold theta; field; lra). lra.
Qed.

Lemma xi_nonneg : forall k, 0 <= xi e xi_1 k.
Proof. intros k. pose proof eta_range. unfold xi. apply Rmult_le_pos; [apply pow_le; lra | assumption]. Qed.

Lemma xi_step : forall k, kappa / (lam + kappa) * xi e xi_1 k + inner_tolerance e (xi e xi_1 k) <= xi e xi_1 (S k).
Proof.
  intros k. pose proof (xi_nonneg k) as Hx. pose proof eta_range as He.
  replace (xi e xi_1 (S k)) with ((1 - e / 2) * xi e xi_1 k) by (unfold xi; simpl; ring).
  replace (kappa / (lam + kappa)) with ((1 - e) / (1 + e)) by (unfold e, eta; field; lra).
  unfold inner_tolerance. set (x := xi e xi_1 k) in *.
  replace (e * x / (2 * (1 + / e))) with (e ^ 2 / (2 * (1 + e)) * x) by (field; lra).
  rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [exact Hx|].
  apply Rmult_le_reg_r with (2 * (1 + e)); [lra|].
  replace (((1 - e) / (1 + e) + e ^ 2 / (2 * (1 + e))) * (2 * (1 + e))) with (2 * (1 - e) + e ^ 2) by (field; lra).
  nra.
Qed.

Theorem outer_rate : (forall w, F (center 0%nat) - F w <= xi_1) -> forall k w, F (center k) - F w <= xi e xi_1 k.
Proof.
  intros H0 k. induction k as [|k IH]; intros w; [unfold xi; simpl; specialize (H0 w); lra|].
  eapply Rle_trans; [apply outer_contraction|]. eapply Rle_trans; [|apply xi_step].
  apply Rplus_le_compat_r, Rmult_le_compat_l; [|apply IH].
  apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.

(* k >= (2/eta) ln (xi_1/eps) outer steps suffice. *)
Theorem outer_count : (forall w, F (center 0%nat) - F w <= xi_1) -> forall eps k, 0 < eps -> 0 < xi_1 ->
  2 / e * ln (xi_1 / eps) <= INR k -> forall w, F (center k) - F w <= eps.
Proof.
  intros H0 eps k Heps Hx Hk w. eapply Rle_trans; [apply (outer_rate H0)|]. pose proof eta_range.
  unfold xi. apply iterations_suffice; [exact Heps | exact Hx | lra |].
  replace (/ (e / 2)) with (2 / e) by (field; lra). exact Hk.
Qed.
End OuterLoop.

(* The inner problem is again one with a strongly convex regulariser, of modulus lam + kappa. *)
Lemma shifted_strong : forall d lam kappa v, strongly_convex d (shifted d lam kappa v) (lam + kappa).
Proof.
  intros d lam kappa v a b s Hs. unfold shifted, l2.
  rewrite (dot_comm d (fun j => (1 - s) * a j + s * b j) v), dot_plus_r, !dot_scal_r, (dot_comm d v a), (dot_comm d v b).
  rewrite norm2_plus, !norm2_scal, norm2_minus, dot_scal_l, dot_scal_r. apply Req_le. field.
Qed.

Lemma shifted_pair : forall d lam kappa v, 0 < lam + kappa ->
  conjugate_pair d (shifted d lam kappa v) (shifted_conj d lam kappa v) (shifted_grad lam kappa v).
Proof.
  intros d lam kappa v Hm u. set (q := fun j => u j + kappa * v j).
  assert (Hq : forall w, dot d u w - shifted d lam kappa v w = dot d q w - l2 d (lam + kappa) w).
  { intros w. unfold q, shifted, l2. rewrite (dot_comm d (fun j => u j + kappa * v j) w), dot_plus_r, dot_scal_r, (dot_comm d w u). field. }
  pose proof (l2_pair d (lam + kappa) Hm q) as [E1 E2].
  assert (Ec : shifted_conj d lam kappa v u = l2_conj d (lam + kappa) q) by reflexivity.
  assert (Eg : shifted_grad lam kappa v u = l2_grad (lam + kappa) q) by reflexivity.
  split; [rewrite Hq, Ec, Eg; exact E1|]. intros w. rewrite Hq, Ec. apply E2.
Qed.

(* shifted = (lam/2)||w||^2 + (kappa/2)||w - v||^2 up to a constant. *)
Lemma shifted_square : forall d lam kappa v w,
  shifted d lam kappa v w = l2 d lam w + kappa / 2 * norm2 d (fun j => w j - v j) - kappa / 2 * norm2 d v.
Proof. intros. unfold shifted. rewrite norm2_minus. field. Qed.

(* Theorem 2 with the computable stopping rule: every inner call returns a feasible alpha~ and w~ = w(alpha~; v)
   whose inner gap is at most the tolerance. *)
Section Theorem2.
Variables (n d : nat) (X : nat -> nat -> R) (phi phis : nat -> R -> R) (lam kappa xi_1 : R).
Variables (w_tilde alpha_tilde : nat -> nat -> R).
Let e := eta lam kappa.

Theorem theorem_2 :
  (0 < n)%nat -> 0 < lam -> 0 <= kappa ->
  (forall i, (i < n)%nat -> convex (phi i)) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  aspdc_i_run n d X phi phis lam kappa e xi_1 w_tilde alpha_tilde ->
  (forall k w, P n d X phi lam (w_tilde k) - P n d X phi lam w <= xi e xi_1 k) /\
  (forall eps k, 0 < eps -> 0 < xi_1 -> 2 / e * ln (xi_1 / eps) <= INR k ->
   forall w, P n d X phi lam (w_tilde k) - P n d X phi lam w <= eps).
Proof.
  intros Hn Hl Hk Hconv Hconj (Hfeas & Hxi & Hw & Hgap).
  pose proof (primal_strongly_convex n d X phi lam Hn Hconv) as Hstrong.
  assert (He : 0 < e <= 1) by (apply eta_range; assumption).
  assert (Hwd : forall w, D n d X phis lam (alpha_tilde 0%nat) <= P n d X phi lam w).
  { intros w. rewrite (D_eq n d X phis lam Hn Hl), P_eq.
    apply weak_duality with (dg := l2_grad lam); try assumption; [apply l2_pair, Hl | apply Hfeas]. }
  assert (Hstart : forall w, P n d X phi lam (w_tilde 0%nat) - P n d X phi lam w
                             <= P n d X phi lam (w_tilde 0%nat) - D n d X phis lam (alpha_tilde 0%nat))
    by (intros w; specialize (Hwd w); lra).
  assert (Hg0 := Hwd (w_tilde 0%nat)).
  assert (Hinv : 0 < / e) by (apply Rinv_0_lt_compat; lra).
  set (gap_1 := P n d X phi lam (w_tilde 0%nat) - D n d X phis lam (alpha_tilde 0%nat)) in *.
  assert (Hge : 0 <= / e * gap_1) by (apply Rmult_le_pos; unfold gap_1; lra).
  assert (Hx0 : 0 <= xi_1 /\ gap_1 <= xi_1) by (rewrite Hxi; unfold gap_1 in *; lra).
  assert (Hinner : forall k w,
    P n d X phi lam (w_tilde (S k)) + kappa / 2 * norm2 d (fun j => w_tilde (S k) j - w_tilde k j)
    <= P n d X phi lam w + kappa / 2 * norm2 d (fun j => w j - w_tilde k j) + inner_tolerance e (xi e xi_1 k)).
  { intros k w. set (v := w_tilde k).
    assert (Hm : 0 < lam + kappa) by lra.
    pose proof (weak_duality n d X phi phis (shifted d lam kappa v) (shifted_conj d lam kappa v) (shifted_grad lam kappa v)
                  Hn Hconj (shifted_pair d lam kappa v Hm) (alpha_tilde (S k)) w (Hfeas (S k))) as Hdual.
    pose proof (Hgap k) as Hg. unfold gap_of in Hg. rewrite <- Hw in Hg. fold v in Hg.
    unfold primal in Hg, Hdual. rewrite shifted_square in Hg, Hdual. unfold P. unfold l2 in *. lra. }
  assert (Hs : forall w, P n d X phi lam (w_tilde 0%nat) - P n d X phi lam w <= xi_1)
    by (intros w; specialize (Hstart w); lra).
  split.
  - apply (outer_rate d (P n d X phi lam)); tauto.
  - intros eps k Heps Hx1 Hcount. apply (outer_count d (P n d X phi lam) lam kappa xi_1 w_tilde); tauto.
Qed.
End Theorem2.

(* Each inner call converges in mean: Algorithm 1 on the shifted problem, s = 1 - R^2/((lam + kappa) n gamma). *)
Theorem inner_rate : forall n d X phi dphi phis gamma lam kappa R2 v,
  (0 < n)%nat -> 0 < gamma -> 0 < lam + kappa ->
  (forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma) ->
  (forall i, (i < n)%nat -> conjugate (phi i) (phis i)) ->
  (forall i, (i < n)%nat -> norm2 d (X i) <= R2) ->
  let s := 1 - R2 / ((lam + kappa) * INR n * gamma) in 0 < s ->
  let G := gap_of n d X phi phis (shifted d lam kappa v) (shifted_conj d lam kappa v) (shifted_grad lam kappa v) in
  forall t alpha, feasible n phi alpha ->
  Expect n (step_of n d X dphi (shifted_grad lam kappa v)) t G alpha <= INR n / s * (1 - s / INR n) ^ t * G alpha.
Proof.
  intros n d X phi dphi phis gamma lam kappa R2 v Hn Hg Hm Hphi Hphis Hrows s Hs G t alpha Hf.
  apply sharp_rate_general with (gamma := gamma) (mu := lam + kappa) (R2 := R2); try assumption.
  - apply shifted_strong.
  - apply shifted_pair, Hm.
Qed.
