"""Photos as cameras make them: 12 million pixels, with detail everywhere, and what EXIF says of them."""
import subprocess

from .figures import Failure, note

SIZE = "4032x3024"


def execute(words):
    run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode:
        raise Failure(f"{words[0]} failed: {run.stderr.strip()[-500:]}")
    return run.stdout


def make_camera_photos(directory, count):
    """Distinct JPEGs of about 4 MB: ever deeper views of one fractal, with a sensor's noise on them."""
    note(f"making {count} photos of {SIZE} pixels")
    directory.mkdir(parents=True)
    execute(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"mandelbrot=size={SIZE}:rate=2:maxiter=600", "-vf",
             "noise=alls=14:allf=t,format=yuvj420p", "-frames:v", str(count), "-q:v", "4",
             str(directory / "IMG_%04d.JPG")])
    execute(["exiftool", "-q", "-overwrite_original", "-Make=Example", "-Model=Camera 12", "-LensModel=Example 28mm",
             "-DateTimeOriginal=2024:07:04 12:00:00", "-OffsetTimeOriginal=-04:00", "-Orientation#=6", str(directory)])
