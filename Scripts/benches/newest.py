"""Single photos that are dropped on laptop 1 while a large backlog leaves it, until they are whole in two others.

The backlog is an album that laptop 1 has taken in; every link is limited, so that it takes minutes.
"""
import statistics
import time

from .bulk import import_photos
from .drop import drop_one
from .figures import MB, Failure, line, note, spread, verdict, wait_for
from .laptops import gather
from .options import number
from .samples import make_photos


def add_options(parser):
    parser.add_argument("--backlog", type=number(1), default=2000, help="megabytes on their way (%(default)s)")
    parser.add_argument("--megabytes", type=number(1), default=4, help="size of each photo (%(default)s)")
    parser.add_argument("--count", type=number(1), default=15, help="single photos (%(default)s)")
    parser.add_argument("--mbit", type=number(1), default=100, help="rate of each link, each way (%(default)s)")


def run(options, work):
    size, singles, backlog = options.megabytes * 1_000_000, work.path / "source", work.path / "Backlog"
    backlog_count = -(-options.backlog // options.megabytes)
    make_photos(backlog, backlog_count, size, "backlog")
    make_photos(singles, options.count, size, "single")
    lab = work.lab(3)
    lab.limit(3, options.mbit)
    agents = gather(lab, options.binary, work.path, 3)
    (agents[0].folder / "Drops").mkdir()

    def arrived():
        return [agent.whole_count(backlog.name, size) for agent in agents[1:]]

    work.memory.fill()
    note("taking in the backlog")
    import_photos(agents[0], backlog, backlog_count)
    wait_for("the first photos of the backlog", lambda: min(arrived()) > 0)
    note(f"dropping {options.count} photos, one at a time")
    pairs, start = [], time.monotonic()
    first = sum(arrived())
    for path in sorted(singles.iterdir()):
        pairs.append(drop_one(path, agents, size))
        if max(arrived()) == backlog_count:
            raise Failure(f"the backlog was gone after {len(pairs)} photos; --backlog makes it larger")
    rate = (sum(arrived()) - first) * size / (time.monotonic() - start)
    print(f"newest: {len(pairs)} photos of {options.megabytes} MB, while {options.backlog} MB are on their way to 2 "
          f"others, every link {options.mbit} Mbit/s each way")
    line("whole on the first other laptop", spread([a for a, _ in pairs], "{:.2f}") + " s")
    line("whole on both others", spread([b for _, b in pairs], "{:.2f}") + " s")
    line("", verdict(round(statistics.median(b for _, b in pairs), 2), 1, "s"))
    line("backlog meanwhile, both laptops", f"{rate / MB:.1f} MB/s")
