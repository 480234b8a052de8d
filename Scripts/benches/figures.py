"""Waiting, figures, and the lines that are printed."""
import statistics
import sys
import time

MB, GB = 1e6, 1e9
PATIENCE_SECONDS = 900


class Failure(Exception):
    """What went wrong, in words."""


def wait_for(what, condition, pause=0.05, patience=PATIENCE_SECONDS):
    """The condition's value, once it is true."""
    end = time.monotonic() + patience
    while not (value := condition()):
        if time.monotonic() > end:
            raise Failure(f"waited {patience} s for {what}, in vain")
        time.sleep(pause)
    return value


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def spread(values, form="{:.0f}"):
    low, middle, high = min(values), statistics.median(values), max(values)
    if len(values) == 1:
        return form.format(middle)
    return f"{form} ({form} to {form})".format(middle, low, high)


def line(label, *cells):
    print("  " + label.ljust(38) + "".join(str(cell).ljust(24) + "  " for cell in cells).rstrip(), flush=True)


def verdict(value, aim, unit, most=True):
    """How a median stands to what is aimed at."""
    met = value <= aim if most else value >= aim
    word = "under" if most else "over"
    return f"{'met' if met else 'MISSED'}: aim {word} {aim} {unit}, {value / aim:.2f} of it"


def note(text):
    print(f"== {text}", file=sys.stderr, flush=True)
