(* Products of square matrices of one size. A theorem about words holds for every linear function of a matrix. *)
Require Export Binders.
Set Implicit Arguments.
Open Scope C_scope.

Lemma nsum_plus f g n : nsum (fun k => f k + g k) n = nsum f n + nsum g n.
Proof. induction n; cbn [nsum]. ring. rewrite IHn; ring. Qed.
Lemma nsum_scal c f n : nsum (fun k => c * f k) n = c * nsum f n.
Proof. induction n; cbn [nsum]. ring. rewrite IHn; ring. Qed.
Lemma nsum_scal_r c f n : nsum (fun k => f k * c) n = nsum f n * c.
Proof. induction n; cbn [nsum]. ring. rewrite IHn; ring. Qed.
Lemma nsum_0 n : nsum (fun _ => G 0 0) n = G 0 0.
Proof. induction n; cbn [nsum]; auto. rewrite IHn; ring. Qed.
Lemma nsum_swap (f : nat -> nat -> C) n m : nsum (fun i => nsum (f i) m) n = nsum (fun j => nsum (fun i => f i j) n) m.
Proof. induction n; cbn [nsum]. symmetry; apply nsum_0. rewrite IHn, <- nsum_plus. reflexivity. Qed.

Section Matrices.
  Variable d : nat.
  Definition meq (a b : matrix) : Prop := forall i j, (i < d)%nat -> (j < d)%nat -> a i j = b i j.
  Lemma meq_refl a : meq a a. Proof. intros i j _ _; auto. Qed.
  Lemma meq_trans a b c : meq a b -> meq b c -> meq a c. Proof. intros H K i j I J. rewrite H, K; auto. Qed.
  Lemma meq_sym a b : meq a b -> meq b a. Proof. intros H i j I J. rewrite H; auto. Qed.
  Lemma weighed_meq w a b : meq a b -> weighed d w a = weighed d w b.
  Proof. intros H. apply nsum_ext. intros i I. apply nsum_ext. intros j J. rewrite H; auto. Qed.
  Lemma mprod_meq a b a' b' : meq a a' -> meq b b' -> meq (mprod d a b) (mprod d a' b').
  Proof. intros H K i j I J. apply nsum_ext. intros k L. rewrite H, K; auto. Qed.
  Lemma mprod_assoc a b c : meq (mprod d (mprod d a b) c) (mprod d a (mprod d b c)).
  Proof.
    intros i j _ _. unfold mprod.
    transitivity (nsum (fun k => nsum (fun l => a i l * b l k * c k j) d) d). apply nsum_ext; intros. symmetry. apply nsum_scal_r.
    rewrite nsum_swap. apply nsum_ext; intros l _. rewrite <- nsum_scal. apply nsum_ext; intros; ring.
  Qed.
  Lemma mone_l a : meq (mprod d mone a) a.
  Proof.
    intros i j I _. unfold mprod. transitivity (nsum (fun k => if Nat.eqb i k then a i j else G 0 0) d).
    apply nsum_ext; intros k _. unfold mone. destruct (Nat.eqb_spec i k) as [->|]; ring.
    clear -I. induction d as [|n IH]; [lia|]. cbn [nsum]. destruct (Nat.eqb_spec i n) as [->|N].
    - assert (nsum (fun k => if Nat.eqb n k then a n j else G 0 0) n = nsum (fun _ => G 0 0) n) as ->.
      apply nsum_ext. intros k K. destruct (Nat.eqb_spec n k); auto; lia. rewrite nsum_0. ring.
    - rewrite IH by lia. ring.
  Qed.
  Definition product (l : list matrix) : matrix := fold_right (mprod d) mone l.
  Lemma product_app l m : meq (product (l ++ m)) (mprod d (product l) (product m)).
  Proof.
    induction l; cbn [app product fold_right]. apply meq_sym, mone_l.
    eapply meq_trans; [|apply meq_sym, mprod_assoc]. apply mprod_meq; auto. apply meq_refl.
  Qed.
  (* Multiplying on one side is another weighing. *)
  Definition before (a w : matrix) : matrix := fun k j => nsum (fun i => a i k * w i j) d.
  Definition after (b w : matrix) : matrix := fun i l => nsum (fun j => w i j * b l j) d.
  Lemma weighed_before a w x : weighed d w (mprod d a x) = weighed d (before a w) x.
  Proof.
    unfold weighed, mprod, before.
    transitivity (nsum (fun i => nsum (fun j => nsum (fun k => a i k * w i j * x k j) d) d) d).
    apply nsum_ext; intros i _. apply nsum_ext; intros j _. rewrite <- nsum_scal. apply nsum_ext; intros; ring.
    transitivity (nsum (fun i => nsum (fun k => nsum (fun j => a i k * w i j * x k j) d) d) d).
    apply nsum_ext; intros i _. apply nsum_swap. rewrite nsum_swap. apply nsum_ext; intros k _. rewrite nsum_swap. apply nsum_ext; intros j _.
    apply nsum_scal_r.
  Qed.
  Lemma weighed_after b w x : weighed d w (mprod d x b) = weighed d (after b w) x.
  Proof.
    unfold weighed, mprod, after. apply nsum_ext; intros i _.
    transitivity (nsum (fun j => nsum (fun k => w i j * b k j * x i k) d) d).
    apply nsum_ext; intros j _. rewrite <- nsum_scal. apply nsum_ext; intros; ring.
    rewrite nsum_swap. apply nsum_ext; intros k _. apply nsum_scal_r.
  Qed.
  Definition flipped (a : matrix) : matrix := fun i j => a j i.
  Lemma weighed_flipped w x : weighed d w (flipped x) = weighed d (flipped w) x.
  Proof. unfold weighed, flipped. apply nsum_swap. Qed.
  Lemma mone_r a : meq (mprod d a mone) a.
  Proof.
    intros i j I J. transitivity (mprod d mone (flipped a) j i). unfold mprod. apply nsum_ext; intros k _. unfold flipped, mone. rewrite Nat.eqb_sym. ring.
    rewrite mone_l; auto.
  Qed.
  Lemma product_flipped l : meq (product (map flipped (rev l))) (flipped (product l)).
  Proof.
    induction l; cbn [rev map]. intros i j _ _. unfold product, flipped, mone; simpl. rewrite Nat.eqb_sym; auto.
    rewrite map_app. eapply meq_trans. apply product_app.
    eapply meq_trans. apply mprod_meq. exact IHl. apply mone_r.
    intros i j _ _. change (nsum (fun k => product l k i * a j k) d = nsum (fun k => a j k * product l k i) d). apply nsum_ext; intros; ring.
  Qed.
End Matrices.

(* f of the letters of each word. *)
Fixpoint in_words (f : list tm -> list tm) (t : tm) : tm := match t with
  | Word l => Word (f l)
  | App g e l => App g e (map (in_words f) l)
  | Add l => Add (map (in_words f) l) | Mul l => Mul (map (in_words f) l)
  | Pow t n => Pow (in_words f t) n
  | F1 g t => F1 g (in_words f t) | F2 g t u => F2 g (in_words f t) (in_words f u)
  | Bind b lo hi t => Bind b (in_words f lo) (in_words f hi) (in_words f t)
  | _ => t end.
(* No word inside a word; matrices in words alone. *)
Fixpoint tidy (t : tm) : bool := match t with
  | Word l => forallb (fun a => negb (words a)) l
  | App _ _ l | Add l | Mul l => forallb tidy l
  | Pow t _ | F1 _ t => tidy t
  | F2 _ t u => tidy t && tidy u
  | Bind _ lo hi t => tidy lo && tidy hi && tidy t
  | _ => true end.
Definition reweighed (e : env) (w : matrix) : env := Env (lv e) (fv e) (size e) (mv e) w.
Lemma mden_reweighed e w bs a : words a = false -> mden (reweighed e w) bs a = mden e bs a.
Proof. intros W. symmetry. apply den_letters; auto. congruence. Qed.
Definition word_value (e : env) (bs : list C) (l : list tm) : matrix := product (size e) (map (mden e bs) l).
Lemma den_word e bs l : den e bs (Word l) = weighed (size e) (wt e) (word_value e bs l). Proof. reflexivity. Qed.
Lemma den_in_words e w f :
  (forall bs l, forallb (fun a => negb (words a)) l = true -> weighed (size e) (wt e) (word_value e bs (f l)) = weighed (size e) w (word_value e bs l)) ->
  forall t, tidy t = true -> forall bs, den e bs (in_words f t) = den (reweighed e w) bs t.
Proof.
  intros F. induction t using tm_ind'; intros T bs; cbn [in_words tidy] in *; auto;
  try (rewrite Forall_forall in H; cbn [den]; rewrite map_map;
    assert (map (fun a => den e bs (in_words f a)) l = map (den (reweighed e w) bs) l) as -> by (apply map_same; intros a I; apply (H a I); eauto using forallb_in); reflexivity).
  - cbn [den]. rewrite IHt; auto.
  - cbn [den]. rewrite IHt; auto.
  - apply andb_prop in T as []. cbn [den]. rewrite IHt1, IHt2; auto.
  - apply andb_prop in T as [T ?]. apply andb_prop in T as []. cbn [den]. rewrite IHt1, IHt2 by auto. apply kbind_ext. intros x. apply IHt3; auto.
  - rewrite !den_word, F by auto. cbn [size wt reweighed]. f_equal. unfold word_value. cbn [size reweighed]. f_equal. apply map_same. intros a I.
    symmetry. apply mden_reweighed. apply negb_true_iff. apply (@forallb_in _ (fun a => negb (words a)) l a T I).
Qed.
Lemma supported_reweighed e w hs : valid e -> supported e hs -> supported (reweighed e w) hs.
Proof. intros V S. eapply supported_move; [exact V| | | | |exact S]; auto. Qed.

Definition matrices (l : list tm) : bool := forallb (fun a => closed 0 a && negb (words a)) l.
Definition r_between (th : thm) (before after : list tm) : option thm :=
  let f := fun l => before ++ l ++ after in
  given (matrices before && matrices after && tidy (lhs th) && tidy (rhs th))
    (Thm (hyps th) (in_words f (lhs th)) (rl th) (in_words f (rhs th))).
Lemma r_between_ok t a b th : r_between t a b = Some th -> truth t -> truth th.
Proof.
  unfold r_between. cbv zeta. intros H T. rule H. conds H. intros e V S. unfold said. cbn [lhs rl rhs hyps] in *.
  set (MA := word_value e [] a). set (MB := word_value e [] b). set (w := after (size e) MB (before (size e) MA (wt e))).
  assert (M : forall l bs, matrices l = true -> map (mden e bs) l = map (mden e []) l).
  { intros l bs X. apply map_same. intros c I. pose proof (@forallb_in _ (fun a => closed 0 a && negb (words a)) l c X I) as Y. cbv beta in Y. apply andb_prop in Y as [Y _].
    eapply (@den_stack e c 0); eauto. lia. }
  assert (F : forall bs l, forallb (fun a => negb (words a)) l = true -> weighed (size e) (wt e) (word_value e bs (a ++ l ++ b)) = weighed (size e) w (word_value e bs l)).
  { intros bs l _. unfold word_value at 1. rewrite !map_app, (M a), (M b) by auto.
    rewrite (@weighed_meq (size e) (wt e) _ (mprod (size e) MA (mprod (size e) (word_value e bs l) MB))).
    rewrite weighed_before, weighed_after. reflexivity.
    eapply meq_trans. apply product_app. apply mprod_meq. apply meq_refl. apply product_app. }
  rewrite !(@den_in_words e w _ F) by auto. apply (T (reweighed e w)). exact V. apply supported_reweighed; auto.
Qed.

Definition turned_letter (a : tm) : tm := match a with Mat r f l => Mat (negb r) f l | _ => a end.
Definition turned_word (l : list tm) : list tm := map turned_letter (rev l).
Definition r_transposed (th : thm) : option thm :=
  given (tidy (lhs th) && tidy (rhs th)) (Thm (hyps th) (in_words turned_word (lhs th)) (rl th) (in_words turned_word (rhs th))).
Lemma r_transposed_ok t th : r_transposed t = Some th -> truth t -> truth th.
Proof.
  unfold r_transposed. intros H T. rule H. conds H. intros e V S. unfold said. cbn [lhs rl rhs hyps] in *. set (w := flipped (wt e)).
  assert (F : forall bs l, forallb (fun a => negb (words a)) l = true -> weighed (size e) (wt e) (word_value e bs (turned_word l)) = weighed (size e) w (word_value e bs l)).
  { intros bs l _. unfold w. rewrite <- weighed_flipped. apply weighed_meq. unfold word_value at 2. eapply meq_trans; [|apply product_flipped].
    unfold word_value, turned_word. rewrite map_map, <- map_rev, map_map.
    assert (X : forall m, meq (size e) (product (size e) (map (fun x => mden e bs (turned_letter x)) m)) (product (size e) (map (fun x => flipped (mden e bs x)) m))).
    { induction m; cbn [map product fold_right]. apply meq_refl. apply mprod_meq; auto. destruct a; simpl; try (intros i j _ _; unfold flipped, mone; rewrite Nat.eqb_sym; auto; fail).
      intros i j _ _. destruct turned; reflexivity. }
    apply X. }
  rewrite !(@den_in_words e w _ F) by auto. apply (T (reweighed e w)). exact V. apply supported_reweighed; auto.
Qed.
