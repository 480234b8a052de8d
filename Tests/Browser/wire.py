"""What the guests' door answers to clients that no browser is: byte by byte over plain sockets."""
import base64
import contextlib
import http.client
import io
import json
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.parse
import zipfile

from benches.laptops import process_memory
from .gathering import PHONE, sha256
from .scenario import Scenario

# An idle connection's time limit, and some more.
ANSWERED_SECONDS_MAX = 15
IDLE_CONNECTION_COUNT = 200
MEMORY_GROWTH_MAX = 80_000_000
UNFINISHED_SECONDS_MAX = 40
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")
REFUSED = (None, 400, 401, 405, 415, 421, 501, 505)
MALFORMED = [b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
             b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20, b"GET / HTTP/1.1\r\n\r\n"]
MALFORMED_BODIES = [
    (("Content-Length: 5", "Content-Length: 6"), b"{}"), (("Content-Length: -1",), b""),
    (("Content-Length: 4", "Transfer-Encoding: chunked"), b"0\r\n\r\n"), (("Transfer-Encoding: gzip",), b""),
    (("Transfer-Encoding: chunked",), b"zz\r\n{}\r\n0\r\n\r\n")]
TRICKS = ["/static/../../../etc/passwd", "/static/x/../../../../etc/passwd", "/static/%2e%2e/%2e%2e/etc/passwd",
          "/static/..%2f..%2fetc%2fpasswd", "/static/%2e%2e%5c%2e%2e%5cetc", "/static//etc/passwd", "/static/%00",
          "/static/icons.svg%00.js", "//etc/passwd", "/album/..%2f..", "/api/v1/photos/..%2f..%2fjournal.sqlite/original",
          "/api/v1/photos/%2e%2e/original", "/api/v1/uploads/..%2f..%2fjournal.sqlite", "/api/v1/uploads/%00",
          f"/album/{'f' * 32}/photo/{'0' * 64}", "/%ff%fe", "/album/%F0%9F%98%80"]


class RawClient(Scenario):
    """Requests byte by byte to one door, from a laptop or the phone."""

    place, host, pass_rows = PHONE, "", ()
    # What leads nowhere is answered so.
    nowhere = (None, 301, 308, 400, 403, 404, 405)

    def raw(self, data, wait=ANSWERED_SECONDS_MAX):
        """All that comes back until the connection ends, or a whole answer is there."""
        with self.dial(wait) as connection:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(data)
            return self.receive(connection)

    def dial(self, timeout=ANSWERED_SECONDS_MAX):
        host, port = self.host.rsplit(":", 1)
        return self.fleet.dialer(self.place).dial(host, int(port), timeout)

    def receive(self, connection):
        received = b""
        with contextlib.suppress(ConnectionResetError, socket.timeout):
            while piece := connection.recv(65536):
                received += piece
                head, end, body = received.partition(b"\r\n\r\n")
                length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                if end and length and len(body) >= int(length[1]):
                    break
        return received

    def status_of(self, data):
        found = STATUS.match(self.raw(data))
        return int(found[1]) if found else None

    def request(self, target="/api/v1/me", method="GET", *rows, host=None, body=b""):
        head = [f"{method} {target} HTTP/1.1", f"Host: {host or self.host}", *self.pass_rows, "Connection: close", *rows]
        return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body

    def refuses_malformed_requests(self):
        for data in MALFORMED:
            with self.subTest(data[:60]):
                # A refusal, or an end without a word; never a success, never a fault of the laptop's own.
                self.assertIn(self.status_of(data), REFUSED)
        for rows, body in MALFORMED_BODIES:
            with self.subTest(rows):
                self.assertIn(self.status_of(self.request("/api/v1/guests", "POST", *rows, body=body)), REFUSED)
        for data in (self.request("/", "GET", f"Host: {self.host}"), self.request("/", "G(T")):
            with self.subTest(data[:60]):
                self.assertIn(self.status_of(data), REFUSED)
        for size in (9_000, 100_000, 2_000_000):
            with self.subTest(f"a header of {size} bytes"):
                self.assertIn(self.status_of(self.request("/", "GET", f"X-Long: {'x' * size}")), (None, 431))
        self.assertIn(self.status_of(self.request("/" + "a" * 20_000)), (None, 414, 431, 400, 404))
        self.assertIn(self.status_of(self.request("/", "GET", *(f"X-{number}: 1" for number in range(2000)))), (None, 431))
        self.assertIn(self.status_of(self.request("/api/v1/guests", "POST", "Content-Type: application/json",
                                                  "Content-Length: 99999999999")), (None, 413))

    def leads_nowhere_else(self, home):
        secrets = [b"root:", b"SQLite format", b"PRIVATE KEY"]
        for target in (*TRICKS, f"/static/{home}/journal.sqlite"):
            with self.subTest(target):
                answer = self.raw(self.request(target))
                found = STATUS.match(answer)
                self.assertIn(int(found[1]) if found else None, self.nowhere)
                for secret in secrets:
                    self.assertNotIn(secret, answer)

    def refuses_foreign_hosts(self):
        for host in ("evil.example", "evil.example:80", f"evil.example:{self.host.split(':')[1]}", "localhost", "10.77.0.1:1"):
            with self.subTest(f"Host: {host}"):
                self.assertEqual(self.status_of(self.request("/api/v1/albums", host=host)), 421)
                self.assertEqual(self.status_of(self.request("/", host=host)), 421)


class Wire(RawClient):
    @classmethod
    def setUpClass(cls):
        cls.album = cls.gathering.album("Wire", 3, byte_count=300_000)
        cls.photo = cls.album.photos[0]
        cls.original = f"/api/v1/photos/{cls.photo}/original"
        cls.guest = cls.gathering.join("Wire")
        cls.visitor = cls.gathering.visitor(1, cls.guest.bearer)
        cls.host, cls.pass_rows = cls.visitor.host, [f"Authorization: Bearer {cls.guest.bearer}"]
        cls.whole = cls.visitor.get(cls.original).body
        cls.memory = process_memory(cls.gathering.agent(1).process.pid)[1]

    def tearDown(self):
        agent = self.gathering.agent(1)
        self.assertIsNone(agent.process.poll(), "the agent died")
        self.assertEqual(self.visitor.get("/api/v1/me").status, 200, "the door answers no more")
        growth = process_memory(agent.process.pid)[1] - self.memory
        self.assertLess(growth, MEMORY_GROWTH_MAX, "bytes of memory that the agent gained")

    # Ranges (RFC 9110, section 14)

    def test_ranges(self):
        size = len(self.whole)
        for value, begin, end in (("bytes=0-0", 0, 1), ("bytes=10-99", 10, 100), (f"bytes={size - 5}-", size - 5, size),
                                  ("bytes=-7", size - 7, size), (f"bytes=0-{size * 9}", 0, size)):
            with self.subTest(value):
                answer = self.visitor.get(self.original, {"Range": value})
                self.assertEqual(answer.status, 206)
                self.assertEqual(answer.headers["content-range"], f"bytes {begin}-{end - 1}/{size}")
                self.assertTrue(answer.body == self.whole[begin:end], "other bytes than those asked for")
        for value in (f"bytes={size}-", f"bytes={size + 5}-{size + 9}", "bytes=-0"):
            with self.subTest(value):
                answer = self.visitor.get(self.original, {"Range": value})
                self.assertEqual(answer.status, 416)
                self.assertEqual(answer.headers["content-range"], f"bytes */{size}")
        # What is no range, or a unit that is not known, is as if it were not there.
        for value in ("bytes=9-2", "bytes=a-b", "lines=1-2", "bytes"):
            with self.subTest(value):
                answer = self.visitor.get(self.original, {"Range": value})
                self.assertEqual((answer.status, len(answer.body)), (200, size))
        # Several: parts of them all, or everything.
        answer = self.visitor.get(self.original, {"Range": "bytes=0-1,10-11"})
        if answer.status == 206:
            self.assertTrue(answer.headers["content-type"].startswith("multipart/byteranges"))
            self.assertIn(self.whole[10:12], answer.body)
        else:
            self.assertEqual((answer.status, len(answer.body)), (200, size))
        many = ",".join(f"{2 * number}-{2 * number}" for number in range(500))
        self.assertLessEqual(len(self.visitor.get(self.original, {"Range": f"bytes={many}"}).body), 2 * size)

    # Conditions (RFC 9110, section 13)

    def test_conditions(self):
        whole = self.visitor.get(self.original)
        tag, size = whole.headers["etag"], len(self.whole)
        self.assertRegex(tag, r'^"[^"]+"$')
        for value in (tag, f'"other", {tag}', f'W/{tag}', "*", f'"a","b",{tag} , "c"'):
            with self.subTest(f"If-None-Match: {value}"):
                answer = self.visitor.get(self.original, {"If-None-Match": value})
                self.assertEqual((answer.status, len(answer.body)), (304, 0))
                self.assertEqual(answer.headers.get("etag"), tag)
        for value in ('"other"', '"other", "another"'):
            with self.subTest(f"If-None-Match: {value}"):
                self.assertEqual(self.visitor.get(self.original, {"If-None-Match": value}).status, 200)
        if modified := whole.headers.get("last-modified"):
            self.assertEqual(self.visitor.get(self.original, {"If-Modified-Since": modified}).status, 304)
            # The tag decides where both are asked.
            answer = self.visitor.get(self.original, {"If-Modified-Since": modified, "If-None-Match": '"other"'})
            self.assertEqual(answer.status, 200)
        self.assertEqual(self.visitor.get(self.original, {"If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"}).status, 200)
        self.assertEqual(self.visitor.get(self.original, {"If-Modified-Since": "yesterday"}).status, 200)
        for value, status in ((tag, 206), ('"other"', 200), (f"W/{tag}", 200)):
            with self.subTest(f"If-Range: {value}"):
                answer = self.visitor.get(self.original, {"Range": "bytes=0-9", "If-Range": value})
                self.assertEqual((answer.status, len(answer.body)), (status, 10 if status == 206 else size))
        answer = self.visitor.request("HEAD", self.original)
        self.assertEqual((answer.status, answer.headers["content-length"], answer.body), (200, str(size), b""))

    # What is no HTTP, or more than there may be

    def test_malformed_requests(self):
        self.refuses_malformed_requests()

    def test_bodies_that_are_no_requests(self):
        for body in (b"", b"{", b"[]", b"null", b'{"token": 5}', b'{"token": null, "name": []}', b'{"name": "x"}', b"\xff\xfe",
                     b"[" * 100_000, json.dumps({"token": "x" * 5000, "name": "y"}).encode(),
                     json.dumps({"token": self.gathering.links[1].split("#")[1], "name": "n" * 100_000}).encode()):
            with self.subTest(body[:40]):
                answer = self.visitor.request("POST", "/api/v1/guests", body, {"Content-Type": "application/json",
                                                                              "Authorization": None})
                self.assertIn(answer.status, (400, 401, 410, 413, 422, 429))
                self.assertIn("error", answer.json())

    def test_paths_do_not_lead_elsewhere(self):
        self.leads_nowhere_else(self.gathering.agent(1).home)

    # Who may ask

    def test_foreign_names_and_origins(self):
        self.refuses_foreign_hosts()
        token = self.gathering.token(1)
        # A session by cookie, as browsers have it.
        joined = self.visitor.request("POST", "/api/v1/guests", {"token": token, "name": "Cookie"}, {"Authorization": None})
        self.assertEqual(joined.status, 201)
        cookie = joined.headers["set-cookie"]
        self.assertIn("HttpOnly", cookie)
        self.assertIn("SameSite=Lax", cookie)
        session = {"Authorization": None, "Cookie": cookie.split(";")[0]}
        path = f"/api/v1/albums/{self.album.id}/photos/{self.photo}/comments"
        for origin in ("http://evil.example", "null", "https://" + self.host, "http://10.77.0.1:1", None):
            with self.subTest(f"Origin: {origin}"):
                answer = self.visitor.request("POST", path, {"text": "spam"}, {**session, "Origin": origin})
                self.assertEqual(answer.status, 403, "another site's page wrote a comment")
        answer = self.visitor.request("POST", path, {"text": "ours"}, {**session, "Origin": f"http://{self.host}"})
        self.assertEqual(answer.status, 201)
        self.assertNotIn("access-control-allow-origin", self.visitor.get("/api/v1/albums", {"Origin": "http://evil.example"}).headers)
        self.assertEqual(self.visitor.get("/api/v1/alive").headers["access-control-allow-origin"], "*")

    def test_nothing_without_a_pass(self):
        stranger = self.gathering.visitor(1)
        for path in ("/api/v1/me", "/api/v1/albums", "/api/v1/events", "/api/v1/laptops", f"/api/v1/photos/{self.photo}/thumbnail",
                     self.original, f"/api/v1/albums/{self.album.id}/months", "/api/v1/albums/all/zip?size=original"):
            with self.subTest(path):
                self.assertEqual(stranger.get(path).status, 401)
        for bearer in ("", "x", "Bearer", "a" * 4000, self.guest.bearer[:-1], self.guest.bearer + "A"):
            with self.subTest(bearer[:20]):
                self.assertIn(self.gathering.visitor(1, bearer).get("/api/v1/me").status, (400, 401))
        # The owner's code cannot be spent on the guests' door.
        self.assertIn(stranger.post("/api/v1/session", {"code": "0" * 32}).status, (401, 403, 404, 405))

    def test_a_pass_for_one_album_sees_no_other(self):
        """At a gathering of its own: the link is the gathering's, and here it is a limited one."""
        agent = self.gathering.apart("limited")
        self.addCleanup(agent.discard)
        files = {name: self.gathering.make_files(name, 2) for name in ("Shown", "Unseen")}
        hashes = {name: [sha256(path) for path in paths] for name, paths in files.items()}
        for name, paths in files.items():
            paths[0].parent.rename(agent.folder / name)
        self.within("both albums", lambda: agent.photo_count() >= 4, 30)
        identifiers = {album["name"]: album["id"] for album in agent.json("albums")["albums"]}
        link = agent.json("guests", "on", "--albums", "Shown")["link"]
        origin, token = link.split("/g/#")
        joined = self.fleet.client(PHONE, origin).post("/api/v1/guests", {"token": token, "name": "Limited"})
        self.assertEqual(joined.status, 201)
        limited = self.fleet.client(PHONE, origin, joined.json()["bearer"])
        names = [album["name"] for album in limited.get("/api/v1/albums").json()["albums"]]
        self.assertEqual(names, ["Shown"])
        self.within("a thumbnail", lambda: limited.get(
            f"/api/v1/photos/{hashes['Shown'][0]}/thumbnail").status == 200, 30)
        photo, album = hashes["Unseen"][0], identifiers["Unseen"]
        for path in (f"/api/v1/photos/{photo}/thumbnail", f"/api/v1/photos/{photo}/preview", f"/api/v1/photos/{photo}/original",
                     f"/api/v1/albums/{album}/months", f"/api/v1/albums/{album}/photos/{photo}", f"/album/{album}"):
            with self.subTest(path):
                self.assertIn(limited.get(path).status, (403, 404))
        listed = [row for month in limited.get("/api/v1/albums/all/months").json()["months"]
                  for row in limited.get(f"/api/v1/albums/all/months/{month['month']}").json()["photos"]]
        self.assertEqual(len(listed), len(hashes["Shown"]))
        # “Already here” would be a way to learn what others have.
        known = limited.post("/api/v1/uploads/known", {"album": identifiers["Shown"], "files": [
            {"sha256": photo, "filename": "IMG.JPG", "lastmodified": 0}]})
        self.assertEqual(known.json()["here"], [])

    def test_hidden_places_are_in_no_answer(self):
        """At a gathering of its own, whose link hides them: what a guest takes home says nothing of a place."""
        tool = shutil.which("exiftool")
        if tool is None:
            self.skipTest("ExifTool is not installed")
        agent = self.gathering.apart("placeless")
        self.addCleanup(agent.discard)
        [path] = self.gathering.make_files("Placed", 1)
        place = ["-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-GPSLongitude=13.25", "-GPSLongitudeRef=E"]
        subprocess.run([tool, "-q", "-overwrite_original", *place, path], check=True)
        original, photo = path.read_bytes(), sha256(path)
        path.parent.rename(agent.folder / "Placed")
        self.within("the photo's place", lambda: [
            seen["latitude"] for seen in agent.json("photos", "Placed")["photos"]] == [52.5]
            if agent.photo_count() > 0 else False, 30)
        origin, token = agent.json("guests", "on", "--hide-places")["link"].split("/g/#")
        joined = self.fleet.client(PHONE, origin).post("/api/v1/guests", {"token": token, "name": "Far away"})
        self.assertEqual(joined.status, 201)
        guest = self.fleet.client(PHONE, origin, joined.json()["bearer"])
        seen = guest.get(f"/api/v1/albums/all/photos/{photo}").json()
        self.assertEqual([seen["latitude"], seen["longitude"], seen["altitude"]], [None] * 3)
        address = f"/api/v1/photos/{photo}/original"
        self.within("a copy without place", lambda: guest.get(address).status == 200, 30)
        copy = guest.get(address).body
        self.assertNotEqual(copy, original)
        said = subprocess.run([tool, "-s", "-GPS:all", "-XMP:GPS*", "-"], input=copy, capture_output=True, check=True)
        self.assertEqual(said.stdout, b"")
        self.assertEqual(guest.get(address, {"Range": "bytes=0-99"}).body, copy[:100])
        archive = zipfile.ZipFile(io.BytesIO(guest.get("/api/v1/albums/all/zip?size=original").body))
        self.assertEqual([archive.read(name) for name in archive.namelist()], [copy])

    # Clients that take their time

    def test_slow_clients_end(self):
        """Heads and bodies a byte at a time: all at once, so that together they take as long as one of them."""
        def dribble(data, done):
            with self.dial(UNFINISHED_SECONDS_MAX) as connection:
                start = time.monotonic()
                with contextlib.suppress(OSError):
                    for byte in data:
                        connection.sendall(bytes([byte]))
                        connection.settimeout(0.5)
                        with contextlib.suppress(socket.timeout):
                            if connection.recv(1) is not None:
                                break
                        if time.monotonic() - start > UNFINISHED_SECONDS_MAX:
                            return
                done.append(time.monotonic() - start)

        head = b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100
        body = self.request("/api/v1/guests", "POST", "Content-Type: application/json", "Content-Length: 5000")
        done = []
        threads = [threading.Thread(target=dribble, args=(head, done), daemon=True) for _ in range(10)]
        for thread in threads:
            thread.start()
        # The head arrives at once, its body never ends.
        with self.dial(UNFINISHED_SECONDS_MAX) as connection:
            connection.sendall(body + b"{")
            answer = self.receive(connection)
        self.assertIn(STATUS.match(answer)[1] if answer else None, (None, b"408"))
        self.assertEqual(self.visitor.get("/api/v1/me").status, 200, "slow clients keep others out")
        for thread in threads:
            thread.join(UNFINISHED_SECONDS_MAX)
        self.assertEqual(len(done), 10, "a client that sends a byte now and then stays for ever")

    def test_idle_connections_keep_nobody_out(self):
        with contextlib.ExitStack() as held:
            for _ in range(IDLE_CONNECTION_COUNT):
                with contextlib.suppress(OSError):
                    held.enter_context(self.dial())
            # Somebody on another laptop, beside one who holds all that a place may hold.
            other = self.gathering.visitor(1, self.guest.bearer, place=2)

            def is_answered():
                with contextlib.suppress(OSError, http.client.HTTPException):
                    return other.get("/api/v1/me", timeout=2).status == 200

            start = time.monotonic()
            self.within("an answer beside idle connections", is_answered, ANSWERED_SECONDS_MAX)
            self.say(f"answered after {time.monotonic() - start:.2f} s beside {IDLE_CONNECTION_COUNT} idle connections")
        self.within("an answer afterwards", lambda: self.visitor.get("/api/v1/me").status == 200, ANSWERED_SECONDS_MAX)

    # Uploads

    def test_a_second_writer_of_one_upload_waits(self):
        tus = {"Tus-Resumable": "1.0.0"}
        made = self.visitor.request("POST", "/api/v1/uploads", b"", {
            **tus, "Upload-Length": "100000", "Upload-Metadata": f"filename SU1HLkpQRw==,album {encoded(self.album.id)}"})
        self.assertEqual(made.status, 201)
        path = urllib.parse.urlsplit(made.headers["location"]).path
        rows = ("Tus-Resumable: 1.0.0", "Upload-Offset: 0", "Content-Type: application/offset+octet-stream")
        with self.dial() as first:
            first.sendall(self.request(path, "PATCH", *rows, "Content-Length: 100000") + b"x" * 1000)
            patch = {**tus, "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
            # At an offset that is wrong in any case: should the first one be heard later, this one writes nothing.
            elsewhere = {**patch, "Upload-Offset": "5"}

            def is_locked():
                return self.visitor.request("PATCH", path, b"y" * 10, elsewhere).status == 423

            self.within("423 for a second writer", is_locked, 5)
        # The first one is gone; what it sent is kept or not, and HEAD tells.
        self.within("an unlocked upload", lambda: self.visitor.request("HEAD", path, None, tus).status == 200, 20)
        offset = int(self.visitor.request("HEAD", path, None, tus).headers["upload-offset"])
        self.assertIn(offset, range(0, 1001))
        wrong = {**patch, "Upload-Offset": str(offset + 5)}
        self.within("409 for a wrong offset",
                    lambda: self.visitor.request("PATCH", path, b"y" * 10, wrong).status == 409, 20)
        # The first one's end, and what of it counts, may have been noted only now.
        offset = int(self.visitor.request("HEAD", path, None, tus).headers["upload-offset"])
        damaged = {**patch, "Upload-Offset": str(offset), "Upload-Checksum": "sha256 " + "A" * 43 + "="}
        self.assertEqual(self.visitor.request("PATCH", path, b"y" * 10, damaged).status, 460)
        self.assertEqual(int(self.visitor.request("HEAD", path, None, tus).headers["upload-offset"]), offset)
        stranger = self.gathering.visitor(1, self.gathering.join("Stranger").bearer)
        self.assertIn(stranger.request("HEAD", path, None, tus).status, (403, 404), "another guest's upload")
        self.assertEqual(self.visitor.request("DELETE", path, None, tus).status, 204)
        self.assertIn(self.visitor.request("HEAD", path, None, tus).status, (404, 410))


class OwnersWire(RawClient):
    """The owner's door at the laptop's loopback address, to other programs of the machine, which have no session."""

    place, nowhere = 1, (*RawClient.nowhere, 401)

    def setUp(self):
        url = self.gathering.agent(1).json("open", "--print")["url"]
        page, self.code = url.split("#")
        self.origin = "/".join(page.split("/")[:3])
        self.host = self.origin.removeprefix("http://")
        self.stranger = self.fleet.client(self.place, self.origin)

    def tearDown(self):
        self.assertIsNone(self.gathering.agent(1).process.poll(), "the agent died")
        self.assertEqual(self.stranger.get("/api/v1/me").status, 401, "the door answers no more")

    def test_malformed_requests(self):
        self.refuses_malformed_requests()

    def test_paths_do_not_lead_elsewhere(self):
        self.leads_nowhere_else(self.gathering.agent(1).home)

    def test_foreign_names(self):
        self.refuses_foreign_hosts()

    def test_a_session_needs_the_code_and_its_own_pages(self):
        for path in ("/api/v1/albums", "/api/v1/status", "/api/v1/events", "/api/v1/guests"):
            with self.subTest(path):
                self.assertEqual(self.stranger.get(path).status, 401)
        guess = self.stranger.post("/api/v1/session", {"code": "0" * len(self.code)})
        self.assertIn(guess.status, (401, 403))
        answer = self.stranger.post("/api/v1/session", {"code": self.code}, {"Origin": self.origin})
        self.assertIn(answer.status, (200, 201, 204))
        cookie = answer.headers["set-cookie"]
        self.assertIn("HttpOnly", cookie)
        session = {"Cookie": cookie.split(";")[0]}
        self.assertEqual(self.stranger.get("/api/v1/me", session).json()["kind"], "owner")
        # What a page of another site could send along with the owner's cookie.
        for origin in ("http://evil.example", "null", None):
            with self.subTest(f"a change, Origin: {origin}"):
                answer = self.stranger.post("/api/v1/guests/approve", {"photos": []}, {**session, "Origin": origin})
                self.assertEqual(answer.status, 403)


def encoded(text):
    return base64.b64encode(text.encode()).decode()
