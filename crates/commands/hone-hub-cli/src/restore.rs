//! `hone-hub restore`: brings back days that went away by their age.

use anyhow::{Context, Result, ensure};
use hone_hub::store::Store;

use crate::run::now_s;
use crate::settings::Settings;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The only tenant; all, by default
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Say what would come back, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// Restores what can be restored, and says what that is.
pub(crate) fn run(args: &Args, settings: &Settings) -> Result<()> {
    let store = Store::open(settings.place.location(), settings.store.clone()).context(
        "cannot open the store: stop the hub first if it runs, and start it again afterwards",
    )?;
    let all = store.tenants()?;
    let tenants = match &args.tenant {
        Some(tenant) => {
            ensure!(
                all.contains(tenant),
                "there is no tenant {tenant} in this store; there are: {}",
                all.join(", ")
            );
            vec![tenant.clone()]
        }
        None => all,
    };
    let (came, comes) = match args.dry_run {
        true => ("would come back", "nothing would come back"),
        false => ("are back", "nothing comes back"),
    };
    for tenant in tenants {
        let restored = store
            .restore(&tenant, now_s(), args.dry_run)
            .with_context(|| format!("cannot restore {tenant}"))?;
        match (restored.days.first(), restored.days.last()) {
            (Some(first), Some(last)) => println!(
                "{tenant}: {} files ({} bytes) of days from {first} to {last} {came}",
                restored.files, restored.bytes
            ),
            _ => println!("{tenant}: {comes}: no file is there that went away by its age"),
        }
        for (day, service) in &restored.taken {
            println!(
                "{tenant}: {day} of the service {service:?} stays away: newer files of that day are there"
            );
        }
    }
    Ok(())
}
