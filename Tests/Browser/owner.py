"""The owner's page, on the laptop itself."""
from selenium.webdriver.common.keys import Keys

from .scenario import Scenario

CHECKED_SECONDS_MAX = 120


class Owner(Scenario):
    def test_opens_with_a_one_time_code(self):
        self.need("Chromium")
        url = self.gathering.agent(1).json("open", "--print")["url"]
        self.assertRegex(url, r"^http://127\.\d+\.\d+\.\d+:\d+/.*#.+")
        page = self.start("Chromium", 1, size=(1280, 800))
        page.open(url)
        page.shows_page("albums")
        page.until("the way to the owner's page", "return document.querySelector('#owner-link')?.checkVisibility()")
        page.click("#owner-link")
        page.shows_page("owner")
        page.is_live()
        page.until("the other laptops", "return document.querySelector('#laptops')?.innerText.includes('Laptop 2') "
                   "&& document.querySelector('#laptops').innerText.includes('Laptop 3')")
        page.until("the guests' link", "return document.querySelector('#guests-link')?.value.includes('/g/#')")
        self.assertEqual(page.run("return location.hash"), "")
        self.assert_accessible(page, "the owner's page")
        self.assertEqual(page.fetch("/api/v1/me")["body"]["kind"], "owner")
        self.assert_quiet(page)

        page.open(page.run("return location.origin") + "/cards")
        page.until("a card", "return document.querySelectorAll('#cards-sheet svg').length > 0")
        self.assert_accessible(page, "the cards")
        page.open(page.run("return location.origin") + "/wall")
        page.shows_page("wall")
        page.is_live()
        page.pictures_loaded()
        self.assert_accessible(page, "the wall")
        self.assert_quiet(page)

        other = self.start("Chromium", 1)
        other.open(url)
        other.until("an answer", "return document.readyState === 'complete'")
        self.assertEqual(other.fetch("/api/v1/me")["status"], 401, "a code was good twice")

    def test_checks_what_is_kept(self):
        page = self.owner_page(size=(1280, 800))
        page.until("the card", "return document.querySelector('#check')?.checkVisibility()")
        page.click("#check summary")
        page.run("[...document.querySelectorAll('#check button')].find((button) => button.textContent === 'Check now').focus()")
        page.press(Keys.ENTER)
        page.until("what was found", "return document.querySelector('#check .owner-sentences').textContent.startsWith('Looked at ')",
                   patience=CHECKED_SECONDS_MAX)
        page.until("the focus on a button", "return document.activeElement?.textContent === 'Check now'")
        self.assert_accessible(page, "the owner's page with a check")
        self.assert_quiet(page)

    def test_a_guest_is_no_owner(self):
        guest = self.gathering.join("Curious")
        visitor = self.gathering.visitor(1, guest.bearer)
        for path in ("/api/v1/status", "/api/v1/guests", "/api/v1/trash", "/api/v1/invite", "/owner", "/cards"):
            with self.subTest(path):
                self.assertIn(visitor.get(path).status, (303, 401, 403, 404))
        answer = visitor.post("/api/v1/guests/link", {"albums": None, "look_only": False, "approve": False, "until": None})
        self.assertEqual(answer.status, 403)
