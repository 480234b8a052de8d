"""A gathering of 100,000 photos and 50 replicas: what reconnecting, joining and keeping it cost.

The gathering is made by `make-gathering`: real signatures in a real journal, 10,000 photos dropped singly, the others
in batches of 50, and of each photo its facts as a second change: date, camera, of every other laptop's a place, and
where nobody holds the originals a thumbnail.

  reconnect  Two laptops know all and hold all (originals of a few bytes). One's cable is pulled, a photo of 50 bytes is
             dropped on the other, the cable is plugged in again. Counted until both have it and have fallen silent: all
             of TCP on the cable with headers, TLS handshake included; CPU of each agent, less what it takes when idle.
  join       A laptop that has nothing joins one that knows all and holds nothing, so that no original is in the way.
             CPU of the new agent from its start until its albums are the other's. Somebody watches, and asks for the
             albums once a second, which is included. Each round is another new laptop.
             Then another one, which is killed in the middle and started again.
  size       Bytes of journal.sqlite and index.sqlite, their write-ahead logs included. An original of a few bytes has no
             piece list: a camera's takes 34 bytes more of the journal than what is printed of the photos that are held.
"""
import shutil
import sqlite3
import statistics
import time
import typing

from .figures import MB, line, note, seconds, spread, verdict, wait_for
from .gatherings import make_homes, singly, wait_for_filled
from .laptops import Agent, precise_cpu, process_memory, received
from .machine import load
from .options import add_gathering, add_rounds
from .samples import tiny_photo

TOOLS = ["make-gathering"]
SILENT_SECONDS = 1
IDLE_SECONDS = 10


def add_options(parser):
    add_gathering(parser, 50)
    parser.add_argument("--only", choices=["reconnect", "join"], help="leave the other part out")
    add_rounds(parser, 5, "how often a laptop reconnects, and how many join")


def run(options, work):
    lab = work.lab(2)
    print(f"manifest: {options.photos} photos, {options.replicas} replicas, {singly(options)} photos dropped singly")
    if options.only != "join":
        reconnect(options, lab, work.path / "held")
    if options.only != "reconnect":
        join(options, lab, work.path / "known")


def manifest(agent):
    """What an agent says of each album that depends on the changes that it knows alone."""
    return {album["id"]: (album["name"], album["photos"], album["digest"]) for album in agent.json("albums")["albums"]}


def sizes(options, agent):
    """Bytes a photo of each database."""
    def size(name):
        return sum(path.stat().st_size for path in agent.home.glob(f"{name}.sqlite*")) / options.photos

    return {name: size(name) for name in ("journal", "index")}


def print_sizes(sizes, what):
    for name, aim in ("journal", 600), ("index", 900):
        line(f"{name}, {what}", f"{sizes[name]:.0f} bytes a photo", verdict(round(sizes[name]), aim, "bytes"))


# Reconnecting


def reconnect(options, lab, directory):
    make_homes(options, directory, "--homes", "2", "--held")
    agents = [Agent(lab, options.binary, directory, laptop) for laptop in (1, 2)]
    note("placing all photos in both folders")
    took = seconds(lambda: fill_folders(options, agents))
    line("both folders filled", f"{2 * options.photos / took:.0f} files/s", f"{took:.0f} s")
    wait_for("two level laptops", lambda: is_level(agents), pause=1)
    (agents[0].folder / "Dropped").mkdir()
    idle = idle_rates(lab, agents)
    rounds = []
    for count in range(1, options.rounds + 1):
        note(f"reconnecting, {count} of {options.rounds}; {load()}")
        rounds.append(reconnect_once(lab, agents, count, idle))
    line("one reconnect after one change", spread([wire for wire, _, _ in rounds]) + " bytes",
         verdict(round(statistics.median(wire for wire, _, _ in rounds)), 8192, "bytes"))
    for index, label in enumerate(["the one with the change", "the one that was away"]):
        cpu = [cpus[index] * 1000 for _, cpus, _ in rounds]
        line(f"CPU, {label}", spread(cpu, "{:.1f}") + " ms", verdict(round(statistics.median(cpu), 1), 20, "ms"),
             f"idle: {idle[index] * 1000:.1f} ms/s")
    line("plugged in until both have it", spread([took for _, _, took in rounds], "{:.1f}") + " s")
    for agent in agents:
        agent.stop()
    print_sizes(sizes(options, agents[0]), "all held and in the folder")
    shutil.rmtree(directory)


def fill_folders(options, agents):
    for agent in agents:
        agent.start()
    for agent in agents:
        wait_for_filled(agent, options.photos)


def is_level(agents):
    connected = all(agent.connection_count() == 1 for agent in agents)
    complete = all(agent.json("status")["missing"]["photos"] == 0 for agent in agents)
    return connected and complete and manifest(agents[0]) == manifest(agents[1])


def idle_rates(lab, agents):
    """CPU seconds a second of agents that have nothing to do."""
    fall_silent(lab)
    before = [precise_cpu(agent.process.pid) for agent in agents]
    time.sleep(IDLE_SECONDS)
    return [(precise_cpu(agent.process.pid) - cpu) / IDLE_SECONDS for agent, cpu in zip(agents, before)]


def fall_silent(lab):
    """Waits until nothing was sent for a while; a look at the other now and then is no talk."""
    count = lab.tcp_bytes(1) + lab.tcp_bytes(2)
    while True:
        time.sleep(SILENT_SECONDS)
        now = lab.tcp_bytes(1) + lab.tcp_bytes(2)
        if now - count < 2000:
            return
        count = now


def reconnect_once(lab, agents, count, idle):
    """Bytes on the wire, CPU seconds of each agent, and seconds until both have the photo."""
    lab.run("cut", "2")
    wait_for("both to notice", lambda: not any(agent.connection_count() for agent in agents), pause=0.5)
    name = f"tiny{count}.gif"
    (agents[0].home / name).write_bytes(tiny_photo(count))
    photos = agents[0].photo_count()
    (agents[0].home / name).rename(agents[0].folder / "Dropped" / name)
    wait_for("the import", lambda: agents[0].photo_count() > photos, pause=0.5)
    time.sleep(2 * SILENT_SECONDS)
    wire, start = lab.tcp_bytes(2), time.monotonic()
    before = [precise_cpu(agent.process.pid) for agent in agents]
    lab.run("heal", "2")
    target = agents[1].folder / "Dropped" / name
    wait_for("the photo", target.exists, pause=0.005)
    took = time.monotonic() - start
    fall_silent(lab)
    end = time.monotonic() - start
    cpu = [precise_cpu(agent.process.pid) - cpu - end * rate for agent, cpu, rate in zip(agents, before, idle)]
    return lab.tcp_bytes(2) - wire, cpu, took


# Joining


def join(options, lab, directory):
    phrase = make_homes(options, directory)
    knowing = Agent(lab, options.binary, directory, 1)
    knowing.start()
    wanted = manifest(knowing)
    joins = []
    for count in range(1, options.rounds + 1):
        note(f"a new laptop joins, {count} of {options.rounds}; {load()}")
        joins.append(join_once(options, lab, directory, knowing, phrase, wanted))
    print_joins(options, joins)
    note("another one, which is killed in the middle")
    join_twice(options, lab, directory, phrase, wanted, statistics.median(one.byte_count for one in joins))
    knowing.discard()


class Join(typing.NamedTuple):
    """Seconds, CPU seconds of the new laptop and of the one that knew, bytes in memory at most and on the wire, seconds
    of each answer meanwhile, bytes of each database a photo."""
    took: float
    cpu: float
    knowing_cpu: float
    memory: int
    byte_count: int
    answers: list
    sizes: dict


def print_joins(options, joins):
    def of(field):
        return [getattr(one, field) for one in joins]

    line("a new laptop knows all", spread(of("took"), "{:.1f}") + " s",
         f"{options.photos / statistics.median(of('took')):.0f} photos/s")
    line("CPU, the new laptop", spread(of("cpu"), "{:.1f}") + " s",
         verdict(round(statistics.median(of("cpu")), 1), 10, "s"), f"memory at most {max(of('memory')) / MB:.0f} MB")
    line("CPU, the one that knew", spread(of("knowing_cpu"), "{:.1f}") + " s")
    answers = [1000 * answer for answers in of("answers") for answer in answers]
    line("potluck albums meanwhile", spread(answers) + " ms", f"{len(answers)} times")
    line("received", f"{statistics.median(of('byte_count')) / options.photos:.0f} bytes a photo")
    print_sizes(joins[-1].sizes, "known, none held")


def join_once(options, lab, directory, knowing, phrase, wanted):
    agent = Agent(lab, options.binary, directory, 2, phrase)
    before, start, answers = precise_cpu(knowing.process.pid), time.monotonic(), []
    agent.start()
    pid = agent.process.pid
    arrived = received(pid)

    def is_complete():
        began = time.monotonic()
        albums = manifest(agent)
        answers.append(time.monotonic() - began)
        return albums == wanted

    wait_for("all entries", is_complete, pause=1)
    took, cpu, knowing_cpu = time.monotonic() - start, precise_cpu(pid), precise_cpu(knowing.process.pid) - before
    memory, byte_count = process_memory(pid)[0], received(pid) - arrived
    agent.stop()
    join = Join(took, cpu, knowing_cpu, memory, byte_count, answers, sizes(options, agent))
    agent.discard()
    return join


def join_twice(options, lab, directory, phrase, wanted, whole):
    agent = Agent(lab, options.binary, directory, 2, phrase)
    agent.start()
    wait_for("a quarter of the entries", lambda: agent.photo_count() > options.photos / 4, pause=0.01)
    agent.kill()
    kept = batch_count(agent, directory)
    agent.start()
    again = received(agent.process.pid)
    began = batch_count(agent, directory)
    wait_for("all entries", lambda: manifest(agent) == wanted, pause=0.25)
    again = received(agent.process.pid) - again
    total = batch_count(agent, directory)
    line("killed in the middle", f"{kept} of {total} batches kept", f"{began} after its restart")
    line("received after its restart", f"{100 * again / whole:.0f} % of a whole join",
         "met: it goes on" if began >= kept and 0 < kept < total and again < whole else "MISSED: it begins anew")
    agent.discard()


def batch_count(agent, directory):
    """Counts in a copy: whoever opens a journal may change its log."""
    copy = directory / "copy"
    copy.mkdir()
    for path in agent.home.glob("journal.sqlite*"):
        if not path.name.endswith("-shm"):
            shutil.copy(path, copy)
    database = sqlite3.connect(copy / "journal.sqlite")
    count = database.execute("SELECT count(*) FROM batch").fetchone()[0]
    database.close()
    shutil.rmtree(copy)
    return count
