//! Does with a client what it is told on its standard input, one line at a time; see `driver.rs`.

mod driver;

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut driver = driver::Driver::default();
    for line in io::stdin().lock().lines() {
        println!("{}", driver.told(&line?));
        io::stdout().flush()?;
    }
    Ok(())
}
