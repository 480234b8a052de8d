#!/usr/bin/env bash
# Shows what a package is made of, as far as that needs no build: options, man pages of a sample dump, licences of a sample
# of libraries, and what the icon starts.
set -euo pipefail
repository=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
work=$(mktemp -d "${TMPDIR:-/tmp}/potluck-packaging.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
wrong() { failures=$((failures + 1)); echo "$*"; }

# Options.
help=$("$repository/Scripts/package" --help)
for option in --output --programs --check; do
    [[ $help == *$'\n  '"$option "* ]] || wrong "Scripts/package --help does not teach $option"
done
for words in --outptu file "--output" "--check one two"; do
    status=0
    # shellcheck disable=SC2086
    "$repository/Scripts/package" $words &>/dev/null || status=$?
    ((status == 64)) || wrong "Scripts/package $words ends with $status"
done

# Man pages: of a program whose words have what roff would take for its own.
cat >dump.json <<'JSON'
{"command": {"commandName": "pot", "abstract": "Share what is there.", "discussion": "One paragraph with `pot up --fast`.\n\n.TH is no heading, 'nor is this, and a\\b keeps its stroke.\n\nEXAMPLES:\n  pot up \"Beach day\"\n      Start it.\n\nEXIT STATUS:\n  0   Done.\n  64  Wrong usage.",
 "arguments": [{"kind": "flag", "isOptional": true, "isRepeating": false, "names": [{"kind": "short", "name": "h"}, {"kind": "long", "name": "help"}], "preferredName": {"kind": "long", "name": "help"}, "abstract": "Show help.", "valueName": "help"}],
 "subcommands": [
  {"commandName": "up", "abstract": "Run it.", "arguments": [
   {"kind": "positional", "isOptional": false, "isRepeating": true, "valueName": "file", "abstract": "What to run."},
   {"kind": "option", "isOptional": true, "isRepeating": true, "names": [{"kind": "long", "name": "as-name"}], "preferredName": {"kind": "long", "name": "as-name"}, "valueName": "word", "abstract": "Its name.", "sectionTitle": "Words", "defaultValue": "none"},
   {"kind": "flag", "isOptional": true, "shouldDisplay": false, "names": [{"kind": "long", "name": "secret"}], "preferredName": {"kind": "long", "name": "secret"}, "abstract": "Not for people."}]},
  {"commandName": "inner", "abstract": "More.", "subcommands": [{"commandName": "deep", "abstract": "Deep."}]},
  {"commandName": "help", "abstract": "The parser's own."}]}}
JSON
python3 "$repository/Scripts/packaging/man_pages.py" --version 1.2 --date 2026-01-02 pages <dump.json
[[ $(cd pages && printf '%s ' *) == "pot-inner-deep.1 pot-inner.1 pot-up.1 pot.1 " ]] || wrong "these pages were made: $(ls pages)"
! grep -rq secret pages || wrong "what is hidden has a page"
grep -q '^\\&\.TH is no heading, \\(aqnor is this, and a\\eb keeps its stroke\.$' pages/pot.1 || wrong "roff takes words for its own: $(grep heading pages/pot.1)"
grep -q '^\\fBpot up\\fR$' pages/pot-up.1 && grep -q '^\\fIfile\\fR \.\.\.$' pages/pot-up.1 || wrong "the synopsis of pot-up is wrong"
grep -q '^\.SH WORDS$' pages/pot-up.1 && grep -q '(default: none)' pages/pot-up.1 || wrong "the options of pot-up are wrong"
if type -P mandoc >/dev/null; then
    mandoc -Tlint -Wwarning pages/*.1 || wrong "mandoc complains"
    mandoc -Tutf8 pages/pot.1 | col -b | grep -q "\.TH is no heading, 'nor is this, and a.b keeps its stroke\." || wrong "mandoc shows other words"
else
    echo "  skipped  man pages by mandoc: it is not installed"
fi
! python3 "$repository/Scripts/packaging/man_pages.py" --version 1 --date 2026-01-02 none <<<'{}' 2>/dev/null || wrong "a dump of nothing has pages"

# Licences: of two libraries, one of which has a file with terms of its own.
mkdir -p libraries/apache/Sources/{Fast,Unused} libraries/mit/Sources/Small toolchain/share/swift
printf 'Apache License\nVersion 2.0\n' >libraries/apache/LICENSE.txt
printf 'This product contains a stone.\n' >libraries/apache/NOTICE.txt
printf '// Copyright (c) 2019-2021 First Holder and others\n// All rights.\nlet a = 1\n' >libraries/apache/Sources/Fast/a.swift
printf '// Copyright (c) 2024 First Holder and others\nlet b = 1\n' >libraries/apache/Sources/Fast/b.swift
printf '/* Copyright 1995 Second Holder\n * Redistribution and use are permitted.\n */\nint c;\n' >libraries/apache/Sources/Fast/c.c
printf '// Copyright 2020 Nobody Linked\n' >libraries/apache/Sources/Unused/d.swift
printf 'MIT License\n\nCopyright (c) 2022 Third Holder\n\nPermission is hereby granted.\n' >libraries/mit/LICENSE
printf 'let e = 1\n' >libraries/mit/Sources/Small/e.swift
printf 'Apache License\n\nAs an exception, no attribution.\n' >toolchain/share/swift/LICENSE.txt
printf '/src/.build/release/%s.build/x.o\n' Fast Small PotluckAPI >objects
licences() { python3 "$repository/Scripts/packaging/copyright.py" --checkouts libraries --toolchain toolchain objects; }
licences >copyright
for line in 'Files: apache/*' 'Files: mit/*' 'Files: swift/*' 'Copyright: 2019-2024 First Holder and others' ' 1995 Second Holder' 'Copyright: 2022 Third Holder' \
    ' Redistribution and use are permitted.' ' This product contains a stone.' ' As an exception, no attribution.'; do
    grep -qxF -- "$line" copyright || wrong "the copyright file lacks: $line"
done
! grep -q 'Nobody Linked' copyright || wrong "what is not linked is in the copyright file"
echo /src/.build/release/Stranger.build/x.o >>objects
! licences &>refusal || wrong "a module of no package passes"
grep -q Stranger refusal || wrong "nobody is told which module has no package"
sed -i /Stranger/d objects
rm libraries/mit/LICENSE
! licences &>refusal || wrong "a package without a licence passes"

# The icon: by programs that note how they were started.
mkdir bin
printf '#!/bin/sh\necho "potluck $*" >>"%s/started"\ncase "$*" in *--ask-in-browser*) exit "${OPENS:-0}" ;; esac\n' "$work" >bin/potluck
printf '#!/bin/sh\necho "terminal" >>"%s/started"\nshift\n"$@" </dev/null >/dev/null\nexit 0\n' "$work" >bin/x-terminal-emulator
chmod +x bin/*
# expect_start SENTENCE WORDS [LINK]: what the icon started, in order.
expect_start() {
    local started
    : >started
    PATH=$work/bin:/usr/bin:/bin "$repository/Config/package/potluck-desktop" "${@:3}" || wrong "$1: it ends with $?"
    started=$(paste -sd, started)
    [[ $started == "$2" ]] || wrong "$1: it started $started"
}
if type -P xdg-terminal-exec >/dev/null; then
    echo "  skipped  what the icon starts: a terminal of this machine would open"
else
    expect_start "by the icon" "potluck open --start --ask-in-browser --"
    expect_start "by a link" "potluck open --start --ask-in-browser -- potluck://join/a b" "potluck://join/a b"
    OPENS=1 expect_start "where no browser opens" \
        "potluck open --start --ask-in-browser --,terminal,potluck open --start --"
    OPENS=1 expect_start "where a link is not followed" \
        "potluck open --start --ask-in-browser -- potluck://join/a b,terminal,potluck open --start -- potluck://join/a b" \
        "potluck://join/a b"
fi

# What others read.
python3 - "$repository/Config/package" <<'PYTHON' || wrong "a file of Config/package cannot be read"
import configparser, pathlib, sys, xml.etree.ElementTree
folder = pathlib.Path(sys.argv[1])
for name in ("potluck.metainfo.xml", "firewalld.xml", "potluck.svg"):
    xml.etree.ElementTree.parse(folder / name)
entry = configparser.ConfigParser(interpolation=None)
entry.read(folder / "potluck.desktop")
profiles = configparser.ConfigParser(interpolation=None)
profiles.read(folder / "ufw.profile")
assert entry["Desktop Entry"]["Exec"] == "/usr/lib/potluck/potluck-desktop %u"
assert entry["Desktop Entry"]["MimeType"] == "x-scheme-handler/potluck;"
assert all({"title", "description", "ports"} <= set(profiles[name]) for name in profiles.sections())
assert profiles["Potluck"]["ports"] == "4711/tcp|5353/udp"
PYTHON

((failures == 0)) || exit 1
echo "what a package is made of is right"
