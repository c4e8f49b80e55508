//! A cgroup (for most programs a container) whose CPU quota is used up before its periods end.
//!
//! From then on until the next period, none of the cgroup's threads runs. Samples of CPU time cannot show the wait: a
//! thread that does not run is not sampled. The kernel counts the throttled periods (`cpu.stat`), and Hone keeps the
//! counts of the time of the recording.

use super::{Rule, Saves, tuners};
use crate::finding::{Confidence, Evidence, Finding, Gain};
use crate::share::{Share, speedup};
use crate::subject::Inspected;
use crate::sums::Need;
use hone_profile::CpuQuota;

pub(super) const RULE: Rule = Rule {
    name: "cpu-quota",
    title: "The CPU quota of its cgroup holds the program up",
    needs: &[Need::Machine],
    threshold: 0.25,
    source: "the alert CPUThrottlingHigh of kubernetes-mixin: more than 25 % of the periods",
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "in wall time, if all the CPU time that it waited for had been granted",
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "Raise the quota (cpu.max; limits.cpu in Kubernetes), or use less CPU time: the other findings say where it goes.",
    not_when: "The work may wait: a batch job is meant to stay within its share of the machine.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let quota = inspected.machine.cpu_quota.as_ref()?;
    let mut finding = rule.finding(throttled(quota))?;
    finding.unit = "periods";
    let waited_us = quota.throttled_us as f64;
    let waited = waited_us / (waited_us + used_us(quota));
    finding.gain = Some(Gain {
        speedup_estimate: speedup(waited, rule.factor),
        speedup_max: None,
        factor: rule.factor,
        factor_max: rule.factor_max,
        assumption: rule.assumption,
        touched: None,
    });
    finding.evidence = evidence(quota);
    finding.change = tuners::with_cpu(rule.change, inspected);
    Some(finding)
}

/// Returns the share of the periods in which the group was held up.
pub(super) fn throttled(quota: &CpuQuota) -> Share {
    let CpuQuota {
        periods, throttled, ..
    } = *quota;
    Share::new(throttled, throttled, periods, periods as f64)
}

/// Microseconds of CPU time that the group used, as the kernel reports, but at least its quota in each period in which
/// the group was held up.
fn used_us(quota: &CpuQuota) -> f64 {
    let at_least = quota.throttled.saturating_mul(quota.quota_us);
    quota.usage_us.max(at_least).max(1) as f64
}

pub(super) fn evidence(quota: &CpuQuota) -> Vec<Evidence> {
    let seconds = |us: u64| us as f64 * 1e-6;
    let whats = [
        format!(
            "held up in {} of {} periods of {} ms, for {:.2} s summed over the CPUs",
            quota.throttled,
            quota.periods,
            quota.period_us / 1000,
            seconds(quota.throttled_us)
        ),
        format!(
            "{:.2} CPUs allowed, {:.2} used: {:.2} s of CPU time in {:.2} s",
            quota.cpus(),
            quota.usage_us as f64 / quota.wall_us.max(1) as f64,
            seconds(quota.usage_us),
            seconds(quota.wall_us)
        ),
        format!("the cgroup {}", quota.group),
    ];
    whats
        .into_iter()
        .map(|what| Evidence { what, share: None })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use crate::testing::inspected;
    use crate::{Diagnosis, diagnose};
    use hone_profile::CpuQuota;

    /// Makes a quota of half a CPU for 10 s, exhausted in `throttled` of 100 periods.
    pub(crate) fn quota(throttled: u64, throttled_us: u64) -> CpuQuota {
        CpuQuota {
            group: "/a".into(),
            quota_us: 50_000,
            period_us: 100_000,
            wall_us: 10_000_000,
            usage_us: 5_000_000,
            periods: 100,
            throttled,
            throttled_us,
        }
    }

    fn found(quota: Option<CpuQuota>) -> Diagnosis {
        let mut inspected = inspected(&[("main;work", 1000)]);
        inspected.machine.cpu_quota = quota;
        diagnose(&inspected)
    }

    #[test]
    fn a_group_that_is_held_up_is_found_with_what_it_waited_for() {
        let held_up = found(Some(quota(90, 15_000_000)));
        let finding = &held_up.findings[0];
        assert_eq!((finding.rule, held_up.findings.len()), ("cpu-quota", 1));
        assert_eq!((finding.unit, finding.share.samples), ("periods", 90));
        // 5 s were granted of 20 that were wanted.
        let gain = finding.gain.as_ref().unwrap();
        assert!((gain.speedup_estimate - 4.0).abs() < 1e-9, "{gain:?}");
        // A quarter of the periods, give or take what 100 of them can tell.
        assert!(found(Some(quota(30, 100_000))).findings.is_empty());
        assert!(found(Some(quota(0, 0))).findings.is_empty());
        assert!(found(None).findings.is_empty());
    }

    #[test]
    fn without_the_kernels_account_of_usage_the_gain_stays_finite() {
        let unknown = CpuQuota {
            usage_us: 0,
            ..quota(100, 5_000_000)
        };
        let gain = found(Some(unknown)).findings[0].gain.clone().unwrap();
        assert!((gain.speedup_estimate - 2.0).abs() < 1e-9, "{gain:?}");
    }
}
