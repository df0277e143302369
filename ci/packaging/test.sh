# shellcheck shell=bash
# Sourced by ci/package: its --test.

# The systems that the archive is tried in. The second is of another age than what it was linked with.
suites=(bookworm bullseye)

fail() {
  echo "error: $1" >&2
  exit 1
}

# bare_root SUITE: sets `root`, a Debian with nothing but git and g++.
bare_root() {
  root=$work/test/$1
  if [ ! -e "$root.tar" ]; then
    mmdebstrap --quiet --variant=essential --include=git,g++ "$1" "$root.part.tar" http://deb.debian.org/debian
    mv "$root.part.tar" "$root.tar"
  fi
  rm -rf "${root:?}"
  mkdir -p "$root"
  tar -C "$root" -xf "$root.tar"
}

# in_root COMMAND...: in a mount namespace of its own, which leaves nothing mounted.
in_root() {
  # shellcheck disable=SC2016 # the inner shell's
  unshare --mount --pid --fork sh -ec \
    'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; exec chroot "$root" "$@"' \
    sh "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

test_same_bytes() {
  local again=$work/test/again
  rm -rf "$again"
  CCACHE_DISABLE=1 PERF_COMPARE_BUILD=$again PERF_COMPARE_DIST=$again/dist "$perf_root/ci/package" tarball >"$again.log" 2>&1 ||
    fail "the second build did not build: $again.log"
  cmp "$dist/$name.tar.gz" "$again/dist/$name.tar.gz" || fail 'a second build has other bytes'
}

test_tarball() {
  local archive=$dist/$name.tar.gz suite
  [ "$(stat -c %s "$archive")" -le 10000000 ] || fail "$archive has more than 10 MB"
  mkdir -p "$work/test"
  for suite in "${suites[@]}"; do
    echo "== the archive in $suite" >&2
    bare_root "$suite"
    cp "$archive" "$dist/SHA256SUMS" "$perf_root/ci/install.sh" "$perf_root/ci/packaging/smoke.sh" "$perf_root/README.md" "$root/opt"
    in_root sh /opt/install.sh "/opt/$name.tar.gz" --prefix /opt/tool
    in_root sh /opt/smoke.sh /opt/tool /opt/README.md
    in_root sh /opt/install.sh --uninstall --prefix /opt/tool
    rm -rf "$root"
  done
  echo '== a second build' >&2
  test_same_bytes
  echo 'the archive is as it should be'
}
