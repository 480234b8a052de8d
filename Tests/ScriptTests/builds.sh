#!/usr/bin/env bash
# Shows when `build_release` of Scripts/requirements asks the build system, by a `swift` that notes that it was asked.
set -euo pipefail
scripts=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../Scripts")
work=$(mktemp -d "${TMPDIR:-/tmp}/potluck-builds.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p bin Scripts Sources/potluck/Pages Tests/Support
cp "$scripts/requirements" Scripts/
echo one >Package.swift
echo one >Sources/potluck/main.swift
echo one >Sources/potluck/Pages/page.js

cat >bin/swift <<'SWIFT'
#!/usr/bin/env bash
if [[ $1 == --version ]]; then echo "Swift version ${SWIFT_VERSION:-6.3.1}"; exit 0; fi
[[ $* == "build -c release --product "* ]] || { echo "unexpected: swift $*" >&2; exit 1; }
echo "$5" >>asked
[[ ${BUILD:-} != fails ]] || exit 1
mkdir -p .build/machine/release
ln -sfn machine/release .build/release
echo "$5 $RANDOM$RANDOM" >".build/release/$5"
chmod +x ".build/release/$5"
case ${BUILD:-} in
    interrupted) kill -KILL "$PPID" ;;
    overtaken) echo "written meanwhile" >Sources/potluck/main.swift ;;
esac
SWIFT
chmod +x bin/swift
export PATH=$work/bin:$PATH

failures=0
# expect SENTENCE PRODUCT…: the products that a start asks the build system for.
expect() {
    local sentence=$1 asked
    shift
    : >asked
    # A start whose build fails, or is interrupted, ends with an error, which is not the point here.
    { bash -euc 'source Scripts/requirements; build_release potluck worker' up || true; } &>output
    asked=$(tr '\n' ' ' <asked)
    [[ "${asked% }" == "$*" ]] && return
    failures=$((failures + 1))
    echo "$sentence: swift was asked for '${asked% }', not for '$*'"
    sed 's/^/    /' output
}

expect "the first time all is built" potluck worker
expect "then nothing is"
grep -q "potluck is up to date" output || { failures=$((failures + 1)); echo "a start does not say that all is up to date"; }

touch -r Sources/potluck/main.swift before
echo two >Sources/potluck/main.swift
touch -r before Sources/potluck/main.swift
expect "a source changed, but for its length and date" potluck worker
expect "that was built"
echo two >Sources/potluck/Pages/page.js
expect "a page changed" potluck worker
echo three >Sources/potluck/more.swift
expect "a source was added" potluck worker
mv Sources/potluck/more.swift Sources/potluck/other.swift
expect "a source has another name" potluck worker
rm Sources/potluck/other.swift
expect "a source was removed" potluck worker
echo two >Package.swift
expect "the manifest changed" potluck worker
echo one >Package.resolved
expect "libraries were resolved" potluck worker
expect "all that was built"

SWIFT_VERSION=6.4 expect "the compiler changed" potluck worker
expect "the former compiler is back" potluck worker
rm .build/release/worker
expect "one program is gone" worker
echo other >.build/release/potluck
expect "one program was replaced" potluck
rm -r .build
expect "all programs are gone" potluck worker
mkdir broken
printf '#!/bin/sh\nexit 1\n' >broken/find
chmod +x broken/find
PATH=$work/broken:$PATH expect "nobody can list the sources" potluck worker
PATH=$work/broken:$PATH expect "nor can they now" potluck worker
expect "now they can be listed" potluck worker

echo three >Sources/potluck/main.swift
BUILD=fails expect "a build fails, and no other begins" potluck
expect "it is tried again" potluck worker
echo four >Sources/potluck/main.swift
BUILD=interrupted expect "a build is interrupted" potluck
expect "it is made again" potluck worker
echo five >Sources/potluck/main.swift
BUILD=overtaken expect "a source changes during the build" potluck worker
expect "it is built anew" potluck worker
expect "in the end nothing is to do"

((failures == 0)) || exit 1
echo "builds are made when they are needed"
