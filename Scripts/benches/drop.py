"""From the rename of a photo into laptop 1's folder until it is whole in the folders of two others."""
import contextlib
import random
import statistics
import time

from .figures import MB, PATIENCE_SECONDS, Failure, line, note, spread, verdict
from .laptops import gather
from .machine import touch_page_cache
from .options import add_photos, number
from .pages import OpenPages
from .samples import make_photos


def add_options(parser):
    add_photos(parser, 20, 4_000_000)
    parser.add_argument("--pages", type=number(0), default=0, help="pages that guests have open on laptop 1 (%(default)s)")


def run(options, work):
    """Seconds until one photo is everywhere, again and again."""
    lab = work.lab(3)
    agents = gather(lab, options.binary, work.path, 3)
    warm_up, source = 3, work.path / "source"
    make_photos(source, options.count + warm_up, options.bytes)
    touch_page_cache(work.path, 5 * options.count * options.bytes)
    (agents[0].folder / "Drops").mkdir()
    with OpenPages(lab, agents[0], work.path, options.pages):
        note(f"dropping {options.count} photos, one at a time")
        pairs = [drop_one(path, agents, options.bytes) for path in sorted(source.iterdir())][warm_up:]
    beside = f", beside {options.pages} open pages" if options.pages else ""
    print(f"drop: a photo of {options.bytes / MB:g} MB, {len(pairs)} times{beside}")
    for label, values in ("whole on the first other laptop", [a for a, _ in pairs]), (
            "whole on both others", [b for _, b in pairs]):
        line(label, spread([value * 1000 for value in values]) + " ms")
    both = statistics.median(b for _, b in pairs) * 1000
    line("", verdict(round(both), 150, "ms"))


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
