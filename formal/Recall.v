(* A result that another page proves: its letters in smaller domains, its hypotheses as they are called here. *)
Require Export Rules.
Set Implicit Arguments.
Open Scope C_scope.

Fixpoint letters_of (t : tm) : list letter := match t with
  | Var x d => [(x, d)]
  | App _ _ l | Add l | Mul l | Mat _ _ l | Word l => flat_map letters_of l
  | Pow t _ | F1 _ t => letters_of t
  | F2 _ t u => letters_of t ++ letters_of u
  | Bind _ lo hi t => letters_of lo ++ letters_of hi ++ letters_of t
  | _ => [] end.
(* A letter that may vary, and that of the same name in a statement, in a domain within its own. *)
Definition called (th : thm) (l t : tm) : list (letter * tm) :=
  flat_map (fun x => match List.find (fun y => Pos.eqb (fst x) (fst y)) (letters_of l ++ letters_of t) with
    | Some y => if negb (leqb x y) &&& free x (hyps th) &&& lies (var y) (snd x) then [(x, var y)] else []
    | None => [] end) (letters_of (lhs th) ++ letters_of (rhs th)).
Definition instance (known h : formula) : list (tm * tm) := match left known, left h with
  | App _ _ l, App _ _ m => combine l m | _, _ => [] end.
Definition is_letter (t : tm) (u : list letter) : bool := match t with Var x d => mem (x, d) u | _ => false end.
Definition dom_named (t : tm) : dom := match t with Var _ d => d | _ => DM end.
(* Whether h is an instance of what is known, true for all values for which h is said. *)
Definition says_formula (known h : formula) : bool := let s := instance known h in
  forallb (fun kv => is_letter (fst kv) (all known) && lies (snd kv) (dom_named (fst kv)) && closed 0 (snd kv) && unmatrix (snd kv)
    && match find s (fst kv) with Some w => eqb w (snd kv) | None => false end) s
  && forallb (fun x => negb (fixed x known)) (all h) && neqb (relation known) (relation h)
  && same (put s (left known)) (left h) && same (put s (right known)) (right h).
Definition r_recall (th : thm) (supposed : list thm) (l : tm) (r : rel) (t : tm) : option thm :=
  match r_instantiate th (called th l t) [] with
  | Some this =>
      let here := gather supposed in
      given (same (lhs this) l && same (rhs this) t && (neqb (rl this) r || (neqb (rl this) Lt_ && neqb r Le)))
        (Thm (union here (filter (fun h => negb (existsb (fun k => says_formula k h) here)) (hyps this))) l r t)
  | None => None end.

Lemma says_formula_holds e k h : valid e -> says_formula k h = true -> holds e k -> holds e h.
Proof.
  intros V. unfold says_formula. cbv zeta. set (s := instance k h). intros H HK e' V' (EF & ES & EM & EL). conds H.
  rewrite forallb_forall in H, A2. apply neqb_eq in A1. apply same_nil with (e := e') in A, A0; auto.
  assert (HK' : holds e' k).
  { eapply holds_move; [exact V|exact EF|exact ES|exact EM| |exact HK]. intros x F. apply EL. destruct (mem x (all h)) eqn:M; auto.
    apply mem_in in M. specialize (A2 x M). cbv beta in A2. rewrite F in A2. discriminate. }
  set (e1 := moved e' s).
  assert (IN : forall a v, In (a, v) s -> exists x, a = var x /\ mem x (all k) = true /\ inD (snd x) (den e' [] v) /\ closed 0 v = true /\ unmatrix v = true /\ find s a = Some v).
  { intros a v I. apply H in I. conds I. cbn [fst snd] in *. unfold is_letter in I. destruct a; try discriminate. exists (x, d). split; auto. split; auto. split.
    apply lies_ok; auto. split; auto. split; auto. destruct (find s (Var x d)) as [w|]; try discriminate. apply eqb_eq in A3. subst; auto. }
  assert (V1 : valid e1).
  { destruct V' as [VL VF]. split; [|exact VF]. intros y. unfold e1; simpl. destruct (find s (var y)) as [v|] eqn:F; [|apply VL].
    apply find_in, IN in F as (x & E & M & I & _). assert (x = y) by (destruct x, y; unfold var in E; simpl in E; congruence). subst; auto. }
  assert (P : forall u, den e' [] (put s u) = den e1 [] u).
  { intros u. refine (proj1 (@den_put e' e1 s u _ _ _ _ _ _ [])); auto.
    - intros a v I. destruct (IN _ _ I) as (x & -> & M & D & C0 & U & F). split; [|split]; auto. intros bs. rewrite den_closed by auto.
      unfold e1; cbn [den var fst snd]. simpl. rewrite <- surjective_pairing, F. reflexivity.
    - intros x F. unfold e1; simpl. rewrite F; auto. }
  rewrite <- A, <- A0, !P, <- A1. apply HK'; auto. repeat split; auto. intros x M. unfold e1; simpl. destruct (find s (var x)) as [v|] eqn:F; auto.
  apply find_in, IN in F as (y & E & M2 & _). assert (x = y) by (destruct x, y; unfold var in E; simpl in E; congruence). subst. congruence.
Qed.
Lemma r_recall_ok t supposed l r u th : r_recall t supposed l r u = Some th -> truth t -> Forall truth supposed -> truth th.
Proof.
  unfold r_recall. destruct (r_instantiate t (called t l u) []) as [this|] eqn:I; try discriminate. cbv zeta. intros H T TS. rule H. conds H.
  assert (TT : truth this) by (eapply r_instantiate_ok; eauto).
  intros e V S. cbn [hyps] in S. apply union_supported in S as [S1 S2].
  assert (Q : said e this).
  { apply TT; auto. intros h J. destruct (existsb (fun k => says_formula k h) (gather supposed)) eqn:E.
    - apply existsb_exists in E as (k & K & E). eapply says_formula_holds; eauto.
    - apply S2. apply filter_In. rewrite E. auto. }
  apply same_nil with (e := e) in H, A0; auto. unfold said in *. cbn [lhs rl rhs]. rewrite <- H, <- A0.
  apply orb_prop in A as [A|A]. apply neqb_eq in A. rewrite <- A; auto.
  apply andb_prop in A as [A1 A2]. apply neqb_eq in A1, A2. rewrite A1 in Q. rewrite A2. apply lt_le; auto.
Qed.
