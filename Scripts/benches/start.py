"""How long an agent with 100,000 photos takes until it is up, and a listing without an agent.

One laptop knows all and holds all (originals of a few bytes), and its folder is filled. Counted is from the start of
`potluck up` until it says that it is up, and `potluck albums` from its start to its last line, with no agent running.
Before each, the page cache keeps what it has: a laptop that just came home.
"""
import shutil

from .figures import line, note, seconds, spread, verdict
from .gatherings import make_homes, wait_for_filled
from .laptops import Agent, process_memory
from .options import add_gathering, add_rounds

TOOLS = ["make-gathering"]


def add_options(parser):
    add_gathering(parser, 50)
    add_rounds(parser, 5, "how often the agent is started")


def run(options, work):
    lab, directory = work.lab(1), work.path / "start"
    print(f"start: {options.photos} photos, {options.replicas} devices")
    make_homes(options, directory, "--held")
    agent = Agent(lab, options.binary, directory, 1)
    agent.start()
    note("placing all photos in the folder")
    wait_for_filled(agent, options.photos)
    starts, listings, peaks = [], [], []
    for _ in range(options.rounds):
        agent.stop()
        listings.append(1000 * seconds(lambda: agent.text("albums")))
        starts.append(1000 * seconds(agent.start))
        agent.text("albums")
        peaks.append(process_memory(agent.process.pid)[0] / 1e6)
    print_times("from `potluck up` until it is up", starts, 2000)
    print_times("potluck albums, no agent running", listings, 300)
    line("memory of the agent at most", spread(peaks) + " MB")
    agent.stop()
    shutil.rmtree(directory)


def print_times(label, values, aim):
    line(label, spread(values) + " ms", verdict(round(max(values)), aim, "ms"))
