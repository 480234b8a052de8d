"""nginx beside the agent: the same files, and a place to upload to."""
import os
import pathlib
import shutil

from .figures import Failure, wait_for

PORT = 8731


class Nginx:
    """nginx on a laptop: files under /files/, and WebDAV under /uploads/."""

    def __init__(self, lab, laptop, directory):
        self.lab, self.laptop, self.directory = lab, laptop, directory / "nginx"
        self.files, self.uploads = self.directory / "files", self.directory / "uploads"
        for path in (self.files, self.uploads, self.directory / "temporary"):
            path.mkdir(parents=True, exist_ok=True)
        self.origin = f"http://10.77.0.{laptop}:{PORT}"
        places = "\n".join(f"{kind}_temp_path {self.directory}/temporary/{kind};"
                           for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # root stays root, since the directories are the bench's own.
        (self.directory / "nginx.conf").write_text(f"""
            daemon off; pid {self.directory}/pid; error_log {self.directory}/error.log; worker_processes auto;
            {"user root;" if os.geteuid() == 0 else ""}
            events {{ worker_connections 512; }}
            http {{
              {places}
              access_log off; sendfile on; keepalive_requests 1000000; default_type image/jpeg;
              server {{
                listen {PORT};
                location /files/ {{ alias {self.files}/; }}
                location /uploads/ {{ alias {self.uploads}/; dav_methods PUT; client_max_body_size 0; }}
              }}
            }}""")

    def __enter__(self):
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
        if not program:
            raise Failure("nginx is not here (Debian: nginx-light)")
        self.process = self.lab.start(self.laptop, [
            program, "-p", str(self.directory), "-e", f"{self.directory}/error.log", "-c", f"{self.directory}/nginx.conf"])
        wait_for("nginx", self.is_listening, 0.02, 10)
        return self

    def is_listening(self):
        if self.process.poll() is not None:
            log = pathlib.Path(self.directory / "error.log")
            raise Failure(f"nginx ended: {log.read_text() if log.exists() else ''}")
        with open(f"/proc/{self.process.pid}/net/tcp") as file:
            return any(row.split()[1].endswith(f":{PORT:04X}") and row.split()[3] == "0A" for row in file)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.directory, ignore_errors=True)
