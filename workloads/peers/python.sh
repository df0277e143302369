# shellcheck shell=bash
# Sourced: which Python has PyTorch.

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
