"""What pages are asked and told, in every engine alike."""
import json
import os
import time

from benches.figures import Failure

PATIENCE_SECONDS = 20

# Collected by the page itself where the driver reports nothing; `csp` is what the page's own policy refused.
COLLECTOR = """
if (!window.potluckErrors) {
  window.potluckErrors = [];
  const note = (text) => potluckErrors.push(String(text));
  addEventListener("error", (event) => note(event.message || `failed: ${event.target?.src || event.target?.href}`), true);
  addEventListener("unhandledrejection", (event) => note(event.reason?.stack || event.reason));
  document.addEventListener("securitypolicyviolation", (event) => note(`csp: ${event.violatedDirective} ${event.blockedURI}`));
  const before = console.error;
  console.error = (...words) => { note(words.join(" ")); before.apply(console, words); };
}
"""

FIND_AXE = "axe_playwright_python"


class Page:
    """What the engines have in common. Each has `open`, `run`, `click`, `type`, `files`, `press`, `picture`, `close`."""

    engine = "?"

    def run(self, script, *arguments):
        """Runs the body of a function in the page; returns what it returns, a promise's value for a promise."""
        raise NotImplementedError

    def until(self, what, script, *arguments, patience=PATIENCE_SECONDS, pause=0.05):
        """The value of a function's body in the page, once that is true."""
        end, value, last = time.monotonic() + patience, None, None
        while True:
            try:
                value = self.run(script, *arguments)
            except PageBusy as error:
                last = error
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"{self.engine} waited {patience} s for {what}, in vain{self.whereabouts(last)}")
            time.sleep(pause)

    def whereabouts(self, error):
        try:
            words = self.run("return [location.href, document.body?.dataset.page, document.body?.dataset.live, "
                             "document.body?.innerText.slice(0, 300)]")
            return f": {json.dumps(words, ensure_ascii=False)}"
        except PageBusy:
            return f": {error}"

    def shows_page(self, name, patience=PATIENCE_SECONDS):
        """Waits for a page by what it says of itself."""
        names = [name] if isinstance(name, str) else list(name)
        self.until(f"the page {name}", "return document.readyState === 'complete' && "
                   "arguments[0].includes(document.body.dataset.page)", names, patience=patience)

    def is_live(self, patience=PATIENCE_SECONDS):
        self.until("the event stream", "return document.body.dataset.live === 'live'", patience=patience)

    def has_picture(self, photo, patience=PATIENCE_SECONDS):
        """Waits until a photo is on the screen with all its pixels."""
        self.until(f"the photo {photo[:12]}", """
            return [...document.querySelectorAll(`img[data-photo="${arguments[0]}"]`)]
              .some((image) => image.complete && image.naturalWidth > 0)""", photo, patience=patience)

    def pictures_loaded(self, least=1, patience=PATIENCE_SECONDS):
        """Waits until every picture in the view is there; how many there are."""
        return self.until(f"{least} loaded pictures", """
            const seen = [...document.querySelectorAll("img")].filter((image) => {
              const box = image.getBoundingClientRect();
              return box.width > 0 && box.bottom > 0 && box.top < innerHeight && image.hasAttribute("src");
            });
            return seen.length >= arguments[0] && seen.every((image) => image.complete && image.naturalWidth > 0)
              ? seen.length : 0""", least, patience=patience)

    def rests(self, patience=PATIENCE_SECONDS):
        """Waits until nothing moves any more, but for what moves for ever."""
        self.until("rest", "return document.fonts.status === 'loaded' && document.getAnimations().every((one) => "
                   "one.playState !== 'running' || one.effect?.getComputedTiming().iterations === Infinity)", patience=patience)

    def exists(self, selector):
        return self.run("return document.querySelector(arguments[0]) !== null", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def fetch(self, path):
        """Status and JSON of a request with the page's own session."""
        return self.run("""
            return fetch(arguments[0], {cache: "no-store"}).then(async (answer) =>
              ({status: answer.status, body: await answer.json().catch(() => null)}))""", path)

    def axe(self):
        """Serious and critical findings of axe-core, in words. What is still fading in has other colours: it ends first."""
        self.rests()
        source = axe_source()
        self.run(f"if (!window.axe) {{ {source}; window.axe = window.axe ?? this.axe; }} return true")
        found = self.run("""
            return axe.run(document, {resultTypes: ["violations"]}).then((result) => result.violations
              .filter((one) => ["serious", "critical"].includes(one.impact))
              .map((one) => `${one.id} (${one.impact}): ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`))
            """)
        return found


class PageBusy(Exception):
    """The page could not answer now: it is being loaded, or has just gone."""


def axe_source():
    """axe-core, which the PyPI package brings as a file; its Python part wants Playwright and is left alone."""
    import importlib.util
    folder = importlib.util.find_spec(FIND_AXE).submodule_search_locations[0]
    with open(os.path.join(folder, "axe.min.js"), encoding="utf-8") as file:
        return file.read()
