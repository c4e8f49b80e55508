#!/usr/bin/env python3
"""Jobs over the tables of a hub's store, for Spark: the sums that one machine would take too long for.

    spark-submit hone_spark.py regressions --store s3a://profiles/hub --rows s3a://scratch/rows --hub 'hone-hub --config hub.toml'
    spark-submit hone_spark.py pgo checkout --form go-pgo --store ... --rows ... --hub ...

Spark adds up integers, and `hone-hub jobs` makes of the sums what a running hub would: the same steps, findings and profiles, to the
last byte. Without --hub only the sums are written. docs/hub/jobs.md tells more.
"""

import argparse
import json
import shlex
import subprocess
import sys
from datetime import date, timedelta
from urllib.parse import unquote

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# What hone-hub reads (crates/hub/hone-hub/src/store/engine_rows.rs).
FORMAT = 1
# Steps in which regressions are looked for and samples of profiles age, and hosts of a step that are told apart
# (crates/hub/hone-hub/src/regressions.rs, crates/hub/hone-regressions/src/limits.rs).
STEP_US = 6 * 3600 * 1_000_000
HOSTS_MAX = 64
# A look is at 34 steps, the last of which may be the first of a day.
DAYS = 10

EVENT = ["event", "event_branches"]
# Keys of rows and their sums, by table; `time` is the begin of the step.
KEYS = {
    "samples": ([*EVENT, "build", "container", "host", "thread", "labels", "stack", "ip_frame", "has_branches", "time"], ["times", "weight"]),
    "branches": (["build", "container", "host", "thread", "labels", "time", "from_frame", "to_frame"], ["taken", "mispredicted"]),
    "ranges": (["build", "container", "host", "thread", "labels", "time", "first_frame", "last_frame"], ["times"]),
    "records": ([*EVENT, "build", "container", "host", "thread", "labels", "time"], ["samples", "branches", "repeated"]),
    "hourly": ([*EVENT, "build", "labels", "stack", "ip_frame", "has_branches", "time"], ["times", "weight"]),
    "totals": ([*EVENT, "build", "container", "host", "thread", "labels", "time"], ["times", "weight"]),
    "hourly_branches": (["build", "labels", "time", "from_frame", "to_frame"], ["taken", "mispredicted"]),
    "hourly_ranges": (["build", "labels", "time", "first_frame", "last_frame"], ["times"]),
}
# Tables that can tell hosts apart for a profile.
COUNTS = ["samples", "branches", "ranges"]
TEXTS = {"event", "build", "container", "host", "thread", "labels"}
LOG = "add struct<path: string, partitionValues: map<string, string>>, remove struct<path: string>"


class Store:
    """The tables of a tenant, by their Delta logs, which a hub writes without checkpoints."""

    def __init__(self, spark, place, tenant):
        self.spark = spark
        self.tables = f"{place.rstrip('/')}/{tenant}/tables"

    def files(self, table):
        """Returns the path, day and service of each file that counts: what the last commit that names it has added."""
        log = self.spark.read.schema(LOG).json(f"{self.tables}/{table}/_delta_log/*.json")
        named = log.select(F.col("_metadata.file_name").alias("version"), "add", F.coalesce("add.path", "remove.path").alias("path"))
        last = named.where("path IS NOT NULL").groupBy("path").agg(F.max_by(F.struct("add"), "version").alias("last"))
        added = last.where("last.add IS NOT NULL").select("path", "last.add.partitionValues").collect()
        return [(unquote(path), values["day"], values["service"] or "") for path, values in added]


class Job:
    """Rows of some tables on their way from a store to where hone-hub reads them. Parts are days of services, by number."""

    def __init__(self, store, tables, days, services, place):
        self.store, self.place = store, place.rstrip("/")
        files = {table: [file for file in store.files(table) if not services or file[2] in services] for table in tables}
        every = [day for listed in files.values() for _, day, _ in listed]
        # As texts, days are in the order of time.
        first = str(date.fromisoformat(max(every)) - timedelta(days=days - 1)) if every else ""
        self.files = {table: [file for file in listed if file[1] >= first] for table, listed in files.items()}
        self.parts = sorted({file[1:] for listed in self.files.values() for file in listed})

    def read(self, table):
        """Returns the rows of a table with their part and the begin of their step."""
        spark, files = self.store.spark, self.files[table]
        numbers = {part: number for number, part in enumerate(self.parts)}
        # The names of files have 64 random bits, and stay as they are, whatever becomes of escapes in the names of folders.
        named = [(path.rsplit("/", 1)[1], numbers[day, service]) for path, day, service in files]
        columns = [column for of in KEYS[table] for column in of]
        if not files:
            types = ", ".join(f"{column} {'string' if column in TEXTS else 'timestamp' if column == 'time' else 'bigint'}" for column in columns)
            return spark.createDataFrame([], f"n int, minute timestamp, {types}")
        paths = [f"{self.store.tables}/{table}/{path}" for path, *_ in files]
        rows = spark.read.option("recursiveFileLookup", "true").parquet(*paths).select(*columns, F.col("_metadata.file_name").alias("file"))
        rows = rows.join(F.broadcast(spark.createDataFrame(named, "file string, n int")), "file").drop("file")
        time_us = F.unix_micros("time")
        return rows.withColumn("minute", F.col("time")).withColumn("time", F.timestamp_micros(time_us - F.pmod(time_us, F.lit(STEP_US))))

    def write(self, table, rows):
        """Adds rows up and writes them: columns that hold no null are what hone-hub reads."""
        keys, sums = KEYS[table]
        added = rows.groupBy("n", *keys).agg(*(F.sum(column).alias(column) for column in sums))
        nothing = {column: F.lit("") for column in TEXTS} | {"time": F.timestamp_micros(F.lit(0))}
        filled = [F.coalesce(column, nothing.get(column, F.lit(0))).alias(column) for column in [*keys, *sums]]
        # One file for each step of a service: few, and no larger than a machine reads at once.
        added = added.select("n", *filled).repartition("n", "time").sortWithinPartitions("n", *keys)
        added.write.mode("overwrite").option("compression", "zstd").partitionBy("n").parquet(f"{self.place}/{table}")

    def begin(self, tables=tuple(KEYS)):
        """Removes rows of an earlier job, and first of all what says that there are rows."""
        for name in ["prepared.json", *tables]:
            files, path = self.at(name)
            files.delete(path, True)

    def end(self, tenant, hosts_apart=None):
        """Says what there is, once all of it is there."""
        parts = [{"day": day, "service": service} for day, service in self.parts]
        content = {"format": FORMAT, "tenant": tenant, "parts": parts, "hosts_apart": hosts_apart}
        files, path = self.at("prepared.json")
        stream = files.create(path, True)
        stream.write(bytearray(json.dumps(content).encode()))
        stream.close()

    def at(self, name):
        context = self.store.spark.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(f"{self.place}/{name}")
        return path.getFileSystem(context._jsc.hadoopConfiguration()), path


def group_of(host):
    """Returns the group of a host in a fleet of more than HOSTS_MAX, the same as hone_regressions::group_of."""
    if host.startswith("group "):
        return host
    whole = (1 << 64) - 1
    number = 0xCBF2_9CE4_8422_2325
    for byte in host.encode():
        number = (number ^ byte) * 0x0100_0000_01B3 & whole
    mixed = ((number ^ number >> 32) * 0x9E37_79B9_7F4A_7C15 & whole) >> 32
    return f"group {mixed % HOSTS_MAX:02}"


def without(rows, *columns):
    """Returns the rows with texts that are not told apart."""
    for column in columns:
        rows = rows.withColumn(column, F.lit(""))
    return rows


def sums_of_regressions(job):
    """Writes samples by step, host or group of hosts, build and stack."""
    rows = without(job.read("samples"), "container", "thread", "labels")
    step = ["n", "time", *EVENT]
    hosts = rows.select(*step, "host").distinct().persist()
    many = hosts.groupBy(*step).agg(F.count("*").alias("hosts")).where(F.col("hosts") > HOSTS_MAX).select(*step, F.lit(True).alias("is_many"))
    groups = [(row.host, group_of(row.host)) for row in hosts.join(many, step).select("host").distinct().collect()]
    if groups:
        groups = job.store.spark.createDataFrame(groups, "host string, in_group string")
        rows = rows.join(F.broadcast(many), step, "left").join(F.broadcast(groups), "host", "left")
        rows = rows.withColumn("host", F.when(F.col("is_many"), F.col("in_group")).otherwise(F.col("host")))
    job.write("samples", rows)
    hosts.unpersist()


def sums_of_profile(job):
    """Writes what a profile is made of where no host is told apart, and what each host weighs."""
    for table in ["hourly", "hourly_branches", "hourly_ranges"]:
        job.write(table, job.read(table))
    job.write("records", without(job.read("records"), "container", "thread"))
    totals = without(job.read("totals"), "container", "thread")
    # A step's samples are from its first minute to its last: rows of the last stay there, all others are counted in the first.
    ends = totals.groupBy("n", "time").agg(F.min("minute").alias("first"), F.max("minute").alias("last"))
    totals = totals.join(F.broadcast(ends), ["n", "time"])
    job.write("totals", totals.withColumn("time", F.when(F.col("minute") == F.col("last"), F.col("last")).otherwise(F.col("first"))))


def counts_of_hosts(job, hosts):
    """Writes counts with these hosts told apart, and the others as one."""
    for table in COUNTS:
        rows = without(job.read(table), "container", "thread")
        job.write(table, rows.withColumn("host", F.when(F.col("host").isin(hosts), F.col("host")).otherwise("")))


def ask(args, *words):
    """Has hone-hub do its part; returns its exit status and lines."""
    command = [*shlex.split(args.hub), "jobs", *words, "--rows", args.rows.replace("s3a://", "s3://"), "--tenant", args.tenant]
    if args.at:
        command += ["--at", str(args.at)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"hone_spark: {shlex.join(command)} ended with status {done.returncode}; the sums are in {args.rows}, so it can be run again alone")
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def regressions(spark, args):
    job = Job(Store(spark, args.store, args.tenant), ["samples"], args.days, set(args.service), args.rows)
    job.begin()
    sums_of_regressions(job)
    job.end(args.tenant)
    return ask(args, "regressions") if args.hub else (0, [])


def pgo(spark, args):
    store = Store(spark, args.store, args.tenant)
    job = Job(store, list(KEYS), args.days, {args.service}, args.rows)
    job.begin()
    sums_of_profile(job)
    job.end(args.tenant)
    if not args.hub:
        return 0, []
    words = ["pgo", args.service, "--form", args.form]
    status, lines = ask(args, *words)
    apart = lines[0].get("hosts_apart")
    if apart:
        job.begin(COUNTS)
        counts_of_hosts(job, apart)
        job.end(args.tenant, apart)
        status, lines = ask(args, *words)
    return status, lines


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(required=True)
    of_all = jobs.add_parser("regressions", help="look for regressions of all services")
    of_all.add_argument("--service", action="append", default=[], help="only this service; may be repeated")
    of_all.set_defaults(job=regressions)
    of_one = jobs.add_parser("pgo", help="make the compiler profile of a service")
    of_one.add_argument("service", help="the service, as the hub lists it")
    of_one.add_argument("--form", default="autofdo-extbinary", help="form of the profile [default: %(default)s]")
    of_one.set_defaults(job=pgo)
    for job in (of_all, of_one):
        job.add_argument("--store", required=True, help="the folder or bucket of the hub, as Spark names it")
        job.add_argument("--tenant", default="default", help="the tenant [default: %(default)s]")
        job.add_argument("--rows", required=True, help="where sums are written, in place of what is there")
        job.add_argument("--days", type=int, default=DAYS, help="days before the newest one's end [default: %(default)s]")
        job.add_argument("--hub", help="command that starts hone-hub with the settings of the hub")
        job.add_argument("--at", type=int, help="do what would be done at this second since 1970 [default: now]")
    return parser.parse_args(words)


def session():
    """Returns the session, with what the files of hone-hub need: times in UTC, as microseconds."""
    builder = SparkSession.builder.appName("hone").config("spark.sql.session.timeZone", "UTC")
    return builder.config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS").getOrCreate()


def main(words):
    args = parse(words)
    spark = session()
    status, lines = args.job(spark, args)
    for line in lines:
        print(json.dumps(line))
    spark.stop()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
