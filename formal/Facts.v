(* What lies in a domain: facts about the values of terms, one for each way in which a term is built. *)
Require Export Functions.
Open Scope C_scope.

(* --- domains --- *)
Lemma isR_G a b : Q2R b = 0%R -> isR (G a b). Proof. auto. Qed.
Lemma isR_plus a b : isR a -> isR b -> isR (a + b). Proof. unfold isR; simpl; intros -> ->; ring. Qed.
Lemma isR_mult a b : isR a -> isR b -> isR (a * b). Proof. unfold isR; simpl; intros -> ->; ring. Qed.
Lemma isR_pow a k : isR a -> isR (kpow a k).
Proof. intros; induction k; cbn [kpow]. apply Q0. apply isR_mult; auto. Qed.
Lemma isR_exp a : isR a -> isR (kexp a). Proof. unfold isR, kexp; simpl; intros ->; rewrite sin_0; ring. Qed.
Lemma isR_inv a : isR a -> isR (kinv a). Proof. unfold isR, kinv, Cinv; simpl; intros ->. unfold Rdiv; ring. Qed.
Lemma isR_abs a : isR (kabs a). Proof. reflexivity. Qed.
Lemma isR_pi : isR kpi. Proof. reflexivity. Qed.
Lemma isR_euler : isR keuler. Proof. reflexivity. Qed.
Lemma isR_conj a : isR a -> isR (conj a). Proof. intros H; rewrite conj_real; auto. Qed.
Lemma isR_re a : isR (kre a). Proof. unfold kre; gq; unfold isR, conj; simpl; lra. Qed.
Lemma isR_im a : isR (kim a). Proof. unfold kim; gq; unfold isR, conj; simpl; lra. Qed.
Lemma isR_cos a : isR a -> isR (kcos a). Proof. intros H; apply isR_iff in H; rewrite H, kcos_R; reflexivity. Qed.
Lemma isR_sin a : isR a -> isR (ksin a). Proof. intros H; apply isR_iff in H; rewrite H, ksin_R; reflexivity. Qed.
Lemma isR_cosh a : isR a -> isR (kcosh a). Proof. intros; unfold kcosh. repeat first [apply isR_plus | apply isR_mult | apply isR_exp | apply isR_G; apply Q0 | assumption]. Qed.
Lemma isR_sinh a : isR a -> isR (ksinh a). Proof. intros; unfold ksinh. repeat first [apply isR_plus | apply isR_mult | apply isR_exp | apply isR_G; apply Q0 | assumption]. Qed.
Lemma isR_tan a : isR a -> isR (ktan a). Proof. intros; unfold ktan; apply isR_mult; [apply isR_sin | apply isR_inv, isR_cos]; auto. Qed.
Lemma isR_tanh a : isR a -> isR (ktanh a). Proof. intros; unfold ktanh; apply isR_mult; [apply isR_sinh | apply isR_inv, isR_cosh]; auto. Qed.
Lemma isR_delta a b : isR (kdelta a b). Proof. unfold kdelta; destruct excluded_middle_informative; apply Q0. Qed.
Lemma isR_Si a : isR (kSi a). Proof. reflexivity. Qed.
Lemma nsum_R f n : (forall k, (k < n)%nat -> isR (f k)) -> isR (nsum f n).
Proof. induction n; intros; simpl. apply Q0. apply isR_plus; auto. Qed.
Lemma nprod_R f n : (forall k, (k < n)%nat -> isR (f k)) -> isR (nprod f n).
Proof. induction n; intros; simpl. apply Q0. apply isR_mult; auto. Qed.
Lemma isR_sum lo hi f : (forall i, inrange lo hi i -> isR (f i)) -> isR (ksum lo hi f).
Proof. intros. unfold ksum. destruct (ends lo hi) eqn:E; [|apply Q0]. apply ends_R in E as []. apply nsum_R; intros; apply H, inrange_ix; auto. Qed.
Lemma isR_prod lo hi f : (forall i, inrange lo hi i -> isR (f i)) -> isR (kprod lo hi f).
Proof. intros. unfold kprod. destruct (ends lo hi) eqn:E; [|apply Q0]. apply ends_R in E as []. apply nprod_R; intros; apply H, inrange_ix; auto. Qed.
Lemma isR_max lo hi f : isR (kmax lo hi f). Proof. unfold kmax; destruct excluded_middle_informative; reflexivity. Qed.
Lemma isR_int lo hi f : (forall x, isR x -> isR (f x)) -> isR (kint lo hi f).
Proof. intros H. unfold kint. destruct excluded_middle_informative; [|apply Q0]. unfold isR; simpl.
  rewrite (RInt_ext _ (fun _ => 0%R)). rewrite RInt_const. unfold scal; simpl; unfold mult; simpl; ring. intros; apply H; reflexivity. Qed.
Lemma isR_erf a : isR a -> isR (kerf a).
Proof. intros H. apply isR_mult. reflexivity. apply isR_int. intros x X. apply isR_mult; auto. apply isR_exp, isR_mult. apply Q0. apply isR_pow, isR_mult; auto. Qed.
Lemma Z_R a : isZ a -> isR a. Proof. intros [n ->]; reflexivity. Qed.
Lemma N_Z a : isN a -> isZ a. Proof. intros (n & _ & ->); eexists; reflexivity. Qed.
Lemma Np_N a : isNp a -> isN a. Proof. intros (n & H & ->); exists n; split; auto; lia. Qed.
Lemma Rp_R a : isRp a -> isR a. Proof. intros []; auto. Qed.
Lemma gt_ge a : gt0 a -> ge0 a. Proof. intros []; split; auto; lra. Qed.
Lemma ge_R a : ge0 a -> isR a. Proof. intros []; auto. Qed.
Lemma gt_R a : gt0 a -> isR a. Proof. intros []; auto. Qed.
Lemma gt_ne a : gt0 a -> ne0 a. Proof. intros [H1 H2] ->. rewrite G0 in H2; simpl in H2; lra. Qed.
Lemma N_ge a : isN a -> ge0 a. Proof. intros (n & H & ->); split. reflexivity. apply IZR_le in H; auto. Qed.
Lemma Np_gt a : isNp a -> gt0 a. Proof. intros (n & H & ->); split. reflexivity. apply IZR_le in H. simpl. lra. Qed.
Lemma zc_plus a b : zc a + zc b = zc (a + b). Proof. unfold zc; rewrite plus_IZR, RtoC_plus; auto. Qed.
Lemma zc_mult a b : zc a * zc b = zc (a * b). Proof. unfold zc; rewrite mult_IZR, RtoC_mult; auto. Qed.
Lemma G_zc n : G (n#1) (0#1) = zc n. Proof. unfold G, zc, RtoC, Q2R; simpl. apply Ceq; simpl; field. Qed.
Lemma isZ_G n : isZ (G (n#1) (0#1)). Proof. exists n; apply G_zc. Qed.
Lemma isZ_plus a b : isZ a -> isZ b -> isZ (a + b). Proof. intros [n ->] [m ->]; exists (n+m)%Z; apply zc_plus. Qed.
Lemma isZ_mult a b : isZ a -> isZ b -> isZ (a * b). Proof. intros [n ->] [m ->]; exists (n*m)%Z; apply zc_mult. Qed.
Lemma isZ_pow a k : isZ a -> isZ (kpow a k). Proof. intros; induction k; cbn [kpow]. apply isZ_G. apply isZ_mult; auto. Qed.
Lemma isN_plus a b : isN a -> isN b -> isN (a + b). Proof. intros (n & ? & ->) (m & ? & ->); exists (n+m)%Z; split; [lia | apply zc_plus]. Qed.
Lemma isN_mult a b : isN a -> isN b -> isN (a * b). Proof. intros (n & ? & ->) (m & ? & ->); exists (n*m)%Z; split; [lia | apply zc_mult]. Qed.
Lemma isNp_plus a b : isNp a -> isN b -> isNp (a + b). Proof. intros (n & ? & ->) (m & ? & ->); exists (n+m)%Z; split; [lia | apply zc_plus]. Qed.
Lemma isNp_plus2 a b : isN a -> isNp b -> isNp (a + b). Proof. intros (n & ? & ->) (m & ? & ->); exists (n+m)%Z; split; [lia | apply zc_plus]. Qed.
Lemma isNp_mult a b : isNp a -> isNp b -> isNp (a * b). Proof. intros (n & ? & ->) (m & ? & ->); exists (n*m)%Z; split; [lia | apply zc_mult]. Qed.
Lemma isN_G n : (0 <=? n)%Z = true -> isN (G (n#1) (0#1)). Proof. intros H; exists n; split; [lia | apply G_zc]. Qed.
Lemma isNp_G n : (1 <=? n)%Z = true -> isNp (G (n#1) (0#1)). Proof. intros H; exists n; split; [lia | apply G_zc]. Qed.
Lemma isN_above lo i : isN lo -> isZ i -> kle lo i -> isN i.
Proof. intros (n & H & ->) (m & ->) (_ & _ & L). exists m; split; auto. simpl in L. apply le_IZR in L. lia. Qed.
Lemma isNp_above lo i : isNp lo -> isZ i -> kle lo i -> isNp i.
Proof. intros (n & H & ->) (m & ->) (_ & _ & L). exists m; split; auto. simpl in L. apply le_IZR in L. lia. Qed.
Lemma ge_plus a b : ge0 a -> ge0 b -> ge0 (a + b). Proof. intros [? ?] [? ?]; split. apply isR_plus; auto. simpl; lra. Qed.
Lemma ge_mult a b : ge0 a -> ge0 b -> ge0 (a * b).
Proof. intros [H1 ?] [H2 ?]; split. apply isR_mult; auto. unfold isR in *; simpl. rewrite H1, H2. nra. Qed.
Lemma gt_mult a b : gt0 a -> gt0 b -> gt0 (a * b).
Proof. intros [H1 ?] [H2 ?]; split. apply isR_mult; auto. unfold isR in *; simpl. rewrite H1, H2. nra. Qed.
Lemma gt_plus a b : gt0 a -> ge0 b -> gt0 (a + b). Proof. intros [? ?] [? ?]; split. apply isR_plus; auto. simpl; lra. Qed.
Lemma gt_plus2 a b : ge0 a -> gt0 b -> gt0 (a + b). Proof. intros [? ?] [? ?]; split. apply isR_plus; auto. simpl; lra. Qed.
Lemma ge_pow a k : ge0 a -> ge0 (kpow a k).
Proof. intros; induction k; cbn [kpow]. rewrite G1; split; [reflexivity | simpl; lra]. apply ge_mult; auto. Qed.
Lemma gt_pow a k : gt0 a -> gt0 (kpow a k).
Proof. intros; induction k; cbn [kpow]. rewrite G1; split; [reflexivity | simpl; lra]. apply gt_mult; auto. Qed.
Lemma ge_sq a : isR a -> ge0 (kpow a 2).
Proof. intros H; split. apply isR_pow; auto. cbn [kpow]. rewrite G1. unfold isR in H; simpl. rewrite H. nra. Qed.
Lemma ge_even a k : isR a -> ge0 (kpow a (k + k)).
Proof. intros H. replace (kpow a (k + k)) with (kpow (kpow a 2) k). apply ge_pow, ge_sq; auto.
  induction k; auto. replace (S k + S k)%nat with (S (S (k + k))) by lia. cbn [kpow] in *. rewrite IHk. ring. Qed.
Lemma ge_G a : (0 <=? Qnum a)%Z = true -> ge0 (G a (0#1)).
Proof. intros H; split. apply Q0. simpl. unfold Q2R. apply Rmult_le_pos. apply IZR_le; lia. left; apply Rinv_0_lt_compat, IZR_lt; lia. Qed.
Lemma gt_G a : (0 <? Qnum a)%Z = true -> gt0 (G a (0#1)).
Proof. intros H; split. apply Q0. simpl. unfold Q2R. apply Rmult_lt_0_compat. apply IZR_lt; lia. apply Rinv_0_lt_compat, IZR_lt; lia. Qed.
Lemma gt_exp a : isR a -> gt0 (kexp a).
Proof. intros H; split. apply isR_exp; auto. unfold isR in H; simpl. rewrite H, cos_0. pose proof (exp_pos (fst a)). lra. Qed.
Lemma inv_fst a : isR a -> fst (kinv a) = (/ fst a)%R.
Proof. intros H. apply isR_iff in H. destruct (Req_dec (fst a) 0) as [E|E].
  rewrite H, E. change (RtoC 0) with (0:C). rewrite <- G0, kinv_0, G0. simpl. rewrite Rinv_0; auto.
  rewrite H. unfold kinv. rewrite <- RtoC_inv; auto. Qed.
Lemma gt_inv a : gt0 a -> gt0 (kinv a).
Proof. intros [H1 H2]; split. apply isR_inv; auto. rewrite inv_fst; auto. apply Rinv_0_lt_compat; auto. Qed.
Lemma ge_inv a : ge0 a -> ge0 (kinv a).
Proof. intros [H1 H2]; split. apply isR_inv; auto. rewrite inv_fst; auto. destruct H2. left; apply Rinv_0_lt_compat; auto. rewrite <- H, Rinv_0; lra. Qed.
Lemma ge_abs a : ge0 (kabs a). Proof. split. reflexivity. apply Cmod_ge_0. Qed.
Lemma gt_abs a : ne0 a -> gt0 (kabs a). Proof. split. reflexivity. apply Cmod_gt_0. intros E. apply H. rewrite G0; auto. Qed.
Lemma gt_pi : gt0 kpi. Proof. split. reflexivity. apply PI_RGT_0. Qed.
Lemma ge_zz a : ge0 (a * conj a). Proof. unfold conj; split; unfold isR; simpl; nra. Qed.
Lemma ge_sum lo hi f : (forall i, inrange lo hi i -> ge0 (f i)) -> ge0 (ksum lo hi f).
Proof. intros. unfold ksum. destruct (ends lo hi) eqn:E; [|rewrite G0; split; [reflexivity|simpl; lra]]. apply ends_R in E as [].
  assert (forall n, (n <= len lo hi)%nat -> ge0 (nsum (ix lo f) n)); auto.
  induction n; intros; simpl. rewrite G0; split; [reflexivity|simpl; lra]. apply ge_plus. apply IHn; lia. apply H, inrange_ix; auto. Qed.
Lemma gt_sum lo hi f : isZ lo -> kle lo hi -> (forall i, inrange lo hi i -> gt0 (f i)) -> gt0 (ksum lo hi f).
Proof. intros [l ->] (_ & Rh & L) H. unfold ksum. rewrite R_ends; auto; [|reflexivity].
  assert (exists k, len (zc l) hi = S k) as [k E]. { unfold len. rewrite fst_zc, ceil_Z. simpl in L. apply ip_ge in L. exists (Z.to_nat (Int_part (fst hi) - l)). lia. }
  rewrite E. simpl. apply gt_plus2. 2: apply H, inrange_ix; auto; [reflexivity | lia].
  assert (forall n, (n <= k)%nat -> ge0 (nsum (ix (zc l) f) n)); auto.
  induction n; intros; simpl. rewrite G0; split; [reflexivity|simpl; lra]. apply ge_plus. apply IHn; lia. apply gt_ge, H, inrange_ix; auto; [reflexivity|lia]. Qed.
Lemma gt_prod lo hi f : (forall i, inrange lo hi i -> gt0 (f i)) -> gt0 (kprod lo hi f).
Proof. intros. unfold kprod. destruct (ends lo hi) eqn:E; [|rewrite G1; split; [reflexivity|simpl; lra]]. apply ends_R in E as [].
  assert (forall n, (n <= len lo hi)%nat -> gt0 (nprod (ix lo f) n)); auto.
  induction n; intros; simpl. rewrite G1; split; [reflexivity|simpl; lra]. apply gt_mult. apply IHn; lia. apply H, inrange_ix; auto. Qed.
Lemma ne_G_re a b : Qeq_bool a 0 = false -> ne0 (G a b).
Proof. intros H E. apply (f_equal fst) in E. simpl in E. apply eqR_Qeq in E. apply Qeq_bool_neq in H. auto. Qed.
Lemma ne_G_im a b : Qeq_bool b 0 = false -> ne0 (G a b).
Proof. intros H E. apply (f_equal snd) in E. simpl in E. apply eqR_Qeq in E. apply Qeq_bool_neq in H. auto. Qed.
Lemma ne_pow a k : ne0 a -> ne0 (kpow a k).
Proof. intros; induction k; cbn [kpow]. apply G10. apply mul_ne0; auto. Qed.
Lemma ne_inv a : ne0 a -> ne0 (kinv a).
Proof. intros H E. apply H. rewrite <- (kinv_kinv a), E. apply kinv_0. Qed.
Lemma ne_conj a : ne0 a -> ne0 (conj a).
Proof. intros H E. apply H. rewrite <- (conj_conj a), E, conj_G. reflexivity. Qed.
Lemma isR_log a : gt0 a -> isR (klog a).
Proof. intros [H1 H2]. unfold klog. destruct excluded_middle_informative. reflexivity. unfold isR; simpl. apply isR_iff in H1. rewrite H1. unfold arg.
  simpl. destruct Rle_dec; [|lra]. rewrite Cmod_R, Rabs_right by lra. unfold Rdiv. rewrite Rinv_r by lra. apply acos_1. Qed.
Lemma kcond b x : ne0 b -> kpowc b x = kexp (x * klog b).
Proof. intros H. unfold kpowc. destruct excluded_middle_informative; auto. elim H. rewrite G0; auto. Qed.
Lemma gt_powc b x : gt0 b -> isR x -> gt0 (kpowc b x).
Proof. intros. rewrite kcond by (apply gt_ne; auto). apply gt_exp, isR_mult; auto. apply isR_log; auto. Qed.
Lemma ksqrt_ne z : ne0 z -> ksqrt z = kexp (G (1#2) (0#1) * klog z).
Proof. intros H. unfold ksqrt. destruct excluded_middle_informative; auto. elim H; rewrite G0; auto. Qed.
Lemma ge_sqrt a : ge0 a -> ge0 (ksqrt a).
Proof. intros H. unfold ksqrt. destruct excluded_middle_informative. split; [reflexivity | simpl; lra]. apply gt_ge, gt_exp, isR_mult. apply Q0.
  apply isR_log. destruct H as [H1 H2]; split; auto. destruct H2; auto. elim n. apply isR_iff in H1. rewrite H1, <- H; auto. Qed.
Lemma gt_sqrt a : gt0 a -> gt0 (ksqrt a).
Proof. intros H. rewrite ksqrt_ne by (apply gt_ne; auto). apply gt_exp, isR_mult. apply Q0. apply isR_log; auto. Qed.
Lemma isR_Ci a : gt0 a -> isR (kCi a). Proof. intros. unfold kCi. repeat apply isR_plus; try reflexivity. apply isR_log; auto. Qed.

Lemma fstP a b : fst (a + b) = (fst a + fst b)%R. Proof. reflexivity. Qed.
Lemma fstM a b : isR a -> isR b -> fst (a * b) = (fst a * fst b)%R. Proof. unfold isR; intros H1 H2; simpl. rewrite H1; ring. Qed.
