(* Controls: there are values to speak of, the checker accepts something, and it does not accept 1 = 2. *)
Require Import Check.
Open Scope C_scope.

Definition twos : env := Env (fun _ => zc 2) (fun _ d _ => match d with DS => zc 0 | _ => zc 2 end) 2 (fun _ _ => mone) mone.
Lemma two_lies d : inD d (zc 2).
Proof.
  assert (P : isNp (zc 2)) by (exists 2%Z; split; [lia | reflexivity]).
  destruct d; simpl; auto using N_Z, Np_N, Z_R, Np_gt, gt_ge, gt_ne.
  exists 1%Z; split; [lia | reflexivity]. exact (Np_gt _ P).
Qed.
Lemma flat k ds : steepness (fun _ => 0%R) k ds = 0%R.
Proof. revert k. induction ds; intros k; simpl; auto. rewrite IHds. ring. Qed.
Theorem values_exist : valid twos.
Proof.
  split; [intros; apply two_lies | split]. intros f d l. pose proof (two_lies d) as T. destruct d; simpl in *; auto; exact (isR_zc 0).
  intros f. split. intros T cs p _. apply continuous_const. intros cs ds p _ _.
  change (is_derive (fun _ : R => 0%R) p (steepness (fun _ => 0%R) 1 ds)). rewrite flat. apply (is_derive_const (V := R_NormedModule)).
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
