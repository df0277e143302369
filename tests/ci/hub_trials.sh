#!/usr/bin/env bash
# Hubs under load: many writers at once, writers that are killed, a server of PostgreSQL that is killed, and how long it
# takes to meet. Real processes and some minutes, so that this is no part of ci/test.
#
#     tests/ci/hub_trials.sh BUILD/bin/perf-compare BUILD/tests/many_runs [WRITERS [KILLS [POSTGRES_WRITERS]]]
#
# Exits with 0 where every run that a writer was told to be there was there exactly once.
set -euo pipefail
tool=$(realpath "$1") many_runs=$(realpath "$2") writers=${3-32} kills=${4-200} postgres_writers=${5-100}
runs=100
folder=$(mktemp -d)
database='' # the server's folder
trap 'end_server; rm -rf "$folder" "$database"' EXIT
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

# PostgreSQL refuses to be run by root.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then
    (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@")
  else
    "$@"
  fi
}

pg_ctl() {
  as_postgres "$postgres/pg_ctl" -D "$database/data" -l "$database/log" -s -w "$@"
}

end_server() {
  [ -z "$database" ] || pg_ctl stop -m immediate 2>/dev/null || true
}

sql() {
  psql -h "$database" -U postgres -d hub -XAtqc "$1"
}

address() {
  printf 'postgres://%s@%s/hub' "$1" "${database//\//%2F}"
}

# Fewer connections than there are writers, and a log that tells how often that mattered.
make_server() {
  postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
  [ -n "$postgres" ] || fail 'PostgreSQL is not installed: ci/install_deps.sh --test'
  database=$(mktemp -d /tmp/perf-hub-XXXXXX)
  [ "$(id -u)" -ne 0 ] || chown postgres "$database"
  as_postgres "$postgres/initdb" -D "$database/data" -U postgres -A trust --no-instructions >/dev/null
  printf "unix_socket_directories = '%s'\nlisten_addresses = ''\nmax_connections = 6\n" "$database" \
    >>"$database/data/postgresql.conf"
  pg_ctl start
  psql -h "$database" -U postgres -Xqc 'CREATE DATABASE hub'
  "$tool" hub init "$(address postgres)"
  sql 'CREATE ROLE writer LOGIN IN ROLE perf_writer; CREATE ROLE reader LOGIN IN ROLE perf_reader;
    CREATE ROLE indexer LOGIN IN ROLE perf_indexer'
}

# Until the file `pushed` is there: points are made, and trends told of them, night after night.
index_and_trend() {
  local nights=0 code
  until [ -e pushed ]; do
    "$tool" hub index "$(address indexer)" >index.out 2>&1 || fail "hub index: $(cat index.out)"
    code=0
    perf postgres-reader trend --hub "$(address reader)" >trend.out 2>&1 || code=$?
    # 3: the runs are of commits that no clone has
    [ "$code" -eq 0 ] || { [ "$code" -eq 3 ] && grep -q 'measured' trend.out; } || fail "trend: $(cat trend.out)"
    nights=$((nights + 1))
  done
  echo "meanwhile hub index and trend --hub: $nights times"
}

# expect_points RUNS: of that many, each once; of an invocation one value a metric.
expect_points() {
  local found
  "$tool" hub index "$(address indexer)" >index.out 2>&1 || fail "hub index: $(cat index.out)"
  found=$(sql "SELECT count(*) || ' ' || count(DISTINCT id) FROM perf_compare.run")
  [ "$found" = "$1 $1" ] || fail "the hub has points of $found runs, not of $1"
  found=$(sql "SELECT string_agg(DISTINCT points::text, ' ') FROM (SELECT sum(invocations) AS points
    FROM perf_compare.perf_points GROUP BY run) AS each")
  [ "$(wc -w <<<"$found")" -eq 1 ] || fail "runs have unlike numbers of points: $found"
}

# new_stores FROM TO FIRST COUNT: into the stores of these writers, COUNT runs each.
new_stores() {
  local i
  for ((i = $1; i < $2; i++)); do
    [ -e "clone-$i" ] || new_clone "$i"
    "$many_runs" "$i.db" $(($3 + i * $4)) "$4" &
    [ $((i % 2)) -eq 0 ] || wait
  done
  wait
}

# expect_payloads COUNT: there, each once.
expect_payloads() {
  local found
  found=$(sql "SELECT count(*) || ' ' || count(DISTINCT name) FROM perf_compare.payload")
  [ "$found" = "$1 $1" ] || fail "the hub has $found payloads, not $1"
}

echo "making $writers stores of $runs runs"
git init -q --bare -b main hub.git
git init -q -b main clone-seed
git -C clone-seed commit -q --allow-empty -m begin
git -C clone-seed push -q ../hub.git main
mkdir share
new_stores 0 "$writers" 0 "$runs"

# push_all HUB [WRITERS]
push_all() {
  local i pids=()
  for ((i = 0; i < ${2-$writers}; i++)); do
    perf "$i" push "$1" >"$i.out" 2>&1 &
    pids+=($!)
  done
  for i in "${!pids[@]}"; do wait "${pids[i]}" || fail "writer $i did not push: $(cat "$i.out")"; done
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
  "$many_runs" 0.db $((900000 + total)) 1
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

# A server with fewer connections than writers, and then one that is killed while they push.
if [ "$postgres_writers" -gt 0 ]; then
  make_server
  hub=$(address writer)
  new_stores "$writers" "$postgres_writers" 0 "$runs"
  total=$((postgres_writers * runs + $(sqlite3 0.db 'SELECT count(*) FROM run') - runs))
  new_clone postgres-reader
  index_and_trend &
  indexing=$!
  what="$postgres_writers processes push $runs runs each to PostgreSQL" timed push_all "$hub" "$postgres_writers"
  touch pushed
  wait "$indexing" || fail 'hub index or trend did not end well'
  expect_payloads "$total"
  expect_points "$total"
  echo "of 3 connections none was left $(grep -c 'too many clients\|remaining connection slots' "$database/log") times"
  what="pushing again" timed push_all "$hub" "$postgres_writers"
  expect_payloads "$total"
  what="pulling all $total of them" timed perf postgres-reader pull "$(address reader)"
  expect_runs postgres-reader.db "$total"
  what="pulling none of $total" timed perf postgres-reader pull "$(address reader)"
  "$tool" hub status "$(address postgres)"

  new_stores 0 "$postgres_writers" 500000 30
  push_all "$hub" "$postgres_writers" &
  pushing=$! killed=''
  rm pushed
  until [ -e pushed ]; do "$tool" hub index "$(address indexer)"; done >index.out 2>&1 &
  indexing=$!
  for ((i = 0; i < 10; i++)); do
    before=$(sql 'SELECT count(*) FROM perf_compare.payload')
    sleep "0.$((RANDOM % 9))"
    if [ $((i % 2)) -eq 0 ]; then
      kill -9 "$(head -n 1 "$database/data/postmaster.pid")"
    else
      pg_ctl stop -m immediate
    fi
    until pg_ctl start 2>/dev/null; do sleep 0.1; done
    killed+="$before "
  done
  wait "$pushing" || fail 'a writer did not push'
  touch pushed
  wait "$indexing" || fail "hub index: $(tail -n 3 index.out)"
  total=$((total + postgres_writers * 30))
  expect_payloads "$total"
  perf postgres-reader pull "$(address reader)"
  expect_runs postgres-reader.db "$total"
  expect_points "$total"
  echo "the server killed ten times while $postgres_writers processes pushed 30 runs each, and one made points: all $total there, each once"
  echo "payloads there when it was killed: $killed"
fi
