//! `docs/optimize/levers.md` and the levers say the same.

use hone_build::lever::{ALL, Offer, ProfileSource};

#[test]
fn the_guides_table_has_every_lever_as_it_is() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../docs/optimize/levers.md"
    );
    let guide = std::fs::read_to_string(path).unwrap();
    for lever in ALL {
        let id = format!("`{}`", lever.id);
        let row = guide
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&id));
        let row = row.unwrap_or_else(|| panic!("no row for {id}"));
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let offer = match lever.offer {
            Offer::Default => "default",
            Offer::Extra => "extra",
            Offer::OnRequest => "on request",
        };
        assert!(cells[3].starts_with(offer), "{id} is {offer}: {row}");
        assert_eq!(
            cells[4] == "none",
            lever.profile == ProfileSource::None && lever.id != "icp",
            "{row}"
        );
        for (toolchain, _) in lever.flags {
            assert!(
                cells[5].contains(toolchain.name()),
                "{id} with {}: {row}",
                toolchain.name()
            );
        }
        assert_eq!(cells[5].split(',').count(), lever.flags.len(), "{row}");
        let section = guide
            .lines()
            .any(|line| line.starts_with("### ") && line.contains(&id));
        assert!(section, "{id} has no section");
    }
}
