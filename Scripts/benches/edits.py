"""Edits and tags of all photos of an album at once, from laptop 1 until laptop 2 has them.

  edits  Another picture is renamed onto each file of the album, as programs save. So many edits wait for a person
         (`manyRewritten`), after 5 s without another one; `confirm` follows as soon as all wait. Counted is from the
         first rename until all edits are whole in laptop 2's folder, and of it what follows the start of `confirm`.
  tags   One command gives a tag to all photos. Counted is from its start until laptop 2 lists that many with the tag.

Each begins once both laptops list all photos with thumbnails: nothing else is left to do. CPU is of both agents with
their workers, and what asking costs them is included.
"""
import time

from .figures import line, note, seconds, verdict, wait_for
from .laptops import family_cpu, gather
from .machine import settle_deletions
from .options import add_photos
from .photos import print_memory
from .samples import hashes, make_photos
from .thumbnails import thumbnail_count

ALBUM, TAG = "Album", "sea"
# By so much edits are larger than originals, so that sizes tell which is which.
EDIT_BYTE_COUNT = 1000
# Of 10,000 photos in 5 s.
RATE = 2000
PAUSE = 0.05


def add_options(parser):
    # Few edits wait for nobody.
    add_photos(parser, 5000, 20_000, least=10)


def run(options, work):
    """Two laptops that have one album: all its photos are edited on one of them, then tagged."""
    source, edits = work.path / ALBUM, work.path / "edits"
    make_photos(source, options.count, options.bytes)
    make_photos(edits, options.count, options.bytes + EDIT_BYTE_COUNT, "edit")
    agents = gather(work.lab(2), options.binary, work.path, 2)
    note("sharing the album")
    source.rename(agents[0].folder / ALBUM)
    wait_for("all photos", lambda: agents[1].has_whole(ALBUM, options.count, options.bytes), PAUSE)
    print(f"edits: {options.count} photos of {options.bytes / 1000:g} kB in one album")
    for stage in (lambda: edit(options, agents, edits)), (lambda: tag(options, agents)):
        note("waiting for thumbnails")
        for agent in agents:
            wait_for("all thumbnails", lambda: thumbnail_count(agent) == options.count, 0.5)
        settle_deletions(work.path)
        work.memory.fill()
        stage()


def edit(options, agents, edits):
    wanted = hashes(edits)
    print_memory(agents, "before the edits")
    note("editing all photos")
    cpu, start = agents_cpu(agents), time.monotonic()
    for path in sorted(edits.iterdir()):
        path.rename(agents[0].folder / ALBUM / path.name)
    saved = time.monotonic() - start
    wait_for("all edits to wait", lambda: rewritten_count(agents[0]) == options.count, PAUSE)
    waited = time.monotonic() - start
    confirm = seconds(lambda: agents[0].text("confirm"))
    wait_for("all edits", lambda: agents[1].has_whole(ALBUM, options.count, options.bytes + EDIT_BYTE_COUNT), PAUSE)
    took = time.monotonic() - start
    cpu = agents_cpu(agents) - cpu
    wait_for("nothing but the edits", lambda: hashes(agents[1].folder / ALBUM) == wanted, 0.5)
    cleared = time.monotonic() - start
    print_rate("edits, whole on laptop 2", options.count, took, f"{cpu:.1f} CPU s")
    line("all saved, all held for a person", f"after {saved:.1f}, {waited:.1f} s")
    print_rate("from the start of `confirm`", options.count, took - waited, aim(options.count, took - waited))
    line("potluck confirm", f"{confirm:.1f} s")
    line("no former photo left on laptop 2", f"after {cleared:.1f} s")
    print_memory(agents, "after the edits")


def rewritten_count(agent):
    """Edits that wait for a person."""
    held = agent.json("status").get("held")
    return held["rewritten"] if held else 0


def tag(options, agents):
    names = sorted(path.name for path in (agents[0].folder / ALBUM).iterdir() if path.name[0] != ".")
    note("tagging all photos")
    cpu, start = agents_cpu(agents), time.monotonic()
    agents[0].text("tag", ALBUM, *names, "--tag", TAG)
    said = time.monotonic() - start
    wait_for("all tags", lambda: tagged_count(agents[1]) == options.count, PAUSE)
    took = time.monotonic() - start
    cpu = agents_cpu(agents) - cpu
    print_rate("tags, listed on laptop 2", options.count, took, f"{cpu:.1f} CPU s", aim(options.count, took))
    line("potluck tag", f"{said:.1f} s")
    print_memory(agents, "after the tags")


def tagged_count(agent):
    return sum(row["photos"] for row in agent.json("tags", ALBUM)["tags"] if row["tag"] == TAG)


def agents_cpu(agents):
    return sum(family_cpu(agent.process.pid) for agent in agents)


def print_rate(label, count, took, *cells):
    line(label, f"{count / took:.0f} photos/s", f"{took:.1f} s", *cells)


def aim(count, took):
    return verdict(round(count / took), RATE, "photos/s", most=False)
