"""Runs the scenarios one after the other, and says how each ended."""
import argparse
import importlib
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import unittest

from benches.figures import Failure
from .gathering import Gathering
from .scenario import Scenario

# Those that change most of the gathering come last.
SCENARIOS = ["newcomer", "arrival", "owner", "live", "gallery", "keyboard", "plain_pages", "exported", "screenshots", "wire",
             "outsiders", "uploads", "revoking", "moving", "wall"]


class Result(unittest.TestResult):
    """Prints one line for each scenario."""

    def startTest(self, test):
        super().startTest(test)
        self.start, self.verdict, self.words = time.monotonic(), "passed", ""
        print(f"  …         {title(test)}", flush=True)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.verdict, self.words = "skipped", f": {reason}"

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.fail(error)

    def addError(self, test, error):
        super().addError(test, error)
        self.fail(error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.fail(error, subtest._subDescription())

    def fail(self, error, part=""):
        self.verdict = "FAILED"
        kind, value, trace = error
        # A sentence of ours says enough; anything else needs its lines.
        if issubclass(kind, (AssertionError, Failure, OSError)):
            frames = [frame for frame in traceback.extract_tb(trace) if "/Tests/Browser/" in frame.filename]
            place = f"{pathlib.Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""
            words = f"{place}{part} {value or kind.__name__}".strip()
        else:
            words = part + "".join(traceback.format_exception(kind, value, trace))
        print("".join(f"            {row}\n" for row in words[:3000].splitlines()), end="", flush=True)

    def stopTest(self, test):
        super().stopTest(test)
        print(f"  {self.verdict:8} {time.monotonic() - self.start:6.1f} s  {title(test)}{self.words}", flush=True)


def title(test):
    # Of a class that could not begin, the name is another: `setUpClass (Browser.screenshots.Screenshots)`.
    found = re.fullmatch(r"Browser\.(\w+)\.\w+\.test_(\w+)", test.id())
    return f"{found[1]}: {found[2].replace('_', ' ')}" if found else test.id()


def titles(ends):
    return {title(getattr(test, "test_case", test)) for test, _ in ends}


def load(names, only=None):
    """Those tests whose title has one of the words, all without words; of these only those with a title that is named, and
    those of a class that could not begin."""
    suite = unittest.TestSuite()
    for name in SCENARIOS:
        module = importlib.import_module(f"Browser.{name}")
        for group in unittest.defaultTestLoader.loadTestsFromModule(module):
            for test in group:
                if only is not None and not only & {title(test), f"setUpClass ({unittest.util.strclass(type(test))})"}:
                    continue
                if not names or any(word.replace("_", " ") in title(test) for word in names):
                    suite.addTest(test)
    return suite


def main():
    parser = argparse.ArgumentParser(prog="Scripts/browser-tests", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; only those scenarios run")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--pictures", type=pathlib.Path, default=pathlib.Path(".build/screenshots"),
                        help="where screenshots go (%(default)s)")
    parser.add_argument("--work", default="/var/tmp", help="where homes and browsers lie for a while (%(default)s)")
    parser.add_argument("--keep", action="store_true", help="leave logs and homes where they are")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    # The one ending that unittest lets through.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    suite = load(options.names)
    if suite.countTestCases() == 0:
        sys.exit(f"browser-tests: no scenario is called {' or '.join(options.names)}")
    directory = pathlib.Path(tempfile.mkdtemp(prefix="potluck-browser.", dir=options.work))
    start, result, gathering = time.monotonic(), Result(), None
    try:
        gathering = Scenario.gathering = Gathering(options.binary, directory)
        Scenario.pictures = options.pictures.resolve()
        print(f"  three laptops and a phone after {time.monotonic() - start:.1f} s")
        suite.run(result)
        # Three browsers, four agents and whatever else the machine does: once more, alone, tells bad luck from a fault.
        # What fails for good fails twice.
        if broken := titles(result.failures + result.errors):
            print(f"  once more, alone: {', '.join(sorted(broken))}")
            again = Result()
            load([], broken).run(again)
            result.failures, result.errors = again.failures, again.errors
    except Failure as failure:
        sys.exit(f"browser-tests: {failure}")
    except KeyboardInterrupt:
        sys.exit("browser-tests: stopped")
    finally:
        if gathering:
            gathering.close()
        if options.keep:
            print(f"  kept in {directory}")
        else:
            shutil.rmtree(directory, ignore_errors=True)
    failed = len(titles(result.failures + result.errors))
    print(f"{result.testsRun} scenarios in {time.monotonic() - start:.0f} s: {failed} failed, {len(result.skipped)} skipped")
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
