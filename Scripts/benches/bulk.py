"""Many large photos from one laptop to another; beside it rsync over the same link, and the machine's limits."""
import dataclasses
import os
import shutil
import statistics
import subprocess
import time

from . import peers
from .figures import GB, MB, line, note, seconds, spread, verdict, wait_for
from .laptops import Agent, process_cpu, process_memory, received
from .machine import disk_rate, load, sha256_rate, tls_rate
from .options import add_photos, add_rounds
from .rsync import RsyncDaemon
from .samples import make_photos


# The packages that an option needs.
OPTION_SETS = {"peers": "peers-bench"}


@dataclasses.dataclass
class Transfer:
    """What one transfer took; `total` counts from the start of the program that receives."""
    took: float
    total: float
    cpu: list  # CPU seconds of the sender, and of the receiver
    memory: list = dataclasses.field(default_factory=list)


def import_photos(agent, source, count):
    """Moves a directory of photos into the folder, as an album; seconds and CPU seconds until all are shared."""
    cpu = process_cpu(agent.process.pid)
    album = agent.folder / source.name
    took = seconds(lambda: (source.rename(album), wait_for("the import", lambda: agent.has_imported(count))))
    return took, process_cpu(agent.process.pid) - cpu


def pull(options, work, sender):
    """A laptop joins that has nothing, and gets everything."""
    receiver = Agent(sender.lab, options.binary, work.path, 2, sender.json("invite")["phrase"])
    cpu, start = process_cpu(sender.process.pid), time.monotonic()
    receiver.start()
    pid = receiver.process.pid
    # Announcements take less than a megabyte: what comes after it is photos.
    wait_for("the first photo", lambda: received(pid) > MB, 0.002)
    first = time.monotonic()
    wait_for("all photos", lambda: receiver.has_whole("Album", options.count, options.bytes), 0.03)
    end = time.monotonic()
    cpu = [process_cpu(sender.process.pid) - cpu, process_cpu(pid)]
    memory = [process_memory(agent.process.pid)[0] for agent in (sender, receiver)]
    receiver.discard()
    return Transfer(end - first, end - start, cpu, memory)


def rsync(sender, directory, extra):
    """The same files by rsync, between the same laptops."""
    target = directory / "rsynced"
    with RsyncDaemon(sender.lab, directory, sender.folder / "Album") as daemon:
        took, cpu = daemon.fetch(2, target, extra)
    shutil.rmtree(target)
    return Transfer(took, took, cpu)


def rsync_kinds():
    kinds = {"rsync --daemon": []}
    if "--fsync" in subprocess.run(["rsync", "--help"], capture_output=True, text=True).stdout:
        kinds["rsync --daemon, --fsync"] = ["--fsync"]
    return kinds


def add_options(parser):
    add_photos(parser, 500, 4_000_000)
    add_rounds(parser, 3, "how often all is done")
    parser.add_argument("--peers", action="store_true", help="the whole way from the rename, beside Syncthing and rsync")
    parser.add_argument("--one-core", action="store_true", help="with --peers: one core for the programs of each laptop")


def run(options, work):
    """Rounds of an import, then of everybody's transfer of the same files, each time another one first."""
    if options.peers:
        return peers.run(options, work)
    source = work.path / "Album"
    make_photos(source, options.count, options.bytes)
    lab, imports, results, limits = work.lab(2), [], {}, {}
    for number in range(options.rounds):
        note(f"round {number + 1} of {options.rounds}; {load()}")
        sender = Agent(lab, options.binary, work.path, 1)
        sender.start()
        os.sync()
        work.memory.fill()
        imports.append((*import_photos(sender, source, options.count), process_memory(sender.process.pid)[0]))
        transfers = [("Potluck", lambda: pull(options, work, sender))] + [
            (name, lambda extra=extra: rsync(sender, work.path, extra)) for name, extra in rsync_kinds().items()]
        for name, transfer in transfers[number % len(transfers):] + transfers[:number % len(transfers)]:
            os.sync()
            work.memory.fill()
            results.setdefault(name, []).append(transfer())
        (sender.folder / "Album").rename(source)
        sender.discard()
        measure_limits(options, work, limits)
    report_bulk(options, imports, results, limits)


def measure_limits(options, work, limits):
    for name, measure in {
        "SHA-256, one core": sha256_rate,
        "TLS over loopback, one stream": tls_rate,
        "plain files, each synced": lambda directory: disk_rate(directory, options.count, options.bytes),
    }.items():
        os.sync()
        work.memory.fill()
        limits.setdefault(name, []).append(measure(work.path))


def report_bulk(options, imports, results, limits):
    total = options.count * options.bytes
    print(f"bulk: {options.count} files of {options.bytes / MB:g} MB ({total / GB:g} GB), {options.rounds} round(s)")
    line("", "MB/s", "CPU s per GB", "seconds")
    line("Potluck, import at laptop 1", spread([total / took / MB for took, _, _ in imports]),
         spread([cpu / total * GB for _, cpu, _ in imports], "{:.1f}"),
         spread([took for took, _, _ in imports], "{:.1f}"))
    for name, rows in results.items():
        line(name, spread([total / row.took / MB for row in rows]),
             spread([sum(row.cpu) / total * GB for row in rows], "{:.1f}"), spread([row.took for row in rows], "{:.1f}"))
    ours = results["Potluck"]
    for end, label in enumerate(["Potluck, of it laptop 1 (sending)", "Potluck, of it laptop 2 (receiving)"]):
        line(label, "", spread([row.cpu[end] / total * GB for row in ours], "{:.1f}"))
    line("Potluck, from the agent's start", spread([total / row.total / MB for row in ours]), "",
         spread([row.total for row in ours], "{:.1f}"))
    for name, rates in limits.items():
        line(name, spread([rate / MB for rate in rates]))
    print("  Transfers are from laptop 1 to laptop 2, CPU is of both ends. Potluck hashes, encrypts and syncs every")
    print("  file, and is counted from the first photo's bytes; rsync encrypts nothing, and syncs only with --fsync.")
    rate = statistics.median(total / row.took / MB for row in ours)
    for name in results:
        if name != "Potluck":
            theirs = statistics.median(total / row.took / MB for row in results[name])
            line(f"Potluck to {name}", f"{rate / theirs:.2f} of its rate")
    line("transfer", verdict(round(rate), 250, "MB/s", most=False))
    for label, values in ("peak memory, laptop 1 after import", [peak for _, _, peak in imports]), (
            "peak memory, laptop 1 after sending", [row.memory[0] for row in ours]), (
            "peak memory, laptop 2 (receiving)", [row.memory[1] for row in ours]):
        middle = statistics.median(values) / MB
        line(label, spread([value / MB for value in values]) + " MB", verdict(round(middle), 150, "MB"))
