;; Trains on numbers: a sieve, a matrix product in f64, recursion, calls through a table.
(module
  (memory 4)
  (type $operation (func (param i32 i32) (result i32)))
  (table funcref (elem $add $mix $least))
  (func $add (type $operation) (i32.add (local.get 0) (local.get 1)))
  (func $mix (type $operation) (i32.xor (i32.rotl (local.get 0) (i32.const 5)) (local.get 1)))
  (func $least (type $operation)
    (select (local.get 0) (local.get 1) (i32.lt_s (local.get 0) (local.get 1))))

  (func $sieve (param $n i32) (result i32) (local $i i32) (local $j i32) (local $sum i32)
    (memory.fill (i32.const 0) (i32.const 0) (local.get $n))
    (local.set $i (i32.const 2))
    (loop $numbers
      (if (i32.eqz (i32.load8_u (local.get $i)))
        (then
          (local.set $sum
            (call_indirect (type $operation)
              (local.get $sum) (local.get $i) (i32.rem_u (local.get $i) (i32.const 3))))
          (local.set $j (i32.shl (local.get $i) (i32.const 1)))
          (block $done
            (loop $multiples
              (br_if $done (i32.ge_u (local.get $j) (local.get $n)))
              (i32.store8 (local.get $j) (i32.const 1))
              (local.set $j (i32.add (local.get $j) (local.get $i)))
              (br $multiples)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $numbers (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $sum))

  ;; The sum of the elements of A B, where A[i][j] = i + j and B[i][j] = i - j.
  (func $product (param $n i32) (result f64)
    (local $i i32) (local $j i32) (local $k i32) (local $sum f64)
    (loop $rows
      (local.set $j (i32.const 0))
      (loop $columns
        (local.set $k (i32.const 0))
        (loop $terms
          (local.set $sum
            (f64.add (local.get $sum)
              (f64.mul
                (f64.convert_i32_s (i32.add (local.get $i) (local.get $k)))
                (f64.convert_i32_s (i32.sub (local.get $k) (local.get $j))))))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $terms (i32.lt_s (local.get $k) (local.get $n))))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br_if $columns (i32.lt_s (local.get $j) (local.get $n))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $rows (i32.lt_s (local.get $i) (local.get $n))))
    (local.get $sum))

  (func $ackermann (param $m i32) (param $n i32) (result i32)
    (if (i32.eqz (local.get $m)) (then (return (i32.add (local.get $n) (i32.const 1)))))
    (if (i32.eqz (local.get $n))
      (then (return (call $ackermann (i32.sub (local.get $m) (i32.const 1)) (i32.const 1)))))
    (call $ackermann
      (i32.sub (local.get $m) (i32.const 1))
      (call $ackermann (local.get $m) (i32.sub (local.get $n) (i32.const 1)))))

  (func (export "sieve") (result i32) (local $round i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (local.get $sum) (call $sieve (i32.const 200000))))
      (local.set $round (i32.add (local.get $round) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $round) (i32.const 8))))
    (local.get $sum))
  (func (export "product") (result f64) (call $product (i32.const 140)))
  (func (export "ackermann") (result i32) (local $round i32) (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (local.get $sum) (call $ackermann (i32.const 2) (i32.const 90))))
      (local.set $round (i32.add (local.get $round) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $round) (i32.const 30))))
    (local.get $sum)))
