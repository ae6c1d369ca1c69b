(* The identities and inequalities behind the rules and the axioms' rows, for the functions of Functions.v. *)
Require Export Facts.
Open Scope C_scope.

Lemma gt_zc n : (0 < n)%Z -> gt0 (zc n). Proof. intros; split. reflexivity. apply IZR_lt in H; auto. Qed.
Lemma ge_zc n : (0 <= n)%Z -> ge0 (zc n). Proof. intros; split. reflexivity. apply IZR_le in H; auto. Qed.
Lemma fG0 : fst (G 0 0) = 0%R. Proof. rewrite G0; reflexivity. Qed.
(* --- rules --- *)
Lemma rw_eq (a s t : C) : a = s -> s = t -> a = t. Proof. congruence. Qed.
Lemma rw_le a s t : kle a s -> s = t -> kle a t. Proof. intros; subst; auto. Qed.
Lemma rw_lt a s t : klt a s -> s = t -> klt a t. Proof. intros; subst; auto. Qed.
Lemma rw_ne (a s t : C) : a <> s -> s = t -> a <> t. Proof. congruence. Qed.
Lemma zadd s t : s = G 0 0 -> t = G 0 0 -> s + t = G 0 0. Proof. intros -> ->; ring. Qed.
Lemma kz c L R : L = R -> c * (R + G (-1#1) (0#1) * L) = G 0 0. Proof. intros ->; ring. Qed.
Lemma kcombine u l r s : ne0 u -> u * (l + G (-1#1) (0#1) * r) + s = G 0 0 -> s = G 0 0 -> l = r.
Proof. intros U E S. rewrite S in E. assert (X : kinv u * (u * (l + G (-1#1) (0#1) * r) + G 0 0) = G 0 0) by (rewrite E; ring).
  replace (kinv u * (u * (l + G (-1#1) (0#1) * r) + G 0 0)) with ((u * kinv u) * (l + G (-1#1) (0#1) * r)) in X by ring.
  rewrite kinv_r in X; auto. replace l with (G 1 0 * (l + G (-1#1) (0#1) * r) + r) by ring. rewrite X; ring. Qed.
Lemma fst_sub a b : fst (a + G (-1#1) (0#1) * b) = (fst a - fst b)%R. Proof. gq; simpl; lra. Qed.
Lemma snd_sub a b : snd (a + G (-1#1) (0#1) * b) = (snd a - snd b)%R. Proof. gq; simpl; lra. Qed.
Lemma ge_eq w L R : L = R -> ge0 (w * (R + G (-1#1) (0#1) * L)).
Proof. intros ->. replace (w * (R + G (-1#1) (0#1) * R)) with (G 0 0) by ring. rewrite G0; split; [reflexivity|simpl; lra]. Qed.
Lemma ge_le w L R : ge0 w -> kle L R -> ge0 (w * (R + G (-1#1) (0#1) * L)).
Proof. intros W (A & B & D). apply ge_mult; auto. split. unfold isR in *; rewrite snd_sub; lra. rewrite fst_sub; lra. Qed.
Lemma lt_le L R : klt L R -> kle L R. Proof. intros (A & B & D); repeat split; auto; lra. Qed.
Lemma ge_lt w L R : ge0 w -> klt L R -> ge0 (w * (R + G (-1#1) (0#1) * L)).
Proof. intros; apply ge_le, lt_le; auto. Qed.
Lemma gt_lt w L R : gt0 w -> klt L R -> gt0 (w * (R + G (-1#1) (0#1) * L)).
Proof. intros W (A & B & D). apply gt_mult; auto. split. unfold isR in *; rewrite snd_sub; lra. rewrite fst_sub; lra. Qed.
Lemma ge_add a b : ge0 a -> ge0 b -> ge0 (a + b). Proof. apply ge_plus. Qed.
Lemma gt_add a b : gt0 a -> ge0 b -> gt0 (a + b). Proof. apply gt_plus. Qed.
Lemma gt_add2 a b : ge0 a -> gt0 b -> gt0 (a + b). Proof. apply gt_plus2. Qed.
Lemma le_of l r d : isR l -> isR r -> r + G (-1#1) (0#1) * l = d -> ge0 d -> kle l r.
Proof. intros A B <- [_ H]. rewrite fst_sub in H. repeat split; auto; lra. Qed.
Lemma lt_of l r d : isR l -> isR r -> r + G (-1#1) (0#1) * l = d -> gt0 d -> klt l r.
Proof. intros A B <- [_ H]. rewrite fst_sub in H. repeat split; auto; lra. Qed.
Lemma kroots a b : kpow a 2 = kpow b 2 -> ge0 a -> ge0 b -> a = b.
Proof. intros H [A1 A2] [B1 B2]. apply isR_iff in A1, B1. rewrite A1, B1 in *. simpl in A2, B2.
  f_equal. cbn [kpow] in H. rewrite G1 in H. apply (f_equal fst) in H. simpl in H.
  destruct (Rle_lt_dec (fst a) (fst b)); [destruct (Rle_lt_dec (fst b) (fst a)) |]; nra. Qed.
Lemma kexponents a b : kexp a = kexp b -> isR a -> isR b -> a = b.
Proof. intros H A B. apply isR_iff in A, B. rewrite A, B in *. rewrite !kexp_R in H. apply (f_equal fst) in H. simpl in H. apply exp_inv in H. congruence. Qed.
Lemma ksum_le lo hi f g : (forall i, inrange lo hi i -> kle (f i) (g i)) -> kle (ksum lo hi f) (ksum lo hi g).
Proof. intros H. assert (isR (ksum lo hi f)) by (apply isR_sum; intros; apply H; auto). assert (isR (ksum lo hi g)) by (apply isR_sum; intros; apply H; auto).
  repeat split; auto. unfold ksum. destruct (ends lo hi) eqn:E; [|lra]. apply ends_R in E as [].
  assert (forall n, (n <= len lo hi)%nat -> (fst (nsum (ix lo f) n) <= fst (nsum (ix lo g) n))%R); auto.
  induction n; intros; simpl. lra. apply Rplus_le_compat. apply IHn; lia. apply H, inrange_ix; auto. Qed.
Lemma ind_N (P : C -> Prop) : P (G (0#1) (0#1)) -> (forall n, isN n -> P n -> P (n + G (1#1) (0#1))) -> forall n, isN n -> P n.
Proof. intros B S n (m & Hm & ->). revert m Hm. apply natlike_ind. rewrite G_zc in B; auto.
  intros m Hm IH. replace (zc (Z.succ m)) with (zc m + G (1#1) (0#1)) by (rewrite G_zc, zc_plus; reflexivity). apply S; auto. exists m; auto. Qed.
Lemma ind_Np (P : C -> Prop) : P (G (1#1) (0#1)) -> (forall n, isNp n -> P n -> P (n + G (1#1) (0#1))) -> forall n, isNp n -> P n.
Proof. intros B S n (m & Hm & ->). assert (forall k, (0 <= k)%Z -> P (zc (1 + k))).
  apply natlike_ind. rewrite G_zc in B; auto. intros k Hk IH. replace (zc (1 + Z.succ k)) with (zc (1 + k) + G (1#1) (0#1)) by (rewrite G_zc, zc_plus; f_equal; lia).
  apply S; auto. exists (1 + k)%Z; split; auto; lia. replace m with (1 + (m - 1))%Z by lia. apply H; lia. Qed.
Lemma ind_Z (P : C -> Prop) f : isZ f -> P f -> (forall n, isZ n -> P n -> P (n + G (1#1) (0#1))) ->
  (forall n, isZ n -> P n -> P (n + G (-1#1) (0#1))) -> forall n, isZ n -> P n.
Proof. intros (a & ->) B U D n (m & ->). replace m with (a + (m - a))%Z by lia. generalize (m - a)%Z. apply Z.peano_ind.
  rewrite Z.add_0_r; auto.
  intros k IH. replace (zc (a + Z.succ k)) with (zc (a + k) + G (1#1) (0#1)) by (rewrite G_zc, zc_plus; f_equal; lia). apply U; auto; eexists; reflexivity.
  intros k IH. replace (zc (a + Z.pred k)) with (zc (a + k) + G (-1#1) (0#1)) by (rewrite G_zc, zc_plus; f_equal; lia). apply D; auto; eexists; reflexivity. Qed.

(* --- axioms --- *)
Lemma ax_modulus z : kpow (kabs z) 2 = z * conj z.
Proof. cbn [kpow]. rewrite G1. unfold kabs, conj. pose proof (Cmod_ge_0 z).
  assert (Cmod z * Cmod z = fst z * fst z + snd z * snd z)%R. { unfold Cmod. rewrite sqrt_sqrt; nra. }
  cr; lra. Qed.
Lemma ax_at_most_modulus x : isR x -> kle x (kabs x).
Proof. intros H; repeat split; auto. unfold kabs. apply isR_iff in H. rewrite H, Cmod_R. simpl. apply Rle_abs. Qed.
Lemma exp_plogv (z : C) : z <> 0 -> kexp (klog z) = z.
Proof. intros Hz. unfold klog. destruct excluded_middle_informative as [E0|E0]; [elim Hz; exact E0|]. unfold kexp; cbn [fst snd].
  assert (0 < Cmod z)%R by (apply Cmod_gt_0; exact Hz). rewrite exp_ln; auto.
  assert (Q : (Cmod z * Cmod z = fst z * fst z + snd z * snd z)%R) by (unfold Cmod; rewrite sqrt_sqrt; nra).
  set (r := Cmod z) in *. set (x := fst z) in *. set (y := snd z) in *.
  assert (B : (-1 <= x / r <= 1)%R). { split; [apply Rle_div_r | apply Rle_div_l]; auto; nra. }
  assert (S : sin (acos (x / r)) = (Rabs y / r)%R).
  { rewrite sin_acos; auto. apply Rsqr_inj. apply sqrt_pos. apply Rdiv_le_0_compat; auto; apply Rabs_pos.
    rewrite Rsqr_sqrt. unfold Rsqr. replace (Rabs y / r * (Rabs y / r))%R with ((Rabs y * Rabs y) / (r * r))%R by (field; lra).
    rewrite <- Rabs_mult, (Rabs_pos_eq (y*y)) by nra. replace (x / r * (x / r))%R with (x * x / (r * r))%R by (field; lra). rewrite Q. field. rewrite <- Q; nra.
    unfold Rsqr. assert (x / r * (x / r) <= 1)%R by nra. lra. }
  unfold arg. fold r x y. destruct (Rle_dec 0 y).
  rewrite cos_acos, S, Rabs_right by lra. apply Ceq; cbn [fst snd]; fold x y; field; lra.
  rewrite cos_neg, sin_neg, cos_acos, S, Rabs_left by lra. apply Ceq; cbn [fst snd]; fold x y; field; lra. Qed.
Lemma ax_logarithm x : ne0 x -> kexp (klog x) = x.
Proof. unfold ne0; rewrite G0; apply exp_plogv. Qed.
Lemma ax_powers b x : ne0 b -> kpowc b x = kexp (x * klog b). Proof. apply kcond. Qed.
Lemma ax_root_as_power b : ne0 b -> ksqrt b = kexp (G (1#2) (0#1) * klog b). Proof. apply ksqrt_ne. Qed.
Lemma ksqrt_0 : ksqrt (G 0 0) = G 0 0.
Proof. unfold ksqrt; destruct excluded_middle_informative. rewrite G0; auto. elim n. apply G0. Qed.
Lemma ax_root z : kpow (ksqrt z) 2 = z.
Proof. destruct (ne0_dec z) as [->|H]. rewrite ksqrt_0; ring. rewrite ksqrt_ne; auto.
  transitivity (kexp (klog z)); [|apply ax_logarithm; auto].
  transitivity (kexp (G (1#2) (0#1) * klog z) * kexp (G (1#2) (0#1) * klog z)). ring. rewrite <- kexp_plus. f_equal; ring. Qed.
Lemma ax_quarter_turn : kexp (G (0#1) (1#1) * kpi * G (1#2) (0#1)) = G (0#1) (1#1).
Proof. replace (G (0#1) (1#1) * kpi * G (1#2) (0#1)) with ((0, PI / 2)%R : C) by (unfold kpi; gq; cr; field).
  unfold kexp; cbn [fst snd]. rewrite exp_0, cos_PI2, sin_PI2. gq. apply Ceq; simpl; ring. Qed.
Lemma cis_turn n : cos (IZR n * (2 * PI)) = 1%R /\ sin (IZR n * (2 * PI)) = 0%R.
Proof. assert (forall k : nat, cos (INR k * (2 * PI)) = 1%R /\ sin (INR k * (2 * PI)) = 0%R).
  { intros k. replace (INR k * (2 * PI))%R with (0 + 2 * INR k * PI)%R by ring. rewrite cos_period, sin_period, cos_0, sin_0; auto. }
  destruct (Z_le_dec 0 n). destruct (IZN n) as [k ->]; [lia|]. rewrite <- INR_IZR_INZ. apply H.
  destruct (IZN (-n)) as [k E]; [lia|]. replace n with (- Z.of_nat k)%Z by lia. rewrite opp_IZR, <- INR_IZR_INZ.
  replace (- INR k * (2 * PI))%R with (- (INR k * (2 * PI)))%R by ring. rewrite cos_neg, sin_neg. destruct (H k) as [-> ->]. split; ring. Qed.
Lemma ax_turns n : isZ n -> kexp (G (0#1) (2#1) * kpi * n) = G (1#1) (0#1).
Proof. intros [k ->]. replace (G (0#1) (2#1) * kpi * zc k) with ((0, IZR k * (2 * PI))%R : C).
  unfold kexp; simpl. destruct (cis_turn k) as [-> ->]. rewrite exp_0, G1. cr.
  assert (Q2R (2#1) = 2)%R by (unfold Q2R; simpl; lra). unfold G, kpi, zc. rewrite H, Q0. cr. Qed.
Lemma ax_erf_at_zero : kerf (G (0#1) (0#1)) = G (0#1) (0#1).
Proof.
  unfold kerf. replace (fun s => G 0 0 * kexp (G (-1#1) (0#1) * kpow (s * G 0 0) 2)) with (fun _ : C => G 0 0) by (apply functional_extensionality; intros; ring). unfold kint.
  destruct excluded_middle_informative; [|ring]. rewrite (RInt_const (V := R_CompleteNormedModule)), (RInt_const (V := R_CompleteNormedModule)), G0. apply Ceq; simpl; unfold scal; simpl; unfold mult; simpl; ring.
Qed.
Lemma kabs_tri a b : kle (kabs (a + b)) (kabs a + kabs b).
Proof. repeat split. unfold isR; simpl; ring. simpl. apply Cmod_triangle. Qed.
Lemma kle_refl a : isR a -> kle a a. Proof. repeat split; auto; lra. Qed.
Lemma kle_trans a b c : kle a b -> kle b c -> kle a c. Proof. intros (A & B & D) (E & F & H); repeat split; auto; lra. Qed.
Lemma kle_plus a b c d : kle a b -> kle c d -> kle (a + c) (b + d).
Proof. intros (A & B & D) (E & F & H). repeat split; try (apply isR_plus; auto). simpl; lra. Qed.
Lemma kabs_G0 : kabs (G 0 0) = G 0 0. Proof. rewrite G0. unfold kabs. rewrite Cmod_0; auto. Qed.
Lemma ax_triangle_sum lo hi f : kle (kabs (ksum lo hi f)) (ksum lo hi (fun i => kabs (f i))).
Proof. unfold ksum. destruct ends. 2: rewrite kabs_G0; apply kle_refl, Q0.
  induction (len lo hi); simpl. rewrite kabs_G0; apply kle_refl, Q0. eapply kle_trans. apply kabs_tri. apply kle_plus; auto. apply kle_refl; reflexivity. Qed.
Lemma ksum_plus lo hi f g : ksum lo hi (fun i => f i + g i) = ksum lo hi f + ksum lo hi g.
Proof. unfold ksum. destruct ends; [|ring]. induction (len lo hi); simpl. ring. unfold ix in *. rewrite IHn; ring. Qed.
Lemma ksum_scal lo hi c f : ksum lo hi (fun i => c * f i) = c * ksum lo hi f.
Proof. unfold ksum. destruct ends; [|ring]. induction (len lo hi); simpl. ring. unfold ix in *. rewrite IHn; ring. Qed.
Lemma ksum_0 lo hi : ksum lo hi (fun _ => G 0 0) = G 0 0.
Proof. transitivity (ksum lo hi (fun i => G 0 0 * G 0 0)). apply ksum_ext; intros; ring. rewrite (ksum_scal lo hi (G 0 0) (fun _ => G 0 0)). ring. Qed.
Lemma nsum_ksum lo hi (g : nat -> C -> C) n : nsum (fun k => ksum lo hi (g k)) n = ksum lo hi (fun j => nsum (fun k => g k j) n).
Proof. induction n; cbn [nsum]. symmetry; apply ksum_0. rewrite IHn. symmetry. apply (ksum_plus lo hi (fun j => nsum (fun k => g k j) n) (g n)). Qed.
Lemma ax_swap lo hi lo2 hi2 (f : C -> C -> C) :
  ksum lo hi (fun i => ksum lo2 hi2 (fun j => f i j)) = ksum lo2 hi2 (fun j => ksum lo hi (fun i => f i j)).
Proof. unfold ksum at 1. destruct (ends lo hi) eqn:E.
  unfold ix. rewrite (nsum_ksum lo2 hi2 (fun k j => f (zc (ceil (fst lo) + Z.of_nat k)) j)). apply ksum_ext; intros; unfold ksum; rewrite E; reflexivity.
  rewrite <- (ksum_0 lo2 hi2). apply ksum_ext; intros; unfold ksum; rewrite E; reflexivity. Qed.
Lemma len_Z a b : len (zc a) (zc b) = Z.to_nat (b - a + 1). Proof. unfold len. rewrite !fst_zc, ip_Z, ceil_Z; auto. Qed.
Lemma ix_Z a f k : ix (zc a) f k = f (zc (a + Z.of_nat k)). Proof. unfold ix. rewrite fst_zc, ceil_Z; auto. Qed.
Lemma nsum_app f n m : nsum f (n + m) = nsum f n + nsum (fun k => f (n + k)%nat) m.
Proof. induction m. rewrite Nat.add_0_r; simpl; ring. rewrite Nat.add_succ_r; simpl. rewrite IHm; ring. Qed.
Lemma nprod_app f n m : nprod f (n + m) = nprod f n * nprod (fun k => f (n + k)%nat) m.
Proof. induction m. rewrite Nat.add_0_r; simpl; ring. rewrite Nat.add_succ_r; simpl. rewrite IHm; ring. Qed.
Lemma ge_zc' n : ge0 (zc n) -> (0 <= n)%Z. Proof. intros [_ H]; simpl in H. apply le_IZR; auto. Qed.
Lemma gt_zc' n : gt0 (zc n) -> (0 < n)%Z. Proof. intros [_ H]; simpl in H. apply lt_IZR; auto. Qed.
Lemma m1_zc n : G (-1#1) (0#1) * zc n = zc (- n). Proof. rewrite G_zc, zc_mult; f_equal; lia. Qed.
Lemma ax_split_sum (lo hi mid : C) (f : C -> C) : isZ lo -> isZ hi -> isZ mid -> ge0 (mid + G (-1#1) (0#1) * lo + G (1#1) (0#1)) -> ge0 (hi + G (-1#1) (0#1) * mid) ->
  ksum lo hi f = ksum lo mid f + ksum (mid + G (1#1) (0#1)) hi f.
Proof. intros [l ->] [h ->] [m ->] A B.
  assert (A' : (0 <= m - l + 1)%Z) by (revert A; rewrite m1_zc, G_zc, !zc_plus; intros A; apply ge_zc' in A; lia).
  assert (B' : (0 <= h - m)%Z) by (revert B; rewrite m1_zc, !zc_plus; intros B; apply ge_zc' in B; lia).
  replace (zc m + G (1#1) (0#1)) with (zc (m+1)) by (rewrite G_zc, zc_plus; auto).
  unfold ksum. rewrite !R_ends by reflexivity. rewrite !len_Z.
  replace (Z.to_nat (h - l + 1)) with (Z.to_nat (m - l + 1) + Z.to_nat (h - (m + 1) + 1))%nat by lia. rewrite nsum_app. f_equal.
  apply nsum_ext. intros. rewrite !ix_Z. f_equal. f_equal. lia. Qed.
Lemma ax_split_prod (lo hi mid : C) (f : C -> C) : isZ lo -> isZ hi -> isZ mid -> ge0 (mid + G (-1#1) (0#1) * lo + G (1#1) (0#1)) -> ge0 (hi + G (-1#1) (0#1) * mid) ->
  kprod lo hi f = kprod lo mid f * kprod (mid + G (1#1) (0#1)) hi f.
Proof. intros [l ->] [h ->] [m ->] A B.
  assert (A' : (0 <= m - l + 1)%Z) by (revert A; rewrite m1_zc, G_zc, !zc_plus; intros A; apply ge_zc' in A; lia).
  assert (B' : (0 <= h - m)%Z) by (revert B; rewrite m1_zc, !zc_plus; intros B; apply ge_zc' in B; lia).
  replace (zc m + G (1#1) (0#1)) with (zc (m+1)) by (rewrite G_zc, zc_plus; auto).
  unfold kprod. rewrite !R_ends by reflexivity. rewrite !len_Z.
  replace (Z.to_nat (h - l + 1)) with (Z.to_nat (m - l + 1) + Z.to_nat (h - (m + 1) + 1))%nat by lia. rewrite nprod_app. f_equal.
  apply nprod_ext. intros. rewrite !ix_Z. f_equal. f_equal. lia. Qed.
Lemma ax_single_sum lo f : isZ lo -> ksum lo lo f = f lo.
Proof. intros [l ->]. unfold ksum. rewrite R_ends by reflexivity. rewrite len_Z. replace (Z.to_nat (l - l + 1)) with 1%nat by lia. simpl. rewrite ix_Z. simpl. rewrite Z.add_0_r. ring. Qed.
Lemma ax_single_prod lo f : isZ lo -> kprod lo lo f = f lo.
Proof. intros [l ->]. unfold kprod. rewrite R_ends by reflexivity. rewrite len_Z. replace (Z.to_nat (l - l + 1)) with 1%nat by lia. simpl. rewrite ix_Z. simpl. rewrite Z.add_0_r. ring. Qed.
Lemma len_empty lo hi : isR lo -> isR hi -> (fst hi < fst lo)%R -> len lo hi = O.
Proof. intros. unfold len. pose proof (ip_spec (fst hi)). pose proof (ceil_spec (fst lo)). assert (IZR (Int_part (fst hi)) < IZR (ceil (fst lo)))%R by lra. apply lt_IZR in H4. lia. Qed.
Lemma ax_empty_sum lo hi f : gt0 (lo + G (-1#1) (0#1) * hi) -> ksum lo hi f = G (0#1) (0#1).
Proof. intros [_ H]. rewrite fst_sub in H. unfold ksum. destruct (ends lo hi) eqn:E; auto. apply ends_R in E as []. rewrite len_empty; auto; lra. Qed.
Lemma ax_empty_prod lo hi f : gt0 (lo + G (-1#1) (0#1) * hi) -> kprod lo hi f = G (1#1) (0#1).
Proof. intros [_ H]. rewrite fst_sub in H. unfold kprod. destruct (ends lo hi) eqn:E; auto. apply ends_R in E as []. rewrite len_empty; auto; lra. Qed.
Lemma ends_shift lo hi k : isZ k -> ends (lo + k) (hi + k) = ends lo hi.
Proof. intros [n ->]. unfold ends, isR. assert (forall a, snd (a + zc n) = snd a) by (intros; simpl; ring). rewrite !H. auto. Qed.
Lemma ip_shift x n : Int_part (x + IZR n) = (Int_part x + n)%Z.
Proof. unfold Int_part. rewrite <- (tech_up (x + IZR n) (up x + n)). lia. rewrite plus_IZR. destruct (archimed x); lra. rewrite plus_IZR. destruct (archimed x); lra. Qed.
Lemma ceil_shift x n : ceil (x + IZR n) = (ceil x + n)%Z.
Proof. unfold ceil. replace (- (x + IZR n))%R with (- x + IZR (- n))%R by (rewrite opp_IZR; ring). rewrite ip_shift. lia. Qed.
Lemma len_shift lo hi n : len (lo + zc n) (hi + zc n) = len lo hi.
Proof. unfold len. simpl. rewrite ip_shift, ceil_shift. f_equal. lia. Qed.
Lemma ix_shift lo f n k : ix (lo + zc n) (fun i => f (i + G (-1#1) (0#1) * zc n)) k = ix lo f k.
Proof. unfold ix. simpl fst. rewrite ceil_shift, m1_zc, zc_plus. f_equal. f_equal. lia. Qed.
Lemma ax_shift_sum lo hi k f : isZ k -> ksum lo hi f = ksum (lo + k) (hi + k) (fun i => f (i + G (-1#1) (0#1) * k)).
Proof. intros Z. unfold ksum. rewrite ends_shift; auto. destruct Z as [n ->]. destruct ends; auto. rewrite len_shift. apply nsum_ext. intros; rewrite ix_shift; auto. Qed.
Lemma ax_shift_prod lo hi k f : isZ k -> kprod lo hi f = kprod (lo + k) (hi + k) (fun i => f (i + G (-1#1) (0#1) * k)).
Proof. intros Z. unfold kprod. rewrite ends_shift; auto. destruct Z as [n ->]. destruct ends; auto. rewrite len_shift. apply nprod_ext. intros; rewrite ix_shift; auto. Qed.
Lemma ax_alike f u v : kdelta u v * f u = kdelta u v * f v.
Proof. unfold kdelta. destruct excluded_middle_informative. subst; auto. ring. Qed.
Lemma kint_ext_in lo hi f g : ge0 (hi + G (-1#1) (0#1) * lo) -> (forall x, isR x -> kle lo x -> kle x hi -> f x = g x) -> kint lo hi f = kint lo hi g.
Proof. intros [_ H] E. rewrite fst_sub in H. unfold kint.
  assert (forall P Q : Prop, (P <-> Q) -> forall a b c : C, (P -> a = b) -> (if excluded_middle_informative P then a else c) = (if excluded_middle_informative Q then b else c)) as X.
  { intros. do 2 destruct excluded_middle_informative; auto; tauto. }
  assert (Y : isR lo -> isR hi -> forall x, (Rmin (fst lo) (fst hi) < x < Rmax (fst lo) (fst hi))%R -> f (RtoC x) = g (RtoC x)).
  { intros. rewrite Rmin_left, Rmax_right in H2 by lra. apply E; try reflexivity; repeat split; auto; simpl; lra. }
  apply X. split; intros (A & B & D & F); repeat split; auto; [eapply ex_RInt_ext; [|exact D] | eapply ex_RInt_ext; [|exact F] | eapply ex_RInt_ext; [|exact D] | eapply ex_RInt_ext; [|exact F]]; intros; cbv beta; rewrite Y; auto.
  intros (A & B & _). apply Ceq; cbn [fst snd]; apply RInt_ext; intros; rewrite Y; auto. Qed.
Lemma kint_ext_pos lo hi f g : gt0 lo -> gt0 hi -> (forall x, isRp x -> kle lo x /\ kle x hi \/ kle hi x /\ kle x lo -> f x = g x) -> kint lo hi f = kint lo hi g.
Proof. intros [L1 L] [H1 H] E. unfold kint.
  assert (forall P Q : Prop, (P <-> Q) -> forall a b c : C, (P -> a = b) -> (if excluded_middle_informative P then a else c) = (if excluded_middle_informative Q then b else c)) as X.
  { intros. do 2 destruct excluded_middle_informative; auto; tauto. }
  assert (Y : forall x, (Rmin (fst lo) (fst hi) < x < Rmax (fst lo) (fst hi))%R -> f (RtoC x) = g (RtoC x)).
  { intros x Hx. apply E. split; [reflexivity|]. simpl. revert Hx; unfold Rmin, Rmax; destruct Rle_dec; lra.
    revert Hx; unfold Rmin, Rmax; destruct Rle_dec; intros; [left|right]; repeat split; auto; simpl; lra. }
  apply X. split; intros (A & B & D & F); repeat split; auto; [eapply ex_RInt_ext; [|exact D] | eapply ex_RInt_ext; [|exact F] | eapply ex_RInt_ext; [|exact D] | eapply ex_RInt_ext; [|exact F]]; intros; cbv beta; rewrite Y; auto.
  intros (A & B & _). apply Ceq; cbn [fst snd]; apply RInt_ext; intros; rewrite Y; auto. Qed.
Lemma between_of lo hi x : ge0 (hi + G (-1#1) (0#1) * lo) -> kle lo x /\ kle x hi \/ kle hi x /\ kle x lo -> kle lo x /\ kle x hi.
Proof. intros [_ H] [?|[A B]]; auto. rewrite fst_sub in H. destruct A as (?&?&?), B as (?&?&?). repeat split; auto; lra. Qed.
Lemma eq_le (a b c : C) : a = b -> kle b c -> kle a c. Proof. intros ->; auto. Qed.
Lemma le_eq (a b c : C) : kle a b -> b = c -> kle a c. Proof. intros ? <-; auto. Qed.
Lemma eq_lt (a b c : C) : a = b -> klt b c -> klt a c. Proof. intros ->; auto. Qed.
Lemma lt_eq (a b c : C) : klt a b -> b = c -> klt a c. Proof. intros ? <-; auto. Qed.
Lemma lt_lt (a b c : C) : klt a b -> klt b c -> klt a c. Proof. intros (A & B & D) (E & F & H); repeat split; auto; lra. Qed.
Lemma le_lt_tr (a b c : C) : kle a b -> klt b c -> klt a c. Proof. intros (A & B & D) (E & F & H); repeat split; auto; lra. Qed.
Lemma lt_le_tr (a b c : C) : klt a b -> kle b c -> klt a c. Proof. intros (A & B & D) (E & F & H); repeat split; auto; lra. Qed.
