;; Measured: quicksort of 64-bit numbers with an insertion sort for short pieces, then binary searches.
(module
  (memory 8)
  (func $get (param $i i32) (result i64) (i64.load (i32.shl (local.get $i) (i32.const 3))))
  (func $put (param $i i32) (param $x i64) (i64.store (i32.shl (local.get $i) (i32.const 3)) (local.get $x)))

  (func $fill (param $count i32) (param $seed i64) (local $i i32)
    (loop $numbers
      (local.set $seed
        (i64.add (i64.mul (local.get $seed) (i64.const 6364136223846793005)) (i64.const 1442695040888963407)))
      (call $put (local.get $i) (i64.shr_s (local.get $seed) (i64.const 20)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $numbers (i32.lt_u (local.get $i) (local.get $count)))))

  (func $insertion (param $low i32) (param $high i32) (local $i i32) (local $j i32) (local $x i64)
    (local.set $i (local.get $low))
    (block $sorted
      (loop $numbers
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $sorted (i32.gt_s (local.get $i) (local.get $high)))
        (local.set $x (call $get (local.get $i)))
        (local.set $j (local.get $i))
        (block $placed
          (loop $shift
            (br_if $placed (i32.le_s (local.get $j) (local.get $low)))
            (br_if $placed (i64.le_s (call $get (i32.sub (local.get $j) (i32.const 1))) (local.get $x)))
            (call $put (local.get $j) (call $get (i32.sub (local.get $j) (i32.const 1))))
            (local.set $j (i32.sub (local.get $j) (i32.const 1)))
            (br $shift)))
        (call $put (local.get $j) (local.get $x))
        (br $numbers))))

  (func $quicksort (param $low i32) (param $high i32) (local $i i32) (local $j i32) (local $pivot i64) (local $x i64)
    (if (i32.lt_s (i32.sub (local.get $high) (local.get $low)) (i32.const 12))
      (then (call $insertion (local.get $low) (local.get $high)) (return)))
    (local.set $pivot (call $get (i32.shr_u (i32.add (local.get $low) (local.get $high)) (i32.const 1))))
    (local.set $i (local.get $low))
    (local.set $j (local.get $high))
    (loop $partition
      (loop $up
        (if (i64.lt_s (call $get (local.get $i)) (local.get $pivot))
          (then (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $up))))
      (loop $down
        (if (i64.gt_s (call $get (local.get $j)) (local.get $pivot))
          (then (local.set $j (i32.sub (local.get $j) (i32.const 1))) (br $down))))
      (if (i32.le_s (local.get $i) (local.get $j))
        (then
          (local.set $x (call $get (local.get $i)))
          (call $put (local.get $i) (call $get (local.get $j)))
          (call $put (local.get $j) (local.get $x))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (local.set $j (i32.sub (local.get $j) (i32.const 1)))
          (br_if $partition (i32.le_s (local.get $i) (local.get $j))))))
    (if (i32.lt_s (local.get $low) (local.get $j)) (then (call $quicksort (local.get $low) (local.get $j))))
    (if (i32.lt_s (local.get $i) (local.get $high)) (then (call $quicksort (local.get $i) (local.get $high)))))

  ;; The first place whose number is not below x.
  (func $search (param $count i32) (param $x i64) (result i32) (local $low i32) (local $middle i32)
    (block $found
      (loop $halve
        (br_if $found (i32.ge_u (local.get $low) (local.get $count)))
        (local.set $middle (i32.shr_u (i32.add (local.get $low) (local.get $count)) (i32.const 1)))
        (if (i64.lt_s (call $get (local.get $middle)) (local.get $x))
          (then (local.set $low (i32.add (local.get $middle) (i32.const 1))))
          (else (local.set $count (local.get $middle))))
        (br $halve)))
    (local.get $low))

  (func (export "sort") (result i64 i32) (local $round i32) (local $i i32) (local $sum i64) (local $places i32)
    (loop $again
      (call $fill (i32.const 40000) (i64.extend_i32_u (i32.add (local.get $round) (i32.const 1))))
      (call $quicksort (i32.const 0) (i32.const 39999))
      (local.set $i (i32.const 1))
      (loop $numbers
        (if (i64.lt_s (call $get (local.get $i)) (call $get (i32.sub (local.get $i) (i32.const 1))))
          (then unreachable))
        (local.set $sum (i64.add (i64.rotl (local.get $sum) (i64.const 1)) (call $get (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $numbers (i32.lt_u (local.get $i) (i32.const 40000))))
      (local.set $i (i32.const 0))
      (loop $searches
        (local.set $places
          (i32.add (local.get $places)
            (call $search (i32.const 40000) (i64.mul (i64.extend_i32_s (i32.sub (local.get $i) (i32.const 5000))) (i64.const 1000000007)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $searches (i32.lt_u (local.get $i) (i32.const 10000))))
      (local.set $round (i32.add (local.get $round) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $round) (i32.const 6))))
    (local.get $sum) (local.get $places)))
