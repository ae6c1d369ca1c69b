(* Functions, sums, products, integrals and maxima, as total functions of complex numbers. *)
Require Export Numbers.
Open Scope C_scope.

Definition kexp (z : C) : C := (exp (fst z) * cos (snd z), exp (fst z) * sin (snd z))%R.
Definition kabs (z : C) : C := RtoC (Cmod z).
Definition kpi : C := RtoC PI.
Definition kcos (x : C) : C := (G (1#2) (0#1)) * ((kexp ((G (0#1) (1#1)) * x)) + (kexp ((G (0#1) (-1#1)) * x))).
Definition ksin (x : C) : C := (G (1#2) (0#1)) * (G (0#1) (-1#1)) * ((kexp ((G (0#1) (1#1)) * x)) + ((G (-1#1) (0#1)) * (kexp ((G (0#1) (-1#1)) * x)))).
Definition kcosh (x : C) : C := (G (1#2) (0#1)) * ((kexp x) + (kexp ((G (-1#1) (0#1)) * x))).
Definition ksinh (x : C) : C := (G (1#2) (0#1)) * ((kexp x) + ((G (-1#1) (0#1)) * (kexp ((G (-1#1) (0#1)) * x)))).
Definition ktan (x : C) : C := (ksin x) * (kinv (kcos x)).
Definition ktanh (x : C) : C := (ksinh x) * (kinv (kcosh x)).
Definition kre (z : C) : C := (G (1#2) (0#1)) * (z + (conj z)).
Definition kim (z : C) : C := (G (1#2) (0#1)) * (G (0#1) (-1#1)) * (z + ((G (-1#1) (0#1)) * (conj z))).
Definition kdelta (u v : C) : C := if excluded_middle_informative (u = v) then G 1 0 else G 0 0.
Definition arg (z : C) : R := if Rle_dec 0 (snd z) then acos (fst z / Cmod z) else (- acos (fst z / Cmod z))%R.
Definition klog (z : C) : C := if excluded_middle_informative (z = 0) then 0 else (ln (Cmod z), arg z).
Definition kpowc (b x : C) : C :=
  if excluded_middle_informative (b = 0) then (if excluded_middle_informative (x = 0) then G 1 0 else G 0 0)
  else kexp (x * klog b).
Definition ksqrt (z : C) : C := if excluded_middle_informative (z = 0) then 0 else kexp (G (1#2) (0#1) * klog z).

(* sums over the integers n with lo <= n <= hi; none if an end is not real *)
Fixpoint nsum (f : nat -> C) n : C := match n with O => G 0 0 | S k => nsum f k + f k end.
Fixpoint nprod (f : nat -> C) n : C := match n with O => G 1 0 | S k => nprod f k * f k end.
Definition ceil (x : R) : Z := (- Int_part (- x))%Z.
Definition len (lo hi : C) : nat := Z.to_nat (Int_part (fst hi) - ceil (fst lo) + 1).
Definition ends (lo hi : C) : bool := if excluded_middle_informative (isR lo /\ isR hi) then true else false.
Definition ix (lo : C) (f : C -> C) (k : nat) : C := f (zc (ceil (fst lo) + Z.of_nat k)).
Definition ksum (lo hi : C) (f : C -> C) : C := if ends lo hi then nsum (ix lo f) (len lo hi) else G 0 0.
Definition kprod (lo hi : C) (f : C -> C) : C := if ends lo hi then nprod (ix lo f) (len lo hi) else G 1 0.
Definition inrange (lo hi i : C) := isZ i /\ kle lo i /\ kle i hi.
Fixpoint nmax (f : nat -> C) n : R := match n with O => 0%R | S O => fst (f O) | S k => Rmax (nmax f k) (fst (f k)) end.
Definition kmax (lo hi : C) (f : C -> C) : C :=
  if excluded_middle_informative (isR lo /\ isR hi /\ forall i, inrange lo hi i -> isR (f i))
  then RtoC (nmax (ix lo f) (len lo hi)) else 0.
Definition kint (lo hi : C) (f : C -> C) : C :=
  if excluded_middle_informative (isR lo /\ isR hi /\
     ex_RInt (fun x => fst (f (RtoC x))) (fst lo) (fst hi) /\ ex_RInt (fun x => snd (f (RtoC x))) (fst lo) (fst hi))
  then (RInt (fun x => fst (f (RtoC x))) (fst lo) (fst hi), RInt (fun x => snd (f (RtoC x))) (fst lo) (fst hi))
  else G 0 0.

(* special functions *)
Definition keuler : C := RtoC (real (Lim_seq (fun n => (sum_f_R0 (fun k => / INR (S k)) n - ln (INR (S n)))%R))).
Definition sinc (t : R) : R := (sin t / t)%R.
Definition kSi (z : C) : C := RtoC (RInt sinc 0 (fst z)).
Definition kCi (z : C) : C := keuler + klog z + RtoC (RInt (fun t => (cos t - 1) / t)%R 0 (fst z)).
(* along the line from 0 to z *)
Definition kerf (z : C) : C := RtoC (2 / sqrt PI) * kint (G 0 0) (G 1 0) (fun s => z * kexp (G (-1#1) (0#1) * kpow (s * z) 2)).

(* exponentials, conjugates, inverses *)
Lemma kexp_plus a b : kexp (a + b) = kexp a * kexp b.
Proof. unfold kexp; apply Ceq; unfold Cplus, Cmult; cbn [fst snd]; rewrite exp_plus, ?cos_plus, ?sin_plus; ring. Qed.
Lemma kexp_0 : kexp (G 0 0) = G 1 0.
Proof. rewrite G0, G1. unfold kexp; cr; rewrite exp_0, ?cos_0, ?sin_0; ring. Qed.
Fixpoint rep (k : nat) (b : C) : C := match k with O => G 0 0 | S k => b + rep k b end.
Lemma kexp_rep k b : kexp (rep k b) = kpow (kexp b) k.
Proof. induction k. apply kexp_0. cbn [rep kpow]. rewrite kexp_plus, IHk. reflexivity. Qed.
Lemma kexp_pm b c : b + c = G 0 0 -> kexp b * kexp c = G 1 0.
Proof. intros H. rewrite <- kexp_plus, H. apply kexp_0. Qed.
Lemma G10 : G 1 0 <> G 0 0.
Proof. rewrite G0, G1. intros H. injection H; lra. Qed.
Lemma kexp_ne0 z : ne0 (kexp z).
Proof. intros H. apply G10. rewrite <- (kexp_pm z (G (-1#1) (0#1) * z)) by ring. rewrite H; ring. Qed.
Lemma kinv_r x : ne0 x -> x * kinv x = G 1 0.
Proof. unfold ne0, kinv. rewrite G0, G1. apply Cinv_r. Qed.
Lemma kinv_0 : kinv (G 0 0) = G 0 0.
Proof. rewrite G0; unfold kinv, Cinv; apply Ceq; simpl; rewrite ?Rmult_0_l, ?Rplus_0_l, ?Ropp_0; unfold Rdiv; ring. Qed.
Lemma ne0_dec (x : C) : x = G 0 0 \/ ne0 x.
Proof. destruct (excluded_middle_informative (x = G 0 0)); auto. Qed.
Lemma mul_ne0 a b : ne0 a -> ne0 b -> ne0 (a * b).
Proof. unfold ne0; rewrite G0. apply Cmult_neq_0. Qed.
Lemma kinv_uniq x y : x * y = G 1 0 -> kinv x = y.
Proof. intros H. assert (ne0 x) by (intros E; subst; apply G10; rewrite <- H; ring).
  transitivity (kinv x * (x * y)). rewrite H; ring. replace (kinv x * (x*y)) with (x * kinv x * y) by ring. rewrite kinv_r; auto; ring. Qed.
Lemma kinv_mult a b : kinv (a * b) = kinv a * kinv b.
Proof. destruct (ne0_dec a) as [->|Ha]. replace (G 0 0 * b) with (G 0 0) by ring. rewrite kinv_0; ring.
  destruct (ne0_dec b) as [->|Hb]. replace (a * G 0 0) with (G 0 0) by ring. rewrite kinv_0; ring.
  apply kinv_uniq. transitivity ((a * kinv a) * (b * kinv b)). ring. rewrite !kinv_r; auto; ring. Qed.
Lemma kinv_kinv a : kinv (kinv a) = a.
Proof. destruct (ne0_dec a) as [->|Ha]. rewrite !kinv_0; auto. apply kinv_uniq. rewrite <- (kinv_r a); auto; ring. Qed.
Lemma kinv_1 : kinv (G 1 0) = G 1 0. Proof. apply kinv_uniq; ring. Qed.
Lemma kinv_pow a k : kinv (kpow a k) = kpow (kinv a) k.
Proof. induction k; cbn [kpow]. apply kinv_1. rewrite kinv_mult, IHk; auto. Qed.
Lemma kinv_exp a b : a + b = G 0 0 -> kinv (kexp a) = kexp b.
Proof. intros; apply kinv_uniq, kexp_pm; auto. Qed.
Lemma conj_plus a b : conj (a + b) = conj a + conj b. Proof. unfold conj; cr. Qed.
Lemma conj_mult a b : conj (a * b) = conj a * conj b. Proof. unfold conj; cr. Qed.
Lemma conj_G a b : conj (G a b) = G a (- b). Proof. unfold conj, G; simpl. rewrite Q2R_opp; auto. Qed.
Lemma conj_pow a k : conj (kpow a k) = kpow (conj a) k.
Proof. induction k; cbn [kpow]. rewrite conj_G. reflexivity. rewrite conj_mult, IHk; auto. Qed.
Lemma conj_conj a : conj (conj a) = a. Proof. unfold conj; apply Ceq; simpl; ring. Qed.
Lemma conj_exp a : conj (kexp a) = kexp (conj a).
Proof. unfold conj, kexp; apply Ceq; simpl; rewrite ?cos_neg, ?sin_neg; ring. Qed.
Lemma conj_inv a : conj (kinv a) = kinv (conj a).
Proof. unfold kinv, Cinv, conj; simpl; apply Ceq; simpl; unfold Rdiv; replace (- snd a * (- snd a * 1))%R with (snd a * (snd a * 1))%R by ring; ring. Qed.
Lemma conj_real a : isR a -> conj a = a.
Proof. unfold isR, conj; intros H; apply Ceq; simpl; auto. rewrite H; ring. Qed.
Lemma real_conj a : conj a = a -> isR a.
Proof. unfold isR, conj; intros H. apply (f_equal snd) in H. simpl in H. lra. Qed.
Lemma conj_pi : conj kpi = kpi. Proof. apply conj_real; reflexivity. Qed.
Lemma conj_euler : conj keuler = keuler. Proof. apply conj_real; reflexivity. Qed.
Lemma conj_abs z : conj (kabs z) = kabs z. Proof. apply conj_real; reflexivity. Qed.
Lemma conj_max a b f : conj (kmax a b f) = kmax a b f.
Proof. apply conj_real. unfold kmax. destruct excluded_middle_informative; reflexivity. Qed.
Lemma kdelta_def u v : kdelta u v = G 1 0 + (G (-1#1) (0#1)) * ((u + (G (-1#1) (0#1)) * v) * kinv (u + (G (-1#1) (0#1)) * v)).
Proof. unfold kdelta. destruct excluded_middle_informative as [->|H].
  replace (v + G (-1#1) (0#1) * v) with (G 0 0) by ring. ring.
  rewrite kinv_r. ring. intros E; apply H. replace u with (u + G (-1#1) (0#1) * v + v) by ring. rewrite E; ring. Qed.

(* bridges to the functions of the standard library *)
Lemma kexp_R x : kexp (RtoC x) = RtoC (exp x).
Proof. unfold kexp; cr; rewrite ?cos_0, ?sin_0; ring. Qed.
Lemma Q2R_half : Q2R (1#2) = (/2)%R. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_m1 : Q2R (-1#1) = (-1)%R. Proof. unfold Q2R; simpl; lra. Qed.
Ltac gq := unfold G; rewrite ?Q2R_half, ?Q2R_m1, ?Q0, ?Q1.
Lemma kcos_R x : kcos (RtoC x) = RtoC (cos x).
Proof. unfold kcos, kexp; gq; unfold Cmult, Cplus, RtoC; cbn [fst snd].
  replace (0 * x - 1 * 0)%R with 0%R by ring. replace (0 * x - -1 * 0)%R with 0%R by ring.
  replace (0*0 + 1*x)%R with x by ring. replace (0*0 + -1*x)%R with (-x)%R by ring.
  rewrite exp_0, cos_neg, sin_neg. apply Ceq; cbn [fst snd]; lra. Qed.
Lemma ksin_R x : ksin (RtoC x) = RtoC (sin x).
Proof. unfold ksin, kexp; gq; unfold Cmult, Cplus, RtoC; cbn [fst snd].
  replace (0 * x - 1 * 0)%R with 0%R by ring. replace (0 * x - -1 * 0)%R with 0%R by ring.
  replace (0*0 + 1*x)%R with x by ring. replace (0*0 + -1*x)%R with (-x)%R by ring.
  rewrite exp_0, cos_neg, sin_neg. apply Ceq; cbn [fst snd]; lra. Qed.

(* sums *)
Lemma ip_Z n : Int_part (IZR n) = n.
Proof. unfold Int_part. rewrite <- (tech_up (IZR n) (n + 1)); rewrite ?plus_IZR; try lra; lia. Qed.
Lemma fst_zc n : fst (zc n) = IZR n. Proof. reflexivity. Qed.
Lemma ceil_Z n : ceil (IZR n) = n.
Proof. unfold ceil. rewrite <- opp_IZR, ip_Z. lia. Qed.
Lemma ip_spec x : (IZR (Int_part x) <= x < IZR (Int_part x) + 1)%R.
Proof. destruct (base_Int_part x). lra. Qed.
Lemma ip_ge n x : (IZR n <= x)%R -> (n <= Int_part x)%Z.
Proof. intros. pose proof (ip_spec x). apply Z.lt_succ_r. apply lt_IZR. rewrite succ_IZR. lra. Qed.
Lemma ceil_le n x : (x <= IZR n)%R -> (ceil x <= n)%Z.
Proof. intros. unfold ceil. enough (-n <= Int_part (-x))%Z by lia. apply ip_ge. rewrite opp_IZR; lra. Qed.
Lemma ceil_spec x : (x <= IZR (ceil x))%R.
Proof. unfold ceil. rewrite opp_IZR. pose proof (ip_spec (-x)). lra. Qed.
Lemma isR_zc n : isR (zc n). Proof. reflexivity. Qed.
Lemma inrange_ix lo hi k : isR lo -> isR hi -> (k < len lo hi)%nat -> inrange lo hi (zc (ceil (fst lo) + Z.of_nat k)).
Proof. unfold len; intros Hl Hh Hk. assert (ceil (fst lo) + Z.of_nat k <= Int_part (fst hi))%Z by lia.
  split; [eexists; reflexivity|]. split; (split; [auto; try apply isR_zc|split; [auto; try apply isR_zc|]]); rewrite fst_zc.
  pose proof (ceil_spec (fst lo)). rewrite plus_IZR. pose proof (IZR_le 0 (Z.of_nat k)). lra || (assert (0 <= IZR (Z.of_nat k))%R by (apply IZR_le; lia); lra).
  apply IZR_le in H. pose proof (ip_spec (fst hi)). lra. Qed.
Lemma nsum_ext f g n : (forall k, (k < n)%nat -> f k = g k) -> nsum f n = nsum g n.
Proof. induction n; intros; simpl; auto. rewrite IHn, H; auto. Qed.
Lemma nprod_ext f g n : (forall k, (k < n)%nat -> f k = g k) -> nprod f n = nprod g n.
Proof. induction n; intros; simpl; auto. rewrite IHn, H; auto. Qed.
Lemma ends_R lo hi : ends lo hi = true -> isR lo /\ isR hi.
Proof. unfold ends. destruct excluded_middle_informative; auto. discriminate. Qed.
Lemma R_ends lo hi : isR lo -> isR hi -> ends lo hi = true.
Proof. unfold ends. destruct excluded_middle_informative; tauto. Qed.
Lemma ksum_ext lo hi f g : (forall i, inrange lo hi i -> f i = g i) -> ksum lo hi f = ksum lo hi g.
Proof. intros H. unfold ksum. destruct (ends lo hi) eqn:E; auto. apply ends_R in E as [? ?].
  apply nsum_ext; intros. apply H, inrange_ix; auto. Qed.
Lemma kprod_ext lo hi f g : (forall i, inrange lo hi i -> f i = g i) -> kprod lo hi f = kprod lo hi g.
Proof. intros H. unfold kprod. destruct (ends lo hi) eqn:E; auto. apply ends_R in E as [? ?].
  apply nprod_ext; intros. apply H, inrange_ix; auto. Qed.
Lemma kmax_ext lo hi f g : (forall i, inrange lo hi i -> f i = g i) -> kmax lo hi f = kmax lo hi g.
Proof. intros H. unfold kmax.
  assert (forall P Q : Prop, (P <-> Q) -> forall a b c : C, (P -> a = b) -> (if excluded_middle_informative P then a else c) = (if excluded_middle_informative Q then b else c)) as X.
  { intros. do 2 destruct excluded_middle_informative; auto; tauto. }
  apply X. split; intros (A & B & D); repeat split; auto; intros i Hi; [rewrite <- H | rewrite H]; auto.
  intros (A & B & _). f_equal. assert (forall n, (n <= len lo hi)%nat -> nmax (ix lo f) n = nmax (ix lo g) n) as Y; [|apply Y; auto].
  induction n; auto. intros L. assert (E : ix lo f n = ix lo g n) by (apply H, inrange_ix; auto).
  destruct n. simpl; rewrite E; auto. change (Rmax (nmax (ix lo f) (S n)) (fst (ix lo f (S n))) = Rmax (nmax (ix lo g) (S n)) (fst (ix lo g (S n)))). rewrite E, IHn; auto. lia. Qed.
Lemma kint_ext_all lo hi f g : (forall x, isR x -> f x = g x) -> kint lo hi f = kint lo hi g.
Proof. intros H. unfold kint.
  assert ((fun x => fst (f (RtoC x))) = (fun x => fst (g (RtoC x)))) as E1. { apply functional_extensionality. intros; rewrite H; auto; reflexivity. }
  assert ((fun x => snd (f (RtoC x))) = (fun x => snd (g (RtoC x)))) as E2. { apply functional_extensionality. intros; rewrite H; auto; reflexivity. }
  rewrite E1, E2. reflexivity. Qed.
Lemma conj_sum lo hi f : conj (ksum lo hi f) = ksum lo hi (fun i => conj (f i)).
Proof. unfold ksum. destruct ends. 2: rewrite conj_G; reflexivity. induction (len lo hi); simpl. rewrite conj_G; reflexivity. rewrite conj_plus, IHn; auto. Qed.
Lemma conj_prod lo hi f : conj (kprod lo hi f) = kprod lo hi (fun i => conj (f i)).
Proof. unfold kprod. destruct ends. 2: rewrite conj_G; reflexivity. induction (len lo hi); simpl. rewrite conj_G; reflexivity. rewrite conj_mult, IHn; auto. Qed.
