"""A photo that is dropped on one laptop appears on the pages of the others."""
import time

from .gathering import sha256
from .scenario import Scenario

SEEN_SECONDS_MAX = 5


class Live(Scenario):
    def test_a_dropped_photo_appears_on_other_laptops(self):
        engines = self.present("Chromium", "WebKit")
        album = self.gathering.album("Live", 4)
        pages = [self.guest_page(engine, f"Viewer {laptop}", laptop, place=laptop)
                 for laptop, engine in zip((2, 3), engines * 2)]
        for page in pages:
            page.open(f"{page.run('return location.origin')}/album/{album.id}")
            page.shows_page("album")
            page.is_live()
            page.pictures_loaded(2)
        for number, path in enumerate(self.gathering.make_files("newest", 5)):
            photo = sha256(path)
            start = self.gathering.drop(path, album.name)
            for page in pages:
                page.has_picture(photo, SEEN_SECONDS_MAX)
                self.say(f"photo {number + 1} in {page.engine} after {1000 * (time.monotonic() - start):.0f} ms")
        for page in pages:
            self.assert_quiet(page)

    def test_words_appear_on_other_laptops(self):
        self.need("Chromium")
        album = self.gathering.album("Words", 2)
        photo = album.photos[0]
        page = self.guest_page("Chromium", "Reader", 2)
        page.open(f"{page.run('return location.origin')}/album/{album.id}/photo/{photo}")
        page.shows_page("viewer")
        page.is_live()
        page.has_picture(photo)
        guest = self.gathering.join("Writer", 3)
        writer = self.gathering.visitor(3, guest.bearer)
        answer = writer.post(f"/api/v1/albums/{album.id}/photos/{photo}/comments", {"text": "Sand in my shoes"})
        self.assertEqual(answer.status, 201)
        page.until("the comment", "return document.querySelector('.viewer').textContent.includes('Sand in my shoes')",
                   patience=10)
