(* Ci and Si far out: the integral of e^(iu) / u from x on. Dirichlet's kernel gives the values at infinity, the
   harmonic numbers Euler's constant. *)
Require Export Slopes.
Set Implicit Arguments.
Open Scope R_scope.

Lemma d_ext (f g : R -> R) (x a : R) : (forall u : R, f u = g u) -> is_derive f x a -> is_derive g x a.
Proof. intros H. apply is_derive_ext. exact H. Qed.
Lemma mean (F f : R -> R) x y : x <= y -> (forall u, x <= u <= y -> is_derive F u (f u)) -> exists u, x <= u <= y /\ F y - F x = f u * (y - x).
Proof.
  intros L D. destruct (MVT_gen F x y f) as (u & U & E).
  - intros u U. rewrite Rmin_left, Rmax_right in U by lra. apply D; lra.
  - intros u U. rewrite Rmin_left, Rmax_right in U by lra. apply derivable_continuous_pt. exists (f u). apply is_derive_Reals, D; lra.
  - rewrite Rmin_left, Rmax_right in U by lra. exists u; auto.
Qed.
(* A curve is no longer than what its speed allows. *)
Lemma grows (F1 F2 B f1 f2 b : R -> R) x y : x <= y ->
  (forall u, x <= u <= y -> is_derive F1 u (f1 u) /\ is_derive F2 u (f2 u) /\ is_derive B u (b u) /\ 0 <= b u /\ f1 u * f1 u + f2 u * f2 u <= b u * b u) ->
  Cmod (F1 y - F1 x, F2 y - F2 x) <= B y - B x.
Proof.
  intros L H. set (d1 := F1 y - F1 x). set (d2 := F2 y - F2 x). set (s := Cmod (d1, d2)). assert (S0 : 0 <= s) by apply Cmod_ge_0.
  assert (SS : s * s = d1 * d1 + d2 * d2). { unfold s, Cmod; cbn [fst snd]. rewrite sqrt_sqrt; nra. }
  destruct (@mean B b x y L) as (v & V & EB). intros; apply H; auto. assert (BV : 0 <= b v) by (apply H; auto). assert (PB : 0 <= B y - B x) by (rewrite EB; nra).
  destruct (@mean (fun u => d1 * F1 u + d2 * F2 u - s * B u) (fun u => d1 * f1 u + d2 * f2 u - s * b u) x y L) as (w & W & E).
  - intros u U. destruct (H u U) as (D1 & D2 & DB & _). apply (is_derive_minus (K := R_AbsRing) (V := R_NormedModule)). apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule)); apply is_derive_scal; auto. apply is_derive_scal; auto.
  - destruct (H w W) as (_ & _ & _ & BW & Q).
    assert (N : d1 * f1 w + d2 * f2 w <= s * b w).
    { apply Rsqr_incr_0_var; [|nra]. unfold Rsqr. replace (s * b w * (s * b w)) with ((d1 * d1 + d2 * d2) * (b w * b w)) by (rewrite <- SS; ring).
      apply Rle_trans with ((d1 * d1 + d2 * d2) * (f1 w * f1 w + f2 w * f2 w)). pose proof (Rle_0_sqr (d1 * f2 w - d2 * f1 w)) as P. unfold Rsqr in P. nra. apply Rmult_le_compat_l; nra. }
    assert (M : d1 * d1 + d2 * d2 - s * (B y - B x) <= 0). { replace (d1 * d1 + d2 * d2 - s * (B y - B x)) with ((d1 * f1 w + d2 * f2 w - s * b w) * (y - x)) by (rewrite <- E; unfold d1, d2; ring). nra. }
    destruct (Req_dec s 0) as [Z|Z]. lra. apply Rmult_le_reg_l with s; lra.
Qed.
Definition ci1 (y : R) : R := RInt cin 0 y.
Definition si1 (y : R) : R := RInt sinc1 0 y.
Lemma ci1_slope y : is_derive ci1 y (cin y). Proof. apply ci_slope. Qed.
Lemma si1_slope y : is_derive si1 y (sinc1 y). Proof. apply integral_slope, sinc1_continuous. Qed.
Lemma sinc1_div t : t <> 0 -> sinc1 t = sin t / t. Proof. intros N. unfold sinc1. destruct Req_EM_T; [contradiction|reflexivity]. Qed.
Lemma circle c t : 0 <= c -> Cmod (c * sin t, c * cos t) = c.
Proof.
  intros P. unfold Cmod; cbn [fst snd]. replace ((c * sin t) ^ 2 + (c * cos t) ^ 2) with (c * c * (Rsqr (sin t) + Rsqr (cos t))) by (unfold Rsqr; ring). rewrite sin2_cos2, Rmult_1_r. apply sqrt_square; auto.
Qed.
Lemma circle' c t : 0 <= c -> Cmod (c * sin t, - (c * cos t)) = c.
Proof. intros P. rewrite <- (@circle c t P) at 3. unfold Cmod; cbn [fst snd]. f_equal. ring. Qed.
Lemma apart_by (a b c d : R) : Cmod (a + c, b + d) <= Cmod (a, b) + Cmod (c, d).
Proof. exact (Cmod_triangle (a, b) (c, d)). Qed.

(* From x to y. *)
Lemma far_parts x y : 0 < x -> x <= y -> Cmod (ci1 y + ln y - (ci1 x + ln x), si1 y - si1 x) <= 2 / x.
Proof.
  intros P L. assert (Q : Cmod ((ci1 y + ln y - sin y / y) - (ci1 x + ln x - sin x / x), (si1 y + cos y / y) - (si1 x + cos x / x)) <= - / y - - / x).
  { apply (@grows (fun u => ci1 u + ln u - sin u / u) (fun u => si1 u + cos u / u) (fun u => - / u) (fun u => sin u / (u * u)) (fun u => - (cos u / (u * u))) (fun u => / (u * u)) x y L).
    intros u U. assert (N : u <> 0) by lra. assert (PU : 0 < u * u) by nra. split; [|split; [|split; [|split]]].
    - apply (@d_ext (fun u => ci1 u + (ln u - sin u / u))). intros; ring.
      eapply d_eq; [|apply dR_plus; [apply ci1_slope|]]. 2: { auto_derive. split; [lra | auto]. reflexivity. } unfold cin. field; auto.
    - eapply d_eq; [|apply dR_plus; [apply si1_slope|]]. 2: { auto_derive. auto. reflexivity. } rewrite sinc1_div by auto. field; auto.
    - auto_derive; auto. field; auto.
    - left. apply Rinv_0_lt_compat; auto.
    - right. replace (sin u / (u * u) * (sin u / (u * u)) + - (cos u / (u * u)) * - (cos u / (u * u))) with ((Rsqr (sin u) + Rsqr (cos u)) * (/ (u * u) * / (u * u))) by (unfold Rsqr; field; auto).
      rewrite sin2_cos2. ring. }
  assert (IX : 0 < / x) by (apply Rinv_0_lt_compat; auto). assert (IY : 0 < / y) by (apply Rinv_0_lt_compat; lra).
  pose proof (@circle' (/ y) y ltac:(lra)) as CY. pose proof (@circle' (/ x) (x + PI) ltac:(lra)) as CX. rewrite neg_sin, neg_cos in CX.
  replace (ci1 y + ln y - (ci1 x + ln x)) with (((ci1 y + ln y - sin y / y) - (ci1 x + ln x - sin x / x)) + (/ y * sin y + / x * - sin x)) by (field; lra).
  replace (si1 y - si1 x) with (((si1 y + cos y / y) - (si1 x + cos x / x)) + (- (/ y * cos y) + - (/ x * - cos x))) by (field; lra).
  eapply Rle_trans. apply apart_by. pose proof (apart_by (/ y * sin y) (- (/ y * cos y)) (/ x * - sin x) (- (/ x * - cos x))) as A. unfold Rdiv. lra.
Qed.

(* Dirichlet's kernel. *)
Fixpoint rs (f : nat -> R) (n : nat) : R := match n with O => 0 | S k => rs f k + f k end.
Definition pc (n : nat) (t : R) : R := rs (fun k => cos (2 * INR (S k) * t) / INR (S k)) n.
Definition ps (n : nat) (t : R) : R := rs (fun k => sin (2 * INR (S k) * t) / INR (S k)) n.
Definition sines (n : nat) (t : R) : R := rs (fun k => sin (2 * INR (S k) * t)) n.
Definition cosines (n : nat) (t : R) : R := rs (fun k => cos (2 * INR (S k) * t)) n.
Lemma INR_S_ne k : INR (S k) <> 0. Proof. apply not_0_INR. discriminate. Qed.
Lemma cos_slope c t : c <> 0 -> is_derive (fun t => cos (2 * c * t) / c) t (- (2 * sin (2 * c * t))).
Proof. intros N. auto_derive; auto. field; auto. Qed.
Lemma sin_slope c t : c <> 0 -> is_derive (fun t => sin (2 * c * t) / c) t (2 * cos (2 * c * t)).
Proof. intros N. auto_derive; auto. field; auto. Qed.
Lemma pc_slope n t : is_derive (pc n) t (- (2 * sines n t)).
Proof.
  unfold pc, sines. induction n; cbn [rs]. eapply d_eq; [|apply dR_const]. ring.
  eapply d_eq; [|apply dR_plus; [exact IHn | apply cos_slope, INR_S_ne]]. ring.
Qed.
Lemma ps_slope n t : is_derive (ps n) t (2 * cosines n t).
Proof.
  unfold ps, cosines. induction n; cbn [rs]. eapply d_eq; [|apply dR_const]. ring.
  eapply d_eq; [|apply dR_plus; [exact IHn | apply sin_slope, INR_S_ne]]. ring.
Qed.
Lemma kernel_sin n t : sin t + 2 * sin t * cosines n t = sin ((2 * INR n + 1) * t).
Proof.
  unfold cosines. induction n; cbn [rs]. cbn [INR]. replace ((2 * 0 + 1) * t) with t by ring. ring.
  rewrite Rmult_plus_distr_l, <- Rplus_assoc, IHn, S_INR. set (a := 2 * (INR n + 1) * t).
  replace ((2 * INR n + 1) * t) with (a - t) by (unfold a; ring). replace ((2 * (INR n + 1) + 1) * t) with (a + t) by (unfold a; ring). rewrite sin_minus, sin_plus. ring.
Qed.
Lemma kernel_cos n t : 2 * sin t * sines n t = cos t - cos ((2 * INR n + 1) * t).
Proof.
  unfold sines. induction n; cbn [rs]. cbn [INR]. replace ((2 * 0 + 1) * t) with t by ring. ring.
  rewrite Rmult_plus_distr_l, IHn, S_INR. set (a := 2 * (INR n + 1) * t).
  replace ((2 * INR n + 1) * t) with (a - t) by (unfold a; ring). replace ((2 * (INR n + 1) + 1) * t) with (a + t) by (unfold a; ring). rewrite cos_minus, cos_plus. ring.
Qed.

(* 1 / sin t - 1 / t grows. *)
Definition phi1 (t : R) : R := / sin t - / t.
Lemma sin_above u : 0 <= u <= PI -> u * cos u <= sin u.
Proof.
  intros U. destruct (@mean (fun u => sin u - u * cos u) (fun u => u * sin u) 0 u) as (v & V & E). lra.
  intros v V. auto_derive; auto. ring. rewrite sin_0, cos_0 in E. assert (0 <= sin v) by (apply sin_ge_0; lra). assert (0 <= v * sin v * (u - 0)) by (repeat apply Rmult_le_pos; lra). lra.
Qed.
Lemma phi1_grows t : 0 < t <= PI / 2 -> 0 <= / (t * t) - cos t / (sin t * sin t).
Proof.
  intros T. pose proof PI_RGT_0. assert (S : 0 < sin t) by (apply sin_gt_0; lra).
  assert (Q : t * t * cos t <= sin t * sin t).
  { replace t with (2 * (t / 2)) by field. set (u := t / 2). assert (U : 0 < u <= PI / 4) by (unfold u; lra). rewrite cos_2a, sin_2a.
    pose proof (@sin_above u ltac:(lra)) as A. assert (C : 0 < cos u) by (apply cos_gt_0; lra). assert (A2 : u * cos u * (u * cos u) <= sin u * sin u) by (apply Rmult_le_compat; nra).
    pose proof (sin2_cos2 u) as E. unfold Rsqr in E. set (c := cos u) in *. set (s := sin u) in *.
    replace (2 * u * (2 * u) * (c * c - s * s)) with (4 * (u * u) * ((c * c - s * s) * (s * s + c * c))) by (rewrite E; ring).
    apply Rle_trans with (4 * (u * c * (u * c)) * (c * c)). 2: { replace (2 * s * c * (2 * s * c)) with (4 * (s * s) * (c * c)) by ring. nra. }
    assert (0 <= u * u * (s * s * (s * s))) by (repeat apply Rmult_le_pos; nra). nra. }
  assert (T2 : 0 < t * t) by nra. assert (S2 : 0 < sin t * sin t) by nra.
  replace (/ (t * t) - cos t / (sin t * sin t)) with ((sin t * sin t - t * t * cos t) * (/ (t * t) * / (sin t * sin t))) by (field; lra).
  apply Rmult_le_pos. lra. apply Rmult_le_pos; left; apply Rinv_0_lt_compat; auto.
Qed.
Lemma phi1_slope t : 0 < t <= PI / 2 -> is_derive phi1 t (/ (t * t) - cos t / (sin t * sin t)).
Proof.
  intros T. pose proof PI_RGT_0. assert (S : 0 < sin t) by (apply sin_gt_0; lra). unfold phi1. auto_derive. split; [lra | split; [lra | auto]]. field. lra.
Qed.
Lemma phi1_pos t : 0 < t <= PI / 2 -> 0 <= phi1 t.
Proof.
  intros T. pose proof PI_RGT_0. assert (S : 0 < sin t) by (apply sin_gt_0; lra). pose proof (sin_le t) as L. rewrite !Rabs_pos_eq in L by lra.
  unfold phi1. pose proof (Rinv_le_contravar _ _ S L). lra.
Qed.
Definition lsin (t : R) : R := ln (sinc1 t).
Lemma lsin_slope t : 0 < t <= PI / 2 -> is_derive lsin t (cos t / sin t - / t).
Proof.
  intros T. pose proof PI_RGT_0. assert (S : 0 < sin t) by (apply sin_gt_0; lra). apply (is_derive_ext_loc (fun t => ln (sin t / t))).
  - eapply filter_imp; [|exact (open_gt 0 t (proj1 T))]. intros u U. unfold lsin. rewrite sinc1_div; auto. lra.
  - assert (0 < sin t * / t) by (apply Rmult_lt_0_compat; auto; apply Rinv_0_lt_compat; lra). auto_derive. split; [lra | split; auto]. field. lra.
Qed.
Lemma by_kernel n : let y := (2 * INR n + 1) * (PI / 2) in
  Cmod (ci1 y + (pc n 0 - pc n (PI / 2)) - ln (2 / PI), si1 y - PI / 2 - (ps n (PI / 2) - ps n 0)) <= 2 / (2 * INR n + 1).
Proof.
  intros y. pose proof PI_RGT_0 as P. pose proof (pos_INR n) as PN. set (N := 2 * INR n + 1) in *. assert (N0 : 0 < N) by (unfold N; lra). set (T := PI / 2) in *. assert (T0 : 0 < T) by (unfold T; lra).
  set (w1 := fun t => ci1 (N * t) - pc n t - lsin t). set (w2 := fun t => si1 (N * t) - t - ps n t).
  assert (PT : phi1 T <= 1). { unfold phi1. unfold T at 1. rewrite sin_PI2, Rinv_1. assert (0 < / T) by (apply Rinv_0_lt_compat; auto). lra. }
  assert (PT0 : 0 <= phi1 T) by (apply phi1_pos; unfold T in *; lra).
  assert (IN : 0 < / N) by (apply Rinv_0_lt_compat; auto).
  assert (B : forall e, 0 < e <= T -> Cmod (w1 T - w1 e, w2 T - w2 e) <= 2 / N).
  { intros e E. assert (Q : Cmod ((w1 T + sin (N * T) * phi1 T / N) - (w1 e + sin (N * e) * phi1 e / N), (w2 T - cos (N * T) * phi1 T / N) - (w2 e - cos (N * e) * phi1 e / N)) <= phi1 T / N - phi1 e / N).
    { apply (@grows (fun t => w1 t + sin (N * t) * phi1 t / N) (fun t => w2 t - cos (N * t) * phi1 t / N) (fun t => phi1 t / N)
        (fun t => sin (N * t) * ((/ (t * t) - cos t / (sin t * sin t)) / N)) (fun t => - (cos (N * t) * ((/ (t * t) - cos t / (sin t * sin t)) / N))) (fun t => (/ (t * t) - cos t / (sin t * sin t)) / N) e T).
      lra. intros t U. assert (U' : 0 < t <= PI / 2) by (unfold T in *; lra). assert (S : 0 < sin t) by (apply sin_gt_0; lra).
      pose proof (phi1_slope U') as D. pose proof (phi1_grows U') as G. set (q := / (t * t) - cos t / (sin t * sin t)) in *.
      assert (LN : is_derive (fun t => N * t) t N) by (auto_derive; auto; ring).
      assert (DN : is_derive (fun t => phi1 t / N) t (q / N)) by (eapply d_eq; [|apply dR_mult; [exact D | apply dR_const]]; unfold Rdiv; ring).
      assert (SN : is_derive (fun t => sin (N * t)) t (N * cos (N * t))) by (auto_derive; auto; ring). assert (CN : is_derive (fun t => cos (N * t)) t (- (N * sin (N * t)))) by (auto_derive; auto; ring).
      assert (NT : N * t <> 0) by (apply Rgt_not_eq, Rmult_lt_0_compat; lra).
      split; [|split; [|split; [|split]]].
      - apply (@d_ext (fun t => (ci1 (N * t) - pc n t - lsin t) + sin (N * t) * (phi1 t / N))). intros; unfold w1, Rdiv; ring.
        eapply d_eq; [|apply dR_plus; [apply dR_minus; [apply dR_minus; [exact (dR_comp ci1 LN (ci1_slope (N * t))) | apply pc_slope] | apply lsin_slope; auto] | exact (dR_mult SN DN)]].
        pose proof (kernel_cos n t) as K. fold N in K. unfold cin, phi1.
        replace (cos (N * t)) with (cos t - 2 * sin t * sines n t) by (rewrite K; ring). field. split; [lra | split; lra].
      - apply (@d_ext (fun t => (si1 (N * t) - t - ps n t) - cos (N * t) * (phi1 t / N))). intros; unfold w2, Rdiv; ring.
        eapply d_eq; [|apply dR_minus; [apply dR_minus; [apply dR_minus; [exact (dR_comp si1 LN (si1_slope (N * t))) | apply is_derive_id] | apply ps_slope] | exact (dR_mult CN DN)]].
        pose proof (kernel_sin n t) as K. fold N in K. rewrite sinc1_div by auto. unfold phi1, one; simpl.
        replace (sin (N * t)) with (sin t + 2 * sin t * cosines n t) by (rewrite K; ring). field. split; [lra | split; lra].
      - exact DN.
      - apply Rmult_le_pos; lra.
      - right. replace (sin (N * t) * (q / N) * (sin (N * t) * (q / N)) + - (cos (N * t) * (q / N)) * - (cos (N * t) * (q / N))) with ((Rsqr (sin (N * t)) + Rsqr (cos (N * t))) * (q / N * (q / N))) by (unfold Rsqr; ring).
        rewrite sin2_cos2. ring. }
    assert (PE : 0 <= phi1 e) by (apply phi1_pos; unfold T in *; lra).
    pose proof (@circle' (phi1 T / N) (N * T + PI) ltac:(apply Rmult_le_pos; lra)) as CT. pose proof (@circle' (phi1 e / N) (N * e) ltac:(apply Rmult_le_pos; lra)) as CE. rewrite neg_sin, neg_cos in CT.
    replace (w1 T - w1 e) with (((w1 T + sin (N * T) * phi1 T / N) - (w1 e + sin (N * e) * phi1 e / N)) + (phi1 T / N * - sin (N * T) + phi1 e / N * sin (N * e))) by (field; lra).
    replace (w2 T - w2 e) with (((w2 T - cos (N * T) * phi1 T / N) - (w2 e - cos (N * e) * phi1 e / N)) + (- (phi1 T / N * - cos (N * T)) + - (phi1 e / N * cos (N * e)))) by (field; lra).
    eapply Rle_trans. apply apart_by. pose proof (apart_by (phi1 T / N * - sin (N * T)) (- (phi1 T / N * - cos (N * T))) (phi1 e / N * sin (N * e)) (- (phi1 e / N * cos (N * e)))) as A.
    assert (phi1 T / N <= / N) by (unfold Rdiv; nra). unfold Rdiv in *. lra. }
  assert (L0 : lsin 0 = 0). { unfold lsin, sinc1. destruct Req_EM_T; [|lra]. apply ln_1. }
  assert (LT : lsin T = ln (2 / PI)). { unfold lsin. rewrite sinc1_div by lra. unfold T. rewrite sin_PI2. f_equal. field. lra. }
  replace (ci1 y + (pc n 0 - pc n T) - ln (2 / PI)) with (w1 T - w1 0).
  2: { unfold w1. rewrite L0, LT. replace (ci1 (N * 0)) with 0. change y with (N * T). ring. unfold ci1. rewrite Rmult_0_r, RInt_point. reflexivity. }
  replace (si1 y - T - (ps n T - ps n 0)) with (w2 T - w2 0).
  2: { unfold w2. replace (si1 (N * 0)) with 0. change y with (N * T). ring. unfold si1. rewrite Rmult_0_r, RInt_point. reflexivity. }
  assert (K : continuous (fun e => Cmod (w1 T - w1 e, w2 T - w2 e)) 0).
  { assert (LN : is_derive (fun t => N * t) 0 N) by (auto_derive; auto; ring).
    assert (W1 : continuous w1 0).
    { unfold w1. apply (continuous_minus (V := R_NormedModule)). apply (continuous_minus (V := R_NormedModule)).
      apply (integral_continuous (dR_comp ci1 LN (ci1_slope (N * 0)))). apply (integral_continuous (pc_slope n 0)).
      apply (continuous_comp sinc1 ln). apply sinc1_continuous. apply continuous_ln. unfold sinc1. destruct Req_EM_T; lra. }
    assert (W2 : continuous w2 0).
    { unfold w2. apply (continuous_minus (V := R_NormedModule)). apply (continuous_minus (V := R_NormedModule)).
      apply (integral_continuous (dR_comp si1 LN (si1_slope (N * 0)))). apply continuous_id. apply (integral_continuous (ps_slope n 0)). }
    assert (C : cont_at (fun e => (w1 T - w1 e, w2 T - w2 e)) 0) by (split; cbn [fst snd]; apply (continuous_minus (V := R_NormedModule)); auto; apply continuous_const).
    exact (proj1 (cont_abs C)). }
  apply Rnot_lt_le. intros C. set (g := fun e => Cmod (w1 T - w1 e, w2 T - w2 e)) in *. change (2 / N < g 0) in C.
  assert (D : 0 < g 0 - 2 / N) by lra. destruct (proj1 (filterlim_locally g (g 0)) K (mkposreal _ D)) as [d H].
  assert (D0 : 0 < Rmin (d / 2) T) by (apply Rmin_pos; auto; pose proof (cond_pos d); lra). set (e := Rmin (d / 2) T) in *.
  assert (E1 : e <= d / 2) by apply Rmin_l. assert (E2 : e <= T) by apply Rmin_r. pose proof (cond_pos d) as D1.
  specialize (H e). assert (BE : ball 0 d e). { unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl. rewrite Ropp_0, Rplus_0_r, Rabs_pos_eq; lra. }
  specialize (H BE). unfold ball in H; simpl in H; unfold AbsRing_ball, abs, minus, plus, opp in H; simpl in H. apply Rabs_def2 in H as [_ H]. pose proof (B e ltac:(lra)) as Q. fold (g e) in Q. lra.
Qed.

(* Harmonic numbers. *)
Definition harm (n : nat) : R := rs (fun k => / INR (S k)) n.
Lemma ln_below x : 0 < x -> ln x <= x - 1.
Proof. intros P. pose proof (exp_ineq1_le (ln x)) as E. rewrite exp_ln in E by auto. lra. Qed.
Lemma harm_step n : / INR (S (S n)) <= ln (INR (S (S n))) - ln (INR (S n)).
Proof.
  pose proof (pos_INR n). rewrite !S_INR. pose proof (@ln_below ((INR n + 1) / (INR n + 1 + 1))) as L.
  rewrite ln_div in L by lra. specialize (L ltac:(apply Rdiv_lt_0_compat; lra)). replace ((INR n + 1) / (INR n + 1 + 1) - 1) with (- / (INR n + 1 + 1)) in L by (field; lra). lra.
Qed.
Lemma harm_above n : ln (INR (S n)) <= harm n.
Proof.
  unfold harm. induction n; cbn [rs]. simpl. rewrite ln_1. lra. pose proof (pos_INR n). rewrite (S_INR (S n)), (S_INR n) in *. pose proof (@ln_below ((INR n + 1 + 1) / (INR n + 1))) as L.
  rewrite ln_div in L by lra. specialize (L ltac:(apply Rdiv_lt_0_compat; lra)). replace ((INR n + 1 + 1) / (INR n + 1) - 1) with (/ (INR n + 1)) in L by (field; lra). lra.
Qed.
Definition gamma_seq (n : nat) : R := harm (S n) - ln (INR (S n)).
Lemma gamma_limit : is_lim_seq gamma_seq (fst keuler).
Proof.
  assert (E : ex_finite_lim_seq gamma_seq).
  { apply (ex_finite_lim_seq_decr _ 0).
    - intros n. unfold gamma_seq. pose proof (harm_step n). change (harm (S (S n))) with (harm (S n) + / INR (S (S n))). lra.
    - intros n. unfold gamma_seq. pose proof (harm_above (S n)). assert (ln (INR (S n)) <= ln (INR (S (S n)))).
      { apply ln_le. apply lt_0_INR; lia. apply le_INR; lia. } lra. }
  apply Lim_seq_correct' in E. unfold keuler; cbn [fst RtoC]. replace (Lim_seq _) with (Lim_seq gamma_seq); auto. apply Lim_seq_ext. intros n. unfold gamma_seq. f_equal.
  unfold harm. induction n; [simpl; ring|]. cbn [rs] in *. rewrite IHn. rewrite tech5. reflexivity.
Qed.
Lemma odd_sum m : pc (m + m) 0 - pc (m + m) (PI / 2) = 2 * harm (m + m) - harm m /\ ps (m + m) (PI / 2) - ps (m + m) 0 = 0.
Proof.
  unfold pc, ps, harm. induction m. simpl. split; ring. replace (S m + S m)%nat with (S (S (m + m))) by lia. cbn [rs]. destruct IHm as [I1 I2].
  assert (C0 : forall k, cos (2 * INR (S k) * 0) = 1 /\ sin (2 * INR (S k) * 0) = 0) by (intros; rewrite Rmult_0_r, cos_0, sin_0; auto).
  rewrite !(proj1 (C0 _)), !(proj2 (C0 _)).
  assert (A : 2 * INR (S (m + m)) * (PI / 2) = PI + 2 * INR m * PI) by (rewrite S_INR, plus_INR; field).
  assert (B : 2 * INR (S (S (m + m))) * (PI / 2) = 0 + 2 * INR (S m) * PI) by (rewrite !S_INR, plus_INR; field).
  rewrite A, B, !cos_period, !sin_period, cos_PI, cos_0, sin_PI, sin_0.
  assert (N1 : INR (S (m + m)) <> 0) by apply INR_S_ne. assert (N2 : INR (S (S (m + m))) = 2 * INR (S m)) by (rewrite !S_INR, plus_INR; ring). pose proof (INR_S_ne m) as N3. rewrite N2.
  split. 2: unfold Rdiv; lra. replace (/ (2 * INR (S m))) with (/ INR (S m) / 2) by (field; auto). unfold Rdiv in *. rewrite Rinv_mult_distr by (auto; lra). lra.
Qed.
Lemma far_end eps x : 0 < eps -> exists y, x <= y /\ Cmod (fst keuler + ln y + ci1 y, si1 y - PI / 2) <= eps.
Proof.
  intros P. pose proof PI_RGT_0 as PP. set (d := eps / 8). assert (D : 0 < d) by (unfold d; lra).
  destruct (proj2 (is_lim_seq_spec gamma_seq _) gamma_limit (mkposreal d D)) as [K H]. cbn [pos] in H.
  destruct (nfloor_ex (Rmax (Rabs x) (/ d))) as (q & _ & Q). eapply Rle_trans; [apply Rabs_pos | apply Rmax_l].
  pose proof (Rmax_l (Rabs x) (/ d)) as Q1. pose proof (Rmax_r (Rabs x) (/ d)) as Q2. pose proof (Rle_abs x) as Q3.
  set (m := S (K + q)). assert (M1 : INR q + 1 <= INR m) by (unfold m; rewrite <- S_INR; apply le_INR; lia). assert (ID : 0 < / d) by (apply Rinv_0_lt_compat; auto).
  set (N := 2 * INR (m + m) + 1). assert (EN : N = 4 * INR m + 1) by (unfold N; rewrite plus_INR; ring). assert (M0 : 0 < INR m) by lra. assert (N0 : 0 < N) by lra.
  exists (N * (PI / 2)). pose proof PI2_1 as P1. split. nra.
  pose proof (by_kernel (m + m)) as B. cbv zeta in B. fold N in B. destruct (odd_sum m) as [O1 O2]. rewrite O1, O2 in B. set (y := N * (PI / 2)) in *.
  assert (LY : ln y + ln (2 / PI) = ln N). { unfold y. rewrite <- ln_mult. f_equal. field. lra. nra. apply Rdiv_lt_0_compat; lra. }
  set (z := fst keuler + ln N - (2 * harm (m + m) - harm m)).
  replace (fst keuler + ln y + ci1 y) with (ci1 y + (2 * harm (m + m) - harm m) - ln (2 / PI) + z) by (unfold z; lra).
  replace (si1 y - PI / 2) with (si1 y - PI / 2 - 0 + 0) by ring. eapply Rle_trans. apply apart_by.
  assert (Z : Cmod (z, 0) = Rabs z) by apply Cmod_R. rewrite Z.
  assert (G1' : forall k, (K < k)%nat -> Rabs (harm k - ln (INR k) - fst keuler) < d). { intros k Hk. destruct k as [|k]; [lia|]. apply (H k). lia. }
  pose proof (G1' m ltac:(unfold m; lia)) as A1. pose proof (G1' (m + m)%nat ltac:(unfold m; lia)) as A2. apply Rabs_def2 in A1, A2.
  assert (LM : ln (INR (m + m)) = ln 2 + ln (INR m)). { rewrite plus_INR. replace (INR m + INR m) with (2 * INR m) by ring. apply ln_mult; lra. }
  assert (L4 : 0 <= ln N - (2 * ln 2 + ln (INR m)) <= d).
  { replace (2 * ln 2 + ln (INR m)) with (ln (4 * INR m)). 2: { replace 4 with (2 * 2) by ring. rewrite !ln_mult by lra. ring. }
    rewrite <- ln_div by lra. split. rewrite <- ln_1. apply ln_le. lra. apply Rmult_le_reg_r with (4 * INR m). lra. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    eapply Rle_trans. apply ln_below. apply Rdiv_lt_0_compat; lra. replace (N / (4 * INR m) - 1) with (/ (4 * INR m)) by (rewrite EN; field; lra).
    rewrite <- (Rinv_involutive d) by lra. apply Rinv_le_contravar; lra. }
  assert (ZB : Rabs z <= 4 * d) by (apply Rabs_le; unfold z; lra).
  assert (N2 : 2 / N <= 2 * d). { unfold Rdiv. apply Rmult_le_compat_l. lra. rewrite <- (Rinv_involutive d) by lra. apply Rinv_le_contravar; lra. }
  unfold d in *. lra.
Qed.
Lemma ax_integrals_far x : gt0 x -> kle (kabs (kCi x + G (0#1) (1#1) * (kSi x + G (-1#1) (0#1) * (G (1#2) (0#1) * kpi))))%C (G (2#1) (0#1) * kinv x)%C.
Proof.
  intros [RX P]. apply isR_iff in RX. assert (E : (G (2#1) (0#1) * kinv x)%C = RtoC (2 / fst x)).
  { rewrite RX. unfold kinv. rewrite <- RtoC_inv by (cbn [fst RtoC]; lra). replace (G (2#1) (0#1)) with (RtoC 2) by (unfold G; rewrite Q0; unfold Q2R; apply Ceq; simpl; field). rewrite <- RtoC_mult. reflexivity. }
  rewrite E. repeat split. cbn [fst kabs RtoC]. set (r := fst x) in *.
  replace (kCi x + G (0#1) (1#1) * (kSi x + G (-1#1) (0#1) * (G (1#2) (0#1) * kpi)))%C with (fst keuler + ln r + ci1 r, si1 r - PI / 2).
  2: { unfold kCi, kSi. rewrite sinc_integral, klog_pos by (rewrite RX; split; [reflexivity | exact P]). fold r. unfold keuler, kpi, G, ci1, si1. rewrite Q2R_half, Q2R_m1, Q0, Q1. apply Ceq; simpl; unfold cin; field. }
  apply le_epsilon. intros eps PE. destruct (@far_end eps r PE) as (y & L & B). pose proof (far_parts P L) as F.
  replace (fst keuler + ln r + ci1 r) with ((fst keuler + ln y + ci1 y) + - (ci1 y + ln y - (ci1 r + ln r))) by ring. replace (si1 r - PI / 2) with ((si1 y - PI / 2) + - (si1 y - si1 r)) by ring.
  eapply Rle_trans. apply apart_by. assert (O : forall a b, Cmod (- a, - b) = Cmod (a, b)) by (intros; exact (Cmod_opp (a, b))). rewrite O. lra.
Qed.

(* All rows. *)
Open Scope C_scope.
Definition any_row (known : tm -> dom -> bool) (a : ax) : option statement := match a with
  | IntegralsFar x => when (known x Dgt) (F1 Abs (Add [F1 Ci x; Mul [ti; sub (F1 Si x) (Mul [thalf; tpi])]]), Le, Mul [Num (2#1) (0#1); F1 Inv x])
  | IntegralsNear x => when (known x Dgt) (F1 Abs (sub (Add [F1 Ci x; Mul [ti; F1 Si x]]) (Add [F1 Log x; F0 Euler])), Le, x)
  | a => integral_row known a end.
Lemma kle_same a b c d : kle a b -> a = c -> b = d -> kle c d. Proof. intros H -> ->. exact H. Qed.
Lemma any_row_ok known e a s : valid e -> (forall t d, known t d = true -> inD d (den e [] t)) -> any_row known a = Some s -> row_of e s.
Proof.
  intros V K. destruct a; try (apply integral_row_ok; auto; fail); cbn [any_row]; intros H; apply when_some in H as [H <-]; apply K in H; unfold row_of; cbn [fst snd related den kf1].
  - eapply kle_same; [exact (ax_integrals_far H) | |]; cbn [den map csum cprod fold_right kf1 kf0]; rewrite ?sub_den; cbn [den map cprod fold_right kf1 kf0 ti thalf tpi]; [f_equal|]; ring.
  - eapply kle_same; [exact (ax_integrals_near _ H) | | reflexivity]. rewrite sub_den. cbn [den map csum cprod fold_right kf1 kf0 ti]. f_equal. ring.
Qed.
Definition r_axiom (a : ax) (signs : list thm) : option thm := match any_row (known signs) a with
  | Some (l, r, t) => Some (by_premises signs l r t) | None => None end.
Lemma r_axiom_ok a signs th : r_axiom a signs = Some th -> Forall truth signs -> truth th.
Proof.
  unfold r_axiom. destruct (any_row (known signs) a) as [[[l r] t]|] eqn:E; try discriminate. intros [= <-] T.
  apply by_premises_true; auto. intros e V S. apply (@any_row_ok (known signs) e a (l, r, t)); auto. intros; eapply known_ok; eauto.
Qed.
