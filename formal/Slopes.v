(* Derivatives: sums, products, compositions, smooth functions, integrals. *)
Require Export Calculus.
Set Implicit Arguments.

Open Scope C_scope.

Lemma d_eq (f : R -> R) (x a b : R) : a = b -> is_derive f x a -> is_derive f x b. Proof. intros ->; auto. Qed.
Lemma dR_plus (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> is_derive (fun y => (f y + g y)%R) x (a + b)%R.
Proof. intros A B. apply is_derive_Reals. apply (derivable_pt_lim_plus f g); apply is_derive_Reals; auto. Qed.
Lemma dR_minus (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> is_derive (fun y => (f y - g y)%R) x (a - b)%R.
Proof. intros A B. apply is_derive_Reals. apply (derivable_pt_lim_minus f g); apply is_derive_Reals; auto. Qed.
Lemma dR_mult (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> is_derive (fun y => (f y * g y)%R) x (a * g x + f x * b)%R.
Proof. intros A B. apply is_derive_Reals. apply (derivable_pt_lim_mult f g); apply is_derive_Reals; auto. Qed.
Lemma dR_comp (h f : R -> R) x a b : is_derive f x a -> is_derive h (f x) b -> is_derive (fun y => h (f y)) x (b * a)%R.
Proof. intros A B. apply is_derive_Reals. apply (derivable_pt_lim_comp f h); apply is_derive_Reals; auto. Qed.
Arguments dR_comp h [f x a b] _ _.
Lemma dR_const (c : R) x : is_derive (fun _ => c) x 0%R. Proof. apply is_derive_Reals, derivable_pt_lim_const. Qed.
Lemma dR_opp (f : R -> R) x a : is_derive f x a -> is_derive (fun y => (- f y)%R) x (- a)%R.
Proof. intros A. apply is_derive_Reals. apply (derivable_pt_lim_opp f); apply is_derive_Reals; auto. Qed.

Definition slope_at (f : R -> C) (x : R) (a : C) : Prop := is_derive (fun y => fst (f y)) x (fst a) /\ is_derive (fun y => snd (f y)) x (snd a).
Lemma s_eq f x a b : a = b -> slope_at f x a -> slope_at f x b. Proof. intros ->; auto. Qed.
Lemma s_near f g x a : locally x (fun y => f y = g y) -> slope_at f x a -> slope_at g x a.
Proof.
  intros L [A B]. split; [apply (is_derive_ext_loc (fun y => fst (f y))) | apply (is_derive_ext_loc (fun y => snd (f y)))]; auto;
  (eapply filter_imp; [|exact L]); intros y ->; auto.
Qed.
Lemma s_const c x : slope_at (fun _ => c) x (G 0 0). Proof. rewrite G0. split; apply dR_const. Qed.
Lemma s_id x : slope_at RtoC x (G 1 0).
Proof. rewrite G1. split; simpl. apply is_derive_Reals, derivable_pt_lim_id. apply dR_const. Qed.
Lemma s_plus f g x a b : slope_at f x a -> slope_at g x b -> slope_at (fun y => f y + g y) x (a + b).
Proof. intros [A B] [D E]. split; simpl; apply dR_plus; auto. Qed.
Lemma s_mult f g x a b : slope_at f x a -> slope_at g x b -> slope_at (fun y => f y * g y) x (a * g x + f x * b).
Proof.
  intros [A B] [D E]. split; simpl.
  eapply d_eq; [|exact (dR_minus (dR_mult A D) (dR_mult B E))]. simpl; ring.
  eapply d_eq; [|exact (dR_plus (dR_mult A E) (dR_mult B D))]. simpl; ring.
Qed.
Lemma s_scal c f x a : slope_at f x a -> slope_at (fun y => c * f y) x (c * a).
Proof. intros A. eapply s_eq; [|exact (s_mult (s_const c x) A)]. cbv beta. ring. Qed.
Arguments s_scal c [f x a] _.
Arguments s_const c x : clear implicits.
Lemma s_pow f x a k : slope_at f x a -> slope_at (fun y => kpow (f y) (S k)) x (zc (Z.of_nat (S k)) * kpow (f x) k * a).
Proof.
  intros A. induction k.
  - cbn [kpow]. eapply s_eq; [|exact (s_mult A (s_const (G 1 0) x))]. change (zc (Z.of_nat 1)) with (zc 1). rewrite <- (G_zc 1). cbv beta. ring.
  - eapply s_eq; [|exact (s_mult A IHk)]. replace (Z.of_nat (S (S k))) with (1 + Z.of_nat (S k))%Z by lia. rewrite <- zc_plus, <- (G_zc 1). cbn [kpow]. ring.
Qed.
Lemma s_exp f x a : slope_at f x a -> slope_at (fun y => kexp (f y)) x (kexp (f x) * a).
Proof.
  intros [A B].
  assert (E : is_derive (fun y => exp (fst (f y))) x (exp (fst (f x)) * fst a)%R) by (apply (dR_comp exp A); apply is_derive_Reals, derivable_pt_lim_exp).
  assert (D : is_derive (fun y => cos (snd (f y))) x (- sin (snd (f x)) * snd a)%R) by (apply (dR_comp cos B); apply is_derive_Reals, derivable_pt_lim_cos).
  assert (F : is_derive (fun y => sin (snd (f y))) x (cos (snd (f x)) * snd a)%R) by (apply (dR_comp sin B); apply is_derive_Reals, derivable_pt_lim_sin).
  split; unfold kexp; cbn [fst snd].
  eapply d_eq; [|exact (dR_mult E D)]. simpl; ring. eapply d_eq; [|exact (dR_mult E F)]. simpl; ring.
Qed.
Lemma s_conj f x a : slope_at f x a -> slope_at (fun y => conj (f y)) x (conj a).
Proof. intros [A B]. split; auto. unfold conj; cbn [fst snd]. apply dR_opp; auto. Qed.
Lemma s_cont f x a : slope_at f x a -> cont_at f x.
Proof. intros [A B]. split; apply (ex_derive_continuous (V := R_NormedModule)); eexists; eauto. Qed.
Lemma s_inv f x a : ne0 (f x) -> slope_at f x a -> slope_at (fun y => kinv (f y)) x (G (-1#1) (0#1) * kpow (kinv (f x)) 2 * a).
Proof.
  intros N [A B]. apply ne0_parts in N.
  set (q := fun y => (fst (f y) * fst (f y) + snd (f y) * snd (f y))%R).
  assert (Nq : (q x <> 0)%R) by (unfold q; nra).
  assert (Q : is_derive q x (2 * (fst (f x) * fst a + snd (f x) * snd a))%R) by (eapply d_eq; [|exact (dR_plus (dR_mult A A) (dR_mult B B))]; simpl; ring).
  assert (I : is_derive (fun y => / q y)%R x (- / (q x * q x) * (2 * (fst (f x) * fst a + snd (f x) * snd a)))%R).
  { apply (dR_comp Rinv Q). eapply d_eq; [|exact (is_derive_inv (fun y => y) (q x) 1 (is_derive_id _) Nq)]. simpl; unfold Rdiv. rewrite Rmult_1_r. field; auto. }
  apply s_near with (f := fun y => ((fst (f y) * / q y)%R, (- snd (f y) * / q y)%R)).
  { apply filter_forall. intros y. unfold kinv, Cinv, q, Rdiv. f_equal; f_equal; f_equal; ring. }
  assert (K : kinv (f x) = ((fst (f x) * / q x)%R, (- snd (f x) * / q x)%R)) by (unfold kinv, Cinv, q, Rdiv; f_equal; f_equal; f_equal; ring).
  split; cbn [fst snd].
  - eapply d_eq; [|exact (dR_mult A I)]. rewrite K. unfold G. rewrite Q2R_m1, Q0. cbn [kpow]. rewrite G1. simpl. unfold q in *. field; auto.
  - eapply d_eq; [|exact (dR_mult (dR_opp B) I)]. rewrite K. unfold G. rewrite Q2R_m1, Q0. cbn [kpow]. rewrite G1. simpl. unfold q in *. field; auto.
Qed.
Lemma s_real f x a : locally x (fun y => isR (f y)) -> slope_at f x a -> isR a.
Proof.
  intros L [_ B]. assert (Z : is_derive (fun y => snd (f y)) x 0%R). { apply (is_derive_ext_loc (fun _ => 0%R)). eapply filter_imp; [|exact L]. intros y Y; symmetry; exact Y. apply dR_const. }
  unfold isR. rewrite <- (is_derive_unique _ _ _ B). apply is_derive_unique; auto.
Qed.
Lemma s_log f x a : locally x (fun y => gt0 (f y)) -> slope_at f x a -> slope_at (fun y => klog (f y)) x (kinv (f x) * a).
Proof.
  intros P S0. assert (RA : isR a) by (eapply s_real; [|exact S0]; eapply filter_imp; [|exact P]; intros y Y; apply gt_R; auto). destruct S0 as [A B].
  pose proof (locally_singleton _ _ P) as PX. apply s_near with (f := fun y => RtoC (ln (fst (f y)))).
  eapply filter_imp; [|exact P]. intros y Y; symmetry; apply klog_pos; auto.
  assert (X : kinv (f x) * a = RtoC (/ fst (f x) * fst a)).
  { destruct PX as [R1 R2]. pose proof (isR_inv _ R1) as RI. apply Ceq; cbn [fst snd RtoC]. rewrite fstM, inv_fst by auto. reflexivity. apply isR_mult; auto. }
  rewrite X. split; cbn [fst snd RtoC]. 2: apply dR_const. apply (dR_comp ln A). apply is_derive_Reals, derivable_pt_lim_ln. apply PX.
Qed.
Lemma s_sqrt f x a : locally x (fun y => gt0 (f y)) -> slope_at f x a -> slope_at (fun y => ksqrt (f y)) x (G (1#2) (0#1) * kinv (ksqrt (f x)) * a).
Proof.
  intros P S0. assert (RA : isR a) by (eapply s_real; [|exact S0]; eapply filter_imp; [|exact P]; intros y Y; apply gt_R; auto). destruct S0 as [A B].
  pose proof (locally_singleton _ _ P) as PX. apply s_near with (f := fun y => RtoC (sqrt (fst (f y)))).
  eapply filter_imp; [|exact P]. intros y Y; symmetry; apply ksqrt_pos, gt_ge; auto.
  assert (SP : (0 < sqrt (fst (f x)))%R) by (apply sqrt_lt_R0, PX).
  assert (X : G (1#2) (0#1) * kinv (ksqrt (f x)) * a = RtoC (/ (2 * sqrt (fst (f x))) * fst a)).
  { rewrite (ksqrt_pos (gt_ge _ PX)). apply isR_iff in RA. rewrite RA. unfold kinv. rewrite <- RtoC_inv by lra. unfold G. rewrite Q2R_half, Q0. apply Ceq; simpl; field; lra. }
  rewrite X. split; cbn [fst snd RtoC]. 2: apply dR_const. apply (dR_comp sqrt A). apply is_derive_Reals, derivable_pt_lim_sqrt. apply PX.
Qed.
Lemma s_power f g x b : locally x (fun y => gt0 (f y)) -> slope_at (fun y => g y * klog (f y)) x b -> slope_at (fun y => kpowc (f y) (g y)) x (kpowc (f x) (g x) * b).
Proof.
  intros P S0. pose proof (locally_singleton _ _ P) as PX. rewrite (kcond _ _ (gt_ne _ PX)). apply s_near with (f := fun y => kexp (g y * klog (f y))).
  eapply filter_imp; [|exact P]. intros y Y; rewrite kcond; auto; apply gt_ne; auto. exact (s_exp S0).
Qed.
Lemma s_si f x a : locally x (fun y => isR (f y)) -> ne0 (f x) -> slope_at f x a -> slope_at (fun y => kSi (f y)) x (ksin (f x) * kinv (f x) * a).
Proof.
  intros P N S0. pose proof (s_real P S0) as RA. destruct S0 as [A B]. pose proof (locally_singleton _ _ P) as PX.
  assert (NZ : (fst (f x) <> 0)%R) by (intros E; apply N; apply isR_iff in PX; rewrite PX, E, G0; reflexivity).
  assert (X : ksin (f x) * kinv (f x) * a = RtoC (sinc1 (fst (f x)) * fst a)).
  { apply isR_iff in PX. rewrite PX, ksin_R. unfold kinv. rewrite <- RtoC_inv by auto. apply isR_iff in RA. rewrite RA, <- !RtoC_mult. f_equal.
    unfold sinc1. simpl fst. destruct Req_EM_T; [contradiction|]. unfold Rdiv. ring. }
  rewrite X. unfold kSi. split; cbn [fst snd RtoC]. 2: apply dR_const. apply (dR_comp (fun u => RInt sinc 0 u) A). apply si_slope.
Qed.
Lemma s_ci f x a : locally x (fun y => gt0 (f y)) -> slope_at f x a -> slope_at (fun y => kCi (f y)) x (kcos (f x) * kinv (f x) * a).
Proof.
  intros P S0. pose proof (locally_singleton _ _ P) as PX.
  assert (RA : isR a) by (eapply s_real; [|exact S0]; eapply filter_imp; [|exact P]; intros y Y; apply gt_R; auto).
  assert (I : slope_at (fun y => RtoC (RInt cin 0 (fst (f y)))) x (RtoC (cin (fst (f x)) * fst a))).
  { split; cbn [fst snd RtoC]. 2: apply dR_const. apply (dR_comp (fun u => RInt cin 0 u) (proj1 S0)). apply ci_slope. }
  eapply s_eq; [|exact (s_plus (s_plus (s_const keuler x) (s_log P S0)) I)].
  destruct PX as [R1 R2]. apply isR_iff in R1, RA. rewrite R1, RA, kcos_R. unfold kinv. rewrite <- RtoC_inv by lra. rewrite G0, <- !RtoC_mult, <- !RtoC_plus. f_equal.
  unfold cin. simpl fst. field. lra.
Qed.
Lemma s_nsum (h : nat -> R -> C) (a : nat -> C) x n : (forall k, (k < n)%nat -> slope_at (h k) x (a k)) -> slope_at (fun y => nsum (fun k => h k y) n) x (nsum a n).
Proof. induction n; cbn [nsum]; intros H. apply s_const. apply s_plus; auto. Qed.
Arguments s_pow [f x a] k _.
Section Built.
  Variables (f : R -> C) (x : R) (a : C).
  Hypothesis H : slope_at f x a.
  Let es (c : C) : slope_at (fun y => kexp (c * f y)) x (kexp (c * f x) * (c * a)) := s_exp (s_scal c H).
  Lemma s_cos : slope_at (fun y => kcos (f y)) x (G (-1#1) (0#1) * ksin (f x) * a).
  Proof. eapply s_eq; [|exact (s_scal (G (1#2) (0#1)) (s_plus (es (G (0#1) (1#1))) (es (G (0#1) (-1#1)))))]. unfold ksin. ring. Qed.
  Lemma s_sin : slope_at (fun y => ksin (f y)) x (kcos (f x) * a).
  Proof. eapply s_eq; [|exact (s_scal (G (1#2) (0#1) * G (0#1) (-1#1)) (s_plus (es (G (0#1) (1#1))) (s_scal (G (-1#1) (0#1)) (es (G (0#1) (-1#1))))))]. unfold kcos. ring. Qed.
  Lemma s_cosh : slope_at (fun y => kcosh (f y)) x (ksinh (f x) * a).
  Proof. eapply s_eq; [|exact (s_scal (G (1#2) (0#1)) (s_plus (s_exp H) (es (G (-1#1) (0#1)))))]. unfold ksinh. ring. Qed.
  Lemma s_sinh : slope_at (fun y => ksinh (f y)) x (kcosh (f x) * a).
  Proof. eapply s_eq; [|exact (s_scal (G (1#2) (0#1)) (s_plus (s_exp H) (s_scal (G (-1#1) (0#1)) (es (G (-1#1) (0#1))))))]. unfold kcosh. ring. Qed.
End Built.

Lemma s_smooth e f (fs : list (R -> C)) (ds : list C) x : valid e -> (length fs < 10)%nat -> (forall g, In g fs -> locally x (fun y => isR (g y))) ->
  Forall2 (fun g d => slope_at g x d) fs ds ->
  slope_at (fun y => fv e f DS (map (fun g => g y) fs)) x (RtoC (steepness (fun k => fst (fv e (partial (length fs) k f) DS (map (fun g => g x) fs))) 1 (map fst ds))).
Proof.
  intros (_ & VF & VS) N RE H. set (cs := map (fun (g : R -> C) (y : R) => fst (g y)) fs).
  assert (L : locally x (fun y : R => map (fun c : R -> R => RtoC (c y)) cs = map (fun g : R -> C => g y) fs)).
  { unfold cs. clear -RE. induction fs as [|g fs IH]; simpl. apply filter_forall; auto.
    eapply filter_imp; [|apply filter_and; [exact (RE g (or_introl eq_refl)) | apply IH; intros; apply RE; right; auto]]. intros y [A B]. cbv beta. apply (f_equal2 cons); [symmetry; apply isR_iff; exact A | exact B]. }
  assert (D : Forall2 (fun c d => is_derive c x d) cs (map fst ds)) by (unfold cs; clear -H; induction H; simpl; constructor; auto; apply H).
  assert (Q : is_derive (fun y : R => fst (fv e f DS (map (fun c : R -> R => RtoC (c y)) cs))) x (steepness (fun k => fst (fv e (partial (length cs) k f) DS (map (fun c : R -> R => RtoC (c x)) cs))) 1 (map fst ds)))
    by (apply (proj2 (VS f)); [unfold cs; rewrite map_length; auto | exact D]). rewrite (locally_singleton _ _ L) in Q. unfold cs in Q at 2. rewrite map_length in Q.
  split; cbn [fst snd RtoC].
  - eapply is_derive_ext_loc; [|exact Q]. eapply filter_imp; [|exact L]. intros y Y. exact (f_equal (fun l => fst (fv e f DS l)) Y).
  - apply (is_derive_ext (fun _ => 0%R)). intros y. symmetry. exact (VF f DS _). apply dR_const.
Qed.
(* Under an integral: the derivative is continuous in both. *)
Lemma derive_under (g d : R -> R -> R) a b p :
  locally p (fun y => forall t, (Rmin a b <= t <= Rmax a b)%R -> is_derive (fun u => g u t) y (d y t) /\ continuous (g y) t) ->
  (forall t, (Rmin a b <= t <= Rmax a b)%R -> locally (p, t) (fun z : R * R => is_derive (fun u => g u (snd z)) (fst z) (d (fst z) (snd z)))) ->
  (forall t, (Rmin a b <= t <= Rmax a b)%R -> continuous (fun z : R * R => d (fst z) (snd z)) (p, t)) ->
  is_derive (fun y => RInt (g y) a b) p (RInt (d p) a b).
Proof.
  intros H1 H2 H3. eapply d_eq; [|apply (is_derive_RInt_param g a b p)].
  - apply RInt_ext. intros t T. apply is_derive_unique. apply (locally_singleton _ _ H1). lra.
  - eapply filter_imp; [|exact H1]. intros y Y t T. eexists. exact (proj1 (Y t T)).
  - intros t T. apply continuity_2d_pt_filterlim. change (continuous (fun z : R * R => Derive (fun u => g u (snd z)) (fst z)) (p, t)).
    apply (continuous_ext_loc _ (fun z : R * R => d (fst z) (snd z))); auto.
    eapply filter_imp; [|exact (H2 t T)]. intros z Z. symmetry. apply is_derive_unique. exact Z.
  - eapply filter_imp; [|exact H1]. intros y Y. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros t T. exact (proj2 (Y t T)).
Qed.
Lemma s_int (h d : R -> R -> C) a b p :
  locally p (fun y => forall t, (Rmin a b <= t <= Rmax a b)%R -> slope_at (fun u => h u t) y (d y t) /\ cont_at (h y) t) ->
  (forall t, (Rmin a b <= t <= Rmax a b)%R -> locally (p, t) (fun z : R * R => slope_at (fun u => h u (snd z)) (fst z) (d (fst z) (snd z)))) ->
  (forall t, (Rmin a b <= t <= Rmax a b)%R -> cont_at (fun z : R * R => d (fst z) (snd z)) (p, t)) ->
  slope_at (fun y => (RInt (fun t => fst (h y t)) a b, RInt (fun t => snd (h y t)) a b)) p (RInt (fun t => fst (d p t)) a b, RInt (fun t => snd (d p t)) a b).
Proof.
  intros H1 H2 H3. split; cbn [fst snd].
  - apply (derive_under (fun y t => fst (h y t)) (fun y t => fst (d y t))). eapply filter_imp; [|exact H1]. intros y Y t T. split; [apply (proj1 (Y t T)) | apply (proj2 (Y t T))].
    intros t T. eapply filter_imp; [|exact (H2 t T)]. intros z Z. apply Z. intros t T. apply (H3 t T).
  - apply (derive_under (fun y t => snd (h y t)) (fun y t => snd (d y t))). eapply filter_imp; [|exact H1]. intros y Y t T. split; [apply (proj1 (Y t T)) | apply (proj2 (Y t T))].
    intros t T. eapply filter_imp; [|exact (H2 t T)]. intros z Z. apply Z. intros t T. apply (H3 t T).
Qed.
Lemma near_both (A B : R -> Prop) p t : locally p A -> locally t B -> locally (p, t) (fun z : R * R => A (fst z) /\ B (snd z)).
Proof.
  intros [d1 H1] [d2 H2]. exists (mkposreal (Rmin d1 d2) (Rmin_pos _ _ (cond_pos d1) (cond_pos d2))). intros z [Z1 Z2].
  split; [apply H1; eapply ball_le; [apply Rmin_l|exact Z1] | apply H2; eapply ball_le; [apply Rmin_r|exact Z2]].
Qed.
Lemma pair_sub (a b : C) : ((fst a - fst b)%R, (snd a - snd b)%R) = a + (G (-1#1) (0#1) * b + G 0 0).
Proof. replace (a + (G (-1#1) (0#1) * b + G 0 0)) with (a + G (-1#1) (0#1) * b) by ring. apply Ceq; cbn [fst snd]; rewrite ?fst_sub, ?snd_sub; reflexivity. Qed.
Lemma integral_of_slope (F K : R -> C) a b : (forall t, slope_at F t (K t)) -> (forall t, cont_at K t) ->
  int_pair (RtoC a) (RtoC b) (fun t => K (fst t)) = F b + (G (-1#1) (0#1) * F a + G 0 0).
Proof.
  intros S K'. rewrite <- pair_sub. unfold int_pair. cbn [fst RtoC]. f_equal; apply is_RInt_unique.
  apply (is_RInt_derive (fun t => fst (F t)) (fun t => fst (K t))); intros t _; [apply S | apply K'].
  apply (is_RInt_derive (fun t => snd (F t)) (fun t => snd (K t))); intros t _; [apply S | apply K'].
Qed.
