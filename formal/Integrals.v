(* Powers, the inequality of Cauchy and Schwarz, maxima, and integrals of continuous functions. *)
Require Export Truths.
Open Scope C_scope.

Lemma zc_0 n : zc n = 0 -> n = 0%Z. Proof. intros H. apply (f_equal fst) in H. simpl in H. apply eq_IZR in H; auto. Qed.
Lemma kpowc_0 x : kpowc (G 0 0) x = if excluded_middle_informative (x = 0) then G 1 0 else G 0 0.
Proof. unfold kpowc. destruct (excluded_middle_informative (G 0 0 = 0)); auto. elim n; apply G0. Qed.
Lemma ax_natural_powers b m n : isN m -> isN n -> kpowc b (m + n) = kpowc b m * kpowc b n.
Proof. intros (x & Hx & ->) (y & Hy & ->). destruct (ne0_dec b) as [->|B].
  - assert (Z : forall k, kpowc (G 0 0) (zc k) = if Z.eq_dec k 0 then G 1 0 else G 0 0).
    { intros k. rewrite kpowc_0. destruct excluded_middle_informative as [E|E]; destruct Z.eq_dec as [F|F]; auto.
      apply zc_0 in E; contradiction. elim E. rewrite F; reflexivity. }
    rewrite zc_plus, !Z. repeat destruct Z.eq_dec; try lia; ring.
  - rewrite !kcond by auto. rewrite <- kexp_plus. f_equal; ring. Qed.
Lemma rep_zc n b : rep n b = zc (Z.of_nat n) * b.
Proof. induction n; cbn [rep]. change (Z.of_nat 0) with 0%Z. rewrite <- (G_zc 0); ring.
  rewrite IHn. replace (Z.of_nat (S n)) with (1 + Z.of_nat n)%Z by lia. rewrite <- zc_plus, <- (G_zc 1). ring. Qed.
Lemma ax_plain_power b n : kpowc b (G (Z.of_nat n # 1) (0#1)) = kpow b n.
Proof. rewrite G_zc. destruct (ne0_dec b) as [->|B].
  rewrite kpowc_0. destruct n. destruct excluded_middle_informative; auto. elim n; reflexivity.
  destruct excluded_middle_informative. apply zc_0 in e; lia. cbn [kpow]. ring.
  rewrite kcond, <- rep_zc, kexp_rep, ax_logarithm; auto. Qed.

Lemma cs_step S A B x y : (0 <= A -> 0 <= B -> 0 <= x -> 0 <= y -> 0 <= S -> S * S <= A * B -> (S + x * y) * (S + x * y) <= (A + x * x) * (B + y * y))%R.
Proof. intros. assert (2 * (S * x * y) <= A * y * y + B * x * x)%R.
  { assert (0 <= A * y * y)%R by (repeat apply Rmult_le_pos; auto). assert (0 <= B * x * x)%R by (repeat apply Rmult_le_pos; auto).
    apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
    assert (S * S * (x * x * (y * y)) <= A * B * (x * x * (y * y)))%R by (apply Rmult_le_compat_r; auto; nra).
    pose proof (Rle_0_sqr (A * y * y - B * x * x)). unfold Rsqr in H8. nra. }
  nra. Qed.
Lemma ax_cauchy_schwarz lo hi f g : kle (kpow (kabs (ksum lo hi (fun i => f i * g i))) 2)
  (ksum lo hi (fun i => kpow (kabs (f i)) 2) * ksum lo hi (fun i => kpow (kabs (g i)) 2)).
Proof. assert (P : forall a, isR (ksum lo hi (fun i => kpow (kabs (a i)) 2))) by (intros; apply isR_sum; intros; apply isR_pow; reflexivity).
  split; [apply isR_pow; reflexivity | split; [apply isR_mult; auto|]]. rewrite fstM by auto.
  assert (Q : forall z, fst (kpow (kabs z) 2) = (Cmod z * Cmod z)%R) by (intros; cbn [kpow]; rewrite G1; simpl; ring). rewrite Q.
  unfold ksum. destruct ends. 2: { rewrite G0. simpl. rewrite Cmod_0. lra. }
  enough (forall n, (let S := Cmod (nsum (ix lo (fun i => f i * g i)%C) n) in
     let A := fst (nsum (ix lo (fun i => kpow (kabs (f i)) 2)) n) in let B := fst (nsum (ix lo (fun i => kpow (kabs (g i)) 2)) n) in 0 <= A /\ 0 <= B /\ S * S <= A * B)%R) by apply H.
  induction n; cbn [nsum]; intros. rewrite !G0, Cmod_0; simpl; lra. destruct IHn as (HA & HB & HS).
  set (z := zc (ceil (fst lo) + Z.of_nat n)). change (ix lo (fun i => f i * g i) n) with (f z * g z).
  change (ix lo (fun i => kpow (kabs (f i)) 2) n) with (kpow (kabs (f z)) 2). change (ix lo (fun i => kpow (kabs (g i)) 2) n) with (kpow (kabs (g z)) 2).
  rewrite !fstP, !Q. cbv zeta. revert HA HB HS.
  generalize (fst (nsum (ix lo (fun i => kpow (kabs (f i)) 2)) n)) (fst (nsum (ix lo (fun i => kpow (kabs (g i)) 2)) n)). intros A B HA HB HS.
  pose proof (Cmod_ge_0 (f z)). pose proof (Cmod_ge_0 (g z)). pose proof (Cmod_ge_0 (nsum (ix lo (fun i => f i * g i)) n)).
  split; [nra | split; [nra|]]. pose proof (Cmod_triangle (nsum (ix lo (fun i => f i * g i)) n) (f z * g z)) as T. rewrite Cmod_mult in T.
  eapply Rle_trans; [|apply (cs_step _ _ _ _ _ HA HB H H0 H1 HS)].
  pose proof (Cmod_ge_0 (nsum (ix lo (fun i => f i * g i)) n + f z * g z)). apply Rmult_le_compat; auto. Qed.
Lemma nmax_ge f n k : (k < n)%nat -> (fst (f k) <= nmax f n)%R.
Proof. induction n; intros; [lia|]. destruct n. replace k with O by lia. simpl; lra.
  change (fst (f k) <= Rmax (nmax f (S n)) (fst (f (S n))))%R. destruct (Nat.eq_dec k (S n)). subst; apply Rmax_r.
  eapply Rle_trans; [apply IHn; lia | apply Rmax_l]. Qed.
Lemma ax_maximum lo hi a b : (forall i, inrange lo hi i -> ge0 (a i)) -> (forall i, inrange lo hi i -> isR (b i)) ->
  kle (ksum lo hi (fun i => a i * b i)) (kmax lo hi b * ksum lo hi a).
Proof. intros A B. rewrite <- ksum_scal. unfold ksum, kmax. destruct (ends lo hi) eqn:E. 2: { apply kle_refl; apply Q0. } apply ends_R in E as [E1 E2].
  destruct excluded_middle_informative as [_|N]. 2: elim N; auto.
  assert (forall n, (n <= len lo hi)%nat -> kle (nsum (ix lo (fun i => a i * b i)) n) (nsum (ix lo (fun i => RtoC (nmax (ix lo b) (len lo hi)) * a i)) n)); auto.
  induction n; intros; cbn [nsum]. apply kle_refl, Q0. apply kle_plus. apply IHn; lia.
  assert (R : inrange lo hi (zc (ceil (fst lo) + Z.of_nat n))) by (apply inrange_ix; auto). unfold ix at 1 2.
  destruct (A _ R) as [A1 A2]. specialize (B _ R). split; [apply isR_mult; auto | split; [apply isR_mult; [reflexivity | auto] |]].
  rewrite !fstM by (auto; reflexivity). pose proof (nmax_ge (ix lo b) (len lo hi) n ltac:(lia)) as W. rewrite Rmult_comm. apply Rmult_le_compat_r; [exact A2 | exact W]. Qed.

(* integrals *)
Definition kcont (f : C -> C) := forall x, continuous (fun x => fst (f (RtoC x))) x /\ continuous (fun x => snd (f (RtoC x))) x.
Lemma kint_c f lo hi : kcont f -> isR lo -> isR hi -> kint lo hi f = (RInt (fun x => fst (f (RtoC x))) (fst lo) (fst hi), RInt (fun x => snd (f (RtoC x))) (fst lo) (fst hi)).
Proof. intros K L H. unfold kint. destruct excluded_middle_informative as [_|N]; auto. elim N. repeat split; auto; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply K. Qed.
Lemma ax_join lo mid hi f : kcont f -> isR lo -> isR mid -> isR hi -> kint lo hi f = kint lo mid f + kint mid hi f.
Proof. intros K L M H. rewrite !kint_c by auto.
  assert (X : forall a b, ex_RInt (fun x => fst (f (RtoC x))) a b /\ ex_RInt (fun x => snd (f (RtoC x))) a b) by (split; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply K).
  apply Ceq; cbn [fst snd Cplus]; symmetry; apply (RInt_Chasles (V := R_CompleteNormedModule)); apply X. Qed.
Lemma ax_triangle_integral lo hi f : kcont f -> kcont (fun x => kabs (f x)) -> kle lo hi -> kle (kabs (kint lo hi f)) (kint lo hi (fun x => kabs (f x))).
Proof. intros K K2 (L & H & D). rewrite !kint_c by auto. repeat split.
  unfold isR; cbn [snd]. rewrite (RInt_ext _ (fun _ => 0%R)) by reflexivity. rewrite RInt_const. unfold scal; simpl; unfold mult; simpl; ring.
  cbn [fst kabs RtoC].
  set (V := prod_NormedModule R_AbsRing R_NormedModule R_NormedModule).
  assert (N : forall z : C, norm (z : V) = Cmod z).
  { intros z. unfold norm; simpl. unfold prod_norm, Cmod. f_equal. unfold norm; simpl; unfold abs; simpl. rewrite !Rmult_1_r, <- !Rabs_mult, !Rabs_pos_eq; nra. }
  rewrite <- N.
  apply (norm_RInt_le (V := V) (fun x => (fst (f (RtoC x)), snd (f (RtoC x))) : V) (fun x => Cmod (f (RtoC x))) (fst lo) (fst hi)); auto.
  intros x _. rewrite N. right. f_equal. apply Ceq; reflexivity.
  apply (is_RInt_fct_extend_pair (U := R_NormedModule) (V := R_NormedModule)); apply (RInt_correct (V := R_CompleteNormedModule)), (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply K.
  apply (RInt_correct (V := R_CompleteNormedModule)), (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply K2. Qed.
