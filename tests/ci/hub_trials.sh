#!/usr/bin/env bash
# Hubs under load: many writers at once, writers that are killed, and how long it takes to meet.
# Real processes and some minutes, so that this is no part of ci/test.
#
#     tests/ci/hub_trials.sh BUILD/bin/perf-compare BUILD/tests/many_runs [WRITERS [KILLS]]
#
# Exits with 0 where every run that a writer was told to be there was there exactly once.
set -euo pipefail
tool=$(realpath "$1") many_runs=$(realpath "$2") writers=${3-32} kills=${4-200}
runs=100
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com
export GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com
cd "$folder"

# perf WRITER ARGUMENT...: in a clone of its own, with a cache of its own.
perf() {
  local writer=$1
  shift
  XDG_CACHE_HOME="$folder/cache-$writer" "$tool" "$@" -C "$folder/clone-$writer" --db "$folder/$writer.db"
}

new_clone() {
  git clone -q hub.git "clone-$1" 2>/dev/null
}

timed() {
  local began
  began=$(date +%s.%N)
  "$@"
  printf '%s: %.2f s\n' "$what" "$(echo "$(date +%s.%N) - $began" | bc)"
}

# expect_runs STORE COUNT: all there, each once.
expect_runs() {
  local found
  found=$(sqlite3 "$1" 'SELECT count(*) || " " || count(DISTINCT id) FROM run')
  [ "$found" = "$2 $2" ] || fail "$1 has $found runs, not $2"
}

echo "making $writers stores of $runs runs"
git init -q --bare -b main hub.git
git init -q -b main clone-seed
git -C clone-seed commit -q --allow-empty -m begin
git -C clone-seed push -q ../hub.git main
mkdir share
for ((i = 0; i < writers; i++)); do
  new_clone "$i"
  "$many_runs" "$i.db" $((i * runs)) "$runs" &
  [ $((i % 2)) -eq 0 ] || wait
done
wait

push_all() {
  local i pids=()
  for ((i = 0; i < writers; i++)); do
    perf "$i" push "$1" >"$i.out" 2>&1 &
    pids+=($!)
  done
  for i in "${pids[@]}"; do wait "$i"; done
}

fail() {
  echo "error: $1" >&2
  exit 1
}

hub_state() {
  git -C hub.git for-each-ref
  find share -type f | sort
}

new_clone reader
total=$((writers * runs))
for hub in git:origin "dir:$folder/share"; do
  what="$writers processes push $runs runs each to ${hub%%:*}" timed push_all "$hub"
  rm -f reader.db
  what="pulling all $total of them" timed perf reader pull "$hub"
  expect_runs reader.db "$total"
  before=$(hub_state)
  what="pushing again" timed push_all "$hub"
  [ "$before" = "$(hub_state)" ] || fail "pushing twice changed the hub"
  what="pulling none of $total" timed perf reader pull "$hub"
  "$many_runs" 0.db "$total" 1
  perf 0 push "$hub"
  total=$((total + 1))
  what="pulling one more" timed perf reader pull "$hub"
  expect_runs reader.db "$total"
done

# Writers that are killed at any moment, and then push until they are told that all is there.
git init -q --bare -b main killed.git
mkdir killed-share
new_clone victim
"$many_runs" victim.db 100000 3
for hub in "git:$folder/killed.git" "dir:$folder/killed-share"; do
  what="$hub: $((kills / 2)) pushes killed"
  for ((i = 0; i < kills / 2; i++)); do
    "$many_runs" victim.db $((200000 + ${#hub} * 1000 + i)) 1
    setsid "$tool" push "$hub" -C clone-victim --db victim.db >/dev/null 2>&1 &
    pid=$!
    sleep "0.$(printf %03d $((RANDOM % 400)))"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  perf victim push "$hub"
  all=$(sqlite3 victim.db 'SELECT count(*) FROM run')
  new_clone "after-${hub%%:*}"
  perf "after-${hub%%:*}" pull "$hub"
  expect_runs "after-${hub%%:*}.db" "$all"
  echo "$what: all $all runs there, each once"
done
echo "payloads: $(find share -name '*.zst' | head -1 | xargs stat -c %s) B each"
