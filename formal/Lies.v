(* The one place of side conditions: whether a term lies in a domain, for all values of its letters. *)
Require Export Truths Integrals Norm.
Set Implicit Arguments.
Open Scope C_scope.

Definition minus1 (t : tm) : tm := Mul [Num (-1#1) (0#1); t].
Definition sub (t u : tm) : tm := Add [t; minus1 u].
Definition tone : tm := Num (1#1) (0#1).
Definition tzero : tm := Num (0#1) (0#1).
Definition integer (d : dom) : bool := match d with DZ | DN | DNp => true | _ => false end.
Definition even (k : positive) : bool := match k with xO _ => true | _ => false end.

(* Written so that the second is not computed where the first decides: computation is by value. *)
Notation "a &&& b" := (if a then b else false) (at level 40, left associativity).
Notation "a ||| b" := (if a then true else b) (at level 50, left associativity).
Definition all_of (A : Type) (f : A -> bool) : list A -> bool := fix go l := match l with [] => true | a :: l => f a &&& go l end.
Definition some_of (A : Type) (f : A -> bool) : list A -> bool := fix go l := match l with [] => false | a :: l => f a ||| go l end.
Lemma all_of_forallb (A : Type) (f : A -> bool) l : all_of f l = forallb f l. Proof. induction l; [reflexivity|]; simpl; rewrite <- IHl; try reflexivity; destruct (f a); reflexivity. Qed.
Lemma some_of_existsb (A : Type) (f : A -> bool) l : some_of f l = existsb f l. Proof. induction l; [reflexivity|]; simpl; rewrite <- IHl; try reflexivity; destruct (f a); reflexivity. Qed.

Section Step.
  Variable rec : list dom -> tm -> dom -> bool.
  Section Context.
    Variable ctx : list dom.
    Definition dom_of (a : tm) : option dom := match a with
      | Var _ d | App _ d _ => Some d | BV n => nth_error ctx n | _ => None end.
    (* The domain of the letter of a binder; an integer that is at least lo lies in N where lo does. *)
    Definition from_on (lo : tm) : dom := if rec ctx lo DNp then DNp else if rec ctx lo DN then DN else DZ.
    Definition along (b : binder) (lo hi : tm) : dom := match b with
      | Int => if rec ctx lo Dgt &&& rec ctx hi Dgt then DRp else DR | Lim => DR | _ => from_on lo end.
    Definition body_lies (b : binder) (lo hi t : tm) (d : dom) : bool := rec (along b lo hi :: ctx) t d.

    Definition real_atom (a : tm) : bool := plainly_real a ||| match a with
      | F1 Log b | F1 Ci b => rec ctx b Dgt
      | F1 Sqrt b => rec ctx b Dge
      | F2 Powc b x => (rec ctx b DR &&& rec ctx x DN) ||| (rec ctx b Dgt &&& rec ctx x DR)
      | Bind Sum lo hi t => body_lies Sum lo hi t DR
      | Bind Prod lo hi t => body_lies Prod lo hi t DR
      | Bind Int lo hi t => body_lies Int lo hi t DR
      | F1 Inv b | F1 Erf b => rec ctx b DR | F1 Si _ => true
      | Add [x; Num _ b] => Z.eqb (Qnum b) 0 &&& plainly_real x
      | _ => false end.
    Definition sign_atom (strict : bool) (a : tm) : bool := let sign := if strict then Dgt else Dge in match a with
      | Var _ _ | App _ _ _ | BV _ => match dom_of a with
        Some DNp | Some DRp => true | Some DN => negb strict | _ => false end
      | F0 Pi => true
      | F1 Abs b => negb strict ||| rec ctx b Dne
      | F1 Inv b | F1 Sqrt b => rec ctx b sign
      | F2 Powc b x => rec ctx b Dgt &&& rec ctx x DR
      | F1 Log b => rec ctx (sub b tone) sign
      | Bind Prod lo hi t => body_lies Prod lo hi t sign
      | Bind Sum lo hi t => (negb strict ||| (rec ctx lo DZ &&& rec ctx (sub hi lo) Dge)) &&& body_lies Sum lo hi t sign
      | Bind Max lo hi t => (negb strict ||| (rec ctx lo DZ &&& rec ctx (sub hi lo) Dge)) &&& body_lies Max lo hi t sign
      | Bind Int lo hi t => negb strict &&& rec ctx (sub hi lo) Dge &&& body_lies Int lo hi t Dge
      | Add [x; n] => negb strict &&& match dom_of x with
        Some DNp => eqb n (Num (-1#1) (0#1)) | _ => false end
      | _ => false end.
    Definition nonzero_atom (a : tm) : bool := sign_atom true a ||| match a with
      | F1 Inv b | F1 Conj b | F1 Abs b | F1 Sqrt b => rec ctx b Dne | _ => false end.

    (* z conj z is not negative: both leave the list. *)
    Fixpoint taken (a : tm) (k : positive) (l : list (tm * positive)) : option (list (tm * positive)) := match l with
      | [] => None
      | (b, j) :: l => if eqb a b &&& Pos.eqb k j then Some l
          else match taken a k l with Some r => Some ((b, j) :: r) | None => None end end.
    Definition without_pair (strict : bool) (l : list (tm * positive)) (ak : tm * positive) : list (tm * positive) := match fst ak with
      | F1 Conj b => if negb strict ||| nonzero_atom b then match taken (F1 Conj b) (snd ak) l with
          | Some r => match taken b (snd ak) r with Some s => s | None => l end | None => l end else l
      | _ => l end.
    Definition exponent_real (ex : poly) : bool := match ex with [] => true | _ =>
      match psub (pconj norm real_atom ex) ex with [] => true | _ => false end end.
    Definition monomial (strict : bool) (m : mono) : bool := match m with Mono ats ex =>
      exponent_real ex &&& all_of (fun ak => sign_atom strict (fst ak)
        ||| (even (snd ak) &&& real_atom (fst ak) &&& (negb strict ||| nonzero_atom (fst ak))))
        (fold_left (without_pair strict) ats ats) end.
    Definition all_positive (strict : bool) (p : poly) : bool :=
      all_of (fun mc => Z.eqb (Qnum (snd (snd mc))) 0 &&& Z.ltb 0 (Qnum (fst (snd mc))) &&& monomial false (fst mc)) p
      &&& (negb strict ||| some_of (fun mc => monomial true (fst mc)) p).
    (* 1 + (x - 1) for each letter x of N+, 2 + (x - 2) for each of E. *)
    Definition least_atom (ak : tm * positive) : poly := match dom_of (fst ak) with
      | Some DNp => ppow (padd (const gone) (patom (Add [fst ak; Num (-1#1) (0#1)]))) (snd ak)
      | _ => [(Mono [ak] [], gone)] end.
    Definition from_least (p : poly) : poly :=
      fold_right (fun mc q => padd (match fst mc with Mono ats ex =>
        fold_right (fun ak r => pmul (least_atom ak) r) (term1 (Mono [] ex) (snd mc)) ats end) q) [] p.
    Definition plainly (t : tm) : bool := match t with
      | Add (a :: b :: l) | Mul (a :: b :: l) => all_of (fun a => rec ctx a Dge) (a :: b :: l)
      | Pow u n => N.even n &&& rec ctx u DR | _ => false end.
    Definition positive_term (t : tm) (strict : bool) : bool := (negb strict &&& plainly t)
      ||| (let p := norm t in all_positive strict p ||| all_positive strict (from_least p)).

    (* An integer multiple of integer letters. *)
    Definition whole_atoms (ats : list (tm * positive)) : bool :=
      all_of (fun ak => match dom_of (fst ak) with Some d => integer d | None => false end) ats.
    Definition whole (m : mono) (c : GQ) : bool := match m with Mono ats ex =>
      match ex with [] => true | _ => false end &&& whole_atoms ats &&& Z.eqb (Qnum (snd c)) 0
        &&& Pos.eqb (Qden (Qred (fst c))) 1 end.
    (* e^(2 pi i n) = 1 for an integer n: so that (-1)^n is seen to be real. *)
    Definition half_turns (m : mono) : bool := match m with Mono ats ex =>
      match taken (F0 Pi) 1 ats with Some r => whole (Mono r ex) gone | None => false end end.
    Definition mod2 (q : Q) : Q := Qred (q - 2 * inject_Z (Z.div (Qnum q) (2 * Zpos (Qden q))))%Q.
    Definition turned_exponent (ex : poly) : poly :=
      flat_map (fun mc => term1 (fst mc) (if half_turns (fst mc) then (fst (snd mc), mod2 (snd (snd mc))) else snd mc)) ex.
    Definition turned (p : poly) : poly :=
      collect (map (fun mc => match fst mc with Mono ats ex => (Mono ats (turned_exponent ex), snd mc) end) p).
    Definition plain_mono (mc : mono * GQ) : bool := match fst mc with Mono ats ex =>
      match ex with [] => true | _ => false end &&& Z.eqb (Qnum (snd (snd mc))) 0 &&& all_of (fun ak => real_atom (fst ak)) ats end.
    Definition real (p : poly) : bool := all_of plain_mono p
      ||| match psub (turned (pconj norm real_atom p)) (turned p) with [] => true | _ => false end.
    Definition nonzero (p : poly) : bool := match p with
      | [(Mono ats _, c)] => negb (gzero c) &&& all_of (fun ak => nonzero_atom (fst ak)) ats | _ => false end.
    Definition lies_step (t : tm) (d : dom) : bool := match d with
      | DC => true
      | DR => real (norm t)
      | DZ => all_of (fun mc => whole (fst mc) (snd mc)) (norm t)
      | DN => rec ctx t DZ &&& rec ctx t Dge
      | DNp => rec ctx (sub t tone) DN
      | DRp => rec ctx t Dgt | Dgt => positive_term t true | Dge => positive_term t false
      | Dne => rec ctx t Dgt ||| rec ctx (minus1 t) Dgt ||| nonzero (norm t)
      | DS | DM => false end.
  End Context.
End Step.
Fixpoint lies_by (fuel : nat) (ctx : list dom) (t : tm) (d : dom) : bool := match fuel with
  | O => false | S n => lies_step (lies_by n) ctx t d end.
Definition lies : tm -> dom -> bool := lies_by 60 [].

Section Sound.
  Variable e : env.
  Hypothesis V : valid e.
  Definition fits (ctx : list dom) (bs : list C) : Prop := Forall2 (fun d x => inD d x /\ isR x) ctx bs.
  Lemma fits_real ctx bs : fits ctx bs -> Forall isR bs.
  Proof. induction 1; constructor; auto. apply H. Qed.
  Definition sound (rec : list dom -> tm -> dom -> bool) : Prop :=
    forall ctx bs t d, fits ctx bs -> rec ctx t d = true -> inD d (den e bs t).
  Variable rec : list dom -> tm -> dom -> bool.
  Hypothesis S : sound rec.
  Section Context.
    Variable ctx : list dom.
    Variable bs : list C.
    Hypothesis F : fits ctx bs.
    Let B : Forall isR bs := fits_real F.
    Lemma SF t d : rec ctx t d = true -> inD d (den e bs t). Proof. apply S, F. Qed.

    Lemma sub_den t u : den e bs (sub t u) = den e bs t + G (-1#1) (0#1) * den e bs u.
    Proof. unfold sub, minus1. cbn [den map csum cprod fold_right]. ring. Qed.
    Lemma minus1_den t : den e bs (minus1 t) = G (-1#1) (0#1) * den e bs t.
    Proof. unfold minus1. cbn [den map csum cprod fold_right]. ring. Qed.
    Lemma dom_of_in a d : dom_of ctx a = Some d -> inD d (den e bs a).
    Proof.
      destruct V as (VL & VF & _). destruct a; simpl; try discriminate.
      - intros [= <-]. apply (VL (x, d0)).
      - revert n. clear -F. unfold fits in F. revert F. generalize ctx bs. intros cs us Q. induction Q; intros [|n]; simpl; try discriminate. intros [= <-]; apply H. apply IHQ.
      - intros [= <-]; apply VF.
    Qed.
    Lemma from_on_in lo i hi : inrange (den e bs lo) hi i -> inD (from_on rec ctx lo) i /\ isR i.
    Proof.
      intros (Z & L & _). split; [|apply Z_R; auto]. unfold from_on.
      destruct (rec ctx lo DNp) eqn:E1. eapply isNp_above; eauto. apply (@SF _ _ E1).
      destruct (rec ctx lo DN) eqn:E2. eapply isN_above; eauto. apply (@SF _ _ E2). exact Z.
    Qed.
    Lemma body_range b lo hi t d : body_lies rec ctx b lo hi t d = true -> b <> Int -> b <> Lim ->
      forall i, inrange (den e bs lo) (den e bs hi) i -> inD d (den e (i :: bs) t).
    Proof.
      intros H N1 N2 i I. unfold body_lies in H. eapply S; [|exact H]. constructor; auto.
      destruct b; try contradiction; simpl; eapply from_on_in; eauto.
    Qed.
    Lemma body_int lo hi t d : body_lies rec ctx Int lo hi t d = true ->
      (forall x, isR x -> inD d (den e (x :: bs) t)) \/
      (gt0 (den e bs lo) /\ gt0 (den e bs hi) /\ forall x, isRp x -> inD d (den e (x :: bs) t)).
    Proof.
      unfold body_lies, along. destruct (rec ctx lo Dgt &&& rec ctx hi Dgt) eqn:E; intros H.
      - apply (andb_prop (rec ctx lo Dgt) (rec ctx hi Dgt)) in E as [E1 E2]. right. split; [apply (@SF _ _ E1)|split; [apply (@SF _ _ E2)|]].
        intros x X. eapply S; [|exact H]. constructor; auto. split; auto. apply Rp_R; auto.
      - left. intros x X. eapply S; [|exact H]. constructor; auto.
    Qed.
    Lemma isR_int_pos lo hi f : gt0 lo -> gt0 hi -> (forall x, isRp x -> isR (f x)) -> isR (kint lo hi f).
    Proof.
      intros L H X. rewrite (@kint_ext_pos lo hi f (fun x => RtoC (fst (f x)))); auto. apply isR_int; intros; reflexivity.
      intros x P _. apply isR_iff, X; auto.
    Qed.
    Lemma ge_int lo hi f : ge0 (hi + G (-1#1) (0#1) * lo) ->
      ((forall x, isR x -> ge0 (f x)) \/ (gt0 lo /\ gt0 hi /\ forall x, isRp x -> ge0 (f x))) -> ge0 (kint lo hi f).
    Proof.
      intros G1 H. assert (RR : isR (kint lo hi f)).
      { destruct H as [H|(A & D & H)]; [apply isR_int | apply isR_int_pos]; auto; intros; apply ge_R; auto. }
      split; auto. unfold kint in *. destruct excluded_middle_informative as [(L & Hi & I1 & I2)|]; [|rewrite G0; simpl; lra].
      simpl fst. destruct G1 as [_ G1]. rewrite fst_sub in G1. apply RInt_ge_0; auto. lra.
      intros x X. destruct H as [H|(A & D & H)]; apply H. reflexivity. split. reflexivity. simpl. destruct A as [_ A]. lra.
    Qed.
    Lemma isR_pow_nat b n : isR b -> isN n -> isR (kpowc b n).
    Proof.
      intros Hb (k & Hk & ->). rewrite <- (Z2Nat.id k), <- G_zc, ax_plain_power by auto. apply isR_pow; auto.
    Qed.
    Lemma real_atom_ok a : real_atom rec ctx a = true -> isR (den e bs a).
    Proof.
      unfold real_atom. intros H. apply orb_prop in H as [H|H]. eapply plainly_real_isR; eauto.
      destruct a as [| | | |l| | | |f b|f b x|bi lo hi t| | |]; try discriminate.
      - destruct l as [|x [|[] [|]]]; try discriminate. apply andb_prop in H as [H1 H2].
        cbn [den map csum fold_right]. apply isR_plus. eapply plainly_real_isR; eauto. apply isR_plus; [|apply Q0].
        apply isR_G. apply Z.eqb_eq in H1. destruct b; simpl in H1; subst. unfold Q2R; simpl; ring.
      - destruct f; try discriminate; cbn [den kf1]; try (pose proof (@SF _ _ H) as Q; simpl in Q).
        apply isR_log; auto. apply ge_R, ge_sqrt; auto. apply isR_inv; auto. apply isR_Ci; auto. reflexivity. apply isR_erf; auto.
      - destruct f; try discriminate. cbn [den kf2]. apply orb_prop in H as [H|H]; apply andb_prop in H as [H1 H2].
        apply isR_pow_nat; [apply (@SF _ _ H1) | apply (@SF _ _ H2)]. apply gt_R, gt_powc; [apply (@SF _ _ H1) | apply (@SF _ _ H2)].
      - destruct bi; try discriminate; cbn [den kbind].
        apply isR_sum. apply (body_range H); discriminate. apply isR_prod. apply (body_range H); discriminate.
        apply body_int in H as [H|(A & D & H)]; [apply isR_int | apply isR_int_pos]; auto.
    Qed.

    Definition sg (strict : bool) (z : C) : Prop := if strict then gt0 z else ge0 z.
    Lemma sg_ge strict z : sg strict z -> ge0 z. Proof. destruct strict; simpl; auto. apply gt_ge. Qed.
    Lemma gt_of z : ge0 z -> ne0 z -> gt0 z.
    Proof. intros [R P] N. split; auto. destruct P; auto. elim N. apply isR_iff in R. rewrite R, <- H, G0. reflexivity. Qed.
    Lemma le_of_sub lo hi : isR lo -> ge0 (hi + G (-1#1) (0#1) * lo) -> kle lo hi.
    Proof. intros R [H1 H2]. unfold isR in *. rewrite snd_sub in H1. rewrite fst_sub in H2. repeat split; auto; unfold isR; lra. Qed.
    Lemma ge_prod lo hi f : (forall i, inrange lo hi i -> ge0 (f i)) -> ge0 (kprod lo hi f).
    Proof.
      intros H. unfold kprod. destruct (ends lo hi) eqn:E; [|rewrite G1; split; [reflexivity|simpl; lra]]. apply ends_R in E as [].
      assert (forall n, (n <= len lo hi)%nat -> ge0 (nprod (ix lo f) n)); auto.
      induction n; intros; simpl. rewrite G1; split; [reflexivity|simpl; lra]. apply ge_mult. apply IHn; lia. apply H, inrange_ix; auto.
    Qed.
    Lemma nmax_first f n : (fst (f O) <= nmax f (Datatypes.S n))%R.
    Proof. induction n. simpl; lra. change (fst (f O) <= Rmax (nmax f (Datatypes.S n)) (fst (f (Datatypes.S n))))%R. eapply Rle_trans; [apply IHn | apply Rmax_l]. Qed.
    Lemma ge_max lo hi f : (forall i, inrange lo hi i -> ge0 (f i)) -> ge0 (kmax lo hi f).
    Proof.
      intros H. unfold kmax. destruct excluded_middle_informative as [(A & D & _)|]; [|split; [reflexivity|simpl; lra]].
      split. reflexivity. simpl. destruct (len lo hi) as [|n] eqn:E. simpl; lra.
      eapply Rle_trans; [|apply nmax_first]. apply H, inrange_ix; auto. lia.
    Qed.
    Lemma gt_max lo hi f : isZ lo -> kle lo hi -> (forall i, inrange lo hi i -> gt0 (f i)) -> gt0 (kmax lo hi f).
    Proof.
      intros [l ->] (_ & Rh & L) H. unfold kmax. destruct excluded_middle_informative as [(A & D & _)|N].
      2: { elim N. repeat split; auto. intros; apply gt_R; auto. }
      assert (exists k, len (zc l) hi = Datatypes.S k) as [k E]. { unfold len. rewrite fst_zc, ceil_Z. simpl in L. apply ip_ge in L. exists (Z.to_nat (Int_part (fst hi) - l)). lia. }
      rewrite E. split. reflexivity. eapply Rlt_le_trans; [|apply nmax_first]. apply H, inrange_ix; auto. lia.
    Qed.
    Lemma log_sign strict a : sg strict (a + G (-1#1) (0#1) * G (1#1) (0#1)) -> sg strict (klog a).
    Proof.
      intros H. pose proof (sg_ge _ _ H) as [R1 R2]. rewrite fst_sub in R2. unfold isR in R1. rewrite snd_sub in R1.
      assert (Q2R (1#1) = 1)%R as Q by (unfold Q2R; simpl; lra). simpl fst in R2. simpl snd in R1. rewrite Q in R2. rewrite Q0 in R1.
      assert (P : gt0 a) by (split; [unfold isR; lra | lra]). assert (R : isR a) by (apply gt_R; auto).
      assert (M : Cmod a = fst a). { apply isR_iff in R. rewrite R, Cmod_R. simpl. apply Rabs_right; lra. }
      assert (L : fst (klog a) = ln (fst a)). { unfold klog. destruct excluded_middle_informative as [E|]. rewrite E in R2; simpl in R2; lra. simpl. rewrite M; auto. }
      destruct strict; split; try (apply isR_log; auto); rewrite L, <- ln_1.
      - destruct H as [_ H]. rewrite fst_sub in H. simpl in H. rewrite Q in H. apply ln_increasing; lra.
      - destruct (Req_dec (fst a) 1) as [->|]; [lra|]. left. apply ln_increasing; lra.
    Qed.
    Lemma sign_of (strict : bool) t : rec ctx t (if strict then Dgt else Dge) = true -> sg strict (den e bs t).
    Proof. intros H. apply @SF in H. destruct strict; auto. Qed.
    Lemma filled_le lo hi : rec ctx lo DZ && rec ctx (sub hi lo) Dge = true -> isZ (den e bs lo) /\ kle (den e bs lo) (den e bs hi).
    Proof.
      intros H; apply andb_prop in H as [H1 H2]. apply @SF in H1, H2. cbn [inD] in H1, H2. rewrite sub_den in H2. split; auto. apply le_of_sub; auto. apply Z_R; auto.
    Qed.
    Lemma letter_sign a strict : match dom_of ctx a with Some DNp | Some DRp => true | Some DN => negb strict | _ => false end = true ->
      sg strict (den e bs a).
    Proof.
      intros H. destruct (dom_of ctx a) as [d|] eqn:E; try discriminate. apply dom_of_in in E; auto.
      assert (X : gt0 (den e bs a) -> sg strict (den e bs a)) by (destruct strict; simpl; auto using gt_ge).
      destruct d; try discriminate; simpl in E.
      destruct strict; try discriminate. apply N_ge; auto. apply X, Np_gt; auto. apply X; auto.
    Qed.
    Lemma sign_atom_ok strict a : sign_atom rec ctx strict a = true -> sg strict (den e bs a).
    Proof.
      assert (X : forall z, gt0 z -> sg strict z) by (destruct strict; simpl; auto using gt_ge).
      destruct a as [|x d|n|f d l|l| | |f|f b|f b x|bi lo hi t| | |]; try discriminate; try apply letter_sign.
      - destruct l as [|x [|n [|]]]; try discriminate. intros H. cbn [sign_atom] in H. apply andb_prop in H as [H1 H2].
        destruct strict; try discriminate. destruct (dom_of ctx x) as [d|] eqn:E; try discriminate. apply dom_of_in in E; auto.
        cbn [den map csum fold_right]. simpl sg.
        destruct d; try discriminate; apply eqb_eq in H2; subst n; cbn [den].
        + destruct E as (k & K & ->). rewrite !G_zc, !zc_plus. apply ge_zc; lia.
      - destruct f; try discriminate. intros _. apply X, gt_pi.
      - intros H. destruct f; try discriminate; cbn [sign_atom] in H; cbn [den kf1].
        + apply log_sign. apply sign_of in H. rewrite sub_den in H. exact H.
        + apply sign_of in H. destruct strict; simpl in *; [apply gt_sqrt | apply ge_sqrt]; auto.
        + destruct strict; simpl in H. apply gt_abs. apply (@SF _ _ H). apply ge_abs.
        + apply sign_of in H. destruct strict; simpl in *; [apply gt_inv | apply ge_inv]; auto.
      - intros H. destruct f; try discriminate. cbn [sign_atom] in H. apply andb_prop in H as [H1 H2]. cbn [den kf2].
        apply X, gt_powc; [apply (@SF _ _ H1) | apply (@SF _ _ H2)].
      - intros H. destruct bi; try discriminate; cbn [sign_atom] in H; cbn [den kbind].
        + apply andb_prop in H as [H1 H2]. pose proof (body_range H2 ltac:(discriminate) ltac:(discriminate)) as Q.
          destruct strict; simpl in *. apply filled_le in H1 as []. apply gt_sum; auto. apply ge_sum; auto.
        + pose proof (body_range H ltac:(discriminate) ltac:(discriminate)) as Q.
          destruct strict; simpl in *. apply gt_prod; auto. apply ge_prod; auto.
        + destruct strict; simpl in *; try discriminate. apply andb_prop in H as [H1 H2].
          apply @SF in H1. cbn [inD] in H1. rewrite sub_den in H1. apply ge_int; auto. apply body_int in H2. exact H2.
        + apply andb_prop in H as [H1 H2]. pose proof (body_range H2 ltac:(discriminate) ltac:(discriminate)) as Q.
          destruct strict; simpl in *. apply filled_le in H1 as []. apply gt_max; auto. apply ge_max; auto.
    Qed.
    Lemma nonzero_atom_ok a : nonzero_atom rec ctx a = true -> ne0 (den e bs a).
    Proof.
      unfold nonzero_atom. intros H; apply orb_prop in H as [H|H]. apply gt_ne. apply (sign_atom_ok _ _ H).
      destruct a; try discriminate. destruct f; try discriminate; apply @SF in H; simpl in H; cbn [den kf1].
      - rewrite ksqrt_ne; auto. apply kexp_ne0.
      - apply ne_conj; auto.
      - apply gt_ne, gt_abs; auto.
      - apply ne_inv; auto.
    Qed.
    Lemma taken_ok a k l r : taken a k l = Some r -> denats e bs l = kpow (den e bs a) (Pos.to_nat k) * denats e bs r.
    Proof.
      revert r. induction l as [|[b j] l IH]; simpl; intros r; try discriminate.
      destruct (eqb a b &&& Pos.eqb k j) eqn:E. apply andb_prop in E as [E1 E2]. apply eqb_eq in E1. apply Pos.eqb_eq in E2. subst. intros [= <-]. reflexivity.
      destruct (taken a k l) as [q|] eqn:T; try discriminate. intros [= <-]. rewrite !denats_cons, (IH q); auto. ring.
    Qed.
    Lemma kpow_mul a b n : kpow (a * b) n = kpow a n * kpow b n.
    Proof. induction n; cbn [kpow]. ring. rewrite IHn; ring. Qed.
    Lemma sg_pow strict z n : sg strict z -> sg strict (kpow z n).
    Proof. destruct strict; simpl; [apply gt_pow | apply ge_pow]. Qed.
    Lemma sg_mult strict a b : sg strict a -> sg strict b -> sg strict (a * b).
    Proof. destruct strict; simpl; [apply gt_mult | apply ge_mult]. Qed.
    Lemma without_pair_ok strict l ak : sg strict (denats e bs (without_pair rec ctx strict l ak)) -> sg strict (denats e bs l).
    Proof.
      destruct ak as [a k]. unfold without_pair. cbn [fst snd]. destruct a as [| | | | | | | |f b| | | | |]; auto. destruct f; auto.
      destruct (negb strict ||| nonzero_atom rec ctx b) eqn:E; auto.
      destruct (taken (F1 Conj b) k l) as [r|] eqn:T; auto. destruct (taken b k r) as [s|] eqn:U; auto.
      intros H. rewrite (taken_ok _ _ _ T), (taken_ok _ _ _ U). cbn [den kf1].
      replace (kpow (conj (den e bs b)) (Pos.to_nat k) * (kpow (den e bs b) (Pos.to_nat k) * denats e bs s))
        with (kpow (den e bs b * conj (den e bs b)) (Pos.to_nat k) * denats e bs s) by (rewrite kpow_mul; ring).
      apply sg_mult; auto. apply sg_pow. destruct strict; simpl; [|apply ge_zz]. apply gt_of. apply ge_zz.
      apply nonzero_atom_ok in E. apply mul_ne0; auto. apply ne_conj; auto.
    Qed.
    Lemma without_pairs_ok strict cs : forall l, sg strict (denats e bs (fold_left (without_pair rec ctx strict) cs l)) -> sg strict (denats e bs l).
    Proof. induction cs; simpl; auto. intros l H. eapply without_pair_ok, IHcs; eauto. Qed.
    Lemma exponent_real_ok ex : exponent_real rec ctx ex = true -> isR (denp e bs ex).
    Proof.
      unfold exponent_real. destruct ex as [|mc ex]. intros; apply Q0. destruct (psub _ _) eqn:E; try discriminate. intros _.
      apply (f_equal (denp e bs)) in E. rewrite psub_den in E. apply minus_0 in E. rewrite pconj_ok in E; auto. apply real_conj; auto.
      intros b t X. apply norm_ok; auto. apply real_atom_ok; auto.
    Qed.
    Lemma even_sign strict a k : even k && real_atom rec ctx a && (negb strict || nonzero_atom rec ctx a) = true -> sg strict (kpow (den e bs a) (Pos.to_nat k)).
    Proof.
      intros H. apply andb_prop in H as [H H2]. apply andb_prop in H as [H H1]. destruct k; try discriminate.
      rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat by lia.
      apply real_atom_ok in H1; auto. pose proof (@ge_even _ (Pos.to_nat k) H1). destruct strict; auto. apply gt_of; auto. apply ne_pow, nonzero_atom_ok; auto.
    Qed.
    Lemma sg_one strict : sg strict (G 1 0).
    Proof. destruct strict; split; try apply Q0; simpl; rewrite Q1; lra. Qed.
    Lemma monomial_ok strict m : monomial rec ctx strict m = true -> sg strict (denm e bs m).
    Proof.
      destruct m as [ats ex]. unfold monomial. rewrite all_of_forallb. intros H; apply andb_prop in H as [H1 H2]. rewrite denm_split. apply sg_mult.
      - apply without_pairs_ok with (cs := ats). revert H2. generalize (fold_left (without_pair rec ctx strict) ats ats).
        induction l as [|[a k] l IH]; cbn [forallb fst snd]. intros; apply sg_one. intros H; apply andb_prop in H as [H H3]. rewrite denats_cons. apply sg_mult; auto.
        apply orb_prop in H as [H|H]. apply sg_pow, sign_atom_ok; auto. apply even_sign; auto.
      - apply exponent_real_ok in H1. pose proof (gt_exp _ H1). destruct strict; simpl; auto using gt_ge.
    Qed.
    Lemma all_positive_ok strict p : all_positive rec ctx strict p = true -> sg strict (denp e bs p).
    Proof.
      unfold all_positive. rewrite all_of_forallb, some_of_existsb. intros H; apply andb_prop in H as [H1 H2].
      assert (X : ge0 (denp e bs p) /\ (existsb (fun mc => monomial rec ctx true (fst mc)) p = true -> gt0 (denp e bs p))).
      { clear H2. induction p as [|[m [a b]] p IH]; cbn [forallb existsb fst snd] in *.
        split; [|discriminate]. unfold denp; simpl. apply N_ge. exists 0%Z. split; [lia | apply (G_zc 0)].
        apply andb_prop in H1 as [H1 H3]. apply andb_prop in H1 as [H1 H4]. apply andb_prop in H1 as [H1 H5].
        specialize (IH H3) as [I1 I2].
        assert (P : gt0 (phi (a, b))). { unfold phi, G; cbn [fst snd]. apply Z.eqb_eq in H1. apply Z.ltb_lt in H5. split.
          unfold isR; simpl. destruct b; simpl in H1; subst; unfold Q2R; simpl; ring.
          simpl. unfold Q2R. apply Rmult_lt_0_compat. apply IZR_lt; lia. apply Rinv_0_lt_compat, IZR_lt; lia. }
        apply monomial_ok in H4. rewrite denp_cons. split. apply ge_plus; auto. apply ge_mult; auto. apply gt_ge; auto.
        intros H; apply orb_prop in H as [H|H]. apply monomial_ok in H. apply gt_plus; auto. apply gt_mult; auto.
        apply gt_plus2; auto. apply ge_mult; auto. apply gt_ge; auto. }
      destruct X as [X1 X2]. destruct strict; simpl in *; auto.
    Qed.
    Lemma least_atom_ok ak : denp e bs (least_atom ctx ak) = kpow (den e bs (fst ak)) (Pos.to_nat (snd ak)).
    Proof.
      destruct ak as [a k]. unfold least_atom; cbn [fst snd].
      assert (D : denp e bs [(Mono [(a, k)] [], gone)] = kpow (den e bs a) (Pos.to_nat k)).
      { rewrite denp_cons, denm_one, denm_unit, phi_one. unfold denp; simpl. ring. }
      destruct (dom_of ctx a) as [[]|]; auto; rewrite ppow_den, padd_den, const_den, patom_den; f_equal; cbn [den map csum fold_right];
      unfold phi, gone; cbn [fst snd]; ring.
    Qed.
    Lemma from_least_ok p : denp e bs (from_least ctx p) = denp e bs p.
    Proof.
      induction p as [|[[ats ex] c] p IH]; simpl; auto. rewrite padd_den, IH, denp_cons. f_equal.
      rewrite denm_split. induction ats as [|[a k] ats IHa]; cbn [fold_right]. rewrite term1_den, denm_split. reflexivity.
      rewrite pmul_den, IHa, least_atom_ok, denats_cons. cbn [fst snd]. ring.
    Qed.
    Lemma plainly_ok t : plainly rec ctx t = true -> ge0 (den e bs t).
    Proof.
      assert (A : forall l, forallb (fun a => rec ctx a Dge) l = true -> ge0 (csum (map (den e bs) l)) /\ ge0 (cprod (map (den e bs) l))).
      { induction l; simpl; intros H. split. apply N_ge. exists 0%Z. split; [lia | apply (G_zc 0)]. apply (sg_one false).
        apply andb_prop in H as [H1 H2]. apply @SF in H1. destruct (IHl H2). split. apply ge_plus; auto. apply ge_mult; auto. }
      destruct t as [| | | |l|l|u n| | | | | | |]; try discriminate; intros H.
      - destruct l as [|a [|b l]]; try discriminate. cbn [plainly] in H. rewrite all_of_forallb in H. apply A in H as [H _]. exact H.
      - destruct l as [|a [|b l]]; try discriminate. cbn [plainly] in H. rewrite all_of_forallb in H. apply A in H as [_ H]. exact H.
      - cbn [plainly] in H. apply andb_prop in H as [H1 H2]. apply N.even_spec in H1 as [m ->]. apply @SF in H2. cbn [den].
        replace (N.to_nat (2 * m)) with (N.to_nat m + N.to_nat m)%nat by lia. apply ge_even; auto.
    Qed.
    Lemma positive_ok t strict : positive_term rec ctx t strict = true -> sg strict (den e bs t).
    Proof.
      unfold positive_term. intros H; apply orb_prop in H as [H|H].
      - apply andb_prop in H as [H1 H2]. destruct strict; try discriminate. apply plainly_ok; auto.
      - cbv zeta in H. rewrite <- (norm_ok t V B). apply orb_prop in H as [H|H]; apply all_positive_ok in H; auto. rewrite from_least_ok in H; auto.
    Qed.

    Lemma isZ_pow' z k : isZ z -> isZ (kpow z k). Proof. apply isZ_pow. Qed.
    Lemma integer_in d z : integer d = true -> inD d z -> isZ z.
    Proof. destruct d; try discriminate; simpl; auto; intros _ H. apply N_Z; auto. apply N_Z, Np_N; auto. Qed.
    Definition phiq (q : Q) : C := G q 0.
    Lemma whole_atoms_ok ats : whole_atoms ctx ats = true -> isZ (denats e bs ats).
    Proof.
      unfold whole_atoms. rewrite all_of_forallb. induction ats as [|[a k] ats IH]; cbn [forallb fst snd]. intros _. exists 1%Z. unfold denats; simpl. apply (G_zc 1).
      intros H; apply andb_prop in H as [H1 H2]. destruct (dom_of ctx a) as [d|] eqn:D; try discriminate.
      apply dom_of_in in D; auto. rewrite denats_cons. apply isZ_mult; auto. apply isZ_pow. eapply integer_in; eauto.
    Qed.
    Lemma whole_ok m c : whole ctx m c = true -> isZ (phi c * denm e bs m).
    Proof.
      destruct m as [ats ex], c as [a b]. unfold whole. cbn [fst snd]. intros H.
      apply andb_prop in H as [H H4]. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2]. destruct ex; try discriminate.
      pose proof (whole_atoms_ok _ H2) as Zn. rewrite denm_split. change (denp e bs []) with (G 0 0). rewrite kexp_0.
      apply Z.eqb_eq in H3. apply Pos.eqb_eq in H4.
      assert (phi (a, b) = phiq a) as ->. { unfold phi, phiq, G; cbn [fst snd]. f_equal. rewrite Q0. destruct b; simpl in H3; subst; unfold Q2R; simpl; ring. }
      replace (phiq a * (denats e bs ats * G 1 0)) with (phiq a * denats e bs ats) by ring.
      apply isZ_mult; auto. unfold phiq. assert (G a 0 = G (Qred a) 0) as ->. { unfold G. rewrite Q2R_red; auto. }
      destruct (Qred a) as [p q]. simpl in H4. subst q. apply isZ_G.
    Qed.
    Lemma half_turns_ok m : half_turns ctx m = true -> exists n, denm e bs m = kpi * zc n.
    Proof.
      destruct m as [ats ex]. unfold half_turns. destruct (taken (F0 Pi) 1 ats) as [r|] eqn:T; try discriminate. intros H.
      destruct (whole_ok _ _ H) as (n & E). exists n. rewrite <- E, denm_split, (taken_ok _ _ _ T), denm_split, phi_one. change (Pos.to_nat 1) with 1%nat. cbn [kpow den kf0]. ring.
    Qed.
    Lemma turned_exponent_ok ex : kexp (denp e bs (turned_exponent ctx ex)) = kexp (denp e bs ex).
    Proof.
      induction ex as [|[m [p q]] ex IH]; auto. unfold turned_exponent in *. simpl flat_map. rewrite denp_app, denp_cons, !kexp_plus, IH, term1_den. f_equal.
      destruct (half_turns ctx m) eqn:T; auto. destruct (half_turns_ok _ T) as (n & E). rewrite E. cbn [fst snd].
      set (k := Z.div (Qnum q) (2 * Zpos (Qden q))).
      assert (X : phi (p, mod2 q) = phi (p, q) + G (0#1) (2#1) * zc (- k)).
      { unfold phi, mod2, G; cbn [fst snd]. fold k. rewrite Q2R_red, Q2R_minus, Q2R_mult. unfold zc. rewrite opp_IZR. unfold inject_Z, Q2R; simpl. apply Ceq; simpl; field; apply not_0_IZR; discriminate. }
      rewrite X. transitivity (kexp (phi (p, q) * (kpi * zc n)) * kexp (G (0#1) (2#1) * kpi * zc (- k * n))).
      rewrite <- kexp_plus. f_equal. rewrite <- zc_mult. ring.
      rewrite ax_turns by (eexists; reflexivity). ring.
    Qed.
    Lemma turned_ok p : denp e bs (turned ctx p) = denp e bs p.
    Proof.
      unfold turned. rewrite collect_den. induction p as [|[[ats ex] c] p IH]; simpl; auto. rewrite !denp_cons, IH, !denm_split, turned_exponent_ok. reflexivity.
    Qed.
    Lemma real_ok p : real rec ctx p = true -> isR (denp e bs p).
    Proof.
      unfold real. rewrite all_of_forallb. intros H; apply orb_prop in H as [H|H].
      - induction p as [|[[ats ex] [a b]] p IH]; simpl in *. apply Q0. apply andb_prop in H as [H1 H2]. rewrite denp_cons. apply isR_plus; auto.
        unfold plain_mono in H1; cbn [fst snd] in H1; rewrite ?all_of_forallb in H1. apply andb_prop in H1 as [H1 H4]. apply andb_prop in H1 as [H1 H3]. destruct ex; try discriminate.
        apply isR_mult. apply Z.eqb_eq in H3. unfold phi, G, isR; simpl. destruct b; simpl in H3; subst; unfold Q2R; simpl; ring.
        rewrite denm_split. change (denp e bs []) with (G 0 0). rewrite kexp_0. apply isR_mult; [|apply Q0].
        clear -H4 F V S B. induction ats as [|[a k] ats IH]; cbn [forallb fst] in *. apply Q0. apply andb_prop in H4 as [H4 H5]. rewrite denats_cons. apply isR_mult; auto.
        apply isR_pow, real_atom_ok; auto.
      - destruct (psub _ _) eqn:E; try discriminate. apply (f_equal (denp e bs)) in E. rewrite psub_den, !turned_ok in E. apply minus_0 in E. rewrite pconj_ok in E; auto.
        apply real_conj; auto. intros b t X. apply norm_ok; auto. apply real_atom_ok; auto.
    Qed.
    Lemma nonzero_ok p : nonzero rec ctx p = true -> ne0 (denp e bs p).
    Proof.
      destruct p as [|[[ats ex] c] [|]]; try discriminate. unfold nonzero. rewrite all_of_forallb. intros H; apply andb_prop in H as [H1 H2]. rewrite denp_cons, denm_split.
      change (denp e bs []) with (G 0 0). replace (phi c * (denats e bs ats * kexp (denp e bs ex)) + G 0 0) with (phi c * (denats e bs ats * kexp (denp e bs ex))) by ring.
      apply mul_ne0; [|apply mul_ne0; [|apply kexp_ne0]].
      - destruct c as [[a1 a2] [b1 b2]]. intros E. unfold gzero, phi, G in *; simpl in *.
        pose proof (f_equal fst E) as E1. pose proof (f_equal snd E) as E2. simpl in E1, E2. apply eqR_Qeq in E1, E2. unfold Qeq in E1, E2; simpl in E1, E2.
        assert (a1 = 0%Z) by lia. assert (b1 = 0%Z) by lia. subst. discriminate.
      - induction ats as [|[a k] ats IH]; cbn [forallb fst] in *. unfold denats; simpl. apply G10. apply andb_prop in H2 as [H2 H3]. rewrite denats_cons. apply mul_ne0; auto.
        apply ne_pow, nonzero_atom_ok; auto.
    Qed.
    Lemma lies_step_ok t d : lies_step rec ctx t d = true -> inD d (den e bs t).
    Proof.
      destruct d; cbn [lies_step inD]; try discriminate; auto; intros H.
      - rewrite <- (norm_ok t V B). rewrite all_of_forallb in H. revert H. induction (norm t) as [|[m c] p IH]; simpl; intros H. exists 0%Z; apply (G_zc 0).
        apply andb_prop in H as [H1 H2]. rewrite denp_cons. apply isZ_plus; auto. apply whole_ok; auto.
      - apply andb_prop in H as [H1 H2]. apply @SF in H1, H2. destruct H1 as (n & E). simpl in H2. rewrite E in H2. exists n. split; auto. apply ge_zc'; auto.
      - apply @SF in H. cbn [inD] in H. rewrite sub_den in H. destruct H as (n & Hn & E). cbn [den tone] in E. exists (n + 1)%Z. split. lia.
        rewrite <- zc_plus, <- E, <- (G_zc 1). cbn [den]. ring.
      - rewrite <- (norm_ok t V B). apply real_ok; auto.
      - apply (@SF _ _ H).
      - apply (@positive_ok t false H).
      - apply (@positive_ok t true H).
      - apply orb_prop in H as [H|H]. apply orb_prop in H as [H|H]; apply @SF in H. apply gt_ne; auto.
        cbn [inD] in H. rewrite minus1_den in H. apply gt_ne in H. intros E. apply H. rewrite E. ring.
        rewrite <- (norm_ok t V B). apply nonzero_ok; auto.
    Qed.
  End Context.
End Sound.
Lemma lies_by_ok e n : valid e -> sound e (lies_by n).
Proof. intros V. induction n; intros ctx bs t d F H; simpl in H. discriminate. eapply lies_step_ok; eauto. Qed.
Lemma lies_ok e t d : valid e -> lies t d = true -> inD d (den e [] t).
Proof. intros V H. unfold lies in H. eapply (@lies_by_ok e 60 V [] []); eauto. constructor. Qed.
