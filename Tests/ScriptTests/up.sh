#!/usr/bin/env bash
# Shows that `Scripts/up --join` hands the phrase on without a command line that has it, and that without a terminal a
# gathering is started only where there is none, by a `potluck` that notes its own command lines.
set -euo pipefail
scripts=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../Scripts")
work=$(mktemp -d "${TMPDIR:-/tmp}/potluck-up.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >potluck <<'POTLUCK'
#!/usr/bin/env bash
echo "$*" >>"$NOTES/commands"
[[ $1 != join ]] || cat >"$NOTES/phrase"
[[ $1 != invite ]] || exit "$INVITES"
POTLUCK
chmod +x potluck
export NOTES=$work INVITES=0 POTLUCK_BINARY=$work/potluck

# expect WHAT IT IS: ends the test where they differ.
expect() { [[ $2 == "$3" ]] || { printf '%s: expected\n%s\nbut there is\n%s\n' "$1" "$2" "$3"; exit 1; }; }

"$scripts/up" --join --home there --no-discovery <<<"lusab babad" 2>errors
expect "the phrase" "lusab babad" "$(<phrase)"
expect "the commands" $'join --phrase-file - --home there\nup --home there --no-discovery' "$(<commands)"

# expect_refusal WORD…: with these words nothing runs.
expect_refusal() {
    local status=0
    : >commands
    "$scripts/up" "$@" --no-discovery </dev/null &>errors || status=$?
    expect "Scripts/up $*" "64 " "$status $(<commands)"
}
expect_refusal --join lusab-babad
expect_refusal --join=lusab-babad
expect_refusal --join

# expect_commands STATUS COMMANDS: these run where `potluck invite` ends with the status.
expect_commands() {
    : >commands
    INVITES=$1 "$scripts/up" --no-discovery </dev/null 2>errors
    expect "the commands where invite ends with $1" $'invite --json\n'"$2" "$(<commands)"
}
expect_commands 0 "up --no-discovery"
expect_commands 78 $'host Our photos\nup --no-discovery'
# The phrase has changed, and the new one is not here yet.
expect_commands 75 "up --no-discovery"
echo "the phrase stands on no command line, and no gathering is started where there is one"
