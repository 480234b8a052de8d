#!/usr/bin/env bash
# Shows that the scripts that run tests teach their options, and take no others: then they run nothing.
set -euo pipefail
scripts=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../Scripts")

# expect_refusal SCRIPT WORD…: with these words it ends as misused programs do.
expect_refusal() {
    local status=0
    "$scripts/$1" "${@:2}" &>/dev/null || status=$?
    ((status == 64)) || { echo "Scripts/$* ends with $status"; exit 1; }
}

# expect_help SCRIPT WORD: its help has a line about the word.
expect_help() {
    local help
    help=$("$scripts/$1" --help)
    [[ $help == *$'\n'"  $2 "* ]] || { echo "Scripts/$1 --help does not teach $2"; exit 1; }
}

expect_help test --fast
expect_refusal test --fats
expect_refusal test fast
expect_refusal test ''
expect_refusal test --fast --fast
expect_refusal test --help --fast
expect_help nightly thread
expect_refusal nightly nonsense
expect_refusal nightly thread nonsense
echo "options are taught, and no others are taken"
