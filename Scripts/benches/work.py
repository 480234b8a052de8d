"""A directory for one run."""
import pathlib
import shutil
import signal
import tempfile

from .laptops import Lab
from .machine import FullMemory


class Work:
    """A directory of this run's own, and the lab in it; both are gone afterwards."""

    def __init__(self, parent):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="potluck-bench.", dir=parent)).resolve()
        self.open_lab = None
        self.memory = FullMemory(self.path)

    def __enter__(self):
        return self

    def lab(self, laptop_count):
        self.open_lab = Lab(self.path, laptop_count)
        return self.open_lab

    def __exit__(self, *_):
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_IGN)
        if self.open_lab:
            self.open_lab.close()
        self.memory.close()
        shutil.rmtree(self.path, ignore_errors=True)
