"""A page goes on at another laptop when its own one dies."""
import time

from .scenario import Scenario

# 5 s of silence, up to 2 s so that not all go at once, probes of 3 s, and as much again for a busy machine.
MOVED_SECONDS_MAX = 25


class Moving(Scenario):
    def stand(self, engine, name, path, laptop=2):
        """A guest's page of a laptop that is about to die, once it could move: it has a ticket and its frame."""
        page = self.guest_page(engine, name, laptop)
        page.open(self.gathering.origin(laptop) + path)
        page.shows_page(("album", "wall"))
        page.is_live()
        page.pictures_loaded()
        page.until("the frame that probes", "return document.querySelector('iframe[src=\"/probe/\"]') !== null")
        return page, page.fetch("/api/v1/me")["body"]["guest"]["id"]

    def arrives(self, page, guest, laptop, path):
        page.until("another laptop", "return location.origin !== arguments[0] && document.body.dataset.live === 'live' "
                   "&& ['album', 'wall'].includes(document.body.dataset.page)", self.gathering.origin(laptop),
                   patience=MOVED_SECONDS_MAX)
        self.assertIn(page.run("return location.origin"),
                      [self.gathering.origin(other) for other in (1, 2, 3) if other != laptop])
        self.assertEqual(page.run("return location.pathname"), path, f"{page.engine} lost its place")
        self.assertEqual(page.fetch("/api/v1/me")["body"]["guest"]["id"], guest, f"{page.engine} became another guest")
        page.pictures_loaded()

    def test_album_and_wall_go_on_when_the_agent_dies(self):
        self.need("Chromium")
        album = self.gathering.album("Moving", 4)
        path = f"/album/{album.id}"
        engines = ("Chromium", self.present("WebKit", "Chromium")[0])
        stood = [(*self.stand(engine, name, place), place)
                 for engine, name, place in zip(engines, ("Mover", "Beamer"), (path, "/wall"))]
        self.restarts(2)
        self.gathering.agent(2).kill()
        start = time.monotonic()
        for page, guest, place in stood:
            self.arrives(page, guest, 2, place)
            self.say(f"{place.split('/')[1]} in {page.engine} elsewhere after {time.monotonic() - start:.1f} s")

    def test_goes_on_when_a_laptop_loses_its_network(self):
        self.need("Chromium")
        album = self.gathering.album("Unplugged", 4)
        path = f"/album/{album.id}"
        page, guest = self.stand("Chromium", "Unplugged", path, laptop=3)
        self.restarts(3)
        self.addCleanup(self.gathering.lab.run, "heal", "3")
        self.gathering.lab.run("cut", "3")
        start = time.monotonic()
        self.arrives(page, guest, 3, path)
        self.say(f"elsewhere after {time.monotonic() - start:.1f} s")
