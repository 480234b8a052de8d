"""Options that several benches have."""
import argparse


def number(least):
    def parse(text):
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is below {least}")
        return value
    return parse


def add_photos(parser, count, byte_count):
    parser.add_argument("--count", type=number(1), default=count, help="photos (%(default)s)")
    parser.add_argument("--bytes", type=number(2000), default=byte_count, help="size of each (%(default)s)")


def add_rounds(parser, rounds, what):
    parser.add_argument("--rounds", type=number(1), default=rounds, help=f"{what} (%(default)s)")
