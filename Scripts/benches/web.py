"""What browsers and other clients of the guests' door wait for; beside it nginx, curl and zip in the same run.

  open        From the address of an album of many photos until its first picture is on the screen of the laptop itself,
              and the bytes that came before. The browser's cache is emptied each time.
  scroll      The same album flung through and pulled by its scrubber: the longest time in which most of the view is
              blank, elements in the page, memory of its scripts.
  thumbnails  Thumbnails a second by wrk with 16 connections on the laptop itself, and nginx with the same bytes as files.
  pixel       From the rename of a photo into laptop 1's folder until a browser on laptop 2 has painted it.
  upload      Photos of 4 MB by tus, two at a time as pages do; and by curl -T to nginx (WebDAV) with a sync after each.
  zip         An album as an archive; and zip -0 of the same files to nowhere.
"""
import base64
import hashlib
import os
import site
import statistics
import subprocess
import sys
import threading
import time

from .figures import MB, Failure, line, note, seconds, spread, verdict, wait_for
from .laptops import SCRIPTS, gather, process_memory
from .machine import load
from .nginx import Nginx
from .options import add_rounds, number
from .samples import dated, make_photos, photo_maker

PARTS = ["open", "scroll", "thumbnails", "pixel", "upload", "zip"]
# Prepared by Scripts/bench before anything runs.
SETS = ["browser", "web-bench"]
CHUNK_BYTE_COUNT = 8 << 20
PICTURE_COUNT = 400
PHOTOS_A_DAY = 40
NEWEST = 1_786_708_800

# Notes the first frame in which a picture has pixels.
FIRST_PICTURE = """
const look = () => {
  const image = [...document.querySelectorAll("img[data-photo]")].find((one) => one.complete && one.naturalWidth > 0
    && one.getBoundingClientRect().top < innerHeight);
  if (image) requestAnimationFrame(() => { window.potluckFirst = performance.now(); });
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
BYTES_BEFORE = """
const at = window.potluckFirst;
if (at === undefined) return null;
const rows = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return {at, bytes: rows.filter((row) => row.responseEnd > 0 && row.responseEnd <= at).reduce((sum, row) => sum + row.transferSize, 0)};
"""
# Nine points of the view: a view is blank while most of them show no loaded picture.
WATCH = """
window.watched = {blank: 0, elements: 0, frame: 0};
let since = 0, last = 0;
const step = (now) => {
  let empty = 0;
  for (const x of [0.2, 0.5, 0.8]) for (const y of [0.25, 0.5, 0.75]) {
    const hit = document.elementFromPoint(innerWidth * x * 0.9, innerHeight * y);
    const image = hit?.closest(".tile")?.querySelector("img");
    if (hit?.closest(".day, .scrubber")) continue;
    if (!(image?.complete && image.naturalWidth > 0)) empty += 1;
  }
  since = empty >= 5 ? since || now : 0;
  if (since) watched.blank = Math.max(watched.blank, now - since);
  watched.elements = Math.max(watched.elements, document.querySelectorAll("*").length);
  if (last) watched.frame = Math.max(watched.frame, now - last);
  last = now;
  requestAnimationFrame(step);
};
requestAnimationFrame(step);
"""
FLING = """
return new Promise((done) => {
  let speed = arguments[0], count = 0;
  const step = () => { scrollBy(0, speed); speed *= 0.985; count += 1; count < 200 ? requestAnimationFrame(step) : done(scrollY); };
  step();
});"""


def add_options(parser):
    parser.add_argument("--photos", type=number(100), default=50_000, help="photos of the large album (%(default)s)")
    parser.add_argument("--uploads", type=number(1), default=100, help="photos that are uploaded (%(default)s)")
    parser.add_argument("--zip-megabytes", type=number(8), default=2000, help="size of the archive (%(default)s)")
    parser.add_argument("--drops", type=number(1), default=20, help="photos that are dropped (%(default)s)")
    parser.add_argument("--only", choices=PARTS, action="append", help="leave the other parts out; may be repeated")
    add_rounds(parser, 5, "how often the album is opened, and 1 more than half as often the others")


def run(options, work):
    # The drivers come from the tests' own environment, which Scripts/bench has made.
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site.addsitedir(str(SCRIPTS.parent / ".build/browser-venv/lib" / version / "site-packages"))
    from browsers.fleet import Fleet
    parts = options.only or PARTS
    lab = work.lab(2)
    bench = WebBench(options, work, lab, Fleet(lab, work.path), gather(lab, options.binary, work.path, 2))
    try:
        for part in parts:
            note(f"{part}; {load()}")
            getattr(bench, part)()
    finally:
        bench.fleet.close_all()


class WebBench:
    def __init__(self, options, work, lab, fleet, agents):
        self.options, self.work, self.lab, self.fleet, self.agents = options, work, lab, fleet, agents
        self.rounds = options.rounds // 2 + 1
        self.links = [agent.json("guests", "on")["link"] for agent in agents]
        self.origins = [link.split("/g/")[0] for link in self.links]
        self.large = None

    # Guests

    def join(self, laptop=1, place=2):
        """A guest's visitor, who sits at `place`."""
        stranger = self.fleet.client(place, self.origins[laptop - 1])
        token = self.links[laptop - 1].split("#")[1]
        answer = stranger.post("/api/v1/guests", {"token": token, "name": f"Bench {time.monotonic_ns()}"})
        if answer.status != 201:
            raise Failure(f"joining answered {answer.status}")
        return self.fleet.client(place, self.origins[laptop - 1], answer.json()["bearer"])

    def page(self, laptop, size):
        page = self.fleet.start("Chromium", laptop, size=size)
        page.open(self.links[laptop - 1])
        page.type("input[name=guest-name]", "Bench")
        page.click("#join-button")
        page.shows_page("albums")
        return page

    def album_id(self, name):
        return next(album["id"] for album in self.agents[0].json("albums")["albums"] if album["name"] == name)

    # The large album

    def make_large(self):
        if self.large:
            return self.large
        note(f"making {self.options.photos} small photos over {self.options.photos // PHOTOS_A_DAY} days")
        maker, source = photo_maker(), self.work.path / "Large"
        pictures = [maker.photo(f"web {count}", 4_000, shape) for count in range(PICTURE_COUNT // 4)
                    for shape in ((480, 360), (360, 480), (480, 270), (480, 480))]
        source.mkdir()
        for count in range(self.options.photos):
            when = NEWEST - count // PHOTOS_A_DAY * 86_400 - count % PHOTOS_A_DAY * 60
            (source / f"IMG_{count:05}.JPG").write_bytes(dated(pictures[count % len(pictures)], when))
        source.rename(self.agents[0].folder / "Large")
        wait_for("all photos", lambda: self.agents[0].photo_count() >= self.options.photos, 1)
        visitor, album = self.join(), self.album_id("Large")

        def missing():
            months = visitor.get(f"/api/v1/albums/{album}/months").json()["months"]
            rows = [row for month in months for row in visitor.get(f"/api/v1/albums/{album}/months/{month['month']}").json()["photos"]]
            return sum(not row[1] for row in rows) + self.options.photos - len(rows)

        wait_for("all thumbnails", lambda: missing() == 0, 2)
        self.large = album
        return album

    def open(self):
        album = self.make_large()
        page, times, sizes = self.page(1, (1280, 800)), [], []
        page.cdp("Page.addScriptToEvaluateOnNewDocument", source=FIRST_PICTURE)
        for _ in range(self.options.rounds + 1):
            page.open("about:blank")
            page.cdp("Network.clearBrowserCache")
            page.open(f"{self.origins[0]}/album/{album}")
            first = page.until("the first picture", BYTES_BEFORE)
            times.append(first["at"])
            sizes.append(first["bytes"] / 1000)
        self.fleet.close(page)
        print(f"open: an album of {self.options.photos} photos, {self.options.rounds} times")
        line("first picture", spread(times[1:]) + " ms", verdict(round(statistics.median(times[1:])), 400, "ms"))
        line("bytes before it", spread(sizes[1:]) + " KB", verdict(round(statistics.median(sizes[1:])), 300, "KB"))

    def scroll(self):
        album = self.make_large()
        print(f"scroll: an album of {self.options.photos} photos")
        for name, size in (("phone", (390, 844)), ("laptop", (1280, 800))):
            page = self.page(1, size)
            page.open(f"{self.origins[0]}/album/{album}")
            page.shows_page("album")
            page.pictures_loaded(4)
            page.run(WATCH)
            for speed in (100, 250, 500, -500):
                page.run(FLING, speed)
            flung = page.run("const {blank} = watched; watched.blank = 0; return blank")
            pulled = self.pull(page, size)
            found, heap = page.run("return watched"), page.heap() / MB
            line(f"longest blank, flung, {name}", f"{flung:.0f} ms", verdict(round(flung), 150, "ms"))
            line(f"longest blank, pulled, {name}", *(["no scrubber: too few photos"] if pulled is None else
                                                     [f"{pulled:.0f} ms", verdict(round(pulled), 150, "ms")]))
            line(f"elements at most, {name}", found["elements"], verdict(found["elements"], 600, "elements"))
            line(f"heap, {name}", f"{heap:.1f} MB", verdict(round(heap), 150, "MB"), f"longest frame {found['frame']:.0f} ms")
            self.fleet.close(page)

    def pull(self, page, size):
        """The scrubber's handle, from the top to the bottom in two seconds; the longest blank meanwhile."""
        if page.run("return document.querySelector('.scrubber').hidden"):
            return None
        page.run("scrollTo(0, 0)")
        page.run("scrollBy(0, 40)")
        start = page.run("const box = document.querySelector('.scrubber-handle').getBoundingClientRect(); "
                         "return [box.x + box.width / 2, box.y + box.height / 2]")
        touch = page.is_phone

        def event(kind, y):
            if touch:
                points = [] if kind == "Ended" else [{"x": start[0], "y": y}]
                words = {"Pressed": "touchStart", "Moved": "touchMove", "Ended": "touchEnd"}[kind]
                page.cdp("Input.dispatchTouchEvent", type=words, touchPoints=points)
            else:
                words = {"Pressed": "mousePressed", "Moved": "mouseMoved", "Ended": "mouseReleased"}[kind]
                page.cdp("Input.dispatchMouseEvent", type=words, x=start[0], y=y, button="left", buttons=1, clickCount=1)

        event("Pressed", start[1])
        for step in range(60):
            event("Moved", start[1] + (size[1] - 60 - start[1]) * step / 60)
            time.sleep(1 / 30)
        event("Ended", size[1] - 60)
        page.pictures_loaded(4)
        return page.run("return watched.blank")

    # Throughput

    def thumbnails(self):
        album = self.make_large()
        visitor = self.join(place=1)
        month = visitor.get(f"/api/v1/albums/{album}/months").json()["months"][0]["month"]
        rows = visitor.get(f"/api/v1/albums/{album}/months/{month}").json()["photos"][:PICTURE_COUNT]
        ours, theirs = [], []
        with Nginx(self.lab, 1, self.work.path) as nginx:
            paths = []
            for identifier, version, *_ in rows:
                photo = base64url(identifier).hex()
                path = f"/api/v1/photos/{photo}/thumbnail?v={version}"
                (nginx.files / photo).write_bytes(visitor.get(path).body)
                paths.append((path, f"/files/{photo}"))
            for _ in range(self.rounds):
                ours.append(self.wrk(self.origins[0], [path for path, _ in paths], visitor.bearer))
                theirs.append(self.wrk(nginx.origin, [path for _, path in paths]))
        print(f"thumbnails: {len(paths)} of them by 16 connections on the laptop itself")
        line("Potluck", spread(ours) + " /s", verdict(round(statistics.median(ours)), 3000, "/s", most=False))
        line("nginx, the same bytes as files", spread(theirs) + " /s")
        ratio = statistics.median(ours) / statistics.median(theirs)
        line("Potluck to nginx", f"{ratio:.2f} of its rate", verdict(round(ratio, 2), 0.3, "of it", most=False))

    def wrk(self, origin, paths, bearer=None):
        """Requests a second; fails where any is refused."""
        script = self.work.path / "wrk.lua"
        header = f'wrk.headers["Authorization"] = "Bearer {bearer}"' if bearer else ""
        rows = ", ".join(f'"{path}"' for path in paths)
        script.write_text(f"""{header}
            local paths, turn = {{{rows}}}, 0
            request = function() turn = turn % #paths + 1; return wrk.format("GET", paths[turn]) end
            done = function(summary)
              io.write(string.format("%d %d %d\\n", summary.requests, summary.duration, summary.errors.status
                + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
            end""")
        process = self.lab.start(1, ["wrk", "-t", "1", "-c", "16", "-d", "5s", "-s", str(script), origin],
                                 stdout=subprocess.PIPE, text=True)
        text, _ = process.communicate(timeout=60)
        count, duration, errors = map(int, text.splitlines()[-1].split())
        if errors:
            raise Failure(f"{errors} requests failed at {origin}")
        return count / duration * 1e6

    def pixel(self):
        source = self.work.path / "drops"
        make_photos(source, self.options.drops + 2, 400_000, "pixel")
        (self.agents[0].folder / "Drops").mkdir()
        first, *others = sorted(source.iterdir())
        first.rename(self.agents[0].folder / "Drops" / first.name)
        wait_for("the album", lambda: any(album["name"] == "Drops" for album in self.agents[1].json("albums")["albums"]))
        page = self.page(2, (1280, 800))
        page.open(f"{self.origins[1]}/album/{self.album_id('Drops')}")
        page.shows_page("album")
        page.is_live()
        page.pictures_loaded()
        times = []
        for path in others:
            photo = hashlib.sha256(path.read_bytes()).hexdigest()
            # Seen in the page itself, frame by frame; its clock and ours are one.
            page.run("""
                window.seenAt = null;
                const look = () => {
                  const image = document.querySelector(`img[data-photo="${arguments[0]}"]`);
                  if (image?.complete && image.naturalWidth > 0) requestAnimationFrame(() => { window.seenAt = Date.now(); });
                  else requestAnimationFrame(look);
                };
                look();""", photo)
            start = time.time()
            path.rename(self.agents[0].folder / "Drops" / path.name)
            times.append(page.until("the photo", "return window.seenAt", pause=0.02) - 1000 * start)
        self.fleet.close(page)
        print(f"pixel: from the drop on laptop 1 to a painted photo on laptop 2, {len(times) - 1} times")
        line("painted", spread(times[1:]) + " ms", verdict(round(statistics.median(times[1:])), 400, "ms"))

    def upload(self):
        size, ours, theirs = 4_000_000, [], []
        # An album is there once it has a photo.
        first = self.work.path / "first"
        make_photos(first, 1, 100_000, "first upload")
        first.rename(self.agents[0].folder / "Uploads")
        wait_for("the album", lambda: any(album["name"] == "Uploads" for album in self.agents[0].json("albums")["albums"]))
        album, visitor = self.album_id("Uploads"), self.join(place=1)
        with Nginx(self.lab, 1, self.work.path) as nginx:
            for round_number in range(self.rounds):
                source = self.work.path / f"upload{round_number}"
                make_photos(source, self.options.uploads, size, f"upload {round_number}")
                files = sorted(source.iterdir())
                kinds = [lambda: ours.append(seconds(lambda: self.by_tus(visitor, album, files))),
                         lambda: theirs.append(seconds(lambda: self.by_curl(nginx, files)))]
                for kind in kinds[round_number % 2:] + kinds[:round_number % 2]:
                    os.sync()
                    self.work.memory.fill()
                    kind()
        total = self.options.uploads * size / MB
        print(f"upload: {self.options.uploads} photos of {size / MB:g} MB, {self.rounds} round(s)")
        line("Potluck, tus", spread([total / took for took in ours]) + " MB/s")
        line("curl -T to nginx, each synced", spread([total / took for took in theirs]) + " MB/s")
        ratio = statistics.median(theirs) / statistics.median(ours)
        line("Potluck to curl", f"{ratio:.2f} of its rate", verdict(round(ratio, 2), 0.5, "of it", most=False))

    def by_tus(self, visitor, album, files):
        failures = []

        def send(share):
            try:
                for path in share:
                    tus_upload(visitor, album, path)
            except Exception as error:  # Told by the thread that waits.
                failures.append(error)

        threads = [threading.Thread(target=send, args=(files[start::2],)) for start in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def by_curl(self, nginx, files):
        words = " && ".join(f"curl -sfT {path} {nginx.origin}/uploads/ && sync {nginx.uploads}/{path.name}" for path in files)
        process = self.lab.start(1, ["sh", "-c", words])
        if process.wait(900):
            raise Failure(f"curl ended with {process.returncode}")
        for path in nginx.uploads.iterdir():
            path.unlink()

    def zip(self):
        count = self.options.zip_megabytes // 8
        source = self.work.path / "Archive"
        make_photos(source, count, 8_000_000, "zip")
        folder = self.agents[0].folder / "Archive"
        source.rename(folder)
        wait_for("the import", lambda: any(album["name"] == "Archive" and album["photos"] >= count
                                           for album in self.agents[0].json("albums")["albums"]), 0.5)
        visitor, album, ours, theirs = self.join(place=1), self.album_id("Archive"), [], []
        pid = self.agents[0].process.pid
        before = process_memory(pid)[1]
        for _ in range(self.rounds):
            self.work.memory.fill()
            ours.append(seconds(lambda: self.fetch_archive(visitor, album)))
            theirs.append(seconds(lambda: self.make_archive(folder)))
        total, grown = count * 8, (process_memory(pid)[0] - before) / MB
        print(f"zip: an album of {total / 1000:g} GB, {self.rounds} round(s)")
        line("Potluck", spread([total / took for took in ours]) + " MB/s")
        line("zip -0 to nowhere", spread([total / took for took in theirs]) + " MB/s")
        line("memory beyond what it had", f"{grown:.0f} MB", verdict(round(grown), 120, "MB"))

    def fetch_archive(self, visitor, album):
        process = self.lab.start(1, [
            "curl", "-sf", "-o", "/dev/null", "-H", f"Authorization: Bearer {visitor.bearer}",
            f"{visitor.origin}/api/v1/albums/{album}/zip?size=original"])
        if process.wait(900):
            raise Failure(f"curl ended with {process.returncode}")

    def make_archive(self, folder):
        with open(os.devnull, "wb") as nowhere:
            process = subprocess.Popen(["zip", "-0qr", "-", "."], cwd=folder, stdout=nowhere)
            if process.wait(900):
                raise Failure(f"zip ended with {process.returncode}")


def tus_upload(visitor, album, path):
    """One file, in chunks as pages send them."""
    data, tus = path.read_bytes(), {"Tus-Resumable": "1.0.0"}
    fields = {"filename": path.name, "album": album, "lastmodified": "0"}
    metadata = ",".join(f"{name} {standard_base64(value.encode())}" for name, value in fields.items())
    made = visitor.request("POST", "/api/v1/uploads", b"", {
        **tus, "Upload-Length": str(len(data)), "Upload-Metadata": metadata})
    place = made.headers["location"].removeprefix(visitor.origin)
    for offset in range(0, len(data), CHUNK_BYTE_COUNT):
        chunk = data[offset:offset + CHUNK_BYTE_COUNT]
        answer = visitor.request("PATCH", place, chunk, {
            **tus, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream",
            "Upload-Checksum": f"sha256 {standard_base64(hashlib.sha256(chunk).digest())}"})
        if answer.status != 204:
            raise Failure(f"PATCH answered {answer.status}: {answer.body[:200]}")
    if answer.headers.get("potluck-state") != "here":
        raise Failure(f"{path.name} is {answer.headers.get('potluck-state')}")


def standard_base64(data):
    return base64.b64encode(data).decode()


def base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
