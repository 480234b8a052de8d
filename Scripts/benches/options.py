"""Options that several benches have."""
import argparse


def number(least):
    def parse(text):
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is below {least}")
        return value
    return parse


def add_photos(parser, count, byte_count, least=1):
    parser.add_argument("--count", type=number(least), default=count, help="photos (%(default)s)")
    parser.add_argument("--bytes", type=number(2000), default=byte_count, help="size of each (%(default)s)")


def add_rounds(parser, rounds, what):
    parser.add_argument("--rounds", type=number(1), default=rounds, help=f"{what} (%(default)s)")


def add_gathering(parser, replica_count):
    """A gathering that `make-gathering` makes."""
    parser.add_argument("--photos", type=number(100), default=100_000, help="entries (%(default)s)")
    parser.add_argument("--replicas", type=number(1), default=replica_count,
                        help="devices that added them (%(default)s)")
    parser.add_argument("--singly", type=number(0), help="photos in a batch of their own (a tenth)")
    parser.add_argument("--make-gathering", help="the tool that makes homes (a release, built first if needed)")
