"""Photos to drop."""
import contextlib
import hashlib
import importlib.machinery
import importlib.util

from .figures import MB, note
from .laptops import SCRIPTS


def make_photos(directory, count, byte_count, seed="bench"):
    """Distinct photos of one size, others for another seed; what Scripts/make-photos makes, with little picture."""
    loader = importlib.machinery.SourceFileLoader("make_photos", str(SCRIPTS / "make-photos"))
    maker = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_photos", loader))
    loader.exec_module(maker)
    note(f"making {count} photos of {byte_count / MB:g} MB")
    directory.mkdir(parents=True)
    for number in range(count):
        (directory / f"IMG_{number:05}.JPG").write_bytes(maker.photo(f"{seed} {number}", byte_count, (32, 24)))


def hashes(directory):
    """The SHA-256 of each photo in a directory."""
    with contextlib.suppress(FileNotFoundError):
        return {hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.iterdir() if path.name[0] != "."}
    return set()


def tiny_photo(number):
    """One of the smallest files that are a picture: a GIF of one pixel, with a comment that tells it from others."""
    comment = f"bench {number}".encode()
    begin, end = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xfe", b"\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    return begin + bytes([len(comment)]) + comment + end
