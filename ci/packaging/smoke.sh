#!/bin/sh
# smoke.sh PREFIX README: run by ci/package --test in a bare system with git and g++: tries an installed perf-compare,
# the README's example first.
set -eu
PATH=$1/bin:$PATH
export PATH GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com
export GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com

# expect_status STATUS COMMAND...: shows the output of a command that ends otherwise.
expect_status() {
  expected=$1 status=0
  shift
  "$@" >output 2>&1 || status=$?
  if [ "$status" -ne "$expected" ]; then
    cat output
    echo "error: exit status must be $expected, got $status: $*"
    exit 1
  fi
}

expect_output() {
  grep -q -e "$1" output || {
    cat output
    echo "error: not in the output: $1"
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
expect_status 1 sh example
expect_output 'Regressed: waves is slower'

cd demo
for i in 1 2 3; do
  git commit -q --allow-empty -m "Change nothing ($i)"
done
expect_status 0 perf-compare HEAD~1 HEAD --budget 20s --html report.html --junit junit.xml --json report.json
expect_status 1 perf-compare HEAD~4 HEAD --html report.html
grep -q '</html>' report.html
# Timings are real: in a noisy minute no commit can be confirmed.
for seed in 1 2 3; do
  perf-compare bisect HEAD~4 HEAD -w waves --seed "$seed" >output 2>&1 || [ $? -ne 4 ] || continue
  break
done
expect_output 'First bad commit: .*Compute more waves'
expect_status 0 perf-compare collect HEAD~4..HEAD
expect_status 0 perf-compare trend --html trend.html
grep -q '</html>' trend.html
expect_status 1 "$1/share/perf-compare/ci/gate" reports --base HEAD~4
[ -s reports/report.md ]
