# shellcheck shell=bash
# Sourced by ci/gate and ci/nightly: handles checkouts of other users, signals, and the kept store.

# refuse MESSAGE: ends with a usage error.
refuse() {
  printf 'error: %s\nhint: see ci/%s --help\n' "$1" "${0##*/}" >&2
  exit 2
}

# help_if_asked ARGUMENT...: prints the help for -h or --help before a --.
help_if_asked() {
  local argument
  for argument in "$@"; do
    case $argument in
      --) return ;;
      -h | --help)
        usage
        exit 0
        ;;
    esac
  done
}

# `require STORE "$1"`: refuses a missing argument.
require() {
  case $2 in
    '') refuse "missing argument: $1" ;;
    -*) refuse "missing argument: $1, got the option $2" ;;
  esac
}

# perf_program FOLDER: sets `program` from PERF_COMPARE, else to the script in FOLDER, else to the one
# on the PATH.
perf_program() {
  program=perf-compare
  [ ! -x "$1/perf-compare" ] || program=$1/perf-compare
  program=${PERF_COMPARE:-$program}
  if ! command -v -- "$program" >/dev/null; then
    printf 'error: program not found: %s\nhint: set PERF_COMPARE=/path/to/perf-compare\n' "$program" >&2
    exit 3
  fi
}

# The folder at or above this one with a .git; git itself answers only for trusted folders.
enclosing_repository() {
  local folder
  folder=$(realpath -e -- "$1" 2>/dev/null) || return 1
  while [ ! -e "$folder/.git" ]; do
    [ "$folder" != / ] || return 1
    folder=$(dirname "$folder")
  done
  printf '%s\n' "$folder"
}

# Lets git trust a repository of another user: for the processes of this job and this path alone,
# never `*`: running the job means running this repository's code. Settings of the job stay.
trust() {
  local count=${GIT_CONFIG_COUNT:-0}
  export GIT_CONFIG_COUNT=$((count + 1))
  export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$1"
}

# resolved OPTION PATH: prints the absolute path without links. Refuses a link that leads out of the
# repository that contains it, or into its .git, as perf-compare does: a commit can bring such a link.
resolved() {
  local path=$2 folder tree target
  case $path in /*) ;; *) path=$PWD/$path ;; esac
  while [ -n "$path" ]; do
    folder=${path%/*}
    if [ -L "$path" ] && tree=$(enclosing_repository "${folder:-/}"); then
      target=$(realpath -m -- "$path")
      case $target/ in
        "$tree"/.git/*) ;;
        "$tree"/*) path=$folder && continue ;;
      esac
      printf 'error: link out of the repository: %s: %s -> %s\n' "$1" "$path" "$target" >&2
      printf 'hint: pass the target of the link, or another path\n' >&2
      return 2
    fi
    path=$folder
  done
  realpath -m -- "$2"
}

# find_checkout FOLDER: sets `top`, the repository that FOLDER is in.
find_checkout() {
  top=$(enclosing_repository "$1") || refuse "not in a git repository: $1"
  git -C "$top" rev-parse --git-dir >/dev/null 2>&1 || trust "$top"
  resolved store "$top/.perf-compare/cache" >/dev/null
  # Containers often run as a user without a home: the build cache then stays in the checkout.
  if [ -z "${XDG_CACHE_HOME:-}" ] && [ ! -w "${HOME:-/nowhere}" ]; then
    make_folder "$top/.perf-compare"
    export XDG_CACHE_HOME=$top/.perf-compare/cache
  fi
}

# make_folder FOLDER: creates it if it is missing; .perf-compare is ignored by git, as if created by
# perf-compare.
make_folder() {
  [ ! -d "$1" ] || return 0
  mkdir -p -- "$1" || exit 3
  [ "${1##*/}" != .perf-compare ] || printf '*\n' >"$1/.gitignore"
}

# The first signal, as an exit status, and the command to forward it to. SIGTERM for both kinds,
# because background jobs ignore SIGINT. The command may get the signal twice, as a member of the
# process group, and recognizes the repetition. The other kind is not forwarded: GitHub sends SIGTERM
# after SIGINT.
interrupted=0 running=''
# shellcheck disable=SC2317 # the traps call it
stop() {
  [ "$interrupted" -ne 0 ] || interrupted=$1
  [ "$interrupted" -eq "$1" ] || return 0
  [ -z "$running" ] || kill -TERM "$running" 2>/dev/null || true
}
trap 'stop 130' INT
trap 'stop 143' TERM

# Runs a command of perf-compare and sets `status` to its exit status. In the background, because a
# shell handles no signal while it waits for a command in the foreground.
attempt() {
  status=$interrupted
  [ "$status" -eq 0 ] || return 0
  "$program" "$@" &
  running=$!
  [ "$interrupted" -eq 0 ] || kill -TERM "$running" 2>/dev/null || true
  while :; do
    status=0
    wait "$running" || status=$?
    kill -0 "$running" 2>/dev/null || break # else a signal ended the wait, and not the command
  done
  running=''
  [ "$interrupted" -eq 0 ] || status=$interrupted
}

# state FILE: tells whether a file was replaced.
state() {
  stat -c '%d %i %s %y' -- "$1" 2>/dev/null || true
}

# bring_in KEPT STORE OPTION...: copies the kept store if there is no STORE yet, else merges it.
brought_in=''
bring_in() {
  local from=$1 to=$2
  shift 2
  make_folder "$(dirname "$from")"
  brought_in=$(state "$from")
  if [ -e "$from" ] && [ ! -s "$from" ]; then
    printf 'error: the kept store is empty, as after a failed copy: %s\nhint: restore it, or remove it to begin anew\n' "$from" >&2
    exit 3
  fi
  if [ -e "$from" ] && [ ! -e "$to" ]; then
    make_folder "$(dirname "$to")"
    rm -f -- "$to.incoming"
    cp -- "$from" "$to.incoming"
    mv -- "$to.incoming" "$to"
  elif [ -e "$from" ]; then
    "$program" merge --pins "$from" "$@" >&2
  fi
}

# Runs a command that ignores the signals to the process group.
without_signals() (
  trap '' INT TERM
  exec "$@"
)

# lock FILE: waits until this job holds the lock; the file goes with the job.
held_lock=''
lock() {
  local descriptor
  while [ -z "$held_lock" ]; do
    [ ! -L "$1" ] || rm -f -- "$1"
    if ! exec {descriptor}>>"$1" || ! without_signals flock -w 600 "$descriptor"; then
      printf 'error: cannot lock the kept store: %s\n' "$1" >&2
      return 3
    fi
    # Another job may have removed the file while this one waited.
    [ ! "$1" -ef "/dev/fd/$descriptor" ] || held_lock=$1
  done
}

# keep STORE KEPT OPTION...: replaces the kept store by a compact copy, which also has the runs and
# pins that others have kept meanwhile; one job at a time, by a lock on KEPT.lock. In the foreground
# and without signals, so that a stopped job waits for it. `pins` rolls back a transaction of a killed
# command, which `export` cannot, because it only reads.
unfinished_copy=''
trap '[ -z "$unfinished_copy$held_lock" ] || rm -f -- ${unfinished_copy:+"$unfinished_copy"} ${held_lock:+"$held_lock"}' EXIT
keep() {
  local from=$1 to=$2 found
  shift 2
  [ -e "$from" ] || return 0
  unfinished_copy=$to.new.$$
  lock "$to.lock" || return
  without_signals "$program" pins "$@" >/dev/null 2>&1 || true
  while :; do
    found=$(state "$to")
    if [ -n "$found" ] && [ "$found" != "$brought_in" ]; then
      without_signals "$program" merge --pins "$to" "$@" >&2 || return
      brought_in=$found
    fi
    rm -f -- "$unfinished_copy"
    without_signals "$program" export "$unfinished_copy" "$@" >&2 || return
    [ "$(state "$to")" != "$found" ] || break # else somebody pinned meanwhile
  done
  mv -fT -- "$unfinished_copy" "$to"
}

# Ends with the status of the first signal, else with the first of these that is not 0.
end_with_first() {
  local code
  for code in "$interrupted" "$@"; do
    [ "$code" -eq 0 ] || exit "$code"
  done
  exit 0
}
