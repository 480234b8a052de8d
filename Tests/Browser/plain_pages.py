"""Browsers without JavaScript see the photos all the same, and so does whoever reads the HTML."""
import html.parser
import urllib.parse

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from benches.figures import wait_for
from .scenario import Scenario


class Links(html.parser.HTMLParser):
    """Addresses of links and pictures."""

    def __init__(self, text):
        super().__init__()
        self.links, self.pictures = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "img" and values.get("data-photo"):
            self.pictures.append(values["src"])


class PlainPages(Scenario):
    def test_joins_and_looks_without_javascript(self):
        self.need("Chromium")
        album = self.gathering.album("Plain", 5)
        # At a laptop: the driver's touches are answered by scripts.
        page = self.start("Chromium", 2, size=(1280, 800), scripts=False)
        driver = page.driver

        def find(selector):
            return wait_for(selector, lambda: driver.find_elements(By.CSS_SELECTOR, selector), 0.05, 20)

        def shown(selector):
            """Pictures with pixels, as the driver sees them."""
            for picture in find(selector):
                ActionChains(driver).scroll_to_element(picture).perform()
                wait_for("a picture", lambda: int(picture.get_property("naturalWidth")) > 0, 0.05, 20)
            return len(find(selector))

        def sentence():
            try:
                return find("#message")[0].text
            except StaleElementReferenceException:
                # The next page came meanwhile.
                return ""

        page.open(f"{self.gathering.origin(1)}/g/")
        # Wrong first: the form comes back with what was typed and a sentence.
        find("input[name=token]")[0].send_keys("wrongwrongwrong")
        find("input[name=guest-name]")[0].send_keys("Plain Jane")
        find("#join-button")[0].click()
        wait_for("a sentence", lambda: len(sentence()) > 10, 0.05, 20)
        find("input[name=token]")[0].clear()
        find("input[name=token]")[0].send_keys(self.gathering.token(1))
        find("input[name=guest-name]")[0].clear()
        find("input[name=guest-name]")[0].send_keys("Plain Jane")
        find("#join-button")[0].click()
        find("body[data-page=albums]")
        find(f"a.album[href='/album/{album.id}']")[0].click()
        find("body[data-page=album]")
        self.assertEqual(shown(".tile img[data-photo]"), len(album.photos))
        tile = find(".tile")[0]
        photo = tile.find_element(By.TAG_NAME, "img").get_attribute("data-photo")
        tile.click()
        find("body[data-page=viewer]")
        self.assertEqual(shown(f"img[data-photo='{photo}']"), 1)
        self.assertTrue(find("a[href*='/original']"))

    def test_html_alone_leads_to_every_photo(self):
        album = self.gathering.album("By links", 70, everywhere=False)
        guest = self.gathering.join("Reader")
        visitor = self.gathering.visitor(1, guest.bearer)
        seen, pages, todo = set(), set(), [f"/album/{album.id}"]
        while todo:
            path = todo.pop()
            pages.add(path)
            answer = visitor.get(path, {"Accept": "text/html"})
            self.assertEqual(answer.status, 200, path)
            self.assertTrue(answer.headers["content-type"].startswith("text/html"))
            found = Links(answer.body.decode())
            seen |= {urllib.parse.urlsplit(source).path.split("/")[4] for source in found.pictures}
            for link in found.links:
                target = urllib.parse.urljoin(path, link)
                if target.startswith(f"/album/{album.id}?") and target not in pages | set(todo):
                    todo.append(target)
        self.assertEqual(seen, set(album.photos), f"on {len(pages)} pages")

    def test_policies_of_every_page(self):
        album = self.gathering.album("Policies", 1)
        guest = self.gathering.join("Lawyer")
        visitor = self.gathering.visitor(1, guest.bearer)
        for path in ("/", f"/album/{album.id}", f"/album/{album.id}/photo/{album.photos[0]}", "/wall", "/g/", "/probe/"):
            with self.subTest(path):
                answer = visitor.get(path, {"Accept": "text/html"})
                self.assertEqual(answer.status, 200)
                policy = answer.headers.get("content-security-policy", "")
                self.assertIn("default-src 'none'", policy)
                self.assertNotIn("unsafe", policy)
                self.assertIn("frame-ancestors", policy)
                self.assertEqual(answer.headers.get("x-content-type-options"), "nosniff")
                self.assertNotIn("<script>", answer.body.decode())
                self.assertNotIn("style=", answer.body.decode())
