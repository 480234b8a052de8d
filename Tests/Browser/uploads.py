"""Adding from a phone: through a dying agent, and through a Wi-Fi that goes away."""
import time

from benches.figures import wait_for
from .gathering import PHONE, sha256
from .scenario import Scenario

SENT_SECONDS_MAX = 120
CUT_SECONDS = 30
# Slow enough that something is always on its way when it is interrupted: 5 MB a second for both browsers together.
RATE = "40mbit"
BIG_BYTE_COUNT = 24_000_000
SMALL_BYTE_COUNT = 1_500_000


class Uploads(Scenario):
    def setUp(self):
        self.restarts(1)
        self.addCleanup(self.gathering.lab.run, "unshape", str(PHONE))

    def begin(self, album_name):
        """Pages of the engines with files picked, each with one of several chunks; what they send."""
        engines = self.present("Chromium", "WebKit")
        album = self.gathering.album(album_name, 1)
        pages, wanted = [], set()
        for engine in engines:
            page = self.guest_page(engine, f"{album_name} {engine}")
            page.open(f"{self.gathering.origin(1)}/album/{album.id}")
            page.shows_page("album")
            page.is_live()
            files = self.gathering.make_files(f"{album_name} {engine}", 5, SMALL_BYTE_COUNT)
            files[:0] = self.gathering.make_files(f"{album_name} {engine} big", 1, BIG_BYTE_COUNT)
            wanted |= {sha256(path) for path in files}
            page.until("the + button", "return document.querySelector('.add-button')?.checkVisibility()")
            pages.append((page, files))
        self.gathering.lab.run("limit", str(PHONE), RATE)
        for page, files in pages:
            page.click(".add-button")
            page.files("input[type=file][data-source=photos]", files)
            page.until("the list of files", "return document.querySelectorAll('[data-upload]').length === arguments[0]",
                       len(files))
        return album, [page for page, _ in pages], wanted

    def states(self, page):
        return page.run("return [...document.querySelectorAll('[data-upload]')].map((row) => row.dataset.state)")

    def is_in_the_middle(self, page):
        """Some files are there and one is on its way."""
        wait_for(f"an upload of {page.engine} under way", lambda: "sending" in self.states(page), 0.05, 30)

    def all_arrive(self, album, pages, wanted):
        for page in pages:
            page.until("all files", "return [...document.querySelectorAll('[data-upload]')]"
                       ".every((row) => ['here', 'already'].includes(row.dataset.state))", patience=SENT_SECONDS_MAX)
            self.assertEqual(page.run("return location.origin"), self.gathering.origin(1), "the page went elsewhere")
        self.within("the album's photos", lambda: wanted <= self.gathering.photos_of(album.name), 30)
        for page in pages:
            page.until("a picture that was added", """
                return [...document.querySelectorAll("img[data-photo]")].some((image) =>
                  arguments[0].includes(image.dataset.photo) && image.complete && image.naturalWidth > 0)""",
                sorted(wanted), patience=30)

    def test_goes_on_when_the_agent_was_killed(self):
        album, pages, wanted = self.begin("Killed")
        agent = self.gathering.agent(1)
        for page in pages:
            self.is_in_the_middle(page)
        before = int(self.gathering.lab.run("received", "1"))
        # Past the first chunk of the big file, so that there is something to go on from.
        wait_for("twelve megabytes", lambda: int(self.gathering.lab.run("received", "1")) - before > 12e6, 0.1, 60)
        agent.kill()
        start = time.monotonic()
        agent.start()
        self.all_arrive(album, pages, wanted)
        self.say(f"all there {time.monotonic() - start:.1f} s after the agent's death")

    def test_goes_on_when_the_wifi_comes_back(self):
        album, pages, wanted = self.begin("Cut")
        for page in pages:
            self.is_in_the_middle(page)
        lab = self.gathering.lab
        self.addCleanup(lab.run, "heal", str(PHONE))
        lab.run("cut", str(PHONE))
        cut = time.monotonic()
        self.assertTrue(any({"waiting", "sending"} & set(self.states(page)) for page in pages), "nothing was left to send")
        # The cut is what is tested, so its length is waited for; meanwhile nothing may give up.
        while time.monotonic() - cut < CUT_SECONDS:
            for page in pages:
                self.assertNotIn("refused", self.states(page), page.engine)
            time.sleep(0.5)
        lab.run("heal", str(PHONE))
        start = time.monotonic()
        self.all_arrive(album, pages, wanted)
        self.say(f"all there {time.monotonic() - start:.1f} s after the Wi-Fi came back")

    def test_knows_what_is_there_already(self):
        self.need("Chromium")
        album = self.gathering.album("Twice", 1)
        page = self.guest_page("Chromium", "Twice")
        page.open(f"{self.gathering.origin(1)}/album/{album.id}")
        page.shows_page("album")
        (path,) = self.gathering.make_files("twice", 1)
        for state in ("here", "already"):
            page.click(".add-button")
            page.files("input[type=file][data-source=files]", [path])
            page.until(f"the state {state}", "return [...document.querySelectorAll('[data-upload]')].at(-1)"
                       "?.dataset.state === arguments[0]", state, patience=30)
        # What is no photo is refused, with a reason in words.
        letter = self.gathering.directory / "letter.txt"
        letter.write_text("Dear Grandma\n")
        page.click(".add-button")
        page.files("input[type=file][data-source=files]", [letter])
        page.until("a refusal", "return [...document.querySelectorAll('[data-upload]')].at(-1)?.dataset.state === 'refused'",
                   patience=30)
