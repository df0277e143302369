# Sourced by ci/perf-compare and ci/test: builds the tree this file stands in.
#   perf_build FOLDER [cmake -D...]   configures once, then builds; quiet unless it fails
#   perf_build_preset PRESET FOLDER   the same with what CMakePresets.json says of release, asan or tsan
# Standard output stays free: it belongs to the program's result.

perf_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

perf_build() {
  local folder=$1 log
  shift
  mkdir -p "$folder"
  log="$folder/build.log"
  echo "building perf-compare in $folder (the first time takes some minutes; log: $log)" >&2
  if ! { cmake -S "$perf_root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" &&
         cmake --build "$folder"; } >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "error: perf-compare did not build: the end of $log stands above" >&2
    return 3
  fi
}

perf_build_preset() {
  case "$1" in
    release) perf_build "$2" ;;
    asan) perf_build "$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DPERF_COMPARE_SANITIZE=address,undefined ;;
    tsan) perf_build "$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DPERF_COMPARE_SANITIZE=thread ;;
    *) echo "error: no such preset: $1: try release, asan or tsan" >&2; return 2 ;;
  esac
}
