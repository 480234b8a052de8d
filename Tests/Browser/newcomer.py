"""Somebody scans the code with a phone, gives a name, and sees the photos."""
from .scenario import Scenario


class Newcomer(Scenario):
    def test_joins_by_the_link_and_sees_photos(self):
        self.need("Chromium")
        album = self.gathering.album("Beach day", 12)
        page = self.start("Chromium", 4)
        page.open(self.gathering.link(1))
        page.shows_page("join")
        page.until("an erased fragment", "return location.hash === ''")
        self.assert_accessible(page, "the page at the door")
        page.type("input[name=guest-name]", "Lena")
        page.click("#join-button")

        page.shows_page("albums")
        page.is_live()
        page.until("the album's card", "return [...document.querySelectorAll('.album')]"
                   ".some((card) => card.innerText.includes(arguments[0]))", album.name)
        page.pictures_loaded()
        self.assert_accessible(page, "the albums")
        me = page.fetch("/api/v1/me")["body"]
        self.assertEqual((me["kind"], me["guest"]["name"]), ("guest", "Lena"))

        page.click(f"a.album[href='/album/{album.id}']")
        page.shows_page("album")
        page.is_live()
        page.pictures_loaded(3)
        self.assertIn("12 photos", page.text("#summary"))
        page.until("the + button", "return document.querySelector('.add-button')?.checkVisibility()")
        self.assert_accessible(page, "an album")

        photo = page.run("return document.querySelector('.grid .tile img').dataset.photo")
        page.click(f".grid .tile img[data-photo='{photo}']")
        page.shows_page("viewer")
        page.until("the photo in front", """
            const image = document.querySelector(`.viewer .slide[aria-hidden="false"] img[data-photo="${arguments[0]}"]`)
              ?? document.querySelector(`.viewer img[data-photo="${arguments[0]}"]`);
            return image?.complete && image.naturalWidth >= 480;""", photo)
        self.assertIn(f"/photo/{photo}", page.run("return location.pathname"))
        self.assert_accessible(page, "the viewer")
        page.run("history.back()")
        page.shows_page("album")

        page.click(".add-button")
        page.until("the sheet", "return document.querySelector('dialog[open] input[data-source=photos]') !== null "
                   "&& document.querySelector('dialog[open] input[data-source=files]') !== null")
        self.assert_accessible(page, "the sheet for adding")
        self.assert_quiet(page)

    def test_comes_back_as_the_same_guest(self):
        self.gathering.album("Second look", 3)
        page = self.guest_page("Chromium", "Ruth")
        me = page.fetch("/api/v1/me")["body"]["guest"]
        page.open(self.gathering.link(1))
        page.shows_page("albums")
        self.assertEqual(page.fetch("/api/v1/me")["body"]["guest"]["id"], me["id"], "a second scan made another guest")
        other = self.start(self.present("WebKit", "Firefox", "Chromium")[0], 4)
        other.open(me["link"])
        other.shows_page("albums")
        self.assertEqual(other.fetch("/api/v1/me")["body"]["guest"]["id"], me["id"],
                         "the personal link made another guest")

    def test_a_wrong_link_says_what_to_do(self):
        page = self.start("Chromium", 4)
        page.open(f"{self.gathering.origin(1)}/g/#{'x' * 22}")
        page.shows_page("join")
        page.type("input[name=guest-name]", "Mallory")
        page.click("#join-button")
        page.until("a sentence", "return document.querySelector('#message').innerText.length > 10")
        self.assertEqual(page.fetch("/api/v1/me")["status"], 401)
        self.assertEqual(page.fetch("/api/v1/albums")["status"], 401)
