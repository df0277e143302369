# shellcheck shell=bash
# Sourced by ci/package for --test.

fail() {
  echo "error: $1" >&2
  exit 1
}

# bare_root SUITE[-NAME] [OPTION...]: sets `root`, a system of only git, g++ and what mmdebstrap's options add, cached
# under that name. It is removed when the test ends.
bare_root() {
  root=$work/test/$1
  if [ ! -e "$root.tar" ]; then
    mmdebstrap --quiet --variant=essential --include=git,g++ "${@:2}" "${1%-*}" "$root.part.tar" || {
      rm -f "$root.part.tar"
      stop "mmdebstrap failed (see above): $1"
    }
    mv "$root.part.tar" "$root.tar"
  fi
  rm -rf "${root:?}"
  mkdir -p "$root"
  # shellcheck disable=SC2064 # this root
  trap "rm -rf '$root'" EXIT
  tar -C "$root" -xf "$root.tar"
}

# in_root COMMAND...: runs in a mount namespace of its own, so nothing stays mounted.
in_root() {
  # shellcheck disable=SC2016 # the inner shell's
  unshare --mount --pid --fork sh -ec \
    'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; exec chroot "$root" "$@"' \
    sh "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

smoke_in_root() {
  cp "$perf_root/ci/packaging/smoke.sh" "$perf_root/README.md" "$root/opt"
  in_root sh /opt/smoke.sh "$1" /opt/README.md || fail "smoke test failed (see above): $root"
}

test_archive_in() {
  echo "== the archive in $1" >&2
  bare_root "$@"
  cp "$dist/$name.tar.gz" "$dist/SHA256SUMS" "$dist/install.sh" "$root/opt"
  in_root sh /opt/install.sh "/opt/$name.tar.gz" --prefix /opt/tool || fail "cannot install the archive: $1"
  smoke_in_root /opt/tool
  in_root sh /opt/install.sh --uninstall --prefix /opt/tool || fail "cannot uninstall the archive: $1"
  rm -rf "$root"
}

# Debian has Ubuntu's key only from its next release on.
ubuntu_key() {
  local apt key=$work/test/key
  own_apt "$key" deb trixie
  (cd "$key" && "${apt[@]}" update && "${apt[@]}" download ubuntu-keyring && dpkg-deb -x ubuntu-*.deb .)
}

test_tarball() {
  [ "$(stat -c %s "$dist/$name.tar.gz")" -le 10000000 ] || fail "archive must be at most 10 MB: $dist/$name.tar.gz"
  if [ -n "$sysroot" ]; then
    test_archive_emulated
    return
  fi
  test_archive_in bookworm
  test_archive_in bullseye # older than the libraries it was linked with
  if ubuntu_key; then
    test_archive_in jammy --components=main "--keyring=$work/test/key/usr/share/keyrings/ubuntu-archive-keyring.gpg"
  else
    echo 'skipped: Ubuntu: cannot download its key' >&2
  fi
}

test_deb() {
  if [ -n "$sysroot" ]; then
    test_deb_emulated
    return
  fi
  echo '== the packages in bookworm' >&2
  bare_root bookworm-apt --include=apt
  cp /etc/resolv.conf "$root/etc"
  cp "$dist"/perf-*_"$version"_amd64.deb "$perf_root"/ci/packaging/{smoke,deb_life}.sh "$perf_root/README.md" "$root/opt"
  in_root sh /opt/deb_life.sh || fail "packages failed in Debian 12 (see above): $root"
  rm -rf "$root"
}

test_image() {
  echo '== the image' >&2
  local bundle=$work/test/bundle
  rm -rf "$work/test/layout" "$bundle"
  mkdir -p "$work/test/layout"
  tar -C "$work/test/layout" -xf "$dist/perf-compare-$version-oci.tar"
  umoci unpack --image "$work/test/layout:$version" "$bundle" || fail "cannot unpack the image: $work/test/layout"
  root=$bundle/rootfs
  # shellcheck disable=SC2064 # these folders
  trap "rm -rf '$work/test/layout' '$bundle'" EXIT
  mkdir -p "$root/opt"
  smoke_in_root /usr/local
  rm -rf "$work/test/layout" "$bundle"
}

test_sums() {
  echo '== sums and signature' >&2
  (cd "$dist" && sha256sum --quiet -c SHA256SUMS) || fail "checksums do not match: $dist/SHA256SUMS"
  local key=$work/test/minisign
  minisign -G -f -W -p "$key.pub" -s "$key.key" >"$key.log"
  mkdir -p "$key"
  cp "$perf_root/ci/install.sh" "$key"
  (cd "$key" && MINISIGN_KEY=$key.key write_sums >>"$key.log" 2>&1) || fail "minisign cannot sign SHA256SUMS: $key.log"
  minisign -V -q -p "$key.pub" -m "$key/SHA256SUMS" || fail "signature does not match: $key.pub"
  echo >>"$key/SHA256SUMS"
  ! minisign -V -q -p "$key.pub" -m "$key/SHA256SUMS" 2>>"$key.log" || fail "signature matches a changed file: $key/SHA256SUMS"
  rm -rf "$key"
}

# Builds again in a new clone, without ccache. Not with workloads: compiling them takes too long.
test_same_bytes() {
  echo '== a second build' >&2
  local again=$work/test/again made
  [ "${commit%-dirty}" = "$commit" ] || fail "uncommitted changes: $perf_root"
  rm -rf "$again"
  git clone -q "$perf_root" "$again"
  CCACHE_DISABLE=1 PERF_COMPARE_BUILD='' PERF_COMPARE_DIST='' "$again/ci/package" "$@" --arch "$arch" >"$again.log" 2>&1 ||
    fail "second build failed: $again.log"
  for made in "$again"/dist/perf[-_]*; do
    cmp "$dist/${made##*/}" "$made" || fail "second build differs: ${made##*/}"
  done
  rm -rf "$again"
}

# test_kinds KIND...
test_kinds() {
  local kind again=()
  mkdir -p "$work/test"
  [[ ! "$*" =~ tarball|wheel|deb|image ]] || test_sums
  for kind in "$@"; do
    "test_$kind"
    case $arch-$kind in
      amd64-deb | *-unit | *-workloads) ;;
      *) again+=("$kind") ;;
    esac
  done
  [ ${#again[@]} -eq 0 ] || test_same_bytes "${again[@]}"
  echo "passed: $*"
}
