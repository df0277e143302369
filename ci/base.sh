# shellcheck shell=bash
# Sourced by ci/gate: fetches the commit to compare with into shallow clones. collector/git/ci_event.cpp
# decides which commit `baseline` names (docs/ci.md, "Choosing the base"); this script asks git the same
# questions with the same variables (a test compares the names) and fetches until they have answers. It
# reads less of the event's file, and may fetch more than needed.
# The job's variables are untrusted: ids must be hexadecimal, branches well-formed names.

# git in the checkout, without hooks, monitor and prompts.
# shellcheck disable=SC2154 # top is the gate's
ci_git() {
  GIT_TERMINAL_PROMPT=0 git -C "$top" -c core.hooksPath=/dev/null -c core.fsmonitor=false "$@"
}

is_oid() {
  [[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ && ! $1 =~ ^0+$ ]] # zeros stand for "no commit"
}

has_commit() {
  ci_git cat-file -e "$1^{commit}" 2>/dev/null
}

is_shallow() {
  [ "$(ci_git rev-parse --is-shallow-repository)" = true ]
}

# The parents in the commit object: git itself hides them in a shallow clone.
parents() {
  ci_git cat-file commit "$1" | sed -n '/^$/q;s/^parent //p'
}

# first_of VARIABLE...: the value of the first one that is set.
first_of() {
  local variable
  for variable in "$@"; do
    if [ -n "${!variable:-}" ]; then
      printf '%s\n' "${!variable}"
      return
    fi
  done
}

# The target branch of a pull request: GitHub (Forgejo, Gitea), GitLab, Jenkins, Azure, Bitbucket,
# Buildkite.
target_variables=(GITHUB_BASE_REF CI_MERGE_REQUEST_TARGET_BRANCH_NAME CHANGE_TARGET
  SYSTEM_PULLREQUEST_TARGETBRANCH BITBUCKET_PR_DESTINATION_BRANCH BUILDKITE_PULL_REQUEST_BASE_BRANCH)
# The commit that was built, or at the branch's end, before.
before_variables=(CI_COMMIT_BEFORE_SHA GIT_PREVIOUS_COMMIT)

target_branch() {
  local name
  name=$(first_of "${target_variables[@]}")
  name=${name#refs/heads/}
  [ -z "$name" ] || ! git check-ref-format "refs/heads/$name" || printf '%s\n' "$name"
}

# `event_oid before`: an id of the event file. Quotes in JSON strings are escaped, so that no message
# can pose as a field.
event_oid() {
  [ -r "${GITHUB_EVENT_PATH:-}" ] || return 0
  grep -oE "\"$1\": *\"[0-9a-f]{40}\"" "$GITHUB_EVENT_PATH" | head -n 1 | grep -oE '[0-9a-f]{40}' || true
}

# The commit before the push or the merge queue; empty after a forced push.
commit_before() {
  local before=''
  case ${GITHUB_EVENT_NAME:-} in
    merge_group) before=$(event_oid base_sha) ;;
    push) grep -qs '"forced": *true' "${GITHUB_EVENT_PATH:-}" || before=$(event_oid before) ;;
  esac
  before=${before:-$(first_of "${before_variables[@]}")}
  ! is_oid "$before" || printf '%s\n' "$before"
}

# Whether HEAD is the test merge of a pull request.
is_test_merge() {
  [ "$(parents HEAD | wc -l)" -eq 2 ] || return 1
  case ${CI_MERGE_REQUEST_EVENT_TYPE:-} in merged_result | merge_train) return 0 ;; esac
  case ${GITHUB_EVENT_NAME:-} in
    pull_request_target) return 1 ;;
    pull_request*) [ "${GITHUB_SHA:-$head}" = "$head" ] ;;
    *) return 1 ;;
  esac
}

# The default branch, if a reference names it.
default_branch() {
  local name
  ci_git symbolic-ref -q refs/remotes/origin/HEAD && return
  for name in heads/main remotes/origin/main heads/master remotes/origin/master; do
    if has_commit "refs/$name"; then
      printf 'refs/%s\n' "$name"
      return
    fi
  done
}

# Asks origin for the default branch, which a clone of one branch lacks.
bring_default_branch() {
  local name
  name=$(ci_git ls-remote --symref origin HEAD 2>/dev/null | sed -n 's|^ref: refs/heads/\(.*\)\tHEAD$|\1|p')
  [ -n "$name" ] && fetch_branch "refs/remotes/origin/$name" 2>/dev/null || return 0
  ci_git symbolic-ref refs/remotes/origin/HEAD "refs/remotes/origin/$name"
}

# The needs of `baseline`, in the order of perf-compare: `wanted` is parent, ancestor or merge-base;
# `wanted_name` its oid or reference.
find_wanted() {
  local target before
  target=$(target_branch)
  before=$(commit_before)
  wanted=parent wanted_name=''
  if is_test_merge; then
    return
  elif is_oid "${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}"; then
    wanted=ancestor wanted_name=$CI_MERGE_REQUEST_DIFF_BASE_SHA
  elif [ -n "$target" ]; then
    wanted=merge-base wanted_name=refs/remotes/origin/$target
  elif [ -n "$before" ]; then
    wanted=ancestor wanted_name=$before
  else
    wanted_name=$(default_branch)
    [ -n "$wanted_name" ] || bring_default_branch
    wanted_name=$(default_branch)
    [ -z "$wanted_name" ] || wanted=merge-base
  fi
}

has_first_parent() {
  local parent
  parent=$(parents "$head" | head -n 1)
  [ -z "$parent" ] || has_commit "$parent" # a root commit has no parent
}

# Whether the checkout contains the wanted commit.
is_found() {
  case $wanted in
    parent) has_first_parent ;;
    ancestor) has_commit "$wanted_name" && ci_git merge-base --is-ancestor "$wanted_name" "$head" ;;
    merge-base)
      if ! has_commit "$wanted_name"; then
        return 1
      elif [ "$(ci_git merge-base "$wanted_name" "$head")" = "$head" ]; then
        has_first_parent # HEAD is on the target branch
      else
        ci_git merge-base "$wanted_name" "$head" >/dev/null
      fi
      ;;
  esac
}

# fetch_branch refs/remotes/origin/NAME: in a shallow clone without it, only its last commit.
fetch_branch() {
  local limit=()
  ! is_shallow || has_commit "$1" || limit=(--depth=1)
  ci_git fetch --quiet --no-tags --no-recurse-submodules "${limit[@]}" origin \
    "+refs/heads/${1#refs/remotes/origin/}:$1"
}

# fetch_more OPTION [REFSPEC...]: more of HEAD's history by its id, which no push can move; from
# servers that refuse ids, more of the clone's own references.
fetch_more() {
  local depth=$1
  shift
  ci_git fetch --quiet --no-tags --no-recurse-submodules "$depth" origin "$head" "$@" 2>/dev/null ||
    ci_git fetch --quiet --no-tags --no-recurse-submodules "$depth" origin "$@" >&2
}

cannot_bring() {
  printf 'error: %s, and fetching it from origin failed\n' "$1" >&2
  printf 'hint: check out the whole history: %s\n' \
    'fetch-depth: 0 (GitHub), GIT_DEPTH: 0 (GitLab), git fetch --unshallow (elsewhere)' >&2
  exit 3
}

# A commit, a tag, a branch, or a name from the config or the store.
bring_named() {
  if is_shallow && ! has_commit "$1"; then
    ci_git fetch --quiet --unshallow --tags --no-recurse-submodules origin >&2 ||
      cannot_bring "this shallow clone does not contain $1"
  fi
}

# bring_base BASE: fetches until the clone contains the base: one commit first, which is enough for a
# test merge, then twice as many each time. Ends the script with 3 if that fails.
bring_base() {
  local depth=1 refspecs=()
  head=$(ci_git rev-parse HEAD)
  if [ "$1" != baseline ]; then
    bring_named "$1"
    return
  fi
  find_wanted
  case $wanted_name in
    refs/remotes/origin/*)
      # Also where it is there: it may be older than the one that the request was rebased onto.
      if ! fetch_branch "$wanted_name" >&2 && has_commit "$wanted_name"; then
        printf 'warning: cannot fetch %s: the base may be too old\n' "$wanted_name" >&2
      fi # where it is missing, perf-compare reports the failure
      refspecs=("+refs/heads/${wanted_name#refs/remotes/origin/}:$wanted_name")
      ;;
  esac
  while is_shallow && ! is_found; do
    # After so many commits the base is probably missing: one fetch of everything decides.
    [ "$depth" -le 2048 ] || cannot_bring "the history of origin does not contain the base of $head"
    printf 'fetching more history: this shallow clone does not contain the base\n' >&2
    if [ "$depth" -le 1024 ]; then
      fetch_more "--deepen=$depth" "${refspecs[@]}" || cannot_bring "this shallow clone does not contain the base of $head"
    else
      fetch_more --unshallow "${refspecs[@]}" || cannot_bring "this shallow clone does not contain the base of $head"
    fi
    depth=$((depth * 2))
  done
}
