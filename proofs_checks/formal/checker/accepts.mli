
val negb : bool -> bool

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

type comparison =
| Eq
| Lt
| Gt

module Nat :
 sig
 end

module Pos :
 sig
  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int

  val compare_cont :
    comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val of_nat : int -> Big_int_Z.big_int
 end

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val seq : int -> int -> int list

module Z :
 sig
  val double : Big_int_Z.big_int -> Big_int_Z.big_int

  val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val opp : Big_int_Z.big_int -> Big_int_Z.big_int

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val min : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val abs : Big_int_Z.big_int -> Big_int_Z.big_int

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val shiftl : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
 end

module PositiveMap :
 sig
  type key = Big_int_Z.big_int

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  val empty : 'a1 t

  val find : key -> 'a1 t -> 'a1 option

  val add : key -> 'a1 -> 'a1 t -> 'a1 t
 end

type dyadic = { mantissa : Big_int_Z.big_int; exponent : Big_int_Z.big_int }

val dint : Big_int_Z.big_int -> dyadic

val dadd : dyadic -> dyadic -> dyadic

val dmul : dyadic -> dyadic -> dyadic

val dopp : dyadic -> dyadic

val dsub : dyadic -> dyadic -> dyadic

val dle : dyadic -> dyadic -> bool

val dsquare : dyadic -> dyadic

val dabs : dyadic -> dyadic

type loss =
| Squared of dyadic
| SmoothedHinge of dyadic
| SquaredHinge
| Hinge
| Absolute

val sigma : loss -> dyadic

val value : loss -> dyadic -> dyadic -> dyadic

val conj : loss -> dyadic -> dyadic -> dyadic

val label : dyadic -> bool

val inside : loss -> dyadic -> dyadic -> bool

type row = { weight : dyadic; target : dyadic; alpha : dyadic;
             entries : (Big_int_Z.big_int * dyadic) list }

val columns : int -> Big_int_Z.big_int list

val dtotal : ('a1 -> dyadic) -> 'a1 list -> dyadic

val get : dyadic PositiveMap.t -> Big_int_Z.big_int -> dyadic

val put :
  dyadic -> dyadic PositiveMap.t -> (Big_int_Z.big_int * dyadic) -> dyadic
  PositiveMap.t

val put_row : dyadic PositiveMap.t -> row -> dyadic PositiveMap.t

val dsoft : dyadic -> dyadic -> dyadic

val pos : dyadic -> bool

val zero : dyadic -> bool

val accepts :
  loss -> dyadic -> dyadic -> int -> row list -> (Big_int_Z.big_int ->
  dyadic) -> dyadic option -> Big_int_Z.big_int -> Big_int_Z.big_int -> bool
