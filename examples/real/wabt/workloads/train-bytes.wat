;; Trains on bytes: random text, its CRC by bits, counts of letters, search for repeated pieces.
(module
  (memory 4)
  (global $state (mut i64) (i64.const 2463534242))
  (func $random (param $limit i32) (result i32) (local $x i64)
    (local.set $x (global.get $state))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
    (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
    (global.set $state (local.get $x))
    (i32.wrap_i64 (i64.rem_u (i64.shr_u (local.get $x) (i64.const 11)) (i64.extend_i32_u (local.get $limit)))))

  (func $write (param $length i32) (local $i i32)
    (loop $bytes
      (i32.store8 (local.get $i)
        (select
          (i32.const 32)
          (i32.add (i32.const 97) (call $random (i32.add (i32.const 2) (call $random (i32.const 24)))))
          (i32.eqz (call $random (i32.const 6)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $bytes (i32.lt_u (local.get $i) (local.get $length)))))

  (func $crc (param $length i32) (result i32) (local $i i32) (local $bit i32) (local $crc i32)
    (local.set $crc (i32.const -1))
    (loop $bytes
      (local.set $crc (i32.xor (local.get $crc) (i32.load8_u (local.get $i))))
      (local.set $bit (i32.const 8))
      (loop $bits
        (if (i32.and (local.get $crc) (i32.const 1))
          (then (local.set $crc (i32.xor (i32.shr_u (local.get $crc) (i32.const 1)) (i32.const 0xedb88320))))
          (else (local.set $crc (i32.shr_u (local.get $crc) (i32.const 1)))))
        (br_if $bits (local.tee $bit (i32.sub (local.get $bit) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $bytes (i32.lt_u (local.get $i) (local.get $length))))
    (i32.xor (local.get $crc) (i32.const -1)))

  ;; Counts at 0x10000: by letter; words that begin with a vowel are told from the others by br_table.
  (func $count (param $length i32) (result i32)
    (local $i i32) (local $c i32) (local $slot i32) (local $vowels i32) (local $others i32) (local $spaces i32)
    (loop $bytes
      (local.set $c (i32.sub (i32.load8_u (local.get $i)) (i32.const 97)))
      (local.set $slot (i32.add (i32.const 0x10000) (i32.shl (i32.and (local.get $c) (i32.const 31)) (i32.const 2))))
      (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
      (block $next
        (block $other
          (block $vowel
            (br_if $other (i32.gt_u (local.get $c) (i32.const 25)))
            (br_table $vowel $other $other $other $vowel $other $other $other $vowel $other $other
              $other $other $other $vowel $other $other $other $other $other $vowel $other (local.get $c)))
          (local.set $vowels (i32.add (local.get $vowels) (i32.const 1)))
          (br $next))
        (local.set $others (i32.add (local.get $others) (i32.const 1))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $bytes (i32.lt_u (local.get $i) (local.get $length))))
    (i32.add (i32.mul (local.get $vowels) (i32.const 31)) (local.get $others)))

  ;; The sum of the longest matches of each place with one of the 24 places before it.
  (func $matches (param $length i32) (result i32)
    (local $at i32) (local $back i32) (local $n i32) (local $best i32) (local $sum i32)
    (local.set $at (i32.const 24))
    (loop $places
      (local.set $back (i32.const 1))
      (local.set $best (i32.const 0))
      (loop $distances
        (local.set $n (i32.const 0))
        (block $differ
          (loop $same
            (br_if $differ
              (i32.ne
                (i32.load8_u (i32.add (local.get $at) (local.get $n)))
                (i32.load8_u (i32.add (i32.sub (local.get $at) (local.get $back)) (local.get $n)))))
            (local.set $n (i32.add (local.get $n) (i32.const 1)))
            (br_if $same (i32.lt_u (local.get $n) (i32.const 16)))))
        (if (i32.gt_u (local.get $n) (local.get $best)) (then (local.set $best (local.get $n))))
        (local.set $back (i32.add (local.get $back) (i32.const 1)))
        (br_if $distances (i32.le_u (local.get $back) (i32.const 24))))
      (local.set $sum (i32.add (local.get $sum) (local.get $best)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $places (i32.lt_u (local.get $at) (local.get $length))))
    (local.get $sum))

  (func (export "text") (result i32 i32 i32) (local $round i32) (local $crc i32) (local $count i32) (local $matches i32)
    (loop $again
      (call $write (i32.const 30000))
      (local.set $crc (i32.xor (local.get $crc) (call $crc (i32.const 30000))))
      (local.set $count (i32.add (local.get $count) (call $count (i32.const 30000))))
      (local.set $matches (i32.add (local.get $matches) (call $matches (i32.const 8000))))
      (local.set $round (i32.add (local.get $round) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $round) (i32.const 10))))
    (local.get $crc) (local.get $count) (local.get $matches)))
