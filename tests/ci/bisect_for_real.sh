#!/bin/sh
# A bisection with real timings: 64 commits, one of which computes 5 % more. Real timings depend on
# the machine, so that this is no part of ci/test; the same flow with claimed times is bisect_test.
#
#     tests/ci/bisect_for_real.sh BUILD/bin/perf-compare [COMMIT [PERCENT]]
#
# COMMIT: where the step is, 1 to 64 (default: 41). Exits with 0 when exactly it was found.
set -eu
tool=$(realpath "$1")
at=${2:-41}
percent=${3:-5}
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME="$folder/cache" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com
export GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com

mkdir "$folder/repository"
cd "$folder/repository"
git init -q -b main
cp "$source/workloads/step_emitter.h" .
cat > bench.cpp <<'END'
#include <cmath>
#include "step_emitter.h"
int main() {
  perf_compare::StepEmitter out("waves");
  double sum = 0;
  while (out.next_step())
    for (int i = 0; i < COUNT; ++i) sum += std::sin(i * 1e-3);
  out.check("sum_is_finite", std::isfinite(sum) ? 0 : 1, 0);
  out.finish();
}
END
cat > perf-compare.json <<'END'
{
  "build": { "command": ["sh", "-c", "g++ -O2 -DCOUNT=$(cat count) -o bench bench.cpp"] },
  "workloads": [ { "name": "waves", "command": ["./bench"] } ]
}
END
commit=0
while [ "$commit" -le 64 ]; do
  if [ "$commit" -lt "$at" ]; then echo 1000000; else echo $((10000 * (100 + percent))); fi > count
  echo "$commit" > notes
  git add .
  git commit -qm "Commit $commit"
  commit=$((commit + 1))
done
"$tool" bisect main~64 main -w waves --json "$folder/out.json" || echo "exit status $?"
wanted=$(git rev-parse "main~$((64 - at))")
found=$(sed -n '/^  "first_bad": {/,/^  }/s/.*"oid": "\(.*\)".*/\1/p' "$folder/out.json")
if [ "$found" = "$wanted" ]; then
  echo "right: commit $at"
else
  echo "wrong: the step is at commit $at ($wanted), found: ${found:-nothing}"
  exit 1
fi
