"""What `status` and `leave-check` cost in a gathering of 100,000 photos and 1,000 devices.

One laptop knows all and holds all (originals of a few bytes), and remembers what each other device last signed: two of
three hold any photo. Counted is the command, from its start to its last line, with the agent running; `albums` beside
them tells what a listing costs that asks for no copies.
"""
import shutil

from .figures import line, note, seconds, spread, verdict
from .gatherings import make_homes, wait_for_filled
from .laptops import Agent
from .options import add_gathering, add_rounds

TOOLS = ["make-gathering"]
COMMANDS = {"status": 1000, "leave-check": 1000, "albums": None}


def add_options(parser):
    add_gathering(parser, 1000)
    add_rounds(parser, 9, "how often each command is run")


def run(options, work):
    lab, directory = work.lab(1), work.path / "leaving"
    print(f"leaving: {options.photos} photos, {options.replicas} devices")
    make_homes(options, directory, "--held", "--summaries")
    agent = Agent(lab, options.binary, directory, 1)
    agent.start()
    note("placing all photos in the folder")
    wait_for_filled(agent, options.photos)
    check = agent.json("leave-check")
    line("copies counted", f"{check['alone']['photos']} of {options.photos} photos on this laptop only")
    times = {command: [] for command in COMMANDS}
    for _ in range(options.rounds):
        for command in COMMANDS:
            times[command].append(1000 * seconds(lambda: agent.text(command)))
    for command, aim in COMMANDS.items():
        print_times(command, times[command], aim)
    agent.stop()
    shutil.rmtree(directory)


def print_times(command, values, aim):
    line(f"potluck {command}", spread(values) + " ms", *([verdict(round(max(values)), aim, "ms")] if aim else []))
