(* Enclosures of terms: numbers that are apart, and an order that is shown on each cell of a range. *)
Require Export Enclose Derivative.
Set Implicit Arguments.
Open Scope C_scope.

(* A complex number: the enclosures of both parts. *)
Definition box := (iv * iv)%type.
Definition inb (p : Z) (b : box) (z : C) : Prop := inn p (fst b) (fst z) /\ inn p (snd b) (snd z).
Definition fine_real (i : iv) : box := (i, (0, 0)%Z).
Section Places.
  Variable p : Z.
  Definition bnum (a b : Q) : box := (icst p (Qnum a) (Zpos (Qden a)), icst p (Qnum b) (Zpos (Qden b))).
  Definition badd (a b : box) : box := (iadd (fst a) (fst b), iadd (snd a) (snd b)).
  Definition bmul (a b : box) : box := (iadd (imul p (fst a) (fst b)) (iopp (imul p (snd a) (snd b))), iadd (imul p (fst a) (snd b)) (imul p (snd a) (fst b))).
  Definition both (f : box -> box -> box) (a b : option box) : option box := match a, b with Some a, Some b => Some (f a b) | _, _ => None end.
  Fixpoint bpower (b : box) (n : nat) : box := match n with O => bnum 1 0 | S n => bmul b (bpower b n) end.
  Definition breal (f : iv -> option iv) (b : box) : option box := if exact0 (snd b) then match f (fst b) with Some i => Some (fine_real i) | None => None end else None.
  Definition bexp (b : box) : option box := match iexp p (fst b) with
    | Some e => Some (if exact0 (snd b) then fine_real e else (imul p e (ecos p (snd b)), imul p e (esin p (snd b)))) | None => None end.
  Definition bf0 (f : f0) : option box := match f with Pi => Some (fine_real (at_places p pi_160)) | Euler => Some (fine_real (at_places p euler_160)) | Oo => None end.
  Definition bf1 (f : f1) (b : box) : option box := match f with
    | Exp => bexp b | Log => breal (eln p) b | Cos => breal (fun i => Some (ecos p i)) b | Sin => breal (fun i => Some (esin p i)) b
    | Abs => breal (fun i => Some (iabs i)) b | Inv => breal (iinv p) b | Ci => breal (ici p) b | _ => None end.
  Definition bpowc (b x : box) : option box := match breal (eln p) b with Some l => bexp (bmul x l) | None => None end.
  (* The integer that is enclosed without error. *)
  Definition whole (b : box) : option Z := if exact0 (snd b) then if (snd (fst b) =? 0)%Z then if (fst (fst b) mod 2 ^ p =? 0)%Z then Some (fst (fst b) / 2 ^ p)%Z else None else None else None.
  Fixpoint bsum (h : list box -> option box) (bs : list box) (m : Z) (n : nat) : option box := match n with
    | O => Some (bnum 0 0) | S n => both badd (bsum h bs m n) (h (bnum (inject_Z (m + Z.of_nat n)) 0 :: bs)) end.
  (* What depends on no bound letter is computed once. *)
  Definition hold (c : bool) (f : list box -> option box) : list box -> option box := if c then let v := f [] in fun _ => v else f.
  Fixpoint enc (t : tm) : list box -> option box := hold (closed 0 t) (match t with
    | Num a b => fun _ => Some (bnum a b) | BV n => fun bs => nth_error bs n
    | Add l => let fs := map enc l in fun bs => fold_right (fun f s => both badd (f bs) s) (Some (bnum 0 0)) fs
    | Mul l => let fs := map enc l in fun bs => fold_right (fun f s => both bmul (f bs) s) (Some (bnum 1 0)) fs
    | Pow u n => let f := enc u in fun bs => match f bs with Some b => Some (bpower b (N.to_nat n)) | None => None end
    | F0 f => fun _ => bf0 f
    | F1 f u => let g := enc u in fun bs => match g bs with Some b => bf1 f b | None => None end
    | F2 Powc u v => let f := enc u in let g := enc v in fun bs => match f bs, g bs with Some b, Some x => bpowc b x | _, _ => None end
    | Bind Sum lo hi u => let f := enc lo in let g := enc hi in let h := enc u in fun bs => match f bs, g bs with
        | Some a, Some b => match whole a, whole b with Some m, Some n => bsum h bs m (Z.to_nat (n - m + 1)) | _, _ => None end | _, _ => None end
    | _ => fun _ => None end).

  Hypothesis P : (0 <= p <= high)%Z.
  Let P0 : (0 <= p)%Z := proj1 P.
  Lemma bnum_ok a b : inb p (bnum a b) (G a b).
  Proof. split; apply (icst_ok P0); lia. Qed.
  Lemma badd_ok a b y z : inb p a y -> inb p b z -> inb p (badd a b) (y + z).
  Proof. intros [] []. split; apply iadd_ok; auto. Qed.
  Lemma bmul_ok a b y z : inb p a y -> inb p b z -> inb p (bmul a b) (y * z).
  Proof. intros [] []. split; simpl; unfold Rminus; apply iadd_ok; try apply iopp_ok; apply imul_ok; auto. Qed.
  Lemma both_ok f (F : C -> C -> C) a b c y z : (forall a b, inb p a y -> inb p b z -> inb p (f a b) (F y z)) -> both f a b = Some c ->
    (forall d, a = Some d -> inb p d y) -> (forall d, b = Some d -> inb p d z) -> inb p c (F y z).
  Proof. intros H E A B. destruct a, b; try discriminate. apply some_eq in E. rewrite <- E. auto. Qed.
  Lemma bpower_ok b z n : inb p b z -> inb p (bpower b n) (kpow z n).
  Proof. intros H. induction n; cbn [bpower kpow]. apply bnum_ok. apply bmul_ok; auto. Qed.
  Lemma real_inb i x : inn p i x -> inb p (fine_real i) (RtoC x).
  Proof. intros H. split; auto. apply zero_inn. Qed.
  Lemma inb_real b z : exact0 (snd b) = true -> inb p b z -> z = RtoC (fst z).
  Proof. intros Z0 [_ I]. apply isR_iff. exact (@inn_zero p P0 _ _ Z0 I). Qed.
  Lemma breal_ok f (F : R -> R) (K : C -> C) b c z : (forall i j x, f i = Some j -> inn p i x -> inn p j (F x) /\ K (RtoC x) = RtoC (F x)) ->
    breal f b = Some c -> inb p b z -> inb p c (K z).
  Proof.
    unfold breal. destruct (exact0 (snd b)) eqn:Z0; try discriminate. destruct (f (fst b)) as [j|] eqn:E; try discriminate. intros H Q I. apply some_eq in Q. rewrite <- Q.
    rewrite (@inb_real _ _ Z0 I). destruct I as [I _]. destruct (H _ _ _ E I) as [J ->]. apply real_inb; auto.
  Qed.
  Lemma bexp_ok b c z : bexp b = Some c -> inb p b z -> inb p c (kexp z).
  Proof.
    unfold bexp. destruct (iexp p (fst b)) as [e|] eqn:E; try discriminate. intros Q [A B]. apply some_eq in Q. pose proof (@iexp_ok p P0 _ _ _ E A) as X.
    destruct (exact0 (snd b)) eqn:Z0; rewrite <- Q. rewrite (@inb_real _ _ Z0 (Logic.conj A B)), kexp_R. apply real_inb; auto.
    split; simpl; apply imul_ok; auto. apply ecos_ok; auto. apply esin_ok; auto.
  Qed.
  Lemma positive_real x : (0 < x)%R -> gt0 (RtoC x). Proof. intros; split; auto; reflexivity. Qed.
  Lemma blog_ok b c z : breal (eln p) b = Some c -> inb p b z -> inb p c (klog z).
  Proof. apply (@breal_ok (eln p) ln klog). intros i j x E I. split. exact (@eln_ok p P i j x E I). apply klog_pos, positive_real. exact (@eln_positive p P i j x E I). Qed.
  Lemma kCi_split z : kCi z = (keuler + klog z + RtoC (RInt cin 0 (fst z)))%C. Proof. reflexivity. Qed.
  Lemma bf1_ok f b c z : bf1 f b = Some c -> inb p b z -> inb p c (kf1 f z).
  Proof.
    destruct f; cbn [bf1 kf1]; try discriminate; intros E I.
    - apply (@bexp_ok _ _ _ E I).
    - apply (@blog_ok _ _ _ E I).
    - refine (@breal_ok _ cos kcos _ _ _ _ E I). intros i j x Q J. apply some_eq in Q. rewrite <- Q. split. apply ecos_ok; auto. apply kcos_R.
    - refine (@breal_ok _ sin ksin _ _ _ _ E I). intros i j x Q J. apply some_eq in Q. rewrite <- Q. split. apply esin_ok; auto. apply ksin_R.
    - refine (@breal_ok _ Rabs kabs _ _ _ _ E I). intros i j x Q J. apply some_eq in Q. rewrite <- Q. split. apply iabs_ok; auto. unfold kabs. rewrite Cmod_R. reflexivity.
    - refine (@breal_ok _ Rinv kinv _ _ _ _ E I). intros i j x Q J. split. exact (@iinv_ok p P0 i j x Q J).
      assert (R : isR (RtoC x)) by reflexivity. pose proof (isR_inv _ R) as R2. apply isR_iff in R2. rewrite R2, inv_fst by auto. reflexivity.
    - refine (@breal_ok _ ci kCi _ _ _ _ E I). intros i j x Q J. destruct (@ici_ok p i j x P Q J) as [X Y]. split; auto.
      rewrite kCi_split, klog_pos by (apply positive_real; auto). unfold ci. cbn [fst RtoC]. change (keuler) with (RtoC (fst keuler)) at 1. rewrite <- !RtoC_plus. reflexivity.
  Qed.
  Lemma bpowc_ok b x c y z : bpowc b x = Some c -> inb p b y -> inb p x z -> inb p c (kpowc y z).
  Proof.
    unfold bpowc. destruct (breal (eln p) b) as [l|] eqn:L; try discriminate. intros E B X. rewrite kcond. apply (@bexp_ok _ _ _ E). apply bmul_ok; auto. apply (@blog_ok _ _ _ L B).
    unfold breal in L. destruct (exact0 (snd b)) eqn:Z0; try discriminate. destruct (eln p (fst b)) as [j|] eqn:J; try discriminate. rewrite (@inb_real _ _ Z0 B). apply gt_ne, positive_real. exact (@eln_positive p P _ _ _ J (proj1 B)).
  Qed.
  Lemma whole_ok b z n : whole b = Some n -> inb p b z -> z = zc n.
  Proof.
    unfold whole. destruct (exact0 (snd b)) eqn:Z0; try discriminate. destruct (Z.eqb_spec (snd (fst b)) 0) as [R0|]; try discriminate. destruct (Z.eqb_spec (fst (fst b) mod 2 ^ p) 0) as [M|]; try discriminate.
    intros E I. apply some_eq in E. rewrite (@inb_real _ _ Z0 I). destruct I as [I _]. unfold inn in I. rewrite R0 in I. unfold zc. f_equal. pose proof (s_pos P0) as S0.
    assert (D : (fst (fst b) = 2 ^ p * n)%Z). { rewrite <- E. pose proof (Z.div_mod (fst (fst b)) (2 ^ p) ltac:(apply lt_IZR in S0; lia)). lia. }
    rewrite D, mult_IZR in I. apply Rabs_le_between in I. simpl in I. apply Rmult_eq_reg_r with (IZR (2 ^ p)); lra.
  Qed.
  Lemma ksum_zc m n f : ksum (zc m) (zc n) f = nsum (fun k => f (zc (m + Z.of_nat k))) (Z.to_nat (n - m + 1)).
  Proof. unfold ksum. rewrite R_ends by reflexivity. unfold len, ix. rewrite !fst_zc, ceil_Z, ip_Z. reflexivity. Qed.
  Lemma hold_ok e t f : (forall bs vs b, Forall2 (inb p) bs vs -> f bs = Some b -> inb p b (den e vs t)) ->
    forall bs vs b, Forall2 (inb p) bs vs -> hold (closed 0 t) f bs = Some b -> inb p b (den e vs t).
  Proof.
    intros H bs vs b F. unfold hold. destruct (closed 0 t) eqn:L; [|eauto]. cbv zeta. intros E. rewrite den_closed by auto. apply (H [] []); auto.
  Qed.
  Lemma enc_ok e t : forall bs vs b, Forall2 (inb p) bs vs -> enc t bs = Some b -> inb p b (den e vs t).
  Proof.
    induction t using tm_ind'; intros bs vs; cbn [enc]; revert bs vs; apply hold_ok; intros bs vs c F; cbv zeta; try discriminate.
    - intros E. apply some_eq in E. rewrite <- E. apply bnum_ok.
    - cbn [den]. clear -F. revert n. induction F as [|b z bs vs B F IH]; intros [|n]; simpl; try discriminate. intros E. apply some_eq in E. rewrite <- E; auto. apply IH.
    - cbn [den]. revert c. induction H as [|a l A _ IH]; cbn [map fold_right csum]; intros c E. apply some_eq in E. rewrite <- E. apply bnum_ok.
      refine (@both_ok badd Cplus _ _ _ _ _ _ E _ _). intros; apply badd_ok; auto. intros d D; apply (A bs vs); auto. exact IH.
    - cbn [den]. revert c. induction H as [|a l A _ IH]; cbn [map fold_right cprod]; intros c E. apply some_eq in E. rewrite <- E. apply bnum_ok.
      refine (@both_ok bmul Cmult _ _ _ _ _ _ E _ _). intros; apply bmul_ok; auto. intros d D; apply (A bs vs); auto. exact IH.
    - destruct (enc t bs) as [b|] eqn:E; try discriminate. intros Q. apply some_eq in Q. rewrite <- Q. apply bpower_ok. apply (IHt bs vs); auto.
    - destruct f; try discriminate; intros E; apply some_eq in E; rewrite <- E; cbn [den kf0]. apply real_inb, at_places_ok, pi_160_ok; auto.
      change keuler with (RtoC (fst keuler)). apply real_inb, at_places_ok, euler_160_ok; auto.
    - destruct (enc t bs) as [b|] eqn:E; try discriminate. intros Q. apply (@bf1_ok _ _ _ _ Q). apply (IHt bs vs); auto.
    - destruct f; try discriminate. destruct (enc t1 bs) as [b|] eqn:E1; try discriminate. destruct (enc t2 bs) as [x|] eqn:E2; try discriminate. intros Q. apply (@bpowc_ok _ _ _ _ _ Q). apply (IHt1 bs vs); auto. apply (IHt2 bs vs); auto.
    - destruct b; try discriminate. destruct (enc t1 bs) as [a|] eqn:E1; try discriminate. destruct (enc t2 bs) as [b|] eqn:E2; try discriminate.
      destruct (whole a) as [m|] eqn:W1; try discriminate. destruct (whole b) as [n|] eqn:W2; try discriminate. cbn [den kbind].
      rewrite (@whole_ok _ _ _ W1 (IHt1 bs vs a F E1)), (@whole_ok _ _ _ W2 (IHt2 bs vs b F E2)), ksum_zc. generalize (Z.to_nat (n - m + 1)). intros k. revert c. induction k as [|k IH]; cbn [bsum nsum]; intros c Q.
      apply some_eq in Q. rewrite <- Q. apply bnum_ok. refine (@both_ok badd Cplus _ _ _ _ _ _ Q IH _). intros; apply badd_ok; auto.
      intros d D. apply (IHt3 _ (zc (m + Z.of_nat k) :: vs) d) in D; auto. constructor; auto. rewrite <- G_zc. apply bnum_ok.
  Qed.
End Places.

Definition separate (i j : iv) : bool := (snd i + snd j <? Z.abs (fst i - fst j))%Z.
Lemma separate_ok p i j x y : separate i j = true -> inn p i x -> inn p j y -> x <> y.
Proof.
  unfold separate, inn. intros S A B <-. apply Z.ltb_lt, IZR_lt in S. rewrite plus_IZR, abs_IZR, minus_IZR in S. rewrite Rabs_minus_sym in A.
  pose proof (Rabs_triang (IZR (fst i) - x * IZR (2 ^ p)) (x * IZR (2 ^ p) - IZR (fst j))) as T.
  replace (IZR (fst i) - x * IZR (2 ^ p) + (x * IZR (2 ^ p) - IZR (fst j)))%R with (IZR (fst i) - IZR (fst j))%R in T by ring. lra.
Qed.
Definition r_apart (l r : tm) : option thm := match enc 64 l [], enc 64 r [] with
  | Some a, Some b => given (separate (fst a) (fst b) || separate (snd a) (snd b)) (Thm [] l Ne r) | _, _ => None end.
Lemma r_apart_ok l r th : r_apart l r = Some th -> truth th.
Proof.
  unfold r_apart. destruct (enc 64 l []) as [a|] eqn:A; try discriminate. destruct (enc 64 r []) as [b|] eqn:B; try discriminate. intros H. rule H. intros e _ _.
  assert (P : (0 <= 64 <= high)%Z) by (unfold high; lia). destruct (enc_ok P e l (Forall2_nil _) A) as [A1 A2]. destruct (enc_ok P e r (Forall2_nil _) B) as [B1 B2].
  unfold said; cbn [rl related lhs rhs]. intros E. rewrite E in A1, A2. apply orb_prop in H as [H|H]. apply (@separate_ok 64 _ _ _ _ H A1 B1); auto. apply (@separate_ok 64 _ _ _ _ H A2 B2); auto.
Qed.

(* lo <= x <= hi is a row of cells, between the cuts; they are in order, as a matter of form. *)
Fixpoint cells (lo : Q) (cuts : list Q) (hi : Q) : list (Q * Q) := match cuts with [] => [(lo, hi)] | c :: cuts => (lo, c) :: cells c cuts hi end.
Lemma cells_ok cuts hi y : forall lo, (Q2R lo <= y <= Q2R hi)%R -> exists c, In c (cells lo cuts hi) /\ (Q2R (fst c) <= y <= Q2R (snd c))%R.
Proof.
  induction cuts as [|c cuts IH]; intros lo H; cbn [cells]. exists (lo, hi). split; auto. left; auto.
  destruct (Rle_dec y (Q2R c)). exists (lo, c). split. left; auto. simpl; lra. destruct (IH c) as (d & I & D). lra. exists d. split; auto. right; auto.
Qed.
Definition interval (p : Z) (c : Q * Q) : iv :=
  let l := icst p (Qnum (fst c)) (Zpos (Qden (fst c))) in let h := icst p (Qnum (snd c)) (Zpos (Qden (snd c))) in hull (fst l - snd l) (fst h + snd h).
Lemma interval_ok p c y : (0 <= p)%Z -> (Q2R (fst c) <= y <= Q2R (snd c))%R -> inn p (interval p c) y.
Proof.
  intros P [A B]. pose proof (s_pos P) as S0. assert (K : forall q, inn p (icst p (Qnum q) (Zpos (Qden q))) (Q2R q)) by (intros; apply icst_ok; auto; lia).
  pose proof (proj1 (inn_sides _ _ _) (K (fst c))) as L. pose proof (proj1 (inn_sides _ _ _) (K (snd c))) as H. unfold interval. cbv zeta. apply hull_ok; auto. nra.
Qed.
(* A cell shows that f is positive: by the middle and the slopes, or as it stands. *)
Definition above_0 (b : option box) : bool := match b with Some b => (0 <? fst (fst b) - snd (fst b))%Z | None => false end.
Definition inside (d : dom) (i : iv) : bool := match d with DR => true | DRp => (0 <? fst i - snd i)%Z | _ => false end.
Definition shows (p : Z) (d : dom) (f slope : list box -> option box) (i : iv) : bool :=
  (if inside d i then above_0 (both badd (f [fine_real (fst i, 0%Z)]) (both (bmul p) (slope [fine_real i]) (Some (fine_real (0%Z, snd i))))) else false) ||| above_0 (f [fine_real i]).
Definition on_cell (p : Z) (d : dom) (g : tm) : Q * Q -> bool := let f := enc p g in
  let slope := match d with DR | DRp => match derived d g with Some h => enc p h | None => fun _ => None end | _ => fun _ => None end in
  fun c => shows p d f slope (interval p c).
Definition shown (gap : tm) (ranges : list (letter * (Q * Q * list Q))) : bool := match ranges with
  | [] => above_0 (enc 88 gap [])
  | [(x, (lo, hi, cuts))] => let g := bound x 0 gap in let short := on_cell 48 (snd x) g in let long := on_cell 88 (snd x) g in
      forallb (fun c => if Qle_bool (snd c) (fst c) then false else short c ||| long c) (cells lo cuts hi)
  | _ => false end.
Definition rational (q : Q) : tm := Num q (0#1).
Definition ends_of (ranges : list (letter * (Q * Q * list Q))) : list formula :=
  flat_map (fun r => [Formula [] (rational (fst (fst (snd r)))) Le (var (fst r)); Formula [] (var (fst r)) Le (rational (snd (fst (snd r))))]) ranges.
Definition r_certified (l : tm) (r : rel) (t : tm) (ranges : list (letter * (Q * Q * list Q))) : option thm :=
  given (match r with Le | Lt_ => true | _ => false end && lies l DR && lies t DR && closed 0 l && closed 0 t && shown (sub t l) ranges)
    (Thm (ends_of ranges) l r t).
Section Certified.
  Variable p : Z.
  Hypothesis P : (0 <= p <= high)%Z.
  Let P0 : (0 <= p)%Z := proj1 P.
  Lemma above_0_ok b z : above_0 b = true -> (forall d, b = Some d -> inb p d z) -> (0 < fst z)%R.
  Proof.
    unfold above_0. destruct b as [b|]; try discriminate. intros H I. destruct (I b eq_refl) as [A _]. apply inn_sides in A. apply Z.ltb_lt, IZR_lt in H. pose proof (s_pos P0). nra.
  Qed.
  Lemma set_same e x : set e x (lv e x) = e.
  Proof. destruct e as [l f n m w]. unfold set; simpl. f_equal. apply functional_extensionality. intros y. destruct (leqb x y) eqn:E; auto. apply leqb_eq in E; subst; auto. Qed.
  Lemma one_inb i y : inn p i y -> Forall2 (inb p) [fine_real i] [RtoC y].
  Proof. intros. constructor. apply real_inb; auto. constructor. Qed.
  Lemma shows_ok e d g slope i y : valid e -> inD d (RtoC y) -> inn p i y ->
    (inside d i = true -> forall b, slope [fine_real i] = Some b -> forall z, inD d (RtoC z) -> inn p i z -> exists w, inb p b w /\ is_derive (fun u => fst (den e [RtoC u] g)) z (fst w)) ->
    shows p d (enc p g) slope i = true -> (0 < fst (den e [RtoC y] g))%R.
  Proof.
    intros V D I SL H. unfold shows in H. destruct (inside d i && above_0 (both badd (enc p g [fine_real (fst i, 0%Z)]) (both (bmul p) (slope [fine_real i]) (Some (fine_real (0%Z, snd i)))))) eqn:M.
    - clear H. apply andb_prop in M as [N M]. set (m := (IZR (fst i) / IZR (2 ^ p))%R). pose proof (s_pos P0) as S0. pose proof (@inn_radius p _ _ I) as R0. pose proof (proj1 (inn_sides p i y) I) as IS.
      assert (IM : inn p i m). { unfold inn, m. replace (IZR (fst i) / IZR (2 ^ p) * IZR (2 ^ p) - IZR (fst i))%R with 0%R by (field; lra). rewrite Rabs_R0; auto. }
      assert (DI : forall z, inn p i z -> inD d (RtoC z)).
      { intros z Iz. unfold inside in N. destruct d; try discriminate. reflexivity. apply Z.ltb_lt, IZR_lt in N. apply inn_sides in Iz. split. reflexivity. simpl. nra. }
      destruct (slope [fine_real i]) as [sb|] eqn:SB; [|destruct (enc p g [fine_real (fst i, 0%Z)]); discriminate]. specialize (SL N sb eq_refl).
      assert (BT : forall z, (Rmin m y <= z <= Rmax m y)%R -> inn p i z).
      { intros z Z0. apply inn_sides. pose proof (proj1 (inn_sides p i m) IM) as MS. unfold Rmin, Rmax in Z0. destruct (Rle_dec m y); nra. }
      destruct (MVT_gen (fun u => fst (den e [RtoC u] g)) m y (fun z => Derive (fun u => fst (den e [RtoC u] g)) z)) as (c & Cc & E).
      { intros z Z0. assert (Iz : inn p i z) by (apply BT; lra). destruct (SL z (DI z Iz) Iz) as (w & _ & Dw). apply Derive_correct. eexists; exact Dw. }
      { intros z Z0. assert (Iz : inn p i z) by (apply BT; lra). destruct (SL z (DI z Iz) Iz) as (w & _ & Dw). apply continuity_pt_filterlim, (ex_derive_continuous (V := R_NormedModule)). eexists; exact Dw. }
      assert (Ic : inn p i c) by (apply BT; auto). destruct (SL c (DI c Ic) Ic) as (w & W & Dw). apply is_derive_unique in Dw. assert (E1 : (fst (den e [RtoC y] g) - fst (den e [RtoC m] g) = fst w * (y - m))%R) by (rewrite <- Dw; exact E).
      assert (Q : (0 < fst (den e [RtoC m] g + w * RtoC (y - m))%C)%R).
      { apply (@above_0_ok _ _ M). intros b B. refine (@both_ok p badd Cplus _ _ _ _ _ _ B _ _). intros; apply badd_ok; auto.
        - intros b1 B1. apply (enc_ok P e g (bs := [fine_real (fst i, 0%Z)]) (vs := [RtoC m])); auto. apply one_inb. apply point_inn; auto.
        - intros b2 B2. refine (@both_ok p (bmul p) Cmult _ _ _ _ _ _ B2 _ _). intros; apply (bmul_ok P); auto. intros q Q1. apply some_eq in Q1. rewrite <- Q1; auto.
          intros q Q1. apply some_eq in Q1. rewrite <- Q1. apply real_inb. unfold inn; cbn [fst snd]. eapply Rle_trans; [|exact I]. right. f_equal. unfold m. field. lra. }
      replace (fst (den e [RtoC m] g + w * RtoC (y - m))%C) with (fst (den e [RtoC m] g) + fst w * (y - m))%R in Q by (simpl; ring). lra.
    - assert (H2 : above_0 (enc p g [fine_real i]) = true). { destruct (inside d i); simpl in M; try rewrite M in H; exact H. }
      apply (@above_0_ok _ _ H2). intros b B. apply (enc_ok P e g (bs := [fine_real i]) (vs := [RtoC y])); auto. apply one_inb; auto.
  Qed.
  Lemma on_cell_ok e d g c y : valid e -> inD d (RtoC y) -> (Q2R (fst c) <= y <= Q2R (snd c))%R -> on_cell p d g c = true -> (0 < fst (den e [RtoC y] g))%R.
  Proof.
    unfold on_cell. cbv zeta. intros V D C S. eapply shows_ok; [exact V | exact D | apply interval_ok; [exact P0 | exact C] | | exact S].
    intros N b. destruct d; try discriminate; (destruct (derived _ g) as [h|] eqn:H; [|discriminate]); intros E z DZ Iz; exists (den e [RtoC z] h); split;
    try (apply (enc_ok P e h (one_inb Iz) E)).
    - apply (@derived_ok e DR g h z V (or_introl eq_refl) DZ H).
    - apply (@derived_ok e DRp g h z V (or_intror eq_refl) DZ H).
  Qed.
End Certified.
Lemma shown_ok e gap ranges : valid e -> closed 0 gap = true -> (forall h, In h (ends_of ranges) -> holds e h) -> shown gap ranges = true -> (0 < fst (den e [] gap))%R.
Proof.
  assert (P : (0 <= 88 <= high)%Z) by (unfold high; lia). assert (P' : (0 <= 48 <= high)%Z) by (unfold high; lia).
  intros V L H S. destruct ranges as [|[x [[lo hi] cuts]] [|]]; try discriminate; cbn [shown] in S.
  - apply (@above_0_ok 88 P _ _ S). intros b B. apply (enc_ok P e gap (Forall2_nil _)); auto.
  - cbv zeta in S. set (g := bound x 0 gap) in *. pose proof V as [VL _]. specialize (VL x). assert (AG : agree [] e e) by (repeat split; auto).
    pose proof (H _ (or_introl eq_refl) e V AG) as A. pose proof (H _ (or_intror (or_introl eq_refl)) e V AG) as B. cbn [related left right relation fst snd rational var den] in A, B.
    rewrite <- surjective_pairing in A, B. destruct A as (_ & RX & A). destruct B as (_ & _ & B). cbn [fst G] in A, B. apply isR_iff in RX. set (y := fst (lv e x)) in *.
    assert (GE : den e [] gap = den e [RtoC y] g). { unfold g. rewrite <- RX, den_bound0, set_same by auto. reflexivity. }
    destruct (@cells_ok cuts hi y lo (Logic.conj A B)) as (c & Ic & C). rewrite forallb_forall in S. specialize (S c Ic). rewrite GE. rewrite RX in VL.
    destruct (Qle_bool (snd c) (fst c)); try discriminate.
    apply orb_prop in S as [S|S]; [exact (@on_cell_ok 48 P' e _ g c y V VL C S) | exact (@on_cell_ok 88 P e _ g c y V VL C S)].
Qed.
Lemma r_certified_ok l r t ranges th : r_certified l r t ranges = Some th -> truth th.
Proof.
  intros H. rule H. conds H. intros e V S. unfold said; cbn [lhs rhs rl hyps] in *.
  assert (LL : isR (den e [] l)) by (apply (@lies_ok e l DR); auto). assert (LT : isR (den e [] t)) by (apply (@lies_ok e t DR); auto).
  assert (CG : closed 0 (sub t l) = true) by (cbn; rewrite A0, A1; reflexivity).
  pose proof (@shown_ok e _ ranges V CG S A) as Q.
  rewrite sub_den, fst_sub in Q. destruct r; try discriminate; simpl; repeat split; auto; lra.
Qed.
