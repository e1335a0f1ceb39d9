(* dualgap-check CERTIFICATE DATA: reads both files and asks `accepts`, which Coq has proved, for the verdict.

   This part is not proved: it turns text into numbers, compares the checksum, and prints. docs/certificate_file.md specifies both files.
   Exit status: 0 accepted, 1 refused, 2 a file cannot be read. *)

exception Unreadable of string

let fail form = Printf.ksprintf (fun text -> raise (Unreadable text)) form

(* ---- SHA-256 (FIPS 180-4) of a string, on 63-bit integers. ---- *)
let sha256 text =
  let word = 0xffffffff in
  let primes count =
    let rec next found k =
      if List.length found = count then List.rev found
      else next (if List.exists (fun p -> k mod p = 0) found then found else k :: found) (k + 1) in
    next [] 2 in
  (* The first 32 bits of the fraction of a root: floor(2^32 p^(1/power)) mod 2^32, in exact integers. *)
  let fraction power p =
    Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int p) (32 * power)) power) (Z.of_int word)) in
  let k = Array.of_list (List.map (fraction 3) (primes 64)) and h = Array.of_list (List.map (fraction 2) (primes 8)) in
  let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land word in
  let size = String.length text in
  let blocks = (size + 8) / 64 + 1 in
  let byte i =
    if i < size then Char.code text.[i] else if i = size then 0x80
    else if i >= 64 * blocks - 8 then (8 * size) lsr (8 * (64 * blocks - 1 - i)) land 255 else 0 in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    for t = 0 to 15 do
      let at = 64 * block + 4 * t in
      w.(t) <- (byte at lsl 24) lor (byte (at + 1) lsl 16) lor (byte (at + 2) lsl 8) lor byte (at + 3)
    done;
    for t = 16 to 63 do
      let a = w.(t - 15) and b = w.(t - 2) in
      let s0 = rotate a 7 lxor rotate a 18 lxor (a lsr 3) and s1 = rotate b 17 lxor rotate b 19 lxor (b lsr 10) in
      w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land word
    done;
    let v = Array.copy h in
    for t = 0 to 63 do
      let e = v.(4) and a = v.(0) in
      let t1 = v.(7) + (rotate e 6 lxor rotate e 11 lxor rotate e 25) + ((e land v.(5)) lxor (lnot e land word land v.(6))) + k.(t) + w.(t) in
      let t2 = (rotate a 2 lxor rotate a 13 lxor rotate a 22) + ((a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2))) in
      Array.blit (Array.copy v) 0 v 1 7;
      v.(4) <- (v.(4) + t1) land word;
      v.(0) <- (t1 + t2) land word
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land word) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))

(* ---- Numbers. ---- *)
let dyadic x : Accepts.dyadic =
  let bits = Int64.bits_of_float x in
  let field = Int64.to_int (Int64.logand (Int64.shift_right_logical bits 52) 2047L) in
  let fraction = Z.of_int64 (Int64.logand bits 0xfffffffffffffL) in
  if field = 2047 then fail "a number is not finite";
  let mantissa = if field = 0 then fraction else Z.add fraction (Z.shift_left Z.one 52) in
  { mantissa = (if bits < 0L then Z.neg mantissa else mantissa); exponent = Z.of_int (max field 1 - 1075) }

let double text =  (* 16 hexadecimal digits *)
  if String.length text <> 16 || not (String.for_all (function '0' .. '9' | 'a' .. 'f' -> true | _ -> false) text) then
    fail "%S: a number is 16 hexadecimal digits, lower case" text;
  Int64.float_of_bits (Int64.of_string ("0x" ^ text))

let digits text = text <> "" && String.for_all (function '0' .. '9' -> true | _ -> false) text
let natural text = if digits text && String.length text < 16 then int_of_string text else fail "%S is not a natural number" text

let decimal text =  (* of a LIBSVM file: the nearest double *)
  let allowed = function '0' .. '9' | '+' | '-' | '.' | 'e' | 'E' -> true | _ -> false in
  match if String.for_all allowed text then float_of_string_opt text else None with
  | Some x -> if Float.is_finite x then x else fail "%S is not finite" text
  | None -> fail "%S is not a decimal number" text

let bound text =
  let integer t = if digits t || (t <> "" && t.[0] = '-' && digits (String.sub t 1 (String.length t - 1))) then Z.of_string t else fail "the bound %S is not P/Q" text in
  match String.split_on_char '/' text with
  | [p] -> integer p, Z.one
  | [p; q] when digits q && Z.sign (Z.of_string q) > 0 -> integer p, integer q
  | _ -> fail "the bound %S is not P/Q" text

let words line = List.filter (( <> ) "") (String.split_on_char ' ' line)

let lines path =
  let file = try open_in_bin path with Sys_error why -> fail "%s" why in
  let rec read found = match input_line file with
    | line ->
      let size = String.length line in
      if not (String.for_all (fun c -> Char.code c < 128) line) then fail "%s: not ASCII" path;
      read ((if size > 0 && line.[size - 1] = '\r' then String.sub line 0 (size - 1) else line) :: found)
    | exception End_of_file -> close_in file; List.rev found in
  read []

(* ---- The certificate. ---- *)
let fields = ["producer"; "data"; "rows"; "columns"; "loss"; "gamma"; "lam"; "l1"; "intercept"; "weights"; "w"; "alpha"; "bound"]

let fields_logistic = List.concat_map (fun name -> if name = "bound" then ["logs"; "bound"] else [name]) fields

let certificate path =
  let all = lines path in
  let fields = if List.mem "loss logistic" all then fields_logistic else fields in
  match all with
  | "dualgap certificate 1" :: rest when List.length rest = List.length fields ->
    let read name line = match words line with
      | first :: values when first = name -> name, values
      | _ -> fail "%s: the line %S must follow in this place" path name in
    let found = List.map2 read fields rest in
    fun name -> List.assoc name found
  | "dualgap certificate 1" :: _ -> fail "%s: there must be %d lines after the first" path (List.length fields)
  | _ -> fail "%s: the first line must be `dualgap certificate 1`" path

(* ---- The data: rows of LIBSVM text, and their checksum. ---- *)
(* The words of a line before its comment; a line without any is no row. *)
let row_words line =
  let text = match String.index_opt line '#' with Some at -> String.sub line 0 at | None -> line in
  words (String.map (function '\t' -> ' ' | c -> c) text)

let row line =
  match row_words line with
  | [] -> fail "a line of the data is blank"
  | label :: pairs ->
    let pair text = match String.index_opt text ':' with
      | Some at -> natural (String.sub text 0 at), decimal (String.sub text (at + 1) (String.length text - at - 1))
      | None -> fail "%S is not COLUMN:VALUE" text in
    let pairs = List.map pair pairs in
    let rec ascending before = function [] -> () | (j, _) :: rest -> if j <= before then fail "column %d does not ascend from 1" j else ascending j rest in
    ascending 0 pairs;
    (* + 0 makes a negative zero positive. *)
    decimal label +. 0., List.filter (fun (_, x) -> x <> 0.) pairs

let canonical rows =
  let out = Buffer.create 65536 in
  let number x = Buffer.add_int64_le out (Int64.bits_of_float x) and whole k = Buffer.add_int64_le out (Int64.of_int k) in
  List.iter (fun (y, pairs) -> number y; whole (List.length pairs); List.iter (fun (j, x) -> whole j; number x) pairs) rows;
  Buffer.contents out

let judge certificate_path data_path =
  let field = certificate certificate_path in
  let one name = match field name with [value] -> value | _ -> fail "%s: %s takes one value" certificate_path name in
  let many name count =
    let values = field name in
    if List.length values <> count then fail "%s: %s must have %d numbers" certificate_path name count;
    Array.map (fun text -> dyadic (double text)) (Array.of_list values) in
  let n = natural (one "rows") and d = natural (one "columns") in
  let rows = List.rev (List.rev_map row (List.filter (fun line -> row_words line <> []) (lines data_path))) in
  let gamma () = dyadic (double (one "gamma")) in
  let loss = match one "loss" with
    | "squared" -> Accepts.Squared (gamma ()) | "smoothed-hinge" -> Accepts.SmoothedHinge (gamma ())
    | "squared-hinge" -> Accepts.SquaredHinge | "hinge" -> Accepts.Hinge | "absolute" -> Accepts.Absolute
    | "logistic" -> Accepts.Logistic
    | other -> fail "the loss %S is not covered (squared, smoothed-hinge, squared-hinge, hinge, absolute, logistic)" other in
  let number name = dyadic (double (one name)) in
  let unless_none name read = if field name = ["none"] then None else Some (read name) in
  let intercept = unless_none "intercept" number in
  let w = many "w" d and alpha = many "alpha" n in
  let weights = match unless_none "weights" (fun name -> many name n) with Some s -> s | None -> Array.make n (dyadic 1.) in
  let p, q = bound (one "bound") in
  let lam = number "lam" and l1 = number "l1" in
  let logs = if loss = Accepts.Logistic then many "logs" (3 * n) else Array.make (3 * n) (dyadic 0.) in
  if List.length rows <> n || sha256 (canonical rows) <> one "data" then Error "the data are not those of the certificate"
  else
    let made i (y, pairs) : Accepts.row =
      { weight = weights.(i); target = dyadic y; alpha = alpha.(i); log = logs.(3 * i); log0 = logs.(3 * i + 1); log1 = logs.(3 * i + 2);
        entries = List.map (fun (j, x) -> Z.of_int j, dyadic x) pairs } in
    let at j = if Z.leq j (Z.of_int d) then w.(Z.to_int j - 1) else dyadic 0. in
    let _, made_rows = List.fold_left (fun (i, found) r -> i + 1, made i r :: found) (0, []) rows in
    if Accepts.accepts loss lam l1 d (List.rev made_rows) at intercept p q then Ok (Z.to_string p ^ "/" ^ Z.to_string q)
    else Error "the bound is not proved by this pair, or the pair is outside the domain"

let () =
  match Sys.argv with
  | [| _; certificate; data |] -> (
    match judge certificate data with
    | Ok bound -> Printf.printf "accepted: P(w) - min P <= %s\n" bound
    | Error why -> Printf.printf "refused: %s\n" why; exit 1
    | exception Unreadable why -> Printf.eprintf "cannot read: %s\n" why; exit 2)
  | _ -> prerr_endline "usage: dualgap-check CERTIFICATE DATA"; exit 2
