"""A large library that is dropped on laptop 1 at once: photos from laptop 2 meanwhile, memory, and the time left.

Its photos are sparse files. Laptop 2 fetches nothing, so the disk needs room for the library once.
"""
import shutil
import statistics
import struct
import time

from .drop import drop_one
from .figures import GB, MB, Failure, line, note, spread, verdict
from .laptops import gather, process_memory
from .options import add_photos
from .samples import make_photos, photo_maker

ALBUM = "Library"
# What is looked at besides the drops, and how often.
LOOK_SECONDS = 5
COMMENT_BYTES = 65533


def add_options(parser):
    add_photos(parser, 20_000, 4_000_000)


def make_sparse_photos(directory, count, byte_count):
    """Distinct photos of one size whose comments are holes: they take a sixteenth of it on the disk."""
    maker = photo_maker()
    directory.mkdir(parents=True)
    for number in range(count):
        picture = maker.photo(f"library {number}", 0, (32, 24))
        with open(directory / f"IMG_{number:05}.JPG", "wb") as file:
            # The first marker alone stands before the comments.
            file.write(picture[:2])
            left = byte_count - len(picture)
            while left >= 4:
                payload = min(COMMENT_BYTES, left - 4)
                file.write(b"\xff\xfe" + struct.pack(">H", payload + 2))
                file.seek(payload, 1)
                left -= payload + 4
            file.write(picture[2:])


def run(options, work):
    """Everything that a person at either laptop would notice."""
    total = options.count * options.bytes
    if shutil.disk_usage(work.path).free < 1.2 * total:
        raise Failure(f"{work.path} has no room for {1.2 * total / GB:.0f} GB; --count takes fewer photos")
    source, singles = work.path / ALBUM, work.path / "singles"
    note(f"making {options.count} sparse photos of {options.bytes / MB:g} MB")
    make_sparse_photos(source, options.count, options.bytes)
    # More than there will be time for, at one in half a second.
    make_photos(singles, 100 + options.count // 20, options.bytes, "single")
    agents = gather(work.lab(2), options.binary, work.path, 2)
    agents[1].text("pause")
    (agents[1].folder / "Drops").mkdir()
    drops, looks, start = [], [], time.monotonic()
    source.rename(agents[0].folder / ALBUM)
    for path in sorted(singles.iterdir()):
        drops.append(drop_one(path, agents[::-1], options.bytes)[1])
        if not looks or time.monotonic() - start - looks[-1][0] > LOOK_SECONDS:
            status = agents[0].json("status")
            looks.append((time.monotonic() - start, process_memory(agents[0].process.pid)[1],
                          status.get("incoming_seconds")))
            if agents[0].photo_count() >= options.count + len(drops):
                break
    report(options, drops, looks, process_memory(agents[0].process.pid)[0])


def report(options, drops, looks, peak):
    took, total = looks[-1][0], options.count * options.bytes
    print(f"library: {options.count} sparse files of {options.bytes / MB:g} MB ({total / GB:g} GB) dropped at once")
    line("taken in", f"{took:.0f} s", f"{total / took / MB:.0f} MB/s")
    line("a photo dropped elsewhere, meanwhile", spread([seconds * 1000 for seconds in drops]) + " ms",
         verdict(round(statistics.median(drops) * 1000), 1000, "ms"))
    quarter = min(looks, key=lambda look: abs(look[0] - took / 4))
    line("memory, a quarter in and at the end",
         f"{quarter[1] / MB:.0f}, {looks[-1][1] / MB:.0f} MB, at most {peak / MB:.0f}",
         verdict(round(peak / MB), 150, "MB"))
    for share in 1, 2, 3:
        at, _, left = min(looks, key=lambda look: abs(look[0] - took * share / 4))
        said = "not said" if left is None else f"{left} s said"
        line(f"time left, after {at:.0f} s", said, f"{took - at:.0f} s were left")
