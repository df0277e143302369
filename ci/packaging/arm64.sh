# shellcheck shell=bash
# Sourced by ci/package for --arch arm64: cross-building, and tests under qemu-user.

# Only the unit tests and the workloads need these.
tested_packages=(libgtest-dev libbenchmark-dev libeigen3-dev libopenblas-openmp-dev libdnnl-dev libthrift-dev libboost-dev)

# cross_to_arm64: what differs from a build for this machine.
cross_to_arm64() {
  machine=aarch64 work=$work/arm64
  sysroot=$work/sysroot
  cross=(--toolchain "$perf_root/ci/packaging/arm64.cmake")
  emulator=(qemu-aarch64 -L "$sysroot")
  export PERF_COMPARE_SYSROOT=$sysroot
  export PKG_CONFIG_LIBDIR=$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$sysroot/usr/share/pkgconfig
}

# make_sysroot PACKAGE...: unpacks, in $sysroot, Debian's packages for Arm, and those they need. Nothing is installed on
# this machine.
make_sysroot() {
  local apt debs=$sysroot-packages deb link target
  ! grep -qsF "$*" "$sysroot/complete" || return 0
  own_apt "$debs" deb bookworm
  : >"$debs/status"
  apt+=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State::status=$debs/status"
    -o Dpkg::Use-Pty=0 -y --no-install-recommends --download-only)
  "${apt[@]}" update && "${apt[@]}" install "$@" >&2 ||
    stop "cannot download Debian's packages for arm64 (see above): $debs"
  mkdir -p "$sysroot"
  for deb in "$debs"/apt/cache/archives/*.deb; do
    dpkg-deb -x "$deb" "$sysroot" || stop "cannot unpack: $deb"
  done
  # Absolute paths would lead out of it.
  find "$sysroot" -type l -lname '/*' ! -lname "$sysroot/*" -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do
    ln -sfn "$sysroot$target" "$link"
  done
  sed -i "s|=/usr|=$sysroot/usr|" "$sysroot"/usr/{lib/aarch64-linux-gnu,share}/pkgconfig/*.pc
  echo "$*" >"$sysroot/complete"
}

# unpack_archive: as $work/test/$name.
unpack_archive() {
  rm -rf "${work:?}/test/$name"
  tar -C "$work/test" -xzf "$dist/$name.tar.gz" ||
    fail "no archive (ci/package tarball --arch arm64 makes it): $dist/$name.tar.gz"
}

# emulate PREFIX: sets `emulated` to a folder with programs that run the installed ones of PREFIX under qemu-user.
emulate() {
  local program
  emulated=$work/test/emulated
  rm -rf "$emulated"
  mkdir -p "$emulated"
  cp -r "$1/." "$emulated"
  for program in bin/perf-compare lib/perf-compare/perf-supervisor lib/perf-compare/perf-device; do
    printf '#!/bin/sh\nexec %s %s "$@"\n' "${emulator[*]}" "$emulated/$program.arm64" >"$work/test/wrapper"
    chmod +x "$work/test/wrapper"
    mv "$emulated/$program" "$emulated/$program.arm64"
    mv "$work/test/wrapper" "$emulated/$program"
  done
}

# test_archive_emulated: the archive under qemu-user gives the same answers as that for x86-64.
test_archive_emulated() {
  local reference=${PERF_COMPARE:-} emulated other=perf-compare-$version-linux-x86_64
  echo "== the archive under qemu-user" >&2
  if [ -z "$reference" ]; then
    tar -C "$work/test" -xzf "$dist/$other.tar.gz" ||
      fail "no program for x86-64 to compare with (ci/package tarball makes it; or set PERF_COMPARE): $dist/$other.tar.gz"
    reference=$work/test/$other/bin/perf-compare
  fi
  unpack_archive
  require_static "$work/test/$name/bin/perf-compare"
  require_static "$work/test/$name/lib/perf-compare/perf-supervisor"
  emulate "$work/test/$name"
  "$perf_root/tests/ci/same_answers" "$emulated/bin/perf-compare" "$reference" ||
    fail "other answers than on x86-64 (see above): $name"
}

# test_wheel_emulated WHEEL: pip for Arm takes it, and its program runs.
test_wheel_emulated() {
  local place=$work/test/wheel
  rm -rf "$place"
  python3 -m pip install -q --no-index --no-deps --only-binary=:all: --platform manylinux2014_aarch64 --target "$place" "$1" ||
    fail "pip for arm64 does not take the wheel: $1"
  "${emulator[@]}" "$place/bin/perf-compare" --version || fail "does not run: $1"
}

# test_deb_emulated: the Debian package has the programs and files of the archive.
test_deb_emulated() {
  local deb=$dist/perf-compare_${version}_arm64.deb place=$work/test/deb
  echo "== the Debian package for arm64" >&2
  [ "$(dpkg-deb -f "$deb" Architecture)" = arm64 ] || fail "not for arm64: $deb"
  rm -rf "$place"
  dpkg-deb -x "$deb" "$place"
  unpack_archive
  diff -rq --exclude={doc,lintian,man} "$place/usr" "$work/test/$name" >&2 || fail "other files than in the archive: $deb"
  "${emulator[@]}" "$place/usr/bin/perf-compare" --version || fail "does not run: $deb"
}

# test_unit: the tests of what starts no processes, of the libraries that the archive's program is linked with. Pages need
# a browser, and verdict_replay_test would take hours.
test_unit() {
  local layer
  echo '== unit tests of schema, analyzer and reporter under qemu-user' >&2
  make_sysroot "${linked_packages[@]}" "${tested_packages[@]}"
  install_static
  { cmake "$work/static" -DPERF_COMPARE_TESTS=ON &&
    cmake --build "$work/static" --target tests/{schema,analyzer,reporter}/all; } >"$work/static/tests.log" 2>&1 ||
    stop "unit tests did not build: $work/static/tests.log"
  for layer in schema analyzer reporter; do
    ctest --test-dir "$work/static/tests/$layer" -j2 --no-tests=error -E '_page|verdict_replay_test' --output-on-failure \
      >"$work/test/$layer.log" 2>&1 || fail "unit tests failed on arm64: $work/test/$layer.log"
    tail -n 3 "$work/test/$layer.log" >&2
  done
}

# test_workloads: the workloads compile for Arm, and their checks pass, at the smallest size. The program cannot start
# itself again with this variable here.
test_workloads() {
  echo '== the workloads under qemu-user' >&2
  make_sysroot "${linked_packages[@]}" "${tested_packages[@]}"
  perf_build "$work/workloads" --preset release -B "$work/workloads" "${cross[@]}" -DPERF_COMPARE_TOOL=OFF \
    -DPERF_COMPARE_TESTS=OFF || exit 3
  GOMP_SPINCOUNT=2000 "${emulator[@]}" "$work/workloads/bin/perf-workloads" suite --size smoke --steps 2 --warmup 0 \
    >"$work/test/workloads.log" 2>&1 || fail "workloads failed on arm64: $work/test/workloads.log"
  tail -n 1 "$work/test/workloads.log" >&2
}
