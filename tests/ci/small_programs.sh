#!/bin/sh
# 200 commands (120 comparisons, 80 of collect, and a trend after every five of these) over commits
# that change nothing, on five programs of 2 to 9 MiB: what is called a change is wrong. Real
# measurements, so that this is no part of ci/test.
#
#     tests/ci/small_programs.sh BUILD/bin/perf-compare
#
# BUDGET is that of a comparison, 10s: with a load of 8 on two cores a third of the step times are
# decided in that.
# Exits with 0 where peak_rss never moved, and step_time in no more of the reports than alpha allows.
set -eu
tool=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME="$folder/cache" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com
export GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com

mkdir "$folder/out" "$folder/repository"
cd "$folder/repository"
git init -q -b main
echo 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' > shell.sh
echo 'int main(void) { volatile long i = 0; while (i < 10000000) i++; return 0; }' > plain.c
cat > maps.rs <<'END'
use std::collections::HashMap;
fn main() {
    let mut seen = HashMap::new();
    for i in 0..200000u64 {
        *seen.entry(i * 2654435761 % 20011).or_insert(0u64) += i;
    }
    println!("{}", seen.len());
}
END
workload() {
  printf '{ "name": "%s", "command": %s, "format": "process" }' "$1" "$2"
}
cat > perf-compare.json <<END
{ "build": { "command": ["sh", "-c", "cc -static -o plain plain.c && rustc -O -o maps maps.rs"] },
  "workloads": [
    $(workload shell '["sh", "shell.sh"]'), $(workload plain '["./plain"]'),
    $(workload maps '["./maps"]'),
    $(workload perl '["perl", "-e", "my %h; $h{$_ % 5000} += $_ for 1 .. 100000"]'),
    $(workload python '["/usr/bin/python3", "-c", "sum(range(300000))"]') ] }
END
git add . && git commit -qm "Begin"
commit=0
while [ "$commit" -lt 24 ]; do
  echo "$commit" > notes
  git add . && git commit -qm "Commit $commit"
  commit=$((commit + 1))
  # What surrounds a command has another size each time.
  export NOISE="$(head -c $((commit * commit * 40)) /dev/zero | tr '\0' x)"
  for name in shell plain maps perl python; do
    "$tool" HEAD~1 HEAD -w $name --measure all --budget "${BUDGET:-10s}" --pairs 50:400 -q --json "$folder/out/$commit-$name.json" \
      > "$folder/said" 2>&1 || grep -v "^$" "$folder/said" | head -1
    [ "$commit" -gt 16 ] || "$tool" collect HEAD -w $name -q > /dev/null
  done
  [ "$commit" -gt 16 ] || "$tool" trend --json "$folder/out/trend-$commit.json" -q > /dev/null
done
python3 - "$folder/out" <<'END'
import collections, glob, json, sys
verdicts, alerts = collections.Counter(), collections.Counter()
for name in glob.glob(sys.argv[1] + "/*.json"):
    report = json.load(open(name))
    for row in report.get("comparisons", []):
        if row["judged"]:
            verdicts[row["metric"], row["verdict"]] += 1
    for alert in report.get("alerts", []):
        alerts[alert["metric"]] += alert["state"] == "new"
for (metric, verdict), count in sorted(verdicts.items()):
    print(metric, verdict, count)
print("new alerts of peak_rss", alerts["peak_rss"], "and of step_time", alerts["step_time"])
def moved(metric):
    return verdicts[metric, "regressed"] + verdicts[metric, "improved"]
# 1 % of 120 reports: more than 5 are three in two thousand times luck.
sys.exit(moved("peak_rss") + alerts["peak_rss"] > 0 or moved("step_time") > 5)
END
