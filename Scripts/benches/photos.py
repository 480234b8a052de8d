"""One album of many small photos: memory, import, transfer, and how fast the listings answer."""
import os
import statistics
import time

from .bulk import import_photos
from .figures import MB, line, note, seconds, spread, verdict, wait_for
from .laptops import Agent, process_cpu, process_memory
from .machine import settle_deletions
from .options import add_photos, add_rounds
from .samples import make_photos


def add_options(parser):
    add_photos(parser, 10_000, 20_000)
    add_rounds(parser, 5, "listings of each kind, at least 5")


def run(options, work):
    """Two laptops with one big album; memory, rates, and how long the listings take."""
    source, total = work.path / "Album", options.count * options.bytes
    make_photos(source, options.count, options.bytes)
    lab = work.lab(2)
    sender = Agent(lab, options.binary, work.path, 1)
    sender.start()
    settle_deletions(work.path)
    work.memory.fill()
    note(f"importing {options.count} photos")
    imported, _ = import_photos(sender, source, options.count)
    receiver = Agent(lab, options.binary, work.path, 2, sender.json("invite")["phrase"])
    # Deletions do not settle here: in a minute thumbnails are made, which would be counted as well.
    work.memory.fill()
    note("another laptop joins")
    start = time.monotonic()
    receiver.start()
    wait_for("all photos", lambda: receiver.has_whole("Album", options.count, options.bytes), 0.1)
    transferred = time.monotonic() - start

    print(f"photos: {options.count} files of {options.bytes / 1000:g} kB in one album")
    for label, took in ("import on laptop 1", imported), ("laptop 2, from its agent's start", transferred):
        line(label, f"{options.count / took:.0f} photos/s", f"{total / took / MB:.0f} MB/s", f"{took:.1f} s")
    note("listings")
    rounds = max(5, options.rounds)
    for agent in (sender, receiver):
        time_listings(agent, rounds)
    print_memory([sender, receiver])
    receiver.stop()
    times = [seconds(lambda: receiver.text("photos", "Album")) for _ in range(rounds)]
    line("potluck photos, no agent running", spread(times, "{:.2f}") + " s")


def print_memory(agents, moment="at the end"):
    for agent in agents:
        peak, present = process_memory(agent.process.pid)
        line(f"memory {moment}, laptop {agent.laptop}", f"{present / MB:.0f} MB, at most {peak / MB:.0f}",
             verdict(round(peak / MB), 200, "MB"))


def time_listings(agent, rounds):
    for words in ["photos", "Album"], ["photos", "Album", "--json"], ["albums"], ["status"]:
        cpu = process_cpu(agent.process.pid) + process_cpu(os.getpid())
        times = [seconds(lambda: agent.text(*words)) for _ in range(rounds)]
        cpu = (process_cpu(agent.process.pid) + process_cpu(os.getpid()) - cpu) / rounds
        aim = [verdict(round(statistics.median(times), 2), 0.5, "s")] if words[0] == "photos" else []
        line(f"potluck {' '.join(words)}, laptop {agent.laptop}", spread(times, "{:.2f}") + " s",
             f"{cpu:.2f} CPU s", *aim)
