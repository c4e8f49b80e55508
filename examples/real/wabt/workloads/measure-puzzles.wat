;; Measured: Conway's game of life on a torus, whose rules are functions in a table, and the ways to place
;; queens on a board, by recursion over sets of bits.
(module
  (memory 4)
  (type $rule (func (param i32) (result i32)))
  (table funcref (elem $birth $survival))
  (func $birth (type $rule) (i32.eq (local.get 0) (i32.const 3)))
  (func $survival (type $rule) (i32.or (i32.eq (local.get 0) (i32.const 2)) (i32.eq (local.get 0) (i32.const 3))))

  ;; Cells of a board of 64 x 64 that starts at `board`; coordinates wrap around.
  (func $cell (param $board i32) (param $x i32) (param $y i32) (result i32)
    (i32.load8_u
      (i32.add (local.get $board)
        (i32.or
          (i32.shl (i32.and (local.get $y) (i32.const 63)) (i32.const 6))
          (i32.and (local.get $x) (i32.const 63))))))
  (func $row (param $board i32) (param $x i32) (param $y i32) (result i32)
    (i32.add
      (i32.add
        (call $cell (local.get $board) (i32.sub (local.get $x) (i32.const 1)) (local.get $y))
        (call $cell (local.get $board) (local.get $x) (local.get $y)))
      (call $cell (local.get $board) (i32.add (local.get $x) (i32.const 1)) (local.get $y))))

  (func $generation (param $from i32) (param $to i32) (result i32)
    (local $i i32) (local $x i32) (local $y i32) (local $self i32) (local $next i32) (local $alive i32)
    (loop $cells
      (local.set $x (i32.and (local.get $i) (i32.const 63)))
      (local.set $y (i32.shr_u (local.get $i) (i32.const 6)))
      (local.set $self (call $cell (local.get $from) (local.get $x) (local.get $y)))
      (local.set $next
        (call_indirect (type $rule)
          (i32.sub
            (i32.add
              (call $row (local.get $from) (local.get $x) (i32.sub (local.get $y) (i32.const 1)))
              (i32.add
                (call $row (local.get $from) (local.get $x) (local.get $y))
                (call $row (local.get $from) (local.get $x) (i32.add (local.get $y) (i32.const 1)))))
            (local.get $self))
          (local.get $self)))
      (i32.store8 (i32.add (local.get $to) (local.get $i)) (local.get $next))
      (local.set $alive (i32.add (local.get $alive) (local.get $next)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $cells (i32.lt_u (local.get $i) (i32.const 4096))))
    (local.get $alive))

  (func (export "life") (result i32 i32) (local $i i32) (local $seed i32) (local $alive i32) (local $history i32)
    (local.set $seed (i32.const 362436069))
    (loop $cells
      (local.set $seed (i32.add (i32.mul (local.get $seed) (i32.const 1664525)) (i32.const 1013904223)))
      (i32.store8 (local.get $i) (i32.lt_u (local.get $seed) (i32.const 0x50000000)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $cells (i32.lt_u (local.get $i) (i32.const 4096))))
    (local.set $i (i32.const 0))
    (loop $generations
      (local.set $alive
        (if (result i32) (i32.and (local.get $i) (i32.const 1))
          (then (call $generation (i32.const 4096) (i32.const 0)))
          (else (call $generation (i32.const 0) (i32.const 4096)))))
      (local.set $history (i32.add (i32.mul (local.get $history) (i32.const 31)) (local.get $alive)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $generations (i32.lt_u (local.get $i) (i32.const 150))))
    (local.get $alive) (local.get $history))

  ;; Counts the ways to fill the rows that are left; each set names the columns that a queen attacks.
  (func $place (param $all i32) (param $columns i32) (param $left i32) (param $right i32) (result i32)
    (local $free i32) (local $bit i32) (local $ways i32)
    (if (i32.eq (local.get $columns) (local.get $all)) (then (return (i32.const 1))))
    (local.set $free
      (i32.and (local.get $all)
        (i32.xor (i32.const -1) (i32.or (local.get $columns) (i32.or (local.get $left) (local.get $right))))))
    (block $none
      (loop $queens
        (br_if $none (i32.eqz (local.get $free)))
        (local.set $bit (i32.and (local.get $free) (i32.sub (i32.const 0) (local.get $free))))
        (local.set $free (i32.xor (local.get $free) (local.get $bit)))
        (local.set $ways
          (i32.add (local.get $ways)
            (call $place
              (local.get $all)
              (i32.or (local.get $columns) (local.get $bit))
              (i32.shl (i32.or (local.get $left) (local.get $bit)) (i32.const 1))
              (i32.shr_u (i32.or (local.get $right) (local.get $bit)) (i32.const 1)))))
        (br $queens)))
    (local.get $ways))
  (func (export "queens") (result i32)
    (call $place (i32.const 0x7ff) (i32.const 0) (i32.const 0) (i32.const 0))))
