(* SAG with the regulariser outside the table, divisor n, a = 1/(16L): from the table 0 the mean of P - min P is at most
   (1 - min(lam/(16L), 1/(8n)))^k (C_0 + n lam^2|w*|^2/(16L)), C_0 that of the published theorem, of which alone no multiple is enough. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Dualgap Require Import Definitions Sums Convex Expectation Losses Svrg.
Open Scope R_scope.

(* The two inequalities in scalars, L = 1: what is left is a sum of squares. *)
Section Scalars.
  Variables (N t rho P2 E2 G2 PE PG EG MD MX MG Fu : R).
  Hypothesis N_range : 1 <= N.
  Hypothesis t_range : 0 < t <= 1.
  Hypothesis P2_nonneg : 0 <= P2.
  Hypothesis E2_nonneg : 0 <= E2.
  Hypothesis G2_nonneg : 0 <= G2.
  Hypothesis pe : forall s, 0 <= E2 + 2 * s * PE + s ^ 2 * P2.
  Hypothesis eg : forall s, 0 <= E2 + 2 * s * EG + s ^ 2 * G2.
  Hypothesis apart : forall s, 0 <= (MD - E2) + 2 * s * (MX - EG) + s ^ 2 * (MG - G2).
  Hypothesis MG_above : G2 <= MG.
  Let i_pos : 0 < / N. Proof. apply Rinv_0_lt_compat. lra. Qed.

  (* E V at u after the draw, in terms of the means; x, y, v weigh V. *)
  Definition drawn x y v U2 UE UG : R :=
    Fu + x * U2 - y * (UE + (UG - UE) / N) + N / 32 * (E2 + 2 / N * (EG - E2) + (MG - 2 * MX + MD) / N ^ 2) + v * (MD + (MG - MD) / N).

  Lemma decrease_scalars : forall Fp, 0 <= rho -> rho <= t / 16 -> N * rho <= 1 / 8 ->
    let q := 1 - t / 16 in let UG := q * PG - EG / 16 in
    Fu + (PG - UG) <= Fp -> Fu + MG / 2 <= UG -> MG / 2 <= Fu ->
    drawn (t / 2 + 2 / N) (1 / 4) (1 / 16) (q ^ 2 * P2 - q / 8 * PE + E2 / 256) (q * PE - E2 / 16) UG <= (1 - rho) * (Fp + (t / 2 + 2 / N) * P2 - 1 / 4 * PE + N / 32 * E2 + 1 / 16 * MD).
  Proof.
    intros Fp Hr0 Hrt HrN q UG H1 H2 H3. set (th := (t / 16 - rho) / q). set (l := 1 / (4 * N) + th). set (y := t / 4 - th).
    assert (Hq : 0 < q) by (unfold q; lra).
    assert (Hth : 0 <= th) by (unfold th; apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, Hq]).
    assert (Eth : q * th = t / 16 - rho) by (unfold th; field; lra).
    assert (Hth' : th <= t / 15) by (apply Rmult_le_reg_l with q; [exact Hq|]; rewrite Eth; unfold q; nra).
    assert (Hl : 0 <= l) by (unfold l; assert (0 < 1 / (4 * N)) by (apply Rdiv_lt_0_compat; lra); lra).
    assert (K1 : 0 <= (1 - rho) * (Fp - Fu - (PG - UG))) by (apply Rmult_le_pos; lra).
    assert (K2 : 0 <= (rho + l) * (UG - Fu - MG / 2)) by (apply Rmult_le_pos; lra).
    assert (K3 : 0 <= l * (Fu - MG / 2)) by (apply Rmult_le_pos; lra).
    assert (K4 : 0 <= q / 32 * (E2 + 8 * y * PE + 16 * y ^ 2 * P2)) by (apply Rmult_le_pos; [lra | pose proof (pe (4 * y)); lra]).
    assert (K5 : 0 <= th / 1024 * (E2 + 64 * EG + 1024 * G2)) by (apply Rmult_le_pos; [lra | pose proof (eg 32); lra]).
    assert (K6 : 0 <= / N * ((E2 + 10 * EG + 25 * G2) / 160)) by (apply Rmult_le_pos; [lra | pose proof (eg 5); lra]).
    assert (K7 : 0 <= / N * (3 / 128 * ((MD - E2) + 8 / 3 * (MX - EG) + 16 / 9 * (MG - G2)))) by (apply Rmult_le_pos; [lra | pose proof (apart (4 / 3)); lra]).
    assert (K8 : 0 <= (rho / 2 + th + 11 / 96 * / N) * (MG - G2)) by (apply Rmult_le_pos; lra).
    assert (K9 : 0 <= / N * (1 / 128 - N * rho / 16) * (MD - E2)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | pose proof (apart 0); lra]).
    assert (Ka : 0 <= q * ((t / 2 + 2 * / N) * (th + t / 16) - y ^ 2 / 2) * P2).
    { apply Rmult_le_pos; [|exact P2_nonneg]. apply Rmult_le_pos; [lra|].
      assert (t / 2 * (t / 16) <= (t / 2 + 2 * / N) * (th + t / 16)) by (apply Rmult_le_compat; lra).
      assert (y ^ 2 <= (t / 4) ^ 2) by (apply pow_incr; unfold y; lra). lra. }
    assert (Kb : 0 <= (3 / 64 - N * rho / 32 - t / 512 + / N * (5 / 128 - N * rho / 16) - q / 32 - th / 1024 - / N / 160) * E2).
    { apply Rmult_le_pos; [|exact E2_nonneg]. assert (0 <= / N * (5 / 128 - N * rho / 16 - 1 / 160)) by (apply Rmult_le_pos; lra). unfold q. lra. }
    assert (Kc : 0 <= rho / 2 * G2) by (apply Rmult_le_pos; lra).
    assert (E : (1 - rho) * (Fp + (t / 2 + 2 / N) * P2 - 1 / 4 * PE + N / 32 * E2 + 1 / 16 * MD) - drawn (t / 2 + 2 / N) (1 / 4) (1 / 16) (q ^ 2 * P2 - q / 8 * PE + E2 / 256) (q * PE - E2 / 16) UG
      = (1 - rho) * (Fp - Fu - (PG - UG)) + (rho + l) * (UG - Fu - MG / 2) + l * (Fu - MG / 2) + q / 32 * (E2 + 8 * y * PE + 16 * y ^ 2 * P2)
        + th / 1024 * (E2 + 64 * EG + 1024 * G2) + / N * ((E2 + 10 * EG + 25 * G2) / 160)
        + / N * (3 / 128 * ((MD - E2) + 8 / 3 * (MX - EG) + 16 / 9 * (MG - G2))) + (rho / 2 + th + 11 / 96 * / N) * (MG - G2)
        + / N * (1 / 128 - N * rho / 16) * (MD - E2) + q * ((t / 2 + 2 * / N) * (th + t / 16) - y ^ 2 / 2) * P2
        + (3 / 64 - N * rho / 32 - t / 512 + / N * (5 / 128 - N * rho / 16) - q / 32 - th / 1024 - / N / 160) * E2 + rho / 2 * G2).
    { unfold drawn, UG, l, y, th, q. field. split; lra. }
    lra.
  Qed.

  Lemma start_scalars : forall U2 UE UG, (forall s, 0 <= U2 + 2 * s * UE + s ^ 2 * E2) -> MG <= UG ->
    drawn (t / 2 + 2 / N) (1 / 4) (1 / 16) U2 UE UG <= Fu + (t / 2 + 4 / N) * U2 + (MD - E2) / 16 + N / 16 * E2.
  Proof.
    intros U2 UE UG ue H. set (h := 1 - / N).
    assert (i_one : / N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). assert (Ei : N * / N = 1) by (field; lra).
    assert (K1 : 0 <= / N * ((UG - MG) / 4)) by (apply Rmult_le_pos; lra).
    assert (K2 : 0 <= / N * (2 * (U2 + N * h / 8 * UE + (N * h / 16) ^ 2 * E2))) by (apply Rmult_le_pos; [lra | pose proof (ue (N * h / 16)); lra]).
    assert (K3 : 0 <= / N * (5 / 32 * (G2 - 2 * (N * h / 5) * EG + (N * h / 5) ^ 2 * E2))).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. destruct (Req_dec (N * h) 0) as [Z|Z]; [rewrite Z; lra|].
      pose proof (eg (- (5 / (N * h)))) as Q. apply Rmult_le_compat_l with (r := (N * h / 5) ^ 2) in Q; [|apply pow2_ge_0].
      replace ((N * h / 5) ^ 2 * (E2 + 2 * - (5 / (N * h)) * EG + (- (5 / (N * h))) ^ 2 * G2)) with (G2 - 2 * (N * h / 5) * EG + (N * h / 5) ^ 2 * E2) in Q.
      - lra.
      - assert (N <> 0) by lra. assert (h <> 0) by (intros Hh; rewrite Hh in Z; lra). field. split; assumption. }
    assert (K4 : 0 <= / N * (((MD - E2) + 2 * (MX - EG) + (MG - G2)) / 32)) by (apply Rmult_le_pos; [lra | pose proof (apart 1); lra]).
    assert (K5 : 0 <= / N * ((MG - G2) / 8)) by (apply Rmult_le_pos; lra).
    assert (K6 : 0 <= (N / 16 - h / 16 - N * h ^ 2 * (29 / 640)) * E2).
    { apply Rmult_le_pos; [|exact E2_nonneg]. assert (Eh : N * h = N - 1) by (unfold h; lra).
      replace (N * h ^ 2) with ((N - 1) * h) by (rewrite <- Eh; ring). assert ((N - 1) * h <= (N - 1) * 1) by (apply Rmult_le_compat_l; unfold h; lra). unfold h in *. lra. }
    assert (E : Fu + (t / 2 + 4 / N) * U2 + (MD - E2) / 16 + N / 16 * E2 - drawn (t / 2 + 2 / N) (1 / 4) (1 / 16) U2 UE UG
      = / N * ((UG - MG) / 4) + / N * (2 * (U2 + N * h / 8 * UE + (N * h / 16) ^ 2 * E2)) + / N * (5 / 32 * (G2 - 2 * (N * h / 5) * EG + (N * h / 5) ^ 2 * E2))
        + / N * (((MD - E2) + 2 * (MX - EG) + (MG - G2)) / 32) + / N * ((MG - G2) / 8) + (N / 16 - h / 16 - N * h ^ 2 * (29 / 640)) * E2).
    { unfold drawn, h. field. lra. }
    lra.
  Qed.
  (* The same for the best rate, (1 - t/16)^2: other weights, and V without the strongly convex part of P. *)
  Lemma best_scalars : forall Fp, N * t <= 7 -> let q := 1 - t / 16 in let UG := q * PG - EG / 16 in
    Fu + (PG - UG) <= Fp -> Fu + MG / 2 <= UG -> MG / 2 <= Fu ->
    drawn (4 / N - t / 4) (1 / 2) (3 / 8) (q ^ 2 * P2 - q / 8 * PE + E2 / 256) (q * PE - E2 / 16) UG <= q ^ 2 * (Fp + (4 / N - t / 4) * P2 - 1 / 2 * PE + N / 32 * E2 + 3 / 8 * MD).
  Proof.
    intros Fp HNt q UG H1 H2 H3. set (x := t / 16). set (y := N * x). set (C := 3 / 32 - x * y / 2). set (D := 3 / 8 * (1 - 2 * y + x * y)).
    set (A := (1 - y) * (2 - x - / N) / 32 + D * / N - (1 - y) * / N / 64 - (1 - / N) / 32).
    assert (i_one : / N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). assert (Ei : N * / N = 1) by (field; lra).
    assert (Hx : 0 <= x <= 1 / 16) by (unfold x; lra).
    assert (Hy : 0 <= y <= 7 / 16) by (unfold y, x; split; [apply Rmult_le_pos|]; lra).
    assert (Hxy : 0 <= x * y <= 7 / 256) by (split; nra).
    assert (HC : 41 / 512 <= C) by (unfold C; lra). assert (HD : 3 / 8 * (1 - 2 * y) <= D) by (unfold D; lra).
    assert (Hxi : x <= 1 / 2 * / N) by (apply Rmult_le_reg_l with N; [lra|]; fold y; lra).
    assert (K1 : 0 <= q ^ 2 * (Fp - Fu - (PG - UG))) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]).
    assert (K2 : 0 <= (1 / 2 * / N + q * x) * (UG - Fu - MG / 2)) by (apply Rmult_le_pos; [unfold q; fold x; nra | lra]).
    assert (K3 : 0 <= (1 / 2 * / N - x) * (Fu - MG / 2)) by (apply Rmult_le_pos; lra).
    assert (K4 : 0 <= (1 - y) / 32 * / N * (E2 + 2 * EG + G2)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | pose proof (eg 1); lra]).
    assert (K5 : 0 <= (A - (1 - y) / 32 * / N) * E2).
    { apply Rmult_le_pos; [|exact E2_nonneg]. assert (0 <= (1 - y) * (2 - x) / 32 - 1 / 32) by nra.
      assert (0 <= / N * (D + 1 / 32 - (1 - y) * (5 / 64))) by (apply Rmult_le_pos; lra). unfold A. lra. }
    assert (K6 : 0 <= (C - (1 - y) / 32) * / N * G2) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | exact G2_nonneg]).
    assert (K7 : 0 <= / N * (1 / 64 * ((MD - E2) + 4 * (MX - EG) + 4 * (MG - G2)))) by (apply Rmult_le_pos; [lra | pose proof (apart 2); lra]).
    assert (K8 : 0 <= / N * ((D - 3 / 64) * (MD - E2))) by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; [lra | pose proof (apart 0); lra]).
    assert (K9 : 0 <= / N * ((C - 1 / 16) * (MG - G2))) by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; lra).
    assert (E : q ^ 2 * (Fp + (4 / N - t / 4) * P2 - 1 / 2 * PE + N / 32 * E2 + 3 / 8 * MD) - drawn (4 / N - t / 4) (1 / 2) (3 / 8) (q ^ 2 * P2 - q / 8 * PE + E2 / 256) (q * PE - E2 / 16) UG
      = q ^ 2 * (Fp - Fu - (PG - UG)) + (1 / 2 * / N + q * x) * (UG - Fu - MG / 2) + (1 / 2 * / N - x) * (Fu - MG / 2)
        + (1 - y) / 32 * / N * (E2 + 2 * EG + G2) + (A - (1 - y) / 32 * / N) * E2 + (C - (1 - y) / 32) * / N * G2
        + / N * (1 / 64 * ((MD - E2) + 4 * (MX - EG) + 4 * (MG - G2))) + / N * ((D - 3 / 64) * (MD - E2)) + / N * ((C - 1 / 16) * (MG - G2))).
    { unfold drawn, UG, A, C, D, y, x, q. field. lra. }
    lra.
  Qed.
End Scalars.

(* Means of vectors. *)
Lemma avg_dot_r : forall n d a (v : nat -> nat -> R), avg n (fun i => dot d a (v i)) = dot d a (fun j => avg n (fun i => v i j)).
Proof.
  intros n d a v. unfold dot, avg, Rdiv. rewrite bsum_swap, Rmult_comm, <- bsum_scal. apply bsum_ext. intros j _. rewrite bsum_scal. ring.
Qed.

Lemma spread : forall n d (v : nat -> nat -> R), (0 < n)%nat ->
  avg n (fun i => norm2 d (fun j => v i j - avg n (fun k => v k j))) = avg n (fun i => norm2 d (v i)) - norm2 d (fun j => avg n (fun k => v k j)).
Proof.
  intros n d v Hn. set (m := fun j => avg n (fun k => v k j)).
  rewrite (avg_ext n _ (fun i => norm2 d (v i) - 2 * dot d m (v i) + norm2 d m)) by (intros; unfold m; rewrite norm2_minus, (dot_comm d (v i)); reflexivity).
  rewrite avg_plus, avg_minus, avg_const, avg_scal, avg_dot_r by exact Hn. fold m. unfold norm2. ring.
Qed.

Lemma norm2_of_mean : forall n d (v : nat -> nat -> R), (0 < n)%nat -> norm2 d (fun j => avg n (fun k => v k j)) <= avg n (fun i => norm2 d (v i)).
Proof.
  intros n d v Hn. pose proof (spread n d v Hn) as H.
  assert (0 <= avg n (fun i => norm2 d (fun j => v i j - avg n (fun k => v k j)))) by (apply avg_nonneg; [exact Hn | intros; apply norm2_nonneg]). lra.
Qed.

Lemma norm2_along : forall d s a b, norm2 d (fun j => a j + s * b j) = norm2 d a + 2 * s * dot d a b + s ^ 2 * norm2 d b.
Proof. intros. rewrite norm2_plus, norm2_scal, dot_scal_r. ring. Qed.

Section Sag.
  Variables (n d : nat) (X : nat -> nat -> R) (phi dphi : nat -> R -> R) (gamma lam R2 : R) (w_opt : nat -> R).
  Hypothesis n_pos : (0 < n)%nat.
  Hypothesis gamma_pos : 0 < gamma.
  Hypothesis lam_pos : 0 < lam.
  Hypothesis R2_pos : 0 < R2.
  Hypothesis losses : forall i, (i < n)%nat -> smooth_loss (phi i) (dphi i) gamma.
  Hypothesis rows : forall i, (i < n)%nat -> norm2 d (X i) <= R2.
  Hypothesis optimal : forall j, (j < d)%nat -> gradient n d X dphi lam w_opt j = 0.
  Let L := R2 / gamma + lam.
  Let N := INR n.
  Let t := lam / L.
  Let rho := sag_rho n lam L.
  Let PP := P n d X phi lam.
  Let to_go w := PP w - PP w_opt.
  Let z i w := dot d (X i) w.
  Let at_opt i := dphi i (z i w_opt).
  Let u_of w : nat -> R := fun j => w j - w_opt j.
  (* In units of L: slopes less those at the optimum, of the rows at w and of the table c; their means. *)
  Let g w i : nat -> R := fun j => (dphi i (z i w) - at_opt i) / L * X i j.
  Let e c i : nat -> R := fun j => (c i - at_opt i) / L * X i j.
  Let mean (v : nat -> nat -> R) : nat -> R := fun j => avg n (fun i => v i j).
  Let size (v : nat -> nat -> R) := avg n (fun i => norm2 d (v i)).
  Let above w i := phi i (z i w) - phi i (z i w_opt) - at_opt i * (z i w - z i w_opt).
  Let F w := avg n (above w) / L.
  Let weighed x y v w c := F w + x * norm2 d (u_of w) - y * dot d (u_of w) (mean (e c)) + N / 32 * norm2 d (mean (e c)) + v * size (e c).
  Let V := weighed (t / 2 + 2 / N) (1 / 4) (1 / 16).
  Let draw w c i := upd c i (dphi i (z i w)).

  Let N_range : 1 <= N. Proof. unfold N. change 1 with (INR 1). apply le_INR. lia. Qed.
  Let share_pos : 0 < R2 / gamma. Proof. apply Rdiv_lt_0_compat; lra. Qed.
  Let L_pos : 0 < L. Proof. unfold L. lra. Qed.
  Let t_range : 0 < t <= 1.
  Proof.
    unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with L; [exact L_pos|]. replace (lam / L * L) with lam by (field; lra). unfold L. lra.
  Qed.
  Let rho_range : 0 <= rho /\ rho <= t / 16 /\ N * rho <= 1 / 8.
  Proof.
    unfold rho, sag_rho. fold N. assert (H1 : 0 < lam / (16 * L)) by (apply Rdiv_lt_0_compat; lra). assert (H2 : 0 < 1 / (8 * N)) by (apply Rdiv_lt_0_compat; lra).
    split; [apply Rmin_glb; lra|]. split.
    - replace (t / 16) with (lam / (16 * L)) by (unfold t; field; lra). apply Rmin_l.
    - apply Rle_trans with (N * (1 / (8 * N))); [apply Rmult_le_compat_l; [lra | apply Rmin_r] | right; field; lra].
  Qed.

  (* The mean of the table's gradients at the optimum is -lam w_opt. *)
  Lemma slopes_at_opt : forall j, (j < d)%nat -> avg n (fun i => at_opt i * X i j) = - lam * w_opt j.
  Proof.
    intros j Hj. pose proof (optimal j Hj) as H. unfold gradient, row_gradient in H. rewrite avg_plus, avg_const in H by exact n_pos. unfold at_opt, z. lra.
  Qed.

  Lemma to_go_as_mean : forall w, to_go w / L = F w + t / 2 * norm2 d (u_of w).
  Proof.
    intros w. unfold to_go, PP, P, F, above. rewrite !avg_minus. unfold u_of. rewrite norm2_minus.
    assert (E : avg n (fun i => at_opt i * (z i w - z i w_opt)) = - lam * (dot d w_opt w - norm2 d w_opt)).
    { rewrite (avg_ext n _ (fun i => dot d (fun j => w j - w_opt j) (fun j => at_opt i * X i j)))
        by (intros; unfold z; rewrite dot_scal_r, dot_minus_l, !(dot_comm d _ (X i)); reflexivity).
      rewrite avg_dot_r, (dot_ext d _ (fun j => w j - w_opt j) _ (fun j => - lam * w_opt j)) by (intros; auto using slopes_at_opt).
      rewrite dot_scal_r, dot_minus_l, (dot_comm d w w_opt). unfold norm2. ring. }
    rewrite E. unfold z, t. rewrite (dot_comm d w w_opt). field. lra.
  Qed.

  Lemma apart_from_mean : forall a b s, 0 <= (size a - norm2 d (mean a)) + 2 * s * (avg n (fun i => dot d (a i) (b i)) - dot d (mean a) (mean b))
    + s ^ 2 * (size b - norm2 d (mean b)).
  Proof.
    intros a b s. pose proof (norm2_of_mean n d (fun i j => a i j + s * b i j) n_pos) as H.
    rewrite (norm2_ext d _ (fun j => mean a j + s * mean b j)), norm2_along in H by (intros; rewrite avg_plus, avg_scal; reflexivity).
    rewrite (avg_ext n _ (fun i => norm2 d (a i) + 2 * s * dot d (a i) (b i) + s ^ 2 * norm2 d (b i))), !avg_plus, !avg_scal in H by (intros; apply norm2_along).
    unfold size. lra.
  Qed.

  (* The row that was drawn comes new into the table. *)
  Lemma drawn_row : forall w c i, (i < n)%nat ->
    (forall j, (j < d)%nat -> mean (e (draw w c i)) j = mean (e c) j + / N * (g w i j - e c i j))
    /\ size (e (draw w c i)) = size (e c) + / N * (norm2 d (g w i) - norm2 d (e c i)).
  Proof.
    intros w c i Hi.
    assert (Hother : forall k, k <> i -> e (draw w c i) k = e c k) by (intros k Hk; unfold e, draw; rewrite upd_other by exact Hk; reflexivity).
    assert (Hsame : e (draw w c i) i = g w i) by (unfold e, draw, g; rewrite upd_same; reflexivity). split.
    - intros j _. unfold mean. rewrite (avg_change n i (fun k => e c k j)) by (try exact Hi; intros; rewrite Hother by assumption; reflexivity).
      rewrite Hsame. fold N. field. lra.
    - unfold size. rewrite (avg_change n i (fun k => norm2 d (e c k))) by (try exact Hi; intros; rewrite Hother by assumption; reflexivity).
      rewrite Hsame. fold N. field. lra.
  Qed.

  Lemma mean_drawn : forall x y v w c, avg n (fun i => weighed x y v w (draw w c i))
    = drawn N (norm2 d (mean (e c))) (dot d (mean (e c)) (mean (g w))) (size (e c)) (avg n (fun i => dot d (e c i) (g w i))) (size (g w)) (F w) x y v
        (norm2 d (u_of w)) (dot d (u_of w) (mean (e c))) (dot d (u_of w) (mean (g w))).
  Proof.
    intros x y v w c. set (u := u_of w). set (m := mean (e c)).
    rewrite (avg_ext n _ (fun i =>
      (F w + x * norm2 d u - y * dot d u m + N / 32 * norm2 d m + v * size (e c))
      + (- y * / N * dot d u (g w i) + y * / N * dot d u (e c i) + / 16 * dot d m (g w i) - / 16 * dot d m (e c i)
         + (/ N / 32 + v * / N) * norm2 d (g w i) - / N / 16 * dot d (e c i) (g w i) + (/ N / 32 - v * / N) * norm2 d (e c i)))).
    2:{ intros i Hi. destruct (drawn_row w c i Hi) as [Em Es]. unfold weighed. fold u. rewrite Es.
        rewrite (dot_ext d u u _ (fun j => m j + / N * (g w i j - e c i j))) by (intros; try reflexivity; apply Em; assumption).
        rewrite (norm2_ext d (mean (e (draw w c i))) (fun j => m j + / N * (g w i j - e c i j))) by exact Em.
        rewrite norm2_along, norm2_minus, dot_plus_r, dot_scal_r, !dot_minus_r, (dot_comm d (g w i) (e c i)). field. lra. }
    rewrite avg_plus, avg_const by exact n_pos. rewrite !avg_plus, !avg_minus, !avg_plus, !avg_minus, !avg_plus, !avg_scal, !avg_dot_r.
    change (fun j => avg n (fun i => g w i j)) with (mean (g w)). change (fun j => avg n (fun i => e c i j)) with m.
    change (avg n (fun i => norm2 d (g w i))) with (size (g w)). change (avg n (fun i => norm2 d (e c i))) with (size (e c)).
    unfold drawn. change (dot d m m) with (norm2 d m). field. lra.
  Qed.

  (* Convexity and smoothness, in the mean. *)
  Lemma row_size : forall w i, (i < n)%nat -> norm2 d (g w i) <= gamma / L * (dphi i (z i w) - at_opt i) ^ 2.
  Proof.
    intros w i Hi. unfold g. rewrite norm2_scal. set (s := dphi i (z i w) - at_opt i).
    apply Rle_trans with ((s / L) ^ 2 * (gamma * L)); [|right; field; lra]. apply Rmult_le_compat_l; [apply pow2_ge_0|].
    eapply Rle_trans; [apply rows, Hi|]. unfold L. replace (gamma * (R2 / gamma + lam)) with (R2 + gamma * lam) by (field; lra).
    assert (0 < gamma * lam) by (apply Rmult_lt_0_compat; lra). lra.
  Qed.

  Lemma slopes_along : forall w v, avg n (fun i => (dphi i (z i w) - at_opt i) * dot d (X i) v) / L = dot d v (mean (g w)).
  Proof.
    intros w v. unfold mean. rewrite <- avg_dot_r. unfold Rdiv at 1. rewrite Rmult_comm, <- avg_scal. apply avg_ext. intros i _. unfold g.
    rewrite dot_scal_r, (dot_comm d v). field. lra.
  Qed.

  Lemma mean_below : forall f h, (forall i, (i < n)%nat -> f i <= h i) -> avg n f / L <= avg n h / L.
  Proof. intros f h H. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, L_pos | apply avg_le; assumption]. Qed.

  Lemma size_as_mean : forall w, size (g w) / 2 = avg n (fun i => L / 2 * norm2 d (g w i)) / L.
  Proof. intros w. rewrite avg_scal. unfold size. field. lra. Qed.

  Lemma half_size : forall w i, (i < n)%nat -> L / 2 * norm2 d (g w i) <= gamma / 2 * (dphi i (z i w) - at_opt i) ^ 2.
  Proof.
    intros w i Hi. pose proof (row_size w i Hi) as H. apply Rmult_le_compat_l with (r := L / 2) in H; [|lra].
    replace (L / 2 * (gamma / L * (dphi i (z i w) - at_opt i) ^ 2)) with (gamma / 2 * (dphi i (z i w) - at_opt i) ^ 2) in H by (field; lra). exact H.
  Qed.

  Lemma sizes_below : forall w, size (g w) / 2 <= F w.
  Proof.
    intros w. rewrite size_as_mean. apply mean_below. intros i Hi. eapply Rle_trans; [apply half_size, Hi|].
    apply (above_tangent n phi dphi gamma gamma_pos losses i (z i w) (z i w_opt) Hi).
  Qed.

  Lemma cocoercive : forall w, F w + size (g w) / 2 <= dot d (u_of w) (mean (g w)).
  Proof.
    intros w. rewrite size_as_mean, <- slopes_along. unfold F. rewrite <- Rdiv_plus_distr, <- avg_plus. apply mean_below. intros i Hi.
    pose proof (half_size w i Hi) as H. pose proof (above_tangent n phi dphi gamma gamma_pos losses i (z i w_opt) (z i w) Hi) as H1.
    replace ((dphi i (z i w_opt) - dphi i (z i w)) ^ 2) with ((dphi i (z i w) - at_opt i) ^ 2) in H1 by (unfold at_opt; ring).
    unfold above, u_of. rewrite dot_minus_r. fold (z i w) (z i w_opt). lra.
  Qed.

  Lemma tangent_of_F : forall p w, F w + (dot d (u_of p) (mean (g w)) - dot d (u_of w) (mean (g w))) <= F p.
  Proof.
    intros p w. rewrite <- !slopes_along. unfold F. set (s := fun i => dphi i (z i w) - at_opt i).
    apply Rle_trans with (avg n (fun i => above w i + (s i * dot d (X i) (u_of p) - s i * dot d (X i) (u_of w))) / L).
    - rewrite avg_plus, avg_minus. right. unfold s. field. lra.
    - apply mean_below. intros i Hi. destruct (losses i Hi) as (Hc & Hd & _).
      pose proof (tangent_below (phi i) _ _ (z i p) Hc (Hd (z i w))) as H. unfold above, s, u_of. rewrite !dot_minus_r. fold (z i p) (z i w) (z i w_opt). lra.
  Qed.

  (* One step, from any point and table. *)
  Let next w c := sag_next n X lam (1 / (16 * L)) w c.
  Lemma next_from_opt : forall w c j, (j < d)%nat -> u_of (next w c) j = (1 - t / 16) * u_of w j + - (1 / 16) * mean (e c) j.
  Proof.
    intros w c j Hj. unfold u_of, next, sag_next, mean, e.
    rewrite (avg_ext n (fun i => (c i - at_opt i) / L * X i j) (fun i => / L * (c i * X i j - at_opt i * X i j))) by (intros; field; lra).
    rewrite avg_scal, avg_minus, slopes_at_opt by exact Hj. unfold t. field. lra.
  Qed.

  Lemma sag_decrease : forall p c, avg n (fun i => V (next p c) (draw (next p c) c i)) <= (1 - rho) * V p c.
  Proof.
    intros p c. set (w := next p c). unfold V; rewrite mean_drawn. set (q := 1 - t / 16). destruct rho_range as (Hr0 & Hr1 & Hr2).
    set (m := mean (e c)). set (h := mean (g w)). set (P2 := norm2 d (u_of p)).
    assert (Eu : forall v, dot d (u_of w) v = q * dot d (u_of p) v - dot d m v / 16).
    { intros v. rewrite (dot_ext d _ (fun j => q * u_of p j + - (1 / 16) * m j) v v) by (intros; auto; apply next_from_opt; assumption).
      rewrite (dot_comm d (fun j => _ + _)), dot_plus_r, !dot_scal_r, !(dot_comm d v). field. }
    assert (E2 : norm2 d (u_of w) = q ^ 2 * P2 - q / 8 * dot d (u_of p) m + norm2 d m / 256).
    { unfold norm2 at 1. rewrite Eu, (dot_comm d (u_of p)), (dot_comm d m), !Eu, (dot_comm d m (u_of p)). unfold P2, norm2. field. }
    rewrite E2, !Eu. change (dot d m m) with (norm2 d m). unfold V, weighed. fold P2 m.
    pose proof (sizes_below w). pose proof (cocoercive w) as HC. pose proof (tangent_of_F p w) as HT. fold h in HC, HT. rewrite Eu in HC, HT.
    apply (decrease_scalars N t rho P2 (norm2 d m) (norm2 d h)); try assumption; try apply norm2_nonneg; try lra.
    - intros s. rewrite (dot_comm d (u_of p)), <- norm2_along. apply norm2_nonneg.
    - intros s. rewrite <- norm2_along. apply norm2_nonneg.
    - intros s. apply apart_from_mean.
    - apply norm2_of_mean, n_pos.
  Qed.

  Lemma to_go_below_V : forall w c, to_go w <= L * V w c.
  Proof.
    intros w c. assert (H : to_go w / L <= V w c).
    { rewrite to_go_as_mean. unfold V, weighed. set (u := u_of w). set (m := mean (e c)).
      pose proof (norm2_nonneg d (fun j => u j + - (N / 16) * m j)) as H. rewrite norm2_along in H.
      assert (H1 : 0 <= 2 / N * (norm2 d u + 2 * - (N / 16) * dot d u m + (- (N / 16)) ^ 2 * norm2 d m))
        by (apply Rmult_le_pos; [apply Rlt_le, Rdiv_lt_0_compat; lra | exact H]).
      replace (2 / N * (norm2 d u + 2 * - (N / 16) * dot d u m + (- (N / 16)) ^ 2 * norm2 d m)) with (2 / N * norm2 d u - dot d u m / 4 + N / 128 * norm2 d m) in H1
        by (field; lra).
      assert (0 <= size (e c)) by (apply avg_nonneg; [exact n_pos | intros; apply norm2_nonneg]).
      assert (0 <= N * norm2 d m) by (apply Rmult_le_pos; [lra | apply norm2_nonneg]). lra. }
    apply Rmult_le_compat_l with (r := L) in H; [|lra]. replace (L * (to_go w / L)) with (to_go w) in H by (field; lra). exact H.
  Qed.

  Lemma sag_first_draw : forall w, L * avg n (fun i => V w (draw w (fun _ => 0) i))
    <= sag_start n d X phi dphi lam L w_opt w + INR n * (lam ^ 2 * norm2 d w_opt) / (16 * L).
  Proof.
    intros w. set (c := fun _ : nat => 0). unfold V; rewrite mean_drawn. set (m := mean (e c)).
    assert (Em : forall j, (j < d)%nat -> m j = lam / L * w_opt j).
    { intros j Hj. unfold m, mean, e, c. rewrite (avg_ext n _ (fun i => - / L * (at_opt i * X i j))) by (intros; field; lra).
      rewrite avg_scal, slopes_at_opt by exact Hj. field. lra. }
    assert (E2 : norm2 d m = (lam / L) ^ 2 * norm2 d w_opt) by (rewrite (norm2_ext d m (fun j => lam / L * w_opt j)) by exact Em; apply norm2_scal).
    assert (Es : avg n (fun i => norm2 d (row_gradient d X dphi lam i w_opt)) = L ^ 2 * (size (e c) - norm2 d m)).
    { unfold size, m, mean. rewrite <- spread, <- avg_scal by exact n_pos. apply avg_ext. intros i _.
      rewrite (norm2_ext d (row_gradient d X dphi lam i w_opt) (fun j => - L * (e c i j - avg n (fun k => e c k j)))).
      - rewrite norm2_scal. ring.
      - intros j Hj. change (avg n (fun k => e c k j)) with (m j). rewrite Em by exact Hj. unfold row_gradient, e, c, at_opt, z. field. lra. }
    pose proof (sizes_below w) as H1. pose proof (cocoercive w) as H2. set (h := mean (g w)) in *.
    assert (H : drawn N (norm2 d m) (dot d m h) (size (e c)) (avg n (fun i => dot d (e c i) (g w i))) (size (g w)) (F w) (t / 2 + 2 / N) (1 / 4) (1 / 16) (norm2 d (u_of w)) (dot d (u_of w) m) (dot d (u_of w) h)
      <= F w + (t / 2 + 4 / N) * norm2 d (u_of w) + (size (e c) - norm2 d m) / 16 + N / 16 * norm2 d m).
    { apply (start_scalars N t (norm2 d m) (norm2 d h)); try assumption; try apply norm2_nonneg; try lra.
      - intros s. rewrite <- norm2_along. apply norm2_nonneg.
      - intros s. apply apart_from_mean.
      - apply norm2_of_mean, n_pos.
      - intros s. rewrite <- norm2_along. apply norm2_nonneg. }
    apply Rmult_le_compat_l with (r := L) in H; [|lra]. eapply Rle_trans; [exact H|]. right. unfold sag_start. fold PP. fold (to_go w).
    change (norm2 d (fun j => w j - w_opt j)) with (norm2 d (u_of w)). rewrite Es.
    replace (to_go w) with (L * (to_go w / L)) by (field; lra). rewrite to_go_as_mean, E2. fold N. field. split; lra.
  Qed.

  Theorem sag_outside : forall k w,
    Expect n (sag_step n d X dphi lam (1 / (16 * L))) k (fun s => P n d X phi lam (fst s) - P n d X phi lam w_opt) (w, fun _ => 0)
    <= (1 - sag_rho n lam L) ^ k * (sag_start n d X phi dphi lam L w_opt w + INR n * (lam ^ 2 * norm2 d w_opt) / (16 * L)).
  Proof.
    intros k w. destruct rho_range as (Hr0 & Hr1 & _). set (W := fun s : (nat -> R) * (nat -> R) => L * avg n (fun i => V (fst s) (draw (fst s) (snd s) i))).
    apply Rle_trans with (Expect n (sag_step n d X dphi lam (1 / (16 * L))) k W (w, fun _ => 0)).
    - apply (Expect_le n _ (fun _ => True)); auto. intros s _. unfold W. rewrite <- avg_scal, <- (avg_const n (_ - _) n_pos). apply avg_le; [exact n_pos|].
      intros i _. apply to_go_below_V.
    - eapply Rle_trans; [apply (Expect_contract n _ (fun _ => True) n_pos) with (r := 1 - sag_rho n lam L); auto|].
      + fold rho. lra.
      + intros s _. unfold W. rewrite avg_scal. replace ((1 - sag_rho n lam L) * (L * _)) with (L * ((1 - rho) * avg n (fun i => V (fst s) (draw (fst s) (snd s) i)))) by (unfold rho; ring).
        apply Rmult_le_compat_l; [lra|]. rewrite <- avg_scal. apply avg_le; [exact n_pos|]. intros i _.
        apply (sag_decrease (fst s) (draw (fst s) (snd s) i)).
      + apply Rmult_le_compat_l; [apply pow_le; fold rho; lra | apply sag_first_draw].
  Qed.

  (* The best rate. *)
  Let W := weighed (4 / N - t / 4) (1 / 2) (3 / 8).

  Lemma best_as_W : forall w c, sag_best n d X phi dphi lam L w_opt w c = L * W w c.
  Proof.
    intros w c. unfold sag_best. change (P n d X phi lam w - P n d X phi lam w_opt) with (to_go w). set (u := fun j => w j - w_opt j).
    assert (Ee : forall i j, (c i - dphi i (dot d (X i) w_opt)) * X i j = L * e c i j) by (intros i j; unfold e, at_opt, z; field; lra).
    assert (Em : forall j, avg n (fun i => (c i - dphi i (dot d (X i) w_opt)) * X i j) = L * mean (e c) j).
    { intros j. unfold mean. rewrite <- avg_scal. apply avg_ext. intros i _. apply Ee. }
    rewrite (dot_ext d u u _ (fun j => L * mean (e c) j)) by (intros; try reflexivity; apply Em).
    rewrite (norm2_ext d (fun j => avg n _) (fun j => L * mean (e c) j)) by (intros; apply Em).
    rewrite (avg_ext n _ (fun i => L ^ 2 * norm2 d (e c i))).
    2:{ intros i _. rewrite (norm2_ext d _ (fun j => L * e c i j)) by (intros; apply Ee). apply norm2_scal. }
    rewrite norm2_scal, dot_scal_r, avg_scal. replace (to_go w) with (L * (to_go w / L)) by (field; lra). rewrite to_go_as_mean.
    unfold W, weighed, size. change (u_of w) with u. unfold t. fold N. field. lra.
  Qed.

  (* From any point and table, in one step; V bounds the squared distance. *)
  Theorem sag_best_rate : INR n * lam <= 7 * L -> forall p c, let w := sag_next n X lam (1 / (16 * L)) p c in
    (2 * L / INR n - lam / 4) * norm2 d (fun j => p j - w_opt j) <= sag_best n d X phi dphi lam L w_opt p c
    /\ avg n (fun i => sag_best n d X phi dphi lam L w_opt w (upd c i (dphi i (dot d (X i) w)))) <= (1 - lam / (16 * L)) ^ 2 * sag_best n d X phi dphi lam L w_opt p c.
  Proof.
    intros Hn p c w. assert (HNt : N * t <= 7).
    { unfold t. apply Rmult_le_reg_r with L; [exact L_pos|]. replace (N * (lam / L) * L) with (N * lam) by (field; lra). exact Hn. }
    set (m := mean (e c)). set (P2 := norm2 d (u_of p)). split.
    - rewrite best_as_W. assert (H : (2 / N - t / 4) * P2 <= W p c).
      { unfold W, weighed. fold P2 m. pose proof (sizes_below p) as HF. assert (0 <= size (g p)) by (apply avg_nonneg; [exact n_pos | intros; apply norm2_nonneg]).
        assert (0 <= size (e c)) by (apply avg_nonneg; [exact n_pos | intros; apply norm2_nonneg]).
        pose proof (norm2_nonneg d (fun j => u_of p j + - (N / 8) * m j)) as Hs. rewrite norm2_along in Hs. fold P2 in Hs.
        assert (H1 : 0 <= 2 / N * (P2 + 2 * - (N / 8) * dot d (u_of p) m + (- (N / 8)) ^ 2 * norm2 d m))
          by (apply Rmult_le_pos; [apply Rlt_le, Rdiv_lt_0_compat; lra | exact Hs]).
        replace (2 / N * (P2 + 2 * - (N / 8) * dot d (u_of p) m + (- (N / 8)) ^ 2 * norm2 d m)) with (2 / N * P2 - dot d (u_of p) m / 2 + N / 32 * norm2 d m) in H1
          by (field; lra). replace (4 / N) with (2 / N + 2 / N) by (field; lra). lra. }
      apply Rmult_le_compat_l with (r := L) in H; [|lra]. eapply Rle_trans; [|exact H]. right. unfold P2, u_of, t. fold N. field. lra.
    - rewrite (avg_ext n _ (fun i => L * W w (draw w c i))) by (intros; apply best_as_W). rewrite avg_scal, best_as_W.
      replace ((1 - lam / (16 * L)) ^ 2 * (L * W p c)) with (L * ((1 - t / 16) ^ 2 * W p c)) by (unfold t; field; lra).
      apply Rmult_le_compat_l; [lra|]. unfold W; rewrite mean_drawn. set (q := 1 - t / 16). set (h := mean (g w)). fold m.
      assert (Eu : forall v, dot d (u_of w) v = q * dot d (u_of p) v - dot d m v / 16).
      { intros v. rewrite (dot_ext d _ (fun j => q * u_of p j + - (1 / 16) * m j) v v) by (intros; auto; apply next_from_opt; assumption).
        rewrite (dot_comm d (fun j => _ + _)), dot_plus_r, !dot_scal_r, !(dot_comm d v). field. }
      assert (E2 : norm2 d (u_of w) = q ^ 2 * P2 - q / 8 * dot d (u_of p) m + norm2 d m / 256).
      { unfold norm2 at 1. rewrite Eu, (dot_comm d (u_of p)), (dot_comm d m), !Eu, (dot_comm d m (u_of p)). unfold P2, norm2. field. }
      rewrite E2, !Eu. change (dot d m m) with (norm2 d m). unfold W, weighed. fold P2 m.
      pose proof (sizes_below w). pose proof (cocoercive w) as HC. pose proof (tangent_of_F p w) as HT. fold h in HC, HT. rewrite Eu in HC, HT.
      apply (best_scalars N t P2 (norm2 d m) (norm2 d h)); try assumption; try apply norm2_nonneg; try lra.
      + intros s. rewrite <- norm2_along. apply norm2_nonneg.
      + intros s. apply apart_from_mean.
      + apply norm2_of_mean, n_pos.
  Qed.
End Sag.

(* With C_0 alone, whatever its multiple, the bound is false: two equal rows, from the optimum itself, where C_0 = 0. *)
Theorem sag_published_false : forall K, ~ sag_published K.
Proof.
  intros K H.
  specialize (H 2%nat 1%nat (fun _ _ => 1) (fun _ => squared 1 1) (fun _ => squared_deriv 1 1) 1 1 1 (fun _ => 1 / 2) 1%nat (fun _ => 1 / 2)).
  assert (HL : 1 / 1 + 1 = 2) by lra. cbv zeta in H. rewrite HL in H.
  assert (H0 : sag_start 2 1 (fun _ _ => 1) (fun _ => squared 1 1) (fun _ => squared_deriv 1 1) 1 2 (fun _ => 1 / 2) (fun _ => 1 / 2) = 0).
  { unfold sag_start, P, avg, norm2, row_gradient, squared_deriv, squared, dot. cbn [bsum INR]. field. }
  rewrite H0, !Rmult_0_r in H.
  enough (0 < Expect 2 (sag_step 2 1 (fun _ _ => 1) (fun _ => squared_deriv 1 1) 1 (1 / (16 * 2))) 1
    (fun s => P 2 1 (fun _ _ => 1) (fun _ => squared 1 1) 1 (fst s) - P 2 1 (fun _ _ => 1) (fun _ => squared 1 1) 1 (fun _ => 1 / 2)) (fun _ => 1 / 2, fun _ => 0)).
  { apply (Rlt_irrefl 0). eapply Rlt_le_trans; [eassumption|]. apply H; try lra; try lia.
    - intros i _. apply squared_smooth. lra.
    - intros i _. unfold norm2, dot. cbn [bsum]. lra.
    - intros j _. unfold gradient, avg, row_gradient, squared_deriv, dot. cbn [bsum INR]. field. }
  unfold Expect, sag_step, sag_next, P, avg, norm2, squared_deriv, squared, dot, upd. cbn [bsum INR fst snd Nat.eq_dec]. simpl. lra.
Qed.
