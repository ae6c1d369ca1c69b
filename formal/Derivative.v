(* Derivatives as they are written, and the fundamental theorem. *)
Require Export Erf.
Set Implicit Arguments.

Open Scope C_scope.

Fixpoint allsome (A B : Type) (f : A -> option B) (l : list A) : option (list B) := match l with
  | [] => Some [] | a :: l => match f a, allsome f l with Some b, Some m => Some (b :: m) | _, _ => None end end.
Fixpoint product_rows (before l ds : list tm) : list tm := match l, ds with
  | a :: l, d :: ds => let rest := product_rows (before ++ [a]) l ds in if eqb d tzero then rest else Mul (before ++ d :: l) :: rest
  | _, _ => [] end.
Fixpoint partial_rows (f : positive) (l : list tm) (k : nat) (ds : list tm) : list tm := match ds with
  | d :: ds => let rest := partial_rows f l (S k) ds in if eqb d tzero then rest else Mul [App (partial (length l) k f) DS l; d] :: rest
  | [] => [] end.
Definition slope_of (f : f1) (a : tm) : option (tm * dom) := match f with
  | Exp => Some (F1 Exp a, DC) | Cos => Some (minus1 (F1 Sin a), DC) | Sin => Some (F1 Cos a, DC)
  | Cosh => Some (F1 Sinh a, DC) | Sinh => Some (F1 Cosh a, DC) | Inv => Some (minus1 (Pow (F1 Inv a) 2), Dne)
  | Log => Some (F1 Inv a, Dgt)
  | Ci => Some (Mul [F1 Cos a; F1 Inv a], Dgt) | Si => Some (Mul [F1 Sin a; F1 Inv a], Dne) | Sqrt => Some (Mul [thalf; F1 Inv (F1 Sqrt a)], Dgt)
  | Erf => Some (Mul [Num (2#1) (0#1); F1 Inv (F1 Sqrt (F0 Pi)); F1 Exp (minus1 (Pow a 2))], DC) | _ => None end.
Section Slopes.
  Variable rec : list dom -> tm -> dom -> bool.
  Fixpoint slope (fuel : nat) (ctx : list dom) (n : nat) (t : tm) : option tm := match fuel with O => None | S fuel =>
    if negb (uses n t) then Some tzero else match t with
    | BV _ => Some tone
    | F2 Powc b y => if rec ctx b Dgt then match slope fuel ctx n (Mul [y; F1 Log b]) with Some d => Some (Mul [t; d]) | None => None end else None
    | Bind Sum lo hi u => if negb (uses n lo) &&& negb (uses n hi) then
        match slope fuel (from_on rec ctx lo :: ctx) (S n) u with Some d => Some (Bind Sum lo hi d) | None => None end else None
    | Bind Int lo hi u => if negb (uses n lo) &&& negb (uses n hi) then let c := along rec ctx Int lo hi :: ctx in
        match slope fuel c (S n) u with Some d => if all_of (fun v => cont_by rec c 0 v &&& cont_by rec c (S n) v) [u; d] then Some (Bind Int lo hi d) else None | None => None end else None
    | App f DS l => if Nat.ltb (length l) 10 &&& all_of (fun a => rec ctx a DR) l then
        match allsome (slope fuel ctx n) l with Some ds => Some (one_or Add (partial_rows f l 1 ds)) | None => None end else None
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
  Hypothesis V : valid e.
  Hypothesis SR : sound e rec.
  Lemma partial_rows_sum bs f l ds : (forall d, In d ds -> isR (den e bs d)) -> forall k, den e bs (one_or Add (partial_rows f l k ds)) =
    RtoC (steepness (fun k => fst (fv e (partial (length l) k f) DS (map (den e bs) l))) k (map (fun d => fst (den e bs d)) ds)).
  Proof.
    intros RD k. transitivity (csum (map (den e bs) (partial_rows f l k ds))). destruct (partial_rows f l k ds) as [|a [|]]; auto. cbn [one_or map csum fold_right]. ring.
    revert k. induction ds as [|d ds IH]; intros k; cbn [partial_rows map steepness]. rewrite <- G0; reflexivity.
    assert (RE : forall d, In d ds -> isR (den e bs d)) by (intros; apply RD; right; auto). specialize (IH RE (S k)). destruct (eqb d tzero) eqn:Z.
    - apply eqb_eq in Z. subst d. rewrite IH. f_equal. cbn [den tzero]. rewrite fG0. ring.
    - cbn [map csum fold_right]. change (fold_right Cplus (G 0 0)) with csum. rewrite IH, RtoC_plus, RtoC_mult. cbn [den map cprod fold_right]. rewrite Cmult_assoc, (Cmult_comm _ (G 1 0)), G1, Cmult_1_l. f_equal. f_equal.
      apply isR_iff. cbn [den]. destruct V as (_ & VF & _). exact (VF _ DS _). apply isR_iff, RD. left; auto.
  Qed.
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
    destruct t as [| |n|f ad l|l|l|b k| |f a|f b y|bi lo hi u| | |]; try discriminate.
    - injection H as <-. cbn [uses] in U. apply Nat.eqb_eq in U. subst n. apply s_near with (f := RtoC). 2: apply s_id. apply filter_forall. intros y. cbn [den]. rewrite app_nth2, Nat.sub_diag; auto.
    - destruct ad; try discriminate. destruct (Nat.ltb (length l) 10) eqn:N10; try discriminate. rewrite all_of_forallb in H. destruct (forallb (fun a => rec (cu ++ d :: cv) a DR) l) eqn:RL; try discriminate.
      destruct (allsome _ l) as [ds|] eqn:E; try discriminate. injection H as <-. apply ALL in E. set (fs := map (fun a y => den e (us ++ RtoC y :: vs) a) l).
      assert (LR : forall h, In h fs -> locally p (fun y => isR (h y))) by (intros h I; apply in_map_iff in I as (a & <- & I); exact (NEAR a DR (forallb_in _ _ _ RL I))).
      assert (F : Forall2 (fun h z => slope_at h p z) fs (map (den e bs) ds)) by (unfold fs; clear -E; induction E; simpl; constructor; auto).
      assert (RD : forall z, In z ds -> isR (den e bs z)).
      { clear -E LR. unfold fs in LR. clear fs. induction E; intros z []. subst. eapply s_real; [|exact H]. apply LR. left; auto. apply IHE; auto. intros; apply LR; right; auto. }
      rewrite (partial_rows_sum bs f l ds RD). assert (L10 : (length fs < 10)%nat) by (unfold fs; rewrite map_length; apply Nat.ltb_lt; auto).
      pose proof (@s_smooth e f fs (map (den e bs) ds) p V L10 LR F) as Q. unfold fs in Q at 2. rewrite map_length, map_map in Q. eapply s_near; [|eapply s_eq; [|exact Q]].
      + apply filter_forall. intros y. cbn [den]. unfold fs. rewrite map_map. reflexivity.
      + unfold fs. rewrite map_map. reflexivity.
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
      + eapply s_eq; [|exact (s_erf Q)]. cbn [map cprod fold_right den kf1 kf0]. rewrite minus1_den. cbn [den]. change (N.to_nat 2) with 2%nat. unfold gauss, bs. ring.
    - destruct f; try discriminate. destruct (rec (cu ++ d :: cv) b Dgt) eqn:RN; try discriminate. destruct (slope rec fuel _ _ _) eqn:E; try discriminate. injection H as <-.
      pose proof (IH _ _ _ _ _ _ _ _ L FU FV X E) as Q. cbn [den kf2].
      assert (Q' : slope_at (fun z => den e (us ++ RtoC z :: vs) y * klog (den e (us ++ RtoC z :: vs) b)) p (den e bs t)).
      { eapply s_near; [|exact Q]. apply filter_forall. intros z. cbn [den map cprod fold_right kf1]. ring. }
      eapply s_eq; [|exact (s_power (fun z => den e (us ++ RtoC z :: vs) b) _ (NEAR _ _ RN) Q')]. cbn [map cprod fold_right den kf2]. unfold bs. ring.
    - assert (U12 : uses (length us) lo = false /\ uses (length us) hi = false).
      { destruct bi; try discriminate; destruct (uses (length us) lo) eqn:U1; try discriminate; destruct (uses (length us) hi) eqn:U2; try discriminate; auto. }
      destruct U12 as [U1 U2]. rewrite U1, U2 in H. cbn [negb] in H.
      assert (E1 : forall y, den e (us ++ RtoC y :: vs) lo = den e bs lo) by (intros; eapply uses_stack; [exact U1|]; intros; apply nth_mid'; auto).
      assert (E2 : forall y, den e (us ++ RtoC y :: vs) hi = den e bs hi) by (intros; eapply uses_stack; [exact U2|]; intros; apply nth_mid'; auto).
      set (a := den e bs lo) in *. set (b := den e bs hi) in *. destruct bi; try discriminate.
      + destruct (slope rec fuel _ _ u) eqn:E; try discriminate. injection H as <-. cbn [den kbind]. fold a b.
      apply s_near with (f := fun y => if ends a b then nsum (ix a (fun i => den e (i :: us ++ RtoC y :: vs) u)) (len a b) else G 0 0).
      apply filter_forall. intros y. rewrite E1, E2. reflexivity. unfold ksum.
      destruct (ends a b) eqn:EE; [|apply s_const]. apply ends_R in EE as [RL RH]. unfold ix. apply (s_nsum (fun k y => den e (zc (ceil (fst a) + Z.of_nat k) :: us ++ RtoC y :: vs) u)). intros k K.
      apply (IH u (from_on rec (cu ++ d :: cv) lo :: cu) (zc (ceil (fst a) + Z.of_nat k) :: us) d cv vs p t); auto.
      constructor; auto. eapply from_on_in; [exact SR| |apply (@inrange_ix a b k RL RH K)]. apply fits_app; auto. split; auto. reflexivity.
      + cbv zeta in H. set (ctx := cu ++ d :: cv) in *. set (dt := along rec ctx Int lo hi) in *. destruct (slope rec fuel (dt :: ctx) _ u) as [w|] eqn:E; try discriminate.
        rewrite all_of_forallb in H. destruct (forallb _ [u; w]) eqn:CB; try discriminate. injection H as <-. cbn [den kbind]. fold a b.
        assert (FB : fits ctx bs) by (apply fits_app; auto; split; auto; reflexivity).
        assert (LT : line dt) by (unfold line, dt, along; destruct (if rec ctx lo Dgt then _ else false); auto).
        destruct (excluded_middle_informative (isR a /\ isR b)) as [[RA RB]|NR].
        2: { rewrite kint_unreal by auto. eapply s_near; [|apply (s_const (G 0 0))]. apply filter_forall. intros y. rewrite E1, E2, kint_unreal by auto. reflexivity. }
        assert (ID : forall t, (Rmin (fst a) (fst b) <= t <= Rmax (fst a) (fst b))%R -> inD dt (RtoC t)).
        { intros t T. unfold dt, along. destruct (rec ctx lo Dgt) eqn:R1; [destruct (rec ctx hi Dgt) eqn:R2|]; try reflexivity. exact (between_pos (SR FB R1) (SR FB R2) T). }
        assert (FY : forall y t, inD d (RtoC y) /\ isR (RtoC y) -> inD dt (RtoC t) /\ isR (RtoC t) -> fits (dt :: ctx) (RtoC t :: us ++ RtoC y :: vs)).
        { intros y t Y T. constructor; auto. apply fits_app; auto. }
        assert (SL : forall y t, inD d (RtoC y) -> inD dt (RtoC t) -> slope_at (fun y => den e (RtoC t :: us ++ RtoC y :: vs) u) y (den e (RtoC t :: us ++ RtoC y :: vs) w)).
        { intros y t Y T. apply (IH u (dt :: cu) (RtoC t :: us) d cv vs y w); auto. constructor; auto. split; auto. reflexivity. }
        assert (CT : forall v y t, In v [u; w] -> inD d (RtoC y) -> inD dt (RtoC t) -> cont_at (fun t => den e (RtoC t :: us ++ RtoC y :: vs) v) t).
        { intros v y t I Y T. pose proof (forallb_in _ _ _ CB I) as C. cbv beta in C. apply andb_prop in C as [C _].
          apply (@cont_by_ok e rec V SR R_UniformSpace v (dt :: ctx) [0%nat] (fun t => RtoC t :: us ++ RtoC y :: vs)).
          - intros [|n]; simpl. apply cont_id. reflexivity.
          - eapply filter_imp; [|exact (line_near t LT T)]. intros z Z. apply FY; auto. split; auto. reflexivity.
          - intros n [<-|[]]. exact C. }
        assert (CJ : forall v y t, In v [u; w] -> inD d (RtoC y) -> inD dt (RtoC t) -> cont_at (fun z : R * R => den e (RtoC (snd z) :: us ++ RtoC (fst z) :: vs) v) (y, t)).
        { intros v y t I Y T. pose proof (forallb_in _ _ _ CB I) as C. cbv beta in C. apply andb_prop in C as [C1 C2].
          apply (@cont_by_ok e rec V SR (prod_UniformSpace R_UniformSpace R_UniformSpace) v (dt :: ctx) [0%nat; S (length us)] (fun z => RtoC (snd z) :: us ++ RtoC (fst z) :: vs)).
          - intros [|n]. simpl. apply cont_real, continuous_snd. cbn [existsb Nat.eqb orb]. destruct (Nat.eqb_spec n (length us)) as [->|N]; cbn [orb nth].
            + apply cont_near with (f := fun z : R * R => RtoC (fst z)). apply filter_forall. intros z. rewrite app_nth2, Nat.sub_diag by auto. reflexivity. apply cont_real, continuous_fst.
            + intros z. apply nth_mid'; auto.
          - eapply filter_imp; [|apply (near_both (line_near y L Y) (line_near t LT T))]. intros z [Z1 Z2]. apply FY; auto.
          - intros n [<-|[<-|[]]]; auto. }
        assert (U0 : In u [u; w]) by (left; auto). assert (W0 : In w [u; w]) by (right; left; auto).
        assert (NP : locally p (fun y => inD d (RtoC y))) by (eapply filter_imp; [|exact (line_near p L X)]; intros y Y; apply Y).
        assert (FN : forall y v, In v [u; w] -> inD d (RtoC y) -> kint a b (fun x => den e (x :: us ++ RtoC y :: vs) v) = int_pair a b (fun x => den e (x :: us ++ RtoC y :: vs) v)).
        { intros y v I Y. apply kint_fine; auto. intros _ _ t T. apply (CT v y t I Y (ID t T)). }
        unfold bs. rewrite (FN p w W0 X). apply s_near with (f := fun y => int_pair a b (fun x => den e (x :: us ++ RtoC y :: vs) u)).
        eapply filter_imp; [|exact NP]. intros y Y. rewrite E1, E2, (FN y u U0 Y). reflexivity.
        apply (s_int (fun y t => den e (RtoC t :: us ++ RtoC y :: vs) u) (fun y t => den e (RtoC t :: us ++ RtoC y :: vs) w)).
        * eapply filter_imp; [|exact NP]. intros y Y t T. split; [apply SL | apply (CT u)]; auto.
        * intros t T. assert (NT : locally t (fun y => inD dt (RtoC y))) by (eapply filter_imp; [|exact (line_near t LT (ID t T))]; intros y Y; apply Y).
          eapply filter_imp; [|exact (near_both NP NT)]. intros z [Z1 Z2]. apply SL; auto.
        * intros t T. apply (CJ w p t); auto.
  Qed.
End SlopesSound.

Definition derived (d : dom) (t : tm) : option tm := slope (lies_by 60) 100 [d] 0 t.
Lemma derived_ok e d t g p : valid e -> line d -> inD d (RtoC p) -> derived d t = Some g -> slope_at (fun y => den e [RtoC y] t) p (den e [RtoC p] g).
Proof.
  intros V L P. unfold derived. generalize 100%nat. intros fuel H. pose proof (@lies_by_ok e 60 V) as SL. assert (FN : fits [] []) by constructor.
  revert SL H. generalize (lies_by 60). intros rec SL H. exact (@slope_ok e rec V SL fuel t [] [] d [] [] p g L FN FN P H).
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
