//! `docs/see/diagnose.md` and the rules say the same.

use hone_diagnose::ALL;

#[test]
fn the_guide_has_every_rule_as_it_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/see/diagnose.md");
    let guide = std::fs::read_to_string(path).unwrap();
    for rule in ALL {
        let name = format!("`{}`", rule.name);
        let row = guide
            .lines()
            .find(|line| line.starts_with(&format!("| {name} ")));
        let row = row.unwrap_or_else(|| panic!("no row for {name}"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[2], rule.title, "{name}");
        let threshold = format!("{} %", (rule.threshold * 1000.0).round() / 10.0);
        assert_eq!(cells[3], threshold, "{name}");
        let levers: Vec<String> = rule
            .levers
            .iter()
            .map(|lever| format!("`{lever}`"))
            .collect();
        let levers = if levers.is_empty() {
            "-".to_owned()
        } else {
            levers.join(", ")
        };
        assert_eq!(cells[4], levers, "{name}");
        assert!(
            guide.contains(&format!("\n### {name}\n")),
            "{name} has no section"
        );
    }
    let rows = guide.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, ALL.len());
}
