use super::{Lever, Offer, ProfileSource};

pub(super) const LEVER: Lever = Lever {
    id: "autofdo-ip",
    title: "AutoFDO (IP samples only)",
    what: "The same as AutoFDO from plain samples without branch records, to show what the branch records add.",
    offer: Offer::OnRequest,
    reference_only: true,
    profile: ProfileSource::IpSamples,
    deploy: "Not meant for deployment.",
    ..super::autofdo::LEVER
};
