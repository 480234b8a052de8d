"""What the machine is, and what it can do without Potluck."""
import glob
import multiprocessing
import os
import random
import shutil
import socket
import ssl
import subprocess
import tempfile
import time

from .figures import GB, Failure, note, seconds

CHUNK = 1 << 20


def describe_machine(directory):
    with open("/proc/cpuinfo") as file:
        model = next((row.split(":")[1].strip() for row in file if row.startswith("model name")), "CPU of unknown model")
    kind = subprocess.run(["stat", "-f", "-c", "%T", directory], capture_output=True, text=True).stdout.strip()
    print(f"{os.cpu_count()} cores, {model}; {kind}; kernel {os.uname().release}; {load()}")


def load():
    return f"load average {os.getloadavg()[0]:.1f}"


# For so many seconds ext4 without a journal keeps the inodes of deleted files, once they are on the disk.
DELETION_SECONDS = 60


def settle_deletions(directory):
    """Waits until what was deleted in the directory's file system slows nobody down.

    For each new file ext4 without a journal passes over all inodes that were freed within the last minute: after 10,000
    deletions one file takes a millisecond. No other file system is known to.
    """
    device = os.stat(directory).st_dev
    name = os.path.basename(os.path.realpath(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"))
    if os.path.isdir(f"/proc/fs/ext4/{name}") and not glob.glob(f"/proc/fs/jbd2/{name}-*"):
        note(f"letting a minute pass: {name} has no journal")
        os.sync()
        time.sleep(DELETION_SECONDS + 2)


class FullMemory:
    """Keeps free memory full of page cache, which is given up at once to whoever needs memory.

    The host of a virtual machine may take back memory seconds after it was freed (free page reporting); whoever touches
    it next waits for the host. So each measured turn begins with hardly any free memory. What fills it is read from the
    holes of a sparse file that is as large as memory and takes no place on the disk; it has no name, and is gone once
    it is closed.
    """

    # Free memory that is left, less on small machines: Linux itself keeps some free.
    FREE_BYTE_COUNT, FREE_SHARE = 500_000_000, 0.05
    # It takes a minute for 24 GB that the host has to bring back.
    SECONDS_MAX = 600

    def __init__(self, directory):
        self.directory = directory
        self.file = None

    def fill(self):
        """Before each measured turn; where memory cannot be filled this says so, and the bench goes on."""
        before, start, is_first = memory_bytes("MemFree"), time.monotonic(), self.file is None
        if is_first:
            self.file = tempfile.TemporaryFile(dir=self.directory, buffering=0)
            note("filling memory first, which may take two minutes; before each further turn it takes seconds")
        total = memory_bytes("MemTotal")
        wanted = min(self.FREE_BYTE_COUNT, total * self.FREE_SHARE)
        why = self.read(total, wanted, start + self.SECONDS_MAX)
        free = memory_bytes("MemFree")
        said = f"memory filled: {before / GB:.1f} to {free / GB:.1f} GB free in {time.monotonic() - start:.0f} s"
        # Linux may keep some more free than is wanted.
        if why and free > 2 * wanted:
            said = f"memory is NOT filled, {free / GB:.1f} GB stay free: {why}; turns may wait for the machine's host"
        if is_first:
            print(said)
        else:
            note(said)

    def read(self, total, wanted, end):
        """Reads until so little is free; else the reason why not."""
        buffer = bytearray(CHUNK)
        try:
            self.file.truncate(total)
            for offset in range(0, total, CHUNK):
                if memory_bytes("MemFree") <= wanted:
                    return None
                if time.monotonic() > end:
                    return f"it took more than {self.SECONDS_MAX} s"
                os.preadv(self.file.fileno(), [buffer], offset)
        except OSError as error:
            return f"{self.directory}: {error.strerror}"
        return f"what is read of holes in {self.directory} is not kept in memory"

    def close(self):
        if self.file:
            self.file.close()


def memory_bytes(name):
    with open("/proc/meminfo") as file:
        return next(int(row.split()[1]) * 1024 for row in file if row.startswith(f"{name}:"))


def sha256_rate(_directory):
    run = subprocess.run(
        ["openssl", "speed", "-evp", "sha256", "-bytes", str(CHUNK), "-seconds", "1", "-mr"],
        capture_output=True, text=True)
    return float(run.stdout.strip().splitlines()[-1].split(":")[-1])


def serve_tls(certificate, listener, byte_count):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    connection = context.wrap_socket(listener.accept()[0], server_side=True)
    chunk = bytes(CHUNK)
    for _ in range(byte_count // CHUNK):
        connection.sendall(chunk)
    connection.close()


def tls_rate(directory, byte_count=1 << 30):
    """One TLS 1.3 stream over loopback between two processes, nothing read and nothing kept."""
    certificate = directory / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
         "-subj", "/CN=bench", "-keyout", certificate, "-out", directory / "public.pem"],
        check=True, capture_output=True)
    with open(certificate, "a") as file:
        file.write((directory / "public.pem").read_text())
    listener = socket.create_server(("127.0.0.1", 0))
    server = multiprocessing.get_context("fork").Process(target=serve_tls, args=(certificate, listener, byte_count))
    server.start()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = context.wrap_socket(socket.create_connection(listener.getsockname()))
    buffer, start, left = bytearray(CHUNK), time.monotonic(), byte_count
    while left > 0:
        got = connection.recv_into(buffer)
        if not got:
            raise Failure("the TLS connection ended early")
        left -= got
    rate = byte_count / (time.monotonic() - start)
    server.join()
    return rate


def disk_rate(directory, count, byte_count):
    """Plain files, each written and synced; no copy, no hash, no network."""
    folder, block = directory / "plain", random.Random(0).randbytes(byte_count)
    folder.mkdir()

    def write():
        for number in range(count):
            with open(folder / str(number), "wb", buffering=0) as file:
                file.write(block)
                os.fsync(file.fileno())

    took = seconds(write)
    shutil.rmtree(folder)
    return count * byte_count / took
