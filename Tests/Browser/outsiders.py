"""Clients that we did not write: tuspy uploads, schemathesis holds the API against its own description."""
import pathlib
import shutil
import subprocess
import sys

from benches.figures import Failure
from .gathering import PHONE, sha256
from .scenario import Scenario

FILE_BYTE_COUNT = 5_000_000
STOP_BYTE_COUNT = 2_000_000
FUZZ_SECONDS_MAX = 90
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# What never ends, what ends the agent or the session that asks, and what only says that it takes time.
LEFT_OUT = ["/api/v1/events", "/api/v1/down", "/api/v1/session", "/api/v1/add", "/api/v1/unpack", "/api/v1/verify"]
# 503 with Retry-After is what the description promises while something is being made or fetched.
CONFIGURATION = '[checks]\nnot_a_server_error.expected-statuses = ["1xx", "2xx", "3xx", "4xx", 503]\n'


class Outsiders(Scenario):
    def program(self, laptop, words, seconds, check=True):
        """A program on a laptop, and what it prints."""
        process = self.gathering.lab.start(laptop, words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                           cwd=self.gathering.directory)
        try:
            text, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
            raise Failure(f"{words[0]} did not end within {seconds} s: {text[-1000:]}") from None
        if check:
            self.assertEqual(process.returncode, 0, text[-3000:])
        return process.returncode, text

    def test_tuspy_uploads_stops_and_resumes(self):
        album = self.gathering.album("By tuspy", 1)
        guest = self.gathering.join("Tuspy")
        (path,) = self.gathering.make_files("tuspy", 1, FILE_BYTE_COUNT)
        program = [sys.executable, str(pathlib.Path(__file__).with_name("tus_program.py")), guest.origin, guest.bearer,
                   album.id, str(path)]
        _, text = self.program(PHONE, [*program, str(STOP_BYTE_COUNT)], 60)
        url, offset = text.split()
        self.assertIn(int(offset), range(STOP_BYTE_COUNT, FILE_BYTE_COUNT))
        visitor = self.gathering.visitor(1, guest.bearer)
        place = "/" + url.split("/", 3)[3]
        tus = {"Tus-Resumable": "1.0.0"}
        self.assertEqual(visitor.request("HEAD", place, None, tus).headers["upload-offset"], offset)
        _, text = self.program(PHONE, [*program, "0", url], 60)
        self.assertEqual(int(text.split()[1]), path.stat().st_size)
        head = visitor.request("HEAD", place, None, tus)
        self.assertEqual(head.headers.get("potluck-photo"), sha256(path))
        self.within("the photo in its album", lambda: sha256(path) in self.gathering.photos_of(album.name), 20)
        options = visitor.request("OPTIONS", "/api/v1/uploads")
        self.assertIn(options.status, (200, 204))
        self.assertEqual(options.headers["tus-version"], "1.0.0")
        for extension in ("creation", "checksum", "termination", "expiration"):
            self.assertIn(extension, options.headers["tus-extension"])

    def fuzz(self, laptop, origin, bearer, seconds):
        directory = self.gathering.directory / f"fuzz{laptop}{len(bearer)}"
        directory.mkdir(exist_ok=True)
        (directory / "schemathesis.toml").write_text(CONFIGURATION)
        program = shutil.which("schemathesis", path=str(pathlib.Path(sys.executable).parent))
        if not program:
            self.skipTest("schemathesis is not in the venv")
        words = [program, "--config-file", str(directory / "schemathesis.toml"), "run", f"{origin}/api/v1/openapi.json",
                 "--header", f"Authorization: Bearer {bearer}", "--checks", CHECKS, "--phases", "examples,coverage,fuzzing",
                 "--max-examples", "3", "--seed", "16", "--workers", "2", "--request-timeout", "20", "--max-time", str(seconds),
                 "--warnings", "off", "--suppress-health-check", "all", "--output-truncate", "true"]
        for path in LEFT_OUT:
            words += ["--exclude-path", path]
        # The bytes of an upload have a media type that schemathesis cannot write; tuspy and wire.py send them.
        words += ["--exclude-method", "PATCH"]
        code, text = self.program(laptop, words, FUZZ_SECONDS_MAX, check=False)
        found = text[text.find("= FAILURES ="):] if "= FAILURES =" in text else text[-3000:]
        self.assertEqual(code, 0, f"schemathesis:\n{found[:6000]}")
        return text

    def test_schemathesis_as_a_guest(self):
        guest = self.gathering.join("Schemathesis")
        text = self.fuzz(PHONE, guest.origin, guest.bearer, 25)
        self.say(summary(text))
        self.assertIsNone(self.gathering.agent(1).process.poll(), "the agent died")

    def test_schemathesis_as_the_owner(self):
        """At a gathering of its own, since an owner may throw everything away."""
        agent = self.gathering.apart("owners")
        self.addCleanup(agent.discard)
        url = agent.json("open", "--print")["url"]
        origin, code = url.split("/", 3)[2], url.split("#")[1]
        visitor = self.fleet.client(PHONE, f"http://{origin}")
        answer = visitor.post("/api/v1/session", {"code": code}, {"Origin": f"http://{origin}"})
        self.assertEqual(answer.status, 201)
        text = self.fuzz(PHONE, f"http://{origin}", answer.json()["bearer"], 25)
        self.say(summary(text))
        self.assertIsNone(agent.process.poll(), "the agent died")


def summary(text):
    rows = [row.strip() for row in text.splitlines() if "Operations" in row or "Tested" in row or "test cases" in row.lower()]
    return "schemathesis: " + "; ".join(rows[:3])
