"""Camera photos from the drop until all are listed with thumbnails; beside it libvips alone on as many cores."""
import contextlib
import os
import pathlib
import statistics
import subprocess

from .camera import SIZE, execute, make_camera_photos
from .figures import MB, Failure, line, note, seconds, spread, verdict, wait_for
from .laptops import Agent, process_memory
from .machine import load
from .options import add_rounds, number

SIDE = 480


def add_options(parser):
    parser.add_argument("--count", type=number(2), default=150, help="photos (%(default)s)")
    add_rounds(parser, 3, "how often all is done")


def run(options, work):
    """Rounds of an import and of bare thumbnails of the same files, each time the other one first."""
    source, bare = work.path / "Album", work.path / "thumbnail"
    make_camera_photos(source, options.count)
    total = sum(path.stat().st_size for path in source.iterdir())
    compile_bare(bare)
    lab, imports, bares = work.lab(1), [], []
    kinds = [lambda: imports.append(import_with_thumbnails(lab, options, work.path, source)),
             lambda: bares.append(seconds(lambda: bare_thumbnails(bare, source)))]
    for turn in range(options.rounds):
        note(f"round {turn + 1} of {options.rounds}; {load()}")
        for kind in kinds[turn % 2:] + kinds[:turn % 2]:
            os.sync()
            work.memory.fill()
            kind()
    print(f"import: {options.count} JPEGs of {SIZE} pixels, {total / options.count / MB:.1f} MB each, on one laptop")
    rates = [options.count / took for took, *_ in imports]
    line("from the drop, listed with thumbnails", spread(rates, "{:.1f}") + " photos/s")
    line(f"libvips alone, {os.cpu_count()} processes", spread([options.count / took for took in bares], "{:.1f}")
         + " photos/s")
    ratio = statistics.median(rates) * statistics.median(bares) / options.count
    line("of its speed", f"{ratio:.2f}", verdict(round(ratio, 2), 0.8, "of it", most=False))
    line("without thumbnails, from the drop", spread([options.count / shared for _, shared, _ in imports], "{:.1f}")
         + " photos/s")
    peak = statistics.median(memory for *_, memory in imports)
    line("memory, agent and workers together", f"at most {peak / MB:.0f} MB", verdict(round(peak / MB), 300, "MB"))


def compile_bare(target):
    flags = execute(["pkg-config", "--cflags", "--libs", "vips"]).split()
    execute(["cc", "-O2", str(pathlib.Path(__file__).with_name("thumbnail.c")), "-o", str(target), *flags])


def bare_thumbnails(program, source):
    """Every core has its share of the files."""
    files, cores = sorted(map(str, source.iterdir())), os.cpu_count()
    shares = [subprocess.Popen([program, str(SIDE), *files[core::cores]], stdout=subprocess.DEVNULL)
              for core in range(cores)]
    if any([share.wait() for share in shares]):
        raise Failure("libvips could not read a photo")


def import_with_thumbnails(lab, options, directory, source):
    """Seconds until all photos are listed with thumbnails, until all are shared, and the most memory meanwhile."""
    agent = Agent(lab, options.binary, directory, 1)
    agent.start()
    peak, shared = 0, []

    def is_done():
        nonlocal peak
        peak = max(peak, family_memory(agent.process.pid))
        held = sum(len(files) for _, _, files in os.walk(agent.home / "blobs"))
        if not shared and held >= options.count:
            shared.append(True)
        # Asking costs the agent time, so files are counted first: of each photo two, the original and the thumbnail.
        return held >= 2 * options.count and thumbnail_count(agent) == options.count

    def wait_shared():
        nonlocal peak
        source.rename(agent.folder / "Album")
        wait_for("the import", lambda: agent.has_imported(options.count), 0.05)

    start_to_shared = seconds(wait_shared)
    took = start_to_shared + seconds(lambda: wait_for("all thumbnails", is_done, 0.05))
    (agent.folder / "Album").rename(source)
    agent.discard()
    return took, start_to_shared, peak


def thumbnail_count(agent):
    return sum(photo["thumbnail"] is not None for photo in agent.json("photos", "Album")["photos"])


def family_memory(root):
    """Resident bytes of a process and of all that descend from it; what they share is counted more than once."""
    children, total, waiting = {}, 0, [root]
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                parent = int(pathlib.Path(entry.path, "stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    while waiting:
        process = waiting.pop()
        waiting += children.get(process, [])
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, KeyError):
            total += process_memory(process)[1]
    return total
