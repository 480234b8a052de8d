#!/usr/bin/env bash
# Shows that `end_tree` of Scripts/test, which ends a run that is stopped, leaves nothing of a shell that starts another job
# whenever one ends.
set -euo pipefail
source <(sed -n '/^end_tree() {/,/^}/p' "$(dirname "$(readlink -f "$0")")/../../Scripts/test")
work=$(mktemp -d "${TMPDIR:-/tmp}/potluck-ending.XXXXXX")
trap 'rm -rf "$work"' EXIT

starting() {
    sleep 60 &
    sleep 60 &
    echo "both run"
    for _ in {1..20}; do
        wait -n || true
        sleep 60 &
    done
}

# All of them hold the pipe open, so that it ends with the last one.
mkfifo "$work/pipe"
starting >"$work/pipe" 2>/dev/null &
exec 8<"$work/pipe"
read -r -t 10 <&8
end_tree $!
timeout 10 cat <&8 >/dev/null || { echo "something goes on that a stopped run started"; exit 1; }
echo "what is stopped starts nothing more"
