# shellcheck shell=bash
# Sourced: the help of a script, and which Python has PyTorch.

# Prints the comment at the top of the script $1, and ends it, if one of the other arguments asks so.
help_if_asked() {
  local script=$1 argument
  shift
  for argument; do
    case "$argument" in
      -h | --help)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script"
        exit 0 ;;
    esac
  done
}

# Prints it; without one says what to install and fails. PyTorch is looked for, not loaded: that
# takes a second. PERF_COMPARE_PYTHON, where it is set, is the only one looked at.
python_with_torch() {
  local candidate candidates=(/usr/bin/python3 python3)
  [ -z "${PERF_COMPARE_PYTHON:-}" ] || candidates=("$PERF_COMPARE_PYTHON")
  for candidate in "${candidates[@]}"; do
    if command -v "$candidate" >/dev/null &&
      "$candidate" -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("torch") is None)' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "error: no PyTorch: ${candidates[*]}: try \`ci/install_deps.sh --peers\` (python3-torch), or PERF_COMPARE_PYTHON=PYTHON" >&2
  return 1
}
