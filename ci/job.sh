# shellcheck shell=bash
# Sourced by ci/gate and ci/nightly: what a CI job that measures has to do about a checkout that is
# not its own, about being stopped, and about the store that it keeps.

# refuse MESSAGE: asked wrongly. The script says how it is asked in `usage`.
refuse() {
  printf 'ci/%s: %s\n\n' "${0##*/}" "$1" >&2
  usage >&2
  exit 2
}

# help_if_asked ARGUMENT...: before the --, behind which the arguments are perf-compare's.
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

# A place that must be named: `require STORE "$1"`.
require() {
  case $2 in
    '') refuse "$1 is missing" ;;
    -*) refuse "$1 is missing: $2 is an option" ;;
  esac
}

# perf_program FOLDER: sets `program`. What PERF_COMPARE names, else the script beside this one, else
# what the PATH has.
perf_program() {
  program=perf-compare
  [ ! -x "$1/perf-compare" ] || program=$1/perf-compare
  program=${PERF_COMPARE:-$program}
  if ! command -v -- "$program" >/dev/null; then
    printf 'ci/%s: there is no program %s: try PERF_COMPARE=/path/to/perf-compare\n' "${0##*/}" "$program" >&2
    exit 3
  fi
}

# The folder at or above this one that has the .git; git tells only whom it trusts.
enclosing_repository() {
  local folder
  folder=$(realpath -e -- "$1" 2>/dev/null) || return 1
  while [ ! -e "$folder/.git" ]; do
    [ "$folder" != / ] || return 1
    folder=$(dirname "$folder")
  done
  printf '%s\n' "$folder"
}

# Tells git that a repository of another user is safe: for the processes of this job and this path
# alone, never `*`, because whoever runs the job has decided to run this repository's code. What the
# job brought in the same way stays.
trust() {
  local count=${GIT_CONFIG_COUNT:-0}
  export GIT_CONFIG_COUNT=$((count + 1))
  export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$1"
}

# find_checkout FOLDER: sets `top`, the repository that FOLDER is in.
find_checkout() {
  top=$(enclosing_repository "$1") || refuse "$1 is in no git repository"
  git -C "$top" rev-parse --git-dir >/dev/null 2>&1 || trust "$top"
  # Containers often run as a user without a home: the build cache then stays in the checkout.
  if [ -z "${XDG_CACHE_HOME:-}" ] && [ ! -w "${HOME:-/nowhere}" ]; then
    make_folder "$top/.perf-compare"
    export XDG_CACHE_HOME=$top/.perf-compare/cache
  fi
}

# make_folder FOLDER: where it is not there yet. perf-compare's own is hidden from git, as
# perf-compare hides it when it makes it.
make_folder() {
  [ ! -d "$1" ] || return 0
  mkdir -p -- "$1" || exit 3
  [ "${1##*/}" != .perf-compare ] || printf '*\n' >"$1/.gitignore"
}

# The signal that asked to stop first, as an exit status; and the command that is told of it. SIGTERM
# for both kinds, because what runs in the background was begun with SIGINT ignored. It may have heard
# the signal itself, as one of a process group, and knows a repetition from a new one. Of the other
# kind it is not told again: GitHub lets SIGTERM follow SIGINT by itself.
interrupted=0 running=''
# shellcheck disable=SC2317 # the traps call it
stop() {
  [ "$interrupted" -ne 0 ] || interrupted=$1
  [ "$interrupted" -eq "$1" ] || return 0
  [ -z "$running" ] || kill -TERM "$running" 2>/dev/null || true
}
trap 'stop 130' INT
trap 'stop 143' TERM

# Runs a command of perf-compare and leaves its exit status in `status`; it ends nothing. In the
# background, because a shell hears no signal while it waits for a command in the foreground.
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

# bring_in KEPT STORE OPTION...: what is kept comes in: whole where there is no STORE yet, else what
# is new of it.
bring_in() {
  local from=$1 to=$2
  shift 2
  make_folder "$(dirname "$from")"
  if [ -e "$from" ] && [ ! -e "$to" ]; then
    make_folder "$(dirname "$to")"
    cp -- "$from" "$to.incoming"
    mv -- "$to.incoming" "$to"
  elif [ -e "$from" ]; then
    "$program" merge "$from" "$@" >&2
  fi
}

# Runs a command that goes on when the process group is asked to stop.
deaf() (
  trap '' INT TERM
  exec "$@"
)

# keep STORE KEPT OPTION...: a compact copy beside the kept one, which then takes its name. In the
# foreground: who asks to stop waits for it, and so it hears no signals itself. A command that was
# killed may have left work to undo, which export, that only reads, cannot; pins can.
unfinished_copy=''
trap '[ -z "$unfinished_copy" ] || rm -f -- "$unfinished_copy"' EXIT
keep() {
  local from=$1 to=$2
  shift 2
  [ -e "$from" ] || return 0
  unfinished_copy=$to.new.$$
  deaf "$program" pins "$@" >/dev/null 2>&1 || true
  deaf "$program" export "$unfinished_copy" "$@" >&2 && mv -f -- "$unfinished_copy" "$to"
}

# Ends with the signal that asked to stop, else with the first of these that is not 0.
end_with_first() {
  local code
  for code in "$interrupted" "$@"; do
    [ "$code" -eq 0 ] || exit "$code"
  done
  exit 0
}
