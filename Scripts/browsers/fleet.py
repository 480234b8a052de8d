"""All browsers of one lab, and the connections into it."""
import contextlib
import itertools
import os
import shutil
import subprocess

from benches.figures import Failure
from .api import Client
from .dialer import Dialer
from .drivers import Chromium, WebKit
from .firefox import Firefox

# Programs by engine, with their packages in Debian.
NEEDS = {
    "Chromium": {"chromium": "chromium", "chromedriver": "chromium-driver"},
    "WebKit": {"WebKitWebDriver": "webkit2gtk-driver", WebKit.PROGRAM: "webkit2gtk-driver", "Xvfb": "xvfb"},
    "Firefox": {"firefox-esr": "firefox-esr"},
}


def missing(engine):
    """Why an engine cannot be used here, or nothing."""
    absent = {package for program, package in NEEDS[engine].items() if not shutil.which(program)}
    return f"{engine} is not here (Debian: {', '.join(sorted(absent))})" if absent else None


class Fleet:
    """Starts browsers on laptops, and ends all of them."""

    def __init__(self, lab, directory):
        self.lab, self.directory = lab, directory / "browsers"
        self.directory.mkdir()
        self.ports, self.dialers, self.pages, self.screen, self.display = itertools.count(9500), {}, [], None, None

    def dialer(self, laptop):
        if laptop not in self.dialers:
            self.dialers[laptop] = Dialer(self.lab, laptop, self.directory)
        return self.dialers[laptop]

    def client(self, laptop, origin, bearer=None):
        """A visitor of `origin` who sits at a laptop."""
        host, port = origin.removeprefix("http://").rsplit(":", 1)
        return Client(origin, lambda timeout: self.dialer(laptop).dial(host, int(port), timeout), bearer)

    def start(self, engine, laptop, **options):
        if reason := missing(engine):
            raise Failure(reason)
        port = next(self.ports)
        place = self.directory / f"{engine}{port}"
        if engine == "WebKit":
            options["display"] = self.start_screen()
        page = {"Chromium": Chromium, "WebKit": WebKit, "Firefox": Firefox}[engine](
            self.lab, self.dialer(laptop), place, port, **options)
        self.pages.append(page)
        return page

    def start_screen(self):
        """WebKit has no headless mode of its own."""
        if not self.screen:
            reading, writing = os.pipe()
            self.screen = subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "2000x1400x24", "-nolisten", "tcp"],
                pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(writing)
            with os.fdopen(reading) as answer:
                self.display = f":{answer.readline().strip()}"
            if self.display == ":":
                raise Failure("Xvfb does not start")
        return self.display

    def close(self, page):
        self.pages.remove(page)
        page.close()

    def close_all(self):
        for page in list(self.pages):
            with contextlib.suppress(Exception):
                self.close(page)
        for dialer in self.dialers.values():
            with contextlib.suppress(Exception):
                dialer.close()
        if self.screen:
            self.screen.terminate()
            self.screen.wait()
