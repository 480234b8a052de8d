"""One album from laptop 1 to all others over limited links; beside it rsync to all of them at once.

Counted is from the rename of the album into laptop 1's folder until every other folder has every file whole; what was
found is compared by SHA-256 afterwards. The bound is that of passing pieces on: while a copy leaves laptop 1, the last
piece still has to double from laptop to laptop. It knows no headers, which take some 4 % of a link.
"""
import collections
import math
import shutil
import statistics
import time

from .figures import MB, Failure, line, note, spread, verdict, wait_for
from .laptops import gather
from .machine import load
from .options import add_rounds, number
from .rsync import RsyncDaemon
from .samples import hashes, make_photos

PIECE_BYTE_COUNT = 1 << 20

# Seconds until all had everything, and bytes that left laptop 1.
Fan = collections.namedtuple("Fan", "took sent")


def add_options(parser):
    parser.add_argument("--laptops", type=number(2), default=8, help="laptop 1 and those that receive (%(default)s)")
    parser.add_argument("--files", type=number(1), default=25, help="files in the album (%(default)s)")
    parser.add_argument("--megabytes", type=number(1), default=4, help="size of each (%(default)s)")
    parser.add_argument("--mbit", type=number(1), default=100, help="rate of each link, each way (%(default)s)")
    add_rounds(parser, 3, "how often all is done")


def run(options, work):
    size, source = options.megabytes * 1_000_000, work.path / "Album"
    make_photos(source, options.files, size)
    wanted = hashes(source)
    lab, results = work.lab(options.laptops), {}
    lab.limit(options.laptops, options.mbit)
    kinds = {"Potluck": by_potluck, "rsync --daemon": by_rsync}
    for round_number in range(options.rounds):
        note(f"round {round_number + 1} of {options.rounds}; {load()}")
        turns = list(kinds.items())
        for name, kind in turns[round_number % 2:] + turns[:round_number % 2]:
            work.memory.fill()
            results.setdefault(name, []).append(kind(options, work, source, wanted))
    report(options, {name: results[name] for name in kinds}, options.files * size)


def by_potluck(options, work, source, wanted):
    agents = gather(work.open_lab, options.binary, work.path, options.laptops)
    album = agents[0].folder / source.name
    folders = [agent.folder / source.name for agent in agents[1:]]

    def is_whole():
        size = options.megabytes * 1_000_000
        return all(agent.has_whole(source.name, options.files, size) for agent in agents[1:])

    fan = measure(work.open_lab, lambda: (source.rename(album), wait_for("all photos", is_whole, 0.1)))
    for agent in agents:
        agent.stop()
    check(folders, wanted)
    album.rename(source)
    for agent in agents:
        agent.discard()
    return fan


def by_rsync(options, work, source, wanted):
    targets = [work.path / f"rsynced{laptop}" for laptop in range(2, options.laptops + 1)]
    with RsyncDaemon(work.open_lab, work.path, source) as daemon:

        def fetch():
            clients = [daemon.client(laptop, target) for laptop, target in enumerate(targets, 2)]
            for client in clients:
                client.wait()
                daemon.check(client)

        fan = measure(work.open_lab, fetch)
    check(targets, wanted)
    for target in targets:
        shutil.rmtree(target)
    return fan


def measure(lab, work):
    sent, start = lab.queue(1)["bytes"], time.monotonic()
    work()
    took = time.monotonic() - start
    return Fan(took, lab.queue(1)["bytes"] - sent)


def check(directories, wanted):
    for directory in directories:
        if hashes(directory) != wanted:
            raise Failure(f"{directory} has not the same files")


def report(options, results, total):
    pieces = options.files * math.ceil(options.megabytes * 1_000_000 / PIECE_BYTE_COUNT)
    doublings = math.ceil(math.log2(options.laptops))
    bound = (1 + doublings / pieces) * total * 8 / (options.mbit * 1e6)
    print(f"fan: {options.files} files of {options.megabytes} MB ({total / MB:g} MB) from laptop 1 to "
          f"{options.laptops - 1} others, every link {options.mbit} Mbit/s each way, {options.rounds} round(s)")
    line("bound", f"{bound:.2f} s", f"(1 + {doublings} / {pieces} pieces) x {total / MB:g} MB / {options.mbit} Mbit/s")
    line("", "seconds", "times the bound", "copies that left laptop 1")
    for name, fans in results.items():
        line(name, spread([fan.took for fan in fans], "{:.1f}"), spread([fan.took / bound for fan in fans], "{:.2f}"),
             spread([fan.sent / total for fan in fans], "{:.2f}"))
    took = statistics.median(fan.took for fan in results["Potluck"])
    copies = statistics.median(fan.sent for fan in results["Potluck"]) / total
    line("until all have all", verdict(round(took, 1), round(1.25 * bound, 1), "s"))
    line("left laptop 1", verdict(round(copies, 2), 1.5, "copies"))
