#!/usr/bin/env python3
"""Man pages from what a program tells of itself (`PROGRAM --experimental-dump-help`).

usage: man_pages.py --version VERSION --date YYYY-MM-DD DIRECTORY <DUMP

Writes DIRECTORY/potluck.1, and a page for each command and subcommand, such as potluck-guests-on.1.
"""
import argparse
import json
import pathlib
import re
import sys
import textwrap

EXAMPLES, STATUS = "EXAMPLES:", "EXIT STATUS:"
FILES = [
    ("~/.local/share/potluck", "The home: journal, photos and identity of this laptop. It is private; the phrase is in it."),
    ("~/.local/share/potluck/potluck.toml", "Settings; /usr/share/doc/potluck/potluck.toml is a commented example."),
    ("~/Pictures/Potluck", "The watched folder; each subfolder is an album."),
]


def roff(text):
    """Text as roff shows it: no escape, no request, hyphens that can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    for character, name in [("“", "lq"), ("”", "rq"), ("’", "cq"), ("–", "en"), ("…", "...")]:
        text = text.replace(character, f"\\({name}" if len(name) == 2 else name)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def running(text):
    """Running text in short lines, where what stands between grave accents is to be typed."""
    pieces = text.split("`")
    if len(pieces) % 2:
        text = "".join(f"\\fB{roff(piece)}\\fR" if n % 2 else roff(piece) for n, piece in enumerate(pieces))
    else:
        text = roff(text)
    lines = textwrap.wrap(text, 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(re.sub(r"^\.", r"\\&.", line) for line in lines)


def name_of(name):
    dashes = "--" if name["kind"] == "long" else "-"
    return dashes + name["name"]


def names(argument):
    return sorted((name_of(name) for name in argument.get("names", [])), key=lambda name: (len(name) > 2, name))


def synopsis(argument):
    """One argument as it may be typed, in brackets unless it is needed."""
    value = f"\\fI{roff(argument['valueName'])}\\fR" if "valueName" in argument else ""
    if argument["kind"] == "positional":
        text = value
    else:
        text = f"\\fB{roff(name_of(argument['preferredName']))}\\fR"
        if argument["kind"] == "option":
            text += f" {value}"
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]


def subcommands(command):
    return [sub for sub in command.get("subcommands", []) if sub.get("shouldDisplay", True) and sub["commandName"] != "help"]


def sections(discussion):
    """Paragraphs, examples as pairs of a command line and its effect, and exit statuses as pairs of a number and a meaning."""
    text, _, statuses = discussion.partition(STATUS)
    text, _, examples = text.partition(EXAMPLES)
    paragraphs = [paragraph for paragraph in text.strip().split("\n\n") if paragraph]
    pairs = re.findall(r"^  (\S.*)\n      (.*)$", examples, flags=re.MULTILINE)
    return paragraphs, pairs, re.findall(r"^  (\d+) +(.*)$", statuses, flags=re.MULTILINE)


def tagged(rows):
    for tag, text in rows:
        yield from (".TP", tag, text)


def argument_rows(arguments):
    for argument in arguments:
        if argument["kind"] == "positional":
            tag = f"\\fI{roff(argument['valueName'])}\\fR"
        else:
            value = f" \\fI{roff(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
            tag = ", ".join(f"\\fB{roff(name)}\\fR{value}" for name in names(argument))
        text = argument.get("abstract", "")
        if "defaultValue" in argument and "(default:" not in text:
            text += f" (default: {argument['defaultValue']})"
        yield tag, running(text.strip() or "See above.")


def page(command, path, version, date):
    """One page, as lines."""
    title = "-".join(path)
    yield f'.TH "{roff(title.upper())}" "1" "{date}" "Potluck {roff(version)}" "User Commands"'
    # Neither options are hyphenated nor lines stretched.
    yield from (".nh", ".ad l")
    yield from (".SH NAME", running(f"{title} @ {command['abstract'].rstrip('.')}").replace(" @ ", " \\- ", 1))
    yield ".SH SYNOPSIS"
    typed = f"\\fB{roff(' '.join(path))}\\fR"
    commands = subcommands(command)
    if commands:
        yield f"{typed} \\fIcommand\\fR [\\fIargument\\fR ...]"
    else:
        yield from [typed] + [synopsis(argument) for argument in shown(command)]
    paragraphs, examples, statuses = sections(command.get("discussion", ""))
    if paragraphs:
        yield ".SH DESCRIPTION"
        for number, paragraph in enumerate(paragraphs):
            if number:
                yield ".PP"
            yield running(paragraph)
    if commands:
        yield ".SH COMMANDS"
        yield from tagged((f"\\fB{roff(sub['commandName'])}\\fR", running(sub["abstract"])) for sub in commands)
        yield ".PP"
        yield f"Each has a page of its own, such as \\fB{roff('-'.join([*path, commands[0]['commandName']]))}\\fR(1)."
    groups = {}
    for argument in shown(command):
        kind = "ARGUMENTS" if argument["kind"] == "positional" else argument.get("sectionTitle", "Options").upper()
        groups.setdefault(kind, []).append(argument)
    for group in sorted(groups, key=lambda group: (group == "OPTIONS", group != "ARGUMENTS")):
        yield f".SH {roff(group)}"
        yield from tagged(argument_rows(groups[group]))
    if examples:
        yield ".SH EXAMPLES"
        yield from tagged((f"\\fB{roff(line)}\\fR", running(effect)) for line, effect in examples)
    if statuses:
        yield from (".SH EXIT STATUS", *tagged((f"\\fB{number}\\fR", running(meaning)) for number, meaning in statuses))
    if len(path) == 1:
        yield from (".SH FILES", *tagged((f"\\fI{roff(file)}\\fR", running(text)) for file, text in FILES))
    related = ["-".join([*path, sub["commandName"]]) for sub in commands]
    if len(path) > 1:
        related.insert(0, "-".join(path[:-1]))
    yield ".SH SEE ALSO"
    yield ",\n".join(f"\\fB{roff(other)}\\fR(1)" for other in related)


def pages(command, path, version, date):
    """All pages below a command, as names and texts."""
    yield "-".join(path) + ".1", "\n".join(page(command, path, version, date)) + "\n"
    for sub in subcommands(command):
        yield from pages(sub, [*path, sub["commandName"]], version, date)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()
    try:
        command = json.load(sys.stdin)["command"]
    except (ValueError, KeyError) as error:
        sys.exit(f"man_pages.py: this is no help dump: {error}")
    options.directory.mkdir(parents=True, exist_ok=True)
    for name, text in pages(command, [command["commandName"]], options.version, options.date):
        (options.directory / name).write_text(text)


if __name__ == "__main__":
    main()
