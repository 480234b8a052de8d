"""An exported album opens by a double click, as a file, and is shown as the gallery shows albums."""
import shutil

from selenium.webdriver.common.keys import Keys

from .scenario import Scenario

SHOWN = """
const picture = document.querySelector("dialog[open] .slide[aria-hidden=false] .slide-picture");
return picture?.naturalWidth > 0 && location.hash === arguments[0];
"""


class Exported(Scenario):
    def test_shows_an_album_without_a_laptop(self):
        self.need("Chromium")
        album = self.gathering.album("On a stick", 8, everywhere=False)
        stick = self.gathering.directory / "stick"
        # A scenario that is tried again finds what its first try left.
        shutil.rmtree(stick, ignore_errors=True)
        self.gathering.agent(1).text("export", album.name, str(stick), "--gallery")
        page = self.start("Chromium", 2, size=(1280, 800))
        page.open((stick / "index.html").as_uri())
        page.until("the grid", "return document.querySelector('#photos.grid .tile') !== null")
        self.assertEqual(page.pictures_loaded(len(album.photos)), len(album.photos))
        places = page.run("return [...document.querySelectorAll('.grid .tile')].map((tile) => tile.hash)")
        self.assertEqual(sorted(places), sorted(f"#{photo[:16]}" for photo in album.photos))
        self.assert_accessible(page, "an exported album")

        page.click(".grid .tile")
        page.until("the first photo", SHOWN, places[0])
        page.press(Keys.ARROW_RIGHT)
        page.until("the second photo", SHOWN, places[1])
        page.press(Keys.ESCAPE)
        page.until("the album", "return document.querySelector('dialog[open]') === null && location.hash === ''")
        self.assertTrue(page.run("return document.activeElement.hash === arguments[0]", places[1]))

        page.open((stick / "index.html").as_uri() + places[2])
        page.until("the photo of an address", SHOWN, places[2])
        self.assert_quiet(page)
