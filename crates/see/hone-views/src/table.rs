//! Time by function, file, line, binary, thread, process, command or label: self and total.

use crate::labels::labels_of;
use crate::stacks::{Frame, FrameId, Stack, Stacks};
use hone_profile::Interner;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Subject of the rows of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By<'k> {
    /// A function; inlined functions have rows of their own.
    Function,
    /// A source file.
    File,
    /// A line of a source file.
    Line,
    /// A program, a library or the kernel.
    Binary,
    /// A thread.
    Thread,
    /// A process.
    Process,
    /// All processes with the same name.
    Command,
    /// All samples with the same labels of these keys; of all keys if there are none here.
    Label(&'k [String]),
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Name of the row's subject.
    pub name: String,
    /// Binary of a function or a line; empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub binary: String,
    /// Weight of the samples whose own instruction is in the row's subject.
    pub self_weight: u64,
    /// Weight of the samples with the row's subject anywhere in the stack.
    pub total_weight: u64,
    /// `self_weight` as a share of all, 0 to 1.
    pub self_share: f64,
    /// `total_weight` as a share of all, 0 to 1.
    pub total_share: f64,
    /// Standard error of `self_share`.
    pub self_error: f64,
    /// Standard error of `total_share`.
    pub total_error: f64,
}

impl Row {
    /// Returns the name without the numbers of threads and processes, which differ in each run.
    pub(crate) fn lasting_name(&self) -> &str {
        let numbered = |word: &str| self.name.rsplit_once(word).map(|(name, _)| name);
        let numbered = || numbered(" (thread ").or_else(|| numbered(" (process "));
        let is_thread = self.binary.is_empty() && self.name.ends_with(')');
        let short = is_thread.then(numbered).flatten();
        short.unwrap_or(&self.name)
    }
}

/// A table of rows, largest self weight first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Table {
    /// Name of the event.
    pub event: String,
    /// Number of all samples.
    pub samples: u64,
    /// Number of samples of equal weight that would be as much evidence.
    pub effective_samples: f64,
    /// Weight of all samples.
    pub weight: u64,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Returns the standard error of a share that was estimated from a number of samples: sqrt(p (1 - p) / n).
pub fn standard_error(share: f64, samples: f64) -> f64 {
    if samples > 0.0 {
        (share * (1.0 - share) / samples).max(0.0).sqrt()
    } else {
        0.0
    }
}

/// Returns the table of all stacks.
pub fn table(stacks: &Stacks, by: By<'_>) -> Table {
    let mut sums = Sums::default();
    let frames = (0..stacks.frame_count() as u32).map(|id| stacks.frame(FrameId(id)));
    let row_of: Vec<usize> = frames.map(|frame| sums.row(&of_frame(frame, by))).collect();
    let processes = match by {
        By::Process | By::Command => process_names(stacks),
        By::Function | By::File | By::Line | By::Binary | By::Thread | By::Label(_) => {
            FxHashMap::default()
        }
    };
    let mut seen: Vec<usize> = Vec::new();
    for stack in &stacks.stacks {
        seen.clear();
        match of_thread(stack, by, &processes) {
            Some(name) => seen.push(sums.row(&(name, String::new()))),
            None => {
                for frame in &stack.frames {
                    let row = row_of[frame.0 as usize];
                    // Recursion counts once.
                    if !seen.contains(&row) {
                        seen.push(row);
                    }
                }
            }
        }
        sums.add(&seen, stack.weight);
    }
    let (weight, samples) = (stacks.weight(), stacks.effective_samples());
    Table {
        event: stacks.event.clone(),
        samples: stacks.samples(),
        effective_samples: samples,
        weight,
        rows: sums.into_rows(weight, samples),
    }
}

/// Sums of the rows, by name and binary.
#[derive(Default)]
struct Sums {
    rows: Interner<(String, String)>,
    /// Self and total weight.
    weights: Vec<(u64, u64)>,
}

impl Sums {
    fn row(&mut self, key: &(String, String)) -> usize {
        let row = self.rows.intern(key) as usize;
        self.weights.resize(self.rows.items().len(), (0, 0));
        row
    }

    /// Adds a stack, given by its rows, leaf first.
    fn add(&mut self, rows: &[usize], weight: u64) {
        for &row in rows {
            self.weights[row].1 += weight;
        }
        if let Some(&leaf) = rows.first() {
            self.weights[leaf].0 += weight;
        }
    }

    fn into_rows(self, weight: u64, samples: f64) -> Vec<Row> {
        let share = |part: u64| part as f64 / weight.max(1) as f64;
        let names = self.rows.into_items().into_iter();
        let mut rows: Vec<Row> = (names.zip(self.weights))
            .filter_map(|((name, binary), (own, total))| {
                (total > 0).then(|| Row {
                    name,
                    binary,
                    self_weight: own,
                    total_weight: total,
                    self_share: share(own),
                    total_share: share(total),
                    self_error: standard_error(share(own), samples),
                    total_error: standard_error(share(total), samples),
                })
            })
            .collect();
        rows.sort_by(|a, b| {
            (b.self_weight, b.total_weight)
                .cmp(&(a.self_weight, a.total_weight))
                .then_with(|| (&a.name, &a.binary).cmp(&(&b.name, &b.binary)))
        });
        rows
    }
}

fn of_frame(frame: &Frame, by: By<'_>) -> (String, String) {
    let unknown = |text: &str| match text {
        "" => "[no source]".to_owned(),
        text => text.to_owned(),
    };
    match by {
        By::File => (unknown(&frame.file), String::new()),
        By::Line if frame.file.is_empty() => (unknown(""), frame.binary.clone()),
        By::Line => (
            format!("{}:{}", frame.file, frame.line),
            frame.binary.clone(),
        ),
        By::Binary => (frame.binary.clone(), String::new()),
        By::Function | By::Thread | By::Process | By::Command | By::Label(_) => {
            (frame.function.clone(), frame.binary.clone())
        }
    }
}

/// Returns the row of a stack, if the row depends on the thread and not on the frames.
fn of_thread(stack: &Stack, by: By<'_>, processes: &FxHashMap<i32, &str>) -> Option<String> {
    // A process takes another name when it becomes another program.
    let command = || match processes.get(&stack.pid) {
        Some(name) if stack.tid != stack.pid => name,
        _ => stack.thread.as_str(),
    };
    match by {
        By::Thread => Some(format!(
            "{} (thread {} of {})",
            stack.thread, stack.tid, stack.pid
        )),
        By::Process => Some(format!("{} (process {})", command(), stack.pid)),
        By::Command => Some(command().to_owned()),
        By::Label(keys) => Some(labels_of(stack, keys).join(" ")),
        By::Function | By::File | By::Line | By::Binary => None,
    }
}

/// Returns the name of each process: the name of its first thread, or of its heaviest stack if the first thread was never seen.
fn process_names(stacks: &Stacks) -> FxHashMap<i32, &str> {
    let mut names = FxHashMap::default();
    // Stacks are sorted, heaviest first.
    for stack in &stacks.stacks {
        names.entry(stack.pid).or_insert(stack.thread.as_str());
    }
    let firsts = stacks.stacks.iter().filter(|stack| stack.tid == stack.pid);
    for stack in firsts.rev() {
        names.insert(stack.pid, &stack.thread);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;

    #[test]
    fn recursion_counts_once_and_the_leaf_has_the_self_weight() {
        let stacks = stacks(&[("main;f;g;f", 30), ("main;g", 50), ("main", 20)]);
        let table = table(&stacks, By::Function);
        let rows: Vec<_> = (table.rows.iter())
            .map(|row| (row.name.as_str(), row.self_weight, row.total_weight))
            .collect();
        assert_eq!(rows, [("g", 50, 80), ("f", 30, 30), ("main", 20, 100)]);
        let self_weight: u64 = table.rows.iter().map(|row| row.self_weight).sum();
        assert_eq!(self_weight, table.weight);
    }

    #[test]
    fn the_error_of_a_share_is_that_of_a_binomial() {
        // 100 samples of weight 1, 20 of them in f.
        let stacks = stacks(&[("main;f", 20), ("main", 80)]);
        let table = table(&stacks, By::Function);
        let f = table.rows.iter().find(|row| row.name == "f").unwrap();
        assert!((f.self_error - 0.04).abs() < 1e-9, "{}", f.self_error);
        let main = table.rows.iter().find(|row| row.name == "main").unwrap();
        assert_eq!(main.total_error, 0.0);
    }

    #[test]
    fn threads_belong_to_a_process_that_is_called_as_its_first_one() {
        let mut stacks = stacks(&[("a", 8), ("b", 4), ("c", 2), ("d", 1)]);
        let threads = [
            (7, 8, "worker"),
            (7, 7, "server"),
            (9, 9, "make"),
            (9, 9, "cc"),
        ];
        for (stack, (pid, tid, thread)) in stacks.stacks.iter_mut().zip(threads) {
            (stack.pid, stack.tid, stack.thread) = (pid, tid, thread.to_owned());
        }
        let rows = |by| {
            let rows = table(&stacks, by).rows.into_iter();
            rows.map(|row| (row.name, row.self_weight))
                .collect::<Vec<_>>()
        };
        let expected = [("server", 12), ("make", 2), ("cc", 1)];
        assert_eq!(
            rows(By::Command),
            expected.map(|(name, weight)| (name.to_owned(), weight))
        );
        let expected = [
            ("server (process 7)", 12),
            ("make (process 9)", 2),
            ("cc (process 9)", 1),
        ];
        assert_eq!(
            rows(By::Process),
            expected.map(|(name, weight)| (name.to_owned(), weight))
        );
    }

    #[test]
    fn filters_keep_what_is_asked_for() {
        let mut stacks = stacks(&[("main;f;g", 1), ("main;f", 2), ("main;h", 4)]);
        let named = |name: &'static str| move |frame: &Frame| frame.function == name;
        stacks.filter(Some(&named("f")), Some(&named("g")));
        assert_eq!(stacks.weight(), 2);
        let names: Vec<_> = table(&stacks, By::Function).rows;
        let names: Vec<_> = names.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["f", "main"]);
    }
}
