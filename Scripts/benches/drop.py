"""From the rename of a photo into laptop 1's folder until it is whole in the folders of two others."""
import contextlib
import itertools
import random
import statistics
import time

from .figures import MB, PATIENCE_SECONDS, Failure, line, note, spread, verdict
from .laptops import gather
from .options import add_photos, number
from .pages import Guests
from .samples import make_photos


# Photos that are dropped before pages are opened or closed again.
TURN_COUNT = 5


def add_options(parser):
    add_photos(parser, 20, 4_000_000)
    parser.add_argument("--pages", type=number(0), default=0,
                        help=f"pages of guests of laptop 1, open for every other {TURN_COUNT} photos (%(default)s)")


def run(options, work):
    """Seconds until one photo is everywhere, again and again."""
    lab = work.lab(3)
    agents = gather(lab, options.binary, work.path, 3)
    warm_up, source, kinds = 3, work.path / "source", [False, True] if options.pages else [False]
    make_photos(source, options.count * len(kinds) + warm_up, options.bytes)
    work.memory.fill()
    (agents[0].folder / "Drops").mkdir()
    photos, pairs = iter(sorted(source.iterdir())), {kind: [] for kind in kinds}

    def drop(count):
        return [drop_one(path, agents, options.bytes) for path in itertools.islice(photos, count)]

    with Guests(lab, agents[0], work.path, options.pages) as guests:
        note(f"dropping {options.count * len(kinds)} photos, one at a time")
        drop(warm_up)
        while len(pairs[kinds[-1]]) < options.count:
            turn = min(TURN_COUNT, options.count - len(pairs[kinds[-1]]))
            for has_pages in kinds:
                with guests.pages() if has_pages else contextlib.nullcontext():
                    pairs[has_pages] += drop(turn)
    print(f"drop: a photo of {options.bytes / MB:g} MB, {options.count} times")
    for has_pages in kinds:
        beside = f", {options.pages} pages open" if has_pages else ""
        line(f"whole on the first other laptop{beside}", spread([a * 1000 for a, _ in pairs[has_pages]]) + " ms")
        line(f"whole on both others{beside}", spread([b * 1000 for _, b in pairs[has_pages]]) + " ms")
    both = {kind: statistics.median(b for _, b in pairs[kind]) * 1000 for kind in kinds}
    line("", verdict(round(both[False]), 150, "ms"))
    if options.pages:
        line("with pages to without", f"{both[True] / both[False]:.2f}")


def drop_one(path, agents, byte_count):
    """Seconds until a photo is whole on the first and on the last of the other laptops."""
    time.sleep(random.uniform(0.2, 0.4))  # not in step with anything that the agents do at intervals
    waiting = {agent.folder / "Drops" / path.name for agent in agents[1:]}
    times, start = [], time.monotonic()
    path.rename(agents[0].folder / "Drops" / path.name)
    while waiting:
        for target in list(waiting):
            with contextlib.suppress(FileNotFoundError):
                if target.stat().st_size >= byte_count:
                    waiting.remove(target)
                    times.append(time.monotonic() - start)
        if time.monotonic() - start > PATIENCE_SECONDS:
            raise Failure(f"{path.name} did not reach everyone")
        time.sleep(0.0005)
    return min(times), max(times)
