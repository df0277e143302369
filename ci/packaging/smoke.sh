#!/bin/sh
# Run by ci/package --test in a bare system that has git and g++: what an installed perf-compare has to do there, the
# README's example first. smoke.sh PREFIX README
set -eu
PATH=$1/bin:$PATH
export PATH GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com
export GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com

# ends WANTED COMMAND...: what it says is shown where it ends otherwise.
ends() {
  wanted=$1 status=0
  shift
  "$@" >said 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ]; then
    cat said
    echo "error: exit status $status, not $wanted: $*"
    exit 1
  fi
}

says() {
  grep -q -e "$1" said || {
    cat said
    echo "error: it does not say: $1"
    exit 1
  }
}

cd "$(mktemp -d)"
perf-compare --version --verbose
{
  echo 'set -e'
  # shellcheck disable=SC2016 # Markdown's backticks
  awk '/^```$/ { if (on) exit } on; /^```sh$/ { on = 1 }' "$2" | sed "s|^PERF=.*|PERF=$1/share/perf-compare|"
} >example
ends 1 sh example
says 'Regressed: waves is slower'

cd demo
for i in 1 2 3; do
  git commit -q --allow-empty -m "Change nothing ($i)"
done
ends 0 perf-compare HEAD~1 HEAD --budget 20s --html report.html --junit junit.xml --json report.json
ends 1 perf-compare HEAD~4 HEAD --html report.html
grep -q '</html>' report.html
# Timings are real here: of a noisy minute it says that no commit could be confirmed.
for seed in 1 2 3; do
  perf-compare bisect HEAD~4 HEAD -w waves --seed "$seed" >said 2>&1 || [ $? -ne 4 ] || continue
  break
done
says 'First bad commit: .*Compute more waves'
ends 0 perf-compare collect HEAD~4..HEAD
ends 0 perf-compare trend --html trend.html
grep -q '</html>' trend.html
ends 1 "$1/share/perf-compare/ci/gate" reports --base HEAD~4
[ -s reports/report.md ]
