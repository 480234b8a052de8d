"""What all scenarios have."""
import unittest

from benches.figures import Failure, wait_for
from browsers.fleet import missing

# Says which engines are wanted where, and skips what is not here.
ENGINES = ("Chromium", "WebKit", "Firefox")


class Scenario(unittest.TestCase):
    """One person's story. `gathering` and `pictures` are set by the runner."""

    gathering = None
    pictures = None
    failureException = AssertionError

    @property
    def fleet(self):
        return self.gathering.fleet

    def need(self, *engines):
        for engine in engines:
            if reason := missing(engine):
                self.skipTest(reason)

    def present(self, *engines):
        """Those of the engines that are here; at least one has to be."""
        found = [engine for engine in engines if not missing(engine)]
        if not found:
            self.skipTest("; ".join(missing(engine) for engine in engines))
        return found

    def guest_page(self, engine, name, laptop=1, **options):
        self.need(engine)
        return self.ends(self.gathering.guest_page(engine, name, laptop, **options))

    def owner_page(self, laptop=1, **options):
        self.need("Chromium")
        return self.ends(self.gathering.owner_page("Chromium", laptop, **options))

    def start(self, engine, laptop, **options):
        self.need(engine)
        return self.ends(self.fleet.start(engine, laptop, **options))

    def ends(self, page):
        self.addCleanup(self.fleet.close, page)
        return page

    def restarts(self, laptop):
        """Leaves a running agent behind, whatever happens."""
        def restart():
            agent = self.gathering.agent(laptop)
            if agent.process is None or agent.process.poll() is not None:
                agent.start()
            wait_for("connected laptops", lambda: agent.connection_count() >= 2, 0.1, 60)
        self.addCleanup(restart)

    def assert_quiet(self, page, *allowed):
        """Nothing in the console, nothing refused by the page's policy; what is made or fetched for a page may be asked for
        before.

        Chromium tells the status; WebKit that a film or a small picture failed, which the page asks for again.
        """
        expected = [("/preview", "503"), ("/thumbnail", "503"), ("failed: ", "/video?h264="),
                    ("failed: ", "/thumbnail?v="), *allowed]
        found = [row for row in page.errors() if not any(all(word in row for word in words) for words in expected)]
        self.assertEqual(found, [], f"{page.engine} reports errors")

    def assert_accessible(self, page, what):
        self.assertEqual(page.axe(), [], f"axe has serious findings on {what}")

    def within(self, what, condition, seconds):
        """Fails like an assertion."""
        try:
            return wait_for(what, condition, 0.05, seconds)
        except Failure as failure:
            self.fail(str(failure))

    def say(self, words):
        """A figure that people want to see."""
        print(f"            {words}", flush=True)
