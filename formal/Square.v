(* A left inverse of a square matrix is a right inverse. *)
Require Export Words.
Set Implicit Arguments.
Open Scope C_scope.

Definition lsum (l : list nat) (f : nat -> C) : C := csum (map f l).
Lemma lsum_at l1 j l2 f : lsum (l1 ++ j :: l2) f = lsum (l1 ++ l2) f + f j.
Proof. unfold lsum. induction l1; cbn [app map csum fold_right]. ring. change (fold_right Cplus (G 0 0)) with csum in *. rewrite IHl1. ring. Qed.
Lemma lsum_ext l f g : (forall k, In k l -> f k = g k) -> lsum l f = lsum l g.
Proof. intros H. unfold lsum. f_equal. apply map_same; auto. Qed.
Lemma lsum_minus l c f g : lsum l (fun k => f k + c * g k) = lsum l f + c * lsum l g.
Proof. unfold lsum. induction l; cbn [map csum fold_right]. ring. change (fold_right Cplus (G 0 0)) with csum. rewrite IHl. ring. Qed.
Lemma lsum_seq f n : lsum (seq 0 n) f = nsum f n.
Proof.
  induction n; auto. rewrite seq_S. cbn [nsum plus]. rewrite <- IHn, <- (app_nil_r (seq 0 n)) at 1. rewrite <- app_assoc. cbn [app]. rewrite lsum_at, app_nil_r. reflexivity.
Qed.
Lemma lsum_0 l : lsum l (fun _ => G 0 0) = G 0 0.
Proof. unfold lsum. induction l; cbn [map csum fold_right]; auto. change (fold_right Cplus (G 0 0)) with csum. rewrite IHl. ring. Qed.
(* More unknowns than equations. *)
Lemma more_unknowns m : forall (M : nat -> nat -> C) (l : list nat), NoDup l -> (m < length l)%nat ->
  exists x, (exists k, In k l /\ ne0 (x k)) /\ forall i, (i < m)%nat -> lsum l (fun k => M i k * x k) = G 0 0.
Proof.
  induction m; intros M l U L.
  - destruct l as [|k l]; [simpl in L; lia|]. exists (fun _ => G 1 0). split. exists k. split; [left; auto | exact G10]. intros; lia.
  - destruct (excluded_middle_informative (exists j, In j l /\ ne0 (M m j))) as [(j & J & N)|Z].
    + apply in_split in J as (l1 & l2 & ->). pose proof (NoDup_remove_1 _ _ _ U) as U1. pose proof (NoDup_remove_2 _ _ _ U) as U2. rewrite app_length in L. simpl in L.
      destruct (IHm (fun i k => M i k + G (-1#1) (0#1) * (M i j * kinv (M m j)) * M m k) (l1 ++ l2) U1) as (x & (k & K & X) & S). rewrite app_length; lia.
      set (s := fun i => lsum (l1 ++ l2) (fun k => M i k * x k)). set (y := fun k => if Nat.eqb k j then G (-1#1) (0#1) * kinv (M m j) * s m else x k).
      assert (Y : forall i, lsum (l1 ++ j :: l2) (fun k => M i k * y k) = s i + M i j * (G (-1#1) (0#1) * kinv (M m j) * s m)).
      { intros i. rewrite lsum_at. f_equal. apply lsum_ext. intros q Q. unfold y. destruct (Nat.eqb_spec q j); [subst; contradiction | reflexivity]. unfold y. rewrite Nat.eqb_refl. reflexivity. }
      exists y. split. exists k. split. apply in_or_app. apply in_app_or in K as [K|K]; [left | right; right]; auto.
      unfold y. destruct (Nat.eqb_spec k j); [subst; contradiction | auto].
      intros i I. rewrite Y. destruct (Nat.eq_dec i m) as [->|D].
      * replace (s m + M m j * (G (-1#1) (0#1) * kinv (M m j) * s m)) with (s m + G (-1#1) (0#1) * (M m j * kinv (M m j)) * s m) by ring. rewrite kinv_r by auto. ring.
      * rewrite <- (S i) by lia. unfold s at 1 2. transitivity (lsum (l1 ++ l2) (fun k => M i k * x k + G (-1#1) (0#1) * (M i j * kinv (M m j)) * (M m k * x k))). rewrite lsum_minus. ring.
        apply lsum_ext; intros; ring.
    + destruct (IHm M l U ltac:(lia)) as (x & X & S). exists x. split; auto. intros i I. destruct (Nat.eq_dec i m) as [->|D]; [|apply S; lia].
      rewrite <- (lsum_0 l).
      apply lsum_ext. intros k K. destruct (ne0_dec (M m k)) as [->|N]. ring. elim Z; eauto.
Qed.
Section Square.
  Variables (d : nat) (a b : matrix).
  Hypothesis H : meq d (mprod d a b) mone.
  Lemma column_onto c : (c < d)%nat -> exists y, forall i, (i < d)%nat -> nsum (fun k => b i k * y k) d = mone i c.
  Proof.
    intros L. destruct (@more_unknowns d (fun i k => if Nat.ltb k d then b i k else mone i c) (seq 0 (S d)) (seq_NoDup _ _)) as (x & (k & K & X) & S). rewrite seq_length; lia.
    assert (E : forall i, (i < d)%nat -> nsum (fun k => b i k * x k) d + mone i c * x d = G 0 0).
    { intros i I. rewrite <- (S i I), lsum_seq. cbn [nsum]. rewrite Nat.ltb_irrefl. f_equal. apply nsum_ext. intros q Q. apply Nat.ltb_lt in Q. rewrite Q. reflexivity. }
    destruct (ne0_dec (x d)) as [Z|N].
    - elim X. apply in_seq in K. destruct (Nat.eq_dec k d) as [->|D]; auto. set (v := fun q (_ : nat) => x q : C).
      transitivity (mprod d mone v k k). symmetry. apply (mone_l v); lia. transitivity (mprod d (mprod d a b) v k k). apply (mprod_meq (meq_sym H) (meq_refl v)); lia.
      rewrite (@mprod_assoc d a b v) by lia. unfold mprod at 1. rewrite <- (nsum_0 d). apply nsum_ext. intros j J. pose proof (E j J) as W. rewrite Z in W.
      transitivity (a k j * G 0 0); [|ring]. f_equal. rewrite <- W. unfold mprod, v. ring.
    - exists (fun k => G (-1#1) (0#1) * kinv (x d) * x k). intros i I. pose proof (E i I) as W.
      transitivity (nsum (fun k => G (-1#1) (0#1) * kinv (x d) * (b i k * x k)) d). apply nsum_ext; intros; ring. rewrite nsum_scal.
      transitivity (G (-1#1) (0#1) * kinv (x d) * (nsum (fun k => b i k * x k) d + mone i c * x d) + mone i c * (x d * kinv (x d))). ring. rewrite W, kinv_r by auto. ring.
  Qed.
  Lemma square : meq d (mprod d b a) mone.
  Proof.
    intros i c I L. destruct (column_onto L) as (y & Y). set (v := fun q (_ : nat) => y q : C).
    assert (E : meq d (mprod d b v) (fun i _ => mone i c)) by (intros q r Q _; exact (Y q Q)).
    transitivity (mprod d (mprod d b a) (mprod d b v) i c).
    - transitivity (mprod d (mprod d b a) mone i c). symmetry. apply (mone_r (mprod d b a)); auto.
      unfold mprod at 1 3. apply nsum_ext. intros k K. f_equal. symmetry. apply (Y k K).
    - transitivity (mprod d b v i c); [|apply (Y i I)]. rewrite (@mprod_assoc d b a (mprod d b v)) by auto.
      apply (mprod_meq (meq_refl b)); auto. eapply meq_trans. apply meq_sym, mprod_assoc. eapply meq_trans. apply (mprod_meq H (meq_refl v)). apply mone_l.
  Qed.
End Square.

Definition r_other_side (th : thm) (a b : list tm) : option thm :=
  given (is_eq (rl th) && eqb (lhs th) (Word (a ++ b)) && eqb (rhs th) (Word []) && matrices a && matrices b)
    (Thm (hyps th) (Word (b ++ a)) Eq_ (Word [])).
Lemma entry d i j x : (i < d)%nat -> (j < d)%nat -> weighed d (fun p q => mone p i * mone j q) x = x i j.
Proof.
  intros I J. unfold weighed. transitivity (mprod d (mprod d mone x) mone i j).
  2: { transitivity (mprod d mone x i j). apply (mone_r (mprod d mone x)); auto. apply (mone_l x); auto. }
  unfold mprod. transitivity (nsum (fun p => nsum (fun q => mone i p * x p q * mone q j) d) d).
  - apply nsum_ext; intros p _. apply nsum_ext; intros q _. unfold mone. rewrite (Nat.eqb_sym p), (Nat.eqb_sym j). ring.
  - rewrite nsum_swap. apply nsum_ext; intros q _. apply nsum_scal_r.
Qed.
Lemma r_other_side_ok t a b th : r_other_side t a b = Some th -> truth t -> truth th.
Proof.
  unfold r_other_side. intros H T. rule H. conds H. intros e V S. unfold said. cbn [lhs rl rhs hyps related] in *.
  apply neqb_eq in H. apply eqb_eq in A1, A2. rewrite !den_word. apply weighed_meq.
  set (d := size e). set (ma := word_value e [] a). set (mb := word_value e [] b).
  assert (M : forall w l, matrices l = true -> map (mden (reweighed e w) []) l = map (mden e []) l).
  { intros w l X. apply map_same. intros c I. apply mden_reweighed. pose proof (@forallb_in _ (fun a => closed 0 a && negb (words a)) l c X I) as Y. cbv beta in Y. apply andb_prop in Y as [_ Y].
    apply negb_true_iff; auto. }
  assert (E : meq d (word_value e [] (a ++ b)) mone).
  { intros i j I J. set (w := fun p q => mone p i * mone j q). pose proof (T (reweighed e w) V (supported_reweighed V S)) as W. unfold said in W. rewrite H, A1, A2 in W. cbn [related] in W.
    rewrite !den_word in W. unfold word_value in W. rewrite map_app, !M, <- map_app in W by auto. cbn [size wt reweighed] in W. fold d in W. unfold w in W. rewrite !entry in W by auto. exact W. }
  unfold word_value. rewrite map_app. eapply meq_trans. apply product_app. apply square. eapply meq_trans; [|exact E]. unfold word_value. rewrite map_app. apply meq_sym, product_app.
Qed.
