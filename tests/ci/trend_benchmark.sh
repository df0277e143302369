#!/usr/bin/env bash
# Times `perf-compare trend` over 5,000 commits x 200 workloads x 20 raw steps, out of a store that
# is in no cache; run by hand:
#
#     tests/ci/trend_benchmark.sh BUILD [FOLDER]
#
# FOLDER keeps the repository and the store (about 0.7 GB) for the next time.
set -euo pipefail

build=$(realpath -- "$1")
folder=${2:-$(mktemp -d)}
[ $# -ge 2 ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"
repository=$folder/repository
store=$folder/history.db

make_repository() {
  git init -q -b main "$repository"
  for ((i = 1; i <= 5000; ++i)); do
    printf 'commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\n' $((1700000000 + i * 3600))
    printf 'data <<END\nChange number %d\nEND\nM 644 inline file\ndata <<END\n%d\nEND\n\n' "$i" "$i"
  done | git -C "$repository" fast-import --quiet
  git -C "$repository" reset -q --hard
}

# The store's commits become those of the repository, in order.
name_commits() {
  git -C "$repository" rev-list --reverse main > "$folder/oids"
  sqlite3 "$store" "CREATE TEMP TABLE line (oid TEXT)" ".import $folder/oids line" \
    "UPDATE revision SET oid = (SELECT oid FROM line WHERE line.rowid = revision.key)"
}

# GNU dd's way to drop one file from the page cache.
make_cold() { dd of="$store" oflag=nocache conv=notrunc,fdatasync count=0 status=none; }

timed() {
  make_cold
  local began=$EPOCHREALTIME
  "$build/bin/perf-compare" trend -C "$repository" --db "$store" -q "$@" > /dev/null
  awk "BEGIN { printf \"%.2f\", $EPOCHREALTIME - $began }"
}

[ -d "$repository" ] || make_repository
if [ ! -e "$store" ]; then
  "$build/tests/history_benchmark" "$store" > /dev/null
  name_commits
fi
for ((i = 0; i < 5; ++i)); do
  printf 'cold: step_time only %s s, every metric %s s, with --json %s s\n' \
    "$(timed --metric step_time)" "$(timed)" "$(timed --metric step_time --json "$folder/trend.json")"
done
