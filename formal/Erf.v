(* The error function is entire: its derivative along any curve. *)
Require Export Slopes.
Set Implicit Arguments.
Open Scope C_scope.

Definition gauss (z : C) : C := kexp (G (-1#1) (0#1) * kpow z 2).
Definition primitive (z : C) : C := kint (G 0 0) (G 1 0) (fun s => z * gauss (s * z)).
Lemma unit_ends (f : C -> C) : (forall t, cont_at (fun t => f (RtoC t)) t) -> kint (G 0 0) (G 1 0) f = int_pair (RtoC 0) (RtoC 1) f.
Proof. intros H. rewrite G0, G1. apply kint_fine; try reflexivity. intros _ _ y _. apply H. Qed.
Lemma cont_gauss (T : UniformSpace) (f : T -> C) x : cont_at f x -> cont_at (fun y => gauss (f y)) x.
Proof. intros H. exact (cont_exp (cont_mult (cont_const _ x) (cont_pow 2 H))). Qed.
Lemma s_gauss f x a : slope_at f x a -> slope_at (fun y => gauss (f y)) x (G (-2#1) (0#1) * f x * gauss (f x) * a).
Proof. intros H. eapply s_eq; [|exact (s_exp (s_scal (G (-1#1) (0#1)) (s_pow 1 H)))]. change (zc (Z.of_nat 2)) with (zc 2). rewrite <- (G_zc 2). unfold gauss. ring. Qed.
Section Line.
  Variables z w : C.
  Let at_ (y : R) : C := z + RtoC y * w.
  Lemma s_line p : slope_at at_ p w.
  Proof. eapply s_eq; [|exact (s_plus (s_const z p) (s_mult (s_id p) (s_const w p)))]. cbv beta. ring. Qed.
  Lemma primitive_line p : slope_at (fun y => primitive (at_ y)) p (w * gauss (at_ p)).
  Proof.
    set (d := fun y t => w * gauss (RtoC t * at_ y) * (G 1 0 + G (-2#1) (0#1) * (RtoC t * at_ y) * (RtoC t * at_ y))).
    assert (S : forall y t, slope_at (fun u => at_ u * gauss (RtoC t * at_ u)) y (d y t)).
    { intros y t. eapply s_eq; [|exact (s_mult (s_line y) (s_gauss (s_scal (RtoC t) (s_line y))))]. unfold d. ring. }
    assert (CT : forall y t, cont_at (fun t => at_ y * gauss (RtoC t * at_ y)) t).
    { intros y t. exact (cont_mult (cont_const _ t) (cont_gauss (cont_mult (cont_id t) (cont_const _ t)))). }
    assert (CJ : forall y t, cont_at (fun q : R * R => d (fst q) (snd q)) (y, t)).
    { intros y t. set (T := prod_UniformSpace R_UniformSpace R_UniformSpace).
      assert (A : cont_at (fun q : T => RtoC (snd q) * at_ (fst q)) (y, t)).
      { apply cont_mult. apply cont_real, continuous_snd. exact (cont_plus (cont_const z _) (cont_mult (cont_real (continuous_fst y t)) (cont_const w _))). }
      exact (cont_mult (cont_mult (cont_const w _) (cont_gauss A)) (cont_plus (cont_const _ _) (cont_mult (cont_mult (cont_const _ _) A) A))). }
    assert (F : int_pair (RtoC 0) (RtoC 1) (fun t => d p (fst t)) = w * gauss (at_ p)).
    { assert (P : forall t, slope_at (fun t => w * (RtoC t * gauss (RtoC t * at_ p))) t (d p t)).
      { intros t. assert (L : slope_at (fun t => RtoC t * at_ p) t (at_ p)) by (eapply s_eq; [|exact (s_mult (s_id t) (s_const (at_ p) t))]; cbv beta; ring).
        eapply s_eq; [|exact (s_scal w (s_mult (s_id t) (s_gauss L)))]. unfold d. ring. }
      assert (CD : forall t, cont_at (d p) t).
      { intros t. assert (A : cont_at (fun t => RtoC t * at_ p) t) by exact (cont_mult (cont_id t) (cont_const _ t)).
        exact (cont_mult (cont_mult (cont_const w _) (cont_gauss A)) (cont_plus (cont_const _ _) (cont_mult (cont_mult (cont_const _ _) A) A))). }
      etransitivity. exact (@integral_of_slope (fun t => w * (RtoC t * gauss (RtoC t * at_ p))) (d p) 0%R 1%R P CD). cbv beta.
      replace (RtoC 1) with (G 1 0) by (rewrite G1; reflexivity). replace (RtoC 0) with (G 0 0) by (rewrite G0; reflexivity). replace (G 1 0 * at_ p) with (at_ p) by ring. ring. }
    rewrite <- F. apply s_near with (f := fun y => int_pair (RtoC 0) (RtoC 1) (fun t => at_ y * gauss (t * at_ y))).
    apply filter_forall. intros y. unfold primitive. symmetry. apply (unit_ends (fun t => at_ y * gauss (t * at_ y))). apply CT.
    apply (s_int (fun y t => at_ y * gauss (RtoC t * at_ y)) d).
    - apply filter_forall. intros y t _. split; auto.
    - intros t _. apply filter_forall. intros q. apply S.
    - intros t _. apply CJ.
  Qed.
End Line.
Lemma along_re (a b y : R) : (a, b) + RtoC y * G 1 0 = ((a + y)%R, b). Proof. rewrite G1. apply Ceq; simpl; ring. Qed.
Lemma along_im (a b y : R) : (a, b) + RtoC y * G (0#1) (1#1) = (a, (b + y)%R). Proof. unfold G. rewrite Q0, Q1. apply Ceq; simpl; ring. Qed.
Lemma plane_slope (E D : C -> C) f x a : (forall z w p, slope_at (fun y => E (z + RtoC y * w)) p (w * D (z + RtoC p * w))) ->
  (forall p : R * R, cont_at (fun q : R * R => D q) p) -> slope_at f x a -> slope_at (fun y => E (f y)) x (D (f x) * a).
Proof.
  intros L K [A B].
  assert (H : forall pr : C -> R, (pr = fst \/ pr = snd) -> is_derive (fun y => pr (E (f y))) x (pr (D (f x)) * fst a + pr (G (0#1) (1#1) * D (f x))%C * snd a)%R).
  { intros pr PR. set (F := fun u v => pr (E (u, v) : C)). rewrite (surjective_pairing (f x)) at 1 2.
    apply (is_derive_ext (fun y => F (fst (f y)) (snd (f y)))). intros y. unfold F. rewrite <- surjective_pairing. reflexivity. apply is_derive_Reals.
    assert (Q : forall u v, is_derive (fun y => F y v) u (pr (D (u, v))) /\ is_derive (fun y => F u y) v (pr (G (0#1) (1#1) * D (u, v)))).
    { intros u v. assert (X : slope_at (fun y => E (y, v)) u (D (u, v)) /\ slope_at (fun y => E (u, y)) v (G (0#1) (1#1) * D (u, v))).
      { split.
        - eapply s_near; [|eapply s_eq; [|exact (L (0%R, v) (G 1 0) u)]]. apply filter_forall. intros y. rewrite along_re, Rplus_0_l. reflexivity. rewrite along_re, Rplus_0_l, G1. apply Cmult_1_l.
        - eapply s_near; [|eapply s_eq; [|exact (L (u, 0%R) (G (0#1) (1#1)) v)]]. apply filter_forall. intros y. rewrite along_im, Rplus_0_l. reflexivity. rewrite along_im, Rplus_0_l. reflexivity. }
      destruct X as [X1 X2]. unfold F. destruct PR as [-> | ->]; split; first [apply X1 | apply X2]. }
    apply (derivable_pt_lim_comp_2d F (fun y => fst (f y)) (fun y => snd (f y))); [|apply is_derive_Reals; auto | apply is_derive_Reals; auto].
    apply filterdiff_differentiable_pt_lim.
    apply (is_derive_filterdiff F (fst (f x)) (snd (f x)) (fun u v => pr (D (u, v)))).
    - apply filter_forall. intros q. apply Q.
    - apply Q.
    - assert (Y : continuous (fun q : R * R => pr (D q)) (fst (f x), snd (f x))) by (destruct PR as [-> | ->]; apply K).
      apply (continuous_ext (fun q : R * R => pr (D q))); auto. intros q. rewrite <- surjective_pairing. reflexivity. }
  assert (I : G (0#1) (1#1) = (0%R, 1%R)) by (unfold G; rewrite Q0, Q1; reflexivity).
  split; (eapply d_eq; [|apply H; auto]); rewrite I; simpl; ring.
Qed.
Lemma s_erf f x a : slope_at f x a -> slope_at (fun y => kerf (f y)) x (G (2#1) (0#1) * (kinv (ksqrt kpi) * gauss (f x)) * a).
Proof.
  intros H. assert (K : forall p : R * R, cont_at (fun q : R * R => gauss q) p).
  { intros [u v]. apply (@cont_gauss (prod_UniformSpace R_UniformSpace R_UniformSpace) (fun q => q)). split; [apply continuous_fst | apply continuous_snd]. }
  eapply s_eq; [|exact (s_scal (RtoC (2 / sqrt PI)) (plane_slope primitive gauss primitive_line K H))].
  assert (S : (0 < sqrt PI)%R) by (apply sqrt_lt_R0, PI_RGT_0).
  rewrite (ksqrt_pos (gt_ge _ gt_pi)). cbn [kpi fst RtoC]. unfold kinv. rewrite <- RtoC_inv by lra.
  replace (G (2#1) (0#1)) with (RtoC 2) by (unfold G; rewrite Q0; unfold Q2R; apply Ceq; simpl; field). unfold Rdiv. rewrite RtoC_mult. ring.
Qed.
