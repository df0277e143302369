# shellcheck shell=bash
# Sourced by ci/package: the static perf-compare and step_emitter.py, for pip.

make_wheel() {
  install_static
  python3 "$perf_root/ci/packaging/wheel.py" "$work/$name" "$version" "$dist" >"$work/wheel.log" || exit 3
}

test_wheel() {
  local wheel
  wheel=$(echo "$dist"/perf_compare-"$version"-*_"$machine".whl)
  [ "$(stat -c %s "$wheel")" -le 12000000 ] || fail "wheel must be at most 12 MB: $wheel"
  python3 "$perf_root/tests/ci/wheel_test.py" "$wheel" || fail "wheel failed (see above): $wheel"
  [ -z "$sysroot" ] || test_wheel_emulated "$wheel"
}
