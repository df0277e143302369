# Sourced by ci/perf-compare and ci/test: builds the tree this file stands in.
#   perf_build FOLDER [cmake -D...]   configures once, then builds; quiet unless it fails
#   perf_build_preset PRESET FOLDER   the same, as CMakePresets.json has it: release, asan, tsan
# Standard output stays free: it belongs to the program's result.

perf_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

perf_build() {
  local folder=$1 log
  shift
  mkdir -p "$folder"
  log="$folder/build.log"
  echo "building perf-compare in $folder (the first time takes some minutes; log: $log)" >&2
  if ! { cmake -S "$perf_root" -B "$folder" -G Ninja "$@" &&
         cmake --build "$folder"; } >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "error: perf-compare did not build: the end of $log stands above" >&2
    return 3
  fi
}

perf_build_preset() {
  perf_build "$2" --preset "$1"
}
