(* Controls: there are values to speak of, the checker accepts something, and it does not accept 1 = 2. *)
Require Import Check.
Open Scope C_scope.

Definition twos : env := Env (fun _ => zc 2) (fun _ d _ => match d with DS => zc 0 | _ => zc 2 end) 2 (fun _ _ => mone) mone.
Lemma two_lies d : inD d (zc 2).
Proof.
  assert (P : isNp (zc 2)) by (exists 2%Z; split; [lia | reflexivity]).
  destruct d; simpl; auto using N_Z, Np_N, Z_R, Np_gt, gt_ge, gt_ne.
  exact (Np_gt _ P).
Qed.
Lemma flat k ds : steepness (fun _ => 0%R) k ds = 0%R.
Proof. revert k. induction ds; intros k; simpl; auto. rewrite IHds. ring. Qed.
Theorem values_exist : valid twos.
Proof.
  split; [intros; apply two_lies | split]. intros f d l. pose proof (two_lies d) as T. destruct d; simpl in *; auto; exact (isR_zc 0).
  intros f. split. intros T cs p _. apply continuous_const. intros cs ds p _ _.
  change (is_derive (fun _ : R => 0%R) p (steepness (fun _ => 0%R) 1 ds)). rewrite flat. apply (is_derive_const (V := R_NormedModule)).
Qed.
(* Smooth functions may move: one is x, and the one with its derivative's name is 1. *)
Definition f_ : positive := 358. (* "f" *)
Definition moving (g : positive) (d : dom) (l : list C) : C := match d, l with
  | DS, [x] => if Pos.eqb g f_ then RtoC (fst x) else if Pos.eqb g (partial 1 1 f_) then zc 1 else zc 0
  | DS, _ => zc 0 | _, _ => zc 2 end.
Lemma moving_after g : g <> f_ -> moving (partial 1 1 g) DS = fun _ => zc 0.
Proof.
  intros N. assert (P : partial 1 1 g = (g * 256 + 39)%positive) by reflexivity.
  apply functional_extensionality. intros [|x [|]]; auto. unfold moving. rewrite P.
  destruct (Pos.eqb_spec (g * 256 + 39) f_) as [E|_]; [exfalso; unfold f_ in E; lia|].
  destruct (Pos.eqb_spec (g * 256 + 39) (partial 1 1 f_)) as [E|_]; auto. elim N. unfold f_. change (partial 1 1 f_) with 91687%positive in E. lia.
Qed.
Theorem smooth_functions_move : smooth moving /\ (forall x, moving f_ DS [RtoC x] = RtoC x) /\ (forall x, moving (partial 1 1 f_) DS [RtoC x] = 1).
Proof.
  split; [|split; intros; reflexivity]. intros g. split.
  - intros T [|c [|]] p H; try apply continuous_const. cbn [map moving]. destruct (Pos.eqb g f_). apply (H c); left; auto.
    destruct (Pos.eqb g (partial 1 1 f_)); apply continuous_const.
  - intros [|c [|]] ds p _ D; inversion D as [|? d ? ds' DC D']; subst; cbn [map length].
    + apply (is_derive_const (V := R_NormedModule)).
    + inversion D'; subst. destruct (Pos.eq_dec g f_) as [->|N].
      * change (is_derive (fun y : R => c y) p (1 * d + 0)%R). rewrite Rplus_0_r, Rmult_1_l. exact DC.
      * cbn [steepness]. rewrite (moving_after g N). change (is_derive (fun y : R => fst (moving g DS [RtoC (c y)])) p (0 * d + 0)%R). rewrite Rmult_0_l, Rplus_0_l.
        unfold moving. apply Pos.eqb_neq in N. rewrite N. destruct (Pos.eqb g (partial 1 1 f_)); apply (is_derive_const (V := R_NormedModule)).
    + change (is_derive (fun _ : R => 0%R) p (steepness (fun _ => 0%R) 1 (d :: ds'))). rewrite flat. apply (is_derive_const (V := R_NormedModule)).
Qed.
Theorem truth_is_not_everything : ~ truth (Thm [] (Num (1#1) (0#1)) Eq_ (Num (2#1) (0#1))).
Proof.
  intros T. pose proof (T twos values_exist ltac:(intros h [])) as H. unfold said in H. cbn [lhs rhs rl related den] in H.
  rewrite !G_zc in H. apply (f_equal fst) in H. cbn [fst zc RtoC] in H. apply eq_IZR in H. discriminate.
Qed.
Theorem accepts_something : check [] (Cert [] (Thm [] tone Eq_ tone) [Ring tone tone]) = true.
Proof. vm_compute. reflexivity. Qed.
Theorem refuses_something : check [] (Cert [] (Thm [] tone Eq_ tzero) [Ring tone tzero]) = false.
Proof. vm_compute. reflexivity. Qed.
