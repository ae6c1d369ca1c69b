(* Enclosures of real numbers by integers: the pair of m and r holds x if 2^p x is at most r away from m. *)
Require Export Series List.
Import ListNotations.
Set Implicit Arguments.
Open Scope R_scope.

Definition iv := (Z * Z)%type.
Definition inn (p : Z) (i : iv) (x : R) : Prop := Rabs (x * IZR (2 ^ p) - IZR (fst i)) <= IZR (snd i).
Lemma floor_R m k : (0 < k)%Z -> IZR (m / k) <= IZR m / IZR k < IZR (m / k) + 1.
Proof.
  intros K. pose proof (Z.div_mod m k ltac:(lia)) as D. pose proof (Z.mod_pos_bound m k K) as M. apply IZR_lt in K.
  apply (f_equal IZR) in D. rewrite plus_IZR, mult_IZR in D. destruct M as [M1 M2]. apply IZR_le in M1. apply IZR_lt in M2.
  split; [apply Rle_div_r | apply Rlt_div_l]; nra.
Qed.
Definition exact0 (i : iv) : bool := Z.eqb (fst i) 0 && Z.eqb (snd i) 0.
Section Precision.
  Variable p : Z.
  Hypothesis P0 : (0 <= p)%Z.
  Notation "x 'in_' i" := (inn p i x) (at level 70).
  Let s := IZR (2 ^ p).
  Lemma s_pos : 0 < IZR (2 ^ p). Proof. apply IZR_lt, Z.pow_pos_nonneg; lia. Qed.
  Lemma inn_sides i x : x in_ i <-> IZR (fst i - snd i) <= x * s <= IZR (fst i + snd i).
  Proof. unfold inn. rewrite minus_IZR, plus_IZR. fold s. split. intros H. apply Rabs_le_between in H. lra. intros H. apply Rabs_le. lra. Qed.
  Lemma inn_radius i x : x in_ i -> 0 <= IZR (snd i). Proof. intros H. eapply Rle_trans; [|exact H]. apply Rabs_pos. Qed.
  Lemma inn_zero i x : exact0 i = true -> x in_ i -> x = 0.
  Proof.
    unfold exact0. intros H I. apply andb_prop in H as [A B]. apply Z.eqb_eq in A, B. apply inn_sides in I. rewrite A, B in I. pose proof s_pos. unfold s in *. simpl in I. nra.
  Qed.
  Lemma zero_inn : 0 in_ (0, 0)%Z. Proof. unfold inn; simpl. rewrite Rmult_0_l, Rminus_0_r, Rabs_R0. lra. Qed.
  Lemma point_inn m : IZR m / s in_ (m, 0%Z).
  Proof. unfold inn; simpl. pose proof s_pos. replace (IZR m / s * IZR (2 ^ p) - IZR m) with 0 by (unfold s; field; lra). rewrite Rabs_R0. lra. Qed.
  Definition iadd (i j : iv) : iv := (fst i + fst j, snd i + snd j)%Z.
  Lemma iadd_ok i j x y : x in_ i -> y in_ j -> x + y in_ iadd i j.
  Proof. rewrite !inn_sides. unfold iadd; cbn [fst snd]. rewrite !minus_IZR, !plus_IZR. lra. Qed.
  Definition iopp (i : iv) : iv := (- fst i, snd i)%Z.
  Lemma iopp_ok i x : x in_ i -> - x in_ iopp i.
  Proof. rewrite !inn_sides. unfold iopp; cbn [fst snd]. rewrite !minus_IZR, !plus_IZR, opp_IZR. lra. Qed.
  Definition hull (l h : Z) : iv := let m := ((l + h) / 2)%Z in (m, h - m)%Z.
  Lemma hull_ok l h x : IZR l <= x * s <= IZR h -> x in_ hull l h.
  Proof.
    intros H. apply inn_sides. unfold hull; cbn [fst snd]. assert ((l + h) / 2 - (h - (l + h) / 2) <= l)%Z as L by (pose proof (Z.mul_div_le (l + h) 2); lia).
    apply IZR_le in L. replace ((l + h) / 2 + (h - (l + h) / 2))%Z with h by ring. lra.
  Qed.
  Definition widen (i : iv) (r : Z) : iv := (fst i, snd i + r)%Z.
  Lemma widen_ok i r x y : x in_ i -> Rabs (y - x) * s <= IZR r -> y in_ widen i r.
  Proof.
    unfold inn, widen; cbn [fst snd]. rewrite plus_IZR. intros H D. replace (y * IZR (2 ^ p) - IZR (fst i)) with ((x * IZR (2 ^ p) - IZR (fst i)) + (y - x) * s) by (unfold s; ring).
    eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto. rewrite Rabs_mult, (Rabs_right s); auto. pose proof s_pos; unfold s; lra.
  Qed.
  (* The quotient of integers. *)
  Definition icst (n d : Z) : iv := let a := Z.shiftl n p in if (d =? 1)%Z then (a, 0)%Z else let m := (a / d)%Z in (m, if (m * d =? a)%Z then 0 else 1)%Z.
  Lemma icst_ok n d : (0 < d)%Z -> IZR n / IZR d in_ icst n d.
  Proof.
    intros D. unfold icst, inn. cbv zeta. rewrite Z.shiftl_mul_pow2 by auto. destruct (Z.eqb_spec d 1) as [->|_].
    { cbn [fst snd]. rewrite mult_IZR. replace (IZR n / 1 * IZR (2 ^ p) - IZR n * IZR (2 ^ p)) with 0 by field. rewrite Rabs_R0. lra. }
    cbn [fst snd]. pose proof (floor_R (n * 2 ^ p) D) as F. pose proof (IZR_lt _ _ D) as D'.
    replace (IZR n / IZR d * IZR (2 ^ p)) with (IZR (n * 2 ^ p) / IZR d) by (rewrite mult_IZR; field; lra). destruct (Z.eqb_spec (n * 2 ^ p / d * d) (n * 2 ^ p)) as [E|_].
    - replace (IZR (n * 2 ^ p) / IZR d) with (IZR (n * 2 ^ p / d)). rewrite Rminus_eq_0, Rabs_R0. lra. rewrite <- E at 2. rewrite mult_IZR. field. lra.
    - apply Rabs_le. lra.
  Qed.
  (* Products. *)
  Definition imul (i j : iv) : iv := if (if exact0 i then true else exact0 j) then (0, 0)%Z else
    (Z.shiftr (fst i * fst j) p, Z.shiftr (Z.abs (fst i) * snd j + Z.abs (fst j) * snd i + snd i * snd j) p + 2)%Z.
  Lemma near_product (a b m n u v : R) : Rabs (a - m) <= u -> Rabs (b - n) <= v -> Rabs (a * b - m * n) <= Rabs m * v + Rabs n * u + u * v.
  Proof.
    intros A B. replace (a * b - m * n) with (m * (b - n) + n * (a - m) + (a - m) * (b - n)) by ring. eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult. apply Rplus_le_compat; apply Rmult_le_compat_l; auto; apply Rabs_pos.
    rewrite Rabs_mult. apply Rmult_le_compat; auto; apply Rabs_pos.
  Qed.
  Lemma rounded (a : R) (m e k : Z) : (0 < k)%Z -> Rabs (a - IZR m) <= IZR e -> Rabs (a / IZR k - IZR (m / k)) <= IZR (e / k + 2).
  Proof.
    intros K H. rewrite plus_IZR. pose proof (floor_R m K). pose proof (floor_R e K). apply IZR_lt in K. replace (a / IZR k - IZR (m / k)) with ((a - IZR m) / IZR k + (IZR m / IZR k - IZR (m / k))) by (field; lra).
    eapply Rle_trans; [apply Rabs_triang|]. assert (Rabs ((a - IZR m) / IZR k) <= IZR e / IZR k).
    { unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ IZR k)) by (left; apply Rinv_0_lt_compat; auto). apply Rmult_le_compat_r; auto. left; apply Rinv_0_lt_compat; auto. }
    assert (Rabs (IZR m / IZR k - IZR (m / k)) <= 1) by (apply Rabs_le; lra). lra.
  Qed.
  Lemma imul_ok i j x y : x in_ i -> y in_ j -> x * y in_ imul i j.
  Proof.
    intros A B. unfold imul. destruct (exact0 i) eqn:Z1. rewrite (@inn_zero i x Z1 A), Rmult_0_l. apply zero_inn.
    destruct (exact0 j) eqn:Z2. rewrite (@inn_zero j y Z2 B), Rmult_0_r. apply zero_inn.
    unfold inn; cbn [fst snd]. rewrite !Z.shiftr_div_pow2 by auto. pose proof s_pos as S0.
    replace (x * y * IZR (2 ^ p)) with ((x * s) * (y * s) / IZR (2 ^ p)) by (unfold s; field; lra). apply rounded. apply Z.pow_pos_nonneg; lia.
    rewrite !plus_IZR, !mult_IZR, !abs_IZR. apply near_product; auto.
  Qed.
  (* Times n / d. *)
  Definition iscale (i : iv) (n d : Z) : iv := (n * fst i / d, Z.abs n * snd i / d + 2)%Z.
  Lemma iscale_ok i x n d : (0 < d)%Z -> x in_ i -> x * (IZR n / IZR d) in_ iscale i n d.
  Proof.
    intros D A. pose proof (IZR_lt _ _ D) as D'. unfold inn, iscale; cbn [fst snd]. replace (x * (IZR n / IZR d) * IZR (2 ^ p)) with (IZR n * (x * s) / IZR d) by (unfold s; field; lra).
    apply rounded; auto. rewrite !mult_IZR, abs_IZR. rewrite <- Rmult_minus_distr_l, Rabs_mult. apply Rmult_le_compat_l; auto. apply Rabs_pos.
  Qed.
  Definition iinv (i : iv) : option iv :=
    let inverse l h := hull (Z.shiftl 1 (2 * p) / h) (Z.shiftl 1 (2 * p) / l + 1) in
    if (0 <? fst i - snd i)%Z then Some (inverse (fst i - snd i) (fst i + snd i))%Z
    else if (fst i + snd i <? 0)%Z then Some (iopp (inverse (- fst i - snd i) (- fst i + snd i)))%Z else None.
  Lemma inverse_ok l h x : (0 < l)%Z -> IZR l <= x * s <= IZR h -> / x in_ hull (Z.shiftl 1 (2 * p) / h) (Z.shiftl 1 (2 * p) / l + 1).
  Proof.
    intros L H. pose proof (IZR_lt _ _ L) as L'. assert (Hh : (0 < h)%Z) by (apply lt_IZR; lra). pose proof s_pos as S0. apply hull_ok. rewrite Z.shiftl_mul_pow2, Z.mul_1_l by lia.
    pose proof (floor_R (2 ^ (2 * p)) Hh) as F1. pose proof (floor_R (2 ^ (2 * p)) L) as F2. rewrite plus_IZR. replace (2 * p)%Z with (p + p)%Z in * by ring. rewrite Z.pow_add_r, mult_IZR in * by auto. fold s in F1, F2, S0. 
    assert (X : 0 < x) by (apply Rmult_lt_reg_r with s; lra). replace (/ x * s) with (s * s / (x * s)) by (field; split; lra).
    assert (s * s / IZR h <= s * s / (x * s)). { apply Rmult_le_compat_l. nra. apply Rinv_le_contravar; lra. }
    assert (s * s / (x * s) <= s * s / IZR l). { apply Rmult_le_compat_l. nra. apply Rinv_le_contravar; lra. } lra.
  Qed.
  Lemma iinv_ok i j x : iinv i = Some j -> x in_ i -> / x in_ j.
  Proof.
    unfold iinv. cbv zeta. intros E H. apply inn_sides in H. destruct (Z.ltb_spec 0 (fst i - snd i)). injection E as <-. apply inverse_ok; auto.
    destruct (Z.ltb_spec (fst i + snd i) 0); try discriminate. injection E as <-. pose proof (IZR_lt _ _ H1) as L. pose proof s_pos as S0. fold s in S0.
    assert (X : x < 0) by nra. replace (/ x) with (- / - x) by (field; lra). apply iopp_ok, inverse_ok. lia. rewrite !minus_IZR, !plus_IZR, !opp_IZR in *. lra.
  Qed.
  Definition iabs (i : iv) : iv := if (0 <=? fst i - snd i)%Z then i else if (fst i + snd i <=? 0)%Z then iopp i else hull 0 (Z.max (fst i + snd i) (snd i - fst i)).
  Lemma iabs_ok i x : x in_ i -> Rabs x in_ iabs i.
  Proof.
    intros H. pose proof s_pos as S0. fold s in S0. pose proof (proj1 (inn_sides i x) H) as I. unfold iabs. destruct (Z.leb_spec 0 (fst i - snd i)) as [L|L].
    apply IZR_le in L. rewrite Rabs_right; auto. nra. destruct (Z.leb_spec (fst i + snd i) 0) as [M|M]. apply IZR_le in M. rewrite Rabs_left1. apply iopp_ok; auto. nra.
    apply hull_ok. split. apply Rmult_le_pos; [apply Rabs_pos|lra]. rewrite <- (Rabs_right s) by lra. rewrite <- Rabs_mult. rewrite max_IZR || idtac.
    pose proof (Z.le_max_l (fst i + snd i) (snd i - fst i)) as A. pose proof (Z.le_max_r (fst i + snd i) (snd i - fst i)) as B. apply IZR_le in A, B. rewrite !minus_IZR in *. apply Rabs_le. lra.
  Qed.
  (* A sum by Horner's scheme: factors c k = 1 / a k and d k = n k / m k; the start holds what stands in the last place. *)
  Fixpoint ihorner (a n m : Z -> Z) (y start : iv) (count : nat) (k : Z) : iv := match count with
    | O => start | S count => iadd (icst 1 (a k)) (iscale (imul y (ihorner a n m y start count (k + 1))) (n k) (m k)) end.
  Definition coded (c d : nat -> R) (a n m : Z -> Z) (k0 : nat) : Prop := forall k, (k0 <= k)%nat ->
    (0 < a (Z.of_nat k))%Z /\ (0 < m (Z.of_nat k))%Z /\ c k = / IZR (a (Z.of_nat k)) /\ d k = IZR (n (Z.of_nat k)) / IZR (m (Z.of_nat k)).
  Lemma ihorner_ok c d a n m k0 y start x t : coded c d a n m k0 -> x in_ y -> t in_ start -> forall count k, (k0 <= k)%nat ->
    horner c d x t count k in_ ihorner a n m y start count (Z.of_nat k).
  Proof.
    intros CD X T. induction count as [|count IH]; intros k K; cbn [horner ihorner]; auto. destruct (CD k K) as (A & M & -> & ->). apply iadd_ok.
    rewrite <- (Rmult_1_l (/ _)). apply icst_ok; auto. replace (x * _ * _) with (x * horner c d x t count (S k) * (IZR (n (Z.of_nat k)) / IZR (m (Z.of_nat k)))) by ring.
    apply iscale_ok; auto. apply imul_ok; auto. replace (Z.of_nat k + 1)%Z with (Z.of_nat (S k)) by lia. apply IH; lia.
  Qed.
  (* How many terms are worth while: nothing rests on this. *)
  Fixpoint worth (m : Z -> Z) (size got : Z) (fuel : nat) (k : Z) : nat := match fuel with O => O | S fuel =>
    if (p <? got)%Z then O else S (worth m size (got + Z.log2 (m k) - size) fuel (k + 1)) end.
  Definition series (a m : Z -> Z) (y : iv) (k : Z) : iv :=
    ihorner a (fun _ => 1%Z) m y (2 ^ p, 2 ^ p)%Z (S (worth m (Z.log2 (Z.abs (fst y)) + 1 - p) 0 400 k)) k.
  Lemma series_ok c d a m y x k : coded c d a (fun _ => 1%Z) m k -> x in_ y -> exists n, forall f, ends_in c d x (S n) k f -> f in_ series a m y (Z.of_nat k).
  Proof.
    intros CD X. exists (worth m (Z.log2 (Z.abs (fst y)) + 1 - p) 0 400 (Z.of_nat k)). intros f (t & T & ->). unfold series.
    eapply ihorner_ok; eauto. unfold inn; cbn [fst snd]. pose proof s_pos. apply Rabs_le. nra.
  Qed.
  (* e^x *)
  Definition iexp_small (x : Z) (k : Z) : iv := series (fun _ => 1%Z) (fun k => k + 1)%Z (- (x / 2 ^ k), 1)%Z 0.
  Fixpoint squared (k : nat) (i : iv) : iv := match k with O => i | S k => squared k (imul i i) end.
  Definition iexp_at (x : Z) : option iv :=
    let k := Z.max 0 (Z.log2 (Z.abs x) + 2 - p) in let e := iexp_small (Z.abs x) k in
    match (if (x <? 0)%Z then Some e else iinv e) with Some e => Some (squared (Z.to_nat k) e) | None => None end.
  Lemma IZR_of_nat k : IZR (Z.of_nat k) = INR k. Proof. symmetry; apply INR_IZR_INZ. Qed.
  Lemma iexp_small_ok x k : (0 <= x)%Z -> (0 <= k)%Z -> exp (- (IZR x / s / IZR (2 ^ k))) in_ iexp_small x k.
  Proof.
    intros X K. pose proof s_pos as S0. fold s in S0. assert (K0 : (0 < 2 ^ k)%Z) by (apply Z.pow_pos_nonneg; lia). pose proof (IZR_lt _ _ K0) as K1. pose proof (IZR_le _ _ X) as X'.
    unfold iexp_small. destruct (@series_ok all_one d_exp (fun _ => 1%Z) (fun k => k + 1)%Z (- (x / 2 ^ k), 1)%Z (- (IZR x / s / IZR (2 ^ k))) 0) as (n & N).
    - intros j _. repeat split; try lia. unfold all_one; lra. unfold d_exp. rewrite plus_IZR, IZR_of_nat. unfold Rdiv; ring.
    - unfold inn; cbn [fst snd]. pose proof (floor_R x K0). rewrite opp_IZR. replace (- (IZR x / s / IZR (2 ^ k)) * IZR (2 ^ p)) with (- (IZR x / IZR (2 ^ k))) by (unfold s; field; unfold s in S0; lra). apply Rabs_le. lra.
    - apply N, exp_ends. apply Rdiv_le_0_compat; auto. apply Rdiv_le_0_compat; auto.
  Qed.
  Lemma squared_ok k : forall i x, exp x in_ i -> exp (x * IZR (2 ^ Z.of_nat k)) in_ squared k i.
  Proof.
    induction k as [|k IH]; intros i x H; cbn [squared]. simpl. rewrite Rmult_1_r; auto.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite mult_IZR. replace (x * (2 * IZR (2 ^ Z.of_nat k))) with ((x + x) * IZR (2 ^ Z.of_nat k)) by ring. apply IH. rewrite exp_plus. apply imul_ok; auto.
  Qed.
  Lemma iexp_at_ok x i : iexp_at x = Some i -> exp (IZR x / s) in_ i.
  Proof.
    unfold iexp_at. cbv zeta. set (k := Z.max 0 (Z.log2 (Z.abs x) + 2 - p)). assert (K : (0 <= k)%Z) by (unfold k; lia). assert (K0 : (0 < 2 ^ k)%Z) by (apply Z.pow_pos_nonneg; lia). pose proof (IZR_lt _ _ K0) as K1.
    pose proof (iexp_small_ok (Z.abs_nonneg x) K) as H. set (e := iexp_small (Z.abs x) k) in *.
    assert (M : forall j, exp (IZR x / s / IZR (2 ^ k)) in_ j -> exp (IZR x / s) in_ squared (Z.to_nat k) j).
    { intros j J. pose proof (@squared_ok (Z.to_nat k) _ _ J) as Q. rewrite Z2Nat.id in Q by auto. replace (IZR x / s / IZR (2 ^ k) * IZR (2 ^ k)) with (IZR x / s) in Q. exact Q. pose proof s_pos. field. unfold s; lra. }
    destruct (Z.ltb_spec x 0). intros [= <-]. apply M. rewrite abs_IZR, Rabs_left in H by (apply IZR_lt; auto). replace (IZR x / s / IZR (2 ^ k)) with (- (- IZR x / s / IZR (2 ^ k))). auto. pose proof s_pos. field. unfold s; lra.
    destruct (iinv e) as [j|] eqn:J; try discriminate. intros [= <-]. apply M. pose proof (@iinv_ok _ _ _ J H) as Q. rewrite abs_IZR, Rabs_right in Q by (apply Rle_ge, IZR_le; auto).
    rewrite exp_Ropp, Rinv_involutive in Q. exact Q. pose proof (exp_pos (IZR x / s / IZR (2 ^ k))). lra.
  Qed.
  Lemma side x m : x * s <= IZR m <-> x <= IZR m / s. Proof. pose proof s_pos as S0. fold s in S0. apply Rle_div_r; auto. Qed.
  Lemma side' x m : IZR m <= x * s <-> IZR m / s <= x. Proof. pose proof s_pos as S0. fold s in S0. symmetry. apply Rle_div_l; auto. Qed.
  (* An increasing function, from its values at the ends. *)
  Definition increasing (f : Z -> option iv) (i : iv) : option iv := if (snd i =? 0)%Z then f (fst i) else
    match f (fst i - snd i)%Z, f (fst i + snd i)%Z with Some a, Some b => Some (hull (fst a - snd a) (fst b + snd b)) | _, _ => None end.
  Lemma increasing_ok f (F : R -> R) i j x : (forall m k, f m = Some k -> F (IZR m / s) in_ k) -> (forall m a b, f m <> None -> IZR m / s <= a -> a <= b -> F a <= F b) ->
    increasing f i = Some j -> x in_ i -> F x in_ j.
  Proof.
    intros H M E I. apply inn_sides in I. unfold increasing in E. destruct (Z.eqb_spec (snd i) 0) as [Z0|_].
    - rewrite Z0, Z.sub_0_r, Z.add_0_r in I. pose proof s_pos as S0. fold s in S0. replace x with (IZR (fst i) / s). auto. apply Rmult_eq_reg_r with s; [|lra]. replace (IZR (fst i) / s * s) with (IZR (fst i)) by (field; lra). lra.
    - destruct (f (fst i - snd i)%Z) as [a|] eqn:A; try discriminate. destruct (f (fst i + snd i)%Z) as [b|] eqn:B; try discriminate. injection E as <-.
      assert (NA : f (fst i - snd i)%Z <> None) by congruence. apply H in A, B. apply inn_sides in A, B. destruct I as [I1 I2]. apply side' in I1. apply side in I2.
      pose proof (M _ _ _ NA (Rle_refl _) I1) as L1. pose proof (M _ _ _ NA I1 I2) as L2. pose proof s_pos as S0. fold s in S0. apply hull_ok. nra.
  Qed.
  Definition iexp := increasing iexp_at.
  Lemma iexp_ok i j x : iexp i = Some j -> x in_ i -> exp x in_ j.
  Proof. apply (@increasing_ok iexp_at exp). exact iexp_at_ok. intros m a b _ _ [L| ->]. left; apply exp_increasing; auto. lra. Qed.
  (* ln (n / d), for d <= n <= 2 d *)
  Definition iln_small (n d : Z) : iv := let z := icst (n - d) (n + d) in
    iscale (imul z (series (fun k => 2 * k + 1)%Z (fun _ => 1%Z) (imul z z) 0)) 2 1.
  Lemma iln_small_ok n d : (0 < d)%Z -> (d <= n <= 2 * d)%Z -> ln (IZR n / IZR d) in_ iln_small n d.
  Proof.
    intros D N. pose proof (IZR_lt _ _ D) as D'. destruct N as [N1 N2]. apply IZR_le in N1, N2. rewrite mult_IZR in N2. set (x := IZR (n - d) / IZR (n + d)).
    assert (XI : x in_ icst (n - d) (n + d)) by (apply icst_ok; apply lt_IZR; rewrite plus_IZR; lra).
    assert (XE : x = (IZR n - IZR d) / (IZR n + IZR d)) by (unfold x; rewrite minus_IZR, plus_IZR; auto). clearbody x.
    assert (XB : 0 <= x <= / 2). { rewrite XE. split. apply Rdiv_le_0_compat; lra. apply Rle_div_l; lra. }
    replace (ln (IZR n / IZR d)) with (ln_ratio x).
    2: { unfold ln_ratio. rewrite XE. replace (1 + (IZR n - IZR d) / (IZR n + IZR d)) with (IZR n * (2 / (IZR n + IZR d))) by (field; lra).
      replace (1 - (IZR n - IZR d) / (IZR n + IZR d)) with (IZR d * (2 / (IZR n + IZR d))) by (field; lra). assert (0 < 2 / (IZR n + IZR d)) by (apply Rdiv_lt_0_compat; lra).
      rewrite !ln_mult by lra. unfold Rdiv. rewrite (ln_mult (IZR n)), ln_Rinv; try lra. apply Rinv_0_lt_compat; auto. }
    unfold iln_small. cbv zeta. set (z := icst (n - d) (n + d)) in *.
    destruct (@series_ok c_ln all_one (fun k => 2 * k + 1)%Z (fun _ => 1%Z) (imul z z) (x * x) 0) as (j & J).
    - intros k _. repeat split; try lia. unfold c_ln. rewrite plus_IZR, mult_IZR, IZR_of_nat. reflexivity. unfold all_one; lra.
    - apply imul_ok; auto.
    - destruct (ln_ends (S j) x XB) as (h & H & ->). replace (2 * x * h) with (x * h * (2 / 1)) by field. apply iscale_ok; [lia|]. apply imul_ok; auto.
  Qed.
  (* cos, where no period is to be taken off *)
  Definition icos_at (x : Z) : iv := series (fun _ => 1%Z) (fun k => (2 * k + 1) * (2 * k + 2))%Z (iopp (imul (x, 0)%Z (x, 0)%Z)) 0.
  Lemma coded_cos (c : nat -> R) (a : Z -> Z) k0 : (forall k, (k0 <= k)%nat -> (0 < a (Z.of_nat k))%Z /\ c k = / IZR (a (Z.of_nat k))) ->
    coded c d_cos a (fun _ => 1%Z) (fun k => (2 * k + 1) * (2 * k + 2))%Z k0.
  Proof.
    intros H k K. destruct (H k K). repeat split; auto; try lia. unfold d_cos. rewrite mult_IZR, !plus_IZR, mult_IZR, IZR_of_nat. unfold Rdiv; ring.
  Qed.
  Lemma icos_at_ok x : cos (IZR x / s) in_ icos_at x.
  Proof.
    destruct (@series_ok all_one d_cos (fun _ => 1%Z) (fun k => (2 * k + 1) * (2 * k + 2))%Z (iopp (imul (x, 0)%Z (x, 0)%Z)) (- (IZR x / s * (IZR x / s))) 0) as (n & N).
    - apply coded_cos. intros; split; [lia|]. unfold all_one; lra.
    - apply iopp_ok, imul_ok; apply point_inn.
    - apply N, cos_ends.
  Qed.
  Lemma near_cos x y : Rabs (cos x - cos y) <= Rabs (x - y).
  Proof.
    rewrite <- (Rmult_1_l (Rabs (x - y))). apply (lipschitz cos (fun t => - sin t)). intros; apply is_derive_Reals, derivable_pt_lim_cos.
    intros; rewrite Rabs_Ropp. apply Rabs_le, SIN_bound.
  Qed.
  (* Integers of more places, rounded. *)
  Definition rounded_by (g : Z) (i : iv) : iv := (Z.shiftr (fst i) g, Z.shiftr (snd i) g + 2)%Z.
  Lemma rounded_by_ok g i x : (0 <= g)%Z -> inn (p + g) i x -> x in_ rounded_by g i.
  Proof.
    intros G0 H. unfold inn, rounded_by in *; cbn [fst snd]. rewrite !Z.shiftr_div_pow2 by auto. rewrite Z.pow_add_r, mult_IZR in H by auto. assert (K : (0 < 2 ^ g)%Z) by (apply Z.pow_pos_nonneg; lia). pose proof (IZR_lt _ _ K).
    replace (x * IZR (2 ^ p)) with (x * (IZR (2 ^ p) * IZR (2 ^ g)) / IZR (2 ^ g)) by (field; lra). apply rounded; auto.
  Qed.

  (* With pi and ln 2 at hand. *)
  Variables pi_ ln2_ : iv.
  Hypothesis HPi : PI in_ pi_.
  Hypothesis HLn2 : ln 2 in_ ln2_.
  (* cos between l and h, whose middle is not negative: it falls from 0 to pi, and rises from there to 2 pi. *)
  Definition low_end (i : iv) : Z := Z.max (- 2 ^ p) (fst i - snd i).
  Definition high_end (i : iv) : Z := Z.min (2 ^ p) (fst i + snd i).
  Definition icos_wide (l h : Z) : iv := let a := icos_at l in let b := icos_at h in
    if (h <=? fst pi_ - snd pi_)%Z then hull (low_end b) (if (0 <=? l)%Z then high_end a else 2 ^ p)%Z
    else if ((0 <=? l) && (h <=? 2 * (fst pi_ - snd pi_)))%Z then hull (- 2 ^ p) (Z.max (high_end a) (high_end b)) else (0, 2 ^ p)%Z.
  Lemma ends_cos x i : cos x in_ i -> IZR (low_end i) <= cos x * s <= IZR (high_end i).
  Proof.
    intros H. apply inn_sides in H. destruct (COS_bound x). pose proof s_pos as S0. fold s in S0. unfold low_end, high_end.
    split; [apply Z.max_case | apply Z.min_case]; try apply H; rewrite ?opp_IZR; fold s; nra.
  Qed.
  Lemma cos_falls a b : 0 <= a <= b -> b <= PI -> cos b <= cos a.
  Proof. intros [A [L| ->]] B; [|lra]. left. apply cos_decreasing_1; lra. Qed.
  Lemma cos_rises a b : PI <= a <= b -> b <= 2 * PI -> cos a <= cos b.
  Proof. intros [A [L| ->]] B; [|lra]. left. apply cos_increasing_1; lra. Qed.
  Lemma icos_wide_ok l h x : (0 <= l + h)%Z -> IZR l <= x * s <= IZR h -> cos x in_ icos_wide l h.
  Proof.
    intros M [L H]. pose proof s_pos as S0. fold s in S0. pose proof (ends_cos _ (icos_at_ok l)) as A. pose proof (ends_cos _ (icos_at_ok h)) as B. pose proof (proj1 (inn_sides pi_ PI) HPi) as [PL _].
    assert (ALL : - 1 * s <= cos x * s <= 1 * s) by (destruct (COS_bound x); nra). assert (S2 : IZR (2 ^ p) = 1 * s) by (unfold s; ring). assert (S3 : IZR (- 2 ^ p) = - 1 * s) by (rewrite opp_IZR; fold s; ring).
    apply side' in L as L'. apply side in H as H'. unfold icos_wide. cbv zeta. set (a := IZR l / s) in *. set (b := IZR h / s) in *. rewrite plus_IZR || idtac. apply IZR_le in M. rewrite plus_IZR in M.
    assert (MS : - b <= a) by (unfold a, b; apply Rmult_le_reg_r with s; auto; replace (- (IZR h / s) * s) with (- IZR h) by (field; lra); replace (IZR l / s * s) with (IZR l) by (field; lra); lra).
    destruct (Z.leb_spec h (fst pi_ - snd pi_)) as [HP|HP].
    - apply IZR_le in HP. assert (BP : b <= PI) by (apply (proj1 (side PI h)) || (unfold b; apply Rle_div_l; auto; lra)).
      assert (XB : cos b <= cos x). { destruct (Rle_dec 0 x). apply cos_falls; lra. rewrite <- (cos_neg x). apply cos_falls; lra. }
      apply hull_ok. split. nra. destruct (Z.leb_spec 0 l) as [L0|_]; [|lra]. apply IZR_le in L0. assert (0 <= a) by (unfold a; apply Rdiv_le_0_compat; auto).
      assert (cos x <= cos a) by (apply cos_falls; lra). nra.
    - destruct ((0 <=? l) && (h <=? 2 * (fst pi_ - snd pi_)))%Z eqn:T.
      + apply andb_prop in T as [T1 T2]. apply Z.leb_le, IZR_le in T1. apply Z.leb_le, IZR_le in T2. rewrite mult_IZR in T2. assert (0 <= a) by (unfold a; apply Rdiv_le_0_compat; auto).
        assert (B2 : b <= 2 * PI) by (unfold b; apply Rle_div_l; auto; lra). apply hull_ok. split. lra.
        pose proof (Z.le_max_l (high_end (icos_at l)) (high_end (icos_at h))) as M1. pose proof (Z.le_max_r (high_end (icos_at l)) (high_end (icos_at h))) as M2. apply IZR_le in M1, M2.
        destruct (Rle_dec x PI). assert (cos x <= cos a) by (apply cos_falls; lra). nra. assert (cos x <= cos b) by (apply cos_rises; lra). nra.
      + unfold inn; cbn [fst snd]. rewrite Rminus_0_r. apply Rabs_le. fold s. lra.
  Qed.
  Definition icos (i : iv) : iv :=
    let k := ((fst i + fst pi_) / (2 * fst pi_))%Z in let j := iadd i (iscale pi_ (-2 * k) 1) in
    if (Z.shiftl (snd j) 24 <=? 2 ^ p)%Z then widen (icos_at (fst j)) (snd j)
    else let m := Z.abs (fst j) in icos_wide (m - snd j) (m + snd j).
  Lemma cos_turns x k : cos (x + PI * (IZR (-2 * k) / 1)) = cos x.
  Proof.
    replace (x + PI * (IZR (-2 * k) / 1)) with (x + - (2 * IZR k * PI)) by (rewrite mult_IZR; field). rewrite <- (cos_neg (x + - _)), Ropp_plus_distr, Ropp_involutive, <- (cos_neg x).
    destruct (Z.le_gt_cases 0 k) as [K|K]. rewrite <- (Z2Nat.id k K), <- INR_IZR_INZ. apply cos_period.
    replace (- x + 2 * IZR k * PI) with (- (x + 2 * IZR (- k) * PI)) by (rewrite opp_IZR; ring). rewrite !cos_neg. rewrite <- (Z2Nat.id (- k)) by lia. rewrite <- INR_IZR_INZ. apply cos_period.
  Qed.
  Lemma icos_ok i x : x in_ i -> cos x in_ icos i.
  Proof.
    intros H. unfold icos. set (k := ((fst i + fst pi_) / (2 * fst pi_))%Z). cbv zeta. rewrite <- (cos_turns x k). set (j := iadd i (iscale pi_ (-2 * k) 1)).
    assert (J : x + PI * (IZR (-2 * k) / 1) in_ j) by (apply iadd_ok; auto; apply iscale_ok; auto; lia). set (y := x + PI * (IZR (-2 * k) / 1)) in *. pose proof s_pos as S0. fold s in S0.
    destruct (Z.shiftl (snd j) 24 <=? 2 ^ p)%Z.
    - apply widen_ok with (x := cos (IZR (fst j) / s)). apply icos_at_ok. eapply Rle_trans; [|exact J]. fold s. replace (y * s - IZR (fst j)) with ((y - IZR (fst j) / s) * s) by (field; lra).
      rewrite Rabs_mult, (Rabs_right s) by lra. apply Rmult_le_compat_r; [lra|]. apply near_cos.
    - apply inn_sides in J. destruct (Z.abs_spec (fst j)) as [[N ->]|[N ->]].
      + apply icos_wide_ok; auto. lia.
      + rewrite <- cos_neg. apply icos_wide_ok. lia. rewrite !minus_IZR, !plus_IZR, !opp_IZR in *. lra.
  Qed.
  Definition isin (i : iv) : iv := icos (iadd i (iscale pi_ (-1) 2)).
  Lemma isin_ok i x : x in_ i -> sin x in_ isin i.
  Proof.
    intros H. replace (sin x) with (cos (x + PI * (IZR (-1) / IZR 2))). apply icos_ok, iadd_ok; auto. apply iscale_ok; auto; lia.
    rewrite <- cos_neg, sin_cos. rewrite <- (cos_neg (PI / 2 + x)). replace (- (x + PI * (IZR (-1) / IZR 2))) with (- (PI / 2 + x) + PI) by field. rewrite neg_cos. ring.
  Qed.
  Definition iln_at (x : Z) : option iv := if (0 <? x)%Z then let e := Z.log2 x in
    Some (iadd (iscale ln2_ (e - p) 1) (iln_small x (2 ^ e))) else None.
  Lemma ln_two e : (0 <= e)%Z -> ln (IZR (2 ^ e)) = IZR e * ln 2.
  Proof.
    intros E. rewrite <- (Z2Nat.id e E). induction (Z.to_nat e) as [|n IH]. simpl. rewrite ln_1. ring.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r, mult_IZR, ln_mult, IH, succ_IZR by (lia || lra || (apply IZR_lt; apply Z.pow_pos_nonneg; lia)). ring.
  Qed.
  Lemma iln_at_ok x i : iln_at x = Some i -> ln (IZR x / s) in_ i.
  Proof.
    unfold iln_at. destruct (Z.ltb_spec 0 x) as [X|]; try discriminate. cbv zeta. intros [= <-]. pose proof (Z.log2_spec x X) as L. pose proof (Z.log2_nonneg x) as L0. set (e := Z.log2 x) in *.
    assert (E0 : (0 < 2 ^ e)%Z) by (apply Z.pow_pos_nonneg; lia). rewrite Z.pow_succ_r in L by auto. pose proof (IZR_lt _ _ E0). pose proof (IZR_lt _ _ X). pose proof s_pos.
    replace (ln (IZR x / s)) with (ln 2 * (IZR (e - p) / 1) + ln (IZR x / IZR (2 ^ e))). apply iadd_ok. apply iscale_ok; auto; lia. apply iln_small_ok; lia.
    unfold Rdiv. rewrite !ln_mult, !ln_Rinv by (auto; apply Rinv_0_lt_compat; auto). unfold s. rewrite !ln_two, minus_IZR by auto. field.
  Qed.
  Definition iln := increasing iln_at.
  Lemma iln_ok i j x : iln i = Some j -> x in_ i -> ln x in_ j.
  Proof.
    apply (@increasing_ok iln_at ln). exact iln_at_ok. intros m a b N A L. assert (M : (0 < m)%Z) by (unfold iln_at in N; destruct (Z.ltb_spec 0 m); [auto|contradiction]).
    apply IZR_lt in M. pose proof s_pos. assert (0 < IZR m / s) by (apply Rdiv_lt_0_compat; auto). destruct L as [L| ->]; [|lra]. left. apply ln_increasing; lra.
  Qed.
  Lemma increasing_some f i j : increasing f i = Some j -> f (fst i - snd i)%Z <> None.
  Proof. unfold increasing. destruct (Z.eqb_spec (snd i) 0) as [->|]. rewrite Z.sub_0_r. congruence. destruct (f (fst i - snd i)%Z); congruence. Qed.
  Lemma iln_positive i j x : iln i = Some j -> x in_ i -> 0 < x.
  Proof.
    intros E I. apply increasing_some in E. unfold iln_at in E. destruct (Z.ltb_spec 0 (fst i - snd i)) as [L|]; [|contradiction]. apply inn_sides in I. apply IZR_lt in L. pose proof s_pos as S0. fold s in S0. nra.
  Qed.
End Precision.

(* Ci near 0 *)
Definition icin_at (p x : Z) : iv := let g := (2 * (x / 2 ^ p) + 8)%Z in let q := (p + g)%Z in let m := Z.shiftl x g in
  let y := iopp (imul q (m, 0)%Z (m, 0)%Z) in
  rounded_by g (iscale (imul q y (series q (fun k => 2 * k)%Z (fun k => (2 * k + 1) * (2 * k + 2))%Z y 1)) 1 2).
Lemma icin_at_ok p x : (0 <= p)%Z -> (0 <= x)%Z -> inn p (icin_at p x) (RInt cin 0 (IZR x / IZR (2 ^ p))).
Proof.
  intros P X. assert (P1 : (0 < 2 ^ p)%Z) by (apply Z.pow_pos_nonneg; lia). pose proof (IZR_lt _ _ P1) as P2. pose proof (IZR_le _ _ X) as X'. unfold icin_at. cbv zeta. set (g := (2 * (x / 2 ^ p) + 8)%Z).
  assert (G0 : (0 <= g)%Z) by (unfold g; pose proof (Z.div_pos x (2 ^ p) X P1); lia). set (m := Z.shiftl x g). set (y := iopp (imul (p + g) (m, 0)%Z (m, 0)%Z)). set (t := IZR x / IZR (2 ^ p)).
  assert (Q : (0 <= p + g)%Z) by lia. assert (G1 : (0 < 2 ^ g)%Z) by (apply Z.pow_pos_nonneg; lia). pose proof (IZR_lt _ _ G1) as G2.
  assert (M : inn (p + g) (m, 0%Z) t). { replace t with (IZR m / IZR (2 ^ (p + g))). apply point_inn; auto. unfold m, t. rewrite Z.shiftl_mul_pow2, Z.pow_add_r, !mult_IZR by auto. field. lra. }
  assert (Y : inn (p + g) y (- (t * t))) by (apply iopp_ok, imul_ok; auto).
  apply rounded_by_ok; auto. destruct (@series_ok (p + g) Q c_cin d_cos (fun k => 2 * k)%Z (fun k => (2 * k + 1) * (2 * k + 2))%Z y (- (t * t)) 1) as (n & N); auto.
  apply coded_cos. intros k K. split. lia. unfold c_cin. rewrite mult_IZR, IZR_of_nat. reflexivity.
  destruct (cin_ends (S n) t) as (h & H & E). apply Rdiv_le_0_compat; auto. rewrite E.
  replace (- (t * t) / 2 * h) with (- (t * t) * h * (1 / 2)) by field. apply iscale_ok; auto; [lia|]. apply imul_ok; auto.
Qed.

(* pi, ln 2 and Euler's constant to 160 places, and to fewer. *)
Definition high : Z := 160.
Definition half_pi : Z := 2295721403524109460692402599871655564227077512209.
Lemma half_pi_ok : inn high (half_pi, 1024%Z) (PI / 2).
Proof.
  assert (H : (0 <= high)%Z) by (unfold high; lia). pose proof (s_pos H) as S0. apply inn_sides. cbn [fst snd]. pose proof PI2_1 as P1.
  assert (LOW : (let i := icos_at high (half_pi - 1024) in 0 <? fst i - snd i)%Z = true) by (vm_compute; reflexivity).
  assert (HIGH : (let i := icos_at high (half_pi + 1024) in fst i + snd i <? 0)%Z = true) by (vm_compute; reflexivity). cbv zeta in LOW, HIGH.
  apply Z.ltb_lt, IZR_lt in LOW, HIGH. pose proof (proj1 (inn_sides _ _ _) (@icos_at_ok high H (half_pi - 1024))) as L. pose proof (proj1 (inn_sides _ _ _) (@icos_at_ok high H (half_pi + 1024))) as R.
  set (a := IZR (half_pi - 1024) / IZR (2 ^ high)) in *. set (b := IZR (half_pi + 1024) / IZR (2 ^ high)) in *.
  assert (A : 0 <= a <= 3). { unfold a. split. apply Rdiv_le_0_compat; auto. apply IZR_le. vm_compute; discriminate. apply Rle_div_l; auto. rewrite <- mult_IZR. apply IZR_le. vm_compute; discriminate. }
  assert (B : 0 <= b). { unfold b. apply Rdiv_le_0_compat; auto. apply IZR_le. vm_compute; discriminate. }
  split.
  - apply (proj2 (@side' high H _ _)). fold a. destruct (Rle_dec a (PI / 2)); auto. assert (cos a <= 0) by (apply cos_le_0; lra). nra.
  - apply (proj2 (@side high H _ _)). fold b. destruct (Rle_dec (PI / 2) b); auto. assert (0 <= cos b) by (apply cos_ge_0; lra). nra.
Qed.
Definition pi_160 : iv := (2 * half_pi, 2048)%Z.
Lemma pi_160_ok : inn high pi_160 PI.
Proof. pose proof half_pi_ok as H. apply inn_sides in H. apply inn_sides. unfold pi_160; cbn [fst snd] in *. rewrite !minus_IZR, !plus_IZR, !mult_IZR in *. lra. Qed.
Definition ln2_160 : iv := Eval vm_compute in iln_small high 2 1.
Lemma ln2_160_ok : inn high ln2_160 (ln 2).
Proof.
  replace ln2_160 with (iln_small high 2 1) by (vm_compute; reflexivity). replace 2 with (IZR 2 / IZR 1) by field. apply iln_small_ok; unfold high; lia.
Qed.
Fixpoint iharmonic (n : nat) : iv := match n with O => icst high 1 1 | S k => iadd (iharmonic k) (icst high 1 (Z.of_nat (S (S k)))) end.
Lemma iharmonic_ok n : inn high (iharmonic n) (harmonic n).
Proof.
  assert (H : (0 <= high)%Z) by (unfold high; lia). assert (I : forall k, inn high (icst high 1 (Z.of_nat (S k))) (/ INR (S k))) by (intros k; rewrite INR_IZR_INZ, <- (Rmult_1_l (/ _)); apply icst_ok; auto; lia).
  unfold harmonic. induction n; cbn [iharmonic sum_f_R0]. apply (I 0%nat). apply iadd_ok; auto.
Qed.
(* After 1024 terms of the two sequences *)
Definition euler_160 : iv := Eval vm_compute in
  widen (iadd (iadd (iharmonic 1023) (iopp (iscale ln2_160 10 1))) (iadd (iopp (icst high 1 2048)) (icst high 1 12582912))) (fst (icst high 1 131941395333120) + 1).
Lemma euler_160_ok : inn high euler_160 (fst keuler).
Proof.
  assert (H : (0 <= high)%Z) by (unfold high; lia). pose proof (s_pos H) as S0.
  replace euler_160 with (widen (iadd (iadd (iharmonic 1023) (iopp (iscale ln2_160 10 1))) (iadd (iopp (icst high 1 2048)) (icst high 1 12582912))) (fst (icst high 1 131941395333120) + 1)) by (vm_compute; reflexivity).
  pose proof (euler_between 1023) as B. unfold euler_low, euler_high in B. pose proof (iharmonic_ok 1023) as I. change (S 1023) with 1024%nat in B.
  generalize dependent (iharmonic 1023). generalize dependent (harmonic 1023). intros h B j I.
  replace (INR 1024) with 1024 in B by (rewrite INR_IZR_INZ; reflexivity). replace (ln 1024) with (10 * ln 2) in B by (symmetry; apply (ln_two (e := 10)); lia).
  apply widen_ok with (x := h - 10 * ln 2 - / (2 * 1024) + / (12 * 1024 ^ 2)); auto.
  - replace (h - 10 * ln 2 - / (2 * 1024) + / (12 * 1024 ^ 2)) with (h + - (ln 2 * (10 / 1)) + (- (1 / 2048) + 1 / 12582912)) by field.
    repeat apply iadd_ok; auto. apply iopp_ok, iscale_ok; auto. lia. apply ln2_160_ok. apply iopp_ok, icst_ok; auto; lia. apply icst_ok; auto; lia.
  - assert (C : 1 / 131941395333120 * IZR (2 ^ high) <= IZR (fst (icst high 1 131941395333120) + 1)).
    { change (fst (icst high 1 131941395333120)) with (Z.shiftl 1 high / 131941395333120)%Z. rewrite plus_IZR, Z.shiftl_mul_pow2, Z.mul_1_l by auto. pose proof (@floor_R (2 ^ high) 131941395333120 ltac:(lia)). lra. }
    eapply Rle_trans; [|exact C]. apply Rmult_le_compat_r; [lra|]. apply Rabs_le. simpl in B |- *. lra.
Qed.
Definition at_places (p : Z) (i : iv) : iv := rounded_by (high - p) i.
Lemma at_places_ok p i x : (0 <= p <= high)%Z -> inn high i x -> inn p (at_places p i) x.
Proof. intros P H. apply rounded_by_ok; try lia. replace (p + (high - p))%Z with high by ring. auto. Qed.
Definition ecos p := icos p (at_places p pi_160).
Definition esin p := isin p (at_places p pi_160).
Definition eln p := iln p (at_places p ln2_160).

(* Ci: near 0 by its series; from 32 on by what it is far out, where the error is below 2^-40. *)
Definition ici_near (p : Z) (i : iv) : option iv := let m := fst i in
  let (j, r) := if (8 * snd i <=? m)%Z then ((m, 0), (2 ^ p * snd i / (m - snd i) + 1))%Z else (i, snd i) in
  match eln p j with Some l => Some (widen (iadd (iadd (at_places p euler_160) l) (icin_at p m)) r) | None => None end.
Definition ifar (p : Z) (i : iv) : option iv := match iinv p i with
  | Some w => let mul := imul p in let y := iopp (mul w w) in let sum n := ihorner p (fun _ => 1%Z) n (fun _ => 1%Z) y (0, 0)%Z 10 0 in
      let f := mul w (sum (fun k => (2 * k + 1) * (2 * k + 2))%Z) in let g := mul (mul w w) (sum (fun k => (2 * k + 2) * (2 * k + 3))%Z) in
      Some (iadd (mul (esin p i) f) (iopp (mul (ecos p i) g)))
  | None => None end.
Definition ici (p : Z) (i : iv) : option iv :=
  if (32 * 2 ^ p <=? fst i - snd i)%Z then match ifar p i with Some f => Some (widen f (Z.shiftr (2 ^ p) 40 + 1)) | None => None end
  else if (fst i <=? 64 * 2 ^ p)%Z then ici_near p i else None.
Lemma some_eq (A : Type) (a b : A) : Some a = Some b -> a = b. Proof. intros [= ->]; auto. Qed.
Section Places.
  Variable p : Z.
  Hypothesis P : (0 <= p <= high)%Z.
  Let P0 : (0 <= p)%Z := proj1 P.
  Lemma ecos_ok i x : inn p i x -> inn p (ecos p i) (cos x).
  Proof. apply icos_ok; auto. apply at_places_ok, pi_160_ok; auto. Qed.
  Lemma esin_ok i x : inn p i x -> inn p (esin p i) (sin x).
  Proof. apply isin_ok; auto. apply at_places_ok, pi_160_ok; auto. Qed.
  Lemma eln_ok i j x : eln p i = Some j -> inn p i x -> inn p j (ln x).
  Proof. apply iln_ok; auto. apply at_places_ok, ln2_160_ok; auto. Qed.
  Lemma eln_positive i j x : eln p i = Some j -> inn p i x -> 0 < x.
  Proof. apply iln_positive; auto. Qed.
  Lemma middle i x : inn p i x -> (Rabs (x - IZR (fst i) / IZR (2 ^ p)) * IZR (2 ^ p) <= IZR (snd i))%R.
  Proof.
    intros I. pose proof (s_pos P0) as S0. eapply Rle_trans; [|exact I]. replace (x * IZR (2 ^ p) - IZR (fst i)) with ((x - IZR (fst i) / IZR (2 ^ p)) * IZR (2 ^ p)) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (IZR (2 ^ p))) by lra. lra.
  Qed.
  Lemma ici_near_ok i j x : ici_near p i = Some j -> inn p i x -> 0 < x /\ inn p j (ci x).
  Proof.
    unfold ici_near. cbv zeta. intros E I. pose proof (s_pos P0) as S0. pose proof (@inn_radius p i x I) as R. pose proof (middle I) as D. pose proof (proj1 (inn_sides p i x) I) as B. set (m := IZR (fst i) / IZR (2 ^ p)) in *.
    assert (M : forall k l y, eln p k = Some l -> inn p k y -> (0 <= fst i)%Z -> inn p (iadd (iadd (at_places p euler_160) l) (icin_at p (fst i))) (fst keuler + ln y + RInt cin 0 m)).
    { intros k l y L K F. repeat apply iadd_ok. apply at_places_ok, euler_160_ok; auto. apply (@eln_ok k l y L K). apply icin_at_ok; auto. }
    destruct (Z.leb_spec (8 * snd i) (fst i)) as [T|T].
    - destruct (eln p (fst i, 0%Z)) as [l|] eqn:L; try discriminate. apply some_eq in E. rewrite <- E. clear E. assert (X : 0 < m) by (apply (@eln_positive (fst i, 0%Z) l m L); apply point_inn; auto).
      assert (F : (0 < fst i)%Z). { apply lt_IZR. unfold m in X. apply Rmult_lt_reg_r with (/ IZR (2 ^ p)). apply Rinv_0_lt_compat; auto. rewrite Rmult_0_l. exact X. }
      apply le_IZR in R. assert (F2 : (0 < fst i - snd i)%Z) by lia. pose proof (IZR_lt _ _ F2) as F3. assert (X0 : 0 < x) by nra. split; auto.
      apply widen_ok with (x := ci m); auto. apply (M _ _ _ L). apply point_inn; auto. lia.
      set (lo := IZR (fst i - snd i) / IZR (2 ^ p)). assert (LO : 0 < lo) by (apply Rdiv_lt_0_compat; auto).
      assert (N : Rabs (ci x - ci m) <= / lo * Rabs (x - m)). { apply near_ci; auto. apply Rle_div_l; lra. unfold lo, m. apply Rmult_le_compat_r. left; apply Rinv_0_lt_compat; auto. apply IZR_le; lia. }
      rewrite plus_IZR. pose proof (@floor_R (2 ^ p * snd i) (fst i - snd i) F2) as G. rewrite mult_IZR in G.
      assert (Q : Rabs (ci x - ci m) * IZR (2 ^ p) <= / lo * IZR (snd i)).
      { eapply Rle_trans. apply Rmult_le_compat_r; [lra | exact N]. rewrite Rmult_assoc. apply Rmult_le_compat_l; auto. left; apply Rinv_0_lt_compat; auto. }
      replace (/ lo * IZR (snd i)) with (IZR (2 ^ p) * IZR (snd i) / IZR (fst i - snd i)) in Q by (unfold lo; field; lra). lra.
    - destruct (eln p i) as [l|] eqn:L; try discriminate. apply some_eq in E. rewrite <- E. clear E. pose proof (@eln_positive i l x L I) as X. split; auto.
      assert (F : (0 <= fst i)%Z). { apply increasing_some in L. unfold iln_at in L. destruct (Z.ltb_spec 0 (fst i - snd i)) as [A|]; [|contradiction]. apply le_IZR in R. lia. }
      apply widen_ok with (x := fst keuler + ln x + RInt cin 0 m); auto. apply (M _ _ _ L I F). unfold ci.
      replace (fst keuler + ln x + RInt cin 0 x - (fst keuler + ln x + RInt cin 0 m)) with (RInt cin 0 x - RInt cin 0 m) by ring.
      eapply Rle_trans; [|exact D]. apply Rmult_le_compat_r; [lra|]. apply near_cin.
  Qed.
  Lemma ifar_ok i j x : ifar p i = Some j -> inn p i x -> inn p j (far 10 x).
  Proof.
    unfold ifar. destruct (iinv p i) as [w|] eqn:W; try discriminate. cbv zeta. intros [= <-] I. pose proof (@iinv_ok p P0 i w x W I) as V. set (y := iopp (imul p w w)).
    assert (Y : inn p y (- (/ x * / x))) by (apply iopp_ok, imul_ok; auto).
    assert (H : forall d n, coded all_one d (fun _ => 1%Z) n (fun _ => 1%Z) 0 -> inn p (ihorner p (fun _ => 1%Z) n (fun _ => 1%Z) y (0, 0)%Z 10 0) (partial all_one d (- (/ x * / x)) 10)).
    { intros d n CD. pose proof (horner_sum all_one d (- (/ x * / x)) 0 10 0) as E. cbn [factors pow] in E. change (partial all_one d (- (/ x * / x)) 0) with 0 in E. rewrite !Rmult_1_l, !Rmult_0_l, Rminus_0_r, Rplus_0_r in E.
      change (0 + 10)%nat with 10%nat in E. rewrite <- E. apply (@ihorner_ok p P0 all_one d _ _ _ 0 y (0, 0)%Z _ 0 CD Y (zero_inn p) 10 0 (le_n 0)). }
    assert (CF : coded all_one d_far (fun _ => 1%Z) (fun k => (2 * k + 1) * (2 * k + 2))%Z (fun _ => 1%Z) 0).
    { intros k _. repeat split; try lia. unfold all_one; lra. unfold d_far. rewrite mult_IZR, !plus_IZR, mult_IZR, IZR_of_nat. field. }
    assert (CG : coded all_one d_far' (fun _ => 1%Z) (fun k => (2 * k + 2) * (2 * k + 3))%Z (fun _ => 1%Z) 0).
    { intros k _. repeat split; try lia. unfold all_one; lra. unfold d_far'. rewrite mult_IZR, !plus_IZR, mult_IZR, IZR_of_nat. field. }
    unfold far. destruct (far_partial 10 (/ x)) as [-> ->]. apply H in CF, CG. revert CF CG. generalize (partial all_one d_far (- (/ x * / x)) 10) (partial all_one d_far' (- (/ x * / x)) 10). intros u v A B.
    apply iadd_ok; [|apply iopp_ok]; repeat apply imul_ok; auto using esin_ok, ecos_ok.
  Qed.
End Places.
Lemma far_error_32 : far_error 10 32 <= / 2 ^ 42.
Proof. unfold far_error, d_far. cbn [factors INR Nat.mul Nat.add pow]. lra. Qed.
Lemma far_at_32 : Rabs (ci 32 - far 10 32) <= / 2 ^ 41.
Proof.
  set (x := (32 * 2 ^ 128, 0)%Z). assert (P : (0 <= 128 <= high)%Z) by (unfold high; lia). assert (X : inn 128 x 32) by (unfold inn, x; cbn [fst snd]; rewrite mult_IZR, Rminus_eq_0, Rabs_R0; lra).
  assert (T : match ici_near 128 x, ifar 128 x with Some a, Some b => let d := iadd a (iopp b) in (Z.abs (fst d) + snd d <=? 2 ^ 87)%Z | _, _ => false end = true) by (vm_compute; reflexivity).
  destruct (ici_near 128 x) as [a|] eqn:A; try discriminate. destruct (ifar 128 x) as [b|] eqn:B; try discriminate. cbv zeta in T. apply Z.leb_le in T.
  pose proof (proj2 (@ici_near_ok 128 P x a 32 A X)) as U. pose proof (@ifar_ok 128 P x b 32 B X) as V. pose proof (iadd_ok U (@iopp_ok 128 b _ V)) as W. clear A B U V.
  generalize dependent (iadd a (iopp b)). intros d T W. unfold inn in W. change (ci 32 + - far 10 32) with (ci 32 - far 10 32) in W. set (e := ci 32 - far 10 32) in *. clearbody e. apply IZR_le in T. rewrite plus_IZR, abs_IZR in T.
  assert (E : Rabs e * IZR (2 ^ 128) <= IZR (2 ^ 87)).
  { rewrite <- (Rabs_right (IZR (2 ^ 128))) by (apply Rle_ge, IZR_le; lia). rewrite <- Rabs_mult. replace (e * IZR (2 ^ 128)) with ((e * IZR (2 ^ 128) - IZR (fst d)) + IZR (fst d)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. lra. }
  replace (IZR (2 ^ 128)) with (2 ^ 41 * IZR (2 ^ 87)) in E by (change (2 ^ 128)%Z with (2 ^ 41 * 2 ^ 87)%Z; rewrite mult_IZR; f_equal; simpl; lra).
  apply Rmult_le_reg_r with (2 ^ 41 * IZR (2 ^ 87)). apply Rmult_lt_0_compat; [apply pow_lt; lra | apply IZR_lt; lia]. eapply Rle_trans; [exact E|]. apply Req_le. field.
Qed.
Lemma ici_ok p i j x : (0 <= p <= high)%Z -> ici p i = Some j -> inn p i x -> 0 < x /\ inn p j (ci x).
Proof.
  intros P E I. assert (P0 : (0 <= p)%Z) by lia. pose proof (s_pos P0) as S0. unfold ici in E. destruct (Z.leb_spec (32 * 2 ^ p) (fst i - snd i)) as [L|_].
  - destruct (ifar p i) as [f|] eqn:F; try discriminate. apply some_eq in E. rewrite <- E. pose proof (proj1 (inn_sides p i x) I) as B. apply IZR_le in L. rewrite mult_IZR in L.
    assert (X : 32 <= x) by nra. split. lra. apply widen_ok with (x := far 10 x); [exact P0 | |]. apply (@ifar_ok p P i f x F I).
    assert (N : (0 < 10)%nat) by lia. assert (A : 0 < 32 <= x) by lra. pose proof (@far_ok 10 32 x N A) as Q. pose proof far_at_32 as Q1. pose proof far_error_32 as Q2.
    assert (D : Rabs (ci x - far 10 x) <= / 2 ^ 40).
    { replace (ci x - far 10 x) with ((ci x - far 10 x - (ci 32 - far 10 32)) + (ci 32 - far 10 32)) by ring. eapply Rle_trans; [apply Rabs_triang|]. assert (/ 2 ^ 42 + / 2 ^ 41 <= / 2 ^ 40) by (simpl; lra). lra. }
    eapply Rle_trans; [apply Rmult_le_compat_r; [lra | exact D]|]. rewrite plus_IZR, Z.shiftr_div_pow2 by lia. pose proof (@floor_R (2 ^ p) (2 ^ 40) ltac:(lia)) as F2.
    replace (IZR (2 ^ 40)) with (2 ^ 40) in F2 by (rewrite (pow_IZR 2 40); reflexivity). lra.
  - destruct (fst i <=? 64 * 2 ^ p)%Z; try discriminate. apply (@ici_near_ok p P i j x E I).
Qed.
