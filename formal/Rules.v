(* The rules of logic and of ordered fields, as functions; each is sound: true premises, a true conclusion. *)
Require Export Lies.
Set Implicit Arguments.
Open Scope C_scope.

(* Hypotheses. *)
Definition within (u v : list letter) : bool := forallb (fun x => mem x v) u.
(* h, as it stands or for more letters, says g. *)
Definition covers (h g : formula) : bool :=
  within (all g) (all h) && neqb (relation h) (relation g) && eqb (left h) (left g) && eqb (right h) (right g).
Definition alike (h g : formula) : bool := covers h g && covers g h.
Fixpoint union (hs gs : list formula) : list formula := match hs with
  | [] => gs | h :: hs => if existsb (fun g => alike g h) gs then union hs gs else h :: union hs gs end.
Definition gather (ths : list thm) : list formula := fold_right (fun th hs => union (hyps th) hs) [] ths.
Definition supported (e : env) (hs : list formula) : Prop := forall h, In h hs -> holds e h.
(* The letters that are constants in a hypothesis: no rule may let them vary. *)
Definition fixed (x : letter) (h : formula) : bool := negb (mem x (all h)) && (occurs x (left h) || occurs x (right h)).
Definition free (x : letter) (hs : list formula) : bool := forallb (fun h => negb (fixed x h)) hs.

Lemma mem_in x l : mem x l = true <-> In x l.
Proof.
  unfold mem. rewrite existsb_exists. split. intros (y & I & E). apply leqb_eq in E; subst; auto.
  intros I. exists x. split; auto. apply leqb_refl.
Qed.
Lemma agree_within u v e e' : within u v = true -> agree u e e' -> agree v e e'.
Proof.
  intros W (A & B & D & L). repeat split; auto. intros x M. apply L. destruct (mem x u) eqn:E; auto.
  apply mem_in in E. unfold within in W. rewrite forallb_forall in W. rewrite (W _ E) in M. discriminate.
Qed.
Lemma covers_holds e h g : covers h g = true -> holds e h -> holds e g.
Proof.
  unfold covers. intros H. apply andb_prop in H as [H A]. apply andb_prop in H as [H B]. apply andb_prop in H as [D R].
  apply eqb_eq in A, B. apply neqb_eq in R. intros Q e' V G. rewrite <- A, <- B, <- R. apply Q; auto. eapply agree_within; eauto.
Qed.
Lemma union_supported e hs gs : supported e (union hs gs) -> supported e hs /\ supported e gs.
Proof.
  induction hs as [|h hs IH]; simpl. split; auto. intros ? [].
  destruct (existsb (fun g => alike g h) gs) eqn:E; intros S.
  - destruct (IH S) as [A B]. split; auto. intros g [<-|I]; auto. apply existsb_exists in E as (g & I & E).
    apply andb_prop in E as [E _]. eapply covers_holds; eauto.
  - destruct IH as [A B]. intros g I; apply S; right; auto. split; auto. intros g [<-|I]; auto. apply S; left; auto.
Qed.
Lemma gather_supported e ths : supported e (gather ths) -> forall th, In th ths -> supported e (hyps th).
Proof.
  induction ths as [|th ths IH]; simpl; intros S t I. destruct I. apply union_supported in S as [A B]. destruct I as [<-|I]; auto.
Qed.
(* A hypothesis holds for other values of what is no constant of it, and for other linear functions. *)
Definition mixed (u : list letter) (e e' : env) : env :=
  Env (fun y => if mem y u then lv e' y else lv e y) (fv e') (size e') (mv e') (wt e').
Lemma holds_move e e' h : valid e -> fv e = fv e' -> size e = size e' -> mv e = mv e' ->
  (forall x, fixed x h = true -> lv e x = lv e' x) -> holds e h -> holds e' h.
Proof.
  intros Ve EF ES EM L H e2 V2 (F2 & S2 & M2 & L2). set (e3 := mixed (all h) e e2).
  assert (V3 : valid e3). { destruct Ve as [A _], V2 as [A2 B2]. split. intros y. unfold e3; simpl. destruct (mem y (all h)); auto. exact B2. }
  assert (D : forall t, (forall x, occurs x t = true -> occurs x (left h) || occurs x (right h) = true) -> den e3 [] t = den e2 [] t).
  { intros t T. apply den_letters; auto. intros x X. unfold e3; simpl. destruct (mem x (all h)) eqn:M; auto.
    rewrite <- L2 by auto. apply L. unfold fixed. rewrite M, (T _ X). reflexivity. }
  specialize (H e3 V3). rewrite !D in H. apply H. unfold e3; repeat split; simpl; try congruence. intros x M. rewrite M; auto.
  intros x X; rewrite X; apply orb_true_r. intros x X; rewrite X; auto.
Qed.
Lemma supported_move e e' hs : valid e -> fv e = fv e' -> size e = size e' -> mv e = mv e' ->
  (forall x, free x hs = false -> lv e x = lv e' x) -> supported e hs -> supported e' hs.
Proof.
  intros V A B D L S h I. eapply holds_move; eauto. intros x F. apply L. unfold free. destruct (forallb _ hs) eqn:E; auto.
  rewrite forallb_forall in E. specialize (E _ I). rewrite F in E. discriminate.
Qed.

(* What theorems given to a step say of a term, beside what is known of it. *)
Definition zero_dom (r : rel) (d : dom) : bool := match r, d with
  | Le, DR | Le, Dge | Lt_, DR | Lt_, Dge | Lt_, Dgt | Lt_, DRp | Lt_, Dne => true | _, _ => false end.
Definition says (th : thm) (t : tm) (d : dom) : bool := match rl th with
  | Eq_ => lies (rhs th) d &&& same (lhs th) t
  | Ne => dom_eqb d Dne &&& same (rhs th) tzero &&& same (lhs th) t
  | r => zero_dom r d &&& same (lhs th) tzero &&& same (rhs th) t end.
Definition known (signs : list thm) (t : tm) (d : dom) : bool := lies t d ||| existsb (fun th => says th t d) signs.
Lemma same_nil e t u : valid e -> same t u = true -> den e [] t = den e [] u.
Proof. intros V H. apply same_eq; auto. Qed.
Lemma known_ok e signs t d : valid e -> (forall th, In th signs -> said e th) -> known signs t d = true -> inD d (den e [] t).
Proof.
  intros V S H. apply orb_prop in H as [H|H]. apply lies_ok; auto. apply existsb_exists in H as (th & I & H). apply S in I.
  unfold says, said in *. assert (Z : den e [] tzero = G 0 0) by reflexivity. destruct (rl th); simpl in I.
  - apply andb_prop in H as [H1 H2]. apply same_nil with (e := e) in H2; auto. rewrite <- H2, I. apply lies_ok; auto.
  - apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2]. apply same_nil with (e := e) in H2, H3; auto. rewrite H2, H3, Z in I.
    destruct I as (A & B & D). rewrite G0 in D. simpl in D. destruct d; try discriminate; simpl; auto. split; auto.
  - apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2]. apply same_nil with (e := e) in H2, H3; auto. rewrite H2, H3, Z in I.
    destruct I as (A & B & D). rewrite G0 in D. simpl in D. assert (P : gt0 (den e [] t)) by (split; auto).
    destruct d; try discriminate; simpl; auto. apply gt_ge; auto. apply gt_ne; auto.
  - apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2]. apply same_nil with (e := e) in H2, H3; auto. rewrite H2, H3, Z in I.
    apply dom_eqb_eq in H1. subst. exact I.
Qed.

(* A rule's conclusion rests on what its premises rest on. *)
Definition by_premises (ths : list thm) (l : tm) (r : rel) (t : tm) : thm := Thm (gather ths) l r t.
Lemma by_premises_true ths l r t : Forall truth ths ->
  (forall e, valid e -> (forall th, In th ths -> said e th) -> related r (den e [] l) (den e [] t)) -> truth (by_premises ths l r t).
Proof.
  intros T H e V S. apply H; auto. intros th I. rewrite Forall_forall in T. apply (T th I e V). exact (gather_supported ths S th I).
Qed.
Definition given (c : bool) (th : thm) : option thm := if c then Some th else None.
Lemma given_some c th r : given c th = Some r -> c = true /\ th = r.
Proof. destruct c; simpl; try discriminate. intros [= ->]; auto. Qed.
Ltac rule H := apply given_some in H as [H <-].
Ltac conds H := repeat match type of H with (_ && _)%bool = true => let A := fresh "A" in apply andb_prop in H as [H A] end.

Definition r_ring (l r : tm) : option thm := given (same l r) (Thm [] l Eq_ r).
Lemma r_ring_ok l r th : r_ring l r = Some th -> truth th.
Proof. intros H. rule H. intros e V _. apply same_nil; auto. Qed.

Definition r_assume (u : list letter) (l : tm) (r : rel) (t : tm) : option thm := Some (Thm [Formula u l r t] l r t).
Lemma r_assume_ok u l r t th : r_assume u l r t = Some th -> truth th.
Proof. intros [= <-] e V S. apply (S _ (or_introl eq_refl)); auto. repeat split; auto. Qed.

Definition is_eq (r : rel) : bool := neqb r Eq_.
Definition usable (k v : tm) : bool := closed 0 k && closed 0 v && unmatrix k && unmatrix v.
Definition pairs (values : list (letter * tm)) : list (tm * tm) := map (fun xv => (var (fst xv), snd xv)) values.
Definition r_instantiate (th : thm) (values : list (letter * tm)) (signs : list thm) : option thm :=
  let s := pairs values in
  given (forallb (fun xv => free (fst xv) (hyps th) && known signs (snd xv) (snd (fst xv)) && closed 0 (snd xv) && unmatrix (snd xv)
      && match find s (var (fst xv)) with Some w => eqb w (snd xv) | None => false end) values)
    (by_premises (th :: signs) (put s (lhs th)) (rl th) (put s (rhs th))).
Definition moved (e : env) (s : list (tm * tm)) : env :=
  Env (fun y => match find s (var y) with Some v => den e [] v | None => lv e y end) (fv e) (size e) (mv e) (wt e).
Lemma r_instantiate_ok t values signs th : r_instantiate t values signs = Some th -> Forall truth (t :: signs) -> truth th.
Proof.
  unfold r_instantiate. cbv zeta. set (s := pairs values). intros H T. rule H.
  rewrite forallb_forall in H. inversion T as [|? ? T1 T2]; subst.
  intros e V S. unfold said, by_premises. cbn [lhs rl rhs hyps] in *.
  assert (S1 : supported e (hyps t)) by exact (gather_supported (t :: signs) S t (or_introl eq_refl)).
  assert (S2 : forall u, In u signs -> said e u).
  { intros u I. rewrite Forall_forall in T2. apply (T2 u I e V). exact (gather_supported (t :: signs) S u (or_intror I)). }
  set (e' := moved e s).
  assert (IN : forall k v, In (k, v) s -> exists x, k = var x /\ In (x, v) values).
  { intros k v I. unfold s, pairs in I. apply in_map_iff in I as ([x w] & E & I). simpl in E. injection E as <- <-. eauto. }
  assert (V' : valid e').
  { destruct V as [VL VF]. split; [|exact VF]. intros y. unfold e'; simpl. destruct (find s (var y)) as [v|] eqn:F; [|apply VL].
    apply find_in, IN in F as (x & E & I). assert (x = y) by (destruct x, y; unfold var in E; simpl in E; congruence). subst x.
    apply H in I. conds I. cbn [fst snd] in *. apply (@known_ok e signs); auto. split; auto. }
  assert (P : forall u, den e [] (put s u) = den e' [] u).
  { intros u. refine (proj1 (@den_put e e' s u _ _ _ _ _ _ [])); auto.
    - intros k v I. destruct (IN _ _ I) as (x & -> & J). apply H in J. conds J. cbn [fst snd] in *. split; [|split]; auto.
      intros bs. rewrite den_closed by auto. unfold e'; cbn [den var fst snd]. change (Var (fst x) (snd x)) with (var x). simpl.
      rewrite <- surjective_pairing. destruct (find s (var x)) as [w|]; try discriminate. apply eqb_eq in A. subst; auto.
    - intros x F. unfold e'; simpl. rewrite F; auto. }
  rewrite !P. apply (T1 e' V'). eapply supported_move; [exact V| | | | |exact S1]; auto.
  intros x F. unfold e'; simpl. destruct (find s (var x)) as [v|] eqn:E; auto.
  apply find_in, IN in E as (y & E & I). assert (x = y) by (destruct x, y; unfold var in E; simpl in E; congruence). subst y.
  apply H in I. conds I. cbn [fst snd] in *. rewrite I in F. discriminate.
Qed.

Fixpoint rewritten (eqs : list thm) (t : tm) : option tm := match eqs with
  | [] => Some t
  | th :: eqs => if is_eq (rl th) && usable (lhs th) (rhs th) then rewritten eqs (put [(lhs th, rhs th)] t) else None end.
Definition r_rewrite (th : thm) (eqs : list thm) (r : tm) : option thm := match rewritten eqs (rhs th) with
  | Some t => given (same t r) (by_premises (th :: eqs) (lhs th) (rl th) r) | None => None end.
Lemma rewritten_ok e eqs : (forall th, In th eqs -> said e th) -> forall t u, rewritten eqs t = Some u -> den e [] t = den e [] u.
Proof.
  induction eqs as [|th eqs IH]; simpl; intros S t u. intros [= ->]; auto.
  destruct (is_eq (rl th) && usable (lhs th) (rhs th)) eqn:E; try discriminate. apply andb_prop in E as [E U]. apply neqb_eq in E.
  intros R. apply IH in R; auto. rewrite <- R. symmetry. unfold usable in U. conds U.
  refine (proj1 (@den_put e e _ t _ _ _ _ _ _ [])); auto. intros k v [[= <- <-]|[]]. split; [|split]; auto. intros bs. rewrite (@den_closed e bs (lhs th)), (@den_closed e bs (rhs th)) by auto.
  symmetry. specialize (S th (or_introl eq_refl)). unfold said in S. rewrite E in S. exact S.
Qed.
Lemma r_rewrite_ok t eqs r th : r_rewrite t eqs r = Some th -> Forall truth (t :: eqs) -> truth th.
Proof.
  unfold r_rewrite. destruct (rewritten eqs (rhs t)) as [u|] eqn:R; try discriminate. intros H T. rule H.
  apply by_premises_true; auto. intros e V S. apply rewritten_ok with (e := e) in R; auto. apply same_nil with (e := e) in H; auto.
  rewrite <- H, <- R. apply (S t). left; auto. intros; apply S; right; auto.
Qed.

Definition relation_of (parts : list (tm * thm)) (f : tm -> thm -> bool) : bool := forallb (fun p => f (fst p) (snd p)) parts.
Definition vanishes (t : tm) : bool := match norm t with [] => true | _ => false end.
Lemma vanishes_ok e t : valid e -> vanishes t = true -> den e [] t = G 0 0.
Proof. intros V. unfold vanishes. destruct (norm t) eqn:E; try discriminate. intros _. rewrite <- (@norm_ok e [] t V), E; auto. Qed.
Definition r_combine (l r : tm) (unit : list tm) (parts : list (tm * thm)) (signs : list thm) : option thm :=
  given (forallb (fun u => known signs u Dne) unit && forallb (fun p => is_eq (rl (snd p))) parts
    && vanishes (Add (Mul (unit ++ [sub l r]) :: map (fun p => Mul [fst p; sub (rhs (snd p)) (lhs (snd p))]) parts)))
  (by_premises (map snd parts ++ signs) l Eq_ r).
Lemma cprod_ne l : (forall z, In z l -> ne0 z) -> ne0 (cprod l).
Proof. induction l; simpl; intros H. apply G10. apply mul_ne0; auto. Qed.
Lemma den_mul2 e a b : den e [] (Mul [a; b]) = den e [] a * den e [] b.
Proof. cbn [den map cprod fold_right]. ring. Qed.
Lemma sub_zero (a b : C) : a + G (-1#1) (0#1) * b = G 0 0 -> a = b.
Proof. apply minus_0. Qed.
Lemma r_combine_ok l r unit parts signs th : r_combine l r unit parts signs = Some th -> Forall truth (map snd parts ++ signs) -> truth th.
Proof.
  intros H T. rule H. conds H. apply by_premises_true; auto. intros e V S. apply vanishes_ok with (e := e) in A; auto.
  rewrite forallb_forall in H, A0.
  assert (P : csum (map (den e []) (map (fun p => Mul [fst p; sub (rhs (snd p)) (lhs (snd p))]) parts)) = G 0 0).
  { assert (Q : forall p, In p parts -> said e (snd p)). { intros p I. apply S, in_or_app. left. apply in_map; auto. }
    clear -Q A0. induction parts as [|[c t] parts IH]; auto. cbn [map csum fold_right fst snd].
    assert (den e [] (Mul [c; sub (rhs t) (lhs t)]) = G 0 0) as ->.
    { rewrite den_mul2, sub_den. specialize (Q (c, t) (or_introl eq_refl)). specialize (A0 (c, t) (or_introl eq_refl)). apply neqb_eq in A0.
      unfold said in Q. cbn [snd] in *. rewrite A0 in Q. simpl in Q. rewrite Q. ring. }
    change (fold_right Cplus (G 0 0)) with csum. rewrite IH. ring. intros; apply A0; right; auto. intros; apply Q; right; auto. }
  cbn [den map csum fold_right] in A. change (fold_right Cplus (G 0 0)) with csum in A. rewrite P, map_app, cprod_app in A.
  cbn [map cprod fold_right] in A. rewrite sub_den in A. simpl. apply sub_zero.
  set (u := cprod (map (den e []) unit)) in *. assert (U : ne0 u).
  { apply cprod_ne. intros z I. apply in_map_iff in I as (a & <- & I). apply (@known_ok e signs a Dne); auto. intros; apply S, in_or_app; auto. }
  transitivity (kinv u * (u * ((den e [] l + G (-1#1) (0#1) * den e [] r) * G 1 0) + G 0 0)).
  transitivity ((u * kinv u) * (den e [] l + G (-1#1) (0#1) * den e [] r)). rewrite kinv_r by auto. ring. ring.
  rewrite A. ring.
Qed.

Definition weight_ok (signs : list thm) (p : tm * thm) : bool := match rl (snd p) with
  | Eq_ => true | Le | Lt_ => known signs (fst p) Dge | Ne => false end.
Definition r_adding (l : tm) (r : rel) (t : tm) (parts : list (tm * thm)) (rest : tm) (signs : list thm) : option thm :=
  given (known signs rest Dge && forallb (weight_ok signs) parts
    && vanishes (Add (sub t l :: minus1 rest :: map (fun p => Mul [fst p; sub (lhs (snd p)) (rhs (snd p))]) parts))
    && match r with Le => true
       | Lt_ => known signs rest Dgt ||| existsb (fun p => neqb (rl (snd p)) Lt_ &&& known signs (fst p) Dgt) parts | _ => false end
    && known signs l DR && known signs t DR)
  (by_premises (map snd parts ++ signs) l r t).
Definition gap (e : env) (p : tm * thm) : C := den e [] (fst p) * (den e [] (rhs (snd p)) + G (-1#1) (0#1) * den e [] (lhs (snd p))).
Lemma gap_sum e parts : csum (map (den e []) (map (fun p => Mul [fst p; sub (lhs (snd p)) (rhs (snd p))]) parts)) = G (-1#1) (0#1) * csum (map (gap e) parts).
Proof.
  induction parts as [|[c t] parts IH]; cbn [map csum fold_right]. ring. change (fold_right Cplus (G 0 0)) with csum. rewrite IH, den_mul2, sub_den.
  unfold gap; cbn [fst snd]. ring.
Qed.
Lemma gap_ok e signs p : valid e -> (forall th, In th signs -> said e th) -> said e (snd p) -> weight_ok signs p = true -> ge0 (gap e p).
Proof.
  intros V S Q W. unfold weight_ok, said, gap in *. destruct p as [c t]. cbn [fst snd] in *. destruct (rl t); try discriminate; simpl in Q.
  apply ge_eq; auto. apply ge_le; auto. apply (@known_ok e signs c Dge); auto. apply ge_lt; auto. apply (@known_ok e signs c Dge); auto.
Qed.
Lemma csum_ge l : (forall z, In z l -> ge0 z) -> ge0 (csum l).
Proof. induction l; simpl; intros H. apply N_ge. exists 0%Z. split; [lia | apply (G_zc 0)]. apply ge_plus; auto. Qed.
Lemma csum_gt l w : (forall z, In z l -> ge0 z) -> In w l -> gt0 w -> gt0 (csum l).
Proof.
  induction l; simpl; intros H I W. destruct I. destruct I as [->|I]. apply gt_plus; auto. apply csum_ge; auto.
  apply gt_plus2; auto.
Qed.
Lemma r_adding_ok l r t parts rest signs th : r_adding l r t parts rest signs = Some th -> Forall truth (map snd parts ++ signs) -> truth th.
Proof.
  intros H T. rule H. conds H. apply by_premises_true; auto. intros e V S. rename A1 into X, A0 into RL, A into RT, A2 into Z, A3 into W.
  assert (SS : forall u, In u signs -> said e u) by (intros; apply S, in_or_app; auto).
  assert (SP : forall p, In p parts -> said e (snd p)) by (intros; apply S, in_or_app; left; apply in_map; auto).
  apply vanishes_ok with (e := e) in Z; auto. cbn [den map csum fold_right] in Z. change (fold_right Cplus (G 0 0)) with csum in Z. rewrite gap_sum, sub_den, minus1_den in Z.
  rewrite forallb_forall in W.
  apply (@known_ok e signs l DR) in RL; auto. apply (@known_ok e signs t DR) in RT; auto. pose proof (@known_ok e signs rest Dge V SS H) as RG.
  assert (GS : forall z, In z (map (gap e) parts) -> ge0 z). { intros z I. apply in_map_iff in I as (p & <- & I). apply (@gap_ok e signs); auto. }
  assert (E : den e [] t + G (-1#1) (0#1) * den e [] l = den e [] rest + csum (map (gap e) parts)).
  { apply sub_zero. rewrite <- Z. ring. }
  destruct r; try discriminate; simpl.
  - apply (le_of _ _ _ RL RT E). apply ge_plus; auto. apply csum_ge; auto.
  - apply (lt_of _ _ _ RL RT E). apply orb_prop in X as [X|X].
    + apply gt_plus. apply (@known_ok e signs rest Dgt); auto. apply csum_ge; auto.
    + apply existsb_exists in X as (p & I & X). apply andb_prop in X as [X1 X2]. apply neqb_eq in X1. apply gt_plus2; auto.
      apply csum_gt with (w := gap e p); auto. apply in_map; auto. apply (@known_ok e signs (fst p) Dgt) in X2; auto.
      specialize (SP p I). unfold said in SP. rewrite X1 in SP. apply gt_lt; auto.
Qed.

Definition r_roots (th : thm) (signs : list thm) : option thm := match lhs th, rhs th with
  | Pow a n, Pow b m => given (is_eq (rl th) && N.eqb n 2 && N.eqb m 2 && known signs a Dge && known signs b Dge)
      (by_premises (th :: signs) a Eq_ b)
  | _, _ => None end.
Lemma r_roots_ok t signs th : r_roots t signs = Some th -> Forall truth (t :: signs) -> truth th.
Proof.
  unfold r_roots. destruct (lhs t) eqn:L; try discriminate. destruct (rhs t) eqn:R; try discriminate. intros H T. rule H. conds H.
  apply by_premises_true; auto. intros e V S. assert (SS : forall u, In u signs -> said e u) by (intros; apply S; right; auto).
  apply neqb_eq in H. apply N.eqb_eq in A1, A2. subst. pose proof (S t (or_introl eq_refl)) as Q. unfold said in Q. rewrite H, L, R in Q.
  apply kroots. exact Q. apply (@known_ok e signs _ Dge); auto. apply (@known_ok e signs _ Dge); auto.
Qed.
Definition r_exponents (th : thm) (signs : list thm) : option thm := match lhs th, rhs th with
  | F1 Exp a, F1 Exp b => given (is_eq (rl th) && known signs a DR && known signs b DR) (by_premises (th :: signs) a Eq_ b)
  | _, _ => None end.
Lemma r_exponents_ok t signs th : r_exponents t signs = Some th -> Forall truth (t :: signs) -> truth th.
Proof.
  unfold r_exponents. destruct (lhs t) as [| | | | | | | |[]| | | | |] eqn:L; try discriminate.
  destruct (rhs t) as [| | | | | | | |[]| | | | |] eqn:R; try discriminate. intros H T. rule H. conds H.
  apply by_premises_true; auto. intros e V S. assert (SS : forall u, In u signs -> said e u) by (intros; apply S; right; auto).
  apply neqb_eq in H. pose proof (S t (or_introl eq_refl)) as Q. unfold said in Q. rewrite H, L, R in Q.
  apply kexponents. exact Q. apply (@known_ok e signs _ DR); auto. apply (@known_ok e signs _ DR); auto.
Qed.

(* a R b, b S c, ...: a is related to the last. *)
Definition stronger (r s : rel) : option rel := match r, s with
  | Ne, _ | _, Ne => None | Lt_, _ | _, Lt_ => Some Lt_ | Le, _ | _, Le => Some Le | Eq_, Eq_ => Some Eq_ end.
Fixpoint linked (l : tm) (r : rel) (t : tm) (rows : list thm) : option (rel * tm) := match rows with
  | [] => Some (r, t)
  | th :: rows => if same t (lhs th) then match stronger r (rl th) with Some q => linked l q (rhs th) rows | None => None end else None end.
Definition chained (rows : list thm) : option thm := match rows with
  | [] => None
  | th :: more => match linked (lhs th) (rl th) (rhs th) more with
    | Some (r, t) => given (negb (neqb r Ne)) (by_premises rows (lhs th) r t) | None => None end end.
Lemma linked_ok e l rows : valid e -> (forall th, In th rows -> said e th) -> forall r t q u, linked l r t rows = Some (q, u) ->
  related r (den e [] l) (den e [] t) -> related q (den e [] l) (den e [] u).
Proof.
  intros V. induction rows as [|th rows IH]; simpl; intros S r t q u. intros [= <- <-]; auto.
  destruct (same t (lhs th)) eqn:E; try discriminate. destruct (stronger r (rl th)) as [p|] eqn:P; try discriminate.
  intros L H. apply IH in L; auto. apply same_nil with (e := e) in E; auto. specialize (S th (or_introl eq_refl)). unfold said in S.
  rewrite E in H. destruct r, (rl th); try discriminate; injection P as <-; simpl in *; try congruence;
  eauto using kle_trans, eq_le, le_eq, eq_lt, lt_eq, lt_lt, le_lt_tr, lt_le_tr.
Qed.
Lemma chained_ok rows th : chained rows = Some th -> Forall truth rows -> truth th.
Proof.
  destruct rows as [|a rows]; simpl; try discriminate. destruct (linked _ _ _ _) as [[q u]|] eqn:L; try discriminate. intros H T. rule H.
  apply by_premises_true; auto. intros e V S. refine (@linked_ok e (lhs a) rows V _ _ _ _ _ L _). intros; apply S; right; auto. apply (S a); left; auto.
Qed.
