"""Homes of large gatherings, made by the tool of that name."""
import subprocess

from .figures import Failure, note, wait_for


def singly(options):
    """How many photos have a batch of their own."""
    return options.photos // 10 if options.singly is None else options.singly


def make_homes(options, directory, *words):
    note(f"making a gathering in {directory.name}")
    directory.mkdir()
    run = subprocess.run(
        [options.make_gathering, directory, "--photos", str(options.photos), "--replicas", str(options.replicas),
         "--singly", str(singly(options)), *words], capture_output=True, text=True)
    if run.returncode:
        raise Failure(run.stderr.strip())
    return run.stdout.strip()


def wait_for_filled(agent, count):
    """Waits until the agent has placed so many photos in its folder."""
    wait_for("a filled folder", lambda: _placed_count(agent) >= count, pause=2, patience=3600)


def _placed_count(agent):
    return sum(1 for path in agent.folder.glob("*/*") if path.name[0] != ".")
