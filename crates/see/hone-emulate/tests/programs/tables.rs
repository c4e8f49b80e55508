// Rust as people write it: hash maps, formatting, iterators, sorting, dynamic dispatch.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

trait Rule {
    fn apply(&self, value: u64) -> u64;
}
struct Shift(u32);
struct Scale(f64);
impl Rule for Shift {
    fn apply(&self, value: u64) -> u64 {
        value.rotate_left(self.0)
    }
}
impl Rule for Scale {
    fn apply(&self, value: u64) -> u64 {
        (value as f64 * self.0) as u64
    }
}

fn main() {
    let rules: Vec<Box<dyn Rule>> = vec![Box::new(Shift(7)), Box::new(Scale(0.37)), Box::new(Shift(3))];
    let mut seed = 88_172_645_463_325_252_u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mut sum = 0_u64;
    for round in 0..1_000_000_u64 {
        let mut counts: HashMap<String, u64> = HashMap::new();
        let mut tree = BTreeMap::new();
        for index in 0..200 {
            let value = rules[index % rules.len()].apply(next());
            *counts.entry(format!("name{}", value % 60)).or_default() += value & 0xff;
            tree.insert(value % 1000, index);
        }
        let mut text = String::new();
        let mut pairs: Vec<_> = counts.iter().collect();
        pairs.sort();
        for (name, count) in &pairs {
            let _ = write!(text, "{name:>8}={count:#x};{:.3} ", **count as f64 / 7.0);
        }
        sum = sum.wrapping_add(text.split(';').map(str::len).sum::<usize>() as u64);
        sum = sum.wrapping_add(text.bytes().filter(u8::is_ascii_digit).count() as u64);
        sum = sum.wrapping_add(tree.range(100..500).map(|(key, _)| key).sum::<u64>()) ^ round;
    }
    println!("{sum}");
}
