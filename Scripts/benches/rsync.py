"""What people would use instead."""
import os

from .figures import Failure, wait_for
from .laptops import process_cpu

PORT = 8730


class RsyncDaemon:
    """A daemon on laptop 1 that serves one directory."""

    def __init__(self, lab, directory, source):
        self.lab, self.directory = lab, directory
        self.pid_file, self.log = directory / "rsyncd.pid", directory / "rsyncd.log"
        (directory / "rsyncd.conf").write_text(
            f"port = {PORT}\nuse chroot = no\nreverse lookup = no\npid file = {self.pid_file}\nlog file = {self.log}\n"
            f"[photos]\npath = {source}\nread only = yes\nuid = {os.getuid()}\ngid = {os.getgid()}\n")

    def __enter__(self):
        self.process = self.lab.start(
            1, ["rsync", "--daemon", "--no-detach", f"--config={self.directory}/rsyncd.conf"])
        wait_for("rsync", self.pid_file.exists, patience=10)
        return self

    def client(self, laptop, target, extra=()):
        return self.lab.start(laptop, ["rsync", "-a", *extra, f"rsync://10.77.0.1:{PORT}/photos/", f"{target}/"])

    def check(self, client):
        """Fails unless a client has ended well."""
        if client.returncode:
            raise Failure(f"rsync ended with {client.returncode}: {self.log.read_text()}")

    def cpu(self):
        """CPU seconds, once the processes that serve a client each have ended."""
        children = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        wait_for("the end of rsync", lambda: not open(children).read().split(), patience=10)
        return process_cpu(self.process.pid)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.pid_file.unlink(missing_ok=True)
