"""A gathering of three laptops, a phone on the same Wi-Fi, and the photos that tests put into it."""
import dataclasses
import hashlib
import shutil
import time

from benches.figures import Failure, wait_for
from benches.laptops import Agent, Lab, gather
from benches.samples import dated, photo_maker
from browsers.fleet import Fleet

LAPTOP_COUNT = 3
# The phone has a place on the bridge and no agent.
PHONE = LAPTOP_COUNT + 1
READY_SECONDS_MAX = 60
SHAPES = [(640, 480), (480, 640), (640, 360), (480, 480), (720, 480)]
DAY = 86_400
# 14 August 2026, 12:00 UTC.
NEWEST_PHOTO = 1_786_708_800


@dataclasses.dataclass
class Album:
    id: str
    name: str
    photos: list  # SHA-256 by file, in the order of their making


@dataclasses.dataclass
class Guest:
    id: str
    name: str
    link: str
    bearer: str
    origin: str


class Gathering:
    """Made once for all tests: each has albums and guests of its own, and leaves three running laptops behind."""

    def __init__(self, binary, directory):
        self.binary, self.directory = binary, directory
        self.lab = Lab(directory, PHONE)
        self.fleet, self.maker, self.seed = Fleet(self.lab, directory), photo_maker(), 0
        self.agents = gather(self.lab, binary, directory, LAPTOP_COUNT)
        self.links = {}
        for laptop in range(1, LAPTOP_COUNT + 1):
            self.open_door(laptop)

    def close(self):
        self.fleet.close_all()
        self.lab.close()

    def agent(self, laptop):
        return self.agents[laptop - 1]

    def open_door(self, laptop):
        self.links[laptop] = self.agent(laptop).json("guests", "on")["link"]

    def link(self, laptop):
        """The guests' link. Asked anew, since a revoked guest renews it."""
        self.open_door(laptop)
        return self.links[laptop]

    def origin(self, laptop):
        return self.links[laptop].split("/g/")[0]

    def token(self, laptop):
        return self.link(laptop).split("#")[1]

    def visitor(self, laptop, bearer=None, place=PHONE):
        """Someone who asks a laptop's door from the phone."""
        return self.fleet.client(place, self.origin(laptop), bearer)

    def join(self, name, laptop=1):
        """A guest without a browser."""
        answer = self.visitor(laptop).post("/api/v1/guests", {"token": self.token(laptop), "name": name})
        if answer.status != 201:
            raise Failure(f"joining answered {answer.status}: {answer.body[:200]}")
        body = answer.json()
        return Guest(body["guest"]["id"], name, body["link"], body["bearer"], self.origin(laptop))

    def guest_page(self, engine, name, laptop=1, place=PHONE, **options):
        """A browser whose person has joined by the link, with the albums in front."""
        page = self.fleet.start(engine, place, **options)
        page.open(self.link(laptop))
        page.shows_page("join")
        page.until("the form", "return document.querySelector('#join')?.checkVisibility() "
                   "&& document.querySelector('#token').value !== ''")
        page.type("input[name=guest-name]", name)
        page.click("#join-button")
        page.shows_page("albums")
        return page

    def owner_page(self, engine="Chromium", laptop=1, **options):
        page = self.fleet.start(engine, laptop, **options)
        page.open(self.agent(laptop).json("open", "--print")["url"])
        page.shows_page("albums")
        page.open(page.run("return location.origin") + "/owner")
        page.shows_page("owner")
        return page

    def apart(self, name):
        """The running agent of a gathering of its own, beside the phone, for what the others must not see."""
        directory = self.directory / name
        # A scenario that is tried again finds what its first try left.
        directory.mkdir(exist_ok=True)
        agent = Agent(self.lab, self.binary, directory, PHONE)
        agent.start()
        return agent

    # Photos

    def make_files(self, name, count, byte_count=0, shapes=SHAPES):
        """Distinct photos in a directory of their own, two to a day."""
        directory = self.directory / "made" / name
        # A scenario that is tried again finds what its first try left.
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        for number in range(count):
            self.seed += 1
            path = directory / f"IMG_{self.seed:05}.JPG"
            photo = self.maker.photo(f"browser {self.seed}", byte_count, shapes[number % len(shapes)])
            path.write_bytes(dated(photo, NEWEST_PHOTO - number // 2 * DAY + number))
        return sorted(directory.iterdir())

    def album(self, name, count, laptop=1, everywhere=True, **options):
        """An album that a laptop's owner dropped, once its pictures can be seen."""
        while (self.agent(laptop).folder / name).exists():
            name += " again"
        files = self.make_files(name, count, **options)
        hashes = [sha256(path) for path in files]
        (self.directory / "made" / name).rename(self.agent(laptop).folder / name)
        places = range(1, LAPTOP_COUNT + 1) if everywhere else [laptop]
        for place in places:
            wait_for(f"the album {name} on laptop {place}", lambda: self.count(name, place) >= count, 0.1, READY_SECONDS_MAX)
        watcher = self.join(f"Watcher of {name}")
        for place in places:
            visitor = self.visitor(place, self.guest_at(watcher, place).bearer)
            for photo in hashes:
                wait_for("a thumbnail", lambda: visitor.get(f"/api/v1/photos/{photo}/thumbnail").status == 200, 0.1,
                         READY_SECONDS_MAX)
        return Album(self.album_id(name, laptop), name, hashes)

    def guest_at(self, guest, laptop):
        """The same person at another laptop: “it's me again”."""
        if guest.origin == self.origin(laptop):
            return guest
        return self.join(guest.name, laptop)

    def albums(self, laptop):
        return {album["name"]: album for album in self.agent(laptop).json("albums")["albums"]}

    def count(self, name, laptop):
        return self.albums(laptop).get(name, {"photos": 0})["photos"]

    def album_id(self, name, laptop=1):
        return self.albums(laptop)[name]["id"]

    def photos_of(self, album, laptop=1):
        """SHA-256 of what an album holds."""
        return {photo["id"] for photo in self.agent(laptop).json("photos", album)["photos"]}

    def drop(self, path, album, laptop=1):
        """Moves one photo into an album's folder, as a person does; the moment of it."""
        path.rename(self.agent(laptop).folder / album / path.name)
        return time.monotonic()


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
