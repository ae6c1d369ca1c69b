(* The normal form of a term: each clause is an identity between total functions. Equal forms: equal terms. *)
Require Export Poly.
Set Implicit Arguments.
Open Scope C_scope.

Definition ginv (c : GQ) : GQ := let s := (fst c * fst c + snd c * snd c)%Q in
  (Qred (fst c / s), Qred (- snd c / s))%Q.
Definition gconj (c : GQ) : GQ := (fst c, Qopp (snd c)).
Definition real_dom (d : dom) : bool := match d with DC | DM | Dne => false | _ => true end.
(* Real by its kind alone, whatever its arguments; a bound letter goes through real numbers. *)
Definition plainly_real (a : tm) : bool := match a with
  | Var _ d | App _ d _ => real_dom d | BV _ => true
  | F0 Pi | F0 Euler | F1 Abs _ | Bind Max _ _ _ => true | _ => false end.

Section Step.
  Variable nm : tm -> poly.
  Definition canon_by (t : tm) : tm := tmp (nm t).

  (* inv(a b) = inv a inv b, inv(inv a) = a, inv(e^p) = e^-p, also at 0; of a longer sum, an atom. *)
  Definition invert_atom (ak : tm * positive) : poly := match fst ak with
    | F1 Inv b => ppow (nm b) (snd ak)
    | a => [(Mono [(F1 Inv a, snd ak)] [], gone)] end.
  Definition pinv (p : poly) : poly := match p with
    | [] => []
    | [(Mono ats ex, c)] => fold_right (fun ak q => pmul (invert_atom ak) q) (term1 (Mono [] (pscale gm1 ex)) (ginv c)) ats
    | (_, c) :: _ => if gzero c then patom (F1 Inv (tmp p))
      else term1 (Mono [(F1 Inv (tmp (pscale (ginv c) p)), 1%positive)] []) (ginv c) end.

  (* The conjugate, where [real] says which atoms are their own. *)
  Definition conj_atom (real : tm -> bool) (a : tm) : poly := if real a then patom a else match a with
    | F1 Conj b => nm b
    | F1 Inv b => pinv (nm (F1 Conj b))
    | Bind Sum lo hi t => patom (Bind Sum lo hi (canon_by (F1 Conj t)))
    | Bind Prod lo hi t => patom (Bind Prod lo hi (canon_by (F1 Conj t)))
    | Bind Int lo hi t => patom (Bind Int lo hi (canon_by (F1 Conj t)))
    | _ => patom (F1 Conj a) end.
  Fixpoint conj_mono (real : tm -> bool) (m : mono) : poly := match m with Mono ats ex =>
    pmul (fold_right (fun ak q => pmul (ppow (conj_atom real (fst ak)) (snd ak)) q) (const gone) ats)
      (pexp (fold_right (fun mc q => padd (pscale (gconj (snd mc)) (conj_mono real (fst mc))) q) [] ex)) end.
  Definition pconj (real : tm -> bool) (p : poly) : poly :=
    fold_right (fun mc q => padd (pscale (gconj (snd mc)) (conj_mono real (fst mc))) q) [] p.

  Definition pcos (p : poly) : poly := pscale ghalf (padd (pexp (pscale gi p)) (pexp (pscale gmi p))).
  Definition psin (p : poly) : poly := pscale ghalf (pscale gmi (psub (pexp (pscale gi p)) (pexp (pscale gmi p)))).
  Definition pcosh (p : poly) : poly := pscale ghalf (padd (pexp p) (pexp (pscale gm1 p))).
  Definition psinh (p : poly) : poly := pscale ghalf (psub (pexp p) (pexp (pscale gm1 p))).
  Definition step (t : tm) : poly := match t with
    | Num a b => const (Qred a, Qred b)
    | Add l => fold_right (fun t p => padd (nm t) p) [] l
    | Mul l => fold_right (fun t p => pmul (nm t) p) (const gone) l
    | Pow t k => ppown (nm t) k
    | F1 f t => let p := nm t in match f with
      | Exp => pexp p | Inv => pinv p | Conj => pconj plainly_real p
      | Cos => pcos p | Sin => psin p | Tan => pmul (psin p) (pinv (pcos p))
      | Cosh => pcosh p | Sinh => psinh p | Tanh => pmul (psinh p) (pinv (pcosh p))
      | Re_ => pscale ghalf (padd p (pconj plainly_real p))
      | Im_ => pscale ghalf (pscale gmi (psub p (pconj plainly_real p)))
      | _ => patom (F1 f (tmp p)) end
    | F2 Delta u v => let d := psub (nm u) (nm v) in psub (const gone) (pmul d (pinv d))
    | F2 Powc u v => patom (F2 Powc (canon_by u) (canon_by v))
    | Bind b lo hi t => patom (Bind b (canon_by lo) (canon_by hi) (canon_by t))
    | App f d l => patom (App f d (map canon_by l))
    | Word l => patom (Word (map (fun a => match a with Mat r f l => Mat r f (map canon_by l) | _ => a end) l))
    | _ => patom t end.
End Step.
Fixpoint norm_by (fuel : nat) (t : tm) : poly := match fuel with O => patom t | S n => step (norm_by n) t end.
Definition norm : tm -> poly := norm_by 200.
Definition same (t u : tm) : bool := match psub (norm t) (norm u) with [] => true | _ => false end.

Lemma kint_ext lo hi f g : (forall x, isR x -> f x = g x) -> kint lo hi f = kint lo hi g.
Proof. apply kint_ext_all. Qed.
Lemma klim_ext lo hi f g : (forall x, isR x -> f x = g x) -> klim lo hi f = klim lo hi g.
Proof.
  intros H. assert ((fun x : R => f (RtoC x)) = (fun x : R => g (RtoC x))) as A by (apply functional_extensionality; intros; apply H; reflexivity).
  assert ((fun n => f (zc (Z.of_nat n))) = (fun n => g (zc (Z.of_nat n)))) as B by (apply functional_extensionality; intros; apply H; reflexivity).
  unfold klim. rewrite A, B. reflexivity.
Qed.
Lemma kbind_ext_R b lo hi f g : (forall x, isR x -> f x = g x) -> kbind b lo hi f = kbind b lo hi g.
Proof.
  intros H. destruct b; simpl.
  - apply ksum_ext. intros i (Z & _). apply H, Z_R; auto.
  - apply kprod_ext. intros i (Z & _). apply H, Z_R; auto.
  - apply kint_ext; auto.
  - apply kmax_ext. intros i (Z & _). apply H, Z_R; auto.
  - apply klim_ext; auto.
Qed.
Lemma phi_inv c : phi (ginv c) = kinv (phi c).
Proof.
  destruct c as [a b]. unfold ginv, phi, G; cbn [fst snd]. rewrite !Q2R_red. unfold kinv, Cinv. cbn [fst snd].
  set (s := (a * a + b * b)%Q).
  assert (S : Q2R s = (Q2R a ^ 2 + Q2R b ^ 2)%R) by (unfold s; rewrite Q2R_plus, !Q2R_mult; ring).
  rewrite <- S. destruct (Qeq_dec s 0) as [Z|Z].
  - assert (Q2R s = 0%R) as S0 by (rewrite (Qeq_eqR _ _ Z), Q0; auto).
    assert (Q2R a = 0 /\ Q2R b = 0)%R as [A B] by (rewrite S0 in S; split; nra).
    assert (forall q, Q2R (q / s) = 0%R) as X. { intros q. rewrite (Qeq_eqR (q / s) 0). apply Q0. rewrite Z. unfold Qdiv. change (/ 0)%Q with 0%Q. ring. }
    rewrite !X, A, B. unfold Rdiv. apply Ceq; simpl; ring.
  - unfold Qdiv, Rdiv. rewrite !Q2R_mult, Q2R_opp, !Q2R_inv by auto. reflexivity.
Qed.
Lemma phi_conj c : phi (gconj c) = conj (phi c).
Proof. destruct c. unfold phi, gconj. cbn [fst snd]. rewrite conj_G. reflexivity. Qed.
Lemma kpow_1n n : kpow (G 1 0) n = G 1 0. Proof. induction n; cbn [kpow]; auto. rewrite IHn; ring. Qed.

Section Sound.
  Variable e : env.
  Hypothesis V : valid e.
  Definition ok (nm : tm -> poly) : Prop := forall bs t, Forall isR bs -> denp e bs (nm t) = den e bs t.
  Lemma real_dom_isR d z : real_dom d = true -> inD d z -> isR z.
  Proof.
    destruct d; simpl; intros X H; try discriminate; auto.
    apply Z_R; auto. apply Z_R, N_Z; auto. apply Z_R, N_Z, Np_N; auto.
    apply Rp_R; auto. apply ge_R; auto. apply gt_R; auto.
  Qed.
  Lemma plainly_real_isR bs a : Forall isR bs -> plainly_real a = true -> isR (den e bs a).
  Proof.
    intros B. destruct V as (VL & VF & _). destruct a; simpl; try discriminate.
    - intros H. eapply real_dom_isR; eauto. apply (VL (x, d)).
    - intros _. rewrite Forall_forall in B. destruct (Nat.lt_ge_cases n (length bs)). apply B, nth_In; auto. rewrite nth_overflow by auto. apply Q0.
    - intros H. eapply real_dom_isR; eauto.
    - destruct f; try discriminate; intros; reflexivity.
    - destruct f; try discriminate; intros; reflexivity.
    - destruct b; try discriminate; intros; apply isR_max.
  Qed.

  Variable nm : tm -> poly.
  Hypothesis N : ok nm.
  Lemma canon_ok bs t : Forall isR bs -> den e bs (canon_by nm t) = den e bs t.
  Proof. intros B. unfold canon_by. rewrite tmp_den. apply N; auto. Qed.
  Lemma denm_one bs a k ex : denm e bs (Mono ((a, k) :: ex) []) = kpow (den e bs a) (Pos.to_nat k) * denm e bs (Mono ex []).
  Proof. rewrite !denm_mono. unfold denats. rewrite total_cons. ring. Qed.
  Lemma denm_split bs ats ex : denm e bs (Mono ats ex) = denats e bs ats * kexp (denp e bs ex). Proof. reflexivity. Qed.
  Lemma invert_atom_ok bs a k : Forall isR bs -> denp e bs (invert_atom nm (a, k)) = kinv (kpow (den e bs a) (Pos.to_nat k)).
  Proof.
    intros B. rewrite kinv_pow.
    assert (D : denp e bs [(Mono [(F1 Inv a, k)] [], gone)] = kpow (kinv (den e bs a)) (Pos.to_nat k)).
    { rewrite denp_cons, denm_one, denm_unit, phi_one. unfold denp; simpl. ring. }
    destruct a as [| | | | | | | |f b| | | | |]; try exact D. destruct f; try exact D.
    unfold invert_atom. cbn [fst snd]. rewrite ppow_den, N by auto. cbn [den kf1]. rewrite kinv_kinv. reflexivity.
  Qed.
  Lemma denats_cons bs a k l : denats e bs ((a, k) :: l) = kpow (den e bs a) (Pos.to_nat k) * denats e bs l. Proof. reflexivity. Qed.
  Lemma pinv_ok bs p : Forall isR bs -> denp e bs (pinv nm p) = kinv (denp e bs p).
  Proof.
    intros B. destruct p as [|[m c] p]. unfold denp; simpl. symmetry; apply kinv_0.
    destruct p as [|mc p].
    - destruct m as [ats ex]. rewrite denp_cons, denm_split. cbn [pinv].
      assert (denp e bs [] = G 0 0) as -> by reflexivity.
      replace (phi c * (denats e bs ats * kexp (denp e bs ex)) + G 0 0) with (denats e bs ats * (phi c * kexp (denp e bs ex))) by ring.
      induction ats as [|[a k] ats IH]; simpl fold_right.
      + rewrite term1_den, denm_split, phi_inv, pscale_den. assert (denats e bs [] = G 1 0) as -> by reflexivity.
        rewrite !kinv_mult, kinv_1, (@kinv_exp (denp e bs ex) (phi gm1 * denp e bs ex)) by (unfold gm1, phi; cbn [fst snd]; ring). ring.
      + rewrite pmul_den, IH, invert_atom_ok, denats_cons, <- kinv_mult by auto. f_equal. ring.
    - assert (A : denp e bs (patom (F1 Inv (tmp ((m, c) :: mc :: p)))) = kinv (denp e bs ((m, c) :: mc :: p))).
      { rewrite patom_den. cbn [den kf1]. rewrite tmp_den. reflexivity. }
      assert (D : gzero c = false -> denp e bs (term1 (Mono [(F1 Inv (tmp (pscale (ginv c) ((m, c) :: mc :: p))), 1%positive)] []) (ginv c)) = kinv (denp e bs ((m, c) :: mc :: p))).
      { intros Z. rewrite term1_den, denm_one, denm_unit, phi_inv. cbn [den kf1]. rewrite tmp_den, pscale_den, phi_inv, kinv_mult, kinv_kinv.
        change (Pos.to_nat 1) with 1%nat. cbn [kpow].
        transitivity ((phi c * kinv (phi c)) * kinv (denp e bs ((m, c) :: mc :: p))). ring. rewrite kinv_r. ring.
        intros E. destruct c as [[a1 a2] [b1 b2]]. unfold gzero, phi, G in *; simpl in *.
        pose proof (f_equal fst E) as E1. pose proof (f_equal snd E) as E2. simpl in E1, E2. apply eqR_Qeq in E1, E2. unfold Qeq in E1, E2; simpl in E1, E2.
        assert (a1 = 0%Z) by lia. assert (b1 = 0%Z) by lia. subst. discriminate. }
      cbn [pinv]. destruct m. destruct (gzero c); auto.
  Qed.
  Section Real.
    Variable bs : list C.
    Hypothesis B : Forall isR bs.
    Variable real : tm -> bool.
    Hypothesis Rl : forall a, real a = true -> isR (den e bs a).
    Lemma conj_int lo hi f : kint lo hi (fun x => conj (f x)) = conj (kint lo hi f).
    Proof.
      unfold kint. cbn [conj fst snd].
      assert (X : forall g : R -> R, (fun x => (- g x)%R) = (fun x => opp (g x))) by reflexivity.
      destruct excluded_middle_informative as [(A1 & A2 & A3 & A4)|D]; destruct excluded_middle_informative as [(D1 & D2 & D3 & D4)|D'].
      - unfold conj; cbn [fst snd]. f_equal. apply (RInt_opp (V := R_CompleteNormedModule)); auto.
      - elim D'. repeat split; auto. apply (ex_RInt_ext (V := R_CompleteNormedModule)) with (f := fun x => opp (- snd (f (RtoC x)))%R).
        intros; unfold opp; simpl; ring. apply (ex_RInt_opp (V := R_CompleteNormedModule)); auto.
      - elim D. repeat split; auto. apply (ex_RInt_opp (V := R_CompleteNormedModule)); auto.
      - rewrite conj_G. unfold G. rewrite Q2R_opp, Q0. apply Ceq; simpl; ring.
    Qed.
    Lemma conj_atom_ok a : denp e bs (conj_atom nm real a) = conj (den e bs a).
    Proof.
      unfold conj_atom. destruct (real a) eqn:E. rewrite patom_den, conj_real; auto.
      assert (D : denp e bs (patom (F1 Conj a)) = conj (den e bs a)) by (rewrite patom_den; reflexivity).
      assert (B' : forall x, isR x -> Forall isR (x :: bs)) by (intros; constructor; auto).
      destruct a as [| | | | | | | |f b| |bi lo hi t| | |]; try exact D.
      - destruct f; try exact D. rewrite N by auto. cbn [den kf1]. rewrite conj_conj; auto.
        rewrite pinv_ok, N by auto. cbn [den kf1]. rewrite conj_inv; auto.
      - destruct bi; try exact D; rewrite patom_den; cbn [den kbind].
        + rewrite conj_sum. apply ksum_ext. intros i (Z & _). rewrite canon_ok; auto using Z_R.
        + rewrite conj_prod. apply kprod_ext. intros i (Z & _). rewrite canon_ok; auto using Z_R.
        + rewrite <- conj_int. apply kint_ext. intros x X. rewrite canon_ok; auto.
    Qed.
    Lemma conj_mono_ok m : denp e bs (conj_mono nm real m) = conj (denm e bs m).
    Proof.
      induction m using mono_ind'. cbn [conj_mono]. rewrite pmul_den, pexp_den, denm_split, conj_mult, conj_exp. f_equal.
      - induction ats as [|[a k] ats IH]; simpl fold_right. rewrite const_den. unfold denats; simpl. rewrite conj_G. reflexivity.
        rewrite pmul_den, ppow_den, conj_atom_ok, IH, denats_cons, conj_mult, conj_pow. reflexivity.
      - f_equal. clear ats. induction ex as [|[n c] ex IH]; simpl fold_right. unfold denp; simpl. rewrite conj_G; reflexivity.
        inversion H; subst. rewrite padd_den, pscale_den, denp_cons, conj_plus, conj_mult, phi_conj, IH by auto. f_equal. f_equal. assumption.
    Qed.
    Lemma pconj_ok p : denp e bs (pconj nm real p) = conj (denp e bs p).
    Proof.
      induction p as [|[n c] p IH]; simpl. unfold denp; simpl. rewrite conj_G; reflexivity.
      rewrite padd_den, pscale_den, denp_cons, conj_plus, conj_mult, phi_conj, IH, conj_mono_ok. reflexivity.
    Qed.
  End Real.
  Lemma step_ok : ok (step nm).
  Proof.
    intros bs t B. assert (P : denp e bs (patom t) = den e bs t) by apply patom_den.
    assert (PC : forall p, denp e bs (pconj nm plainly_real p) = conj (denp e bs p)) by (intros; apply pconj_ok; auto; intros; apply plainly_real_isR; auto).
    assert (MC : forall l, map (den e bs) (map (canon_by nm) l) = map (den e bs) l) by (intros; rewrite map_map; apply map_same; intros; apply canon_ok; auto).
    destruct t; try exact P; cbn [step].
    - rewrite const_den. unfold phi, G; cbn [fst snd den]. rewrite !Q2R_red. reflexivity.
    - rewrite patom_den. cbn [den]. rewrite MC; auto.
    - cbn [den]. induction l; simpl. reflexivity. rewrite padd_den, IHl, N; auto. apply patom_den.
    - cbn [den]. induction l; simpl. rewrite const_den; reflexivity. rewrite pmul_den, IHl, N; auto. apply patom_den.
    - rewrite ppown_den, N; auto.
    - pose proof (N t B) as Q. cbn [den]. rewrite <- Q.
      destruct f; cbn [kf1]; unfold pcos, psin, pcosh, psinh;
      repeat first [rewrite pmul_den | rewrite pinv_ok by auto | rewrite pscale_den | rewrite padd_den | rewrite psub_den | rewrite pexp_den | rewrite PC | rewrite patom_den; cbn [den kf1]; rewrite tmp_den];
      rewrite ?pscale_den; auto; unfold ktan, ktanh, kcos, ksin, kcosh, ksinh, kre, kim, phi, ghalf, gmi, gi, gm1; cbn [fst snd]; rewrite ?Cmult_assoc; auto.
    - destruct f. rewrite patom_den. cbn [den]. rewrite !canon_ok; auto.
      cbn [den kf2]. rewrite psub_den, const_den, pmul_den, pinv_ok, psub_den, !N by auto. rewrite kdelta_def. reflexivity.
    - rewrite patom_den. cbn [den]. rewrite !canon_ok by auto. apply kbind_ext_R. intros x X. apply canon_ok; auto.
    - rewrite patom_den. cbn [den]. do 2 f_equal. rewrite map_map. apply map_same. intros a _. destruct a; auto. rewrite MC; auto.
  Qed.
End Sound.
Lemma norm_by_ok e n : valid e -> ok e (norm_by n).
Proof. intros V. induction n; intros bs t B; simpl. apply patom_den. apply step_ok; auto. Qed.
Lemma norm_ok e bs t : valid e -> Forall isR bs -> denp e bs (norm t) = den e bs t.
Proof. intros V B. apply norm_by_ok; auto. Qed.
Lemma minus_0 (a b : C) : a + phi gm1 * b = G 0 0 -> a = b.
Proof. unfold phi, gm1; cbn [fst snd]. intros H. replace a with (a + G (-1#1) (0#1) * b + b) by ring. rewrite H; ring. Qed.
Lemma same_eq e bs t u : valid e -> Forall isR bs -> same t u = true -> den e bs t = den e bs u.
Proof.
  intros V B. unfold same. destruct (psub _ _) eqn:E; try discriminate. intros _.
  apply (f_equal (denp e bs)) in E. rewrite psub_den, !norm_ok in E by auto. apply minus_0; auto.
Qed.
