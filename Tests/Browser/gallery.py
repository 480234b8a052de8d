"""What people do with photos in the gallery: tags, favourites, taking home, taking back, films, and the page of all albums."""
import io
import subprocess
import urllib.parse
import zipfile

from selenium.webdriver.common.keys import Keys

from .gathering import sha256
from .scenario import Scenario

FILM_SECONDS_MAX = 90
# Forms that would begin a download are kept instead, for the test to look at.
KEEP_FORMS = """
window.keptForm = null;
HTMLFormElement.prototype.submit = function () {
  window.keptForm = {path: new URL(this.action).pathname, fields: Object.fromEntries(new FormData(this))};
};"""
FRONT = "document.querySelector('.viewer .slide[aria-hidden=\"false\"] img[data-photo=\"' + arguments[0] + '\"]')"


class Gallery(Scenario):
    def album_page(self, page, album, query=""):
        page.open(f"{page.run('return location.origin')}/album/{album}{query}")
        page.shows_page("album")
        page.is_live()
        page.pictures_loaded()

    def viewer_page(self, page, album, photo):
        page.open(f"{page.run('return location.origin')}/album/{album}/photo/{photo}")
        page.shows_page("viewer")
        page.is_live()
        page.until("the photo in front", f"const image = {FRONT}; return image?.complete && image.naturalWidth > 0", photo)

    def open_panel(self, page):
        page.press("i")
        page.until("the panel's words", "return document.querySelector('.viewer-with-panel .facts') !== null")

    def tags_shown(self, page, tags):
        page.until(f"the tags {tags}", "return [...document.querySelectorAll('.panel-tags .chip')]"
                   ".map((chip) => chip.innerText.trim()).sort().join() === arguments[0].join()", sorted(tags))

    def details(self, laptop, bearer, album, photo):
        return self.gathering.visitor(laptop, bearer).get(f"/api/v1/albums/{album}/photos/{photo}").json()

    def test_tags_by_keyboard(self):
        self.need("Chromium")
        album = self.gathering.album("Tagged", 2)
        photo = album.photos[0]
        page = self.owner_page(size=(1280, 800))
        watcher = self.gathering.join("Watcher of tags")
        self.viewer_page(page, album.id, photo)
        self.open_panel(page)
        page.run("document.querySelector('#panel-tag').focus()")
        page.press(*"#beach, grill", Keys.ENTER)
        self.tags_shown(page, ["beach", "grill"])
        page.until("the focus in the field", "return document.activeElement?.id === 'panel-tag' && document.activeElement.value === ''")
        self.within("the tags in the album", lambda: sorted(
            self.details(1, watcher.bearer, album.id, photo)["tags"]) == ["beach", "grill"], 10)
        page.run("document.querySelector('[aria-label=\"Remove the tag beach\"]').focus()")
        page.press(Keys.ENTER)
        self.tags_shown(page, ["grill"])
        page.until("the focus on the next tag", "return document.activeElement?.matches('.panel-tags .chip, #panel-tag')")
        self.within("one tag in the album", lambda: self.details(
            1, watcher.bearer, album.id, photo)["tags"] == ["grill"], 10)
        self.assert_accessible(page, "the viewer's panel with tags")
        self.assert_quiet(page)

    def test_words_of_others_are_read_only(self):
        """A guest adds to a photo of the owner, and is offered nothing that the laptop would refuse."""
        self.need("Chromium")
        album = self.gathering.album("Told by others", 2)
        photo = album.photos[0]
        page = self.guest_page("Chromium", "Reader of words", size=(1280, 800))
        self.viewer_page(page, album.id, photo)
        self.open_panel(page)
        page.type("#panel-caption", "Our dunes")
        page.press(Keys.ENTER)
        page.until("the caption as text", "return document.querySelector('.panel-caption')?.textContent === 'Our dunes' "
                   "&& document.querySelector('#panel-caption') === null")
        page.type("#panel-tag", "sand")
        page.press(Keys.ENTER)
        page.until("the tag as text", "return document.querySelector('.panel-tags')?.textContent === '#sand'")
        self.assertEqual(page.run("return document.querySelectorAll('.panel-tags button').length"), 0)
        self.assert_accessible(page, "the viewer's panel with words of others")
        self.assert_quiet(page)

    def test_a_comment_that_is_not_sent_stays(self):
        self.need("Chromium")
        album = self.gathering.album("Half a comment", 2)
        photo = album.photos[0]
        page = self.guest_page("Chromium", "Slow writer", size=(1280, 800))
        self.viewer_page(page, album.id, photo)
        self.open_panel(page)
        page.type("#panel-comment", "Half a sent")
        other = self.gathering.join("Quick writer")
        answer = self.gathering.visitor(1, other.bearer).post(
            f"/api/v1/albums/{album.id}/photos/{photo}/comments", {"text": "First"})
        self.assertEqual(answer.status, 201)
        page.until("the other comment", "return document.querySelector('.comments')?.innerText.includes('First')")
        page.until("the words and the focus", "return document.activeElement?.id === 'panel-comment' "
                   "&& document.activeElement.value === 'Half a sent'")
        self.assert_quiet(page)

    def test_all_photos(self):
        self.need("Chromium")
        album = self.gathering.album("Among all", 2)
        photo = album.photos[0]
        page = self.guest_page("Chromium", "Everywhere", size=(1280, 800))
        me = page.fetch("/api/v1/me")["body"]["guest"]
        watcher = self.gathering.join("Watcher of all")
        self.viewer_page(page, "all", photo)
        page.press("f")
        self.within("the favourite", lambda: me["name"] in " ".join(
            self.details(1, watcher.bearer, album.id, photo)["favourites"]), 10)
        self.open_panel(page)
        page.type("#panel-comment", "From afar")
        page.click("#panel-comment-send")
        page.until("the comment", "return document.querySelector('.comments')?.innerText.includes('From afar')")
        self.assertEqual([comment["text"] for comment in self.details(1, watcher.bearer, album.id, photo)["comments"]],
                         ["From afar"])
        page.press(Keys.ESCAPE)
        self.album_page(page, "all")
        page.run(KEEP_FORMS)
        page.click("#head [aria-label='Take home']")
        page.click("dialog[open] .choice")
        form = page.until("the form", "return window.keptForm")
        self.assertEqual(form["path"], "/api/v1/albums/all/zip")
        self.assert_quiet(page)

    def test_takes_home_what_a_search_shows(self):
        self.need("Chromium")
        album = self.gathering.album("Picked", 4)
        page = self.guest_page("Chromium", "Picker", size=(1280, 800))
        other = self.gathering.join("Tags for the picker")
        visitor = self.gathering.visitor(1, other.bearer)
        picked = album.photos[:2]
        for photo in picked:
            answer = visitor.request("PUT", f"/api/v1/albums/{album.id}/photos/{photo}/tags", {"add": ["picked"]})
            self.assertEqual(answer.status, 204)
        months = f"/api/v1/albums/{album.id}/months?tag=picked"
        self.within("the search", lambda: visitor.get(months).json()["count"] == len(picked), 10)
        self.album_page(page, album.id, "?tag=picked")
        page.until("what is found", "return document.querySelector('#summary').textContent.startsWith('2 photos')")
        page.run(KEEP_FORMS)
        page.click("#head [aria-label='Take home']")
        page.until("the sheet", "return document.querySelector('dialog[open] .choice') !== null")
        words = page.text("dialog[open]")
        self.assertIn("The 2 photos that are shown", words)
        self.assertIn("The whole album", words)
        page.prefers(color_scheme="dark", reduced_motion="reduce")
        self.assert_accessible(page, "the sheet for taking home, dark")
        page.click("dialog[open] .choice")
        form = page.until("the form", "return window.keptForm")
        self.assertEqual(form["fields"], {"tag": "picked", "size": "original"})
        archive = visitor.get(f"{form['path']}?{urllib.parse.urlencode(form['fields'])}")
        self.assertEqual(archive.status, 200)
        self.assertEqual(len(zipfile.ZipFile(io.BytesIO(archive.body)).namelist()), len(picked))
        self.assert_quiet(page)

    def test_removes_a_choice_and_brings_it_back(self):
        self.need("Chromium")
        album = self.gathering.album("Removed", 4)
        page = self.owner_page(size=(1280, 800))
        self.album_page(page, album.id)
        page.click("#head [aria-label='Choose photos']")
        for photo in album.photos[:2]:
            page.click(f".grid .tile img[data-photo='{photo}']")
        page.until("two that are chosen", "return document.querySelectorAll('.tile[aria-checked=true]').length === 2")
        page.click("[aria-label='Remove the chosen photos']")
        page.until("the question", "return document.querySelector('dialog[open] .button-main')?.checkVisibility()")
        self.assertEqual(self.gathering.photos_of(album.name), set(album.photos), "removed before the answer")
        page.click("dialog[open] .button-main")
        # A notice stays while it has the focus.
        page.until("the way back", "document.querySelector('.notice .button')?.focus(); "
                   "return document.activeElement?.matches('.notice .button')")
        self.within("an album without them", lambda: self.gathering.photos_of(album.name) == set(album.photos[2:]), 20)
        page.click(".notice .button")
        self.within("the whole album", lambda: self.gathering.photos_of(album.name) == set(album.photos), 20)
        page.until("four tiles", "return document.querySelectorAll('.grid .tile').length === 4")

    def test_a_film_plays(self):
        self.need("Chromium")
        album = self.gathering.album("Films", 1)
        path = self.gathering.directory / "made" / "wave.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=10", "-t", "3",
                        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)], check=True)
        film = sha256(path)
        page = self.guest_page("Chromium", "Film lover", size=(1280, 800))
        self.album_page(page, album.id)
        self.gathering.drop(path, album.name)
        page.has_picture(film, FILM_SECONDS_MAX)
        page.click(f".grid .tile img[data-photo='{film}']")
        page.shows_page("viewer")
        page.until("a film that plays", """
            const video = document.querySelector(`.viewer video[data-photo="${arguments[0]}"]`);
            if (!video) return false;
            if (video.paused && video.currentTime === 0) {
              video.muted = true;
              video.play().catch(() => {});
            }
            return video.currentTime > 0.2 && video.videoWidth === 320;""", film, patience=FILM_SECONDS_MAX)
        self.assert_quiet(page)

    def test_sheets_by_keyboard_and_in_the_dark(self):
        self.need("Chromium")
        album = self.gathering.album("Sheets", 3)
        page = self.guest_page("Chromium", "Night owl", size=(1280, 800))
        page.prefers(color_scheme="dark", reduced_motion="reduce")
        self.album_page(page, album.id)
        for opener, what in (("#head [aria-label='Take home']", "the sheet for taking home"), ("", "the filters")):
            if opener:
                page.until(opener, "return document.querySelector(arguments[0])?.checkVisibility()", opener)
                page.run("document.querySelector(arguments[0]).focus()", opener)
            else:
                page.press("/")
                page.until("the field", "return document.activeElement?.matches('.search input')")
                page.run("document.querySelector('[aria-label=Filters]').focus()")
            page.press(Keys.ENTER)
            page.until(what, "return document.querySelector('dialog[open] :is(.choice, .filter-end)') !== null")
            # The keyboard stays inside, however often Tab is pressed.
            for _ in range(14):
                page.press(Keys.TAB)
                self.assertTrue(page.run("return document.activeElement.closest('dialog[open]') !== null"), what)
            self.assert_accessible(page, f"{what}, dark")
            page.press(Keys.ESCAPE)
            page.until("no sheet", "return document.querySelector('dialog[open]') === null")
        self.viewer_page(page, album.id, album.photos[0])
        self.open_panel(page)
        self.assert_accessible(page, "the viewer's panel, dark")
        self.assert_quiet(page)
