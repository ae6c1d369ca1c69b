(* Polynomials over Q(i), sorted; their monomials are powers of atoms times the exponential of a polynomial.
   Only values matter for soundness: nothing is proved about order, which makes equal things be found equal. *)
Require Export Facts Denote.
Set Implicit Arguments.
Open Scope C_scope.

Inductive mono := Mono (ats : list (tm * positive)) (ex : list (mono * GQ)).
Definition poly := list (mono * GQ).
Section MonoInd.
  Variable P : mono -> Prop.
  Hypothesis H : forall ats ex, Forall (fun mc => P (fst mc)) ex -> P (Mono ats ex).
  Fixpoint mono_ind' (m : mono) : P m := match m with Mono ats ex =>
    H ats ((fix all (l : list (mono * GQ)) : Forall (fun mc => P (fst mc)) l :=
      match l with [] => Forall_nil _ | (m, c) :: l => Forall_cons (m, c) (mono_ind' m) (all l) end) ex) end.
End MonoInd.

(* Sums (products) of sorted lists: equal keys are added (multiplied). *)
Section Merge.
  Variables K V : Type.
  Variable cmp : K -> K -> comparison.
  Variable addv : V -> V -> option V.
  Fixpoint merge (p : list (K * V)) : list (K * V) -> list (K * V) :=
    match p with
    | [] => fun q => q
    | (k, v) :: p' => fix aux q := match q with
      | [] => p
      | (l, w) :: q' => match cmp k l with
        | Lt => (k, v) :: merge p' q
        | Gt => (l, w) :: aux q'
        | Eq => match addv v w with Some u => (k, u) :: merge p' q' | None => merge p' q' end end end end.
  Variable op : C -> C -> C.
  Variable unit : C.
  Variable val : K -> V -> C.
  Hypothesis assoc : forall a b c, op a (op b c) = op (op a b) c.
  Hypothesis comm : forall a b, op a b = op b a.
  Hypothesis unital : forall a, op unit a = a.
  Hypothesis equal : forall k l v w, cmp k l = Eq ->
    match addv v w with Some u => val k u = op (val k v) (val l w) | None => op (val k v) (val l w) = unit end.
  Definition total (p : list (K * V)) : C := fold_right (fun kv a => op (val (fst kv) (snd kv)) a) unit p.
  Lemma total_nil : total [] = unit. Proof. reflexivity. Qed.
  Lemma total_cons k v p : total ((k, v) :: p) = op (val k v) (total p). Proof. reflexivity. Qed.
  Lemma merge_total p : forall q, total (merge p q) = op (total p) (total q).
  Proof.
    induction p as [|[k v] p IH]. intros q; rewrite total_nil, unital; auto.
    induction q as [|[l w] q IHq]. simpl merge. rewrite total_nil, comm, unital; auto.
    pose proof (@equal k l v w) as E. cbn [merge]. destruct (cmp k l).
    - specialize (E eq_refl).
      assert (op (op (val k v) (total p)) (op (val l w) (total q)) = op (op (val k v) (val l w)) (op (total p) (total q))) as X.
      { rewrite <- !assoc. f_equal. rewrite !assoc. f_equal. apply comm. }
      rewrite !total_cons, X. destruct (addv v w); rewrite ?total_cons, IH, E; auto.
    - rewrite !total_cons, IH, total_cons, !assoc. auto.
    - change (total ((l, w) :: merge ((k, v) :: p) q) = op (total ((k, v) :: p)) (total ((l, w) :: q))).
      rewrite (total_cons l w), IHq, (total_cons l w), !assoc. f_equal. apply comm.
  Qed.
End Merge.

Definition gzero (c : GQ) : bool := Z.eqb (Qnum (fst c)) 0 && Z.eqb (Qnum (snd c)) 0.
Definition gsum (c d : GQ) : option GQ := let s := gadd c d in if gzero s then None else Some s.
Fixpoint mcmp (m n : mono) : comparison := match m, n with Mono a e, Mono b f =>
  lex (lcmp (fun x y => lex (cmp (fst x) (fst y)) (Pos.compare (snd x) (snd y))) a b)
      (lcmp (fun x y => lex (mcmp (fst x) (fst y)) (lex (qcmp (fst (snd x)) (fst (snd y))) (qcmp (snd (snd x)) (snd (snd y))))) e f) end.
Lemma mcmp_eq m : forall n, mcmp m n = Eq -> m = n.
Proof.
  induction m using mono_ind'. intros [b f] E. cbn [mcmp] in E. apply lex_eq in E as [A B]. f_equal.
  - eapply lcmp_eq; [|exact A]. apply Forall_forall. intros [x k] _ [y l] E. simpl in E. apply lex_eq in E as [E F].
    apply cmp_eq in E. apply Pos.compare_eq in F. congruence.
  - eapply lcmp_eq; [|exact B]. eapply Forall_impl; [|exact H]. intros [x [p q]] I [y [r s]] E. simpl in *. same_parts. apply I in H0. congruence.
Qed.

Definition padd : poly -> poly -> poly := merge mcmp gsum.
Definition mmul (m n : mono) : mono := match m, n with Mono a e, Mono b f =>
  Mono (merge cmp (fun k l => Some (k + l)%positive) a b) (padd e f) end.
Definition pscale (c : GQ) (p : poly) : poly := if gzero c then [] else map (fun mc => (fst mc, gmul c (snd mc))) p.
Definition gone : GQ := (1#1, 0#1)%Q.
Definition gm1 : GQ := (-1#1, 0#1)%Q.
Definition gi : GQ := (0#1, 1#1)%Q.
Definition gmi : GQ := (0#1, -1#1)%Q.
Definition ghalf : GQ := (1#2, 0#1)%Q.
Definition psub (p q : poly) : poly := padd p (pscale gm1 q).
Definition term1 (m : mono) (c : GQ) : poly := if gzero c then [] else [(m, c)].
Definition const (c : GQ) : poly := term1 (Mono [] []) c.
Definition patom (t : tm) : poly := [(Mono [(t, 1%positive)] [], gone)].
Definition pexp (p : poly) : poly := [(Mono [] p, gone)].

(* The sum of many terms, by merging halves: a stack of sums of 1, 2, 4, ... terms. *)
Fixpoint pushed (p : poly) (s : list (option poly)) : list (option poly) := match s with
  | [] => [Some p] | None :: s => Some p :: s | Some q :: s => None :: pushed (padd p q) s end.
Fixpoint popped (s : list (option poly)) : poly := match s with
  | [] => [] | None :: s => popped s | Some q :: s => padd q (popped s) end.
Definition collect (l : list (mono * GQ)) : poly := popped (fold_left (fun s mc => pushed (term1 (fst mc) (snd mc)) s) l []).
Definition pmul (p q : poly) : poly := match p, q with
  | [], _ => [] | _, [] => []
  | _, _ => collect (flat_map (fun mc => map (fun nd => (mmul (fst mc) (fst nd), gmul (snd mc) (snd nd))) q) p) end.
Fixpoint ppow (p : poly) (k : positive) : poly := match k with
  | xH => p | xO k => let q := ppow p k in pmul q q | xI k => let q := ppow p k in pmul p (pmul q q) end.
Definition ppown (p : poly) (k : N) : poly := match k with N0 => const gone | Npos k => ppow p k end.

(* The term that a polynomial is. *)
Definition one_or (f : list tm -> tm) (l : list tm) : tm := match l with [t] => t | _ => f l end.
Fixpoint tmm (mc : mono) (c : GQ) : tm := match mc with Mono ats ex =>
  let e := match ex with [] => [] | _ => [F1 Exp (one_or Add (map (fun nd => tmm (fst nd) (snd nd)) ex))] end in
  let a := map (fun ak => match snd ak with xH => fst ak | k => Pow (fst ak) (Npos k) end) ats in
  let unit := (Qeq_bool (fst c) 1 && Z.eqb (Qnum (snd c)) 0 && match a, e with [], [] => false | _, _ => true end)%bool in
  one_or Mul (if unit then a ++ e else Num (fst c) (snd c) :: a ++ e) end.
Definition tmp (p : poly) : tm := match p with [] => Num 0 0 | _ => one_or Add (map (fun mc => tmm (fst mc) (snd mc)) p) end.

Section Values.
  Variable e : env.
  Variable bs : list C.
  Definition denats (ats : list (tm * positive)) : C := total Cmult (G 1 0) (fun a k => kpow (den e bs a) (Pos.to_nat k)) ats.
  Fixpoint denm (m : mono) : C := match m with Mono ats ex =>
    denats ats * kexp (csum (map (fun mc => phi (snd mc) * denm (fst mc)) ex)) end.
  Definition denp (p : poly) : C := csum (map (fun mc => phi (snd mc) * denm (fst mc)) p).

  Lemma denp_total p : denp p = total Cplus (G 0 0) (fun m c => phi c * denm m) p.
  Proof. induction p as [|[m c] p IH]; auto. unfold denp in *. simpl. rewrite IH; auto. Qed.
  Lemma denm_mono a x : denm (Mono a x) = denats a * kexp (denp x). Proof. reflexivity. Qed.
  Lemma denp_cons m c p : denp ((m, c) :: p) = phi c * denm m + denp p. Proof. reflexivity. Qed.
  Lemma phi_add c d : phi (gadd c d) = phi c + phi d. Proof. apply (morph_add G_morph). Qed.
  Lemma phi_mul c d : phi (gmul c d) = phi c * phi d. Proof. apply (morph_mul G_morph). Qed.
  Lemma gzero_phi c : gzero c = true -> phi c = G 0 0.
  Proof.
    destruct c as [[a b] [c d]]. unfold gzero, phi, G; simpl. intros H; apply andb_prop in H as [A B].
    apply Z.eqb_eq in A, B. subst. unfold Q2R; simpl. apply Ceq; simpl; ring.
  Qed.
  Lemma phi_one : phi gone = G 1 0. Proof. reflexivity. Qed.
  Lemma padd_den p q : denp (padd p q) = denp p + denp q.
  Proof.
    rewrite !denp_total. unfold padd. apply merge_total; intros; try ring.
    apply mcmp_eq in H; subst. unfold gsum. destruct (gzero (gadd v w)) eqn:Z.
    apply gzero_phi in Z. rewrite phi_add in Z. transitivity ((phi v + phi w) * denm l). ring. rewrite Z; ring.
    rewrite phi_add; ring.
  Qed.
  Lemma pscale_den c p : denp (pscale c p) = phi c * denp p.
  Proof.
    unfold pscale. destruct (gzero c) eqn:Z. apply gzero_phi in Z. rewrite Z. unfold denp at 1; simpl; ring.
    clear Z. induction p as [|[m d] p IH]. unfold denp; simpl; ring. simpl map. rewrite !denp_cons, IH. cbn [fst snd]. rewrite phi_mul. ring.
  Qed.
  Lemma kpow_add z m n : kpow z (m + n) = kpow z m * kpow z n.
  Proof. induction m; cbn [kpow Nat.add]. ring. rewrite IHm; ring. Qed.
  Lemma mmul_den m n : denm (mmul m n) = denm m * denm n.
  Proof.
    destruct m as [a x], n as [b y]. cbn [mmul]. rewrite !denm_mono, padd_den, kexp_plus.
    assert (denats (merge cmp (fun k l => Some (k + l)%positive) a b) = denats a * denats b) as ->.
    { unfold denats. apply merge_total; intros; try ring. apply cmp_eq in H; subst. rewrite Pos2Nat.inj_add, kpow_add; ring. }
    ring.
  Qed.
  Lemma psub_den p q : denp (psub p q) = denp p + phi gm1 * denp q.
  Proof. unfold psub. rewrite padd_den, pscale_den; auto. Qed.
  Lemma term1_den m c : denp (term1 m c) = phi c * denm m.
  Proof.
    unfold term1. destruct (gzero c) eqn:Z. apply gzero_phi in Z; rewrite Z. unfold denp; simpl; ring.
    rewrite denp_cons. unfold denp; simpl; ring.
  Qed.
  Lemma denm_unit : denm (Mono [] []) = G 1 0.
  Proof. rewrite denm_mono. unfold denp, denats; simpl. rewrite kexp_0. ring. Qed.
  Lemma const_den c : denp (const c) = phi c.
  Proof. unfold const. rewrite term1_den, denm_unit. ring. Qed.
  Lemma patom_den t : denp (patom t) = den e bs t.
  Proof.
    unfold patom. rewrite denp_cons, denm_mono. unfold denp, denats; simpl. rewrite kexp_0, phi_one.
    change (Pos.to_nat 1) with 1%nat. cbn [kpow]. ring.
  Qed.
  Lemma pexp_den p : denp (pexp p) = kexp (denp p).
  Proof. unfold pexp. rewrite denp_cons, denm_mono, phi_one. unfold denp at 2; unfold denats; simpl. ring. Qed.
  Definition dens (s : list (option poly)) : C := csum (map (fun o => match o with Some p => denp p | None => G 0 0 end) s).
  Lemma pushed_den s : forall p, dens (pushed p s) = denp p + dens s.
  Proof.
    unfold dens. induction s as [|[q|] s IH]; intros p; simpl; auto. rewrite IH, padd_den. ring. ring.
  Qed.
  Lemma popped_den s : denp (popped s) = dens s.
  Proof. unfold dens. induction s as [|[q|] s IH]; simpl; auto. rewrite padd_den, IH; auto. rewrite IH; ring. Qed.
  Lemma collect_den l : denp (collect l) = denp l.
  Proof.
    unfold collect. rewrite popped_den.
    enough (forall s, dens (fold_left (fun s mc => pushed (term1 (fst mc) (snd mc)) s) l s) = dens s + denp l) as ->. unfold dens; simpl; ring.
    induction l as [|[m c] l IH]; intros s; simpl. unfold denp; simpl; ring.
    rewrite IH, pushed_den, term1_den, denp_cons. ring.
  Qed.
  Lemma denp_app p q : denp (p ++ q) = denp p + denp q.
  Proof. induction p as [|[m c] p IH]; simpl. unfold denp at 2; simpl; ring. rewrite !denp_cons, IH. ring. Qed.
  Lemma pmul_den p q : denp (pmul p q) = denp p * denp q.
  Proof.
    assert (X : denp (collect (flat_map (fun mc => map (fun nd => (mmul (fst mc) (fst nd), gmul (snd mc) (snd nd))) q) p)) = denp p * denp q).
    { rewrite collect_den. induction p as [|[m c] p IH]; simpl. unfold denp; simpl; ring.
      rewrite denp_app, IH, denp_cons.
      enough (denp (map (fun nd => (mmul m (fst nd), gmul c (snd nd))) q) = phi c * denm m * denp q) as ->. ring.
      clear. induction q as [|[n d] q IH]; simpl. unfold denp; simpl; ring. rewrite !denp_cons, IH, mmul_den, phi_mul. ring. }
    unfold pmul. destruct p; [unfold denp; simpl; ring|]. destruct q; [unfold denp at 1 3; simpl; ring | exact X].
  Qed.
  Lemma ppow_den p k : denp (ppow p k) = kpow (denp p) (Pos.to_nat k).
  Proof.
    induction k; cbn [ppow]; rewrite ?pmul_den, ?IHk.
    rewrite Pos2Nat.inj_xI. replace (S (2 * Pos.to_nat k)) with (S (Pos.to_nat k + Pos.to_nat k))%nat by lia. cbn [kpow]. rewrite kpow_add; auto.
    rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat by lia. rewrite kpow_add; auto.
    change (Pos.to_nat 1) with 1%nat. cbn [kpow]; ring.
  Qed.
  Lemma ppown_den p k : denp (ppown p k) = kpow (denp p) (N.to_nat k).
  Proof. destruct k; simpl. rewrite const_den; reflexivity. apply ppow_den. Qed.

  Lemma one_or_add l : den e bs (one_or Add l) = csum (map (den e bs) l).
  Proof. destruct l as [|t [|u l]]; auto. simpl. ring. Qed.
  Lemma one_or_mul l : den e bs (one_or Mul l) = cprod (map (den e bs) l).
  Proof. destruct l as [|t [|u l]]; auto. simpl. ring. Qed.
  Lemma cprod_app l m : cprod (l ++ m) = cprod l * cprod m.
  Proof. induction l; simpl. ring. rewrite IHl; ring. Qed.
  Lemma tmm_den m : forall c, den e bs (tmm m c) = phi c * denm m.
  Proof.
    induction m using mono_ind'. intros c. cbn [tmm]. rewrite one_or_mul, denm_mono.
    set (a := map _ ats). set (x := match ex with [] => [] | _ => _ end).
    assert (A : cprod (map (den e bs) a) = denats ats).
    { unfold a, denats. clear. induction ats as [|[t k] ats IH]; simpl; auto. rewrite IH. f_equal.
      destruct k; auto. change (Pos.to_nat 1) with 1%nat. cbn [kpow]; ring. }
    assert (X : cprod (map (den e bs) x) = kexp (denp ex)).
    { unfold x. destruct ex as [|mc ex]. symmetry; apply kexp_0. set (L := map (fun nd => tmm (fst nd) (snd nd)) (mc :: ex)).
      unfold cprod; cbn [map fold_right den kf1]. rewrite one_or_add. unfold L; rewrite map_map.
      assert (forall a : C, a * G 1 0 = a) as -> by (intros; ring). f_equal. unfold denp. f_equal. apply map_same. intros [n d] I.
      rewrite Forall_forall in H. apply (H _ I). }
    assert (AX : cprod (map (den e bs) (a ++ x)) = denats ats * kexp (denp ex)) by (rewrite map_app, cprod_app, A, X; auto).
    destruct (_ && _ && _)%bool eqn:U.
    - rewrite AX. apply andb_prop in U as [U _]. apply andb_prop in U as [U V]. apply Qeq_bool_eq in U. apply Z.eqb_eq in V.
      assert (phi c = G 1 0) as ->; [|ring]. unfold phi, G. f_equal. apply Qeq_eqR; auto. destruct (snd c) as [n d]; simpl in V; subst. unfold Q2R; simpl; ring.
    - cbn [map cprod fold_right den]. change (fold_right Cmult (G 1 0) (map (den e bs) (a ++ x))) with (cprod (map (den e bs) (a ++ x))). rewrite AX. reflexivity.
  Qed.
  Lemma tmp_den p : den e bs (tmp p) = denp p.
  Proof.
    unfold tmp. destruct p as [|mc p]. reflexivity. rewrite one_or_add, map_map. unfold denp. f_equal. apply map_same. intros; apply tmm_den.
  Qed.
End Values.
