"""Syncthing between two laptops, told of each other, with nothing else to do."""
import re
import subprocess

from .figures import Failure, wait_for
from .laptops import family_cpu

PORT = 22000
SETTINGS = {
    "listenAddress": f"tcp://0.0.0.0:{PORT}", "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false",
    "relaysEnabled": "false", "natEnabled": "false", "urAccepted": "-1", "crashReportingEnabled": "false",
    "autoUpgradeIntervalH": "0", "startBrowser": "false",
}


class Syncthing:
    """One laptop's, with a home and a folder of its own."""

    def __init__(self, lab, directory, laptop):
        self.lab, self.laptop, self.process = lab, laptop, None
        self.home, self.folder = directory / f"syncthing{laptop}", directory / f"synced{laptop}"
        self.log = directory / f"syncthing{laptop}.log"
        self.folder.mkdir()
        subprocess.run(["syncthing", "generate", f"--home={self.home}"], check=True, capture_output=True)
        self.id = re.search(r'<device id="([^"]+)"', (self.home / "config.xml").read_text()).group(1)

    def configure(self, laptops):
        """Tells it of all laptops, itself among them; it waits a second for further changes of its folder."""
        devices = "".join(
            f'<device id="{other.id}" name="{other.laptop}"><address>tcp://10.77.0.{other.laptop}:{PORT}</address></device>'
            for other in laptops)
        members = "".join(f'<device id="{other.id}"></device>' for other in laptops)
        options = "".join(f"<{name}>{value}</{name}>" for name, value in SETTINGS.items())
        (self.home / "config.xml").write_text(
            f'<configuration version="35"><folder id="photos" path="{self.folder}" type="sendreceive" '
            f'rescanIntervalS="3600" fsWatcherEnabled="true" fsWatcherDelayS="1">{members}</folder>{devices}'
            f'<gui enabled="false"></gui><options>{options}</options></configuration>')

    def start(self):
        # In a process of its own alone, not below one that starts it again.
        environment = dict(self.lab.environment, STMONITORED="yes", STNOUPGRADE="1")
        self.process = self.lab.start(
            self.laptop, ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-default-folder"],
            env=environment, stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)

    def wait(self):
        wait_for("Syncthing", self.is_connected, pause=0.1, patience=60)

    def is_connected(self):
        text = self.log.read_text()
        if self.process.poll() is not None:
            raise Failure(f"Syncthing ended with {self.process.returncode}: {text[-500:]}")
        return "Established secure connection" in text and "Completed initial scan" in text

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(30)

    def cpu(self):
        return family_cpu(self.process.pid)
