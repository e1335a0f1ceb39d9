
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

type comparison =
| Eq
| Lt
| Gt

module Nat =
 struct
 end

module Pos =
 struct
  (** val succ : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec succ = Big_int_Z.succ_big_int

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec add = Big_int_Z.add_big_int

  (** val add_carry :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  and add_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add_carry p q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add p q))
        (fun _ -> Big_int_Z.mult_int_big_int 2 (succ p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (succ q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        Big_int_Z.unit_big_int)
        y)
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pred_double x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (Big_int_Z.mult_int_big_int 2 p))
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (pred_double p))
      (fun _ -> Big_int_Z.unit_big_int)
      x

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec mul = Big_int_Z.mult_big_int

  (** val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1 **)

  let rec iter f x n =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun n' -> f (iter f (iter f x n') n'))
      (fun n' -> iter f (iter f x n') n')
      (fun _ -> f x)
      n

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2_up p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> succ p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val compare_cont :
      comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let rec compare_cont = (fun c x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then c else if s < 0 then Lt else Gt)

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb = Big_int_Z.le_big_int

  (** val of_nat : int -> Big_int_Z.big_int **)

  let rec of_nat n =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun x ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> Big_int_Z.unit_big_int)
        (fun _ -> succ (of_nat x))
        x)
      n
 end

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t0 -> (f a) :: (map f t0)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t0 -> fold_left f t0 (f a0 b)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val seq : int -> int -> int list **)

let rec seq start len =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun len0 -> start :: (seq (Stdlib.Int.succ start) len0))
    len

module Z =
 struct
  (** val double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p -> (Big_int_Z.mult_int_big_int 2 p))
      (fun p -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2 p))
      x

  (** val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p ->
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p))
      (fun p -> Big_int_Z.minus_big_int (Pos.pred_double p))
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int)
      (fun p -> (Pos.pred_double p))
      (fun p -> Big_int_Z.minus_big_int
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x)) p))
      x

  (** val pos_sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pos_sub x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double (pos_sub p q))
        (fun q -> succ_double (pos_sub p q))
        (fun _ -> (Big_int_Z.mult_int_big_int 2 p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> pred_double (pos_sub p q))
        (fun q -> double (pos_sub p q))
        (fun _ -> (Pos.pred_double p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2
        q))
        (fun q -> Big_int_Z.minus_big_int (Pos.pred_double q))
        (fun _ -> Big_int_Z.zero_big_int)
        y)
      x

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let add = Big_int_Z.add_big_int

  (** val opp : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let opp = Big_int_Z.minus_big_int

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = Big_int_Z.sub_big_int

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let mul = Big_int_Z.mult_big_int

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb = Big_int_Z.le_big_int

  (** val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let ltb = Big_int_Z.lt_big_int

  (** val min :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let min = Big_int_Z.min_big_int

  (** val abs : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let abs = Big_int_Z.abs_big_int

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> (Pos.div2 p))
        (fun _ -> (Pos.div2 p))
        (fun _ -> Big_int_Z.zero_big_int)
        p)
      (fun p -> Big_int_Z.minus_big_int (Pos.div2_up p))
      z0

  (** val shiftl :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let shiftl = Big_int_Z.(fun x y ->
  let y = int_of_big_int y in
  if y < 0 then shift_right_big_int x (-y)
  else shift_left_big_int x y)
 end

module PositiveMap =
 struct
  type key = Big_int_Z.big_int

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  (** val empty : 'a1 t **)

  let empty =
    Leaf

  (** val find : key -> 'a1 t -> 'a1 option **)

  let rec find i = function
  | Leaf -> None
  | Node (l, o, r) ->
    ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
       (fun ii -> find ii r)
       (fun ii -> find ii l)
       (fun _ -> o)
       i)

  (** val add : key -> 'a1 -> 'a1 t -> 'a1 t **)

  let rec add i v = function
  | Leaf ->
    ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
       (fun ii -> Node (Leaf, None, (add ii v Leaf)))
       (fun ii -> Node ((add ii v Leaf), None, Leaf))
       (fun _ -> Node (Leaf, (Some v), Leaf))
       i)
  | Node (l, o, r) ->
    ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
       (fun ii -> Node (l, o, (add ii v r)))
       (fun ii -> Node ((add ii v l), o, r))
       (fun _ -> Node (l, (Some v), r))
       i)
 end

type dyadic = { mantissa : Big_int_Z.big_int; exponent : Big_int_Z.big_int }

(** val dint : Big_int_Z.big_int -> dyadic **)

let dint k =
  { mantissa = k; exponent = Big_int_Z.zero_big_int }

(** val dadd : dyadic -> dyadic -> dyadic **)

let dadd x y =
  let e = Z.min x.exponent y.exponent in
  { mantissa =
  (Z.add (Z.shiftl x.mantissa (Z.sub x.exponent e))
    (Z.shiftl y.mantissa (Z.sub y.exponent e))); exponent = e }

(** val dmul : dyadic -> dyadic -> dyadic **)

let dmul x y =
  { mantissa = (Z.mul x.mantissa y.mantissa); exponent =
    (Z.add x.exponent y.exponent) }

(** val dopp : dyadic -> dyadic **)

let dopp x =
  { mantissa = (Z.opp x.mantissa); exponent = x.exponent }

(** val dsub : dyadic -> dyadic -> dyadic **)

let dsub x y =
  dadd x (dopp y)

(** val dle : dyadic -> dyadic -> bool **)

let dle x y =
  Z.leb Big_int_Z.zero_big_int (dsub y x).mantissa

(** val dsquare : dyadic -> dyadic **)

let dsquare x =
  dmul x x

(** val dabs : dyadic -> dyadic **)

let dabs x =
  { mantissa = (Z.abs x.mantissa); exponent = x.exponent }

type loss =
| Squared of dyadic
| SmoothedHinge of dyadic
| SquaredHinge
| Hinge
| Absolute

(** val sigma : loss -> dyadic **)

let sigma = function
| Squared g ->
  dmul (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)) g
| SmoothedHinge g ->
  dmul (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)) g
| SquaredHinge ->
  dint (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    Big_int_Z.unit_big_int))
| _ -> dint Big_int_Z.unit_big_int

(** val value : loss -> dyadic -> dyadic -> dyadic **)

let value l y z0 =
  let rest = dsub (dint Big_int_Z.unit_big_int) (dmul y z0) in
  (match l with
   | Squared _ -> dsquare (dsub z0 y)
   | SmoothedHinge g ->
     if dle rest (dint Big_int_Z.zero_big_int)
     then dint Big_int_Z.zero_big_int
     else if dle g rest
          then dsub
                 (dmul
                   (dmul
                     (dint (Big_int_Z.mult_int_big_int 2
                       Big_int_Z.unit_big_int)) g) rest) (dsquare g)
          else dsquare rest
   | SquaredHinge ->
     if dle rest (dint Big_int_Z.zero_big_int)
     then dint Big_int_Z.zero_big_int
     else dmul
            (dint (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
              Big_int_Z.unit_big_int))) (dsquare rest)
   | Hinge ->
     if dle rest (dint Big_int_Z.zero_big_int)
     then dint Big_int_Z.zero_big_int
     else rest
   | Absolute -> dabs (dsub z0 y))

(** val conj : loss -> dyadic -> dyadic -> dyadic **)

let conj l y a =
  let ya = dmul y a in
  (match l with
   | Squared g ->
     dadd
       (dmul
         (dmul (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)) g)
         ya) (dsquare (dmul g a))
   | SmoothedHinge g ->
     dadd
       (dmul
         (dmul (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)) g)
         ya) (dsquare (dmul g a))
   | SquaredHinge ->
     dadd
       (dmul
         (dint (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
           Big_int_Z.unit_big_int))) ya) (dsquare a)
   | _ -> ya)

(** val label : dyadic -> bool **)

let label y =
  (&&) (dle (dint Big_int_Z.unit_big_int) (dsquare y))
    (dle (dsquare y) (dint Big_int_Z.unit_big_int))

(** val inside : loss -> dyadic -> dyadic -> bool **)

let inside l y a =
  let ya = dmul y a in
  (match l with
   | Squared g -> negb (dle g (dint Big_int_Z.zero_big_int))
   | SmoothedHinge g ->
     (&&)
       ((&&) ((&&) (negb (dle g (dint Big_int_Z.zero_big_int))) (label y))
         (dle (dint (Big_int_Z.minus_big_int Big_int_Z.unit_big_int)) ya))
       (dle ya (dint Big_int_Z.zero_big_int))
   | SquaredHinge -> (&&) (label y) (dle ya (dint Big_int_Z.zero_big_int))
   | Hinge ->
     (&&)
       ((&&) (label y)
         (dle (dint (Big_int_Z.minus_big_int Big_int_Z.unit_big_int)) ya))
       (dle ya (dint Big_int_Z.zero_big_int))
   | Absolute ->
     (&&) (dle (dint (Big_int_Z.minus_big_int Big_int_Z.unit_big_int)) a)
       (dle a (dint Big_int_Z.unit_big_int)))

type row = { weight : dyadic; target : dyadic; alpha : dyadic;
             entries : (Big_int_Z.big_int * dyadic) list }

(** val columns : int -> Big_int_Z.big_int list **)

let columns d =
  map Pos.of_nat (seq (Stdlib.Int.succ 0) d)

(** val dtotal : ('a1 -> dyadic) -> 'a1 list -> dyadic **)

let dtotal f l =
  fold_left (fun r x -> dadd r (f x)) l (dint Big_int_Z.zero_big_int)

(** val get : dyadic PositiveMap.t -> Big_int_Z.big_int -> dyadic **)

let get m j =
  match PositiveMap.find j m with
  | Some x -> x
  | None -> dint Big_int_Z.zero_big_int

(** val put :
    dyadic -> dyadic PositiveMap.t -> (Big_int_Z.big_int * dyadic) -> dyadic
    PositiveMap.t **)

let put f m e =
  PositiveMap.add (fst e) (dadd (get m (fst e)) (dmul f (snd e))) m

(** val put_row : dyadic PositiveMap.t -> row -> dyadic PositiveMap.t **)

let put_row m r =
  fold_left (put (dmul r.weight r.alpha)) r.entries m

(** val dsoft : dyadic -> dyadic -> dyadic **)

let dsoft t0 u =
  if dle u t0
  then if dle (dopp t0) u then dint Big_int_Z.zero_big_int else dadd u t0
  else dsub u t0

(** val pos : dyadic -> bool **)

let pos x =
  negb (dle x (dint Big_int_Z.zero_big_int))

(** val zero : dyadic -> bool **)

let zero x =
  (&&) (dle x (dint Big_int_Z.zero_big_int))
    (dle (dint Big_int_Z.zero_big_int) x)

(** val accepts :
    loss -> dyadic -> dyadic -> int -> row list -> (Big_int_Z.big_int ->
    dyadic) -> dyadic option -> Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

let accepts l lam lam1 d rows w intercept p q =
  let b =
    match intercept with
    | Some b -> b
    | None -> dint Big_int_Z.zero_big_int
  in
  let s = dtotal (fun r -> r.weight) rows in
  let u = fold_left put_row rows PositiveMap.empty in
  let residuals =
    dtotal (fun r ->
      let z0 = dadd (dtotal (fun e -> dmul (snd e) (w (fst e))) r.entries) b
      in
      dmul r.weight (dadd (value l r.target z0) (conj l r.target r.alpha)))
      rows
  in
  let ls = dmul lam s in
  let t0 = dmul s lam1 in
  let norms =
    dtotal (fun j ->
      dadd
        (dadd (dsquare (dmul ls (w j)))
          (dmul
            (dmul
              (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int))
              (dmul ls t0)) (dabs (w j)))) (dsquare (dsoft t0 (get u j))))
      (columns d)
  in
  let left =
    dadd
      (dmul
        (dmul (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)) ls)
        residuals) (dmul (sigma l) norms)
  in
  let right =
    dmul
      (dmul (dint (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int))
        (sigma l)) (dmul ls s)
  in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) ((&&) (pos lam) (dle (dint Big_int_Z.zero_big_int) lam1))
              (pos s)) (Z.ltb Big_int_Z.zero_big_int q)) (negb ((=) d 0)))
        (forallb (fun r ->
          (&&)
            ((&&) (dle (dint Big_int_Z.zero_big_int) r.weight)
              (inside l r.target r.alpha))
            (forallb (fun e -> Pos.leb (fst e) (Pos.of_nat d)) r.entries))
          rows))
      (match intercept with
       | Some _ -> zero (dtotal (fun r -> dmul r.weight r.alpha) rows)
       | None -> true)) (dle (dmul (dint q) left) (dmul (dint p) right))
