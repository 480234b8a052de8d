"""A laptop's first run, from the icon to the photos, without a terminal."""
import json
import shutil
import subprocess

from benches.figures import wait_for
from .gathering import PHONE
from .scenario import Scenario

# What a desktop has: a program that opens files in the browser. This one notes what it is to open.
XDG_OPEN = '#!/bin/sh\ncp "$1" "{0}/page.html" && printf %s "$1" >"{0}/opened.new" && mv "{0}/opened.new" "{0}/opened"\n'


class FirstRun(Scenario):
    def click_the_icon(self, *links):
        """A person who has a home directory and a screen, no gathering, and no terminal."""
        person = self.gathering.directory / "somebody new"
        shutil.rmtree(person, ignore_errors=True)
        (person / "bin").mkdir(parents=True)
        program = person / "bin" / "xdg-open"
        program.write_text(XDG_OPEN.format(person))
        program.chmod(0o755)
        environment = dict(self.gathering.lab.environment, HOME=str(person), DISPLAY=":9", XDG_RUNTIME_DIR=str(person),
                           PATH=f"{person}/bin:/usr/sbin:/usr/bin:/sbin:/bin")
        self.person, self.environment = person, environment
        process = self.gathering.lab.start(
            PHONE, [self.gathering.binary, "open", "--start", "--ask-in-browser", "--", *links], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(self.end, process)
        wait_for("a browser to be opened", lambda: (person / "opened").exists() or process.poll() is not None, 0.05, 30)
        self.assertIsNone(process.poll(), process.stdout.read() if process.poll() is not None else "")
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        self.command("down", check=False)

    def command(self, *words, check=True):
        run = subprocess.run([self.gathering.binary, *words], env=self.environment, capture_output=True, text=True)
        if check:
            self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def look(self, page, name):
        """A picture in each size, and nothing wider than its window."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        for width, height in ((390, 844), (1280, 800)):
            page.resize(width, height)
            page.rests(patience=5)
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth - innerWidth"), 0, name)
            page.picture(self.pictures / f"first-run-{name}-{width}.png")

    def test_starts_a_gathering(self):
        self.need("Chromium")
        process = self.click_the_icon()
        page = self.start("Chromium", PHONE, size=(1280, 800))
        page.open(f"file://{self.person}/page.html")
        page.shows_page("first-run")
        self.assert_accessible(page, "the first page")
        self.look(page, "choice")
        self.assertEqual([path.name for path in self.person.iterdir() if path.name.startswith("potluck-open")], [],
                         "the file with the secret stays")
        page.click("a[href=start]")
        page.until("the form", "return document.querySelector('#gathering')?.checkVisibility()")
        self.assert_accessible(page, "starting a gathering")
        self.assertEqual(page.run("return document.querySelector('#folder').value"), "~/Pictures/Potluck")
        self.look(page, "start")
        page.type("#gathering", "Kuh reunion")
        page.run("document.querySelector('#laptop').value = ''")
        page.type("#laptop", "Somebody's laptop")
        page.click("form button")
        page.until("the phrase", "return document.querySelector('.first-run-phrase') !== null")
        self.assert_accessible(page, "the phrase")
        self.look(page, "entered")
        phrase = page.text(".first-run-phrase").strip()
        self.assertEqual(len(page.text(".first-run-recovery").strip().split("-")), 9, "no recovery code is shown")
        page.click("form[action=photos] button")
        page.shows_page("albums")
        page.is_live()
        self.assert_quiet(page)
        self.assertEqual(page.fetch("/api/v1/me")["body"]["kind"], "owner")
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(json.loads(self.command("invite", "--json"))["phrase"], phrase)
        hosts = json.loads(self.command("hosts", "--json"))["hosts"]
        self.assertEqual([(host["name"], host["this"]) for host in hosts], [("Somebody's laptop", True)])
        self.assertTrue((self.person / "Pictures/Potluck").is_dir())

    def test_a_link_asks_before_it_joins(self):
        self.need("Chromium")
        link = self.gathering.agent(1).json("invite")["link"]
        process = self.click_the_icon(link)
        page = self.start("Chromium", PHONE, size=(1280, 800))
        page.open(f"file://{self.person}/page.html")
        page.shows_page("first-run")
        page.until("the warning", "return document.querySelector('.first-run-warning')?.checkVisibility()")
        self.assert_accessible(page, "joining by a link")
        self.look(page, "link")
        self.assertFalse((self.person / ".local/share/potluck").exists(), "joined before the person said so")
        page.click("form button")
        page.shows_page("albums")
        self.assertEqual(process.wait(30), 0)
        self.within("the other laptops", lambda: sum(
            peer["connected"] for peer in json.loads(self.command("peers", "--json"))["peers"]) >= 2, 30)
