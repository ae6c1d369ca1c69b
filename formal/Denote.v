(* What a term means: a complex number, for values of its letters and functions. Every function is total. *)
Require Export Functions List Bool.
Require Export Terms.
Export ListNotations.
Set Implicit Arguments.
Open Scope C_scope.

(* Matrices are d by d, whatever lies outside; a word is a linear function of their product, by its weights. *)
Definition matrix := nat -> nat -> C.
Definition mone : matrix := fun i j => if Nat.eqb i j then G 1 0 else G 0 0.
Definition mprod (d : nat) (a b : matrix) : matrix := fun i j => nsum (fun k => a i k * b k j) d.
Definition mturn (r : bool) (a : matrix) : matrix := if r then fun i j => a j i else a.
Definition weighed (d : nat) (w a : matrix) : C := nsum (fun i => nsum (fun j => w i j * a i j) d) d.

(* lv: the values of letters; fv: of functions, by name, domain, arguments; mv: of matrices. *)
Record env := Env { lv : letter -> C; fv : positive -> dom -> list C -> C; size : nat;
  mv : positive -> list C -> matrix; wt : matrix }.

Definition inD (d : dom) (z : C) : Prop := match d with
  | DZ => isZ z | DN => isN z | DNp => isNp z | DR => isR z | DRp => isRp z | DC => True
  | DS => isR z | DM => True | Dge => ge0 z | Dgt => gt0 z | Dne => ne0 z end.
(* A name is a number, its bytes one after another. f' is the derivative of a function of one argument; of more, f'12
   is that in the first and the second, in order, since it does not matter. *)
Definition byte (f : N) : N := N.modulo f 256.
Definition digit (c : N) : bool := (N.leb 49 c && N.leb c 57)%bool.
Fixpoint primed (n : nat) (f : N) : bool := match n with O => false | S n =>
  if digit (byte f) then primed n (N.div f 256) else N.eqb (byte f) 39 end.
Fixpoint slotted (n : nat) (k f : N) : N := match n with O => f | S n =>
  if (digit (byte f) && N.ltb k (byte f))%bool then slotted n k (N.div f 256) * 256 + byte f else f * 256 + k end%N.
Definition partial (arity k : nat) (f : positive) : positive :=
  let n := Pos.size_nat f in let p := (Npos f * 256 + 39)%N in
  match (if Nat.eqb arity 1 then p else slotted n (48 + N.of_nat k) (if primed n (Npos f) then Npos f else p)) with Npos q => q | N0 => f end.
(* What is asked of smooth functions: that they are continuous, and the chain rule, of at most nine arguments. *)
Fixpoint steepness (g : nat -> R) (k : nat) (ds : list R) : R := match ds with [] => 0 | d :: ds => g k * d + steepness g (S k) ds end%R.
Definition smooth (v : positive -> dom -> list C -> C) : Prop := forall f,
  (forall (T : UniformSpace) (cs : list (T -> R)) p, (forall c, In c cs -> continuous c p) ->
    continuous (fun y => fst (v f DS (map (fun c => RtoC (c y)) cs))) p) /\
  (forall (cs : list (R -> R)) ds p, (length cs < 10)%nat -> Forall2 (fun c d => is_derive c p d) cs ds ->
    is_derive (fun y => fst (v f DS (map (fun c => RtoC (c y)) cs))) p
      (steepness (fun k => fst (v (partial (length cs) k f) DS (map (fun c => RtoC (c p)) cs))) 1 ds)).
Definition valid (e : env) : Prop := (forall x, inD (snd x) (lv e x)) /\ (forall f d l, inD d (fv e f d l)) /\ smooth (fv e).

Definition csum (l : list C) : C := fold_right Cplus (G 0 0) l.
Definition cprod (l : list C) : C := fold_right Cmult (G 1 0) l.

(* oo is some number, which means nothing but in the path of a limit; and it is the limit where there is none: so a limit that is another number exists. *)
Definition koo : C := RtoC (-1).
Definition tends (T : Type) (F : (T -> Prop) -> Prop) (g : T -> C) (l : C) : Prop :=
  filterlim (fun x => fst (g x)) F (locally (fst l)) /\ filterlim (fun x => snd (g x)) F (locally (snd l)).
Definition limit_of (T : Type) (F : (T -> Prop) -> Prop) (g : T -> C) : C :=
  if excluded_middle_informative (exists l, tends F g l) then epsilon (inhabits (G 0 0)) (tends F g) else koo.
Definition klim (lo hi : C) (f : C -> C) : C :=
  if excluded_middle_informative (hi = koo) then
    if excluded_middle_informative (lo = G 0 0) then limit_of (Rbar_locally p_infty) (fun x : R => f (RtoC x)) else
    if excluded_middle_informative (lo = G 1 0) then limit_of Hierarchy.eventually (fun n => f (zc (Z.of_nat n))) else koo
  else if excluded_middle_informative (lo = koo /\ hi = G 0 0) then limit_of (at_right 0) (fun x : R => f (RtoC x))
  else koo.

Definition kf0 (f : f0) : C := match f with Pi => kpi | Euler => keuler | Oo => koo end.
Definition kf1 (f : f1) : C -> C := match f with Exp => kexp | Log => klog | Sqrt => ksqrt | Cos => kcos | Sin => ksin
  | Tan => ktan | Cosh => kcosh | Sinh => ksinh | Tanh => ktanh | Conj => conj | Abs => kabs | Re_ => kre | Im_ => kim
  | Inv => kinv | Ci => kCi | Si => kSi | Erf => kerf end.
Definition kf2 (f : f2) : C -> C -> C := match f with Powc => kpowc | Delta => kdelta end.
Definition kbind (b : binder) : C -> C -> (C -> C) -> C := match b with
  | Sum => ksum | Prod => kprod | Int => kint | Max => kmax | Lim => klim end.

Fixpoint den (e : env) (bs : list C) (t : tm) {struct t} : C := match t with
  | Num a b => G a b | Var x d => lv e (x, d) | BV n => nth n bs (G 0 0)
  | App f d l => fv e f d (map (den e bs) l)
  | Add l => csum (map (den e bs) l) | Mul l => cprod (map (den e bs) l)
  | Pow t n => kpow (den e bs t) (N.to_nat n)
  | F0 f => kf0 f | F1 f t => kf1 f (den e bs t) | F2 f t u => kf2 f (den e bs t) (den e bs u)
  | Bind b lo hi t => kbind b (den e bs lo) (den e bs hi) (fun x => den e (x :: bs) t)
  | Mat _ _ _ => G 0 0
  | Word l => weighed (size e) (wt e) (fold_right (mprod (size e)) mone (map (fun a => match a with
      Mat r f l => mturn r (mv e f (map (den e bs) l)) | _ => mone end) l))
  | Ref _ => G 0 0 end.
Definition mden (e : env) (bs : list C) (a : tm) : matrix := match a with
  Mat r f l => mturn r (mv e f (map (den e bs) l)) | _ => mone end.

(* Relations and statements. *)
Inductive rel := Eq_ | Le | Lt_ | Ne.
Definition related (r : rel) (a b : C) : Prop := match r with
  | Eq_ => a = b | Le => kle a b | Lt_ => klt a b | Ne => a <> b end.
Definition neqb (r s : rel) : bool := match r, s with Eq_, Eq_ | Le, Le | Lt_, Lt_ | Ne, Ne => true | _, _ => false end.
Lemma neqb_eq r s : neqb r s = true -> r = s. Proof. destruct r, s; simpl; congruence. Qed.

(* For all values of the letters named: left, relation, right; for all linear functions, where words stand. *)
Record formula := Formula { all : list letter; left : tm; relation : rel; right : tm }.
Record thm := Thm { hyps : list formula; lhs : tm; rl : rel; rhs : tm }.
Definition mem (x : letter) (l : list letter) : bool := existsb (leqb x) l.
Definition agree (u : list letter) (e e' : env) : Prop :=
  fv e = fv e' /\ size e = size e' /\ mv e = mv e' /\ (forall x, mem x u = false -> lv e x = lv e' x).
Definition holds (e : env) (h : formula) : Prop := forall e', valid e' -> agree (all h) e e' ->
  related (relation h) (den e' [] (left h)) (den e' [] (right h)).
Definition said (e : env) (th : thm) : Prop := related (rl th) (den e [] (lhs th)) (den e [] (rhs th)).
Definition truth (th : thm) : Prop := forall e, valid e -> (forall h, In h (hyps th) -> holds e h) -> said e th.

(* Values depend on the letters that occur, and on the binders that are there. *)
Lemma map_same (A B : Type) (f g : A -> B) l : (forall a, In a l -> f a = g a) -> map f l = map g l.
Proof. apply map_ext_in. Qed.
Lemma forallb_in (A : Type) (f : A -> bool) l a : forallb f l = true -> In a l -> f a = true.
Proof. rewrite forallb_forall; auto. Qed.
Lemma existsb_not (A : Type) (f : A -> bool) l a : existsb f l = false -> In a l -> f a = false.
Proof. intros H I. destruct (f a) eqn:E; auto. rewrite <- H. symmetry. apply existsb_exists; eauto. Qed.
Lemma kbind_ext b lo hi f g : (forall x, f x = g x) -> kbind b lo hi f = kbind b lo hi g.
Proof. intros H. f_equal. apply functional_extensionality; auto. Qed.

Section Stack.
  Variable e : env.
  Lemma den_stack t : forall n bs cs, closed n t = true -> (forall i, (i < n)%nat -> nth i bs (G 0 0) = nth i cs (G 0 0)) ->
    den e bs t = den e cs t /\ mden e bs t = mden e cs t.
  Proof.
    induction t using tm_ind'; intros m bs cs L S; cbn [closed] in L; split; cbn [den mden]; auto;
    try (rewrite Forall_forall in H);
    try (assert (map (den e bs) l = map (den e cs) l) as Q by (apply map_same; intros a I; eapply (H a I); eauto using forallb_in)).
    - apply S. apply Nat.ltb_lt; auto.
    - rewrite Q; auto.
    - rewrite Q; auto.
    - rewrite Q; auto.
    - f_equal. eapply IHt; eauto.
    - f_equal. eapply IHt; eauto.
    - apply andb_prop in L as []. f_equal; [eapply IHt1 | eapply IHt2]; eauto.
    - apply andb_prop in L as [L ?]. apply andb_prop in L as [].
      assert (den e bs t1 = den e cs t1) as -> by (eapply IHt1; eauto).
      assert (den e bs t2 = den e cs t2) as -> by (eapply IHt2; eauto).
      apply kbind_ext. intros x. eapply IHt3; eauto. intros [|i] Hi; simpl; auto. apply S; lia.
    - rewrite Q; auto.
    - do 2 f_equal. apply map_same. intros a I. eapply (H a I); eauto using forallb_in.
  Qed.
  Lemma den_closed bs t : closed 0 t = true -> den e bs t = den e [] t.
  Proof. intros L. eapply den_stack; eauto. lia. Qed.
End Stack.

Lemma den_letters e e' t : fv e = fv e' -> size e = size e' -> mv e = mv e' -> (words t = true -> wt e = wt e') ->
  (forall x, occurs x t = true -> lv e x = lv e' x) -> forall bs, den e bs t = den e' bs t /\ mden e bs t = mden e' bs t.
Proof.
  intros EF ES EM. induction t using tm_ind'; intros EW L bs; cbn [words occurs] in *; split; cbn [den mden]; auto;
  try (rewrite Forall_forall in H);
  try (assert (map (den e bs) l = map (den e' bs) l) as Q by (apply map_same; intros a I; apply (H a I);
    [intros W; apply EW; apply existsb_exists; eauto | intros y Y; apply L; apply existsb_exists; eauto])).
  - apply L. apply leqb_refl.
  - rewrite EF, Q; auto.
  - rewrite Q; auto.
  - rewrite Q; auto.
  - f_equal. apply IHt; auto.
  - f_equal. apply IHt; auto.
  - f_equal; [apply IHt1 | apply IHt2]; auto using orb_true_intro; intros; apply L || apply EW; apply orb_true_intro; auto.
  - assert (den e bs t1 = den e' bs t1) as -> by (apply IHt1; intros; apply L || apply EW; apply orb_true_intro; left; apply orb_true_intro; auto).
    assert (den e bs t2 = den e' bs t2) as -> by (apply IHt2; intros; apply L || apply EW; apply orb_true_intro; left; apply orb_true_intro; auto).
    apply kbind_ext. intros x. apply IHt3; intros; apply L || apply EW; apply orb_true_intro; auto.
  - rewrite EM, Q; auto.
  - rewrite ES, EW by auto. do 2 f_equal. apply map_same. intros a I. apply (H a I); intros; auto. apply L, existsb_exists; eauto.
Qed.

(* Substitution of bound letters: under the binders [us], f stands for what each was. *)
Lemma den_bv e f bs cs t :
  (forall us n, den e (us ++ bs) (f (length us) n) = nth n (us ++ cs) (G 0 0) /\ mden e (us ++ bs) (f (length us) n) = mone) ->
  forall us, den e (us ++ bs) (bvmap f (length us) t) = den e (us ++ cs) t
    /\ mden e (us ++ bs) (bvmap f (length us) t) = mden e (us ++ cs) t.
Proof.
  intros F. induction t using tm_ind'; intros us; cbn [bvmap]; split; cbn [den mden]; auto;
  try (rewrite Forall_forall in H; rewrite ?map_map);
  try (assert (map (fun a => den e (us ++ bs) (bvmap f (length us) a)) l = map (den e (us ++ cs)) l) as Q
    by (apply map_same; intros a I; apply (H a I)); rewrite ?Q; auto).
  - apply F.
  - apply F.
  - f_equal. apply IHt.
  - f_equal. apply IHt.
  - f_equal; [apply IHt1 | apply IHt2].
  - rewrite (proj1 (IHt1 us)), (proj1 (IHt2 us)). apply kbind_ext. intros x. apply (IHt3 (x :: us)).
  - do 2 f_equal. apply map_same. intros a I. destruct (H a I us) as [_ M].
    transitivity (mden e (us ++ bs) (bvmap f (length us) a)). reflexivity. rewrite M. reflexivity.
Qed.
Definition unmatrix (t : tm) : bool := match t with Mat _ _ _ => false | _ => true end.
Lemma unmatrix_mone e bs t : unmatrix t = true -> mden e bs t = mone.
Proof. destruct t; simpl; auto; discriminate. Qed.
Lemma nth_last (us : list C) n : nth n (us ++ [G 0 0]) (G 0 0) = nth n us (G 0 0).
Proof.
  destruct (Nat.lt_ge_cases n (length us)). rewrite app_nth1; auto.
  rewrite app_nth2 by auto. rewrite (nth_overflow us) by auto. destruct (n - length us)%nat as [|[|]]; reflexivity.
Qed.
Lemma nth_mid (us : list C) w : nth (length us) (us ++ [w]) (G 0 0) = w.
Proof. rewrite app_nth2, Nat.sub_diag; auto. Qed.
Lemma nth_other (us : list C) v w n : n <> length us -> nth n (us ++ [v]) (G 0 0) = nth n (us ++ [w]) (G 0 0).
Proof.
  intros N. destruct (Nat.lt_ge_cases n (length us)). rewrite !app_nth1; auto.
  rewrite !app_nth2 by auto. destruct (n - length us)%nat as [|[|]] eqn:E; try lia; reflexivity.
Qed.
(* A closed value for the letter of a binder; and a value that still has that letter. *)
Lemma den_opened e f t v w : (forall us, unmatrix (f (length us)) = true /\ den e (us ++ [w]) (f (length us)) = v) ->
  den e [w] (opened f t) = den e [v] t.
Proof.
  intros F. unfold opened. apply (den_bv e (fun d n => if Nat.eqb n d then f d else BV n) [w] [v] t) with (us := []).
  intros us n. destruct (Nat.eqb_spec n (length us)) as [->|N].
  - destruct (F us). rewrite nth_mid. split; auto. apply unmatrix_mone; auto.
  - split; auto. cbn [den]. apply nth_other; auto.
Qed.
Lemma den_nil e t : den e [] t = den e [G 0 0] t.
Proof.
  transitivity (den e [] (bvmap (fun _ n => BV n) 0 t)).
  - symmetry. apply (den_bv e (fun _ n => BV n) [] [] t) with (us := []). intros; split; auto.
  - transitivity (den e [G 0 0] (bvmap (fun _ n => BV n) 0 t)).
    2: { apply (den_bv e (fun _ n => BV n) [G 0 0] [G 0 0] t) with (us := []). intros; split; auto. }
    transitivity (den e [G 0 0] t). 2: { symmetry. apply (den_bv e (fun _ n => BV n) [G 0 0] [G 0 0] t) with (us := []). intros; split; auto. }
    apply (den_bv e (fun _ n => BV n) [] [G 0 0] t) with (us := []). intros us n. split; auto. rewrite app_nil_r. cbn [den]. rewrite nth_last; auto.
Qed.
Lemma den_at e t v : closed 0 v = true -> unmatrix v = true -> den e [] (at_ t v) = den e [den e [] v] t.
Proof.
  intros L M. rewrite den_nil. apply den_opened. intros us. split; auto. apply den_closed; auto.
Qed.

(* Substitution of closed terms. *)
Lemma find_in s t v : find s t = Some v -> In (t, v) s.
Proof.
  induction s as [|[k w] s]; simpl; try discriminate. destruct (eqb k t) eqn:E; auto.
  apply eqb_eq in E. intros [= <-]; subst; auto.
Qed.
Lemma put_unfold s t : put s t = match find s t with Some v => v | None => match t with
    | App g e l => App g e (map (put s) l)
    | Add l => Add (map (put s) l) | Mul l => Mul (map (put s) l)
    | Pow t n => Pow (put s t) n
    | F1 g t => F1 g (put s t) | F2 g t u => F2 g (put s t) (put s u)
    | Bind b lo hi t => Bind b (put s lo) (put s hi) (put s t)
    | Mat r g l => Mat r g (map (put s) l) | Word l => Word (map (put s) l)
    | _ => t end end.
Proof. destruct t; reflexivity. Qed.
Lemma den_put e e' s t : fv e = fv e' -> size e = size e' -> mv e = mv e' -> wt e = wt e' ->
  (forall k v, In (k, v) s -> unmatrix k = true /\ unmatrix v = true /\ forall bs, den e bs v = den e' bs k) ->
  (forall x, find s (var x) = None -> lv e x = lv e' x) ->
  forall bs, den e bs (put s t) = den e' bs t /\ mden e bs (put s t) = mden e' bs t.
Proof.
  intros EF ES EM EW K L. induction t using tm_ind'; intros bs; rewrite put_unfold;
  (match goal with |- context [find ?s ?t] => destruct (find s t) as [v|] eqn:F end;
   [apply find_in in F; destruct (K _ _ F) as (U & V & W); split; auto; rewrite !unmatrix_mone; auto|]);
  split; cbn [den mden]; auto;
  try (rewrite Forall_forall in H; rewrite ?map_map);
  try (assert (map (fun a => den e bs (put s a)) l = map (den e' bs) l) as Q
    by (apply map_same; intros a I; apply (H a I)); rewrite ?Q; auto).
  - rewrite EF; auto.
  - f_equal. apply IHt.
  - f_equal. apply IHt.
  - f_equal; [apply IHt1 | apply IHt2].
  - rewrite (proj1 (IHt1 bs)), (proj1 (IHt2 bs)). apply kbind_ext. intros x. apply IHt3.
  - rewrite EM; auto.
  - rewrite ES, EW. do 2 f_equal. apply map_same. intros a I. destruct (H a I bs) as [_ M].
    transitivity (mden e bs (put s a)). reflexivity. rewrite M. reflexivity.
Qed.

(* A letter with another value; and the letter of a binder. *)
Definition set (e : env) (x : letter) (c : C) : env :=
  Env (fun y => if leqb x y then c else lv e y) (fv e) (size e) (mv e) (wt e).
Lemma valid_set e x c : valid e -> inD (snd x) c -> valid (set e x c).
Proof.
  intros [L F] D. split; auto. intros y. simpl. destruct (leqb x y) eqn:E; auto. apply leqb_eq in E; subst; auto.
Qed.
Lemma den_bound e x c t : forall us, closed (length us) t = true ->
  den e (us ++ [c]) (bound x (length us) t) = den (set e x c) us t /\ mden e (us ++ [c]) (bound x (length us) t) = mden (set e x c) us t.
Proof.
  induction t using tm_ind'; intros us L; cbn [bound closed] in *; split; cbn [den mden]; auto;
  try (rewrite Forall_forall in H; rewrite ?map_map);
  try (assert (map (fun a => den e (us ++ [c]) (bound x (length us) a)) l = map (den (set e x c) us) l) as Q
    by (apply map_same; intros a I; apply (H a I); eauto using forallb_in); rewrite ?Q; auto).
  - simpl lv. destruct (leqb x (x0, d)); auto. cbn [den]. apply nth_mid.
  - destruct (leqb x (x0, d)); auto.
  - apply app_nth1. apply Nat.ltb_lt; auto.
  - f_equal. apply IHt; auto.
  - f_equal. apply IHt; auto.
  - apply andb_prop in L as []. f_equal; [apply IHt1 | apply IHt2]; auto.
  - apply andb_prop in L as [L ?]. apply andb_prop in L as []. rewrite (proj1 (IHt1 us H0)), (proj1 (IHt2 us H1)).
    apply kbind_ext. intros y. apply (IHt3 (y :: us)); auto.
  - do 2 f_equal. apply map_same. intros a I. destruct (H a I us) as [_ M]. eauto using forallb_in.
    transitivity (mden e (us ++ [c]) (bound x (length us) a)). reflexivity. rewrite M. reflexivity.
Qed.
Lemma den_bound0 e x c t : closed 0 t = true -> den e [c] (bound x 0 t) = den (set e x c) [] t.
Proof. intros L. apply (den_bound e x c t []); auto. Qed.
