#!/usr/bin/env python3
"""Who holds the rights in all that a program is linked with, as Debian's copyright format has it.

usage: copyright.py --checkouts DIRECTORY --toolchain DIRECTORY LIST… >FILE

Each LIST names the objects that a program was linked of, one a line (SwiftPM's Objects.LinkFileList). The module of an
object leads to its package below --checkouts; --toolchain is where the compiler's own licence lies, whose runtime is
linked in too. Fails where a module belongs to nothing that is known, or a package has no licence.
"""
import argparse
import pathlib
import re
import sys

SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".inc", ".S", ".swift"}
# What stands at the beginning of a file that has other terms than its package.
TERMS = re.compile(r"Permission is hereby granted|Permission to use, copy|Redistribution and use|free of charge", re.IGNORECASE)
HOLDER = re.compile(r"Copyright\s+(?:\([cC]\)|©)?\s*((?:\d{4}(?:\s*[-–,]\s*)?)+)[\s,]*(?:by\s+)?(.*)")
APACHE = "On Debian systems, the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0."
EXCEPTION = "Runtime Library Exception"
# Directories whose modules have other names.
MODULE_DIRECTORIES = {"System": "SystemPackage"}
# Parts of the toolchain that --static-swift-stdlib links, besides the compiler's own.
RUNTIME = {
    "Swift's standard library, Foundation and Dispatch": "2014-2026 Apple Inc. and the Swift project authors",
    "ICU, a part of Foundation": "2016-2026 Unicode, Inc.; 1995-2016 International Business Machines Corporation and others",
    "the blocks runtime, a part of Dispatch": "2008-2010 Apple Inc.",
}
UNICODE = """Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the Data Files
or Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data Files or Software
are furnished to do so, provided that either (a) this copyright and permission notice appear with all copies of the Data
Files or Software, or (b) this copyright and permission notice appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT
OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
copyright holder."""


def field(name, text):
    """A field of several lines: what goes on begins with a space, an empty line is a dot."""
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return f"{name}: {lines[0].strip()}\n" + "".join(f" {line}\n" if line else " .\n" for line in lines[1:])


def modules(lists):
    """Names of the modules whose objects are linked."""
    found = set()
    for file in lists:
        for line in file.read_text().splitlines():
            found.update(part.removesuffix(".build") for part in pathlib.PurePath(line.strip("'\"")).parts
                         if part.endswith(".build") and part != ".build")
    return found


def own_modules(repository):
    """Targets of this repository; modules are named like them, with underscores for hyphens."""
    return {path.name.replace("-", "_") for path in (repository / "Sources").iterdir()}


def packages(names, checkouts, own):
    """Checkouts by what is linked of them."""
    places = {}
    for checkout in sorted(checkouts.iterdir()):
        for directory in [checkout, *checkout.glob("Sources/**/"), *checkout.glob("*/")]:
            places.setdefault(MODULE_DIRECTORIES.get(directory.name, directory.name), (checkout, directory))
    found, unknown = {}, []
    for name in sorted({name.replace("-", "_") for name in names} - own):
        if name in places:
            checkout, directory = places[name]
            found.setdefault(checkout, []).append(directory)
        else:
            unknown.append(name)
    if unknown:
        sys.exit(f"copyright.py: no package is known to have: {', '.join(unknown)}")
    return found


def beginnings(directories):
    """What stands at the beginning of each source file."""
    for directory in directories:
        for file in sorted(directory.rglob("*")):
            if file.is_file() and file.suffix in SOURCES:
                with file.open(errors="replace") as source:
                    yield source.read(8000)


def comment(text):
    """The comment at a text's beginning without its marks; empty for none."""
    match = re.match(r"\s*((?:[ \t]*//[^\n]*\n|[ \t]*\n)+|/\*.*?\*/)", text, re.DOTALL)
    lines = (match.group(1) if match else "").split("\n")
    return "\n".join(re.sub(r"^\s*(//+|/\*+|\*+/|\*)?[ \t]?|\s*\*+/\s*$", "", line).rstrip() for line in lines).strip()


def holders(texts):
    """Each holder with the years from the first to the last, sorted."""
    years = {}
    for text in texts:
        for given, name in HOLDER.findall(text):
            name = re.sub(r"\s*(All [Rr]ights [Rr]eserved\.?|\*+/|//+).*$", "", name).strip(" .,*/-") or "its authors"
            years.setdefault(name, set()).update(int(year) for year in re.findall(r"\d{4}", given))
    rows = []
    for name, seen in sorted(years.items()):
        first, last = min(seen), max(seen)
        rows.append(f"{first if first == last else f'{first}-{last}'} {name}")
    return rows


def licence(checkout, texts):
    """The short name of a package's licence, and its text."""
    files = sorted(checkout.glob("LICENSE*"))
    if not files:
        sys.exit(f"copyright.py: {checkout.name} has no licence")
    text = files[0].read_text()
    if "Apache License" in text:
        if EXCEPTION in text:
            exception = text[text.index("As an exception"):].strip()
            return "Apache-2.0 with Swift exception", f"{APACHE}\n\n{exception}"
        return "Apache-2.0", APACHE
    return f"{checkout.name}-licence", text


def paragraph(checkout, directories):
    """What the copyright file says of one package."""
    texts = list(beginnings(directories))
    own_terms = {}
    for text in map(comment, texts):
        if TERMS.search(text):
            # Of files that differ in their names or years alone, one.
            own_terms.setdefault(re.sub(r"\W+", "", text[TERMS.search(text).start():]), text)
    for directory in directories:
        for file in sorted(directory.rglob("LICENSE*")):
            own_terms.setdefault(str(file), file.read_text())
    name, text = licence(checkout, texts)
    licences = [file.read_text() for file in checkout.glob("LICENSE*")]
    notices = [file.read_text() for file in checkout.glob("NOTICE*")]
    rows = holders(licences + notices + texts + list(own_terms.values())) or [f"The authors of {checkout.name}"]
    terms = [text, *own_terms.values()]
    notice = "".join(notices)
    return (
        f"Files: {checkout.name}/*\n" + field("Copyright", "\n".join(rows))
        + field("License", f"{name}\n" + "\n\n-- and for some of its files:\n\n".join(terms))
        + (field("Comment", "Its notice:\n" + re.sub(r"(?m)^ +", "", notice)) if notice else ""))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--checkouts", type=pathlib.Path, required=True)
    parser.add_argument("--toolchain", type=pathlib.Path, required=True)
    parser.add_argument("lists", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    own = own_modules(pathlib.Path(__file__).resolve().parents[2])
    linked = packages(modules(options.lists), options.checkouts, own)
    swift = (options.toolchain / "share/swift/LICENSE.txt").read_text()
    print("Upstream-Name: Potluck")
    print(field("Comment", "Potluck is linked with the packages below, whose names stand in front of their files.\n"
                "Libraries of the system that it needs are packages of their own, with copyright files of their own."))
    print("Files: *\nCopyright: the developers of Potluck\n" + field(
        "License", "Potluck\nPotluck's sources state no licence. Its developers hold all rights in their own part."))
    print("Files: swift/*\n" + field("Copyright", "\n".join(f"{who} ({what})" for what, who in RUNTIME.items())) + field(
        "License", f"Apache-2.0 with Swift exception\n{APACHE}\n\n{swift[swift.index('As an exception'):].strip()}\n\n"
        f"-- and for ICU:\n\n{UNICODE}"))
    print("\n".join(paragraph(checkout, linked[checkout]) for checkout in sorted(linked)), end="")


if __name__ == "__main__":
    main()
