(* The checker as OCaml code: `accepts` of Checker.v, its integers as Zarith's and its natural numbers as OCaml's int. The library's directives for
   both are trusted, and the three below, which name functions of Zarith for functions of the same meaning. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt ZArith.
From Dualgap Require Import Checker.
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant Pos.leb => "Big_int_Z.le_big_int".
Extraction "accepts.ml" accepts.
