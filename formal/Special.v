(* The integrals behind Si and Ci as functions of their upper end. *)
Require Export Truths.
Open Scope R_scope.

Definition cin (t : R) : R := (cos t - 1) / t.
Definition sinc1 (t : R) : R := if Req_EM_T t 0 then 1 else sin t / t.
(* A quotient of differences is continuous at 0 with the derivative there. *)
Lemma quotient_continuous (f : R -> R) (l : R) (g : R -> R) : derivable_pt_lim f 0 l -> g 0 = l -> (forall t, t <> 0 -> g t = (f t - f 0) / t) -> continuous g 0.
Proof.
  intros D G0 G. apply continuity_pt_filterlim. intros eps He. destruct (D eps He) as [delta Hd]. exists delta. split. apply cond_pos.
  intros t [_ Ht]. simpl in *. unfold R_dist in *. rewrite Rminus_0_r in Ht. destruct (Req_dec t 0) as [->|N].
  rewrite Rminus_eq_0, Rabs_R0. exact He. rewrite G0, G by auto. specialize (Hd t N Ht). rewrite Rplus_0_l in Hd. exact Hd.
Qed.
Lemma cin_continuous t : continuous cin t.
Proof.
  destruct (Req_dec t 0) as [->|N].
  - apply (quotient_continuous cos 0). pose proof (derivable_pt_lim_cos 0) as D. rewrite sin_0, Ropp_0 in D. exact D. unfold cin. rewrite cos_0. unfold Rdiv. ring. intros; unfold cin. rewrite cos_0; auto.
  - unfold cin, Rdiv. apply (continuous_mult (K := R_AbsRing) (fun t => cos t - 1) (fun t => / t)).
    apply (continuous_minus (V := R_NormedModule)). apply continuous_cos. apply continuous_const. apply continuous_Rinv; auto.
Qed.
Lemma sinc1_continuous t : continuous sinc1 t.
Proof.
  destruct (Req_dec t 0) as [->|N].
  - apply (quotient_continuous sin 1). pose proof (derivable_pt_lim_sin 0) as D. rewrite cos_0 in D. exact D. unfold sinc1. destruct Req_EM_T; auto; contradiction.
    intros x X; unfold sinc1. destruct Req_EM_T; [contradiction|]. rewrite sin_0. f_equal. ring.
  - apply (continuous_ext_loc _ (fun t => sin t * / t)).
    destruct (Rlt_le_dec 0 t) as [P|P].
    eapply filter_imp; [|exact (open_gt 0 t P)]. intros y Y. unfold sinc1. destruct Req_EM_T; [lra|reflexivity].
    assert (P' : t < 0) by lra. eapply filter_imp; [|exact (open_lt 0 t P')]. intros y Y. unfold sinc1. destruct Req_EM_T; [lra|reflexivity].
    apply (continuous_mult (K := R_AbsRing) sin (fun t => / t)). apply continuous_sin. apply continuous_Rinv; auto.
Qed.
Lemma integral_slope (f : R -> R) x : (forall t, continuous f t) -> is_derive (fun y => RInt f 0 y) x (f x).
Proof.
  intros H. apply (is_derive_RInt f (fun y => RInt f 0 y) 0 x); auto. apply filter_forall. intros y.
  apply (RInt_correct (V := R_CompleteNormedModule)). apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; auto.
Qed.
Lemma sinc_integral y : RInt sinc 0 y = RInt sinc1 0 y.
Proof.
  apply RInt_ext. intros t T. unfold sinc, sinc1. destruct Req_EM_T as [->|]; auto. exfalso. revert T. unfold Rmin, Rmax. destruct Rle_dec; lra.
Qed.
Lemma si_slope x : is_derive (fun y => RInt sinc 0 y) x (sinc1 x).
Proof. apply (is_derive_ext (fun y => RInt sinc1 0 y)). intros; symmetry; apply sinc_integral. apply integral_slope, sinc1_continuous. Qed.
Lemma ci_slope x : is_derive (fun y => RInt cin 0 y) x (cin x).
Proof. apply integral_slope, cin_continuous. Qed.
Lemma sin_le x : (Rabs (sin x) <= Rabs x)%R.
Proof. destruct (MVT_gen sin 0 x cos) as (c & _ & E).
  intros; auto_derive; auto; ring. intros; apply derivable_continuous_pt, derivable_pt_sin.
  rewrite sin_0, !Rminus_0_r in E. rewrite E, Rabs_mult. pose proof (COS_bound c). pose proof (Rabs_pos x). assert (Rabs (cos c) <= 1)%R by (apply Rabs_le; lra). nra. Qed.
(* A chord is shorter than its arc: (e^(it) - 1) / t has at most the modulus 1, so its integral at most that of 1. *)
Lemma chord_small t : Cmod (cin t, sinc1 t) <= 1.
Proof.
  unfold Cmod; cbn [fst snd]. rewrite <- sqrt_1. apply sqrt_le_1_alt. unfold cin, sinc1. destruct Req_EM_T as [->|N].
  - rewrite cos_0. unfold Rdiv. ring_simplify. lra.
  - replace (((cos t - 1) / t) ^ 2 + (sin t / t) ^ 2) with (((cos t - 1) * (cos t - 1) + sin t * sin t) / (t * t)) by (field; auto).
    apply Rmult_le_reg_r with (t * t). nra. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by nra.
    pose proof (sin2_cos2 t) as E. unfold Rsqr in E. replace t with (2 * (t / 2)) in E |- * by field. set (u := t / 2) in *. rewrite cos_2a_sin in *.
    pose proof (sin_le u) as L. assert (S : sin u * sin u <= u * u). { apply Rsqr_le_abs_1 in L. unfold Rsqr in L. exact L. } nra.
Qed.
Lemma pair_i (a b : R) : (a, b) = (RtoC a + G (0#1) (1#1) * RtoC b)%C.
Proof. unfold G. rewrite Q0, Q1. apply Ceq; simpl; ring. Qed.
Lemma ax_integrals_near x : gt0 x -> kle (kabs (kCi x + G (0#1) (1#1) * kSi x + G (-1#1) (0#1) * (klog x + keuler)))%C x.
Proof.
  intros [RX P]. repeat split; auto. cbn [fst kabs RtoC].
  replace (kCi x + G (0#1) (1#1) * kSi x + G (-1#1) (0#1) * (klog x + keuler))%C with (RInt cin 0 (fst x), RInt sinc1 0 (fst x)).
  2: { unfold kCi, kSi. rewrite sinc_integral. change (fun t : R => (cos t - 1) / t) with cin.
       transitivity (RtoC (RInt cin 0 (fst x)) + G (0#1) (1#1) * RtoC (RInt sinc1 0 (fst x)))%C. apply pair_i. match goal with |- ?a = ?b => change (@eq C a b) end. ring. }
  set (V := prod_NormedModule R_AbsRing R_NormedModule R_NormedModule).
  assert (N : forall z : C, Hierarchy.norm (z : V) = Cmod z).
  { intros z. unfold Hierarchy.norm; simpl. unfold prod_norm, Cmod. f_equal. unfold Hierarchy.norm; simpl; unfold abs; simpl. rewrite !Rmult_1_r, <- !Rabs_mult, !Rabs_pos_eq; nra. }
  rewrite <- N. apply (norm_RInt_le (V := V) (fun t => (cin t, sinc1 t) : V) (fun _ => 1) 0 (fst x)). lra.
  - intros t _. rewrite N. apply chord_small.
  - apply (is_RInt_fct_extend_pair (U := R_NormedModule) (V := R_NormedModule)); cbn [fst snd]; apply (RInt_correct (V := R_CompleteNormedModule)), (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; [apply cin_continuous | apply sinc1_continuous].
  - replace (fst x) with (scal (fst x - 0) 1) at 2 by (unfold scal; simpl; unfold mult; simpl; ring). apply (is_RInt_const (V := R_NormedModule)).
Qed.
