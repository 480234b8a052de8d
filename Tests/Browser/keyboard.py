"""Everything can be done without a pointer, and it can be seen where the focus is."""
from selenium.webdriver.common.keys import Keys

from .scenario import Scenario

# Marks what a keyboard has to reach: visible controls, of the dialog in front if there is one. How each looks without
# the focus is kept, to compare with how it looks with it.
MARK = """
document.activeElement?.blur();
const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
const looks = (element) => {
  const rows = [];
  for (let one = element, up = 0; one && up < 4; one = one.parentElement, up += 1) {
    const style = getComputedStyle(one);
    rows.push([style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.backgroundColor].join());
  }
  return rows;
};
window.tabbing = {looks, controls: []};
for (const element of root.querySelectorAll("a[href], button, input, select, textarea, summary, video[controls], [tabindex]")) {
  if (element.tabIndex < 0 || element.disabled || element.closest("[inert], [aria-hidden=true]")) continue;
  if (element.type === "hidden" || !element.checkVisibility({visibilityProperty: true})) continue;
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) continue;
  tabbing.controls.push({element, before: looks(element), isReached: false, isSeen: false});
}
return tabbing.controls.length;
"""
NOTE = """
const element = document.activeElement;
const control = tabbing.controls.find((one) => one.element === element);
if (control === undefined) return null;
control.isReached = true;
const now = tabbing.looks(element);
control.isSeen ||= now.some((row, index) => row !== control.before[index]);
return control.isSeen;
"""
LEFT = """
const name = ({element}) => element.getAttribute("aria-label") || element.innerText?.trim().slice(0, 40) || element.id
  || element.outerHTML.slice(0, 100);
return {unreached: tabbing.controls.filter((one) => !one.isReached && one.element.isConnected).map(name),
  unseen: tabbing.controls.filter((one) => one.isReached && !one.isSeen).map(name)};
"""
FOCUS_LOOK_SECONDS_MAX = 1


class Keyboard(Scenario):
    def tab_through(self, page, what):
        """Presses Tab until every visible control had the focus."""
        count = page.until(f"controls on {what}", MARK)
        for _ in range(2 * count + 12):
            page.press(Keys.TAB)
            if page.run(NOTE) is False:
                # The look may change in steps.
                page.until(f"a visible focus on {what}: {page.run('return document.activeElement.outerHTML.slice(0, 120)')}",
                           NOTE, patience=FOCUS_LOOK_SECONDS_MAX)
            if not page.run(LEFT)["unreached"]:
                break
        left = page.run(LEFT)
        self.assertEqual(left, {"unreached": [], "unseen": []}, f"by Tab on {what}, of {count} controls")
        return count

    def focus(self, page, selector):
        page.until(selector, "return document.querySelector(arguments[0])?.checkVisibility()", selector)
        page.run("document.querySelector(arguments[0]).focus({focusVisible: true})", selector)

    def test_every_control_of_a_guest(self):
        self.need("Chromium")
        album = self.gathering.album("Keys", 6)
        origin = self.gathering.origin(1)
        page = self.start("Chromium", 4, size=(1280, 800))
        page.open(self.gathering.link(1))
        page.shows_page("join")
        page.until("the focus in the name's field", "return document.activeElement?.name === 'guest-name'")
        self.tab_through(page, "the page at the door")
        self.focus(page, "#guest-name")
        page.press(*"Tabitha", Keys.ENTER)
        page.shows_page("albums")
        page.is_live()
        page.until("the + button", "return document.querySelector('.add-button')?.checkVisibility()")
        page.pictures_loaded()
        self.tab_through(page, "the albums")
        self.focus(page, f"a.album[href='/album/{album.id}']")
        page.press(Keys.ENTER)

        page.shows_page("album")
        page.is_live()
        page.pictures_loaded(2)
        page.until("the + button", "return document.querySelector('.add-button')?.checkVisibility()")
        self.tab_through(page, "an album")
        self.focus(page, ".grid .tile[tabindex='0']")
        first = page.run("return document.activeElement.querySelector('img').dataset.photo")
        page.press(Keys.ARROW_RIGHT)
        page.until("the next tile", "return document.activeElement?.querySelector('img')?.dataset.photo !== arguments[0] "
                   "&& document.activeElement?.matches('.tile')", first)
        page.press(Keys.ARROW_LEFT, Keys.ENTER)

        page.shows_page("viewer")
        page.has_picture(first)
        self.assertIn(first, page.run("return location.pathname"))
        page.press(Keys.ARROW_RIGHT)
        page.until("the older photo", "return document.body.dataset.page === 'viewer' "
                   "&& !location.pathname.endsWith(arguments[0])", first)
        page.press(Keys.ARROW_LEFT)
        page.until("the photo before", "return location.pathname.endsWith(arguments[0])", first)
        self.tab_through(page, "the viewer")
        page.press("i")
        page.until("the panel", "return document.querySelector('.viewer-with-panel') !== null")
        self.tab_through(page, "the viewer's panel")
        page.press(Keys.ESCAPE)
        page.until("no panel", "return document.querySelector('.viewer-with-panel') === null")
        page.press(Keys.ESCAPE)
        page.shows_page("album")
        page.until("the focus on the tile it came from",
                   "return document.activeElement?.querySelector('img')?.dataset.photo === arguments[0]", first)

        self.focus(page, ".add-button")
        page.press(Keys.ENTER)
        page.until("the sheet", "return document.querySelector('dialog[open] input[data-source=photos]') !== null")
        self.tab_through(page, "the sheet for adding")
        page.press(Keys.ESCAPE)
        page.until("the + button in focus", "return document.querySelector('dialog[open]') === null "
                   "&& document.activeElement?.matches('.add-button')")
        page.open(f"{origin}/g/")
        page.until("the personal code", "return document.querySelector('#again')?.checkVisibility()")
        self.tab_through(page, "“it's me again”")

    def test_every_control_of_the_owner(self):
        album = self.gathering.album("Keys of the owner", 2)
        self.assertTrue(album.id)
        page = self.owner_page(size=(1280, 800))
        page.is_live()
        page.until("the cards", "return document.querySelectorAll('.owner-card:not([hidden])').length >= 4")
        # Sections that are closed open by their own summary.
        page.run("for (const one of document.querySelectorAll('details')) one.open = true")
        self.tab_through(page, "the owner's page")
        origin = page.run("return location.origin")
        page.open(f"{origin}/cards")
        page.until("a card", "return document.querySelectorAll('#cards-sheet svg').length > 0")
        self.tab_through(page, "the cards")
        page.open(f"{origin}/wall")
        page.shows_page("wall")
        page.pictures_loaded()
        self.tab_through(page, "the wall")
        page.run("document.activeElement.blur()")
        for key, selector in (("q", "#code-button"), ("z", "#zoom"), (" ", "#pause")):
            before = page.run("return document.querySelector(arguments[0]).getAttribute('aria-pressed')", selector)
            page.press(key)
            page.until(f"the key {key!r}", "return document.querySelector(arguments[0]).getAttribute('aria-pressed') "
                       "!== arguments[1]", selector, before)
