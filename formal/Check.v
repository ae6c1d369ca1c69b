(* A certificate, and the function that checks it. What it accepts is true: [check_sound]. *)
Require Export Square Limits Far Derivative Certified.
Set Implicit Arguments.

(* A theorem that a step names: an earlier step, an earlier claim, the chain of some earlier claims. *)
Inductive source := Step (n : N) | Claim (n : N) | Rows (l : list N).
Inductive step :=
  | Ring (l r : tm)
  | Assume (u : list letter) (l : tm) (r : rel) (t : tm)
  | Instantiate (th : source) (values : list (letter * tm)) (signs : list source)
  | Rewrite (th : source) (eqs : list source) (r : tm)
  | Combine (l r : tm) (unit : list tm) (parts : list (tm * source)) (signs : list source)
  | Adding (l : tm) (r : rel) (t : tm) (parts : list (tm * source)) (rest : tm) (signs : list source)
  | Roots (th : source) (signs : list source)
  | Exponents (th : source) (signs : list source)
  | Axiom_ (a : ax) (signs : list source)
  | Over (b : binder) (th : source) (x : letter) (lo hi : tm) (signs : list source)
  | Induct (n : letter) (l : tm) (r : rel) (t : tm) (base : source) (steps : list source) (first : tm)
  | Fundamental (f : tm) (x : letter) (lo hi : tm) (signs : list source)
  | Between (th : source) (before after : list tm) | Transposed (th : source) | OtherSide (th : source) (a b : list tm)
  | Limit (th : source) (x : letter) (lo hi f value : tm) | Pressed (th : source) (x : letter) (lo hi value : tm)
  | Certified (l : tm) (r : rel) (t : tm) (ranges : list (letter * (Q * Q * list Q))) | Apart (l r : tm)
  | Unknown (rule : positive).
Record cert := Cert { terms : list tm; claim : thm; steps : list step }.

Definition built (rows : list tm) : list tm := fold_left (fun s t => s ++ [resolve s t]) rows [].
Section Play.
  Variable earlier : list thm.
  Variable s : list tm.
  Variable done : list thm.
  Definition earlier_of (n : N) : option thm := nth_error earlier (N.to_nat n).
  Fixpoint each (A B : Type) (f : A -> option B) (l : list A) : option (list B) := match l with
    | [] => Some [] | a :: l => match f a, each f l with Some b, Some m => Some (b :: m) | _, _ => None end end.
  Definition named (r : source) : option thm := match r with
    | Step n => nth_error done (N.to_nat n) | Claim n => earlier_of n
    | Rows l => match each earlier_of l with Some ths => chained ths | None => None end end.
  Definition t_ (t : tm) : tm := resolve s t.
  Definition formula_ (h : formula) : formula := Formula (all h) (t_ (left h)) (relation h) (t_ (right h)).
  Definition ax_ (a : ax) : ax := match a with
    | Inverse x => Inverse (t_ x) | Real_ x => Real_ (t_ x) | Modulus z => Modulus (t_ z) | Root z => Root (t_ z)
    | Logarithm x => Logarithm (t_ x) | Powers b x => Powers (t_ b) (t_ x) | RootAsPower b => RootAsPower (t_ b)
    | Alike a u v => Alike (t_ a) (t_ u) (t_ v) | NaturalPowers b m n => NaturalPowers (t_ b) (t_ m) (t_ n)
    | PlainPower b n => PlainPower (t_ b) (t_ n) | QuarterTurn => QuarterTurn
    | ErfAtZero => ErfAtZero | IntegralsFar x => IntegralsFar (t_ x)
    | IntegralsNear x => IntegralsNear (t_ x) | Triangle l => Triangle (map t_ l) | TriangleSum a => TriangleSum (t_ a)
    | TriangleIntegral a => TriangleIntegral (t_ a) | CauchySchwarz a t => CauchySchwarz (t_ a) (t_ t)
    | Maximum a t => Maximum (t_ a) (t_ t)
    | Linear b lo hi parts => Linear b (t_ lo) (t_ hi) (map (fun p => (t_ (fst p), t_ (snd p))) parts)
    | Shift a k => Shift (t_ a) (t_ k) | Split a mid => Split (t_ a) (t_ mid)
    | Single a => Single (t_ a) | Empty a => Empty (t_ a) | Swap a => Swap (t_ a) | Join a mid => Join (t_ a) (t_ mid) end.
  Definition parts_ (parts : list (tm * source)) : option (list (tm * thm)) :=
    each (fun p => match named (snd p) with Some th => Some (t_ (fst p), th) | None => None end) parts.
  Definition with1 (th : source) (f : thm -> option thm) : option thm := match named th with Some t => f t | None => None end.
  Definition withs (l : list source) (f : list thm -> option thm) : option thm := match each named l with Some ts => f ts | None => None end.
  Definition play (p : step) : option thm := match p with
    | Ring l r => r_ring (t_ l) (t_ r)
    | Assume u l r t => r_assume u (t_ l) r (t_ t)
    | Instantiate th values signs => with1 th (fun th => withs signs (fun signs =>
        r_instantiate th (map (fun v => (fst v, t_ (snd v))) values) signs))
    | Rewrite th eqs r => with1 th (fun th => withs eqs (fun eqs => r_rewrite th eqs (t_ r)))
    | Combine l r unit parts signs => withs signs (fun signs => match parts_ parts with
        Some ps => r_combine (t_ l) (t_ r) (map t_ unit) ps signs | None => None end)
    | Adding l r t parts rest signs => withs signs (fun signs => match parts_ parts with
        Some ps => r_adding (t_ l) r (t_ t) ps (t_ rest) signs | None => None end)
    | Roots th signs => with1 th (fun th => withs signs (r_roots th))
    | Exponents th signs => with1 th (fun th => withs signs (r_exponents th))
    | Axiom_ a signs => withs signs (r_axiom (ax_ a))
    | Over b th x lo hi signs => with1 th (fun th => withs signs (fun signs => over_any (smooth_sides th x) b th x (t_ lo) (t_ hi) signs))
    | Induct n l r t base steps first => with1 base (fun base => withs steps (fun steps =>
        r_induct n (t_ l) r (t_ t) base steps (t_ first)))
    | Fundamental f x lo hi signs => withs signs (r_fundamental (t_ f) x (t_ lo) (t_ hi))
    | Between th a b => with1 th (fun th => r_between th (map t_ a) (map t_ b))
    | Transposed th => with1 th r_transposed
    | OtherSide th a b => with1 th (fun th => r_other_side th (map t_ a) (map t_ b))
    | Limit th x lo hi f value => with1 th (fun th => r_limit th x (t_ lo) (t_ hi) (t_ f) (t_ value))
    | Pressed th x lo hi value => with1 th (fun th => r_pressed th x (t_ lo) (t_ hi) (t_ value))
    | Certified l r t ranges => r_certified (t_ l) r (t_ t) ranges
    | Apart l r => r_apart (t_ l) (t_ r)
    | Unknown _ => None end.
End Play.
Fixpoint run (earlier : list thm) (s : list tm) (done : list thm) (ps : list step) : option (list thm) := match ps with
  | [] => Some done
  | p :: ps => match play earlier s done p with Some th => run earlier s (done ++ [th]) ps | None => None end end.
Definition claim_of (c : cert) : thm := let s := built (terms c) in
  Thm (map (formula_ s) (hyps (claim c))) (t_ s (lhs (claim c))) (rl (claim c)) (t_ s (rhs (claim c))).
(* The last step says what is claimed, under hypotheses that are claimed. *)
Definition concludes (c th : thm) : bool := eqb (lhs th) (lhs c) && neqb (rl th) (rl c) && eqb (rhs th) (rhs c)
  && forallb (fun h => existsb (fun g => covers g h) (hyps c)) (hyps th).
Definition check (earlier : list thm) (c : cert) : bool := match run earlier (built (terms c)) [] (steps c) with
  | Some done => match rev done with th :: _ => concludes (claim_of c) th | [] => false end
  | None => false end.
(* For people: the first step that does not pass. *)
Fixpoint stuck (earlier : list thm) (s : list tm) (done : list thm) (ps : list step) (n : N) : option N := match ps with
  | [] => None
  | p :: ps => match play earlier s done p with Some th => stuck earlier s (done ++ [th]) ps (n + 1)%N | None => Some n end end.
Definition verdict (earlier : list thm) (c : cert) : bool * option N :=
  if check earlier c then (true, None) else (false, stuck earlier (built (terms c)) [] (steps c) 0).

Section Sound.
  Variable earlier : list thm.
  Hypothesis E : Forall truth earlier.
  Variable s : list tm.
  Lemma each_true (A B : Type) (P : B -> Prop) (f : A -> option B) : (forall a b, f a = Some b -> P b) -> forall l m, each f l = Some m -> Forall P m.
  Proof.
    intros H. induction l as [|a l IH]; simpl; intros m. intros [= <-]; constructor.
    destruct (f a) eqn:F; try discriminate. destruct (each f l); try discriminate. intros [= <-]. constructor; eauto.
  Qed.
  Lemma named_true done r th : Forall truth done -> named earlier done r = Some th -> truth th.
  Proof.
    intros D. destruct r; simpl.
    - intros N. apply nth_error_In in N. rewrite Forall_forall in D; auto.
    - intros N. apply nth_error_In in N. rewrite Forall_forall in E; auto.
    - destruct (each _ l) eqn:L; try discriminate. intros H. eapply chained_ok; eauto. eapply each_true; [|exact L].
      intros a b N. apply nth_error_In in N. rewrite Forall_forall in E; auto.
  Qed.
  Lemma play_true done p th : Forall truth done -> play earlier s done p = Some th -> truth th.
  Proof.
    intros D. assert (N : forall r th, named earlier done r = Some th -> truth th) by (intros; eapply named_true; eauto).
    assert (NS : forall l ths, each (named earlier done) l = Some ths -> Forall truth ths) by (intros l ths; apply each_true; auto).
    assert (PS : forall l ps, parts_ earlier s done l = Some ps -> Forall truth (map snd ps)).
    { intros l ps H. apply Forall_map. eapply each_true; [|exact H]. intros [t r] [u q]; simpl. destruct (named earlier done r) eqn:Q; try discriminate.
      intros [= <- <-]. eauto. }
    destruct p; cbn [play]; unfold with1, withs; try discriminate;
    repeat match goal with
    | |- context [match named earlier done ?r with _ => _ end] => let Q := fresh "Q" in destruct (named earlier done r) eqn:Q; [apply N in Q | discriminate]
    | |- context [match each (named earlier done) ?l with _ => _ end] => let Q := fresh "Q" in destruct (each (named earlier done) l) eqn:Q; [apply NS in Q | discriminate]
    | |- context [match parts_ earlier s done ?l with _ => _ end] => let Q := fresh "Q" in destruct (parts_ earlier s done l) eqn:Q; [apply PS in Q | discriminate] end;
    intros H.
    - eapply r_ring_ok; eauto.
    - eapply r_assume_ok; eauto.
    - eapply r_instantiate_ok; eauto.
    - eapply r_rewrite_ok; eauto.
    - eapply r_combine_ok; eauto. apply Forall_app; auto.
    - eapply r_adding_ok; eauto. apply Forall_app; auto.
    - eapply r_roots_ok; eauto.
    - eapply r_exponents_ok; eauto.
    - eapply r_axiom_ok; eauto.
    - eapply over_any_ok; eauto. apply smooth_sides_ok.
    - eapply r_induct_ok; eauto.
    - eapply r_fundamental_ok; eauto.
    - eapply r_between_ok; eauto.
    - eapply r_transposed_ok; eauto.
    - eapply r_other_side_ok; eauto.
    - eapply r_limit_ok; eauto.
    - eapply r_pressed_ok; eauto.
    - eapply r_certified_ok; eauto.
    - eapply r_apart_ok; eauto.
  Qed.
  Lemma run_true ps : forall done r, Forall truth done -> run earlier s done ps = Some r -> Forall truth r.
  Proof.
    induction ps as [|p ps IH]; simpl; intros done r D. intros [= <-]; auto.
    destruct (play earlier s done p) eqn:P; try discriminate. apply IH. apply Forall_app. split; auto. constructor; auto. eapply play_true; eauto.
  Qed.
End Sound.
Lemma concludes_true c th : concludes c th = true -> truth th -> truth c.
Proof.
  unfold concludes. intros H T e V S. conds H. apply eqb_eq in H, A0. apply neqb_eq in A1. unfold said. rewrite <- H, <- A0, <- A1. apply T; auto.
  intros h I. rewrite forallb_forall in A. specialize (A _ I). apply existsb_exists in A as (g & J & G). eapply covers_holds; eauto.
Qed.
Theorem check_sound earlier c : Forall truth earlier -> check earlier c = true -> truth (claim_of c).
Proof.
  unfold check. intros E. destruct (run _ _ _ _) as [done|] eqn:R; try discriminate. destruct (rev done) as [|th rest] eqn:V; try discriminate.
  intros H. eapply concludes_true; eauto. apply (run_true E) in R; auto. rewrite Forall_forall in R. apply R. apply in_rev. rewrite V. left; auto.
Qed.
