#!/usr/bin/env python3
"""Prints the share of instrumented PGO's gain that AutoFDO reaches, from reports of hone optimize."""

import json
import statistics
import sys

LEVERS = ["autofdo", "autofdo-ip"]


def gain(rung):
    return rung["comparison"]["overall"]


def show(interval):
    return f"{interval['ratio']:.3f} [{interval['low']:.3f}, {interval['high']:.3f}]"


def main(paths):
    shares = {lever: [] for lever in LEVERS}
    print("| seed | instrumented PGO | AutoFDO, branch records | share | AutoFDO, plain samples | share |")
    print("|---|---|---|---|---|---|")
    for seed, path in enumerate(paths, 1):
        with open(path) as file:
            report = json.load(file)
        rungs = {rung["levers"][-1]: rung for rung in report["rungs"] if rung["comparison"]}
        pgo = gain(rungs["pgo"])
        cells = [str(seed), show(pgo)]
        for lever in LEVERS:
            one = gain(rungs[lever])
            share = (one["ratio"] - 1) / (pgo["ratio"] - 1)
            shares[lever].append(share)
            cells += [show(one), f"{share:.0%}"]
        print("| " + " | ".join(cells) + " |")
    print()
    for lever in LEVERS:
        values = sorted(shares[lever])
        print(f"{lever}: median share {statistics.median(values):.0%}, from {values[0]:.0%} to {values[-1]:.0%}")
    machine = report["machine"]
    print(f"\nMachine: {machine['cpus']} CPUs, {machine['cpu']}, Linux {machine['kernel']}, {machine['os']}")


if __name__ == "__main__":
    main(sys.argv[1:])
