(* From each index to the whole range, and induction. *)
Require Export Rules.
Set Implicit Arguments.
Open Scope C_scope.

Lemma if_same (P Q : Prop) (a b c : C) : (P <-> Q) -> (P -> a = b) ->
  (if excluded_middle_informative P then a else c) = (if excluded_middle_informative Q then b else c).
Proof. intros E H. do 2 destruct excluded_middle_informative; auto; tauto. Qed.
(* An integral sees its body between its ends only. *)
Lemma kint_ext_between lo hi f g :
  (forall x, isR x -> kle lo x /\ kle x hi \/ kle hi x /\ kle x lo -> f x = g x) -> kint lo hi f = kint lo hi g.
Proof.
  intros E. unfold kint.
  assert (Y : isR lo -> isR hi -> forall x, (Rmin (fst lo) (fst hi) < x < Rmax (fst lo) (fst hi))%R -> f (RtoC x) = g (RtoC x)).
  { intros L H x Hx. apply E. reflexivity. revert Hx; unfold Rmin, Rmax; destruct Rle_dec; intros; [left|right]; repeat split; auto; simpl; lra. }
  apply if_same. split; intros (A & B & D & F); repeat split; auto; [eapply ex_RInt_ext; [|exact D] | eapply ex_RInt_ext; [|exact F] | eapply ex_RInt_ext; [|exact D] | eapply ex_RInt_ext; [|exact F]]; intros; cbv beta; rewrite Y; auto.
  intros (A & B & _). apply Ceq; cbn [fst snd]; apply RInt_ext; intros; rewrite Y; auto.
Qed.

Definition at_least (lo : tm) (x : letter) : formula := Formula [] lo Le (var x).
Definition at_most (x : letter) (hi : tm) : formula := Formula [] (var x) Le hi.
Definition outside (lo hi : tm) (x : letter) (hs : list formula) : list formula :=
  filter (fun h => negb (alike h (at_least lo x) || alike h (at_most x hi))) hs.
Definition r_over (monotone : bool) (b : binder) (th : thm) (x : letter) (lo hi : tm) (signs : list thm) : option thm :=
  let forward := known signs (sub hi lo) Dge in
  let rest := match b with Int => if forward then outside lo hi x (hyps th) else hyps th | _ => outside lo hi x (hyps th) end in
  given (closed 0 (lhs th) && closed 0 (rhs th) && closed 0 lo && closed 0 hi && negb (words lo) && negb (words hi)
    && negb (occurs x lo) && negb (occurs x hi) && free x rest && free x (gather signs)
    && match b with
       | Int => match snd x with DR => true | DRp => known signs lo Dgt && known signs hi Dgt | _ => false end
       | Lim => false
       | _ => match snd x with DZ => true | DN => known signs lo DN | DNp => known signs lo DNp | _ => false end end
    && match rl th, b with Eq_, _ => true | Le, Sum => true | Le, Int => forward && monotone | _, _ => false end)
  (Thm (union rest (gather signs)) (Bind b lo hi (bound x 0 (lhs th))) (rl th) (Bind b lo hi (bound x 0 (rhs th)))).

Section Over.
  Variables (e : env) (x : letter) (i : C).
  Hypothesis V : valid e.
  Lemma den_set t : occurs x t = false -> forall bs, den (set e x i) bs t = den e bs t.
  Proof.
    intros O bs. apply den_letters; auto. intros y Y. simpl. destruct (leqb x y) eqn:E; auto. apply leqb_eq in E; subst. congruence.
  Qed.
  Lemma set_supported hs : inD (snd x) i -> free x hs = true -> supported e hs -> supported (set e x i) hs.
  Proof.
    intros D F S. eapply supported_move; [exact V| | | | |exact S]; auto.
    intros y Y. simpl. destruct (leqb x y) eqn:E; auto. apply leqb_eq in E; subst. congruence.
  Qed.
  Lemma at_least_holds lo : words lo = false -> occurs x lo = false -> kle (den e [] lo) i -> holds (set e x i) (at_least lo x).
  Proof.
    intros W O L e' V' (A & B & D & F). unfold related, at_least. cbn [left right relation].
    replace (den e' [] lo) with (den e [] lo). replace (den e' [] (var x)) with i; auto.
    transitivity (lv e' x). rewrite <- F by reflexivity. simpl. rewrite leqb_refl; auto. destruct x; reflexivity.
    rewrite <- (den_set _ O). apply den_letters; auto. congruence.
  Qed.
  Lemma at_most_holds hi : words hi = false -> occurs x hi = false -> kle i (den e [] hi) -> holds (set e x i) (at_most x hi).
  Proof.
    intros W O L e' V' (A & B & D & F). unfold related, at_most. cbn [left right relation].
    replace (den e' [] hi) with (den e [] hi). replace (den e' [] (var x)) with i; auto.
    transitivity (lv e' x). rewrite <- F by reflexivity. simpl. rewrite leqb_refl; auto. destruct x; reflexivity.
    rewrite <- (den_set _ O). apply den_letters; auto. congruence.
  Qed.
  Lemma outside_supported lo hi hs : words lo = false -> words hi = false -> occurs x lo = false -> occurs x hi = false ->
    kle (den e [] lo) i -> kle i (den e [] hi) -> supported (set e x i) (outside lo hi x hs) -> supported (set e x i) hs.
  Proof.
    intros W1 W2 O1 O2 L H S h I. destruct (alike h (at_least lo x)) eqn:E1.
    apply andb_prop in E1 as [_ E1]. apply covers_holds with (h := at_least lo x); auto. apply at_least_holds; auto.
    destruct (alike h (at_most x hi)) eqn:E2.
    apply andb_prop in E2 as [_ E2]. apply covers_holds with (h := at_most x hi); auto. apply at_most_holds; auto.
    apply S. unfold outside. apply filter_In. split; auto. rewrite E1, E2. reflexivity.
  Qed.
End Over.
(* That an integral of continuous functions is monotone is a premise here; Calculus.v proves it. *)
Definition monotone_ok (monotone : bool) (th : thm) (x : letter) : Prop := monotone = true -> forall e, valid e -> forall lo hi,
  kle lo hi -> inD (snd x) lo -> inD (snd x) hi ->
  (forall i, isR i -> kle lo i -> kle i hi -> kle (den (set e x i) [] (lhs th)) (den (set e x i) [] (rhs th))) ->
  kle (kint lo hi (fun i => den (set e x i) [] (lhs th))) (kint lo hi (fun i => den (set e x i) [] (rhs th))).
Lemma r_over_ok monotone b t x lo hi signs th : monotone_ok monotone t x -> r_over monotone b t x lo hi signs = Some th ->
  truth t -> Forall truth signs -> truth th.
Proof.
  intros MO. unfold r_over. cbv zeta. set (forward := known signs (sub hi lo) Dge). intros H T TS. rule H. conds H.
  intros e V S. cbn [hyps] in S. apply union_supported in S as [S1 S2].
  assert (SS : forall u, In u signs -> said e u).
  { intros u I. rewrite Forall_forall in TS. apply (TS u I e V). exact (gather_supported signs S2 u I). }
  apply negb_true_iff in A3, A4, A5, A6.
  unfold said. cbn [lhs rl rhs den].
  assert (BL : forall i, den e [i] (bound x 0 (lhs t)) = den (set e x i) [] (lhs t)) by (intros; apply den_bound0; auto).
  assert (BR : forall i, den e [i] (bound x 0 (rhs t)) = den (set e x i) [] (rhs t)) by (intros; apply den_bound0; auto).
  assert (CL : (fun i => den e [i] (bound x 0 (lhs t))) = (fun i => den (set e x i) [] (lhs t))) by (apply functional_extensionality; auto).
  assert (CR : (fun i => den e [i] (bound x 0 (rhs t))) = (fun i => den (set e x i) [] (rhs t))) by (apply functional_extensionality; auto).
  rewrite CL, CR. clear BL BR CL CR.
  set (rest := match b with Int => if forward then _ else _ | _ => _ end) in *.
  assert (KL : forall d, known signs lo d = true -> inD d (den e [] lo)) by (intros d K; apply (@known_ok e signs); auto).
  assert (KH : forall d, known signs hi d = true -> inD d (den e [] hi)) by (intros d K; apply (@known_ok e signs); auto).
  assert (IN : forall i, inD (snd x) i -> kle (den e [] lo) i -> kle i (den e [] hi) -> rest = outside lo hi x (hyps t) ->
    related (rl t) (den (set e x i) [] (lhs t)) (den (set e x i) [] (rhs t))).
  { intros i D L U R. apply (T (set e x i)). apply valid_set; auto. eapply outside_supported; [exact A6|exact A5|exact A4|exact A3|exact L|exact U|].
    rewrite <- R. apply set_supported; auto. }
  assert (INT : b = Int -> forall i, inD (snd x) i -> kle (den e [] lo) i /\ kle i (den e [] hi) \/ kle (den e [] hi) i /\ kle i (den e [] lo) ->
    related (rl t) (den (set e x i) [] (lhs t)) (den (set e x i) [] (rhs t))).
  { intros -> i D LU. unfold rest in *. destruct forward eqn:FW.
    - unfold forward in FW. apply (@known_ok e signs _ Dge) in FW; auto. cbn [inD] in FW. rewrite sub_den in FW.
      apply between_of in LU as []; auto.
    - apply (T (set e x i)). apply valid_set; auto. apply set_supported; auto. }
  assert (SUM : b <> Int -> b <> Lim -> forall i, inrange (den e [] lo) (den e [] hi) i -> related (rl t) (den (set e x i) [] (lhs t)) (den (set e x i) [] (rhs t))).
  { intros N1 N2 i (Z & L & U). apply IN; auto. 2: destruct b; try contradiction; reflexivity.
    assert (X : match snd x with DZ => true | DN => known signs lo DN | DNp => known signs lo DNp | _ => false end = true) by (destruct b; auto; contradiction).
    destruct (snd x); try discriminate; simpl; auto. eapply isN_above; eauto. apply (KL _ X). eapply isNp_above; eauto. apply (KL _ X). }
  assert (XI : b = Int -> forall i, isR i -> kle (den e [] lo) i /\ kle i (den e [] hi) \/ kle (den e [] hi) i /\ kle i (den e [] lo) -> inD (snd x) i).
  { intros -> i Ri LU. destruct (snd x); try discriminate; auto. simpl. apply andb_prop in A0 as [K1 K2]. apply KL in K1. apply KH in K2.
    destruct K1 as [_ K1], K2 as [_ K2]. split; auto. destruct LU as [[(_ & _ & Q) _]|[(_ & _ & Q) _]]; lra. }
  destruct (rl t) eqn:RL; try discriminate.
  - destruct b; try discriminate; simpl in *.
    + apply ksum_ext. intros i I. apply SUM; auto; discriminate.
    + apply kprod_ext. intros i I. apply SUM; auto; discriminate.
    + apply kint_ext_between. intros i Ri LU. apply INT; auto.
    + apply kmax_ext. intros i I. apply SUM; auto; discriminate.
  - destruct b; try discriminate; simpl.
    + apply ksum_le. intros i I. apply SUM; auto; discriminate.
    + apply andb_prop in A as [FW MN]. unfold forward in FW. pose proof FW as FW'. apply (@known_ok e signs _ Dge) in FW; auto. cbn [inD] in FW. rewrite sub_den in FW.
      specialize (MO MN e V (den e [] lo) (den e [] hi)).
      destruct (excluded_middle_informative (isR (den e [] lo) /\ isR (den e [] hi))) as [[RLo RHi]|NR].
      * assert (LH : kle (den e [] lo) (den e [] hi)) by (destruct FW as [_ FW]; rewrite fst_sub in FW; repeat split; auto; lra).
        apply MO; auto. apply XI; auto. left; split; auto; apply kle_refl; auto. apply XI; auto. left; split; auto; apply kle_refl; auto.
        intros i Ri L U. apply (INT eq_refl); auto.
      * assert (Z : forall f, kint (den e [] lo) (den e [] hi) f = G 0 0). { intros f. unfold kint. destruct excluded_middle_informative as [(? & ? & _)|]; auto. elim NR; auto. }
        rewrite !Z. apply kle_refl, Q0.
Qed.

(* Induction. *)
Definition same_formula (l : tm) (r : rel) (t : tm) (h : formula) : bool := neqb (relation h) r && eqb (left h) l && eqb (right h) t.
Definition used_by (n : letter) (l : tm) (r : rel) (t : tm) (h : formula) : bool := same_formula l r t h && negb (mem n (all h)).
Definition tp1 (n : letter) : tm := Add [var n; Num (1#1) (0#1)].
Definition tm1 (n : letter) : tm := Add [var n; Num (-1#1) (0#1)].
Definition said_at (n : letter) (v : tm) (l : tm) (r : rel) (t : tm) (th : thm) : bool :=
  eqb (lhs th) (put [(var n, v)] l) && neqb (rl th) r && eqb (rhs th) (put [(var n, v)] t).
Definition first_of (d : dom) (f : tm) : bool := match d with
  | DN => eqb f tzero | DNp => eqb f tone | DZ => true | _ => false end.
Definition letters_used (n : letter) (l : tm) (r : rel) (t : tm) (steps : list thm) : list letter :=
  n :: flat_map (fun th => flat_map (fun h => if used_by n l r t h then all h else []) (hyps th)) steps.
Definition unused (n : letter) (l : tm) (r : rel) (t : tm) (th : thm) : list formula := filter (fun h => negb (used_by n l r t h)) (hyps th).
Definition r_induct (n : letter) (l : tm) (r : rel) (t : tm) (base : thm) (steps : list thm) (first : tm) : option thm :=
  let supposed := union (hyps base) (fold_right (fun th hs => union (unused n l r t th) hs) [] steps) in
  given (first_of (snd n) first && match first with Num _ _ => lies first (snd n) | _ => false end
    && said_at n first l r t base
    && match steps with
       | [up] => negb (dom_eqb (snd n) DZ) && said_at n (tp1 n) l r t up
       | [up; down] => dom_eqb (snd n) DZ && said_at n (tp1 n) l r t up && said_at n (tm1 n) l r t down
       | _ => false end
    && forallb (fun x => free x supposed) (letters_used n l r t steps))
  (Thm supposed l r t).
Lemma fold_supported e n l r t steps : supported e (fold_right (fun th hs => union (unused n l r t th) hs) [] steps) ->
  forall th, In th steps -> supported e (unused n l r t th).
Proof.
  induction steps as [|u steps IH]; simpl; intros S th I. destruct I. apply union_supported in S as [A B]. destruct I as [<-|I]; auto.
Qed.
Lemma den_put1 e e' n v : fv e = fv e' -> size e = size e' -> mv e = mv e' -> wt e = wt e' -> unmatrix v = true ->
  (forall bs, den e bs v = lv e' n) -> (forall x, x <> n -> lv e x = lv e' x) -> forall u, den e [] (put [(var n, v)] u) = den e' [] u.
Proof.
  intros. refine (proj1 (@den_put e e' _ u _ _ _ _ _ _ [])); auto.
  - intros k w [[= <- <-]|[]]. split; [|split]; auto. intros bs. rewrite H4. destruct n; reflexivity.
  - intros x F. apply H5. intros ->. simpl in F. unfold eqb in F. assert (cmp (var n) (var n) = Eq) as E. { unfold var; simpl. rewrite Pos.compare_refl, N.compare_refl. reflexivity. } rewrite E in F. discriminate.
Qed.
Lemma r_induct_ok n l r t base steps first th : r_induct n l r t base steps first = Some th -> truth base -> Forall truth steps -> truth th.
Proof.
  unfold r_induct. cbv zeta. intros H TB TS. rule H. conds H. rename A into FR, A0 into ST, A1 into BS, A2 into FD, H into FO.
  intros e V S. unfold said. cbn [hyps lhs rl rhs] in *. set (supposed := union _ _) in *. set (U := letters_used n l r t steps) in *.
  pose proof (union_supported _ _ S) as [SB SS]. rewrite forallb_forall in FR.
  (* other values of the letters that the step may suppose for all values *)
  set (near := fun e' => valid e' /\ fv e = fv e' /\ size e = size e' /\ mv e = mv e' /\ forall x, ~ In x U -> lv e x = lv e' x).
  assert (MOVE : forall e', near e' -> supported e' supposed).
  { intros e' (V' & A & B & D & L). eapply supported_move; [exact V| | | | |exact S]; auto. intros x F. apply L. intros I. rewrite (FR _ I) in F. discriminate. }
  set (P := fun c => forall e', near e' -> lv e' n = c -> related r (den e' [] l) (den e' [] t)).
  assert (NU : In n U) by (left; auto).
  assert (NEAR : forall e' c, near e' -> inD (snd n) c -> near (set e' n c)).
  { intros e' c (V' & A & B & D & L) I. split; [apply valid_set; auto|]. repeat split; auto. intros x X. simpl. destruct (leqb n x) eqn:E; auto. apply leqb_eq in E; subst. contradiction. }
  assert (SET : forall e' c x, lv (set e' n c) x = if leqb n x then c else lv e' x) by reflexivity.
  assert (NE : forall e' c x, x <> n -> lv (set e' n c) x = lv e' x).
  { intros. rewrite SET. destruct (leqb n x) eqn:E; auto. apply leqb_eq in E; subst; contradiction. }
  assert (SELF : forall e' c, lv (set e' n c) n = c) by (intros; rewrite SET, leqb_refl; auto).
  assert (BASE : P (den e [] first)).
  { intros e' N' En. unfold said_at in BS. conds BS. apply eqb_eq in BS, A. apply neqb_eq in A0.
    assert (Q : said e' base). { apply TB. apply N'. exact (proj1 (union_supported _ _ (MOVE e' N'))). }
    unfold said in Q. rewrite BS, A, A0 in Q. rewrite !(@den_put1 e' e' n first) in Q; auto; intros; destruct first; try discriminate; auto. }
  assert (STEP : forall u v c d, In u steps -> said_at n v l r t u = true -> unmatrix v = true -> inD (snd n) c ->
    (forall e' bs, lv e' n = c -> den e' bs v = d) -> P c -> P d).
  { intros u v c d I BU UV IC VD IH e' N' En. unfold said_at in BU. conds BU. apply eqb_eq in BU, A. apply neqb_eq in A0.
    set (e1 := set e' n c). assert (N1 : near e1) by (apply NEAR; auto).
    assert (Q : said e1 u).
    { rewrite Forall_forall in TS. apply (TS u I). apply N1. intros h J. destruct (used_by n l r t h) eqn:UB.
      - pose proof UB as UB0. unfold used_by, same_formula in UB. conds UB. apply neqb_eq in UB. apply eqb_eq in A2, A3. apply negb_true_iff in A1.
        intros e2 V2 (F2 & S2 & M2 & L2). rewrite UB, A2, A3. apply IH.
        + destruct N1 as (_ & X1 & X2 & X3 & X4). split; auto. repeat split; try congruence. intros x X. rewrite X4 by auto. apply L2.
          destruct (mem x (all h)) eqn:M; auto. elim X. apply mem_in in M. right. apply in_flat_map. exists u. split; auto. apply in_flat_map. exists h. split; auto.
          rewrite UB0; auto.
        + rewrite <- L2 by auto. apply SELF.
      - assert (SU : supported e1 (unused n l r t u)). { apply (@fold_supported e1 n l r t steps); auto. exact (proj2 (union_supported _ _ (MOVE e1 N1))). }
        apply SU. unfold unused. apply filter_In. rewrite UB. auto. }
    unfold said in Q. rewrite BU, A, A0 in Q. rewrite !(@den_put1 e1 e' n v) in Q; auto;
    try (intros bs; rewrite En; apply VD; apply SELF); intros x X; unfold e1; apply NE; auto. }
  assert (UP : forall u, In u steps -> said_at n (tp1 n) l r t u = true -> forall c, inD (snd n) c -> P c -> P (c + G (1#1) (0#1))).
  { intros u I BU c IC. apply (STEP u (tp1 n)); auto. intros e' bs E. unfold tp1, var. cbn [den map csum fold_right]. rewrite <- surjective_pairing, E. ring. }
  assert (DOWN : forall u, In u steps -> said_at n (tm1 n) l r t u = true -> forall c, inD (snd n) c -> P c -> P (c + G (-1#1) (0#1))).
  { intros u I BU c IC. apply (STEP u (tm1 n)); auto. intros e' bs E. unfold tm1, var. cbn [den map csum fold_right]. rewrite <- surjective_pairing, E. ring. }
  assert (ALL : P (lv e n)).
  { assert (Dn : inD (snd n) (lv e n)) by apply V.
    destruct steps as [|up [|down [|]]]; try discriminate.
    - apply andb_prop in ST as [ND ST]. specialize (UP up (or_introl eq_refl) ST).
      unfold first_of in FO. destruct (snd n); try discriminate; apply eqb_eq in FO; subst first; cbn [inD] in *.
      + apply ind_N; auto.
      + apply ind_Np; auto.
    - apply andb_prop in ST as [ST S2]. apply andb_prop in ST as [SD S1]. apply dom_eqb_eq in SD.
      specialize (UP up (or_introl eq_refl) S1). specialize (DOWN down (or_intror (or_introl eq_refl)) S2). rewrite SD in *.
      apply (ind_Z P (den e [] first)); auto. destruct first; try discriminate. apply (lies_ok (Num a b) DZ V FD). }
  apply ALL; auto. split; [exact V | repeat split; auto].
Qed.
