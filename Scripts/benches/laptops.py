"""Simulated laptops, and the agents on them."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import time

from .figures import Failure, wait_for

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def process_cpu(pid):
    """CPU seconds of a process and of its children that ended."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / TICKS


def family_cpu(pid):
    """The same, and of its children that run, and theirs."""
    total = process_cpu(pid)
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{pid}/task/{task}/children") as file:
            total += sum(family_cpu(int(child)) for child in file.read().split())
    return total


def precise_cpu(pid):
    """CPU seconds of a process alone, exactly; the clock is that of clock_getcpuclockid(3)."""
    return time.clock_gettime(~pid << 3 | 2)


def process_memory(pid):
    """Peak and present resident bytes."""
    with open(f"/proc/{pid}/status") as file:
        rows = dict(row.split(":", 1) for row in file)
    return tuple(int(rows[name].split()[0]) * 1024 for name in ("VmHWM", "VmRSS"))


def received(pid):
    """Bytes that came by the cable of the laptop that the process runs on."""
    with open(f"/proc/{pid}/net/dev") as file:
        return next(int(row.split(":")[1].split()[0]) for row in file if row.strip().startswith("eth0:"))


def count_whole(directory, byte_count):
    """Files with all their bytes, under their own names; 0 without the directory."""
    return sum(size >= byte_count for size in sizes(directory))


def has_whole(directory, count, byte_count):
    """Whether so many files are there, all with all their bytes; ends at the first that has not."""
    # Names come first: looking at each file costs the agents time.
    return count_names(directory) >= count and all(size >= byte_count for size in sizes(directory))


def sizes(directory):
    """Of each file under its own name; nothing without the directory."""
    with contextlib.suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            if not entry.name.startswith("."):
                yield entry.stat().st_size


def count_names(directory):
    """Files under their own names, whatever is in them; 0 without the directory."""
    with contextlib.suppress(FileNotFoundError):
        return sum(not name.startswith(".") for name in os.listdir(directory))
    return 0


class Lab:
    """Simulated laptops, each with a network and an Avahi of its own."""

    def __init__(self, directory, laptop_count):
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("POTLUCK_")}
        self.environment["LAB_DIR"] = str(directory / "lab")
        self.agents = []
        # The core that a laptop's programs are kept on, by its number; none for all cores.
        self.cores = {}
        self.run("up", str(laptop_count))

    def run(self, *words):
        run = subprocess.run([SCRIPTS / "lab", *words], env=self.environment, capture_output=True, text=True)
        if run.returncode:
            raise Failure(run.stderr.strip() or f"lab {words[0]} failed")
        return run.stdout

    def limit(self, laptop_count, mbit):
        """Limits every cable, each way, and makes sure that the kernel does so."""
        for laptop in range(1, laptop_count + 1):
            self.run("limit", str(laptop), f"{mbit}mbit")
            if self.queue(laptop)["options"]["rate"] != mbit * 125_000:
                raise Failure(f"laptop {laptop} is not limited to {mbit} Mbit/s")

    def queue(self, laptop):
        """Settings and statistics of what stands before a laptop's cable."""
        return json.loads(self.run("exec", str(laptop), "tc", "-s", "-j", "qdisc", "show", "dev", "eth0"))[0]

    def tcp_bytes(self, laptop):
        """What TCP has cost on a laptop's cable, both ways, since this was first asked."""
        return int(self.run("tcp", str(laptop)))

    def start(self, laptop, words, env=None, **options):
        """A program on a laptop; its process is the program itself."""
        if laptop in self.cores:
            words = ["taskset", "--cpu-list", str(self.cores[laptop]), *words]
        return subprocess.Popen(
            [SCRIPTS / "lab", "exec", str(laptop), *words], env=env or self.environment, **options)

    def close(self):
        for agent in self.agents:
            with contextlib.suppress(Exception):
                agent.stop()
        self.run("down")


class Agent:
    """A Potluck agent on a laptop, with a home of its own: one that is there, or a new one."""

    def __init__(self, lab, binary, directory, laptop, phrase=None):
        self.lab, self.binary, self.laptop = lab, binary, laptop
        self.home, self.process = directory / f"home{laptop}", None
        self.folder = self.home / "Photos"
        if phrase:
            self.text("join", phrase, "--as", f"Laptop {laptop}")
        elif not self.home.exists():
            self.text("host", "Bench", "--as", f"Laptop {laptop}")
        lab.agents.append(self)

    def text(self, *words):
        run = subprocess.run(
            [self.binary, *words, "--home", self.home], env=self.lab.environment, capture_output=True, text=True)
        if run.returncode:
            raise Failure(run.stderr.strip())
        return run.stdout

    def json(self, *words):
        return json.loads(self.text(*words, "--json"))

    def start(self):
        self.process = self.lab.start(
            self.laptop, [self.binary, "up", "--home", self.home, "--json"],
            stdout=subprocess.PIPE, stderr=open(f"{self.home}.log", "ab"), text=True)
        if not self.process.stdout.readline():
            raise Failure(f"the agent did not start: {pathlib.Path(f'{self.home}.log').read_text().strip()}")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self.process = None

    def kill(self):
        """As a power cut ends it."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def discard(self):
        """Stops the agent, and removes its home with all that is in it."""
        self.stop()
        self.lab.agents.remove(self)
        shutil.rmtree(self.home, ignore_errors=True)

    def connection_count(self):
        return sum(peer["connected"] for peer in self.json("peers")["peers"])

    def photo_count(self):
        return sum(album["photos"] for album in self.json("albums")["albums"])

    def has_imported(self, count):
        """Counts files first, since asking costs the agent time."""
        blobs = self.home / "blobs"
        held = sum(count_names(blobs / name) for name in os.listdir(blobs))
        return held >= count and self.photo_count() >= count

    def whole_count(self, album, byte_count):
        """Photos of an album that are in the folder with all their bytes."""
        return count_whole(self.folder / album, byte_count)

    def has_whole(self, album, count, byte_count):
        """Whether so many are."""
        return has_whole(self.folder / album, count, byte_count)


def gather(lab, binary, directory, laptop_count):
    """Running agents of a new gathering on laptops 1 to `laptop_count`, once they are connected."""
    agents = [Agent(lab, binary, directory, 1)]
    phrase = agents[0].json("invite")["phrase"]
    agents += [Agent(lab, binary, directory, laptop, phrase) for laptop in range(2, laptop_count + 1)]
    for agent in agents:
        agent.start()
    # Few laptops are all connected to each other; of many, each keeps some links.
    links = laptop_count - 1 if laptop_count <= 8 else 5
    for agent in agents:
        wait_for("connected laptops", lambda: agent.connection_count() >= links, patience=60)
    return agents
