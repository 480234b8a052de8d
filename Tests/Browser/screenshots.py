"""Every page in every size, light and dark, for people to look at."""
import time

from .scenario import Scenario

SIZES = [(390, 844), (1280, 800), (1920, 1080)]
SCHEMES = ["light", "dark"]


class Screenshots(Scenario):
    @classmethod
    def setUpClass(cls):
        cls.pictures.mkdir(parents=True, exist_ok=True)
        cls.album = cls.gathering.album("Beach and garden", 30)

    def keep(self, page, name):
        path = self.pictures / f"{name}.png"
        page.picture(path)
        self.assertGreater(path.stat().st_size, 2_000, f"{path.name} is empty")

    def settle(self, page, what):
        """Waits until nothing moves any more, then looks whether the page fits its window."""
        page.rests(patience=5)
        over = page.run("return document.documentElement.scrollWidth - innerWidth")
        self.assertLessEqual(over, 0, f"{what} is wider than its window by {over} px")

    def guest_pages(self, page, origin):
        """What a guest sees: a name, and how to get there."""
        album = f"{origin}/album/{self.album.id}"

        def albums():
            page.open(f"{origin}/")
            page.shows_page("albums")
            page.pictures_loaded()

        def grid():
            page.open(album)
            page.shows_page("album")
            page.pictures_loaded(4)

        def viewer():
            page.open(f"{album}/photo/{self.album.photos[0]}")
            page.shows_page("viewer")
            # The plain page's picture gives way to the viewer's.
            page.until("the viewer's picture", """
                const image = document.querySelector(`dialog[open] img[data-photo="${arguments[0]}"]`);
                return image?.complete && image.naturalWidth > 0;""", self.album.photos[0])

        def panel():
            viewer()
            page.press("i")
            page.until("the panel", "return document.querySelector('.viewer-with-panel') !== null")

        def sheet():
            grid()
            page.click(".add-button")
            page.until("the sheet", "return document.querySelector('dialog[open]') !== null")

        def filters():
            grid()
            page.click("button[aria-label='Search']")
            page.click("button[aria-label='Filters']")
            page.until("the filters", "return document.querySelector('dialog[open] .filters .chip') !== null")

        def nothing_found():
            page.open(f"{album}?text=zeppelin")
            page.shows_page("album")
            page.until("words", "return document.querySelector('.empty') !== null")

        def take_home():
            grid()
            page.click("button[aria-label='Take home']")
            page.until("the choices", "return document.querySelectorAll('dialog[open] .choice').length > 1")

        def selection():
            grid()
            page.click("button[aria-label='Choose photos']")
            for number in (1, 2, 4):
                page.run("document.querySelectorAll('.grid .tile')[arguments[0]].click()", number)
            page.until("the words", "return document.querySelector('.selection')?.innerText.includes('3')")

        def wall():
            page.open(f"{origin}/wall")
            page.shows_page("wall")
            page.pictures_loaded()

        def again():
            page.open(f"{origin}/g/")
            page.until("the personal code", "return document.querySelector('#again')?.checkVisibility()")

        return {"albums": albums, "album": grid, "viewer": viewer, "viewer-panel": panel, "adding": sheet, "filters": filters,
                "nothing-found": nothing_found, "take-home": take_home, "selection": selection, "wall": wall, "again": again}

    def in_all_sizes(self, page, name, visit):
        for width, height in SIZES:
            page.resize(width, height)
            visit()
            for scheme in SCHEMES:
                page.prefers(color_scheme=scheme, reduced_motion="reduce")
                self.settle(page, f"{name} at {width} px, {scheme}")
                self.keep(page, f"{name}-{width}-{scheme}")

    def test_of_a_guest_in_chromium(self):
        page = self.start("Chromium", 4, size=(1280, 800))
        page.open(self.gathering.link(1))
        page.shows_page("join")

        def door():
            page.until("the form", "return document.querySelector('#join')?.checkVisibility()")

        self.in_all_sizes(page, "join", door)
        page.type("input[name=guest-name]", "Lena")
        page.click("#join-button")
        page.shows_page("albums")
        for name, visit in self.guest_pages(page, self.gathering.origin(1)).items():
            self.in_all_sizes(page, name, visit)
        page.driver.delete_all_cookies()

        def signed_out():
            page.open(self.gathering.origin(1) + "/")
            page.until("a page", "return document.readyState === 'complete'")

        self.in_all_sizes(page, "signed-out", signed_out)

    def test_of_the_owner_in_chromium(self):
        page = self.owner_page(size=(1280, 800))
        origin = page.run("return location.origin")

        def owner():
            page.open(f"{origin}/owner")
            page.until("the cards", "return document.querySelectorAll('.owner-card:not([hidden])').length >= 4")

        def cards():
            page.open(f"{origin}/cards")
            page.until("a card", "return document.querySelectorAll('#cards-sheet svg').length > 0")

        for name, visit in (("owner", owner), ("cards", cards)):
            self.in_all_sizes(page, name, visit)

    def in_one_size(self, engine, size):
        page = self.guest_page(engine, f"Lena in {engine}", size=size)
        origin = self.gathering.origin(1)
        start = time.monotonic()
        for name, visit in self.guest_pages(page, origin).items():
            visit()
            self.settle(page, f"{name} in {engine}")
            self.keep(page, f"{name}-{size[0]}-{engine.lower()}")
            self.assert_quiet(page)
        self.say(f"{engine}: {time.monotonic() - start:.1f} s")

    def test_of_a_guest_in_webkit(self):
        self.in_one_size("WebKit", (390, 844))

    def test_of_a_guest_in_firefox(self):
        self.in_one_size("Firefox", (1280, 800))
