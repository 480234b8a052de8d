"""What people would use instead."""
import os
import time

from .figures import Failure, wait_for
from .laptops import process_cpu

PORT = 8730
# In /proc/net/tcp; proc(5), enum in tcp_states.h of Linux.
LISTENING = "0A"


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
        wait_for("rsync", self.is_listening, pause=0.01, patience=10)
        return self

    def is_listening(self):
        """The daemon writes its process ID before it listens, so its laptop's sockets are asked."""
        if self.process.poll() is not None:
            raise Failure(f"rsync ended with {self.process.returncode}: {self.log.read_text()}")
        with open(f"/proc/{self.process.pid}/net/tcp") as file:
            return any(row.split()[1].endswith(f":{PORT:04X}") and row.split()[3] == LISTENING for row in file)

    def client(self, laptop, target, extra=()):
        return self.lab.start(laptop, ["rsync", "-a", *extra, f"rsync://10.77.0.1:{PORT}/photos/", f"{target}/"])

    def fetch(self, laptop, target, extra=()):
        """One client's whole run: its seconds, and CPU seconds of the daemon and of the client."""
        start = time.monotonic()
        client = self.client(laptop, target, extra)
        _, status, usage = os.wait4(client.pid, 0)
        took = time.monotonic() - start
        client.returncode = os.waitstatus_to_exitcode(status)
        self.check(client)
        return took, [self.cpu(), usage.ru_utime + usage.ru_stime]

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
