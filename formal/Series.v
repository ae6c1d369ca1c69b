(* Partial sums that enclose exp, cos, ln, Euler's constant and Ci. *)
Require Export Special.
Open Scope R_scope.

Ltac inR := match goal with |- @eq _ ?a ?b => change (@eq R a b) end.
(* What does not fall between a and b. *)
Lemma rising (f g : R -> R) a b : a <= b -> (forall x, a <= x <= b -> is_derive f x (g x)) -> (forall x, a <= x <= b -> 0 <= g x) -> f a <= f b.
Proof.
  intros L D P. destruct (MVT_gen f a b g) as (c & C & E); rewrite ?Rmin_left, ?Rmax_right in * by auto.
  - intros x X. apply D; lra.
  - intros x X. apply continuity_pt_filterlim, (ex_derive_continuous (V := R_NormedModule)). eexists; apply D; auto.
  - specialize (P c C). nra.
Qed.
(* What begins at 0 and does not fall is not negative. *)
Lemma rising0 (f g : R -> R) b : 0 <= b -> f 0 = 0 -> (forall x, is_derive f x (g x)) -> (forall x, 0 <= x <= b -> 0 <= g x) -> 0 <= f b.
Proof. intros L Z D P. rewrite <- Z. apply (rising f g); auto. Qed.
Lemma der_eq (f : R -> R) (x a b : R) : is_derive f x a -> a = b -> is_derive f x b. Proof. intros H <-; auto. Qed.
Lemma der_scal (c : R) (f : R -> R) (x a : R) : is_derive f x a -> is_derive (fun y => c * f y) x (c * a).
Proof. intros H. apply is_derive_scal; auto. Qed.
Lemma der_plus (f g : R -> R) (x a b : R) : is_derive f x a -> is_derive g x b -> is_derive (fun y => f y + g y) x (a + b).
Proof. intros. apply (is_derive_plus (V := R_NormedModule) f g); auto. Qed.
Lemma der_minus (f g : R -> R) (x a b : R) : is_derive f x a -> is_derive g x b -> is_derive (fun y => f y - g y) x (a - b).
Proof. intros. apply (is_derive_minus (V := R_NormedModule) f g); auto. Qed.
Lemma der_const (c x : R) : is_derive (fun _ => c) x 0.
Proof. apply (is_derive_const (V := R_NormedModule)). Qed.
Lemma der_pow n x : is_derive (fun y => y ^ n) x (INR n * x ^ pred n).
Proof. apply is_derive_Reals, derivable_pt_lim_pow. Qed.

(* Where slopes are at most k. *)
Lemma lipschitz (f g : R -> R) k x y : (forall t, Rmin x y <= t -> is_derive f t (g t)) -> (forall t, Rmin x y <= t -> Rabs (g t) <= k) ->
  Rabs (f x - f y) <= k * Rabs (x - y).
Proof.
  assert (P : forall a b, a <= b -> (forall t, a <= t -> is_derive f t (g t)) -> (forall t, a <= t -> Rabs (g t) <= k) -> Rabs (f b - f a) <= k * (b - a)).
  { intros a b L D B. assert (B' : forall t, a <= t -> - k <= g t <= k) by (intros t T; apply Rabs_le_between; auto). apply Rabs_le.
    assert (k * a + f a <= k * b + f b).
    { apply (rising (fun t => k * t + f t) (fun t => k * 1 + g t)); auto. intros t T. apply der_plus; [apply der_scal, (is_derive_id (K := R_AbsRing)) | apply D; lra]. intros t T; specialize (B' t); lra. }
    assert (k * a - f a <= k * b - f b).
    { apply (rising (fun t => k * t - f t) (fun t => k * 1 - g t)); auto. intros t T. apply der_minus; [apply der_scal, (is_derive_id (K := R_AbsRing)) | apply D; lra]. intros t T; specialize (B' t); lra. } lra. }
  intros D B. destruct (Rle_dec x y).
  - rewrite Rmin_left in * by auto. rewrite Rabs_minus_sym, (Rabs_minus_sym x y), (Rabs_right (y - x)) by lra. auto.
  - rewrite Rmin_right in * by lra. rewrite (Rabs_right (x - y)) by lra. apply P; auto; lra.
Qed.

(* The sum of c k d 0 ... d (k - 1) y^k for k < n, and the same by Horner's scheme, from k on, with t in the n-th place. *)
Fixpoint factors (d : nat -> R) k : R := match k with O => 1 | S k => factors d k * d k end.
Fixpoint partial (c d : nat -> R) (y : R) n : R := match n with O => 0 | S n => partial c d y n + c n * factors d n * y ^ n end.
Fixpoint horner (c d : nat -> R) (y t : R) n k : R := match n with O => t | S n => c k + y * d k * horner c d y t n (S k) end.
Lemma horner_sum c d y t n : forall k, factors d k * y ^ k * horner c d y t n k =
  partial c d y (k + n) - partial c d y k + t * factors d (k + n) * y ^ (k + n).
Proof.
  induction n as [|n IH]; intros k; cbn [horner]. rewrite Nat.add_0_r. ring.
  rewrite <- plus_n_Sm. specialize (IH (S k)). rewrite plus_Sn_m in IH. cbn [factors partial pow] in *.
  replace (factors d k * y ^ k * (c k + y * d k * horner c d y t n (S k)))
    with (c k * factors d k * y ^ k + factors d k * d k * (y * y ^ k) * horner c d y t n (S k)) by ring. rewrite IH. ring.
Qed.
(* f is the sum with some t in the n-th place. *)
Definition ends_in (c d : nat -> R) (y : R) n k (f : R) : Prop := exists t, 0 <= t <= 2 /\ f = horner c d y t n k.
Lemma part (u v : R) : 0 <= u -> 0 <= v -> exists t, 0 <= t <= 1 /\ u = t * (u + v).
Proof.
  intros U V. destruct (Req_dec (u + v) 0) as [E|N]. exists 0. split; [lra|]. lra.
  exists (u / (u + v)). split; [|field; auto]. split. apply Rdiv_le_0_compat; lra. apply Rle_div_l; lra.
Qed.
(* Between two sums, that with n and that with one more. *)
Lemma between_sums c d y n f : 0 <= c n <= 2 -> 0 <= (-1) ^ n * (f - partial c d y n) -> 0 <= (-1) ^ S n * (f - partial c d y (S n)) ->
  ends_in c d y n 0 f.
Proof.
  intros Cn A B. destruct (part _ _ A B) as (t & T & E). exists (t * c n). split; [nra|].
  pose proof (horner_sum c d y (t * c n) n 0) as H. cbn [factors pow partial plus] in *. rewrite !Rmult_1_l, Rminus_0_r in H. rewrite H.
  assert (S1 : (-1) ^ n * (-1) ^ n = 1) by (rewrite <- Rpow_mult_distr; replace (-1 * -1) with 1 by ring; apply pow1).
  assert (E2 : (-1) ^ n * ((-1) ^ n * (f - partial c d y n)) = (-1) ^ n * (t * ((-1) ^ n * (c n * factors d n * y ^ n)))) by (f_equal; rewrite E; ring).
  replace ((-1) ^ n * ((-1) ^ n * (f - partial c d y n))) with ((-1) ^ n * (-1) ^ n * (f - partial c d y n)) in E2 by ring.
  replace ((-1) ^ n * (t * ((-1) ^ n * (c n * factors d n * y ^ n)))) with ((-1) ^ n * (-1) ^ n * (t * (c n * factors d n * y ^ n))) in E2 by ring.
  rewrite S1 in E2. rewrite !Nat.add_0_l. lra.
Qed.

(* e^-x *)
Definition all_one : nat -> R := fun _ => 1.
Definition d_exp (k : nat) : R := / (INR k + 1).
Lemma INR_S n : INR (S n) = INR n + 1. Proof. apply S_INR. Qed.
Lemma exp_slope n x : is_derive (fun y => partial all_one d_exp (- y) (S n)) x (- partial all_one d_exp (- x) n).
Proof.
  induction n as [|n IH]. cbn [partial factors pow]. eapply der_eq; [apply der_const|]. ring.
  change (is_derive (fun y => partial all_one d_exp (- y) (S n) + all_one (S n) * factors d_exp (S n) * (- y) ^ S n) x (- partial all_one d_exp (- x) (S n))).
  eapply der_eq; [apply der_plus; [exact IH|]|].
  - apply der_scal. apply (is_derive_comp (fun u => u ^ S n) Ropp). apply der_pow. apply (is_derive_opp (V := R_NormedModule)), (is_derive_id (K := R_AbsRing)).
  - unfold scal; simpl; unfold mult; simpl. unfold opp, Hierarchy.one; simpl. rewrite ?INR_S. unfold all_one, d_exp. destruct n; [simpl; field; lra|].
    change (match S n with O => 1 | S _ => INR (S n) + 1 end) with (INR (S n) + 1). field. pose proof (pos_INR (S n)). lra.
Qed.
Lemma partial_0 c d n : partial c d 0 (S n) = c O.
Proof. induction n. cbn [partial factors pow]. ring. change (partial c d 0 (S n) + c (S n) * factors d (S n) * 0 ^ S n = c O). rewrite IHn. simpl pow. ring. Qed.
Lemma exp_sums n : forall x, 0 <= x -> 0 <= (-1) ^ n * (exp (- x) - partial all_one d_exp (- x) n).
Proof.
  induction n as [|n IH]; intros x X. cbn [pow partial]. pose proof (exp_pos (- x)); lra.
  apply (rising0 (fun x => (-1) ^ S n * (exp (- x) - partial all_one d_exp (- x) (S n))) (fun x => (-1) ^ n * (exp (- x) - partial all_one d_exp (- x) n))); auto.
  - rewrite Ropp_0, partial_0, exp_0. unfold all_one. ring.
  - intros y. eapply der_eq; [apply der_scal, der_minus; [|apply exp_slope]|].
    apply (is_derive_comp exp Ropp). apply is_derive_Reals, derivable_pt_lim_exp. apply (is_derive_opp (V := R_NormedModule)), (is_derive_id (K := R_AbsRing)).
    unfold scal; simpl; unfold mult; simpl. unfold opp, Hierarchy.one; simpl. ring.
  - intros y Y. apply IH; lra.
Qed.
Lemma exp_ends n x : 0 <= x -> ends_in all_one d_exp (- x) n 0 (exp (- x)).
Proof. intros X. apply between_sums. unfold all_one; lra. apply exp_sums; auto. apply exp_sums; auto. Qed.

(* cos, with sin on the way, and the integral behind Ci *)
Definition d_cos (k : nat) : R := / ((2 * INR k + 1) * (2 * INR k + 2)).
Definition d_sin (k : nat) : R := / ((2 * INR k + 2) * (2 * INR k + 3)).
Fixpoint cos_sum n (x : R) : R := match n with O => 0 | S n => cos_sum n x + (-1) ^ n * factors d_cos n * x ^ (2 * n) end.
Fixpoint sin_sum n (x : R) : R := match n with O => 0 | S n => sin_sum n x + (-1) ^ n * factors d_sin n * x ^ S (2 * n) end.
Lemma factors_sin n : factors d_cos n = factors d_sin n * (2 * INR n + 1).
Proof.
  induction n as [|n IH]. simpl; ring. cbn [factors]. rewrite IH, INR_S. unfold d_cos, d_sin. pose proof (pos_INR n). field. lra.
Qed.
Lemma factors_cos n : factors d_cos (S n) * (2 * INR n + 2) = factors d_sin n.
Proof. cbn [factors]. rewrite factors_sin. unfold d_cos. pose proof (pos_INR n). field. lra. Qed.
Lemma INR_2 n : INR (2 * n) = 2 * INR n. Proof. rewrite mult_INR. simpl. ring. Qed.
Lemma sin_slope n x : is_derive (sin_sum n) x (cos_sum n x).
Proof.
  induction n as [|n IH]. apply der_const.
  change (is_derive (fun y => sin_sum n y + (-1) ^ n * factors d_sin n * y ^ S (2 * n)) x (cos_sum (S n) x)).
  eapply der_eq; [apply der_plus; [exact IH | apply der_scal, der_pow]|]. rewrite INR_S, INR_2. cbn [pred cos_sum]. rewrite factors_sin. ring.
Qed.
Lemma cos_slope n x : is_derive (cos_sum (S n)) x (- sin_sum n x).
Proof.
  induction n as [|n IH]. apply (is_derive_ext (fun _ => cos_sum 1 0)). reflexivity. eapply der_eq; [apply der_const|]. simpl; ring.
  change (is_derive (fun y => cos_sum (S n) y + (-1) ^ S n * factors d_cos (S n) * y ^ (2 * S n)) x (- sin_sum (S n) x)).
  eapply der_eq; [apply der_plus; [exact IH | apply der_scal, der_pow]|]. cbn [sin_sum]. rewrite <- factors_cos, INR_2, INR_S.
  replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [pred pow]. ring.
Qed.
Lemma cos_sum_0 n : cos_sum (S n) 0 = 1.
Proof. induction n. simpl; ring. change (cos_sum (S n) 0 + (-1) ^ S n * factors d_cos (S n) * 0 ^ (2 * S n) = 1). rewrite IHn. replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [pow]. ring. Qed.
Lemma sin_sum_0 n : sin_sum n 0 = 0.
Proof. induction n; cbn [sin_sum pow]; auto. rewrite IHn. ring. Qed.
Lemma cos_sin_sums n : forall x, 0 <= x -> 0 <= (-1) ^ S n * (cos x - cos_sum (S n) x) /\ 0 <= (-1) ^ S n * (sin x - sin_sum (S n) x).
Proof.
  assert (NEXT : forall n, (forall x, 0 <= x -> 0 <= (-1) ^ S n * (cos x - cos_sum (S n) x)) -> forall x, 0 <= x -> 0 <= (-1) ^ S n * (sin x - sin_sum (S n) x)).
  { intros m H x X. apply (rising0 (fun x => (-1) ^ S m * (sin x - sin_sum (S m) x)) (fun x => (-1) ^ S m * (cos x - cos_sum (S m) x))); auto.
    - rewrite sin_0, sin_sum_0. ring.
    - intros y. apply der_scal, der_minus. apply is_derive_Reals, derivable_pt_lim_sin. apply sin_slope.
    - intros y Y; apply H; lra. }
  induction n as [|n IH]; intros x X.
  - assert (C1 : forall x, 0 <= x -> 0 <= (-1) ^ 1 * (cos x - cos_sum 1 x)) by (intros y Y; simpl; destruct (COS_bound y); lra). split; auto.
  - assert (C1 : forall x, 0 <= x -> 0 <= (-1) ^ S (S n) * (cos x - cos_sum (S (S n)) x)); [|split; auto].
    intros z Z. apply (rising0 (fun x => (-1) ^ S (S n) * (cos x - cos_sum (S (S n)) x)) (fun x => (-1) ^ S n * (sin x - sin_sum (S n) x))); auto.
    + rewrite cos_0, cos_sum_0. ring.
    + intros y. eapply der_eq; [apply der_scal, der_minus; [apply is_derive_Reals, derivable_pt_lim_cos | apply cos_slope]|]. cbn [pow]. ring.
    + intros y Y. apply IH; lra.
Qed.
Lemma square_pow x n : (- (x * x)) ^ n = (-1) ^ n * x ^ (2 * n).
Proof. replace (- (x * x)) with (-1 * x ^ 2) by ring. rewrite Rpow_mult_distr, <- pow_mult. reflexivity. Qed.
Lemma cos_partial x n : partial all_one d_cos (- (x * x)) n = cos_sum n x.
Proof. induction n; cbn [partial cos_sum]; auto. rewrite IHn, square_pow. unfold all_one. ring. Qed.
Lemma cos_ends n x : ends_in all_one d_cos (- (x * x)) (S n) 0 (cos x).
Proof.
  assert (P : forall x, 0 <= x -> ends_in all_one d_cos (- (x * x)) (S n) 0 (cos x)).
  { intros y Y. apply between_sums; rewrite ?cos_partial. unfold all_one; lra. apply cos_sin_sums; auto. apply cos_sin_sums; auto. }
  destruct (Rle_dec 0 x). auto. rewrite <- cos_neg. replace (- (x * x)) with (- (- x * - x)) by ring. apply P; lra.
Qed.
Definition c_cin (k : nat) : R := / (2 * INR k).
Fixpoint cin_slope_sum n (x : R) : R := match n with O => 0 | S n => cin_slope_sum n x + (-1) ^ S n * factors d_cos (S n) * x ^ S (2 * n) end.
Lemma cin_slope_of n x : x * cin_slope_sum n x = cos_sum (S n) x - 1.
Proof.
  induction n. simpl; ring. change (x * (cin_slope_sum n x + (-1) ^ S n * factors d_cos (S n) * x ^ S (2 * n)) = cos_sum (S n) x + (-1) ^ S n * factors d_cos (S n) * x ^ (2 * S n) - 1).
  rewrite Rmult_plus_distr_l, IHn. replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [pow]. ring.
Qed.
Lemma cin_slope_0 n : cin_slope_sum n 0 = 0.
Proof. induction n; cbn [cin_slope_sum]; auto. rewrite IHn. cbn [pow]. ring. Qed.
Definition cin_sum n (x : R) : R := partial c_cin d_cos (- (x * x)) (S n) - c_cin O.
Lemma cin_sum_slope n x : is_derive (cin_sum n) x (cin_slope_sum n x).
Proof.
  unfold cin_sum. induction n as [|n IH]. apply (is_derive_ext (fun _ => partial c_cin d_cos 0 1 - c_cin O)). intros y; simpl; ring. apply der_const.
  apply (is_derive_ext (fun x => partial c_cin d_cos (- (x * x)) (S n) - c_cin O + c_cin (S n) * ((-1) ^ S n * factors d_cos (S n)) * x ^ (2 * S n))).
  { intros y. change (partial c_cin d_cos (- (y * y)) (S (S n))) with (partial c_cin d_cos (- (y * y)) (S n) + c_cin (S n) * factors d_cos (S n) * (- (y * y)) ^ S n). rewrite square_pow. inR. ring. }
  eapply der_eq; [apply der_plus; [exact IH | apply der_scal, der_pow]|]. cbn [cin_slope_sum]. rewrite INR_2. unfold c_cin. replace (pred (2 * S n)) with (S (2 * n)) by lia.
  assert (INR (S n) <> 0) by (apply not_0_INR; lia). field; auto.
Qed.
Lemma cin_sums n x : 0 <= x -> 0 <= (-1) ^ S n * (RInt cin 0 x - cin_sum n x).
Proof.
  intros X. apply (rising0 (fun x => (-1) ^ S n * (RInt cin 0 x - cin_sum n x)) (fun x => (-1) ^ S n * (cin x - cin_slope_sum n x))); auto.
  - rewrite RInt_point. unfold cin_sum. rewrite Rmult_0_l, Ropp_0, partial_0. change ((-1) ^ S n * (0 - (c_cin O - c_cin O)) = 0). ring.
  - intros y. apply der_scal, der_minus. apply ci_slope. apply cin_sum_slope.
  - intros y [Y _]. destruct Y as [Y|<-].
    + apply Rmult_le_reg_l with y; auto. rewrite Rmult_0_r. replace (y * ((-1) ^ S n * (cin y - cin_slope_sum n y))) with ((-1) ^ S n * (y * cin y - y * cin_slope_sum n y)) by ring.
      rewrite cin_slope_of. unfold cin. replace (y * ((cos y - 1) / y) - (cos_sum (S n) y - 1)) with (cos y - cos_sum (S n) y) by (field; lra). apply cos_sin_sums; lra.
    + rewrite cin_slope_0. unfold cin. rewrite cos_0. unfold Rdiv. rewrite Rminus_eq_0. lra.
Qed.
Lemma cin_ends n x : 0 <= x -> exists h, ends_in c_cin d_cos (- (x * x)) n 1 h /\ RInt cin 0 x = - (x * x) / 2 * h.
Proof.
  intros X. set (y := - (x * x)). pose proof (cin_sums n x X) as A. pose proof (cin_sums (S n) x X) as B. unfold cin_sum in *. fold y in A, B.
  destruct (part _ _ A B) as (t & T & E).
  assert (Cn : 0 < c_cin (S n) <= 1). { unfold c_cin. pose proof (pos_INR n). rewrite INR_S. split. apply Rinv_0_lt_compat; lra. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  exists (horner c_cin d_cos y (t * c_cin (S n)) n 1). split. exists (t * c_cin (S n)). split; auto. nra.
  pose proof (horner_sum c_cin d_cos y (t * c_cin (S n)) n 1) as H. rewrite plus_Sn_m, Nat.add_0_l in H.
  assert (F1 : factors d_cos 1 * y ^ 1 = y / 2) by (unfold d_cos; simpl; field). rewrite F1 in H. fold y. rewrite H.
  assert (S1 : (-1) ^ S n * (-1) ^ S n = 1) by (rewrite <- Rpow_mult_distr; replace (-1 * -1) with 1 by ring; apply pow1).
  change (partial c_cin d_cos y (S (S n))) with (partial c_cin d_cos y (S n) + c_cin (S n) * factors d_cos (S n) * y ^ S n) in E.
  change (partial c_cin d_cos y 1) with (0 + c_cin 0 * 1 * 1). set (P := partial c_cin d_cos y (S n)) in *. set (I := RInt cin 0 x) in *. set (Q := c_cin (S n) * factors d_cos (S n) * y ^ S n) in *.
  assert (E2 : (-1) ^ S n * (-1) ^ S n * (I - (P - c_cin O)) = (-1) ^ S n * (-1) ^ S n * (t * Q)).
  { rewrite !Rmult_assoc. rewrite E. change ((-1) ^ S (S n)) with (-1 * (-1) ^ S n). f_equal. ring. }
  rewrite S1 in E2. unfold Q in E2. lra.
Qed.
Lemma cin_bound t : Rabs (cin t) <= 1.
Proof.
  unfold cin. destruct (Req_dec t 0) as [->|N]. rewrite cos_0. unfold Rdiv. rewrite Rminus_eq_0, Rmult_0_l, Rabs_R0. lra.
  assert (P : forall u, 0 <= u -> Rabs (cos u - 1) <= u).
  { intros u U. pose proof (proj1 (cos_sin_sums 0 u U)) as A. pose proof (proj1 (cos_sin_sums 1 u U)) as B. cbn [cos_sum factors pow d_cos INR] in A, B. unfold d_cos in B. simpl in A, B.
    destruct (COS_bound u). apply Rabs_le. destruct (Rle_dec u 2); [|lra]. split; [nra|lra]. }
  unfold Rdiv. rewrite Rabs_mult, Rabs_Rinv by auto. assert (0 < Rabs t) by (apply Rabs_pos_lt; auto). apply Rmult_le_reg_r with (Rabs t); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
  unfold Rabs at 2. destruct Rcase_abs. rewrite <- (cos_neg t). apply P; lra. apply P; lra.
Qed.
Lemma near_cin x y : Rabs (RInt cin 0 x - RInt cin 0 y) <= Rabs (x - y).
Proof. rewrite <- (Rmult_1_l (Rabs (x - y))). apply (lipschitz (fun t => RInt cin 0 t) cin). intros; apply ci_slope. intros; apply cin_bound. Qed.

(* ln, by the series of the inverse hyperbolic tangent *)
Definition c_ln (k : nat) : R := / (2 * INR k + 1).
Definition ln_sum n (z : R) : R := 2 * z * partial c_ln all_one (z * z) n.
Fixpoint ln_slope_sum n (z : R) : R := match n with O => 0 | S n => ln_slope_sum n z + 2 * z ^ (2 * n) end.
Lemma factors_one n : factors all_one n = 1. Proof. induction n; cbn [factors]; auto. rewrite IHn. unfold all_one; ring. Qed.
Lemma ln_sum_S n z : ln_sum (S n) z = ln_sum n z + 2 * c_ln n * z ^ S (2 * n).
Proof. unfold ln_sum. cbn [partial]. rewrite factors_one. replace ((z * z) ^ n) with (z ^ (2 * n)) by (rewrite pow_mult; f_equal; ring). cbn [pow]. ring. Qed.
Lemma ln_sum_slope n z : is_derive (ln_sum n) z (ln_slope_sum n z).
Proof.
  induction n as [|n IH]. apply (is_derive_ext (fun _ => 0)). intros y; unfold ln_sum; simpl; inR; ring. apply der_const.
  apply (is_derive_ext (fun y => ln_sum n y + 2 * c_ln n * y ^ S (2 * n))). intros y; symmetry; apply ln_sum_S.
  eapply der_eq; [apply der_plus; [exact IH | apply der_scal, der_pow]|]. cbn [ln_slope_sum pred]. rewrite INR_S, INR_2. unfold c_ln. pose proof (pos_INR n). field. lra.
Qed.
Lemma ln_slope_of n z : (1 - z * z) * ln_slope_sum n z = 2 * (1 - z ^ (2 * n)).
Proof. induction n. simpl; ring. cbn [ln_slope_sum]. rewrite Rmult_plus_distr_l, IHn. replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [pow]. ring. Qed.
Definition ln_ratio (z : R) : R := ln (1 + z) - ln (1 - z).
Lemma ln_ratio_slope z : -1 < z < 1 -> is_derive ln_ratio z (2 / (1 - z * z)).
Proof.
  intros Z. eapply der_eq. apply der_minus.
  - apply (is_derive_comp ln (fun z => 1 + z)). apply is_derive_Reals, derivable_pt_lim_ln; lra. apply der_plus; [apply der_const | apply (is_derive_id (K := R_AbsRing))].
  - apply (is_derive_comp ln (fun z => 1 - z)). apply is_derive_Reals, derivable_pt_lim_ln; lra. apply der_minus; [apply der_const | apply (is_derive_id (K := R_AbsRing))].
  - unfold scal; simpl; unfold mult, Hierarchy.one; simpl. field. nra.
Qed.
Lemma pow_even_pos n z : 0 <= z ^ (2 * n). Proof. rewrite pow_mult. apply pow_le. nra. Qed.
Lemma ln_sums n z : 0 <= z <= / 2 -> ln_sum n z <= ln_ratio z <= ln_sum n z + 3 * z ^ S (2 * n).
Proof.
  intros Z. assert (Z0 : ln_sum n 0 = 0) by (unfold ln_sum; ring). assert (L0 : ln_ratio 0 = 0) by (unfold ln_ratio; rewrite Rplus_0_r, Rminus_0_r; ring).
  assert (D : forall x, 0 <= x <= z -> 2 / (1 - x * x) - ln_slope_sum n x = 2 * x ^ (2 * n) / (1 - x * x)).
  { intros x X. assert (1 - x * x <> 0) by nra. apply Rmult_eq_reg_l with (1 - x * x); auto. rewrite Rmult_minus_distr_l, ln_slope_of. field. auto. }
  split.
  - enough (ln_ratio 0 - ln_sum n 0 <= ln_ratio z - ln_sum n z) by lra.
    apply (rising (fun x => ln_ratio x - ln_sum n x) (fun x => 2 / (1 - x * x) - ln_slope_sum n x)). lra.
    intros x X. apply der_minus. apply ln_ratio_slope; lra. apply ln_sum_slope.
    intros x X. rewrite D by auto. apply Rdiv_le_0_compat. pose proof (pow_even_pos n x); lra. nra.
  - enough (ln_sum n 0 + 3 * 0 ^ S (2 * n) - ln_ratio 0 <= ln_sum n z + 3 * z ^ S (2 * n) - ln_ratio z) by (rewrite pow_i in H by lia; lra).
    apply (rising (fun x => ln_sum n x + 3 * x ^ S (2 * n) - ln_ratio x) (fun x => ln_slope_sum n x + 3 * (INR (S (2 * n)) * x ^ (2 * n)) - 2 / (1 - x * x))). lra.
    intros x X. apply der_minus. apply der_plus. apply ln_sum_slope. apply der_scal. apply (der_pow (S (2 * n))). apply ln_ratio_slope; lra.
    intros x X. specialize (D x X). replace (ln_slope_sum n x) with (2 / (1 - x * x) - 2 * x ^ (2 * n) / (1 - x * x)) by lra.
    assert (2 / (1 - x * x) <= 3) by (apply Rle_div_l; nra). pose proof (pow_even_pos n x). assert (1 <= INR (S (2 * n))) by (rewrite INR_S; pose proof (pos_INR (2 * n)); lra).
    replace (2 * x ^ (2 * n) / (1 - x * x)) with (2 / (1 - x * x) * x ^ (2 * n)) by (unfold Rdiv; ring). nra.
Qed.
Lemma ln_ends n z : 0 <= z <= / 2 -> exists h, ends_in c_ln all_one (z * z) n 0 h /\ ln_ratio z = 2 * z * h.
Proof.
  intros Z. destruct (ln_sums n z Z) as [A B].
  destruct (part (ln_ratio z - ln_sum n z) (ln_sum n z + 3 * z ^ S (2 * n) - ln_ratio z)) as (t & T & E); [lra|lra|].
  exists (horner c_ln all_one (z * z) (3 / 2 * t) n 0). split. exists (3 / 2 * t). split; auto. lra.
  pose proof (horner_sum c_ln all_one (z * z) (3 / 2 * t) n 0) as H. rewrite Nat.add_0_l, factors_one in H. cbn [factors pow partial] in H.
  rewrite !Rmult_1_l, Rminus_0_r in H. rewrite H. replace ((z * z) ^ n) with (z ^ (2 * n)) by (rewrite pow_mult; f_equal; ring).
  unfold ln_sum in *. cbn [pow] in *. rewrite factors_one. lra.
Qed.

(* Euler's constant lies between the terms of two sequences. *)
Definition harmonic n : R := sum_f_R0 (fun k => / INR (S k)) n.
Definition euler_high n : R := harmonic n - ln (INR (S n)) - / (2 * INR (S n)) + / (12 * INR (S n) ^ 2).
Definition euler_low n : R := euler_high n - / (120 * INR (S n) ^ 4).
Lemma ln_step x : 1 <= x -> ln (x + 1) - ln x = ln_ratio (/ (2 * x + 1)).
Proof.
  intros X. unfold ln_ratio. replace (1 + / (2 * x + 1)) with (2 * (x + 1) * / (2 * x + 1)) by (field; lra). replace (1 - / (2 * x + 1)) with (2 * x * / (2 * x + 1)) by (field; lra).
  assert (0 < / (2 * x + 1)) by (apply Rinv_0_lt_compat; lra). rewrite !ln_mult by lra. ring.
Qed.
Lemma small_z x : 1 <= x -> 0 <= / (2 * x + 1) <= / 2.
Proof. intros X. split. left; apply Rinv_0_lt_compat; lra. apply Rinv_le_contravar; lra. Qed.
Lemma positive_ratio (a b c : R) : a = b * / c -> 0 < b -> 0 < c -> 0 <= a.
Proof. intros -> B D. left. apply Rmult_lt_0_compat; auto. apply Rinv_0_lt_compat; auto. Qed.
Lemma euler_falls n : euler_high (S n) <= euler_high n.
Proof.
  unfold euler_high, harmonic. cbn [sum_f_R0]. rewrite (INR_S (S n)). pose proof (pos_INR n) as P. rewrite (INR_S n). set (m := INR n) in *.
  pose proof (ln_step (m + 1)) as L. pose proof (proj1 (ln_sums 3 _ (small_z (m + 1) ltac:(lra)))) as B. rewrite <- L in B by lra. clear L.
  enough (0 <= - / (m + 1 + 1) + (- / (2 * (m + 1)) + / (12 * (m + 1) ^ 2)) - (- / (2 * (m + 1 + 1)) + / (12 * (m + 1 + 1) ^ 2)) + ln_sum 3 (/ (2 * (m + 1) + 1))) by lra.
  unfold ln_sum, c_ln, all_one. cbn [partial factors pow INR].
  apply (positive_ratio _ (64 * m ^ 4 + 384 * m ^ 3 + 862 * m ^ 2 + 858 * m + 321) (60 * (m + 1) ^ 2 * (m + 2) ^ 2 * (2 * m + 3) ^ 5)).
  - field. repeat split; lra.
  - assert (0 <= m ^ 2 /\ 0 <= m ^ 3 /\ 0 <= m ^ 4) by (repeat split; apply pow_le; auto). lra.
  - repeat apply Rmult_lt_0_compat; try apply pow_lt; lra.
Qed.
Lemma euler_rises n : euler_low n <= euler_low (S n).
Proof.
  unfold euler_low, euler_high, harmonic. cbn [sum_f_R0]. rewrite (INR_S (S n)). pose proof (pos_INR n) as P. rewrite (INR_S n). set (m := INR n) in *.
  pose proof (ln_step (m + 1)) as L. pose proof (proj2 (ln_sums 4 _ (small_z (m + 1) ltac:(lra)))) as B. rewrite <- L in B by lra. clear L.
  enough (0 <= / (m + 1 + 1) + (- / (2 * (m + 1 + 1)) + / (12 * (m + 1 + 1) ^ 2) - / (120 * (m + 1 + 1) ^ 4))
    - (- / (2 * (m + 1)) + / (12 * (m + 1) ^ 2) - / (120 * (m + 1) ^ 4)) - (ln_sum 4 (/ (2 * (m + 1) + 1)) + 3 * (/ (2 * (m + 1) + 1)) ^ 9)) by (change (S (2 * 4)) with 9%nat in B; lra).
  unfold ln_sum, c_ln, all_one. cbn [partial factors pow INR].
  apply (positive_ratio _ (10240 * m ^ 10 + 153600 * m ^ 9 + 1033784 * m ^ 8 + 4111008 * m ^ 7 + 10698748 * m ^ 6 + 19046700 * m ^ 5 + 23504214 * m ^ 4 + 19866240 * m ^ 3 + 11014716 * m ^ 2 + 3619926 * m + 535779)
    (840 * (m + 1) ^ 4 * (m + 2) ^ 4 * (2 * m + 3) ^ 9)).
  - field. repeat split; lra.
  - assert (Q : forall k, 0 <= m ^ k) by (intros; apply pow_le; auto). pose proof (Q 2%nat); pose proof (Q 3%nat); pose proof (Q 4%nat); pose proof (Q 5%nat); pose proof (Q 6%nat); pose proof (Q 7%nat);
    pose proof (Q 8%nat); pose proof (Q 9%nat); pose proof (Q 10%nat). lra.
  - repeat apply Rmult_lt_0_compat; try apply pow_lt; lra.
Qed.
Lemma euler_between n : euler_low n <= fst keuler <= euler_high n.
Proof.
  assert (GAP : forall n, euler_low n <= euler_high n).
  { intros k. unfold euler_low. assert (0 < / (120 * INR (S k) ^ 4)); [|lra]. apply Rinv_0_lt_compat, Rmult_lt_0_compat; [lra|]. apply pow_lt, lt_0_INR; lia. }
  assert (LOW : forall k m, (k <= m)%nat -> euler_low k <= euler_low m). { induction 1; [lra|]. eapply Rle_trans; [eassumption|apply euler_rises]. }
  destruct (ex_finite_lim_seq_decr euler_high (euler_low 0)) as [l L].
  { apply euler_falls. } { intros k. eapply Rle_trans; [apply (LOW 0%nat k); lia|apply GAP]. }
  assert (A : l <= euler_high n) by (apply (is_lim_seq_decr_compare euler_high l L euler_falls)).
  assert (B : euler_low n <= l).
  { apply (is_lim_seq_le_loc (fun _ => euler_low n) euler_high (euler_low n) l); auto. exists n. intros m M. eapply Rle_trans; [apply LOW; exact M|apply GAP]. apply is_lim_seq_const. }
  assert (Z : is_lim_seq (fun m => / INR (S m)) 0).
  { apply (is_lim_seq_incr_1 (fun m => / INR m)). replace (Finite 0) with (Rbar_inv p_infty) by reflexivity. apply is_lim_seq_inv. apply is_lim_seq_INR. discriminate. }
  assert (E : is_lim_seq (fun m => sum_f_R0 (fun k => / INR (S k)) m - ln (INR (S m))) l).
  { apply (is_lim_seq_ext (fun m => euler_high m + (/ 2 * / INR (S m) - / 12 * (/ INR (S m) * / INR (S m))))).
    { intros m. unfold euler_high, harmonic. assert (INR (S m) <> 0) by (apply not_0_INR; lia). inR. field. auto. }
    replace (Finite l) with (Finite (l + (/ 2 * 0 - / 12 * (0 * 0)))) by (f_equal; ring).
    apply is_lim_seq_plus'; auto. apply is_lim_seq_minus'. apply (is_lim_seq_scal_l _ (/ 2) 0 Z). apply (is_lim_seq_scal_l _ (/ 12) (0 * 0)). apply is_lim_seq_mult'; auto. }
  unfold keuler. cbn [fst RtoC]. rewrite (is_lim_seq_unique _ _ E). simpl. auto.
Qed.

(* Ci x far out: sin x (1/x - 2!/x^3 + ...) - cos x (1/x^2 - 3!/x^4 + ...), from one point on with one small error. *)
Definition ci (x : R) : R := fst keuler + ln x + RInt cin 0 x.
Lemma ci_slope_R x : 0 < x -> is_derive ci x (cos x / x).
Proof.
  intros X. eapply der_eq; [apply der_plus; [apply der_plus; [apply der_const | apply is_derive_Reals, derivable_pt_lim_ln; auto] | apply ci_slope]|].
  unfold cin. field. lra.
Qed.
Lemma near_ci l x y : 0 < l -> l <= x -> l <= y -> Rabs (ci x - ci y) <= / l * Rabs (x - y).
Proof.
  intros L X Y. assert (M : l <= Rmin x y) by (apply Rmin_glb; auto). apply (lipschitz ci (fun t => cos t / t)). intros t T. apply ci_slope_R; lra.
  intros t T. unfold Rdiv. rewrite Rabs_mult, Rabs_Rinv, (Rabs_right t) by lra. rewrite <- (Rmult_1_l (/ l)). apply Rmult_le_compat. apply Rabs_pos. left; apply Rinv_0_lt_compat; lra.
  apply Rabs_le, COS_bound. apply Rinv_le_contravar; lra.
Qed.
Definition d_far (k : nat) : R := (2 * INR k + 1) * (2 * INR k + 2).
Definition d_far' (k : nat) : R := (2 * INR k + 2) * (2 * INR k + 3).
Fixpoint far_sin n (w : R) : R := match n with O => 0 | S n => far_sin n w + (-1) ^ n * factors d_far n * w ^ S (2 * n) end.
Fixpoint far_cos n (w : R) : R := match n with O => 0 | S n => far_cos n w + (-1) ^ n * factors d_far' n * w ^ S (S (2 * n)) end.
Lemma factors_far n : factors d_far' n = factors d_far n * (2 * INR n + 1).
Proof. induction n as [|n IH]. simpl; ring. cbn [factors]. rewrite IH, INR_S. unfold d_far, d_far'. ring. Qed.
Lemma der_inv_pow n x : 0 < x -> is_derive (fun y => (/ y) ^ n) x (- INR n * (/ x) ^ S n).
Proof.
  intros X. eapply der_eq. apply (is_derive_comp (fun u => u ^ n) Rinv). apply der_pow. apply (is_derive_inv (fun y => y) x 1). apply (is_derive_id (K := R_AbsRing)). lra.
  unfold scal; simpl; unfold mult; simpl. destruct n; cbn [pred pow]. simpl; field; lra. field; lra.
Qed.
Lemma far_sin_slope n x : 0 < x -> is_derive (fun y => far_sin n (/ y)) x (- far_cos n (/ x)).
Proof.
  intros X. induction n as [|n IH]. apply (is_derive_ext (fun _ => 0)). reflexivity. eapply der_eq; [apply der_const | simpl; ring].
  apply (is_derive_ext (fun y => far_sin n (/ y) + (-1) ^ n * factors d_far n * (/ y) ^ S (2 * n))). reflexivity.
  eapply der_eq; [apply der_plus; [exact IH | apply der_scal, der_inv_pow; auto]|]. cbn [far_cos]. rewrite factors_far, INR_S, INR_2. ring.
Qed.
Lemma far_cos_slope n x : 0 < x -> is_derive (fun y => far_cos n (/ y)) x (far_sin (S n) (/ x) - / x).
Proof.
  intros X. induction n as [|n IH]. apply (is_derive_ext (fun _ => 0)). reflexivity. eapply der_eq; [apply der_const | simpl; ring].
  apply (is_derive_ext (fun y => far_cos n (/ y) + (-1) ^ n * factors d_far' n * (/ y) ^ S (S (2 * n)))). reflexivity.
  eapply der_eq; [apply der_plus; [exact IH | apply der_scal, der_inv_pow; auto]|].
  change (far_sin (S (S n)) (/ x)) with (far_sin (S n) (/ x) + (-1) ^ S n * factors d_far (S n) * (/ x) ^ S (2 * S n)).
  replace (2 * S n)%nat with (S (S (2 * n))) by lia. rewrite factors_far, !INR_S, INR_2. cbn [factors]. unfold d_far. cbn [pow]. ring.
Qed.
Definition far n (x : R) : R := sin x * far_sin n (/ x) - cos x * far_cos n (/ x).
Lemma far_slope n x : 0 < x -> is_derive (fun y => ci y - far n y) x (cos x * ((-1) ^ n * factors d_far n * (/ x) ^ S (2 * n))).
Proof.
  intros X. eapply der_eq; [apply der_minus; [apply ci_slope_R; auto | unfold far; apply der_minus]|].
  apply is_derive_Reals, (derivable_pt_lim_mult sin). apply derivable_pt_lim_sin. apply is_derive_Reals, far_sin_slope; auto.
  apply is_derive_Reals, (derivable_pt_lim_mult cos). apply derivable_pt_lim_cos. apply is_derive_Reals, far_cos_slope; auto.
  cbn [far_sin]. field. lra.
Qed.
Definition far_error n (x : R) : R := factors d_far n * / INR (2 * n) * (/ x) ^ (2 * n).
Lemma far_error_slope n x : 0 < x -> (0 < n)%nat -> is_derive (far_error n) x (- (factors d_far n * (/ x) ^ S (2 * n))).
Proof. intros X N. unfold far_error. eapply der_eq; [apply der_scal, der_inv_pow; auto|]. assert (INR (2 * n) <> 0) by (apply not_0_INR; lia). field; auto. Qed.
Lemma factors_pos d n : (forall k, 0 < d k) -> 0 < factors d n.
Proof. intros H. induction n; cbn [factors]. lra. apply Rmult_lt_0_compat; auto. Qed.
Lemma d_far_pos k : 0 < d_far k. Proof. unfold d_far. pose proof (pos_INR k). nra. Qed.
Lemma far_ok n a x : (0 < n)%nat -> 0 < a <= x -> Rabs (ci x - far n x - (ci a - far n a)) <= far_error n a.
Proof.
  intros N A. pose proof (factors_pos d_far n d_far_pos) as F.
  assert (S0 : forall y, 0 < y -> 0 <= factors d_far n * (/ y) ^ S (2 * n)). { intros y Y. apply Rmult_le_pos; [lra|]. left. apply pow_lt, Rinv_0_lt_compat; auto. }
  assert (E0 : 0 <= far_error n x).
  { unfold far_error. apply Rmult_le_pos. apply Rmult_le_pos. lra. left; apply Rinv_0_lt_compat, lt_0_INR; lia. left. apply pow_lt, Rinv_0_lt_compat; lra. }
  assert (SG : forall y, -1 <= (-1) ^ n * cos y <= 1). { intros y. destruct (COS_bound y). assert (U : (-1) ^ n = 1 \/ (-1) ^ n = -1) by (clear; induction n; simpl; [lra|destruct IHn as [-> | ->]; lra]). destruct U as [-> | ->]; lra. }
  pose proof (rising (fun y => ci y - far n y - far_error n y) (fun y => cos y * ((-1) ^ n * factors d_far n * (/ y) ^ S (2 * n)) - - (factors d_far n * (/ y) ^ S (2 * n))) a x (proj2 A)) as U.
  pose proof (rising (fun y => -1 * (ci y - far n y) - far_error n y) (fun y => -1 * (cos y * ((-1) ^ n * factors d_far n * (/ y) ^ S (2 * n))) - - (factors d_far n * (/ y) ^ S (2 * n))) a x (proj2 A)) as V.
  assert (U1 : ci a - far n a - far_error n a <= ci x - far n x - far_error n x).
  { apply U. intros y Y. apply der_minus. apply far_slope; lra. apply far_error_slope; auto; lra. intros y Y. specialize (S0 y ltac:(lra)). specialize (SG y). nra. }
  assert (V1 : -1 * (ci a - far n a) - far_error n a <= -1 * (ci x - far n x) - far_error n x).
  { apply V. intros y Y. apply der_minus. apply der_scal, far_slope; lra. apply far_error_slope; auto; lra. intros y Y. specialize (S0 y ltac:(lra)). specialize (SG y). nra. }
  apply Rabs_le. lra.
Qed.
Lemma far_partial n w : far_sin n w = w * partial all_one d_far (- (w * w)) n /\ far_cos n w = w * w * partial all_one d_far' (- (w * w)) n.
Proof. induction n as [|n [A B]]; cbn [far_sin far_cos partial]. split; ring. rewrite A, B, square_pow. unfold all_one. cbn [pow]. split; ring. Qed.
