#!/usr/bin/env bash
# Shows that Scripts/test teaches its options, and takes no others: then it runs nothing.
set -euo pipefail
test=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../Scripts/test")

# expect_refusal WORD…: with these words it ends as misused programs do.
expect_refusal() {
    local status=0
    "$test" "$@" &>/dev/null || status=$?
    ((status == 64)) || { echo "Scripts/test $* ends with $status"; exit 1; }
}

help=$("$test" --help)
[[ $help == *$'\n  --fast '* ]] || { echo "Scripts/test --help does not teach --fast"; exit 1; }
expect_refusal --fats
expect_refusal fast
expect_refusal ''
expect_refusal --fast --fast
expect_refusal --help --fast
echo "options are taught, and no others are taken"
