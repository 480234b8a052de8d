"""The whole way: from the first rename into a folder of laptop 1 until everything is whole on laptop 2.

Potluck and Syncthing run on both laptops, and know each other; rsync is started once the photos have their names, and its
clock with it. Processor time is of both laptops, with all processes that take part.
"""
import dataclasses
import os
import shutil
import statistics
import time

from .drop import drop_one
from .figures import GB, MB, line, note, spread, verdict, wait_for
from .laptops import family_cpu, gather, has_whole, process_memory
from .machine import load
from .rsync import RsyncDaemon
from .samples import make_photos
from .syncthing import Syncthing

ALBUM = "Album"
PAUSE = 0.02


@dataclasses.dataclass
class Way:
    took: float
    cpu: float
    memory: float = 0
    # For how long the oldest photo that laptop 2 lacked had been on laptop 1, at each look.
    lags: list = dataclasses.field(default_factory=list)


def lags(looks, blobs, byte_count):
    """For how long the oldest photo that had not arrived had been in `blobs`, at each look; 0 where all had.

    A blob's ctime is when it got its name. It is read once all is over, since the walk takes time from who is measured.
    Small pictures are no photos.
    """
    stats = [os.stat(os.path.join(directory, name)) for directory, _, names in os.walk(blobs) for name in names]
    times = sorted(stat.st_ctime for stat in stats if stat.st_size >= byte_count)
    return [max(0, now - times[arrived]) if arrived < len(times) else 0 for now, arrived in looks]


def by_potluck(options, work, lab, source):
    agents = gather(lab, options.binary, work.path, 2)
    album = agents[0].folder / ALBUM
    pids = [agent.process.pid for agent in agents]
    looks = []

    def is_whole():
        arrived = agents[1].whole_count(ALBUM, options.bytes)
        looks.append((time.time(), arrived))
        return arrived == options.count

    os.sync()
    cpu, start = sum(map(family_cpu, pids)), time.monotonic()
    source.rename(album)
    wait_for("all photos", is_whole, PAUSE)
    way = Way(time.monotonic() - start, sum(map(family_cpu, pids)) - cpu,
              max(process_memory(pid)[0] for pid in pids), lags(looks, agents[0].home / "blobs", options.bytes))
    for agent in agents:
        agent.stop()
    album.rename(source)
    for agent in agents:
        agent.discard()
    return way


def by_syncthing(options, work, lab, source):
    pair = [Syncthing(lab, work.path, laptop) for laptop in (1, 2)]
    try:
        for one in pair:
            one.configure(pair)
            one.start()
        for one in pair:
            one.wait()
        os.sync()
        cpu, start = sum(one.cpu() for one in pair), time.monotonic()
        source.rename(pair[0].folder / ALBUM)
        wait_for("all photos", lambda: has_whole(pair[1].folder / ALBUM, options.count, options.bytes), PAUSE)
        way = Way(time.monotonic() - start, sum(one.cpu() for one in pair) - cpu,
                  max(process_memory(one.process.pid)[0] for one in pair))
    finally:
        for one in pair:
            one.stop()
    (pair[0].folder / ALBUM).rename(source)
    for one in pair:
        shutil.rmtree(one.home)
        shutil.rmtree(one.folder)
    return way


def by_rsync(options, work, lab, source):
    target = work.path / "rsynced"
    os.sync()
    with RsyncDaemon(lab, work.path, source) as daemon:
        took, cpu = daemon.fetch(2, target)
    shutil.rmtree(target)
    return Way(took, sum(cpu))


KINDS = {"Potluck": by_potluck, "Syncthing": by_syncthing, "rsync --daemon": by_rsync}


def run(options, work):
    """Rounds in which everybody takes the same photos the whole way, each time another one first."""
    source = work.path / "source"
    make_photos(source, options.count, options.bytes)
    lab = work.lab(3)
    if options.one_core:
        lab.cores = {laptop: (laptop - 1) % os.cpu_count() for laptop in (1, 2, 3)}
    ways, names = {name: [] for name in KINDS}, list(KINDS)
    for number in range(options.rounds):
        note(f"round {number + 1} of {options.rounds}; {load()}")
        first = number % len(names)
        for name in names[first:] + names[:first]:
            work.memory.fill()
            ways[name].append(KINDS[name](options, work, lab, source))
    drops = drop_meanwhile(options, work, lab, source)
    report(options, ways, drops)


def drop_meanwhile(options, work, lab, source):
    """Single photos that laptop 3 drops while laptop 1 takes in all the others: seconds until on both."""
    note("dropping photos on a third laptop meanwhile")
    singles = work.path / "singles"
    make_photos(singles, 100, options.bytes, "single")
    work.memory.fill()
    agents = gather(lab, options.binary, work.path, 3)
    (agents[2].folder / "Drops").mkdir()
    order, times = [agents[2], agents[0], agents[1]], []
    source.rename(agents[0].folder / ALBUM)
    for path in sorted(singles.iterdir()):
        seconds = drop_one(path, order, options.bytes)[1]
        if all(agent.has_whole(ALBUM, options.count, options.bytes) for agent in agents[1:]):
            break
        times.append(seconds)
    return times


def report(options, ways, drops):
    total = options.count * options.bytes
    cores = "a core for each laptop" if options.one_core else "all cores for both laptops"
    print(f"bulk, the whole way: {options.count} files of {options.bytes / MB:g} MB ({total / GB:g} GB), "
          f"{options.rounds} round(s), {cores}")
    line("", "MB/s", "CPU s per GB", "seconds", "peak memory, MB")
    for name, rows in ways.items():
        memory = [row.memory / MB for row in rows]
        line(name, spread([total / row.took / MB for row in rows]),
             spread([row.cpu / total * GB for row in rows], "{:.1f}"), spread([row.took for row in rows], "{:.1f}"),
             spread(memory) if all(memory) else "")

    def ratio(name, value):
        return statistics.median(map(value, ways["Potluck"])) / statistics.median(map(value, ways[name]))

    def compare(name, aim):
        rate = round(1 / ratio(name, lambda row: row.took), 2)
        line(f"rate, Potluck to {name}", f"{rate:.2f}", verdict(rate, aim, "", most=False))

    compare("Syncthing", 1.25)
    compare("rsync --daemon", 0.75)
    cpu = round(ratio("Syncthing", lambda row: row.cpu), 2)
    line("processor time, Potluck to Syncthing", f"{cpu:.2f}", verdict(cpu, 0.85, ""))
    memory = round(statistics.median(row.memory for row in ways["Potluck"]) / MB)
    line("memory, the larger of Potluck's two", f"{memory} MB", verdict(memory, 150, "MB"))
    behind = [lag for row in ways["Potluck"] for lag in row.lags]
    line("laptop 2 behind laptop 1", f"{statistics.median(behind):.2f} s, at most {max(behind):.2f}",
         verdict(round(statistics.median(behind), 2), 1, "s"))
    if drops:
        line("a third laptop's photo meanwhile", spread([seconds * 1000 for seconds in drops]) + " ms",
             verdict(round(statistics.median(drops) * 1000), 300, "ms"))
    else:
        line("a third laptop's photo meanwhile", "all was over before one arrived: --count takes more")
    print("  Potluck and Syncthing hash, encrypt and sync every file; rsync does none of it, and nobody had to drop it.")
