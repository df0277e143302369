# Sourced by ci/perf-compare and ci/test: builds the tree that contains this file.
#   perf_build FOLDER [cmake -D...]   configures and builds, with progress
#   perf_build_preset PRESET FOLDER   the same, by a preset of CMakePresets.json: release, asan, tsan
# Writes to standard error only: standard output is for the program's result.

perf_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Shows Ninja's "[done/all] ..." lines as one line of a terminal, elsewhere as a line each quarter.
perf_show_progress() {
  local line built all shown=0
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    built=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [ -t 2 ]; then
      printf '\r  %s of %s files' "$built" "$all" >&2
      shown=1
    elif [ "$all" -ge 8 ] && [ $((built * 4 / all)) -gt "$shown" ]; then
      shown=$((built * 4 / all))
      echo "  $built of $all files" >&2
    fi
  done
  if [ -t 2 ] && [ "$shown" = 1 ]; then
    printf '\n' >&2
  fi
}

perf_build() {
  local folder=$1 log
  shift
  mkdir -p "$folder"
  log="$folder/build.log"
  echo "building perf-compare in $folder (the first time takes some minutes; log: $log)" >&2
  if ! { cmake -S "$perf_root" -B "$folder" -G Ninja "$@" >"$log" 2>&1 </dev/null &&
         NINJA_STATUS='[%f/%t] ' cmake --build "$folder" 2>&1 </dev/null | tee -a "$log" | perf_show_progress
         [ "${PIPESTATUS[0]}" = 0 ]; }; then
    tail -n 40 "$log" >&2
    printf 'error: perf-compare did not build (see above): %s\n' "$log" >&2
    return 3
  fi
}

perf_build_preset() {
  perf_build "$2" --preset "$1"
}
