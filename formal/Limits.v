(* Limits, also of inequalities, by an error that is a sum of powers of what tends to 0, times what does not move. *)
Require Export Binders.
Set Implicit Arguments.
Open Scope C_scope.

(* x itself towards 0, else its inverse; every monomial has a power of it, and x nowhere else. *)
Definition small (x : letter) (inwards : bool) : tm := if inwards then var x else F1 Inv (var x).
Definition vanishing (s : tm) (x : letter) (p : poly) : bool := forallb (fun mc => match fst mc with Mono ats ex =>
  existsb (fun ak => eqb s (fst ak)) ats && forallb (fun ak => eqb s (fst ak) || negb (occurs x (fst ak))) ats && negb (occurs x (tmp ex)) end) p.
Section Error.
  Variables (e : env) (x : letter) (s : tm).
  Let at_ (c : C) : env := set e x c.
  Let v (c : C) : R := Cmod (den (at_ c) [] s).
  Lemma still c t : occurs x t = false -> den (at_ c) [] t = den e [] t.
  Proof.
    intros O. apply den_letters; auto. intros y Y. simpl. destruct (leqb x y) eqn:E; auto. apply leqb_eq in E; subst. congruence.
  Qed.
  Lemma power_small c k : (v c <= 1)%R -> (0 < k)%nat -> (Cmod (kpow (den (at_ c) [] s) k) <= v c)%R.
  Proof.
    intros L K. pose proof (Cmod_ge_0 (den (at_ c) [] s)) as P. fold (v c) in P. destruct k as [|k]; [lia|]. clear K. induction k; cbn [kpow].
    - rewrite Cmod_mult, G1, Cmod_1. fold (v c). lra.
    - rewrite Cmod_mult. fold (v c). cbn [kpow] in IHk. pose proof (Cmod_ge_0 (den (at_ c) [] s * kpow (den (at_ c) [] s) k)). nra.
  Qed.
  Lemma atoms_small ats : forallb (fun ak => eqb s (fst ak) || negb (occurs x (fst ak))) ats = true -> exists K, (0 <= K)%R /\
    forall c, (v c <= 1)%R -> (Cmod (denats (at_ c) [] ats) <= K * (if existsb (fun ak => eqb s (fst ak)) ats then v c else 1))%R.
  Proof.
    induction ats as [|[a k] ats IH]; cbn [forallb existsb fst].
    - exists 1%R. split. lra. intros. unfold denats; simpl. rewrite G1, Cmod_1. lra.
    - intros H. apply andb_prop in H as [H1 H2]. destruct (IH H2) as (K & P & Q). destruct (eqb s a) eqn:E; cbn [orb] in *.
      + apply eqb_eq in E. subst a. exists K. split; auto. intros c L. pose proof (Q c L) as B. rewrite denats_cons, Cmod_mult.
        pose proof (@power_small c (Pos.to_nat k) L (Pos2Nat.is_pos k)) as S. pose proof (Cmod_ge_0 (kpow (den (at_ c) [] s) (Pos.to_nat k))). pose proof (Cmod_ge_0 (denats (at_ c) [] ats)).
        assert (V0 : (0 <= v c)%R) by apply Cmod_ge_0.
        assert (B' : (Cmod (denats (at_ c) [] ats) <= K)%R) by (destruct (existsb _ ats); nra). rewrite (Rmult_comm K). apply Rmult_le_compat; auto.
      + apply negb_true_iff in H1. exists (Cmod (kpow (den e [] a) (Pos.to_nat k)) * K)%R. split. apply Rmult_le_pos; auto. apply Cmod_ge_0.
        intros c L. rewrite denats_cons, Cmod_mult, still by auto. rewrite Rmult_assoc. apply Rmult_le_compat_l. apply Cmod_ge_0. auto.
  Qed.
  Lemma poly_small p : vanishing s x p = true -> exists K, (0 <= K)%R /\ forall c, (v c <= 1)%R -> (Cmod (denp (at_ c) [] p) <= K * v c)%R.
  Proof.
    induction p as [|[[ats ex] q] p IH]; cbn [vanishing forallb fst].
    - exists 0%R. split. lra. intros. unfold denp; simpl. rewrite G0, Cmod_0. lra.
    - intros H. apply andb_prop in H as [H1 H2]. destruct (IH H2) as (K & P & Q). apply andb_prop in H1 as [H1 H5]. apply andb_prop in H1 as [H3 H4]. apply negb_true_iff in H5.
      destruct (atoms_small _ H4) as (J & PJ & A). rewrite H3 in A. set (w := Cmod (phi q * kexp (den e [] (tmp ex)))). exists (w * J + K)%R.
      assert (W : (0 <= w)%R) by apply Cmod_ge_0. split. nra. intros c L. rewrite denp_cons, denm_split, <- tmp_den, still by auto.
      replace (phi q * (denats (at_ c) [] ats * kexp (den e [] (tmp ex)))) with (phi q * kexp (den e [] (tmp ex)) * denats (at_ c) [] ats) by ring.
      eapply Rle_trans. apply Cmod_triangle. rewrite Rmult_plus_distr_r. apply Rplus_le_compat; auto. rewrite Cmod_mult. fold w. rewrite Rmult_assoc. apply Rmult_le_compat_l; auto.
  Qed.
  Hypothesis V : valid e.
  Variables (T : Type) (F : (T -> Prop) -> Prop).
  Context {FF : ProperFilter F}.
  Variable point : T -> C.
  Hypothesis IN : F (fun t => inD (snd x) (point t)).
  Hypothesis SM : forall eps, (0 < eps)%R -> F (fun t => (v (point t) < eps)%R).
  Lemma term_small r : vanishing s x (norm r) = true -> forall eps, (0 < eps)%R -> F (fun t => (Cmod (den (at_ (point t)) [] r) < eps)%R).
  Proof.
    intros H eps P. destruct (poly_small _ H) as (K & PK & Q). assert (D : (0 < Rmin 1 (eps / (K + 1)))%R) by (apply Rmin_pos; [lra | apply Rdiv_lt_0_compat; lra]).
    eapply filter_imp; [|apply filter_and; [exact IN | exact (SM D)]]. intros t [I L].
    assert (VP : valid (at_ (point t))) by (apply valid_set; auto). rewrite <- (@norm_ok (at_ (point t)) [] r VP (Forall_nil _)).
    pose proof (Rmin_l 1 (eps / (K + 1))). pose proof (Rmin_r 1 (eps / (K + 1))). eapply Rle_lt_trans. apply Q. lra.
    assert (V0 : (0 <= v (point t))%R) by apply Cmod_ge_0. apply Rle_lt_trans with ((K + 1) * v (point t))%R. nra.
    replace eps with ((K + 1) * (eps / (K + 1)))%R by (field; lra). apply Rmult_lt_compat_l; lra.
  Qed.
End Error.

Section Tends.
  Variables (T : Type) (F : (T -> Prop) -> Prop).
  Context {FF : ProperFilter F}.
  Variables (g : T -> C) (l : C).
  Lemma tends_by : (forall eps, (0 < eps)%R -> F (fun t => (Cmod (g t + G (-1#1) (0#1) * l)%C < eps)%R)) -> tends F g l.
  Proof.
    intros H. split; apply filterlim_locally; intros eps; (eapply filter_imp; [|exact (H eps (cond_pos eps))]); intros t Q;
    unfold ball; simpl; unfold AbsRing_ball, minus, plus, opp, abs; simpl; (eapply Rle_lt_trans; [|exact Q]).
    - replace (fst (g t) + - fst l)%R with (fst (g t + G (-1#1) (0#1) * l)%C) by (rewrite fst_sub; ring). eapply Rle_trans; [|apply Rmax_Cmod]. apply Rmax_l.
    - replace (snd (g t) + - snd l)%R with (snd (g t + G (-1#1) (0#1) * l)%C) by (rewrite snd_sub; ring). eapply Rle_trans; [|apply Rmax_Cmod]. apply Rmax_r.
  Qed.
  Lemma limit_is : tends F g l -> limit_of F g = l.
  Proof.
    intros H. unfold limit_of. destruct excluded_middle_informative as [E|N]; [|elim N; eauto].
    pose proof (epsilon_spec (inhabits (G 0 0)) (tends F g) E) as [A B]. destruct H as [D K].
    apply Ceq; [exact (filterlim_locally_unique (V := R_NormedModule) _ _ _ A D) | exact (filterlim_locally_unique (V := R_NormedModule) _ _ _ B K)].
  Qed.
End Tends.
Lemma limit_exists (T : Type) (F : (T -> Prop) -> Prop) (g : T -> C) : limit_of F g <> koo -> exists l, tends F g l.
Proof. unfold limit_of. destruct excluded_middle_informative; auto. intros H. elim H; reflexivity. Qed.

Lemma limit_near (T : Type) (F : (T -> Prop) -> Prop) (f g : T -> C) : ProperFilter F -> F (fun t => f t = g t) -> limit_of F f = limit_of F g.
Proof.
  intros FF N. assert (A : forall f g, F (fun t => f t = g t) -> forall l, tends F f l -> tends F g l).
  { clear -FF. intros f g N l [H K]. split; (eapply filterlim_ext_loc; [|eassumption]); (eapply filter_imp; [|exact N]); intros t ->; reflexivity. }
  assert (M : F (fun t => g t = f t)) by (eapply filter_imp; [|exact N]; auto).
  destruct (excluded_middle_informative (exists l, tends F f l)) as [[l L]|E]. rewrite (limit_is L), (limit_is (A f g N l L)). reflexivity.
  unfold limit_of. destruct excluded_middle_informative as [X|_]; [elim E; exact X|]. destruct excluded_middle_informative as [[l L]|_]; auto. elim E. exists l. exact (A g f M l L).
Qed.
(* A path: the domain of its letter, and whether it goes to 0. *)
Definition path (lo hi : tm) : option (dom * bool) :=
  if eqb lo tzero && eqb hi (F0 Oo) then Some (DRp, false) else if eqb lo (F0 Oo) && eqb hi tzero then Some (DRp, true)
  else if eqb lo tone && eqb hi (F0 Oo) then Some (DNp, false) else None.
Lemma small_far e x y : (0 < y)%R -> Cmod (den (set e x (RtoC y)) [] (small x false)) = (/ y)%R.
Proof.
  intros P. unfold small. cbn [den kf1 var]. simpl. rewrite <- surjective_pairing, leqb_refl. unfold kinv. rewrite <- RtoC_inv, Cmod_R by lra. apply Rabs_pos_eq. left. apply Rinv_0_lt_compat; auto.
Qed.
Lemma small_near e x y : (0 < y)%R -> Cmod (den (set e x (RtoC y)) [] (small x true)) = y.
Proof. intros P. unfold small. cbn [den var]. simpl. rewrite <- surjective_pairing, leqb_refl. rewrite Cmod_R. apply Rabs_pos_eq. lra. Qed.
(* Whatever holds along each path. *)
Lemma along_path (Q : forall (T : Type) (F : (T -> Prop) -> Prop), (T -> C) -> Prop) e x lo hi d inwards : path lo hi = Some (d, inwards) -> snd x = d ->
  (forall (T : Type) (F : (T -> Prop) -> Prop) (FF : ProperFilter F) (point : T -> C), F (fun t => inD (snd x) (point t)) ->
    (forall eps, (0 < eps)%R -> F (fun t => (Cmod (den (set e x (point t)) [] (small x inwards)) < eps)%R)) -> Q T F point) ->
  exists (T : Type) (F : (T -> Prop) -> Prop) (point : T -> C), ProperFilter F /\ Q T F point /\ forall f, klim (den e [] lo) (den e [] hi) f = limit_of F (fun t => f (point t)).
Proof.
  unfold path. intros P X H.
  assert (Z : G 0 0 <> koo) by (rewrite G0; unfold koo; intros E; apply (f_equal fst) in E; simpl in E; lra).
  destruct (eqb lo tzero && eqb hi (F0 Oo)) eqn:E1; [|destruct (eqb lo (F0 Oo) && eqb hi tzero) eqn:E2; [|destruct (eqb lo tone && eqb hi (F0 Oo)) eqn:E3; [|discriminate]]]; injection P as <- <-.
  - apply andb_prop in E1 as [A B]. apply eqb_eq in A, B. subst lo hi. exists R, (Rbar_locally p_infty), RtoC. split; [|split].
    + apply Rbar_locally_filter.
    + apply H. apply Rbar_locally_filter. rewrite X. exists 0%R. intros y Y. split. reflexivity. exact Y.
      intros eps P. exists (/ eps)%R. intros y Y. assert (0 < / eps)%R by (apply Rinv_0_lt_compat; auto). rewrite small_far by lra. rewrite <- (Rinv_involutive eps) by lra. apply Rinv_lt_contravar; auto. nra.
    + intros f. unfold klim. cbn [den tzero kf0]. destruct excluded_middle_informative as [_|N]; [|elim N; auto]. destruct excluded_middle_informative as [_|N]; [reflexivity|elim N; auto].
  - apply andb_prop in E2 as [A B]. apply eqb_eq in A, B. subst lo hi. exists R, (at_right 0), RtoC. split; [|split].
    + apply at_right_proper_filter.
    + apply H. apply at_right_proper_filter. rewrite X. exists (mkposreal 1 Rlt_0_1). intros y _ Y. split. reflexivity. exact Y.
      intros eps P. exists (mkposreal eps P). intros y B Y. rewrite small_near by auto. unfold ball in B; simpl in B. unfold AbsRing_ball, abs, minus, plus, opp in B; simpl in B. rewrite Ropp_0, Rplus_0_r, Rabs_pos_eq in B by lra. exact B.
    + intros f. unfold klim. cbn [den tzero kf0]. destruct excluded_middle_informative as [E|_]; [elim Z; exact E|]. destruct excluded_middle_informative as [_|N]; [reflexivity|elim N; auto].
  - apply andb_prop in E3 as [A B]. apply eqb_eq in A, B. subst lo hi. exists nat, Hierarchy.eventually, (fun n => zc (Z.of_nat n)). split; [|split].
    + apply eventually_filter.
    + apply H. apply eventually_filter. rewrite X. exists 1%nat. intros n N. exists (Z.of_nat n). split; [lia|reflexivity].
      intros eps P. destruct (nfloor_ex (/ eps)) as (m & M1 & M2). left. apply Rinv_0_lt_compat; auto. exists (S m). intros n N.
      assert (L : (INR m + 1 <= IZR (Z.of_nat n))%R) by (rewrite <- INR_IZR_INZ, <- S_INR; apply le_INR; lia). assert (0 < / eps)%R by (apply Rinv_0_lt_compat; auto).
      unfold zc. rewrite small_far by lra. rewrite <- (Rinv_involutive eps) by lra. apply Rinv_lt_contravar; nra.
    + intros f. unfold klim. cbn [den tone kf0]. destruct excluded_middle_informative as [_|N]; [|elim N; auto].
      destruct excluded_middle_informative as [E|_]. elim G10. exact E. destruct excluded_middle_informative as [_|N]; [reflexivity|elim N; auto].
Qed.

(* From each value of the letter along a path to the limit. *)
Definition over_limit (th : thm) (x : letter) (lo hi : tm) (signs : list thm) : option thm := match path lo hi with
  | Some (d, _) => given (dom_eqb (snd x) d && is_eq (rl th) && closed 0 (lhs th) && closed 0 (rhs th) && free x (hyps th) && free x (gather signs))
      (Thm (union (hyps th) (gather signs)) (Bind Lim lo hi (bound x 0 (lhs th))) Eq_ (Bind Lim lo hi (bound x 0 (rhs th))))
  | None => None end.
Lemma over_limit_ok t x lo hi signs th : over_limit t x lo hi signs = Some th -> truth t -> truth th.
Proof.
  unfold over_limit. destruct (path lo hi) as [[d inwards]|] eqn:P; try discriminate. intros H T. rule H. conds H. apply dom_eqb_eq in H. apply neqb_eq in A3.
  intros e V S. apply union_supported in S as [S _]. unfold said. cbn [lhs rl rhs hyps related den kbind].
  destruct (@along_path (fun T F point => F (fun y => den e [point y] (bound x 0 (lhs t)) = den e [point y] (bound x 0 (rhs t)))) e x lo hi d inwards P H) as (U & F & point & FF & L & E).
  - intros U F FF point IN _. eapply filter_imp; [|exact IN]. intros y I. rewrite !den_bound0 by auto.
    assert (W : said (set e x (point y)) t) by (apply T; [apply valid_set | apply set_supported]; auto). unfold said in W. rewrite A3 in W. exact W.
  - rewrite !E. apply limit_near; auto.
Qed.
Definition over_any (monotone : bool) (b : binder) (th : thm) (x : letter) (lo hi : tm) (signs : list thm) : option thm := match b with
  | Lim => over_limit th x lo hi signs | _ => r_over monotone b th x lo hi signs end.
Lemma over_any_ok monotone b t x lo hi signs th : monotone_ok monotone t x -> over_any monotone b t x lo hi signs = Some th ->
  truth t -> Forall truth signs -> truth th.
Proof. intros M H. destruct b; cbn [over_any] in H; eauto using r_over_ok, over_limit_ok. Qed.

Definition r_limit (th : thm) (x : letter) (lo hi f value : tm) : option thm := match path lo hi with
  | Some (d, inwards) => given (dom_eqb (snd x) d && negb (neqb (rl th) Ne) && same (lhs th) (F1 Abs (sub f value)) && negb (occurs x value)
      && free x (hyps th) && closed 0 f && vanishing (small x inwards) x (norm (rhs th)))
    (Thm (hyps th) (Bind Lim lo hi (bound x 0 f)) Eq_ value)
  | None => None end.
Lemma r_limit_ok t x lo hi f value th : r_limit t x lo hi f value = Some th -> truth t -> truth th.
Proof.
  unfold r_limit. destruct (path lo hi) as [[d inwards]|] eqn:P; try discriminate. intros H T. rule H. conds H. apply dom_eqb_eq in H. apply negb_true_iff in A2, A4.
  intros e V S. unfold said. cbn [lhs rl rhs hyps related den kbind] in *.
  destruct (@along_path (fun T F point => tends F (fun t => den e [point t] (bound x 0 f)) (den e [] value)) e x lo hi d inwards P H) as (U & F & point & FF & L & E).
  - intros U F FF point IN SM. apply tends_by. apply FF. intros eps EP.
    eapply filter_imp; [|apply filter_and; [exact IN | exact (@term_small e x (small x inwards) V U F _ point IN SM (rhs t) A eps EP)]]. intros y [I Q].
    set (e' := set e x (point y)) in *. assert (V' : valid e') by (apply valid_set; auto).
    assert (W : said e' t) by (apply T; auto; apply set_supported; auto). unfold said in W.
    assert (B : (Cmod (den e' [] f + G (-1#1) (0#1) * den e [] value)%C <= Cmod (den e' [] (rhs t)))%R).
    { apply same_nil with (e := e') in A3; auto. cbn [den kf1] in A3. rewrite sub_den in A3. rewrite <- (@den_set e x (point y) value) by auto. fold e'.
      rewrite A3 in W. apply Rle_trans with (Rabs (fst (den e' [] (rhs t)))). 2: { eapply Rle_trans; [|apply Rmax_Cmod]. apply Rmax_l. }
      destruct (rl t); try discriminate; simpl in W. rewrite <- W. apply Rle_abs. destruct W as (_ & _ & W). eapply Rle_trans; [exact W|apply Rle_abs]. destruct W as (_ & _ & W). left. eapply Rlt_le_trans; [exact W|apply Rle_abs]. }
    rewrite den_bound0 by auto. fold e'. lra.
  - rewrite E. apply limit_is; auto.
Qed.

Definition r_pressed (th : thm) (x : letter) (lo hi value : tm) : option thm := match path lo hi with
  | Some (d, inwards) => given (dom_eqb (snd x) d && match rl th with Le | Lt_ => true | _ => false end && negb (occurs x (lhs th)) && negb (occurs x value)
      && free x (hyps th) && vanishing (small x inwards) x (norm (sub (rhs th) value)))
    (Thm (hyps th) (lhs th) Le value)
  | None => None end.
Lemma r_pressed_ok t x lo hi value th : r_pressed t x lo hi value = Some th -> truth t -> truth th.
Proof.
  unfold r_pressed. destruct (path lo hi) as [[d inwards]|] eqn:P; try discriminate. intros H T. rule H. conds H. apply dom_eqb_eq in H. apply negb_true_iff in A1, A2.
  intros e V S. unfold said. cbn [lhs rl rhs hyps related] in *. set (a := den e [] (lhs t)). set (w := den e [] value).
  assert (B : forall eps, (0 < eps)%R -> isR a /\ (fst a <= fst w + eps)%R /\ (Rabs (snd w) <= eps)%R).
  { intros eps EP.
    destruct (@along_path (fun T F point => F (fun _ => isR a /\ (fst a <= fst w + eps)%R /\ (Rabs (snd w) <= eps)%R)) e x lo hi d inwards P H) as (U & F & point & FF & L & _).
    - intros U F FF point IN SM. eapply filter_imp; [|apply filter_and; [exact IN | exact (@term_small e x (small x inwards) V U F _ point IN SM _ A eps EP)]]. intros y [I Q].
      set (e' := set e x (point y)) in *. assert (V' : valid e') by (apply valid_set; auto).
      assert (W : said e' t) by (apply T; auto; apply set_supported; auto). unfold said in W.
      rewrite sub_den in Q. unfold e' in Q at 2. rewrite den_set in Q by auto. fold w in Q.
      assert (D : isR a /\ isR (den e' [] (rhs t)) /\ (fst a <= fst (den e' [] (rhs t)))%R).
      { assert (EA : den e' [] (lhs t) = a) by (apply den_set; auto). rewrite EA in W. destruct (rl t); try discriminate; simpl in W. exact W. exact (lt_le _ _ W). }
      destruct D as (D1 & D2 & D3). split; auto. set (r := den e' [] (rhs t)) in *. unfold isR in D2.
      pose proof (Rmax_Cmod (r + G (-1#1) (0#1) * w)) as M. rewrite fst_sub, snd_sub in M. pose proof (Rmax_l (Rabs (fst r - fst w)) (Rabs (snd r - snd w))). pose proof (Rmax_r (Rabs (fst r - fst w)) (Rabs (snd r - snd w))).
      pose proof (Rle_abs (fst r - fst w)). rewrite D2, Rminus_0_l, Rabs_Ropp in *. split; lra.
    - destruct (filter_ex _ L) as (_ & R). exact R. }
  destruct (B 1%R Rlt_0_1) as (RA & _). assert (Z : snd w = 0%R).
  { apply Rabs_eq_0. apply Rle_antisym; [|apply Rabs_pos]. apply le_epsilon. intros eps EP. destruct (B eps EP) as (_ & _ & Q). lra. }
  repeat split; auto. apply le_epsilon. intros eps EP. destruct (B eps EP) as (_ & Q & _). exact Q.
Qed.
