(* What is continuous as it is written, integrals of such functions, derivatives, the fundamental theorem. *)
Require Export Special Axioms.
Set Implicit Arguments.

Open Scope C_scope.

Section Anywhere.
Context {T : UniformSpace}.
Definition cont_at (f : T -> C) (x : T) : Prop := continuous (fun y => fst (f y)) x /\ continuous (fun y => snd (f y)) x.
Lemma cont_plus f g x : cont_at f x -> cont_at g x -> cont_at (fun y => f y + g y) x.
Proof. intros [A B] [D E]. split; apply (continuous_plus (V := R_NormedModule)); auto. Qed.
Lemma cont_const c x : cont_at (fun _ => c) x. Proof. split; apply continuous_const. Qed.
Lemma cont_mult f g x : cont_at f x -> cont_at g x -> cont_at (fun y => f y * g y) x.
Proof.
  intros [A B] [D E]. split; simpl; [apply (continuous_minus (V := R_NormedModule)) | apply (continuous_plus (V := R_NormedModule))];
  apply (continuous_mult (K := R_AbsRing)); auto.
Qed.
Lemma cont_pow f k x : cont_at f x -> cont_at (fun y => kpow (f y) k) x.
Proof. intros; induction k; cbn [kpow]. apply cont_const. apply cont_mult; auto. Qed.
Lemma cont_exp f x : cont_at f x -> cont_at (fun y => kexp (f y)) x.
Proof.
  intros [A B].
  assert (E : continuous (fun y => exp (fst (f y))) x) by (apply (continuous_comp (fun y => fst (f y)) exp); [exact A | apply continuous_exp]).
  assert (D : continuous (fun y => cos (snd (f y))) x) by (apply (continuous_comp (fun y => snd (f y)) cos); [exact B | apply continuous_cos]).
  assert (F : continuous (fun y => sin (snd (f y))) x) by (apply (continuous_comp (fun y => snd (f y)) sin); [exact B | apply continuous_sin]).
  split; [exact (continuous_mult (K := R_AbsRing) _ _ _ E D) | exact (continuous_mult (K := R_AbsRing) _ _ _ E F)].
Qed.
Lemma cont_conj f x : cont_at f x -> cont_at (fun y => conj (f y)) x.
Proof. intros [A B]. split; auto. unfold conj; cbn [snd]. apply (continuous_opp (V := R_NormedModule)); auto. Qed.
Lemma cont_real (g : T -> R) x : continuous g x -> cont_at (fun y => RtoC (g y)) x.
Proof. intros. split; auto. apply continuous_const. Qed.
Lemma cont_abs f x : cont_at f x -> cont_at (fun y => kabs (f y)) x.
Proof.
  intros [A B]. unfold kabs. apply cont_real. unfold Cmod. apply (continuous_comp (fun y => (fst (f y) ^ 2 + snd (f y) ^ 2)%R) sqrt).
  2: apply continuous_sqrt. simpl. apply (continuous_plus (V := R_NormedModule)); apply (continuous_mult (K := R_AbsRing)); auto;
  apply (continuous_mult (K := R_AbsRing)); auto; apply continuous_const.
Qed.
Lemma cont_near f g x : locally x (fun y => f y = g y) -> cont_at f x -> cont_at g x.
Proof.
  intros L [A B]. split; [apply (continuous_ext_loc _ (fun y => fst (f y))) | apply (continuous_ext_loc _ (fun y => snd (f y)))]; auto;
  eapply filter_imp; [|exact L | |exact L]; intros y ->; auto.
Qed.
Lemma ne0_parts z : ne0 z -> (fst z ^ 2 + snd z ^ 2 <> 0)%R.
Proof. intros N E. apply N. rewrite G0. apply Ceq; simpl; nra. Qed.
Lemma cont_inv f x : ne0 (f x) -> cont_at f x -> cont_at (fun y => kinv (f y)) x.
Proof.
  intros N [A B]. apply ne0_parts in N.
  assert (S : continuous (fun y => / (fst (f y) ^ 2 + snd (f y) ^ 2))%R x).
  { apply (continuous_comp (fun y => (fst (f y) ^ 2 + snd (f y) ^ 2)%R) Rinv). 2: apply continuous_Rinv; auto.
    simpl. apply (continuous_plus (V := R_NormedModule)); apply (continuous_mult (K := R_AbsRing)); auto; apply (continuous_mult (K := R_AbsRing)); auto; apply continuous_const. }
  split; unfold kinv, Cinv, Rdiv; cbn [fst snd]; apply (continuous_mult (K := R_AbsRing)); auto. apply (continuous_opp (V := R_NormedModule)); auto.
Qed.
(* Where a function is real and positive near a point. *)
Lemma klog_pos z : gt0 z -> klog z = RtoC (ln (fst z)).
Proof.
  intros P. pose proof (isR_log _ P) as L. apply isR_iff in L. rewrite L. destruct P as [R P]. f_equal. unfold klog.
  destruct excluded_middle_informative as [E|E]. rewrite E in P; simpl in P; lra. simpl. apply isR_iff in R. rewrite R, Cmod_R. simpl. rewrite Rabs_right; lra.
Qed.
Lemma cont_log f x : locally x (fun y => gt0 (f y)) -> cont_at f x -> cont_at (fun y => klog (f y)) x.
Proof.
  intros P [A B]. apply cont_near with (f := fun y => RtoC (ln (fst (f y)))). eapply filter_imp; [|exact P]. intros y Y; symmetry; apply klog_pos; auto.
  apply cont_real. apply (continuous_comp (fun y => fst (f y)) ln); [exact A|]. apply continuous_ln. apply locally_singleton in P. apply P.
Qed.
Lemma ksqrt_pos z : ge0 z -> ksqrt z = RtoC (sqrt (fst z)).
Proof.
  intros H. pose proof (ge_sqrt _ H) as [A B]. apply isR_iff in A. rewrite A. f_equal.
  pose proof (ax_root z) as Q. cbn [kpow] in Q. rewrite A, G1 in Q. apply (f_equal fst) in Q. simpl in Q. simpl in B.
  rewrite <- Q. symmetry. replace (fst (ksqrt z) * (fst (ksqrt z) * 1 - 0 * 0) - 0 * (fst (ksqrt z) * 0 + 0 * 1))%R with (fst (ksqrt z) * fst (ksqrt z))%R by ring. apply sqrt_square; auto.
Qed.
Lemma cont_sqrt f x : locally x (fun y => ge0 (f y)) -> cont_at f x -> cont_at (fun y => ksqrt (f y)) x.
Proof.
  intros P [A B]. apply cont_near with (f := fun y => RtoC (sqrt (fst (f y)))). eapply filter_imp; [|exact P]. intros y Y; symmetry; apply ksqrt_pos; auto.
  apply cont_real. apply (continuous_comp (fun y => fst (f y)) sqrt); [exact A|]. apply continuous_sqrt.
Qed.
Lemma cont_powc f g x : locally x (fun y => gt0 (f y)) -> cont_at f x -> cont_at g x -> cont_at (fun y => kpowc (f y) (g y)) x.
Proof.
  intros P A B. apply cont_near with (f := fun y => kexp (g y * klog (f y))). eapply filter_imp; [|exact P]. intros y Y; rewrite kcond; auto; apply gt_ne; auto.
  apply cont_exp, cont_mult; auto. apply cont_log; auto.
Qed.
Section Built.
  Variables (f : T -> C) (x : T).
  Hypothesis H : cont_at f x.
  Let c (a : C) : cont_at (fun _ => a) x := cont_const a x.
  Let scaled (a : C) : cont_at (fun y => a * f y) x := cont_mult (c a) H.
  Let es (a : C) : cont_at (fun y => kexp (a * f y)) x := cont_exp (scaled a).
  Lemma cont_cos : cont_at (fun y => kcos (f y)) x.
  Proof. exact (cont_mult (c _) (cont_plus (es _) (es _))). Qed.
  Lemma cont_sin : cont_at (fun y => ksin (f y)) x.
  Proof. exact (cont_mult (c (G (1#2) (0#1) * G (0#1) (-1#1))) (cont_plus (es _) (cont_mult (c _) (es _)))). Qed.
  Lemma cont_cosh : cont_at (fun y => kcosh (f y)) x.
  Proof. exact (cont_mult (c _) (cont_plus (cont_exp H) (es _))). Qed.
  Lemma cont_sinh : cont_at (fun y => ksinh (f y)) x.
  Proof. exact (cont_mult (c _) (cont_plus (cont_exp H) (cont_mult (c _) (es _)))). Qed.
  Lemma cont_re : cont_at (fun y => kre (f y)) x.
  Proof. exact (cont_mult (c _) (cont_plus H (cont_conj H))). Qed.
  Lemma cont_im : cont_at (fun y => kim (f y)) x.
  Proof. exact (cont_mult (c (G (1#2) (0#1) * G (0#1) (-1#1))) (cont_plus H (cont_mult (c _) (cont_conj H)))). Qed.
End Built.
Lemma cont_csum (A : Type) (h : A -> T -> C) x l : (forall a, In a l -> cont_at (h a) x) -> cont_at (fun y => csum (map (fun a => h a y) l)) x.
Proof. induction l; simpl; intros H. apply cont_const. apply cont_plus; auto. Qed.
Lemma cont_cprod (A : Type) (h : A -> T -> C) x l : (forall a, In a l -> cont_at (h a) x) -> cont_at (fun y => cprod (map (fun a => h a y) l)) x.
Proof. induction l; simpl; intros H. apply cont_const. apply cont_mult; auto. Qed.
Lemma cont_nsum (h : nat -> T -> C) x n : (forall k, (k < n)%nat -> cont_at (h k) x) -> cont_at (fun y => nsum (fun k => h k y) n) x.
Proof. induction n; cbn [nsum]; intros H. apply cont_const. apply cont_plus; auto. Qed.

Lemma integral_continuous (F : R -> R) (d : R) u : is_derive F u d -> continuous F u.
Proof. intros D. apply (ex_derive_continuous (V := R_NormedModule)). exists d; exact D. Qed.
Lemma cont_si f x : cont_at f x -> cont_at (fun y => kSi (f y)) x.
Proof.
  intros [A _]. unfold kSi. apply cont_real. apply (continuous_comp (fun y => fst (f y)) (fun u => RInt sinc 0 u)); [exact A|].
  exact (integral_continuous (si_slope _)).
Qed.
Lemma cont_ci f x : locally x (fun y => gt0 (f y)) -> cont_at f x -> cont_at (fun y => kCi (f y)) x.
Proof.
  intros P A. assert (I : cont_at (fun y => RtoC (RInt cin 0 (fst (f y)))) x).
  { apply cont_real. apply (continuous_comp (fun y => fst (f y)) (fun u => RInt cin 0 u)); [exact (proj1 A)|]. exact (integral_continuous (ci_slope _)). }
  exact (cont_plus (cont_plus (cont_const keuler x) (cont_log P A)) I).
Qed.
End Anywhere.
Lemma cont_id x : cont_at RtoC x. Proof. split; [apply continuous_id | apply continuous_const]. Qed.
Fixpoint uses (n : nat) (t : tm) : bool := match t with
  | BV m => Nat.eqb m n
  | App _ _ l | Add l | Mul l | Mat _ _ l | Word l => some_of (uses n) l
  | Pow t _ | F1 _ t => uses n t
  | F2 _ t u => uses n t ||| uses n u
  | Bind _ lo hi t => uses n lo ||| uses n hi ||| uses (S n) t
  | _ => false end.
Section Continuous.
  Variable rec : list dom -> tm -> dom -> bool.
  (* Continuous in the n-th bound letter, for all values of the others that the context allows. *)
  Fixpoint cont_by (ctx : list dom) (n : nat) (t : tm) {struct t} : bool := if negb (uses n t) then true else match t with
    | BV _ => true
    | App _ DS l => all_of (fun a => rec ctx a DR &&& cont_by ctx n a) l
    | Add l | Mul l => all_of (cont_by ctx n) l
    | Pow t _ => cont_by ctx n t
    | F1 f t => cont_by ctx n t &&& match f with
      | Exp | Cos | Sin | Cosh | Sinh | Conj | Abs | Re_ | Im_ | Si => true
      | Inv => rec ctx t Dne | Sqrt => rec ctx t Dge | Log | Ci => rec ctx t Dgt | _ => false end
    | F2 Powc b y => rec ctx b Dgt &&& cont_by ctx n b &&& cont_by ctx n y
    | Bind Sum lo hi t => negb (uses n lo) &&& negb (uses n hi) &&& cont_by (from_on rec ctx lo :: ctx) (S n) t
    | _ => false end.
End Continuous.
Lemma uses_in n l a : In a l -> uses n a = true -> some_of (uses n) l = true.
Proof. intros I U. rewrite some_of_existsb. apply existsb_exists; eauto. Qed.
Lemma or_true (a b : bool) : a = true \/ b = true -> (if a then true else b) = true. Proof. destruct a, b; simpl; intuition. Qed.
Lemma stack_used e t : forall bs cs, (forall i, uses i t = true -> nth i bs (G 0 0) = nth i cs (G 0 0)) ->
  den e bs t = den e cs t /\ mden e bs t = mden e cs t.
Proof.
  induction t using tm_ind'; intros bs cs S; cbn [uses] in S; split; cbn [den mden]; auto;
  try (rewrite Forall_forall in H);
  try (assert (map (den e bs) l = map (den e cs) l) as Q by (apply map_same; intros a I; apply (H a I); intros; apply S; eapply uses_in; eauto); rewrite ?Q; auto).
  - apply S. apply Nat.eqb_refl.
  - f_equal. apply IHt; auto.
  - f_equal. apply IHt; auto.
  - f_equal; [apply IHt1 | apply IHt2]; intros; apply S, or_true; auto.
  - assert (den e bs t1 = den e cs t1) as -> by (apply IHt1; intros i U; apply S; rewrite U; reflexivity).
    assert (den e bs t2 = den e cs t2) as -> by (apply IHt2; intros i U; apply S; apply or_true; left; apply or_true; auto).
    apply kbind_ext. intros x. apply IHt3; auto. intros [|i] U; simpl; auto. apply S, or_true; auto.
  - do 2 f_equal. apply map_same. intros a I. apply (H a I). intros; apply S; eapply uses_in; eauto.
Qed.
Lemma uses_stack e t n bs cs : uses n t = false -> (forall i, i <> n -> nth i bs (G 0 0) = nth i cs (G 0 0)) -> den e bs t = den e cs t.
Proof. intros U S. apply stack_used. intros i I. apply S. intros ->. congruence. Qed.
Definition line (d : dom) : Prop := d = DR \/ d = DRp.
Lemma line_near d x : line d -> inD d (RtoC x) -> locally x (fun y => inD d (RtoC y) /\ isR (RtoC y)).
Proof.
  intros [->| ->] H. apply filter_forall. intros y; split; reflexivity. destruct H as [_ H]. simpl in H.
  eapply filter_imp; [|apply (open_gt 0 x H)]. intros y Y. split; [split|]; try reflexivity; auto.
Qed.
Lemma nth_mid' (us vs : list C) v w i : i <> length us -> nth i (us ++ v :: vs) (G 0 0) = nth i (us ++ w :: vs) (G 0 0).
Proof.
  intros N. destruct (Nat.lt_ge_cases i (length us)). rewrite !app_nth1; auto. rewrite !app_nth2 by auto.
  destruct (i - length us)%nat eqn:E; [lia|reflexivity].
Qed.
Lemma fits_app cu us d x cv vs : fits cu us -> fits cv vs -> inD d x /\ isR x -> fits (cu ++ d :: cv) (us ++ x :: vs).
Proof. intros A B D. apply Forall2_app. exact A. constructor; [exact D | exact B]. Qed.
Section ContinuousSound.
  Variables (e : env) (rec : list dom -> tm -> dom -> bool).
  Hypothesis V : valid e.
  Hypothesis SR : sound e rec.
  Context {T : UniformSpace}.
  Lemma cont_unused ctx n t : uses n t = false -> cont_by rec ctx n t = true.
  Proof. intros U. destruct t; cbn [cont_by]; rewrite U; reflexivity. Qed.
  (* Some places of the stack move, continuously. *)
  Definition moves (ns : list nat) (bs : T -> list C) (p : T) : Prop := forall n, if existsb (Nat.eqb n) ns
    then cont_at (fun y => nth n (bs y) (G 0 0)) p else forall y, nth n (bs y) (G 0 0) = nth n (bs p) (G 0 0).
  Lemma still_at t ns bs p : moves ns bs p -> existsb (fun n => uses n t) ns = false -> forall y, den e (bs y) t = den e (bs p) t.
  Proof.
    intros M U y. apply stack_used. intros i I. specialize (M i). destruct (existsb (Nat.eqb i) ns) eqn:E; auto. exfalso.
    apply existsb_exists in E as (n & N & E). apply Nat.eqb_eq in E. subst n. pose proof (existsb_not _ _ _ U N) as Z; cbv beta in Z; rewrite I in Z; discriminate.
  Qed.
  Lemma moves_under ns bs p i : moves ns bs p -> moves (map S ns) (fun y => i :: bs y) p.
  Proof.
    intros M [|n].
    - replace (existsb (Nat.eqb 0) (map S ns)) with false. reflexivity. symmetry. clear. induction ns; auto.
    - specialize (M n). replace (existsb (Nat.eqb (S n)) (map S ns)) with (existsb (Nat.eqb n) ns). exact M. clear. induction ns; auto. cbn [map existsb]. rewrite IHns. reflexivity.
  Qed.
  Lemma cont_by_ok t : forall ctx ns bs p, moves ns bs p -> locally p (fun y => fits ctx (bs y)) -> (forall n, In n ns -> cont_by rec ctx n t = true) ->
    cont_at (fun y => den e (bs y) t) p.
  Proof.
    induction t using tm_ind'; intros ctx ns bs p M L H0;
    (match goal with |- cont_at (fun y => den e (bs y) ?t) p => destruct (existsb (fun n => uses n t) ns) eqn:U;
      [|apply cont_near with (f := fun _ => den e (bs p) t); [apply filter_forall; intros y; symmetry; exact (still_at t M U y) | apply cont_const]];
      apply existsb_exists in U as (m & I & U);
      assert (SUB : forall a, (forall n, cont_by rec ctx n t = true -> uses n t = true -> cont_by rec ctx n a = true) -> (forall n, uses n t = false -> uses n a = false) -> forall n, In n ns -> cont_by rec ctx n a = true)
        by (intros a' A' B' n' N'; destruct (uses n' t) eqn:E'; [apply A'; auto | apply cont_unused; auto]) end);
    pose proof (H0 m I) as H1; cbn [cont_by] in H1; rewrite U in H1; cbn [negb] in H1; try discriminate.
    all: assert (NEAR : forall t d, rec ctx t d = true -> locally p (fun y => inD d (den e (bs y) t)))
      by (intros t0 d0 R; eapply filter_imp; [|exact L]; intros y Y; eapply SR; [exact Y|exact R]).
    all: assert (NOT : forall l a n, some_of (uses n) l = false -> In a l -> uses n a = false) by (intros l' a' n'; rewrite some_of_existsb; apply existsb_not).
    - cbn [den]. specialize (M n). replace (existsb (Nat.eqb n) ns) with true in M. exact M. symmetry. apply existsb_exists. exists m. split; auto.
    - destruct d; try discriminate. rewrite all_of_forallb in H1. rewrite Forall_forall in H.
      assert (RA : forall a, In a l -> rec ctx a DR = true /\ cont_at (fun y => den e (bs y) a) p).
      { intros a A. pose proof (forallb_in _ _ _ H1 A) as Q. cbv beta in Q. apply andb_prop in Q as [Q _]. split; auto. apply (H a A ctx ns); auto. apply SUB.
        intros n C E. cbn [cont_by] in C. rewrite E in C. cbn [negb] in C. rewrite all_of_forallb in C. pose proof (forallb_in _ _ _ C A) as Q'. cbv beta in Q'. apply andb_prop in Q' as [_ Q']. exact Q'.
        intros n E. cbn [uses] in E. eauto. }
      destruct V as (_ & VF & VS). cbn [den]. apply cont_near with (f := fun y => RtoC (fst (fv e f DS (map (fun c => RtoC (c y)) (map (fun a y => fst (den e (bs y) a)) l))))).
      + eapply filter_imp; [|exact L]. intros y Y. rewrite map_map. replace (map (fun a => RtoC (fst (den e (bs y) a))) l) with (map (den e (bs y)) l).
        symmetry. apply isR_iff. exact (VF f DS _). apply map_same. intros a A. apply isR_iff. exact (SR Y (proj1 (RA a A))).
      + apply cont_real. apply (proj1 (VS f)). intros c C. apply in_map_iff in C as (a & <- & A). apply (RA a A).
    - rewrite all_of_forallb in H1. rewrite Forall_forall in H. cbn [den]. apply (cont_csum (fun a y => den e (bs y) a)). intros a A. apply (H a A ctx ns); auto. apply SUB.
      intros n C E. cbn [cont_by] in C. rewrite E in C. cbn [negb] in C. rewrite all_of_forallb in C. exact (forallb_in _ _ _ C A). intros n E. cbn [uses] in E. eauto.
    - rewrite all_of_forallb in H1. rewrite Forall_forall in H. cbn [den]. apply (cont_cprod (fun a y => den e (bs y) a)). intros a A. apply (H a A ctx ns); auto. apply SUB.
      intros n C E. cbn [cont_by] in C. rewrite E in C. cbn [negb] in C. rewrite all_of_forallb in C. exact (forallb_in _ _ _ C A). intros n E. cbn [uses] in E. eauto.
    - cbn [den]. apply cont_pow. apply (IHt ctx ns); auto. apply SUB; auto. intros k C E. cbn [cont_by] in C. rewrite E in C. exact C.
    - apply andb_prop in H1 as [_ H2].
      assert (Q : cont_at (fun y => den e (bs y) t) p).
      { apply (IHt ctx ns); auto. apply SUB; auto. intros n C E. cbn [cont_by] in C. rewrite E in C. apply andb_prop in C as [C _]. exact C. }
      cbn [den]. destruct f; try discriminate; cbn [kf1].
      exact (cont_exp Q). apply cont_log; auto; apply (NEAR _ _ H2). apply cont_sqrt; auto; apply (NEAR _ _ H2).
      exact (cont_cos Q). exact (cont_sin Q). exact (cont_cosh Q). exact (cont_sinh Q). exact (cont_conj Q). exact (cont_abs Q). exact (cont_re Q). exact (cont_im Q).
      apply cont_inv; auto. apply (locally_singleton _ _ (NEAR _ _ H2)). apply cont_ci; auto; apply (NEAR _ _ H2). exact (cont_si Q).
    - destruct f; try discriminate.
      assert (Q : rec ctx t1 Dgt = true) by (destruct (rec ctx t1 Dgt); auto).
      assert (X : forall n, cont_by rec ctx n (F2 Powc t1 t2) = true -> uses n (F2 Powc t1 t2) = true -> cont_by rec ctx n t1 = true /\ cont_by rec ctx n t2 = true).
      { intros n C E. cbn [cont_by] in C. rewrite E, Q in C. cbn [negb] in C. apply andb_prop in C as []; auto. }
      assert (Y : forall n, uses n (F2 Powc t1 t2) = false -> uses n t1 = false /\ uses n t2 = false) by (intros n E; cbn [uses] in E; destruct (uses n t1); [discriminate|auto]).
      cbn [den kf2]. apply cont_powc. apply (NEAR _ _ Q). apply (IHt1 ctx ns); auto. apply SUB; intros; [eapply X | eapply Y]; eauto. apply (IHt2 ctx ns); auto. apply SUB; intros; [eapply X | eapply Y]; eauto.
    - destruct b; try discriminate.
      assert (X : forall n, In n ns -> uses n t1 = false /\ uses n t2 = false /\ cont_by rec (from_on rec ctx t1 :: ctx) (S n) t3 = true).
      { intros n N. pose proof (H0 n N) as C. cbn [cont_by uses] in C. destruct (uses n t1) eqn:E1; [discriminate|]. destruct (uses n t2) eqn:E2; [discriminate|].
        destruct (uses (S n) t3) eqn:E3; cbn [negb] in C; auto using cont_unused. }
      assert (E : forall t, (forall n, In n ns -> uses n t = false) -> forall y, den e (bs y) t = den e (bs p) t).
      { intros t Y. apply (still_at t M). destruct (existsb _ ns) eqn:Z; auto. apply existsb_exists in Z as (n & N & Z). rewrite (Y n N) in Z. discriminate. }
      assert (E1 := E t1 (fun n N => proj1 (X n N))). assert (E2 := E t2 (fun n N => proj1 (proj2 (X n N)))).
      set (lo := den e (bs p) t1) in *. set (hi := den e (bs p) t2) in *.
      apply cont_near with (f := fun y => if ends lo hi then nsum (ix lo (fun i => den e (i :: bs y) t3)) (len lo hi) else G 0 0).
      apply filter_forall. intros y. cbn [den kbind]. rewrite E1, E2. reflexivity.
      destruct (ends lo hi) eqn:EE; [|apply cont_const]. apply ends_R in EE as [RL RH]. unfold ix. apply cont_nsum. intros k K.
      apply (IHt3 (from_on rec ctx t1 :: ctx) (map S ns)). apply moves_under; auto.
      eapply filter_imp; [|exact L]. intros y Y. constructor; auto. eapply from_on_in; [exact SR|exact Y|]. rewrite E1. apply (@inrange_ix lo hi k RL RH K).
      intros n N. apply in_map_iff in N as (q & <- & N). apply (X q N).
  Qed.
End ContinuousSound.

(* Integrals of what is continuous between the ends. *)
Definition fine (lo hi : C) (f : C -> C) : Prop := isR lo -> isR hi -> forall y, (Rmin (fst lo) (fst hi) <= y <= Rmax (fst lo) (fst hi))%R ->
  cont_at (fun y => f (RtoC y)) y.
Definition int_pair (lo hi : C) (f : C -> C) : C := (RInt (fun x => fst (f (RtoC x))) (fst lo) (fst hi), RInt (fun x => snd (f (RtoC x))) (fst lo) (fst hi)).
Lemma fine_ex lo hi f : fine lo hi f -> isR lo -> isR hi ->
  ex_RInt (fun x => fst (f (RtoC x))) (fst lo) (fst hi) /\ ex_RInt (fun x => snd (f (RtoC x))) (fst lo) (fst hi).
Proof. intros F L H. split; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros z Z; apply (F L H z Z). Qed.
Lemma kint_fine lo hi f : fine lo hi f -> isR lo -> isR hi -> kint lo hi f = int_pair lo hi f.
Proof.
  intros F L H. unfold kint. destruct (fine_ex F L H). destruct excluded_middle_informative as [_|N]; auto. elim N; auto.
Qed.
Lemma kint_unreal lo hi f : ~ (isR lo /\ isR hi) -> kint lo hi f = G 0 0.
Proof. intros N. unfold kint. destruct excluded_middle_informative as [(A & B & _)|]; auto. elim N; auto. Qed.
Lemma fine_const lo hi c : fine lo hi (fun _ => c). Proof. intros _ _ y _. apply cont_const. Qed.
Lemma fine_scal lo hi c f : fine lo hi f -> fine lo hi (fun x => c * f x).
Proof. intros F L H y Y. exact (cont_mult (cont_const c y) (F L H y Y)). Qed.
Lemma fine_plus lo hi f g : fine lo hi f -> fine lo hi g -> fine lo hi (fun x => f x + g x).
Proof. intros F K L H y Y. exact (cont_plus (F L H y Y) (K L H y Y)). Qed.
Lemma fine_abs lo hi f : fine lo hi f -> fine lo hi (fun x => kabs (f x)).
Proof. intros F L H y Y. exact (cont_abs (F L H y Y)). Qed.
Lemma kint_plus lo hi f g : fine lo hi f -> fine lo hi g -> kint lo hi (fun x => f x + g x) = kint lo hi f + kint lo hi g.
Proof.
  intros F K. destruct (excluded_middle_informative (isR lo /\ isR hi)) as [[L H]|N]; [|rewrite !kint_unreal by auto; ring].
  rewrite !kint_fine by (auto; apply fine_plus; auto). destruct (fine_ex F L H) as [F1' F2']. destruct (fine_ex K L H) as [K1 K2]. unfold int_pair.
  apply Ceq; cbn [fst snd Cplus]. exact (RInt_plus (V := R_CompleteNormedModule) _ _ _ _ F1' K1). exact (RInt_plus (V := R_CompleteNormedModule) _ _ _ _ F2' K2).
Qed.
Lemma kint_scal lo hi c f : fine lo hi f -> kint lo hi (fun x => c * f x) = c * kint lo hi f.
Proof.
  intros F. destruct (excluded_middle_informative (isR lo /\ isR hi)) as [[L H]|N]; [|rewrite !kint_unreal by auto; ring].
  rewrite !kint_fine by (auto; apply fine_scal; auto). destruct (fine_ex F L H) as [X Y]. unfold int_pair.
  assert (SX : forall a, ex_RInt (fun x => scal a (fst (f (RtoC x)))) (fst lo) (fst hi)) by (intros; exact (ex_RInt_scal (V := R_CompleteNormedModule) _ _ _ a X)).
  assert (SY : forall a, ex_RInt (fun x => scal a (snd (f (RtoC x)))) (fst lo) (fst hi)) by (intros; exact (ex_RInt_scal (V := R_CompleteNormedModule) _ _ _ a Y)).
  pose proof (fun a => RInt_scal (V := R_CompleteNormedModule) _ _ _ a X) as IX. pose proof (fun a => RInt_scal (V := R_CompleteNormedModule) _ _ _ a Y) as IY.
  apply Ceq; cbn [fst snd Cmult].
  - etransitivity. exact (RInt_minus (V := R_CompleteNormedModule) _ _ _ _ (SX (fst c)) (SY (snd c))). rewrite IX, IY. reflexivity.
  - etransitivity. exact (RInt_plus (V := R_CompleteNormedModule) _ _ _ _ (SY (fst c)) (SX (snd c))). rewrite IX, IY. reflexivity.
Qed.
Lemma kint_0 lo hi : kint lo hi (fun _ => G 0 0) = G 0 0.
Proof. transitivity (kint lo hi (fun _ => G 0 0 * G 0 0)). f_equal. apply functional_extensionality; intros; ring. rewrite (@kint_scal lo hi (G 0 0) (fun _ => G 0 0)). ring. intros _ _ y _. apply cont_const. Qed.
Lemma kint_join lo mid hi f : isR lo -> isR mid -> isR hi -> fine lo hi f -> fine lo mid f -> fine mid hi f ->
  kint lo hi f = kint lo mid f + kint mid hi f.
Proof.
  intros L M H A B D. rewrite !kint_fine by auto. destruct (fine_ex B L M) as [B1 B2]. destruct (fine_ex D M H) as [D1 D2].
  symmetry. unfold int_pair. apply Ceq; cbn [fst snd Cplus]. exact (RInt_Chasles (V := R_CompleteNormedModule) _ _ _ _ B1 D1). exact (RInt_Chasles (V := R_CompleteNormedModule) _ _ _ _ B2 D2).
Qed.
Lemma kint_triangle lo hi f : ge0 (hi + G (-1#1) (0#1) * lo) -> fine lo hi f -> kle (kabs (kint lo hi f)) (kint lo hi (fun x => kabs (f x))).
Proof.
  intros D F. destruct (excluded_middle_informative (isR lo /\ isR hi)) as [[L H]|N]; [|rewrite !kint_unreal, kabs_G0 by auto; apply kle_refl, Q0].
  destruct D as [_ D]. rewrite fst_sub in D. pose proof (fine_abs F) as FA. rewrite !kint_fine by auto. destruct (fine_ex F L H) as [A B]. destruct (fine_ex FA L H) as [E _].
  unfold int_pair at 2. repeat split.
  unfold isR; cbn [snd]. rewrite (RInt_ext _ (fun _ => 0%R)) by reflexivity. rewrite RInt_const. unfold scal; simpl; unfold mult; simpl; ring.
  cbn [fst kabs RtoC].
  set (V := prod_NormedModule R_AbsRing R_NormedModule R_NormedModule).
  assert (N : forall z : C, Hierarchy.norm (z : V) = Cmod z).
  { intros z. unfold Hierarchy.norm; simpl. unfold prod_norm, Cmod. f_equal. unfold Hierarchy.norm; simpl; unfold abs; simpl. rewrite !Rmult_1_r, <- !Rabs_mult, !Rabs_pos_eq; nra. }
  rewrite <- N.
  apply (norm_RInt_le (V := V) (fun x => (fst (f (RtoC x)), snd (f (RtoC x))) : V) (fun x => Cmod (f (RtoC x))) (fst lo) (fst hi)). lra.
  intros x _. rewrite N. right. f_equal. apply Ceq; reflexivity.
  apply (is_RInt_fct_extend_pair (U := R_NormedModule) (V := R_NormedModule)); cbn [fst snd int_pair]; apply (RInt_correct (V := R_CompleteNormedModule)); assumption.
  apply (RInt_correct (V := R_CompleteNormedModule)); assumption.
Qed.
Lemma kint_le lo hi f g : kle lo hi -> fine lo hi f -> fine lo hi g -> (forall x, isR x -> kle lo x -> kle x hi -> kle (f x) (g x)) ->
  kle (kint lo hi f) (kint lo hi g).
Proof.
  intros (L & H & D) F K W. rewrite !kint_fine by auto. destruct (fine_ex F L H) as [F1' F2']. destruct (fine_ex K L H) as [K1 K2].
  assert (B : forall x, (fst lo < x < fst hi)%R -> kle (f (RtoC x)) (g (RtoC x))) by (intros; apply W; repeat split; auto; simpl; lra).
  assert (Z : forall h, (forall x, (fst lo < x < fst hi)%R -> snd (h x) = 0%R) -> RInt (fun x => snd (h x : C)) (fst lo) (fst hi) = 0%R).
  { intros h Hh. rewrite (RInt_ext _ (fun _ => 0%R)). rewrite RInt_const. unfold scal; simpl; unfold mult; simpl; ring.
    intros x. rewrite Rmin_left, Rmax_right by lra. apply Hh. }
  unfold int_pair. repeat split; unfold isR; cbn [fst snd]. apply (Z (fun x => f (RtoC x))). intros x X; apply (B x X). apply (Z (fun x => g (RtoC x))). intros x X; apply (B x X).
  apply RInt_le; auto. intros x X. apply (B x X).
Qed.

Definition cont_body (s : tm) : bool := match s with Bind b lo hi t => cont_by (lies_by 60) [along (lies_by 60) [] b lo hi] 0 t | _ => false end.
Lemma along_line lo hi : line (along (lies_by 60) [] Int lo hi).
Proof. unfold line, along. destruct (if lies_by 60 [] lo Dgt then _ else false); auto. Qed.
Lemma fine_on e d lo hi t : valid e -> line d -> (forall y, isR lo -> isR hi -> (Rmin (fst lo) (fst hi) <= y <= Rmax (fst lo) (fst hi))%R -> inD d (RtoC y)) ->
  cont_by (lies_by 60) [d] 0 t = true -> fine lo hi (fun x => den e [x] t).
Proof.
  intros V L I H A B y Y. apply (@cont_by_ok e _ V (@lies_by_ok e 60 V) R_UniformSpace t [d] [0%nat] (fun y => [RtoC y])).
  - intros [|n]; simpl. apply cont_id. reflexivity.
  - eapply filter_imp; [|exact (line_near y L (I y A B Y))]. intros z Z. constructor; [exact Z | constructor].
  - intros n [<-|[]]. exact H.
Qed.
Lemma between_pos lo hi y : gt0 lo -> gt0 hi -> (Rmin (fst lo) (fst hi) <= y <= Rmax (fst lo) (fst hi))%R -> isRp (RtoC y).
Proof. intros [_ A] [_ B] [Y _]. split. reflexivity. simpl. unfold Rmin in Y. destruct Rle_dec; lra. Qed.
Lemma cont_body_ok e lo hi t : valid e -> cont_body (Bind Int lo hi t) = true -> fine (den e [] lo) (den e [] hi) (fun x => den e [x] t).
Proof.
  intros V. unfold cont_body. intros H. eapply fine_on; eauto using along_line. intros y A B Y. unfold along.
  destruct (lies_by 60 [] lo Dgt) eqn:E1; [destruct (lies_by 60 [] hi Dgt) eqn:E2|]; try reflexivity.
  apply (between_pos (lies_ok _ _ V E1) (lies_ok _ _ V E2) Y).
Qed.
Section IntegralRows.
  Variable known : tm -> dom -> bool.
  Definition integral_row (a : ax) : option statement := match a with
    | Linear Int lo hi parts => when (forallb (fun p => closed 0 (fst p) && of_binder Int (snd p) lo hi && cont_body (snd p)) parts)
        (Bind Int lo hi (Add (map (fun p => Mul [fst p; body_of (snd p)]) parts)), Eq_, Add (map (fun p => Mul [fst p; snd p]) parts))
    | TriangleIntegral s => match s with Bind Int lo hi t => when (known (sub hi lo) Dge && cont_body s)
        (F1 Abs s, Le, Bind Int lo hi (F1 Abs t)) | _ => None end
    | Join s mid => match s with Bind Int lo hi t =>
        let d := if known lo Dgt &&& known mid Dgt &&& known hi Dgt then DRp else DR in
        when (known lo DR && known hi DR && known mid DR && cont_by (lies_by 60) [d] 0 t)
        (s, Eq_, Add [Bind Int lo mid t; Bind Int mid hi t]) | _ => None end
    | a => axiom_row known a end.
End IntegralRows.
Lemma integral_row_ok e known a s : valid e -> (forall t d, known t d = true -> inD d (den e [] t)) -> integral_row known a = Some s -> row_of e s.
Proof.
  intros V K. destruct a; try (apply axiom_row_ok; auto; fail); cbn [integral_row].
  - destruct s0 as [| | | | | | | | | |[] lo hi t| | |]; try discriminate. intros H; apply when_some in H as [H <-]. apply andb_prop in H as [H1 H2].
    unfold row_of. cbn [fst snd related den kf1 kbind]. apply K in H1. cbn [inD] in H1. rewrite sub_den in H1. apply (kint_triangle H1). apply (cont_body_ok lo hi t V H2).
  - destruct b; try (apply axiom_row_ok; auto; fail). intros H; apply when_some in H as [H <-]. unfold row_of. cbn [fst snd related den kbind].
    enough (fine (den e [] lo) (den e [] hi) (fun x => csum (map (den e [x]) (map (fun p => Mul [fst p; body_of (snd p)]) parts))) /\
      kint (den e [] lo) (den e [] hi) (fun x => csum (map (den e [x]) (map (fun p => Mul [fst p; body_of (snd p)]) parts))) = csum (map (den e []) (map (fun p => Mul [fst p; snd p]) parts))) by apply H0.
    induction parts as [|[c t] parts IH]; cbn [map csum fold_right]. split. apply fine_const. apply kint_0. cbn [forallb fst snd] in *.
    apply andb_prop in H as [H1 H2]. apply andb_prop in H1 as [H1 H4]. apply andb_prop in H1 as [H1 H3]. destruct (IH H2) as [IF IE]. change (fold_right Cplus (G 0 0)) with csum in *.
    destruct t as [| | | | | | | | | |b' lo' hi' t| | |]; try discriminate. cbn [of_binder] in H3. conds H3. apply N.eqb_eq, nbinder_eq in H3. apply eqb_eq in A, A0. subst b' lo' hi'.
    pose proof (cont_body_ok lo hi t V H4) as FT.
    assert (E : (fun x => den e [x] (Mul [c; body_of (Bind Int lo hi t)])) = (fun x => den e [] c * den e [x] t)).
    { apply functional_extensionality. intros x. cbn [body_of den map cprod fold_right]. rewrite (@den_closed e [x] c) by auto. ring. }
    assert (FC : fine (den e [] lo) (den e [] hi) (fun x => den e [x] (Mul [c; body_of (Bind Int lo hi t)]))) by (rewrite E; apply fine_scal; auto).
    split. exact (fine_plus FC IF). etransitivity. exact (kint_plus FC IF). f_equal; [|exact IE].
    rewrite E, (kint_scal (den e [] c) FT). cbn [den map cprod fold_right kbind]. ring.
  - destruct s0 as [| | | | | | | | | |[] lo hi t| | |]; try discriminate. cbv zeta. intros H; apply when_some in H as [H <-]. conds H. unfold row_of. cbn [fst snd related den map csum fold_right kbind].
    apply K in H, A0, A1. cbn [inD] in *.
    assert (X : forall a b, (a = lo \/ a = mid \/ a = hi) -> (b = lo \/ b = mid \/ b = hi) -> fine (den e [] a) (den e [] b) (fun x => den e [x] t)).
    { intros a b Ha Hb. eapply fine_on; [exact V| | |exact A]. unfold line. match goal with |- context [if ?c then DRp else DR] => destruct c end; auto.
      intros y _ _ Y. destruct (known lo Dgt) eqn:E1; [destruct (known mid Dgt) eqn:E2; [destruct (known hi Dgt) eqn:E3|]|]; try reflexivity.
      assert (P : forall c, (c = lo \/ c = mid \/ c = hi) -> gt0 (den e [] c)) by (intros c [->|[->| ->]]; [apply (K _ _ E1) | apply (K _ _ E2) | apply (K _ _ E3)]).
      exact (between_pos (P a Ha) (P b Hb) Y). }
    rewrite (@kint_join (den e [] lo) (den e [] mid) (den e [] hi)); auto. ring.
Qed.
(* Integrals over a range, side by side, of what is continuous along the letter. *)
Definition smooth_sides (th : thm) (x : letter) : bool := match snd x with
  | DR | DRp => closed 0 (lhs th) && closed 0 (rhs th) && cont_by (lies_by 60) [snd x] 0 (bound x 0 (lhs th)) && cont_by (lies_by 60) [snd x] 0 (bound x 0 (rhs th))
  | _ => false end.
Lemma smooth_sides_ok th x : monotone_ok (smooth_sides th x) th x.
Proof.
  intros H e V lo hi L DL DH W. unfold smooth_sides in H.
  assert (LN : line (snd x)) by (unfold line; destruct (snd x); try discriminate; auto).
  assert (H' : closed 0 (lhs th) && closed 0 (rhs th) && cont_by (lies_by 60) [snd x] 0 (bound x 0 (lhs th)) && cont_by (lies_by 60) [snd x] 0 (bound x 0 (rhs th)) = true) by (destruct (snd x); try discriminate; auto).
  conds H'.
  assert (X : forall y, isR lo -> isR hi -> (Rmin (fst lo) (fst hi) <= y <= Rmax (fst lo) (fst hi))%R -> inD (snd x) (RtoC y)).
  { intros y _ _ Y. destruct LN as [E|E]; rewrite E in *. reflexivity. exact (between_pos DL DH Y). }
  assert (EL : (fun i => den (set e x i) [] (lhs th)) = (fun i => den e [i] (bound x 0 (lhs th)))) by (apply functional_extensionality; intros; symmetry; apply den_bound0; auto).
  assert (ER : (fun i => den (set e x i) [] (rhs th)) = (fun i => den e [i] (bound x 0 (rhs th)))) by (apply functional_extensionality; intros; symmetry; apply den_bound0; auto).
  apply kint_le; auto. rewrite EL. eapply fine_on; eauto. rewrite ER. eapply fine_on; eauto.
Qed.
