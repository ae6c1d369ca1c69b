(* Derivatives as they are written, and the fundamental theorem. *)
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

Fixpoint allsome (A B : Type) (f : A -> option B) (l : list A) : option (list B) := match l with
  | [] => Some [] | a :: l => match f a, allsome f l with Some b, Some m => Some (b :: m) | _, _ => None end end.
Fixpoint product_rows (before l ds : list tm) : list tm := match l, ds with
  | a :: l, d :: ds => let rest := product_rows (before ++ [a]) l ds in if eqb d tzero then rest else Mul (before ++ d :: l) :: rest
  | _, _ => [] end.
Definition slope_of (f : f1) (a : tm) : option (tm * dom) := match f with
  | Exp => Some (F1 Exp a, DC) | Cos => Some (minus1 (F1 Sin a), DC) | Sin => Some (F1 Cos a, DC)
  | Cosh => Some (F1 Sinh a, DC) | Sinh => Some (F1 Cosh a, DC) | Inv => Some (minus1 (Pow (F1 Inv a) 2), Dne)
  | Log => Some (F1 Inv a, Dgt)
  | Ci => Some (Mul [F1 Cos a; F1 Inv a], Dgt) | Si => Some (Mul [F1 Sin a; F1 Inv a], Dne) | Sqrt => Some (Mul [thalf; F1 Inv (F1 Sqrt a)], Dgt) | _ => None end.
Section Slopes.
  Variable rec : list dom -> tm -> dom -> bool.
  Fixpoint slope (fuel : nat) (ctx : list dom) (n : nat) (t : tm) : option tm := match fuel with O => None | S fuel =>
    if negb (uses n t) then Some tzero else match t with
    | BV _ => Some tone
    | F2 Powc b y => if rec ctx b Dgt then match slope fuel ctx n (Mul [y; F1 Log b]) with Some d => Some (Mul [t; d]) | None => None end else None
    | Bind Sum lo hi u => if negb (uses n lo) &&& negb (uses n hi) then
        match slope fuel (from_on rec ctx lo :: ctx) (S n) u with Some d => Some (Bind Sum lo hi d) | None => None end else None
    | Add l => match allsome (slope fuel ctx n) l with Some ds => Some (Add ds) | None => None end
    | Mul l => match allsome (slope fuel ctx n) l with Some ds => Some (Add (product_rows [] l ds)) | None => None end
    | Pow b k => match slope fuel ctx n b with
        Some d => Some (match k with N0 => tzero | Npos p => Mul [Num (Zpos p # 1) (0#1); Pow b (N.pred k); d] end) | None => None end
    | F1 Conj a => match slope fuel ctx n a with Some d => Some (F1 Conj d) | None => None end
    | F1 f a => match slope fuel ctx n a, slope_of f a with
        | Some d, Some (s, need) => if rec ctx a need &&& match f with Si => rec ctx a DR | _ => true end then Some (Mul [s; d]) else None | _, _ => None end
    | _ => None end end.
End Slopes.
Section SlopesSound.
  Variables (e : env) (rec : list dom -> tm -> dom -> bool).
  Hypothesis SR : sound e rec.
  Lemma add_slopes (h : tm -> R -> C) (v : tm -> C) x l ds : Forall2 (fun a d => slope_at (h a) x (v d)) l ds ->
    slope_at (fun y => csum (map (fun a => h a y) l)) x (csum (map v ds)).
  Proof. induction 1; cbn [map csum fold_right]. apply s_const. apply s_plus; auto. Qed.
  Lemma rows_slopes (bs : list C) (h : tm -> R -> C) x : (forall a, h a x = den e bs a) -> forall l ds, Forall2 (fun a d => slope_at (h a) x (den e bs d)) l ds -> forall before,
    slope_at (fun y => cprod (map (fun a => h a y) l)) x (csum (map (den e bs) (product_rows [] l ds))) /\
    csum (map (den e bs) (product_rows before l ds)) = cprod (map (den e bs) before) * csum (map (den e bs) (product_rows [] l ds)).
  Proof.
    intros HX l ds F. induction F as [|a d l ds A F IH]; intros before.
    - cbn [map csum cprod fold_right product_rows]. split. apply s_const. ring.
    - assert (E : forall before, csum (map (den e bs) (product_rows before (a :: l) (d :: ds))) =
        cprod (map (den e bs) before) * (den e bs d * cprod (map (den e bs) l) + den e bs a * csum (map (den e bs) (product_rows [] l ds)))).
      { intros b. cbn [product_rows]. assert (P : cprod (map (den e bs) (b ++ [a])) = cprod (map (den e bs) b) * den e bs a) by (rewrite map_app, cprod_app; cbn [map cprod fold_right]; ring).
        destruct (eqb d tzero) eqn:Z. apply eqb_eq in Z; subst d. rewrite (proj2 (IH (b ++ [a]))), P. cbn [tzero den]. ring.
        cbn [map csum fold_right]. change (fold_right Cplus (G 0 0)) with csum. rewrite (proj2 (IH (b ++ [a]))), P. cbn [den]. rewrite map_app, cprod_app. cbn [map cprod fold_right].
        change (fold_right Cmult (G 1 0)) with cprod. ring. }
      split; [|rewrite !E; cbn [map cprod fold_right]; ring].
      rewrite E. cbn [map cprod fold_right]. change (fold_right Cmult (G 1 0)) with cprod.
      assert (HM : map (den e bs) l = map (fun c => h c x) l) by (apply map_ext; intros; auto). rewrite HM. eapply s_eq; [|exact (s_mult A (proj1 (IH [])))].
      cbv beta. rewrite <- (HX a). ring.
  Qed.
  Lemma slope_ok fuel : forall t cu us d cv vs p g, line d -> fits cu us -> fits cv vs -> inD d (RtoC p) ->
    slope rec fuel (cu ++ d :: cv) (length us) t = Some g -> slope_at (fun y => den e (us ++ RtoC y :: vs) t) p (den e (us ++ RtoC p :: vs) g).
  Proof.
    induction fuel as [|fuel IH]; intros t cu us d cv vs p g L FU FV X H; cbn [slope] in H; [discriminate|].
    destruct (uses (length us) t) eqn:U; cbn [negb] in H.
    2: { injection H as <-. apply s_near with (f := fun _ => den e (us ++ RtoC p :: vs) t). apply filter_forall; intros y; eapply uses_stack; [exact U|]; intros; apply nth_mid'; auto. apply s_const. }
    set (bs := us ++ RtoC p :: vs) in *.
    assert (NEAR : forall t d0, rec (cu ++ d :: cv) t d0 = true -> locally p (fun y => inD d0 (den e (us ++ RtoC y :: vs) t))).
    { intros t0 d0 R. eapply filter_imp; [|apply (@line_near d p L X)]. intros y Y; cbv beta; eapply SR; [|exact R]; apply fits_app; auto. }
    assert (ALL : forall l ds, allsome (slope rec fuel (cu ++ d :: cv) (length us)) l = Some ds -> Forall2 (fun a d => slope_at (fun y => den e (us ++ RtoC y :: vs) a) p (den e bs d)) l ds).
    { induction l as [|a l IHl]; cbn [allsome]; intros ds. intros [= <-]; constructor. destruct (slope rec fuel _ _ a) eqn:E; try discriminate. destruct (allsome _ l) eqn:E2; try discriminate.
      intros [= <-]. constructor; auto. eapply IH; eauto. }
    destruct t as [| |n| |l|l|b k| |f a|f b y|bi lo hi u| | |]; try discriminate.
    - injection H as <-. cbn [uses] in U. apply Nat.eqb_eq in U. subst n. apply s_near with (f := RtoC). 2: apply s_id. apply filter_forall. intros y. cbn [den]. rewrite app_nth2, Nat.sub_diag; auto.
    - destruct (allsome _ l) eqn:E; try discriminate. injection H as <-. cbn [den]. apply (add_slopes (fun a y => den e (us ++ RtoC y :: vs) a) (den e bs)). apply ALL; auto.
    - destruct (allsome _ l) eqn:E; try discriminate. injection H as <-. cbn [den]. apply (@rows_slopes bs (fun a y => den e (us ++ RtoC y :: vs) a) p (fun a => eq_refl) l l0 (ALL _ _ E) []).
    - destruct (slope rec fuel _ _ b) eqn:E; try discriminate. injection H as <-. pose proof (IH _ _ _ _ _ _ _ _ L FU FV X E) as Q. cbn [den]. destruct k as [|q].
      change (N.to_nat 0) with O. cbn [kpow tzero den]. apply s_const.
      destruct (N.to_nat (Npos q)) as [|k] eqn:K; [lia|]. eapply s_eq; [|exact (s_pow k Q)]. cbn [den map cprod fold_right]. replace (N.to_nat (N.pred (Npos q))) with k by lia.
      rewrite <- K. replace (Z.of_nat (N.to_nat (N.pos q))) with (Zpos q) by lia. rewrite G_zc. unfold bs. ring.
    - destruct f; cbn [slope_of] in H;
      try (destruct (slope rec fuel _ _ a) eqn:E; try discriminate; try pose proof (IH _ _ _ _ _ _ _ _ L FU FV X E) as Q);
      try (match type of H with (if (if rec ?c ?a ?n then ?m else false) then _ else _) = _ => destruct (rec c a n) eqn:RN; try discriminate; pose proof (NEAR _ _ RN) as NR;
        destruct m eqn:RM; try discriminate end);
      try discriminate; injection H as <-; cbn [den kf1].
      + eapply s_eq; [|exact (s_exp Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
      + eapply s_eq; [|exact (s_log NR Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
      + eapply s_eq; [|exact (s_sqrt NR Q)]. cbn [map cprod fold_right den kf1 thalf]. unfold bs. ring.
      + eapply s_eq; [|exact (s_cos Q)]. cbn [map cprod fold_right]. rewrite minus1_den. cbn [den kf1]. unfold bs. ring.
      + eapply s_eq; [|exact (s_sin Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
      + eapply s_eq; [|exact (s_cosh Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
      + eapply s_eq; [|exact (s_sinh Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
      + exact (s_conj Q).
      + apply locally_singleton in NR. eapply s_eq; [|exact (@s_inv (fun y => den e (us ++ RtoC y :: vs) a) p _ NR Q)]. cbn [map cprod fold_right]. rewrite minus1_den. cbn [den kf1]. change (N.to_nat 2) with 2%nat. unfold bs. ring.
      + eapply s_eq; [|exact (s_ci NR Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
      + apply locally_singleton in NR. eapply s_eq; [|exact (@s_si (fun y => den e (us ++ RtoC y :: vs) a) p _ (NEAR _ _ RM) NR Q)]. cbn [map cprod fold_right den kf1]. unfold bs. ring.
    - destruct f; try discriminate. destruct (rec (cu ++ d :: cv) b Dgt) eqn:RN; try discriminate. destruct (slope rec fuel _ _ _) eqn:E; try discriminate. injection H as <-.
      pose proof (IH _ _ _ _ _ _ _ _ L FU FV X E) as Q. cbn [den kf2].
      assert (Q' : slope_at (fun z => den e (us ++ RtoC z :: vs) y * klog (den e (us ++ RtoC z :: vs) b)) p (den e bs t)).
      { eapply s_near; [|exact Q]. apply filter_forall. intros z. cbn [den map cprod fold_right kf1]. ring. }
      eapply s_eq; [|exact (s_power (fun z => den e (us ++ RtoC z :: vs) b) _ (NEAR _ _ RN) Q')]. cbn [map cprod fold_right den kf2]. unfold bs. ring.
    - destruct bi; try discriminate. destruct (negb (uses (length us) lo)) eqn:U1; try discriminate. destruct (negb (uses (length us) hi)) eqn:U2; try discriminate. apply negb_true_iff in U1, U2.
      destruct (slope rec fuel _ _ u) eqn:E; try discriminate. injection H as <-.
      assert (E1 : forall y, den e (us ++ RtoC y :: vs) lo = den e bs lo) by (intros; eapply uses_stack; [exact U1|]; intros; apply nth_mid'; auto).
      assert (E2 : forall y, den e (us ++ RtoC y :: vs) hi = den e bs hi) by (intros; eapply uses_stack; [exact U2|]; intros; apply nth_mid'; auto).
      set (a := den e bs lo) in *. set (b := den e bs hi) in *. cbn [den kbind]. fold a b.
      apply s_near with (f := fun y => if ends a b then nsum (ix a (fun i => den e (i :: us ++ RtoC y :: vs) u)) (len a b) else G 0 0).
      apply filter_forall. intros y. rewrite E1, E2. reflexivity. unfold ksum.
      destruct (ends a b) eqn:EE; [|apply s_const]. apply ends_R in EE as [RL RH]. unfold ix. apply (s_nsum (fun k y => den e (zc (ceil (fst a) + Z.of_nat k) :: us ++ RtoC y :: vs) u)). intros k K.
      apply (IH u (from_on rec (cu ++ d :: cv) lo :: cu) (zc (ceil (fst a) + Z.of_nat k) :: us) d cv vs p t); auto.
      constructor; auto. eapply from_on_in; [exact SR| |apply (@inrange_ix a b k RL RH K)]. apply fits_app; auto. split; auto. reflexivity.
  Qed.
End SlopesSound.

Lemma pair_sub (a b : C) : ((fst a - fst b)%R, (snd a - snd b)%R) = a + (G (-1#1) (0#1) * b + G 0 0).
Proof. replace (a + (G (-1#1) (0#1) * b + G 0 0)) with (a + G (-1#1) (0#1) * b) by ring. apply Ceq; cbn [fst snd]; rewrite ?fst_sub, ?snd_sub; reflexivity. Qed.
Definition derived (d : dom) (t : tm) : option tm := slope (lies_by 60) 100 [d] 0 t.
Lemma derived_ok e d t g p : valid e -> line d -> inD d (RtoC p) -> derived d t = Some g -> slope_at (fun y => den e [RtoC y] t) p (den e [RtoC p] g).
Proof.
  intros V L P. unfold derived. generalize 100%nat. intros fuel H. pose proof (@lies_by_ok e 60 V) as SL. assert (FN : fits [] []) by constructor.
  revert SL H. generalize (lies_by 60). intros rec SL H. exact (@slope_ok e rec SL fuel t [] [] d [] [] p g L FN FN P H).
Qed.
Definition r_fundamental (f : tm) (x : letter) (lo hi : tm) (signs : list thm) : option thm :=
  let t := bound x 0 f in match derived (snd x) t with
  | Some g => match derived (snd x) g with
    | Some _ => given (match snd x with DR | DRp => true | _ => false end && known signs lo (snd x) && known signs hi (snd x)
        && closed 0 f && closed 0 lo && closed 0 hi && unmatrix lo && unmatrix hi)
      (by_premises signs (Bind Int lo hi g) Eq_ (Add [put [(var x, hi)] f; minus1 (put [(var x, lo)] f)]))
    | None => None end
  | None => None end.
Lemma r_fundamental_ok f x lo hi signs th : r_fundamental f x lo hi signs = Some th -> Forall truth signs -> truth th.
Proof.
  unfold r_fundamental. cbv zeta. destruct (derived (snd x) (bound x 0 f)) as [g|] eqn:D1; try discriminate. destruct (derived (snd x) g) as [g2|] eqn:D2; try discriminate.
  intros H T. rule H. conds H. apply by_premises_true; auto. intros e V S. cbn [related den kbind map csum fold_right]. rewrite minus1_den.
  assert (LN : line (snd x)) by (unfold line; destruct (snd x); try discriminate; auto).
  apply (@known_ok e signs lo) in A5; auto. apply (@known_ok e signs hi) in A4; auto.
  assert (RL : forall c, inD (snd x) c -> isR c) by (destruct LN as [E|E]; rewrite E; intros c Hc; [exact Hc | apply Rp_R; exact Hc]).
  set (F := fun y => den e [RtoC y] (bound x 0 f)). set (K := fun y => den e [RtoC y] g).
  assert (DF : forall p, inD (snd x) (RtoC p) -> slope_at F p (K p)) by (intros p P; exact (@derived_ok e _ _ _ p V LN P D1)).
  assert (CK : forall p, inD (snd x) (RtoC p) -> cont_at K p) by (intros p P; eapply s_cont; exact (@derived_ok e _ _ _ p V LN P D2)).
  assert (IN : forall y, (Rmin (fst (den e [] lo)) (fst (den e [] hi)) <= y <= Rmax (fst (den e [] lo)) (fst (den e [] hi)))%R -> inD (snd x) (RtoC y)).
  { intros y Y. destruct LN as [E|E]; rewrite E in *. reflexivity. exact (between_pos A5 A4 Y). }
  assert (FINE : fine (den e [] lo) (den e [] hi) (fun c => den e [c] g)) by (intros _ _ y Y; apply CK, IN; auto).
  assert (AT : forall t, closed 0 t = true -> unmatrix t = true -> inD (snd x) (den e [] t) -> den e [] (put [(var x, t)] f) = F (fst (den e [] t))).
  { intros t Ct Ut It. unfold F. rewrite <- (proj1 (isR_iff _) (RL _ It)). rewrite den_bound0 by auto. apply den_put1; auto.
    intros bs. rewrite den_closed by auto. simpl. rewrite leqb_refl; auto. intros y Y. simpl. destruct (leqb x y) eqn:Q; auto. apply leqb_eq in Q; subst; contradiction. }
  rewrite kint_fine by auto. rewrite !AT by auto. unfold int_pair.
  assert (I1 : RInt (fun y => fst (K y)) (fst (den e [] lo)) (fst (den e [] hi)) = (fst (F (fst (den e [] hi))) - fst (F (fst (den e [] lo))))%R).
  { apply is_RInt_unique. apply (is_RInt_derive (fun y => fst (F y)) (fun y => fst (K y))); intros y Y; [apply DF | apply CK]; auto. }
  assert (I2 : RInt (fun y => snd (K y)) (fst (den e [] lo)) (fst (den e [] hi)) = (snd (F (fst (den e [] hi))) - snd (F (fst (den e [] lo))))%R).
  { apply is_RInt_unique. apply (is_RInt_derive (fun y => snd (F y)) (fun y => snd (K y))); intros y Y; [apply DF | apply CK]; auto. }
  assert (J1 : RInt (fun y => fst (den e [RtoC y] g)) (fst (den e [] lo)) (fst (den e [] hi)) = (fst (F (fst (den e [] hi))) - fst (F (fst (den e [] lo))))%R) by exact I1.
  assert (J2 : RInt (fun y => snd (den e [RtoC y] g)) (fst (den e [] lo)) (fst (den e [] hi)) = (snd (F (fst (den e [] hi))) - snd (F (fst (den e [] lo))))%R) by exact I2.
  rewrite J1, J2. apply pair_sub.
Qed.
