"""The wall runs for days: many photos go through it, and nothing stays behind."""
import time

from .gathering import sha256
from .scenario import Scenario

PHOTO_COUNT = 500
ALIVE_PICTURE_COUNT_MAX = 12
# Between a tenth of the photos and all of them.
HEAP_GROWTH_MAX = 2_000_000

# The key for the next photo takes the place of the eight seconds; a slide that is being loaded is waited for.
SHOW = """
const [count, deadline] = [arguments[0], performance.now() + 20_000];
window.wallSeen ??= {photos: 0, slides: 0, most: 0, element: null};
const seen = wallSeen;
return (async () => {
  const aim = seen.photos + count;
  while (seen.photos < aim && performance.now() < deadline) {
    dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const slides = document.querySelectorAll(".wall-slide");
    const newest = slides[slides.length - 1];
    if (newest === undefined || newest === seen.element) continue;
    seen.element = newest;
    seen.slides += 1;
    seen.photos += newest.querySelectorAll("img[data-photo]").length;
    seen.most = Math.max(seen.most, document.images.length);
  }
  return {photos: seen.photos, slides: seen.slides, most: seen.most};
})()"""


class Wall(Scenario):
    def test_five_hundred_photos_leave_nothing_behind(self):
        self.need("Chromium")
        self.gathering.album("On the wall", PHOTO_COUNT, everywhere=False, shapes=[(160, 120), (120, 160)])
        page = self.guest_page("Chromium", "Projector", size=(1920, 1080))
        # Without the fading, which alone would take two minutes.
        page.prefers(reduced_motion="reduce")
        page.open(self.gathering.origin(1) + "/wall")
        page.shows_page("wall")
        page.is_live()
        page.pictures_loaded()
        heaps, seen, start = {}, {"photos": 0}, time.monotonic()
        while seen["photos"] < PHOTO_COUNT:
            before = seen["photos"]
            seen = page.run(SHOW, 50)
            self.assertGreater(seen["photos"], before, "the wall stands still")
            heaps[seen["photos"]] = page.heap()
            self.assertLessEqual(seen["most"], ALIVE_PICTURE_COUNT_MAX, "pictures in the page")
            self.assertLessEqual(self.alive_pictures(page), ALIVE_PICTURE_COUNT_MAX, "pictures alive")
        early = min(heap for photos, heap in heaps.items() if photos >= PHOTO_COUNT // 10)
        late = list(heaps.values())[-1]
        self.say(f"{seen['photos']} photos on {seen['slides']} slides in {time.monotonic() - start:.0f} s; heap "
                 f"{early / 1e6:.1f} MB at first, {late / 1e6:.1f} MB at the end; at most {seen['most']} pictures")
        self.assertLess(late - early, HEAP_GROWTH_MAX, f"the heap grew: {heaps}")
        self.assert_quiet(page)

    def alive_pictures(self, page):
        """Pictures with an address that the page still holds, wherever they are."""
        prototype = page.cdp("Runtime.evaluate", expression="HTMLImageElement.prototype")["result"]["objectId"]
        found = page.cdp("Runtime.queryObjects", prototypeObjectId=prototype)["objects"]["objectId"]
        count = page.cdp("Runtime.callFunctionOn", objectId=found, returnByValue=True,
                         functionDeclaration="function () { return this.filter((image) => image.src !== '').length; }")
        page.cdp("Runtime.releaseObject", objectId=found)
        return count["result"]["value"]

    def test_a_new_photo_interrupts(self):
        self.need("Chromium")
        album = self.gathering.album("Arrivals", 2)
        page = self.guest_page("Chromium", "Projector", 2, size=(1280, 800))
        page.open(self.gathering.origin(2) + "/wall")
        page.shows_page("wall")
        page.is_live()
        page.pictures_loaded()
        (path,) = self.gathering.make_files("arrival", 1)
        photo = sha256(path)
        start = self.gathering.drop(path, album.name)
        page.has_picture(photo, 6)
        self.say(f"on the wall after {1000 * (time.monotonic() - start):.0f} ms")
