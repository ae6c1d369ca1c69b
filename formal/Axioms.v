(* The axioms: each row with its conditions and its statement, and its proof. *)
Require Export Binders.
Set Implicit Arguments.
Open Scope C_scope.

Inductive ax :=
  | Inverse (x : tm) | Real_ (x : tm) | Modulus (z : tm) | Root (z : tm) | Logarithm (x : tm) | Powers (b x : tm)
  | RootAsPower (b : tm) | Alike (s u v : tm) | NaturalPowers (b m n : tm) | PlainPower (b n : tm)
  | QuarterTurn | ErfAtZero | IntegralsFar (x : tm) | IntegralsNear (x : tm) | Triangle (l : list tm)
  | TriangleSum (s : tm) | TriangleIntegral (s : tm) | CauchySchwarz (s t : tm) | Maximum (s t : tm)
  | Linear (b : binder) (lo hi : tm) (parts : list (tm * tm)) | Shift (s k : tm) | Split (s mid : tm)
  | Single (s : tm) | Empty (s : tm) | Swap (s : tm) | Join (s mid : tm).

Definition statement := (tm * rel * tm)%type.
Definition when (c : bool) (s : statement) : option statement := if c then Some s else None.
Definition thalf : tm := Num (1#2) (0#1).
Definition ti : tm := Num (0#1) (1#1).
Definition tpi : tm := F0 Pi.
Definition body_of (s : tm) : tm := match s with Bind _ _ _ t => t | _ => tzero end.
Definition body_in (s : tm) (d : dom) : bool := match s with Bind b lo hi t => body_lies (lies_by 60) [] b lo hi t d | _ => false end.
Definition is_binder (s : tm) (bs : list binder) : bool := match s with Bind b _ _ _ => existsb (fun c => N.eqb (nbinder b) (nbinder c)) bs | _ => false end.
Definition of_binder (b : binder) (s lo hi : tm) : bool := match s with Bind c lo' hi' _ => N.eqb (nbinder b) (nbinder c) && eqb lo lo' && eqb hi hi' | _ => false end.

Section Rows.
  Variable known : tm -> dom -> bool.
  Definition axiom_row (a : ax) : option statement := match a with
    | Inverse x => when (known x Dne) (Mul [x; F1 Inv x], Eq_, tone)
    | Real_ x => when (known x DR) (F1 Conj x, Eq_, x)
    | Modulus z => Some (Pow (F1 Abs z) 2, Eq_, Mul [z; F1 Conj z])
    | Root z => Some (Pow (F1 Sqrt z) 2, Eq_, z)
    | Logarithm x => when (known x Dne) (F1 Exp (F1 Log x), Eq_, x)
    | Powers b x => when (known b Dne) (F2 Powc b x, Eq_, F1 Exp (Mul [x; F1 Log b]))
    | RootAsPower b => when (known b Dne) (F1 Sqrt b, Eq_, F1 Exp (Mul [thalf; F1 Log b]))
    | Alike s u v => when (closed 0 u && closed 0 v && unmatrix u && unmatrix v)
        (Mul [F2 Delta u v; at_ (body_of s) u], Eq_, Mul [F2 Delta u v; at_ (body_of s) v])
    | NaturalPowers b m n => when (known m DN && known n DN) (F2 Powc b (Add [m; n]), Eq_, Mul [F2 Powc b m; F2 Powc b n])
    | PlainPower b n => match n with
        | Num (p # 1) (Z0 # 1) => when (Z.leb 0 p) (F2 Powc b n, Eq_, Pow b (Z.to_N p)) | _ => None end
    | QuarterTurn => Some (F1 Exp (Mul [ti; tpi; thalf]), Eq_, ti)
    | ErfAtZero => Some (F1 Erf tzero, Eq_, tzero)
    | Triangle l => Some (F1 Abs (Add l), Le, Add (map (F1 Abs) l))
    | TriangleSum s => match s with Bind Sum lo hi t => Some (F1 Abs s, Le, Bind Sum lo hi (F1 Abs t)) | _ => None end
    | CauchySchwarz s t => match s, t with Bind Sum lo hi a, Bind Sum lo' hi' b => when (eqb lo lo' && eqb hi hi')
        (Pow (F1 Abs (Bind Sum lo hi (Mul [a; b]))) 2, Le, Mul [Bind Sum lo hi (Pow (F1 Abs a) 2); Bind Sum lo hi (Pow (F1 Abs b) 2)])
      | _, _ => None end
    | Maximum s t => match s, t with Bind Sum lo hi a, Bind Sum lo' hi' b => when (eqb lo lo' && eqb hi hi' && body_in s Dge && body_in t DR)
        (Bind Sum lo hi (Mul [a; b]), Le, Mul [Bind Max lo hi b; s]) | _, _ => None end
    | Linear Sum lo hi parts => when (forallb (fun p => closed 0 (fst p) && of_binder Sum (snd p) lo hi) parts)
        (Bind Sum lo hi (Add (map (fun p => Mul [fst p; body_of (snd p)]) parts)), Eq_, Add (map (fun p => Mul [fst p; snd p]) parts))
    | Shift s k => match s with Bind b lo hi t => when (is_binder s [Sum; Prod; Max] && known k DZ && closed 0 k && unmatrix k)
        (s, Eq_, Bind b (Add [lo; k]) (Add [hi; k]) (opened (fun d => sub (BV d) k) t)) | _ => None end
    | Split s mid => match s with Bind b lo hi t => when (is_binder s [Sum; Prod] && known lo DZ && known hi DZ && known mid DZ
        && known (Add [sub mid lo; tone]) Dge && known (sub hi mid) Dge)
        (s, Eq_, (match b with Sum => Add | _ => Mul end) [Bind b lo mid t; Bind b (Add [mid; tone]) hi t]) | _ => None end
    | Single s => match s with Bind b lo hi t => when (is_binder s [Sum; Prod; Max] && same lo hi && known lo DZ && closed 0 lo && unmatrix lo
        && (negb (is_binder s [Max]) || body_in s DR)) (s, Eq_, at_ t lo) | _ => None end
    | Empty s => match s with Bind b lo hi t => when (is_binder s [Sum; Prod; Max] && known (sub lo hi) Dgt)
        (s, Eq_, match b with Prod => tone | _ => tzero end) | _ => None end
    | Swap s => match s with Bind Sum lo hi (Bind Sum lo2 hi2 t) => when (closed 0 lo && closed 0 hi && closed 0 lo2 && closed 0 hi2)
        (s, Eq_, Bind Sum lo2 hi2 (Bind Sum lo hi (exchanged t))) | _ => None end
    | _ => None end.
End Rows.

Lemma when_some c s r : when c s = Some r -> c = true /\ s = r.
Proof. destruct c; simpl; try discriminate. intros [= ->]; auto. Qed.
Lemma ksum_0 lo hi : ksum lo hi (fun _ => G 0 0) = G 0 0. Proof. apply Truths.ksum_0. Qed.
Lemma csum_tri l : kle (kabs (csum l)) (csum (map kabs l)).
Proof.
  induction l; cbn [csum map fold_right]. rewrite kabs_G0. apply kle_refl, Q0.
  eapply kle_trans; [apply kabs_tri|]. apply kle_plus; auto. apply kle_refl; reflexivity.
Qed.
Lemma ge_int_le lo hi : isR lo -> isR hi -> ge0 (hi + G (-1#1) (0#1) * lo) -> kle lo hi.
Proof. intros A B [_ H]. rewrite fst_sub in H. repeat split; auto; lra. Qed.
Lemma kmax_shift lo hi k f : isZ k -> kmax lo hi f = kmax (lo + k) (hi + k) (fun i => f (i + G (-1#1) (0#1) * k)).
Proof.
  intros [n ->]. assert (E : forall a, isR (a + zc n) <-> isR a) by (intros a; unfold isR; simpl; split; intros; lra).
  unfold kmax. apply if_same.
  - split; intros (A & B & H); (split; [apply E; auto | split; [apply E; auto|]]).
    + intros i ((m & ->) & L & U). rewrite m1_zc, zc_plus. apply H. split; [eexists; reflexivity|].
      destruct L as (_ & _ & L), U as (_ & _ & U). simpl in L, U. repeat split; auto; simpl; rewrite plus_IZR, opp_IZR; lra.
    + intros i ((m & ->) & L & U). replace (zc m) with (zc (m + n) + G (-1#1) (0#1) * zc n). apply H. split; [eexists; reflexivity|].
      destruct L as (_ & _ & L), U as (_ & _ & U). simpl in L, U. repeat split; try assumption; simpl; rewrite ?plus_IZR; try lra; auto.
      rewrite m1_zc, zc_plus. f_equal. lia.
  - intros _. f_equal. rewrite len_shift. assert (ix (lo + zc n) (fun i => f (i + G (-1#1) (0#1) * zc n)) = ix lo f) as ->; auto.
    apply functional_extensionality. intros j. apply ix_shift.
Qed.
Lemma kmax_single lo f : isZ lo -> isR (f lo) -> kmax lo lo f = f lo.
Proof.
  intros [l ->] R. unfold kmax. destruct excluded_middle_informative as [_|N].
  - rewrite len_Z. replace (Z.to_nat (l - l + 1)) with 1%nat by lia. simpl. rewrite ix_Z. simpl. rewrite Z.add_0_r. symmetry; apply isR_iff; auto.
  - elim N. repeat split; auto. intros i ((m & ->) & L & U). destruct L as (_ & _ & L), U as (_ & _ & U). simpl in L, U. apply le_IZR in L, U.
    replace m with l by lia. auto.
Qed.
Lemma kmax_empty lo hi f : gt0 (lo + G (-1#1) (0#1) * hi) -> kmax lo hi f = G 0 0.
Proof.
  intros [_ H]. rewrite fst_sub in H. unfold kmax. destruct excluded_middle_informative as [(A & B & _)|]; [|symmetry; apply G0].
  rewrite len_empty; auto. simpl. rewrite G0; auto. lra.
Qed.

Lemma den_exchanged e x y t : den e [x; y] (exchanged t) = den e [y; x] t.
Proof.
  transitivity (den e ([] ++ [x; y]) (bvmap (fun d n => if Nat.eqb n d then BV (S d) else if Nat.eqb n (S d) then BV d else BV n) (length (@nil C)) t)). reflexivity.
  refine (proj1 (@den_bv e _ [x; y] [y; x] t _ [])). intros us n.
  destruct (Nat.eqb_spec n (length us)) as [->|N1]. split; auto. cbn [den]. rewrite !app_nth2 by lia. rewrite Nat.sub_diag. replace (S (length us) - length us)%nat with 1%nat by lia. reflexivity.
  destruct (Nat.eqb_spec n (S (length us))) as [->|N2]. split; auto. cbn [den]. rewrite !app_nth2 by lia. rewrite Nat.sub_diag. replace (S (length us) - length us)%nat with 1%nat by lia. reflexivity.
  split; auto. cbn [den]. destruct (Nat.lt_ge_cases n (length us)). rewrite !app_nth1; auto. rewrite !app_nth2 by lia.
  destruct (n - length us)%nat as [|[|j]] eqn:E; try lia. reflexivity.
Qed.
Definition row_of (e : env) (s : statement) : Prop := related (snd (fst s)) (den e [] (fst (fst s))) (den e [] (snd s)).
Lemma axiom_row_ok e known a s : valid e -> (forall t d, known t d = true -> inD d (den e [] t)) -> axiom_row known a = Some s -> row_of e s.
Proof.
  intros V K. unfold row_of. destruct a; cbn [axiom_row]; try discriminate;
  try (intros H; apply when_some in H as [H <-]; cbn [fst snd related den map cprod csum fold_right kf1 kf2 kf0]).
  - apply K in H. simpl in H. transitivity (den e [] x * kinv (den e [] x)). ring. rewrite kinv_r; auto.
  - apply K in H. apply conj_real; auto.
  - intros [= <-]. cbn [fst snd related den map cprod csum fold_right kf1]. change (N.to_nat 2) with 2%nat. rewrite ax_modulus. ring.
  - intros [= <-]. cbn [fst snd related den kf1]. change (N.to_nat 2) with 2%nat. apply ax_root.
  - apply K in H. apply ax_logarithm; auto.
  - apply K in H. rewrite ax_powers by auto. f_equal. ring.
  - apply K in H. rewrite ax_root_as_power by auto. f_equal. cbn [thalf den]. ring.
  - conds H. rewrite !den_at by auto.
    transitivity (kdelta (den e [] u) (den e [] v) * den e [den e [] u] (body_of s0)). ring.
    rewrite (ax_alike (fun z => den e [z] (body_of s0))). ring.
  - conds H. apply K in H, A. transitivity (kpowc (den e [] b) (den e [] m + den e [] n)). f_equal; ring. rewrite ax_natural_powers by auto. ring.
  - destruct n as [[p [| |]] [[] [| |]]| | | | | | | | | | | | |]; try discriminate. intros H. apply when_some in H as [H <-]. cbn [fst snd related den kf2].
    apply Z.leb_le in H. rewrite <- (Z2Nat.id p) at 1 by auto. rewrite ax_plain_power. f_equal. lia.
  - intros [= <-]. cbn [fst snd related den map cprod fold_right kf1 kf0 ti tpi thalf]. transitivity (kexp (G (0#1) (1#1) * kpi * G (1#2) (0#1))). f_equal; ring. apply ax_quarter_turn.
  - intros [= <-]. apply ax_erf_at_zero.
  - intros [= <-]. cbn [fst snd related den kf1]. rewrite map_map. cbn [den kf1]. rewrite <- (map_map (den e []) kabs). apply csum_tri.
  - destruct s0 as [| | | | | | | | | |[] lo hi t| | |]; try discriminate. intros [= <-]. cbn [fst snd related den kf1 kbind]. apply ax_triangle_sum.
  - destruct s0 as [| | | | | | | | | |[] lo hi a| | |]; try discriminate. destruct t as [| | | | | | | | | |[] lo' hi' b| | |]; try discriminate.
    intros H; apply when_some in H as [H <-]. cbn [fst snd related den kf1 kbind map cprod fold_right]. change (N.to_nat 2) with 2%nat.
    pose proof (ax_cauchy_schwarz (den e [] lo) (den e [] hi) (fun i => den e [i] a) (fun i => den e [i] b)) as Q.
    replace (ksum (den e [] lo) (den e [] hi) (fun x => den e [x] a * (den e [x] b * G 1 0))) with (ksum (den e [] lo) (den e [] hi) (fun x => den e [x] a * den e [x] b)).
    match goal with |- kle _ ?r => match type of Q with kle _ ?q => replace r with q by ring end end. exact Q.
    apply ksum_ext. intros; ring.
  - destruct s0 as [| | | | | | | | | |[] lo hi a| | |]; try discriminate. destruct t as [| | | | | | | | | |[] lo' hi' b| | |]; try discriminate.
    intros H; apply when_some in H as [H <-]. conds H. apply eqb_eq in H, A1. subst lo' hi'. cbn [fst snd related den kbind map cprod fold_right].
    assert (FN : fits [] []) by constructor. pose proof (@lies_by_ok e 60 V) as SL.
    unfold body_in in A0, A.
    pose proof (@body_range e _ SL [] [] FN Sum lo hi a Dge A0 ltac:(discriminate) ltac:(discriminate)) as QA.
    pose proof (@body_range e _ SL [] [] FN Sum lo hi b DR A ltac:(discriminate) ltac:(discriminate)) as QB.
    pose proof (ax_maximum _ _ _ _ QA QB) as Q.
    replace (ksum (den e [] lo) (den e [] hi) (fun x => den e [x] a * (den e [x] b * G 1 0))) with (ksum (den e [] lo) (den e [] hi) (fun x => den e [x] a * den e [x] b)).
    match goal with |- kle _ ?r => match type of Q with kle _ ?q => replace r with q by ring end end. exact Q.
    apply ksum_ext. intros; ring.
  - destruct b; try discriminate. intros H; apply when_some in H as [H <-]. cbn [fst snd related den kbind].
    induction parts as [|[c t] parts IH]; cbn [map csum fold_right]. apply ksum_0. cbn [forallb fst snd] in *.
    apply andb_prop in H as [H1 H2]. apply andb_prop in H1 as [H1 H3]. specialize (IH H2). change (fold_right Cplus (G 0 0)) with csum in *.
    rewrite ksum_plus, IH. f_equal. destruct t as [| | | | | | | | | |b' lo' hi' t| | |]; try discriminate. cbn [of_binder] in H3. conds H3. apply N.eqb_eq, nbinder_eq in H3. apply eqb_eq in A, A0. subst.
    cbn [body_of den map cprod fold_right kbind]. transitivity (den e [] c * ksum (den e [] lo') (den e [] hi') (fun x => den e [x] t)); [|ring].
    rewrite <- ksum_scal. apply ksum_ext. intros i _. rewrite (@den_closed e [i] c) by auto. ring.
  - destruct s0 as [| | | | | | | | | |b lo hi t| | |]; try discriminate. intros H; apply when_some in H as [H <-]. conds H. apply K in A1. simpl in A1.
    cbn [fst snd related den map csum fold_right].
    assert (X : forall i, den e [i] (opened (fun d => sub (BV d) k) t) = den e [i + G (-1#1) (0#1) * den e [] k] t).
    { intros i. apply den_opened. intros us. split; auto. rewrite sub_den. cbn [den]. rewrite nth_mid, den_closed; auto. }
    assert (Y : forall z, z + (den e [] k + G 0 0) = z + den e [] k) by (intros; ring). rewrite !Y.
    replace (fun x => den e [x] (opened (fun d => sub (BV d) k) t)) with (fun i => (fun z => den e [z] t) (i + G (-1#1) (0#1) * den e [] k)) by (apply functional_extensionality; intros; rewrite X; auto).
    destruct b; try discriminate; cbn [kbind]. apply (ax_shift_sum _ _ _ (fun z => den e [z] t)); auto. apply (ax_shift_prod _ _ _ (fun z => den e [z] t)); auto. apply (kmax_shift _ _ (fun z => den e [z] t)); auto.
  - destruct s0 as [| | | | | | | | | |b lo hi t| | |]; try discriminate. intros H; apply when_some in H as [H <-]. conds H. apply K in A, A0, A1, A2, A3. cbn [inD] in *.
    cbn [den map csum fold_right] in A0. rewrite sub_den in A, A0. cbn [tone den] in A0.
    replace (den e [] mid + G (-1#1) (0#1) * den e [] lo + (G (1#1) (0#1) + G 0 0)) with (den e [] mid + G (-1#1) (0#1) * den e [] lo + G (1#1) (0#1)) in A0 by ring.
    destruct b; try discriminate; cbn [fst snd related den map csum cprod fold_right kbind tone].
    replace (den e [] mid + (G (1#1) (0#1) + G 0 0)) with (den e [] mid + G (1#1) (0#1)) by ring. rewrite (ax_split_sum _ _ (den e [] mid)); auto. ring.
    replace (den e [] mid + (G (1#1) (0#1) + G 0 0)) with (den e [] mid + G (1#1) (0#1)) by ring. rewrite (ax_split_prod _ _ (den e [] mid)); auto. ring.
  - destruct s0 as [| | | | | | | | | |b lo hi t| | |]; try discriminate. intros H; apply when_some in H as [H <-]. conds H. apply K in A2. cbn [inD] in A2.
    apply same_nil with (e := e) in A3; auto. cbn [fst snd related den]. rewrite <- A3, den_at by auto.
    destruct b; try discriminate; cbn [kbind]. apply (ax_single_sum _ (fun z => den e [z] t)); auto. apply (ax_single_prod _ (fun z => den e [z] t)); auto.
    apply (@kmax_single (den e [] lo) (fun z => den e [z] t)); auto. simpl in A. unfold body_in in A. pose proof (@lies_by_ok e 60 V) as SL.
    assert (FN : fits [] []) by constructor.
    apply (@body_range e _ SL [] [] FN Max lo hi t DR A ltac:(discriminate) ltac:(discriminate)). rewrite <- A3. split; auto. split; apply kle_refl; apply Z_R; auto.
  - destruct s0 as [| | | | | | | | | |b lo hi t| | |]; try discriminate. intros H; apply when_some in H as [H <-]. conds H. apply K in A. cbn [inD] in A. rewrite sub_den in A.
    destruct b; try discriminate; cbn [fst snd related den kbind tone tzero]. apply ax_empty_sum; auto. apply ax_empty_prod; auto. apply kmax_empty; auto.
  - destruct s0 as [| | | | | | | | | |[] lo hi t| | |]; try discriminate. destruct t as [| | | | | | | | | |[] lo2 hi2 t| | |]; try discriminate.
    intros H; apply when_some in H as [H <-]. conds H. cbn [fst snd related den kbind].
    transitivity (ksum (den e [] lo) (den e [] hi) (fun x => ksum (den e [] lo2) (den e [] hi2) (fun y => den e [y; x] t))).
    apply ksum_ext. intros i _. rewrite (@den_closed e [i] lo2), (@den_closed e [i] hi2) by auto. reflexivity.
    rewrite ax_swap. apply ksum_ext. intros j _. rewrite (@den_closed e [j] lo), (@den_closed e [j] hi) by auto. apply ksum_ext. intros i _.
    symmetry. apply den_exchanged.
Qed.
