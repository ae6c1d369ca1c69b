(* The terms of the kernel, their syntactic operations, and a total comparison. No meaning yet: Denote.v. *)
Require Import ZArith QArith List Bool Lia.
Import ListNotations.
Set Implicit Arguments.

(* Domains of letters, and what side conditions ask: not negative, positive, not zero. *)
Inductive dom := DZ | DN | DNp | DR | DRp | DC | DS | DM | Dge | Dgt | Dne.
Inductive f0 := Pi | Euler | Oo.
Inductive f1 := Exp | Log | Sqrt | Cos | Sin | Tan | Cosh | Sinh | Tanh | Conj | Abs | Re_ | Im_ | Inv
  | Ci | Si | Erf.
Inductive f2 := Powc | Delta.
Inductive binder := Sum | Prod | Int | Max | Lim.

(* BV n: the letter of the n-th binder around it. Mat: a matrix, transposed or not; it stands in Word alone.
   Ref n: the n-th shared term of a certificate; [resolve] puts it in its place before anything is checked. *)
Inductive tm :=
  | Num (a b : Q) | Var (x : positive) (d : dom) | BV (n : nat)
  | App (f : positive) (d : dom) (l : list tm)
  | Add (l : list tm) | Mul (l : list tm) | Pow (t : tm) (n : N)
  | F0 (f : f0) | F1 (f : f1) (t : tm) | F2 (f : f2) (t u : tm)
  | Bind (b : binder) (lo hi t : tm)
  | Mat (turned : bool) (f : positive) (l : list tm) | Word (l : list tm) | Ref (n : N).

Section Induction.
  Variable P : tm -> Prop.
  Hypothesis HNum : forall a b, P (Num a b).
  Hypothesis HVar : forall x d, P (Var x d).
  Hypothesis HBV : forall n, P (BV n).
  Hypothesis HApp : forall f d l, Forall P l -> P (App f d l).
  Hypothesis HAdd : forall l, Forall P l -> P (Add l).
  Hypothesis HMul : forall l, Forall P l -> P (Mul l).
  Hypothesis HPow : forall t n, P t -> P (Pow t n).
  Hypothesis HF0 : forall f, P (F0 f).
  Hypothesis HF1 : forall f t, P t -> P (F1 f t).
  Hypothesis HF2 : forall f t u, P t -> P u -> P (F2 f t u).
  Hypothesis HBind : forall b lo hi t, P lo -> P hi -> P t -> P (Bind b lo hi t).
  Hypothesis HMat : forall r f l, Forall P l -> P (Mat r f l).
  Hypothesis HWord : forall l, Forall P l -> P (Word l).
  Hypothesis HRef : forall n, P (Ref n).
  Fixpoint tm_ind' (t : tm) : P t :=
    let all := fix all (l : list tm) : Forall P l :=
      match l with [] => Forall_nil P | a :: l => Forall_cons a (tm_ind' a) (all l) end in
    match t with
    | Num a b => HNum a b | Var x d => HVar x d | BV n => HBV n
    | App f d l => HApp f d (all l) | Add l => HAdd (all l) | Mul l => HMul (all l)
    | Pow t n => HPow n (tm_ind' t) | F0 f => HF0 f | F1 f t => HF1 f (tm_ind' t)
    | F2 f t u => HF2 f (tm_ind' t) (tm_ind' u)
    | Bind b lo hi t => HBind b (tm_ind' lo) (tm_ind' hi) (tm_ind' t)
    | Mat r f l => HMat r f (all l) | Word l => HWord (all l) | Ref n => HRef n
    end.
End Induction.

(* A total order on terms: numbers the constructors, then goes through the arguments. *)
Definition ndom (d : dom) : N := match d with DZ => 0 | DN => 1 | DNp => 2 | DR => 4 | DRp => 5 | DC => 6
  | DS => 7 | DM => 8 | Dge => 9 | Dgt => 10 | Dne => 11 end.
Definition nf0 (f : f0) : N := match f with Pi => 0 | Euler => 1 | Oo => 2 end.
Definition nf1 (f : f1) : N := match f with Exp => 0 | Log => 1 | Sqrt => 2 | Cos => 3 | Sin => 4 | Tan => 5 | Cosh => 6
  | Sinh => 7 | Tanh => 8 | Conj => 9 | Abs => 10 | Re_ => 11 | Im_ => 12 | Inv => 13 | Ci => 14 | Si => 15 | Erf => 16 end.
Definition nf2 (f : f2) : N := match f with Powc => 0 | Delta => 1 end.
Definition nbinder (b : binder) : N := match b with Sum => 0 | Prod => 1 | Int => 2 | Max => 3 | Lim => 4 end.
Definition nbool (b : bool) : N := if b then 1 else 0.
Definition rank (t : tm) : N := match t with Num _ _ => 0 | Var _ _ => 1 | BV _ => 2 | App _ _ _ => 3 | Add _ => 4
  | Mul _ => 5 | Pow _ _ => 6 | F0 _ => 7 | F1 _ _ => 8 | F2 _ _ _ => 9 | Bind _ _ _ _ => 10 | Mat _ _ _ => 11
  | Word _ => 12 | Ref _ => 13 end.
Definition lex (c d : comparison) : comparison := match c with Eq => d | _ => c end.
Definition qcmp (a b : Q) : comparison := lex (Z.compare (Qnum a) (Qnum b)) (Pos.compare (Qden a) (Qden b)).
Section Lists.
  Variable A : Type.
  Variable cmp : A -> A -> comparison.
  Fixpoint lcmp (l m : list A) : comparison := match l, m with
    | [], [] => Eq | [], _ => Lt | _, [] => Gt | a :: l, b :: m => lex (cmp a b) (lcmp l m) end.
  Lemma lcmp_eq : forall l, Forall (fun a => forall b, cmp a b = Eq -> a = b) l -> forall m, lcmp l m = Eq -> l = m.
  Proof.
    induction 1; intros [|b m]; simpl; intros E; try discriminate; auto.
    destruct (cmp x b) eqn:F; try discriminate. f_equal; auto.
  Qed.
End Lists.
Fixpoint cmp (a b : tm) : comparison := match a, b with
  | Num p q, Num r s => lex (qcmp p r) (qcmp q s)
  | Var x d, Var y e => lex (Pos.compare x y) (N.compare (ndom d) (ndom e))
  | BV m, BV n => Nat.compare m n
  | App f d l, App g e m => lex (Pos.compare f g) (lex (N.compare (ndom d) (ndom e)) (lcmp cmp l m))
  | Add l, Add m => lcmp cmp l m
  | Mul l, Mul m => lcmp cmp l m
  | Pow t n, Pow u m => lex (N.compare n m) (cmp t u)
  | F0 f, F0 g => N.compare (nf0 f) (nf0 g)
  | F1 f t, F1 g u => lex (N.compare (nf1 f) (nf1 g)) (cmp t u)
  | F2 f t u, F2 g v w => lex (N.compare (nf2 f) (nf2 g)) (lex (cmp t v) (cmp u w))
  | Bind b lo hi t, Bind c lo' hi' u => lex (N.compare (nbinder b) (nbinder c)) (lex (cmp lo lo') (lex (cmp hi hi') (cmp t u)))
  | Mat r f l, Mat s g m => lex (N.compare (nbool r) (nbool s)) (lex (Pos.compare f g) (lcmp cmp l m))
  | Word l, Word m => lcmp cmp l m
  | Ref m, Ref n => N.compare m n
  | _, _ => N.compare (rank a) (rank b) end.

Lemma lex_eq c d : lex c d = Eq -> c = Eq /\ d = Eq.
Proof. destruct c; simpl; auto; discriminate. Qed.
Lemma qcmp_eq p q : qcmp p q = Eq -> p = q.
Proof.
  intros H; apply lex_eq in H as [A B]. destruct p, q; simpl in *.
  apply Z.compare_eq in A. apply Pos.compare_eq in B. congruence.
Qed.
Lemma ndom_eq d e : ndom d = ndom e -> d = e. Proof. destruct d, e; simpl; congruence. Qed.
Lemma nf0_eq d e : nf0 d = nf0 e -> d = e. Proof. destruct d, e; simpl; congruence. Qed.
Lemma nf1_eq d e : nf1 d = nf1 e -> d = e. Proof. destruct d, e; simpl; congruence. Qed.
Lemma nf2_eq d e : nf2 d = nf2 e -> d = e. Proof. destruct d, e; simpl; congruence. Qed.
Lemma nbinder_eq d e : nbinder d = nbinder e -> d = e. Proof. destruct d, e; simpl; congruence. Qed.
Lemma nbool_eq d e : nbool d = nbool e -> d = e. Proof. destruct d, e; simpl; congruence. Qed.
Ltac same_parts := repeat match goal with
  | H : lex _ _ = Eq |- _ => apply lex_eq in H as [? ?]
  | H : qcmp _ _ = Eq |- _ => apply qcmp_eq in H
  | H : Pos.compare _ _ = Eq |- _ => apply Pos.compare_eq in H
  | H : N.compare _ _ = Eq |- _ => apply N.compare_eq in H
  | H : Nat.compare _ _ = Eq |- _ => apply Nat.compare_eq in H
  | H : ndom _ = ndom _ |- _ => apply ndom_eq in H | H : nf0 _ = nf0 _ |- _ => apply nf0_eq in H
  | H : nf1 _ = nf1 _ |- _ => apply nf1_eq in H | H : nf2 _ = nf2 _ |- _ => apply nf2_eq in H
  | H : nbinder _ = nbinder _ |- _ => apply nbinder_eq in H | H : nbool _ = nbool _ |- _ => apply nbool_eq in H
  | H : lcmp cmp _ _ = Eq, F : Forall _ _ |- _ => eapply lcmp_eq in H; [|exact F]
  | H : cmp ?a _ = Eq, F : forall b, cmp ?a b = Eq -> _ |- _ => apply F in H end.
Lemma cmp_eq a : forall b, cmp a b = Eq -> a = b.
Proof.
  induction a using tm_ind'; intros [] E; try (vm_compute in E; discriminate E); cbn [cmp] in E; same_parts; congruence.
Qed.
Definition eqb (a b : tm) : bool := match cmp a b with Eq => true | _ => false end.
Lemma eqb_eq a b : eqb a b = true -> a = b.
Proof. unfold eqb. destruct (cmp a b) eqn:E; try discriminate. intros _; apply cmp_eq; auto. Qed.
Definition dom_eqb (a b : dom) : bool := N.eqb (ndom a) (ndom b).
Lemma dom_eqb_eq a b : dom_eqb a b = true -> a = b. Proof. intros H; apply N.eqb_eq, ndom_eq in H; auto. Qed.

(* Bound letters: f d n stands for BV n under d binders. *)
Fixpoint bvmap (f : nat -> nat -> tm) (d : nat) (t : tm) : tm := match t with
  | BV n => f d n
  | App g e l => App g e (map (bvmap f d) l)
  | Add l => Add (map (bvmap f d) l) | Mul l => Mul (map (bvmap f d) l)
  | Pow t n => Pow (bvmap f d t) n
  | F1 g t => F1 g (bvmap f d t) | F2 g t u => F2 g (bvmap f d t) (bvmap f d u)
  | Bind b lo hi t => Bind b (bvmap f d lo) (bvmap f d hi) (bvmap f (S d) t)
  | Mat r g l => Mat r g (map (bvmap f d) l) | Word l => Word (map (bvmap f d) l)
  | _ => t end.
(* The body of a binder with v for its letter, where v closed; or with BV 0 + k, and so on, in v. *)
Definition opened (v : nat -> tm) (t : tm) : tm := bvmap (fun d n => if Nat.eqb n d then v d else BV n) 0 t.
Definition at_ (t v : tm) : tm := opened (fun _ => v) t.
(* Two binders change places. *)
Definition exchanged (t : tm) : tm :=
  bvmap (fun d n => if Nat.eqb n d then BV (S d) else if Nat.eqb n (S d) then BV d else BV n) 0 t.

(* Every bound letter has its binder, but for n around the term. *)
Fixpoint closed (n : nat) (t : tm) : bool := match t with
  | BV m => Nat.ltb m n
  | App _ _ l | Add l | Mul l | Mat _ _ l | Word l => forallb (closed n) l
  | Pow t _ | F1 _ t => closed n t
  | F2 _ t u => closed n t && closed n u
  | Bind _ lo hi t => closed n lo && closed n hi && closed (S n) t
  | _ => true end.

(* Letters are free names with their domain. *)
Definition letter := (positive * dom)%type.
Definition var (x : letter) : tm := Var (fst x) (snd x).
Definition leqb (x y : letter) : bool := Pos.eqb (fst x) (fst y) && dom_eqb (snd x) (snd y).
Lemma leqb_eq x y : leqb x y = true -> x = y.
Proof. unfold leqb; intros H; apply andb_prop in H as [A B]. apply Pos.eqb_eq in A. apply dom_eqb_eq in B. destruct x, y; simpl in *; congruence. Qed.
Lemma leqb_refl x : leqb x x = true.
Proof. unfold leqb, dom_eqb. rewrite Pos.eqb_refl, N.eqb_refl. reflexivity. Qed.
Fixpoint occurs (x : letter) (t : tm) : bool := match t with
  | Var y d => leqb x (y, d)
  | App _ _ l | Add l | Mul l | Mat _ _ l | Word l => existsb (occurs x) l
  | Pow t _ | F1 _ t => occurs x t
  | F2 _ t u => occurs x t || occurs x u
  | Bind _ lo hi t => occurs x lo || occurs x hi || occurs x t
  | _ => false end.
Fixpoint words (t : tm) : bool := match t with
  | Word _ => true
  | App _ _ l | Add l | Mul l | Mat _ _ l => existsb words l
  | Pow t _ | F1 _ t => words t
  | F2 _ t u => words t || words u
  | Bind _ lo hi t => words lo || words hi || words t
  | _ => false end.

(* t with values for closed subterms, all at once, outermost first. *)
Fixpoint find (s : list (tm * tm)) (t : tm) : option tm := match s with
  | [] => None | (k, v) :: s => if eqb k t then Some v else find s t end.
Fixpoint put (s : list (tm * tm)) (t : tm) : tm := match find s t with
  | Some v => v
  | None => match t with
    | App g e l => App g e (map (put s) l)
    | Add l => Add (map (put s) l) | Mul l => Mul (map (put s) l)
    | Pow t n => Pow (put s t) n
    | F1 g t => F1 g (put s t) | F2 g t u => F2 g (put s t) (put s u)
    | Bind b lo hi t => Bind b (put s lo) (put s hi) (put s t)
    | Mat r g l => Mat r g (map (put s) l) | Word l => Word (map (put s) l)
    | _ => t end end.
(* The binder over a letter of a closed term: the letter becomes the binder's own. *)
Fixpoint bound (x : letter) (d : nat) (t : tm) : tm := match t with
  | Var y e => if leqb x (y, e) then BV d else t
  | App g e l => App g e (map (bound x d) l)
  | Add l => Add (map (bound x d) l) | Mul l => Mul (map (bound x d) l)
  | Pow t n => Pow (bound x d t) n
  | F1 g t => F1 g (bound x d t) | F2 g t u => F2 g (bound x d t) (bound x d u)
  | Bind b lo hi t => Bind b (bound x d lo) (bound x d hi) (bound x (S d) t)
  | Mat r g l => Mat r g (map (bound x d) l) | Word l => Word (map (bound x d) l)
  | _ => t end.
(* Shared terms in their places. *)
Fixpoint resolve (s : list tm) (t : tm) : tm := match t with
  | Ref n => nth (N.to_nat n) s (Num 0 0)
  | App g e l => App g e (map (resolve s) l)
  | Add l => Add (map (resolve s) l) | Mul l => Mul (map (resolve s) l)
  | Pow t n => Pow (resolve s t) n
  | F1 g t => F1 g (resolve s t) | F2 g t u => F2 g (resolve s t) (resolve s u)
  | Bind b lo hi t => Bind b (resolve s lo) (resolve s hi) (resolve s t)
  | Mat r g l => Mat r g (map (resolve s) l) | Word l => Word (map (resolve s) l)
  | _ => t end.
