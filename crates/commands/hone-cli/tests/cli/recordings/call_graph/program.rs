// A closure that sorts, and a panic that is caught, so that there is something to unwind.
#[unsafe(no_mangle)]
#[inline(never)]
fn spin(n: u32) -> u32 {
    let mut x = n;
    for _ in 0..std::hint::black_box(n) {
        x = std::hint::black_box(x.wrapping_mul(1664525).wrapping_add(1013904223));
    }
    x
}
#[unsafe(no_mangle)]
#[inline(never)]
fn middle(n: u32) -> u32 {
    let mut values: Vec<u32> = (0..64).map(|i| i * 37 % 64).collect();
    values.sort_by_key(|value| spin(n) ^ value);
    values[3]
}
fn main() {
    let sum: u32 = (0..40).map(|_| middle(20_000)).fold(0, u32::wrapping_add);
    println!("{sum}");
}
