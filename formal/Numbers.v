(* Complex numbers, domains and relations, and polynomials with coefficients in Q(i) as a ring. *)
Require Export Reals Lra Lia Psatz ZArith QArith Qreals ClassicalEpsilon.
From Coquelicot Require Export Coquelicot.
Require Export FunctionalExtensionality.
Set Warnings "-ambiguous-paths,-notation-overridden".
Open Scope C_scope.

(* numbers *)
Definition G (a b : Q) : C := (Q2R a, Q2R b).
Arguments G (_ _)%Q_scope.
Definition zc (n : Z) : C := RtoC (IZR n).
Definition conj (z : C) : C := (fst z, (- snd z)%R).
Definition kinv (z : C) : C := Cinv z.
Fixpoint kpow (z : C) (n : nat) : C := match n with O => G 1 0 | S k => z * kpow z k end.
Definition isR (z : C) := snd z = 0%R.
Definition isZ (z : C) := exists n, z = zc n.
Definition isN (z : C) := exists n, (0 <= n)%Z /\ z = zc n.
Definition isNp (z : C) := exists n, (1 <= n)%Z /\ z = zc n.
Definition isC (_ : C) := True.
Definition ge0 (z : C) := isR z /\ (0 <= fst z)%R.
Definition gt0 (z : C) := isR z /\ (0 < fst z)%R.
Definition isRp (z : C) := gt0 z.
Definition ne0 (z : C) := z <> G 0 0.
Definition kle (a b : C) := isR a /\ isR b /\ (fst a <= fst b)%R.
Definition klt (a b : C) := isR a /\ isR b /\ (fst a < fst b)%R.

Lemma Ceq (a b : C) : fst a = fst b -> snd a = snd b -> a = b.
Proof. destruct a, b; simpl; congruence. Qed.
Lemma isR_iff z : isR z <-> z = RtoC (fst z).
Proof. unfold isR; split; intros H. apply Ceq; auto. rewrite H; auto. Qed.
Ltac cr := apply Ceq; unfold Cplus, Cmult, Copp, Cminus, RtoC; simpl; try ring.

(* the ring of Q(i)-polynomials *)
Definition GQ := (Q * Q)%type.
Definition phi (c : GQ) : C := G (fst c) (snd c).
Definition gadd (c d : GQ) : GQ := (Qred (fst c + fst d), Qred (snd c + snd d))%Q.
Definition gsub (c d : GQ) : GQ := (Qred (fst c - fst d), Qred (snd c - snd d))%Q.
Definition gopp (c : GQ) : GQ := (Qred (- fst c), Qred (- snd c))%Q.
Definition gmul (c d : GQ) : GQ :=
  (Qred (fst c * fst d - snd c * snd d), Qred (fst c * snd d + snd c * fst d))%Q.
Definition geqb (c d : GQ) := andb (Qeq_bool (fst c) (fst d)) (Qeq_bool (snd c) (snd d)).
Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q0 : Q2R 0 = 0%R. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q1 : Q2R 1 = 1%R. Proof. unfold Q2R; simpl; lra. Qed.
Lemma G0 : G 0 0 = 0. Proof. unfold G. rewrite Q0. reflexivity. Qed.
Lemma G1 : G 1 0 = 1. Proof. unfold G. rewrite Q0, Q1. reflexivity. Qed.
Lemma C_rt : ring_theory (G 0 0) (G 1 0) Cplus Cmult Cminus Copp eq.
Proof. rewrite G0, G1. constructor; intros; cr. Qed.
Lemma G_morph : ring_morph (G 0 0) (G 1 0) Cplus Cmult Cminus Copp eq
  ((0#1),(0#1))%Q ((1#1),(0#1))%Q gadd gmul gsub gopp geqb phi.
Proof.
  constructor; unfold phi; try reflexivity; intros x; try intros y; destruct x as [a b]; try destruct y as [c d];
  unfold gadd, gsub, gopp, gmul, geqb, G; cbn [fst snd];
  rewrite ?Q2R_red, ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_opp, ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_opp;
  try (unfold Cplus, Cmult, Cminus, Copp; apply Ceq; cbn [fst snd]; unfold Cplus, Cmult, Cminus, Copp; cbn [fst snd]; ring).
  all: try (intros H; apply andb_prop in H as [H1 H2]; apply Qeq_bool_eq in H1, H2;
  apply Ceq; simpl; apply Qeq_eqR; auto).
Qed.
Lemma kpow_th : power_theory (G 1 0) Cmult eq N.to_nat kpow.
Proof.
  constructor. intros r [|p]; [reflexivity|]. simpl.
  induction p using Pos.peano_ind. simpl. rewrite G1; cr.
  rewrite Pos2Nat.inj_succ. simpl kpow. rewrite IHp.
  rewrite pow_pos_succ; auto. apply Eqsth. repeat intro; subst; auto. intros; cr.
Qed.
Ltac isQcst q := match q with Qmake ?n ?d => match isZcst n with true => isPcst d | _ => constr:(false) end | _ => constr:(false) end.
Ltac Gcst t := match t with
  | G ?a ?b => match isQcst a with true => match isQcst b with true => constr:((a, b)) | _ => constr:(InitialRing.NotConstant) end | _ => constr:(InitialRing.NotConstant) end
  | _ => constr:(InitialRing.NotConstant) end.
Ltac kpow_tac t := match isnatcst t with false => constr:(InitialRing.NotConstant) | _ => constr:(N.of_nat t) end.
Add Ring Cgauss : C_rt (morphism G_morph, constants [Gcst], power_tac kpow_th [kpow_tac]).


